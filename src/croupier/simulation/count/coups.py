"""Baccarat by the count of cards: a wager that is staked where the count says so, whole shoes.

Theory of operation.  Shoes are mixed and dealt side by side as in `kernels`, and coups looked up the same way; beside
them the tags of the cards that were used are added, two cards in one look-up, the first burned card among them, which
is shown.  A coup is counted by the count before it and by its end, so that any ramp can be read from the histogram.

Tags are added in fifty-seconds, as `Counting.parts` wants them.  The slow path is `coups_slowly` of the tests: the same
shoe through the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy as np

from croupier.equipment import RANKS, Card, rank
from croupier.game import AnyGame
from croupier.simulation.betting import Betting
from croupier.simulation.count.systems import COUNTS, DECK, LOW, Counting, betting_by_count
from croupier.simulation.lanes import COUNTER, DEAL, LANES, MORE, eight, ended, halves, mix_lanes, rounds_left
from croupier.simulation.plan import Chunk, Exact, Ints, Table, play_chunk
from croupier.simulation.streams import compiled, first_word, inlined

CUT, AFTER, FIRST, ENDS, RUNNING = range(5)
_BYTE: Final = np.uint64(0xFF)


def play(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Whole shoes of a chunk."""
    return play_chunk(_counted, tables, chunk, counts)


@inlined
def _step(cards, at, running, four, rest, two, more, parts, place):  # type: ignore[no-untyped-def]
    """The coup at a place of `cards` (`place` in its shoe) as `lanes.coup` has it, its count's row, the next count."""
    six = eight(cards, at)
    found = ended(six, four, rest)
    six = halves(six)
    index = min(max(np.int64(np.floor(running / parts[place])) - LOW, 0), COUNTS - 1)
    tags = two[six & _BYTE] + two[six >> np.uint64(16) & _BYTE]
    tags += more[(found & np.uint64(3)) << np.uint64(8) | six >> np.uint64(32) & _BYTE]
    return found, index, running + tags


@compiled
def _counted(pack, four, rest, burn, two, more, parts, settings, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    size = len(pack)
    stride = np.uint64(size + MORE)
    cut, ends = settings[CUT], settings[ENDS]
    needed = min(size, cut + 3 * DEAL)
    free = np.uint64(max(0, cut - DEAL + 1))
    cards = np.zeros(LANES * (size + MORE), np.uint8)
    work = np.zeros((COUNTER + 1, LANES), np.uint64)
    at = np.zeros(LANES, np.uint64)
    running = np.zeros(LANES, np.float64)
    played = 0
    for shoe in range(unit, unit + units, LANES):
        for lane in range(LANES):
            work[COUNTER, lane] = first_word(shoe + lane)
        mix_lanes(cards, work, pack, needed, k0, k1)
        for lane in range(LANES):
            shown = cards[np.uint64(lane) * stride]
            at[lane] = burn[shown]
            running[lane] = settings[RUNNING] + more[256 | shown]
        lanes = min(LANES, unit + units - shoe)
        # No shoe has so many coups as cards: where the limit cannot come in these shoes, they are dealt side by side.
        while lanes == LANES and limit - played > LANES * size and np.max(at) < free:
            for lane in range(LANES):
                here = at[lane]
                found, index, running[lane] = _step(
                    cards, np.uint64(lane) * stride + here, running[lane], four, rest, two, more, parts, here
                )
                counts[index * ends + np.int64(found >> np.uint64(2))] += 1
                at[lane] = here + np.uint64(4) + (found & np.uint64(3))
            played += LANES
        for lane in range(lanes):
            here, count = at[lane], running[lane]
            left = np.int64(-1)
            while left != 0 and played < limit:
                found, index, count = _step(
                    cards, np.uint64(lane) * stride + here, count, four, rest, two, more, parts, here
                )
                counts[index * ends + np.int64(found >> np.uint64(2))] += 1
                used = np.uint64(4) + (found & np.uint64(3))
                left = np.int64(rounds_left(left, here, used, cut, settings[AFTER], settings[FIRST]))
                here += used
                played += 1
        if played >= limit:
            break
    return played


def tables_of(
    counting: Counting, symbols: Sequence[Card], shoe: Any, *, size: int, start: int, ends: int
) -> tuple[Table, ...]:
    """What the kernel reads: tags of two cards, of those beyond four, what they are divided by, and settings.

    A symbol has the tag of one of its cards.  The parts are told by the place of the next card.
    """
    tags = np.zeros(16, dtype=np.float64)
    tags[: len(symbols)] = [DECK * counting.system.tags[rank(card)] for card in symbols]
    two = np.add.outer(tags, tags).ravel()
    # The lower half is the first card of a pair, and the only one where a coup uses five.
    more = np.concatenate([np.zeros(256), np.tile(tags, 16), two])
    settings = (shoe.cut, shoe.after, shoe.first, ends, start)
    return two, more, counting.parts(size)[::-1].copy(), np.array(settings, dtype=np.int64)


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
