"""The supervisor's room behind its page: previews that record nothing, clocks that agree with the law, its doors."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec import UNSET

from croupier.floor.app import create_app
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import House, open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.practice.demonstration import SIGN
from croupier.floor.rooms.supervisor.doors import previewed, shown_record
from croupier.floor.views.staff import following_wagers, standing_orders
from croupier.floor.views.viewer import own
from croupier.game import Deal, Refusal
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import MakeAccount
from croupier.law.officials import CASHIER, CASINO_SUPERVISOR, DEALER, GAME_SUPERVISOR, INSPECTOR, PLAYER, SHIFT_MANAGER
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import decide
from croupier.table.desk import LiveTable
from croupier.table.state import snapshot
from croupier.table.terminals import commands as t
from tests.helpers.desks.table import MINUTE, a_desk, asked, played, put, until_chance, with_players
from tests.helpers.desks.terminal import SEVEN, closed, confirmed, touch, with_terminals
from tests.helpers.desks.views import recent_of, view_of

TABLE = "B-1"
PLANNED = (Planned(TABLE, "nzd5", "baccarat", "midi", SIGN),)
HERE = "http://127.0.0.1"
SUE = Ticket("Sue", GAME_SUPERVISOR, TABLE)


def previewing(desk: LiveTable, command: AnyCommand, role: str = GAME_SUPERVISOR, at: int = 0) -> dict[str, Any]:
    """A preview, after which the table must be the same."""
    before = snapshot(desk.state)
    preview = previewed(desk.state, command, ticket=Ticket(role, role, ""), now_ms=at)
    assert snapshot(desk.state) == before
    # What a preview tells must travel.
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(preview))
    return decoded


def staff_of(desk: LiveTable) -> dict[str, Any]:
    table, recent = desk.state, recent_of(desk.journal)
    view: dict[str, Any] = msgspec.to_builtins(standing_orders(table, recent) | following_wagers(table, recent))
    return view


def seen_by(desk: LiveTable, role: str) -> dict[str, Any]:
    """All that Ann would see in this role."""
    view: dict[str, Any] = msgspec.to_builtins(
        view_of(desk.state, recent_of(desk.journal), ("Ann", role), practice=False)
    )
    return view


# ---------------------------------------------------------------- previews


def a_coup(edition: str = "nzd5", version: str = "midi") -> LiveTable:
    """One round that the Player won with 9 over 7, Ann having backed the Player and Bob the Banker."""
    desk = with_players(a_desk(edition, version=version), "Ann", "Bob")
    asked(desk, put("Ann", "player", 10_000), role=PLAYER, by="Ann")
    asked(desk, put("Bob", "banker", 10_000), role=PLAYER, by="Bob")
    played(desk, "9h", "Kd", "Kc", "7s")
    return desk


def test_a_correction_is_previewed_wager_by_wager_and_then_done_just_so() -> None:
    desk = a_coup()
    truth = c.Correct(1, ("9h", "Kd", "10c", "9s"), "the fourth card was a nine")
    seen = previewing(desk, truth)
    assert seen["lawful"]
    # A tie: both stakes come back.
    assert [(each["by"], each["before"]["result"], each["before"]["returned"]) for each in seen["wagers"]] == [
        ("Ann", "won", 20_000),
        ("Bob", "lost", 0),
    ]
    assert [(each["by"], each["difference"], each["after"]["returned"]) for each in seen["wagers"]] == [
        ("Ann", -10_000, 10_000),
        ("Bob", 10_000, 10_000),
    ]
    assert seen["outcome"]["winner"] == "tie"
    chips = {each["name"]: each["after"] for each in seen["chips"]}
    assert [event["type"] for event in seen["events"]] == ["RoundCorrected"]
    assert seen["events"][0]["rule"] in seen["rules"]
    asked(desk, truth, role=GAME_SUPERVISOR)
    assert {name: desk.state.chips(name) for name in chips} == chips


@pytest.mark.parametrize("facts", [("9h", "Kd", "10c"), ("9h", "Kd", "10c", "9s", "2d"), ("9h", "nothing")])
def test_facts_that_make_no_round_are_refused_as_the_command_is(facts: tuple[str, ...]) -> None:
    desk = a_coup()
    command = c.Correct(1, facts, "a card was read wrongly")
    seen = previewing(desk, command)
    decided = decide(desk.state, TableRequest(command, "x", GAME_SUPERVISOR))
    assert isinstance(decided, Refusal)
    assert (seen["lawful"], seen["reason"], seen["on"]) == (False, decided.reason, decided.on)
    assert seen["rule"] == decided.rule


def test_a_preview_is_refused_to_the_role_that_the_command_is_refused_to() -> None:
    desk = a_coup()
    seen = previewing(desk, c.Correct(1, ("9h", "Kd", "10c", "9s"), "x"), role=DEALER)
    assert (seen["lawful"], "not for the dealer" in seen["reason"]) == (False, True)
    assert seen["rule"] == "NZ1996-I-1.0-def-game-supervisor"
    assert not previewing(desk, c.SetPersonalLimit("Ann", 100, 200_000))["lawful"]
    assert previewing(desk, c.SetPersonalLimit("Ann", 100, 200_000), role=SHIFT_MANAGER)["lawful"]


def test_an_irregularity_is_previewed_with_its_ruling_and_the_layout_after_it() -> None:
    desk = with_players(a_desk("nzd5", version="midi"), "Ann")
    asked(desk, put("Ann", "player", 10_000), role=PLAYER, by="Ann")
    for card in ("6h", "Kd", "10c", "5s"):
        until_chance(desk)
        desk.tell(card)
    until_chance(desk)
    assert isinstance(desk.state.due, Deal)
    fact = {"irregular": "wrong_third_card", "card": "9d", "to": "player"}
    seen = previewing(desk, c.Tell(fact), role=DEALER)
    assert seen["lawful"], seen
    ruled = next(event for event in seen["events"] if event["type"] == "Ruled")
    assert ruled["rule"] == "NZD5-12.1a"
    assert seen["before"]["layout"]["cards"]["banker"] == ["Kd", "5s"]
    assert seen["after"]["layout"]["cards"]["banker"] == ["Kd", "5s", "9d"]
    assert staff_of(desk)["rulings"] == []
    asked(desk, c.Tell(fact))
    ruling = {"number": 0, "what": "wrong_third_card", "call": "", "level": DEALER, "rule": "NZD5-12.1a"}
    assert staff_of(desk)["rulings"] == [ruling]


@pytest.mark.parametrize(
    ("edition", "game", "fact"),
    [
        ("nz1996", "roulette", "17"),
        ("nz1996", "tai_sai", "1-3-6"),
        ("nz1996", "craps", "3-4"),
        ("nzd5", "baccarat", ""),
    ],
)
def test_the_facts_told_of_a_round_are_the_facts_of_a_correction(edition: str, game: str, fact: str) -> None:
    """Given back as they were told, they change nothing."""
    if game == "baccarat":
        desk, facts = a_coup(), ["9h", "Kd", "Kc", "7s"]
    else:
        desk, facts = with_players(a_desk(edition, game), "Ann"), [fact]
        on = {"roulette": "red", "tai_sai": "small", "craps": "pass"}[game]
        if game == "tai_sai":
            desk.ceremony()
        asked(desk, put("Ann", on, 10_000), role=PLAYER, by="Ann")
        played(desk, fact)
    record = shown_record(desk.state, desk.state.records[-1])
    given = tuple(each["fact"] for each in record["facts"])
    # Who throws the dice is a choice that the game itself knows; the rest of the ceremony is not.
    assert [fact for fact in given if isinstance(fact, str)] == facts
    assert all(each["due"] for each in record["facts"])
    assert sum(each["stake"] for each in record["wagers"]) in (10_000, 20_000)
    seen = previewing(desk, c.Correct(record["round"], given, "nothing was wrong"))
    assert (seen["lawful"], seen["wagers"], seen["chips"]) == (True, [], [])


# ---------------------------------------------------------------- clocks


def limits_of(desk: LiveTable) -> dict[str, Any]:
    limits: dict[str, Any] = staff_of(desk)["limits"]
    return limits


@pytest.mark.parametrize("wait", [20 * MINUTE - 1, 20 * MINUTE, 20 * MINUTE + 1])
def test_i_13_3a_the_clock_of_a_notice_says_when_the_change_becomes_lawful(wait: int) -> None:
    desk = with_players(a_desk("nzd5", version="midi"), "Ann")
    posted = 7 * MINUTE
    asked(desk, c.PostLimits(2_000, 50_000, posted + wait), role=GAME_SUPERVISOR, at=posted)
    notice = limits_of(desk)["notice"]
    assert (notice["minimum"], notice["maximum"], notice["posted_ms"]) == (2_000, 50_000, posted)
    lawful = notice["lawful_ms"]
    assert lawful == posted + max(wait, 20 * MINUTE)
    change = c.ChangeLimits(2_000, 50_000)
    for at in (posted + wait - 1, posted + wait, posted + wait + 1):
        seen = previewing(desk, change, at=at)
        assert seen["lawful"] == (at >= lawful)
        assert seen["lawful"] or seen["rule"] == "NZ1996-I-13.3"


def test_the_grounds_say_which_of_them_hold() -> None:
    desk = a_desk("nzd5", version="midi")
    grounds = {each["name"]: each["holds"] for each in limits_of(desk)["grounds"]}
    assert grounds == {"notice": False, "consent": False, "first opening": False, "no play": True}
    assert previewing(desk, c.ChangeLimits(2_000, 50_000))["lawful"]
    with_players(desk, "Ann")
    assert not any(each["holds"] for each in limits_of(desk)["grounds"])
    assert not previewing(desk, c.ChangeLimits(2_000, 50_000))["lawful"]
    assert previewing(desk, c.ChangeLimits(2_000, 50_000, consent=("Ann",)))["lawful"]
    assert [each["name"] for each in limits_of(a_desk("vic2002", version="crown"))["grounds"]] == ["notice", "consent"]


@pytest.mark.parametrize("wait", [20 * MINUTE - 1, 20 * MINUTE])
def test_i_6_0_the_clock_of_a_closing_says_when_the_table_may_close(wait: int) -> None:
    desk = with_players(a_desk("nzd5", version="midi"), "Ann")
    asked(desk, c.PostClosing(wait), role="casino supervisor", at=0)
    closing = staff_of(desk)["closing"]
    assert (closing["closes_ms"], closing["lawful_ms"]) == (wait, 20 * MINUTE)
    assert previewing(desk, c.CloseTable(), "casino supervisor", at=20 * MINUTE)["lawful"]
    assert not previewing(desk, c.CloseTable(), "casino supervisor", at=20 * MINUTE - 1)["lawful"]


# ---------------------------------------------------------------- views


def test_seats_idle_rounds_and_officials_are_told() -> None:
    desk = with_players(a_desk("nzd5", version="midi", seats=2), "Ann", "Bob")
    for count in (1, 2, 3):
        asked(desk, put("Ann", "player", 10_000), role=PLAYER, by="Ann")
        played(desk, "9h", "Kd", "Kc", "7s")
        view = staff_of(desk)
        assert {each["name"]: each["idle"] for each in view["players"]} == {"Ann": 0, "Bob": count}
        lawful = count >= view["seating"]["idle_rounds"]
        assert previewing(desk, c.AskToLeave("Bob"))["lawful"] == lawful
    view = staff_of(desk)
    assert (view["seating"]["full"], view["seating"]["idle_rule"]) == (True, "NZ1996-I-5.0")
    assert view["asks"]["SetPersonalLimit"] == {"role": "shift manager", "rule": "NZ1996-I-13.4"}
    assert view["asks"]["PostLimits"]["role"] == GAME_SUPERVISOR
    asked(desk, c.SetPersonalLimit("Bob", 2_000, 500_000), role=SHIFT_MANAGER)
    asked(desk, c.Exclude("Cy", "drunk"), role="casino supervisor")
    view = staff_of(desk)
    assert view["players"][1]["personal"] == (2_000, 500_000)
    assert view["seating"]["excluded"] == {"Cy": "drunk"}
    assert "casino supervisor" in {each["role"] for each in view["duty"]["people"]}


def test_rulings_and_disputes_are_told_with_whom_they_are_before() -> None:
    desk = a_coup()
    asked(desk, c.RaiseDispute("Bob", "the fourth card"), role=PLAYER, by="Bob")
    dispute = staff_of(desk)["disputes"][0]
    assert (dispute["complainant"], dispute["before"], dispute["resolved"]) == ("Bob", GAME_SUPERVISOR, False)
    left = c.DecideDispute(0, "the card stands", resolved=False, inspector_named=True)
    asked(desk, left, role=GAME_SUPERVISOR)
    assert staff_of(desk)["disputes"][0]["before"] == "casino supervisor"


def test_terminals_and_the_duties_of_a_case_are_told() -> None:
    desk = with_terminals()
    touch(desk, SEVEN, "banker", 5_000)
    until_chance(desk)
    electronic = staff_of(desk)["electronic"]
    assert electronic["unconfirmed"] == [SEVEN]
    assert [(each["name"], each["confirmed"], each["staked"]) for each in electronic["terminals"]] == [
        (SEVEN, False, 5_000),
        ("Terminal 8", True, 0),
    ]
    confirmed(desk)
    asked(desk, t.ReportMalfunction("a note was misread", SEVEN), role=GAME_SUPERVISOR)
    steps: tuple[AnyCommand, ...] = (t.ReportToInspector(0, "I-1"), t.Investigate(0, "cleaned"), t.RefundRound(0))
    for done, step in enumerate((*steps, None)):
        case = staff_of(desk)["electronic"]["cases"][0]
        assert [each["done"] for each in case["duties"]] == [number < done for number in range(3)]
        assert previewing(desk, t.CloseMalfunction(0))["lawful"] == (done == len(steps))
        if step is not None:
            asked(desk, step, role=GAME_SUPERVISOR)
    asked(desk, t.CloseMalfunction(0), role=GAME_SUPERVISOR)
    electronic = staff_of(desk)["electronic"]
    assert (electronic["cases"][0]["closed"], electronic["terminals"][0]["locked"]) == (True, False)
    assert staff_of(a_desk("nzd5", version="midi"))["electronic"] is None


def test_players_are_not_told_what_staff_see_and_both_see_the_corrected_result() -> None:
    desk = a_coup()
    asked(desk, c.Correct(1, ("9h", "Kd", "10c", "9s"), "a nine"), role=GAME_SUPERVISOR)
    seen = {role: seen_by(desk, role) for role in (PLAYER, DEALER, GAME_SUPERVISOR)}
    staff_only = set(staff_of(desk))
    assert not staff_only & set(seen[PLAYER])
    assert staff_only <= set(seen[DEALER])
    assert seen[DEALER] | {"me": 0} == seen[GAME_SUPERVISOR] | {"me": 0}
    for view in seen.values():
        assert [each["winner"] for each in view["history"]] == ["tie"]
    asked(desk, c.Invalidate(1, "fire"), role=SHIFT_MANAGER)
    assert seen_by(desk, PLAYER)["history"][0]["void"] == "fire"


def test_5_5_a_terminal_s_slip_is_told_as_confirmed_until_its_round_is_over() -> None:
    desk = with_terminals(7, 8)
    touch(desk, SEVEN, "player", 1000)
    touch(desk, SEVEN, "perfect_pairs", 1000)

    def slip(name: str = SEVEN) -> tuple[bool, bool]:
        terminal = own(desk.state, name, PLAYER).terminal
        assert terminal is not UNSET
        state = terminal.slip
        return state.owed, state.confirmed

    assert slip() == (False, False)
    closed(desk)
    assert slip() == (True, False)
    confirmed(desk)
    # The fourth card decides the pair, which is then on the slip no more.
    for card in ("9h", "Kd", "Kc", "7s"):
        assert slip() == (False, True)
        desk.tell(card)
    assert slip() == (False, True)
    assert slip("Terminal 8") == (False, False)


# ---------------------------------------------------------------- the doors


@asynccontextmanager
async def running(folder: Path, *, demo: bool) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    house = open_house(f"sqlite:///{folder}/house.db", folder / "key", demo=demo, hashing=Hashing(1, 64, 1))
    app = create_app(house, PLANNED)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers={"Origin": HERE}) as client:
            yield house, client


def in_a_house(folder: Path, does: Callable[[House, httpx.AsyncClient], Awaitable[None]], *, demo: bool = True) -> None:
    async def done() -> None:
        async with running(folder, demo=demo) as (house, client):
            await does(house, client)

    asyncio.run(done())


POST = {"type": "PostLimits", "minimum": 1_000, "maximum": 50_000, "from_ms": 4_000_000_000_000}


def test_a_preview_over_http_records_nothing_and_the_command_then_does(tmp_path: Path) -> None:
    async def does(house: House, client: httpx.AsyncClient) -> None:
        ticket, host = house.give(SUE), house.hosts[TABLE]
        lines = host.table.entries
        answer = await client.post(f"/api/tables/{TABLE}/preview", json={"ticket": ticket, "command": POST})
        preview = answer.json()
        assert (answer.status_code, preview["lawful"], preview["second"]) == (200, True, [])
        assert [event["type"] for event in preview["events"]] == ["LimitsPosted", "InspectorNotified"]
        assert (host.table.entries, host.shown.entries, host.table.posted) == (lines, lines, None)
        body = {"id": secrets.token_hex(16), "ticket": ticket, "command": POST}
        assert (await client.post(f"/api/tables/{TABLE}/commands", json=body)).json()["done"]
        assert host.table.entries == lines + 2

    in_a_house(tmp_path, does)


def test_previews_are_for_those_who_run_and_review_the_game(tmp_path: Path) -> None:
    async def does(house: House, client: httpx.AsyncClient) -> None:
        path, command = f"/api/tables/{TABLE}/preview", {"type": "ShowRules"}
        for role in (PLAYER, CASHIER, "note acceptor"):
            body = {"ticket": house.give(Ticket("Pat", role, TABLE)), "command": command}
            answer = await client.post(path, json=body)
            assert (answer.status_code, f"not for the {role}" in answer.json()["reason"]) == (403, True)
        ticket = house.give(SUE)
        assert (await client.post(path, json={"ticket": ticket, "command": command})).json()["lawful"]
        elsewhere = await client.post("/api/tables/B-2/preview", json={"ticket": ticket, "command": command})
        assert elsewhere.status_code == 403
        wrong = await client.post(path, json={"ticket": ticket, "command": {"type": "Nothing"}})
        assert wrong.status_code == 422

    in_a_house(tmp_path, does)


def test_a_lent_role_previews_nothing_and_what_an_official_would_order_is_seen_with_ones_own_ticket(
    tmp_path: Path,
) -> None:
    async def does(house: House, client: httpx.AsyncClient) -> None:
        path, closing = f"/api/tables/{TABLE}/preview", {"type": "PostClosing", "closes_ms": 4_000_000_000_000}
        lines = house.hosts[TABLE].table.entries
        command = secrets.token_hex(16)
        for role in (CASINO_SUPERVISOR, GAME_SUPERVISOR):
            body = {"ticket": house.give(Ticket("Max", role, TABLE, command=command)), "command": closing}
            answer = await client.post(path, json=body)
            assert (answer.status_code, "was lent" in answer.json()["reason"]) == (403, True), role
        own: dict[str, Any] = {"ticket": house.give(SUE), "command": closing}
        assert not (await client.post(path, json=own)).json()["lawful"]
        foreseen = (await client.post(path, json=own | {"role": CASINO_SUPERVISOR})).json()
        assert foreseen["lawful"], foreseen
        for role in (PLAYER, CASHIER, "king"):
            answer = await client.post(path, json=own | {"role": role})
            assert (answer.status_code, f"not for the {role}" in answer.json()["reason"]) == (403, True)
        # Nobody's role changes by it: the command itself is still refused to the ticket.
        body = {"id": command, "ticket": own["ticket"], "command": closing}
        assert not (await client.post(f"/api/tables/{TABLE}/commands", json=body)).json()["done"]
        assert house.hosts[TABLE].table.entries == lines

    in_a_house(tmp_path, does)


def test_rounds_to_correct_are_told_to_reviewers_only(tmp_path: Path) -> None:
    async def does(house: House, client: httpx.AsyncClient) -> None:
        path = f"/api/tables/{TABLE}/records"
        assert (await client.get(path)).status_code == 403
        for role, status in {DEALER: 403, PLAYER: 403, GAME_SUPERVISOR: 200, INSPECTOR: 200}.items():
            shown = {"Authorization": f"Ticket {house.give(Ticket('Pat', role, TABLE))}"}
            assert (await client.get(path, headers=shown)).status_code == status, role
        shown = {"Authorization": f"Ticket {house.give(SUE)}"}
        assert (await client.get(path, headers=shown)).json() == {"table": TABLE, "rounds": []}
        assert (await client.get("/api/tables/none/records", headers=shown)).status_code == 404

    in_a_house(tmp_path, does)


def test_a_house_with_accounts_says_who_the_second_person_may_be(tmp_path: Path) -> None:
    async def does(house: House, client: httpx.AsyncClient) -> None:
        assert house.accounts is not None
        made = MakeAccount("Sue", (GAME_SUPERVISOR,), "no verifier", must_change=False)
        assert (await house.accounts.ask(made, by=CONSOLE, role=CONSOLE)).done
        correct = {"type": "Correct", "round": 1, "facts": [], "reason": "x"}
        for command, two in ((correct, True), (POST, False)):
            body = {"ticket": house.give(SUE), "command": command}
            preview = (await client.post(f"/api/tables/{TABLE}/preview", json=body)).json()
            assert (INSPECTOR in preview["second"], DEALER in preview["second"]) == (two, False)

    in_a_house(tmp_path, does, demo=False)
