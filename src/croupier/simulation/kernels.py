"""The compiled loops that play: baccarat shoes, single draws, throws of craps.

Theory of operation.  A coup is two look-ups.  `four` maps the symbols of four cards to a class of positions of the
automaton, `rest` a class and the symbols of two more cards to the end of the coup and the number of cards it used; the
cards that a coup does not use are simply the next coup's.  Nothing branches on cards.  A card is a byte: its symbol
in the low half, in the high half which of the cards with that symbol it is, for Perfect Pairs.

A shoe is mixed as far as it can be dealt, then dealt.  The cutting card has `cut` cards in front of it.  While six
cards or more are in front of it a coup cannot meet it; the few coups after that ask at which place it came.

Draws are counted two at a time: a number below n² is two outcomes, and a histogram of n² bins takes one addition for
both.  Throws of craps are drawn into a buffer; then each automaton runs over it.

The slow path with which all of this must agree is `round.happen`; twin tests play both on the same cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from croupier.simulation import sessions
from croupier.simulation.coups import MOST_ENDS
from croupier.simulation.lanes import COUNTER, DEAL, LANES, MORE, coup, deal_lanes, mix_lanes
from croupier.simulation.plan import Chunk, Ints, Table
from croupier.simulation.streams import (
    below,
    compiled,
    first_word,
    inlined,
    keys_of,
    mix_six,
    mix_up_to,
    short,
    wide,
    word,
)

BLOCK: Final = 1 << 14
"""Outcomes in a unit of single draws, coups in one of a continuous shuffler, throws in one of craps."""

# The places of numbers in the array of settings that a baccarat kernel reads.
CUT, AFTER, FIRST, PAIRS, RUNS, SESSION, PAIR_AT, RUN_AT, TAIL_AT, SESSION_AT, WIDTH, CONTINUOUS, ENDS = range(13)
# A bettor by a strategy: where state × end is counted (0: nobody), the loss and the win at which he leaves, in grains.
BETTOR_AT, STOP, GOAL, PLACES = range(13, 17)


# ---------------------------------------------------------------- baccarat


def play_shoes(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Whole shoes, counting only the ends of coups: the fast kernel."""
    pack, four, rest, burn, _, _, settings = tables[:7]
    k0, k1 = keys_of(chunk.seed)
    places = (int(settings[CUT]), int(settings[AFTER]), int(settings[FIRST]))
    return int(_shoes(pack, four, rest, burn, *places, k0, k1, chunk.first, chunk.count, chunk.limit, counts))


