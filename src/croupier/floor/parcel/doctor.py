"""Looking whether everything that must hold around a house holds: `croupier doctor`.

Theory of operation.  Each check looks at one thing and tells what it found: good, to be minded, or bad, in which case
it says what to do.  It only looks: the database is opened for reading, so that a house that is running may be looked
at, and a file for trying is made and removed where durable commits are tried.  A house with something bad should not be
opened; the exit code says so.
"""

from __future__ import annotations

import ctypes
import logging
import os
import resource
import shutil
import sqlite3
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy.exc import DBAPIError

from croupier import __version__
from croupier.errors import NotPermitted
from croupier.floor.addresses import is_loopback
from croupier.floor.doors.lines import KEPT_BACK
from croupier.floor.keeping.accounts import roles_of
from croupier.floor.keeping.clock import SLACK_MS
from croupier.floor.keeping.house import last_written_ms
from croupier.floor.keeping.telling.webhooks import read_webhook
from croupier.floor.parcel.certificates import Level, faults
from croupier.floor.places import key_for
from croupier.floor.serve import planned
from croupier.floor.settings import BadSettings, Settings, TableSettings, read_settings
from croupier.floor.store.appends import Stopped
from croupier.floor.store.copies.second import rows_of
from croupier.floor.store.copies.witnesses import SCHEMES
from croupier.floor.store.durable import Store, open_reader
from croupier.floor.store.engines import (
    TWO_WRITERS_ARE_SAFE,
    BadStore,
    NotDurable,
    check_postgresql,
    one_line,
    open_database,
    parsed_url,
    path_of,
)
from croupier.floor.store.heads import BadKey
from croupier.floor.store.opening import BehindItsWitness, check_opening
from croupier.floor.store.schema import REVISION, revision_of
from croupier.game import Refusal
from croupier.house.people.decide import CONSOLE
from croupier.law.officials import CASINO_MANAGER, CASINO_SUPERVISOR, GAME_SUPERVISOR, INSPECTOR, SHIFT_MANAGER
from croupier.money import dollars
from croupier.rulesets import known_game
from croupier.table.commands import OpenTable, TableRequest
from croupier.table.decide import decide
from croupier.table.limits import needed_signs
from croupier.table.state import Table, new_table

LEAST_FREE: Final = 1 << 30
LEAST_SHARE: Final = 0.05
LEAST_POSTGRESQL: Final = 130_000
LEAST_MEMORY_KIB: Final = 19_456
"""The least memory for argon2id that OWASP's cheat sheet on storing passwords names."""
TIME_ERROR: Final = 5
OTHERS_READ, OTHERS_WRITE = 0o077, 0o022
LOST: Final = {
    "vouchers": "with another one, no voucher that is out is known",
    "factors": "with another one, no code of a second factor is right",
}
"""Files beside the key that cannot be made again, and what is lost with each."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found; what is not good has a remedy."""

    check: str
    level: Level
    says: str
    remedy: str = ""


@dataclass(slots=True)
class Patient:
    """The house that is looked at."""

    config: Path
    settings: Settings
    url: str
    key: Path
    store: Store | None = None
    found: list[Finding] = field(default_factory=list)

    @property
    def folder(self) -> Path | None:
        """The folder of the database, where that is a file."""
        known = parsed_url(self.url)
        return path_of(known).parent if known.get_backend_name() == "sqlite" else None


def examined(config: Path, db: str = "", key: str = "") -> list[Finding]:
    """Everything that was looked at, in order."""
    try:
        settings = read_settings(config)
    except BadSettings as error:
        return [
            Finding("settings", "bad", str(error), f"mend {config}; `croupier settings` tells what each value means")
        ]
    url = db or settings.store.url
    if not url:
        remedy = f"name the database in {config}: url under [store]"
        return [Finding("settings", "bad", "no database is named", remedy)]
    patient = Patient(config, settings, url, key_for(url, key or settings.store.key))
    with _quietly():
        found = [each for name, check in CHECKS.items() for each in _checked(name, check(patient))]
        if patient.store is not None:
            patient.store.close()
    return found


@contextmanager
def _quietly() -> Iterator[None]:
    """What is looked at logs nothing meanwhile: what there is to say is found and told."""
    log = logging.getLogger("croupier")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def _checked(name: str, results: Symptoms) -> list[Finding]:
    return [Finding(name, *each) for each in results] or [Finding(name, "good", "in order")]


Symptoms = Iterator[tuple[Level, str, str]]


# ---------------------------------------------------------------- files, and who may read them


