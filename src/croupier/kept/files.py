"""What is kept on disk between runs: pages, machine code.

Theory of operation.  Something kept is bytes with a head: the names, sizes and times of all files that it was made of,
whatever else it depends on in words, and a sum of the bytes.  It is used only while the head is exactly that of the
files as they are now; a file of the source that was changed, added or taken away makes it stale, and so does damage.
Then it is made again.  Nothing is asked of it: where it cannot be read or written (no home, a full disk, somebody
else's folder) it is made each time.

The folder is `$XDG_CACHE_HOME/croupier` or `~/.cache/croupier`, and the owner's alone; what others could have written
is not read.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
OTHERS: Final = 0o077
NO_SOURCE: Final = ("__pycache__", ".pyc")


def kept(name: str, *, made_of: Sequence[str], make: Callable[[], bytes], also: str = "") -> bytes:
    """What `make` gives, from disk if it was made of the same; `made_of` are folders and files of the package."""
    file, head = _file(name), _head(made_of, also)
    body = _found(file, head)
    if body is None:
        body = make()
        with suppress(OSError):
            _write(file, head + _sum(head + body) + body)
    return body


def is_kept(name: str, *, made_of: Sequence[str], also: str = "") -> bool:
    """Whether `kept` would find it."""
    return _found(_file(name), _head(made_of, also)) is not None


def can_keep() -> bool:
    """Whether there is a place: a folder that is its owner's alone, or will be when it is made."""
    with suppress(OSError):
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_owner(folder)
        return os.access(folder, os.W_OK | os.X_OK)
    return False


def _file(name: str) -> Path:
    return _folder() / f"{name}-{zlib.crc32(bytes(PACKAGE)):08x}"


def _head(made_of: Sequence[str], also: str) -> bytes:
    return ("".join(line for place in made_of for line in _signed(os.path.join(PACKAGE, place))) + also).encode()


def _found(file: Path, head: bytes) -> bytes | None:
    with suppress(OSError):
        found = _read(file)
        if found.startswith(head):
            total, body = found[len(head) : len(head) + 9], found[len(head) + 9 :]
            if total == _sum(head + body):
                return body
    return None


def _signed(place: str) -> Iterator[str]:
    """A line for each file of the source: its place, its size, and when it was written."""
    if os.path.isfile(place):
        about = os.stat(place)
        yield f"{place} {about.st_size} {about.st_mtime_ns}\n"
        return
    with os.scandir(place) as found:
        for entry in sorted(found, key=lambda each: each.name):
            if entry.name.endswith(NO_SOURCE):
                continue
            yield from _signed(entry.path)


def _sum(data: bytes) -> bytes:
    return b"%08x\n" % zlib.crc32(data)


def _folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "croupier"


def _read(file: Path) -> bytes:
    for each in (file.parent, file):
        _check_owner(each)
    return file.read_bytes()


def _check_owner(place: Path) -> None:
    about = place.lstat()
    if about.st_uid != os.getuid() or about.st_mode & OTHERS:
        raise PermissionError(f"{place} is not its owner's alone")


def _write(file: Path, data: bytes) -> None:
    """Written aside and put in place at once, so that nobody reads a half."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        aside.unlink()
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(data)
    os.replace(aside, file)
