"""When something goes wrong beyond the cards: corrections, invalid outcomes, devices, disputes, wrong payments.

An outcome may be invalidated on the grounds the law names; its wagers are refunded, except those of a fraudster where
the law lets them be forfeited.  A correction or refund that a player's chips cannot cover becomes a debt and a report
to the supervisor: no balance of chips is ever below nothing.
"""

from __future__ import annotations

from croupier.game import Refusal, Void
from croupier.law.model import Law
from croupier.money import LARGEST_AMOUNT, Cents
from croupier.notation import write_fact
from croupier.round import Entry
from croupier.table.accounts import BANK, COMMISSION, HELD, chips_of, moves, owed_by, seized_from, stakes_of
from croupier.table.commands import (
    Advise,
    Correct,
    DecideDispute,
    HoldUnclaimed,
    Invalidate,
    RaiseDispute,
    RecoverPaid,
    ReportDevice,
    ReportPaid,
    Request,
    Sanction,
    ShowRules,
)
from croupier.table.correcting import CHANCE, Recalculated, read_facts, recalculated
from croupier.table.events import (
    DisputeDecided,
    DisputeRaised,
    Events,
    Flagged,
    InspectorNotified,
    OverpaymentRecovered,
    PaidOtherwise,
    PlayerExcluded,
    PlayerSanctioned,
    RoundCorrected,
    RoundInvalidated,
    RulesShown,
    Transfer,
    UnclaimedHeld,
    WagerSettled,
)
from croupier.table.general import INSPECTOR, in_force
from croupier.table.people import unknown
from croupier.table.posting import consequences, posted
from croupier.table.settling import put_back, settled
from croupier.table.state import Line, Record, Table

# ---------------------------------------------------------------- corrections


def correction_rule(table: Table) -> str:
    """What a wager is entitled to follows the rules, whatever was done at the table."""
    overpaid = table.general.trouble.overpaid
    if in_force(table.general.trouble.recalculated):
        return table.general.trouble.recalculated.rule
    return overpaid.rule if in_force(overpaid) else table.general.trouble.disputes.rule


def correct(table: Table, request: Request, command: Correct) -> Events | Refusal:
    rule, record = correction_rule(table), table.record(command.round)
    if record is None:
        return Refusal(f"round {command.round} is no finished round that this table remembers", rule)
    if record.invalid:
        return _without_result(table, record)
    if any(isinstance(step.fact, CHANCE) for step in table.steps):
        return Refusal("finish the round in hand first", rule)
    facts = read_facts(table, record, command.facts)
    if isinstance(facts, Refusal):
        return facts
    again = recalculated(table, command.round, facts)
    if isinstance(again, Refusal):
        return again
    changed = _changed(table, command.round, again)
    nets = _net_by_player(table, changed)
    transfers = tuple(
        move
        for player, amount in sorted(nets.items())
        for move in posted(table, command.round, player, amount, rule=rule)
    )
    after = consequences(table, command.round, nets, about="a correction was not covered", rule=rule)
    told = RoundCorrected(
        round=command.round,
        facts=tuple(write_fact(fact) for fact in facts),
        reason=command.reason,
        settled=tuple(_as_event(line) for _, line in changed if line),
        differences=nets,
        report=any(isinstance(event, Flagged) for event in after),
        rule=rule,
        transfers=(*transfers, *_pending(changed, rule), *_commission(changed, rule)),
    )
    return (told, *after)


def _without_result(table: Table, record: Record) -> Refusal:
    """A void round has no result that could have been another."""
    void = table.general.void_round
    rule = void.rule if in_force(void) else table.general.trouble.refunds.rule
    return Refusal(f"round {record.number} is void: it has no result", rule)


Change = tuple[Line | None, Line | None]
"""A settlement in force and the one that replaces it; None is a wager that is (or was) open."""


def _changed(table: Table, number: int, again: Recalculated) -> list[Change]:
    old = {line.wager.number: line for r in table.records if r.number >= number for line in r.lines}
    new = {line.wager.number: line for r in again.records for line in r.lines}
    numbers = sorted({*old, *new})
    pairs = [(old.get(n), new.get(n)) for n in numbers]
    return [(was, now) for was, now in pairs if was is None or now is None or was != now]


