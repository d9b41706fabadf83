"""Amounts of wagers: limits, steps, what lay there unnoticed, what chips cannot pay; and stand offs and void wagers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.law.model import Absent, Law, absent
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import (
    Announced,
    Happened,
    PlacementShown,
    SignShown,
    WagerPlaced,
    WagerReduced,
    WagerSettled,
)
from croupier.table.people import shown_back
from tests.helpers.desks.table import (
    ROUND,
    a_desk,
    asked,
    closed_desk,
    moved,
    only,
    opened,
    opening,
    played,
    put,
    refused,
    until_chance,
    with_players,
)
from tests.helpers.observe import carries

I = "NZ1996-I-"  # noqa: E741
V = "VIC2002-"


# ---------------------------------------------------------------- limits and steps


@pytest.mark.parametrize(
    ("amount", "taken"), [(900, False), (1000, True), (1100, True), (99_900, True), (100_000, True), (100_100, False)]
)
@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "14.1b"), ("vic2002", V + "7.3")])
def test_wagers_within_the_limits(edition: str, rule: str, amount: int, *, taken: bool) -> None:
    read = ruleset(edition, readings={"attempts_outside_limits": "refused_when_seen"})
    desk, wager = opened(LiveTable(known_game("baccarat"), read)), put("ann", "player", amount)
    with_players(desk, "ann")
    if taken:
        assert only(asked(desk, wager), WagerPlaced).stake == amount
    else:
        carries(refused(desk, wager), rule)


def test_i_14_1b_the_maximum_is_on_all_that_a_player_has_on_an_outcome() -> None:
    desk = with_players(a_desk(), "ann", "bob")
    desk.bet("ann", "player", 60_000)
    carries(refused(desk, put("ann", "player", 40_100)), I + "14.1b")
    assert [desk.bet("ann", "player", 40_000), desk.bet("bob", "player", 100_000)] == [1, 2]


@pytest.mark.parametrize("amount", [0, -1000, 10**12 + 1])
def test_an_amount_is_an_amount(amount: int) -> None:
    assert refused(with_players(a_desk(), "ann"), put("ann", "player", amount)).rule == I + "14.3"


@pytest.mark.parametrize(("amount", "taken"), [(1300, True), (1900, True), (2000, True)])
def test_i_13_2_no_multiples_unless_the_sign_says_so(amount: int, *, taken: bool) -> None:
    desk = with_players(a_desk(), "ann")
    assert only(asked(desk, put("ann", "player", amount)), WagerPlaced).stake == amount
    strict = with_players(a_desk(multiples=True), "ann")
    if amount % 1000:
        carries(refused(strict, put("ann", "player", amount)), I + "13.2-s2")
    else:
        assert only(asked(strict, put("ann", "player", amount)), WagerPlaced).stake == amount


@pytest.mark.parametrize(
    ("amount", "taken"), [(2000, True), (2400, False), (2500, True), (2600, False), (2300, False), (3000, True)]
)
def test_i_13_5_wagers_in_steps(amount: int, *, taken: bool) -> None:
    desk, wager = with_players(a_desk(minimum=2000, increment=500), "ann"), put("ann", "player", amount)
    if taken:
        assert only(asked(desk, wager), WagerPlaced).stake == amount
    else:
        carries(refused(desk, wager), I + "13.5")


@pytest.mark.parametrize(("second", "taken"), [(39_900, True), (40_000, True), (40_100, False)])
def test_i_14_1c_acting_together_beyond_the_maximum(second: int, *, taken: bool) -> None:
    desk = with_players(a_desk(), "ann", "bob")
    desk.bet("ann", "player", 60_000)
    wager = put("bob", "player", second, partner="ann")
    if taken:
        assert only(asked(desk, wager), WagerPlaced).stake == second
    else:
        carries(refused(desk, wager), I + "14.1c")
        assert only(asked(desk, put("bob", "player", second)), WagerPlaced).stake == second


# ---------------------------------------------------------------- found on the layout


@pytest.mark.parametrize(
    ("edition", "once", "void"), [("nz1998", I + "14.2a", I + "1.0a"), ("vic2002", V + "7.3.1", V + "7.3.1")]
)
def test_below_the_minimum_a_wager_counts_once(edition: str, once: str, void: str) -> None:
    desk = with_players(a_desk(edition), "ann", "bob", chips=10_000)
    slip = put("ann", "player", 900, found=True)
    carries(only(asked(desk, slip), WagerPlaced), once)
    first = only(played(desk, *ROUND["player"]), WagerSettled)
    assert (first.result, first.pays, desk.chips("ann")) == ("won", 900, 10_900)
    again = only(asked(desk, slip), WagerPlaced)
    assert (again.stake, again.voided, again.void_rule) == (0, 900, once)
    desk.bet("bob", "player", 1000)
    second = next(event for event in played(desk, *ROUND["player"]) if isinstance(event, WagerSettled))
    carries(second, once)
    carries(moved(second, "stakes:ann", "chips:ann"), void)
    assert (second.result, second.pays, desk.chips("ann")) == ("void", 0, 10_900)
    carries(only(asked(desk, put("bob", "player", 900, found=True)), WagerPlaced), once)


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "14.2b"), ("vic2002", V + "7.3.2")])
@pytest.mark.parametrize(("amount", "counts"), [(99_900, 99_900), (100_000, 100_000), (100_100, 100_000)])
def test_above_the_maximum_the_excess_is_void(edition: str, rule: str, amount: int, counts: int) -> None:
    desk = with_players(a_desk(edition), "ann")
    event = only(asked(desk, put("ann", "player", amount, found=True)), WagerPlaced)
    assert (event.stake, event.voided) == (counts, amount - counts)
    assert event.void_rule == (rule if event.voided else "")


# ---------------------------------------------------------------- what chips cannot pay


@pytest.mark.parametrize(("amount", "taken"), [(1900, False), (2000, True), (2100, False), (4000, True)])
def test_i_14_4_what_could_not_be_paid_exactly_may_be_refused(amount: int, *, taken: bool) -> None:
    """Half on a Banker win with six: the Division's own rule on what chips can pay leaves these amounts alone."""
    strict = with_players(opened(closed_desk("nzd5", no_commission=True), refuse_unpayable=True), "ann")
    wager = put("ann", "banker", amount)
    if taken:
        assert only(asked(strict, wager), WagerPlaced).stake == amount
    else:
        carries(refused(strict, wager), I + "14.4")
    lenient = with_players(opened(closed_desk("nzd5", no_commission=True)), "ann")
    assert only(asked(lenient, wager), WagerPlaced).stake == amount


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "14.4"), ("vic2002", V + "6.6")])
def test_that_such_wagers_are_refused_is_shown(edition: str, rule: str) -> None:
    for wanted in (True, False):
        events = asked(closed_desk(edition), opening(refuse_unpayable=wanted), role="game supervisor")
        shown = [event for event in events if isinstance(event, SignShown) and event.sign == "payable wagers only"]
        assert bool(shown) is wanted
        for sign in shown:
            carries(sign, rule)


