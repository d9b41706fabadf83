"""Line bets of craps with their odds taken: one edge for both wagers together.

Odds are paid at their true chance, so they add to what is staked and not to what is lost.  Per unit of the line bet the
edge stays; per unit of all that is staked it falls.  The most odds are taken whenever they are offered, once or, where
the operator permits it, twice the line bet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.exact.ways import Worth
from croupier.once import dataclass

if TYPE_CHECKING:
    from croupier.games.craps.rules import OddsBet


@dataclass(frozen=True, slots=True)
class Taken:
    """A line bet with its odds: `staked` is the mean of both per unit of the line bet, `edge` per unit of all that."""

    wager: str
    odds: str
    times: int
    staked: Fraction
    edge: Fraction
    edge_of_line: Fraction
    rules: tuple[str, ...]


def with_odds_taken(rules: Any, lines: Sequence[Worth]) -> tuple[Taken, ...]:
    """A row for each line bet and each size of odds that the rules permit."""
    from croupier.games.craps.rules import OddsBet

    by_name = {line.wager: line for line in lines}
    bets = {name: bet for name, bet in rules.bets.items() if isinstance(bet, OddsBet)}
    return tuple(
        _taken(by_name, name, bet, times)
        for name, bet in bets.items()
        for times in range(1, _most(rules, bet) + 1)
        if bet.base.value in by_name
    )


def _most(rules: Any, bet: OddsBet) -> int:
    return int(rules.doubled.value if rules.double_odds.value.elected else bet.limit.value.times)


def _taken(by_name: Mapping[str, Worth], name: str, bet: OddsBet, times: int) -> Taken:
    line = by_name[bet.base.value]
    staked, lost = Fraction(1), line.edge
    for number, pays in bet.pays.items():
        odds = by_name[f"{name}:{number}"]
        size = Fraction(times) / (pays.value.fraction if bet.limit.value.of == "winnings" else 1)
        staked += odds.offered * size
        lost += odds.offered * size * odds.edge
    return Taken(line.wager, name, times, staked, lost / staked, line.edge, (*line.rules[:1], bet.limit.rule))
