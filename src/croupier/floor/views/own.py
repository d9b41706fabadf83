"""What a player may read of a journal: what everybody at the table saw, and what is the player's own.

Lines about another player, or about money of others only, are left out; where one line tells of several players, only
the player's own part stays.  What staff wrote for staff is not for players either.

Of the round in hand a card is told as the player sees it lie: one that is face down to him (`seen_by`) is covered in
the story too.  Where hands stay face down when a round is over, a card is told to the player whose it is; the dealer's
once they were turned up.  A folded hand is collected face down (NZ1996-VIII-8.2d), and without a showdown no hand is
turned up at all (9.2b).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from croupier.equipment import Card, parse_card, seen_by
from croupier.floor.views.viewer import lying
from croupier.game import AnyGame
from croupier.journal.accounts import parted
from croupier.journal.messages import Transfer
from croupier.table import events as e
from croupier.table.events import TableEntry
from croupier.table.explain import dealt_to
from croupier.table.state import Table
from croupier.table.terminals.events import InspectorTold

FOR_STAFF = (e.Flagged, e.InspectorNotified, InspectorTold)
COVERED = "a card, face down"
CARDS_NAMED = ("card", "found")
"""Where a declaration names cards."""


def _uncovered(journal: Sequence[TableEntry], player: str, table: Table, now: int) -> list[TableEntry]:
    """The lines with every card covered that this player did not see."""
    *ended, in_hand = _rounds(journal, now)
    covered: list[TableEntry] = []
    for lines in ended:
        if table.game.face_down:
            seen = _places(lines, player)
            covered += [replace(line, event=_seen(table.game, line.event, seen)) for line in lines]
        else:
            covered += lines
    return [*covered, *_as_it_lies(in_hand, player, table, known=len(ended) + now <= table.number)]


def _rounds(journal: Sequence[TableEntry], now: int) -> list[list[TableEntry]]:
    """The lines of each round, its end last; an earlier round may be found invalid while another is in hand."""
    found: list[list[TableEntry]] = [[]]
    for line in journal:
        found[-1].append(line)
        event = line.event
        if isinstance(event, e.RoundEnded) or (
            isinstance(event, e.RoundInvalidated) and event.round == len(found) + now - 1
        ):
            found.append([])
    return found


def _as_it_lies(lines: Sequence[TableEntry], player: str, table: Table, *, known: bool) -> list[TableEntry]:
    """The lines of the round in hand; of a round that the table does not know yet no card is told."""
    hands = {hand.place: seen_by(hand, player) for hand in lying(table)}
    visible = {place: Counter(cards) for place, cards in hands.items() if None in cards}
    shown = [replace(line, event=_lying(line.event, visible, known=known)) for line in lines]
    # A round that is over may be corrected meanwhile, and its hands stay face down.
    is_down = table.game.face_down
    return [
        replace(each, event=_seen(table.game, each.event, set()))
        if is_down and isinstance(each.event, e.RoundCorrected)
        else each
        for each in shown
    ]


def _lying(event: Any, visible: Mapping[str, Counter[Card | None]], *, known: bool) -> Any:
    """An event of the round in hand; `visible` are the cards that lie face up where not all do, each told once."""
    match event:
        case e.Happened(fact=str(fact)) if (place := dealt_to(event)) and (place in visible or not known):
            card = parse_card(fact)
            if known and visible[place][card]:
                visible[place][card] -= 1
                return event
            return replace(event, fact=COVERED)
        case e.FactTakenBack(fact=str()) if visible or not known:
            return replace(event, fact=COVERED)
        case _ if visible and (told := _declared(event)) and not told.get("disclosed"):
            return replace(event, fact=_covered(told, *CARDS_NAMED))
        case _:
            return event


def _declared(event: Any) -> dict[str, Any]:
    """The declaration that an event tells, waits for or takes back; nothing if it does none of that."""
    fact = event.fact if isinstance(event, e.Happened | e.OrderAwaited | e.FactTakenBack) else None
    return fact if isinstance(fact, dict) else {}


def _covered(fact: Mapping[str, Any], *named: str) -> dict[str, Any]:
    return {name: COVERED if name in named else fact[name] for name in fact}


def _unseen(game: AnyGame, fact: Any) -> Any:
    """A fact without the card that is out of the shoe and that nobody saw: the next hand may begin with it."""
    entry = game.circumstances.get(fact.get("irregular", "")) if isinstance(fact, dict) else None
    if entry is None or not (entry.unseen or (entry.disclosed and not fact.get("disclosed"))):
        return fact
    return _covered(fact, "card")


def _nobody_saw(game: AnyGame, event: Any) -> Any:
    if isinstance(event, e.RoundCorrected):
        return replace(event, facts=tuple(_unseen(game, fact) for fact in event.facts))
    fact = _declared(event)
    return replace(event, fact=_unseen(game, fact)) if fact else event


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


def own_lines(
    journal: Iterable[TableEntry], player: str, table: Table, *, now: int = 1, before: Iterable[int] = ()
) -> list[TableEntry]:
    """The lines that this player may read of the journal of a table, as the table is now.

    `now` is the round in hand at the first of these lines, and `before` are disputes that the player raised before.
    What was decided of a dispute, and whether that is reviewed, is between whoever raised it and the house.
    """
    raised = {*before}
    kept = []
    for line in _uncovered(tuple(journal), player, table, now):
        event = line.event
        if isinstance(event, e.DisputeRaised) and event.complainant == player:
            raised.add(event.dispute)
        others = isinstance(event, e.DisputeDecided | e.ReviewAsked) and event.dispute not in raised
        if not isinstance(event, FOR_STAFF) and not others and _is_own(event, player):
            kept.append(replace(line, event=_own_part(_nobody_saw(table.game, event), player)))
    return kept


def _is_own(event: Any, player: str) -> bool:
    """Whether an event is about everybody, or about this player."""
    named = getattr(event, "player", "") or getattr(event, "complainant", "") or getattr(event, "terminal", "")
    if named:
        return bool(named == player)
    people = [holder for move in event.transfers for holder in _holders(move)]
    return not people or player in people


def _holders(move: Transfer) -> list[str]:
    """The people between whom money moved; the accounts of the house are nobody's."""
    return [whose for _, whose in map(parted, (move.debit, move.credit)) if whose]


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
