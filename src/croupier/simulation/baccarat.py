"""Baccarat for the kernels: a table with its shoe, its wagers, and the bins in which they are counted.

Theory of operation.  `coups` makes the tables; here they become a program with the bins of a histogram, and rows that
say what the bins mean.

The shoe follows the edition: the burn, the place of the cutting card, how many coups follow it; a continuous shuffler
has all cards back before each coup.  The cut itself changes nothing in cards that are mixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, Final

import numpy as np

from croupier.equipment import full_shoe, rank
from croupier.exact.automaton import build
from croupier.exact.pricing import PLAIN, pricing
from croupier.exact.sheet import by_symbol
from croupier.exact.ways import count_ways, worth
from croupier.game import AnyGame, Resolution
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.rules import BANKER, BaccaratRules
from croupier.law.model import present
from croupier.law.ruleset import Ruleset
from croupier.simulation import kernels, sessions
from croupier.simulation.coups import BITS, RunTables, codes_of, fold, pair_table, run_tables
from croupier.simulation.exactly import exact_rows
from croupier.simulation.plan import Ending, Exact, Ints, Program, Row, Settings, Simulated, Table
from croupier.simulation.settled import ending, net_of

MOST_BURNED: Final = 11


# ---------------------------------------------------------------- the shoe


@dataclass(frozen=True, slots=True)
class Shoe:
    """Where the cutting card lies, and how many coups follow it; `burned` is by the rank of the first card."""

    cut: int
    after: int
    first: int
    burned: tuple[int, ...]
    continuous: bool


def shoe_of(rules: BaccaratRules, behind: int | None) -> Shoe:
    ceremony = rules.ceremony
    cards = 52 * rules.decks.value.elected
    depth, fanned = ceremony.end_depth, ceremony.end_fanned
    least = depth.value.cards - depth.value.about
    chosen = depth.value.cards if behind is None else behind
    permitted = least <= chosen or (present(fanned) and chosen == fanned.value)
    if not permitted or chosen > cards - MOST_BURNED - kernels.DEAL:
        raise ValueError(
            f"the cutting card {chosen} from the back: at least {least}, and room for a coup ({depth.rule})"
        )
    return Shoe(
        cut=cards - chosen,
        after=ceremony.rounds_after.value,
        first=ceremony.rounds_if_first.value,
        burned=_burned(rules),
        continuous=rules.shuffler.value.elected == "continuous",
    )


def _burned(rules: BaccaratRules) -> tuple[int, ...]:
    """How many cards are burned, by the rank of the first: one, or one and its value, unless a player asks."""
    acts = [law.value for law in rules.ceremony.loading]
    if any(act.act == "burn one face down" for act in acts):
        return (1,) * 13
    values = rules.ceremony.burn_values.value
    return tuple(1 + value for value in values)


# ---------------------------------------------------------------- the program


def simulated(ruleset: Ruleset[Any], settings: Settings) -> Simulated:
    """Every wager of a rule set of baccarat, played by shoes."""
    return _Table(BACCARAT, ruleset, settings).simulated()


class _Table:
    """What a table offers, and the bins in which it is counted; an object because its parts share the bins."""

    def __init__(self, game: AnyGame, ruleset: Ruleset[Any], settings: Settings) -> None:
        if settings.strategy:
            raise ValueError(f"unknown strategy {settings.strategy!r:.60}: nothing is to be decided in baccarat")
        if settings.boxes != 1:
            raise ValueError(f"boxes: {settings.boxes!r:.20} where baccarat has one coup for all")
        self.game, self.ruleset, self.settings = game, ruleset, settings
        rules = ruleset.rules
        names = game.wagers(rules)
        self.plain = [name for name in names if pricing(game.name, name) == PLAIN]
        self.waiting = [name for name in names if pricing(game.name, name).beside]
        self.pairs = [name for name in names if pricing(game.name, name).exact_cards]
        self.runs = [name for name in names if pricing(game.name, name).coups] if not settings.session else []
        self.automaton = build(game, rules, at_start=self.plain, later=self.waiting)
        self.by_card = build(game, rules, at_start=self.pairs, exact_cards=True) if self.pairs else None
        self.coups = fold(self.automaton)
        self.codes = codes_of(game, rules)
        self.shoe = shoe_of(rules, settings.behind)
        self.rows: list[Row] = []
        self.bins = len(self.coups.ends)

    def simulated(self) -> Simulated:
        pair, kinds = self._pairs()
        run, run_at, tail_at = self._runs()
        for index, name in enumerate(self.coups.wagers):
            endings = tuple(_maybe(decided[index]) for decided in self.coups.ends)
            self.rows.append(Row(name, 0, endings))
        order = {name: n for n, name in enumerate(self.game.wagers(self.ruleset.rules))}
        rows = tuple(sorted(self.rows, key=lambda row: order[row.wager]))
        grains, nets = self._nets(kinds)
        figures = self._sessions(grains, nets)
        numbers = np.zeros(13, dtype=np.int64)
        numbers[[kernels.CUT, kernels.AFTER, kernels.FIRST]] = self.shoe.cut, self.shoe.after, self.shoe.first
        numbers[[kernels.PAIRS, kernels.RUNS]] = bool(self.pairs), bool(self.runs)
        numbers[[kernels.PAIR_AT, kernels.RUN_AT, kernels.TAIL_AT]] = len(self.coups.ends), run_at, tail_at
        numbers[[kernels.CONTINUOUS, 12]] = self.shoe.continuous, len(self.coups.ends)
        if figures:
            numbers[[kernels.SESSION, kernels.SESSION_AT, kernels.WIDTH]] = figures.rounds, figures.first, figures.width
        tables = (self._pack(), self.coups.four, self.coups.rest, self._burn(), pair, nets, numbers)
        return Simulated(
            program=self._program((*tables, run.following, run.tail_of, run.tail_following)),
            rows=rows,
            exact=self._exact,
            notes=self._notes(),
            outcomes=self._outcomes(),
            sessions=figures,
        )

    def _program(self, tables: tuple[Table, ...]) -> Program:
        numbers = tables[6]
        simple = not (self.pairs or self.runs or self.shoe.continuous or numbers[kernels.SESSION])
        session = int(numbers[kernels.SESSION])
        mean = session or (kernels.BLOCK if self.shoe.continuous else (self.shoe.cut + 1) / 4.94)
        kernel = kernels.play_shoes if simple else kernels.play_tables
        return Program(kernel, tables, self.bins, max(1, int(1_500_000 / mean)), mean)

    def _pairs(self) -> tuple[Table, tuple[Resolution, ...]]:
        if self.by_card is None:
            return np.zeros((1, 1), dtype=np.uint8), ()
        (name,) = self.pairs
        table, kinds = pair_table(self.by_card, self.codes)
        self.rows.append(Row(name, self.bins, tuple(_maybe(kind) for kind in kinds)))
        self.bins += len(kinds)
        return table, kinds

    def _runs(self) -> tuple[RunTables, int, int]:
        """The automaton of Runs with the places of its bins."""
        if not self.runs:
            nothing = np.zeros(1, dtype=np.int64)
            return RunTables(nothing, nothing, nothing, (), ()), 0, 0
        tables = run_tables(self.game, self.ruleset.rules, self.runs, self.coups)
        at, tail_at = self.bins, self.bins + len(tables.decided)
        self.bins = tail_at + len(tables.tail_decided)
        together = (*tables.decided, *tables.tail_decided)
        for index, name in enumerate(self.runs):
            policy = "Banker each coup" if name.startswith("combination") else ""
            self.rows.append(Row(name, at, tuple(_maybe(decided[index]) for decided in together), policy))
        return tables, at, tail_at

    def _nets(self, kinds: tuple[Resolution, ...]) -> tuple[int, Ints]:
        """What a coup comes to for the bettor of a session, in grains: by end, then by kind of pair."""
        staked = self._staked()
        places = [
            sum(
                (
                    Fraction(units) * _net(decided[self.coups.wagers.index(name)])
                    for name, units in staked.items()
                    if name in self.coups.wagers
                ),
                Fraction(0),
            )
            for decided in self.coups.ends
        ]
        pair = sum((units for name, units in staked.items() if name in self.pairs), 0)
        places += [pair * _net(kind) for kind in kinds]
        grains = lcm(*(net.denominator for net in places))
        return grains, np.array([int(net * grains) for net in places], dtype=np.int64)

    def _staked(self) -> Mapping[str, int]:
        staked = self.settings.wagers or {BANKER: 1}
        for name, units in staked.items():
            if name not in (*self.coups.wagers, *self.pairs):
                known = ", ".join((*self.coups.wagers, *self.pairs))
                raise ValueError(f"{name!r:.60} is not staked in a session here; known are {known}")
            if type(units) is not int or units < 1:
                raise ValueError(f"{name}: the stake is a whole number of units, 1 or more: {units!r:.20}")
        return staked

    def _sessions(self, grains: int, nets: Ints) -> sessions.Bins | None:
        if not self.settings.session:
            return None
        largest = float(np.abs(nets).max()) / grains
        # A coup's net seldom deviates by more than its largest; long odds are rare in proportion.
        width = sessions.width_for(
            grains, self.settings.session, sqrt(max(1.0, largest)) * sum(self._staked().values())
        )
        first = self.bins
        self.bins += sessions.SIZE
        staked = np.full(len(self.coups.ends), float(sum(self._staked().values())))
        return sessions.Bins(first, grains, width, self.settings.session, staked)

    def _pack(self) -> Table:
        """A shoe in order; without pairs the cards of a symbol are one."""
        low = 255 if self.pairs else (1 << BITS) - 1
        decks = self.game.decks(self.ruleset.rules)
        return np.array([code & low for code in self.codes] * decks, dtype=np.uint8)

    def _burn(self) -> Table:
        """How many cards are burned, by the byte of the first."""
        burned = np.zeros(256, dtype=np.uint8)
        for card, code in enumerate(self.codes):
            number = self.shoe.burned[rank(card)]
            for place in (code, code & ((1 << BITS) - 1)):
                if burned[place] not in (0, number):
                    raise ValueError("cards of one symbol ask for different burns")
                burned[place] = number
        return burned

    def _exact(self) -> Mapping[tuple[str, str], Exact]:
        """The odds of a full shoe, from the automata that are made already; Runs have an engine of their own."""
        if self.runs and not self.settings.quick:
            return exact_rows(self.game, self.ruleset)
        found: dict[tuple[str, str], Exact] = {}
        shoe = full_shoe(self.game.decks(self.ruleset.rules))
        for automaton in filter(None, (self.automaton, self.by_card)):
            held = by_symbol(self.game, self.ruleset.rules, shoe, exact_cards=automaton is self.by_card)
            ways = count_ways(automaton, held)
            lines = [worth(ways, name) for name in automaton.wagers]
            found |= {(line.wager, ""): Exact(-line.edge, line.variance) for line in lines}
        return found

    def _notes(self) -> tuple[str, ...]:
        decks = self.game.decks(self.ruleset.rules)
        if self.shoe.continuous:
            return (f"{decks} decks in a continuous shuffler: every coup is dealt from all cards",)
        behind = 52 * decks - self.shoe.cut
        notes = [f"whole shoes of {decks} decks, the cutting card {behind} from the back"]
        burned = "one card" if set(self.shoe.burned) == {1} else "one card and its value"
        notes.append(
            f"burned: {burned}; coups after the one with the cutting card: {self.shoe.after}, "
            f"if it came first: {self.shoe.first}"
        )
        if self.runs:
            notes.append("a Run that is decided is placed again at once; open ones carry over to the next shoe")
            if self.settings.quick:
                notes.append("the exact odds of Runs take seconds, and are told beside longer simulations")
        return tuple(notes)

    def _outcomes(self) -> dict[str, tuple[int, ...]]:
        """Which main wager won: the plain counts."""
        found: dict[str, tuple[int, ...]] = {}
        for end, decided in enumerate(self.coups.ends):
            winners = [
                name
                for name, how in zip(self.coups.wagers, decided, strict=True)
                if name in self.ruleset.rules.bets and how is not None and _net(how) > 0
            ]
            label = " and ".join(winners) or "none"
            found[label] = (*found.get(label, ()), end)
        return found


def _maybe(decided: Resolution | None) -> Ending | None:
    return None if decided is None else ending(decided)


def _net(decided: Resolution | None) -> Fraction:
    return Fraction(0) if decided is None else net_of(decided)
