"""A snapshot is a short cut: it leads to the very table that the journal leads to, or it is not used."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.floor.store import snapshots
from croupier.floor.store.snapshots import packed, unpacked
from croupier.law.ruleset import Ruleset
from croupier.prove.table_driver import Driver
from croupier.rulesets import every_ruleset, known_game
from croupier.table.evolve import after
from croupier.table.state import new_table, snapshot


@pytest.mark.parametrize(
    "rules", list(every_ruleset()), ids=lambda rules: f"{rules.game} {rules.edition} {rules.version}"
)
def test_a_table_goes_on_from_a_snapshot_as_from_its_journal(rules: Ruleset[Any]) -> None:
    game = known_game(rules.game)
    driver = Driver(game, rules, Random(7))
    while driver.requests < 150:
        driver.step()
    taken = driver.table
    read = unpacked(packed(taken), new_table("proof", game, rules))
    assert read is not None
    assert snapshot(read) == snapshot(taken)
    seen = len(driver.journal)
    while driver.requests < 220:
        driver.step()
    assert snapshot(after(read, driver.journal[seen:])) == snapshot(driver.table)


def test_a_snapshot_of_another_program_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = next(iter(every_ruleset()))
    table = new_table("proof", known_game(rules.game), rules)
    body = packed(table)
    monkeypatch.setattr(snapshots, "program", lambda: b"another program of this kind here")
    assert unpacked(body, table) is None


def test_nothing_else_than_a_table_is_read_from_a_snapshot(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rules = next(iter(every_ruleset()))
    table = new_table("proof", known_game(rules.game), rules)
    assert unpacked(snapshots.program() + pickle.dumps("something"), table) is None
    # What is no part of a table is not even called: the snapshot counts as damaged, and the house still starts.
    touched = tmp_path / "touched"
    call = f"cposix\nsystem\n(S'touch {touched}'\ntR.".encode()
    pickle.loads(call)
    assert touched.exists(), "this is what a call would do"
    touched.unlink()
    assert unpacked(snapshots.program() + call, table) is None
    assert not touched.exists()
    assert "the journal is read from its first line" in caplog.text
