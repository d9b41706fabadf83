"""The order of five-card hands, read from the law.

Theory of operation.  A hand is described by three things that need no rule: how many cards of equal rank it holds
(its groups, largest first), whether its ranks are neighbours in the line of sequences, and whether its cards are of one
suit.  A `Combination` says which of them a class of hands asks for; the highest class whose combination fits is the
hand's.  Between hands of one class the law names the groups to compare, counted in the hand laid out with the largest
group first and higher cards before lower ones.

`value` is a tuple that compares as the hands do.  It depends on the sorted ranks and on whether the suits agree, so
each such pattern is worked out once for a ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from croupier.equipment import CARDS, RANKS, Card, rank, suit
from croupier.law.model import Law
from croupier.once import dataclass
from croupier.present import short

Value: TypeAlias = tuple[int, ...]

# Looked up rather than worked out, because `value` is asked of millions of hands.
_RANK_OF: Final = tuple(rank(card) for card in range(CARDS))
_SUIT_OF: Final = tuple(suit(card) for card in range(CARDS))

ODD_CARDS: Final = "odd cards"
ONE_PAIR: Final = "one pair"
TWO_PAIRS: Final = "two pairs"
THREE_OF_A_KIND: Final = "three of a kind"
STRAIGHT: Final = "straight"
FLUSH: Final = "flush"
FULL_HOUSE: Final = "full house"
FOUR_OF_A_KIND: Final = "four of a kind"
STRAIGHT_FLUSH: Final = "straight flush"
ROYAL_FLUSH: Final = "royal flush"
ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class Combination:
    """What a class of hands asks for: groups of equal rank, a sequence (any, or with this rank on top), one suit."""

    groups: tuple[int, ...]
    sequence: str = ""
    suited: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The law of hands.  Compared by identity, so that what was worked out for it can be kept.

    high_to_low   the ranks by value, suits not counting
    line          the ranks as they follow each other; neighbours in it are in sequence, the last of them on top
    order         the classes from lowest to highest
    combinations  what each class asks for
    compares      for each class, the groups compared between two hands of it
    """

    high_to_low: Law[tuple[str, ...]]
    line: Law[tuple[str, ...]]
    order: Law[tuple[str, ...]]
    combinations: Mapping[str, Law[Combination]]
    compares: Mapping[str, Law[tuple[int, ...]]]

    def __repr__(self) -> str:
        return short("Ranking", order=", ".join(self.order.value))


def value(ranking: Ranking, hand: Sequence[Card]) -> Value:
    """The class of a hand as its place in the order, then the strengths that decide within the class."""
    ranks = tuple(sorted(map(_RANK_OF.__getitem__, hand)))
    return _pattern(ranking, ranks, len(set(map(_SUIT_OF.__getitem__, hand))) == 1)


def class_name(ranking: Ranking, hand: Sequence[Card]) -> str:
    """The class of a hand in the law's words: "two pairs"."""
    return ranking.order.value[value(ranking, hand)[0]]


def leads(ranking: Ranking, hand: Sequence[Card], ranks: tuple[str, ...]) -> bool:
    """Whether a hand is at least one of odd cards that begins with these ranks."""
    least = (ranking.order.value.index(ODD_CARDS), *(strength(ranking, name) for name in ranks))
    return value(ranking, hand)[: len(least)] >= least


def strength(ranking: Ranking, name: str) -> int:
    """The value of a rank as a number: the higher the card, the larger."""
    return len(RANKS) - ranking.high_to_low.value.index(name)


@lru_cache(maxsize=1 << 15)
def _pattern(ranking: Ranking, ranks: tuple[int, ...], suited: bool) -> Value:  # noqa: FBT001  (a key of the cache)
    names = tuple(RANKS[each] for each in ranks)
    found = _class(ranking, names, suited=suited)
    laid = laid_out(ranking, names)
    return (ranking.order.value.index(found), *(laid[place] for place in ranking.compares[found].value))


def laid_out(ranking: Ranking, names: tuple[str, ...]) -> tuple[int, ...]:
    """The strength of each group, the largest first, higher before lower; a sequence begins with its top."""
    top = top_of_sequence(ranking, names)
    counts = Counter(names)
    order = sorted(counts, key=lambda name: (name == top, counts[name], strength(ranking, name)), reverse=True)
    return tuple(strength(ranking, name) for name in order)


def top_of_sequence(ranking: Ranking, names: tuple[str, ...]) -> str:
    """The top of a sequence, or nothing if the ranks are no neighbours in the line."""
    return _sequences(ranking.line.value, len(names)).get(tuple(sorted(names)), "")


@lru_cache(maxsize=32)
def _sequences(line: tuple[str, ...], length: int) -> dict[tuple[str, ...], str]:
    """Every sequence of so many neighbours in the line with its top."""
    starts = range(len(line) - length + 1)
    return {tuple(sorted(line[start : start + length])): line[start + length - 1] for start in reversed(starts)}


def _runs(wanted: str, top: str) -> bool:
    return bool(top) if wanted == ANY else wanted in ("", top)


def _class(ranking: Ranking, names: tuple[str, ...], *, suited: bool) -> str:
    groups = tuple(sorted(Counter(names).values(), reverse=True))
    top = top_of_sequence(ranking, names)
    for name in reversed(ranking.order.value):
        wanted = ranking.combinations[name].value
        if wanted.groups == groups and wanted.suited <= suited and _runs(wanted.sequence, top):
            return name
    raise ValueError(f"no class of hands for {names}")
