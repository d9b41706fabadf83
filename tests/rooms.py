"""One room of the house behind a real server in this process, for tests that need its doors and no tables."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

PATIENCE_S = 120


@contextmanager
def room(routes: Callable[[FastAPI, Any], None]) -> Iterator[tuple[httpx.Client, FastAPI]]:
    """A client of the room and its application; the server ends as a house does."""
    app = FastAPI()
    routes(app, None)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            port = listening.getsockname()[1]
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as client:
                yield client, app
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
            assert not thread.is_alive()
