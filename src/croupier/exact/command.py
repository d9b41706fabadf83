"""What the odds command answers: a sheet, the working of a wager, or two rule sets compared.

The words are read by the command line; here they have become a `OddsRequest`, and the answers are in the public form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from croupier.exact import compare
from croupier.exact import explain as working
from croupier.exact.engines import OddsAsked
from croupier.exact.sheet import Sheet, sheet
from croupier.game import AnyGame
from croupier.law.ruleset import Ruleset
from croupier.once import dataclass
from croupier.rulesets import ruleset

ReadElections: TypeAlias = Callable[[Sequence[str]], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class OddsRequest:
    """A game with all that is chosen beside the edition; `shoe` gives the counts, once the rules are known."""

    game: AnyGame
    version: str
    elections: Mapping[str, object]
    readings: Mapping[str, str]
    shoe: Callable[[Ruleset[Any]], Sequence[int] | None]
    asked: OddsAsked


def priced(this: OddsRequest, edition: str) -> Sheet:
    """The sheet of one edition."""
    if not edition:
        raise ValueError(f"name the edition with --edition; {this.game.name} has {', '.join(this.game.editions)}")
    chosen = ruleset(
        edition, game=this.game.name, version=this.version, elections=this.elections, readings=this.readings
    )
    return sheet(this.game, chosen, this.shoe(chosen), asked=this.asked)


def explained(this: OddsRequest, edition: str, wager: str) -> dict[str, object]:
    """Why a wager is worth what it is."""
    made = priced(this, edition)
    return working.as_json(made, working.explain(this.game, made, wager))


def compared(this: OddsRequest, sides: tuple[str, str], read: ReadElections) -> dict[str, object]:
    """Two rule sets, each an edition with its version and elections; further options hold for both."""
    before, after = (_side(this, text, read) for text in sides)
    return compare.as_json(before, after)


def _side(this: OddsRequest, text: str, read: ReadElections) -> Sheet:
    """`nzd5/full,no_commission,decks=6`, over what was given for both."""
    named, *elected = text.split(",")
    edition, _, version = (part.strip() for part in named.partition("/"))
    return priced(replace(this, version=version, elections={**this.elections, **read(elected)}), edition)
