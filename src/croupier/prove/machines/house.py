"""The house that stands on the machines: its files on each, its processes, and the proxy before them.

Theory of operation.  The house is begun once, as `croupier init` begins it; then each machine gets a copy of the key,
of the secrets beside it and of the certificate, and settings of its own, and knows nothing else of the others: no
process reads a file of another machine.  A process is started as its unit starts it, and started again when it ends
by a fault (`Restart=on-failure`).  The proxy is nginx with the file that is shipped, in which only addresses,
certificate and the lines for other machines are put in, as its comments say.
"""

from __future__ import annotations

import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final
from urllib.error import HTTPError
from urllib.request import urlopen

from croupier.floor.keeping.accounts import Hashing
from croupier.floor.parcel.begin import NewHouse, begun, read_table
from croupier.floor.parcel.certificates import self_signed
from croupier.floor.settings import TableSettings, settings_text
from croupier.prove.machines.network import HUB, Network, inside, machine_address

PORT: Final = 8700
LEASE_SECONDS: Final = 5.0
START_SECONDS: Final = 400.0
SETTINGS_ARE_WRONG: Final = 2
PEOPLE: Final = {"Max": ("casino manager",), "Sue": ("game supervisor",), "Ina": ("inspector",)}
QUICK: Final = Hashing(1, 64, 1)


class NoProxy(Exception):
    """Why there is none."""


