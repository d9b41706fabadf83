"""A tournament as a value: who conducts it, who is in it, the round in hand, and how events change it.

Players who have not left are `in` or `out`; what they `reached` is the last round they played in the main line and the
chips they ended it with.  That is all the ranking looks at: a later round beats an earlier one, more chips beat fewer,
and equals share a place.  Money moves by the events' transfers alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace as changed

from croupier.house.tournament import messages as m
from croupier.house.tournament.conditions import RoundTerms, Stated, stated
from croupier.house.tournament.messages import AnyEvent
from croupier.journal.accounts import Balances, account, moved
from croupier.journal.entries import BadJournal, in_order
from croupier.journal.messages import Entry
from croupier.law.editions import first_with
from croupier.law.general import GeneralRules
from croupier.law.tournament import TournamentRules

Status = Literal["in", "out", "withdrawn", "retired", "disqualified"]


def entrant_account(player: str) -> str:
    """What a player got from the tournament, less what was paid into it."""
    return account("entrant", player)


def fees_of(tournament: str) -> str:
    return account("fees", tournament)


def buy_ins_of(tournament: str) -> str:
    return account("buy-ins", tournament)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player; `number` is the order of entry, `reached` a round and the chips at its end."""

    name: str
    number: int
    status: Status = "in"
    fee_cents: int = 0
    buy_ins_cents: int = 0
    buy_backs: int = 0
    chips: int = 0
    reached: tuple[int, int] = (0, 0)
    briefed: bool = False
    signed: bool = False
    nominated: str = ""
    substitute: str = ""


@dataclass(frozen=True, slots=True)
class LastHand:
    """The last hand at a table: what it came to; the hands `needed`, the wagers `going` on, how many, before it."""

    played: Mapping[str, m.HandResult]
    needed: tuple[m.PlayedHand, ...]
    going: Mapping[str, int]
    hands: int


@dataclass(frozen=True, slots=True)
class InPlay:
    """A round that was drawn: the seats, who sits there, and how far each table is; `started_ms` once it began.

    By table: the hands that the next one `needed` to know, the chips on wagers that are `going` on, the `last` hand.
    """

    seats: Mapping[str, tuple[str, int]]
    started_ms: int | None = None
    seated: Mapping[str, str] = field(default_factory=dict)
    hands: Mapping[str, int] = field(default_factory=dict)
    secret: Mapping[str, int] = field(default_factory=dict)
    shut_out: frozenset[str] = frozenset()
    ended: frozenset[str] = frozenset()
    needed: Mapping[str, tuple[m.PlayedHand, ...]] = field(default_factory=dict)
    going: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    last: Mapping[str, LastHand] = field(default_factory=dict)

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(table for table, _ in self.seats.values())

    def at(self, table: str) -> tuple[str, ...]:
        """The players drawn to a table, by seat."""
        return tuple(
            sorted((p for p, (name, _) in self.seats.items() if name == table), key=lambda p: self.seats[p][1])
        )


class Tournament(msgspec.Struct, frozen=True):
    """One tournament; `round` counts those that ended or are in hand."""

    name: str
    edition: str
    rules: TournamentRules
    general: GeneralRules
    director: str = ""
    deputies: tuple[str, ...] = ()
    present: frozenset[str] = frozenset()
    terms: Stated | None = None
    approval: str = ""
    entrants: Mapping[str, Entrant] = {}
    refused: frozenset[str] = frozenset()
    signatures: bool = False
    tables: frozenset[str] = frozenset()
    laws: Mapping[str, m.TableLaw] = {}
    starts: Mapping[int, int] = {}
    rounds_ended: int = 0
    play: InPlay | None = None
    over: bool = False
    balances: Balances = {}
    entries: int = 0

    @property
    def round(self) -> int:
        """The round in hand, or the next one."""
        return self.rounds_ended + 1

    @property
    def playing(self) -> bool:
        return self.play is not None and self.play.started_ms is not None

    @property
    def finished(self) -> bool:
        return self.terms is not None and self.rounds_ended >= len(self.terms.structure.rounds)

    def round_terms(self, number: int) -> RoundTerms | None:
        rounds = self.terms.structure.rounds if self.terms else ()
        return rounds[number - 1] if 1 <= number <= len(rounds) else None

    def starts_ms(self, number: int) -> int:
        terms = self.round_terms(number)
        return self.starts.get(number, terms.starts_ms if terms else 0)


def new_tournament(name: str) -> Tournament:
    """A tournament of which nothing is settled but its name."""
    document, rules = first_with(lambda each: each.tournament)
    return Tournament(name, document.key, rules, document.general)


def conductors(tournament: Tournament) -> tuple[str, ...]:
    """The director and the deputies."""
    return tuple(filter(None, (tournament.director, *tournament.deputies)))


