"""What one group of work is going to write, decided before a row is written.

Theory of operation.  A `GroupPlan` starts from what the database says about the tables and command ids of the group
(`begin`), takes each piece of work in the order it was queued (`place`), and is written as a whole: the command ids
with what goes with them (`beside`), then the rest (`write`).  It works on copies: a plan that is not committed leaves
no trace, not even in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from croupier.floor.store.appends import (
    AccountRow,
    Append,
    AppendAnswer,
    Appended,
    IdTaken,
    KeepSnapshot,
    Kept,
    NotOwner,
    Repeated,
    SignHead,
    Stale,
)
from croupier.floor.store.chain import genesis, link
from croupier.floor.store.heads import Head, Key, signed, snapshot_text
from croupier.floor.store.schema import (
    TableRows,
    account,
    head,
    journal,
    known_commands,
    ledger,
    put,
    snapshot,
)

Where: TypeAlias = tuple[int, bytes]
Row: TypeAlias = tuple[Any, ...]
"""Values in the order of the columns."""
Written: TypeAlias = Append | SignHead | KeepSnapshot

_LAST = (
    select(journal.c.number, journal.c.hash)
    .where(journal.c.table_name == bindparam("name"))
    .order_by(journal.c.number.desc())
    .limit(1)
)
_HASH = select(journal.c.hash).where(journal.c.table_name == bindparam("name"), journal.c.number == bindparam("line"))
_ORDINAL = select(func.max(head.c.ordinal)).where(head.c.table_name == bindparam("name"))


@dataclass(slots=True)
class GroupPlan:
    """The heads of the tables as the group leaves them, and the rows that bring them there."""

    connection: Connection
    key: Key
    owned: Mapping[str, int]
    heads: dict[str, Where]
    known: dict[str, Repeated]
    lines: list[Row] = field(default_factory=list)
    money: list[Row] = field(default_factory=list)
    commands: list[Row] = field(default_factory=list)
    accounts: list[AccountRow] = field(default_factory=list)
    signed: list[Head] = field(default_factory=list)
    snapshots: dict[str, dict[str, Any]] = field(default_factory=dict)
    news: dict[str, int] = field(default_factory=dict)


def last_line(connection: Connection, table: str) -> Where:
    """Where the journal of a table stands."""
    row = connection.execute(_LAST, {"name": table}).first()
    return (row.number, row.hash) if row else (0, genesis(table))


def begin(
    connection: Connection,
    works: Sequence[Written],
    *,
    key: Key,
    owned: Mapping[str, int],
    heads: Mapping[str, Where],
    look: bool = True,
) -> GroupPlan:
    """A plan that knows what the database says about these works; `heads` is what is known already.

    `owned` are the tables that this process owns, each with its epoch.  Without a `look` no command counts as known.
    """
    ids = [work.command for work in works if isinstance(work, Append)] if look else []
    rows = known_commands(connection, ids) if ids else ()
    known = {id_: Repeated(*known) for id_, *known in rows}
    here = {name: heads[name] if name in heads else last_line(connection, name) for name in owned}
    return GroupPlan(connection, key, owned, here, known)


def place(plan: GroupPlan, work: Written) -> AppendAnswer | Head | Kept:
    """Put one piece of work into the plan; the answer holds once the plan is committed."""
    if isinstance(work, Append) and work.command in plan.known:
        known = plan.known[work.command]
        return known if known.is_of(work.table, work.request) else IdTaken(work.table)
    if work.table not in plan.owned:
        return NotOwner(work.table)
    match work:
        case Append():
            return _append(plan, work)
        case SignHead():
            return _sign(plan, work)
        case KeepSnapshot():
            return _keep(plan, work)


def _append(plan: GroupPlan, work: Append) -> Appended | Stale | NotOwner:
    if work.epoch not in (None, plan.owned[work.table]):
        # It was queued before the table was another's.  Its number may fit again, and what it was decided upon not.
        return NotOwner(work.table)
    last, chain = plan.heads[work.table]
    if last != work.after:
        return Stale(work.table, work.after, last)
    for body in work.lines:
        last, chain = last + 1, link(chain, body)
        plan.lines.append((work.table, last, body.decode(), chain))
    for position, row in enumerate(work.ledger):
        plan.money.append((work.table, row.number, position, row.debit, row.credit, row.cents, row.rule))
    plan.commands.append((work.command, work.table, last, work.answer, work.request))
    plan.accounts += work.accounts
    plan.known[work.command] = Repeated(work.table, last, work.answer, work.request)
    plan.heads[work.table] = (last, chain)
    if work.lines:
        plan.news[work.table] = last
    return Appended(work.table, last, chain)


def sign_news(plan: GroupPlan, tables: Iterable[str], at_ms: int) -> None:
    """Sign the heads of tables that this plan adds to, unless somebody asked for that anyway."""
    signed_at = {made.table: made.number for made in plan.signed}
    for table in tables:
        if signed_at.get(table, -1) < plan.heads[table][0]:
            _sign(plan, SignHead(table, at_ms))


def _sign(plan: GroupPlan, work: SignHead) -> Head:
    last, chain = plan.heads[work.table]
    made = Head(work.table, _ordinal(plan, work.table), last, chain, work.at_ms, plan.key.public)
    plan.signed.append(signed(plan.key, made))
    return plan.signed[-1]


def _ordinal(plan: GroupPlan, table: str) -> int:
    for made in reversed(plan.signed):
        if made.table == table:
            return made.ordinal + 1
    return (plan.connection.execute(_ORDINAL, {"name": table}).scalar() or 0) + 1


def _keep(plan: GroupPlan, work: KeepSnapshot) -> Kept | Stale:
    chain = _hash_at(plan, work.table, work.number)
    if chain is None:
        return Stale(work.table, work.number, plan.heads[work.table][0])
    text = snapshot_text(work.table, work.number, chain=chain, body=work.body)
    plan.snapshots[work.table] = {
        "table_name": work.table,
        "number": work.number,
        "hash": chain,
        "body": work.body,
        "key": plan.key.public,
        "signature": plan.key.private.sign(text),
    }
    return Kept(work.table, work.number)


def _hash_at(plan: GroupPlan, table: str, number: int) -> bytes | None:
    """The hash of a line, be it in the database or in this plan."""
    last, chain = plan.heads[table]
    if number in (0, last):
        return chain if number == last else genesis(table)
    for name, line, _, chain in plan.lines:
        if (name, line) == (table, number):
            return bytes(chain)
    return plan.connection.execute(_HASH, {"name": table, "line": number}).scalar()


def beside(plan: GroupPlan) -> list[TableRows]:
    """The rows that go with the command ids."""
    several: list[TableRows] = [(journal, plan.lines), (ledger, plan.money), (head, [*map(head_row, plan.signed)])]
    return [(table, rows) for table, rows in several if rows]


def write(plan: GroupPlan) -> None:
    """Write everything else; what goes with no command id too."""
    connection = plan.connection
    if not plan.commands and (several := beside(plan)):
        put(connection, *several)
    for person in plan.accounts:
        _write_account(connection, person)
    if plan.snapshots:
        connection.execute(delete(snapshot).where(snapshot.c.table_name.in_(plan.snapshots)))
        connection.execute(insert(snapshot), list(plan.snapshots.values()))


def _write_account(connection: Connection, person: AccountRow) -> None:
    """The person as now; in order, because one group may change the same person twice."""
    row, here = asdict(person), account.c.name == person.name
    if person.verifier:
        connection.execute(delete(account).where(here))
        connection.execute(insert(account), row)
    else:
        kept = {name: value for name, value in row.items() if name not in ("name", "verifier")}
        connection.execute(update(account).where(here).values(kept))


def head_row(made: Head) -> Row:
    return (made.table, made.ordinal, made.number, made.hash, made.at_ms, made.key, made.signature)
