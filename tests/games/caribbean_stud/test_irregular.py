"""Part 14: misdeals, exposed cards, stray cards, dead hands, absent players; and the light of the jackpot."""

from __future__ import annotations

import pytest

from croupier.equipment import card_name, parse_card
from croupier.game import CardSeen, Chosen, Deal, Irregular, Lost, Over, Refusal, Remedy, Ruling, Sign, Void
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.games.caribbean_stud.irregular import CIRCUMSTANCES
from croupier.games.caribbean_stud.play import face_up
from croupier.round import AnyRound, happen, next_round, place
from tests.games.caribbean_stud.test_bets import HANDS, LOW_DEALER
from tests.games.caribbean_stud.test_play import (
    ACE_KING,
    PAIR,
    QUEEN_HIGH,
    R,
    ante,
    cards,
    go,
    granted,
    jackpot,
    money,
    packets,
    refused,
    results,
    start,
    stud,
)
from tests.helpers.observe import carries

FLUSH = HANDS["flush"][0]


def ruling(this: AnyRound, event: Irregular) -> Ruling:
    found = CARIBBEAN_STUD.rule_on(this.rules, this.state, event)
    assert isinstance(found, Ruling), found
    return found


def declare(this: AnyRound, event: Irregular, remedy: Remedy, rule: str) -> AnyRound:
    """The round after an event, whose ruling must be this one; the dealer orders it unless a supervisor must."""
    found = ruling(this, event)
    assert found.remedy is remedy
    assert found.by == (event.by or ("game supervisor" if event.circumstance == "dead_hand" else "dealer"))
    carries(found, R + rule)
    return granted(happen(this, event))


def not_so(this: AnyRound, event: Irregular) -> Refusal:
    """The refusal of an event; the round refuses it as well."""
    found = CARIBBEAN_STUD.rule_on(this.rules, this.state, event)
    assert refused(happen(this, event)) == found
    return refused(found)


def shown(card: str, to: str = "") -> Irregular:
    return Irregular("exposed_card", card=parse_card(card), to=to)


def test_the_table_covers_the_closed_list() -> None:
    assert set(stud().irregularities) == set(CIRCUMSTANCES) == set(CARIBBEAN_STUD.circumstances)
    refusal = not_so(start(stud(), ante()), Irregular("earthquake"))
    assert refusal.whole.startswith("earthquake: no such circumstance; known are wrong_count, ")
    carries(refusal, "NZ1996-I-8.1")


def test_nothing_can_be_declared_without_a_hand_or_after_the_round() -> None:
    over = go(start(packets(), ante()), f"{PAIR} {ACE_KING} bet")
    for circumstance in ("exposed_card", "stray_cards", "absent_player", "light_off"):
        refusal = not_so(over, Irregular(circumstance, card=parse_card("9h"), to="box 1", call="dead"))
        assert refusal.reason == "the round is over: put the event where it happened and play the facts again"
        carries(refusal, R + "9.1")
    empty = granted(place(start(stud(), ante()), ()))
    nobody = CARIBBEAN_STUD.rule_on(stud(), CARIBBEAN_STUD.begin(stud(), empty.following), Irregular("light_off"))
    assert refused(nobody).reason == "no hand is in play"
    carries(refused(nobody), R + "4.1")


# ---------------------------------------------------------------- misdeals


@pytest.mark.parametrize("to", ["box 1", "dealer", ""])
@pytest.mark.parametrize("count", ["4", "5", "6"])
def test_another_number_of_cards_is_a_misdeal(to: str, count: str) -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING}")
    event = Irregular("wrong_count", to=to, call=count)
    if count == "5":
        carries(not_so(this, event), R + "14.3")
        return
    after = declare(this, event, Remedy.VOID_ROUND, "14.3")
    assert after.game.outcome(after.rules, after.state)["misdeal"] == R + "14.3"
    carries(after.due, R + "14.10")


