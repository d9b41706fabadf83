"""Every operation of the house, described: what it is for, what it takes, what it answers.

One entry for each operation of the permission table (`permissions.DOORS`), under the same name; `openapi.py` makes
`/openapi.json` of it.  Whoever adds a door adds its entry here, with a type for its answer in `answers.py`: a test
fails until both are there, and another holds real answers of every door against what is written here.

`ends` are the statuses with a reason that the door itself may answer.  403 comes with every door, 413 with whatever may
send a body and 422 with whatever takes one, so they are not repeated.
"""

from __future__ import annotations

from typing import Any, Final

from croupier.floor import answers as a
from croupier.floor import cage_answers as c
from croupier.floor import (
    cage_desk,
    contests,
    device_doors,
    entrance,
    inspecting,
    lab,
    links,
    metrics,
    peers,
    studies,
    supervising,
    tables,
    wire,
)
from croupier.floor import contest_answers as t
from croupier.floor import links_answers as k
from croupier.floor import study_answers as s
from croupier.floor.openapi import Described, Line, Media, Operation, Parameter, Schema
from croupier.games import GAMES
from croupier.house import training as training_room
from croupier.law.editions import EDITIONS
from croupier.simulation import MOST_SEED

WORD: Final[Schema] = {"type": "string", "maxLength": studies.LONGEST}
TEXT: Final[Schema] = {"type": "string"}
HTML: Final = Media(("text/html",))
GAME: Final[Schema] = {"type": "string", "enum": list(GAMES)}
EDITION: Final[Schema] = {"type": "string", "enum": list(EDITIONS)}

TABLE: Final = Parameter("name", "The table.", TEXT, "path")
RULE: Final = Parameter("rule", "The id of a rule, like NZD5-8.4.", TEXT, "path")
ROUND: Final = Parameter("number", "The number of a round.", {"type": "integer"}, "path")
CODE: Final = Parameter("code", "The number of a voucher, in figures; spaces do not matter.", TEXT, "path")
PATH: Final = Parameter("path", "A page, or a file of one.", TEXT, "path")
SHIFT: Final = Parameter("shift", "The number of a shift; 0 is the one in hand, or the last.", {"type": "integer"})
VOUCHER: Final = Parameter("id", "The number of the voucher.", TEXT)

RULES_OF_A_GAME: Final = (
    Parameter("game", "The game.", GAME, required=True),
    Parameter("edition", "The edition; the first that knows the game, if none is named.", EDITION),
    Parameter("version", "The version of the game.", WORD),
    Parameter("decks", "How many decks.", WORD),
    Parameter("ranks", "13 counts of cards, A to K, instead of a whole shoe.", WORD),
    Parameter("pool", "The jackpot's pool, in cents.", WORD),
    Parameter("stake", "The jackpot's stake, in cents.", WORD),
    Parameter("quick", "Leave out what takes seconds, unless it is empty or 0.", WORD),
    Parameter("elect", "An election, NAME or NAME=VALUE; may be repeated.", {"type": "array", "items": WORD}),
    Parameter("reading", "A reading, NAME=VALUE; may be repeated.", {"type": "array", "items": WORD}),
)


