"""The acts of staff: opening, shuffle and cut, calls, folds, the showdown, the jackpot, and orders."""

from __future__ import annotations

import pytest

from croupier.equipment import parse_card
from croupier.game import CardSeen, Choose, Chosen, Deal, Fact, Irregular, Perform, Performed, Refusal
from croupier.games.caribbean_stud import CARIBBEAN_STUD, play
from croupier.games.caribbean_stud.play import StudBox, StudLayout
from croupier.games.caribbean_stud.procedure import (
    StudSitting,
    agenda,
    apply,
    decks_at_table,
    demand,
    wagers_closed,
)
from croupier.games.caribbean_stud.rules import StudRules
from croupier.once import replace
from tests.games.caribbean_stud.test_bets import HANDS, LOW_DEALER
from tests.games.caribbean_stud.test_hands import hand
from tests.games.caribbean_stud.test_play import PAIR, QUEEN_HIGH, R, ante, jackpot, packets, refused, stud
from tests.helpers.observe import carries
from tests.helpers.rulings import effect_of

Line = tuple[str, str, str]
FLUSH = HANDS["flush"][0]


def done(result: StudSitting | Refusal) -> StudSitting:
    assert not isinstance(result, Refusal), result
    return result


def run(rules: StudRules, sitting: StudSitting) -> tuple[StudSitting, list[Line]]:
    """Does every act that is due until play, or the next round, is: the sitting and the acts with doer and rule."""
    acts: list[Line] = []
    while isinstance(asked := demand(rules, sitting), Perform) and not (acts and asked.act == "shuffle the cards"):
        acts.append((asked.act, asked.by, asked.rule.removeprefix(R)))
        sitting = done(apply(rules, sitting, Performed(asked.act, asked.by)))
    return sitting, acts


def opened(rules: StudRules) -> tuple[StudSitting, list[Line]]:
    """A table opened and ready for its first round, and the acts that opened it."""
    sitting, acts = StudSitting(), []
    while isinstance(asked := demand(rules, sitting), Perform) and asked.act != "shuffle the cards":
        acts.append((asked.act, asked.by, asked.rule.removeprefix(R)))
        sitting = done(apply(rules, sitting, Performed(asked.act, asked.by)))
    return sitting, acts


def seated(rules: StudRules, *boxes: int, entered: tuple[int, ...] = ()) -> StudSitting:
    """An opened table with antes on these boxes and jackpot wagers on some of them."""
    wagers = (*(ante(box=box) for box in boxes), *(jackpot(box=box) for box in entered))
    sitting, _ = opened(rules)
    return replace(sitting, layout=play.seat(rules, sitting.layout, wagers))


def facts(rules: StudRules, sitting: StudSitting, *more: Fact) -> StudSitting:
    for fact in more:
        layout = sitting.layout
        sitting = done(apply(rules, sitting, effect_of(CARIBBEAN_STUD.rule_on, rules, layout, fact)))
    return sitting


def dealt(rules: StudRules, sitting: StudSitting, cards: str) -> StudSitting:
    """The sitting after the acts before the deal, and these cards."""
    sitting, _ = run(rules, sitting)
    return facts(rules, sitting, *(CardSeen(parse_card(card)) for card in cards.split()))


def ready(rules: StudRules, cards: str, *boxes: int, entered: tuple[int, ...] = ()) -> StudSitting:
    """Dealt, with the rest of the deck put away: the players choose."""
    sitting, _ = run(rules, dealt(rules, seated(rules, *boxes, entered=entered), cards))
    return sitting


def written(lines: list[Line]) -> str:
    return "\n".join(f"{rule}: {act} ({by})" for act, by, rule in lines)


def check(lines: list[Line], wanted: str) -> None:
    """Compares acts with a list of them, and notes their rules."""
    assert written(lines) == "\n".join(line.strip() for line in wanted.strip().splitlines())


# ---------------------------------------------------------------- opening


