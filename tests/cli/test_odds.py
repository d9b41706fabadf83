"""The odds command: what can be asked of it, and what goes wrong in one line."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import app as cli

CRAPS = ("odds", "craps", "--edition", "nz1996")
WHEEL = ("odds", "roulette", "--edition", "nz1996")
BACCARAT = ("odds", "baccarat", "--edition", "nz1998")
STUD = ("odds", "caribbean_stud", "--edition", "nz1996")
TWENTY_ONE = ("odds", "blackjack", "--edition", "nz1996")
RANKED, ONES = ",".join("1" * 13), ",".join("1" * 52)
FEW = " ".join("1" if card % 13 >= 6 else "0" for card in range(52))


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Any:
    def asked(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(arguments)
        output = capsys.readouterr()
        return code, output.out, output.err

    return asked


# ---------------------------------------------------------------- answers


def test_explain_for_people_counts_ways_and_tells_the_rules(ask: Any) -> None:
    code, out, _ = ask(*BACCARAT, "--explain", "banker")
    assert code == 0
    for words in (
        "2,292,252,566,437,888",
        "4,998,398,275,503,360 orders of 6 cards",
        "1.0579 %",
        "NZ1998-5.7b  Banker",
    ):
        assert words in out


def test_explain_for_people_tells_throws_by_the_point(ask: Any) -> None:
    _, out, _ = ask(*CRAPS, "--explain", "pass")
    assert "win, point 4: 1-3 2-2 3-1 (2.7778 %)" in out
    assert "decided after 3.3758 rounds on average" in out
    assert "Edge 1.4141 %, 7/495" in out


def test_compare_for_people_is_in_money(ask: Any) -> None:
    code, out, _ = ask("odds", "baccarat", "--compare", "nz1998", "nzd5/full,no_commission")
    assert code == 0
    assert re.search(r"banker +\$1\.0579 +\$1\.4581 +\+\$0\.4002 +win: 1 to 1 less 5% → 1 to 1 ", out)
    assert re.search(r"perfect_pairs +not offered +\$3\.3735", out)


def test_options_beside_compare_hold_for_both(ask: Any) -> None:
    _, out, _ = ask("odds", "baccarat", "--compare", "nzd5", "nzd5,pay_scale=2", "--decks", "6", "--json")
    answer = json.loads(out)
    assert (answer["before"]["decks"], answer["after"]["decks"]) == (6, 6)
    assert answer["before"]["elections"]["pay_scale"] != answer["after"]["elections"]["pay_scale"]


def test_compare_counts_the_odds_bets_that_were_taken(ask: Any) -> None:
    """A pass bet with odds loses 7/495 of 1 + 2/3 or of 1 + 4/3: points come on two of three come-out rolls."""
    words = ("odds", "craps", "--compare", "nz1996", "nz1996,double_odds")
    answer = json.loads(ask(*words, "--json")[1])
    rows = {(row["wager"], row["times"]): row for row in answer["with_odds"]}
    assert rows["pass", 1]["before"] == rows["pass", 1]["after"]
    assert (rows["pass", 1]["after"]["edge"], rows["pass", 1]["change"]) == ("7/825", "0/1")
    assert (rows["pass", 2]["before"], rows["pass", 2]["after"]["edge"]) == (None, "1/165")
    assert re.search(r"pass with 2 × pass_odds +not offered +\$0\.6061", ask(*words)[1])


def test_a_shoe_of_ones_own_is_on_the_working_and_on_both_sides(ask: Any) -> None:
    counts = [4] * 13
    shoe = ("--ranks", ",".join(map(str, counts)), "--json")
    answer = json.loads(ask("odds", "baccarat", "--edition", "nz1998", "--explain", "tie", *shoe)[1])
    assert answer["shoe"] == {"ranks": counts}
    answer = json.loads(ask("odds", "baccarat", "--compare", "nz1996", "nz1998", *shoe)[1])
    assert answer["before"]["shoe"] == answer["after"]["shoe"] == {"ranks": counts}
    full = json.loads(ask("odds", "baccarat", "--compare", "nz1996", "nz1998", "--json")[1])
    assert "shoe" not in full["before"]


def test_a_jackpot_is_priced_in_cents_or_in_dollars(ask: Any) -> None:
    rows = []
    for pool, stake in (("4500000", "100"), ("$45,000", "$1.00")):
        _, out, _ = ask(*STUD, "--cards", FEW, "--pool", pool, "--stake", stake, "--json")
        rows.append(json.loads(out)["wagers"][1])
    assert rows[0] == rows[1]
    assert Fraction(rows[0]["edge"]) != 0
    code, out, _ = ask(*STUD, "--cards", FEW)
    assert code == 0
    assert re.search(r"jackpot breaks even at a pool of \$[0-9,.]+ for a stake of \$1\.00; ", out)
    assert "needs --pool and --stake" in out


def test_craps_are_told_with_their_odds_taken(ask: Any) -> None:
    _, out, _ = ask(*CRAPS, "--elect", "double_odds")
    assert re.search(r"pass with 2 × pass_odds +2\.3333 +0\.6061 %", out)
    assert re.search(r"dont_pass with 1 × dont_pass_behind +2\.0000 +0\.6818 %", out)


def cards(number: int) -> str:
    """The first cards of a deck."""
    return " ".join("1" if card < number else "0" for card in range(52))


@pytest.mark.parametrize("number", [1, 3, 9])
@pytest.mark.parametrize("game", [BACCARAT, TWENTY_ONE, STUD], ids=lambda game: str(game[1]))
def test_from_a_shoe_too_small_for_a_round_the_void_share_is_part_of_the_answer(
    ask: Any, game: tuple[str, ...], number: int
) -> None:
    """Void stakes are returned, so all shares and the edge go together; from one card up to where none is void."""
    code, out, _ = ask(*game, "--cards", cards(number), "--json")
    assert code == 0
    answer = json.loads(out)
    for row in answer["wagers"]:
        assert sum(Fraction(row[share]) for share in ("win", "lose", "standoff", "void")) == 1
        assert sum(Fraction(pay["probability"]) for pay in row["pays"]) == 1
    main = Fraction(answer["wagers"][0]["void"])
    assert main == 1 if number < 4 or game == STUD else 0 <= main < 1


def test_from_nine_cards_a_hand_of_stud_is_a_misdeal_and_from_ten_it_is_not(ask: Any) -> None:
    for number, void in ((9, "1/1"), (10, "0/1")):
        _, out, _ = ask(*STUD, "--cards", cards(number), "--json")
        ante = json.loads(out)["wagers"][0]
        assert (ante["wager"], ante["policy"], ante["void"]) == ("ante", "optimum", void)
        assert ("NZ1996-VIII-14.3" in ante["rules"]) == (void == "1/1")
        assert void == "0/1" or ante["edge"] == "0/1"


def test_void_rounds_are_explained_and_printed(ask: Any, tmp_path: Path) -> None:
    code, out, _ = ask(*TWENTY_ONE, "--cards", cards(5), "--explain", "main")
    assert code == 0
    assert "120 orders of 5 cards" in out
    assert "NZ1996-II-15.10" in out
    for game in (TWENTY_ONE, STUD):
        path = tmp_path / "par.html"
        code, _, _ = ask(*game, "--cards", cards(5), "--html", str(path))
        assert code == 0
        alone(path.read_text(encoding="utf-8"))
    code, out, _ = ask(*STUD, "--cards", cards(5), "--explain", "jackpot")
    assert code == 0
    assert "NZ1996-VIII-14.3" in out


# ---------------------------------------------------------------- the page


class Reader(HTMLParser):
    """Checks that every element that is opened is closed, and gathers what a page could ask for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.kinds: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.kinds.add(tag)
        for name, value in attrs:
            assert name != "style"
            if name == "id":
                self.ids.add(str(value))
            if name in ("href", "src"):
                self.links.add(str(value))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.kinds |= {tag, *(str(value) for name, value in attrs if name == "href")}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


