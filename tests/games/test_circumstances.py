"""What can go wrong is data: every field that a declaration needs is listed, and its words are those of the law."""

from __future__ import annotations

import pytest

from croupier.ceremony import Act, Order
from croupier.game import Choose, Deal, Perform, Remedy, told
from croupier.game.circumstances import Circumstance, one_of, unambiguous
from croupier.games import GAMES
from croupier.games.baccarat.ceremonies.sitting import STYLES, BaccaratSitting, holds
from croupier.games.baccarat.rules import BaccaratCase, BaccaratRules
from croupier.law.conditions import CaseWhen, OnCall, conditions
from croupier.law.model import Law, cites, laws_in
from croupier.law.ruleset import Ruleset
from croupier.rulesets import every_ruleset

EVERY = [(game.name, entry) for game in GAMES.values() for entry in game.circumstances.values()]


def test_a_reason_tells_what_is_due_in_words_and_leaves_names_alone() -> None:
    assert told(Choose("ann_b", ("accept_dice", "decline_dice"), "X-4.3")) == "choose ann_b: accept dice|decline dice"
    assert told(Perform("no_taker", "dealer", "X-5.9")) == "no taker by dealer"
    assert told(Deal("player", "9.3")) == "deal player"


@pytest.mark.parametrize(("game", "entry"), EVERY, ids=lambda each: each if isinstance(each, str) else each.name)
def test_what_stands_in_brackets_is_a_field(game: str, entry: Circumstance) -> None:
    assert GAMES[game].circumstances[entry.name] is entry
    for name, field in (("to", entry.to), ("call", entry.call)):
        assert field is not None or f"{name}: " not in entry.note
        assert field is None or not (field.options and field.examples)
    assert entry.found == any(word in entry.note for word in ("found", "reconstruct"))
    assert entry.card or not entry.disclosed


@pytest.mark.parametrize("name", GAMES)
def test_every_call_that_a_case_asks_for_is_offered(name: str) -> None:
    game = GAMES[name]
    for ruleset in every_ruleset((game,)):
        for circumstance, cases in game.irregularities(ruleset.rules).items():
            entry = game.circumstances[circumstance]
            each = {each for law in cases for each in conditions(law.value.when)}
            asked = {this.call for this in each if isinstance(this, OnCall)}
            offered = entry.call.tried if entry.call else ()
            assert asked <= set(offered), f"{name} {circumstance}"


def test_words_to_choose_from_say_themselves() -> None:
    assert one_of("player", "banker").says == "player or banker"
    assert Circumstance("x", "it happened", "call: void", call=one_of("void")).text == "it happened (call: void)"


# ---------------------------------------------------------------- which case applies


def cases(*whens: CaseWhen) -> dict[str, tuple[Law[BaccaratCase], ...]]:
    law = cites("VIC2002")
    return {"excess_card": tuple(law(BaccaratCase(when, Remedy.DISCARD), "11.4") for when in whens)}


@pytest.mark.parametrize(
    "whens",
    [
        ("seen", ""),
        (("seen", "shoe ended"), "seen"),
        ("seen", ("otherwise", "shoe ended")),
        ("seen", "unseen"),
        (OnCall("void"), OnCall("stand")),
    ],
)
def test_a_table_says_which_of_its_cases_comes_first(whens: tuple[CaseWhen, ...]) -> None:
    table = cases(*whens)
    assert unambiguous(table, ("seen", "unseen", "shoe ended"), frozenset(("seen", "unseen"))) is table


@pytest.mark.parametrize(
    ("whens", "why"),
    [
        (("seen", "shoe ended"), "may both apply"),
        (("", "seen"), "may both apply"),
        (("", ""), "may both apply"),
        ((OnCall("void"), "shoe ended"), "may both apply"),
        (("sene",), "no condition 'sene' is known"),
        (("seen, unseen",), "no condition 'seen, unseen' is known"),
        ((("otherwise", "sene"),), "no condition 'sene' is known"),
    ],
)
def test_two_cases_that_could_both_apply_or_a_word_that_nobody_knows_make_no_edition(
    whens: tuple[CaseWhen, ...], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        unambiguous(cases(*whens), ("seen", "unseen", "shoe ended"))


@pytest.mark.parametrize("rules", every_ruleset((GAMES["baccarat"],)), ids=lambda rules: rules.label)
def test_every_condition_of_a_ceremony_is_one_that_the_game_knows(rules: Ruleset[BaccaratRules]) -> None:
    acts = [law.value for _, law in laws_in(rules.rules) if isinstance(law.value, Act | Order) and law.value.when]
    assert acts
    for act in acts:
        holds(rules.rules, BaccaratSitting(), tuple(word.format(hand="player") for word in conditions(act.when)))
    named = {word for act in acts for word in conditions(act.when)} & {*STYLES}
    assert named <= {f"style {style}" for style in rules.rules.ceremony.styles}
    for unknown in ("style Z", "raining", "between rounds, no wagers"):
        with pytest.raises(KeyError, match=unknown):
            holds(rules.rules, BaccaratSitting(), unknown)
