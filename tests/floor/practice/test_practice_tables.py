"""Practice tables of a real house: they open with the notices that the law wants, and who comes is given a place."""

from __future__ import annotations

import time
from pathlib import Path

import httpx

from tests.helpers.houses.devices import DeviceHouse, device_house
from tests.helpers.houses.people import house_with_accounts, manager_of, person, settled

TABLES = """
[[tables]]
name = "P-EB"
game = "baccarat"
edition = "nzeb"
version = "terminals"
minimum = 500
maximum = 100000
supervisor = "Sue"
practice = true
[[tables]]
name = "P-CR"
game = "baccarat"
edition = "vic2002"
version = "crown"
minimum = 500
maximum = 100000
supervisor = "Sue"
practice = true
[[tables]]
name = "R-CR"
game = "baccarat"
edition = "vic2002"
version = "crown"
minimum = 500
maximum = 100000
supervisor = "Sue"
"""
SUPERVISOR = "game supervisor"


def test_a_house_with_accounts_gives_its_players_practice_terminals(tmp_path: Path) -> None:
    with house_with_accounts(tmp_path, more=TABLES) as house:
        tables = {each["name"]: each for each in httpx.get(f"{house.address}/api/tables").json()["tables"]}
        assert {name: each["open"] for name, each in tables.items()} == {
            "B-1": True,
            "P-EB": True,
            "P-CR": True,
            # A real table waits until whoever runs it says that its notice stands.
            "R-CR": False,
        }
        pat = settled(house.address, "Pat", person(manager_of(house), "Pat", "player"))
        entered = pat.enter("player", "P-EB").json()
        assert entered["name"].startswith("Terminal ")
        assert entered["secret"]
        again = pat.enter("player", "P-EB").json()
        assert (again["name"], again["secret"]) == (entered["name"], "")
        # At a real table of terminals nobody is given one: a supervisor pairs it.
        real = pat.enter("player", "B-1").json()
        assert (real["name"], real.get("secret", "")) == ("Pat", "")


def test_a_terminal_that_a_supervisor_paired_is_given_to_nobody(tmp_path: Path) -> None:
    with device_house(tmp_path) as house:
        house.do(SUPERVISOR, "ApproveSystem", version="1.0", approval="TA-0")
        paired = house.device(1)
        house.do(SUPERVISOR, "PairTerminal", number=2, minimum=500, maximum=5000, approval="TA-1")
        names = {entered(house, name) for name in ("Ann", "Bob", "Cat")}
        assert len(names) == 3
        assert not names & {paired.name, "Terminal 2"}
        assert house.enter(paired.secret).status_code == 200


def entered(house: DeviceHouse, name: str) -> str:
    return str(house.post("/api/enter", {"name": name, "role": "player", "table": house.table}).json()["name"])


def test_seats_of_a_practice_table_do_not_run_out(tmp_path: Path) -> None:
    with device_house(tmp_path, pace="1,0.02,0.01,0.5") as house:
        house.table = "J-1"

        def seat(name: str) -> int:
            body = {"name": name, "role": "player", "table": "J-1"}
            return int(house.view(house.post("/api/enter", body).json()["ticket"])["me"]["seat"])

        names = [f"Guest {number}" for number in range(1, 10)]
        seats = [seat(name) for name in names]
        # Ida and Jim, who play here by themselves, keep the first two; five are left for nine who come and go.
        assert seats[:5] == [3, 4, 5, 6, 7]
        assert set(seats[5:]) <= {3, 4, 5, 6, 7}
        # Whoever had to stand has a seat again on coming back, and the chips all the time.
        assert seat("Guest 1") in {3, 4, 5, 6, 7}
        players = house.view(house.ticket("dealer"))["players"]
        assert {each["name"] for each in players} >= {*names, "Ida", "Jim"}
        assert all(each["chips"] == 100_000 for each in players if each["name"] in names)


def test_a_call_reaches_staff_and_the_virtual_dealer_rests_while_somebody_deals(tmp_path: Path) -> None:
    with device_house(tmp_path, pace="1,0.02,0.01") as house:
        house.table = "R-1"
        player = house.post("/api/enter", {"name": "Pat", "role": "player", "table": "R-1"}).json()["ticket"]
        dealer = house.ticket("dealer")
        assert house.post("/api/tables/R-1/call", {}, player).json() == {"calls": 1}
        assert house.post("/api/tables/R-1/call", {}, player).json() == {"calls": 1}
        assert house.view(dealer)["calls"] == ["Pat"]
        # Players are told of nobody's call; staff of another table, and the wrong role, change nothing.
        assert "calls" not in house.view(player)
        assert house.post("/api/tables/R-1/call", {}, dealer).status_code == 403
        assert house.post("/api/tables/T-1/call", {}, player).status_code == 403
        assert house.post("/api/tables/R-1/answered", {"player": "Pat"}, player).status_code == 403
        assert house.post("/api/tables/R-1/answered", {"player": "Pat"}, dealer).json() == {"calls": 0}
        assert house.view(dealer)["calls"] == []

        assert house.view(player)["table"]["deals"] == "virtual"
        assert house.post("/api/tables/R-1/virtual", {"paused": True}, player).status_code == 403
        assert house.post("/api/tables/R-1/virtual", {"paused": True}, dealer).json() == {"deals": "paused"}
        listed = {each["name"]: each for each in httpx.get(f"{house.address}/api/tables").json()["tables"]}
        assert (listed["R-1"]["deals"], listed["B-4"]["deals"], listed["R-1"]["closes_ms"]) == ("paused", "", 0)
        assert house.post("/api/tables/R-1/virtual", {"paused": False}, dealer).json() == {"deals": "virtual"}
        before = house.view(player)["round"]
        for _ in range(100):
            if house.view(player)["round"] > before:
                break
            time.sleep(0.2)
        assert house.view(player)["round"] > before