@pytest.mark.parametrize("call", ["", "four", "-4", "4.0", "1000", "٤x"])
def test_a_count_must_be_a_number(call: str) -> None:
    this = start(stud(), ante())
    for circumstance, rule in (("wrong_count", "14.3"), ("stray_cards", "14.7"), ("deck_count", "14.9")):
        refusal = not_so(this, Irregular(circumstance, to="box 2", call=call))
        assert refusal.whole == f"{circumstance}: say how many cards (call)"
        carries(refusal, R + rule)


def test_a_wrong_count_is_of_a_hand_in_play() -> None:
    this = go(start(packets(), ante(box=1), ante(box=2)), f"{PAIR} {FLUSH} {QUEEN_HIGH} fold".replace("10h", "Jh"))
    carries(not_so(this, Irregular("wrong_count", to="box 3", call="4")), R + "14.3")
    carries(not_so(this, Irregular("wrong_count", call="4")), R + "14.3")
    declare(this, Irregular("wrong_count", to="box 2", call="4"), Remedy.VOID_ROUND, "14.3")


def test_a_misdeal_gives_a_folded_ante_back() -> None:
    """The dealer counts a folded hand after its ante was collected."""
    this = start(packets(), ante(10, box=1), jackpot(box=1), ante(25, box=2))
    this = go(this, f"{FLUSH} {PAIR.replace('9h', '9s')} {LOW_DEALER} fold")
    this = go(granted(happen(this, Chosen("face_down", box=2))), "bet")
    assert [line.result for line in money(this)] == ["lost", "lost", "lost", "lost"]
    this = declare(this, Irregular("wrong_count", to="box 1", call="4"), Remedy.VOID_ROUND, "14.3")
    assert [line.result for line in money(this)] == ["void", "open", "void", "void"]
    assert [line.returned_cents for line in money(this)] == [10_00, 0, 25_00, 50_00]
    for entry in (this.book[0], *this.book[2:]):
        carries(entry.resolution, R + "14.10")  # type: ignore[arg-type]


def test_a_deck_found_short_when_a_jackpot_is_to_be_paid_undoes_the_round() -> None:
    this = start(packets(), ante(), jackpot(), sign=Sign(jackpot=20_000_00))
    this = go(this, f"{FLUSH} {LOW_DEALER} bet")
    assert [line.result for line in money(this)] == ["won", "won", "won"]
    this = declare(this, Irregular("deck_count", call="51"), Remedy.VOID_ROUND, "14.9")
    assert [line.result for line in money(this)] == ["void", "open", "void"]
    again = not_so(this, Irregular("deck_count", call="51"))
    carries(again, R + "14.10")


def test_a_misdeal_does_not_bring_back_a_returned_jackpot_wager() -> None:
    this = start(packets(), ante(), jackpot())
    this = granted(happen(this, Irregular("light_off", call="return")))
    this = go(this, f"{FLUSH} {LOW_DEALER}")
    this = declare(this, Irregular("deck_count", call="51"), Remedy.VOID_ROUND, "14.9")
    assert [line.result for line in money(this)] == ["void", "void"]
    carries(this.book[1].resolution, R + "11.4")  # type: ignore[arg-type]
    assert this.over


def test_a_second_misdeal_keeps_the_first_ones_results() -> None:
    this = granted(place(next_round(misdealt()), (ante(30, box=2, by="ben"),)))
    this = go(this, "2c")
    this = declare(this, Irregular("wrong_count", to="box 2", call="0"), Remedy.VOID_ROUND, "14.3")
    assert [line.result for line in money(this)] == ["void", "void", "void", "void", "void"]


@pytest.mark.parametrize("count", ["51", "52", "53"])
def test_a_deck_of_another_number_than_52_is_a_misdeal(count: str) -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING}")
    event = Irregular("deck_count", call=count)
    if count == "52":
        carries(not_so(this, event), R + "14.9")
        return
    after = declare(this, event, Remedy.VOID_ROUND, "14.9")
    assert after.game.outcome(after.rules, after.state)["misdeal"] == R + "14.9"


