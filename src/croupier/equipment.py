"""Equipment: cards, shoes, dice and wheels, as plain values.

Theory of operation.  A piece of equipment is an order of cards (`Shoe`), a heap of cards (counts) or a
`Space` (outcomes with integer weights).  All are frozen: an act gives a new value and leaves the old one.

Chance never originates here.  It enters through a parameter `below`: `below(n)` gives one of 0..n-1, each
equally likely.  `below_from_bits` makes that from random bits, exactly unbiased.  A source that answers out
of range, or only with numbers to reject, is broken, and is reported instead of being used.

How deep a cut must be, where the cutting card goes and what is burned are rules of the games and are not
checked here.  Bad input raises `ValueError` with one line that names the input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise, product
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from croupier.once import dataclass

Below: TypeAlias = Callable[[int], int]
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

MOST_REJECTIONS: Final = 256  # in a row: a sound source gets there less than once in 2**256 times


def below_from_bits(n: int, bits: Callable[[int], int]) -> int:
    """One of 0..n-1, each equally likely, from `bits(k)`, which gives k random bits as a number.

    The smallest k with 2**k >= n is used and numbers from n up are rejected, fewer than half of them; so each
    result comes from exactly one number.
    """
    if n < 1:
        raise ValueError(f"nothing to choose from: {n}")
    width = (n - 1).bit_length()
    if width == 0:
        return 0
    for _ in range(MOST_REJECTIONS):
        number = bits(width)
        if not 0 <= number < 1 << width:
            raise ValueError(f"a source of {width} bits answered {number}")
        if number < n:
            return number
    raise ValueError(f"a source of {width} bits gave nothing below {n} in {MOST_REJECTIONS} answers")


def _chosen(n: int, below: Below) -> int:
    choice = below(n)
    if not 0 <= choice < n:
        raise ValueError(f"a source of choices below {n} answered {choice}")
    return choice


def shuffled(items: Sequence[T], below: Below) -> tuple[T, ...]:
    """Every order equally likely (Fisher and Yates, last place first): choices below n, n-1, ..., 2."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = _chosen(last + 1, below)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)


@dataclass(frozen=True, slots=True)
class Space(Generic[T_co]):
    """Outcomes and their integer weights; an outcome may be listed twice, like a symbol on a wheel."""

    outcomes: tuple[T_co, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.outcomes) != len(self.weights):
            raise ValueError(f"{len(self.outcomes)} outcomes with {len(self.weights)} weights")
        if any(type(weight) is not int or weight < 0 for weight in self.weights) or not any(self.weights):
            raise ValueError(f"weights must be whole numbers from 0 up, not all 0: {self.weights!r:.60}")

    @property
    def total(self) -> int:
        return sum(self.weights)

    def at(self, ticket: int) -> T_co:
        """The owner of a ticket from 0 to total-1; an outcome owns as many in a row as its weight."""
        for outcome, end in zip(self.outcomes, accumulate(self.weights), strict=True):
            if 0 <= ticket < end:
                return outcome
        raise ValueError(f"no ticket {ticket} among {self.total}")

    def draw(self, below: Below) -> T_co:
        return self.at(_chosen(self.total, below))

    def map(self, function: Callable[[T_co], T]) -> Space[T]:
        """The space of a function of the outcome, equal values joined: `DICE_TWO.map(sum)` is the totals."""
        joined: Counter[T] = Counter()
        for outcome, weight in zip(self.outcomes, self.weights, strict=True):
            joined[function(outcome)] += weight
        return Space(tuple(joined), tuple(joined.values()))


def equally_likely(outcomes: Iterable[T]) -> Space[T]:
    listed = tuple(outcomes)
    return Space(listed, (1,) * len(listed))


# A card is 0..51, suit * 13 + rank.  Counts say how many there are of each of 52 cards or 13 ranks.
Card: TypeAlias = int
Counts: TypeAlias = tuple[int, ...]
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("c", "d", "h", "s")
CARDS: Final = len(SUITS) * len(RANKS)
_RANK_OF: Final = {name: index for index, name in enumerate(RANKS)} | {"T": RANKS.index("10")}
SIGNS: Final = "♣♦♥♠"
_SUIT_OF: Final = {name: index for names in (SUITS, SIGNS) for index, name in enumerate(names)}


