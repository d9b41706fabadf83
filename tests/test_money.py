"""Money: each rounding against its definition, and the examples of the rules it serves."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import equipment, money
from croupier.money import Odds, balance, dollars, format_amount, parse_amount, payable, payable_unit, percent, to

BANKER = to(1).less(5)
DOLLAR = 100

chips = st.sampled_from([1, 5, 25, 50, 100, 250, 500, 10_000])
stakes = st.integers(0, 10**9)
percents = st.sampled_from([*map(Fraction, ("0", "5", "2.5", "50", "1/3", "35/6"))])
exact_amounts = st.fractions(min_value=0, max_value=10**9, max_denominator=10**4)
any_odds = st.builds(
    lambda win, stake, taken: to(win, stake).less(taken), st.integers(1, 300), st.integers(1, 12), percents
)


def rows(text: str) -> list[list[str]]:
    """A table in a text: one case a line, columns two blanks or more apart."""
    return [re.split(r" {2,}", line.strip()) for line in text.strip().splitlines()]


def refuses(said: str, act: Callable[..., object], *inputs: object) -> None:
    """The act is refused in one short line that says this."""
    with pytest.raises(ValueError, match=re.escape(said)) as refused:
        act(*inputs)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 160


@pytest.mark.parametrize(
    ("odds", "text", "fraction"),
    [
        (to(8), "8 to 1", "8"),
        (to(3, 2), "3 to 2", "3/2"),
        (to(1).less(5), "1 to 1 less 5%", "19/20"),
        (to(1).less(Fraction(5, 2)), "1 to 1 less 2.5%", "39/40"),
        (to(1).less(Fraction(1, 4)), "1 to 1 less 0.25%", "399/400"),
        (to(1).less(Fraction(35, 6)), "1 to 1 less 35/6%", "113/120"),
        (to(1).less(0), "1 to 1", "1"),
        (to(2, 4), "2 to 4", "1/2"),
        (to(99_998), "99998 to 1", "99998"),
        (to(99_999, 99_999), "99999 to 99999", "1"),
    ],
)
def test_odds_read_as_printed(odds: Odds, text: str, fraction: str) -> None:
    assert str(odds) == text
    assert odds.fraction == Fraction(fraction)
    assert Odds.parse(text) == odds


@given(any_odds)
def test_odds_text_says_everything(odds: Odds) -> None:
    assert Odds.parse(str(odds)) == odds


def test_odds_are_kept_as_printed_and_not_reduced() -> None:
    assert to(2, 4) != to(1, 2)
    assert Odds.parse(" 1 to 1 less 5 % ") == BANKER


@pytest.mark.parametrize("side", [0, -1, money.LARGEST_SIDE + 1, 1.5, True, "8", None])
def test_a_side_of_odds_out_of_range_is_refused(side: int) -> None:
    refuses(f"a side of odds is a whole number from 1 to 1000000000000000: {side!r}", Odds, side, 1)
    refuses(f"a side of odds is a whole number from 1 to 1000000000000000: {side!r}", Odds, 1, side)


def test_odds_may_say_a_sum_on_a_stake() -> None:
    assert Odds(money.LARGEST_SIDE, money.LARGEST_SIDE).fraction == 1
    assert Odds(45_123_45, 200).net(200) == 45_123_45


@pytest.mark.parametrize("part", [Fraction(1), Fraction(3, 2), Fraction(-1, 20), 0.05, 0])
def test_a_commission_is_a_fraction_below_one(part: Fraction) -> None:
    assert to(1).less(99).fraction == Fraction(1, 100)
    refuses(f"a commission is a fraction of the winnings, below 1: {part!r}", Odds, 1, 1, part)
    refuses("odds that bear a commission already: 1 to 1 less 5%", BANKER.less, 5)


def test_a_percentage_is_exact() -> None:
    assert (percent(5) * 20, percent(Fraction(5, 2)) * 40, percent(100)) == (Fraction(1),) * 3
    refuses("a percentage above 100: 101", percent, 101)
    for wrong in (5.0, -1, True):
        refuses(f"a percentage must be an exact number, zero or more: {wrong!r}", percent, wrong)


NOT_ODDS = "|8|8:1|8 to|to 1|8 TO 1|8  to 1|-8 to 1|0 to 1|8 to 0|08 to 1|100000 to 1|٨ to 1|8 to 1\n1"
NO_COMMISSION = ("5", "-5%", "1/0%", "2.555%", "100%")


@pytest.mark.parametrize("text", [*NOT_ODDS.split("|"), *(f"1 to 1 less {text}" for text in NO_COMMISSION)])
def test_text_that_is_no_odds_is_named(text: str) -> None:
    refuses(f"not odds: {text!r}", Odds.parse, text)


def test_a_commission_that_takes_all_is_named() -> None:
    refuses("a commission that takes all winnings: '1 to 1 less 100/1%'", Odds.parse, "1 to 1 less 100/1%")


@given(stakes, any_odds)
def test_gross_is_net_and_commission(stake: int, odds: Odds) -> None:
    assert odds.gross(stake) == Fraction(stake * odds.win, odds.stake)
    assert odds.gross(stake) == odds.net(stake) + odds.taken(stake)
    assert odds.net(stake) == stake * odds.fraction


def test_vic2002_7_5_1_banker_above_the_minimum_differential() -> None:
    # 5% of the whole and 2.5% of the excess of 5000 over 15000 are one commission of 35/6 percent.
    odds = Odds(1, 1, percent(5) + percent(Fraction(5, 2)) * Fraction(5000, 15_000))
    assert str(odds) == "1 to 1 less 35/6%"
    assert odds.net(1_500_000) == 1_412_500


AMOUNTS = """
    100    10000     12.50  1250      12.5  1250     0.01  1        1.00  100
    007    700       0.10   10        12.500  1250   9999999999.99  999999999999   10000000000  1000000000000
