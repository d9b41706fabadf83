"""The stakes that choices put down: insurance, doubles and splits, each following the wager it adds to.

What a player has on a hand is read from the wagers that stand: the main wager lies on the first hand, or where it
rides since a split; a split wager lies on its own hand.  So a double or a second split is measured by the wager on
that hand, even when the first hand is bust and gone.

The law measures these stakes by the table's minimum and chips as well.  A main wager remembers both from the sign
under which it was placed (`seen`), and hands them on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from croupier.game import Called, Chosen, Effect, Refusal, Sign, Wager
from croupier.games.blackjack import moves, play
from croupier.games.blackjack.layout import Box, Layout
from croupier.games.blackjack.rules import DOUBLE, INSURANCE, KINDS, MAIN, SPLIT, BlackjackRules
from croupier.money import Cents, dollars, floor_to_chips, payable


class StakeTerms(NamedTuple):
    """What the sign says that an added stake must keep."""

    minimum: Cents = 0
    chip: Cents = 1


NO_TERMS = StakeTerms()
PUT_DOWN = ("insure", "double", "split")
"""The choices that put money down."""


def remembered(sign: Sign) -> tuple[Cents, ...]:
    """What a wager keeps in mind of the sign it was placed under; nothing where the sign asks for nothing."""
    terms = StakeTerms(sign.minimum, sign.chip)
    return () if terms == NO_TERMS else tuple(terms)


def terms_of(wager: Wager) -> StakeTerms:
    minimum, chip = wager.seen or NO_TERMS
    assert isinstance(minimum, int)
    assert isinstance(chip, int)
    return StakeTerms(minimum, chip)


def on_hand(standing: Iterable[Wager], box: int, name: str, hand: int) -> tuple[Wager, ...]:
    """The wagers, other than doubles, that a player has on a hand."""
    mine = [wager for wager in standing if wager.by == name and wager.box == box]
    return tuple([wager for wager in mine if wager.on in (MAIN, SPLIT) and (wager.hand or 1) == hand])


def stakes(
    rules: BlackjackRules, layout: Layout, standing: tuple[Wager, ...], fact: Effect
) -> tuple[Wager, ...] | Refusal:
    """The stakes that a fact puts down; a choice that the play refuses puts down nothing."""
    match fact:
        case Chosen():
            puts_down = fact.option in PUT_DOWN and not isinstance(moves.apply(rules, layout, fact), Refusal)
            return _added(rules, layout, standing, fact) if puts_down else ()
        case Called(call="take"):
            return _locked(rules, layout, standing, fact) or ()
        case _:
            return ()


def _locked(rules: BlackjackRules, layout: Layout, standing: tuple[Wager, ...], fact: Called) -> Refusal | None:
    """Once the first card is out a wager stays until it is settled; what is settled lies apart, and may be taken up."""
    law = rules.withdrawn if fact.on == MAIN else rules.additions_withdrawn
    if not any(wager.by == fact.by and wager.on == fact.on for wager in standing):
        if layout.cards and fact.on in KINDS and any(fact.by in box.bettors for box in layout.boxes):
            return None
        missing = f"no such wager of {fact.by or 'this player'} stands" if fact.on else "it names no wager"
        return Refusal(missing, rules.closing.rule, on=f"take {fact.on}".strip())
    if not layout.cards or law.value:
        return None
    return Refusal("no wager is withdrawn before it is decided and settled", law.rule, on=fact.on)


def _added(
    rules: BlackjackRules, layout: Layout, standing: tuple[Wager, ...], fact: Chosen
) -> tuple[Wager, ...] | Refusal:
    if fact.option == "insure":
        box = moves.boxes_meant(layout, fact)[0]
        base = on_hand(standing, box.number, fact.by or box.seated, 1)
        return _insured(rules, base, fact.amount_cents) if base else ()
    now = play.turn(rules, layout)
    assert now.box is not None
    assert now.hand is not None
    name = _adds(rules, now, fact)
    base = on_hand(standing, now.box.number, name, now.hand.number)
    if not base:
        return ()
    if fact.option == "double":
        if any((w.on, w.box, w.by, w.hand) == (DOUBLE, now.box.number, name, now.hand.number) for w in standing):
            return Refusal(
                f"{name or 'the player'} has doubled, and the wager is locked", rules.additions_withdrawn.rule
            )
        return _doubled(rules, base, now.hand.number, fact.amount_cents)
    return _covered(rules, base, _new_hand(now.box), fact.amount_cents)


def _adds(rules: BlackjackRules, now: play.Turn, fact: Chosen) -> str:
    """Who puts the stake down: the seated player, or another who joins."""
    assert now.box is not None
    if now.box.asked:
        return fact.by or now.box.asked[0]
    return fact.by if moves.joins_double(rules, now, fact) else now.box.seated


def _new_hand(box: Box) -> int:
    """The number of the hand that a split forms, or has just formed."""
    return box.parted[1].number if box.asked else len(box.hands) + 1


def _stake(on: str, base: tuple[Wager, ...], amount: Cents, hand: int) -> Wager:
    first = base[0]
    of = first.number if first.of is None else first.of
    return Wager(on, amount, first.by, first.box, hand, of=of, seen=first.seen)


def original(base: tuple[Wager, ...]) -> Cents:
    return sum(wager.stake_cents for wager in base)


def _insured(rules: BlackjackRules, base: tuple[Wager, ...], amount: Cents) -> tuple[Wager, ...] | Refusal:
    terms = terms_of(base[0])
    most = original(base) * rules.insurance.part.value
    amount = amount or floor_to_chips(most, terms.chip)
    refusal = why_no_insurance(rules, original(base), amount, terms)
    return refusal or (_stake(INSURANCE, base, amount, 1),)


def why_no_insurance(rules: BlackjackRules, staked: Cents, amount: Cents, terms: StakeTerms) -> Refusal | None:
    """Why an insurance of this amount is refused: at most half the wager, at least the minimum, payable if it wins."""
    insurance = rules.insurance
    if amount > staked * insurance.part.value:
        reason = f"insurance of {dollars(amount)} is above half the wager of {dollars(staked)}"
        return Refusal(reason, insurance.part.rule)
    if insurance.least_is_minimum.value and amount < max(terms.minimum, 1):
        reason = f"insurance of {dollars(amount)} is below the minimum of {dollars(max(terms.minimum, 1))}"
        return Refusal(reason, insurance.least_is_minimum.rule)
    if insurance.payable.value and not payable(insurance.pays.value.net(amount), terms.chip):
        return Refusal(f"insurance of {dollars(amount)} could not be paid in chips", insurance.payable.rule)
    return None


def _doubled(rules: BlackjackRules, base: tuple[Wager, ...], hand: int, amount: Cents) -> tuple[Wager, ...] | Refusal:
    double, terms = rules.double, terms_of(base[0])
    most = original(base) * double.part.value
    amount = amount or floor_to_chips(most, 1)
    if amount > most:
        return Refusal(
            f"a double of {dollars(amount)} is above the wager of {dollars(original(base))}", double.part.rule
        )
    if double.least_is_minimum.value and amount < terms.minimum:
        reason = f"a double of {dollars(amount)} is below the minimum of {dollars(terms.minimum)}"
        return Refusal(reason, double.least_is_minimum.rule)
    return (_stake(DOUBLE, base, amount, hand),)


def _covered(rules: BlackjackRules, base: tuple[Wager, ...], hand: int, amount: Cents) -> tuple[Wager, ...] | Refusal:
    """A split wager is equal to the wager on the hand that is split."""
    equal = floor_to_chips(original(base) * rules.split.part.value, 1)
    if amount not in (0, equal):
        return Refusal(f"a split wager of {dollars(amount)} is not equal to {dollars(equal)}", rules.split.part.rule)
    return (_stake(SPLIT, base, equal, hand),)
