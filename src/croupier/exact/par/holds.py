"""What a house may expect to keep, and how that moves with the rules: bands of the hold, and grids of edges.

The hold is what is kept of all that is placed.  After n equal wagers it lies, with a chosen confidence, within so many
standard errors of the edge (`bands`); the speed of the game says how long that takes.  A grid reckons the edge of every
wager anew for each joining of some values: of elections (`decks=6|8`), or of laws by their paths, as in a file of
somebody's own (`bets.banker.pays=1 to 1 less 4%|1 to 1 less 5%`); what the law does not permit is told as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from croupier.errors import BadInput, Error, unknown
from croupier.exact.sheet import Sheet, sheet
from croupier.game import AnyGame
from croupier.law.elections import electable
from croupier.law.ruleset import Ruleset
from croupier.own import changed_law
from croupier.present import Fitted
from croupier.rulesets import ruleset

if TYPE_CHECKING:
    from rich.console import Console

CONFIDENCE: Final[Mapping[int, float]] = {90: 1.6448536269514722, 95: 1.959963984540054, 99: 2.5758293035489004}
"""In percent, with the standard errors to either side."""
MOST_CELLS: Final = 256
USUAL_SPEED: Final = 60


def bands(this: Sheet, hands: Sequence[int], speed: int = USUAL_SPEED) -> list[dict[str, Any]]:
    """For each wager and number of hands the hold with its bands, in percent, and the hours that they take."""
    rows = []
    for line in this.lines:
        if line.needs:
            continue
        edge = 100 * float(line.edge)
        for number in hands:
            error = 100 * sqrt(float(line.variance) / number)
            intervals = {f"{share} %": [edge - z * error, edge + z * error] for share, z in CONFIDENCE.items()}
            name = line.wager + (f" ({line.policy})" if line.policy else "")
            rows.append(
                {"wager": name, "hands": number, "hours": number / speed, "hold_percent": edge, "bands": intervals}
            )
    return rows


def read_axes(given: Sequence[str]) -> dict[str, list[str]]:
    axes: dict[str, list[str]] = {}
    for text in given:
        name, _, values = text.partition("=")
        if not name.strip() or not values.strip() or name.strip() in axes:
            raise BadInput(f"--grid takes each NAME=VALUE|VALUE once: {text!r:.60}")
        axes[name.strip()] = [value.strip() for value in values.split("|")]
    return axes


def grid(game: AnyGame, base: Ruleset[Any], axes: Mapping[str, Sequence[str]], **choices: Any) -> list[dict[str, Any]]:
    """The edge of every wager in percent for each cell of the grid, or why a cell cannot be."""
    cells = list(product(*axes.values()))
    if len(cells) > MOST_CELLS:
        raise BadInput(f"a grid of {len(cells)} cells; {MOST_CELLS} are reckoned at most")
    known = electable(base.rules)
    for name in axes:
        if "." not in name and name not in known:
            raise unknown("election of a grid", name, known)
    return [{**dict(zip(axes, cell, strict=True)), **_cell(game, base, axes, cell, known, choices)} for cell in cells]


def _cell(
    game: AnyGame, base: Ruleset[Any], axes: Mapping[str, Sequence[str]], cell: Sequence[str], known: Any, choices: Any
) -> dict[str, Any]:
    changes = dict(zip(axes, cell, strict=True))
    elections = {**choices.get("elections", {}), **{name: value for name, value in changes.items() if name in known}}
    try:
        chosen = ruleset(
            base.edition, game=game.name, version=base.version, elections=elections, readings=choices.get("readings")
        )
        for path, value in changes.items():
            if path not in known:
                chosen = changed_law(chosen, path, value)
        made = sheet(game, chosen)
    except (Error, ValueError) as error:
        return {"refused": str(error)}
    return {"edges": {_named(line.wager, line.policy): 100 * float(line.edge) for line in made.lines if not line.needs}}


def _named(wager: str, policy: str) -> str:
    return f"{wager} ({policy})" if policy else wager


# ---------------------------------------------------------------- shown


def show_bands(console: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    shown = [
        {
            "wager": row["wager"],
            "hands": f"{row['hands']:,}",
            "hours": f"{row['hours']:,.0f}",
            "hold": f"{row['hold_percent']:.3f} %",
            **{share: f"{low:.2f} … {high:.2f}" for share, (low, high) in row["bands"].items()},
        }
        for row in rows
    ]
    console.print("Hold, in percent of what is placed", style="bold")
    console.print(Fitted(shown, "", ("hands", "hours", "hold"), ("90 %", "hours", "99 %")))


def show_grid(console: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    names = dict.fromkeys(name for row in rows for name in row.get("edges", {}))
    refused = any("refused" in row for row in rows)
    shown = []
    for row in rows:
        axes = {name: str(value) for name, value in row.items() if name not in ("edges", "refused")}
        edges = {name: f"{row['edges'][name]:.3f} %" if name in row.get("edges", {}) else "" for name in names}
        shown.append(axes | edges | ({"refused": row.get("refused", "")} if refused else {}))
    console.print("Edges on the grid", style="bold")
    console.print(Fitted(shown, "", tuple(names), ()))
