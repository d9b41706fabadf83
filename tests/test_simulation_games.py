"""Wheels, dice and craps: the kernels against play by the rules on the same draws; every wager within five sigma."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from croupier.equipment import DICE_TWO
from croupier.exact.automaton import STAKE
from croupier.game import DiceFell, Refusal, Wager
from croupier.games.craps import CRAPS
from croupier.law.ruleset import Ruleset
from croupier.round import AnyRound, happen, open_round, place
from croupier.rulesets import known_game, ruleset
from croupier.simulation import craps, draws, kernels
from croupier.simulation.craps import STRATEGIES, Plan, Sight, keep_up
from croupier.simulation.plan import Chunk, Ending, Settings, Simulated, run_chunk
from croupier.simulation.run import simulate
from croupier.simulation.settled import net_of
from croupier.simulation.streams import WORDS_LOG, keys_of, numbers_of, plain_word

SINGLE = ("roulette", "tai_sai", "money_wheel")
DICE = len(DICE_TWO.outcomes)


@cache
def rules_of(game: str) -> Ruleset[Any]:
    return ruleset("nz1996", game=game)


def plain_numbers(seed: int, unit: int, ranges: list[int], words: int) -> list[int]:
    """The numbers of a unit's words, reckoned in plain Python."""
    k0, k1 = (int(key) for key in keys_of(seed))
    found: list[int] = []
    for place_of in range(words):
        numbers = numbers_of(plain_word((k0, k1), (unit << WORDS_LOG) + place_of), ranges, 64)
        found += numbers or ()
    return found


# ---------------------------------------------------------------- single draws


@pytest.mark.parametrize("name", SINGLE)
def test_the_tickets_are_those_of_the_words(name: str) -> None:
    game = draws.simulated(rules_of(name), Settings())
    tickets = game.program.bins
    together = 4 if tickets**2 < 8192 else 2
    both = plain_numbers(9, 5, [tickets**2] * together, 300)
    drawn = [ticket for number in both for ticket in divmod(number, tickets)]
    for limit in (1, 2, 7, 8, 9, 1000):
        tally = run_chunk(game.program, Chunk(9, 5, 1, limit))
        assert tally.rounds == limit
        assert list(tally.counts) == [Counter(drawn[:limit])[ticket] for ticket in range(tickets)]


@pytest.mark.parametrize("name", SINGLE)
def test_whole_blocks_are_counted_like_single_draws(name: str) -> None:
    game = draws.simulated(rules_of(name), Settings())
    tally = run_chunk(game.program, Chunk(2, 7, 3))
    drawn = np.zeros(kernels.BLOCK, dtype=np.int64)
    counted = np.zeros(game.program.bins, dtype=np.int64)
    for block in (7, 8, 9):
        kernels.draws_of(game.program.bins, *keys_of(2), block, drawn)
        counted += np.bincount(drawn, minlength=game.program.bins)
    assert list(tally.counts) == list(counted)
    assert tally.rounds == 3 * kernels.BLOCK


