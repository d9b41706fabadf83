"""Equipment: that chance is passed on unbiased is proved by going through all cases, not by sampling."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, permutations, product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import equipment as eq
from croupier.equipment import CUTTING_CARD, DICE_THREE, DICE_TWO, MONEY_WHEEL, Item, Shoe, Space

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K"
NOT_CARDS = ("", "d", "10", "1d", "0d", "11d", "10x", "10dd", "d10", "Xc", "A c", "Ac\n2d", "x" * 999)
stacks = st.lists(st.integers(0, 51), max_size=60)
few_counts = st.lists(st.integers(0, 3), min_size=52, max_size=52).map(tuple)


def refuses(said: str, act: Callable[..., object], *inputs: object, **named: object) -> None:
    """The act is refused in one short line that says this."""
    with pytest.raises(ValueError, match=re.escape(said)) as refused:
        act(*inputs, **named)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 160


class Script:
    """A source that gives prepared answers and notes what it was asked."""

    def __init__(self, answers: Iterable[int]) -> None:
        self.answers: Iterator[int] = iter(answers)
        self.asked: list[int] = []

    def __call__(self, n: int) -> int:
        self.asked.append(n)
        return next(self.answers)


@pytest.mark.parametrize("n", range(2, 65))
def test_every_result_has_exactly_one_number_of_k_bits(n: int) -> None:
    width = (n - 1).bit_length()
    results: Counter[int] = Counter()
    for number in range(2**width):
        source = Script([number, 0])
        result = eq.below_from_bits(n, source)
        assert source.asked == [width] * (1 if number < n else 2)
        results[result] += number < n
    assert results == Counter(range(n))
    assert 2**width < 2 * n  # so fewer than half of the numbers are rejected


@pytest.mark.parametrize(("n", "draws"), [*((n, 2) for n in range(2, 65)), *((n, 3) for n in range(2, 17))])
def test_rejection_keeps_all_results_equally_likely(n: int, draws: int) -> None:
    # All sequences of `draws` numbers are equally likely.  Those that end at the m-th number with one result
    # must be as many for each result, and together with those still undecided they are all.
    width = (n - 1).bit_length()
    ended: Counter[tuple[int, int]] = Counter()
    undecided = 0
    for numbers in product(range(2**width), repeat=draws):
        source = Script(numbers)
        try:
            result = eq.below_from_bits(n, source)
        except StopIteration:
            undecided += 1
        else:
            ended[len(source.asked), result] += 1
    rejected = 2**width - n
    assert undecided == rejected**draws
    for m, result in product(range(1, draws + 1), range(n)):
        assert ended[m, result] == rejected ** (m - 1) * 2 ** (width * (draws - m))
    assert sum(ended.values()) + undecided == 2 ** (width * draws)


def test_a_choice_of_one_needs_no_bits_and_of_none_is_refused() -> None:
    assert eq.below_from_bits(1, Script([])) == 0
    for n in (0, -3):
        refuses(f"nothing to choose from: {n}", eq.below_from_bits, n, Script([0]))


def test_a_broken_source_is_reported_and_never_used() -> None:
    refuses("a source of 3 bits answered 8", eq.below_from_bits, 6, Script([8]))
    refuses("a source of 3 bits answered -1", eq.below_from_bits, 6, Script([-1]))
    stuck = Script([7] * 1000)
    refuses("a source of 3 bits gave nothing below 6 in 256 answers", eq.below_from_bits, 6, stuck)
    assert len(stuck.asked) == eq.MOST_REJECTIONS
    assert eq.below_from_bits(6, Script([*[7] * 255, 5])) == 5
    for wrong in (-1, 2):
        for act in (eq.equally_likely("ab").draw, lambda below: eq.shuffled("ab", below)):
            refuses(f"a source of choices below 2 answered {wrong}", act, Script([wrong]))


@pytest.mark.parametrize("size", range(7))
def test_all_choices_of_a_shuffle_give_each_order_exactly_once(size: int) -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for answers in product(*map(range, range(size, 1, -1))):
        source = Script(answers)
        orders[eq.shuffled(range(size), source)] += 1
        assert source.asked == [*range(size, 1, -1)]
    assert orders == Counter(permutations(range(size)))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8).filter(any))
def test_each_outcome_owns_as_many_tickets_as_its_weight(weights: list[int]) -> None:
    space = Space(tuple(range(len(weights))), tuple(weights))
    drawn = Counter(space.draw(Script([ticket])) for ticket in range(space.total))
    assert drawn == Counter({outcome: weight for outcome, weight in enumerate(weights) if weight})
    assert space.map(lambda outcome: -outcome).weights == space.weights
    for ticket in (-1, space.total):
        refuses(f"no ticket {ticket} among {space.total}", space.at, ticket)


def test_a_space_wants_a_weight_for_each_outcome() -> None:
    refuses("2 outcomes with 1 weights", Space, (1, 2), (1,))
    for weights in ((1, -1), (1, True), (1, 0.5), (0, 0)):
        refuses(f"weights must be whole numbers from 0 up, not all 0: {weights}", Space, (1, 2), weights)


def test_nz1996_x_2_3_two_dice_and_vi_2_5e_three() -> None:
    assert (len(set(DICE_TWO.outcomes)), DICE_TWO.total) == (36, 36)
    assert DICE_TWO.map(sum) == Space(tuple(range(2, 13)), (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1))
    assert (len(set(DICE_THREE.outcomes)), DICE_THREE.total) == (216, 216)
    assert DICE_THREE.map(sum).weights == (1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)


def test_nz1996_iii_2_3_and_diag_4_the_roulette_wheel() -> None:
    rim = eq.ROULETTE_WHEEL.outcomes
    colours = [eq.pocket_colour(number) for number in rim]
    assert sorted(rim) == [*range(37)]
    assert eq.ROULETTE_WHEEL.weights == (1,) * 37
    assert (rim[0], rim[1], rim[-1], colours[0]) == (0, 32, 26, "green")
    assert all({one, other} == {"red", "black"} for one, other in pairwise(colours[1:]))
    assert sum(number for number in rim if eq.pocket_colour(number) == "red") == 332
    for number in (-1, 37):
        refuses(f"not a number of the wheel: {number}", eq.pocket_colour, number)


def gaps(rim: str, symbol: str) -> set[int]:
    """The distances from each section with the symbol to the next one, all the way round."""
    places = [place for place, found in enumerate(rim) if found == symbol]
    return {after - before for before, after in pairwise([*places, places[0] + len(rim)])}


def is_even(rim: str) -> bool:
    """The gaps of each symbol are its average gap, rounded down or up: no spread is more even."""
    average = {symbol: (52 // rim.count(symbol), -(-52 // rim.count(symbol))) for symbol in rim}
    return all(gaps(rim, symbol) <= {*average[symbol]} for symbol in average)


def test_nz1996_vii_2_3_and_diag_8_the_rim_is_as_even_as_can_be() -> None:
    assert MONEY_WHEEL.weights == (1,) * 52
    assert Counter(MONEY_WHEEL.outcomes) == {"A": 24, "B": 12, "C": 8, "D": 4, "E": 2, "F": 1, "G": 1}
    rim = "".join(MONEY_WHEEL.outcomes)
    assert is_even(rim)
    assert [gaps(rim, symbol) for symbol in "ABCDEFG"] == [{2, 3}, {4, 5}, {6, 7}, {13}, {26}, {52}, {52}]
    assert abs(rim.index("F") - rim.index("G")) == 26
    assert all(one != other for one, other in pairwise(rim + rim[0]))


def arrangements(left: str) -> Iterator[str]:
    """All different orders of the letters, in the order of the alphabet."""
    if not left:
        yield ""
    for letter in sorted(set(left)):
        for rest in arrangements(left.replace(letter, "", 1)):
            yield letter + rest


def test_the_quarter_of_the_rim_is_the_first_of_the_only_four() -> None:
    quarters = [*arrangements("AAAAAABBBCCD")]
    assert len(quarters) == factorial(12) // (factorial(6) * factorial(3) * factorial(2)) == 55_440
    # Two neighbouring As are a gap of one, so those quarters need no closer look.
    even = [q for q in quarters if "AA" not in q and is_even("".join(head + q for head in "FEGE"))]
    assert even == ["ABACABADABCA", "ABACABADACBA", "ABCADABACABA", "ACBADABACABA"]
    assert "".join(MONEY_WHEEL.outcomes) == "".join(head + even[0] for head in "FEGE")


def test_the_order_of_the_cards() -> None:
    names = [rank + suit for suit in "cdhs" for rank in RANKS.split()]
    assert [eq.card_name(card) for card in range(52)] == names
    assert [eq.parse_card(name) for name in names] == [*range(52)]
    assert [(eq.suit(card), eq.rank(card)) for card in range(52)] == [*product(range(4), range(13))]
    assert [eq.colour(card) for card in range(52)] == ["black"] * 13 + ["red"] * 26 + ["black"] * 13


def test_a_card_may_be_written_in_many_ways() -> None:
    for text in ("10d", "Td", "td", "10D", "TD", "10♦", " 10d ", "T♦"):
        assert eq.card_name(eq.parse_card(text)) == "10d"
    assert [eq.card_name(eq.parse_card(text)) for text in ("A♣", "2d", "9♥", "K♠")] == ["Ac", "2d", "9h", "Ks"]


def test_text_that_is_no_card_is_named() -> None:
    for text in NOT_CARDS:
        refuses(f"not a card: {repr(text)[:60]}", eq.parse_card, text)


def test_bare_ranks() -> None:
    assert [eq.parse_rank(text) for text in (*RANKS.split(), "T", "t", " q ")] == [*range(13), 9, 9, 11]
    for text in ("", "1", "0", "11", "Kc", "X"):
        refuses(f"not a rank: {text!r}", eq.parse_rank, text)


def test_numbers_that_are_no_card_are_refused() -> None:
    for act, card in product((eq.card_name, eq.check_card), (-1, 52, True, 1.0, "Kc")):
        refuses(f"not a card from 0 to 51: {card!r}", act, card)
        refuses(f"not a card from 0 to 51: {card!r}", eq.load, [0, card])


def test_counts_of_whole_decks() -> None:
    assert eq.full_shoe(8) == (8,) * 52
    for decks in (0, -1, True, 1.5):
        refuses(f"decks must be a whole number, 1 or more: {decks!r}", eq.full_shoe, decks)


@pytest.mark.parametrize(("kinds", "most", "first", "last"), [(13, 32, "A", "K"), (52, 8, "Ac", "Ks")])
def test_counts_given_by_a_user(kinds: int, most: int, first: str, last: str) -> None:
    def check(*counts: object, decks: int | None = None) -> object:
        return eq.check_counts(counts, kinds, decks=decks)  # type: ignore[arg-type]

    rest = (0,) * (kinds - 1)
    for count in (1, most - 1, most):
        assert check(count, *rest, decks=8) == (count, *rest)
    refuses(f"the count of {first} is {most + 1}, and there are only {most}", check, most + 1, *rest, decks=8)
    assert check(most + 1, *rest) == (most + 1, *rest)
    for wrong in (-1, 1.5, True, "4", None):
        refuses(f"the count of {last} must be a whole number, 0 or more: {wrong!r}", check, *rest, wrong)
    refuses(f"{kinds - 1} counts where {kinds} are needed ({first} to {last})", check, *rest)
    refuses(f"{kinds + 1} counts where {kinds} are needed ({first} to {last})", check, *rest, 1, 1)
    refuses("counts without a single card", check, *rest, 0)
    refuses("decks must be a whole number, 1 or more: 0", check, *rest, 1, decks=0)


@pytest.mark.parametrize("decks", [1, 4, 8])
def test_a_card_seen_once_too_often(decks: int) -> None:
    king, queen = eq.parse_card("Kc"), eq.parse_card("Qs")
    assert eq.impossible_card([king] * (decks - 1), decks) is None
    assert eq.impossible_card([king] * decks + [queen] * decks, decks) is None
    assert eq.impossible_card([king] * (decks + 1), decks) == king
    assert eq.impossible_card([king] * decks + [queen] * (decks + 1) + [king], decks) == queen
    assert eq.impossible_card([*range(52)] * decks, decks) is None


def empty(shoe: Shoe) -> list[Item]:
    """All that comes out, to the last."""
    items: list[Item] = []
    while shoe.remaining or shoe.cutting:
        item, shoe = shoe.draw()
        items.append(item)
    refuses("no card is left in the shoe", shoe.draw)
    return items


@given(stacks, st.data())
def test_cards_come_out_in_order_and_cutting_cards_in_place(stack: list[int], data: st.DataObject) -> None:
    depths = data.draw(st.lists(st.integers(0, len(stack)), max_size=2))
    shoe = eq.load(stack)
    expected: list[Item] = [*stack]
    for depth in sorted(depths):
        expected.insert(len(stack) - depth, CUTTING_CARD)
    for depth in depths:
        shoe = shoe.insert_cutting_card(depth)
    assert empty(shoe) == empty(shoe) == expected  # the shoe is a value: drawing does not change it


def test_nz1996_iv_7_3_the_cutting_card_and_a_second_at_the_very_back() -> None:
    items = empty(eq.load([*range(52)] * 8).insert_cutting_card(20).insert_cutting_card(0))
    assert [place for place, item in enumerate(items) if item == CUTTING_CARD] == [396, 417]


def test_a_cutting_card_goes_only_among_the_cards_that_are_left() -> None:
    _, shoe = eq.load(range(10)).burn(3)
    for wrong in (-1, 8):
        refuses(f"a cutting card {wrong} from the back of 7 cards", shoe.insert_cutting_card, wrong)
    assert shoe.insert_cutting_card(7).draw()[0] == CUTTING_CARD
    assert shoe.insert_cutting_card(6).draw()[0] == 3


@given(stacks, st.data())
def test_burning_is_drawing_so_many_cards(stack: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(stack)))
    shoe = eq.load(stack).insert_cutting_card(data.draw(st.integers(0, len(stack))))
    burned, after = shoe.burn(n)
    assert [item for item in burned if item != CUTTING_CARD] == stack[:n]
    assert [*burned, *empty(after)] == empty(shoe)
    assert (shoe.remaining, after.remaining) == (len(stack), len(stack) - n)
    for wrong in (-1, len(stack) + 1):
        refuses(f"{wrong} cards to burn of {len(stack)}", shoe.burn, wrong)


def test_a_shoe_that_cannot_be_is_refused() -> None:
    for cutting, drawn in [((), -1), ((), 4), ((1,), 2), ((4,), 0), ((2, 1), 0)]:
        refuses(f"{drawn} of 3 cards drawn, cutting at {cutting}", Shoe, (1, 2, 3), cutting, drawn)
    assert Shoe((1, 2, 3), (3, 3), 3).remaining == 0
