"""Outcomes put right: corrections of settled rounds, and outcomes that are invalidated.

An outcome may be invalidated on the grounds the law names; its wagers are refunded, except those of a fraudster where
the law lets them be forfeited.  A correction or refund that a player's chips cannot cover becomes a debt and a report
to the supervisor: no balance of chips is ever below nothing.
"""

from __future__ import annotations

from croupier.errors import BadInput
from croupier.game import Performed, Refusal, Ruling, Void
from croupier.journal.accounts import BANK, COMMISSION, chips_of, moves, owed_by, stakes_of
from croupier.journal.messages import Transfer
from croupier.law.general import in_force
from croupier.law.model import Law
from croupier.law.officials import LADDER, at_least
from croupier.money import Cents, floor_to_chips
from croupier.notation import read_fact, write_fact
from croupier.once import replace
from croupier.round import VOID_SPIN, BookLine, open_round, ruled
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.linked import own_pool, pool_put_right
from croupier.table.money.paying import early, reopened
from croupier.table.money.settling import settled
from croupier.table.people import unsaid
from croupier.table.state import Record, SettledWager, Table, as_begun
from croupier.table.trouble.correcting import (
    NoOutcome,
    Recalculated,
    goes_on,
    in_play,
    read_facts,
    recalculated,
    threw_last,
    thrower,
    turn_after,
)
from croupier.table.trouble.posting import consequences, posted, refunded_under

# ---------------------------------------------------------------- corrections


def correction_rule(table: Table) -> str:
    """What a wager is entitled to follows the rules, whatever was done at the table."""
    overpaid = table.general.trouble.overpaid
    if in_force(table.general.trouble.recalculated):
        return table.general.trouble.recalculated.rule
    return overpaid.rule if in_force(overpaid) else table.general.trouble.disputes.rule


def correct(table: Table, request: c.TableRequest, command: c.Correct) -> e.Events | Refusal:
    table = as_begun(table)
    rule, record = correction_rule(table), table.record(command.round)
    if record is None:
        return Refusal(f"round {command.round} is no finished round that this table remembers", rule)
    if record.invalid and not _reviewed(table, request, record):
        return _without_result(table, record)
    if in_play(table):
        return Refusal("finish the round in hand first", rule)
    word = table.procedure.overrules(table.ruleset.rules).get(record.level)
    if word is not None and request.role not in at_least(record.level):
        return Refusal(
            f"the {request.role} may not overrule the {record.level}", word.rule, on=f"round {record.number}"
        )
    if silent := unsaid(command.reason, rule):
        return silent
    if none := _void_spin(table, record, command):
        return _without_outcome(table, record, none, none.rule)
    facts = read_facts(table, record, command.facts, anew=True, spoken=True)
    if isinstance(facts, Refusal):
        return facts
    resumed = table.procedure.resume is not None
    again = recalculated(table, command.round, facts, resumed=resumed, anew=True, spoken=True, in_full=True)
    if isinstance(again, Refusal):
        return again
    changed = _changed(table, command.round, again)
    nets = _net_by_player(changed)
    after = consequences(table, command.round, nets, about="a correction was not covered", rule=rule)
    correction = e.RoundCorrected(
        round=command.round,
        facts=tuple(write_fact(fact) for fact in facts),
        reason=command.reason,
        settled=tuple(_as_event(line) for _, line in changed if line.result != OPEN),
        differences=nets,
        report=any(isinstance(event, e.Flagged) for event in after),
        resumed=resumed,
        anew=True,
        spoken=True,
        in_full=True,
        turn=_turn(table, again),
        begun=True,
        rule=rule,
        transfers=_posted(table, command.round, changed, nets, rule=rule),
    )
    return (correction, *after, *pool_put_right(table, again.records))


