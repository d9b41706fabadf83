"""A simulation in slices, so that somebody can watch it and stop it.

Theory of operation.  A run is played by the worker in slices of a fraction of a second, each asked for when the one
before it has been told.  Between two slices the worker has time for other questions, and to stop is to ask for no
more.  All that a slice needs travels with it: the choice, the seed and what was played so far, so a worker that was
started anew goes on where the last one ended.  The result is that of `simulation.run.simulate`: the first n rounds of
the seed's sequence, which a test holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import Any, Final

from croupier.floor.rooms.lab.studies import Choice, rules_of
from croupier.simulation.plan import Chunk, Simulated, SimulationSettings, Tally, nothing, run_chunk
from croupier.simulation.results import CONFIDENCE, SPREAD, Result, WagerResult, result_of
from croupier.simulation.run import prepared

SLICES: Final = 48
"""A short run is told in so many steps; a long one takes more, of so many seconds each."""
SLICE_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class TrialProgress:
    """How far a run is: the tally of its first units."""

    tally: Tally
    units: int = 0


@lru_cache(maxsize=4)
def _game(choice: Choice) -> Simulated:
    """The game's part with its exact odds reckoned once; the first call also compiles."""
    found = prepared(rules_of(choice), SimulationSettings(quick=True))
    run_chunk(found.program, Chunk(1, 0, 1, limit=1))
    known = found.exact()
    return replace(found, exact=lambda: known)


def begun(choice: Choice) -> tuple[TrialProgress, dict[str, Any]]:
    """Nothing played yet, and the wagers that the run will tell of, with what is known of them exactly."""
    game = _game(choice)
    start = TrialProgress(nothing(game.program))
    wagers = [
        {"wager": line.wager, "policy": line.policy or None, "exact_percent": _exact(line)}
        for line in _result(choice, start).lines
    ]
    return start, {"wagers": wagers, "notes": list(game.notes), "confidence": CONFIDENCE}


def _exact(line: WagerResult) -> float | None:
    return None if line.exact is None else float(-line.exact.mean * 100)


def _result(choice: Choice, played: TrialProgress) -> Result:
    return result_of(rules_of(choice), _game(choice), played.tally, exact=True)


def more(choice: Choice, seed: int, rounds: int, played: TrialProgress) -> tuple[TrialProgress, dict[str, Any]]:
    """Play another slice; for each wager its edge, half its interval, and how often it was decided."""
    program = _game(choice).program
    step = max(1, rounds // SLICES)
    units = max(1, min(program.units_each, int(step / program.mean_rounds)))
    before, begun_at = played.tally.rounds, perf_counter()
    while played.tally.rounds < rounds:
        left = rounds - played.tally.rounds
        chunk = Chunk(seed, played.units, units)
        found = run_chunk(program, chunk)
        if found.rounds > left:
            found = run_chunk(program, replace(chunk, limit=left))
        played = TrialProgress(played.tally + found, played.units + units)
        if played.tally.rounds - before >= step or perf_counter() - begun_at > SLICE_S:
            break
    lines = _result(choice, played).lines
    edges = [[100 * line.edge, 100 * SPREAD * line.error, line.decided] for line in lines]
    return played, {"rounds": played.tally.rounds, "seconds": perf_counter() - begun_at, "edges": edges}
