"""What a dealer takes and pays now, wager by wager, in chips; and what may be ordered beside what is due.

A wager that the round has decided and the table has not settled yet is to be taken or paid.  Its money is what the
table will write down, asked of the same function.  An amount is laid out in the fewest chips, from the largest down;
the smallest chip is the one on the sign, so that the rest is always nothing.

What may be ordered is found by trying: an order of the ceremony that the table would take now is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier.floor.views import staff_shapes as v
from croupier.game import Performed, Refusal, Won
from croupier.law.officials import acting, doer
from croupier.money import Cents
from croupier.round import BookLine
from croupier.table.betting.offers import KeptOffers
from croupier.table.events import WagerSettled
from croupier.table.money.settling import settled
from croupier.table.rounds import happened
from croupier.table.state import Table

CHIPS: Final[tuple[Cents, ...]] = (100_000, 50_000, 10_000, 2_500, 500, 100, 25)
"""The chips of the house, the largest first."""


def in_chips(amount: Cents, smallest: Cents) -> list[tuple[Cents, int]]:
    """The fewest chips that make an amount, each kind with its number; what is below the smallest is left out."""
    found = []
    for chip in (*(each for each in CHIPS if each > smallest and each % smallest == 0), smallest):
        many, amount = divmod(amount, chip)
        if many:
            found.append((chip, many))
    return found


def payments(table: Table) -> list[v.PaymentShown]:
    """The wagers that are decided and not settled, in the order of the seats."""
    decided = (line for line in table.round.book if line.resolution is not None)
    waiting = [line for line in decided if not table.is_settled(line.wager.number)]
    seats = {name: player.seat for name, player in table.players.items()}
    shown = (_payment(table, line, seats.get(line.wager.by, 0)) for line in waiting)
    return sorted(shown, key=lambda each: (each.box, each.seat, each.number))


def _payment(table: Table, line: BookLine, seat: int) -> v.PaymentShown:
    wager, money = line.wager, settled(table, line)
    odds = str(line.resolution.odds) if isinstance(line.resolution, Won) else ""
    return v.PaymentShown(
        number=wager.number,
        by=wager.by,
        seat=seat,
        box=wager.box,
        hand=wager.hand,
        on=wager.on,
        stake=wager.stake_cents + wager.voided_cents,
        result=money.result,
        odds=odds,
        pays=money.pays,
        commission=money.commission,
        returned=money.returned,
        chips=in_chips(money.pays, table.sign.chip),
        rule=money.rule,
    )


def settles(table: Table, act: Performed) -> list[int]:
    """The wagers that are settled when this act is done now."""
    ruling = happened(table, act, table.due) if payments(table) else ()
    return [] if isinstance(ruling, Refusal) else [event.number for event in ruling if isinstance(event, WagerSettled)]


def orders(table: Table, offers: KeptOffers | None = None) -> list[v.OrderOpen]:
    """What officials may order now although it is not due."""
    if not table.open:
        return []
    return list(_open_orders(table, offers or KeptOffers()))


def _open_orders(table: Table, offers: KeptOffers) -> Iterator[v.OrderOpen]:
    for law, acts in offers.ordered(table):
        for act in acts:
            if not isinstance(happened(table, act, table.due), Refusal):
                roles = sorted(acting(act.by) or ())
                yield v.OrderOpen(act=act.act, by=act.by, official=doer(act.by), roles=roles, rule=law.rule)
                break
