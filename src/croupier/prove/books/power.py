"""The power goes off, at every moment of a recorded run and with any of the writes since the last sync lost or torn.

Theory of operation.  A store plays a script in three lives under watch (`watching`): made new and closed; opened, its
log going into the database now and then, and left without a word; opened from that and closed.  Each moment of the
record gives images of the disk (`disks`).  In each, SQLite must find sound books that are those after some whole number
of units, none acknowledged missing and none there that was not asked (`scripts`); and the store itself, with its second
journal, must open from a share of them and from every one in which the second journal is torn.  The control commits
without a sync.  Bits that flip are the second half: `flips`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, islice, pairwise
from pathlib import Path
from random import Random

from croupier.floor.store.engines import BadStore
from croupier.floor.store.heads import BadKey
from croupier.floor.store.opening import check_opening
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.prove.books import flips
from croupier.prove.books.instruments.disks import Disk, Image, laid
from croupier.prove.books.instruments.places import quick_folder, spare_processes
from croupier.prove.books.instruments.scripts import BookPlace, Found, Stretch, look, marks, play, script
from croupier.prove.books.instruments.watching import NotWatched, Operation, watched

UNITS = 30
STRETCHES = (Stretch(0, 6), Stretch(6, 24, close=False, pages=12), Stretch(24, UNITS))
A_TURN = 20_000
"""Images of all moments: the plain ones in the first turn, and more drawn ones in each.  So a run that is cut has been
at every moment, once a turn is over."""
A_SHARE = 5_000
FULLY = 100
"""One image in so many is opened by the whole store, besides those with a torn second journal."""


@dataclass(slots=True)
class ImageTally:
    """What a share of the images came to."""

    moments: int = 0
    images: int = 0
    distinct: int = 0
    openings: int = 0
    faults: list[str] = field(default_factory=list)


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("power")
    found = Findings()
    wanted = scope.count(short=20_000, long=1_000_000)
    with spare_processes() as pool, quick_folder("power") as folder:
        tell(0, wanted, "recording")
        try:
            record = pool.submit(recorded, str(folder / "a"), scope.seed, STRETCHES).result()
        except NotWatched as error:
            found.not_run.append(f"all of it: {error}")
            return found.verdict()
        found.count("writes and syncs recorded", sum(each.kind in ("write", "sync") for each in record))
        _images(found, pool, record, scope, wanted, tell)
        bare = tuple(
            Stretch(each.first, each.last, each.close, pages=each.pages, synchronous="NORMAL") for each in STRETCHES
        )
        loose = pool.submit(recorded, str(folder / "b"), scope.seed, bare).result()
        harm = pool.submit(shared, loose, scope.seed, ImageShare(0, len(loose), 7), Allowance(), most=5).result().faults
        found.controls["a commit without a sync (synchronous=NORMAL)"] = any("are lost" in each for each in harm)
        flips.prove(found, pool, scope, tell)
    return found.verdict()


def _images(
    found: Findings, pool: Executor, record: Sequence[Operation], scope: ProofScope, wanted: int, tell: Tell
) -> None:
    plain, moments = _count(record)
    turns = max(1, wanted // A_TURN)
    drawn, stride = max(0, -(-(wanted - plain) // (moments * turns))), max(1, plain // wanted)
    parts = max(2, wanted // turns // A_SHARE)
    # Moments that follow each other have many images in common: they are one share.
    ends = [len(record) * at // parts for at in range(parts + 1)]
    of = [ImageShare(*pair, stride, drawn, turn) for turn in range(turns) for pair in pairwise(ends)]
    time = scope.time.share(2)
    shares = [pool.submit(shared, record, scope.seed, each, time) for each in of]
    for number, tally in enumerate(time.results(shares), 1):
        tell(number * wanted // len(shares), wanted, "images")
        for what in ("moments", "images", "distinct", "openings"):
            words = {"distinct": "distinct databases among them", "openings": "opened by the whole store"}
            found.count(words.get(what, what), getattr(tally, what))
        found.faults += tally.faults
    time.goes_on("images", found.tried["images"], wanted)
    if not found.faults:
        found.holds.append("in every image the books are whole, nothing acknowledged is lost, and the store opens")


def _count(record: Sequence[Operation]) -> tuple[int, int]:
    """How many plain images there are, and at how many moments."""
    disk = Disk()
    plain = moments = 0
    for operation in record:
        disk.do(operation)
        if operation.kind != "told":
            plain, moments = plain + sum(1 for _ in disk.plain()), moments + 1
    return plain, moments


# ---------------------------------------------------------------- in processes of their own


def recorded(folder: str, seed: int, lives: Sequence[Stretch]) -> list[Operation]:
    """What the lives did to their disks, one after the other, and what they told."""
    place, works, record = BookPlace(Path(folder)).make(), script(seed, UNITS), list[Operation]()

    def note(operation: Operation) -> int:
        if operation.kind != "read" and (operation.kind != "open" or operation.makes):
            record.append(operation)
        return 0

    for life in lives:
        ended = watched(lambda life=life: play(place, works, life), folder, note)  # type: ignore[misc]
        if ended.code:
            raise AssertionError(f"a life ended with {ended.code}: {ended.lines[-1:]} {ended.errors}")
    return record


@dataclass(frozen=True, slots=True)
class ImageShare:
    """The moments from `first` to before `end`, and of their images in a turn every `stride`-th."""

    first: int
    end: int
    stride: int
    drawn: int = 0
    turn: int = 0


def shared(record: Sequence[Operation], seed: int, share: ImageShare, time: Allowance, *, most: int = 20) -> ImageTally:
    """What became of a share of the images, as far as there was time; after so many faults no more."""
    disk, sent, done = Disk(), 0, 0
    with quick_folder("image") as folder:
        bench = ImageBench(folder, os.path.commonpath([each.path for each in record if each.path]), _marks(seed))
        for moment, operation in enumerate(record[: share.end]):
            disk.do(operation)
            match operation.data.split() if operation.kind == "told" else []:
                case [b"sent", unit]:
                    sent = int(unit) + 1
                case [b"done", unit]:
                    done = int(unit) + 1
            if operation.kind == "told" or moment < share.first or len(bench.tally.faults) >= most:
                continue
            bench.tally.moments += 1
            chance, where = Random(f"{seed} {share.turn} {moment}"), f"turn {share.turn}, moment {moment}"
            makes = chain(() if share.turn else disk.plain(), disk.drawn(chance, share.drawn))
            for number, make in islice(enumerate(makes), moment % share.stride, None, share.stride):
                if not time.lasts(bench.tally.images):
                    return bench.tally
                if fault := bench.fault(make(), done, sent):
                    bench.tally.faults.append(f"{where}, image {number}, after a {operation.kind}: {fault}")
    return bench.tally


def _marks(seed: int) -> list[bytes]:
    return marks(script(seed, UNITS))


@dataclass(slots=True)
class ImageBench:
    """Where images are looked at, one after the other; a database that was seen before is not looked at again."""

    folder: Path
    was: str
    marks: list[bytes]
    tally: ImageTally = field(default_factory=ImageTally)
    seen: dict[bytes, Found] = field(default_factory=dict)
    opened: set[tuple[Found, bytes]] = field(default_factory=set)

    def fault(self, image: Image, done: int, sent: int) -> str:
        """What is wrong with the books in an image, if something is."""
        self.tally.images += 1
        found = self._found(image)
        if found.wrong:
            return found.wrong
        if not done <= found.units <= sent:
            return f"{done} units were acknowledged and {sent} sent; {found.units} are there: some are lost or made up"
        second = next((data for path, data in image.items() if path.endswith("/second")), b"")
        torn = b"\0" in second or not second.endswith(b"\n")
        if self.tally.images % FULLY != 1 and (not torn or (found, second) in self.opened):
            return ""
        self.opened.add((found, second))
        self.tally.openings += 1
        return self._opening(image, found)

    def _found(self, image: Image) -> Found:
        files = {path: data for path, data in image.items() if path.endswith((".db", ".db-wal", ".db-journal"))}
        mark = sha256(repr(sorted(files)).encode() + b"".join(files[path] for path in sorted(files))).digest()
        if mark not in self.seen:
            self.tally.distinct += 1
            place = self._laid(files)
            self.seen[mark] = look(place.database, self.marks) if place.database.exists() else Found(0)
        return self.seen[mark]

    def _opening(self, image: Image, found: Found) -> str:
        """Whether the store opens from it with the same books, and has them in its second journal too."""
        place = self._laid(image)
        try:
            with place.open() as store:
                check_opening(store)
        except (BadStore, BadKey) as error:
            return f"the store does not open: {error}"
        opened = look(place.database, self.marks)
        return "" if opened == found else f"opened, the books have {opened}, not {found}"

    def _laid(self, image: Image) -> BookPlace:
        shutil.rmtree(self.folder / "image", ignore_errors=True)
        place = BookPlace(self.folder / "image").make()
        laid(image, place.folder, was=self.was)
        if place.key.exists():
            place.key.chmod(0o600)
        return place