def test_opening_with_a_shoe() -> None:
    rules = stud(jackpot_mode="manual")
    assert decks_at_table(rules).value == 1
    carries(decks_at_table(rules), R + "2.5a-i")
    check(
        opened(rules)[1],
        """
        5.1: sort and inspect deck 1 (dealer)
        5.1: sort and inspect deck 1 again (game supervisor)
        5.2: fan the cards face up by suit (dealer)
        5.3: turn down, stack and shuffle the cards (dealer)
        """,
    )


def test_opening_with_a_shuffler_and_an_electronic_jackpot() -> None:
    rules = packets()
    assert decks_at_table(rules).value == 2
    carries(decks_at_table(rules), R + "2.5a-ii")
    check(
        opened(rules)[1],
        """
        5.1: sort and inspect deck 1 (dealer)
        5.1: sort and inspect deck 2 (dealer)
        5.1: sort and inspect deck 1 again (game supervisor)
        5.1: sort and inspect deck 2 again (game supervisor)
        5.2: fan the cards face up by suit (dealer)
        5.4a: wash, stack and shuffle deck 1 (dealer)
        5.4a: wash, stack and shuffle deck 2 (dealer)
        5.4b: load deck 1 for the machine to shuffle (dealer)
        5.4b: load deck 2 for the machine to shuffle (dealer)
        2.4: link the meter and the lights (dealer)
        """,
    )


def test_acts_out_of_order_or_by_another_are_refused() -> None:
    rules, sitting = stud(), StudSitting()
    carries(refused(apply(rules, sitting, Performed("shuffle the cards"))), R + "5.1")
    carries(refused(apply(rules, sitting, Performed("sort and inspect deck 1", "game supervisor"))), R + "5.1")
    carries(refused(apply(rules, sitting, CardSeen(1))), R + "5.1")
    sitting = facts(rules, sitting, Performed("sort and inspect deck 1"), Performed("sort and inspect deck 1 again"))
    carries(refused(apply(rules, sitting, Performed("turn down, stack and shuffle the cards"))), R + "5.2")


def test_an_electronic_jackpot_needs_its_meter_before_the_first_round() -> None:
    rules = stud()
    sitting = StudSitting()
    for act, by, _ in opened(rules)[1][:-1]:
        sitting = done(apply(rules, sitting, Performed(act, by)))
    carries(refused(apply(rules, sitting, Performed("shuffle the cards"))), R + "2.4")


# ---------------------------------------------------------------- before the deal


def test_before_the_deal_with_a_shoe() -> None:
    rules = stud()
    sitting, lines = run(rules, seated(rules, 1))
    check(
        lines,
        """
        6.1a: shuffle the cards (dealer)
        6.2: cut the cards once (casino employee)
        6.2: set the cards on the cutting card and load the shoe (casino employee)
        4.1b: offer the jackpot (dealer)
        7.1a: call No more bets (dealer)
        """,
    )
    assert demand(rules, sitting) == Deal("box 1", R + "7.3a")


def test_before_the_deal_with_a_shuffler_and_no_jackpot() -> None:
    rules = packets(jackpot=False)
    _, lines = run(rules, seated(rules, 1))
    check(
        lines,
        """
        6.1a: shuffle the cards (dealer)
        7.1a: call No more bets (dealer)
        """,
    )


def test_cards_wait_for_the_shuffle_and_the_call() -> None:
    rules = stud()
    sitting = seated(rules, 1)
    carries(refused(apply(rules, sitting, CardSeen(1))), R + "6.1a")
    while isinstance(asked := demand(rules, sitting), Perform):
        carries(refused(apply(rules, sitting, CardSeen(1))), asked.rule)
        sitting = facts(rules, sitting, Performed(asked.act))
    assert asked == Deal("box 1", R + "7.3a")
    facts(rules, sitting, CardSeen(1))


