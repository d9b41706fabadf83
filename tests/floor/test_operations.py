"""Keeping a house going: settings, logs, metrics, snapshots, and stopping between rounds."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from croupier.cli import app as cli
from croupier.floor.logs import Json, Plain
from croupier.floor.settings import (
    BadSettings,
    CageSettings,
    FeedSettings,
    LinkSettings,
    PeopleSettings,
    Server,
    Settings,
    SignificantSettings,
    Storage,
    TableSettings,
    WebhookSettings,
    explained,
    read_settings,
)
from croupier.floor.store.durable import open_reader
from tests.floor.keeping.test_house import Terminal, enter
from tests.helpers.houses.served import SCHEME, served

TABLES = """
[[tables]]
name = "B-9"
game = "baccarat"
edition = "nz1998"
minimum = 500
maximum = 100000
supervisor = "Sue"
"""


# ---------------------------------------------------------------- settings


def test_the_explained_file_is_what_is_usual(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(("settings",)) == 0
    text = capsys.readouterr().out
    assert text == explained()
    (tmp_path / "house.toml").write_text(text)
    assert read_settings(tmp_path / "house.toml") == Settings()


def test_every_value_is_explained() -> None:
    named = [line for line in explained().splitlines() if re.match(r"(# )*[a-z_0-9]+ =", line)]
    parts = (
        Server,
        Storage,
        PeopleSettings,
        CageSettings,
        TableSettings,
        LinkSettings,
        FeedSettings,
        SignificantSettings,
        WebhookSettings,
    )
    assert len(named) == sum(len(part.__struct_fields__) for part in parts)
    lines = explained().splitlines()
    for line in named:
        assert lines[lines.index(line) - 1].lstrip("# ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("server = 3", "Expected `object`, got `int` - at `$.server`"),
        ("[server]\nport = 65536", "Expected `int` <= 65535 - at `$.server.port`"),
        ("[server]\nport = -1", "Expected `int` >= 0 - at `$.server.port`"),
        ("[server]\nlog = 'loud'", "$.server.log"),
        ("[srever]", "unknown field `srever`"),
        ("[store]\nlease_seconds = 0", "$.store.lease_seconds"),
        ("not toml", "not TOML"),
        (TABLES + TABLES, "two tables are called 'B-9'"),
        (TABLES.replace("B-9", "@cage"), "the house's own journals"),
        (TABLES.replace("maximum = 100000", ""), "missing required field `maximum`"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(BadSettings) as caught:
        read_settings(path)
    assert str(path) in str(caught.value)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TABLES.replace("nz1998", "nz1887"), "table B-9"),
        (TABLES.replace("baccarat", "poker"), "table B-9"),
        (TABLES + "elections = {no_commission = true}\n", "table B-9"),
    ],
)
def test_a_table_that_no_law_knows_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    (tmp_path / "house.toml").write_text(text)
    words = ("serve", "--config", str(tmp_path / "house.toml"), "--db", f"sqlite:///{tmp_path}/db", "--key", "k")
    assert cli.run(words) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "db").exists()


# ---------------------------------------------------------------- logs and metrics


def line_of(formatter: logging.Formatter) -> str:
    record = logging.makeLogRecord(
        {
            "name": "croupier.floor.keeping.house",
            "levelno": 30,
            "levelname": "WARNING",
            "msg": "%s stays closed",
            "args": ("B-9",),
        }
        | {"created": 0.0, "table": "B-9"}
    )
    return formatter.format(record)


def test_a_line_of_the_log_is_for_people_or_for_machines() -> None:
    assert line_of(Plain()) == "1970-01-01T00:00:00.000Z warning floor.keeping.house: B-9 stays closed  table=B-9"
    assert json.loads(line_of(Json())) == {
        "at": "1970-01-01T00:00:00.000Z",
        "level": "warning",
        "from": "croupier.floor.keeping.house",
        "says": "B-9 stays closed",
        "table": "B-9",
    }


# ---------------------------------------------------------------- a running house


def started(folder: Path, *words: str, tables: str = TABLES) -> subprocess.Popen[str]:
    """A house with accounts and one table of its own, with everything it says in one place."""
    (folder / "house.toml").write_text(
        f'[server]\nport = 0\nlog = "json"\ngrace_seconds = 20.0\n'
        f'[store]\nurl = "sqlite:///{folder}/house.db"\nkey = "{folder}/house.key"\n'
        f"[people]\nargon2_passes = 1\nargon2_memory_kib = 8\nargon2_lanes = 1\n{tables}"
    )
    command = [sys.executable, "-m", "croupier", "serve", "--config", str(folder / "house.toml"), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if SCHEME in line:
            return SCHEME + line.split(SCHEME, 1)[1].split()[0]
    raise AssertionError(process.communicate()[1])


def test_a_house_starts_clean_from_its_settings_and_stops_when_asked(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        try:
            address = address_of(process)
            (table,) = httpx.get(f"{address}/api/tables", timeout=30).json()["tables"]
            assert (table["name"], table["edition"], table["practice"]) == ("B-9", "nz1998", False)
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 0
    assert out.endswith("Stopped.\n")
    said = [json.loads(line)["says"] for line in err.splitlines()]
    assert any("rounds in hand" in words for words in said)


def test_the_example_of_the_settings_opens_a_table_without_its_comment_signs(tmp_path: Path) -> None:
    """The table and its link as `croupier settings` prints them; the table is open, and its link has its pool."""
    examples = explained()[explained().index("# [[tables]]") : explained().index("# [[webhooks]]")]
    bare = "\n".join(line.removeprefix("# ") for line in examples.splitlines())
    with started(tmp_path, tables=bare) as process:
        try:
            address = address_of(process)
            (table,) = httpx.get(f"{address}/api/tables", timeout=30).json()["tables"]
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (table["name"], table["edition"], table["practice"]) == ("S-1", "nz1996", False)
    assert "stays closed" not in err
    with open_reader(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "house.key") as store:
        assert store.last("S-1")[0] > 0


def test_the_metrics_count_what_was_asked(tmp_path: Path) -> None:
    with served(tmp_path) as (address, _):

        async def asked() -> None:
            async with Terminal(address, enter(address, "Dot", "dealer", "B-4"), "B-4") as dot:
                assert (await dot.do({"type": "ShowRules"}))["done"]
                assert not (await dot.do({"type": "CloseTable"}))["done"]

        asyncio.run(asked())
        text = httpx.get(f"{address}/metrics").text
    found = dict(re.findall(r"^(croupier_\S+) (\S+)$", text, re.MULTILINE))
    assert found['croupier_commands_total{result="done"}'] == "1.0"
    assert found['croupier_commands_total{result="refused"}'] == "1.0"
    assert found["croupier_command_seconds_count"] == "2.0"
    assert float(found['croupier_journal_lines{journal="EB-1"}']) > 0


def test_a_stopped_house_leaves_a_snapshot_and_starts_from_it(tmp_path: Path) -> None:
    with served(tmp_path) as (address, process):

        async def played() -> None:
            async with Terminal(address, enter(address, "Ina", "inspector")) as ina:
                await ina.until(lambda view: view["history"])

        asyncio.run(played())
        process.terminate()
        process.wait(30)
    with open_reader(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "house.key") as store:
        kept = store.snapshot("EB-1")
        assert kept is not None
        assert kept.number == store.last("EB-1")[0]
    with served(tmp_path) as (address, _):

        async def seen() -> None:
            async with Terminal(address, enter(address, "Ina", "inspector")) as ina:
                await ina.hear()
                assert ina.view["history"]
                before = ina.view["round"]
                await ina.until(lambda view: view["round"] > before)

        asyncio.run(seen())
