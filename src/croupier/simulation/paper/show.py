"""A simulation as tables for people, drawn from its public form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.exact.pricing import pricing
from croupier.game.kinds import wager_kind
from croupier.present import Fitted

if TYPE_CHECKING:
    from rich.console import Console

Answer = Mapping[str, Any]


def simulation(console: Console, answer: Answer) -> None:
    """The wagers with their intervals and the exact odds, then sessions and notes."""
    marked = "" if answer.get("gazetted", True) else f": not gazetted, by {answer['source']}"
    console.print(f"{answer['game']}, {answer['edition']} {answer['version']}{marked}", style="bold")
    if answer["interrupted"]:
        console.print(f"interrupted: the result so far, of {answer['asked']:,} rounds", style="bold")
    rate = answer["rounds_per_second"]
    speed = f", {rate / 1e6:,.1f} million a second" if rate else ""
    console.print(f"{answer['rounds']:,} rounds, seed {answer['seed']}{speed}")
    shown, like = _shown(answer)
    console.print(_table(map(_wager, shown), right=("decided", "edge", "± 95 %", "exact", "z", "sd")))
    if like:
        console.print(f"{like} wagers worth the same as one above are in --json", style="dim")
    if "strategy" in answer:
        _strategy(console, answer["strategy"])
    if answer["sessions"]:
        _sessions(console, answer["sessions"])
    for note in answer["notes"]:
        console.print(note, style="dim")


def _shown(answer: Answer) -> tuple[list[Answer], int]:
    """The rows, those of a kind that is worth the same once, and how many that left out."""
    met: dict[str, Answer] = {}
    for row in answer["wagers"]:
        alike = pricing(answer["game"], row["wager"]).one_row
        if row["count"] is not None:
            continue
        met.setdefault(wager_kind(row["wager"]) if alike else f"{row['wager']} {row['policy']}", row)
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


def _strategy(console: Console, this: Answer) -> None:
    """What a strategy cannot change beside what it does."""
    expected = this["expected_edge_percent"]
    expectation = (
        "" if expected is None else f"; its wagers have {expected:.4f} % whatever the order (z {this['z'] or 0:+.2f})"
    )
    console.print(
        f"strategy {this['name']}: edge {this['edge_percent']:.4f} % of what is staked{expectation}", style="bold"
    )
    if "counts" in this:
        _counted(console, this)
    mean = this["staked"] / this["coups"] if this["coups"] else 0
    console.print(
        f"{this['bets']:,} bets in {this['coups']:,} coups, {mean:.3f} units a coup, at most {this['largest_stake']}; "
        f"sd of a coup {this['sd']:.3f}, net {this['net']:,.2f} units"
    )


def _counted(console: Console, this: Answer) -> None:
    """What each count is worth, and what the ramp makes of it beside one unit on every round."""
    rows = [
        {
            "count": f"{row['count']:+d}",
            "of rounds": f"{100 * row['share']:.2f} %",
            "stake": str(row["stake"]),
            "edge": f"{row['edge_percent']:.3f} %",
        }
        for row in this["counts"]
    ]
    console.print(_table(rows, right=("count", "of rounds", "stake", "edge")))
    time = this["rounds_to_one_sd"]
    ahead = f"; ahead by one sd after {time:,.0f} rounds" if time else ""
    console.print(
        f"one unit on every round: edge {this['flat_edge_percent']:.4f} %; by the count "
        f"{this['units_per_100_rounds']:+.3f} units in 100 rounds{ahead}"
    )


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


def _table(rows: Iterable[Mapping[str, str]], *, right: Sequence[str]) -> Fitted:
    return Fitted(rows, "", right, ("sd", "z", "± 95 %", "decided"))
