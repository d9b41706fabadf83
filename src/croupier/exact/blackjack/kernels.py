"""The inner loops, compiled: what the dealer comes to, what a hand is worth, how likely it is.

All loops run over the numbered hands of `lattice`.  A shoe is the number of cards of each symbol that may still come to
the hand and the dealer: what lies elsewhere is taken out before.  `unseen` is a symbol, or -1: then one more card is
gone of which only is known that it is not this symbol.  By exchangeability that card may be thought to be drawn last,
and what it does to the chances is a factor.

Each function fills arrays that its caller made.  The slow path they agree with is `rational`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numpy as np
from numba import njit

from croupier.exact.blackjack.terms import DOUBLING, GIVEN_UP, GIVING_UP, HIT, STAND, Floats, Ints

P = ParamSpec("P")
T = TypeVar("T")
LANES = 8
WIDE = 64
"""Shoes side by side: few where one tree is walked, many where the loops would be too short for their start."""


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """The function in machine code, kept on disk, and free to run beside other threads."""
    return cast(Callable[P, T], njit(cache=True, nogil=True)(function))


@compiled
def stand_chances(
    parent: Ints,
    symbol: Ints,
    used: Ints,
    ways: Floats,
    end: Ints,
    drawn: Ints,
    left: Floats,
    rows: Floats,
    work: Floats,
) -> None:
    """The chance of each ending of the dealer, `rows[end, lane]`, from what is left in each lane; a bust is the rest.

    Lanes are shoes side by side, so that one walk of the tree serves several.
    """
    lanes = left.shape[1]
    most = drawn.max()
    order = np.empty((most + 1, lanes))
    for lane in range(lanes):
        cards = left[:, lane].sum()
        order[0, lane] = 1.0
        for k in range(most):
            order[k + 1, lane] = order[k, lane] / (cards - k) if cards - k > 0.5 else 0.0
    rows[:] = 0.0
    work[0] = 1.0
    for node in range(1, len(parent)):
        above, kind, gone = parent[node], symbol[node], float(used[node])
        for lane in range(lanes):
            work[node, lane] = work[above, lane] * (left[kind, lane] - gone)
        if ways[node] > 0.0:
            at, cards_drawn, orders = end[node], drawn[node], ways[node]
            for lane in range(lanes):
                rows[at, lane] += work[node, lane] * orders * order[cards_drawn, lane]
    for lane in range(lanes):
        rows[0, lane] = 1.0 - rows[1:, lane].sum()


@compiled
def dealer_table(
    parent: Ints,
    symbol: Ints,
    used: Ints,
    ways: Floats,
    end: Ints,
    drawn: Ints,
    shoe: Floats,
    cards: Ints,
    listed: Ints,
    table: Floats,
) -> None:
    """The dealer's chances behind each listed hand; none where the shoe does not hold the hand."""
    left = np.empty((len(shoe), LANES))
    rows = np.empty((table.shape[1], LANES))
    work = np.empty((len(parent), LANES))
    for start in range(0, len(listed), LANES):
        here = min(LANES, len(listed) - start)
        for lane in range(LANES):
            left[:, lane] = shoe - cards[listed[start + min(lane, here - 1)]]
        stand_chances(parent, symbol, used, ways, end, drawn, np.maximum(left, 0.0), rows, work)
        for lane in range(here):
            held = left[:, lane].min() >= 0.0
            table[listed[start + lane]] = rows[:, lane] * (1.0 if held else 0.0)


@compiled
def walk(
    symbol: Ints,
    used: Ints,
    depth: Ints,
    start: Ints,
    row: Ints,
    ways: Floats,
    left: Floats,
    order: Floats,
    work: Floats,
    leaf: Floats,
    rows: Floats,
) -> None:
    """One walk of the tree of whole hands, from several shoes side by side; adds up `rows`."""
    lanes = left.shape[1]
    for node in range(len(symbol)):
        kind, off, here = symbol[node], float(used[node]), depth[node]
        for lane in range(lanes):
            work[here, lane] = work[here - 1, lane] * (left[kind, lane] - off)
        first, last = start[node], start[node + 1]
        if first < last:
            for lane in range(lanes):
                leaf[lane] = work[here, lane] * order[here, lane]
            for entry in range(first, last):
                onto, orders = row[entry], ways[entry]
                for lane in range(lanes):
                    rows[onto, lane] += leaf[lane] * orders


