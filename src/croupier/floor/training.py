"""The training room's doors: lessons by address, answers judged, a score, and what the odds engine would have done.

A lesson is (game, edition, version, seed), so nothing is kept here but the last lessons that somebody asked for; every
answer follows from the query alone.  Whoever has a right answer has it from the rules (`house/training.py`).  What a
player should choose is told here and in no other room (I-4.1), and only after the answer.

    GET /api/training/choices  {"games": {game: {edition: [version, …]}}, "length", "most_seed"}
    GET /api/training/lesson   {"game", "edition", "version", "seed", "questions": [{"number", "kind", "asks", "tells",
                                "log", "options", "round", "layout", "wagers": [{"by", "on", "stake", "box"}]}]}
    GET /api/training/judge    {"is_right", "right", "rule", "summary", "why", "advisable"}   question, answer
    GET /api/training/score    {"right", "answered", "kinds": {…}, "rules": [{"rule", "summary", "right", "answered"}]}
    GET /api/training/advice   {"option", "says"}   question
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response

from croupier.floor import training_advice as advice
from croupier.floor.doors import answer, no
from croupier.floor.house import House
from croupier.floor.reckoner import Busy, Reckoner
from croupier.floor.views import layout
from croupier.games import GAMES
from croupier.house import training
from croupier.house.training import Lesson, Question
from croupier.house.training_words import plain
from croupier.law import inventory
from croupier.law.model import NotPermitted
from croupier.rulesets import ruleset
from croupier.table.state import Table

KEPT: Final = 48
"""Lessons that are kept; any other is made again in a moment."""
SHOWN: Final = ("cards", "boxes", "dice", "number", "symbol", "point", "puck", "shooter", "void")
"""What is shown of a layout: what lies there, and nothing that the trainee is to work out."""
NOT_ANSWERED: Final = "-"


def routes(app: FastAPI, _: House) -> None:
    @app.get("/api/training/choices")
    async def choices() -> Response:
        return answer(_choices())

    @app.get("/api/training/lesson")
    async def lesson(request: Request) -> Response:
        return await _told(request, lambda given: _lesson(_asked(given)))

    @app.get("/api/training/judge")
    async def judge(request: Request) -> Response:
        return await _told(request, _judged)

    @app.get("/api/training/score")
    async def score(request: Request) -> Response:
        return await _told(request, _scored)

    @app.get("/api/training/advice")
    async def best(request: Request) -> Response:
        try:
            question = await asyncio.to_thread(_question, dict(request.query_params))
            return answer(await _best(_reckoner(app), question))
        except ValueError as error:
            return no(str(error), 422)
        except Busy as error:
            return no(str(error), 503)


def _reckoner(app: FastAPI) -> Reckoner:
    """The worker of the odds lab, which knows the same engines."""
    lab = getattr(app.state, "lab", None)
    if lab is None:
        raise Busy("there is no odds lab in this house")
    reckoner: Reckoner = lab.reckoner
    return reckoner


async def _told(request: Request, work: Any) -> Response:
    """The answer, made beside the tables; or why there is none, in one line."""
    try:
        return answer(await asyncio.to_thread(work, dict(request.query_params)))
    except NotPermitted as error:
        return answer({"reason": error.reason, "rule": error.rule or None}, 422)
    except ValueError as error:
        return no(str(error), 422)


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


def _lesson(lesson: Lesson) -> dict[str, Any]:
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


async def _best(reckoner: Reckoner, question: Question) -> dict[str, str]:
    """What the odds engine would choose; nothing where no player's choice is due."""
    wanted = advice.wanted(question)
    if wanted is None:
        raise ValueError(f"question {question.number}: no player has a choice here that the odds engine knows")
    if isinstance(wanted, advice.ChartLine):
        name = question.table.ruleset
        chart = await reckoner.ask(("training chart", name.hash), advice.chart, name.edition, name.version)
        return advice.by_chart(wanted, msgspec.json.decode(chart))
    asked = (question.table.ruleset.edition, question.table.ruleset.version, wanted.hand, wanted.up)
    told: dict[str, str] = msgspec.json.decode(await reckoner.ask(("training stud", *asked), advice.stud, *asked))
    return told
