"""Every rule of the five documents, as rows that can be looked up.

Theory of operation.  `inventory/<edition>.csv` holds one row for each rule, in the order of the document and in our own
words.  A row is read once and kept.  Its id is the edition's prefix, for nz1996 the division, then the printed number:
`NZ1996-V-9.4`, `NZD5-5.10b`.  A printed rule that holds several obligations may be split into sentence parts, `.s1`,
`.s2` (`-s2` in nz1996); its plain number is then a parent, which can be cited although it may have no row of its own.

Laws cite ids exactly: `exists` is strict about spelling.  People type ids by hand: `find` is lenient.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, final

from croupier.once import dataclass

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.present import Rows

PREFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {"nz1996": "NZ1996", "nz1998": "NZ1998", "nzd5": "NZD5", "nzeb": "NZEB", "vic2002": "VIC2002"}
)
KEYS: Final[Mapping[str, str]] = MappingProxyType({prefix: key for key, prefix in PREFIXES.items()})
DIVISIONS: Final = ("N", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")

# What software must do something about; the remaining kind, `describe`, only explains.
ACTIONABLE: Final = frozenset({"enforce", "compute", "record", "guide"})

_SENTENCE: Final = re.compile(r"[.-]s\d+$")
_SECTION: Final = re.compile(r"[0-9]+[A-Z]?|[A-Za-z]+")
_TOKEN: Final = re.compile(r"([^0-9A-Za-z]*)([0-9]+|[A-Za-z]+)")

SortKey = tuple[tuple[int, int, str], ...]


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """One row: what a rule says, and what software must do about it."""

    edition: str
    id: str
    topic: str
    kind: str
    summary: str
    software: str
    parameters: str
    depends: tuple[str, ...]
    test_idea: str
    note: str

    def __repr__(self) -> str:
        # Only here, because `croupier rules show` reads rules and must not wait for what it does not need.
        from croupier.present import short

        return short("Rule", id=self.id, topic=self.topic, summary=self.summary)

    def to_dict(self) -> dict[str, Any]:
        """The row as it is written, each part by its name."""
        return asdict(self)

    def rows(self) -> Rows:
        """What there is to say of the rule, a part a row."""
        named = {**self.to_dict(), "depends": ", ".join(self.depends)}
        return [{"part": name, "says": text} for name, text in named.items() if text]

    def __rich__(self) -> Table:
        from croupier.present import drawn

        return drawn(self.rows(), self.id)

    def _repr_html_(self) -> str:
        from croupier.present import html_table

        return html_table(self.rows(), self.id)


@cache
def rules(edition: str) -> tuple[Rule, ...]:
    """The rows of one edition, in the order of the document."""
    if edition not in PREFIXES:
        raise ValueError(f"unknown edition {edition!r}: one of {', '.join(PREFIXES)}")
    text = (Path(__file__).parent / "inventory" / f"{edition}.csv").read_text(encoding="utf-8")
    return tuple(_rule(edition, row) for row in csv.DictReader(io.StringIO(text)))


def _rule(edition: str, row: Mapping[str, str]) -> Rule:
    return Rule(
        edition=edition,
        id=row["id"],
        topic=row["topic"],
        kind=row["kind"],
        summary=row["summary"],
        software=row["software"],
        parameters=row["parameters"],
        depends=tuple(part.strip() for part in row["depends"].split(";") if part.strip()),
        test_idea=row["test_idea"],
        note=row["note"],
    )


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rows of all editions, in the fixed order of the editions."""
    return tuple(rule for edition in PREFIXES for rule in rules(edition))


def actionable(rule: Rule) -> bool:
    """Whether software must do something about the rule."""
    return rule.software in ACTIONABLE


# Looking up


@cache
def _by_id(edition: str) -> Mapping[str, Rule]:
    return MappingProxyType({rule.id: rule for rule in _of(edition)})


@cache
def _by_folded_id(edition: str) -> Mapping[str, Rule]:
    # NZEB-5.3a and NZEB-5.3A are two rules: the lettered item, which comes first, keeps the folded spelling.
    folded: dict[str, Rule] = {}
    for rule in _of(edition):
        folded.setdefault(rule.id.casefold(), rule)
    return MappingProxyType(folded)


@cache
def _by_stem(edition: str) -> Mapping[str, tuple[Rule, ...]]:
    stems: dict[str, list[Rule]] = {}
    for rule in _of(edition):
        stems.setdefault(stem(rule.id), []).append(rule)
    return MappingProxyType({each: tuple(found) for each, found in stems.items()})


def _of(edition: str) -> tuple[Rule, ...]:
    """The rows of the document that an id names; its prefix says which, so that no other file is read."""
    return rules(edition) if edition else ()


def find(rule_id: str, edition: str | None = None) -> Rule | None:
    """The row with this id; letter case is forgiven, and the prefix too when the edition is given."""
    full = _full_id(rule_id.strip(), edition)
    where = edition_of(full)
    if edition is not None and where != edition:
        return None
    return _by_id(where).get(full) or _by_folded_id(where).get(full.casefold())


def _full_id(text: str, edition: str | None) -> str:
    head, dash, tail = text.partition("-")
    if dash and head.upper() in KEYS:
        return f"{head.upper()}-{tail}"
    if edition is None:
        return text
    if edition not in PREFIXES:
        raise ValueError(f"unknown edition {edition!r}: one of {', '.join(PREFIXES)}")
    return f"{PREFIXES[edition]}-{text}"


def parts(rule_id: str) -> tuple[Rule, ...]:
    """The row itself, if there is one, and its sentence parts."""
    where = edition_of(rule_id)
    if _SENTENCE.search(rule_id):
        return tuple(filter(None, [_by_id(where).get(rule_id)]))
    return _by_stem(where).get(rule_id, ())


