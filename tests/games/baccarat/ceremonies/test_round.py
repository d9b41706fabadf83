"""A round of baccarat from the call to the settlement: the call, the faces, the announcements, free and void rounds."""

from __future__ import annotations

import pytest

from croupier.equipment import parse_card
from croupier.game import BallFell, Called, CardSeen, Deal, Irregular, Perform, Wager
from croupier.games.baccarat import procedure
from croupier.once import replace
from tests.games.baccarat.ceremonies.test_every import DRAWS, NATURAL, STANDS, Desk, desk, opened, stake
from tests.helpers.observe import carries

# ---------------------------------------------------------------- the call

CALLS = [
    ("nz1996", "mini", "call No more bets", "dealer", "NZ1996-IV-8.2"),
    ("nz1996", "full", "call No more bets", "dealer", "NZ1996-V-8.2"),
    ("nz1996", "midi", "call No more bets", "dealer", "NZ1996-IX-8.2"),
    ("nz1998", "full", "call No more bets", "dealer", "NZ1998-8.2"),
    ("nzd5", "mini", "call No more bets", "dealer", "NZD5-8.2"),
    ("nzeb", "hybrid", "call No more bets", "dealer", "NZD5-8.2"),
    ("nzeb", "terminals", "close betting", "game system", "NZEB-8.1"),
    ("vic2002", "traditional", "call No more bets", "dealer", "VIC2002-8.2.2a"),
]


@pytest.mark.parametrize(("edition", "version", "call", "by", "rule"), CALLS)
def test_no_card_is_dealt_before_betting_is_closed(edition: str, version: str, call: str, by: str, rule: str) -> None:
    table = opened(edition, version)
    table.expects(Perform(call, by, rule))
    carries(table.refuses_card(), rule)
    carries(table.refuses_act("cutting card"), rule)
    carries(table.refuses_act(call, "seat 1"), rule)
    carries(table.refuses(BallFell(17)), rule)
    table.does(call, by)
    table.acts_until("deal player")
    table.deals(STANDS)
    table.ends_round()
    carries(table.refuses_card(), rule)
    table.expects(Perform(call, by, rule))


def test_nzeb_8_1_the_terminals_of_a_hybrid_table_close_with_the_call() -> None:
    table = opened("nzeb", "hybrid")
    table.does("call No more bets", "dealer")
    table.expects(Perform("close betting on terminals", "game system", "NZEB-8.1"))
    carries(table.refuses_card(), "NZEB-8.1")


def test_a_nomination_is_heard_before_the_call_for_a_hand_that_is_backed() -> None:
    table = opened("vic2002")
    banker = Called("nominate", by="seat 1", on="banker")
    carries(table.refuses(banker), "VIC2002-6.5")
    wagers = (Wager("combination_run_2", 10, by="seat 1"), Wager("player", 10, by="seat 1"))
    table.sitting = replace(table.sitting, wagers=wagers)
    carries(table.refuses(banker), "VIC2002-6.5.7")
    table.sitting = replace(table.sitting, wagers=(*wagers, Wager("banker", 10, by="seat 1")))
    table.happens(banker)
    table.closes()
    assert ("seat 1", "banker") in table.sitting.coup.nominated
    carries(table.refuses(Called("nominate", by="seat 1", on="player")), "VIC2002-8.2.2a")


# ---------------------------------------------------------------- styles without a role for players

