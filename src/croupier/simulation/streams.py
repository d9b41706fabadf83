"""Chance for the kernels: a word for every place, and exact numbers from words.

Theory of operation.  There is no generator that moves on.  A seed gives two keys, and `word(keys, counter)` is the 64
random bits at a place; so any part of a simulation can be played by anyone, in any order, with the same result.  Units
of play (a shoe, a session, a block of spins) are numbered, and unit u owns the places u·2²⁴ … u·2²⁴ + 2²⁴ − 1: within a
seed no place is ever used twice.

The hash is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, with Stafford's constants), which over consecutive
counters passes BigCrush, with a second key mixed in between the two multiplications, so that seeds are different
permutations and not shifts of one sequence.  For a given seed it is a bijection of the counter: all 2⁶⁴ words are
equally frequent.  It is two multiplications for 64 bits; Philox, with ten rounds for 128, is safer than dice need.

A word becomes numbers below n₁, …, n_k by multiplication: the high half of word·n₁ is the first, its low half serves
as the word for the next.  Exactly the words whose last low half is below 2⁶⁴ mod n₁⋯n_k are drawn again, and each
tuple of numbers then has equally many words (Lemire 2019 for one number, Brackett-Rozinsky and Lemire 2024 for
several).  So there is no bias at all, and one word serves six cards.  `numbers_of` is the same in plain Python for a
word of any size: the tests prove it by counting all words, and compare the compiled form with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic

from croupier.kept.compiling import compiled as kept_compiled
from croupier.simulation import MOST_SEED

WORDS_LOG: Final = 24
"""A unit of play owns 2 to this many words."""

MOST_UNITS: Final = 1 << (64 - WORDS_LOG)

_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_MASK: Final = (1 << 64) - 1


def check_seed(seed: int) -> int:
    if type(seed) is not int or not 0 <= seed <= MOST_SEED:
        raise ValueError(f"the seed is a whole number from 0 to 2^64-1: {seed!r:.40}")
    return seed


def keys_of(seed: int) -> tuple[np.uint64, np.uint64]:
    """The two keys of a seed: the first words of SplitMix64 started from it."""
    first, second = (plain_word((0, 0), check_seed(seed) + n) for n in (1, 2))
    return np.uint64(first), np.uint64(second)


def plain_word(keys: tuple[int, int], counter: int) -> int:
    """`word` in plain Python: the slow path with which it must agree."""
    z = (counter * int(_GAMMA) + keys[0]) & _MASK
    z = ((z ^ (z >> 30)) * int(_FIRST)) & _MASK
    z ^= keys[1]
    z = ((z ^ (z >> 27)) * int(_SECOND)) & _MASK
    return z ^ (z >> 31)


def numbers_of(word: int, ranges: Sequence[int], bits: int) -> tuple[int, ...] | None:
    """The numbers below each range that a word of so many bits stands for; None if another is to be drawn."""
    rest, numbers = word, []
    for n in ranges:
        numbers.append((rest * n) >> bits)
        rest = (rest * n) & ((1 << bits) - 1)
    return None if rest < (1 << bits) % prod(ranges) else tuple(numbers)


# ---------------------------------------------------------------- compiled


def inlined(function: Callable[..., Any]) -> Any:
    """A function that is compiled into those that call it."""
    return njit(inline="always")(function)


def compiled(function: Callable[..., Any]) -> Any:
    """A function that is compiled once, kept on disk, and holds no lock while it runs."""
    return kept_compiled(function)


def _wide(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """The high and the low half of a product of two words, in one instruction."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        long = ir.IntType(128)
        product = builder.mul(builder.zext(values[0], long), builder.zext(values[1], long))
        high = builder.trunc(builder.lshr(product, ir.Constant(long, 64)), ir.IntType(64))
        low = builder.trunc(product, ir.IntType(64))
        return context.make_tuple(builder, signature.return_type, (high, low))

    both: Any = types.UniTuple
    return both(types.uint64, 2)(types.uint64, types.uint64), generate


wide: Any = intrinsic(_wide)


@inlined
def word(k0, k1, counter):  # type: ignore[no-untyped-def]
    """The 64 random bits at a place."""
    z = np.uint64(counter) * _GAMMA + k0
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z ^= k1
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return z ^ (z >> np.uint64(31))


@inlined
def first_word(unit):  # type: ignore[no-untyped-def]
    """The place of a unit's first word."""
    return np.uint64(unit) << np.uint64(WORDS_LOG)


@inlined
def short(rest, product):  # type: ignore[no-untyped-def]
    """Whether a word is to be drawn again, given its last low half; the division is almost never done."""
    return rest < product and rest < (np.uint64(0) - product) % product


@inlined
def below(k0, k1, counter, n):  # type: ignore[no-untyped-def]
    """A number below n, and the place after the words it took."""
    n = np.uint64(n)
    while True:
        number, rest = wide(word(k0, k1, counter), n)
        counter += np.uint64(1)
        if not short(rest, n):
            return number, counter


@inlined
def mix_six(cards, done, left, k0, k1, counter):  # type: ignore[no-untyped-def]
    """Fill the places done … done+5 of a half-mixed pack from the `left` ≥ 6 cards not yet placed (Fisher and Yates).

    One word serves all six.  `left` is at most 1,290, so that the product of the ranges is far below 2⁶⁴.
    """
    n = np.uint64(left)
    one = np.uint64(1)
    product = n * (n - one) * (n - np.uint64(2)) * (n - np.uint64(3)) * (n - np.uint64(4)) * (n - np.uint64(5))
    while True:
        drawn = word(k0, k1, counter)
        counter += one
        a, rest = wide(drawn, n)
        b, rest = wide(rest, n - one)
        c, rest = wide(rest, n - np.uint64(2))
        d, rest = wide(rest, n - np.uint64(3))
        e, rest = wide(rest, n - np.uint64(4))
        f, rest = wide(rest, n - np.uint64(5))
        if not short(rest, product):
            break
    at = np.uint64(done)
    cards[at], cards[at + a] = cards[at + a], cards[at]
    at += one
    cards[at], cards[at + b] = cards[at + b], cards[at]
    at += one
    cards[at], cards[at + c] = cards[at + c], cards[at]
    at += one
    cards[at], cards[at + d] = cards[at + d], cards[at]
    at += one
    cards[at], cards[at + e] = cards[at + e], cards[at]
    at += one
    cards[at], cards[at + f] = cards[at + f], cards[at]
    return counter


@inlined
def mix_one(cards, done, left, k0, k1, counter):  # type: ignore[no-untyped-def]
    """Fill one place of a half-mixed pack."""
    other, counter = below(k0, k1, counter, left)
    at = np.uint64(done)
    cards[at], cards[at + other] = cards[at + other], cards[at]
    return counter


@inlined
def mix_up_to(cards, done, wanted, k0, k1, counter):  # type: ignore[no-untyped-def]
    """Mix on until at least `wanted` places are filled, or all: how many are, and the place after the words it took."""
    while done < wanted:
        left = len(cards) - done
        if left >= 6:
            counter = mix_six(cards, done, left, k0, k1, counter)
            done += 6
        else:
            if left <= 0:
                break
            counter = mix_one(cards, done, left, k0, k1, counter)
            done += 1
    return done, counter
