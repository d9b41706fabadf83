"""The score of rounds, shoes and sessions: read, written, heard, and made from a table's journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import croupier
from croupier.cli.app import run
from croupier.errors import BadInput
from croupier.hearing import CaseIn, RoundIn, SignIn, WagerIn, adjudicate, as_json
from croupier.records.scores import is_score, read_score, score_of, score_of_journal
from croupier.table.commands import Correct
from croupier.table.events import WagerPlaced, decode
from tests.helpers.desks.table import a_desk, asked, played, put, with_players

SESSION = """; an evening
[Game "blackjack"]
[Edition "nz1996"]
[Elect "decks=6"]
[Sign "chip=100 minimum=500"]
[Table "BJ; 1"]

1. main 100 by ann box 2, main 50 by "seat 1": Th 9s 6d 7h 8c stand stand Kd 5c ; both stand
2. main 100 by ann:
   8h As 8d (choose insure by=ann amount=50) split
   5c stand Th stand 9c
"""


def test_a_session_is_heard_as_its_case_is() -> None:
    score = read_score(SESSION)
    assert is_score(SESSION)
    assert score.tags == {"Table": "BJ; 1"}
    assert score.case.sign == SignIn(chip=100, minimum=500)
    assert score.case.rounds[0].wagers == (WagerIn("main", 10_000, "ann", 2), WagerIn("main", 5_000, "seat 1"))
    assert score.case.rounds[1].facts[3] == {"choose": "insure", "by": "ann", "amount": 5_000}
    again = read_score(str(score))
    assert again == score
    assert as_json(adjudicate(again.case)) == as_json(croupier.adjudicate(SESSION))


@pytest.mark.parametrize("name", ["nz1996-blackjack", "nz1996-craps", "nzd5-baccarat", "vic2002-baccarat"])
def test_journals_of_live_tables_are_written(name: str) -> None:
    """Every round of a recorded table, read back as it was."""
    lines = Path(f"tests/golden/journals/{name}.jsonl").read_bytes().splitlines()
    score = score_of_journal([decode(line) for line in lines], name)
    assert read_score(str(score)).case.rounds == score.case.rounds
    assert len(score.case.rounds) > 0
    placed = sum(isinstance(decode(line).event, WagerPlaced) for line in lines)
    assert 0 < sum(len(each.wagers) for each in score.case.rounds) <= placed


@pytest.mark.parametrize(
    ("edition", "game", "wager", "facts"),
    [
        ("nz1998", "baccarat", "banker 100", "2h 3d Kc Qs 8h"),
        ("nz1996", "roulette", "straight:17 10", "17"),
        ("nz1996", "tai_sai", "big 10", "4-5-6"),
        ("nz1996", "money_wheel", "A 10", "A"),
        ("nz1996", "craps", "pass 10, field 2.50 at 1", "2-2 3-4"),
        ("nz1996", "caribbean_stud", "ante 10", "2h 3d 4c 7s 9h 2d 5d 6c 8s Th Jd Qc Kd"),
    ],
)
def test_every_game_is_written(edition: str, game: str, wager: str, facts: str) -> None:
    text = f'[Game "{game}"]\n[Edition "{edition}"]\n\n1. {wager}: {facts}\n'
    score = read_score(text)
    assert str(score) == text
    assert score.case.rounds[0].facts == tuple(facts.split())


def test_what_needs_more_than_a_word_comes_back() -> None:
    facts = (
        "2h",
        {
            "irregular": "excess_card",
            "card": "5h",
            "to": "box 1",
            "disclosed": True,
            "found": ["2d", "3c"],
            "call": "a (b)",
        },
        {"take": "place:6", "by": 'o\'neil \\ "x"', "amount": 1_250},
        {"perform": "burn", "by": "dealer", "detail": 0},
    )
    rounds = (RoundIn(facts, (WagerIn("player", 7_525, "a: b", 3, 1),), {"seat 1": "banker"}),)
    case = CaseIn("nz1998", elections={"decks": 8}, rounds=rounds)
    assert read_score(score_of(case)).case.rounds == rounds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[Edition "nz1998"]\n', "a score without a round"),
        ('[Edition "nz1998"]\n2. banker 100: 2h', "line 2: round 2 where 1 is next"),
        ('[Edition "nz1998"]\n1. banker 100 2h', "line 2: a colon must stand"),
        ('[Edition "nz1998"]\n1. banker ten: 2h', "line 2: "),
        ('[Edition "nz1998"]\n1. banker 10 at x: 2h', "line 2: at is a whole number"),
        ('[Edition "nz1998"]\n1. banker 10: (choose', "a bracket is not closed"),
        ('[Edition "nz1998"]\n1. banker 10: (choose a b)', "the rest is key=value"),
        ('[Edition "nz1998"]\n[Edition "nzd5"]\n1. banker 10: 2h', "the tag Edition is told twice"),
        ('[Edition "nz1998"]\n[Sign "chips=5"]\n1. banker 10: 2h', "the tag Sign"),
        ('[Edition "nz1998"]\nhallo', "line 2: neither a tag"),
    ],
)
def test_mistakes_are_named_with_their_line(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_score(text)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evening.score"
    file.write_text(SESSION)
    assert run(["score", str(file)]) == 0
    written = capsys.readouterr().out
    assert read_score(written) == read_score(SESSION)
    assert run(["score", str(file), "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body.pop("tags") == {"Table": "BJ; 1"}
    case = tmp_path / "case.json"
    case.write_text(json.dumps(body))
    answers = []
    for name in (file, case):
        assert run(["adjudicate", str(name), "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]


def test_a_table_writes_its_own_score() -> None:
    table = croupier.Table(croupier.ruleset("nz1998"))
    table.open(minimum=1_000, maximum=100_000, chip=250)
    with pytest.raises(BadInput, match="no round was played"):
        score_of_journal(table.journal, "table 1")


def test_an_outcome_that_is_lost_later_takes_nothing_from_the_score_of_the_round_in_hand() -> None:
    desk = with_players(a_desk("nz1996", "roulette"), "ann")
    asked(desk, put("ann", "red", 1_000))
    played(desk, "3")
    asked(desk, put("ann", "black", 2_000))
    asked(desk, Correct(1, ({"irregular": "interference"},), "the film"), role="game supervisor")
    played(desk, "2")
    rounds = score_of_journal(desk.journal, "table 1").case.rounds
    assert [[(each.on, each.amount) for each in this.wagers] for this in rounds] == [
        [("red", 1_000)],
        [("black", 2_000)],
    ]
