"""Why a wager is worth what the sheet says, and what a change of the rules is worth in money."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import croupier
from croupier.exact import compare
from croupier.exact import explain as working
from croupier.exact.sheet import Sheet
from croupier.law.inventory import parts
from croupier.rulesets import known_game


def explained(game: str, edition: str, wager: str, **options: Any) -> Any:
    made = croupier.odds(croupier.ruleset(edition, game=game), **options)
    return working.as_json(made, working.explain(known_game(game), made, wager))


def ends(row: Any, kind: str) -> list[Any]:
    return [each for each in row["outcomes"] if each["ends"] == kind]


def test_the_working_adds_up_to_the_edge_and_to_all_ways() -> None:
    (row,) = explained("baccarat", "nz1998", "banker")["rows"]
    assert row["total"] == 4_998_398_275_503_360
    assert {each["ends"]: each["ways"] for each in row["outcomes"]} == {
        "win": 2_292_252_566_437_888,
        "standoff": 475_627_426_473_216,
        "lose": 2_230_518_282_592_256,
    }
    assert sum(Fraction(each["adds_to_edge"]) for each in row["outcomes"]) == Fraction(row["edge"])


def test_every_rule_is_told_in_our_own_words() -> None:
    answer = explained("baccarat", "nz1998", "banker")
    summaries = {rule["id"]: rule["says"] for rule in answer["rules"]}
    assert {each["rule"] for each in answer["rows"][0]["outcomes"]} <= set(summaries)
    assert summaries["NZ1998-5.7b"] == [row.summary for row in parts("NZ1998-5.7b")]


def test_a_single_throw_is_told_face_by_face() -> None:
    (row,) = explained("roulette", "nz1996", "split:8-9")["rows"]
    (win,) = ends(row, "win")
    assert (row["wager"], row["stands_for"], row["total"]) == ("split", "split:8-9", 37)
    assert (win["ways"], sorted(win["thrown"][0]["throws"])) == (2, ["8", "9"])
    (triple,) = explained("tai_sai", "nz1996", "triple:4")["rows"]
    assert ends(triple, "win")[0]["thrown"] == [{"layout": "", "throws": ["4-4-4"], "probability": "1/216"}]


def test_a_wager_of_many_throws_is_told_by_the_point() -> None:
    (row,) = explained("craps", "nz1996", "pass")["rows"]
    (win,) = ends(row, "win")
    by_point = {each["layout"]: Fraction(each["probability"]) for each in win["thrown"]}
    assert by_point["no point"] == Fraction(8, 36)
    assert by_point["point 6"] == Fraction(5, 36) * Fraction(5, 11)
    assert sum(by_point.values()) == Fraction(win["probability"]) == Fraction(244, 495)
    assert row["total"] is None


def test_a_row_of_a_kind_and_a_policy_can_be_asked_for() -> None:
    (row,) = explained("roulette", "nz1996", "straight")["rows"]
    assert row["stands_for"].startswith("straight:")
    few = (1,) * 14 + (0,) * 38
    answer = explained("caribbean_stud", "nz1996", "jackpot", shoe=few)
    assert answer["rows"][0]["edge"] is None
    assert all(each["net"] is None for each in answer["rows"][0]["outcomes"])
    assert [row["wager"] for row in explained("caribbean_stud", "nz1996", "optimum", shoe=few)["rows"]] == [
        "ante",
        "jackpot",
    ]


@pytest.mark.parametrize(
    ("wager", "options", "words"),
    [
        ("bonker", {}, "unknown wager 'bonker'; known are player, banker, tie"),
        ("perfect_pairs", {"shoe": [32] * 13}, "perfect_pairs has no row on this sheet: needs the suits"),
        ("", {}, "unknown wager ''"),
    ],
)
def test_a_wager_without_a_row_is_refused_with_the_reason(wager: str, options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        explained("baccarat", "nzd5", wager, **options)


def test_a_shoe_too_small_tells_the_void_round_with_its_rule() -> None:
    shoe = (1,) * 5 + (0,) * 47
    (row,) = explained("baccarat", "nz1998", "player", shoe=shoe)["rows"]
    (void,) = ends(row, "void")
    assert (void["rule"], void["net"]) == ("NZ1998-12.5", "0/1")
    assert row["total"] == 120


# ---------------------------------------------------------------- comparing


@cache
def baccarat(edition: str, **elections: object) -> Sheet:
    return croupier.odds(croupier.ruleset(edition, elections=elections))


def compared(before: Sheet, after: Sheet) -> Any:
    answer: Any = compare.as_json(before, after)
    return {row["wager"]: row for row in answer["wagers"]}


def test_no_commission_is_worth_forty_cents_of_a_hundred_dollars_on_the_banker() -> None:
    rows = compared(baccarat("nz1998"), baccarat("nzd5", no_commission=True))
    assert round(rows["banker"]["house_gains_cents"], 2) == 40.02
    assert rows["banker"]["because"][0] == {
        "result": "win",
        "before": "1 to 1 less 5%",
        "after": "1 to 1",
        "rules": ["NZ1998-5.7b", "NZD5-5.11.s1"],
    }
    assert rows["player"]["change"] == "0/1"
    assert rows["player"]["because"] == []
    assert rows["perfect_pairs"]["before"] is None
    assert rows["perfect_pairs"]["house_gains_cents"] is None


def test_a_change_told_backwards_has_the_other_sign() -> None:
    one, other = baccarat("nzd5", pay_scale=1), baccarat("nzd5", pay_scale=2)
    there, back = compared(one, other)["perfect_pairs"], compared(other, one)["perfect_pairs"]
    assert Fraction(there["change"]) == -Fraction(back["change"]) != 0
    assert {each["result"] for each in there["because"]} == {"perfect pair", "coloured pair", "mixed pair"}


def test_different_games_cannot_be_compared() -> None:
    sheets = [croupier.odds(croupier.ruleset("nz1996", game=game)) for game in ("roulette", "money_wheel")]
    with pytest.raises(ValueError, match="roulette cannot be compared with money_wheel"):
        compare.compare(*sheets)
