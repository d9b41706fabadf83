"""Blackjack with a hole card, soft seventeen drawn to, and surrender, as an edition of somebody's own has it.

Published figures are those of the Wizard of Odds, Blackjack Appendix 9: what each first hand is worth once the dealer
has looked, to six places, and whole games in which a pair may become four hands (here three, worth up to 0.01 % less).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import croupier
from croupier.cli.app import run
from croupier.equipment import full_shoe, parse_card, seen_by
from croupier.errors import BadInput, NotPermitted
from croupier.exact.blackjack import Solved, solve, values
from croupier.exact.blackjack.terms import terms
from croupier.floor.serve import planned
from croupier.floor.settings import TableSettings
from croupier.game import CardSeen, Refusal, Wager
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.rules import MAIN, BlackjackRules
from croupier.own import read
from croupier.round import happen, open_round, place
from croupier.rulesets import ruleset
from croupier.simulation.blackjack.tables import lattice_of, table_of
from croupier.simulation.blackjack.twin import disagreements, random_plan
from croupier.simulation.plan import SimulationSettings

HEAD = 'name = "house"\ntitle = "t"\nsource = "s"\ngame = "blackjack"\nbase = "nz1996"\n[values]\n'
PEEK = """
super_sevens = { value = [false], rule = "1" }
hole_card = { value = "looked at", rule = "2" }
double.totals = { value = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], rule = "3" }
double.with_ace = { value = true, rule = "3" }
"""
HITS = 'soft_hits = { value = [17], rule = "4" }\n'
SINGLE = 'double_after_split = { value = false, rule = "5" }\n'


def own(more: str, decks: int = 6) -> BlackjackRules:
    text = f'{HEAD}decks = {{ value = [{decks}], rule = "1" }}\n{more}'
    rules = ruleset(read(text, "house.toml"), game="blackjack").rules
    assert isinstance(rules, BlackjackRules)
    return rules


def after_the_look(solved: Solved, decks: int, up: int, hand: tuple[int, int]) -> dict[str, float]:
    """What a hand is worth once the dealer has looked and has no blackjack, as the tables publish it."""
    tens = 16 * decks - hand.count(10)
    chance = tens / (52 * decks - 3) if up == 11 else 0.0
    return {word: round((worth + chance) / (1 - chance), 6) for word, worth in values(solved, up=up, hand=hand).items()}


@pytest.mark.parametrize(
    ("decks", "more", "published", "hands"),
    [
        (5, PEEK + HITS, -0.005918, {(6, 5): (0.109880, 0.128187), (5, 3): (-0.266380, -0.829741)}),
        (2, PEEK + HITS + SINGLE, -0.005252, {(6, 5): (0.121079, 0.166650), (5, 3): (-0.271027, -0.823487)}),
        (1, PEEK, 0.001839, {(6, 5): (0.172946, 0.240259), (7, 11): (-0.108386, -0.357778)}),
        (1, PEEK + HITS + SINGLE, -0.001513, {(6, 5): (0.143003, 0.234296), (7, 11): (-0.173175, -0.414678)}),
    ],
)
def test_published_figures(
    decks: int, more: str, published: float, hands: dict[tuple[int, int], tuple[float, float]]
) -> None:
    solved = solve(own(more, decks), full_shoe(decks))
    for hand, (hit, double) in hands.items():
        worths = after_the_look(solved, decks, 11, hand)
        assert (worths["hit"], worths["double"]) == (hit, double)
    assert -0.0001 < solved.main_worth - published < 0
    assert solved.chart_worth <= solved.main_worth


def test_the_shipped_table_has_the_known_chart() -> None:
    """The entries that differ from a dealer who stands on soft seventeen, and surrender, as every book prints them."""
    from croupier.exact.strategy import strategy

    chart = strategy(croupier.ruleset("american.toml", game="blackjack"))["chart"]
    assert isinstance(chart, dict)
    assert chart["hard 11"].split()[-1] == "double"
    assert chart["soft 18"].split()[0] == "double-stand"
    assert chart["soft 19"].split()[4] == "double-stand"
    assert chart["hard 17"].split()[-1] == "surrender-stand"
    assert chart["hard 15"].split()[-2:] == ["surrender", "surrender"]
    assert chart["hard 16"].split()[-3] == "surrender"
    assert "surrender" not in chart["hard 14"]


def test_the_kernel_plays_as_the_rules_do() -> None:
    rules = croupier.ruleset("american.toml", game="blackjack").rules
    held = terms(rules)
    hands = lattice_of(held)
    for seed in (1, 2):
        plans = [random_plan(held, hands, seed + box) for box in range(seed)]
        assert any((row == 4).any() for plan in plans for row in plan.rows.values()), "surrender is tried"
        table = table_of(rules, plans, behind=60, settings=SimulationSettings())
        assert disagreements(rules, table, hands, shoes=60, seed=seed) == []


def test_doors(capsys: pytest.CaptureFixture[str]) -> None:
    def settled(text: str) -> dict[str, object]:
        assert run(["settle", f"american.toml {text}", "--json"]) == 0
        settlement: dict[str, object] = json.loads(capsys.readouterr().out)["settlements"][0]
        return settlement

    ended = settled("main 100: Th As 9d Kc")
    assert (ended["result"], ended["pays"], ended["rule"]) == ("lost", 0, "NZ1996-II-4.1g")
    given = settled("main 100: Th 9s 6d 8c surrender")
    assert (given["result"], given["returned"], given["rule"]) == ("lost", 5000, "american-5")
    drawn = settled("main 100: Th 6s 8d As stand 2c")
    assert drawn["result"] == "lost"
    assert run(["due", "american.toml Th 9s 6d", "--json"]) == 0
    due = json.loads(capsys.readouterr().out)
    assert due["rule"] == "american-2"


def test_players_do_not_see_the_hole_card() -> None:
    rules = croupier.ruleset("american.toml", game="blackjack").rules
    this = open_round(BLACKJACK, rules)
    placed = place(this, (Wager(MAIN, 100, by="p", box=1),))
    assert not isinstance(placed, Refusal)
    for name in ("Th", "9s", "6d", "8c"):
        after = happen(placed, CardSeen(parse_card(name)))
        assert not isinstance(after, Refusal)
        placed = after
    dealer = BLACKJACK.cards(rules, placed.state)[-1]
    assert seen_by(dealer, "p") == (parse_card("9s"), None)


@pytest.mark.parametrize(
    ("more", "error", "says"),
    [
        ('surrender = { value = "late", rule = "1" }', NotPermitted, "needs a hole card"),
        ('hole_card = { value = "looked at", rule = "1" }', NotPermitted, "set super_sevens to false"),
        ('surrender = { value = "early", rule = "1" }', BadInput, "values.surrender: Invalid enum value 'early'"),
        ('hole_card = { value = true, rule = "1" }', BadInput, "values.hole_card"),
        ('hole_card.x = { value = true, rule = "1" }', BadInput, "values.hole_card.x: there is no law of this name"),
        ('soft_hits = { value = [17.5], rule = "1" }', BadInput, "values.soft_hits"),
    ],
)
def test_what_cannot_be_carried_is_refused_by_name(more: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        own(more)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("split.hands = { value = 4, rule = '9' }", r"more than three hands \(house-9\)"),
        ("split.alike = { value = 'rank', rule = '9' }", r"pairs told apart by rank \(house-9\)"),
        ("split.ace_cards = { value = 3, rule = '9' }", r"more cards to split aces \(house-9\)"),
    ],
)
def test_what_play_carries_and_odds_do_not_is_named(more: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HEAD + more)
    with pytest.raises(ValueError, match=says):
        croupier.odds(croupier.ruleset(str(file), game="blackjack"))


def test_a_practice_table_opens_with_it() -> None:
    asked = TableSettings(
        name="P-1", game="blackjack", edition="american.toml", minimum=500, maximum=10_000, practice=True
    )
    assert planned(asked, ()).rules().label == "blackjack american/blackjack (not gazetted)"
