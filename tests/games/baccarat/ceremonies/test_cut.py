"""Cutting, loading, burning: who is offered the cut, how deep it goes, how many cards are burned."""

from __future__ import annotations

import pytest

from croupier.game import Choose, Chosen, Perform
from croupier.games.baccarat import procedure
from croupier.games.baccarat.editions import EDITIONS
from croupier.law.model import present
from tests.games.baccarat.ceremonies.test_every import Desk, desk
from tests.helpers.observe import carries


def to_the_cut(edition: str, version: str = "", *, decks: int = 0, seats: tuple[int, ...] = (2, 5, 9)) -> Desk:
    """A table with mixed cards."""
    table = desk(edition, version, seats=seats, decks=decks)
    while not (isinstance(table.due, Choose) or table.text.startswith("cut")):
        table.next()
    return table


# The offers in order, their rule, who cuts in the end, that rule, and the rule on the depth.
OFFERS = [
    ("nz1996", "mini", (2, 5, 9), "NZ1996-IV-7.2", "casino employee", "NZ1996-IV-7.2", "NZ1996-IV-7.3"),
    ("nz1996", "full", (2, 5, 9), "NZ1996-V-7.3", "casino employee", "NZ1996-V-7.3", "NZ1996-V-7.4"),
    ("nz1996", "midi", (9, 5, 2), "NZ1996-IX-7.3", "casino employee", "NZ1996-IX-7.3", "NZ1996-IX-7.4"),
    ("nz1998", "full", (2, 5, 9), "NZ1998-7.3.s2", "casino employee", "NZ1998-7.3.s3", "NZ1998-7.4.s1"),
    ("nzd5", "mini", (2, 5, 9), "NZD5-7.5.s2", "casino employee", "NZD5-7.5.s3", "NZD5-7.6.s1"),
    ("nzeb", "hybrid", (2, 5, 9), "NZD5-7.5.s2", "casino employee", "NZD5-7.5.s3", "NZD5-7.6.s1"),
    ("vic2002", "crown", (9, 5, 2), "VIC2002-4.2.1a", "game supervisor or above", "VIC2002-4.2.2.s2", "VIC2002-4.2.3"),
]


@pytest.mark.parametrize(("edition", "version", "order", "offer", "staff", "by_staff"), [o[:6] for o in OFFERS])
def test_the_cut_is_offered_in_the_documents_order_and_staff_cut_if_nobody_will(
    edition: str, version: str, order: tuple[int, ...], offer: str, staff: str, by_staff: str
) -> None:
    table = to_the_cut(edition, version)
    for seat in order:
        table.expects(Choose(f"seat {seat}", ("cut", "decline"), offer))
        carries(table.refuses_act("cut", "dealer", 104), offer)
        table.chooses("decline", f"seat {seat}")
    table.expects(Perform("cut", staff, by_staff))
    carries(table.refuses_act("cut", f"seat {order[0]}", 104), by_staff)
    table.does("cut", "casino supervisor", 104)
    assert table.text == "insert cutting card by dealer"


@pytest.mark.parametrize(("edition", "version", "order", "offer", "depth"), [(*o[:4], o[6]) for o in OFFERS])
def test_who_accepts_the_cut_makes_it_and_nobody_else(
    edition: str, version: str, order: tuple[int, ...], offer: str, depth: str
) -> None:
    table = to_the_cut(edition, version)
    first, second, third = (f"seat {seat}" for seat in order)
    carries(table.refuses(Chosen("cut", second)), offer)
    table.chooses("decline", first)
    carries(table.due, offer)
    table.chooses("cut", second)
    table.expects(Perform("cut", second, depth))
    carries(table.refuses_act("cut", first, 104), depth)
    carries(table.refuses_act("cut", "casino employee", 104), depth)
    carries(table.refuses_act("insert cutting card", "dealer", 20), depth)
    table.does("cut", second, 104)
    assert (first, "decline") in table.sitting.cutters
    assert all(person != third for person, _ in table.sitting.cutters)


def test_standing_players_are_not_offered_the_cut() -> None:
    """Only seats are asked, so nobody who stands can answer."""
    for edition, version, rule in (("nz1998", "full", "NZ1998-7.3.s2"), ("nzd5", "full", "NZD5-7.5.s2")):
        table = to_the_cut(edition, version)
        assert procedure.cut_order(table.rules, table.sitting) == ("seat 2", "seat 5", "seat 9")
        carries(table.refuses_act("cut", "standing 1", 104), rule)