def test_wagers_are_closed_by_the_call() -> None:
    rules = stud()
    sitting = seated(rules, 1)
    assert wagers_closed(rules, sitting) is None
    sitting, _ = run(rules, sitting)
    closed = wagers_closed(rules, sitting)
    assert closed is not None
    assert closed.reason == "no wager after the call of 'No more bets'"
    carries(closed, R + "7.1a")


def test_players_never_cut_and_nobody_cuts_twice() -> None:
    rules = stud()
    sitting = facts(rules, seated(rules, 1), Performed("shuffle the cards"))
    for by in ("seat 1", "player of box 1", "box 1"):
        refusal = refused(apply(rules, sitting, Performed("cut the cards once", by)))
        assert refusal.whole == f"cut the cards once: never by a player ({by})"
        carries(refusal, R + "6.3")
    carries(refused(apply(rules, sitting, Performed("cut the cards once", "dealer"))), R + "6.2")
    sitting = facts(rules, sitting, Performed("cut the cards once", "casino employee"))
    carries(refused(apply(rules, sitting, Performed("cut the cards once", "casino employee"))), R + "6.2")


def test_the_cards_are_shuffled_after_every_round() -> None:
    rules = packets()
    sitting = ready(rules, f"{PAIR} {LOW_DEALER}", 1)
    sitting, _ = run(rules, facts(rules, sitting, Chosen("fold")))
    assert demand(rules, sitting) == Perform("shuffle the cards", "dealer", R + "6.1b")
    carries(refused(apply(rules, sitting, CardSeen(1))), R + "6.1b")
    sitting = facts(rules, sitting, Performed("shuffle the cards"))
    assert sitting.layout == StudLayout()


def test_the_cards_are_shuffled_after_a_vacancy() -> None:
    rules = packets()
    sitting, _ = run(rules, seated(rules, 1))
    assert isinstance(demand(rules, sitting), Deal)
    sitting = facts(rules, sitting, Performed("leave the table vacant", "dealer"))
    carries(demand(rules, sitting), R + "6.1c")
    sitting = dealt(rules, seated(rules, 1), "2c")
    carries(refused(apply(rules, sitting, Performed("leave the table vacant", "dealer"))), R + "6.1c")
    carries(refused(apply(rules, sitting, Performed("leave the table vacant", "seat 1"))), R + "6.1c")


# ---------------------------------------------------------------- after the deal


def test_after_the_deal_with_a_shuffler() -> None:
    rules = packets()
    sitting, lines = run(rules, dealt(rules, seated(rules, 1), f"{PAIR} {LOW_DEALER}"))
    check(
        lines,
        """
        7.4-tail: turn up the bottom card (dealer)
        4.4: put the rest of the deck in the discard rack (dealer)
        """,
    )
    assert isinstance(demand(rules, sitting), Choose)


def test_no_bottom_card_is_turned_where_one_lies_face_up_in_error() -> None:
    rules = packets()
    sitting = dealt(rules, seated(rules, 1), f"{PAIR} As Kc Jd 3s")
    sitting = facts(rules, sitting, Irregular("exposed_card", card=parse_card("2d")))
    _, lines = run(rules, sitting)
    assert [rule for _, _, rule in lines] == ["4.4"]


def test_choices_wait_until_the_deck_is_put_away() -> None:
    rules = stud(jackpot=False)
    sitting = dealt(rules, seated(rules, 1), "2c 3c 4c 5c 6c 7c 8c 9c 10c Jc")
    carries(refused(apply(rules, sitting, Chosen("bet"))), R + "4.4")
    carries(refused(apply(rules, sitting, Chosen("face_down"))), R + "4.4")
    sitting, lines = run(rules, sitting)
    assert [rule for _, _, rule in lines] == ["4.4"]
    assert facts(rules, sitting, Chosen("bet")).layout.boxes[0].bet


# ---------------------------------------------------------------- folds


