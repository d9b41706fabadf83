"""A server that does nothing: it reads a command, and answers with a view of the usual size and that it was done.

    python -m benchmarks.floor_bare SIZE

The same web server, the same messages and the same way to read and write them as the house; no ticket is looked at,
nothing is decided and nothing is kept.  What a wager costs here is what its line costs, and the most that the process
which holds the lines of the terminals can ask.  Prints its port when it answers.
"""

from __future__ import annotations

import asyncio
import socket
import sys

import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from croupier.floor.wire import Answer, Do, read, write
from croupier.table.commands import PlaceWager


def view(line: int, wagers: str, size: int) -> str:
    return f'{{"type":"View","line":{line},"view":{{"wagers":[{wagers}],"rest":"{"x" * size}"}}}}'


async def live(socket: WebSocket) -> None:
    await socket.accept()
    read((await socket.receive())["text"])
    line = 1
    await socket.send_text(view(line, "", SIZE))
    while (message := await socket.receive())["type"] == "websocket.receive":
        asked, line = read(message["text"]), line + 1
        assert isinstance(asked, Do)
        wagers = f'{{"number":{line}}}' if isinstance(asked.command, PlaceWager) else ""
        await socket.send_text(view(line, wagers, SIZE))
        await socket.send_text(write(Answer(asked.id, done=True, line=line)))


async def main() -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(4096)
    app = Starlette(routes=[WebSocketRoute("/api/tables/{name}/live", live)])
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="websockets-sansio", ws_per_message_deflate=False))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    print(listening.getsockname()[1], flush=True)
    await serving


if __name__ == "__main__":
    SIZE = int(sys.argv[1])
    uvloop.run(main())
