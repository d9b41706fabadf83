"""Wagers below the minimum that were made and accepted all the same: they count once a bettor, then they are void.

A live table refuses them when they are offered, and looks so at those found later; a hearing is told of wagers that
were made, and asks it of all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from croupier.game import Sign, Void, Wager
from croupier.law.model import Law
from croupier.law.ruleset import Ruleset
from croupier.round import AnyRound, BookLine


@dataclass(slots=True)
class Tolerance:
    """The law on wagers below the minimum that were made and accepted all the same: they count once a bettor."""

    law: Law[bool]
    minimum: int
    apart: frozenset[str]
    used: set[str] = field(default_factory=set)

    def voids(self, wager: Wager) -> bool:
        below = 0 < wager.stake_cents < self.minimum and not wager.voided_cents and wager.on not in self.apart
        if not below or wager.by not in self.used:
            self.used |= {wager.by} if below else set()
            return False
        return True


def once_below(this: AnyRound, tolerance: Tolerance, first: int) -> AnyRound:
    """The book with every further wager of a bettor below the minimum void."""

    def judged(entry: BookLine) -> BookLine:
        wager = entry.wager
        if wager.number < first or entry.resolution or not tolerance.voids(wager):
            return entry
        rule = tolerance.law.rule
        void = msgspec.structs.replace(wager, stake_cents=0, voided_cents=wager.stake_cents, void_rule=rule)
        return BookLine(void, Void(rule))

    book = tuple(map(judged, this.book))
    voided = {entry.wager.number: entry for entry in book}
    start = tuple(voided.get(entry.wager.number, entry) for entry in this.start)
    return msgspec.structs.replace(this, book=book, start=start)


def tolerance_of(chosen: Ruleset[Any], sign: Sign) -> Tolerance:
    """Amounts that the sign displays for a wager of their own are not measured by the minimum."""
    return Tolerance(chosen.law.general.limits.under_minimum_once, sign.minimum, frozenset(chosen.layout.as_displayed))