def test_the_deck_is_counted_after_the_deal() -> None:
    this = go(start(stud(), ante()), "2c 3c 4c 5c 6c 7c 8c 9c 10c")
    carries(not_so(this, Irregular("deck_count", call="51")), R + "14.9")
    declare(go(this, "Jc"), Irregular("deck_count", call="51"), Remedy.VOID_ROUND, "14.9")


def misdealt() -> AnyRound:
    """Ann with ante and jackpot has bet, Ben has not chosen, and a hand turns out to have four cards."""
    wagers = (ante(10, box=1, by="ann"), jackpot(2, box=1, by="ann"), ante(25, box=2, by="ben"))
    this = start(packets(), *wagers, sign=Sign(jackpot=20_000_00))
    this = go(this, f"{FLUSH} {PAIR.replace('9h', '9s')} {LOW_DEALER} bet")
    return declare(this, Irregular("wrong_count", to="box 2", call="4"), Remedy.VOID_ROUND, "14.3")


def test_a_misdeal_voids_all_wagers_but_the_jackpot() -> None:
    this = misdealt()
    assert [line.result for line in money(this)] == ["void", "open", "void", "void"]
    assert [line.returned_cents for line in money(this)] == [10_00, 0, 25_00, 20_00]
    for entry in this.book:
        if entry.wager.on != "jackpot":
            assert isinstance(entry.resolution, Void)
            carries(entry.resolution, R + "14.10")
    assert isinstance(this.due, Over)
    assert not this.over
    carries(refused(happen(this, CardSeen(1))), R + "14.10")
    carries(refused(place(this, (ante(box=3, by="cat"),))), R + "14.10")


def test_the_jackpot_wager_goes_on_in_the_next_round() -> None:
    this = next_round(misdealt())
    this = granted(place(this, (ante(30, box=1, by="ann"),)))
    assert this.state.box(1).jackpot
    carries(refused(place(this, (jackpot(2, box=1, by="ann"),))), R + "4.11")
    this = go(this, f"{HANDS['straight flush'][0]} {LOW_DEALER} bet")
    assert results(this)[1] == ("jackpot", "won", 2_000)
    assert [line.result for line in money(this)] == ["void", "won", "void", "void", "won", "won"]
    assert this.over


def test_a_carried_wager_without_an_ante_goes_back() -> None:
    this = next_round(misdealt())
    this = granted(place(this, (ante(30, box=2, by="ben"),)))
    assert money(this)[1].result == "open"
    this = go(this, "2c")
    void = this.book[1].resolution
    assert isinstance(void, Void)
    carries(void, R + "14.10")
    assert money(this)[1].returned_cents == 2_00


def test_a_carried_wager_does_not_go_to_another_player() -> None:
    this = next_round(misdealt())
    this = granted(place(this, (ante(30, box=1, by="cat"), jackpot(2, box=1, by="cat"))))
    this = go(this, f"{FLUSH} {LOW_DEALER} bet")
    assert [line.result for line in money(this)] == ["void", "void", "void", "void", "won", "won", "won"]
    assert money(this)[5].pays_cents == 100_00


# ---------------------------------------------------------------- exposed cards


def test_one_exposed_card_is_turned_over() -> None:
    this = go(start(stud(), ante()), "2c")
    after = declare(this, shown("3c", "dealer"), Remedy.USE, "14.6")
    assert cards(after, 0) == "3c"
    lying = declare(this, shown("2c"), Remedy.PLAY_ON, "14.4")
    assert cards(lying, 1) == "2c"
    assert lying.due == Deal("dealer", R + "7.3b")


def test_a_card_exposed_while_dealt_to_a_box_stays_there() -> None:
    after = declare(start(stud(), ante()), shown("2c"), Remedy.PLAY_ON, "14.4")
    assert cards(after, 1) == "2c"
    assert after.state.exposed == 1


