"""The hands that win a linked jackpot: when they were received, in which order they are paid, and what.

Hands that qualify in one round of one table are paid together: the fixed sums first, then the straight flushes on what
those leave, then the royal flushes, which share the rest.  Between tables the order is that in which the hands were
received: a hand dealt from a shoe counts from its first card, one dealt by a shuffler from its last.  So a table's
hands are not paid while another table has a hand in play that was received before and could still qualify.  By reading,
the hands of a round take the place of the earliest of them that qualifies, and hands of the same moment have no order.
What the pool cannot give of a sum that the law promises is the operator's, and so is what chips round up.
"""

from __future__ import annotations

from typing import TypeAlias

from croupier.game import Refusal
from croupier.games.caribbean_stud.jackpot import Payout, payment, payouts, pool_after
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.messages import Events
from croupier.house.jackpot.pool import seeded, shown
from croupier.house.jackpot.state import Link, Linked, bank_of, pool_of
from croupier.journal.accounts import HOUSE, moves
from croupier.journal.messages import Transfer
from croupier.law.links import ALL_CARDS, EARLIEST, FIRST_CARD
from croupier.money import Cents, floor_to_chips

Answer: TypeAlias = Events | Refusal

# ---------------------------------------------------------------- hands


def time_hand(link: Link, command: m.TimeHand) -> Answer:
    table = link.tables[command.table]
    law = link.rules.hand_time[table.device]
    if command.box not in table.stakes or command.box in table.timed or table.claims:
        return Refusal(f"no hand with a jackpot wager is due on box {command.box}", law.rule)
    if not 0 <= command.first_card_ms <= command.all_cards_ms:
        return Refusal("a hand is complete before its first card", law.rule)
    at_ms = {FIRST_CARD: command.first_card_ms, ALL_CARDS: command.all_cards_ms}[law.value]
    timed = m.HandTimed(table=command.table, round=table.round, box=command.box, at_ms=at_ms, rule=law.rule)
    return (timed,)


def report_hands(link: Link, command: m.ReportHands) -> Answer:
    table, prizes = link.tables[command.table], link.stud.progressive.prizes
    rule = link.stud.progressive.any_dealer.rule
    if table.claims or set(table.timed) != set(table.stakes) or not table.stakes:
        return Refusal(f"{command.table} has no round of jackpot wagers that was dealt and is not reported", rule)
    for box, hand in sorted(command.hands.items()):
        if box not in table.stakes:
            return Refusal(f"box {box} has no jackpot wager", rule)
        if hand not in prizes:
            return Refusal(f"a {hand} does not win the jackpot", rule)
    if not command.hands:
        return (m.RoundClosed(table=command.table, round=table.round, rule=rule),)
    return tuple(
        m.HandQualified(
            table=command.table, round=table.round, box=box, player=table.stakes[box].player, hand=hand,
            rule=prizes[hand].rule,
        )
        for box, hand in sorted(command.hands.items())
    )  # fmt: skip


def who_is_first(link: Link) -> str:
    """The table whose hand was received before all others that can claim the pool, if there is one."""
    moments = {name: table.moment for name, table in sorted(link.tables.items()) if table.moment is not None}
    return min(moments, key=lambda name: moments[name] or 0, default="")


def pay_hands(link: Link, command: m.PayHands) -> Answer:
    table = link.tables[command.table]
    if not table.claims:
        return Refusal(f"{command.table} has no hand to be paid", link.stud.progressive.any_dealer.rule)
    moment, law = table.moment or 0, link.rules.priority
    first = who_is_first(link)
    if law.value == EARLIEST and (link.tables[first].moment or 0) < moment:
        return Refusal(f"a hand was received at {first} before that at {command.table}", law.rule)
    if not set(command.by) <= set(table.claims):
        return Refusal(f"no hand on box {min(set(command.by) - set(table.claims))} is to be paid", law.rule)
    paid = _paid(link, command, table)
    if isinstance(paid, Refusal):
        return paid
    left = link.pool - sum(event.from_pool for event in paid)
    seed = link.terms.seed_cents if link.terms and not left else 0
    return (
        m.PayOrder(table=command.table, round=table.round, at_ms=moment, rule=law.rule),
        *paid,
        *seeded(link, seed),
        *shown(link, left + seed),
        m.RoundClosed(table=command.table, round=table.round, rule=link.stud.progressive.kept.rule),
    )


def _in_turn(link: Link, table: Linked) -> list[int]:
    """The boxes as they are paid: fixed sums, then the second class, then those who share the rest."""
    rules = link.stud.progressive

    def turn(box: int) -> tuple[bool, bool, int]:
        hand = table.claims[box]
        return rules.prizes[hand].value.share is not None, hand != rules.together.second.value, box

    return sorted(table.claims, key=turn)


def _paid(link: Link, command: m.PayHands, table: Linked) -> tuple[m.JackpotPaid, ...] | Refusal:
    boxes = _in_turn(link, table)
    due = payouts(link.stud.progressive, link.pool, [table.claims[box] for box in boxes])
    left = link.pool - floor_to_chips(pool_after(link.pool, due), 1)
    paid: list[m.JackpotPaid] = []
    for box, payout in zip(boxes, due, strict=True):
        by = command.by.get(box, "chips")
        amount = payment(link.stud, table.claims[box], payout.cents, by=by, chip=table.chip_cents)
        if isinstance(amount, Refusal):
            return amount
        from_pool = min(left, amount)
        left -= from_pool
        paid.append(_hand_paid(link, command.table, box, payout=payout, amount=amount, from_pool=from_pool, by=by))
    return tuple(paid)


def _hand_paid(
    link: Link, name: str, box: int, *, payout: Payout, amount: Cents, from_pool: Cents, by: str
) -> m.JackpotPaid:
    table, bank = link.tables[name], bank_of(name)
    return m.JackpotPaid(
        table=name,
        round=table.round,
        box=box,
        player=table.stakes[box].player,
        hand=table.claims[box],
        due=str(payout.cents),
        paid=amount,
        from_pool=from_pool,
        by=by,
        rule=payout.rule,
        transfers=moves(
            Transfer(pool_of(link.name), bank, from_pool, payout.rule),
            Transfer(HOUSE, bank, amount - from_pool, payout.rule),
        ),
    )
