"""Which rules the code cites, which a case carries out at a door, and which software cannot carry out at all.

Theory of operation.  Code cites a rule by holding a `Law` that names it: in the editions of a game, in the record of
a document or venue, or in a constant of the rooms above.  `citations` walks them all.

A rule is carried out by a case of its own in the compliance matrix (`tests/law/cases`), tried at a door of the product,
and by nothing else: not by a neighbour in the same law, not by a function that returns the right value.  `law/carried`
is what the cases left when they were last run: one line a case, with what was done and what the product answered.  It
is made by `make concordance`; a test runs the cases and compares.  `law/beyond.csv` lists the rules that software
cannot carry out, each with the reason.
"""

from __future__ import annotations

import csv
import pkgutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from croupier.games import GAMES
from croupier.law import editions
from croupier.law.inventory import Rule, actionable, all_rules, division, in_order, parts
from croupier.law.model import Law, laws_in

Places: TypeAlias = Mapping[str, tuple[str, ...]]
"""Rule ids, each with where it is cited or with the cases that carry it out."""

HERE: Final = Path(__file__).parents[1]
CARRIED: Final = HERE / "law" / "carried"
BEYOND: Final = HERE / "law" / "beyond.csv"
ROOMS: Final = ("law", "games", "table", "house")

# ---------------------------------------------------------------- cited


@dataclass(frozen=True, slots=True)
class Citation:
    """A law, and where in the code it is held."""

    place: str
    law: Law[object]


@cache
def citations(prefix: str = "") -> tuple[Citation, ...]:
    """Every law of every document, venue, game and room; of one document, those of the games and rooms that name it."""
    found = (*_of_documents(), *_of_games(prefix), *_of_rooms(prefix))
    return tuple(Citation(place, law) for place, law in found)


def _of_documents() -> Iterator[tuple[str, Law[object]]]:
    for key, edition in editions.EDITIONS.items():
        yield from ((f"document {key} {path}", law) for path, law in laws_in(edition))
    for key, venue in editions.VENUES.items():
        yield from ((f"venue {key} {path}", law) for path, law in laws_in(venue))


def _of_games(prefix: str) -> Iterator[tuple[str, Law[object]]]:
    for game in (GAMES[name] for name in GAMES if _names(HERE / "games" / name, prefix)):
        for edition, versions in game.editions.items():
            for version, rules in versions.items():
                yield from ((f"{game.name} {edition}/{version} {path}", law) for path, law in laws_in(rules))


def _of_rooms(prefix: str) -> Iterator[tuple[str, Law[object]]]:
    """The constants of the rooms' modules; a law that a document or an edition holds is not told twice."""
    seen = {id(law) for _, law in (*_of_documents(), *_of_games(prefix))}
    for module in modules(prefix):
        # The registry of games is told above, and imports all of them when it is walked; what a module keeps to itself
        # is what it has worked out, not law.
        named = [(name, value) for name, value in vars(module).items() if name.isupper() and not name.startswith("_")]
        for name, value in [each for each in named if each[1] is not GAMES]:
            for path, law in laws_in(value, name):
                if id(law) not in seen:
                    seen.add(id(law))
                    yield f"{module.__name__.removeprefix('croupier.')} {path}", law


def modules(prefix: str = "") -> Iterator[Any]:
    """Every module of the rooms that may hold laws, or those that name a document."""
    for room in ROOMS:
        if find_spec(f"croupier.{room}") is None:
            continue
        package = import_module(f"croupier.{room}")
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"croupier.{room}."):
            # Migrations run inside their own tool and cannot be imported outside it; they hold no law.
            if ".migrations" not in found.name and _names(HERE.joinpath(*found.name.split(".")[1:]), prefix):
                yield import_module(found.name)


def _names(module: Path, prefix: str) -> bool:
    """Whether the source of a module or of a package names a document, so that it may hold laws of it."""
    files = module.rglob("*.py") if module.is_dir() else [module.with_suffix(".py")]
    return not prefix or any(prefix in file.read_text(encoding="utf-8") for file in files)


@cache
def cited(prefix: str = "") -> Places:
    """Rows with the places that cite them."""
    pairs = ((rule, each.place) for each in citations(prefix) for rule in each.law.rules if rule.startswith(prefix))
    return _gathered((row, place) for rule, place in pairs for row in rows(rule))


def rows(rule: str) -> tuple[str, ...]:
    """The row of a rule, or its sentence parts where it has no row of its own."""
    found = tuple(each.id for each in parts(rule))
    return (rule,) if rule in found else found


def _gathered(pairs: Iterable[tuple[str, str]]) -> Places:
    found: dict[str, dict[str, None]] = {}
    for rule, place in pairs:
        found.setdefault(rule, {})[place] = None
    return {rule: tuple(found[rule]) for rule in in_order(found)}


# ---------------------------------------------------------------- carried out


