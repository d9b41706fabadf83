"""A server that does nothing: it reads a command, and answers with a view of the usual size and that it was done.

    python -m benchmarks.floor_bare SIZE FOLDER

The same web server, the same messages and the same way to read and write them as the house; no ticket is looked at and
nothing is decided.  What a wager costs here is what its line costs, and the most that the process which holds the lines
of the terminals can ask.  Of what is told only the card is kept: nobody may be shown one that is not durable, so it is
appended to a bare store, and then the same view of it is sent to every line of the table.  Prints its port when it
answers.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import sys
from collections import Counter
from pathlib import Path

import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from benchmarks.store import BODY
from croupier.floor.store.appends import Append, Appended
from croupier.floor.store.durable import Store, open_store
from croupier.floor.wire import Answer, Do, read, write
from croupier.table.commands import PlaceWager, Tell


def view(line: int, wagers: str, size: int) -> str:
    return f'{{"type":"View","line":{line},"view":{{"wagers":[{wagers}],"rest":"{"x" * size}"}}}}'


class Bare:
    """The tables: the lines of each, and how much was told there and is durable."""

    def __init__(self, store: Store, size: int) -> None:
        self.store, self.size = store, size
        self.lines: dict[str, list[WebSocket]] = {}
        self.views, self.kept = Counter[str](), Counter[str]()

    async def live(self, socket: WebSocket) -> None:
        await socket.accept()
        read((await socket.receive())["text"])
        table = str(socket.path_params["name"])
        self.lines.setdefault(table, []).append(socket)
        self.views[table] += 1
        await socket.send_text(view(self.views[table], "", self.size))
        while (message := await socket.receive())["type"] == "websocket.receive":
            asked = read(message["text"])
            assert isinstance(asked, Do)
            if isinstance(asked.command, Tell):
                await self._keep(table)
            self.views[table] += 1
            line = self.views[table]
            if isinstance(asked.command, Tell):
                shown = view(line, "", self.size)
                for each in self.lines[table]:
                    await each.send_text(shown)
            else:
                wagers = f'{{"number":{line}}}' if isinstance(asked.command, PlaceWager) else ""
                await socket.send_text(view(line, wagers, self.size))
            await socket.send_text(write(Answer(asked.id, done=True, line=line)).decode())
        self.lines[table].remove(socket)

    async def _keep(self, table: str) -> None:
        after, self.kept[table] = self.kept[table], self.kept[table] + 1
        made = await self.store.appended(Append(table, after, secrets.token_hex(16), (BODY,), (), b"{}"))
        assert isinstance(made, Appended), made


async def main(size: int, folder: Path) -> None:
    logging.disable(logging.WARNING)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(4096)
    with open_store(f"sqlite:///{folder}/bare-news.db", key_path=folder / "bare-news.key") as store:
        store.deliver_on(asyncio.get_running_loop())
        app = Starlette(routes=[WebSocketRoute("/api/tables/{name}/live", Bare(store, size).live)])
        config = uvicorn.Config(app, log_config=None, ws="websockets-sansio", ws_per_message_deflate=False)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        print(listening.getsockname()[1], flush=True)
        await serving


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), Path(sys.argv[2])))
