"""The inspector's doors: the whole store verified while it runs, a signed export of a table, reports of all tables.

Verifying looks at every table as it was at one moment (`Moment`), so that what is added meanwhile is no fault; it tells
after each table how far it is, as lines of JSON, and ends with the first fault or with what was found sound.  One runs
at a time, in a thread of its own.

    POST /api/inspect/verify   {"table", "at", "of", "lines", "heads", "settlements"}…, then
                               {"over": true, "fault", "tables", "lines", "heads", "settlements", "at_ms"}
    GET  /api/inspect/export   the file, see `audit/export.py`
    GET  /api/inspect/round    one round as a page to print, with the proof in it, see `paper.py`
    GET  /api/inspect/reports  {"reports": [a line of a journal, with its "table", "practice", "round", "kind" and
                                "summary"], "key"}, the newest first
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

import msgspec
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from croupier.floor.audit.export import FORMAT, Header, law_of, written
from croupier.floor.audit.verify import kind_of, moved, redecided, replayed
from croupier.floor.doors import answers as a
from croupier.floor.doors.common import HEADERS, answer, no
from croupier.floor.doors.door import HTML, TEXT, Asked, Door, Media, Parameter
from croupier.floor.doors.permissions import INSPECTORS
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.house import House
from croupier.floor.rooms.inspector.paper import NoSuchRound, round_paper
from croupier.floor.store.appends import GREATEST_NUMBER, LedgerRow
from croupier.floor.store.chain import Sound, StoredLine, verify_chain, verify_ledger
from croupier.floor.store.durable import PAGE, BadStore, Store
from croupier.floor.store.heads import Head
from croupier.floor.views.story import said, story_line
from croupier.table import events as e
from croupier.table.events import decode
from croupier.table.terminals import events as t

LINES: Final = "application/x-ndjson"
REPORTS_KEPT: Final = 400
MOST_DIGITS: Final = 9
REPORTED: Final[Mapping[type, str]] = {
    e.InspectorNotified: "told to the inspector",
    t.InspectorTold: "told to the inspector",
    e.LimitsChanged: "limits",
    e.DifferentialSet: "limits",
    e.PersonalLimitSet: "limits",
    t.TerminalLimitsSet: "limits",
    t.MalfunctionReported: "malfunction",
    t.FaultInvestigated: "malfunction",
    t.RefundsMade: "malfunction",
    t.CaseClosed: "malfunction",
    e.PlayerSanctioned: "conduct",
    e.PlayerExcluded: "conduct",
    e.DisputeRaised: "dispute",
    e.DisputeDecided: "dispute",
    e.RoundCorrected: "correction",
    e.RoundInvalidated: "correction",
    e.RulingOverruled: "correction",
    e.Flagged: "flag",
    t.SystemApproved: "system",
}
"""The events that an inspector is told of, and what each is about."""
_NAMES: Final = tuple(f'"{kind.__name__}"'.encode() for kind in (*REPORTED, e.RoundEnded))


@dataclass(slots=True)
class Verifying:
    """One verification of a house runs at a time."""

    busy: Lock = field(default_factory=Lock)


async def verify(asked: Asked[None]) -> Response:
    busy = asked.house.keep(Verifying, Verifying).busy
    if not busy.acquire(blocking=False):
        return no("the store is being verified already: wait for that", 503)
    return StreamedAsItGoes(Telling(verified_live(asked.house.store), busy))


async def export(asked: Asked[None]) -> Response:
    house, table = asked.house, asked.query.get("table", "")
    if table not in await asyncio.to_thread(house.store.tables):
        return no(f"unknown table {table!r:.40}", 404)
    signed = await asyncio.wrap_future(house.store.sign_head(table, clock_ms()))
    last = signed.number if isinstance(signed, Head) else None
    file = await asyncio.to_thread(exported, house, table, asked.ticket.name, last)
    named = {"Content-Disposition": f'attachment; filename="croupier-{_file_name(table)}.jsonl"'}
    return Response(file, media_type=LINES, headers={**HEADERS, **named})


async def one_round(asked: Asked[None]) -> Response:
    house, table, number = asked.house, asked.query.get("table", ""), asked.query.get("round", "")
    if table not in house.hosts:
        return no(f"unknown table {table!r:.40}", 404)
    if not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS):
        return no(f"round is a whole number: {number!r:.40}", 422)
    await asyncio.wrap_future(house.store.sign_head(table, clock_ms()))
    try:
        sheet = await asyncio.to_thread(round_paper, house, table, int(number), by=asked.ticket.name, at_ms=clock_ms())
    except NoSuchRound as error:
        return no(str(error), 404)
    named = {"Content-Disposition": f'attachment; filename="croupier-{_file_name(table)}-round-{number}.html"'}
    return Response(sheet, media_type="text/html", headers={**HEADERS, **named})


async def reports(asked: Asked[None]) -> Response:
    house = asked.house
    found = await asyncio.to_thread(house.keep(ReportsKept, ReportsKept).all, house)
    key = house.store.key
    return answer({"reports": found, "key": key.public.hex() if key else ""})


def _file_name(table: str) -> str:
    return "".join(each if each.isascii() and each.isalnum() else "-" for each in table)


@dataclass(slots=True)
class Telling:
    """What is told while a store is verified; the next may begin when it is over, or when nobody has it any more."""

    rows: Iterator[bytes]
    busy: Lock
    over: bool = False

    def __iter__(self) -> Telling:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self.rows)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        if not self.over:
            self.over = True
            self.busy.release()

    # Whoever asked may have gone before the first line was asked for: then nothing else would end it.
    __del__ = release


class StreamedAsItGoes(StreamingResponse):
    """The answer; however it ends, the next verification may begin, and need not wait until this one is forgotten."""

    def __init__(self, telling: Telling) -> None:
        super().__init__(telling, media_type=LINES, headers=dict(HEADERS))
        self.telling = telling

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.telling.release()


# ---------------------------------------------------------------- verifying what runs


@dataclass(frozen=True, slots=True)
class Moment:
    """One table of a store as it was at a moment: what is added later is not seen.

    The heads and the answers are read before the end of the journal is, because they never speak of a line that is not
    there yet.
    """

    store: Store
    table: str
    inside: tuple[Head, ...]
    outside: tuple[Head, ...]
    answers: int
    last: int

    @property
    def trusted(self) -> frozenset[bytes]:
        return self.store.trusted

    def tables(self) -> tuple[str, ...]:
        return (self.table,)

    def headed_tables(self) -> tuple[str, ...]:
        return (self.table,)

    def witnessed_heads(self) -> tuple[Head, ...]:
        return self.outside

    def answered(self) -> Mapping[str, int]:
        return {self.table: self.answers}

    def heads(self, table: str) -> tuple[Head, ...]:
        return self.inside if table == self.table else ()

    def lines(self, table: str, first: int = 1, most: int = PAGE) -> tuple[StoredLine, ...]:
        left = self.last - first + 1
        return self.store.lines(table, first, min(most, left)) if left > 0 else ()

    def each_line(self, table: str, first: int = 1) -> Iterator[StoredLine]:
        while page := self.lines(table, first):
            yield from page
            first = page[-1].number + 1

    def ledger_rows(self, table: str, first: int, last: int = GREATEST_NUMBER) -> tuple[LedgerRow, ...]:
        return self.store.ledger_rows(table, first, min(last, self.last)) if first <= self.last else ()


def _moments(store: Store) -> list[Moment]:
    outside, answered = store.witnessed_heads(), store.answered()
    names = {*store.tables(), *store.headed_tables(), *(head.table for head in outside), *answered}
    return [
        Moment(
            store, name, store.heads(name), tuple(head for head in outside if head.table == name),
            answered.get(name, 0), store.last(name)[0],
        )
        # The books of the house read the lines of the tables, so those are looked at first.
        for name in sorted(names, key=lambda name: (kind_of(name) is not None, name))
    ]  # fmt: skip


def verified_live(store: Store) -> Iterator[bytes]:
    """The store verified table by table, told as it goes; it ends at the first fault."""
    moments = _moments(store)
    sums = {"tables": 0, "lines": 0, "heads": 0, "settlements": 0}
    fault = ""
    for at, moment in enumerate(moments, 1):
        found = _checked(moment)
        if isinstance(found, str):
            fault = found
            break
        sums = {name: sums[name] + found.get(name, 0) for name in sums}
        yield _row({"table": moment.table, "at": at, "of": len(moments)} | sums)
    yield _row({"over": True, "fault": fault, "at_ms": clock_ms()} | sums)


def _row(line: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _checked(moment: Moment) -> dict[str, int] | str:
    """What of one table is sound, or its first fault."""
    chain = verify_chain(moment)
    if not isinstance(chain, Sound):
        return f"the chain: {_fault_words(chain)}"
    ledger = verify_ledger(moment, moved)
    if ledger is not None:
        return f"the ledger: {_fault_words(ledger)}"
    settlements = _replayed(moment)
    if isinstance(settlements, str):
        return f"{moment.table}: {settlements}"
    return {"tables": chain.tables, "lines": chain.lines, "heads": chain.heads, "settlements": settlements}


def _fault_words(fault: object) -> str:
    fields: dict[str, Any] = {name: getattr(fault, name) for name in getattr(fault, "__slots__", ())}
    kind = type(fault).__name__
    words = {
        "BrokenLine": "table {table}, line {number}: {reason}",
        "BadHead": "table {table}, head of line {number}: {reason}",
        "MissingHead": "table {table}: head {ordinal} is missing",
        "Truncated": "table {table} ends at line {last}, but line {number} was signed or answered",
    }
    return words[kind].format(**fields) if kind in words else str(fault)


def _replayed(moment: Moment) -> int | str:
    """The journal decided again.  The books of the house change beside their journal, so those are looked at twice."""
    if kind_of(moment.table) is None:
        try:
            at: Any = moment
            return redecided(at, moment.table)
        except (ValueError, msgspec.MsgspecError) as error:
            return str(error)
    try:
        found = replayed(moment.store, moment.table)
        return replayed(moment.store, moment.table) if isinstance(found, str) else found
    except BadStore as error:
        return str(error)


# ---------------------------------------------------------------- exports


def exported(house: House, table: str, by: str, last: int | None) -> bytes:
    """The signed export of a table: its journal up to line `last`, which a head covers; all if none was signed."""
    store = house.store
    assert store.key is not None
    # Lines that came after the head are no part of it: whoever holds the key could cut them off unseen.
    heads = tuple(head for head in store.heads(table) if last is None or head.number <= last)
    lines = tuple(store.each_sound_line(table))[:last]
    host = house.hosts.get(table)
    header = Header(
        format=FORMAT,
        table=table,
        practice=host.practice if host else house.demo,
        lines=len(lines),
        heads=len(heads),
        at_ms=clock_ms(),
        by=by,
        keys=tuple(sorted(key.hex() for key in store.trusted)),
        law=law_of(lines) if host else {},
    )
    return b"".join(written(header, lines, heads, store.key))


# ---------------------------------------------------------------- reports


@dataclass(slots=True)
class ReportsKept:
    """What the inspector is told of, found in the journals as they grow; the last of each table are kept."""

    read: dict[str, int] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    found: dict[str, deque[dict[str, Any]]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def all(self, house: House) -> list[dict[str, Any]]:
        """The reports of all tables, newest first."""
        with self.lock:
            for name in house.hosts:
                self._catch_up(house.store, name)
            rows = [
                {"table": name, "practice": house.hosts[name].practice, **row}
                for name, kept in self.found.items()
                for row in kept
            ]
        return sorted(rows, key=lambda row: (-row["at_ms"], row["table"], -row["line"]))[:REPORTS_KEPT]

    def _catch_up(self, store: Store, name: str) -> None:
        kept = self.found.setdefault(name, deque(maxlen=REPORTS_KEPT))
        for line in store.each_sound_line(name, self.read.get(name, 0) + 1):
            self.read[name] = line.number
            # Most lines are no report, and looking at the bytes is much quicker than reading them.
            if any(known in line.body for known in _NAMES):
                self._take(name, decode(line.body), kept)

    def _take(self, name: str, entry: e.TableEntry, kept: deque[dict[str, Any]]) -> None:
        event, number = entry.event, self.rounds.get(name, 1)
        if isinstance(event, e.RoundEnded):
            self.rounds[name] = event.round + 1
        kind = REPORTED.get(type(event))
        if kind is None:
            return
        about = {"round": getattr(event, "round", 0) or number, "kind": kind}
        kept.append({**story_line(entry), **about, "summary": said((event.rule,)).get(event.rule, "")})


DOORS: Final = (
    Door(
        "POST /api/inspect/verify",
        verify,
        "inspector",
        "Verify the whole store as it is now, told table by table as lines of JSON.",
        Media((LINES,)),
        shown="ticket",
        roles=INSPECTORS,
        ends=(503,),
    ),
    Door(
        "GET /api/inspect/export",
        export,
        "inspector",
        "The signed export of a table, a file to keep.",
        Media((LINES,)),
        shown="ticket",
        roles=INSPECTORS,
        parameters=(Parameter("table", "The table, or another journal of the house.", TEXT),),
        ends=(404, 503),
    ),
    Door(
        "GET /api/inspect/round",
        one_round,
        "inspector",
        "One round alone, signed, as a page to print and to check.",
        HTML,
        shown="ticket",
        roles=INSPECTORS,
        parameters=(
            Parameter("table", "The table.", TEXT, required=True),
            Parameter("round", "The number of the round.", TEXT, required=True),
        ),
        ends=(404, 422, 503),
    ),
    Door(
        "GET /api/inspect/reports",
        reports,
        "inspector",
        "What the inspector is told of, newest first.",
        a.Reports,
        shown="ticket",
        roles=INSPECTORS,
    ),
)
