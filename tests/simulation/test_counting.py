"""Counting cards: kernel and rules agree round for round, and published figures come out.

Sources: effects of removal, P. Griffin, The Theory of Blackjack (one deck); betting correlations, as QFIT's and every
comparison of systems prints them; Hi-Lo in a six-deck game with a spread of 1 to 8, A. Snyder, Blackbelt in Blackjack:
+0.50 % of what is staked, played through.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import croupier
from croupier.equipment import CARDS, full_shoe
from croupier.errors import BadInput
from croupier.exact.blackjack import solve
from croupier.games.blackjack.rules import BlackjackRules
from croupier.own import read
from croupier.rulesets import ruleset
from croupier.simulation.blackjack import counted, plan_of
from croupier.simulation.blackjack.tables import code_of
from croupier.simulation.blackjack.twin import random_shoe
from croupier.simulation.count.systems import (
    HIGH,
    LOW,
    SYSTEMS,
    Counting,
    CountSystem,
    betting_correlation,
    counting_of,
)
from croupier.simulation.plan import Chunk, SimulationSettings, run_chunk
from tests.simulation.slowly import counted_slowly as by_the_rules
from tests.simulation.slowly import coups_slowly, players_by_count, true_count

PUBLISHED_EFFECTS = (-0.61, 0.38, 0.44, 0.55, 0.69, 0.46, 0.28, 0.00, -0.18, *[-0.51] * 4)
"""In percent, from the ace to the king, of one deck; of six a card does a sixth of it, and doubling splits adds."""
PUBLISHED_CORRELATION = {"hi_lo": 0.97, "hi_opt_1": 0.88, "omega_2": 0.92, "zen": 0.96, "halves": 0.99, "ko": 0.98}
ATLANTIC = """
name = "atlantic"
title = "Atlantic City"
source = "published rules"
game = "blackjack"
base = "nz1996"
[values]
decks = { value = [6], rule = "1" }
super_sevens = { value = [false], rule = "1" }
hole_card = { value = "looked at", rule = "2" }
double.totals = { value = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], rule = "3" }
double.with_ace = { value = true, rule = "3" }
split.hands = { value = 2, rule = "4" }
"""


@pytest.fixture(scope="module")
def atlantic() -> BlackjackRules:
    rules = ruleset(read(ATLANTIC, "atlantic.toml"), game="blackjack").rules
    assert isinstance(rules, BlackjackRules)
    return rules


def test_effects_of_removal_and_betting_correlations_are_the_published_ones(atlantic: BlackjackRules) -> None:
    full = full_shoe(6)
    whole = solve(atlantic, full).main_worth
    ours = []
    for place in range(10):
        shoe = (*full[:place], full[place] - 1, *full[place + 1 :])
        ours.append(100 * (solve(atlantic, shoe).main_worth - whole))
    ours += ours[-1:] * 3
    assert ours == pytest.approx([effect * 51 / 311 for effect in PUBLISHED_EFFECTS], abs=0.012)
    for name, published in PUBLISHED_CORRELATION.items():
        found = betting_correlation(SYSTEMS[name].tags, ours)
        assert found == pytest.approx(published, abs=0.0125), (name, found)


@pytest.mark.parametrize("table", ["american", "nz1996"])
def test_the_kernel_counts_as_the_rules_do(table: str) -> None:
    """Each round's count and net on the same shoes, with index plays, a ramp and half decks."""
    name = "american.toml" if table == "american" else table
    rules = croupier.ruleset(name, game="blackjack", elections={"super_sevens": False}).rules
    base = plan_of(rules, "")
    counting = Counting(SYSTEMS["hi_lo"], (1, 2, 4), 1, enter=-1, indices=True, estimate=26)
    made = counted.simulated(rules, base, counting, behind=60, settings=SimulationSettings(), exact=dict)
    bettor = made.bettor
    assert isinstance(bettor, counted.CountedBins)
    players = players_by_count(rules, base, counting)
    codes = np.array([code_of(rules, card) for card in range(CARDS)], dtype=np.uint8)
    for number in range(24):
        shoe = random_shoe(rules, 5, number, size=160)
        shape = made.program.tables[1].copy()
        shape[counted.CUT], shape[counted.READY] = 90, len(shoe)
        program = replace(made.program, tables=(codes[list(shoe)], shape, *made.program.tables[2:]))
        betting = bettor.results(run_chunk(program, Chunk(0, 0, 1)).counts, {})
        slow = list(by_the_rules(rules, players, counting, shoe, cut=90))
        assert betting.coups == len(slow)
        assert betting.net == pytest.approx(sum(counting.stake(count) * net for count, net in slow))
        met = sorted((count, rounds) for count, rounds, _, _ in betting.by_count)
        assert met == sorted((each, sum(count == each for count, _ in slow)) for each in {count for count, _ in slow})


