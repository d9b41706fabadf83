"""The pool of a jackpot link: its terms, its tables and meters, and the wagers that feed it.

The pool is the players': what is in it leaves it as prizes or goes to the pool of another link.  The meters follow it,
so every event that changes it is followed by what they show.
"""

from __future__ import annotations

from typing import TypeAlias

from croupier.game import Refusal
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.messages import Events
from croupier.house.jackpot.state import BETWEEN, Link, Linked, bank_of, pool_of, retained_by, split
from croupier.journal.accounts import HOUSE, moves
from croupier.journal.messages import Transfer
from croupier.law.ruleset import named_law
from croupier.money import LARGEST_AMOUNT, Cents, dollars
from croupier.once import like

Answer: TypeAlias = Events | Refusal

# ---------------------------------------------------------------- the link and its tables


def set_terms(link: Link, command: m.OpenLink | m.ChangeTerms) -> Answer:
    approved, whole = link.rules.approved, link.rules.whole
    if approved.value and not command.approval.strip():
        return Refusal("the rate, the portion kept and the seed need an approval of the Authority", approved.rule)
    rates = (command.pool_rate, command.retained_rate)
    if min(rates) < 0 or command.pool_rate == 0 or sum(rates) != whole.value:
        shares = f"{command.pool_rate} to the pool and {command.retained_rate} kept"
        return Refusal(f"{shares} are not {whole.value} hundredths of a percent", whole.rule)
    if not 0 <= command.seed <= LARGEST_AMOUNT:
        return Refusal(f"a seed of {dollars(command.seed)}", approved.rule)
    first = isinstance(command, m.OpenLink)
    law = named_law(link.edition, links=link.rules, stud=link.stud, general=link.general)
    terms = like(m.TermsSet, command, first=first, law=law, rule=approved.rule)
    return (terms, *(seeded(link, command.seed) if first and not link.pool else ()))


def seeded(link: Link, seed: Cents) -> Events:
    rule = link.rules.approved.rule
    move = Transfer(HOUSE, pool_of(link.name), seed, rule)
    return (m.PoolSeeded(amount=seed, rule=rule, transfers=(move,)),) if seed else ()


def join_table(link: Link, command: m.JoinTable) -> Answer:
    rules = link.rules
    if not command.table or command.table in link.tables:
        return Refusal(f"{command.table or 'a table without a name'} cannot join", rules.equipped.rule)
    modes, times = link.stud.progressive.areas, rules.hand_time
    if command.mode not in modes or command.device not in times:
        return Refusal(f"a jackpot is not run {command.mode} with a {command.device}", rules.equipped.rule)
    if command.mode == rules.equipped.value and len(set(command.meters)) < rules.meters.value:
        return Refusal(f"{command.table}: no meter shows the pool", rules.meters.rule)
    one = link.stud.progressive.one_amount
    if not 0 < command.wager <= LARGEST_AMOUNT or command.chip < 1 or command.wager % command.chip:
        reason = f"a jackpot wager of {dollars(command.wager)} in chips of {dollars(command.chip)}"
        return Refusal(reason, one.rule)
    joined = like(m.TableJoined, command, meters=tuple(sorted(set(command.meters))), rule=rules.equipped.rule)
    return (joined, *shown(link, link.pool, more=command.meters))


def shown(link: Link, pool: Cents, *, more: tuple[str, ...] = ()) -> Events:
    """The meters follow the pool."""
    meters = tuple(sorted({*link.meters, *more}))
    return (m.MetersShow(amount=pool, meters=meters, rule=link.rules.meters.rule),) if meters else ()


def leave_table(link: Link, command: m.LeaveTable) -> Answer:
    rule = link.rules.equipped.rule
    if link.tables[command.table].stakes:
        return Refusal(f"{command.table} has jackpot wagers in play", rule)
    return (m.TableLeft(table=command.table, rule=rule),)


def check_meter(link: Link, command: m.CheckMeter) -> Answer:
    rule = link.rules.meters.rule
    if command.meter not in link.meters:
        return Refusal(f"no meter {command.meter!r} is linked to {link.name}", rule)
    return (m.MeterChecked(meter=command.meter, shows=command.shows, pool=link.pool, rule=rule),)


