"""The inner loops over families of hands, compiled: what each hand is worth, and what a chart would gain by a change.

A family (`lattice.Family`) is a list of hands that become only each other, numbered from nought; one place behind the
last stands for every bust, so that no loop asks whether a card is too much.  Values are found from the last hand to the
first, chances from the first to the last.  What is not of the family comes by numbers: parts of arrays are not handed
about in the inner loops, as to cut them costs more than to use them.

Each function fills arrays that its caller made.  The slow path they agree with is `rational`.
"""

from __future__ import annotations

import numpy as np

from croupier.exact.blackjack.kernels import chance, compiled
from croupier.exact.blackjack.terms import DOUBLING, GIVEN_UP, GIVING_UP, HIT, STAND, Floats, Ints


@compiled
def mean(chances: Floats, row: int, pay: Floats, twice: int, total: int) -> float:
    """What the dealer's chances make of a row of payments; told by numbers, as to cut an array costs more."""
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
    """What a hand brings that draws no more; with an unseen card, from the chances with one more of it gone, too."""
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
        best[hand] = gives_up if said == GIVING_UP else doubles if said == DOUBLING else hits if said == HIT else stands


@compiled
def allowed(options: Ints, asked: Ints, choice: Ints) -> None:
    """A given choice on each hand; a hit where the hand may not be doubled or given up."""
    for hand in range(len(asked)):
        said = asked[hand]
        shut = said in (DOUBLING, GIVING_UP) and not options[hand] & said
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
            cards,
            after,
            total,
            open_to,
            chances,
            rows[others],
            rows[min(others + 1, len(rows) - 1)],
            left,
            unseen,
            completes,
            pays[place],
            follow,
            choice[at],
            worth[at],
            best,
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

    `free` is what is open on hands that are not split, and says what an entry means; `options` what is open on these.
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
            cards,
            after,
            entry,
            free,
            options,
            choice[at],
            worth[at],
            left,
            unseen,
            entries,
            span,
            reach,
            gains,
        )
