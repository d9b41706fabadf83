"""Attack on every table: each fact and command, in every role, with a forged or missing official, at many moments."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.errors import Refused
from croupier.game import Choose, Deal, Irregular, Perform, Performed, Refusal, Roll, Spin
from croupier.law.officials import DEALER, LADDER, PLAYER, ROLES, acting
from croupier.notation import read_fact
from croupier.rulesets import every_ruleset, known_game
from croupier.table import commands as c
from croupier.table.commands import TableRequest
from croupier.table.decide import decide
from croupier.table.desk import LiveTable
from croupier.table.events import Happened, OrderAwaited, Ruled
from tests.helpers.desks.table import opened, with_players

EVERY = tuple({(rules.game, rules.edition): rules for rules in every_ruleset()}.values())
MOMENTS = 24
CARDS = ("9h", "8d", "7c", "6s", "5h", "4d", "3c", "2s", "Kh", "Qd")
FORGED = ("", "game supervisor", "casino manager", "inspector", "operator", "game supervisor or above", "Sue")


def moments(desk: LiveTable) -> Any:
    """The table at one moment after another, each answered as it should be."""
    for number in range(MOMENTS):
        yield desk
        due = desk.state.due
        try:
            match due:
                case Perform():
                    desk.act(due)
                case Choose(by=by, options=options):
                    desk.tell({"choose": options[-1], "by": by})
                case Deal():
                    desk.tell(CARDS[number % len(CARDS)])
                case Roll():
                    desk.tell("3-4" if desk.state.ruleset.game == "craps" else "1-3-6")
                case Spin():
                    desk.tell("17" if desk.state.ruleset.game == "roulette" else "A")
                case _:
                    return
        except Refused:
            return


def a_table(rules: Any) -> LiveTable:
    elections = rules.elections
    shuffler = elections.get("shuffler", elections.get("device")) in ("continuous", "shuffler")
    desk = LiveTable(known_game(rules.game), rules)
    signs = ("private", *(law.value for law in desk.state.layout.notices.values()))
    opened(desk, supplies="shuffler" if shuffler else "shoe", signs=signs)
    if not desk.state.general.terminals or rules.version != "terminals":
        with_players(desk, "ann", "ben")
        for on in desk.state.game.wagers(rules.rules)[:1]:
            answer = decide(desk.state, TableRequest(c.PlaceWager("ann", on, 2000), "ann", PLAYER))
            if not isinstance(answer, Refusal):
                desk.bet("ann", on, 2000)
    return desk


def answer_to(desk: LiveTable, fact: Any, role: str, by: str) -> Any:
    return decide(desk.state, TableRequest(c.Tell(fact), by, role))


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: f"{rules.game}-{rules.edition}-{rules.version}")
def test_a_word_in_a_fact_never_carries_authority(rules: Any) -> None:
    """Whatever official a fact names, the answer is that to the asker's own role."""
    desk = a_table(rules)
    for at in moments(desk):
        due = at.state.due
        if isinstance(due, Perform) and acting(due.by):
            for role in ROLES:
                answers = [answer_to(at, {"perform": due.act, "by": by}, role, "zoe") for by in FORGED]
                assert all(each == answers[0] for each in answers) or role == PLAYER, (due, role, answers)
                happened = answer_to(at, {"perform": due.act, "by": due.by}, role, "zoe")
                done = not isinstance(happened, Refusal) and isinstance(happened[0], Happened)
                assert not done or role in (acting(due.by) or ()), (due, role)


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: f"{rules.game}-{rules.edition}-{rules.version}")
def test_a_ruling_is_only_ever_made_by_whom_the_law_names(rules: Any) -> None:
    """A declaration is ruled on at once only for a role that may; for any other it waits or is refused."""
    desk = a_table(rules)
    for number, at in enumerate(moments(desk)):
        if number % 6:
            continue
        for what in at.state.game.circumstances:
            for call in ("", "void"):
                fact: dict[str, Any] = {"irregular": what, "card": "2d", "call": call, "to": "player"}
                if not at.state.game.decks(rules.rules):
                    del fact["card"]
                lowest = next((role for role in LADDER if _ruled(answer_to(at, fact, role, "zoe"))), None)
                for role in (*LADDER, PLAYER, "cashier"):
                    forged = {**fact, "by": LADDER[-1]}
                    answer = answer_to(at, forged, role, "zoe")
                    if _ruled(answer) and role in LADDER:
                        assert lowest is not None
                        assert LADDER.index(role) >= LADDER.index(lowest), (what, role)
                    assert not _ruled(answer) or role not in (PLAYER, "cashier", "note acceptor"), (what, role)


def _ruled(answer: Any) -> bool:
    return not isinstance(answer, Refusal) and any(isinstance(event, Ruled) for event in answer)


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: f"{rules.game}-{rules.edition}-{rules.version}")
def test_nothing_falls_while_an_act_or_a_choice_is_due(rules: Any) -> None:
    """No card, throw or spin is taken but when it is due, and no answer from whom it was not put to."""
    chance = ("9h", "3-4", "1-3-6", "17", "A")
    for at in moments(a_table(rules)):
        due = at.state.due
        if isinstance(due, Deal | Roll | Spin):
            continue
        for text in chance:
            fact = read_fact(text, due)
            if isinstance(fact, Performed | Irregular) or type(fact).__name__ == "Chosen":
                continue
            for role in ROLES:
                assert isinstance(answer_to(at, text, role, "zoe"), Refusal), (due, text, role)
        if isinstance(due, Choose):
            for option in due.options:
                for role in ROLES:
                    assert isinstance(answer_to(at, option, role, "zoe"), Refusal), (due, role)
                    assert isinstance(answer_to(at, {"choose": option, "by": "zoe"}, role, "zoe"), Refusal), (due, role)
                for player in ("ann", "ben"):
                    answer = answer_to(at, {"choose": option, "by": due.by}, PLAYER, player)
                    there = at.state.players.get(player)
                    own = (player, f"seat {there.seat}", f"box {there.seat}") if there else ()
                    assert due.by in own or isinstance(answer, Refusal), (due, player)


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: f"{rules.game}-{rules.edition}-{rules.version}")
def test_what_waits_is_given_by_its_official_alone(rules: Any) -> None:
    for at in moments(a_table(rules)):
        due = at.state.due
        if not isinstance(due, Perform):
            continue
        answer = answer_to(at, {"perform": due.act, "by": due.by}, DEALER, "dan")
        if isinstance(answer, Refusal) or not isinstance(answer[0], OrderAwaited):
            continue
        at.ask(c.Tell({"perform": due.act, "by": due.by}), by="dan")
        (order,) = at.state.awaited
        for role in ROLES:
            given = decide(at.state, TableRequest(c.ConfirmOrder(order.order), "zoe", role))
            assert isinstance(given, Refusal) is (role not in (acting(order.official) or ())), (order, role)
            own = decide(at.state, TableRequest(c.ConfirmOrder(order.order), "dan", role))
            assert isinstance(own, Refusal), "who asked is not who orders"
        at.ask(c.DeclineOrder(order.order), by="dan")
