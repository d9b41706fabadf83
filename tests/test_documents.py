"""The documents point at what is there: every link leads somewhere, and every picture is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.helpers.places import ROOT

DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def links_of(document: Path) -> list[Path]:
    """Where the links of a document lead within the project."""
    links = LINK.findall(document.read_text(encoding="utf-8"))
    return [(document.parent / each).resolve() for each in links if "://" not in each]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    assert [str(path) for path in links_of(document) if not path.exists()] == []


def test_every_picture_is_shown_and_every_page_is_reached_from_the_first() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += links_of(page) if page.suffix == ".md" else []
    pictures = {path.resolve() for path in (ROOT / "docs" / "screens").iterdir()}
    pages = {path.resolve() for path in DOCUMENTS if "concordance" not in path.parts}
    assert sorted(str(path.relative_to(ROOT)) for path in (pictures | pages) - reached) == []


def test_every_test_that_the_page_on_security_names_is_there() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    files = {each.rpartition("/")[2] for each in re.findall(r"`([\w/]*test_\w+\.py)`", page)}
    assert files - {path.name for path in sources} == set()
    named = set(re.findall(r"`(test_\w+)`", page))
    assert len(named) > 20
    assert {name for name in named if not any(f"def {name}(" in source for source in sources.values())} == set()
