"""The proofs at the inspector's desk: which there are, what each said here and when, and starting a short one.

Theory of operation.  Proofs look at the running house from outside, so the house does not have them in it: whoever
serves the house tells their names, and a proof is the command `croupier prove NAME --short --json` in a process of its
own, at a low priority, one at a time.  It is given a copy of the house's books as they are now, with the public key of
their heads, and never the books themselves.  What it answered is kept in a file beside the key.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from starlette.responses import Response

from croupier.floor.doors.answers import Answered
from croupier.floor.doors.common import answer, no
from croupier.floor.doors.door import Asked, Door
from croupier.floor.doors.permissions import INSPECTORS
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.house import House
from croupier.floor.store.copies.backup import back_up, restore
from croupier.floor.store.durable import Store

log = logging.getLogger(__name__)

PUBLIC: Final = ".public"
"""What the name of a copy has after it, for the file with the public key of its heads."""
NICE: Final = 5
MOST_SECONDS: Final = 3_600
ENDING_SECONDS: Final = 10
MOST_LINES: Final = 30


class ProofShown(Answered):
    """A proof: what it shows; and, where it was run here, whether it held, when, by whom, and what it said."""

    name: str
    says: str
    proved: bool | None = None
    at_ms: int = 0
    by: str = ""
    seconds: float = 0.0
    source: str = ""
    lines: list[str] = msgspec.field(default_factory=list)


class ProofsShown(Answered):
    """All proofs, and the one that is running."""

    proofs: list[ProofShown]
    running: str


class ProofAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The proof to start."""

    name: str


@dataclass(slots=True)
class Proofs:
    """The proofs of a house: those that there are, and the work on the one that runs."""

    known: Mapping[str, str] = field(default_factory=dict)
    running: str = ""
    work: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self.work is not None:
            self.work.cancel()
            with suppress(asyncio.CancelledError):
                await self.work


def announce(house: House, known: Mapping[str, str]) -> None:
    """Tell a house which proofs there are, and what each shows."""
    proofs = house.keep(Proofs, Proofs)
    proofs.known = dict(known)
    house.at_end.append(proofs.close)


async def listed(asked: Asked[None]) -> Response:
    proofs = asked.house.keep(Proofs, Proofs)
    # Asked first: a proof that ends while the file is read is still running, and never one that said nothing.
    running = proofs.running
    kept = await asyncio.to_thread(_kept, asked.house.store)
    shown = [kept.get(name) or ProofShown(name, says) for name, says in proofs.known.items()]
    return answer(ProofsShown(shown, running))


async def started(asked: Asked[ProofAsked]) -> Response:
    proofs, name, by = asked.house.keep(Proofs, Proofs), asked.body.name, asked.ticket.name
    if name not in proofs.known:
        return no(f"unknown proof {name!r:.40}; known are {', '.join(proofs.known) or 'none here'}", 422)
    if proofs.running:
        return no(f"the proof {proofs.running} is running: wait for it", 503)
    proofs.running = name
    proofs.work = asyncio.create_task(_run(asked.house, proofs, name, by), name=f"proof {name}")
    return await listed(Asked(asked.house, asked.door, asked.request, None))


async def _run(house: House, proofs: Proofs, name: str, by: str) -> None:
    """Run a proof on a copy of the books, and keep what it said."""
    verdict: dict[str, Any]
    try:
        with TemporaryDirectory(prefix="croupier-proof-") as folder:
            copy = await asyncio.to_thread(copied, house.store, Path(folder))
            verdict = await _answered(name, copy)
        await asyncio.to_thread(_keep, house.store, _shown(proofs.known[name], name, by, verdict))
    except (OSError, sqlite3.Error, ValueError, TimeoutError) as error:
        log.error("the proof could not be run: %s", error, extra={"proof": name})
        failed = ProofShown(name, proofs.known[name], False, clock_ms(), by, lines=[f"it could not be run: {error}"])
        await asyncio.to_thread(_keep, house.store, failed)
    finally:
        proofs.running = ""


async def _answered(name: str, copy: str) -> dict[str, Any]:
    books = ("--books", copy) if copy else ()
    command = (sys.executable, "-m", "croupier", "prove", name, "--short", "--json", *books)
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=lambda: os.nice(NICE),
    )
    try:
        async with asyncio.timeout(MOST_SECONDS):
            out, errors = await process.communicate()
    finally:
        if process.returncode is None:
            await _end(process)
    try:
        verdict: dict[str, Any] = msgspec.json.decode(out, type=dict[str, Any])
    except msgspec.MsgspecError:
        last = errors.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise ValueError(last[0][:200]) from None
    return verdict


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a proof that nobody waits for any more; it has a while to put away what it started."""
    process.terminate()
    try:
        async with asyncio.timeout(ENDING_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _shown(says: str, name: str, by: str, verdict: Mapping[str, Any]) -> ProofShown:
    lines = [f"{count:,} {what}" for what, count in verdict.get("tried", {}).items()]
    lines += [*verdict.get("holds", ()), *(f"FAULT: {each}" for each in verdict.get("faults", ()))]
    lines += [f"not run: {each}" for each in verdict.get("not_run", ())]
    caught = verdict.get("controls", {})
    if isinstance(caught, dict):
        lines += [f"control: {each}: {'caught' if found else 'NOT CAUGHT'}" for each, found in caught.items()]
    proved = bool(verdict.get("proved", not verdict.get("faults")))
    seconds, source = float(verdict.get("seconds", 0.0)), str(verdict.get("source", ""))
    return ProofShown(name, says, proved, clock_ms(), by, seconds, source, lines[:MOST_LINES])


def copied(store: Store, folder: Path) -> str:
    """The URL of a copy of the books, the public key of their heads beside it; none where the house has no key."""
    if store.key is None:
        return ""
    target = folder / "books.db"
    if store.opened.shared:
        back_up(store.opened.reading.url.render_as_string(hide_password=False), folder / "backup")
        restore(folder / "backup", f"sqlite:///{target}")
    else:
        with (
            closing(sqlite3.connect(f"file:{store.opened.name}?mode=ro", uri=True)) as books,
            closing(sqlite3.connect(target)) as copy,
        ):
            books.backup(copy)
    target.with_name(target.name + PUBLIC).write_text(store.key.public.hex(), encoding="ascii")
    return f"sqlite:///{target}"


# ---------------------------------------------------------------- what is kept


def _file(store: Store) -> Path | None:
    return store.key.path.with_name(f"{store.key.path.name}.proofs") if store.key else None


def _kept(store: Store) -> dict[str, ProofShown]:
    file = _file(store)
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, ProofShown]) if file else {}
    except (OSError, msgspec.MsgspecError):
        return {}


def _keep(store: Store, shown: ProofShown) -> None:
    file = _file(store)
    if file is not None:
        draft = file.with_name(f"{file.name}.draft")
        draft.write_bytes(msgspec.json.encode(_kept(store) | {shown.name: shown}))
        draft.replace(file)


DOORS: Final = (
    Door(
        "GET /api/inspect/proofs",
        listed,
        "inspector",
        "The proofs, what each said here, and when.",
        ProofsShown,
        shown="ticket",
        roles=INSPECTORS,
    ),
    Door(
        "POST /api/inspect/proofs",
        started,
        "inspector",
        "Start a short proof beside the house, on a copy of its books.",
        ProofsShown,
        shown="ticket",
        roles=INSPECTORS,
        body=ProofAsked,
        ends=(503,),
    ),
)
