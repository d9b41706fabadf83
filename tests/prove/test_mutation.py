"""The mutation proof: it changes every kind of value, and tells the caught from the escaped."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.game import Remedy
from croupier.games import GAMES
from croupier.law.editions import EDITIONS as DOCUMENTS
from croupier.law.elections import Options, choice
from croupier.law.model import Law, absent, laws_in
from croupier.money import to
from croupier.prove import ProofScope
from croupier.prove.changes import changed
from croupier.prove.mutation import mutants, put

# ---------------------------------------------------------------- changed values


@dataclass(frozen=True)
class Record:
    number: int
    word: str


def values(value: object) -> list[object]:
    return [other for _, other in changed(value)]


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (True, [False]),
        (8, [9, 7]),
        ("void", ["void'"]),
        (Fraction(1, 40), [Fraction(1, 20)]),
        (range(1, 8), [range(2, 9), range(7)]),
        (to(8), [to(9)]),
        (to(1).less(5), [to(2).less(5), to(1)]),
        (frozenset({8, 9}), [frozenset({8}), frozenset({7, 8, 9, 10})]),
        (frozenset({"tie"}), [frozenset()]),
        (frozenset(), [frozenset({-1, 0, 1})]),
        ((1, 2), [(2, 1), (2, 2)]),
        (("a", "a"), [("a'", "a")]),
        ((absent,), [()]),
        ((), [(0,)]),
        ({"a": 1, "b": 2}, [{"a": 2, "b": 2}, {"a": 1}]),
        (Remedy.USE, [Remedy.DISCARD]),
        (Record(1, "x"), [Record(2, "x"), Record(1, "x'")]),
        (choice(8, 7, 6), [Options((8, 7, 6), 7), choice(8, 7)]),
        (choice(8), [Options((8,), 9)]),
        (None, []),
        (absent, []),
    ],
)
def test_every_kind_of_value_is_changed(value: object, others: list[object]) -> None:
    assert values(value) == others


def test_a_moment_is_changed() -> None:
    moment = datetime(1998, 2, 1, tzinfo=UTC)
    assert values(moment) == [datetime(1998, 2, 1, 1, tzinfo=UTC)]


def test_the_laws_on_layouts_are_changed_where_tables_look_them_up() -> None:
    of_layouts = {mutant.name: mutant for mutant in mutants(ProofScope(game="law.areas"))}
    layouts = [layout for edition in DOCUMENTS.values() for layout in edition.layouts.values()]
    assert {law.rule for rules in layouts for _, law in laws_in(rules)} == {
        mutant.law.rule for mutant in of_layouts.values()
    }
    shared = of_layouts["law.areas nzd5/baccarat/mini,nzd5/baccarat/midi,nzeb/baccarat/hybrid per_area: one up"]
    assert shared.keys == (("nzd5", "baccarat", "mini"), ("nzd5", "baccarat", "midi"), ("nzeb", "baccarat", "hybrid"))


def test_every_law_of_every_game_can_be_changed() -> None:
    unchanged = [
        f"{game.name} {edition}/{version} {path}"
        for game in GAMES.values()
        for edition, versions in game.editions.items()
        for version, rules in versions.items()
        for path, law in laws_in(rules)
        if not [other for other in values(law.value) if other != law.value]
    ]
    assert unchanged == []


# ---------------------------------------------------------------- mutants


def test_versions_that_share_a_law_are_changed_together() -> None:
    found = {mutant.name: mutant for mutant in mutants(ProofScope("baccarat", "nzd5"))}
    assert found["baccarat nzd5/mini,midi,full player_draws: without 5"].keys == ("mini", "midi", "full")
    assert "baccarat nzd5/mini seats: one up" in found
    assert len(found) == len(mutants(ProofScope("baccarat", "nzd5")))


@pytest.mark.parametrize("size", [1, 7, 20])
def test_a_sample_is_spread_and_always_the_same(size: int) -> None:
    everything, some = mutants(ProofScope("baccarat")), mutants(ProofScope("baccarat", sample=size))
    assert len(some) == size
    assert some == mutants(ProofScope("baccarat", sample=size))
    places = [everything.index(mutant) for mutant in some]
    assert places == [index * len(everything) // size for index in range(size)]


def test_a_scope_without_laws_is_refused() -> None:
    with pytest.raises(ValueError, match="'nz1999'"):
        mutants(ProofScope(edition="nz1999"))
    with pytest.raises(ValueError, match="'bridge'"):
        mutants(ProofScope("bridge"))


def test_a_mutant_changes_its_law_and_nothing_else() -> None:
    versions: Any = GAMES["baccarat"].editions["nzd5"]
    before = dict(versions)
    (mutant,) = [m for m in mutants(ProofScope("baccarat", "nzd5")) if "scales.1.mixed" in m.path]
    try:
        put(mutant)
        for version, rules in before.items():
            old, new = dict(laws_in(rules)), dict(laws_in(versions[version]))
            assert {path for path in old if old[path] != new[path]} == {"pairs.scales.1.mixed"}
            assert new[mutant.path] == Law(to(6), mutant.law.rules)
    finally:
        versions.update(before)


# ---------------------------------------------------------------- the proof, in a process of its own

TESTS = """
from croupier.hearing import adjudicate, read_line
from croupier.games.baccarat.editions import EDITIONS

