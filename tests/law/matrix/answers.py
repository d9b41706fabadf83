"""What the product answers, in one form for all doors, and whether it is what a case says must be seen.

An answer is made from the product's own values: an event of a journal, a refusal, a settlement, what is due, part of a
page.  Its kind is the name of that value in words (`wager settled`, `refused`, `due`), its fields are text as a person
writes it: money in dollars, yes and no, lists with commas.  `MAIN` names the field that a case may give as a bare word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tests.law.matrix.language import Seen

MAIN: Final[Mapping[str, str]] = {
    "due": "what", "asks": "what", "refused": "reason", "ruled": "remedy", "has": "amount", "staked": "amount",
    "owes": "amount", "holds": "amount", "won": "pays", "lost": "pays", "standoff": "pays", "void": "returned",
    "open": "amount", "announced": "text", "happened": "fact", "moved": "amount", "edge": "edge", "flagged": "about",
    "pays": "odds", "unreadable": "reason", "governs": "edition",
}  # fmt: skip
ABOUT: Final = frozenset({"has", "staked", "owes", "holds", "is shown"})
"""Answers about somebody, who is named before the kind: `ann has 595`."""


SILENT: Final = frozenset({"who", "result", "rule", "number", "box", "hand", "area", "edition", "summary", "kind"})
WHOLE: Final = frozenset({"law", "law.hash", "law.text"})
"""The whole law of a table with its hash: whoever saw that would see a change of any value, and its effect nowhere."""
NOTHING: Final = ("", "no", "0")
PLENTY: Final = 40


@dataclass(frozen=True, slots=True)
class Answer:
    """One thing that the product answered."""

    kind: str
    fields: Mapping[str, str]
    rule: str = ""

    def __str__(self) -> str:
        """The answer for a person to read: without what says nothing, and without a page's figures of no rule."""
        who, main = self.fields.get("who", ""), MAIN.get(self.kind, "")
        plenty = len(self.fields) > PLENTY
        silent = (main, *SILENT, *WHOLE, *(("role",) if self.fields.get("role") == self.fields.get("by") else ()))
        shown = [
            f'{name}="{value}"' if " " in value else f"{name}={value}"
            for name, value in self.fields.items()
            if name not in silent and value not in NOTHING and not name.startswith("fact.") and not plenty
        ]
        words = (who, self.kind, self.fields.get(main, ""), *shown, f"[{self.rule}]" if self.rule else "")
        return " ".join(filter(None, words))


def words_of(name: str) -> str:
    """`WagerPlaced` in words."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def plain(value: object, *, money: bool = False) -> str:
    """A value as a person writes it."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() if money:
            return dollars(value)
        case str():
            return value
        case Mapping():
            return " ".join(f"{key}:{plain(each, money=money)}" for key, each in value.items())
        case list() | tuple() | set() | frozenset():
            listed = sorted(map(str, value)) if isinstance(value, set | frozenset) else value
            return ",".join(plain(each, money=money) for each in listed)
        case _:
            return str(value)


def dollars(cents: int) -> str:
    """Dollars without cents where there are none."""
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}{cents // 100}" + (f".{cents % 100:02}" if cents % 100 else "")


def cents(text: str) -> int:
    """Dollars in cents."""
    found = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]{2}))?", text)
    if found is None:
        raise ValueError(f"not an amount in dollars: {text!r}")
    whole = int(found[2]) * 100 + int(found[3] or 0)
    return -whole if found[1] else whole


def is_money(kind: type[msgspec.Struct], name: str) -> bool:
    """Whether a field of a message is money, as its page says."""
    written = next((vars(each).get("__annotations__", {}).get(name) for each in kind.__mro__
                    if name in vars(each).get("__annotations__", {})), "")  # fmt: skip
    return "Cents" in str(written)


def of_event(event: msgspec.Struct, **more: str) -> list[Answer]:
    """An event as an answer, and each transfer of money it made."""
    kind = type(event)
    fields: dict[str, str] = dict(more)
    for name in event.__struct_fields__:
        if name not in ("rule", "transfers"):
            fields |= _field(name, getattr(event, name), money=is_money(kind, name))
    moves = [
        Answer("moved", {"debit": each.debit, "credit": each.credit, "amount": dollars(each.amount)}, each.rule)
        for each in getattr(event, "transfers", ())
    ]
    return [Answer(words_of(kind.__name__), fields, str(getattr(event, "rule", ""))), *moves]


def _field(name: str, value: Any, *, money: bool) -> dict[str, str]:
    if name == "fact" and isinstance(value, Mapping):
        # A fact is named by what was done, declared or chosen; its other parts are fields of their own.
        return {"fact": plain(next(iter(value.values())))} | {f"fact.{key}": plain(each) for key, each in value.items()}
    if isinstance(value, Mapping) and not money:
        return {f"{name}.{key}": plain(each) for key, each in value.items()} | {name: plain(value)}
    return {name: plain(value, money=money)}


def found(seen: Seen, answers: Sequence[Answer]) -> Answer | None:
    """The answer that is what must be seen."""
    return next((answer for answer in answers if _is(seen, answer)), None)


def _is(seen: Seen, answer: Answer) -> bool:
    words, wanted = list(seen.words), dict(seen.named)
    if answer.kind in ABOUT:
        who = answer.fields["who"].split()
        if words[: len(who)] != who:
            return False
        words = words[len(who) :]
    kind = answer.kind.split()
    if words[: len(kind)] != kind:
        return False
    main = " ".join(words[len(kind) :])
    if main:
        wanted[MAIN.get(answer.kind, "")] = main
    if seen.rule and seen.rule != answer.rule:
        return False
    return all(answer.fields.get(name) == value for name, value in wanted.items())


def near(seen: Seen, answers: Iterable[Answer]) -> str:
    """What was answered instead: the same kind if there is any."""
    listed = list(answers)
    alike = [answer for answer in listed if any(word in answer.kind.split() for word in seen.words)]
    alike += [answer for answer in listed if answer.kind == "refused" and answer not in alike]
    return "; ".join(map(str, (alike or listed)[:6])) or "nothing"
