"""What staff see of a table beside what everybody sees: the supervisor's half of a view.

All of it follows from the table and the last lines of its journal.  Times are in milliseconds of the server's clock,
amounts in cents.  A clock is told by the moment at which something becomes lawful (`lawful_ms`; 0: nothing was put up),
so that a page only counts.
"""

from __future__ import annotations

from typing import Any, Final

from croupier.answers.declaring import provided
from croupier.floor.views import staff_shapes as v
from croupier.floor.views.choices import beside
from croupier.floor.views.payments import orders, payments
from croupier.floor.views.recent import Recent
from croupier.game import Irregular
from croupier.game.circumstances import Circumstance
from croupier.journal.accounts import due_from, owed_by
from croupier.journal.messages import Command
from croupier.law.general import GeneralRules, in_force
from croupier.law.model import present
from croupier.law.officials import STAFF, acting, doer, lowest
from croupier.law.terminals import TerminalRules
from croupier.once import once
from croupier.table import commands as c
from croupier.table.betting.offers import KeptOffers
from croupier.table.decide import DECISIONS
from croupier.table.limits import lawful_from
from croupier.table.state import Player, Record, Table
from croupier.table.terminals import commands as t
from croupier.table.terminals.slips import unconfirmed
from croupier.table.terminals.state import MalfunctionCase, Terminal
from croupier.table.trouble.correcting import CHANCE
from croupier.table.trouble.devices import measures, won_with
from croupier.table.trouble.disputes import deciders
from croupier.table.trouble.posting import due_to, owing

ASKED: Final[tuple[type[Command], ...]] = (
    c.PostLimits, c.ChangeLimits, c.SetDifferential, c.SetPersonalLimit, c.PostClosing, c.CloseTable, c.AskToLeave,
    c.Exclude, c.AllowStanding, c.Correct, c.Invalidate, c.Overrule, c.Sanction, c.ReportDevice, c.DecideDispute,
    c.RecoverPaid, c.ReportPaid, c.HoldUnclaimed, t.PairTerminal, t.UnpairTerminal, t.SetTerminalLimits,
    t.CreditTerminal, t.CancelCredit, t.ReturnSlip, t.ReportMalfunction, t.ApproveSystem,
)  # fmt: skip
"""What the pages of staff ask for and may need somebody higher for."""

BY_MANAGEMENT: Final = "by management"
"""Under what name it is told who lets commissions stand beyond the shoe, or collects them before its end."""

NEEDS: Final = {"seize winnings": "amount", "hand over": "to"}
"""What is told with a measure beside the player."""


def standing_orders(table: Table, recent: Recent) -> dict[str, Any]:
    """The part of the supervisor's half of a view in which a wager changes nothing, by the names that it has there."""
    return {
        "seating": _seating(table),
        "differential": _differential(table),
        "payments": payments(table),
        "notes": _notes(table, recent),
        "rulings": _rulings(table),
        "awaited": _awaited(table),
        "disputes": _disputes(table),
        "trouble": _trouble(table),
        "asks": _asks(table.general),
        "irregularities": _irregularities(table),
    }


def following_wagers(table: Table, recent: Recent, offers: KeptOffers | None = None) -> dict[str, Any]:
    """The part that every wager may change."""
    return {
        "players": [_player(table, player) for player in table.players.values()],
        "limits": _limits(table),
        "closing": _closing(table),
        "orders": orders(table, offers),
        "may": [each for name in _bettors(table) for each in beside(table, name)],
        "electronic": _electronic(table, table.general.terminals) if present(table.general.terminals) else None,
        "duty": _duty(table, recent),
    }


def _irregularities(table: Table) -> dict[str, dict[str, Any]]:
    """What can go wrong at this table: what a declaration of it tells, and the rules that remedy it, if any do."""
    rules = provided(table.game, table.ruleset.rules)
    listed = table.game.circumstances.items()
    return {name: _declared(entry) | {"rules": list(rules.get(name, ()))} for name, entry in listed}


