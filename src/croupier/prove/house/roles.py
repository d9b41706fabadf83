"""Who may do what is exactly what the table of permissions says, at every door, in every state, with any credential.

Theory of operation.  The table is taken down once: the doors with their roles, and the commands with the roles that
some law gives them (a test holds both to a matrix that people read).  Then a house with accounts is walked:

1.  every door, by nobody and by every role: let in exactly as the table says;
2.  every door and every command, with nine kinds of credentials that are not good, and with seconds that are missing,
    too many or wrong: nothing opens and nothing is written;
3.  every command by every role, in its own name and in another's, in the states that a table can be in: what the table
    leaves out is refused at the door and leaves no line and no id; what it names is not refused for the role.  The
    latter is decided upon the same state without being carried out, so that the state stays;
4.  the same upon open tables of other games and editions, whose law may be narrower than the table.

What is not listed is refused: a route that is no door, a command and a role that nobody knows.  The controls widen one
cell: a door that lets in one more role, and a command that one more may ask.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import httpx
import msgspec
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse

from croupier.answers.walker import Stack, Walker, teller
from croupier.floor.app import DOORS
from croupier.floor.doors import permissions
from croupier.floor.doors.door import Door
from croupier.floor.doors.permissions import COMMANDS, DEALERS, FOUR_EYES, REVIEWERS, may_ask
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import House
from croupier.floor.keeping.keeper import new_id
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.demonstration import SIGN
from croupier.game import Refusal
from croupier.law.officials import CASHIER, DEALER, GAME_SUPERVISOR, INSPECTOR, PLAYER, ROLES
from croupier.notation import write_fact
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.house.entrances import (
    OTHER,
    TABLE,
    address,
    body_of,
    credentials,
    is_refused,
    name_of,
    operations,
    running,
    shown,
)
from croupier.rulesets import every_ruleset
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import AFTER_CLOSING, DECISIONS, FOR_THEMSELVES, OWNER, decide
from croupier.table.state import Table
from croupier.table.terminals import commands as t
from croupier.table.terminals.slips import betting_closed, dealt, slip_digest
from croupier.table.walk import Chance, Walk

CLOSED: Final = "B-9"
STUDIES: Final = ("/api/lab/", "/api/rulebook/")
"""Pages and papers of the study are public and slow; the guard treats them as it does the others."""
BODIES: Final[Mapping[str, dict[str, Any]]] = {
    "POST /api/devices/code": {"table": TABLE, "device": "shoe"},
    "POST /api/people": {"type": "Unlock", "name": name_of(DEALER)},
}
"""Where a lent ticket is looked at together with what is asked."""
TERMINAL: Final = "Terminal 1"
MOST_STEPS: Final = 400


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("roles")
    found = Findings()
    states = scope.count(short=len(STATES), long=len(STATES))
    with TemporaryDirectory(prefix="croupier-roles-") as name:
        asyncio.run(_walked(found, Path(name), states, tell))
    tell(4, 5, "other games and editions")
    rulesets = list(every_ruleset())
    for each in rulesets if scope.length == "long" else rulesets[:: max(1, len(rulesets) // 3)]:
        table = Walk(each, Chance(str(scope.seed))).table
        found.faults += _decided(found, table, f"{each.game} {each.edition}")
    tell(5, 5, "controls")
    found.controls = _controls()
    if not found.faults:
        found.holds.append("every role is let in exactly as the table says; what is not listed is refused")
        found.holds.append(
            "no door opens to an expired, lent or foreign credential or to a wrong second; nothing is written"
        )
    return found.verdict()


async def _walked(found: Findings, folder: Path, states: int, tell: Tell) -> None:
    async with running(folder, demo=False) as (house, app, client):
        await house.open(Planned(OTHER, "nzeb", "baccarat", "hybrid", SIGN))
        await house.open(Planned(CLOSED, "nzeb", "baccarat", "hybrid", {**SIGN, "minimum": 0}))
        tell(0, 5, "every door by every role")
        found.faults += [each async for each in doors_by_role(found, house, app, client)]
        found.faults += [each async for each in _unlisted(found, house, app, client)]
        tell(1, 5, "credentials that are not good")
        found.faults += [each async for each in bad_credentials(found, house, client)]
        tell(2, 5, "commands in every state")
        chosen = list(STATES.items())[:states]
        for state, (name, bring) in chosen:
            await bring(house.hosts[name])
            found.count("states")
            found.faults += [each async for each in _refused(found, house, client, house.hosts[name], state)]
            found.faults += _decided(found, house.hosts[name].table, state)
        tell(3, 5, "what may be asked, at the door")
        found.faults += [each async for each in _taken(found, house, client)]


# ---------------------------------------------------------------- doors


async def doors_by_role(found: Findings, house: House, app: Starlette, client: httpx.AsyncClient) -> AsyncIterator[str]:
    """Every route, with a ticket of every role and with none."""
    listed = {door.operation: door for door in DOORS}
    for method, path in operations(app):
        operation = f"{method} {path}"
        if operation not in listed:
            yield f"{operation} is not in the table"
            continue
        door = listed[operation]
        if method == "WS" or path.startswith(STUDIES):
            continue
        bare = await client.request(method, address(path), content=b"{}")
        found.count("cells of doors")
        if is_refused(bare) != (door.shown in ("session", "ticket")):
            yield f"{operation} by nobody: {bare.status_code} {bare.text:.100}"
        for role in ROLES:
            answer = await client.request(method, address(path), content=b"{}", headers=shown(house, role))
            wanted = door.shown == "session" or (door.shown == "ticket" and role not in door.roles)
            found.count("cells of doors")
            if is_refused(answer) != wanted:
                yield f"{operation} by the {role}: {answer.status_code} {answer.text:.100}"


async def _unlisted(found: Findings, house: House, app: Starlette, client: httpx.AsyncClient) -> AsyncIterator[str]:
    """A route that is no door, a command that nobody knows, a role that nobody has."""
    app.router.add_route("/unlisted", lambda _: PlainTextResponse("open"))
    app.router.routes.insert(0, app.router.routes.pop())
    for headers in ({}, *(shown(house, role) for role in ROLES)):
        found.count("cells that are not listed")
        if (await client.get("/unlisted", headers=headers)).status_code != 403:
            yield "a route that is in no table was answered"
    app.router.routes.pop(0)
    found.count("cells that are not listed", 3)
    if may_ask("Unlisted", "casino manager") or may_ask("Sit", "king") or may_ask("Sit", ""):
        yield "a command or a role that is in no table may ask"


# ---------------------------------------------------------------- credentials


async def bad_credentials(found: Findings, house: House, client: httpx.AsyncClient) -> AsyncIterator[str]:
    lines = {name: host.shown.entries for name, host in house.hosts.items()}
    for door in (each for each in DOORS if isinstance(each, Door) and each.shown == "ticket"):
        for role in sorted(door.roles & set(ROLES)):
            for wrong, ticket in credentials(house, role, TABLE if role == PLAYER else ""):
                body, headers = BODIES.get(door.operation, {}), {"Authorization": f"Ticket {ticket}"}
                answer = await client.request(door.method, address(door.path), json=body, headers=headers)
                found.count("bad credentials")
                if answer.status_code != 403:
                    yield f"{door.operation} opened to the {role} with a ticket {wrong}: {answer.status_code}"
    for role in sorted(DEALERS | REVIEWERS):
        for wrong, ticket in credentials(house, role, TABLE):
            thought = {"ticket": ticket, "command": body_of("ShowRules")}
            answer = await client.post(f"/api/tables/{TABLE}/preview", json=thought)
            found.count("bad credentials")
            if answer.status_code != 403:
                yield f"a preview for the {role} with a ticket {wrong}: {answer.status_code} {answer.text:.100}"
    for command, roles in COMMANDS.items():
        role = next((each for each in ROLES if each in roles), "")
        if not role:
            continue
        elsewhere = ("for another table", house.give(Ticket(name_of(role), role, OTHER)))
        for wrong, ticket in (*credentials(house, role, TABLE), elsewhere):
            answer = await _posted(client, TABLE, ticket, command)
            found.count("bad credentials")
            if answer.status_code not in (403, 422):
                yield f"{command} by the {role} with a ticket {wrong}: {answer.status_code} {answer.text:.100}"
        for wrong, second in _seconds(house, command, role):
            ticket = house.give(Ticket(name_of(role), role, TABLE))
            answer = await _posted(client, TABLE, ticket, command, second=second)
            found.count("wrong seconds")
            if answer.status_code == 200 and answer.json()["done"]:
                yield f"{command} by the {role} was done with a second {wrong}"
    if lines != {name: host.shown.entries for name, host in house.hosts.items()}:
        yield "a credential that is not good wrote a line"


def _seconds(house: House, command: str, role: str) -> Iterator[tuple[str, str]]:
    """A second person where one is enough; and, where two are wanted, one whose ticket is not good, or not here."""
    inspector = name_of(INSPECTOR)
    if command not in FOUR_EYES:
        yield "who is one too many", house.give(Ticket(inspector, INSPECTOR, ""))
        return
    yield "for another table", house.give(Ticket(inspector, INSPECTOR, OTHER))
    yield "who is the same person", house.give(Ticket(name_of(role), role, TABLE))
    yield "in another role", house.give(Ticket(name_of(CASHIER), CASHIER, TABLE))
    yield from ((wrong, ticket) for wrong, ticket in credentials(house, INSPECTOR, TABLE) if ticket)


async def _posted(
    client: httpx.AsyncClient, table: str, ticket: str, command: str, *, second: str = "", one: str = ""
) -> httpx.Response:
    body = {"id": one or secrets.token_hex(16), "ticket": ticket, "command": body_of(command)}
    return await client.post(f"/api/tables/{table}/commands", json=body | ({"second": second} if second else {}))


# ---------------------------------------------------------------- commands


def _expected(table: Table, what: AnyCommand, role: str, by: str) -> str:
    """The words of the refusal that the table of permissions wants; nothing where it lets this role ask."""
    may, _ = DECISIONS[type(what)]
    if table.open and isinstance(what, c.OpenTable):
        return "is open"
    if not table.open and not isinstance(what, AFTER_CLOSING):
        return "is closed"
    if role not in LAWFUL[type(what).__name__] or role not in may(table.general).value:
        return "not for the"
    if role in FOR_THEMSELVES and type(what) in OWNER:
        return "" if OWNER[type(what)](what) == by else "does not act for"
    return ""


LAWFUL: Final = dict(COMMANDS)
"""The table as it was taken down, before a control widens anything."""
WORDS: Final = ("is open", "is closed", "not for the", "does not act for")


def _decided(found: Findings, table: Table, state: str) -> list[str]:
    """Every command by every role, in its own name and in another's, decided upon one state and not carried out."""
    wrong = []
    for command in COMMANDS:
        for role in ROLES:
            for owner in ("Pat", name_of(role)):
                body = {key: owner if value == "Pat" else value for key, value in body_of(command).items()}
                what: AnyCommand = msgspec.convert(body, cast(Any, AnyCommand))
                expected = _expected(table, what, role, name_of(role))
                ruling = decide(table, TableRequest(what, name_of(role), role, 1_000))
                reason = ruling.reason if isinstance(ruling, Refusal) else ""
                found.count("cells of commands")
                named = next((words for words in WORDS if words in reason), "")
                if named != expected and not (expected == "" and named in ("is open", "is closed")):
                    wrong.append(f"{state}: {command} by the {role} for {owner}: {reason or 'taken'!r}")
    return wrong


