"""Placing and taking back wagers.

A wager is looked at in a fixed order, so that the same wager is always refused for the same reason first: who bets, how
it was made (spoken, against another player, in which chips), when, where on the layout, what kind, how much, and last
whether the chips are there.

What a player adds to chips of his in the same place makes one wager with them: the minimum and the steps are asked of
what then lies there (R-206).  A wager outside the limits is refused when it is offered.  One that lay there unnoticed
(`found`) is dealt with as the law says: below the minimum it counts once a player, after that it is void; above the
maximum the excess is void; one that goes not together with what its owner has down is void (R-039).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from msgspec.structs import replace as changed

from croupier.game import Irregular, Refusal, Sign, Wager
from croupier.game.sign import SHOWN_AMOUNTS
from croupier.law.general import barred_by, in_force
from croupier.law.model import absent
from croupier.law.officials import PLAYER, lowest
from croupier.money import LARGEST_AMOUNT, Cents, dollars
from croupier.round import stack, without
from croupier.table.betting.ways import chips_rule, confirmed_aloud, how, known_already, spoken_law, unconfirmed
from croupier.table.commands import PlaceWager, TableRequest
from croupier.table.events import Announced, Events, WagerPlaced, WagerWithdrawn
from croupier.table.money.settling import put_back, put_down
from croupier.table.people import barred, shown_back, unknown
from croupier.table.state import Player, Table
from croupier.table.trouble.correcting import CHANCE


def place(table: Table, request: TableRequest, command: PlaceWager) -> Events | Refusal:
    refusal = (
        known_already(table)
        or _who(table, command)
        or (_found_by(table, request) if command.found else None)
        or (_spoken_late(table, command) if command.oral else None)
        or _when(table, command)
        or how(table, command)
        or (unconfirmed(table, request) if command.oral else None)
    )
    if refusal:
        return refusal
    area = _area(table, command)
    if misplaced := _where(table, command, area):
        return misplaced
    parts = _parts_too_small(table, command, area) if command.player in table.tolerated else ()
    down = sum(part.voided_cents for part in parts)
    command = changed(command, amount=command.amount + down) if parts else command
    accepted = _accepted(table, command, area)
    if (unpaid := _parts_unpayable(table, command, area)) and not parts:
        together = changed(command, amount=command.amount + sum(map(_lying, unpaid)))
        as_one = _accepted(_taken_up(table, unpaid), together, area)
        if _counts(as_one) > _counts(accepted) + sum(part.stake_cents for part in unpaid):
            parts, down, command, accepted = unpaid, sum(map(_lying, unpaid)), together, as_one
    if isinstance(accepted, Refusal):
        accepted = _void_beside(table, request, command, area, accepted) if command.found else accepted
    if isinstance(accepted, Refusal):
        return accepted
    wager, tolerated = accepted
    outlay, have = wager.stake_cents + wager.voided_cents + wager.fee_cents, table.chips(command.player) + down
    if outlay > have:
        return Refusal(f"{command.player} has {dollars(have)} in chips, not {dollars(outlay)}", chips_rule(table))
    placed = _event(table, command, area, wager, tolerated=tolerated)
    rule = chips_rule(table)
    taken_up = tuple(WagerWithdrawn(number=part.number, rule=rule, transfers=put_back(part, rule)) for part in parts)
    confirmed = confirmed_aloud(table, command) if command.oral else ()
    advised = _advised(table, placed) if tolerated else ()
    shown = () if request.role == PLAYER else shown_back(table, request.role, placed)
    return (*taken_up, placed, *confirmed, *advised, *shown)


def _parts_too_small(table: Table, command: PlaceWager, area: int) -> tuple[Wager, ...]:
    """What lies in the place, was to go back for being too small, and with these chips is not: one wager (R-206)."""
    rule, place = table.general.limits.under_minimum_once.rule, (command.player, command.on, command.box, ())
    parts = tuple(
        wager
        for _, wager in table.placed
        if wager.void_rule == rule
        and (wager.by, wager.on, wager.box, wager.seen) == place
        and not wager.stake_cents
        and table.areas.get(wager.number, 0) == area
    )
    if not parts or command.amount <= 0 or command.colour or table.coloured:
        return ()
    least, _ = limits_of(table, table.players[command.player], command.on)
    lies = beside(table, table.round.backed.get(command.player, ()), parts[0], area)
    return parts if command.amount + lies + sum(part.voided_cents for part in parts) >= least else ()


def _parts_unpayable(table: Table, command: PlaceWager, area: int) -> tuple[Wager, ...]:
    """What lies in the place and is void in part, since chips could not pay it all: more chips may make it payable."""
    place, unpayable = (command.player, command.on, command.box, ()), table.procedure.unpayable
    return tuple(
        wager
        for _, wager in table.placed
        if wager.voided_cents
        and (wager.by, wager.on, wager.box, wager.seen) == place
        and table.areas.get(wager.number, 0) == area
        and unpayable(table.ruleset.rules, table.sign, wager) is not None
    )


def _taken_up(table: Table, parts: tuple[Wager, ...]) -> Table:
    """The table without parts of a wager that are to be laid again as one."""
    numbers = {part.number for part in parts}
    placed = tuple(each for each in table.placed if each[1].number not in numbers)
    return changed(table, round=without(table.round, numbers), placed=placed)


def _lying(wager: Wager) -> Cents:
    return wager.stake_cents + wager.voided_cents


def _counts(accepted: tuple[Wager, bool] | Refusal) -> Cents:
    """How much of a wager counts as it is taken."""
    return 0 if isinstance(accepted, Refusal) else accepted[0].stake_cents


def _makes_up(table: Table, wager: Wager, area: int) -> bool:
    """Whether chips that were let pass as too small are so no more with these: then that one time is not used up."""
    least, _ = limits_of(table, table.players[wager.by], wager.on)
    there = _in_place(table, table.round.backed.get(wager.by, ()), wager, area)
    lies = sum(each.stake_cents for each in there)
    return _let_pass(table, wager.by, there) and lies < least <= lies + wager.stake_cents


def _let_pass(table: Table, by: str, there: Iterable[Wager]) -> bool:
    """Whether the wager of a player that was let pass as too small is among these."""
    return any(each.number == table.let_pass.get(by) for each in there)


def _advised(table: Table, placed: WagerPlaced) -> Events:
    """Whose wager below the minimum is let pass once is told what becomes of the next."""
    law = table.general.limits.under_minimum_advised
    if not in_force(law):
        return ()
    least, _ = limits_of(table, table.players[placed.player], placed.on)
    text = f"{placed.player}: further wagers below {dollars(least)} will be returned whatever the result"
    return (Announced(text=text, rule=law.rule),)


def _event(table: Table, command: PlaceWager, area: int, wager: Wager, *, tolerated: bool) -> WagerPlaced:
    rule = table.general.limits.under_minimum_once.rule if tolerated else _placed_rule(table, wager)
    return WagerPlaced(
        number=wager.number,
        player=wager.by,
        on=wager.on,
        stake=wager.stake_cents,
        box=wager.box,
        area=area,
        voided=wager.voided_cents,
        void_rule=wager.void_rule,
        fee=wager.fee_cents,
        seen=wager.seen,
        upon=wager.upon,
        tolerated=tolerated,
        made_up=wager.by in table.tolerated and _makes_up(table, wager, area),
        colour=command.colour,
        rule=rule,
        transfers=put_down(wager, chips_rule(table)),
    )


def _placed_rule(table: Table, wager: Wager) -> str:
    """The rule under which a wager lies where it lies."""
    areas, on = table.layout, wager.on
    law = areas.beside_main.get(on) or areas.as_displayed.get(on) or areas.placed or areas.stacked
    return law.rule if in_force(law) else chips_rule(table)


# ---------------------------------------------------------------- who


def _who(table: Table, command: PlaceWager) -> Refusal | None:
    shut_out = barred(table, command.player) or unknown(table, command.player)
    if shut_out or table.players[command.player].seat or not barred_by(standing := table.layout.standing):
        return shut_out
    return Refusal(f"{command.player} has no seat", standing.rule)


def _found_by(table: Table, request: TableRequest) -> Refusal | None:
    """A wager lay there unnoticed if staff say so: a player who says it would bet against the limits or the call."""
    if request.role != PLAYER:
        return None
    law = table.general.limits.outside_refused
    return Refusal(f"a wager that lay there unnoticed is for staff to report, not for {request.by}", law.rule)


def _spoken_late(table: Table, command: PlaceWager) -> Refusal | None:
    spoken = spoken_law(table)
    if spoken and _closed(table, command):
        return Refusal("a spoken wager must be on the layout before the call", spoken.rule)
    return None


# ---------------------------------------------------------------- when and where


def _closed(table: Table, command: PlaceWager) -> Refusal | None:
    return table.procedure.closed(table.ruleset.rules, table.round.state, Wager(command.on, command.amount))


def _when(table: Table, command: PlaceWager) -> Refusal | None:
    """A wager found on the layout was placed before the call, although it is noticed after it; not after a result."""
    closed = _closed(table, command)
    if closed is None or not command.found:
        return closed
    return closed if any(isinstance(step.fact, CHANCE) for step in table.steps) else None


def _area(table: Table, command: PlaceWager) -> int:
    """The numbered area of a wager: the one named, else the one before the player's seat; 0 for standing players."""
    return command.area or table.players[command.player].seat


