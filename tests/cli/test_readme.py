"""What the README shows is what is told; and `make run` begins with the story that it shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.houses.served import SCHEME
from tests.helpers.places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CASE = "src/croupier/floor/practice/first_case.json"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "croupier", *words]
    return subprocess.run(line, check=False, capture_output=True, text=True, encoding="utf-8", cwd=ROOT)


def shown() -> list[list[str]]:
    """The commands of the README with the lines that it shows of their answers."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    return [part.splitlines() for block in blocks for part in block.split("$ ")[1:]]


@pytest.mark.parametrize("lines", shown(), ids=lambda lines: lines[0])
def test_the_readme_shows_true_outputs(lines: list[str]) -> None:
    result = run(*shlex.split(lines[0])[1:])
    assert result.returncode == 0, result.stderr
    assert set(map(words, lines[1:])) <= set(map(words, result.stdout.splitlines()))


def test_the_demonstration_tells_first_what_adjudicate_tells_of_the_case(tmp_path: Path) -> None:
    """The card that fell on the wrong hand is the Banker's, by NZD5-12.1a; the Player wins by 6 to 4."""
    printed = run("adjudicate", CASE).stdout
    assert "reassign by dealer (NZD5-12.1a)" in printed
    assert "winner: player, player: 6, banker: 4" in printed
    command = [sys.executable, "-m", "croupier", "serve", "--demo", "--port", "0", "--db", f"sqlite:///{tmp_path}/h.db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        greeting = ""
        for line in process.stdout:
            if SCHEME in line:
                break
            greeting += line
        process.terminate()
    assert printed.strip() in greeting


def test_the_readme_shows_true_source() -> None:
    lines = re.search(r"```python\n( {8}decks=.*?)```", README, re.DOTALL)
    assert lines is not None
    source = (ROOT / "src/croupier/games/baccarat/editions.py").read_text(encoding="utf-8")
    body = source.partition("def nz1998(")[2].partition("\ndef ")[0].splitlines()
    assert set(lines.group(1).splitlines()) <= set(body)
    for path in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file(), path


def words(line: str) -> str:
    return " ".join(line.split())
