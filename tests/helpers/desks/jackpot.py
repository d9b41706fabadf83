"""A jackpot link to test with: open, with three tables, and asked in any role."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from croupier.game import Refusal
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.decide import LinkRequest, decide
from croupier.house.jackpot.state import Link, after, new_link
from croupier.journal.entries import entries
from croupier.journal.messages import Entry, Request

R = "NZ1996-VIII-"
MANAGER, SUPERVISOR, DEALER = "casino manager", "game supervisor", "dealer"
E = TypeVar("E", bound=m.AnyEvent)


def asked(link: Link, request: LinkRequest) -> tuple[Link, tuple[Entry[m.AnyEvent], ...]] | Refusal:
    """The link after a request, and the lines it adds to the journal."""
    events = decide(link, request)
    if isinstance(events, Refusal):
        return events
    lines = entries(link.entries, request, events)
    return after(link, lines), lines


def replay(name: str, journal: Iterable[bytes]) -> Link:
    """The link that a stored journal leads to."""
    return after(new_link(name), map(m.decode, journal))


def snapshot(link: Link) -> bytes:
    """The link as bytes, the same for equal links; the law is left out."""
    values = {name: getattr(link, name) for name in link.__struct_fields__ if name not in ("rules", "stud", "general")}
    return msgspec.json.encode(msgspec.to_builtins(values, enc_hook=repr, str_keys=True), order="deterministic")


class Desk:
    """A link with its journal."""

    def __init__(self, name: str = "grand") -> None:
        self.link = new_link(name)
        self.journal: list[Entry[m.AnyEvent]] = []

    def ask(self, what: m.AnyCommand, role: str = MANAGER) -> m.Events:
        answer = asked(self.link, Request(what, "someone", role))
        assert not isinstance(answer, Refusal), answer
        self.link, lines = answer
        self.journal += lines
        return tuple(line.event for line in lines)

    def refused(self, what: m.AnyCommand, role: str = MANAGER) -> Refusal:
        answer = decide(self.link, Request(what, "someone", role))
        assert isinstance(answer, Refusal), answer
        return answer

    def of(self, account: str) -> int:
        return self.link.balances.get(account, 0)

    def play(self, table: str, number: int, hands: dict[int, str], at_ms: dict[int, int], wagers: int = 200) -> None:
        """A round with a wager on each timed box, up to the report."""
        for box in at_ms:
            self.ask(m.RecordWager(table, number, box, f"{table} {box}", wagers))
        for box, moment in at_ms.items():
            self.ask(m.TimeHand(table, box, moment, moment + 5))
        self.ask(m.ReportHands(table, hands))


def the(kind: type[E], events: m.Events) -> E:
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def terms(pool_rate: int = 7_500, retained_rate: int = 2_500, seed: int = 0, approval: str = "CCA 96/1") -> m.OpenLink:
    return m.OpenLink(pool_rate, retained_rate, seed, approval)


def joining(table: str = "T1", **choices: Any) -> m.JoinTable:
    usual: dict[str, Any] = {"device": "shoe", "mode": "electronic", "wager": 200, "chip": 100, "meters": ("M1",)}
    return m.JoinTable(table, **{**usual, **choices})


def a_link(pool: int = 0, **choices: Any) -> Desk:
    """An open link of two shoe tables and a shuffler table, with a pool that another link left."""
    desk = Desk()
    desk.ask(terms(**choices))
    for name, device in (("T1", "shoe"), ("T2", "shoe"), ("T3", "shuffler")):
        desk.ask(joining(name, device=device))
    if pool:
        desk.ask(m.ReceivePool("old", pool, "CCA 96/2"))
    return desk