# Face of the first four, the order in which hands are shown, face of a third card, and who keeps the cards.
SHOWN = [
    ("nz1996", "mini", "up", "NZ1996-IV-8.5", "NZ1996-IV-8.5", "NZ1996-IV-9.6", "NZ1996-IV-3.3"),
    ("nz1996", "mini", "down", "NZ1996-IV-8.6", "NZ1996-IV-8.6", "NZ1996-IV-9.6", "NZ1996-IV-3.3"),
    ("nz1996", "full", "A", "NZ1996-V-8.5", "NZ1996-V-8.6", "NZ1996-V-9.9", "NZ1996-V-8.7"),
    ("nz1996", "full", "C", "NZ1996-V-8.24", "NZ1996-V-8.25", "NZ1996-V-9.9", "NZ1996-V-8.26"),
    ("nz1996", "midi", "A", "NZ1996-IX-8.5", "NZ1996-IX-8.6", "NZ1996-IX-9.9", "NZ1996-IX-8.7"),
    ("nz1996", "midi", "C", "NZ1996-IX-8.24", "NZ1996-IX-8.25", "NZ1996-IX-9.9", "NZ1996-IX-8.26"),
    ("nz1998", "full", "A", "NZ1998-8.5", "NZ1998-8.5", "NZ1998-9.9", "NZ1998-8.6"),
    ("nz1998", "full", "C", "NZ1998-8.17", "NZ1998-8.17", "NZ1998-9.9", "NZ1998-8.18"),
    ("nzd5", "mini", "A", "NZD5-8.6", "NZD5-8.6", "NZD5-9.7", "NZD5-8.7"),
    ("nzd5", "mini", "C", "NZD5-8.19", "NZD5-8.19", "NZD5-9.7", "NZD5-8.20"),
    ("nzeb", "terminals", "A", "NZD5-8.6", "NZD5-8.6", "NZD5-9.7", "NZD5-8.7"),
    ("nzeb", "terminals", "C", "NZD5-8.19", "NZD5-8.19", "NZD5-9.7", "NZD5-8.20"),
]
DOWN = ("down", "C")


@pytest.mark.parametrize(("edition", "version", "style", "face", "shown", "third"), [s[:6] for s in SHOWN])
def test_the_dealer_shows_and_announces_the_player_hand_first(
    edition: str, version: str, style: str, face: str, shown: str, third: str
) -> None:
    table = opened(edition, version, style)
    table.closes()
    for card in DRAWS.split()[:4]:
        lies = procedure.face(table.rules, table.sitting)
        assert lies.value == ("down" if style in DOWN else "up")
        carries(lies, face)
        table.deals(card)
    steps = ["turn player hand", "announce player", "turn banker hand", "announce banker"]
    steps = steps if style in DOWN else steps[1::2]
    for place, act in enumerate(steps):
        table.expects(Perform(act, "dealer", shown))
        for later in steps[place + 1 :]:
            carries(table.refuses_act(later, "dealer"), shown)
        carries(table.refuses_act(act, "seat 1"), shown)
        carries(table.refuses_card(), shown)
        table.does(act, "dealer")
    for to in ("player", "banker"):
        assert isinstance(table.due, Deal)
        assert table.due.to == to
        lies = procedure.face(table.rules, table.sitting)
        assert lies.value == "up"
        carries(lies, third)
        table.deals("2d" if to == "player" else "9h")
    assert table.text.startswith(("announce result", "enter outcome"))


@pytest.mark.parametrize(("edition", "version", "style", "control"), [(*s[:3], s[6]) for s in SHOWN])
def test_the_dealer_keeps_the_cards(edition: str, version: str, style: str, control: str) -> None:
    table = opened(edition, version, style)
    table.closes()
    table.deals(DRAWS[:11])
    assert table.sitting.coup.dealt == 4
    for hand in ("player", "banker"):
        carries(table.refuses_act(f"pass {hand} hand", "dealer"), control)
        carries(table.refuses_act(f"pass {hand} third card", "dealer"), control)


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [
        ("nz1996", "mini", "NZ1996-IV-3.3"),
        ("nz1996", "full", "NZ1996-V-3.3"),
        ("nz1996", "midi", "NZ1996-IX-3.3"),
        ("nz1998", "full", "NZ1998-4.3.s2"),
        ("nzd5", "mini", "NZD5-4.3.s2"),
        ("nzeb", "hybrid", "NZD5-4.3.s2"),
        ("nzeb", "terminals", "NZD5-4.3.s2"),
    ],
)
def test_in_new_zealand_the_dealer_deals_in_every_style(edition: str, version: str, rule: str) -> None:
    for style in opened(edition, version).rules.style.value.permitted:
        table = opened(edition, version, style)
        table.closes()
        carries(table.refuses_act("pass shoe", "dealer", "seat 5"), rule)


