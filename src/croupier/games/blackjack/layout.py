"""What lies on a blackjack layout, who stands behind it, and how it counts.

A `Layout` is the open boxes and the dealer's cards.  A box has the seated player, who decides, and the others behind;
it starts with one hand and may have three.  Hands are numbered as they were formed, and lie in the order in which they
are played: a hand that was split off lies right after the one it came from.  A hand keeps the last word that still
binds it (`said`); everything else is read off its cards.

There are no amounts here: names say who has money on a hand, never how much.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from croupier.equipment import Card, rank
from croupier.game import Next, Perform, Wager
from croupier.games.blackjack.rules import INSURANCE, MAIN, ON_A_HAND, BlackjackRules
from croupier.law.model import present
from croupier.once import in_a_line, kept, once, replace

Word: TypeAlias = Literal["", "hit", "stand", "double", "refuse", "surrender"]


class Hand(Struct, frozen=True, gc=False):
    """Cards, the last word on them, whether a split formed the hand, who else has money on it, and why it is void."""

    number: int = 1
    cards: tuple[Card, ...] = ()
    said: Word = ""
    split: bool = False
    backers: tuple[str, ...] = ()
    void: str = ""

    __repr__ = in_a_line


class Box(Struct, frozen=True, dict=True):
    """An open box.

    `asked` are the others who must still say what becomes of their wager after a split; `insured` and `paid` are those
    who insured or took even money; `omitted` says that the deal passed the box over; `answer` is what the seated player
    chose when the dealer's first card was found missing.  `presides`: the seated player has no wager on the box, and
    only decides.
    """

    number: int
    seated: str = ""
    others: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = (Hand(),)
    asked: tuple[str, ...] = ()
    insured: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    omitted: bool = False
    answer: Literal["", "void", "complete"] = ""
    presides: bool = False

    __repr__ = in_a_line

    @kept
    def bettors(self) -> tuple[str, ...]:
        return self.others if self.presides else (self.seated, *self.others)

    @kept
    def void(self) -> str:
        """The rule that made every hand of the box void, if one did."""
        first = self.hands[0].void
        return first if first and all(hand.void for hand in self.hands) else ""

    @kept
    def all_paid(self) -> bool:
        """Whether everybody on the box took even money, so that its cards are taken up before any other is dealt."""
        return set(self.bettors) == set(self.paid)

    @property
    def played(self) -> bool:
        """Whether a hand of the box was played: something was decided on its cards, or it got more than the first."""
        return any(hand.said or hand.split or len(hand.cards) > 2 for hand in self.hands)

    @property
    def decided(self) -> bool:
        """Whether anybody has decided anything on the box; to insure is a decision."""
        return self.played or bool(self.insured or self.paid)

    @property
    def parted(self) -> tuple[Hand, Hand]:
        """The two hands that the last split formed."""
        at = next(i for i, hand in enumerate(self.hands) if hand.number == len(self.hands))
        return self.hands[at - 1], self.hands[at]

    def hand(self, number: int) -> Hand:
        """The hand with this number; a wager that names none lies on the first."""
        first = self.hands[0]
        wanted = number or 1
        return first if first.number == wanted else next(hand for hand in self.hands if hand.number == wanted)


class Layout(Struct, frozen=True, dict=True):
    """The open boxes by number and the dealer's cards, with whatever still binds.

    `missed`: the dealer's first card was passed over, still unnoticed or found by now.  `exposed`: a card that was
    shown in error and must be the next one, `waiting`: such as come after it.  `cutting`: where the cutting card came
    out.  `afterwards`: what must be done once the round is over.  `ran_out`: the rule under which the discards are
    shuffled, since no card was left.
    """

    boxes: tuple[Box, ...] = ()
    dealer: tuple[Card, ...] = ()
    missed: Literal["", "unnoticed", "found"] = ""
    exposed: Card | None = None
    void: str = ""
    cutting: str = ""
    afterwards: tuple[Perform, ...] = ()
    ran_out: str = ""
    waiting: tuple[Card, ...] = ()

    __repr__ = in_a_line

    @kept
    def cards(self) -> tuple[Card, ...]:
        """Every card on the layout."""
        return (*[card for box in self.boxes for hand in box.hands for card in hand.cards], *self.dealer)

    @property
    def shown(self) -> tuple[Card, ...]:
        """Cards that were shown in error and lie on no hand yet, in the order in which they will be dealt."""
        return () if self.exposed is None else (self.exposed, *self.waiting)

    @kept
    def in_play(self) -> tuple[Box, ...]:
        """The boxes that take part: those not void."""
        return tuple([box for box in self.boxes if not box.void])

    @kept
    def initial(self) -> bool:
        """Whether no card has been dealt beyond the initial deal."""
        return len(self.dealer) < 2 and all(len(hand.cards) <= (1 if hand.split else 2) for hand in self.hands())

    def hands(self) -> Iterator[Hand]:
        return (hand for box in self.boxes for hand in box.hands)

    def box(self, number: int) -> Box | None:
        return self._by_number.get(number)

    @kept
    def _by_number(self) -> Mapping[int, Box]:
        return {box.number: box for box in self.boxes}


def begin(rules: BlackjackRules, following: Next) -> Layout:
    """An empty layout: in blackjack nothing is left over for the next round."""
    return Layout()


# ---------------------------------------------------------------- who sits where


def seat(rules: BlackjackRules, layout: Layout, wagers: tuple[Wager, ...]) -> Layout:
    """The boxes that have main wagers opened; the first on a box sits there, the others stand behind in turn."""
    for wager in wagers:
        if wager.stake_cents and wager.on == MAIN:
            layout = _joined(layout, wager)
        elif wager.stake_cents and wager.on == INSURANCE:
            box = layout.box(wager.box)
            assert box is not None
            layout = with_box(layout, replace(box, insured=(*box.insured, wager.by)))
    return layout


def _joined(layout: Layout, wager: Wager) -> Layout:
    box = layout.box(wager.box)
    if box is None:
        boxes = (*layout.boxes, Box(wager.box, wager.by))
        return replace(layout, boxes=tuple(sorted(boxes, key=lambda each: each.number)))
    return layout if wager.by in box.bettors else with_box(layout, _lined_up(box, (*box.bettors, wager.by)))


def _lined_up(box: Box, bettors: tuple[str, ...]) -> Box:
    """The box with these players on it; the first of them decides."""
    first, *rest = bettors
    others = tuple(rest)
    return replace(box, seated=first, others=others, hands=(replace(box.hands[0], backers=others),), presides=False)


def presided(layout: Layout, seats: Mapping[int, str], *, full: bool) -> Layout:
    """The boxes with whoever sits there in front; the others stand behind.

    A player who sits at a box without a wager on it decides only at a table where no place is free: else whoever backs
    the box does.
    """
    boxes = (_presided(box, seats.get(box.number, ""), full=full) for box in layout.boxes)
    return replace(layout, boxes=tuple(boxes))


def _presided(box: Box, name: str, *, full: bool) -> Box:
    bettors = box.bettors
    if name in bettors:
        return _lined_up(box, (name, *(each for each in bettors if each != name)))
    return replace(_lined_up(box, (name, *bettors)), presides=True) if full and name else _lined_up(box, bettors)


def without(layout: Layout, name: str) -> Layout:
    """The layout once a player has taken the wager back: the next in line sits, and a box left alone closes."""
    return replace(layout, boxes=tuple(box for box in (_left(box, name) for box in layout.boxes) if box))


def _left(box: Box, name: str) -> Box | None:
    staying = tuple(each for each in box.bettors if each != name)
    return _lined_up(box, staying) if staying else None


def laid_down(layout: Layout, name: str, left: Iterable[Wager], rule: str, *, sits: Container[int]) -> Layout:
    """The layout once the wagers of a player are void while cards lie there: hands without a wager are void as well.

    `left` are the wagers that lie there yet, settled or not.  Where others have money on the box, a player who `sits`
    there still decides; else the next in line does.
    """
    lies = {(wager.box, wager.by, wager.hand or 1) for wager in left if wager.on in ON_A_HAND}
    boxes = (_given_up(box, name, lies, rule, sits=box.number in sits) for box in layout.boxes)
    return replace(layout, boxes=tuple(boxes))


def _given_up(box: Box, name: str, lies: Iterable[tuple[int, str, int]], rule: str, *, sits: bool) -> Box:
    here = [(by, hand) for number, by, hand in lies if number == box.number]
    if name not in box.bettors or name in [by for by, _ in here]:
        return _unbacked(box, here, rule)
    staying = tuple(each for each in box.bettors if each != name)
    hands = tuple(replace(hand, backers=tuple(by for by in hand.backers if by != name)) for hand in box.hands)
    box = replace(box, hands=hands, asked=tuple(by for by in box.asked if by != name))
    if name != box.seated:
        box = replace(box, others=staying)
    elif sits and staying:
        box = replace(box, presides=True)
    elif staying:
        first, *others = staying
        hands = tuple(replace(hand, backers=tuple(by for by in hand.backers if by != first)) for hand in hands)
        box = replace(box, seated=first, others=tuple(others), hands=hands)
    return _unbacked(box, here, rule)


def _unbacked(box: Box, here: Sequence[tuple[str, int]], rule: str) -> Box:
    """The box with its hands void on which nobody has a wager; whoever must still answer a split has one on either."""
    numbers = {hand for _, hand in here} | ({hand.number for hand in box.parted} if box.asked else set())
    return replace(
        box,
        hands=tuple(hand if hand.void or hand.number in numbers else replace(hand, void=rule) for hand in box.hands),
    )


def with_box(layout: Layout, box: Box) -> Layout:
    return replace(layout, boxes=tuple(box if each.number == box.number else each for each in layout.boxes))


def with_hand(box: Box, hand: Hand) -> Box:
    return replace(box, hands=tuple(hand if each.number == hand.number else each for each in box.hands))


def line(rules: BlackjackRules, box: Box) -> tuple[str, ...]:
    """The players of a box in the order in which their wagers lie, the one nearest the dealer first."""
    return box.bettors if rules.sharing.nearest.value == "seated" else box.bettors[::-1]


# ---------------------------------------------------------------- how it counts


MOST_TOTALS: Final = 4096


class Points(NamedTuple):
    """The points of a hand, and whether an ace in it counts eleven."""

    points: int
    soft: bool


def points(rules: BlackjackRules, card: Card) -> int:
    return rules.points.value[rank(card)]


@once
def _totals(rules: BlackjackRules) -> dict[tuple[Card, ...], Points]:
    """The totals that were counted under these rules."""
    return {}


def count(rules: BlackjackRules, cards: tuple[Card, ...]) -> Points:
    """The total: an ace counts its high value unless that would be too much.  The same hands are asked for again."""
    known = _totals(rules)
    found = known.get(cards)
    if found is None:
        if len(known) >= MOST_TOTALS:
            known.clear()
        found = known[cards] = _counted(rules, cards)
    return found


def _counted(rules: BlackjackRules, cards: tuple[Card, ...]) -> Points:
    value = rules.points.value
    high, worth = value[0], [value[rank(card)] for card in cards]
    total, aces = sum(worth), worth.count(high)
    while aces and total > rules.ace_limit.value:
        total, aces = total - high + rules.ace_low.value, aces - 1
    return Points(total, bool(aces))


def natural(rules: BlackjackRules, cards: tuple[Card, ...]) -> bool:
    """Whether these are two cards that make a blackjack."""
    return len(cards) == 2 and {points(rules, card) for card in cards} == rules.blackjack.value


def has_blackjack(rules: BlackjackRules, hand: Hand) -> bool:
    """A blackjack of a player, which a split hand cannot be."""
    return natural(rules, hand.cards) and (rules.split.blackjack.value or not hand.split)


def is_bust(rules: BlackjackRules, hand: Hand) -> bool:
    return count(rules, hand.cards).points > rules.limit.value


def is_pair(rules: BlackjackRules, first: Card, second: Card) -> bool:
    """Two cards that may be split: of the same value, by reading, not of the same rank."""
    match rules.split.alike.value:
        case "value":
            return points(rules, first) == points(rules, second)
        case "rank":
            return rank(first) == rank(second)


def split_ace(rules: BlackjackRules, hand: Hand) -> bool:
    return hand.split and points(rules, hand.cards[0]) == rules.points.value[0]


def finished(rules: BlackjackRules, hand: Hand) -> bool:
    """Whether nothing more can come to a hand that has its first two cards."""
    cards = len(hand.cards)
    if hand.void or hand.said in ("stand", "refuse", "surrender"):
        return True
    if hand.split and cards and split_ace(rules, hand):
        return cards > rules.split.ace_cards.value
    if cards < 2:
        return False
    if count(rules, hand.cards).points >= rules.draw_below.value:
        return True
    if hand.said == "double" and cards >= 2 + rules.double.cards.value:
        return True
    return hand.split and not rules.split.decides.value


def depends(rules: BlackjackRules, layout: Layout) -> bool:
    """Whether any hand can still win or lose by the dealer's further cards: neither bust, nor blackjack, nor void."""
    return any(
        hand.cards
        and not (hand.void or hand.said == "surrender")
        and not is_bust(rules, hand)
        and not has_blackjack(rules, hand)
        for hand in layout.hands()
    )


