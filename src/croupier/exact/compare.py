"""Two rule sets side by side: what a change of the rules is worth in money, wager by wager.

The edge is a share of what is placed, so the difference of two edges is what an amendment moves between the house and
the players: it is told as money per 100 dollars placed, positive where the house gains.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.exact.sheet import Sheet, ratio, shoe_json
from croupier.exact.ways import Pay, Worth
from croupier.once import dataclass

HUNDRED_DOLLARS_IN_CENTS = 100_00


@dataclass(frozen=True, slots=True)
class WagerChange:
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


def compare(before: Sheet, after: Sheet) -> tuple[WagerChange, ...]:
    """Every wager of either sheet, in the order of the first, then those that only the second has."""
    if before.ruleset.game != after.ruleset.game:
        raise ValueError(f"{before.ruleset.game} cannot be compared with {after.ruleset.game}")
    olds, news = ({(line.wager, line.policy): line for line in side.lines} for side in (before, after))
    return tuple(WagerChange(*key, olds.get(key), news.get(key)) for key in dict.fromkeys((*olds, *news)))


def as_json(before: Sheet, after: Sheet) -> dict[str, object]:
    """The comparison in the public form."""
    taken = _with_odds(before, after)
    return {
        "game": before.ruleset.game,
        "before": _side(before),
        "after": _side(after),
        "per_cents": HUNDRED_DOLLARS_IN_CENTS,
        "wagers": [_change(each) for each in compare(before, after)],
        **({"with_odds": taken} if taken else {}),
        "warnings": [
            f"{side.ruleset.edition} {side.ruleset.version}: {warning}"
            for side in (before, after)
            for warning in side.warnings
        ],
        "warned": [
            {"edition": side.ruleset.edition, "version": side.ruleset.version, **warned}
            for side in (before, after)
            for warned in side.warned
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
        **chosen.marked,
        **shoe_json(this),
    }


def _with_odds(before: Sheet, after: Sheet) -> list[dict[str, object]]:
    """Line bets with their odds under both rule sets, where a size that only one permits has no other side."""
    olds, news = (
        {(each.wager, each.odds, each.times): each.edge for each in side.with_odds} for side in (before, after)
    )
    found = []
    for key in dict.fromkeys((*olds, *news)):
        edges = olds.get(key), news.get(key)
        gain = None if edges[0] is None or edges[1] is None else edges[1] - edges[0]
        found.append(
            {
                **dict(zip(("wager", "odds", "times"), key, strict=True)),
                **dict(zip(("before", "after"), map(_edge, edges), strict=True)),
                **_gain(gain),
            }
        )
    return found


def _edge(edge: Fraction | None) -> dict[str, object] | None:
    if edge is None:
        return None
    return {
        "edge": ratio(edge),
        "edge_percent": float(edge * 100),
        "house_keeps_cents": float(edge * HUNDRED_DOLLARS_IN_CENTS),
    }


def _gain(gain: Fraction | None) -> dict[str, object]:
    return {
        "change": None if gain is None else ratio(gain),
        "house_gains_cents": None if gain is None else float(gain * HUNDRED_DOLLARS_IN_CENTS),
    }


def _change(this: WagerChange) -> dict[str, object]:
    return {
        "wager": this.wager,
        "policy": this.policy or None,
        "before": _worth(this.before),
        "after": _worth(this.after),
        **_gain(this.gain),
        "because": _because(this),
    }


def _worth(line: Worth | None) -> dict[str, object] | None:
    if line is None:
        return None
    known = _edge(line.edge) or {}
    return {
        **(known if not line.needs else dict.fromkeys(known)),
        "method": line.stated_method,
        "pays": [{"result": pay.result, "odds": pay.odds, "rule": pay.rule} for pay in line.pays if pay.odds],
    }


def _because(this: WagerChange) -> list[dict[str, object]]:
    """The payments that differ, each with its rules; no word of rounds that only come up more or less often."""
    if this.before is None or this.after is None:
        return []
    olds, news = ({pay.result: pay for pay in line.pays if pay.odds} for line in (this.before, this.after))
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


def _odds(side: dict[str, Pay], result: str) -> str | None:
    return side[result].odds if result in side else None
