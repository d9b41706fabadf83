"""A table of Caribbean stud as the tables of the kernel, with its bins and rows.

Bins come in this order: a block of class × ending for each strategy; the jackpot; with several boxes, what they bring
together, since they share the dealer and are no independent samples; the figures of sessions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import CARDS
from croupier.exact.caribbean_stud import StudPlay
from croupier.exact.caribbean_stud.counting import FOLDED, LOWER
from croupier.exact.caribbean_stud.patterns import Patterns, qualifying
from croupier.exact.caribbean_stud.rows import rows_of
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.rules import ANTE, JACKPOT, StudRules
from croupier.money import Cents
from croupier.simulation import sessions
from croupier.simulation.betting import Betting, BettorTable
from croupier.simulation.count.systems import betting_by_stake
from croupier.simulation.plan import BinEnding, Exact, Ints, PlanRow, Program, SimulationSettings
from croupier.simulation.stud.dealing import slots_of
from croupier.simulation.stud.kernel import ENDS, SHAPE, STATE_SUMS, kernel
from croupier.simulation.stud.lookup import bets_of, rank_tables
from croupier.simulation.stud.outcomes import Shares, ante_endings, jackpot_endings, shares, steps_of

ALL_BOXES: Final = "all boxes of a round"
DEVIATION: Final = 2.3
"""A generous standard deviation of a round on one box, in antes, for the width of a session's bins."""
ROUNDS_A_CHUNK: Final = 200_000
ROUNDS_BY_HISTORY: Final = 1 << 14
"""Rounds that somebody who stakes by history sits, where no session says how many."""


