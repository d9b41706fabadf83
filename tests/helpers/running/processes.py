"""The processes that another one started, as Linux tells of them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path


def started_by(leader: int) -> set[int]:
    """The processes that this one started, and those that they started, wherever they are now."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(after[1]), []).append(int(path.parent.name))
    found, waiting = set[int](), [leader]
    while waiting:
        for each in children.get(waiting.pop(), []):
            found.add(each)
            waiting.append(each)
    return found


def _lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(processes: Iterable[int], seconds: float = 60.0) -> None:
    """Wait until none of these lives any more; after that long it is a fault."""
    until = time.monotonic() + seconds
    while living := [each for each in processes if _lives(each)]:
        assert time.monotonic() < until, living
        time.sleep(0.05)
