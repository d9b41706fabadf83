"""The ways from many shoes: the same counting as `count_ways`, laid out once as a polynomial.

Theory of operation.  Which cards can come does not depend on how many there are of each.  So the sequences that lead to
a decision are gathered once by the multiset of their cards; from a shoe, a multiset has as many ways as its cards can
be taken one after the other: n(n−1)… for each symbol.  Multisets are laid out by size, each with the one that it is
made from by its last card, so that a shoe costs one multiplication for each.  Everything is a whole number below 2⁶³; a
shoe for which it would not be, or which may run out of cards, goes the slow way, and so does the first that is asked
for, since a polynomial is dearer than one count.

A card that makes no difference (the Banker's, to a bet on the Player's pair) is not noted: what comes after it comes as
often as if it had been drawn in its place.

The slow path is `ways.count_ways`; `tests/exact/test_compositions.py` compares them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from math import perm
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from croupier.exact.automaton import Automaton, Decided, build
from croupier.exact.ways import Finals, Layer, Ways, count_ways, gathered
from croupier.game import AnyGame
from croupier.once import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole: TypeAlias = NDArray[np.int64]

LARGEST: Final = 2**63
AT_ONCE: Final = 400_000
"""Numbers of one size that are reckoned at once: what the caches of a processor hold."""
REMEMBERED: Final = 16


@dataclass(frozen=True, slots=True)
class Size:
    """The multisets of one size: what each is made from, its last card, how many of it went before; and its ways."""

    parent: Whole
    last: Whole
    before: Whole
    ways: Whole


class WaysFrom:
    """One automaton, asked for the ways from shoes; a shoe is given by symbol."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.asked = 0
        self.sizes: tuple[Size, ...] = ()
        self.most = 0
        self.decisions = tuple(dict.fromkeys(automaton.decided))

    def one(self, shoe: Sequence[int]) -> Ways:
        """The ways from a shoe."""
        self.asked += 1
        return count_ways(self.automaton, shoe) if self.asked == 1 else self.many([shoe])[0]

    def many(self, shoes: Sequence[Sequence[int]]) -> list[Ways]:
        """The ways from each of these shoes."""
        if find_spec("numpy") is None:
            return [count_ways(self.automaton, shoe) for shoe in shoes]
        if not self.sizes:
            self.sizes, self.most = _laid_out(self.automaton, self.decisions), _most_drawn(self.automaton)
        quick = [self._is_quick(sum(shoe)) for shoe in shoes]
        counted = self._counted([shoe for shoe, fits in zip(shoes, quick, strict=True) if fits])
        return [
            gathered(self.automaton, next(counted), sum(shoe)) if fits else count_ways(self.automaton, shoe)
            for shoe, fits in zip(shoes, quick, strict=True)
        ]

    def _is_quick(self, cards: int) -> bool:
        return cards >= self.most and perm(cards, self.most) < LARGEST

    def _counted(self, shoes: Sequence[Sequence[int]]) -> Iterator[Finals]:
        """For each shoe the ways to each decision after so many cards."""
        import numpy as np

        step = max(1, AT_ONCE // max(len(size.last) for size in self.sizes))
        for first in range(0, len(shoes), step):
            # The shoes lie side by side, so that whatever is taken of one symbol is taken in one piece.
            held = np.ascontiguousarray(np.array(shoes[first : first + step], dtype=np.int64).T)
            product = np.ones((1, held.shape[1]), dtype=np.int64)
            found: list[Counter[tuple[Decided, int]]] = [Counter() for _ in range(held.shape[1])]
            for drawn, size in enumerate(self.sizes, start=1):
                product = product[size.parent] * (held[size.last] - size.before[:, None])
                for decision, ways in enumerate(size.ways):
                    at = np.flatnonzero(ways)
                    totals = ways[at] @ product[at] if len(at) else ()
                    for finals, total in zip(found, totals, strict=False):
                        if total:
                            finals[self.decisions[decision], drawn] = int(total)
            yield from found


@dataclass(frozen=True, slots=True)
class Machine:
    """The automaton with its like positions joined: `steps` from each, none where it is over with decision `ends`."""

    start: int
    steps: tuple[tuple[int, ...], ...]
    ends: tuple[int, ...]


def _joined(automaton: Automaton, decisions: Sequence[Decided]) -> Machine:
    """Positions that lead to the same are one; and one in which no card makes a difference is the one after it."""
    number = {decided: n for n, decided in enumerate(decisions)}
    known: dict[tuple[int, tuple[int, ...]], int] = {}
    joined: dict[int, int] = {}
    todo = [0]
    while todo:
        position = todo[-1]
        follow = () if automaton.over[position] else automaton.step[position]
        if waits := [after for after in set(follow) if after not in joined]:
            todo += waits
            continue
        then = tuple(joined[after] for after in follow)
        if len(set(then)) == 1:
            joined[position] = then[0]
        else:
            end = -1 if then else number[automaton.decided[position]]
            joined[position] = known.setdefault((end, then), len(known))
        todo.pop()
    return Machine(joined[0], tuple(then for _, then in known), tuple(end for end, _ in known))


def _laid_out(automaton: Automaton, decisions: Sequence[Decided]) -> tuple[Size, ...]:
    """The multisets by which the automaton ends, by size, and those that they are made from."""
    import numpy as np

    machine = _joined(automaton, decisions)
    sizes: list[dict[tuple[int, ...], Counter[int]]] = []
    layer: Layer = {(): {machine.start: 1}}
    while layer:
        layer, ended = _one_more(machine, layer)
        sizes.append(ended)
    for smaller, larger in zip(reversed(sizes[:-1]), reversed(sizes[1:]), strict=True):
        for cards in larger:
            smaller.setdefault(cards[:-1], Counter())
    above: dict[tuple[int, ...], int] = {(): 0}
    laid: list[Size] = []
    for each in sizes:
        ways = np.zeros((len(decisions), len(each)), dtype=np.int64)
        for at, counted in enumerate(each.values()):
            for decision, orders in counted.items():
                ways[decision, at] = orders
        made = [(above[cards[:-1]], cards[-1], cards.count(cards[-1]) - 1) for cards in each]
        parent, last, before = np.array(made, dtype=np.int64).T
        laid.append(Size(parent, last, before, ways))
        above = {cards: at for at, cards in enumerate(each)}
    return tuple(laid)


def _one_more(machine: Machine, layer: Layer) -> tuple[Layer, dict[tuple[int, ...], Counter[int]]]:
    """As one more card is drawn in `ways`, every card being there once: the orders of each multiset are counted."""
    following: Layer = {}
    ended: dict[tuple[int, ...], Counter[int]] = {}
    for gone, at in layer.items():
        for symbol in range(max(len(machine.steps[position]) for position in at)):
            cards = tuple(sorted((*gone, symbol)))
            then = following.setdefault(cards, defaultdict(int))
            for position, ways in at.items():
                after = machine.steps[position][symbol]
                if machine.steps[after]:
                    then[after] += ways
                else:
                    ended.setdefault(cards, Counter())[machine.ends[after]] += ways
    return {gone: at for gone, at in following.items() if at}, ended


def _most_drawn(automaton: Automaton) -> int:
    """How many cards the longest way takes, those that are not noted among them."""
    here, drawn = {0}, 0
    while here := {position for position in here if not automaton.over[position]}:
        here, drawn = {after for position in here for after in automaton.step[position]}, drawn + 1
    return drawn


# ---------------------------------------------------------------- remembered

_KNOWN: dict[tuple[int, tuple[str, ...], tuple[str, ...], bool], tuple[Any, WaysFrom]] = {}


def forget() -> None:
    """Forget what was made, for measuring."""
    _KNOWN.clear()


def ways_from(
    game: AnyGame, rules: Any, *, at_start: Sequence[str], later: Sequence[str] = (), exact_cards: bool = False
) -> WaysFrom:
    """The ways of these wagers under these rules; what was made for the very same rules is taken again."""
    key = (id(rules), tuple(at_start), tuple(later), exact_cards)
    known = _KNOWN.get(key)
    if known is None or known[0] is not rules:
        made = WaysFrom(build(game, rules, at_start=at_start, later=later, exact_cards=exact_cards))
        known = _KNOWN[key] = (rules, made)
        for oldest in list(_KNOWN)[:-REMEMBERED]:
            _KNOWN.pop(oldest, None)
    return known[1]
