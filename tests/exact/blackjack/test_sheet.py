"""The rows of blackjack on an odds sheet: their names, numbers and public form, and what is left out and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from croupier.equipment import full_shoe
from croupier.exact.blackjack import BlackjackRow, NotPriced, blackjack_sheet, dealer_totals, left_out, public, solve
from croupier.exact.blackjack.paper import sheet
from croupier.exact.blackjack.paper.rows import completed, decimal
from croupier.exact.blackjack.paper.sheet import insurance_row, main_rows
from croupier.exact.blackjack.shares import Share
from croupier.law.elections import elect
from croupier.law.model import Law
from tests.helpers.blackjack_shoes import READINGS, SIXES, ranks, rules_of, solved


@lru_cache(maxsize=1)
def eight_deck_rows() -> tuple[BlackjackRow, ...]:
    return tuple(blackjack_sheet(rules_of(), full_shoe(8)))


def test_sheet_names_its_rows_and_methods() -> None:
    rows = eight_deck_rows()
    assert [(row.worth.wager, row.policy, row.method, row.shares) for row in rows] == [
        ("main", "main", "float", "float"),
        ("main", "main:chart", "float", "float"),
        ("insurance", "", "exact", "exact"),
        ("super_sevens", "super_sevens:draw", "exact", "exact"),
        ("super_sevens", "super_sevens:split", "exact", "exact"),
        ("super_sevens", "super_sevens:chart", "exact", "exact"),
    ]
    assert left_out(rules_of(), full_shoe(8)) == ()
    for row in rows:
        brought = sum((pay.net * pay.probability for pay in row.worth.pays), Fraction(0))
        assert float(brought) == pytest.approx(-float(row.worth.edge), abs=2e-12)
    assert "search" in rows[1].note
    assert 1.1 < float(rows[0].worth.variance) ** 0.5 < 1.2


def test_public_form_of_a_row_in_doubles() -> None:
    """The chances are decimal fractions that add up to one; the notes say what was searched."""
    best, chart = (public(row) for row in eight_deck_rows()[:2])
    assert list(best) == [*COMMON, "note"]
    assert (best["wager"], best["policy"], best["method"]) == ("main", "main", "float")
    assert (chart["wager"], chart["policy"], chart["method"]) == ("main", "main:chart", "float")
    assert "optimum exact" in str(best["note"])
    assert "found by search" in str(chart["note"])
    for row in (best, chart):
        chances = [Fraction(str(row[name])) for name in ("win", "lose", "standoff", "void")]
        pays: Any = row["pays"]
        assert sum(chances) == sum(Fraction(pay["probability"]) for pay in pays) == 1
        assert all(10**18 % Fraction(pay["probability"]).denominator == 0 for pay in pays)
        assert all(set(pay) == {"result", "odds", "probability", "rule"} for pay in pays)
        assert row["edge_percent"] == float(Fraction(str(row["edge"])) * 100)
    assert f"{float(Fraction(str(best['edge']))):.15f}" == "0.005377555712117"
    assert best["offered"] == "1/1"


COMMON = (
    *("wager", "win", "lose", "standoff", "void", "edge", "edge_percent", "sd"),
    *("pays", "offered", "policy", "method", "rules"),
)


def test_public_form_of_exact_rows() -> None:
    insurance, draw = (public(row) for row in eight_deck_rows()[2:4])
    assert list(insurance) == list(draw) == list(COMMON)
    assert (insurance["policy"], insurance["method"], insurance["offered"]) == (None, "exact", "1/13")
    assert (insurance["win"], insurance["lose"]) == ("128/415", "287/415")
    assert insurance["edge"] == "31/415"
    assert (draw["policy"], draw["method"]) == ("super_sevens:draw", "exact")


def test_public_form_says_when_only_the_edge_is_exact() -> None:
    row = replace(eight_deck_rows()[0], method="exact")
    assert (public(row)["method"], public(row)["shares"]) == ("exact", "float")


def test_chances_are_completed_at_the_likeliest_result() -> None:
    """What rounding leaves goes to the likeliest result; a chance that is rounding itself goes."""
    chances = (0.25 + 1e-14, -1e-17, 0.0, 0.75 - 3e-14)
    listed = tuple(Share(Fraction(net), "", "", "", chance) for net, chance in enumerate(chances))
    done = completed(listed)
    assert [share.net for share in done] == [0, 3]
    assert done[0].chance == decimal(0.25 + 1e-14)
    assert done[0].chance + done[1].chance == 1


def test_exact_sheet_of_a_small_shoe_is_exact_throughout(monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without being asked for; doubles agree."""
    for reading in READINGS:
        rows = main_rows(solved(reading, SIXES), exact=True)
        with monkeypatch.context() as patch:
            patch.setattr(sheet, "QUICK", 0)
            doubles = main_rows(solved(reading, SIXES))
        assert main_rows(solved(reading, SIXES)) == rows
        assert [(row.method, row.shares) for row in doubles] == [("float", "float")] * 2
        assert [(row.method, row.shares) for row in rows] == [("exact", "exact")] * 2
        for row, other in zip(rows, doubles, strict=True):
            assert row.worth.win + row.worth.lose + row.worth.standoff == 1
            assert row.worth.edge == -sum(pay.net * pay.probability for pay in row.worth.pays)
            assert float(other.worth.edge) == pytest.approx(float(row.worth.edge), abs=1e-15)
            assert ("search" in row.note) == (row.policy == "main:chart" or reading == "busted_plus_one")