# ---------------------------------------------------------------- stand offs, packs, the differential


def test_i_1_0_a_stand_off_neither_wins_nor_loses() -> None:
    desk = with_players(a_desk("nz1996", "craps"), "ann", chips=10_000)
    desk.bet("ann", "dont_pass", 2500)
    settled = only(played(desk, "6-6"), WagerSettled)
    carries(moved(settled, "stakes:ann", "chips:ann"), I + "1.0-def-stand-off")
    assert (settled.pays, settled.returned, desk.chips("ann")) == (0, 2500, 10_000)


@pytest.mark.parametrize(("card", "possible"), [("9h", False), ("9d", True), ("8h", True)])
def test_i_19_1_a_pack_holds_each_card_once(card: str, *, possible: bool) -> None:
    desk = with_players(a_desk("nz1996", "caribbean_stud"), "ann")
    desk.bet("ann", "ante", 1000)
    until_chance(desk)
    desk.tell("9h")
    until_chance(desk)
    if possible:
        asked(desk, c.Tell(card))
    else:
        carries(refused(desk, c.Tell(card)), I + "19.1")


@pytest.mark.parametrize(("second", "left"), [(49_900, 49_900), (50_000, 50_000), (50_100, 50_000)])
def test_nz1998_5_14_wagers_are_reduced_if_the_dealer_chooses_to(second: int, left: int) -> None:
    desk = with_players(a_desk(differential=(50_000, 50_000)), "ann")
    desk.bet("ann", "player", second)
    reduce = c.Tell({"perform": "reduce wagers to the differential"})
    assert refused(desk, reduce).rule
    until_chance(desk)
    assert [wager.stake_cents for wager in desk.state.round.standing] == [second]
    if second > left:
        assert only(asked(desk, reduce), Happened).rule == "NZ1998-5.14"
    assert "no wager is beyond it" in refused(desk, reduce).reason
    assert [wager.stake_cents for wager in desk.state.round.standing] == [left]
    reductions = [entry.event for entry in desk.journal if isinstance(entry.event, WagerReduced)]
    assert [event.returned for event in reductions] == ([second - left] if second > left else [])


