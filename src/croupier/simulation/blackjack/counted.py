"""Blackjack staked by the count, or by what happened before: one box, a play and a stake for each count, whole shoes.

Theory of operation.  The automaton of `hands` holds one strategy for each play that the count can ask for, and the
count chooses among them before every decision.  A round is counted in the block of bins of the count at which it was
staked.  Who stakes by history has a state in its place, which the result of a round moves on, and plays the chart.
A hole card is seen when it is turned.  A round below the count of entry is dealt all the same, to somebody who
plays alike.  The compiled rounds follow `kernel.play_units` card by card; their slow path is `counted_slowly` of the
tests, the same shoes through `round.happen`.

Index plays are the eighteen that D. Schlesinger found to be worth most (Blackjack Attack): from which true count of
Hi-Lo on a hand is stood on, doubled or split, and insurance taken; below it the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from croupier.equipment import RANKS
from croupier.exact.blackjack.lattice import Lattice
from croupier.exact.blackjack.terms import BITS, Ints, RuleTables, symbols, terms
from croupier.games.blackjack.layout import points
from croupier.games.blackjack.rules import MAIN, BlackjackRules
from croupier.games.blackjack.shoe import cards_in_stack
from croupier.kept.compiling import compiled
from croupier.law.model import present
from croupier.simulation import sessions
from croupier.simulation.betting import Betting, BettorTable, in_a_session, strategy_of, tabulate_results
from croupier.simulation.blackjack import kernel as k
from croupier.simulation.blackjack.hands import automaton, dealer_table
from croupier.simulation.blackjack.outcomes import Block, grains_of, main_endings
from croupier.simulation.blackjack.strategies import ACTS, HANDS, StrategyTables, open_bits
from croupier.simulation.blackjack.tables import (
    CARDS_A_HAND,
    DEVIATION,
    ROUNDS_A_CHUNK,
    _Making,
    lattice_of,
    offers_of,
    pack_of,
)
from croupier.simulation.count.systems import (
    COUNTS,
    DECK,
    HIGH,
    LOW,
    SYSTEMS,
    Counting,
    betting_by_count,
    betting_by_stake,
)
from croupier.simulation.plan import Chunk, Exact, PlanRow, Program, Simulated, SimulationSettings, Table, play_chunk
from croupier.simulation.streams import first_word, inlined, mix_up_to

SUMS: Final = 3
"""Beside a block: rounds staked, the sum of their nets and that of the squares, insurance included, in grains."""

EIGHTEEN: Final[tuple[tuple[str, int, int, int, str], ...]] = (
    *(("hard", 16, 10, 0, "stand"), ("hard", 15, 10, 4, "stand"), ("pair", 10, 5, 5, "split")),
    *(("pair", 10, 6, 4, "split"), ("hard", 10, 10, 4, "double"), ("hard", 12, 3, 2, "stand")),
    *(("hard", 12, 2, 3, "stand"), ("hard", 11, 11, 1, "double"), ("hard", 9, 2, 1, "double")),
    *(("hard", 10, 11, 4, "double"), ("hard", 9, 7, 3, "double"), ("hard", 16, 9, 5, "stand")),
    *(("hard", 13, 2, -1, "stand"), ("hard", 12, 4, 0, "stand"), ("hard", 12, 5, -2, "stand")),
    *(("hard", 12, 6, -1, "stand"), ("hard", 13, 3, -2, "stand")),
)
"""Hand, dealer's first card, the count from which on, and what is done; the eighteenth is insurance."""
INSURED_FROM: Final = 3

CHANCES: Final = (0.09, 0.43, 0.48)
"""About how rounds by a chart end: even, won, lost.  The width of bins needs no more."""

SHAPE: Final = (
    *("burned", "cut", "session", "width", "sessions_at", "natural", "bust", "ends", "totals", "naturals_at"),
    *("even_money_at", "split_at", "split_width", "insurance_at", "hole", "block", "running"),
    *("ready", "history", "stop", "goal"),
)
BURNED, CUT, SESSION, WIDTH, SESSIONS_AT, NATURAL, BUST, ENDS, TOTALS, NATURALS_AT = range(10)
EVEN_MONEY_AT, SPLIT_AT, SPLIT_WIDTH, INSURANCE_AT, HOLE, BLOCK, RUNNING = range(10, 17)
READY, HISTORY, STOP, GOAL = range(17, 21)


