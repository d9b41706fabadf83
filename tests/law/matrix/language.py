"""The language of the cases: a small closed vocabulary, read line by line.  `tests/law/README.md` explains it.

A case begins at the margin with its rules, its door and its law; all of it that follows is indented.  The first line
that ends with a full stop is what the case is about.  Every other line holds steps, parted by semicolons; what must be
seen after the last of them follows an arrow.  A line that begins with an arrow says more of what must be seen.

Words that mean nothing raise `BadCase`, which names the file and the line.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from croupier.games import GAMES
from croupier.law import inventory
from croupier.law.editions import EDITIONS

DOORS: Final = (
    "adjudicate", "table", "page", "odds", "cage", "links", "tournament", "people", "devices", "law",
)  # fmt: skip
ARROW: Final = "->"
READING: Final = "reading."
SPLIT: Final = re.compile(r',\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""A comma and a space, outside double quotes."""
PARTED: Final = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""What parts two steps: a semicolon outside double quotes."""


class BadCase(ValueError):
    """A case that cannot be read, or that did not go as it says."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(f"{place}: {what}")


@dataclass(frozen=True, slots=True)
class Law:
    """Which law a case is played under: `nzd5/midi no_commission reading.banker_six=no`."""

    edition: str
    version: str = ""
    game: str = "baccarat"
    elections: tuple[tuple[str, str], ...] = ()
    readings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        where = "/".join(filter(None, (self.edition, self.version)))
        written = [(name, f'"{value}"' if " " in value else value) for name, value in self.elections]
        chosen = [f"{name}={value}".removesuffix("=yes") for name, value in written]
        read = [f"{READING}{name}={value}" for name, value in self.readings]
        return " ".join([where, *([self.game] if self.game != "baccarat" else []), *chosen, *read])


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that must be seen: a kind of answer, its main word, its figures, the rule it cites.

    `absent`: it must not be seen.  `shows`: the rules whose effect this is although the answer cites another, or none.
    """

    words: tuple[str, ...]
    named: tuple[tuple[str, str], ...] = ()
    rule: str = ""
    shows: tuple[str, ...] = ()
    absent: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Something done: by whom (nobody named: as the sentence says), in which words, and what must be seen."""

    who: str
    words: tuple[str, ...]
    named: tuple[tuple[str, str], ...]
    place: str
    text: str
    seen: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """Rules tried at a door."""

    rules: tuple[str, ...]
    door: str
    laws: tuple[Law, ...]
    place: str
    title: str = ""
    steps: tuple[Step, ...] = field(default=())

    @property
    def shown(self) -> tuple[str, ...]:
        """The rules that something seen is about."""
        seen = [seen for step in self.steps for seen in step.seen]
        return tuple(dict.fromkeys(rule for each in seen for rule in (each.rule, *each.shows) if rule))


def read_folder(folder: Path) -> tuple[Case, ...]:
    """Every case below a folder."""
    return tuple(
        case
        for path in sorted(folder.rglob("*.case"))
        for case in read_cases(path.read_text(encoding="utf-8"), str(path.relative_to(folder)))
    )


def read_cases(text: str, name: str) -> Iterator[Case]:
    """The cases of one file; `name` is how its lines are named in messages."""
    case: Case | None = None
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{name}:{number}"
        words = line.partition(" #")[0].rstrip() if not line.startswith("#") else ""
        if not words:
            continue
        if not words[0].isspace():
            if case is not None:
                yield _checked(case)
            case = _head(words, place)
        elif case is None:
            raise BadCase(place, "this line belongs to no case")
        else:
            case = _line(case, words.strip(), place)
    if case is not None:
        yield _checked(case)


def _checked(case: Case) -> Case:
    """A case that compares something, and for each of several rules its own effect."""
    if not any(step.seen for step in case.steps):
        raise BadCase(case.place, "nothing must be seen in this case")
    missing = [rule for rule in case.rules if rule not in case.shown]
    if len(case.rules) > 1 and missing:
        raise BadCase(case.place, f"nothing that must be seen is about {missing[0]}")
    return case


# ---------------------------------------------------------------- the head of a case


def _head(line: str, place: str) -> Case:
    words = tokens(line.replace(", ", " "), place)
    rules = tuple(_while_rule(words))
    rest = words[len(rules) :]
    if not rules:
        raise BadCase(place, f"a case begins with its rules; {words[0]!r} is none")
    if not rest or rest[0] not in DOORS:
        came = rest[0] if rest else "nothing"
        raise BadCase(place, f"after the rules comes a door ({', '.join(DOORS)}), not {came}")
    unknown = [rule for rule in rules if inventory.find(rule) is None]
    if unknown:
        raise BadCase(place, f"no row of the inventory is {unknown[0]}")
    return Case(rules, rest[0], _laws(rest[1:], place), place)


