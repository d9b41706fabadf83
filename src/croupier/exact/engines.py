"""The rows of the games that have an engine of their own, in the one form of the sheet.

Caribbean stud and blackjack depend on how a hand is played, so their rows name a policy.  The jackpot depends on money
besides: without a pool and a stake its row holds the figures of an empty pool, and says what it needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from croupier.exact.pricing import NEEDS_SUITS
from croupier.exact.ways import Worth
from croupier.money import LARGEST_AMOUNT, Cents, parse_amount
from croupier.once import dataclass

POOL_AND_STAKE = "--pool and --stake"
ONE_DOLLAR: Cents = 100
JACKPOTS = frozenset({"caribbean_stud"})


@dataclass(frozen=True, slots=True)
class OddsAsked:
    """What a sheet is asked for beyond the rules and the shoe.

    `pool_cents` and `stake_cents` are a jackpot's; `exact` weighs blackjack in fractions; `quick` leaves out what takes
    seconds rather than parts of one: Runs.
    """

    pool_cents: Cents | None = None
    stake_cents: Cents | None = None
    exact: bool = False
    quick: bool = False


PLAINLY = OddsAsked()


def money_of(game: str, option: str, word: str | None) -> Cents | None:
    """Money of a jackpot as it is typed: a whole number of cents, or dollars with their sign."""
    if word is None:
        return None
    if game not in JACKPOTS:
        raise ValueError(f"{option} is a jackpot's, and {game} has none")
    text = word.strip()
    if text.startswith("$"):
        try:
            return parse_amount(text[1:].replace(",", ""))
        except ValueError as error:
            raise ValueError(f"{option} {word!r:.40}: {error}") from error
    if not re.fullmatch(r"[0-9]{1,13}", text) or int(text) > LARGEST_AMOUNT:
        raise ValueError(f"{option} is a whole number of cents, or dollars like $12.50: {word!r:.40}")
    return int(text)


@dataclass(frozen=True, slots=True)
class RowsFound:
    """Rows, and the wagers without one with the reason."""

    lines: list[Worth]
    left_out: list[tuple[str, str]]


# ---------------------------------------------------------------- Caribbean stud


def stud_rows(rules: Any, shoe: Sequence[int], asked: OddsAsked) -> RowsFound:
    """The ante with its bet by the best play, and the jackpot beside it."""
    from croupier.exact.caribbean_stud import caribbean_stud_sheet
    from croupier.exact.caribbean_stud.policy import LEAST, checked_counts
    from croupier.exact.caribbean_stud.rows import void_rows
    from croupier.games.caribbean_stud.bets import wagers

    if len(shoe) != 52:
        return RowsFound([], [(name, NEEDS_SUITS) for name in wagers(rules)])
    if sum(shoe) < LEAST:
        checked_counts(shoe)
        return RowsFound(void_rows(rules), [])
    known = asked.pool_cents is not None and asked.stake_cents is not None
    pool = 0 if asked.pool_cents is None else asked.pool_cents
    stake = ONE_DOLLAR if asked.stake_cents is None else asked.stake_cents
    made = caribbean_stud_sheet(rules, deck=shoe, pool_cents=pool, stake_cents=stake)
    lines = []
    for row in made.rows:
        assert row.worth is not None
        needs = POOL_AND_STAKE if row.stake_cents is not None and not known else ""
        even = row.break_even_cents
        line = replace(row.worth, policy=row.policy, break_even_cents=even, needs=needs, stake_cents=row.stake_cents)
        lines.append(line if row.stake_cents is not None else replace(line, note=_played(made.play)))
    return RowsFound(lines, [])


def _played(play: Any) -> str:
    """What a reader wants to know of the play beside the edge."""
    bets, risk = (f"{float(part * 100):.4f} %" for part in (play.bet_frequency, play.element_of_risk))
    return f"bets on {bets} of hands; the edge is {risk} of all that is staked on ante and bet"


# ---------------------------------------------------------------- blackjack


def blackjack_rows(rules: Any, shoe: Sequence[int], asked: OddsAsked) -> RowsFound:
    """The main wager by the best play and the best chart, insurance, and Super Sevens by what is done with sevens."""
    from croupier.exact.blackjack import blackjack_sheet, left_out

    rows = blackjack_sheet(rules, shoe, exact=asked.exact)
    lines = [replace(row.worth, policy=row.policy, method=row.method, shares=row.shares, note=row.note) for row in rows]
    return RowsFound(lines, list(left_out(rules, shoe)))


ENGINES = {"caribbean_stud": stud_rows, "blackjack": blackjack_rows}
