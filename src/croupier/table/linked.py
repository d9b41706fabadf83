"""A table whose jackpot wagers play for the pool of a link: what the link tells it, and when it must wait for the link.

Theory of operation.  A table cannot know the pool: wagers of other tables feed it, and their hands may be paid from it
first.  So the pool enters as a fact, `ShowPool`, which the equipment of the link tells and nobody else.  It is told
twice in a round.  When betting has closed it is what the meters show; the wagers carry it, so that a round can be
corrected long after.  When hands have won, the table says so (`JackpotClaimed`) as soon as their payment is due, and
the payment waits: the link decides the order among the tables, pays, and tells the pool that it paid on, with the
prizes.  The wagers then carry that pool, and the settlement is what the game makes of it, as ever; a replay of the
journal alone gives the same bytes.

From the claim on nothing of the round is taken back, because the link may have paid.  What turns out to be wrong is
corrected when the round is over, and the link hears the difference.

The first pool that is told makes the table one of that link; an empty name ends that.  While the link takes no wagers,
because no meter shows the pool or there is no link any more, the jackpot is shut at the table too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace as changed

from croupier.game import Fact, Lost, Perform, Performed, Refusal, Void, Wager, Won
from croupier.journal.messages import Command
from croupier.law.links import ELECTRONIC, PoolRules
from croupier.law.model import present
from croupier.money import LARGEST_AMOUNT, Cents, dollars
from croupier.once import like, replace
from croupier.round import AnyRound, BookLine
from croupier.table.commands import PlaceWager, ShowPool, TableRequest
from croupier.table.events import Events, JackpotClaimed, PoolShown
from croupier.table.money.settling import settlement_of
from croupier.table.state import Record, Table

JACKPOT: Final = "jackpot"
PAYS: Final = "pay jackpot"
"""What an act is with which a hand is paid from the pool."""
DECIDED: Final = ("won", "lost")
"""How a jackpot wager ends that stays in the pool; any other goes back."""


def _at_table(table: Table) -> PoolRules:
    """What the law says of this table's part in a link; only a table that has one asks."""
    links = table.ruleset.law.links
    assert present(links), f"{table.ruleset.edition} has a law on links"
    return links.at_table


# ---------------------------------------------------------------- what the link tells


def show_pool(table: Table, _request: TableRequest, command: ShowPool) -> Events | Refusal:
    """The pool that this table plays for, or the one on which the hands of its round were paid."""
    if not present(table.ruleset.law.links) or JACKPOT not in table.game.wagers(table.ruleset.rules):
        return Refusal(f"{table.name} has no jackpot", table.general.limits.set.rule)
    pools = _at_table(table)
    rule = pools.ordered.rule if command.paid else pools.meter.rule
    refusal = _not_now(table, command, rule)
    if refusal:
        return refusal
    prizes = {str(box): cents for box, cents in sorted(command.prizes.items())}
    return (like(PoolShown, command, prizes=prizes, rule=rule),)


def _not_now(table: Table, command: ShowPool, rule: str) -> Refusal | None:
    link = table.linkage
    if command.round != table.number and (command.round or command.paid):
        return Refusal(f"round {command.round} of {table.name} is over", rule)
    if command.link and command.link != link.link and _lines(table.round.book):
        return Refusal(f"{table.name} joins a link when no jackpot wager is in play", rule)
    if command.paid and (link.claimed != table.number or link.paid == table.number or command.link != link.link):
        return Refusal(f"no hand of {table.name} waits for {command.link or 'a link'}", rule)
    if not 0 <= command.pool <= LARGEST_AMOUNT:
        return Refusal(f"a pool of {dollars(command.pool)}", rule)
    return None


def _lines(book: tuple[BookLine, ...]) -> list[BookLine]:
    return [entry for entry in book if entry.wager.on == JACKPOT]


# ---------------------------------------------------------------- what the table tells, and what waits


def claimed(table: Table, after: AnyRound) -> Events:
    """The hands that win the pool of the link, when their payment is due for the first time in this round."""
    link = table.linkage
    if not _is_payment(after) or table.number in (link.claimed, *(() if link.link else (link.told,))):
        return ()
    if not link.link:
        return _fed(table, after)
    boxes: Any = after.game.outcome(after.rules, after.state)["boxes"]
    made = {one["box"]: one["hand"] for one in boxes}
    lines = _lines(after.book)
    won = sorted(line.wager.box for line in lines if isinstance(line.resolution, Won))
    hands = {str(box): made[box] for box in won}
    void = tuple(line.wager.number for line in lines if isinstance(line.resolution, Void))
    rule = _at_table(table).notified.rule
    return (JackpotClaimed(round=table.number, link=link.link, hands=hands, void=void, rule=rule),)


def _is_payment(this: AnyRound) -> bool:
    due = this.due
    return isinstance(due, Perform) and this.game.kind(this.rules, due.act).verb == PAYS


def _fed(table: Table, after: AnyRound) -> Events:
    """The pool of a table without a link when its first hand is to be paid: the wagers of the round are part of it.

    On the layout the wager of a hand that wins is collected after the payment; a slot has taken all of them.
    """
    slots = table.ruleset.elections.get("jackpot_mode") == ELECTRONIC
    taken = [line for line in _lines(after.book) if isinstance(line.resolution, Won | Lost if slots else Lost)]
    pool, stakes = table.sign.jackpot, sum(line.wager.stake_cents for line in taken)
    if pool is None or not stakes:
        return ()
    return (PoolShown(link="", pool=pool + stakes, round=table.number, rule=_at_table(table).fed.rule),)