def test_hi_lo_on_six_decks_wins_what_is_published(atlantic: BlackjackRules) -> None:
    """0.50 % of what is staked, played through, by a simulation of 2·10⁸ hands; here 3·10⁶, so within 0.45 %."""
    rules = ruleset(read(ATLANTIC, "atlantic.toml"), game="blackjack")
    ramp = "hi_lo:ramp=1/2/4/6/8,at=0,indices=yes"
    result = croupier.simulate(rules, rounds=3_000_000, seed=2, strategy=ramp, behind=78)
    betting = result.betting
    assert betting is not None
    assert betting.flat is not None
    assert -betting.edge == pytest.approx(0.0050, abs=0.0045)
    assert betting.flat == pytest.approx(0.0045, abs=0.002)
    by_count = {count: edge for count, rounds, _, edge in betting.by_count if rounds > 20_000}
    slope = np.polyfit(list(by_count), [-100 * edge for edge in by_count.values()], 1)[0]
    assert 0.4 < slope < 0.7, "about half a percent for each true count"


def test_watching_costs_nothing_and_takes_time(atlantic: BlackjackRules) -> None:
    rules = ruleset(read(ATLANTIC, "atlantic.toml"), game="blackjack")
    result = croupier.simulate(rules, rounds=300_000, strategy="hi_lo:enter=2,ramp=1/2,at=2", session=1000)
    betting = result.betting
    assert betting is not None
    assert 0.05 < betting.bets / betting.coups < 0.2
    assert result.sessions is not None
    assert result.sessions.mean == pytest.approx(betting.net / betting.coups * 1000, rel=1e-6)
    assert result.to_dict()["strategy"]["units_per_100_rounds"] == pytest.approx(100 * betting.net / betting.coups)


