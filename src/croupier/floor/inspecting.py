"""The inspector's doors: the whole store verified while it runs, a signed export of a table, reports of all tables.

Verifying looks at every table as it was at one moment (`Moment`), so that what is added meanwhile is no fault; it tells
after each table how far it is, as lines of JSON, and ends with the first fault or with what was found sound.  One runs
at a time, in a thread of its own.

    POST /api/inspect/verify   {"table", "at", "of", "lines", "heads", "settlements"}…, then
                               {"over": true, "fault", "tables", "lines", "heads", "settlements", "at_ms"}
    GET  /api/inspect/export   the file, see `exporting.py`
    GET  /api/inspect/reports  {"reports": [{"table", "practice", "line", "round", "at_ms", "by", "role", "kind",
                                "says", "rule", "summary"}], "key"}, the newest first
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from croupier.floor.appends import GREATEST_NUMBER, LedgerRow
from croupier.floor.chain import Line, Sound, verify_chain, verify_ledger
from croupier.floor.doors import HEADERS, answer, no, shown_ticket
from croupier.floor.exporting import FORMAT, Header, written
from croupier.floor.heads import Head
from croupier.floor.house import House, clock_ms
from croupier.floor.keeper import Stopped
from croupier.floor.store import PAGE, Store
from croupier.floor.verify import kind_of, moved, redecided, replayed
from croupier.law import inventory
from croupier.table import events as e
from croupier.table import terminal_events as t
from croupier.table.events import TableOpened, decode
from croupier.table.explain import say_event

LINES: Final = "application/x-ndjson"
REPORTS_KEPT: Final = 400
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


def routes(app: FastAPI, house: House) -> None:
    busy = Lock()
    reports = Reports()

    @app.post("/api/inspect/verify")
    async def verify() -> Response:
        if not busy.acquire(blocking=False):
            return no("the store is being verified already: wait for that", 503)
        told = _released(verified_live(house.store), busy)
        return StreamingResponse(told, media_type=LINES, headers=dict(HEADERS))

    @app.get("/api/inspect/export")
    async def export(request: Request) -> Response:
        table = request.query_params.get("table", "")
        if table not in await asyncio.to_thread(house.store.tables):
            return no(f"unknown table {table!r:.40}", 404)
        try:
            await asyncio.wrap_future(house.store.sign_head(table, clock_ms()))
        except Stopped as error:
            return no(str(error), 503)
        file = await asyncio.to_thread(exported, house, table, shown_ticket(house, request).name)
        named = {"Content-Disposition": f'attachment; filename="croupier-{_file_name(table)}.jsonl"'}
        return Response(file, media_type=LINES, headers={**HEADERS, **named})

    @app.get("/api/inspect/reports")
    async def report() -> Response:
        found = await asyncio.to_thread(reports.all, house)
        key = house.store.key
        return answer({"reports": found, "key": key.public.hex() if key else ""})


def _file_name(table: str) -> str:
    return "".join(each if each.isascii() and each.isalnum() else "-" for each in table)


def _released(told: Iterator[bytes], busy: Lock) -> Iterator[bytes]:
    try:
        yield from told
    finally:
        busy.release()


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

    def lines(self, table: str, first: int = 1, most: int = PAGE) -> tuple[Line, ...]:
        left = self.last - first + 1
        return self.store.lines(table, first, min(most, left)) if left > 0 else ()

    def each_line(self, table: str, first: int = 1) -> Iterator[Line]:
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
        for name in sorted(names)
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


def _row(told: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(told) + b"\n"


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
    found = replayed(moment.store, moment.table)
    return replayed(moment.store, moment.table) if isinstance(found, str) else found


# ---------------------------------------------------------------- exports


def exported(house: House, table: str, by: str) -> bytes:
    """The signed export of a table: its journal up to the last head, or further if that could not be signed now."""
    store = house.store
    assert store.key is not None
    heads = store.heads(table)
    lines = tuple(store.each_line(table))
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
        law=_law(lines) if host else {},
    )
    return b"".join(written(header, lines, heads, store.key))


def _law(lines: tuple[Line, ...]) -> dict[str, Any]:
    first = decode(lines[0].body).event if lines else None
    return dict(first.law) if isinstance(first, TableOpened) else {}


# ---------------------------------------------------------------- reports


@dataclass(slots=True)
class Reports:
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
        for line in store.each_line(name, self.read.get(name, 0) + 1):
            self.read[name] = line.number
            # Most lines are no report, and looking at the bytes is much quicker than reading them.
            if any(known in line.body for known in _NAMES):
                self._take(name, decode(line.body), kept)

    def _take(self, name: str, entry: e.Entry, kept: deque[dict[str, Any]]) -> None:
        event, number = entry.event, self.rounds.get(name, 1)
        if isinstance(event, e.RoundEnded):
            self.rounds[name] = event.round + 1
        kind = REPORTED.get(type(event))
        if kind is None:
            return
        kept.append(
            {
                "line": entry.number,
                "round": getattr(event, "round", 0) or number,
                "at_ms": entry.at_ms,
                "by": entry.by,
                "role": entry.role,
                "kind": kind,
                "type": type(event).__name__,
                "says": say_event(event),
                "rule": event.rule,
                "summary": " ".join(row.summary for row in inventory.parts(event.rule)),
            }
        )