@pytest.mark.parametrize(("style", "rule"), [("A", "NZ1998-8.5"), ("C", "NZ1998-8.17")])
def test_a_role_or_an_order_of_another_style_is_refused_with_what_is_due(style: str, rule: str) -> None:
    table = opened("nz1998", "full", style)
    table.closes()
    table.deals(STANDS)
    for act in ("keep cards with dealer", "show banker first", "place banker puck"):
        carries(table.refuses_act(act, "casino supervisor"), rule)


# ---------------------------------------------------------------- the end of a round

ENDINGS = [
    ("nz1996", "mini", "NZ1996-IV-10.1", "NZ1996-IV-10.2", "NZ1996-IV-10.2"),
    ("nz1996", "full", "NZ1996-V-10.1", "NZ1996-V-10.2", "NZ1996-V-10.2"),
    ("nz1996", "midi", "NZ1996-IX-10.1", "NZ1996-IX-10.2", "NZ1996-IX-10.2"),
    ("nz1998", "full", "NZ1998-10.1", "NZ1998-10.2", "NZ1998-10.2"),
    ("nzd5", "mini", "NZD5-10.1", "NZD5-10.2", "NZD5-10.2"),
    ("vic2002", "crown", "VIC2002-8.3.2", "VIC2002-6.7.1", "VIC2002-6.7.2"),
]


@pytest.mark.parametrize(("edition", "version", "announced", "collected", "paid"), ENDINGS)
def test_the_result_is_announced_then_losers_are_collected_then_winners_paid(
    edition: str, version: str, announced: str, collected: str, paid: str
) -> None:
    table = opened(edition, version)
    table.closes()
    table.deals(STANDS)
    table.acts_until("announce result")
    carries(table.refuses_act("pay winning wagers", "dealer"), announced)
    carries(table.refuses_act("collect losing wagers", "dealer"), announced)
    table.does("announce result", "dealer")
    carries(table.refuses_act("pay winning wagers", "dealer"), collected)
    table.does("collect losing wagers", "dealer")
    table.expects(Perform("pay winning wagers", "dealer", paid))
    carries(table.refuses_act(table.rules.ceremony.calls[0].value.act), paid)


def test_nzeb_10_3_the_outcome_is_entered_by_dealer_or_game_supervisor_and_settled_by_the_system() -> None:
    for by in ("dealer", "game supervisor", "game system"):
        table = opened("nzeb", "terminals")
        table.closes()
        table.deals(STANDS)
        table.acts_until("enter outcome")
        carries(table.refuses_act("enter outcome", "seat 1"), "NZEB-10.3a")
        carries(table.refuses_act("enter outcome", "terminal 1"), "NZEB-10.3a")
        carries(table.refuses_act("record outcome", "game system"), "NZEB-10.3a")
        table.does("enter outcome", by, table.detail_of("enter outcome"))
        for act, rule in (
            ("record outcome", "NZEB-10.3b.i"),
            ("show outcome on terminals", "NZEB-10.3b.ii"),
            ("show winnings and balances", "NZEB-10.3b.iii"),
        ):
            table.expects(Perform(act, "game system", rule))
            carries(table.refuses_act(act, "dealer"), rule)
            table.does(act, "game system")
        assert table.text == "close betting by game system"


def test_nzeb_10_1_and_10_2_a_hybrid_table_settles_the_layout_and_the_terminals() -> None:
    table = opened("nzeb", "hybrid")
    table.closes()
    table.deals(STANDS)
    table.acts_until("announce result")
    carries(table.due, "NZEB-10.1")
    table.next()
    carries(table.due, "NZEB-10.3a")
    table.acts_until("collect losing wagers")
    carries(table.due, "NZEB-10.2")
    table.next()
    carries(table.due, "NZEB-10.2")


def test_nzd5_11a_6_perfect_pairs_are_settled_before_third_cards_if_anybody_backed_them() -> None:
    for wagers, due in (
        ((stake("player", 100, 1), stake("perfect_pairs", 10, 1)), "settle Perfect Pairs by dealer"),
        ((stake("player", 100, 1),), "deal player"),
    ):
        table = opened("nzd5", "mini", "C")
        table.bets(*wagers)
        table.closes()
        table.deals(DRAWS[:11])
        table.acts_until("announce banker")
        table.next()
        assert table.text == due
    pairs = opened("nzd5", "mini", "C")
    pairs.bets(stake("player", 100, 1), stake("perfect_pairs", 10, 1))
    pairs.closes()
    pairs.deals(DRAWS[:11])
    pairs.acts_until("settle Perfect Pairs")
    carries(pairs.due, "NZD5-11A.6")
    carries(pairs.refuses_card(), "NZD5-11A.6")


