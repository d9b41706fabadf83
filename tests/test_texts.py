"""Where the core takes a text apart stands in `docs/design-notes.md`, with the reason; nowhere else does it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.helpers.places import DOCS, ROOT

CORE = ("law", "game", "games", "journal", "table", "house", "answers", "ceremony.py", "round.py", "floor/views")
CUTS = {"startswith", "endswith", "split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix"}
TABLE = re.compile(r"^## What text is read, and where$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def cuts(source: str) -> bool:
    """Whether code takes a text apart or tries a pattern on it; a split at spaces only tidies what was typed."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            spaces = node.func.attr == "split" and not node.args
            of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            if of_re or (node.func.attr in CUTS and not spaces):
                return True
    return False


def read_there() -> set[str]:
    """The modules of the core that do."""
    package = ROOT / "src" / "croupier"
    found: list[Path] = [path for name in CORE for path in sorted((package / name).rglob("*.py"))]
    found += [package / name for name in CORE if name.endswith(".py")]
    return {str(path.relative_to(package)) for path in found if cuts(path.read_text(encoding="utf-8"))}


def test_every_module_of_the_core_that_takes_a_text_apart_is_listed_with_its_reason() -> None:
    section = TABLE.search((DOCS / "design-notes.md").read_text(encoding="utf-8"))
    assert section
    rows = [line.split("|")[1:4] for line in section[1].splitlines() if line.startswith("| `")]
    assert all(what.strip() and why.strip() for _, what, why in rows)
    listed = {module for modules, _, _ in rows for module in re.findall(r"`([\w/]+\.py)`", modules)}
    assert listed == read_there()


@pytest.mark.parametrize("source", ['option.startswith("decline")', 'word.partition(" ")', 're.match("x", "y")'])
def test_a_text_that_is_taken_apart_is_noticed(source: str) -> None:
    assert cuts(source)


@pytest.mark.parametrize("source", ['" ".join(name.split())', "option in DECLINING"])
def test_what_is_only_tidied_or_looked_up_is_not(source: str) -> None:
    assert not cuts(source)