def dealer_draws(rules: BlackjackRules, cards: tuple[Card, ...]) -> bool:
    """Whether a dealer with these cards must draw: below the totals to stand on, or on a soft one that is drawn to."""
    total = count(rules, cards)
    soft = total.soft and present(rules.soft_hits) and total.points in rules.soft_hits.value
    return soft or total.points < rules.dealer_stands.value.start


def hole_card_ends(rules: BlackjackRules, layout: Layout) -> bool:
    """Whether the dealer has looked at the hole card and has a blackjack: then nobody plays on."""
    return present(rules.hole_card) and not layout.missed and natural(rules, layout.dealer)


# ---------------------------------------------------------------- for the numbers


def view(rules: BlackjackRules, layout: Layout) -> tuple[object, ...]:
    """All of a layout that the future of play can depend on; only remedies look at more.

    Cards are merged to totals; of two cards it counts besides whether they can be split, and of a hand that is finished
    only what it came to.
    """
    boxes = tuple(
        (
            *(box.number, box.seated, box.others, box.asked, box.insured, box.paid, box.omitted, box.answer),
            box.presides,
            tuple(_hand_view(rules, box, hand) for hand in box.hands),
        )
        for box in layout.boxes
    )
    return (boxes, _dealer_view(rules, layout), layout.missed, layout.shown, layout.void, layout.initial)


