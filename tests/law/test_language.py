"""The language of the cases: what cannot be read or is not so is told with its file and line."""

from __future__ import annotations

import pytest

from tests.law.matrix.language import BadCase, names, read_cases
from tests.law.matrix.run import run

GOOD = """
NZD5-12.1a  adjudicate  nzd5/mini nzd5/midi
  A third card that is the Banker's goes to the Player.
  banker 100 : 6h 3d Kc Qs (declares wrong_third_card card=6d to=player) -> ruled reassign NZD5-12.1a
  -> won 95 on=banker, no lost
"""


def test_a_case_is_read_and_run() -> None:
    (case,) = read_cases(GOOD, "x.case")
    assert case.rules == ("NZD5-12.1a",)
    assert [str(law) for law in case.laws] == ["nzd5/mini", "nzd5/midi"]
    assert case.title.startswith("A third card")
    (result,) = run(case, case.laws[0])
    won = "won 95 on=banker amount=100 commission=5 returned=195 [NZD5-5.10b]"
    assert result.answers == ("ruled reassign by=dealer [NZD5-12.1a]", won, "no lost")


def test_names_do_not_depend_on_lines() -> None:
    assert list(names(read_cases(GOOD + GOOD, "x.case"))) == ["x.case:NZD5-12.1a", "x.case:NZD5-12.1a (2)"]
    assert list(names(read_cases("\n\n" + GOOD, "x.case"))) == ["x.case:NZD5-12.1a"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("  banker 100 : 2h -> due deal banker", r"x\.case:1: this line belongs to no case"),
        ("NZD5-99.1 table nzd5\n  to the end -> no refused", r"x\.case:1: no row of the inventory is NZD5-99\.1"),
        ("NZD5-5.1 window nzd5\n  to the end -> no refused", r"x\.case:1: after the rules comes a door .* not window"),
        ("table nzd5\n", r"x\.case:1: a case begins with its rules"),
        ("NZD5-5.3 table nzd5\n  up to the cards", r"x\.case:1: nothing must be seen"),
        ("NZD5-5.3 table nzd5\n  -> refused", r"x\.case:2: nothing was done before"),
        ("NZD5-5.3 table nzd5\n  up to the cards -> refused NZD5-99.1", r"x\.case:2: no rule NZD5-99\.1"),
        ("NZD5-5.3 table nzd5\n  up to the cards ->", r"x\.case:2: nothing follows the arrow"),
        ("NZD5-5.3 table nzd5\n  ann: sit seat=1 seat=2 -> refused", r"x\.case:2: seat is told twice"),
        ("NZD5-5.3, NZD5-8.2 table nzd5\n  up to the cards -> due deal player NZD5-5.3", r"is about NZD5-8\.2"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, reason: str) -> None:
    with pytest.raises(BadCase, match=reason):
        list(read_cases(text, "x.case"))


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("ann dances -> refused", "means nothing at a table"),
        ("dealer: dance -> refused", "'dance' is nothing that can be asked here"),
        ("dealer: tip player=ann amount=1 cheque=2 -> refused", "tip has no cheque"),
        ("pit lord the baron: close table -> refused", "'baron' is no role"),
        ("ann sits at 1 -> no flying cards", "'flying cards' is no answer of any door"),
        ("ann sits at 1 -> no wager settled colour=red", "has no colour"),
        ("ann sits at 1 with 50; ann bets 5 on banker", "refused"),
        ("ann sits at 1 with 50; ann bets 10 on player -> ann has 39", r"but there was ann has 40"),
        ("ann sits at 1 with 50; ann bets 10 on player -> no wager placed", r"but there was wager placed"),
        ("ann sits at 1 with 50; ann bets 10 on player -> wager placed NZD5-5.4", r"wager placed .*NZD5-5\.3"),
    ],
)  # fmt: skip
def test_what_does_not_go_as_it_says_is_told(step: str, reason: str) -> None:
    (case,) = read_cases(f"NZD5-5.3 table nzd5/midi\n  {step}\n  up to the cards -> due deal player", "x.case")
    with pytest.raises(BadCase, match=rf"x\.case:2: .*{reason}"):
        run(case, case.laws[0])
