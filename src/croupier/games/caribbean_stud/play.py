"""The play of a round: where the cards go, who decides, and when the round is over.

`StudLayout` is what lies on the table.  `demand` reads it in the gazette's order: no cards without an ante; the deal,
in the steps of the device in use; each player's choice to fold or bet; then the showdown, which needs no further fact
because every card is known.  Players may choose in any order: the demand names the first who has not, and a choice
that names its box is as good.

Boxes are numbered clockwise from the dealer's left.  A player has one box and a box one player, so the box tells who
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

from croupier.equipment import Card, Laid, card_name, impossible_card
from croupier.game import (
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    Effect,
    Fact,
    Next,
    Over,
    Performed,
    Plain,
    Refusal,
    Wager,
    not_due,
)
from croupier.games.caribbean_stud.hands import class_name, leads, value
from croupier.games.caribbean_stud.rules import (
    ANTE,
    BET,
    BOXES,
    DEALER,
    FACE_DOWN,
    JACKPOT,
    DealStep,
    StudRules,
    Verdict,
)
from croupier.games.caribbean_stud.scripts import kind
from croupier.law.links import SHUFFLER
from croupier.law.model import Law
from croupier.once import in_a_line, once_of_both, replace


class StudBox(Struct, frozen=True, gc=False):
    """A box with an ante: its player and cards, what was chosen, and the rule by which its hand left the round, if so.

    `jackpot`: a jackpot wager goes with the hand.  `face_down`: its player leaves the cards face down at the end.
    `void`: its wagers were made void and are back, so that only the cards are left to be collected.
    """

    number: int
    by: str = ""
    cards: tuple[Card, ...] = ()
    bet: bool = False
    out: str = ""
    jackpot: bool = False
    face_down: bool = False
    void: bool = False

    __repr__ = in_a_line

    @property
    def name(self) -> str:
        return f"box {self.number}"

    @property
    def decided(self) -> bool:
        return self.bet or bool(self.out)


class StudLayout(Struct, frozen=True, gc=False):
    """One round: the boxes in the order of the deal, the dealer's cards, and what went wrong.

    `exposed` counts cards shown in error, `shown` are those of them that were turned over; `up` is the place of the
    dealer's card that stays face up because of it; `misdeal` is the rule that made the round one.
    """

    boxes: tuple[StudBox, ...] = ()
    dealer: tuple[Card, ...] = ()
    exposed: int = 0
    up: int | None = None
    misdeal: str = ""
    shown: tuple[Card, ...] = ()

    __repr__ = in_a_line

    @property
    def dealt(self) -> int:
        return len(self.cards)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card on the layout, box by box, then the dealer's."""
        return (*(card for box in self.boxes for card in box.cards), *self.dealer)

    @property
    def remaining(self) -> tuple[StudBox, ...]:
        """The boxes whose hands have not left the round."""
        return tuple(box for box in self.boxes if not box.out)

    def box(self, number: int | str) -> StudBox | None:
        return next((box for box in self.boxes if number in (box.number, str(box.number))), None)


def begin(rules: StudRules, following: Next) -> StudLayout:
    """An empty layout: the deck is shuffled after every round, so that nothing is left over."""
    return StudLayout()


def seat(rules: StudRules, layout: StudLayout, wagers: tuple[Wager, ...]) -> StudLayout:
    """The layout with a box for each ante; a jackpot wager, new or carried, goes with its box."""
    boxes = {box.number: box for box in layout.boxes}
    for wager in wagers:
        if wager.on == ANTE and wager.stake_cents:
            boxes[wager.box] = StudBox(wager.box, wager.by, jackpot=JACKPOT in wager.seen)
    for wager in wagers:
        if wager.on == JACKPOT and wager.box in boxes:
            boxes[wager.box] = replace(boxes[wager.box], jackpot=True)
    order = sorted(boxes, reverse=not rules.from_left.value)
    return replace(layout, boxes=tuple(boxes[number] for number in order))


# ---------------------------------------------------------------- what is due


@once_of_both
def demand(rules: StudRules, layout: StudLayout) -> Demand:
    if layout.misdeal:
        return Over(rules.misdealt.rule)
    if not layout.boxes and rules.ante_first.value:
        return Over(rules.ante_first.rule)
    card = card_due(rules, layout)
    if card is not None:
        return card
    for box in layout.boxes:
        if not box.decided:
            return Choose(box.name, rules.choices.value, rules.choices.rule, box.number, 1)
    return Over(_ending(rules, layout))


