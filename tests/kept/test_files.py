"""What is kept on disk is used while it is true, and never a day longer."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from croupier.kept import files as keeping
from croupier.kept.files import kept


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    room = tmp_path / "package" / "room"
    room.mkdir(parents=True)
    (room / "one.py").write_text("1")
    monkeypatch.setattr(keeping, "PACKAGE", tmp_path / "package")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    return room


class Maker:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> bytes:
        self.times += 1
        return b"made %d" % self.times


def _kept(make: Maker) -> bytes:
    return kept("name", made_of=("room",), make=make)


def _file(source: Path) -> Path:
    (file,) = (source.parents[1] / "kept" / "croupier").iterdir()
    return file


def test_it_is_made_once_for_the_same_source(source: Path) -> None:
    make = Maker()
    assert [_kept(make) for _ in range(3)] == [b"made 1"] * 3
    assert _file(source).stat().st_mode & 0o777 == 0o600
    assert _file(source).parent.stat().st_mode & 0o777 == 0o700


def test_a_source_that_changed_came_or_went_makes_it_stale(source: Path) -> None:
    make = Maker()
    _kept(make)
    (source / "one.py").write_text("2 ")
    assert _kept(make) == b"made 2"
    os.utime(source / "one.py", ns=(5, 5))
    assert _kept(make) == b"made 3"
    (source / "two.py").write_text("")
    assert _kept(make) == b"made 4"
    (source / "two.py").unlink()
    assert _kept(make) == b"made 5"
    assert _kept(make) == b"made 5"


@pytest.mark.parametrize("place", [0, -1, -8])
def test_damage_makes_it_stale(source: Path, place: int) -> None:
    make = Maker()
    _kept(make)
    data = bytearray(_file(source).read_bytes())
    data[place] ^= 1
    _file(source).write_bytes(data)
    assert _kept(make) == b"made 2"
    _file(source).write_bytes(b"")
    assert _kept(make) == b"made 3"


def test_what_others_could_have_written_is_not_read(source: Path) -> None:
    make = Maker()
    _kept(make)
    _file(source).chmod(0o622)
    assert _kept(make) == b"made 2"
    _file(source).parent.chmod(0o777)
    assert _kept(make) == b"made 3"


def test_without_a_place_it_is_made_each_time(source: Path) -> None:
    make = Maker()
    _kept(make)
    folder = _file(source).parent
    shutil.rmtree(folder)
    folder.write_text("a file where the folder should be")
    assert [_kept(make), _kept(make)] == [b"made 2", b"made 3"]
