"""Kept machine code is numba's own, loads without it, and is built anew whenever it may not be trusted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from croupier.kept import building, code
from croupier.kept.building import built, linked
from croupier.kept.code import Loops, NotAlone, source

PACKAGE = "tests.kept.loops"
TAKES = {"summing.weighed": "float64/2 float64/1 int64"}
TABLE = np.arange(12.0).reshape(3, 4) / 7


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "croupier"


def _asked(loops: Loops, skip: int = 1) -> list[float]:
    found = np.empty(4)
    loops.functions["summing.weighed"](TABLE, found, skip)
    return [float(each) for each in found]


def _new() -> Loops:
    return Loops(PACKAGE, made_of=(), takes=TAKES)


def _by_numba(skip: int = 1) -> list[float]:
    found = np.empty(4)
    source(PACKAGE, "summing.weighed")(TABLE, found, skip)
    return [float(each) for each in found]


def test_a_block_gives_what_numba_gives(home: Path) -> None:
    loops = _new()
    assert loops.compiling()
    assert _asked(loops) == _by_numba() != _by_numba(2) == _asked(loops, 2)
    assert loops.why_not is None
    assert not loops.compiling()
    assert not _new().compiling(), "kept on disk"
    (file,) = home.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_it_loads_without_the_compiler(home: Path) -> None:
    _asked(_new())
    asking = (
        "import sys; from tests.kept.test_code import _asked, _new; print(_asked(_new()), 'numba' in sys.modules,"
        " 'llvmlite' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{_by_numba()} False False"


def test_damage_another_processor_or_another_compiler_makes_it_stale(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _asked(_new())
    (file,) = home.iterdir()
    whole = file.read_bytes()
    for wrong in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[: len(whole) // 2], b""):
        file.write_bytes(wrong)
        assert _new().compiling()
    assert _asked(_new()) == _by_numba()
    assert file.read_bytes() == whole
    told = code._surroundings(TAKES)
    assert told is not None
    monkeypatch.setattr(code, "_surroundings", lambda takes: f"{told}another {len(takes)}\n")
    assert _new().compiling()


def test_what_others_could_have_written_is_never_run(home: Path) -> None:
    _asked(_new())
    (file,) = home.iterdir()
    file.chmod(0o622)
    assert _new().compiling()
    home.chmod(0o777)
    loops = _new()
    assert loops.compiling()
    assert loops.functions["summing.weighed"] is source(PACKAGE, "summing.weighed"), "numba's, as ever"
    assert _asked(loops) == _by_numba()


def test_without_a_place_it_is_numba_that_answers(home: Path) -> None:
    home.write_text("a file where the folder should be")
    assert _asked(_new()) == _by_numba()


def test_an_array_of_another_kind_is_refused(home: Path) -> None:
    run = _new().functions["summing.weighed"]
    found = np.empty(4)
    for wrong in (TABLE.astype(np.float32), TABLE[0], TABLE[:, ::2], TABLE.T):
        with pytest.raises(TypeError, match="argument 0"):
            run(wrong, found, 1)
    with pytest.raises(ValueError, match="argument"):
        run(TABLE, found)


@pytest.mark.parametrize("name", ["summing.raises", "summing.allocates", "summing.calls"])
def test_code_that_needs_somebody_is_left_to_numba(home: Path, name: str) -> None:
    takes = {name: "float64/1"}
    with pytest.raises(NotAlone, match=r"reference to|built-in function empty"):
        built(PACKAGE, takes)
    loops, found = Loops(PACKAGE, made_of=(), takes=takes), np.array([4.0, 2.5])
    loops.functions[name](found)
    assert loops.why_not is not None
    assert found[0] == 1.5


def test_a_compiler_with_other_insides_is_left_alone_and_a_fault_of_ours_is_not(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "ALONE", {"of_another_release": True})
    loops = _new()
    assert _asked(loops) == _by_numba()
    assert isinstance(loops.why_not, NotAlone)
    monkeypatch.setattr(building, "_compiled", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        _asked(_new())


def test_the_code_of_another_machine_is_not_laid_out() -> None:
    for wrong in (b"\x7fELF\x02\x01" + bytes(60), b"MZ" + bytes(64)):
        with pytest.raises(NotAlone, match="machine"):
            linked(wrong, ())
