"""Victoria's three methods of dealing: hands that bettors open, a dealer for both hands, a shoe that a player holds."""

from __future__ import annotations

import pytest

from croupier.game import Choose, Deal, Irregular, Perform, Wager
from croupier.games.baccarat import procedure
from croupier.law.model import present
from tests.games.baccarat.ceremonies.test_every import DRAWS, NATURAL, STANDS, Desk, opened, stake
from tests.helpers.observe import carries

BACKED = (stake("banker", 300, 5), stake("player", 100, 2))
BANKER_WINS, PLAYER_WINS, TIE = STANDS, NATURAL, "2h 3d 4c 3s"  # 6-7, 9-5, 6-6
BOTH_VERSIONS = pytest.mark.parametrize("version", ["traditional", "crown"])


def betting(method: str, *wagers: Wager, version: str = "") -> Desk:
    """A table with these wagers, where betting was just closed."""
    table = opened("vic2002", version, method)
    table.bets(*(wagers or BACKED))
    table.does("call No more bets", "dealer")
    return table


def dealt(method: str, *wagers: Wager, accepts: tuple[str, ...] = (), cards: str = STANDS) -> Desk:
    """Four cards are out; whoever is named accepted what was offered, all others declined."""
    table = betting(method, *wagers)
    for card in cards.split()[:4]:
        answer(table, accepts)
        table.deals(card)
    answer(table, accepts)
    return table


def answer(table: Desk, accepts: tuple[str, ...]) -> None:
    while isinstance(table.due, Choose):
        wanted = table.due
        table.chooses(wanted.options[0 if wanted.by in accepts else -1], wanted.by)


def test_8_2_3_the_game_supervisor_chooses_the_face_of_the_first_four_cards() -> None:
    table = betting("2")
    assert procedure.face(table.rules, table.sitting).value == "either"
    carries(procedure.face(table.rules, table.sitting), "VIC2002-8.2.3")
    carries(table.refuses_act("choose face", "dealer", "down"), "VIC2002-8.2.3")
    carries(table.refuses_act("choose face", "game supervisor", "sideways"), "VIC2002-8.2.3")
    table.does("choose face", "game supervisor", "down")
    assert procedure.face(table.rules, table.sitting).value == "down"
    table.deals("2h")
    carries(table.refuses_act("choose face", "game supervisor", "up"), "VIC2002-8.2.3")
    table.deals("Kd 3c 4s")
    table.acts_until("deal player")
    assert procedure.face(table.rules, table.sitting).value == "either"
    carries(procedure.face(table.rules, table.sitting), "VIC2002-8.3.1")
    table.deals("2d 9h")
    table.ends_round()
    table.does("choose face", "game supervisor", "up")
    table.closes()
    assert procedure.face(table.rules, table.sitting).value == "up"


def test_8_2_2b_the_dealer_may_burn_one_card_between_the_call_and_the_first_card() -> None:
    table = opened("vic2002", "", "2")
    carries(table.refuses_act("burn a card", "dealer"), "VIC2002-8.2.2b")
    table.closes()
    carries(table.refuses_act("burn a card", "seat 1"), "VIC2002-8.2.2b")
    table.does("burn a card", "dealer")
    carries(table.refuses_act("burn a card", "dealer"), "VIC2002-8.2.2b")
    table.deals("2h")
    late = betting("2")
    late.deals("2h")
    carries(late.refuses_act("burn a card", "dealer"), "VIC2002-8.2.2b")
    table.deals("3d 4c 4s")
    table.ends_round()
    carries(table.refuses_act("burn a card", "dealer"), "VIC2002-8.2.2b")
    table.closes()
    table.does("burn a card", "dealer")


def test_8_3_1_the_dealer_decides_which_hand_is_shown_first_in_every_method() -> None:
    first = {"1": "turn banker hand", "2": "turn banker hand", "3": "turn banker hand"}
    for method, act in first.items():
        table = dealt(method)
        carries(table.refuses_act("show banker first", "seat 1"), "VIC2002-8.3.1")
        table.does("show banker first", "dealer")
        assert table.text == f"{act} by dealer"
        table.next()
        table.expects(Perform("announce banker", "dealer", "VIC2002-8.3.1"))
        table.next()
        assert table.text == "turn player hand by dealer"
        carries(table.refuses_act("show banker first", "dealer"), "VIC2002-8.3.1")


# ---------------------------------------------------------------- method 1