def _net_by_player(table: Table, changed: list[Change]) -> dict[str, Cents]:
    """What each player is better off in chips, stakes that become pending or stop being so left aside."""
    nets: dict[str, Cents] = {}
    for was, now in changed:
        line = now or was
        assert line is not None
        amount = (now.returned if now else 0) - (was.returned if was else 0)
        nets[line.wager.by] = nets.get(line.wager.by, 0) + amount
    return {player: amount for player, amount in nets.items() if amount}


def _pending(changed: list[Change], rule: str) -> tuple[Transfer, ...]:
    """A wager that is now decided leaves the stakes; one that is open again goes back to them."""
    found: list[Transfer] = []
    for was, now in changed:
        line = now or was
        assert line is not None
        stake = line.wager.stake_cents + line.wager.voided_cents
        if was is None:
            found += moves(Transfer(stakes_of(line.wager.by), BANK, stake, rule))
        elif now is None:
            found += moves(Transfer(BANK, stakes_of(line.wager.by), stake, rule))
    return tuple(found)


def _commission(changed: list[Change], rule: str) -> tuple[Transfer, ...]:
    """Commission that is due no more, or newly due, moves between its account and the bank."""
    more = sum((now.commission if now else 0) - (was.commission if was else 0) for was, now in changed)
    return moves(Transfer(BANK, COMMISSION, max(more, 0), rule), Transfer(COMMISSION, BANK, max(-more, 0), rule))


def _as_event(line: Line) -> WagerSettled:
    wager = line.wager
    return WagerSettled(
        number=wager.number,
        player=wager.by,
        on=wager.on,
        result=line.result,
        commission=line.commission,
        returned=line.returned,
        rule=line.rule,
    )


# ---------------------------------------------------------------- invalid outcomes


def invalidate(table: Table, request: Request, command: Invalidate) -> Events | Refusal:
    trouble, record = table.general.trouble, table.record(command.round)
    if command.round != table.number and (record is None or record.invalid):
        return Refusal(f"round {command.round} cannot be invalidated", trouble.invalidate_by.rule)
    ground = next((law for law in trouble.grounds.values() if command.ground in law.value), None)
    if ground is None:
        known = ", ".join(word for law in trouble.grounds.values() for word in sorted(law.value))
        return Refusal(f"{command.ground!r:.40} is no ground; known are {known}", trouble.invalidate_by.rule)
    if command.forfeit and (command.ground != "fraud" or not in_force(trouble.forfeits)):
        rule = trouble.forfeits.rule if in_force(trouble.forfeits) else trouble.refunds.rule
        return Refusal("a wager is forfeited only for its owner's fraud", rule)
    if not trouble.refunds.value:
        return Refusal("wagers are not refunded here", trouble.refunds.rule)
    return _invalid_then(table, command, record, ground) if record else _invalid_now(table, command, ground)


def _invalid_now(table: Table, command: Invalidate, ground: Law[frozenset[str]]) -> Events | Refusal:
    """The round in hand: its own wagers are refunded, those from earlier rounds stay."""
    refunds = table.general.trouble.refunds.rule
    carried = {wager.number for wager in table.carried}
    lines = [entry for entry in table.round.book if entry.wager.number not in carried]
    refunded = [entry.wager for entry in lines if entry.wager.by not in command.forfeit]
    told = [settled(table, Entry(wager, Void(refunds)), apart=True) for wager in refunded]
    lost = [entry.wager for entry in lines if entry.wager.by in command.forfeit]
    forfeits = tuple(
        move
        for wager in lost
        for move in moves(Transfer(stakes_of(wager.by), BANK, wager.stake_cents + wager.voided_cents, refunds))
    )
    ended = RoundInvalidated(
        round=command.round,
        ground=command.ground,
        forfeited=tuple(sorted({wager.by for wager in lost})),
        rule=ground.rule,
        transfers=forfeits,
    )
    return (*told, ended)


