"""Tournaments on the running floor: real servers, a restart in the middle, tables that serve nobody else, accounts."""

from __future__ import annotations

import asyncio
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import uvicorn
from starlette.applications import Starlette

from croupier.floor.app import create_app
from croupier.floor.audit.verify import verify
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.contests import KIND, PREFIX, begun
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.keeper import Keeper
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.demonstration import SIGN
from croupier.floor.practice.guests import seat_guest
from croupier.floor.store.durable import open_reader
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import MakeAccount
from croupier.house.tournament import messages as m
from croupier.house.tournament.state import standings
from croupier.law.officials import DEALER
from croupier.table import commands as c
from tests.helpers.desks.tournament import PLAYER_WINS, V, conditions, replay, snapshot
from tests.helpers.places import ROOT

OFFICE = "Director of Casino Surveillance"
FOUR = ("Ann", "Ben", "Cat", "Dee")


def stated(**parts: Any) -> dict[str, Any]:
    """Four players at two tables and a final of two, all of it beginning at once."""
    now = 1_000
    first = {"starts_ms": now, "hands": 1, "minutes": 60, "tables": 2, "seats": 3, "progress": 1}
    final = {"starts_ms": now, "hands": 1, "minutes": 0, "tables": 1, "seats": 6}
    usual: dict[str, Any] = msgspec.to_builtins(conditions())
    usual["structure"] = {"rounds": [first, final], "ties": "drawn", "notice_minutes": 0}
    usual["entry"] = {"withdraw_until_ms": now, "form": "form 12", "least_players": 4, "most_players": 6}
    return usual | parts


@dataclass(slots=True)
class Floor:
    """Somebody who asks the tournaments of a demonstration over HTTP."""

    address: str
    name: str = "Dora"
    role: str = "casino supervisor"
    contest: str = "Spring Cup"
    ticket: str = ""

    def __post_init__(self) -> None:
        who = {"name": self.name, "role": self.role, "table": "R-1" if self.role == "player" else ""}
        answer = httpx.post(f"{self.address}/api/enter", json=who, timeout=30)
        assert answer.status_code == 200, answer.text
        self.ticket = answer.json()["ticket"]

    def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        shown = {"Authorization": f"Ticket {self.ticket}"}
        return httpx.post(f"{self.address}/api/tournaments{path}", json=body, headers=shown, timeout=30)

    def begin(self, command_id: str = "", **parts: Any) -> httpx.Response:
        body = {"id": command_id or secrets.token_hex(16), "name": self.contest, "director": self.name}
        return self._post("", body | {"qualified_as": self.role} | parts)

    def post(self, kind: str, command_id: str = "", **parts: Any) -> httpx.Response:
        body = {"id": command_id or secrets.token_hex(16), "command": {"type": kind, **parts}}
        return self._post(f"/{self.contest}/commands", body)

    def ask(self, kind: str, command_id: str = "", **parts: Any) -> dict[str, Any]:
        answer = self.post(kind, command_id, **parts)
        assert answer.status_code == 200, answer.text
        content: dict[str, Any] = answer.json()
        return content

    def do(self, kind: str, **parts: Any) -> None:
        answer = self.ask(kind, **parts)
        assert answer["done"], (kind, answer)

    def view(self) -> dict[str, Any]:
        answer = httpx.get(f"{self.address}/api/tournaments/{self.contest}", timeout=30)
        assert answer.status_code == 200, answer.text
        content: dict[str, Any] = answer.json()
        return content

    def prepare(self, **parts: Any) -> None:
        """From nothing to the draw."""
        assert self.begin().json()["done"]
        self.do("PublishConditions", conditions=stated(**parts))
        self.do("RecordApproval", approver=OFFICE, reference="DCS 02/7")
        for name in FOUR:
            self.do("Enter", player=name)
        self.do("Brief", players=FOUR)
        self.do("DesignateTables", tables=["B-1", "B-2"])
        self.do("CheckIn", person=self.name)
        self.do("DrawSeats", seats={})

    def start(self) -> None:
        for name in FOUR:
            self.do("TakeSeat", player=name, person=name)
        self.do("StartRound")

    def play(self, wins: str) -> None:
        """One hand at every table that still plays, in which one of all wins and the others lose."""
        for table in self.view()["tables"]:
            if table["players"] and not table["ended"]:
                wagers = {name: {"player" if name in wins else "banker": 100} for name in table["players"]}
                self.do("RecordHand", table=table["name"], hand={"wagers": wagers, "facts": PLAYER_WINS})
                self.do("EndTable", table=table["name"])


