"""A simulation as tables for people, drawn from its public form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.exact.pricing import pricing

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Answer = Mapping[str, Any]


def simulation(console: Console, answer: Answer) -> None:
    """The wagers with their intervals and the exact odds, then sessions and notes."""
    console.print(f"{answer['game']}, {answer['edition']} {answer['version']}", style="bold")
    if answer["interrupted"]:
        console.print(f"interrupted: the result so far, of {answer['asked']:,} rounds", style="bold")
    rate = answer["rounds_per_second"]
    speed = f", {rate / 1e6:,.1f} million a second" if rate else ""
    console.print(f"{answer['rounds']:,} rounds, seed {answer['seed']}{speed}")
    shown, like = _shown(answer)
    console.print(_table(map(_wager, shown), right=("decided", "edge", "± 95 %", "exact", "z", "sd")))
    if like:
        console.print(f"{like} wagers worth the same as one above are in --json", style="dim")
    if answer["sessions"]:
        _sessions(console, answer["sessions"])
    for note in answer["notes"]:
        console.print(note, style="dim")


def _shown(answer: Answer) -> tuple[list[Answer], int]:
    """The rows, those of a kind that is worth the same once, and how many that left out."""
    met: dict[str, Answer] = {}
    for row in answer["wagers"]:
        alike = pricing(answer["game"], row["wager"]).one_row
        met.setdefault(row["wager"].partition(":")[0] if alike else f"{row['wager']} {row['policy']}", row)
    return list(met.values()), len(answer["wagers"]) - len(met)


def _wager(row: Answer) -> dict[str, str]:
    low, high = row["interval"]
    exact, z = row["exact_edge_percent"], row["z"]
    return {
        "wager": row["wager"],
        "policy": row["policy"] or "",
        "decided": f"{row['decided']:,}",
        "edge": f"{row['edge_percent']:.4f} %",
        "± 95 %": f"{50 * (high - low):.4f}",
        "exact": "" if exact is None else f"{exact:.4f} %",
        "z": "" if z is None else f"{z:+.2f}",
        "method": "" if row["method"] in (None, "exact") else row["method"],
        "sd": f"{row['sd']:.3f}",
    }


def _sessions(console: Console, sessions: Answer) -> None:
    console.print(f"{sessions['sessions']:,} sessions of {sessions['rounds']:,} rounds, in units", style="bold")
    console.print(
        f"mean {sessions['mean']:.3f}, sd {sessions['sd']:.3f}, mean drawdown {sessions['mean_drawdown']:.3f}"
    )
    holds = {entry["share"]: entry["hold"] for entry in sessions["hold"]}
    rows = [
        {
            "share of sessions": f"{100 * entry['share']:.0f} %",
            "result at most": f"{entry['result']:.2f}",
            "hold at most": f"{100 * holds[entry['share']]:.2f} %" if entry["share"] in holds else "",
        }
        for entry in sessions["quantiles"]
    ]
    console.print(_table(rows, right=("share of sessions", "result at most", "hold at most")))
    ruin = [
        {"bankroll": f"{entry['bankroll']:.1f}", "ruined": f"{100 * entry['probability']:.2f} %"}
        for entry in _some(sessions["risk_of_ruin"])
    ]
    console.print(_table(ruin, right=("bankroll", "ruined")))


def _some(points: Sequence[Answer]) -> Sequence[Answer]:
    """At most eight points of a curve, evenly chosen."""
    return points[:: max(1, -(-len(points) // 8))]


def _table(rows: Iterable[Mapping[str, str]], *, right: Sequence[str]) -> Table:
    """Rows of cells by column; a column that says nothing in any row is left out."""
    from rich import box
    from rich.table import Table

    cells = list(rows)
    table = Table(box=box.SIMPLE_HEAD)
    columns = [name for name in (cells[0] if cells else ()) if any(row[name] for row in cells)]
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", no_wrap=name in right)
    for row in cells:
        table.add_row(*(row[name] for name in columns))
    return table
