"""Exact odds of Caribbean stud: published figures, any deck, any strategy, any rules, the jackpot."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from croupier.equipment import Card, parse_card, rank
from croupier.exact.caribbean_stud import (
    STRATEGIES,
    StudPlay,
    StudRow,
    break_even,
    caribbean_stud_sheet,
    compiling,
    outlook,
    play,
)
from croupier.exact.caribbean_stud.rows import rows_of
from croupier.games.caribbean_stud.rules import JackpotPrize, StudRules
from croupier.law.model import Law
from croupier.money import Odds, to
from tests.games.caribbean_stud.test_play import stud

DEALS = 19_933_230_517_200
HALF = tuple(int(card % 13 in (0, 12, 11, 10, 7, 2) or card in (1, 22, 30)) for card in range(52))
WITHOUT_AN_ACE = (0,) + (1,) * 51
TWELVE = (1,) * 12 + (0,) * 40
POOL = 45_000_00


def paying(rules: StudRules, **odds: Odds) -> StudRules:
    """The rules with other odds for some hands: `royal_flush=to(100)`."""
    changed = {name.replace("_", " "): Law(pays, ("TEST-1",)) for name, pays in odds.items()}
    return replace(rules, bet_pays={**rules.bet_pays, **changed})


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


@cache
def best() -> StudPlay:
    """The optimum of 1996."""
    return play(stud())


@cache
def american() -> StudRules:
    """The pay table of the published figures: a royal flush pays 100 to 1."""
    return paying(stud(), royal_flush=to(100))


# ---------------------------------------------------------------- known figures


def test_the_optimum_of_1996() -> None:
    """The net also comes from the independent program in benchmarks/caribbean_stud_odds.cpp."""
    this = best()
    assert this.net == -1_036_344_990_372
    assert this.deals == DEALS
    assert (this.policy, len(this.table.hands), int(this.table.weights.sum())) == ("optimum", 134_459, 2_598_960)
    assert this.bet_deals == 10_410_224_542_740
    assert round(float(this.bet_frequency * 100), 3) == 52.225
    assert round(float(this.edge * 100), 4) == 5.1991
    assert this.element_of_risk == Fraction(1_036_344_990_372, DEALS + 2 * 10_410_224_542_740)


def test_with_a_royal_flush_at_100_the_edge_is_the_published_one() -> None:
    """A loss of 1,041,372,912,372 antes over all deals, 5.224 %, element of risk 2.555 %: M. Shackleford, The Wizard of
    Odds, Caribbean Stud Poker (text also at toho-talent.com/2022/04/14/caribbean-stud-poker-strategy).  In print, as
    5.22 % and 2.56 %: the same, The Wizard of Odds Analyzes the New Casino Games, Contingencies, November 2000."""
    this = play(american())
    assert this.net == -1_041_372_912_372
    assert round(float(this.edge * 100), 4) == 5.2243
    assert round(float(this.element_of_risk * 100), 3) == 2.555
    assert this.net - best().net == -2 * 150 * int(best().tally[9, 2])


PUBLISHED = {
    "three rules of thumb": (1_041_417_758_724, 5.225, 2.554),
    "A K J 8 3 or better": (1_059_715_400_580, 5.316, 2.596),
    "matching rank": (1_063_176_931_284, 5.334, 2.616),
    "pair or better": (1_090_272_101_460, 5.470, 2.738),
    "ace and king or better": (1_132_600_203_540, 5.682, 2.672),
    "every hand": (3_310_360_338_060, 16.607, 5.536),
}


def test_every_rule_of_thumb_costs_what_is_published() -> None:
    """The same source: total loss, edge and element of risk of each."""
    assert set(STRATEGIES) == set(PUBLISHED)
    for name, (loss, edge, risk) in PUBLISHED.items():
        this = play(american(), STRATEGIES[name])
        assert this.net == -loss
        assert this.policy == name
        assert this.source == STRATEGIES[name].source != ""
        assert round(float(this.edge * 100), 3) == edge
        assert round(float(this.element_of_risk * 100), 3) == risk


def test_the_optimum_in_few_words() -> None:
    lines = {(line.up, line.held): line for line in best().description}
    assert len(lines) == 26
    assert str(lines["A", False]) == "A up, not held: bet from one pair 2 2 5 4 3"
    assert str(lines["K", True]) == "K up, held: bet from A K J 3 2"
    assert str(lines["4", True]) == "4 up, held: bet from A K 4 3 2"
    jack = lines["J", False]
    assert (jack.never_below, jack.always_from) == ("A K Q 8 2", "one pair 2 2 5 4 3")
    assert 0 < jack.between_bet < jack.between
    assert lines["10", False].between == lines["10", False].between_bet == 0


def test_a_strategy_that_never_bets_says_so() -> None:
    this = play(stud(), {"royal flush": ""})
    assert this.net == -DEALS
    assert this.bet_deals == 0
    assert {str(line).partition(": ")[2] for line in this.description} == {"never bet"}


# ---------------------------------------------------------------- decks


@pytest.mark.parametrize(("hand", "up"), [("Ah Kc Qd 4s", "3d"), ("Ah Kc Qd 4s 2c", "2c"), ("Ah Kc Qd 4s 2c", "Ac")])
def test_a_decision_needs_six_cards_of_the_deck(hand: str, up: str) -> None:
    with pytest.raises(ValueError, match=f"^not five cards and an up card of this deck: {hand} {up}$"):
        outlook(stud(), cards_of(hand), parse_card(up), deck=WITHOUT_AN_ACE)


@pytest.mark.parametrize("size", [9, 10, 11])
def test_a_round_takes_ten_cards(size: int) -> None:
    deck = [int(card < size) for card in range(52)]
    if size < 10:
        with pytest.raises(ValueError, match=r"^a deck of 9 cards: a hand and the dealer's take 10$"):
            play(stud(), deck=deck)
    else:
        assert play(stud(), deck=deck).deals == {10: 1_260, 11: 13_860}[size]


@pytest.mark.parametrize(
    ("deck", "line"),
    [
        ((1,) * 51, "51 counts where 52 are needed"),
        ((2,) + (1,) * 51, "the count of Ac is 2, and there are only 1"),
        ((-1,) + (1,) * 51, "the count of Ac must be a whole number, 0 or more: -1"),
    ],
    ids=["short", "double", "negative"],
)
def test_a_deck_is_52_counts_of_nought_or_one(deck: tuple[int, ...], line: str) -> None:
    with pytest.raises(ValueError, match=f"^{line}"):
        caribbean_stud_sheet(stud(), deck=deck)


def test_the_best_play_of_another_deck_is_no_worse_than_any() -> None:
    others = [play(stud(), each, deck=HALF).net for each in STRATEGIES.values()]
    assert play(stud(), deck=HALF).net >= max(others)
    assert len(set(others)) == len(others)


# ---------------------------------------------------------------- strategies


def test_a_plain_function_on_a_full_deck() -> None:
    """It is asked about every class of hands."""

    def pairs(hand: tuple[Card, ...], _up: Card) -> bool:
        return len(set(map(rank, hand))) < 5

    this = play(american(), pairs)
    assert this.policy == "pairs"
    assert this.bet_frequency == 1 - Fraction(1287 * 4**5, 2_598_960)
    assert this.net < -PUBLISHED["pair or better"][0]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("pair or better", "one pair"),
        ("ace and king or better", "A K"),
        ("A K J 8 3 or better", "A K J 8 3"),
        ("every hand", "odd cards"),
    ],
)
def test_a_chart_of_one_line(name: str, line: str) -> None:
    this = play(stud(), {line: "any"}, deck=HALF)
    assert this.net == play(stud(), STRATEGIES[name], deck=HALF).net
    assert this.policy == "chart"


def test_a_line_of_a_chart_holds_up_to_the_next() -> None:
    high = {"A K Q": "2 3 4 5 6 7 8 9 10 J Q", "one pair": "", "one pair 10": "any"}
    bets = play(stud(), high).table.bets_on
    assert bets(cards_of("Ah Kc Qd 4s 2c"), parse_card("Jd"))
    assert not bets(cards_of("Ah Kc Qd 4s 2c"), parse_card("Kd"))
    assert not bets(cards_of("9h 9c Qd 4s 2c"), parse_card("2d"))
    assert bets(cards_of("10h 10c Qd 4s 2c"), parse_card("Kd"))


@pytest.mark.parametrize(
    ("chart", "line"),
    [
        ({"A X": "any"}, "chart line 'A X': begin with a class of hands"),
        ({"": "any"}, "chart line '': begin with a class of hands"),
        ({"one pair": "2 3 1"}, "chart line 'one pair': '1' is no rank"),
    ],
    ids=["hand", "empty", "up"],
)
def test_a_bad_chart_is_told_in_one_line(chart: dict[str, str], line: str) -> None:
    with pytest.raises(ValueError, match=line):
        play(stud(), chart)


def test_a_table_is_played_as_it_stands() -> None:
    table = best().table
    assert play(stud(), table).net == best().net
    changed = replace(table, bets=table.bets & ~(1 << parse_card("Ah")))
    worse = play(stud(), changed)
    assert worse.net < best().net
    assert not worse.table.bets_on(cards_of("9h 9c Qd 4s 2c"), parse_card("Ah"))
    with pytest.raises(ValueError, match="a table of 134459 hands for a deck of 792 other classes of hands"):
        play(stud(), table, deck=TWELVE)


def test_an_answer_that_is_no_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="a strategy answered 'raise': say True or 'bet', False or 'fold'"):
        play(stud(), lambda _hand, _up: "raise", deck=TWELVE)


# ---------------------------------------------------------------- rules


def test_the_rules_object_decides() -> None:
    """Other laws, other numbers; each change has a direction that is sure."""
    rules, deck = stud(), HALF
    base = play(rules, deck=deck).net
    assert play(paying(rules, two_pairs=to(3)), deck=deck).net > base
    assert play(replace(rules, no_hand_ante=Law(to(2), ("TEST-1",))), deck=deck).net > base
    assert play(replace(rules, folded=Law("stand off", ("TEST-1",))), deck=deck).net > base
    tripled = play(replace(rules, bet_of_ante=Law(3, ("TEST-1",))), deck=deck)
    assert tripled.bet_of_ante == 3
    assert tripled.net != base
    always = play(replace(rules, qualifies=Law((), ("TEST-1",))), deck=deck)
    assert int(always.tally[:, 1].sum()) == 0


def test_odds_that_64_bits_cannot_count_are_refused() -> None:
    with pytest.raises(ValueError, match="odds too large or too uneven to be counted exactly"):
        play(paying(stud(), royal_flush=to(10**14)))
    assert play(paying(stud(), royal_flush=to(10**13))).net > 0


@pytest.mark.parametrize(("ante_cents", "pays"), [(1_000, 250), (1_001, None), (2_000, 125)])
def test_a_maximum_payout_caps_a_bet(ante_cents: int, pays: int | None) -> None:
    """A bet of twice the ante that would be paid more than 5,000 dollars is paid 5,000."""
    rules = stud(maximum_payout="5000 approval 7")
    royal = caribbean_stud_sheet(rules, ante_cents=ante_cents).row("ante").pays[0]
    assert royal.result == "royal flush"
    assert royal.net == 1 + 2 * Fraction(5_000_00, 2 * ante_cents)
    if pays is not None:
        assert royal.net == 1 + 2 * pays
    assert (royal.rule == "NZ1996-VIII-10.2") == (ante_cents > 1_000)


def test_a_maximum_payout_needs_the_ante() -> None:
    with pytest.raises(ValueError, match=r"give the ante that it caps \(NZ1996-VIII-10\.2\)$"):
        play(stud(maximum_payout="5000 approval 7"))
    with pytest.raises(ValueError, match=r"name the approval and the notice \(NZ1996-VIII-10\.2\)$"):
        play(stud(maximum_payout="5000"))
    with pytest.raises(ValueError, match="an ante of 0 cents"):
        play(stud(), ante_cents=0)


# ---------------------------------------------------------------- rows


def test_the_row_of_the_ante() -> None:
    (row, _) = rows_of(stud(), best(), pool_cents=None, stake_cents=None)
    assert row.worth is not None
    assert (row.policy, row.method, row.edge) == ("optimum", "exact", best().edge)
    assert row.win + row.lose + row.standoff + row.void == 1
    assert sum(pay.probability for pay in row.pays) == 1
    assert row.edge == -sum(pay.net * pay.probability for pay in row.pays)
    assert row.worth.variance == sum(pay.net**2 * pay.probability for pay in row.pays) - row.edge**2
    payments = {pay.result: (pay.odds, int(pay.net), pay.rule.removeprefix("NZ1996-VIII-")) for pay in row.pays}
    assert payments["royal flush"] == ("250 to 1", 501, "10.1-pay-royal-flush")
    assert payments["odd cards"] == ("1 to 1", 3, "10.1-pay-pair-or-less")
    assert payments["dealer does not qualify"] == ("1 to 1", 1, "9.2a")
    assert payments["tie"] == ("", 0, "9.5c")
    assert payments["fold"] == ("", -1, "8.2b")
    assert payments["lose"] == ("", -3, "9.5b")
    assert len(payments) == 14
    assert {pay.result: pay.probability for pay in row.pays}["fold"] == 1 - best().bet_frequency


def test_no_jackpot_row_where_there_is_no_jackpot() -> None:
    assert [row.wager for row in caribbean_stud_sheet(stud(), deck=TWELVE).rows] == ["ante", "jackpot"]
    assert [row.wager for row in caribbean_stud_sheet(stud(jackpot=False), deck=TWELVE).rows] == ["ante"]


def jackpot_row(pool_cents: int | None, stake_cents: int | None, rules: StudRules | None = None) -> StudRow:
    """The jackpot under the optimum of the ante."""
    return rows_of(rules or stud(), best(), pool_cents=pool_cents, stake_cents=stake_cents)[1]


def test_the_jackpot_by_counting_hands() -> None:
    """Under the optimum every hand that can win is bet on: 4, 36, 624, 3,744 and 5,108 of 2,598,960 hands."""
    row = jackpot_row(200_000_00, 2_00)
    prizes = 4 * 200_000_00 + 36 * 20_000_00 + 624 * 500_00 + 3_744 * 150_00 + 5_108 * 100_00
    assert row.edge == 1 - Fraction(prizes, 2_598_960 * 2_00)
    assert row.win == Fraction(4 + 36 + 624 + 3_744 + 5_108, 2_598_960)
    assert row.win + row.lose == 1
    assert row.policy == "optimum"


@pytest.mark.parametrize(("pool_cents", "stake_cents"), [(None, None), (45_000_00, None), (None, 1_00)])
def test_a_jackpot_without_pool_or_stake_has_no_edge_but_a_break_even(
    pool_cents: int | None, stake_cents: int | None
) -> None:
    row = jackpot_row(pool_cents, stake_cents)
    assert row.edge is None
    assert row.pays == ()
    assert row.stake_cents == 1_00
    assert row.break_even_cents == Fraction(303_640_000, 19)


def test_at_the_break_even_pool_the_edge_turns() -> None:
    even = break_even(stud(), best(), stake_cents=1_00)
    assert even is not None
    below, above = (jackpot_row(int(even) + more, 1_00).edge for more in (0, 1))
    assert below is not None
    assert above is not None
    assert below > 0 > above


def prizes(four: int, full: int, flush: int, **changes: JackpotPrize) -> StudRules:
    """The rules with other prizes, in dollars."""
    rules = stud()
    sums = {
        "four of a kind": JackpotPrize(four * 100),
        "full house": JackpotPrize(full * 100),
        "flush": JackpotPrize(flush * 100),
    }
    sums |= {name.replace("_", " "): prize for name, prize in changes.items()}
    laws = {**rules.progressive.prizes, **{name: Law(prize, ("TEST-1",)) for name, prize in sums.items()}}
    return replace(rules, progressive=replace(rules.progressive, prizes=laws))


@pytest.mark.parametrize(("sums", "dollars"), [((100, 75, 50), 263_205), ((150, 100, 50), 246_784)])
def test_break_even_meters_as_published(sums: tuple[int, int, int], dollars: int) -> None:
    """M. Shackleford, Contingencies, November 2000: the meter at which a wager of a dollar breaks even."""
    even = break_even(prizes(*sums), best(), stake_cents=1_00)
    assert even is not None
    assert round(even / 100) == dollars


def test_break_even_without_help_of_the_pool() -> None:
    """The sums alone may be enough, or no pool."""
    assert break_even(prizes(5_000, 500, 200), best(), stake_cents=1_00) == 0
    fixed = prizes(500, 150, 100, straight_flush=JackpotPrize(1_000_00), royal_flush=JackpotPrize(10_000_00))
    assert break_even(fixed, best(), stake_cents=1_00) is None


@pytest.mark.parametrize(("stake_cents", "pool_cents"), [(100_00, 10**8), (200_00, 2 * 10**9)])
def test_break_even_where_one_share_passes_its_sum_before_the_other(stake_cents: int, pool_cents: int) -> None:
    """The same from the edges at two pools between which the worth is a straight line."""
    rules = prizes(
        500, 150, 100, straight_flush=JackpotPrize(1_000_00, Fraction(1)), royal_flush=JackpotPrize(10**9, Fraction(1))
    )
    first, second = (jackpot_row(pool_cents + more, stake_cents, rules).edge for more in (0, 2))
    assert first is not None
    assert second is not None
    even = break_even(rules, best(), stake_cents=stake_cents)
    assert even == pool_cents + 2 * first / (first - second)
    assert (even < 10**9) == (pool_cents < 10**9)


def test_a_folded_hand_has_no_claim() -> None:
    """Who folds everything below four of a kind has no claim with a flush or a full house."""
    made = caribbean_stud_sheet(stud(), pool_cents=POOL, stake_cents=1_00, strategy={"four of a kind": "any"})
    row = made.row("jackpot")
    assert row.policy == "chart"
    assert row.win == Fraction(4 + 36 + 624, 2_598_960)
    assert {pay.result for pay in row.pays} == {"royal flush", "straight flush", "four of a kind", "no jackpot"}


@pytest.mark.parametrize(
    ("pool_cents", "stake_cents", "line"),
    [
        (-1, 100, "a jackpot pool is a whole number of cents from 0 up: -1"),
        (100, 0, "a jackpot wager is a whole number of cents from 1 up: 0"),
    ],
)
def test_a_bad_pool_or_stake_is_told_in_one_line(pool_cents: int, stake_cents: int, line: str) -> None:
    with pytest.raises(ValueError, match=f"^{line}$"):
        jackpot_row(pool_cents, stake_cents)


# ---------------------------------------------------------------- compiling

ASKED = """
import sys
from croupier.games.caribbean_stud.editions import nz1996
from croupier.exact.caribbean_stud import caribbean_stud_sheet
caribbean_stud_sheet(nz1996(), on_compile=lambda: sys.exit(7))
"""


def test_it_says_before_the_first_use_that_it_will_compile(tmp_path: Path) -> None:
    """In a process that finds nothing compiled on disk; it stops there."""
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 7


def test_it_does_not_say_so_once_it_was_used() -> None:
    best()
    called: list[int] = []
    caribbean_stud_sheet(stud(), deck=TWELVE, on_compile=lambda: called.append(1))
    assert not compiling()
    assert called == []
