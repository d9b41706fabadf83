"""Which rules the code cites, which the tests exercise, and which are still to be done.

Theory of operation.  Code cites a rule by holding a `Law` that names it: in the editions of a game, in the record of
a document or venue, or in a constant of the rooms above.  `citations` walks them all.

Tests exercise a rule by comparing something that carries it.  A full run of the tests notes which test compared
which rule, and `law/observed.json` keeps the note; the run fails when the two differ.  The rules of one law stand or
fall together, so whoever exercised one exercised all of them; and a rule without a row of its own stands for its
sentence parts.

`law/unfinished.toml` lists what software must do something about and no test exercises yet, under the room that
owes it.  The list may only shrink: `python -m croupier.coverage` takes out what has been exercised since.
"""

from __future__ import annotations

import argparse
import json
import pkgutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeAlias

from croupier.games import GAMES
from croupier.law import editions
from croupier.law.inventory import Rule, actionable, all_rules, division, in_order, parts, section
from croupier.law.model import Law, laws_in

Places: TypeAlias = Mapping[str, tuple[str, ...]]
"""Rule ids, each with where it is cited or with the tests that exercise it."""

OBSERVED: Final = Path(__file__).parent / "law" / "observed.json"
UNFINISHED: Final = Path(__file__).parent / "law" / "unfinished.toml"
OWNERS: Final = ("table", "floor", "odds", "house", "games")
ROOMS: Final = ("games", "table", "house", "floor")

# ---------------------------------------------------------------- cited


@dataclass(frozen=True, slots=True)
class Citation:
    """A law, and where in the code it is held."""

    place: str
    law: Law[object]


@cache
def citations() -> tuple[Citation, ...]:
    """Every law of every document, venue, game and room."""
    return tuple(Citation(place, law) for place, law in (*_of_documents(), *_of_games(), *_of_rooms()))


def _of_documents() -> Iterator[tuple[str, Law[object]]]:
    for key, edition in editions.EDITIONS.items():
        yield from ((f"document {key} {path}", law) for path, law in laws_in(edition))
    for key, venue in editions.VENUES.items():
        yield from ((f"venue {key} {path}", law) for path, law in laws_in(venue))


def _of_games() -> Iterator[tuple[str, Law[object]]]:
    for game in GAMES.values():
        for edition, versions in game.editions.items():
            for version, rules in versions.items():
                yield from ((f"{game.name} {edition}/{version} {path}", law) for path, law in laws_in(rules))


def _of_rooms() -> Iterator[tuple[str, Law[object]]]:
    """The constants of the rooms' modules; a law that a document or an edition holds is not told twice."""
    told = {id(law) for _, law in (*_of_documents(), *_of_games())}
    for module in modules():
        for name, value in vars(module).items():
            for path, law in laws_in(value, name) if name.isupper() else ():
                if id(law) not in told:
                    told.add(id(law))
                    yield f"{module.__name__.removeprefix('croupier.')} {path}", law


def modules() -> Iterator[Any]:
    """Every module of the rooms that may hold laws."""
    for room in ROOMS:
        if find_spec(f"croupier.{room}") is None:
            continue
        package = import_module(f"croupier.{room}")
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"croupier.{room}."):
            # Migrations run inside their own tool and cannot be imported outside it; they hold no law.
            if ".migrations" not in found.name:
                yield import_module(found.name)


@cache
def cited() -> Places:
    """Rows with the places that cite them."""
    pairs = ((rule, each.place) for each in citations() for rule in each.law.rules)
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


# ---------------------------------------------------------------- tested


@cache
def observed() -> Places:
    """The rules that the tests compared or marked, each with the tests, as the last full run noted them."""
    kept = json.loads(OBSERVED.read_text(encoding="utf-8")) if OBSERVED.exists() else {}
    return _gathered((rule, test) for kind in kept.values() for rule, tests in kind.items() for test in tests)


@cache
def tested() -> Places:
    """Rows with the tests that exercise them."""
    return exercised(observed(), tuple(each.law for each in citations()))


def exercised(seen: Places, laws: Iterable[Law[object]]) -> Places:
    """Rows with the tests that exercise them: directly, or through a law that names them beside a rule seen."""
    together = _together(laws)
    return _gathered(
        (row, test)
        for rule, tests in seen.items()
        for row in {*rows(rule), *together.get(rule, ())}
        for test in sorted(tests)
    )


def _together(laws: Iterable[Law[object]]) -> dict[str, set[str]]:
    """For each rule that a law names, and each row it stands for, all rows of the laws that name it."""
    found: dict[str, set[str]] = {}
    for law in laws:
        all_of_it = {row for rule in law.rules for row in rows(rule)}
        for rule in {*law.rules, *all_of_it}:
            found.setdefault(rule, set()).update(all_of_it)
    return found


def watching(law: Law[object], seen: Places) -> tuple[str, ...]:
    """The tests that saw one of this law's own rules."""
    wanted = {*law.rules, *(row for rule in law.rules for row in rows(rule))}
    return tuple(dict.fromkeys(test for rule, tests in seen.items() if rule in wanted for test in tests))


# ---------------------------------------------------------------- unfinished


