"""House and consumer killed at any moment, the consumer's totals are the house's ledger, to the cent.

Theory of operation.  A practice house plays by itself and a sample consumer follows its feed of events; both are
processes that are killed with SIGKILL at random moments and started again.  Then nothing is killed any more, the house
plays no further, and the totals that the consumer kept are held against the ledger, the numbers of the events against
a count without gaps, and the journals are verified.  The control is a consumer that counts what it was told last once
more when it starts.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NoReturn
from urllib.request import urlopen

from croupier.client.asking import Client
from croupier.client.consumer import Totals
from croupier.floor.audit.verify import verify
from croupier.floor.serve import serve
from croupier.floor.settings import Server, Settings, Storage
from croupier.floor.store.durable import open_reader
from croupier.house.feed import lines as feed_lines
from croupier.prove import Findings, ProofScope, Tell, Verdict

FAST, STILL = "0.2,0.004,0.002", "3600,0.1,0.1"
PATIENCE_SECONDS: Final = 300.0


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("the feed of events")
    found, kills = Findings(), scope.count(short=20, long=200)
    with TemporaryDirectory(prefix="croupier-feed-") as name:
        found.count("kills", killed(Path(name), kills, scope, tell))
        compare(found, Path(name))
    return found.verdict()


def killed(folder: Path, kills: int, scope: ProofScope, tell: Tell) -> int:
    """Let the house play and the consumer count, and kill one or the other so often, or as often as there is time."""
    chance, port, done = Random(scope.seed), free_port(), 0
    starts: tuple[Callable[[], None], ...] = (lambda: _play(folder, port, FAST), lambda: _count(folder, port))
    living = [born(start) for start in starts]
    answers(port)
    while scope.time.goes_on("kills", done, kills):
        tell(done, kills, "kills")
        done += 1
        time.sleep(chance.uniform(0.05, 1.5))
        # A house takes longer to come back than a consumer, so it is killed less often.
        victim = int(chance.random() >= 0.3)
        _end(living[victim])
        living[victim] = born(starts[victim])
        if victim == 0 and chance.random() < 0.5:
            answers(port)
    # In the end nobody is killed, and nothing more is played.
    _end(living[0])
    living[0] = born(lambda: _play(folder, port, STILL))
    try:
        _caught_up(folder, port)
    finally:
        for process in living:
            _end(process)
    return done


def compare(found: Findings, folder: Path) -> None:
    totals = Totals(folder / "totals.db")
    with open_reader(f"sqlite:///{folder}/house.db") as store:
        ledger = {name: cents for name, cents in store.balances().items() if cents}
        events = [feed_lines.decode(line.body).event for line in store.each_line(feed_lines.JOURNAL)]
    found.count("events", len(events))
    found.count("cents moved", sum(abs(cents) for cents in ledger.values()))
    if totals.balances() == ledger and totals.last == len(events):
        found.holds.append(f"the totals of {len(ledger)} accounts are the ledger's, to the cent")
    else:
        found.faults.append(f"{totals.balances()} at {totals.last}, not {ledger} at {len(events)}")
    lines = [(each.journal, each.line) for each in events if isinstance(each, feed_lines.LineTold)]
    if len(lines) == len(set(lines)) == len(events):
        found.holds.append("every line has one number, and no number is missing or given twice")
    else:
        found.faults.append(f"{len(lines)} lines, {len(set(lines))} of them different, under {len(events)} numbers")
    fault = verify(f"sqlite:///{folder}/house.db", folder / "key").fault
    (found.faults if fault else found.holds).append(fault or "the journals verify")
    found.controls["a consumer that counts the last event twice"] = _twice(totals) != ledger


def _twice(totals: Totals) -> dict[str, int]:
    """The totals of one who forgets which events it knows."""
    database = totals.database
    database.execute("UPDATE total SET cents = 2 * cents WHERE rowid = (SELECT min(rowid) FROM total WHERE cents != 0)")
    return totals.balances()


# ---------------------------------------------------------------- processes


def born(life: Callable[[], None]) -> int:
    """A process that has everything imported already."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    _live(life)


def _live(life: Callable[[], None]) -> NoReturn:
    try:
        silenced()
        # A line that is open in two processes is not closed when one of them closes it.
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        life()
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(0)


def silenced() -> None:
    """What this process says goes where a proof's log is kept, if one is, and else nowhere."""
    said = os.open(os.environ.get("CROUPIER_PROOF_LOG", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(said, 1)
    os.dup2(said, 2)
    # Whoever started the proof may have put something else there, with a file that is closed now.
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def _end(process: int) -> None:
    """It is killed, whatever it was doing, and waited for."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _play(folder: Path, port: int, pace: str) -> None:
    store = Storage(url=f"sqlite:///{folder}/house.db", key=str(folder / "key"))
    serve(Settings(server=Server(port=port), store=store), demo=True, pace=pace)


def _count(folder: Path, port: int) -> None:
    totals = Totals(folder / "totals.db")
    with Client(f"http://127.0.0.1:{port}", patience=PATIENCE_SECONDS) as house:
        while True:
            totals.take(house.page(totals.last))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
            return
        time.sleep(0.05)
    raise TimeoutError("the house does not start")


def _caught_up(folder: Path, port: int) -> None:
    """Wait until the house is still, and the consumer has counted all there is."""
    until, before = time.monotonic() + PATIENCE_SECONDS, (-1, -1)
    answers(port)
    with open_reader(f"sqlite:///{folder}/house.db") as store:
        while time.monotonic() < until:
            lines = sum(store.last(name)[0] for name in store.tables() if name != feed_lines.JOURNAL)
            now = (lines, Totals(folder / "totals.db").last)
            if now == before and lines == now[1]:
                return
            before = now
            time.sleep(1.5)
    raise TimeoutError(f"the consumer is at {before[1]} of {before[0]}")