def test_a_fold_with_a_jackpot_chip_on_the_layout() -> None:
    rules = packets(jackpot_mode="manual")
    sitting = ready(rules, f"{PAIR} {LOW_DEALER}", 1, entered=(1,))
    _, lines = run(rules, facts(rules, sitting, Chosen("fold")))
    check(
        lines,
        """
        8.2a: collect the jackpot wager of box 1 (dealer)
        8.2b: collect the ante of box 1 (dealer)
        8.2c: collect the cards of box 1 (dealer)
        8.2d: spread the cards of box 1 face down (dealer)
        8.2e: count the cards of box 1 (dealer)
        8.2f: discard the cards of box 1 (dealer)
        """,
    )


@pytest.mark.parametrize(("mode", "entered"), [("electronic", (1,)), ("manual", ())])
def test_a_fold_without_a_chip_to_collect(mode: str, entered: tuple[int, ...]) -> None:
    rules = packets(jackpot_mode=mode)
    sitting = ready(rules, f"{PAIR} {LOW_DEALER}", 1, entered=entered)
    _, lines = run(rules, facts(rules, sitting, Chosen("fold")))
    assert [rule for _, _, rule in lines] == ["8.2b", "8.2c", "8.2d", "8.2e", "8.2f"]


def test_the_acts_of_a_fold_keep_their_order() -> None:
    rules = packets()
    sitting = facts(rules, ready(rules, f"{PAIR} {LOW_DEALER}", 1), Chosen("fold"))
    carries(refused(apply(rules, sitting, Performed("discard the cards of box 1"))), R + "8.2b")
    for act in ("collect the ante of box 1", "collect the cards of box 1", "spread the cards of box 1 face down"):
        sitting = facts(rules, sitting, Performed(act))
    carries(refused(apply(rules, sitting, Performed("discard the cards of box 1"))), R + "8.2e")


@pytest.mark.parametrize("count", [4, 5, 6])
def test_a_folded_hand_that_does_not_count_five_is_a_misdeal(count: int) -> None:
    rules = packets()
    sitting = facts(rules, ready(rules, f"{PAIR} {FLUSH} {LOW_DEALER}".replace("9h", "9s"), 1, 2), Chosen("fold"))
    for act in ("collect the ante of box 1", "collect the cards of box 1", "spread the cards of box 1 face down"):
        sitting = facts(rules, sitting, Performed(act))
    after = apply(rules, sitting, Performed("count the cards of box 1", "dealer", count))
    if count == 5:
        carries(demand(rules, done(after)), R + "8.2f")
    else:
        assert refused(after).whole == f"count the cards of box 1: {count}, not 5; declare a wrong count"
        carries(refused(after), R + "14.3")


def test_others_may_choose_while_the_dealer_clears_a_fold() -> None:
    rules = packets()
    sitting = ready(rules, f"{PAIR} {FLUSH} {LOW_DEALER}".replace("9h", "9s"), 1, 2)
    sitting = facts(rules, sitting, Chosen("fold", box=2), Performed("collect the ante of box 2"), Chosen("bet", box=1))
    _, lines = run(rules, sitting)
    assert [act for act, _, _ in lines][:2] == ["collect the cards of box 2", "spread the cards of box 2 face down"]


def test_a_dead_hand_and_a_misdeal_are_cleared() -> None:
    rules = packets()
    sitting = ready(rules, f"{PAIR} {FLUSH} {LOW_DEALER}".replace("9h", "9s"), 1, 2)
    dead = facts(rules, sitting, Irregular("dead_hand", to="box 1", call="dead"))
    check(run(rules, dead)[1], "14.1: collect the wagers and the cards of box 1 (dealer)")
    void = facts(rules, sitting, Irregular("wrong_count", to="box 1", call="4"))
    after, lines = run(rules, void)
    check(lines, "14.10: return antes and bets, keep jackpot wagers, collect the cards (dealer)")
    assert demand(rules, after) == Perform("shuffle the cards", "dealer", R + "6.1b")


