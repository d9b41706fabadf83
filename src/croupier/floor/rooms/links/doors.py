"""The doors of the jackpot links: how each stands, and the commands that a person gives.

Wagers, hands and payments come from the journals of the tables and nowhere else (`keeping/links.py`), so they are no
commands here.  A person opens and closes a link, changes its terms, lets tables join and leave, and says what a meter
shows; the law says who may.  What the journals know is not believed of anybody: how a table joins is what the table
says, and the pool that a link receives is what the other one left.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any, Final, TypeAlias

import msgspec
from starlette.responses import Response

from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import TEXT, Asked, Door, Parameter
from croupier.floor.doors.permissions import REVIEWERS, SUPERVISORS
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House
from croupier.floor.keeping.links import LinkHost, joined
from croupier.floor.rooms.links import answers as k
from croupier.floor.store.appends import command_id
from croupier.floor.wire import Answer
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.hands import who_is_first
from croupier.house.jackpot.state import BETWEEN, Link, Linked
from croupier.journal.messages import Command, Entry


class JoinLink(Command, frozen=True):
    """A table plays for this pool from now on; its equipment and its wager are what the table says."""

    table: str


class ReceiveFrom(Command, frozen=True):
    """The pool that another link of the house left when it was closed comes into this one."""

    link: str
    approval: str


OfAPerson: TypeAlias = (
    m.OpenLink | m.ChangeTerms | JoinLink | m.LeaveTable | m.CheckMeter | m.CloseLink | ReceiveFrom
)  # fmt: skip


class LinkPosted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP, under an id that the page made."""

    id: str
    command: OfAPerson


class NotBorneOut(ValueError):
    """What the journals of the house do not bear out, in one line."""


async def links(asked: Asked[None]) -> Response:
    known = asked.house.links.by_name.values()
    for link in known:
        await link.keeper.follow()
    return answer({"links": [state(link) for link in known]})


async def command(asked: Asked[LinkPosted]) -> Response:
    name = asked.part("name")
    link = asked.house.links.by_name.get(name)
    if link is None:
        return no(f"unknown link {name!r:.40}", 404)
    return answer(await ask(asked.house, link, asked.ticket, asked.body))


async def ask(house: House, link: LinkHost, ticket: Ticket, posted: LinkPosted) -> Answer:
    """What became of a command; before a table leaves, the link hears of every wager that was placed there."""
    plain = command_id(posted.id)
    async with AsyncExitStack() as held:
        match posted.command:
            case m.LeaveTable(table=table):
                await held.enter_async_context(link.shut(table))
            case m.CloseLink():
                await held.enter_async_context(link.shut(*link.shown.tables))
            case _:
                pass
        # What was done once may not be possible again; it is asked again all the same, and answered as it was.
        again = await house.store.lookups.answer(plain) is not None
        what = _said_before(posted.command) if again else _with_facts(house, link, posted.command)
        return await link.ask(what, by=ticket.name, role=ticket.role, command_id=plain)


def _said_before(what: OfAPerson) -> m.AnyCommand:
    """The command as it was said, which is all that its id belongs to."""
    match what:
        case JoinLink(table=table):
            return m.JoinTable(table, device="", mode="", wager=0)
        case ReceiveFrom(link=other, approval=approval):
            return m.ReceivePool(other, 0, approval)
        case _:
            return what


def _with_facts(house: House, link: LinkHost, what: OfAPerson) -> m.AnyCommand:
    match what:
        case JoinLink(table=table):
            return _joining(house, link, table)
        case ReceiveFrom(link=other, approval=approval):
            return m.ReceivePool(other, _left_by(house, link.shown, other), approval)
        case m.CloseLink(to=to) if to and to not in house.links.by_name:
            raise NotBorneOut(f"unknown link {to!r:.40}; known are {', '.join(house.links.by_name)}")
        case _:
            return what


