"""Many machines: an executor over a Dask scheduler, the extra `[cluster]`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, cast

TIMEOUT: Final = "5s"
"""How long a scheduler has to answer."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor over the workers of a scheduler, and how many threads they have."""
    if find_spec("distributed") is None:
        raise ValueError("a cluster needs the extra [cluster]: distributed is not installed here")
    client = _connected(address)
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ValueError(f"the cluster at {address!r:.80} has no workers")
        yield cast(Executor, client.get_executor(pure=False, retries=3)), threads
    finally:
        client.close()


def _connected(address: str) -> Any:
    distributed = import_module("distributed")
    quiet = import_module("dask").config.set({"distributed.comm.retry.count": 0})
    try:
        with quiet:
            return distributed.Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(f"no cluster answers at {address!r:.80}") from error