@dataclass(frozen=True)
class StudTable:
    """A table with its strategies, and all that a simulation of it needs; without slots, so that parts can be kept."""

    law: StudRules
    plays: tuple[StudPlay, ...]
    settings: SimulationSettings
    pool_cents: Cents | None
    stake_cents: Cents | None
    history: BettorTable | None = None

    @cached_property
    def different(self) -> tuple[StudPlay, ...]:
        """The strategies, each once."""
        return tuple({id(each): each for each in self.plays}.values())

    @cached_property
    def classes(self) -> int:
        return len(self.law.ranking.order.value)

    @cached_property
    def block(self) -> int:
        return self.classes * ENDS

    @cached_property
    def parts(self) -> int:
        """So many parts of an ante make every net of ante and bet whole."""
        return lcm(*(ending.net.denominator for each in self.plays for ending in each.endings.values()))

    @cached_property
    def jackpot_at(self) -> int:
        return len(self.different) * self.block if JACKPOT in CARIBBEAN_STUD.wagers(self.law) else -1

    @cached_property
    def shared(self) -> Shares:
        return shares(self.law, len(self.plays))

    @cached_property
    def together(self) -> tuple[int, int, int]:
        """Where the net of all boxes is counted (-1: nowhere), and the least and the most it can be, in parts."""
        nets = [int(ending.net * self.parts) for each in self.plays for ending in each.endings.values()]
        boxes = len(self.plays)
        first = len(self.different) * self.block + (self.shared.bins if self.jackpot_at >= 0 else 0)
        return (first if boxes > 1 else -1, boxes * min(nets), boxes * max(nets))

    @cached_property
    def sessions_at(self) -> int:
        first, least, most = self.together
        blocks = len(self.different) * self.block + (self.shared.bins if self.jackpot_at >= 0 else 0)
        return blocks if first < 0 else first + most - least + 1

    @cached_property
    def history_at(self) -> int:
        """Where the states of somebody who stakes by history are counted."""
        return self.sessions_at + (sessions.SIZE if self.settings.session else 0)

    @cached_property
    def bins(self) -> int:
        return self.history_at + (len(self.history.stakes) * STATE_SUMS if self.history else 0)

    @cached_property
    def rounds_a_unit(self) -> int:
        return self.settings.session or (ROUNDS_BY_HISTORY if self.history else 1)

    # ------------------------------------------------------------ rows

    @cached_property
    def rows(self) -> tuple[PlanRow, ...]:
        rows = [
            PlanRow(ANTE, number * self.block, ante_endings(each.endings, self.classes), each.policy)
            for number, each in enumerate(self.different)
        ]
        if self.jackpot_at >= 0 and self.pool_cents is not None and self.stake_cents is not None:
            policy = ", ".join(each.policy for each in self.different)
            rows.append(PlanRow(JACKPOT, self.jackpot_at, self._jackpot(), policy))
        first, least, most = self.together
        if first >= 0:
            whole = self.parts * len(self.plays)
            endings = tuple(BinEnding("net", Fraction(net, whole), "") for net in range(least, most + 1))
            rows.append(PlanRow(ANTE, first, endings, ALL_BOXES))
        return tuple(rows)

    def _jackpot(self) -> tuple[BinEnding | None, ...]:
        lost = self.plays[0].endings[0, LOWER].jackpot.rule
        assert self.pool_cents is not None
        assert self.stake_cents is not None
        return jackpot_endings(
            self.law, self.shared, lost_rule=lost, pool_cents=self.pool_cents, stake_cents=self.stake_cents
        )

    def exact(self) -> Mapping[tuple[str, str], Exact]:
        """The exact odds of each strategy; of the jackpot only for a single box, which shares it with nobody."""
        found = {}
        for each in self.different:
            for row in rows_of(self.law, each, pool_cents=self.pool_cents, stake_cents=self.stake_cents):
                if row.worth and (row.wager == ANTE or len(self.plays) == 1):
                    found[row.wager, row.policy] = Exact(-row.worth.edge, row.worth.variance, row.method)
        return found

    def outcomes(self) -> dict[str, tuple[int, ...]]:
        count = len(self.different)
        named = {
            name: tuple(number * self.block + kind * ENDS + end for number in range(count) for end in range(ENDS))
            for kind, name in enumerate(self.law.ranking.order.value)
        }
        folded = tuple(at for at in range(count * self.block) if at % ENDS == FOLDED)
        named |= {"folded": folded, "bet": tuple(at for at in range(count * self.block) if at % ENDS != FOLDED)}
        if self.jackpot_at < 0:
            return named
        shared = self.shared
        return named | {
            f"jackpot: {name}": tuple(self.jackpot_at + shared.bin(won, prize) for won in shared.held if prize in won)
            for prize, name in enumerate(shared.names)
        }

    # ------------------------------------------------------------ money of a session

    def _nets(self) -> list[Fraction]:
        """What each bin before the sum of all boxes brings to the bettor of a session."""
        wagers = self.settings.wagers or {ANTE: 1}
        known = (ANTE, JACKPOT) if self.pool_cents is not None and self.stake_cents is not None else (ANTE,)
        for name in wagers:
            if name not in known:
                raise ValueError(f"no wager {name!r:.40} in this session; known are {', '.join(known)}")
        nets = [Fraction(0)] * self.sessions_at
        for row in self.rows:
            if row.policy != ALL_BOXES:
                for at, ending in enumerate(row.endings):
                    nets[row.first + at] = ending.net * wagers.get(row.wager, 0) if ending else Fraction(0)
        return nets

    @cached_property
    def _grains(self) -> tuple[int, Ints]:
        """How many grains are a unit, and what each bin brings: in grains to a session, in parts to all boxes."""
        nets = self._nets()
        grains = lcm(*(net.denominator for net in nets))
        brings = np.zeros((2, len(nets)), dtype=np.int64)
        brings[0] = [int(net * grains) for net in nets]
        for number, each in enumerate(self.different):
            for (kind, end), ending in each.endings.items():
                brings[1, number * self.block + kind * ENDS + end] = int(ending.net * self.parts)
        return grains, brings

    def sessions(self) -> sessions.Bins | None:
        if not self.settings.session:
            return None
        grains, rounds = self._grains[0], self.settings.session
        if self.history:
            units = np.array([each.get(ANTE, 0) for each in self.history.stakes], dtype=float)
            staked = np.outer(units, [1, 0, 0, self.plays[0].bet_of_ante]).ravel()
            return sessions.Bins(self.sessions_at, grains, self._width(grains), rounds, staked, self.history_at)
        return sessions.Bins(self.sessions_at, grains, self._width(grains), rounds, self._stakes())

    def _stakes(self) -> NDArray[np.float64]:
        """What is staked for each count of a bin, in units: an ante, with its bet unless the hand was folded."""
        wagers = self.settings.wagers or {ANTE: 1}
        stakes = np.zeros(self.sessions_at)
        for number, each in enumerate(self.different):
            for kind, end in each.endings:
                bet = 0 if end == FOLDED else each.bet_of_ante
                stakes[number * self.block + kind * ENDS + end] = wagers.get(ANTE, 0) * (1 + bet)
        if self.jackpot_at >= 0:
            stakes[self.jackpot_at : self.jackpot_at + self.shared.bins] = wagers.get(JACKPOT, 0)
        return stakes

    def _width(self, grains: int) -> int:
        rounds = max(1, self.settings.session)
        typical = self.history.typical_stake(self._chances(), rounds) if self.history else 1.0
        return sessions.width_for(grains, rounds, DEVIATION * typical * len(self.plays))

    # ------------------------------------------------------------ for the kernel

    @cached_property
    def program(self) -> Program:
        known, boxes = self.plays[0].known, len(self.plays)
        slots, up = slots_of(self.law, boxes)
        made = [bets_of(each.table) for each in self.different]
        starts = np.cumsum([0, *(len(each.detail) for each in made)])
        where = [np.where(each.where >= 0, each.where + start, -1) for each, start in zip(made, starts, strict=False)]
        mine = np.array([[each is one for one in self.different].index(True) for each in self.plays], dtype=np.int64)
        grains, brings = self._grains
        shape = self._shape(up, grains)
        tables = (
            np.arange(CARDS, dtype=np.uint8),
            np.array([shape[name] for name in SHAPE], dtype=np.int64),
            *(slots, *rank_tables(), known.value_of, known.classes.astype(np.uint8)),
            *(np.stack([each.sets for each in made]), np.stack(where), np.concatenate([each.detail for each in made])),
            *(mine, mine * self.block, self._prizes(), steps_of(self.shared), brings),
            *self._by_history(),
        )
        rounds = self.rounds_a_unit
        return Program(kernel, tables, self.bins, max(1, ROUNDS_A_CHUNK // rounds // boxes), float(rounds))

    def _chances(self) -> list[float]:
        """How many deals end even, won and lost."""
        play, deals = self.plays[0], [0.0, 0.0, 0.0]
        for kind, end, many in play.ends():
            net = play.endings[kind, end].net
            deals[1 if net > 0 else 2 if net < 0 else 0] += many
        return deals

    def _by_history(self) -> tuple[Ints, Ints]:
        """The ante of each state, and the state after a round that was even, won or lost."""
        if self.history is None:
            return np.ones(1, dtype=np.int64), np.zeros(3, dtype=np.int64)
        return np.array([each.get(ANTE, 0) for each in self.history.stakes], dtype=np.int64), self.history.following

    def _prizes(self) -> Ints:
        """The prize of each class of hands, -1 for none."""
        names = self.shared.names
        order = self.law.ranking.order.value
        return np.array([names.index(name) if name in names else -1 for name in order], dtype=np.int64)

    def _shape(self, up: int, grains: int) -> dict[str, int]:
        first, least, _ = self.together
        return {
            "boxes": len(self.plays),
            "up": up,
            "session": self.settings.session,
            "width": self._width(grains),
            "sessions_at": self.sessions_at,
            "together_at": first - least if first >= 0 else -1,
            "jackpot_at": self.jackpot_at,
            "prizes": len(self.shared.names),
            "least": least_value(self.law, self.plays[0].known),
            "ready": 0,
            "unit": self.rounds_a_unit,
            "history_at": self.history_at if self.history else -1,
            "stop": self.history.strategy.stop_loss * grains if self.history else 0,
            "goal": self.history.strategy.win_goal * grains if self.history else 0,
        }


@dataclass(frozen=True, slots=True)
class StudBettorBins:
    """Reads what was staked and won by history, state by state."""

    table: StudTable = field(compare=False)
    history: BettorTable = field(compare=False)

    def results(self, counts: Ints, exact: Mapping[tuple[str, str], Exact]) -> Betting:
        table, states = self.table, len(self.history.stakes)
        sums = counts[table.history_at : table.history_at + states * STATE_SUMS].reshape(states, STATE_SUMS)[:, :3]
        stakes = [each.get(ANTE, 0) for each in self.history.stakes]
        betting = betting_by_stake(self.history.strategy.name, stakes, sums.tolist(), table._grains[0], ANTE)
        return betting.beside(exact.get((ANTE, table.plays[0].policy)))


def least_value(rules: StudRules, known: Patterns) -> int:
    """The lowest value with which the dealer qualifies."""
    qualifies = qualifying(known, rules.qualifies.value)
    least = int(np.argmax(qualifies))
    if not qualifies[least:].all():
        raise ValueError(f"a dealer who qualifies with some lower hands only ({rules.qualifies.rule})")
    return least
