"""What staff see of a table beside what everybody sees: the supervisor's half of a view.

All of it follows from the table and the last lines of its journal.  Times are in milliseconds of the server's clock,
amounts in cents.  A clock is told by the moment at which something becomes lawful (`lawful_ms`; 0: it will not, because
the sign was put up for too short a time), so that a page only counts.

    {"players": [{"name", "seat", "chips", "staked", "idle", "personal": [minimum, maximum] or none, "overpaid",
                  "device", "terminal"}],
     "seating": {"seats", "idle_rounds", "idle_rule", "full", "standing_rule", "may_stand": [...],
                 "excluded": {name: why}},
     "limits": {"notice": {"minimum", "maximum", "posted_ms", "from_ms", "lawful_ms"} or none, "minutes", "rule",
                "guarded": ["minimum raised", ...], "grounds": [{"name", "holds", "rule"}]},
     "differential": {"figures": 0, 1 or 2, "rule"},
     "closing": {"posted_ms", "closes_ms", "lawful_ms", "minutes", "rule", "in_play", "sign": what a closed table
                 would open with again},
     "rulings": [{"number", "what", "call", "level", "rule"}],
     "disputes": [{"number", "complainant", "about", "before", "decision", "resolved"}],
     "trouble": {"grounds": [{"ground", "rule"}], "measures": [{"measure", "rule"}]},
     "may": [{"choose", "by", "box"}]: what players may choose beside what is due,
     "electronic": none, or {"system": {"version", "approval"}, "most", "locked", "unconfirmed": [...],
                    "due": {terminal: cents that a correction left to somebody who was paid out},
                    "terminals": [{"name", "number", "active", "holder", "credits", "staked", "due", "locked",
                                   "confirmed", "minimum", "maximum", "increment", "aggregate", "approval"}],
                    "cases": [{"number", "terminal", "fault", "rounds", "closed",
                               "duties": [{"name", "done", "says", "rule"}]}]},
     "duty": {"supervisor", "opened_ms", "people": [{"name", "role", "at_ms"}]},
     "asks": {command: {"role", "rule"}}: the lowest official for it,
     "irregularities": {circumstance: words}}
"""

from __future__ import annotations

from typing import Any, Final

from croupier.floor.choices import beside
from croupier.floor.recent import Recent
from croupier.game import Irregular
from croupier.law.model import present
from croupier.table import commands as c
from croupier.table import terminal_commands as t
from croupier.table.accounts import due_from
from croupier.table.commands import Command
from croupier.table.correcting import CHANCE
from croupier.table.decide import DECISIONS
from croupier.table.devices import Case, Terminal
from croupier.table.general import STAFF, in_force, lowest
from croupier.table.limits import MINUTE_MS
from croupier.table.slips import unconfirmed
from croupier.table.state import Player, Table
from croupier.table.terminal_law import TerminalRules

ASKED: Final[tuple[type[Command], ...]] = (
    c.PostLimits, c.ChangeLimits, c.SetDifferential, c.SetPersonalLimit, c.PostClosing, c.CloseTable, c.AskToLeave,
    c.Exclude, c.AllowStanding, c.Correct, c.Invalidate, c.Overrule, c.Sanction, c.ReportDevice, c.DecideDispute,
    c.RecoverPaid, t.PairTerminal, t.UnpairTerminal, t.SetTerminalLimits, t.CreditTerminal, t.CancelCredit,
    t.ReturnSlip, t.ReportMalfunction, t.ApproveSystem,
)  # fmt: skip
"""What the supervisor's page asks for and may need somebody higher for."""


def staff_view(table: Table, recent: Recent) -> dict[str, Any]:
    """The supervisor's half of a view."""
    return {
        "players": [_player(table, player) for player in table.players.values()],
        "seating": _seating(table),
        "limits": _limits(table),
        "differential": _differential(table),
        "closing": _closing(table),
        "rulings": _rulings(table),
        "disputes": _disputes(table),
        "trouble": _trouble(table),
        "may": [each for name in _bettors(table) for each in beside(table, name)],
        "electronic": _electronic(table, table.general.terminals) if present(table.general.terminals) else None,
        "duty": _duty(table, recent),
        "asks": _asks(table),
        "irregularities": dict(table.game.circumstances),
    }


