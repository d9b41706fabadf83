"""A table of Electronic Baccarat with terminals to test with."""

from __future__ import annotations

from typing import Any

from croupier.game import Refusal
from croupier.law.officials import NOTE_ACCEPTOR
from croupier.money import Cents
from croupier.table import commands as c
from croupier.table.desk import LiveTable, replay
from croupier.table.events import Events
from croupier.table.state import snapshot
from croupier.table.terminals import commands as t
from croupier.table.terminals import screens
from croupier.table.terminals.slips import Slip, unconfirmed
from tests.helpers.desks.table import a_desk, asked, until_chance, until_paid

EB = "NZEB-"
SUPERVISOR = "game supervisor"
SEVEN, EIGHT = "Terminal 7", "Terminal 8"


def pairing(number: int = 7, **choices: Any) -> t.PairTerminal:
    """A terminal from 10 to 500 dollars in steps of 5."""
    usual: dict[str, Any] = {"minimum": 1000, "maximum": 50_000, "increment": 500, "approval": "TA-1"}
    return t.PairTerminal(number, **{**usual, **choices})


def approved(version: str = "terminals", **choices: Any) -> LiveTable:
    """An open table with an approved game system and no terminals."""
    desk = a_desk("nzeb", version=version, **choices)
    asked(desk, t.ApproveSystem("1.0", "TA-0"), role=SUPERVISOR)
    return desk


def with_terminals(*numbers: int, version: str = "terminals", chips: Cents = 50_000, **choices: Any) -> LiveTable:
    """A table with these terminals, all active."""
    desk = approved(version)
    for number in numbers or (7, 8):
        asked(desk, pairing(number, **choices), role=SUPERVISOR)
        if chips:
            asked(desk, t.CreditTerminal(f"Terminal {number}", chips))
    return desk


def touch(desk: LiveTable, terminal: str, on: str, amount: Cents) -> Events:
    return asked(desk, c.PlaceWager(terminal, on, amount), role="player", by=terminal)


def noted(desk: LiveTable, terminal: str, *notes: Cents) -> Events:
    return asked(desk, t.InsertNotes(terminal, notes), role=NOTE_ACCEPTOR, by=terminal)


def slip(desk: LiveTable, terminal: str) -> Slip:
    found = screens.slip(desk.state, terminal)
    assert not isinstance(found, Refusal), found
    return found


def shown(desk: LiveTable, terminal: str) -> screens.Display:
    found = screens.display(desk.state, terminal)
    assert not isinstance(found, Refusal), found
    return found


def confirmed(desk: LiveTable) -> None:
    """Every terminal that owes it confirms its slip."""
    for name in unconfirmed(desk.state):
        asked(desk, t.ConfirmSlip(name, slip(desk, name).digest), role="player", by=name)


def closed(desk: LiveTable) -> LiveTable:
    """Betting is closed, and the first card is due."""
    until_chance(desk)
    return desk


def coup(desk: LiveTable, *cards: str) -> Events:
    """A whole round on these cards, with every slip confirmed."""
    before = len(desk.journal)
    closed(desk)
    confirmed(desk)
    for card in cards:
        closed(desk)
        desk.tell(card)
    until_paid(desk)
    return tuple(entry.event for entry in desk.journal[before:])


def same_after_replay(desk: LiveTable) -> None:
    """The journal, written down and read back, leads to the same table."""
    again = replay(desk.state.game, desk.state.ruleset, desk.written())
    assert snapshot(again) == snapshot(desk.state)
    assert sum(desk.state.balances.values()) == 0
