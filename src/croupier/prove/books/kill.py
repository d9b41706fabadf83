"""Killed at any moment, a house has lost and doubled nothing that it acknowledged, and its pages tell the truth.

Theory of operation.  `lives` starts processes that append to several tables at once and kills each at a random moment
with SIGKILL; the next asks once more what the last had asked.  At the end what was acknowledged is held against what is
there, the chain and the ledger are verified, and all balances must come to nothing.  It is done with a file of SQLite
and with a PostgreSQL of its own; there also with an owner that is stopped past its lease and wakes when another has its
tables.  `rounds` does it with whole servers, terminals and a dealer, in every phase of a round, and with a terminal
that is released while its server is stopped.  The controls acknowledge before the commit, and do not ask whether they
slept past their lease.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec.structs

from croupier.floor.store.durable import open_store
from croupier.floor.store.engines import EXIT_FAILED
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.books import rounds
from croupier.prove.books.lives import Birth, Damage, Heard, Nursery, bear, damage, is_whole, lives, signed_all

TERMINALS: Final = 30
SERVERS_ONE_IN: Final = 8
"""Of the kills so many are of a server on SQLite, and as many of servers on PostgreSQL: each takes some seconds."""
A_HOUSE: Final = 100
"""After so many kills there is a new house: after each its whole journal is replayed, which grows with every one."""
FEW: Final = 8
"""With fewer kills than this, stores are killed and no servers."""


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("kills")
    found = Findings()
    kills = scope.count(short=40, long=10_000)
    houses = kills // SERVERS_ONE_IN if kills >= FEW else 0
    stores = kills - 2 * houses
    if not houses:
        found.not_run.append("servers with terminals: too few kills are asked for")
    with TemporaryDirectory(prefix="croupier-kill-") as name, closing(Nursery()) as nursery:
        folder = Path(name)
        birth = Birth(url=f"sqlite:///{folder}/a.db", key=f"{folder}/a", errors=f"{folder}/errors", seed=scope.seed)
        tell(0, kills, "a store on SQLite")
        alone = scope.time.share(4).each(range(stores - stores // 2), "kills on SQLite")
        _held(found, "SQLite", *_killed(nursery, birth, alone))
        tell(kills // 4, kills, "a house on SQLite")
        _houses(found, "a house on SQLite", folder / "h", _file, kills=houses, scope=scope)
        with postgresql_or_not(found) as url:
            if url:
                from croupier.prove.books.instruments.servers import new_database

                tell(kills // 2, kills, "a store on PostgreSQL")
                shared = msgspec.structs.replace(birth, url=url, key=f"{folder}/b", lease_seconds=1.0)
                there = scope.time.share(2).each(range(stores // 2), "kills on PostgreSQL")
                _held(found, "PostgreSQL", *_killed(nursery, shared, there))
                _slept(found, nursery, shared, new_database(url))
                tell(kills * 3 // 4, kills, "a house in two processes on PostgreSQL")
                two = "two processes on PostgreSQL"
                _houses(found, two, folder / "i", lambda _: new_database(url), kills=houses, scope=scope, processes=2)
                _revoked(found, folder, url)
        eager = msgspec.structs.replace(birth, url=f"sqlite:///{folder}/c.db", key=f"{folder}/c", eager=True)
        _, _, harm = _killed(nursery, eager, range(5))
        found.controls["an acknowledgement before the commit"] = harm.lost > 0 and not is_whole(harm)
    return found.verdict()


def _houses(
    found: Findings,
    where: str,
    folder: Path,
    database: Callable[[Path], str],
    *,
    kills: int,
    scope: ProofScope,
    processes: int = 1,
) -> None:
    """Servers with terminals and a dealer, killed in the phases of their rounds; after some kills a new house."""
    if not kills:
        return
    terminals = TERMINALS if kills >= 4 else 6
    # With two processes it is the last part of the proof, with one a store on PostgreSQL and that come after it.
    wanted = scope.time.share(3 if processes == 1 else 1).each(range(kills), f"servers killed, {where}")
    done = rounds.Played()
    for first in wanted:
        home = folder / str(first)
        home.mkdir(parents=True)
        asyncio.run(
            rounds.played(
                done,
                home,
                database(home),
                kills=chain((first,), islice(wanted, A_HOUSE - 1)),
                terminals=terminals,
                processes=processes,
                seed=scope.seed + first,
            )
        )
    found.count("servers killed within rounds", done.kills.total())
    found.count("phases hit", len(+done.kills))
    found.count("phases seen", len(done.kills))
    found.count("terminals held against the journal", done.compared)
    found.count("acknowledged commands", done.acknowledged)
    found.faults += [f"{where}: {each}" for each in done.faults]
    if not done.faults:
        found.holds.append(f"{where}, {terminals} terminals: nothing lost or doubled, every terminal shows the truth")


def _file(folder: Path) -> str:
    return f"sqlite:///{folder}/house.db"


def _revoked(found: Findings, folder: Path, url: str) -> None:
    """A terminal released while its server slept is nobody when that wakes."""
    from croupier.prove.books.instruments.servers import new_database

    admitted = {}
    for trusting in (False, True):
        home = folder / f"r{trusting}"
        home.mkdir()
        admitted[trusting] = asyncio.run(rounds.revoked(home, new_database(url), trusting=trusting))
    if admitted[False]:
        found.faults.append("a terminal that was released while its server slept was admitted when that woke")
    else:
        found.holds.append("a server stopped past its lease admits nobody who was released meanwhile")
    found.controls["a lease that is not asked for again"] = admitted[True]


def _slept(found: Findings, nursery: Nursery, birth: Birth, url: str) -> None:
    """An owner is stopped past its lease; another takes its tables, and the first appends nothing when it wakes."""
    nursery.heard = report = Heard()
    one = msgspec.structs.replace(birth, url=url, key=f"{birth.key}-slept", lease_seconds=0.6)
    sleeper = bear(nursery, one)
    # It must have had all tables, and the heir must have taken all: a table it still has it may lawfully go on with.
    sleeper.owning(len(one.tables))
    sleeper.acknowledged(20)
    os.kill(sleeper.process, signal.SIGSTOP)
    heir = bear(nursery, msgspec.structs.replace(one, seed=one.seed + 1, lease_seconds=15.0))
    heir.owning(2 * len(one.tables))
    heir.acknowledged(60)
    os.kill(sleeper.process, signal.SIGCONT)
    code = sleeper.wait()
    heir.acknowledged(20)
    heir.kill()
    with open_store(url, key_path=Path(one.key)) as store:
        signed_all(store)
        harm = damage(store, report)
    _held(found, "PostgreSQL, an owner stopped past its lease", 1, len(report.done), harm)
    if code not in (0, EXIT_FAILED):
        found.faults.append(f"an owner that slept past its lease ended with {code}")


def _killed(nursery: Nursery, birth: Birth, kills: Iterable[int]) -> tuple[int, int, Damage]:
    """How many were killed, how many commands were acknowledged, and what became of them."""
    report = lives(nursery, birth, kills=kills)
    with open_store(birth.url, key_path=Path(birth.key), lease_seconds=birth.lease_seconds) as store:
        signed_all(store)
        return report.kills, len(report.done), damage(store, report)


def _held(found: Findings, where: str, kills: int, done: int, harm: Damage) -> None:
    found.count("kills", kills)
    found.count("acknowledged commands", done)
    if is_whole(harm):
        found.holds.append(f"{where}: nothing lost, nothing doubled, sum zero, chain and ledger sound")
    else:
        found.faults.append(f"{where}: {harm}")


@contextmanager
def postgresql_or_not(found: Findings) -> Iterator[str]:
    """A server, or nothing where none can be had."""
    try:
        from croupier.prove.books.instruments.servers import NoPostgresql, postgresql
    except ImportError as error:
        found.not_run.append(f"PostgreSQL: {error}")
        yield ""
        return
    try:
        with postgresql() as url:
            yield url
    except NoPostgresql as error:
        found.not_run.append(f"PostgreSQL: {error}")
        yield ""
