"""What a narrow screen shows."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import croupier
from croupier.cli.app import run
from croupier.cli.telling import plain, show


@pytest.mark.parametrize(("width", "columns"), [(60, set()), (160, {"stands off"})])
def test_a_narrow_screen_leaves_columns_out(width: int, columns: set[str]) -> None:
    console = Console(width=width, markup=False, highlight=False, file=io.StringIO(), record=True)
    show.sheet(console, croupier.odds(croupier.ruleset("nzd5")).to_dict())
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= width
    assert {name for name in ("stands off",) if name in text} == columns
    assert "14.3596 %" in text


def test_a_rule_is_whole_where_the_edges_make_room_for_it() -> None:
    """At 60 columns a settlement needs 63 with its edges."""
    console = Console(width=60, markup=False, highlight=False, file=io.StringIO(), record=True)
    show.case(console, croupier.adjudicate("nz1998 banker 100: 2h 3d Kc Qs 8h").to_dict())
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 60
    assert "NZ1998-5.7b" in next(line for line in lines if line.startswith("banker"))


@pytest.mark.parametrize(("columns", "widest"), [("60", 60), ("", plain.PIPE_WIDTH), ("wide", plain.PIPE_WIDTH)])
def test_a_pipe_is_as_wide_as_it_is_said_to_be(
    columns: str, widest: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.delenv("LINES", raising=False)
    assert run(["list", "editions"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (len(max(lines, key=len)) <= 60) == (widest == 60)
    assert max(map(len, lines)) <= widest


def test_what_a_reader_of_lines_sets_for_all_is_no_wish(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "24")
    assert run(["list", "editions"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 60


def test_nothing_to_settle_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"# a comment\n\n")))
    assert run(["settle", "-"]) == 2
    assert "no round to settle" in capsys.readouterr().err


def test_coverage_can_be_read_on_a_narrow_screen() -> None:
    console = Console(width=60, markup=False, highlight=False, file=io.StringIO(), record=True)
    part = {"edition": "nz1996", "name": "VIII", "rules": 183, "actionable": 170, "cited": 170, "tested": 170}
    doors = {"table": 120, "adjudicate": 40, "odds": 10}
    show.coverage(console, {"parts": [{**part, "beyond": 0, "missing": [], "doors": doors}]})
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 60
    assert any(line.split() == ["nz1996", "VIII", "183", "170", "170", "0"] for line in lines)


def test_help_says_whole_sentences(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for words, says in (
        (["--help"], 'settle A round in one line: croupier settle "nz1998 banker 100: 2h 3d Kc Qs 8h".'),
        (["rules", "--help"], "show One rule: what it says, what rests on it, where it is cited and tested."),
    ):
        assert run(words) == 0
        text = capsys.readouterr().out
        assert max(map(len, text.splitlines())) <= 60
        assert says in " ".join(text.split())
        assert "..." not in text.partition("Commands:")[2]


def test_a_list_takes_its_game_as_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for words in (["wagers", "craps"], ["wagers", "--game", "craps"], ["wagers", "craps", "--game", "craps"]):
        assert run(["list", *words, "--json"]) == 0
        answers.append(capsys.readouterr().out)
    assert '"pass"' in answers[0]
    assert len(set(answers)) == 1
    assert run(["list", "wagers", "craps", "--game", "roulette"]) == 2
    assert "one game at a time" in capsys.readouterr().err