@compiled
def dealer_tables(
    symbol: Ints,
    used: Ints,
    depth: Ints,
    start: Ints,
    row: Ints,
    ways: Floats,
    shoe: Floats,
    gone: Ints,
    tables: Floats,
) -> None:
    """The dealer's chances for all first cards behind each multiset gone, `tables[first, gone, ending]`.

    One walk of the tree of whole hands (`lattice.Behind`): what a hand is as likely as, is a product that does not ask
    which of its cards came first.  `dealer_table` is the slow path, a walk for each first card.
    """
    kinds, endings = tables.shape[0], tables.shape[2]
    most = depth.max()
    left = np.empty((kinds, WIDE))
    order = np.empty((most + 1, WIDE))
    work = np.empty((most + 1, WIDE))
    rows = np.empty((kinds * endings, WIDE))
    held = np.empty(WIDE)
    each = np.empty(WIDE)
    leaf = np.empty(WIDE)
    for begin in range(0, len(gone), WIDE):
        here = min(WIDE, len(gone) - begin)
        for lane in range(WIDE):
            at = begin + min(lane, here - 1)
            held[lane] = 1.0
            cards = 0.0
            for kind in range(kinds):
                still = shoe[kind] - gone[at, kind]
                if still < 0.0:
                    held[lane] = 0.0
                    still = 0.0
                left[kind, lane] = still
                cards += still
            order[0, lane] = 1.0
            # The first card is drawn too; given which it is, the chance is that of the rest.
            for k in range(most):
                order[k + 1, lane] = order[k, lane] / (cards - k) if cards - k > 0.5 else 0.0
            each[lane] = cards
            work[0, lane] = 1.0
        rows[:] = 0.0
        walk(symbol, used, depth, start, row, ways, left, order, work, leaf, rows)
        for up in range(kinds):
            for lane in range(here):
                found = tables[up, begin + lane]
                if held[lane] == 0.0 or left[up, lane] < 0.5:
                    found[:] = 0.0
                    continue
                factor = each[lane] / left[up, lane]
                rest = 1.0
                for end in range(1, endings):
                    found[end] = rows[up * endings + end, lane] * factor
                    rest -= found[end]
                found[0] = rest


@compiled
def chance(left: Floats, total: float, symbol: int, unseen: int) -> float:
    """The chance that the next card is of a symbol."""
    plain = left[symbol] / total
    if unseen < 0:
        return float(plain)
    others = total - left[unseen]
    if others <= 0.0:
        return 0.0
    after = others if symbol == unseen else others - 1.0
    return float(plain * after * total / ((total - 1.0) * others)) if total > 1.0 else 0.0


@compiled
def mean(chances: Floats, row: int, pay: Floats, twice: int, total: int) -> float:
    """What the dealer's chances make of a row of payments; by numbers, as a part of an array costs more than the sum."""
    found = 0.0
    for end in range(chances.shape[1]):
        found += chances[row, end] * pay[twice, total, end]
    return found


@compiled
def bust_worth(left: Floats, total: float, symbol: int, unseen: int, completes: int, pay: Floats) -> float:
    """What a hand brings that is bust by this card; the dealer may still have a blackjack."""
    plain, taken = pay[-1, 0], pay[-1, -1]
    if completes < 0 or plain == taken:
        return float(plain)
    left[symbol] -= 1.0
    share = chance(left, total - 1.0, completes, unseen)
    left[symbol] += 1.0
    return float(plain + share * (taken - plain))


@compiled
def stand_worth(
    chances: Floats, row: int, more: int, left: float, number: float, unseen: int, pay: Floats, twice: int, total: int
) -> float:
    """What a hand brings that draws no more; with an unseen card, from the chances with one more of that symbol gone."""
    seen = mean(chances, row, pay, twice, total)
    if unseen < 0:
        return seen
    part = left / number
    return 0.0 if part >= 1.0 else (seen - part * mean(chances, more, pay, twice, total)) / (1.0 - part)


