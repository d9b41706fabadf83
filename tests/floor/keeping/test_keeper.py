"""A journal's keeper: one effect for one id, and nothing half done when whoever asked goes away."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.keeping.host import TABLES
from croupier.floor.keeping.keeper import TAKEN, Keeper
from croupier.floor.keeping.sizes import in_order
from croupier.floor.store.appends import Append, BadAppend, Stopped
from croupier.floor.store.chain import StoredLine
from croupier.floor.store.durable import Store, open_store
from croupier.journal.messages import Transfer
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.commands import TableRequest
from croupier.table.state import Table, new_table

OPEN = TableRequest(c.OpenTable(500, 100_000, supervisor="Sue"), "Sue", "game supervisor")
SIT = TableRequest(c.Sit("Ann", 1), "Dot", "dealer")


def kept(
    folder: Path,
    use: Callable[[Keeper[Table], list[Any]], Awaitable[None]],
    *,
    edition: str = "nz1998",
    version: str = "",
) -> None:
    """Use the keeper of a new table; it notes every line that became durable."""

    async def used() -> None:
        heard: list[Any] = []
        table = new_table("B-1", known_game("baccarat"), ruleset(edition, game="baccarat", version=version))
        with open_store(f"sqlite:///{folder}/db", key_path=folder / "key") as store:
            keeper = Keeper(store, "B-1", TABLES, table, table, changed=heard.extend)
            await use(keeper, heard)

    asyncio.run(used())


def test_what_was_asked_is_done_and_shown_although_the_asker_has_gone(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        asking = asyncio.create_task(keeper.ask(f"{1:032x}", OPEN))
        while not keeper.state.entries:
            await asyncio.sleep(0)
        asking.cancel()
        async with asyncio.timeout(10):
            while not keeper.shown.entries:
                await asyncio.sleep(0.001)
        assert keeper.shown.open
        assert len(heard) == keeper.shown.entries == keeper.store.last("B-1")[0]
        assert (await keeper.ask(f"{2:032x}", SIT)).done
        assert len(heard) == keeper.shown.entries

    kept(tmp_path, use)


def test_a_refusal_says_apart_from_its_reason_which_wager_it_is_about(tmp_path: Path) -> None:
    insured = TableRequest(c.PlaceWager("Ann", "insurance", 500), "Ann", "player")
    opened = replace(OPEN, what=replace(OPEN.what, signs=("Crown Baccarat",)))

    async def use(keeper: Keeper[Table], _: list[Any]) -> None:
        for number, asked in enumerate((opened, SIT, TableRequest(c.BuyChips("Ann", 5_000), "Dot", "dealer"))):
            assert (await keeper.ask(f"{number:032x}", asked)).done
        for _again in range(2):
            answer = await keeper.ask(f"{9:032x}", insured)
            assert (answer.done, answer.on, answer.rule) == (False, "insurance", "VIC2002-1.1.insurance.s1")
            assert "insurance" not in answer.reason

    kept(tmp_path, use, edition="vic2002", version="crown")


def test_no_line_is_written_earlier_than_the_one_before(tmp_path: Path) -> None:
    """What another process passed on was stamped there, and may come after what was asked later here."""

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", replace(OPEN, at_ms=2_000))
        assert (await keeper.ask(f"{2:032x}", replace(SIT, at_ms=1_000))).done
        assert (await keeper.ask(f"{3:032x}", TableRequest(c.Sit("Bob", 2), "Dot", "dealer", 3_000))).done
        assert sorted({line.at_ms for line in heard}) == [2_000, 3_000]

    kept(tmp_path, use)


def test_what_became_durable_here_while_the_journal_was_read_again_is_not_taken_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection was lost and the journal is read again, while a command is on its way to the database."""

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        before, sound_lines = keeper.shown, Store.sound_lines
        assert (await keeper.ask(f"{2:032x}", SIT)).done
        shown = keeper.shown
        keeper.state = keeper.shown = before

        def slowly(store: Store, table: str, first: int = 1, most: int = 1_000) -> tuple[StoredLine, ...]:
            page = sound_lines(store, table, first, most)
            keeper.state = keeper.shown = shown
            return page

        monkeypatch.setattr(Store, "sound_lines", slowly)
        count = len(heard)
        await keeper.read_again()
        assert keeper.shown is shown
        assert len(heard) == count

    kept(tmp_path, use)


