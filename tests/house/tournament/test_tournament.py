"""Tournaments of baccarat: the rounds, who goes on, and the prizes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.house.tournament import conditions as t
from croupier.house.tournament import messages as m
from croupier.house.tournament.ending import shares
from croupier.house.tournament.state import buy_ins_of, due_to_play, entrant_account, standings
from croupier.journal.accounts import HOUSE
from croupier.journal.entries import BadJournal, encode
from croupier.journal.messages import Entry
from tests.helpers.desks.tournament import (
    DEPUTY,
    DIRECTOR,
    MINUTE,
    SIX,
    Desk,
    V,
    all_of,
    approved,
    conditions,
    drawn,
    entered,
    first_round,
    hand,
    in_secret,
    replay,
    seats,
    snapshot,
    started,
    the,
)
from tests.helpers.ledger import books
from tests.helpers.observe import carries

# ---------------------------------------------------------------- before a round


def test_12_2_3_players_are_briefed_and_understand() -> None:
    desk = drawn()
    carries(the(m.PlayersBriefed, desk.ask(m.Brief(SIX))), V + "12.2.3")
    carries(desk.refused(m.Brief(SIX, satisfied=False)), V + "12.2.3")
    carries(desk.refused(m.Brief(("zoe",))), V + "12.2.3")
    silent = entered()
    silent.ask(m.CheckIn(DIRECTOR))
    silent.ask(m.Brief(SIX[1:]))
    silent.ask(m.DesignateTables(("B1", "B2")))
    silent.ask(m.DrawSeats(seats(*SIX)))
    silent.now = MINUTE
    carries(silent.refused(m.StartRound()), V + "12.2.3")
    silent.ask(m.Brief(("ann",)))
    silent.ask(m.StartRound())


def test_12_2_4_who_must_sign_and_did_not_is_not_seated() -> None:
    desk = entered()
    desk.ask(m.DesignateTables(("B1", "B2")))
    carries(the(m.SignaturesRequired, desk.ask(m.RequireSignatures())), V + "12.2.4")
    carries(desk.refused(m.DrawSeats(seats(*SIX))), V + "12.2.4")
    for name in SIX[:5]:
        carries(the(m.ConditionsSigned, desk.ask(m.SignConditions(name), name, "player")), V + "12.2.4")
    carries(desk.refused(m.SignConditions("ann")), V + "12.2.4")
    carries(desk.refused(m.DrawSeats(seats(*SIX))), V + "12.2.4")
    desk.ask(m.DrawSeats(seats(*SIX[:5])))


def test_12_2_5_nothing_is_played_without_the_director_or_a_deputy() -> None:
    desk = drawn()
    desk.now = MINUTE
    carries(the(m.Present, desk.ask(m.CheckOut(DIRECTOR))), V + "12.2.5")
    carries(desk.refused(m.StartRound()), V + "12.2.5")
    desk.ask(m.CheckIn(DEPUTY), DEPUTY, "player")
    desk.ask(m.StartRound(), DEPUTY)
    desk.ask(m.TakeSeat("ann", "ann"))
    desk.ask(m.CheckIn(DIRECTOR))
    assert all_of(m.SessionPaused, desk.ask(m.CheckOut(DEPUTY))) == []
    carries(the(m.SessionPaused, desk.ask(m.CheckOut(DIRECTOR))), V + "12.2.5")
    carries(desk.refused(hand("B1", ann=(10, 0))), V + "12.2.5")
    carries(the(m.SessionResumed, desk.ask(m.CheckIn(DEPUTY))), V + "12.2.5")
    desk.ask(hand("B1", ann=(10, 0)))
    carries(desk.refused(m.CheckIn("ann")), V + "12.2.5")
    carries(desk.refused(m.CheckOut(DIRECTOR)), V + "12.2.5")


def test_12_3_1_only_designated_tables_are_used() -> None:
    desk = entered()
    carries(desk.refused(m.DrawSeats(seats(*SIX))), V + "12.3.1")
    carries(the(m.TablesDesignated, desk.ask(m.DesignateTables(("B2", "B1")))), V + "12.3.1")
    carries(desk.refused(m.DrawSeats(seats(*SIX, tables=("B1", "B9")))), V + "12.3.1")
    desk.ask(m.DrawSeats(seats(*SIX)))
    carries(desk.refused(m.DesignateTables(("B3",))), V + "12.3.1")


def test_12_3_2_a_designated_table_serves_nobody_else_while_a_round_is_played() -> None:
    desk = drawn()
    carries(the(m.OrdinaryPlayAllowed, desk.ask(m.OrdinaryPlay("B1"), "zoe", "player")), V + "12.3.2")
    desk.now = MINUTE
    desk.ask(m.StartRound())
    carries(desk.refused(m.OrdinaryPlay("B1"), "zoe", "player"), V + "12.3.2")
    desk.ask(m.OrdinaryPlay("B9"))


@pytest.mark.parametrize(("ahead", "enough"), [(14, False), (15, True), (16, True)])
def test_12_3_4_a_new_starting_time_takes_notice(ahead: int, enough: bool) -> None:  # noqa: FBT001
    for old_ahead, new_ahead in ((ahead, 40), (40, ahead)):
        rounds = conditions().structure
        assert rounds is not None
        desk = entered(
            structure=msgspec.structs.replace(
                rounds,
                rounds=(msgspec.structs.replace(rounds.rounds[0], starts_ms=old_ahead * MINUTE + 7), rounds.rounds[1]),
            )
        )
        desk.now = 7
        if enough:
            altered = the(m.StartAltered, desk.ask(m.AlterStart(1, new_ahead * MINUTE + 7, SIX)))
            carries(altered, V + "12.3.4")
            assert (altered.noticed_ms, desk.state.starts_ms(1)) == (7, new_ahead * MINUTE + 7)
        else:
            carries(desk.refused(m.AlterStart(1, new_ahead * MINUTE + 7, SIX)), V + "12.3.4")


def test_12_3_4_everybody_is_told() -> None:
    desk = entered()
    desk.now = -20 * MINUTE
    carries(desk.refused(m.AlterStart(1, 2 * MINUTE, SIX[1:])), V + "12.3.4")
    carries(desk.refused(m.AlterStart(0, 2 * MINUTE, SIX)), V + "12.3.4")
    carries(desk.refused(m.AlterStart(3, 2 * MINUTE, SIX)), V + "12.2.1d")
    desk.ask(m.AlterStart(1, 2 * MINUTE, SIX))
    desk.ask(m.CheckIn(DIRECTOR))
    desk.ask(m.Brief(SIX))
    desk.ask(m.DesignateTables(("B1", "B2")))
    desk.ask(m.DrawSeats(seats(*SIX)))
    desk.now = 2 * MINUTE - 1
    carries(desk.refused(m.StartRound()), V + "12.2.1d")
    desk.now = 2 * MINUTE
    carries(the(m.RoundStarted, desk.ask(m.StartRound())), V + "12.2.1d")


@pytest.mark.parametrize(
    "wrong",
    [
        seats(*SIX[:5]),
        seats(*SIX[:5], "zoe"),
        {**seats(*SIX), "fay": ("B1", 1)},
        {**seats(*SIX), "fay": ("B2", 4)},
        {**seats(*SIX), "fay": ("B2", 0)},
        {name: ("B1" if number < 4 else "B2", 1 + number % 4) for number, name in enumerate(SIX)},
    ],
)
def test_12_1_1_the_draw_gives_all_players_an_equal_chance(wrong: dict[str, tuple[str, int]]) -> None:
    desk = entered()
    desk.ask(m.DesignateTables(("B1", "B2")))
    carries(desk.refused(m.DrawSeats(wrong)), V + "12.1.1")
    carries(the(m.SeatsDrawn, desk.ask(m.DrawSeats(seats(*SIX)))), V + "12.1.1")


def test_12_2_1b_all_get_the_same_chips_for_their_buy_in() -> None:
    desk = drawn()
    desk.now = MINUTE
    given = all_of(m.ChipsAllocated, desk.ask(m.StartRound()))
    assert [(event.player, event.chips) for event in given] == [(name, 1_000) for name in SIX]
    for event in given:
        carries(event, V + "12.2.1b")
    assert (desk.of(buy_ins_of("cup")), desk.of(entrant_account("ann"))) == (3_000, -10_500)


# ---------------------------------------------------------------- a round


def test_12_3_3_a_substitute_needs_the_directors_approval() -> None:
    desk = drawn()
    carries(desk.refused(m.ApproveSubstitute("ann")), V + "12.3.3")
    carries(desk.refused(m.NominateSubstitute("ann", "ben")), V + "12.3.3")
    carries(the(m.SubstituteNominated, desk.ask(m.NominateSubstitute("ann", "zoe"), "ann", "player")), V + "12.3.3")
    carries(desk.refused(m.TakeSeat("ann", "zoe")), V + "12.3.3")
    assert desk.refused(m.ApproveSubstitute("ann"), "ann", "player").rule == V + "12.1.2a"
    carries(the(m.SubstituteApproved, desk.ask(m.ApproveSubstitute("ann"))), V + "12.3.3")
    carries(the(m.SeatTaken, desk.ask(m.TakeSeat("ann", "zoe"))), V + "12.3.3")
    strict = drawn(substitutes=False)
    carries(strict.refused(m.NominateSubstitute("ann", "zoe")), V + "12.3.3")


@pytest.mark.parametrize(("minutes", "late_ms"), [(5, 0), (6, MINUTE)])
@pytest.mark.parametrize("late", ["plays on", "eliminated"])
def test_12_2_1j_what_follows_from_coming_late(minutes: int, late_ms: int, late: Any) -> None:
    desk = drawn(lateness=t.LateTerms(5, late, "keeps place"))
    desk.now = MINUTE
    desk.ask(m.StartRound())
    desk.now = MINUTE + minutes * MINUTE
    (event,) = desk.ask(m.TakeSeat("ann", "ann"))
    if late_ms and late == "eliminated":
        assert isinstance(event, m.ShutOut)
        carries(event, V + "12.2.1j")
        carries(desk.refused(m.TakeSeat("ann", "ann")), V + "12.2.1j")
        return
    assert isinstance(event, m.SeatTaken)
    assert event.late_ms == late_ms
    carries(event, V + ("12.2.1j" if late_ms else "12.2.1d"))


def test_12_2_1j_who_does_not_come_is_eliminated_or_keeps_the_place() -> None:
    for absent, out in (("eliminated", True), ("keeps place", False)):
        desk = drawn(lateness=t.LateTerms(5, "plays on", absent))  # type: ignore[arg-type]
        desk.now = MINUTE
        for name in SIX[1:]:
            desk.ask(m.TakeSeat(name, name))
        desk.ask(m.StartRound())
        desk.hand("B1", cat=-100, eve=-100)
        desk.now = 31 * MINUTE
        desk.ask(m.EndTable("B1"))
        desk.ask(m.EndTable("B2"))
        events = desk.ask(m.EndRound(drawn=SIX))
        gone = {event.player: event for event in all_of(m.PlayerEliminated, events)}
        assert ("ann" in gone) == out
        if out:
            carries(gone["ann"], V + "12.2.1j")
            assert desk.state.entrants["ann"].reached == (1, 0)


@pytest.mark.parametrize(("stake", "fine"), [(9, False), (10, True), (500, True), (501, False)])
def test_12_2_1c_a_wager_is_within_what_the_conditions_say(stake: int, fine: bool) -> None:  # noqa: FBT001
    desk = started()
    command = hand("B1", ann=(stake, 0))
    if fine:
        carries(the(m.HandPlayed, desk.ask(command)), V + "12.2.1d")
        assert desk.chips("ann") == 1_000 - stake
    else:
        carries(desk.refused(command), V + "12.2.1c")


def test_12_2_1c_a_hand_without_the_compulsory_wager_is_flagged() -> None:
    desk = started()
    events = desk.ask(hand("B1", ann=(10, 0), cat=(0, 0)))
    flags = all_of(m.Flagged, events)
    assert [flag.player for flag in flags] == ["cat", "eve"]
    for flag in flags:
        carries(flag, V + "12.2.1c")
    free = started(wager=t.WagerTerms(compulsory=False))
    assert all_of(m.Flagged, free.ask(hand("B1", ann=(10, 0)))) == []


def test_12_2_1b_nobody_stakes_chips_that_are_not_there() -> None:
    desk = started(wager=t.WagerTerms(compulsory=True, minimum=10))
    for stake in (1_001, -1, 10**13):
        carries(desk.refused(hand("B1", ann=(stake, 0))), V + "12.2.1b")
    desk.ask(hand("B1", ann=(995, 0)))
    desk.ask(hand("B1", ann=(5, 10)))
    assert desk.chips("ann") == 10


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_12_2_1e_no_more_secret_wagers_than_allowed(allowed: int) -> None:
    desk = started(secret_wagers=t.SecretTerms(allowed, "on a card"))
    secret = in_secret(hand("B1", ann=(10, 0)), "ann")
    for _ in range(allowed):
        desk.ask(secret)
    carries(desk.refused(secret), V + "12.2.1e")
    desk.ask(hand("B1", ann=(10, 0)))


def test_12_2_1d_a_round_has_so_many_hands_and_so_much_time() -> None:
    desk = started()
    for _ in range(3):
        desk.hand("B1", ann=10, cat=10, eve=10)
    carries(desk.refused(hand("B1", ann=(10, 0))), V + "12.2.1d")
    desk.now = 31 * MINUTE - 1
    desk.hand("B2", ben=10)
    desk.now = 31 * MINUTE
    carries(desk.refused(hand("B2", ben=(10, 0))), V + "12.2.1d")
    for table in ("B1", "B2"):
        carries(the(m.TableEnded, desk.ask(m.EndTable(table))), V + "12.2.1d")
        carries(desk.refused(m.EndTable(table)), V + "12.2.1d")


# ---------------------------------------------------------------- ends


def broke_but(desk: Desk, table: str, *alive: str) -> None:
    """All players at a table but these lose everything, in two hands of 500."""
    play = desk.state.play
    assert play is not None
    for _ in range(2):
        desk.ask(hand(table, **{name: (500, 500 if name in alive else 0) for name in play.at(table)}))


def test_12_3_5_a_table_ends_early_only_when_it_is_decided_who_goes_on() -> None:
    desk = started()
    carries(desk.refused(m.EndTable("B1", SIX)), V + "12.3.5a")
    broke_but(desk, "B1", "ann", "cat")
    carries(desk.refused(m.EndTable("B1", SIX)), V + "12.3.5a")
    broke_but(desk, "B2", "ben")
    ended = the(m.TableEnded, desk.ask(m.EndTable("B2")))
    assert ended.early
    carries(ended, V + "12.3.5")


def test_12_3_5b_where_chips_become_cash_all_at_the_table_agree() -> None:
    desk = started(chips=t.ChipTerms(1_000, 500, "cash", 2))
    broke_but(desk, "B2", "ben")
    carries(desk.refused(m.EndTable("B2", ("ben", "dee"))), V + "12.3.5b")
    carries(the(m.TableEnded, desk.ask(m.EndTable("B2", ("ben", "dee", "fay")))), V + "12.3.5")


def test_the_best_of_each_table_and_of_the_others_go_on() -> None:
    desk = first_round()
    events = desk.ask(m.EndRound())
    on = all_of(m.PlayerProgressed, events)
    assert [event.player for event in on] == ["ann", "ben", "cat"]
    carries(on[0], V + "12.2.1d")
    assert desk.state.entrants["cat"].reached == (1, 1_450)
    assert [place.player for place in standings(desk.state)] == ["ben", "ann", "cat", "dee", "eve", "fay"]
    assert [place.place for place in standings(desk.state)] == [1, 2, 3, 4, 5, 5]
    assert due_to_play(desk.state) == {"ann", "ben", "cat"}


@pytest.mark.parametrize(("how", "kept", "cash"), [("collected", 0, 0), ("carried", 1_600, 0), ("cash", 0, 3_200)])
def test_12_2_1b_what_becomes_of_the_chips(how: Any, kept: int, cash: int) -> None:
    desk = first_round(chips=t.ChipTerms(1_000, 0, how, 2))
    before = desk.of(entrant_account("ann"))
    disposed = {event.player: event for event in all_of(m.ChipsDisposed, desk.ask(m.EndRound()))}
    carries(disposed["ann"], V + "12.2.1b")
    assert (disposed["ann"].chips, disposed["ann"].kept, desk.chips("ann")) == (1_600, kept, kept)
    assert desk.of(entrant_account("ann")) - before == cash


def test_a_tie_for_the_last_place_is_drawn_or_all_go_on() -> None:
    rounds = conditions().structure
    assert rounds is not None
    for ties in ("drawn", "all go on"):
        desk = started(structure=msgspec.structs.replace(rounds, ties=ties))
        for _ in range(3):
            desk.hand("B1", ann=10, cat=10, eve=0)
            desk.hand("B2", ben=50, dee=0, fay=0)
        for table in ("B1", "B2"):
            desk.ask(m.EndTable(table))
        if ties == "drawn":
            refusal = desk.refused(m.EndRound(("ann",)))
            assert refusal.reason == "ann and cat tie, and a draw decides"
            carries(refusal, V + "12.2.1d")
            desk.ask(m.EndRound(("cat", "ann")))
            assert due_to_play(desk.state) == {"ann", "ben", "cat"}
        else:
            desk.ask(m.EndRound())
            assert due_to_play(desk.state) == set(SIX)


def test_a_round_ends_when_all_its_tables_have() -> None:
    desk = started()
    carries(desk.refused(m.EndRound()), V + "12.2.1d")
    carries(entered().refused(m.EndRound()), V + "12.2.1d")


def test_12_2_1f_buying_back_has_its_time_and_number() -> None:
    desk = first_round()
    carries(desk.refused(m.BuyBack("eve")), V + "12.2.1f")
    desk.ask(m.EndRound())
    carries(desk.refused(m.BuyBack("ann")), V + "12.2.1f")
    back = the(m.BoughtBack, desk.ask(m.BuyBack("eve"), "eve", "player"))
    carries(back, V + "12.2.1f")
    assert desk.of(entrant_account("eve")) == -10_500 - 20_000
    assert "eve" in due_to_play(desk.state)
    desk.ask(m.Retire("eve"))
    desk.ask(m.DrawSeats(seats("ann", "ben", "cat", tables=("B1",))))
    carries(desk.refused(m.BuyBack("dee")), V + "12.2.1f")
    never = first_round(buy_back=t.BuyBackTerms(0))
    never.ask(m.EndRound())
    carries(never.refused(m.BuyBack("eve")), V + "12.2.1f")


def final(desk: Desk, **net: int) -> Desk:
    """The final at one table, one hand of which decides."""
    players = tuple(sorted(due_to_play(desk.state)))
    desk.ask(m.DrawSeats(seats(*players, tables=("B1",))))
    for name in players:
        desk.ask(m.TakeSeat(name, name))
    desk.now = 100 * MINUTE
    desk.ask(m.StartRound())
    desk.hand("B1", **net)
    desk.hand("B1", **dict.fromkeys(net, 0))
    desk.ask(m.EndTable("B1"))
    desk.ask(m.EndRound())
    return desk


def test_12_2_1k_the_prizes_go_by_place_and_equals_share() -> None:
    desk = first_round()
    desk.ask(m.EndRound())
    carries(desk.refused(m.AwardPrizes()), V + "12.2.1k")
    final(desk, ann=50, ben=100, cat=100)
    events = desk.ask(m.AwardPrizes())
    prizes = all_of(m.PrizeAwarded, events)
    assert [(one.player, one.place, one.amount) for one in prizes] == [
        ("ben", 1, 75_001),
        ("cat", 1, 75_000),
        ("ann", 3, 20_000),
    ]
    for prize in prizes:
        carries(prize, V + "12.2.1k")
    assert desk.of(HOUSE) == -170_001
    assert desk.refused(m.AwardPrizes()).reason == "cup is over"
    desk.ask(m.OrdinaryPlay("B1"))


def test_more_equals_than_prizes_share_what_there_is() -> None:
    desk = entered()
    assert shares(desk.state, (100, 50)) == tuple((1, name, 25) for name in SIX)


def test_those_who_are_out_play_a_repechage() -> None:
    rounds = (
        t.RoundTerms(0, hands=1, minutes=0, tables=2, seats=3, progress=1),
        t.RoundTerms(0, hands=1, minutes=0, tables=1, seats=4, progress=1, repechage=True),
        t.RoundTerms(0, hands=1, minutes=0, tables=1, seats=3),
    )
    desk = started(structure=t.Structure(rounds), buy_back=t.BuyBackTerms(0))
    desk.hand("B1", ann=100, cat=0, eve=-10)
    desk.hand("B2", ben=100, dee=-20, fay=-100)
    for table in ("B1", "B2"):
        desk.ask(m.EndTable(table))
    desk.ask(m.EndRound())
    assert due_to_play(desk.state) == {"cat", "dee", "eve", "fay"}
    desk.ask(m.DrawSeats({name: ("B2", seat) for seat, name in enumerate(("cat", "dee", "eve", "fay"), 1)}))
    for name in ("cat", "dee", "eve", "fay"):
        desk.ask(m.TakeSeat(name, name))
    desk.ask(m.StartRound())
    desk.hand("B2", cat=0, dee=0, eve=0, fay=100)
    desk.ask(m.EndTable("B2"))
    desk.ask(m.EndRound())
    assert due_to_play(desk.state) == {"ann", "ben", "fay"}
    assert desk.state.entrants["cat"].reached == (1, 1_000)


# ---------------------------------------------------------------- the journal


def test_the_journal_leads_to_the_same_tournament_and_its_books_balance() -> None:
    desk = first_round()
    desk.ask(m.EndRound())
    final(desk, ann=50, ben=100, cat=100)
    desk.ask(m.AwardPrizes())
    written = [encode(line) for line in desk.journal]
    assert snapshot(replay("cup", written)) == snapshot(desk.state)
    ledger = books(desk.journal)
    assert (ledger.total, dict(ledger.balances)) == (0, dict(desk.state.balances))
    with pytest.raises(BadJournal, match="line 2 where 0 is next"):
        replay("cup", written[2:])
    with pytest.raises(BadJournal, match="not in cup"):
        replay(
            "cup", [written[0], *[encode(Entry(1, 0, "x", "x", m.ConditionsSigned(player="zoe", rule=V + "12.2.4")))]]
        )
    with pytest.raises(BadJournal, match="while no round is in hand"):
        replay("cup", [encode(Entry(0, 0, "x", "x", m.TableEnded(table="B1", rule=V + "12.2.1d")))])


@pytest.mark.parametrize(
    ("what", "role"),
    [
        (m.AppointDirector("dora", "game supervisor"), "game supervisor"),
        (m.AwardPrizes(), "dealer"),
        (m.Enter("ben"), "player"),
        (m.CheckIn(DIRECTOR), "player"),
        (hand("B1"), "player"),
    ],
)
def test_each_has_a_part(what: m.AnyCommand, role: str) -> None:
    assert f"not for the {role}" in approved().refused(what, "zoe", role).reason