def test_nzeb_7_2_with_terminals_only_nobody_but_an_employee_cuts() -> None:
    table = to_the_cut("nzeb", "terminals")
    assert procedure.cut_order(table.rules, table.sitting) == ()
    table.expects(Perform("cut", "casino employee", "NZEB-7.2"))
    carries(table.refuses_act("cut", "seat 2", 104), "NZEB-7.2")
    for employee in ("dealer", "game supervisor", "casino manager"):
        again = to_the_cut("nzeb", "terminals")
        again.does("cut", employee, 104)


def test_vic2002_4_2_2_a_dealer_is_not_above_a_game_supervisor() -> None:
    for person in ("game supervisor", "pit boss", "casino supervisor"):
        table = to_the_cut("vic2002", seats=())
        table.does("cut", person, 104)
    carries(to_the_cut("vic2002", seats=()).refuses_act("cut", "dealer", 104), "VIC2002-4.2.2.s2")


def test_vic2002_4_2_1b_a_designated_player_is_asked_first_then_the_others_clockwise() -> None:
    table = to_the_cut("vic2002")
    carries(table.refuses_act("designate cutter", "dealer", "seat 5"), "VIC2002-4.2.1b")
    carries(table.refuses_act("designate cutter", "game supervisor"), "VIC2002-4.2.1b")
    table.does("designate cutter", "game supervisor", "seat 5")
    table.expects(Choose("seat 5", ("cut", "decline"), "VIC2002-4.2.1b"))
    table.chooses("decline", "seat 5")
    for seat in (2, 9):
        table.expects(Choose(f"seat {seat}", ("cut", "decline"), "VIC2002-4.2.1a"))
        table.chooses("decline", f"seat {seat}")
    carries(table.due, "VIC2002-4.2.2.s2")


def test_vic2002_4_2_1b_anybody_may_be_designated_but_only_before_the_cut_is_offered() -> None:
    table = to_the_cut("vic2002")
    table.does("designate cutter", "game supervisor", "standing 3")
    carries(table.due, "VIC2002-4.2.1b")
    table.chooses("cut", "standing 3")
    table.expects(Perform("cut", "standing 3", "VIC2002-4.2.3"))
    late = to_the_cut("vic2002")
    late.chooses("decline", "seat 9")
    carries(late.refuses_act("designate cutter", "game supervisor", "seat 2"), "VIC2002-4.2.1b")


# ---------------------------------------------------------------- depths

# The least cut, the rule; the least place of the cutting card from the back, the rule.
DEPTHS = [
    ("nz1996", "mini", 52, "NZ1996-IV-7.3", 20, "NZ1996-IV-7.3"),
    ("nz1996", "full", 52, "NZ1996-V-7.4", 20, "NZ1996-V-7.4"),
    ("nz1996", "midi", 52, "NZ1996-IX-7.4", 20, "NZ1996-IX-7.4"),
    ("nz1998", "full", 52, "NZ1998-7.4.s1", 20, "NZ1998-7.4.s2"),
    ("nzd5", "full", 52, "NZD5-7.6.s1", 20, "NZD5-7.6.s2"),
    ("nzeb", "terminals", 52, "NZD5-7.6.s1", 20, "NZD5-7.6.s2"),
    ("nzeb", "hybrid", 52, "NZD5-7.6.s1", 20, "NZD5-7.6.s2"),
    ("vic2002", "traditional", 45, "VIC2002-4.2.3", 17, "VIC2002-4.2.4a"),
    ("vic2002", "crown", 45, "VIC2002-4.2.3", 17, "VIC2002-4.2.4a"),
]


def at_the_cut(edition: str, version: str, decks: int = 0) -> Desk:
    table = to_the_cut(edition, version, decks=decks)
    table.acts_until("cut by")
    return table


@pytest.mark.parametrize(("edition", "version", "least", "rule"), [d[:4] for d in DEPTHS])
def test_the_cut_is_at_least_one_deck_from_either_end(edition: str, version: str, least: int, rule: str) -> None:
    most = 416 - least
    for depth in (least - 1, most + 1, 0, 416, "deep"):
        carries(at_the_cut(edition, version).refuses_act("cut", detail=depth), rule)
    for depth in (least, least + 1, most - 1, most):
        at_the_cut(edition, version).does("cut", detail=depth)


