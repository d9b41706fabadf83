"""What the dealer's page is told of money and of orders: whom to pay, in which chips, and what may be ordered now."""

from __future__ import annotations

import pytest

from croupier.floor.views.payments import in_chips, orders, payments
from croupier.floor.views.viewer import due_at
from croupier.table import commands as c
from croupier.table.betting.offers import betting
from tests.helpers.desks.table import a_desk, asked, put, until_chance, with_players

REDUCE = "reduce wagers to the differential"


@pytest.mark.parametrize(
    ("amount", "smallest", "chips"),
    [
        (11_875, 25, [(10_000, 1), (500, 3), (100, 3), (25, 3)]),
        (38_000, 100, [(10_000, 3), (2_500, 3), (500, 1)]),
        (190_000, 500, [(100_000, 1), (50_000, 1), (10_000, 4)]),
        (350, 50, [(100, 3), (50, 1)]),
        (0, 100, []),
    ],
)
def test_an_amount_is_laid_out_in_the_fewest_chips(amount: int, smallest: int, chips: list[tuple[int, int]]) -> None:
    assert in_chips(amount, smallest) == chips
    assert sum(chip * many for chip, many in chips) == amount


def test_the_dealer_is_told_whom_to_take_from_and_whom_to_pay() -> None:
    desk = with_players(a_desk("nzd5", version="midi", chip=25), "ann", "bob")
    asked(desk, put("ann", "banker", 12_500), role="player", by="ann")
    asked(desk, put("bob", "player", 5_000), role="player", by="bob")
    until_chance(desk)
    assert payments(desk.state) == []
    for card in ("2h", "9d", "Kc", "Qs"):
        desk.tell(card)
    shown = {each.by: each for each in payments(desk.state)}
    ann, bob = shown["ann"], shown["bob"]
    assert (ann.result, ann.odds, ann.pays, ann.commission) == ("won", "1 to 1 less 5%", 11_875, 625)
    assert ann.chips == [(10_000, 1), (500, 3), (100, 3), (25, 3)]
    assert (bob.result, bob.stake, bob.pays, bob.chips) == ("lost", 5_000, 0, [])
    settling: set[int] = set()
    while payments(desk.state):
        due = due_at(desk.state, betting(desk.state))
        assert due.settles is not None
        settling |= set(due.settles or [])
        desk.tell({"perform": due.act, "by": due.by})
    assert settling == {ann.number, bob.number}


def test_what_may_be_ordered_is_open_only_while_the_table_would_take_it() -> None:
    desk = with_players(a_desk("nz1998", differential=(10_000, 10_000)), "ann")
    asked(desk, put("ann", "banker", 20_000), role="player", by="ann")
    assert REDUCE not in {each.act for each in orders(desk.state)}
    until_chance(desk)
    (order,) = [each for each in orders(desk.state) if each.act == REDUCE]
    assert (order.by, order.official, order.rule) == ("dealer", "dealer", "NZ1998-5.14")
    asked(desk, c.Tell({"perform": REDUCE, "by": order.by}))
    assert REDUCE not in {each.act for each in orders(desk.state)}
