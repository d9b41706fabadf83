"""The first day as its page tells it: every command marked `$` is run, over HTTPS, from nothing to a settled hand."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from croupier.cli import app as cli
from croupier.floor.audit.export import verify_export
from tests.helpers.places import DOCS, ROOT

PAGE = (DOCS / "first-day.md").read_text(encoding="utf-8")
ROOTS = ("apt-get", "adduser", "chmod", "git", "make", "ln", "cp", "systemctl")
"""What only root does, and no test."""


def commands(folder: Path, port: int) -> list[str]:
    """The commands of the page, for a house in another folder and on another port."""
    lines = re.findall(r"^    \$ (.*)$", PAGE, re.MULTILINE)
    words = {
        "/srv/croupier": str(folder),
        "8700": str(port),
        "/opt/croupier/.venv/bin/python": sys.executable,
        "/opt/croupier": str(ROOT),
    }
    for old, new in words.items():
        lines = [each.replace(old, new) for each in lines]
    return [re.sub(r"^croupier ", f"{sys.executable} -m croupier ", each) for each in lines]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def walked(folder: Path) -> Iterator[dict[str, str]]:
    """Every command in order, with what it told; the house runs until the end."""
    environment = {**os.environ, "CROUPIER_ARGON2": "1,64,1"}
    port, outputs, serving = free_port(), dict[str, str](), None
    try:
        for line in commands(folder, port):
            if line.endswith("&"):
                words = shlex.split(line.removesuffix("&"))
                serving = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
                continue
            done = subprocess.run(line, shell=True, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, (line, done.stdout, done.stderr)
            outputs[line] = done.stdout
        yield outputs
    finally:
        if serving is not None:
            serving.send_signal(signal.SIGTERM)
            serving.wait(60)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("first") / "day"
    folder.mkdir(mode=0o700)
    with walked(folder) as outputs:
        yield folder, outputs


def test_the_page_leads_from_nothing_to_a_settled_hand(house: tuple[Path, dict[str, str]]) -> None:
    folder, outputs = house
    first = next(text for line, text in outputs.items() if "first_hand.py" in line)
    assert "The coup is settled: [15000, 8000]" in first
    assert "the cage pays its voucher" in first
    with sqlite3.connect(f"file:{folder}/house.db?mode=ro", uri=True) as database:
        lines = [json.loads(body) for (body,) in database.execute("SELECT body FROM journal WHERE table_name='EB-1'")]
        paid = database.execute("SELECT cents FROM ledger WHERE table_name='@cage' AND debit='vouchers'").fetchall()
    settled = [line["event"] for line in lines if line["event"]["type"] == "WagerSettled"]
    assert [(each["player"], each["result"], each.get("pays", 0)) for each in settled] == [
        ("Terminal 1", "won", 5000), ("Terminal 2", "lost", 0),
    ]  # fmt: skip
    assert paid == [(15_000,)]
    assert {line["by"] for line in lines} >= {"Sue", "Dan", "Terminal 1", "Terminal 2"}
    assert not (folder / "first-day.json").exists()


def test_its_backup_is_restored_elsewhere_and_verified(house: tuple[Path, dict[str, str]]) -> None:
    drilled = next(text for line, text in house[1].items() if "drill restore" in line)
    assert re.search(r"in order: \d+ lines of \d journals, 2 settlements\n", drilled)
    verified = next(text for line, text in house[1].items() if "croupier verify" in line)
    assert "no fault" in verified


def test_it_answers_under_https_and_nothing_else(house: tuple[Path, dict[str, str]]) -> None:
    folder, _ = house
    port = re.search(r"^port = (\d+)$", (folder / "house.toml").read_text(), re.MULTILINE)
    assert port is not None
    trusted = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    with urlopen(f"https://127.0.0.1:{port[1]}/health", context=trusted, timeout=30) as answer:
        assert json.load(answer)["alive"]
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        urlopen(f"https://127.0.0.1:{port[1]}/health", context=ssl.create_default_context(), timeout=30)
    with pytest.raises(OSError):  # noqa: PT011
        urlopen(f"http://127.0.0.1:{port[1]}/health", timeout=30)


def test_only_what_needs_root_is_not_run() -> None:
    assert {line.split()[0] for line in re.findall(r"^    # (.*)$", PAGE, re.MULTILINE)} <= {*ROOTS}


# ---------------------------------------------------------------- drills, on a copy of that house


@pytest.fixture
def stopped(house: tuple[Path, dict[str, str]], tmp_path: Path) -> Path:
    """The house of the first day as it is on the disk, taken while it ran, with settings of its own."""
    folder = tmp_path / "copy"
    shutil.copytree(house[0], folder)
    settings = folder / "house.toml"
    settings.write_text(settings.read_text().replace(str(house[0]), str(folder)))
    for each in (folder / "house.db-wal", folder / "house.db-shm", folder / "house.db"):
        each.unlink(missing_ok=True)
    with sqlite3.connect(f"file:{house[0]}/house.db?mode=ro", uri=True) as database:
        copy = sqlite3.connect(folder / "house.db")
        database.backup(copy)
        copy.close()
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = cli.run(words)
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_a_dead_machine_is_taken_over_and_what_is_lost_is_told(
    stopped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, backup = f"{stopped}/keys/house.key", f"{stopped}/now.backup"
    assert run(capsys, "backup", backup, "--db", f"sqlite:///{stopped}/house.db")[0] == 0
    code, output = run(capsys, "drill", "takeover", backup, "--db", f"sqlite:///{tmp_path}/new.db", "--key", key)
    assert (code, "nothing is lost" in output) == (0, True), output
    # The backup of before the voucher is behind what was witnessed, and says by how much.
    old = f"{stopped}/first.backup"
    with sqlite3.connect(stopped / "house.db") as database:
        database.execute("DELETE FROM head WHERE table_name = '@cage'")
        database.execute("DELETE FROM journal WHERE table_name = '@cage'")
    assert run(capsys, "backup", f"{old}.less", "--db", f"sqlite:///{stopped}/house.db")[0] == 0
    code, output = run(
        capsys, "drill", "takeover", f"{old}.less", "--db", f"sqlite:///{tmp_path}/older.db", "--key", key
    )
    assert (code, "lines of @cage" in output) == (1, True), output


def test_a_key_is_replaced_and_what_the_old_one_signed_stays_good(
    stopped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = stopped / "keys" / "new.key"
    code, output = run(capsys, "drill", "replace-key", f"{stopped}/house.toml", str(new))
    assert code == 0, output
    db = f"sqlite:///{stopped}/house.db"
    assert run(capsys, "verify", "--db", db, "--key", str(new))[0] == 0
    # The old key is not enough any more, and one that was never here is nothing.
    assert run(capsys, "verify", "--db", db, "--key", f"{stopped}/keys/house.key")[0] == 1
    settings = stopped / "house.toml"
    settings.write_text(settings.read_text().replace("keys/house.key", "keys/new.key"))
    assert "bad" not in {line.split()[0] for line in run(capsys, "doctor", str(settings))[1].splitlines()}
    (stopped / "keys" / "new.key.trusted").unlink()
    assert run(capsys, "verify", "--db", db, "--key", str(new))[0] == 1


def test_a_house_is_closed_for_ever_and_its_books_are_readable(
    stopped: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("drill", "close", f"{stopped}/house.toml", f"{stopped}/books", "--by", "Mia")
    assert "--for-ever" in run(capsys, *words)[1]
    code, output = run(capsys, *words, "--for-ever")
    assert (code, "shift" in output) == (2, True), output
    with sqlite3.connect(stopped / "house.db") as database:  # a house whose cage was never opened
        for table in ("head", "journal", "ledger", "command"):
            database.execute(f"DELETE FROM {table} WHERE table_name = '@cage'")
    for heads in (stopped / "keys").glob("*.heads"):
        heads.write_bytes(b"\n".join(line for line in heads.read_bytes().split(b"\n") if b"@cage" not in line))
    code, output = run(capsys, *words, "--for-ever")
    assert code == 0, output
    books = json.loads((stopped / "books" / "books.json").read_text())
    for each in books["journals"]:
        found = verify_export(stopped / "books" / each["file"], books["key"])
        assert (found.found.fault, found.trusted, found.found.lines) == ("", True, each["lines"])
    rows = (stopped / "books" / "ledger.csv").read_text().splitlines()
    assert rows[0] == "journal,line,debit,credit,cents,rule"
    assert len(rows) == books["rows"] + 1 > 5
    code, output = run(capsys, "serve", "--config", f"{stopped}/house.toml", "--port", "0")
    assert (code, "closed for ever" in output) == (2, True), output
