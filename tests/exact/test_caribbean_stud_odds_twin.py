"""The engine of Caribbean stud against its slow paths: the law of hands, plain play, and every hand of the dealer's."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest

from croupier.equipment import CARDS, Card, Counts, parse_card, rank, suit
from croupier.exact.automaton import STAKE
from croupier.exact.caribbean_stud import Strategy, caribbean_stud_sheet, outlook, play
from croupier.exact.caribbean_stud.counting import against
from croupier.exact.caribbean_stud.endings import Stakes, endings, whole_pays
from croupier.exact.caribbean_stud.patterns import deck_of, patterns, qualifying
from croupier.exact.caribbean_stud.strategies import Choose
from croupier.exact.caribbean_stud.without import edges_without
from croupier.game import CardSeen, Chosen, Resolution, Sign, Wager, Won
from croupier.games.caribbean_stud.hands import value
from croupier.games.caribbean_stud.play import face_up
from croupier.games.caribbean_stud.rules import StudRules
from croupier.money import to
from croupier.round import AnyRound, happen
from tests.exact.test_caribbean_stud_odds import POOL, WITHOUT_AN_ACE, best, cards_of, paying
from tests.games.caribbean_stud.test_play import granted, jackpot, money, packets, start, stud


def card_counts(cards: Iterable[Card]) -> Counts:
    """The 52 counts of a heap of cards."""
    counted = Counter(cards)
    return tuple(counted[card] for card in range(CARDS))


# ---------------------------------------------------------------- the ranking


def test_the_fast_ranking_is_the_law_of_hands_on_all_hands() -> None:
    ranking = stud().ranking
    known = patterns(ranking)
    deck = deck_of(known, (1,) * 52)
    assert len(deck.hands) == 2_598_960
    for start_at in range(0, len(deck.hands), 1 << 18):
        hands = deck.cards[deck.hands[start_at : start_at + (1 << 18)]].tolist()
        numbers = deck.values[start_at : start_at + (1 << 18)].tolist()
        assert all(value(ranking, hand) == known.values[n] for hand, n in zip(hands, numbers, strict=True))
    assert list(known.values) == sorted(known.values)
    assert len(known.values) == 7_462


def test_hands_that_differ_by_suits_alone_are_one_class() -> None:
    assert set(best().table.weights.tolist()) == {4, 12, 24}
    cards = tuple(card for card in range(52) if rank(card) in (0, 5, 9, 12) or card in (1, 15))
    deck = deck_of(patterns(stud().ranking), card_counts(cards))
    assert deck.alike.tolist() == [0, 1, 2, 2]
    exchanged = Counter(min(hand, _exchanged(hand)) for hand in combinations(sorted(cards), 5))
    sizes = deck.weights[deck.rows].tolist()
    assert sorted(sizes) == sorted(exchanged.values())
    assert {min(tuple(hand), _exchanged(tuple(hand))) for hand in deck.counted.tolist()} == set(exchanged)


def _exchanged(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Hearts and spades change places."""
    return tuple(sorted(card + {2: 13, 3: -13}.get(suit(card), 0) for card in hand))


# ---------------------------------------------------------------- the engine against plain play


