"""Money: whole cents, odds as they are printed, and one named function for each way a rule rounds.

Theory of operation.  An amount that changes hands is a whole number of cents (`Cents`).  Everything between
two such amounts is an exact `Fraction`, so the only place where something can be lost is a function that says
so in its name.

`Odds` are kept as printed ("8 to 1", "1 to 1 less 5%"), not reduced: what a sign shows is what the code has.
The commission in odds is a part of the winnings.  A commission that is paid with the wager (craps) is no part
of the odds: it has `commission_down`.

A table pays in chips.  The chip here is the smallest one, of which all others are multiples, so "payable"
means "a whole number of the smallest chip".  The documents round in ways that must not be confused:

    payable_part      the wager is cut to what pays exactly, the rest is void   NZ1996-IV-5.4, NZ1998-5.9
    ceil_to_chips     the winnings go up to the next chip, wager by wager       NZ1996-I-15.3, VIC2002-7.3.3
    commission_down   the commission goes down, as more may not be charged      NZ1996-X-3.11
    reduce_pro_rata   each wager is scaled down and floored, the rest returns   NZ1998-5.14, VIC2002-7.4
    terminal_wager    the wager goes down to the next permitted one             NZEB-3.4c.iii

Which of them a wager meets is the law's business and is decided by the games; here is only the arithmetic.
Bad input raises `ValueError` with one line that names the input.  A float is bad input.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias, final

from croupier.once import dataclass

Cents: TypeAlias = int
Exact: TypeAlias = int | Fraction

LARGEST_AMOUNT: Final[Cents] = 10**12
"""Ten thousand million dollars: anything above is a slip, not a wager."""

LARGEST_SIDE: Final = 10**15
"""Odds may also say a sum on a stake, such as a jackpot's; then the sides are cents and are not read as text."""


