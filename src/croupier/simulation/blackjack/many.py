"""Many tables of blackjack side by side, for whoever decides outside the kernel.

Theory of operation.  Each table has a shoe of its own, mixed from the words of a unit that no other shoe has, and plays
one round after the other.  A step takes one action for each table: where it is open it is carried out, cards come until
the next choice is due or the round is over, and a round that is over begins the next.  So a step of any number of
tables is one compiled call.  What is open on a hand, what it pays and when the dealer stands are the tables of
`exact.blackjack.terms` and `hands`, which the game itself filled; nothing of the rules is here but their order, as in
`kernel`.  The slow path is `gym.environments.BlackjackEnv`: the same cards through `round.happen`.

A table is a row of numbers (`TABLE`), and a row for each box (`BOX`): the two cards, what was said to the dealer's ace,
the hands.  Split hands begin with one symbol, so that a hand that is split again draws a new second card and one more
waits, as in `kernel`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import CARDS
from croupier.exact.blackjack.lattice import Lattice
from croupier.exact.blackjack.policy import Policy
from croupier.exact.blackjack.terms import (
    BITS,
    GIVEN_UP,
    LATER,
    LATER_ALONE,
    ONLY,
    WORDS,
    RuleTables,
    symbols,
    terms,
)
from croupier.exact.blackjack.terms import FIRST as FIRST_HAND
from croupier.games.blackjack.layout import Box, Hand, points
from croupier.games.blackjack.play import why_not
from croupier.games.blackjack.rules import BlackjackRules
from croupier.games.blackjack.shoe import cards_in_stack
from croupier.kept.compiling import compiled
from croupier.law.model import present
from croupier.simulation.blackjack import kernel as k
from croupier.simulation.blackjack.hands import dealer_table
from croupier.simulation.blackjack.outcomes import insurance_endings
from croupier.simulation.blackjack.strategies import ACTS, from_policy
from croupier.simulation.blackjack.tables import check_carried, lattice_of, offers_of
from croupier.simulation.plan import Ints
from croupier.simulation.streams import first_word, keys_of, mix_up_to

ACTIONS: Final = (*ACTS, "insure", "even_money", "decline")
"""What a player may do: first as the kernel numbers it, then the answers to an offer."""
INSURE, EVEN_MONEY, DECLINE = range(len(ACTS), len(ACTS) + 3)

NOTHING_ASKED, OFFERED, DECIDES = range(3)
"""What is asked: nothing, any action ends the round; insurance or even money; a decision on a hand."""

SEEN: Final = ("asked", "box", "hand", "hands", "situation", "total", "soft", "cards", "pair", "up", "dealt")
"""What is seen of a table, before the cards of the hand and the cards that came out, each by what they count.

`hand` is its place in the order of play, `situation` which hand of its box it is as far as the best play looks (see
`kernel.VARIANTS`), `cards` is 3 for more than two, `dealt` the share of the shoe in hundredths.
"""

AT, START, UP, HOLE, ASKED, NOW, SHOES = range(7)
TABLE: Final = 7
"""Where the next card lies, where the round began (-1: the discards were taken up; both as `kernel` notes them), the
dealer's first card and hole card, what is asked, of which box, and how many shoes the table has had."""

