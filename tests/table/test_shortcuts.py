"""Every short way of deciding and evolving beside the long way whose answer it must give, at tables in play.

What is carried on with a book, wagers that are not judged because a fact leaves them alone, settled lines that are not
reckoned again, wagers settled together: each names its long way where it is written, and each is held to it here.
"""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace as changed

from croupier import round as rounds
from croupier.game import Called, CardSeen, Demand, Effect, Fact, Irregular, Performed, Refusal, Resolution, Sign, Wager
from croupier.games.baccarat import bets as baccarat
from croupier.games.baccarat import shown
from croupier.games.baccarat.ceremonies.parts import STANDS_FOR
from croupier.games.blackjack import bets as blackjack
from croupier.games.blackjack.layout import Layout
from croupier.games.blackjack.rules import BlackjackRules
from croupier.law.officials import IN_TURN, PLAYER, ROLES
from croupier.law.ruleset import Ruleset
from croupier.money import payable_part
from croupier.notation import read_fact, write_fact
from croupier.once import replace
from croupier.round import AnyRound, BookLine
from croupier.rulesets import every_ruleset, known_game, ruleset
from croupier.table.betting.wagers import for_placing
from croupier.table.commands import PlaceWager, TableRequest, WithdrawWager
from croupier.table.decide import DECISIONS, decide
from croupier.table.events import AnyEvent
from croupier.table.evolve import after, entries, evolve
from croupier.table.money import paying
from croupier.table.state import SettledWager, Table, new_table, snapshot
from croupier.table.walk import Chance, Walk

STEPS = 90
KNOWN = ("standing", "staked", "backed", "bets", "lines")
# Where there are terminals only, nobody bets at a table that plays itself.
LAWS = (
    *(law for law in every_ruleset() if law.version != "terminals"),
    ruleset("nzd5", game="baccarat", version="mini", elections={"no_commission": True}),
    ruleset("nz1996", game="blackjack", elections={"super_sevens": False}),
)
OF_EVERY_LAW = pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.label} {law.hash[:6]}")


def walked(law: Ruleset[Any], seed: str = "shortcuts") -> Walk:
    """A table that played for a while."""
    walk = Walk(law, Chance(seed))
    for _ in range(STEPS):
        walk.prepare()
        walk.step()
    return walk


def forgetful(this: AnyRound) -> AnyRound:
    """The same round, which knows nothing of its book yet."""
    return changed(this)


