"""What a page is sent: in one go, the view before the answers, nothing while it does not read, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

import msgspec
import pytest

from croupier.floor.doors.outbox import Outbox
from croupier.floor.wire import Answer, Pong, Sorry


class Line:
    """A line that notes what is written on it, one list for each time."""

    when_room: Callable[[], None]

    def __init__(self) -> None:
        self.has_room, self.written = True, list[list[str]]()

    def tell(self, texts: Iterable[bytes]) -> None:
        self.written.append([msgspec.json.decode(text)["type"] for text in texts])

    def cut(self) -> None:
        raise AssertionError

    async def receive(self) -> None:
        raise AssertionError


def run(shown: Callable[[Line], Awaitable[None]]) -> Line:
    line = Line()

    async def in_loop() -> None:
        await shown(line)

    asyncio.run(in_loop())
    return line


class Views:
    """Views of which each is written once, when there is one."""

    def __init__(self) -> None:
        self.left = self.made = 0

    def __call__(self) -> bytes | None:
        if not self.left:
            return None
        self.left, self.made = 0, self.made + 1
        return b'{"type":"View"}'


def test_the_view_comes_before_the_answers_and_all_in_one_go() -> None:
    async def shown(line: Line) -> None:
        views = Views()
        out = Outbox(line, views)
        out.put(Answer("1", done=True, line=1))
        out.put(Pong(2))
        views.left = 1
        out.news()
        await asyncio.sleep(0)

    assert run(shown).written == [["View", "Answer", "Pong"]]


def test_nothing_is_made_for_a_page_that_does_not_read_and_then_the_newest() -> None:
    views = Views()

    async def shown(line: Line) -> None:
        out = Outbox(line, views)
        line.has_room = False
        for _ in range(5):
            views.left += 1
            out.news()
            out.put(Pong(0))
            await asyncio.sleep(0)
        assert (line.written, views.made) == ([], 0)
        line.has_room = True
        line.when_room()
        await asyncio.sleep(0)

    assert run(shown).written == [["View", *(["Pong"] * 5)]]
    assert views.made == 1


def test_nothing_is_said_after_the_last_word() -> None:
    async def shown(line: Line) -> None:
        out = Outbox(line, Views())
        out.put(Pong(1))
        out.put(Sorry("you were signed out", end=True))
        out.put(Pong(2))
        await asyncio.sleep(0)
        await out.ended
        out.put(Pong(3))
        await asyncio.sleep(0)

    assert run(shown).written == [["Pong", "Sorry"]]


def test_a_fault_ends_the_line_and_is_told_to_whoever_keeps_it() -> None:
    def broken() -> bytes | None:
        raise ZeroDivisionError

    async def shown(line: Line) -> None:
        out = Outbox(line, broken)
        out.news()
        await asyncio.sleep(0)
        with pytest.raises(ZeroDivisionError):
            await out.ended

    assert run(shown).written == []
