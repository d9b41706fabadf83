"""A simulation told to others: as plain data, and as a page with plots.

The page is one file of HTML with drawings inside; it needs nothing from anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from itertools import pairwise
from math import ceil
from typing import Any, Final

from croupier.simulation.betting import Betting
from croupier.simulation.results import CONFIDENCE, Result, SessionResults, WagerResult

Point = tuple[float, float]

WIDTH: Final = 640
HEIGHT: Final = 300
MARGIN: Final = 52
BARS: Final = 40
TAIL: Final = 0.001
STEADY: Final = 1e-6
"""So much is added before edges are rounded down, because multiples of a width are not exact."""


def as_json(result: Result) -> dict[str, Any]:
    """The public form.  Edges are the house's, like those of an odds sheet."""
    ruleset = result.ruleset
    return {
        "game": ruleset.game,
        "edition": ruleset.edition,
        "version": ruleset.version,
        "elections": ruleset.elections,
        "readings": dict(ruleset.readings),
        "ruleset": ruleset.hash,
        **ruleset.marked,
        "asked": result.asked,
        "rounds": result.rounds,
        "seed": result.seed,
        "interrupted": result.interrupted,
        "seconds": result.seconds,
        "rounds_per_second": result.rounds_per_second,
        "confidence": CONFIDENCE,
        "outcomes": dict(result.outcomes),
        "wagers": [_wager(line) for line in result.lines],
        "sessions": _sessions(result.sessions) if result.sessions else None,
        **({"strategy": _betting(result.betting)} if result.betting else {}),
        "notes": list(result.notes),
    }


def _wager(line: WagerResult) -> dict[str, Any]:
    low, high = line.interval
    exact = line.exact
    return {
        "wager": line.wager,
        "policy": line.policy or None,
        "count": line.count,
        "decided": line.decided,
        "edge": line.edge,
        "edge_percent": 100 * line.edge,
        "standard_error": line.error,
        "interval": [low, high],
        "sd": line.deviation,
        "exact_edge": _number(0 - exact.mean) if exact else None,
        "exact_edge_percent": 0.0 - float(exact.mean * 100) if exact else None,
        "method": exact.method if exact else None,
        "z": line.z,
        "counts": [
            {
                "result": count.ending.result,
                "net": _number(count.ending.net),
                "times": count.times,
                "rule": count.ending.rule,
            }
            for count in line.counts
        ],
    }


def _betting(this: Betting) -> dict[str, Any]:
    """What a strategy did: what it cannot change first, then what it can."""
    return {
        "name": this.strategy,
        "states": this.states,
        "coups": this.coups,
        "bets": this.bets,
        "staked": this.staked,
        "net": this.net,
        "edge": this.edge,
        "edge_percent": 100 * this.edge,
        "expected_edge_percent": None if this.expected is None else 100 * this.expected,
        "standard_error": this.error,
        "z": this.z,
        "sd": this.deviation,
        "largest_stake": this.largest,
        "wagers": dict(this.wagers),
        **(_counted(this) if this.by_count else {}),
    }


def _counted(this: Betting) -> dict[str, Any]:
    """What somebody who counts makes of the game, beside one unit on every round."""
    gain, rounds = this.net / this.coups, this.coups
    return {
        "flat_edge_percent": 100 * (this.flat or 0.0),
        "units_per_100_rounds": 100 * gain,
        "rounds_to_one_sd": (this.deviation / gain) ** 2 if gain > 0 else None,
        "counts": [
            {"count": count, "share": met / rounds, "stake": stake, "edge_percent": 100 * edge}
            for count, met, stake, edge in this.by_count
        ],
    }


def _number(value: Fraction | float) -> str | float:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value


def _sessions(sessions: SessionResults) -> dict[str, Any]:
    return {
        "sessions": sessions.sessions,
        "rounds": sessions.rounds,
        "mean": sessions.mean,
        "sd": sessions.deviation,
        "variance": sessions.variance,
        "mean_drawdown": sessions.mean_drawdown,
        "quantiles": [{"share": share, "result": value} for share, value in sessions.quantiles],
        "risk_of_ruin": [{"bankroll": units, "probability": share} for units, share in sessions.ruin],
        "drawdown": [{"at_least": units, "probability": share} for units, share in sessions.fall],
        "hold": [{"share": share, "hold": value} for share, value in sessions.hold],
    }


# ---------------------------------------------------------------- the page