def _while_rule(words: list[str]) -> Iterator[str]:
    for word in words:
        if not is_rule(word):
            return
        yield word


def is_rule(word: str) -> bool:
    """Whether a word is the number of a rule, as the documents' keys begin."""
    return word.partition("-")[0].lower() in EDITIONS and "-" in word


def _laws(words: list[str], place: str) -> tuple[Law, ...]:
    """One law, or several that differ in the version: `nzd5/mini nzd5/midi no_commission`."""
    named = [word for word in words if word.partition("/")[0] in EDITIONS]
    games = [word for word in words if word in GAMES]
    rest = [word for word in words if word not in named and word not in games]
    if not named or len(games) > 1:
        raise BadCase(place, "after the door comes the edition, and one game at most")
    elections: list[tuple[str, str]] = []
    readings: list[tuple[str, str]] = []
    for word in rest:
        name, _, value = word.partition("=")
        if not re.fullmatch(r"[a-zA-Z_.0-9]+", name):
            raise BadCase(place, f"{word!r} is no election (name, or name=value)")
        (readings if name.startswith(READING) else elections).append((name.removeprefix(READING), value or "yes"))
    game = games[0] if games else "baccarat"
    return tuple(
        Law(edition, version, game, tuple(elections), tuple(readings))
        for edition, _, version in (word.partition("/") for word in named)
    )


# ---------------------------------------------------------------- its lines


def _line(case: Case, line: str, place: str) -> Case:
    done, _, seen = line.partition(ARROW)
    if line.endswith(".") and ARROW not in line:
        if case.steps or case.title:
            raise BadCase(place, "only the first line of a case ends with a full stop")
        return replace(case, title=line)
    steps = [_step(part.strip(), place) for part in PARTED.split(done) if part.strip()]
    if ARROW not in line:
        return replace(case, steps=(*case.steps, *steps))
    before = (*case.steps, *steps)
    if not before:
        raise BadCase(place, "nothing was done before this must be seen")
    more = tuple(_seen(part.strip(), place) for part in SPLIT.split(seen.strip()))
    return replace(case, steps=(*before[:-1], replace(before[-1], seen=(*before[-1].seen, *more))))


def _step(text: str, place: str) -> Step:
    if re.search(r"(?:^|\s):(?:\s|$)", text):
        # A hearing, which its door reads as a whole.
        return Step("", (), (), place, text)
    who, colon, rest = text.partition(": ")
    if not colon or not re.fullmatch(r"[A-Za-z][\w' -]*", who):
        who, rest = "", text
    words, named = words_in(rest, place)
    return Step(who, words, named, place, text)


def _seen(text: str, place: str) -> Seen:
    if not text:
        raise BadCase(place, "nothing follows the arrow or the comma")
    words, named = words_in(text, place)
    absent = words[:1] == ("no",)
    kept = list(words[1:] if absent else words)
    shows: tuple[str, ...] = ()
    if "shows" in kept:
        at = kept.index("shows")
        shows = tuple(kept[at + 1 :])
        kept = kept[:at]
        if not shows or not all(map(is_rule, shows)):
            raise BadCase(place, "after 'shows' come rules")
    rule = kept.pop() if kept and is_rule(kept[-1]) else ""
    unknown = [each for each in (rule, *shows) if each and not inventory.exists(each)]
    if unknown:
        raise BadCase(place, f"no rule {unknown[0]} in the inventory")
    return Seen(tuple(kept), named, rule, shows, absent, text)


def tokens(text: str, place: str) -> list[str]:
    """The words of a text; double quotes keep several together."""
    if '"' not in text:
        return text.split()
    reader = shlex.shlex(text, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.quotes, reader.commenters, reader.escape = True, '"', "", ""
    try:
        return list(reader)
    except ValueError as error:
        raise BadCase(place, f"{text!r}: {error}") from error


def words_in(text: str, place: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Bare words, and those with a name and a value; double quotes keep words together."""
    listed = tokens(text, place)
    named = [(name, value) for name, equals, value in (token.partition("=") for token in listed) if equals]
    bare = [token for token in listed if "=" not in token]
    twice = next((name for name, _ in named if [each for each, _ in named].count(name) > 1), None)
    if twice is not None:
        raise BadCase(place, f"{twice} is told twice in {text!r}")
    return tuple(bare), tuple(named)


def names(cases: Iterable[Case]) -> dict[str, Case]:
    """Cases by a name that does not change with the lines around them: file, first rule, and which case of it."""
    found: dict[str, Case] = {}
    count: Counter[str] = Counter()
    for case in cases:
        name = f"{case.place.partition(':')[0]}:{case.rules[0]}"
        count[name] += 1
        found[f"{name} ({count[name]})" if count[name] > 1 else name] = case
    return found
