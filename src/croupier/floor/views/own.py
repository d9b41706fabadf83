"""What a player may read of a journal: what everybody at the table saw, and what is the player's own.

Lines about another player, or about money of others only, are left out; where one line tells of several players, only
the player's own part stays.  What staff wrote for staff is not for players either.

Where hands lie face down, a card is told to the player whose it is; the dealer's once they were turned up.  A folded
hand is collected face down (NZ1996-VIII-8.2d), and without a showdown no hand is turned up at all (9.2b).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from croupier.game import AnyGame
from croupier.journal.messages import Transfer
from croupier.rulesets import known_game
from croupier.table import events as e
from croupier.table.events import TableEntry
from croupier.table.explain import dealt_to

FOR_STAFF = (e.Flagged, e.InspectorNotified)
COVERED = "a card, face down"


def _uncovered(journal: Sequence[TableEntry], player: str) -> list[TableEntry]:
    """The lines with every card covered that this player did not see."""
    opened = (line.event for line in journal if isinstance(line.event, e.TableOpened))
    game = next((known for event in opened if (known := known_game(event.law["game"])).face_down), None)
    if game is None:
        return list(journal)
    covered = []
    for lines in _rounds(journal):
        seen = _places(lines, player)
        covered += [replace(line, event=_seen(game, line.event, seen)) for line in lines]
    return covered


def _rounds(journal: Sequence[TableEntry]) -> list[list[TableEntry]]:
    """The lines of each round, its end last."""
    found: list[list[TableEntry]] = [[]]
    for line in journal:
        found[-1].append(line)
        if isinstance(line.event, e.RoundEnded | e.RoundInvalidated):
            found.append([])
    return found


def _places(lines: Sequence[TableEntry], player: str) -> set[str]:
    """The cards of a round that the player saw, by what was due: those of his box, and the dealer's if turned up."""
    stakes = [each.event for each in lines if isinstance(each.event, e.WagerPlaced)]
    own = {f"box {stake.box}" for stake in stakes if stake.player == player}
    ended = [each.event.outcome for each in lines if isinstance(each.event, e.RoundEnded)]
    return own | {"dealer" for outcome in ended if outcome.get("dealer")}


def _seen(game: AnyGame, event: Any, seen: set[str]) -> Any:
    match event:
        case e.RoundEnded(outcome=outcome):
            return replace(event, outcome=game.shown(outcome))
        case e.Happened(fact=str()) if dealt_to(event) not in seen:
            return replace(event, fact=COVERED)
        case e.FactTakenBack(fact=str()):
            return replace(event, fact=COVERED)
        case e.RoundCorrected(facts=facts):
            return replace(event, facts=tuple(COVERED if isinstance(fact, str) else fact for fact in facts))
        case _:
            return event


def own_lines(journal: Iterable[TableEntry], player: str) -> list[TableEntry]:
    """The lines that this player may read."""
    journal = _uncovered(tuple(journal), player)
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