async def _refused(
    found: Findings, house: House, client: httpx.AsyncClient, host: Host, state: str
) -> AsyncIterator[str]:
    """At the door of a table in this state: whom the table leaves out is refused, and nothing is written."""
    lines = host.shown.entries
    for command, role in ((command, role) for command in LAWFUL for role in ROLES):
        if role in LAWFUL[command]:
            continue
        one, ticket = new_id(), house.give(Ticket(name_of(role), role, host.table.name))
        answer = (await _posted(client, host.table.name, ticket, command, one=one)).json()
        found.count("refusals at the door")
        refused = not answer.get("done", True) and any(words in answer["reason"] for words in WORDS[:3])
        if not refused or house.store.answer(one) is not None:
            yield f"{state}: {command} by the {role}: {answer}"
    if host.shown.entries != lines:
        yield f"{state}: {host.shown.entries - lines} lines were written by those who may not"


async def _taken(found: Findings, house: House, client: httpx.AsyncClient) -> AsyncIterator[str]:
    """At the door of another table: who may ask is not refused for the role, whatever else stands against it."""
    host = house.hosts[OTHER]
    for command, roles in COMMANDS.items():
        for role in sorted(roles & set(ROLES)):
            lawful = (
                role
                in DECISIONS[type(msgspec.convert(body_of(command), cast(Any, AnyCommand)))][0](
                    host.table.general
                ).value
            )
            ticket = house.give(Ticket(name_of(role), role, OTHER))
            answer = await _posted(client, OTHER, ticket, command)
            found.count("cells at the door")
            if lawful and (answer.status_code >= 500 or "not for the" in answer.json().get("reason", "")):
                yield f"{command} by the {role}: {answer.status_code} {answer.text:.100}"


