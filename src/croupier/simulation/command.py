"""The words of `croupier simulate`, and a bar that shows how far it is.

Everything here serves the command: the clock and the screen come from it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from croupier.exact.engines import JACKPOTS, money_of
from croupier.law.ruleset import Ruleset
from croupier.simulation import MOST_SEED
from croupier.simulation.cluster import cluster
from croupier.simulation.plan import SimulationSettings
from croupier.simulation.results import Result
from croupier.simulation.run import MOST_ROUNDS, MOST_SESSION, Progress, Watch, simulate


@dataclass(frozen=True, slots=True)
class Words:
    """What was typed, as it was typed."""

    rounds: str
    seed: str
    workers: str | None = None
    cluster: str = ""
    strategy: str = ""
    boxes: str = "1"
    session: str = "0"
    behind: str | None = None
    stakes: Sequence[str] = ()
    pool: str | None = None


def run(ruleset: Ruleset[Any], words: Words, clock: Callable[[], float]) -> Result:
    """The simulation that the words ask for."""
    rounds = whole("--rounds", words.rounds, range(1, MOST_ROUNDS + 1))
    seed = whole("--seed", words.seed, range(MOST_SEED + 1))
    workers = None if words.workers is None else whole("--workers", words.workers, range(1, 1025))
    units, jackpot = _parted(ruleset.game, words.stakes)
    settings = SimulationSettings(
        strategy=words.strategy,
        boxes=whole("--boxes", words.boxes, range(1, 10)),
        wagers=_stakes(units),
        session=whole("--session", words.session, range(MOST_SESSION + 1)),
        behind=None if words.behind is None else whole("--behind", words.behind, range(1000)),
        pool_cents=money_of(ruleset.game, "--pool", words.pool),
        stake_cents=money_of(ruleset.game, "--stake", jackpot),
    )
    if words.cluster and workers is not None:
        raise ValueError("--workers are those of this machine; a --cluster has its own")
    with _executor(words.cluster) as (executor, hands), _watched(rounds, clock) as watch:
        return simulate(
            ruleset,
            rounds=rounds,
            seed=seed,
            settings=settings,
            executor=executor,
            workers=hands or workers,
            watch=watch,
        )


def whole(option: str, word: str, among: range) -> int:
    """A whole number within bounds; 10_000_000 and 1e7 are the same."""
    plain = word.replace("_", "").replace(",", "")
    powers = re.fullmatch(r"([0-9]{1,6})e([0-9]{1,2})", plain)
    if powers:
        plain = powers[1] + "0" * int(powers[2])
    number = int(plain) if re.fullmatch(r"[0-9]{1,24}", plain) else -1
    if not among.start <= number < among.stop:
        raise ValueError(f"{option} is a whole number from {among.start} to {among.stop - 1}: {word!r:.40}")
    return number


def _parted(game: str, given: Sequence[str]) -> tuple[list[str], str | None]:
    """Stakes in units by wager, and the one stake in money, which is a jackpot's."""
    money = [text for text in given if game in JACKPOTS and re.match(r"\s*[$0-9]", text) and "=" not in text]
    if len(money) > 1:
        raise ValueError(f"--stake: a jackpot wager is given twice: {money[1]!r:.40}")
    return [text for text in given if text not in money], money[0] if money else None


def _stakes(given: Sequence[str]) -> Mapping[str, int]:
    stakes: dict[str, int] = {}
    for text in given:
        name, _, units = (part.strip() for part in text.partition("="))
        if not name or name in stakes:
            raise ValueError(f"--stake takes each WAGER=UNITS once: {text!r:.60}")
        stakes[name] = whole(f"--stake {name}", units or "1", range(1, 10**6))
    return stakes


@contextmanager
def _executor(address: str) -> Iterator[tuple[Executor | None, int | None]]:
    with cluster(address) if address else nullcontext((None, None)) as found:
        yield found


@contextmanager
def _watched(rounds: int, clock: Callable[[], float]) -> Iterator[Watch]:
    """A bar with rate and time left, where somebody watches."""
    if not sys.stderr.isatty():
        yield Watch(compiling=_compiling, clock=clock)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=rounds)

        def tell(progress: Progress) -> None:
            rate = f"{progress.rounds_per_second / 1e6:,.1f} million rounds a second"
            bar.update(task, completed=progress.rounds, description=rate)

        yield Watch(tell=tell, compiling=_compiling, clock=clock)


def _compiling() -> None:
    print("croupier: compiling for this machine; that is done once and kept", file=sys.stderr)
