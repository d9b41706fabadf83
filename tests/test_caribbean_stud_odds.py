"""Exact odds of Caribbean stud: published figures, plain play on small decks, any deck, any strategy, the jackpot."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest

from croupier.equipment import Card, card_counts, parse_card, rank, suit
from croupier.game import CardSeen, Chosen, Resolution, Sign, Wager, Won
from croupier.games.caribbean_stud.hands import value
from croupier.games.caribbean_stud.play import face_up
from croupier.games.caribbean_stud.rules import Prize, StudRules
from croupier.law.model import Law
from croupier.money import Odds, to
from croupier.odds.automaton import STAKE
from croupier.odds.caribbean_stud import (
    STRATEGIES,
    Play,
    Strategy,
    break_even,
    caribbean_stud_sheet,
    compiling,
    outlook,
    play,
    public,
)
from croupier.odds.caribbean_stud.counting import against
from croupier.odds.caribbean_stud.endings import Stakes, endings, whole_pays
from croupier.odds.caribbean_stud.patterns import deck_of, patterns, qualifying
from croupier.odds.caribbean_stud.strategies import Choose
from croupier.round import AnyRound, happen
from tests.test_caribbean_stud_play import granted, jackpot, money, packets, start, stud

DEALS = 19_933_230_517_200
FULL = (1,) * 52
POOL = 45_000_00


def paying(rules: StudRules, **odds: Odds) -> StudRules:
    """The rules with other odds for some hands: `royal_flush=to(100)`."""
    changed = {name.replace("_", " "): Law(pays, ("TEST-1",)) for name, pays in odds.items()}
    return replace(rules, bet_pays={**rules.bet_pays, **changed})


@cache
def best() -> Play:
    """The optimum of 1996."""
    return play(stud())


@cache
def american() -> StudRules:
    """The pay table of the published figures: a royal flush pays 100 to 1."""
    return paying(stud(), royal_flush=to(100))


# ---------------------------------------------------------------- known figures


def test_the_optimum_of_1996() -> None:
    """The net also comes from the independent program in benchmarks/caribbean_stud_odds.cpp."""
    this = best()
    assert this.net == -1_036_344_990_372
    assert this.deals == DEALS
    assert (this.policy, len(this.table.hands), int(this.table.weights.sum())) == ("optimum", 134_459, 2_598_960)
    assert this.bet_deals == 10_410_224_542_740
    assert round(float(this.bet_frequency * 100), 3) == 52.225
    assert round(float(this.edge * 100), 4) == 5.1991
    assert this.element_of_risk == Fraction(1_036_344_990_372, DEALS + 2 * 10_410_224_542_740)


def test_with_a_royal_flush_at_100_the_edge_is_the_published_one() -> None:
    """M. Shackleford, Wizard of Odds: a loss of 1,041,372,912,372 antes, 5.2243 %, element of risk 2.555 %."""
    this = play(american())
    assert this.net == -1_041_372_912_372
    assert round(float(this.edge * 100), 4) == 5.2243
    assert round(float(this.element_of_risk * 100), 3) == 2.555
    assert this.net - best().net == -2 * 150 * int(best().tally[9, 2])


PUBLISHED = {
    "three rules of thumb": (1_041_417_758_724, 5.225, 2.554),
    "A K J 8 3 or better": (1_059_715_400_580, 5.316, 2.596),
    "matching rank": (1_063_176_931_284, 5.334, 2.616),
    "pair or better": (1_090_272_101_460, 5.470, 2.738),
    "ace and king or better": (1_132_600_203_540, 5.682, 2.672),
    "every hand": (3_310_360_338_060, 16.607, 5.536),
}


def test_every_rule_of_thumb_costs_what_is_published() -> None:
    """The same source: total loss, edge and element of risk of each."""
    assert set(STRATEGIES) == set(PUBLISHED)
    for name, (loss, edge, risk) in PUBLISHED.items():
        this = play(american(), STRATEGIES[name])
        assert this.net == -loss
        assert this.policy == name
        assert this.source == STRATEGIES[name].source != ""
        assert round(float(this.edge * 100), 3) == edge
        assert round(float(this.element_of_risk * 100), 3) == risk


def test_the_optimum_in_few_words() -> None:
    lines = {(line.up, line.held): line for line in best().description}
    assert len(lines) == 26
    assert str(lines["A", False]) == "A up, not held: bet from one pair 2 2 5 4 3"
    assert str(lines["K", True]) == "K up, held: bet from A K J 3 2"
    assert str(lines["4", True]) == "4 up, held: bet from A K 4 3 2"
    jack = lines["J", False]
    assert (jack.never_below, jack.always_from) == ("A K Q 8 2", "one pair 2 2 5 4 3")
    assert 0 < jack.between_bet < jack.between
    assert lines["10", False].between == lines["10", False].between_bet == 0


def test_a_strategy_that_never_bets_says_so() -> None:
    this = play(stud(), {"royal flush": ""})
    assert this.net == -DEALS
    assert this.bet_deals == 0
    assert {str(line).partition(": ")[2] for line in this.description} == {"never bet"}


# ---------------------------------------------------------------- the ranking


def test_the_fast_ranking_is_the_law_of_hands_on_all_hands() -> None:
    ranking = stud().ranking
    known = patterns(ranking)
    deck = deck_of(known, FULL)
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
    deck = deck_of(patterns(stud().ranking), deck_with(cards))
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


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


def deck_with(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return card_counts(cards)


SMALL = {
    "two royal flushes": "Ah Kh Qh Jh 10h As Ks Qs Js 10s",
    "aces and kings": "Ac Ad Ah As Kc Kd Kh 9c 9d 2s",
    "odd cards": "Ac Kd Qh 9s 7c 5d 4h 3s 2c Jd",
    "eleven": "Ah Kh Qd Js 9c 9d 5h 4s 3s 2c Ac",
    "eleven of two suits": "2c 3c 4c 5c 6c 2d 3d 4d 5d 6d Ks",
}


@cache
def played(name: str) -> Plain:
    return plain(packets(), cards_of(SMALL[name]))


@pytest.mark.parametrize("name", SMALL)
def test_small_decks_equal_plain_play(name: str) -> None:
    slow, this = played(name), play(packets(), deck=deck_with(cards_of(SMALL[name])))
    betting = {seen for seen, net in slow.bet.items() if net > slow.fold[seen]}
    assert this.deals == slow.deals
    assert this.net == sum(max(net, slow.fold[seen]) for seen, net in slow.bet.items())
    assert {seen for seen in slow.bet if this.table.bets_on(*seen)} == betting
    assert this.bet_frequency == Fraction(len(betting), len(slow.bet))


@pytest.mark.parametrize("name", SMALL)
def test_small_decks_pay_the_jackpot_as_plain_play_does(name: str) -> None:
    slow, deck = played(name), deck_with(cards_of(SMALL[name]))
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
    this = play(packets(), choose, deck=deck_with(cards_of(SMALL[name])))
    betting = {seen for seen in slow.bet if choose(*seen) in (True, "bet")}
    assert this.net == sum(slow.bet[seen] if seen in betting else slow.fold[seen] for seen in slow.bet)
    assert this.bet_frequency == Fraction(len(betting), len(slow.bet))


def test_an_exception_for_one_deal_is_seen_where_every_card_is_asked_about() -> None:
    slow, deck = played("two royal flushes"), deck_with(cards_of(SMALL["two royal flushes"]))
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
    rules, counts = stud(), deck_with(cards)
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


@pytest.mark.parametrize(
    ("hand", "up"), [("Ah Kc Qd 4s", "3d"), ("Ah Kc Qd 4s 2c", "2c"), ("Ah Kc Qd 4s 2c", "Ac")], ids=["4", "2c", "Ac"]
)
def test_a_decision_needs_six_cards_of_the_deck(hand: str, up: str) -> None:
    deck = [int(card != parse_card("Ac")) for card in range(52)]
    with pytest.raises(ValueError, match=f"^not five cards and an up card of this deck: {hand} {up}$"):
        outlook(stud(), cards_of(hand), parse_card(up), deck=deck)


# ---------------------------------------------------------------- decks


@pytest.mark.parametrize("size", [9, 10, 11])
def test_a_round_takes_ten_cards(size: int) -> None:
    deck = [int(card < size) for card in range(52)]
    if size < 10:
        with pytest.raises(ValueError, match=r"^a deck of 9 cards: a hand and the dealer's take 10$"):
            play(stud(), deck=deck)
    else:
        assert play(stud(), deck=deck).deals == {10: 1_260, 11: 13_860}[size]


@pytest.mark.parametrize(
    ("deck", "line"),
    [
        ((1,) * 51, "51 counts where 52 are needed"),
        ((2,) + (1,) * 51, "the count of Ac is 2, and there are only 1"),
        ((-1,) + (1,) * 51, "the count of Ac must be a whole number, 0 or more: -1"),
    ],
    ids=["short", "double", "negative"],
)
def test_a_deck_is_52_counts_of_nought_or_one(deck: tuple[int, ...], line: str) -> None:
    with pytest.raises(ValueError, match=f"^{line}"):
        caribbean_stud_sheet(stud(), deck=deck)


def test_a_deck_without_one_card() -> None:
    """The suit of the missing card is told apart, the others can still be exchanged."""
    deck = tuple(int(card != parse_card("Ac")) for card in range(52))
    this = play(stud(), deck=deck)
    assert this.deals == 16_099_916_956_200
    assert this.table.alike.tolist() == [0, 1, 1, 1]
    assert int(this.table.weights.sum()) == 2_349_060
    for hand, up in some_deals()[40:80]:
        if parse_card("Ac") not in (*hand, up):
            seen = outlook(stud(), hand, up, deck=deck)
            assert this.table.bets_on(hand, up) == (seen.bet > seen.fold)


def test_the_best_play_of_another_deck_is_no_worse_than_any() -> None:
    deck = tuple(int(card % 5 > 0) for card in range(52))
    others = [play(stud(), each, deck=deck).net for each in STRATEGIES.values()]
    assert play(stud(), deck=deck).net >= max(others)


# ---------------------------------------------------------------- strategies


def test_a_plain_function_on_a_full_deck() -> None:
    """It is asked about every class of hands."""

    def pairs(hand: tuple[Card, ...], _up: Card) -> bool:
        return len(set(map(rank, hand))) < 5

    this = play(american(), pairs)
    assert this.policy == "pairs"
    assert this.bet_frequency == 1 - Fraction(1287 * 4**5, 2_598_960)
    assert this.net < -PUBLISHED["pair or better"][0]


def test_charts() -> None:
    """A line holds from its hand up to the next."""
    charts = {
        "pair or better": {"one pair": "any"},
        "ace and king or better": {"A K": "any"},
        "A K J 8 3 or better": {"A K J 8 3": "any"},
        "every hand": {"odd cards": "any"},
    }
    for name, chart in charts.items():
        this = play(american(), chart)
        assert this.net == -PUBLISHED[name][0]
        assert this.policy == "chart"
    high = {"A K Q": "2 3 4 5 6 7 8 9 10 J Q", "one pair": "", "one pair 10": "any"}
    bets = play(stud(), high).table.bets_on
    assert bets(cards_of("Ah Kc Qd 4s 2c"), parse_card("Jd"))
    assert not bets(cards_of("Ah Kc Qd 4s 2c"), parse_card("Kd"))
    assert not bets(cards_of("9h 9c Qd 4s 2c"), parse_card("2d"))
    assert bets(cards_of("10h 10c Qd 4s 2c"), parse_card("Kd"))


@pytest.mark.parametrize(
    ("chart", "line"),
    [
        ({"A X": "any"}, "chart line 'A X': begin with a class of hands"),
        ({"": "any"}, "chart line '': begin with a class of hands"),
        ({"one pair": "2 3 1"}, "chart line 'one pair': '1' is no rank"),
    ],
    ids=["hand", "empty", "up"],
)
def test_a_bad_chart_is_told_in_one_line(chart: dict[str, str], line: str) -> None:
    with pytest.raises(ValueError, match=line):
        play(stud(), chart)


def test_a_table_is_played_as_it_stands() -> None:
    table = best().table
    assert play(stud(), table).net == best().net
    changed = replace(table, bets=table.bets & ~(1 << parse_card("Ah")))
    worse = play(stud(), changed)
    assert worse.net < best().net
    assert not worse.table.bets_on(cards_of("9h 9c Qd 4s 2c"), parse_card("Ah"))
    with pytest.raises(ValueError, match="a table of 134459 hands for a deck of 1 other classes of hands"):
        play(stud(), table, deck=[int(card < 10) for card in range(52)])


def test_an_answer_that_is_no_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="a strategy answered 'raise': say True or 'bet', False or 'fold'"):
        play(stud(), lambda _hand, _up: "raise", deck=[int(card < 12) for card in range(52)])


# ---------------------------------------------------------------- rules


def test_the_rules_object_decides() -> None:
    """Other laws, other numbers; each change has a direction that is sure."""
    rules, deck = stud(), tuple(int(card % 3 > 0) for card in range(52))
    base = play(rules, deck=deck).net
    assert play(paying(rules, two_pairs=to(3)), deck=deck).net > base
    assert play(replace(rules, no_hand_ante=Law(to(2), ("TEST-1",))), deck=deck).net > base
    assert play(replace(rules, folded=Law("stand off", ("TEST-1",))), deck=deck).net > base
    tripled = play(replace(rules, bet_of_ante=Law(3, ("TEST-1",))), deck=deck)
    assert tripled.bet_of_ante == 3
    assert tripled.net != base
    always = play(replace(rules, qualifies=Law((), ("TEST-1",))), deck=deck)
    assert int(always.tally[:, 1].sum()) == 0


def test_uneven_odds_are_exact() -> None:
    """Sevenths and hundredths of an ante, against plain play."""
    rules, cards = paying(packets(), one_pair=to(3, 7), full_house=to(1).less(5)), cards_of(SMALL["aces and kings"])
    slow, this = plain(rules, cards), play(rules, deck=deck_with(cards))
    assert this.net == sum(max(net, slow.fold[seen]) for seen, net in slow.bet.items())
    assert {net.denominator for net in slow.bet.values()} >= {7, 10}


def test_odds_that_64_bits_cannot_count_are_refused() -> None:
    with pytest.raises(ValueError, match="odds too large or too uneven to be counted exactly"):
        play(paying(stud(), royal_flush=to(10**14)))
    assert play(paying(stud(), royal_flush=to(10**13))).net > 0


@pytest.mark.parametrize(("ante_cents", "pays"), [(1_000, 250), (1_001, None), (2_000, 125)])
def test_a_maximum_payout_caps_a_bet(ante_cents: int, pays: int | None) -> None:
    """A bet of twice the ante that would be paid more than 5,000 dollars is paid 5,000."""
    rules = stud(maximum_payout="5000 approval 7")
    royal = caribbean_stud_sheet(rules, ante_cents=ante_cents).row("ante").pays[0]
    assert royal.result == "royal flush"
    assert royal.net == 1 + 2 * Fraction(5_000_00, 2 * ante_cents)
    if pays is not None:
        assert royal.net == 1 + 2 * pays
    assert (royal.rule == "NZ1996-VIII-10.2") == (ante_cents > 1_000)


def test_a_maximum_payout_needs_the_ante() -> None:
    with pytest.raises(ValueError, match=r"give the ante that it caps \(NZ1996-VIII-10\.2\)$"):
        play(stud(maximum_payout="5000 approval 7"))
    with pytest.raises(ValueError, match=r"name the approval and the notice \(NZ1996-VIII-10\.2\)$"):
        play(stud(maximum_payout="5000"))
    with pytest.raises(ValueError, match="an ante of 0 cents"):
        play(stud(), ante_cents=0)


# ---------------------------------------------------------------- rows


def test_the_row_of_the_ante() -> None:
    row = caribbean_stud_sheet(stud()).row("ante")
    assert row.worth is not None
    assert (row.policy, row.method, row.edge) == ("optimum", "exact", best().edge)
    assert row.win + row.lose + row.standoff + row.void == 1
    assert sum(pay.probability for pay in row.pays) == 1
    assert row.edge == -sum(pay.net * pay.probability for pay in row.pays)
    assert row.worth.variance == sum(pay.net**2 * pay.probability for pay in row.pays) - row.edge**2
    told = {pay.result: (pay.odds, int(pay.net), pay.rule.removeprefix("NZ1996-VIII-")) for pay in row.pays}
    assert told["royal flush"] == ("250 to 1", 501, "10.1-pay-royal-flush")
    assert told["odd cards"] == ("1 to 1", 3, "10.1-pay-pair-or-less")
    assert told["dealer does not qualify"] == ("1 to 1", 1, "9.2a")
    assert told["tie"] == ("", 0, "9.5c")
    assert told["fold"] == ("", -1, "8.2b")
    assert told["lose"] == ("", -3, "9.5b")
    assert len(told) == 14
    assert {pay.result: pay.probability for pay in row.pays}["fold"] == 1 - best().bet_frequency


def test_no_jackpot_row_where_there_is_no_jackpot() -> None:
    deck = [int(card < 12) for card in range(52)]
    assert [row.wager for row in caribbean_stud_sheet(stud(), deck=deck).rows] == ["ante", "jackpot"]
    assert [row.wager for row in caribbean_stud_sheet(stud(jackpot=False), deck=deck).rows] == ["ante"]


def test_the_jackpot_by_counting_hands() -> None:
    """Under the optimum every hand that can win is bet on: 4, 36, 624, 3,744 and 5,108 of 2,598,960 hands."""
    row = caribbean_stud_sheet(stud(), pool_cents=200_000_00, stake_cents=2_00).row("jackpot")
    prizes = 4 * 200_000_00 + 36 * 20_000_00 + 624 * 500_00 + 3_744 * 150_00 + 5_108 * 100_00
    assert row.edge == 1 - Fraction(prizes, 2_598_960 * 2_00)
    assert row.win == Fraction(4 + 36 + 624 + 3_744 + 5_108, 2_598_960)
    assert row.win + row.lose == 1
    assert row.policy == "optimum"


@pytest.mark.parametrize(("pool_cents", "stake_cents"), [(None, None), (45_000_00, None), (None, 1_00)])
def test_a_jackpot_without_pool_or_stake_has_no_edge_but_a_break_even(
    pool_cents: int | None, stake_cents: int | None
) -> None:
    row = caribbean_stud_sheet(stud(), pool_cents=pool_cents, stake_cents=stake_cents).row("jackpot")
    assert row.edge is None
    assert row.pays == ()
    assert row.stake_cents == 1_00
    assert row.break_even_cents == Fraction(303_640_000, 19)
    told = public(row)
    assert (told["edge"], told["edge_percent"], told["sd"], told["break_even"]) == (None, None, None, "303640000/19")


def test_at_the_break_even_pool_the_edge_turns() -> None:
    even = break_even(stud(), best(), stake_cents=1_00)
    assert even is not None
    below, above = int(even), int(even) + 1
    edges = [
        caribbean_stud_sheet(stud(), pool_cents=pool, stake_cents=1_00, strategy=best().table).row("jackpot").edge
        for pool in (below, above)
    ]
    assert edges[0] is not None
    assert edges[1] is not None
    assert edges[0] > 0 > edges[1]


def prizes(four: int, full: int, flush: int, **changes: Prize) -> StudRules:
    """The rules with other prizes, in dollars."""
    rules = stud()
    sums = {"four of a kind": Prize(four * 100), "full house": Prize(full * 100), "flush": Prize(flush * 100)}
    sums |= {name.replace("_", " "): prize for name, prize in changes.items()}
    laws = {**rules.progressive.prizes, **{name: Law(prize, ("TEST-1",)) for name, prize in sums.items()}}
    return replace(rules, progressive=replace(rules.progressive, prizes=laws))


@pytest.mark.parametrize(
    ("sums", "dollars"),
    [((100, 75, 50), 263_205), ((150, 100, 50), 246_784), ((500, 100, 50), 217_047)],
)
def test_break_even_meters_as_published(sums: tuple[int, int, int], dollars: int) -> None:
    """M. Shackleford, Contingencies, November 2000: the meter at which a wager of a dollar breaks even."""
    even = break_even(prizes(*sums), best(), stake_cents=1_00)
    assert even is not None
    assert round(even / 100) == dollars


def test_break_even_on_each_piece_of_the_prizes() -> None:
    """The sums alone may be enough, or no pool; or a share passes its sum before the other does."""
    assert break_even(prizes(5_000, 500, 200), best(), stake_cents=1_00) == 0
    fixed = prizes(500, 150, 100, straight_flush=Prize(1_000_00), royal_flush=Prize(10_000_00))
    assert break_even(fixed, best(), stake_cents=1_00) is None
    early = prizes(500, 150, 100, straight_flush=Prize(1_000_00, Fraction(1)), royal_flush=Prize(10**9, Fraction(1)))
    assert break_even(early, best(), stake_cents=200_00) == _by_search(early, 200_00)


def _by_search(rules: StudRules, stake_cents: int) -> Fraction:
    """The same from the edge at two pools between which it is straight."""
    edges = []
    for pool in (10**9 + 1, 10**9 + 3):
        row = caribbean_stud_sheet(rules, pool_cents=pool, stake_cents=stake_cents, strategy=best().table).rows[1]
        assert row.edge is not None
        edges.append(row.edge)
    return 10**9 + 1 + 2 * edges[0] / (edges[0] - edges[1])


def test_a_folded_hand_has_no_claim() -> None:
    """Who folds everything below four of a kind has no claim with a flush or a full house."""
    row = caribbean_stud_sheet(stud(), pool_cents=POOL, stake_cents=1_00, strategy={"four of a kind": "any"}).row(
        "jackpot"
    )
    assert row.policy == "chart"
    assert row.win == Fraction(4 + 36 + 624, 2_598_960)
    assert {pay.result for pay in row.pays} == {"royal flush", "straight flush", "four of a kind", "no jackpot"}


@pytest.mark.parametrize(
    ("pool_cents", "stake_cents", "line"),
    [
        (-1, 100, "a jackpot pool is a whole number of cents from 0 up: -1"),
        (100, 0, "a jackpot wager is a whole number of cents from 1 up: 0"),
    ],
)
def test_a_bad_pool_or_stake_is_told_in_one_line(pool_cents: int, stake_cents: int, line: str) -> None:
    with pytest.raises(ValueError, match=f"^{line}$"):
        caribbean_stud_sheet(stud(), pool_cents=pool_cents, stake_cents=stake_cents)


def test_the_public_form() -> None:
    told = public(caribbean_stud_sheet(stud(), pool_cents=POOL, stake_cents=1_00).row("ante"))
    assert told["edge"] == "86362082531/1661102543100"
    assert (told["policy"], told["method"], told["offered"]) == ("optimum", "exact", "1/1")
    assert "break_even" not in told


def test_it_says_before_whether_it_will_compile() -> None:
    """Once used in this process it never does again."""
    best()
    called: list[int] = []
    caribbean_stud_sheet(stud(), deck=[int(card < 10) for card in range(52)], on_compile=lambda: called.append(1))
    assert not compiling()
    assert called == []
