"""Baccarat for the kernels: a table with its shoe, its wagers, and the bins in which they are counted.

Theory of operation.  `coups` makes the tables; here they become a program with the bins of a histogram, and rows that
say what the bins mean.

The shoe follows the edition: the burn, the place of the cutting card, how many coups follow it; a continuous shuffler
has all cards back before each coup.  The cut itself changes nothing in cards that are mixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, Final

import numpy as np

from croupier.equipment import full_shoe, rank
from croupier.errors import unknown
from croupier.exact.automaton import build, symbols_of
from croupier.exact.pricing import PLAIN, pricing
from croupier.exact.sheet import by_symbol, paired
from croupier.exact.ways import count_ways, worth
from croupier.game import NORMAL, AnyGame, CardSeen, Resolution
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.own import pair_bets
from croupier.games.baccarat.rules import BANKER, BaccaratRules
from croupier.games.baccarat.runs import run_bet
from croupier.law.model import present
from croupier.law.ruleset import Ruleset
from croupier.simulation import kernels, lanes, sessions
from croupier.simulation.betting import (
    BettingStrategy,
    BettorBins,
    BettorTable,
    Knowledge,
    in_a_session,
    strategy_of,
    tabulate,
)
from croupier.simulation.count import coups as counted_coups
from croupier.simulation.count.systems import COUNTS, DECK, Counting, counting_of
from croupier.simulation.coups import BITS, KINDS, RunTables, chances, codes_of, fold, pair_ends, pair_table, run_tables
from croupier.simulation.exactly import exact_rows
from croupier.simulation.plan import BinEnding, Exact, Ints, PlanRow, Program, Simulated, SimulationSettings, Table
from croupier.simulation.settled import ending, net_of

MOST_BURNED: Final = 11


# ---------------------------------------------------------------- the shoe


@dataclass(frozen=True, slots=True)
class ShoePlan:
    """Where the cutting card lies, and how many coups follow it; `burned` is by the rank of the first card."""

    cut: int
    after: int
    first: int
    burned: tuple[int, ...]
    continuous: bool


def shoe_of(rules: BaccaratRules, behind: int | None) -> ShoePlan:
    ceremony = rules.ceremony
    cards = 52 * rules.decks.value.elected
    depth, fanned = ceremony.end_depth, ceremony.end_fanned
    least = depth.value.cards - depth.value.about
    chosen = depth.value.cards if behind is None else behind
    permitted = least <= chosen or (present(fanned) and chosen == fanned.value)
    if not permitted or chosen > cards - MOST_BURNED - lanes.DEAL:
        raise ValueError(
            f"the cutting card {chosen} from the back: at least {least}, and room for a coup ({depth.rule})"
        )
    return ShoePlan(
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


def simulated(ruleset: Ruleset[Any], settings: SimulationSettings) -> Simulated:
    """Every wager of a rule set of baccarat, played by shoes."""
    counting = counting_of(settings.strategy)
    if counting is not None:
        return _Table(BACCARAT, ruleset, settings).counted(counting)
    return _Table(BACCARAT, ruleset, settings).simulated()


class _Table:
    """What a table offers, and the bins in which it is counted; an object because its parts share the bins."""

    def __init__(self, game: AnyGame, ruleset: Ruleset[Any], settings: SimulationSettings) -> None:
        if settings.strategy and settings.wagers:
            raise ValueError("a strategy says what is staked; give no stakes beside it")
        if settings.boxes != 1:
            raise ValueError(f"boxes: {settings.boxes!r:.20} where baccarat has one coup for all")
        self.game, self.ruleset, self.settings = game, ruleset, settings
        rules = ruleset.rules
        names = game.wagers(rules)
        own = pair_bets(rules)
        self.plain = [name for name in names if pricing(game.name, name) == PLAIN and name not in own]
        self.waiting = [name for name in names if pricing(game.name, name).beside]
        self.pairs = [name for name in names if pricing(game.name, name).exact_cards or name in own]
        self.runs = [name for name in names if pricing(game.name, name).coups] if not settings.session else []
        self.automaton = build(game, rules, at_start=self.plain, later=self.waiting)
        self.coups = fold(self.automaton)
        self.codes = codes_of(game, rules)
        self.shoe = shoe_of(rules, settings.behind)
        self.rows: list[PlanRow] = []
        self.bins = len(self.coups.ends)

    def simulated(self) -> Simulated:
        pair, ends = self._pairs()
        run, run_at, tail_at = self._runs()
        for index, name in enumerate(self.coups.wagers):
            endings = tuple(_maybe(decided[index]) for decided in self.coups.ends)
            self.rows.append(PlanRow(name, 0, endings))
        order = {name: n for n, name in enumerate(self.game.wagers(self.ruleset.rules))}
        rows = tuple(sorted(self.rows, key=lambda row: order[row.wager]))
        by_pair = self._pair_nets(ends)
        bettor = self._bettor(lcm(*(net.denominator for net in by_pair)))
        table = bettor.table
        nets = np.array([*table.nets, *(int(net * table.grains) for net in by_pair)], dtype=np.int64)
        figures = self._sessions(table, nets, bettor.first)
        numbers = np.zeros(17, dtype=np.int64)
        numbers[[kernels.CUT, kernels.AFTER, kernels.FIRST]] = self.shoe.cut, self.shoe.after, self.shoe.first
        numbers[[kernels.PAIRS, kernels.RUNS]] = bool(self.pairs), bool(self.runs)
        numbers[[kernels.PAIR_AT, kernels.RUN_AT, kernels.TAIL_AT]] = len(self.coups.ends), run_at, tail_at
        numbers[[kernels.CONTINUOUS, kernels.ENDS]] = self.shoe.continuous, len(self.coups.ends)
        numbers[[kernels.BETTOR_AT, kernels.PLACES]] = bettor.first, len(table.nets)
        stops = table.strategy.stop_loss, table.strategy.win_goal
        numbers[[kernels.STOP, kernels.GOAL]] = [units * table.grains for units in stops]
        if figures:
            numbers[[kernels.SESSION, kernels.SESSION_AT, kernels.WIDTH]] = figures.rounds, figures.first, figures.width
        tables = (self._pack(), self.coups.four, self.coups.rest, self._burn(), pair, nets, numbers)
        return Simulated(
            program=self._program(
                (*tables, run.following, run.tail_of, run.tail_following, table.following, table.fresh)
            ),
            rows=rows,
            exact=self._exact,
            notes=self._notes(),
            outcomes=self._outcomes(),
            sessions=figures,
            bettor=bettor if self.settings.strategy else None,
        )

    def counted(self, counting: Counting) -> Simulated:
        """One wager staked by the count of cards; every wager is told for each count."""
        if self.settings.session or self.shoe.continuous:
            raise ValueError("a count is of whole shoes: give neither a session nor a continuous shuffler")
        counting = replace(counting, on=counting.on or next(iter(self.coups.wagers)))
        if counting.on not in self.coups.wagers:
            raise unknown("wager to stake by the count", counting.on, self.coups.wagers)
        counted_coups.check_tags(self.game, self.ruleset.rules, counting)
        ends, decks = len(self.coups.ends), self.game.decks(self.ruleset.rules)
        symbols = list(symbols_of(self.game, self.ruleset.rules, exact_cards=False).values())
        pack, start = self._pack() & 15, DECK * counting.running(decks)
        made = counted_coups.tables_of(counting, symbols, self.shoe, size=len(pack), start=start, ends=ends)
        tables = (pack, self.coups.four, self.coups.rest, self._burn(), *made)
        rows = [
            PlanRow(name, at * ends, tuple(_maybe(decided[index]) for decided in self.coups.ends))
            for index, name in enumerate(self.coups.wagers)
            for at in range(COUNTS)
        ]
        mean = (self.shoe.cut + 1) / 4.94
        program = Program(counted_coups.play, tables, COUNTS * ends, max(1, int(1_500_000 / mean)), mean)
        staked = self.coups.wagers.index(counting.on)
        bettor = counted_coups.CoupCountBins(counting, tuple(_net(decided[staked]) for decided in self.coups.ends))
        notes = (*self._notes(), f"{counting.on} by {counting.name} ({counting.system.source or 'own'})")
        return Simulated(program, tuple(rows), self._exact, notes, bettor=bettor)

    def _bettor(self, grain: int) -> BettorBins:
        """Whoever bets: by a strategy, and then each state × end is counted, or the same stakes each coup."""
        given = self.settings.strategy
        strategy = strategy_of(given, BANKER) if given else BettingStrategy("flat", self._flat_stakes)
        in_a_session(strategy, self.settings.session)
        winners = [self._winner(example) for example in self.coups.examples]
        table = tabulate(
            strategy,
            self.coups.wagers,
            winners,
            lambda name, end: _net(self.coups.ends[end][self.coups.wagers.index(name)]),
            grain,
        )
        if not given:
            return BettorBins(0, table)
        first, self.bins = self.bins, self.bins + len(table.nets)
        return BettorBins(first, table)

    def _winner(self, example: tuple[int, ...]) -> str:
        rules = self.ruleset.rules
        cards = list(symbols_of(self.game, rules, exact_cards=False).values())
        state = self.game.begin(rules, NORMAL)
        for symbol in example:
            state = self.game.apply(rules, state, CardSeen(cards[symbol]))
        return str(self.game.outcome(rules, state)["winner"])

    def _flat_stakes(self, _: Knowledge) -> dict[str, int]:
        return {name: units for name, units in self._staked().items() if name in self.coups.wagers}

    def _program(self, tables: tuple[Table, ...]) -> Program:
        numbers = tables[6]
        simple = not (
            self.pairs or self.runs or self.shoe.continuous or numbers[kernels.SESSION] or self.settings.strategy
        )
        session = int(numbers[kernels.SESSION])
        mean = session or (kernels.BLOCK if self.shoe.continuous else (self.shoe.cut + 1) / 4.94)
        kernel = kernels.play_shoes if simple else kernels.play_tables
        return Program(kernel, tables, self.bins, max(1, int(1_500_000 / mean)), mean)

    def _pairs(self) -> tuple[Table, Mapping[str, tuple[Resolution, ...]]]:
        """The kinds of pairs by cards, and how each wager on them ends by the kinds of both hands."""
        if not self.pairs:
            return np.zeros((1, 1), dtype=np.uint8), {}
        ends = {name: pair_ends(self.game, self.ruleset.rules, name) for name in self.pairs}
        self.rows += [PlanRow(name, self.bins, tuple(map(ending, kinds))) for name, kinds in ends.items()]
        self.bins += len(KINDS) ** 2
        return pair_table(self.codes), ends

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
            bet = run_bet(self.ruleset.rules, name)
            policy = "Banker each coup" if bet is not None and bet[0].outcome is None else ""
            self.rows.append(PlanRow(name, at, tuple(_maybe(decided[index]) for decided in together), policy))
        return tables, at, tail_at

    def _pair_nets(self, pairs: Mapping[str, tuple[Resolution, ...]]) -> list[Fraction]:
        """What pairs come to for the bettor of a session, by kind; no strategy bets on them."""
        staked = {} if self.settings.strategy else self._staked()
        return [
            sum((units * _net(pairs[name][kind]) for name, units in staked.items() if name in pairs), Fraction(0))
            for kind in range(len(KINDS) ** 2 if pairs else 0)
        ]

    def _staked(self) -> Mapping[str, int]:
        staked = self.settings.wagers or {BANKER: 1}
        for name, units in staked.items():
            if name not in (*self.coups.wagers, *self.pairs):
                known = ", ".join((*self.coups.wagers, *self.pairs))
                raise ValueError(f"{name!r:.60} is not staked in a session here; known are {known}")
            if type(units) is not int or units < 1:
                raise ValueError(f"{name}: the stake is a whole number of units, 1 or more: {units!r:.20}")
        return staked

    def _sessions(self, table: BettorTable, nets: Ints, at: int) -> sessions.Bins | None:
        if not self.settings.session:
            return None
        by_strategy = bool(self.settings.strategy)
        stakes = [sum(each.values()) for each in table.stakes] if by_strategy else [sum(self._staked().values())]
        largest, length = float(np.abs(nets).max()) / table.grains, self.settings.session
        if by_strategy:
            shares = chances(self.game, self.ruleset.rules, self.coups)
            typical = sessions.typical_net(table.following, table.nets, shares, length)
            width = sessions.width_for(1, length, max(typical, table.grains))
        else:
            # A coup's net seldom deviates by more than its largest; long odds are rare in proportion.
            width = sessions.width_for(table.grains, length, sqrt(max(1.0, largest)) * min(stakes[0], 10**4))
        first = self.bins
        self.bins += sessions.SIZE
        staked = np.repeat(np.array(stakes, dtype=float), len(self.coups.ends))
        return sessions.Bins(first, table.grains, width, length, staked, at)

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
        shoe = full_shoe(self.game.decks(self.ruleset.rules))
        ways = count_ways(self.automaton, by_symbol(self.game, self.ruleset.rules, shoe, exact_cards=False))
        lines = [worth(ways, name) for name in self.automaton.wagers]
        lines += [line for name in self.pairs for line in paired(self.game, self.ruleset.rules, name, shoe)]
        return {(line.wager, ""): Exact(-line.edge, line.variance) for line in lines}

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


def _maybe(decided: Resolution | None) -> BinEnding | None:
    return None if decided is None else ending(decided)


def _net(decided: Resolution | None) -> Fraction:
    return Fraction(0) if decided is None else net_of(decided)