def _invalid_then(table: Table, command: Invalidate, record: Record, ground: Law[frozenset[str]]) -> Events | Refusal:
    """A round that is over: what each wager of it won or lost is undone, and a forfeited one is lost whole."""
    rule = table.general.trouble.refunds.rule
    nets: dict[str, Cents] = {}
    for line in record.lines:
        taken = line.returned if line.wager.by in command.forfeit else line.net
        nets[line.wager.by] = nets.get(line.wager.by, 0) - taken
    transfers = tuple(
        move
        for player, amount in sorted(nets.items())
        for move in posted(table, record.number, player, amount, rule=rule)
    )
    transfers += _commission([(line, None) for line in record.lines], rule)
    forfeited = tuple(sorted({line.wager.by for line in record.lines} & set(command.forfeit)))
    told = RoundInvalidated(
        round=record.number, ground=command.ground, forfeited=forfeited, rule=ground.rule, transfers=transfers
    )
    return (told, *consequences(table, record.number, nets, about="what came back was not covered", rule=rule))


# ---------------------------------------------------------------- devices


def report_device(table: Table, request: Request, command: ReportDevice) -> Events | Refusal:
    law = table.general.trouble.device
    if law.value:
        return Refusal("such devices are allowed here", law.rule)
    return unknown(table, command.player) or (
        Flagged(about="a device that records or analyses play", player=command.player, rule=law.rule),
    )


def sanction(table: Table, request: Request, command: Sanction) -> Events | Refusal:
    trouble = table.general.trouble
    laws = {
        "void wagers": trouble.device_voids,
        "exclude": trouble.device_excludes,
        "seize winnings": trouble.device_seizes,
        "confiscate device": trouble.device_taken,
        "detain": trouble.detained,
    }
    missing = unknown(table, command.player)
    if missing:
        return missing
    law = laws[command.measure]
    if not in_force(law):
        return Refusal(f"{command.measure}: no such measure under this law", trouble.device_by.rule)
    found = PlayerSanctioned(player=command.player, measure=command.measure, amount=command.amount, rule=law.rule)
    match command.measure:
        case "void wagers":
            return (*_voided(table, command.player, law.rule), found)
        case "exclude":
            return (PlayerExcluded(player=command.player, reason="prohibited device", rule=law.rule), found)
        case "seize winnings":
            return _seized(table, command, law.rule)
        case _:
            return (found,)


def _voided(table: Table, player: str, rule: str) -> Events:
    lines = [entry for entry in table.round.book if entry.wager.by == player]
    return tuple(
        WagerSettled(
            number=entry.wager.number,
            player=player,
            on=entry.wager.on,
            result="void",
            returned=entry.wager.stake_cents + entry.wager.voided_cents + entry.wager.fee_cents,
            apart=True,
            rule=rule,
            transfers=put_back(entry.wager, rule),
        )
        for entry in lines
    )


def _seized(table: Table, command: Sanction, rule: str) -> Events | Refusal:
    if not 0 < command.amount <= table.chips(command.player):
        return Refusal(f"{command.player} has {table.chips(command.player)} cents, not {command.amount}", rule)
    move = Transfer(chips_of(command.player), seized_from(command.player), command.amount, rule)
    return (
        PlayerSanctioned(
            player=command.player, measure=command.measure, amount=command.amount, rule=rule, transfers=(move,)
        ),
    )


# ---------------------------------------------------------------- disputes


def raise_dispute(table: Table, request: Request, command: RaiseDispute) -> Events | Refusal:
    rule = table.general.trouble.disputes.rule
    return (
        DisputeRaised(dispute=len(table.disputes), complainant=command.complainant, about=command.about, rule=rule),
    )


