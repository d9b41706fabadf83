"""The sign on the table: opening, limits and their changes, personal limits, closing.

A higher minimum or a lower maximum needs a ground: a sign that stood long enough, the consent of all players, the
first opening of the day, or no play at the table.  The grounds, and who is told, are the law's.
"""

from __future__ import annotations

from croupier.game import Refusal
from croupier.law.model import Law, present
from croupier.table.commands import (
    ChangeLimits,
    CloseTable,
    OpenTable,
    PostClosing,
    PostLimits,
    Request,
    SetDifferential,
    SetPersonalLimit,
)
from croupier.table.events import (
    AnyEvent,
    ClosingPosted,
    DifferentialSet,
    Flagged,
    InspectorNotified,
    LimitsChanged,
    LimitsPosted,
    PersonalLimitSet,
    TableClosed,
    TableOpened,
)
from croupier.table.state import Table

Events = tuple[AnyEvent, ...]
MINUTE_MS = 60_000


def open_table(table: Table, request: Request, command: OpenTable) -> Events | Refusal:
    refusal = _bad_sign(table, command) or _bad_equipment(table, command) or _bad_reservation(table, command)
    if refusal:
        return refusal
    rule = table.general.limits.shown.rule
    opened = TableOpened(
        minimum=command.minimum,
        maximum=command.maximum,
        chip=command.chip,
        increment=command.increment,
        differential=command.differential,
        aggregate=command.aggregate,
        supervisor=command.supervisor,
        private=command.private,
        event=command.event,
        rule=rule,
    )
    return (opened,)


def _bad_sign(table: Table, command: OpenTable) -> Refusal | None:
    limits = table.general.limits
    if command.minimum <= 0 or command.maximum <= 0:
        return Refusal("a table opens with a minimum and a maximum", limits.shown.rules[-1])
    if command.minimum > command.maximum:
        return Refusal(f"minimum {command.minimum} is above maximum {command.maximum}", limits.shown.rule)
    if not command.sign_shown:
        return Refusal("the limits must stand on a sign at the table", limits.shown.rule)
    return _bad_increment(table, command.minimum, command.increment)


def _bad_increment(table: Table, minimum: int, increment: int) -> Refusal | None:
    law = table.general.limits.increment_within_minimum
    if increment and present(law) and law.value and increment > minimum:
        return Refusal(f"increment {increment} is above the minimum {minimum}", law.rule)
    return None


def _bad_equipment(table: Table, command: OpenTable) -> Refusal | None:
    if not command.supervisor:
        return Refusal("a table opens with a game supervisor", table.general.supervisor.rule)
    if not table.round.game.decks(table.ruleset.rules):
        return None
    shuffler = table.ruleset.elections.get("shuffler", "none")
    wanted = "shoe" if shuffler in ("none", "shoe", "batch") else "shuffler"
    if command.supplies != wanted:
        return Refusal(f"cards come from a {wanted} here, not from a {command.supplies or 'hand'}", "NZ1996-I-19.4")
    return None


def _bad_reservation(table: Table, command: OpenTable) -> Refusal | None:
    people = table.general.people
    if not command.private and not command.event:
        return None
    if not present(people.private) or not present(people.private_sign):
        return Refusal("this law has no private tables", people.idle_rounds.rule)
    if not command.private_sign:
        return Refusal("a reserved table carries a sign that it is private", people.private_sign.rule)
    return None


# ---------------------------------------------------------------- changing limits


def post_limits(table: Table, request: Request, command: PostLimits) -> Events | Refusal:
    notice = table.general.limits.notice_minutes
    told = _told(table, f"limits {command.minimum} to {command.maximum} from {command.from_ms}")
    posted = LimitsPosted(
        minimum=command.minimum,
        maximum=command.maximum,
        from_ms=command.from_ms,
        posted_ms=request.at_ms,
        rule=notice.rule,
    )
    return (posted, *told)


def change_limits(table: Table, request: Request, command: ChangeLimits) -> Events | Refusal:
    increment = command.increment or table.sign.increment
    if command.minimum <= 0 or command.minimum > command.maximum:
        return Refusal("a minimum above zero and not above the maximum", table.general.limits.shown.rule)
    refusal = _bad_increment(table, command.minimum, increment)
    if refusal:
        return refusal
    ground = _ground(table, request, command)
    if isinstance(ground, Refusal):
        return ground
    changed = LimitsChanged(minimum=command.minimum, maximum=command.maximum, increment=increment, rule=ground.rule)
    flags = _consent_flag(table, ground)
    return (changed, *_told(table, f"limits now {command.minimum} to {command.maximum}"), *flags)


