"""How long a command takes from nothing, as a ratio to a bare interpreter in the same run.

    python -m benchmarks.startup [ROUNDS]

Each command runs in a new process; the rounds alternate, and the best of each counts.
"""

from __future__ import annotations

import subprocess
import sys
import time

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "croupier --help": [sys.executable, "-m", "croupier.cli", "--help"],
    "croupier due": [sys.executable, "-m", "croupier.cli", "due", "nz1998 2h 3d Kc"],
    "croupier odds baccarat, nz1998": [sys.executable, "-m", "croupier.cli", "odds", "baccarat", "--edition", "nz1998"],
    "croupier odds baccarat, nzd5": [sys.executable, "-m", "croupier.cli", "odds", "baccarat", "--edition", "nzd5"],
    "croupier odds craps": [sys.executable, "-m", "croupier.cli", "odds", "craps", "--edition", "nz1996"],
}


def seconds(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begun


def main(rounds: int) -> None:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            best[name] = min(best[name], seconds(command))
    unit = best["python -c pass"]
    print(f"{'command':<34} {'seconds':>8} {'ratio':>8}")
    for name, took in best.items():
        print(f"{name:<34} {took:>8.3f} {took / unit:>8.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
