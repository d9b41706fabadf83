"""Who runs a tournament, what its conditions must say, and who may enter it and leave it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.house.tournament import conditions as t
from croupier.house.tournament import messages as m
from croupier.house.tournament.state import entrant_account, fees_of, standings
from tests.helpers.desks.tournament import (
    DEPUTY,
    DIRECTOR,
    MINUTE,
    OFFICE,
    SIX,
    Desk,
    V,
    all_of,
    approved,
    conditions,
    drawn,
    entered,
    hand,
    replay,
    seats,
    snapshot,
    started,
    the,
    with_director,
)
from tests.helpers.observe import carries

# ---------------------------------------------------------------- who runs it


@pytest.mark.parametrize("role", ["game supervisor", "casino supervisor", "shift manager", "casino manager"])
def test_12_1_2_the_responsible_person_and_the_deputies_are_qualified(role: str) -> None:
    desk = Desk()
    carries(the(m.DirectorAppointed, desk.ask(m.AppointDirector("dora", role))), V + "12.1.2a")
    carries(the(m.DeputyNamed, desk.ask(m.NameDeputy("dan", role))), V + "12.1.2b")


@pytest.mark.parametrize("role", ["dealer", "player", "cashier", "inspector", ""])
def test_12_1_2_nobody_else_is_appointed(role: str) -> None:
    carries(Desk().refused(m.AppointDirector("dora", role)), V + "12.1.2a")
    carries(with_director().refused(m.NameDeputy("dan", role)), V + "12.1.2b")
    carries(with_director().refused(m.NameDeputy(DIRECTOR, "game supervisor")), V + "12.1.2b")
    carries(Desk().refused(m.NameDeputy("dan", "game supervisor")), V + "12.1.2b")


def test_12_1_2_no_conditions_without_a_responsible_person() -> None:
    carries(Desk().refused(m.PublishConditions(conditions())), V + "12.1.2")


def test_12_1_2_a_deputy_acts_only_in_the_absence_of_the_director() -> None:
    desk = entered()
    desk.ask(m.CheckIn(DIRECTOR))
    carries(desk.refused(m.Brief(SIX), DEPUTY), V + "12.1.2b")
    carries(desk.refused(m.Brief(SIX), "somebody"), V + "12.1.2a")
    desk.ask(m.CheckOut(DIRECTOR))
    desk.ask(m.Brief(SIX), DEPUTY)


def test_12_1_3_conditions_are_approved_in_writing_by_the_one_who_may() -> None:
    desk = with_director()
    carries(desk.refused(m.RecordApproval(OFFICE, "DCS 02/7")), V + "12.1.3")
    desk.ask(m.PublishConditions(conditions()))
    carries(desk.refused(m.Enter("ann")), V + "12.1.3")
    carries(desk.refused(m.RecordApproval(OFFICE, " ")), V + "12.1.3")
    carries(desk.refused(m.RecordApproval("the casino manager", "DCS 02/7")), V + "12.1.3")
    carries(the(m.ConditionsApproved, desk.ask(m.RecordApproval(OFFICE, "DCS 02/7"))), V + "12.1.3")
    desk.ask(m.PublishConditions(conditions(entry_fee=0)))
    carries(desk.refused(m.Enter("ann")), V + "12.1.3")
    desk.ask(m.RecordApproval(OFFICE, "DCS 02/8"))
    desk.ask(m.Enter("ann"))
    carries(desk.refused(m.PublishConditions(conditions())), V + "12.1.3")


# ---------------------------------------------------------------- what the conditions say


def round_terms(**parts: Any) -> t.Structure:
    terms = t.RoundTerms(0, hands=3, minutes=30, tables=2, seats=3, progress=1)
    last = t.RoundTerms(0, hands=3, minutes=0, tables=1, seats=3)
    return t.Structure((msgspec.structs.replace(terms, **parts), last))


LAST = t.RoundTerms(0, hands=3, minutes=0, tables=1, seats=3)
FLAWS: list[tuple[str, str, Any]] = [
    ("12.2.1a", "entry_fee", None),
    ("12.2.1a", "entry_fee", -1),
    ("12.2.1b", "chips", None),
    ("12.2.1b", "chips", t.ChipTerms(0, 0, "collected")),
    ("12.2.1b", "chips", t.ChipTerms(1, -1, "collected")),
    ("12.2.1b", "chips", t.ChipTerms(1, 0, "")),
    ("12.2.1b", "chips", t.ChipTerms(1, 0, "cash", 0)),
    ("12.2.1c", "wager", None),
    ("12.2.1c", "wager", t.WagerTerms(compulsory=True, minimum=0)),
    ("12.2.1c", "wager", t.WagerTerms(compulsory=True, minimum=10, maximum=9)),
    ("12.2.1d", "structure", None),
    ("12.2.1d", "structure", t.Structure(())),
    ("12.2.1d", "structure", t.Structure((LAST,), notice_minutes=-1)),
    ("12.2.1d", "structure", round_terms(hands=0, minutes=0)),
    ("12.2.1d", "structure", round_terms(minutes=-1)),
    ("12.2.1d", "structure", round_terms(tables=0)),
    ("12.2.1d", "structure", round_terms(seats=0)),
    ("12.2.1d", "structure", round_terms(progress=0)),
    ("12.2.1d", "structure", round_terms(repechage=True)),
    ("12.2.1d", "structure", t.Structure((msgspec.structs.replace(LAST, progress=1),))),
    ("12.2.1d", "structure", round_terms(tables=1, seats=5)),
    ("12.2.1d", "structure", round_terms(best_others=2)),
    ("12.2.1e", "secret_wagers", None),
    ("12.2.1e", "secret_wagers", t.SecretTerms(-1)),
    ("12.2.1e", "secret_wagers", t.SecretTerms(1)),
    ("12.2.1f", "buy_back", None),
    ("12.2.1f", "buy_back", t.BuyBackTerms(-1)),
    ("12.2.1f", "buy_back", t.BuyBackTerms(1, (), 0, "at the desk")),
    ("12.2.1f", "buy_back", t.BuyBackTerms(1, (1,), 0, "")),
    ("12.2.1g", "eligibility", None),
    ("12.2.1g.i", "eligibility", t.Eligibility(" ")),
    ("12.2.1g.ii", "eligibility", t.Eligibility("only those", right_to_refuse=True)),
    ("12.2.1g.iii", "eligibility", t.Eligibility("only those", criteria_apply=True)),
    ("12.2.1h", "entry", None),
    ("12.2.1h", "entry", t.EntryTerms(0, "", 1, 6)),
    ("12.2.1h", "entry", t.EntryTerms(0, "form", 0, 6)),
    ("12.2.1h", "entry", t.EntryTerms(0, "form", 7, 6)),
    ("12.2.1i", "leaving", None),
    ("12.2.1i", "leaving", t.LeavingTerms((), retirement=True)),
    ("12.2.1i", "leaving", t.LeavingTerms(("x",), retirement=True, fee_refund=10_001)),
    ("12.2.1i", "leaving", t.LeavingTerms(("x",), retirement=True, buy_in_refund=-1)),
    ("12.2.1j", "lateness", None),
    ("12.2.1j", "lateness", t.LateTerms(-1, "plays on", "eliminated")),
    ("12.2.1k", "prizes", ()),
    ("12.2.1k", "prizes", (0,)),
    ("12.2.1k", "prizes", (1, 2)),
    ("12.2.1l", "precedence", ""),
    ("12.2.1l", "precedence", "  "),
    ("12.2.2", "modifications", (t.Modification(V + "99.9", "x"),)),
    ("12.2.2", "modifications", (t.Modification("NZ1998-9.3", "x"),)),
    ("12.2.2", "modifications", (t.Modification(V + "6.5", " "),)),
    ("12.1.3", "modifications", (t.Modification(V + "12.2.5", "nobody need be there"),)),
]


@pytest.mark.parametrize(("number", "part", "value"), FLAWS)
def test_12_2_1_what_is_blank_or_makes_no_sense_is_not_published(number: str, part: str, value: Any) -> None:
    carries(
        with_director().refused(m.PublishConditions(conditions(**{"buy_back": t.BuyBackTerms(0), part: value}))),
        V + number,
    )


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("entry_fee", 0),
        ("chips", t.ChipTerms(1, 0, "cash", 1)),
        ("structure", round_terms(tables=1, seats=6, progress=3)),
        ("structure", round_terms(best_others=1)),
        ("wager", t.WagerTerms(compulsory=False)),
        ("secret_wagers", t.SecretTerms(0)),
        ("buy_back", t.BuyBackTerms(0)),
        ("eligibility", t.Eligibility("only those")),
        ("leaving", t.LeavingTerms(("x",), retirement=False, fee_refund=10_000)),
        ("prizes", (2, 2)),
        ("modifications", ()),
    ],
)
def test_12_2_1_nothing_is_something_that_can_be_stated(part: str, value: Any) -> None:
    events = with_director().ask(m.PublishConditions(conditions(**{"buy_back": t.BuyBackTerms(0), part: value})))
    carries(the(m.ConditionsPublished, events), V + "12.2.1")


@pytest.mark.parametrize(("many", "fine"), [(5, False), (6, True)])
def test_12_2_1f_a_round_has_seats_for_all_who_may_buy_back_into_it(many: int, fine: bool) -> None:  # noqa: FBT001
    rounds = conditions().structure
    assert rounds is not None
    final = msgspec.structs.replace(rounds.rounds[1], seats=many)
    structure = msgspec.structs.replace(rounds, rounds=(rounds.rounds[0], final))
    stating = m.PublishConditions(conditions(structure=structure))
    if fine:
        with_director().ask(stating)
    else:
        carries(with_director().refused(stating), V + "12.2.1f")
    with_director().ask(m.PublishConditions(conditions(structure=structure, buy_back=t.BuyBackTerms(0))))


@pytest.mark.parametrize(
    ("ties", "many", "rule"), [("drawn", 3, ""), ("all go on", 5, "12.2.1d"), ("all go on", 6, "")]
)
def test_12_2_1d_where_all_who_tie_go_on_there_are_seats_for_them_all(ties: Any, many: int, rule: str) -> None:
    rounds = conditions().structure
    assert rounds is not None
    final = msgspec.structs.replace(rounds.rounds[1], seats=many)
    structure = msgspec.structs.replace(rounds, rounds=(rounds.rounds[0], final), ties=ties)
    stating = m.PublishConditions(conditions(structure=structure, buy_back=t.BuyBackTerms(0)))
    if rule:
        carries(with_director().refused(stating), V + rule)
    else:
        with_director().ask(stating)


def test_11_9_5_a_dummy_coup_is_recorded_without_wagers_and_nobody_failed_to_place_one() -> None:
    desk = started()
    to_nobody = {"irregular": "wrong_third_card", "card": "5h", "to": "banker"}
    staked = {name: {"player": 10} for name in ("ann", "cat", "eve")}
    desk.ask(m.RecordHand("B1", m.PlayedHand(staked, ("7h", "7d", "Kc", "Ks", to_nobody))), role="dealer")
    dummy = ("2d", "4c", "Ks")
    carries(desk.refused(m.RecordHand("B1", m.PlayedHand(staked, dummy)), role="dealer"), V + "11.9.5a")
    events = desk.ask(m.RecordHand("B1", m.PlayedHand({}, dummy)), role="dealer")
    assert (the(m.HandPlayed, events).hand, all_of(m.Flagged, events)) == (1, [])
    assert [desk.chips(name) for name in ("ann", "cat", "eve")] == [1_000] * 3
    again = desk.ask(m.CorrectHand("B1", m.PlayedHand({}, dummy), "misread"))
    assert the(m.HandCorrected, again).hand == 1
    idle = desk.ask(m.RecordHand("B1", m.PlayedHand({}, ("9h", "2d", "Kc", "Ks"))), role="dealer")
    assert [flag.player for flag in all_of(m.Flagged, idle)] == ["ann", "cat", "eve"]
    # The round has three hands with a result, and the Dummy Coup is none of them.
    last = desk.ask(m.RecordHand("B1", m.PlayedHand(staked, ("9h", "2d", "Kc", "Ks"))), role="dealer")
    assert [the(m.HandPlayed, each).hand for each in (idle, last)] == [2, 3]
    carries(desk.refused(m.RecordHand("B1", m.PlayedHand(staked, ("9h", "2d"))), role="dealer"), V + "12.2.1d")
    journal = [msgspec.json.encode(line) for line in desk.journal]
    assert snapshot(replay("cup", journal)) == snapshot(desk.state)


def test_12_2_1l_a_corrected_hand_leaves_the_table_as_if_it_had_been_told_so() -> None:
    banker, player = ("2h", "9d", "Kc", "Ks"), ("9h", "2d", "Kc", "Ks")
    right = ({"ann": {"banker": 100, "banker_run_2": 50}}, banker)
    wrong = ({"ann": {"tie": 10}, "eve": {"tie": 10}}, player)
    plain, desk = started(), started()
    desk.ask(m.RecordHand("B1", m.PlayedHand(*wrong, secret=("eve",))), role="dealer")
    desk.ask(m.CorrectHand("B1", m.PlayedHand(*right), "misread"))
    plain.ask(m.RecordHand("B1", m.PlayedHand(*right)), role="dealer")
    for each in (desk, plain):
        each.ask(m.RecordHand("B1", m.PlayedHand({"eve": {"tie": 10}}, banker, secret=("eve",))), role="dealer")
    assert [desk.chips(name) for name in SIX] == [plain.chips(name) for name in SIX]
    journal = [msgspec.json.encode(line) for line in desk.journal]
    assert snapshot(replay("cup", journal)) == snapshot(desk.state)


NO_COMMISSION = t.Modification(V + "10.1.trad-banker", "Banker pays even money", "bets.banker.pays", "1 to 1")
NO_TIES = t.Modification(V + "6.5", "no Tie wagers", "permitted", ["player", "banker"])


def test_12_2_2_a_change_takes_effect_at_the_tables_and_cites_the_rule_that_lets_it() -> None:
    desk = started(modifications=(NO_COMMISSION, NO_TIES))
    banker = ("2h", "9d", "Kc", "Ks")
    no = desk.refused(m.RecordHand("B1", m.PlayedHand({"ann": {"tie": 10}}, banker)), role="dealer")
    carries(no, V + "12.2.2")
    won = the(m.HandPlayed, desk.ask(m.RecordHand("B1", m.PlayedHand({"ann": {"banker": 100}}, banker)), role="dealer"))
    assert won.played["ann"] == m.HandResult(100, 200)
    plain = started()
    won = the(
        m.HandPlayed, plain.ask(m.RecordHand("B1", m.PlayedHand({"ann": {"banker": 100}}, banker)), role="dealer")
    )
    assert won.played["ann"] == m.HandResult(100, 195)


def test_12_2_2_a_change_that_the_rule_or_the_table_cannot_have_is_refused() -> None:
    for change in (
        msgspec.structs.replace(NO_COMMISSION, rule=V + "6.5"),
        msgspec.structs.replace(NO_COMMISSION, path="bets.bunker.pays"),
        msgspec.structs.replace(NO_COMMISSION, value="plenty"),
        msgspec.structs.replace(NO_COMMISSION, value=None),
        msgspec.structs.replace(NO_COMMISSION, path=""),
    ):
        carries(with_director().refused(m.PublishConditions(conditions(modifications=(change,)))), V + "12.2.2")
    desk = entered(modifications=(NO_COMMISSION,))
    crown = {"B2": m.TableLaw(version="crown")}
    carries(desk.refused(m.DesignateTables(("B1", "B2"), crown)), V + "12.2.2")
    desk.ask(m.DesignateTables(("B1",), crown))


def test_12_1_1_tournaments_are_of_baccarat() -> None:
    desk = entered()
    laws = {"R-1": m.TableLaw(game="roulette", edition="nz1996")}
    carries(desk.refused(m.DesignateTables(("B1", "R-1"), laws)), V + "12.1.1")


def test_12_2_1l_a_hand_follows_the_rules_of_its_table() -> None:
    desk = entered()
    desk.ask(m.CheckIn(DIRECTOR))
    desk.ask(m.Brief(SIX))
    desk.ask(m.DesignateTables(("B1", "B2"), {"B2": m.TableLaw(version="crown")}))
    desk.ask(m.DrawSeats(seats(*SIX)))
    for name in SIX:
        desk.ask(m.TakeSeat(name, name), role="dealer")
    desk.now = MINUTE
    desk.ask(m.StartRound())
    six = ("2h", "6d", "3c", "Ks", "Kh")  # Banker wins with six against five
    at_1 = m.PlayedHand({"ann": {"banker": 100}, "cat": {"player": 50, "tie": 10}}, six)
    assert the(m.HandPlayed, desk.ask(m.RecordHand("B1", at_1), role="dealer")).played == {
        "ann": m.HandResult(100, 195),
        "cat": m.HandResult(60, 0),
    }
    at_2 = m.PlayedHand({"ben": {"banker": 100, "insurance": 50}}, six)
    assert the(m.HandPlayed, desk.ask(m.RecordHand("B2", at_2), role="dealer")).played["ben"].returned == 150
    for coup, rule in (
        (m.PlayedHand({"ann": {"banker": 100}}, six[:4]), "9.2"),
        (m.PlayedHand({"ann": {"banker": 100}}, (*six, "2h")), ""),
        (m.PlayedHand({"ann": {"insurance": 10, "player": 10}}, six), "6.5"),
        (m.PlayedHand({"ann": {"horn": 10}}, six), "6.5"),
        (m.PlayedHand({"ann": {"player": 10}}, ("nonsense",)), ""),
        (m.PlayedHand({"ann": {"player": 10}, "ben": {"player": 10}}, six), "12.2.1d"),
    ):
        refusal = desk.refused(m.RecordHand("B1", coup), role="dealer")
        assert refusal.rule.startswith(V + rule), refusal


def test_12_2_1l_a_run_goes_on_into_the_next_hand_and_comes_back_when_none_is_left() -> None:
    desk = started()
    banker = ("2h", "9d", "Kc", "Ks")
    first = m.PlayedHand({"ann": {"banker_run_2": 10}, "cat": {"tie_run_2": 10, "banker_run_3": 10}}, banker)
    event = the(m.HandPlayed, desk.ask(m.RecordHand("B1", first), role="dealer"))
    assert (event.going, event.needed) == ({"ann": 10, "cat": 10}, True)
    assert (desk.chips("ann"), desk.chips("cat")) == (990, 980)
    desk.ask(m.RecordHand("B1", m.PlayedHand({"ann": {"player": 10}}, banker)), role="dealer")
    assert (desk.chips("ann"), desk.chips("cat")) == (990 - 10 + 40, 980)
    desk.now = 31 * MINUTE
    assert the(m.TableEnded, desk.ask(m.EndTable("B1"))).returned == {"cat": 10}
    assert desk.chips("cat") == 990


def test_12_2_1_all_blank_is_refused_for_the_first_item() -> None:
    refusal = with_director().refused(m.PublishConditions(t.Conditions()))
    assert (refusal.reason, refusal.rule) == ("the conditions do not state: entry fee", V + "12.2.1a")


def test_12_2_2_only_changes_that_are_listed_count() -> None:
    desk = approved()
    applied = the(m.ModificationApplied, desk.ask(m.ApplyModification(V + "6.5")))
    assert applied.says == "no Tie wagers"
    carries(applied, V + "12.2.2")
    carries(desk.refused(m.ApplyModification(V + "6.4")), V + "12.2.2")


# ---------------------------------------------------------------- entries


def test_12_2_1a_the_entry_fee_is_paid_on_entry() -> None:
    desk = approved()
    event = the(m.PlayerEntered, desk.ask(m.Enter("ann"), "ann", "player"))
    carries(event, V + "12.2.1h")
    (fee,) = event.transfers
    carries(fee, V + "12.2.1a")
    assert (desk.of(entrant_account("ann")), desk.of(fees_of("cup"))) == (-10_000, 10_000)


def test_12_2_1g_only_those_entitled_who_meet_the_criteria_enter() -> None:
    who = t.Eligibility("only those", criteria_apply=True, criteria=("member", "by invitation"))
    desk = approved(eligibility=who)
    carries(desk.refused(m.Enter("ann", entitled=False)), V + "12.2.1g.i")
    carries(desk.refused(m.Enter("ann", meets=("member",))), V + "12.2.1g.iii")
    carries(desk.refused(m.RefuseEntry("ann")), V + "12.2.1g.ii")
    desk.ask(m.Enter("ann", meets=("by invitation", "member")))
    free = approved()
    carries(the(m.EntryRefused, free.ask(m.RefuseEntry("ben"))), V + "12.2.1g.ii")
    carries(free.refused(m.Enter("ben")), V + "12.2.1g.ii")
    free.ask(m.Enter("ann"))
    carries(free.refused(m.RefuseEntry("ann")), V + "12.2.1g.ii")


@pytest.mark.parametrize("players", [5, 6, 7])
def test_12_2_1h_no_more_players_than_the_conditions_say(players: int) -> None:
    desk = approved()
    for number in range(min(players, 6)):
        desk.ask(m.Enter(f"p{number}"))
    if players > 6:
        carries(desk.refused(m.Enter("p7")), V + "12.2.1h")


@pytest.mark.parametrize(("players", "enough"), [(1, False), (2, True), (3, True)])
def test_12_2_1h_no_fewer_players_either(players: int, enough: bool) -> None:  # noqa: FBT001
    desk = drawn(*SIX[:players])
    desk.now = MINUTE
    if enough:
        desk.ask(m.StartRound())
    else:
        carries(desk.refused(m.StartRound()), V + "12.2.1h")


def test_12_2_1h_entries_need_a_form_and_close_with_the_draw() -> None:
    desk = drawn(*SIX[:4])
    carries(desk.refused(m.Enter("zoe")), V + "12.2.1h")
    early = entered("ann")
    carries(early.refused(m.Enter("zoe", form_filed=False)), V + "12.2.1h")
    carries(early.refused(m.Enter("ann")), V + "12.2.1h")
    carries(early.refused(m.Retire("zoe")), V + "12.2.1h")


@pytest.mark.parametrize(("at_ms", "refund", "number"), [(999, 10_000, "h"), (1_000, 10_000, "h"), (1_001, 5_000, "i")])
def test_12_2_1h_withdrawal_is_free_within_the_period(at_ms: int, refund: int, number: str) -> None:
    desk = entered("ann", "ben")
    desk.now = at_ms
    left = the(m.PlayerLeft, desk.ask(m.Withdraw("ann"), "ann", "player"))
    carries(left, V + "12.2.1" + number)
    assert (left.refund, desk.of(entrant_account("ann"))) == (refund, refund - 10_000)
    carries(desk.refused(m.Withdraw("ann")), V + "12.2.1h")
    assert desk.refused(m.Withdraw("ben"), "ann", "player").rule == V + "1.1.game-supervisor"


def test_12_2_1i_disqualification_needs_a_ground_and_refunds_as_stated() -> None:
    desk = started()
    carries(desk.refused(m.Disqualify("ann", "winning")), V + "12.2.1i")
    left = the(m.PlayerLeft, desk.ask(m.Disqualify("ann", "insulting others")))
    carries(left, V + "12.2.1i")
    assert (left.refund, left.ground) == (5_000 + 500, "insulting others")
    assert "ann" not in {place.player for place in standings(desk.state)}
    carries(desk.refused(m.Disqualify("ann", "insulting others")), V + "12.2.1i")
    assert "others than those seated" in desk.refused(hand("B1", ann=(10, 0))).reason


def test_12_2_1i_a_player_retires_if_the_conditions_let_him() -> None:
    desk = started()
    carries(the(m.PlayerLeft, desk.ask(m.Retire("ann"), "ann", "player")), V + "12.2.1i")
    strict = started(leaving=t.LeavingTerms(("x",), retirement=False))
    carries(strict.refused(m.Retire("ann")), V + "12.2.1i")
