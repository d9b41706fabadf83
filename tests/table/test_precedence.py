"""Refusals come in one order: a request that offends two steps is refused for the earlier one.

The steps are those of `table/decide.py`: open, role, person, time, kind, amount, money.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from croupier.game import Refusal
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import decide
from croupier.table.desk import LiveTable
from croupier.table.events import TableClosed
from croupier.table.evolve import evolve
from croupier.table.state import Table
from croupier.table.terminals import commands as t
from tests.helpers.desks.table import (
    MINUTE,
    ROUND,
    a_desk,
    asked,
    closed_desk,
    opening,
    played,
    put,
    refused,
    until_chance,
)
from tests.helpers.desks.terminal import with_terminals

STEPS = ("open", "role", "person", "time", "kind", "amount", "money")
MANAGER = "shift manager"


def why(table: Table, what: AnyCommand, role: str) -> str:
    answer = decide(table, TableRequest(what, "ann" if role == "player" else role, role, 0))
    assert isinstance(answer, Refusal), answer
    return answer.reason


def shut(table: Table) -> Table:
    """The table closed, whatever is going on at it."""
    return evolve(table, TableClosed(rule="NZ1996-I-6.0"))


def earlier(steps: tuple[str, ...]) -> list[tuple[str, str]]:
    return list(combinations(steps, 2))


# ---------------------------------------------------------------- a wager, through all seven steps


def wagering(*offended: str) -> tuple[Table, AnyCommand, str]:
    """A wager of ann's that offends these steps, and no others."""
    desk = a_desk()
    desk.sit("ann", 1, chips=500 if "money" in offended else 5000)
    desk.sit("bob", 2, chips=5000)
    desk.bet("bob", "player", 1000)
    if "time" in offended:
        until_chance(desk)
    if "person" in offended:
        asked(desk, c.Exclude("ann", "unruly"), role="casino supervisor")
    table = shut(desk.state) if "open" in offended else desk.state
    wager = put("ann", "the rail" if "kind" in offended else "player", 900 if "amount" in offended else 1000)
    return table, wager, "cashier" if "role" in offended else "player"


WAGER: Mapping[str, str] = {
    "open": "is closed",
    "role": "place wager is for",
    "person": "ann is excluded",
    "time": "no wager after the call",
    "kind": "is not a wager here",
    "amount": "below the minimum",
    "money": "in chips, not",
}


@pytest.mark.parametrize("step", STEPS)
def test_a_wager_that_offends_one_step_is_refused_for_it(step: str) -> None:
    assert WAGER[step] in why(*wagering(step))


@pytest.mark.parametrize(("first", "second"), earlier(STEPS))
def test_a_wager_that_offends_two_steps_is_refused_for_the_earlier(first: str, second: str) -> None:
    assert WAGER[first] in why(*wagering(first, second))


def test_a_wager_that_offends_all_steps_is_refused_for_each_in_turn() -> None:
    reasons = [why(*wagering(*STEPS[index:])) for index in range(len(STEPS))]
    assert [WAGER[step] in reason for step, reason in zip(STEPS, reasons, strict=True)] == [True] * len(STEPS)


# ---------------------------------------------------------------- other requests, through the steps that they have

Offence = tuple[str, dict[str, Any]]
"""What the reason says, and what to ask differently; `role` and `at` are of the request, `shut` closes the table."""


def seated() -> LiveTable:
    desk = a_desk()
    desk.sit("ann", 1, chips=5000)
    return desk


def with_a_result() -> LiveTable:
    desk = seated()
    desk.bet("ann", "player", 1000)
    played(desk, *ROUND["player"])
    return desk


def roulette() -> LiveTable:
    desk = a_desk("nz1996", "roulette")
    desk.sit("ann", 1, chips=5000)
    return desk


def at_a_terminal() -> LiveTable:
    return with_terminals(7, name="ann", chips=0)


def at_an_active_terminal() -> LiveTable:
    desk = at_a_terminal()
    asked(desk, t.CreditTerminal("ann", 5000))
    return desk


