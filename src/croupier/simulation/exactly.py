"""The exact odds beside a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.exact.sheet import sheet
from croupier.game import AnyGame
from croupier.law.ruleset import Ruleset
from croupier.simulation.plan import Exact


def exact_rows(game: AnyGame, ruleset: Ruleset[Any]) -> Mapping[tuple[str, str], Exact]:
    """What the odds sheet says of each wager; a row that needs more than the rules is left out."""
    lines = sheet(game, ruleset).lines
    return {(line.wager, ""): Exact(-line.edge, line.variance, line.method) for line in lines if not line.needs}
