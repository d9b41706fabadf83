"""What the progressive jackpot pays, and how.

The pool is a number of cents; payouts are exact fractions of a cent until chips round them.  One qualifying hand takes
its prize.  Two or more in one round are paid in the order of the law: the fixed sums, which leave a base; the straight
flushes, each on that base; the royal flushes, which share what is left.  A pool too small for a sum that the law
promises is the operator's loss, and the pool ends at nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from croupier.game import Refusal
from croupier.games.caribbean_stud.hands import class_name
from croupier.games.caribbean_stud.play import StudBox, StudLayout, dealer_qualifies
from croupier.games.caribbean_stud.rules import JackpotPrize, JackpotRules, StudRules
from croupier.money import Cents, ceil_to_chips
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Payout:
    """An exact sum in cents and the rule that gives it."""

    cents: Fraction
    rule: str


def claims(rules: StudRules, layout: StudLayout, box: StudBox) -> bool:
    """Whether a hand wins the jackpot: it entered, stayed in, lies face up and is of a class that qualifies."""
    jackpot = rules.progressive
    if not box.jackpot or box.out or (box.face_down and jackpot.shown.value):
        return False
    if not jackpot.any_dealer.value and not dealer_qualifies(rules, layout):
        return False
    return class_name(rules.ranking, box.cards) in jackpot.prizes


def winners(rules: StudRules, layout: StudLayout) -> tuple[StudBox, ...]:
    """The boxes that win the jackpot, in the order in which they are paid."""
    boxes = [box for box in layout.boxes if claims(rules, layout, box)]
    return tuple(sorted(boxes, key=lambda box: _turn(rules.progressive, class_name(rules.ranking, box.cards))))


def _turn(jackpot: JackpotRules, hand: str) -> int:
    """When a hand is paid among several: 0, 1 or 2."""
    fixed = jackpot.prizes[hand].value.share is None
    if fixed and jackpot.together.first.value == "fixed sums":
        return 0
    return 1 if hand == jackpot.together.second.value else 2


def payouts(jackpot: JackpotRules, pool_cents: Cents, hands: Sequence[str]) -> tuple[Payout, ...]:
    """What each of these qualifying hands of one round is paid."""
    if len(hands) == 1:
        law = jackpot.prizes[hands[0]]
        return (Payout(greater(law.value, Fraction(pool_cents)), law.rule),)
    base = _left(Fraction(pool_cents), [_first(jackpot, hand) for hand in hands if _turn(jackpot, hand) == 0])
    left = _left(base, [_second(jackpot, hand, base) for hand in hands if _turn(jackpot, hand) == 1])
    last = sum(1 for hand in hands if _turn(jackpot, hand) == 2)
    return tuple(_paid(jackpot, hand, base=base, share=left / max(last, 1)) for hand in hands)


def pool_after(pool_cents: Cents, paid: Sequence[Payout]) -> Fraction:
    """What payouts leave of the pool; what it could not give is the operator's."""
    return _left(Fraction(pool_cents), paid)


def _left(pool: Fraction, paid: Sequence[Payout]) -> Fraction:
    return max(Fraction(0), pool - sum(payout.cents for payout in paid))


def greater(prize: JackpotPrize, pool: Fraction) -> Fraction:
    """The sum of a prize, or its share of the pool if that is more."""
    return max(Fraction(prize.sum_cents), (prize.share or 0) * pool)


def _first(jackpot: JackpotRules, hand: str) -> Payout:
    return Payout(Fraction(jackpot.prizes[hand].value.sum_cents), jackpot.together.first.rule)


def _second(jackpot: JackpotRules, hand: str, base: Fraction) -> Payout:
    return Payout(greater(jackpot.prizes[hand].value, base), jackpot.together.second.rule)


def _paid(jackpot: JackpotRules, hand: str, *, base: Fraction, share: Fraction) -> Payout:
    turn = _turn(jackpot, hand)
    if turn == 0:
        return _first(jackpot, hand)
    if turn == 1:
        return _second(jackpot, hand, base)
    least, part = jackpot.together.last_sum_cents, jackpot.together.last_share
    due = part.value * share
    return Payout(due, part.rule) if due > least.value else Payout(Fraction(least.value), least.rule)


def payment(rules: StudRules, hand: str, amount: Fraction, *, by: str, chip: Cents) -> Cents | Refusal:
    """The sum handed over: chips and cash go up to the next chip, a cheque is for the exact cents.

    Cash and cheques are for the hand that the law names and higher ones, at the player's request.
    """
    allowed, order = rules.progressive.by_cheque, rules.ranking.order.value
    if by not in ("chips", "cash", "cheque"):
        return Refusal(f"{by!r} is no way to pay: chips, cash or cheque", allowed.rule)
    if by != "chips" and order.index(hand) < order.index(allowed.value):
        return Refusal(f"a {hand} is paid in chips, not by {by}", allowed.rule)
    return ceil_to_chips(amount, 1 if by == "cheque" else chip)
