"""The number on a voucher: figures that cannot be guessed, and a pair that shows a typing error.

Theory of operation.  A code has 28 figures: 26 by chance (more than 86 bits, so that nobody finds one by trying) and a
check pair, chosen so that the whole number leaves 1 when divided by 97.  97 is a prime that does not divide 10 or 9,
so one wrong figure, or two neighbours exchanged, always shows.  The number of figures is even, because the barcode
carries them in pairs.  Chance is the caller's: here is only the arithmetic, and an amount in words.
"""

from __future__ import annotations

import re
from typing import Final

from croupier.money import Cents

CHANCE: Final = 26
LENGTH: Final = CHANCE + 2
GROUP: Final = 4
_MODULUS: Final = 97

_SPACES: Final = re.compile(r"[\s\-–.]+")


class Mistyped(ValueError):
    """Figures that are on no voucher: what is wrong with them, in one line."""


def code_of(chance: int) -> str:
    """The code made of a number below 10 to the 26th."""
    if not 0 <= chance < 10**CHANCE:
        raise ValueError(f"a voucher number has up to {CHANCE} figures: {chance!r:.60}")
    # The remainder of the whole number must be 1, so the pair is what is missing to 98.
    return f"{chance:0{CHANCE}d}{98 - chance * 100 % _MODULUS:02d}"


def read_code(text: str) -> str:
    """The code that somebody typed or scanned, spaces and hyphens put aside; `Mistyped` if it can be on no voucher."""
    plain = _SPACES.sub("", text)
    if not plain.isascii() or not plain.isdecimal():
        raise Mistyped(f"a voucher number has figures only: {text!r:.60}")
    if len(plain) != LENGTH:
        raise Mistyped(f"a voucher number has {LENGTH} figures, this one {len(plain)}: read it again")
    if int(plain) % _MODULUS != 1:
        raise Mistyped("the check figures do not fit: a figure was mistyped or misread")
    return plain


MARKED: Final = "v1-"
"""How the mark of a number begins: what the journals keep in place of the number, made with a key they do not have."""


def is_mark(voucher: str) -> bool:
    return voucher.startswith(MARKED)


def grouped(code: str) -> str:
    """The code as it is printed, in groups of four."""
    return " ".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


# ---------------------------------------------------------------- amounts in words

_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LARGE: Final = ((10**9, "thousand million"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))


def in_words(cents: Cents) -> str:
    """An amount in words, as a voucher prints it beside the figures."""
    if cents < 0:
        raise ValueError(f"a voucher is for an amount above nothing: {cents}")
    whole, rest = divmod(cents, 100)
    words = f"{_number(whole)} {'dollar' if whole == 1 else 'dollars'}"
    if rest:
        words += f" and {_number(rest)} {'cent' if rest == 1 else 'cents'}"
    return words[0].upper() + words[1:]


def _number(value: int) -> str:
    if value < len(_SMALL):
        return _SMALL[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    size, name = next((size, name) for size, name in _LARGE if value >= size)
    many, rest = divmod(value, size)
    joined = " and " if 0 < rest < 100 else " "
    return f"{_number(many)} {name}" + (f"{joined}{_number(rest)}" if rest else "")
