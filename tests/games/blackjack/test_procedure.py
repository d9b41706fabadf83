"""The ceremonies of blackjack: opening, shuffle, cut, calls, collection, and who may be held to the minimum."""

from __future__ import annotations

import pytest

from croupier.ceremony import acts
from croupier.game import CardSeen, Choose, Chosen, Deal, Over, Perform, Performed, Refusal, say
from croupier.games.blackjack.layout import Layout
from croupier.games.blackjack.procedure import (
    BlackjackSitting,
    apply,
    demand,
    next_round,
    seated,
    why_no_wager,
)
from croupier.games.blackjack.rules import BlackjackRules
from croupier.games.blackjack.shoe import offers, shuffle_due, why_no_cut, why_no_depth, why_no_shoe
from croupier.notation import read_card, read_fact
from croupier.once import replace
from tests.games.blackjack.test_cases import bets, rules, table, tell
from tests.helpers.observe import carries

II = "NZ1996-II-"
CUT, DEPTH = 100, 78


def do(law: BlackjackRules, sitting: BlackjackSitting, *steps: str | Performed | Chosen) -> BlackjackSitting:
    """The sitting after these steps: cards and choices as words, acts by whoever they are due from."""
    for what in steps:
        after = apply(law, sitting, fact(law, sitting, what))
        assert not isinstance(after, Refusal), f"{what}: {after}"
        sitting = after
    return sitting


def fact(
    law: BlackjackRules, sitting: BlackjackSitting, what: str | Performed | Chosen
) -> Performed | Chosen | CardSeen:
    wanted = demand(law, sitting)
    if not isinstance(what, str):
        return what
    if what == "!":
        assert isinstance(wanted, Perform), say(wanted)
        depth = {"cut": CUT, "insert cutting card": DEPTH}.get(wanted.act, "")
        return Performed(wanted.act, wanted.by, depth)
    found = read_fact(what, wanted)
    assert isinstance(found, CardSeen | Chosen)
    return found


def refusal(law: BlackjackRules, sitting: BlackjackSitting, what: str | Performed | Chosen) -> Refusal:
    answer = apply(law, sitting, fact(law, sitting, what))
    assert isinstance(answer, Refusal), f"{what} was allowed"
    return answer


def loaded(law: BlackjackRules) -> BlackjackSitting:
    """A table that is ready for its first round, every act done as it was due; an employee cut."""
    sitting = BlackjackSitting()
    for _ in range(20):
        if isinstance(demand(law, sitting), Over):
            break
        sitting = do(law, sitting, "!")
    return sitting


def betting(law: BlackjackRules, wagers: str = "main 10") -> BlackjackSitting:
    return seated(law, loaded(law), bets(wagers))


def at_play(law: BlackjackRules, wagers: str = "main 10") -> BlackjackSitting:
    return do(law, betting(law, wagers), "!", "!")


# ---------------------------------------------------------------- opening


def test_5_the_opening_in_its_order() -> None:
    law, sitting = rules(), BlackjackSitting()
    expected = [
        ("inspect as dealer", "dealer", "5.1"),
        ("inspect as game supervisor", "game supervisor", "5.1"),
        ("spread for players", "dealer", "5.2"),
        ("turn face down", "dealer", "5.3"),
        ("wash", "dealer", "5.3a"),
        ("stack", "dealer", "5.3b"),
        ("riffle", "dealer", "5.3c"),
        ("shuffle", "dealer", "6.1a"),
        ("cut", "casino employee", "6.8"),
        ("insert cutting card", "dealer", "6.4"),
        ("load", "dealer", "6.6"),
    ]
    for act, by, rule in expected:
        wanted = demand(law, sitting)
        assert wanted == Perform(act, by, II + rule)
        carries(wanted, II + rule)
        sitting = do(law, sitting, "!")
    assert isinstance(demand(law, sitting), Over)


@pytest.mark.parametrize(
    ("done", "wrong", "rule"),
    [
        (0, Performed("inspect as dealer", "game supervisor"), "5.1"),
        (1, Performed("inspect as game supervisor", "dealer"), "5.1"),
        (2, Performed("shuffle", "dealer"), "5.2"),
        (4, Performed("stack", "dealer"), "5.3a"),
        (5, Performed("riffle", "dealer"), "5.3b"),
        (6, Performed("load", "dealer"), "5.3c"),
        (8, Performed("load", "dealer"), "6.8"),
        (10, Performed("call No more bets", "dealer"), "6.6"),
    ],
)
def test_5_acts_out_of_order_or_by_the_wrong_person_are_refused(done: int, wrong: Performed, rule: str) -> None:
    law = rules()
    carries(refusal(law, do(law, BlackjackSitting(), *["!"] * done), wrong), II + rule)


