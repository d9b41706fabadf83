"""Who may be at a table: seats, standing, age, exclusion, private tables, roles, advice and tips."""

from __future__ import annotations

import pytest

from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import Happened, PlayerExcluded, RulesShown, Seated, SeatWanted, StandingAllowed, WagerPlaced
from tests.helpers.desks.table import ROUND, a_desk, asked, only, played, put, refused, until_chance, with_players
from tests.helpers.observe import carries

I = "NZ1996-I-"  # noqa: E741
V = "VIC2002-"
DAY = 86_400_000
BIRTHDAY = 10_957 * DAY
"""The first of January 2000, UTC."""


# ---------------------------------------------------------------- taking part


def test_i_2_2_taking_part_binds_to_the_rules() -> None:
    event = only(asked(a_desk(), c.Sit("ann", 1)), Seated)
    carries(event, I + "2.2")
    assert event.edition == "nz1998"


@pytest.mark.parametrize(
    ("born", "at", "seated"),
    [
        ("1980-01-02", BIRTHDAY, False),
        ("1980-01-01", BIRTHDAY - 1, False),
        ("1980-01-01", BIRTHDAY, True),
        ("1980-01-01", BIRTHDAY + 1, True),
        ("1979-12-31", BIRTHDAY, True),
        ("1960-02-29", BIRTHDAY, True),
        ("", BIRTHDAY, True),
    ],
)
def test_i_9_0_nobody_under_twenty(born: str, at: int, *, seated: bool) -> None:
    desk, sits = a_desk(), c.Sit("ann", 1, born=born)
    if seated:
        assert only(asked(desk, sits, at=at), Seated).player == "ann"
    else:
        carries(refused(desk, sits, at=at), I + "9.0")


@pytest.mark.parametrize("born", ["yesterday", "1980-13-01", "01/01/1980"])
def test_a_date_of_birth_is_a_date(born: str) -> None:
    carries(refused(a_desk(), c.Sit("ann", 1, born=born)), I + "9.0")


@pytest.mark.parametrize("at", [-1, 10**30, -(10**30)])
def test_any_moment_has_a_day(at: int) -> None:
    carries(refused(a_desk(), c.Sit("ann", 1, born="9999-12-31"), at=at), I + "9.0")


@pytest.mark.parametrize("seat", [-1, 15, 1000])
def test_a_seat_is_one_of_the_layouts(seat: int) -> None:
    assert "the table has seats 1 to 14" in refused(a_desk(), c.Sit("ann", seat)).reason


def test_a_seat_has_one_player() -> None:
    desk = with_players(a_desk(), "ann")
    assert "taken by ann" in refused(desk, c.Sit("bob", 1)).reason
    asked(desk, c.Sit("ann", 2))
    asked(desk, c.Sit("bob", 1))
    assert desk.state.seats == {1: "bob", 2: "ann"}
    desk.bet("ann", "banker", 2000)
    assert "wagers in play" in refused(desk, c.Sit("ann", 3)).reason
    assert "wagers in play" in refused(desk, c.Leave("ann")).reason


# ---------------------------------------------------------------- standing


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [("nz1998", "", "NZ1998-5.5"), ("nzd5", "full", "NZD5-5.6"), ("nzd5", "mini", "NZD5-5.6")],
)
def test_standing_players_may_take_part(edition: str, version: str, rule: str) -> None:
    desk, area = a_desk(edition, version=version), 7 if version == "mini" else 0
    carries(only(asked(desk, c.Sit("stan")), Seated), rule)
    asked(desk, c.BuyChips("stan", 5000))
    assert only(asked(desk, put("stan", "player", 1000, area=area)), WagerPlaced).area == area


def test_victoria_6_2_1_standing_players_need_leave() -> None:
    desk = a_desk("vic2002")
    carries(refused(desk, c.Sit("stan")), V + "6.2.1")
    carries(refused(desk, c.AllowStanding("stan"), role="dealer"), V + "1.1.game-supervisor")
    carries(only(asked(desk, c.AllowStanding("stan"), role="game supervisor"), StandingAllowed), V + "6.2.1")
    asked(desk, c.Sit("stan"))
    asked(desk, c.BuyChips("stan", 5000))
    assert desk.bet("stan", "player", 1000) == 0


