"""The rows of a shoe that may run out within a round: the same wagers, with the share of void rounds.

`main` is the best play that looks at every card on the layout.  `main:chart` is the best chart of a full shoe, which
a player would carry to such a shoe as to any other.  Insurance is decided by the dealer's second card, which may not
come, and whether it does depends on the hands before it: so here, and only here, the row is by the play `main`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from croupier.exact.blackjack.charts import Chart
from croupier.exact.blackjack.paper.rows import BlackjackRow, Method, decimal
from croupier.exact.blackjack.short.engine import CountedOrders, Short, parts_of
from croupier.exact.blackjack.terms import DOUBLING, RuleTables
from croupier.exact.ways import Pay, worth_of, worth_of_pays
from croupier.game import Lost, Resolution, Void, Won
from croupier.games.blackjack.rules import INSURANCE, MAIN, BlackjackRules

CHART_PLAY: Final = f"{MAIN}:chart"
BY_LAYOUT = "best play that looks at every card on the layout; optimum exact"
BY_FULL_CHART = "best chart of a full shoe of {decks} decks, found by search"
RAN_OUT = "void: the cards do not suffice; at a table the round goes on with the discards ({rule})"
MOST_STEPS = 10_000_000
"""What takes less than a minute for each play."""
FEW, SOME, MANY = 10, 30, 100
"""About so many layouts lie before the second hand of a split, and before the third without doubles and with them."""


def steps(table: RuleTables, shoe: Sequence[int]) -> int:
    """A measure of the work that a short shoe takes."""
    firsts = sum(held > 0 for held in shoe)
    layouts = 1
    for symbol, held in enumerate(shoe):
        hands = min(held, table.most_hands(symbol))
        doubles = bool((table.two[1, symbol] & DOUBLING).any())
        layouts += (0, 0, FEW, MANY if doubles else SOME)[hands]
    return parts_of(shoe) * firsts * layouts


def short_rows(rules: BlackjackRules, shoe: tuple[int, ...], chart: Chart, *, insured: bool) -> list[BlackjackRow]:
    """The main wager by both plays, and insurance, from a shoe by symbol."""
    best, said = Short(rules, shoe), Short(rules, shoe, chart)
    counted = best.counted()
    by_chart = BY_FULL_CHART.format(decks=rules.decks.value.elected)
    rows = [
        _main_row(counted, MAIN, BY_LAYOUT, best.void_rule),
        _main_row(said.counted(), CHART_PLAY, by_chart, best.void_rule),
    ]
    return [*rows, _insurance_row(rules, counted, best.void_rule)] if insured else rows


def _chance(counted: CountedOrders, orders: int | float | Fraction) -> Fraction:
    """A share of all orders: a fraction, or a decimal one where the orders are doubles."""
    if isinstance(counted.orders, int) and isinstance(orders, int):
        return Fraction(orders, counted.orders)
    return decimal(float(orders) / float(counted.orders))


def _method(counted: CountedOrders) -> Method:
    return "exact" if isinstance(counted.orders, int) else "float"


def _main_row(counted: CountedOrders, policy: str, note: str, rule: str) -> BlackjackRow:
    pays = []
    for (ending, void), orders in counted.came.items():
        chance = _chance(counted, orders)
        if chance:
            ends = "void" if void else ""
            pays.append(Pay(ending.result, ending.odds, ending.net, chance, ending.rule, ends))
    pays.sort(key=lambda pay: (-pay.net, pay.result, pay.rule))
    worth = worth_of_pays(MAIN, _completed(pays), offered=Fraction(1))
    remark = f"{note}; {RAN_OUT.format(rule=rule)}" if worth.void else note
    return BlackjackRow(worth, policy, _method(counted), _method(counted), remark)


def _completed(pays: list[Pay]) -> tuple[Pay, ...]:
    """Chances that add up to one: what rounding of doubles leaves goes to the likeliest."""
    missing = 1 - sum((pay.probability for pay in pays), Fraction(0))
    if missing:
        at = max(range(len(pays)), key=lambda at: pays[at].probability)
        old = pays[at]
        pays[at] = Pay(old.result, old.odds, old.net, old.probability + missing, old.rule, old.ends)
    return tuple(pays)


def _insurance_row(rules: BlackjackRules, counted: CountedOrders, rule: str) -> BlackjackRow:
    """Insurance, given that the dealer's first card offers it."""
    law, orders = rules.insurance, counted.insured
    offered = _chance(counted, sum(orders.values()))
    won, void = (_chance(counted, orders[how]) / offered for how in ("won", "void"))
    ends: dict[Resolution, Fraction] = {
        Won(law.pays.value, law.pays.rule): won,
        Lost(law.taken_at.rule): 1 - won - void,
        Void(rule): void,
    }
    worth = worth_of(INSURANCE, {how: chance for how, chance in ends.items() if chance}, offered=offered)
    note = RAN_OUT.format(rule=rule) if void else ""
    return BlackjackRow(worth, MAIN, _method(counted), _method(counted), note)
