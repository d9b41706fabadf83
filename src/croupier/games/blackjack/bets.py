"""The bets of blackjack: how each is decided.

`judge` watches one wager.  A wager on a hand is lost when the hand is bust, paid early when a blackjack is, and else
waits for the dealer.  Against a dealer's ace and ten only the original wager is taken; the reading `dealer_blackjack`
says which of the wagers on split hands that is.  Super Sevens remembers its first cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace as changed

from croupier.equipment import Card, rank, suit
from croupier.game import Called, CardSeen, Chosen, Effect, Lost, Resolution, Ruling, StandOff, Void, Wager, Won
from croupier.games.blackjack.layout import (
    Box,
    Hand,
    Layout,
    count,
    finished,
    has_blackjack,
    is_bust,
    natural,
    points,
)
from croupier.games.blackjack.play import is_over
from croupier.games.blackjack.rules import DOUBLE, MAIN, SPLIT, BlackjackRules, Decision
from croupier.law.model import Law, present
from croupier.money import Odds
from croupier.once import once_of_both

HALF = Fraction(1, 2)
"""What goes back of a stake that was given up."""


def judge(rules: BlackjackRules, wager: Wager, before: Layout, fact: Effect, after: Layout) -> Wager | Resolution:
    """The wager after this fact: itself, what it now remembers, or how it was decided."""
    if after.void:
        return Void(after.void)
    box, was = after.box(wager.box), before.box(wager.box)
    if (
        box is None
        or was is None
        or wager.by not in box.bettors
        or (type(fact) is Called and _taken(wager, before, fact))
    ):
        return Void(rules.closing.rule, "taken back")
    if box is was and type(fact) is CardSeen and _dealt_on(rules, before) == _dealt_on(rules, after):
        # The card came to another box, and what this one waits for has not come: the rest would find the same.
        return wager
    if box.omitted and len(box.hands[0].cards) < 2 and len(after.dealer) > 1:
        return Void(rules.irregularities["omitted_box"][-1].rule, "left out")
    match wager.on:
        case "insurance":
            return _judge_insurance(rules, wager, box, after)
        case "super_sevens":
            return _judge_sevens(rules, wager, was, fact, box=box, after=after)
        case _:
            return _judge_hand(rules, _riding(wager, was, fact, box), was, box=box, after=after)


@once_of_both
def _dealt_on(rules: BlackjackRules, layout: Layout) -> tuple[int, str, bool]:
    """What of a layout concerns the wagers of every box: the dealer's cards, and whether nothing more is due."""
    return len(layout.dealer), layout.missed, is_over(rules, layout)


def _taken(wager: Wager, before: Layout, call: Called) -> bool:
    """Whether the wager was taken back before the first card."""
    return (call.call, call.by, call.on) == ("take", wager.by, wager.on) and not before.cards


def _riding(wager: Wager, was: Box, fact: Effect, box: Box) -> Wager:
    """The wager where it lies now: another player's may ride on one of two split hands."""
    answered = wager.by in was.asked and wager.by not in box.asked
    if not answered or not isinstance(fact, Chosen) or fact.option != "ride":
        return wager
    parts = {hand.number for hand in was.parted}
    return changed(wager, hand=fact.hand) if (wager.hand or 1) in parts else wager


def _judge_hand(rules: BlackjackRules, wager: Wager, was: Box, *, box: Box, after: Layout) -> Wager | Resolution:
    """A wager on a hand: the main one, or what a double or split added."""
    hand = box.hand(wager.hand)
    blackjacks = rules.blackjacks
    if hand.void:
        return Void(hand.void)
    if wager.by in box.paid and wager.by not in was.paid:
        return Won(blackjacks.even_money.value, blackjacks.even_money.rule, "even money")
    if has_blackjack(rules, hand) and _paid_at_once(rules, after):
        return Won(blackjacks.pays.value, blackjacks.at_once.rule, "blackjack")
    if hand.said == "surrender" and present(rules.surrender):
        return Lost(rules.surrender.rule, "surrender", HALF)
    if is_bust(rules, hand) and not _bust_waits(rules, wager, box, after):
        return Lost(rules.bust_taken.rule, "bust")
    return _at_the_end(rules, wager, box, hand, after=after) if is_over(rules, after) else wager


def _paid_at_once(rules: BlackjackRules, layout: Layout) -> bool:
    blackjacks = rules.blackjacks
    if layout.missed or not layout.dealer:
        return False
    return points(rules, layout.dealer[0]) in blackjacks.at_once.value - blackjacks.waits.value


def _bust_waits(rules: BlackjackRules, wager: Wager, box: Box, layout: Layout) -> bool:
    """Whether a bust is not yet final: it could be given back."""
    if rules.bust_taken.value != "at once" or (layout.missed == "found" and not box.answer):
        return True
    return rules.dealer_blackjack.value.elected == "original_only" and wager.on == SPLIT


class Standing(NamedTuple):
    """The two hands as rule 4.1 compares them."""

    player: int
    dealer: int
    player_blackjack: bool
    dealer_blackjack: bool
    limit: int


WHEN: Mapping[str, Callable[[Standing], bool]] = {
    "player over": lambda it: it.player > it.limit,
    "dealer over": lambda it: it.dealer > it.limit,
    "player above": lambda it: it.player > it.dealer,
    "blackjack against other": lambda it: it.player == it.dealer and it.player_blackjack and not it.dealer_blackjack,
    "other against blackjack": lambda it: it.player == it.dealer and it.dealer_blackjack and not it.player_blackjack,
    "equal": lambda it: it.player == it.dealer,
    "dealer above": lambda it: it.dealer > it.player,
}