# ---------------------------------------------------------------- people


def _player(table: Table, player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "seat": player.seat,
        "chips": table.chips(player.name),
        "staked": table.staked(player.name),
        "idle": player.idle,
        "personal": player.personal,
        "overpaid": table.overpaid.get(player.name, 0),
        "device": player.won_with_device,
        "terminal": player.name in table.terminals,
    }


def _bettors(table: Table) -> list[str]:
    return list(dict.fromkeys(wager.by for wager in table.round.standing))


def _seating(table: Table) -> dict[str, Any]:
    people = table.general.people
    return {
        "seats": table.house.seats,
        "full": len(table.seats) >= table.house.seats,
        "idle_rounds": people.idle_rounds.value,
        "idle_rule": people.idle_rounds.rule,
        "standing_rule": people.standing.rule if in_force(people.standing) else "",
        "may_stand": sorted(table.standing_allowed),
        "excluded": dict(table.excluded),
    }


# ---------------------------------------------------------------- the sign


def _limits(table: Table) -> dict[str, Any]:
    limits, notice = table.general.limits, None
    if table.posted:
        minimum, maximum, from_ms, posted_ms = table.posted
        lawful_ms = lawful_from(posted_ms, from_ms, limits.notice_minutes.value)
        notice = {"minimum": minimum, "maximum": maximum} | _clock(posted_ms, lawful_ms) | {"from_ms": from_ms}
    return {
        "notice": notice,
        "minutes": limits.notice_minutes.value,
        "rule": limits.notice_minutes.rule,
        "guarded": sorted(limits.guarded.value),
        "grounds": _grounds(table),
    }


def _grounds(table: Table) -> list[dict[str, Any]]:
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
    return [{"name": name, "holds": holds, "rule": law.rule} for name, law, holds in known if in_force(law)]


def lawful_from(posted_ms: int, from_ms: int, minutes: int) -> int:
    """When what a sign announces may be done; 0 if the sign does not stand long enough before it."""
    return from_ms if from_ms - posted_ms >= minutes * MINUTE_MS else 0


def _clock(posted_ms: int, lawful_ms: int) -> dict[str, int]:
    return {"posted_ms": posted_ms, "lawful_ms": lawful_ms}


def _differential(table: Table) -> dict[str, Any]:
    law, shown = table.layout.differentials, table.layout.differential_shown
    if not in_force(law):
        return {"figures": 0, "rule": ""}
    return {"figures": 2 if "minimum" in law.value else 1, "rule": shown.rule if in_force(shown) else law.rule}


def _closing(table: Table) -> dict[str, Any]:
    law = table.general.closing_minutes
    closes_ms, posted_ms = table.closing or (0, 0)
    lawful_ms = lawful_from(posted_ms, closes_ms, law.value)
    in_play = bool(table.placed) or any(isinstance(step.fact, CHANCE) for step in table.steps)
    told = {"closes_ms": closes_ms, "minutes": law.value, "rule": law.rule, "in_play": in_play}
    return told | _clock(posted_ms, lawful_ms) | {"sign": None if table.open else _sign_again(table)}


def _sign_again(table: Table) -> dict[str, Any]:
    """The sign as it was, and what the operator chose beside it, as a command to open is told of them."""
    sign, house = table.sign, table.house
    jackpot = (sign.jackpot, sign.jackpot_wager) if sign.jackpot and sign.jackpot_wager else None
    told = {name: getattr(sign, name) for name in ("minimum", "maximum", "chip", "increment", "differential")}
    names = ("seats", "multiples", "players_per_area", "area_cap", "refuse_unpayable", "supervisor")
    chosen = {name: getattr(house, name) for name in names}
    more = {"kinds": dict(house.kinds), "signs": sorted(house.signs)}
    return told | chosen | more | {"jackpot": jackpot, "super_sevens": sign.super_sevens}


# ---------------------------------------------------------------- what was ruled, disputed, and may follow


def _rulings(table: Table) -> list[dict[str, Any]]:
    found = []
    for number, ruling in enumerate(table.rulings):
        fact = table.steps[ruling.step].fact
        what, call = (fact.circumstance, fact.call) if isinstance(fact, Irregular) else ("", "")
        found.append({"number": number, "what": what, "call": call, "level": ruling.level, "rule": ruling.rule})
    return found


