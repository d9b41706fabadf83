"""The doors of the jackpot links: how each stands, and the commands that a person gives.

Wagers, hands and payments come from the journals of the tables and from nowhere else (`links_host.py`), so they are no
commands here.  A person opens and closes a link, changes its terms, lets tables join and leave, and says what a meter
shows; the law says who may.  What the journals know is not believed of anybody: how a table joins is what the table
says, and the pool that a link receives is what the other one left.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import asdict
from typing import Any, TypeAlias

import msgspec
from fastapi import FastAPI, Request, Response

from croupier.floor.appends import BadAppend, command_id
from croupier.floor.doors import answer, no, shown_ticket
from croupier.floor.house import House, NoTicket
from croupier.floor.keeper import Stopped
from croupier.floor.links_host import LinkHost, joined
from croupier.floor.tickets import Ticket
from croupier.floor.wire import Answer
from croupier.house import jackpot_messages as m
from croupier.house.jackpot import who_is_first
from croupier.house.jackpot_state import BETWEEN, Link, Linked
from croupier.house.journal import Entry
from croupier.table.base import Command


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


class Posted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP, under an id that the page made."""

    id: str
    command: OfAPerson


_POSTED = msgspec.json.Decoder(Posted)


class NotAskable(ValueError):
    """What the journals of the house do not bear out, in one line."""


def routes(app: FastAPI, house: House) -> None:
    @app.get("/api/links")
    async def links() -> Response:
        for link in house.links.by_name.values():
            await link.keeper.follow()
        return answer({"links": [state(link) for link in house.links.by_name.values()]})

    @app.post("/api/links/{name}/commands")
    async def command(name: str, request: Request) -> Response:
        link = house.links.by_name.get(name)
        if link is None:
            return no(f"unknown link {name!r:.40}", 404)
        try:
            ticket = shown_ticket(house, request)
            return answer(await asked(house, link, ticket, _POSTED.decode(await request.body())))
        except NoTicket as error:
            return no(str(error), 403)
        except (msgspec.MsgspecError, BadAppend, NotAskable) as error:
            return no(str(error), 422)
        except Stopped as error:
            return no(str(error), 503)


async def asked(house: House, link: LinkHost, ticket: Ticket, posted: Posted) -> Answer:
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
        what = _with_facts(house, link, posted.command)
        return await link.ask(what, by=ticket.name, role=ticket.role, command_id=plain)


def _with_facts(house: House, link: LinkHost, what: OfAPerson) -> m.AnyCommand:
    match what:
        case JoinLink(table=table):
            return _joining(house, link, table)
        case ReceiveFrom(link=other, approval=approval):
            return m.ReceivePool(other, _left_by(house, link.shown, other), approval)
        case m.CloseLink(to=to) if to and to not in house.links.by_name:
            raise NotAskable(f"unknown link {to!r:.40}; known are {', '.join(house.links.by_name)}")
        case _:
            return what


def _joining(house: House, link: LinkHost, table: str) -> m.JoinTable:
    if table not in house.hosts:
        raise NotAskable(f"unknown table {table!r:.40}; known are {', '.join(house.hosts)}")
    other, joining = house.links.of_table(table), joined(house.hosts[table].table)
    if other is not None:
        raise NotAskable(f"{table} plays for the link {other.name}")
    if joining is None:
        raise NotAskable(f"{table} has no jackpot wager on its sign")
    practice = {host.practice for name, host in house.hosts.items() if name in link.shown.tables}
    if practice - {house.hosts[table].practice}:
        raise NotAskable(f"practice and play do not share a pool: {table} is not as the tables of {link.name} are")
    return joining


def _left_by(house: House, receiver: Link, other: str) -> int:
    """What a closed link left that nobody has received."""
    left = house.links.by_name.get(other)
    amount = left.shown.balances.get(BETWEEN, 0) if left is not None and other != receiver.name else 0
    waiting = sum(link.shown.balances.get(BETWEEN, 0) for link in house.links.by_name.values())
    if not 0 < amount <= waiting:
        raise NotAskable(f"the link {other!r:.40} left nothing that could be received")
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
        "refused": [asdict(one) for one in reversed(link.refused)],
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
    told = {"table": event.table, "round": event.round, "at_ms": line.at_ms, "line": line.number, "rule": event.rule}
    if isinstance(event, m.JackpotPaid):
        figures = {"player": event.player, "hand": event.hand, "paid": event.paid, "from_pool": event.from_pool}
        return [told | figures | {"box": event.box, "corrected": False}]
    table = shown.tables.get(event.table)
    stakes = table.history[event.round].stakes if table and event.round in table.history else {}
    return [
        told | {"box": box, "player": stakes[box].player if box in stakes else "", "hand": ""}
        | {"paid": paid, "from_pool": from_pool, "corrected": True}
        for box, (paid, from_pool) in ((int(box), prize) for box, prize in event.prizes.items())
    ]  # fmt: skip
