"""Many machines: an executor over a Dask scheduler, the extra `[cluster]`.

Before a client is made, the scheduler is asked who it is: what does not answer, or answers in another language, then
costs one sentence, where a client that failed half-way would go on complaining while the program ends.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, cast

TIMEOUT: Final = 5
"""Seconds that a scheduler has to answer."""


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
    if not re.fullmatch(r"([a-z]+://)?[^\s:/]+:[0-9]{1,5}", address):
        raise ValueError(f"a cluster is named like tcp://scheduler:8786: {address!r:.80}")
    # Imported first: it brings settings of its own, which the end of `quiet` would take away with those set here.
    distributed = import_module("distributed")
    quiet = import_module("dask").config.set({"distributed.comm.retry.count": 0})
    try:
        with quiet:
            asyncio.run(_identity(address))
            return distributed.Client(address, timeout=TIMEOUT, set_as_default=False)
    except Exception as error:
        # Whatever listens there may answer anything; bytes of another protocol have been taken for an endless message.
        raise ValueError(f"no cluster answers at {address!r:.80}") from error


async def _identity(address: str) -> None:
    """Ask the scheduler who it is."""
    core = import_module("distributed.core")
    async with core.rpc(address, timeout=TIMEOUT) as scheduler:
        async with asyncio.timeout(TIMEOUT):
            identity = await scheduler.identity()
    if identity.get("type") != "Scheduler":
        raise ValueError(f"{identity.get('type')!r:.40} is no scheduler")
