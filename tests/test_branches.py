"""Branches of the money code that no story of a house comes by: the last of what `make coverage` asks for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.house.cage.codes import in_words
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.state import evolve
from croupier.journal.accounts import due_from, seized_from
from croupier.journal.entries import BadJournal
from croupier.journal.messages import Entry, Event
from croupier.journal.names import is_table, own_name
from croupier.money import LARGEST_AMOUNT, dollars
from croupier.table import commands as c
from croupier.table.events import Flagged, WagerReopened
from croupier.table.money import paying
from croupier.table.money.reducing import within_differential
from croupier.table.money.settling import overdue
from croupier.table.state import SettledWager
from tests.helpers.desks.jackpot import Desk, R, a_link, terms
from tests.helpers.desks.table import a_desk, asked, put, refused, with_players
from tests.helpers.observe import carries

I_RULE = "NZ1996-I-8.1"


def test_a_voucher_is_never_for_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="above nothing: -1"):
        in_words(-1)


def test_accounts_have_names_of_their_own() -> None:
    assert {seized_from("ann"), due_from("ann")} == {"seized:ann", "due:ann"}


def test_a_journal_is_of_a_table_or_of_a_family_of_the_house() -> None:
    assert [is_table(name) for name in ("B-1", "@cage", "@link:Grand")] == [True, False, False]
    assert own_name("@link:Grand", "@link:") == "Grand"
    assert own_name("@link:Grand", "@tournament:") == ""


def test_a_line_tells_who_did_it_and_with_whom() -> None:
    assert Entry(1, 0, "Dot", "dealer", Event(rule="NZ1996-I-8.1")).people == "Dot"
    assert Entry(1, 0, "Dot", "dealer", Event(rule="NZ1996-I-8.1"), second="Sue").people == "Dot, with Sue"


def test_chips_of_nobody_are_not_exchanged_nor_colours_where_the_law_knows_none() -> None:
    desk = with_players(a_desk("nz1996", "roulette", minimum=500), "ann", chips=10_000)
    for command, role in (
        (c.ExchangeChips("bob", (100,), (100,)), "cashier"),
        (c.RedeemColour("bob", "blue"), "dealer"),
    ):
        assert "bob" in refused(desk, command, role=role).reason
    carries(refused(with_players(a_desk("vic2002"), "ann"), c.RedeemColour("ann", "blue")), "VIC2002-6.1")


def test_a_journal_of_a_link_that_speaks_of_what_never_was_is_none() -> None:
    link = a_link(1_000).link
    with pytest.raises(BadJournal, match="T9 is not a table"):
        evolve(link, m.HandTimed(table="T9", round=1, box=1, at_ms=1, rule=R + "11.3"))
    with pytest.raises(BadJournal, match="never played"):
        evolve(link, m.HandsCorrected(table="T1", round=7, prizes={}, rule=R + "11.3"))


def test_what_was_paid_and_is_open_again_comes_back_as_chips_or_as_a_debt() -> None:
    desk = with_players(a_desk(), "ann", chips=1_000)
    asked(desk, put("ann", "player", 1_000))
    (entry,) = desk.state.round.book
    line = SettledWager(entry.wager, "won", 2_000, I_RULE)
    assert paying._undone(replace(desk.state, settled=(line,)), desk.state.round) == (line,)
    events = paying.reopened(desk.state, (line,), I_RULE)
    assert [type(each) for each in events] == [WagerReopened, Flagged]
    moved = [(each.debit, each.credit, each.amount) for each in events[0].transfers]
    assert ("owed:ann", "bank", 2_000) in moved
    assert ("bank", "stakes:ann", 1_000) in moved


def test_a_line_that_was_settled_apart_and_has_left_the_book_stays_settled() -> None:
    desk = with_players(a_desk(), "ann", chips=1_000)
    asked(desk, put("ann", "player", 1_000))
    (entry,) = desk.state.round.book
    apart = replace(entry.wager, number=entry.wager.number + 1)
    line = SettledWager(apart, "won", 2_000, I_RULE)
    assert not paying._undone(replace(desk.state, settled=(line,)), desk.state.round)


@pytest.mark.parametrize("seed", [-1, LARGEST_AMOUNT + 1])
def test_a_seed_is_an_amount_of_money(seed: int) -> None:
    assert f"a seed of {dollars(seed)}" in Desk().refused(terms(seed=seed)).reason


def test_what_is_left_of_a_wager_is_not_below_the_minimum() -> None:
    desk = with_players(a_desk("nz1996", "craps", minimum=1_000, chip=100), "ann", chips=10_000)
    asked(desk, put("ann", "field", 3_000))
    smaller = c.Tell({"take": "field", "by": "ann", "amount": 2_500})
    carries(refused(desk, smaller, role="player", by="ann"), "NZ1996-I-14.1b")
    assert desk.state.staked("ann") == 3_000


def test_a_sign_without_a_differential_reduces_nothing_and_nothing_is_owed_where_nobody_defers() -> None:
    desk = with_players(a_desk("nz1996", "roulette", minimum=500), "ann", chips=10_000)
    asked(desk, put("ann", "red", 1_000))
    assert within_differential(desk.state, desk.state.sign) == ()
    assert overdue(desk.state) is None
