"""Whole odds sheets, cold and warm, beside a plain loop in C in the same run.

    python -m benchmarks.odds [ROUNDS]

The unit of work is a loop in C that deals hands of six cards from eight decks by a small random generator and adds up
their points: the time of a million hands on this machine, on one core.  A cold sheet is the first in a new process,
imports apart; a warm one is the second.  Functions are compiled before, once, and that is not counted.

Times are of the processor, which a busy machine disturbs less than the clock.  The best of all rounds counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HANDS = 20_000_000
LOOP = f"""
#include <stdint.h>
#include <stdio.h>
#include <time.h>
int main(void) {{
    uint64_t state = 88172645463325252ull, points = 0;
    uint8_t shoe[416];
    for (int i = 0; i < 416; i++) {{ int rank = i % 13 + 1; shoe[i] = rank < 10 ? rank : 0; }}
    clock_t begin = clock();
    for (int hand = 0; hand < {HANDS}; hand++) {{
        int sum = 0;
        for (int card = 0; card < 6; card++) {{
            state ^= state << 13; state ^= state >> 7; state ^= state << 17;
            sum += shoe[state % 416];
        }}
        points += sum % 10;
    }}
    printf("%.9f %llu\\n", (double)(clock() - begin) / CLOCKS_PER_SEC, (unsigned long long)points);
}}
"""
SHEETS = {
    "baccarat nz1998": ("nz1998", "baccarat", ""),
    "baccarat nzd5, with pairs": ("nzd5", "baccarat", ""),
    "baccarat vic2002, with Runs": ("vic2002", "baccarat", "crown"),
    "roulette": ("nz1996", "roulette", ""),
    "tai-sai": ("nz1996", "tai_sai", ""),
    "craps": ("nz1996", "craps", ""),
    "Caribbean stud": ("nz1996", "caribbean_stud", ""),
    "blackjack": ("nz1996", "blackjack", ""),
}
CHILD = """
import json, sys, time
import croupier
import croupier.exact.sheet, croupier.rulesets
edition, game, version = sys.argv[1:]
rules = croupier.ruleset(edition, game=game, version=version)
times = []
for _ in range(2):
    begin = time.process_time()
    croupier.odds(rules)
    times.append(time.process_time() - begin)
print(json.dumps(times))
"""


def unit() -> float:
    """Seconds of the processor for a million hands of the loop."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "loop.c", Path(folder) / "loop"
        source.write_text(LOOP)
        subprocess.run([os.environ.get("CC", "gcc"), "-O2", "-o", str(program), str(source)], check=True)
        times = [
            subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.split()[0]
            for _ in range(3)
        ]
    return min(map(float, times)) / HANDS * 1_000_000


def taken(name: str) -> tuple[float, float]:
    """Seconds of the processor for a cold and a warm sheet, in a new process."""
    done = subprocess.run([sys.executable, "-c", CHILD, *SHEETS[name]], capture_output=True, text=True, check=True)
    cold, warm = json.loads(done.stdout)
    return float(cold), float(warm)


def main(rounds: int = 3) -> None:
    million = unit()
    print(
        f"unit: a million hands of a plain C loop, {million * 1000:.1f} ms ({1 / million:.0f} million hands a second)"
    )
    print(f"{'best of ' + str(rounds):30}{'cold':>10}{'units':>9}{'warm':>10}{'units':>9}")
    for name in SHEETS:
        taken(name)
        cold, warm = (min(times) for times in zip(*(taken(name) for _ in range(rounds)), strict=True))
        print(f"{name:30}{cold:8.2f} s{cold / million:9.1f}{warm:8.2f} s{warm / million:9.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