def own_pool(table: Table, ended: tuple[BookLine, ...]) -> tuple[PoolShown, ...]:
    """The pool of a table without a link after a round: its wagers went in, what they won came out.

    Where no hand was paid it is told of the round, whose wagers then carry it: on it is paid a hand that is found later
    to have won (R-200).
    """
    pool, link = table.sign.jackpot, table.linkage
    before = link.fed if link.told == table.number else 0
    lines = [line for line in _lines(ended) if isinstance(line.resolution, Won | Lost)]
    if pool is None or link.link or not (lines or before) or not present(table.ruleset.law.links):
        return ()
    pools, paid = _at_table(table), sum(settlement_of(table, line).pays_cents for line in lines)
    # A wager on the layout that is collected after its hand was paid is in no part of that payment.
    now = max(0, pool - paid) - before + sum(line.wager.stake_cents for line in lines)
    rule, number = (pools.drawn.rule, 0) if paid else (pools.fed.rule, table.number if lines and not before else 0)
    return (PoolShown(link="", pool=max(0, now), round=number, shut=link.shut, rule=rule),)


def pool_put_right(table: Table, records: Iterable[Record]) -> Events:
    """The pool of a table without a link when earlier rounds are put right: what they truly brought and drew (R-200).

    What the operator paid because the pool could not comes back to the operator.
    """
    pool, link = table.sign.jackpot, table.linkage
    if pool is None or link.link or not present(table.ruleset.law.links):
        return ()
    were = {record.number: record for record in table.records}
    more = sum(_brought(record) - _brought(were[record.number]) for record in records if record.number in were)
    shown = PoolShown(link="", pool=max(0, pool + more), round=0, shut=link.shut, rule=_at_table(table).drawn.rule)
    return (shown,) if more else ()


def _brought(record: Record) -> Cents:
    """What a finished round brought into the pool, less what it drew from it; one without an outcome did neither."""
    lines = [line for line in record.lines if line.wager.on == JACKPOT and line.result in DECIDED]
    if record.invalid or not lines:
        return 0
    pools = [pool for line in lines for pool in line.wager.seen if isinstance(pool, int)]
    drawn = min(sum(line.returned for line in lines), max(pools, default=0))
    return sum(line.wager.stake_cents for line in lines) - drawn


def shut(table: Table, command: Command) -> Refusal | None:
    """Why no jackpot wager is taken: the link takes none."""
    if not table.linkage.shut or not isinstance(command, PlaceWager) or command.on != JACKPOT:
        return None
    why = f"the link {table.linkage.link} takes no wagers now" if table.linkage.link else "the jackpot has no link now"
    return Refusal(why, _at_table(table).meter.rule, on="jackpot")


def waits(table: Table) -> bool:
    """Whether hands of this round wait for the link."""
    link = table.linkage
    return bool(link.link) and link.claimed == table.number and link.paid != table.number


def unreleased(table: Table, fact: Fact) -> Refusal | None:
    """Why a hand is not paid yet: the link has not said on which pool."""
    link = table.linkage
    if not isinstance(fact, Performed) or not link.link or link.paid == table.number:
        return None
    if table.game.kind(table.ruleset.rules, fact.act).verb != PAYS:
        return None
    rule = _at_table(table).ordered.rule
    return Refusal(f"the link {link.link} has not said yet on which pool the hands of this round are paid", rule)


def why_final(table: Table) -> Refusal | None:
    """Why nothing of this round is taken back any more."""
    if not table.linkage.link or table.linkage.claimed != table.number:
        return None
    rule = _at_table(table).notified.rule
    return Refusal("hands of this round claim the pool of a link: end the round and correct it", rule)


# ---------------------------------------------------------------- evolving


def pool_shown(table: Table, event: PoolShown) -> Table:
    """The sign and every jackpot wager of the round in hand with this pool."""
    was = table.linkage
    paid, shown = event.round if event.paid else was.paid, event.round or was.told
    fed = event.pool - (table.sign.jackpot or 0) if event.round and not event.link else 0 if event.link else was.fed
    return changed(
        table,
        linkage=replace(was, link=event.link, paid=paid, told=shown, shut=event.shut, fed=fed),
        sign=replace(table.sign, jackpot=event.pool),
        round=_on_pool(table.round, event.pool),
        steps=tuple(replace(step, before=_on_pool(step.before, event.pool)) for step in table.steps),
        carried=tuple(_noted(wager, event.pool) for wager in table.carried),
        placed=tuple((at, _noted(wager, event.pool)) for at, wager in table.placed),
    )


def jackpot_claimed(table: Table, event: JackpotClaimed) -> Table:
    return changed(table, linkage=replace(table.linkage, claimed=event.round))


def _noted(wager: Wager, pool: Cents) -> Wager:
    return changed(wager, seen=(pool,)) if wager.on == JACKPOT else wager


def _on_pool(this: AnyRound, pool: Cents) -> AnyRound:
    """A round whose jackpot wagers carry this pool; those that have won are judged again, by the same cards."""
    return changed(
        this,
        sign=replace(this.sign, jackpot=pool),
        book=tuple(_again(this, entry, pool) for entry in this.book),
        start=tuple(_again(this, entry, pool) for entry in this.start),
    )


def _again(this: AnyRound, entry: BookLine, pool: Cents) -> BookLine:
    wager = _noted(entry.wager, pool)
    if wager is entry.wager or not isinstance(entry.resolution, Won):
        return entry if wager is entry.wager else BookLine(wager, entry.resolution)
    felt = this.game.felt(this.rules, this.state)
    result = this.game.judge(this.rules, wager, felt, Performed(PAYS), felt)
    return BookLine(result) if isinstance(result, Wager) else BookLine(wager, result)
