"""Pay scales from outside the gazettes, which an operator may elect by naming their source.

Electronic Baccarat names the Dragon Bonus but the section with its odds is not printed in any document at hand.  So no
scale is in force unless the operator elects one.  It is either one of the published scales below, by its key, or a
TOML text of the operator's own with `source`, `natural` and `margins`; it is never shown as gazetted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

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
    try:
        scale = tomllib.loads(text)
        margins = {int(margin): to(int(odds)) for margin, odds in scale["margins"].items()}
        return MarginBet(str(scale["source"]), to(int(scale["natural"])), margins, rule)
    except (tomllib.TOMLDecodeError, KeyError, ValueError, AttributeError) as error:
        known = ", ".join(PUBLISHED)
        raise ValueError(
            f"dragon_bonus: {text[:60]!r} is neither a published scale ({known}) nor a TOML text with source, "
            f"natural and margins"
        ) from error
