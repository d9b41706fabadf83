"""How rounds are written down: facts and wagers as text or JSON, and back.

A fact is read in the light of what is due: `7` is a card where a card is due and a pocket where a wheel is.  Cards are
`2h 10d Kc`; a bare rank is enough where suits do not matter.  Dice are `3-4`, a wheel stops at `17` or `A`, choices are
words.  What needs more than a word is an object: `{"choose": …}`, `{"call": …}`, `{"take": …}`, `{"nominate": …}`,
`{"irregular": …}`.  Whatever cannot be read raises `BadInput` with one line that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from croupier.equipment import RANKS, Card, card_name, parse_card, parse_rank
from croupier.errors import BadInput
from croupier.game import (
    BallFell,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    DiceFell,
    Fact,
    Irregular,
    Over,
    Perform,
    Performed,
    Roll,
    Spin,
    WheelStopped,
    say,
)
from croupier.law.officials import canonical
from croupier.money import LARGEST_AMOUNT, Cents

_BARE_RANKS: Final = frozenset((*RANKS, "T"))
FACES = ("1", "2", "3", "4", "5", "6")
MOST_FACES = 6
"""As many faces of dice as are read; how many count is the game's to say."""


def read_fact(raw: object, due: Demand) -> Fact:
    """The fact that this text or object tells, given what is due."""
    if isinstance(raw, dict) or (not isinstance(raw, str) and isinstance(raw, Mapping)):
        return _read_object(raw)
    if not isinstance(raw, str):
        raise BadInput(f"a fact must be a text or an object: {raw!r:.80}")
    if not raw.strip():
        raise BadInput(f"a fact that says nothing: {raw!r:.80}")
    return _read_word(raw.strip(), due)


def _read_word(text: str, due: Demand) -> Fact:
    try:
        match due:
            case Deal():
                return CardSeen(read_card(text))
            case Roll():
                return DiceFell(_dice(text))
            case Spin():
                return BallFell(int(text)) if _is_number(text) else WheelStopped(text)
            case Choose() | Perform() | Over():
                return _read_unasked(text)
            case unreachable:
                assert_never(unreachable)
    except ValueError as error:
        # A word of one or two letters is a slip of a card; the shortest choices have three.
        if not text.replace("_", "").isalpha() or len(text) <= 2:
            raise BadInput(f"{text!r:.60} does not read as what is due ({say(due)}): {error}") from error
        return Chosen(text)


def _read_unasked(text: str) -> Fact:
    """A fact where none of its kind is due: read by its shape, so that the rules can refuse it by name."""
    if text.replace("-", "").isdigit() and "-" in text:
        return DiceFell(_dice(text))
    try:
        return CardSeen(read_card(text))
    except ValueError:
        if _is_number(text):
            return BallFell(int(text))
        return WheelStopped(text) if len(text) == 1 else Chosen(text)


def read_card(text: str) -> Card:
    """A card; a bare rank is read as that rank of spades, which is right wherever suits do not matter."""
    if without_suit(text):
        return 39 + parse_rank(text)
    return parse_card(text)


def without_suit(raw: object) -> bool:
    """Whether a card is told by its rank alone."""
    return isinstance(raw, str) and raw.strip().upper() in _BARE_RANKS


def _is_number(text: str) -> bool:
    """Whether a number is written as one writes it: the double zero of other wheels is no zero."""
    return text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")


def _dice(text: str) -> tuple[int, ...]:
    faces = text.split("-")
    if not 2 <= len(faces) <= MOST_FACES or not all(face in FACES for face in faces):
        raise ValueError(f"dice are two or more faces from 1 to 6: {text!r:.60}")
    return tuple(map(int, faces))


def _read_object(raw: Mapping[str, Any]) -> Fact:
    first = next(iter(raw), "")
    if first in _OBJECTS and isinstance(raw[first], str) and raw[first].strip() and raw.keys() <= _KEYS[first]:
        # As facts are written: the word comes first, and beside it nothing that would be read before it.
        return _OBJECTS[first][0](raw[first], raw)
    for word, (read, further) in _OBJECTS.items():
        said = raw.get(word)
        if isinstance(said, str):
            if not said.strip():
                raise BadInput(f"{word} says nothing in {dict(raw)!r:.120}")
            if unknown := raw.keys() - _KEYS[word]:
                keys = ", ".join((word, *further))
                raise BadInput(f"unknown key {min(unknown)!r} in {dict(raw)!r:.120}; known are {keys}")
            return read(said, raw)
    raise BadInput(f"a fact with none of {', '.join(_OBJECTS)}: {dict(raw)!r:.120}")


def _read_choice(option: str, raw: Mapping[str, Any]) -> Chosen:
    return Chosen(option, _text(raw, "by"), _number(raw, "box"), _number(raw, "hand"), _amount(raw))


def _read_call(call: str, raw: Mapping[str, Any]) -> Called:
    return Called(call, _text(raw, "by"), _text(raw, "on"), _amount(raw))


def _read_taking(on: str, raw: Mapping[str, Any]) -> Called:
    return Called("take", _text(raw, "by"), on, _amount(raw))


