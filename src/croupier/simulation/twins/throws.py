"""The slow path of wheels, dice and craps: the words of a unit reckoned in plain Python, and played by `round.happen`.

`numbers` says what a unit's words come to, without any compiled code.  `compare_draws` lets every wager of a game of
single draws stand on those draws; a draw that was met before is remembered.  `compare_throws` carries plans of wagers
out throw by throw, each by a bettor of its own at the same table: what stands is seen, the plan speaks, the rules
accept or refuse, the dice fall.  Both list every wager whose ends the kernel counted differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeAlias

from msgspec.structs import replace as changed

from croupier.exact.automaton import STAKE
from croupier.exact.pricing import pricing
from croupier.game import Fact, Refusal, Wager, granted
from croupier.games.craps import CRAPS
from croupier.law.ruleset import Ruleset
from croupier.round import AnyRound, happen, open_round, place
from croupier.rulesets import known_game
from croupier.simulation import kernels
from croupier.simulation.craps import Plan, Sight, keep_up
from croupier.simulation.draws import tickets_of
from croupier.simulation.plan import BinEnding, Chunk, Simulated, always, run_chunk
from croupier.simulation.settled import ending, net_of
from croupier.simulation.streams import WORDS_LOG, keys_of, numbers_of, plain_word

Ends: TypeAlias = Counter[tuple[str, BinEnding]]
THROWS_A_WORD: Final = 10
PAIRS_A_WORD: Final = 4
"""Draws come in pairs, numbers below the square of the tickets: so many in a word, or half of it where it is large."""
LARGE: Final = 8192
THROWS: Final = 500
"""Throws in a unit that is compared: a limit within the kernel's block."""


@dataclass(frozen=True, slots=True)
class ThrowsCompared:
    """How many draws or throws were played both ways, how many wagers were decided in them, and what differed."""

    rounds: int
    decided: int
    differences: tuple[str, ...]


def numbers(seed: int, unit: int, ranges: list[int]) -> Iterator[int]:
    """The numbers below these ranges that the words of a unit stand for, word after word."""
    k0, k1 = (int(key) for key in keys_of(seed))
    for place_of in range(1 << WORDS_LOG):
        yield from numbers_of(plain_word((k0, k1), (unit << WORDS_LOG) + place_of), ranges, 64) or ()


def kernel_ends(game: Simulated, counts: Any) -> Ends:
    """What a tally says of each wager."""
    ends: Ends = Counter()
    for row in game.rows:
        for how, times in zip(row.endings, counts[row.first : row.first + len(row.endings)].tolist(), strict=True):
            if how is not None and times:
                ends[row.wager, how] += times
    return ends


def unlike(kernel: Ends, play: Ends) -> Iterator[str]:
    """What was counted differently, in words."""
    for key in sorted({*kernel, *play}, key=repr):
        if kernel[key] != play[key]:
            yield f"{key[0]} {key[1].result}: {kernel[key]} times, by the rules {play[key]}"


# ---------------------------------------------------------------- single draws


def tickets_drawn(tickets: int, seed: int, unit: int) -> Iterator[int]:
    """The tickets of a unit, draw by draw."""
    together = PAIRS_A_WORD if tickets**2 < LARGE else PAIRS_A_WORD // 2
    for both in numbers(seed, unit, [tickets**2] * together):
        yield from divmod(both, tickets)


def compare_draws(
    ruleset: Ruleset[Any], game: Simulated, *, rounds: int, seed: int = 1, goes_on: Callable[[int], bool] = always
) -> ThrowsCompared:
    """The kernel's draws with every wager of the game on them."""
    played = known_game(ruleset.game)
    tickets = tickets_of(played, ruleset.rules)
    known: dict[int, Ends] = {}
    differences: list[str] = []
    decided = done = 0
    for unit, first in enumerate(range(0, rounds, kernels.BLOCK)):
        many = min(kernels.BLOCK, rounds - first)
        ends: Ends = Counter()
        for ticket, times in Counter(islice(tickets_drawn(len(tickets), seed, unit), many)).items():
            if ticket not in known:
                known[ticket] = _drawn(ruleset, tickets[ticket])
            ends.update({key: n * times for key, n in known[ticket].items()})
        counted = run_chunk(game.program, Chunk(seed, unit, 1, many))
        differences += [f"block {unit}: {words}" for words in unlike(kernel_ends(game, counted.counts), ends)]
        decided += ends.total()
        done = first + many
        if not goes_on(done):
            break
    return ThrowsCompared(done, decided, tuple(differences))


