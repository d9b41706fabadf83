"""The training room's doors: lessons by address, answers judged, a score, and what the odds engine would have done.

A lesson is (game, edition, version, seed), so nothing is kept here but the last lessons that somebody asked for; every
answer follows from the query alone. Whoever has a right answer has it from the rules (`house/training/lesson.py`).
What a player should choose is told here and in no other room (I-4.1), and only after the answer.

    GET /api/training/choices  {"games": {game: {edition: [version, …]}}, "length", "most_seed"}
    GET /api/training/lesson   {"game", "edition", "version", "seed", "questions": [{"number", "kind", "asks", "tells",
                                "log", "options", "round", "layout", "wagers": [{"by", "on", "stake", "box"}]}]}
    GET /api/training/judge    {"is_right", "right", "rule", "summary", "why", "advisable"}   question, answer
    GET /api/training/score    {"right", "answered", "kinds": {…}, "rules": [{"rule", "summary", "right", "answered"}]}
    GET /api/training/advice   {"option", "says"}   question
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from starlette.responses import Response

from croupier.floor.doors.common import HEADERS, answer
from croupier.floor.doors.door import WORD, Asked, Door, Parameter, whole
from croupier.floor.rooms.lab import answers as s
from croupier.floor.rooms.lab.doors import EDITION, GAME, lab_of
from croupier.floor.rooms.lab.reckoner import Reckoner
from croupier.floor.rooms.training import advice
from croupier.floor.views.viewer import layout
from croupier.games import GAMES
from croupier.house.training import lesson as training
from croupier.house.training.lesson import Lesson, Question
from croupier.house.training.words import plain
from croupier.law import inventory
from croupier.rulesets import ruleset
from croupier.table.state import Table

KEPT: Final = 48
"""Lessons that are kept; any other is made again in a moment."""
SHOWN: Final = ("cards", "boxes", "dice", "number", "symbol", "point", "puck", "shooter", "void")
"""What is shown of a layout: what lies there, and nothing that the trainee is to work out."""
NOT_ANSWERED: Final = "-"


async def choices(_: Asked[None]) -> Response:
    return answer(_choices())


async def lesson(asked: Asked[None]) -> Response:
    return await _read(asked, _lesson)


async def judge(asked: Asked[None]) -> Response:
    return await _read(asked, _judged)


async def score(asked: Asked[None]) -> Response:
    return await _read(asked, _scored)


async def best(asked: Asked[None]) -> Response:
    """What the odds engines of the lab would choose."""
    lab = lab_of(asked.house)
    return answer(await _best(lab.reckoner, await lab.reader.do(_wanted, asked.query)))


async def _read(asked: Asked[None], work: Callable[[Mapping[str, str]], dict[str, Any]]) -> Response:
    """The answer, made by a process beside the tables."""
    given = asked.query
    question = (work.__name__, *sorted(given.items()))
    body = await lab_of(asked.house).reader.ask(question, _encoded, work, given)
    return Response(body, headers=dict(HEADERS), media_type="application/json")


def _encoded(work: Callable[[Mapping[str, str]], dict[str, Any]], given: Mapping[str, str]) -> bytes:
    return msgspec.json.encode(work(given))


# ---------------------------------------------------------------- what was asked for


def _choices() -> dict[str, Any]:
    games = {
        name: {edition: list(versions) for edition, versions in game.editions.items()} for name, game in GAMES.items()
    }
    return {"games": games, "length": training.LENGTH, "most_seed": training.MOST_SEED}


def _asked(given: Mapping[str, str]) -> Lesson:
    """The lesson that a query names; the first game and edition, and the first lesson, where it names none."""
    game = given.get("game") or next(iter(GAMES))
    if game not in GAMES:
        raise ValueError(f"unknown game {game!r:.60}; known are {', '.join(GAMES)}")
    edition = given.get("edition") or next(iter(GAMES[game].editions))
    return _made(game, edition, given.get("version", ""), _number(given, "seed", 1, training.MOST_SEED))


@lru_cache(maxsize=KEPT)
def _made(game: str, edition: str, version: str, seed: int) -> Lesson:
    return training.lesson(ruleset(edition, game=game, version=version), seed)


def _number(given: Mapping[str, str], name: str, usual: int, most: int) -> int:
    text = given.get(name) or str(usual)
    if not text.isascii() or not text.isdigit() or len(text) > 12 or int(text) > most:
        raise ValueError(f"{name}: a whole number from 0 to {most}, not {text!r:.40}")
    return int(text)


def _question(given: Mapping[str, str]) -> Question:
    questions = _asked(given).questions
    return questions[_number(given, "question", 0, len(questions) - 1)]


# ---------------------------------------------------------------- what is told


def _lesson(given: Mapping[str, str]) -> dict[str, Any]:
    lesson = _asked(given)
    rules = lesson.ruleset
    return {
        "game": rules.game,
        "edition": rules.edition,
        "version": rules.version,
        "seed": lesson.seed,
        "questions": [_shown(question) for question in lesson.questions],
    }


def _shown(question: Question) -> dict[str, Any]:
    table = question.table
    return {
        "number": question.number,
        "kind": question.kind,
        "asks": training.ASKS[question.kind],
        "tells": question.tells,
        "log": list(question.log),
        "options": list(question.options),
        "round": table.number,
        "layout": {name: value for name, value in layout(table, hidden=True).items() if name in SHOWN},
        "wagers": _wagers(table),
    }


def _wagers(table: Table) -> list[dict[str, Any]]:
    wagers = [entry.wager for entry in table.round.book]
    return [
        {"by": each.by, "on": each.on, "stake": each.stake_cents + each.voided_cents, "box": each.box}
        for each in wagers
    ]


def _judged(given: Mapping[str, str]) -> dict[str, Any]:
    question = _question(given)
    judged = training.judge(question, _number(given, "answer", 0, len(question.options) - 1))
    return {
        "is_right": judged.is_right,
        "right": judged.right,
        "rule": judged.rule,
        "summary": _summary(judged.rule),
        "why": plain(judged.why),
        "advisable": advice.is_advisable(question),
    }


def _summary(rule: str) -> str:
    return " ".join(row.summary for row in inventory.parts(rule))


def _scored(given: Mapping[str, str]) -> dict[str, Any]:
    """The score of the answers `2,0,-,1`, a dash being none."""
    lesson = _asked(given)
    answers = [_option(text) for text in given.get("answers", "").split(",") if text]
    if len(answers) > len(lesson.questions):
        raise ValueError(f"{len(answers)} answers to {len(lesson.questions)} questions")
    score = training.score(lesson, answers)
    weakest = sorted(score.by_rule.items(), key=lambda each: (each[1][0] - each[1][1], each[0]))
    return {
        "right": score.right,
        "answered": score.answered,
        "kinds": {kind: {"right": right, "answered": asked} for kind, (right, asked) in score.by_kind.items()},
        "rules": [
            {"rule": rule, "summary": _summary(rule), "right": right, "answered": asked}
            for rule, (right, asked) in weakest
        ],
    }


def _option(text: str) -> int | None:
    if text == NOT_ANSWERED:
        return None
    return _number({"answers": text}, "answers", 0, training.OPTIONS)


# ---------------------------------------------------------------- advice


def _wanted(given: Mapping[str, str]) -> tuple[advice.Wanted, tuple[str, str, str]]:
    """What of the odds engine a question asks for; nothing where no player's choice is due."""
    question = _question(given)
    wanted = advice.wanted(question)
    if wanted is None:
        raise ValueError(f"question {question.number}: no player has a choice here that the odds engine knows")
    rules = question.table.ruleset
    return wanted, (rules.hash, rules.edition, rules.version)


