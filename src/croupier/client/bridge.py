"""Bridges between devices on a serial line and the house: a card-reading shoe, a note acceptor, a printer of vouchers.

    python -m croupier.client.bridge pair  ADDRESS SECRET CODE          the device's secret into the file SECRET
    python -m croupier.client.bridge shoe  ADDRESS SECRET /dev/ttyS0
    python -m croupier.client.bridge notes ADDRESS SECRET /dev/ttyS1
    python -m croupier.client.bridge print ADDRESS NUMBER /dev/usb/lp0  a voucher on an ESC/POS printer

Theory of operation.  Both directions are lines of text that end in a line feed and carry, after a `*`, the exclusive or
of all bytes before it as two hexadecimal digits.  A device says `HELLO` and something by chance when its power comes
on; then `1 10h`, `2 Kc`, … for cards, or `1 2000` for a note of 20 dollars that is in the stacker; and `3 DOOR words`
when its door was opened, `4 FAULT words` when something in it fails, which a person of the house then acknowledges.
The bridge answers `OK 1` when the house has it, durable, or `NO 1 reason` when the house refuses it; `WHAT` when a line
was spoiled on its way, or when nobody knows whether the house has it.  A device repeats a line until it is answered.
The command id is made of the device's secret, its chance and the number of the line: so what is repeated, to this
bridge or to another one after it was killed, counts once.
"""

from __future__ import annotations

import argparse
import hmac
import os
import termios
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from operator import xor
from pathlib import Path
from typing import BinaryIO, Final

from croupier.client.asking import NOT_UNDERSTOOD, Client
from croupier.client.calls import HouseRefused, card, device_enter, device_event, notes, pair, voucher_bytes

SPEED: Final = termios.B9600
LONGEST: Final = 80
CHECKED: Final = len("*00\n")
UNKNOWN: Final = frozenset({NOT_UNDERSTOOD, 429, *range(500, 600)})
"""Whether the house has it is not known, or it takes nothing now: the device says it again, and it counts once."""

Take = Callable[[str, str], None]
"""Have the house take what a device said, under a command id."""


def framed(text: str) -> bytes:
    """A line with its check."""
    return f"{text}*{reduce(xor, text.encode('ascii', 'replace'), 0):02X}\n".encode("ascii", "replace")


def unframed(line: bytes) -> str | None:
    """What a line says; nothing if it was spoiled."""
    text, star, check = line.rstrip(b"\r\n").rpartition(b"*")
    if not star or len(line) > LONGEST or not text.isascii():
        return None
    return text.decode() if check.upper() == f"{reduce(xor, text, 0):02X}".encode() else None


@dataclass(slots=True)
class Bridge:
    """What stands between a line and the house; it remembers nothing but the chance of the device's last start."""

    secret: str
    take: Take
    chance: str = ""

    def answer(self, line: bytes) -> bytes:
        """What the device is told about a line."""
        text = unframed(line)
        if text is None:
            return framed("WHAT")
        first, _, rest = text.partition(" ")
        if first == "HELLO" and rest:
            self.chance = rest
            return framed("OK HELLO")
        if not first.isdecimal() or not self.chance:
            return framed("WHAT")
        try:
            self.take(rest, self.command(int(first)))
        except HouseRefused as error:
            if error.status in UNKNOWN:
                return framed("WHAT")
            return framed(f"NO {first} {' '.join(str(error).split())}"[: LONGEST - CHECKED])
        except ValueError:
            return framed(f"NO {first} not understood")
        return framed(f"OK {first}")

    def command(self, number: int) -> str:
        """The id of what the device said as its line `number` since its power came on."""
        return hmac.new(self.secret.encode(), f"{self.chance} {number}".encode(), sha256).hexdigest()[:32]

    def run(self, line: BinaryIO) -> None:
        """Answer a device until its line ends."""
        while said := line.readline(LONGEST + 2):
            line.write(self.answer(said))
            line.flush()


def happened(house: Client, secret: str, said: str, command: str, *, fault: str) -> bool:
    """Whether a device spoke of its door or of a fault, which is then told to the house."""
    word, _, rest = said.partition(" ")
    kind = {"DOOR": "door", "FAULT": fault}.get(word, "")
    if kind:
        house.ask(device_event(secret, kind, rest, id=command))
    return bool(kind)


def shoe(house: Client, secret: str) -> Bridge:
    """A shoe tells cards, with a ticket that is fetched anew when it has ended."""

    def take(said: str, command: str) -> None:
        if happened(house, secret, said, command, fault="device"):
            return
        for again in (True, False):
            ticket = house.ask(device_enter(secret))
            try:
                house.ask(card(ticket.table, ticket.ticket, said, id=command))
                return
            except HouseRefused as error:
                if error.status != 403 or not again:
                    raise

    return Bridge(secret, take)


def acceptor(house: Client, secret: str) -> Bridge:
    def take(said: str, command: str) -> None:
        if happened(house, secret, said, command, fault="note_acceptor"):
            return
        house.ask(notes(secret, (int(said),), id=command))

    return Bridge(secret, take)


def opened(path: str) -> BinaryIO:
    """A serial line of eight bits without parity, which passes bytes on as they are."""
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
    if os.isatty(descriptor):
        _, _, _, _, _, _, codes = termios.tcgetattr(descriptor)
        control = termios.CS8 | termios.CREAD | termios.CLOCAL
        termios.tcsetattr(descriptor, termios.TCSANOW, [0, 0, control, 0, SPEED, SPEED, codes])
    return os.fdopen(descriptor, "r+b", buffering=0)


def main() -> None:
    words = argparse.ArgumentParser(description="A bridge between a device and the house.")
    words.add_argument("what", choices=("pair", "shoe", "notes", "print"))
    words.add_argument("address")
    words.add_argument("secret", help="the file of the device's secret; for print, the number of the voucher")
    words.add_argument("line", help="the serial line; for pair, the code")
    words.add_argument("--trust", default="", help="the certificate of a house that signs its own")
    given = words.parse_args()
    with Client(given.address, trust=given.trust, patience=3600) as house:
        if given.what == "pair":
            with open(os.open(given.secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(house.ask(pair(given.line)).secret)
        elif given.what == "print":
            Path(given.line).write_bytes(house.ask(voucher_bytes(given.secret)))
        else:
            secret = Path(given.secret).read_text("ascii").strip()
            made = shoe(house, secret) if given.what == "shoe" else acceptor(house, secret)
            with opened(given.line) as line:
                made.run(line)


if __name__ == "__main__":
    main()
