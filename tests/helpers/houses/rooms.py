"""One room of the house behind a real server in this process, for tests that need its doors and no tables."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import uvicorn
from starlette.applications import Starlette

from croupier.floor.doors.door import AnyDoor, routes
from croupier.floor.keeping.house import House, open_house

PATIENCE_S = 120


@contextmanager
def room(doors: Sequence[AnyDoor]) -> Iterator[tuple[httpx.Client, House]]:
    """A client of the room and its house; the server ends as a house does."""
    with TemporaryDirectory(prefix="croupier-room-") as folder, socket.socket() as listening:
        house = open_house(f"sqlite:///{folder}/house.db", Path(folder, "key"), demo=True)

        @asynccontextmanager
        async def running(_: Starlette) -> AsyncIterator[None]:
            await house.start(())
            yield
            await house.close()

        app = Starlette(routes=routes(doors, house), lifespan=running)
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            port = listening.getsockname()[1]
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as client:
                yield client, house
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
            assert not thread.is_alive()
