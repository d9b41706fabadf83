"""The slow path: the same shoe played card by card through `round.happen`, and a proof that both agree.

`played` tells what a strategy makes of a shoe in which every card lies where it lies.  `counted` asks the kernel about
the same shoe and turns its bins into the same words.  `disagreements` compares them over many random shoes; packs with
few kinds of cards are among them, so that pairs, splits to three hands and sevens are frequent.  `random_plan` plays
without sense: whatever is open is chosen at some time, so that nothing stays untried because nobody sane would do it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import njit

from croupier.equipment import CARDS, Card
from croupier.exact.blackjack.lattice import Lattice
from croupier.exact.blackjack.terms import BITS, Ints, RuleTables, symbols
from croupier.game import CardSeen, Choose, Chosen, Deal, Wager, granted
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import Box, Hand, Layout, has_blackjack, points
from croupier.games.blackjack.play import turn
from croupier.games.blackjack.rules import DOUBLE, INSURANCE, MAIN, SPLIT, SUPER_SEVENS, BlackjackRules
from croupier.round import AnyRound, BookLine, happen, open_round, place, settle
from croupier.simulation.blackjack import kernel as k
from croupier.simulation.blackjack.outcomes import Block, insurance_endings, main_endings, sevens_endings
from croupier.simulation.blackjack.strategies import ACTS, HANDS, StrategyTables, open_bits
from croupier.simulation.blackjack.tables import SimulatedTable, code_of
from croupier.simulation.plan import Chunk, always, run_chunk
from croupier.simulation.streams import below, first_word, keys_of

STAKE: Final = 1_000
MARKS: Final = 1_000
WORDS: Final = {k.STAND: "stand", k.HIT: "hit", k.DOUBLE: "double", k.SPLIT: "split", k.SURRENDER: "surrender"}


class BlackjackWagerEnd(NamedTuple):
    """What a wager of a box came to: its net per unit, how many stakes it grew to, and the last one's word and rule."""

    wager: str
    net: Fraction
    stakes: int = 1
    result: str = ""
    rule: str = ""


Tale: TypeAlias = Counter[tuple[str, BlackjackWagerEnd]]
"""How often each ending came up, by strategy."""
Words: TypeAlias = dict[int, tuple[str, BlackjackWagerEnd]]


# ---------------------------------------------------------------- play


@dataclass(frozen=True, slots=True)
class StrategyPlayer:
    """A strategy at a table: it reads a layout and decides."""

    rules: BlackjackRules
    plan: StrategyTables
    hands: Lattice

    def decide(self, layout: Layout, box: Box, hand: Hand) -> str:
        variant, symbol = variant_of(self.rules, box, hand), 0
        if variant != k.ALONE:
            symbol = self._symbols(hand)[0]
        return WORDS[int(self.plan.rows[variant, symbol, self._up(layout)][self._number(hand)])]

    def early(self, layout: Layout, box: Box) -> str:
        """What is said to a dealer's ace before any further card."""
        said = int(self.plan.early[self._up(layout)][self._number(box.hands[0])]) if layout.dealer else k.NOTHING
        against = self.rules.blackjacks.even_money_against.value
        if said == k.EVEN_MONEY and points(self.rules, layout.dealer[0]) in against:
            return "even_money" if has_blackjack(self.rules, box.hands[0]) else ""
        offered = points(self.rules, layout.dealer[0]) in self.rules.insurance.against.value
        return "insure" if said == k.INSURE and offered else ""

    def _up(self, layout: Layout) -> int:
        return symbols(self.rules).index(points(self.rules, layout.dealer[0]))

    def _symbols(self, hand: Hand) -> list[int]:
        return [symbols(self.rules).index(points(self.rules, card)) for card in hand.cards]

    def _number(self, hand: Hand) -> int:
        held = self._symbols(hand)
        return self.hands.find(tuple(held.count(symbol) for symbol in range(len(symbols(self.rules)))))


def variant_of(rules: BlackjackRules, box: Box, hand: Hand) -> int:
    """Which hand of its box it is, as far as a strategy may look."""
    order = [each.number for each in box.hands]
    if len(order) == 1:
        return k.ALONE
    if hand.number == order[0]:
        return k.FIRST_OF_TWO if len(order) == 2 else k.FIRST_OF_THREE
    first = [points(rules, card) for card in box.hands[0].cards]
    kept = first[0] == first[1]
    if len(order) == 2:
        return k.KEPT if kept else k.SECOND
    if order[1] == len(order):
        return k.LATER_OF_THREE
    return k.AFTER_KEPT if kept else k.AFTER_SECOND


