"""Running a simulation: chunks handed out, tallies taken in, in order.

Theory of operation.  The units of play are cut into chunks; an executor plays them, some more being always handed out
than it has workers.  Results are taken in the order of the chunks, so that at any time the tally is that of the first
units.  When the n-th round is reached, the chunk in which it falls is played again up to it: the answer is the first n
rounds of the sequence, whatever the chunks were and whoever played them.  Only what is handed out is remembered, so
memory does not grow with n.

Threads are the default, since kernels hold no lock.  Any `concurrent.futures` executor will do, also one over many
machines.  A chunk is pure: one that is lost with its worker is played here instead, which costs time and nothing else.
An interrupt ends the run with the tally so far, and the result says so.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final

from croupier.exact.engines import JACKPOTS
from croupier.law.ruleset import Ruleset
from croupier.simulation.plan import Chunk, Program, Simulated, SimulationSettings, Tally, nothing, run_chunk
from croupier.simulation.results import Result, result_of
from croupier.simulation.streams import MOST_UNITS, check_seed

PLUGINS: Final[Mapping[str, str]] = {
    "baccarat": "croupier.simulation.baccarat",
    "blackjack": "croupier.simulation.blackjack",
    "caribbean_stud": "croupier.simulation.stud",
    "craps": "croupier.simulation.craps",
    "money_wheel": "croupier.simulation.draws",
    "roulette": "croupier.simulation.draws",
    "tai_sai": "croupier.simulation.draws",
}
"""The module of each game; it offers `simulated(ruleset, settings)`."""

MOST_ROUNDS: Final = 10**15
MOST_SESSION: Final = 10**6
LONG: Final = 10**7
"""From so many rounds on, exact odds that take seconds are worth their time."""

REMOTE: Final = 8
"""Chunks that leave the process are so many times larger, because sending them costs more."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; the rate and the time left are 0 where nobody gave a clock."""

    rounds: int
    asked: int
    rounds_per_second: float = 0.0
    seconds_left: float = 0.0


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told how the run goes, and by what clock."""

    tell: Callable[[Progress], None] | None = None
    compiling: Callable[[], None] | None = None
    clock: Callable[[], float] | None = None


def simulate(
    ruleset: Ruleset[Any],
    *,
    rounds: int,
    seed: int = 1,
    settings: SimulationSettings | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    watch: Watch | None = None,
    exact: bool = True,
) -> Result:
    """Play the first `rounds` rounds under a seed, and tell what every wager came to."""
    wanted = settings or SimulationSettings()
    _check(rounds, workers, wanted)
    wanted = replace(wanted, quick=wanted.quick or rounds < LONG)
    check_seed(seed)
    watch = watch or Watch()
    game = prepared(ruleset, wanted)
    if watch.compiling and uncompiled(game.program):
        watch.compiling()
    # So that neither compiling nor loading what was compiled counts as play.
    run_chunk(game.program, Chunk(seed, 0, 1, limit=1))
    begun = watch.clock() if watch.clock else None
    tally, interrupted = _played(game.program, rounds, seed, executor, workers, watch)
    seconds = watch.clock() - begun if watch.clock and begun is not None else None
    result = result_of(ruleset, game, tally, exact=exact)
    return replace(result, asked=rounds, seed=seed, interrupted=interrupted, seconds=seconds)


def prepared(ruleset: Ruleset[Any], settings: SimulationSettings) -> Simulated:
    """The game's part of a simulation."""
    name = PLUGINS.get(ruleset.game)
    if name is None:
        raise ValueError(f"{ruleset.game!r:.60} cannot be simulated; known are {', '.join(PLUGINS)}")
    if (settings.pool_cents, settings.stake_cents) != (None, None) and ruleset.game not in JACKPOTS:
        raise ValueError(f"a pool and a stake in cents are a jackpot's, and {ruleset.game} has none")
    found: Simulated = import_module(name).simulated(ruleset, settings)
    return found


def _check(rounds: int, workers: int | None, settings: SimulationSettings) -> None:
    if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"rounds is a whole number from 1 to {MOST_ROUNDS}: {rounds!r:.40}")
    if workers is not None and (type(workers) is not int or not 1 <= workers <= 1024):
        raise ValueError(f"workers is a whole number from 1 to 1024: {workers!r:.40}")
    if type(settings.session) is not int or not 0 <= settings.session <= MOST_SESSION:
        raise ValueError(f"a session has from 1 to {MOST_SESSION} rounds: {settings.session!r:.40}")


