"""Blackjack by whole shoes: croupier's kernel beside the same algorithm in C, in one run.

    python -m benchmarks.blackjack_simulation [TIMES]

Both play the same shoes from the same tables in turn, on one core, so that a change of load meets both; the best time
of the processor counts, and the counts must be equal.  Ends with 1 if they differ, or if fewer than
10 million hands of a box are played in a second and at less than 0.85 of the speed of C.
"""

from __future__ import annotations

import sys
from time import process_time

from benchmarks.beside_c import beside_c
from croupier.rulesets import ruleset
from croupier.simulation.blackjack import simulated
from croupier.simulation.plan import SimulationSettings

SHOES = 30_000
GOAL = 10e6


def main(times: int = 7) -> int:
    rules = ruleset("nz1996", game="blackjack")
    start = process_time()
    cases = {
        "basic strategy": SimulationSettings(strategy="basic"),
        "best play by cards": SimulationSettings(strategy="main"),
        "basic, seven boxes": SimulationSettings(strategy="basic", boxes=7),
    }
    good = True
    for name, settings in cases.items():
        comparison = beside_c("blackjack_simulation.c", simulated(rules, settings), units=SHOES, times=times)
        print(comparison.line(name))
        good &= comparison.equal and (comparison.rounds_per_second * settings.boxes >= GOAL or comparison.ratio >= 0.85)
    print(f"{process_time() - start:.0f} s of the processor with solving and compiling")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 7))
