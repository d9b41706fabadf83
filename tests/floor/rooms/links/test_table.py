"""Stud tables that play for the pool of a link: what each journal says, and that the two agree."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from croupier.equipment import RANKS
from croupier.errors import Refused
from croupier.floor.keeping.links import joined
from croupier.game import Perform
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.state import bank_of
from croupier.journal.entries import encode
from croupier.journal.messages import Event
from croupier.law.officials import JACKPOT_EQUIPMENT
from croupier.money import LARGEST_AMOUNT, dollars
from croupier.prove.table_driver import Driver
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.desk import LiveTable
from croupier.table.events import decode
from croupier.table.evolve import after
from croupier.table.explain import explain
from croupier.table.linked import waits
from croupier.table.state import new_table, snapshot
from tests.helpers.desks.jackpot import MANAGER, a_link, terms
from tests.helpers.desks.jackpot import replay as replayed_link
from tests.helpers.desks.jackpot import snapshot as link_snapshot
from tests.helpers.desks.links import DEALER, FLUSH, NOTHING, ROYAL, ROYAL_OF_HEARTS, SEED, WAGER, Floor, floor, stud
from tests.helpers.desks.table import refused

VIII = "NZ1996-VIII-"
FED = 150
"""What a wager of two dollars adds to the pool at three quarters."""


def settled(table: LiveTable) -> dict[str, int]:
    """What the jackpot wagers of a table were paid, by player; the last settlement counts."""
    lines = [line.event for line in table.journal if isinstance(line.event, e.WagerSettled)]
    return {line.player: line.pays for line in lines if line.on == "jackpot"}


def of(table: LiveTable, kind: type[Event]) -> list[Event]:
    return [line.event for line in table.journal if isinstance(line.event, kind)]


def agree(this: Floor) -> None:
    """Everything was taken, and both journals lead to the same values again, byte for byte."""
    assert this.refused == []
    assert sum(this.link.balances.values()) == 0
    lines = [encode(line) for line in this.desk.journal]
    assert link_snapshot(replayed_link("grand", lines)) == link_snapshot(this.link)
    for table in this.tables.values():
        written = [encode(line) for line in table.journal]
        fresh = new_table(table.state.name, table.state.game, table.state.ruleset)
        again = after(fresh, map(decode, written))
        assert snapshot(again) == snapshot(table.state)
        assert [encode(decode(line)) for line in written] == written


def finish(this: Floor, name: str, number: int = 1) -> None:
    """What staff do until this round is over."""
    table = this.tables[name]
    for _ in range(60):
        if table.state.number != number:
            return
        due = table.state.due
        assert isinstance(due, Perform)
        table.act(due)
        this.tend()
    raise AssertionError(table.due)


# ---------------------------------------------------------------- one table


def test_12_1a_the_table_pays_what_the_pool_holds_and_not_what_its_sign_said() -> None:
    this = floor(stud())
    this.bet("T1", 1, 2)
    this.play("T1", {1: ROYAL, 2: NOTHING})
    finish(this, "T1")
    pool = SEED + 2 * FED
    assert settled(this.tables["T1"]) == {"ann": pool, "ben": 0}
    assert this.link.pool == SEED
    paid = [line.event for line in this.desk.journal if isinstance(line.event, m.JackpotPaid)]
    assert [(each.paid, each.from_pool, each.rule) for each in paid] == [(pool, pool, VIII + "12.1a")]
    agree(this)


def test_12_2_several_hands_of_a_round_share_one_pool() -> None:
    this = floor(stud("T1", "shoe", "ann", "ben", "cid"), seed=4_000_000, pool_rate=10_000)
    this.bet("T1", 1, 2, 3)
    this.play("T1", {1: ROYAL, 2: FLUSH, 3: ROYAL_OF_HEARTS})
    finish(this, "T1")
    left = 4_000_000 + 3 * WAGER - 10_000
    assert settled(this.tables["T1"]) == {"ann": left // 2, "ben": 10_000, "cid": left // 2}
    assert this.link.balances[bank_of("T1")] == left + 10_000 - 3 * WAGER
    agree(this)


def test_the_pool_is_a_fact_of_the_journal_twice_in_a_round_that_is_won() -> None:
    this = floor(stud())
    this.bet("T1", 1)
    this.play("T1", {1: FLUSH})
    finish(this, "T1")
    shown = [(event.round, event.pool, event.paid) for event in of(this.tables["T1"], e.PoolShown)]  # type: ignore[attr-defined]
    assert shown == [(0, SEED, False), (1, SEED + FED, False), (1, SEED + FED, True)]
    (claim,) = of(this.tables["T1"], e.JackpotClaimed)
    assert claim == e.JackpotClaimed(round=1, link="grand", hands={"1": "flush"}, rule=VIII + "11.10")
    story = explain(this.tables["T1"].journal, 1)
    assert "the pool of grand is claimed: box 1 with a flush" in story
    assert f"the pool of grand is {dollars(SEED + FED)}; on it box 1 gets $100" in story
    this.bet("T1", 1)
    this.play("T1", {1: NOTHING})
    assert len(of(this.tables["T1"], e.PoolShown)) == 4
    assert this.link.pool == SEED + 2 * FED - 10_000
    agree(this)


def test_12_3_no_hand_is_paid_before_the_link_has_said_on_which_pool() -> None:
    table = stud()
    this = floor(table)
    this.bet("T1", 1)
    this.play("T1", {1: ROYAL}, until="count the deck for box 1")
    table.tell({"perform": "count the deck for box 1"})  # the link does not hear of it yet
    assert waits(table.state)
    no = refused(table, c.Tell({"perform": "pay the jackpot of box 1"}))
    assert (no.rule, "grand" in no.reason) == (VIII + "12.3", True)
    back = refused(table, c.TakeBack("a slip"))
    assert back.rule == VIII + "11.10"
    this.tend()
    assert not waits(table.state)
    finish(this, "T1")
    agree(this)


@pytest.mark.parametrize("role", ["game supervisor", "casino manager", "dealer", "player"])
def test_only_the_equipment_of_a_link_says_what_the_pool_is(role: str) -> None:
    table = stud()
    with pytest.raises(Refused, match="show pool is for the jackpot equipment"):
        table.ask(c.ShowPool("grand", 100), role=role)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (c.ShowPool("grand", -1), "a pool of −$0.01"),
        (c.ShowPool("grand", 5, 2), "round 2 of T1 is over"),
        (c.ShowPool("grand", 5, 1, paid=True), "no hand of T1 waits"),
        (c.ShowPool("grand", 5, paid=True), "round 0 of T1 is over"),
    ],
)
def test_what_a_link_cannot_say(what: c.ShowPool, words: str) -> None:
    this = floor(stud())
    assert words in refused(this.tables["T1"], what, role=JACKPOT_EQUIPMENT).reason


def test_a_table_joins_a_link_only_when_no_jackpot_wager_is_in_play() -> None:
    table = stud()
    table.ceremony()
    table.bet("ann", "ante", 1_000, box=1)
    asked = c.ShowPool("grand", 5)
    table.bet("ann", "jackpot", WAGER, box=1)
    assert "no jackpot wager is in play" in refused(table, asked, role=JACKPOT_EQUIPMENT).reason
    table.ask(c.WithdrawWager("ann", 1))
    assert table.ask(asked, role=JACKPOT_EQUIPMENT)


def test_2_4b_no_jackpot_wager_while_the_meter_is_wrong() -> None:
    this = floor(stud())
    table = this.tables["T1"]
    table.ceremony()
    table.bet("ann", "ante", 1_000, box=1)
    this.desk.ask(m.CheckMeter("T1 meter", 5))
    this.tend()
    assert refused(table, c.PlaceWager("ann", "jackpot", WAGER, box=1)).rule == VIII + "2.4b"
    this.desk.ask(m.CheckMeter("T1 meter", SEED))
    this.tend()
    table.bet("ann", "jackpot", WAGER, box=1)
    agree(this)


# ---------------------------------------------------------------- two tables


@pytest.mark.parametrize("first", ["T1", "T2"])
def test_12_3_two_tables_are_paid_in_the_order_in_which_the_hands_were_received(first: str) -> None:
    """The royal flush that was received first takes the pool, although the other table is ready to pay before."""
    second = "T2" if first == "T1" else "T1"
    this = floor(stud("T1"), stud("T2"), pool_rate=10_000, seed=0)
    this.desk.ask(m.ReceivePool("old", SEED, "CCA"), MANAGER)
    for name in ("T1", "T2"):
        this.bet(name, 1)
    this.tables[second].now_ms = 60_000
    this.play(first, {1: ROYAL}, until="verify")
    this.play(second, {1: ROYAL})
    assert waits(this.tables[second].state)
    this.play(first, {1: ROYAL})
    for name in (first, second):
        finish(this, name)
    assert settled(this.tables[first]) == {"ann": SEED + 2 * WAGER}
    assert settled(this.tables[second]) == {"ann": 1_000_000}
    assert this.link.pool == 0
    agree(this)


# ---------------------------------------------------------------- what goes wrong


def test_a_misdeal_after_the_payment_takes_it_back_and_the_wagers_wait() -> None:
    this = floor(stud())
    table = this.tables["T1"]
    this.bet("T1", 1, 2)
    this.play("T1", {1: ROYAL, 2: FLUSH}, until="count the deck for box 1")
    paid = {box: prize.paid_cents for box, prize in this.link.tables["T1"].history[1].prizes.items()}
    assert paid == {1: SEED + 2 * FED - 10_000, 2: 10_000}
    table.tell({"irregular": "deck_count", "call": "51"})
    table.ceremony()
    this.tend()
    assert table.state.number == 2
    assert (this.link.pool, this.link.tables["T1"].history) == (2 * SEED + 2 * FED, {})
    assert sorted(this.link.tables["T1"].stakes) == [1, 2]
    for box, name in ((1, "ann"), (2, "ben")):
        table.bet(name, "ante", 1_000, box=box)
    this.play("T1", {1: FLUSH, 2: NOTHING})
    assert settled(table) == {"ann": 10_000, "ben": 0}
    agree(this)


def test_who_leaves_after_a_misdeal_takes_the_waiting_wager_out_of_the_pool() -> None:
    this = floor(stud())
    table = this.tables["T1"]
    this.bet("T1", 1, 2)
    this.play("T1", {1: ROYAL, 2: FLUSH}, until="count the deck for box 1")
    table.tell({"irregular": "deck_count", "call": "51"})
    table.ceremony()
    this.tend()
    held = table.chips("ann")
    table.ask(c.Leave("ann"))
    this.tend()
    assert table.chips("ann") == held + WAGER
    assert sorted(this.link.tables["T1"].stakes) == [2]
    assert this.link.pool == 2 * SEED + FED
    agree(this)
    table.bet("ben", "ante", 1_000, box=2)
    this.play("T1", {2: FLUSH})
    assert settled(table)["ben"] == 10_000
    agree(this)


def test_an_invalid_round_takes_back_the_prize_and_gives_back_the_wager() -> None:
    this = floor(stud())
    this.bet("T1", 1)
    this.play("T1", {1: FLUSH}, until="pay the jackpot")
    assert this.link.pool == SEED + FED - 10_000
    this.tables["T1"].ask(c.Invalidate(1, "fire"), role=MANAGER)
    this.tend()
    assert this.link.pool == SEED
    assert this.link.tables["T1"].stakes == {}
    this.bet("T1", 2)
    this.play("T1", {2: NOTHING})
    assert this.link.pool == SEED + FED
    this.tables["T1"].ask(c.Invalidate(2, "fire"), role=MANAGER)
    this.tend()
    assert this.link.pool == SEED
    assert this.link.balances[bank_of("T1")] == 0
    agree(this)


@pytest.mark.parametrize(
    ("misread", "true", "due"),
    [(FLUSH, NOTHING, 0), (NOTHING, FLUSH, 10_000), (FLUSH, ROYAL, SEED + 200), (ROYAL, FLUSH, 10_000)],
)
def test_a_corrected_round_is_carried_into_the_link(misread: tuple[str, ...], true: tuple[str, ...], due: int) -> None:
    """A hand that was misread: the table posts the difference to the player, and the link to the table."""
    this = floor(stud("T1", "shuffler", "ann"))
    table = this.tables["T1"]
    this.bet("T1", 1)
    this.play("T1", {1: misread})
    facts: tuple[str | dict[str, Any], ...] = (*true, *DEALER, {"choose": "bet", "by": "box 1"})
    table.ask(c.Correct(1, facts, "misread"), role="game supervisor")
    this.tend()
    prizes = this.link.tables["T1"].history[1].prizes
    assert (prizes[1].paid_cents if 1 in prizes else 0) == due
    assert this.link.balances[bank_of("T1")] == due - WAGER
    seeds = 2 if ROYAL in (misread, true) else 1
    assert this.link.pool == seeds * SEED + FED - min(due, SEED + FED)
    agree(this)


# ---------------------------------------------------------------- whatever happens


class Suited(Driver):
    """Each box gets cards of a suit of its own, so that many hands are flushes."""

    def step(self) -> None:
        to, left = str(getattr(self.table.due, "to", "")), self.walker.stack.left
        if to.startswith("box "):
            fitting = (at for at, card in enumerate(left) if card // len(RANKS) == int(to.removeprefix("box ")) % 4)
            if (at := next(fitting, None)) is not None:
                left.append(left.pop(at))
        super().step()


@pytest.mark.parametrize("number", range(4))
def test_whatever_happens_at_a_table_its_link_follows(number: int) -> None:
    """Any use of a table, corrections and invalid rounds among it: the two agree on every prize that is in force."""
    rules = ruleset("nz1996", game="caribbean_stud", version="", elections={"device": ("shoe", "shuffler")[number % 2]})
    driver = Suited(known_game("caribbean_stud"), rules, Random(number))
    table = LiveTable(known_game("caribbean_stud"), rules, "proof")
    this = Floor({"proof": table})
    this.desk.ask(terms(10_000, 0, seed=SEED), MANAGER)

    def tend() -> None:
        """The table of the driver is the one that the floor tends."""
        table.state, table.journal, table.now_ms = driver.table, driver.journal, driver.now_ms
        this.tend()
        driver.table, driver.journal = table.state, table.journal

    table.state = driver.table
    joining = joined(driver.table)
    assert joining is not None
    this.desk.ask(joining, MANAGER)
    while driver.requests < 1_500:
        tend()
        driver.step()
        for ante in [wager for wager in driver.table.round.standing if wager.on == "ante"]:
            if not driver.chance.randrange(3):
                driver.ask(c.PlaceWager(ante.by, "jackpot", 100, box=ante.box), "player", ante.by)
    tend()
    assert this.refused == []
    kept = this.link.tables["proof"].history
    for record in (each for each in driver.table.records if each.number in kept):
        lines = [line for line in record.lines if line.wager.on == "jackpot" and not record.invalid]
        won = {line.wager.box: line.returned for line in lines if line.result == "won"}
        assert won == {box: one.paid_cents for box, one in kept[record.number].prizes.items() if one.paid_cents}
    assert sum(isinstance(line.event, m.JackpotPaid) for line in this.desk.journal) > 0
    agree(this)


# ---------------------------------------------------------------- corrections of a link by themselves


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (m.CorrectHands("T1", 2, {1: 0}), "round 2 of T1 is not known"),
        (m.CorrectHands("T1", 1, {3: 0}), "box 3 had no jackpot wager in round 1"),
        (m.CorrectHands("T1", 1, {}, (3,)), "box 3 had no jackpot wager in round 1"),
        (m.CorrectHands("T1", 1, {}, (1, 1)), "a wager goes back once"),
        (m.CorrectHands("T1", 1, {1: -1}), "prizes of −$0.01"),
        (m.CorrectHands("T1", 1, {1: LARGEST_AMOUNT + 1}), "prizes of $10,000,000,000.01"),
        (m.CorrectHands("T9", 1, {1: 0}), "T9 is not a table of grand"),
    ],
)
def test_what_cannot_be_corrected(what: m.CorrectHands, words: str) -> None:
    desk = a_link(1_000_000)
    desk.play("T1", 1, {1: "flush"}, {1: 10, 2: 20})
    desk.ask(m.PayHands("T1"))
    assert words in desk.refused(what).reason
    assert "dealer" in desk.refused(m.CorrectHands("T1", 1, {1: 0}), "dealer").reason


def test_hands_that_are_not_paid_yet_are_dropped_and_not_paid_otherwise() -> None:
    desk = a_link(1_000_000)
    desk.play("T1", 1, {1: "flush"}, {1: 10})
    assert "not paid yet" in desk.refused(m.CorrectHands("T1", 1, {1: 5_000})).reason
    desk.ask(m.CorrectHands("T1", 1, {1: 0}, carry=True))
    assert (desk.link.tables["T1"].claims, sorted(desk.link.tables["T1"].stakes), desk.link.pool) == (
        {},
        [1],
        1_000_150,
    )
    desk.ask(m.TimeHand("T1", 1, 40, 40))
    desk.ask(m.ReportHands("T1", {}))
    desk.ask(m.RecordWager("T1", 3, 2, "ben", 200))
    assert "cannot wait any more" in desk.refused(m.CorrectHands("T1", 2, {}, carry=True)).reason


@pytest.mark.parametrize(("pool", "due", "from_pool"), [(9_999, 10_001, 9_999), (10_001, 10_001, 10_001)])
def test_what_the_pool_cannot_give_for_a_correction_is_the_houses(pool: int, due: int, from_pool: int) -> None:
    """The pool gives what it has, and the house the rest; taken back, each has again what it gave."""
    desk = a_link(pool - 150)
    desk.play("T1", 1, {}, {1: 10})
    before = dict(desk.link.balances)
    desk.ask(m.CorrectHands("T1", 1, {1: due}))
    assert before["pool:grand"] - desk.of("pool:grand") == from_pool
    assert before.get("house", 0) - desk.of("house") == due - from_pool
    desk.ask(m.CorrectHands("T1", 1, {1: 0}))
    assert {name: cents for name, cents in desk.link.balances.items() if cents} == {
        name: cents for name, cents in before.items() if cents
    }
