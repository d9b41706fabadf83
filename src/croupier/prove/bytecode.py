"""What the processes of a run import is compiled once, also where Python may keep no bytecode beside the sources.

Theory of operation.  A run of proofs starts hundreds of processes, and one that finds no bytecode compiles the whole
program before it does anything: most of what a server's start costs.  Where the surroundings forbid Python to write
bytecode (`PYTHONDONTWRITEBYTECODE`), it is kept in a folder that goes with the run; nothing is written elsewhere.
Processes that are started by a command have it from their surroundings.  One that is spawned is forbidden by a flag to
write, and only reads what others wrote, unless it imports this module.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Final

FOLDER: Final = "PYTHONPYCACHEPREFIX"
FORBIDDEN: Final = "PYTHONDONTWRITEBYTECODE"


def _allow() -> None:
    """Let this process write bytecode, if a run gave it a folder for that."""
    if FOLDER in os.environ and FORBIDDEN not in os.environ:
        sys.dont_write_bytecode = False


_allow()


@contextmanager
def compiled_once() -> Iterator[None]:
    """Let what is imported within the block be compiled once for all its processes."""
    if not sys.dont_write_bytecode:
        yield
        return
    before, prefix = dict(os.environ), sys.pycache_prefix
    with TemporaryDirectory(prefix="croupier-bytecode-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER] = sys.pycache_prefix = folder
        os.environ.pop(FORBIDDEN, None)
        _allow()
        try:
            yield
        finally:
            sys.dont_write_bytecode, sys.pycache_prefix = True, prefix
            for name in (FOLDER, FORBIDDEN):
                os.environ.pop(name, None)
                os.environ |= {name: before[name]} if name in before else {}
