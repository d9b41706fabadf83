"""The voucher for a thermal printer that speaks ESC/POS: the same words and barcode as on the page.

Theory of operation.  ESC/POS is bytes: ESC and GS begin commands, all else is printed.  The barcode is sent as a
picture of dots (GS v 0), two dots a module, so that every printer draws the bars that `barcode.py` reckons, whatever
its own idea of Code 128 is.  The commands used here are the few that printers of this family share.
"""

from __future__ import annotations

from typing import Final

from croupier.floor.rooms.cage.barcode import bars, modules
from croupier.floor.rooms.cage.paper import fingerprint, when
from croupier.floor.store.heads import Head
from croupier.house.cage.codes import grouped, in_words
from croupier.house.cage.messages import Issued
from croupier.house.cage.state import NAME
from croupier.money import balance

BEGIN, CUT = b"\x1b@", b"\x1dV\x42\x00"
CENTRED, LEFT = b"\x1ba\x01", b"\x1ba\x00"
LARGE, PLAIN = b"\x1d!\x11", b"\x1d!\x00"
DOTS: Final = 2
HEIGHT: Final = 96


def voucher_escpos(code: str, issued: Issued, *, expires_ms: int, head: Head | None) -> bytes:
    """The bytes of a voucher."""
    place = "the cage" if issued.table == NAME else f"{issued.table}, {issued.terminal or 'no terminal'}"
    rows = (
        f"Issued by      {place}",
        f"Issued         {when(issued.at_ms)}",
        f"Journal line   {issued.line:,}",
        f"Payable until  {when(expires_ms) if expires_ms else 'no end'}",
    )
    practice = (CENTRED, LARGE, _text("PRACTICE: NOT MONEY"), PLAIN) if issued.practice else ()
    return b"".join(
        (
            BEGIN,
            *practice,
            CENTRED,
            _text("PAYMENT VOUCHER"),
            LARGE,
            _text(balance(issued.amount)),
            PLAIN,
            _text(in_words(issued.amount)),
            LEFT,
            *map(_text, rows),
            CENTRED,
            raster(code),
            _text(grouped(code)),
            _text("Paid once, at the cage (NZEB-10.6)"),
            _text(fingerprint(head) if head else "not signed yet"),
            b"\n" * 3,
            CUT,
        )
    )


def _text(words: str) -> bytes:
    """A line; what is not in the printer's alphabet becomes a question mark, and no byte of it is a command."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in words)
    return plain.encode("ascii", "replace") + b"\n"


def raster(figures: str) -> bytes:
    """The barcode as a picture: eight dots a byte, the same row over and over."""
    wide = (modules(figures) * DOTS + 7) // 8
    row = bytearray(wide)
    for at, width in bars(figures):
        for dot in range(at * DOTS, (at + width) * DOTS):
            row[dot // 8] |= 0x80 >> dot % 8
    return b"\x1dv0\x00" + wide.to_bytes(2, "little") + HEIGHT.to_bytes(2, "little") + bytes(row) * HEIGHT + b"\n"
