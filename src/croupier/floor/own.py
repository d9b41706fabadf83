"""What a player may read of a journal: what everybody at the table saw, and what is the player's own.

Lines about another player, or about money of others only, are left out; where one line tells of several players, only
the player's own part stays.  What staff wrote for staff is not for players either.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from croupier.table import events as e
from croupier.table.events import Entry, Transfer

FOR_STAFF = (e.Flagged, e.InspectorNotified)


def own_lines(journal: Iterable[Entry], player: str) -> list[Entry]:
    """The lines that this player may read."""
    raised: set[int] = set()
    kept = []
    for line in journal:
        event = line.event
        if isinstance(event, e.DisputeRaised) and event.complainant == player:
            raised.add(event.dispute)
        decided = isinstance(event, e.DisputeDecided) and event.dispute not in raised
        if not isinstance(event, FOR_STAFF) and not decided and _is_own(event, player):
            kept.append(replace(line, event=_own_part(event, player)))
    return kept


def _is_own(event: Any, player: str) -> bool:
    """Whether an event is about everybody, or about this player."""
    named = getattr(event, "player", "") or getattr(event, "complainant", "") or getattr(event, "terminal", "")
    if named:
        return bool(named == player)
    people = [holder for move in event.transfers for holder in _holders(move)]
    return not people or player in people


def _holders(move: Transfer) -> list[str]:
    """The people between whom money moved; the accounts of the house have no name after a colon."""
    return [name for account in (move.debit, move.credit) for _, colon, name in [account.partition(":")] if colon]


def _own_part(event: Any, player: str) -> Any:
    transfers = tuple(move for move in event.transfers if set(_holders(move)) <= {player})
    part = replace(event, transfers=transfers) if transfers != event.transfers else event
    match part:
        case e.RoundCorrected(settled=settled, differences=differences):
            own = {name: cents for name, cents in differences.items() if name == player}
            return replace(part, settled=_settled(settled, player), differences=own)
        case e.RoundInvalidated(settled=settled, forfeited=forfeited):
            taken = tuple(name for name in forfeited if name == player)
            return replace(part, settled=_settled(settled, player), forfeited=taken)
        case e.TableOpened():
            return replace(part, private=())
        case _:
            return part


def _settled(lines: tuple[e.WagerSettled, ...], player: str) -> tuple[e.WagerSettled, ...]:
    return tuple(line for line in lines if line.player == player)
