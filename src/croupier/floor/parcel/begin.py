"""NewHouse a house: `croupier init` writes its settings, key, database, first people and first tables.

Theory of operation.  Everything that can be wrong is looked at first: the tables by their law, the folder, the names.
Then come the folders, the certificate, the key and the database with the people in it; the file of settings comes last,
so that a house that was only half begun has none and cannot be started by mistake.  Nothing that exists is touched.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from croupier.floor.keeping.accounts import Accounts, Hashing
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.keeping.credentials.tickets import secret_beside
from croupier.floor.parcel.certificates import self_signed
from croupier.floor.places import key_for
from croupier.floor.serve import planned
from croupier.floor.settings import BadSettings, TableSettings, settings_text
from croupier.floor.store.durable import open_store
from croupier.house.people.decide import CONSOLE
from croupier.law.officials import CASINO_MANAGER, GAME_SUPERVISOR, INSPECTOR, STAFF

SETTINGS: Final = "house.toml"
FACTORS: Final = ("required", "enrolled")
SECRETS: Final = ("tickets", "vouchers", "factors")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHouse:
    """What was asked for; `name` is what the house is called in addresses, for which a certificate is made."""

    folder: Path
    people: Mapping[str, tuple[str, ...]]
    tables: tuple[TableSettings, ...] = ()
    url: str = ""
    key: str = ""
    host: str = "127.0.0.1"
    port: int = 8700
    name: str = ""
    certificate: tuple[str, str] = ("", "")
    witness: str = ""
    second: str = ""
    second_factor: str = "required"
    hashing: Hashing = field(default_factory=Hashing)


def read_person(text: str) -> tuple[str, tuple[str, ...]]:
    """`Sue: game supervisor, dealer`."""
    name, colon, words = text.partition(":")
    roles = tuple(part.strip() for part in words.split(",") if part.strip())
    if not colon or not name.strip() or not roles:
        raise ValueError(f"a person is told as NAME: ROLE, ROLE, not {text!r:.60}")
    known = (*STAFF, INSPECTOR)
    for role in roles:
        if role not in known:
            raise ValueError(f"{name.strip()}: unknown role {role!r:.40}; known are {', '.join(known)}")
    return name.strip(), roles


def read_table(text: str, supervisor: str = "") -> TableSettings:
    """`EB-1: baccarat nzeb terminals 5-1000`: game, edition, perhaps a version, and the limits in dollars."""
    name, _, words = text.partition(":")
    try:
        game, edition, *version, limits = words.split()
        least, most = (int(part) * 100 for part in limits.split("-"))
        if len(version) > 1 or not name.strip() or not 0 < least <= most:
            raise ValueError
    except ValueError:
        raise ValueError(f"a table is told as NAME: GAME EDITION [VERSION] LEAST-MOST, not {text!r:.80}") from None
    return TableSettings(
        name=name.strip(), game=game, edition=edition, version="".join(version), minimum=least, maximum=most,
        supervisor=supervisor,
    )  # fmt: skip


def begun(wanted: NewHouse) -> dict[str, Any]:
    """Begin the house; answers with where everything is, and the passwords for one use, which are told only now."""
    settings = wanted.folder / SETTINGS
    if settings.exists():
        raise BadSettings(f"{settings}: a house was begun here already")
    if wanted.second_factor not in FACTORS:
        raise BadSettings(f"a second factor is {' or '.join(FACTORS)}, not {wanted.second_factor!r:.40}")
    for table in wanted.tables:
        planned(table, ())
    try:
        wanted.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        url = wanted.url or f"sqlite:///{wanted.folder.resolve()}/house.db"
        key = _key(wanted, url)
        certificate = wanted.certificate
        if wanted.name and not any(certificate):
            first, second = self_signed(wanted.folder, wanted.name)
            certificate = str(first.resolve()), str(second.resolve())
        passwords = asyncio.run(_peopled(wanted, url, key))
        _write(settings, settings_text(dict(_parts(wanted, url, key, certificate)), wanted.tables))
    except OSError as error:
        raise BadSettings(f"{error.filename}: {error.strerror}") from None
    return {
        "settings": str(settings),
        "database": url,
        "key": str(key),
        "certificate": certificate[0],
        "tables": [table.name for table in wanted.tables],
        "one_time": passwords,
    }


def _key(wanted: NewHouse, url: str) -> Path:
    """The file of the key, in a folder of its own where none is named."""
    path = Path(wanted.key) if wanted.key else wanted.folder.resolve() / "keys" / "house.key"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return key_for(url, str(path))


async def _peopled(wanted: NewHouse, url: str, key: Path) -> dict[str, str]:
    """The database with its people; a house without a casino manager gets one."""
    second = Path(wanted.second) if wanted.second else None
    with open_store(url, key_path=key, witness=wanted.witness, second=second) as store:
        if store.tables():
            raise BadSettings(f"{store.opened.name}: this database has a house in it already")
        for each in SECRETS:
            secret_beside(key, *(() if each == "tickets" else (each,)))
        accounts, passwords = Accounts(store, clock_ms, wanted.hashing), {}
        await accounts.start()
        for name, roles in wanted.people.items():
            answer, passwords[name] = await accounts.make(name, roles, kind="password", by=CONSOLE, role=CONSOLE)
            if not answer.done:
                raise BadSettings(f"{name}: {answer.reason}")
        if not any(CASINO_MANAGER in roles for roles in wanted.people.values()) and (made := await accounts.first()):
            passwords[made[0]] = made[1]
        await accounts.sign()
    return passwords


def _parts(wanted: NewHouse, url: str, key: Path, certificate: tuple[str, str]) -> Iterator[tuple[str, Any]]:
    """The parts of the file: what differs from what is usual."""
    scheme = "https" if any(certificate) else "http"
    yield (
        "server",
        {
            "host": wanted.host,
            "port": wanted.port,
            "certificate": certificate[0],
            "certificate_key": certificate[1],
            "origins": (f"{scheme}://{wanted.name}:{wanted.port}",) if wanted.name else (),
        },
    )
    yield "store", {"url": url, "key": str(key), "witness": wanted.witness, "second": wanted.second}
    yield "people", {"second_factor": wanted.second_factor}


def _write(path: Path, text: str) -> None:
    """The settings may hold the password of a database: nobody but their owner reads them."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def supervisor_of(people: Mapping[str, tuple[str, ...]]) -> str:
    """Who supervises the first tables."""
    return next((name for name, roles in people.items() if GAME_SUPERVISOR in roles), "")