def _drawn(ruleset: Ruleset[Any], fact: Fact) -> Ends:
    """How every wager ends by a draw, each of a bettor of its own."""
    game = known_game(ruleset.game)
    wagers = tuple(Wager(name, STAKE, by=name) for name in game.wagers(ruleset.rules))
    after = granted(happen(granted(place(open_round(game, ruleset.rules), wagers)), fact))
    return Counter({(entry.wager.on, ending(entry.resolution)): 1 for entry in after.book if entry.resolution})


# ---------------------------------------------------------------- craps


def every_wager(rules: Any) -> dict[str, Plan]:
    """Each wager of craps kept up by a bettor of its own, who has beside it what it follows."""
    return {
        name: keep_up(CRAPS, rules, {**dict.fromkeys(pricing(CRAPS.name, name).beside, 1), name: 1})
        for name in CRAPS.wagers(rules)
    }


def compare_throws(
    ruleset: Ruleset[Any],
    game: Simulated,
    plans: Mapping[str, Plan],
    *,
    rounds: int,
    seed: int = 1,
    goes_on: Callable[[int], bool] = always,
) -> ThrowsCompared:
    """Plans of several bettors by the kernel's dice; of a bettor named like a wager only that wager is looked at."""
    differences: list[str] = []
    decided = done = 0
    for unit, first in enumerate(range(0, rounds, THROWS)):
        many = min(THROWS, rounds - first)
        ends = thrown(ruleset, plans, seed=seed, unit=unit, rounds=many)
        counted = run_chunk(game.program, Chunk(seed, unit, 1, many))
        differences += [f"unit {unit}: {words}" for words in unlike(kernel_ends(game, counted.counts), ends)]
        decided += ends.total()
        done = first + many
        if not goes_on(done):
            break
    return ThrowsCompared(done, decided, tuple(differences))


def thrown(ruleset: Ruleset[Any], plans: Mapping[str, Plan], *, seed: int, unit: int, rounds: int) -> Ends:
    """How the wagers of these bettors end; after the last round nothing is placed, and the dice go on."""
    tickets = tickets_of(CRAPS, ruleset.rules)
    dice = numbers(seed, unit, [len(tickets)] * THROWS_A_WORD)
    named = set(CRAPS.wagers(ruleset.rules))
    this, ends = open_round(CRAPS, ruleset.rules), Counter[tuple[str, BinEnding]]()
    for ticket in islice(dice, rounds):
        this = _all_placed(this, plans)
        this = _decided(granted(happen(this, tickets[ticket])), named, ends)
    # What is thrown out at the end begins with a fresh word.
    list(islice(dice, -rounds % THROWS_A_WORD))
    while this.standing:
        this = _decided(granted(happen(this, tickets[next(dice)])), named, ends)
    return ends


def _all_placed(this: AnyRound, plans: Mapping[str, Plan]) -> AnyRound:
    """Every bettor's plan carried out; what the rules refuse is not placed."""
    point = this.state.point if this.state.point in this.rules.points.value else None
    held: dict[str, tuple[Wager, ...]] = {}
    for wager in this.standing:
        held[wager.by] = (*held.get(wager.by, ()), wager)
    for bettor, plan in plans.items():
        for name, units in plan(Sight(point, held.get(bettor, ()))):
            placed = place(this, (Wager(name, units * STAKE, by=bettor),))
            this = this if isinstance(placed, Refusal) else placed
    return this


def _decided(this: AnyRound, named: set[str], ends: Ends) -> AnyRound:
    """Count what was decided, and take it out of the book, which would grow with every throw."""
    for entry in this.book:
        wager, how = entry.wager, entry.resolution
        if how is not None and (wager.by == wager.on or wager.by not in named):
            ends[wager.on, BinEnding(how.result, net_of(how, wager), how.rule)] += 1
    kept = tuple(entry for entry in this.book if entry.resolution is None)
    return changed(this, book=kept, start=kept)