@pytest.mark.parametrize(("edition", "rule", "least"), [("nzd5", "NZD5-7.6.s1", 52), ("vic2002", "VIC2002-4.2.3", 45)])
@pytest.mark.parametrize("decks", [4, 6, 8])
def test_the_cut_is_measured_on_the_decks_in_use(edition: str, rule: str, least: int, decks: int) -> None:
    most = 52 * decks - least
    carries(at_the_cut(edition, "", decks).refuses_act("cut", detail=least - 1), rule)
    at_the_cut(edition, "", decks).does("cut", detail=least)
    at_the_cut(edition, "", decks).does("cut", detail=most)
    carries(at_the_cut(edition, "", decks).refuses_act("cut", detail=most + 1), rule)


@pytest.mark.parametrize(("edition", "version", "least", "rule"), [(*d[:2], *d[4:]) for d in DEPTHS])
def test_the_cutting_card_lies_far_enough_from_the_back(edition: str, version: str, least: int, rule: str) -> None:
    def placed() -> Desk:
        table = at_the_cut(edition, version)
        table.next()
        return table

    for depth in (least - 1, 0, 416, "at the back"):
        carries(placed().refuses_act("insert cutting card", "dealer", depth), rule)
    for depth in (least, least + 1, 20, 21, 415):
        placed().does("insert cutting card", "dealer", depth)


def test_vic2002_4_2_4b_thirteen_fanned_cards_are_the_other_way_and_no_other_number() -> None:
    fanned = EDITIONS["vic2002"]["crown"].ceremony.end_fanned
    assert present(fanned)
    assert fanned.value == 13
    carries(fanned, "VIC2002-4.2.4b")
    table = at_the_cut("vic2002", "crown")
    table.next()
    carries(table.due, "VIC2002-4.2.4")
    for depth in (12, 14):
        carries(table.refuses_act("insert cutting card", "dealer", depth), "VIC2002-4.2.4a")
    table.does("insert cutting card", "dealer", 13)
    carries(table.due, "VIC2002-4.2.4c")


def test_new_zealand_knows_no_fan_of_thirteen() -> None:
    for edition, versions in EDITIONS.items():
        for version, rules in versions.items():
            if edition != "vic2002":
                assert not present(rules.ceremony.end_fanned), version


SECOND = [
    ("nz1996", "mini", "NZ1996-IV-7.3"),
    ("nz1996", "full", "NZ1996-V-7.4"),
    ("nz1996", "midi", "NZ1996-IX-7.4"),
    ("nz1998", "full", "NZ1998-7.4.s3"),
    ("nzd5", "midi", "NZD5-7.6.s3"),
    ("nzeb", "hybrid", "NZD5-7.6.s3"),
]


@pytest.mark.parametrize(("edition", "version", "rule"), SECOND)
def test_a_second_cutting_card_goes_to_the_very_back(edition: str, version: str, rule: str) -> None:
    one, two = desk(edition, version), desk(edition, version, cutting_cards=2)
    for table in (one, two):
        table.acts_until("insert cutting card")
        table.next()
    assert one.text == "load by dealer"
    two.expects(Perform("second cutting card at the back", "dealer", rule))
    carries(two.refuses_act("load"), rule)
    two.next()
    assert two.text == "load by dealer"


def test_nzd5_7_8_no_cutting_card_goes_into_a_continuous_shuffler_but_the_first_load_is_cut_and_burned() -> None:
    table = desk("nzd5", "mini", shuffler="continuous", cutting_cards=2)
    table.opens()
    done = [fact.act for fact in table.sitting.shoe]
    assert "cut" in done
    assert "burn face up" in done
    assert not [act for act in done if "cutting card" in act]
    table.closes()
    carries(table.refuses_act("cutting card"), "NZD5-11.1")


# ---------------------------------------------------------------- the burn

# The rules on loading, the first card up, the others down, the discard, and the value of the first card.
BURNS = [
    ("nz1996", "mini", "NZ1996-IV-", "7.4 7.4a 7.4b 7.4c 7.5"),
    ("nz1996", "full", "NZ1996-V-", "7.5 7.5a 7.5b 7.5c 7.6"),
    ("nz1996", "midi", "NZ1996-IX-", "7.5 7.5a 7.5b 7.5c 7.6"),
    ("nz1998", "full", "NZ1998-", "7.5 7.5a 7.5b 7.5c 7.6"),
    ("nzd5", "mini", "NZD5-", "7.7 7.7a 7.7b 7.7c 7.9"),
    ("nzeb", "terminals", "NZD5-", "7.7 7.7a 7.7b 7.7c 7.9"),
    ("nzeb", "hybrid", "NZD5-", "7.7 7.7a 7.7b 7.7c 7.9"),
]
VALUES = {"Ah": 1, "2c": 2, "7d": 7, "9s": 9, "10h": 10, "Jc": 10, "Qd": 10, "Ks": 10}