@compiled
def hand_values(
    cards: Floats,
    after: Ints,
    total: Ints,
    options: Ints,
    chances: Floats,
    rows: Ints,
    more: Ints,
    shoe: Floats,
    unseen: int,
    completes: int,
    pay: Floats,
    follow: int,
    choice: Ints,
    worth: Floats,
    best: Floats,
) -> None:
    """What each hand of a family is worth: `best` by the best or the chosen play; `worth` as it stands, with a hit, a
    double, given up.

    The last place of `best` is a bust.  `chances[rows[hand]]` are the dealer's behind a hand, `more` the same with one
    card of the unseen symbol more gone.  With `follow` (1) the choices are given; otherwise the best is taken and
    noted.  A hand with no options has ended.
    """
    kinds, bust = len(shoe), len(total)
    left = np.empty(kinds)
    best[bust] = pay[0, -1, 0]
    waits = completes >= 0 and (pay[0, -1, 0] != pay[0, -1, -1] or pay[1, -1, 0] != pay[1, -1, -1])
    for hand in range(bust - 1, -1, -1):
        number, least, drawn = 0.0, 0.0, 0.0
        for symbol in range(kinds):
            still = shoe[symbol] - cards[hand, symbol]
            left[symbol] = still
            number += still
            least = min(least, still)
            drawn += still * best[after[hand, symbol]]
        for action in range(4):
            worth[hand, action] = 0.0
        if least < 0.0 or number <= 0.0:
            best[hand] = 0.0
            if not follow:
                choice[hand] = 0
            continue
        here = left[unseen] if unseen >= 0 else 0.0
        stands = stand_worth(chances, rows[hand], more[hand], here, number, unseen, pay, 0, total[hand])
        worth[hand, 0] = stands
        open_to = options[hand]
        if open_to == 0:
            best[hand] = stands
            choice[hand] = 0
            continue
        # The chance of a symbol is its number times one of two factors.
        plain = 1.0 / number
        odd = plain
        hits = plain * drawn
        if unseen >= 0:
            others = number - here
            odd = 1.0 / (number - 1.0) if number > 1.0 and others > 0.0 else 0.0
            plain = odd * (others - 1.0) / others if others > 0.0 else 0.0
            of_it = here * best[after[hand, unseen]]
            hits = plain * (drawn - of_it) + odd * of_it
        doubles, gives_up = 0.0, 0.0
        if waits or open_to & DOUBLING:
            for symbol in range(kinds):
                share = left[symbol] * (odd if symbol == unseen else plain)
                then = after[hand, symbol]
                if share <= 0.0:
                    continue
                if then < bust:
                    rest = here - 1.0 if symbol == unseen else here
                    doubles += share * stand_worth(
                        chances, rows[then], more[then], rest, number - 1.0, unseen, pay, 1, total[then]
                    )
                elif waits:
                    hits += share * (bust_worth(left, number, symbol, unseen, completes, pay[0]) - best[bust])
                    doubles += share * bust_worth(left, number, symbol, unseen, completes, pay[1])
                else:
                    doubles += share * pay[1, -1, 0]
        if open_to & GIVING_UP:
            gives_up = stand_worth(chances, rows[hand], more[hand], here, number, unseen, pay, 0, GIVEN_UP)
        worth[hand, 1] = hits
        worth[hand, 2] = doubles if open_to & DOUBLING else 0.0
        worth[hand, 3] = gives_up
        if not follow:
            said = STAND if open_to & STAND and not (open_to & HIT and hits > stands) else HIT
            value = hits if said == HIT else stands
            if open_to & DOUBLING and doubles > value:
                said, value = DOUBLING, doubles
            if open_to & GIVING_UP and gives_up > value:
                said = GIVING_UP
            choice[hand] = said
        said = choice[hand]
        best[hand] = (
            gives_up if said == GIVING_UP else doubles if said == DOUBLING else hits if said == HIT else stands
        )


@compiled
def allowed(options: Ints, asked: Ints, choice: Ints) -> None:
    """A given choice on each hand; a hit where the hand may not be doubled or given up."""
    for hand in range(len(asked)):
        said = asked[hand]
        shut = (said == DOUBLING or said == GIVING_UP) and not options[hand] & said
        choice[hand] = HIT if shut else said


