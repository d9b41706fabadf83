"""A round told as a story, from the journal alone: who did what, what was due, under which rule, where each cent went.

`explain` picks the lines of one round out of a journal and tells each in a sentence.  Every rule it names is summed up
at the end, so that a reader needs no other book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from croupier.journal.messages import Event, Transfer
from croupier.law.inventory import parts
from croupier.money import dollars
from croupier.table import events as e
from croupier.table.events import TableEntry
from croupier.table.terminals.events import AnyTerminalEvent, PaymentRefused, VoucherDue, WagersRefunded
from croupier.table.terminals.words import say_terminal

OLDER = "deal "
"""How a line that was written before events had the place of a card begins to say what was due."""
NAMING = (
    e.RoundEnded, e.RoundCorrected, e.RoundInvalidated, e.PaidOtherwise, VoucherDue, PaymentRefused, WagersRefunded,
)  # fmt: skip
"""The events that say which round they are about."""
MOMENTS: Final[Mapping[str, str]] = {"closes_ms": "closes", "from_ms": "from", "posted_ms": "posted"}
"""The figures of events that are points of time, in milliseconds since 1970, and what happens then."""


def lines_of(journal: Iterable[TableEntry], number: int, *, now: int = 1) -> list[TableEntry]:
    """The lines of a round: from the end of the one before to its own, and every later one that names it.

    `now` is the round in hand at the first of these lines, which is the first round in a whole journal.
    """
    found: list[TableEntry] = []
    for entry in journal:
        event = entry.event
        named = named_round(event)
        if (now if named is None else named) == number:
            found.append(entry)
        if ends_round(event, now):
            now += 1
    return found


def ends_round(event: e.AnyEvent, now: int) -> bool:
    """Whether the round in hand, `now`, is over with this event."""
    return isinstance(event, e.RoundEnded) or (isinstance(event, e.RoundInvalidated) and event.round == now)


def named_round(event: e.AnyEvent) -> int | None:
    """The round that an event says it is about; a dispute may be about none."""
    if isinstance(event, e.DisputeRaised):
        return event.round or None
    return event.round if isinstance(event, NAMING) else None


def explain(journal: Iterable[TableEntry], number: int) -> str:
    """The whole story of a round, out of a whole journal."""
    return explained(lines_of(journal, number), number)


def explained(lines: Sequence[TableEntry], number: int) -> str:
    """The story of a round that has these lines."""
    if not lines:
        return f"No round {number} in this journal."
    story: list[str] = [f"Round {number}"]
    cited: list[str] = []
    for entry in lines:
        story.append(f"{entry.number:>5}  {_who(entry)}: {say_event(entry.event)}  [{entry.event.rule}]")
        story += [f"         {_moved(move)}" for move in entry.event.transfers]
        cited += [entry.event.rule, *(move.rule for move in entry.event.transfers)]
    story += ["", "Rules"]
    story += [f"  {rule}: {_says(rule)}" for rule in dict.fromkeys(cited)]
    return "\n".join(story)


def _who(entry: TableEntry) -> str:
    return f"{entry.people} ({entry.role})" if entry.by != entry.role else entry.people


def _moved(move: Transfer) -> str:
    return f"{dollars(move.amount)} from {move.debit} to {move.credit}  [{move.rule}]"


def _says(rule: str) -> str:
    return " ".join(row.summary for row in parts(rule)) or "no summary"


def say_event(event: e.AnyEvent) -> str:
    """An event in a few words."""
    return own_words(event) or f"{type(event).__name__}: {', '.join(_figures(event))}".removesuffix(": ")


def own_words(event: e.AnyEvent) -> str:
    """The words of an event that has some of its own; nothing for one that is its name and its figures."""
    match event:
        case e.WagerPlaced():
            void = f", {dollars(event.voided)} of it void" if event.voided else ""
            return (
                f"{event.player} puts {dollars(event.stake + event.voided)} on {event.on}{void} (wager {event.number})"
            )
        case e.ShoeFixed():
            revealed = f"; the one before was {event.revealed}" if event.revealed else ""
            return f"the order of the shoe is fixed, its SHA-256 is {event.commitment}{revealed}"
        case e.PoolShown():
            return _pool(event)
        case e.JackpotClaimed():
            hands = ", ".join(f"box {box} with a {hand}" for box, hand in event.hands.items())
            return f"the pool of {event.link} is claimed: {hands}"
        case e.PlayerNumbered():
            return f"{event.player} plays {f'under the number {event.number}' if event.number else 'under no number'}"
        case e.StakeAdded():
            return f"{event.player} adds {dollars(event.stake)} for {event.on} (wager {event.number})"
        case e.WagerReduced():
            return f"wager {event.number} is now {dollars(event.stake)}; {dollars(event.returned)} goes back"
        case e.WagerWithdrawn():
            return f"wager {event.number} is taken back"
        case e.Happened():
            return f"{_fact(event.fact)} (due: {event.due})"
        case e.Announced():
            return f'"{event.text}"'
        case e.Ruled():
            call = f', called "{event.call}"' if event.call else ""
            return f"{event.circumstance.replace('_', ' ')}: {event.remedy}, ordered by the {event.official}{call}"
        case e.RulingOverruled():
            return f"ruling {event.ruling} is overruled: {event.call}"
        case e.FactTakenBack():
            return f"{_fact(event.fact)} is taken back: {event.reason}"
        case e.WagerSettled():
            return (
                f"wager {event.number} of {event.player} on {event.on}: {event.result}, "
                f"pays {dollars(event.pays)}, {dollars(event.returned)} returned"
            )
        case e.WagerReopened():
            return f"wager {event.number} of {event.player} on {event.on} is open again"
        case e.RoundEnded():
            figures = ", ".join(f"{key} {value}" for key, value in event.outcome.items() if value not in (None, ""))
            return f"the round is over: {figures}"
        case e.RoundCorrected():
            net = ", ".join(f"{player} {dollars(cents)}" for player, cents in sorted(event.differences.items()))
            return f"round {event.round} corrected ({event.reason}): {net or 'no difference'}"
        case e.RoundInvalidated():
            return f"round {event.round} is invalid: {event.ground}"
        case _ if isinstance(event, AnyTerminalEvent):
            return say_terminal(event)
        case _:
            return ""


def dealt_to(event: e.Happened) -> str:
    """The place to which the card went that came with this; nothing if none did."""
    older = isinstance(event.fact, str) and event.due.startswith(OLDER)
    return event.to or (event.due.removeprefix(OLDER) if older else "")


def figures_of(event: e.AnyEvent) -> Iterator[tuple[str, str | int | bool, bool, str]]:
    """What an event says by itself, beside its rule and its transfers: each with its name, and whether it is cents.

    Last, of a point of time, what happened or happens then; nothing of any other figure.
    """
    cents = money_fields(type(event))
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if value and name not in ("rule", "transfers") and isinstance(value, str | int):
            yield name, value, name in cents, MOMENTS.get(name, "")


def _pool(event: e.PoolShown) -> str:
    if not event.link:
        return f"the jackpot of the table is {dollars(event.pool)}"
    shown = f"the pool of {event.link} is {dollars(event.pool)}"
    prizes = ", ".join(f"box {box} gets {dollars(cents)}" for box, cents in event.prizes.items())
    return f"{shown}{f'; on it {prizes}' if prizes else ''}{'; no wager is taken' if event.shut else ''}"


def _figures(event: e.AnyEvent) -> Iterator[str]:
    """All that an event says beside its rule and its transfers; what it calls cents is told as money."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if value and name not in ("rule", "transfers"):
            yield f"{name} {_money(value) if name in money_fields(type(event)) else value}"


@lru_cache
def money_fields(kind: type[Event]) -> frozenset[str]:
    """The fields of an event that are amounts, by themselves or within."""
    written = {name: text for base in kind.__mro__ for name, text in vars(base).get("__annotations__", {}).items()}
    return frozenset(name for name, text in written.items() if "Cents" in text)


def _money(value: object) -> str:
    """Cents as money, within whatever holds them."""
    match value:
        case int():
            return dollars(value)
        case dict():
            return ", ".join(f"{key} {_money(item)}" for key, item in value.items())
        case tuple() | list():
            return " and ".join(_money(item) for item in value)
        case _:
            return str(value)


def _fact(fact: object) -> str:
    if not isinstance(fact, dict):
        return str(fact)
    return ", ".join(f"{key} {value}" for key, value in fact.items())
