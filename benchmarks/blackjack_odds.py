"""Blackjack solved from a full shoe: croupier beside an equivalent program in C++, in one run.

    python benchmarks/blackjack_odds.py [DECKS [ROUNDS]]

Both find the value of every hand and action, the best play and the best chart, in doubles, from an empty start.
Compiles blackjack_odds.cpp, then runs both in turn, each time in a new process, and compares the two edges.  Of ours
three times are told: the first call in a process, with what it takes to load the compiled functions from disk and to
make the tables of the rules and hands; a later call, which has them; and the whole process, with Python and imports,
which may keep its bytecode.  Of C++ it is always the whole process.

Times are of the processor, which a busy machine disturbs less than the clock; the clock's are told too.  The best of
all rounds counts.  Ends with 1 if the edges differ or a later call takes more than `MOST` times as long as C++.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
COMPILER = (os.environ.get("CXX", "g++"), "-O3", "-march=native", "-std=c++17")
MOST = 5
SAME = 1e-12
CHILD = """
import json, sys, time
from croupier.equipment import full_shoe
from croupier.exact.blackjack import solve
from croupier.games.blackjack import BLACKJACK
rules = BLACKJACK.editions["nz1996"]["blackjack"]
report = {"calls": []}
for _ in range(3):
    clock, processor = time.perf_counter(), time.process_time()
    solved = solve(rules, full_shoe(int(sys.argv[1])))
    report["edges"] = (-solved.main_worth, -solved.chart_worth)
    report["calls"].append((time.process_time() - processor, time.perf_counter() - clock))
print(json.dumps(report))
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds of the processor and of the clock."""

    processor: float
    clock: float


def run(command: list[str]) -> tuple[str, Taken]:
    """What a process printed, and what it took."""
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment = kept | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    taken, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, Taken(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, taken)


def measure(program: Path, decks: str, rounds: int) -> tuple[dict[str, list[Taken]], list[tuple[float, float]]]:
    """Both in turn, so that a change of load meets both."""
    taken: dict[str, list[Taken]] = {"C++": [], "first call": [], "later call": [], "whole process": []}
    edges = []
    for _ in range(rounds):
        printed, seconds = run([str(program), decks])
        best, chart = map(float, printed.split()[:2])
        edges.append((best, chart))
        taken["C++"].append(seconds)
        printed, seconds = run([sys.executable, "-c", CHILD, decks])
        report = json.loads(printed)
        best, chart = report["edges"]
        edges.append((best, chart))
        first, *later = (Taken(*call) for call in report["calls"])
        taken["first call"].append(first)
        taken["later call"] += later
        more = [sum(each.processor for each in later), sum(each.clock for each in later)]
        taken["whole process"].append(Taken(seconds.processor - more[0], seconds.clock - more[1]))
    return taken, edges


def main(decks: str = "8", rounds: int = 5) -> int:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "blackjack_odds"
        subprocess.run([*COMPILER, "-o", str(program), str(HERE / "blackjack_odds.cpp")], check=True)
        run([sys.executable, "-c", CHILD, decks])  # Compiles what is not yet kept on disk; not counted.
        taken, edges = measure(program, decks, rounds)
    base = min(each.processor for each in taken["C++"])
    clock = min(each.clock for each in taken["C++"])
    print(f"{'best of ' + str(rounds):16}{'processor':>12}{'ratio':>8}{'clock':>12}{'ratio':>8}")
    for name, all_taken in taken.items():
        best, fastest = min(each.processor for each in all_taken), min(each.clock for each in all_taken)
        print(f"{name:16}{best:10.2f} s{best / base:8.2f}{fastest:10.2f} s{fastest / clock:8.2f}")
    apart = max(abs(a - b) for one in edges for a, b in zip(one, edges[0], strict=True))
    print(
        f"{decks} decks: edge {edges[0][0]:.15f} by the best play, {edges[0][1]:.15f} by the chart; apart {apart:.1e}"
    )
    ratio = min(each.processor for each in taken["later call"]) / base
    return 0 if apart <= SAME and ratio <= MOST else 1


if __name__ == "__main__":
    asked = sys.argv[1:]
    sys.exit(main(asked[0] if asked else "8", int(asked[1]) if asked[1:] else 5))
