"""Differences found later, posted to whoever they concern.

A terminal is played by one person after another under the same account.  A difference of a round from before the
present player came belongs to somebody who has been paid out: nothing is taken from the present player's credits, and
nothing is added to them.  What is missing becomes a debt and a report, what is due waits for its voucher.
"""

from __future__ import annotations

from croupier.journal.accounts import BANK, chips_of, due_from, moves, owed_by
from croupier.journal.messages import Transfer
from croupier.money import Cents
from croupier.table.events import Events, Flagged
from croupier.table.money.settling import difference
from croupier.table.state import Table
from croupier.table.terminals.events import VoucherDue


def gone(table: Table, player: str, number: int) -> bool:
    """Whether whoever played a round at this terminal has been paid out since."""
    terminal = table.terminals.get(player)
    if terminal is None:
        return player in table.retired
    return not (terminal.active and number >= terminal.since)


def covered_by(table: Table, player: str, number: int) -> Cents:
    """The chips from which a loss in an earlier round can be taken."""
    return 0 if gone(table, player, number) else table.chips(player)


def posted(table: Table, number: int, player: str, amount: Cents, *, rule: str) -> tuple[Transfer, ...]:
    """The transfers of what somebody gains or loses by a later change of a round."""
    if not gone(table, player, number):
        return difference(player, amount, have=table.chips(player), rule=rule)
    return moves(
        Transfer(BANK, due_from(player), max(amount, 0), rule), Transfer(owed_by(player), BANK, max(-amount, 0), rule)
    )


def given_back(table: Table, number: int, player: str, amount: Cents, *, rule: str) -> tuple[Transfer, ...]:
    """A refund of an earlier round: to the account, or to wait for its voucher."""
    account = due_from(player) if gone(table, player, number) else chips_of(player)
    return moves(Transfer(BANK, account, amount, rule))


def consequences(table: Table, number: int, nets: dict[str, Cents], *, about: str, rule: str) -> Events:
    """The reports on differences that were not covered, and the vouchers due to those who had been paid out."""
    short = [player for player, amount in sorted(nets.items()) if -amount > covered_by(table, player, number)]
    due = [player for player, amount in sorted(nets.items()) if amount > 0 and gone(table, player, number)]
    return (
        *(Flagged(about=f"round {number}: {about}", player=player, rule=rule) for player in short),
        *(VoucherDue(terminal=player, round=number, amount=nets[player], rule=rule) for player in due),
    )
