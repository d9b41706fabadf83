"""Editions of one's own, from a file, at every door; the shipped examples against published figures."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import pytest

import croupier
from croupier.cli.app import run
from croupier.errors import BadInput, NotPermitted
from croupier.floor.serve import planned
from croupier.floor.settings import TableSettings
from croupier.game import Resolution, Wager
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.live import LIVE
from croupier.games.baccarat.own import judge_own, own_bet, pair_ways, side_of
from croupier.games.baccarat.play import Coup
from croupier.own import EXAMPLES, KNOWN_HERE, read
from croupier.rulesets import ruleset, ruleset_of_journal
from croupier.simulation.twins.coups import compare
from croupier.table.desk import LiveTable

FOUR_PERCENT = """
name = "four"
title = "Four percent"
source = "our own table rules, 3.1"
base = "nz1998"

[values]
bets.banker.pays = { value = "1 to 1 less 4%", rule = "3.1" }
decks = { value = [6, 8], rule = "1" }
"""

PUBLISHED = {
    "barred_seven": {"player": 1.235, "banker": 1.018, "tie": 14.360, "dragon_7": 7.611, "panda_8": 10.188},
    "family_of_sixes": {"banker": 1.458, "super_6": 29.98, "lucky_6": 16.68, "big_tiger": 15.253},
    "pairs_and_sizes": {
        "player_pair": 10.36,
        "banker_pair": 10.36,
        "either_pair": 13.71,
        "perfect_pair": 13.03,
        "small": 5.28,
        "big": 4.35,
        "five_cards": 8.97,
        "six_cards": 4.69,
    },
}
"""House edges in percent of eight decks, as the sources named in the files publish them."""


@pytest.fixture
def four(tmp_path: Path) -> str:
    file = tmp_path / "four.toml"
    file.write_text(FOUR_PERCENT)
    return str(file)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_examples_are_worth_what_is_published(name: str) -> None:
    sheet = croupier.odds(croupier.ruleset(f"{name}.toml"))
    for wager, percent in PUBLISHED[name].items():
        digits = len(str(percent).partition(".")[2])
        assert round(float(sheet.line(wager).edge * 100), 3) == pytest.approx(percent, abs=0.6 * 10**-digits), wager
    assert "not gazetted" in repr(sheet)
    assert sheet.to_dict()["gazetted"] is False


def test_every_shipped_example_is_checked() -> None:
    """The American table is, too: `tests/exact/blackjack/test_american.py`."""
    assert {file.stem for file in EXAMPLES.glob("*.toml")} == {*PUBLISHED, "american"}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_kernel_plays_own_bets_as_the_rules_do(name: str) -> None:
    compared = compare(croupier.ruleset(f"{name}.toml"), shoes=4)
    assert compared.coups > 200
    assert compared.differences == ()


def test_pairs_are_counted_as_the_rules_decide_them() -> None:
    """A small shoe of few cards, dealt in every order."""
    rules = croupier.ruleset("pairs_and_sizes.toml").rules
    shoe = [{0: 2, 4: 1}.get(card % 13, 0) for card in range(52)]
    cards = [card for card in range(52) if shoe[card]]
    for name in ("banker_pair", "either_pair", "perfect_pair"):
        bet = own_bet(rules, name)
        assert bet is not None
        dealt: Counter[Resolution] = Counter()
        for deal in product(cards, repeat=4):
            ways = prod(shoe[card] - deal[:place].count(card) for place, card in enumerate(deal))
            end = judge_own(rules, bet, Wager(name, 100), Coup(player=deal[::2], banker=deal[1::2]))
            assert not isinstance(end, Wager)
            dealt[end] += ways
        assert +dealt == +pair_ways(rules, bet, shoe)


ON = {
    "barred_seven": {"banker": "banker", "dragon_7": "banker", "panda_8": "player"},
    "family_of_sixes": {"super_6": "banker", "lucky_6": "banker", "big_tiger": "banker"},
    "pairs_and_sizes": {"player_pair": "player", "banker_pair": "banker"},
}
"""The bets of the examples that one hand alone can win; a pair of either, and sizes, are on neither."""


@pytest.mark.parametrize("name", ON)
def test_whose_side_a_bet_is_on_is_told_by_what_it_asks(name: str) -> None:
    rules = croupier.ruleset(f"{name}.toml").rules
    assert {bet.name: side_of(bet) for bet in rules.own if side_of(bet)} == ON[name]
    assert LIVE.sides(rules) == ON[name]


def test_own_dragon_scale_in_a_file() -> None:
    steps = '{ pays = "1 to 1", winner = "player", natural = ["player", "both"] }, '
    steps += '{ ends = "stand off", winner = "tie", natural = "both" }, '
    steps += '{ ends = "lose", natural = ["player", "banker", "both"] }, '
    pays = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}
    steps += ", ".join(f'{{ pays = "{win} to 1", winner = "player", margin = {by} }}' for by, win in pays.items())
    text = (
        'name = "dragons"\ntitle = "t"\nsource = "s"\nbase = "nz1998"\n[[bets]]\nname = "dragon_player"\nrule = "1"\n'
    )
    own = read(f"{text}steps = [{steps}]", "dragons.toml")
    gazetted = ruleset("nzeb", elections={"dragon_bonus": "nevada"})
    assert croupier.odds(ruleset(own)).line("dragon_player").edge == croupier.odds(gazetted).line("dragon_player").edge


def test_an_own_edition_goes_through_every_door(four: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def answer(*words: str) -> dict[str, object]:
        assert run([*words, "--json"]) == 0
        body: dict[str, object] = json.loads(capsys.readouterr().out)
        return body

    case = tmp_path / "case.json"
    wagers = [{"on": "banker", "amount": 10000}]
    case.write_text(json.dumps({"edition": four, "wagers": wagers, "facts": ["2h", "3d", "Kc", "Qs", "8h"]}))
    heard = answer("adjudicate", str(case))
    assert heard["settlements"][0]["pays"] == 9600  # type: ignore[index]
    assert heard["settlements"][0]["rule"] == "four-3.1"  # type: ignore[index]
    assert heard["gazetted"] is False
    assert answer("settle", f"{four} banker 100: 2h 3d Kc Qs 8h")["settlements"] == heard["settlements"]
    assert answer("due", f"{four} 2h 3d Kc")["source"] == "our own table rules, 3.1"
    changes = answer("rules", "diff", "nz1998", four)["games"][0]["changes"]  # type: ignore[index]
    assert {each["path"] for each in changes} == {"bets.banker.pays", "decks"}
    compared = answer("odds", "baccarat", "--compare", "nz1998", f"{four},decks=8")
    assert [row["wager"] for row in compared["wagers"] if row["change"] != "0/1"] == ["banker"]  # type: ignore[attr-defined]
    assert answer("odds", "baccarat", "--edition", four, "--explain", "banker")["rules"][0]["says"]  # type: ignore[index]
    played = answer("simulate", "baccarat", "--edition", four, "--rounds", "1000")
    assert (played["gazetted"], played["rounds"]) == (False, 1000)
    rows = answer("adjudicate", str(case), "--all-editions")["editions"]
    assert rows[-1]["edition"] == "four"  # type: ignore[index]
    listed = answer("list", "wagers", "--edition", four)["rows"]
    assert listed == [{"wager": "player"}, {"wager": "banker"}, {"wager": "tie"}]


def test_an_own_edition_opens_practice_tables_only(four: str) -> None:
    asked = TableSettings(name="P-1", game="baccarat", edition=four, minimum=500, maximum=10_000, practice=True)
    assert planned(asked, ()).rules().label == "baccarat four/full (not gazetted)"
    with pytest.raises(ValueError, match="P-2: four is not gazetted"):
        planned(TableSettings(name="P-2", game="baccarat", edition=four, minimum=500, maximum=10_000), ())


def test_a_journal_keeps_the_file_that_it_was_played_by(four: str) -> None:
    rules = croupier.ruleset(four, elections={"decks": 8})
    table = LiveTable(BACCARAT, rules, "table 1")
    table.open(minimum=1_000, maximum=100_000, chip=100)
    law = rules.named()
    KNOWN_HERE.pop("four")
    again = ruleset_of_journal(law)
    assert again.is_named(law)
    assert again.rules == rules.rules
    assert not croupier.ruleset("nz1998").is_named(law)
    before = law | {"text": "of a base that was mended", "hash": "of then"}
    assert again.is_named(before)
    assert not again.is_named(before | {"own": before["own"] + "# another file"})


def test_no_date_and_no_venue_have_it_in_force(four: str) -> None:
    with pytest.raises(NotPermitted, match="not gazetted"):
        croupier.ruleset(four, venue="auckland")


BASE = 'name = "own"\ntitle = "t"\nsource = "s"\nbase = "nz1998"\n'
BET = BASE + '[[bets]]\nname = "x"\nrule = "1"\n'
JACK = BASE.replace('"nz1998"', '"nz1996/blackjack"') + 'game = "blackjack"\n[values]\n'
MISTAKES = {
    "own.toml: source: a text is needed": 'name = "own"\ntitle = "t"\nbase = "nz1998"\n',
    "own.toml: name: small letters": BASE.replace("own", "nz1998", 1),
    "own.toml: unknown base of baccarat": BASE.replace('"nz1998"', '"nz1999"'),
    "own.toml: Expected '='": "name\n",
    "own.toml: values.decks: Expected `int`, got `str`": BASE + '[values]\ndecks = { value = ["six"], rule = "1" }',
    "own.toml: values.decks: one or more of 1 to 16": BASE + '[values]\ndecks = { value = [99], rule = "1" }',
    "own.toml: values.deck: unknown law 'deck'": BASE + '[values]\ndeck = { value = 6, rule = "1" }',
    "own.toml: values.decks: rule: the number": BASE + "[values]\ndecks = { value = 6 }",
    "own.toml: values.bets.banker.pays: not odds": BASE + '[values]\nbets.banker.pays = { value = "x", rule = "1" }',
    "own.toml: values.no_commission: the base has no such": BASE
    + '[values]\nno_commission = { value = true, rule = "1" }',
    "own.toml: values.natural: Expected `int`": BASE + '[values]\nnatural = { value = ["eight"], rule = "1" }',
    "own.toml: values.player_draws: 0 to 9 is what can be played, not 99": BASE
    + '[values]\nplayer_draws = { value = [0, 99], rule = "1" }',
    "own.toml: values.split.hands: 1 to 8 is what can be played": JACK + 'split.hands = { value = 0, rule = "1" }',
    "own.toml: values.soft_hits: 12 to 21": JACK + 'soft_hits = { value = [17, 99], rule = "1" }',
    "own.toml: values.double.totals: 3 to 21": JACK + 'double.totals = { value = [1], rule = "1" }',
    "own.toml: values.surrender: Invalid enum value 'early'; known are late": JACK
    + 'surrender = { value = "early", rule = "1" }',
    "own.toml: values.points: 2 values where the law has 13": BASE
    + '[values]\npoints = { value = [1, 2], rule = "1" }',
    "own.toml: values.ceremony": BASE + '[values]\nceremony = { value = 1, rule = "1" }',
    "own.toml: bets[0] x: steps[0]: unknown 'colour'": BET + 'steps = [{ pays = "1 to 1", colour = "red" }]',
    "own.toml: bets[0] x: steps[0]: winner is of": BET + 'steps = [{ pays = "1 to 1", winner = "dealer" }]',
    "own.toml: bets[0] x: steps[0]: banker_total is of": BET + 'steps = [{ pays = "1 to 1", banker_total = 10 }]',
    "own.toml: bets[0] x: steps[0]: a step has either": BET + 'steps = [{ winner = "tie" }]',
    "own.toml: bets[0] x: steps[0]: pays: not odds": BET + 'steps = [{ pays = "lots", winner = "tie" }]',
    "own.toml: bets[0] x: no step pays": BET + 'steps = [{ ends = "lose", winner = "tie" }]',
    "own.toml: bets[0] x: a bet of pairs": BET + 'steps = [{ pays = "1 to 1", player_pair = "any", winner = "tie" }]',
    "own.toml: bets[0]: rule is missing": BASE + '[[bets]]\nname = "x"\nsteps = []',
    "own.toml: bets[0] insurance: a name": BET.replace('"x"', '"insurance"') + 'steps = [{ pays = "1 to 1" }]',
}


@pytest.mark.parametrize("complaint", MISTAKES)
def test_a_mistake_is_told_in_one_line_with_its_place(complaint: str) -> None:
    with pytest.raises(BadInput) as raised:
        read(MISTAKES[complaint], "own.toml")
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


def test_bets_as_data_are_known_in_baccarat_only() -> None:
    text = BET.replace('"nz1998"', '"nz1996"') + 'steps = [{ pays = "1 to 1" }]'
    with pytest.raises(BadInput, match="in baccarat only"):
        read('game = "craps"\n' + text, "own.toml")


def test_other_games_take_changed_values() -> None:
    text = 'name = "wheel"\ntitle = "t"\nsource = "s"\ngame = "roulette"\nbase = "nz1996"\n[values]\n'
    own = read(text + 'bets.straight.pays = { value = "36 to 1", rule = "1" }', "own.toml")
    sheet = croupier.odds(ruleset(own, game="roulette"))
    assert sheet.line("straight").edge == 0
    assert sheet.line("split").edge == Fraction(1, 37)


def test_a_served_door_reads_no_file(four: str) -> None:
    with pytest.raises(BadInput, match="unknown edition"):
        ruleset(four)


def test_two_files_with_one_name_are_not_compared_as_one(
    four: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.toml"
    other.write_text(FOUR_PERCENT.replace("less 4%", "less 3%"))
    for words in (("rules", "diff", four, str(other)), ("odds", "baccarat", "--compare", four, str(other))):
        assert run(words) == 2
        assert "two editions with one name, 'four'" in capsys.readouterr().err
    assert run(("rules", "diff", four, four)) == 0
