"""The page of a rule: what it says, what rests on it, where it is cited and tested."""

from __future__ import annotations

from typing import Any

from croupier.law import inventory, readings
from croupier.survey import coverage


def pages(edition: str) -> dict[str, dict[str, Any]]:
    """The pages of an edition: of every row, and of every parent of sentence parts."""
    naming: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for case in coverage.cases():
        for rule in case.rules:
            naming.setdefault(rule, []).append((case.name, case.rules))
    ids = dict.fromkeys(i for row in inventory.rules(edition) for i in (row.id, inventory.stem(row.id)))
    rows = {found: inventory.parts(found) for found in ids}
    return {found: _page(found, [case for row in rows[found] for case in naming.get(row.id, ())]) for found in ids}


def _page(found: str, cases: list[tuple[str, tuple[str, ...]]]) -> dict[str, Any]:
    rows, edition = inventory.parts(found), inventory.edition_of(found)
    cited = coverage.cited(inventory.PREFIXES[edition])
    return {
        "id": found,
        "edition": edition,
        "rows": [
            {"id": row.id, "topic": row.topic, "kind": row.kind, "software": row.software, "summary": row.summary}
            | {"parameters": row.parameters, "depends": list(row.depends), "note": row.note}
            for row in rows
        ],
        "below": [row.id for row in inventory.children(found) if row not in rows],
        "other_editions": list(inventory.other_editions(found)),
        "readings": [{"id": each.id, "name": each.name, "says": each.says} for each in readings.for_rule(found)],
        "cited": sorted({place for row in rows for place in cited.get(row.id, ())}),
        "tested": sorted({name for row in rows for name, rules in cases if row.id in rules}),
    }