@BOTH_VERSIONS
def test_8_1_1_each_hand_is_offered_to_its_highest_seated_bettor_then_downwards(version: str) -> None:
    table = betting(
        "1",
        stake("player", 100, 7),
        stake("player", 100, 2),
        stake("player", 400, "standing 1"),
        stake("banker", 200, 1),
        stake("banker", 800, 5),
        version=version,
    )
    table.deals(STANDS)
    for seat, hand in ((2, "player"), (7, "player"), (5, "banker"), (1, "banker")):
        table.expects(Choose(f"seat {seat}", (f"accept {hand}", f"decline {hand}"), "VIC2002-8.1.1"))
        table.chooses(f"decline {hand}", f"seat {seat}")
    table.expects(Perform("turn player hand", "dealer", "VIC2002-8.1.1d"))
    order = table.rules.ceremony.styles["1"].order
    assert present(order)
    assert order.value == ("highest wager", "lowest seat")
    carries(order, "VIC2002-8.1.1a")


def test_8_1_1_hands_go_out_one_at_a_time_and_8_1_1e_never_together() -> None:
    table = dealt("1", accepts=("seat 2", "seat 5"))
    for act, by, rule in (
        ("pass player hand", "dealer", "VIC2002-8.1.1"),
        ("reveal player hand", "seat 2", "VIC2002-8.1.1"),
        ("announce player", "dealer", "VIC2002-8.3.1"),
    ):
        table.expects(Perform(act, by, rule))
        table.does(act, by)
        carries(table.refuses_act("pass banker hand", "dealer"), "VIC2002-8.1.1e")
    table.does("return player hand", "dealer")
    table.does("pass banker hand", "dealer")
    carries(table.refuses_act("reveal banker hand", "seat 2"), "VIC2002-8.1.1")


def test_8_1_1c_markers_are_the_dealers_choice() -> None:
    plain = dealt("1", accepts=("seat 2", "seat 5"))
    assert plain.text == "pass player hand by dealer"
    marked = betting("1")
    carries(marked.refuses_act("use markers", "seat 2"), "VIC2002-8.1.1c")
    marked.does("use markers", "dealer")
    marked.deals(STANDS)
    marked.chooses("accept player", "seat 2")
    marked.expects(Perform("place player marker", "dealer", "VIC2002-8.1.1c"))


def test_8_1_1f_who_opens_one_hand_may_ask_to_open_the_other_that_nobody_took() -> None:
    table = dealt("1", accepts=("seat 5",))
    assert table.text == "turn player hand by dealer"
    carries(table.refuses_act("open both hands", "seat 2"), "VIC2002-8.1.1f")
    table.does("open both hands", "seat 5")
    assert table.text == "pass player hand by dealer"
    table.acts_until("reveal player hand")
    assert table.text == "reveal player hand by seat 5"
    table.acts_until("reveal banker hand")
    assert table.text == "reveal banker hand by seat 5"
    taken = dealt("1", accepts=("seat 2", "seat 5"))
    carries(taken.refuses_act("open both hands", "seat 5"), "VIC2002-8.1.1f")
    asked = betting("1")
    asked.deals(STANDS)
    asked.chooses("accept player", "seat 2")
    carries(asked.refuses_act("open both hands", "seat 2"), "VIC2002-8.1.1f")


def test_8_1_1g_an_acceptor_lets_another_seated_person_open() -> None:
    table = dealt("1", accepts=("seat 2", "seat 5"))
    for nobody in ("standing 1", "seat 9", "dealer", ""):
        carries(table.refuses_act("let another open", "seat 2", nobody), "VIC2002-8.1.1g")
    carries(table.refuses_act("let another open", "seat 1", "seat 7"), "VIC2002-8.1.1g")
    table.does("let another open", "seat 2", "seat 7")
    table.acts_until("reveal player hand")
    assert table.text == "reveal player hand by seat 7"
    table.acts_until("reveal banker hand")
    assert table.text == "reveal banker hand by seat 5"


# ---------------------------------------------------------------- method 2


@BOTH_VERSIONS
def test_8_1_2_the_dealer_acts_for_both_hands(version: str) -> None:
    table = betting("2", version=version)
    carries(table.refuses_act("pass shoe", "dealer", "seat 5"), "VIC2002-8.1.2")
    table.deals(DRAWS[:11])
    for hand in ("player", "banker"):
        carries(table.refuses_act(f"pass {hand} hand", "dealer"), "VIC2002-8.1.2")
        table.expects(Perform(f"turn {hand} hand", "dealer", "VIC2002-8.1.2"))
        table.next()
        table.expects(Perform(f"announce {hand}", "dealer", "VIC2002-8.3.1"))
        table.next()
    assert isinstance(table.due, Deal)
    carries(table.refuses_act("use markers", "dealer"), "VIC2002-9.2")