def _where(table: Table, command: PlaceWager, area: int) -> Refusal | None:
    areas = table.layout
    misput = table.procedure.put(table.ruleset.rules, command.on, command.put) if command.put else None
    if misput:
        return misput
    if in_force(areas.terminals_only):
        return Refusal("wagers are placed on terminals only at this table", areas.terminals_only.rule)
    return _in_area(table, command, area) if area else _nowhere(table)


def _nowhere(table: Table) -> Refusal | None:
    """Who stands bets on one of the numbered areas, where there is no other for standing players: it is to be said."""
    areas = table.layout
    if not in_force(areas.per_area) or in_force(areas.standing_on):
        return None
    return Refusal(f"say on which area: the layout has areas 1 to {table.house.seats}", areas.per_area.rule)


def _in_area(table: Table, command: PlaceWager, area: int) -> Refusal | None:
    """Why a wager does not lie in a numbered area."""
    areas, seat = table.layout, table.players[command.player].seat
    numbered = areas.per_area or areas.placed
    if not in_force(numbered):
        return None
    if in_force(areas.standing_on) and not seat:
        return Refusal(f"area {area} is for seated players; standing players have their own", areas.standing_on.rule)
    if area > table.house.seats:
        return Refusal(f"area {area}: the layout has areas 1 to {table.house.seats}", numbered.rule)
    if not in_force(areas.per_area):
        return None
    there = [entry.wager for entry in table.round.book if table.areas.get(entry.wager.number) == area]
    if areas.counts == "wagers":
        # Runs and insurance have spaces of their own, and chips added to a wager are no further one.
        initial = initial_wagers(table)
        most, placed = areas.per_area.value.stop - 1, {(command.player, command.on)}
        placed |= {(wager.by, wager.on) for wager in there if wager.stake_cents}
        full = command.on in initial and sum(on in initial for _, on in placed) > most
    else:
        most = table.house.players_per_area
        full = len({wager.by for wager in there} | {command.player}) > most
    if full:
        return Refusal(f"area {area} holds {most} {areas.counts} already", areas.per_area.rule)
    return _beside(table, command, there)