def test_a_par_sheet_needs_nothing_but_itself(ask: Any, tmp_path: Path) -> None:
    path = tmp_path / "par.html"
    code, out, _ = ask(*WHEEL, "--html", str(path))
    assert code == 0
    assert f"Written: {path}" in out
    alone(path.read_text(encoding="utf-8"))


def alone(text: str) -> None:
    page = read(text)
    assert not page.kinds & {"script", "link", "img", "iframe", "object"}
    assert {link.removeprefix("#") for link in page.links} <= page.ids
    assert "://" not in text
    assert "@import" not in text
    assert "url(" not in text


def test_a_par_sheet_tells_figures_rules_plots_and_readings(ask: Any, tmp_path: Path) -> None:
    path = tmp_path / "par.html"
    code, _, _ = ask(*BACCARAT, "--html", str(path), "--json")
    assert code == 0
    text = path.read_text(encoding="utf-8")
    alone(text)
    for words in ("1.0579", "114753351728/10847218479825", "1 to 1 less 5%", "NZ1998-5.7b", "45.859742"):
        assert words in text
    for heading in ("Every wager", "Every payment", "House edge", "A shift’s result", "What each card is worth"):
        assert f"<h2>{heading}</h2>" in text
    assert "480 wagers of one unit" in text
    assert "by convolution" in text


