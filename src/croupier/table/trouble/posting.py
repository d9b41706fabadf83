"""Differences found later, posted to whoever they concern.

A terminal is played by one person after another under the same account.  A difference of a round from before the
present player came belongs to somebody who has been paid out: nothing is taken from the present player's credits, and
nothing is added to them.  What is missing becomes a debt and a report, what is due waits for its voucher.

A round may be changed again, or its payment refused.  What it gave and was not fetched yet is then taken from there
first, and what it took and is still owed is given there first, so that nobody is paid and owes for one round (R-213).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace as changed

from croupier.journal.accounts import BANK, due_from, moves, owed_by, waits_for
from croupier.journal.messages import Transfer
from croupier.law.general import in_force
from croupier.money import Cents
from croupier.once import replace
from croupier.table.events import Events, Flagged
from croupier.table.money.settling import difference
from croupier.table.state import RECORDS_KEPT, Record, Table
from croupier.table.terminals.events import VoucherDue
from croupier.table.terminals.state import Unfetched


def gone(table: Table, player: str, number: int) -> bool:
    """Whether whoever played a round at this terminal has been paid out since."""
    terminal = table.terminals.get(player)
    if terminal is None:
        return player in table.retired
    return not (terminal.active and number >= terminal.since)


def covered_by(table: Table, player: str, number: int) -> Cents:
    """The chips from which a loss in an earlier round can be taken."""
    return 0 if gone(table, player, number) else table.chips(player)


def posted(
    table: Table, number: int, player: str, amount: Cents, *, rule: str, have: Cents | None = None
) -> tuple[Transfer, ...]:
    """The transfers of what somebody gains or loses by a later change of a round; `have`: the chips, if not all."""
    back = _waited(table, number, player, amount)
    cleared = moves(
        Transfer(BANK, owed_by(player), max(back, 0), rule), Transfer(due_from(player), BANK, max(-back, 0), rule)
    )
    amount -= back
    if not gone(table, player, number):
        have = table.chips(player) if have is None else have
        return (*cleared, *difference(player, amount, have=have, rule=rule))
    due, owed = Transfer(BANK, due_from(player), max(amount, 0), rule), max(-amount, 0)
    return (*cleared, *moves(due, Transfer(owed_by(player), BANK, owed, rule)))


def _waited(table: Table, number: int, player: str, amount: Cents) -> Cents:
    """The part of a gain that clears a debt of the same round, or of a loss that takes back what is due from it."""
    record = table.record(number)
    waiting = record.waiting.get(player, 0) if record else 0
    if amount > 0 > waiting:
        return min(amount, -waiting, max(0, -table.balances.get(owed_by(player), 0)))
    if amount < 0 < waiting:
        return -min(-amount, waiting, table.balances.get(due_from(player), 0))
    return 0


def waiting_after(record: Record, transfers: Iterable[Transfer]) -> Record:
    """The record of a round once these transfers of a later change of it were posted."""
    waiting = dict(record.waiting)
    for each in transfers:
        for account, other, amount in ((each.debit, each.credit, -each.amount), (each.credit, each.debit, each.amount)):
            player = waits_for(account) if other == BANK else ""
            if player:
                waiting[player] = waiting.get(player, 0) + amount
    return replace(record, waiting=waiting) if waiting != record.waiting else record


def fetched(table: Table, terminal: str, rounds: tuple[int, ...]) -> Table:
    """The table once what was due from a terminal for these rounds was paid; none: for all of them."""

    def paid(record: Record) -> Record:
        left = {name: amount for name, amount in record.waiting.items() if name != terminal or amount < 0}
        this = (record.number in rounds or not rounds) and left != record.waiting
        return replace(record, waiting=left) if this else record

    still = (each for each in table.unfetched if each.terminal != terminal or (rounds and each.round not in rounds))
    return changed(table, records=tuple(map(paid, table.records)), unfetched=tuple(still))


def remembered(table: Table, record: Record) -> Table:
    """The table with the record of a round that ended, and without those that it forgets now.

    A round whose wagers are to be refunded stays until they are, however long a malfunction is looked into; of the
    others what is due is kept, with whose it is.
    """
    records = (*table.records, record)
    old, last = records[:-RECORDS_KEPT], records[-RECORDS_KEPT:]
    wanted = {number for case in table.cases if not (case.refunded or case.closed) for _, number in case.refused}
    due = (
        Unfetched(name, each.since.get(name, 0), each.number, amount)
        for each in old
        if each.number not in wanted
        for name, amount in each.waiting.items()
        if amount > 0
    )
    kept = (each for each in old if each.number in wanted)
    return changed(table, records=(*kept, *last), unfetched=(*table.unfetched, *due))


def owing(table: Table, player: str) -> Cents:
    """What corrections, and payments recovered in part, left owing that can be taken from this player's chips.

    Where commission may be owed, all is collected with that.  At a terminal it is what the present player owes; of a
    payment that a malfunction made only what was not handed out yet is refused (NZEB-12.4).
    """
    total = max(0, -table.balances.get(owed_by(player), 0))
    if not total or in_force(table.general.money.deferral):
        return 0
    if player not in table.terminals:
        return total
    return min(total, sum(_owed_of(table, record, player) for record in table.records))


def _owed_of(table: Table, record: Record, player: str) -> Cents:
    """What a player owes of one round; nothing if somebody else played it at the same terminal."""
    refused = any((player, record.number) in case.refused for case in table.cases)
    another = player in table.terminals and (refused or gone(table, player, record.number))
    return 0 if another else max(0, -record.waiting.get(player, 0))


def paid_back(table: Table, player: str, amount: Cents) -> Table:
    """The table once a player has paid so much of what earlier rounds left owing, of the earliest first."""
    records: list[Record] = []
    for record in table.records:
        paid = min(amount, _owed_of(table, record, player))
        amount -= paid
        now = {**record.waiting, player: record.waiting[player] + paid} if paid else record.waiting
        records.append(replace(record, waiting=now) if paid else record)
    return changed(table, records=tuple(records))


class Waiting(NamedTuple):
    """What waits for one of those who played at a terminal, and of which of their rounds."""

    terminal: str
    rounds: tuple[int, ...]
    amount: Cents


def due_to(table: Table, terminal: str) -> tuple[Waiting, ...]:
    """What is due from a terminal to each who played there, the earliest first.

    What earlier releases left due of rounds that the table had forgotten comes last, and without a round.
    """
    found: dict[int, Waiting] = {}
    for since, number, amount in _waits(table, terminal):
        known = found.get(since, Waiting(terminal, (), 0))
        found[since] = Waiting(terminal, (*known.rounds, number), known.amount + amount)
    left = table.balances.get(due_from(terminal), 0) - sum(each.amount for each in found.values())
    return (*found.values(), *((Waiting(terminal, (), left),) if left > 0 else ()))


def _waits(table: Table, terminal: str) -> Iterator[tuple[int, int, Cents]]:
    """Whose, of which round and how much is due from a terminal."""
    yield from ((each.since, each.round, each.amount) for each in table.unfetched if each.terminal == terminal)
    for record in table.records:
        if (amount := record.waiting.get(terminal, 0)) > 0:
            yield record.since.get(terminal, 0), record.number, amount


def consequences(table: Table, number: int, nets: dict[str, Cents], *, about: str, rule: str) -> Events:
    """The reports on differences that were not covered, and the vouchers due to those who had been paid out."""
    left = {player: nets[player] - _waited(table, number, player, nets[player]) for player in sorted(nets)}
    short = [player for player, amount in left.items() if -amount > covered_by(table, player, number)]
    due = [player for player, amount in left.items() if amount > 0 and gone(table, player, number)]
    return (
        *(Flagged(about=f"round {number}: {about}", player=player, rule=rule) for player in short),
        *(VoucherDue(terminal=player, round=number, amount=left[player], rule=rule) for player in due),
    )


def refunded_under(table: Table, ground: str, rule: str) -> str:
    """The rule that gives back the wagers of a round without an outcome; `rule` makes its spin void, if that is why."""
    trouble = table.general.trouble
    return trouble.refunds.rule if any(ground in law.value for law in trouble.grounds.values()) else rule