def _read_nomination(on: str, raw: Mapping[str, Any]) -> Called:
    return Called("nominate", _text(raw, "by"), on)


def _read_act(act: str, raw: Mapping[str, Any]) -> Performed:
    detail = _detail(raw) if "detail" in raw else ""
    to, under = _text(raw, "to") if "to" in raw else "", _text(raw, "under") if "under" in raw else ""
    return Performed(act, canonical(_text(raw, "by")), detail, to=to, under=under)


def _read_irregular(circumstance: str, raw: Mapping[str, Any]) -> Irregular:
    card = raw.get("card")
    found = raw.get("found", ())
    if not isinstance(found, list | tuple) or not isinstance(raw.get("disclosed", False), bool):
        raise BadInput(f"irregular {circumstance!r}: found is a list of cards, disclosed is true or false")
    return Irregular(
        circumstance,
        card=None if card is None else _card(card),
        to=_text(raw, "to"),
        disclosed=raw.get("disclosed", False),
        found=tuple(_card(item) for item in found),
        call=_text(raw, "call"),
        by=canonical(_text(raw, "by")),
    )


_OBJECTS: Final[Mapping[str, tuple[Callable[[str, Mapping[str, Any]], Fact], tuple[str, ...]]]] = {
    "irregular": (_read_irregular, ("card", "to", "disclosed", "found", "call", "by")),
    "choose": (_read_choice, ("box", "by", "hand", "amount")),
    "call": (_read_call, ("on", "by", "amount")),
    "take": (_read_taking, ("by", "amount")),
    "nominate": (_read_nomination, ("by",)),
    "perform": (_read_act, ("by", "detail", "to", "under")),
}
"""The words by which an object is known, in the order in which they are looked for: its reader, and its other keys."""
_KEYS: Final = {word: frozenset((word, *further)) for word, (_, further) in _OBJECTS.items()}


def _card(raw: object) -> Card:
    if not isinstance(raw, str):
        raise BadInput(f"not a card: {raw!r:.60}")
    try:
        return read_card(raw)
    except ValueError as error:
        raise BadInput(str(error)) from error


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key, "")
    if not isinstance(value, str):
        raise BadInput(f"{key} must be a text: {value!r:.60}")
    return value


def _detail(raw: Mapping[str, Any]) -> int | str:
    value = raw["detail"]
    if type(value) is not int and not isinstance(value, str):
        raise BadInput(f"detail must be a whole number or a text: {value!r:.60}")
    return value


def _number(raw: Mapping[str, Any], key: str) -> int:
    value = raw.get(key, 0)
    if type(value) is not int or not 0 <= value <= 99:
        raise BadInput(f"{key} must be a small whole number: {value!r:.60}")
    return value


def _amount(raw: Mapping[str, Any]) -> Cents:
    return check_cents(raw["amount"]) if "amount" in raw else 0


def check_cents(value: object) -> Cents:
    """A stake in cents: a whole number, more than zero and not absurd."""
    if type(value) is not int or not 0 < value <= LARGEST_AMOUNT:
        raise BadInput(f"an amount is a whole number of cents from 1 to {LARGEST_AMOUNT}: {value!r:.60}")
    return value


def write_fact(fact: Fact) -> str | dict[str, Any]:
    """A fact as it would be written."""
    match fact:
        case Performed():
            # A detail of nought is a number like any other: the zero under the dolly.
            plain = fact.act and fact.by
            written = {"perform": fact.act, "by": fact.by} if plain else _object(perform=fact.act, by=fact.by)
            written = written if fact.detail == "" else {**written, "detail": fact.detail}
            return {**written, **_object(to=fact.to, under=fact.under)} if fact.to or fact.under else written
        case CardSeen(card=card):
            return card_name(card)
        case DiceFell(faces=faces):
            return "-".join(map(str, faces))
        case BallFell(number=number):
            return str(number)
        case WheelStopped(symbol=symbol):
            return symbol
        case Chosen(option=option, by="", box=0, hand=0, amount_cents=0):
            return option
        case Chosen():
            return _object(choose=fact.option, by=fact.by, box=fact.box, hand=fact.hand, amount=fact.amount_cents)
        case Called(call="take" | "nominate", on=on) if on:
            return _object(**{fact.call: on}, by=fact.by, amount=fact.amount_cents)
        case Called():
            return _object(call=fact.call, by=fact.by, on=fact.on, amount=fact.amount_cents)
        case Irregular():
            return _write_irregular(fact)


def _write_irregular(fact: Irregular) -> dict[str, Any]:
    return _object(
        irregular=fact.circumstance,
        card=None if fact.card is None else card_name(fact.card),
        to=fact.to,
        disclosed=fact.disclosed,
        found=[card_name(card) for card in fact.found],
        call=fact.call,
        by=fact.by,
    )


def _object(**parts: object) -> dict[str, Any]:
    """An object without the parts that say nothing."""
    return {key: value for key, value in parts.items() if value not in (None, "", 0, False, [])}