# ---------------------------------------------------------------- the play at each count


def plays(base: StrategyTables, held: RuleTables, counting: Counting) -> tuple[tuple[StrategyTables, ...], Ints]:
    """The plays that the counts ask for, each once, and which of them each count has."""
    if not counting.indices:
        return (base,), np.zeros(COUNTS, dtype=np.int64)
    steps = sorted({INSURED_FROM, *(index[3] for index in EIGHTEEN)})
    found = [_departed(base, held, step) for step in (LOW, *steps)]
    which = [sum(count >= step for step in steps) for count in range(LOW, HIGH + 1)]
    return tuple(found), np.array(which, dtype=np.int64)


def _departed(base: StrategyTables, held: RuleTables, count: int) -> StrategyTables:
    """The chart with every index play that is in force at a count."""
    hands = lattice_of(held)
    rows = {key: row.copy() for key, row in base.rows.items()}
    for kind, total, up, index, act in EIGHTEEN:
        at = held.values.index(up)
        if kind == "pair":
            _split_from(rows, held, hands, held.values.index(total), at, split=count >= index)
            continue
        for (variant, symbol, first), row in rows.items():
            if first != at:
                continue
            bits = open_bits(held, hands, HANDS[variant], first=-1 if variant == k.ALONE else symbol)
            mine = (hands.total == total) & (hands.soft == 0) & (bits & BITS[act] > 0) & (bits & BITS["hit"] > 0)
            mine &= (row != k.SPLIT) & (row != k.SURRENDER)
            row[mine] = ACTS[act] if count >= index else k.HIT
    early = {up: row.copy() for up, row in base.early.items()}
    for row in early.values():
        row[:] = np.where(row == k.EVEN_MONEY, row, k.INSURE if count >= INSURED_FROM else k.NOTHING)
    return StrategyTables(f"{base.name} at {count:+d}", rows, early)


def _split_from(
    rows: dict[tuple[int, int, int], Ints], held: RuleTables, hands: Lattice, symbol: int, up: int, *, split: bool
) -> None:
    """Split a pair that the chart keeps, or keep it; its hands are then played as others of their total."""
    pair = hands.child[hands.single[symbol], symbol]
    alone = rows[k.ALONE, 0, up]
    alone[pair] = k.SPLIT if split else k.STAND
    for variant, number in HANDS.items():
        if split and variant != k.ALONE and number <= held.most_hands(symbol):
            row = np.where(alone == k.SURRENDER, k.HIT, alone)
            row[pair] = k.SPLIT if number < held.most_hands(symbol) else k.STAND
            rows[variant, symbol, up] = row


# ---------------------------------------------------------------- the kernel


@inlined
def _index(running, left, parts):  # type: ignore[no-untyped-def]
    """The number of the count that decides, with so many cards still in the shoe."""
    return min(max(np.int64(np.floor(running / parts[left])) - LOW, 0), COUNTS - 1)


def kernel(tables: tuple[Table, ...], chunk: Chunk, counts: Ints) -> int:
    """Play the shoes, or sessions, of a chunk."""
    return play_chunk(play_counted, tables, chunk, counts)


