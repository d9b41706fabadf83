"""The door `odds`: the sheet of a law, wager by wager.

banker          the rows of this wager;   `sheet` is all of them;   `sheet decks=6` with other elections
"""

from __future__ import annotations

from typing import Any

import croupier
from croupier.errors import NotPermitted
from croupier.exact.sheet import as_json
from tests.law.matrix.answers import Answer, plain
from tests.law.matrix.hearing_door import chosen
from tests.law.matrix.language import Law, Seen, Step


class Sheets:
    """Sheets of one law."""

    def __init__(self, law: Law) -> None:
        self.law = law

    def do(self, step: Step) -> list[Answer]:
        if step.who or len(step.words) != 1:
            raise ValueError("ask for a wager, or for the whole sheet")
        elections = {name: chosen(value) for name, value in (*self.law.elections, *step.named)}
        law = self.law
        try:
            rules = croupier.ruleset(
                law.edition, game=law.game, version=law.version, elections=elections, readings=dict(law.readings)
            )
        except NotPermitted as error:
            return [Answer("refused", {"reason": error.reason}, error.rule)]
        wanted = step.words[0]
        lines: Any = as_json(croupier.odds(rules, quick=wanted == "sheet"))["wagers"]
        if wanted != "sheet" and wanted not in {line["wager"] for line in lines}:
            return [Answer("refused", {"reason": f"{wanted} is not on the sheet"})]
        return [answer for line in lines if wanted in ("sheet", line["wager"]) for answer in _line(line)]

    def look(self, _: Seen) -> list[Answer]:
        return []


def _line(line: dict[str, Any]) -> list[Answer]:
    wager = line["wager"]
    figures = {name: plain(line[name]) for name in ("edge", "win", "lose", "standoff", "void", "offered")}
    answers = [Answer("edge", {"wager": wager, **figures})]
    return answers + [
        Answer(
            "pays",
            {"wager": wager, **{name: plain(value) for name, value in each.items() if name != "rule"}},
            each["rule"],
        )
        for each in line["pays"]
    ]
