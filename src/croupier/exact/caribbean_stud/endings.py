"""What each ending of a deal comes to: the game's own judge is asked once for each class of hands and each ending.

All that a resolution depends on is the class of the player's hand and how it fares: folded, no hand of the dealer's,
higher, equal, lower.  So a hand is laid out for each, the choice is applied, and `judge` says what becomes of the ante,
the bet and the jackpot wager.  Which pay, at what odds and under which rule is nowhere repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import TypeAlias, assert_never

import numpy as np

from croupier.equipment import Card
from croupier.exact.automaton import STAKE
from croupier.exact.caribbean_stud.counting import EQUAL, FOLDED, HIGHER, LOWER, NO_HAND, Ints
from croupier.exact.caribbean_stud.patterns import Patterns, qualifying
from croupier.game import Chosen, Lost, Refusal, Resolution, StandOff, Void, Wager, Won, granted
from croupier.games.caribbean_stud.bets import judge, maximum_payout, stakes
from croupier.games.caribbean_stud.play import StudBox, StudLayout, apply, hand_size
from croupier.games.caribbean_stud.rules import ANTE, BET, FOLD, JACKPOT, StudRules
from croupier.money import Cents
from croupier.once import dataclass

LARGEST = 1 << 63


@dataclass(frozen=True, slots=True)
class StudEnding:
    """How the wagers of a hand end, the stakes being in units of the ante; no bet where the hand is folded."""

    ante: Resolution
    bet: Resolution | None
    bet_of_ante: Fraction
    jackpot: Resolution

    @property
    def net(self) -> Fraction:
        """What ante and bet come to together, in antes."""
        return net_of(self.ante) + (self.bet_of_ante * net_of(self.bet) if self.bet else 0)


Endings: TypeAlias = Mapping[tuple[int, int], StudEnding]
"""By class of the player's hand, as its place in the order, and ending; those that cannot be are left out."""


def net_of(resolution: Resolution) -> Fraction:
    """What a stake of one comes to."""
    match resolution:
        case Won(odds=odds, part=part, stake_back=stake_back):
            return part * (odds.fraction + stake_back) - 1
        case Lost():
            return Fraction(-1)
        case StandOff() | Void():
            return Fraction(0)
        case unreachable:
            assert_never(unreachable)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes that are judged, in cents, and the jackpot's pool."""

    ante_cents: Cents = STAKE
    jackpot_cents: Cents = STAKE
    pool_cents: Cents = 0


def checked(rules: StudRules, ante_cents: Cents | None) -> Stakes:
    """The stakes for rules that this engine can count; bad input raises `ValueError` with one line."""
    if rules.decks.value != 1:
        raise ValueError(f"{rules.decks.value} decks: this count is for one ({rules.decks.rule})")
    if hand_size(rules) != 5:
        raise ValueError(f"hands of {hand_size(rules)} cards: this count is for five")
    cap = maximum_payout(rules)
    if isinstance(cap, Refusal):
        raise ValueError(f"{cap.reason} ({cap.rule})")
    if cap is not None and ante_cents is None:
        raise ValueError(f"a maximum payout is a sum: give the ante that it caps ({rules.maximum_payout.rule})")
    if ante_cents is not None and ante_cents < 1:
        raise ValueError(f"an ante of {ante_cents} cents")
    return Stakes() if ante_cents is None else Stakes(ante_cents=ante_cents)


def endings(rules: StudRules, known: Patterns, staked: Stakes) -> Endings:
    """What the judge says of every class of hands and every ending."""
    found = {}
    qualifies = qualifying(known, rules.qualifies.value)
    least = int(np.argmax(qualifies))
    for kind in range(len(known.ranking.order.value)):
        of_class = np.flatnonzero(known.classes == kind)
        if not len(of_class):
            continue
        best = int(of_class[-1])
        dealers = {FOLDED: best, HIGHER: least if least < best else None, LOWER: len(known.hands) - 1}
        dealers |= {NO_HAND: None if qualifies[0] else 0, EQUAL: best if qualifies[best] else None}
        if best == len(known.hands) - 1:
            del dealers[LOWER]
        for end, dealer in dealers.items():
            if dealer is not None:
                found[kind, end] = _played(rules, known.hands[best], known.hands[dealer], staked, option=_option(end))
    return found


def _option(end: int) -> str:
    return FOLD if end == FOLDED else BET


def _played(
    rules: StudRules, hand: tuple[Card, ...], dealer: tuple[Card, ...], staked: Stakes, *, option: str
) -> StudEnding:
    """A layout with these hands, after the player's choice.  The two may share cards: only their values count."""
    before = StudLayout((StudBox(1, cards=hand, jackpot=True),), dealer)
    ante = Wager(ANTE, staked.ante_cents, number=0)
    jackpot = Wager(JACKPOT, staked.jackpot_cents, number=1, seen=(staked.pool_cents,))
    fact = Chosen(option)
    after = granted(apply(rules, before, fact))
    further = granted(stakes(rules, before, (ante, jackpot), fact))

    def decided(wager: Wager) -> Resolution:
        resolution = judge(rules, wager, before, fact, after)
        assert not isinstance(resolution, Wager), resolution
        return resolution

    bet = decided(further[0]) if further else None
    times = Fraction(further[0].stake_cents, ante.stake_cents) if further else Fraction(0)
    return StudEnding(decided(ante), bet, times, decided(jackpot))


def whole_pays(found: Endings, classes: int, *, dealers: int) -> tuple[Ints, int]:
    """The nets as whole numbers of a part of the ante, by class and ending, and how many parts make an ante.

    Raises `ValueError` if a net times the dealer's hands against an up card could pass 64 bits.
    """
    parts = lcm(*(ending.net.denominator for ending in found.values()))
    largest = max(abs(ending.net) for ending in found.values()) * parts
    if largest * dealers >= LARGEST:
        raise ValueError(f"odds too large or too uneven to be counted exactly: {largest} parts of an ante")
    pays = np.zeros((classes, 5), np.int64)
    for (kind, end), ending in found.items():
        pays[kind, end] = int(ending.net * parts)
    return pays, parts
