"""Everything that can be asked of a tournament, and everything that can have happened in it.

Amounts are in cents, tournament chips in units of their own, times in milliseconds.  Every event names the rule it
happened under and the money it moved; tournament chips are not money.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.house.tournament.conditions import Conditions
from croupier.house.tournament.told import HandResult as HandResult
from croupier.house.tournament.told import PlayedHand as PlayedHand
from croupier.house.tournament.told import Results as Results
from croupier.house.tournament.told import TableLaw as TableLaw
from croupier.journal.entries import decoded
from croupier.journal.messages import Command, Entry, Event
from croupier.money import Cents

# ---------------------------------------------------------------- commands of the operator


class AppointDirector(Command, frozen=True):
    person: str
    qualified_as: str


class NameDeputy(Command, frozen=True):
    person: str
    qualified_as: str


class PublishConditions(Command, frozen=True):
    conditions: Conditions


class RecordApproval(Command, frozen=True):
    """The written approval of the conditions: whose, and its reference."""

    approver: str
    reference: str


class Enter(Command, frozen=True):
    """An application: whether the person may be there and gamble, the form, and which criteria are met."""

    player: str
    entitled: bool = True
    form_filed: bool = True
    meets: tuple[str, ...] = ()


class RefuseEntry(Command, frozen=True):
    player: str


class Withdraw(Command, frozen=True):
    """An entrant takes the entry back before play."""

    player: str


class Retire(Command, frozen=True):
    player: str


class BuyBack(Command, frozen=True):
    player: str


class AwardPrizes(Command, frozen=True):
    pass


class OrdinaryPlay(Command, frozen=True):
    """Somebody wants to play at a table outside the tournament."""

    table: str


# ---------------------------------------------------------------- commands of the director, and of players


class CheckIn(Command, frozen=True):
    """The director or a deputy is there."""

    person: str


class CheckOut(Command, frozen=True):
    person: str


class Brief(Command, frozen=True):
    """The players were told the conditions; `satisfied`: they understood, as the director finds."""

    players: tuple[str, ...]
    satisfied: bool = True


class RequireSignatures(Command, frozen=True):
    pass


class SignConditions(Command, frozen=True):
    player: str


class DesignateTables(Command, frozen=True):
    """The tables of the tournament; `laws` is what the house knows of what is played there."""

    tables: tuple[str, ...]
    laws: dict[str, TableLaw] = msgspec.field(default_factory=dict)


class AlterStart(Command, frozen=True):
    """A round starts at another time; `told` are the players who know."""

    round: int
    starts_ms: int
    told: tuple[str, ...]


class DrawSeats(Command, frozen=True):
    """The draw for the next round: a table and a seat for each player."""

    seats: dict[str, tuple[str, int]]


class StartRound(Command, frozen=True):
    pass


class NominateSubstitute(Command, frozen=True):
    player: str
    substitute: str


class ApproveSubstitute(Command, frozen=True):
    player: str


class TakeSeat(Command, frozen=True):
    """A person sits down in the position of a player; whether that one may be there and gamble, the house knows."""

    player: str
    person: str
    entitled: bool = True


class RecordHand(Command, frozen=True):
    """A hand was played at a table: who had what where, and the cards; what comes back, the rules say."""

    table: str
    hand: PlayedHand


class CorrectHand(Command, frozen=True):
    """The last hand at a table was told wrongly: how it truly was, and why it is told anew."""

    table: str
    hand: PlayedHand
    reason: str


class ApplyModification(Command, frozen=True):
    """The director relies on a change of a rule of the game."""

    rule: str


class Disqualify(Command, frozen=True):
    player: str
    ground: str


class EndTable(Command, frozen=True):
    """The round is over at a table; `agreed` are the players there who agree to an early end."""

    table: str
    agreed: tuple[str, ...] = ()


class EndRound(Command, frozen=True):
    """The round is over; `drawn` is the order of the draw between players who tie for going on."""

    drawn: tuple[str, ...] = ()


AnyCommand: TypeAlias = (
    AppointDirector
    | NameDeputy
    | PublishConditions
    | RecordApproval
    | Enter
    | RefuseEntry
    | Withdraw
    | Retire
    | BuyBack
    | AwardPrizes
    | OrdinaryPlay
    | CheckIn
    | CheckOut
    | Brief
    | RequireSignatures
    | SignConditions
    | DesignateTables
    | AlterStart
    | DrawSeats
    | StartRound
    | NominateSubstitute
    | ApproveSubstitute
    | TakeSeat
    | RecordHand
    | CorrectHand
    | ApplyModification
    | Disqualify
    | EndTable
    | EndRound
)

# ---------------------------------------------------------------- events


class DirectorAppointed(Event, frozen=True):
    """The first line of a tournament; `law` names the document of its law and its hashes, which once went unsaid."""

    person: str
    law: dict[str, str] = msgspec.field(default_factory=dict)


class DeputyNamed(Event, frozen=True):
    person: str


class ConditionsPublished(Event, frozen=True):
    """They stand, and are not approved yet."""

    conditions: Conditions


class ConditionsApproved(Event, frozen=True):
    approver: str
    reference: str


class PlayerEntered(Event, frozen=True):
    player: str
    fee: Cents


class EntryRefused(Event, frozen=True):
    player: str


class PlayerLeft(Event, frozen=True):
    """Somebody is out for good: withdrawn, retired or disqualified; `refund` went back."""

    player: str
    how: str
    refund: Cents = 0
    ground: str = ""


class BoughtBack(Event, frozen=True):
    player: str
    fee: Cents


class Present(Event, frozen=True):
    """The director or a deputy came or went."""

    person: str
    present: bool


class SessionPaused(Event, frozen=True):
    """Nobody is there who may conduct it."""


class SessionResumed(Event, frozen=True):
    person: str


class PlayersBriefed(Event, frozen=True):
    players: tuple[str, ...]


class SignaturesRequired(Event, frozen=True):
    pass


class ConditionsSigned(Event, frozen=True):
    player: str


class TablesDesignated(Event, frozen=True):
    tables: tuple[str, ...]
    laws: dict[str, TableLaw] = msgspec.field(default_factory=dict)


class StartAltered(Event, frozen=True):
    round: int
    starts_ms: int
    noticed_ms: int


class SeatsDrawn(Event, frozen=True):
    round: int
    seats: dict[str, tuple[str, int]]


class RoundStarted(Event, frozen=True):
    round: int
    started_ms: int


class ChipsAllocated(Event, frozen=True):
    """Chips for a round; `buy_in` was paid for them."""

    player: str
    chips: int
    buy_in: Cents


class SubstituteNominated(Event, frozen=True):
    player: str
    substitute: str


class SubstituteApproved(Event, frozen=True):
    player: str
    substitute: str


class SeatTaken(Event, frozen=True):
    """Somebody sits in a player's position; `late` by so many milliseconds after the time of grace."""

    player: str
    person: str
    late_ms: int = 0


