"""Style B in New Zealand: who is offered a hand, how it goes out and comes back, and what becomes of third cards."""

from __future__ import annotations

import pytest

from croupier.game import Choose, Chosen, Deal, Perform, Wager
from croupier.games.baccarat import procedure
from croupier.law.model import present
from tests.games.baccarat.ceremonies.test_every import DRAWS, STANDS, Desk, opened, stake
from tests.helpers.observe import carries

# Documents with Style B, and the numbers of what happens in it.
B = [
    ("nz1996", "full", "NZ1996-V-", "8.10 8.14 8.11 8.15 8.16 8.18 8.19 8.20 8.21 8.22 8.23 9.10"),
    ("nz1996", "midi", "NZ1996-IX-", "8.10 8.14 8.11 8.15 8.16 8.18 8.19 8.20 8.21 8.22 8.23 9.10"),
    ("nz1998", "full", "NZ1998-", "8.8 8.9 8.10c 8.10c 8.12 8.13 8.13 8.14 8.14 8.15 8.16 9.10"),
    ("nzd5", "mini", "NZD5-", "8.9 8.10 8.11c 8.11c 8.13 8.14 8.14 8.15 8.15 8.16 8.18 9.8"),
    ("nzd5", "midi", "NZD5-", "8.9 8.10 8.11c 8.11c 8.13 8.14 8.14 8.15 8.15 8.16 8.18 9.8"),
    ("nzd5", "full", "NZD5-", "8.9 8.10 8.11c 8.11c 8.13 8.14 8.14 8.15 8.15 8.16 8.18 9.8"),
    ("nzeb", "hybrid", "NZD5-", "8.9 8.10 8.11c 8.11c 8.13 8.14 8.14 8.15 8.15 8.16 8.18 9.8"),
]
NAMES = (
    "bank",
    "hand",
    "bank_puck",
    "hand_puck",
    "passed",
    "revealed",
    "returned",
    "bank_passed",
    "bank_back",
    "apart",
)
STYLE_B = [
    (edition, version, dict(zip((*NAMES, "kept", "third"), (prefix + i for i in ids.split()), strict=True)))
    for edition, version, prefix, ids in B
]
EVERYWHERE = pytest.mark.parametrize(("edition", "version", "at"), STYLE_B)
BACKED = (stake("banker", 300, 5), stake("player", 100, 2))


def betting(edition: str, version: str, *wagers: Wager) -> Desk:
    """A Style B table with these wagers, just closed."""
    table = opened(edition, version, "B")
    table.bets(*wagers)
    table.does("call No more bets", "dealer")
    if table.text.startswith("close betting"):
        table.next()
    return table


def accepting(edition: str, version: str, *, cards: str = STANDS) -> Desk:
    """Seat 5 has the Bank and seat 2 the Player's Hand; four cards are down and nothing is shown."""
    table = betting(edition, version, *BACKED)
    for card in cards.split()[:4]:
        accept_all(table)
        table.deals(card)
    accept_all(table)
    return table


def accept_all(table: Desk) -> None:
    """Accept each offer, and place the pucks."""
    while isinstance(table.due, Choose) or "puck" in table.text:
        if isinstance(table.due, Choose):
            table.chooses(table.due.options[0], table.due.by)
        else:
            table.next()


def offered(table: Desk, role: str) -> list[str]:
    """Everybody who is offered a role when all decline."""
    asked = []
    while True:
        match table.due:
            case Choose(by=by, options=(yes, no)):
                if yes == f"accept {role}":
                    asked.append(by)
                table.chooses(no, by)
            case Deal():
                table.deals(STANDS.split()[table.sitting.coup.dealt])
            case _:
                return asked


# ---------------------------------------------------------------- offers


@EVERYWHERE
def test_the_bank_is_offered_by_highest_wager_equals_by_lowest_seat_then_the_next_highest(
    edition: str, version: str, at: dict[str, str]
) -> None:
    wagers = (
        stake("banker", 100, 2),
        stake("banker", 300, 7),
        stake("banker", 300, 5),
        stake("banker", 50, 1),
        stake("banker", 900, "standing 1"),
        stake("tie", 5000, 1),
        stake("player", 2000, 2),
    )
    table = betting(edition, version, *wagers)
    for seat in ("seat 5", "seat 7", "seat 2", "seat 1"):
        table.expects(Choose(seat, ("accept banker", "decline banker"), at["bank"]))
        carries(table.refuses(Chosen("accept banker", "standing 1")), at["bank"])
        carries(table.refuses_card(), at["bank"])
        table.chooses("decline banker", seat)
    assert not table.text.startswith("choose seat 1: accept banker")


