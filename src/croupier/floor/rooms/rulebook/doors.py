"""The rule browser's doors: rules found by words, one rule with all that hangs on it, and two editions compared.

Every rule of the five documents is told in our own words, with what software does about it.  Where a rule lives in the
code and the tests is found by a process of its own (`citing`) when it is first asked for, and kept.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from starlette.responses import Response

from croupier.floor.doors.bounds import LONGEST
from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import RULE, WORD, Asked, Door, Parameter, whole
from croupier.floor.rooms.lab import answers as s
from croupier.floor.rooms.lab.doors import EDITION, GAME
from croupier.floor.rooms.rulebook import citing
from croupier.law import inventory, readings
from croupier.law.editions import EDITIONS
from croupier.law.inventory import Rule
from croupier.once import like
from croupier.survey import diff
from croupier.survey.catalogue import rule_id
from croupier.survey.coverage import beyond, standing, tested

PAGE: Final = 60
"""Rows of one answer."""
FILTERS: Final = ("edition", "game", "kind", "software", "standing")
GENERAL: Final = "general"
"""What rules are about that belong to no game of their own."""


@dataclass(slots=True)
class PlacesSought:
    """The places of all rules, once they are known, and the search for them while it runs."""

    places: Mapping[str, citing.Places] = field(default_factory=dict)
    finding: asyncio.Task[Mapping[str, citing.Places]] | None = None

    def look(self) -> asyncio.Task[Mapping[str, citing.Places]]:
        """Have the places looked for, unless that is being done."""
        if self.finding is None:
            self.finding = asyncio.create_task(citing.find())
            self.finding.add_done_callback(self._looked)
        return self.finding

    def _looked(self, task: asyncio.Task[Mapping[str, citing.Places]]) -> None:
        self.finding = None
        if not task.cancelled() and task.exception() is None:
            self.places = task.result()

    async def found(self) -> Mapping[str, citing.Places]:
        return self.places or await asyncio.shield(self.look())


async def shelf(asked: Asked[None]) -> Response:
    # Whoever opens the book will soon ask where a rule lives.
    book = asked.house.keep(PlacesSought, PlacesSought)
    if not book.places:
        book.look()
    return answer(_shelf())


async def search(asked: Asked[None]) -> Response:
    return answer(await asyncio.to_thread(searched, asked.query))


async def rule(asked: Asked[None]) -> Response:
    try:
        return answer(await asyncio.to_thread(rule_page, asked.part("rule")))
    except ValueError as error:
        return no(str(error), 404)


async def places(asked: Asked[None]) -> Response:
    try:
        return answer(_placed(rule_id(asked.part("rule")), await asked.house.keep(PlacesSought, PlacesSought).found()))
    except ValueError as error:
        return no(str(error), 404)
    except citing.NotFound as error:
        return no(str(error), 503)


async def difference(asked: Asked[None]) -> Response:
    return answer(await asyncio.to_thread(_difference, asked.query))


# ---------------------------------------------------------------- finding


@cache
def _shelf() -> dict[str, object]:
    """What there is to choose from, each with how many rules it has."""
    rows = inventory.all_rules()
    editions = Counter(row.edition for row in rows)
    return {
        "rules": len(rows),
        "editions": [{"value": key, "title": EDITIONS[key].title, "rules": editions[key]} for key in EDITIONS],
        "game": _counted(map(game_of, rows)),
        "kind": _counted(row.kind for row in rows),
        "software": _counted(row.software for row in rows),
        "standing": _counted(map(standing, rows)),
    }


def game_of(row: Rule) -> str:
    """The game that a rule is about: that of its division, where a document has several."""
    edition = EDITIONS[row.edition]
    games = {name for name, _ in edition.divisions}
    if len(games) == 1:
        return next(iter(games))
    division = row.id.removeprefix(f"{edition.prefix}-").partition("-")[0]
    return next((name for (name, _), own in edition.divisions.items() if own == division), GENERAL)


def _counted(values: Any) -> list[dict[str, object]]:
    return [{"value": value, "rules": count} for value, count in Counter(values).most_common()]


def searched(asked: Mapping[str, str]) -> dict[str, object]:
    """The rules in which every word occurs and that pass the filters, from one row on."""
    unknown = next((name for name in asked if name not in (*FILTERS, "words", "from")), None)
    if unknown is not None:
        raise ValueError(f"unknown input {unknown!r:.40}; known are words, from, {', '.join(FILTERS)}")
    words = asked.get("words", "").strip()
    if len(words) > LONGEST:
        raise ValueError(f"words: more than {LONGEST} characters")
    start = _row_number(asked.get("from", "0"))
    chosen = {name: asked[name] for name in FILTERS if asked.get(name)}
    _check_filters(chosen)
    found = [row for row in _matching(words) if _passes(row, chosen)]
    return {"total": len(found), "from": start, "rows": [_short(row) for row in found[start : start + PAGE]]}


def _row_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise ValueError(f"from is the number of a row: {text!r:.40}")
    return int(text)


def _check_filters(chosen: Mapping[str, str]) -> None:
    for name, value in chosen.items():
        listed: Any = _shelf()["editions" if name == "edition" else name]
        known = [each["value"] for each in listed]
        if value not in known:
            raise ValueError(f"unknown {name} {value!r:.40}; known are {', '.join(known)}")


def _matching(words: str) -> tuple[Rule, ...]:
    """All rules for no words; the rule itself first where its id was typed."""
    if not words:
        return inventory.all_rules()
    found = inventory.search(words)
    named = inventory.find(words)
    return (named, *(row for row in found if row != named)) if named else found


def _passes(row: Rule, chosen: Mapping[str, str]) -> bool:
    held = {
        "edition": row.edition,
        "game": game_of(row),
        "kind": row.kind,
        "software": row.software,
        "standing": standing(row),
    }
    return all(held[name] == value for name, value in chosen.items())


def _short(row: Rule) -> dict[str, object]:
    return {"id": row.id, "edition": row.edition, "topic": row.topic, "summary": row.summary}


# ---------------------------------------------------------------- one rule


def rule_page(text: str) -> dict[str, object]:
    """A rule with what rests on it, what it rests on, and how other editions say it."""
    rule = rule_id(text)
    rows = inventory.parts(rule)
    own = {row.id for row in rows}
    depends = inventory.in_order(other for row in rows for other in row.depends if inventory.exists(other))
    edition = inventory.edition_of(rule)
    others = [row for other in inventory.other_editions(rule) for row in inventory.parts(other)]
    before, after = _neighbours(rows)
    return {
        "id": rule,
        "edition": edition,
        "title": EDITIONS[edition].title,
        "rows": [_row(row) for row in rows],
        "below": [_short(row) for row in inventory.children(rule) if row.id not in own],
        "depends": [_named(other) for other in depends if inventory.edition_of(other) == edition],
        "others": [_short(row) for row in dict.fromkeys(others)],
        "readings": [
            {"id": each.id, "name": each.name, "question": each.question, "says": each.says, "reason": each.reason}
            for each in readings.for_rule(rule)
        ],
        "before": before,
        "after": after,
    }


def _row(row: Rule) -> s.RuleRow:
    cases = [like(s.RuleCase, case, where=list(case.where.get(row.id, ()))) for case in tested().get(row.id, ())]
    return like(s.RuleRow, row, standing=standing(row), why_not=beyond().get(row.id, ""), cases=cases)


def _named(rule: str) -> dict[str, object]:
    return {"id": rule, "topic": next((row.topic for row in inventory.parts(rule)), "")}


def _neighbours(rows: tuple[Rule, ...]) -> tuple[str | None, str | None]:
    """The rules printed before and after."""
    whole = inventory.rules(rows[0].edition)
    first, last = whole.index(rows[0]), whole.index(rows[-1])
    return (whole[first - 1].id if first else None, whole[last + 1].id if last + 1 < len(whole) else None)


def _placed(rule: str, places: Mapping[str, citing.Places]) -> dict[str, object]:
    """Where the rows of a rule are cited and tested."""
    found = [places[row.id] for row in inventory.parts(rule) if row.id in places]
    return {
        "id": rule,
        "lines": list(dict.fromkeys(line for each in found for line in each.lines)),
        "names": list(dict.fromkeys(name for each in found for name in each.names)),
        "tests": list(dict.fromkeys(test for each in found for test in each.tests)),
    }


# ---------------------------------------------------------------- two editions


def _difference(asked: Mapping[str, str]) -> dict[str, object]:
    unknown = next((name for name in asked if name not in ("before", "after", "game")), None)
    if unknown is not None:
        raise ValueError(f"unknown input {unknown!r:.40}; known are before, after, game")
    return diff.as_json(diff.difference(asked.get("before", ""), asked.get("after", ""), asked.get("game", "")))


DOORS: Final = (
    Door("GET /api/rulebook/shelf", shelf, "rulebook", "What there is to choose from.", s.ShelfShown),
    Door(
        "GET /api/rulebook/search",
        search,
        "rulebook",
        "Rules in which every word occurs.",
        s.FoundRules,
        parameters=(
            Parameter("words", "The words.", WORD),
            Parameter("from", "The row to begin with.", whole(999_999, 0)),
            *(Parameter(name, f"Only this {name}.", WORD) for name in FILTERS),
        ),
        ends=(422,),
    ),
    Door(
        "GET /api/rulebook/rule/{rule}",
        rule,
        "rulebook",
        "A rule with all that hangs on it.",
        s.WholeRule,
        parameters=(RULE,),
        ends=(404,),
    ),
    Door(
        "GET /api/rulebook/places/{rule}",
        places,
        "rulebook",
        "Where a rule lives in the code and the tests.",
        s.RulePlaces,
        parameters=(RULE,),
        ends=(404, 503),
    ),
    Door(
        "GET /api/rulebook/diff",
        difference,
        "rulebook",
        "Two editions compared.",
        s.RuleDifference,
        parameters=(
            Parameter("before", "The one edition.", EDITION),
            Parameter("after", "The other edition.", EDITION),
            Parameter("game", "Only this game.", GAME),
        ),
        ends=(422,),
    ),
)