def test_after_stray_cards_the_deck_is_shuffled_and_cut_again() -> None:
    rules = stud()
    sitting = dealt(rules, seated(rules, 1), "2c")
    sitting = facts(rules, sitting, Irregular("stray_cards", to="box 4", call="1"))
    sitting = facts(rules, sitting, Performed("count the deck that was collected", "dealer", 52))
    sitting, lines = run(rules, sitting)
    assert [rule for _, _, rule in lines] == ["14.7", "6.2", "6.2"]
    assert demand(rules, sitting) == Deal("box 1", R + "7.3a")


# ---------------------------------------------------------------- orders


MANAGERS = ("casino manager", "shift manager")
OTHERS = ("game supervisor", "dealer", "seat 1", "")


@pytest.mark.parametrize(
    ("act", "rule", "by"),
    [
        ("check the deck", "6.4", (*MANAGERS, "inspector")),
        ("notify the inspector of new cards", "6.5", MANAGERS),
        ("speak English only", "14.2a", MANAGERS),
        ("be silent while a hand is in progress", "14.2b", MANAGERS),
        ("keep suspected players apart", "14.2c", MANAGERS),
    ],
)
def test_who_may_give_an_order(act: str, rule: str, by: tuple[str, ...]) -> None:
    rules = packets()
    sitting = dealt(rules, seated(rules, 1), "2c")
    for who in by:
        assert facts(rules, sitting, Performed(act, who)).standing == (Performed(act, who),)
    for who in (*OTHERS, *(each for each in ("inspector",) if each not in by)):
        refusal = refused(apply(rules, sitting, Performed(act, who)))
        names = " or ".join(by)
        assert refusal.whole == (f"{act}: for {names}, not for {who}" if who else f"{act}: say who orders it, {names}")
        carries(refusal, R + rule)


@pytest.mark.parametrize("count", [51, 52, 53])
def test_a_deck_check_records_the_count(count: int) -> None:
    rules = packets()
    sitting = ready(rules, f"{PAIR} {LOW_DEALER}", 1)
    after = apply(rules, sitting, Performed("check the deck", "shift manager", count))
    if count == 52:
        assert done(after).standing[0].detail == 52
    else:
        carries(refused(after), R + "14.9")


def test_cards_are_replaced_between_rounds_and_the_inspector_is_told() -> None:
    rules = packets()
    new = Performed("replace the cards", "shift manager")
    notice = Performed("notify the inspector of new cards", "shift manager")
    sitting = seated(rules, 1)
    carries(refused(apply(rules, sitting, new)), R + "6.5")
    sitting = facts(rules, sitting, notice)
    refusal = refused(apply(rules, sitting, replace(new, by="dealer")))
    assert refusal.whole == "replace the cards: for casino manager or shift manager, not for dealer"
    carries(refusal, R + "6.5")
    playing = dealt(rules, sitting, "2c")
    carries(refused(apply(rules, playing, new)), R + "6.5")
    after = facts(rules, sitting, new)
    carries(demand(rules, after), R + "5.1")
    carries(refused(apply(rules, after, new)), R + "6.5")


def test_directions_outlast_the_round() -> None:
    rules = packets()
    sitting = facts(rules, ready(rules, f"{PAIR} {LOW_DEALER}", 1), Performed("speak English only", "shift manager"))
    sitting, _ = run(rules, facts(rules, sitting, Chosen("fold")))
    sitting = facts(rules, sitting, Performed("shuffle the cards"))
    assert sitting.standing == (Performed("speak English only", "shift manager"),)


def test_a_position_needs_no_history() -> None:
    box = StudBox(1, cards=hand(PAIR), bet=True)
    layout = StudLayout((box,), dealer=hand(QUEEN_HIGH))
    assert [name for name, _ in agenda(packets(), layout)] == [
        *("before the deal", "after the deal", "reveal", "no hand", "unqualified"),
    ]
