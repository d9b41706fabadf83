"""The play of a round: which card is due where, who must decide what, and when the round is over.

`turn` reads the layout in the gazette's order: the initial deal, box by box with the dealer in between; then the hands
from the dealer's left, each to its end before the next; then the dealer.  Each branch is one rule and returns that
rule.  The dealer's second card comes when all players are done, and it always comes.  Where an edition of somebody's
own has a hole card, that card is told after the initial deal and after any insurance, and lies face down for players
until they are done; a blackjack with it ends the round at once.

No decision is asked where the rules leave none: on twenty-one, on split aces, after a double.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from croupier.equipment import Laid
from croupier.game import Choose, Deal, Demand, Over
from croupier.games.blackjack.layout import (
    Box,
    Hand,
    Layout,
    count,
    dealer_draws,
    depends,
    finished,
    hole_card_ends,
    is_pair,
    points,
    split_ace,
)
from croupier.games.blackjack.rules import BOXES, BlackjackRules
from croupier.law.model import Law, present
from croupier.law.officials import DEALER
from croupier.once import once_of_both


class Turn(NamedTuple):
    """What is due, and the box and hand it is due to or from; neither where it is the dealer's hand."""

    due: Demand
    box: Box | None = None
    hand: Hand | None = None


def demand(rules: BlackjackRules, layout: Layout) -> Demand:
    return turn(rules, layout).due


def is_over(rules: BlackjackRules, layout: Layout) -> bool:
    return type(turn(rules, layout).due) is Over


@once_of_both
def turn(rules: BlackjackRules, layout: Layout) -> Turn:
    """What is due on this layout, and where."""
    if layout.void:
        return Turn(Over(layout.void))
    if not layout.boxes:
        return Turn(Over(rules.permitted.rule))
    if not layout.in_play:
        return Turn(Over(layout.boxes[-1].void))
    found = _initial_deal(rules, layout) or _hole_card(rules, layout)
    if found is None and hole_card_ends(rules, layout):
        return Turn(_dealer_demand(rules, layout))
    if found is None and layout.missed == "found":
        found = _void_or_complete(rules, layout)
    found = found or _decisions(rules, layout)
    if found is None and layout.missed:
        found = _void_or_complete(rules, layout)
    return found or Turn(_dealer_demand(rules, layout))


def in_order(layout: Layout, start: Law[Literal["left", "right"]]) -> tuple[Box, ...]:
    """The boxes that take part, box 1 being the one on the dealer's left."""
    return layout.in_play if start.value == "left" else layout.in_play[::-1]


def place(box: Box, hand: Hand) -> str:
    return f"box {box.number} hand {hand.number}" if len(box.hands) > 1 else f"box {box.number}"


def cards(rules: BlackjackRules, layout: Layout) -> tuple[Laid, ...]:
    """Every hand on the layout, box by box, then the dealer's; all of them lie face up."""
    hands = (
        Laid(
            place(box, hand), hand.cards, box.number, hand.number,
            owners=box.bettors, asked=bool(box.asked) and hand in box.parted,
        )
        for box in layout.boxes
        for hand in box.hands
    )  # fmt: skip
    return (*hands, Laid(DEALER, layout.dealer, down=_face_down(rules, layout)))


def _face_down(rules: BlackjackRules, layout: Layout) -> frozenset[int]:
    """The place of the hole card while a box has something due."""
    hides = present(rules.hole_card) and len(layout.dealer) == 2 and turn(rules, layout).box is not None
    return frozenset({1}) if hides else frozenset()


# ---------------------------------------------------------------- the initial deal


@once_of_both
def _initial_deal(rules: BlackjackRules, layout: Layout) -> Turn | None:
    cards = 0
    for each in rules.passes:
        if each.value == DEALER:
            if not layout.dealer and not layout.missed:
                return Turn(Deal(DEALER, each.rule))
            continue
        cards += each.value == BOXES
        for box in in_order(layout, rules.deal_from):
            if is_short(box, cards):
                return Turn(Deal(place(box, box.hands[0]), each.rule), box, box.hands[0])
    return None


def _hole_card(rules: BlackjackRules, layout: Layout) -> Turn | None:
    """The card that the dealer has face down, and looks at before anybody decides."""
    if present(rules.hole_card) and len(layout.dealer) == 1 and not layout.missed:
        return Turn(Deal(DEALER, _next_card(rules, layout, rules.hole_card.rule)))
    return None


def initial_deal_over(rules: BlackjackRules, layout: Layout) -> bool:
    return bool(layout.boxes) and _initial_deal(rules, layout) is None


def is_short(box: Box, cards: int) -> bool:
    """Whether the box still lacks one of its first cards; a split hand has had them."""
    return not box.omitted and len(box.hands) == 1 and len(box.hands[0].cards) < cards


# ---------------------------------------------------------------- the players


def _decisions(rules: BlackjackRules, layout: Layout) -> Turn | None:
    for box in in_order(layout, rules.decide_from):
        if box.asked:
            kept, new = box.parted
            answers = rules.sharing.others_answer
            by = box.asked[0] or place(box, new)
            return Turn(Choose(by, answers.value, answers.rule, box.number, kept.number), box, kept)
        for hand in _in_turn(rules, box):
            due = _hand_demand(rules, layout, box, hand)
            if due is not None:
                return Turn(due, box, hand)
    return None


def _in_turn(rules: BlackjackRules, box: Box) -> tuple[Hand, ...]:
    """The hands in the order in which they are played: one to its end before the next gets a card."""
    if rules.split.in_turn.value:
        return box.hands
    return tuple(sorted(box.hands, key=lambda hand: len(hand.cards) > 1))