def test_a_second_exposed_card_is_a_misdeal() -> None:
    this = declare(start(stud(), ante()), shown("2c"), Remedy.PLAY_ON, "14.4")
    after = declare(this, shown("3c"), Remedy.VOID_ROUND, "14.5")
    carries(after.due, R + "14.10")
    assert after.state.misdeal == R + "14.5"


def test_the_same_card_declared_again_is_one_card() -> None:
    this = declare(start(stud(), ante()), shown("2c"), Remedy.PLAY_ON, "14.4")
    carries(CARIBBEAN_STUD.rule_on(this.rules, this.state, shown("2c")), R + "14.5")
    assert isinstance(CARIBBEAN_STUD.rule_on(this.rules, this.state, shown("2c")), Refusal)


@pytest.mark.parametrize("place_of_card", [0, 1, 3])
def test_a_card_of_the_dealer_exposed_in_error_stays_face_up(place_of_card: int) -> None:
    this = start(stud(), ante())
    for number in range(10):
        card = f"{'A23456789J'[number]}c"
        wrong = number == 2 * place_of_card + 1
        this = declare(this, shown(card), Remedy.USE, "14.6") if wrong else go(this, card)
    up = face_up(this.rules, this.state)
    assert up is not None
    assert up.value == place_of_card
    carries(up, R + "14.6")


def test_a_card_of_the_dealer_that_lay_there_stays_face_up_too() -> None:
    this = go(start(stud(), ante()), "2c 3c 4c 5c")
    this = declare(this, shown("3c", "dealer"), Remedy.USE, "14.6")
    this = go(this, "6c 7c 8c 9c 10c Jc")
    up = face_up(this.rules, this.state)
    assert up is not None
    assert card_name(this.state.dealer[up.value]) == "3c"


def test_from_a_shuffler_the_bottom_card_is_then_not_turned() -> None:
    this = go(start(packets(), ante()), f"{PAIR} Qh 10c 7d 5s")
    this = declare(this, shown("3c", "dealer"), Remedy.USE, "14.6")
    up = face_up(this.rules, this.state)
    assert up is not None
    assert card_name(this.state.dealer[up.value]) == "3c"
    carries(up, R + "14.6")


def test_after_the_deal_an_exposed_card_of_the_dealer_is_turned_over() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {QUEEN_HIGH}")
    after = declare(this, shown("3c", "dealer"), Remedy.PLAY_ON, "14.4")
    up = face_up(after.rules, after.state)
    assert up is not None
    assert card_name(after.state.dealer[up.value]) == "Qh"


def test_the_card_that_is_turned_up_anyway_is_not_exposed_in_error() -> None:
    this = go(start(stud(), ante()), "2c 3c 4c 5c 6c 7c 8c 9c 10c")
    carries(not_so(this, shown("Jc", "dealer")), R + "7.2")


@pytest.mark.parametrize(("card", "to"), [("2c", "dealer"), ("3c", "box 1"), ("9d", "box 1"), ("2c", "box 4")])
def test_an_exposed_card_must_lie_where_it_is_said_to(card: str, to: str) -> None:
    this = go(start(stud(), ante()), "2c 3c 4c")
    refusal = not_so(this, shown(card, to))
    assert refusal.whole == f"exposed_card: {card} does not lie on {to}"
    carries(refusal, R + "14.4")


def test_an_exposed_card_must_be_named_and_be_there() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {QUEEN_HIGH}")
    carries(not_so(this, Irregular("exposed_card")), R + "14.4")
    assert not_so(this, shown("Ad")).whole == "exposed_card: Ad does not lie on the layout"


# ---------------------------------------------------------------- stray cards


