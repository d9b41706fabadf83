"""Adjudication: JSON in and out, Runs over several rounds, all editions side by side, and every kind of bad input."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.errors import BadInput, NotPermitted, Refused
from croupier.game import Called, CardSeen, Chosen, Deal, Fact, Over, Performed
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.scales import margin_bet
from croupier.hearing import across_editions, adjudicate, as_json, read_case, read_line, read_position
from croupier.notation import read_fact, write_fact
from tests.games.baccarat.test_cases import RULESETS, bet, go_on, named, played, results
from tests.helpers.observe import carries
from tests.helpers.strategies import bettors, cards, irregular_facts, json_values

LAW = {named(rules): rules.rules for rules in RULESETS}
VERSIONS = ("traditional", "crown")
PLAYER_WINS, BANKER_WINS, TIE = "9h 2d Kc 5s", "2h 9d Kc Qs", "6h Kd Kc 6s"
CASE: dict[str, Any] = {
    "game": "baccarat",
    "edition": "nz1998",
    "version": "full",
    "sign": {"chip": 100},
    "wagers": [
        {"on": "banker", "amount": 3000, "by": "seat 1"},
        {"on": "tie", "amount": 500, "by": "seat 1"},
        {"on": "player", "amount": 5000, "by": "seat 2"},
    ],
    "facts": ["2h", "3d", "Kc", "Qs", "8h"],
}


def heard(case: dict[str, Any]) -> dict[str, Any]:
    return as_json(adjudicate(read_case(json.dumps(case))))


def wager(on: str, amount: int = 1000, **more: object) -> dict[str, object]:
    return {"on": on, "amount": amount, **more}


# ---------------------------------------------------------------- the answer


def test_the_answer_has_the_public_keys_and_the_money_adds_up() -> None:
    answer = heard(CASE)
    assert (answer["game"], answer["edition"], answer["version"]) == ("baccarat", "nz1998", "full")
    assert (answer["over"], answer["due"], answer["due_rule"]) == (True, None, "NZ1998-9.4.T2.3")
    assert answer["outcome"]["winner"] == "banker"
    assert answer["next"] == {"first_card": None, "hand": "normal"}
    banker, tie, player = answer["settlements"]
    assert banker == {
        "on": "banker",
        "amount": 3000,
        "by": "seat 1",
        "result": "won",
        "pays": 1900,
        "commission": 100,
        "returned": 4900,
        "voided": 1000,
        "rule": "NZ1998-5.7b",
    }
    assert (tie["result"], tie["returned"], tie["rule"]) == ("lost", 0, "NZ1998-5.1c.ii")
    assert (player["result"], player["by"]) == ("lost", "seat 2")
    json.dumps(answer)


def test_every_step_says_what_was_due_under_which_rule_and_what_came() -> None:
    steps = heard(CASE)["steps"]
    assert steps == [
        {"due": "deal player", "rule": "NZ1998-8.3", "fact": "2h"},
        {"due": "deal banker", "rule": "NZ1998-8.3", "fact": "3d"},
        {"due": "deal player", "rule": "NZ1998-8.3", "fact": "Kc"},
        {"due": "deal banker", "rule": "NZ1998-8.3", "fact": "Qs"},
        {"due": "deal player", "rule": "NZ1998-9.3", "fact": "8h"},
    ]


@pytest.mark.parametrize(("cards_seen", "due"), [(0, "deal player"), (1, "deal banker"), (4, "deal player")])
def test_a_round_in_the_middle_tells_what_is_due_and_its_wagers_are_open(cards_seen: int, due: str) -> None:
    answer = heard(CASE | {"facts": CASE["facts"][:cards_seen]})
    assert (answer["over"], answer["due"], answer["outcome"]["winner"]) == (False, due, None)
    assert [line["result"] for line in answer["settlements"]] == ["open"] * 3
    assert [line["returned"] for line in answer["settlements"]] == [0] * 3


def test_a_wager_joins_before_the_fact_it_names() -> None:
    crown = {"edition": "vic2002", "version": "crown", "facts": ["2h", "6d", "Kc", "Qs", "4h"]}
    insured = heard(crown | {"wagers": [wager("banker"), wager("insurance", at=4)]})
    assert [line["result"] for line in insured["settlements"]] == ["void", "won"]
    for at in (3, 5):
        with pytest.raises(Refused, match=r"VIC2002-1\.1\.insurance"):
            heard(crown | {"wagers": [wager("banker"), wager("insurance", at=at)]})


def test_an_irregularity_is_a_step_with_its_ruling_and_the_round_says_how_the_next_begins() -> None:
    seen = {"irregular": "excess_card", "card": "5h", "disclosed": True}
    answer = heard(CASE | {"facts": ["9h", "3d", "Kc", "Qs", seen]})
    assert answer["steps"][-1]["fact"] == seen
    assert answer["steps"][-1]["ruling"] == {
        "remedy": "void hand",
        "rule": "NZ1998-12.2b",
        "by": "dealer",
        "call": "No bets this hand",
    }
    assert answer["next"] == {"first_card": "5h", "hand": "void"}
    rounds = [{"facts": ["9h", "3d", "Kc", "Qs", seen]}, {"facts": ["9s", "2d"]}, {"facts": []}]
    two = heard({"edition": "nz1998", "rounds": rounds[:2]})
    assert (two["due"], two["outcome"]["hand"], two["outcome"]["player"]) == ("deal banker", "void", 7)
    assert len(two["rounds"]) == 2
    assert len(two["steps"]) == 7
    with pytest.raises(Refused, match="round 2 is not over: due is deal banker"):
        heard({"edition": "nz1998", "rounds": rounds})


# ---------------------------------------------------------------- Runs

HANDS = {2: 3, 3: 8, 4: 20, 5: 45, 6: 100}
TIES = {2: 100, 3: 1000, 4: 10000}
DEALS = {"P": PLAYER_WINS.split(), "B": BANKER_WINS.split(), "T": TIE.split()}
KINDS = {"player_run": ("P", HANDS), "banker_run": ("B", HANDS), "tie_run": ("T", TIES)}


def run(on: str, coups: str, version: str = "crown", *, nominate: str = "", back: str = "") -> dict[str, Any]:
    """A Run over these coups; a nomination or a main wager for each, where there is one."""
    word = {"P": "player", "B": "banker"}
    rounds: list[dict[str, Any]] = [{"facts": DEALS[each], "wagers": []} for each in coups]
    rounds[0]["wagers"].append(wager(on, by="seat 1"))
    for coup, hand in zip(rounds, nominate, strict=False):
        coup["nominate"] = {"seat 1": word[hand]} if hand in word else {}
    for coup, hand in zip(rounds, back, strict=False):
        coup["wagers"] += [wager(word[each], by="seat 1") for each in ("PB" if hand == "2" else hand) if each in word]
    return heard({"edition": "vic2002", "version": version, "elections": {"decks": 8}, "rounds": rounds})


def first_line(answer: dict[str, Any]) -> tuple[str, int, str]:
    line = answer["settlements"][0]
    return line["result"], line["pays"], line["rule"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_wins_at_its_length_and_is_lost_by_any_other_result(kind: str, version: str) -> None:
    mine, scale = KINDS[kind]
    for length, odds in scale.items():
        on, rule = f"{kind}_{length}", f"VIC2002-10.1.run-{kind.removesuffix('_run')}-{length}"
        before = run(on, mine * (length - 1), version)
        assert (before["over"], before["due"], first_line(before)[0]) == (False, "next round", "open")
        assert first_line(run(on, mine * length, version)) == ("won", odds * 1000, rule)
        for other in "PBT".replace(mine, ""):
            broken = run(on, mine * (length - 1) + other, version)
            tie_breaks = other == "T"
            assert first_line(broken) == ("lost", 0, "VIC2002-10.1.fn-run" if tie_breaks else rule)
    assert all(each.tie_breaks.value for each in LAW[f"vic2002-{version}"].run_bets.values())


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("length", "odds"), HANDS.items())
def test_a_combination_run_follows_the_hand_nominated_for_each_coup(length: int, odds: int, version: str) -> None:
    on, coups, rule = f"combination_run_{length}", "PBPBPB"[:length], f"VIC2002-10.1.run-pb-{length}"
    for by_word, by_wager in ((coups, ""), ("", coups)):
        assert first_line(run(on, coups, version, nominate=by_word, back=by_wager)) == ("won", odds * 1000, rule)
    assert first_line(run(on, coups, version, nominate="B" + coups[1:])) == ("lost", 0, rule)
    assert first_line(run(on, coups, version, nominate="-" + coups[1:])) == ("lost", 0, rule)
    assert first_line(run(on, "T", version, nominate="P")) == ("lost", 0, "VIC2002-10.1.fn-run")


def test_one_who_backs_both_hands_has_to_nominate_in_words() -> None:
    assert first_line(run("combination_run_2", "PB", back="22"))[0] == "lost"
    assert first_line(run("combination_run_2", "PB", back="22", nominate="PB"))[0] == "won"
    assert first_line(run("combination_run_2", "PB", back="PP", nominate="PB"))[0] == "won"
    assert first_line(run("combination_run_2", "PB", back="PP"))[0] == "lost"


def test_nominations_are_made_before_the_first_card_and_name_a_hand() -> None:
    late = {"edition": "vic2002", "facts": ["2h", {"nominate": "banker", "by": "seat 1"}]}
    with pytest.raises(Refused, match=r"nominate banker: too late .*VIC2002-8\.2\.2a"):
        heard(late)
    for edition, hand in (("vic2002", "tie"), ("nz1998", "banker")):
        with pytest.raises(Refused, match=f"nominate {hand}:"):
            heard({"edition": edition, "rounds": [{"nominate": {"seat 1": hand}}]})


def test_several_runs_of_one_player_go_on_at_once() -> None:
    rounds: list[dict[str, Any]] = [{"facts": DEALS[coup]} for coup in "PPB"]
    rounds[0]["wagers"] = [wager("player_run_2"), wager("player_run_3")]
    rounds[1]["wagers"] = [wager("player_run_2"), wager("banker_run_2")]
    answer = heard({"edition": "vic2002", "rounds": rounds})
    assert [line["result"] for line in answer["settlements"]] == ["won", "lost", "lost", "lost"]
    assert [each["over"] for each in answer["rounds"]] == [False, False, True]


BETWEEN: list[list[Any]] = [
    [{"irregular": "dummy_coup_ordered"}, *BANKER_WINS.split()],
    [{"irregular": "face_up_card", "card": "2h"}, "9d", "Kc", "Qs"],
    ["2h", "3d", {"irregular": "insufficient_cards"}],
    [*BANKER_WINS.split(), {"irregular": "out_of_sequence", "call": "void"}],
    [*PLAYER_WINS.split(), {"irregular": "swapped_areas", "call": "dummy"}],
    [*TIE.split(), {"irregular": "swapped_areas", "call": "dummy"}],
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", [*KINDS, "combination_run"])
def test_runs_survive_dummies_and_void_coups_and_do_not_count_them(kind: str, version: str) -> None:
    mine = KINDS.get(kind, ("P", HANDS))[0]
    coups = {mark: {"facts": deal, "nominate": {"": "player"}} for mark, deal in DEALS.items()}
    for facts in BETWEEN:
        rounds = [coups[mine] | {"wagers": [wager(f"{kind}_2")]}, {"facts": facts}]
        case = {"edition": "vic2002", "version": version}
        assert first_line(heard(case | {"rounds": rounds}))[0] == "open"
        assert first_line(heard(case | {"rounds": [*rounds, coups[mine]]}))[0] == "won"
        assert first_line(heard(case | {"rounds": [*rounds, coups["B" if mine == "P" else "P"]]}))[0] == "lost"


# ---------------------------------------------------------------- all editions, one line


def test_the_same_cards_under_every_law_with_the_difference_in_money() -> None:
    """A Banker six: 95 under commission, half without; a Tie beside it loses everywhere."""
    case = read_line("nzd5/midi no_commission banker 100, tie 10: 2h 6d Kc Qs 8h")
    rows = {f"{row['edition']}-{row['version']}": row for row in across_editions(case)}
    assert set(rows) == set(LAW)
    assert rows["nz1998-full"]["net"] == 8500
    assert rows["nzd5-midi"]["net"] == rows["vic2002-crown"]["net"] == rows["nzeb-hybrid"]["net"] == 4000
    assert {name: row["difference"] for name, row in rows.items() if row["difference"]} == {
        name: -4500 for name in LAW if name.startswith(("nzd5", "nzeb")) or name == "vic2002-crown"
    }
    assert {row["outcome"]["winner"] for row in rows.values()} == {"banker"}  # type: ignore[index]


def test_an_edition_that_refuses_says_why_and_the_others_are_compared_with_the_first_that_does_not() -> None:
    rows = {row["edition"]: row for row in across_editions(read_line("nzd5 player 100, banker 100: 9h 2d Kc 5s"))}
    assert "NZ1998-5.2.tail" in str(rows["nz1998"]["refused"])
    assert "net" not in rows["nz1998"]
    assert (rows["nzd5"]["net"], rows["nzd5"]["difference"], rows["vic2002"]["difference"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("position", "due"),
    [
        ("nz1998 2h 3d Kc", "deal banker"),
        ("nz1996 blackjack 8h 6d 3c", "choose box 1: hit|double"),
        ("nz1996 caribbean_stud Ah", "deal dealer"),
        ("nz1996 craps 3-3", "roll shooter"),
        ("nz1996 roulette", "spin dealer"),
    ],
)
def test_any_position_of_any_game_can_be_asked_what_is_due(position: str, due: str) -> None:
    assert as_json(adjudicate(read_position(position)))["due"] == due


def test_a_case_in_one_line() -> None:
    case = read_line("nzd5/full no_commission decks=6 banker 12.50, tie 5: 2h 3d Kc")
    assert (case.edition, case.version, case.elections) == ("nzd5", "full", {"no_commission": True, "decks": "6"})
    assert [(each.on, each.amount) for each in case.wagers] == [("banker", 1250), ("tie", 500)]
    assert case.facts == ("2h", "3d", "Kc")
    assert read_line("nz1998 baccarat tie 5: 2").game == "baccarat"
    position = as_json(adjudicate(read_position("nz1998 2 3 K Q")))
    assert (position["due"], position["due_rule"]) == ("deal player", "NZ1998-9.3")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "colon"),
        ("nz1998 banker 100 2h", "a colon and a space"),
        (": 2h", "name the edition"),
        ("nz1997 banker 100: 2h", "'nz1997'"),
        ("nz1996/maxi banker 100: 2h", "'maxi'"),
        ("nz1998 banker: 2h", "'banker'"),
        ("nz1998 banker 1.005: 2h", "1.005"),
        ("nz1998 banker -5: 2h", "'-5'"),
        ("nz1998 banker 0: 2h", "'0'"),
        ("nz1998 banker 100 tie 5: 2h", "'banker 100 tie 5'"),
    ],
)
def test_a_line_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(BadInput) as error:
        read_line(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------- bad input

ACES = {"edition": "nzd5", "elections": {"decks": 4}}
FIVE = [{"facts": ["Ah", "Ah", "Ah", "Ah", "2c", "9d"]}, {"facts": ["Ah"]}]
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "card": ({"facts": ["2h", "11h"]}, "'11h'"),
    "letters": ({"facts": ["Xh"]}, "'Xh'"),
    "empty fact": ({"facts": [" "]}, "' '"),
    "fact": ({"facts": [5]}, "facts[0]"),
    "object": ({"facts": [{"shout": "x"}]}, "shout"),
    "nothing in an object": ({"facts": [{"take": "", "by": "ann"}]}, "take says nothing"),
    "key in a fact": ({"facts": [{"irregular": "excess_card", "karte": "5h"}]}, "'karte'"),
    "circumstance": ({"facts": [{"irregular": "earthquake"}]}, "'earthquake'"),
    "irregular card": ({"facts": [{"irregular": "excess_card", "card": "5x"}]}, "'5x'"),
    "disclosed": ({"facts": [{"irregular": "excess_card", "disclosed": "yes"}]}, "disclosed"),
    "negative": ({"wagers": [wager("tie", -5)]}, "-5"),
    "zero": ({"wagers": [wager("tie", 0)]}, ": 0"),
    "fraction": ({"wagers": [wager("tie", 0.5)]}, "$.wagers[0].amount"),  # type: ignore[arg-type]
    "absurd": ({"wagers": [wager("tie", 10**12 + 1)]}, "1000000000001"),
    "absurd by far": ({"wagers": [wager("tie", 10**40)]}, "1" + "0" * 40),
    "no amount": ({"wagers": [{"on": "tie"}]}, "amount"),
    "at": ({"wagers": [wager("tie", at=6)]}, "at 6 in a round of 5 facts"),
    "at before": ({"wagers": [wager("tie", at=-1)]}, "at -1"),
    "box": ({"wagers": [wager("tie", box=0)]}, "box"),
    "craps": ({"wagers": [wager("tie", craps=5)]}, "craps"),
    "key": ({"wager": []}, "wager"),
    "type": ({"facts": "2h"}, "$.facts"),
    "edition": ({"edition": "nz1997"}, "'nz1997'"),
    "version": ({"version": "maxi"}, "'maxi'"),
    "game": ({"game": "poker"}, "'poker'"),
    "both": ({"rounds": [{}]}, "either rounds"),
    "sign": ({"sign": {"chip": 0}}, "chip"),
    "negative sign": ({"sign": {"maximum": -1}}, "maximum"),
    "limits": ({"sign": {"minimum": 101, "maximum": 100}}, "101 and 100"),
    "differential": ({"sign": {"differential": [101, 100]}}, "101 and 100"),
    "fifth ace": (ACES | {"version": "mini", "wagers": [], "facts": [], "rounds": FIVE}, "Ah appears 5 times"),
    "no suit": (
        {"edition": "nzd5", "version": "mini", "wagers": [wager("tie"), wager("perfect_pairs")], "facts": ["8"]},
        "'8': perfect_pairs depends on the suit",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_that_names_it(name: str) -> None:
    change, words = BAD[name]
    with pytest.raises(BadInput) as error:
        heard(CASE | change)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"wagers": [wager("pair")]}, "NZ1998-5.1"),
        ({"wagers": [wager("banker"), wager("player")]}, "NZ1998-5.2.tail"),
        ({"wagers": [wager("tie", at=1)]}, "NZ1998-5.10a"),
        ({"facts": ["9h", "2d", "Kc", "5s", "4h"]}, "NZ1998-9.2"),
        ({"facts": ["2h", "stand"]}, "NZ1998-8.3"),
        ({"facts": ["2h", {"perform": "void round", "detail": "NZ1998-12.7"}]}, "NZ1998-8.3"),
        ({"facts": ["2h", {"irregular": "disruption"}]}, "NZ1996-I-8.1"),
        ({"elections": {"decks": 7}}, "NZ1998-3.4a"),
        ({"elections": {"no_commission": True}}, ""),
        ({"elections": {"nonsense": 1}}, ""),
    ],
)
def test_what_the_rules_refuse_names_the_rule_and_settles_nothing(change: dict[str, Any], rule: str) -> None:
    with pytest.raises((Refused, NotPermitted)) as error:
        heard(CASE | change)
    if rule and isinstance(error.value, Refused | NotPermitted):
        carries(error.value.refusal if isinstance(error.value, Refused) else error.value, rule)
    assert rule in str(error.value)
    assert "\n" not in str(error.value)


def test_as_many_aces_as_the_packs_hold_are_believed() -> None:
    assert heard(ACES | {"rounds": [FIVE[0]]})["over"]
    continuous = {"decks": 4, "shuffler": "continuous"}
    assert heard({"edition": "nzd5", "elections": continuous, "rounds": FIVE})["due"] == "deal banker"
    kings = [{"facts": ["K", "9", "K", "K"]}] * 11
    assert len(heard({"edition": "nz1998", "rounds": kings[:10]})["rounds"]) == 10
    with pytest.raises(BadInput, match="'K': 33 cards of one rank"):
        heard({"edition": "nz1998", "rounds": kings})


OWN = 'source = "House sheet 7"\nnatural = 2\n[margins]\n9 = 25\n1 = 1\n'
SPOILT = [
    ("natural = 2", ""),
    ("9 = 25", "9 = 2.5"),
    ("9 = 25", "10 = 25"),
    ("9 = 25", "9 = 0"),
    ("9 = 25", "nine = 25"),
]
SPOILT += [("House sheet 7", " "), ("natural = 2", "natural = true"), ("natural = 2", "natural = 2\nextra = 1")]


@pytest.mark.parametrize(
    "text", ["reno", "source = 1", 'source = "x"\nnatural = 1\nmargins = 3', *(OWN.replace(*each) for each in SPOILT)]
)
def test_a_pay_scale_that_cannot_be_read_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(NotPermitted, match="dragon_bonus=") as no:
        heard({"edition": "nzeb", "elections": {"dragon_bonus": text}, "facts": []})
    carries(no.value, "NZEB-11B.1")
    assert "\n" not in str(no.value)
    assert margin_bet(OWN, "NZEB-11B.1").source == "House sheet 7"


# ---------------------------------------------------------------- anything at all


@st.composite
def spoilt_cases(draw: st.DrawFn) -> dict[str, Any]:
    """A good case in which one thing, at any depth, was replaced by anything."""
    edition = {"edition": draw(st.sampled_from(list(BACCARAT.editions))), "version": "", "elections": {"decks": 8}}
    case: dict[str, Any] = json.loads(json.dumps(CASE | edition))
    here: Any = case
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return case
        key = draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list) or draw(st.booleans()):
            here[key] = draw(json_values)
            return case
        here = here[key]


@settings(max_examples=300, deadline=None)
@given(spoilt_cases())
def test_a_spoilt_case_is_heard_or_refused_in_one_line(case: dict[str, Any]) -> None:
    message = ""
    try:
        answer = heard(case)
    except (BadInput, Refused, NotPermitted) as error:
        message = str(error) or "nothing\nsaid"
    else:
        assert all(line["returned"] >= 0 for line in answer["settlements"])
    assert "\n" not in message
    assert len(message) < 600


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        cards.map(CardSeen),
        irregular_facts,
        st.builds(Chosen, option=st.sampled_from(["stand", "hit"]), by=bettors, amount_cents=st.integers(1, 500)),
        st.builds(
            Called, call=st.sampled_from(["take", "nominate", "on"]), by=bettors, on=st.sampled_from(["banker", ""])
        ),
        st.builds(Performed, act=st.just("burn"), by=bettors, detail=st.integers(1, 9) | st.just("face up")),
    )
)
def test_facts_are_written_as_they_are_read(fact: Fact) -> None:
    for due in (Deal("player", "NZ1998-8.3"), Over("NZ1998-9.2")):
        assert read_fact(msgspec.json.decode(msgspec.json.encode(write_fact(fact))), due) == fact


def test_the_hearing_is_the_round_itself() -> None:
    """The same wagers and cards through `round` and through JSON come to the same."""
    this = go_on(played(LAW["nz1998-full"], bet("banker", 100, "a"), bet("tie", 5, "a")), "2h 3d Kc Qs 8h")
    answer = heard(CASE | {"wagers": [wager("banker", 10000, by="a"), wager("tie", 500, by="a")]})
    assert [(line["result"], f"{line['returned'] // 100}") for line in answer["settlements"]] == results(this)
    assert answer["due_rule"] == this.due.rule


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", "NZ1996-I-14.2a"), ("vic2002", "VIC2002-7.3.1")])
def test_a_wager_below_the_minimum_is_heard_once_a_bettor(edition: str, rule: str) -> None:
    wagers = [
        {"on": "player", "amount": 900, "by": "ann"},
        {"on": "player", "amount": 900, "by": "ann"},
        {"on": "player", "amount": 900, "by": "bob"},
        {"on": "player", "amount": 1000, "by": "ann"},
    ]
    case = {"game": "baccarat", "edition": edition, "sign": {"minimum": 1000}, "wagers": wagers}
    settlements = as_json(adjudicate(read_case(json.dumps({**case, "facts": ["9h", "2d", "Kc", "5s"]}))))["settlements"]
    assert [each["result"] for each in settlements] == ["won", "void", "won", "won"]  # type: ignore[attr-defined]
    void = settlements[1]  # type: ignore[index]
    assert (void["returned"], void["voided"], void["rule"]) == (900, 900, rule)


def test_wagers_are_told_in_the_order_given_whenever_they_were_placed() -> None:
    late = [("place:6", 6000, 1), ("pass", 1000, 0), ("buy:4", 2000, 2), ("come", 500, 1)]
    wagers = [{"on": on, "amount": amount, "at": at} for on, amount, at in late]
    answer = heard({"game": "craps", "edition": "nz1996", "wagers": wagers, "facts": ["2-3", "1-2", "3-4"]})
    told = [(line["on"], line["amount"], line["result"]) for line in answer["settlements"]]
    assert told == [
        ("place:6", 6000, "lost"),
        ("pass", 1000, "lost"),
        ("buy:4", 2000, "lost"),
        ("come", 500, "lost"),
    ]
    both = {"wagers": wagers[:3], "facts": ["2-3", "1-2", "3-4"]}
    again = heard({"game": "craps", "edition": "nz1996", "rounds": [both, {"wagers": wagers[1:2], "facts": ["3-4"]}]})
    assert [line["on"] for line in again["settlements"]] == ["place:6", "pass", "buy:4", "pass"]