def played(players: Sequence[StrategyPlayer], shoe: Sequence[Card], *, cut: int) -> tuple[Tale, int]:
    """What a shoe comes to, and in how many rounds: one is begun while the cutting card has not come out."""
    rules = players[0].rules
    tale: Tale = Counter()
    at, rounds = int(rules.burn_card.value.elected), 0
    while at < cut:
        rounds += 1
        ended, at = _round(players, shoe, at)
        for number, player in enumerate(players, 1):
            tale.update((player.plan.name, end) for end in _endings(rules, ended, number))
    return tale, rounds


def _round(players: Sequence[StrategyPlayer], shoe: Sequence[Card], at: int) -> tuple[AnyRound, int]:
    """One round through the game: how it ended, and where the next card lies."""
    rules = players[0].rules
    this = open_round(BLACKJACK, rules)
    sevens = SUPER_SEVENS in BLACKJACK.wagers(rules)
    wagers = [Wager(on, STAKE, by=f"p{n}", box=n) for n in _boxes(players) for on in (MAIN, SUPER_SEVENS)]
    placed = granted(place(this, tuple(wager for wager in wagers if sevens or wager.on == MAIN)))
    this, asked = placed, False
    while True:
        if not asked and this.state.dealer and all(len(box.hands[0].cards) == 2 for box in this.state.boxes):
            asked = True
            this = _offered(players, this)
        due = this.due
        if isinstance(due, Deal):
            this, at = granted(happen(this, CardSeen(shoe[at]))), at + 1
        elif isinstance(due, Choose):
            this = granted(happen(this, Chosen(_choice(players, this))))
        else:
            return this, at


def _boxes(players: Sequence[StrategyPlayer]) -> range:
    return range(1, len(players) + 1)


def _offered(players: Sequence[StrategyPlayer], this: AnyRound) -> AnyRound:
    """Insurance and even money, box by box."""
    for number in _boxes(players):
        word = players[number - 1].early(this.state, this.state.box(number))
        if word:
            this = granted(happen(this, Chosen(word, box=number)))
    return this


def _choice(players: Sequence[StrategyPlayer], this: AnyRound) -> str:
    now = turn(this.rules, this.state)
    assert now.box is not None
    assert now.hand is not None
    return players[now.box.number - 1].decide(this.state, now.box, now.hand)


def _endings(rules: BlackjackRules, this: AnyRound, box: int) -> Iterator[BlackjackWagerEnd]:
    """What the wagers of a box came to."""
    mine = [entry for entry in this.book if entry.wager.box == box]
    hand = [entry for entry in mine if entry.wager.on in (MAIN, SPLIT, DOUBLE)]
    net = sum((_net(rules, entry) for entry in hand), Fraction(0)) / STAKE
    last = hand[-1].resolution
    assert last is not None
    word = f"double {last.result}" if len(hand) > 1 else last.result
    split = any(entry.wager.on == SPLIT for entry in hand)
    yield BlackjackWagerEnd(MAIN, net, len(hand)) if split else BlackjackWagerEnd(MAIN, net, len(hand), word, last.rule)
    for entry in mine:
        if entry.wager.on in (INSURANCE, SUPER_SEVENS):
            yield BlackjackWagerEnd(entry.wager.on, _net(rules, entry) / entry.wager.stake_cents)


def _net(rules: BlackjackRules, entry: BookLine) -> Fraction:
    money = settle(entry, BLACKJACK.rounding(rules), 1)
    assert money.result != "open", entry
    return Fraction(money.net_cents(entry.wager.stake_cents))


# ---------------------------------------------------------------- the kernel


def counted(
    rules: BlackjackRules, table: SimulatedTable, shoe: Sequence[Card], *, cut: int, words: Words | None = None
) -> tuple[Tale, int]:
    """What the kernel makes of the same shoe, and in how many rounds."""
    shape = table.program.tables[1].copy()
    shape[k.CUT], shape[k.READY] = cut, len(shoe)
    codes = np.array([code_of(rules, card) for card in range(CARDS)], dtype=np.uint8)
    program = replace(table.program, tables=(codes[list(shoe)], shape, *table.program.tables[2:]))
    tally = run_chunk(program, Chunk(0, 0, 1))
    tale: Tale = Counter()
    known = words_of(rules, table) if words is None else words
    for at in np.flatnonzero(tally.counts).tolist():
        if at in known:
            tale[known[at]] += int(tally.counts[at])
    return tale, tally.rounds


def words_of(rules: BlackjackRules, table: SimulatedTable) -> Words:
    """What each bin says, in the words of the play; insurance that was not taken says nothing."""
    words = enumerate(bin_words(rules, table.block))
    size = table.block.size
    held = [(at, end) for at, end in words if end is not None]
    return {n * size + at: (name, end) for n, name in enumerate(table.names) for at, end in held}


