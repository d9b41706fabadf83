"""Whatever is sent, nothing crashes, nothing changes that was not asked for rightly, and memory stays bounded.

Theory of operation.  Two parts, from one seed:

1.  Messages that are nearly right go the way of a page's message without its line: they are read, measured and decided
    upon tables in many states, as people of every role.  Each ends as a refusal or as lines that can be written, read
    back and added up.  What leads to something new is changed further (`nonsense.py`).
2.  A running server is sent torn requests and torn frames on real connections, by whoever has no credentials: every
    answer is below 500 or says that there are too many lines, no journal grows, the process lives, its memory stays
    where it was, and no connection outlasts the time that it has: asked to end, the server ends.

The controls: a reader of messages that does not look at one field, and a server that answers nonsense with a 500.
"""

from __future__ import annotations

import base64
import re
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from croupier.floor.store.appends import BadAppend, check_size
from croupier.floor.store.durable import open_reader
from croupier.floor.wire import BadMessage, Do, read
from croupier.game import Refusal
from croupier.journal.entries import encode
from croupier.law.officials import ROLES
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.prove.house import desks
from croupier.prove.house.entrances import KINDS, body_of
from croupier.prove.house.nonsense import Mutator
from croupier.prove.table_driver import NAMES, Driver, check_money
from croupier.rulesets import every_ruleset, known_game
from croupier.table.commands import TableRequest
from croupier.table.decide import decide
from croupier.table.events import decode
from croupier.table.evolve import after, entries
from croupier.table.state import Table

