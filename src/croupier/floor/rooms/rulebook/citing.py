"""Where each rule lives: the lines of code that cite it, and the cases that carry it out.

Theory of operation.  Code cites a rule by making a `Law` of it.  When this module is run as a program, in a process of
its own, it notes for every law that is made the line that made it, and only then imports the rooms that make them.  So
the lines are those that ran, also where a number is put together from parts; nothing is guessed from the text.

`python -m croupier.floor.rooms.rulebook.citing` prints all of it as JSON; `find` runs that and reads it, once.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

import croupier
from croupier.law import model

ROOT: Final = os.path.dirname(os.path.abspath(croupier.__file__))
PATIENCE_S: Final = 120.0
NICE: Final = 5


@dataclass(frozen=True, slots=True)
class Places:
    """A rule's lines (`games/craps/editions.py:57`), what is called there (`craps nz1996/craps odds`), its cases."""

    lines: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


class NotFound(Exception):
    """The code could not be looked through: the reason, in one line."""


async def find() -> Mapping[str, Places]:
    """Every rule with its places, found by a process beside this one."""
    command = (sys.executable, "-m", "croupier.floor.rooms.rulebook.citing")
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            out, _ = await process.communicate()
    except TimeoutError:
        raise NotFound(f"the code could not be looked through in {PATIENCE_S:g} seconds") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise NotFound("the code could not be looked through")
    places = await asyncio.to_thread(json.loads, out)
    return {rule: Places(*map(tuple, found)) for rule, found in places.items()}


# ---------------------------------------------------------------- in the process beside


def _note_lines() -> dict[str, dict[str, None]]:
    """From now on, every law that is made is noted with the line that made it."""
    found: dict[str, dict[str, None]] = {}
    # The first law that is made has the function written which makes them.
    model.Law(None, ())
    plain = model.Law.__init__

    def noting(self: Any, value: object, rules: tuple[str, ...]) -> None:
        plain(self, value, rules)
        place = _place(sys._getframe(1))
        for rule in rules:
            found.setdefault(rule, {})[place] = None

    model.Law.__init__ = noting  # type: ignore[method-assign]
    return found


def _place(frame: FrameType | None) -> str:
    """The nearest line of the package outside the model itself."""
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(ROOT) and path != model.__file__:
            return f"{os.path.relpath(path, ROOT)}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def _citations() -> dict[str, list[list[str]]]:
    lines = _note_lines()
    # Only now: these rooms make their laws while they are imported.
    from croupier.law.inventory import all_rules
    from croupier.survey import coverage

    named = coverage.cited()
    tested = {rule: [case.name for case in cases] for rule, cases in coverage.tested().items()}
    by_row: dict[str, dict[str, None]] = {}
    for rule, places in lines.items():
        for row in coverage.rows(rule):
            by_row.setdefault(row, {}).update(places)
    return {
        rule.id: [list(by_row.get(rule.id, ())), list(named.get(rule.id, ())), tested.get(rule.id, [])]
        for rule in all_rules()
    }


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICE)
    print(json.dumps(_citations()))


if __name__ == "__main__":
    main()