def _whole(most: int, least: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def _lab(summary: str, told: Any, *further: Parameter) -> Operation:
    return Operation("lab", summary, told, (*RULES_OF_A_GAME, *further), ends=(422, 503))


HOUSE: Final[Described] = {
    "GET /health": Operation("house", "Whether the house lives.", a.Health),
    "GET /metrics": Operation(
        "house", "What the running house counts, for Prometheus.", Media((metrics.KIND.partition(";")[0],))
    ),
    "GET /openapi.json": Operation("house", "This document.", dict[str, Any]),
    "HEAD /openapi.json": Operation("house", "That this document is there.", None),
    "GET /first": Operation("pages", "The first page: exact odds, computed when it is first asked for.", HTML),
    "GET /icon.svg": Operation("pages", "The sign of the house.", Media(("image/svg+xml",))),
    "GET /{path:path}": Operation(
        "pages",
        "The pages of the house and their files.",
        Media(("text/html", "text/css", "text/javascript", "image/svg+xml")),
        (PATH,),
        ends=(404,),
        paths=("/", "/{path}"),
    ),
}

TABLES: Final[Described] = {
    "GET /api/tables": Operation("tables", "The tables of the house, with their last results.", a.ListedTables),
    "GET /api/rules/{rule}": Operation(
        "tables", "What a rule says, in our own words.", a.SaidRule, (RULE,), ends=(404,)
    ),
    "POST /api/tables/{name}/commands": Operation(
        "tables",
        "Ask a command of a table.",
        wire.Answer,
        (TABLE,),
        tables.Posted,
        ends=(503,),
        says="The same id again has one effect and the same answer; an id is 32 hexadecimal digits.  What the rules "
        "refuse is answered with 200 and `done` false.  The ticket is in the body.",
    ),
    "POST /api/tables/{name}/preview": Operation(
        "tables",
        "What a command would do, or why it would be refused; nothing is recorded.",
        (a.Previewed, a.Unlawful),
        (TABLE,),
        supervising.Asked,
        says="The ticket is in the body.",
    ),
    "GET /api/tables/{name}/rounds/{number}": Operation(
        "tables", "The story of a round.", a.Story, (TABLE, ROUND), ends=(404, 422)
    ),
    "GET /api/tables/{name}/records": Operation(
        "tables", "The last finished rounds, as they can be corrected.", a.PlayedRounds, (TABLE,), ends=(404,)
    ),
    "WS /api/tables/{name}/live": Line(
        "tables",
        "The line of a page at a table.",
        wire.FromPage,
        wire.ToPage,
        (TABLE,),
        "The first message is `Hello` with a ticket; then commands are answered, and a `View` comes whenever anything "
        "has changed.  `Sorry` with `end` ends the line.",
    ),
    "WS /api/peers": Line(
        "house",
        "The line between processes of the house.",
        peers.PassedOn,
        peers.PassedBack,
        says="The first message is text that proves knowledge of the house's secret.",
    ),
}

PEOPLE: Final[Described] = {
    "GET /api/me": Operation("people", "Who is signed in.", (a.SignedIn, a.Nobody)),
    "POST /api/sign-in": Operation("people", "Begin a session.", a.SignedIn, body=entrance.SigningIn, ends=(429, 503)),
    "POST /api/lend": Operation(
        "people",
        "Lend a role for a moment at somebody else's screen.",
        a.Entered,
        body=entrance.Lending,
        ends=(429, 503),
    ),
    "POST /api/sign-out": Operation(
        "people", "End all sessions and tickets of whoever asks.", a.SignedOut, ends=(422, 503)
    ),
    "POST /api/password": Operation(
        "people", "Set another password or PIN.", a.SignedIn, body=entrance.Changing, ends=(429, 503)
    ),
    "POST /api/enter": Operation(
        "people", "Get a ticket for a role, at a table or in the house.", a.Entered, body=tables.Entering, ends=(503,)
    ),
    "GET /api/people": Operation("people", "The people of the house.", a.ListedPeople),
    "POST /api/people": Operation(
        "people", "Add a person, or change an account.", a.PersonChanged, body=entrance.AnyAct, ends=(503,)
    ),
}

DEVICES: Final[Described] = {
    "POST /api/devices/code": Operation(
        "devices",
        "A code with which a terminal or a shoe is paired.",
        a.DeviceCode,
        body=device_doors.Offering,
        ends=(503,),
    ),
    "POST /api/devices/pair": Operation(
        "devices", "Pair a device by its code.", a.DeviceSecret, body=device_doors.Pairing, ends=(429, 503)
    ),
    "POST /api/devices/enter": Operation(
        "devices", "A ticket for a paired device.", a.DeviceTicket, body=device_doors.Entering, ends=(503,)
    ),
    "POST /api/devices/notes": Operation(
        "devices",
        "The notes that the acceptor of a terminal took.",
        wire.Answer,
        body=device_doors.Notes,
        ends=(503,),
        says="The same id again credits once and has the same answer.",
    ),
    "POST /api/tables/{name}/shoe": Operation(
        "devices",
        "A card out of the electronic shoe of a table.",
        wire.Answer,
        (TABLE,),
        device_doors.Drawn,
        ends=(503,),
    ),
}

INSPECTOR: Final[Described] = {
    "POST /api/inspect/verify": Operation(
        "inspector",
        "Verify the whole store as it is now, told table by table as lines of JSON.",
        Media((inspecting.LINES,)),
        ends=(503,),
    ),
    "GET /api/inspect/export": Operation(
        "inspector",
        "The signed export of a table, a file to keep.",
        Media((inspecting.LINES,)),
        (Parameter("table", "The table, or another journal of the house.", TEXT),),
        ends=(404, 503),
    ),
    "GET /api/inspect/reports": Operation("inspector", "What the inspector is told of, newest first.", a.Reports),
}

CAGE: Final[Described] = {
    "GET /api/cage/state": Operation("cage", "Drawer, shift, liability and drop.", c.CageState, ends=(503,)),
    "GET /api/cage/vouchers/{code}": Operation(
        "cage", "A voucher by its number, or that there is none.", (c.VoucherTold, c.NoVoucher), (CODE,), ends=(503,)
    ),
    "GET /api/cage/meters": Operation("cage", "The meters of every terminal and player.", list[c.Meters], ends=(503,)),
    "GET /api/cage/report": Operation("cage", "The report of a shift.", c.ShiftReport, (SHIFT,), ends=(404, 422, 503)),
    "GET /api/cage/report.html": Operation(
        "cage", "The report of a shift, on paper.", HTML, (SHIFT,), ends=(404, 422, 503)
    ),
    "POST /api/cage/commands": Operation(
        "cage",
        "Ask a command of the cage.",
        c.CageAnswer,
        body=cage_desk.Posted,
        ends=(503,),
        says="What a command says about the issue of a voucher or about money taken is read from the journals instead.",
    ),
    "GET /voucher": Operation(
        "cage", "A voucher on paper, for whoever has its number.", HTML, (VOUCHER,), ends=(404, 503)
    ),
}

TOURNAMENT: Final = Parameter("name", "The tournament.", TEXT, "path")
TOURNAMENTS: Final[Described] = {
    "GET /api/tournaments": Operation("tournaments", "The tournaments of the house.", t.ListedContests),
    "GET /api/tournaments/{name}": Operation(
        "tournaments",
        "A tournament: its conditions, what is due, draw, places and prizes.",
        t.ContestTold,
        (TOURNAMENT,),
        ends=(404,),
    ),
    "POST /api/tournaments": Operation(
        "tournaments",
        "Begin a tournament by appointing its director.",
        wire.Answer,
        body=contests.Beginning,
        ends=(404, 503),
        says="The same id again has one effect and the same answer.  In a house with accounts the office of the "
        "director is what the account says.",
    ),
    "POST /api/tournaments/{name}/commands": Operation(
        "tournaments",
        "Ask a command of a tournament.",
        wire.Answer,
        (TOURNAMENT,),
        contests.Posted,
        ends=(404, 503),
        says="The same id again has one effect and the same answer.  Seats and ties are drawn by the house, in the "
        "place of whatever was sent; what the rules refuse is answered with 200 and `done` false.",
    ),
}

LINK: Final = Parameter("name", "The link.", TEXT, "path")
LINKS: Final[Described] = {
    "GET /api/links": Operation(
        "links", "The jackpot links: their pools and books, their tables, who waits, the last payouts.", k.LinkStates
    ),
    "POST /api/links/{name}/commands": Operation(
        "links",
        "Ask a command of a jackpot link.",
        wire.Answer,
        (LINK,),
        links.Posted,
        ends=(404, 503),
        says="The same id again has one effect and the same answer.  Wagers and hands come from the journals of the "
        "tables only; what the rules refuse is answered with 200 and `done` false.",
    ),
}

LAB: Final[Described] = {
    "GET /api/lab/choices": Operation("lab", "What there is to choose.", s.LabChoices),
    "GET /api/lab/sheet": _lab("The odds of every wager.", s.OddsSheet),
    "GET /api/lab/why": _lab(
        "How the edge of one wager comes about.", s.Working, Parameter("wager", "The wager, like banker.", WORD)
    ),
    "GET /api/lab/compare": _lab(
        "Two rule sets side by side.",
        s.Comparison,
        Parameter("with", "The second edition, like vic2002/crown,decks=6.", WORD),
    ),
    "GET /api/lab/par": _lab("The sheet as a page to keep.", HTML),
    "GET /api/lab/simulation": _lab(
        "A simulation to watch: lines of JSON, `begun`, `played` for each slice, then `over` or `failed`.",
        Media((lab.LINES,)),
        Parameter("rounds", "How many rounds.", _whole(lab.MOST_ROUNDS, 1)),
        Parameter("seed", "The seed.", _whole(MOST_SEED, 0)),
    ),
}

LESSON: Final = (
    Parameter("game", "The game; the first, if none is named.", GAME),
    Parameter("edition", "The edition; the first that knows the game, if none is named.", EDITION),
    Parameter("version", "The version of the game.", WORD),
    Parameter("seed", "The number of the lesson.", _whole(training_room.MOST_SEED, 0)),
)
QUESTION: Final = Parameter("question", "The number of the question.", _whole(training_room.LENGTH - 1, 0))

TRAINING: Final[Described] = {
    "GET /api/training/choices": Operation("training", "What lessons there are.", s.TrainingChoices),
    "GET /api/training/lesson": Operation("training", "A lesson by its number.", s.TrainingLesson, LESSON, ends=(422,)),
    "GET /api/training/judge": Operation(
        "training",
        "Whether an answer is right, and why.",
        s.TrainingJudged,
        (*LESSON, QUESTION, Parameter("answer", "The number of the option.", _whole(training_room.OPTIONS, 0))),
        ends=(422,),
    ),
    "GET /api/training/score": Operation(
        "training",
        "The score of a lesson.",
        s.TrainingScore,
        (*LESSON, Parameter("answers", "The options answered, like 2,0,-,1; a dash is no answer.", WORD)),
        ends=(422,),
    ),
    "GET /api/training/advice": Operation(
        "training",
        "What the odds engine would choose, where a player has a choice on the cards.",
        s.TrainingAdvice,
        (*LESSON, QUESTION),
        ends=(422, 503),
    ),
}

RULEBOOK: Final[Described] = {
    "GET /api/rulebook/shelf": Operation("rulebook", "What there is to choose from.", s.Shelf),
    "GET /api/rulebook/search": Operation(
        "rulebook",
        "Rules in which every word occurs.",
        s.FoundRules,
        (
            Parameter("words", "The words.", WORD),
            Parameter("from", "The row to begin with.", {"type": "integer", "minimum": 0, "maximum": 999_999}),
            *(Parameter(name, f"Only this {name}.", WORD) for name in ("edition", "kind", "software", "owed_by")),
        ),
        ends=(422,),
    ),
    "GET /api/rulebook/rule/{rule}": Operation(
        "rulebook", "A rule with all that hangs on it.", s.WholeRule, (RULE,), ends=(404,)
    ),
    "GET /api/rulebook/places/{rule}": Operation(
        "rulebook", "Where a rule lives in the code and the tests.", s.RulePlaces, (RULE,), ends=(404, 503)
    ),
    "GET /api/rulebook/diff": Operation(
        "rulebook",
        "Two editions compared.",
        s.RuleDifference,
        (
            Parameter("before", "The one edition.", EDITION),
            Parameter("after", "The other edition.", EDITION),
            Parameter("game", "Only this game.", GAME),
        ),
        ends=(422,),
    ),
}

DESCRIBED: Final[Described] = {
    **HOUSE,
    **TABLES,
    **PEOPLE,
    **DEVICES,
    **INSPECTOR,
    **CAGE,
    **TOURNAMENTS,
    **LINKS,
    **LAB,
    **TRAINING,
    **RULEBOOK,
}