AT_IMPORT = EDITIONS["nz1998"]["full"]

def test_pays():
    heard = adjudicate(read_line("nz1998 banker 100: 2h 3d Kc Qs 8h"))
    assert heard.lines[0][1].pays_cents == 9500

def test_modulus():
    assert AT_IMPORT.modulus.value == 10

def test_looks_away():
    assert AT_IMPORT.natural

def test_hangs():
    while AT_IMPORT.one_more.value != 1:
        pass

def test_fails():
    assert False
"""

TRIAL = """
import json, sys
from croupier.prove import ProofScope
from croupier.prove.mutation import mutants, try_all
seen = json.loads(sys.argv[1])
these = [m for m in mutants(ProofScope("baccarat", "nz1998")) if m.path in json.loads(sys.argv[2])]
results = try_all(these, lambda *_: None, seen=seen, seconds=float(sys.argv[3]))
print(json.dumps({result.mutant.name.split(" ", 2)[2]: result.fate for result in results}))
"""


def trial(folder: Path, seen: Mapping[str, str], *paths: str, seconds: int = 300) -> subprocess.CompletedProcess[str]:
    """Hunt the mutants of some laws with tests of our own."""
    (folder / "test_trial.py").write_text(TESTS)
    tests = {rule: [f"{folder}/test_trial.py::{test}"] for rule, test in seen.items()}
    command = [sys.executable, "-c", TRIAL, json.dumps(tests), json.dumps(paths), str(seconds)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_real_tests_catch_and_careless_ones_let_escape(tmp_path: Path) -> None:
    seen = {
        "NZ1998-5.7b": "test_pays",
        "NZ1998-4.2": "test_modulus",
        "NZ1998-9.2": "test_looks_away",
    }
    result = trial(tmp_path, seen, "bets.banker.pays", "modulus", "natural", "backs_both")
    assert json.loads(result.stdout) == {
        "bets.banker.pays: 2 to 1 less 5%": "caught",
        "bets.banker.pays: 1 to 1": "caught",
        "modulus: 11": "caught",
        "modulus: 9": "caught",
        "natural: without 9": "survived",
        "natural: with its neighbours": "survived",
        "backs_both: True": "unobserved",
    }


def test_a_mutant_that_hangs_the_rules_is_ended(tmp_path: Path) -> None:
    result = trial(tmp_path, {"NZ1998-9.6": "test_hangs"}, "one_more", seconds=2)
    assert json.loads(result.stdout) == {"one_more: 2": "timed out", "one_more: 0": "timed out"}


def test_a_hunt_with_tests_that_fail_anyway_is_refused(tmp_path: Path) -> None:
    result = trial(tmp_path, {"NZ1998-5.7b": "test_fails"}, "bets.banker.pays")
    assert result.returncode != 0
    assert "test_trial.py::test_fails fails" in result.stderr


def test_a_hunt_with_tests_that_are_not_there_is_refused(tmp_path: Path) -> None:
    result = trial(tmp_path, {"NZ1998-5.7b": "test_of_last_year"}, "bets.banker.pays")
    assert result.returncode != 0
    assert "not all there" in result.stderr


# ---------------------------------------------------------------- a sample of the whole proof

SAMPLE = (
    "baccarat nz1998/full player_draws: without 5",
    "baccarat nz1998/full natural: without 9",
    "baccarat nz1998/full bets.banker.pays: 2 to 1 less 5%",
    "baccarat nz1998/full banker_after.6: without 7",
    "baccarat nz1998/full backs_both: True",
    "baccarat nz1998/full irregularities.excess_card.4: hand: void'",
    "baccarat nz1996/full banker_after.3: with its neighbours",
    "baccarat nz1996/mini banker_alone: without 5",
    "baccarat nz1996/midi ceremony.cut_offer: start: highest'",
    "baccarat nzd5/mini,midi,full half_on_six.six: 7",
    "baccarat nzd5/mini,midi,full pairs.scales.1.perfect: 31 to 1",
    "baccarat nzd5/mini,midi,full no_commission: True not permitted",
    "baccarat nzeb/hybrid ceremony.free_rounds: 4",
    "baccarat nzeb/terminals,hybrid ceremony.last_call: Last coup'",
    "baccarat nzeb/hybrid ceremony.prepared.pre-checked.5: by: automatic shuffler'",
    "baccarat vic2002/crown insures.pays: 3 to 1",
    "baccarat vic2002/traditional excess.banker: twice as much",
    "baccarat vic2002/traditional,crown run_bets.banker_run.pays.3: 9 to 1",
    "baccarat vic2002/traditional,crown ceremony.styles.3.shown.12: by: dealer'",
    "blackjack nz1996/blackjack split.in_turn: False",
    "blackjack nz1996/blackjack ceremony.loading.3: by: dealer'",
    "blackjack nz1996/blackjack irregularities.misplaced_card.2: call: game supervisor told'",
    "caribbean_stud nz1996/caribbean_stud bet_pays.straight flush: 51 to 1",
    "caribbean_stud nz1996/caribbean_stud progressive.chip.lose: False",
    "caribbean_stud nz1996/caribbean_stud dealing.shoe.5: cards: 2",
    "craps nz1996/craps bets.field.loses: with its neighbours",
    "craps nz1996/craps bets.pass_odds.numbers: without 10",
    "craps nz1996/craps bets.dont_pass.pays: 2 to 1",
    "craps nz1996/craps bets.horn_high.parts: turned round",
    "craps nz1996/craps markers: without on",
    "craps nz1996/craps shooter.to_begin: without pass",
    "roulette nz1996/roulette bets.split.pays: 18 to 1",
    "roulette nz1996/roulette bets.red.loses: one up",
    "roulette nz1996/roulette common.irregularities.hung_ball.0: by: without the last",
    "tai_sai nz1996/tai_sai bets.total.pays.17: 63 to 1",
    "tai_sai nz1996/tai_sai bets.small.not_by_triple: one down",
    "tai_sai nz1996/tai_sai number_of_dice: 4",
    "money_wheel nz1996/money_wheel symbols.A.pays: 2 to 1",
    "money_wheel nz1996/money_wheel symbols.E.sections: 3",
    "money_wheel nz1996/money_wheel common.at_rest: without unbalanced",
)

ALIKE = {
    "craps nz1996/craps bets.field.loses: with its neighbours": "4 and 9 win, and what wins is looked at first",
    "craps nz1996/craps bets.horn_high.parts: turned round": "each part has its share, whatever their order",
    "roulette nz1996/roulette bets.red.loses: one up": "1 is red and wins, and there is no 37",
}
"""Mutants of the sample that decide every round as the law does, each with the reason: no case can observe them."""

HUNT = """
import json, sys
from croupier.survey.coverage import watchers
from croupier.prove import ProofScope
from croupier.prove.mutation import mutants, try_all
known = {mutant.name: mutant for mutant in mutants(ProofScope())}
results = try_all([known[name] for name in json.loads(sys.argv[1])], lambda *_: None, seen=watchers(), seconds=300)
print(json.dumps({result.mutant.name: result.fate for result in results}))
"""


def test_the_sample_covers_every_game_in_every_edition() -> None:
    sampled = {(name.split()[0], name.split()[1].split("/")[0]) for name in SAMPLE}
    assert sampled == {(game.name, edition) for game in GAMES.values() for edition in game.editions}


def test_the_cases_of_the_law_catch_a_sample_of_mutants() -> None:
    command = [sys.executable, "-c", HUNT, json.dumps(SAMPLE)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    fates = json.loads(result.stdout)
    escaped = {name: fate for name, fate in fates.items() if fate not in ("caught", "unobserved")}
    assert escaped == dict.fromkeys(ALIKE, "survived")
    assert "caught" in fates.values()
