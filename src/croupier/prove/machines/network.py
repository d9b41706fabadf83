"""Machines on one network, as far as a kernel can pretend: a namespace for each, cables between, and a switch.

Theory of operation.  `ip netns` makes a namespace for the switch, in which the database, the proxy and the terminals
live, and one for each machine; a pair of virtual Ethernet ends joins each machine to a bridge.  Nothing of it touches
the network of the machine that it runs on.  A thread enters a namespace with `setns`, and whatever it starts or opens
from then on is there.  A cable is pulled by taking down its end at the switch: nobody is told, nothing is closed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

NETWORK: Final = "10.213.0.0/24"
HUB: Final = "10.213.0.1"
"""Where the database and the proxy answer."""
CLONE_NEWNET: Final = 0x40000000
OWN: Final = Path("/proc/thread-self/ns/net")
NAMED: Final = Path("/run/netns")


class NoNamespaces(Exception):
    """Why there are none."""


def machine_address(number: int) -> str:
    """The address of a machine, counted from 1."""
    return f"10.213.0.{10 + number}"


def _ip(*words: str) -> None:
    asked = subprocess.run(("ip", *words), capture_output=True, text=True, check=False)
    if asked.returncode:
        raise NoNamespaces(f"ip {' '.join(words)}: {asked.stderr.strip()}")


@dataclass(frozen=True, slots=True)
class Network:
    """The namespaces of one proof; their names begin with `mark`."""

    mark: str
    machines: int

    @property
    def hub(self) -> str:
        return f"{self.mark}-hub"

    def machine(self, number: int) -> str:
        return f"{self.mark}-{number}"

    def _made(self) -> None:
        _ip("netns", "add", self.hub)
        self._at(self.hub, "link", "set", "lo", "up")
        self._at(self.hub, "link", "add", "switch", "type", "bridge")
        self._at(self.hub, "addr", "add", f"{HUB}/24", "dev", "switch")
        self._at(self.hub, "link", "set", "switch", "up")
        for number in range(1, self.machines + 1):
            there = self.machine(number)
            _ip("netns", "add", there)
            self._at(there, "link", "set", "lo", "up")
            ends = ("name", f"port{number}", "type", "veth", "peer", "name", "eth0", "netns", there)
            self._at(self.hub, "link", "add", *ends)
            self._at(self.hub, "link", "set", f"port{number}", "master", "switch", "up")
            self._at(there, "addr", "add", f"{machine_address(number)}/24", "dev", "eth0")
            self._at(there, "link", "set", "eth0", "up")

    def _at(self, namespace: str, *words: str) -> None:
        _ip("-n", namespace, *words)

    def pull(self, number: int) -> None:
        """The cable of a machine comes out."""
        self._at(self.hub, "link", "set", f"port{number}", "down")

    def plug(self, number: int) -> None:
        self._at(self.hub, "link", "set", f"port{number}", "up")

    def _gone(self) -> None:
        for name in (*map(self.machine, range(1, self.machines + 1)), self.hub):
            if (NAMED / name).exists():
                _ip("netns", "del", name)


@contextmanager
def network(machines: int) -> Iterator[Network]:
    """So many machines at a switch, as long as the block lasts."""
    if os.geteuid() != 0:
        raise NoNamespaces("only root makes network namespaces")
    if shutil.which("ip") is None:
        raise NoNamespaces("there is no ip (iproute2)")
    made = Network(f"croupier{os.getpid()}", machines)
    try:
        made._made()
        yield made
    finally:
        made._gone()


@contextmanager
def inside(namespace: str) -> Iterator[None]:
    """Let this thread be in a namespace; what it starts meanwhile is there, and stays there."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(OWN, "rb") as before, open(NAMED / namespace, "rb") as there:
        _enter(libc, there.fileno())
        try:
            yield
        finally:
            _enter(libc, before.fileno())


def _enter(libc: ctypes.CDLL, descriptor: int) -> None:
    if libc.setns(descriptor, CLONE_NEWNET):
        raise NoNamespaces(f"setns: {os.strerror(ctypes.get_errno())}")
