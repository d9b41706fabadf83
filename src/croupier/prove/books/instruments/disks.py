"""What the disk may hold when the power goes: images of a recorded run, at every moment of it.

Theory of operation.  What was synced is there.  What was written since may be there or not, piece by piece and in any
order: a disk and its cache answer for sectors of 512 bytes, no more.  A name (a file made, renamed, taken away) may be
there or not until its folder was synced; names of one folder come in their order, as every journaling file system
keeps them.  For each moment the plain cases are tried first (nothing of what is pending, all of it, each write lost
alone, each kept alone, each torn at every sector), then as many drawn ones as are wanted: any subset of the sectors, in
a file that may have grown already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeAlias

from croupier.prove.books.instruments.watching import Operation

SECTOR = 512
Image: TypeAlias = Mapping[str, bytes]
Keep: TypeAlias = list[tuple[bool, ...]]


@dataclass(slots=True)
class Content:
    """One file: what is durable of it, and what was done to it since its last sync."""

    durable: bytes = b""
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)
    """Writes with their offsets; without bytes, a truncation."""

    def now(self) -> bytes:
        return self.kept([(True,) * sectors(each) for each in self.pending])

    def kept(self, which: Keep, *, grown: bool = False) -> bytes:
        """The durable bytes with those sectors of each write that were kept."""
        there = bytearray(self.durable)
        for (offset, data), keep in zip(self.pending, which, strict=True):
            if data is None:
                if keep[0]:
                    there = there[:offset].ljust(offset, b"\0")
                continue
            for at, piece in enumerate(pieces(offset, data)):
                if keep[at]:
                    begin, text = piece
                    there.extend(bytes(max(0, begin - len(there))))
                    there[begin : begin + len(text)] = text
            if grown:
                there.extend(bytes(max(0, offset + len(data) - len(there))))
        return bytes(there)

    def sync(self) -> None:
        self.durable, self.pending = self.now(), []


def sectors(write: tuple[int, bytes | None]) -> int:
    offset, data = write
    return 1 if not data else (offset + len(data) - 1) // SECTOR - offset // SECTOR + 1


def pieces(offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    """A write cut at the borders of sectors."""
    at = 0
    while at < len(data) or not at:
        size = SECTOR - (offset + at) % SECTOR
        yield offset + at, data[at : at + size]
        at += size


@dataclass(slots=True)
class Disk:
    """Files by their names; a file keeps its content under whatever name it has."""

    names: dict[str, Content] = field(default_factory=dict)
    durable_names: dict[str, Content] = field(default_factory=dict)
    waiting: list[tuple[Operation, Content | None]] = field(default_factory=list)
    """What was done to names since their folders were synced, with the file that a new name was made for."""

    def do(self, operation: Operation) -> None:
        match operation:
            case Operation("open", path, makes=True):
                self.names[path] = Content()
                self.waiting.append((operation, self.names[path]))
            case Operation("rename" | "link" | "unlink"):
                named(self.names, operation, None)
                self.waiting.append((operation, None))
            case Operation("write", path, offset, data) if path in self.names:
                self.names[path].pending.append((offset, data))
            case Operation("truncate", path, offset) if path in self.names:
                self.names[path].pending.append((offset, None))
            case Operation("sync", path) if path in self.names:
                self.names[path].sync()
            case Operation("sync", path):
                for each in [each for each in self.waiting if str(Path(each[0].path).parent) == path]:
                    named(self.durable_names, *each)
                    self.waiting.remove(each)
            case _:
                pass

    def _pending(self, *, kept: bool) -> dict[str, Keep]:
        """What was done to each file since its last sync, all of it kept or nothing."""
        files = ((path, file.pending) for path, file in self.names.items() if file.pending)
        return {path: [(kept,) * sectors(each) for each in pending] for path, pending in files}

    def plain(self) -> Iterator[Callable[[], Image]]:
        """How to make each plain image of this moment."""
        everything, nothing = self._pending(kept=True), self._pending(kept=False)
        for names in range(len(self.waiting) + 1):
            yield partial(self._image, nothing, names)
        yield partial(self._image, everything)
        for path, keeps in everything.items():
            for at, each in enumerate(keeps):
                for base, flag in ((everything, False), (nothing, True)):
                    for keep in torn(len(each), first=flag):
                        which = {**base, path: [*base[path][:at], keep, *base[path][at + 1 :]]}
                        yield partial(self._image, which)

    def drawn(self, chance: Random, count: int) -> Iterator[Callable[[], Image]]:
        """How to make so many more, with any of the sectors kept."""
        everything = self._pending(kept=True)
        for _ in range(count):
            share = chance.random()
            any_of: dict[str, Keep] = {
                path: [tuple(chance.random() < share for _ in each) for each in keeps]
                for path, keeps in everything.items()
            }
            yield partial(self._image, any_of, chance.randint(0, len(self.waiting)), grown=chance.random() < 0.3)

    def _image(self, which: Mapping[str, Keep], names: int | None = None, *, grown: bool = False) -> Image:
        there = copy(self.durable_names)
        for each in self.waiting if names is None else self.waiting[:names]:
            named(there, *each)
        keeps = {id(self.names[path]): keep for path, keep in which.items()}
        return {
            path: file.kept(keeps[id(file)], grown=grown) if id(file) in keeps else file.durable
            for path, file in there.items()
        }


def named(names: dict[str, Content], operation: Operation, made: Content | None) -> None:
    """A name that is added, changed or taken away."""
    if made is not None:
        names[operation.path] = made
        return
    file = names.get(operation.path) if operation.kind == "link" else names.pop(operation.path, None)
    if operation.other and file is not None:
        names[operation.other] = file


def torn(count: int, *, first: bool) -> Iterator[tuple[bool, ...]]:
    """A write as a whole, and cut at each sector: the first part one way, the rest the other."""
    yield (first,) * count
    for at in range(1, count):
        yield (first,) * at + (not first,) * (count - at)


def laid(image: Image, folder: Path, *, was: str) -> None:
    """Write an image into an empty folder; `was` is where it was recorded."""
    for path, data in image.items():
        (folder / Path(path).relative_to(was)).write_bytes(data)