def _ground(table: Table, request: Request, command: ChangeLimits) -> Law[object] | Refusal:
    """The ground on which the change is permitted; the players' side needs none."""
    limits = table.general.limits
    changes = {
        "minimum raised": command.minimum > table.sign.minimum,
        "maximum lowered": table.sign.maximum is not None and command.maximum < table.sign.maximum,
    }
    if not any(changes[what] for what in limits.guarded.value):
        return limits.by
    if _stood_long_enough(table, request, command):
        return limits.notice_minutes
    if command.consent and limits.consent.value and set(table.players) <= set(command.consent):
        return limits.consent
    if present(limits.no_play) and limits.no_play.value and not table.players and not table.round.standing:
        return limits.no_play
    return Refusal(
        f"raising a minimum or lowering a maximum needs a sign for {limits.notice_minutes.value} minutes, or consent",
        limits.guarded.rule,
    )


def _stood_long_enough(table: Table, request: Request, command: ChangeLimits) -> bool:
    if table.posted is None:
        return False
    minimum, maximum, from_ms, posted_ms = table.posted
    waited = from_ms - posted_ms >= table.general.limits.notice_minutes.value * MINUTE_MS
    return (minimum, maximum) == (command.minimum, command.maximum) and waited and request.at_ms >= from_ms


def _told(table: Table, about: str) -> Events:
    law = table.general.limits.inspector_told
    return (InspectorNotified(about=about, rule=law.rule),) if present(law) and law.value else ()


def _consent_flag(table: Table, ground: Law[object]) -> Events:
    """Victoria's consent has no counterpart in the Act it quotes: allowed, recorded, and shown to compliance."""
    law = table.general.limits.consent
    if ground is not law or present(table.general.limits.inspector_told):
        return ()
    return (Flagged(about="minimum raised by consent without a sign", rule=law.rule),)


def set_differential(table: Table, request: Request, command: SetDifferential) -> Events | Refusal:
    rules = table.ruleset.rules
    rule = rules.limits.differential.rules[-1] if hasattr(rules, "limits") else table.general.limits.shown.rule
    if not 0 < command.least <= command.most:
        return Refusal("a differential is a minimum not above a maximum", rule)
    if table.round.standing:
        return Refusal("the differential changes between rounds", rule)
    return (DifferentialSet(least=command.least, most=command.most, rule=rule),)


def set_personal_limit(table: Table, request: Request, command: SetPersonalLimit) -> Events | Refusal:
    law = table.general.limits.personal_by
    if not command.sign_shown:
        return Refusal("a personal limit is shown at the player's place", law.rule)
    if not 0 < command.minimum <= command.maximum:
        return Refusal("a personal minimum above zero and not above the maximum", law.rule)
    if command.player not in table.players:
        return Refusal(f"{command.player} is not at this table", law.rule)
    return (PersonalLimitSet(player=command.player, minimum=command.minimum, maximum=command.maximum, rule=law.rule),)


# ---------------------------------------------------------------- closing


def post_closing(table: Table, request: Request, command: PostClosing) -> Events | Refusal:
    rule = table.general.closing_minutes.rule
    return (ClosingPosted(closes_ms=command.closes_ms, posted_ms=request.at_ms, rule=rule),)


def close_table(table: Table, request: Request, command: CloseTable) -> Events | Refusal:
    """With players present a table closes only after its sign stood for the set time; an empty one at once."""
    law = table.general.closing_minutes
    if table.round.standing:
        return Refusal("wagers are in play", law.rule)
    if table.players and not _announced(table, request):
        return Refusal(f"with players present a closing sign must stand {law.value} minutes", law.rule)
    return (TableClosed(rule=law.rule),)


def _announced(table: Table, request: Request) -> bool:
    if table.closing is None:
        return False
    posted, closes = table.closing
    wait = table.general.closing_minutes.value * MINUTE_MS
    return closes - posted >= wait and request.at_ms >= closes
