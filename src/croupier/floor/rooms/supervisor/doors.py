"""The doors of the supervisor's room: what a command would do, and the finished rounds that can be corrected.

A preview decides a command on the table as it is shown and records nothing.  It answers with the events in words, with
the money that would move, and with everything that would be different afterwards: the settlement of each wager, the
chips of each player, the layout and what is due.  What the command would be refused for, the preview is refused for, in
the same words and under the same rule; only the second person of a command for two is not wanted yet, and the answer
says who that may be.  What somebody higher would order is looked at with one's own ticket, as that official's (`role`):
a role that was lent is for its one command, and looks at nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from starlette.responses import Response

from croupier.floor.doors import answers as a
from croupier.floor.doors.askers import not_permitted, without_factor
from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import TABLE, Asked, Door
from croupier.floor.doors.permissions import DEALERS, FOUR_EYES, REVIEWERS
from croupier.floor.keeping.credentials.tickets import NoTicket, Ticket
from croupier.floor.views.story import cited, laid_out, said, story_event
from croupier.floor.views.viewer import due, layout
from croupier.game import Deal, Demand, Fact, Refusal, say
from croupier.notation import write_fact
from croupier.round import happen
from croupier.table import commands as c
from croupier.table.commands import AnyCommand
from croupier.table.decide import decide as law_decides
from croupier.table.events import Events
from croupier.table.evolve import after, entries
from croupier.table.state import Record, SettledWager, Table
from croupier.table.trouble.correcting import CHANCE

ROUNDS: Final = 30
"""Finished rounds that are listed for correction."""


class Thought(msgspec.Struct, forbid_unknown_fields=True):
    """A command that somebody thinks of, with their ticket; `role` is the official who would order it, if another."""

    ticket: str
    command: AnyCommand
    role: str = ""


async def preview(asked: Asked[Thought]) -> Response:
    house, thought = asked.house, asked.body
    ticket = asked.ticket_in(thought.ticket, asked.part("name"))
    if ticket.command:
        raise NoTicket(f"the {ticket.role} was lent for one command, and not to look at others")
    if thought.role and thought.role not in asked.door.roles:
        raise NoTicket(f"{asked.door.operation} is not for the {thought.role:.40}")
    # Who the official will be is not known yet: the role stands for the name.
    by = Ticket(thought.role, thought.role, ticket.table) if thought.role else ticket
    two = sorted(FOUR_EYES.get(type(thought.command).__name__, ())) if house.accounts is not None else []
    host = house.hosts[ticket.table]
    result = previewed(host.shown, thought.command, ticket=by, now_ms=host.now_ms(), decide=host.keeper.kind.decide)
    factor = bool(two) and without_factor(house.factors, "", ticket) is not None
    return answer(result | {"second": two, "factor": factor})


async def records(asked: Asked[None]) -> Response:
    house, name, ticket = asked.house, asked.part("name"), asked.ticket
    if name not in house.hosts:
        return no(f"unknown table {name!r:.40}", 404)
    if ticket.table not in ("", name):
        return no(f"this ticket is for {ticket.table or 'the house'}, not for {name}", 403)
    table = house.hosts[name].shown
    rounds = [shown_record(table, record) for record in reversed(table.records[-ROUNDS:])]
    return answer({"table": name, "rounds": rounds})


# ---------------------------------------------------------------- what a command would do


Decide = Callable[[Table, c.TableRequest], Events | Refusal]


def previewed(
    table: Table, command: AnyCommand, *, ticket: Ticket, now_ms: int, decide: Decide = law_decides
) -> dict[str, Any]:
    """What would follow from a command of somebody now, or why nothing would, as this house decides."""
    request = c.TableRequest(command, ticket.name, ticket.role, now_ms)
    decided = not_permitted(table, command, ticket) or decide(table, request)
    if isinstance(decided, Refusal):
        no = {"reason": decided.reason, "on": decided.on, "rule": decided.rule}
        return {"lawful": False, **no, "rules": said([decided.rule])}
    then = after(table, entries(table, request, decided))
    return {
        "lawful": True,
        "line": table.entries,
        "events": [story_event(event) for event in decided],
        "wagers": resettled(table, then),
        "chips": _chips(table, then),
        "before": _now(table),
        "after": _now(then),
        "outcome": _outcome(then, command),
        "rules": said(cited(decided)),
    }


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


def _lines(record: Record | None) -> dict[int, SettledWager]:
    return {line.wager.number: line for line in record.lines} if record else {}


def _pairs(number: int, was: dict[int, SettledWager], now: dict[int, SettledWager]) -> list[dict[str, Any]]:
    both = [(was.get(each), now.get(each)) for each in sorted({*was, *now})]
    return [{"round": number} | _pair(old, new) for old, new in both if old != new]


def _pair(old: SettledWager | None, new: SettledWager | None) -> dict[str, Any]:
    line = new or old
    assert line is not None
    difference = (new.returned if new else 0) - (old.returned if old else 0)
    row = {"number": line.wager.number, "by": line.wager.by, "on": line.wager.on, "difference": difference}
    return row | {"stake": _placed(line), "before": _settled(old), "after": _settled(new), "rule": line.rule}


def _placed(line: SettledWager) -> int:
    return line.wager.stake_cents + line.wager.voided_cents


def _settled(line: SettledWager | None) -> dict[str, Any] | None:
    return {"result": line.result, "returned": line.returned, "rule": line.rule} if line else None


def _chips(before: Table, then: Table) -> list[dict[str, Any]]:
    """Whose chips would be others than now."""
    names = dict.fromkeys((*before.players, *then.players))
    sums = [{"name": name, "before": before.chips(name), "after": then.chips(name)} for name in names]
    return [each for each in sums if each["before"] != each["after"]]


# ---------------------------------------------------------------- rounds that can be corrected


def shown_record(table: Table, record: Record) -> dict[str, Any]:
    """A finished round: its facts as a correction gives them, each with what was due, its result and its wagers."""
    return {
        "round": record.number,
        "invalid": record.invalid,
        "outcome": dict(record.outcome),
        "facts": [
            {"fact": write_fact(fact), "due": say(was) if was else "", "to": was.to if isinstance(was, Deal) else ""}
            for fact, was in played_facts(table, record)
        ],
        "wagers": [
            {"number": line.wager.number, "by": line.wager.by, "on": line.wager.on, "stake": _placed(line)}
            | {"result": line.result, "returned": line.returned, "rule": line.rule}
            for line in record.lines
        ],
    }


def played_facts(table: Table, record: Record) -> list[tuple[Fact, Demand | None]]:
    """The facts of play, each with what was due; acts of the ceremony are refused by the game, and left out."""
    this, found = laid_out(table, record), list[tuple[Fact, Demand | None]]()
    for fact in record.facts:
        then = happen(this, fact)
        if not isinstance(then, Refusal):
            found.append((fact, this.due))
            this = then
        elif isinstance(fact, CHANCE):
            found.append((fact, None))
    return found


DOORS: Final = (
    Door(
        "POST /api/tables/{name}/preview",
        preview,
        "tables",
        "What a command would do, or why it would be refused; nothing is recorded.",
        (a.Previewed, a.Unlawful),
        shown="inside",
        roles=DEALERS | REVIEWERS,
        parameters=(TABLE,),
        body=Thought,
        says="The ticket is in the body.",
    ),
    Door(
        "GET /api/tables/{name}/records",
        records,
        "tables",
        "The last finished rounds, as they can be corrected.",
        a.PlayedRounds,
        shown="ticket",
        roles=REVIEWERS,
        parameters=(TABLE,),
        ends=(404,),
    ),
)
