"""Running cases: every step is done at the door, and everything that must be seen is looked for in what was answered.

`carried` is what a run leaves: for each case its steps with the answers that the product gave, and for each answer the
rules it shows.  A rule is carried out by a case if it stands in its head and something seen shows it: by citing it, by
`shows`, or because the case is about that rule alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from tests.law.matrix.answers import Answer, found, near
from tests.law.matrix.hearing_door import Hearing
from tests.law.matrix.house_doors import ROOMS
from tests.law.matrix.kinds import check
from tests.law.matrix.language import BadCase, Case, Law, Seen, Step, names, read_folder
from tests.law.matrix.law_door import Governed
from tests.law.matrix.odds_door import Sheets
from tests.law.matrix.table_door import Live

CASES: Final = Path(__file__).parents[1] / "cases"


class World(Protocol):
    """A door, opened for one case."""

    def do(self, step: Step, /) -> list[Answer]: ...

    def look(self, seen: Seen, /) -> list[Answer]: ...


OPEN: Final[Mapping[str, Callable[[Law], World]]] = {
    "adjudicate": Hearing,
    "table": Live,
    "page": Live,
    "odds": Sheets,
    "law": Governed,
    **ROOMS,
}


def observer() -> Callable[[str], list[list[tuple[str, ...]]]]:
    """Plays a case by its name: what it is answered at each of its steps, under each of its laws."""
    named = names(read_folder(CASES))
    return lambda name: [[step.answers for step in run(named[name], law)] for law in named[name].laws]


@dataclass(frozen=True, slots=True)
class StepRun:
    """A step as it went: what was done, and the answers that had to be seen."""

    done: str
    answers: tuple[str, ...]


def run(case: Case, law: Law) -> tuple[StepRun, ...]:
    """The case under one law, or `BadCase` with the line at which it did not go as it says."""
    return tuple(_tried(step, world) for world in [OPEN[case.door](law)] for step in case.steps)


def _tried(step: Step, world: World) -> StepRun:
    try:
        answers = world.do(step)
    except (ValueError, KeyError, AssertionError) as error:
        raise BadCase(step.place, f"{step.text}: {error}") from error
    refused = next((answer for answer in answers if answer.kind in ("refused", "unreadable")), None)
    if refused is not None and not any(seen.words[:1] in (("refused",), ("unreadable",)) for seen in step.seen):
        raise BadCase(step.place, f"{step.text}: {refused}")
    return StepRun(step.text, tuple(_looked(step, seen, [*answers, *world.look(seen)]) for seen in step.seen))


def _looked(step: Step, seen: Seen, answers: list[Answer]) -> str:
    try:
        check(seen)
    except ValueError as error:
        raise BadCase(step.place, str(error)) from error
    answer = found(seen, answers)
    if seen.absent and answer is not None:
        raise BadCase(step.place, f"{seen.text!r} was expected after {step.text!r}, but there was {answer}")
    if not seen.absent and answer is None:
        raise BadCase(
            step.place, f"{seen.text!r} was expected after {step.text!r}, but there was {near(seen, answers)}"
        )
    return seen.text if answer is None else str(answer)
