"""A second opinion on blackjack: a round dealt, played at random and settled, from the rows of division II alone.

Nothing of the program is used, so that the two can differ.  `Play` deals from a list of cards, lets everybody choose at
random among what the rows allow, and writes down the facts as a case for adjudication tells them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
READINGS = ("first_hand", "busted_plus_one", "original_only")


def value(card: str) -> int:
    return {"A": 11, "J": 10, "Q": 10, "K": 10}.get(card[:-1]) or int(card[:-1])


def points(cards: list[str]) -> int:
    total, aces = sum(map(value, cards)), sum(card[:-1] == "A" for card in cards)
    return total - 10 * min(aces, max(0, -(-(total - 21) // 10)))


@dataclass(eq=False)
class Hand:
    cards: list[str]
    number: int = 1
    split: bool = False
    done: bool = False
    declined: bool = False

    @property
    def points(self) -> int:
        return points(self.cards)

    @property
    def pair(self) -> bool:
        return len(self.cards) == 2 and value(self.cards[0]) == value(self.cards[1])


@dataclass(eq=False)
class Stake:
    """One stake; `of` is the number of the main wager that it was added to, `hand` where it lies."""

    on: str
    amount: int
    by: str
    box: int
    of: int | None = None
    hand: Hand | None = None
    result: str = ""
    pays: int = 0
    returned: int = 0
    busted: bool = False

    def won(self, odds: Fraction | int, chip: int) -> None:
        self.result, self.pays = "won", int(-(-self.amount * odds // chip) * chip)
        self.returned = self.pays + self.amount

    def lost(self) -> None:
        self.result, self.pays, self.returned = "lost", 0, 0

    def back(self) -> None:
        self.result, self.pays, self.returned = "standoff", 0, self.amount


@dataclass
class Play:
    """A round; `stakes` are the wagers in order, then what was added in the order it was."""

    random: Random
    shoe: Iterator[str]
    stakes: list[Stake]
    chip: int
    minimum: int
    reading: str
    facts: list[Any] = field(default_factory=list)
    hands: dict[int, list[Hand]] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.boxes = sorted({stake.box for stake in self.stakes})
        self.hands = {box: [Hand([])] for box in self.boxes}
        self.first = {box: self.hands[box][0] for box in self.boxes}
        for stake in self.stakes:
            stake.hand = self.first[stake.box] if stake.on == "main" else None

    def card(self) -> str:
        self.facts.append(next(self.shoe))
        return str(self.facts[-1])

    def mains(self, box: int) -> list[Stake]:
        return [stake for stake in self.stakes if stake.on == "main" and stake.box == box]

    def say(self, choice: str, stake: Stake, **more: int) -> None:
        self.facts.append({"choose": choice, "box": stake.box, **more} | ({"by": stake.by} if stake.by else {}))

    def add(self, on: str, amount: int, main: Stake, hand: Hand | None) -> None:
        self.stakes.append(Stake(on, amount, main.by, main.box, self.stakes.index(main), hand))

    def blackjack(self, box: int) -> bool:
        return not self.first[box].split and len(self.first[box].cards) == 2 and self.first[box].points == 21

    # ------------------------------------------------------------ the round

    def run(self) -> None:
        for box in self.boxes:
            self.first[box].cards.append(self.card())
        self.dealer.append(self.card())
        for box in self.boxes:
            self.first[box].cards.append(self.card())
            self.sevens(box)
        for box in self.boxes:
            if self.blackjack(box) and 2 <= value(self.dealer[0]) <= 9:
                for stake in self.mains(box):
                    stake.won(Fraction(3, 2), self.chip)
        if self.dealer[0][:-1] == "A":
            self.offer_insurance()
        for box in self.boxes:
            if not self.blackjack(box):
                self.play_box(box)
            self.sevens(box, last=True)
        self.finish()

    def sevens(self, box: int, *, split: bool = False, last: bool = False) -> None:
        """Super Sevens, as soon as it is decided."""
        cards = self.first[box].cards
        sevens = next((n for n, card in enumerate(cards) if card[:-1] != "7"), len(cards))
        suits = len({card[-1] for card in cards[:3]})
        odds = {0: 0, 1: 3, 2: 100 if cards[0][-1] == cards[min(1, len(cards) - 1)][-1] else 50}.get(
            sevens, 5000 if suits == 1 else 500
        )
        if sevens < 2 or len(cards) > 2 or split or last:
            for stake in self.stakes:
                if stake.on == "super_sevens" and stake.box == box and not stake.result:
                    stake.won(odds, self.chip) if odds else stake.lost()

    def offer_insurance(self) -> None:
        mains = [stake for box in self.boxes for stake in self.mains(box)]
        self.random.shuffle(mains)
        for main in mains:
            most, chance = main.amount // 2 // self.chip * self.chip, self.random.random()
            if self.blackjack(main.box) and chance < 0.4:
                self.say("even_money", main)
                main.won(1, self.chip)
            elif chance < 0.75 and most >= max(self.minimum, 1):
                self.say("insure", main, amount=most)
                self.add("insurance", most, main, None)

    def play_box(self, box: int) -> None:
        hands, at = self.hands[box], 0
        while at < len(hands):
            hand = hands[at]
            if len(hand.cards) == 1:
                hand.cards.append(self.card())
            while hand.points < 21 and not hand.done:
                self.choose(box, hand)
            if hand.points > 21:
                for stake in self.stakes:
                    if stake.hand is hand:
                        stake.busted = True
                        stake.lost()
            at += 1

    def choose(self, box: int, hand: Hand) -> None:
        options = ["hit"] + ["stand"] * (hand.points >= 12)
        if len(hand.cards) == 2 and hand.points in (9, 10, 11) and not any(card[:-1] == "A" for card in hand.cards):
            options += ["double"] * 2
        if hand.pair and len(self.hands[box]) < 3 and not hand.declined:
            options += ["split"] * 6
        choice = self.random.choice(options)
        hand.declined |= hand.pair and choice != "split"
        match choice:
            case "double":
                self.double(box, hand)
            case "split":
                self.split(box, hand)
            case _:
                self.say(choice, self.mains(box)[0])
                hand.done = choice == "stand"
        if choice in ("hit", "double"):
            hand.cards.append(self.card())
            hand.done = choice == "double"
            if not hand.split:
                self.sevens(box)

    def on_hand(self, main: Stake, hand: Hand) -> Stake | None:
        """The bettor's stake on a hand, main or split."""
        of = self.stakes.index(main)
        own = [each for each in self.stakes if each is main or (each.on == "split" and each.of == of)]
        return next((each for each in own if each.hand is hand), None)

    def double(self, box: int, hand: Hand) -> None:
        for place, main in enumerate(self.mains(box)):
            stake = self.on_hand(main, hand)
            if stake is None or (place and self.random.random() < 0.4):
                continue
            least = max(-(-self.minimum // self.chip), 1)
            amount = self.chip * self.random.randint(min(least, stake.amount // self.chip), stake.amount // self.chip)
            self.say("double", main, amount=amount)
            self.add("double", amount, main, hand)

    def split(self, box: int, hand: Hand) -> None:
        hands, aces = self.hands[box], hand.cards[0][:-1] == "A"
        if not hand.split:
            self.sevens(box, split=True)
        new = Hand([hand.cards.pop()], len(hands) + 1, split=True, done=aces)
        hand.split, hand.done = True, aces
        hands.insert(hands.index(hand) + 1, new)
        for place, main in enumerate(self.mains(box)):
            stake = self.on_hand(main, hand)
            if stake is None:
                continue
            if place == 0 or self.random.random() < 0.5:
                self.say("split", main)
                self.add("split", stake.amount, main, new)
            else:
                stake.hand = self.random.choice([hand, new])
                self.say("ride", main, hand=stake.hand.number)
        hand.cards.append(self.card())

    # ------------------------------------------------------------ the end

    def finish(self) -> None:
        self.dealer.append(self.card())
        natural = points(self.dealer) == 21
        for stake in self.stakes:
            if stake.on == "insurance":
                stake.won(2, self.chip) if value(self.dealer[1]) == 10 else stake.lost()
        if any(stake.hand and not stake.result and not self.blackjack(stake.box) for stake in self.stakes):
            while points(self.dealer) < 17:
                self.dealer.append(self.card())
        for main in [stake for box in self.boxes for stake in self.mains(box)]:
            of = self.stakes.index(main)
            added = [each for each in self.stakes if each.of == of and each.on in ("split", "double")]
            if natural:
                self.against_blackjack(main, added)
            else:
                for stake in (main, *added):
                    self.compare(stake)

    def against_blackjack(self, main: Stake, added: list[Stake]) -> None:
        if self.blackjack(main.box):
            if not main.result:
                main.back()
            return
        main.lost()
        splits = [each for each in added if each.on == "split" and not each.result]
        if self.reading == "busted_plus_one" and main.busted and splits:
            min(splits, key=lambda each: self.hands[main.box].index(each.hand or Hand([]))).lost()
        for each in added:
            if not each.result or (self.reading == "original_only" and each.busted):
                each.back()

    def compare(self, stake: Stake) -> None:
        if stake.result:
            return
        assert stake.hand is not None
        mine, dealers = stake.hand.points, points(self.dealer)
        if self.blackjack(stake.box):
            stake.won(Fraction(3, 2), self.chip)
        elif dealers > 21 or mine > dealers:
            stake.won(1, self.chip)
        elif mine == dealers:
            stake.back()
        else:
            stake.lost()


# ---------------------------------------------------------------- rounds at random

WEIGHTS = (
    (1,) * 13,
    (4, 1, 1, 1, 1, 1, 1, 1, 1, 3, 2, 2, 2),
    (1, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1),
    (1, 1, 1, 1, 1, 1, 1, 6, 2, 1, 1, 1, 3),
    (2, 1, 3, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0),
    (3, 0, 0, 0, 0, 0, 0, 0, 1, 3, 3, 3, 3),
)


def played(random: Random) -> tuple[Play, list[dict[str, Any]]]:
    """A round that came to its end, with the wagers it began with."""
    chip = random.choice([1, 1, 50, 100])
    minimum = random.choice([0, 0, 2 * chip])
    wagers: list[dict[str, Any]] = []
    for box in sorted(random.sample(range(1, 8), random.choice([1, 1, 1, 2, 3]))):
        for by in random.sample(["a", "b", "c", "d"], random.randint(1, 3)):
            wagers.append({"on": "main", "amount": chip * random.randint(2, 40), "by": by, "box": box})
            if random.random() < 0.5:
                wagers.append({"on": "super_sevens", "amount": 2 * chip, "by": by, "box": box})
    play = Play(random, _cards(random), [Stake(**each) for each in wagers], chip, minimum, random.choice(READINGS))
    play.run()
    return play, wagers


def _cards(random: Random) -> Iterator[str]:
    """Cards of six decks, some ranks oftener than others, each no oftener than there are of it."""
    weights, out = random.choice(WEIGHTS), dict[str, int]()
    while True:
        card = random.choices(RANKS, weights)[0] + random.choice("chds")
        out[card] = out.get(card, 0) + 1
        if out[card] <= 6:
            yield card
