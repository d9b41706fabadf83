"""The sign on the table: opening, limits and their changes, personal limits, closing.

A higher minimum or a lower maximum needs a ground: a sign that stood long enough, the consent of all players, the
first opening of the day, or no play at the table.  The grounds, and who is told, are the law's.
"""

from __future__ import annotations

from croupier.game import Refusal, Void, told, worded
from croupier.law.general import in_force
from croupier.law.model import Law
from croupier.money import LARGEST_AMOUNT, Cents, dollars
from croupier.once import like
from croupier.round import BookLine
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.chance import predictable, source_shown
from croupier.table.money.settling import overdue, settled
from croupier.table.people import present
from croupier.table.state import Table
from croupier.table.trouble.correcting import CHANCE

MINUTE_MS = 60_000
GUARDED = {"minimum raised": "raising a minimum", "maximum lowered": "lowering a maximum"}
"""Changes that a law may guard players against, and how they are spoken of."""
SEATS_ELSEWHERE = 20
"""Places at a table whose law says nothing of seats."""


def open_table(table: Table, request: c.TableRequest, command: c.OpenTable) -> e.Events | Refusal:
    refusal = (
        _bad_equipment(table, command)
        or predictable(table, command)
        or _bad_choices(table, command)
        or _bad_reservation(table, command)
        or _bad_sign(table, command)
    )
    if refusal:
        return refusal
    law = table.procedure.seats(table.ruleset.rules)
    seats = command.seats or (law.value.stop - 1 if law else SEATS_ELSEWHERE)
    named, rule, new_day = table.ruleset.named(), table.general.limits.set.rule, command.first_today
    opened = like(e.TableOpened, command, law=named, seats=seats, begun_anew=True, new_day=new_day, rule=rule)
    return (opened, *_signs(table, command), *source_shown(table, command))


def _bad_sign(table: Table, command: c.OpenTable) -> Refusal | None:
    limits = table.general.limits
    if limits.set.value and (command.minimum <= 0 or command.maximum <= 0 or command.chip <= 0):
        return Refusal("a table opens with a minimum, a maximum and a smallest chip above zero", limits.set.rule)
    if command.minimum > command.maximum or command.maximum > LARGEST_AMOUNT:
        return Refusal(_limits(command.minimum, command.maximum), limits.set.rule)
    if limits.shown.value and not command.sign_shown:
        return Refusal("the limits must stand on a sign at the table", limits.shown.rule)
    for kind, (least, most) in command.kinds.items():
        if not 0 < least <= most:
            return Refusal(_limits(least, most), limits.set.rule, on=kind)
    differential = command.differential and _bad_differential(table, *command.differential)
    return differential or _bad_increment(table, command.minimum, command.increment)


def _bad_differential(table: Table, least: Cents, most: Cents) -> Refusal | None:
    """Where the law knows a maximum differential only, the sign shows one figure."""
    law, shown = table.layout.differentials, table.layout.differential_shown
    if not in_force(law):
        return Refusal(f"{worded(table.game.name)} has no table differential", table.general.limits.set.rule)
    if not 0 < least <= most <= LARGEST_AMOUNT:
        rule = shown.rule if in_force(shown) else law.rule
        return Refusal("a differential is a minimum not above a maximum", rule)
    if "minimum" not in law.value and least != most:
        return Refusal(f"the differential is one figure here, not {dollars(least)} and {dollars(most)}", law.rule)
    return None


def _bad_increment(table: Table, minimum: int, increment: int) -> Refusal | None:
    """A step is not above the minimum; by reading steps are counted from it (R-006)."""
    law = table.general.limits.increment_within_minimum
    if not increment or not in_force(law) or not law.value:
        return None
    if increment < 0 or increment > minimum:
        return Refusal(f"steps of {dollars(increment)} with a minimum of {dollars(minimum)}", law.rule)
    return None


