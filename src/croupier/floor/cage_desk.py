"""The doors of the cage: its state, looking up a voucher, its commands, its reports, and the voucher on paper.

A command travels as `{"id", "command"}`, decided like those of a table: the same id again has one effect and the same
answer.  What a command says about the issue of a voucher, or about the money a table took, is never believed: this desk
reads it from the durable journals and puts it in the place of whatever was sent.

Two processes cannot both pay a voucher.  One keeper decides all payments in order; the journal of the cage has one
owner; and a payment is line `n` of that journal, of which the store takes only one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response

from croupier.floor.appends import BadAppend, command_id
from croupier.floor.cage_report import report_html
from croupier.floor.cage_views import boxes, cage_view, expected_drop, meters, report, voucher_view
from croupier.floor.doors import answer, no, shown_ticket
from croupier.floor.heads import Head
from croupier.floor.house import House, NoTicket, Ticket, clock_ms
from croupier.floor.keeper import Keeper, Stopped
from croupier.floor.voucher_page import page, voucher_html
from croupier.floor.vouchers import Book, issue_of, issued_by, journals, new_code
from croupier.game import Refusal
from croupier.house import cage_messages as m
from croupier.house.cage_law import CAGE_RULES
from croupier.house.cage_state import NAME, Cage
from croupier.house.cage_vouchers import known
from croupier.house.voucher_code import Mistyped, read_code
from croupier.table.general import INSPECTOR

READERS: Final = CAGE_RULES.cashier.value | {INSPECTOR}
OF_A_VOUCHER: Final = (m.RedeemVoucher, m.PayLate, m.ExpireVoucher, m.VoidVoucher)


class Posted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP, under an id that the page made."""

    id: str
    command: m.AnyCommand


_POSTED = msgspec.json.Decoder(Posted)


def routes(app: FastAPI, house: House) -> None:
    book = Book(house.store)

    @app.get("/api/cage/state")
    async def state(request: Request) -> Response:
        return await _read(house, request, lambda: answer(_state(house, book)))

    @app.get("/api/cage/vouchers/{code}")
    async def voucher(code: str, request: Request) -> Response:
        return await _read(house, request, lambda: _voucher(house, book, code))

    @app.get("/api/cage/meters")
    async def metered(request: Request) -> Response:
        return await _read(house, request, lambda: answer(meters(house.store, tuple(house.hosts))))

    @app.get("/api/cage/report")
    async def told(request: Request, shift: int = 0) -> Response:
        return await _read(house, request, lambda: _report(house, book, shift, answer))

    @app.get("/api/cage/report.html")
    async def printed(request: Request, shift: int = 0) -> Response:
        return await _read(house, request, lambda: _report(house, book, shift, lambda told: page(report_html(told))))

    @app.post("/api/cage/commands")
    async def command(request: Request) -> Response:
        try:
            ticket = shown_ticket(house, request)
            posted = _POSTED.decode(await request.body())
            told = await asked(house, book, ticket, posted)
        except NoTicket as error:
            return no(str(error), 403)
        except (msgspec.MsgspecError, BadAppend) as error:
            return no(str(error), 422)
        except Stopped as error:
            return no(str(error), 503)
        return told if isinstance(told, Response) else answer(told)

    @app.get("/voucher")
    async def paper(id: str = "") -> Response:
        return await _paper(house, book, id)


def cage_of(house: House) -> Keeper[Cage]:
    if house.cage is None:
        raise Stopped("the cage of this house is not open yet")
    return house.cage


async def _read(house: House, request: Request, told: Callable[[], Response]) -> Response:
    """What somebody who may read here is told; it is worked out beside the loop, because it asks the store."""
    refused = _stranger(house, request)
    if refused is not None:
        return refused
    await followed(house)
    return await asyncio.to_thread(told)


async def followed(house: House) -> None:
    """Where another process keeps the cage, read what it has made durable since."""
    if house.cage is not None and not house.cage.owned:
        await house.cage.follow()


def _stranger(house: House, request: Request) -> Response | None:
    """Why whoever asks may not read here."""
    try:
        ticket = shown_ticket(house, request)
        cage_of(house)
    except (NoTicket, Stopped) as error:
        return no(str(error), 403 if isinstance(error, NoTicket) else 503)
    if ticket.role in READERS:
        return None
    return no(f"the cage is for its cashiers, casino supervisors and the inspector, not for the {ticket.role}", 403)


# ---------------------------------------------------------------- asking