"""


@pytest.mark.parametrize(("text", "cents"), re.findall(r"(\S+) +(\S+)", AMOUNTS))
def test_amounts_in_dollars(text: str, cents: str) -> None:
    assert parse_amount(text) == parse_amount(f" {text}\n") == int(cents)


NOT_AMOUNTS = "|ten|$5|1,000|1e3|.5|5.|+5|5 0|nan|٥|5\n6|--5"
AMOUNTS_REFUSED = [
    *[(text, "not an amount in dollars") for text in NOT_AMOUNTS.split("|")],
    *[(text, "a negative amount") for text in ("-5", "-0", "-0.001")],
    *[(text, "an amount of zero") for text in ("0", "0.00", "000.000")],
    *[(text, "an amount with a fraction of a cent") for text in ("0.001", "12.505")],
    *[(text, "an amount above $10,000,000,000") for text in ("10000000000.01", "99999999999")],
]


@pytest.mark.parametrize(("text", "why"), AMOUNTS_REFUSED)
def test_amounts_refused_by_name(text: str, why: str) -> None:
    refuses(f"{why}: {text!r}", parse_amount, text)


@given(st.integers(1, money.LARGEST_AMOUNT))
def test_amounts_survive_writing_and_reading(cents: int) -> None:
    assert parse_amount(format_amount(cents)) == cents


def test_a_page_of_digits_is_refused_in_one_short_line() -> None:
    refuses("an amount above $10,000,000,000: '9999", parse_amount, "9" * 1_000_000)


def test_dollars() -> None:
    texts = {
        0: "$0",
        1: "$0.01",
        99: "$0.99",
        100: "$1",
        1250: "$12.50",
        -1: "−$0.01",
        -955000: "−$9,550",
        10**8: "$1,000,000",
    }
    assert {cents: dollars(cents) for cents in texts} == texts
    assert [balance(cents) for cents in (0, 123456, -100)] == ["$0.00", "$1,234.56", "−$1.00"]


@given(exact_amounts, chips)
def test_floor_and_ceiling_are_the_nearest_payable_amounts(amount: Fraction, chip: int) -> None:
    low, high = money.floor_to_chips(amount, chip), money.ceil_to_chips(amount, chip)
    assert payable(low, chip)
    assert payable(high, chip)
    assert low <= amount < low + chip
    assert high - chip < amount <= high
    assert payable(amount, chip) == (low == high)


def test_floor_and_ceiling_at_the_chip() -> None:
    amounts = (0, 1, 99, 100, 101, 199, 200)
    assert [money.floor_to_chips(amount, DOLLAR) for amount in amounts] == [0, 0, 0, 100, 100, 100, 200]
    assert [money.ceil_to_chips(amount, DOLLAR) for amount in amounts] == [0, 100, 100, 100, 200, 200, 200]
    # A rest far below one cent still counts.
    assert money.ceil_to_chips(100 + Fraction(1, 10**30), DOLLAR) == 200
    assert money.floor_to_chips(100 - Fraction(1, 10**30), DOLLAR) == 0


@pytest.mark.parametrize("act", [payable, money.floor_to_chips, money.ceil_to_chips])
def test_chips_and_amounts_are_exact(act: Callable[[int, int], object]) -> None:
    for chip in (0, -1, True, 1.0):
        refuses(f"a chip in cents must be a whole number, 1 or more: {chip!r}", act, 100, chip)
    for amount in (-1, Fraction(-1, 2), 0.5, True):
        refuses(f"an amount must be an exact number, zero or more: {amount!r}", act, amount, 1)


@given(any_odds, chips)
def test_payable_unit_is_the_smallest_stake_that_pays_exactly(odds: Odds, chip: int) -> None:
    searched = next(stake for stake in count(chip, chip) if payable(odds.net(stake), chip))
    assert payable_unit(odds, chip) == searched


def test_nz1998_5_8_banker_pays_exactly_in_twenties() -> None:
    exact = [stake for stake in range(100, 6_001, 100) if payable(BANKER.net(stake), DOLLAR)]
    assert exact == [2000, 4000, 6000]
    assert payable_unit(BANKER, DOLLAR) == 2000


def test_nz1996_x_3_1e_payable_units_of_odds_bets() -> None:
    units = {to(1): 1, to(8): 1, to(2): 1, to(3, 2): 2, to(6, 5): 5, to(5, 6): 6, to(2, 3): 3, to(1, 2): 2}
    assert {odds: payable_unit(odds, DOLLAR) // DOLLAR for odds in units} == units


def test_nz1996_iv_5_4_nz1998_5_9_nzd5_5_13_banker_stands_to_the_payable_part() -> None:
    valid = {1999: 0, 2000: 2000, 2001: 2000, 2500: 2000, 3999: 2000, 4000: 4000}
    assert {stake: money.payable_part(stake, BANKER, DOLLAR) for stake in valid} == valid


@given(stakes, any_odds, chips)
def test_payable_part_pays_exactly_and_no_larger_part_does(stake: int, odds: Odds, chip: int) -> None:
    part, unit = money.payable_part(stake, odds, chip), payable_unit(odds, chip)
    assert part % unit == 0
    assert part <= stake < part + unit
    assert payable(odds.net(part), chip)


WINNINGS_UP = """
    NZ1996-I-15.3   500   3 to 2           800
    NZ1996-I-14.4   500   7 to 6           600
    VIC2002-7.3.3   1900  1 to 1 less 5%   1900
    VIC2002-7.3.3   2000  1 to 1 less 5%   1900
    VIC2002-7.3.3   2100  1 to 1 less 5%   2000
    VIC2002-7.3.3   3000  1 to 1 less 5%   2900