def _exact(value: Exact, what: str) -> Fraction:
    """The value as a fraction.  Floats and booleans pass for numbers in Python, so they are stopped here."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value < 0:
        raise ValueError(f"{what} must be an exact number, zero or more: {value!r:.60}")
    return Fraction(value)


def _whole(value: int, what: str, *, least: int) -> int:
    """The value, if it is an integer of at least `least`."""
    if type(value) is not int or value < least:
        raise ValueError(f"{what} must be a whole number, {least} or more: {value!r:.60}")
    return value


# Odds


def percent(hundredths: Exact) -> Fraction:
    """`percent(5)` is one twentieth."""
    part = _exact(hundredths, "a percentage") / 100
    if part > 1:
        raise ValueError(f"a percentage above 100: {hundredths}")
    return part


_ODDS_TEXT: Final = re.compile(
    r"([1-9][0-9]{0,4}) to ([1-9][0-9]{0,4})"
    r"(?: less ([0-9]{1,2}(?:\.[0-9]{1,2})?|[1-9][0-9]{0,15}/[1-9][0-9]{0,15}) ?%)?"
)


@final
@dataclass(frozen=True, slots=True)
class Odds:
    """`win` for `stake`, less a part of the winnings: as printed, not reduced."""

    win: int
    stake: int
    commission: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for side in (self.win, self.stake):
            if type(side) is not int or not 1 <= side <= LARGEST_SIDE:
                raise ValueError(f"a side of odds is a whole number from 1 to {LARGEST_SIDE}: {side!r:.60}")
        part = self.commission
        if not isinstance(part, Fraction) or not 0 <= part < 1:
            raise ValueError(f"a commission is a fraction of the winnings, below 1: {part!r:.60}")

    def __hash__(self) -> int:
        """Odds are looked up for every wager; to hash the commission too would cost more than the lookup."""
        return hash((self.win, self.stake))

    @staticmethod
    def parse(text: str) -> Odds:
        """Reads what `str` writes: "8 to 1", "1 to 1 less 5%"."""
        found = _ODDS_TEXT.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"not odds: {text!r:.60} (write them like '8 to 1' or '1 to 1 less 5%')")
        win, stake, taken = found.groups()
        if Fraction(taken or "0") >= 100:
            raise ValueError(f"a commission that takes all winnings: {text!r:.60}")
        return Odds(int(win), int(stake), percent(Fraction(taken or "0")))

    def __str__(self) -> str:
        plain = f"{self.win} to {self.stake}"
        return f"{plain} less {self.percent_taken}%" if self.commission else plain

    @property
    def percent_taken(self) -> str:
        """The commission in percent of the winnings, as it is written: "5", "2.5"; "0" for none."""
        return _percent_text(self.commission)

    def less(self, hundredths: Exact) -> Odds:
        """The same odds less a commission in percent of the winnings; odds bear one commission only."""
        if self.commission:
            raise ValueError(f"odds that bear a commission already: {self}")
        return replace(self, commission=percent(hundredths))

    @property
    def fraction(self) -> Fraction:
        """Winnings for one unit staked, after commission."""
        return Fraction(self.win, self.stake) * (1 - self.commission)

    def gross(self, stake: Exact) -> Fraction:
        """Exact winnings before commission."""
        return _exact(stake, "a stake") * Fraction(self.win, self.stake)

    def net(self, stake: Exact) -> Fraction:
        """Exact winnings after commission."""
        return _exact(stake, "a stake") * self.fraction

    def taken(self, stake: Exact) -> Fraction:
        """Exact commission on the winnings: `gross` less `net`."""
        return self.gross(stake) * self.commission


def to(win: int, stake: int = 1) -> Odds:
    """`to(8)` is 8 to 1, `to(1, 2)` is 1 to 2, `to(1).less(5)` is 1 to 1 less 5%."""
    return Odds(win, stake)


def _percent_text(part: Fraction) -> str:
    """A percentage exactly: "5", "2.5", or "35/6" where two decimals are not enough."""
    if 10_000 % part.denominator:
        return str(part * 100)
    whole, rest = divmod(int(part * 10_000), 100)
    return f"{whole}.{rest:02d}".rstrip("0") if rest else str(whole)


# Amounts as text

_DOLLARS_TEXT: Final = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")


def parse_amount(text: str) -> Cents:
    """Dollars as people write them ("100", "12.50"), in cents."""
    found = _DOLLARS_TEXT.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not an amount in dollars: {text!r:.60} (write it like '100' or '12.50')")
    sign, dollars_text, cents_text = found.group(1), found.group(2), (found.group(3) or "").rstrip("0")
    if sign:
        raise ValueError(f"a negative amount: {text!r:.60}")
    if len(cents_text) > 2:
        raise ValueError(f"an amount with a fraction of a cent: {text!r:.60}")
    # The digits are counted before they are converted, so that a page of them is refused like any other slip.
    digits = (dollars_text + cents_text.ljust(2, "0")).lstrip("0")
    if not digits:
        raise ValueError(f"an amount of zero: {text!r:.60}")
    if len(digits) > len(str(LARGEST_AMOUNT)) or int(digits) > LARGEST_AMOUNT:
        raise ValueError(f"an amount above {dollars(LARGEST_AMOUNT)}: {text!r:.60}")
    return int(digits)


def format_amount(cents: Cents) -> str:
    """An amount as `parse_amount` reads it: "100" or "12.50"."""
    return dollars(cents).removeprefix("$").replace(",", "")


def dollars(cents: Cents) -> str:
    """An amount in a sentence: "$1,000", and "$12.50" only where there are cents; a loss has a true minus in front."""
    return balance(cents).removesuffix(".00")


def balance(cents: Cents) -> str:
    """An amount among others: always with its cents, "$1,000.00"."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${whole:,}.{rest:02d}"


# Chips


def payable(amount: Exact, chip: Cents) -> bool:
    """Whether chips can pay the amount exactly (NZ1996-I-14.4, NZ1998-5.8, VIC2002-6.6)."""
    return _exact(amount, "an amount") % _whole(chip, "a chip in cents", least=1) == 0