def _hand_view(rules: BlackjackRules, box: Box, hand: Hand) -> tuple[object, ...]:
    total = count(rules, hand.cards)
    held = (hand.number, hand.split, hand.backers)
    if hand.void:
        return (*held, hand.void)
    if is_bust(rules, hand):
        return (*held, "bust")
    if finished(rules, hand):
        return (*held, total.points, has_blackjack(rules, hand), hand.said == "surrender")
    room = len(box.hands) < rules.split.hands.value
    pair = room and not hand.said and len(hand.cards) == 2 and is_pair(rules, *hand.cards)
    return (*held, hand.said, min(len(hand.cards), 3), *total, pair)


def _dealer_view(rules: BlackjackRules, layout: Layout) -> tuple[object, ...]:
    return (min(len(layout.dealer), 2), *count(rules, layout.dealer), natural(rules, layout.dealer))


def outcome(rules: BlackjackRules, layout: Layout) -> dict[str, object]:
    """The round in figures: the dealer's total, and the total of each hand of each box."""
    return {
        "dealer": count(rules, layout.dealer).points,
        "dealer_blackjack": natural(rules, layout.dealer) and not layout.missed,
        "boxes": [
            {
                "box": box.number,
                "players": list(line(rules, box)),
                "hands": [_hand_outcome(rules, hand) for hand in box.hands],
            }
            for box in layout.boxes
        ],
        "void": bool(layout.void),
    }


def _hand_outcome(rules: BlackjackRules, hand: Hand) -> dict[str, object]:
    word = ""
    if hand.void:
        word = "void"
    elif hand.said == "surrender":
        word = "surrender"
    elif is_bust(rules, hand):
        word = "bust"
    elif has_blackjack(rules, hand):
        word = "blackjack"
    return {"hand": hand.number, "total": count(rules, hand.cards).points} | ({"state": word} if word else {})