"""


@pytest.mark.parametrize(("rule", "stake", "odds", "winnings"), rows(WINNINGS_UP))
def test_winnings_go_up_to_the_next_chip(rule: str, stake: str, odds: str, winnings: str) -> None:
    assert money.ceil_to_chips(Odds.parse(odds).net(int(stake)), DOLLAR) == int(winnings), rule


@given(stakes, any_odds, chips)
def test_pay_up_never_pays_less_and_less_than_a_chip_more(stake: int, odds: Odds, chip: int) -> None:
    paid = money.ceil_to_chips(odds.net(stake), chip)
    assert paid % chip == 0
    assert 0 <= paid - odds.net(stake) < chip


def test_nz1996_i_15_3_is_per_wager_and_not_per_player() -> None:
    one, both = (money.ceil_to_chips(to(3, 2).net(stake), DOLLAR) for stake in (500, 1000))
    assert (2 * one, both) == (1600, 1500)


def test_nz1996_x_3_11_craps_commission_goes_down() -> None:
    charged = {1999: 0, 2000: 100, 2001: 100, 3999: 100, 4000: 200}
    assert {stake: money.commission_down(stake, percent(5), DOLLAR) for stake in charged} == charged
    # A Lay wager is charged on what it can win: 20 of 40 against the 4, 39.33 of 59 against the 5.
    assert money.commission_down(to(1, 2).gross(4000), percent(5), DOLLAR) == 100
    assert money.commission_down(to(2, 3).gross(5900), percent(5), DOLLAR) == 100


@given(exact_amounts, percents, chips)
def test_nz1996_x_3_11_never_charges_more(base: Fraction, taken: Fraction, chip: int) -> None:
    charged = money.commission_down(base, percent(taken), chip)
    assert charged % chip == 0
    assert 0 <= base * percent(taken) - charged < chip


@pytest.mark.parametrize("rate", [5, 0.05, Fraction(1), Fraction(-1, 20)])
def test_a_commission_rate_is_not_a_percentage(rate: Fraction) -> None:
    refuses(f"a fraction below 1, like percent(5): {rate!r}", money.commission_down, 2000, rate, DOLLAR)


PRO_RATA = """
    NZ1996-IV-4.10   600 900      1200   20    480 720
    NZ1998-5.14      600 400      700    20    420 280
    NZD5-5.18        600 400      699    20    400 260
    NZD5-5.18        600 400      701    20    420 280
    VIC2002-7.4      12000 8000   14000  1     8400 5600
    VIC2002-7.4      500 501      1000   100   400 500
    VIC2002-7.4      500 501      1001   100   500 501
    VIC2002-7.4      500 501      1002   100   500 501
    VIC2002-7.4      500 0 500    0      1     0 0 0