class ShutOut(Event, frozen=True):
    """Somebody came too late to play the round."""

    player: str
    late_ms: int


class HandPlayed(Event, frozen=True):
    """A hand and what it came to; `told` as it was played, `going` the chips still open, `needed` by the next hands.

    Lines of earlier releases tell the figures alone.
    """

    table: str
    hand: int
    played: dict[str, HandResult]
    told: PlayedHand | None = None
    going: dict[str, int] = msgspec.field(default_factory=dict)
    needed: bool = False


class HandCorrected(Event, frozen=True):
    """The last hand at a table as it truly was; what it came to before is undone."""

    table: str
    hand: int
    played: dict[str, HandResult]
    told: PlayedHand
    reason: str
    going: dict[str, int] = msgspec.field(default_factory=dict)
    needed: bool = False


class Flagged(Event, frozen=True):
    """Something the director should look at."""

    player: str
    about: str


class ModificationApplied(Event, frozen=True):
    changed: str
    says: str


class OrdinaryPlayAllowed(Event, frozen=True):
    table: str


class TableEnded(Event, frozen=True):
    """The round is over at a table; wagers that nothing can decide any more are `returned`."""

    table: str
    early: bool = False
    returned: dict[str, int] = msgspec.field(default_factory=dict)


class PlayerProgressed(Event, frozen=True):
    player: str
    from_round: int


class PlayerEliminated(Event, frozen=True):
    """Somebody does not go on; `chips` count for the place."""

    player: str
    round: int
    chips: int


class ChipsDisposed(Event, frozen=True):
    """What became of the chips that a player had at the end of a round; `kept` are carried to the next."""

    player: str
    chips: int
    how: str
    kept: int = 0


class RoundEnded(Event, frozen=True):
    """A round is over; `drawn` is the order of the draw, if a tie was settled by it."""

    round: int
    drawn: tuple[str, ...] = ()


class PrizeAwarded(Event, frozen=True):
    """A prize; players who tie share the prizes of the places they take together."""

    player: str
    place: int
    amount: Cents


class TournamentEnded(Event, frozen=True):
    pass


AnyEvent: TypeAlias = (
    DirectorAppointed
    | DeputyNamed
    | ConditionsPublished
    | ConditionsApproved
    | PlayerEntered
    | EntryRefused
    | PlayerLeft
    | BoughtBack
    | Present
    | SessionPaused
    | SessionResumed
    | PlayersBriefed
    | SignaturesRequired
    | ConditionsSigned
    | TablesDesignated
    | StartAltered
    | SeatsDrawn
    | RoundStarted
    | ChipsAllocated
    | SubstituteNominated
    | SubstituteApproved
    | SeatTaken
    | ShutOut
    | HandPlayed
    | HandCorrected
    | Flagged
    | ModificationApplied
    | OrdinaryPlayAllowed
    | TableEnded
    | PlayerProgressed
    | PlayerEliminated
    | ChipsDisposed
    | RoundEnded
    | PrizeAwarded
    | TournamentEnded
)

Events: TypeAlias = tuple[AnyEvent, ...]

_LINES = msgspec.json.Decoder(Entry[AnyEvent])


def decode(line: bytes | str) -> Entry[AnyEvent]:
    return decoded(_LINES, line)
