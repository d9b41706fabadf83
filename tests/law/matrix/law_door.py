"""The door `law`: which rules hold at a venue on a date, as `croupier.ruleset` finds them.

baccarat at auckland on 1998-01-31 version=full       a game, a venue, a day (its last moment), or a moment
baccarat at crown on 2002-08-08T03:59
"""

from __future__ import annotations

from datetime import date, datetime

import croupier
from croupier.errors import NotPermitted
from croupier.law.editions import EDITIONS
from tests.law.matrix.answers import Answer
from tests.law.matrix.language import Law, Seen, Step


class Governed:
    """The law that is looked for; the edition of the case is the one it is about, not the one asked for."""

    def __init__(self, law: Law) -> None:
        self.law = law

    def do(self, step: Step) -> list[Answer]:
        match step.words:
            case (game, "at", venue, "on", day) if not step.who:
                return self._found(game, venue, day, **dict(step.named))
            case _:
                raise ValueError("ask for a game at a venue on a date")

    def _found(self, game: str, venue: str, day: str, *, version: str = "", edition: str = "") -> list[Answer]:
        on = datetime.fromisoformat(day) if "T" in day else date.fromisoformat(day)
        try:
            rules = croupier.ruleset(edition, game=game, version=version, on=on, venue=venue)
        except NotPermitted as error:
            return [Answer("refused", {"reason": error.reason}, error.rule)]
        fields = {"edition": rules.edition, "version": rules.version, "game": rules.game}
        return [Answer("governs", fields, EDITIONS[rules.edition].in_force.rule)]

    def look(self, _: Seen) -> list[Answer]:
        return []