def _void_spin(table: Table, record: Record, command: c.Correct) -> NoOutcome | None:
    """Why a round truly had no result: its spin was void, though nobody said so (R-216).

    Where rounds go on from each other a void throw is corrected as any other: the wagers wait for the next.
    """
    this, none = open_round(table.game, table.ruleset.rules, sign=table.sign, following=record.following), None
    for item in command.facts if table.procedure.resume is None else ():
        try:
            fact = read_fact(item, this.due)
        except BadInput:
            return None
        ruling = ruled(this, fact)
        if not isinstance(ruling, Ruling) or VOID_SPIN not in _orders(ruling):
            return None
        none = NoOutcome(f"{ruling.on.circumstance}: {command.reason}", ruling.rule)
    return none


def _orders(ruling: Ruling) -> set[str]:
    return {order.act for order in ruling.facts if isinstance(order, Performed)}


def _turn(table: Table, again: Recalculated) -> str:
    """The rule by which the turn to throw is another's, now that the last throw is known for what it was."""
    return turn_after(table, table.attended.state, again.left, threw_last(table, again))[1]


def _posted(
    table: Table, number: int, changed: list[Change], nets: dict[str, Cents], *, rule: str
) -> tuple[Transfer, ...]:
    """All that moves when settlements are replaced: the differences, the stakes, the commission."""
    differences = (
        move for player, amount in sorted(nets.items()) for move in posted(table, number, player, amount, rule=rule)
    )
    return (*differences, *_stakes(changed, rule), *_commission(table, changed, rule))


def _without_result(table: Table, record: Record) -> Refusal:
    """A void round has no result that could have been another."""
    void = table.general.void_round
    rule = void.rule if in_force(void) else table.general.trouble.refunds.rule
    return Refusal(f"round {record.number} is void: it has no result", rule)


def _reviewed(table: Table, request: c.TableRequest, record: Record) -> bool:
    """Whether a spin that was found void later is looked at again by an official who reviews such decisions.

    The finding was a decision on the facts, which the first to decide does not take back by himself.  What the operator
    invalidated, on a ground that the law gives for it, stays invalid.
    """
    trouble = table.general.trouble
    grounds = (ground for law in trouble.grounds.values() for ground in law.value)
    reviewers = (at_least(role) for role in trouble.disputes.value[1:] if role in LADDER)
    return record.invalid not in grounds and any(request.role in roles for roles in reviewers)


Change = tuple[SettledWager, SettledWager]
"""What a wager is and what it becomes: settled, or open with what lies of it."""

OPEN, UNMADE = "open", "void"


def _changed(table: Table, number: int, again: Recalculated) -> list[Change]:
    old = {line.wager.number: line for r in table.records if r.number >= number for line in r.lines}
    new = {line.wager.number: line for r in again.records for line in r.lines}
    if again.book is not None:
        # In the round in hand, too, something may truly lie there that was taken back, or the other way round.
        old |= {line.wager.number: line for line in (*map(_lying, table.round.book), *table.settled)}
        new |= {line.wager.number: line for line in (*map(_lying, again.book), *again.settled)}
    pairs = ((old.get(n), new.get(n)) for n in sorted({*old, *new}))
    both = [(was or _unmade(now), now or _unmade(was)) for was, now in pairs]
    return [(was, now) for was, now in both if _unseen(was) != _unseen(now)]


def _unseen(line: SettledWager) -> SettledWager:
    """A line without what its wager has seen: that is no money of anybody's."""
    return replace(line, wager=replace(line.wager, seen=()))


def _lying(entry: BookLine) -> SettledWager:
    return SettledWager(entry.wager, OPEN, 0, "")


def _unmade(line: SettledWager | None) -> SettledWager:
    """A wager of a choice that was not made: nothing of it moved."""
    assert line is not None
    wager = line.wager
    return SettledWager(wager, UNMADE, wager.stake_cents + wager.voided_cents + wager.fee_cents, line.rule)