"""


@pytest.mark.parametrize(("rule", "placed", "total", "unit", "left"), rows(PRO_RATA))
def test_the_differential_cuts_pro_rata(rule: str, placed: str, total: str, unit: str, left: str) -> None:
    reduced = money.reduce_pro_rata([int(stake) for stake in placed.split()], int(total), int(unit))
    assert reduced == tuple(int(stake) for stake in left.split()), rule


@given(st.lists(st.integers(0, 10**7), max_size=14), st.integers(0, 10**8), chips)
def test_pro_rata_keeps_the_total_and_the_proportions(placed: list[int], total: int, unit: int) -> None:
    left = money.reduce_pro_rata(placed, total, unit)
    assert sum(left) <= total
    if sum(placed) <= total:
        assert left == tuple(placed)
        return
    for before, after in zip(placed, left, strict=True):
        assert after % unit == 0
        assert 0 <= Fraction(before * total, sum(placed)) - after < unit


def test_pro_rata_refuses_by_name() -> None:
    refuses("a stake in cents must be a whole number, 0 or more: -1", money.reduce_pro_rata, [1, -1], 5, 1)
    refuses("a total in cents must be a whole number, 0 or more: -1", money.reduce_pro_rata, [1], -1, 1)
    refuses("a unit in cents must be a whole number, 1 or more: 0", money.reduce_pro_rata, [1], 5, 0)


def test_nzeb_3_4c_the_terminal_shows_the_next_lower_permitted_wager() -> None:
    below_minimum = {0: 0, 7: 0, 9: 0, 10: 10}
    between_steps = {11: 10, 14: 10, 15: 15, 16: 15, 23: 20}
    above_maximum = {499: 495, 500: 500, 501: 500, 700: 500}
    for shown in (below_minimum, between_steps, above_maximum):
        assert {amount: money.terminal_wager(amount, 10, 5, 500) for amount in shown} == shown


def test_the_terminal_with_an_odd_maximum_or_none() -> None:
    assert money.terminal_wager(700, 10, 5, 503) == 500
    assert [money.terminal_wager(amount, 10, 5, 10) for amount in (9, 10, 11)] == [0, 10, 10]
    assert [money.terminal_wager(amount, 10, 5, None) for amount in (9, 10, 103)] == [0, 10, 100]


@given(st.integers(0, 400), st.integers(1, 12), st.integers(0, 8), st.integers(0, 300))
def test_terminal_wager_against_the_list_of_permitted(amount: int, step: int, steps: int, more: int) -> None:
    minimum, maximum = steps, steps + more
    permitted = [0, *range(minimum, maximum + 1, step)]
    assert money.terminal_wager(amount, minimum, step, maximum) == max(w for w in permitted if w <= amount)


def test_nzeb_3_4c_iii_a_steps_are_counted_over_the_minimum() -> None:
    assert [money.terminal_wager(amount, 15, 10, 500) for amount in (14, 15, 24, 25, 34, 504)] == [
        *(0, 15, 15, 25, 25, 495)
    ]


def test_a_terminal_set_wrong_is_refused() -> None:
    refuses("a maximum of $0.09 is below the minimum of $0.10", money.terminal_wager, 5, 10, 5, 9)
    refuses("a step in cents must be a whole number, 1 or more: 0", money.terminal_wager, 5, 10, 0, 500)
    refuses("an amount in cents must be a whole number, 0 or more: -1", money.terminal_wager, -1, 10, 5, 500)


MAY_IMPORT = "__future__ re collections croupier.once dataclasses fractions itertools operator typing"


@pytest.mark.parametrize("file", [money.__file__, equipment.__file__])
def test_no_float_no_clock_and_no_chance_of_its_own(file: str) -> None:
    nodes = list(ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))))
    assert not [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    assert "float" not in {node.id for node in nodes if isinstance(node, ast.Name)}
    imported = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module).removesuffix(".abc") for node in nodes if isinstance(node, ast.ImportFrom)}
    assert imported <= {*MAY_IMPORT.split()}
