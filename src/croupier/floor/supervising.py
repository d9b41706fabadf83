"""The doors of the supervisor's room: what a command would do, and the finished rounds that can be corrected.

A preview decides a command on the table as it is shown and records nothing.  It answers with the events in words, with
the money that would move, and with everything that would be different afterwards: the settlement of each wager, the
chips of each player, the layout and what is due.  What the command would be refused for, the preview is refused for, in
the same words and under the same rule; only the second person of a command for two is not wanted yet, and the answer
says who that may be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response
from msgspec.structs import replace as changed

from croupier.floor.doors import answer, no, shown_ticket, ticket_for
from croupier.floor.eyes import not_permitted
from croupier.floor.house import House
from croupier.floor.permissions import FOUR_EYES
from croupier.floor.tickets import NoTicket, Ticket
from croupier.floor.views import due, layout
from croupier.game import Fact, Refusal, say
from croupier.law import inventory
from croupier.notation import write_fact
from croupier.round import AnyRound, Entry, happen, open_round
from croupier.table import commands as c
from croupier.table.commands import AnyCommand
from croupier.table.correcting import CHANCE
from croupier.table.decide import decide as law_decides
from croupier.table.events import AnyEvent, Events
from croupier.table.evolve import after, entries
from croupier.table.explain import say_event
from croupier.table.state import Line, Record, Table

PREVIEW: Final = "POST /api/tables/{name}/preview"
ROUNDS: Final = 30
"""Finished rounds that are listed for correction."""


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """A command that somebody thinks of, with the ticket of who would ask it."""

    ticket: str
    command: AnyCommand


_ASKED = msgspec.json.Decoder(Asked)


def routes(app: FastAPI, house: House) -> None:
    @app.post("/api/tables/{name}/preview")
    async def preview(name: str, request: Request) -> Response:
        try:
            asked = _ASKED.decode(await request.body())
            ticket = ticket_for(house, asked.ticket, name, PREVIEW)
        except (msgspec.MsgspecError, NoTicket) as error:
            return no(str(error), 403 if isinstance(error, NoTicket) else 422)
        two = sorted(FOUR_EYES.get(type(asked.command).__name__, ())) if house.accounts is not None else []
        host = house.hosts[name]
        told = previewed(host.shown, asked.command, ticket=ticket, now_ms=host.now_ms(), decide=host.keeper.kind.decide)
        return answer(told | {"second": two})

    @app.get("/api/tables/{name}/records")
    async def records(name: str, request: Request) -> Response:
        ticket = shown_ticket(house, request)
        if name not in house.hosts:
            return no(f"unknown table {name!r:.40}", 404)
        if ticket.table not in ("", name):
            return no(f"this ticket is for {ticket.table}, not for {name}", 403)
        table = house.hosts[name].shown
        rounds = [record_told(table, record) for record in reversed(table.records[-ROUNDS:])]
        return answer({"table": name, "rounds": rounds})


# ---------------------------------------------------------------- what a command would do


Decide = Callable[[Table, c.Request], Events | Refusal]


def previewed(
    table: Table, command: AnyCommand, *, ticket: Ticket, now_ms: int, decide: Decide = law_decides
) -> dict[str, Any]:
    """What would follow from a command of somebody now, or why nothing would, as this house decides."""
    request = c.Request(command, ticket.name, ticket.role, now_ms)
    decided = not_permitted(table, command, ticket) or decide(table, request)
    if isinstance(decided, Refusal):
        return {"lawful": False, "reason": decided.reason, "rule": decided.rule, "rules": _said([decided.rule])}
    then = after(table, entries(table, request, decided))
    return {
        "lawful": True,
        "line": table.entries,
        "events": [_event(event) for event in decided],
        "wagers": resettled(table, then),
        "chips": _chips(table, then),
        "before": _now(table),
        "after": _now(then),
        "outcome": _outcome(then, command),
        "rules": _said(_cited(decided)),
    }


def _event(event: AnyEvent) -> dict[str, Any]:
    moves = [msgspec.structs.asdict(move) for move in event.transfers]
    return {"type": type(event).__name__, "words": say_event(event), "rule": event.rule, "transfers": moves}


def _cited(events: Events) -> list[str]:
    return [rule for event in events for rule in (event.rule, *(move.rule for move in event.transfers))]


def _said(rules: list[str]) -> dict[str, str]:
    return {rule: " ".join(row.summary for row in inventory.parts(rule)) for rule in sorted(set(rules)) if rule}


def _now(table: Table) -> dict[str, Any]:
    return {"round": table.number, "layout": layout(table, hidden=False), "due": due(table.due)}


def _outcome(then: Table, command: AnyCommand) -> dict[str, Any]:
    """The result of a corrected round."""
    record = then.record(command.round) if isinstance(command, c.Correct) else None
    return dict(record.outcome) if record else {}


def resettled(before: Table, then: Table) -> list[dict[str, Any]]:
    """The wagers of finished rounds that would be settled otherwise: before and after, nothing being an open one."""
    found = []
    for number in sorted({record.number for record in (*before.records, *then.records)}):
        was, now = before.record(number), then.record(number)
        if was is not now:
            found += _pairs(number, _lines(was), _lines(now))
    return found


def _lines(record: Record | None) -> dict[int, Line]:
    return {line.wager.number: line for line in record.lines} if record else {}


def _pairs(number: int, was: dict[int, Line], now: dict[int, Line]) -> list[dict[str, Any]]:
    both = [(was.get(each), now.get(each)) for each in sorted({*was, *now})]
    return [{"round": number} | _pair(old, new) for old, new in both if old != new]


def _pair(old: Line | None, new: Line | None) -> dict[str, Any]:
    line = new or old
    assert line is not None
    difference = (new.returned if new else 0) - (old.returned if old else 0)
    told = {"number": line.wager.number, "by": line.wager.by, "on": line.wager.on, "difference": difference}
    return told | {"stake": _placed(line), "before": _settled(old), "after": _settled(new), "rule": line.rule}


def _placed(line: Line) -> int:
    return line.wager.stake_cents + line.wager.voided_cents


def _settled(line: Line | None) -> dict[str, Any] | None:
    return {"result": line.result, "returned": line.returned, "rule": line.rule} if line else None


def _chips(before: Table, then: Table) -> list[dict[str, Any]]:
    """Whose chips would be others than now."""
    names = dict.fromkeys((*before.players, *then.players))
    sums = [{"name": name, "before": before.chips(name), "after": then.chips(name)} for name in names]
    return [each for each in sums if each["before"] != each["after"]]


# ---------------------------------------------------------------- rounds that can be corrected


def record_told(table: Table, record: Record) -> dict[str, Any]:
    """A finished round: its facts as a correction gives them, each with what was due, its result and its wagers."""
    return {
        "round": record.number,
        "invalid": record.invalid,
        "outcome": dict(record.outcome),
        "facts": [{"fact": write_fact(fact), "due": was_due} for fact, was_due in played_facts(table, record)],
        "wagers": [
            {"number": line.wager.number, "by": line.wager.by, "on": line.wager.on, "stake": _placed(line)}
            | {"result": line.result, "returned": line.returned, "rule": line.rule}
            for line in record.lines
        ],
    }


def played_facts(table: Table, record: Record) -> list[tuple[Fact, str]]:
    """The facts of play among all facts of a round; acts of the ceremony are refused by the game, and left out."""
    this, found = _laid_out(table, record), []
    for fact in record.facts:
        then = happen(this, fact)
        if not isinstance(then, Refusal):
            found.append((fact, say(this.due)))
            this = then
        elif isinstance(fact, CHANCE):
            found.append((fact, ""))
    return found


def _laid_out(table: Table, record: Record) -> AnyRound:
    """The round before its first fact, with all its wagers on the layout."""
    this = open_round(table.game, table.ruleset.rules, sign=table.sign, following=record.following)
    wagers = (*record.carried, *(wager for _, wager in record.placed))
    lines = tuple(Entry(wager) for wager in wagers if wager.stake_cents)
    numbered = max((wager.number + 1 for wager in wagers), default=0)
    state = this.game.seat(this.rules, this.state, wagers)
    return changed(this, state=state, book=lines, start=lines, numbered=numbered)
