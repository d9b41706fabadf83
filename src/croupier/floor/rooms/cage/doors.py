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
from starlette.responses import Response

from croupier.floor.doors.common import HEADERS, answer, no
from croupier.floor.doors.door import HTML, TEXT, Asked, Door, Media, Parameter
from croupier.floor.doors.permissions import DEALERS
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.credentials.sessions import Patience
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.keeping.vouchers import IssuedVouchers, issue_of, journals, locked, plain
from croupier.floor.rooms.cage import answers as c
from croupier.floor.rooms.cage.escpos import voucher_escpos
from croupier.floor.rooms.cage.paper import page, voucher_html
from croupier.floor.rooms.cage.report import report_html
from croupier.floor.rooms.cage.views import boxes, cage_view, expected_drop, meters, report, voucher_view
from croupier.floor.store.appends import Stopped, command_id
from croupier.floor.store.heads import Head
from croupier.game import Refusal
from croupier.house.cage import messages as m
from croupier.house.cage.codes import Mistyped, read_code
from croupier.house.cage.law import RULES
from croupier.house.cage.state import NAME, Cage
from croupier.house.cage.vouchers import known
from croupier.law.officials import INSPECTOR

MISSES: Final = 30
"""Numbers of no voucher that one address may ask for within five minutes."""
TOO_MANY: Final = "too many numbers that are on no voucher: wait a few minutes"
ESCPOS: Final = Media(("application/octet-stream",))
READERS: Final = RULES.cashier.value | {INSPECTOR}
ASKERS: Final = READERS | DEALERS
"""Staff may ask; whom the law of the cage does not let, it refuses with its rule."""
OF_A_VOUCHER: Final = (m.RedeemVoucher, m.PayLate, m.ExpireVoucher, m.VoidVoucher)


class CagePosted(msgspec.Struct, forbid_unknown_fields=True):
    """A command over HTTP, under an id that the page made."""

    id: str
    command: m.AnyCommand


async def state(asked: Asked[None]) -> Response:
    return await _read(asked, lambda book: answer(_state(asked.house, book)))


async def voucher(asked: Asked[None]) -> Response:
    if _misses(asked.house).is_spent(_asker(asked)):
        return no(TOO_MANY, 429)
    found = await _read(asked, lambda book: _voucher(asked.house, book, asked.part("code")))
    return _counted(asked, found, missed=b'"not found"' in bytes(found.body))


async def metered(asked: Asked[None]) -> Response:
    return await _read(asked, lambda _: answer(meters(asked.house.store, tuple(asked.house.hosts))))


async def shift_report(asked: Asked[None]) -> Response:
    shift = asked.whole("shift")
    return await _read(asked, lambda book: _report(asked.house, book, shift, answer))


async def printed_report(asked: Asked[None]) -> Response:
    shift = asked.whole("shift")
    return await _read(asked, lambda book: _report(asked.house, book, shift, lambda sheet: page(report_html(sheet))))


async def command(asked: Asked[CagePosted]) -> Response:
    of_a_voucher = isinstance(asked.body.command, OF_A_VOUCHER)
    if of_a_voucher and _misses(asked.house).is_spent(_asker(asked)):
        return no(TOO_MANY, 429)
    outcome = await ask(asked.house, _book(asked.house), asked.ticket, asked.body)
    if isinstance(outcome, Response):
        return outcome
    return _counted(asked, answer(outcome), missed=of_a_voucher and not outcome["done"] and _unissued(asked))


def _unissued(asked: Asked[CagePosted]) -> bool:
    """Whether a command was about a number that no journal issued."""
    what, book = asked.body.command, _book(asked.house)
    code = plain(getattr(what, "voucher", ""))
    return code not in book.found and asked.house.numbers.mark(code) not in book.found


async def paper(asked: Asked[None]) -> Response:
    language = asked.query.get("lang", "en")
    return await _shown(asked, lambda *issue: page(voucher_html(*issue[:2], **issue[2], language=language)))


async def printed(asked: Asked[None]) -> Response:
    def bytes_of(code: str, issued: m.Issued, more: dict[str, Any]) -> Response:
        return Response(voucher_escpos(code, issued, **more), headers=dict(HEADERS), media_type=ESCPOS.kinds[0])

    return await _shown(asked, bytes_of)


async def _shown(asked: Asked[None], drawn: Callable[[str, m.Issued, dict[str, Any]], Response]) -> Response:
    if _misses(asked.house).is_spent(_asker(asked)):
        return no(TOO_MANY, 429)
    found = await _paper(asked.house, _book(asked.house), asked.query.get("id", ""), drawn)
    return _counted(asked, found, missed=found.status_code == 404)


class _Misses(Patience):
    """The patience with numbers that are on no voucher."""