def test_6_1a_no_card_before_the_shuffle() -> None:
    law = rules()
    sitting = seated(law, do(law, BlackjackSitting(), *["!"] * 7), bets("main 10"))
    answer = refusal(law, sitting, Chosen("hit"))
    carries(answer, II + "6.1a")
    card = apply(law, sitting, CardSeen(read_card("5h")))
    assert isinstance(card, Refusal)
    carries(card, II + "6.1a")
    carries(law.ceremony.shuffles["start"], II + "6.1a")


def test_7_1_the_burn_is_the_operators_choice() -> None:
    plain, burning = rules(), rules(burn_card=True)
    assert "burn face down" not in acts(loaded(plain).shoe)
    sitting = do(burning, BlackjackSitting(), *["!"] * 11)
    assert demand(burning, sitting) == Perform("burn face down", "dealer", II + "7.1")
    sitting = do(burning, sitting, "!")
    assert isinstance(demand(burning, sitting), Over)
    see = Performed("see burned card", "player")
    assert see in do(burning, sitting, see).said
    carries(refusal(burning, sitting, replace(see, by="dealer")), II + "7.1")
    carries(refusal(plain, loaded(plain), see), II + "7.1")


def test_6_4_a_second_cutting_card_goes_at_the_back() -> None:
    two = rules(cutting_cards=2)
    assert [each.act for each in loaded(two).shoe[-3:]] == [
        *("insert cutting card", "second cutting card at the back", "load"),
    ]
    assert "second cutting card at the back" not in acts(loaded(rules()).shoe)
    sitting = do(two, BlackjackSitting(), *["!"] * 10)
    assert demand(two, sitting) == Perform("second cutting card at the back", "dealer", II + "6.4")


@pytest.mark.parametrize(
    ("capacity", "decks", "fits"), [(3, 4, False), (4, 4, True), (6, 8, False), (8, 8, True), (9, 8, False)]
)
def test_2_4a_the_shoe_holds_the_decks(capacity: int, decks: int, *, fits: bool) -> None:
    answer = why_no_shoe(rules(decks=decks), str(capacity))
    assert (answer is None) == fits
    if answer:
        carries(answer, II + "2.4a")


# ---------------------------------------------------------------- the cut


@pytest.mark.parametrize(("at", "fits"), [(51, False), (52, True), (260, True), (261, False), ("", False)])
def test_6_3_a_deck_from_either_end(at: int | str, *, fits: bool) -> None:
    six = rules(decks=6)
    answer = why_no_cut(six, at)
    assert (answer is None) == fits
    if answer:
        carries(answer, II + "6.3")
        sitting = do(six, BlackjackSitting(), *["!"] * 8)
        carries(refusal(six, sitting, Performed("cut", "casino employee", at)), II + "6.3")


@pytest.mark.parametrize(("depth", "fits"), [(64, False), (65, True), (78, True), (91, True), (92, False)])
def test_6_4_about_a_deck_and_a_half_from_the_back(depth: int, *, fits: bool) -> None:
    answer = why_no_depth(rules(), depth, directed=False)
    assert (answer is None) == fits
    if answer:
        carries(answer, II + "6.4")
        sitting = do(rules(), BlackjackSitting(), *["!"] * 9)
        carries(refusal(rules(), sitting, Performed("insert cutting card", "dealer", depth)), II + "6.4")


@pytest.mark.parametrize(("depth", "fits"), [(207, True), (208, True), (209, False), (0, True), (-1, False)])
def test_6_5_a_manager_may_direct_another_place_up_to_half_way(depth: int, *, fits: bool) -> None:
    answer = why_no_depth(rules(), depth, directed=True)
    assert (answer is None) == fits
    if answer:
        carries(answer, II + "6.5")


