"""Baccarat by the count of cards: a wager that is staked where the count says so, whole shoes.

Theory of operation.  Coups are looked up as in `kernels`; beside them the tags of the cards that were used are added,
the first burned card among them, which is shown.  A coup is counted by the count before it and by its end, so that any
ramp can be read from the histogram.  The slow path is `coups_slowly` of the tests: the same shoe through the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from croupier.equipment import RANKS, Card, rank
from croupier.game import AnyGame
from croupier.simulation.betting import Betting
from croupier.simulation.count.systems import COUNTS, HIGH, LOW, Counting, betting_by_count
from croupier.simulation.lanes import DEAL, MORE, coup, rounds_left
from croupier.simulation.plan import Chunk, Exact, Ints, Table, play_chunk
from croupier.simulation.streams import compiled, first_word, mix_up_to

CUT, AFTER, FIRST, ENDS, RUNNING, SCALE, ESTIMATE, TRUE = range(8)


def play(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Whole shoes of a chunk."""
    return play_chunk(_counted, tables, chunk, counts)


@compiled
def _counted(pack, four, rest, burn, tags, settings, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    size = len(pack)
    cards = np.zeros(size + MORE, np.uint8)
    cut, ends, estimate = settings[CUT], settings[ENDS], settings[ESTIMATE]
    needed = min(size, cut + 3 * DEAL)
    played = 0
    for shoe in range(unit, unit + units):
        cards[:size] = pack
        mix_up_to(cards[:size], 0, needed, k0, k1, first_word(shoe))
        at = np.uint64(burn[cards[0]])
        running = settings[RUNNING] + tags[cards[0] & 15]
        left = np.int64(-1)
        while left != 0 and played < limit:
            judged = max(estimate, (size - np.int64(at) + estimate // 2) // estimate * estimate)
            count = running * 52 // (judged * settings[SCALE]) if settings[TRUE] else running // settings[SCALE]
            index = min(max(count, LOW), HIGH) - LOW
            found = coup(cards, at, four, rest)
            counts[index * ends + np.int64(found >> np.uint64(2))] += 1
            used = np.uint64(4) + (found & np.uint64(3))
            for place in range(used):
                running += tags[cards[at + np.uint64(place)] & 15]
            left = np.int64(rounds_left(left, at, used, cut, settings[AFTER], settings[FIRST]))
            at += used
            played += 1
        if played >= limit:
            break
    return played


def tables_of(counting: Counting, symbols: Sequence[Card], shoe: Any, decks: int, ends: int) -> tuple[Ints, Ints]:
    """The tag of each symbol, shown by one of its cards, and the settings of the kernel."""
    tags = np.zeros(16, dtype=np.int64)
    tags[: len(symbols)] = [counting.system.tags[rank(card)] for card in symbols]
    system = counting.system
    settings = (shoe.cut, shoe.after, shoe.first, ends, counting.running(decks), system.scale, counting.estimate)
    return tags, np.array([*settings, int(system.true)], dtype=np.int64)


def check_tags(game: AnyGame, rules: Any, counting: Counting) -> None:
    """Cards that the game does not tell apart must have one tag."""
    tags: dict[object, set[int]] = {}
    for each in range(len(RANKS)):
        tags.setdefault(game.symbol(rules, each), set()).add(counting.system.tags[each])
    if any(len(mine) > 1 for mine in tags.values()):
        raise ValueError(f"count {counting.system.name}: cards of one value have several tags")


@dataclass(frozen=True, slots=True)
class CoupCountBins:
    """Reads what the wager brought, count by count."""

    counting: Counting = field(compare=False)
    nets: tuple[Fraction, ...]

    def results(self, counts: Ints, _: Mapping[tuple[str, str], Exact]) -> Betting:
        grains = lcm(*(net.denominator for net in self.nets))
        nets = [int(net * grains) for net in self.nets]
        sums = []
        for row in counts[: COUNTS * len(nets)].reshape(COUNTS, len(nets)).tolist():
            pairs = list(zip(nets, row, strict=True))
            sums.append((sum(row), sum(net * n for net, n in pairs), sum(net * net * n for net, n in pairs)))
        return betting_by_count(self.counting, sums, grains, self.counting.on)