@compiled
def play_counted(
    pack: Any,
    shape: Any,
    two: Any,
    child: Any,
    place: Any,
    choice: Any,
    alone: Any,
    split: Any,
    early: Any,
    offers: Any,
    dealer: Any,
    pay: Any,
    tags: Any,
    parts: Any,
    plays: Any,
    stakes: Any,
    grains: Any,
    following: Any,
    k0: Any,
    k1: Any,
    first: Any,
    count: Any,
    limit: Any,
    counts: Any,
) -> Any:
    """Play units in a row and count them by the count at which they were staked: how many rounds that were.

    Drawing a card is written out wherever one is drawn, as in `kernel.play_units`, and for its reason.
    """
    symbol_of, ends, totals, bust, length = k.SYMBOL, shape[ENDS], shape[TOTALS], shape[BUST], shape[SESSION]
    shoe = pack.copy()
    size = len(shoe)
    keys = np.array([k0, k1, np.uint64(0)], dtype=np.uint64)
    note = np.zeros(2, dtype=np.int64)
    session = np.zeros(5, dtype=np.int64)
    made = np.zeros(10, dtype=np.int64)
    several = np.max(plays) > 0
    rounds = 0
    unit = first - 1
    bet, gone = np.int64(0), False
    while rounds < limit:
        if length == 0 or unit < first or session[4] == length:
            if unit >= first and length > 0:
                sessions.close(session, counts, shape[SESSIONS_AT], shape[WIDTH])
            unit += 1
            if unit == first + count:
                break
            sessions.begin(session)
            bet, gone = np.int64(0), False
            keys[2] = first_word(unit)
        shoe[:] = pack
        mixed, counter = mix_up_to(shoe, shape[READY], shape[CUT], k0, k1, keys[2])
        note[k.MIXED], note[k.START], keys[2] = mixed, 0, counter
        at = shape[BURNED]
        running = np.float64(shape[RUNNING])
        while at < shape[CUT] and note[k.START] >= 0 and rounds < limit and (length == 0 or session[4] < length):
            rounds += 1
            note[k.START] = at
            staked = bet if shape[HISTORY] else _index(running, size - at, parts)

            if at >= mixed:
                at = k.more(shoe, at, note, keys)
                mixed = note[k.MIXED]
            one = np.int64(shoe[np.uint64(at)]) & symbol_of
            at += 1
            if at >= mixed:
                at = k.more(shoe, at, note, keys)
                mixed = note[k.MIXED]
            up = np.int64(shoe[np.uint64(at)]) & symbol_of
            at += 1
            if at >= mixed:
                at = k.more(shoe, at, note, keys)
                mixed = note[k.MIXED]
            other = np.int64(shoe[np.uint64(at)]) & symbol_of
            at += 1
            running += tags[one] + tags[up] + tags[other]
            hand = np.int64(two[one * k.SYMBOLS + other])
            play = plays[_index(running, size - at, parts)] if several else 0
            said = early[(play * k.SYMBOLS + up) * len(place) + hand]

            hole, second, looked = shape[HOLE] > 0, np.int64(0), False
            if hole:
                if at >= mixed:
                    at = k.more(shoe, at, note, keys)
                    mixed = note[k.MIXED]
                second = np.int64(shoe[np.uint64(at)]) & symbol_of
                at += 1
                looked = dealer[np.int64(dealer[up]) * k.SYMBOLS + second] == ends - 1
            unseen = 1 if hole else 0

            depends, parted, code, total = False, False, np.int64(0), np.int64(0)
            if hand == shape[NATURAL]:
                paid = offers[up] & 2 > 0 and said == k.EVEN_MONEY
                code = shape[EVEN_MONEY_AT] if paid else shape[NATURALS_AT] + up * ends
            elif looked:
                code = np.int64(place[hand]) * ends
            else:
                play = plays[_index(running, size - at + unseen, parts)] if several else 0
                act = choice[np.int64(alone[play * k.SYMBOLS + up]) + hand]
                if act == k.SPLIT:
                    parted = True
                    made[:] = 0
                    made[0], made[1] = one, bust
                    rows = split[play, up, one]
                    start = at
                    at = k.play_split(shoe, at, note, keys, two, child, place, choice, rows, made)
                    mixed = note[k.MIXED]
                    for seen in range(start, at):
                        running += tags[np.int64(shoe[seen]) & symbol_of]
                    depends = made[3] != 0
                elif act != k.SURRENDER:
                    doubled = act == k.DOUBLE
                    while act != k.STAND:
                        if at >= mixed:
                            at = k.more(shoe, at, note, keys)
                            mixed = note[k.MIXED]
                        card = np.int64(shoe[np.uint64(at)]) & symbol_of
                        at += 1
                        running += tags[card]
                        hand = np.int64(child[hand * k.SYMBOLS + card])
                        play = plays[_index(running, size - at + unseen, parts)] if several else 0
                        act = k.STAND if doubled else choice[np.int64(alone[play * k.SYMBOLS + up]) + hand]
                    total = np.int64(place[hand])
                    depends = total != bust
                    code = ((totals if doubled else 0) + total) * ends

            if not hole:
                if at >= mixed:
                    at = k.more(shoe, at, note, keys)
                    mixed = note[k.MIXED]
                second = np.int64(shoe[np.uint64(at)]) & symbol_of
                at += 1
            running += tags[second]
            end = np.int64(dealer[np.int64(dealer[up]) * k.SYMBOLS + second])
            if depends:
                while end >= ends:
                    if at >= mixed:
                        at = k.more(shoe, at, note, keys)
                        mixed = note[k.MIXED]
                    card = np.int64(shoe[np.uint64(at)]) & symbol_of
                    at += 1
                    running += tags[card]
                    end = np.int64(dealer[end * k.SYMBOLS + card])
            elif end != ends - 1:
                end = np.int64(0)

            code += end
            if parted:
                code = shape[SPLIT_AT] + k.split_bin(made, end, pay, ends, totals, shape[SPLIT_WIDTH])
            block = staked * shape[BLOCK]
            net, here = grains[code], 0 if gone else 1
            counts[block + code] += here
            if offers[up] & 1 > 0 and said == k.INSURE:
                code = shape[INSURANCE_AT] + 2 + offers[k.SYMBOLS + second]
                counts[block + code] += here
                net += grains[code]
            if not gone:
                sums = block + shape[BLOCK] - SUMS
                counts[sums] += 1
                counts[sums + 1] += net
                counts[sums + 2] += net * net
            if length > 0:
                sessions.after(session, 0 if gone else net * stakes[staked])
            if shape[HISTORY]:
                bet = following[3 * bet + (1 if net > 0 else 2 if net < 0 else 0)]
                won = session[0]
                gone = (shape[STOP] > 0 and won <= -shape[STOP]) or (shape[GOAL] > 0 and won >= shape[GOAL])
    if length > 0 and unit < first + count and unit >= first and session[4] == length:
        sessions.close(session, counts, shape[SESSIONS_AT], shape[WIDTH])
    return rounds