@pytest.mark.parametrize(("second", "left"), [(50_000, 50_000), (50_100, 50_000)])
def test_r_045_by_the_other_reading_wagers_are_reduced_when_betting_closes(second: int, left: int) -> None:
    read = ruleset("nz1998", readings={"differential_moment": "always"})
    table = LiveTable(known_game("baccarat"), read)
    desk = with_players(opened(table, differential=(50_000, 50_000)), "ann")
    desk.bet("ann", "player", second)
    until_chance(desk)
    assert [wager.stake_cents for wager in desk.state.round.standing] == [left]


def test_vic_7_5_s3_no_wager_is_above_the_maximum_differential() -> None:
    desk = with_players(a_desk("vic2002", differential=(10_000, 20_000)), "ann")
    for on in ("player", "banker"):
        carries(refused(desk, put("ann", on, 20_100)), V + "7.5.s3")
        assert only(asked(desk, put("ann", on, 20_000)), WagerPlaced).stake == 20_000
    assert only(asked(desk, put("ann", "tie", 20_100)), WagerPlaced).stake == 20_100


# ---------------------------------------------------------------- shown back


@pytest.mark.parametrize(
    ("edition", "role", "shown"), [("nzd5", "dealer", True), ("nzd5", "player", False), ("nz1998", "dealer", False)]
)
def test_nzd5_5_5_what_staff_placed_is_shown_back(edition: str, role: str, *, shown: bool) -> None:
    desk = with_players(a_desk(edition), "ann")
    placed = only(asked(desk, put("ann", "player", 1000), role=role, by="ann"), WagerPlaced)
    events = shown_back(desk.state, role, placed)
    assert [event for event in events if isinstance(event, PlacementShown)] == list(events)
    assert len(events) == shown
    for event in events:
        carries(event, "NZD5-5.5.s2")


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", "NZ1996-I-14.2a"), ("vic2002", "VIC2002-7.3.1")])
def test_a_wager_below_the_minimum_counts_once_also_for_who_left_and_came_back(edition: str, rule: str) -> None:
    desk = with_players(a_desk(edition), "ann", "bob")
    first = asked(desk, put("ann", "player", 500, found=True))
    carries(only(first, WagerPlaced), rule)
    assert [event.rule for event in first if isinstance(event, Announced)] == ([rule] if edition == "vic2002" else [])
    assert only(first, WagerPlaced).stake == 500
    played(desk, *ROUND["player"])
    asked(desk, c.Leave("ann"))
    desk.sit("ann", 5)
    again = only(asked(desk, put("ann", "player", 900, found=True)), WagerPlaced)
    assert (again.stake, again.voided, again.void_rule) == (0, 900, rule)
    assert only(asked(desk, put("bob", "player", 900, found=True)), WagerPlaced).stake == 900


# ---------------------------------------------------------------- found, and barred by what its owner has down


@pytest.mark.parametrize(
    ("who", "role", "voided"),
    [
        (Law(frozenset({"game supervisor", "casino manager"}), (I + "14.1a",)), "game supervisor", True),
        (Law(frozenset({"casino manager"}), (I + "14.1a",)), "game supervisor", False),
        (Law(frozenset({"casino manager"}), (I + "14.1a",)), "casino manager", True),
        (absent, "casino manager", False),
    ],
)
def test_who_confirms_that_a_second_wager_is_void_is_a_value_of_the_law(
    who: Law[frozenset[str]] | Absent, role: str, *, voided: bool
) -> None:
    rules = ruleset("nz1998", game="baccarat")
    general = replace(rules.law.general, limits=replace(rules.law.general.limits, barred_beside=who))
    law = replace(rules, law=replace(rules.law, general=general))
    desk = with_players(opened(LiveTable(known_game("baccarat"), law)), "ann")
    asked(desk, put("ann", "player", 1000))
    found = put("ann", "banker", 1000, found=True)
    if voided:
        assert only(asked(desk, found, role=role), WagerPlaced).voided == 1000
    else:
        assert refused(desk, found, role=role).rule == "NZ1998-5.2.tail"
