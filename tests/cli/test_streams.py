"""A command whose streams are closed, full or taken away: one sentence where it can be heard, and the exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SETTLE = ("settle", "nz1998 banker 100: 2h 3d Kc Qs 8h")
LONG = ("rules", "irregularities", "baccarat")


def shell(words: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell runs it, with its streams as the words say."""
    command = ["sh", "-c", f'exec "$@" {words}', "sh", sys.executable, "-m", "croupier", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("words", "arguments", "code"), [(">&-", SETTLE, 0), ("2>&-", ("settle", "x"), 2)])
def test_whoever_closed_a_stream_gets_the_exit_code(words: str, arguments: tuple[str, ...], code: int) -> None:
    done = shell(words, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


@pytest.mark.parametrize("command", ["settle", "adjudicate", "score"])
def test_nothing_is_read_from_a_closed_stdin(command: str) -> None:
    done = shell("<&-", command, "-")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "stdin: it is closed" in done.stderr


@pytest.mark.parametrize("arguments", [SETTLE, (*SETTLE, "--json"), LONG, (*LONG, "--json"), ("--help",)])
def test_an_answer_for_which_there_is_no_room_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    done = shell(">/dev/full", *arguments)
    assert done.returncode == 2
    assert done.stderr == "croupier: stdout: No space left on device\n"


def test_a_complaint_for_which_there_is_no_room_leaves_the_exit_code() -> None:
    assert shell("2>/dev/full", "settle", "x").returncode == 2


def test_a_file_for_which_there_is_no_room_is_named() -> None:
    done = shell("", "odds", "roulette", "--edition", "nz1996", "--csv", "/dev/full")
    assert (done.returncode, done.stderr) == (2, "croupier: /dev/full: No space left on device\n")


def test_an_export_is_read_from_stdin_too(tmp_path: Path) -> None:
    broken = tmp_path / "export"
    broken.write_text('{"format":1}\n')
    done = shell(f"<{broken}", "score", "-")
    assert (done.returncode, done.stderr) == (2, "croupier: stdin: no export: it has 1 lines\n")


def test_a_key_of_the_feed_is_told_as_json() -> None:
    told = json.loads(shell("", "feed-key", "bonus", "--json").stdout)
    assert told["name"] == "bonus"
    assert told["settings"]["feed"].startswith('readers = {"bonus" = "')
