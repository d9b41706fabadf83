"""Commands looked up in groups: one look for all who wait, each with its own answer; groups told by a loop's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from croupier.floor.store.appends import Append, AppendAnswer, Appended, BadAppend, Repeated
from croupier.floor.store.durable import open_store
from croupier.floor.store.lookups import MOST, REMEMBERED, Lookups

KNOWN = Repeated("B-1", 7, b"{}")


class Looks:
    """Notes who was looked up together; the first id is known, and one look can be made to fail."""

    def __init__(self) -> None:
        self.groups: list[tuple[str, ...]] = []
        self.fails = 0

    def __call__(self, ids: tuple[str, ...]) -> Mapping[str, Repeated]:
        self.groups.append(ids)
        if self.fails:
            self.fails -= 1
            raise OSError("the disk is gone")
        return {each: KNOWN for each in ids if each == name(0)}


def name(number: int) -> str:
    return f"{number:032x}"


def test_all_who_ask_while_a_look_lasts_share_the_next_one() -> None:
    looks = Looks()

    async def asked() -> list[Repeated | None]:
        lookups = Lookups(looks)
        return await asyncio.gather(*(lookups.answer(name(number)) for number in range(MOST + 100)))

    answers = asyncio.run(asked())
    assert answers == [KNOWN] + [None] * (MOST + 99)
    assert [len(group) for group in looks.groups] == [MOST, 100]


def test_what_was_answered_lately_is_remembered_and_older_ids_are_forgotten() -> None:
    lookups = Lookups(Looks())
    for number in range(3 * REMEMBERED):
        lookups.remember(name(number))
    assert not lookups.may_be_known(name(0))
    assert all(lookups.may_be_known(name(number)) for number in range(2 * REMEMBERED, 3 * REMEMBERED))
    assert not lookups.may_be_known(name(3 * REMEMBERED))
    assert len(lookups.lately) + len(lookups.before) <= 2 * REMEMBERED


def test_one_who_goes_away_takes_nothing_from_another_who_asked_the_same() -> None:
    async def asked() -> Repeated | None:
        lookups = Lookups(Looks())
        first, second = (asyncio.create_task(lookups.answer(name(0))) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(asked()) == KNOWN


def test_a_look_that_fails_is_told_to_all_of_its_group_and_the_next_succeeds() -> None:
    looks = Looks()
    looks.fails = 1

    async def asked() -> None:
        lookups = Lookups(looks)
        failed = await asyncio.gather(*map(lookups.answer, (name(0), name(1))), return_exceptions=True)
        assert [str(each) for each in failed] == ["the disk is gone"] * 2
        assert await lookups.answer(name(0)) == KNOWN

    asyncio.run(asked())


def test_a_bad_id_is_refused_alone() -> None:
    looks = Looks()

    async def asked() -> None:
        lookups = Lookups(looks)
        bad, good = await asyncio.gather(lookups.answer("x"), lookups.answer(name(0)), return_exceptions=True)
        assert isinstance(bad, BadAppend)
        assert good == KNOWN

    asyncio.run(asked())
    assert looks.groups == [(name(0),)]


@pytest.mark.parametrize("ended", [False, True])
def test_a_group_is_told_by_the_loop_and_by_the_writer_once_the_loop_has_ended(tmp_path: Path, *, ended: bool) -> None:
    with open_store(f"sqlite:///{tmp_path}/db", key_path=tmp_path / "key") as store:
        store.own("B-1").result()
        unit = Append("B-1", 0, name(1), (b"{}",), (), b"{}")

        async def run() -> None:
            store.deliver_on(asyncio.get_running_loop())
            if not ended:
                answer: AppendAnswer = await asyncio.wrap_future(store.append(unit))
                assert isinstance(answer, Appended)

        asyncio.run(run())
        if ended:
            assert isinstance(store.append(unit).result(timeout=30), Appended)
        assert store.answer(name(1)) == Repeated("B-1", 1, b"{}")
