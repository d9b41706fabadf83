"""What each hand is worth.

A shoe is the number of cards of each symbol that may still come to the hand and the dealer: what lies elsewhere is
taken out before.  `unseen` is a symbol, or -1: then one more card is gone of which only is known that it is not this
symbol.  By exchangeability that card may be thought to be drawn last, and what it does to the chances is a factor.

A family (`lattice.Family`) is a list of hands that become only each other, numbered from nought; one place behind the
last stands for every bust, so that no loop asks whether a card is too much.  Values are found from the last hand to the
first.  What a hand brings that stands is found once for all situations of a split that have as many cards gone.
"""

from __future__ import annotations

import numpy as np

from croupier.exact.blackjack.terms import DOUBLING, GIVEN_UP, GIVING_UP, HIT, STAND, Bytes, Floats, Ints, Numbers
from croupier.kept.compiling import alone as compiled


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
def stand_worth(seen: float, further: float, left: float, number: float, unseen: int) -> float:
    """What a hand brings that draws no more; with an unseen card, from what it brings with one more of it gone, too."""
    if unseen < 0:
        return seen
    part = left / number
    return 0.0 if part >= 1.0 else (seen - part * further) / (1.0 - part)


@compiled
def held_cards(cards: Floats, hand: np.uint64, shoe: Floats, left: Floats) -> bool:
    """What a hand leaves of a shoe; whether the shoe holds it, and a card more."""
    least, number = 0.0, 0.0
    for symbol in range(len(shoe)):
        left[symbol] = shoe[symbol] - cards[hand, symbol]
        least = min(least, left[symbol])
        number += left[symbol]
    return least >= 0.0 and number > 0.0


@compiled
def hand_values(
    cards: Floats,
    size: Floats,
    after: Numbers,
    total: Ints,
    most: Floats,
    options: Ints,
    chances: Floats,
    rows: Ints,
    more: Ints,
    stands: Floats,
    further: Floats,
    shoe: Floats,
    unseen: int,
    completes: int,
    pay: Floats,
    follow: int,
    choice: Bytes,
    keep: int,
    worth: Floats,
    best: Floats,
    left: Floats,
) -> None:
    """What each hand of a family is worth: `best` by the best or the chosen play; `worth`, if it is to be kept, as it
    stands, with a hit, a double, given up.

    The last place of `best` is a bust.  `chances[rows[hand]]` are the dealer's behind a hand, `more` the same with one
    card of the unseen symbol more gone; `stands` and `further` what a hand that stands makes of them.  With `follow`
    (1) the choices are given; otherwise the best is taken and noted.  A hand with no options has ended.  No hand has
    more of a symbol than `most`.
    """
    kinds, bust = len(shoe), len(total)
    best[bust] = pay[0, -1, 0]
    waits = completes >= 0 and (pay[0, -1, 0] != pay[0, -1, -1] or pay[1, -1, 0] != pay[1, -1, -1])
    tight, cards_left = False, 0.0
    for symbol in range(kinds):
        tight = tight or shoe[symbol] <= most[symbol]
        cards_left += shoe[symbol]
    for back in range(bust):
        hand = np.uint64(bust - 1 - back)
        open_to = options[hand]
        if keep:
            for action in range(4):
                worth[hand, action] = 0.0
        if tight and not held_cards(cards, hand, shoe, left):
            best[hand] = 0.0
            if not follow:
                choice[hand] = 0
            continue
        number = cards_left - size[hand]
        here = shoe[unseen] - cards[hand, unseen] if unseen >= 0 else 0.0
        stays = stand_worth(stands[hand], further[hand], here, number, unseen)
        if keep:
            worth[hand, 0] = stays
        if open_to == 0:
            best[hand] = stays
            choice[hand] = 0
            continue
        drawn = 0.0
        for symbol in range(kinds):
            drawn += (shoe[symbol] - cards[hand, symbol]) * best[after[hand, symbol]]
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
            held_cards(cards, hand, shoe, left)
            for symbol in range(kinds):
                share = left[symbol] * (odd if symbol == unseen else plain)
                then = after[hand, symbol]
                if share <= 0.0:
                    continue
                if then < bust:
                    rest = here - 1.0 if symbol == unseen else here
                    seen = mean(chances, rows[then], pay, 1, total[then])
                    beyond = mean(chances, more[then], pay, 1, total[then]) if unseen >= 0 else 0.0
                    doubles += share * stand_worth(seen, beyond, rest, number - 1.0, unseen)
                elif waits:
                    hits += share * (bust_worth(left, number, symbol, unseen, completes, pay[0]) - best[bust])
                    doubles += share * bust_worth(left, number, symbol, unseen, completes, pay[1])
                else:
                    doubles += share * pay[1, -1, 0]
        if open_to & GIVING_UP:
            seen = mean(chances, rows[hand], pay, 0, GIVEN_UP)
            beyond = mean(chances, more[hand], pay, 0, GIVEN_UP) if unseen >= 0 else 0.0
            gives_up = stand_worth(seen, beyond, here, number, unseen)
        if keep:
            worth[hand, 1] = hits
            worth[hand, 2] = doubles if open_to & DOUBLING else 0.0
            worth[hand, 3] = gives_up
        if not follow:
            said = STAND if open_to & STAND and not (open_to & HIT and hits > stays) else HIT
            value = hits if said == HIT else stays
            if open_to & DOUBLING and doubles > value:
                said, value = DOUBLING, doubles
            if open_to & GIVING_UP and gives_up > value:
                said = GIVING_UP
            choice[hand] = said
        said = choice[hand]
        best[hand] = gives_up if said == GIVING_UP else doubles if said == DOUBLING else hits if said == HIT else stays


