"""Where wagers lie: stacks, spoken wagers, who shares an area, what may be touched when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from croupier.table import commands as c
from croupier.table.desk import LiveTable
from croupier.table.events import Announced, WagerPlaced, WagerSettled, WagerWithdrawn
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


@dataclass(frozen=True)
class Felt:
    """A layout, what is bet on it, and the rules on stacks, spoken wagers, touching, a tie, and withdrawing."""

    edition: str
    game: str
    version: str
    on: str
    stacked: str
    spoken: str
    untouched: str = ""
    after_tie: str = ""
    withdrawn: str = ""

    def desk(self, *names: str, **choices: Any) -> LiveTable:
        return with_players(a_desk(self.edition, self.game, self.version, **choices), *names)


def _felt(version: str, prefix: str, *rules: str, edition: str = "nz1996") -> Felt:
    return Felt(edition, "baccarat", version, "player", *(prefix + rule for rule in rules))


BACCARAT = [
    _felt("mini", "NZ1996-IV-", "4.2", "4.3", "4.7", "5.6", "4.6"),
    _felt("full", "NZ1996-V-", "4.2", "4.3", "4.7", "5.6", "4.6"),
    _felt("midi", "NZ1996-IX-", "4.2", "4.3", "4.7", "5.6", "4.6"),
    _felt("full", "NZ1998-", "5.3", "5.4", "5.10b", "5.12", edition="nz1998"),
    _felt("mini", "NZD5-", "5.3", "5.4", "5.14b", "5.16", edition="nzd5"),
    _felt("full", "NZD5-", "5.3", "5.4", "5.14b", "5.16", edition="nzd5"),
]
CRAPS = Felt("nz1996", "craps", "craps", "pass", "NZ1996-X-3.3", "NZ1996-X-3.4")
STUD = Felt("nz1996", "caribbean_stud", "caribbean_stud", "ante", "NZ1996-VIII-4.8", "NZ1996-VIII-4.9")
FELTS = [*BACCARAT, CRAPS, STUD]


def named(felt: Felt) -> str:
    return f"{felt.edition}-{felt.game}-{felt.version}"


# ---------------------------------------------------------------- stacks and words


@pytest.mark.parametrize("felt", FELTS, ids=named)
def test_smaller_chips_go_on_top(felt: Felt) -> None:
    desk = felt.desk("ann")
    carries(refused(desk, put("ann", felt.on, 3000, stack=(500, 2500))), felt.stacked)
    carries(refused(desk, put("ann", felt.on, 3000, stack=(2500, 200, 300))), felt.stacked)
    assert refused(desk, put("ann", felt.on, 3000, stack=(2500, 400))).rule == I + "14.3"
    event = only(asked(desk, put("ann", felt.on, 3000, stack=(2500, 250, 250))), WagerPlaced)
    carries(event, felt.stacked)
    assert event.stake == 3000


@pytest.mark.parametrize("felt", FELTS, ids=named)
def test_a_spoken_wager_counts_with_its_chips_and_in_time(felt: Felt) -> None:
    desk = felt.desk("ann", "bob")
    carries(refused(desk, put("ann", felt.on, 3000, oral=True, tendered=False)), felt.spoken)
    assert only(asked(desk, put("ann", felt.on, 3000, oral=True)), WagerPlaced).stake == 3000
    if felt.game != "craps":
        until_chance(desk)
        carries(refused(desk, put("bob", felt.on, 3000, oral=True)), felt.spoken)


@pytest.mark.parametrize("role", ["dealer", "stickperson", "game supervisor", "casino manager"])
def test_x_3_4_a_spoken_wager_is_confirmed_aloud(role: str) -> None:
    desk = CRAPS.desk("ann")
    spoken = put("ann", "pass", 3000, oral=True)
    carries(refused(desk, spoken, role="player", by="ann"), "NZ1996-X-3.4")
    said = only(asked(desk, spoken, role=role), Announced)
    carries(said, "NZ1996-X-3.4")
    assert said.text == "ann: $30 on pass"


def test_x_3_4_chips_on_the_layout_need_no_word() -> None:
    events = asked(CRAPS.desk("ann"), put("ann", "pass", 3000), role="player", by="ann")
    assert [type(event) for event in events] == [WagerPlaced]


@pytest.mark.parametrize("felt", [*BACCARAT, STUD], ids=named)
def test_elsewhere_a_spoken_wager_counts_without_an_answer(felt: Felt) -> None:
    events = asked(felt.desk("ann"), put("ann", felt.on, 3000, oral=True), role="player", by="ann")
    assert [type(event) for event in events] == [WagerPlaced]


def test_victoria_6_3_a_spoken_wager() -> None:
    desk = with_players(a_desk("vic2002"), "ann", "bob")
    carries(refused(desk, put("ann", "player", 3000, oral=True, tendered=False)), V + "6.3")
    desk.bet("ann", "player", 3000, oral=True)
    until_chance(desk)
    carries(refused(desk, put("bob", "player", 3000, oral=True)), V + "6.3")


def test_victoria_6_2_on_the_proper_area() -> None:
    desk = with_players(a_desk("vic2002"), "ann")
    carries(only(asked(desk, put("ann", "player", 1000)), WagerPlaced), V + "6.2")
    seats = desk.state.house.seats
    assert "the layout has areas" in refused(desk, put("ann", "player", 1000, area=seats + 1)).reason
    assert "not a wager" in refused(desk, put("ann", "the rail", 1000)).reason


@pytest.mark.parametrize("felt", [*BACCARAT, STUD], ids=named)
def test_non_value_chips_are_not_taken(felt: Felt) -> None:
    refusal = refused(felt.desk("ann"), put("ann", felt.on, 1000, colour="blue"))
    assert "is played with value chips" in refusal.reason


# ---------------------------------------------------------------- touching wagers


@pytest.mark.parametrize("felt", BACCARAT, ids=named)
def test_no_wager_is_touched_until_winners_are_paid(felt: Felt) -> None:
    desk = felt.desk("ann")
    first, second = desk.bet("ann", "player", 3000), desk.bet("ann", "player", 2000)
    assert only(asked(desk, c.WithdrawWager("ann", first), role="player", by="ann"), WagerWithdrawn).number == first
    until_chance(desk)
    take = c.WithdrawWager("ann", second)
    carries(refused(desk, take, role="player", by="ann"), felt.withdrawn or felt.untouched)
    desk.tell("9h")
    carries(refused(desk, take, role="player", by="ann"), felt.withdrawn or felt.untouched)


@pytest.mark.parametrize(("edition", "rule"), [("nz1998", "NZ1998-5.11"), ("nzd5", "NZD5-5.15")])
def test_a_losing_wager_is_never_touched(edition: str, rule: str) -> None:
    desk = with_players(a_desk(edition), "ann", "bob")
    lost, won = desk.bet("ann", "player", 3000), desk.bet("bob", "banker", 2000)
    for card in ROUND["banker"]:
        until_chance(desk)
        desk.tell(card)
    carries(refused(desk, c.WithdrawWager("ann", lost), role="player", by="ann"), rule)
    assert refused(desk, c.WithdrawWager("bob", won), role="player", by="bob").rule != rule


@pytest.mark.parametrize("felt", BACCARAT, ids=named)
def test_after_a_tie_wagers_are_the_players_again(felt: Felt) -> None:
    desk = felt.desk("ann", "bob")
    desk.bet("ann", "player", 5000)
    desk.bet("bob", "tie", 1000)
    events = played(desk, *ROUND["tie"])
    ann, bob = (event for event in events if isinstance(event, WagerSettled))
    carries(moved(ann, "stakes:ann", "chips:ann"), felt.after_tie)
    assert felt.after_tie not in {each.rule for each in bob.transfers}
    assert desk.bet("ann", "banker", 4000) == 2


@pytest.mark.parametrize("felt", BACCARAT, ids=named)
def test_a_void_hand_gives_stakes_back_by_its_own_rule_and_not_by_that_on_ties(felt: Felt) -> None:
    desk = felt.desk("ann")
    desk.bet("ann", "player", 5000)
    until_chance(desk)
    back = only(desk.tell({"irregular": "face_up_card", "card": "4h"}), WagerSettled)
    assert {each.rule for each in back.transfers} == {back.rule}
    assert back.rule not in (felt.after_tie, f"{I}1.0-def-stand-off")


# ---------------------------------------------------------------- who shares an area

SHARED = [
    ("nz1996", "mini", "NZ1996-IV-4.4", "NZ1996-IV-4.5"),
    ("nz1996", "midi", "NZ1996-IX-4.4", "NZ1996-IX-4.5"),
    ("nzd5", "mini", "NZD5-5.8a", "NZD5-5.8b"),
    ("nzd5", "midi", "NZD5-5.8a", "NZD5-5.8b"),
]
ALONE = [
    ("nz1996", "full", "NZ1996-V-4.5", "NZ1996-V-4.4a"),
    ("nz1998", "full", "NZ1998-5.6", "NZ1998-5.5a"),
    ("nzd5", "full", "NZD5-5.7", "NZD5-5.6a"),
]


@pytest.mark.parametrize(("edition", "version", "rule", "cap"), SHARED)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_as_many_players_on_an_area_as_the_operator_lets(
    edition: str, version: str, rule: str, cap: str, most: int
) -> None:
    names = ("ann", "bob", "cy", "dee")
    desk = with_players(a_desk(edition, version=version, players_per_area=most), *names)
    for name in names[:most]:
        desk.bet(name, "player", 1000, area=2)
    desk.bet(names[0], "tie", 1000, area=2)
    carries(refused(desk, put(names[most], "player", 1000, area=2)), rule)


@pytest.mark.parametrize(("edition", "version", "rule", "cap"), SHARED)
def test_at_most_three_players_on_an_area(edition: str, version: str, rule: str, cap: str) -> None:
    for number in (0, 4):
        desk = closed_desk(edition, version=version)
        carries(refused(desk, opening(players_per_area=number), role="game supervisor"), rule)


@pytest.mark.parametrize(("edition", "version", "rule", "cap"), SHARED)
@pytest.mark.parametrize(("second", "taken"), [(69_900, True), (70_000, True), (70_100, False)])
def test_an_area_capped_for_all_together(
    edition: str, version: str, rule: str, cap: str, second: int, *, taken: bool
) -> None:
    desk = with_players(a_desk(edition, version=version, players_per_area=3, area_cap="all"), "ann", "bob")
    desk.bet("ann", "player", 30_000, area=1)
    wager = put("bob", "player", second, area=1)
    if taken:
        assert only(asked(desk, wager), WagerPlaced).stake == second
    else:
        carries(refused(desk, wager), cap)
    assert desk.bet("bob", "player", 30_000, area=2)


@pytest.mark.parametrize(("edition", "version", "rule", "cap"), SHARED)
@pytest.mark.parametrize(("second", "taken"), [(69_900, True), (70_000, True), (70_100, False)])
def test_an_area_capped_for_each_player(
    edition: str, version: str, rule: str, cap: str, second: int, *, taken: bool
) -> None:
    """The cap is the table's maximum, also for one whose own limit is higher; others have room of their own."""
    desk = with_players(a_desk(edition, version=version, players_per_area=3, area_cap="each"), "ann", "bob")
    asked(desk, c.SetPersonalLimit("ann", 1000, 500_000), role="casino manager")
    desk.bet("ann", "player", 30_000, area=1)
    wager = put("ann", "player", second, area=1)
    if taken:
        assert only(asked(desk, wager), WagerPlaced).stake == second
    else:
        carries(refused(desk, wager), cap)
    assert desk.bet("bob", "player", 100_000, area=1)