@compiled
def _shoes(pack, four, rest, burn, cut, after, first, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    size = len(pack)
    needed = min(size, cut + 3 * DEAL)
    free = np.uint64(max(0, cut - DEAL + 1))
    cards = np.zeros(LANES * (size + MORE), np.uint8)
    work = np.zeros((COUNTER + 1, LANES), np.uint64)
    at = np.zeros(LANES, np.uint64)
    ends = np.zeros((LANES, MOST_ENDS), np.int64)
    played = 0
    for shoe in range(unit, unit + units, LANES):
        for lane in range(LANES):
            work[COUNTER, lane] = first_word(shoe + lane)
        mix_lanes(cards, work, pack, needed, k0, k1)
        for lane in range(LANES):
            at[lane] = burn[cards[lane * (size + MORE)]]
        lanes = min(LANES, unit + units - shoe)
        # No shoe has so many coups as cards: where the limit cannot come in these shoes, they are dealt side by side.
        if lanes == LANES and limit - played > LANES * size:
            played += LANES * deal_lanes(cards, at, size, free, four, rest, ends)
        for lane in range(lanes):
            mine = cards[lane * (size + MORE) :]
            here = at[lane]
            left = -1
            while left != 0 and played < limit:
                found = coup(mine, here, four, rest)
                counts[found >> np.uint64(2)] += 1
                used = np.uint64(4) + (found & np.uint64(3))
                left = _rounds_left(left, here, used, cut, after, first)
                here += used
                played += 1
        if played >= limit:
            break
    for end in range(min(MOST_ENDS, len(counts))):
        counts[end] += np.sum(ends[:, end])
    return played


@inlined
def _rounds_left(left, at, used, cut, after, first):  # type: ignore[no-untyped-def]
    """How many coups follow this one, which used these cards: -1 while the cutting card has not come."""
    if left > 0:
        return left - 1
    start = np.int64(at)
    if start == cut:
        return first
    if start < cut and cut < start + np.int64(used):
        return after
    return -1


def play_tables(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Whole shoes or sessions with all that a table offers: pairs, Runs, a bettor's money, a continuous shuffler."""
    k0, k1 = keys_of(chunk.seed)
    return int(_tables(*tables, k0, k1, chunk.first, chunk.count, chunk.limit, counts))


@compiled
def _tables(  # type: ignore[no-untyped-def]
    pack,
    four,
    rest,
    burn,
    pair,
    nets,
    settings,
    run_next,
    tail_of,
    tail_next,
    bet_next,
    bet_fresh,
    k0,
    k1,
    unit,
    units,
    limit,
    counts,
):
    size = len(pack)
    cards = np.zeros(size + MORE, np.uint8)
    shoe = cards[:size]
    state = np.zeros(5, np.int64)
    cut, after, first = settings[CUT], settings[AFTER], settings[FIRST]
    pairs, runs, session = settings[PAIRS] > 0, settings[RUNS] > 0, settings[SESSION]
    pair_at, run_at, continuous = settings[PAIR_AT], settings[RUN_AT], settings[CONTINUOUS] > 0
    # Nets are told by state of the bettor × end; those by pair follow.
    ends, pair_nets = settings[ENDS], settings[PLACES]
    bettor, stop, goal = settings[BETTOR_AT], settings[STOP], settings[GOAL]
    needed = min(size, cut + 3 * DEAL)
    played = 0
    for number in range(unit, unit + units):
        counter = first_word(number)
        sessions.begin(state)
        dealt = 0
        run = np.int64(0)
        bet = np.int64(0)
        gone = False
        wanted = session if session > 0 else BLOCK if continuous else 1
        while dealt < wanted and played < limit:
            shoe[:] = pack
            done = 0
            at = np.uint64(0)
            if not continuous:
                while done < needed and size - done >= DEAL:
                    counter = mix_six(shoe, done, size - done, k0, k1, counter)
                    done += DEAL
                done, counter = mix_up_to(shoe, done, needed, k0, k1, counter)
                at = np.uint64(burn[cards[0]])
            left = np.int64(-1)
            bet = bet_fresh[bet]
            while left != 0 and played < limit and (session == 0 or dealt < wanted):
                if continuous:
                    # All cards are in the machine when a coup begins, in an order that nobody knows.
                    counter = mix_six(shoe, 0, size, k0, k1, counter)
                    at = np.uint64(0)
                found = coup(cards, at, four, rest)
                end = np.int64(found >> np.uint64(2))
                used = np.uint64(4) + (found & np.uint64(3))
                counts[end] += 1
                choice = bet * ends + end
                net = nets[choice]
                if pairs:
                    mine = np.int64(pair[cards[at], cards[at + np.uint64(2)]])
                    kind = 4 * mine + np.int64(pair[cards[at + np.uint64(1)], cards[at + np.uint64(3)]])
                    counts[pair_at + kind] += 1
                    net += nets[pair_nets + kind]
                if runs:
                    place = run * ends + end
                    counts[run_at + place] += 1
                    run = run_next[place]
                if not gone and (session > 0 or bettor > 0):
                    sessions.after(state, net)
                    if bettor > 0:
                        counts[bettor + choice] += 1
                        bet = bet_next[choice]
                        gone = (stop > 0 and state[0] <= -stop) or (goal > 0 and state[0] >= goal)
                played += 1
                dealt += 1
                if continuous:
                    if dealt >= wanted:
                        left = np.int64(0)
                else:
                    left = np.int64(_rounds_left(left, at, used, cut, after, first))
                    at += used
        if session > 0 and dealt == wanted:
            sessions.close(state, counts, settings[SESSION_AT], settings[WIDTH])
        if runs:
            # Runs carry over to the next shoe: it is dealt until all are decided, and no new ones are placed.
            tail = tail_of[run]
            while tail != 0:
                shoe[:] = pack
                done, counter = mix_up_to(shoe, 0, 3 * DEAL, k0, k1, counter)
                at = np.uint64(burn[cards[0]])
                while tail != 0 and at < np.uint64(size - DEAL - DEAL):
                    done, counter = mix_up_to(shoe, done, np.int64(at) + DEAL, k0, k1, counter)
                    found = coup(cards, at, four, rest)
                    place = tail * ends + np.int64(found >> np.uint64(2))
                    counts[settings[TAIL_AT] + place] += 1
                    tail = tail_next[place]
                    at += np.uint64(4) + (found & np.uint64(3))
        if played >= limit:
            break
    return played


@compiled
def mixed(pack, needed, k0, k1, counter):  # type: ignore[no-untyped-def]
    """A shoe in the order in which a kernel deals it, and the place after its words: for twin tests."""
    cards = pack.copy()
    _, counter = mix_up_to(cards, 0, needed, k0, k1, counter)
    return cards, counter


# ---------------------------------------------------------------- single draws


def play_draws(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Blocks of draws from one space of equally likely tickets."""
    k0, k1 = keys_of(chunk.seed)
    tickets = int(tables[0][0])
    whole = min(chunk.count, chunk.limit // BLOCK)
    pairs = np.zeros(tickets * tickets, dtype=np.int64)
    _draw_pairs(tickets, k0, k1, chunk.first, whole, pairs)
    counts[:tickets] += pairs.reshape(tickets, tickets).sum(axis=0) + pairs.reshape(tickets, tickets).sum(axis=1)
    rest = min(chunk.limit - whole * BLOCK, BLOCK) if whole < chunk.count else 0
    drawn = np.zeros(BLOCK, dtype=np.int64)
    if rest:
        draws_of(tickets, k0, k1, chunk.first + whole, drawn)
        counts[:tickets] += np.bincount(drawn[:rest], minlength=tickets)
    return whole * BLOCK + rest


@inlined
def _four_pairs(k0, k1, counter, n):  # type: ignore[no-untyped-def]
    """Four numbers below n = tickets², and the place after the words they took: one word, or two where n is large."""
    if n < np.uint64(8192):
        product = n * n * n * n
        while True:
            a, rest = wide(word(k0, k1, counter), n)
            b, rest = wide(rest, n)
            c, rest = wide(rest, n)
            d, rest = wide(rest, n)
            counter += np.uint64(1)
            if not short(rest, product):
                return a, b, c, d, counter
    while True:
        a, rest = wide(word(k0, k1, counter), n)
        b, rest = wide(rest, n)
        counter += np.uint64(1)
        if not short(rest, n * n):
            break
    while True:
        c, rest = wide(word(k0, k1, counter), n)
        d, rest = wide(rest, n)
        counter += np.uint64(1)
        if not short(rest, n * n):
            return a, b, c, d, counter


@compiled
def _draw_pairs(tickets, k0, k1, unit, units, pairs):  # type: ignore[no-untyped-def]
    n = np.uint64(tickets * tickets)
    for block in range(unit, unit + units):
        counter = first_word(block)
        for _ in range(BLOCK // 8):
            a, b, c, d, counter = _four_pairs(k0, k1, counter, n)
            pairs[a] += 1
            pairs[b] += 1
            pairs[c] += 1
            pairs[d] += 1


@compiled
def draws_of(tickets, k0, k1, block, drawn):  # type: ignore[no-untyped-def]
    """One block in the order of its draws: the same outcomes that `_draw_pairs` counts."""
    n, one = np.uint64(tickets * tickets), np.uint64(tickets)
    counter = first_word(block)
    for place in range(0, BLOCK, 8):
        a, b, c, d, counter = _four_pairs(k0, k1, counter, n)
        for index, both in enumerate((a, b, c, d)):
            drawn[place + 2 * index] = both // one
            drawn[place + 2 * index + 1] = both % one


def play_draw_sessions(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Sessions of draws, with the money of a bettor who stakes the same each time."""
    k0, k1 = keys_of(chunk.seed)
    return int(_draw_sessions(*tables, k0, k1, chunk.first, chunk.count, chunk.limit, counts))


@compiled
def _draw_sessions(settings, nets, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    tickets, session, at, width = settings[0], settings[1], settings[2], settings[3]
    state = np.zeros(5, np.int64)
    played = 0
    for number in range(unit, unit + units):
        counter = first_word(number)
        sessions.begin(state)
        dealt = 0
        while dealt < session and played < limit:
            ticket, counter = below(k0, k1, counter, tickets)
            counts[ticket] += 1
            sessions.after(state, nets[ticket])
            dealt += 1
            played += 1
        if dealt == session:
            sessions.close(state, counts, at, width)
        if played >= limit:
            break
    return played


def play_draw_bettor(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Draws with somebody who stakes by what happened before, anew in each session or block."""
    k0, k1 = keys_of(chunk.seed)
    return int(_draw_bettor(*tables, k0, k1, chunk.first, chunk.count, chunk.limit, counts))


@compiled
def _draw_bettor(settings, nets, following, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    tickets, session, at, width = settings[0], settings[1], settings[2], settings[3]
    stop, goal = settings[4], settings[5]
    wanted = session if session > 0 else BLOCK
    state = np.zeros(5, np.int64)
    played = 0
    for number in range(unit, unit + units):
        counter = first_word(number)
        sessions.begin(state)
        dealt = 0
        bet = np.int64(0)
        gone = False
        while dealt < wanted and played < limit:
            ticket, counter = below(k0, k1, counter, tickets)
            counts[ticket] += 1
            if not gone:
                place = bet * tickets + np.int64(ticket)
                counts[tickets + place] += 1
                sessions.after(state, nets[place])
                bet = following[place]
                gone = (stop > 0 and state[0] <= -stop) or (goal > 0 and state[0] >= goal)
            dealt += 1
            played += 1
        if session > 0 and dealt == session:
            sessions.close(state, counts, at, width)
        if played >= limit:
            break
    return played


# ---------------------------------------------------------------- throws of craps


def play_throws(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Blocks of throws, over which each automaton runs; what is open at the end is thrown out without new wagers."""
    k0, k1 = keys_of(chunk.seed)
    return int(_throws(*tables, k0, k1, chunk.first, chunk.count, chunk.limit, counts))


@inlined
def _ten_throws(k0, k1, counter, tickets, throws, place):  # type: ignore[no-untyped-def]
    """Ten numbers below `tickets` from one word, for which tickets¹⁰ must be below 2⁶³ (two dice: 36¹⁰ ≈ 2⁵²)."""
    product = tickets * tickets * tickets * tickets * tickets
    product *= product
    while True:
        rest = word(k0, k1, counter)
        counter += np.uint64(1)
        for index in range(10):
            number, rest = wide(rest, tickets)
            throws[place + index] = number
        if not short(rest, product):
            return counter


@compiled
def _throws(step, closing, starts, settings, nets, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    """`step[place]` with place = state·tickets + throw; a state is closing if `closing` maps it to itself."""
    tickets, session, at, width, over = settings[0], settings[1], settings[2], settings[3], settings[4]
    stop, goal = settings[5], settings[6]
    many = np.uint64(tickets)
    size = session if session > 0 else BLOCK
    throws = np.zeros((size + 9) // 10 * 10, np.uint8)
    more = np.zeros(10, np.uint8)
    state = np.zeros(5, np.int64)
    played = 0
    for number in range(unit, unit + units):
        counter = first_word(number)
        wanted = min(size, limit - played)
        for place in range(0, wanted, 10):
            counter = _ten_throws(k0, k1, counter, many, throws, place)
        sessions.begin(state)
        for start in starts:
            position = np.int64(start)
            if session > 0:
                for index in range(wanted):
                    place = position * tickets + throws[index]
                    counts[place] += 1
                    sessions.after(state, nets[place])
                    position = np.int64(step[place])
                    if (stop > 0 and state[0] <= -stop) or (goal > 0 and state[0] >= goal):
                        position = np.int64(closing[position])
            else:
                for index in range(wanted):
                    place = position * tickets + throws[index]
                    counts[place] += 1
                    position = np.int64(step[place])
            position = np.int64(closing[position])
            # The dice are thrown on, the same for all, until what stands is decided; these are no rounds.
            further = counter
            index = 10
            while position != over:
                if index == 10:
                    further = _ten_throws(k0, k1, further, many, more, 0)
                    index = 0
                place = position * tickets + more[index]
                index += 1
                counts[place] += 1
                sessions.moved(state, nets[place])
                position = np.int64(step[place])
        played += wanted
        if session > 0 and wanted == session:
            sessions.close(state, counts, at, width)
        if played >= limit:
            break
    return played