# ---------------------------------------------------------------- rounds without wagers


def without_wagers(edition: str = "nzd5", version: str = "mini") -> Desk:
    table = opened(edition, version)
    table.bets()
    return table


DIVISION_5 = pytest.mark.parametrize(("edition", "version"), [("nzd5", "mini"), ("nzeb", "hybrid")])


@DIVISION_5
def test_nzd5_8_3_up_to_three_rounds_are_dealt_without_wagers_when_a_patron_asks(edition: str, version: str) -> None:
    table = without_wagers(edition, version)
    carries(table.refuses_act("call No more bets", "dealer"), "NZD5-8.3.s1")
    carries(table.refuses_act("ask for free rounds", "dealer"), "NZD5-8.3.s1")
    table.does("ask for free rounds", "seat 1")
    for free_left in (2, 1, 0):
        table.plays(STANDS)
        assert table.sitting.free == free_left
    carries(table.refuses_act("call No more bets", "dealer"), "NZD5-8.3.s1")
    carries(table.refuses_act("ask for free rounds", "seat 1"), "NZD5-8.3.s1")


def test_nzd5_8_3_a_round_with_a_wager_lets_players_ask_again() -> None:
    table = without_wagers()
    table.does("ask for free rounds", "seat 1")
    for _ in range(3):
        table.plays(STANDS)
    table.bets(stake("tie", 10, 1))
    table.plays(STANDS)
    table.bets()
    carries(table.refuses_act("call No more bets", "dealer"), "NZD5-8.3.s1")
    table.does("ask for free rounds", "standing 1")
    table.plays(STANDS)
    assert table.sitting.free == 2


@DIVISION_5
def test_nzd5_8_3_the_request_is_for_a_table_without_wagers_and_between_rounds(edition: str, version: str) -> None:
    table = opened(edition, version)
    carries(table.refuses_act("ask for free rounds", "seat 1"), "NZD5-8.3.s1")
    table.closes()
    table.bets()
    carries(table.refuses_act("ask for free rounds", "seat 1"), "NZD5-8.3.s1")


def test_nzd5_8_3_s2_anybody_may_bet_on_a_round_that_was_asked_for() -> None:
    table = without_wagers()
    table.does("ask for free rounds", "seat 1")
    table.plays(STANDS)
    table.bets(stake("player", 100, 5))
    table.closes()
    table.deals(NATURAL)
    table.acts_until("collect losing wagers")
    carries(table.due, "NZD5-10.2")
    assert table.sitting.free is None


def test_nothing_is_collected_where_nothing_was_staked_even_if_wagers_follow() -> None:
    table = without_wagers()
    table.does("ask for free rounds", "seat 1")
    table.closes()
    table.deals(STANDS)
    table.acts_until("announce result")
    table.next()
    table.bets(stake("banker", 100, 1))
    assert table.text == "call No more bets by dealer"


def test_new_cards_do_not_begin_a_new_series_of_free_rounds() -> None:
    table = without_wagers()
    table.does("ask for free rounds", "seat 1")
    for _ in range(3):
        table.plays(STANDS)
    table.does("replace cards", "operator")
    table.opens()
    carries(table.refuses_act("call No more bets", "dealer"), "NZD5-8.3.s1")


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [("nz1996", "mini", "NZ1996-IV-8.2"), ("nz1998", "full", "NZ1998-8.2"), ("nzeb", "terminals", "NZEB-8.1")],
)
def test_other_documents_say_nothing_about_free_rounds(edition: str, version: str, rule: str) -> None:
    table = without_wagers(edition, version)
    carries(table.refuses_act("ask for free rounds", "seat 1"), rule)
    table.plays(STANDS)