def _declared(entry: Circumstance) -> dict[str, Any]:
    """What a declaration of this tells; `to` and `call` with their words, and those to choose from."""
    asked = {"to": entry.to, "call": entry.call}
    choices = {name: each and {"says": each.says, "options": list(each.options)} for name, each in asked.items()}
    return {"words": entry.words, "card": entry.card, "disclosed": entry.disclosed, "found": entry.found, **choices}


# ---------------------------------------------------------------- people


def _player(table: Table, player: Player) -> v.PlayerRow:
    return v.PlayerRow(
        name=player.name,
        seat=player.seat,
        chips=table.chips(player.name),
        staked=table.staked(player.name),
        owes=-table.balances.get(owed_by(player.name), 0),
        idle=player.idle,
        personal=player.personal,
        overpaid=table.overpaid.get(player.name, 0) or owing(table, player.name),
        device=_device(table, player.name),
        terminal=player.name in table.terminals,
        advised=player.name in table.tolerated,
        number=player.number,
    )


def _device(table: Table, name: str) -> v.HeldDevice | None:
    held = table.devices.get(name)
    if held is None:
        return None
    left = won_with(table, name, held) - held.seized
    return v.HeldDevice(what=held.what, since=held.since, detained=held.detained, left=left)


def _bettors(table: Table) -> list[str]:
    return list(dict.fromkeys(wager.by for wager in table.round.standing))


def _seating(table: Table) -> v.Seating:
    people = table.general.people
    return v.Seating(
        seats=table.house.seats,
        full=len(table.seats) >= table.house.seats,
        idle_rounds=people.idle_rounds.value,
        idle_rule=people.idle_rounds.rule,
        standing_rule=people.standing.rule if in_force(people.standing) else "",
        may_stand=sorted(table.standing_allowed),
        excluded={name: out.reason for name, out in table.excluded.items()},
        nominee_rule=people.nominee.rule if in_force(people.nominee) else "",
        nominees={name: player.nominee for name, player in table.players.items() if player.nominee},
    )


# ---------------------------------------------------------------- the sign


def _limits(table: Table) -> v.LimitsShown:
    limits, notice = table.general.limits, None
    if table.posted:
        minimum, maximum, from_ms, posted_ms = table.posted
        lawful_ms = lawful_from(posted_ms, from_ms, limits.notice_minutes.value)
        notice = v.Notice(minimum=minimum, maximum=maximum, posted_ms=posted_ms, lawful_ms=lawful_ms, from_ms=from_ms)
    above = limits.personal_above
    return v.LimitsShown(
        personal_above=above.rule if in_force(above) else "",
        notice=notice,
        minutes=limits.notice_minutes.value,
        rule=limits.notice_minutes.rule,
        guarded=sorted(limits.guarded.value),
        grounds=_grounds(table),
    )


def _grounds(table: Table) -> list[v.Ground]:
    """The grounds on which limits may be tightened; whether those of notice and consent hold, the asking says."""
    limits = table.general.limits
    first = table.house.first_today and table.number == 1 and not table.steps
    empty = not table.players and not table.round.standing
    known = (
        ("notice", limits.notice_minutes, False),
        ("consent", limits.consent, False),
        ("first opening", limits.first_opening, first),
        ("no play", limits.no_play, empty),
    )
    return [v.Ground(name=name, holds=holds, rule=law.rule) for name, law, holds in known if in_force(law)]


def _differential(table: Table) -> v.Differential:
    law, shown = table.layout.differentials, table.layout.differential_shown
    if not in_force(law):
        return v.Differential(figures=0, rule="")
    figures, rule = 2 if "minimum" in law.value else 1, shown.rule if in_force(shown) else law.rule
    return v.Differential(figures=figures, rule=rule)