def _joining(house: House, link: LinkHost, table: str) -> m.JoinTable:
    if table not in house.hosts:
        raise NotBorneOut(f"unknown table {table!r:.40}; known are {', '.join(house.hosts)}")
    other, joining = house.links.of_table(table), joined(house.hosts[table].table)
    if other is not None:
        raise NotBorneOut(f"{table} plays for the link {other.name}")
    if joining is None:
        raise NotBorneOut(f"{table} has no jackpot wager on its sign")
    practice = {host.practice for name, host in house.hosts.items() if name in link.shown.tables}
    if practice - {house.hosts[table].practice}:
        raise NotBorneOut(f"practice and play do not share a pool: {table} is not as the tables of {link.name} are")
    return joining


def _left_by(house: House, receiver: Link, other: str) -> int:
    """What a closed link left that nobody has received."""
    left = house.links.by_name.get(other)
    amount = left.shown.balances.get(BETWEEN, 0) if left is not None and other != receiver.name else 0
    waiting = sum(link.shown.balances.get(BETWEEN, 0) for link in house.links.by_name.values())
    if not 0 < amount <= waiting:
        raise NotBorneOut(f"the link {other!r:.40} left nothing that could be received")
    return amount


# ---------------------------------------------------------------- how a link stands


def state(link: LinkHost) -> dict[str, Any]:
    """All that a supervisor may see of a link."""
    shown = link.shown
    terms = shown.terms
    return {
        "name": shown.name,
        "open": shown.open,
        "pool": shown.pool,
        "terms": terms and {
            "pool_rate": terms.pool_rate,
            "retained_rate": terms.retained_rate,
            "seed": terms.seed_cents,
            "approval": terms.approval,
        },
        "balances": dict(sorted(shown.balances.items())),
        "first": who_is_first(shown),
        "tables": [_table(link, name, table) for name, table in sorted(shown.tables.items())],
        "payouts": [paid for line in reversed(link.paid) for paid in _payouts(shown, line)],
        "refused": list(reversed(link.refused)),
        "lines": shown.entries,
    }  # fmt: skip


def _table(link: LinkHost, name: str, table: Linked) -> dict[str, Any]:
    host, feeder = link.hosts.get(name), link.feeders.get(name)
    return {
        "name": name,
        "device": table.device,
        "mode": table.mode,
        "wager": table.wager_cents,
        "wagered": table.wagered_cents,
        "round": table.round,
        "waits": bool(table.claims),
        "behind": host.shown.entries - feeder.heard if host and feeder else 0,
        "meters": [{"name": meter, "right": meter not in link.shown.wrong} for meter in table.meters],
        "stakes": [
            {"box": box, "player": stake.player, "amount": stake.amount_cents}
            | {"received_ms": table.timed.get(box, 0), "hand": table.claims.get(box, "")}
            for box, stake in sorted(table.stakes.items())
        ],
    }


def _payouts(shown: Link, line: Entry[Any]) -> list[dict[str, Any]]:
    event = line.event
    row = {"table": event.table, "round": event.round, "at_ms": line.at_ms, "line": line.number, "rule": event.rule}
    if isinstance(event, m.JackpotPaid):
        figures = {"player": event.player, "hand": event.hand, "paid": event.paid, "from_pool": event.from_pool}
        return [row | figures | {"box": event.box, "corrected": False}]
    table = shown.tables.get(event.table)
    stakes = table.history[event.round].stakes if table and event.round in table.history else {}
    return [
        row | {"box": box, "player": stakes[box].player if box in stakes else "", "hand": ""}
        | {"paid": paid, "from_pool": from_pool, "corrected": True}
        for box, (paid, from_pool) in ((int(box), prize) for box, prize in event.prizes.items())
    ]  # fmt: skip


DOORS: Final = (
    Door(
        "GET /api/links",
        links,
        "links",
        "The jackpot links: their pools and books, their tables, who waits, the last payouts.",
        k.LinkStates,
        shown="ticket",
        roles=REVIEWERS,
    ),
    # What of a link is for senior staff, the link itself refuses.
    Door(
        "POST /api/links/{name}/commands",
        command,
        "links",
        "Ask a command of a jackpot link.",
        Answer,
        shown="ticket",
        roles=SUPERVISORS,
        parameters=(Parameter("name", "The link.", TEXT, "path"),),
        body=LinkPosted,
        ends=(404, 503),
        says="The same id again has one effect and the same answer.  Wagers and hands come from the journals of the "
        "tables only; what the rules refuse is answered with 200 and `done` false.",
    ),
)
