"""The odds lab's doors: choices from the law, answers like the commands', bounded work, and simulations to watch."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from croupier.exact.sheet import as_json, sheet
from croupier.floor.doors.bounds import Busy
from croupier.floor.keeping.house import House
from croupier.floor.rooms.lab import doors as lab
from croupier.floor.rooms.lab import studies, trials
from croupier.floor.rooms.lab.reckoner import Reckoner
from croupier.games import GAMES
from croupier.law.elections import electable
from croupier.rulesets import known_game, ruleset
from croupier.simulation.run import simulate
from tests.helpers.houses.rooms import room

CROWN = {"game": "baccarat", "edition": "vic2002", "version": "crown", "quick": "1"}


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[httpx.Client, House]]:
    with room(lab.DOORS) as here:
        yield here


@pytest.fixture(scope="module")
def client(running: tuple[httpx.Client, House]) -> httpx.Client:
    return running[0]


# ---------------------------------------------------------------- choices


def test_everything_the_law_lets_an_operator_choose_is_on_offer(client: httpx.Client) -> None:
    games = {game["game"]: game for game in client.get("/api/lab/choices").json()["games"]}
    assert set(games) == set(GAMES)
    for game in GAMES.values():
        for edition in games[game.name]["editions"]:
            for version in edition["versions"]:
                rules = game.editions[edition["edition"]][version["version"]]
                readings = {each["name"] for each in games[game.name]["readings"]}
                named = {each["name"] for each in version["elections"]}
                assert named | readings >= set(electable(rules))
                assert all(each["rule"] for each in version["elections"])
    assert games["craps"]["cards"] is False
    assert games["caribbean_stud"]["jackpot"] is True


def test_a_version_has_the_readings_of_its_own_rules_only(client: httpx.Client) -> None:
    baccarat = next(each for each in client.get("/api/lab/choices").json()["games"] if each["game"] == "baccarat")
    found = {
        f"{edition['edition']}/{version['version']}": {each["name"]: each["rule"] for each in version["readings"]}
        for edition in baccarat["editions"]
        for version in edition["versions"]
    }
    assert found["nz1996/midi"] == {"differential_moment": "NZ1996-IX-4.10"}
    assert found["nz1998/full"] == {"differential_moment": "NZ1998-5.14"}
    assert found["nzeb/hybrid"] == {"differential_moment": "NZD5-5.18", "malfunction_refund": "NZEB-12.5c"}
    assert set(found["vic2002/crown"]) == {"differential_moment", "run_and_void_coups", "attempts_outside_limits"}
    par = client.get("/api/lab/par?game=baccarat&edition=nz1998&quick=1").text
    assert "differential_moment" in par
    assert "attempts_outside_limits" not in par


@pytest.mark.parametrize("game", GAMES)
def test_every_election_that_is_offered_is_taken(client: httpx.Client, game: str) -> None:
    choices = next(each for each in client.get("/api/lab/choices").json()["games"] if each["game"] == game)
    for edition in choices["editions"]:
        for version in edition["versions"]:
            for election in version["elections"]:
                for value in election["values"] or ["its source"]:
                    query = [("game", game), ("edition", edition["edition"]), ("version", version["version"])]
                    choice, _ = studies.read([*query, ("elect", f"{election['name']}={value}")])
                    assert studies.rules_of(choice).version == version["version"]


# ---------------------------------------------------------------- sheets


def test_a_sheet_is_the_one_of_the_command_with_what_its_rules_say(client: httpx.Client) -> None:
    query = "game=baccarat&edition=nzd5&version=full&decks=6&elect=no_commission&quick=1"
    answer = client.get(f"/api/lab/sheet?{query}").json()
    chosen = ruleset("nzd5", version="full", elections={"decks": 6, "no_commission": True})
    made = json.loads(json.dumps(as_json(sheet(known_game("baccarat"), chosen))))
    assert {name: answer[name] for name in made} == made
    assert answer["cards"] == 312
    assert all(answer["says"][rule] for row in answer["wagers"] for rule in row["rules"])


def test_the_player_advantage_is_said_in_words(client: httpx.Client) -> None:
    sheet = client.get("/api/lab/sheet", params=CROWN).json()
    assert sheet["more"] is True, "the Runs take seconds, and this was asked quickly"
    (warning,) = sheet["warnings"]
    assert "favours the player" in warning
    assert "VIC2002-10.1.crown-insurance" in warning
    (warned,) = sheet["warned"]
    assert warning == f"{warned['says']} ({warned['rule']})"
    both = client.get("/api/lab/compare", params={**CROWN, "with": "vic2002/crown"}).json()
    assert [(each["edition"], each["version"]) for each in both["warned"]] == [("vic2002", "crown")] * 2


def test_cards_taken_out_move_the_odds(client: httpx.Client) -> None:
    full = client.get("/api/lab/sheet", params=CROWN).json()
    ranks = "32,31,30,31,27,26,28,31,32,32,31,30,32"
    sheet = client.get("/api/lab/sheet", params={**CROWN, "ranks": ranks}).json()
    assert sheet["cards"] == 393
    edges = {row["wager"]: row["edge_percent"] for row in sheet["wagers"]}
    assert edges["player"] == pytest.approx(1.1135, abs=5e-5)
    assert edges["player"] != full["wagers"][0]["edge_percent"]


def test_a_game_that_needs_suits_loses_them_in_turn(client: httpx.Client) -> None:
    counts = studies.suits_in_turn((4, 3, 2, *[4] * 9, 0), 1)
    assert [counts[rank::13] for rank in (0, 1, 2, 12)] == [(1, 1, 1, 1), (0, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 0)]
    ranks = ",".join(["3", *["4"] * 12])
    sheet = client.get("/api/lab/sheet", params={"game": "caribbean_stud", "ranks": ranks}).json()
    assert sheet["suits_in_turn"] is True
    assert sheet["wagers"][0]["wager"] == "ante"


def test_why_and_compare_answer_like_their_commands(client: httpx.Client) -> None:
    why = client.get("/api/lab/why", params={"game": "craps", "wager": "dont_pass"}).json()
    assert why["rows"][0]["edge"] == "3/220"
    assert sum(1 for each in why["rows"][0]["outcomes"] if each["ends"] == "standoff") == 1
    asked = {"game": "baccarat", "edition": "nz1998", "with": "nzd5/full,no_commission", "quick": "1"}
    comparison = client.get("/api/lab/compare", params=asked).json()
    banker = next(row for row in comparison["wagers"] if row["wager"] == "banker")
    assert banker["house_gains_cents"] == pytest.approx(40.02, abs=0.01)
    assert [each["result"] for each in banker["because"]] == ["win", "win with six"]


def test_counts_too_large_for_a_page_are_text() -> None:
    assert studies._plain({"few": 2**53, "many": [2**53 + 1]}) == {"few": 2**53, "many": [str(2**53 + 1)]}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("sheet", "unknown game ''"),
        ("sheet?game=poker", "unknown game 'poker'"),
        ("sheet?game=baccarat&edition=nz2000", "unknown edition 'nz2000'"),
        ("sheet?game=baccarat&version=maxi", "unknown version 'maxi'"),
        ("sheet?game=baccarat&edition=nz1998&decks=6", "decks=6 is not permitted"),
        ("sheet?game=baccarat&elect=", "elect takes NAME=VALUE"),
        ("sheet?game=baccarat&elect=a=1&elect=a=2", "'a' is given twice"),
        ("sheet?game=blackjack&reading=dealer_blackjack=maybe", "cannot be 'maybe'"),
        ("sheet?game=baccarat&ranks=1,2", "ranks: 2 counts where 13 are needed"),
        ("sheet?game=baccarat&ranks=33,32,32,32,32,32,32,32,32,32,32,32,32", "ranks: the count of A is 33"),
        ("sheet?game=baccarat&ranks=x", "ranks: 'x' is not a count"),
        ("sheet?game=craps&ranks=4,4,4,4,4,4,4,4,4,4,4,4,4", "ranks: craps is played without cards"),
        ("sheet?game=roulette&pool=100", "pool is a jackpot's"),
        ("sheet?game=caribbean_stud&pool=much", "pool is a whole number of cents"),
        ("sheet?game=craps&game=craps", "game is given twice"),
        ("sheet?game=craps&colour=red", "unknown input 'colour'"),
        (f"sheet?game={'x' * 201}", "game: more than 200 characters"),
        ("why?game=craps", "wager names the wager"),
        ("why?game=roulette&wager=maybe", "unknown wager 'maybe'"),
        ("compare?game=craps", "with names the second edition"),
        ("compare?game=craps&with=nzd5", "unknown edition 'nzd5' of craps"),
        ("simulation?game=craps&rounds=0", "rounds is a whole number from 1"),
        ("simulation?game=craps&rounds=100000001", "rounds is a whole number from 1 to 100000000"),
        ("simulation?game=craps&seed=-1", "seed is a whole number"),
        ("simulation?game=baccarat&ranks=31,32,32,32,32,32,32,32,32,32,32,32,32", "ranks: a simulation plays whole"),
    ],
)
def test_bad_input_is_one_line_that_names_it(client: httpx.Client, path: str, names: str) -> None:
    answer = client.get(f"/api/lab/{path}")
    assert answer.status_code == 422
    reason = answer.json()["reason"]
    assert names in reason
    assert "\n" not in reason


def test_what_the_law_does_not_permit_names_the_rule(client: httpx.Client) -> None:
    refusal = client.get("/api/lab/sheet?game=baccarat&edition=nz1998&decks=6").json()
    assert refusal["rule"] == "NZ1998-3.4a"


def test_a_par_sheet_is_a_file_to_keep(client: httpx.Client) -> None:
    answer = client.get("/api/lab/par?game=money_wheel")
    assert answer.headers["content-disposition"] == 'attachment; filename="par-money_wheel-nz1996.html"'
    assert "PAR sheet" in answer.text


# ---------------------------------------------------------------- simulations


def played(client: httpx.Client, query: str) -> list[dict[str, Any]]:
    with client.stream("GET", f"/api/lab/simulation?{query}") as answer:
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.iter_lines()]


def test_a_watched_simulation_is_the_simulation_of_that_seed(client: httpx.Client) -> None:
    begun, *slices, over = played(client, "game=baccarat&edition=nzd5&version=full&rounds=60007&seed=7")
    assert over == {"type": "over", "rounds": 60007}
    assert len(slices) > 10
    assert [line["rounds"] for line in slices] == sorted({line["rounds"] for line in slices})
    whole = simulate(ruleset("nzd5", version="full"), rounds=60007, seed=7)
    for row, line, (edge, _, decided) in zip(begun["wagers"], whole.lines, slices[-1]["edges"], strict=True):
        assert (row["wager"], decided) == (line.wager, line.decided)
        assert edge == pytest.approx(-100 * line.mean)
        assert line.exact is not None
        assert row["exact_percent"] == pytest.approx(float(-100 * line.exact.mean))


def test_only_so_many_simulations_run_at_once(running: tuple[httpx.Client, House]) -> None:
    client, house = running
    the_lab = lab.lab_of(house)
    the_lab.running = the_lab.most
    try:
        answer = client.get("/api/lab/simulation?game=craps&rounds=1")
        assert answer.status_code == 503
        assert "simulations run already" in answer.json()["reason"]
    finally:
        the_lab.running = 0


def test_nobody_watching_ends_a_simulation(running: tuple[httpx.Client, House]) -> None:
    """The stream asks for no more slices once the page is gone, and its place is free again."""
    client, house = running
    the_lab = lab.lab_of(house)
    with client.stream("GET", "/api/lab/simulation?game=craps&rounds=100000000") as answer:
        lines = answer.iter_lines()
        assert [json.loads(next(lines))["type"] for _ in range(2)] == ["begun", "played"]
        assert the_lab.running == 1
    for _ in range(600):
        if not the_lab.running:
            return
        time.sleep(0.05)
    raise AssertionError("the simulation goes on without anybody")


def test_a_slice_goes_on_where_the_last_one_ended() -> None:
    choice, _ = studies.read([("game", "money_wheel")])
    state, _ = trials.begun(choice)
    rounds: list[int] = []
    while state.tally.rounds < 5000:
        state, progress = trials.more(choice, 3, 5000, state)
        rounds.append(progress["rounds"])
    assert rounds[-1] == 5000
    assert state.tally.counts.sum() > 0


# ---------------------------------------------------------------- the worker


def test_the_worker_keeps_answers_refuses_crowds_and_ends_at_once() -> None:
    """The work is of the standard library, so that the worker need not import this module."""

    async def tried() -> None:
        here: Any = Reckoner(waiting=2, kept=2)
        first, again = await asyncio.gather(here.ask("a", os.getpid), here.ask("a", os.getpid))
        assert first == again != os.getpid()

        slow = [asyncio.create_task(here.ask(name, time.sleep, 0.3)) for name in ("b", "c")]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="2 questions wait already"):
            await here.ask("d", time.sleep, 0)
        assert await here.ask("a", os._exit, 1) == first
        turns = 0
        while not all(task.done() for task in slow):
            await asyncio.sleep(0.01)
            turns += 1
        assert turns > 10, "the loop stood still while the worker reckoned"

        # Two answers are kept: the oldest is forgotten, and would be reckoned again.
        assert await here.ask("c", os.getppid) is None
        assert await here.ask("a", os.getppid) == os.getpid()

        # Somebody who goes away takes only the own question along: the worker stays.
        busy = asyncio.create_task(here.do(time.sleep, 0.5))
        gone = asyncio.create_task(here.do(os.getpid))
        await asyncio.sleep(0.1)
        gone.cancel()
        await asyncio.gather(busy, gone, return_exceptions=True)
        assert gone.cancelled()
        assert await here.do(os.getpid) == first

        # A worker that dies takes its question with it, and the next question gets another worker.
        with pytest.raises(Busy, match="lost"):
            await here.ask("e", os._exit, 1)
        assert await here.ask("f", os.getpid) != first

        here.patience_s = 0.3
        with pytest.raises(Busy, match="longer than"):
            await here.ask("g", time.sleep, 600)

        here.patience_s = 600
        waits = asyncio.create_task(here.ask("h", time.sleep, 600))
        await asyncio.sleep(0.1)
        await here.close()
        with pytest.raises(Busy):
            await waits
        with pytest.raises(Busy, match="closing"):
            await here.ask("i", os.getpid)

    asyncio.run(tried())