def bin_words(rules: BlackjackRules, block: Block) -> list[BlackjackWagerEnd | None]:
    """What each bin of a block says."""
    words: list[BlackjackWagerEnd | None] = [None] * block.size
    for at, ending in enumerate(main_endings(block)):
        if ending is not None and at >= block.split:
            words[at] = BlackjackWagerEnd(MAIN, ending.net, 2 + (at - block.split) // block.split_width)
        elif ending is not None:
            doubled = block.totals * block.terms.endings <= at < block.naturals
            words[at] = BlackjackWagerEnd(MAIN, ending.net, 1 + doubled, ending.result, ending.rule)
    for at, ending in enumerate(insurance_endings(rules)):
        words[block.insurance + 2 + at] = BlackjackWagerEnd(INSURANCE, ending.net)
    for at, ending in enumerate(sevens_endings(rules) if block.sevens else ()):
        words[block.super_sevens + at] = BlackjackWagerEnd(SUPER_SEVENS, ending.net)
    return words


# ---------------------------------------------------------------- the proof


def disagreements(
    rules: BlackjackRules,
    table: SimulatedTable,
    hands: Lattice,
    *,
    shoes: int,
    seed: int = 1,
    rounds: int = 2,
    goes_on: Callable[[int], bool] = always,
) -> list[tuple[Card, ...]]:
    """The random shoes, of about so many rounds each, on which kernel and play differ: none, if both are right."""
    players = [StrategyPlayer(rules, plan, hands) for plan in table.plans]
    cut = 1 + 6 * len(players) * (rounds - 1) + int(rules.burn_card.value.elected)
    words, found = words_of(rules, table), []
    for number in range(shoes):
        shoe = random_shoe(rules, seed, number, size=cut + 60 * len(players) + 40)
        if played(players, shoe, cut=cut) != counted(rules, table, shoe, cut=cut, words=words):
            found.append(shoe)
        if not goes_on(number + 1):
            break
    return found


def random_plan(held: RuleTables, hands: Lattice, seed: int) -> StrategyTables:
    """Any open choice, at random, in every situation, and any answer to an ace.  What is open depends on no reading."""
    kinds = range(len(held.values))
    keys = [(k.ALONE, 0, up) for up in kinds]
    keys += [(variant, symbol, up) for variant in HANDS if variant != k.ALONE for symbol in kinds for up in kinds]
    rows = {key: _random_row(held, hands, (seed, unit), key) for unit, key in enumerate(keys)}
    size = len(hands.size)
    early = {up: numbers_below(*keys_of(seed), len(keys) + up, 2, size) for up in kinds}
    natural = hands.child[hands.single[held.natural[0]], held.natural[1]]
    early[0][natural] = (k.NOTHING, k.INSURE, k.EVEN_MONEY)[seed % 3]
    return StrategyTables(f"random {seed}", rows, early)


def _random_row(held: RuleTables, hands: Lattice, chance: tuple[int, int], key: tuple[int, int, int]) -> Ints:
    """A choice for each hand, from the words of a unit under a seed."""
    (seed, unit), (variant, symbol, _) = chance, key
    bits = open_bits(held, hands, HANDS[variant], first=-1 if variant == k.ALONE else symbol)
    marks = numbers_below(*keys_of(seed), unit, MARKS, len(BITS) * len(bits)).reshape(len(BITS), len(bits))
    # A split is as welcome as it can be, so that three hands are frequent.
    marks[list(BITS).index("split")] += MARKS // 2
    marks[[(bits & bit) == 0 for bit in BITS.values()]] = -1
    best = np.array([ACTS[word] for word in BITS])[marks.argmax(axis=0)]
    chosen: Ints = np.where(bits == 0, k.STAND, best)
    return chosen


def random_shoe(rules: BlackjackRules, seed: int, number: int, *, size: int) -> tuple[Card, ...]:
    """So many cards drawn from all, or from one of three poorer sets in which pairs are frequent, each as often."""
    sevens = [card for card in range(CARDS) if card % 13 == rules.sevens.figure.value - 1]
    poorer = ([*range(CARDS)], [*sevens, 0, 1, 9, 10], [0, 13, 7, 20, 9, 22, 35], [*range(1, 4), *range(5, 8), 0, 9])
    kinds = poorer[number % len(poorer)]
    k0, k1 = keys_of(seed)
    return tuple(kinds[at] for at in numbers_below(k0, k1, number, len(kinds), size).tolist())


@njit(nogil=True, cache=True)
def numbers_below(k0: Any, k1: Any, unit: Any, n: Any, size: Any) -> Any:
    """So many numbers below n, from the words of a unit."""
    numbers = np.empty(size, dtype=np.int64)
    counter = first_word(unit)
    for at in range(size):
        number, counter = below(k0, k1, counter, n)
        numbers[at] = number
    return numbers