def uncompiled(program: Program) -> bool:
    """Whether a kernel of the program has to be compiled: it is neither in memory nor in the cache on disk."""
    module = vars(sys.modules[program.kernel.__module__])
    called = [module.get(name) for name in program.kernel.__code__.co_names]
    return any(not _is_compiled(each) for each in called if hasattr(each, "signatures"))


def _is_compiled(function: Any) -> bool:
    if function.signatures:
        return True
    # There is no public way to ask; where this one fails, the answer only costs a sentence.
    try:
        return bool(function._cache._cache_file._load_index())
    except (AttributeError, OSError):
        return False


# ---------------------------------------------------------------- handing out and taking in


def _played(
    program: Program, rounds: int, seed: int, executor: Executor | None, workers: int | None, watch: Watch
) -> tuple[Tally, bool]:
    if executor is not None:
        return _Run(program, rounds, seed, watch).through(executor, _hands(executor, workers), REMOTE)
    many = workers or os.cpu_count() or 1
    with ThreadPoolExecutor(many) as threads:
        return _Run(program, rounds, seed, watch).through(threads, many, 1)


def _hands(executor: Executor, workers: int | None) -> int:
    """How many chunks an executor can play at a time, as far as it says."""
    return workers or int(getattr(executor, "_max_workers", 0) or 0) or 16


class _Run:
    """A run in progress: the tally of the first chunks, and the chunks handed out."""

    def __init__(self, program: Program, rounds: int, seed: int, watch: Watch) -> None:
        self.program, self.rounds, self.seed, self.watch = program, rounds, seed, watch
        self.tally = nothing(program)
        self.next_unit = 0
        self.out: deque[tuple[Chunk, Future[Tally]]] = deque()
        self.begun = watch.clock() if watch.clock else 0.0

    def through(self, executor: Executor, hands: int, larger: int) -> tuple[Tally, bool]:
        try:
            while self.tally.rounds < self.rounds:
                self._hand_out(executor, hands, larger)
                self._take_in()
                self._tell()
        except KeyboardInterrupt:
            return self.tally, True
        finally:
            for _, future in self.out:
                future.cancel()
        return self.tally, False

    def _hand_out(self, executor: Executor, hands: int, larger: int) -> None:
        while len(self.out) < 2 * hands:
            wanted = self.rounds - self.tally.rounds
            expected = sum(chunk.count for chunk, _ in self.out) * self.program.mean_rounds
            if self.out and expected > wanted:
                return
            chunk = self._chunk(wanted, hands, larger)
            self.out.append((chunk, self._submitted(executor, chunk)))

    def _chunk(self, wanted: int, hands: int, larger: int) -> Chunk:
        """The next units: a full chunk, or less where all workers together need less."""
        fair = int(wanted / self.program.mean_rounds / hands) + 1
        count = max(1, min(self.program.units_each * larger, fair))
        if self.next_unit + count > MOST_UNITS:
            raise ValueError(f"a seed has {MOST_UNITS} units of play, and they are used up")
        first, self.next_unit = self.next_unit, self.next_unit + count
        return Chunk(self.seed, first, count)

    def _submitted(self, executor: Executor, chunk: Chunk) -> Future[Tally]:
        try:
            return executor.submit(run_chunk, self.program, chunk)
        except Exception as lost:
            # An executor that broke takes no more work; the chunk is marked lost and played here in its turn.
            future: Future[Tally] = Future()
            future.set_exception(lost)
            return future

    def _take_in(self) -> None:
        chunk, future = self.out.popleft()
        found = self._answer(chunk, future)
        left = self.rounds - self.tally.rounds
        if found.rounds > left:
            found = run_chunk(self.program, replace(chunk, limit=left))
        self.tally += found

    def _answer(self, chunk: Chunk, future: Future[Tally]) -> Tally:
        try:
            return future.result()
        except Exception:
            # Lost with its worker; if it was the chunk's own fault, it fails here too and says so.
            return run_chunk(self.program, chunk)

    def _tell(self) -> None:
        if self.watch.tell is None:
            return
        rate = 0.0
        if self.watch.clock:
            passed = self.watch.clock() - self.begun
            rate = self.tally.rounds / passed if passed > 0 else 0.0
        left = (self.rounds - self.tally.rounds) / rate if rate else 0.0
        self.watch.tell(Progress(self.tally.rounds, self.rounds, rate, left))