def conducting(tournament: Tournament) -> frozenset[str]:
    """Who is there and may conduct it; somebody whom another has followed in office is not."""
    return tournament.present & set(conductors(tournament))


def due_to_play(tournament: Tournament) -> frozenset[str]:
    """Who plays the next round: those in, or in a repechage those whom the round before put out."""
    terms = tournament.round_terms(tournament.round)
    again = terms is not None and terms.repechage
    return frozenset(
        entrant.name
        for entrant in tournament.entrants.values()
        if (
            entrant.status == "out" and entrant.reached[0] == tournament.rounds_ended
            if again
            else entrant.status == "in"
        )
    )


@dataclass(frozen=True, slots=True)
class Place:
    place: int
    player: str
    reached: tuple[int, int]


def standings(tournament: Tournament) -> tuple[Place, ...]:
    """Everybody who did not leave, best first; equals share a place and the next one is left out."""
    entrants = [entrant for entrant in tournament.entrants.values() if entrant.status in ("in", "out")]
    ordered = sorted(entrants, key=lambda entrant: (*(-part for part in entrant.reached), entrant.number))
    better = {each.reached: sum(other.reached > each.reached for other in ordered) for each in ordered}
    return tuple(Place(1 + better[each.reached], each.name, each.reached) for each in ordered)


# ---------------------------------------------------------------- evolving


def evolve(this: Tournament, event: AnyEvent) -> Tournament:
    """The tournament after an event."""
    if event.transfers:
        this = changed(this, balances=moved(this.balances, event.transfers))
    match event:
        case m.DirectorAppointed(person=person):
            return changed(this, director=person, deputies=tuple(name for name in this.deputies if name != person))
        case m.DeputyNamed(person=person):
            return changed(this, deputies=(*this.deputies, person))
        case m.ConditionsPublished(conditions=conditions):
            return changed(this, terms=stated(conditions), approval="")
        case m.ConditionsApproved(reference=reference):
            return changed(this, approval=reference)
        case m.EntryRefused(player=player):
            return changed(this, refused=this.refused | {player})
        case m.Present(person=person, present=present):
            return changed(this, present=this.present | {person} if present else this.present - {person})
        case m.SignaturesRequired():
            return changed(this, signatures=True)
        case m.TablesDesignated(tables=tables, laws=laws):
            return changed(this, tables=frozenset(tables), laws=laws)
        case m.StartAltered():
            return changed(this, starts={**this.starts, event.round: event.starts_ms})
        case m.SeatsDrawn(seats=seats):
            return changed(this, play=InPlay(seats))
        case m.RoundEnded():
            return changed(this, rounds_ended=this.rounds_ended + 1, play=None)
        case m.TournamentEnded():
            return changed(this, over=True)
        case m.HandCorrected(table=table):
            return _in_round(without_last(this, table), event)
        case m.RoundStarted() | m.SeatTaken() | m.ShutOut() | m.HandPlayed() | m.TableEnded():
            return _in_round(this, event)
        case m.SessionPaused() | m.SessionResumed() | m.Flagged() | m.ModificationApplied() | m.OrdinaryPlayAllowed():
            return this
        case _:
            return _of_player(this, event)


def _in_round(
    this: Tournament,
    event: m.RoundStarted | m.SeatTaken | m.ShutOut | m.HandPlayed | m.HandCorrected | m.TableEnded,
) -> Tournament:
    play = this.play
    if play is None:
        raise BadJournal(f"{type(event).__name__} while no round is in hand")
    match event:
        case m.RoundStarted(started_ms=started):
            return changed(this, play=replace(play, started_ms=started))
        case m.SeatTaken(player=player, person=person):
            return changed(this, play=replace(play, seated={**play.seated, player: person}))
        case m.ShutOut(player=player):
            return changed(this, play=replace(play, shut_out=play.shut_out | {player}))
        case m.TableEnded(table=table, returned=returned):
            back = {player: _more_chips(this, player, chips) for player, chips in returned.items()}
            play = replace(play, ended=play.ended | {table}, going={**play.going, table: {}})
            return changed(this, play=play, entrants={**this.entrants, **back})
        case m.HandPlayed() | m.HandCorrected():
            return _hand_played(this, play, event)
        case unreachable:
            assert_never(unreachable)


def without_last(this: Tournament, table: str) -> Tournament:
    """The tournament as if the last hand at a table had not been told."""
    if this.play is None or table not in this.play.last:
        raise BadJournal(f"no hand was told at {table}")
    play, last = this.play, this.play.last[table]
    secret = {player: play.secret.get(player, 0) - one.secret for player, one in last.played.items()}
    play = replace(
        play,
        hands={**play.hands, table: last.hands},
        secret={**play.secret, **secret},
        needed={**play.needed, table: last.needed},
        going={**play.going, table: last.going},
        last={name: hand for name, hand in play.last.items() if name != table},
    )
    had = {player: _more_chips(this, player, one.stake - one.returned) for player, one in last.played.items()}
    return changed(this, play=play, entrants={**this.entrants, **had})