SENT_ONE_IN: Final = 10
"""Of all messages so many go to the running server."""
STATES: Final = 24
TABLE: Final = "EB-1"
ONS: Final = ("banker", "player", "red", "main", "small", "pass", "ante", "A")
GROWTH_BYTES: Final = 64 << 20
ANSWER_SECONDS: Final = 2.0
IN_A_LINE: Final = 40
REST_SECONDS: Final = 3.0
BUSY: Final = 503
MOST_FAULTS: Final = 20


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("nonsense")
    found, wanted = Findings(), scope.count(short=50_000, long=5_000_000)
    sent = max(100, wanted // SENT_ONE_IN)
    tables = list(states(scope.seed))
    found.count("states of tables", len(tables))
    stock, time = [*messages(), *wagers()], scope.time.share(2)
    found.faults += decided(found, tables, wanted - sent, scope.seed, time, stock=stock, reader=read, tell=tell)
    with TemporaryDirectory(prefix="croupier-fuzz-") as name:
        folder = Path(name)
        tell(wanted - sent, wanted, "a running server")
        try:
            with desks.processes(f"sqlite:///{folder}/house.db", folder / "key", 1, TABLE) as (address,):
                found.faults += _bothered(found, address, folder, sent, scope)
        except subprocess.TimeoutExpired:
            found.faults.append(f"asked to end, the server still had connections {desks.ENDS_SECONDS} seconds later")
    found.controls["a field that nobody looks at"] = bool(
        decided(Findings(), tables, 3_000, scope.seed, Allowance(), stock=wagers(), reader=careless, tell=tell)
    )
    found.controls["a server that breaks on nonsense"] = _breaking_caught(scope.seed)
    if not found.faults:
        found.holds.append("every message ended as a refusal or as lines that can be written, read and added up")
        found.holds.append("the server lived, answered nothing with 5xx, wrote no line, and kept to its memory")
    return found.verdict()


# ---------------------------------------------------------------- messages


def states(seed: int) -> Iterator[Table]:
    """Tables of several games and editions, each somewhere in play."""
    rulesets, chance = list(every_ruleset()), Random(f"{seed} states")
    for number in range(STATES):
        chosen = rulesets[number % len(rulesets)] if number < len(rulesets) else chance.choice(rulesets)
        driver = Driver(known_game(chosen.game), chosen, Random(f"{seed} {number}"))
        for _ in range(chance.randrange(150)):
            driver.step()
        yield driver.table


def messages() -> list[bytes]:
    """One message of each kind, as a page would send it."""
    commands = [
        {key: NAMES[n % len(NAMES)] if value == "Pat" else value for key, value in body_of(name).items()}
        for n, name in enumerate(KINDS)
    ]
    requests = [{"type": "Do", "id": f"{n:032x}", "command": what, "round": 0} for n, what in enumerate(commands)]
    facts: tuple[Any, ...] = ("2h", "17", "3-4", {"perform": "shuffle"}, {"irregular": "a card face up", "card": "2h"})
    requests += [
        {"type": "Do", "id": f"{n:032x}", "command": {"type": "Tell", "fact": fact}} for n, fact in enumerate(facts)
    ]
    others: list[Any] = [{"type": "Hello", "ticket": "x", "seen": 1}, {"type": "Ping", "at": 1}]
    return [msgspec.json.encode(each) for each in (*requests, *others)]


def wagers() -> list[bytes]:
    """A wager of everybody, as the players of the tables place it."""
    bets = [{"type": "PlaceWager", "player": name, "on": on, "amount": 1_000} for name in NAMES for on in ONS]
    return [msgspec.json.encode({"type": "Do", "id": f"{n:032x}", "command": what}) for n, what in enumerate(bets)]


def decided(
    found: Findings,
    tables: list[Table],
    count: int,
    seed: int,
    time: Allowance,
    *,
    stock: list[bytes],
    reader: Callable[[bytes], Any],
    tell: Tell,
) -> list[str]:
    """What went wrong with so many messages."""
    chance, wrong = Random(f"{seed} messages"), list[str]()
    mutator, number = Mutator(chance, stock), 0
    while time.goes_on("messages", number, count):
        number += 1
        if number % 1_000 == 0:
            tell(number, count, f"{len(mutator.seen)} kinds of answers")
        text, table, role = mutator.make(), chance.choice(tables), chance.choice(ROLES)
        try:
            mutator.heard(text, _ended(text, table, role, chance.choice(NAMES), reader))
        except Exception as error:
            wrong.append(f"{type(error).__name__}: {error}: {text[:300]!r} by the {role} at {table.ruleset.game}")
            if len(wrong) >= MOST_FAULTS:
                break
        found.count("messages")
    found.count("kinds of answers", len(mutator.seen))
    return wrong


def _ended(text: bytes, table: Table, role: str, by: str, reader: Callable[[bytes], Any]) -> str:
    """How a message ends, in short; whatever it raises is a crash."""
    try:
        message = reader(text)
    except BadMessage as error:
        return f"bad {_kind_of(str(error))}"
    if not isinstance(message, Do):
        return type(message).__name__
    request = TableRequest(message.command, by, role, 1_000)
    try:
        check_size(msgspec.json.encode(msgspec.to_builtins(request, str_keys=True)))
    except BadAppend:
        return "too large"
    events, name = decide(table, request), type(message.command).__name__
    if isinstance(events, Refusal):
        return f"{name} {events.rule} {_kind_of(events.reason)}"
    lines = entries(table, request, events)
    for line in lines:
        if decode(encode(line)) != line:
            raise AssertionError(f"a line is read back as another: {line}")
    check_money(after(table, lines), message.command)
    return f"{name} done {' '.join(type(line.event).__name__ for line in lines)}"


def _kind_of(reason: str) -> str:
    return re.sub(r"[\d'\"`].*", "", reason)[:60]


class Untyped(msgspec.Struct, tag="Do", tag_field="type"):
    id: str
    command: dict[str, Any]


def careless(text: bytes) -> Any:
    """A reader that takes the fields of a wager for what they should be."""
    message = read(text) if b"PlaceWager" not in text else None
    if message is not None:
        return message
    try:
        envelope = msgspec.json.decode(text, type=Untyped)
        given = {name: value for name, value in envelope.command.items() if name != "type"}
        return Do(envelope.id, KINDS["PlaceWager"](**given))
    except (msgspec.MsgspecError, TypeError, RecursionError) as error:
        raise BadMessage(str(error)) from None


# ---------------------------------------------------------------- a running server


def _bothered(found: Findings, address: str, folder: Path, count: int, scope: ProofScope) -> list[str]:
    """What a server did when it was sent so much nonsense."""
    chance, before = Random(f"{scope.seed} server"), _at_rest(folder)
    asks, frames = Mutator(chance, _requests(address)), Mutator(chance, messages())
    rested, wrong, done = 0, list[str](), 0
    while scope.time.goes_on("torn requests and frames", done, count) and len(wrong) < MOST_FAULTS:
        if chance.random() < 0.5:
            wrong += _asked(address, asks, IN_A_LINE)
            found.count("torn requests", IN_A_LINE)
        else:
            wrong += _framed(address, frames, chance, IN_A_LINE)
            found.count("torn frames", IN_A_LINE)
        done += IN_A_LINE
        rested = rested or (_memory(address) if done > count // 4 else 0)
    if not _is_alive(address):
        wrong.append("the server is gone")
    elif _memory(address) - rested > GROWTH_BYTES:
        wrong.append(f"its memory grew from {rested >> 20} to {_memory(address) >> 20} MB")
    if _lines(folder) != before:
        wrong.append(f"journals grew: {before} before, {_lines(folder)} after")
    return wrong


def _at_rest(folder: Path) -> dict[str, int]:
    """The lines of a house that has told all of its own start: its feed and its significant events follow the rest."""
    since, lines = time.monotonic(), _lines(folder)
    while time.monotonic() - since < REST_SECONDS:
        time.sleep(REST_SECONDS / 10)
        if (now := _lines(folder)) != lines:
            since, lines = time.monotonic(), now
    return lines


def _lines(folder: Path) -> dict[str, int]:
    with open_reader(f"sqlite:///{folder}/house.db") as store:
        return {name: store.last(name)[0] for name in store.tables()}


def _memory(address: str) -> int:
    """The memory of the process that listens there, where the system tells it."""
    process = desks.PROCESSES.get(address)
    with suppress(OSError):
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        return int(found[1]) << 10 if found else 0
    return 0


def _is_alive(address: str) -> bool:
    return _status(_exchanged(address, b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")) == 200


def _requests(address: str) -> list[bytes]:
    host = urlsplit(address).netloc
    ask = {"id": "0" * 32, "ticket": "a.b.c", "command": {"type": "Sit", "player": "Ann", "seat": 1}}
    cage = {"id": "0" * 32, "command": {"type": "OpenShift", "cash": 1}}
    bodies: tuple[tuple[str, str, Any], ...] = (
        ("GET", "/api/tables", None),
        ("GET", f"/api/tables/{TABLE}/rounds/1", None),
        ("GET", "/voucher?id=1234", None),
        ("POST", f"/api/tables/{TABLE}/commands", ask),
        ("POST", "/api/cage/commands", cage),
        ("POST", "/api/devices/pair", {"code": "aaaa-bbbb-cccc"}),
        ("POST", "/api/devices/notes", {"id": "0" * 32, "secret": "x", "notes": [2_000]}),
    )
    made = []
    for method, path, body in bodies:
        text = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {len(text)}\r\n"
        made.append(f"{head}authorization: Ticket a.b.c\r\ncontent-type: application/json\r\n\r\n".encode() + text)
    return made


def _asked(address: str, asks: Mutator, count: int) -> list[str]:
    wrong = []
    for _ in range(count):
        text = asks.torn()
        status = _status(_exchanged(address, text))
        asks.heard(text, f"{status} {text[:4]!r}")
        if status >= 500 and status != BUSY:
            wrong.append(f"answered {status}: {text[:200]!r}")
    return wrong


def _exchanged(address: str, text: bytes) -> bytes:
    """What comes back first, if anything does."""
    with suppress(OSError), _opened(address, text) as line:
        line.sendall(text)
        line.shutdown(socket.SHUT_WR)
        return line.recv(4_096)
    return b""


def _opened(address: str, about: bytes) -> socket.socket:
    """A connection from an address of its own: a house reads no more from one that sent nonsense again and again."""
    parts, stranger = urlsplit(address), sha256(about).digest()[:3]
    source = f"127.{'.'.join(str(1 + each % 254) for each in stranger)}"
    return socket.create_connection((parts.hostname, parts.port or 80), ANSWER_SECONDS, (source, 0))


def _status(answer: bytes) -> int:
    found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
    return int(found[1]) if found else 0


def _framed(address: str, frames: Mutator, chance: Random, count: int) -> list[str]:
    """Frames on one line after a true handshake, until it is closed; what is wrong is a server that answers 500."""
    parts = urlsplit(address)
    key = base64.b64encode(chance.randbytes(16)).decode()
    hello = (
        f"GET /api/tables/{TABLE}/live HTTP/1.1\r\nhost: {parts.netloc}\r\nupgrade: websocket\r\n"
        f"connection: Upgrade\r\nsec-websocket-key: {key}\r\nsec-websocket-version: 13\r\n\r\n"
    )
    with suppress(OSError), _opened(address, key.encode()) as line:
        line.sendall(hello.encode())
        if (status := _status(line.recv(4_096))) != 101:
            return [f"a line was answered {status}"] if status >= 500 and status != BUSY else []
        for _ in range(count):
            line.sendall(_frame(frames.make(), chance))
    return []


def _frame(text: bytes, chance: Random) -> bytes:
    """A masked text frame; now and then another kind, unmasked, in parts, or of a length that is not true."""
    kind = 0x81 if chance.random() < 0.8 else chance.randrange(256)
    masked = 0x80 if chance.random() < 0.95 else 0
    length = len(text) if chance.random() < 0.95 else chance.choice((0, 125, 2**16, 2**31))
    size = bytes((masked | length,)) if length < 126 else bytes((masked | 127,)) + length.to_bytes(8, "big")
    mask = chance.randbytes(4) if masked else b""
    body = bytes(each ^ mask[at % 4] for at, each in enumerate(text)) if mask else text
    return bytes((kind,)) + size + mask + body


# ---------------------------------------------------------------- the control


@contextmanager
def _breaking() -> Iterator[str]:
    """A server that answers with 500 whatever is not a number."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                line, _ = listener.accept()
                with line:
                    good = line.recv(4_096).isdigit()
                    line.sendall(b"HTTP/1.1 %d x\r\ncontent-length: 0\r\n\r\n" % (200 if good else 500))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"{desks.HERE}:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)


def _breaking_caught(seed: int) -> bool:
    chance = Random(f"{seed} control")
    with _breaking() as address:
        return bool(_asked(address, Mutator(chance, _requests(address)), 5))
