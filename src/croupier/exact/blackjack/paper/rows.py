"""The public form of a row of the odds sheet.

All numbers of an exact row are fractions.  Those of a row in doubles are decimal fractions of at most `DIGITS` digits,
set so that the chances of all results add up to one: what rounding leaves goes to the likeliest result, where it is
smallest beside the chance itself.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Literal, TypeAlias

from croupier.exact.blackjack.shares import Share
from croupier.exact.ways import Worth
from croupier.once import dataclass

Method: TypeAlias = Literal["exact", "float"]
DIGITS = 18


@dataclass(frozen=True, slots=True)
class BlackjackRow:
    """A wager with the play it depends on (empty: on none).

    `method` tells of the edge, `shares` of the chances and the variance; `note` says what the play is best among.
    """

    worth: Worth
    policy: str
    method: Method
    shares: Method
    note: str = ""


def decimal(value: float | Fraction) -> Fraction:
    """A double as a decimal fraction."""
    return Fraction(round(Fraction(value) * 10**DIGITS), 10**DIGITS)


def completed(listed: tuple[Share, ...]) -> tuple[Share, ...]:
    """Results whose chances are decimal fractions that add up to one; those that are no more than rounding go."""
    kept = [replace(share, chance=decimal(share.chance)) for share in listed if decimal(share.chance) > 0]
    likeliest = max(range(len(kept)), key=lambda at: kept[at].chance)
    missing = 1 - sum(Fraction(share.chance) for share in kept)
    kept[likeliest] = replace(kept[likeliest], chance=kept[likeliest].chance + missing)
    return tuple(kept)


def public(row: BlackjackRow) -> dict[str, object]:
    """A row as the odds command prints it: fractions as text in lowest terms.

    `note` and `shares` are there only where they say something: what the play is best among and whether a search found
    it; and that only the edge is exact.
    """
    worth = row.worth
    return {
        "wager": worth.wager,
        "win": _ratio(worth.win),
        "lose": _ratio(worth.lose),
        "standoff": _ratio(worth.standoff),
        "void": _ratio(worth.void),
        "edge": _ratio(worth.edge),
        "edge_percent": float(worth.edge * 100),
        "sd": sqrt(worth.variance),
        "pays": [
            {"result": pay.result, "odds": pay.odds, "probability": _ratio(pay.probability), "rule": pay.rule}
            for pay in worth.pays
        ],
        "offered": _ratio(worth.offered),
        "policy": row.policy or None,
        "method": row.method,
        "rules": list(worth.rules),
        **({"note": row.note} if row.note else {}),
        **({"shares": row.shares} if row.shares != row.method else {}),
    }


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