def _closing(table: Table) -> v.Closing:
    law = table.general.closing_minutes
    closes_ms, posted_ms = table.closing or (0, 0)
    return v.Closing(
        closes_ms=closes_ms,
        minutes=law.value,
        rule=law.rule,
        in_play=bool(table.placed) or any(isinstance(step.fact, CHANCE) for step in table.steps),
        posted_ms=posted_ms,
        lawful_ms=lawful_from(posted_ms, closes_ms, law.value) if table.closing else 0,
        sign=None if table.open else _sign_again(table),
    )


def _sign_again(table: Table) -> v.SignAgain:
    """The sign as it was, and what the operator chose beside it, as a command to open is told of them."""
    sign, house = table.sign, table.house
    jackpot = (sign.jackpot, sign.jackpot_wager) if sign.jackpot and sign.jackpot_wager else None
    return v.SignAgain(
        minimum=sign.minimum,
        maximum=sign.maximum,
        chip=sign.chip,
        increment=sign.increment,
        differential=sign.differential,
        seats=house.seats,
        multiples=house.multiples,
        players_per_area=house.players_per_area,
        area_cap=house.area_cap,
        refuse_unpayable=house.refuse_unpayable,
        supervisor=house.supervisor,
        kinds=dict(house.kinds),
        signs=sorted(house.signs),
        jackpot=jackpot,
        super_sevens=sign.super_sevens,
    )


# ---------------------------------------------------------------- what was ruled, disputed, and may follow


def _notes(table: Table, recent: Recent) -> list[v.RoundNote]:
    """The rounds that ended last; the stakes of one that the table remembers no more are not told."""
    records = {record.number: record for record in table.records}
    corrected, disputed = frozenset(recent.corrected), {each.round for each in table.disputes}
    found = []
    for event, at_ms in zip(recent.ended, recent.ended_ms, strict=True):
        record = records.get(event.round)
        found.append(
            v.RoundNote(
                round=event.round,
                at_ms=at_ms,
                staked=_staked(record) if record else None,
                irregular=record is not None and any(isinstance(fact, Irregular) for fact in record.facts),
                corrected=event.round in corrected or bool(record and record.invalid),
                disputed=event.round in disputed,
            )
        )
    return found


def _staked(record: Record) -> int:
    return sum(line.wager.stake_cents + line.wager.voided_cents for line in record.lines)


def _rulings(table: Table) -> list[v.RulingShown]:
    found = []
    for number, ruling in enumerate(table.rulings):
        fact = table.steps[ruling.step].fact
        what, call = (fact.circumstance, fact.call) if isinstance(fact, Irregular) else ("", "")
        found.append(v.RulingShown(number=number, what=what, call=call, level=ruling.level, rule=ruling.rule))
    return found


def _awaited(table: Table) -> list[v.AwaitedOrder]:
    """The orders that wait for their official: what is to be ordered, by whom, under which rule, and who asked."""
    return [
        v.AwaitedOrder(
            order=each.order,
            fact=each.fact,
            what=_what(each.fact),
            official=each.official,
            roles=sorted(acting(each.official) or ()),
            least=doer(each.official),
            person=each.person,
            role=each.role,
            rule=each.rule,
        )
        for each in table.awaited
    ]


def _what(fact: dict[str, Any]) -> str:
    """What waits, in words; a player's call with the wager that it is for."""
    if named := fact.get("perform") or fact.get("irregular"):
        return str(named)
    return f"{fact['by']} calls {fact['call']} {fact.get('on', '')}".strip()


def _disputes(table: Table) -> list[v.DisputeShown]:
    law = table.general.trouble.disputes
    return [
        v.DisputeShown(
            number=number,
            complainant=each.complainant,
            about=each.about,
            before=law.value[min(each.level, len(law.value) - 1)],
            roles=[] if each.resolved else sorted(deciders(table, each)),
            review=law.value[each.level + 1] if each.resolved and each.level + 1 < len(law.value) else "",
            decision=each.decision,
            resolved=each.resolved,
            rule=law.rule,
        )
        for number, each in enumerate(table.disputes)
    ]


