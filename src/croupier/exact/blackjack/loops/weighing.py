"""What a chart would gain by a change, from the chances of hands, which are found from the first to the last."""

from __future__ import annotations

from croupier.exact.blackjack.loops.valuing import chance
from croupier.exact.blackjack.terms import DOUBLING, GIVING_UP, HIT, STAND, Bytes, Floats, Ints, Numbers
from croupier.kept.compiling import alone as compiled


@compiled
def weigh(
    cards: Floats,
    after: Numbers,
    entry: Ints,
    free: Ints,
    options: Ints,
    choice: Bytes,
    worth: Floats,
    shoe: Floats,
    unseen: int,
    entries: Ints,
    span: int,
    reach: Floats,
    gains: Floats,
    left: Floats,
) -> None:
    """Add what turning each entry of a chart over gains on a family of hands, from the chances of the first in `reach`.

    `free` is what is open on hands that are not split, and says what an entry means; `options` what is open on these.
    Doubles stand `2 * span` behind the entry of their total, hands given up `4 * span`.
    """
    for hand in range(len(entry)):
        chance_now, said = reach[hand], choice[hand]
        if chance_now <= 0.0 or said == 0:
            continue
        at, mine = entry[hand], worth[hand]
        both = free[hand] & STAND and free[hand] & HIT
        if both and said != DOUBLING and said != GIVING_UP:
            gains[at] += (-1.0 if entries[at] else 1.0) * chance_now * (mine[1] - mine[0])
        hits = free[hand] != 0 and ((entries[at] == 1 and free[hand] & HIT) or not free[hand] & STAND)
        kept = mine[1] if hits else mine[0]
        if options[hand] & DOUBLING:
            on = at + 2 * span
            if said != GIVING_UP:
                gains[on] += (-1.0 if entries[on] else 1.0) * chance_now * (mine[2] - kept)
            if entries[on]:
                kept = mine[2]
        if options[hand] & GIVING_UP:
            on = at + 4 * span
            gains[on] += (-1.0 if entries[on] else 1.0) * chance_now * (mine[3] - kept)
        if said == HIT:
            number = 0.0
            for symbol in range(len(shoe)):
                left[symbol] = shoe[symbol] - cards[hand, symbol]
                number += left[symbol]
            for symbol in range(len(shoe)):
                reach[after[hand, symbol]] += chance_now * chance(left, number, symbol, unseen)


@compiled
def weigh_split(
    which: Ints,
    plans: Ints,
    many: Ints,
    weights: Floats,
    start: Ints,
    cards: Floats,
    after: Numbers,
    pairs: Ints,
    entry: Ints,
    free: Ints,
    options: Ints,
    choice: Bytes,
    second: Floats,
    worth: Floats,
    shoe: Floats,
    entries: Ints,
    span: int,
    reach: Floats,
    gains: Floats,
    left: Floats,
    from_shoe: Floats,
) -> None:
    """The same for all hands of some splits: `weights` tells how many there are in each situation, with any second card
    and with another of the split value."""
    kinds = len(shoe)
    for symbol in which:
        begin, end = start[symbol], start[symbol + 1]
        for at in range(many[symbol]):
            for hand in range(end - begin + 1):
                reach[hand] = 0.0
            for kind in range(kinds):
                reach[pairs[symbol, kind]] = weights[symbol, at, 1 if kind == symbol else 0] * second[symbol, at, kind]
                from_shoe[kind] = shoe[kind] - (plans[symbol, at, 1] if kind == symbol else 0)
            weigh(
                cards[begin:end],
                after[begin:end],
                entry[begin:end],
                free[begin:end],
                options[0, begin:end],
                choice[at, begin:end],
                worth[at, begin:end],
                from_shoe,
                symbol if plans[symbol, at, 2] else -1,
                entries,
                span,
                reach,
                gains,
                left,
            )
