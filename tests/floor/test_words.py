"""The catalogues of the player pages: complete in every language, used as they stand, read alike by both readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from croupier.equipment import pocket_colour
from croupier.floor.words import LANGUAGES, Catalogue, MessageNamed, Part, Selection, Variable, catalogue, say

WEB = Path(str(files("croupier") / "web"))
PLAYERS = ("terminal", "board", "lobby")
"""The pages that speak other languages."""
BY_KEY = (
    "game",
    "version",
    "wager",
    "choice",
    "colour",
    "hand",
    "short-hand",
    "box-state",
    "stud-result",
    "running",
    "role",
)
"""Words that are found by the key of a thing (`named("wager", key)`)."""
VOID = {"meta", "link", "input", "br", "use", "path", "rect", "circle"}


def scripts() -> dict[Path, str]:
    folders = (*PLAYERS, "kit")
    return {path: path.read_text(encoding="utf-8") for name in folders for path in sorted((WEB / name).rglob("*.js"))}


def parts_of(parts: list[Part] | tuple[Part, ...] | object) -> Iterator[Part]:
    assert isinstance(parts, list)
    for part in parts:
        yield part
        if isinstance(part, Selection):
            yield Variable(part.name)
            for _, value in part.cases:
                yield from parts_of(value)


def variables(words: Catalogue, name: str) -> set[str]:
    found = set[str]()
    for part in parts_of(words[name]):
        if isinstance(part, Variable):
            found.add(part.name)
        elif isinstance(part, MessageNamed):
            found |= variables(words, part.name)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything_of_the_same_things(language: str) -> None:
    english, words = catalogue("en"), catalogue(language)
    assert list(words) == list(english)
    for name in words:
        assert variables(words, name) <= variables(english, name), name


def test_what_the_scripts_say_is_in_the_catalogue_and_the_catalogue_has_nothing_else() -> None:
    words, asked, begun = catalogue("en"), set[str](), {f"{kind}-" for kind in BY_KEY}
    pages = "".join((WEB / page / "page.html").read_text(encoding="utf-8") for page in PLAYERS)
    for text in (*scripts().values(), pages):
        # Whatever stands between quotes and is a name of the catalogue counts as used; what is asked for must be there.
        asked |= set(re.findall(r'\bt\(\s*"([\w-]+)"', text)) | set(re.findall(r'data-t(?:-label)?="([\w-]+)"', text))
        begun |= set(re.findall(r"\bt\(\s*`([\w-]+-)\$", text))
        asked |= {found for found in re.findall(r'"([a-z][\w-]+)"', text) if found in words}
    assert asked - set(words) == set()
    assert {prefix for prefix in begun if not any(name.startswith(prefix) for name in words)} == set()
    referred = {part.name for name in words for part in parts_of(words[name]) if isinstance(part, MessageNamed)}
    unused = {name for name in words if name not in asked | referred and not name.startswith(tuple(begun))}
    server = (WEB.parent / "floor" / "rooms" / "cage" / "paper.py").read_text(encoding="utf-8")
    assert {name for name in unused if f'"{name}"' not in server} == set()


class Texts(HTMLParser):
    """The texts of a page, each with the message that its element names."""

    def __init__(self) -> None:
        super().__init__()
        self.above: list[dict[str, str | None]] = []
        self.found: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "aria-label" in given:
            self.found.append((given["aria-label"] or "", given.get("data-t-label")))
        if tag not in VOID:
            self.above.append({"tag": tag, **given})

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self.above.pop()

    def handle_data(self, data: str) -> None:
        inside = self.above[-1] if self.above else {}
        if re.search(r"[A-Za-z]{2}", data) and inside.get("tag") not in ("title", "script"):
            self.found.append((data.strip(), inside.get("data-t")))


@pytest.mark.parametrize("page", PLAYERS)
def test_a_text_that_stands_in_a_page_is_that_of_the_catalogue(page: str) -> None:
    read = Texts()
    read.feed((WEB / page / "page.html").read_text(encoding="utf-8"))
    # The name of the product, and the button that a script names at once.
    own = {"croupier", "Light theme"}
    texts = [(text, name) for text, name in read.found if text not in own]
    assert texts
    assert [text for text, name in texts if name is None] == []
    assert [(text, name) for text, name in texts if say(catalogue("en"), str(name)) != text] == []


def test_every_colour_of_a_wheel_has_its_word() -> None:
    for number in range(37):
        assert f"colour-{pocket_colour(number)}" in catalogue("en")


def test_a_message_is_said_by_number_and_by_word() -> None:
    english, chinese = catalogue("en"), catalogue("zh-Hans")
    given = {"word": "hand", "amount": "$5"}
    assert say(english, "session-sum", count=1, **given) == "1 hand, $5 wagered"
    assert say(english, "session-sum", count=2, word="round", amount="$5") == "2 rounds, $5 wagered"
    assert say(chinese, "session-sum", count=2, **given) == "2 局，共下注 $5"
    assert say(english, "win-nothing", word="hand", number=7) == "Nothing on hand 7"
    assert catalogue("xx") == english