async def _best(reckoner: Reckoner, asked: tuple[advice.Wanted, tuple[str, str, str]]) -> dict[str, str]:
    """What the odds engine would choose."""
    wanted, (mark, edition, version) = asked
    if isinstance(wanted, advice.ChartLine):
        chart = await reckoner.ask(("training chart", mark), advice.chart, edition, version)
        return advice.by_chart(wanted, msgspec.json.decode(chart))
    hand = (edition, version, wanted.hand, wanted.up)
    choice: dict[str, str] = msgspec.json.decode(await reckoner.ask(("training stud", *hand), advice.stud, *hand))
    return choice


LESSON: Final = (
    Parameter("game", "The game; the first, if none is named.", GAME),
    Parameter("edition", "The edition; the first that knows the game, if none is named.", EDITION),
    Parameter("version", "The version of the game.", WORD),
    Parameter("seed", "The number of the lesson.", whole(training.MOST_SEED, 0)),
)
QUESTION: Final = Parameter("question", "The number of the question.", whole(training.LENGTH - 1, 0))
ANSWER: Final = Parameter("answer", "The number of the option.", whole(training.OPTIONS, 0))
ANSWERS: Final = Parameter("answers", "The options answered, like 2,0,-,1; a dash is no answer.", WORD)

DOORS: Final = (
    Door("GET /api/training/choices", choices, "training", "What lessons there are.", s.TrainingChoices),
    Door(
        "GET /api/training/lesson",
        lesson,
        "training",
        "A lesson by its number.",
        s.TrainingLesson,
        parameters=LESSON,
        ends=(422, 429, 503),
    ),
    Door(
        "GET /api/training/judge",
        judge,
        "training",
        "Whether an answer is right, and why.",
        s.TrainingJudged,
        parameters=(*LESSON, QUESTION, ANSWER),
        ends=(422, 429, 503),
    ),
    Door(
        "GET /api/training/score",
        score,
        "training",
        "The score of a lesson.",
        s.TrainingScore,
        parameters=(*LESSON, ANSWERS),
        ends=(422, 429, 503),
    ),
    Door(
        "GET /api/training/advice",
        best,
        "training",
        "What the odds engine would choose, where a player has a choice on the cards.",
        s.TrainingAdvice,
        parameters=(*LESSON, QUESTION),
        ends=(422, 503),
    ),
)
