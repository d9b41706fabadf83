"""Simulation: croupier beside C and beside crapssim, in one run, as ratios.

    python -m benchmarks.simulation [ROUNDS]

- Baccarat: compiles baccarat_simulation.c (gcc -O3 -march=native), which plays the same shoes by the same tables; both
  play in turn on one core, and their counts must be equal.
- Everything else that is simulated of a game, beside its plain play, on one core.
- Two threads beside one, by the clock, and two processes of the C program beside one: what the machine itself gives to
  two at once.  Near two each when both cores are free.
- Roulette, tai-sai, money wheel: outcomes a second on one core.
- Craps: throws a second beside crapssim on the same plan, pass with single odds.  crapssim is found in this
  environment, or put into a temporary one; without either this part says so and is left out.
- Memory of long runs beside short ones, and the start of `croupier simulate` with a million rounds.

Times of one core are the processor's, which a busy machine disturbs less than the clock.  The best of all rounds
counts.  Ends with 1 if a bound is missed.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from croupier.rulesets import ruleset
from croupier.simulation import kernels
from croupier.simulation.plan import Chunk, Program, SimulationSettings, run_chunk
from croupier.simulation.run import prepared, simulate
from croupier.simulation.streams import keys_of

HERE = Path(__file__).parent
COMPILER = (os.environ.get("CC", "gcc"), "-O3", "-march=native")
SHOES = 60_000
LONG = 300_000_000
LONG_SHOES = 1_200_000
SEED = 20260801
CRAPSSIM = """
import json, sys, time
from crapssim.bet import PassLine
from crapssim.strategy import AggregateStrategy, BetPassLine
from crapssim.strategy.odds import PassLineOddsMultiplier
from crapssim.table import Table
table = Table(seed=1)
table.add_player(bankroll=float("inf"), strategy=BetPassLine(5) + PassLineOddsMultiplier(1.0))
table.run(max_rolls=200, verbose=False)
before, first = time.process_time(), table.dice.n_rolls
table.run(max_rolls=first + int(sys.argv[1]), verbose=False)
print(json.dumps({"seconds": time.process_time() - before, "rolls": table.dice.n_rolls - first}))
"""


Way: TypeAlias = tuple[str, str, dict[str, object], SimulationSettings]
PATHS: dict[str, tuple[Way, ...]] = {
    "baccarat": (
        ("plain", "nz1998", {}, SimulationSettings()),
        ("a bettor by martingale", "nz1998", {}, SimulationSettings(strategy="martingale")),
        ("a bettor by the count", "nz1998", {}, SimulationSettings(strategy="hi_lo:on=banker")),
        ("nzd5, with Perfect Pairs", "nzd5", {}, SimulationSettings()),
        ("Victoria, with Runs", "vic2002", {}, SimulationSettings()),
        ("sessions of 100", "nz1998", {}, SimulationSettings(session=100)),
        ("martingale in sessions of 100", "nz1998", {}, SimulationSettings(strategy="martingale", session=100)),
        ("continuous shuffler", "nzd5", {"shuffler": "continuous"}, SimulationSettings()),
        ("the same, martingale", "nzd5", {"shuffler": "continuous"}, SimulationSettings(strategy="martingale")),
        ("the same, sessions of 100", "nzd5", {"shuffler": "continuous"}, SimulationSettings(session=100)),
    ),
    "blackjack": (
        ("plain, by the chart", "nz1996", {}, SimulationSettings(strategy="basic")),
        ("the best play by all cards", "nz1996", {}, SimulationSettings(strategy="main")),
        ("a bettor by martingale", "nz1996", {}, SimulationSettings(strategy="martingale")),
        ("a bettor by the count", "nz1996", {}, SimulationSettings(strategy="hi_lo")),
        ("the same with index plays", "nz1996", {}, SimulationSettings(strategy="hi_lo:indices=yes")),
        ("sessions of 100", "nz1996", {}, SimulationSettings(strategy="basic", session=100)),
    ),
    "caribbean_stud": (
        ("plain, the optimum", "nz1996", {}, SimulationSettings()),
        ("a bettor by martingale", "nz1996", {}, SimulationSettings(strategy="martingale")),
        ("with a jackpot", "nz1996", {}, SimulationSettings(pool_cents=5_000_000, stake_cents=250)),
        ("sessions of 100", "nz1996", {}, SimulationSettings(session=100)),
    ),
    "craps": (
        ("pass with odds", "nz1996", {}, SimulationSettings(strategy="pass_with_odds")),
        ("iron cross", "nz1996", {}, SimulationSettings(strategy="iron_cross")),
        ("a bettor by martingale", "nz1996", {}, SimulationSettings(strategy="martingale")),
        ("sessions of 100", "nz1996", {}, SimulationSettings(strategy="pass_with_odds", session=100)),
    ),
}
"""The ways to play of each game, the plain one first.  Single draws are not among them: the plain way counts two
outcomes at a time, with nobody's money, and no bettor's can be followed so."""


def program_of(game: str, edition: str, settings: SimulationSettings | None = None) -> Program:
    return prepared(ruleset(edition, game=game), settings or SimulationSettings(quick=True)).program


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of this thread's processor, and what the work answered."""
    begun = time.thread_time()
    found = work()
    return time.thread_time() - begun, found