OTHERS = (("R-1", "roulette"), ("T-1", "tai_sai"), ("W-1", "money_wheel"))
TABLES = (
    *(Planned(name, "vic2002", "baccarat", "traditional", SIGN) for name in ("B-1", "B-2")),
    *(Planned(name, "nz1996", game, "", SIGN) for name, game in OTHERS),
)
PROCESS = "import sys; from tests.floor.rooms.test_contests import process; process(sys.argv[1], int(sys.argv[2]))"


def demonstration(folder: Path) -> Starlette:
    """A demonstration with five tables and nobody at them."""
    return create_app(open_house(f"sqlite:///{folder}/house.db", folder / "house.key", demo=True), TABLES)


def process(folder: str, port: int) -> None:
    """What runs in a process of its own."""
    uvicorn.run(demonstration(Path(folder)), port=port, log_level="error")


@contextmanager
def killed(folder: Path) -> Iterator[str]:
    """A server process that is killed afterwards, as by a loss of power, and not stopped."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, root = f"http://127.0.0.1:{port}", ROOT
    with subprocess.Popen([sys.executable, "-c", PROCESS, str(folder), str(port)], cwd=root) as running:
        try:
            for _ in range(1_200):
                with suppress(httpx.HTTPError):
                    if httpx.get(f"{address}/health", timeout=5).status_code == 200:
                        break
                assert running.poll() is None
                time.sleep(0.05)
            yield address
        finally:
            running.kill()


@contextmanager
def lean(folder: Path) -> Iterator[str]:
    """The same server in a thread of this process, which has been read in already; it stops as a house does."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(demonstration(folder), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contests")


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[str]:
    with lean(folder) as address:
        yield address


def journal_of(folder: Path, name: str) -> list[bytes]:
    with open_reader(f"sqlite:///{folder}/house.db", key_path=folder / "house.key") as store:
        return [line.body for line in store.each_line(PREFIX + name)]


# ---------------------------------------------------------------- a whole tournament, and a restart in the middle