def rank(card: Card) -> int:
    return card % len(RANKS)


def suit(card: Card) -> int:
    return card // len(RANKS)


def colour(card: Card) -> Literal["black", "red"]:
    return "red" if SUITS[suit(card)] in ("d", "h") else "black"


def check_card(card: Card) -> Card:
    if type(card) is not int or not 0 <= card < CARDS:
        raise ValueError(f"not a card from 0 to {CARDS - 1}: {card!r:.60}")
    return card


def parse_rank(text: str) -> int:
    """A bare rank: "A", "7", "10" or "T", "k"."""
    found = _RANK_OF.get(text.strip().upper())
    if found is None:
        raise ValueError(f"not a rank: {text!r:.60} (A, 2 to 10, J, Q or K)")
    return found


def parse_card(text: str) -> Card:
    """A card: "10d", "Td", "kc", "K♣"."""
    plain = text.strip()
    found_rank, found_suit = _RANK_OF.get(plain[:-1].upper()), _SUIT_OF.get(plain[-1:].lower())
    if found_rank is None or found_suit is None:
        raise ValueError(f"not a card: {text!r:.60} (A, 2 to 10, J, Q or K, then c, d, h or s)")
    return found_suit * len(RANKS) + found_rank


def card_name(card: Card) -> str:
    """As in case files: "10d"."""
    return RANKS[rank(check_card(card))] + SUITS[suit(card)]


def card_sign(card: Card) -> str:
    """As people read it: "10♦"."""
    return RANKS[rank(check_card(card))] + SIGNS[suit(card)]


def full_shoe(decks: int) -> Counts:
    """The 52 counts of so many whole decks."""
    if type(decks) is not int or decks < 1:
        raise ValueError(f"decks must be a whole number, 1 or more: {decks!r:.60}")
    return (decks,) * CARDS


CARD_NAMES: Final = tuple(map(card_name, range(CARDS)))