def exists(rule_id: str) -> bool:
    """Whether the id, spelled exactly so, is a row or the parent of sentence parts."""
    return bool(parts(rule_id))


def below(rule_id: str) -> tuple[Rule, ...]:
    """Every row printed under this one: its letters, their items, its tables and closing words."""
    edition = edition_of(rule_id)
    return tuple(rule for rule in rules(edition) if _is_below(rule.id, rule_id)) if edition else ()


def children(rule_id: str) -> tuple[Rule, ...]:
    """The rows directly under this one."""
    found = below(rule_id)
    return tuple(rule for rule in found if not any(_is_below(rule.id, other.id) for other in found))


def _is_below(rule_id: str, parent: str) -> bool:
    rest = rule_id.removeprefix(parent) if rule_id.startswith(parent) else ""
    # A small letter after a number is an item (5.3a); a capital is a rule put in later (5.3A, 11A), not a child.
    return rest[:1] in {".", "-"} or (rest[:1].islower() and parent[-1:].isdigit())


# The parts of an id


def edition_of(rule_id: str) -> str:
    """The key of the edition, or an empty string."""
    return KEYS.get(rule_id.partition("-")[0], "")


def division(rule_id: str) -> str:
    """The division of a 1996 rule (`V`; `N` is the notice); the other documents have none in their ids."""
    return rule_id.split("-")[1] if edition_of(rule_id) == "nz1996" and "-" in rule_id else ""


def section(rule_id: str) -> str:
    """The part or section: `9` of `NZ1996-V-9.4`, `11A` of `NZD5-11A.5`."""
    found = _SECTION.match(number(rule_id))
    return found.group() if found else ""


def stem(rule_id: str) -> str:
    """The id without the number of a sentence part."""
    return _SENTENCE.sub("", rule_id)


def number(rule_id: str) -> str:
    """The printed number, without prefix and division."""
    rest = rule_id.partition("-")[2]
    return rest.partition("-")[2] if division(rule_id) else rest


def sort_key(rule_id: str) -> SortKey:
    """Orders ids as a reader would: 5.2, 5.10, 5.10a, 5.10b.i, 5.10A, 5.11."""
    edition = edition_of(rule_id)
    numeral = division(rule_id)
    head = (
        (0, list(PREFIXES).index(edition) if edition else len(PREFIXES), ""),
        (0, DIVISIONS.index(numeral) if numeral in DIVISIONS else 0, numeral),
    )
    return head + tuple(_token(*found.groups()) for found in _TOKEN.finditer(number(rule_id)))


def _token(gap: str, text: str) -> tuple[int, int, str]:
    if text.isdigit():
        return 0, int(text), ""
    if gap:
        return 3, 0, text
    # Letters joined to a number: items come before rules that were put in later.
    return (2 if text.isupper() else 1), 0, text


def in_order(rule_ids: Iterable[str]) -> tuple[str, ...]:
    """Ids without repetition, in natural order."""
    return tuple(sorted(set(rule_ids), key=sort_key))


# Between editions, and by words


def other_editions(rule_id: str) -> tuple[str, ...]:
    """Ids of other editions on the same matter: those either row refers to, and those under the same heading.

    A heading is trusted only where it stands once in each edition, and only among the New Zealand baccarat texts, which
    descend from one another; Victoria uses some of the same headings for other things.
    """
    own = parts(rule_id)
    edition = edition_of(rule_id)
    named = {other for rule in own for other in (*rule.depends, *_referring().get(rule.id, ()))}
    headed = {other for rule in own for other in _same_heading(rule)}
    return in_order(other for other in named | headed if edition_of(other) != edition)


@cache
def _referring() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for rule in all_rules():
        for other in rule.depends:
            found.setdefault(other, []).append(rule.id)
    return MappingProxyType({rule_id: tuple(ids) for rule_id, ids in found.items()})


@cache
def _by_heading() -> Mapping[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = {}
    for rule in all_rules():
        found.setdefault((rule.edition, rule.topic.casefold()), []).append(rule.id)
    return MappingProxyType({heading: tuple(ids) for heading, ids in found.items()})


_FAMILY: Final = ("nz1998", "nzd5", "nzeb")


def _same_heading(rule: Rule) -> Iterator[str]:
    topic = rule.topic.casefold()
    if rule.edition not in _FAMILY or len(_by_heading()[rule.edition, topic]) != 1:
        return
    for edition in _FAMILY:
        ids = _by_heading().get((edition, topic), ())
        if edition != rule.edition and len(ids) == 1:
            yield ids[0]


def search(words: str, edition: str | None = None) -> tuple[Rule, ...]:
    """The rows in which every word occurs, whatever its case or ending, anywhere but in the test idea."""
    wanted = [(word, re.compile(rf"\b{re.escape(_root(word))}")) for word in words.casefold().split()]
    where = all_rules() if edition is None else rules(edition)
    return tuple(
        rule
        for rule in where
        if wanted and all(word in _text(rule) or root.search(_text(rule)) for word, root in wanted)
    )


_ENDINGS: Final = ("ing", "ed", "es", "s")
_SHORTEST_ROOT: Final = 3


def _root(word: str) -> str:
    """What a word has in common with its other forms: `exposes` and `exposed` both begin with `expos`."""
    for ending in _ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) >= _SHORTEST_ROOT and root.isalpha():
            return root
    return word


def _text(rule: Rule) -> str:
    return " ".join((rule.id, rule.topic, rule.kind, rule.summary, rule.parameters, rule.note)).casefold()
