"""How long a command takes from nothing, as a ratio to its imports alone and to an earlier commit, in one run.

    python -m benchmarks.startup [ROUNDS [COMMIT]]

Each command runs in a new process; the rounds alternate, and the best of each counts.  Times are of the processor, user
and system, which a busy machine disturbs less than the clock.  The unit is a process that imports the three packages
of every command and does nothing.  The odds of the light games run beside those of the commit named (0ae318e): its
source is taken from git into a folder of its own, and run with the same packages.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

UNIT = "import msgspec, typer, rich"
COMMANDS = {
    UNIT: [sys.executable, "-c", UNIT],
    "croupier --help": ["--help"],
    "croupier due": ["due", "nz1998 2h 3d Kc"],
    "croupier settle": ["settle", "nz1998 banker 100: 2h 3d Kc Qs 8h"],
    "croupier rules show": ["rules", "show", "NZ1998-9.4"],
}
LIGHT = ("roulette", "tai_sai", "money_wheel", "craps", "baccarat")
BEFORE = "0ae318e"
NOW = [sys.executable, "-m", "croupier"]
THEN = [sys.executable, "-c", "from croupier.cli import main; main()"]
# A process that may not keep its bytecode compiles every module each time, and nobody runs croupier so.
PLAINLY = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def seconds(command: list[str], **places: str) -> float:
    """Seconds of the processor that a command takes, all its processes together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env={**PLAINLY, **places})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def source(commit: str, folder: str) -> str:
    """The source of a commit, written into a folder, its benchmarks beside it."""
    packed = subprocess.run(["git", "archive", commit, "src", "benchmarks"], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
    return str(Path(folder) / "src")


def main(rounds: int = 5, commit: str = BEFORE) -> None:
    commands = {name: words if name == UNIT else [*NOW, *words] for name, words in COMMANDS.items()}
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(rounds + 1):
        for name, command in commands.items():
            best[name] = min(best[name], seconds(command))
    print(f"{'command':<34} {'seconds':>8} {'of the imports':>15}")
    for name, took in best.items():
        print(f"{name:<34} {took:>8.3f} {took / best[UNIT]:>15.2f}")
    print(f"\n{'odds sheet, whole process':<34} {commit:>8} {'now':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        then = source(commit, folder)
        for game in LIGHT:
            words = ["odds", game, "--edition", "nz1996"]
            pairs = [(seconds([*THEN, *words], PYTHONPATH=then), seconds([*NOW, *words])) for _ in range(rounds + 1)]
            before, now = (min(times) for times in zip(*pairs, strict=True))
            print(f"{game:<34} {before:>8.3f} {now:>8.3f} {now / before:>6.2f}")


if __name__ == "__main__":
    main(*(kind(each) for kind, each in zip((int, str), sys.argv[1:], strict=False)))
