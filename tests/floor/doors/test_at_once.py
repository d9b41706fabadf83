"""What is decided where it is read (`AtOnce`) is answered, written and shown as by the way that waits (`_heard`)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec

from croupier.floor.app import create_app
from croupier.floor.doors import live
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.keeping.sizes import LONGEST_TEXT
from croupier.floor.store.appends import Stopped
from croupier.law.officials import PLAYER
from tests.floor.doors.test_way import SIGN, Line

BET = {"type": "PlaceWager", "player": "ann", "on": "banker", "amount": 10_000}
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("dan", {"type": "Sit", "player": "ann", "seat": 1}),
    ("dan", {"type": "BuyChips", "player": "ann", "amount": 50_000}),
    ("ann", BET),
    ("ann", {**BET, "amount": 100}),
    ("ann", {**BET, "on": "nothing of the kind"}),
    ("ann", {**BET, "player": "ben"}),
    ("ann", {"type": "BuyChips", "player": "ann", "amount": 100}),
    ("ann", {"type": "RaiseDispute", "player": "ann", "about": "x" * (LONGEST_TEXT + 1)}),
    ("dan", {"type": "Tell", "fact": "As"}),
    ("dan", {"type": "PairTerminal", "number": 1}),
    ("ann", {"type": "WithdrawWager", "player": "ann", "number": 1}),
]
"""What is taken, what the law refuses, what is not for the role, what no journal holds, and what concerns devices."""


async def told(folder: Path, *, waits: bool) -> tuple[list[Any], list[Any], int]:
    """What everybody was told, what was written, and how much of it was heard at once."""
    folder.mkdir()
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=True, hashing=Hashing(1, 64, 1))
    app, answers, taken = create_app(house, (Planned("B-1", "nz1998", "baccarat", "", SIGN),)), list[Any](), 0
    async with app.router.lifespan_context(app):
        async with (
            Line(app, house.ticket("dan", "dealer", "B-1"), waits=waits) as dan,
            Line(app, house.ticket("ann", PLAYER, "B-1"), waits=waits) as ann,
        ):
            page = {"dan": dan, "ann": ann}
            for number, (name, command) in enumerate(ASKED):
                line, known = page[name], f"{number:032x}"
                # The same again meanwhile, something else under its id, an id that is none, and a word that is none.
                line.say({"type": "Do", "id": known, "command": command})
                taken += line.in_hand
                line.say({"type": "Do", "id": known, "command": command})
                line.say({"type": "Do", "id": known, "command": {**BET, "amount": 20_000}})
                line.say({"type": "Do", "id": "none", "command": command})
                line.say({"type": "Ping", "at": number})
                while not answers or answers[-1] != {"type": "Pong", "at": number}:
                    message = json.loads((await line.told.get())["text"])
                    if message["type"] != "View":
                        answers.append(message)
            answers.append(_last_view(house, "ann"))
        journal = [msgspec.json.decode(line.body) for line in house.store.lines("B-1")]
        answers.append(house.metrics.registry.get_sample_value("croupier_commands_total", {"result": "done"}))
        answers.append(house.metrics.registry.get_sample_value("croupier_commands_total", {"result": "refused"}))
    return answers, [{**line, "at_ms": 0} for line in journal], taken


def _last_view(house: House, name: str) -> Any:
    host = house.hosts["B-1"]
    return json.loads(host.kept.view(host.shown, host.recent, host.clocks, name, PLAYER) + b"}")


def test_what_is_heard_at_once_is_answered_as_by_the_way_that_waits(tmp_path: Path) -> None:
    slowly, written, none = asyncio.run(told(tmp_path / "waits", waits=True))
    at_once, then, some = asyncio.run(told(tmp_path / "at once", waits=False))
    assert (none, some > len(ASKED) // 2) == (0, True)
    assert at_once == slowly
    assert then == written


async def stopped(folder: Path) -> list[BaseException | None]:
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=True, hashing=Hashing(1, 64, 1))
    app, ended = create_app(house, (Planned("B-1", "nz1998", "baccarat", "", SIGN),)), list[BaseException | None]()
    async with app.router.lifespan_context(app), Line(app, house.ticket("dan", "dealer", "B-1")) as dan:
        dan.say({"type": "Do", "id": "0" * 32, "command": ASKED[0][1]})
        assert dan.in_hand
        waiter = house.store.lookups.asked["0" * 32].waiting[0]
        assert isinstance(waiter, live.AtOnce)
        waiter.set_exception(Stopped("another process has it"))
        ended += await asyncio.gather(waiter.out.ended, return_exceptions=True)
        await asyncio.wait_for(dan.task, 10)
    return ended


def test_a_line_whose_command_was_stopped_ends(tmp_path: Path) -> None:
    (error,) = asyncio.run(stopped(tmp_path))
    assert isinstance(error, Stopped)