@compiled
def same_pays(one: Floats, other: Floats) -> bool:
    """Whether two tables of payments differ only against a blackjack of the dealer."""
    for twice in range(one.shape[0]):
        for total in range(one.shape[1]):
            for end in range(one.shape[2] - 1):
                if one[twice, total, end] != other[twice, total, end]:
                    return False
    return True


@compiled
def split_values(
    plan: Ints,
    symbol: int,
    cards: Floats,
    after: Ints,
    pairs: Ints,
    total: Ints,
    options: Ints,
    chances: Floats,
    rows: Ints,
    shoe: Floats,
    completes: int,
    pays: Floats,
    follow: int,
    asked: Ints,
    choice: Ints,
    second: Floats,
    seconds: Floats,
    worth: Floats,
) -> None:
    """The hands of a split, one situation of `plan` after another: place (0 first), other cards gone, unseen.

    For each: the `choice`, the chance of each `second` card and what the hand is worth with it, and all worths.  Where
    the dealer cannot have a blackjack the place makes no difference, and what was found is taken over.
    """
    left, best = np.empty(len(shoe)), np.empty(len(total) + 1)
    alike = completes < 0 and same_pays(pays[0], pays[1])
    for at in range(len(plan)):
        place, others, unseen = plan[at, 0], plan[at, 1], symbol if plan[at, 2] else -1
        known = at
        if alike:
            for before in range(at - 1, -1, -1):
                if plan[before, 1] == others and plan[before, 2] == plan[at, 2]:
                    known = before
        if known < at:
            choice[at], worth[at] = choice[known], worth[known]
            second[at], seconds[at] = second[known], seconds[known]
            continue
        left[:] = shoe
        left[symbol] -= others
        open_to = options[0 if others == 1 else 1]
        if follow:
            allowed(open_to, asked, choice[at])
        hand_values(
            *(cards, after, total, open_to, chances, rows[others], rows[min(others + 1, len(rows) - 1)]),
            *(left, unseen, completes, pays[place], follow, choice[at], worth[at], best),
        )
        left[symbol] -= 1.0
        number = left.sum()
        holds = left.min() >= 0.0 and number > 0.0
        for kind in range(len(left)):
            second[at, kind] = chance(left, number, kind, unseen) if holds else 0.0
            seconds[at, kind] = best[pairs[kind]]


@compiled
def weigh(
    cards: Floats,
    after: Ints,
    entry: Ints,
    free: Ints,
    options: Ints,
    choice: Ints,
    worth: Floats,
    shoe: Floats,
    unseen: int,
    entries: Ints,
    span: int,
    reach: Floats,
    gains: Floats,
) -> None:
    """Add what turning each entry of a chart over gains on a family of hands, from the chances of the first in `reach`.

    `free` is what is open on hands that are not split, and decides what an entry means; `options` what is open on these.
    Doubles stand `2 * span` behind the entry of their total, hands given up `4 * span`.
    """
    left = np.empty(len(shoe))
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
            left[:] = shoe - cards[hand]
            number = left.sum()
            for symbol in range(len(shoe)):
                reach[after[hand, symbol]] += chance_now * chance(left, number, symbol, unseen)


@compiled
def weigh_split(
    plan: Ints,
    weights: Floats,
    symbol: int,
    cards: Floats,
    after: Ints,
    pairs: Ints,
    entry: Ints,
    free: Ints,
    options: Ints,
    choice: Ints,
    second: Floats,
    worth: Floats,
    shoe: Floats,
    entries: Ints,
    span: int,
    gains: Floats,
) -> None:
    """The same for all hands of a split: `weights` tells how many there are in each situation, with any second card and
    with another of the split value."""
    left, reach = np.empty(len(shoe)), np.empty(len(entry) + 1)
    for at in range(len(plan)):
        reach[:] = 0.0
        for kind in range(len(pairs)):
            reach[pairs[kind]] = weights[at, 1 if kind == symbol else 0] * second[at, kind]
        left[:] = shoe
        left[symbol] -= plan[at, 1]
        unseen = symbol if plan[at, 2] else -1
        weigh(
            *(cards, after, entry, free, options, choice[at], worth[at]),
            *(left, unseen, entries, span, reach, gains),
        )