@cache
def unfinished() -> Mapping[str, str]:
    """The rules that no test need exercise yet, each with the room that owes it."""
    listed = tomllib.loads(UNFINISHED.read_text(encoding="utf-8")) if UNFINISHED.exists() else {}
    return {
        rule: owner
        for owner, documents in listed.items()
        for groups in documents.values()
        for rules in groups.values()
        for rule in rules
    }


def missing(done: Places) -> tuple[Rule, ...]:
    """What software must do something about, and no test exercises."""
    return tuple(rule for rule in all_rules() if actionable(rule) and rule.id not in done)


# What a game does not settle by itself needs people, seats and signs, and so a table; or else one of these.
_DEBTORS: Final[Mapping[tuple[str, str, str], str]] = {
    ("nz1996", "N", ""): "games",
    ("nz1996", "I", "16"): "house",
    ("nz1996", "I", "17"): "house",
    ("nz1996", "I", "18"): "house",
    ("nz1998", "", "0"): "games",
    ("nzeb", "", ""): "floor",
    ("vic2002", "", "12"): "house",
}
_BY_TOPIC: Final[Mapping[str, str]] = {"randomness": "floor", "jackpot": "house", "jackpot payout": "house"}


def owner_of(rule: Rule) -> str:
    """The room that owes a rule, unless the list says another."""
    document, part = rule.edition, division(rule.id)
    owners = (
        _BY_TOPIC.get(rule.topic),
        _DEBTORS.get((document, part, section(rule.id))),
        _DEBTORS.get((document, part, "")),
    )
    return next(filter(None, owners), "table")


def still_unfinished(listed: Mapping[str, str], done: Places, *, grow: bool) -> dict[str, str]:
    """The list as it should be: without what is exercised, and with what is owed and not listed if it may grow."""
    return {rule.id: listed.get(rule.id) or owner_of(rule) for rule in missing(done) if grow or rule.id in listed}


def unfinished_text(listed: Mapping[str, str]) -> str:
    """The file: owners, documents, then divisions or sections with their rules."""
    lines = [
        "# Rules that software must do something about and that no test exercises yet, by the room that owes them.",
        "# The list may only shrink: `make unfinished` takes out what has been exercised.",
    ]
    for owner in OWNERS:
        owed = [rule for rule in all_rules() if listed.get(rule.id) == owner]
        for document in dict.fromkeys(rule.edition for rule in owed):
            lines += ["", f"[{owner}.{document}]"]
            lines += _groups([rule for rule in owed if rule.edition == document])
    return "\n".join(lines) + "\n"


def _groups(owed: list[Rule]) -> Iterator[str]:
    for group in dict.fromkeys(map(group_of, owed)):
        yield f'"{group}" = ['
        yield from (f'    "{rule.id}",' for rule in owed if group_of(rule) == group)
        yield "]"


def group_of(rule: Rule) -> str:
    """The division of a rule, and in the other documents the section."""
    return division(rule.id) or section(rule.id)


# ---------------------------------------------------------------- told


@dataclass(frozen=True, slots=True)
class Part:
    """A division or section: how many rules it has, and how far they are done."""

    edition: str
    name: str
    rules: int
    actionable: int
    cited: int
    tested: int
    owed: Mapping[str, tuple[str, ...]]
    """By owner the actionable rules that no test exercises; under the empty name those that nobody owes."""


def summary() -> tuple[Part, ...]:
    """The divisions of 1996, and each of the later documents as a whole."""
    grouped: dict[tuple[str, str], list[Rule]] = {}
    for rule in all_rules():
        grouped.setdefault((rule.edition, division(rule.id)), []).append(rule)
    return tuple(_part(*key, found) for key, found in grouped.items())


def _part(edition: str, name: str, found: list[Rule]) -> Part:
    work = [rule for rule in found if actionable(rule)]
    owed: dict[str, list[str]] = {}
    for rule in work:
        if rule.id not in tested():
            owed.setdefault(unfinished().get(rule.id, ""), []).append(rule.id)
    return Part(
        edition=edition,
        name=name,
        rules=len(found),
        actionable=len(work),
        cited=sum(rule.id in cited() for rule in work),
        tested=sum(rule.id in tested() for rule in work),
        owed={owner: tuple(ids) for owner, ids in owed.items()},
    )


def as_json() -> dict[str, object]:
    """Every rule with the places that cite it and the tests that exercise it, and how far each part is."""
    return {"rules": [_line(rule) for rule in all_rules()], "parts": [asdict(part) for part in summary()]}


def _line(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "edition": rule.edition,
        "topic": rule.topic,
        "software": rule.software,
        "cited": list(cited().get(rule.id, ())),
        "tested": list(tested().get(rule.id, ())),
        "owed_by": unfinished().get(rule.id),
    }


def main() -> None:
    """Write the list of unfinished rules again."""
    parser = argparse.ArgumentParser(prog="python -m croupier.coverage", description=main.__doc__)
    parser.add_argument("--grow", action="store_true", help="also list what is owed and not listed")
    before = unfinished()
    after = still_unfinished(before, tested(), grow=parser.parse_args().grow)
    UNFINISHED.write_text(unfinished_text(after), encoding="utf-8")
    print(f"{UNFINISHED.name}: {len(before)} rules before, {len(after)} now")


if __name__ == "__main__":
    main()
