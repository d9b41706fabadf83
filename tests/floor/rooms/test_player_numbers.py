"""The number of a player's card: by whom it is set, who is told of it, and that it goes with the player."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.sync.client import connect

from croupier.client.calls import FeedEvent, FeedPage, Money
from croupier.client.consumer import Totals
from croupier.floor.views.own import own_lines
from croupier.table import commands as c
from croupier.table.events import PlayerNumbered
from tests.helpers.desks.table import a_desk, asked, with_players
from tests.helpers.houses.devices import TABLE, DeviceHouse, device_house

NUMBER = "C-20260117"
LONGEST = "A" * 20


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeviceHouse]:
    with device_house(tmp_path_factory.mktemp("numbers"), pace="600,0.1,0.05") as running:
        running.do("game supervisor", "ApproveSystem", version="1.0", approval="TA-0")
        yield running


def fed(house: DeviceHouse, kind: str, **parts: Any) -> list[dict[str, Any]]:
    """The events of the table of one kind that the feed has told, once there is one."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        found, after = list[dict[str, Any]](), 0
        while page := events(house, after):
            found += [each.entry["event"] for each in page if each.journal == TABLE]
            after = page[-1].id
        if mine := [each for each in found if each["type"] == kind and parts.items() <= each.items()]:
            return mine
        time.sleep(0.1)
    raise AssertionError(f"no {kind} with {parts}")


def events(house: DeviceHouse, after: int) -> tuple[FeedEvent, ...]:
    answer = httpx.get(f"{house.address}/api/events", params={"after": after, "most": 1000}, timeout=30)
    return msgspec.json.decode(answer.content, type=FeedPage).events


def test_a_terminal_has_a_number_for_as_long_as_somebody_plays_there(house: DeviceHouse) -> None:
    one, two = house.device(1), house.device(2)
    number = {"player": one.name, "number": NUMBER}
    # Nobody plays there yet, so nobody has a number there.
    assert "is not at this table" in one.do("NumberPlayer", **number)["reason"]
    for each in (one, two):
        house.do("dealer", "CreditTerminal", terminal=each.name, amount=5_000)
    assert "does not act for" in two.do("NumberPlayer", **number)["reason"]
    for bad in ("A" * 21, "12 34", "-12", "１２", "1\n", "<b>"):
        answer = one.do("NumberPlayer", player=one.name, number=bad)
        assert (answer["done"], "up to 20 letters and digits" in answer["reason"]) == (False, True), bad
    for good in ("7", LONGEST, NUMBER):
        assert one.do("NumberPlayer", player=one.name, number=good)["done"]
    assert "has this number already" in one.do("NumberPlayer", **number)["reason"]
    assert fed(house, "PlayerNumbered", number=NUMBER)[0]["player"] == one.name

    # Nobody else is told: neither another player, nor a watcher of the board.
    assert NUMBER not in json.dumps(two.view())
    with connect(f"{house.address.replace('http', 'ws', 1)}/api/tables/{TABLE}/board") as board:
        assert NUMBER not in str(board.recv(20))

    assert one.do("CashOut", terminal=one.name, voucher="")["done"]
    house.do("dealer", "CreditTerminal", terminal=one.name, amount=1_000)
    # The next player there has none, so that the same number can be set again.
    assert one.do("NumberPlayer", **number)["done"]
    assert one.do("NumberPlayer", player=one.name, number="")["done"]
    assert not one.do("NumberPlayer", player=one.name, number="")["done"]


def test_another_player_does_not_read_it_in_the_journal() -> None:
    desk = with_players(a_desk(), "gus", "eve")
    asked(desk, c.NumberPlayer("gus", NUMBER))

    def read_by(player: str) -> list[object]:
        return [line.event for line in own_lines(desk.journal, player, desk.state)]

    assert any(isinstance(event, PlayerNumbered) for event in read_by("gus"))
    assert not any(isinstance(event, PlayerNumbered) for event in read_by("eve"))


@pytest.mark.parametrize("role", ["cashier", "inspector"])
def test_whoever_does_not_deal_sets_no_number(house: DeviceHouse, role: str) -> None:
    answer = house.ask(house.ticket(role), "NumberPlayer", player="Gus", number="7")
    assert not answer.get("done", False)


def test_a_seated_player_has_it_until_leaving(house: DeviceHouse) -> None:
    table = "B-4"
    other = DeviceHouse(house.address, house.process, table=table)
    other.do("dealer", "Sit", player="Gus", seat=0)
    other.do("dealer", "NumberPlayer", player="Gus", number=NUMBER)
    ticket = house.post("/api/enter", {"name": "Eve", "role": "player", "table": table}).json()["ticket"]
    assert "does not act for" in other.ask(ticket, "NumberPlayer", player="Gus", number="8")["reason"]
    assert NUMBER not in json.dumps(other.view(ticket))
    other.do("dealer", "Leave", player="Gus")
    other.do("dealer", "Sit", player="Gus", seat=0)
    other.do("dealer", "NumberPlayer", player="Gus", number=NUMBER)


# ---------------------------------------------------------------- drop files


def event(id: int, kind: str, *money: Money, **parts: Any) -> FeedEvent:
    return FeedEvent(id, "EB-1", id, {"event": {"type": kind, **parts}}, money)


def test_the_drop_files_name_the_numbers_with_what_moved_while_they_were_there(tmp_path: Path) -> None:
    def bought(number: int, name: str, cents: int) -> FeedEvent:
        return event(number, "ChipsBought", Money("cash", f"chips:{name}", cents), player=name)

    totals = Totals(tmp_path / "totals.db", tmp_path)
    wagered = Money("chips:T", "stakes:T", 300)
    totals.take(
        (
            bought(1, "T", 111),
            event(2, "PlayerNumbered", player="T", number=NUMBER),
            bought(3, "T", 1_000),
            bought(4, "Gus", 5_000),
            event(5, "WagerPlaced", wagered, player="T"),
            event(6, "TerminalDeactivated", terminal="T"),
            bought(7, "T", 222),
            event(8, "PlayerNumbered", player="Gus", number="7"),
            event(9, "PlayerLeft", player="Gus"),
            bought(10, "Gus", 333),
            event(11, "ShiftClosed", shift=1),
            event(12, "ShiftClosed", shift=2),
        )
    )
    row = {"number": NUMBER, "journal": "EB-1", "credited_cents": 1_000, "debited_cents": 300}
    assert json.loads((tmp_path / "shift-1.json").read_text())["players"] == [row]
    with (tmp_path / "shift-1-players.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == [{name: str(value) for name, value in row.items()}]
    assert json.loads((tmp_path / "shift-2.json").read_text())["players"] == []
    assert totals.balances()["chips:T"] == 111 + 1_000 + 222 - 300