def test_6_5_only_after_an_inspector_was_told() -> None:
    law = rules()
    sitting = do(law, BlackjackSitting(), *["!"] * 9)
    direct, notice = Performed("direct cutting card", "shift manager"), Performed("tell inspector", "casino manager")
    carries(refusal(law, sitting, direct), II + "6.5")
    barred = refusal(law, sitting, replace(notice, by="dealer"))
    carries(barred, II + "6.5")
    assert "casino manager or shift manager or casino supervisor" in barred.reason
    notified = do(law, sitting, notice)
    barred = refusal(law, notified, replace(direct, by="game supervisor"))
    carries(barred, II + "6.5")
    assert "casino manager or shift manager," in barred.reason
    sitting = do(law, notified, direct, Performed("insert cutting card", "dealer", 208))
    assert demand(law, sitting) == Perform("load", "dealer", II + "6.6")
    by_manager = do(law, notified, replace(direct, by="casino manager"))
    carries(refusal(law, by_manager, Performed("insert cutting card", "dealer", 209)), II + "6.5")


def test_6_7a_at_the_start_the_first_to_arrive_cuts() -> None:
    law = rules()
    sitting = do(law, BlackjackSitting(seats=(2, 4, 7), first_box=4), *["!"] * 8)
    assert demand(law, sitting) == Choose("box 4", ("cut", "decline"), II + "6.7a")
    carries(demand(law, sitting), II + "6.7a")
    carries(law.ceremony.offer, II + "6.2")
    carries(refusal(law, sitting, Performed("cut", "box 4", 100)), II + "6.7a")
    accepted = do(law, sitting, "cut")
    assert demand(law, accepted) == Perform("cut", "box 4", II + "6.3")
    carries(refusal(law, sitting, Chosen("cut", by="box 2")), II + "6.7a")


def test_6_8_declined_it_goes_clockwise_and_at_last_to_an_employee() -> None:
    law = rules()
    sitting = do(law, BlackjackSitting(seats=(2, 5, 7), first_box=5), *["!"] * 8)
    asked = []
    while isinstance(wanted := demand(law, sitting), Choose):
        asked.append(wanted)
        sitting = do(law, sitting, "decline")
    assert [each.by for each in asked] == ["box 5", "box 7", "box 2"]
    for each in asked[1:]:
        carries(each, II + "6.8")
    assert demand(law, sitting) == Perform("cut", "casino employee", II + "6.8")
    carries(demand(law, sitting), II + "6.8")


def finished(law: BlackjackRules, cutting_before: int, wagers: str) -> BlackjackSitting:
    """A round with the cutting card before so many cards, played and collected."""
    sitting = at_play(law, wagers)
    for _ in range(40):
        wanted = demand(law, sitting)
        if isinstance(wanted, Perform) and wanted.act == "shuffle":
            break
        if len(sitting.layout.cards) == cutting_before:
            sitting = do(law, sitting, Performed("cutting card"))
        sitting = do(law, sitting, {Deal: "10", Choose: "stand", Perform: "!"}[type(wanted)])
    return sitting


WAGERS = "main 10 by a, main 10 by c box 3, main 10 by f box 6"


def test_6_7b_the_player_on_whose_box_the_cutting_card_appeared() -> None:
    law = rules()
    sitting = finished(law, 1, WAGERS)
    assert sitting.layout.cutting == "box 3"
    assert demand(law, sitting) == Perform("shuffle", "dealer", II + "6.1c")
    sitting = do(law, sitting, "!")
    assert demand(law, sitting) == Choose("c", ("cut", "decline"), II + "6.7b")
    carries(demand(law, sitting), II + "6.7b")
    gone = replace(sitting, seats=(1, 6))
    assert demand(law, gone) == Choose("f", ("cut", "decline"), II + "6.7b")


def test_6_7c_on_the_dealers_hand_the_farthest_to_the_right() -> None:
    law = rules()
    sitting = do(law, finished(law, 3, WAGERS), "!")
    assert sitting.last.cutting == "dealer"
    assert demand(law, sitting) == Choose("f", ("cut", "decline"), II + "6.7c")
    carries(demand(law, sitting), II + "6.7c")