# ---------------------------------------------------------------- method 3


@BOTH_VERSIONS
def test_8_1_3_the_shoe_is_offered_by_the_highest_wager_on_either_hand(version: str) -> None:
    table = betting(
        "3",
        stake("player", 500, 7),
        stake("banker", 500, 2),
        stake("player", 450, 5),
        stake("banker", 100, 5),
        stake("banker", 200, 1),
        stake("player", 900, "standing 1"),
        stake("tie", 9000, 1),
        version=version,
    )
    for seat in (2, 7, 5, 1):
        table.expects(Choose(f"seat {seat}", ("accept shoe", "decline shoe"), "VIC2002-8.1.3"))
        carries(table.refuses_card(), "VIC2002-8.1.3")
        table.chooses("decline shoe", f"seat {seat}")
    table.deals(STANDS)
    table.expects(Perform("turn player hand", "dealer", "VIC2002-8.1.2"))
    method = table.rules.ceremony.styles["3"]
    assert present(method.order)
    carries(method.order, "VIC2002-8.1.3a")
    assert present(method.keeps_until)
    assert method.keeps_until.value == "a loss"
    carries(method.keeps_until, "VIC2002-8.1.3h.ii")


def holding(*wagers: Wager, cards: str = STANDS) -> Desk:
    """Seat 5 holds the shoe; four cards are out."""
    return dealt("3", *wagers, accepts=("seat 5",), cards=cards)


def test_8_1_3_the_holder_deals_and_opens_and_the_dealer_announces() -> None:
    table = holding(cards=DRAWS)
    for act, by, rule in (
        ("reveal player hand", "seat 5", "VIC2002-8.1.3c"),
        ("announce player", "dealer", "VIC2002-8.3.1"),
        ("reveal banker hand", "seat 5", "VIC2002-8.1.3c"),
        ("announce banker", "dealer", "VIC2002-8.3.1"),
        ("lay hands on their areas", "dealer", "VIC2002-8.1.3g"),
    ):
        table.expects(Perform(act, by, rule))
        carries(table.refuses_act(act, "seat 2"), rule)
        table.does(act, by)
    for hand, card in (("player", "2d"), ("banker", "9h")):
        assert table.text == f"deal {hand}"
        table.deals(card)
        table.expects(Perform(f"reveal {hand} third card", "seat 5", "VIC2002-8.1.3g.i"))
        table.next()
        table.expects(Perform(f"lay {hand} third card on its area", "dealer", "VIC2002-8.1.3g.ii"))
        table.next()
    assert table.text == "announce result by dealer"


def test_8_1_3d_a_marker_may_stand_beside_the_shoe() -> None:
    table = betting("3")
    carries(table.refuses_act("use markers", "seat 5"), "VIC2002-8.1.3d")
    table.does("use markers", "dealer")
    table.chooses("accept shoe", "seat 5")
    table.expects(Perform("place shoe marker", "dealer", "VIC2002-8.1.3d"))


def test_8_1_3c_ii_and_8_1_3f_a_hand_that_another_opens_goes_through_the_dealer() -> None:
    table = holding()
    for nobody in ("standing 1", "seat 9"):
        carries(table.refuses_act("let another open", "seat 5", nobody), "VIC2002-8.1.3c.ii")
    carries(table.refuses_act("let another open", "seat 2", "seat 7"), "VIC2002-8.1.3c.ii")
    table.does("let another open", "seat 5", "player seat 7")
    table.expects(Perform("pass player hand to dealer", "seat 5", "VIC2002-8.1.3f"))
    table.next()
    table.expects(Perform("deliver player hand", "dealer", "VIC2002-8.1.3f"))
    table.next()
    assert table.text == "reveal player hand by seat 7"
    table.acts_until("reveal banker hand")
    assert table.text == "reveal banker hand by seat 5"


def test_8_1_3c_ii_the_holder_may_let_the_dealer_open() -> None:
    table = holding()
    table.does("let another open", "seat 5", "dealer")
    table.acts_until("reveal player hand")
    assert table.text == "reveal player hand by dealer"


