"""The optimum of Caribbean stud: croupier beside an equivalent program in C++, in one run.

    python benchmarks/caribbean_stud_odds.py [ROUNDS]

Compiles caribbean_stud_odds.cpp, then runs both in turn, each time in a new process, on one core, and compares the
net of all deals.  Of croupier three times are told: the first call in a process, with what it takes to load the
compiled functions from disk; a later call; and the whole process, with Python and its imports.  Of C++ it is always
the whole process.

Times are of the processor, which a busy machine disturbs less than the clock; the clock's are told too.  The best of
all rounds counts.  Ends with 1 if the nets differ or the first call takes more than four times as long as C++.
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
MOST = 4
CHILD = """
import json, time
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.exact.caribbean_stud import compiling, play
rules = CARIBBEAN_STUD.editions["nz1996"]["caribbean_stud"]
report = {"compiling": compiling(), "calls": []}
for _ in range(2):
    clock, processor = time.perf_counter(), time.process_time()
    net = play(rules).net
    report["calls"].append((time.process_time() - processor, time.perf_counter() - clock))
report["net"] = int(net)
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
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    taken, after = time.perf_counter() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, Taken(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, taken)


def compile_to(program: Path) -> None:
    subprocess.run([*COMPILER, "-o", str(program), str(HERE / "caribbean_stud_odds.cpp")], check=True)


def measure(program: Path, rounds: int) -> tuple[dict[str, list[Taken]], set[int]]:
    """Both in turn, so that a change of load meets both."""
    taken: dict[str, list[Taken]] = {"C++": [], "first call": [], "later call": [], "whole process": []}
    nets = set()
    for _ in range(rounds):
        printed, seconds = run([str(program)])
        nets.add(int(printed.split()[0]))
        taken["C++"].append(seconds)
        printed, seconds = run([sys.executable, "-c", CHILD])
        report = json.loads(printed)
        nets.add(report["net"])
        first, later = (Taken(*call) for call in report["calls"])
        taken["first call"].append(first)
        taken["later call"].append(later)
        taken["whole process"].append(Taken(seconds.processor - later.processor, seconds.clock - later.clock))
    return taken, nets


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "caribbean_stud_odds"
        compile_to(program)
        printed, seconds = run([sys.executable, "-c", CHILD])
        if json.loads(printed)["compiling"]:
            print(f"compiled once, {seconds.processor:.1f} s of the processor; not counted below")
        taken, nets = measure(program, rounds)
    base = min(each.processor for each in taken["C++"])
    clock = min(each.clock for each in taken["C++"])
    print(f"{'best of ' + str(rounds):16}{'processor':>12}{'ratio':>8}{'clock':>12}{'ratio':>8}")
    for name, all_taken in taken.items():
        best, fastest = min(each.processor for each in all_taken), min(each.clock for each in all_taken)
        print(f"{name:16}{best:10.2f} s{best / base:8.2f}{fastest:10.2f} s{fastest / clock:8.2f}")
    print(f"net of all deals: {' and '.join(map(str, sorted(nets)))}")
    ratio = min(each.processor for each in taken["first call"]) / base
    return 0 if len(nets) == 1 and ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
