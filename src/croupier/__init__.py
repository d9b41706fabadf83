"""Casino table games, by the book: every step cites its rule, every wager has its exact odds.

This is the public door; the README's examples run through it.  Each function imports what it needs when it is called,
so that `import croupier` costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.exact.sheet import Sheet
    from croupier.hearing import Adjudication
    from croupier.law.ruleset import Ruleset

__version__ = "0.1.0"
__all__ = ["adjudicate", "odds", "ruleset"]


def ruleset(
    edition: str = "",
    *,
    game: str = "baccarat",
    version: str = "",
    elections: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    on: date | None = None,
    venue: str = "",
) -> Ruleset[Any]:
    """The rules of a game: an edition by name, or the one in force on a date at a venue."""
    from croupier.rulesets import ruleset as choose

    return choose(edition, game=game, version=version, elections=elections, readings=readings, on=on, venue=venue)


def odds(rules: Ruleset[Any], *, shoe: Sequence[int] | None = None) -> Sheet:
    """The exact worth of every wager; `shoe` counts 52 cards (or 13 ranks) if it is not full."""
    from croupier.exact.sheet import sheet
    from croupier.rulesets import known_game

    return sheet(known_game(rules.game), rules, shoe)


def adjudicate(line: str) -> Adjudication:
    """A round in one line, `nz1998 banker 100: 2h 3d Kc Qs 8h`, from facts to settlements."""
    from croupier.hearing import adjudicate as hear
    from croupier.hearing import read_line

    return hear(read_line(line))
