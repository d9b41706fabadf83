"""The slow path: the same pack played card by card through `round.happen`, and a proof that both agree.

`played` tells what a round comes to from a pack in which every card lies where it lies; `counted` asks the kernel about
the same pack and turns its bins into the same words.  `disagreements` compares them over many random packs; some are
arranged so that flushes and full houses, which win the jackpot, are frequent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from croupier.equipment import CARDS, Card, rank, suit
from croupier.exact.caribbean_stud import StudPlay
from croupier.exact.caribbean_stud.endings import net_of
from croupier.game import CardSeen, Choose, Chosen, Deal, Sign, Wager, granted
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.play import face_up
from croupier.games.caribbean_stud.rules import ANTE, BET, FOLD, JACKPOT, StudRules
from croupier.round import AnyRound, BookLine, happen, open_round, place, settle
from croupier.simulation.plan import Chunk, Program, always, run_chunk
from croupier.simulation.streams import below, keys_of
from croupier.simulation.stud import kernel as k
from croupier.simulation.stud.lookup import place_of
from croupier.simulation.stud.tables import ALL_BOXES, StudTable

ANTE_CENTS: Final = 1_000
Bets: TypeAlias = Callable[[tuple[Card, ...], Card], bool]
"""Whether a hand bets against an up card."""


class StudWagerEnd(NamedTuple):
    """What a wager of a box came to: its net per unit, and the word and rule that tell it."""

    wager: str
    net: Fraction
    result: str = ""
    rule: str = ""


Tale: TypeAlias = Counter[tuple[str, StudWagerEnd]]
Words: TypeAlias = dict[int, tuple[str, StudWagerEnd]]


def played(table: StudTable, pack: Sequence[Card], strategies: Sequence[Bets]) -> Tale:
    """What a round comes to, the boxes playing by these strategies."""
    rules, tale = table.law, Counter[tuple[str, StudWagerEnd]]()
    this = _dealt(table, pack)
    up = face_up(rules, this.state)
    assert up is not None
    for box, bets in zip(this.state.boxes, strategies, strict=True):
        bet = bets(tuple(sorted(box.cards)), this.state.dealer[up.value])
        this = granted(happen(this, Chosen(BET if bet else FOLD, box=box.number)))
    for number, play in enumerate(table.plays, 1):
        mine = {entry.wager.on: entry for entry in this.book if entry.wager.box == number}
        tale[play.policy, _ante(rules, mine)] += 1
        if JACKPOT in mine:
            tale[JACKPOT, _jackpot(mine[JACKPOT])] += 1
    return tale


def _dealt(table: StudTable, pack: Sequence[Card]) -> AnyRound:
    """A round with every card dealt."""
    rules, numbers = table.law, range(1, len(table.plays) + 1)
    wagers = [Wager(ANTE, ANTE_CENTS, by=f"p{n}", box=n) for n in numbers]
    if table.jackpot_at >= 0 and table.stake_cents is not None:
        wagers += [Wager(JACKPOT, table.stake_cents, by=f"p{n}", box=n) for n in numbers]
    this = granted(place(open_round(CARIBBEAN_STUD, rules, sign=Sign(jackpot=table.pool_cents)), tuple(wagers)))
    cards = iter(pack)
    while isinstance(this.due, Deal):
        this = granted(happen(this, CardSeen(next(cards))))
    assert isinstance(this.due, Choose)
    return this


def _ante(rules: StudRules, mine: dict[str, BookLine]) -> StudWagerEnd:
    """Ante and bet together; the bet tells how it ended, unless it was folded or given back."""
    stakes = [mine[on] for on in (ANTE, BET) if on in mine]
    net = sum((_net(rules, entry) for entry in stakes), Fraction(0)) / ANTE_CENTS
    ante, last = stakes[0].resolution, stakes[-1].resolution
    assert ante is not None
    assert last is not None
    telling = ante if last.rule == rules.no_hand_bet.rule else last
    return StudWagerEnd(ANTE, net, telling.result if len(stakes) > 1 else "fold", telling.rule)


def _jackpot(entry: BookLine) -> StudWagerEnd:
    end = entry.resolution
    assert end is not None
    return StudWagerEnd(JACKPOT, net_of(end))


def _net(rules: StudRules, entry: BookLine) -> Fraction:
    money = settle(entry, CARIBBEAN_STUD.rounding(rules), 1)
    assert money.result != "open", entry
    return Fraction(money.net_cents(entry.wager.stake_cents))


# ---------------------------------------------------------------- the kernel


def counted(table: StudTable, pack: Sequence[Card], words: Words, program: Program | None = None) -> Tale:
    """What the kernel makes of the same pack."""
    program = program or table.program
    shape = program.tables[1].copy()
    shape[k.READY] = len(pack)
    places = np.array([place_of(card) for card in pack], dtype=np.uint8)
    tally = run_chunk(replace(program, tables=(places, shape, *program.tables[2:])), Chunk(0, 0, 1))
    tale: Tale = Counter()
    for at in np.flatnonzero(tally.counts).tolist():
        if at in words:
            tale[words[at]] += int(tally.counts[at])
    return tale


def words_of(table: StudTable) -> Words:
    """What each bin says, in the words of the play."""
    words: Words = {}
    for row in table.rows:
        for at, ending in enumerate(row.endings):
            if ending is not None and row.wager == JACKPOT:
                words[row.first + at] = (JACKPOT, StudWagerEnd(JACKPOT, ending.net))
            elif ending is not None and row.policy != ALL_BOXES:
                words[row.first + at] = (row.policy, StudWagerEnd(ANTE, ending.net, ending.result, ending.rule))
    return words


# ---------------------------------------------------------------- the proof


def disagreements(
    table: StudTable,
    strategies: Sequence[Bets],
    *,
    packs: int,
    seed: int = 1,
    goes_on: Callable[[int], bool] = always,
    program: Program | None = None,
) -> list[tuple[Card, ...]]:
    """The random packs on which kernel and play differ: none, if both are right."""
    words, found = words_of(table), []
    for number in range(packs):
        pack = random_pack(seed, number)
        if counted(table, pack, words, program) != played(table, pack, strategies):
            found.append(pack)
        if not goes_on(number + 1):
            break
    return found


def bets_by(play: StudPlay) -> Bets:
    """What a counted play does, looked up in the exact engine's own table rather than in the kernel's."""
    table = play.table
    rows = {tuple(hand): row for row, hand in enumerate(table.hands.tolist())}

    def bets(hand: tuple[Card, ...], up: Card) -> bool:
        shown, moved = table._counted(hand, up)
        return bool(int(table.bets[rows[shown]]) >> moved & 1)

    return bets


def random_pack(seed: int, number: int) -> tuple[Card, ...]:
    """A mixed pack; every second one is stacked so that cards of one suit, or of few ranks, come first."""
    k0, k1 = keys_of(seed)
    counter = np.uint64(number) << np.uint64(24)
    pack = list(range(CARDS))
    for at in range(CARDS - 1):
        other, counter = below(k0, k1, counter, CARDS - at)
        pack[at], pack[at + int(other)] = pack[at + int(other)], pack[at]
    if number % 4 == 1:
        pack.sort(key=lambda card: suit(card) > 1)
    elif number % 4 == 3:
        pack.sort(key=lambda card: rank(card) % 12 > 3)
    return tuple(pack)