FIRST, SECOND, SAID, HANDS, WHICH, AGAIN, KEPT, GAVE_UP, HAND = range(9)
BOX: Final = HAND + 3 * 4
"""Of a box: two cards, the answer to an offer, hands, the one in turn, whether the first was split again or kept its
pair, whether the box was given up; and for each hand its number in the lattice (-1: bust), cards, second, doubled."""
NUMBER, SIZE, OTHER, DOUBLED = range(4)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ManyTables:
    """The tables of a rule set, for so many boxes at each."""

    rules: BlackjackRules
    held: RuleTables
    hands: Lattice
    boxes: int
    pack: NDArray[np.uint8]
    symbol: Ints
    numbers: Ints
    dealer: NDArray[np.uint8]
    offers: Ints
    insurance: Floats

    @property
    def seen(self) -> int:
        """How many numbers are seen of a table."""
        return len(SEEN) + 2 * len(self.held.values)

    def refused(self, table: Ints, boxes: Ints, action: int) -> str:
        """The rule against an action that is not open at a table."""
        if table[ASKED] != DECIDES or action >= len(ACTS):
            return early_rule(self.rules, ACTIONS[action])
        box = boxes[int(table[NOW])]
        which = HAND + 4 * int(box[WHICH])
        held = [int(box[FIRST]), int(box[which + OTHER])]
        rest = self.hands.cards[box[which + NUMBER]].tolist()
        held += [symbol for symbol, many in enumerate(rest) for _ in range(many - held.count(symbol))]
        cards = tuple(self.rules.points.value.index(self.held.values[symbol]) for symbol in held)
        hands = tuple(Hand(n + 1, cards, split=box[HANDS] > 1) for n in range(int(box[HANDS])))
        return why_not(self.rules, Box(1, hands=hands), hands[0], ACTIONS[action])


def early_rule(rules: BlackjackRules, word: str) -> str:
    """The rule under which an offer is answered when it is made, and not later."""
    return rules.blackjacks.even_money.rule if word == "even_money" else rules.insurance.before_further_cards.rule