@pytest.mark.parametrize("count", ["1", "2", "4"])
def test_stray_cards_mean_a_new_deal_and_the_wagers_stand(count: str) -> None:
    this = start(packets(), ante(), jackpot())
    this = go(declare(this, shown("9h"), Remedy.PLAY_ON, "14.4"), "9c 6d")
    after = declare(this, Irregular("stray_cards", to="box 4", call=count), Remedy.REDEAL, "14.7")
    assert after.state.dealt == 0
    assert after.state.exposed == 0
    assert after.state.boxes[0].jackpot
    assert [line.result for line in money(after)] == ["open", "open"]
    assert after.due == Deal("box 1", R + "7.4a")
    assert go(after, f"{PAIR} {ACE_KING} bet").over


def test_a_complete_stray_hand_is_discarded_and_play_goes_on() -> None:
    this = go(start(packets(), ante()), "9h 9c 6d")
    after = declare(this, Irregular("stray_cards", to="box 4", call="5"), Remedy.DISCARD, "14.8")
    assert after.state == this.state
    dealt = go(this, f"4s 2c {ACE_KING}")
    declare(dealt, Irregular("stray_cards", to="box 4", call="5"), Remedy.DISCARD, "14.8")


@pytest.mark.parametrize("count", ["0", "53"])
def test_stray_cards_are_at_least_one_and_no_more_than_a_deck(count: str) -> None:
    carries(not_so(start(stud(), ante()), Irregular("stray_cards", to="box 4", call=count)), R + "14.7")


@pytest.mark.parametrize("count", ["1", "4", "6", "52"])
def test_any_stray_cards_that_are_no_hand_make_the_deal_begin_anew(count: str) -> None:
    this = go(start(packets(), ante()), "9h 9c 6d")
    declare(this, Irregular("stray_cards", to="box 4", call=count), Remedy.REDEAL, "14.7")


def test_stray_cards_after_the_deal_are_not_provided_for() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING}")
    carries(not_so(this, Irregular("stray_cards", to="box 4", call="2")), R + "14.7")


def test_cards_on_a_box_with_an_ante_are_not_stray() -> None:
    refusal = not_so(start(stud(), ante()), Irregular("stray_cards", to="box 1", call="2"))
    assert refusal.reason == "box 1 has an ante: its cards are no stray cards"
    carries(refusal, R + "14.7")


# ---------------------------------------------------------------- dead hands, absent players


@pytest.mark.parametrize("by", ["", "game supervisor", "casino supervisor", "inspector"])
def test_a_dead_hand_forfeits_everything(by: str) -> None:
    wagers = (ante(box=1, by="ann"), jackpot(box=1, by="ann"), ante(box=2, by="ben"))
    this = start(packets(), *wagers, sign=Sign(jackpot=20_000_00))
    this = go(this, f"{FLUSH} {PAIR.replace('9h', '9s')} {LOW_DEALER} bet")
    event = Irregular("dead_hand", to="box 1", call="dead", by=by)
    assert ruling(this, event).by == (by or "game supervisor")
    this = declare(this, event, Remedy.FOLD, "14.1")
    assert [line.result for line in money(this)] == ["lost", "lost", "open", "lost"]
    for entry in (this.book[0], this.book[1], this.book[3]):
        assert isinstance(entry.resolution, Lost)
        carries(entry.resolution, R + "14.1")
    this = go(this, "bet")
    assert this.over


def test_a_hand_found_dead_when_all_is_shown_loses_ante_and_bet() -> None:
    """The row's own example: 30 on a hand of 10 and 20, which its cards had won."""
    over = go(start(packets(), ante(), ante(box=2)), f"{FLUSH} {PAIR.replace('9h', '9s')} {ACE_KING} bet bet")
    assert [line.result for line in money(over)][:1] == ["won"]
    dead = declare(over, Irregular("dead_hand", to="box 1", call="dead"), Remedy.FOLD, "14.1")
    assert dead.over
    # The antes of both boxes, then their bets.
    before, after = ([line.result for line in money(this)] for this in (over, dead))
    assert after == ["lost", before[1], "lost", before[3]]
    bet = dead.book[2].resolution
    assert isinstance(bet, Lost)
    carries(bet, R + "14.1")


