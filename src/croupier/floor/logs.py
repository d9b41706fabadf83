"""The log of a server: one line for each thing that happened, plain for people or JSON for machines.

A line says when, how grave, who says it and what; what belongs to it (a table, an address, a duration) is given apart,
as `extra`.  No line has a secret, a ticket, or the name of a player.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


def extras(record: logging.LogRecord) -> dict[str, object]:
    """What belongs to a line beside its words."""
    return {name: value for name, value in vars(record).items() if name not in _USUAL}


class Plain(logging.Formatter):
    """`2026-11-16T04:00:00.000Z warning floor.leases: EB-1: … table=EB-1`"""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={value}" for name, value in extras(record).items())
        where = record.name.removeprefix("croupier.")
        line = f"{_when(record)} {record.levelname.lower()} {where}: {record.getMessage()}"
        return self._with_error(f"{line}  {fields}" if fields else line, record)

    def _with_error(self, line: str, record: logging.LogRecord) -> str:
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": _when(record),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
            **extras(record),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def _when(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def start_log(how: Literal["plain", "json"], level: int = logging.INFO) -> None:
    """Send all log lines of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if how == "json" else Plain())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("croupier").setLevel(level)
