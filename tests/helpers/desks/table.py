"""A table to test with: opened with a usual sign, asked in any role, and played through its ceremony."""

from __future__ import annotations

from typing import Any, TypeVar

from croupier.game import Choose, Deal, Refusal, Roll, Spin
from croupier.journal.messages import Transfer
from croupier.money import Cents
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import decide
from croupier.table.desk import LiveTable
from croupier.table.events import AnyEvent, Events

MINUTE = 60_000
RICH: Cents = 1_000_000
PATIENCE = 200

E = TypeVar("E", bound=AnyEvent)

ROUND: dict[str, tuple[str, ...]] = {
    "player": ("9h", "Kd", "Kc", "7s"),
    "banker": ("Kh", "9d", "Kc", "Ks"),
    "tie": ("9h", "9d", "Kc", "Ks"),
}
"""Coups that end with four cards, by who wins them."""


def closed_desk(edition: str = "nz1998", game: str = "baccarat", version: str = "", **elections: object) -> LiveTable:
    """A table that was never opened."""
    return LiveTable(known_game(game), ruleset(edition, game=game, version=version, elections=elections))


def opening(**choices: Any) -> c.OpenTable:
    """A usual sign: 10 to 1,000 dollars in chips of a dollar."""
    usual = {"minimum": 1000, "maximum": 100_000, "chip": 100, "supervisor": "the game supervisor"}
    return c.OpenTable(**{**usual, "signs": ("Crown Baccarat", "modified odds", "private"), **choices})


def opened(desk: LiveTable, **choices: Any) -> LiveTable:
    asked(desk, opening(**choices), role="game supervisor")
    return desk


def a_desk(edition: str = "nz1998", game: str = "baccarat", version: str = "", **choices: Any) -> LiveTable:
    """An open table without players."""
    return opened(closed_desk(edition, game, version), **choices)


def with_players(desk: LiveTable, *names: str, chips: Cents = RICH) -> LiveTable:
    """Players seated from number 1 on."""
    for seat, name in enumerate(names, 1):
        desk.sit(name, seat, chips=chips)
    return desk


# ---------------------------------------------------------------- asking


def asked(desk: LiveTable, what: AnyCommand, *, role: str = "dealer", by: str = "", at: int | None = None) -> Events:
    """What happened when this was asked."""
    if at is not None:
        desk.now_ms = at
    return desk.ask(what, role=role, by=by)


def refused(desk: LiveTable, what: AnyCommand, *, role: str = "dealer", by: str = "", at: int | None = None) -> Refusal:
    """Why this is not done; the table stays as it is."""
    moment = desk.now_ms if at is None else at
    answer = decide(desk.state, TableRequest(what, by or role, role, moment))
    assert isinstance(answer, Refusal), answer
    return answer


def only(events: Events, kind: type[E]) -> E:
    """The one event of a kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, events
    return found[0]


def moved(event: AnyEvent, debit: str, credit: str) -> Transfer:
    """The one transfer of an event between two accounts."""
    found = [each for each in event.transfers if (each.debit, each.credit) == (debit, credit)]
    assert len(found) == 1, event.transfers
    return found[0]


def put(player: str, on: str, amount: Cents, **more: Any) -> c.PlaceWager:
    return c.PlaceWager(player, on, amount, **more)


# ---------------------------------------------------------------- playing


def _usual(desk: LiveTable) -> None:
    """What is due is done as usual; whoever may decline does, but somebody must throw the dice."""
    due = desk.state.due
    if isinstance(due, Choose):
        usual = (option for option in due.options if option == "accept_dice" or option.startswith("decline"))
        desk.tell({"choose": next(usual, due.options[-1]), "by": due.by})
        return
    lines = len(desk.journal)
    desk.ceremony()
    assert len(desk.journal) > lines, f"nothing is done about {desk.due}"


def until_chance(desk: LiveTable) -> None:
    """All that staff and players do before the next card, roll or spin."""
    number = desk.state.number
    for _ in range(PATIENCE):
        if isinstance(desk.state.due, Deal | Roll | Spin) or desk.state.number != number:
            return
        _usual(desk)
    raise AssertionError(f"no chance comes: {desk.due}")


def until_paid(desk: LiveTable) -> None:
    """All that is done after the last card, until the round is over."""
    number = desk.state.number
    for _ in range(PATIENCE):
        if desk.state.number != number:
            return
        _usual(desk)
    raise AssertionError(f"the round does not end: {desk.due}")


def played(desk: LiveTable, *facts: str) -> Events:
    """A whole round on these facts; all that happened in it."""
    before = len(desk.journal)
    for fact in facts:
        until_chance(desk)
        desk.tell(fact)
    until_paid(desk)
    return tuple(entry.event for entry in desk.journal[before:])