@pytest.mark.parametrize(("edition", "version", "rule", "standing"), ALONE)
def test_one_player_on_a_numbered_area(edition: str, version: str, rule: str, standing: str) -> None:
    desk = with_players(a_desk(edition, version=version), "ann", "bob")
    desk.bet("ann", "player", 1000)
    desk.bet("ann", "tie", 1000)
    carries(refused(desk, put("bob", "player", 1000, area=1)), rule)
    carries(refused(closed_desk(edition, version=version), opening(players_per_area=2), role="game supervisor"), rule)
    assert desk.bet("bob", "player", 1000) == 2


@pytest.mark.parametrize(("edition", "version", "rule", "standing"), ALONE)
def test_standing_players_have_their_own_areas(edition: str, version: str, rule: str, standing: str) -> None:
    desk = a_desk(edition, version=version)
    desk.sit("stan", 0, chips=10_000)
    carries(refused(desk, put("stan", "player", 1000, area=4)), standing)
    assert only(asked(desk, put("stan", "player", 1000)), WagerPlaced).area == 0


def test_victoria_6_2_2_three_wagers_on_an_area() -> None:
    desk = with_players(opened(closed_desk("vic2002", layout="B")), "ann", "bob")
    for on in ("player", "tie", "player_run_2", "banker"):
        desk.bet("ann", on, 1000, area=1)
    assert desk.bet("ann", "tie", 1000, area=1) == 4
    carries(refused(desk, put("bob", "player", 1000, area=1)), V + "6.2.2")
    assert desk.bet("bob", "player", 1000, area=2) == 5


