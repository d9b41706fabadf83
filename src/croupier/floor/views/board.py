"""The public board of a table: what everybody in the room may see, and nobody's name, wagers or money.

What is told is picked, never left out of something larger: a figure that a game adds to its outcome is not on the board
before somebody lists it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET, UnsetType

from croupier.floor.views import shapes as v
from croupier.floor.views.parts import Figures, Part
from croupier.floor.views.recent import Recent
from croupier.floor.views.viewer import (
    Clocks,
    displays,
    inscriptions,
    layout,
    odds,
    reds,
    results,
    scale,
    shoe_shown,
    sign_shown,
    table_shown,
)
from croupier.table.betting.offers import KeptOffers
from croupier.table.state import Table

PUBLIC: Final = "public"
"""The role of whoever only looks at a board; it is nobody's, and no ticket has it."""
FIGURES: Final = (
    *("winner", "player", "banker", "natural", "player_pair", "banker_pair"),
    *("number", "colour", "dice", "total", "call", "symbol", "point", "puck", "seven_out"),
    *("dealer", "dealer_blackjack", "qualifies", "up_card", "void"),
)
"""What the outcomes of the games say of the round itself."""


class BoardView(Part, frozen=True, forbid_unknown_fields=True):
    """A table as its public board shows it; `taken_back`: what came is told again before there is any betting."""

    table: v.TableShown
    sign: v.SignView
    round: int
    betting: bool
    taken_back: bool
    layout: Figures
    offers: list[str]
    odds: dict[str, list[v.Rate]]
    scale: list[v.PayLine]
    inscriptions: list[v.Inscription]
    reds: list[int]
    shoe: v.ShoeShown
    history: list[Figures]
    closes_ms: int
    opens_ms: int
    choice_ms: int
    pool: int | None
    at_ms: int | UnsetType = UNSET


def board_view(table: Table, recent: Recent, *, practice: bool, clocks: Clocks) -> BoardView:
    lies = layout(table, hidden=True)
    return BoardView(
        table=table_shown(table, practice=practice, deals=clocks.deals),
        sign=sign_shown(table),
        round=table.number,
        betting=(clocks.offers or KeptOffers()).betting(table).why is None,
        taken_back=table.uncovered,
        layout={**public(lies), "cards": lies["cards"]},
        offers=list(table.game.wagers(table.ruleset.rules)),
        odds=odds(table),
        scale=scale(table),
        inscriptions=inscriptions(table),
        reds=reds(table),
        shoe=shoe_shown(table, recent.shoe),
        history=public_results(table, recent),
        closes_ms=clocks.closes_ms,
        opens_ms=clocks.opens_ms,
        choice_ms=clocks.choice_ms,
        pool=clocks.pool,
    )


def public_results(table: Table, recent: Recent) -> list[Figures]:
    """The last results as everybody in the room saw them; what was corrected stays marked as that."""
    return [public(each) for each in results(table.game, recent, table.records)] if displays(table) else []


def public(outcome: Mapping[str, Any]) -> Figures:
    """An outcome without the boxes and their players, the shooter, and whatever else is not the round's own."""
    figures = {name: outcome[name] for name in ("round", *FIGURES) if name in outcome}
    return figures | ({"was": public(outcome["was"])} if "was" in outcome else {})