def html(result: Result) -> str:
    """A page that stands by itself."""
    ruleset = result.ruleset
    title = f"{ruleset.label}: {result.rounds:,} rounds, seed {result.seed}"
    marked = "<p><strong>Interrupted: this is the result so far.</strong></p>" if result.interrupted else ""
    notes = "".join(f"<li>{escape(note)}</li>" for note in result.notes)
    parts = [
        f"<h1>{escape(title)}</h1>{marked}<ul>{notes}</ul>",
        _figure("Distance to the exact odds, in standard errors", _scores(result.lines)),
        _table(result.lines),
    ]
    if result.sessions:
        parts += _session_parts(result.sessions)
    style = (
        "body{font:15px sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
        "td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #ccc}td:first-child{text-align:left}"
        "svg{max-width:100%}figcaption{font-weight:bold}"
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _session_parts(sessions: SessionResults) -> list[str]:
    parts = [
        f"<h2>{sessions.sessions:,} sessions of {sessions.rounds:,} rounds</h2>"
        f"<p>Mean {sessions.mean:.3f} units, standard deviation {sessions.deviation:.3f}, mean drawdown "
        f"{sessions.mean_drawdown:.3f}.</p>",
        _figure("Results of sessions, in units: share of sessions in each bar", _curve(_bars(sessions))),
        _figure("Risk of ruin by bankroll, in units", _curve(sessions.ruin)),
        _figure("Share of sessions with at least such a drawdown, in units", _curve(sessions.fall)),
    ]
    if sessions.hold:
        parts.append(_figure("Hold of the house, by share of sessions", _curve(sessions.hold)))
    return parts


def _bars(sessions: SessionResults) -> list[Point]:
    """The histogram of results as an outline of some bars, which smooth that only certain results are possible.

    The last thousandth on either side is not drawn: there lie single sessions, and all that no bin was wide enough for.
    """
    kept: list[tuple[float, int]] = []
    below = 0
    for edge, times in sessions.results:
        if below + times > sessions.sessions * TAIL and below <= sessions.sessions * (1 - TAIL):
            kept.append((edge, times))
        below += times
    if len(kept) < 2:
        return []
    first, step = kept[0][0], min(more[0] - less[0] for less, more in pairwise(kept))
    wide = step * max(1, ceil((kept[-1][0] - first) / step / BARS))
    # A stake won rather than lost moves a result by two units: bars of another width would be high and low by turns.
    wide = 2.0 * ceil(wide / 2 - STEADY) if wide >= 1 else wide
    shares = [0.0] * (int((kept[-1][0] - first) / wide + STEADY) + 1)
    for edge, times in kept:
        shares[int((edge - first) / wide + STEADY)] += times / sessions.sessions
    outline = [(first + (n + side) * wide, share) for n, share in enumerate(shares) for side in (0, 1)]
    return [(first, 0.0), *outline, (outline[-1][0], 0.0)]


def _figure(caption: str, drawing: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawing}</figure>" if drawing else ""


def plots(result: Result) -> str:
    """The drawings of a result for a notebook, without a page around them."""
    return _figure("Distance from the exact odds, in standard errors", _scores(result.lines))


def _table(lines: Sequence[WagerResult]) -> str:
    head = "<tr><th>wager</th><th>decided</th><th>edge %</th><th>± 95 %</th><th>exact %</th><th>z</th></tr>"
    rows = "".join(
        f"<tr><td>{escape(line.wager)}{escape(f' ({line.policy})') if line.policy else ''}</td>"
        f"<td>{line.decided:,}</td><td>{100 * line.edge:.4f}</td><td>{50 * _breadth(line):.4f}</td>"
        f"<td>{'' if line.exact is None else f'{float(-line.exact.mean * 100):.4f}'}</td>"
        f"<td>{'' if line.z is None else f'{line.z:+.2f}'}</td></tr>"
        for line in lines
    )
    return f"<table>{head}{rows}</table>"


def _breadth(line: WagerResult) -> float:
    low, high = line.interval
    return high - low


def _scores(lines: Sequence[WagerResult]) -> str:
    """A dot for each wager: where it lies between minus five and five standard errors."""
    scored = [line for line in lines if line.z is not None][:60]
    if not scored:
        return ""
    height = 18 * len(scored) + 30
    middle = WIDTH * 0.6

    def across(z: float) -> float:
        return middle + max(-5.5, min(5.5, z)) * WIDTH * 0.07

    marks = "".join(
        f'<path d="M{across(z):.1f},6 V{height - 20}" stroke="{"#999" if z == 0 else "#ddd"}"/>'
        f'<text x="{across(z):.1f}" y="{height - 5}" font-size="11" text-anchor="middle">{z}</text>'
        for z in range(-5, 6)
    )
    dots = "".join(
        f'<text x="4" y="{18 * n + 18}" font-size="12">{escape(line.wager)}</text>'
        f'<circle cx="{across(line.z or 0.0):.1f}" cy="{18 * n + 14}" r="4" fill="#06c"/>'
        for n, line in enumerate(scored)
    )
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img">{marks}{dots}</svg>'


def _curve(points: Sequence[Point]) -> str:
    if len(points) < 2:
        return ""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, right = min(xs), max(xs)
    bottom, top = min(0.0, *ys), max(ys) or 1.0

    def place(point: Point) -> str:
        x = MARGIN + (point[0] - left) / ((right - left) or 1) * (WIDTH - 2 * MARGIN)
        y = HEIGHT - MARGIN - (point[1] - bottom) / ((top - bottom) or 1) * (HEIGHT - 2 * MARGIN)
        return f"{x:.1f},{y:.1f}"

    axes = (
        f'<path d="M{MARGIN},{MARGIN} V{HEIGHT - MARGIN} H{WIDTH - MARGIN}" fill="none" stroke="#999"/>'
        f'<text x="{MARGIN}" y="{HEIGHT - MARGIN + 16}" font-size="12" text-anchor="middle">{left:.4g}</text>'
        f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - MARGIN + 16}" font-size="12" text-anchor="middle">{right:.4g}</text>'
        f'<text x="{MARGIN - 4}" y="{HEIGHT - MARGIN}" font-size="12" text-anchor="end">{bottom:.3g}</text>'
        f'<text x="{MARGIN - 4}" y="{MARGIN + 4}" font-size="12" text-anchor="end">{top:.3g}</text>'
    )
    line = " ".join(map(place, points))
    drawn = f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/>'
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{axes}{drawn}</svg>'
