"""What the dealer says and picks up, and whom the operator may hold to the minimum after a late entry.

Settlement follows the cards, never the figure announced; the announcements are a service to the players.
"""

from __future__ import annotations

from collections.abc import Container

from croupier.equipment import Card
from croupier.game import Announcement, Choose, Refusal
from croupier.games.blackjack.layout import Box, Hand, Layout, count, has_blackjack, is_bust, points
from croupier.games.blackjack.play import is_over, place, turn
from croupier.games.blackjack.rules import BlackjackRules
from croupier.law.model import Law
from croupier.law.officials import DEALER
from croupier.money import Cents, dollars


def total_said(rules: BlackjackRules, cards: tuple[Card, ...], said: Law[str], *place: str) -> Announcement:
    """A total as the dealer says it: `soft 17`, `hard 17`; a hard one is easily taken for a soft one."""
    total = count(rules, cards)
    soft, hard = (said.value.format(*place, f"{word} {{}}") for word in ("soft", "hard"))
    if total.soft:
        return Announcement(soft, said.rule, total.points)
    return Announcement(hard, said.rule, total.points, mistaken=soft)


def announce(rules: BlackjackRules, before: Layout, after: Layout) -> Announcement | None:
    """What the dealer says after a card: a blackjack, the new total of a hand, or the dealer's own at the end."""
    if len(after.dealer) > len(before.dealer):
        said = rules.ceremony.announces[DEALER]
        over = is_over(rules, after)
        return total_said(rules, after.dealer, said) if over else None
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
    return total_said(rules, hand.cards, Law(said.value, (rule,)), place(box, hand))


def announce_turn(rules: BlackjackRules, layout: Layout) -> Announcement | None:
    """The total that the dealer says before a seated player decides."""
    now = turn(rules, layout)
    if now.box is None or now.hand is None or not isinstance(now.due, Choose):
        return None
    said = rules.ceremony.announces["turn"]
    return total_said(rules, now.hand.cards, said, place(now.box, now.hand))


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
