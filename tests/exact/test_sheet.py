"""The odds sheet of all seven games: one kind of row, the public form, and figures that others have published."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import croupier
from croupier.equipment import full_shoe
from croupier.exact.engines import OddsAsked
from croupier.exact.par.charts import charts
from croupier.exact.sheet import Sheet, as_json, line_json, sheet
from croupier.exact.taken import Taken
from croupier.exact.ways import Worth, worth_of
from croupier.game import Lost, StandOff, Void, Won
from croupier.games import GAMES
from croupier.money import to
from croupier.rulesets import known_game, ruleset
from tests.helpers import places

GOLDEN = places.GOLDEN / "thrown.edges"
FIELDS = {
    *("wager", "win", "lose", "standoff", "void", "edge", "edge_percent", "sd", "pays"),
    *("offered", "policy", "method", "rules"),
}
FEW = tuple(int(card % 13 >= 6) for card in range(52))
THROWN = ("roulette", "tai_sai", "money_wheel", "craps")


@cache
def made(game: str, **elections: object) -> Sheet:
    return croupier.odds(croupier.ruleset("nz1996", game=game, elections=elections))


def percent(game: str, wager: str, **elections: object) -> float:
    (line,) = made(game, **elections).of(wager)
    return round(float(line.edge * 100), 2)


# ---------------------------------------------------------------- one kind of row


@pytest.mark.parametrize("game", GAMES)
def test_every_wager_of_every_game_has_a_row_in_the_public_form(game: str) -> None:
    answer: Any = as_json(made(game))
    names = {row["wager"] for row in answer["wagers"]}
    kinds = {name.partition(":")[0] for name in names}
    for name in known_game(game).wagers(made(game).ruleset.rules):
        assert name in names or name.partition(":")[0] in kinds
    assert answer["left_out"] == []
    for row in answer["wagers"]:
        assert set(row) >= FIELDS | {"throws", "per_throw_edge"}
        assert sum(Fraction(row[part]) for part in ("win", "lose", "standoff", "void")) == 1
        assert sum(Fraction(pay["probability"]) for pay in row["pays"]) == 1
        assert row["method"] in ("exact", "float")


def test_rows_that_depend_on_play_name_their_policy() -> None:
    policies = {(line.wager, line.policy) for line in made("blackjack").lines}
    assert policies == {
        ("main", "main"),
        ("main", "main:chart"),
        ("insurance", ""),
        *(("super_sevens", f"super_sevens:{play}") for play in ("draw", "split", "chart")),
    }
    assert [line.policy for line in made("caribbean_stud").lines] == ["optimum", "optimum"]


@pytest.mark.parametrize(
    ("how", "net"),
    [
        (Won(to(5), "R-1"), Fraction(5)),
        (Won(to(5), "R-1", stake_back=False), Fraction(4)),
        (Won(to(5), "R-1", part=Fraction(1, 4)), Fraction(1, 2)),
        (Won(to(5), "R-1", part=Fraction(1, 4), stake_back=False), Fraction(1, 4)),
        (Lost("R-2"), Fraction(-1)),
        (StandOff("R-3"), Fraction(0)),
    ],
)
def test_a_stake_that_is_kept_does_not_come_back(how: Won | Lost | StandOff, net: Fraction) -> None:
    """The part that won brings its odds, and its stake unless that is kept; a fee is lost in any case."""
    assert worth_of("any", {how: Fraction(1)}, offered=Fraction(1)).pays[0].net == net
    fee = Fraction(1, 20)
    assert worth_of("any", {how: Fraction(1)}, offered=Fraction(1), fee=fee).pays[0].net == net - fee


def test_a_void_wager_costs_not_even_its_fee() -> None:
    row = worth_of("any", {Void("R-4"): Fraction(1)}, offered=Fraction(1), fee=Fraction(1, 20))
    assert (row.edge == 0, row.void == 1, row.pays[0].kind) == (True, True, "void")


# ---------------------------------------------------------------- the jackpot


def test_a_jackpot_without_pool_and_stake_has_no_edge_but_a_pool_to_break_even() -> None:
    ante, jackpot = (row for row in as_json(made("caribbean_stud"))["wagers"])  # type: ignore[attr-defined]
    assert (jackpot["edge"], jackpot["edge_percent"], jackpot["sd"]) == (None, None, None)
    assert jackpot["needs"] == "--pool and --stake"
    assert Fraction(jackpot["win"]) > 0
    assert "break_even" not in ante
    even = Fraction(jackpot["break_even"])
    assert 100_000_00 < even < 200_000_00


def test_a_jackpot_is_worth_its_stake_at_the_pool_that_breaks_even() -> None:
    """From a deck of four suits and few ranks, in which flushes are common."""
    free = stud(OddsAsked())
    assert free.break_even_cents is not None
    low, high = (stud(OddsAsked(int(free.break_even_cents) + more, 10_000_00)) for more in (0, 1))
    assert low.edge >= 0 > high.edge
    assert not low.needs
    assert free.needs


def stud(asked: OddsAsked) -> Worth:
    rules = ruleset("nz1996", game="caribbean_stud")
    asked = asked if asked.stake_cents else OddsAsked(stake_cents=10_000_00)
    (found,) = sheet(known_game("caribbean_stud"), rules, FEW, asked=asked).of("jackpot")
    return found


def test_a_warning_needs_a_known_edge() -> None:
    assert made("caribbean_stud").warnings == ()
    rich = sheet(
        known_game("caribbean_stud"), ruleset("nz1996", game="caribbean_stud"), FEW, asked=OddsAsked(10**9, 100)
    )
    assert any("jackpot favours the player" in warning for warning in rich.warnings)


# ---------------------------------------------------------------- small shoes


@pytest.mark.parametrize(("cards", "void"), [(9, 1), (10, 0), (11, 0)])
def test_14_3_a_deck_too_small_for_caribbean_stud_is_a_misdeal(cards: int, void: int) -> None:
    """The jackpot wager is not decided in such a round either."""
    deck = (1,) * cards + (0,) * (52 - cards)
    found = croupier.odds(croupier.ruleset("nz1996", game="caribbean_stud"), shoe=deck)
    assert found.left_out == ()
    assert [line.wager for line in found.lines] == ["ante", "jackpot"]
    for line in found.lines:
        assert line.void == void
        assert line.win + line.lose + line.standoff + line.void == 1
        assert ("NZ1996-VIII-14.3" in line.rules) == bool(void)


def test_ranks_leave_out_what_needs_suits() -> None:
    stud = croupier.odds(croupier.ruleset("nz1996", game="caribbean_stud"), shoe=[4] * 13)
    assert [name for name, _ in stud.left_out] == ["ante", "jackpot"]


@pytest.mark.parametrize(
    ("shoe", "words"),
    [
        ((-1, *(1,) * 51), "whole number, 0 or more"),
        ((1.5, *(1,) * 51), "whole number, 0 or more"),
        ((1,) * 51, "51 counts where 13 are needed"),
        ((0,) * 52, "without a single card"),
    ],
)
def test_an_impossible_shoe_is_refused_in_one_line(shoe: Any, words: str) -> None:
    for game in ("baccarat", "blackjack", "caribbean_stud"):
        edition = next(iter(known_game(game).editions))
        with pytest.raises(ValueError, match=words):
            croupier.odds(croupier.ruleset(edition, game=game), shoe=shoe)


def test_dice_have_no_shoe() -> None:
    with pytest.raises(ValueError, match="craps is played without cards"):
        croupier.odds(croupier.ruleset("nz1996", game="craps"), shoe=full_shoe(1))


# ---------------------------------------------------------------- golden and published figures


def test_golden_edges_of_dice_and_wheels() -> None:
    """One line per row of a sheet: game, wager, edge, chance to win, mean throws."""
    lines = [line.split() for line in GOLDEN.read_text().splitlines() if line and not line.startswith("#")]
    found = [
        [game, line.wager, str(line.edge), str(line.win), str(line.throws)]
        for game in THROWN
        for line in made(game).lines
    ]
    assert found == lines


def test_roulette_with_one_zero_keeps_one_in_thirty_seven() -> None:
    """2.7 % on every wager of a wheel with one zero (J. Grochowski, Roulette, 6 March 2007,
    casinocitytimes.com/john-grochowski/article/roulette-32855)."""
    assert {line.edge for line in made("roulette").lines} == {Fraction(1, 37)}


CRAPS = {"pass": 1.41, "come": 1.41, "dont_pass": 1.36, "dont_come": 1.36, "any_seven": 16.67, "any_craps": 11.11}
CRAPS |= {"place:6": 1.52, "place:8": 1.52, "place:5": 4.00, "place:9": 4.00, "place:4": 6.67, "place:10": 6.67}


@pytest.mark.parametrize(("wager", "published"), CRAPS.items())
def test_craps_edges_as_published(wager: str, published: float) -> None:
    """gambling.com, Craps Odds Explained."""
    assert percent("craps", wager) == published


BY_HAND = {
    **dict.fromkeys(("hardway:4", "hardway:10"), Fraction(9 - 8 * 1, 9)),
    **dict.fromkeys(("hardway:6", "hardway:8"), Fraction(11 - 10 * 1, 11)),
    **dict.fromkeys(("big_six", "big_eight"), Fraction(11 - 2 * 5, 11)),
    "field": Fraction(36 - 3 * 2 - 2 * 14, 36),
    **dict.fromkeys(("craps_two", "craps_twelve"), Fraction(36 - 31 * 1, 36)),
    **dict.fromkeys(("craps_three", "eleven"), Fraction(36 - 16 * 2, 36)),
    "horn": Fraction(4 * 36 - 31 * 2 - 16 * 4, 4 * 36),
    "c_and_e": Fraction(2 * 36 - 8 * 4 - 16 * 2, 2 * 36),
}


@pytest.mark.parametrize(("wager", "counted"), BY_HAND.items())
def test_craps_edges_counted_by_hand(wager: str, counted: Fraction) -> None:
    """No publication: what is staked less what comes back, over the throws that decide, all equally likely."""
    (line,) = made("craps").of(wager)
    assert line.edge == counted


@pytest.mark.parametrize(
    ("wager", "published"), {"lay:4": 2.44, "lay:10": 2.44, "lay:5": 3.23, "lay:9": 3.23, "lay:6": 4.00}.items()
)
def test_commissions_paid_in_advance_as_published(wager: str, published: float) -> None:
    """gambling.com, Craps Odds Explained, per unit of wager and commission together; the sheet is per unit of wager."""
    (line,) = made("craps").of(wager)
    fee = -1 - min(pay.net for pay in line.pays)
    assert round(float(line.edge / (1 + fee) * 100), 2) == published


@pytest.mark.parametrize(("wager", "times", "published"), [("pass", 1, 0.848), ("pass", 2, 0.606)])
def test_line_bets_with_odds_taken_as_published(wager: str, times: int, published: float) -> None:
    """Combined edges with single and double odds (casinodealerswebsite.com/-house--summary.html, craps)."""
    assert round(float(taken(wager, times).edge * 100), 3) == published


@pytest.mark.parametrize("wager", ["pass", "dont_pass", "come", "dont_come"])
@pytest.mark.parametrize("times", [1, 2])
def test_odds_add_to_the_stake_and_not_to_the_loss(wager: str, times: int) -> None:
    found = taken(wager, times)
    assert found.edge * found.staked == found.edge_of_line
    # A point comes in 24 of 36 throws; behind a don't pass the odds are 2, 3/2 or 6/5 of the line to win as much.
    mean = Fraction(24, 36) if "dont" not in wager else Fraction(6 * 20 + 8 * 15 + 10 * 12, 10 * 36)
    assert found.staked == 1 + times * mean


def taken(wager: str, times: int) -> Taken:
    every = made("craps", double_odds=True).with_odds
    (found,) = (each for each in every if (each.wager, each.times) == (wager, times))
    return found


def test_double_odds_are_told_only_where_the_operator_permits_them() -> None:
    assert {each.times for each in made("craps").with_odds} == {1}
    assert made("roulette").with_odds == ()


@pytest.mark.parametrize(
    ("wager", "published"), {"small": 2.78, "big": 2.78, "triple:1": 16.20, "double:3": 11.11, "face:1": 3.70}.items()
)
def test_tai_sai_edges_as_published(wager: str, published: float) -> None:
    """onlinesicbo.org, odds: triples at 180 to 1, doubles at 11 to 1 (a third of 33.33 %), a face thrice at 12 to 1.

    Small, big and triples also in the column of New Zealand in en.wikipedia.org/wiki/Sic_bo: 2.8 % and 16.2 %.
    """
    assert percent("tai_sai", wager) == published


TOTALS = {"total:4": 12, "total:5": 11, "total:6": 12, "total:7": 10, "total:8": 12, "total:9": 7, "total:10": 12}


@pytest.mark.parametrize(("wager", "published"), {**TOTALS, "any_triple": 11, "combination:2-5": 3}.items())
def test_tai_sai_edges_as_published_in_whole_percent(wager: str, published: int) -> None:
    """tokyo3.org, forum, sic bo margins of the same pays: 4 at 62 to 1, any triple at 31, a pair at 6 to 1 (2.8 %)."""
    (line,) = made("tai_sai").of(wager)
    assert abs(line.edge * 100 - published) <= Fraction(1, 2)


@pytest.mark.parametrize(("decks", "published"), [(8, 9.01), (6, 11.40), (5, 13.25), (4, 15.92)])
def test_super_sevens_with_a_third_card_as_published(decks: int, published: float) -> None:
    """webdelautomovil.com/how-to-play-super-7-in-blackjack, a third card guaranteed.

    Six decks also by E. Jacobson: 11.400 %, deviation 22.8, wins 7.692 % (888casino.com/blog/side-bets/
    card-counting-the-super-sevens-blackjack-side-bet).
    """
    from croupier.exact.blackjack.sevens import sevens_ends

    rules = ruleset("nz1996", game="blackjack").rules
    ends = sevens_ends(rules, full_shoe(decks), "draw", None)
    found = worth_of("super_sevens", ends, offered=Fraction(1))
    assert round(float(found.edge * 100), 2) == published
    if decks == 6:
        assert round(float(found.variance) ** 0.5, 1) == 22.8
        assert round(float(found.win * 100), 3) == 7.692


def test_per_round_figures_of_a_wager_that_lives_longer() -> None:
    """A pass bet takes 557/165 throws on average, so it costs 0.42 % a throw."""
    (line,) = made("craps").of("pass")
    assert line.throws == Fraction(557, 165)
    assert line.per_throw_edge == Fraction(7, 495) / Fraction(557, 165)
    assert round(float(line.per_throw_edge * 100), 2) == 0.42


PER_THROW_ON = {"place:4": 1.67, "place:5": 1.11, "place:6": 0.46, "hardway:6": 2.78, "hardway:10": 2.78, "pass": 0.42}
"""In percent, off throws not counted, as M. Shackleford publishes them (wizardofodds.com, craps, edge per roll)."""


@pytest.mark.parametrize("wager", PER_THROW_ON)
def test_per_throw_figures_are_told_with_off_throws_and_without(wager: str) -> None:
    """A Place bet lies through come out rolls for which it is off; both ways of counting are on the sheet."""
    (line,) = made("craps").of(wager)
    assert round(float(line.per_throw_edge_on * 100), 2) == PER_THROW_ON[wager]
    row = line_json(line)
    assert row["per_throw_edge_on"] == str(line.edge / Fraction(str(row["throws_on"])))
    assert row["per_throw_edge"] == str(line.edge / Fraction(str(row["throws"])))
    off = wager != "pass"
    assert (line.per_throw_edge < line.per_throw_edge_on) is off
    # Off only before a point: a come out roll makes one two times in three, and each takes some throws.
    assert (line.throws_on is not None) is off


def test_blackjack_keeps_about_half_a_percent_and_the_chart_costs_little() -> None:
    """No publication: the chart cannot be better than the best play, and costs less than 0.01 % more."""
    best, chart = (line.edge for line in made("blackjack").of("main") if isinstance(line, Worth))
    assert Fraction(5, 1000) < best < chart < Fraction(6, 1000)
    assert chart - best < Fraction(1, 10_000)


def test_charts_of_blackjack_are_pictures_and_tables() -> None:
    """A pair of aces is split against everything, sixteen stands against a six; both ways of telling agree."""
    panel = charts(known_game("blackjack"), made("blackjack"))
    assert panel is not None
    for words in ("Hard totals", "Soft totals, in words", "Pairs", "Dealer’s first card"):
        assert words in panel.text
    drawn, written = (panel.text.count(each) for each in ('class="cell split"', "<td>split</td>"))
    assert drawn == written > 40
    assert panel.text.count('class="cell double"') == panel.text.count("<td>double</td>") > 10
    assert charts(known_game("roulette"), made("roulette")) is None