def test_standing_needs_no_leave_in_new_zealand() -> None:
    assert "need no leave" in refused(a_desk(), c.AllowStanding("stan"), role="game supervisor").reason


# ---------------------------------------------------------------- a seat that nobody uses


def idle_rounds(desk: LiveTable, number: int) -> None:
    """Rounds in which only ann bets."""
    for _ in range(number):
        desk.bet("ann", "banker", 2000)
        played(desk, *ROUND["banker"])


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "5.0"), ("vic2002", V + "13.8")])
@pytest.mark.parametrize("rounds", [2, 3, 4])
def test_three_rounds_without_a_wager(edition: str, rule: str, rounds: int) -> None:
    desk = with_players(a_desk(edition, seats=5), "ann", "bob", "cy", "dan", "eve")
    idle_rounds(desk, rounds)
    asking = c.AskToLeave("bob")
    if rounds < 3:
        carries(refused(desk, asking, role="game supervisor"), rule)
    else:
        events = asked(desk, asking, role="game supervisor")
        carries(only(events, SeatWanted), rule)
        carries(only(events, Seated), rule)
        assert 2 not in desk.state.seats
        assert "bob" in desk.state.players
    carries(refused(desk, c.AskToLeave("ann"), role="game supervisor"), rule)
    carries(refused(desk, c.AskToLeave("zoe"), role="game supervisor"), rule)


def test_i_5_0_only_rounds_with_every_seat_in_use_count() -> None:
    desk = with_players(a_desk(seats=3), "ann", "bob", "cy")
    idle_rounds(desk, 2)
    asked(desk, c.Leave("cy"))
    idle_rounds(desk, 1)
    asked(desk, c.Sit("cy", 3))
    idle_rounds(desk, 2)
    carries(refused(desk, c.AskToLeave("bob"), role="game supervisor"), I + "5.0")
    idle_rounds(desk, 1)
    carries(only(asked(desk, c.AskToLeave("bob"), role="game supervisor"), SeatWanted), I + "5.0")


def test_i_5_0_a_wager_starts_the_count_again() -> None:
    desk = with_players(a_desk(seats=2), "ann", "bob")
    idle_rounds(desk, 2)
    desk.bet("bob", "player", 1000)
    idle_rounds(desk, 2)
    carries(refused(desk, c.AskToLeave("bob"), role="game supervisor"), I + "5.0")


# ---------------------------------------------------------------- shut out


def test_i_10_0_whoever_is_told_to_leave() -> None:
    desk = with_players(a_desk(), "ann")
    shut = c.Exclude("ann", "unruly")
    carries(refused(desk, shut, role="game supervisor"), I + "1.0-def-casino-supervisor")
    carries(only(asked(desk, shut, role="casino supervisor"), PlayerExcluded), I + "10.0")
    carries(refused(desk, put("ann", "player", 1000)), I + "10.0")
    asked(desk, c.Leave("ann"))
    carries(refused(desk, c.Sit("ann", 1)), I + "10.0")


def test_victoria_excludes_only_with_a_sanction() -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    carries(refused(desk, c.Exclude("ann", "unruly"), role="game supervisor"), V + "1.1.casino-supervisor")
    carries(refused(desk, c.Exclude("ann", "unruly"), role="casino supervisor"), V + "13.2.2")


def test_i_20_1a_a_private_table_has_a_list() -> None:
    desk = a_desk(private=("ann", "bob"))
    with_players(desk, "ann")
    carries(refused(desk, c.Sit("zoe", 2)), I + "20.1a")
    assert desk.bet("ann", "player", 1000) == 0


# ---------------------------------------------------------------- who does what