def told(what: str, value: str, *, bound: str = "", held: bool = True) -> bool:
    print(f"  {what:<58} {value:>16}  {bound}{'' if held else '  MISSED'}")
    return held


# ---------------------------------------------------------------- baccarat


def baccarat(rounds: int) -> bool:
    program = program_of("baccarat", "nz1998")
    run_chunk(program, Chunk(SEED, 0, 1))
    with tempfile.TemporaryDirectory() as folder:
        command = compiled(Path(folder), program, shoes=SHOES)
        mine, theirs, rounds_played = [], [], 0
        for _ in range(rounds):
            taken, tally = seconds_of(lambda: run_chunk(program, Chunk(SEED, 0, SHOES)))
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            counts = [int(each) for each in answer[2:]]
            if int(answer[1]) != tally.rounds or counts[: program.bins] != tally.counts.tolist():
                raise SystemExit("the counts of C and of the kernel differ")
            mine.append(taken)
            theirs.append(float(answer[0]))
            rounds_played = tally.rounds
    ratio = min(theirs) / min(mine)
    told("coups of the same shoes, counts equal", f"{rounds_played:,}")
    told("C, million coups a second and core", f"{rounds_played / min(theirs) / 1e6:,.1f}")
    told("croupier", f"{rounds_played / min(mine) / 1e6:,.1f}")
    return told("croupier / C", f"{ratio:.2f}", bound="at least 0.95", held=ratio >= 0.95)


def paths(game: str, rounds: int) -> bool:
    """Each way to play beside the plain one; all in turn, so that a busy moment meets all of them."""
    programs = {
        name: prepared(ruleset(edition, game=game, elections=elections), replace(settings, quick=True)).program
        for name, edition, elections, settings in PATHS[game]
    }
    speed: dict[str, float] = {}
    for turn in range(rounds + 1):
        for name, program in programs.items():
            chunk = Chunk(SEED, 0, 3 * program.units_each if turn else 1)
            taken, tally = seconds_of(lambda p=program, c=chunk: run_chunk(p, c))  # type: ignore[misc]
            if turn:
                speed[name] = max(speed.get(name, 0.0), tally.rounds / taken / 1e6)
    (first, plain), *others = speed.items()
    told(f"{first}, million rounds a second and core", f"{plain:,.0f}")
    held = True
    for name, found in others:
        told(name, f"{found:,.0f}")
        held &= told("  of the plain one", f"{found / plain:.2f}", bound="at least 0.5", held=found >= 0.5 * plain)
    return held


def compiled(folder: Path, program: Program, *, shoes: int) -> list[str]:
    """The command that plays so many shoes in C."""
    binary, tables = folder / "baccarat", folder / "tables"
    subprocess.run([*COMPILER, "-o", str(binary), str(HERE / "baccarat_simulation.c")], check=True)
    return [str(binary), str(tables), *_arguments(program, tables), str(shoes)]