def _hand_played(this: Tournament, play: InPlay, event: m.HandPlayed | m.HandCorrected) -> Tournament:
    secret = {player: play.secret.get(player, 0) + 1 for player, one in event.played.items() if one.secret}
    table = event.table
    before = LastHand(event.played, play.needed.get(table, ()), play.going.get(table, {}), play.hands.get(table, 0))
    kept = (*before.needed, event.told) if event.needed and event.told else ()
    play = replace(
        play,
        hands={**play.hands, event.table: event.hand},
        secret={**play.secret, **secret},
        needed={**play.needed, event.table: kept},
        going={**play.going, event.table: event.going},
        last={**play.last, event.table: before},
    )
    won = {player: _more_chips(this, player, one.returned - one.stake) for player, one in event.played.items()}
    return changed(this, play=play, entrants={**this.entrants, **won})


def _more_chips(this: Tournament, player: str, chips: int) -> Entrant:
    entrant = _entrant(this, player)
    return replace(entrant, chips=entrant.chips + chips)


PlayerEvent = (
    m.PlayerEntered
    | m.PlayerLeft
    | m.BoughtBack
    | m.PlayersBriefed
    | m.ConditionsSigned
    | m.ChipsAllocated
    | m.SubstituteNominated
    | m.SubstituteApproved
    | m.PlayerProgressed
    | m.PlayerEliminated
    | m.ChipsDisposed
    | m.PrizeAwarded
)


def _of_player(this: Tournament, event: PlayerEvent) -> Tournament:
    match event:
        case m.PlayerEntered(player=player, fee=fee):
            number = 1 + max((each.number for each in this.entrants.values()), default=0)
            entrant = Entrant(player, number, fee_cents=fee)
            return changed(this, entrants={**this.entrants, player: entrant})
        case m.PlayersBriefed(players=players):
            briefed = {player: replace(_entrant(this, player), briefed=True) for player in players}
            return changed(this, entrants={**this.entrants, **briefed})
        case m.PlayerLeft():
            return _left(this, event)
        case m.BoughtBack():
            entrant = _entrant(this, event.player)
            paid = entrant.buy_ins_cents + event.fee
            return _with(this, event.player, status="in", buy_backs=entrant.buy_backs + 1, buy_ins_cents=paid)
        case m.ConditionsSigned():
            return _with(this, event.player, signed=True)
        case m.ChipsAllocated():
            entrant = _entrant(this, event.player)
            chips, paid = entrant.chips + event.chips, entrant.buy_ins_cents + event.buy_in
            return _with(this, event.player, chips=chips, buy_ins_cents=paid)
        case m.SubstituteNominated():
            return _with(this, event.player, nominated=event.substitute, substitute="")
        case m.SubstituteApproved():
            return _with(this, event.player, substitute=event.substitute)
        case m.PlayerProgressed():
            entrant = _entrant(this, event.player)
            return _with(this, event.player, status="in", reached=(event.from_round, entrant.chips))
        case m.PlayerEliminated():
            return _eliminated(this, event)
        case m.ChipsDisposed():
            return _with(this, event.player, chips=event.kept)
        case m.PrizeAwarded():
            return this
        case unreachable:
            assert_never(unreachable)


def _entrant(this: Tournament, player: str) -> Entrant:
    if player not in this.entrants:
        raise BadJournal(f"{player} is not in {this.name}")
    return this.entrants[player]


def _with(this: Tournament, player: str, **changes: object) -> Tournament:
    entrant = replace(_entrant(this, player), **changes)  # type: ignore[arg-type]
    return changed(this, entrants={**this.entrants, player: entrant})


def _eliminated(this: Tournament, event: m.PlayerEliminated) -> Tournament:
    """Who was out already and lost a repechage has not got further by it."""
    if _entrant(this, event.player).status == "out":
        return this
    return _with(this, event.player, status="out", reached=(event.round, event.chips))


def _left(this: Tournament, event: m.PlayerLeft) -> Tournament:
    this = _with(this, event.player, status=event.how, chips=0)
    if this.play is None:
        return this
    seats = {player: seat for player, seat in this.play.seats.items() if player != event.player}
    return changed(this, play=replace(this.play, seats=seats))


def after(this: Tournament, lines: Iterable[Entry[AnyEvent]]) -> Tournament:
    """The tournament after these lines of its journal."""
    this, number = in_order(this, this.entries, lines, lambda now, line: evolve(now, line.event))
    return changed(this, entries=number)
