"""A voucher is paid once, whoever asks, through which process, how often; and nobody finds one by trying numbers.

Theory of operation.  The house is two processes on one PostgreSQL (one on a file of SQLite where there is none).  Some
hundred cashiers each ask for the payment of every voucher, in an order of their own and through either process; now and
then one asks the same again under the same id, through the other process, or uses an id that was another's.  Then what
everybody was told is held against the journal: every voucher has one payment in it and one person who was told of it;
the same request had the same answer; an id of another's told nothing; the drawer lacks what was paid and no more.

Somebody at an address of his own tries numbers at three doors.  After so many misses he is told nothing any more at
that process, not even of a true voucher, while a cashier beside him is paid that voucher.

The controls are houses in this process.  One checks a voucher, and pays it a moment later by what it found then.  The
other takes an id for known whoever shows it, and for whatever.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx
import msgspec

from croupier.floor.audit.verify import verify
from croupier.floor.keeping.house import CAGE
from croupier.floor.keeping.keeper import TAKEN, Keeper
from croupier.floor.rooms.cage.doors import MISSES
from croupier.floor.store.durable import open_reader
from croupier.floor.wire import Answer
from croupier.game import Refusal
from croupier.house.cage.codes import code_of
from croupier.house.cage.decide import decide
from croupier.house.cage.messages import CageEntry, CageRequest, Events, RedeemVoucher, VoucherPaid
from croupier.house.cage.messages import decode as read
from croupier.house.cage.state import NAME, Cage
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.house import desks
from croupier.prove.house.desks import Cashier, cashier, line_to

AMOUNT: Final = 12_300
FLOAT: Final = 100_000_000
GUESSER: Final = "127.0.0.9"
AGAIN, BORROWED = 0.1, 0.3
"""How often the same is asked again, and how often under an id of somebody else."""
A_WAVE: Final = 40
"""So many vouchers are issued at a time, and everybody asks for each of them."""
MOMENT_SECONDS: Final = 2.0


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("vouchers")
    found, clients = Findings(), scope.count(short=20, long=100)
    with TemporaryDirectory(prefix="croupier-voucher-") as name, ExitStack() as stack:
        folder = Path(name)
        url, count = _database(found, stack, folder)
        tell(0, 3, f"{clients} cashiers, {clients * 2} vouchers, {count} processes")
        with desks.processes(url, folder / "key", count) as addresses:
            found.faults += asyncio.run(_contested(found, addresses, folder / "key", clients, scope))
        found.faults += _in_the_books(url, folder / "key", paid=found.tried["vouchers"] + count)
        for at, (planted, kind, caught_by) in enumerate(CONTROLS, 1):
            tell(at, 3, f"control: {planted}")
            (folder / str(at)).mkdir()
            wrong = asyncio.run(_with_fault(folder / str(at), kind, scope.seed))
            found.controls[planted] = any(caught_by in each for each in wrong)
    if not found.faults:
        found.holds.append("every voucher paid once and told once; the same asked again told the same")
        found.holds.append("an id of another's told nothing; who tries numbers is told no more, and only he")
    return found.verdict()


def _database(found: Findings, stack: ExitStack, folder: Path) -> tuple[str, int]:
    """The database of the house, and how many processes can share it."""
    try:
        from croupier.prove.books.instruments.servers import NoPostgresql, postgresql
    except ImportError as error:
        found.not_run.append(f"two processes: {error}")
        return f"sqlite:///{folder}/house.db", 1
    try:
        return stack.enter_context(postgresql()), 2
    except NoPostgresql as error:
        found.not_run.append(f"two processes: {error}")
        return f"sqlite:///{folder}/house.db", 1


# ---------------------------------------------------------------- everybody asks


@dataclass(slots=True)
class VoucherTally:
    """What everybody was told: the commands that paid each voucher, and what was wrong."""

    paid: dict[str, set[str]] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    asked: int = 0
    borrowed: int = 0
    wrong: list[str] = field(default_factory=list)


async def _contested(
    found: Findings, addresses: tuple[str, ...], key: Path, clients: int, scope: ProofScope
) -> list[str]:
    lines = tuple(map(line_to, addresses))
    people = [cashier(f"cashier {n}", key, lines, Random(f"{scope.seed} {n}")) for n in range(clients)]
    codes, tally = list[str](), VoucherTally()
    await opened_drawer(people[0])
    while scope.time.goes_on("vouchers", len(codes), clients * 2):
        wave = await issued(people[0], min(A_WAVE, clients * 2 - len(codes)))
        await everybody_asks(people, wave, tally)
        codes += wave
    found.count("cashiers", clients)
    found.count("vouchers", len(codes))
    found.count("requests", tally.asked)
    found.count("of them under ids of others", tally.borrowed)
    for process, address in enumerate(addresses):
        tally.wrong += await _guessed(found, address, people[0], key, process)
    for line in lines:
        await line.aclose()
    return [*tally.wrong, *_paid_once(tally, codes)]


async def opened_drawer(first: Cashier) -> None:
    opening = await first.ask(first.new_id(), {"type": "OpenShift", "cash": FLOAT, "chips": FLOAT})
    assert opening.get("done"), opening


async def issued(first: Cashier, count: int) -> list[str]:
    """So many vouchers more."""
    what = {"type": "IssueVoucher", "amount": AMOUNT}
    made = await asyncio.gather(*(first.ask(first.new_id(), what) for _ in range(count)))
    if not all(each.get("voucher") for each in made):
        raise RuntimeError(f"a voucher was not issued: {next(each for each in made if not each.get('voucher'))}")
    return [str(each["voucher"]) for each in made]


async def everybody_asks(people: list[Cashier], codes: list[str], tally: VoucherTally) -> None:
    await asyncio.gather(*(_asks(one, codes, tally) for one in people))


async def _asks(one: Cashier, codes: list[str], tally: VoucherTally) -> None:
    """One cashier asks for every voucher; now and then twice, or under an id that another used."""
    for code in one.chance.sample(codes, len(codes)):
        what = {"type": "RedeemVoucher", "voucher": code, "amount": AMOUNT}
        if tally.ids and one.chance.random() < BORROWED:
            await _borrowed(one, what, tally)
        command_id = one.new_id()
        answer = await one.ask(command_id, what)
        tally.asked += 1
        if answer.get("done"):
            tally.paid.setdefault(code, set()).add(f"{one.name} {command_id}")
            tally.ids.append(command_id)
        elif answer["status"] != 200 or "paid already" not in answer["reason"]:
            tally.wrong.append(f"{one.name} was told {answer}")
        if one.chance.random() < AGAIN:
            again = await one.ask(command_id, what)
            tally.asked += 1
            if again != answer:
                tally.wrong.append(f"the same request was answered {answer}, then {again}")


async def _borrowed(one: Cashier, what: dict[str, Any], tally: VoucherTally) -> None:
    answer = await one.ask(command_id := one.chance.choice(tally.ids), what)
    tally.asked += 1
    tally.borrowed += 1
    if answer.get("done") or answer.get("voucher") or answer.get("reason") != TAKEN:
        tally.wrong.append(f"another's id: {one.name} was told {answer} under {command_id}")


def _paid_once(tally: VoucherTally, codes: list[str]) -> list[str]:
    many = [(code[-4:], len(tally.paid.get(code, ()))) for code in codes if len(tally.paid.get(code, ())) != 1]
    return [f"a voucher …{end}: {times} commands were told that they paid it" for end, times in many]


# ---------------------------------------------------------------- somebody tries numbers


async def _guessed(found: Findings, address: str, honest: Cashier, key: Path, process: int) -> list[str]:
    """Numbers tried at every door of one process: so many are answered and no more, and a true one neither."""
    true = await honest.ask(honest.new_id(), {"type": "IssueVoucher", "amount": AMOUNT})
    transport = httpx.AsyncHTTPTransport(local_address=GUESSER, verify=False)
    async with line_to(address, transport) as line:
        thief = cashier("a thief", key, (line,), Random(process))
        tried = [await _try(thief, code_of(thief.chance.randrange(10**26)), n) for n in range(MISSES + 15)]
        last = [await _try(thief, str(true["voucher"]), n) for n in range(3)]
        works = (await thief.get("/api/cage/state")).status_code
    found.count("guesses", len(tried) + len(last))
    wrong = [f"{len(tried) - tried.count(429)} guesses were answered"] if tried.count(429) != 15 else []
    wrong += [f"the state of the cage was answered {works}: only numbers are not looked for"] if works != 200 else []
    wrong += [f"a true number after all the misses: {status}" for status in last if status != 429]
    paid = await honest.ask(
        honest.new_id(), {"type": "RedeemVoucher", "voucher": true["voucher"], "amount": AMOUNT}, process
    )
    return wrong if paid.get("done") else [*wrong, f"beside a thief an honest cashier was told {paid}"]


async def _try(thief: Cashier, code: str, door: int) -> int:
    match door % 3:
        case 0:
            return (await thief.get(f"/api/cage/vouchers/{code}")).status_code
        case 1:
            return (await thief.get(f"/voucher?id={code}")).status_code
        case _:
            what = {"type": "RedeemVoucher", "voucher": code, "amount": AMOUNT}
            return int((await thief.ask(thief.new_id(), what))["status"])


# ---------------------------------------------------------------- the books afterwards


def _in_the_books(url: str, key: Path, *, paid: int) -> list[str]:
    """What is wrong with the journal of the cage: a payment too many or too few, or anything that verify finds."""
    with open_reader(url, key_path=key) as store:
        events = [read(line.body).event for line in store.each_line(NAME)]
        owed = store.balances().get("vouchers", 0)
    payments = Counter(event.voucher for event in events if isinstance(event, VoucherPaid))
    wrong = [f"{code}: paid {times} times in the journal" for code, times in payments.items() if times != 1]
    if len(payments) != paid or owed:
        wrong.append(f"{len(payments)} of {paid} vouchers are paid in the journal, {owed} cents are owed")
    fault = verify(url, key).fault
    return [*wrong, f"verify: {fault}"] if fault else wrong


# ---------------------------------------------------------------- the controls


class Hasty(Keeper[Cage]):
    """Checks a voucher, and pays it a moment later upon what it found then."""

    async def ask(self, command_id: str, request: CageRequest, *, passed_on: bool = False) -> Answer:
        if isinstance(request.what, RedeemVoucher):
            FOUND[_said(request)] = decide(self.state, request)
            await _until_another_looked(request.what.voucher)
        return await super().ask(command_id, request, passed_on=passed_on)


FOUND: Final[dict[CageRequest, Events | Refusal]] = {}
LOOKED: Final[dict[str, asyncio.Event]] = {}


async def _until_another_looked(voucher: str) -> None:
    """The moment between looking and paying lasts until somebody else has looked too, however busy the machine is."""
    if (another := LOOKED.get(voucher)) is not None:
        another.set()
        return
    another = LOOKED[voucher] = asyncio.Event()
    with suppress(TimeoutError):
        async with asyncio.timeout(MOMENT_SECONDS):
            await another.wait()


def as_found(cage: Cage, request: CageRequest) -> Events | Refusal:
    return FOUND[_said(request)] if _said(request) in FOUND else decide(cage, request)


def _said(request: CageRequest) -> CageRequest:
    """A request without its moment: one that waits while another is written is given a later moment."""
    return msgspec.structs.replace(request, at_ms=0)


def carelessly(cage: Cage, lines: Iterable[CageEntry]) -> Cage:
    """The state of a cage that does not mind a second payment; the true one refuses to go on."""
    lines = tuple(lines)
    now = {line.event.voucher for line in lines if isinstance(line.event, VoucherPaid)}
    return CAGE.after(replace(cage, ended={code: how for code, how in cage.ended.items() if code not in now}), lines)


class Unbound(Keeper[Cage]):
    """Takes an id for known, whoever shows it and for whatever."""

    def _mark(self, request: CageRequest) -> str:
        return "" if request is None else "known"


CONTROLS: Final[tuple[tuple[str, type[Keeper[Cage]], str], ...]] = (
    ("a cage that checks and then acts", Hasty, "commands were told that they paid it"),
    ("ids that belong to nobody", Unbound, "another's id"),
)
CLIENTS_OF_CONTROL: Final = 5


async def _with_fault(folder: Path, kind: type[Keeper[Cage]], seed: int) -> list[str]:
    """What the same people find in a house with a planted fault."""
    async with desks.opened(folder) as (house, line):
        true = house.cage
        assert true is not None
        how = replace(CAGE, decide=as_found, after=carelessly) if kind is Hasty else CAGE
        house.cage = kind(house.store, NAME, how, true.state, true.shown, owned=True)
        people = [
            cashier(f"cashier {n}", folder / "key", (line,), Random(f"{seed} {n}")) for n in range(CLIENTS_OF_CONTROL)
        ]
        # All want the same one where two must look at it in the same moment.
        await opened_drawer(people[0])
        codes, tally = await issued(people[0], 1 if kind is Hasty else CLIENTS_OF_CONTROL), VoucherTally()
        await everybody_asks(people, codes, tally)
        return [*tally.wrong, *_paid_once(tally, codes)]
