"""What the cage shows: its drawer and shift, what the house owes on vouchers, the drop, and the meters.

Everything here is derived: from the cage as far as it is durable, from the book of vouchers, from the balances of the
tables and from the ledger rows.  The numbers of vouchers are shown by their last figures only, because whoever knows a
whole number can be paid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import func, select

from croupier.floor.keeping.host import Host
from croupier.floor.keeping.vouchers import FIGURES, IssuedVouchers, locked, newest
from croupier.floor.rooms.cage.answers import VoucherStands
from croupier.floor.rooms.cage.barcode import bars, modules
from croupier.floor.store.durable import Store
from croupier.floor.store.schema import ledger
from croupier.game import Refusal
from croupier.house.cage.codes import grouped, in_words, is_mark
from croupier.house.cage.messages import Issued
from croupier.house.cage.state import DAY_MS, NAME, OVER_AND_SHORT, REFUSED, UNCLAIMED, VAULT, Cage, Shift, tray_of
from croupier.house.cage.vouchers import expired, not_payable
from croupier.journal.accounts import BANK, CASH, CHEQUES, VOUCHERS, parted
from croupier.money import Cents

SHOWN: Final = 60
AGES: Final = ((1, "under a day"), (7, "1 to 7 days"), (30, "7 to 30 days"), (0, "over 30 days"))

TO_PAY, PAID, EXPIRED, VOIDED, HELD, PRACTICE = "to pay", "paid", "expired", "voided", "held", "practice"


def last_figures(key: str) -> str:
    return f"… {key[-FIGURES:]}" if is_mark(key) else f"… {grouped(key)[-9:]}"


def standing(cage: Cage, code: str, issued: Issued, *, at_ms: int) -> tuple[str, Refusal | None]:
    """The state of a voucher in one word, and why it is not paid at the window if it is not."""
    refusal = not_payable(cage, code, issued)
    ended = cage.ended.get(code)
    if (ended is not None and ended.how == PAID) or issued.paid:
        return PAID, refusal
    if ended is not None and ended.how == VOIDED:
        return VOIDED, refusal
    if refusal is not None:
        return HELD if issued.held else PRACTICE, refusal
    return (EXPIRED if expired(cage, code, issued, at_ms=at_ms) else TO_PAY), None


def voucher_view(cage: Cage, key: str, issued: Issued, *, at_ms: int, code: str) -> dict[str, Any]:
    """A voucher, as whoever holds it may see it: with its number, which that person has."""
    return {"code": code, "grouped": grouped(code), "bars": bars(code), "modules": modules(code)} | _voucher_view(
        cage, key, issued, at_ms=at_ms
    )


def _voucher_view(cage: Cage, key: str, issued: Issued, *, at_ms: int) -> dict[str, Any]:
    state, refusal = standing(cage, key, issued, at_ms=at_ms)
    ended = cage.ended.get(key)
    return {
        "state": state,
        "reason": refusal.reason if refusal else "",
        "rule": refusal.rule if refusal else "",
        "amount": issued.amount,
        "words": in_words(issued.amount),
        "table": "" if issued.table == NAME else issued.table,
        "terminal": issued.terminal,
        "issued_ms": issued.at_ms,
        "line": issued.line,
        "expires_ms": cage.expires_ms(issued.at_ms),
        "practice": issued.practice,
        "ended_ms": ended.at_ms if ended else 0,
        "ended_by": ended.by if ended else "",
    }


def _row(cage: Cage, code: str, issued: Issued, *, at_ms: int) -> dict[str, Any]:
    voucher = _voucher_view(cage, code, issued, at_ms=at_ms)
    return {"last": last_figures(code)} | {name: voucher[name] for name in VoucherStands.__struct_fields__}


# ---------------------------------------------------------------- what is owed


def owed(cage: Cage, book: IssuedVouchers, hosts: Mapping[str, Host], *, at_ms: int) -> dict[str, Any]:
    """The open vouchers: how many, for how much, how old, from where; and the newest of all."""
    every = [(code, locked(issued, hosts)) for code, issued in newest(book)]
    still = [
        (code, issued)
        for code, issued in every
        if standing(cage, code, issued, at_ms=at_ms)[0] in (TO_PAY, HELD, EXPIRED) and code not in cage.ended
    ]
    return {
        "count": len(still),
        "cents": sum(issued.amount for _, issued in still),
        "ages": [_sum(name, [i for _, i in still if _age(i, at_ms) == name]) for _, name in AGES],
        "tables": [
            _sum("cage" if table == NAME else table, [issued for _, issued in still if issued.table == table])
            for table in sorted({issued.table for _, issued in still})
        ],
        "unclaimed": cage.balances.get(UNCLAIMED, 0),
        "refused": cage.balances.get(REFUSED, 0),
        "recent": [_row(cage, code, issued, at_ms=at_ms) for code, issued in every[:SHOWN]],
    }


def _age(issued: Issued, at_ms: int) -> str:
    return next(name for days, name in AGES if not days or at_ms - issued.at_ms < days * DAY_MS)


def _sum(name: str, issued: list[Issued]) -> dict[str, Any]:
    return {"name": name, "count": len(issued), "cents": sum(each.amount for each in issued)}


def credits_of(hosts: Mapping[str, Host]) -> dict[str, Cents]:
    """What players have on the tables: chips and stakes, and how many hold any."""
    holders: set[tuple[str, str]] = set()
    total = 0
    for name, host in hosts.items():
        for account, cents in host.shown.balances.items():
            kind, whose = parted(account)
            if kind in ("chips", "stakes") and cents:
                holders.add((name, whose))
                total += cents
    return {"cents": total, "count": len(holders)}


# ---------------------------------------------------------------- drop and meters


def taken_by(book: IssuedVouchers, host: Host, box: str = "") -> Cents:
    """The cash that a note acceptor took; or that a table took beside them, net of what it paid out in cash."""
    name = host.shown.name
    if box:
        return book.notes.get((name, box), 0)
    return -host.shown.balances.get(CASH, 0) - sum(cents for (table, _), cents in book.notes.items() if table == name)


def expected_drop(cage: Cage, book: IssuedVouchers, host: Host, box: str = "") -> Cents:
    """What a box should hold now."""
    return taken_by(book, host, box) - cage.dropped(host.shown.name, box)


def boxes(book: IssuedVouchers, hosts: Mapping[str, Host]) -> list[tuple[str, str]]:
    """Every box that can be emptied: one a table, and the acceptors of its terminals."""
    return [
        (name, box)
        for name, host in hosts.items()
        for box in ("", *sorted({*host.shown.terminals, *(box for table, box in book.notes if table == name)}))
    ]


def drops(cage: Cage, book: IssuedVouchers, hosts: Mapping[str, Host]) -> list[dict[str, Any]]:
    return [
        {
            "table": name,
            "box": box,
            "taken": taken_by(book, hosts[name], box),
            "expected": expected_drop(cage, book, hosts[name], box),
            "tray": 0 if box else -cage.balances.get(tray_of(name), 0),
        }
        for name, box in boxes(book, hosts)
    ]


METERS: Final = (
    ("cash_in", CASH, "chips"), ("wagered", "chips", "stakes"), ("returned", "stakes", "chips"), ("won", BANK, "chips"),
    ("lost", "stakes", BANK), ("vouchers", "chips", VOUCHERS), ("cash_out", "chips", CASH),
    ("cheques", "chips", CHEQUES), ("moved", "chips", "chips"),
)  # fmt: skip
"""Each meter by the kinds of account that its transfers go from and to."""


def meters(store: Store, tables: Iterable[str]) -> list[dict[str, Any]]:
    """The meters of every terminal and player of the tables, summed from the ledger rows."""
    query = select(ledger.c.debit, ledger.c.credit, func.sum(ledger.c.cents)).group_by(ledger.c.debit, ledger.c.credit)
    summed = []
    with store.reading() as connection:
        for table in tables:
            rows = connection.execute(query.where(ledger.c.table_name == table))
            summed += _metered(table, [(debit, credit, int(cents)) for debit, credit, cents in rows])
    return summed


def _metered(table: str, rows: list[tuple[str, str, int]]) -> list[dict[str, Any]]:
    known = {(debit, credit): name for name, debit, credit in METERS}
    sums: dict[str, dict[str, int]] = {}
    for debit, credit, cents in rows:
        (gave, giver), (got, taker) = parted(debit), parted(credit)
        meter = known.get((gave, got), "other")
        holder = sums.setdefault(giver or taker, {})
        holder[meter] = holder.get(meter, 0) + cents
    return [{"table": table, "holder": holder, **each} for holder, each in sorted(sums.items()) if holder]


# ---------------------------------------------------------------- shifts


def shift_view(shift: Shift, cage: Cage | None = None) -> dict[str, Any]:
    """A shift and its reconciliation; while it is open, `cage` says what the drawer should hold."""
    expected = (cage.cash, cage.chips) if cage is not None else shift.expected
    counted = shift.counted
    return {
        "number": shift.number,
        "opened_ms": shift.opened_ms,
        "opened_by": shift.opened_by,
        "closed_ms": shift.closed_ms,
        "closed_by": shift.closed_by,
        "reason": shift.reason,
        "flows": [
            {"kind": kind, "count": flow.count, "cash": flow.cash, "chips": flow.chips}
            for kind, flow in shift.flows.items()
        ],
        "drops": [
            {"table": drop.table, "box": drop.box, "expected": drop.expected, "counted": drop.counted}
            for drop in shift.drops
        ],
        "expected": {"cash": expected[0], "chips": expected[1]},
        "counted": {"cash": counted[0], "chips": counted[1]} if counted else None,
    }


def cage_view(cage: Cage, book: IssuedVouchers, hosts: Mapping[str, Host], *, at_ms: int) -> dict[str, Any]:
    """Everything that the page of the cage shows."""
    return {
        "at_ms": at_ms,
        "practice": cage.practice,
        "expiry_days": cage.expiry_days,
        "shift": shift_view(cage.shift, cage) if cage.shift else None,
        "last_shift": shift_view(cage.closed[-1]) if cage.closed else None,
        "drawer": {
            "cash": cage.cash,
            "chips": cage.chips,
            "vault": -cage.balances.get(VAULT, 0),
            "over_and_short": cage.balances.get(OVER_AND_SHORT, 0),
        },
        "owed": owed(cage, book, hosts, at_ms=at_ms),
        "credits": credits_of(hosts),
        "drop": drops(cage, book, hosts),
    }


def report(
    cage: Cage, book: IssuedVouchers, hosts: Mapping[str, Host], *, number: int, at_ms: int
) -> dict[str, Any] | None:
    """The report of a shift (0: the one in hand, or the last): reconciliation, liability and drop."""
    shifts = (*cage.closed, *((cage.shift,) if cage.shift else ()))
    shift = next((each for each in reversed(shifts) if number in (0, each.number)), None)
    if shift is None:
        return None
    still_open = cage if shift is cage.shift else None
    liability = owed(cage, book, hosts, at_ms=at_ms)
    liability.pop("recent")
    return {
        "at_ms": at_ms,
        "practice": cage.practice,
        "shift": shift_view(shift, still_open),
        "owed": liability,
        "credits": credits_of(hosts),
        "drop": drops(cage, book, hosts),
    }
