"""What supervisors may direct about the hands in New Zealand, nominees, and the notice of Style B."""

from __future__ import annotations

import pytest

from croupier.game import Choose, Irregular, Perform
from tests.games.baccarat.ceremonies.test_every import STANDS, opened
from tests.games.baccarat.ceremonies.test_roles import BACKED, accepting, betting
from tests.helpers.observe import carries

KEPT = [
    ("nz1996", "full", "NZ1996-V-8.23", "NZ1996-V-8.23"),
    ("nz1996", "midi", "NZ1996-IX-8.23", "NZ1996-IX-8.23"),
    ("nz1998", "full", "NZ1998-8.16c", "NZ1998-8.16"),
    ("nzd5", "mini", "NZD5-8.18c", "NZD5-8.18"),
    ("nzeb", "hybrid", "NZD5-8.18c", "NZD5-8.18"),
]


@pytest.mark.parametrize(("edition", "version", "order", "kept"), KEPT)
@pytest.mark.parametrize("supervisor", ["game supervisor", "casino supervisor"])
def test_a_supervisor_keeps_the_cards_with_the_dealer(
    edition: str, version: str, order: str, kept: str, supervisor: str
) -> None:
    table = accepting(edition, version)
    carries(table.refuses_act("keep cards with dealer", "dealer"), order)
    carries(table.refuses_act("keep cards with dealer", "seat 2"), order)
    carries(table.refuses_act("keep cards with dealer", supervisor, "both of them"), order)
    table.does("keep cards with dealer", supervisor)
    table.expects(Perform("turn player hand", "dealer", kept))
    table.acts_until("turn banker hand")
    carries(table.due, kept)


@pytest.mark.parametrize(("edition", "version", "order", "kept"), KEPT)
def test_a_supervisor_may_keep_one_hand_even_one_that_is_out(edition: str, version: str, order: str, kept: str) -> None:
    table = accepting(edition, version)
    table.does("pass player hand")
    carries(table.refuses_act("keep cards with dealer", "operator", "player"), order)
    table.does("keep cards with dealer", "game supervisor", "player")
    table.expects(Perform("turn player hand", "dealer", kept))
    table.acts_until("pass banker hand")
    table.next()
    assert table.text == "reveal banker hand by seat 5"


@pytest.mark.parametrize(("edition", "version", "order", "kept"), KEPT)
def test_a_direction_given_between_rounds_is_for_the_next_one_only(
    edition: str, version: str, order: str, kept: str
) -> None:
    table = betting(edition, version, *BACKED)
    table.acts_until("deal player")
    table.deals(STANDS)
    table.ends_round()
    carries(table.refuses_act("keep cards with dealer", "seat 1"), order)
    table.does("keep cards with dealer", "casino supervisor")
    table.closes()
    table.deals(STANDS)
    carries(table.due, kept)
    table.ends_round()
    table.does("call No more bets", "dealer")
    table.acts_until("choose seat 5")


def test_a_direction_ends_with_a_void_round_too() -> None:
    table = accepting("nz1998", "full")
    table.does("keep cards with dealer", "game supervisor")
    table.happens(Irregular("out_of_sequence", call="void"))
    table.does("call No more bets", "dealer")
    table.expects(Choose("seat 5", ("accept banker", "decline banker"), "NZ1998-8.8"))


@pytest.mark.parametrize(
    ("edition", "version"), [("nzd5", "mini"), ("nzd5", "midi"), ("nzd5", "full"), ("nzeb", "hybrid")]
)
@pytest.mark.parametrize(("style", "rule"), [("A", "NZD5-8.6"), ("B", "NZD5-8.13"), ("C", "NZD5-8.19")])
def test_nzd5_8_17_only_the_casino_supervisor_lets_the_banker_hand_be_shown_first(
    edition: str, version: str, style: str, rule: str
) -> None:
    table = accepting(edition, version) if style == "B" else opened(edition, version, style)
    if style != "B":
        table.closes()
        table.deals(STANDS)
    carries(table.due, rule)
    for other in ("dealer", "game supervisor", "operator", "seat 5"):
        carries(table.refuses_act("show banker first", other), "NZD5-8.17")
    table.does("show banker first", "casino supervisor")
    first = {"A": "announce banker", "B": "pass banker hand", "C": "turn banker hand"}[style]
    table.expects(Perform(first, "dealer", "NZD5-8.17"))
    if style == "B":
        table.next()
        carries(table.refuses_act("pass player hand"), "NZD5-8.16")
    table.acts_until({"A": "announce player", "B": "pass player hand", "C": "turn player hand"}[style])
    carries(table.due, rule)


@pytest.mark.parametrize(("edition", "version"), [("nzd5", "full"), ("nzeb", "hybrid")])
def test_nzd5_8_17_once_a_hand_is_being_shown_it_is_too_late(edition: str, version: str) -> None:
    table = accepting(edition, version)
    table.does("pass player hand")
    carries(table.refuses_act("show banker first", "casino supervisor"), "NZD5-8.17")


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [("nz1996", "full", "NZ1996-V-8.16"), ("nz1998", "full", "NZ1998-8.12")],
)
def test_before_division_5_nobody_lets_the_banker_hand_be_shown_first(edition: str, version: str, rule: str) -> None:
    table = accepting(edition, version)
    carries(table.refuses_act("show banker first", "casino supervisor"), rule)


def test_nzeb_8_3_the_banker_hand_is_never_first_with_terminals_only() -> None:
    table = opened("nzeb", "terminals", "C")
    table.closes()
    table.deals(STANDS)
    carries(table.refuses_act("show banker first", "casino supervisor"), "NZD5-8.19")


# ---------------------------------------------------------------- nominees


def test_nzeb_1_1_a_seated_nominee_opens_the_hand_for_whoever_accepted_it() -> None:
    table = accepting("nzeb", "hybrid")
    carries(table.refuses_act("let another open", "seat 5", "standing 1"), "NZEB-1.1.nominee")
    carries(table.refuses_act("let another open", "seat 5", "seat 9"), "NZEB-1.1.nominee")
    carries(table.refuses_act("let another open", "seat 7", "seat 1"), "NZEB-1.1.nominee")
    table.does("let another open", "seat 5", "seat 7")
    table.acts_until("reveal player hand")
    assert table.text == "reveal player hand by seat 2"
    table.acts_until("reveal banker hand")
    assert table.text == "reveal banker hand by seat 7"


def test_nzd5_knows_no_nominee() -> None:
    table = accepting("nzd5", "full")
    carries(table.refuses_act("let another open", "seat 5", "seat 7"), "NZD5-8.13")


def test_nz1996_8_8_an_inspector_is_told_before_style_b_is_dealt() -> None:
    for version, rule in (("full", "NZ1996-V-8.8"), ("midi", "NZ1996-IX-8.8")):
        table = opened("nz1996", version, "B")
        assert table.sitting.shoe[-1].act == "notify inspector of Style B"
        waiting = opened("nz1996", version, "B")
        waiting.does("replace cards", "shift manager", "pre-shuffled")
        waiting.acts_until("notify inspector of Style B")
        carries(waiting.due, rule)
        carries(waiting.refuses_act("call No more bets"), rule)
        assert "Style B" not in str(opened("nz1996", version, "A").sitting.shoe)