def steps(rules: StudRules) -> tuple[Law[DealStep], ...]:
    """The steps of the deal with the device in use."""
    return rules.dealing[rules.device.value.elected]


@once_of_both
def card_due(rules: StudRules, layout: StudLayout) -> Deal | None:
    """The next card of the deal: the first hand that has fewer than the steps so far give it."""
    given = {BOXES: 0, DEALER: 0}
    for law in steps(rules):
        step = law.value
        given[step.to] += step.cards
        hands = [(box.name, box.cards) for box in layout.boxes] if step.to == BOXES else [(DEALER, layout.dealer)]
        for name, cards in hands:
            if len(cards) < given[step.to]:
                return Deal(name, law.rule)
    return None


def hand_size(rules: StudRules) -> int:
    """How many cards the deal gives to each box."""
    return sum(law.value.cards for law in steps(rules) if law.value.to == BOXES)


def is_dealt(rules: StudRules, layout: StudLayout) -> bool:
    """Whether the deal is complete."""
    return bool(layout.boxes) and card_due(rules, layout) is None


def is_over(rules: StudRules, layout: StudLayout) -> bool:
    return isinstance(demand(rules, layout), Over)


def is_played(rules: StudRules, layout: StudLayout) -> bool:
    """Whether a round with hands in it came to its regular end."""
    return bool(layout.boxes) and not layout.misdeal and is_over(rules, layout)


def _ending(rules: StudRules, layout: StudLayout) -> str:
    if not layout.remaining:
        return layout.boxes[-1].out
    return rules.qualifies.rule if dealer_qualifies(rules, layout) else rules.no_hand.rule


# ---------------------------------------------------------------- what happens


def bound(rules: StudRules, layout: StudLayout, on: str) -> Refusal | None:
    """Why a wager does not go back any more."""
    if not layout.dealt or not rules.antes_bind.value:
        return None
    return Refusal(f"{on or 'a wager'} may not be taken back after the first card", rules.antes_bind.rule)


def apply(rules: StudRules, layout: StudLayout, fact: Plain) -> StudLayout | Refusal:
    """The layout after a card, a choice, or an order of staff that carries out a ruling; anything else is refused."""
    due = demand(rules, layout)
    binds = bound(rules, layout, fact.on) if isinstance(fact, Called) and fact.call == "take" else None
    match fact:
        case _ if binds:
            return binds
        case _ if isinstance(due, Over):
            return Refusal(_closed(layout), due.rule)
        case CardSeen(card=card) if isinstance(due, Deal):
            return _deal(rules, layout, due, card)
        case Chosen(option="face_down") if is_dealt(rules, layout):
            return _leave_face_down(rules, layout, fact)
        case Chosen() if is_dealt(rules, layout):
            return _choose(rules, layout, fact)
        case Performed():
            return _ordered(rules, layout, fact, due)
        case _:
            return not_due(due)


def _closed(layout: StudLayout) -> str:
    if layout.misdeal:
        return "a misdeal: the cards are dealt again in the next round"
    return "the round is over: nothing is due" if layout.boxes else "no cards without an ante"


def _deal(rules: StudRules, layout: StudLayout, due: Deal, card: Card) -> StudLayout | Refusal:
    if impossible_card((*layout.cards, card), rules.decks.value) is not None:
        held = "one deck has" if rules.decks.value == 1 else f"{rules.decks.value} decks have"
        return Refusal(f"it is out already, and {held} no other", rules.decks.rule, on=card_name(card))
    if due.to == DEALER:
        return replace(layout, dealer=(*layout.dealer, card))
    box = next(box for box in layout.boxes if box.name == due.to)
    return _with(layout, replace(box, cards=(*box.cards, card)))


def chooser(layout: StudLayout, fact: Chosen) -> StudBox | None:
    """The box a choice is for: the one it names, its player's, or the first that has not chosen."""
    if fact.box:
        return layout.box(fact.box)
    if fact.by:
        return next((box for box in layout.boxes if fact.by in (box.by, box.name)), None)
    return next((box for box in layout.boxes if not box.decided), None)


