"""Where proofs about books do their work: processes that can fork, and folders that need not outlive the machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def spare_processes() -> Iterator[Executor]:
    """Processes that have no threads, so that they can fork."""
    workers = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=logging.disable) as pool:
        yield pool


@contextmanager
def quick_folder(name: str) -> Iterator[Path]:
    """A folder for images, in memory where there is one: no image need outlive the machine."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(prefix=f"croupier-{name}-", dir=memory) as folder:
        yield Path(folder)
