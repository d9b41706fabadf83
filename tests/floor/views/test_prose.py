"""Between rooms go values: no page and no room of the floor takes a sentence apart that another has told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parents[3] / "src" / "croupier"
SENTENCE = r"(?:\b(?:reason|says|story|words|why|message|summary)\b)"
PAGES = (
    rf"/[^/\n]+/[a-z]*\.(?:test|exec)\([^)\n]*{SENTENCE}",
    rf"{SENTENCE}\??\.(?:match|matchAll|search|startsWith|endsWith|includes|split|replace)\(",
)
"""A pattern tried on a sentence, and a sentence that is cut."""
ROOMS = (
    rf"re\.(?:match|search|fullmatch|sub|split|findall)\([^)\n]*\.{SENTENCE}",
    rf"\.{SENTENCE}\.(?:partition|split|startswith|endswith|removeprefix|removesuffix|find)\(",
    r"say(?:_event)?\([^()\n]*\)\.(?:partition|split|startswith|endswith|removeprefix|removesuffix|find)\(",
)


def cut(text: str, patterns: tuple[str, ...]) -> list[str]:
    return [line.strip() for line in text.splitlines() if any(re.search(pattern, line) for pattern in patterns)]


def sources(folder: str, ending: str) -> list[Path]:
    found = sorted((HERE / folder).rglob(f"*{ending}"))
    assert found
    return found


def test_no_page_takes_a_sentence_apart() -> None:
    found = {str(path.relative_to(HERE)): cut(path.read_text("utf-8"), PAGES) for path in sources("web", ".js")}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_no_room_of_the_floor_takes_a_sentence_apart() -> None:
    found = {str(path.relative_to(HERE)): cut(path.read_text("utf-8"), ROOMS) for path in sources("floor", ".py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("line", "patterns"),
    [
        ("const found = /^(.*), ordered by the /.exec(each.words);", PAGES),
        ('if (told.reason.startsWith("paid already")) return;', PAGES),
        ('const [name] = each.says.split(": ");', PAGES),
        ('if event.reason.startswith("dispute"):', ROOMS),
        ('say(table.due).removeprefix("deal ")', ROOMS),
    ],
)
def test_a_sentence_that_is_taken_apart_is_noticed(line: str, patterns: tuple[str, ...]) -> None:
    assert cut(line, patterns) == [line]