def _pending(line: SettledWager) -> Cents:
    return line.wager.stake_cents + line.wager.voided_cents if line.result == OPEN else 0


def _net_by_player(changed: list[Change]) -> dict[str, Cents]:
    """What each player is better off in chips: a wager costs its stake, and what was taken back of it came back."""
    nets: dict[str, Cents] = {}
    for was, now in changed:
        nets[now.wager.by] = nets.get(now.wager.by, 0) + now.net - was.net
    return {player: amount for player, amount in nets.items() if amount}


def _stakes(changed: list[Change], rule: str) -> tuple[Transfer, ...]:
    """A wager that is now decided leaves the stakes; what lies of one that is open again goes back to them."""
    found: list[Transfer] = []
    for was, now in changed:
        stakes, more = stakes_of(now.wager.by), _pending(now) - _pending(was)
        found += moves(Transfer(stakes, BANK, max(-more, 0), rule), Transfer(BANK, stakes, max(more, 0), rule))
    return tuple(found)


def _commission(table: Table, changed: list[Change], rule: str) -> tuple[Transfer, ...]:
    """Commission that is due no more, or newly due, moves between its account and the bank, or what a player owes.

    What a player owed and has paid already goes back in chips, as many as it was paid in.
    """
    more = sum(now.commission + now.fee_kept - was.commission - was.fee_kept for was, now in changed)
    found = moves(Transfer(BANK, COMMISSION, max(more, 0), rule), Transfer(COMMISSION, BANK, max(-more, 0), rule))
    for player in sorted({now.wager.by for _, now in changed}):
        less = sum(was.owed - now.owed for was, now in changed if now.wager.by == player)
        paid = max(0, min(less, table.balances.get(owed_by(player), 0) + less))
        back = floor_to_chips(paid, table.sign.chip)
        found += moves(
            Transfer(COMMISSION, owed_by(player), max(less, 0), rule),
            Transfer(owed_by(player), COMMISSION, max(-less, 0) + paid - back, rule),
            Transfer(owed_by(player), chips_of(player), back, rule),
        )
    return found


def _as_event(line: SettledWager) -> e.WagerSettled:
    wager = line.wager
    return e.WagerSettled(
        number=wager.number,
        player=wager.by,
        on=wager.on,
        result=line.result,
        commission=line.commission + line.owed,
        returned=line.returned,
        deferred=line.owed,
        rule=line.rule,
    )


# ---------------------------------------------------------------- invalid outcomes


def invalidate(table: Table, request: c.TableRequest, command: c.Invalidate) -> e.Events | Refusal:
    trouble, record = table.general.trouble, table.record(command.round)
    in_hand = command.round == table.number and table.open
    if not in_hand and (record is None or record.invalid):
        return Refusal(f"round {command.round} cannot be invalidated", trouble.invalidate_by.rule)
    ground = next((law for law in trouble.grounds.values() if command.ground in law.value), None)
    if ground is None:
        known = ", ".join(word for law in trouble.grounds.values() for word in sorted(law.value))
        return Refusal(f"{command.ground!r:.40} is no ground; known are {known}", trouble.invalidate_by.rule)
    if command.forfeit and (command.ground != "fraud" or not in_force(trouble.forfeits)):
        rule = trouble.forfeits.rule if in_force(trouble.forfeits) else trouble.refunds.rule
        return Refusal("a wager is forfeited only for its owner's fraud", rule)
    # What was dealt with apart, because its payment was refused for instance, is none of the round's any more.
    lines = [line for line in record.lines if not line.apart] if record else table.round.book
    strangers = set(command.forfeit) - {line.wager.by for line in lines}
    if strangers:
        return Refusal(f"{', '.join(sorted(strangers))} has no wager in round {command.round}", trouble.refunds.rule)
    if not trouble.refunds.value:
        return Refusal("wagers are not refunded here", trouble.refunds.rule)
    return _invalid_then(table, command, record, ground) if record else _invalid_now(table, command, ground)