# ---------------------------------------------------------------- the states of a table


async def _do(host: Host, what: AnyCommand, role: str, by: str = "") -> None:
    answer = await host.ask(new_id(), what, by=by or name_of(role), role=role)
    if not answer.done:
        raise RuntimeError(f"{host.table.name}: {what}: {answer.reason}")


async def _on(host: Host, until: Callable[[Table], bool]) -> None:
    """Play on, as far as that: what is due is answered, and every slip confirmed."""
    chance = Random(1)
    walker = Walker(Stack(max(1, host.table.game.decks(host.table.ruleset.rules))), chance.randrange)
    for _ in range(MOST_STEPS):
        if until(host.table):
            return
        if betting_closed(host.table) and not dealt(host.table):
            what = t.ConfirmSlip(TERMINAL, slip_digest(host.table, TERMINAL))
            await host.ask(new_id(), what, by=TERMINAL, role=PLAYER)
        this = host.table.attended
        for fact in walker.facts(this):
            command = c.Tell(write_fact(fact))
            if (await host.ask(new_id(), command, by=name_of(teller(fact)), role=teller(fact))).done:
                walker.took(this, fact)
                break
    raise RuntimeError(f"{host.table.name} did not come that far")


async def _nothing(_: Host) -> None:
    """As it was opened, or not."""