@compiled
def stand_means(chances: Floats, rows: Ints, pay: Floats, total: Ints, found: Floats) -> None:
    """What each hand of a family brings that stands."""
    for hand in range(len(total)):
        found[hand] = mean(chances, rows[hand], pay, 0, total[hand])


@compiled
def alone_values(
    cards: Floats,
    size: Floats,
    after: Numbers,
    total: Ints,
    most: Floats,
    options: Ints,
    chances: Floats,
    listed: Ints,
    shoe: Floats,
    completes: int,
    pay: Floats,
    follow: int,
    asked: Ints,
    choice: Bytes,
    worth: Floats,
    best: Floats,
    left: Floats,
    stands: Floats,
) -> None:
    """The hands that are not split, with the best play or the one that is asked for."""
    if follow:
        allowed(options, asked, listed, choice)
    stand_means(chances, listed, pay, total, stands)
    hand_values(
        cards,
        size,
        after,
        total,
        most,
        options,
        chances,
        listed,
        listed,
        stands,
        stands,
        shoe,
        -1,
        completes,
        pay,
        follow,
        choice,
        1,
        worth,
        best,
        left,
    )


@compiled
def allowed(options: Ints, asked: Ints, listed: Ints, choice: Bytes) -> None:
    """A choice given by the number of a hand, on each of these; a hit where the hand may not be doubled or given up."""
    for hand in range(len(listed)):
        said = asked[listed[hand]]
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
    which: Ints,
    plans: Ints,
    many: Ints,
    start: Ints,
    listed: Ints,
    cards: Floats,
    size: Floats,
    after: Numbers,
    pairs: Ints,
    total: Ints,
    most: Floats,
    options: Ints,
    chances: Floats,
    rows: Ints,
    shoe: Floats,
    completes: int,
    pays: Floats,
    follow: int,
    asked: Ints,
    keep: Ints,
    choice: Bytes,
    second: Floats,
    seconds: Floats,
    average: Floats,
    worth: Floats,
    best: Floats,
    left: Floats,
    from_shoe: Floats,
    means: Floats,
    known_means: Ints,
) -> None:
    """The hands of some pairs split, one situation after another: place (0 first), other cards gone, unseen.

    `plans[symbol]` has the situations of a pair, `many` of them; the hands of all families stand behind each other,
    each from its `start` on.  For each situation: the `choice`, the chance of each `second` card and what the hand is
    worth with it, that on average, and all worths where they are to be kept.  Where the dealer cannot have a blackjack
    the place makes no difference, and what was found is taken over.  `means[place, gone]` is what hands bring that
    stand, and a bit of `known_means` that it was found before against this first card.
    """
    kinds = len(shoe)
    for symbol in which:
        begin, end = start[symbol], start[symbol + 1]
        plan, mine, family = plans[symbol], total[begin:end], cards[begin:end]
        first, later = pays[symbol, 0], pays[symbol, 1]
        alike = completes < 0 and same_pays(first, later)
        for at in range(many[symbol]):
            place, others, unseen = plan[at, 0], plan[at, 1], symbol if plan[at, 2] else -1
            known = at
            if alike:
                for before in range(at - 1, -1, -1):
                    if plan[before, 1] == others and plan[before, 2] == plan[at, 2]:
                        known = before
                place = 0
            if known < at:
                for hand in range(begin, end):
                    choice[at, hand] = choice[known, hand]
                    if keep[symbol]:
                        for action in range(4):
                            worth[at, hand, action] = worth[known, hand, action]
                for kind in range(kinds):
                    second[symbol, at, kind] = second[symbol, known, kind]
                    seconds[symbol, at, kind] = seconds[symbol, known, kind]
                average[symbol, at] = average[symbol, known]
                continue
            pay, further = later if place else first, min(others + 1, len(rows) - 1)
            for gone in range(others, further + 1 if unseen >= 0 else others + 1):
                if not known_means[symbol] >> (4 * place + gone) & 1:
                    stand_means(chances, rows[gone, begin:end], pay, mine, means[place, gone, begin:end])
                    known_means[symbol] |= 1 << (4 * place + gone)
            for kind in range(kinds):
                from_shoe[kind] = shoe[kind] - (others if kind == symbol else 0)
            open_to = options[0 if others == 1 else 1, begin:end]
            if follow:
                allowed(open_to, asked, listed[begin:end], choice[at, begin:end])
            hand_values(
                family,
                size[begin:end],
                after[begin:end],
                mine,
                most,
                open_to,
                chances,
                rows[others, begin:end],
                rows[further, begin:end],
                means[place, others, begin:end],
                means[place, further, begin:end],
                from_shoe,
                unseen,
                completes,
                pay,
                follow,
                choice[at, begin:end],
                keep[symbol],
                worth[at, begin:end],
                best,
                left,
            )
            from_shoe[symbol] -= 1.0
            number, least, on_average = 0.0, 0.0, 0.0
            for kind in range(kinds):
                number += from_shoe[kind]
                least = min(least, from_shoe[kind])
            for kind in range(kinds):
                share = chance(from_shoe, number, kind, unseen) if least >= 0.0 and number > 0.0 else 0.0
                second[symbol, at, kind] = share
                seconds[symbol, at, kind] = best[pairs[symbol, kind]]
                on_average += share * best[pairs[symbol, kind]]
            average[symbol, at] = on_average