def _bad_choices(table: Table, command: c.OpenTable) -> Refusal | None:
    """What the operator may choose for this layout: seats, players on an area, a cap, and the notices it needs."""
    areas, law = table.layout, table.procedure.seats(table.ruleset.rules)
    if law and command.seats and command.seats not in law.value:
        return Refusal(f"{command.seats} seats: {law.value.start} to {law.value.stop - 1}", law.rule)
    per_area = areas.per_area
    if in_force(per_area) and command.players_per_area not in per_area.value:
        return Refusal(
            f"{command.players_per_area} players on an area: at most {per_area.value.stop - 1}", per_area.rule
        )
    caps = areas.caps
    if command.area_cap and not (in_force(caps) and command.area_cap in caps.value):
        rule = caps.rule if in_force(caps) else table.general.limits.set.rule
        return Refusal(f"no cap on an area for {command.area_cap} here", rule)
    missing = (notice for notice in needed_signs(table) if notice.value not in command.signs)
    return next(
        (Refusal(f"the sign {notice.value!r} must stand at the table", notice.rule) for notice in missing), None
    )


def needed_signs(table: Table) -> tuple[Law[str], ...]:
    """The notices without which the law does not let a table with these elections open."""
    return tuple(notice for election, notice in table.layout.notices.items() if _elected(table, election))


def _elected(table: Table, election: str) -> bool:
    return not election or table.ruleset.elections.get(election) not in (None, False, "", "none")


def _signs(table: Table, command: c.OpenTable) -> e.Events:
    """The signs that stand from the opening on: limits, equipment, differential, and what elections need."""
    areas, shown = table.layout, [e.SignShown(sign="limits", rule=table.general.limits.shown.rule)]
    if command.supplies in table.general.equipment and table.game.decks(table.ruleset.rules):
        shown.append(e.SignShown(sign=command.supplies, rule=table.general.equipment[command.supplies].rule))
    if command.differential and in_force(areas.differential_shown):
        shown.append(e.SignShown(sign="differential", rule=areas.differential_shown.rule))
    shown += [e.SignShown(sign=notice.value, rule=notice.rule) for notice in needed_signs(table)]
    if areas.layouts:
        cloth = str(table.ruleset.elections["layout"])
        shown.append(e.SignShown(sign=f"layout {cloth}: {areas.layouts[cloth].value}", rule=areas.layouts[cloth].rule))
    if in_force(areas.runs_area) and table.ruleset.elections.get("runs"):
        shown.append(e.SignShown(sign="runs area", rule=areas.runs_area.rule))
    if command.refuse_unpayable:
        shown.append(e.SignShown(sign="payable wagers only", rule=table.general.limits.unpayable_refused.rule))
    event, sign = table.general.people.event, table.general.people.private_sign
    if command.event and in_force(event):
        shown.append(e.SignShown(sign=command.event, rule=event.rule))
    if (command.private or command.event) and in_force(sign):
        shown.append(e.SignShown(sign="private", rule=sign.rule))
    first = table.general.limits.first_opening
    if command.first_today and in_force(first):
        shown.append(e.SignShown(sign="first opening", rule=first.rule))
    if (command.first_today and in_force(first)) or tightened(table, command.minimum, command.maximum):
        return (
            *shown,
            *_notified(table, f"{_limits(command.minimum, command.maximum)} from the opening"),
        )
    return tuple(shown)


def _bad_equipment(table: Table, command: c.OpenTable) -> Refusal | None:
    if not command.supervisor:
        return Refusal("a table opens with a game supervisor", table.general.supervisor.rule)
    return _unfit(table, command) or _wrong_supplies(table, command)


def _unfit(table: Table, command: c.OpenTable) -> Refusal | None:
    """Why something that was measured may not be used at this table."""
    known = table.procedure.equipment
    for name, measure in command.equipment.items():
        if name not in known:
            listed = ", ".join(known) or "nothing"
            return Refusal(f"{name!r:.40} is not measured here; known is {listed}", table.general.limits.set.rule)
        if refusal := known[name](table.ruleset.rules, measure):
            return refusal
    return None


def _wrong_supplies(table: Table, command: c.OpenTable) -> Refusal | None:
    if not table.game.decks(table.ruleset.rules) or not table.general.equipment:
        return None
    elections = table.ruleset.elections
    device = elections.get("shuffler", elections.get("device", "none"))
    wanted = "shuffler" if device in ("continuous", "shuffler") else "shoe"
    law = table.general.equipment[wanted]
    if command.supplies != law.value:
        return Refusal(f"cards come from a {wanted} here, not from a {command.supplies or 'hand'}", law.rule)
    return None


