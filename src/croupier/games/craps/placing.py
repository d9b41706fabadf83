"""What may be placed in craps, and what taking down, calling and throwing need of the wagers that stand.

`accept` looks at each wager in this order of precedence: it is one of the bets of the law, on a number it can have; it
bears no charge of its own; the dice are in the hand, or the wager was confirmed; the time is right (come out roll,
point on); the base of an odds bet stands; the limit of an odds bet; the units of a bet in parts.  Then come the
amounts, which are not refused but split: what is above the maximum of the sign is void.  Last, Buy and Lay are
charged their commission, on the valid part.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec.structs import replace as changed

from croupier.game import Called, Chosen, DiceFell, Effect, Performed, Refusal, Ruling, Sign, Wager, worded
from croupier.game.kinds import wager_kind
from croupier.games.craps import bets
from croupier.games.craps.irregular import as_found, thrown
from croupier.games.craps.layout import CrapsLayout, is_come_out
from croupier.games.craps.rules import (
    CrapsRules,
    LineBet,
    NumberBet,
    OddsBet,
    OneRollBet,
    PartsBet,
    named_number,
    numbers_named,
)
from croupier.law.model import Law, present
from croupier.money import Cents, Odds, ceil_to_chips, commission_down, dollars, floor_to_chips, payable_unit


def accept(
    rules: CrapsRules, sign: Sign, layout: CrapsLayout, standing: tuple[Wager, ...], placed: tuple[Wager, ...]
) -> tuple[Wager, ...] | Refusal:
    """The wagers as they stand once placed, each split into its valid and void part; or the first refusal."""
    accepted: tuple[Wager, ...] = ()
    for wager in placed:
        refusal = (
            _unknown(rules, wager)
            or _charged(rules, wager)
            or _too_late(rules, layout, wager)
            or _mistimed(rules, layout, wager, standing)
            or _without_base(rules, wager, standing)
            or _over_limit(rules, sign, wager, (*standing, *accepted))
            or _foretold(rules, wager)
            or not_in_units(rules, sign, wager)
        )
        if refusal:
            return refusal
        accepted += (_laid_down(rules, sign, wager, (*standing, *accepted)),)
    return accepted


# ---------------------------------------------------------------- refusals


def _unknown(rules: CrapsRules, wager: Wager) -> Refusal | None:
    kind = wager_kind(wager.on)
    bet = rules.bets.get(kind)
    if bet is None or kind not in rules.permitted.value:
        return Refusal(f"{wager.on!r} is not a wager here; known are {', '.join(rules.bets)}", rules.permitted.rule)
    if isinstance(bet, LineBet) and (wager.seen or wager.on != kind):
        return Refusal("it is placed on its area and takes the next roll", _raised_under(bet), on=wager.on)
    named = numbers_named(bet)
    if (named_number(wager.on) in named) if named else wager.on == kind:
        return None
    listed = f"one of {', '.join(f'{kind}:{number}' for number in named)}" if named else kind
    return Refusal(f"say {listed}", _numbered_under(bet), on=wager.on)


def _raised_under(bet: LineBet) -> str:
    """The rule that keeps a line bet from being raised on its number."""
    return bet.taken.rule if bet.taken.value == "any time" else bet.placed.rule


def _numbered_under(bet: OddsBet | NumberBet | OneRollBet | PartsBet | LineBet) -> str:
    match bet:
        case OddsBet(base=law):
            return law.rule
        case NumberBet(numbers=numbers):
            return numbers.rule
        case PartsBet(high=Law(rules=high)):
            return high[0]
        case PartsBet(placed=placed) | OneRollBet(placed=placed) | LineBet(placed=placed):
            return placed.rule


def _charged(rules: CrapsRules, wager: Wager) -> Refusal | None:
    """A commission is the law's to fix; no wager brings one of its own."""
    if not wager.fee_cents:
        return None
    return Refusal(f"no charge but the commission on {_listed(rules)}", rules.charged.rule, on=wager.on)


def _listed(rules: CrapsRules) -> str:
    return " and ".join(sorted(rules.charged.value))


def _too_late(rules: CrapsRules, layout: CrapsLayout, wager: Wager) -> Refusal | None:
    dice = layout.dice
    if dice.where == "held" or (dice.where == "thrown" and dice.confirmed):
        return None
    return Refusal(f"the dice are {dice.where} and nobody confirmed it", rules.confirmers.rule, on=wager.on)


