"""Caribbean stud: croupier's kernel beside the same algorithm in C, in one run.

    python -m benchmarks.stud_simulation [TIMES]

Both play the same rounds from the same tables in turn, on one core; the best time of the processor counts, and the
counts must be equal.  Ends with 1 if they differ, or if fewer than 5 million hands of a box are played in a second and
at less than 0.85 of the speed of C.
"""

from __future__ import annotations

import sys

from benchmarks.beside_c import beside_c
from croupier.rulesets import ruleset
from croupier.simulation.plan import SimulationSettings
from croupier.simulation.stud import simulated

ROUNDS = 2_000_000
GOAL = 5e6


def main(times: int = 7) -> int:
    rules = ruleset("nz1996", game="caribbean_stud")
    cases = {
        "optimum": SimulationSettings(),
        "three rules of thumb": SimulationSettings(strategy="three rules of thumb"),
        "optimum, seven boxes": SimulationSettings(boxes=7),
    }
    good = True
    for name, settings in cases.items():
        comparison = beside_c(
            "stud_simulation.c", simulated(rules, settings), units=ROUNDS // settings.boxes, times=times
        )
        print(comparison.line(name))
        good &= comparison.equal and (comparison.rounds_per_second * settings.boxes >= GOAL or comparison.ratio >= 0.85)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 7))