async def asked(house: House, book: Book, ticket: Ticket, posted: Posted) -> dict[str, Any] | Response:
    """What became of a command."""
    keeper, now = cage_of(house), clock_ms()
    command_id(posted.id)
    what = await asyncio.to_thread(_with_facts, house, book, posted.command)
    if isinstance(what, Response):
        return what
    done = await keeper.ask(posted.id, m.CageRequest(what, ticket.name, ticket.role, now))
    told: dict[str, Any] = msgspec.to_builtins(done)
    if done.done and isinstance(what, m.IssueVoucher):
        told["voucher"] = await asyncio.to_thread(issued_by, house.store, NAME, done.line)
    return told


def _with_facts(house: House, book: Book, what: m.AnyCommand) -> m.AnyCommand | Response:
    """The command with what the journals say in the place of whatever was sent."""
    cage = cage_of(house).shown
    if isinstance(what, OF_A_VOUCHER):
        return msgspec.structs.replace(what, issued=issue_of(book, house.hosts, what.voucher, practice=cage.practice))
    if isinstance(what, m.IssueVoucher):
        return msgspec.structs.replace(what, voucher=new_code())
    if isinstance(what, m.CollectDrop | m.FillTable | m.CreditTable) and what.table not in house.hosts:
        return no(f"unknown table {what.table!r:.40}; known are {', '.join(house.hosts)}", 422)
    if isinstance(what, m.CollectDrop):
        return _dropped(house, book, what)
    return what


def _dropped(house: House, book: Book, what: m.CollectDrop) -> m.AnyCommand | Response:
    cage = cage_of(house).shown
    book.catch_up(journals(house.hosts, practice=cage.practice))
    if (what.table, what.box) not in boxes(book, house.hosts):
        return no(f"{what.box!r:.40} is no terminal of {what.table}", 422)
    expected = expected_drop(cage, book, house.hosts[what.table], what.box)
    return msgspec.structs.replace(what, expected=expected)


# ---------------------------------------------------------------- reading


def _state(house: House, book: Book) -> dict[str, Any]:
    cage = cage_of(house).shown
    book.catch_up(journals(house.hosts, practice=cage.practice))
    return cage_view(cage, book, house.hosts, at_ms=clock_ms())


def _voucher(house: House, book: Book, text: str) -> Response:
    cage = cage_of(house).shown
    found = known(cage, text, issue_of(book, house.hosts, text, practice=cage.practice))
    if isinstance(found, Refusal):
        # That there is none is an answer to the question, not a fault of whoever asked.
        state = "mistyped" if _mistyped(text) else "not found"
        return answer({"state": state, "reason": found.reason, "rule": found.rule})
    return answer(voucher_view(cage, *found, at_ms=clock_ms()))


def _mistyped(text: str) -> bool:
    try:
        read_code(text)
    except Mistyped:
        return True
    return False


def _report(house: House, book: Book, number: int, shown: Callable[[dict[str, Any]], Response]) -> Response:
    cage = cage_of(house).shown
    book.catch_up(journals(house.hosts, practice=cage.practice))
    found = report(cage, book, house.hosts, number=number, at_ms=clock_ms())
    if found is None:
        return no(f"no shift {number} is known" if number else "no shift was opened yet", 404)
    return shown(found | {"meters": meters(house.store, tuple(house.hosts))})


# ---------------------------------------------------------------- paper


async def _paper(house: House, book: Book, text: str) -> Response:
    if house.cage is None:
        return no("the cage of this house is not open yet", 503)
    await followed(house)
    cage = house.cage.shown
    issued = await asyncio.to_thread(issue_of, book, house.hosts, text, practice=cage.practice)
    found = known(cage, text, issued)
    if isinstance(found, Refusal):
        return no(found.reason, 404)
    code, issued = found
    head = await _head(house, issued)
    return page(voucher_html(code, issued, expires_ms=cage.expires_ms(issued.at_ms), head=head))


async def _head(house: House, issued: m.Issued) -> Head | None:
    """The first signed head that covers the line of the issue; one is signed now if there is none yet."""
    heads = await asyncio.to_thread(house.store.heads, issued.table)
    signed = next((head for head in heads if head.number >= issued.line), None)
    if signed is not None:
        return signed
    made = await asyncio.wrap_future(house.store.sign_head(issued.table, clock_ms()))
    # Where another process keeps the journal, that one signs; this paper then shows the last head there is.
    return made if isinstance(made, Head) else heads[-1] if heads else None