def _disputes(table: Table) -> list[dict[str, Any]]:
    levels = table.general.trouble.disputes.value
    return [
        {"number": number, "complainant": each.complainant, "about": each.about}
        | {"before": levels[min(each.level, len(levels) - 1)]}
        | {"decision": each.decision, "resolved": each.resolved}
        for number, each in enumerate(table.disputes)
    ]


def _trouble(table: Table) -> dict[str, Any]:
    trouble = table.general.trouble
    measures = {
        "void wagers": trouble.device_voids,
        "exclude": trouble.device_excludes,
        "seize winnings": trouble.device_seizes,
        "confiscate device": trouble.device_taken,
        "detain": trouble.detained,
    }
    grounds = [(ground, law.rule) for law in trouble.grounds.values() for ground in sorted(law.value)]
    return {
        "grounds": [{"ground": ground, "rule": rule} for ground, rule in grounds],
        "measures": [{"measure": name, "rule": law.rule} for name, law in measures.items() if in_force(law)],
    }


# ---------------------------------------------------------------- terminals and cases


def _electronic(table: Table, rules: TerminalRules) -> dict[str, Any]:
    missing = unconfirmed(table)
    return {
        "system": {"version": table.system.version, "approval": table.system.approval},
        "most": rules.most.value,
        "locked": "" in table.locks,
        "unconfirmed": list(missing),
        "due": _due(table),
        "terminals": [_terminal(table, each, missing) for each in table.terminals.values()],
        "cases": [_case(number, case, rules) for number, case in enumerate(table.cases)],
    }


def _due(table: Table) -> dict[str, int]:
    """What waits for its voucher; a terminal that was taken from the table since is among them."""
    found = {name: table.balances.get(due_from(name), 0) for name in (*table.terminals, *sorted(table.retired))}
    return {name: amount for name, amount in found.items() if amount > 0}


def _terminal(table: Table, terminal: Terminal, missing: tuple[str, ...]) -> dict[str, Any]:
    name = terminal.name
    return {
        "name": name,
        "number": terminal.number,
        "active": terminal.active,
        "holder": terminal.holder,
        "credits": table.chips(name),
        "staked": table.staked(name),
        "due": table.balances.get(due_from(name), 0),
        "locked": name in table.locks or "" in table.locks,
        "confirmed": name not in missing,
        "minimum": terminal.minimum,
        "maximum": terminal.maximum,
        "increment": terminal.increment,
        "aggregate": terminal.aggregate,
        "approval": terminal.approval,
    }


def _case(number: int, case: Case, rules: TerminalRules) -> dict[str, Any]:
    duties = (
        ("report", bool(case.report), case.report, rules.cases.inspector.rule),
        ("investigation", bool(case.finding), case.finding, rules.cases.locked.rule),
        ("refund", case.refunded, "", rules.cases.refund.rule),
    )
    return {
        "number": number,
        "terminal": case.terminal,
        "fault": case.fault,
        "rounds": list(case.rounds),
        "closed": case.closed,
        "duties": [{"name": name, "done": done, "says": says, "rule": rule} for name, done, says, rule in duties],
    }


# ---------------------------------------------------------------- who is there, and who is asked


def _duty(table: Table, recent: Recent) -> dict[str, Any]:
    """Who of the staff did something here last, and since when the table is open, as far as the last lines tell."""
    seen: dict[tuple[str, str], int] = {}
    for line in recent.lines:
        if line.role in STAFF:
            seen[line.by, line.role] = line.at_ms
    people = [{"name": name, "role": role, "at_ms": at_ms} for (name, role), at_ms in seen.items()]
    return {
        "supervisor": table.house.supervisor,
        "opened_ms": recent.opened_ms,
        "people": sorted(people, key=lambda each: -int(each["at_ms"])),
    }


def _asks(table: Table) -> dict[str, dict[str, str]]:
    laws = {kind.__name__: DECISIONS[kind][0](table.general) for kind in ASKED}
    return {name: {"role": lowest(law.value), "rule": law.rule} for name, law in laws.items()}