@compiled
def count_orders(listed: Ints, child: Ints, choice: Ints, ways: Floats) -> None:
    """In how many orders each hand can come about, from those of the first hands, while the play says hit."""
    for hand in listed:
        if ways[hand] > 0.0 and choice[hand] == HIT:
            for symbol in range(child.shape[1]):
                if child[hand, symbol] >= 0:
                    ways[child[hand, symbol]] += ways[hand]


@compiled
def number_keys(keys: Ints, held: Ints, place: Ints, index: Ints) -> int:
    """Number equal keys alike, in a table of slots whose size is a power of two; returns how many differ, or -1 if that
    fills more than half of the table."""
    mask = len(held) - 1
    count = 0
    for at in range(len(keys)):
        key = keys[at]
        slot = ((key * 0x9E3779B97F4A7C1) >> 20) & mask
        while held[slot] != key:
            if held[slot] < 0:
                if 2 * count > mask:
                    return -1
                held[slot] = key
                place[slot] = count
                count += 1
                break
            slot = (slot + 1) & mask
        index[at] = place[slot]
    return count


@compiled
def sequence_chances(cards: Ints, left: Floats, found: Floats) -> None:
    """The chance that the next cards are those of each multiset in one given order."""
    for at in range(len(cards)):
        chance_now = 1.0
        total = left.sum()
        for symbol in range(len(left)):
            for k in range(cards[at, symbol]):
                chance_now *= max(left[symbol] - k, 0.0) / total if total > 0.5 else 0.0
                total -= 1.0
        found[at] = chance_now


@compiled
def last_hand(index: Ints, chances: Floats, ways: Floats, dealer: Floats, pays: Ints, found: Floats) -> None:
    """`found[gone, half, ending, net]`: the chances of what the last hand brings."""
    middle = found.shape[3] // 2
    for gone in range(len(index)):
        for end in range(len(ways)):
            union = index[gone, end]
            weight = ways[end] * chances[gone, end]
            for half in range(found.shape[1]):
                for at in range(found.shape[2]):
                    found[gone, half, at, middle + pays[half, end, at]] += weight * dealer[union, at]


@compiled
def hand_before(
    index: Ints, chances: Floats, ways: Floats, live: Ints, shift: Ints, rows: Floats, found: Floats
) -> None:
    """`found` as in `last_hand` with one hand more: what comes behind each of its ends, shifted by what that brings."""
    for gone in range(len(index)):
        for end in range(len(ways)):
            weight = ways[end] * chances[gone, end]
            if weight <= 0.0:
                continue
            for half in range(rows.shape[1]):
                row = rows[index[gone, end], max(half, live[end]) if rows.shape[1] > 1 else 0]
                for at in range(row.shape[0]):
                    here = shift[half, end, at]
                    for net in range(row.shape[1]):
                        found[gone, half, at, here + net] += weight * row[at, net]


@compiled
def newton(
    symbol: Ints,
    held: Ints,
    depth: Ints,
    skip: Ints,
    start: Ints,
    within: Ints,
    sign: Floats,
    values: Floats,
    unions: Ints,
    rows: Floats,
) -> None:
    """Newton's series at each union, from the values at the nodes of the series."""
    nodes, columns = values.shape
    delta = np.zeros((nodes, columns))
    for node in range(nodes):
        for at in range(start[node], start[node + 1]):
            for column in range(columns):
                delta[node, column] += sign[at] * values[within[at], column]
    factor = np.empty(depth.max() + 1)
    factor[0] = 1.0
    for union in range(len(unions)):
        rows[union] = delta[0]
        node = 1
        while node < nodes:
            room = unions[union, symbol[node]] - held[node]
            if room <= 0:
                node = skip[node]
                continue
            here = factor[depth[node] - 1] * room / (held[node] + 1.0)
            factor[depth[node]] = here
            for column in range(columns):
                rows[union, column] += here * delta[node, column]
            node += 1