def _trouble(table: Table) -> v.Trouble:
    trouble = table.general.trouble
    grounds = [(ground, law.rule) for law in trouble.grounds.values() for ground in sorted(law.value)]
    return v.Trouble(
        grounds=[v.TroubleGround(ground=ground, rule=rule) for ground, rule in grounds],
        measures=[
            v.Measure(measure=name, rule=law.rule, needs=NEEDS.get(name, ""))
            for name, law in measures(trouble).items()
            if in_force(law)
        ],
        contravened=trouble.contravened.rule if in_force(trouble.contravened) else "",
    )


# ---------------------------------------------------------------- terminals and cases


def _electronic(table: Table, rules: TerminalRules) -> v.Electronic:
    missing = unconfirmed(table)
    return v.Electronic(
        system=v.SystemShown(version=table.system.version, approval=table.system.approval),
        most=rules.most.value,
        locked="" in table.locks,
        unconfirmed=list(missing),
        due=(due := _due(table)),
        dues=[(name, next(iter(each.rounds), 0), each.amount) for name in due for each in due_to(table, name)],
        terminals=[_terminal(table, each, missing) for each in table.terminals.values()],
        cases=[_case(number, case, rules) for number, case in enumerate(table.cases)],
    )


def _due(table: Table) -> dict[str, int]:
    """What waits for its voucher; a terminal that was taken from the table since is among them."""
    found = {name: table.balances.get(due_from(name), 0) for name in (*table.terminals, *sorted(table.retired))}
    return {name: amount for name, amount in found.items() if amount > 0}


def _terminal(table: Table, terminal: Terminal, missing: tuple[str, ...]) -> v.TerminalRow:
    name = terminal.name
    return v.TerminalRow(
        name=name,
        number=terminal.number,
        active=terminal.active,
        holder=terminal.holder,
        credits=table.chips(name),
        staked=table.staked(name),
        due=table.balances.get(due_from(name), 0),
        locked=name in table.locks or "" in table.locks,
        confirmed=name not in missing,
        minimum=terminal.minimum,
        maximum=terminal.maximum,
        increment=terminal.increment,
        aggregate=terminal.aggregate,
        approval=terminal.approval,
    )


def _case(number: int, case: MalfunctionCase, rules: TerminalRules) -> v.CaseShown:
    duties = (
        ("report", bool(case.report), case.report, rules.cases.inspector.rule),
        ("investigation", bool(case.finding), case.finding, rules.cases.locked.rule),
        ("refund", case.refunded, "", rules.cases.refund.rule),
    )
    return v.CaseShown(
        number=number,
        terminal=case.terminal,
        fault=case.fault,
        rounds=list(case.rounds),
        closed=case.closed,
        duties=[v.Duty(name=name, done=done, says=says, rule=rule) for name, done, says, rule in duties],
    )


# ---------------------------------------------------------------- who is there, and who is asked


def _duty(table: Table, recent: Recent) -> v.DutyRoster:
    """Who of the staff did something here last, and since when the table is open, as far as the last lines tell."""
    seen: dict[tuple[str, str], int] = {}
    for line in recent.lines:
        if line.role in STAFF:
            seen[line.by, line.role] = line.at_ms
    people = [v.OnDuty(name=name, role=role, at_ms=at_ms) for (name, role), at_ms in seen.items()]
    return v.DutyRoster(
        supervisor=table.house.supervisor,
        opened_ms=recent.opened_ms,
        people=sorted(people, key=lambda each: -each.at_ms),
    )


@once
def _asks(general: GeneralRules) -> dict[str, v.Asks]:
    laws = {kind.__name__: DECISIONS[kind][0](general) for kind in ASKED}
    money = general.money
    if in_force(money.deferral):
        laws[c.DeferCommission.__name__] = DECISIONS[c.DeferCommission][0](general)
    if in_force(money.deferral_by_management):
        laws[BY_MANAGEMENT] = money.deferral_by_management
    return {name: v.Asks(role=lowest(law.value), rule=law.rule) for name, law in laws.items()}
