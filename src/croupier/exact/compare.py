"""Two rule sets side by side: what a change of the rules is worth in money, wager by wager.

The edge is a share of what is placed, so the difference of two edges is what an amendment moves between the house and
the players: it is told as money per 100 dollars placed, positive where the house gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from croupier.exact.sheet import Sheet, ratio
from croupier.exact.ways import Pay, Worth

HUNDRED_DOLLARS_IN_CENTS = 100_00


@dataclass(frozen=True, slots=True)
class Change:
    """A wager under both rule sets; either may be without it."""

    wager: str
    policy: str
    before: Worth | None
    after: Worth | None

    @property
    def gain(self) -> Fraction | None:
        """What the house gains per unit placed; None where one side has no such wager or no known edge."""
        sides = (self.before, self.after)
        if any(side is None or side.needs for side in sides) or self.before is None or self.after is None:
            return None
        return self.after.edge - self.before.edge


def compare(before: Sheet, after: Sheet) -> tuple[Change, ...]:
    """Every wager of either sheet, in the order of the first, then those that only the second has."""
    if before.ruleset.game != after.ruleset.game:
        raise ValueError(f"{before.ruleset.game} cannot be compared with {after.ruleset.game}")
    olds, news = ({(line.wager, line.policy): line for line in side.lines} for side in (before, after))
    return tuple(Change(*key, olds.get(key), news.get(key)) for key in dict.fromkeys((*olds, *news)))


def as_json(before: Sheet, after: Sheet) -> dict[str, object]:
    """The comparison in the public form."""
    return {
        "game": before.ruleset.game,
        "before": _side(before),
        "after": _side(after),
        "per_cents": HUNDRED_DOLLARS_IN_CENTS,
        "wagers": [_change(each) for each in compare(before, after)],
        "warnings": [
            f"{side.ruleset.edition} {side.ruleset.version}: {warning}"
            for side in (before, after)
            for warning in side.warnings
        ],
    }


def _side(this: Sheet) -> dict[str, object]:
    chosen = this.ruleset
    return {
        "edition": chosen.edition,
        "version": chosen.version,
        "decks": this.decks,
        "elections": chosen.elections,
        "readings": dict(chosen.readings),
        "ruleset": chosen.hash,
    }


def _change(this: Change) -> dict[str, object]:
    gain = this.gain
    return {
        "wager": this.wager,
        "policy": this.policy or None,
        "before": _worth(this.before),
        "after": _worth(this.after),
        "change": None if gain is None else ratio(gain),
        "house_gains_cents": None if gain is None else float(gain * HUNDRED_DOLLARS_IN_CENTS),
        "because": _because(this),
    }


def _worth(line: Worth | None) -> dict[str, object] | None:
    if line is None:
        return None
    known = not line.needs
    return {
        "edge": ratio(line.edge) if known else None,
        "edge_percent": float(line.edge * 100) if known else None,
        "house_keeps_cents": float(line.edge * HUNDRED_DOLLARS_IN_CENTS) if known else None,
        "method": line.method,
        "pays": [{"result": pay.result, "odds": pay.odds, "rule": pay.rule} for pay in line.pays if pay.odds],
    }


def _because(this: Change) -> list[dict[str, object]]:
    """The payments that differ, each with its rules; no word of rounds that only come up more or less often."""
    if this.before is None or this.after is None:
        return []
    olds, news = (_paying(line) for line in (this.before, this.after))
    differ = [result for result in dict.fromkeys((*olds, *news)) if _odds(olds, result) != _odds(news, result)]
    return [
        {
            "result": result,
            "before": _odds(olds, result),
            "after": _odds(news, result),
            "rules": [side[result].rule for side in (olds, news) if result in side],
        }
        for result in differ
    ]


def _paying(line: Worth) -> dict[str, Pay]:
    return {pay.result: pay for pay in line.pays if pay.odds}


def _odds(side: dict[str, Pay], result: str) -> str | None:
    return side[result].odds if result in side else None
