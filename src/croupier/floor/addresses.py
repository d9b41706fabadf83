"""Addresses: the names this house is asked under, whose pages may ask, and how an address that asks is counted."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
MOST_ADDRESSES: Final = 10_000
NETWORK_BITS: Final = 64
"""Of an IPv6 address, whoever has one has all that share these."""


@dataclass(frozen=True, slots=True)
class Origins:
    """The names of this house: those it may be asked under (none: any), and other sites whose pages may ask."""

    names: frozenset[str] = frozenset()
    extra: frozenset[str] = frozenset()

    def known(self, host: str) -> bool:
        return not self.names or _name(host) in self.names

    def may_ask(self, origin: str, host: str, *, secure: bool = False) -> bool:
        """Whether a page of there may ask here; `secure`: what is asked came by https, as its page must have."""
        if origin in self.extra:
            return True
        parts = urlsplit(origin)
        return parts.scheme in (("https",) if secure else ("http", "https")) and parts.netloc == host


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def origins_of(host: str, extra: tuple[str, ...]) -> Origins:
    """What a house that listens at `host` is called."""
    others = frozenset(_name(urlsplit(each).netloc) for each in extra)
    if is_loopback(host):
        return Origins(LOOPBACK | others | {host}, frozenset(extra))
    # A house that listens everywhere knows its names only if somebody said them.
    return Origins(others | {host} if others else frozenset(), frozenset(extra))


def _name(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def neighbourhood(address: str) -> str:
    """The address as it is counted."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return str(IPv6Address(int(known) >> NETWORK_BITS << NETWORK_BITS))
    return address
