"""The sign on the table: opening, limits and their changes, personal limits, closing."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.money import LARGEST_AMOUNT
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import (
    ClosingPosted,
    DifferentialSet,
    Flagged,
    InspectorNotified,
    LimitsChanged,
    LimitsPosted,
    PersonalLimitSet,
    SignShown,
    TableClosed,
    TableOpened,
    WagerSettled,
)
from tests.helpers.desks.table import (
    MINUTE,
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
    with_players,
)
from tests.helpers.observe import carries

I = "NZ1996-I-"  # noqa: E741
V = "VIC2002-"
NOTICE = 20 * MINUTE
CASINO = "casino supervisor"


def signs(desk: LiveTable, **choices: Any) -> dict[str, SignShown]:
    """The signs that stand from an opening on, by name."""
    events = asked(desk, opening(**choices), role="game supervisor")
    return {event.sign: event for event in events if isinstance(event, SignShown)}


# ---------------------------------------------------------------- opening


def test_i_13_1_a_table_opens_with_both_limits() -> None:
    for wrong in ({"minimum": 0}, {"maximum": 0}, {"chip": 0}, {"minimum": 1001, "maximum": 1000}):
        carries(refused(closed_desk(), opening(**wrong), role="game supervisor"), I + "13.1")
    desk = closed_desk()
    event = only(asked(desk, opening(minimum=1000, maximum=1000), role="game supervisor"), TableOpened)
    carries(event, I + "13.1")
    assert (desk.state.sign.minimum, desk.state.sign.maximum) == (1000, 1000)


def test_i_13_1_limits_of_their_own_for_a_kind_of_wager() -> None:
    carries(refused(closed_desk(), opening(kinds={"tie": (600, 500)}), role="game supervisor"), I + "13.1")
    desk = with_players(a_desk(kinds={"tie": (500, 500)}), "ann")
    carries(refused(desk, put("ann", "tie", 400)), I + "14.1b")
    carries(refused(desk, put("ann", "tie", 600)), I + "14.1b")
    assert desk.bet("ann", "tie", 500) == 0


def test_i_13_2_the_limits_stand_on_a_sign() -> None:
    carries(refused(closed_desk(), opening(sign_shown=False), role="game supervisor"), I + "13.2")
    carries(signs(closed_desk())["limits"], I + "13.2")


@pytest.mark.parametrize(("edition", "shown"), [("traditional", "7.1"), ("crown", "7.1")])
def test_victoria_7_1_the_limits_stand_on_a_sign(edition: str, shown: str) -> None:
    desk = closed_desk("vic2002", version=edition)
    carries(refused(desk, opening(sign_shown=False), role="game supervisor"), V + shown)
    carries(refused(desk, opening(minimum=0), role="game supervisor"), V + "7.1.fn66-1d")
    carries(signs(desk)["limits"], V + shown)


def test_i_1_0_every_open_table_has_a_game_supervisor() -> None:
    carries(refused(closed_desk(), opening(supervisor=""), role="game supervisor"), I + "1.0-def-game-supervisor")
    carries(refused(closed_desk(), opening(), role="dealer"), I + "1.0-def-game-supervisor")


def test_victoria_1_1_every_open_table_has_a_game_supervisor() -> None:
    desk = closed_desk("vic2002")
    carries(refused(desk, opening(supervisor=""), role="game supervisor"), V + "1.1.game-supervisor")
    carries(refused(desk, opening(), role="dealer"), V + "1.1.game-supervisor")


@pytest.mark.parametrize(("supplies", "game"), [("shuffler", "blackjack"), ("", "blackjack"), ("shuffler", "baccarat")])
def test_i_19_4a_cards_come_from_a_shoe(supplies: str, game: str) -> None:
    desk = closed_desk("nz1996", game)
    carries(refused(desk, opening(supplies=supplies), role="game supervisor"), I + "19.4a")
    carries(signs(desk, supplies="shoe")["shoe"], I + "19.4a")


def test_i_19_4b_a_shuffler_only_where_the_game_has_one() -> None:
    desk = closed_desk("nz1996", "caribbean_stud", device="shuffler")
    carries(refused(desk, opening(supplies="shoe"), role="game supervisor"), I + "19.4b")
    carries(signs(desk, supplies="shuffler")["shuffler"], I + "19.4b")


def test_a_game_without_cards_shows_no_card_equipment() -> None:
    assert "shoe" not in signs(closed_desk("nz1996", "roulette"))


def test_i_20_1_a_reserved_table_is_private() -> None:
    for reserved in ({"private": ("ann",)}, {"event": "Autumn tournament", "private": ("ann", "bob")}):
        without = opening(**reserved, signs=())
        carries(refused(closed_desk(), without, role="game supervisor"), I + "20.2")
        carries(signs(closed_desk(), **reserved)["private"], I + "20.2")
    shown = signs(closed_desk(), event="Autumn tournament", private=("ann",))
    carries(shown["Autumn tournament"], I + "20.1b")
    assert "private" not in signs(closed_desk())


def test_i_20_2_a_reserved_table_is_closed_to_the_public() -> None:
    carries(refused(closed_desk(), opening(event="Autumn tournament"), role="game supervisor"), I + "20.2")
    desk = a_desk(event="Autumn tournament", private=("ann",))
    carries(refused(desk, c.Sit("bob", 1)), I + "20.1a")
    desk.sit("ann", 1)


def test_victoria_5_1_crown_baccarat_needs_its_notice() -> None:
    desk = closed_desk("vic2002", version="crown")
    carries(refused(desk, opening(signs=()), role="game supervisor"), V + "5.1")
    carries(signs(desk)["Crown Baccarat"], V + "5.1")
    assert "Crown Baccarat" not in signs(closed_desk("vic2002"))


@pytest.mark.parametrize("runs", [True, False])
def test_victoria_2_4_the_runs_area_is_there_only_if_runs_are_offered(*, runs: bool) -> None:
    shown = signs(closed_desk("vic2002", runs=runs))
    assert ("runs area" in shown) is runs
    if runs:
        carries(shown["runs area"], V + "2.4")


def test_victoria_diagram_d_runs_of_two_to_six_and_ties_of_two_to_four() -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    for of, lengths in (("player", range(2, 7)), ("banker", range(2, 7)), ("tie", range(2, 5))):
        for length in range(1, 8):
            wager = put("ann", f"{of}_run_{length}", 1000, area=1 + desk.state.round.numbered // 3)
            if length in lengths:
                asked(desk, wager)
            else:
                assert "is not a wager here" in refused(desk, wager).reason
    assert len(desk.state.round.standing) == 13


def test_nzd5_5_11_the_modified_odds_stand_on_a_sign() -> None:
    desk = closed_desk("nzd5", no_commission=True)
    carries(refused(desk, opening(signs=()), role="game supervisor"), "NZD5-5.11.s2")
    carries(signs(desk)["modified odds"], "NZD5-5.11.s2")
    assert "modified odds" not in signs(closed_desk("nzd5"))


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [
        ("nz1996", "mini", "NZ1996-IV-4.9"),
        ("nz1996", "full", "NZ1996-V-4.9"),
        ("nz1996", "midi", "NZ1996-IX-4.9"),
        ("nz1998", "full", "NZ1998-5.13.s2"),
        ("nzd5", "full", "NZD5-5.17.s2"),
    ],
)
def test_the_differential_is_shown_with_the_limits(edition: str, version: str, rule: str) -> None:
    desk = closed_desk(edition, version=version)
    carries(signs(desk, differential=(50_000, 50_000))["differential"], rule)
    assert desk.state.sign.differential == (50_000, 50_000)
    assert "differential" not in signs(closed_desk(edition, version=version))
    asking = c.SetDifferential(40_000, 40_000)
    carries(refused(desk, c.SetDifferential(40_000, 40_000, sign_shown=False), role="game supervisor"), rule)
    carries(refused(desk, c.SetDifferential(200, 199), role="game supervisor"), rule)
    carries(only(asked(desk, asking, role="game supervisor"), DifferentialSet), rule)
    assert desk.state.sign.differential == (40_000, 40_000)
    with_players(desk, "ann").bet("ann", "banker", 2000)
    carries(refused(desk, asking, role="game supervisor"), rule)


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [
        ("nz1996", "mini", "NZ1996-IV-4.9"),
        ("nz1996", "full", "NZ1996-V-4.9"),
        ("nz1996", "midi", "NZ1996-IX-4.9"),
        ("nz1998", "full", "NZ1998-5.13.s1"),
        ("nzd5", "mini", "NZD5-5.17.s1"),
        ("nzeb", "hybrid", "NZD5-5.17.s1"),
    ],
)
def test_a_maximum_differential_is_one_figure(edition: str, version: str, rule: str) -> None:
    desk = closed_desk(edition, version=version)
    for least, most in ((49_999, 50_000), (50_000, 50_001)):
        refusal = refused(desk, opening(differential=(least, most)), role="game supervisor")
        carries(refusal, rule)
        assert "one figure" in refusal.reason
    opened(desk)
    carries(refused(desk, c.SetDifferential(40_000, 40_001), role="game supervisor"), rule)
    asked(desk, c.SetDifferential(40_000, 40_000), role="game supervisor")
    assert desk.state.sign.differential == (40_000, 40_000)


@pytest.mark.parametrize("version", ["traditional", "crown"])
def test_victoria_7_2_a_differential_of_two_figures(version: str) -> None:
    desk = opened(closed_desk("vic2002", version=version), differential=(20_000, 40_000))
    asked(desk, c.SetDifferential(10_000, 20_000), role="casino supervisor")
    assert desk.state.sign.differential == (10_000, 20_000)
    for least, most in ((0, 20_000), (20_001, 20_000)):
        carries(refused(desk, c.SetDifferential(least, most), role="casino supervisor"), "VIC2002-7.2")


def test_a_game_without_two_hands_to_back_has_no_differential() -> None:
    refusal = refused(closed_desk("nz1996", "roulette"), opening(differential=(5000, 5000)), role="game supervisor")
    assert "no table differential" in refusal.reason


# ---------------------------------------------------------------- changing limits


def test_i_13_3_the_players_side_of_a_limit_is_free() -> None:
    desk = with_players(a_desk(), "ann")
    for change in (c.ChangeLimits(900, 100_000), c.ChangeLimits(900, 100_100), c.ChangeLimits(900, 100_100)):
        events = asked(desk, change, role="game supervisor")
        carries(only(events, LimitsChanged), I + "13.3")
        carries(only(events, InspectorNotified), I + "13.3-tail")
    assert (desk.state.sign.minimum, desk.state.sign.maximum) == (900, 100_100)


@pytest.mark.parametrize("change", [c.ChangeLimits(1001, 100_000), c.ChangeLimits(1000, 99_999)])
def test_i_13_3_without_a_ground_no_limit_tightens(change: c.ChangeLimits) -> None:
    desk = with_players(a_desk(), "ann")
    carries(refused(desk, change, role="game supervisor"), I + "13.3")
    carries(refused(desk, change, role="dealer"), I + "13.1")


@pytest.mark.parametrize(
    ("ahead", "asks", "taken"),
    [
        (NOTICE - 1, NOTICE - 1, False),
        (NOTICE - 1, NOTICE, True),
        (NOTICE, NOTICE - 1, False),
        (NOTICE, NOTICE, True),
        (NOTICE, NOTICE + 1, True),
        (NOTICE + 1, NOTICE, False),
        (NOTICE + 1, NOTICE + 1, True),
    ],
)
def test_i_13_3a_twenty_minutes_with_a_sign(ahead: int, asks: int, *, taken: bool) -> None:
    start = 21 * 60 * MINUTE
    desk = with_players(a_desk(), "ann")
    events = asked(desk, c.PostLimits(2500, 100_000, from_ms=start + ahead), role="game supervisor", at=start)
    carries(only(events, LimitsPosted), I + "13.3a")
    carries(only(events, InspectorNotified), I + "13.3-tail")
    change = c.ChangeLimits(2500, 100_000)
    carries(refused(desk, c.ChangeLimits(2600, 100_000), role="game supervisor", at=start + asks), I + "13.3")
    if taken:
        changed = asked(desk, change, role="game supervisor", at=start + asks)
        carries(only(changed, LimitsChanged), I + "13.3a")
        assert desk.state.sign.minimum == 2500
    else:
        carries(refused(desk, change, role="game supervisor", at=start + asks), I + "13.3")


@pytest.mark.parametrize("agreeing", [0, 1, 2, 3])
def test_i_13_3b_every_player_agrees(agreeing: int) -> None:
    names = ("ann", "bob", "cy")
    desk = with_players(a_desk(), *names)
    change = c.ChangeLimits(2500, 100_000, consent=names[:agreeing])
    if agreeing < 3:
        carries(refused(desk, change, role="game supervisor"), I + "13.3")
    else:
        events = asked(desk, change, role="game supervisor")
        carries(only(events, LimitsChanged), I + "13.3b")
        carries(only(events, InspectorNotified), I + "13.3-tail")


def test_i_13_3c_the_first_opening_of_the_day() -> None:
    desk = closed_desk()
    events = asked(desk, opening(first_today=True), role="game supervisor")
    first = next(event for event in events if isinstance(event, SignShown) and event.sign == "first opening")
    carries(first, I + "13.3c")
    carries(only(events, InspectorNotified), I + "13.3-tail")
    with_players(desk, "ann")
    raised = asked(desk, c.ChangeLimits(2500, 100_000), role="game supervisor")
    carries(only(raised, LimitsChanged), I + "13.3c")
    desk.bet("ann", "banker", 4000)
    played(desk, *ROUND["banker"])
    carries(refused(desk, c.ChangeLimits(3000, 100_000), role="game supervisor"), I + "13.3")
    later = with_players(a_desk(first_today=False), "ann")
    carries(refused(later, c.ChangeLimits(2500, 100_000), role="game supervisor"), I + "13.3")


def test_i_13_3d_no_play_at_the_table() -> None:
    desk = a_desk()
    events = asked(desk, c.ChangeLimits(2500, 100_000), role="game supervisor")
    carries(only(events, LimitsChanged), I + "13.3d")
    carries(only(events, InspectorNotified), I + "13.3-tail")
    with_players(desk, "ann")
    carries(refused(desk, c.ChangeLimits(2600, 100_000), role="game supervisor"), I + "13.3")


def test_i_13_3_a_table_opened_again_with_tighter_limits_tells_the_inspector() -> None:
    desk = a_desk()
    asked(desk, c.CloseTable(), role=CASINO)
    events = asked(desk, opening(minimum=2000), role="game supervisor")
    carries(only(events, InspectorNotified), I + "13.3-tail")
    asked(desk, c.CloseTable(), role=CASINO)
    assert not any(
        isinstance(event, InspectorNotified) for event in asked(desk, opening(minimum=2000), role="game supervisor")
    )


def test_i_13_5_steps_not_above_the_minimum() -> None:
    for step, right in ((1000, True), (1001, False), (2000, False), (500, True), (300, True), (-500, False)):
        if right:
            assert a_desk(increment=step).state.sign.increment == step
        else:
            carries(refused(closed_desk(), opening(increment=step), role="game supervisor"), I + "13.5")
    carries(refused(a_desk(), c.ChangeLimits(1000, 100_000, increment=1001), role="game supervisor"), I + "13.5")


@pytest.mark.parametrize(("amount", "taken"), [(1000, True), (1200, False), (1300, True), (1600, True), (1500, False)])
def test_i_13_5_steps_are_counted_from_the_minimum(amount: int, *, taken: bool) -> None:
    desk = with_players(a_desk(increment=300), "ann")
    if taken:
        assert desk.bet("ann", "player", amount) == 0
    else:
        carries(refused(desk, put("ann", "player", amount)), I + "13.5")


@pytest.mark.parametrize(("most", "taken"), [(99_900, False), (100_000, False), (100_100, True)])
def test_i_13_4_a_personal_maximum_is_above_the_table_s(most: int, *, taken: bool) -> None:
    desk = with_players(a_desk(), "ann")
    limit = c.SetPersonalLimit("ann", 2000, most)
    for role in ("dealer", "game supervisor", CASINO):
        carries(refused(desk, limit, role=role), I + "13.4")
    if not taken:
        carries(refused(desk, limit, role="shift manager"), I + "13.4")
        return
    carries(only(asked(desk, limit, role="shift manager"), PersonalLimitSet), I + "13.4")
    assert desk.bet("ann", "player", most) == 0


@pytest.mark.parametrize("bad", [(0, 100), (200, 100), (-1, 100), (1000, LARGEST_AMOUNT + 1)])
def test_limits_make_sense(bad: tuple[int, int]) -> None:
    desk = with_players(a_desk(), "ann")
    carries(refused(desk, c.ChangeLimits(*bad, consent=("ann",)), role="game supervisor"), I + "13.1")
    carries(refused(desk, c.PostLimits(*bad, from_ms=0), role="game supervisor"), I + "13.1")


# ---------------------------------------------------------------- Victoria


def test_victoria_7_7_a_casino_supervisor_changes_limits() -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    free = c.ChangeLimits(900, 99_000)
    carries(refused(desk, free, role="game supervisor"), V + "7.7")
    events = asked(desk, free, role=CASINO)
    carries(only(events, LimitsChanged), V + "7.7")
    assert not any(isinstance(event, InspectorNotified) for event in events)
    carries(refused(desk, c.ChangeLimits(901, 99_000), role=CASINO), V + "7.7")


@pytest.mark.parametrize(("ahead", "taken"), [(NOTICE - 1, False), (NOTICE, True), (NOTICE + 1, True)])
def test_victoria_66_2_twenty_minutes_with_a_sign(ahead: int, *, taken: bool) -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    carries(only(asked(desk, c.PostLimits(2500, 100_000, from_ms=ahead), role=CASINO, at=0), LimitsPosted), V + "7.7")
    change = c.ChangeLimits(2500, 100_000)
    if taken:
        carries(only(asked(desk, change, role=CASINO, at=ahead), LimitsChanged), V + "7.7")
    else:
        carries(refused(desk, change, role=CASINO, at=ahead), V + "7.7")


def test_victoria_7_7_1_consent_is_recorded_and_flagged() -> None:
    desk = with_players(a_desk("vic2002"), "ann", "bob")
    carries(refused(desk, c.ChangeLimits(2500, 100_000, consent=("ann",)), role=CASINO), V + "7.7")
    events = asked(desk, c.ChangeLimits(2500, 100_000, consent=("ann", "bob")), role=CASINO)
    carries(only(events, LimitsChanged), V + "7.7.1")
    carries(only(events, Flagged), V + "7.7.1")


def test_victoria_knows_no_change_for_want_of_play() -> None:
    carries(refused(a_desk("vic2002"), c.ChangeLimits(2500, 100_000), role=CASINO), V + "7.7")


# ---------------------------------------------------------------- personal limits


@pytest.mark.parametrize(
    ("edition", "below", "role", "rule", "outside"),
    [
        ("nz1998", CASINO, "shift manager", I + "13.4", I + "14.1b"),
        ("nz1998", "game supervisor", "casino manager", I + "13.4", I + "14.1b"),
        ("vic2002", "game supervisor", CASINO, V + "7.6", V + "7.3"),
    ],
)
def test_a_personal_limit_with_its_marker(edition: str, below: str, role: str, rule: str, outside: str) -> None:
    read = ruleset(edition, readings={"attempts_outside_limits": "refused_when_seen"})
    desk = with_players(opened(LiveTable(known_game("baccarat"), read)), "ann", "bob")
    limit = c.SetPersonalLimit("ann", 50_000, 500_000)
    carries(refused(desk, limit, role=below), rule)
    carries(refused(desk, c.SetPersonalLimit("ann", 50_000, 500_000, sign_shown=False), role=role), rule)
    carries(refused(desk, c.SetPersonalLimit("ann", 2, 1), role=role), rule)
    carries(refused(desk, c.SetPersonalLimit("zoe", 1, 2), role=role), rule)
    carries(only(asked(desk, limit, role=role), PersonalLimitSet), rule)
    for amount in (49_900, 500_100):
        carries(refused(desk, put("ann", "player", amount)), outside)
    carries(refused(desk, put("bob", "player", 100_100)), outside)
    desk.bet("ann", "player", 50_000)
    assert desk.bet("ann", "banker" if edition == "vic2002" else "player", 450_000) == 1


# ---------------------------------------------------------------- closing


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "6.0"), ("vic2002", V + "13.7")])
@pytest.mark.parametrize(
    ("ahead", "asks", "closes"),
    [
        (NOTICE - 1, NOTICE - 1, False),
        (NOTICE - 1, NOTICE, True),
        (NOTICE, NOTICE - 1, False),
        (NOTICE, NOTICE, True),
        (NOTICE + 1, NOTICE + 1, True),
        (NOTICE + 1, NOTICE, False),
    ],
)
def test_closing_with_players_present(edition: str, rule: str, ahead: int, asks: int, *, closes: bool) -> None:
    start = 20 * 60 * MINUTE
    desk = with_players(a_desk(edition), "ann")
    carries(refused(desk, c.PostClosing(start + ahead), role="game supervisor", at=start), rule)
    carries(refused(desk, c.PostClosing(start), role=CASINO, at=start), rule)
    carries(only(asked(desk, c.PostClosing(start + ahead), role=CASINO, at=start), ClosingPosted), rule)
    if closes:
        carries(only(asked(desk, c.CloseTable(), role=CASINO, at=start + asks), TableClosed), rule)
        assert not desk.state.open
    else:
        carries(refused(desk, c.CloseTable(), role=CASINO, at=start + asks), rule)


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", I + "6.0"), ("vic2002", V + "13.7")])
def test_an_empty_table_closes_at_once(edition: str, rule: str) -> None:
    desk = with_players(a_desk(edition), "ann")
    carries(refused(desk, c.CloseTable(), role=CASINO), rule)
    asked(desk, c.Leave("ann"))
    carries(only(asked(desk, c.CloseTable(), role=CASINO), TableClosed), rule)


def test_a_table_with_wagers_of_this_round_does_not_close() -> None:
    desk = with_players(a_desk(), "ann")
    asked(desk, c.PostClosing(NOTICE), role=CASINO, at=0)
    desk.bet("ann", "banker", 2000)
    carries(refused(desk, c.CloseTable(), role=CASINO, at=NOTICE), I + "6.0")
    played(desk, *ROUND["banker"])
    carries(only(asked(desk, c.CloseTable(), role=CASINO, at=NOTICE), TableClosed), I + "6.0")


def test_victoria_13_7_runs_in_progress_are_refunded_at_closing() -> None:
    desk = with_players(a_desk("vic2002"), "ann", chips=5000)
    asked(desk, c.PostClosing(NOTICE), role=CASINO, at=0)
    desk.bet("ann", "player_run_3", 1000)
    played(desk, *ROUND["player"])
    assert desk.state.staked("ann") == 1000
    desk.tell({"perform": "check cards after gaming", "by": "dealer"})
    events = asked(desk, c.CloseTable(), role=CASINO, at=NOTICE)
    refund = only(events, WagerSettled)
    carries(refund, V + "13.7")
    carries(moved(refund, "stakes:ann", "chips:ann"), V + "13.7")
    assert (desk.chips("ann"), desk.state.staked("ann")) == (5000, 0)
