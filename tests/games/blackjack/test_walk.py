"""Blackjack walked at random and exhaustively: nothing breaks, money is kept, views are honest, the law is covered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import CARDS, rank
from croupier.game import (
    NO_SIGN,
    BallFell,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    Fact,
    Irregular,
    Over,
    Performed,
    Plain,
    Refusal,
    Sign,
    Wager,
    Won,
)
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.irregular import CIRCUMSTANCES
from croupier.games.blackjack.layout import Layout
from croupier.games.blackjack.play import turn
from croupier.games.blackjack.rules import BlackjackRules
from croupier.law.inventory import actionable, exists
from croupier.law.inventory import rules as rows
from croupier.law.model import laws_in
from croupier.round import AnyRound, BookLine, happen, open_round, place, settle
from tests.games.blackjack.test_cases import bets, rules, tell

BOOKS = (
    "main 10",
    "main 10, super_sevens 5",
    "main 10 by a, main 6 by b",
    "main 10 by a, main 6 by b, main 4 by c, super_sevens 2 by b",
    "main 10, main 20 box 2, super_sevens 5 box 2",
    "main 10 by a, main 10 by b box 4, main 3 by a box 4",
)
READINGS = ("first_hand", "busted_plus_one", "original_only")
NAMES = ("", "a", "b", "c", "nobody")
WORDS = ("stand", "hit", "double", "split", "ride", "insure", "even_money", "refuse", "void", "complete", "fold")
ORDERS = ("void round", "void hand", "take back", "pass over", "found missing", "expose", "afterwards", "cutting card")
PLACES = ("", "dealer", "box 1", "box 2", "box 1 hand 2", "box 9", "4")

any_card = st.integers(0, CARDS - 1)
# Aces, sevens, eights and tens are where the rules branch.
likely_card = st.one_of(any_card, st.sampled_from([0, 6, 7, 9, 12, 13, 19, 20, 45, 46, 48]))
numbers = st.integers(0, 4)
noise: st.SearchStrategy[Fact] = st.one_of(
    st.builds(CardSeen, any_card),
    st.builds(Chosen, st.sampled_from(WORDS), st.sampled_from(NAMES), numbers, numbers, st.integers(0, 2000)),
    st.builds(Called, st.just("take"), st.sampled_from(NAMES), st.sampled_from(("main", "super_sevens", "double"))),
    st.builds(
        Irregular,
        st.sampled_from((*CIRCUMSTANCES, "earthquake")),
        card=st.none() | any_card,
        to=st.sampled_from(PLACES),
        disclosed=st.booleans(),
        found=st.lists(any_card, max_size=3).map(tuple),
        call=st.sampled_from(("", "unnoticed", "void")),
    ),
    st.builds(Performed, st.sampled_from(ORDERS), st.just("dealer"), st.sampled_from((*PLACES, 5, 99))),
    st.builds(BallFell, st.integers(0, 36)),
)


@st.composite
def answers(draw: st.DrawFn, this: AnyRound) -> Fact:
    """Something that the rules ask for in this position."""
    now = turn(this.rules, this.state)
    match now.due:
        case Choose(options=options):
            option = draw(st.sampled_from(options))
            assert now.box is not None
            hand = draw(st.sampled_from([each.number for each in now.box.parted])) if option == "ride" else 0
            return Chosen(option, hand=hand)
        case _:
            return CardSeen(this.state.exposed if this.state.exposed is not None else draw(likely_card))


@dataclass
class Walk:
    """A round walked to its end, the facts that were allowed, and how often each line was decided."""

    this: AnyRound
    facts: list[Fact] = field(default_factory=list)

    def step(self, fact: Fact) -> None:
        before = self.this
        after = happen(before, fact)
        if isinstance(after, Refusal):
            assert exists(after.rule), after
            assert after.reason
            assert self.this is before
            return
        undone = isinstance(fact, Irregular)
        for old, new in zip(before.book, after.book, strict=False):
            assert undone or old.resolution is None or old == new, "a decided wager was decided again"
        self.facts.append(fact)
        self.this = after


def opened(book: str, reading: str, sign: Sign = NO_SIGN) -> AnyRound:
    this = place(open_round(BLACKJACK, rules(dealer_blackjack=reading), sign=sign), bets(book))
    assert not isinstance(this, Refusal)
    return this


def money_is_kept(entry: BookLine, sign: Sign) -> None:
    """What goes back is between nothing and the stake with its winnings; what is not won goes back or stays whole."""
    wager, money = entry.wager, settle(entry, BLACKJACK.rounding(rules()), sign.chip)
    placed = wager.stake_cents + wager.voided_cents
    most = money.pays_cents + placed
    assert 0 <= money.returned_cents <= most
    if isinstance(entry.resolution, Won):
        assert money.returned_cents == most
    elif money.result == "lost":
        assert (money.pays_cents, money.returned_cents) == (0, wager.voided_cents)
    else:
        assert (money.pays_cents, money.returned_cents) == (0, placed)


@settings(max_examples=80, deadline=None)
@given(data=st.data(), book=st.sampled_from(BOOKS), reading=st.sampled_from(READINGS))
def test_random_rounds_end_with_every_wager_decided_once(data: st.DataObject, book: str, reading: str) -> None:
    sign = data.draw(st.sampled_from((NO_SIGN, Sign(minimum=200, chip=100), Sign(maximum=800))))
    walk = Walk(opened(book, reading, sign))
    for _ in range(120):
        if isinstance(walk.this.due, Over):
            break
        walk.step(data.draw(noise if data.draw(st.integers(0, 3)) == 0 else answers(walk.this)))
    while not isinstance(walk.this.due, Over):
        walk.step(data.draw(answers(walk.this)))
    assert walk.this.over, [entry for entry in walk.this.book if entry.resolution is None]
    for entry in walk.this.book:
        money_is_kept(entry, sign)
    again = opened(book, reading, sign)
    for fact in walk.facts:
        after = happen(again, fact)
        assert not isinstance(after, Refusal)
        again = after
    assert again == walk.this


@settings(max_examples=50, deadline=None)
@given(data=st.data(), book=st.sampled_from(BOOKS))
def test_cards_of_equal_value_make_equal_views(data: st.DataObject, book: str) -> None:
    """Two rounds with the same symbols: the same demands, the same views, the same end for all but Super Sevens."""
    one, other = opened(book, "first_hand"), opened(book, "first_hand")
    for _ in range(80):
        law, due = one.rules, one.due
        assert due == other.due
        assert BLACKJACK.view(law, one.state) == BLACKJACK.view(law, other.state)
        if isinstance(due, Over):
            break
        fact = data.draw(answers(one))
        alike = data.draw(_alike(fact))
        after = happen(one, fact), happen(other, alike)
        assert not any(isinstance(each, Refusal) for each in after)
        one, other = after  # type: ignore[assignment]
    ends = [[entry.resolution for entry in this.book if entry.wager.on != "super_sevens"] for this in (one, other)]
    assert ends[0] == ends[1]


def _alike(fact: Fact) -> st.SearchStrategy[Fact]:
    if not isinstance(fact, CardSeen):
        return st.just(fact)
    symbol = BLACKJACK.symbol(rules(), fact.card)
    return st.sampled_from([CardSeen(card) for card in range(CARDS) if BLACKJACK.symbol(rules(), card) == symbol])


# ---------------------------------------------------------------- every position with few cards

FEW = (0, 1, 4, 7, 9, 12)
"""An ace, a two, a five, an eight, a ten and a king: enough for every branch."""


def moves(due: Demand) -> tuple[Plain, ...]:
    match due:
        case Deal():
            return tuple(CardSeen(card) for card in FEW)
        case Choose(options=options):
            return tuple(Chosen(option) for option in options)
        case _:
            return ()


Seen = dict[object, tuple[Demand, dict[object, object]]]


@pytest.mark.parametrize(("facts", "most"), [("", 5), ("8 5 8 split", 5), ("8 A 8 split 8 split K", 4), ("10 2 2", 5)])
def test_positions_with_equal_views_behave_alike(facts: str, most: int) -> None:
    """Each view is asked for what is due and where each symbol or choice leads; the answers must not differ."""
    this = tell(opened("main 1", "first_hand"), facts)
    law, seen, positions = this.rules, Seen(), 0
    for state in _positions(law, this.state, most):
        positions += 1
        found = (BLACKJACK.demand(law, state), _leads_to(law, state, Wager("main", 100)))
        assert seen.setdefault(BLACKJACK.view(law, state), found) == found
    assert positions > len(seen) > 50


def _positions(law: BlackjackRules, start: Layout, most: int) -> Iterator[Layout]:
    """Positions up to so many facts from the start, each exactly once."""
    todo, met = [(start, 0)], {start}
    while todo:
        state, depth = todo.pop()
        yield state
        for fact in moves(BLACKJACK.demand(law, state)) if depth < most else ():
            after = BLACKJACK.apply(law, state, fact)
            assert not isinstance(after, Refusal)
            if after not in met:
                met.add(after)
                todo.append((after, depth + 1))


def _leads_to(law: BlackjackRules, state: Layout, wager: Wager) -> dict[object, object]:
    found: dict[object, object] = {}
    for fact in moves(BLACKJACK.demand(law, state)):
        after = BLACKJACK.apply(law, state, fact)
        assert not isinstance(after, Refusal)
        key = BLACKJACK.symbol(law, fact.card) if isinstance(fact, CardSeen) else fact
        leads = (BLACKJACK.view(law, after), BLACKJACK.judge(law, wager, state, fact, after))
        assert found.setdefault(key, leads) == leads
    return found


def test_a_symbol_is_what_a_card_counts() -> None:
    for card in range(CARDS):
        assert BLACKJACK.symbol(rules(), card) == (11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)[rank(card)]


# ---------------------------------------------------------------- the law


def test_every_rule_of_division_ii_that_software_owes_is_cited() -> None:
    cited = {rule for _, law in laws_in(rules()) for rule in law.rules}
    assert all(exists(rule) for rule in cited)
    owed = {row.id for row in rows("nz1996") if row.id.startswith("NZ1996-II-") and actionable(row)}
    assert owed <= cited


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_without_noise_is_told_without_names_of_strangers(book: str) -> None:
    """Every choice is asked of somebody with a wager on the box, or of the box itself."""
    this = opened(book, "first_hand")
    names = {wager.by for wager in bets(book)} - {""}
    for card in (7, 20, 33, 6, 19, 7, 20, 33):
        due = this.due
        if isinstance(due, Choose):
            assert due.by in names or due.by.startswith("box ")
        after = happen(this, Chosen(due.options[-1], hand=1) if isinstance(due, Choose) else CardSeen(card))
        assert not isinstance(after, Refusal)
        this = after
