"""Which lines of the other journals are significant events.

Each event of a table, a link or the cage that is on the list of kinds is one case here.  Nothing is kept from line to
line, so that any process finds the same in the same feed, wherever it begins to read.  A large win is one wager that
won what the settings name, or more.
"""

from __future__ import annotations

import re
from typing import Any, Final

from croupier.house.cage import messages as cage
from croupier.house.jackpot import messages as link
from croupier.house.significant.messages import Noted
from croupier.journal.messages import Entry
from croupier.journal.names import is_table, own_name
from croupier.money import Cents
from croupier.table import events as e
from croupier.table.terminals import events as t

CAGE = "@cage"
_LOOKED_AT: Final = (
    t.MalfunctionReported, t.LockedOut, t.VoucherDue, e.RoundCorrected, e.RoundInvalidated, e.JackpotClaimed,
    e.UnclaimedHeld, e.WagerSettled, cage.VoucherVoided, link.HandsCorrected,
)  # fmt: skip
_TYPES: Final = re.compile(rf'"type":"(?:{"|".join(kind.__name__ for kind in _LOOKED_AT)})"'.encode())


def seen(journal: str, body: bytes, large_win: Cents) -> Noted | None:
    """The significant event that a line is, without its number in the feed; nothing if it is none.

    `large_win` are the winnings from which on a win is large; none is if that is nothing.
    """
    # Most lines are none, and looking at the bytes is much quicker than reading them.
    if _TYPES.search(body) is None:
        return None
    if journal == CAGE:
        return _of_the_cage(cage.decode(body))
    if own_name(journal, "@link:"):
        return _of_a_link(link.decode(body))
    return _of_a_table(journal, e.decode(body), large_win) if is_table(journal) else None


def _noted(entry: Entry[Any], kind: Any, **parts: Any) -> Noted:
    second = entry.second or ""
    return Noted(
        kind=kind,
        at_ms=entry.at_ms,
        person=entry.by,
        second=second,
        rule=entry.event.rule,
        line=entry.number + 1,
        **parts,
    )


def _of_a_table(table: str, entry: e.TableEntry, large_win: Cents) -> Noted | None:
    event = entry.event
    match event:
        case t.MalfunctionReported(terminal=terminal, fault=fault):
            return _noted(entry, "malfunction", table=table, device=terminal, said=fault)
        case t.LockedOut(terminal=terminal):
            return _noted(entry, "lock_out", table=table, device=terminal)
        case t.VoucherDue(terminal=terminal, round=number, amount=cents):
            return _noted(entry, "unpaid", table=table, device=terminal, round=number, cents=cents)
        case e.RoundCorrected(round=number, reason=reason):
            return _noted(entry, "correction", table=table, round=number, said=reason)
        case e.RoundInvalidated(round=number, ground=ground):
            return _noted(entry, "correction", table=table, round=number, said=ground)
        case e.JackpotClaimed(round=number, link=name):
            return _noted(entry, "jackpot", table=table, round=number, device=name)
        case e.UnclaimedHeld(player=player, amount=cents):
            return _noted(entry, "unpaid", table=table, device=player, cents=cents)
        case e.WagerSettled(player=player, on=on, pays=cents) if large_win and cents >= large_win:
            return _noted(entry, "large_win", table=table, device=player, cents=cents, said=on)
        case _:
            return None


def _of_the_cage(entry: Entry[Any]) -> Noted | None:
    match entry.event:
        case cage.VoucherVoided(refused=cents, table=table, terminal=terminal, reason=reason):
            return _noted(entry, "unpaid", table=table, device=terminal, cents=cents, said=reason)
        case _:
            return None


def _of_a_link(entry: Entry[Any]) -> Noted | None:
    match entry.event:
        case link.HandsCorrected(table=table, round=number):
            return _noted(entry, "correction", table=table, round=number)
        case _:
            return None