def _files(patient: Patient) -> Symptoms:
    server, key = patient.settings.server, patient.key
    yield from _closed(patient.config, OTHERS_READ if "@" in patient.url else OTHERS_WRITE)
    for folder in {patient.config.resolve().parent, key.resolve().parent, *filter(None, (patient.folder,))}:
        yield from _closed(folder, OTHERS_WRITE)
    secret = [key, *(key.with_name(f"{key.name}.{each}") for each in ("tickets", "vouchers", "factors", "heads"))]
    if patient.folder is not None:
        path = path_of(parsed_url(patient.url))
        secret += [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", ".lock"))]
    secret += [Path(each.secret) for each in patient.settings.webhooks]
    for each in (*secret, *map(Path, filter(None, (server.certificate_key, patient.settings.store.second)))):
        yield from _closed(each, OTHERS_READ)


def _closed(path: Path, bits: int) -> Symptoms:
    """That nobody else may read or write a file that is there."""
    if path.exists() and (mode := path.stat().st_mode & bits):
        what = "read" if mode & 0o044 and bits == OTHERS_READ else "changed"
        yield "bad", f"{path} can be {what} by others", f"chmod {'700' if path.is_dir() else '600'} {path}"


def _key(patient: Patient) -> Symptoms:
    if not patient.key.exists():
        remedy = "name the file of the key that signed this database (key under [store]), or begin with `croupier init`"
        yield "bad", f"there is no key in {patient.key}", remedy
    elif patient.folder is not None and patient.key.resolve().parent == patient.folder:
        remedy = "keep the key in another folder, best on another disk, and a copy in a safe"
        yield "mind", f"the key {patient.key} lies beside the database that it vouches for", remedy
    for end, lost in LOST.items():
        beside = patient.key.with_name(f"{patient.key.name}.{end}")
        if patient.key.exists() and not beside.exists():
            remedy = "put it back from the copy of the key's folder, before the house is started and makes another one"
            yield "mind", f"there is no {beside}: {lost}", remedy


def _user(_: Patient) -> Symptoms:
    if os.geteuid() == 0:
        remedy = "run the house under a user of its own, as deploy/croupier.service does"
        yield "mind", "this is asked as root; a house should not run so", remedy


# ---------------------------------------------------------------- the database


def _database(patient: Patient) -> Symptoms:
    try:
        patient.store = open_reader(patient.url, key_path=patient.key if patient.key.exists() else None)
        with patient.store.opened.reading.connect() as connection:
            revision = revision_of(connection)
            if patient.store.opened.shared:
                yield from _server(connection, patient)
    except BadKey as error:
        patient.store = None
        yield "bad", str(error), "put the key back from its copy: the file that key under [store] names"
        return
    except (BadStore, Stopped, DBAPIError) as error:
        patient.store = None
        remedy = "see that the database runs, that url under [store] names it, and its rights; if its file is damaged, "
        yield "bad", one_line(error), f"{remedy}keep it and `croupier restore` the newest backup elsewhere"
        return
    if revision != REVISION:
        patient.store.close()
        patient.store = None
        newer = revision is not None and revision > REVISION
        remedy = "install the version of croupier that wrote it" if newer else "start the house once: it migrates"
        yield "bad" if newer else "mind", f"the database is of version {revision}, not {REVISION}", remedy


def _server(connection: Any, patient: Patient) -> Symptoms:
    """The settings of a PostgreSQL, of which each that is off is told."""
    try:
        check_postgresql(connection, patient.url.rpartition("/")[2])
    except NotDurable as error:
        remedy = f"ALTER SYSTEM SET {error.setting} = on, and no ALTER ROLE or DATABASE that says otherwise"
        yield "bad", str(error), remedy
    except BadStore as error:
        yield "bad", str(error), "CREATE DATABASE with ENCODING 'UTF8', and `croupier restore` the newest backup there"
    version = int(connection.exec_driver_sql("SHOW server_version_num").scalar())
    if version < LEAST_POSTGRESQL:
        yield "mind", f"PostgreSQL {version // 10_000} gets no more mends", "use PostgreSQL 13 or later"
    apart_ms = abs(float(connection.exec_driver_sql("SELECT extract(epoch FROM now())").scalar()) - time.time()) * 1000
    if apart_ms > SLACK_MS:
        remedy = "let both machines follow one time server (timedatectl set-ntp true)"
        yield "bad", f"the clocks of this machine and of PostgreSQL are {apart_ms:.0f} ms apart", remedy


def _durable(patient: Patient) -> Symptoms:
    """That a commit in the database's folder survives the loss of power, as far as the system says so."""
    if patient.folder is None:
        return
    try:
        with tempfile.TemporaryDirectory(prefix=".doctor-", dir=patient.folder) as folder:
            open_database(f"sqlite:///{folder}/try.db", writing=True).close()
    except (BadStore, OSError) as error:
        remedy = "keep the database on a local disk that can be written (ext4 or xfs; no network folder)"
        yield "bad", f"no durable commit can be made in {patient.folder}: {one_line(error)}", remedy


def _opening(patient: Patient) -> Symptoms:
    """That the house would open: it is where its witnesses left it."""
    if patient.store is None or patient.store.key is None:
        return
    patient.store.elsewhere = patient.settings.store.witness
    try:
        check_opening(patient.store)
    except BehindItsWitness as error:
        yield "bad", str(error), "restore the newest backup or the second journal; else `croupier accept-loss`"
    except BadStore as error:
        remedy = "see that key under [store] names the key of this very house; if it does, run `croupier verify`, "
        yield "bad", str(error), f"{remedy}keep the file as it is, and restore a good copy elsewhere"


def _witness(patient: Patient) -> Symptoms:
    where = patient.settings.store.witness
    if not where:
        remedy = "name one under [store]: witness = a file on another volume, or an address of the inspector's"
        yield "mind", "signed heads go nowhere but to the file beside the key", remedy
    elif where.startswith(SCHEMES):
        try:
            urllib.request.urlopen(where, timeout=5).close()
        except (OSError, ValueError) as error:
            yield "bad", f"the witness at {where} does not answer: {error}", "see that it runs and can be reached"
    else:
        yield from _elsewhere(patient, Path(where), "witness")


def _second(patient: Patient) -> Symptoms:
    where = patient.settings.store.second
    if patient.folder is None:
        return
    if not where:
        remedy = (
            "name one under [store]: second = a file on another disk; or back up often (deploy/croupier-backup.timer)"
        )
        yield "mind", "there is no second journal: with the disk, all since the last backup is lost", remedy
        return
    yield from _elsewhere(patient, Path(where), "second journal")
    if patient.store is not None and Path(where).exists():
        try:
            ends = {str(row[0]): int(row[1]) for name, row in rows_of(Path(where)) if name == "journal"}
        except (BadStore, ValueError, LookupError) as error:
            yield (
                "bad",
                f"the second journal cannot be read: {error}",
                f"move {where} away; the next start makes it anew",
            )
            return
        for table, last in ends.items():
            if patient.store.last(table)[0] < last:
                remedy = f"the first disk has lost lines: restore the house from {where}"
                yield "bad", f"the second journal has line {last} of {table}, and the database has not", remedy


def _elsewhere(patient: Patient, path: Path, what: str) -> Symptoms:
    """That a copy can be written, and lies on another disk than what it is a copy of."""
    there = path if path.exists() else path.parent
    if not there.exists() or not os.access(there, os.W_OK):
        yield (
            "bad",
            f"the {what} {path} cannot be written",
            f"make the folder, give the house's user the right to {path}",
        )
    elif patient.folder is not None and there.stat().st_dev == patient.folder.stat().st_dev:
        yield "mind", f"the {what} {path} is on the same disk as the database", "name a file on another disk"


# ---------------------------------------------------------------- the machine


def _clock(patient: Patient) -> Symptoms:
    follow = "let the machine follow a time server: timedatectl set-ntp true, or install chrony"
    if patient.store is not None:
        ahead = last_written_ms(patient.store) - int(time.time() * 1000)
        if ahead > SLACK_MS:
            yield "bad", f"the clock of this machine is {ahead // 1000} s behind the last line of the journal", follow
    libc = ctypes.CDLL(None, use_errno=True)
    if hasattr(libc, "adjtimex") and libc.adjtimex(ctypes.create_string_buffer(512)) == TIME_ERROR:
        yield "mind", "the clock of this machine follows no time server", follow


def _disk(patient: Patient) -> Symptoms:
    store = patient.settings.store
    named = (patient.folder, patient.key.parent, *(Path(each).parent for each in (store.second, store.witness) if each))
    for folder in {each for each in named if each is not None and each.exists()}:
        space = shutil.disk_usage(folder)
        if space.free < LEAST_FREE or space.free < space.total * LEAST_SHARE:
            remedy = "make room: a house whose disk is full stops at once, and loses nothing"
            yield (
                "bad" if space.free < LEAST_FREE // 10 else "mind",
                f"{folder}: {space.free >> 20} MiB are free",
                remedy,
            )


def _limits(patient: Patient) -> Symptoms:
    most, wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[1], patient.settings.server.lines + KEPT_BACK
    if most != resource.RLIM_INFINITY and most < wanted:
        remedy = f"LimitNOFILE={wanted} in the unit, or a smaller `lines` under [server]"
        yield "mind", f"this user may have {most} files open, and the settings want {wanted}", remedy


def _versions(_: Patient) -> Symptoms:
    versions = f"croupier {__version__}, Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}"
    if sqlite3.sqlite_version_info < TWO_WRITERS_ARE_SAFE:
        remedy = "let nothing else write to the database's file; a newer SQLite takes this away"
        yield "mind", f"{versions}: this SQLite is safe with one writer only", remedy
    else:
        yield "good", versions, ""


# ---------------------------------------------------------------- the way in


def _certificate(patient: Patient) -> Symptoms:
    server = patient.settings.server
    names = frozenset(filter(None, (urlsplit(each).hostname for each in server.origins)))
    if server.certificate:
        yield from faults(Path(server.certificate), Path(server.certificate_key), names)
    elif not is_loopback(server.host):
        remedy = "name certificate and certificate_key under [server], or listen on 127.0.0.1 behind deploy/nginx.conf"
        yield "bad", f"the house answers at {server.host} without TLS: passwords and tickets can be read", remedy


def _people(patient: Patient) -> Symptoms:
    people = patient.settings.people
    if people.argon2_memory_kib < LEAST_MEMORY_KIB:
        remedy = "take argon2_memory_kib out of the settings, or raise it; people then set new passwords"
        yield "bad", f"a password costs {people.argon2_memory_kib} KiB to try: whoever has the file finds them", remedy
    if people.second_factor != "required":
        yield "mind", "who has no second factor may correct without one", 'second_factor = "required" under [people]'
    if patient.store is None:
        return
    active = [roles_of(row) for row in patient.store.accounts() if not row.disabled]
    # Neither the first casino manager nor an inspector is made in the lobby.
    here = "with the house stopped, `croupier people add NAME --db URL --key FILE --role"
    for role in (CASINO_MANAGER, INSPECTOR):
        if not any(role in roles for roles in active):
            yield "bad" if role == CASINO_MANAGER else "mind", f"nobody here is {role}", f"{here} '{role}'`"
    seniors = {CASINO_SUPERVISOR, SHIFT_MANAGER, CASINO_MANAGER, INSPECTOR}
    if sum(bool(seniors & {*roles}) for roles in active) < 2:
        remedy = f"{here} 'casino supervisor'`, or in the lobby under *People*; shift and casino managers correct, too"
        yield "mind", "there are no two people who could correct settled money together", remedy


def _webhooks(patient: Patient) -> Symptoms:
    for each in patient.settings.webhooks:
        try:
            read_webhook(each.name, each.url, Path(each.secret))
        except ValueError as error:
            yield "bad", str(error), f"write the secret that {each.url} knows to {each.secret}, and chmod 600 it"


def _tables(patient: Patient) -> Symptoms:
    for each in patient.settings.tables:
        if each.minimum > each.maximum:
            remedy = f"mend minimum and maximum of {each.name} in {patient.config}; both are in cents"
            least, most = dollars(each.minimum), dollars(each.maximum)
            yield "bad", f"{each.name}: the minimum, {least}, is above the maximum, {most}", remedy
        try:
            rules = planned(each, patient.settings.links).rules()
        except (ValueError, NotPermitted) as error:
            yield (
                "bad",
                str(error),
                f"mend the table {each.name} in {patient.config}; `croupier list` tells what there is",
            )
            continue
        if not each.practice:
            yield from _stays_closed(patient, each, new_table(each.name, known_game(each.game), rules))
    if not patient.settings.tables:
        yield "mind", "this house has no tables", f"add [[tables]] to {patient.config}"


def _stays_closed(patient: Patient, planned_: TableSettings, table: Table) -> Symptoms:
    """Why a real table would not open, if it would not: the table itself is asked, as the start asks it."""
    name = planned_.name
    for notice in (each for each in needed_signs(table) if each.value not in planned_.signs):
        remedy = f"put the notice up, and then say so: signs = [{notice.value!r}] of {name}"
        yield "bad", f"{name} stays closed without the notice {notice.value!r} ({notice.rule})", remedy
    stands = {"signs": tuple(notice.value for notice in needed_signs(table))}
    opening = OpenTable(**(dict(planned(planned_, patient.settings.links).sign) | stands))
    answer = decide(table, TableRequest(opening, CONSOLE, GAME_SUPERVISOR, 0))
    if isinstance(answer, Refusal) and planned_.minimum <= planned_.maximum:
        mend = f"mend the table {name} in {patient.config}; `croupier rules show {answer.rule}` tells the rule"
        remedy = mend if planned_.supervisor else f'say who that is: supervisor = "NAME" of {name} in {patient.config}'
        yield "bad", f"{name} stays closed: {answer.reason} ({answer.rule})", remedy


CHECKS: Final[dict[str, Callable[[Patient], Symptoms]]] = {
    "files": _files,
    "key": _key,
    "user": _user,
    "versions": _versions,
    "database": _database,
    "durable": _durable,
    "opening": _opening,
    "witness": _witness,
    "second": _second,
    "clock": _clock,
    "disk": _disk,
    "limits": _limits,
    "certificate": _certificate,
    "people": _people,
    "webhooks": _webhooks,
    "tables": _tables,
}
