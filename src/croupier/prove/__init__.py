"""Proofs: what can be shown about the rules, the tests and the running system, each with a known-bad control.

A proof is a module of this room with a function `prove(scope, tell)`.  It is imported when it is run, so that listing
the proofs costs nothing.  What holds is worth nothing unless the same proof catches a fault that was planted: a proof
whose control is missed has not proved anything, whatever else it found.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal, TypeAlias

from croupier.prove.allowance import Allowance, of_minutes

Tell: TypeAlias = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and what is being done."""
Length: TypeAlias = Literal["", "short", "long"]


@dataclass(frozen=True, slots=True)
class ProofScope:
    """What a proof is run on: one game or all, one edition or all, so many cases evenly chosen or all.

    A short run is one of minutes, for every day; a long one is for a night.  Whatever is drawn is drawn from the seed,
    but for what is about the operating system's own chance.
    """

    game: str = ""
    edition: str = ""
    sample: int = 0
    seed: int = 1
    length: Length = ""
    books: str = ""
    """The URL of a copy of a house's books, for the proof that looks at them."""
    part: tuple[int, int] = (1, 1)
    """Which of how many parts of a whole run this is; `progress` is the file that keeps what was done of it."""
    progress: str = ""
    minutes: float = 0
    """After so many no more work is begun; none: it is all done."""
    time: Allowance = field(default_factory=Allowance, compare=False)
    """What `run` makes of the minutes, for the proof to ask."""

    def count(self, *, short: int, long: int) -> int:
        """How many are tried: as many as asked for, or those of a short or a long run."""
        return self.sample or (long if self.length == "long" else short)

    def no_games(self, what: str) -> None:
        if self.game or self.edition:
            raise ValueError(f"the proof of {what} has no games and no editions to choose from")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it holds, the answer in the public form, and the same in lines for people."""

    proved: bool
    answer: Mapping[str, Any]
    lines: tuple[str, ...]


@dataclass(slots=True)
class Findings:
    """What a proof tried, what did not hold, what was left out and why, and which controls were caught."""

    tried: dict[str, int] = field(default_factory=dict)
    holds: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    controls: dict[str, bool] = field(default_factory=dict)

    def count(self, what: str, more: int = 1) -> None:
        self.tried[what] = self.tried.get(what, 0) + more

    def verdict(self) -> Verdict:
        proved = not self.faults and bool(self.controls) and all(self.controls.values())
        answer = {
            "proved": proved,
            "tried": self.tried,
            "holds": self.holds,
            "faults": self.faults,
            "not_run": self.not_run,
            "controls": self.controls,
        }
        lines = (
            "tried: " + ", ".join(f"{count:,} {what}" for what, count in self.tried.items()),
            *(f"holds: {each}" for each in self.holds),
            *(f"FAULT: {each}" for each in self.faults[:SHOWN]),
            *((f"… and {len(self.faults) - SHOWN} more faults",) if len(self.faults) > SHOWN else ()),
            *(f"not run: {each}" for each in self.not_run),
            *(f"control: {name}: {'caught' if caught else 'NOT CAUGHT'}" for name, caught in self.controls.items()),
        )
        return Verdict(proved, answer, lines)


SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof: what it shows, its module below this room, and the sample of a short run where it counts cases.

    `cost` is about how many seconds of a processor a short run takes, for the order in which all are begun; one that
    `waits` uses few of the seconds that it takes.  One under a second name is the same `as_well` as another.
    """

    name: str
    says: str
    module: str = ""
    short: int = 0
    cost: int = 5
    waits: bool = False
    as_well: str = ""


