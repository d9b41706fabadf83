"""Pay scales from outside the gazettes, which an operator may elect by naming their source.

Electronic Baccarat names the Dragon Bonus but the section with its odds is not printed in any document at hand.  So no
scale is in force unless the operator elects one.  It is either one of the published scales below, by its key, or a
TOML text of the operator's own with `source`, `natural` and `margins`; it is never shown as gazetted.  Anything else
raises `NotPermitted`, as every election does that the law has no room for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import NotPermitted
from croupier.games.baccarat.rules import MarginBet
from croupier.money import Odds, to

PUBLISHED: Mapping[str, tuple[str, Odds, Mapping[int, Odds]]] = {
    "nevada": (
        "Dragon Bonus as commonly offered in Nevada (Wizard of Odds, Baccarat side bets)",
        to(1),
        {9: to(30), 8: to(10), 7: to(6), 6: to(4), 5: to(2), 4: to(1)},
    ),
}


def margin_bet(elected: str, rule: str) -> MarginBet:
    """The scale an operator elected: the key of a published one, or a TOML text that names its source."""
    if elected in PUBLISHED:
        source, natural, margins = PUBLISHED[elected]
        return MarginBet(source, natural, margins, rule)
    return _own_scale(elected, rule)


def _own_scale(text: str, rule: str) -> MarginBet:
    import tomllib

    try:
        return _read(tomllib.loads(text), rule)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        known = ", ".join(PUBLISHED)
        raise NotPermitted(
            f"election dragon_bonus={text[:60]!r} is neither a published scale ({known}) nor a TOML text with source, "
            f"natural and margins from 1 to 9",
            rule,
        ) from error


def _read(scale: Mapping[str, Any], rule: str) -> MarginBet:
    source, margins = scale["source"], {int(margin): _odds(win) for margin, win in scale["margins"].items()}
    if not isinstance(source, str) or not source.strip() or set(scale) != {"source", "natural", "margins"}:
        raise ValueError("a scale is its source, natural and margins")
    if not margins or not all(1 <= margin <= 9 for margin in margins):
        raise ValueError("margins are from 1 to 9")
    return MarginBet(source, _odds(scale["natural"]), margins, rule)


def _odds(win: object) -> Odds:
    if type(win) is not int:
        raise TypeError(f"odds to one are a whole number: {win!r}")
    return to(win)