def _hand_demand(rules: BlackjackRules, layout: Layout, box: Box, hand: Hand) -> Demand | None:
    """The card or the decision due on a hand; None if the hand is finished or was passed over."""
    if finished(rules, hand) or (box.omitted and not hand.split and len(hand.cards) < 2):
        return None
    to = place(box, hand)
    if hand.split and len(hand.cards) == 1:
        aces = split_ace(rules, hand)
        return Deal(to, _next_card(rules, layout, rules.split.ace_cards.rule if aces else rules.split.in_turn.rule))
    if hand.said == "double":
        return Deal(to, _next_card(rules, layout, rules.double.cards.rule))
    if hand.said and hand.said == rules.draws_on.value:
        return Deal(to, _next_card(rules, layout, rules.draws_on.rule))
    open_to = options(rules, layout, box, hand)
    return Choose(box.seated or to, open_to, _choice_rule(rules, hand), box.number, hand.number)


def _next_card(rules: BlackjackRules, layout: Layout, rule: str) -> str:
    """The rule under which a card is due: a card shown in error must be the next one."""
    return rule if layout.exposed is None else exposed_rule(rules)


def exposed_rule(rules: BlackjackRules) -> str:
    return rules.irregularities["exposed_card"][0].rule


def _choice_rule(rules: BlackjackRules, hand: Hand) -> str:
    if count(rules, hand.cards).points < rules.must_reach.value:
        return rules.must_reach.rule
    return rules.split.decides.rule if hand.split else rules.decide_from.rule


def options(rules: BlackjackRules, layout: Layout, box: Box, hand: Hand) -> tuple[str, ...]:
    """All that the rules leave open to the seated player on an unfinished hand."""
    open_to = {
        "stand": count(rules, hand.cards).points >= rules.must_reach.value,
        "hit": True,
        "double": why_no_double(rules, hand) is None,
        "split": why_no_split(rules, box, hand) is None,
        "refuse": layout.exposed is not None,
        "surrender": why_no_surrender(rules, hand) is None,
    }
    return tuple(option for option, is_open in open_to.items() if is_open)


def why_no_double(rules: BlackjackRules, hand: Hand) -> str | None:
    """The rule against doubling on this hand, if there is one."""
    double, after = rules.double, rules.double_after_split
    if hand.split and present(after) and not after.value:
        return after.rule
    if len(hand.cards) != double.first_cards.value:
        return double.first_cards.rule
    if not double.with_ace.value and rules.points.value[0] in (points(rules, card) for card in hand.cards):
        return double.with_ace.rule
    return None if count(rules, hand.cards).points in double.totals.value else double.totals.rule


def why_no_surrender(rules: BlackjackRules, hand: Hand) -> str | None:
    """The rule against giving this hand up for half of its stake; only the first two cards can be given up."""
    if not present(rules.surrender):
        return rules.decide_from.rule
    return None if len(hand.cards) == 2 and not hand.split else rules.surrender.rule


def why_no_split(rules: BlackjackRules, box: Box, hand: Hand) -> str | None:
    """The rule against splitting this hand, if there is one; a pair once declined bars the hand."""
    split = rules.split
    first, second = hand.cards[:2]
    pair = is_pair(rules, first, second)
    if len(hand.cards) > 2 and pair and split.declined_bars.value:
        return split.declined_bars.rule
    if len(hand.cards) > 2 or not pair:
        return split.alike.rule
    if points(rules, first) == rules.points.value[0] and len(box.hands) > split.ace_splits.value:
        return split.ace_splits.rule
    return split.hands.rule if len(box.hands) >= split.hands.value else None


def why_not(rules: BlackjackRules, box: Box, hand: Hand, option: str) -> str:
    """The rule against an option that is not open on this hand."""
    match option:
        case "stand":
            return rules.must_reach.rule
        case "double":
            return why_no_double(rules, hand) or rules.decide_from.rule
        case "split":
            return why_no_split(rules, box, hand) or rules.decide_from.rule
        case "surrender":
            return why_no_surrender(rules, hand) or rules.decide_from.rule
        case _:
            return rules.decide_from.rule


# ---------------------------------------------------------------- the dealer


def _void_or_complete(rules: BlackjackRules, layout: Layout) -> Turn | None:
    """The choice of each seated player when the dealer's first card was found missing."""
    for box in in_order(layout, rules.decide_from):
        if not box.answer:
            answers = (rules.complete_on_request.value, rules.void_on_request.value)
            rule = rules.irregularities["omitted_dealer_card"][-1].rule
            first = box.hands[0]
            return Turn(Choose(box.seated or f"box {box.number}", answers, rule, box.number, first.number), box, first)
    return None


def _dealer_demand(rules: BlackjackRules, layout: Layout) -> Demand:
    if not layout.dealer:
        return Deal(DEALER, _next_card(rules, layout, rules.deemed_blackjack.rule))
    needed = depends(rules, layout)
    if len(layout.dealer) == 1 and (needed or rules.second_card.value == "always"):
        return Deal(DEALER, _next_card(rules, layout, rules.second_card.rule))
    if not dealer_draws(rules, layout.dealer):
        return Over(rules.dealer_stands.rule)
    if not needed and rules.dealer_spared.value:
        return Over(rules.dealer_spared.rule)
    soft = present(rules.soft_hits) and count(rules, layout.dealer).points >= rules.dealer_stands.value.start
    return Deal(DEALER, rules.soft_hits.rule if soft and present(rules.soft_hits) else rules.dealer_stands.rule)
