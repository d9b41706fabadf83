"""The public package as a programmer meets it: what it lists, what its objects look like, what it raises."""

from __future__ import annotations

import copy
import doctest
import io
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import FunctionType
from typing import Any

import pytest
from rich.console import Console

import croupier
from croupier.rulesets import every_ruleset

RULES = croupier.ruleset("nz1998")
MADE: dict[str, Callable[[], object]] = {
    "ruleset": lambda: RULES,
    "ruleset of craps": lambda: croupier.ruleset("nz1996", game="craps"),
    "sheet": lambda: croupier.odds(croupier.ruleset("nz1996", game="craps")),
    "adjudication": lambda: croupier.adjudicate("nz1998 banker 100, tie 10: 2h 3d Kc Qs 8h"),
    "result": lambda: croupier.simulate(croupier.ruleset("nz1996", game="roulette"), rounds=1000, seed=7),
    "table": lambda: croupier.Table(RULES),
    "rule": lambda: croupier.search("third card", edition="nz1998")[0],
}


@pytest.mark.parametrize("name", MADE)
def test_a_repr_fits_a_line(name: str) -> None:
    text = repr(MADE[name]())
    assert 10 < len(text) <= 200
    assert "\n" not in text
    assert "nz199" in text.lower()


def test_the_parts_of_what_is_made_fit_a_line_too() -> None:
    betting = croupier.simulate(RULES, rounds=2000, strategy="martingale", session=100, exact=False)
    parts = [
        *(croupier.search("third card"), croupier.odds(RULES).lines, betting.lines),
        *((betting.betting,), (betting.sessions,)),
    ]
    for part in parts:
        assert part
        for each in part:
            assert 10 < len(repr(each)) <= 200
            assert "\n" not in repr(each)


def test_whatever_a_user_can_reach_fits_a_line() -> None:
    """All that hangs on what the package gives: rules and their law, the game, the round, the book, the sitting."""
    seen = dict[int, object]()
    for game in croupier.games():
        for edition in croupier.editions(game):
            rules = croupier.ruleset(edition, game=game)
            reach(rules, seen)
            reach(croupier.Table(rules), seen)
    for name, make in MADE.items():
        if name != "result":
            reach(make(), seen)
    own = [each for each in seen.values() if type(each).__module__.startswith("croupier")]
    kinds = {type(each).__name__ for each in own}
    assert {"Ruleset", "Edition", "BaccaratRules", "Game", "Round", "LiveTable", "Ranking", "BookLine"} <= kinds
    assert [type(each).__name__ for each in own if len(repr(each)) > 200 or "\n" in repr(each)] == []


def reach(this: object, seen: dict[int, object], deep: int = 6) -> None:
    if id(this) in seen or not deep:
        return
    seen[id(this)] = this
    inside: Iterable[object] = ()
    if isinstance(this, tuple | list):
        inside = this[:5]
    elif isinstance(this, dict):
        inside = list(this.values())[:5]
    elif type(this).__module__.startswith("croupier") and not isinstance(this, type | FunctionType):
        slots = getattr(this, "__slots__", ()) or getattr(this, "__struct_fields__", ())
        inside = [getattr(this, name, None) for name in (*slots, *getattr(this, "__dict__", {}))]
    for each in inside:
        reach(each, seen, deep - 1)


def test_a_case_may_be_a_line_or_an_object() -> None:
    given = {
        "edition": "nz1998",
        "wagers": [{"on": "banker", "amount": 10_000}],
        "facts": ["2h", "3d", "Kc", "Qs", "8h"],
    }
    assert croupier.adjudicate(given).to_dict() == croupier.adjudicate("nz1998 banker 100: 2h 3d Kc Qs 8h").to_dict()
    for wrong in ({**given, "wager": 3}, {**given, "facts": 7}, 7):
        with pytest.raises(croupier.BadInput, match="the case cannot be read"):
            croupier.adjudicate(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["sheet", "adjudication", "result", "table", "ruleset", "rule"])
