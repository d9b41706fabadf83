"""Taking a wager back: as long as it might still be placed, and with it what goes with it.

A wager goes back while betting is open to it; a losing one never.  A side wager that the game takes beside another one
only, or in the area of another one only, does not stay alone: it goes back with the one it was placed beside.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace as changed

from croupier.game import NO_SIGN, Called, Lost, Refusal, Wager
from croupier.law.general import in_force
from croupier.law.model import absent, present
from croupier.money import LARGEST_AMOUNT, dollars
from croupier.round import BookLine
from croupier.table.betting.wagers import beside, for_placing, initial_wagers, limits_of
from croupier.table.betting.ways import known_already
from croupier.table.commands import TableRequest, WithdrawWager
from croupier.table.events import Events, WagerWithdrawn
from croupier.table.money.settling import put_back
from croupier.table.state import Table


def withdraw(table: Table, request: TableRequest, command: WithdrawWager) -> Events | Refusal:
    """A wager goes back as long as it might still be placed, with those that would be left alone."""
    entry = table.line(command.number)
    taken = Called("take", by=command.player, on=entry.wager.on if entry else "")
    in_chips = table.general.money.wagers_in_chips.rule
    rule = table.procedure.cites(table.ruleset.rules, table.round.state, taken) or in_chips
    if entry is None or entry.wager.by != command.player:
        return Refusal(f"wager {command.number} is not {command.player}'s", rule)
    left = tuple([each for each in table.round.standing if each.number != command.number])
    refusal = known_already(table) or _untouchable(table, entry, left) or _leaves_too_little(table, entry.wager)
    if refusal:
        return refusal
    back = ((entry.wager, rule), *_left_alone(table, entry.wager, left))
    return tuple(WagerWithdrawn(number=each.number, rule=why, transfers=put_back(each, why)) for each, why in back)


def _untouchable(table: Table, entry: BookLine, left: tuple[Wager, ...]) -> Refusal | None:
    areas, wager = table.layout, entry.wager
    if isinstance(entry.resolution, Lost):
        lost = areas.losing_untouched or areas.untouched
        return Refusal(f"wager {wager.number} lost", lost.rule if in_force(lost) else entry.resolution.rule)
    procedure, rules, state = table.procedure, table.ruleset.rules, table.round.state
    shut = procedure.untouched(rules, state, wager) or procedure.closed(rules, state, wager)
    late = shut or _dealt(table, wager, left)
    apart = areas.withdrawn if entry.resolution is None else absent
    if late is None or in_force(apart):
        return None
    law = absent if present(apart) else areas.untouched
    return Refusal(
        f"wager {wager.number} may not be touched now: {late.reason}", law.rule if in_force(law) else late.rule
    )


def _leaves_too_little(table: Table, wager: Wager) -> Refusal | None:
    """Why part of the chips in a place does not go back alone: the rest could not have been wagered (R-205)."""
    rest = beside(table, table.round.backed.get(wager.by, ()), wager, table.areas.get(wager.number, 0))
    least, _ = limits_of(table, table.players[wager.by], wager.on)
    if not 0 < rest < least or wager.by in table.terminals:
        return None
    reason = f"the {dollars(rest)} that would be left is below the minimum of {dollars(least)}"
    return Refusal(reason, table.general.limits.outside_refused.rule)


def _dealt(table: Table, wager: Wager, left: tuple[Wager, ...]) -> Refusal | None:
    """Why a wager placed before this round, or before cards of it, stays: the game would not take it now."""
    this = table.round
    plain = changed(wager, seen=(), fee_cents=0)
    taken = this.game.accept(this.rules, for_placing(table.sign, LARGEST_AMOUNT), this.state, left, (plain,))
    if isinstance(taken, Refusal):
        return taken
    rule = table.general.money.wagers_in_chips.rule
    return None if _is_new(table, wager) else Refusal("it went on from an earlier round", rule)


def _is_new(table: Table, wager: Wager) -> bool:
    return wager.number in {each.number for _, each in table.placed}


def _left_alone(table: Table, taken: Wager, left: tuple[Wager, ...]) -> Iterator[tuple[Wager, str]]:
    """The player's other wagers of this round that could not lie there without this one, each with the rule."""
    for wager in table.round.backed.get(taken.by, ()):
        if wager.number != taken.number and _is_new(table, wager):
            rule = _unsupported(table, wager, left, taken) or _without_area(table, wager, left)
            if rule:
                yield wager, rule


def _unsupported(table: Table, wager: Wager, left: tuple[Wager, ...], taken: Wager) -> str:
    """The rule by which the game takes a wager beside the one that is taken back, and not without it."""
    this, plain = table.round, changed(wager, seen=(), fee_cents=0)
    others = tuple(each for each in left if each.number != wager.number)
    without = this.game.accept(this.rules, NO_SIGN, this.state, others, (plain,))
    if not isinstance(without, Refusal):
        return ""
    beside = this.game.accept(this.rules, NO_SIGN, this.state, (*others, taken), (plain,))
    return "" if isinstance(beside, Refusal) else without.rule


def _without_area(table: Table, wager: Wager, left: tuple[Wager, ...]) -> str:
    """The rule that wants an initial wager in the same area, if there is none left."""
    law, area = table.layout.beside_main.get(wager.on, absent), table.areas.get(wager.number)
    if not in_force(law) or not area:
        return ""
    there = (each for each in left if each.by == wager.by and table.areas.get(each.number) == area)
    return "" if any(each.on in initial_wagers(table) for each in there) else law.rule
