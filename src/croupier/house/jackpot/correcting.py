"""Corrections of a jackpot link: what the hands of a round were paid in the end.

A table may find, after its hands were paid, that the round was misdealt, that a hand was no winner, or that another one
was.  It then says what each hand comes to, and the link posts the difference: more is paid from the pool as it is now,
with the operator making good what the pool cannot give; what comes back goes to the pool and to the operator so that
the pool has given as much of the rest as it can.  A seed that was put into an emptied pool stays there.  Wagers that
are given back take their part out of the pool and out of what was kept, as if they had never been taken.  Nothing is
erased: a correction is a line of its own.

A claim that was not paid yet is simply dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from croupier.game import Refusal
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.messages import Events
from croupier.house.jackpot.pool import seeded, shown
from croupier.house.jackpot.state import (
    Link,
    Linked,
    PaidPrize,
    PlayedRound,
    bank_of,
    pool_of,
    retained_by,
    returned_from_pool,
)
from croupier.journal.accounts import HOUSE, moves
from croupier.journal.messages import Transfer
from croupier.law.general import in_force
from croupier.money import LARGEST_AMOUNT, Cents, dollars

Answer: TypeAlias = Events | Refusal


def correct_hands(link: Link, command: m.CorrectHands) -> Answer:
    table, rule = link.tables[command.table], _rule(link)
    if table.claims and command.round == table.round:
        return _dropped(command, table, rule)
    played = table.history.get(command.round)
    refusal = _not_so(command, table, played, rule)
    if refusal or played is None:
        return refusal or Refusal(f"round {command.round} of {command.table} is not known", rule)
    return _posted(link, command, played, rule)


def _rule(link: Link) -> str:
    trouble = link.general.trouble
    return trouble.overpaid.rule if in_force(trouble.overpaid) else trouble.disputes.rule


def _dropped(command: m.CorrectHands, table: Linked, rule: str) -> Answer:
    """Hands that claimed the pool and were not paid: the wagers wait for the next round."""
    if not command.carry or any(command.paid.values()):
        return Refusal(f"the hands of round {command.round} of {command.table} are not paid yet", rule)
    dropped = m.ClaimsDropped(table=command.table, round=table.round, boxes=tuple(sorted(table.claims)), rule=rule)
    return (dropped, m.WagersCarried(table=command.table, boxes=tuple(sorted(table.stakes)), rule=rule))


def _not_so(command: m.CorrectHands, table: Linked, played: PlayedRound | None, rule: str) -> Refusal | None:
    if played is None:
        return Refusal(f"round {command.round} of {command.table} is not known", rule)
    strange = sorted(({*command.paid, *command.returned}) - set(played.stakes))
    if strange:
        return Refusal(f"box {strange[0]} had no jackpot wager in round {command.round}", rule)
    if len(set(command.returned)) < len(command.returned):
        return Refusal("a wager goes back once", rule)
    if not all(0 <= cents <= LARGEST_AMOUNT for cents in command.paid.values()):
        return Refusal(f"prizes of {', '.join(map(dollars, sorted(command.paid.values())))}", rule)
    if command.carry and (command.round != table.closed_round or table.stakes):
        return Refusal(f"the wagers of round {command.round} of {command.table} cannot wait any more", rule)
    return None


def _posted(link: Link, command: m.CorrectHands, played: PlayedRound, rule: str) -> Answer:
    prizes, moved, left = dict(played.prizes), list[Transfer](), link.pool
    for box, cents in sorted(command.paid.items(), key=lambda one: (one[1] > _was(prizes, one[0]), one[0])):
        before = prizes.get(box, PaidPrize(0, 0))
        prizes[box], transfers = _difference(link, command.table, before, cents, left=left, rule=rule)
        left += before.from_pool_cents - prizes[box].from_pool_cents
        moved += transfers
    back, transfers = _given_back(link, command, played, left=left, rule=rule)
    left -= back
    corrected = m.HandsCorrected(
        table=command.table,
        round=command.round,
        prizes={str(box): (prize.paid_cents, prize.from_pool_cents) for box, prize in sorted(prizes.items())},
        returned=command.returned,
        carried=command.carry,
        rule=rule,
        transfers=(*moved, *transfers),
    )
    seed = link.terms.seed_cents if link.terms and link.pool and not left else 0
    return (corrected, *seeded(link, seed), *shown(link, left + seed))


def _was(prizes: Mapping[int, PaidPrize], box: int) -> Cents:
    return prizes[box].paid_cents if box in prizes else 0


def _difference(
    link: Link, table: str, before: PaidPrize, cents: Cents, *, left: Cents, rule: str
) -> tuple[PaidPrize, tuple[Transfer, ...]]:
    """What one hand gets more, or gives back; what comes back is there before anything more is paid."""
    bank, pool, more = bank_of(table), pool_of(link.name), cents - before.paid_cents
    if more >= 0:
        given = min(left, more)
        prize = PaidPrize(cents, before.from_pool_cents + given)
        return prize, moves(Transfer(pool, bank, given, rule), Transfer(HOUSE, bank, more - given, rule))
    prize = PaidPrize(cents, min(cents, before.from_pool_cents))
    back = before.from_pool_cents - prize.from_pool_cents
    return prize, moves(Transfer(bank, pool, back, rule), Transfer(bank, HOUSE, -more - back, rule))


def _given_back(
    link: Link, command: m.CorrectHands, played: PlayedRound, *, left: Cents, rule: str
) -> tuple[Cents, tuple[Transfer, ...]]:
    """The wagers that go back: what that takes from the pool, and the transfers."""
    stakes = [played.stakes[box] for box in command.returned]
    from_pool, _ = returned_from_pool(link, stakes)
    there, bank = min(from_pool, left), bank_of(command.table)
    whole = sum(stake.amount_cents for stake in stakes)
    return there, moves(
        Transfer(pool_of(link.name), bank, there, rule),
        Transfer(HOUSE, bank, from_pool - there, rule),
        Transfer(retained_by(link.name), bank, whole - from_pool, rule),
    )