def close_link(link: Link, command: m.CloseLink) -> Answer:
    """What players put into the pool stays a pool: it goes to another link, as approved."""
    rule = link.rules.approved.rule
    busy = next((name for name, table in sorted(link.tables.items()) if table.stakes), "")
    if busy:
        return Refusal(f"{busy} has jackpot wagers in play", rule)
    if link.pool and not (command.to.strip() and command.to != link.name and command.approval.strip()):
        return Refusal(f"{dollars(link.pool)} in the pool goes to another link, with approval", rule)
    move = moves(Transfer(pool_of(link.name), BETWEEN, link.pool, rule))
    closed = m.LinkClosed(to=command.to, amount=link.pool, approval=command.approval, rule=rule, transfers=move)
    return (closed,)


def receive_pool(link: Link, command: m.ReceivePool) -> Answer:
    rule = link.rules.approved.rule
    if not (command.link.strip() and command.link != link.name and command.approval.strip()):
        return Refusal("a pool comes from another link, with approval", rule)
    if not 0 < command.amount <= LARGEST_AMOUNT:
        return Refusal(f"a pool of {dollars(command.amount)}", rule)
    move = Transfer(BETWEEN, pool_of(link.name), command.amount, rule)
    received = like(m.PoolReceived, command, rule=rule, transfers=(move,))
    return (received, *shown(link, link.pool + command.amount))


# ---------------------------------------------------------------- wagers


def record_wager(link: Link, command: m.RecordWager) -> Answer:
    table, one = link.tables[command.table], link.stud.progressive.one_amount
    refusal = _not_now(link, table, command) or dark(link, table)
    if refusal:
        return refusal
    if one.value and command.amount != table.wager_cents:
        wanted, given = dollars(table.wager_cents), dollars(command.amount)
        return Refusal(f"the jackpot wager on the sign is {wanted}, not {given}", one.rule)
    pooled, _ = split(link, command.amount, link.terms.pool_rate if link.terms else 0)
    recorded = like(
        m.WagerRecorded,
        command,
        at_table=table.wagered_cents + command.amount if link.rules.recorded.value else 0,
        pool=link.pool + pooled,
        rule=link.rules.recorded.rule,
        transfers=_fed(link, command, pooled),
    )
    return (recorded, *shown(link, link.pool + pooled))


def _fed(link: Link, command: m.RecordWager, pooled: Cents) -> tuple[Transfer, ...]:
    """The wager goes from the table's bank to the pool, but for the portion that is kept."""
    bank, rule = bank_of(command.table), link.rules.approved.rule
    return moves(
        Transfer(bank, pool_of(link.name), pooled, rule),
        Transfer(bank, retained_by(link.name), command.amount - pooled, rule),
    )


def _not_now(link: Link, table: Linked, command: m.RecordWager) -> Refusal | None:
    rule = link.rules.recorded.rule
    if table.timed or (table.stakes and command.round != table.round):
        return Refusal(f"round {table.round} of {command.table} is in play", rule)
    if command.round <= table.closed_round:
        return Refusal(f"round {command.round} of {command.table} is over", rule)
    if command.box < 1 or command.box in table.stakes:
        return Refusal(f"box {command.box} has no room for a jackpot wager", rule)
    return None


def dark(link: Link, table: Linked) -> Refusal | None:
    """Where equipment is needed, too few meters that are right are as good as none."""
    lit = len(set(table.meters) - link.wrong)
    if table.mode != link.rules.equipped.value or lit >= link.rules.meters.value:
        return None
    return Refusal("no meter shows the pool as it is", link.rules.meters.rule)


def return_wager(link: Link, command: m.ReturnWager) -> Answer:
    table, law = link.tables[command.table], link.stud.progressive.needs_ante
    stake = table.stakes.get(command.box)
    if stake is None or command.box in table.timed:
        return Refusal(f"box {command.box} has no jackpot wager that could go back", law.rule)
    from_pool = -split(link, -stake.amount_cents, stake.pool_rate)[0]
    there, bank = min(from_pool, link.pool), bank_of(command.table)
    back = moves(
        Transfer(pool_of(link.name), bank, there, law.rule),
        Transfer(HOUSE, bank, from_pool - there, law.rule),
        Transfer(retained_by(link.name), bank, stake.amount_cents - from_pool, law.rule),
    )
    returned = m.WagerReturned(
        table=command.table,
        box=command.box,
        player=stake.player,
        amount=stake.amount_cents,
        rule=law.rule,
        transfers=back,
    )
    return (returned, *shown(link, link.pool - there))


def carry_wagers(link: Link, command: m.CarryWagers) -> Answer:
    table, law = link.tables[command.table], link.stud.misdealt
    if not table.stakes or table.claims:
        return Refusal(f"{command.table} has no wagers that could wait for another deal", law.rule)
    return (m.WagersCarried(table=command.table, boxes=tuple(sorted(table.stakes)), rule=law.rule),)
