"""The power goes off, the disk fills, a sync fails: nothing acknowledged is lost, and nothing is there twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.floor.store.durable import open_store
from croupier.floor.store.engines import EXIT_FAILED
from croupier.prove.books.lives import Birth, Damage, Heard, Nursery, bear, damage, is_whole, lives, signed_all

KILLS = 20


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    one = Nursery()
    yield one
    one.close()


def birth(tmp_path: Path, **how: object) -> Birth:
    base = {"url": f"sqlite:///{tmp_path}/house.db", "key": str(tmp_path / "key"), "errors": str(tmp_path / "errors")}
    return Birth(**(base | how))  # type: ignore[arg-type]


def found(record: Heard, tmp_path: Path) -> Damage:
    with open_store(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "key") as store:
        signed_all(store)
        return damage(store, record)


def test_a_store_killed_at_any_moment_loses_and_doubles_nothing(nursery: Nursery, tmp_path: Path) -> None:
    record = lives(nursery, birth(tmp_path, seed=7), kills=range(KILLS))
    assert len(record.done) > KILLS
    assert is_whole(found(record, tmp_path))


def test_a_store_that_acknowledges_before_the_commit_is_caught_losing_lines(nursery: Nursery, tmp_path: Path) -> None:
    record = lives(nursery, birth(tmp_path, seed=7, eager=True), kills=range(5))
    lost = found(record, tmp_path)
    assert lost.lost > 0
    assert not is_whole(lost)


def test_a_full_disk_ends_the_process_without_a_false_acknowledgement(nursery: Nursery, tmp_path: Path) -> None:
    nursery.heard = record = Heard()
    child = bear(nursery, birth(tmp_path, file_limit=300_000))
    assert child.wait() == EXIT_FAILED
    assert "the store failed and the process ends" in child.errors().splitlines()[-1]
    assert record.done
    assert is_whole(found(record, tmp_path))


def test_a_failed_sync_ends_the_process_without_a_false_acknowledgement(nursery: Nursery, tmp_path: Path) -> None:
    nursery.heard = record = Heard()
    child = bear(nursery, birth(tmp_path, syncs_fail_after=0.2))
    code = child.wait()
    if "no seccomp" in record.other:
        pytest.skip("THE FAILED SYNC IS NOT TESTED: this kernel has no seccomp filters")
    assert code == EXIT_FAILED
    assert "the store failed and the process ends" in child.errors().splitlines()[-1]
    assert is_whole(found(record, tmp_path))