def test_a_par_sheet_warns_in_words(ask: Any, tmp_path: Path) -> None:
    """The pool is so rich that the jackpot favours the player."""
    path = tmp_path / "par.html"
    few = " ".join("1" if card % 13 in (0, 9, 10, 11, 12) else "0" for card in range(52))
    code, _, _ = ask(*STUD, "--cards", few, "--pool", "$900,000", "--stake", "$1", "--html", str(path))
    assert code == 0
    text = path.read_text(encoding="utf-8")
    assert "Jackpot favours the player" in text
    assert "How to play" in text
    assert "a pool of $900,000.00, a wager of $1.00" in text


# ---------------------------------------------------------------- what goes wrong

BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "an unknown wager": ((*CRAPS, "--explain", "hop"), "unknown wager 'hop'"),
    "no wager": ((*CRAPS, "--explain", ""), "unknown wager ''"),
    "a page in no folder": ((*WHEEL, "--html", "/no/such/folder/par.html"), "/no/such/folder/par.html"),
    "a page that is a folder": ((*WHEEL, "--html", "/"), "Is a directory"),
    "a pool without a jackpot": ((*CRAPS, "--pool", "100"), "--pool is a jackpot's, and craps has none"),
    "a negative pool": ((*STUD, "--pool", "-1"), "--pool is a whole number of cents"),
    "half a cent": ((*STUD, "--stake", "0.5"), "--stake is a whole number of cents"),
    "dollars that are none": ((*STUD, "--stake", "$x"), "not an amount in dollars"),
    "a stake of nothing": ((*STUD, "--cards", FEW, "--stake", "0"), "a jackpot wager is a whole number of cents"),
    "two questions": ((*CRAPS, "--explain", "pass", "--html", "/tmp/x"), "one at a time"),
    "an edition beside two": ((*BACCARAT, "--compare", "nz1998", "nzd5"), "--compare names both editions"),
    "an unknown edition": (("odds", "baccarat", "--compare", "nz1998", "nz1999"), "'nz1999'"),
    "an edition left out": (("odds", "baccarat", "--compare", "nz1998", ""), "--edition"),
    "an election not permitted": (("odds", "baccarat", "--compare", "nz1998", "nz1998,no_commission"), "no_commission"),
    "too many decks": (("odds", "baccarat", "--compare", "nz1998", "nzd5,decks=9"), "decks=9"),
    "an election twice": (("odds", "baccarat", "--compare", "nz1998", "nzd5,decks=8,decks=8"), "given twice"),
    "a shoe for dice": ((*CRAPS, "--ranks", ",".join("1" * 13)), "--ranks: craps is played without cards"),
    "two of one card": ((*STUD, "--cards", "2" + " 1" * 51), "the count of Ac is 2"),
    "a negative count": ((*STUD, "--cards", "-1" + " 1" * 51), "-1"),
    "half a card": ((*STUD, "--cards", "1.5" + " 1" * 51), "'1.5'"),
    "twelve ranks": ((*TWENTY_ONE, "--ranks", ",".join("1" * 12)), "--ranks: 12 counts where 13 are needed"),
    "fourteen ranks": ((*BACCARAT, "--ranks", ",".join("1" * 14)), "--ranks: 14 counts where 13 are needed"),
    "a card too few": ((*BACCARAT, "--cards", ",".join("1" * 51)), "--cards: 51 counts where 52 are needed"),
    "a negative rank": ((*TWENTY_ONE, "--ranks", "-1" + ",1" * 12), "the count of A must be a whole number"),
    "half a rank": ((*BACCARAT, "--ranks", "1.5" + ",1" * 12), "--ranks: '1.5' is not a count"),
    "a word for a count": ((*TWENTY_ONE, "--ranks", "x" + ",1" * 12), "--ranks: 'x' is not a count"),
    "no counts": ((*TWENTY_ONE, "--ranks", ""), "--ranks: '' is not a count"),
    "an empty shoe": ((*TWENTY_ONE, "--ranks", ",".join("0" * 13)), "without a single card"),
    "an empty deck": ((*STUD, "--cards", ",".join("0" * 52)), "without a single card"),
    "an empty shoe of baccarat": ((*BACCARAT, "--cards", ",".join("0" * 52)), "without a single card"),
    "more aces than eight decks hold": ((*TWENTY_ONE, "--ranks", "33" + ",1" * 12), "the count of A is 33"),
    "more aces than the shoe of baccarat holds": ((*BACCARAT, "--ranks", "33" + ",1" * 12), "there are only 32"),
    "more cards than numbers have digits": ((*TWENTY_ONE, "--ranks", "9" * 40 + ",1" * 12), "is not a count"),
    "two of one card and too few": ((*STUD, "--cards", "2" + " 0" * 51), "the count of Ac is 2"),
    "ranks and cards": ((*TWENTY_ONE, "--ranks", RANKED, "--cards", ONES), "--ranks or as --cards, not both"),
    "nine decks": ((*TWENTY_ONE, "--decks", "9"), "decks=9 is not permitted; the edition permits 8|7|6|5|4"),
    "three decks": ((*TWENTY_ONE, "--decks", "3"), "decks=3 is not permitted"),
    "no decks": ((*TWENTY_ONE, "--decks", "0"), "decks=0 is not permitted"),
    "decks of dice": ((*CRAPS, "--decks", "2"), "election 'decks' is not known here"),
    "decks where there is one": ((*STUD, "--decks", "2"), "election 'decks' is not known here"),
    "an election of another game": ((*TWENTY_ONE, "--elect", "no_commission"), "'no_commission' is not known here"),
    "an election the edition bars": ((*BACCARAT, "--elect", "perfect_pairs"), "this edition has no such rule"),
    "a pay scale too many": (("odds", "baccarat", "--edition", "nzd5", "--elect", "pay_scale=3"), "permits 1|2"),
    "an unknown reading": ((*TWENTY_ONE, "--reading", "nonsense=1"), "unknown reading 'nonsense'"),
    "an unknown way to read": ((*TWENTY_ONE, "--reading", "dealer_blackjack=never"), "cannot be 'never'"),
    "a reading without a value": ((*TWENTY_ONE, "--reading", "dealer_blackjack"), "takes NAME=VALUE"),
    "a shoe for a wheel": ((*WHEEL, "--ranks", RANKED), "--ranks: roulette is played without cards"),
    "an unknown game": (("odds", "poker", "--edition", "nz1996"), "unknown game 'poker'"),
    "an edition without the game": (("odds", "blackjack", "--edition", "nz1998"), "unknown edition 'nz1998'"),
    "no edition": (("odds", "blackjack"), "name the edition with --edition"),
    "a version of another game": ((*TWENTY_ONE, "--version", "mini"), "unknown version 'mini'"),
}


BY_LAW = frozenset({"too many decks", "nine decks", "three decks", "no decks", "a pay scale too many"})
"""What means something, and the law refuses it."""


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_in_one_line(ask: Any, name: str) -> None:
    arguments, words = BAD[name]
    code, out, err = ask(*arguments)
    assert (code, out) == (3 if name in BY_LAW else 2, "")
    assert err.startswith("croupier: ")
    assert err.count("\n") == 1
    assert words in err
