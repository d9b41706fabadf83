"""The virtual dealer: rounds go on in every game, people are waited for, and a shoe is what it was said to be."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from croupier.equipment import parse_card
from croupier.floor.keeping.host import Watcher
from croupier.floor.practice.dealer import Pace
from croupier.floor.views.choices import asked, beside
from croupier.floor.views.shapes import TableView
from croupier.floor.wire import View
from croupier.game import Choose, Chosen, Deal, Over, Perform, Roll
from croupier.law.officials import ROLES, VIRTUAL_SHOE
from croupier.law.ruleset import Ruleset
from croupier.once import replace
from croupier.rulesets import every_ruleset, ruleset
from croupier.table import commands as c
from croupier.table.events import Happened, ShoeFixed
from croupier.table.state import FixedShoe
from tests.helpers.desks.practice import Practice, practice
from tests.helpers.desks.views import view_of

ROUNDS = 150
STAKES = {
    "baccarat": {"banker": 4_000, "player": 2_500, "tie": 500},
    "blackjack": {"main": 2_000},
    "caribbean_stud": {"ante": 1_000},
    "roulette": {"red": 1_000, "straight:17": 500},
    "tai_sai": {"small": 1_000, "total:10": 500},
    "craps": {"pass": 1_000, "field": 500, "place:6": 600},
    "money_wheel": {"A": 1_000, "C": 500},
}
NAMES = [f"{rules.game} {rules.edition} {rules.version}" for rules in every_ruleset()]


async def played(table: Practice, rounds: int, *names: str) -> list[FixedShoe]:
    """Let these guests and the dealer play so many rounds; answers with all that was told of the shoes."""
    guests = [asyncio.create_task(table.guest(name, STAKES[table.table.ruleset.game]).run()) for name in names]
    shoes: list[FixedShoe] = []
    while table.table.number <= rounds and not any(guest.done() for guest in guests):
        await table.dealer.step()
        await asyncio.sleep(0)
        if table.table.shoe not in shoes[-1:]:
            shoes.append(table.table.shoe)
        assert table.kept.refused == {}
    for guest in guests:
        guest.cancel()
    return shoes


@pytest.mark.parametrize("rules", every_ruleset(), ids=NAMES)
def test_rounds_go_on_and_the_books_balance(rules: Ruleset[Any]) -> None:
    async def rounds() -> tuple[Practice, list[FixedShoe]]:
        table = await practice(rules)
        await table.sit("Ann", 1)
        return table, await asyncio.wait_for(played(table, ROUNDS, "Ann"), 100)

    table, shoes = asyncio.run(rounds())
    assert table.table.number == ROUNDS + 1
    assert sum(table.table.balances.values()) == 0
    revealed = [shoe for shoe in shoes if shoe.revealed]
    if table.table.game.decks(rules.rules):
        assert revealed
    shown = {shoe.commitment for shoe in shoes}
    for shoe in revealed:
        assert sha256(shoe.revealed.encode()).hexdigest() == shoe.before
        assert shoe.before in shown


def test_the_cards_of_a_shoe_are_those_that_the_journal_fixed_before_the_first() -> None:
    async def rounds() -> Practice:
        table = await practice(ruleset("nz1996", game="caribbean_stud"))
        await table.sit("Ann", 1)
        guest = table.guest("Ann", STAKES["caribbean_stud"])
        while table.table.number <= 3:
            await guest.bet()
            await table.dealer.step()
        return table

    fixed, dealt, orders = "", list[object](), list[str]()
    for line in asyncio.run(rounds()).kept.journal:
        match line.event:
            case ShoeFixed(commitment=commitment, revealed=revealed):
                if revealed:
                    # The cards since the last hash came in the order that it was made of.
                    assert sha256(revealed.encode()).hexdigest() == fixed
                    assert revealed.split()[1:11] == dealt
                    orders.append(revealed)
                fixed, dealt = commitment, []
            case Happened(fact=fact, due=due) if due.startswith("deal "):
                dealt.append(fact)
    assert len(set(orders)) == 2


def test_no_order_but_the_one_that_was_fixed_can_be_revealed_and_nobody_speaks_for_a_shoe() -> None:
    async def fixing() -> None:
        table = await practice(ruleset("nz1996", game="caribbean_stud"))
        first, text = "0" * 64, "salt 2h 3h"
        for commitment, revealed, reason in (
            ("12", "", "no SHA-256"),
            (first, text, "not the order that was fixed"),
            (sha256(text.encode()).hexdigest(), "", ""),
            (first, text + " ", "not the order that was fixed"),
            (first, text, ""),
        ):
            asked = c.FixShoe(commitment, revealed)
            answer = await table.host.ask("", asked, by="shoe", role=VIRTUAL_SHOE)
            assert answer.done == (reason == "")
            assert reason in answer.reason
        assert table.table.shoe == FixedShoe(first, sha256(text.encode()).hexdigest(), text)
        for role in ROLES:
            assert not (await table.host.ask("", c.FixShoe(first), by="Eve", role=role)).done

    asyncio.run(fixing())


def test_a_cutting_card_ends_a_shoe_with_its_ceremony() -> None:
    async def rounds() -> Practice:
        table = await practice(ruleset("nz1996", game="blackjack"))
        await table.sit("Ann", 1)
        await played(table, 120, "Ann")
        return table

    table = asyncio.run(rounds())
    facts = [line.event.fact for line in table.kept.journal if isinstance(line.event, Happened)]
    acts = [fact["perform"] for fact in facts if isinstance(fact, dict) and "perform" in fact]
    assert acts.count("cutting card") >= 1
    assert acts.count("shuffle") == acts.count("cutting card") + 1


# ---------------------------------------------------------------- choices


async def until_choice(table: Practice) -> Choose:
    """Play on until a choice about a hand is due."""
    for _ in range(400):
        due = table.table.due
        if isinstance(due, Choose) and not {"decline", "cut"} & set(due.options):
            return due
        await table.dealer.step()
    raise AssertionError("no choice came")


async def ready(game: str, on: str, *cards: str, choice: float = 60) -> Practice:
    """A table where Ann has bet on her box, with these cards next in the shoe."""
    table = await practice(ruleset("nz1996", game=game), Pace(0, 0, 0, choice))
    await table.sit("Ann", 1)
    while not isinstance(table.table.due, Over) and not (
        isinstance(due := table.table.due, Perform) and "No more bets" in due.act
    ):
        await table.dealer.step()
    assert (await table.as_player("Ann", c.PlaceWager("Ann", on, 2_000, box=1))).done
    if cards:
        table.dealer.shoe.left += [parse_card(card) for card in reversed(cards)]
    return table


def test_somebody_whose_page_is_open_is_waited_for() -> None:
    async def chosen() -> None:
        table = await ready("blackjack", "main", "5h", "9c", "6s", "2d", "Kd", "Ts")
        due = await until_choice(table)
        assert (due.by, asked(table.table)) == ("Ann", "Ann")
        table.watched_by("Ann")
        waiting = asyncio.create_task(table.dealer.step())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        assert table.host.choice_ms == 60_000
        hit = {"choose": "hit", "by": "Ann", "box": 1, "hand": 1}
        assert (await table.as_player("Ann", c.Tell(hit))).done
        await asyncio.wait_for(waiting, 20)
        assert table.host.choice_ms == 0
        assert isinstance(table.table.due, Deal)
        assert [line.event.fact for line in table.kept.journal if isinstance(line.event, Happened)][-1] == hit

    asyncio.run(chosen())


def test_somebody_who_leaves_in_a_choice_is_waited_for_no_longer() -> None:
    async def chosen() -> None:
        table = await ready("blackjack", "main", "5h", "9c", "6s", "2d", "Kd", "Ts", choice=600)
        await until_choice(table)
        watcher = table.watched_by("Ann")
        waiting = asyncio.create_task(table.dealer.step())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        table.host.watchers.pop(watcher)
        await asyncio.wait_for(waiting, 20)
        assert (table.host.choice_ms, isinstance(table.table.due, Choose)) == (0, False)

    asyncio.run(chosen())


@pytest.mark.parametrize(("game", "on", "expected"), [("blackjack", "main", "hit"), ("caribbean_stud", "ante", "fold")])
def test_the_absent_and_the_slow_want_nothing(game: str, on: str, expected: str) -> None:
    async def answered(*, there: bool, choice: float) -> Any:
        cards = ("5h", "9c", "4s") if game == "blackjack" else ()
        table = await ready(game, on, *cards, choice=choice)
        if there:
            table.watched_by("Ann")
        await until_choice(table)
        await asyncio.wait_for(table.dealer.step(), 20)
        return [line.event.fact for line in table.kept.journal if isinstance(line.event, Happened)][-1]

    # Nobody would wait so long for somebody who is not there; and a short time does pass.
    assert asyncio.run(answered(there=False, choice=600))["choose"] == expected
    assert asyncio.run(answered(there=True, choice=0.05))["choose"] == expected


def test_a_bet_at_stud_follows_the_ante() -> None:
    async def chosen() -> None:
        table = await ready("caribbean_stud", "ante")
        due = await until_choice(table)
        assert (due.by, asked(table.table)) == ("box 1", "Ann")
        assert (await table.as_player("Ann", c.Tell({"choose": "bet", "by": "Ann"}))).done
        stakes = {entry.wager.on: entry.wager.stake_cents for entry in table.table.round.book}
        assert stakes == {"ante": 2_000, "bet": 4_000}

    asyncio.run(chosen())


def test_insurance_is_waited_for_and_taken_from_the_table() -> None:
    async def chosen() -> None:
        table = await ready("blackjack", "main", "Th", "Ac", "9s", "2d")
        table.watched_by("Ann")
        await until_choice(table)
        offered = beside(table.table, "Ann")
        assert [offer["choose"] for offer in offered] == ["insure"]
        assert (await table.as_player("Ann", c.Tell(offered[0]))).done
        assert [wager.stake_cents for wager in table.table.round.standing if wager.on == "insurance"] == [1_000]
        assert beside(table.table, "Ann") == ()

    asyncio.run(chosen())


def test_insurance_of_victoria_is_waited_for_before_the_third_card() -> None:
    async def chosen() -> None:
        table = await practice(ruleset("vic2002", game="baccarat", version="crown"), Pace(0, 0, 0, 60))
        await table.sit("Ann", 1)
        while table.dealer.offers.betting(table.table).state != "closing":
            await table.dealer.step()
        assert (await table.as_player("Ann", c.PlaceWager("Ann", "banker", 2_000))).done
        # The Banker has six on two cards, and the Player draws.
        table.dealer.shoe.left += [parse_card(card) for card in reversed(("2h", "Kc", "3d", "6s"))]
        while not isinstance(table.table.due, Deal) or "insurance" not in table.dealer.offers.opens(table.table, "Ann"):
            await table.dealer.step()
        table.watched_by("Ann")
        waiting = asyncio.create_task(table.dealer.step())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        assert view(table, "Ann")["me"]["opens"] == ["insurance"]
        assert (await table.as_player("Ann", c.PlaceWager("Ann", "insurance", 1_000))).done
        await asyncio.wait_for(waiting, 20)
        insured = [entry.wager.stake_cents for entry in table.table.round.book if entry.wager.on == "insurance"]
        assert insured == [1_000]

    asyncio.run(chosen())


def test_each_hand_of_a_split_is_waited_for() -> None:
    async def chosen() -> None:
        table = await ready("blackjack", "main", "8h", "6c", "8s", "Td", "9d")
        table.watched_by("Ann")
        await until_choice(table)
        assert (await table.as_player("Ann", c.Tell({"choose": "split", "by": "Ann"}))).done
        first = await until_choice(table)
        waiting = asyncio.create_task(table.dealer.step())
        await asyncio.sleep(0.05)
        assert (await table.as_player("Ann", c.Tell({"choose": "stand", "by": "Ann", "box": 1, "hand": 1}))).done
        await asyncio.wait_for(waiting, 20)
        second = await until_choice(table)
        # The two are told apart by their hands; the second is not answered in the place of the first.
        assert (second, second.hand) == (replace(first, hand=2), 2)
        waiting = asyncio.create_task(table.dealer.step())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(chosen())


def test_even_money_is_offered_to_a_blackjack_against_an_ace() -> None:
    async def chosen() -> None:
        table = await ready("blackjack", "main", "Th", "Ac", "As", "2d")
        for _ in range(40):
            if beside(table.table, "Ann"):
                break
            await table.dealer.step()
        assert "even_money" in [offer["choose"] for offer in beside(table.table, "Ann")]

    asyncio.run(chosen())


def test_another_player_on_the_box_rides_on_a_hand_if_nothing_is_said() -> None:
    async def chosen() -> None:
        table = await ready("blackjack", "main", "8h", "6c", "8s", "2d", "3d", "Th", "Ts", "Tc", "Td", "9c")
        await table.sit("Bob", 2)
        assert (await table.as_player("Bob", c.PlaceWager("Bob", "main", 1_000, box=1))).done
        await until_choice(table)
        assert (await table.as_player("Ann", c.Tell({"choose": "split", "by": "Ann"}))).done
        due = table.table.due
        assert isinstance(due, Choose)
        facts = table.dealer.walker.facts(table.table.attended)
        assert (due.by, next(facts)) == ("Bob", Chosen("ride", "Bob", 1, 1))
        number = table.table.number
        for _ in range(60):
            await table.dealer.step()
        assert table.kept.refused == {}
        assert table.table.number == number + 1

    asyncio.run(chosen())


# ---------------------------------------------------------------- what a page is told


def view(table: Practice, name: str) -> dict[str, Any]:
    text = table.host.view_for(table.watched_by(name))
    assert text is not None
    content: dict[str, Any] = json.loads(text)["view"]
    return content


@pytest.mark.parametrize("role", ["player", "dealer", "inspector"])
def test_the_view_that_is_joined_from_parts_is_the_message_of_the_whole(role: str) -> None:
    async def run() -> None:
        table = await ready("caribbean_stud", "ante")
        await until_choice(table)
        host, watcher = table.host, Watcher("Ann", role, lambda: None, lambda _: None)
        host.closes_ms = 12_345
        text = host.view_for(watcher)
        assert text is not None
        joined = msgspec.json.decode(text, type=View)
        whole = view_of(host.shown, host.recent, ("Ann", role), practice=True, at_ms=joined.view.at_ms)
        assert (joined.view.closes_ms, len(joined.view.shoe.commitment or "")) == (12_345, 64)
        whole = msgspec.structs.replace(whole, closes_ms=12_345)
        assert joined == View(host.shown.entries, msgspec.json.decode(msgspec.json.encode(whole), type=TableView))
        assert host.view_for(watcher) is None  # nothing has changed

    asyncio.run(run())


def test_a_player_at_stud_sees_no_cards_but_his_own_and_the_one_face_up() -> None:
    async def views() -> tuple[dict[str, Any], dict[str, Any]]:
        table = await ready("caribbean_stud", "ante")
        await table.sit("Bob", 2)
        assert (await table.as_player("Bob", c.PlaceWager("Bob", "ante", 500, box=2))).done
        await until_choice(table)
        return view(table, "Ann"), view(table, "Bob")

    ann, bob = asyncio.run(views())
    assert {
        card for seen in (ann, bob) for box in seen["layout"]["boxes"] for hand in box["hands"] for card in hand
    } == {"?"}
    assert [card for card in ann["layout"]["cards"]["dealer"] if card != "?"] == [ann["layout"]["up_card"]]
    mine, yours = (seen["me"]["boxes"][0]["hands"][0] for seen in (ann, bob))
    assert len(set(mine) | set(yours)) == 10
    assert (ann["me"]["asked"], bob["me"]["asked"]) == (True, False)


def test_odds_open_only_for_the_player_whose_line_wager_has_the_point() -> None:
    async def views() -> tuple[int, dict[str, Any], dict[str, Any]]:
        table = await practice(ruleset("nz1996", game="craps"))
        await table.sit("Ann", 1)
        await table.sit("Bob", 2)
        while True:
            if not table.table.staked("Ann"):
                await table.as_player("Ann", c.PlaceWager("Ann", "pass", 1_000))
            point = view(table, "Ann")["layout"]["point"]
            if point and isinstance(table.table.due, Roll):
                return point, view(table, "Ann"), view(table, "Bob")
            await table.dealer.step()

    point, ann, bob = asyncio.run(views())
    assert ann["betting"]["open"]
    assert {"pass", f"pass_odds:{point}"} <= set(ann["betting"]["shut"])
    assert "come" not in ann["betting"]["shut"]
    assert (ann["me"]["opens"], bob["me"]["opens"]) == ([f"pass_odds:{point}"], [])


def test_a_wager_meant_for_a_round_that_is_over_is_refused() -> None:
    async def run() -> None:
        table = await ready("roulette", "red")
        number = table.table.number
        while table.table.number == number:
            await table.dealer.step()
        late = await table.as_player("Ann", c.PlaceWager("Ann", "red", 1_000), meant=number)
        assert (late.done, late.rule) == (False, "NZ1996-III-4.5")
        assert late.reason == f"meant for round {number}; the table is at round {number + 1}"
        assert (await table.as_player("Ann", c.PlaceWager("Ann", "red", 1_000), meant=number + 1)).done
        assert (await table.as_player("Ann", c.PlaceWager("Ann", "red", 1_000))).done

    asyncio.run(run())


def test_a_call_that_a_dealer_must_confirm_holds_up_no_throw() -> None:
    async def run() -> None:
        table = await practice(ruleset("nz1996", game="craps"))
        await table.sit("Ann", 1)
        for on, stake in (("pass", 1_000), ("place:6", 1_200)):
            assert (await table.as_player("Ann", c.PlaceWager("Ann", on, stake))).done
        assert (await table.as_player("Ann", c.Tell({"call": "on", "on": "place:6", "by": "Ann"}))).done
        assert [order.official for order in table.table.awaited] == ["dealer"]
        while table.table.number == 1:
            await table.dealer.step()
        assert table.kept.refused == {}
        called = [line for line in table.kept.journal if isinstance(line.event, Happened) and "call" in line.event.fact]
        assert [(line.by, line.role) for line in called] == [("virtual dealer", "dealer")]

    asyncio.run(run())