def test_a_hand_may_die_before_its_player_chose() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING}")
    this = declare(this, Irregular("dead_hand", to="box 1", call="dead"), Remedy.FOLD, "14.1")
    assert this.over
    carries(this.due, R + "14.1")


def test_the_breach_need_not_make_the_hand_dead() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING}")
    after = declare(this, Irregular("dead_hand", call="stands"), Remedy.PLAY_ON, "14.1")
    assert after.state == this.state
    assert ruling(this, Irregular("dead_hand", call="stands")).by == "game supervisor"


def test_who_declares_a_hand_dead() -> None:
    this = go(start(packets(), ante()), f"{PAIR} {ACE_KING}")
    refusal = not_so(this, Irregular("dead_hand", call="dead", by="dealer"))
    assert refusal.whole == "dead_hand: the game supervisor declares it, not the dealer"
    carries(refusal, "NZ1996-I-8.1")
    carries(not_so(this, Irregular("dead_hand", to="box 2", call="dead")), R + "14.1")
    carries(not_so(this, Irregular("dead_hand", to="box 1", call="perhaps")), R + "14.1")


def test_an_absent_player_is_taken_to_have_folded() -> None:
    this = start(packets(jackpot_mode="manual"), ante(box=1), jackpot(box=1), ante(box=2))
    this = go(this, f"{FLUSH} {PAIR.replace('9h', '9s')} {LOW_DEALER}")
    this = declare(this, Irregular("absent_player", to="box 1"), Remedy.FOLD, "14.11")
    assert [line.result for line in money(this)] == ["lost", "lost", "open"]
    carries(this.book[0].resolution, R + "14.11")  # type: ignore[arg-type]
    carries(this.book[1].resolution, R + "8.2a")  # type: ignore[arg-type]
    carries(refused(happen(this, Chosen("bet", box=1))), R + "4.12")


def test_only_who_has_a_complete_hand_and_did_not_choose_can_be_absent() -> None:
    dealing = start(packets(), ante(box=1), ante(box=2))
    carries(not_so(dealing, Irregular("absent_player", to="box 1")), R + "14.11")
    this = go(dealing, f"{FLUSH} {PAIR.replace('9h', '9s')} {LOW_DEALER} bet")
    carries(not_so(this, Irregular("absent_player", to="box 1")), R + "14.11")
    carries(not_so(this, Irregular("absent_player", to="box 3")), R + "14.11")
    declare(this, Irregular("absent_player", to="box 2"), Remedy.FOLD, "14.11")


# ---------------------------------------------------------------- the light


def test_a_wager_whose_light_is_off_goes_back_or_is_tried_again() -> None:
    this = start(stud(), ante(), jackpot())
    back = declare(this, Irregular("light_off", call="return"), Remedy.VOID_WAGER, "11.4")
    assert [line.result for line in money(back)] == ["open", "void"]
    assert money(back)[1].returned_cents == 2_00
    carries(back.book[1].resolution, R + "11.4")  # type: ignore[arg-type]
    assert granted(place(back, (jackpot(),))).state.boxes[0].jackpot
    again = declare(this, Irregular("light_off", call="again"), Remedy.AGAIN, "11.4")
    assert again.state == this.state


def test_the_light_is_reported_before_the_deal() -> None:
    this = go(start(stud(), ante(), jackpot()), "2c")
    carries(not_so(this, Irregular("light_off", call="return")), R + "11.4")


def test_there_is_a_light_for_each_wager_in_electronic_mode() -> None:
    carries(not_so(start(stud(), ante()), Irregular("light_off", call="return")), R + "11.4")
    this = start(stud(jackpot_mode="manual"), ante(), jackpot())
    carries(not_so(this, Irregular("light_off", call="return")), R + "2.4c")