def test_true_counts_are_rounded_down() -> None:
    hi_lo, halves = SYSTEMS["hi_lo"], SYSTEMS["halves"]
    assert [true_count(running, 104, hi_lo) for running in (-3, -1, 0, 1, 2, 3, 99)] == [-2, -1, 0, 0, 1, 1, HIGH]
    assert true_count(5, 52, halves) == 2
    assert true_count(-99, 52, hi_lo) == LOW
    assert true_count(2, 70, hi_lo, 52) == 2, "a deck is judged where seventy cards are left"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("hi_lo:ramp=1/x", "a ramp is written like 1/2/4/8"),
        ("hi_lo:ramps=1", "unknown option of a count 'ramps'"),
        ("hi_lo:indices=maybe", "indices is yes or no"),
        ("hi_lo:enter=high", "enter is a whole number"),
        ("hi_lo:estimate=0", "estimate is a number of cards"),
    ],
)
def test_mistakes_are_named(written: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        counting_of(written)


def test_a_system_of_ones_own() -> None:
    with pytest.raises(BadInput, match="thirteen whole tags"):
        CountSystem("short", (1, 2))
    odd = CountSystem("odd", (*[0] * 12, 1))
    rules = croupier.ruleset("american.toml")
    with pytest.raises(ValueError, match="cards that count 10 have several tags"):
        croupier.simulate(rules, rounds=10, strategy=Counting(odd))
    assert Fraction(1, 2) < betting_correlation((-1, *[1] * 5, 0, 0, 0, *[-1] * 4), PUBLISHED_EFFECTS) < 1


def test_baccarat_by_the_count_is_as_the_rules_have_it() -> None:
    """The count before each coup and who won it, on a shoe as the kernel mixed it."""
    from collections import Counter

    from croupier.games.baccarat import BACCARAT
    from croupier.simulation import kernels
    from croupier.simulation.baccarat import _Table
    from croupier.simulation.count.systems import COUNTS
    from croupier.simulation.streams import first_word, keys_of

    rules = croupier.ruleset("barred_seven.toml")
    counting = counting_of("dragon_7:on=dragon_7,enter=1")
    assert counting is not None
    table = _Table(BACCARAT, rules, SimulationSettings())
    made = table.counted(counting)
    for unit in range(6):
        tally = run_chunk(made.program, Chunk(3, unit, 1))
        symbols, _ = kernels.mixed(made.program.tables[0], 416, *keys_of(3), first_word(unit))
        from croupier.exact.automaton import symbols_of

        shown = list(symbols_of(BACCARAT, rules.rules, exact_cards=False).values())
        cards = [shown[symbol] for symbol in symbols.tolist()]
        burned = int(made.program.tables[3][symbols[0]])
        slow = Counter(
            (count, outcome["winner"])
            for count, outcome in coups_slowly(
                BACCARAT, rules.rules, counting, cards, burned=burned, number=tally.rounds
            )
        )
        winners = [table._winner(example) for example in table.coups.examples]
        fast: Counter[tuple[int, object]] = Counter()
        for index, row in enumerate(tally.counts.reshape(COUNTS, -1).tolist()):
            for winner, times in zip(winners, row, strict=True):
                fast[LOW + index, winner] += times
        assert +fast == slow


def test_the_dragon_is_counted_as_published() -> None:
    """S. How, Discount Gambling: 6.8 bets and +0.52 units a shoe of eight decks, 16 cards behind; here 20."""
    rules = croupier.ruleset("barred_seven.toml")
    result = croupier.simulate(rules, rounds=6_000_000, seed=4, strategy="dragon_7:on=dragon_7,enter=1", behind=20)
    betting = result.betting
    assert betting is not None
    coups_a_shoe = 80.4
    assert betting.bets / betting.coups * coups_a_shoe == pytest.approx(6.8, abs=0.3)
    assert betting.net / betting.coups * coups_a_shoe == pytest.approx(
        0.50, abs=3 * betting.deviation * coups_a_shoe / 6e6**0.5
    )


@pytest.mark.parametrize(
    ("game", "on"), [("roulette", "red"), ("tai_sai", "small"), ("money_wheel", "A"), ("blackjack", "main")]
)
def test_betting_by_history_in_every_shape_of_game(game: str, on: str) -> None:
    """Flat stakes are the wager itself; a progression changes what is staked and how far it spreads, and no edge."""
    rules = croupier.ruleset("nz1996", game=game, elections={"super_sevens": False} if game == "blackjack" else {})
    flat = croupier.simulate(rules, rounds=60_000, strategy=f"flat:on={on}")
    assert flat.betting is not None
    assert flat.betting.edge == pytest.approx(flat.line(on).edge, abs=1e-12)
    doubled = croupier.simulate(rules, rounds=60_000, strategy=f"martingale:on={on},maximum=16", session=100)
    betting = doubled.betting
    assert betting is not None
    assert betting.largest == 16
    assert betting.deviation > flat.betting.deviation
    assert betting.edge == pytest.approx(flat.betting.expected or betting.edge, abs=4.5 * betting.error)
    assert doubled.sessions is not None
    assert doubled.sessions.mean == pytest.approx(betting.net / betting.coups * 100, abs=1e-9)
    stopped = croupier.simulate(
        rules, rounds=20_000, strategy=f"martingale:on={on},maximum=16,stop_loss=20,win_goal=10", session=100
    )
    assert stopped.betting is not None
    assert stopped.betting.coups < 20_000
    with pytest.raises(ValueError, match="is of a session"):
        croupier.simulate(rules, rounds=10, strategy="paroli:stop_loss=5")