def _bad_reservation(table: Table, command: c.OpenTable) -> Refusal | None:
    people = table.general.people
    if not command.private and not command.event:
        return None
    if not in_force(people.private) or not in_force(people.private_sign):
        return Refusal("this law has no private tables", people.idle_rounds.rule)
    if "private" not in command.signs:
        return Refusal("a reserved table carries a sign that it is private", people.private_sign.rule)
    if not command.private:
        return Refusal("a reserved table is closed to the public: name those who may play", people.private_sign.rule)
    return None


# ---------------------------------------------------------------- changing limits


def post_limits(table: Table, request: c.TableRequest, command: c.PostLimits) -> e.Events | Refusal:
    notice = table.general.limits.notice_minutes
    if not 0 < command.minimum <= command.maximum <= LARGEST_AMOUNT:
        return Refusal("a minimum above zero and not above the maximum", table.general.limits.set.rule)
    notices = _notified(table, f"{_limits(command.minimum, command.maximum)} from the time on the sign")
    posted = e.LimitsPosted(
        minimum=command.minimum,
        maximum=command.maximum,
        from_ms=command.from_ms,
        posted_ms=request.at_ms,
        rule=notice.rule,
    )
    return (posted, *notices)


def change_limits(table: Table, request: c.TableRequest, command: c.ChangeLimits) -> e.Events | Refusal:
    increment = command.increment or table.sign.increment
    stays = table.procedure.sign_stays(table.ruleset.rules, table.round.state)
    if stays:
        return stays
    ground = _ground(table, request, command)
    if isinstance(ground, Refusal):
        return ground
    if not 0 < command.minimum <= command.maximum <= LARGEST_AMOUNT:
        return Refusal("a minimum above zero and not above the maximum", table.general.limits.set.rule)
    refusal = _bad_increment(table, command.minimum, increment)
    if refusal:
        return refusal
    changed = e.LimitsChanged(minimum=command.minimum, maximum=command.maximum, increment=increment, rule=ground.rule)
    flags = _consent_flag(table, ground)
    return (changed, *_notified(table, f"{_limits(command.minimum, command.maximum)} from now on"), *flags)


def _ground(table: Table, request: c.TableRequest, command: c.ChangeLimits) -> Law[object] | Refusal:
    """The ground on which the change is permitted; the players' side needs none."""
    limits = table.general.limits
    if limits.eased.value and not tightened(table, command.minimum, command.maximum):
        return limits.eased
    if _stood_long_enough(table, request, command):
        return limits.notice_minutes
    if command.consent and limits.consent.value and present(table) <= set(command.consent):
        return limits.consent
    fresh = table.number == 1 and not table.steps and not table.placed
    if in_force(limits.first_opening) and table.house.first_today and fresh:
        return limits.first_opening
    if in_force(limits.no_play) and limits.no_play.value and not present(table) and not table.round.standing:
        return limits.no_play
    what = " or ".join(words for change, words in GUARDED.items() if change in limits.guarded.value)
    return Refusal(f"{what} needs a sign for {limits.notice_minutes.value} minutes, or consent", limits.guarded.rule)


def tightened(table: Table, minimum: Cents, maximum: Cents) -> tuple[str, ...]:
    """How limits that were shown before change in ways that the law guards players against."""
    if table.sign.maximum is None:
        return ()
    changes = {"minimum raised": minimum > table.sign.minimum, "maximum lowered": maximum < table.sign.maximum}
    return tuple(change for change in GUARDED if changes[change] and change in table.general.limits.guarded.value)


def _stood_long_enough(table: Table, request: c.TableRequest, command: c.ChangeLimits) -> bool:
    """Whether a sign showed for its time what is tightened; what is not, needs none."""
    if table.posted is None:
        return False
    minimum, maximum, from_ms, posted_ms = table.posted
    lawful_ms = lawful_from(posted_ms, from_ms, table.general.limits.notice_minutes.value)
    shown = {"minimum raised": minimum == command.minimum, "maximum lowered": maximum == command.maximum}
    to_be_shown = tightened(table, command.minimum, command.maximum)
    return all(shown[change] for change in to_be_shown) and request.at_ms >= lawful_ms


