"""The games of 1996 as a laboratory hears them: rounds at random against a second opinion, and input that is not so."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from croupier import odds, ruleset
from croupier.errors import BadInput, Refused
from croupier.hearing import adjudicate, as_json, read_case
from tests.helpers.seconds import blackjack as second_blackjack
from tests.helpers.seconds import craps as second_craps

MONEY = ("on", "amount", "result", "pays", "commission", "returned", "voided")


def heard(game: str, wagers: list[Any], facts: list[Any], **more: object) -> dict[str, Any]:
    case = {"game": game, "edition": "nz1996", "wagers": wagers, "facts": facts, **more}
    return as_json(adjudicate(read_case(json.dumps(case))))


def results(answer: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(line["on"], line["result"], line["returned"]) for line in answer["settlements"]]


# ---------------------------------------------------------------- two opinions


@pytest.mark.parametrize("part", range(4))
def test_craps_at_random_as_the_second_opinion_has_it(part: int) -> None:
    refused = 0
    for seed in range(100 * part, 100 * part + 100):
        wagers, facts, chip, double = second_craps.case(Random(seed))
        found: list[Any] | None = None
        try:
            answer = heard("craps", wagers, facts, sign={"chip": chip}, elections={"double_odds": double})
            found = [{name: line[name] for name in MONEY} for line in answer["settlements"]]
        except Refused:
            refused += 1
        assert found == second_craps.settled(wagers, facts, chip=chip, double=double), (seed, wagers, facts)
    assert 0 < refused < 50


@pytest.mark.parametrize("part", range(4))
def test_blackjack_at_random_as_the_second_opinion_has_it(part: int) -> None:
    for seed in range(100 * part, 100 * part + 100):
        play, wagers = second_blackjack.played(Random(seed))
        sign = {"chip": play.chip, "minimum": play.minimum, "super_sevens": 2 * play.chip}
        readings = {"dealer_blackjack": play.reading}
        answer = heard("blackjack", wagers, play.facts, elections={"decks": 6}, sign=sign, readings=readings)
        found = [
            (line["on"], line["amount"], line["by"], line.get("of"), line["result"], line["pays"], line["returned"])
            for line in answer["settlements"]
        ]
        mine = [
            (stake.on, stake.amount, stake.by, stake.of, stake.result, stake.pays, stake.returned)
            for stake in play.stakes
        ]
        assert answer["over"], (seed, answer["due"])
        assert found == mine, (seed, wagers, play.facts)
        for line, stake in zip(answer["settlements"], play.stakes, strict=True):
            assert stake.of is None or stake.hand is None or line["hand"] == stake.hand.number, (seed, line)


# ---------------------------------------------------------------- an official overrules a call


def wrong_call(call: str, by: str = "game supervisor") -> dict[str, str]:
    return {"irregular": "wrong_call", "call": call, "by": by}


FIELD = [{"on": "field", "amount": 1000}]


@pytest.mark.parametrize(
    ("by", "rule"),
    [("game supervisor", "7.5"), ("casino supervisor", "7.6"), ("shift manager", "7.7"), ("casino manager", "7.7")],
)
def test_7_5_to_7_7_a_throw_that_is_overruled_is_settled_as_ruled(by: str, rule: str) -> None:
    answer = heard("craps", FIELD, ["5-4", wrong_call("4-3", by)])
    assert results(answer) == [("field", "lost", 0)]
    assert answer["outcome"]["total"] == 7
    assert [step["fact"] for step in answer["steps"]] == ["5-4", wrong_call("4-3", by)]
    assert answer["steps"][1]["ruling"] == {"remedy": "reconstruct", "rule": f"NZ1996-X-{rule}", "by": by}


def test_7_6_nobody_overrules_a_higher_official() -> None:
    with pytest.raises(Refused, match=r"may not overrule the casino supervisor \(NZ1996-X-7.6\)"):
        heard("craps", FIELD, ["5-4", wrong_call("4-3", "casino supervisor"), wrong_call("5-4")])
    again = heard("craps", FIELD, ["5-4", wrong_call("4-3"), wrong_call("5-4", "casino supervisor")])
    assert results(again) == [("field", "won", 2000)]


def test_7_5_a_throw_ruled_no_roll_is_thrown_again() -> None:
    assert results(heard("craps", FIELD, ["5-4", wrong_call("no_roll")])) == [("field", "open", 0)]
    assert results(heard("craps", FIELD, ["5-4", wrong_call("no_roll"), "6-6"])) == [("field", "won", 3000)]


def test_7_5_what_earlier_throws_decided_stays() -> None:
    wagers = [{"on": "pass", "amount": 1000}, *FIELD]
    assert results(heard("craps", wagers, ["5-4", "3-4", wrong_call("4-4")])) == [
        ("pass", "open", 0),
        ("field", "won", 2000),
    ]


def test_7_5_there_must_be_a_throw_to_overrule() -> None:
    with pytest.raises(Refused, match="no call of a throw is in force"):
        heard("craps", [*FIELD, {"on": "place:6", "amount": 1200}], [wrong_call("5-4")])
    for facts, at in ((["5-4", wrong_call("6-4")], 1), (["5-4", {"perform": "release"}, wrong_call("6-4")], 0)):
        with pytest.raises(Refused, match="no call of a throw is in force: one that is over is corrected"):
            heard("craps", [*FIELD, {"on": "place:6", "amount": 1200, "at": at}], facts)


def test_7_5_what_was_called_since_the_throw_stays_called() -> None:
    """Off, called between a throw and its overruling, is off for the next throw, and was on for that one."""
    wagers = [*FIELD, {"on": "place:6", "amount": 1200}]
    begun, off = [{"call": "on", "on": "place:6"}, "6-4"], {"call": "off", "on": "place:6"}
    assert results(heard("craps", wagers, [*begun, off, wrong_call("5-3"), "3-4"]))[1] == ("place:6", "open", 0)
    assert results(heard("craps", wagers, [*begun, off, wrong_call("5-2")]))[1] == ("place:6", "lost", 0)


# ---------------------------------------------------------------- input that is not so


@pytest.mark.parametrize(
    ("game", "on", "facts", "rule"),
    [
        ("roulette", "red", ["5", "6"], "NZ1996-III-4.7"),
        ("roulette", "red", ["5", "A"], "NZ1996-III-4.7"),
        ("roulette", "red", ["5", "Kh"], "NZ1996-III-4.7"),
        ("tai_sai", "small", ["1-2-3", "4"], "NZ1996-VI-3.8"),
        ("tai_sai", "small", ["1-2-3", "1-2-3"], "NZ1996-VI-3.8"),
        ("money_wheel", "A", ["A", "A"], "NZ1996-VII-4.6"),
    ],
)
def test_a_fact_after_the_end_is_refused_by_the_rule(game: str, on: str, facts: list[str], rule: str) -> None:
    with pytest.raises(Refused) as refused:
        heard(game, [{"on": on, "amount": 100}], facts)
    assert str(refused.value) == f"{facts[-1]!r}: the game is over: nothing is due ({rule})"


@pytest.mark.parametrize("text", ["00", "05", "-1", "1.5", "A", "hit", "3-4", "17h", "١٧", "²"])
def test_what_is_no_pocket_of_the_wheel_is_named_and_refused(text: str) -> None:
    with pytest.raises(Refused, match=r"NZ1996-III-3\.2") as refused:
        heard("roulette", [{"on": "straight:0", "amount": 100}], [text])
    assert str(refused.value).startswith(repr(text))


def test_zero_in_figure_and_word_is_the_same_pocket() -> None:
    for text in ("0", "zero"):
        answer = heard("roulette", [{"on": "straight:0", "amount": 100}], [text])
        assert results(answer) == [("straight:0", "won", 3600)]


@pytest.mark.parametrize("text", ["7-1", "0-1", "03-4", "+3-4", "3 - 4", "３-4", "11", "3-4-", "A", "2h"])
def test_dice_are_written_in_one_way(text: str) -> None:
    with pytest.raises(BadInput, match="dice are two or more faces from 1 to 6") as bad:
        heard("craps", FIELD, [text])
    assert repr(text) in str(bad.value)


def test_a_game_without_cards_knows_no_irregular_card() -> None:
    for more in ({"card": "5h"}, {"found": ["5h"]}):
        with pytest.raises(BadInput, match="roulette is played without cards"):
            heard("roulette", [{"on": "red", "amount": 100}], [{"irregular": "hung_ball", **more}])


# ---------------------------------------------------------------- odds


def test_a_wager_of_several_stakes_wins_or_loses_by_its_net() -> None:
    """World on a seven wins what its other parts lose: it stands off.  Come odds that go back stand off too."""
    sheet = odds(ruleset("nz1996", game="craps"))
    world, horn, come_odds = (sheet.of(name)[0] for name in ("world", "horn", "come_odds:4"))
    assert (world.win, world.standoff, world.lose) == (Fraction(1, 6), Fraction(1, 6), Fraction(2, 3))
    assert (horn.win, horn.standoff, horn.lose) == (Fraction(1, 6), Fraction(0), Fraction(5, 6))
    assert (come_odds.win, come_odds.standoff) == (Fraction(6325, 22536), Fraction(1187, 7512))
    assert all(line.void == 0 and line.win + line.lose + line.standoff == 1 for line in sheet.lines)


# ---------------------------------------------------------------- calls


def test_a_call_is_known_in_words_and_in_the_notation_and_no_other_is_taken() -> None:
    """NZ1996-III-6.5: a spin that is expected to be short is void if "No spin" is called in time."""
    wager = [{"on": "red", "amount": 100}]
    short = {"irregular": "short_spin_expected"}
    remedies = {
        call: heard("roulette", wager, [short | {"call": call}])["steps"][-1]["ruling"]["remedy"]
        for call in ("No spin", "no_spin", "none")
    }
    assert remedies["No spin"] == remedies["no_spin"] != remedies["none"]
    with pytest.raises(Refused, match="'No spin', not 'no roll'"):
        heard("roulette", wager, [short | {"call": "no roll"}])


def test_a_throw_in_doubt_is_a_no_roll_if_so_called_and_no_other_word_lets_it_stand() -> None:
    with pytest.raises(Refused, match=r"the call is .*'stnads'"):
        heard("craps", FIELD, [{"irregular": "not_together", "call": "stnads"}])


NAMED: list[tuple[str, list[Any], list[Any], str]] = [
    ("blackjack", [["main", 1000]], ["10", "9", "10", "bet"], "bet: "),
    ("blackjack", [["main", 1000]], ["10", "6", "5", "8h"], "8h: no card is due: "),
    ("blackjack", [["main", 1000]], ["10", "6", "5", "3-4"], "'3-4': that does not answer what is due: "),
    ("roulette", [["red", 1000]], ["41"], "41: no compartment of the wheel"),
    ("money_wheel", [["A", 1000]], ["Z"], "Z: no symbol of the wheel"),
    ("tai_sai", [["small", 1000]], ["1-1"], "1-1: 3 dice "),
    ("craps", [["pass", 1000]], ["hit"], "hit: that does not answer what is due: "),
    ("caribbean_stud", [["ante", 1000]], ["2c", "2c"], "2c: it is out already, "),
]


@pytest.mark.parametrize(
    ("game", "wagers", "facts", "begins"), NAMED, ids=[f"{each[0]} {each[2][-1]}" for each in NAMED]
)
def test_a_fact_that_is_refused_is_named_once_and_as_it_was_written(
    game: str, wagers: list[Any], facts: list[Any], begins: str
) -> None:
    with pytest.raises(Refused) as refused:
        heard(game, [{"on": on, "amount": amount} for on, amount in wagers], facts)
    said = refused.value.reason
    assert said.startswith(begins)
    assert said.count(facts[-1]) == 1
