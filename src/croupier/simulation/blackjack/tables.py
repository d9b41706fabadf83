"""A blackjack table as the tables of the kernel, with its bins and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from croupier.equipment import CARDS, rank, suit
from croupier.exact.blackjack.lattice import Lattice, lattice
from croupier.exact.blackjack.terms import Ints, RuleTables, symbols, terms
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import points
from croupier.games.blackjack.rules import MAIN, SUPER_SEVENS, BlackjackRules
from croupier.games.blackjack.shoe import cards_in_stack
from croupier.law.model import present
from croupier.simulation import sessions
from croupier.simulation.blackjack.hands import HandTables, automaton, dealer_table
from croupier.simulation.blackjack.kernel import FIGURE, SHAPE, SUIT_SHIFT, SYMBOLS, kernel
from croupier.simulation.blackjack.outcomes import Block, grains_of, main_nets, rows_of, stakes_of
from croupier.simulation.blackjack.strategies import StrategyTables
from croupier.simulation.plan import BinEnding, PlanRow, Program, SimulationSettings, Table

DEVIATION: Final = 1.2
"""A generous standard deviation of a round on one box, for the width of a session's bins."""
ROUNDS_A_CHUNK: Final = 300_000
DEALER_TABLE: Final = 10
"""Where the dealer's table is among those of the program."""
CARDS_A_HAND: Final = 2.7
"""About how many cards a hand takes, the dealer's too."""


@dataclass(frozen=True, slots=True)
class SimulatedTable:
    """A table ready to be simulated: a strategy for each box, a block of bins for each strategy."""

    program: Program
    rows: tuple[PlanRow, ...]
    plans: tuple[StrategyTables, ...]
    block: Block
    sessions: sessions.Bins | None

    @property
    def names(self) -> tuple[str, ...]:
        return names_of(self.plans)

    @property
    def outcomes(self) -> dict[str, tuple[int, ...]]:
        """Plain counts over all boxes."""
        block = self.block

        def bins(first: int, last: int) -> tuple[int, ...]:
            return tuple(at + n * block.size for n in range(len(self.names)) for at in range(first, last))

        return {
            "hands": bins(0, block.insurance),
            "doubled": bins(block.totals * block.terms.endings, block.naturals),
            "blackjacks": bins(block.naturals, block.split),
            "split": bins(block.split, block.insurance),
            "insurance offered": bins(block.insurance, block.insurance + 4),
            "insurance taken": bins(block.insurance + 2, block.insurance + 4),
        }


def names_of(plans: Sequence[StrategyTables]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(plan.name for plan in plans))


def lattice_of(held: RuleTables) -> Lattice:
    return lattice(held.lows, held.values[0], held.limit)


def pack_of(rules: BlackjackRules) -> Table:
    """The cards of the shoe as the kernel has them, in the order of the decks."""
    return np.array([code_of(rules, card) for card in range(CARDS)] * rules.decks.value.elected, dtype=np.uint8)


def code_of(rules: BlackjackRules, card: int) -> int:
    """A card as a byte: what it counts, its suit, whether it is the figure of Super Sevens."""
    figure = FIGURE if rank(card) + 1 == rules.sevens.figure.value else 0
    return symbols(rules).index(points(rules, card)) | suit(card) << SUIT_SHIFT | figure


def table_of(
    rules: BlackjackRules, plans: Sequence[StrategyTables], *, behind: int, settings: SimulationSettings
) -> SimulatedTable:
    """Tables, bins and rows for these strategies, a box each, with so many cards behind the cutting card."""
    held = terms(rules)
    check_carried(rules, held)
    return _Making(rules, held, tuple(plans), cards_in_stack(rules) - behind, settings).table()