def _limits(least: Cents, most: Cents) -> str:
    return f"limits {dollars(least)} to {dollars(most)}"


def _notified(table: Table, about: str) -> e.Events:
    law = table.general.limits.inspector_told
    return (e.InspectorNotified(about=about, rule=law.rule),) if in_force(law) and law.value else ()


def _consent_flag(table: Table, ground: Law[object]) -> e.Events:
    """Victoria's consent has no counterpart in the Act it quotes: allowed, recorded, and shown to compliance."""
    law = table.general.limits.consent
    if ground is not law or in_force(table.general.limits.inspector_told):
        return ()
    return (e.Flagged(about="minimum raised by consent without a sign", rule=law.rule),)


def set_differential(table: Table, request: c.TableRequest, command: c.SetDifferential) -> e.Events | Refusal:
    shown = table.layout.differential_shown
    rule = shown.rule if in_force(shown) else table.general.limits.set.rule
    if table.round.standing:
        return Refusal("the differential changes between rounds", rule)
    if not command.sign_shown:
        return Refusal("the differential stands on the sign with the limits", rule)
    refusal = _bad_differential(table, command.least, command.most)
    if refusal:
        return refusal
    return (e.DifferentialSet(least=command.least, most=command.most, rule=rule),)


def set_personal_limit(table: Table, request: c.TableRequest, command: c.SetPersonalLimit) -> e.Events | Refusal:
    law = table.general.limits.personal_by
    if command.player not in table.players:
        return Refusal(f"{command.player} is not at this table", law.rule)
    if not command.sign_shown:
        return Refusal("a personal limit is shown at the player's place", law.rule)
    if not 0 < command.minimum <= command.maximum <= LARGEST_AMOUNT:
        return Refusal("a personal minimum above zero and not above the maximum", law.rule)
    above = table.general.limits.personal_above
    if in_force(above) and table.sign.maximum is not None and command.maximum <= table.sign.maximum:
        return Refusal(f"a personal maximum is above that of the table, {dollars(table.sign.maximum)}", above.rule)
    return (e.PersonalLimitSet(player=command.player, minimum=command.minimum, maximum=command.maximum, rule=law.rule),)


# ---------------------------------------------------------------- closing


def post_closing(table: Table, request: c.TableRequest, command: c.PostClosing) -> e.Events | Refusal:
    rule = table.general.closing_minutes.rule
    if command.closes_ms <= request.at_ms:
        return Refusal("a closing time lies ahead", rule)
    return (e.ClosingPosted(closes_ms=command.closes_ms, posted_ms=request.at_ms, rule=rule),)


def close_table(table: Table, request: c.TableRequest, command: c.CloseTable) -> e.Events | Refusal:
    """With players present a table closes only after its sign stood for the set time; an empty one at once.

    Wagers that live on from round to round are refunded as void, since nobody will decide them.
    """
    law = table.general.closing_minutes
    if table.placed or any(isinstance(step.fact, CHANCE) for step in table.steps):
        return Refusal("wagers are in play", law.rule)
    if present(table) and not _announced(table, request):
        return Refusal(f"with players present a closing sign must stand {law.value} minutes", law.rule)
    owing = overdue(table)
    if owing:
        return owing
    last = table.procedure.last_act(table.ruleset.rules, table.round.state)
    if last:
        return Refusal(f"due before closing: {told(last)}", last.rule)
    refunds = tuple(settled(table, BookLine(wager, Void(law.rule)), apart=True) for wager in table.round.standing)
    return (*refunds, e.TableClosed(rule=law.rule))


def _announced(table: Table, request: c.TableRequest) -> bool:
    if table.closing is None:
        return False
    closes, posted = table.closing
    return request.at_ms >= lawful_from(posted, closes, table.general.closing_minutes.value)


def lawful_from(posted_ms: int, from_ms: int, minutes: int) -> int:
    """When what a sign announces may be done: at the time it names, once it has stood for so many minutes.

    What counts is how long the sign stood before the thing is done, not how far ahead it was put up.
    """
    return max(from_ms, posted_ms + minutes * MINUTE_MS)