def _arguments(program: Program, file: Path) -> list[str]:
    pack, four, rest, burn, _, _, settings = program.tables[:7]
    file.write_bytes(pack.tobytes() + four.tobytes() + rest.tobytes() + burn.tobytes())
    places = [int(settings[place]) for place in (kernels.CUT, kernels.AFTER, kernels.FIRST)]
    k0, k1 = keys_of(SEED)
    return [str(each) for each in (len(pack), len(rest) // 256, *places, k0, k1)]


def threads(rounds: int) -> bool:
    """Two threads beside one in turn with two processes of C beside one: the machine may not give twice as much."""
    rules = ruleset("nz1998")
    clock: dict[int, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        command = compiled(Path(folder), program_of("baccarat", "nz1998"), shoes=LONG_SHOES)
        for workers in (1, 2) * max(3, rounds // 2):
            mine = clocked(partial(simulate, rules, rounds=LONG, seed=SEED, workers=workers, exact=False))
            theirs = clocked(partial(at_once, command, workers))
            best = clock.get(workers, (mine, theirs))
            clock[workers] = (min(best[0], mine), min(best[1], theirs))
    faster, machine = clock[1][0] / clock[2][0], 2 * clock[1][1] / clock[2][1]
    told(
        "C, two processes / one, by the clock", f"{machine:.2f}", bound=f"load of the machine {os.getloadavg()[0]:.1f}"
    )
    return told(
        "croupier, two threads / one",
        f"{faster:.2f}",
        bound="at least 0.95 of what C gets",
        held=faster >= 0.95 * machine,
    )


def clocked(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def at_once(command: list[str], processes: int) -> None:
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(processes)]
    if any(child.wait() for child in children):
        raise SystemExit("the C program failed")


# ---------------------------------------------------------------- wheels and dice


def single_draws(rounds: int) -> bool:
    held = True
    for game in ("roulette", "tai_sai", "money_wheel"):
        program = program_of(game, "nz1996")
        run_chunk(program, Chunk(SEED, 0, 1))
        chunk = Chunk(SEED, 0, 20_000)
        best = min(seconds_of(lambda p=program, c=chunk: run_chunk(p, c))[0] for _ in range(rounds))  # type: ignore[misc]
        speed = chunk.count * kernels.BLOCK / best / 1e6
        held &= told(
            f"{game}, million outcomes a second and core", f"{speed:,.0f}", bound="at least 100", held=speed >= 100
        )
    return held


def craps(rounds: int) -> bool:
    program = program_of("craps", "nz1996", SimulationSettings(strategy="pass_with_odds", quick=True))
    run_chunk(program, Chunk(SEED, 0, 1))
    taken, tally = min(
        (seconds_of(lambda: run_chunk(program, Chunk(SEED, 0, 3_000))) for _ in range(rounds)), key=_first
    )
    speed = tally.rounds / taken
    told("croupier, million throws a second and core", f"{speed / 1e6:,.1f}")
    with tempfile.TemporaryDirectory() as folder:
        python = _with_crapssim(Path(folder))
        if python is None:
            print("  LEFT OUT: crapssim is neither here nor could it be put into a temporary environment")
            return True
        theirs = 0.0
        for _ in range(rounds):
            printed = subprocess.run([python, "-c", CRAPSSIM, "20000"], capture_output=True, text=True, check=True)
            answer = json.loads(printed.stdout.splitlines()[-1])
            theirs = max(theirs, answer["rolls"] / answer["seconds"])
    told("crapssim, throws a second", f"{theirs:,.0f}")
    return told("croupier / crapssim", f"{speed / theirs:,.0f}", bound="at least 500", held=speed / theirs >= 500)


def _first(pair: tuple[float, Any]) -> float:
    return pair[0]


def _with_crapssim(folder: Path) -> str | None:
    """An interpreter that knows crapssim."""
    for python in (os.environ.get("CRAPSSIM_PYTHON", ""), sys.executable):
        if (
            python
            and subprocess.run([python, "-c", "import crapssim"], capture_output=True, check=False).returncode == 0
        ):
            return python
    uv = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
    python = str(folder / "venv" / "bin" / "python")
    made = [[uv, "venv", "-q", str(folder / "venv")], [uv, "pip", "install", "-q", "--python", python, "crapssim"]]
    for command in made:
        try:
            if subprocess.run(command, capture_output=True, check=False, timeout=120).returncode:
                return None
        except (OSError, subprocess.TimeoutExpired):
            return None
    return python


# ---------------------------------------------------------------- memory and start-up


def memory() -> bool:
    held = True
    for game, edition, lengths in (
        ("roulette", "nz1996", ("1e7", "1e10")),
        ("baccarat", "nz1998", ("1e7", "3e8")),
    ):
        sizes = [_command(game, "--edition", edition, "--rounds", rounds)[2] for rounds in lengths]
        growth = sizes[1] / sizes[0]
        what = f"{game}, memory of {lengths[1]} rounds / {lengths[0]} ({sizes[0] / 1024:,.0f} MiB)"
        held &= told(what, f"{growth:.3f}", bound="at most 1.05", held=growth <= 1.05)
    return held


def start() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        # As for a user: Python keeps the bytecode of what it imported, wherever it may write.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        kept["PYTHONPYCACHEPREFIX"] = folder
        words = ("baccarat", "--edition", "nz1998", "--rounds", "1e6")
        _command(*words, environment=kept)
        taken = [_command(*words, environment=kept) for _ in range(5)]
    clock, processor = min(each[0] for each in taken), min(each[1] for each in taken)
    told("a million rounds with start-up, seconds of the processor", f"{processor:.2f}")
    return told(
        "the same by the clock", f"{clock:.2f}", bound="under 3 on a free machine", held=min(clock, processor) < 3
    )


def _command(*words: str, environment: dict[str, str] | None = None) -> tuple[float, float, int]:
    """Seconds of the clock and of the processor, and the most memory in KiB."""
    code = f"import sys; from croupier.cli import app; sys.exit(app.run({['simulate', *words, '--json']!r}))"
    begun = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"croupier simulate {' '.join(words)} ended with {child.returncode}")
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime, _kibibytes(used)


def _kibibytes(used: resource.struct_rusage) -> int:
    return used.ru_maxrss


def main(rounds: int = 5) -> int:
    held = True
    print("Baccarat, whole shoes")
    held &= baccarat(rounds)
    held &= paths("baccarat", rounds)
    held &= threads(rounds)
    print("Wheels and dice")
    held &= single_draws(rounds)
    print("Craps, pass with odds")
    held &= craps(rounds)
    for game in ("craps", "blackjack", "caribbean_stud"):
        print(f"Ways to play {game.replace('_', ' ')}")
        held &= paths(game, rounds)
    print("Memory and start-up")
    held &= memory()
    held &= start()
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