@pytest.mark.parametrize(
    ("edition", "dealer", "supervisor", "inspector"),
    [
        ("nz1998", I + "1.0-def-dealer", I + "1.0-def-game-supervisor", I + "1.0-def-government-inspector"),
        ("vic2002", V + "1.1.dealer", V + "1.1.game-supervisor", V + "13.9"),
    ],
)
def test_the_dealer_operates_the_game(edition: str, dealer: str, supervisor: str, inspector: str) -> None:
    desk = with_players(a_desk(edition), "ann")
    desk.bet("ann", "player", 1000)
    until_chance(desk)
    card = c.Tell("9h")
    carries(refused(desk, card, role="cashier"), dealer)
    carries(refused(desk, card, role="player", by="ann"), dealer)
    carries(refused(desk, card, role=""), dealer)
    carries(refused(desk, card, role="inspector"), inspector)
    carries(refused(desk, c.TakeBack("wrong"), role="cashier"), dealer)
    carries(refused(desk, c.OpenTable(500, 1000), role="dealer"), desk.state.general.limits.set.rule)
    carries(refused(desk, c.ReportPaid(1, 0, 5), role="dealer"), supervisor)
    assert only(asked(desk, card), Happened).due == "deal player"


def test_victoria_1_1_a_casino_supervisor_is_no_game_supervisor() -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    desk.bet("ann", "player", 1000)
    carries(refused(desk, c.Exclude("ann", "loud"), role="game supervisor"), V + "1.1.casino-supervisor")


@pytest.mark.parametrize(
    "name", ["dealer", "game supervisor", "Government Inspector", "player", "shooter", "seat 2", "Box 4", "pit boss"]
)
def test_nobody_sits_under_the_name_of_an_office_or_of_another_place(name: str) -> None:
    desk = a_desk()
    carries(refused(desk, c.Sit(name, 1)), "NZ1998-3.1.s1")
    carries(refused(desk, c.Sit(name, 0), role="player", by=name), "NZ1998-3.1.s1")


def test_a_player_acts_for_nobody_else() -> None:
    desk = with_players(a_desk(), "ann", "bob")
    carries(refused(desk, put("bob", "player", 1000), role="player", by="ann"), I + "1.0-def-dealer")
    carries(refused(desk, c.Leave("bob"), role="player", by="ann"), I + "1.0-def-dealer")


# ---------------------------------------------------------------- what is never done


@pytest.mark.parametrize("role", ["dealer", "player", "casino manager"])
def test_i_3_0_no_tips(role: str) -> None:
    carries(refused(with_players(a_desk(), "ann"), c.Tip("ann", 100), role=role), I + "3.0")


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "4.1"), ("vic2002", V + "13.5")])
def test_no_advice(edition: str, rule: str) -> None:
    desk = with_players(a_desk(edition), "ann")
    carries(refused(desk, c.Advise("ann", "draw on five")), rule)


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "7.0"), ("vic2002", V + "13.11")])
def test_players_bet_with_the_house_only(edition: str, rule: str) -> None:
    desk = with_players(a_desk(edition), "ann", "bob")
    carries(refused(desk, put("ann", "player", 1000, against="bob")), rule)


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "8.3"), ("vic2002", V + "13.12")])
def test_the_rules_are_shown_on_request(edition: str, rule: str) -> None:
    event = only(asked(a_desk(edition), c.ShowRules("ann"), role="player", by="ann"), RulesShown)
    carries(event, rule)
    assert event.edition == edition
    carries(refused(a_desk(edition), c.ShowRules("ann"), role="nobody"), rule)


@pytest.mark.parametrize("name", ["b\u0435n", "ben\u034f", "ben\u3164", "ben\ufe0f", "ben\u200b"])
def test_whoever_is_shut_out_does_not_come_back_under_a_name_that_looks_the_same(name: str) -> None:
    desk = a_desk("nz1996", "roulette")
    desk.ask(c.Exclude("ben", "cheating"), role="casino supervisor")
    assert "can be read" in refused(desk, c.Sit(name), role="dealer").reason
