"""A coup of baccarat, its pairs and its Runs as tables for the kernels.

Theory of operation.  The automaton of the exact odds (positions, symbols, steps, all made by `demand`, `apply` and
`judge`) is folded into two tables.  After four cards the positions that go on alike are one class; a class with two
more cards gives the end.  An end is what the coup means to every wager: the automaton's final positions with equal
decisions are one.  So the histogram of ends settles every wager, and no payout is written here.

Bets of pairs are decided by cards, not by symbols: a table gives the kind of two cards, and the kinds of both hands
decide, by `judge` on an example of each.  Runs are an automaton over ends: its state is what each Run on the table
remembers, and its steps are `judge` on an example of each end.  A Run that is decided is placed again before the next
coup; at the end of a shoe what is open carries over, and is dealt out without new Runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import Card
from croupier.exact.automaton import STAKE, Automaton, Decided, symbols_of
from croupier.game import NORMAL, AnyGame, CardSeen, Plain, Resolution, Wager, granted
from croupier.games.baccarat.own import pair_class
from croupier.games.baccarat.rules import BANKER
from croupier.simulation.plan import Ints, Table

BITS: Final = 4
"""A symbol, and the number of a card among those of its symbol, take so many bits each."""

MOST_ENDS: Final = 64
BETTOR: Final = "bettor"


# ---------------------------------------------------------------- coups


@dataclass(frozen=True, slots=True)
class Coups:
    """The folded automaton: `four`, `rest`, and what each end means to each wager."""

    wagers: tuple[str, ...]
    four: Table
    rest: Table
    ends: tuple[Decided, ...]
    examples: tuple[tuple[int, ...], ...]
    """For each end the symbols of some cards that lead to it."""


def fold(automaton: Automaton) -> Coups:
    """The automaton as two tables; every coup must be over between the fourth and the sixth card."""
    symbols = len(automaton.symbols)
    if symbols > 1 << BITS:
        raise ValueError(f"{symbols} symbols where a card has room for {1 << BITS}")
    ends: dict[Decided, int] = {}
    examples: list[tuple[int, ...]] = []
    classes: dict[bytes, int] = {}
    by_position: dict[int, int] = {}
    four = np.zeros(1 << (4 * BITS), dtype=np.uint8)
    rows: list[Table] = []
    for cards in np.ndindex(*(symbols,) * 4):
        position = _walk(automaton, cards)
        if position not in by_position:
            row = _rest_of(automaton, position, cards, ends, examples)
            known = classes.setdefault(row.tobytes(), len(classes))
            if known == len(rows):
                rows.append(row)
            by_position[position] = known
        four[sum(card << (BITS * place) for place, card in enumerate(cards))] = by_position[position]
    if len(rows) > 256 or len(ends) > MOST_ENDS:
        raise ValueError(f"{len(rows)} classes and {len(ends)} ends are more than the kernel has room for")
    return Coups(automaton.wagers, four, np.concatenate(rows), tuple(ends), tuple(examples))


def _walk(automaton: Automaton, cards: Sequence[int], position: int = 0) -> int:
    for card in cards:
        position = automaton.step[position][card]
    return position


def _rest_of(
    automaton: Automaton,
    position: int,
    before: tuple[int, ...],
    ends: dict[Decided, int],
    examples: list[tuple[int, ...]],
) -> Table:
    """For each pair of further symbols: the end, times four, plus how many of them were used."""
    row = np.zeros(1 << (2 * BITS), dtype=np.uint8)
    for fifth in range(len(automaton.symbols)):
        for sixth in range(len(automaton.symbols)):
            at, used = position, 0
            for card in (fifth, sixth):
                if not automaton.over[at]:
                    at, used = automaton.step[at][card], used + 1
            if not automaton.over[at]:
                raise ValueError("a coup is not over after six cards")
            decided = automaton.decided[at]
            if decided not in ends:
                ends[decided] = len(ends)
                examples.append((*before, *(fifth, sixth)[:used]))
            row[fifth | sixth << BITS] = (ends[decided] << 2) + used
    return row


def codes_of(game: AnyGame, rules: Any) -> tuple[int, ...]:
    """The byte of each of the 52 cards: its symbol, and its number among those with the same symbol."""
    symbols = list(symbols_of(game, rules, exact_cards=False))
    met = [0] * len(symbols)
    codes = []
    for card in range(52):
        symbol = symbols.index(game.symbol(rules, card))
        codes.append(symbol | met[symbol] << BITS)
        met[symbol] += 1
    if max(met) > 1 << BITS:
        raise ValueError(f"{max(met)} cards with one symbol where there is room for {1 << BITS}")
    return tuple(codes)


def chances(game: AnyGame, rules: Any, coups: Coups) -> NDArray[np.float64]:
    """How likely each end is, nearly: with every card put back."""
    symbols = list(symbols_of(game, rules, exact_cards=False))
    one = np.zeros(1 << BITS)
    for card in range(52):
        one[symbols.index(game.symbol(rules, card))] += 1 / 52
    two = np.outer(one, one).ravel()
    by_class = np.bincount(coups.four, weights=np.outer(two, two).ravel())
    ways = np.outer(by_class, two).ravel()
    return np.bincount(coups.rest[: len(ways)] >> 2, ways, len(coups.ends)).astype(np.float64)


# ---------------------------------------------------------------- pairs


KINDS: Final[tuple[tuple[Card, Card], ...]] = ((0, 1), (0, 13), (0, 39), (0, 0))
"""An example of each kind of first two cards: no pair, a mixed, a coloured and a perfect one."""


def pair_table(codes: Sequence[int]) -> Table:
    """The kind of two cards, by their bytes."""
    kinds = [pair_class(*example) for example in KINDS]
    table = np.zeros((256, 256), dtype=np.uint8)
    for first, second in product(range(52), repeat=2):
        table[codes[first], codes[second]] = kinds.index(pair_class(first, second))
    return table


def pair_ends(game: AnyGame, rules: Any, name: str) -> tuple[Resolution, ...]:
    """How a wager on first cards is decided, by the kinds of the Player's pair and of the Banker's."""
    return tuple(
        _dealt_out(game, rules, Wager(name, STAKE), (mine[0], 2 + theirs[0], mine[1], 2 + theirs[1]))
        for mine, theirs in product(KINDS, repeat=2)
    )


def _dealt_out(game: AnyGame, rules: Any, wager: Wager | Resolution, cards: Sequence[Card]) -> Resolution:
    state = game.begin(rules, NORMAL)
    for fact in map(CardSeen, cards):
        after = granted(game.apply(rules, state, fact))
        wager = game.judge(rules, wager, state, fact, after) if isinstance(wager, Wager) else wager
        state = after
    assert not isinstance(wager, Wager), f"{wager.on} is not decided by the deal"
    return wager


# ---------------------------------------------------------------- Runs


@dataclass(frozen=True, slots=True)
class RunTables:
    """The automaton of all Runs over ends: next states, and what is decided at each (state, end).

    State 0 of `following` is the start; state 0 of `tail_following` is "all decided".
    """

    following: Ints
    tail_of: Ints
    tail_following: Ints
    decided: tuple[tuple[Resolution | None, ...], ...]
    tail_decided: tuple[tuple[Resolution | None, ...], ...]


def run_tables(game: AnyGame, rules: Any, names: Sequence[str], coups: Coups) -> RunTables:
    judged = _Judged(game, rules, coups)
    fresh = tuple(Wager(name, STAKE, by=BETTOR, number=n) for n, name in enumerate(names))
    states: dict[tuple[Wager | None, ...], int] = {fresh: 0}
    following, decided = _run_walk(states, judged, len(coups.ends), renew=fresh)
    nothing: tuple[Wager | None, ...] = (None,) * len(names)
    tails: dict[tuple[Wager | None, ...], int] = {nothing: 0}
    # A Run placed for the coup that is not dealt any more was not placed at all.
    tail_of = [tails.setdefault(_begun(state, fresh), len(tails)) for state in list(states)]
    tail_following, tail_decided = _run_walk(tails, judged, len(coups.ends), renew=nothing)
    return RunTables(
        following=np.array(following, dtype=np.int64),
        tail_of=np.array(tail_of, dtype=np.int64),
        tail_following=np.array(tail_following, dtype=np.int64),
        decided=tuple(decided),
        tail_decided=tuple(tail_decided),
    )


def _begun(state: tuple[Wager | None, ...], fresh: tuple[Wager | None, ...]) -> tuple[Wager | None, ...]:
    return tuple(None if each == new else each for each, new in zip(state, fresh, strict=True))


def _run_walk(
    states: dict[tuple[Wager | None, ...], int], judged: _Judged, ends: int, *, renew: tuple[Wager | None, ...]
) -> tuple[list[int], list[tuple[Resolution | None, ...]]]:
    following: list[int] = []
    decided: list[tuple[Resolution | None, ...]] = []
    todo = list(states)
    for state in todo:
        for end in range(ends):
            after = tuple(None if each is None else judged(each, end) for each in state)
            kept = tuple(new if not isinstance(each, Wager) else each for each, new in zip(after, renew, strict=True))
            if kept not in states:
                states[kept] = len(states)
                todo.append(kept)
            following.append(states[kept])
            decided.append(tuple(None if isinstance(each, Wager) else each for each in after))
    return following, decided


class _Judged:
    """What a coup with some end makes of a Run: `judge` on the example, remembered."""

    def __init__(self, game: AnyGame, rules: Any, coups: Coups) -> None:
        self.game, self.rules = game, rules
        cards = list(symbols_of(game, rules, exact_cards=False).values())
        self.coups = [self._dealt([CardSeen(cards[symbol]) for symbol in example]) for example in coups.examples]
        self.known: dict[tuple[Wager, int], Wager | Resolution] = {}

    def _dealt(self, facts: Sequence[Plain]) -> list[tuple[Any, Plain, Any]]:
        """The coup as (before, fact, after), the bettor having backed the Banker's Hand."""
        state = self.game.seat(self.rules, self.game.begin(self.rules, NORMAL), (Wager(BANKER, STAKE, by=BETTOR),))
        steps = []
        for fact in facts:
            after = granted(self.game.apply(self.rules, state, fact))
            steps.append((state, fact, after))
            state = after
        return steps

    def __call__(self, wager: Wager, end: int) -> Wager | Resolution:
        if (wager, end) not in self.known:
            judged: Wager | Resolution = wager
            for before, fact, after in self.coups[end]:
                if isinstance(judged, Wager):
                    judged = self.game.judge(self.rules, judged, before, fact, after)
            self.known[wager, end] = judged
        return self.known[wager, end]
