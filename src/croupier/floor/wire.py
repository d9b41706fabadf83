"""Everything that travels between the server and a page, on one page.

Both directions are closed, tagged unions of JSON objects (`type` is the tag).  A page says who it is once, with the
ticket that the lobby gave it; then it asks for commands, each with an id it made itself (128 bits as 32 hexadecimal
digits), and receives the answer to each and a view of the table whenever anything has changed.  A command repeated with
the same id has one effect and the same answer, so a page that lost its connection simply asks again.

A view is all that its viewer may see, and never more: players see their own wagers and chips, staff see everybody's.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from croupier.floor.views.board import BoardView
from croupier.floor.views.shapes import TableView
from croupier.table.commands import AnyCommand


class Message(msgspec.Struct, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """The base of all messages."""


# ---------------------------------------------------------------- from a page


class Hello(Message, frozen=True):
    """Who is there: the ticket from the lobby, and the last line of the journal that this page has seen."""

    ticket: str
    seen: int = 0


class Do(Message, frozen=True):
    """A command of the table, under an id that the page made; `round` is the one that the page meant, 0 if any."""

    id: str
    command: AnyCommand
    round: int = 0


class Ping(Message, frozen=True):
    at: int = 0


FromPage: TypeAlias = Hello | Do | Ping


# ---------------------------------------------------------------- to a page


class View(Message, frozen=True, omit_defaults=True):
    """The table as this viewer may see it after line `line`; `view` is all that `floor/views/shapes.py` says."""

    line: int
    view: TableView


class Answer(Message, frozen=True, omit_defaults=True):
    """What became of a command: done with line `line` of the journal, or refused with a reason and a rule.

    `on` is the wager or the choice that was refused, by its key, where the reason is about one and does not name it.
    `voucher` is the number of the voucher that it issued, told to whoever asked for it.
    """

    id: str
    done: bool
    line: int
    reason: str = ""
    rule: str = ""
    voucher: str = ""
    on: str = ""


class Pong(Message, frozen=True):
    at: int


class Sorry(Message, frozen=True):
    """A message that could not be taken, in one line; the connection ends if `end` says so."""

    reason: str
    end: bool = False


class BoardShown(Message, frozen=True, omit_defaults=True):
    """The table as everybody in the room may see it after line `line`."""

    line: int
    view: BoardView


ToPage: TypeAlias = View | BoardShown | Answer | Pong | Sorry

_READ: msgspec.json.Decoder[FromPage] = msgspec.json.Decoder(FromPage)
_WRITE = msgspec.json.Encoder()


class BadMessage(ValueError):
    """A message that is none of these, in one line."""


def read(text: str | bytes) -> FromPage:
    try:
        return _READ.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadMessage(f"not a message of this table: {error}") from error
    except RecursionError:
        raise BadMessage("not a message of this table: it is nested too deeply") from None


def write(message: ToPage) -> bytes:
    return _WRITE.encode(message)
