"""The words of pages that the server writes itself, in the language that was asked for.

The catalogues are those of the pages (`web/words/*.ftl`), written in Fluent.  This reads the same part of it as
`web/kit/words.js`: messages, values of several lines, comments, variables, quoted text, references to other messages,
and selection by plural category, number or word.  Of the languages here only English has a singular of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

LANGUAGES: Final = ("en", "zh-Hans", "zh-Hant", "mi")
_MESSAGE: Final = re.compile(r"([a-zA-Z][\w-]*) *= *(.*)", re.DOTALL)
_PLACEABLE: Final = re.compile(r'\s*(?:"([^"]*)"|\$([\w-]+)|([a-zA-Z][\w-]*))\s*(->)?\s*')
_CASE: Final = re.compile(r"\s*(\*?)\[\s*([\w-]+)\s*\] *")


@dataclass(frozen=True, slots=True)
class Variable:
    name: str


@dataclass(frozen=True, slots=True)
class MessageNamed:
    name: str


@dataclass(slots=True)
class Selection:
    name: str
    cases: list[tuple[str, list[Part]]] = field(default_factory=list)
    other: list[Part] = field(default_factory=list)


Part: TypeAlias = str | Variable | MessageNamed | Selection
Catalogue: TypeAlias = Mapping[str, Sequence[Part]]


@cache
def catalogue(language: str) -> Catalogue:
    """The words of a language; one that is not known is English."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    return read_catalogue((files("croupier") / "web" / "words" / f"{known.lower()}.ftl").read_text(encoding="utf-8"))


def read_catalogue(text: str) -> dict[str, list[Part]]:
    found = (_MESSAGE.fullmatch(block.rstrip()) for block in re.split(r"\n(?=\S)", text))
    return {each[1]: _Reader(re.sub(r"\s*\n\s*", "\n", each[2])).pattern() for each in found if each}


def say(words: Catalogue, name: str, /, **given: str | int) -> str:
    """A message in words; a name that the catalogue does not have is a fault of ours."""
    return "".join(_said(words, part, given) for part in words[name])


def _said(words: Catalogue, part: Part, given: Mapping[str, str | int]) -> str:
    match part:
        case str():
            return part
        case Variable(name):
            return str(given.get(name, ""))
        case MessageNamed(name):
            return say(words, name, **given)
        case Selection(name, cases, other):
            value = given.get(name, "")
            kinds = (str(value), "one" if value == 1 else "other") if isinstance(value, int) else (value,)
            chosen = next((case for key, case in cases if key in kinds), other)
            return "".join(_said(words, each, given) for each in chosen)


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0

    def pattern(self, *, in_case: bool = False) -> list[Part]:
        """A value up to its end, or to what ends a case."""
        parts: list[Part] = []
        plain = ""
        while self.at < len(self.text):
            here = self.text[self.at]
            if here == "}" or (in_case and re.match(r"\n(\*?\[|\})", self.text[self.at :])):
                break
            self.at += 1
            if here == "{":
                parts += [plain, self._placeable()]
                plain = ""
            else:
                plain += " " if here == "\n" else here
        return [part for part in (*parts, plain) if part != ""]

    def _placeable(self) -> Part:
        found = _PLACEABLE.match(self.text, self.at)
        if found is None:
            raise ValueError(f"not a placeable: {self.text[self.at : self.at + 40]!r}")
        self.at = found.end()
        quoted, variable, message, arrow = found.groups()
        if arrow:
            return self._selection(variable)
        self.at += 1
        return Variable(variable) if variable else MessageNamed(message) if message else quoted

    def _selection(self, name: str) -> Selection:
        made = Selection(name)
        while case := _CASE.match(self.text, self.at):
            self.at = case.end()
            value = self.pattern(in_case=True)
            made.cases.append((case[2], value))
            if case[1]:
                made.other = value
        self.at = self.text.index("}", self.at) + 1
        return made