@pytest.mark.parametrize("name", SINGLE)
def test_each_ticket_settles_wagers_as_a_round_does(name: str) -> None:
    rules, played = rules_of(name), known_game(name)
    game = draws.simulated(rules, Settings())
    tickets = draws.tickets_of(played, rules.rules)
    for row in game.rows[:: 1 + len(game.rows) // 25]:
        for ticket in range(0, len(tickets), 5):
            this = place(open_round(played, rules.rules), (Wager(row.wager, STAKE),))
            assert not isinstance(this, Refusal)
            after = happen(this, tickets[ticket])
            assert not isinstance(after, Refusal)
            (entry,) = after.book
            assert entry.resolution is not None
            expected = Ending(entry.resolution.result, net_of(entry.resolution), entry.resolution.rule)
            assert row.endings[ticket] == expected


@pytest.mark.parametrize("name", SINGLE)
def test_every_wager_of_a_single_draw_is_within_five_sigma(name: str) -> None:
    result = simulate(rules_of(name), rounds=20_000_000, seed=77)
    assert {line.wager for line in result.lines} == set(known_game(name).wagers(rules_of(name).rules))
    assert [(line.wager, line.z) for line in result.lines if line.z is None or abs(line.z) > 5] == []


def test_sessions_of_roulette_keep_the_bettors_money() -> None:
    settings = Settings(session=50, wagers={"red": 1, "straight:17": 2})
    result = simulate(rules_of("roulette"), rounds=1_000_000, seed=4, settings=settings)
    figures = result.sessions
    assert figures is not None
    assert figures.sessions == 20_000
    assert abs(figures.mean - 50 * 3 * (-1 / 37)) < 5 * figures.deviation / figures.sessions**0.5
    assert figures.ruin[0] == (0.0, 1.0)


# ---------------------------------------------------------------- craps


def plan_twin(rules: Any, plan: Plan, throws: list[int], rounds: int) -> Counter[tuple[str, Ending]]:
    """The plan carried out by `place` and `happen`, throw by throw; at last what stands is thrown out."""
    ends: Counter[tuple[str, Ending]] = Counter()
    this: AnyRound = open_round(CRAPS, rules)
    for number, ticket in enumerate(throws):
        if number < rounds:
            point = this.state.point if this.state.point in rules.points.value else None
            for name, units in plan(Sight(point, this.standing)):
                placed = place(this, (Wager(name, units * STAKE, by="bettor"),))
                this = this if isinstance(placed, Refusal) else placed
        elif not this.standing:
            return ends
        before = [entry.resolution for entry in this.book]
        after = happen(this, DiceFell(DICE_TWO.outcomes[ticket]))
        assert not isinstance(after, Refusal)
        for old, entry in zip(before, after.book, strict=True):
            if old is None and entry.resolution is not None:
                how = entry.resolution
                ends[entry.wager.on, Ending(how.result, net_of(how, entry.wager), how.rule)] += 1
        this = after
    raise AssertionError("wagers stand after all throws")


def counted(game: Simulated, counts: Any) -> Counter[tuple[str, Ending]]:
    ends: Counter[tuple[str, Ending]] = Counter()
    for row in game.rows:
        for how, times in zip(row.endings, counts[row.first : row.first + len(row.endings)].tolist(), strict=True):
            if how is not None and times:
                ends[row.wager, how] += times
    return ends


def all_out(sight: Sight) -> list[tuple[str, int]]:
    """A plan of a user's own: a second Come once the first has its number, and a Lay bet."""
    comes = [each for each in sight.standing if each.on == "come"]
    moved = all(each.seen for each in comes)
    wanted = [("pass", 2)] if sight.point is None and not sight.units("pass") else []
    if sight.point is not None and len(comes) < 2 and moved:
        wanted.append(("come", 1))
    return [*wanted, *((name, 1) for name in ("lay:10",) if not sight.units(name))]


@pytest.mark.parametrize("strategy", [*STRATEGIES, all_out], ids=lambda each: getattr(each, "__name__", str(each)))
def test_a_plan_is_played_as_the_rules_play_it(strategy: Any) -> None:
    rules = rules_of("craps")
    game = craps.simulated(rules, Settings(strategy=strategy))
    plan = strategy if callable(strategy) else keep_up(CRAPS, rules.rules, STRATEGIES[strategy])
    for rounds in (1, 10, 300, 301):
        tally = run_chunk(game.program, Chunk(31, 6, 1, rounds))
        assert tally.rounds == rounds
        # What is thrown out at the end begins with a fresh word.
        words = -(-rounds // 10)
        throws = plain_numbers(31, 6, [DICE] * 10, words)[:rounds]
        throws += plain_numbers(31, 6, [DICE] * 10, words + 60)[10 * words :]
        assert counted(game, tally.counts) == plan_twin(rules.rules, plan, throws, rounds)


def test_each_wager_by_itself_is_played_as_the_rules_play_it() -> None:
    rules = rules_of("craps")
    game = craps.simulated(rules, Settings())
    tally = run_chunk(game.program, Chunk(3, 2, 1, 400))
    throws = plain_numbers(3, 2, [DICE] * 10, 100)
    found = counted(game, tally.counts)
    for name in ("pass", "come", "lay:4", "field", "hardway:8", "horn"):
        ends = plan_twin(rules.rules, keep_up(CRAPS, rules.rules, {name: 1}), throws, 400)
        assert {key: n for key, n in found.items() if key[0] == name} == dict(ends)


def test_every_wager_of_craps_is_within_five_sigma() -> None:
    result = simulate(rules_of("craps"), rounds=3_000_000, seed=12)
    assert {line.wager for line in result.lines} == set(CRAPS.wagers(rules_of("craps").rules))
    assert [(line.wager, line.z) for line in result.lines if line.z is None or abs(line.z) > 5] == []


def test_sessions_of_a_plan_keep_the_bettors_money() -> None:
    settings = Settings(strategy="pass_with_odds", session=60)
    result = simulate(rules_of("craps"), rounds=1_200_000, seed=8, settings=settings, exact=False)
    figures = result.sessions
    assert figures is not None
    assert figures.sessions == 20_000
    total = sum(float(count.ending.net) * count.times for line in result.lines for count in line.counts)
    assert figures.mean * figures.sessions == pytest.approx(total)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(strategy="martingale"), "unknown strategy 'martingale'; known are pass,"),
        (Settings(strategy={"pass": 0}), "pass: the stake is a whole number of units"),
        (Settings(strategy={"passe": 1}), "'passe' is not a wager here"),
        (Settings(strategy=7), "a strategy of craps is"),
        (Settings(strategy="pass", wagers={"pass": 1}), "a strategy or stakes, not both"),
        (Settings(boxes=2), "neither boxes nor"),
    ],
)
def test_what_craps_does_not_know_is_named(settings: Settings, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        craps.simulated(rules_of("craps"), settings)


def test_a_plan_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(craps, "MOST_POSITIONS", 300)
    with pytest.raises(ValueError, match="more than 300 positions"):
        craps.simulated(rules_of("craps"), Settings(strategy=lambda _: [("come", 1), ("pass", 1)]))


@pytest.mark.parametrize("name", SINGLE)
def test_a_game_without_choices_knows_no_strategy(name: str) -> None:
    with pytest.raises(ValueError, match="unknown strategy 'martingale'"):
        draws.simulated(rules_of(name), Settings(strategy="martingale"))
