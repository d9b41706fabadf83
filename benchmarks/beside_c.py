"""A kernel and a C program that plays the same units from the same tables, measured in turn."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

from croupier.simulation.plan import Chunk, Ints, Program, Simulated, run_chunk
from croupier.simulation.streams import keys_of

HERE = Path(__file__).parent
COMPILER = (os.environ.get("CC", "gcc"), "-O3", "-march=native")
SEED = 1


@dataclass(frozen=True, slots=True)
class Told:
    """The best rates of both, and whether they counted the same."""

    rounds_per_second: float
    c_rounds_per_second: float
    equal: bool

    @property
    def ratio(self) -> float:
        return self.rounds_per_second / self.c_rounds_per_second

    def line(self, name: str) -> str:
        same = "same counts" if self.equal else "COUNTS DIFFER"
        mine, theirs = self.rounds_per_second / 1e6, self.c_rounds_per_second / 1e6
        return f"{name:24}{mine:8.2f} M rounds/s   C {theirs:8.2f} M   ratio {self.ratio:.2f}   {same}"


def beside_c(source: str, simulated: Simulated, *, units: int, times: int) -> Told:
    """Play the first units of a seed with the kernel and in C, several times in turn."""
    program = simulated.program
    together = [row.first for row in simulated.rows if row.policy == "all boxes of a round"]
    compared = min([program.bins, *together])  # C does not count what all boxes bring together.
    run_chunk(program, Chunk(SEED, 0, 1))
    mine, theirs, equal = [], [], True
    with tempfile.TemporaryDirectory() as folder:
        binary, tables = Path(folder) / "program", Path(folder) / "tables"
        subprocess.run([*COMPILER, "-o", str(binary), str(HERE / source)], check=True)
        _write(program, tables)
        keys = map(str, keys_of(SEED))
        command = [str(binary), str(tables), str(program.bins), *keys, str(units)]
        for _ in range(times):
            start = process_time()
            tally = run_chunk(program, Chunk(SEED, 0, units))
            mine.append(tally.rounds / (process_time() - start))
            seconds, rounds, *counts = subprocess.run(
                command, capture_output=True, text=True, check=True
            ).stdout.split()
            theirs.append(int(rounds) / float(seconds))
            equal &= int(rounds) == tally.rounds and _same(tally.counts, counts, compared)
    return Told(max(mine), max(theirs), equal)


def _same(mine: Ints, theirs: list[str], compared: int) -> bool:
    return bool(mine[:compared].tolist() == list(map(int, theirs[:compared])))


def _write(program: Program, path: Path) -> None:
    with path.open("wb") as file:
        for table in program.tables:
            flat = table.astype(np.int64, casting="unsafe").ravel()
            file.write(np.int64(len(flat)).tobytes() + flat.tobytes())