def test_8_1_3c_i_the_holder_may_let_another_seated_person_deal() -> None:
    table = holding()
    for nobody in ("standing 1", "dealer"):
        carries(table.refuses_act("let another deal", "seat 5", nobody), "VIC2002-8.1.3c.i")
    carries(table.refuses_act("let another deal", "seat 2", "seat 7"), "VIC2002-8.1.3c.i")
    table.does("let another deal", "seat 5", "seat 7")


def test_8_1_3i_the_holder_may_ask_to_open_both_hands() -> None:
    table = holding()
    carries(table.refuses_act("open both hands", "seat 2"), "VIC2002-8.1.3i")
    table.does("open both hands", "seat 5")
    assert table.text == "reveal player hand by seat 5"


# ---------------------------------------------------------------- keeping the shoe


@pytest.mark.parametrize(
    ("cards", "wagers", "rule"),
    [
        (BANKER_WINS, BACKED, ""),
        (TIE, BACKED, ""),
        (PLAYER_WINS, BACKED, "VIC2002-8.1.3h.ii"),
        (PLAYER_WINS, (*BACKED, stake("player", 100, 5)), "VIC2002-8.1.3h.ii"),
        (BANKER_WINS, (*BACKED, stake("player", 100, 5)), ""),
    ],
)
def test_8_1_3h_ii_the_holder_keeps_the_shoe_until_the_wager_it_was_taken_under_loses(
    cards: str, wagers: tuple[Wager, ...], rule: str
) -> None:
    table = holding(*wagers, cards=cards)
    table.ends_round()
    assert procedure.shoe_passes(table.rules, table.sitting) == rule
    table.bets(stake("player", 900, 1), stake("banker", 100, 5))
    assert procedure.shoe_passes(table.rules, table.sitting) == rule, "the next wagers decide nothing"
    table.does("call No more bets", "dealer")
    assert table.text == ("deal player" if not rule else "choose seat 1: accept shoe|decline shoe")


def test_8_1_3h_a_void_or_dummy_coup_takes_the_shoe_from_nobody() -> None:
    void = holding(cards=PLAYER_WINS)
    void.happens(Irregular("out_of_sequence", call="void"))
    assert procedure.shoe_passes(void.rules, void.sitting) == ""
    void.does("call No more bets", "dealer")
    assert procedure.handler(void.rules, void.sitting, "shoe") == "seat 5"
    dummy = holding(cards=PLAYER_WINS)
    dummy.happens(Irregular("swapped_areas", call="dummy"))
    dummy.ends_round()
    assert procedure.shoe_passes(dummy.rules, dummy.sitting) == ""


def test_8_1_3h_i_the_holder_relinquishes_the_shoe_between_coups() -> None:
    table = holding(cards=BANKER_WINS)
    carries(table.refuses_act("relinquish the shoe", "seat 5"), "VIC2002-8.1.3h.i")
    table.ends_round()
    carries(table.refuses_act("relinquish the shoe", "seat 2"), "VIC2002-8.1.3h.i")
    table.does("relinquish the shoe", "seat 5")
    assert procedure.shoe_passes(table.rules, table.sitting) == "VIC2002-8.1.3h.i"
    table.does("call No more bets", "dealer")
    table.expects(Choose("seat 5", ("accept shoe", "decline shoe"), "VIC2002-8.1.3"))


@pytest.mark.parametrize("official", ["pit boss", "casino supervisor"])
def test_8_1_3h_iii_a_pit_boss_or_above_takes_the_shoe_back_even_during_a_coup(official: str) -> None:
    table = holding(cards=BANKER_WINS)
    for below in ("dealer", "game supervisor", "seat 2"):
        carries(table.refuses_act("take the shoe back", below), "VIC2002-8.1.3h.iii")
    table.does("take the shoe back", official)
    assert table.text == "turn player hand by dealer"
    assert procedure.shoe_passes(table.rules, table.sitting) == "VIC2002-8.1.3h.iii"
    table.ends_round()
    table.does("call No more bets", "dealer")
    table.expects(Choose("seat 5", ("accept shoe", "decline shoe"), "VIC2002-8.1.3"))


def test_nobody_takes_back_or_gives_up_a_shoe_that_the_dealer_holds() -> None:
    table = dealt("3")
    carries(table.refuses_act("take the shoe back", "pit boss"), "VIC2002-8.1.2")
    table.ends_round()
    for nobody in ("seat 5", "dealer"):
        carries(table.refuses_act("relinquish the shoe", nobody), "VIC2002-8.1.3h.i")
    other = dealt("2")
    carries(other.refuses_act("take the shoe back", "pit boss"), "VIC2002-8.1.2")
