"""Shoes for the tests of blackjack's odds, solved once for all tests of a file."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache

from croupier.equipment import full_shoe
from croupier.exact.blackjack import Solved, solve
from croupier.exact.blackjack.rational import Rational
from croupier.exact.blackjack.shares import Share
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.rules import BlackjackRules
from croupier.law.elections import elect

READINGS = ("first_hand", "original_only", "busted_plus_one")
STAKE = 2_000_000
ACE, FIVE, SIX, SEVEN, EIGHT, NINE, TEN = 0, 4, 5, 6, 7, 8, 9


def rules_of(reading: str = "first_hand") -> BlackjackRules:
    return elect(BLACKJACK.editions["nz1996"]["blackjack"], {"dealer_blackjack": reading})


def ranks(**held: int) -> tuple[int, ...]:
    """Thirteen counts by rank: `ranks(a=2, c8=4, t=6)`."""
    names = ("a", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "t", "j", "q", "k")
    return tuple(held.get(name, 0) for name in names)


SIXES = ranks(a=1, c6=4, c8=4, t=6)
FIVES = ranks(a=1, c5=3, c6=2, t=8)
NINES = ranks(a=2, c7=4, c9=3, t=6)
SMALL = {"sixes and eights": SIXES, "fives and sixes": FIVES, "aces, sevens and nines": NINES}


@lru_cache(maxsize=32)
def solved(reading: str, shoe: tuple[int, ...]) -> Solved:
    return solve(rules_of(reading), shoe)


@lru_cache(maxsize=1)
def eight_decks() -> Solved:
    return solved("first_hand", full_shoe(8))


@lru_cache(maxsize=32)
def fractions(reading: str, shoe: tuple[int, ...]) -> Rational:
    """The slow path of a solved shoe; it remembers what it found."""
    return Rational(solved(reading, shoe).board)


def by_net(listed: tuple[Share, ...]) -> dict[Fraction, Fraction]:
    found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for share in listed:
        found[share.net] += Fraction(share.chance)
    return dict(found)


def largest_difference(one: tuple[Share, ...], other: tuple[Share, ...]) -> float:
    assert [(s.net, s.result, s.odds, s.rule) for s in one] == [(s.net, s.result, s.odds, s.rule) for s in other]
    return max(abs(float(Fraction(a.chance) - Fraction(b.chance))) for a, b in zip(one, other, strict=True))