def test_9_insurance_knows_only_the_ace() -> None:
    insurance = insurance_row(rules_of(), SIXES).worth
    assert insurance.offered == Fraction(1, 15)
    assert (insurance.win, insurance.lose) == (Fraction(6, 14), Fraction(8, 14))
    assert insurance.edge == -(Fraction(6, 14) * 2 - Fraction(8, 14))
    assert insurance.rules == ("NZ1996-II-9.5", "NZ1996-II-9.6")


def test_9_no_insurance_without_an_ace_and_no_sevens_without_suits() -> None:
    shoe = ranks(c6=6, c8=6, t=8)
    assert [row.worth.wager for row in blackjack_sheet(rules_of(), shoe)] == ["main", "main"]
    assert left_out(rules_of(), shoe) == (
        ("insurance", "never offered from this shoe (NZ1996-II-9.1)"),
        ("super_sevens", "needs the suits: give --cards"),
    )


def test_14_1_super_sevens_that_is_not_offered_is_not_left_out() -> None:
    rules = elect(rules_of(), {"super_sevens": False})
    assert left_out(rules, full_shoe(8)[:13]) == ()


def test_3_1_super_sevens_that_is_elected_with_too_few_packs_says_why_it_is_left_out() -> None:
    reason = "Super Sevens is not offered with 4 decks (NZ1996-II-3.1)"
    assert left_out(elect(rules_of(), {"decks": 4}), full_shoe(4)) == (("super_sevens", reason),)
    assert left_out(elect(rules_of(), {"decks": 4, "super_sevens": False}), full_shoe(4)) == ()


# ---------------------------------------------------------------- what is not priced

UNPRICED: list[tuple[str, dict[str, Any]]] = [
    ("pairs told apart by rank", {"split": {"alike": "rank"}}),
    ("more than three hands", {"split": {"hands": 4}}),
    ("more cards to split aces", {"split": {"ace_cards": 2}}),
    ("blackjacks after a split", {"split": {"blackjack": True}}),
    ("more than one card to a double", {"double": {"cards": 2}}),
    ("a second card of the dealer that may not come", {"second_card": "if needed"}),
]


@pytest.mark.parametrize(("reason", "changes"), UNPRICED, ids=[reason for reason, _ in UNPRICED])
def test_rules_that_the_tables_cannot_hold_are_refused(reason: str, changes: dict[str, Any]) -> None:
    rules: Any = rules_of()
    for name, change in changes.items():
        part = getattr(rules, name)
        if isinstance(change, dict):
            laws = {key: Law(value, getattr(part, key).rules) for key, value in change.items()}
            rules = replace(rules, **{name: replace(part, **laws)})
        else:
            rules = replace(rules, **{name: Law(change, part.rules)})
    with pytest.raises(NotPriced, match=reason):
        solve(rules, full_shoe(4))


def test_two_hands_at_most_are_priced_and_worth_less() -> None:
    rules = rules_of()
    fewer = replace(rules, split=replace(rules.split, hands=Law(2, rules.split.hands.rules)))
    assert solve(fewer, SIXES).main_worth < solve(rules, SIXES).main_worth


OUTLASTED = (
    "a round may need 15 cards and the shoe holds 14: .*NZ1996-II-15.10.* from 58 cards up every shoe of 8 decks is$"
)


def test_15_10_a_shoe_that_may_run_out_is_refused() -> None:
    """Eight sixes, two eights and tens: the longest round that the bound allows takes fifteen cards."""
    with pytest.raises(NotPriced, match=OUTLASTED):
        solve(rules_of(), ranks(c6=8, c8=2, t=4))
    solve(rules_of(), ranks(c6=8, c8=2, t=5))
    solve(rules_of(), ranks(c6=8, c8=2, t=6))


def test_15_10_a_sheet_of_one_suit_has_every_row() -> None:
    """Rounds of thirteen cards may run out, if hands are played badly; by both plays none does."""
    shoe = (1,) * 13 + (0,) * 39
    rows = blackjack_sheet(rules_of(), shoe)
    plays = ["super_sevens:draw", "super_sevens:split", "super_sevens:chart"]
    assert [row.policy for row in rows] == ["main", "main:chart", "main", *plays]
    assert left_out(rules_of(), shoe) == ()
    assert {row.method for row in rows} == {"exact"}
    assert all(row.worth.void == 0 for row in rows)
    assert round(float(rows[0].worth.edge), 12) == -0.024972172889


def test_15_10_the_dealer_alone_needs_fewer_cards() -> None:
    """From sixes and tens a dealer takes three cards at most."""
    assert dealer_totals(rules_of(), ranks(c6=2, t=1))[10] == _ends(bust=Fraction(1))
    with pytest.raises(NotPriced, match="may need 3 cards and the shoe holds 2"):
        dealer_totals(rules_of(), ranks(c6=2))


def _ends(**chances: Fraction) -> dict[str, Fraction]:
    return {name: chances.get(name, Fraction(0)) for name in ("bust", "17", "18", "19", "20", "21", "blackjack")}


@pytest.mark.parametrize(
    ("shoe", "message"), [((8,) * 12, "12 counts where 13"), ((-1,) * 13, "0 or more"), ((0,) * 52, "without a single")]
)
def test_bad_counts_are_refused_in_one_line(shoe: Sequence[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        blackjack_sheet(rules_of(), shoe)
    with pytest.raises(ValueError, match=message):
        left_out(rules_of(), shoe)