def _mistimed(rules: CrapsRules, layout: CrapsLayout, wager: Wager, standing: Iterable[Wager]) -> Refusal | None:
    bet = bets.bet_on(rules, wager.on)
    if isinstance(bet, OddsBet):
        return None
    come_out = is_come_out(rules, layout)
    if {"come out": come_out, "point on": not come_out, "any time": True}[bet.placed.value]:
        return None
    if not come_out and isinstance(bet, LineBet) and any(_same(wager, each) for each in standing):
        return Refusal("not to be raised until a new come out roll", _raised_under(bet), on=wager.on)
    if isinstance(bet, LineBet) and bet.taken.value == "any time" and bet.placed.value == "come out":
        if not come_out and wager.by in layout.lifted:
            return Refusal("not to be replaced until a new come out roll", bet.taken.rule, on=wager.on)
    when = "while a point is on" if come_out else "before a come out roll"
    return Refusal(f"only {when}", bet.placed.rule, on=wager.on)


def _same(wager: Wager, other: Wager) -> bool:
    return wager.on == other.on and wager.by == other.by


def bases(rules: CrapsRules, wager: Wager, standing: Iterable[Wager]) -> tuple[Wager, ...]:
    """The line bets of the same bettor that an odds bet can follow: those that went to its number."""
    bet = bets.bet_on(rules, wager.on)
    if not isinstance(bet, OddsBet):
        return ()
    return tuple(
        each
        for each in standing
        if each.on == bet.base.value and each.by == wager.by and each.seen == (named_number(wager.on),)
    )


def _without_base(rules: CrapsRules, wager: Wager, standing: Iterable[Wager]) -> Refusal | None:
    bet = bets.bet_on(rules, wager.on)
    if not isinstance(bet, OddsBet) or bases(rules, wager, standing):
        return None
    return Refusal(f"no {worded(bet.base.value)} of this player has that number", bet.base.rule, on=wager.on)


def _over_limit(rules: CrapsRules, sign: Sign, wager: Wager, standing: tuple[Wager, ...]) -> Refusal | None:
    bet = bets.bet_on(rules, wager.on)
    if not isinstance(bet, OddsBet):
        return None
    base = sum(each.stake_cents for each in bases(rules, wager, standing))
    number = named_number(wager.on)
    assert number is not None
    most = most_odds(rules, bet, bet.pays[number].value, base_cents=base, chip=sign.chip)
    together = wager.stake_cents + sum(each.stake_cents for each in standing if _same(wager, each))
    if together <= most:
        return None
    reason = f"{dollars(together)} is above the limit of {dollars(most)} on a base of {dollars(base)}"
    return Refusal(reason, bet.limit.rule, on=wager.on)


def most_odds(rules: CrapsRules, bet: OddsBet, odds: Odds, *, base_cents: Cents, chip: Cents) -> Cents:
    """The most an odds bet may be: the base, by stake or winnings; or the smallest exactly payable one not below it.

    The operator's double odds widen the first and never narrow the second.
    """
    limit = bet.limit.value
    equal = Fraction(base_cents) if limit.of == "stake" else base_cents / odds.fraction
    times = rules.doubled.value if rules.double_odds.value.elected else limit.times
    return max(floor_to_chips(equal * times, 1), ceil_to_chips(equal, payable_unit(odds, chip)))


def _foretold(rules: CrapsRules, wager: Wager) -> Refusal | None:
    """A bettor divides a bet in parts and tells nothing else of what his wager has seen."""
    if not wager.seen or isinstance(bets.bet_on(rules, wager.on), PartsBet):
        return None
    return Refusal("seen is not the bettor's to say", rules.permitted.rule, on=wager.on)


def not_in_units(rules: CrapsRules, sign: Sign, wager: Wager) -> Refusal | None:
    """Why a bet in parts cannot lie as it is: chips do not divide it into its units."""
    bet = bets.bet_on(rules, wager.on)
    if not isinstance(bet, PartsBet):
        return None
    if wager.seen:
        return _ill_divided(bet, wager, sign.chip)
    unit = bet.units.value * sign.chip
    if wager.stake_cents % unit == 0:
        return None
    reason = f"{dollars(wager.stake_cents)} does not divide into {bet.units.value} units"
    return Refusal(reason, bet.units.rule, on=wager.on)