def test_what_people_look_at_has_rows_and_is_drawn_from_them(name: str) -> None:
    thing = MADE[name]()
    if name == "table":
        assert isinstance(thing, type(croupier.Table(RULES)))
        thing.open(minimum=1_000, maximum=100_000)
        thing.sit("<ann>", 4, chips=50_000)
    rows = thing.rows()  # type: ignore[attr-defined]
    assert rows
    assert all(list(row) == list(rows[0]) for row in rows)
    page = thing._repr_html_()  # type: ignore[attr-defined]
    assert page.count("<tr>") == min(len(rows), 60) + 1
    assert "<ann>" not in page
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(thing)
    first = next(iter(rows[0].values()))
    assert str(first) in console.export_text()
    assert thing.to_dict()  # type: ignore[attr-defined]


def test_the_edge_means_the_same_in_odds_and_in_simulation() -> None:
    rules = croupier.ruleset("nz1996", game="money_wheel")
    exact, played = croupier.odds(rules).line("A"), croupier.simulate(rules, rounds=200_000, seed=3).line("A")
    low, high = played.interval
    assert low < played.edge < high
    assert abs(played.edge - float(exact.edge)) < 5 * played.error
    assert played.z is not None
    assert (played.z > 0) == (played.edge > float(exact.edge))


def test_everything_that_is_raised_is_an_error_of_croupier() -> None:
    for wrong in (
        lambda: croupier.ruleset("nz1999"),
        lambda: croupier.ruleset("nzd5", elections={"decks": 9}),
        lambda: croupier.adjudicate("nz1998 banker 100, player 100: 2h 3d Kc Qs 8h"),
        lambda: croupier.odds(RULES).line("bankr"),
        lambda: croupier.versions("nz1997"),
        lambda: croupier.search("card", edition="nz1997"),
    ):
        with pytest.raises(croupier.Error) as raised:
            wrong()
        assert "\n" not in str(raised.value)


CRAPS = croupier.ruleset("nz1996", game="craps")
BLACKJACK = croupier.ruleset("nz1996", game="blackjack")
STUD = croupier.ruleset("nz1996", game="caribbean_stud")
WRONG: tuple[Any, ...] = (None, 7, 1.5, b"x", ["a"], {"a": 1}, object(), "", "x" * 5000)


def _or(wrong: Any, other: Any) -> Any:
    """Another wrong thing where nothing is no mistake."""
    return wrong or other


def _named(wrong: Any) -> Any:
    """As a name of something, which must stay what it is."""
    return repr(wrong) if isinstance(wrong, list | dict) else wrong


def _but(wrong: Any, other: Any) -> Any:
    """Another wrong thing where a number is none."""
    return other if wrong == 7 else wrong