def many_tables(rules: BlackjackRules, boxes: int, *, cut: int) -> ManyTables:
    """The tables of the kernel; what they cannot hold is refused by its rule, in one line."""
    held = terms(rules)
    check_carried(rules, held)
    if rules.deal_from.value != "left":
        raise ValueError(f"a deal from the right is not played many at once ({rules.deal_from.rule})")
    order = symbols(rules)
    natural = lattice_of(held).child[lattice_of(held).single[held.natural[0]], held.natural[1]]
    numbers = [boxes, int(rules.burn_card.value.elected), cut, held.bust, held.endings, int(natural)]
    numbers += [int(present(rules.hole_card)), int(held.even_money_ending.net / held.unit)]
    part = rules.insurance.part.value
    return ManyTables(
        rules,
        held,
        lattice_of(held),
        boxes,
        np.tile(np.arange(CARDS, dtype=np.uint8), cards_in_stack(rules) // CARDS),
        np.array([order.index(points(rules, card)) for card in range(CARDS)], dtype=np.int64),
        np.array(numbers, dtype=np.int64),
        dealer_table(held, lattice_of(held)),
        offers_of(rules, held),
        np.array([float(end.net * part) for end in insurance_endings(rules)]),
    )


class TablesInPlay:
    """So many tables as they stand; an object because a step changes all of them."""

    def __init__(self, many: ManyTables, tables: int, seed: int) -> None:
        self.many, self.seed = many, seed
        self.table = np.zeros((tables, TABLE), dtype=np.int64)
        self.table[:, AT] = len(many.pack)
        self.box = np.zeros((tables, many.boxes, BOX), dtype=np.int64)
        self.shoe = np.tile(many.pack, (tables, 1))
        self.gone = np.zeros((tables, len(many.held.values)), dtype=np.int64)
        self.observed = np.zeros((tables, many.seen), dtype=np.int64)
        self.mask = np.zeros((tables, len(ACTIONS)), dtype=np.int8)
        self.final = np.zeros_like(self.observed)
        self.rewards, self.pending = np.zeros(tables), np.zeros(tables)
        self.over = np.zeros(tables, dtype=np.bool_)
        self.closed = np.zeros(tables, dtype=np.bool_)
        self.step(np.full(tables, -1, dtype=np.int64))

    def step(self, actions: Ints) -> None:
        """Carry out an action at each table; -1 begins a round.  What is not open marks the table as `closed`."""
        many, held, hands = self.many, self.many.held, self.many.hands
        compiled: Any = _step
        compiled(
            actions,
            (many.pack, many.symbol, *keys_of(self.seed)),
            (many.numbers, hands.child, hands.single, hands.total, hands.soft, held.two, held.more, many.dealer),
            (many.offers, many.insurance, held.pay, held.natural_pay, float(held.unit), self.pending),
            (hands.cards, hands.size, np.array(held.values), self.observed, self.mask),
            (self.table, self.box, self.shoe, self.gone),
            (self.final, self.rewards, self.over, self.closed),
        )

    def asked_alike(self, tables: Ints, actions: Ints) -> Ints:
        """A number for each of some tables: equal where the rule against an action is asked of the same hand."""
        box = self.box[tables, np.minimum(self.table[tables, NOW], self.many.boxes - 1)]
        rows, hand = np.arange(len(tables)), HAND + 4 * np.minimum(box[:, WHICH], 2)
        asked = (self.table[tables, ASKED] * len(ACTIONS) + actions[tables]) * 4 + box[:, HANDS]
        cards = (asked * k.SYMBOLS + box[:, FIRST]) * k.SYMBOLS + box[rows, hand + OTHER]
        found: Ints = cards * (len(self.many.hands.size) + 1) + box[rows, hand + NUMBER] + 1
        return found


class BestPlay:
    """The odds engine's best play over what is seen: one action for each table."""

    def __init__(self, policy: Policy, held: RuleTables, hands: Lattice) -> None:
        kinds = len(held.values)
        plan = from_policy(policy, held)
        self.acts = np.zeros((len(k.VARIANTS), kinds, kinds, len(hands.size)), dtype=np.int8)
        # A hand in a situation that the play never comes to is played as if it were alone.
        for up, bits in policy.alone.items():
            for bit, word in WORDS.items():
                self.acts[:, :, up, bits == bit] = ACTS[word]
        for (variant, symbol, up), row in plan.rows.items():
            self.acts[variant, slice(None) if variant == k.ALONE else symbol, up] = row
        self.even_money = np.zeros(kinds, dtype=np.bool_)
        self.even_money[list(policy.even_money)] = True
        self.values = np.array(held.values)

    def actions(self, play: TablesInPlay) -> Ints:
        """What the best play does now."""
        rows = np.arange(len(play.table))
        now = np.minimum(play.table[:, NOW], play.many.boxes - 1)
        box = play.box[rows, now]
        which = HAND + 4 * np.minimum(box[:, WHICH], 2)
        up, situation = play.table[:, UP], play.observed[:, SEEN.index("situation")]
        acts: Ints = self.acts[situation, box[:, FIRST], up, box[rows, which + NUMBER]].astype(np.int64)
        open_to = play.mask[rows, acts] > 0
        acts = np.where(open_to, acts, ACTS["hit"])
        paid = (play.mask[:, EVEN_MONEY] > 0) & self.even_money[up]
        offered = play.table[:, ASKED] == OFFERED
        return np.where(offered, np.where(paid, EVEN_MONEY, DECLINE), acts)


# ---------------------------------------------------------------- compiled

_BOXES, _BURNED, _CUT, _BUST, _ENDS, _NATURAL, _HOLE, _EVEN_MONEY = range(8)
_STANDS, _HITS, _DOUBLES, _SPLITS, _GIVES_UP = (BITS[word] for word in ACTS)
_ASKED, _BOX, _HAND, _HANDS, _SITUATION, _TOTAL, _SOFT, _CARDS, _PAIR, _UP, _DEALT = range(len(SEEN))
_COUNTS: Final = len(SEEN)
_MORE_WORDS: Final = 1 << 16
"""Where the words begin with which the discards of a shoe are mixed."""


@compiled
def _mixed(shoe: Any, done: Any, k0: Any, k1: Any, counter: Any) -> None:
    mix_up_to(shoe, done, len(shoe), k0, k1, counter)


@compiled
def _drawn(table: Any, shoe: Any, gone: Any, chance: Any, unit: Any) -> Any:
    """The next card by its symbol; where the shoe is empty the discards are mixed, and the round goes on."""
    _, symbol, k0, k1 = chance
    if table[AT] == len(shoe):
        table[AT] = k.take_up_discards(shoe, table)
        _mixed(shoe, table[AT], k0, k1, first_word(unit) + np.uint64(_MORE_WORDS))
        for kind in range(len(gone)):
            gone[kind] = 0
        for at in range(table[AT]):
            gone[symbol[shoe[at]]] += 1
        if table[HOLE] >= 0:
            gone[table[HOLE]] -= 1
    found = symbol[shoe[table[AT]]]
    table[AT] += 1
    gone[found] += 1
    return found


@compiled
def _begun(table: Any, box: Any, shoe: Any, gone: Any, chance: Any, rules: Any, offers: Any, unit: Any) -> None:
    """Deal the next round, from a new shoe where the cutting card has come out."""
    pack, _, k0, k1 = chance
    numbers, child, single = rules[0], rules[1], rules[2]
    if table[AT] >= numbers[_CUT] or table[START] < 0:
        for at in range(len(pack)):
            shoe[at] = pack[at]
        _mixed(shoe, 0, k0, k1, first_word(unit))
        table[SHOES] += 1
        table[AT] = numbers[_BURNED]
        for kind in range(len(gone)):
            gone[kind] = 0
    table[START], table[NOW], table[HOLE] = table[AT], 0, -1
    for at in range(len(box)):
        for field in range(BOX):
            box[at, field] = 0
        box[at, FIRST] = _drawn(table, shoe, gone, chance, unit)
    table[UP] = _drawn(table, shoe, gone, chance, unit)
    for at in range(len(box)):
        mine = box[at]
        mine[SECOND] = _drawn(table, shoe, gone, chance, unit)
        mine[HANDS] = 1
        mine[HAND + NUMBER] = child[single[mine[FIRST]], mine[SECOND]]
        mine[HAND + SIZE], mine[HAND + OTHER] = 2, mine[SECOND]
    table[ASKED] = OFFERED if offers[table[UP]] > 0 else DECIDES


@compiled
def _hand_over(mine: Any) -> None:
    """The hand in turn has ended."""
    if mine[WHICH] == 0:
        mine[KEPT] = mine[HANDS] > 1 and mine[HAND + OTHER] == mine[FIRST]
    mine[WHICH] += 1


@compiled
def _chosen(action: Any, table: Any, box: Any, shoe: Any, gone: Any, chance: Any, child: Any, unit: Any) -> None:
    """Carry out an action that is open."""
    mine = box[table[NOW]]
    hand = HAND + 4 * mine[WHICH]
    if table[ASKED] == OFFERED:
        mine[SAID] = action
        table[NOW] += 1
    elif action in (k.HIT, k.DOUBLE):
        card = _drawn(table, shoe, gone, chance, unit)
        mine[hand + NUMBER] = child[mine[hand + NUMBER], card]
        mine[hand + SIZE] += 1
        mine[hand + DOUBLED] = action == k.DOUBLE
    elif action == k.SPLIT:
        mine[AGAIN] = mine[HANDS] > 1 and mine[WHICH] == 0
        mine[HANDS] += 1
        mine[hand + SIZE] = 1
    else:
        mine[GAVE_UP] = action == k.SURRENDER
        _hand_over(mine)


@compiled
def _open_bits(mine: Any, two: Any, more: Any, total: Any, soft: Any) -> Any:
    """What is open on the hand in turn; nothing, where it has ended."""
    hand = HAND + 4 * mine[WHICH]
    number = mine[hand + NUMBER]
    if number < 0 or mine[hand + DOUBLED] > 0:
        return 0
    if mine[hand + SIZE] == 2:
        return two[mine[HANDS] - 1, mine[FIRST], mine[hand + OTHER]]
    return more[soft[number], total[number]]


@compiled
def _asks(table: Any, box: Any, shoe: Any, gone: Any, chance: Any, rules: Any, offers: Any, unit: Any) -> Any:
    """Let cards come until somebody must choose: whether anybody must."""
    numbers, child, single, total, soft, two, more, dealer = rules
    up, ends = table[UP], numbers[_ENDS]
    if table[ASKED] == OFFERED:
        while table[NOW] < len(box):
            has = box[table[NOW], HAND + NUMBER] == numbers[_NATURAL]
            if offers[up] & 1 > 0 or (offers[up] & 2 > 0 and has):
                return True
            table[NOW] += 1
        table[ASKED], table[NOW] = DECIDES, 0
    if numbers[_HOLE] > 0 and table[HOLE] < 0:
        table[HOLE] = _drawn(table, shoe, gone, chance, unit)
        gone[table[HOLE]] -= 1
    if table[HOLE] >= 0 and dealer[np.int64(dealer[up]) * k.SYMBOLS + table[HOLE]] == ends - 1:
        return False
    while table[NOW] < len(box):
        mine = box[table[NOW]]
        while mine[WHICH] < mine[HANDS]:
            hand = HAND + 4 * mine[WHICH]
            if mine[hand + SIZE] < 2:
                card = _drawn(table, shoe, gone, chance, unit)
                mine[hand + NUMBER] = child[single[mine[FIRST]], card]
                mine[hand + SIZE], mine[hand + OTHER] = 2, card
            if _open_bits(mine, two, more, total, soft) > 0:
                return True
            _hand_over(mine)
        table[NOW] += 1
    return False


@compiled
def _box_brings(mine: Any, end: Any, up: Any, pay: Any, natural_pay: Any, total: Any, numbers: Any) -> Any:
    """What the hands of a box bring, in units of the terms."""
    bust = numbers[_BUST]
    if mine[HANDS] == 1:
        number = mine[HAND + NUMBER]
        if number == numbers[_NATURAL]:
            return numbers[_EVEN_MONEY] if mine[SAID] == EVEN_MONEY else natural_pay[up, end]
        reached = bust if number < 0 else total[number]
        return pay[ONLY, mine[HAND + DOUBLED], GIVEN_UP if mine[GAVE_UP] else reached, end]
    brings, lives = 0, False
    for which in range(mine[HANDS]):
        number = mine[HAND + 4 * which + NUMBER]
        reached = bust if number < 0 else total[number]
        place = FIRST_HAND if which == 0 else (LATER if lives else LATER_ALONE)
        brings += pay[place, mine[HAND + 4 * which + DOUBLED], reached, end]
        lives |= reached != bust
    return brings


@compiled
def _settled(
    table: Any, box: Any, shoe: Any, gone: Any, chance: Any, rules: Any, payments: Any, unit: Any
) -> Any:  # fmt: skip
    """The dealer's cards, and what the round brings: a second card always, more only where a hand depends on them."""
    numbers, total, dealer = rules[0], rules[3], rules[7]
    offers, insurance, pay, natural_pay, each, _ = payments
    up, ends, second = table[UP], numbers[_ENDS], table[HOLE]
    if second < 0:
        second = _drawn(table, shoe, gone, chance, unit)
    else:
        gone[second] += 1
        table[HOLE] = -1
    depends = False
    for at in range(len(box)):
        mine = box[at]
        alone = mine[HANDS] == 1
        for which in range(mine[HANDS]):
            number = mine[HAND + 4 * which + NUMBER]
            depends |= number >= 0 and not (alone and (mine[GAVE_UP] > 0 or number == numbers[_NATURAL]))
    end = np.int64(dealer[np.int64(dealer[up]) * k.SYMBOLS + second])
    while depends and end >= ends:
        end = np.int64(dealer[end * k.SYMBOLS + _drawn(table, shoe, gone, chance, unit)])
    if end >= ends or (not depends and end != ends - 1):
        end = np.int64(0)
    brought = 0.0
    for at in range(len(box)):
        brought += each * _box_brings(box[at], end, up, pay, natural_pay, total, numbers)
        if box[at, SAID] == INSURE:
            brought += insurance[offers[k.SYMBOLS + second]]
    return brought


@compiled
def _situation(mine: Any) -> Any:
    hands, which = mine[HANDS], mine[WHICH]
    if hands == 1:
        return k.ALONE
    if which == 0:
        return k.FIRST_OF_TWO if hands == 2 else k.FIRST_OF_THREE
    if hands == 2:
        return k.KEPT if mine[KEPT] else k.SECOND
    if mine[AGAIN]:
        return k.LATER_OF_THREE
    return k.AFTER_KEPT if mine[KEPT] else k.AFTER_SECOND


@compiled
def _look(
    seen: Any, open_to: Any, table: Any, box: Any, shoe: Any, gone: Any, rules: Any, sight: Any, offers: Any
) -> None:
    """What is seen of a table, and what is open there."""
    numbers, _, _, total, soft, two, more, _ = rules
    cards, size, values, _, _ = sight
    kinds = len(values)
    for place in range(_COUNTS):
        seen[place] = 0
    seen[_ASKED], seen[_UP], seen[_DEALT] = table[ASKED], values[table[UP]], 100 * table[AT] // len(shoe)
    for kind in range(kinds):
        seen[_COUNTS + kind] = 0
        seen[_COUNTS + kinds + kind] = gone[kind]
    for action in range(len(open_to)):
        open_to[action] = table[ASKED] == NOTHING_ASKED
    if table[ASKED] == NOTHING_ASKED:
        return
    mine = box[table[NOW]]
    number = mine[HAND + 4 * mine[WHICH] + NUMBER]
    seen[_BOX], seen[_HAND], seen[_HANDS] = table[NOW] + 1, mine[WHICH] + 1, mine[HANDS]
    seen[_SITUATION], seen[_TOTAL], seen[_SOFT] = _situation(mine), total[number], soft[number]
    seen[_CARDS], seen[_PAIR] = min(size[number], 3), size[number] == 2 and cards[number, mine[FIRST]] == 2
    for kind in range(kinds):
        seen[_COUNTS + kind] = cards[number, kind]
    if table[ASKED] == OFFERED:
        open_to[INSURE], open_to[DECLINE] = offers[table[UP]] & 1, 1
        open_to[EVEN_MONEY] = offers[table[UP]] & 2 > 0 and number == numbers[_NATURAL]
        return
    bits = _open_bits(mine, two, more, total, soft)
    open_to[k.STAND], open_to[k.HIT], open_to[k.DOUBLE] = bits & _STANDS > 0, bits & _HITS > 0, bits & _DOUBLES > 0
    open_to[k.SPLIT], open_to[k.SURRENDER] = bits & _SPLITS > 0, bits & _GIVES_UP > 0


@compiled
def _step(actions: Any, chance: Any, rules: Any, payments: Any, sight: Any, state: Any, ends: Any) -> None:
    """One action at each table, as `TablesInPlay.step` says."""
    tables, boxes, shoes, all_gone = state
    final, rewards, over, closed = ends
    offers, pending, observed, mask = payments[0], payments[5], sight[3], sight[4]
    for n in range(len(tables)):
        table, box, shoe, gone, action = tables[n], boxes[n], shoes[n], all_gone[n], actions[n]
        unit = table[SHOES] * len(tables) + n
        rewards[n], over[n] = 0.0, False
        closed[n] = action >= 0 and mask[n, action] == 0
        if closed[n]:
            continue
        if action >= 0 and table[ASKED] != NOTHING_ASKED:
            _chosen(action, table, box, shoe, gone, chance, rules[1], unit)
            if not _asks(table, box, shoe, gone, chance, rules, offers, unit):
                pending[n] = _settled(table, box, shoe, gone, chance, rules, payments, unit)
                table[ASKED] = NOTHING_ASKED
        if action < 0 or table[ASKED] == NOTHING_ASKED:
            if action >= 0:
                rewards[n], over[n] = pending[n], True
                _look(final[n], mask[n], table, box, shoe, gone, rules, sight, offers)
            _begun(table, box, shoe, gone, chance, rules, offers, unit)
            unit = table[SHOES] * len(tables) + n
            if not _asks(table, box, shoe, gone, chance, rules, offers, unit):
                pending[n] = _settled(table, box, shoe, gone, chance, rules, payments, unit)
                table[ASKED] = NOTHING_ASKED
        _look(observed[n], mask[n], table, box, shoe, gone, rules, sight, offers)