def decide_dispute(table: Table, request: Request, command: DecideDispute) -> Events | Refusal:
    """From the game supervisor up to the inspector; one left unresolved is told of the inspector."""
    trouble = table.general.trouble
    levels = trouble.disputes.value
    if not 0 <= command.dispute < len(table.disputes):
        return Refusal(f"no dispute {command.dispute}", trouble.disputes.rule)
    dispute = table.disputes[command.dispute]
    if dispute.resolved:
        return Refusal(f"dispute {command.dispute} is resolved", trouble.disputes.rule)
    level = levels[min(dispute.level, len(levels) - 1)]
    if request.role != level and levels.index(level) >= _level(levels, request.role):
        return Refusal(f"dispute {command.dispute} is before the {level}", trouble.disputes.rule)
    telling = trouble.inspector_named
    if telling.value and not command.resolved and not command.inspector_named and level != INSPECTOR:
        return Refusal(
            "the complainant is told of the inspector and of the right to consult one", trouble.inspector_named.rule
        )
    decided = DisputeDecided(
        dispute=command.dispute,
        decision=command.decision,
        level=request.role,
        resolved=command.resolved,
        rule=trouble.disputes.rule,
    )
    if command.resolved:
        return (decided,)
    return (decided, InspectorNotified(about=f"dispute {command.dispute}", rule=trouble.inspector_named.rule))


def _level(levels: tuple[str, ...], role: str) -> int:
    return levels.index(role) if role in levels else -1


# ---------------------------------------------------------------- payments and the rest


def report_paid(table: Table, request: Request, command: ReportPaid) -> Events | Refusal:
    law = table.general.trouble.overpaid
    if not in_force(law):
        return Refusal("this law does not speak of wrong payments", table.general.trouble.disputes.rule)
    record = table.record(command.round)
    line = next((each for each in record.lines if each.wager.number == command.number), None) if record else None
    if line is None:
        return Refusal(f"no settled wager {command.number} in round {command.round}", law.rule)
    chips = table.general.money.paid_in_chips
    if not command.in_chips and in_force(chips):
        return Refusal("winnings are paid in chips", chips.rule)
    player, more = line.wager.by, command.paid - line.returned
    if more == 0 or not 0 <= command.paid <= LARGEST_AMOUNT or -more > table.chips(player):
        return Refusal(f"{command.paid} cents is not a wrong payment that {player} can have had", law.rule)
    move = (
        Transfer(BANK, chips_of(player), more, law.rule)
        if more > 0
        else Transfer(chips_of(player), HELD, -more, law.rule)
    )
    return (
        PaidOtherwise(
            round=command.round, number=command.number, player=player, due=line.returned, paid=command.paid,
            rule=law.rule, transfers=(move,),
        ),
    )  # fmt: skip


def recover(table: Table, request: Request, command: RecoverPaid) -> Events | Refusal:
    """What was paid too much comes back, as far as there are chips; what was held is handed over."""
    law = table.general.trouble.overpaid
    rule = law.rule if in_force(law) else table.general.trouble.disputes.rule
    amount = table.overpaid.get(command.player, 0)
    if not amount:
        return Refusal(f"{command.player} was paid what was due", rule)
    if amount < 0:
        back = moves(Transfer(HELD, chips_of(command.player), -amount, rule))
    else:
        have = min(amount, table.chips(command.player))
        back = moves(
            Transfer(chips_of(command.player), BANK, have, rule),
            Transfer(owed_by(command.player), BANK, amount - have, rule),
        )
    return (OverpaymentRecovered(player=command.player, amount=amount, rule=rule, transfers=back),)


def hold(table: Table, request: Request, command: HoldUnclaimed) -> Events | Refusal:
    law = table.general.trouble.unclaimed
    if not in_force(law):
        return Refusal("this law does not speak of unclaimed winnings", table.general.trouble.disputes.rule)
    if not 0 < command.amount <= table.chips(command.player):
        return Refusal(f"{command.player} left {table.chips(command.player)} cents, not {command.amount}", law.rule)
    move = Transfer(chips_of(command.player), HELD, command.amount, law.rule)
    return (UnclaimedHeld(player=command.player, amount=command.amount, rule=law.rule, transfers=(move,)),)


def show_rules(table: Table, request: Request, command: ShowRules) -> Events | Refusal:
    law = table.general.trouble.rules_on_request
    if not law.value:
        return Refusal("the rules are not shown here", law.rule)
    return (RulesShown(player=command.player, edition=table.ruleset.edition, rule=law.rule),)


def advise(table: Table, request: Request, command: Advise) -> Events | Refusal:
    law = table.general.people.advice
    if law.value:
        return (Flagged(about="advice was given", player=command.player, rule=law.rule),)
    return Refusal("staff do not advise how to play", law.rule)
