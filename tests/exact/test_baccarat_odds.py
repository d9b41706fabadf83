"""Exact odds of baccarat: known counts, the engine against plain enumeration, any shoe, any edition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from croupier.equipment import full_shoe
from croupier.exact.automaton import build
from croupier.exact.sheet import as_json, by_symbol, sheet
from croupier.exact.ways import count_ways, worth
from croupier.game import CardSeen, Irregular, Refusal, Void, Wager, Won
from croupier.law.ruleset import Ruleset
from croupier.round import BookLine, happen, open_round, place
from croupier.rulesets import every_ruleset, known_game, ruleset
from tests.helpers import places

BACCARAT = known_game("baccarat")
MAIN = ("player", "banker", "tie")
GOLDEN = places.GOLDEN / "baccarat.ways"


def ways(rules: Ruleset[object], shoe: tuple[int, ...]) -> dict[str, int]:
    """How many ways each main wager has to win, and the total."""
    automaton = build(BACCARAT, rules.rules, at_start=MAIN)
    counted = count_ways(automaton, by_symbol(BACCARAT, rules.rules, shoe, exact_cards=False))
    won = {name: sum(n for how, n in counted.of(name).items() if isinstance(how, Won)) for name in MAIN}
    return won | {"total": counted.total}


def test_eight_decks_give_the_known_number_of_coups() -> None:
    assert ways(ruleset("nz1998"), full_shoe(8)) == {
        "total": 4_998_398_275_503_360,
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }


PUBLISHED_WAYS = {
    6: {"banker": 403_095_751_234_560, "player": 392_220_492_728_832, "tie": 83_552_962_932_288},
    4: {"banker": 34_543_624_867_840, "player": 33_608_344_225_792},
}


@pytest.mark.parametrize("decks", PUBLISHED_WAYS)
def test_fewer_decks_give_the_published_number_of_coups(decks: int) -> None:
    """casinoexploit.com/baccarat.html, probabilities of six and four decks; eight decks are told there as above."""
    found = ways(ruleset("nzd5", elections={"decks": decks}), full_shoe(decks))
    assert PUBLISHED_WAYS[decks].items() <= found.items()


def test_the_banker_wins_with_six_as_often_as_published() -> None:
    """269,232,304,455,680 coups of eight decks (excelpunks.com/tag/non-commission-baccarat-edge, Concepts 13)."""
    banker = next(line for line in sheet(BACCARAT, ruleset("vic2002", version="crown")).lines if line.wager == "banker")
    six = next(pay.probability for pay in banker.pays if pay.result == "win with six")
    assert six == Fraction(269_232_304_455_680, 4_998_398_275_503_360)


def test_golden_ways_of_four_to_eight_decks() -> None:
    """One line per number of decks; every edition plays the same tables, so one file serves all."""
    lines = [line.split() for line in GOLDEN.read_text().splitlines() if line and not line.startswith("#")]
    expected = {int(decks): tuple(map(int, numbers)) for decks, *numbers in lines}
    assert set(expected) == {4, 5, 6, 7, 8}
    for decks, numbers in expected.items():
        found = ways(ruleset("nzd5", elections={"decks": decks}), full_shoe(decks))
        assert (found["total"], found["player"], found["banker"], found["tie"]) == numbers


@pytest.mark.parametrize("rules", every_ruleset((BACCARAT,)), ids=lambda r: f"{r.edition}-{r.version}")
def test_every_edition_prices_every_wager_it_permits(rules: Ruleset[object]) -> None:
    made = sheet(BACCARAT, rules)
    priced = {line.wager for line in made.lines} | {name for name, _ in made.left_out}
    assert priced == set(BACCARAT.wagers(rules.rules))
    for line in made.lines:
        assert line.win + line.lose + line.standoff + line.void == 1
        assert sum(pay.probability for pay in line.pays) == 1
        assert line.edge == -sum(pay.net * pay.probability for pay in line.pays)


def test_known_edges() -> None:
    """Eight decks: 1.0579 %, 1.2351 %, 14.3596 % (multiplayerbaccarat.com/odds.html, after E. O. Thorp, The Mathematics
    of Gambling)."""
    edges = {line.wager: round(float(line.edge * 100), 4) for line in sheet(BACCARAT, ruleset("nz1998")).lines}
    assert edges == {"player": 1.2351, "banker": 1.0579, "tie": 14.3596}


def test_half_pay_on_six_has_the_published_edge() -> None:
    """Without commission and half pay on a winning six: 1.4581 % (E. Jacobson, Card Counting the Super Six
    Baccarat Side Bet, 888casino.com/blog/card-counting-the-super-six-baccarat-side-bet)."""
    for rules in (ruleset("vic2002", version="crown"), ruleset("nzd5", elections={"no_commission": True})):
        banker = next(line for line in sheet(BACCARAT, rules).lines if line.wager == "banker")
        assert round(float(banker.edge * 100), 4) == 1.4581
        assert {pay.result for pay in banker.pays} == {"win", "win with six", "lose", "tie"}


def test_insurance_favours_the_player_and_the_sheet_says_so() -> None:
    crown = sheet(BACCARAT, ruleset("vic2002", version="crown", elections={"decks": 8}))
    insurance = next(line for line in crown.lines if line.wager == "insurance")
    assert round(float(-insurance.edge * 100), 2) == 4.36
    assert round(float(insurance.lose * 100), 1) == 65.2
    assert insurance.offered < 1
    assert len(crown.warnings) == 1
    assert "insurance favours the player" in crown.warnings[0]
    assert "4.36" in crown.warnings[0]


def test_perfect_pairs_by_counting_pairs() -> None:
    """Of the 415 cards left after the first, 7 are identical, 8 of its colour, 16 of the other colour."""
    for scale, nets in ((1, (30, 10, 5)), (2, (25, 12, 6))):
        made = sheet(BACCARAT, ruleset("nzd5", elections={"pay_scale": scale}))
        pairs = next(line for line in made.lines if line.wager == "perfect_pairs")
        perfect, coloured, mixed = Fraction(7, 415), Fraction(8, 415), Fraction(16, 415)
        expected = 1 - perfect * (nets[0] + 1) - coloured * (nets[1] + 1) - mixed * (nets[2] + 1)
        assert pairs.edge == expected
        assert pairs.win == perfect + coloured + mixed


def test_ranks_alone_give_no_pair_rows() -> None:
    made = sheet(BACCARAT, ruleset("nzd5"), [32] * 13)
    assert [line.wager for line in made.lines] == ["player", "banker", "tie"]
    assert made.left_out == (("perfect_pairs", "needs the suits: give --cards"),)
    assert as_json(made)["decks"] == 8


# ---------------------------------------------------------------- the engine against plain play


def plain_ways(rules: Ruleset[object], cards: tuple[int, ...], wagers: tuple[str, ...]) -> tuple[Counter[object], ...]:
    """Every order of a few cards, played out in full: the slow path."""
    counts: tuple[Counter[object], ...] = tuple(Counter() for _ in wagers)
    for order in permutations(cards):
        this = place(open_round(BACCARAT, rules.rules), tuple(Wager(on, 10**8, by=on) for on in wagers))
        assert not isinstance(this, Refusal)
        drawn = iter(order)
        while not this.over:
            card = next(drawn, None)
            after = happen(this, Irregular("insufficient_cards") if card is None else CardSeen(card))
            assert not isinstance(after, Refusal)
            this = after
        for counter, entry in zip(counts, this.book, strict=True):
            assert isinstance(entry, BookLine)
            counter[entry.resolution] += 1
    return counts


@pytest.mark.parametrize(
    "cards",
    [
        (0, 1, 2, 3, 4, 5, 6),
        (7, 8, 9, 10, 21, 34, 47),
        (5, 5, 6, 6, 18, 19, 44),
        (0, 13, 26, 39, 3, 16),
        (1, 2, 3, 4, 5),
        (12, 25, 38, 51),
        (0, 1, 2),
    ],
    ids=str,
)
@pytest.mark.parametrize("edition", ["nz1998", "nzd5", "vic2002"])
def test_small_shoes_equal_plain_enumeration(edition: str, cards: tuple[int, ...]) -> None:
    rules = ruleset(edition, version="crown" if edition == "vic2002" else "")
    shoe = tuple(cards.count(card) for card in range(52))
    automaton = build(BACCARAT, rules.rules, at_start=MAIN)
    counted = count_ways(automaton, by_symbol(BACCARAT, rules.rules, shoe, exact_cards=False))
    for counter, slow in zip(counted.counts, plain_ways(rules, cards, MAIN), strict=True):
        total, plain_total = sum(counter.values()), sum(slow.values())
        assert {how: Fraction(n, total) for how, n in counter.items()} == {
            how: Fraction(n, plain_total) for how, n in slow.items()
        }


@pytest.mark.parametrize(("cards", "void"), [(6, False), (5, True), (4, True), (3, True), (1, True)])
def test_a_shoe_too_small_for_a_coup_has_a_probability_of_a_void_one(cards: int, *, void: bool) -> None:
    """Six cards finish any coup; with fewer, the probability that the round is void is part of the answer."""
    shoe = tuple(1 if card < cards else 0 for card in range(52))
    for line in sheet(BACCARAT, ruleset("nz1998"), shoe).lines:
        assert (line.void > 0) == void
        if cards < 4:
            assert line.void == 1


def test_a_void_round_carries_its_rule() -> None:
    automaton = build(BACCARAT, ruleset("nz1998").rules, at_start=MAIN)
    counted = count_ways(
        automaton, by_symbol(BACCARAT, ruleset("nz1998").rules, (1,) * 3 + (0,) * 49, exact_cards=False)
    )
    assert set(counted.of("banker")) == {Void("NZ1998-12.5")}
    assert worth(counted, "banker").void == 1


def test_removing_cards_moves_the_odds_as_it_should() -> None:
    """Without any eights and nines there are no naturals of eight or nine by pip cards alone, and odds differ."""
    ranks = [32] * 13
    full = sheet(BACCARAT, ruleset("nz1998"), ranks).lines
    ranks[7] = ranks[8] = 0
    thin = sheet(BACCARAT, ruleset("nz1998"), ranks).lines
    assert [line.wager for line in full] == [line.wager for line in thin]
    assert all(a.edge != b.edge for a, b in zip(full, thin, strict=True))


def test_the_automaton_is_small() -> None:
    """Positions are merged by what their future can depend on, not told apart by the way that led there."""
    assert len(build(BACCARAT, ruleset("nz1998").rules, at_start=MAIN).over) < 1_500