def test_a_tournament_from_its_director_to_its_prizes_with_a_restart_in_the_middle(tmp_path: Path) -> None:
    with killed(tmp_path) as address:
        floor = Floor(address)
        floor.prepare()
        floor.start()
        assert not floor.ask("DrawSeats", seats={})["done"]
        before = floor.view()
    with lean(tmp_path) as address:
        floor = Floor(address)
        again = floor.view()
        assert {**again, "at_ms": 0} == {**before, "at_ms": 0}
        assert wagered(address, "B-1")["rule"] == V + "12.3.2"
        finalists = {each["players"][0] for each in again["tables"]}
        floor.play(" ".join(finalists))
        floor.do("EndRound")
        assert {each["name"] for each in floor.view()["entrants"] if each["due"]} == finalists
        floor.do("DrawSeats", seats={})
        floor.do("StartRound")
        for name in finalists:
            floor.do("TakeSeat", player=name, person=name)
        winner = min(finalists)
        floor.play(winner)
        floor.do("EndRound")
        assert floor.view()["due"][0]["command"] == "AwardPrizes"
        floor.do("AwardPrizes")
        view = floor.view()
        assert (view["over"], view["due"]) == (True, [])
        first, second, third, fourth = view["standings"]
        assert (first["player"], first["prize"], second["prize"]) == (winner, 100_000, 50_001)
        # Those who lost the same share the third place and its prize.
        assert (third["place"], fourth["place"], third["prize"], fourth["prize"]) == (3, 3, 10_000, 10_000)
        assert wagered(address, "B-1")["rule"] != V + "12.3.2"
    found = verify(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.key")
    assert (found.fault, found.heads > 0) == ("", True)
    replayed = replay("Spring Cup", journal_of(tmp_path, "Spring Cup"))
    assert replayed.over
    assert (standings(replayed)[0].place, standings(replayed)[0].player) == (1, winner)
    assert sum(replayed.balances.values()) == 0


def wagered(address: str, table: str) -> dict[str, Any]:
    """What an ordinary player is told who wants to bet."""
    ticket = httpx.post(f"{address}/api/enter", json={"name": "Zoe", "role": "player", "table": table}, timeout=30)
    command = {"type": "PlaceWager", "player": "Zoe", "on": "A" if table == "W-1" else "player", "amount": 1_000}
    body = {"id": secrets.token_hex(16), "ticket": ticket.json()["ticket"], "command": command}
    answer = httpx.post(f"{address}/api/tables/{table}/commands", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    return {"rule": "", **answer.json()}


# ---------------------------------------------------------------- once, and refused with a rule


def test_a_repeated_command_id_has_one_effect(house: str, folder: Path) -> None:
    floor, one = Floor(house, contest="Once"), secrets.token_hex(16)
    first = floor.begin(one).json()
    assert (first["done"], floor.begin(one).json()) == (True, first)
    floor.do("PublishConditions", conditions=stated())
    floor.do("RecordApproval", approver=OFFICE, reference="DCS 02/7")
    entering = secrets.token_hex(16)
    answers = [floor.ask("Enter", entering, player="Ann") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert [each["name"] for each in floor.view()["entrants"]] == ["Ann"]
    for name in FOUR[1:]:
        floor.do("Enter", player=name)
    assert floor.ask("DesignateTables", tables=["B-1", "W-1"])["rule"] == V + "12.1.1"  # a money wheel
    floor.do("DesignateTables", tables=["B-2"])
    assert floor.ask("DrawSeats", seats={})["rule"] == V + "12.1.1"  # three seats for four
    floor.do("DesignateTables", tables=["B-1", "B-2"])
    drawing = secrets.token_hex(16)
    assert floor.ask("DrawSeats", drawing, seats={})["done"]
    seats = [(each["name"], each["table"], each["seat"]) for each in floor.view()["entrants"]]
    assert floor.ask("DrawSeats", drawing, seats={})["done"]
    assert [(each["name"], each["table"], each["seat"]) for each in floor.view()["entrants"]] == seats
    assert sum(b'"SeatsDrawn"' in line for line in journal_of(folder, "Once")) == 1


def test_another_persons_command_id_begins_nothing_and_tells_nothing(house: str) -> None:
    one = secrets.token_hex(16)
    assert Floor(house, contest="Hers").begin(one).json()["done"]
    for contest in ("His", "Hers"):
        answer = Floor(house, "Emil", contest=contest).begin(one).json()
        assert (answer["done"], "used for another request" in answer["reason"]) == (False, True)
    assert httpx.get(f"{house}/api/tournaments/His", timeout=30).status_code == 404


def test_refusals_name_their_rule(house: str) -> None:
    floor = Floor(house, contest="Refusals")
    unqualified = floor.begin(qualified_as="dealer").json()
    assert (unqualified["done"], unqualified["rule"]) == (False, V + "12.1.2a")
    assert floor.post("CheckIn", person="Dora").status_code == 404
    assert floor.begin().json()["done"]
    for kind, parts, rule in (
        ("PublishConditions", {"conditions": {}}, "12.2.1a"),
        ("PublishConditions", {"conditions": stated(prizes=[])}, "12.2.1k"),
        ("RecordApproval", {"approver": OFFICE, "reference": "x"}, "12.1.3"),
        ("Enter", {"player": "Ann"}, "12.1.3"),
        ("NameDeputy", {"person": "Dan", "qualified_as": "cashier"}, "12.1.2b"),
        ("CheckIn", {"person": "Ann"}, "12.2.5"),
    ):
        answer = floor.ask(kind, **parts)
        assert (answer["done"], answer["rule"]) == (False, V + rule), kind
    player = Floor(house, "Ann", "player", contest="Refusals")
    assert not player.ask("PublishConditions", conditions=stated())["done"]
    dealer = Floor(house, "Dirk", "dealer", contest="Refusals")
    assert dealer.ask("AppointDirector", person="Dirk", qualified_as="casino manager")["done"] is False
    assert Floor(house, "Ina", "inspector", contest="Refusals").post("CheckIn", person="Ina").status_code == 403
    assert Floor(house, "Gil", "game supervisor", contest="Another").begin().status_code == 403


def test_what_cannot_be_asked_is_one_line(house: str) -> None:
    floor = Floor(house, contest="Lines")
    assert floor.begin().json()["done"]
    for answer, status, words in (
        (floor.begin(), 422, "called 'Lines' already"),
        (floor.begin(name="lines"), 422, "already"),
        (floor.begin(name="a/b"), 422, "is no name"),
        (floor.begin("123"), 422, "command id"),
        (floor.post("DesignateTables", tables=["R-1", "Q-9"]), 422, "unknown table 'Q-9'"),
        (floor.post("OrdinaryPlay", table="R-1"), 422, "by the table itself"),
        (floor.post("Dance"), 422, "Dance"),
        (httpx.get(f"{house}/api/tournaments/None", timeout=30), 404, "no tournament 'None'"),
    ):
        assert (answer.status_code, words in answer.json()["reason"]) == (status, True), answer.text
        assert "\n" not in answer.json()["reason"]


def test_12_3_2_a_designated_table_serves_nobody_else_while_a_round_is_played(house: str) -> None:
    floor = Floor(house, contest="Exclusive")
    floor.prepare()
    exclusive = V + "12.3.2"
    assert wagered(house, "B-1")["rule"] != exclusive
    floor.start()
    answer = wagered(house, "B-1")
    assert (answer["done"], answer["rule"]) == (False, exclusive)
    assert "Exclusive" in answer["reason"]
    assert wagered(house, "B-2")["rule"] == exclusive
    assert wagered(house, "W-1")["rule"] != exclusive
    held = {each["name"]: each["held_by"] for each in floor.view()["house_tables"]}
    assert (held["B-1"], held["W-1"]) == ("Exclusive", "")
    floor.play("")
    floor.do("EndRound")
    assert wagered(house, "B-1")["rule"] != exclusive


PLANNED = (TABLES[0], TABLES[2])


@asynccontextmanager
async def running(folder: Path, *, demo: bool) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=demo, hashing=Hashing(1, 64, 1))
    app = create_app(house, PLANNED)
    async with app.router.lifespan_context(app):
        here = "http://127.0.0.1"
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=here) as client:
            yield house, client


def test_a_refused_wager_has_no_lines_and_keeps_its_answer(tmp_path: Path) -> None:
    """The refusal is durable under its id: asked again after the round, the same id is answered the same."""

    async def walked() -> None:
        async with running(tmp_path, demo=True) as (house, _):
            await begun_round(house)
            host, one = house.hosts["B-1"], secrets.token_hex(16)
            await seat_guest(host, "Zoe", chips=10_000)
            lines = host.shown.entries
            bet = c.PlaceWager("Zoe", "player", 1_000)
            first = await host.ask(one, bet, by="Zoe", role="player")
            assert (first.done, first.rule, host.shown.entries) == (False, V + "12.3.2", lines)
            # Only wagers are shut out: chips are sold and redeemed as ever.
            assert (await host.ask(secrets.token_hex(16), c.BuyChips("Zoe", 500), by="d", role=DEALER)).done
            for name in ("B-1",):
                assert (await asked(house, m.EndTable(name, FOUR[:2]))).done
            assert (await asked(house, m.EndRound())).done
            assert await host.ask(one, bet, by="Zoe", role="player") == first
            fresh = await host.ask(secrets.token_hex(16), bet, by="Zoe", role="player")
            assert fresh.rule != V + "12.3.2"

    asyncio.run(walked())


async def asked(house: House, what: m.AnyCommand, by: str = "Dora", role: str = "casino manager") -> Any:
    return await house.contests.ask(secrets.token_hex(16), "Cup", what, by=by, role=role)


async def begun_round(house: House) -> None:
    """Two players, one of whom lost everything: the round at B-1 can be ended early."""
    director = m.AppointDirector("Dora", "game supervisor")
    assert (await house.contests.begin(secrets.token_hex(16), "Cup", director, by="Kim", role="casino manager")).done
    rounds = [{"starts_ms": 0, "hands": 2, "minutes": 0, "tables": 1, "seats": 2}]
    terms = stated(
        structure={"rounds": rounds},
        entry={"withdraw_until_ms": 0, "form": "f", "least_players": 2, "most_players": 2},
        wager={"compulsory": False, "minimum": 1, "maximum": 0},
        buy_back={"times": 0},
    )
    for what in (
        m.PublishConditions(msgspec.convert(terms, type(conditions()))),
        m.RecordApproval(OFFICE, "7"),
        m.Enter("Ann"),
        m.Enter("Ben"),
        m.Brief(FOUR[:2]),
        m.DesignateTables(("B-1",)),
        m.CheckIn("Dora"),
        m.DrawSeats({}),
        m.StartRound(),
        m.TakeSeat("Ann", "Ann"),
        m.TakeSeat("Ben", "Ben"),
        m.RecordHand("B-1", m.PlayedHand({"Ann": {"player": 1_000}, "Ben": {"banker": 1_000}}, PLAYER_WINS)),
    ):
        answer = await asked(house, what)
        assert answer.done, (what, answer)


def test_with_accounts_the_office_is_the_account_s_and_the_excluded_may_not_enter(tmp_path: Path) -> None:
    async def walked() -> None:
        async with running(tmp_path, demo=False) as (house, client):
            assert house.accounts is not None
            for name, role in (("Dora Lund", "game supervisor"), ("Carl", "cashier"), ("Kim", "casino manager")):
                what = MakeAccount(name, (role,), "no verifier", must_change=False)
                assert (await house.accounts.ask(what, by=CONSOLE, role=CONSOLE)).done
            shown = {"Authorization": f"Ticket {house.give(Ticket('Kim', 'casino manager', ''))}"}

            async def post(path: str, **body: Any) -> dict[str, Any]:
                body = {"id": secrets.token_hex(16), **body}
                answer = await client.post(f"/api/tournaments{path}", json=body, headers=shown)
                assert answer.status_code == 200, answer.text
                content: dict[str, Any] = answer.json()
                return content

            for person in ("Carl", "Nobody"):
                reply = await post("", name="Cup", director=person, qualified_as="casino manager")
                assert (reply["done"], reply["rule"]) == (False, V + "12.1.2a")
            assert (await post("", name="Cup", director=" dora  LUND"))["done"]
            assert house.contests.known["Cup"].shown.director == "Dora Lund"
            assert (await client.get("/api/tournaments")).status_code == 403  # nobody is signed in
            commands = "/Cup/commands"
            terms = stated(eligibility={"entitled_only": "x", "criteria_apply": True, "criteria": ["member"]})
            assert (await post(commands, command={"type": "PublishConditions", "conditions": terms}))["done"]
            approval = {"type": "RecordApproval", "approver": OFFICE, "reference": "7"}
            assert (await post(commands, command=approval))["done"]
            table = house.hosts["R-1"]
            excluded = c.Exclude("Eve", "cheating")
            assert (await table.ask(secrets.token_hex(16), excluded, by="Kim", role="casino manager")).done
            entering = {"type": "Enter", "player": "Eve", "meets": ["member"]}
            assert (await post(commands, command=entering))["rule"] == V + "12.2.1g.i"
            assert (await post(commands, command=entering | {"player": "EVE "}))["rule"] == V + "12.2.1g.i"
            # A player's own word is no proof that the criteria are met; the desk's is.
            own = await asked(house, m.Enter("Ann", meets=("member",)), by="Ann", role="player")
            assert (own.done, own.rule) == (False, V + "12.2.1g.iii")
            assert (await asked(house, m.Enter("Ann", meets=("member",)), by="Kim")).done

    asyncio.run(walked())


# ---------------------------------------------------------------- reading the journal anywhere


def test_the_journal_is_read_by_its_kind(folder: Path, house: str) -> None:
    """`begun` is all that whoever verifies needs; the keeper and the replay lead to the same bytes."""
    floor = Floor(house, contest="Kind")
    assert floor.begin().json()["done"]
    with open_reader(f"sqlite:///{folder}/house.db", key_path=folder / "house.key") as store:
        assert [head.number for head in store.heads(PREFIX + "Kind")] == [1]
    found = begun(PREFIX + "Kind")
    assert found is not None
    kind, state = found
    lines = journal_of(folder, "Kind")
    for line in lines:
        state = kind.after(state, (kind.decode(line),))
    assert snapshot(state) == snapshot(replay("Kind", lines))
    assert (kind, begun("R-1"), begun("@cage")) == (KIND, None, None)


def test_a_tournament_of_another_process_is_found_and_held_to(tmp_path: Path) -> None:
    """Lines that somebody else made durable are read when the store tells of them, and shut the table here."""

    async def walked() -> None:
        async with running(tmp_path, demo=True) as (house, client):
            await begun_round(house)
            keeper = house.contests.known.pop("Cup")
            assert house.contests.not_ordinary("B-1") is None
            for hear in house.store.subscribers.listeners:
                hear(PREFIX + "Cup", keeper.shown.entries)
            while "Cup" not in house.contests.known:
                await asyncio.sleep(0.02)
            refusal = house.contests.not_ordinary("B-1")
            assert refusal is not None
            assert refusal.rule == V + "12.3.2"
            assert house.keeper(PREFIX + "Cup") is house.contests.known["Cup"]
            assert isinstance(house.keeper(PREFIX + "Cup"), Keeper)
            listed = (await client.get("/api/tournaments")).json()
            assert [each["state"] for each in listed["tournaments"]] == ["playing"]
            assert abs(listed["at_ms"] - time.time() * 1000) < 60_000

    asyncio.run(walked())