# ---------------------------------------------------------------- a table


def simulated(
    rules: BlackjackRules,
    base: StrategyTables,
    staking: Counting | BettorTable,
    *,
    behind: int,
    settings: SimulationSettings,
    exact: Callable[[], Mapping[tuple[str, str], Exact]],
) -> Simulated:
    """The simulation of a box that is staked by the count, or by what happened before."""
    if settings.wagers or settings.boxes != 1:
        raise ValueError("who stakes by a strategy plays one box: give neither boxes nor stakes")
    making = _Making(rules, terms(rules), (base,), cards_in_stack(rules) - behind, settings)
    counting, history = (staking, None) if isinstance(staking, Counting) else (Counting(SYSTEMS["hi_lo"]), staking)
    return _CountedTable(rules, making, counting, base, settings, history).simulated(exact, behind)


def bettor_of(given: object, settings: SimulationSettings) -> BettorTable:
    """A strategy of stakes by what happened before, on the main wager: it is told whether a round won or lost."""
    strategy = in_a_session(strategy_of(given, MAIN), settings.session)
    return tabulate_results(strategy, MAIN)


@dataclass(frozen=True, slots=True)
class _CountedTable:
    rules: BlackjackRules
    making: _Making
    counting: Counting
    base: StrategyTables
    settings: SimulationSettings
    history: BettorTable | None

    @property
    def stakes(self) -> Ints:
        if self.history is None:
            return self.counting.stakes()
        return np.array([each.get(MAIN, 0) for each in self.history.stakes], dtype=np.int64)

    @property
    def block(self) -> Block:
        return Block(self.making.held, sevens=False)

    @property
    def each(self) -> int:
        return self.block.size + SUMS

    def simulated(self, exact: Callable[[], Mapping[tuple[str, str], Exact]], behind: int) -> Simulated:
        grains, brings = grains_of(self.rules, self.block, {MAIN: 1})
        length, stakes = self.settings.session, self.stakes
        at = len(stakes) * self.each
        typical = float(stakes.max()) if self.history is None else self.history.typical_stake(CHANCES, length)
        width = sessions.width_for(grains, length, DEVIATION * typical) if length else 1
        program = self._program(brings, grains, width, at)
        figures = None
        if length:
            placed = np.repeat(stakes.astype(float), self.each)
            placed[np.arange(len(placed)) % self.each >= self.block.insurance] = 0.0
            figures = sessions.Bins(at, grains, width, length, placed)
        policy = self.base.name
        endings = main_endings(self.block)
        rows = [PlanRow(MAIN, n * self.each, endings, policy) for n in range(len(stakes))]
        if self.history is None:
            by_count = ((n * self.each, n + LOW) for n in range(COUNTS))
            rows += [PlanRow(MAIN, first, endings, f"at count {count:+d}", count) for first, count in by_count]
        notes: tuple[str, ...] = (
            f"{self.rules.decks.value.elected} decks, the cutting card {behind} from the back, whole shoes, one box",
            f"counted by {self.counting.name} ({self.counting.system.source or 'own'})",
            "a count is that before the cards of its round; below the entry a round is watched, not staked",
        )
        if self.history is not None:
            notes = (notes[0], "stakes are units of the main wager; what doubles and splits add is in the net")
        bettor = CountedBins(self.counting, self.history, self.base.name, self.block.size, self.each, grains)
        return Simulated(program, tuple(rows), exact, notes, {}, figures, bettor)

    def _program(self, brings: Ints, grains: int, width: int, at: int) -> Program:
        made_of, held = self.making, self.making.held
        hands, block = lattice_of(held), self.block
        plans, which = plays(self.base, held, self.counting)
        made = automaton(held, hands, plans)
        decks = self.rules.decks.value.elected
        length, cut = self.settings.session, made_of.cut
        shape = {
            "burned": int(self.rules.burn_card.value.elected),
            "cut": cut,
            "session": length,
            "width": width,
            "sessions_at": at,
            "natural": made.natural,
            "bust": held.bust,
            "ends": held.endings,
            "totals": block.totals,
            "naturals_at": block.naturals,
            "even_money_at": block.even_money,
            "split_at": block.split,
            "split_width": block.split_width,
            "insurance_at": block.insurance,
            "hole": int(present(self.rules.hole_card)),
            "block": self.each,
            "ready": 0,
            "running": DECK * self.counting.running(decks),
            "history": int(self.history is not None),
            "stop": 0,
            "goal": 0,
        }
        following = np.zeros(3, dtype=np.int64)
        if self.history is not None:
            strategy, following = self.history.strategy, self.history.following
            shape |= {"stop": strategy.stop_loss * grains, "goal": strategy.win_goal * grains}
        mean = length or cut / (2 * CARDS_A_HAND)
        pack = pack_of(self.rules)
        tables = (
            pack,
            np.array([shape[name] for name in SHAPE], dtype=np.int64),
            *(made.two, made.child, made.place, made.choice, made.alone, made.split, made.early),
            *(offers_of(made_of.rules, held), dealer_table(held, hands), held.pay.ravel()),
            *(DECK * tags_of(self.rules, self.counting), self.counting.parts(len(pack)), which),
            *(self.stakes, brings, following),
        )
        units = max(1, int(ROUNDS_A_CHUNK / mean))
        return Program(kernel, tables, at + (sessions.SIZE if length else 0), units, float(mean))