def initial_wagers(table: Table) -> frozenset[str]:
    """The wagers that lie in a numbered area by themselves, by the rules of the game; side wagers lie beside them."""
    return frozenset(table.game.initial(table.ruleset.rules))


def _beside(table: Table, command: PlaceWager, there: list[Wager]) -> Refusal | None:
    """A side wager lies in the area of the wager that it goes with."""
    law = table.layout.beside_main.get(command.on, absent)
    if not in_force(law) or any(w.by == command.player and w.on in initial_wagers(table) for w in there):
        return None
    return Refusal(f"no initial wager of {command.player} in that area", law.rule, on=command.on)


# ---------------------------------------------------------------- what, and how much


def limits_of(table: Table, player: Player, on: str) -> tuple[Cents, Cents]:
    """The minimum and maximum for one player and one kind of wager."""
    sign = table.sign
    shown = sign.displayed(on) if on in SHOWN_AMOUNTS else None
    if shown is not None:
        return shown, shown
    if own := table.house.own_limits(on):
        return own
    return player.personal or (sign.minimum, LARGEST_AMOUNT if sign.maximum is None else sign.maximum)


def _accepted(table: Table, command: PlaceWager, area: int) -> tuple[Wager, bool] | Refusal:
    """The wager as the game takes it, and whether it is below the minimum and let pass this once."""
    limits, amount, on, rules = table.general.limits, command.amount, command.on, table.ruleset.rules
    least, most = limits_of(table, table.players[command.player], on)
    sane = 0 < amount <= LARGEST_AMOUNT
    backed = table.round.backed.get(command.player, ())
    lies = _on_the_same(table, command, backed) if backed else 0
    sign = for_placing(table.sign, max(0, most - lies) if limits.excess_void.value else LARGEST_AMOUNT)
    personal = table.players[command.player].personal
    if lies or personal:
        # The game measures what is added later by the minimum too: it is that of the player, where there is one.
        sign = changed(sign, minimum=personal[0] if personal else sign.minimum, staked=lies)
    taken = _taken(table, command, amount if sane else least, sign)
    if isinstance(taken, Refusal):
        return taken
    if taken.on != on:
        # A place has one name, in whichever order its numbers were said: what lies there is asked for by that.
        return _accepted(table, changed(command, on=taken.on), area)
    if not sane:
        return Refusal(f"{dollars(amount)} is no amount", chips_rule(table))
    there = _in_place(table, backed, taken, area) if backed else ()
    here, together = amount, taken
    if there:
        here, taken = amount + sum(each.stake_cents for each in there), changed(taken, upon=stack(there[0]))
        together = changed(taken, stake_cents=here, voided_cents=0)
    plain = least <= here and amount <= most - lies and on not in SHOWN_AMOUNTS and not command.partner
    refusal = (
        off_steps(table, on, here)
        or (None if plain else _amount(table, command, least=least, most=most, lies=lies, here=here))
        or (_area_cap(table, command) if table.house.area_cap else None)
        or (None if command.found else table.procedure.beyond(rules, table.sign, on, taken.stake_cents + lies))
        or (None if command.found else table.procedure.unpayable(rules, table.sign, taken))
        or (_unpayable(table, taken) if table.house.refuse_unpayable else None)
        or table.procedure.held(rules, table.round.state, table.sign, together)
    )
    if refusal or here >= least:
        return refusal or (taken, False)
    once, used = limits.under_minimum_once, command.player in table.tolerated
    # What is added to the wager that was let pass goes with it; one that an earlier minimum let lie there is not it.
    if (used and not _let_pass(table, command.player, there)) or not once.value:
        return changed(taken, stake_cents=0, voided_cents=amount, void_rule=once.rule), False
    # What is void altogether is not valid once: nothing was let pass.
    return taken, not used and taken.stake_cents > 0