@dataclass(slots=True)
class FloorMachine:
    """One machine, and the process of the house on it."""

    number: int
    folder: Path
    network: Network
    process: subprocess.Popen[bytes] | None = None
    wanted: bool = False
    ends: list[int] = field(default_factory=list)
    """How its processes ended, but those that were asked to."""
    watching: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"https:{'/' * 2}{machine_address(self.number)}:{PORT}"

    def start(self) -> None:
        """Start the process, and start it again when it ends by a fault, as the unit does."""
        self.wanted = True
        self._born()
        self.watching = threading.Thread(target=self._watched, daemon=True)
        self.watching.start()

    def _born(self) -> None:
        words = [sys.executable, "-m", "croupier", "serve", "--config", str(self.folder / "house.toml")]
        with inside(self.network.machine(self.number)), open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log, env=_environment())

    def _watched(self) -> None:
        while self.process is not None:
            code = self.process.wait()
            if not self.wanted:
                return
            self.ends.append(code)
            if code in (0, SETTINGS_ARE_WRONG):
                return
            time.sleep(1.0)
            self._born()

    def stop(self) -> None:
        """Ask the process to stop, as `systemctl stop` does, and wait for that."""
        self.wanted = False
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(START_SECONDS)
        self._unwatched()

    def kill(self) -> None:
        self.wanted = False
        if self.process is not None:
            self.process.kill()
        self._unwatched()

    def _unwatched(self) -> None:
        if self.watching is not None:
            self.watching.join()

    def unready(self, trusted: ssl.SSLContext) -> str:
        """Why it takes no work, if it takes none; asked from where the proxy is."""
        try:
            with urlopen(f"{self.url}/health/ready", timeout=2, context=trusted):
                return ""
        except HTTPError as answer:
            return f"{answer.code} {answer.read(500)!r}"
        except OSError as error:
            return f"{type(error).__name__}: {error}"

    def said(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")


def _environment() -> dict[str, str]:
    return {**os.environ, "CROUPIER_ARGON2": f"{QUICK.passes},{QUICK.memory_kib},{QUICK.lanes}"}


@dataclass(slots=True)
class Floor:
    """The machines, and what whoever asks the house must know."""

    url: str
    certificate: Path
    key: Path
    passwords: dict[str, str]
    machines: list[FloorMachine]
    tables: tuple[str, ...]

    @property
    def trusted(self) -> ssl.SSLContext:
        return _trusting(self.certificate)

    def open(self) -> None:
        """Start all, and wait until each takes work."""
        for machine in self.machines:
            machine.start()
        for machine in self.machines:
            self.await_ready(machine)

    def await_ready(self, machine: FloorMachine) -> None:
        until = time.monotonic() + START_SECONDS
        while why := machine.unready(self.trusted):
            if time.monotonic() > until:
                raise TimeoutError(f"machine {machine.number} takes no work: {why}; it said: {machine.said()[-2000:]}")
            time.sleep(0.1)


@cache
def _trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


def built(folder: Path, url: str, made: Network, tables: int) -> Floor:
    """A new house, and its files on every machine."""
    addresses = [machine_address(number) for number in range(1, made.machines + 1)]
    first = folder / "first"
    first.mkdir(mode=0o700)
    certificate, _ = self_signed(first, "casino.example", HUB, *addresses)
    planned = tuple(
        read_table(f"EB-{number}: baccarat nzeb terminals 5-1000", "Sue") for number in range(1, tables + 1)
    )
    told = begun(NewHouse(folder=first, people=PEOPLE, url=url, second_factor="enrolled", hashing=QUICK))
    machines = []
    for number, address in enumerate(addresses, 1):
        here = folder / f"machine-{number}"
        shutil.copytree(first, here)
        (here / "house.toml").unlink()
        (here / "house.toml").write_text(_settings(here, url, address, planned), encoding="utf-8")
        machines.append(FloorMachine(number, here, made))
    names = tuple(each.name for each in planned)
    return Floor(url, certificate, Path(told["key"]), told["one_time"], machines, names)


def _settings(folder: Path, url: str, address: str, tables: tuple[TableSettings, ...]) -> str:
    server = {
        "host": address, "port": PORT, "origins": (f"https:{'/' * 2}{HUB}",), "proxies": (HUB,), "grace_seconds": 2.0,
        "certificate": str(folder / "certificate.pem"), "certificate_key": str(folder / "certificate.key"),
    }  # fmt: skip
    store = {"url": url, "key": str(folder / "keys" / "house.key"), "lease_seconds": LEASE_SECONDS}
    return settings_text({"server": server, "store": store, "people": {"second_factor": "enrolled"}}, tables)


# ---------------------------------------------------------------- the proxy


def _site() -> Path:
    """The file that is shipped, where the source is a checkout."""
    found = Path(__file__).parents[4] / "deploy" / "nginx.conf"
    if not found.exists():
        raise NoProxy("deploy/nginx.conf is not beside the program")
    return found


def site_for(floor: Floor) -> str:
    """The shipped file with this house's addresses, by the changes that its own comments name."""
    one = "server 127.0.0.1:8700 "
    site = _site().read_text(encoding="utf-8")
    (line,) = (each for each in site.splitlines() if one in each)
    servers = [line.replace("127.0.0.1:8700", f"{machine_address(each.number)}:{PORT}") for each in floor.machines]
    changes = {
        line: "\n".join(servers),
        "/etc/ssl/certs/croupier.pem": str(floor.certificate),
        "/etc/ssl/private/croupier.key": str(floor.certificate.with_suffix(".key")),
        "http:" + "//croupier": "https:" + "//croupier",
        "# proxy_ssl_": "proxy_ssl_",
    }
    for old, new in changes.items():
        assert old in site, old
        site = site.replace(old, new)
    return site


@contextmanager
def proxy(floor: Floor, folder: Path) -> Iterator[None]:
    """nginx before the machines, at one address; the thread that asks is where it shall answer."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        raise NoProxy("there is no nginx")
    around = "daemon off; user root; pid {0}/pid; error_log {0}/errors; events {{ worker_connections 4096; }} http {{ "
    text = f"{around.format(folder)} access_log off; {site_for(floor)} }}"
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    with subprocess.Popen((nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder))) as running:
        try:
            _answers(floor)
            yield
        finally:
            running.terminate()


def _answers(floor: Floor) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        with suppress(OSError), urlopen(f"https:{'/' * 2}{HUB}/health", timeout=5, context=floor.trusted):
            return
        time.sleep(0.1)
    raise NoProxy("nginx does not answer")
