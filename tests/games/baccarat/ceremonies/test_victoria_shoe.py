"""Victoria's end of shoe: cards that players handled are replaced, supervisors may replace others, Dummy Coups."""

from __future__ import annotations

import pytest

from croupier.game import Irregular, Perform
from croupier.games.baccarat import procedure
from tests.games.baccarat.ceremonies.test_every import STANDS, Desk, desk
from tests.games.baccarat.ceremonies.test_victoria import betting, dealt
from tests.helpers.observe import carries


def to_the_end(table: Desk) -> Desk:
    """The shoe is dealt out: the cutting card comes now, one more coup is dealt, and everybody declines."""
    table.ends_round()
    table.closes()
    table.does("cutting card")
    table.deals(STANDS)
    table.ends_round()
    table.next()
    table.plays(STANDS)
    return table


@pytest.mark.parametrize(("method", "acceptor"), [("1", "seat 2"), ("1", "seat 5"), ("3", "seat 5")])
def test_4_4_3_cards_that_players_handled_once_in_a_shoe_are_all_replaced(method: str, acceptor: str) -> None:
    table = to_the_end(dealt(method, accepts=(acceptor,)))
    table.expects(Perform("remove cards", "dealer", "VIC2002-4.4.3"))
    carries(table.refuses_act("mix again", "dealer"), "VIC2002-4.4.3")
    carries(table.refuses_act("shuffle for reasonable cause", "casino supervisor"), "VIC2002-4.4.3")
    table.does("remove cards", "dealer")
    carries(table.due, "VIC2002-3.4")


@pytest.mark.parametrize("method", ["1", "2", "3"])
def test_8_3_4e_cards_that_nobody_handled_are_shuffled_again(method: str) -> None:
    table = to_the_end(dealt(method))
    table.expects(Perform("mix again", "dealer", "VIC2002-8.3.4e"))


def test_4_4_3_an_order_to_shuffle_handled_cards_brings_new_ones() -> None:
    table = dealt("1", accepts=("seat 2",))
    table.ends_round()
    table.does("shuffle for an abnormal sequence", "casino supervisor")
    table.expects(Perform("remove cards", "dealer", "VIC2002-4.4.3"))


def test_4_4_3_who_keeps_the_shoe_over_a_change_of_cards_handles_the_new_ones() -> None:
    table = dealt("3", accepts=("seat 5",))
    table.ends_round()
    table.does("replace cards", "casino supervisor")
    table.opens()
    table.closes()
    assert procedure.handler(table.rules, table.sitting, "shoe") == "seat 5"
    assert table.sitting.handled


@pytest.mark.parametrize("supervisor", ["game supervisor", "casino supervisor"])
def test_4_4_1_a_supervisor_may_replace_cards_after_the_final_coup(supervisor: str) -> None:
    early = betting("2")
    early.deals(STANDS)
    early.ends_round()
    carries(early.refuses_act("replace cards after the shoe", supervisor), "VIC2002-4.4.1")
    table = to_the_end(dealt("2"))
    carries(table.refuses_act("replace cards after the shoe", "dealer"), "VIC2002-4.4.1")
    carries(table.refuses_act("replace cards after the shoe", supervisor, "pre-checked"), "VIC2002-4.4.1")
    table.does("replace cards after the shoe", supervisor, "pre-shuffled")
    carries(table.due, "VIC2002-3.4")
    table.next()
    carries(table.due, "VIC2002-4.1.2")
    mixed = to_the_end(dealt("2"))
    mixed.does("mix again", "dealer")
    carries(mixed.refuses_act("replace cards after the shoe", supervisor), "VIC2002-4.4.1")


@pytest.mark.parametrize("coups", [1, 3])
def test_8_3_4d_the_game_supervisor_directs_dummy_coups_after_the_last_coup(coups: int) -> None:
    early = betting("2")
    early.deals(STANDS)
    early.ends_round()
    carries(early.refuses_act("direct dummy coups", "game supervisor", 1), "VIC2002-8.3.4d")
    table = to_the_end(dealt("2"))
    carries(table.refuses_act("direct dummy coups", "dealer", coups), "VIC2002-8.3.4d")
    for number in (0, -1, "some"):
        carries(table.refuses_act("direct dummy coups", "game supervisor", number), "VIC2002-8.3.4d")
    table.does("direct dummy coups", "game supervisor", coups)
    for _ in range(coups):
        table.closes()
        assert table.sitting.coup.hand == "dummy"
        table.deals(STANDS)
        table.ends_round()
    table.expects(Perform("mix again", "dealer", "VIC2002-8.3.4e"))


def test_a_dummy_coup_has_no_hands_to_offer_and_nothing_to_pay() -> None:
    table = to_the_end(dealt("1"))
    table.does("direct dummy coups", "game supervisor", 1)
    table.closes()
    table.deals(STANDS)
    table.expects(Perform("turn player hand", "dealer", "VIC2002-8.1.1d"))
    table.acts_until("announce result")
    table.next()
    assert table.text == "mix again by dealer"


def test_11_4_a_dummy_coup_is_ordered_between_coups_or_until_the_first_card() -> None:
    early = desk("vic2002")
    carries(early.refuses(Irregular("dummy_coup_ordered")), "VIC2002-3.4")
    for table in (betting("2"), dealt("2")):
        table.ends_round()
        table.happens(Irregular("dummy_coup_ordered"))
        if table.text == "call No more bets by dealer":
            table.next()
        assert table.text == "deal player"
        assert table.sitting.coup.hand == "dummy"
        table.deals("2h")
        carries(table.refuses(Irregular("dummy_coup_ordered")), "VIC2002-11.4")