@dataclass(frozen=True, slots=True)
class CarriedStep:
    """A step of a case: what was done, and what the product answered."""

    done: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A case that went as it says, at a door, under some laws; `where` are the functions that answered a rule."""

    name: str
    rules: tuple[str, ...]
    door: str
    laws: tuple[str, ...]
    title: str
    steps: tuple[CarriedStep, ...]
    where: Mapping[str, tuple[str, ...]]

    @property
    def places(self) -> tuple[str, ...]:
        """All functions that answered."""
        return tuple(place for found in self.where.values() for place in found)


@cache
def cases(naming: str = "") -> tuple[Case, ...]:
    """Every case, as the last run left it; or those that name a rule, and no other is read."""
    files = [CARRIED / f"{edition}.jsonl" for edition in editions.EDITIONS]
    return tuple(case for file in files if file.exists() for case in read(file.read_text(encoding="utf-8"), naming))


def read(text: str, naming: str = "") -> Iterator[Case]:
    """The cases of one file, a line each."""
    for line in text.splitlines():
        if naming in line:
            yield msgspec.json.decode(line, type=Case)


def write(these: Iterable[Case]) -> str:
    """Cases as they are kept."""
    return "".join(msgspec.json.encode(case).decode() + "\n" for case in these)


@cache
def tested() -> Mapping[str, tuple[Case, ...]]:
    """Rows with the cases that carry them out."""
    found: dict[str, list[Case]] = {}
    for case in cases():
        for rule in case.rules:
            found.setdefault(rule, []).append(case)
    return {rule: tuple(found[rule]) for rule in in_order(found)}


def doors(rule: str) -> tuple[str, ...]:
    """The doors at which a rule was seen carried out."""
    return tuple(dict.fromkeys(case.door for case in tested().get(rule, ())))


@cache
def beyond() -> Mapping[str, str]:
    """The rules that software cannot carry out, each with the reason."""
    with BEYOND.open(encoding="utf-8", newline="") as file:
        return {row["rule"]: row["reason"] for row in csv.DictReader(file)}


def missing() -> tuple[Rule, ...]:
    """What software must do something about, and no case has carried out."""
    return tuple(rule for rule in all_rules() if actionable(rule) and standing(rule) == MISSING)


CARRIED_OUT, CANNOT, MISSING, DESCRIBED = "carried out", "beyond software", "no case yet", "only described"


def standing(rule: Rule) -> str:
    """How far a rule is."""
    if not actionable(rule):
        return DESCRIBED
    return CARRIED_OUT if rule.id in tested() else CANNOT if rule.id in beyond() else MISSING


def watchers() -> Places:
    """Rules with the names of the cases that carry them out."""
    return {rule: tuple(case.name for case in found) for rule, found in tested().items()}


def watching(law: Law[object], seen: Places) -> tuple[str, ...]:
    """The cases that saw one of this law's own rules."""
    wanted = {*law.rules, *(row for rule in law.rules for row in rows(rule))}
    return tuple(dict.fromkeys(test for rule, tests in seen.items() if rule in wanted for test in tests))


# ---------------------------------------------------------------- told


@dataclass(frozen=True, slots=True)
class PartCovered:
    """A division or document: how many rules it has, and how far those are that software must act on."""

    edition: str
    name: str
    rules: int
    actionable: int
    cited: int
    tested: int
    beyond: int
    missing: tuple[str, ...]
    doors: Mapping[str, int]
    """Rules seen carried out at each door; one may be seen at several."""


def summary() -> tuple[PartCovered, ...]:
    """The divisions of 1996, and each of the later documents as a whole."""
    grouped: dict[tuple[str, str], list[Rule]] = {}
    for rule in all_rules():
        grouped.setdefault((rule.edition, division(rule.id)), []).append(rule)
    return tuple(_part(*key, found) for key, found in grouped.items())


def _part(edition: str, name: str, found: list[Rule]) -> PartCovered:
    work = [rule for rule in found if actionable(rule)]
    seen = Counter(door for rule in work for door in doors(rule.id))
    return PartCovered(
        edition=edition,
        name=name,
        rules=len(found),
        actionable=len(work),
        cited=sum(rule.id in cited() for rule in work),
        tested=sum(standing(rule) == CARRIED_OUT for rule in work),
        beyond=sum(standing(rule) == CANNOT for rule in work),
        missing=tuple(rule.id for rule in work if standing(rule) == MISSING),
        doors=dict(seen.most_common()),
    )


def as_json() -> dict[str, object]:
    """Every rule with the places that cite it and the cases that carry it out, and how far each part is."""
    return {"rules": [_line(rule) for rule in all_rules()], "parts": [asdict(part) for part in summary()]}


def _line(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "edition": rule.edition,
        "topic": rule.topic,
        "software": rule.software,
        "cited": list(cited().get(rule.id, ())),
        "tested": [case.name for case in tested().get(rule.id, ())],
        "doors": list(doors(rule.id)),
        "why_not": beyond().get(rule.id),
    }
