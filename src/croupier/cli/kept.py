"""What commands keep on disk between runs, because making it takes longer than all the rest.

Theory of operation.  Something kept is bytes with a head: the names, sizes and times of all files that it was made of,
and a sum of the bytes.  It is used only while the head is exactly that of the files as they are now; a file of the
source that was changed, added or taken away makes it stale, and so does damage.  Then it is made again.  Nothing is
asked of it: where it cannot be read or written (no home, a full disk, somebody else's folder) it is made each time.

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


def kept(name: str, *, made_of: Sequence[str], make: Callable[[], bytes]) -> bytes:
    """What `make` gives, from disk if it was made of the same files; `made_of` are folders of the package."""
    head = "".join(line for folder in made_of for line in _signed(os.path.join(PACKAGE, folder))).encode()
    file = _folder() / f"{name}-{zlib.crc32(bytes(PACKAGE)):08x}"
    with suppress(OSError):
        found = _read(file)
        if found.startswith(head):
            total, body = found[len(head) : len(head) + 9], found[len(head) + 9 :]
            if total == _sum(head + body):
                return body
    body = make()
    with suppress(OSError):
        _write(file, head + _sum(head + body) + body)
    return body


def _signed(folder: str) -> Iterator[str]:
    """A line for each file of the source: its place, its size, and when it was written."""
    with os.scandir(folder) as found:
        for entry in sorted(found, key=lambda each: each.name):
            if entry.name.endswith(NO_SOURCE):
                continue
            if entry.is_dir():
                yield from _signed(entry.path)
            else:
                about = entry.stat()
                yield f"{entry.path} {about.st_size} {about.st_mtime_ns}\n"


def _sum(data: bytes) -> bytes:
    return b"%08x\n" % zlib.crc32(data)


def _folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "croupier"


def _read(file: Path) -> bytes:
    for each in (file.parent, file):
        about = each.lstat()
        if about.st_uid != os.getuid() or about.st_mode & OTHERS:
            raise PermissionError(f"{each} is not its owner's alone")
    return file.read_bytes()


def _write(file: Path, data: bytes) -> None:
    """Written aside and put in place at once, so that nobody reads a half."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        aside.unlink()
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(data)
    os.replace(aside, file)
