"""A progressive jackpot that several tables play for: deciding what follows from a request.

Theory of operation.  The wagers of all tables of a link feed one pool, at a rate that the Authority approved; the
operator may keep a portion of each, and puts an approved seed into a pool that was won.  The equipment of each table
records what was wagered there, and meters show the pool.

Wagers and meters are in `jackpot_pool`, the order and the amounts of payments in `jackpot_hands`, what is corrected
afterwards in `jackpot_correcting`, the value itself and how events change it in `jackpot_state`, all commands and
events in `jackpot_messages`.

Refusals come in a fixed order: the link is open; the role may ask; the table is known; the time is right; the kind; the
amount.  `decide` looks only at the link and the request; `jackpot_state.evolve` makes the link that follows.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from croupier.game import Refusal
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.correcting import correct_hands
from croupier.house.jackpot.hands import pay_hands, report_hands, time_hand
from croupier.house.jackpot.messages import AnyCommand, Events
from croupier.house.jackpot.pool import (
    carry_wagers,
    check_meter,
    close_link,
    join_table,
    leave_table,
    receive_pool,
    record_wager,
    return_wager,
    set_terms,
)
from croupier.house.jackpot.state import Link
from croupier.journal.entries import not_for
from croupier.journal.messages import Request
from croupier.law.model import Law

LinkRequest: TypeAlias = Request[AnyCommand]
Answer: TypeAlias = Events | Refusal


def decide(link: Link, request: LinkRequest) -> Answer:
    """The events that follow from a request, or the first reason why none do."""
    command = request.what
    refusal = _not_open(link, command) or not_for(request, _may(link, command)) or _unknown_table(link, command)
    return refusal or _decided(link, command)


def _decided(link: Link, command: AnyCommand) -> Answer:
    match command:
        case m.OpenLink() | m.ChangeTerms():
            return set_terms(link, command)
        case m.JoinTable():
            return join_table(link, command)
        case m.LeaveTable():
            return leave_table(link, command)
        case m.RecordWager():
            return record_wager(link, command)
        case m.ReturnWager():
            return return_wager(link, command)
        case m.TimeHand():
            return time_hand(link, command)
        case m.CarryWagers():
            return carry_wagers(link, command)
        case m.ReportHands():
            return report_hands(link, command)
        case m.PayHands():
            return pay_hands(link, command)
        case m.CorrectHands():
            return correct_hands(link, command)
        case m.CheckMeter():
            return check_meter(link, command)
        case m.CloseLink():
            return close_link(link, command)
        case m.ReceivePool():
            return receive_pool(link, command)
        case unreachable:
            assert_never(unreachable)


def _not_open(link: Link, command: AnyCommand) -> Refusal | None:
    opening = isinstance(command, m.OpenLink)
    if link.open == opening:
        return Refusal(f"{link.name} is {'open' if link.open else 'closed'}", link.rules.approved.rule)
    return None


def _may(link: Link, command: AnyCommand) -> Law[frozenset[str]]:
    """Terms and the pool are for senior staff, tables and payments for supervisors, the record for dealers."""
    general = link.general
    if isinstance(command, m.OpenLink | m.ChangeTerms | m.CloseLink | m.ReceivePool):
        return general.senior
    if isinstance(command, m.JoinTable | m.LeaveTable | m.PayHands | m.CarryWagers | m.CorrectHands):
        return general.supervisor
    return Law(general.dealer.value | general.supervisor.value, general.dealer.rules)


def _unknown_table(link: Link, command: AnyCommand) -> Refusal | None:
    name = getattr(command, "table", "")
    if isinstance(command, m.JoinTable) or not name or name in link.tables:
        return None
    return Refusal(f"{name} is not a table of {link.name}", link.rules.equipped.rule)