def _ill_divided(bet: PartsBet, wager: Wager, chip: Cents) -> Refusal | None:
    """A division the player may not make, or that leaves one part without a unit."""
    first = wager.seen[0]
    if not bet.divided.value or not isinstance(first, int):
        return Refusal("it is divided into equal units", bet.divided.rule, on=wager.on)
    second = wager.stake_cents - first
    if min(first, second) < chip or first % chip or second % chip:
        reason = f"{dollars(first)} and {dollars(second)} are not whole units, at least one each"
        return Refusal(reason, bet.units.rule, on=wager.on)
    return None


# ---------------------------------------------------------------- amounts


def _laid_down(rules: CrapsRules, sign: Sign, wager: Wager, standing: tuple[Wager, ...]) -> Wager:
    """The wager as it lies on the layout: capped, charged, tied to its base, marked as similar ones are."""
    wager = _capped(rules, sign, wager)
    bet = bets.bet_on(rules, wager.on)
    match bet:
        case OddsBet():
            wager = _tied(rules, bet, wager, standing)
        case NumberBet():
            wager = changed(wager, fee_cents=_charge(rules, sign, bet, wager, standing))
    return bets.marked(wager, "on") if _marked_on(rules, wager, standing) else wager


def _capped(rules: CrapsRules, sign: Sign, wager: Wager) -> Wager:
    over = rules.over_maximum
    if sign.maximum is None or wager.stake_cents <= sign.maximum or over.value != "excess void":
        return wager
    bet = bets.bet_on(rules, wager.on)
    unit = bet.units.value * sign.chip if isinstance(bet, PartsBet) else 1
    valid = floor_to_chips(sign.maximum, unit)
    seen = wager.seen
    if seen and isinstance(seen[0], int):
        kept = floor_to_chips(Fraction(seen[0] * valid, wager.stake_cents), sign.chip)
        seen = (min(max(kept, sign.chip), valid - sign.chip),) if valid else seen
    void = wager.voided_cents + wager.stake_cents - valid
    return changed(wager, stake_cents=valid, voided_cents=void, void_rule=over.rule, seen=seen)


def _charge(rules: CrapsRules, sign: Sign, bet: NumberBet, wager: Wager, standing: tuple[Wager, ...]) -> Cents:
    """What is paid with these chips: the commission on the wager that they make with those that lie there (R-206)."""
    there = [each for each in standing if (each.by, each.on) == (wager.by, wager.on)]
    whole = changed(wager, stake_cents=wager.stake_cents + sum(each.stake_cents for each in there))
    return max(0, commission(rules, bet, whole, chip=sign.chip) - sum(each.fee_cents for each in there))


def commission(rules: CrapsRules, bet: NumberBet, wager: Wager, *, chip: Cents) -> Cents:
    """What is paid with the wager, down to chips, since more than the rate may not be charged."""
    if not present(bet.commission) or wager_kind(wager.on) not in rules.charged.value:
        return 0
    number = bets.number_of(rules, wager)
    assert number is not None
    winnings = bet.pays[number].value.net(wager.stake_cents)
    base = wager.stake_cents if bet.commission.value.of == "stake" else winnings
    return commission_down(base, bet.commission.value.rate, chip)


def _tied(rules: CrapsRules, bet: OddsBet, wager: Wager, standing: tuple[Wager, ...]) -> Wager:
    """An odds bet follows the first of its bases; a wager behind also remembers how much that is."""
    number, followed = named_number(wager.on), bases(rules, wager, standing)
    seen: tuple[int | None, ...] = (number,)
    if present(bet.returned) and bet.returned.value == "base taken":
        seen = (number, sum(each.stake_cents for each in followed))
    return changed(wager, of=followed[0].number, seen=seen)


def _marked_on(rules: CrapsRules, wager: Wager, standing: Iterable[Wager]) -> bool:
    """Whether a similar wager of the same bettor is marked on, which covers this one as well."""
    kind = wager_kind(wager.on)
    if "on" not in rules.covers_similar.value or kind not in rules.switched.value:
        return False
    return any(w.by == wager.by and wager_kind(w.on) == kind and bets.mark_of(w) == "on" for w in standing)


# ---------------------------------------------------------------- what facts need of the standing wagers