def floor_to_chips(amount: Exact, chip: Cents) -> Cents:
    """The highest amount that chips can pay and that is not above `amount`."""
    return _exact(amount, "an amount") // _whole(chip, "a chip in cents", least=1) * chip


def ceil_to_chips(amount: Exact, chip: Cents) -> Cents:
    """The lowest amount that chips can pay and that is not below `amount`."""
    return -(-_exact(amount, "an amount") // _whole(chip, "a chip in cents", least=1)) * chip


def payable_unit(odds: Odds, chip: Cents) -> Cents:
    """The smallest stake in chips whose winnings, after commission, chips can pay exactly.

    A stake of k chips wins k times `odds.fraction` chips, and that is whole for the first time when k is the
    denominator: 20 chips for Banker less 5% (NZ1998-5.8), 5 for craps odds at 6 to 5 (NZ1996-X-3.1e-i).
    """
    return odds.fraction.denominator * _whole(chip, "a chip in cents", least=1)


# The roundings, one function each


def payable_part(stake: Cents, odds: Odds, chip: Cents) -> Cents:
    """The part of a stake that stands where the unpayable rest is void, on a loss as on a win.

    New Zealand's Banker wager less 5%: NZ1996-IV-5.4, NZ1996-V-5.4, NZ1996-IX-5.4, NZ1998-5.9, NZD5-5.13.
    """
    return floor_to_chips(_whole(stake, "a stake in cents", least=0), payable_unit(odds, chip))


def commission_down(base: Exact, rate: Fraction, chip: Cents) -> Cents:
    """A commission paid with the wager, down to what chips can pay, as a rule that caps it forbids more.

    Craps: `percent(5)` of a Buy wager (NZ1996-X-3.1j) or of what a Lay wager can win (NZ1996-X-3.1k-tail),
    never more (NZ1996-X-3.11).
    """
    if not isinstance(rate, Fraction) or not 0 <= rate < 1:
        raise ValueError(f"a commission rate is a fraction below 1, like percent(5): {rate!r:.60}")
    return floor_to_chips(_exact(base, "the base of a commission") * rate, chip)


def reduce_pro_rata(stakes: Sequence[Cents], total: Cents, unit: Cents) -> tuple[Cents, ...]:
    """The wagers on one hand cut in proportion so that together they do not exceed `total`.

    Each is floored to `unit` (the chip, or the payable unit where a commission applies); the rest goes back.
    Wagers within the total are not touched.  The differential of NZ1996-IV-4.10, NZ1998-5.14, NZD5-5.18 and
    VIC2002-7.4.
    """
    on_hand = sum(_whole(stake, "a stake in cents", least=0) for stake in stakes)
    _whole(unit, "a unit in cents", least=1)
    if on_hand <= _whole(total, "a total in cents", least=0):
        return tuple(stakes)
    return tuple(floor_to_chips(Fraction(stake * total, on_hand), unit) for stake in stakes)


def terminal_wager(amount: Cents, minimum: Cents, step: Cents, maximum: Cents | None) -> Cents:
    """What a terminal shows for an amount: nothing below the minimum, else the next lower permitted wager.

    NZEB-3.4c.ii and NZEB-3.4c.iii.  The rule speaks of multiples over the minimum, so permitted are the minimum and
    what lies whole steps above it, up to the maximum (if any); the minimum itself need be no multiple of the step.
    """
    _whole(amount, "an amount in cents", least=0)
    _whole(minimum, "a minimum in cents", least=0)
    _whole(step, "a step in cents", least=1)
    highest = amount if maximum is None else _whole(maximum, "a maximum in cents", least=0)
    if maximum is not None and highest < minimum:
        raise ValueError(f"a maximum of {dollars(highest)} is below the minimum of {dollars(minimum)}")
    return 0 if amount < minimum else minimum + floor_to_chips(min(amount, highest) - minimum, step)
