"""Slow paths of simulation that tests alone walk: what kernels count by a count or a history, played by the rules.

Each asks the game card by card, or throw by throw, on the very cards and dice of a unit of the kernel.  What a proof
walks as well is in the package: `simulation/twins`, `blackjack/twin.py` and `stud/twin.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice
from typing import Any

from msgspec.structs import replace as changed

from croupier.equipment import Card, rank
from croupier.exact.automaton import STAKE
from croupier.exact.blackjack.terms import terms
from croupier.game import NORMAL, AnyGame, CardSeen, Choose, Chosen, Deal, Refusal, Wager, granted
from croupier.game.kinds import wager_kind
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.play import turn
from croupier.games.blackjack.rules import MAIN, BlackjackRules
from croupier.games.caribbean_stud.rules import ANTE
from croupier.games.craps import CRAPS
from croupier.law.model import present
from croupier.law.ruleset import Ruleset
from croupier.round import BookLine, happen, open_round, place
from croupier.simulation.betting import RESULTS, BettingStrategy, Knowledge, asked, following
from croupier.simulation.blackjack import kernel as k
from croupier.simulation.blackjack.counted import plays
from croupier.simulation.blackjack.strategies import StrategyTables
from croupier.simulation.blackjack.tables import lattice_of
from croupier.simulation.blackjack.twin import StrategyPlayer, _net, _offered, variant_of
from croupier.simulation.count.systems import DECK, HIGH, LOW, Counting, CountSystem
from croupier.simulation.draws import tickets_of
from croupier.simulation.kernels import mixed as mixed_pack
from croupier.simulation.settled import net_of
from croupier.simulation.streams import first_word, keys_of
from croupier.simulation.stud.lookup import CARD_AT
from croupier.simulation.stud.tables import StudTable
from croupier.simulation.stud.twin import bets_by, played
from croupier.simulation.twins.throws import THROWS_A_WORD, numbers

# ---------------------------------------------------------------- by the count


def true_count(running: int, left: int, system: CountSystem, estimate: int = 1) -> int:
    """The count that decides, within the bounds; the slow path of what the kernels reckon."""
    judged = max(estimate, (left + estimate // 2) // estimate * estimate)
    count = running * DECK // (judged * system.scale) if system.true else running // system.scale
    return min(max(count, LOW), HIGH)


def players_by_count(rules: BlackjackRules, base: StrategyTables, counting: Counting) -> list[StrategyPlayer]:
    """Who plays at each count, from the lowest up."""
    held = terms(rules)
    plans, which = plays(base, held, counting)
    return [StrategyPlayer(rules, plans[number], lattice_of(held)) for number in which.tolist()]


def counted_slowly(
    rules: BlackjackRules, players: Sequence[StrategyPlayer], counting: Counting, shoe: Sequence[Card], *, cut: int
) -> Iterator[tuple[int, float]]:
    """Each round of a shoe through the game: the count at which it was staked, and what a unit brought."""
    running = counting.running(rules.decks.value.elected)
    at = int(rules.burn_card.value.elected)

    def player(left: int) -> StrategyPlayer:
        return players[true_count(running, left, counting.system, counting.estimate) - LOW]

    while at < cut:
        staked = true_count(running, len(shoe) - at, counting.system, counting.estimate)
        placed = granted(place(open_round(BLACKJACK, rules), (Wager(MAIN, 1_000, by="p1", box=1),)))
        this, asked, hidden = placed, False, 0
        fixed: StrategyPlayer | None = None
        while True:
            box = this.state.box(1)
            if not asked and this.state.dealer and len(box.hands[0].cards) == 2:
                asked, this = True, _offered([player(len(shoe) - at)], this)
            due = this.due
            if isinstance(due, Deal):
                hole = present(rules.hole_card) and due.to == "dealer" and len(this.state.dealer) == 1
                this, at = granted(happen(this, CardSeen(shoe[at]))), at + 1
                tag = counting.system.tags[rank(shoe[at - 1])]
                hidden, running = (tag, running) if hole else (hidden, running + tag)
            elif isinstance(due, Choose):
                now = turn(rules, this.state)
                assert now.box is not None
                assert now.hand is not None
                asks = fixed or player(len(shoe) - at + int(present(rules.hole_card)))
                word = asks.decide(this.state, now.box, now.hand)
                fixed = asks if word == "split" or variant_of(rules, now.box, now.hand) != k.ALONE else None
                this = granted(happen(this, Chosen(word)))
            else:
                break
        running += hidden
        yield staked, float(sum(_net(rules, entry) for entry in this.book) / 1_000)


def coups_slowly(
    game: AnyGame, rules: Any, counting: Counting, cards: Sequence[Card], *, burned: int, number: int
) -> Iterator[tuple[int, Mapping[str, object]]]:
    """So many coups of a shoe through the game: the count before each, and its outcome."""
    running = counting.running(rules.decks.value.elected) + counting.system.tags[rank(cards[0])]
    at = burned
    for _ in range(number):
        count = true_count(running, 52 * rules.decks.value.elected - at, counting.system, counting.estimate)
        state = game.begin(rules, NORMAL)
        while not game.at_rest(rules, state):
            after = granted(game.apply(rules, state, CardSeen(cards[at])))
            running, state, at = running + counting.system.tags[rank(cards[at])], after, at + 1
        yield count, game.outcome(rules, state)


# ---------------------------------------------------------------- craps by history


def bet_slowly(
    ruleset: Ruleset[Any], strategy: BettingStrategy, *, seed: int, unit: int, rounds: int
) -> Iterator[tuple[dict[str, int], Fraction]]:
    """A bettor by history asked between the throws of a unit: what was placed before each, and what it brought.

    After the last round, or once a stop is reached, nothing is placed; what still stands is thrown out.
    """
    rules, names = ruleset.rules, CRAPS.wagers(ruleset.rules)
    tickets = tickets_of(CRAPS, rules)
    dice = numbers(seed, unit, [len(tickets)] * THROWS_A_WORD)
    kinds = tuple(dict.fromkeys(wager_kind(name) for name in names))
    this, seen, won, gone = open_round(CRAPS, rules), Knowledge(), Fraction(0), False
    bet: dict[str, int] = {}
    waiting: dict[str, int] = {}
    brought = Fraction(0)
    for throw in count():
        if throw == rounds:
            list(islice(dice, -rounds % THROWS_A_WORD))
        if throw >= rounds and not this.standing:
            return
        placed: dict[str, int] = {}
        if throw < rounds and not gone:
            note = seen.note
            if not bet:
                point = this.state.point if this.state.point in rules.points.value else None
                answer, note = asked(strategy, replace(seen, point=point), (*names, *kinds))
                waiting = {each: n for word, n in answer.items() for each in names if wager_kind(each) == word}
                waiting |= {word: n for word, n in answer.items() if word in names}
                seen = seen if answer else replace(seen, note=note)
            for name, units in waiting.items():
                after = place(this, (Wager(name, units * STAKE, by="bettor"),))
                if not isinstance(after, Refusal):
                    this, placed[name] = after, units
            waiting = {name: units for name, units in waiting.items() if name not in placed}
            seen = replace(seen, note=note) if placed and not bet else seen
            bet |= placed
        fact = tickets[next(dice)]
        this = granted(happen(this, fact))
        done = [entry for entry in this.book if entry.resolution is not None]
        net = sum((_brought(entry) for entry in done), Fraction(0))
        kept = tuple(entry for entry in this.book if entry.resolution is None)
        this = changed(this, book=kept, start=kept)
        brought, won = brought + net, won + net
        over = bool(bet) and not this.standing
        total = str(sum(getattr(fact, "faces", ())))
        seen = following(strategy, seen, bet if over else {}, seen.note, total, brought)
        if over:
            bet, brought = {}, Fraction(0)
        gone = gone or bool(strategy.stop_loss and won <= -strategy.stop_loss)
        gone = gone or bool(strategy.win_goal and won >= strategy.win_goal)
        yield placed, net


def _brought(entry: BookLine) -> Fraction:
    assert entry.resolution is not None
    return net_of(entry.resolution, entry.wager) * Fraction(entry.wager.stake_cents, STAKE)


# ---------------------------------------------------------------- Caribbean stud by history


def rounds_of(table: StudTable, *, seed: int, unit: int) -> Iterator[tuple[str, dict[str, Fraction]]]:
    """The rounds of one of the kernel's units, played by the rules: whether each won, and what an ante brought.

    The kernel mixes, all else is plain; `betting.played` asks a strategy about them.
    """
    (k0, k1), counter = keys_of(seed), first_word(unit)
    bets = bets_by(table.plays[0])
    while True:
        mixed, counter = mixed_pack(table.program.tables[0], 5 * (len(table.plays) + 1), k0, k1, counter)
        (_, ended) = next(iter(played(table, CARD_AT[mixed].tolist(), [bets])))
        yield RESULTS[1 if ended.net > 0 else 2 if ended.net < 0 else 0], {ANTE: ended.net}
