"""A new edition is one data object: made up here at run time, it gets play, odds, adjudication and a diff.

Commission 4 %, Tie 9 to 1, five decks, and a Banker that draws on six whatever came.  No play code is touched.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.errors import BadInput
from croupier.exact.sheet import sheet
from croupier.games.baccarat.editions import EDITIONS
from croupier.games.baccarat.rules import BaccaratRules
from croupier.hearing import adjudicate, read_line
from croupier.law.editions import EDITIONS as DOCUMENTS
from croupier.law.editions import Edition
from croupier.law.elections import choice
from croupier.law.model import Law, laws_in
from croupier.money import to
from croupier.once import replace
from croupier.rulesets import known_game, ruleset
from croupier.survey.diff import difference
from croupier.table.commands import CloseTable, PostClosing
from croupier.table.desk import replay
from croupier.table.events import ClosingPosted, TableClosed, WagerSettled
from tests.helpers.desks.table import MINUTE, a_desk, asked, only, played, refused, with_players


def made_up() -> BaccaratRules:
    base = EDITIONS["nz1998"]["full"]
    draws_on_six = Law(frozenset(range(10)), ("MADE-9.4.T2.6",))
    after = tuple(draws_on_six if count == 6 else law for count, law in enumerate(base.banker_after))
    bets = dict(base.bets)
    bets["banker"] = replace(bets["banker"], pays=Law(to(1).less(4), ("MADE-5.7b",)))
    bets["tie"] = replace(bets["tie"], pays=Law(to(9), ("MADE-5.7c",)))
    return replace(
        base,
        decks=Law(choice(5), ("MADE-3.4a",)),
        banker_after=after,
        banker_alone=Law(base.banker_alone.value | {6}, ("MADE-9.5",)),
        bets=bets,
    )


def document() -> Edition:
    """The record of the document, with every part of its law."""
    base = DOCUMENTS["nz1998"]
    general = replace(base.general, closing_minutes=Law(15, ("MADE-6.1",)))
    versions = {("baccarat", "full"): "5"}
    return replace(base, key="made", prefix="MADE", title="Made up", general=general, divisions=versions)


@pytest.fixture
def edition(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(EDITIONS, "made", {"full": made_up()})
    monkeypatch.setitem(DOCUMENTS, "made", document())
    return "made"


def test_it_is_a_ruleset_with_its_own_hash(edition: str) -> None:
    made = ruleset(edition)
    assert made.elections["decks"] == 5
    assert made.hash != ruleset("nz1998").hash
    assert made.hash == ruleset(edition).hash


def test_its_rounds_are_adjudicated_by_its_own_numbers(edition: str) -> None:
    banker = adjudicate(read_line(f"{edition} banker 100, tie 10: 7h 2d Kc 4s 2h"))
    assert [(money.result, money.pays_cents, money.rule) for _, money in banker.lines] == [
        ("won", 9600, "MADE-5.7b"),
        ("lost", 0, "NZ1998-5.1c.ii"),
    ]
    due = banker.rounds[-1]["steps"]
    assert isinstance(due, list)
    assert due[-1]["due"] == "deal banker"
    assert due[-1]["rule"] == "MADE-9.5", "the Banker draws on six though the Player stood on seven"


def test_its_odds_come_from_its_own_tables(edition: str) -> None:
    made = sheet(known_game("baccarat"), ruleset(edition))
    usual = sheet(known_game("baccarat"), ruleset("nz1998"))
    worth = {line.wager: line for line in made.lines}
    assert worth["banker"].edge != next(line for line in usual.lines if line.wager == "banker").edge
    tie = worth["tie"]
    assert tie.edge == 1 - 10 * tie.win
    assert worth["player"].win + worth["banker"].win + tie.win == Fraction(1)


def test_a_diff_names_what_changed(edition: str) -> None:
    made, base = dict(laws_in(ruleset(edition).rules)), dict(laws_in(ruleset("nz1998").rules))
    changed = {path for path in made if made[path] != base.get(path)}
    assert changed == {"decks", "banker_after.6", "banker_alone", "bets.banker.pays", "bets.tie.pays"}


def test_the_difference_is_told_at_its_door(edition: str) -> None:
    (compared,) = difference("nz1998", edition, "baccarat").comparisons
    assert {change.path for change in compared.changes} == {
        *("decks", "banker_after.6", "banker_alone", "bets.banker.pays", "bets.tie.pays"),
    }


def test_a_live_table_is_opened_and_a_round_played_paid_and_replayed(edition: str) -> None:
    desk = with_players(a_desk(edition), "ann")
    desk.bet("ann", "banker", 10_000)
    events = played(desk, "7h", "2d", "Kc", "4s", "2h")
    paid = only(events, WagerSettled)
    assert (paid.result, paid.pays, paid.rule) == ("won", 9600, "MADE-5.7b")
    assert "96" in desk.explain(1)
    assert desk.state.general.closing_minutes.rule == "MADE-6.1"
    again = replay(desk.state.game, desk.state.ruleset, desk.written())
    assert again.balances == desk.state.balances


def test_its_general_rules_are_kept_at_the_table(edition: str) -> None:
    desk = with_players(a_desk(edition), "ann")
    for minutes, closes in ((14, False), (15, True)):
        posted = only(asked(desk, PostClosing(minutes * MINUTE), role="casino supervisor", at=0), ClosingPosted)
        assert posted.rule == "MADE-6.1"
        if not closes:
            assert refused(desk, CloseTable(), role="casino supervisor", at=minutes * MINUTE).rule == "MADE-6.1"
    only(asked(desk, CloseTable(), role="casino supervisor", at=15 * MINUTE), TableClosed)


def test_a_game_whose_document_has_no_record_is_unknown_and_nothing_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EDITIONS, "half", {"full": made_up()})
    with pytest.raises(BadInput, match="unknown edition 'half'"):
        ruleset("half")