def decision(rules: BlackjackRules, layout: Layout, hand: Hand) -> Law[Decision]:
    """The paragraph of 4.1 that decides a hand against the dealer's."""
    dealer_blackjack = natural(rules, layout.dealer) and (rules.deemed_blackjack.value or not layout.missed)
    it = Standing(
        count(rules, hand.cards).points,
        count(rules, layout.dealer).points,
        has_blackjack(rules, hand),
        dealer_blackjack,
        rules.limit.value,
    )
    return next(law for law in rules.decisions if WHEN[law.value.when](it))


def _at_the_end(rules: BlackjackRules, wager: Wager, box: Box, hand: Hand, *, after: Layout) -> Resolution:
    law = decision(rules, after, hand)
    match law.value.result:
        case "win":
            return _paid(rules, wager, hand, after)
        case "stand off":
            return StandOff(law.rule)
        case "lose":
            back = given_back(rules, wager, box, hand, after=after)
            return StandOff(back, "standoff", "returned") if back else Lost(law.rule)


def _paid(rules: BlackjackRules, wager: Wager, hand: Hand, layout: Layout) -> Won:
    blackjacks = rules.blackjacks
    if has_blackjack(rules, hand):
        waited = not layout.missed and points(rules, layout.dealer[0]) in blackjacks.waits.value
        return Won(blackjacks.pays.value, blackjacks.waits.rule if waited else blackjacks.pays.rule, "blackjack")
    pays = _pays(rules, wager, hand)
    return Won(pays.value, pays.rule)


def _pays(rules: BlackjackRules, wager: Wager, hand: Hand) -> Law[Odds]:
    if wager.on == DOUBLE:
        return rules.double.pays
    return rules.split.pays if hand.split else rules.pays


def given_back(rules: BlackjackRules, wager: Wager, box: Box, hand: Hand, *, after: Layout) -> str | None:
    """The rule that gives a losing wager back, since a dealer's ace and ten take only the original."""
    if not natural(rules, after.dealer):
        return None
    if wager.on == DOUBLE:
        return rules.double.given_back.rule if rules.double.given_back.value else None
    reading = rules.dealer_blackjack
    if not hand.split or (is_bust(rules, hand) and reading.value.elected != "original_only"):
        return None
    if reading.value.elected == "busted_plus_one":
        return None if hand == _first_live(rules, box, wager.by) else reading.rule
    return None if wager.on == MAIN else reading.rule


def _first_live(rules: BlackjackRules, box: Box, name: str) -> Hand | None:
    """The first hand of a player, in the order of play, that is neither bust nor void."""
    mine = (hand for hand in box.hands if name == box.seated or name in hand.backers)
    return next((hand for hand in mine if not hand.void and not is_bust(rules, hand)), None)


# ---------------------------------------------------------------- the side bets


def _judge_insurance(rules: BlackjackRules, wager: Wager, box: Box, layout: Layout) -> Wager | Resolution:
    insurance = rules.insurance
    if box.void:
        return Void(box.void)
    if wager.by not in box.insured:
        return Void(rules.irregularities["omitted_box"][0].rule, "undone")
    if len(layout.dealer) < insurance.taken_at.value:
        return wager
    if points(rules, layout.dealer[1]) in insurance.wins_on.value:
        return Won(insurance.pays.value, insurance.pays.rule)
    return Lost(insurance.taken_at.rule)


def _judge_sevens(
    rules: BlackjackRules, wager: Wager, was: Box, fact: Effect, *, box: Box, after: Layout
) -> Wager | Resolution:
    """Super Sevens looks at the first three cards of the box and remembers the suits of its sevens."""
    if box.void:
        return Void(box.void)
    cards, before = box.hand(1).cards, was.hand(1).cards
    split = len(box.hands) > 1
    if isinstance(fact, Ruling):
        wager = changed(wager, seen=tuple(_seven(rules, card) for card in cards[:3]))
    elif len(cards) > len(before) and not split:
        wager = changed(wager, seen=(*wager.seen, _seven(rules, cards[-1]))[:3])
    result = _sevens_result(rules, wager, split=split, closed=finished(rules, box.hand(1)))
    ripe = rules.sevens.at_once.value or is_over(rules, after)
    return result if result and ripe else wager


def _seven(rules: BlackjackRules, card: Card) -> int:
    """The suit of a seven; -1 for any other card."""
    return suit(card) if rank(card) + 1 == rules.sevens.figure.value else -1


def _sevens_result(rules: BlackjackRules, wager: Wager, *, split: bool, closed: bool) -> Resolution | None:
    """How Super Sevens stands after the cards seen, or None while it is open."""
    sevens, seen = rules.sevens, wager.seen
    run = seen.index(-1) if -1 in seen else len(seen)
    suited = len(set(seen[:run])) == 1
    if run == 0 and seen:
        other = sevens.otherwise
        return Lost(other.rule) if other.value == "lose" else StandOff(other.rule)
    if run == 3:
        pays = sevens.three_suited if suited else sevens.three
        return Won(pays.value, pays.rule, "three sevens of one suit" if suited else "three sevens")
    if run == 2:
        return _two_sevens(rules, suited=suited, split=split, ended=closed or len(seen) == 3)
    if len(seen) > 1:
        return Won(sevens.one.value, sevens.one.rule, "one seven")
    return None


def _two_sevens(rules: BlackjackRules, *, suited: bool, split: bool, ended: bool) -> Won | None:
    sevens = rules.sevens
    pays = sevens.two_suited if suited else sevens.two
    result = "two sevens of one suit" if suited else "two sevens"
    if split and sevens.on_split.value == "paid":
        return Won(pays.value, sevens.on_split.rule, result)
    return Won(pays.value, pays.rule, result) if ended else None
