"""A recorded shoe: read, settled coup by coup, its irregular coups named, its cards counted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import croupier
from croupier.equipment import card_name
from croupier.game import CardSeen, Refusal
from croupier.records.shoes import hear_shoe, read_coups, read_wagers
from croupier.round import happen, next_round, open_round
from croupier.rulesets import known_game

RULES = croupier.ruleset("nz1998")


def dealt(coups: int, seed: int) -> tuple[str, list[str]]:
    """A shoe dealt by the rules themselves, as CSV, and who won each coup."""
    cards = list(range(52)) * 8
    Random(seed).shuffle(cards)
    this, lines, won = open_round(known_game("baccarat"), RULES.rules), ["cards"], list[str]()
    for _ in range(coups):
        coup = []
        while not this.game.at_rest(this.rules, this.state):
            coup.append(cards.pop())
            after = happen(this, CardSeen(coup[-1]))
            assert not isinstance(after, Refusal)
            this = after
        won.append(str(this.game.outcome(this.rules, this.state)["winner"]))
        lines.append(" ".join(map(card_name, coup)))
        this = next_round(this)
    return "\n".join(lines), won


def test_seventy_coups_are_settled_as_they_were_dealt() -> None:
    text, won = dealt(70, seed=4)
    wagers = "coup,on,amount\n" + "\n".join(f"{coup},banker,100" for coup in range(1, 71))
    shoe = croupier.shoe(RULES, text, wagers=wagers)
    assert [coup.winner for coup in shoe.coups] == won
    assert shoe.irregular == ()
    paid = {"banker": 9_500, "player": -10_000, "tie": 0}
    assert shoe.net_cents == {"": sum(paid[side] for side in won)}
    assert sum(shoe.totals.values()) == 70
    assert "".join(shoe.big_road).upper().replace("T", "") == "".join(side[0].upper() for side in won if side != "tie")


def test_hands_come_in_the_order_of_the_deal() -> None:
    (coup,) = read_coups("Player, Banker\n2h Kc 8h, 3d Qs\n")
    assert coup.cards == ("2h", "3d", "Kc", "Qs", "8h")


IRREGULAR = """coup,cards,winner
1,2h 3d Kc Qs 8h,banker
2,9c 8d Kd 2c 5h,
3,2h 3d Kc Qs,
4,9c 8d Kd 2c,banker
5,9c 8d Kd 2c,player
"""


def test_an_irregular_coup_is_named_and_the_shoe_goes_on() -> None:
    shoe = hear_shoe(RULES, read_coups(IRREGULAR), read_wagers("coup,on,amount,by\n2,player,10,ann\n5,player,10,ann"))
    irregular = {coup.number: (coup.rule, coup.irregular) for coup in shoe.irregular}
    assert set(irregular) == {2, 3, 4}
    assert irregular[2][0].startswith("NZ1998-9")
    assert "deal player" in irregular[3][1]
    assert "told as won by banker" in irregular[4][1]
    assert [(stake.coup, stake.result, stake.returned_cents) for stake in shoe.stakes] == [
        (2, "void", 1_000),
        (5, "won", 2_000),
    ]
    assert shoe.cards_out == 9 + 13


def test_a_card_that_the_decks_cannot_hold_is_found() -> None:
    text = "cards\n" + "9c Kd 9c Kd\n" * 9
    shoe = hear_shoe(RULES, read_coups(text))
    assert [coup.number for coup in shoe.irregular] == [5, 6, 7, 8, 9]
    assert "9c appears 9 times" in shoe.irregular[0].irregular


def test_a_run_goes_on_from_coup_to_coup() -> None:
    rules = croupier.ruleset("vic2002")
    coups = read_coups("player,banker\n2h Kc 8h,3d Qs\n2h Kc 8h,3d Qs\n2h Kc 8h,3d Qs\n")
    shoe = hear_shoe(rules, coups, read_wagers("coup,on,amount\n1,banker_run_2,10\n"))
    (stake,) = shoe.stakes
    assert (stake.coup, stake.result) == (1, "won")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "columns cards or player, banker"),
        ("hand\n2h", "found are hand"),
        ("coup,cards\nx,2h", "line 2: coup is a number: 'x'"),
        ("coup,cards\r\u0661,2h", "line 2: coup is a number: '\u0661'"),
        ("cards\n" + "9" * 140_000, "line 2: field larger than field limit"),
        ("cards,winner\n2h,nobody", "line 2: winner is player, banker or tie: 'nobody'"),
        ("cards\n2h,3h,4h", "line 2: more cells"),
    ],
)
def test_bad_files_are_told_by_their_line(text: str, says: str) -> None:
    with pytest.raises(croupier.BadInput, match=says):
        read_coups(text)


def test_the_command_tells_the_same(tmp_path: Path) -> None:
    (tmp_path / "shoe.csv").write_text(IRREGULAR)
    words = [sys.executable, "-m", "croupier", "shoe", str(tmp_path / "shoe.csv"), "--edition", "nz1998"]
    answer = json.loads(subprocess.run([*words, "--json"], capture_output=True, text=True, check=True).stdout)
    assert answer["irregular"] == [2, 3, 4]
    assert answer["totals"] == {"player": 1, "banker": 1, "tie": 0}
    drawn = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "Big road: B P" in drawn


def test_the_cards_of_an_irregular_coup_have_left_the_shoe_too() -> None:
    """A coup told with the wrong winner was dealt all the same: a ninth nine of clubs is found out behind it."""
    wrong = "9c 9c,9c 9c,player\n"
    shoe = croupier.shoe(croupier.ruleset("nz1998"), f"player,banker,winner\n{wrong * 2}9c Kd,8d 2c,player\n")
    assert [bool(each.irregular) for each in shoe.coups] == [True, True, True]
    assert "9c appears 9 times" in shoe.coups[2].irregular
    assert shoe.cards_out == 8 + 3
