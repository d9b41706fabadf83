"""Ways to play blackjack: a chart, a function, or a play that the odds engine found.

A *function* is asked about every hand once, before the first round: it gets a `Seen` and answers with one of its
`options`.  A *chart* is a table of lines, each with one word for all first cards of the dealer or ten words, against
2 3 4 5 6 7 8 9 10 A:

    {"hard 4-11": "hit", "hard 12-16": "S S S S S H H H H H", "soft 18": "stand", "pair 8": "split", ...}

A word may be its first letter (P for split, R for surrender).  Where `split` is not open the total decides, where
`double` or `surrender` is not the hand is hit; `double-stand` (DS) and `surrender-stand` (RS) then stand.  A dash in a
line of pairs means to go by the total.  A chart must say something wherever there is a choice.  Lines `insure` and
`even money` say `yes` or `no` to a dealer's ace; without them the answer is no.

All of them become a `StrategyTables`: the choice for each hand of the lattice, in each situation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from croupier.exact.blackjack import board as exact
from croupier.exact.blackjack.lattice import Lattice
from croupier.exact.blackjack.policy import Policy, SplitPlan, pair_of
from croupier.exact.blackjack.terms import BITS, WORDS, Ints, RuleTables
from croupier.simulation.blackjack import kernel as k

UPS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
"""The dealer's first cards in the order of a chart's line."""

ACTS: Final = {"stand": k.STAND, "hit": k.HIT, "double": k.DOUBLE, "split": k.SPLIT, "surrender": k.SURRENDER}
EARLY: Final = {"": k.NOTHING, "insure": k.INSURE, "even_money": k.EVEN_MONEY}
OTHERWISE: Final = ("double-stand", "surrender-stand")
"""What is done where the rules allow it, and what else."""
LETTERS: Final = {"s": "stand", "h": "hit", "d": "double", "p": "split", "-": "total", "r": "surrender"} | {
    "ds": "double-stand",
    "rs": "surrender-stand",
}
YES_NO: Final = {"yes": True, "no": False}
HANDS: Final = {
    k.ALONE: 1,
    k.FIRST_OF_TWO: 2,
    k.FIRST_OF_THREE: 3,
    k.KEPT: 2,
    k.SECOND: 2,
    k.AFTER_SECOND: 3,
    k.AFTER_KEPT: 3,
    k.LATER_OF_THREE: 3,
}
"""How many hands a box has in each situation."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a function may look at: the dealer's first card and the hand by points (an ace is 11), in rising order.

    `total` counts an ace as one where eleven would be too much; `hands` is how many the box has; `options` is all that
    is open.  Before that, against an ace, it is asked once for each two cards with `insure` and perhaps `even_money`
    among the options and "" for neither.
    """

    up: int
    cards: tuple[int, ...]
    total: int
    soft: bool
    hands: int
    options: tuple[str, ...]


Choose: TypeAlias = Callable[[Seen], str]
Chart: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StrategyTables:
    """A strategy over all hands: `rows[variant, symbol, up]` is a row of `choices`; `early[up]` what is said to an ace.

    The symbol is the one that was split, and 0 where none was.
    """

    name: str
    rows: dict[tuple[int, int, int], Ints]
    early: dict[int, Ints]


def open_bits(terms: RuleTables, hands: Lattice, number: int, *, first: int = -1) -> Ints:
    """What is open on each hand of a box with so many hands, as bits; on split hands the first card is known."""
    bits = np.where(hands.size > 2, terms.more[hands.soft, hands.total], 0)
    for symbol in range(len(terms.values)) if first < 0 else (first,):
        bits[hands.child[hands.single[symbol]]] = terms.two[number - 1, symbol]
    return bits


# ---------------------------------------------------------------- the odds engine's plays


def from_policy(policy: Policy, terms: RuleTables, *, insure: bool = False) -> StrategyTables:
    """A play of the odds engine; it does not insure unless told to."""
    hands, rows = policy.hands, {}
    for up, alone in policy.alone.items():
        row = _acts(alone)
        for symbol in range(len(policy.values)):
            if (up, symbol) in policy.plans:
                row[pair_of(hands, symbol)] = k.SPLIT
                rows.update(_split_rows(policy.plans[up, symbol], hands, symbol, up))
        rows[k.ALONE, 0, up] = row
    early = {up: np.full(len(hands.size), k.INSURE if insure else k.NOTHING) for up in policy.alone}
    for up in policy.even_money:
        early[up][hands.child[hands.single[terms.natural[0]], terms.natural[1]]] = k.EVEN_MONEY
    return StrategyTables(policy.name, rows, early)


def _acts(bits: Ints) -> Ints:
    """Choices as the kernel numbers them; where nothing is open, to stand."""
    acts = np.zeros(len(bits), dtype=np.int64)
    for bit, word in WORDS.items():
        acts[bits == bit] = ACTS[word]
    return acts


def _split_rows(plan: SplitPlan, hands: Lattice, symbol: int, up: int) -> dict[tuple[int, int, int], Ints]:
    """The choices of split hands; a situation that the plan never meets is left out."""
    second = exact.SECOND_OF_TWO if exact.SECOND_OF_TWO in plan.choices else exact.SECOND
    names = {
        k.FIRST_OF_TWO: (exact.FIRST_OF_TWO, plan.again_first),
        k.FIRST_OF_THREE: (exact.FIRST_OF_THREE, False),
        k.KEPT: (exact.LATER_OF_THREE if second is exact.SECOND else second, plan.again_kept),
        k.SECOND: (second, plan.again_second),
        k.AFTER_SECOND: (exact.AFTER_SECOND, False),
        k.AFTER_KEPT: (exact.AFTER_KEPT, False),
        k.LATER_OF_THREE: (exact.LATER_OF_THREE, False),
    }
    rows = {}
    for variant, (which, again) in names.items():
        if which in plan.choices:
            row = rows[variant, symbol, up] = _acts(plan.choices[which])
            if again and which is not exact.SECOND_OF_TWO:
                row[pair_of(hands, symbol)] = k.SPLIT
    return rows


# ---------------------------------------------------------------- functions


def from_function(choose: Choose, terms: RuleTables, hands: Lattice, name: str) -> StrategyTables:
    """A function asked about every hand in every situation."""
    asked = _Asked(choose, terms, hands)
    ups, symbols = range(len(terms.values)), range(len(terms.values))
    rows = {(k.ALONE, 0, up): asked.row(up, 1) for up in ups}
    for symbol in symbols:
        for up, number in product(ups, range(2, terms.most_hands(symbol) + 1)):
            row = asked.row(up, number, first=symbol)
            rows |= {(variant, symbol, up): row for variant, held in HANDS.items() if held == number}
    return StrategyTables(name, rows, {up: asked.early(up) for up in ups})


class _Asked:
    """A function with the hands it is asked about; an object only because the questions share them."""

    def __init__(self, choose: Choose, terms: RuleTables, hands: Lattice) -> None:
        self.choose, self.terms, self.hands = choose, terms, hands
        self.cards = [
            tuple(sorted(terms.values[symbol] for symbol, held in enumerate(row) for _ in range(held)))
            for row in hands.cards.tolist()
        ]

    def row(self, up: int, number: int, *, first: int = -1) -> Ints:
        acts = np.zeros(len(self.cards), dtype=np.int64)
        bits = open_bits(self.terms, self.hands, number, first=first)
        mine = bits != 0 if first < 0 else (bits != 0) & (self.hands.cards[:, first] > 0)
        for hand in np.flatnonzero(mine).tolist():
            options = tuple(word for word, bit in BITS.items() if int(bits[hand]) & bit)
            acts[hand] = ACTS[self._answer(self._seen(up, hand, number, options))]
        return acts

    def _seen(self, up: int, hand: int, number: int, options: tuple[str, ...]) -> Seen:
        total, soft = int(self.hands.total[hand]), bool(self.hands.soft[hand])
        return Seen(self.terms.values[up], self.cards[hand], total, soft, number, options)

    def _answer(self, seen: Seen) -> str:
        if len(seen.options) == 1:
            return seen.options[0]
        answer = self.choose(seen)
        if answer not in seen.options:
            held = " ".join(map(str, seen.cards))
            raise ValueError(
                f"the strategy answered {answer!r:.40} on {held} against {seen.up}: say one of {seen.options}"
            )
        return answer

    def early(self, up: int) -> Ints:
        """What is said to insurance and even money with each two cards; only asked where it can be offered."""
        said = np.zeros(len(self.cards), dtype=np.int64)
        if self.terms.even_money[up] is None:
            return said
        low, high = self.terms.natural
        for hand in np.flatnonzero(self.hands.size == 2).tolist():
            blackjack = hand == int(self.hands.child[self.hands.single[low], high])
            options = ("", "insure", "even_money") if blackjack else ("", "insure")
            said[hand] = EARLY[self._answer(self._seen(up, hand, 1, options))]
        return said


# ---------------------------------------------------------------- charts


def from_chart(chart: Chart, terms: RuleTables, hands: Lattice, name: str) -> StrategyTables:
    """A chart as a user writes it."""
    lines: dict[tuple[str, int], tuple[str, ...]] = {}
    said = {"insure": False, "even money": False}
    for key, text in chart.items():
        if key in said:
            said[key] = _yes(key, text)
        else:
            kind, totals = _key(key)
            lines |= {(kind, total): _words(key, text) for total in totals}
    asked = _Chart(lines, insure=said["insure"], even_money=said["even money"])
    return from_function(asked, terms, hands, name)


def _yes(key: str, text: str) -> bool:
    if text not in YES_NO:
        raise ValueError(f"chart line {key!r}: say yes or no, not {text!r:.40}")
    return YES_NO[text]


def _key(key: str) -> tuple[str, range]:
    kind, _, text = key.partition(" ")
    low, _, high = text.replace("A", "11").partition("-")
    numbers = low.isdecimal() and (not high or high.isdecimal())
    if kind not in ("hard", "soft", "pair") or not numbers:
        raise ValueError(f"chart line {key!r:.40}: begin with hard, soft or pair and a total, as in 'hard 12-16'")
    return kind, range(int(low), int(high or low) + 1)


def _words(key: str, text: str) -> tuple[str, ...]:
    words = tuple(LETTERS.get(word.lower(), word) for word in text.split())
    unknown = [word for word in words if word not in (*ACTS, *OTHERWISE, "total")]
    if unknown or len(words) not in (1, len(UPS)):
        wrong = f"{unknown[0]!r:.20} is no word" if unknown else f"{len(words)} words"
        raise ValueError(f"chart line {key!r}: {wrong}; one or ten of {', '.join(ACTS)}, - (S H D P R -; DS, RS)")
    if not key.startswith("pair") and {"split", "total"} & set(words):
        raise ValueError(f"chart line {key!r}: only a line of pairs may say split or -")
    return words if len(words) == len(UPS) else words * len(UPS)


@dataclass(frozen=True, slots=True)
class _Chart:
    """A chart that can be asked like a function."""

    lines: Mapping[tuple[str, int], tuple[str, ...]]
    insure: bool
    even_money: bool

    def __call__(self, seen: Seen) -> str:
        if "" in seen.options:
            if "even_money" in seen.options and self.even_money:
                return "even_money"
            return "insure" if self.insure else ""
        pair = seen.cards[0] if len(seen.cards) == 2 and seen.cards[0] == seen.cards[1] else 0
        word = self._word("pair", pair, seen.up)
        if word in seen.options:
            return word
        kind = "soft" if seen.soft else "hard"
        word = self._word(kind, seen.total, seen.up)
        if not word:
            raise ValueError(f"the chart says nothing of {kind} {seen.total} against {seen.up}")
        first, _, otherwise = word.partition("-")
        return next(option for option in (first, otherwise, "hit") if option in seen.options)

    def _word(self, kind: str, total: int, up: int) -> str:
        words = self.lines.get((kind, total))
        return words[up - 2] if words else ""
