"""Facts and commands in the words of a case.

A fact is a card, dice, a number, or a verb with figures: `declares excess_card card=5h disclosed=yes`.  A command is
the name of one of the product's own commands in words with its fields: `change limits minimum=20 maximum=500`.  So the
vocabulary is that of the product, and is closed as it is.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from tests.law.matrix.answers import cents, is_money, words_of

VERBS: Final[Mapping[str, str]] = {
    "declares": "irregular", "does": "perform", "chooses": "choose", "calls": "call", "takes": "take",
    "nominates": "nominate",
}  # fmt: skip
PLAIN: Final = frozenset({"card", "dice", "ball", "wheel", "word"})
LISTS: Final = frozenset({"found"})
NUMBERS: Final = frozenset({"box", "hand"})
DECLARED: Final = "!"
"""Before a circumstance among the facts of a command: `facts=!on_peg`."""

Named = Iterable[tuple[str, str]]


def fact_of(words: tuple[str, ...], named: Named) -> str | dict[str, Any] | None:
    """The fact that these words tell, in the product's notation; None if they tell none."""
    if len(words) == 2 and words[0] in PLAIN:
        return words[1]
    if len(words) < 2 or words[0] not in VERBS:
        return None
    return {VERBS[words[0]]: " ".join(words[1:])} | {name: _figure(name, value) for name, value in named}


def _figure(name: str, value: str) -> Any:
    if name in LISTS:
        return value.split(",")
    if name in NUMBERS or (name == "detail" and value.isdigit()):
        return int(value)
    if name == "amount":
        return cents(value)
    return {"yes": True, "no": False}.get(value, value)


# ---------------------------------------------------------------- commands


def members(union: Any) -> tuple[type[msgspec.Struct], ...]:
    """The classes of a union."""
    if isinstance(union, type):
        return (union,)
    return tuple(kind for part in get_args(union) for kind in members(part))


def vocabulary(union: Any) -> dict[tuple[str, ...], type[msgspec.Struct]]:
    """Commands by their names in words."""
    return {tuple(words_of(kind.__name__).split()): kind for kind in members(union)}


def command_of(known: Mapping[tuple[str, ...], type[msgspec.Struct]], words: tuple[str, ...], named: Named) -> Any:
    """The command that these words ask for; `ValueError` says what is wrong with them."""
    kind = known.get(words)
    if kind is None:
        raise ValueError(f"{' '.join(words)!r} is nothing that can be asked here")
    return filled(kind, dict(named))


def filled(kind: type[msgspec.Struct], named: Mapping[str, str]) -> Any:
    """A message with these fields; money in dollars, lists with commas, parts with a point (`issued.amount=400`)."""
    hints = get_type_hints(kind)
    unknown = [name for name in named if name.partition(".")[0] not in kind.__struct_fields__]
    if unknown:
        raise ValueError(f"{words_of(kind.__name__)} has no {unknown[0]}; it has {', '.join(kind.__struct_fields__)}")
    parts: dict[str, Any] = {}
    for name, text in named.items():
        head, point, tail = name.partition(".")
        if point:
            parts.setdefault(head, {})[tail] = text
        else:
            parts[head] = _value(hints[head], text, money=is_money(kind, head))
    for head, inside in parts.items():
        if isinstance(inside, dict):
            parts[head] = _inside(hints[head], inside, money=is_money(kind, head))
    try:
        return msgspec.convert(parts, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{words_of(kind.__name__)}: {error}") from error


def _inside(hint: Any, inside: Mapping[str, str], *, money: bool) -> Any:
    if get_origin(hint) is not dict:
        return filled(next(filter(_is_message, (hint, *get_args(hint)))), inside)
    named, value = get_args(hint)
    return {named(key): _value(value, text, money=money) for key, text in inside.items()}


def _is_message(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)


def _value(hint: Any, text: str, *, money: bool) -> Any:
    """Text in the form that a field has."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if text.startswith(DECLARED) and any(get_origin(each) is dict for each in inner):
            return {VERBS["declares"]: text.removeprefix(DECLARED)}
        inner = tuple(each for each in inner if each is not type(None))
        return _value(inner[0], text, money=money)
    if origin in (tuple, list, frozenset):
        if not text:
            return ()
        kinds = [inner[0]] * 99 if Ellipsis in inner or len(inner) == 1 else list(inner)
        return tuple(_value(each, part, money=money) for each, part in zip(kinds, text.split(","), strict=False))
    if _is_message(hint):
        # A message that is written as a list: its fields in their order.
        return filled(hint, dict(zip(hint.__struct_fields__, text.split(","), strict=False)))
    if hint is bool:
        return {"yes": True, "no": False}[text]
    if hint is int:
        return cents(text) if money else int(text)
    return text
