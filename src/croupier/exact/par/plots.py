"""Plots of a PAR sheet as SVG: bars of edges, the distribution of a shift, the effect of removing a card, charts.

Every drawing has a name for readers who do not see it, its figures stand beside it in words, and no meaning rests on
colour alone.  Colours are classes; the page's style says what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from typing import Final

from croupier.exact.par.shift import ShiftResult
from croupier.markup import Html, el

WIDE: Final = 720.0
ROW: Final = 24.0
NAMES: Final = 190.0
PADDING: Final = 70.0
THICKEST: Final = 12.0


def signed(value: float, digits: int) -> str:
    """A number with a true minus sign, and a plus where it is more than nothing."""
    text = f"{abs(value):,.{digits}f}"
    return text if float(text.replace(",", "")) == 0 else f"{'−' if value < 0 else '+'}{text}"


def nice_step(span: float, about: int) -> float:
    """A step of 1, 2 or 5 times a power of ten, so that about so many fit."""
    rough = span / about
    power = float(10 ** floor(log10(rough)))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= rough), 10 * power)


# ---------------------------------------------------------------- edges


def edge_bars(rows: Sequence[tuple[str, Fraction]]) -> Html:
    """The house's edge of every wager in percent; bars to the left favour the player."""
    values = [float(edge * 100) for _, edge in rows]
    low, high = min(0.0, *values), max(0.0, *values)
    span = (high - low) or 1.0
    height = ROW * len(rows) + 26

    def x(value: float) -> float:
        return NAMES + PADDING / 2 + (value - low) / span * (WIDE - NAMES - 1.7 * PADDING)

    step = nice_step(span, 6)
    ticks = [n * step for n in range(floor(low / step), floor(high / step) + 1) if low <= n * step <= high]
    drawn = [el("line", cls="g", x1=x(at), x2=x(at), y1=0, y2=height - 22) for at in ticks]
    drawn += [el("text", f"{at:g} %".replace("-", "−"), cls="ax", x=x(at), y=height - 6) for at in ticks]
    for n, ((name, _), value) in enumerate(zip(rows, values, strict=True)):
        y = n * ROW
        bar = {"x": x(min(0.0, value)), "y": y + 5, "width": max(abs(x(value) - x(0)), 0.5), "height": ROW - 10}
        drawn.append(el("text", name, cls="nm", x=NAMES, y=y + ROW / 2 + 4))
        drawn.append(el("rect", cls="a" if value >= 0 else "for-player", rx=2, **bar))
        drawn.append(el("text", f"{value:.2f}".replace("-", "−"), cls="v", x=x(max(0.0, value)) + 6, y=y + ROW / 2 + 4))
    drawn.append(el("line", cls="zero", x1=x(0), x2=x(0), y1=0, y2=height - 22))
    return el(
        "svg", *drawn, cls="plot", viewBox=f"0 0 {WIDE:g} {height:g}", role="img", aria_label="House edge by wager"
    )


# ---------------------------------------------------------------- a shift


def shift_plot(name: str, this: ShiftResult) -> Html:
    """The house's result: bars left of zero are shifts that it lost."""
    width, height, base = 300.0, 96.0, 78.0
    low, high = this.bars[0].low, this.bars[-1].high
    top = max(bar.chance for bar in this.bars)

    def x(value: float) -> float:
        return 6 + (value - low) / (high - low) * (width - 12)

    drawn = []
    for bar in this.bars:
        tall, middle = bar.chance / top * (base - 8), (bar.low + bar.high) / 2
        # Results that lie far apart are drawn as what they are: single values.
        broad = min(x(bar.high) - x(bar.low) - 0.6, THICKEST)
        size = {"x": x(middle) - broad / 2, "width": max(broad, 0.4)}
        drawn.append(el("rect", cls="lost" if middle < 0 else "a", y=base - tall, height=tall, **size))
    drawn.append(el("line", cls="base", x1=6, x2=width - 6, y1=base, y2=base))
    if low < 0 < high:
        drawn.append(el("line", cls="zero", x1=x(0), x2=x(0), y1=4, y2=base + 4))
    for at in _ends(low, high):
        drawn.append(el("text", signed(at, 0), cls="ax", x=min(max(x(at), 22.0), width - 22), y=height - 4))
    label = f"{name}: result of the house after {this.rounds} wagers of one unit"
    return el("svg", *drawn, cls="plot", viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=label)


def _ends(low: float, high: float) -> list[float]:
    step = nice_step(high - low, 4)
    return [n * step for n in range(floor(low / step) + 1, floor(high / step) + 1)]


# ---------------------------------------------------------------- removing a card


def removal_plot(name: str, ranks: Sequence[str], changes: Sequence[Fraction | None]) -> Html:
    """For each rank the change of the edge, in hundredths of a percent, when one card of it is gone."""
    width, height, middle = 340.0, 130.0, 60.0
    values = [None if each is None else float(each * 10_000) for each in changes]
    most = max((abs(value) for value in values if value is not None), default=0.0) or 1.0
    column = (width - 8) / len(ranks)
    digits = 0 if most >= 20 else 1 if most >= 1 else 2
    drawn = []
    for n, (rank, value) in enumerate(zip(ranks, values, strict=True)):
        x = 4 + n * column
        drawn.append(el("text", rank, cls="rank", x=x + column / 2, y=height - 4))
        if value is None:
            continue
        tall = abs(value) / most * 38
        y = middle - tall if value > 0 else middle
        drawn.append(el("rect", cls="a" if value >= 0 else "b", x=x + 4, y=y, width=column - 8, height=max(tall, 0.4)))
        at = y - 4 if value > 0 else y + tall + 12
        drawn.append(el("text", signed(value, digits), cls="ax small", x=x + column / 2, y=at))
    drawn.append(el("line", cls="base", x1=4, x2=width - 4, y1=middle, y2=middle))
    label = f"{name}: change of the edge when one card of a rank is removed"
    return el("svg", *drawn, cls="plot", viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=label)


# ---------------------------------------------------------------- a chart

LETTERS: Final = {"hit": "H", "stand": "S", "double": "D", "split": "P", "as total": "·"} | {
    "double-stand": "Ds",
    "surrender": "R",
    "surrender-stand": "Rs",
}


def chart_grid(title: str, ups: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> Html:
    """A chart of play: a column for each first card of the dealer, a row for each total or pair."""
    cell, left, top = 30.0, 44.0, 24.0
    width, height = left + cell * len(ups), top + cell * len(rows)
    drawn = [el("text", up, cls="rank", x=left + (n + 0.5) * cell, y=16) for n, up in enumerate(ups)]
    for r, (name, words) in enumerate(rows):
        y = top + r * cell
        drawn.append(el("text", name, cls="nm", x=left - 8, y=y + 20))
        for c, word in enumerate(words):
            x = left + c * cell
            kind = word.replace(" ", "-")
            drawn.append(el("rect", cls=f"cell {kind}", x=x + 1, y=y + 1, width=cell - 2, height=cell - 2, rx=3))
            drawn.append(el("text", LETTERS.get(word, word[:1]), cls=f"in {kind}", x=x + cell / 2, y=y + 20))
    return el("svg", *drawn, cls="plot chart", viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=title)
