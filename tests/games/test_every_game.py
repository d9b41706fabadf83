"""What holds for every game, whatever its rules: driven by the interface alone, with legal and illegal facts.

No exception; what the rules refuse changes nothing and names a rule; money stays within what was staked and can be won;
every wager has one resolution in force; the same facts give the same end.  The made-up game passes the same tests.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.exact.sheet import sheet
from croupier.game import (
    AnyGame,
    BallFell,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    DiceFell,
    Fact,
    Irregular,
    Performed,
    Refusal,
    Roll,
    Spin,
    Wager,
    WheelStopped,
)
from croupier.games import GAMES
from croupier.hearing import adjudicate, as_json, read_case
from croupier.law.editions import EDITIONS
from croupier.law.ruleset import Ruleset
from croupier.notation import read_fact, write_fact
from croupier.round import AnyRound, happen, open_round, place, settle
from croupier.rulesets import every_ruleset, ruleset
from tests.helpers.made_up_game import DOCUMENT, THREE_COLOURS

ALL = {**GAMES, THREE_COLOURS.name: THREE_COLOURS}
SITUATIONS = [(rules.game, rules.rules) for rules in every_ruleset()] + [
    (THREE_COLOURS.name, THREE_COLOURS.editions["made"]["wheel"])
]


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, THREE_COLOURS.name, THREE_COLOURS)
    monkeypatch.setitem(EDITIONS, DOCUMENT.key, DOCUMENT)


def answers(draw: st.DrawFn, game: AnyGame, rules: Any, due: Demand) -> Fact:
    """A fact that may answer the demand, mostly."""
    if game.chances is not None and isinstance(due, Roll | Spin) and draw(st.integers(0, 9)):
        thrown: Fact = draw(st.sampled_from(game.chances(rules).outcomes))
        return thrown
    match due:
        case Deal():
            return CardSeen(draw(st.integers(0, 51)))
        case Choose(by=by, options=options):
            return draw(st.sampled_from([Chosen(option) for option in options] + [Chosen(options[0], by=by)]))
        case _:
            return anything(draw, game)


def anything(draw: st.DrawFn, game: AnyGame) -> Fact:
    """Any fact at all, from any game."""
    circumstances = st.sampled_from(sorted(game.circumstances) or ["none"])
    cards = st.one_of(st.none(), st.integers(0, 51))
    fact: Fact = draw(
        st.one_of(
            st.builds(CardSeen, st.integers(0, 51)),
            st.builds(DiceFell, st.tuples(st.integers(1, 6), st.integers(1, 6))),
            st.builds(DiceFell, st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))),
            st.builds(BallFell, st.integers(0, 36)),
            st.builds(WheelStopped, st.sampled_from("ABCDEFG")),
            st.builds(
                Chosen, st.sampled_from(["stand", "hit", "split", "double", "fold", "bet", "insure", "nonsense"])
            ),
            st.builds(Performed, st.sampled_from(["wash", "cut", "nonsense"])),
            st.builds(
                Irregular,
                circumstances,
                card=cards,
                disclosed=st.booleans(),
                call=st.sampled_from(["", "void", "reconstruct", "nonsense"]),
                by=st.sampled_from(["", "dealer", "casino supervisor"]),
            ),
        )
    )
    return fact


@st.composite
def rounds(draw: st.DrawFn) -> tuple[AnyRound, AnyRound, list[Fact]]:
    """A round before any fact, after some facts, and the facts that were accepted."""
    name, rules = draw(st.sampled_from(SITUATIONS))
    game = ALL[name]
    names = game.wagers(rules)
    this = open_round(game, rules)
    for box in range(1, draw(st.integers(1, 3)) + 1):
        on = draw(st.sampled_from(names))
        placed = place(this, (Wager(on, draw(st.integers(1, 10**7)), by=f"seat {box}", box=box),))
        if not isinstance(placed, Refusal):
            this = placed
    start, facts = this, []
    for _ in range(draw(st.integers(0, 25))):
        fact = answers(draw, game, rules, this.due) if draw(st.integers(0, 5)) else anything(draw, game)
        after = happen(this, fact)
        if isinstance(after, Refusal):
            assert after.reason
            assert after.rule
            continue
        facts.append(fact)
        this = after
    return start, this, facts


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(rounds())
def test_any_facts_at_all_leave_the_books_in_order(played: tuple[AnyRound, AnyRound, list[Fact]]) -> None:
    start, end, facts = played
    rounding = end.game.rounding(end.rules)
    for entry in end.book:
        money = settle(entry, rounding, end.sign.chip)
        staked = entry.wager.stake_cents + entry.wager.voided_cents + entry.wager.fee_cents
        assert money.returned_cents >= 0
        assert money.pays_cents >= 0
        if money.result == "open":
            assert money.returned_cents == 0
        elif money.result != "won":
            assert money.returned_cents <= staked
            assert money.rule
    again = start
    for fact in facts:
        after = happen(again, fact)
        assert not isinstance(after, Refusal)
        again = after
    assert again == end, "the same facts give the same end"


@settings(max_examples=75, deadline=None, suppress_health_check=list(HealthCheck))
@given(rounds())
def test_every_fact_can_be_written_down_and_read_back(played: tuple[AnyRound, AnyRound, list[Fact]]) -> None:
    start, _, facts = played
    this = start
    for fact in facts:
        assert read_fact(write_fact(fact), this.due) == fact
        after = happen(this, fact)
        assert not isinstance(after, Refusal)
        this = after


@pytest.mark.parametrize(("name", "rules"), SITUATIONS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_fact_out_of_turn_is_refused_with_the_rule_of_what_was_due(name: str, rules: Any) -> None:
    this = open_round(ALL[name], rules)
    wrong = DiceFell((1, 1)) if isinstance(this.due, Deal) else CardSeen(0)
    refused = happen(this, wrong)
    assert isinstance(refused, Refusal)
    assert refused.rule == this.due.rule


# ---------------------------------------------------------------- the made-up game


def test_the_made_up_game_is_adjudicated(registered: None) -> None:
    case = b"""{"game": "three_colours", "edition": "made",
                "wagers": [{"on": "gold", "amount": 500}, {"on": "red", "amount": 500}],
                "facts": [{"irregular": "on_a_line"}, "gold"]}"""
    answer = as_json(adjudicate(read_case(case)))
    assert answer["over"] is True
    lines: Any = answer["settlements"]
    assert [(line["result"], line["pays"], line["rule"]) for line in lines] == [
        ("won", 4000, "MADE-2.3"),
        ("lost", 0, "MADE-2.4"),
    ]
    steps: Any = answer["steps"]
    assert steps[0]["ruling"] == {"remedy": "repeat the act", "rule": "MADE-3.1", "by": "dealer"}


def test_the_made_up_game_has_exact_odds(registered: None) -> None:
    rules: Ruleset[Any] = ruleset("made", game="three_colours")
    edges = {line.wager: line.edge for line in sheet(THREE_COLOURS, rules).lines}
    assert edges == {"red": Fraction(-1, 5), "blue": Fraction(1, 10), "gold": Fraction(1, 10)}
    assert "red favours the player" in sheet(THREE_COLOURS, rules).warnings[0]
