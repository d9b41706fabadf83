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
from croupier.simulation.lanes import (
    COUNTER,
    DEAL,
    LANES,
    MORE,
    coup,
    deal_anew,
    deal_lanes,
    deal_out,
    lay_packs,
    mix_lanes,
    rounds_left,
)
from croupier.simulation.plan import Chunk, Ints, Table, play_chunk
from croupier.simulation.streams import (
    below,
    compiled,
    first_word,
    inlined,
    keys_of,
    mix_up_to,
    short,
    wide,
    word,
)

BLOCK: Final = 1 << 14
"""Outcomes in a unit of single draws, coups in one of a continuous shuffler, throws in one of craps."""

AT_ONCE: Final = 64
"""Coups of a continuous shuffler that are dealt before their notes are gone through."""

BURNED: Final = 12
"""More cards than are burned before the first coup of a shoe."""

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
                left = rounds_left(left, here, used, cut, after, first)
                here += used
                played += 1
        if played >= limit:
            break
    for end in range(min(MOST_ENDS, len(counts))):
        counts[end] += np.sum(ends[:, end])
    return played


def play_tables(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Whole shoes or sessions with all that a table offers: pairs, Runs, a bettor's money, a continuous shuffler."""
    return play_chunk(_tables, tables, chunk, counts)


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
    cut, after, first = settings[CUT], settings[AFTER], settings[FIRST]
    pairs, runs, session = settings[PAIRS] > 0, settings[RUNS] > 0, settings[SESSION]
    pair_at, run_at, continuous = settings[PAIR_AT], settings[RUN_AT], settings[CONTINUOUS] > 0
    # Nets are told by state of the bettor × end; those by pair follow.
    ends, pair_nets = settings[ENDS], settings[PLACES]
    bettor, stop, goal = settings[BETTOR_AT], settings[STOP], settings[GOAL]
    followed = session > 0 or (bettor > 0 and (stop > 0 or goal > 0))
    size = len(pack)
    needed = min(size, cut + 3 * DEAL)
    wanted = session if session > 0 else BLOCK if continuous else 1
    cards = np.zeros(LANES * (size + MORE), np.uint8)
    work = np.zeros((COUNTER + 1, LANES), np.uint64)
    found, kinds = np.zeros((LANES, size), np.uint8), np.zeros((LANES, size), np.uint8)
    coups, dealt = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    state, mine = np.zeros((LANES, 5), np.int64), np.zeros((LANES, 3), np.int64)
    number, played = unit, 0
    while number < unit + units and played < limit:
        # Long units that may meet the limit are played one by one, because rounds are counted in their order.
        lanes = 1 if wanted > 1 and limit - played <= LANES * wanted else min(LANES, unit + units - number)
        state[:] = 0
        mine[:] = 0
        dealt[:] = 0
        for lane in range(LANES):
            work[COUNTER, lane] = first_word(number + lane)
        busy = True
        while busy and played < limit:
            fresh = not continuous or dealt[0] == 0
            if continuous:
                if fresh:
                    lay_packs(cards, pack)
                coups[:] = min(AT_ONCE, size, wanted - dealt[0])
                if pairs:
                    deal_anew(cards, work, size, coups[0], four, rest, pair, found, kinds, k0, k1)
                else:
                    deal_anew(cards, work, size, coups[0], four, rest, None, found, kinds, k0, k1)
            else:
                # Of the last shoe of a session no more is mixed and dealt than it can take; a Run may go on after it.
                most = wanted - np.min(dealt[:lanes]) if session > 0 and not runs else size
                mix_lanes(cards, work, pack, min(needed, BURNED + DEAL * most), k0, k1)
                for lane in range(LANES):
                    coups[lane] = burn[cards[lane * (size + MORE)]]
                if pairs:
                    deal_out(cards, size, most, cut, after, first, four, rest, pair, found, kinds, coups)
                else:
                    deal_out(cards, size, most, cut, after, first, four, rest, None, found, kinds, coups)
            busy = False
            for lane in range(lanes):
                run, bet, gone = mine[lane, 0], mine[lane, 1], mine[lane, 2] > 0
                balance, peak, lowest = state[lane, 0], state[lane, 1], state[lane, 2]
                fall, rounds = state[lane, 3], state[lane, 4]
                if fresh and dealt[lane] < wanted and played < limit:
                    bet = bet_fresh[bet]
                many = min(coups[lane], limit - played)
                if session > 0 or continuous:
                    many = min(many, wanted - dealt[lane])
                for index in range(many):
                    end = np.int64(found[lane, index] >> 2)
                    counts[end] += 1
                    choice = bet * ends + end
                    net = nets[choice]
                    if pairs:
                        kind = np.int64(kinds[lane, index])
                        counts[pair_at + kind] += 1
                        net += nets[pair_nets + kind]
                    if runs:
                        place = run * ends + end
                        counts[run_at + place] += 1
                        run = run_next[place]
                    if gone:
                        continue
                    if bettor > 0:
                        counts[bettor + choice] += 1
                        bet = bet_next[choice]
                    if followed:
                        balance, peak, lowest, fall = sessions.step(balance, peak, lowest, fall, net)
                        rounds += 1
                        gone = (stop > 0 and balance <= -stop) or (goal > 0 and balance >= goal)
                played += many
                dealt[lane] += many
                mine[lane, 0], mine[lane, 1], mine[lane, 2] = run, bet, gone
                state[lane, 0], state[lane, 1], state[lane, 2] = balance, peak, lowest
                state[lane, 3], state[lane, 4] = fall, rounds
                busy |= dealt[lane] < wanted
        for lane in range(lanes):
            if session > 0 and dealt[lane] == wanted:
                sessions.close(state[lane], counts, settings[SESSION_AT], settings[WIDTH])
            # Runs carry over to the next shoe: it is dealt until all are decided, and no new ones are placed.
            tail = tail_of[mine[lane, 0]] if runs and dealt[lane] > 0 else 0
            shoe = cards[:size]
            counter = work[COUNTER, lane]
            while tail != 0:
                shoe[:] = pack
                done, counter = mix_up_to(shoe, 0, 3 * DEAL, k0, k1, counter)
                at = np.uint64(burn[shoe[0]])
                while tail != 0 and at < np.uint64(size - DEAL - DEAL):
                    done, counter = mix_up_to(shoe, done, np.int64(at) + DEAL, k0, k1, counter)
                    last = coup(cards, at, four, rest)
                    place = tail * ends + np.int64(last >> np.uint64(2))
                    counts[settings[TAIL_AT] + place] += 1
                    tail = tail_next[place]
                    at += np.uint64(4) + (last & np.uint64(3))
        number += lanes
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
    return play_chunk(_draw_sessions, tables, chunk, counts)


@compiled
def _draw_sessions(settings, nets, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    tickets, session, at, width = settings[0], settings[1], settings[2], settings[3]
    state = np.zeros(5, np.int64)
    played = 0
    for number in range(unit, unit + units):
        counter = first_word(number)
        balance, peak, lowest, fall = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        wanted = min(session, limit - played)
        for _ in range(wanted):
            ticket, counter = below(k0, k1, counter, tickets)
            counts[ticket] += 1
            balance, peak, lowest, fall = sessions.step(balance, peak, lowest, fall, nets[ticket])
        played += wanted
        if wanted == session:
            sessions.fill(state, balance, peak, lowest, fall, wanted)
            sessions.close(state, counts, at, width)
        if played >= limit:
            break
    return played


def play_draw_bettor(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Draws with somebody who stakes by what happened before, anew in each session or block."""
    return play_chunk(_draw_bettor, tables, chunk, counts)


@compiled
def _draw_bettor(settings, nets, following, k0, k1, unit, units, limit, counts):  # type: ignore[no-untyped-def]
    tickets, session, at, width = settings[0], settings[1], settings[2], settings[3]
    stop, goal = settings[4], settings[5]
    wanted = session if session > 0 else BLOCK
    state = np.zeros(5, np.int64)
    played = 0
    for number in range(unit, unit + units):
        counter = first_word(number)
        balance, peak, lowest, fall = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        bet, rounds, gone = np.int64(0), np.int64(0), False
        dealt = min(wanted, limit - played)
        for _ in range(dealt):
            ticket, counter = below(k0, k1, counter, tickets)
            counts[ticket] += 1
            if not gone:
                place = bet * tickets + np.int64(ticket)
                counts[tickets + place] += 1
                balance, peak, lowest, fall = sessions.step(balance, peak, lowest, fall, nets[place])
                rounds += 1
                bet = following[place]
                gone = (stop > 0 and balance <= -stop) or (goal > 0 and balance >= goal)
        played += dealt
        if session > 0 and dealt == session:
            sessions.fill(state, balance, peak, lowest, fall, rounds)
            sessions.close(state, counts, at, width)
        if played >= limit:
            break
    return played


# ---------------------------------------------------------------- throws of craps


def play_throws(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Blocks of throws, over which each automaton runs; what is open at the end is thrown out without new wagers."""
    return play_chunk(_throws, tables, chunk, counts)


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