def _choose(rules: StudRules, layout: StudLayout, fact: Chosen) -> StudLayout | Refusal:
    if fact.option not in rules.choices.value:
        options = " or ".join(rules.choices.value)
        return Refusal(f"no choice here: {options}", rules.choices.rule, on=fact.option)
    box = chooser(layout, fact)
    if box is None or (fact.by and fact.by not in (box.by, box.name)):
        return Refusal(f"no hand of {fact.by or f'box {fact.box}'} to decide on", rules.choices.rule)
    if box.decided and rules.decisions_bind.value:
        return Refusal(f"{box.name} has chosen already, and its wagers stay as they are", rules.decisions_bind.rule)
    if fact.option == BET:
        return _with(layout, replace(box, bet=True))
    return _with(layout, replace(box, out=rules.folded.rule))


def _leave_face_down(rules: StudRules, layout: StudLayout, fact: Chosen) -> StudLayout | Refusal:
    """A player says, before the hands are shown, that the cards will stay face down."""
    box = layout.box(fact.box) if fact.box else named(layout, fact.by)
    if box is None or box.out:
        who = fact.by or (f"box {fact.box}" if fact.box else "a box that is not named")
        return Refusal(f"no remaining hand of {who}", rules.verdicts.face_down.rule)
    return turned_down(layout, box)


def left_down(rules: StudRules, layout: StudLayout, fact: Effect | Fact) -> StudBox | None:
    """The box whose player, asked to declare the hand, leaves it face down."""
    if not isinstance(fact, Performed) or fact.detail != FACE_DOWN:
        return None
    asked = kind(rules, fact.act)
    return layout.box(asked.of) if asked.verb == "declare" else None


def reopens(rules: StudRules, layout: StudLayout, fact: Effect) -> Callable[[Wager], bool] | None:
    """The wagers that are judged again: the hand of their box was decided by the cards, and is not shown."""
    box = left_down(rules, layout, fact)
    return None if box is None else lambda wager: wager.box == box.number


def turned_down(layout: StudLayout, box: StudBox) -> StudLayout:
    return _with(layout, replace(box, face_down=True))


def laid_down(box: StudBox, rule: str, lies: Collection[tuple[str, int]]) -> StudBox:
    """The box when wagers of its player were made void, and these still lie there: without an ante it is out."""
    box = replace(box, jackpot=box.jackpot and (JACKPOT, box.number) in lies)
    return box if (ANTE, box.number) in lies else replace(box, out=box.out or rule, void=True)


def named(layout: StudLayout, name: str) -> StudBox | None:
    """A box by its name or its player's; without a name, the only one there is."""
    if not name and len(layout.boxes) == 1:
        return layout.boxes[0]
    return next((box for box in layout.boxes if name and name in (box.name, box.by)), None)


def _ordered(rules: StudRules, layout: StudLayout, fact: Performed, due: Demand) -> StudLayout | Refusal:
    """Orders that carry out a ruling: see `irregular`."""
    box = named(layout, fact.detail) if isinstance(fact.detail, str) else None
    match fact:
        case Performed(act="take back"):
            return StudLayout(tuple(replace(each, cards=()) for each in layout.boxes))
        case Performed(act="turn over"):
            shown = (fact.detail,) if isinstance(fact.detail, int) else ()
            return replace(layout, exposed=layout.exposed + 1, shown=(*layout.shown, *shown))
        case Performed(act="leave face up", detail=int(place)):
            return replace(layout, exposed=layout.exposed + 1, up=place)
        case Performed(act="absent player" | "dead hand" as why) if box:
            return _with(layout, replace(box, out=rules.irregularities[why.replace(" ", "_")][0].rule))
        case Performed(act="return jackpot wager") if box:
            return _with(layout, replace(box, jackpot=False))
        case _:
            return not_due(due)


def _with(layout: StudLayout, box: StudBox) -> StudLayout:
    boxes = tuple(box if each.number == box.number else each for each in layout.boxes)
    return replace(layout, boxes=boxes)


# ---------------------------------------------------------------- the showdown


def dealer_qualifies(rules: StudRules, layout: StudLayout) -> bool:
    """Whether the dealer has ace and king, or better."""
    return leads(rules.ranking, layout.dealer, rules.qualifies.value)