def check_counts(counts: Sequence[int], kinds: Literal[13, 52], *, decks: int | None = None) -> Counts:
    """A user's counts by rank (13) or by card (52): none above what the decks hold, where they are known."""
    names = RANKS if kinds == len(RANKS) else CARD_NAMES
    most = None if decks is None else full_shoe(decks)[0] * (CARDS // len(names))
    if len(counts) != len(names):
        raise ValueError(f"{len(counts)} counts where {len(names)} are needed ({names[0]} to {names[-1]})")
    for name, count in zip(names, counts, strict=True):
        if type(count) is not int or count < 0:
            raise ValueError(f"the count of {name} must be a whole number, 0 or more: {count!r:.60}")
        if most is not None and count > most:
            raise ValueError(f"the count of {name} is {count}, and there are only {most}")
    if not any(counts):
        raise ValueError("counts without a single card")
    return tuple(counts)


def impossible_card(seen: Iterable[Card], decks: int) -> Card | None:
    """The first card seen more often than so many decks hold it, if there is one."""
    left = list(full_shoe(decks))
    for card in seen:
        left[check_card(card)] -= 1
        if left[card] < 0:
            return card
    return None


@dataclass(frozen=True, slots=True)
class CuttingCard:
    """The blank card that ends a shoe; it comes out like any other, but is no card of the game."""


CUTTING_CARD: Final = CuttingCard()
Item: TypeAlias = Card | CuttingCard


def load(stack: Sequence[Card]) -> Shoe:
    """A stack put into the shoe; its first card comes out first."""
    return Shoe(tuple(check_card(card) for card in stack))


@dataclass(frozen=True, slots=True)
class Shoe:
    """The whole stack in order, how many were drawn, and for each cutting card the cards in front of it."""

    cards: tuple[Card, ...]
    cutting: tuple[int, ...] = ()
    drawn: int = 0

    def __post_init__(self) -> None:
        places = (0, self.drawn, *self.cutting, len(self.cards))
        if any(front > back for front, back in pairwise(places)):
            raise ValueError(f"{self.drawn} of {len(self.cards)} cards drawn, cutting at {self.cutting}")

    @property
    def remaining(self) -> int:
        """How many cards are left, cutting cards not counted."""
        return len(self.cards) - self.drawn

    def insert_cutting_card(self, from_back: int) -> Shoe:
        """A cutting card with `from_back` cards behind it; 0 is the very back."""
        if not 0 <= from_back <= self.remaining:
            raise ValueError(f"a cutting card {from_back} from the back of {self.remaining} cards")
        return replace(self, cutting=tuple(sorted((*self.cutting, len(self.cards) - from_back))))

    def draw(self) -> tuple[Item, Shoe]:
        """What comes out next, a card or a cutting card, and the shoe after it."""
        if self.cutting and self.cutting[0] == self.drawn:
            return CUTTING_CARD, replace(self, cutting=self.cutting[1:])
        if not self.remaining:
            raise ValueError("no card is left in the shoe")
        return self.cards[self.drawn], replace(self, drawn=self.drawn + 1)

    def burn(self, n: int) -> tuple[tuple[Item, ...], Shoe]:
        """The next n cards, with any cutting card that lay before them, and the shoe after them."""
        if not 0 <= n <= self.remaining:
            raise ValueError(f"{n} cards to burn of {self.remaining}")
        burned: list[Item] = []
        shoe = self
        while shoe.drawn < self.drawn + n:
            item, shoe = shoe.draw()
            burned.append(item)
        return tuple(burned), shoe


# Dice and wheels.  The diagrams of both wheels are lost (NZ1996-III-diag-4, NZ1996-VII-diag-8).
_FACES: Final = range(1, 7)
DICE_TWO: Final[Space[tuple[int, int]]] = equally_likely(product(_FACES, _FACES))
DICE_THREE: Final[Space[tuple[int, int, int]]] = equally_likely(product(_FACES, _FACES, _FACES))

# Clockwise from zero: the common single-zero order, which agrees with the words of NZ1996-III-2.3.
_FROM_ZERO: Final = (0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10)
_FROM_FIVE: Final = (5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26)
ROULETTE_WHEEL: Final = equally_likely(_FROM_ZERO + _FROM_FIVE)
RED_NUMBERS: Final = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})
NOBODY_KNOWS: Final = frozenset({"equipment", "system"})
"""The sources of results whose next one nobody can know."""


def pocket_colour(number: int) -> Literal["green", "black", "red"]:
    if number not in ROULETTE_WHEEL.outcomes:
        raise ValueError(f"not a number of the wheel: {number!r:.60}")
    return "green" if number == 0 else "red" if number in RED_NUMBERS else "black"


# The rim of the money wheel.  NZ1996-VII-2.3 fixes the counts (A24 B12 C8 D4 E2 F1 G1); any order gives the
# same odds, and this one is our own: four quarters of 13 sections, alike but for their heads F, E, G, E, so
# that F and G are opposite, and the two Es as well.  Each has 6 A, 3 B, 2 C and 1 D.  In only four such
# quarters the gaps between equal symbols never differ by more than one section round the rim (A 2-3, B 4-5,
# C 6-7, D 13); this is the first of them in the alphabet.
MONEY_WHEEL: Final = equally_likely("".join(head + "ABACABADABCA" for head in "FEGE"))


# ---------------------------------------------------------------- what lies where


@dataclass(frozen=True, slots=True)
class Lies:
    """Where a wager lies: the number that it went to, if it did, and the marker buttons on it."""

    number: int | None = None
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Laid:
    """The cards of one hand, in the order in which they came: of the dealer, of a side, or of a box.

    Those at the places `down` lie face down: `owners` may look at them, and staff.  `asked`: somebody must still say
    whether a wager goes with this hand.
    """

    place: str
    cards: tuple[Card, ...]
    box: int = 0
    hand: int = 0
    down: frozenset[int] = frozenset()
    owners: tuple[str, ...] = ()
    asked: bool = False


def seen_by(hand: Laid, viewer: str) -> tuple[Card | None, ...]:
    """A hand as somebody sees it who is no member of staff: a card that is not for their eyes is none."""
    if viewer and viewer in hand.owners:
        return hand.cards
    return tuple(None if at in hand.down else card for at, card in enumerate(hand.cards))