# ---------------------------------------------------------------- several areas, and side wagers


@pytest.mark.parametrize(("second", "taken"), [(900, False), (1000, True), (1100, True)])
def test_nzd5_5_9a_the_minimum_is_for_each_area(second: int, *, taken: bool) -> None:
    desk = with_players(a_desk("nzd5", version="mini"), "ann")
    desk.bet("ann", "player", 2500, area=1)
    wager = put("ann", "player", second, area=2)
    if taken:
        assert only(asked(desk, wager), WagerPlaced).area == 2
    else:
        carries(refused(desk, wager), "NZD5-5.9a")


@pytest.mark.parametrize(("second", "taken"), [(29_900, True), (30_000, True), (30_100, False)])
def test_nzd5_5_9b_the_maximum_is_for_all_areas(second: int, *, taken: bool) -> None:
    desk = with_players(a_desk("nzd5", version="mini"), "ann")
    desk.bet("ann", "player", 70_000, area=1)
    wager = put("ann", "player", second, area=2)
    if taken:
        assert only(asked(desk, wager), WagerPlaced).stake == second
    else:
        carries(refused(desk, wager), "NZD5-5.9b")
    assert desk.bet("ann", "tie", 100_000, area=2)


def test_nzd5_11a_2_perfect_pairs_lies_beside_the_initial_wager() -> None:
    desk = with_players(a_desk("nzd5", version="mini", kinds={"perfect_pairs": (500, 10_000)}), "ann")
    carries(refused(desk, put("ann", "perfect_pairs", 500, area=1)), "NZD5-11A.2.s2")
    desk.bet("ann", "player", 1000, area=3)
    carries(refused(desk, put("ann", "perfect_pairs", 500, area=4)), "NZD5-11A.2.s2")
    carries(only(asked(desk, put("ann", "perfect_pairs", 500, area=3)), WagerPlaced), "NZD5-11A.2.s2")


@pytest.mark.parametrize(
    ("amount", "taken"), [(400, False), (500, True), (600, True), (9900, True), (10_000, True), (10_100, False)]
)
def test_nzd5_11a_4_the_amount_on_the_sign(amount: int, *, taken: bool) -> None:
    desk = with_players(a_desk("nzd5", version="mini", kinds={"perfect_pairs": (500, 10_000)}), "ann")
    desk.bet("ann", "player", 1000)
    wager = put("ann", "perfect_pairs", amount)
    if taken:
        assert only(asked(desk, wager), WagerPlaced).stake == amount
    else:
        carries(refused(desk, wager), "NZD5-11A.4")