def _void_beside(
    table: Table, request: TableRequest, command: PlaceWager, area: int, why: Refusal
) -> tuple[Wager, bool] | Refusal:
    """A wager that was found and is barred only by what its owner has down already: void, as an official confirms."""
    others = tuple(entry for entry in table.round.book if entry.wager.by != command.player)
    alone = _accepted(changed(table, round=changed(table.round, book=others)), command, area)
    law = table.general.limits.barred_beside
    if isinstance(alone, Refusal) or not in_force(law):
        return why
    least, _ = limits_of(table, table.players[command.player], command.on)
    if command.amount < least and not isinstance(_accepted(table, changed(command, amount=least), area), Refusal):
        return alone  # it is too small, and nothing else: such a wager counts once, wherever it lies
    if request.role not in law.value:
        return Refusal(f"{why.reason}: the {lowest(law.value)} confirms that the later one is void", why.rule)
    return changed(alone[0], stake_cents=0, voided_cents=command.amount, void_rule=why.rule), False


def for_placing(sign: Sign, most: Cents) -> Sign:
    """The sign for one placing: the differential waits until all wagers are down."""
    if sign.maximum == most and sign.differential is None:
        return sign
    return changed(sign, maximum=most, differential=None)


def _taken(table: Table, command: PlaceWager, amount: Cents, sign: Sign) -> Wager | Refusal:
    this = table.round
    seen: tuple[Cents, ...] = (command.craps,) if command.craps else ()
    wager = Wager(command.on, amount, by=command.player, box=command.box, number=this.numbered, seen=seen)
    accepted = this.game.accept(this.rules, sign, this.state, this.standing, (wager,))
    if isinstance(accepted, Refusal) and command.found:
        accepted = _taken_then(table, wager, sign) or accepted
    return accepted if isinstance(accepted, Refusal) else accepted[0]


