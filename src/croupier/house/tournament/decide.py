"""Tournaments: deciding what follows from a request.

Theory of operation.  A tournament is held under conditions that the operator states and the authority approves; the
rules of the game hold in all that the conditions do not list as changed.  One person, the director, is responsible and
must be there while a round is played; a deputy takes over only in the director's absence, and with nobody there the
round is paused.  Time, draws and what happened at the tables enter as commands; the ranking and the money follow.

The conditions are in `tournament_conditions`, the law in `tournament_law`, the value and how events change it in
`tournament_state`, setting up and entries in `tournament_entry`, rounds in `tournament_play`, their ends and the prizes
in `tournament_ending`, all commands and events in `tournament_messages`.

Refusals come in a fixed order: the tournament is not over; the person may ask; the conditions are approved; the player
is known; then what the command itself needs.
"""

from __future__ import annotations

from typing import TypeAlias

from croupier.game import Refusal
from croupier.house.tournament import ending, entry, play
from croupier.house.tournament import messages as m
from croupier.house.tournament.conditions import Stated
from croupier.house.tournament.messages import AnyCommand, Events
from croupier.house.tournament.state import Tournament
from croupier.journal.entries import not_for
from croupier.journal.messages import Request
from croupier.journal.names import called
from croupier.law.model import Law
from croupier.law.officials import PLAYER

TournamentRequest: TypeAlias = Request[AnyCommand]
Answer: TypeAlias = Events | Refusal

OPERATORS = (m.AppointDirector, m.NameDeputy, m.PublishConditions, m.RecordApproval, m.RefuseEntry, m.AwardPrizes)
PLAYERS = (m.Enter, m.Withdraw, m.Retire, m.BuyBack, m.SignConditions, m.NominateSubstitute)
DEALERS = (m.RecordHand, m.TakeSeat)
DIRECTORS = (
    m.Brief, m.RequireSignatures, m.DesignateTables, m.AlterStart, m.DrawSeats, m.StartRound, m.ApproveSubstitute,
    m.ApplyModification, m.CorrectHand, m.Disqualify, m.EndTable, m.EndRound,
)  # fmt: skip


def decide(this: Tournament, request: TournamentRequest) -> Answer:
    """The events that follow from a request, or the first reason why none do."""
    refusal = _over(this, request.what) or _not_allowed(this, request)
    return refusal or _set_up(this, request)


# ---------------------------------------------------------------- who may ask


def _over(this: Tournament, command: AnyCommand) -> Refusal | None:
    if this.over and not isinstance(command, m.OrdinaryPlay | m.CheckOut):
        return Refusal(f"{this.name} is over", entry.item(this, "prizes"))
    return None


def _not_allowed(this: Tournament, request: TournamentRequest) -> Refusal | None:
    general, command = this.general, request.what
    if isinstance(command, OPERATORS):
        return not_for(request, general.senior)
    if isinstance(command, PLAYERS):
        own = request.role == PLAYER and request.by == command.player
        return None if own else not_for(request, general.supervisor)
    if isinstance(command, m.CheckIn | m.CheckOut):
        return None if request.by == command.person else not_for(request, general.supervisor)
    if isinstance(command, DEALERS):
        return not_for(request, Law(general.dealer.value | general.supervisor.value, general.dealer.rules))
    return _not_director(this, request) if isinstance(command, DIRECTORS) else None


def _not_director(this: Tournament, request: TournamentRequest) -> Refusal | None:
    """The director always, a deputy while the director is away."""
    if request.by and request.by == this.director:
        return None
    asked_for = called(type(request.what))
    if request.by not in this.deputies:
        return Refusal(f"{asked_for} is for the director, not for {request.by or 'nobody'}", this.rules.director.rule)
    if this.director in this.present:
        return Refusal(f"{this.director} is there, so {request.by} does not take over", this.rules.deputies.rule)
    return None


# ---------------------------------------------------------------- what is asked


def _set_up(this: Tournament, request: TournamentRequest) -> Answer:
    match request.what:
        case m.AppointDirector() as command:
            return entry.appoint(this, command)
        case m.NameDeputy() as command:
            return entry.name_deputy(this, command)
        case m.PublishConditions() as command:
            return entry.publish(this, command)
        case m.RecordApproval() as command:
            return entry.approve(this, command)
        case m.CheckIn() as command:
            return entry.check_in(this, command)
        case m.CheckOut() as command:
            return entry.check_out(this, command)
        case m.OrdinaryPlay() as command:
            return play.ordinary(this, command)
        case _:
            if this.terms is None or not this.approval:
                return Refusal(f"the conditions of {this.name} are not approved", this.rules.approver.rule)
            return _of_player(this, request, this.terms)


def _of_player(this: Tournament, request: TournamentRequest, terms: Stated) -> Answer:
    """What concerns one player who has entered, if it does."""
    command = request.what
    if isinstance(command, m.Enter):
        return entry.enter(this, command, terms)
    if isinstance(command, m.RefuseEntry):
        return entry.refuse_entry(this, command, terms)
    name = getattr(command, "player", None)
    if name is None:
        return _in_play(this, request, terms)
    entrant = this.entrants.get(name)
    if entrant is None:
        return Refusal(f"{name} has not entered", entry.item(this, "entry"))
    match command:
        case m.Withdraw():
            return entry.withdraw(this, entrant, terms, at_ms=request.at_ms)
        case m.Retire():
            return entry.retire(this, entrant, terms)
        case m.BuyBack():
            return entry.buy_back(this, entrant, terms)
        case m.SignConditions():
            return entry.sign(this, entrant)
        case m.NominateSubstitute():
            return entry.nominate(this, command, entrant, terms)
        case m.ApproveSubstitute():
            return entry.approve_substitute(this, entrant)
        case m.Disqualify():
            return entry.disqualify(this, command, entrant, terms)
        case m.TakeSeat():
            return play.take_seat(this, command, entrant, terms, at_ms=request.at_ms)
        case _:
            raise AssertionError(f"{command} is about a player, but nobody decides it")


def _in_play(this: Tournament, request: TournamentRequest, terms: Stated) -> Answer:
    at_ms = request.at_ms
    match request.what:
        case m.Brief() as command:
            return entry.brief(this, command)
        case m.RequireSignatures():
            return entry.require_signatures(this)
        case m.DesignateTables() as command:
            return play.designate(this, command)
        case m.AlterStart() as command:
            return play.alter_start(this, command, terms, at_ms=at_ms)
        case m.DrawSeats() as command:
            return play.draw(this, command)
        case m.StartRound():
            return play.start(this, terms, at_ms=at_ms)
        case m.RecordHand() as command:
            return play.hand(this, command, terms, at_ms=at_ms)
        case m.CorrectHand() as command:
            return play.correct_hand(this, command, terms)
        case m.ApplyModification() as command:
            return play.apply_change(this, command, terms)
        case m.EndTable() as command:
            return ending.end_table(this, command, terms, at_ms=at_ms)
        case m.EndRound() as command:
            return ending.end_round(this, command, terms)
        case m.AwardPrizes():
            return ending.award(this, terms)
        case _:
            raise AssertionError(f"{request.what} is decided by nobody")
