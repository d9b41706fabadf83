"""The mutation proof: it changes every kind of value, and tells the caught from the escaped."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from croupier.game import Remedy
from croupier.games import GAMES
from croupier.law.conditions import CaseWhen, OnCall
from croupier.law.editions import EDITIONS as DOCUMENTS
from croupier.law.elections import Options, choice
from croupier.law.model import Law, absent, laws_in
from croupier.money import to
from croupier.prove import ProofScope
from croupier.prove.changes import changed
from croupier.prove.mutation import HARMLESS, alike, listed, mutants, put

# ---------------------------------------------------------------- changed values


@dataclass(frozen=True)
class Record:
    number: int
    word: str


@dataclass(frozen=True)
class Due:
    when: CaseWhen = ()


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
        ((1, 2), [(2, 1), (2, 2), (1,)]),
        (("a", "a"), [("a'", "a"), ("a",)]),
        ((absent,), [()]),
        ((), [(0,)]),
        ({"a": 1, "b": 2}, [{"a": 2, "b": 2}, {"a": 1}]),
        (Remedy.USE, [Remedy.DISCARD]),
        (Record(1, "x"), [Record(2, "x"), Record(1, "x'")]),
        (Due("late"), [Due("late'"), Due()]),
        (Due(("late", "dark")), [Due(("late'", "dark")), Due(("dark",)), Due(("late",))]),
        (Due(("otherwise", OnCall("void"))), [Due(("otherwise'", OnCall("void"))), Due(("otherwise",))]),
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
    everything = mutants(ProofScope("baccarat"))
    for seed in (0, 5):
        some = mutants(ProofScope("baccarat", sample=size, seed=seed))
        assert some == mutants(ProofScope("baccarat", sample=size, seed=seed))
        places = [everything.index(mutant) for mutant in some]
        assert places == [seed + index * len(everything) // size for index in range(size)]


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

TRIAL = """
import json, sys
from croupier.games.baccarat.editions import EDITIONS
from croupier.hearing import adjudicate, read_line
from croupier.prove import ProofScope
from croupier.prove.mutation import mutants, try_all

def law():
    return EDITIONS["nz1998"]["full"]

def hangs():
    while law().one_more.value != 1:
        pass

CASES = {
    "pays": lambda: adjudicate(read_line("nz1998 banker 100: 2h 3d Kc Qs 8h")).lines[0][1].pays_cents,
    "modulus": lambda: law().modulus.value,
    "looks away": lambda: bool(law().natural),
    "hangs": hangs,
    "fails": lambda: 1 // 0,
}
seen = json.loads(sys.argv[1])
these = [m for m in mutants(ProofScope(sys.argv[4])) if m.path in json.loads(sys.argv[2])]
these = [m for m in these if m.shelf.edition == "nz1998" or m.shelf.name != "baccarat"]
results = try_all(these, lambda *_: None, seen=seen, look=lambda name: CASES[name](), seconds=float(sys.argv[3]))
print(json.dumps({result.mutant.name.split(" ", 2)[2]: result.fate for result in results}))
"""


def trial(
    seen: Mapping[str, str], *paths: str, seconds: int = 300, game: str = "baccarat"
) -> subprocess.CompletedProcess[str]:
    """Hunt the mutants of some laws with cases of our own."""
    named = {rule: [case] for rule, case in seen.items()}
    command = [sys.executable, "-c", TRIAL, json.dumps(named), json.dumps(paths), str(seconds), game]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_real_cases_catch_and_careless_ones_let_escape() -> None:
    seen = {"NZ1998-5.7b": "pays", "NZ1998-4.2": "modulus", "NZ1998-9.2": "looks away"}
    result = trial(seen, "bets.banker.pays", "modulus", "natural", "backs_both")
    assert json.loads(result.stdout) == {
        "bets.banker.pays: 2 to 1 less 5%": "caught",
        "bets.banker.pays: 1 to 1": "caught",
        "modulus: 11": "caught",
        "modulus: 9": "caught",
        "natural: without 9": "survived",
        "natural: with its neighbours": "survived",
        "backs_both: True": "unobserved",
    }


def test_a_mutant_that_hangs_the_rules_is_ended() -> None:
    result = trial({"NZ1998-9.6": "hangs"}, "one_more", seconds=2)
    assert json.loads(result.stdout) == {"one_more: 2": "timed out", "one_more: 0": "timed out"}


def test_an_edition_that_cannot_be_built_has_noticed() -> None:
    result = trial({"NZ1996-III-6.3": "modulus"}, "common.irregularities.hung_ball.0", game="roulette")
    fates = json.loads(result.stdout)
    assert [name.rpartition("0: ")[2] for name, fate in fates.items() if fate == "not built"] == ["when: any time'"]


def test_a_hunt_with_cases_that_fail_anyway_is_refused() -> None:
    result = trial({"NZ1998-5.7b": "fails"}, "bets.banker.pays")
    assert result.returncode != 0
    assert "on the law unchanged a case fails (make concordance): fails: " in result.stderr


def test_a_hunt_with_cases_that_are_not_there_is_refused() -> None:
    result = trial({"NZ1998-5.7b": "of last year"}, "bets.banker.pays")
    assert result.returncode != 0
    assert "'of last year'" in result.stderr


def test_what_is_listed_as_like_the_law_is_a_mutant_with_a_reason() -> None:
    known = [mutant.name for mutant in mutants(ProofScope())]
    assert [row for row in alike() if not any(listed(name, {row: ""}) for name in known)] == []
    assert all(len(reason.split()) > 3 for reason in alike().values())


def test_a_row_with_a_star_stands_for_several_and_any_other_for_itself() -> None:
    assert listed("stud orders.20: x", {"stud orders.2[03]: x": "", "* orders.2[03]: x": ""})
    assert not listed("stud orders.21: x", {"* orders.2[03]: x": ""})
    assert not listed("stud orders.20: x", {"stud orders.2[03]: x": ""})


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
    "baccarat nz1996/midi ceremony.orders.2: when: without pre-shuffled",
    "baccarat nzd5/mini,midi,full half_on_six.six: 7",
    "baccarat nzd5/mini,midi,full pairs.scales.1.perfect: 31 to 1",
    "baccarat nzd5/mini,midi,full no_commission: True not permitted",
    "baccarat nzd5/mini,midi,full irregularities.wrong_third_card.2: when: without undisclosed",
    "baccarat nzd5/mini,midi,full irregularities.wrong_third_card.3: when: without disclosed",
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
    "caribbean_stud nz1996/caribbean_stud ceremony.scripts.stand off.1: when: without no claim",
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

HUNT = """
import json, sys
from croupier.survey.coverage import watchers
from croupier.prove import ProofScope
from croupier.prove.mutation import cases, mutants, try_all
known = {mutant.name: mutant for mutant in mutants(ProofScope())}
these = [known[name] for name in json.loads(sys.argv[1])]
results = try_all(these, lambda *_: None, seen=watchers(), look=cases(), seconds=300)
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
    escaped = {name: fate for name, fate in fates.items() if fate not in HARMLESS}
    assert escaped == {name: "survived" for name in SAMPLE if listed(name, alike())}
