"""Long runs in parts: what of one was done is kept in a file, so that it goes on where it was interrupted.

Theory of operation.  A long run is a list of units that know nothing of each other.  `--part 1/2` is every second of
them, for as many processes as there are cores; `--progress FILE` has one line for each unit that was done, with its
figures and the source it was done with.  All parts write into the same file, each line with one write.  A line of
another source counts for nothing: what was shown of it was not shown of this one.  Whoever runs the same again without
a part has the figures of all parts, and does what is missing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from croupier.prove import ProofScope, Tell, source

Figures: TypeAlias = Mapping[str, Any]


def read_part(text: str) -> tuple[int, int]:
    """`2/3`, the second of three parts."""
    which, _, of = text.partition("/")
    if not (which.isdecimal() and of.isdecimal() and 1 <= int(which) <= int(of)):
        raise ValueError(f"--part is written 1/2, the first of two parts, not {text!r}")
    return int(which), int(of)


@dataclass(slots=True)
class ProofProgress:
    """The units of one proof that were done with this source, and the file that keeps them."""

    proof: str
    scope: ProofScope
    source: str = field(default_factory=source)
    done: dict[str, Figures] = field(default_factory=dict)

    def __post_init__(self) -> None:
        path = Path(self.scope.progress)
        if self.scope.progress and path.exists():
            for text in path.read_text(encoding="utf-8").splitlines():
                line = json.loads(text)
                if (line["proof"], line["source"], line["seed"]) == (self.proof, self.source, self.scope.seed):
                    self.done[line["unit"]] = line["figures"]

    def run(self, units: Iterable[str], do: Callable[[str], Figures], tell: Tell) -> Iterator[tuple[str, Figures]]:
        """Every unit of this part that is not done yet, done; then the figures of all units that are."""
        wanted = tuple(units)
        part, of = self.scope.part
        missing = [unit for unit in wanted[part - 1 :: of] if unit not in self.done]
        for number, unit in enumerate(self.scope.time.each(missing, "units of the whole")):
            tell(number, len(missing), unit)
            self._keep(unit, do(unit))
        return ((unit, self.done[unit]) for unit in wanted if unit in self.done)

    def _keep(self, unit: str, figures: Figures) -> None:
        self.done[unit] = figures
        if not self.scope.progress:
            return
        line = {
            "proof": self.proof, "source": self.source, "seed": self.scope.seed, "unit": unit, "figures": figures,
        }  # fmt: skip
        file = os.open(self.scope.progress, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(file, (json.dumps(line) + "\n").encode())
        finally:
            os.close(file)