def tags_of(rules: BlackjackRules, counting: Counting) -> Ints:
    """The tag of each symbol; cards that count alike must have one tag."""
    tags = np.zeros(k.SYMBOLS, dtype=np.int64)
    for symbol, value in enumerate(symbols(rules)):
        mine = {counting.system.tags[each] for each in range(len(RANKS)) if points(rules, each) == value}
        if len(mine) > 1:
            raise ValueError(
                f"count {counting.system.name}: cards that count {value} have several tags, {sorted(mine)}"
            )
        tags[symbol] = mine.pop()
    return tags


# ---------------------------------------------------------------- what it came to


@dataclass(frozen=True, slots=True)
class CountedBins:
    """Reads what was staked and won, count by count or state by state."""

    counting: Counting = field(compare=False)
    history: BettorTable | None = field(compare=False)
    policy: str
    block: int
    each: int
    grains: int

    def results(self, counts: Ints, exact: Mapping[tuple[str, str], Exact]) -> Betting:
        many = COUNTS if self.history is None else len(self.history.stakes)
        sums = counts[: many * self.each].reshape(many, self.each)[:, self.block :].tolist()
        if self.history is None:
            return betting_by_count(self.counting, sums, self.grains, MAIN)
        stakes = [each.get(MAIN, 0) for each in self.history.stakes]
        betting = betting_by_stake(self.history.strategy.name, stakes, sums, self.grains, MAIN)
        return betting.beside(exact.get((MAIN, self.policy)))
