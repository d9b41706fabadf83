"""How the cost of work grows with its size: points, the exponent that fits them, and a drawing.

    python -m benchmarks.growth [DRAWING.svg]

Each piece of work is done at doubling sizes, in processor time, the best of three; the exponent is the slope of the
least squares through the logarithms, over the larger half of the sizes, where what a call costs in itself has faded.
An exponent of 1 is linear.  Memory is the most that the process ever held, told after the smallest and after the
largest size.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from math import log
from pathlib import Path

import croupier
from croupier.equipment import full_shoe
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import decode
from croupier.table.evolve import after
from croupier.table.state import new_table

Work = Callable[[int], Callable[[], object]]


def simulated(rounds: int) -> Callable[[], object]:
    rules = croupier.ruleset("nz1998")
    return lambda: croupier.simulate(rules, rounds=rounds, seed=1, workers=1)


def decks(number: int) -> Callable[[], object]:
    rules, shoe = croupier.ruleset("nz1998"), full_shoe(number)
    return lambda: croupier.odds(rules, shoe=shoe)


def shoes(number: int) -> Callable[[], object]:
    rules = croupier.ruleset("nz1998")
    return lambda: sum(1 for _ in croupier.odds_each(rules, [full_shoe(8)] * number))


def _journal(lines: int) -> LiveTable:
    table = LiveTable(known_game("baccarat"), ruleset("nz1998"))
    table.open(minimum=500, maximum=1_000_000, chip=100)
    table.sit("Ann", 1, chips=100_000)
    while len(table.journal) < lines:
        table.ask(c.BuyChips("Ann", 100))
    return table


def asked(lines: int) -> Callable[[], object]:
    return lambda: _journal(lines)


def replayed(lines: int) -> Callable[[], object]:
    from croupier.journal.entries import encode

    table = _journal(lines)
    written = [encode(entry) for entry in table.journal]

    def replay() -> object:
        fresh = new_table("table 1", known_game("baccarat"), ruleset("nz1998"))
        state = after(fresh, tuple(map(decode, written)))
        if state.balances != table.state.balances:
            raise RuntimeError("the replay came to other balances")
        return state

    return replay


SIZES: dict[str, tuple[Work, tuple[int, ...], str]] = {
    "simulation of baccarat": (simulated, tuple(10**6 * 2**n for n in range(1, 7)), "rounds"),
    "one sheet by its shoe": (decks, (1, 2, 4, 8, 16), "decks"),
    "sheets of many shoes": (shoes, tuple(100 * 2**n for n in range(4)), "shoes"),
    "a table's commands": (asked, tuple(500 * 2**n for n in range(5)), "lines"),
    "a journal replayed": (replayed, tuple(500 * 2**n for n in range(5)), "lines"),
}


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def exponent(sizes: list[int], times: list[float]) -> float:
    """The slope through the larger half of the points."""
    points = [(log(size), log(took)) for size, took in zip(sizes, times, strict=True)][len(sizes) // 2 - 1 :]
    middle, height = (sum(values) / len(points) for values in zip(*points, strict=True))
    across = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * (y - height) for x, y in points) / across


def drawing(found: dict[str, tuple[list[int], list[float]]]) -> str:
    """A small drawing a piece of work: size to the right and time upwards, both in doublings."""
    parts = []
    for place, (name, (sizes, times)) in enumerate(found.items()):
        left, scale = 20 + 190 * place, 150 / max(log(sizes[-1] / sizes[0], 2), 1)
        points = [
            (left + scale * log(size / sizes[0], 2), 170 - scale * log(max(took / times[0], 1e-3), 2))
            for size, took in zip(sizes, times, strict=True)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<text x="{left}" y="200">{name}</text>')
        parts.append(f'<path d="M{left} 170 l150 -150" stroke="#bbb" fill="none"/>')
        parts.append(f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/>')
    width = 20 + 190 * len(found)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -10 {width} 230" font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, "<title>Time by size, in doublings; the grey line is linear</title>", *parts, "</svg>\n"])


def main(file: str = "") -> None:
    found: dict[str, tuple[list[int], list[float]]] = {}
    print(f"{'work':<26} {'from':>10} {'to':>10} {'':<7} {'seconds':>18} {'exponent':>9} {'memory, MB':>12}")
    for name, (work, sizes, unit) in SIZES.items():
        times, held = [], []
        for size in sizes:
            times.append(seconds(work(size)))
            held.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        found[name] = (list(sizes), times)
        span = f"{times[0]:.4f} to {times[-1]:.3f}"
        power = exponent(list(sizes), times)
        grown = f"{power:>9.2f} {held[0]:>5} to {held[-1]}"
        print(f"{name:<26} {sizes[0]:>10,} {sizes[-1]:>10,} {unit:<7} {span:>18} {grown}", flush=True)
    if file:
        Path(file).write_text(drawing(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