def _invalid_now(table: Table, command: c.Invalidate, ground: Law[frozenset[str]]) -> e.Events | Refusal:
    """The round in hand: the wagers on its result are refunded, those on more than that stay."""
    refunds = table.general.trouble.refunds.rule
    carried = {wager.number for wager in table.carried}
    # What an earlier round left and this one decided is refunded, now as later, when the round is over.
    lasts, before = table.procedure.resume is not None, carried
    if in_play(table):
        # A wager that a misdeal left for this round is one on this round, and on no other.
        before = carried | {wager.number for _, wager in table.placed} if lasts else set()
    undecided = before - {entry.wager.number for entry in table.round.book if entry.resolution is not None}
    book, open_again = table.round.book, reopened(table, early(table), refunds)
    refunded = [
        entry.wager
        for entry in book
        if entry.wager.by not in command.forfeit and not goes_on(table, entry.wager, undecided)
    ]
    voided = [settled(table, BookLine(wager, Void(refunds)), apart=True) for wager in refunded]
    forfeit = (entry.wager for entry in book if entry.wager.by in command.forfeit)
    lost = [wager for wager in forfeit if not goes_on(table, wager, carried)]
    forfeits = tuple(
        move
        for wager in lost
        for move in moves(Transfer(stakes_of(wager.by), BANK, wager.stake_cents + wager.voided_cents, refunds))
    )
    ended = e.RoundInvalidated(
        round=command.round,
        ground=command.ground,
        forfeited=tuple(sorted({wager.by for wager in lost})),
        resumed=table.procedure.resume is not None,
        turn=_turn_now(table),
        begun=True,
        rule=ground.rule,
        transfers=forfeits,
    )
    # What its jackpot wagers had brought into the table's own pool goes out of it with them.
    return (*open_again, *voided, ended, *own_pool(table, ()))


def _turn_now(table: Table) -> str:
    """The same, where the throw in hand has no outcome."""
    begun, rules = table.begun, table.ruleset.rules
    sitting = table.procedure.abandon(rules, table.attended.state)
    return turn_after(table, sitting, begun, (table.thrower, thrower(table.records)))[1]


def _invalid_then(
    table: Table, command: c.Invalidate, record: Record, ground: Law[frozenset[str]]
) -> e.Events | Refusal:
    """A round that is over: what each wager of it won or lost is undone, and a forfeited one is lost whole.

    Wagers on more than its result are played again without it, through the rounds that followed.
    """
    forfeited = tuple(sorted({line.wager.by for line in record.lines} & set(command.forfeit)))
    none = NoOutcome(command.ground, refunded_under(table, command.ground, ground.rule), forfeited)
    return _without_outcome(table, record, none, ground.rule)


def _without_outcome(table: Table, record: Record, none: NoOutcome, cited: str) -> e.Events | Refusal:
    table = as_begun(table)
    rule, resumed = none.rule, table.procedure.resume is not None
    again = recalculated(table, record.number, none, resumed=resumed, anew=True, spoken=True, in_full=True)
    if isinstance(again, Refusal):
        return again
    if in_play(table) and (resumed or table.carried or again.still_open):
        return Refusal("finish the round in hand first", rule)
    changed = _changed(table, record.number, again)
    nets = _net_by_player(changed)
    ended = e.RoundInvalidated(
        round=record.number,
        ground=none.ground,
        settled=tuple(_as_event(line) for _, line in changed if line.result != OPEN),
        forfeited=none.forfeited,
        recalculated=True,
        resumed=resumed,
        anew=True,
        spoken=True,
        in_full=True,
        turn=_turn(table, again),
        begun=True,
        rule=cited,
        transfers=_posted(table, record.number, changed, nets, rule=rule),
    )
    after = consequences(table, record.number, nets, about="what came back was not covered", rule=rule)
    return (ended, *after, *pool_put_right(table, again.records))
