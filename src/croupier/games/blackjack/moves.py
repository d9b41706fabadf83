"""What a fact does to the layout: cards where they are due, choices of players, orders of staff.

A choice is checked in one order: whose turn it is (box, hand, person), then whether the option is open.  The seated
player decides; the others on the box may only join a double, answer a split, insure, or take even money.

Orders of staff carry out rulings: a hand or the round is void, cards are taken back to be laid again, a card was shown
in error, the deal passed a place over, something must be done once the round is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.equipment import CARDS, Card, card_name
from croupier.game import (
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Effect,
    Fact,
    Perform,
    Performed,
    Plain,
    Refusal,
    Wager,
    not_due,
    told,
)
from croupier.game.places import read_place
from croupier.games.blackjack.layout import (
    Box,
    Hand,
    Layout,
    finished,
    has_blackjack,
    is_bust,
    points,
    split_ace,
    with_box,
    with_hand,
    without,
)
from croupier.games.blackjack.play import Turn, exposed_rule, is_short, place, turn, why_not
from croupier.games.blackjack.rules import MAIN, BlackjackRules
from croupier.law.officials import DEALER
from croupier.once import replace

INSURE = "insure"
EARLY = (INSURE, "even_money")
OFFERED = (*EARLY, "double")
"""What is put to a player beside what is due: the last is to join the double of another."""


def apply(rules: BlackjackRules, layout: Layout, fact: Plain) -> Layout | Refusal:
    """The layout after a plain fact, or why the rules refuse it."""
    now = turn(rules, layout)
    match fact:
        case CardSeen() if isinstance(now.due, Deal):
            return _dealt(rules, layout, now, fact.card)
        case CardSeen():
            return Refusal(f"no card is due: {told(now.due)}", now.due.rule, on=card_name(fact.card))
        case Chosen():
            return _chosen(rules, layout, now, fact)
        case Performed():
            return _ordered(rules, layout, now, fact)
        case Called(call="take"):
            return _taken_back(layout, fact)
        case _:
            return not_due(now.due)


def beside(rules: BlackjackRules, layout: Layout, standing: tuple[Wager, ...]) -> Iterator[Plain]:
    """What may be open beside the choice of a seated player, to whoever has money on a box; and what lies back."""
    offered = tuple(option for option in OFFERED if layout.exposed is None or option != INSURE)
    for box in layout.in_play:
        yield from (Chosen(option, name, box.number) for name in box.bettors for option in offered)
        if box.asked:
            ride = rules.sharing.others_answer.value[-1]
            yield from (Chosen(ride, box.asked[0], box.number, hand.number) for hand in box.parted)
    yield from (Called("take", by=wager.by, on=wager.on) for wager in standing)


def bound(rules: BlackjackRules, layout: Layout) -> CardSeen | None:
    """The card that lies exposed is the next one, wherever it goes."""
    return None if layout.exposed is None else CardSeen(layout.exposed)


# ---------------------------------------------------------------- cards


def _dealt(rules: BlackjackRules, layout: Layout, now: Turn, card: Card) -> Layout | Refusal:
    if layout.exposed is not None and card != layout.exposed:
        return Refusal(f"the exposed {card_name(layout.exposed)} is the next card", exposed_rule(rules))
    layout = replace(layout, exposed=next(iter(layout.waiting), None), waiting=layout.waiting[1:])
    if now.box is None or now.hand is None:
        return replace(layout, dealer=(*layout.dealer, card))
    said = "" if now.hand.said == "hit" else now.hand.said
    return with_box(layout, with_hand(now.box, replace(now.hand, cards=(*now.hand.cards, card), said=said)))


# ---------------------------------------------------------------- choices


def _chosen(rules: BlackjackRules, layout: Layout, now: Turn, fact: Chosen) -> Layout | Refusal:
    if fact.option in EARLY:
        return _early(rules, layout, fact)
    if joins_double(rules, now, fact):
        return layout
    if not isinstance(now.due, Choose) or now.box is None or now.hand is None:
        return _not_asked(rules, layout, now, fact)
    refusal = _out_of_turn(rules, layout, now.box, now.hand, fact)
    if refusal:
        return refusal
    if now.box.asked:
        return _answered_split(rules, layout, now.box, fact)
    if fact.option not in now.due.options:
        rule = why_not(rules, now.box, now.hand, fact.option)
        return Refusal(f"not open on {place(now.box, now.hand)}: {told(now.due)}", rule, on=fact.option)
    return with_box(layout, _decided(rules, now.box, now.hand, fact.option))


def _decided(rules: BlackjackRules, box: Box, hand: Hand, option: str) -> Box:
    """The box after a decision of its seated player that is open."""
    if option == rules.void_on_request.value:
        voided = tuple(replace(each, void=rules.void_on_request.rule) for each in box.hands)
        return replace(box, answer="void", hands=voided)
    match option:
        case "split":
            return _parted(box, hand)
        case "hit" | "stand" | "double" | "refuse" | "surrender":
            return with_hand(box, replace(hand, said=option))
        case _:
            return replace(box, answer="complete")


def _parted(box: Box, hand: Hand) -> Box:
    """The box after a split: the new hand lies right after the old one, and the others on it are asked."""
    first, second = hand.cards
    old = replace(hand, cards=(first,), split=True, backers=())
    new = Hand(len(box.hands) + 1, (second,), split=True)
    at = box.hands.index(hand)
    return replace(box, hands=(*box.hands[:at], old, new, *box.hands[at + 1 :]), asked=hand.backers)


def _answered_split(rules: BlackjackRules, layout: Layout, box: Box, fact: Chosen) -> Layout | Refusal:
    """Another player on the box covers both hands of a split, or names the one that the wager rides on."""
    answers = rules.sharing.others_answer
    name = fact.by or box.asked[0]
    parts = box.parted
    if fact.option not in answers.value:
        return Refusal(f"{name or 'the other player'} must answer the split first", answers.rule)
    on = tuple(hand for hand in parts if fact.option == "split" or hand.number == fact.hand)
    if not on:
        numbers = " or ".join(str(hand.number) for hand in parts)
        return Refusal(f"say which hand the wager rides on: {numbers}", answers.rule)
    for hand in on:
        box = with_hand(box, replace(hand, backers=(*hand.backers, name)))
    return with_box(layout, replace(box, asked=tuple(each for each in box.asked if each != name)))


def joins_double(rules: BlackjackRules, now: Turn, fact: Chosen) -> bool:
    """Whether another player on the hand joins the double of the seated one, before the card comes."""
    if fact.option != "double" or now.hand is None or now.box is None or not isinstance(now.due, Deal):
        return False
    here = fact.box in (0, now.box.number) and fact.hand in (0, now.hand.number)
    open_to = rules.sharing.others_double.value and fact.by in now.hand.backers and fact.by != now.box.seated
    return here and open_to and now.hand.said == "double"


def _out_of_turn(rules: BlackjackRules, layout: Layout, box: Box, hand: Hand, fact: Chosen) -> Refusal | None:
    if fact.box not in (0, box.number):
        return Refusal(f"box {fact.box} is not in turn: {place(box, hand)} is", rules.decide_from.rule)
    if box.asked:
        known = fact.by in ("", *box.asked)
        return None if known else Refusal(f"{fact.by} is not asked about the split", rules.sharing.others_answer.rule)
    if fact.hand not in (0, hand.number):
        return Refusal(f"hand {fact.hand} is not in turn: {place(box, hand)} is", rules.split.in_turn.rule)
    if fact.by in ("", box.seated):
        return None
    return _not_seated(rules, layout, box, fact)


def _not_seated(rules: BlackjackRules, layout: Layout, box: Box, fact: Chosen) -> Refusal | None:
    """Why a person other than the seated player may not decide here."""
    sharing = rules.sharing
    if fact.by not in box.others:
        return Refusal(f"it is not the turn of {fact.by}, but of box {box.number}", rules.decide_from.rule)
    if fact.option in ("double", "split") and sharing.others_abide.value:
        return Refusal(f"{fact.by} may add a wager only where the seated player does", sharing.others_abide.rule)
    if box.presides or any(each.seated == fact.by for each in layout.boxes):
        where = f"{fact.by} decides only where seated, not on box {box.number}"
        return None if sharing.decides_elsewhere.value else Refusal(where, sharing.decides_elsewhere.rule)
    if sharing.seated_alone.value:
        return Refusal(f"the seated player of box {box.number} decides, not {fact.by}", sharing.seated_alone.rule)
    return None


def _not_asked(rules: BlackjackRules, layout: Layout, now: Turn, fact: Chosen) -> Refusal:
    """Why a decision is not open although somebody made it; the nearest rule about the hand is named."""
    boxes = boxes_meant(layout, fact)
    if len(boxes) == 1 and fact.by in boxes[0].others and fact.option in ("double", "split"):
        rule = rules.sharing.others_abide.rule
        return Refusal(f"{fact.by} may add a wager only where the seated player does", rule)
    if len(boxes) == 1:
        hand = now.hand if now.box == boxes[0] and now.hand else boxes[0].hands[-1]
        return Refusal(f"{told(now.due)} is due", _closed_by(rules, hand) or now.due.rule, on=fact.option)
    return not_due(now.due, fact.option)


def _closed_by(rules: BlackjackRules, hand: Hand) -> str | None:
    """The rule that ended the decisions on a hand, if one did."""
    if hand.said == "double":
        return rules.double.cards.rule
    if len(hand.cards) and split_ace(rules, hand):
        return rules.split.ace_cards.rule
    if is_bust(rules, hand):
        return rules.bust_taken.rule
    ended = len(hand.cards) >= 2 and not hand.said and not hand.void and finished(rules, hand)
    return rules.draw_below.rule if ended else None


def boxes_meant(layout: Layout, fact: Chosen) -> tuple[Box, ...]:
    """The boxes a choice can be about: the one it names, those of the person it names, or any."""
    if fact.box:
        return tuple(box for box in layout.in_play if box.number == fact.box)
    return tuple(box for box in layout.in_play if not fact.by or fact.by in box.bettors)


# ---------------------------------------------------------------- insurance and even money


def _early(rules: BlackjackRules, layout: Layout, fact: Chosen) -> Layout | Refusal:
    """The layout after a player insured or took even money, before any card beyond the initial deal."""
    boxes = boxes_meant(layout, fact)
    if len(boxes) != 1:
        return Refusal("say on which box", rules.insurance.part.rule, on=fact.option)
    box = boxes[0]
    name = fact.by or box.seated
    if name not in box.bettors:
        return Refusal(f"{name} has no wager on box {box.number}", rules.insurance.part.rule, on=fact.option)
    refusal = why_no_early(rules, layout, fact.option) or why_not_this_player(rules, box, name, fact.option)
    if refusal:
        return refusal
    if fact.option == "insure":
        return with_box(layout, replace(box, insured=(*box.insured, name)))
    return with_box(layout, replace(box, paid=(*box.paid, name)))


def why_no_early(rules: BlackjackRules, layout: Layout, option: str) -> Refusal | None:
    """Why nobody may insure, or take even money, on this layout."""
    insurance, blackjacks = rules.insurance, rules.blackjacks
    against = insurance.against if option == "insure" else blackjacks.even_money_against
    if layout.missed or not layout.dealer or points(rules, layout.dealer[0]) not in against.value:
        return Refusal("the dealer's first card does not offer it", against.rule, on=option)
    if any(is_short(box, insurance.after_cards.value) for box in layout.in_play):
        return Refusal("the initial deal is not complete", insurance.after_cards.rule, on=option)
    if insurance.before_further_cards.value and not layout.initial:
        late = insurance.before_further_cards if option == "insure" else blackjacks.even_money
        return Refusal("further cards have been dealt", late.rule, on=option)
    return None


def why_not_known(rules: BlackjackRules, layout: Layout, fact: Fact | Effect) -> Refusal | None:
    """Why nobody insures while a card lies shown in error: it may become the dealer's second one (R-219).

    Earlier releases took such a wager, and their journals are read as they are: the doors ask for this, not the play.
    """
    if type(fact) is not Chosen or fact.option != INSURE or layout.exposed is None:
        return None
    reason = f"the {card_name(layout.exposed)} was shown, and may become the dealer's"
    return Refusal(reason, rules.insurance.before_further_cards.rule, on=INSURE)


def why_not_this_player(rules: BlackjackRules, box: Box, name: str, option: str) -> Refusal | None:
    """Nobody insures twice, and by reading nobody both insures and takes even money."""
    even_money = rules.blackjacks.even_money
    who = name or f"box {box.number}"
    each = rules.sharing.each_insures if option == "insure" else rules.sharing.each_even_money
    if name != box.seated and not each.value:
        return Refusal("only the seated player may", each.rule, on=option)
    if name in box.paid:
        return Refusal(f"{who} was paid even money in full settlement", even_money.rule, on=option)
    if name in box.insured and option == "insure":
        return Refusal(f"{who} has insured, and the wager is locked", rules.additions_withdrawn.rule, on="insure")
    if option == "even_money" and name in box.insured:
        return Refusal(f"{who} has insured, and may not have both", even_money.rule, on="even_money")
    if option == "even_money" and not has_blackjack(rules, box.hands[0]):
        return Refusal(f"box {box.number} has no blackjack", even_money.rule, on="even_money")
    return None


# ---------------------------------------------------------------- wagers taken back


def _taken_back(layout: Layout, fact: Called) -> Layout:
    """Before the first card a wager may be taken back; whether it stands, the stakes know."""
    return without(layout, fact.by) if fact.on == MAIN and not layout.cards else layout


# ---------------------------------------------------------------- orders of staff


def _ordered(rules: BlackjackRules, layout: Layout, now: Turn, fact: Performed) -> Layout | Refusal:
    detail = str(fact.detail)
    match fact.act:
        case "undo":
            return layout
        case "void round":
            return replace(layout, void=detail)
        case "void hand":
            return _voided(layout, detail, fact.rule) or _nonsense(now, fact)
        case "take back":
            cleared = tuple(map(_cleared, layout.boxes))
            return replace(layout, boxes=cleared, dealer=(), missed="", exposed=None, waiting=())
        case "pass over":
            return _passed_over(layout, detail) or _nonsense(now, fact)
        case "found missing":
            return replace(layout, missed="found")
        case "expose" if fact.detail in range(CARDS) and isinstance(fact.detail, int):
            return _exposed(layout, fact.detail)
        case "afterwards" if fact.rule:
            return replace(layout, afterwards=(*layout.afterwards, Perform(detail, fact.by, fact.rule)))
        case "run out":
            return replace(layout, ran_out=detail)
        case "cutting card":
            return replace(layout, cutting=layout.cutting or (_where(now) if layout.cards else "first"))
        case _:
            return _nonsense(now, fact)


def _exposed(layout: Layout, card: Card) -> Layout:
    """A card that was shown in error is the next one, or comes after those that were shown before it."""
    if layout.exposed is None:
        return replace(layout, exposed=card)
    return replace(layout, waiting=(*layout.waiting, card))


def _nonsense(now: Turn, fact: Performed) -> Refusal:
    return not_due(now.due, f"{fact.act} {fact.detail}".strip())


def _where(now: Turn) -> str:
    """The hand on which a cutting card appears: the one in turn."""
    return DEALER if now.box is None else f"box {now.box.number}"


def _cleared(box: Box) -> Box:
    return Box(box.number, box.seated, box.others, (Hand(backers=box.others),), presides=box.presides)


def _passed_over(layout: Layout, what: str) -> Layout | None:
    if what == DEALER:
        return replace(layout, missed="unnoticed")
    found = find(layout, what)
    return with_box(layout, replace(found[0], omitted=True)) if found else None


def _voided(layout: Layout, what: str, rule: str) -> Layout | None:
    found = find(layout, what)
    if found is None or not rule:
        return None
    box, number = found
    hands = tuple(replace(hand, void=rule) if number in (0, hand.number) else hand for hand in box.hands)
    return with_box(layout, replace(box, hands=hands, asked=()))


def find(layout: Layout, text: str) -> tuple[Box, int] | None:
    """The box that a text like `box 3`, `3` or `box 3 hand 2` names, with the hand's number (0: all of them)."""
    read = read_place(text.strip()) or read_place(f"box {text.strip()}")
    box = layout.box(read.number) if read and read.kind == "box" else None
    if read is None or box is None:
        return None
    return (box, read.hand) if read.hand in (0, *(hand.number for hand in box.hands)) else None
