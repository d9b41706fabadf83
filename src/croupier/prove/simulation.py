"""The kernels play as the rules do: the same cards, draws and throws through compiled tables and by `round.happen`.

Every game is played both ways, and what every wager came to must be the same in each unit of play:

- baccarat: whole shoes of every edition and version, as the kernel mixed them; Runs in one shoe of a hundred;
- blackjack: rounds under each reading of NZ1996-II-11.7 with choices at random, and three boxes that play differently;
- Caribbean stud: rounds of one, three and seven boxes with a jackpot, the cards dealt by either device;
- craps: throws with every wager kept up by a bettor of its own, and with each of the named plans;
- roulette, tai-sai, money wheel: draws with every wager of the game on them.

There are 100,000 of each unless asked otherwise.  A control for each game plays with one table of the kernel changed,
and must be found out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from croupier.exact.blackjack.lattice import Lattice
from croupier.exact.blackjack.terms import terms
from croupier.exact.caribbean_stud import STRATEGIES as STUD_STRATEGIES
from croupier.exact.caribbean_stud import Strategy, StudPlay, play
from croupier.games import GAMES
from croupier.games.craps import CRAPS
from croupier.law.ruleset import Ruleset
from croupier.prove import ProofScope, Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.rulesets import every_ruleset, known_game, ruleset
from croupier.simulation import baccarat, craps, draws
from croupier.simulation import blackjack as blackjack_tables
from croupier.simulation.blackjack import twin as blackjack_twin
from croupier.simulation.blackjack.tables import DEALER_TABLE, SimulatedTable, lattice_of
from croupier.simulation.plan import Program, SimulationSettings, Table
from croupier.simulation.stud import StudTable
from croupier.simulation.stud import kernel as stud_kernel
from croupier.simulation.stud import twin as stud_twin
from croupier.simulation.twins import coups as twin
from croupier.simulation.twins import throws as twin_throws

UNITS: Final = 100_000
RUNS_EVERY: Final = 100
RANDOM_PLANS: Final = 4
POOL_CENTS: Final = 50_000_00
STAKE_CENTS: Final = 2_50
SEVEN_BOXES: Final = 10
"""Rounds of seven boxes are one of so many."""


@dataclass(slots=True)
class PlayedBothWays:
    """How many units of something were played both ways; whoever plays asks after each whether it goes on."""

    name: str
    of: int
    tell: Tell
    time: Allowance
    done: int = 0

    def __call__(self, done: int) -> bool:
        self.done = done
        self.tell(done, self.of, self.name)
        return self.time.goes_on(self.name, done, self.of)


@dataclass(frozen=True, slots=True)
class Same:
    """What was played both ways: how many of what, and what differed."""

    name: str
    counts: Mapping[str, int]
    differences: tuple[str, ...]

    @property
    def line(self) -> str:
        counts = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        return f"{self.name}: {counts}, {len(self.differences)} differences"


@dataclass(frozen=True, slots=True)
class Comparing:
    """Asked for a count by who begins to play something both ways, one of so many parts that are still to be played."""

    tell: Tell
    time: Allowance

    def __call__(self, name: str, of: int, *, parts: int = 1) -> PlayedBothWays:
        return PlayedBothWays(name, of, self.tell, self.time.share(parts))


Compare: TypeAlias = Callable[[Ruleset[Any], int, Comparing], Iterator[Same]]
"""Play a rule set both ways, so many units; each kind of them is told by name, and counted."""


@dataclass(frozen=True, slots=True)
class Twin:
    """How a game is compared, and whether its kernel with a changed table is found out."""

    compare: Compare
    control: Callable[[Ruleset[Any]], bool]


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    games = [known_game(scope.game)] if scope.game else list(GAMES.values())
    chosen = [each for each in every_ruleset(games) if scope.edition in ("", each.edition)]
    if not chosen:
        raise ValueError(f"no {scope.game or 'game'} in the edition {scope.edition!r:.40}")
    found: dict[str, list[Same]] = {}
    controls: dict[str, bool] = {}
    for number, rules in enumerate(chosen):
        time = scope.time.share(len(chosen) - number)
        compared = TWINS[rules.game].compare(rules, scope.sample or UNITS, Comparing(tell, time))
        found.setdefault(rules.game, []).extend(compared)
    for rules in chosen:
        if rules.game not in controls:
            controls[rules.game] = TWINS[rules.game].control(rules)
    proved = all(controls.values()) and not any(each.differences for same in found.values() for each in same)
    return Verdict(proved, _answer(found, controls, proved=proved), tuple(_lines(found, controls)))


def _answer(found: Mapping[str, list[Same]], controls: Mapping[str, bool], *, proved: bool) -> dict[str, Any]:
    games = {
        game: {
            "compared": {each.name: {**each.counts, "differences": list(each.differences)} for each in same},
            "control": controls[game],
        }
        for game, same in found.items()
    }
    return {"proved": proved, "games": games, "control": all(controls.values())}


def _lines(found: Mapping[str, list[Same]], controls: Mapping[str, bool]) -> Iterator[str]:
    for game, same in found.items():
        yield from (f"{game} {each.line}" for each in same)
        yield f"{game} control: a changed table of the kernel: {'caught' if controls[game] else 'NOT CAUGHT'}"


def _name(rules: Ruleset[Any], what: str = "") -> str:
    return f"{rules.edition}/{rules.version}{f', {what}' if what else ''}"


def _with_table(program: Program, number: int, wrong: Table) -> Program:
    return replace(program, tables=(*program.tables[:number], wrong, *program.tables[number + 1 :]))


def _exchanged(table: Table, one: int, other: int) -> Table:
    """The table with two of its entries exchanged."""
    wrong = np.array(table)
    wrong[[one, other]] = wrong[[other, one]]
    return wrong


# ---------------------------------------------------------------- baccarat


def _baccarat(rules: Ruleset[Any], shoes: int, begin: Comparing) -> Iterator[Same]:
    name = _name(rules)
    same = twin.compare(rules, shoes=shoes, runs_every=RUNS_EVERY, goes_on=begin(f"baccarat {name}", shoes))
    yield Same(name, {"shoes": same.shoes, "coups": same.coups}, same.differences)


def _baccarat_control(rules: Ruleset[Any]) -> bool:
    """The ends of all four-card positions but one kind taken for those of the first."""
    game = baccarat.simulated(rules, SimulationSettings(quick=True))
    four = game.program.tables[1]
    wrong = np.array(four)
    met = np.flatnonzero(four != four[0])
    wrong[met] = np.where(four[met] == four[met[0]], four[0], four[met])
    changed = replace(game, program=_with_table(game.program, 1, wrong))
    return bool(twin.compare(rules, shoes=3, game=changed).differences)


# ---------------------------------------------------------------- blackjack


def _blackjack(rules: Ruleset[Any], rounds: int, begin: Comparing) -> Iterator[Same]:
    parts = len(READINGS) * RANDOM_PLANS + 1
    for reading in READINGS:
        read = ruleset(rules.edition, game=rules.game, version=rules.version, readings={"dealer_blackjack": reading})
        name, each = _name(rules, f"random choices, {reading}"), -(-rounds // RANDOM_PLANS)
        wrong: list[str] = []
        rounds_played = 0
        for seed in range(RANDOM_PLANS):
            made, hands = _random_table(read, seed)
            on = begin(f"blackjack {name} {seed + 1}/{RANDOM_PLANS}", each, parts=parts)
            parts -= 1
            shoes = blackjack_twin.disagreements(read.rules, made, hands, shoes=each, seed=seed, rounds=1, goes_on=on)
            wrong += [f"plan {seed}: {shoe}" for shoe in shoes]
            rounds_played += on.done
        yield Same(name, {"rounds": rounds_played}, tuple(wrong))
    yield _three_boxes(rules, rounds, begin)


READINGS: Final = ("first_hand", "busted_plus_one", "original_only")


def _random_table(rules: Ruleset[Any], seed: int) -> tuple[SimulatedTable, Lattice]:
    held = terms(rules.rules)
    hands = lattice_of(held)
    settings = SimulationSettings(strategy=blackjack_twin.random_plan(held, hands, seed))
    plans = blackjack_tables.plans_of(rules.rules, settings)
    return blackjack_tables.table_of(rules.rules, plans, behind=0, settings=settings), hands


def _three_boxes(rules: Ruleset[Any], rounds: int, begin: Comparing) -> Same:
    settings = SimulationSettings(strategy=list(blackjack_tables.NAMES), boxes=len(blackjack_tables.NAMES))
    plans = blackjack_tables.plans_of(rules.rules, settings)
    made = blackjack_tables.table_of(rules.rules, plans, behind=0, settings=settings)
    name, hands = _name(rules, " and ".join(blackjack_tables.NAMES)), lattice_of(terms(rules.rules))
    on = begin(f"blackjack {name}", rounds)
    wrong = blackjack_twin.disagreements(rules.rules, made, hands, shoes=rounds, rounds=1, goes_on=on)
    return Same(name, {"rounds": on.done, "hands": on.done * len(plans)}, tuple(map(str, wrong)))


def _blackjack_control(rules: Ruleset[Any]) -> bool:
    """A dealer who takes a two that comes first for a three."""
    made, hands = _random_table(rules, 0)
    wrong = _exchanged(made.program.tables[DEALER_TABLE], 1, 2)
    changed = replace(made, program=_with_table(made.program, DEALER_TABLE, wrong))
    return bool(blackjack_twin.disagreements(rules.rules, changed, hands, shoes=200, rounds=1))


# ---------------------------------------------------------------- Caribbean stud


def _stud(rules: Ruleset[Any], rounds: int, begin: Comparing) -> Iterator[Same]:
    """Boxes that play the optimum and a rule of thumb by turns; who deals the cards changes neither."""
    ways = (play(rules.rules), play(rules.rules, _thumb()))
    bets = tuple(map(stud_twin.bets_by, ways))
    cases = ("shoe", 1), ("shuffler", 3), ("shoe", 7)
    for number, (device, boxes) in enumerate(cases):
        packs = rounds if boxes < 7 else -(-rounds // SEVEN_BOXES)
        elected = ruleset(rules.edition, game=rules.game, version=rules.version, elections={"device": device})
        turns = [box % len(ways) for box in range(boxes)]
        table = _stud_table(elected, [ways[turn] for turn in turns])
        name = _name(rules, f"{boxes} boxes, {device}" if boxes > 1 else f"one box, {device}")
        on = begin(f"caribbean_stud {name}", packs, parts=len(cases) - number)
        wrong = stud_twin.disagreements(table, [bets[turn] for turn in turns], packs=packs, goes_on=on)
        yield Same(name, {"rounds": on.done, "hands": on.done * boxes}, tuple(map(str, wrong)))


def _thumb() -> Strategy:
    return next(iter(STUD_STRATEGIES.values()))


def _stud_table(rules: Ruleset[Any], plays: Sequence[StudPlay]) -> StudTable:
    """A table with a jackpot."""
    return StudTable(rules.rules, tuple(plays), SimulationSettings(boxes=len(plays)), POOL_CENTS, STAKE_CENTS)


def _stud_control(rules: Ruleset[Any]) -> bool:
    """A dealer who qualifies with any hand."""
    way = play(rules.rules, _thumb())
    table = _stud_table(rules, [way])
    shape = np.array(table.program.tables[1])
    shape[stud_kernel.LEAST] = 0
    changed, bets = _with_table(table.program, 1, shape), stud_twin.bets_by(way)
    return bool(stud_twin.disagreements(table, [bets], packs=100, program=changed))


# ---------------------------------------------------------------- craps and single draws


def _craps(rules: Ruleset[Any], throws: int, begin: Comparing) -> Iterator[Same]:
    cases = {"every wager": (craps.simulated(rules, SimulationSettings()), twin_throws.every_wager(rules.rules))}
    for strategy, wanted in craps.STRATEGIES.items():
        game = craps.simulated(rules, SimulationSettings(strategy=strategy))
        cases[strategy] = (game, {craps.BETTOR: craps.keep_up(CRAPS, rules.rules, wanted)})
    for number, (what, (game, plans)) in enumerate(cases.items()):
        name = _name(rules, what)
        on = begin(f"craps {name}", throws, parts=len(cases) - number)
        same = twin_throws.compare_throws(rules, game, plans, rounds=throws, goes_on=on)
        yield Same(name, {"throws": same.rounds, "decisions": same.decided}, same.differences)


def _craps_control(rules: Ruleset[Any]) -> bool:
    """Two throws of a come out roll lead to each other's positions."""
    game = craps.simulated(rules, SimulationSettings(strategy="pass"))
    step, tickets = game.program.tables[0], len(draws.tickets_of(CRAPS, rules.rules))
    first = step[tickets : 2 * tickets]
    other = int(np.flatnonzero(first != first[0])[0])
    wrong = _exchanged(step, tickets, tickets + other)
    plans = {craps.BETTOR: craps.keep_up(CRAPS, rules.rules, craps.STRATEGIES["pass"])}
    changed = replace(game, program=_with_table(game.program, 0, wrong))
    return bool(twin_throws.compare_throws(rules, changed, plans, rounds=1_000).differences)


def _single(rules: Ruleset[Any], many: int, begin: Comparing) -> Iterator[Same]:
    game, name = draws.simulated(rules, SimulationSettings()), _name(rules)
    same = twin_throws.compare_draws(rules, game, rounds=many, goes_on=begin(f"{rules.game} {name}", many))
    yield Same(name, {"draws": same.rounds, "decisions": same.decided}, same.differences)


def _single_control(rules: Ruleset[Any]) -> bool:
    """Every draw settled as the one before it in the list of tickets."""
    game = draws.simulated(rules, SimulationSettings())
    rows = tuple(replace(row, endings=(row.endings[-1], *row.endings[:-1])) for row in game.rows)
    return bool(twin_throws.compare_draws(rules, replace(game, rows=rows), rounds=200).differences)


TWINS: Final[Mapping[str, Twin]] = {
    "baccarat": Twin(_baccarat, _baccarat_control),
    "blackjack": Twin(_blackjack, _blackjack_control),
    "caribbean_stud": Twin(_stud, _stud_control),
    "craps": Twin(_craps, _craps_control),
    "money_wheel": Twin(_single, _single_control),
    "roulette": Twin(_single, _single_control),
    "tai_sai": Twin(_single, _single_control),
}