def test_a_command_that_is_asked_many_times_has_one_effect_and_one_answer(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        before = len(heard)
        answers = await asyncio.gather(*(keeper.ask(f"{2:032x}", SIT) for _ in range(50)))
        assert answers == [answers[0]] * 50
        assert answers[0].done
        assert await keeper.ask(f"{2:032x}", SIT) == answers[0]
        assert keeper.store.lookups.asked == {}
        assert len(heard) == before + 1

    kept(tmp_path, use)


def test_what_no_journal_can_hold_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    """An account with the character zero cannot be written: whoever asked is told so, and the keeper goes on."""

    def spoilt(table: Table, request: TableRequest, events: Any) -> tuple[Any, ...]:
        lines = TABLES.entries(table, request, events)
        if request.what != SIT.what:
            return lines
        bad = Transfer("cash", "a\0b", 1, "NZ1996-I-1.0a")
        return tuple(replace(line, event=replace(line.event, transfers=(bad,))) for line in lines)

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        keeper.kind = dataclasses.replace(TABLES, entries=spoilt)
        await keeper.ask(f"{1:032x}", OPEN)
        before = keeper.state
        with pytest.raises(BadAppend):
            await keeper.ask(f"{2:032x}", SIT)
        assert (keeper.state, keeper.shown, len(heard)) == (before, before, before.entries)
        again = TableRequest(c.Sit("Bob", 2), "Dot", "dealer")
        assert (await keeper.ask(f"{3:032x}", again)).done

    kept(tmp_path, use)


def test_who_borrows_an_id_keeps_nobody_from_hearing_their_own_answer_again(tmp_path: Path) -> None:
    """Somebody asks under an id of another's in the very moment in which its owner asks again."""

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        first = await keeper.ask(f"{2:032x}", SIT)
        other = TableRequest(c.Sit("Bob", 2), "Dot", "dealer")
        borrowed, again, more = await asyncio.gather(*(keeper.ask(f"{2:032x}", each) for each in (other, SIT, other)))
        assert (borrowed.reason, more.reason) == (TAKEN, TAKEN)
        assert again == first
        # Where both are new, it belongs to the first of them.
        mine, theirs = await asyncio.gather(keeper.ask(f"{3:032x}", other), keeper.ask(f"{3:032x}", SIT))
        assert (mine.done, theirs.reason) == (True, TAKEN)
        assert keeper.store.lookups.asked == {}

    kept(tmp_path, use)


def test_an_id_belongs_to_its_request_and_to_no_other(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        first = await keeper.ask(f"{2:032x}", SIT)
        later = TableRequest(SIT.what, SIT.by, SIT.role, 99)
        assert await keeper.ask(f"{2:032x}", later) == first
        before = len(heard)
        for other in (
            TableRequest(c.Sit("Bob", 2), "Dot", "dealer"),
            TableRequest(SIT.what, "Dan", "dealer"),
            TableRequest(SIT.what, "Dot", "stickperson"),
        ):
            answer = await keeper.ask(f"{2:032x}", other)
            assert (answer.done, answer.reason, answer.voucher) == (False, TAKEN, "")
        assert len(heard) == before

    kept(tmp_path, use)


@pytest.mark.parametrize(
    "what",
    [
        c.PlaceWager("Ann", "player", 500),
        c.OpenTable(500, 100_000, kinds={"tie": (100, 500), "banker": (200, 900)}, signs=("b", "a"), supervisor="Sue"),
        c.Tell({"perform": "cut", "detail": {"z": 1, "a": [{"y": 2, "b": 3}]}}),
        c.ShowPool("A", 5, prizes={12: 1, 3: 2}),
    ],
    ids=lambda what: type(what).__name__,
)
def test_what_marks_a_request_is_written_as_every_release_wrote_it(what: Any) -> None:
    asked = ("B-1", TableRequest(what, "Dot", "dealer"))
    slowly = msgspec.json.encode(msgspec.to_builtins(asked, order="deterministic", str_keys=True))
    assert in_order(asked) == slowly


def test_two_requests_at_once_under_one_id_have_one_effect(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        bob = TableRequest(c.Sit("Bob", 2), "Dot", "dealer")
        answers = await asyncio.gather(*(keeper.ask(f"{2:032x}", asked) for asked in (SIT, bob, SIT, bob)))
        assert [answer.done for answer in answers] == [True, False, True, False]
        assert set(keeper.shown.players) == {"Ann"}

    kept(tmp_path, use)


def test_a_command_of_long_ago_has_its_answer_and_takes_nothing_from_others(tmp_path: Path) -> None:
    """An id that this process does not remember shows at the commit, beside commands that were decided upon it.

    From then on it is looked up before anything is decided.
    """

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        leaves = TableRequest(c.Leave("Ann"), "Dot", "dealer")
        first = await keeper.ask(f"{2:032x}", SIT)
        assert (await keeper.ask(f"{3:032x}", leaves)).done
        keeper.store.lookups.lately.clear()
        before, turn = len(heard), keeper.turn
        bob = TableRequest(c.Sit("Bob", 2), "Dot", "dealer")
        again, other = await asyncio.gather(keeper.ask(f"{2:032x}", SIT), keeper.ask(f"{4:032x}", bob))
        assert (again, other.done) == (first, True)
        assert set(keeper.shown.players) == {"Bob"}
        assert (len(heard), keeper.state) == (before + 1, keeper.shown)
        assert keeper.turn == turn + 1
        assert await keeper.ask(f"{2:032x}", SIT) == first
        assert keeper.turn == turn + 1

    kept(tmp_path, use)


def test_a_repeat_that_is_found_late_is_taken_back_and_harms_nobody(tmp_path: Path) -> None:
    """Another process uses an id between the look and the commit: whoever was decided upon it is decided again."""

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)

        def overtaken(table: Table, request: Any) -> Any:
            if request.what == SIT.what:
                keeper.store.append(Append("elsewhere", 0, f"{2:032x}", (b"1",), (), b"{}", request="another's"))
            return TABLES.decide(table, request)

        keeper.kind = dataclasses.replace(TABLES, decide=overtaken)
        others = [
            TableRequest(c.Sit(name, seat), "Dot", "dealer") for seat, name in ((2, "Bob"), (3, "Cid"), (4, "Dee"))
        ]
        answers = await asyncio.gather(
            keeper.ask(f"{2:032x}", SIT), *(keeper.ask(f"{n:032x}", other) for n, other in enumerate(others, 3))
        )
        assert [answer.done for answer in answers] == [False, True, True, True]
        assert set(keeper.shown.players) == {"Bob", "Cid", "Dee"}
        assert keeper.state == keeper.shown
        assert [line.number + 1 for line in heard] == list(range(1, keeper.store.last("B-1")[0] + 1))

    kept(tmp_path, use)


def test_what_comes_back_when_another_process_keeps_the_journal_is_not_decided_again(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        before, waiting = len(heard), list[Callable[[], None]]()
        assert keeper.store.writer is not None
        keeper.store.append(Append("elsewhere", 0, f"{2:032x}", (b"1",), (), b"{}", request="another's")).result()
        keeper.store.writer.deliver = waiting.append
        bob = TableRequest(c.Sit("Bob", 2), "Dot", "dealer")
        asking = [asyncio.create_task(keeper.ask(f"{n:032x}", what)) for n, what in ((2, SIT), (3, bob))]
        while not waiting:
            await asyncio.sleep(0.001)
        # The journal is handed on to another process.
        keeper.owned = False
        while not all(each.done() for each in asking):
            while waiting:
                waiting.pop(0)()
            await asyncio.sleep(0.001)
        assert not (await asking[0]).done
        with pytest.raises(Stopped, match="ask again"):
            await asking[1]
        assert (len(heard), keeper.state) == (before, keeper.shown)

    kept(tmp_path, use)


def test_what_becomes_durable_while_the_journal_is_read_again_is_not_taken_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that slept reads its journals again, and what it had asked before is on its way meanwhile."""
    real, read, told = Store.sound_lines, threading.Event(), threading.Event()

    def held(store: Store, table: str, first: int = 1, most: int = 100) -> tuple[StoredLine, ...]:
        page = real(store, table, first, most)
        read.set()
        told.wait(30)
        return page

    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        await keeper.ask(f"{1:032x}", OPEN)
        before, waiting = keeper.shown.entries, list[Callable[[], None]]()
        assert keeper.store.writer is not None
        keeper.store.writer.deliver = waiting.append
        monkeypatch.setattr(Store, "sound_lines", held)
        asking = asyncio.create_task(keeper.ask(f"{2:032x}", SIT))
        while not waiting:
            await asyncio.sleep(0.001)
        reading = asyncio.create_task(keeper.read_again())
        await asyncio.to_thread(read.wait, 30)
        # The line is durable and was read; only now is whoever asked for it told.
        waiting.pop()()
        assert (await asking).done
        told.set()
        await reading
        assert len(heard) == keeper.shown.entries == before + 1

    kept(tmp_path, use)


def test_one_who_goes_away_takes_the_answer_away_from_nobody(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        keeper.store.deliver_on(asyncio.get_running_loop())
        assert (await keeper.ask(f"{1:032x}", OPEN)).done
        before = len(heard)
        first, second = (asyncio.create_task(keeper.ask(f"{2:032x}", SIT)) for _ in range(2))
        while keeper.state.entries == before:
            await asyncio.sleep(0)
        first.cancel()
        assert (await second).done
        assert first.cancelled()
        assert len(heard) == before + 1
        assert not keeper.store.lookups.asked

    kept(tmp_path, use)


def test_what_goes_wrong_when_lines_are_shown_is_told_to_whoever_asked(tmp_path: Path) -> None:
    async def use(keeper: Keeper[Table], heard: list[Any]) -> None:
        assert (await keeper.ask(f"{1:032x}", OPEN)).done

        def fails(_: tuple[Any, ...]) -> None:
            raise ZeroDivisionError

        keeper.changed = fails
        async with asyncio.timeout(60):
            with pytest.raises(ZeroDivisionError):
                await keeper.ask(f"{2:032x}", SIT)
        assert not keeper.store.lookups.asked

    kept(tmp_path, use)
