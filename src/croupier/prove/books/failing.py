"""The N-th open, read, write, sync or rename fails, once or from then on: for every N of a store's life.

Theory of operation.  A store plays a script under watch (`watching`): it is asked, left without a word, opened again,
asked more, its log going into the database meanwhile, backed up and closed; and, a second story, it is made new.  First
it is left in peace and its dealings with files are counted by their kind; then the same story is lived again and again,
each time with one of them made to fail, with the errors that such a call can have.  A life then ends cleanly (refused
in one line, or ended by the writer in one line) or goes on.
After a write or a sync of the books has failed nothing more is acknowledged.  At last the store is opened in peace, is
asked the rest of the script (what was not answered once more, under the same id), and must hold exactly the books of
the whole script.  The control passes over failed syncs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from errno import EIO, EMFILE, ENOSPC, errorcode
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from croupier.floor.store.appends import Append
from croupier.floor.store.copies.backup import back_up
from croupier.floor.store.engines import EXIT_FAILED
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.books.instruments.places import quick_folder, spare_processes
from croupier.prove.books.instruments.scripts import BookPlace, Found, Stretch, look, marks, play, script
from croupier.prove.books.instruments.watching import REFUSED, NotWatched, Operation, Watched, watched

UNITS: Final = 14
STORIES: Final = {
    "lived": (Stretch(0, 6, close=False), Stretch(6, 12, pages=10, backup=True)),
    "made new": (Stretch(0, 1),),
}
ERRORS: Final = {
    "open": (EIO, EMFILE, ENOSPC),
    "read": (EIO,),
    "write": (EIO, ENOSPC),
    "sync": (EIO, ENOSPC),
    "rename": (EIO, ENOSPC),
    "link": (EIO, ENOSPC),
    "unlink": (EIO,),
    "truncate": (EIO, ENOSPC),
}
BOOKS: Final = ("house.db", "house.db-wal", "key.heads", "second")
"""The files that must be durable before anybody is told."""
A_SHARE: Final = 25


@dataclass(frozen=True, slots=True)
class Fault:
    """The N-th operation of a kind in a story, from 0 on, ends with an error: that one, or all from it on."""

    story: str
    kind: str
    number: int
    error: int
    for_ever: bool

    def __str__(self) -> str:
        when = "from then on" if self.for_ever else "once"
        return f"{self.story}: {self.kind} {self.number} fails with {errorcode[self.error]} {when}"


@dataclass(slots=True)
class FaultTally:
    """What became of lives in which something failed."""

    lives: int = 0
    refused: int = 0
    ended: int = 0
    went_on: int = 0
    faults: list[str] = field(default_factory=list)


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("failing files")
    found = Findings()
    with spare_processes() as pool:
        try:
            counts = pool.submit(counted, scope.seed).result()
        except NotWatched as error:
            found.not_run.append(f"all of it: {error}")
            return found.verdict()
        faults = [each for story, kinds in counts.items() for each in every_fault(story, kinds)]
        wanted = scope.sample or (len(faults) if scope.length == "long" else 100)
        chosen = faults if wanted >= len(faults) else Random(scope.seed).sample(faults, wanted)
        found.count("operations in the two stories", sum(sum(kinds.values()) for kinds in counts.values()))
        _lived(found, pool, chosen, scope, tell)
        syncs = [Fault("lived", "sync", number, EIO, for_ever=True) for number in range(counts["lived"]["sync"])]
        harm = pool.submit(lived, scope.seed, syncs, ignoring=True).result().faults
        found.controls["failed syncs are passed over"] = any("acknowledged after" in each for each in harm)
    return found.verdict()


def _lived(found: Findings, pool: Executor, faults: Sequence[Fault], scope: ProofScope, tell: Tell) -> None:
    parts = -(-len(faults) // A_SHARE)
    shares = [pool.submit(lived, scope.seed, list(islice(faults, part, None, parts))) for part in range(parts)]
    words = {
        "lives": "lives with a failure",
        "refused": "of them refused in one line",
        "ended": "ended by the writer",
        "went_on": "went on",
    }
    for number, tally in enumerate(scope.time.results(shares), 1):
        tell(number * len(faults) // parts, len(faults), "failing")
        for name, label in words.items():
            found.count(label, getattr(tally, name))
        found.faults += tally.faults
    scope.time.goes_on(words["lives"], found.tried[words["lives"]], len(faults))
    if not found.faults:
        found.holds.append("each stopped cleanly or went on, acknowledged nothing after a failed write, and recovered")


def every_fault(story: str, counts: dict[str, int]) -> Iterator[Fault]:
    for kind, count in counts.items():
        for number in range(count):
            for error in ERRORS[kind]:
                for for_ever in (False, True):
                    yield Fault(story, kind, number, error, for_ever)


# ---------------------------------------------------------------- in processes of their own


def counted(seed: int) -> dict[str, dict[str, int]]:
    """How many operations of each kind a story has that is left in peace."""
    counts: dict[str, dict[str, int]] = {story: {} for story in STORIES}
    for story, kinds in counts.items():

        def note(operation: Operation, kinds: dict[str, int] = kinds) -> int:
            if operation.kind in ERRORS:
                kinds[operation.kind] = kinds.get(operation.kind, 0) + 1
            return 0

        with quick_folder("failing") as folder:
            place = _begun(folder, story)
            for stretch in STORIES[story]:
                ended = watched(partial(play, place, script(seed, UNITS), stretch), str(folder), note)
                if ended.code:
                    raise AssertionError(f"a life in peace ended with {ended.code}: {ended.lines[-1:]} {ended.errors}")
    return counts


@cache
def _template() -> TemporaryDirectory[str]:
    """An empty store, made once in this process, which so has loaded all that a store needs."""
    folder = TemporaryDirectory(prefix="croupier-failing-")
    place = BookPlace(Path(folder.name, "a")).make()
    place.open().close()
    back_up(place.url, place.second.with_name("backup"))
    place.second.with_name("backup").unlink()
    return folder


def _begun(folder: Path, story: str) -> BookPlace:
    _template()
    if story == "lived":
        shutil.copytree(Path(_template().name, "a"), folder / "a")
    return BookPlace(folder / "a").make()


def lived(seed: int, faults: Sequence[Fault], *, ignoring: bool = False) -> FaultTally:
    """One life for each fault; `ignoring` is the control, which ends when it was caught."""
    tally, works = FaultTally(), script(seed, UNITS)
    for fault in faults:
        with quick_folder("failing") as folder:
            tally.lives += 1
            wrong = _one(tally, _begun(folder, fault.story), works, fault, ignoring=ignoring)
            if wrong:
                tally.faults.append(f"{fault}: {wrong}")
        if ignoring and tally.faults:
            break
    return tally


@dataclass(slots=True)
class Failing:
    """Counts operations, and fails the one that is meant; what was told after it counts."""

    fault: Fault
    seen: int = 0
    failed: str = ""
    """The file whose write or sync failed, if it was one of the books."""
    late: list[str] = field(default_factory=list)

    def decide(self, operation: Operation) -> int:
        if operation.kind == "told" and self.failed and operation.data.startswith(b"done"):
            self.late.append(operation.data.decode())
        if operation.kind != self.fault.kind:
            return 0
        self.seen += 1
        meant = self.seen - 1 == self.fault.number or (self.fault.for_ever and self.seen > self.fault.number)
        name = os.path.basename(operation.path)
        if meant and operation.kind in ("write", "sync") and name in BOOKS:
            self.failed = name
        return self.fault.error if meant else 0


def _one(tally: FaultTally, place: BookPlace, works: list[Append], fault: Fault, *, ignoring: bool) -> str:
    failing, done = Failing(fault), 0
    ended = Watched(0)
    for stretch in STORIES[fault.story]:
        work = partial(_ignoring if ignoring else play, place, works, stretch)
        ended = watched(work, str(place.folder), failing.decide)
        done += sum(text.startswith("done") for text in ended.lines)
        if ended.code:
            break
    wrong = _ending(tally, ended)
    if failing.late:
        wrong = wrong or f"{failing.late[0]!r} was acknowledged after {failing.failed} failed"
    return wrong or _recovered(place, works, done)


def _ending(tally: FaultTally, ended: Watched) -> str:
    """What is wrong with how a life ended, if something is."""
    lines = ended.errors.splitlines()
    match ended.code:
        case 0:
            tally.went_on += 1
        case _ if ended.code == REFUSED:
            tally.refused += 1
        case _ if ended.code == EXIT_FAILED and lines and "the store failed and the process ends" in lines[-1]:
            tally.ended += 1
        case None:
            return "the process hung"
        case code:
            return f"the process ended with {code}: {lines[-1:]}"
    return ""


def _recovered(place: BookPlace, works: list[Append], done: int) -> str:
    """In peace the store opens, takes the rest of the script, and holds the books of all of it."""
    known = marks(works)
    before = look(place.database, known) if place.database.exists() else Found(0)
    if before.wrong or before.units < done:
        return f"{done} units were acknowledged, and the books have {before}"
    place.second.with_name("backup").unlink(missing_ok=True)
    ended = watched(partial(play, place, works, Stretch(done, UNITS)), str(place.folder), lambda _: 0)
    after = look(place.database, known)
    if ended.code or after != Found(UNITS):
        return f"it does not recover: {ended.lines[-1:]} {ended.errors.splitlines()[-1:]} {after}"
    return ""


def _ignoring(place: BookPlace, works: list[Append], stretch: Stretch) -> None:
    """The control: whatever a sync answers, it is taken for done."""
    plain = os.fsync

    def passed_over(descriptor: Any) -> None:
        with suppress(OSError):
            plain(descriptor)

    os.fsync = passed_over  # type: ignore[assignment]
    play(place, works, stretch)