@EVERYWHERE
def test_the_player_hand_is_offered_in_the_same_way(edition: str, version: str, at: dict[str, str]) -> None:
    wagers = (stake("player", 50, 1), stake("player", 50, 7), stake("player", 20, 5), stake("banker", 500, 2))
    assert offered(betting(edition, version, *wagers), "player") == ["seat 1", "seat 7", "seat 5"]
    table = betting(edition, version, *wagers)
    table.chooses("decline banker", "seat 2")
    if isinstance(table.due, Deal):
        table.deals(STANDS)
    for seat in ("seat 1", "seat 7", "seat 5"):
        table.expects(Choose(seat, ("accept player", "decline player"), at["hand"]))
        table.chooses("decline player", seat)


@EVERYWHERE
def test_wagers_of_one_player_on_a_hand_count_together(edition: str, version: str, at: dict[str, str]) -> None:
    table = betting(
        edition,
        version,
        stake("banker", 200, 2),
        stake("banker", 150, 5),
        stake("banker", 100, 5),
        stake("tie", 900, 1),
    )
    carries(table.due, at["bank"])
    assert offered(table, "banker") == ["seat 5", "seat 2"]


@EVERYWHERE
def test_whoever_accepts_ends_the_offers_and_gets_the_puck(edition: str, version: str, at: dict[str, str]) -> None:
    table = betting(edition, version, *BACKED, stake("banker", 300, 7))
    table.chooses("accept banker", "seat 5")
    table.expects(Perform("place banker puck", "dealer", at["bank_puck"]))
    table.next()
    if isinstance(table.due, Deal):
        table.deals(STANDS)
    table.expects(Choose("seat 2", ("accept player", "decline player"), at["hand"]))
    table.chooses("accept player", "seat 2")
    table.expects(Perform("place player puck", "dealer", at["hand_puck"]))
    assert procedure.handler(table.rules, table.sitting, "banker") == "seat 5"
    assert procedure.handler(table.rules, table.sitting, "player") == "seat 2"


@pytest.mark.parametrize(
    ("edition", "version", "player_after_deal"),
    [("nz1996", "full", True), ("nz1996", "midi", True), ("nz1998", "full", False), ("nzd5", "full", False)],
)
def test_the_player_is_found_after_the_deal_in_1996_and_before_it_later(
    edition: str, version: str, *, player_after_deal: bool
) -> None:
    table = betting(edition, version, *BACKED)
    table.chooses("decline banker", "seat 5")
    assert isinstance(table.due, Deal) == player_after_deal


@EVERYWHERE
def test_nobody_accepts_or_nobody_bet_and_the_dealer_turns_the_hand(
    edition: str, version: str, at: dict[str, str]
) -> None:
    table = betting(edition, version, stake("banker", 300, 5))
    assert offered(table, "player") == []
    table.expects(Perform("turn player hand", "dealer", at["kept"]))
    table.acts_until("turn banker hand")
    table.expects(Perform("turn banker hand", "dealer", at["kept"]))
    carries(table.refuses_act("pass banker hand", "dealer"), at["kept"])


# ---------------------------------------------------------------- the hands go out and come back


@EVERYWHERE
def test_each_hand_is_dealt_down_passed_shown_announced_and_brought_back_the_player_hand_first(
    edition: str, version: str, at: dict[str, str]
) -> None:
    table = accepting(edition, version)
    steps = [
        ("pass player hand", "dealer", "passed"),
        ("reveal player hand", "seat 2", "revealed"),
        ("announce player", "dealer", "returned"),
        ("return player hand", "dealer", "returned"),
        ("pass banker hand", "dealer", "bank_passed"),
        ("reveal banker hand", "seat 5", "bank_back"),
        ("announce banker", "dealer", "bank_back"),
        ("return banker hand", "dealer", "bank_back"),
    ]
    for place, (act, by, name) in enumerate(steps):
        table.expects(Perform(act, by, at[name]))
        carries(table.refuses_act(act, "seat 7"), at[name])
        carries(table.refuses_card(), at[name])
        if place + 1 < len(steps) and not steps[place + 1][0].startswith("pass"):
            carries(table.refuses_act(steps[place + 1][0], steps[place + 1][1]), at[name])
        table.does(act, by)
    assert table.text == "announce result by dealer"


