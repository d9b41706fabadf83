"""A journal means the same everywhere: replayed in other surroundings it leads to the same table, byte for byte.

Theory of operation.  Journals of tables under random use are written to files.  Processes with other seeds for hashes,
in other time zones and languages and, where croupier is installed for them, other versions of Python replay them (this
module, run) and tell what each led to.  The same journals go through a store on SQLite, from there by a backup to
PostgreSQL and back, and into PostgreSQL by two processes that take turns, and are read back.  Journals that earlier
releases wrote are among them where the source is at hand.  The control replays with an unordered set in the state,
which no two seeds for hashes tell in the same order.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from croupier.floor.audit.verify import moved, table_of
from croupier.floor.store.appends import Append, Appended
from croupier.floor.store.copies.backup import back_up, restore
from croupier.floor.store.durable import open_reader, open_store
from croupier.journal.entries import encode
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.books.instruments.made import Books
from croupier.prove.books.instruments.places import spare_processes
from croupier.prove.books.kill import postgresql_or_not
from croupier.prove.table_driver import Driver
from croupier.rulesets import every_ruleset, known_game
from croupier.table.desk import replay
from croupier.table.events import decode
from croupier.table.state import snapshot

SURROUNDINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "hash seed 1, the time of Auckland, Turkish": {
        "PYTHONHASHSEED": "1", "TZ": "Pacific/Auckland", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8",
    },
    "hash seed 2, the time of Honolulu, plain C, no assertions": {
        "PYTHONHASHSEED": "2", "TZ": "Pacific/Honolulu", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONOPTIMIZE": "1",
    },
}  # fmt: skip
OTHERS: Final = ("python3.12", "python3.13", "python3.14")
CONTROL: Final = "--unordered"
REQUESTS: Final = 400
TURNS: Final = 2
"""How often each of two processes has the tables."""


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    found = Findings()
    chosen = [each for each in every_ruleset() if scope.game in ("", each.game) and scope.edition in ("", each.edition)]
    if not chosen:
        raise ValueError(f"no rules of {scope.game or 'any game'} in {scope.edition or 'any edition'}")
    tables = scope.count(short=12, long=500)
    with TemporaryDirectory(prefix="croupier-replay-") as name:
        folder = Path(name)
        for number in scope.time.each(range(tables), "journals"):
            tell(number, tables, "playing")
            each = chosen[number * len(chosen) // tables if tables < len(chosen) else number % len(chosen)]
            driver = Driver(known_game(each.game), each, Random(f"{scope.seed} {number}"))
            while driver.requests < REQUESTS:
                driver.step()
            (folder / f"{number:05}.jsonl").write_bytes(b"\n".join(map(encode, driver.journal)))
            found.count("lines", len(driver.journal))
        _earlier(found, folder)
        found.count("journals", len(list(_journals(folder))))
        expected = _ends(folder)
        for words, surroundings in SURROUNDINGS.items():
            found.count("surroundings")
            _compare(found, words, expected, _elsewhere(sys.executable, folder, surroundings))
        for python in OTHERS:
            _other(found, python, folder, expected)
        _stores(found, folder, expected)
        one, other = (_elsewhere(sys.executable, folder, each, CONTROL) for each in SURROUNDINGS.values())
        found.controls["an unordered set in the state"] = one != other
    return found.verdict()


def _earlier(found: Findings, folder: Path) -> None:
    """The journals of earlier releases, if this is a checkout of the source."""
    kept = sorted(Path(__file__).parents[4].glob("tests/golden/journals/*.jsonl"))
    if not kept:
        found.not_run.append("journals of earlier releases: they come with the source, not with the package")
    for path in kept:
        shutil.copy(path, folder / f"earlier-{path.name}")
        found.count("journals of earlier releases")


def _compare(found: Findings, where: str, expected: list[str], other: list[str]) -> None:
    differ = [number for number, pair in enumerate(zip(expected, other, strict=False)) if len(set(pair)) > 1]
    if len(other) != len(expected) or differ:
        found.faults.append(f"{where}: {len(other)} of {len(expected)} journals told, journals {differ} lead elsewhere")
    else:
        found.holds.append(f"{where}: the same bytes")


def _other(found: Findings, python: str, folder: Path, expected: list[str]) -> None:
    """Another Python, if it is here with what croupier needs."""
    if shutil.which(python) is None:
        found.not_run.append(f"{python}: it is not installed here")
    elif subprocess.run((python, "-c", "import croupier.table.desk"), capture_output=True, check=False).returncode:
        found.not_run.append(f"{python}: croupier is not installed for it")
    else:
        _compare(found, python, expected, _elsewhere(python, folder, {}))


def _elsewhere(python: str, folder: Path, surroundings: Mapping[str, str], *flags: str) -> list[str]:
    command = (python, "-m", "croupier.prove.books.replay", str(folder), *flags)
    return subprocess.run(
        command, env={**os.environ, **surroundings}, capture_output=True, check=True, encoding="ascii"
    ).stdout.split()


def _stores(found: Findings, folder: Path, expected: list[str]) -> None:
    """Through SQLite, PostgreSQL, back, and two processes."""
    books = Books(folder)
    _appended(books.url, books.key, [(path.stem, 0, path.read_bytes().splitlines()) for path in _journals(folder)])
    _compare(found, "SQLite", expected, _read_back(books.url, books.key, folder))
    with postgresql_or_not(found) as url:
        if not url:
            return
        from croupier.prove.books.instruments.servers import new_database

        there, two = new_database(url), new_database(url)
        back_up(books.url, folder / "backup")
        restore(folder / "backup", there)
        _compare(found, "from SQLite to PostgreSQL", expected, _read_back(there, books.key, folder))
        back_up(there, folder / "backup of that")
        restore(folder / "backup of that", f"sqlite:///{folder}/again.db")
        back = _read_back(f"sqlite:///{folder}/again.db", books.key, folder)
        _compare(found, "and back to SQLite", expected, back)
        with spare_processes() as one, spare_processes() as other:
            for pool, part in zip((one, other) * TURNS, _parts(folder), strict=True):
                pool.submit(_appended, two, books.key, part).result()
                found.count("turns of two processes", 1)
        _compare(found, "PostgreSQL by two processes", expected, _read_back(two, books.key, folder))


def _parts(folder: Path) -> Iterator[list[tuple[str, int, list[bytes]]]]:
    """All journals cut into as many parts as there are turns."""
    journals = {path.stem: path.read_bytes().splitlines() for path in _journals(folder)}
    for turn in range(2 * TURNS):
        cuts = {name: len(lines) * turn // (2 * TURNS) for name, lines in journals.items()}
        ends = {name: len(lines) * (turn + 1) // (2 * TURNS) for name, lines in journals.items()}
        yield [(name, cuts[name], lines[cuts[name] : ends[name]]) for name, lines in journals.items()]


def _appended(url: str, key: Path, journals: list[tuple[str, int, list[bytes]]]) -> None:
    """Written to a database line by line, as the owner of each table."""
    with open_store(url, key_path=key) as store:
        waiting = []
        for name, after, lines in journals:
            store.own(name).result()
            for number, body in enumerate(lines, after + 1):
                command = f"{Random(f'{name} {number}').getrandbits(128):032x}"
                work = Append(name, number - 1, command, (body,), tuple(moved(number, body)), b"done")
                waiting.append(store.append(work))
        for each in waiting:
            if not isinstance(answer := each.result(), Appended):
                raise AssertionError(f"a line was not taken: {answer}")


def _read_back(url: str, key: Path, folder: Path) -> list[str]:
    with open_reader(url, key_path=key) as store:
        return [_end([line.body for line in store.each_sound_line(path.stem)]) for path in _journals(folder)]


# ---------------------------------------------------------------- what is run elsewhere


def _journals(folder: Path) -> Iterator[Path]:
    return iter(sorted(folder.glob("*.jsonl")))


def _ends(folder: Path) -> list[str]:
    return [_end(path.read_bytes().splitlines()) for path in _journals(folder)]


def _end(lines: list[bytes]) -> str:
    """The hash of the table that a journal leads to, and of the journal written once more."""
    fresh = table_of("proof", decode(lines[0]))
    table = replay(fresh.game, fresh.ruleset, lines, "proof")
    written = b"\n".join(encode(decode(line)) for line in lines)
    return sha256(snapshot(table) + written).hexdigest()


def _unordered(lines: list[bytes]) -> str:
    """The control: a state that holds the accounts as a set and tells them in its order."""
    fresh = table_of("proof", decode(lines[0]))
    accounts = set(replay(fresh.game, fresh.ruleset, lines, "proof").balances)
    return sha256(" ".join(islice(accounts, 3)).encode()).hexdigest()


if __name__ == "__main__":
    where = Path(sys.argv[1])
    each_end = _unordered if CONTROL in sys.argv else _end
    print("\n".join(each_end(path.read_bytes().splitlines()) for path in _journals(where)))
