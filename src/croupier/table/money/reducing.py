"""Wagers made smaller: by the differential of the table, and by players who call a part of theirs down.

What no longer counts goes back at once, with its share of a commission paid.  What a player leaves is a wager as he
could make it: in chips, in the units of its kind, on the steps of the sign and not below its minimum.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.game import Refusal, Sign, Wager
from croupier.journal.accounts import COMMISSION, chips_of, moves, stakes_of
from croupier.journal.messages import Transfer
from croupier.money import dollars
from croupier.once import replace
from croupier.round import BookLine
from croupier.table.betting.wagers import beside, limits_of, off_steps
from croupier.table.events import Events, WagerReduced
from croupier.table.state import Table


def reduced(wager: Wager, after: Wager, rule: str) -> WagerReduced:
    """A wager made smaller: what no longer counts goes back at once, with its share of a commission paid."""
    chips, back = chips_of(wager.by), after.voided_cents - wager.voided_cents
    refund = after.refunded_cents - wager.refunded_cents
    return WagerReduced(
        number=wager.number,
        stake=after.stake_cents,
        returned=back,
        fee=after.fee_cents,
        seen=after.seen,
        rule=rule,
        transfers=moves(Transfer(stakes_of(wager.by), chips, back, rule), Transfer(COMMISSION, chips, refund, rule)),
    )


REDUCE = "reduce wagers to the differential"
"""The act of a dealer who chooses to, between the call and the first card."""


def at_closing(table: Table) -> Events:
    """When betting closes: what the differential does to the wagers of itself, and by reading all of it (R-045)."""
    chosen = table.ruleset.readings.get("differential_moment") == "dealer_chooses"
    return within_differential(table, replace(table.sign, reduces=not chosen))


def within_differential(table: Table, sign: Sign) -> Events:
    """The wagers of this round, reduced to the differential on the sign."""
    this, now = table.round, {wager.number for _, wager in table.placed}
    if sign.differential is None:
        return ()
    fresh = tuple(wager for wager in this.standing if wager.number in now and wager.of is None)
    old = tuple(wager for wager in this.standing if wager.number not in now)
    plain = tuple(changed(wager, voided_cents=0) for wager in fresh)
    pairs = _trimmed(table, sign, old, plain)
    return tuple(reduced(was, now, now.void_rule or table.general.limits.set.rule) for was, now in pairs if was != now)


def _trimmed(table: Table, sign: Sign, old: tuple[Wager, ...], plain: tuple[Wager, ...]) -> list[tuple[Wager, Wager]]:
    """Each wager before and after: terminals' to the cent, those on the layout in chips, to what the others leave."""
    this, sign = table.round, replace(sign, minimum=0, maximum=None, increment=0)
    exact = this.game.accept(this.rules, replace(sign, chip=1), this.state, old, plain) if table.terminals else plain
    both = () if isinstance(exact, Refusal) else zip(plain, exact, strict=True)
    touched = [pair for pair in both if pair[0].by in table.terminals]
    layout = tuple(wager for wager in plain if wager.by not in table.terminals)
    taken = this.game.accept(this.rules, sign, this.state, (*old, *(now for _, now in touched)), layout)
    return [] if isinstance(taken, Refusal) else [*touched, *zip(layout, taken, strict=True)]


def called_down(table: Table, after: tuple[BookLine, ...], rule: str) -> Events | Refusal:
    """Wagers that a call makes smaller, if what is left of each may lie there."""
    was = {entry.wager.number: entry.wager for entry in table.round.book}
    smaller = [
        entry.wager
        for entry in after
        if entry.resolution is None
        and entry.wager.number in was
        and entry.wager.voided_cents > was[entry.wager.number].voided_cents
    ]
    refusal = next(filter(None, (_too_little(table, wager, after) for wager in smaller)), None)
    return refusal or tuple(reduced(was[wager.number], wager, rule) for wager in smaller)


def _too_little(table: Table, wager: Wager, after: tuple[BookLine, ...]) -> Refusal | None:
    """Why the rest of a wager could not be made: whoever wants less takes it down whole."""
    live = (entry.wager for entry in after if entry.resolution is None)
    left = wager.stake_cents + beside(table, live, wager, table.areas.get(wager.number, 0))
    least, _ = limits_of(table, table.players[wager.by], wager.on)
    refusal = off_steps(table, wager.on, left) or table.procedure.unpayable(table.ruleset.rules, table.sign, wager)
    if refusal or left >= least:
        return refusal
    reason = f"{dollars(left)} is below the minimum of {dollars(least)}"
    return Refusal(reason, table.general.limits.outside_refused.rule)
