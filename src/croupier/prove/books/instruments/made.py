"""A store with true journals in it, for proofs that spoil it: tables under random use, written down and signed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from croupier.floor.store.appends import Append
from croupier.floor.store.durable import Store, open_reader, open_store
from croupier.journal.entries import encode
from croupier.prove.books.lives import moved
from croupier.prove.table_driver import Driver
from croupier.rulesets import every_ruleset, known_game


@dataclass(frozen=True, slots=True)
class Books:
    """A closed store in a folder, its key beside it."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "house.db"

    @property
    def key(self) -> Path:
        return self.folder / "key"

    @property
    def url(self) -> str:
        return f"sqlite:///{self.database}"

    def reader(self) -> Store:
        return open_reader(self.url, key_path=self.key)

    def writer(self) -> Store:
        return open_store(self.url, key_path=self.key)


def write(books: Books, *, rounds: int, seed: int, first: int = 0) -> int:
    """Play so many rounds at tables of all games and editions, named from the first on; the number of lines."""
    rulesets = list(every_ruleset())
    lines = played = 0
    with books.writer() as store:
        while played < rounds:
            chosen = rulesets[Random(f"{seed} {played}").randrange(len(rulesets))]
            name = f"T{first + played}"
            driver = Driver(known_game(chosen.game), chosen, Random(f"{seed} {name}"))
            wanted = min(rounds - played, 5)
            while driver.table.number <= wanted and driver.requests < 4_000:
                driver.step()
            for number, line in enumerate(driver.journal, 1):
                body = encode(line)
                command = f"{Random(f'{seed} {name} {number}').getrandbits(128):032x}"
                store.append(Append(name, number - 1, command, (body,), tuple(moved(number, body)), b"done"))
                if number % 25 == 0:
                    store.sign_head(name, line.at_ms)
            store.sign_head(name, driver.now_ms).result()
            lines, played = lines + len(driver.journal), played + wanted
    return lines