@OF_EVERY_LAW
def test_what_is_known_of_a_book_is_what_would_be_found_in_it(law: Ruleset[Any]) -> None:
    walk = Walk(law, Chance("books"))
    known: set[str] = set()
    for step in range(STEPS):
        walk.prepare()
        if step % 3 == 2 and walk.table.round.standing:
            wager = walk.table.round.standing[len(walk.table.round.standing) // 2]
            walk.ask(WithdrawWager(wager.by, wager.number), by=wager.by, role=PLAYER)
        else:
            walk.step()
        for this in (walk.table.round, walk.table.attended):
            known |= this.__dict__.keys()
            for name in KNOWN:
                assert getattr(this, name) == getattr(forgetful(this), name), name
    assert {"standing", "backed", "staked"} <= known, "nothing was carried on, so nothing was compared"


@OF_EVERY_LAW
def test_no_fact_does_anything_to_wagers_that_it_is_said_to_leave_alone(
    law: Ruleset[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    short, left = rounds._judged, []

    def both(this: AnyRound, book: tuple[BookLine, ...], fact: Effect, state: Any) -> tuple[BookLine, ...]:
        judged, game, rules = short(this, book, fact, state), this.game, this.rules
        before, now = game.felt(rules, this.state), game.felt(rules, state)
        left.append(judged is book)
        if isinstance(fact, Performed) and before == now:
            assert judged == book
            return judged
        for line, found in zip(book, judged, strict=True):
            long = line.resolution or game.judge(rules, line.wager, before, fact, now)
            assert long == (found.wager if found.resolution is None else found.resolution)
        return judged

    monkeypatch.setattr(rounds, "_judged", both)
    walked(law)
    assert {True, False} == set(left)


@OF_EVERY_LAW
def test_a_settled_line_that_is_left_alone_would_be_reckoned_as_it_was(
    law: Ruleset[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    short, asked = paying._undone, []

    def both(table: Table, now: AnyRound) -> tuple[SettledWager, ...]:
        undone = short(table, now)
        lines = ((line, now.lines.get(line.wager.number)) for line in table.settled)
        assert undone == tuple(line for line, entry in lines if paying._is_undone(table, line, entry, left_alone=False))
        asked.append(now.book is table.round.book and paying._on_the_same_terms(table))
        return undone

    monkeypatch.setattr(paying, "_undone", both)
    walked(law)
    assert asked


@OF_EVERY_LAW
def test_wagers_settled_together_are_settled_as_one_by_one(law: Ruleset[Any]) -> None:
    walk = walked(law)
    fresh = new_table("training", known_game(law.game), law)
    one_by_one = fresh
    for line in walk.journal:
        one_by_one = changed(evolve(one_by_one, line.event, by=line.by, role=line.role), entries=line.number + 1)
    assert snapshot(after(fresh, walk.journal)) == snapshot(one_by_one) == snapshot(walk.table)


def test_a_line_that_is_no_line_of_the_book_is_no_journal_together_either() -> None:
    walk = walked(ruleset("nz1996", game="roulette"))
    settled = [line for line in walk.journal if type(line.event).__name__ == "WagerSettled"]
    wrong = [
        changed(line, event=changed(line.event, number=9_999)) if line is settled[-1] else line for line in walk.journal
    ]
    with pytest.raises(Exception, match="wager 9999 was settled, but is not in the book"):
        after(new_table("training", walk.table.game, walk.ruleset), wrong)


def test_nothing_is_below_a_kind_that_is_asked_for_by_its_type() -> None:
    """`type(fact) is Called` says what `isinstance` would say, as long as no kind has kinds of its own."""
    kinds = {each for union in (Fact, Effect, Demand, Resolution, AnyEvent) for each in get_args(union)}
    kinds |= {Wager, *DECISIONS}
    assert Called in kinds
    assert len(kinds) > 100
    assert [kind for kind in kinds if kind.__subclasses__()] == []


@pytest.mark.parametrize("sign", [Sign(chip=100, maximum=5_000), Sign(chip=100, differential=(100, 500)), Sign()])
@pytest.mark.parametrize("most", [0, 4_900, 5_000])
def test_a_sign_that_a_placing_leaves_as_it_is_would_be_written_anew_as_it_is(sign: Sign, most: int) -> None:
    assert for_placing(sign, most) == changed(sign, maximum=most, differential=None)


# ---------------------------------------------------------------- single games


BACCARAT = tuple(law for law in LAWS if law.game == "baccarat")


@pytest.mark.parametrize("law", BACCARAT, ids=lambda law: f"{law.label} {law.hash[:6]}")
def test_a_coup_decides_for_all_who_made_a_bet_as_for_each(law: Ruleset[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    short, found = baccarat.judge, []

    def both(rules: Any, wager: Wager, before: Any, fact: Effect, now: Any) -> Any:
        judged = short(rules, wager, before, fact, now)
        with monkeypatch.context() as alone:
            alone.setattr(baccarat, "_decided", lambda *_: {})
            assert judged == short(rules, wager, before, fact, now)
        found.append(wager.on in baccarat._decided(rules, now))
        return judged

    walk = Walk(law, Chance("coups"))
    walk.table = changed(walk.table, round=changed(walk.table.round, game=replace(walk.table.round.game, judge=both)))
    for _ in range(STEPS):
        walk.prepare()
        walk.step()
    assert True in found


@pytest.mark.parametrize("law", BACCARAT, ids=lambda law: f"{law.label} {law.hash[:6]}")
@pytest.mark.parametrize("chip", [100, 250, 500])
def test_a_banker_wager_in_steps_stands_as_its_payable_part(law: Ruleset[Any], chip: int) -> None:
    rules, sign = law.rules, Sign(chip=chip)
    pays, voids = baccarat.banker_pays(rules, 0).value, rules.limits.unpayable.value == "void part"
    for stake in range(chip, 45 * chip, chip):
        stands = payable_part(stake, pays, chip) if pays.commission and voids else stake
        taken = baccarat._payable(rules, sign, Wager("banker", stake))
        assert (taken.stake_cents, taken.voided_cents) == (stands, stake - stands)


@pytest.mark.parametrize("law", BACCARAT, ids=lambda law: f"{law.label} {law.hash[:6]}")
def test_players_who_hold_nothing_may_all_order_the_same(law: Ruleset[Any]) -> None:
    walk, found = Walk(law, Chance("orders")), set()
    officials = (*ROLES, *IN_TURN, *(word for words in STANDS_FOR.values() for word in words), *shown.NO_PERSON)
    people = ("Ann", "seat 1", "seat 2", "seat 3", "terminal 4", "player", "shoe handler", *officials)
    for _ in range(STEPS):
        walk.prepare()
        walk.step()
        rules, sitting = walk.table.ruleset.rules, walk.table.attended.state
        for by in people:
            orders = shown.orders(rules, sitting, by)
            assert orders == shown._orders_of(rules, sitting, by), by
            found.add(orders)
    assert len(found) > 1


def test_a_card_to_one_box_does_nothing_to_the_hands_of_another() -> None:
    short, spared = blackjack.judge, []

    def both(rules: BlackjackRules, wager: Wager, before: Layout, fact: Effect, now: Layout) -> Any:
        judged = short(rules, wager, before, fact, now)
        other = changed(before, boxes=tuple(changed(box) for box in before.boxes))
        assert judged == short(rules, wager, other, fact, now)
        spared.append(isinstance(fact, CardSeen) and before.box(wager.box) is now.box(wager.box))
        return judged

    for law in (each for each in LAWS if each.game == "blackjack"):
        walk = Walk(law, Chance("boxes"))
        walk.table = changed(
            walk.table, round=changed(walk.table.round, game=replace(walk.table.round.game, judge=both))
        )
        for _ in range(3 * STEPS):
            walk.prepare()
            walk.step()
    assert True in spared


# ---------------------------------------------------------------- what is read


@pytest.mark.parametrize(
    "raw",
    [
        {"irregular": "misdeal", "call": "void", "by": "pit boss"},
        {"call": "void", "irregular": "misdeal", "by": "pit boss"},
        {"by": "pit boss", "call": "void", "irregular": "misdeal"},
    ],
)
def test_the_order_of_its_keys_does_not_change_a_fact(raw: dict[str, str]) -> None:
    due = new_table("one", known_game("roulette"), ruleset("nz1996", game="roulette")).due
    assert read_fact(raw, due) == Irregular("misdeal", call="void", by="pit boss")


def test_a_call_that_names_no_wager_is_read_as_it_was_written() -> None:
    """It was written as an object that nobody could read: a table that took it could not go on."""
    due = new_table("one", known_game("blackjack"), ruleset("nz1996", game="blackjack")).due
    for call in (Called("take", by="ann"), Called("nominate", by="ann"), Called("take", by="ann", on="main")):
        assert read_fact(write_fact(call), due) == call


def test_a_wager_of_one_who_backs_much_is_bounded_by_what_lies_there() -> None:
    """The maximum is on all that a player has on an outcome: found by bettor, it is what a look at the book finds."""
    walk = Walk(ruleset("nz1996", game="roulette"), Chance("much"))
    while isinstance(decide(walk.table, TableRequest(PlaceWager("Ann", "red", 1_000), "Ann", "player", 0)), Refusal):
        walk.step()
    for amount, taken in ((30_000, True), (20_000, True), (500, False)):
        request = TableRequest(PlaceWager("Ann", "red", amount), "Ann", "player", 0)
        events = decide(walk.table, request)
        assert isinstance(events, Refusal) is not taken
        if not isinstance(events, Refusal):
            walk.table = after(walk.table, entries(walk.table, request, events))
