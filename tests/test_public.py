"""The public package as a programmer meets it: what it lists, what its objects look like, what it raises."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterable
from types import FunctionType

import pytest
from rich.console import Console

import croupier

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
