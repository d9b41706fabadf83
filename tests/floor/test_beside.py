"""One honest table beside whoever wants to stop the house; how long it waits is measured by `benchmarks.beside`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.beside import measured, slowest
from benchmarks.beside_attacks import ATTACKS

from croupier.floor.audit.verify import verify


def test_an_honest_table_loses_nothing_beside_attacks_and_a_kill(tmp_path: Path) -> None:
    """Every sale that was answered is there once after the kill; the log says what happened, and no traceback."""
    found = measured(tmp_path, seconds=1.5, silent_lines=1_500, apart=False)
    assert set(found) == {"quiet", *ATTACKS}
    log = (tmp_path / "log").read_text()
    assert "connections were turned away" in log
    assert "lines were closed" in log
    assert "Traceback" not in log
    assert verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key").fault == ""


def test_the_slowest_in_a_hundred() -> None:
    assert slowest([float(each) for each in range(100)]) == 99.0
    assert slowest([1.0, 2.0]) == 2.0
    assert slowest([float(each) for each in range(1_000)]) == 990.0