def _misses(house: House) -> _Misses:
    return house.keep(_Misses, lambda: _Misses(house.sessions.now_ms, most=MISSES))


def _counted(asked: Asked[Any], found: Response, *, missed: bool) -> Response:
    """The answer; a number that was never issued counts as a try to find one."""
    if missed:
        _misses(asked.house).is_over(_asker(asked))
    return found


def _asker(asked: Asked[Any]) -> str:
    """Who looks for numbers: a person of the house, or whoever is at an address; neither uses up the other's tries."""
    if asked.house.accounts is None or asked.door.shown != "ticket":
        return asked.address
    return f"the desk of {asked.ticket.name}"


def _book(house: House) -> IssuedVouchers:
    return house.keep(IssuedVouchers, lambda: IssuedVouchers(house.store))


def cage_of(house: House) -> Keeper[Cage]:
    if house.cage is None:
        raise Stopped("the cage of this house is not open yet")
    return house.cage


async def _read(asked: Asked[None], work: Callable[[IssuedVouchers], Response]) -> Response:
    """What somebody who may read here is told; it is worked out beside the loop, because it asks the store."""
    cage_of(asked.house)
    await followed(asked.house)
    return await asyncio.to_thread(work, _book(asked.house))


async def followed(house: House) -> None:
    """Where another process keeps the cage, read what it has made durable since."""
    if house.cage is not None and not house.cage.owned:
        await house.cage.follow()


# ---------------------------------------------------------------- asking


async def ask(house: House, book: IssuedVouchers, ticket: Ticket, posted: CagePosted) -> dict[str, Any] | Response:
    """What became of a command."""
    keeper, now = cage_of(house), clock_ms()
    command_id(posted.id)
    mark = house.numbers.mark(house.numbers.number(NAME, posted.id, ticket.name))
    what = await asyncio.to_thread(_with_facts, house, book, posted.command, mark)
    if isinstance(what, Response):
        return what
    if isinstance(what, OF_A_VOUCHER) and what.issued is not None:
        what = msgspec.structs.replace(what, issued=await _held_now(house, what.issued))
    done = await keeper.ask(posted.id, m.CageRequest(what, ticket.name, ticket.role, now))
    outcome: dict[str, Any] = msgspec.to_builtins(house.numbers.reveal(done, NAME, ticket.name))
    return outcome


async def _held_now(house: House, issued: m.Issued) -> m.Issued:
    """The issue with the hold that its table puts on it; a terminal may just have been locked by another process."""
    if (host := house.hosts.get(issued.table)) is not None:
        await host.keeper.follow()
    return locked(issued, house.hosts)


def _with_facts(house: House, book: IssuedVouchers, what: m.AnyCommand, mark: str) -> m.AnyCommand | Response:
    """The command with what the journals say in the place of whatever was sent."""
    cage = cage_of(house).shown
    if isinstance(what, OF_A_VOUCHER):
        issued = issue_of(book, house.hosts, house.numbers, what.voucher, practice=cage.practice)
        numbered = {"rest": mark} if isinstance(what, m.VoidVoucher) else {}
        return msgspec.structs.replace(what, issued=issued, **numbered)
    if isinstance(what, m.IssueVoucher):
        return msgspec.structs.replace(what, voucher=mark)
    if isinstance(what, m.CollectDrop | m.FillTable | m.CreditTable) and what.table not in house.hosts:
        return no(f"unknown table {what.table!r:.40}; known are {', '.join(house.hosts)}", 422)
    if isinstance(what, m.CollectDrop):
        return _dropped(house, book, what)
    return what


def _dropped(house: House, book: IssuedVouchers, what: m.CollectDrop) -> m.AnyCommand | Response:
    cage = cage_of(house).shown
    book.catch_up(journals(house.hosts, practice=cage.practice))
    if (what.table, what.box) not in boxes(book, house.hosts):
        return no(f"{what.box!r:.40} is no terminal of {what.table}", 422)
    expected = expected_drop(cage, book, house.hosts[what.table], what.box)
    return msgspec.structs.replace(what, expected=expected)


# ---------------------------------------------------------------- reading


def _state(house: House, book: IssuedVouchers) -> dict[str, Any]:
    cage = cage_of(house).shown
    book.catch_up(journals(house.hosts, practice=cage.practice))
    return cage_view(cage, book, house.hosts, at_ms=clock_ms())


def _voucher(house: House, book: IssuedVouchers, text: str) -> Response:
    cage = cage_of(house).shown
    found = known(cage, text, issue_of(book, house.hosts, house.numbers, text, practice=cage.practice))
    if isinstance(found, Refusal):
        # That there is none is an answer to the question, not a fault of whoever asked.
        state = "mistyped" if _mistyped(text) else "not found"
        return answer({"state": state, "reason": found.reason, "rule": found.rule})
    return answer(voucher_view(cage, *found, at_ms=clock_ms(), code=read_code(text)))


