"""A bit of the database or of its log flips: it is found out and named, and the second journal brings the books back.

Theory of operation.  A store plays a script and is left without a word, so that the newest commits are in the log
alone; or it is closed, and all is in the database.  On copies of what it left, one bit is flipped in the database, in
the log or in the second journal.  Either the books are still the
same, row for row (the bit was in what nobody reads), or whoever starts from them refuses, or `verify` names what is
wrong.  From the second journal alone a new database is then made, and holds every acknowledged unit.  The control has
no second journal: some flips then go unseen.
"""

from __future__ import annotations

import shutil
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from croupier.floor.audit.verify import sound_books
from croupier.floor.store.chain import Sound
from croupier.floor.store.copies.backup import BadBackup, restore
from croupier.floor.store.durable import open_reader
from croupier.floor.store.engines import BadStore
from croupier.floor.store.opening import check_opening
from croupier.prove import Findings, ProofScope, Tell
from croupier.prove.allowance import Allowance
from croupier.prove.books.instruments.places import quick_folder
from croupier.prove.books.instruments.scripts import BookPlace, Found, Stretch, look, marks, play, rows, script
from croupier.prove.books.instruments.watching import watched

UNITS = 40
PARTS = 8
A_SHARE = 500
"""Of many flips so many are one process's share; of few there are as many shares as above."""
BROUGHT_BACK = 50
"""After one flip in so many that was found, the books are made from the second journal alone."""
CONTROL = 400


@dataclass(slots=True)
class FlipTally:
    """What became of flipped bits: found at a start, found by `verify`, of no effect, or unseen."""

    flips: int = 0
    started: int = 0
    verified: int = 0
    harmless: int = 0
    restored: int = 0
    unseen: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


WORDS = {
    "flips": "bits flipped",
    "started": "of them refused at a start",
    "verified": "named by verify",
    "harmless": "in what nobody reads",
    "restored": "brought back from the second journal",
}


def prove(found: Findings, pool: Executor, scope: ProofScope, tell: Tell) -> None:
    flips = max(16, scope.count(short=20_000, long=1_000_000) // 50)
    bare = pool.submit(flipped, scope.seed, CONTROL, 0, second=False, time=Allowance())
    parts = max(PARTS, flips // A_SHARE)
    shares = [pool.submit(flipped, scope.seed, flips // parts, part, time=scope.time) for part in range(parts)]
    for number, tally in enumerate(scope.time.results(shares), 1):
        tell(number, parts, "flipping bits")
        for name, words in WORDS.items():
            found.count(words, getattr(tally, name))
        found.faults += [f"{each}: nobody saw it" for each in tally.unseen] + tally.faults
    scope.time.goes_on(WORDS["flips"], found.tried[WORDS["flips"]], flips)
    if not found.faults:
        found.holds.append("every flipped bit that changed a row was found and named; the second journal has it all")
    found.controls["no second journal"] = bool(bare.result().unseen)


def flipped(seed: int, flips: int, part: int, *, time: Allowance, second: bool = True) -> FlipTally:
    """So many flips, drawn for this part, or what there is time for; with no second journal, until one goes unseen."""
    tally, chance, works = FlipTally(), Random(f"{seed} {part}"), script(seed, UNITS)
    with quick_folder("flips") as folder:
        bench = FlipBench(
            BookPlace(folder / "left").make(), BookPlace(folder / "copy"), BookPlace(folder / "back"), second=second
        )
        watched(
            lambda: play(bench.left, works, Stretch(0, UNITS, close=bool(part % 2), second=second, pages=100)),
            str(folder),
            lambda _: 0,
        )
        known, whole = marks(works), rows(bench.copied().database)
        assert look(bench.copied().database, known) == Found(UNITS)
        while tally.flips < flips and time.lasts(tally.flips) and (second or not tally.unseen):
            tally.flips += 1
            name, bit = bench.drawn(chance)
            bench.flip(name, bit)
            if bench.is_refused():
                tally.started += 1
            elif bench.is_named():
                tally.verified += 1
            elif rows(bench.copy.database) == whole:
                tally.harmless += 1
            else:
                tally.unseen.append(f"bit {bit} of the {name}")
            if second and tally.flips % BROUGHT_BACK == 1 and name != "second journal":
                tally.restored += 1
                tally.faults += bench.not_back(known)
    return tally


@dataclass(frozen=True, slots=True)
class FlipBench:
    """What was left, a copy of it in which a bit is flipped, and where it is brought back."""

    left: BookPlace
    copy: BookPlace
    back: BookPlace
    second: bool

    def copied(self) -> BookPlace:
        shutil.rmtree(self.copy.folder, ignore_errors=True)
        shutil.copytree(self.left.folder, self.copy.folder)
        return self.copy

    def files(self, place: BookPlace) -> dict[str, Path]:
        files = {"database": place.database, "log": Path(f"{place.database}-wal")}
        files |= {"second journal": place.second} if self.second else {}
        return {name: path for name, path in files.items() if path.exists()}

    def drawn(self, chance: Random) -> tuple[str, int]:
        name = chance.choice(list(self.files(self.left)))
        return name, chance.randrange(self.files(self.left)[name].stat().st_size * 8)

    def flip(self, name: str, bit: int) -> None:
        path = self.files(self.copied())[name]
        with path.open("r+b") as file:
            file.seek(bit // 8)
            (byte,) = file.read(1)
            file.seek(bit // 8)
            file.write(bytes([byte ^ 1 << bit % 8]))

    def is_refused(self) -> bool:
        """Whether the house does not start."""
        try:
            with self.copy.open(second=self.second) as store:
                check_opening(store)
        except BadStore:
            return True
        return False

    def is_named(self) -> bool:
        """Whether `croupier verify` names a fault; after a start from it, which has said nothing."""
        with open_reader(self.copy.url, key_path=self.copy.key) as store:
            return not isinstance(sound_books(store, self.copy.second if self.second else None), Sound)

    def not_back(self, known: list[bytes]) -> list[str]:
        """What is missing when the books are made from the second journal alone."""
        shutil.rmtree(self.back.folder, ignore_errors=True)
        self.back.make()
        try:
            restore(self.copy.second, self.back.url)
        except (BadStore, BadBackup) as error:
            return [f"the second journal does not bring the books back: {error}"]
        found = look(self.back.database, known)
        return [] if found == Found(UNITS) else [f"brought back, the books have {found}"]