PROOFS: Final[Mapping[str, Proof]] = {
    proof.name: proof
    for proof in (
        Proof("books", "the books of a house, as a copy of them is, are sound in every line and cent", "house.copied"),
        Proof("close", "what is settled is the last slip that the terminal confirmed", "world.close", cost=12),
        Proof(
            "feed",
            "a house and a consumer killed at any moment agree to the cent",
            "books.telling",
            cost=10,
            waits=True,
        ),
        Proof("fuzz", "whatever is sent, nothing crashes and nothing changes", "house.fuzz", cost=10),
        Proof(
            "http",
            "no request to any door, by anybody, is answered with a 5xx or with anything undocumented",
            short=2,
            cost=25,
        ),
        Proof(
            "io",
            "whatever fails of its files, a store stops cleanly or goes on, and recovers",
            "books.failing",
            cost=18,
        ),
        Proof(
            "kill",
            "a store killed at any moment has lost and doubled nothing that it acknowledged",
            "books.kill",
            cost=35,
            waits=True,
        ),
        Proof("law", "a change of any value of the law makes a case at a door fail", "mutation", short=120, cost=25),
        Proof(
            "liveness",
            "whatever goes wrong, a round comes to its end, its wagers are settled and play goes on",
            short=200,
        ),
        Proof(
            "machines",
            "four machines behind one address, restarted in turn and cut off, lose nothing and double nothing",
            "machines.proof",
            cost=45,
            waits=True,
        ),
        Proof(
            "mutation",
            "a change of any value of the law makes a test fail that observed its rule",
            short=120,
            as_well="law",
        ),
        Proof(
            "power", "no acknowledged commit is lost with the power or by a flipped bit, unseen", "books.power", cost=45
        ),
        Proof("recover", "a house comes back whole, from whatever is left of it", "books.recover", cost=8),
        Proof("replay", "a journal leads to the same table everywhere, byte for byte", "books.replay", cost=12),
        Proof(
            "roles",
            "every role may do exactly what the table says, and nothing else opens a door",
            "house.roles",
            cost=10,
        ),
        Proof(
            "rolling",
            "four processes restarted in turn under playing terminals lose nothing and double nothing",
            "books.rolling",
            cost=30,
            waits=True,
        ),
        Proof("settle", "what is paid is the same played, by the odds' tables and by hand", "paying.settle"),
        Proof(
            "shuffle",
            "every order of the cards is as likely as any other, and so is every throw",
            "chance.shuffle",
            cost=12,
        ),
        Proof("simulation", "the kernels play as the rules do, card for card", short=50, cost=30),
        Proof(
            "soak", "a house that plays for long stays as large, as quick and as tidy as it was", "house.soak", cost=15
        ),
        Proof("tamper", "whoever changes the books is found out, by verify and at a start", "books.tamper"),
        Proof(
            "tables",
            "whatever is asked of a table, its books balance and its journal tells the whole truth",
            short=20_000,
        ),
        Proof("voucher", "a voucher is paid once, and nobody finds one by trying numbers", "house.voucher", cost=13),
        Proof(
            "world",
            "whatever goes wrong in a simulated house, its books are right and play goes on",
            "world.proof",
            cost=60,
        ),
    )
}


def each_once() -> tuple[str, ...]:
    """The names of all proofs, without the second names of some."""
    return tuple(name for name, proof in PROOFS.items() if not proof.as_well)


def run(name: str, scope: ProofScope, tell: Tell) -> Verdict:
    """Run a proof by its name; the answer says with what it was run and how long that took."""
    if name not in PROOFS:
        raise ValueError(f"unknown proof {name!r}; known are {', '.join(PROOFS)}")
    proof = PROOFS[name]
    sample = scope.sample or (proof.short if scope.length == "short" else 0)
    began, worked, time = perf_counter(), _processor_seconds(), of_minutes(scope.minutes)
    work = import_module(f"croupier.prove.{proof.module or name}")
    verdict: Verdict = work.prove(replace(scope, sample=sample, time=time), tell)
    about = {
        "proof": name,
        "proved": verdict.proved,
        "length": scope.length,
        "seed": scope.seed,
        "source": source(),
        "again": again(name, scope),
    }
    cut = {units: {"done": done, "of": of} for units, (done, of) in time.cut.items()}
    ended = {
        "minutes": scope.minutes,
        "cut": cut,
        "seconds": round(perf_counter() - began, 1),
        "processor_seconds": round(_processor_seconds() - worked, 1),
    }
    lines = (*verdict.lines, *time.lines(scope.minutes))
    return replace(verdict, answer={**about, **verdict.answer, **ended}, lines=lines)


def _processor_seconds() -> float:
    """What this process used of the processors, with those that it started and that have ended."""
    return sum(os.times()[:4])


def again(name: str, scope: ProofScope) -> str:
    """The command that repeats a run."""
    options = (
        ("--game", scope.game), ("--edition", scope.edition), ("--sample", scope.sample or ""), ("--seed", scope.seed),
        ("--books", scope.books), ("--part", "" if scope.part == (1, 1) else "{}/{}".format(*scope.part)),
        ("--minutes", f"{scope.minutes:g}" if scope.minutes else ""),
    )  # fmt: skip
    words: Sequence[str] = [f"{option} {value}" for option, value in options if value != ""]
    return " ".join(("croupier prove", name, *((f"--{scope.length}",) if scope.length else ()), *words))


def source() -> str:
    """What was run: the release, and the commit where the source is a checkout."""
    here = Path(__file__).parent
    try:
        asked = subprocess.run(
            ("git", "-C", here, "describe", "--always", "--dirty", "--abbrev=12"),
            capture_output=True,
            check=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return version("croupier")
    return f"{version('croupier')} {asked.stdout.strip()}"