CASES: Mapping[str, tuple[Any, type[Any], str, dict[str, Any], Mapping[str, Offence]]] = {
    "redeeming": (
        seated, c.RedeemChips, "cashier", {"player": "ann", "amount": 5000},
        {
            "role": ("redeem chips is for", {"role": "player"}),
            "person": ("zoe is not at", {"player": "zoe"}),
            "kind": ("promotional", {"promotional": True}),
            "amount": ("a cheque of", {"cheque": 6000, "amount": 5000}),
        },
    ),
    "buying": (
        seated, c.BuyChips, "dealer", {"player": "ann", "amount": 100},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("buy chips is for", {"role": "inspector"}),
            "person": ("zoe is not at", {"player": "zoe"}),
            "kind": ("no tender", {"tender": "keno chips"}),
            "amount": ("chips are of", {"amount": 50}),
        },
    ),
    "exchanging": (
        seated, c.ExchangeChips, "cashier", {"player": "ann", "given": (100,), "wanted": (100,)},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("exchange chips is for", {"role": "player"}),
            "person": ("zoe is not at", {"player": "zoe"}),
            "amount": ("of equal value", {"wanted": (200,)}),
            "money": ("ann has $50", {"given": (6000,), "wanted": (6000,)}),
        },
    ),
    "a colour": (
        roulette, c.IssueColour, "dealer", {"player": "ann", "colour": "blue", "value": 500, "chips": 1},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("issue colour is for", {"role": "player"}),
            "person": ("zoe is not at", {"player": "zoe"}),
            "kind": ("value is declared", {"value": 0}),
            "amount": ("cannot buy", {"chips": 11}),
        },
    ),
    "a personal limit": (
        seated, c.SetPersonalLimit, MANAGER, {"player": "ann", "minimum": 1, "maximum": 2},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("set personal limit is for", {"role": "dealer"}),
            "person": ("zoe is not at", {"player": "zoe"}),
            "kind": ("shown at the player's place", {"sign_shown": False}),
            "amount": ("a personal minimum", {"minimum": 3}),
        },
    ),
    "new limits": (
        seated, c.ChangeLimits, "game supervisor", {"minimum": 900, "maximum": 100_000},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("change limits is for", {"role": "dealer"}),
            "time": ("needs a sign", {"maximum": 99_000}),
            "amount": ("a minimum above zero", {"minimum": 0}),
        },
    ),
    "an invalid outcome": (
        with_a_result, c.Invalidate, MANAGER, {"round": 1, "ground": "fire"},
        {
            "role": ("invalidate is for", {"role": "dealer"}),
            "time": ("cannot be invalidated", {"round": 9}),
            "kind": ("is no ground", {"ground": "boredom"}),
        },
    ),
    "a wrong payment": (
        with_a_result, c.ReportPaid, "game supervisor", {"round": 1, "number": 0, "paid": 2100},
        {
            "role": ("report paid is for", {"role": "dealer"}),
            "time": ("no settled wager", {"round": 9}),
            "kind": ("paid in chips", {"in_chips": False}),
            "amount": ("not a wrong payment", {"paid": 2000}),
        },
    ),
    "a sanction": (
        seated, c.Sanction, MANAGER, {"player": "ann", "measure": "exclude"},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("sanction is for", {"role": "casino supervisor"}),
            "person": ("zoe is not at", {"player": "zoe"}),
            "kind": ("no such measure", {"measure": "detain"}),
        },
    ),
    "a touch": (
        at_an_active_terminal, c.PlaceWager, "player", {"player": "ann", "on": "player", "amount": 1000},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("place wager is for", {"role": "cashier"}),
            "kind": ("is not a wager here", {"on": "the rail"}),
            "money": ("$50 available", {"amount": 6000}),
        },
    ),
    "a dealer's credit": (
        at_a_terminal, t.CreditTerminal, "dealer", {"terminal": "ann", "amount": 1000},
        {
            "open": ("is closed", {"shut": True}),
            "role": ("credit terminal is for", {"role": "inspector"}),
            "person": ("zoe is no terminal", {"terminal": "zoe"}),
            "amount": ("is no tender", {"amount": 0}),
        },
    ),
    "cashing out": (
        at_a_terminal, t.CashOut, "dealer", {"terminal": "ann", "voucher": "v1"},
        {
            "role": ("cash out is for", {"role": "inspector"}),
            "person": ("zoe is no terminal", {"terminal": "zoe"}),
            "kind": ("a voucher has an id", {"voucher": ""}),
        },
    ),
    "a malfunction": (
        at_a_terminal, t.ReportMalfunction, "game supervisor", {"fault": "smoke", "terminal": "ann"},
        {
            "role": ("report malfunction is for", {"role": "dealer"}),
            "person": ("zoe is no terminal", {"terminal": "zoe"}),
            "time": ("no round that", {"rounds": (9,)}),
            "kind": ("for a reason", {"fault": ""}),
            "amount": ("credited to no terminal", {"amount": -1}),
        },
    ),
}  # fmt: skip

PAIRS = [(name, *pair) for name, case in CASES.items() for pair in earlier(tuple(case[-1]))]
SINGLES = [(name, step) for name, case in CASES.items() for step in case[-1]]


def reason_for(name: str, *offended: str) -> str:
    make, kind, role, usual, offences = CASES[name]
    changed = dict(usual)
    for step in reversed(offended):
        changed |= offences[step][1]
    closed, role = changed.pop("shut", False), changed.pop("role", role)
    table = make().state
    return why(shut(table) if closed else table, kind(**changed), role)


@pytest.mark.parametrize(("name", "step"), SINGLES)
def test_one_offence_has_its_reason(name: str, step: str) -> None:
    assert CASES[name][-1][step][0] in reason_for(name, step)


@pytest.mark.parametrize(("name", "first", "second"), PAIRS)
def test_of_two_offences_the_earlier_is_the_reason(name: str, first: str, second: str) -> None:
    assert CASES[name][-1][first][0] in reason_for(name, first, second)


def test_opening_goes_through_the_steps_too() -> None:
    desk = a_desk()
    assert "is open" in refused(desk, opening(supervisor=""), role="dealer").reason
    fresh = closed_desk()
    nothing_right = opening(supervisor="", supplies="", minimum=0)
    assert "open table is for" in refused(fresh, nothing_right, role="dealer").reason
    assert "game supervisor" in refused(fresh, nothing_right, role="game supervisor").reason
    assert "cards come from" in refused(fresh, opening(supplies="", minimum=0), role="game supervisor").reason


def test_closing_goes_through_the_steps_too() -> None:
    desk = seated()
    assert "close table is for" in refused(desk, c.CloseTable(), role="dealer", at=MINUTE).reason
    assert "closing sign" in refused(desk, c.CloseTable(), role="casino supervisor", at=MINUTE).reason