def stakes(
    rules: CrapsRules, layout: CrapsLayout, standing: tuple[Wager, ...], fact: Effect
) -> tuple[Wager, ...] | Refusal:
    """No fact of craps puts money down; a call, an acceptance or a throw may lack the wagers it needs."""
    refusal: Refusal | None = None
    match fact:
        case Performed():
            refusal = _nothing_open(rules, standing) if fact.act == "stickperson_throws" else None
        case Called():
            cannot = _cannot_take if fact.call == "take" else _cannot_switch
            refusal = cannot(rules, standing, fact)
        case Chosen():
            refusal = not_eligible(rules, layout, standing, fact.by) if fact.option == "accept_dice" else None
        case DiceFell() | Ruling() if thrown(fact) and as_found(layout, fact) is layout:
            refusal = _not_the_shooter(rules, layout, standing)
    return refusal or ()


def not_eligible(rules: CrapsRules, layout: CrapsLayout, standing: Iterable[Wager], by: str) -> Refusal | None:
    """Why a player may not throw: a Pass or Don't Pass wager is needed, at first and on each later roll."""
    begins = is_come_out(rules, layout) or layout.shooter != by
    needed = rules.shooter.to_begin if begins else rules.shooter.to_go_on
    if any(wager.by == by and wager.on in needed.value for wager in standing):
        return None
    return Refusal(f"{by} has no {' or '.join(map(worded, sorted(needed.value)))} wager", needed.rule)


def _not_the_shooter(rules: CrapsRules, layout: CrapsLayout, standing: tuple[Wager, ...]) -> Refusal | None:
    if not layout.shooter:
        return None
    if layout.shooter == rules.shooter.nobody.value:
        return _nothing_open(rules, standing)
    return not_eligible(rules, layout, standing, layout.shooter)


def _nothing_open(rules: CrapsRules, standing: tuple[Wager, ...]) -> Refusal | None:
    nobody = rules.shooter.nobody
    return None if standing else Refusal(f"the {nobody.value} throws only while a wager is undecided", nobody.rule)


def _cannot_take(rules: CrapsRules, standing: Iterable[Wager], fact: Called) -> Refusal | None:
    named = [wager for wager in standing if bets.names(fact, rules, wager)]
    if not named:
        return Refusal(f"no such wager of {fact.by or 'this player'} stands", rules.removal.rule, on=f"take {fact.on}")
    free = [wager for wager in named if bets.can_be_taken(rules, wager)]
    if not free:
        return Refusal("it has its point and stays until it is decided", rules.removal.rule, on=f"take {fact.on}")
    together = sum(wager.stake_cents for wager in free)
    if fact.amount_cents in (0, together):
        return None
    if fact.amount_cents > together:
        reason = f"{dollars(fact.amount_cents)} is more than the {dollars(together)} there"
        return Refusal(reason, rules.removal.rule, on=f"take {fact.on}")
    if len(free) > 1:
        return Refusal(f"{len(free)} such wagers stand; take them all down", rules.removal.rule, on=f"take {fact.on}")
    return _uneven_rest(rules, free[0], fact.amount_cents)


def _uneven_rest(rules: CrapsRules, wager: Wager, amount_cents: Cents) -> Refusal | None:
    """A bet in parts is cut by whole units, so that the rest is still what it was."""
    bet = bets.bet_on(rules, wager.on)
    if not isinstance(bet, PartsBet):
        return None
    left = wager.stake_cents - amount_cents
    first = wager.seen[0] if wager.seen else None
    whole = left * first % wager.stake_cents == 0 if isinstance(first, int) else left % bet.units.value == 0
    return None if whole else Refusal(f"{dollars(left)} would not divide into its units", bet.units.rule, on=wager.on)


def _cannot_switch(rules: CrapsRules, standing: Iterable[Wager], fact: Called) -> Refusal | None:
    if fact.call not in rules.calls.value:
        return None
    if fact.on and wager_kind(bets.meant(fact).on) not in rules.switched.value:
        return Refusal(f"never called {fact.call}", rules.switched.rule, on=fact.on)
    if any(bets.switches(fact, rules, w) and (not fact.on or bets.names(fact, rules, w)) for w in standing):
        return None
    return Refusal(f"no such wager of {fact.by or 'this player'} stands", rules.calls.rule, on=fact.on)