PUBLIC: dict[str, Callable[[Any], object]] = {
    "ruleset": croupier.ruleset,
    "game": lambda wrong: croupier.ruleset("nz1998", game=wrong),
    "elections": lambda wrong: croupier.ruleset("nz1998", elections=_or(wrong, 7)),
    "name of an election": lambda wrong: croupier.ruleset("nz1998", elections={_named(wrong): 8}),
    "name of a reading": lambda wrong: croupier.ruleset("nz1998", readings={_named(wrong): "x"}),
    "readings": lambda wrong: croupier.ruleset("nz1998", readings=_or(wrong, 7)),
    "on": lambda wrong: croupier.ruleset(on=_or(wrong, 7)),
    "odds": croupier.odds,
    "shoe of odds": lambda wrong: croupier.odds(RULES, shoe=_or(wrong, 7)),
    "pool": lambda wrong: croupier.odds(RULES, pool_cents=_or(wrong, -1)),
    "odds_each": lambda wrong: croupier.odds_each(wrong, []),
    "shoes": lambda wrong: list(croupier.odds_each(RULES, [wrong])),
    "versions": croupier.versions,
    "editions": lambda wrong: croupier.editions(_or(wrong, 7)),
    "what may be elected": croupier.elections,
    "wagers": croupier.wagers,
    "search": lambda wrong: croupier.search(" " if isinstance(wrong, str) else wrong),
    "edition of a search": lambda wrong: croupier.search("card", edition=_or(wrong, 7)),
    "adjudicate": croupier.adjudicate,
    "rules of a shoe": lambda wrong: croupier.shoe(wrong, "player,banker\n"),
    "coups": lambda wrong: croupier.shoe(RULES, wrong),
    "Table": croupier.Table,
    "name of a table": lambda wrong: croupier.Table(RULES, name=" " if isinstance(wrong, str) else wrong),
    "simulate": lambda wrong: croupier.simulate(wrong, rounds=10),
    "rounds": lambda wrong: croupier.simulate(CRAPS, rounds=_but(wrong, -1)),
    "seed": lambda wrong: croupier.simulate(CRAPS, rounds=1, seed=_but(wrong, -1)),
    "strategy": lambda wrong: croupier.simulate(CRAPS, rounds=1, strategy=_or(wrong, 7)),
    "executor": lambda wrong: croupier.simulate(CRAPS, rounds=1, executor=_or(wrong, 7)),
    "behind": lambda wrong: croupier.simulate(RULES, rounds=1, behind=_or(_but(wrong, -1), "x")),
    "what a plan answers": lambda wrong: croupier.simulate(CRAPS, rounds=1, strategy=lambda _: _or(wrong, 7)),
    "what a strategy answers": lambda wrong: croupier.simulate(RULES, rounds=1, strategy=lambda _: wrong),
    "line of a chart": lambda wrong: croupier.simulate(BLACKJACK, rounds=1, strategy={_named(wrong): "stand"}),
    "words of a chart": lambda wrong: croupier.simulate(BLACKJACK, rounds=1, strategy={"hard 12": wrong}),
    "strategy of stud": lambda wrong: croupier.simulate(STUD, rounds=1, strategy=_or(wrong, 7)),
    "boxes": lambda wrong: croupier.simulate(CRAPS, rounds=1, boxes=wrong),
    "stakes": lambda wrong: croupier.simulate(CRAPS, rounds=1, wagers=_or(wrong, 7)),
    "progress": lambda wrong: croupier.simulate(CRAPS, rounds=1, progress=_or(wrong, 7)),
    "row": lambda wrong: croupier.odds(RULES).of(wrong),
    "line": lambda wrong: croupier.odds(RULES).line(wrong),
    "minimum": lambda wrong: croupier.Table(RULES).open(minimum=_but(wrong, "7"), maximum=100),
    "seat": lambda wrong: croupier.Table(RULES).sit("ann", _but(wrong, "7")),
    "bet": lambda wrong: croupier.Table(RULES).bet("ann", wrong, 100),
    "chips": lambda wrong: croupier.Table(RULES).chips(wrong),
    "story": lambda wrong: croupier.Table(RULES).explain(_but(_or(wrong, -1), -1)),
    "amount": lambda wrong: croupier.Table(RULES).bet("ann", "banker", wrong),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_whatever_is_given_wrongly_is_answered_in_one_line(name: str) -> None:
    for wrong in WRONG:
        with pytest.raises(croupier.Error) as raised:
            PUBLIC[name](wrong)
        assert 10 < len(str(raised.value)) <= 500
        assert "\n" not in str(raised.value)


def _thrown(plan: object) -> object:
    return croupier.simulate(CRAPS, rounds=1, strategy=plan)


def test_a_mistake_says_how_it_is_meant() -> None:
    mistakes: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: croupier.odds("nz1998"), r"as in croupier\.ruleset\('nz1998'\)"),  # type: ignore[arg-type]
        (lambda: croupier.odds(RULES).of("bankr"), "unknown wager 'bankr'.*banker"),
        (lambda: croupier.odds(CRAPS).of("dont_pas"), "near to it are dont_pass"),
        (lambda: croupier.odds(RULES).line("banker", "flat"), "unknown policy of banker 'flat'"),
        (lambda: croupier.odds(RULES, pool_cents=100), "a jackpot's, and baccarat has none"),
        (lambda: croupier.odds(STUD, pool_cents=10**13, stake_cents=100), "pool_cents is a whole number from 0 to"),
        (lambda: croupier.ruleset(""), "name the edition; baccarat has nz1996, nz1998"),
        (lambda: croupier.ruleset(venue="christchurch"), "venue 'christchurch' alone does not choose the law"),
        (lambda: croupier.ruleset("\0.toml"), r"no file can have the name '\\x00\.toml'"),
        (lambda: croupier.adjudicate({"edition": "nz1998", "facts": [""]}), "a fact that says nothing: ''"),
        (lambda: croupier.adjudicate('[Edition "nz1998]\n1. tie 1: 2h'), r"line 1: neither a tag .*'\[Edition'"),
        (lambda: _thrown(lambda _: [("pas", 1)]), "unknown wager of a plan 'pas'; near to it are pass"),
        (lambda: _thrown(lambda _: [("pass", -1)]), "pass is staked in whole units to 1000000: -1"),
        (lambda: _thrown({"place:7": 1}), "unknown wager 'place:7'; near to it are place:"),
        (lambda: croupier.simulate(BLACKJACK, rounds=1, strategy={"hard 8-4": "hit"}), "'hard 8-4': 8 is above 4"),
    )
    for wrong, said in mistakes:
        with pytest.raises(croupier.BadInput, match=said):
            wrong()