# ---------------------------------------------------------------- void hands and irregular rounds


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [
        ("nz1996", "mini", "NZ1996-IV-11.3"),
        ("nz1996", "full", "NZ1996-V-12.3"),
        ("nz1996", "midi", "NZ1996-IX-12.3"),
        ("nz1998", "full", "NZ1998-12.2b"),
        ("nzd5", "mini", "NZD5-12.2b"),
    ],
)
def test_a_seen_excess_card_starts_a_void_hand_with_its_own_call(edition: str, version: str, rule: str) -> None:
    table = opened(edition, version)
    table.closes()
    table.deals(NATURAL)
    table.acts_until("announce result")
    table.happens(Irregular("excess_card", parse_card("8h"), disclosed=True))
    table.ends_round()
    table.expects(Perform("call No bets this hand", "dealer", rule))
    carries(table.refuses_act("call No more bets", "dealer"), rule)
    table.next()
    assert (table.sitting.coup.hand, table.sitting.coup.player) == ("void", (parse_card("8h"),))
    table.acts_until("deal banker")
    table.deals("2d Kc 5s")
    table.ends_round()
    assert table.text == "call No more bets by dealer"


def test_an_unseen_excess_card_is_the_first_of_the_next_round_and_wagers_count_in_it() -> None:
    table = opened("nz1998")
    table.closes()
    table.deals(NATURAL)
    table.happens(Irregular("excess_card", parse_card("8h")))
    table.ends_round()
    table.does("call No more bets", "dealer")
    assert (table.sitting.coup.hand, table.sitting.coup.player) == ("normal", (parse_card("8h"),))
    assert table.text == "deal banker"


def test_nothing_goes_wrong_in_a_round_before_there_is_one() -> None:
    table = opened("nz1998")
    for circumstance in ("insufficient_cards", "wrong_third_card", "out_of_sequence"):
        carries(table.refuses(Irregular(circumstance, parse_card("8h"), call="void")), "NZ1998-8.2")
    table.closes()
    table.happens(Irregular("insufficient_cards"))


@pytest.mark.parametrize("circumstance", ["excess_card", "face_up_card"])
def test_a_card_that_shows_itself_before_the_call_is_the_first_of_the_round_to_come(circumstance: str) -> None:
    table = opened("nz1998")
    table.happens(Irregular(circumstance, parse_card("8h"), disclosed=True))
    assert table.text == "deal banker"
    assert table.sitting.coup.hand == "void"
    table.deals("Kd Kc 7s")


def test_a_second_one_drawn_before_the_call_is_the_second_of_the_round_to_come() -> None:
    table = opened("nz1998")
    table.happens(Irregular("excess_card", parse_card("8h")))
    table.happens(Irregular("excess_card", parse_card("9h"), disclosed=True))
    assert table.text == "deal player"
    assert table.sitting.coup.hand == "void"


@pytest.mark.parametrize(("before", "circumstance"), [(2, "excess_card"), (1, "face_up_card")])
def test_no_more_of_them_are_declared_before_the_call(before: int, circumstance: str) -> None:
    table = opened("nz1998")
    for card in ("8h", "7h")[:before]:
        table.happens(Irregular("excess_card", parse_card(card)))
    carries(table.refuses(Irregular(circumstance, parse_card("9h"), disclosed=True)), "NZ1998-8.2")


def test_a_forgotten_burn_is_declared_and_play_goes_on() -> None:
    for edition, version in (("nz1998", "full"), ("vic2002", "crown")):
        table = desk(edition, version)
        table.acts_until("burn ")
        table.refuses_act("call No more bets", "dealer")
        table.happens(Irregular("burn_forgotten"))
        assert table.text == ("call No more bets by dealer" if edition == "nz1998" else "call for bets by dealer")


def test_vic2002_11_1_1_only_the_first_coup_is_begun_again_for_the_burn() -> None:
    table = desk("vic2002")
    table.acts_until("burn ")
    table.happens(Irregular("burn_forgotten"))
    table.opens()
    table.closes()
    table.deals("2h 3d")
    table.happens(Irregular("burn_forgotten", call="restart"))
    assert table.text == "burn one face down by dealer"
    later = desk("vic2002")
    later.acts_until("burn ")
    later.happens(Irregular("burn_forgotten"))
    later.opens()
    later.plays(STANDS)
    later.closes()
    later.happens(CardSeen(3))
    later.happens(Irregular("burn_forgotten", call="restart"))
    assert later.text == "deal banker"
