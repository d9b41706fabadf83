"""What the odds engine says of the strategies it found itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from croupier.exact.blackjack.paper.sheet import insurance_row, main_rows, sevens_rows
from croupier.exact.blackjack.solve import Solved
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.rules import MAIN, SUPER_SEVENS, BlackjackRules
from croupier.simulation.plan import Exact


def exact_rows(
    rules: BlackjackRules, shoe: Sequence[int], names: Collection[str], solved: Callable[[], Solved]
) -> dict[tuple[str, str], Exact]:
    """The first round of a full shoe, for those of the strategies that the odds engine knows."""
    rows = [insurance_row(rules, shoe)]
    if {MAIN, "main:chart"} & set(names):
        rows += [row for row in main_rows(solved()) if row.policy in names]
    if "main:chart" in names and SUPER_SEVENS in BLACKJACK.wagers(rules):
        rows += [row for row in sevens_rows(rules, shoe, solved().chart_play) if row.policy == f"{SUPER_SEVENS}:chart"]
    return {(row.worth.wager, row.policy): Exact(-row.worth.edge, row.worth.variance, row.method) for row in rows}