def test_the_examples_of_the_public_functions_run() -> None:
    failed, tried = doctest.testmod(croupier)
    assert failed == 0
    assert tried > 15


def test_equal_rule_sets_are_one_key_and_travel_to_another_process() -> None:
    own = croupier.ruleset("american.toml")
    named = {made: made.label for made in (*every_ruleset(), croupier.ruleset("nzd5", elections={"decks": 6}), own)}
    assert [named[pickle.loads(pickle.dumps(made))] for made in named] == list(named.values())
    assert pickle.loads(pickle.dumps(own)).hash == own.hash
    assert copy.deepcopy(croupier.odds(RULES)) == croupier.odds(RULES)
    with pytest.raises(pickle.PicklingError, match="its names do not choose"):
        pickle.dumps(replace(RULES, rules=replace(RULES.rules, one_more=RULES.rules.seats)))


def test_a_refusal_is_told_by_another_process_with_its_rule() -> None:
    with pytest.raises(croupier.Refused) as raised:
        croupier.adjudicate("nz1998 banker 100, player 100: 2h")
    told = pickle.loads(pickle.dumps(raised.value))
    assert (str(told), told.rule) == (str(raised.value), "NZ1998-5.2.tail")


def test_a_search_finds_every_rule_and_not_only_those_that_fit_a_screen() -> None:
    assert len(croupier.search("card")) > 500


def test_what_there_is() -> None:
    assert croupier.games() == (
        "baccarat",
        "blackjack",
        "roulette",
        "tai_sai",
        "money_wheel",
        "caribbean_stud",
        "craps",
    )
    assert set(croupier.editions()) == {"nz1996", "nz1998", "nzd5", "nzeb", "vic2002"}
    assert croupier.elections(RULES)["style"] == ("A", "B", "C")
    assert "NZ1998-9.4" in {rule.id.removesuffix(".s1") for rule in croupier.search("third card", edition="nz1998")} | {
        rule.id for rule in croupier.search("9.4", edition="nz1998")
    }


def test_the_public_names_are_all_that_is_shown_and_importing_is_light() -> None:
    code = (
        "import sys, croupier; print(*dir(croupier)); "
        "print(*{'numpy', 'rich', 'msgspec', 'croupier.games', 'croupier.law'} & set(sys.modules))"
    )
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert set(lines[0].split()) == {*croupier.__all__, "__version__"}
    assert lines[1] == ""


def test_a_table_is_asked_in_commands_and_told_facts() -> None:
    table = croupier.Table(croupier.ruleset("nz1996", game="roulette"))
    table.open(minimum=100, maximum=1000)
    for wrong in (None, 5, "Sit"):
        with pytest.raises(croupier.BadInput, match="what is asked is a command"):
            table.ask(wrong)  # type: ignore[arg-type]
    for fact in (None, 1.5, ["17"]):
        with pytest.raises(croupier.BadInput, match="a fact is a text, or values by name"):
            table.tell(fact)  # type: ignore[arg-type]
    with pytest.raises(croupier.BadInput, match="by is a text"):
        table.tell("17", by=5)  # type: ignore[arg-type]
