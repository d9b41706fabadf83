"""A wager that was made in several goes, and a part of it called down.

Chips added to a wager make one with it (R-206), though each addition has a line of its own in the book.  A bettor may
call down any part of it, and what goes back is taken from the top: from the chips that were put there last.  So what
is left bears the commission of a wager that was never greater, and no more than its rate.

Each line is called down by its number, one after another, and each call is a fact of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.game import Called, Wager
from croupier.law.officials import PLAYER
from croupier.money import Cents
from croupier.notation import write_fact
from croupier.round import TAKE, stack
from croupier.table.betting.ways import known_already
from croupier.table.commands import TableRequest, Tell, WithdrawWager
from croupier.table.state import Table


def in_parts(table: Table, request: TableRequest) -> tuple[Tell, ...]:
    """The calls, line by line, that this request comes to; none, if it is of one line, or of no wager that can be."""
    match request.what:
        case Tell(fact={"take": str(on), "amount": int(amount), **rest}) if amount > 0:
            by = str(rest.get("by") or (request.by if request.role == PLAYER else ""))
            there = _one_wager(_free(table, by, on))
        case WithdrawWager(player=by, number=number):
            there, amount = _charged_too_much_without(table, by, number)
        case _:
            return ()
    if len(there) < 2 or amount >= sum(each.stake_cents for each in there):
        return ()
    return tuple(Tell(write_fact(call)) for call in _from_the_top(there, amount))


def _free(table: Table, by: str, on: str) -> tuple[Wager, ...]:
    """The wagers that a call to take down names, and that may come down."""
    this, parts = table.attended, table.procedure.parts
    return parts(this.rules, this.state, Called(TAKE, by=by, on=on)) if by else ()


def _one_wager(named: tuple[Wager, ...]) -> tuple[Wager, ...]:
    """The lines that make one wager; none, if those named make more."""
    return named if len({(each.on, stack(each)) for each in named}) == 1 else ()


def _charged_too_much_without(table: Table, by: str, number: int) -> tuple[tuple[Wager, ...], Cents]:
    """All of a wager whose other lines would bear more than their share of its commission, and how much this line is.

    The line that brought a wager up to the next chip of commission bears all of that, which is too much for it alone.
    """
    entry = table.line(number)
    if entry is None or entry.resolution is not None or entry.wager.by != by or known_already(table):
        return (), 0
    line = entry.wager
    there = tuple(each for each in _free(table, by, line.on) if stack(each) == stack(line))
    fee, stake = sum(each.fee_cents for each in there), sum(each.stake_cents for each in there)
    too_much = (fee - line.fee_cents) * stake > fee * (stake - line.stake_cents)
    return (there if too_much else ()), line.stake_cents


def _from_the_top(there: Iterable[Wager], amount: Cents) -> Iterator[Called]:
    """One call for each line that goes, or becomes smaller, the last first."""
    for wager in sorted(there, key=lambda each: each.number, reverse=True):
        part = min(amount, wager.stake_cents)
        amount -= part
        if part:
            rest: Cents = 0 if part == wager.stake_cents else part
            yield Called(TAKE, by=wager.by, on=f"#{wager.number}", amount_cents=rest)