def verdict(rules: StudRules, layout: StudLayout, box: StudBox) -> Law[Verdict]:
    """How a hand that stayed in fares against a dealer who qualifies."""
    if box.face_down:
        return rules.verdicts.face_down
    mine, dealers = value(rules.ranking, box.cards), value(rules.ranking, layout.dealer)
    if mine > dealers:
        return rules.verdicts.higher
    return rules.verdicts.lower if mine < dealers else rules.verdicts.equal


def face_up(rules: StudRules, layout: StudLayout) -> Law[int] | None:
    """The place of the dealer's face-up card once the deal is complete, with the rule that shows it."""
    if not is_dealt(rules, layout):
        return None
    if layout.up is not None:
        return Law(layout.up, rules.irregularities["exposed_card"][1].rules)
    last = len(layout.dealer) - 1
    if rules.device.value.elected == SHUFFLER:
        return Law(0 if rules.bottom_card.value.elected == "first" else last, rules.bottom_card.rules)
    return Law(last if rules.last_card_up.value else 0, rules.last_card_up.rules)


def cards(rules: StudRules, layout: StudLayout) -> tuple[Laid, ...]:
    """The hands of the boxes, which their players look at alone, and the dealer's: one card up until all are turned."""
    turned = is_played(rules, layout) and bool(layout.remaining)
    dealers = frozenset() if turned else dealers_down(rules, layout)
    boxes = (
        Laid(box.name, box.cards, box.number, 1, down=frozenset(range(len(box.cards))), owners=(box.by,))
        for box in layout.boxes
    )
    return (*boxes, Laid(DEALER, layout.dealer, down=dealers))


def dealers_down(rules: StudRules, layout: StudLayout) -> frozenset[int]:
    """The places of the dealer's cards that are not turned up with the deal."""
    up = face_up(rules, layout)
    return frozenset(range(len(layout.dealer))) - {up.value if up else None}


def shown(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a round as everybody saw them: what a hand made is told if it was shown and compared.

    Of a round that was invalidated nothing is told but that.
    """
    if "boxes" not in outcome:
        return dict(outcome)
    seen = (outcome["qualifies"] and box["result"] != "out" for box in outcome["boxes"])
    boxes = [box if each else {**box, "hand": None} for box, each in zip(outcome["boxes"], seen, strict=True)]
    return {**outcome, "boxes": boxes}


def beside(rules: StudRules, layout: StudLayout, standing: tuple[Wager, ...]) -> Iterator[Plain]:
    """Players choose in any order, and may say that their cards will stay face down."""
    for box in layout.remaining:
        yield from (Chosen(option, box.by, box.number) for option in (*rules.choices.value, "face_down"))
    yield from (Called("take", by=wager.by, on=wager.on) for wager in standing)


def outcome(rules: StudRules, layout: StudLayout) -> dict[str, object]:
    """The round in figures: the dealer's hand once it is turned, and each box."""
    played = is_played(rules, layout)
    up = face_up(rules, layout)
    turned = played and bool(layout.remaining)
    return {
        "dealer": class_name(rules.ranking, layout.dealer) if turned else None,
        "qualifies": dealer_qualifies(rules, layout) if turned else None,
        "up_card": card_name(layout.dealer[up.value]) if up else None,
        "misdeal": layout.misdeal or None,
        "boxes": [_box_outcome(rules, layout, box, played=played) for box in layout.boxes],
    }


def _box_outcome(rules: StudRules, layout: StudLayout, box: StudBox, *, played: bool) -> dict[str, object]:
    complete = len(box.cards) == hand_size(rules)
    return {
        "box": box.number,
        "hand": class_name(rules.ranking, box.cards) if complete else None,
        "result": _result(rules, layout, box) if played or box.out else None,
    }


def _result(rules: StudRules, layout: StudLayout, box: StudBox) -> str:
    if box.out:
        return "out"
    return verdict(rules, layout, box).value if dealer_qualifies(rules, layout) else rules.no_hand.value


def view(rules: StudRules, layout: StudLayout) -> tuple[object, ...]:
    """All of a layout that its future can depend on: the cards of each hand, in any order, and the one face up."""
    up = face_up(rules, layout)
    boxes = tuple(replace(box, cards=tuple(sorted(box.cards))) for box in layout.boxes)
    shown = layout.dealer[up.value] if up else None
    place = None if up else layout.up
    order = tuple(sorted(layout.dealer)) if up else layout.dealer
    return (boxes, order, shown, place, layout.exposed, tuple(sorted(layout.shown)), layout.misdeal)
