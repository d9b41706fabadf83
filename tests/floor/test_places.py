"""Where the key of a house lies if nobody says where, and that the commands which need it look there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli import app as cli
from croupier.floor.places import data_folder, key_for
from croupier.floor.store.durable import open_store
from croupier.floor.store.engines import BadStore


def test_the_key_lies_beside_a_file_and_never_in_it(tmp_path: Path) -> None:
    assert key_for(f"sqlite:///{tmp_path}/a.db") == tmp_path / "a.db.key"
    (tmp_path / "other.db").symlink_to(tmp_path / "a.db")
    assert key_for(f"sqlite:///{tmp_path}/other.db") == tmp_path / "a.db.key"
    assert key_for(f"sqlite:///{tmp_path}/a.db", "elsewhere") == Path("elsewhere")
    for bad in ("a.db", "sqlite://", "mysql://host/name"):
        with pytest.raises(BadStore):
            key_for(bad)


def test_each_database_of_a_server_has_its_own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    urls = [f"postgresql://{who}host{port}/{name}" for who in ("", "ann:x@") for port in ("", ":1") for name in "ab"]
    keys = [key_for(url) for url in urls]
    assert {key.parent for key in keys} == {data_folder()} == {tmp_path / "croupier"}
    # Who asks makes no difference; which database does.
    assert (keys[:4], len(set(keys))) == (keys[4:], 4)


def test_a_house_is_verified_by_its_database_alone_and_without_its_key_by_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    with open_store(url, key_path=key_for(url)) as store:
        store.own("@cage").result()
    assert cli.run(["verify", "--db", url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fault"] == ""
    key_for(url).rename(tmp_path / "moved")
    assert cli.run(["verify", "--db", url]) == 2
    assert f"no key in {tmp_path}/a.db.key" in capsys.readouterr().err
    assert cli.run(["verify", "--db", url, "--key", str(tmp_path / "moved")]) == 0


def test_people_are_kept_with_the_usual_key(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    line = [sys.executable, "-m", "croupier", "people", "add", "Ann", "--db", url, "--role", "dealer", "--json"]
    done = subprocess.run(
        line, check=False, capture_output=True, text=True, env={**os.environ, "CROUPIER_ARGON2": "1,8,1"}
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.db.key").stat().st_mode & 0o077 == 0