def _mistyped(text: str) -> bool:
    try:
        read_code(text)
    except Mistyped:
        return True
    return False


def _report(house: House, book: IssuedVouchers, number: int, shown: Callable[[dict[str, Any]], Response]) -> Response:
    cage = cage_of(house).shown
    book.catch_up(journals(house.hosts, practice=cage.practice))
    found = report(cage, book, house.hosts, number=number, at_ms=clock_ms())
    if found is None:
        return no(f"no shift {number} is known" if number else "no shift was opened yet", 404)
    return shown(found | {"meters": meters(house.store, tuple(house.hosts))})


# ---------------------------------------------------------------- paper


async def _paper(
    house: House, book: IssuedVouchers, text: str, drawn: Callable[[str, m.Issued, dict[str, Any]], Response]
) -> Response:
    if house.cage is None:
        return no("the cage of this house is not open yet", 503)
    await followed(house)
    cage = house.cage.shown
    issued = await asyncio.to_thread(issue_of, book, house.hosts, house.numbers, text, practice=cage.practice)
    found = known(cage, text, issued)
    if isinstance(found, Refusal):
        return no(found.reason, 404)
    _, issued = found
    head = await _head(house, issued)
    return drawn(read_code(text), issued, {"expires_ms": cage.expires_ms(issued.at_ms), "head": head})


async def _head(house: House, issued: m.Issued) -> Head | None:
    """The first signed head that covers the line of the issue; one is signed now if there is none yet."""
    heads = await asyncio.to_thread(house.store.heads, issued.table)
    signed = next((head for head in heads if head.number >= issued.line), None)
    if signed is not None:
        return signed
    made = await asyncio.wrap_future(house.store.sign_head(issued.table, clock_ms()))
    # Where another process keeps the journal, that one signs; this paper then shows the last head there is.
    return made if isinstance(made, Head) else heads[-1] if heads else None


CODE: Final = Parameter("code", "The number of a voucher, in figures; spaces do not matter.", TEXT, "path")
SHIFT: Final = Parameter("shift", "The number of a shift; 0 is the one in hand, or the last.", {"type": "integer"})


DOORS: Final = (
    Door(
        "GET /api/cage/state",
        state,
        "cage",
        "Drawer, shift, liability and drop.",
        c.CageState,
        shown="ticket",
        roles=READERS,
        ends=(503,),
    ),
    Door(
        "GET /api/cage/vouchers/{code}",
        voucher,
        "cage",
        "A voucher by its number, or that there is none.",
        (c.ShownVoucher, c.NoVoucher),
        shown="ticket",
        roles=READERS,
        parameters=(CODE,),
        ends=(503, 429),
    ),
    Door(
        "GET /api/cage/meters",
        metered,
        "cage",
        "The meters of every terminal and player.",
        list[c.Meters],
        shown="ticket",
        roles=READERS,
        ends=(503,),
    ),
    Door(
        "GET /api/cage/report",
        shift_report,
        "cage",
        "The report of a shift.",
        c.ShiftReport,
        shown="ticket",
        roles=READERS,
        parameters=(SHIFT,),
        ends=(404, 422, 503),
    ),
    Door(
        "GET /api/cage/report.html",
        printed_report,
        "cage",
        "The report of a shift, on paper.",
        HTML,
        shown="ticket",
        roles=READERS,
        parameters=(SHIFT,),
        ends=(404, 422, 503),
    ),
    Door(
        "POST /api/cage/commands",
        command,
        "cage",
        "Ask a command of the cage.",
        c.CageAnswer,
        shown="ticket",
        roles=ASKERS,
        body=CagePosted,
        ends=(429, 503),
        says="What a command says about the issue of a voucher or about money taken is read from the journals instead.",
    ),
    # Whoever has a voucher in hand may look it up by its number, which nobody can guess.
    Door(
        "GET /voucher",
        paper,
        "cage",
        "A voucher on paper, for whoever has its number.",
        HTML,
        parameters=(
            Parameter("id", "The number of the voucher.", TEXT),
            Parameter("lang", "The language of its words: en, zh-Hans, zh-Hant or mi.", TEXT),
        ),
        ends=(404, 503, 429),
    ),
    Door(
        "GET /voucher/escpos",
        printed,
        "cage",
        "A voucher for a thermal printer, for whoever has its number.",
        ESCPOS,
        parameters=(Parameter("id", "The number of the voucher.", TEXT),),
        ends=(404, 503, 429),
    ),
)
