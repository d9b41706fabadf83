"""The story of a round: money is told as money, and the dealer's calls as they are made."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.events import Announced
from croupier.table.explain import MOMENTS, dealt_to, figures_of, money_fields, say_event
from tests.helpers.desks.table import a_desk, asked, played, until_chance, with_players
from tests.helpers.observe import carries

I = "NZ1996-I-"  # noqa: E741


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (e.ChipsBought(player="ann", amount=1050, tender="cash", rule=I + "14.3"), "player ann, amount $10.50, "),
        (e.DifferentialSet(least=5000, most=5005, rule="VIC2002-7.2"), "least $50, most $50.05"),
        (e.LimitsChanged(minimum=500, maximum=100_000, increment=250, rule=I + "13.1"), "minimum $5, maximum $1,000, "),
        (e.PaidOtherwise(round=1, number=0, player="ann", due=1000, paid=3000, rule=I + "16.1"), "due $10, paid $30"),
    ],
)
def test_what_has_no_sentence_of_its_own_is_told_in_dollars(event: Any, words: str) -> None:
    assert words in say_event(event)


def test_the_sign_of_an_opening_is_told_in_dollars() -> None:
    desk = a_desk(differential=(50_000, 50_000), kinds={"tie": (500, 20_050)})
    story = desk.explain(1)
    assert "minimum $10, maximum $1,000, chip $1" in story
    assert "differential $500 and $500" in story
    assert "kinds tie $5 and $200.50" in story
    assert f"seats {desk.state.house.seats}," in story


def test_money_is_known_by_what_the_event_says_of_it() -> None:
    assert money_fields(e.TableOpened) >= {
        "minimum",
        "maximum",
        "chip",
        "increment",
        "differential",
        "kinds",
        "jackpot",
    }
    assert not money_fields(e.TableOpened) & {"seats", "multiples", "players_per_area", "rule", "transfers"}
    assert money_fields(e.Seated) == frozenset()


@pytest.mark.parametrize(("dice", "called"), [("6-5", "11"), ("1-1", "2"), ("4-3", "7")])
def test_x_5_5a_the_stickperson_calls_the_total(dice: str, called: str) -> None:
    desk = with_players(a_desk("nz1996", "craps"), "ann")
    asked(desk, c.PlaceWager("ann", "pass", 1000))
    said = [event for event in played(desk, dice) if isinstance(event, Announced)]
    assert [each.text for each in said] == [called]
    carries(said[0], "NZ1996-X-5.5a")


def test_the_place_of_a_card_is_a_value_and_older_lines_are_read_too() -> None:
    """Words may change; lines from before the place was written have nothing else."""
    desk = with_players(a_desk("nz1996", "blackjack"), "ann")
    asked(desk, c.PlaceWager("ann", "main", 1000, box=1))
    until_chance(desk)
    desk.tell("9h")
    happened = [line.event for line in desk.journal if isinstance(line.event, e.Happened)]
    card = next(event for event in happened if event.fact == "9h")
    assert card.to == "box 1"
    assert dealt_to(msgspec.structs.replace(card, due="a card for the first box")) == "box 1"
    assert dealt_to(msgspec.structs.replace(card, to="")) == "box 1"
    assert [dealt_to(event) for event in happened if isinstance(event.fact, dict)] == [""] * (len(happened) - 1)


def test_a_point_of_time_is_told_as_one_with_what_happens_then() -> None:
    posted = e.LimitsPosted(minimum=500, maximum=1000, from_ms=7, posted_ms=5, rule=I + "13.1")
    assert list(figures_of(posted)) == [
        ("minimum", 500, True, ""),
        ("maximum", 1000, True, ""),
        ("from_ms", 7, False, "from"),
        ("posted_ms", 5, False, "posted"),
    ]


def test_every_point_of_time_of_an_event_of_a_table_is_known() -> None:
    fields = {name for kind in get_args(e.AnyEvent) for name in kind.__struct_fields__}
    assert {name for name in fields if name.endswith("_ms")} == set(MOMENTS)