def _taken_then(table: Table, wager: Wager, sign: Sign) -> tuple[Wager, ...] | None:
    """What was found lay there before the call: it is asked of the layout as it was then, if nothing fell since."""
    this = table.round
    for step in takewhile(lambda step: not isinstance(step.fact, (Irregular, *CHANCE)), reversed(table.steps)):
        then = this.game.accept(this.rules, sign, step.before.state, this.standing, (wager,))
        if not isinstance(then, Refusal):
            return then
    return None


def not_in_chips(table: Table, amount: Cents) -> Refusal | None:
    """Why no stake of this amount lies on the layout: chips do not make it."""
    if not table.general.money.wagers_in_chips.value or amount % table.sign.chip == 0:
        return None
    return Refusal(f"{dollars(amount)}: the smallest chip is {dollars(table.sign.chip)}", chips_rule(table))


def off_steps(table: Table, on: str, amount: Cents) -> Refusal | None:
    """Why a stake of this amount does not lie there: chips do not make it, or it is off the steps on the sign."""
    limits, step, multiples = table.general.limits, table.sign.increment, table.house.multiples
    odd = not_in_chips(table, amount) if amount % table.sign.chip else None
    if odd or not (step or multiples) or table.house.own_limits(on) or table.sign.displayed(on) is not None:
        return odd
    if step and (amount - table.sign.minimum) % step and not _taken_as_far(table):
        rule = limits.increment_within_minimum.rule if in_force(limits.increment_within_minimum) else limits.set.rule
        return Refusal(f"{dollars(amount)}: wagers are in steps of {dollars(step)}", rule)
    if multiples and amount % table.sign.minimum and barred_by(limits.multiples):
        return Refusal(f"{dollars(amount)}: the sign asks for multiples of the minimum", limits.multiples.rule)
    return None


def _amount(
    table: Table, command: PlaceWager, *, least: Cents, most: Cents, lies: Cents, here: Cents
) -> Refusal | None:
    """The limits: a minimum on each place, a maximum on all that the player has on the outcome, a cap on the area."""
    if command.found or _taken_as_far(table):
        return None
    areas = table.layout
    displayed = areas.as_displayed.get(command.on, absent)
    if in_force(displayed) and command.on in SHOWN_AMOUNTS and table.sign.displayed(command.on) is None:
        return Refusal("the sign shows no amount for it", displayed.rule, on=command.on)
    total = command.amount + lies
    if here >= least and total <= most:
        return _together(table, command, most=most) if command.partner else None
    law = displayed if in_force(displayed) else table.general.limits.outside_refused
    if here < least:
        rule = areas.minimum_each.rule if in_force(areas.minimum_each) and command.area else law.rule
        return Refusal(f"{dollars(here)} is below the minimum of {dollars(least)}", rule)
    all_areas = absent if in_force(displayed) else areas.maximum_total
    rule = all_areas.rule if lies > 0 and in_force(all_areas) else law.rule
    return Refusal(f"{dollars(total)} is above the maximum of {dollars(most)}", rule, on=command.on)


