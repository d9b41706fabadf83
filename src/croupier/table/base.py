"""What every command and every event is made of.

The vocabulary of a table is on two pages each: `commands.py` and `events.py` for any table, `terminal_commands.py` and
`terminal_events.py` for tables with terminals.  Both pages start from here.
"""

from __future__ import annotations

import msgspec

from croupier.money import Cents


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The base of all commands; the tag is the name of the class."""


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Money from one account to another, and the rule that moves it."""

    debit: str
    credit: str
    amount: Cents
    rule: str


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """The base of all events; `rule` is what it happened under, `transfers` the money it moved."""

    rule: str
    transfers: tuple[Transfer, ...] = ()
