"""SQLite's write-ahead log, read before SQLite does: whether a commit in it was damaged after it was durable.

Theory of operation.  SQLite reads a log up to the first frame whose checksum is wrong and takes what follows for the
rest of a write that the power cut off.  One flipped bit in the middle so loses every commit after it, without a word.
But each commit here is synced before the next begins: what the power can spoil is the last transaction of a log and
nothing before it.  So a wrong frame that is followed by a commit, and that by another frame of the same log, was whole
once and was damaged later; and so was a log whose first bytes are wrong, because they are synced before any frame.
Damage within the last transaction looks like a torn write to everybody but a second journal.

What the file calls its frames' salt tells a frame of this log from what an earlier one left behind; one wrong bit in it
does not make a frame foreign.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

HEADER = struct.Struct(">IIIIIIII")
FRAME = struct.Struct(">IIQII")
BIG_ENDIAN, LITTLE_ENDIAN = 0x377F0683, 0x377F0682
MASK = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class DamagedLog:
    """The first frame of a log that is not as it was written; 0 is what stands before the first frame."""

    frame: int

    def __str__(self) -> str:
        where = f"at frame {self.frame}" if self.frame else "at its beginning"
        return f"the write-ahead log is damaged {where}, and commits that were durable are lost with it"


def damage_in(log: bytes) -> DamagedLog | None:
    """Where a log was damaged, if commits that follow would be lost unseen."""
    if len(log) < HEADER.size or not any(log[: HEADER.size]):
        # Made and not yet written; if frames follow all the same, they were durable and what comes before them was too.
        return DamagedLog(0) if any(log[HEADER.size :]) else None
    magic, _, page, _, salt_1, salt_2, *expected = HEADER.unpack_from(log)
    order = ">" if magic == BIG_ENDIAN else "<"
    sums = _added((0, 0), log[: HEADER.size - 8], order)
    if magic not in (BIG_ENDIAN, LITTLE_ENDIAN) or sums != tuple(expected) or page & (page - 1) or page < 512:
        return DamagedLog(0)
    salt, size = salt_1 << 32 | salt_2, FRAME.size + page
    frames = [log[at : at + size] for at in range(HEADER.size, len(log) - size + 1, size)]
    good = 0
    for number, frame in enumerate(frames, 1):
        _, _, salted, *checked = FRAME.unpack_from(frame)
        sums = _added(_added(sums, frame[:8], order), frame[FRAME.size :], order)
        if salted != salt or sums != tuple(checked):
            break
        good = number
    committed = False
    for frame in frames[good:]:
        _, commits, salted, *_ = FRAME.unpack_from(frame)
        if (salted ^ salt).bit_count() <= 1:
            if committed:
                return DamagedLog(good + 1)
            committed = commits != 0
    return None


def _added(sums: tuple[int, int], data: bytes, order: str) -> tuple[int, int]:
    """SQLite's checksum, carried on over more bytes."""
    one, two = sums
    for first, second in _pairs(data, order):
        one = (one + first + two) & MASK
        two = (two + second + one) & MASK
    return one, two


def _pairs(data: bytes, order: str) -> Iterator[tuple[int, int]]:
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    return zip(words, words, strict=True)