async def _with_wagers(host: Host) -> None:
    await _do(host, t.ApproveSystem("1.0", "TA-0"), GAME_SUPERVISOR)
    await _do(host, t.PairTerminal(1, 500, 20_000, approval="TA-1"), GAME_SUPERVISOR)
    await _do(host, t.CreditTerminal(TERMINAL, 50_000), DEALER)
    await _do(host, c.PlaceWager(TERMINAL, "banker", 2_000), PLAYER, TERMINAL)


async def _closed_to_bets(host: Host) -> None:
    await _on(host, betting_closed)


async def _in_play(host: Host) -> None:
    await _on(host, dealt)


async def _with_a_lock(host: Host) -> None:
    await _do(host, t.ReportMalfunction("smoke", TERMINAL), GAME_SUPERVISOR)


Bring = Callable[[Host], Any]
STATES: Final[Mapping[str, tuple[str, Bring]]] = {
    "closed": (CLOSED, _nothing),
    "wagers down": (TABLE, _with_wagers),
    "no more bets": (TABLE, _closed_to_bets),
    "cards out": (TABLE, _in_play),
    "a terminal locked": (TABLE, _with_a_lock),
}


# ---------------------------------------------------------------- the controls


def _controls() -> dict[str, bool]:
    return {
        "a door that lets one more role in": asyncio.run(_door_caught()),
        "a command that one more role may ask": asyncio.run(_command_caught()),
    }


async def _door_caught() -> bool:
    """Whether a door that opens to the dealer too is found."""
    with TemporaryDirectory(prefix="croupier-roles-") as name:
        async with running(Path(name), demo=False) as (house, app, client):
            route = next(each for each in app.router.routes if getattr(each, "path", "") == "/api/cage/state")
            true = cast(Any, route).door
            cast(Any, route).door = replace(true, roles=true.roles | {DEALER})
            return any([f"by the {DEALER}" in each async for each in doors_by_role(Findings(), house, app, client)])


@contextmanager
def _widened(command: type[Any], role: str) -> Iterator[None]:
    """One cell more, in the table of the floor and in the law behind it."""
    listed, decisions = cast(dict[str, Any], permissions.COMMANDS), cast(dict[Any, Any], DECISIONS)
    may, decision = decisions[command]
    kept = listed[command.__name__]
    listed[command.__name__] = kept | {role}
    decisions[command] = (lambda general: replace(may(general), value=may(general).value | {role}), decision)
    try:
        yield
    finally:
        listed[command.__name__], decisions[command] = kept, (may, decision)


async def _command_caught() -> bool:
    """Whether a cashier who may shut somebody out is found."""
    with TemporaryDirectory(prefix="croupier-roles-") as name, _widened(c.Exclude, CASHIER):
        async with running(Path(name), demo=False) as (house, _, client):
            found = [each async for each in _refused(Findings(), house, client, house.hosts[TABLE], "open")]
    return any(f"Exclude by the {CASHIER}" in each for each in found)
