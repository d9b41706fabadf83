"""The journal "@webhooks": up to which event each receiver has taken the feed, and which of them does not take it.

A receiver that does not take events is tried again for ever; it becomes a line here when it was tried often enough that
a person should look, and another when it took them after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.game import Refusal
from croupier.journal.entries import decoded, encode, in_order
from croupier.journal.entries import entries as numbered
from croupier.journal.messages import Command, Entry, Event, Request

JOURNAL = "@webhooks"


class HookTook(Command, frozen=True):
    """A receiver acknowledged all events up to `last`."""

    hook: str
    last: int


class HookFails(Command, frozen=True):
    hook: str
    tries: int
    reason: str


HookCommand: TypeAlias = HookTook | HookFails
HookAsked: TypeAlias = Request[HookCommand]


class Took(Event, frozen=True, kw_only=True):
    rule: str = ""
    hook: str
    last: int


class Fails(Event, frozen=True, kw_only=True):
    """It was tried so often, and this was wrong the last time."""

    rule: str = ""
    hook: str
    tries: int
    reason: str


HookLine: TypeAlias = Took | Fails
_LINES = msgspec.json.Decoder(Entry[HookLine])


def decode(line: bytes | str) -> Entry[HookLine]:
    return decoded(_LINES, line)


class HooksSoFar(msgspec.Struct, frozen=True):
    """The last event that each receiver took, and why those fail that do."""

    entries: int = 0
    took: Mapping[str, int] = {}
    failing: Mapping[str, str] = {}


def decide(hooks: HooksSoFar, request: HookAsked) -> tuple[HookLine, ...] | Refusal:
    what = request.what
    match what:
        case HookTook(hook=hook, last=last):
            if last <= hooks.took.get(hook, 0):
                return Refusal(f"{hook} has taken event {last} already", "")
            return (Took(hook=hook, last=last),)
        case HookFails(hook=hook, tries=tries, reason=reason):
            return (Fails(hook=hook, tries=tries, reason=reason[:300]),)
        case _:
            assert_never(what)


def entries(hooks: HooksSoFar, request: HookAsked, events: tuple[HookLine, ...]) -> tuple[Entry[HookLine], ...]:
    return numbered(hooks.entries, request, events)


def after(hooks: HooksSoFar, lines: Iterable[Entry[Any]]) -> HooksSoFar:
    hooks, number = in_order(hooks, hooks.entries, lines, _happens)
    return replace(hooks, entries=number)


def _happens(hooks: HooksSoFar, line: Entry[HookLine]) -> HooksSoFar:
    event = line.event
    match event:
        case Took(hook=hook, last=last):
            failing = {name: why for name, why in hooks.failing.items() if name != hook}
            return replace(hooks, took={**hooks.took, hook: last}, failing=failing)
        case Fails(hook=hook, reason=reason):
            return replace(hooks, failing={**hooks.failing, hook: reason})
        case _:
            assert_never(event)


__all__ = ["JOURNAL", "HooksSoFar", "after", "decide", "decode", "encode", "entries"]