@pytest.mark.parametrize(("edition", "version", "prefix", "ids"), BURNS)
def test_the_first_card_is_burned_face_up_and_its_value_face_down(
    edition: str, version: str, prefix: str, ids: str
) -> None:
    loaded, up, down, discarded, values = (prefix + each for each in ids.split())
    for card, value in VALUES.items():
        table = desk(edition, version)
        table.acts_until("load by")
        table.expects(Perform("load", "dealer", loaded))
        carries(table.refuses_act("burn face up", "dealer", card), loaded)
        table.next()
        table.expects(Perform("burn face up", "dealer", up))
        for nothing in ("", "a card", 7):
            carries(table.refuses_act("burn face up", "dealer", nothing), up)
        carries(table.refuses_card(), up)
        table.does("burn face up", "dealer", card)
        table.expects(Perform("burn face down", "dealer", down))
        for number in (value - 1, value + 1, 0 if value == 10 else value + 10):
            carries(table.refuses_act("burn face down", "dealer", number), values)
        table.does("burn face down", "dealer", value)
        table.expects(Perform("discard burned cards", "dealer", discarded))
        carries(table.refuses_card(), discarded)
        table.next()
        assert table.text.startswith(("call No more bets", "close betting"))


def before_the_burn() -> Desk:
    table = desk("vic2002")
    table.acts_until("burn one face down")
    return table


def test_vic2002_4_3_1a_one_card_is_burned_unseen_unless_a_player_asks_to_see_it() -> None:
    table = before_the_burn()
    table.expects(Perform("burn one face down", "dealer", "VIC2002-4.3.1a"))
    carries(table.refuses_act("ask to see the burned card", "seat 1"), "VIC2002-4.3.1a")
    carries(table.refuses_act("burn face up", "dealer", "4h"), "VIC2002-4.3.1a")
    table.next()
    table.expects(Perform("call for bets", "dealer", "VIC2002-4.3.1c"))
    carries(table.refuses_act("call No more bets"), "VIC2002-4.3.1c")
    carries(table.refuses_act("ask to see the burned card", "dealer"), "VIC2002-4.3.1a")
    table.does("ask to see the burned card", "seat 1")
    table.next()
    assert table.text == "call No more bets by dealer"


def test_vic2002_4_3_1b_a_value_burn_is_dealt_on_request_made_before_the_burn_only() -> None:
    table = before_the_burn()
    carries(table.refuses_act("ask for a value burn", "dealer"), "VIC2002-4.3.1b")
    table.does("ask for a value burn", "seat 2")
    table.expects(Perform("burn face up", "dealer", "VIC2002-4.3.1b"))
    table.does("burn face up", "dealer", "Qh")
    for number in (9, 11):
        carries(table.refuses_act("burn face down", "dealer", number), "VIC2002-4.3.1b")
    carries(table.refuses_act("ask for a value burn", "seat 2"), "VIC2002-4.3.1b")
    table.does("burn face down", "dealer", 10)
    carries(table.due, "VIC2002-4.3.1c")
    late = before_the_burn()
    late.next()
    carries(late.refuses_act("ask for a value burn", "seat 2"), "VIC2002-4.3.1b")


@pytest.mark.parametrize(("card", "value"), [("Ah", 1), ("2h", 2), ("9h", 9), ("Th", 10), ("Jh", 10), ("Kh", 10)])
def test_vic2002_4_3_1b_an_ace_burns_one_and_a_court_card_ten(card: str, value: int) -> None:
    table = before_the_burn()
    table.does("ask for a value burn", "seat 2")
    table.does("burn face up", "dealer", card)
    for number in (value - 1, value + 1):
        carries(table.refuses_act("burn face down", "dealer", number), "VIC2002-4.3.1b")
    table.does("burn face down", "dealer", value)


def test_vic2002_4_3_1b_the_request_may_come_as_early_as_the_player_likes() -> None:
    table = desk("vic2002")
    table.does("ask for a value burn", "seat 2")
    table.acts_until("burn face up")
    carries(table.due, "VIC2002-4.3.1b")
