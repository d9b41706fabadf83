"""All that can be left of a small shoe, numbered, and the dealer's ways from each.

A shoe that may run out is small, or holds few kinds, so all its parts can be listed.  A part is a number in mixed
radix, that of no card being 0; an array over all parts tells something of each.  Numbers are counts of orders: a part
of n cards stands for the n! orders in which they can come.  Up to `MOST_WHOLE` cards every count fits 64 bits and is
whole; beyond, doubles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from croupier.exact.blackjack.terms import Ints, RuleTables

MOST_WHOLE: Final = 19
"""19! orders of at most twelve units (three doubled hands at half a unit) stay below 2 ** 63."""
Counts = NDArray[Any]
"""Whole numbers of orders, or doubles."""


@dataclass(frozen=True)
class Parts:
    """Every part of `shoe`."""

    shoe: tuple[int, ...]
    whole: bool

    @cached_property
    def size(self) -> int:
        return prod(held + 1 for held in self.shoe)

    @cached_property
    def symbols(self) -> tuple[int, ...]:
        """Those that can come."""
        return tuple(symbol for symbol, held in enumerate(self.shoe) if held)

    @cached_property
    def stride(self) -> tuple[int, ...]:
        return tuple(prod(held + 1 for held in self.shoe[:at]) for at in range(len(self.shoe)))

    @cached_property
    def held(self) -> Ints:
        """How many cards of each symbol a part holds."""
        number = np.arange(self.size)
        return np.array([number // step % (most + 1) for step, most in zip(self.stride, self.shoe, strict=True)])

    @cached_property
    def cards(self) -> Ints:
        return np.asarray(self.held.sum(axis=0))

    @cached_property
    def orders(self) -> Counts:
        return self._factorials[self.cards]

    @cached_property
    def fewer_orders(self) -> Counts:
        """The orders of one card fewer; none of no card."""
        return np.where(self.cards > 0, self._factorials[np.maximum(self.cards - 1, 0)], 0)

    @cached_property
    def _factorials(self) -> Counts:
        return np.array([factorial(n) for n in range(sum(self.shoe) + 1)], dtype=np.int64 if self.whole else np.float64)

    def number(self, cards: tuple[int, ...]) -> int:
        """The number of a part."""
        return sum(held * step for held, step in zip(cards, self.stride, strict=True))

    def draw(self, symbol: int, after: Counts, onto: Counts) -> None:
        """Add to each part of `onto` what comes of drawing a symbol, where `after` tells what each part is worth then.

        A part without a card lies one stride below; where there is no such card the factor is nothing.
        """
        step = self.stride[symbol]
        onto[..., step:] += after[..., :-step] * self.held[symbol][step:]

    def spread(self, symbol: int, weight: Counts, onto: Counts) -> None:
        """Add to `onto` the ways to each part by drawing a symbol: `draw` turned round."""
        step = self.stride[symbol]
        onto[..., :-step] += weight[..., step:] * self.held[symbol][step:]


class Dealing:
    """The dealer's ways from every part behind one first card: a row for each ending, the last for no card left."""

    def __init__(self, parts: Parts, table: RuleTables, up: int) -> None:
        self.parts, self.table = parts, table
        self._known: dict[tuple[int, bool], Counts] = {}
        found = self._nothing()
        plain = self._nothing()
        for symbol in parts.symbols:
            if symbol == table.completes[up]:
                parts.draw(symbol, parts.orders, found[-2])
                parts.draw(symbol, parts.orders, plain[-2])
            else:
                after = self._draws(table.lows[up] + table.lows[symbol], ace=0 in (up, symbol))
                parts.draw(symbol, after, found)
                parts.draw(symbol, parts.orders, plain[0])
        found[-1, 0] = plain[-1, 0] = 1
        self.full: Counts = found
        self.spared: Counts = plain
        """The same for a dealer who draws no third card: a blackjack, or whatever else is told as a bust."""

    def _nothing(self) -> Counts:
        return np.zeros((self.table.endings + 1, self.parts.size), dtype=self.parts.orders.dtype)

    def _draws(self, low: int, *, ace: bool) -> Counts:
        """From a hand of two cards or more."""
        table, parts = self.table, self.parts
        total, soft = counted(table, low, ace=ace)
        if (low, ace) not in self._known:
            found = self._nothing()
            if total >= table.stands and not (soft and total in table.soft_hits):
                found[0 if total > table.limit else total - table.stands + 1] = parts.orders
            else:
                for symbol in parts.symbols:
                    after = self._draws(low + table.lows[symbol], ace=ace or symbol == 0)
                    parts.draw(symbol, after, found)
                found[-1, 0] = 1
            self._known[low, ace] = found
        return self._known[low, ace]


def counted(table: RuleTables, low: int, *, ace: bool) -> tuple[int, bool]:
    """What cards count, and whether an ace counts high."""
    high = low + table.values[0] - table.lows[0]
    return (high, True) if ace and high <= table.limit else (low, False)