FACES = [
    ("nz1996", "full", "NZ1996-V-8.13", "NZ1996-V-9.10"),
    ("nz1996", "midi", "NZ1996-IX-8.13", "NZ1996-IX-9.10"),
    ("nz1998", "full", "NZ1998-8.11", "NZ1998-9.10"),
    ("nzd5", "full", "NZD5-8.12", "NZD5-9.8"),
    ("nzeb", "hybrid", "NZD5-8.12", "NZD5-9.8"),
]


@pytest.mark.parametrize(("edition", "version", "first", "third"), FACES)
def test_all_cards_of_style_b_lie_face_down(edition: str, version: str, first: str, third: str) -> None:
    table = betting(edition, version, *BACKED)
    table.acts_until("deal player")
    lies = procedure.face(table.rules, table.sitting)
    assert lies.value == "down"
    carries(lies, first)
    table.deals(DRAWS[:11])
    lies = procedure.face(table.rules, table.sitting)
    assert lies.value == "down"
    carries(lies, third)


@EVERYWHERE
def test_the_two_hands_are_never_out_together(edition: str, version: str, at: dict[str, str]) -> None:
    table = accepting(edition, version)
    table.does("pass player hand")
    carries(table.refuses_act("pass banker hand"), at["apart"])
    table.does("reveal player hand", "seat 2")
    carries(table.refuses_act("pass banker hand"), at["apart"])
    table.does("announce player")
    carries(table.refuses_act("pass banker hand"), at["apart"])
    table.does("return player hand")
    table.does("pass banker hand")


@EVERYWHERE
def test_third_cards_go_down_to_who_holds_the_hand_and_come_back_one_by_one(
    edition: str, version: str, at: dict[str, str]
) -> None:
    table = accepting(edition, version, cards=DRAWS)
    table.acts_until("deal player")
    table.deals("2d")
    for hand, seat, card in (("player", "seat 2", "9h"), ("banker", "seat 5", "")):
        for act, by in (
            (f"pass {hand} third card", "dealer"),
            (f"reveal {hand} third card", seat),
            (f"announce {hand} again", "dealer"),
            (f"return {hand} third card", "dealer"),
        ):
            table.expects(Perform(act, by, at["third"]))
            carries(table.refuses_card(), at["third"])
            if hand == "player" and act.startswith("reveal"):
                carries(table.refuses_act("pass banker third card"), at["apart"])
            table.does(act, by)
        if card:
            assert table.text == "deal banker"
            table.deals(card)
    assert table.text == "announce result by dealer"


@EVERYWHERE
def test_a_third_card_of_a_hand_that_the_dealer_keeps_is_turned_by_the_dealer(
    edition: str, version: str, at: dict[str, str]
) -> None:
    table = betting(edition, version, *BACKED)
    table.acts_until("deal player")
    table.deals(DRAWS[:11])
    table.acts_until("deal player")
    table.deals("2d")
    table.expects(Perform("turn player third card", "dealer", at["third"]))
    table.next()
    table.expects(Perform("announce player again", "dealer", at["third"]))


@pytest.mark.parametrize(
    ("edition", "version", "rule"),
    [
        ("nz1996", "full", "NZ1996-V-8.10"),
        ("nz1996", "midi", "NZ1996-IX-8.10"),
        ("nz1998", "full", "NZ1998-8.8b"),
        ("nzd5", "mini", "NZD5-8.9b"),
        ("nzeb", "hybrid", "NZD5-8.9b"),
    ],
)
def test_the_order_of_the_offers_is_law(edition: str, version: str, rule: str) -> None:
    order = opened(edition, version, "B").rules.ceremony.styles["B"].order
    assert present(order)
    assert order.value == ("highest wager", "lowest seat")
    carries(order, rule)