def _taken_as_far(table: Table) -> bool:
    """Whether a wager outside the limits is taken as far as it goes when it is offered, by the reading (R-202)."""
    law = table.general.limits.outside_refused
    return law.value == "as read" and table.ruleset.readings["attempts_outside_limits"] == "as_printed"


def beside(table: Table, wagers: Iterable[Wager], wager: Wager, area: int) -> Cents:
    """What the same player has in the same place, not counting this wager."""
    return sum(each.stake_cents for each in _in_place(table, wagers, wager, area))


def _in_place(table: Table, wagers: Iterable[Wager], wager: Wager, area: int) -> list[Wager]:
    """The other wagers of the same player in the same place: a Come that has its number is elsewhere."""
    place = (wager.by, wager.on, wager.box, wager.seen)
    return [
        each
        for each in wagers
        if (each.by, each.on, each.box, each.seen) == place
        and each.number != wager.number
        and table.areas.get(each.number, 0) == area
    ]


def _lies(table: Table, command: PlaceWager, player: str) -> Cents:
    """What stands of a player on the same outcome (and box)."""
    backed = table.round.backed.get(player)
    return _on_the_same(table, command, backed) if backed else 0


def _on_the_same(table: Table, command: PlaceWager, wagers: Iterable[Wager]) -> Cents:
    """What wagers come to with one that is placed now: one that has gone to a number is another wager by then."""
    on, box = command.on, command.box
    same = [wager for wager in wagers if wager.on == on and wager.box == box and wager.of is None]
    return sum([wager.stake_cents for wager in same if not _gone(table, wager)]) if same else 0


def _gone(table: Table, wager: Wager) -> bool:
    this = table.round
    return bool(wager.seen) and this.game.lies(this.rules, this.state, wager).number is not None


def _together(table: Table, command: PlaceWager, *, most: Cents) -> Refusal | None:
    law = table.general.people.partnership
    if not barred_by(law):
        return None
    total = command.amount + sum(_lies(table, command, name) for name in {command.player, command.partner})
    if total <= most:
        return None
    reason = f"{command.player} and {command.partner} act together to exceed the maximum of {dollars(most)}"
    return Refusal(reason, law.rule)


def _area_cap(table: Table, command: PlaceWager) -> Refusal | None:
    """Why an area holds no more: what all have there together, or each player, is within the maximum of the table."""
    caps, most, area = table.layout.caps, table.sign.maximum, _area(table, command)
    if command.found or _taken_as_far(table) or not in_force(caps) or most is None:
        return None
    of_all = area != 0 and table.house.area_cap == "all"
    there = (
        w for w in table.round.standing if table.areas.get(w.number, 0) == area and (of_all or w.by == command.player)
    )
    total = command.amount + _on_the_same(table, command, there)
    return Refusal(f"{dollars(total)} on area {area}: the cap is {dollars(most)}", caps.rule) if total > most else None


def _unpayable(table: Table, wager: Wager) -> Refusal | None:
    """A wager whose win could not be paid exactly in chips, which the operator turns away."""
    law, chip = table.general.limits.unpayable_refused, table.sign.chip
    placed = wager.stake_cents + wager.voided_cents
    for odds in table.procedure.pays(table.ruleset.rules, wager.on) if law.value else ():
        if odds.net(placed) % chip:
            reason = f"{dollars(placed)} at {odds} could not be paid exactly in chips of {dollars(chip)}"
            return Refusal(reason, law.rule)
    return None