@dataclass(frozen=True, slots=True)
class _Making:
    """What the parts of a table share while it is made."""

    rules: BlackjackRules
    held: RuleTables
    plans: tuple[StrategyTables, ...]
    cut: int
    settings: SimulationSettings

    @property
    def block(self) -> Block:
        return Block(self.held, SUPER_SEVENS in BLACKJACK.wagers(self.rules))

    @property
    def together_most(self) -> int:
        """The most that all boxes can bring together, in units of the terms."""
        return len(self.plans) * self.block.most

    @property
    def together_at(self) -> int:
        """Where what all boxes bring together is counted, from the least up; a single box needs no such bins."""
        return len(names_of(self.plans)) * self.block.size

    @property
    def sessions_at(self) -> int:
        return self.together_at + (2 * self.together_most + 1 if len(self.plans) > 1 else 0)

    def table(self) -> SimulatedTable:
        names, block, session = names_of(self.plans), self.block, self.settings.session
        grains, brings = grains_of(self.rules, block, _wagers(self.rules, self.settings.wagers))
        width = sessions.width_for(grains, session, DEVIATION * len(self.plans)) if session else 1
        nets = np.stack([np.tile(brings, len(names)), np.tile(main_nets(block), len(names))])
        mean = session or self.cut / (CARDS_A_HAND * (len(self.plans) + 1))
        units = max(1, int(ROUNDS_A_CHUNK / mean / len(self.plans)))
        bins = self.sessions_at + (sessions.SIZE if session else 0)
        stakes = np.tile(stakes_of(self.rules, block, _wagers(self.rules, self.settings.wagers)), len(names))
        figures = sessions.Bins(self.sessions_at, grains, width, session, stakes) if session else None
        program = Program(kernel, self._tables(nets, width), bins, units, float(mean))
        return SimulatedTable(program, self._rows(), self.plans, block, figures)

    def _tables(self, nets: Ints, width: int) -> tuple[Table, ...]:
        hands, names = lattice_of(self.held), names_of(self.plans)
        made = automaton(self.held, hands, self.plans)
        blocks = np.array([names.index(plan.name) * self.block.size for plan in self.plans], dtype=np.int64)
        shape = self._shape(made, width)
        return (
            pack_of(self.rules),
            np.array([shape[name] for name in SHAPE], dtype=np.int64),
            *(made.two, made.child, made.place, made.choice, made.alone, made.split, made.early),
            *(offers_of(self.rules, self.held), dealer_table(self.held, hands), self.held.pay.ravel(), blocks, nets),
        )

    def _shape(self, made: HandTables, width: int) -> dict[str, int]:
        held, block, boxes = self.held, self.block, len(self.plans)
        return {
            "boxes": boxes,
            "burned": int(self.rules.burn_card.value.elected),
            "cut": self.cut,
            "session": self.settings.session,
            "width": width,
            "sessions_at": self.sessions_at,
            "together_at": self.together_at + self.together_most if boxes > 1 else -1,
            "natural": made.natural,
            "bust": held.bust,
            "ends": held.endings,
            "totals": block.totals,
            "naturals_at": block.naturals,
            "even_money_at": block.even_money,
            "split_at": block.split,
            "split_width": block.split_width,
            "insurance_at": block.insurance,
            "sevens_at": block.super_sevens if block.sevens else -1,
            "ready": 0,
            "hole": int(present(self.rules.hole_card)),
        }

    def _rows(self) -> tuple[PlanRow, ...]:
        names, size = names_of(self.plans), self.block.size
        rows = [row for n, name in enumerate(names) for row in rows_of(self.rules, self.block, n * size, name)]
        return (*rows, self._together()) if len(self.plans) > 1 else tuple(rows)

    def _together(self) -> PlanRow:
        """All boxes of a round as one wager: boxes share the dealer, so that they are not independent samples."""
        most, each = self.together_most, self.held.unit / len(self.plans)
        endings = tuple(BinEnding("net", net * each, "") for net in range(-most, most + 1))
        return PlanRow(MAIN, self.together_at, endings, "all boxes of a round")


def offers_of(rules: BlackjackRules, held: RuleTables) -> Ints:
    """What the dealer's first card offers (1 insurance, 2 even money), then whether a second one pays insurance."""
    offers = np.zeros(2 * SYMBOLS, dtype=np.int64)
    for symbol, value in enumerate(held.values):
        even_money = held.even_money[symbol] is not None
        offers[symbol] = (value in rules.insurance.against.value) + 2 * even_money
        offers[SYMBOLS + symbol] = value in rules.insurance.wins_on.value
    return offers


def check_carried(rules: BlackjackRules, held: RuleTables) -> None:
    """What the kernel takes for granted; `terms` has looked at the rest."""
    shuffles = {name: law.value for name, law in rules.ceremony.shuffles.items()}
    wanted = {"cutting card first": "at once", "cutting card": "after the round"}
    if any(shuffles[name] != when for name, when in wanted.items()):
        raise ValueError(f"shuffles at other times are not simulated ({rules.ceremony.shuffles['cutting card'].rule})")
    if rules.deal_from.value != rules.decide_from.value:
        raise ValueError(f"a deal and decisions from different sides are not simulated ({rules.deal_from.rule})")
    if not rules.dealer_spared.value:
        raise ValueError(f"a dealer who always draws is not simulated ({rules.dealer_spared.rule})")
    spared = (held.pay[:, :, held.bust, :-1], held.natural_pay[:, None, None, :-1])
    if any((pays != pays[..., :1]).any() for pays in spared):
        raise ValueError(f"hands paid by a dealer's hand that is not drawn ({rules.dealer_spared.rule})")


def _wagers(rules: BlackjackRules, wagers: Mapping[str, int]) -> Mapping[str, int]:
    known = tuple(name for name in (MAIN, SUPER_SEVENS) if name in BLACKJACK.wagers(rules))
    for name in wagers:
        if name not in known:
            raise ValueError(f"no wager {name!r:.40} in a session of blackjack; known are {', '.join(known)}")
    return wagers or {MAIN: 1}