@dataclass
class Plain:
    """Every deal of a few cards, played out through the game itself with both choices: the slow path."""

    deals: int = 0
    bet: dict[tuple[tuple[Card, ...], Card], Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    fold: dict[tuple[tuple[Card, ...], Card], Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    jackpots: dict[tuple[tuple[Card, ...], Card], Counter[Resolution | None]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    folded_jackpots: Counter[Resolution | None] = field(default_factory=Counter)


def plain(rules: StudRules, cards: tuple[Card, ...]) -> Plain:
    found = Plain()
    for hand in combinations(sorted(cards), 5):
        this = start(rules, Wager("ante", STAKE), jackpot(), sign=Sign(jackpot=POOL))
        for card in hand:
            this = granted(happen(this, CardSeen(card)))
        rest = [card for card in sorted(cards) if card not in hand]
        for dealer in combinations(rest, 5):
            for up in dealer:
                found.deals += 1
                dealt = _dealt(this, (up, *(card for card in dealer if card != up)))
                bet, fold = (granted(happen(dealt, Chosen(option))) for option in ("bet", "fold"))
                found.bet[hand, up] += _net(bet)
                found.fold[hand, up] += _net(fold)
                found.jackpots[hand, up][bet.book[1].resolution] += 1
                found.folded_jackpots[fold.book[1].resolution] += 1
    return found


def _dealt(this: AnyRound, dealer: tuple[Card, ...]) -> AnyRound:
    """The dealer's cards, of which the first is the one that lies face up."""
    for card in dealer:
        this = granted(happen(this, CardSeen(card)))
    shown = face_up(this.rules, this.state)
    assert shown is not None
    assert this.state.dealer[shown.value] == dealer[0]
    return this


def _net(this: AnyRound) -> Fraction:
    """What ante and bet came to, in antes."""
    assert this.over
    lines = [(entry, line) for entry, line in zip(this.book, money(this), strict=True) if entry.wager.on != "jackpot"]
    net = sum(line.net_cents(entry.wager.stake_cents) for entry, line in lines)
    return Fraction(net, this.book[0].wager.stake_cents)


SMALL = {
    "two royal flushes": "Ah Kh Qh Jh 10h As Ks Qs Js 10s",
    "aces and kings": "Ac Ad Ah As Kc Kd Kh 9c 9d 2s",
    "odd cards": "Ac Kd Qh 9s 7c 5d 4h 3s 2c Jd",
    "eleven": "Ah Kh Qd Js 9c 9d 5h 4s 3s 2c Ac",
    "eleven of two suits": "2c 3c 4c 5c 6c 2d 3d 4d 5d 6d Ks",
}


def small(name: str) -> tuple[int, ...]:
    return card_counts(cards_of(SMALL[name]))


@cache
def played(name: str) -> Plain:
    return plain(packets(), cards_of(SMALL[name]))


@pytest.mark.parametrize("name", SMALL)
def test_small_decks_equal_plain_play(name: str) -> None:
    slow, this = played(name), play(packets(), deck=small(name))
    betting = {seen for seen, net in slow.bet.items() if net > slow.fold[seen]}
    assert this.deals == slow.deals
    assert this.net == sum(max(net, slow.fold[seen]) for seen, net in slow.bet.items())
    assert {seen for seen in slow.bet if this.table.bets_on(*seen)} == betting
    assert this.bet_frequency == Fraction(len(betting), len(slow.bet))


@pytest.mark.parametrize("name", SMALL)
def test_small_decks_pay_the_jackpot_as_plain_play_does(name: str) -> None:
    slow, deck = played(name), small(name)
    made = caribbean_stud_sheet(packets(), deck=deck, pool_cents=POOL, stake_cents=200)
    row, bets = made.row("jackpot"), made.play.table.bets_on
    ends: Counter[Resolution | None] = Counter()
    (folded,) = slow.folded_jackpots
    for seen, found in slow.jackpots.items():
        ends += found if bets(*seen) else Counter({folded: sum(found.values())})
    assert row.win == Fraction(sum(n for how, n in ends.items() if isinstance(how, Won)), slow.deals)
    assert {(pay.result, pay.odds, pay.rule): pay.probability for pay in row.pays} == {
        (how.result, str(how.odds) if isinstance(how, Won) else "", how.rule): Fraction(n, slow.deals)
        for how, n in ends.items()
        if how is not None
    }


WRITTEN: Mapping[str, Choose] = {
    "always": lambda _hand, _up: True,
    "in words": lambda _hand, up: "bet" if rank(up) % 2 else "fold",
    "a rank": lambda hand, up: rank(up) in map(rank, hand),
    "a suit of the hand": lambda hand, up: suit(up) in map(suit, hand),
    "one suit": lambda _hand, up: suit(up) == 2,
    "one card": lambda hand, _up: parse_card("Ah") in hand,
    "numpy": lambda hand, up: np.bool_(np.array(hand).sum() > 3 * up),
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("name", ["two royal flushes", "eleven of two suits"])
def test_any_function_of_the_cards_is_counted_exactly(name: str, written: str) -> None:
    """Both decks have suits that can be exchanged, and some of the functions tell them apart."""
    slow, choose = played(name), WRITTEN[written]
    this = play(packets(), choose, deck=small(name))
    betting = {seen for seen in slow.bet if choose(*seen) in (True, "bet")}
    assert this.net == sum(slow.bet[seen] if seen in betting else slow.fold[seen] for seen in slow.bet)
    assert this.bet_frequency == Fraction(len(betting), len(slow.bet))


def test_an_exception_for_one_deal_is_seen_where_every_card_is_asked_about() -> None:
    slow, deck = played("two royal flushes"), small("two royal flushes")
    one = next(iter(slow.bet))
    this = play(packets(), Strategy("one deal", lambda hand, up: (hand, up) == one, sees="cards"), deck=deck)
    assert this.bet_frequency == Fraction(1, len(slow.bet))
    assert this.net == slow.bet[one] + sum(net for seen, net in slow.fold.items() if seen != one)


def bigger_decks() -> Iterator[tuple[Card, ...]]:
    random = Random(8)
    for size in (13, 14, 16):
        yield tuple(random.sample(range(52), size))
    yield tuple(card for card in range(52) if rank(card) in (0, 12, 11, 4))


@pytest.mark.parametrize("cards", list(bigger_decks()), ids=len)
def test_bigger_decks_equal_going_through_every_hand_of_the_dealer(cards: tuple[Card, ...]) -> None:
    rules, counts = stud(), card_counts(cards)
    known = patterns(rules.ranking)
    deck = deck_of(known, counts)
    found = endings(rules, known, Stakes())
    pays, parts = whole_pays(found, 10, dealers=1)
    assert parts == 1
    dealer_of = np.where(qualifying(known, rules.qualifies.value)[known.value_of], known.value_of, np.int16(-1))
    net = bets = 0
    for places, number in zip(deck.hands, deck.values, strict=True):
        kind = int(known.classes[number])
        for up in range(deck.size):
            if up in places:
                continue
            ends = against(places, up, deck.cards % 13, deck.cards // 13, dealer_of, int(number))
            bet, fold = int((ends * pays[kind]).sum()), int(ends.sum() * pays[kind, 0])
            net += max(bet, fold)
            bets += int(ends.sum()) if bet > fold else 0
    this = play(rules, deck=counts)
    assert this.net == net
    assert this.bet_deals == bets


@cache
def some_deals() -> list[tuple[tuple[Card, ...], Card]]:
    """Deals of a full deck, many of them with ace and king, where the decision is near."""
    random, found = Random(3), []
    for _ in range(60):
        *hand, up = random.sample(range(52), 6)
        found.append((tuple(hand), up))
    while len(found) < 120:
        *hand, up = random.sample(range(52), 6)
        if {0, 12} <= set(map(rank, hand)) and len(set(map(rank, hand))) == 5:
            found.append((tuple(hand), up))
    return found


def test_decisions_of_a_full_deck_equal_going_through_every_hand_of_the_dealer() -> None:
    chosen: Counter[bool] = Counter()
    for hand, up in some_deals():
        this = outlook(stud(), hand, up)
        assert this.no_hand + this.higher + this.equal + this.lower == 163_185
        assert best().table.bets_on(hand, up) == (this.bet > this.fold)
        chosen[this.bet > this.fold] += 1
    assert min(chosen.values()) > 20


def test_one_decision_equals_the_law_of_hands() -> None:
    """Once in plain Python, with the game's own comparison of hands."""
    rules, hand, up = stud(), cards_of("Ah Kc Qd 4s 2c"), parse_card("3d")
    rest = [card for card in range(52) if card not in (*hand, up)]
    mine, least = value(rules.ranking, hand), value(rules.ranking, cards_of("Ah Kc 4d 3s 2c"))
    dealers = [value(rules.ranking, (up, *four)) for four in combinations(rest, 4)]
    this = outlook(rules, hand, up)
    assert this.no_hand == sum(dealer < least for dealer in dealers)
    assert this.higher == sum(least <= dealer < mine for dealer in dealers)
    assert this.equal == sum(dealer == mine for dealer in dealers)
    assert this.lower == sum(dealer > mine for dealer in dealers)
    assert this.bet == Fraction(this.no_hand + 3 * this.higher - 3 * this.lower, 163_185)
    assert this.fold == -1


def test_a_deck_without_one_card() -> None:
    """The suit of the missing card is told apart, the others can still be exchanged."""
    this = play(stud(), deck=WITHOUT_AN_ACE)
    assert this.deals == 16_099_916_956_200
    assert this.table.alike.tolist() == [0, 1, 1, 1]
    assert int(this.table.weights.sum()) == 2_349_060
    for hand, up in some_deals()[40:80]:
        if parse_card("Ac") not in (*hand, up):
            seen = outlook(stud(), hand, up, deck=WITHOUT_AN_ACE)
            assert this.table.bets_on(hand, up) == (seen.bet > seen.fold)


@pytest.mark.parametrize(
    "cards",
    [
        tuple(card for card in range(52) if rank(card) in (0, 1, 5, 11, 12) and card != 0),
        tuple(card for card in range(52) if rank(card) < 4),
        tuple(sorted(Random(5).sample(range(52), 22))),
    ],
    ids=["without an ace", "aces to fours", "any"],
)
def test_every_card_gone_at_once_equals_playing_the_deck_without_it(cards: tuple[Card, ...]) -> None:
    deck = card_counts(cards)
    found = edges_without(stud(), deck)
    assert set(found) == set(cards)
    for gone in cards:
        rest = tuple(0 if card == gone else held for card, held in enumerate(deck))
        assert found[gone] == play(stud(), deck=rest).edge


def test_a_full_deck_without_one_card_equals_playing_it() -> None:
    found = edges_without(stud())
    assert found[WITHOUT_AN_ACE.index(0)] == play(stud(), deck=WITHOUT_AN_ACE).edge
    assert len(set(found.values())) == 13


def test_uneven_odds_are_exact() -> None:
    """Sevenths and hundredths of an ante, against plain play."""
    rules, cards = paying(packets(), two_pairs=to(3, 7), full_house=to(1).less(5)), cards_of(SMALL["aces and kings"])
    slow, this = plain(rules, cards), play(rules, deck=card_counts(cards))
    assert this.net == sum(max(net, slow.fold[seen]) for seen, net in slow.bet.items())
    assert {net.denominator for net in slow.bet.values()} == {1, 7, 10}
