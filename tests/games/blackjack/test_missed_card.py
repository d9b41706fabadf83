"""15.5: the dealer's first card was passed over, and each seated player may void the hand or complete it."""

from __future__ import annotations

import pytest

from croupier.equipment import parse_card
from croupier.game import Choose, Deal, Remedy, say
from croupier.games.blackjack import BLACKJACK
from croupier.law.officials import CASINO_SUPERVISOR, DEALER
from tests.games.blackjack.test_cases import lines, refused, table, tell
from tests.games.blackjack.test_irregular import UNNOTICED, ruling
from tests.helpers.observe import carries

II = "NZ1996-II-"
MISSED = UNNOTICED
FOUND = {"irregular": "omitted_dealer_card"}


def test_15_5_rebuilt_while_nobody_has_decided() -> None:
    this = tell(table(), "10c")
    assert ruling(this, **FOUND).remedy is Remedy.RECONSTRUCT
    passed = ruling(this, **MISSED)
    assert (passed.remedy, passed.by) == (Remedy.PLAY_ON, DEALER)
    this = tell(this, MISSED, "6c")
    assert say(this.due).startswith("choose")
    found = ruling(this, **FOUND, found=["10c", "6c"])
    assert (found.remedy, found.by) == (Remedy.RECONSTRUCT, CASINO_SUPERVISOR)
    carries(found, II + "15.5")
    this = tell(this, {**FOUND, "found": ["10c", "6c"]})
    assert this.state.dealer == (parse_card("6c"),)
    assert say(this.due) == "deal box 1"


def test_15_5_later_each_seated_player_chooses() -> None:
    this = tell(table("main 10 by a, main 10 by b, main 20 by c box 2"), "10 10", MISSED, "6 6 hit 10")
    assert lines(this) == ["lost 0 II-12.2", "lost 0 II-12.2", "open 0 -"]
    found = ruling(this, **FOUND)
    assert (found.remedy, found.by) == (Remedy.OPTION, DEALER)
    carries(found, II + "15.5")
    this = tell(this, FOUND)
    assert this.due == Choose("a", ("complete", "void"), II + "15.5", box=1, hand=1)
    carries(refused(this, "5"), II + "15.5")
    this = tell(this, {"choose": "void", "by": "a"})
    assert lines(this) == ["void 0 II-15.5a", "void 0 II-15.5a", "open 0 -"]
    this = tell(this, "complete")
    assert say(this.due).startswith("choose c: stand")
    this = tell(this, "stand 10")
    assert this.due == Deal("dealer", II + "7.6")
    assert lines(tell(this, "9"))[2] == "lost 0 II-4.1g"


def test_15_5b_complete_keeps_a_bust_lost() -> None:
    this = tell(table(), "10", MISSED, "6 hit 10", FOUND)
    assert this.due == Choose("box 1", ("complete", "void"), II + "15.5", box=1, hand=1)
    assert lines(tell(this, "complete")) == ["lost 0 II-12.2"]
    carries(this.rules.complete_on_request, II + "15.5b")
    carries(this.rules.void_on_request, II + "15.5a")


def test_15_5_when_all_choose_void_nothing_is_left() -> None:
    this = tell(table(), "10", MISSED, "6 stand", FOUND, "void")
    assert this.over
    carries(this.due, II + "15.5a")


def test_15_5_at_the_latest_the_dealers_turn_shows_it() -> None:
    this = tell(table(), "10", MISSED, "8 stand")
    carries(this.due, II + "15.5")
    this = tell(this, "complete")
    assert this.due == Deal("dealer", II + "15.5-tail")
    carries(this.due, II + "15.5-tail")


@pytest.mark.parametrize(
    ("hand", "rest", "results"),
    [
        ("A K", "complete A K", ["won 15 II-4.5"]),
        ("10 6", "hit 5 complete A K", ["standoff 0 II-4.1e"]),
        ("10 9", "stand complete A K", ["lost 0 II-4.1g"]),
        ("6 5", "double 9 complete A K", ["lost 0 II-4.1g", "standoff 0 II-10.5"]),
        ("8 8", "split 10 stand 10 stand complete A K", ["lost 0 II-4.1g", "standoff 0 II-11.7"]),
    ],
)
def test_15_5_tail_ace_and_ten_are_twenty_one_but_protect_additions(hand: str, rest: str, results: list[str]) -> None:
    first, second = hand.split()
    this = tell(table(), first, MISSED, second, rest)
    assert lines(this) == results
    assert BLACKJACK.outcome(this.rules, this.state)["dealer_blackjack"] is False
    carries(this.rules.deemed_blackjack, II + "15.5-tail")


def test_15_5_no_insurance_without_a_first_card() -> None:
    this = tell(table(), "10", MISSED, "6")
    carries(refused(this, "insure"), II + "9.1")


def test_15_5_is_refused_where_the_dealer_has_a_card() -> None:
    this = tell(table(), "10 6 6 hit")
    carries(refused(this, FOUND), II + "15.5")
    carries(refused(this, MISSED), II + "15.5")
