"""Chance for the kernels: how words become numbers, proved by counting all words; mixing; the words themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from math import prod

import numpy as np
import pytest
from numba import njit

from croupier.simulation import MOST_SEED, streams
from croupier.simulation.streams import WORDS_LOG, keys_of, numbers_of, plain_word

KEYS = keys_of(2026)
PLAIN_KEYS = (int(KEYS[0]), int(KEYS[1]))


@njit
def word_at(k0, k1, counter):  # type: ignore[no-untyped-def]
    return streams.word(k0, k1, counter)


@njit
def number_below(k0, k1, counter, n):  # type: ignore[no-untyped-def]
    return streams.below(k0, k1, counter, n)


@njit
def split_six(word, n):  # type: ignore[no-untyped-def]
    """The six numbers and the last low half, by the same instruction as the kernels."""
    numbers = np.zeros(6, np.uint64)
    rest = word
    for place in range(6):
        numbers[place], rest = streams.wide(rest, np.uint64(n - place))
    return numbers, rest


@njit
def must_repeat(rest, product):  # type: ignore[no-untyped-def]
    return streams.short(rest, product)


@njit
def mix(pack, wanted, k0, k1, counter):  # type: ignore[no-untyped-def]
    cards = pack.copy()
    done, after = streams.mix_up_to(cards, 0, wanted, k0, k1, counter)
    return cards, done, after


# ---------------------------------------------------------------- the mapping


@pytest.mark.parametrize(
    ("bits", "ranges"),
    [
        *((8, (n,)) for n in (1, 2, 3, 5, 6, 7, 36, 37, 52, 100, 128, 255, 256)),
        *((12, ranges) for ranges in ((7, 6, 5), (6, 6, 6), (9, 8, 7, 6), (52, 51), (13, 12, 11))),
        (16, (8, 7, 6, 5, 4, 3)),
        (16, (37, 37, 37)),
    ],
    ids=str,
)
def test_every_tuple_of_numbers_has_equally_many_words(bits: int, ranges: Sequence[int]) -> None:
    counted = Counter(numbers_of(word, ranges, bits) for word in range(1 << bits))
    again = counted.pop(None, 0)
    assert set(counted) == set(product(*map(range, ranges)))
    assert len(set(counted.values())) == 1
    assert again == (1 << bits) % prod(ranges)


def test_the_compiled_mapping_is_the_plain_one() -> None:
    words = [plain_word(PLAIN_KEYS, n) for n in range(2000)] + [0, 1, (1 << 64) - 1, 1 << 63]
    for n in (6, 7, 52, 312, 416, 1290):
        ranges = [n - place for place in range(6)]
        for word in words:
            numbers, rest = split_six(np.uint64(word), n)
            found = None if must_repeat(np.uint64(rest), np.uint64(prod(ranges))) else tuple(map(int, numbers))
            assert found == numbers_of(word, ranges, 64)


@pytest.mark.parametrize("total", [3, 5, 6 * 5 * 4, 37**8, 36**10, (1 << 63) - 1, (1 << 63) + 1])
def test_a_word_is_drawn_again_exactly_below_the_remainder(total: int) -> None:
    remainder = (1 << 64) % total
    for rest, again in ((remainder - 1, True), (remainder, False), (remainder + 1, False), (total, False), (0, True)):
        if rest >= 0:
            assert bool(must_repeat(np.uint64(rest), np.uint64(total))) is (again and remainder > 0)


def test_a_number_takes_the_next_word_that_counts() -> None:
    n = (1 << 63) + 1  # Nearly half of all words are drawn again.
    at, met = 0, 0
    for _ in range(200):
        tried = at
        while numbers_of(plain_word(PLAIN_KEYS, tried), [n], 64) is None:
            tried += 1
            met += 1
        number, after = number_below(*KEYS, np.uint64(at), np.uint64(n))
        assert (int(number),) == numbers_of(plain_word(PLAIN_KEYS, tried), [n], 64)
        assert int(after) == tried + 1
        at = tried + 1
    assert met > 50


# ---------------------------------------------------------------- words


def test_the_compiled_word_is_the_plain_one() -> None:
    for counter in (0, 1, 2, 1 << 24, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        assert int(word_at(*KEYS, np.uint64(counter))) == plain_word(PLAIN_KEYS, counter)


def test_a_word_is_a_bijection_of_its_place() -> None:
    """Each of its steps is undone here, so two places never have the same word."""
    mask = (1 << 64) - 1

    def unshift(z: int, by: int) -> int:
        found = z
        for _ in range(64 // by + 1):
            found = z ^ (found >> by)
        return found

    def undone(word: int) -> int:
        z = unshift(word, 31) * pow(int(streams._SECOND), -1, 1 << 64) & mask
        z = unshift(z, 27) ^ PLAIN_KEYS[1]
        z = unshift(z * pow(int(streams._FIRST), -1, 1 << 64) & mask, 30)
        return (z - PLAIN_KEYS[0]) * pow(int(streams._GAMMA), -1, 1 << 64) & mask

    for place in (0, 1, 12345, 1 << 40, mask):
        assert undone(plain_word(PLAIN_KEYS, place)) == place


def test_a_changed_bit_of_place_or_seed_changes_half_of_the_word() -> None:
    flips = [
        (plain_word(PLAIN_KEYS, place) ^ plain_word(PLAIN_KEYS, place ^ (1 << bit))).bit_count()
        for place in range(0, 1 << 30, (1 << 30) // 40)
        for bit in range(0, 64, 3)
    ]
    other = keys_of(2027)
    flips += [
        (plain_word(PLAIN_KEYS, n) ^ plain_word((int(other[0]), int(other[1])), n)).bit_count() for n in range(999)
    ]
    assert abs(sum(flips) / len(flips) - 32) < 5 * 4 / len(flips) ** 0.5


@pytest.mark.parametrize("step", [1, 1 << WORDS_LOG, 3 << WORDS_LOG])
@pytest.mark.parametrize("shift", [0, 24, 56])
def test_bytes_and_pairs_of_bytes_are_equally_frequent(step: int, shift: int) -> None:
    """Also along the first words of units, which are what a short unit uses."""
    many = 200_000
    places = np.arange(many + 1, dtype=np.uint64) * np.uint64(step)
    z = places * streams._GAMMA + KEYS[0]
    z = (z ^ (z >> np.uint64(30))) * streams._FIRST ^ KEYS[1]
    z = (z ^ (z >> np.uint64(27))) * streams._SECOND
    part = ((z ^ (z >> np.uint64(31))) >> np.uint64(shift)) & np.uint64(255)
    singles = np.bincount(part[:many].astype(np.int64), minlength=256)
    pairs = np.bincount((part[:-1] * np.uint64(256) + part[1:]).astype(np.int64), minlength=65536)
    for counts in (singles, pairs):
        expected = many / len(counts)
        chi_square = float(((counts - expected) ** 2 / expected).sum())
        freedom = len(counts) - 1
        assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("seed", [-1, MOST_SEED + 1, "1", 1.0, True])
def test_a_bad_seed_is_named(seed: object) -> None:
    with pytest.raises(ValueError, match="the seed is a whole number"):
        keys_of(seed)  # type: ignore[arg-type]


def test_the_first_and_the_last_seed_have_keys_of_their_own() -> None:
    assert len({keys_of(seed) for seed in (0, 1, 2, MOST_SEED - 1, MOST_SEED)}) == 5


# ---------------------------------------------------------------- mixing


def test_mixed_cards_are_the_same_cards() -> None:
    pack = np.arange(52, dtype=np.uint8).repeat(8)
    for wanted in (0, 1, 5, 6, 7, 400, 415, 416):
        cards, done, _ = mix(pack, wanted, *KEYS, np.uint64(7 << WORDS_LOG))
        assert sorted(cards) == sorted(pack)
        assert wanted <= done <= min(len(pack), wanted + 5)


@pytest.mark.parametrize("size", [3, 7])
def test_every_order_is_equally_likely(size: int) -> None:
    """Three cards go one by one; of seven the first six by one word, of which the first three are looked at."""
    pack = np.arange(size, dtype=np.uint8)
    tries = 30_000
    met: Counter[tuple[int, ...]] = Counter()
    for unit in range(tries):
        cards, _, _ = mix(pack, size, *KEYS, np.uint64(unit << WORDS_LOG))
        met[tuple(int(card) for card in cards[:3])] += 1
    orders = list(permutations(range(size), 3))
    expected = tries / len(orders)
    chi_square = sum((met[order] - expected) ** 2 / expected for order in orders)
    assert set(met) == set(orders)
    assert abs(chi_square - (len(orders) - 1)) < 5 * (2 * (len(orders) - 1)) ** 0.5
