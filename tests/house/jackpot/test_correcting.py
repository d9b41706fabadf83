"""What hands were paid from a pool is corrected: the books balance, the pool gives what it has, nothing is erased."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.game import Refusal
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.state import bank_of, retained_by
from croupier.journal.accounts import HOUSE
from croupier.journal.messages import Request
from tests.helpers.desks.jackpot import SUPERVISOR, Desk, a_link, asked, the

BOXES = st.integers(1, 4)


def paid(pool: int = 1_000_000, **terms: int) -> Desk:
    """A round in which the flush of box 1 was paid, and box 2 had nothing."""
    desk = a_link(pool, **terms)
    desk.play("T1", 1, {1: "flush"}, {1: 10, 2: 11})
    desk.ask(m.PayHands("T1"), SUPERVISOR)
    return desk


def test_a_hand_that_was_no_winner_gives_back_and_another_is_paid() -> None:
    desk = paid()
    pool, bank = desk.link.pool, desk.of(bank_of("T1"))
    was = desk.link.tables["T1"].history[1].prizes[1].paid_cents
    event = the(m.HandsCorrected, desk.ask(m.CorrectHands("T1", 1, {1: 0, 2: was + 50}), SUPERVISOR))
    assert event.prizes["1"] == (0, 0)
    assert event.prizes["2"][0] == was + 50
    assert (desk.link.pool, desk.of(bank_of("T1"))) == (pool - 50, bank + 50)


def test_what_the_pool_cannot_give_the_operator_makes_good_and_an_emptied_pool_is_seeded() -> None:
    desk = paid(seed=777)
    had, house = desk.link.pool, desk.of(HOUSE)
    desk.ask(m.CorrectHands("T1", 1, {2: had + 1_000}), SUPERVISOR)
    assert desk.link.pool == 777
    assert desk.of(HOUSE) == house - 1_000 - 777
    desk.ask(m.CorrectHands("T1", 1, {2: 400}), SUPERVISOR)
    assert desk.link.pool == 777 + had - 400


def test_wagers_that_go_back_leave_the_pool_and_what_was_kept() -> None:
    desk = paid()
    kept, pool = desk.of(retained_by("grand")), desk.link.pool
    desk.ask(m.CorrectHands("T1", 1, {}, returned=(2,)), SUPERVISOR)
    assert (desk.of(retained_by("grand")), desk.link.pool) == (kept - 50, pool - 150)


def test_claims_that_were_not_paid_yet_are_dropped_and_the_wagers_wait() -> None:
    desk = a_link(1_000_000)
    desk.play("T1", 1, {1: "flush"}, {1: 10})
    assert "not paid yet" in desk.refused(m.CorrectHands("T1", 1, {1: 5}), SUPERVISOR).reason
    events = desk.ask(m.CorrectHands("T1", 1, {}, carry=True), SUPERVISOR)
    assert [type(each) for each in events] == [m.ClaimsDropped, m.WagersCarried]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (m.CorrectHands("T1", 9, {1: 0}), "is not known"),
        (m.CorrectHands("T1", 1, {7: 0}), "box 7 had no jackpot wager"),
        (m.CorrectHands("T1", 1, {}, returned=(1, 1)), "goes back once"),
        (m.CorrectHands("T1", 1, {1: -1}), "prizes of"),
        (m.CorrectHands("T9", 1, {1: 0}), "is not a table of"),
    ],
)
def test_nonsense_is_refused(command: m.CorrectHands, reason: str) -> None:
    assert reason in paid().refused(command, SUPERVISOR).reason


def test_wagers_wait_only_for_the_round_that_follows() -> None:
    desk = paid()
    desk.ask(m.CorrectHands("T1", 1, {1: 0}, carry=True), SUPERVISOR)
    desk = paid()
    desk.play("T1", 2, {}, {1: 10})
    assert "cannot wait any more" in desk.refused(m.CorrectHands("T1", 1, {1: 0}, carry=True), SUPERVISOR).reason


@given(
    st.lists(st.dictionaries(BOXES, st.integers(0, 2_000_000), max_size=3), max_size=4), st.sampled_from([0, 33_333])
)
def test_whatever_is_corrected_the_books_balance_and_the_last_word_counts(
    corrections: list[dict[int, int]], seed: int
) -> None:
    desk, last = paid(seed=seed), dict[int, int]()
    for prizes in corrections:
        answer = asked(desk.link, Request(m.CorrectHands("T1", 1, prizes), "someone", SUPERVISOR))
        if isinstance(answer, Refusal):
            assert set(prizes) - {1, 2}
            continue
        desk.link, last = answer[0], last | prizes
        assert sum(desk.link.balances.values()) == 0
        assert desk.link.pool >= 0
    history = desk.link.tables["T1"].history[1].prizes
    assert {box: history[box].paid_cents for box in last} == last
    assert all(0 <= prize.from_pool_cents <= prize.paid_cents for prize in history.values())