def test_6_7d_new_cards_start_at_the_farthest_left() -> None:
    law = rules()
    sitting = seated(law, loaded(law), bets("main 10 by b box 2, main 10 by e box 5"))
    sitting = do(law, sitting, Performed("replace cards", "shift manager"))
    assert demand(law, sitting) == Perform("advise inspector", "dealer", II + "6.9")
    carries(demand(law, sitting), II + "6.9")
    sitting = do(law, sitting, *["!"] * 9)
    assert demand(law, sitting) == Choose("b", ("cut", "decline"), II + "6.7d")
    carries(demand(law, sitting), II + "6.7d")
    waiting = replace(sitting, seats=(1, 2, 5))
    assert demand(law, waiting) == Choose("box 1", ("cut", "decline"), II + "6.7d")


def test_6_7_otherwise_the_box_due_the_next_card() -> None:
    law = rules()
    sitting = do(law, at_play(law, "main 10 by c box 3, main 10 by f box 6"), Performed("cutting card"))
    assert demand(law, sitting) == Perform("shuffle", "dealer", II + "6.1b")
    sitting = do(law, sitting, "!")
    assert demand(law, sitting) == Choose("c", ("cut", "decline"), II + "6.7")
    carries(demand(law, sitting), II + "6.7")
    assert demand(law, replace(sitting, seats=(1, 3, 6))) == Choose("c", ("cut", "decline"), II + "6.7")
    assert offers(law, Layout(), ()).boxes == ()


def test_6_9_cards_are_replaced_between_rounds_by_a_manager() -> None:
    law = rules()
    sitting = do(law, at_play(law), "10")
    carries(refusal(law, sitting, Performed("replace cards", "casino manager")), II + "6.9")
    barred = refusal(law, loaded(law), Performed("replace cards", "game supervisor"))
    carries(barred, II + "6.9")
    assert "casino manager or shift manager," in barred.reason
    assert do(law, loaded(law), Performed("replace cards", "casino manager")).cause == "new cards"


# ---------------------------------------------------------------- when the cards are shuffled


def test_6_1b_a_cutting_card_drawn_first_shuffles_at_once_and_betting_is_open() -> None:
    law = rules()
    sitting = do(law, at_play(law), Performed("cutting card"))
    assert demand(law, sitting) == Perform("shuffle", "dealer", II + "6.1b")
    carries(demand(law, sitting), II + "6.1b")
    carries(refusal(law, sitting, Performed("collect cards", "dealer")), II + "6.1b")
    card = apply(law, sitting, CardSeen(0))
    assert isinstance(card, Refusal)
    carries(card, II + "6.1b")
    assert why_no_wager(law, do(law, sitting, "!")) is None


def test_6_1c_a_cutting_card_in_the_round_shuffles_after_it() -> None:
    law = rules()
    sitting = do(law, at_play(law), "10", Performed("cutting card"))
    assert demand(law, sitting) == Deal("dealer", II + "7.3b")
    sitting = do(law, sitting, "10", "10", "stand", "10", "!", "!", "!")
    assert demand(law, sitting) == Perform("shuffle", "dealer", II + "6.1c")
    carries(demand(law, sitting), II + "6.1c")
    answer = next_round(law, sitting)
    assert isinstance(answer, Refusal)
    carries(answer, II + "6.1c")
    shuffled = do(law, sitting, "!")
    assert (shuffled.layout.cutting, shuffled.rounds, len(shuffled.shoe)) == ("", (), 1)


def test_6_1c_the_first_of_two_cutting_cards_counts() -> None:
    law = rules(cutting_cards=2)
    sitting = do(law, at_play(law), "10", Performed("cutting card"), "10", Performed("cutting card"))
    assert sitting.layout.cutting == "dealer"


@pytest.mark.parametrize(
    ("circumstance", "act", "rule"),
    [
        ("damaged_card", "replace damaged cards", "15.11"),
        ("missed_reshuffle", "shuffle", "15.12"),
        ("missing_cutting_card", "shuffle", "15.13"),
    ],
)
def test_15_11_to_15_13_are_done_once_the_round_is_over(circumstance: str, act: str, rule: str) -> None:
    law = rules()
    layout = tell(table(), "10 6 9", {"irregular": circumstance}).state
    assert shuffle_due(law, layout) is None
    sitting = do(law, replace(at_play(law), layout=layout), "stand", "10", "10", "!", "!", "!")
    wanted = demand(law, sitting)
    assert isinstance(wanted, Perform)
    assert wanted.act == act
    carries(wanted, II + rule)
    done = do(law, sitting, "!")
    assert done.layout.afterwards == ()
    assert isinstance(demand(law, done), Over if act != "shuffle" else Perform | Choose)
