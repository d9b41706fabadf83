"""What the dealer says and picks up, and whom the operator may hold to the minimum after a late entry.

Settlement follows the cards, never the figure announced; the announcements are a service to the players.
"""

from __future__ import annotations

from collections.abc import Container

from croupier.equipment import Card
from croupier.game import Choose, Refusal
from croupier.games.blackjack.layout import Box, Hand, Layout, count, has_blackjack, is_bust, points
from croupier.games.blackjack.play import is_over, place, turn
from croupier.games.blackjack.rules import BlackjackRules
from croupier.law.model import Law
from croupier.law.officials import DEALER
from croupier.money import Cents, dollars
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Announcement:
    text: str
    rule: str


def total_words(rules: BlackjackRules, cards: tuple[Card, ...]) -> str:
    """A total as the dealer says it: `soft 17`, `hard 17`."""
    total = count(rules, cards)
    return f"{'soft' if total.soft else 'hard'} {total.points}"


def announce(rules: BlackjackRules, before: Layout, after: Layout) -> Announcement | None:
    """What the dealer says after a card: a blackjack, the new total of a hand, or the dealer's own at the end."""
    if len(after.dealer) > len(before.dealer):
        said = rules.ceremony.announces[DEALER]
        over = is_over(rules, after)
        return Announcement(said.value.format(total_words(rules, after.dealer)), said.rule) if over else None
    for box in after.boxes:
        was = before.box(box.number)
        for hand in () if box is was else box.hands:
            if was and len(was.hands) == len(box.hands) and len(hand.cards) > len(was.hand(hand.number).cards):
                return _announce_hand(rules, after, box, hand)
    return None


def _announce_hand(rules: BlackjackRules, layout: Layout, box: Box, hand: Hand) -> Announcement | None:
    if has_blackjack(rules, hand) and layout.dealer:
        at_once = points(rules, layout.dealer[0]) in rules.blackjacks.at_once.value
        law = rules.blackjacks.at_once if at_once else rules.blackjacks.waits
        return Announcement(f"{place(box, hand)}: blackjack", law.rule)
    if not hand.split and len(hand.cards) <= 2:
        return None
    said = rules.ceremony.announces["card"]
    rule = rules.split.decides.rule if hand.split and len(hand.cards) == 2 else said.rule
    return Announcement(said.value.format(place(box, hand), total_words(rules, hand.cards)), rule)


def announce_turn(rules: BlackjackRules, layout: Layout) -> Announcement | None:
    """The total that the dealer says before a seated player decides."""
    now = turn(rules, layout)
    if now.box is None or now.hand is None or not isinstance(now.due, Choose):
        return None
    said = rules.ceremony.announces["turn"]
    return Announcement(said.value.format(place(now.box, now.hand), total_words(rules, now.hand.cards)), said.rule)


def picked_up(rules: BlackjackRules, layout: Layout, gone: Container[int]) -> Law[tuple[str, ...]]:
    """The places whose cards are picked up at the end, in order; bust hands and the boxes `gone` are so already."""
    there = [box for box in layout.boxes if box.number not in gone]
    left = [box for box in there if any(hand.cards and not is_bust(rules, hand) for hand in box.hands)]
    if rules.ceremony.collects.value == "from the right":
        left.reverse()
    places = tuple(f"box {box.number}" for box in left)
    order = (*places, DEALER) if rules.ceremony.dealer_cards.value == "under" else (DEALER, *places)
    return Law(order, rules.ceremony.collects.rules)


# ---------------------------------------------------------------- late entry


def late_entry(rules: BlackjackRules, rounds: tuple[frozenset[str], ...], name: str) -> Law[int] | None:
    """The case under which a player may be held to the minimum; `rounds` are those who wagered, round by round."""
    ceremony = rules.ceremony
    if not rules.late_entry_at_minimum.value.elected:
        return None
    first = rounds[: ceremony.entry_rounds.value]
    if first and not any(name in played for played in first):
        return ceremony.entry_rounds
    since = next((number for number, played in enumerate(rounds) if name in played), len(rounds))
    missed = sum(name not in played for played in rounds[since:])
    return ceremony.entry_gap if missed >= ceremony.entry_gap.value else None


def why_not_amount(rules: BlackjackRules, amount: Cents, *, minimum: Cents) -> Refusal | None:
    """Why a player who is held to the minimum may not wager an amount."""
    if amount == minimum:
        return None
    rule = rules.late_entry_at_minimum.rule
    return Refusal(f"{dollars(amount)}: held to the minimum of {dollars(minimum)} until the next shoe", rule)
