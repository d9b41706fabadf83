"""The bets of craps: their names, and how each is decided.

`judge` watches one wager.  All it remembers is in `seen`: a line bet and its odds their number, a wager that can be
called on or off the call that marks it, a wager behind how much it follows, a C & E its part on Any Craps.  Only a
throw decides; a call may take a wager down, cut it or switch it; everything else leaves it as it is.  A wager that is
off on a throw takes no part in it.

A decided wager is done: what a player leaves on the layout is a new wager, with its own commission if it bears one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, assert_never

from msgspec.structs import replace as changed

from croupier.equipment import Lies
from croupier.game import Called, Effect, Lost, Resolution, StandOff, Void, Wager, Won
from croupier.game.kinds import wager_kind
from croupier.games.craps.irregular import as_found, thrown
from croupier.games.craps.layout import CrapsLayout, Faces, how, is_come_out, total
from croupier.games.craps.rules import (
    Bet,
    CrapsRules,
    LineBet,
    NumberBet,
    OddsBet,
    OneRollBet,
    PartsBet,
    named_number,
    numbers_named,
)
from croupier.law.model import Absent, Law, present
from croupier.money import Cents

ONLY, ON_ONLY = " only", "on only"
"""Said after a wager called on, to keep the call from reaching similar ones."""


def wagers(rules: CrapsRules) -> tuple[str, ...]:
    """The name of every bet, in the order of the layout's list; bets on a number once for each."""
    names: list[str] = []
    for kind, bet in rules.bets.items():
        if kind in rules.permitted.value:
            names += [f"{kind}:{number}" for number in numbers_named(bet)] or [kind]
    return tuple(names)


def bet_on(rules: CrapsRules, on: str) -> Bet:
    return rules.bets[wager_kind(on)]


# ---------------------------------------------------------------- what a wager remembers


def number_of(rules: CrapsRules, wager: Wager) -> int | None:
    """The number a wager waits for: named, gone to, or the only one it can have; None before it has one."""
    named = named_number(wager.on)
    if named is not None:
        return named
    match rules.bets.get(wager_kind(wager.on)):
        case NumberBet(numbers=Law(value=numbers)):
            return min(numbers)
        case LineBet():
            return next((item for item in wager.seen if isinstance(item, int)), None)
        case _:
            return None


def mark_of(wager: Wager) -> str:
    """How the wager was last called: on, on only (not for similar ones), off, or not at all."""
    return next((item for item in wager.seen if isinstance(item, str)), "")


def marked(wager: Wager, mark: str) -> Wager:
    return changed(wager, seen=(*(item for item in wager.seen if not isinstance(item, str)), mark))


def markers(rules: CrapsRules, wager: Wager) -> tuple[str, ...]:
    """The marker buttons that lie on a wager."""
    words = (wager_kind(wager.on), "on" if mark_of(wager) == ON_ONLY else mark_of(wager))
    return tuple(word for word in words if word in rules.markers.value)


def is_on(rules: CrapsRules, wager: Wager, layout: CrapsLayout) -> bool:
    """Whether the wager takes part in the next throw."""
    if wager_kind(wager.on) not in rules.switched.value:
        return True
    mark = mark_of(wager)
    if not mark:
        return not (rules.off_on_come_out.value and is_come_out(rules, layout))
    return mark != "off"


def lies(rules: CrapsRules, layout: CrapsLayout, wager: Wager) -> Lies:
    """The number that a line bet has gone to, and the markers on a wager; one that is off by rule is marked so too."""
    gone = number_of(rules, wager) if isinstance(bet_on(rules, wager.on), LineBet) else None
    shown = markers(rules, wager)
    off = () if is_on(rules, wager, layout) or "off" in shown else ("off",)
    return Lies(gone, (*shown, *off))


# ---------------------------------------------------------------- calls


class CallMeant(NamedTuple):
    """What a call is about, and whether it says that this is the only one."""

    on: str
    only: bool


def meant(fact: Called) -> CallMeant:
    """What a call is about, as people write it: `place:6 only`."""
    return CallMeant(fact.on.removesuffix(ONLY), fact.on.endswith(ONLY))


def names(fact: Called, rules: CrapsRules, wager: Wager) -> bool:
    """Whether a call names this wager: by its full name, its kind, its kind and number, or its place in the book."""
    kind, number = wager_kind(wager.on), number_of(rules, wager)
    known = (wager.on, kind, f"{kind}:{number}", f"#{wager.number}")
    return fact.by == wager.by and meant(fact).on in known


def can_be_taken(rules: CrapsRules, wager: Wager) -> bool:
    """Whether the player may take the wager down or cut it: not a Pass or Come that has its number."""
    bet = bet_on(rules, wager.on)
    return not (isinstance(bet, LineBet) and bet.taken.value == "until its point" and wager.seen)


def taken_under(rules: CrapsRules, wager: Wager) -> str:
    """The rule under which a wager comes down."""
    bet = bet_on(rules, wager.on)
    if isinstance(bet, LineBet):
        return bet.taken.rule
    return rules.commission_back.rule if wager.fee_cents and rules.commission_back.value else rules.removal.rule


def reduced(rules: CrapsRules, wager: Wager, amount_cents: Cents) -> Wager:
    """The wager less a part, which goes back with the commission on it; a C & E keeps its proportion."""
    left = wager.stake_cents - amount_cents
    keeps = Fraction(left, wager.stake_cents)
    fee = wager.fee_cents * left // wager.stake_cents if rules.commission_back.value else wager.fee_cents
    seen = wager.seen
    if isinstance(bet_on(rules, wager.on), PartsBet) and seen and isinstance(seen[0], int):
        seen = (int(seen[0] * keeps),)
    void, rule = wager.voided_cents + amount_cents, taken_under(rules, wager)
    refunded = wager.refunded_cents + wager.fee_cents - fee
    less = changed(wager, stake_cents=left, voided_cents=void, void_rule=rule, seen=seen)
    return changed(less, fee_cents=fee, refunded_cents=refunded)


def switches(fact: Called, rules: CrapsRules, wager: Wager) -> bool:
    """Whether a call of on or off reaches this wager.

    A call without a name is for all the player's wagers.  One wager called on stands for all similar ones, unless the
    player says it is the only one.
    """
    if fact.by != wager.by or wager_kind(wager.on) not in rules.switched.value:
        return False
    if not fact.on or names(fact, rules, wager):
        return True
    similar = fact.call in rules.covers_similar.value and not meant(fact).only
    return similar and wager_kind(fact.on) == wager_kind(wager.on)


def _hears(rules: CrapsRules, wager: Wager, fact: Called) -> Wager | Resolution:
    if fact.call == "take":
        return _taken(rules, wager, fact)
    if not switches(fact, rules, wager):
        return wager
    return marked(wager, ON_ONLY if meant(fact).only and fact.call == "on" else fact.call)


def _taken(rules: CrapsRules, wager: Wager, fact: Called) -> Wager | Resolution:
    if names(fact, rules, wager) and can_be_taken(rules, wager):
        whole = not fact.amount_cents or fact.amount_cents >= wager.stake_cents
        return Void(taken_under(rules, wager), "taken down") if whole else reduced(rules, wager, fact.amount_cents)
    bet = bet_on(rules, wager.on)
    return _base_taken(bet, wager, fact) if isinstance(bet, OddsBet) else wager


def _base_taken(bet: OddsBet, wager: Wager, fact: Called) -> Wager | Resolution:
    """A wager behind remembers how much it follows: cut, it stays; taken down as a whole, it goes back."""
    base, number = bet.base.value, named_number(wager.on)
    if fact.by != wager.by or fact.on not in (base, f"{base}:{number}", f"#{wager.of}"):
        return wager
    if not present(bet.returned) or bet.returned.value != "base taken":
        return wager
    followed = wager.seen[1]
    assert isinstance(followed, int)
    if not fact.amount_cents or fact.amount_cents >= followed:
        return Void(bet.returned.rule, "base taken down")
    return changed(wager, seen=(number, followed - fact.amount_cents))


# ---------------------------------------------------------------- throws


def judge(rules: CrapsRules, wager: Wager, before: CrapsLayout, fact: Effect, after: CrapsLayout) -> Wager | Resolution:
    """The wager after this fact: itself, what it now remembers, or how it was decided."""
    if type(fact) is Called:
        return _hears(rules, wager, fact)
    faces, before = thrown(fact), as_found(before, fact)
    if faces is None:
        return wager
    bet = bet_on(rules, wager.on)
    match bet:
        case LineBet():
            return _judge_line(rules, bet, wager, faces)
        case OddsBet():
            return _judge_odds(rules, bet, wager, faces, on=is_on(rules, wager, before))
        case NumberBet():
            return _judge_number(rules, bet, wager, faces) if is_on(rules, wager, before) else wager
        case OneRollBet():
            return _judge_one_roll(bet, wager, total(faces))
        case PartsBet():
            return _judge_parts(rules, bet, wager, total(faces))
        case unreachable:
            assert_never(unreachable)


def _judge_line(rules: CrapsRules, bet: LineBet, wager: Wager, faces: Faces) -> Wager | Resolution:
    number = number_of(rules, wager)
    if number is None:
        return _judge_first(bet, wager, total(faces))
    fell = how(rules, faces, number)
    if fell in bet.wins_on.value:
        return Won(bet.pays.value, bet.pays.rule)
    return Lost(bet.loses_on.rule) if fell in bet.loses_on.value else wager


def _judge_first(bet: LineBet, wager: Wager, thrown_total: int) -> Wager | Resolution:
    """The first roll after placement: decided at once, or the total becomes its number."""
    if thrown_total in bet.wins_at_once.value:
        return Won(bet.pays.value, bet.pays.rule)
    if thrown_total in bet.loses_at_once.value:
        return Lost(bet.loses_at_once.rule)
    if present(bet.void_at_once) and thrown_total in bet.void_at_once.value:
        return StandOff(bet.void_at_once.rule, "void", f"on {thrown_total}")
    return changed(wager, seen=(thrown_total,)) if thrown_total in bet.points.value else wager


def _judge_odds(rules: CrapsRules, bet: OddsBet, wager: Wager, faces: Faces, *, on: bool) -> Wager | Resolution:
    number = named_number(wager.on)
    assert number is not None
    fell = how(rules, faces, number)
    if not on and fell is not None and present(bet.returned) and bet.returned.value == "base decided while off":
        return Void(bet.returned.rule, "off when its base was decided")
    if fell in bet.wins_on.value:
        return Won(bet.pays[number].value, bet.pays[number].rule)
    return Lost(bet.loses_on.rule) if fell in bet.loses_on.value else wager


def _judge_number(rules: CrapsRules, bet: NumberBet, wager: Wager, faces: Faces) -> Wager | Resolution:
    number = number_of(rules, wager)
    assert number is not None
    fell = how(rules, faces, number)
    if fell in bet.wins_on.value:
        return Won(bet.pays[number].value, bet.pays[number].rule)
    return Lost(bet.loses_on.rule) if fell in bet.loses_on.value else wager


def _judge_one_roll(bet: OneRollBet, wager: Wager, thrown_total: int) -> Wager | Resolution:
    if thrown_total in bet.wins.value:
        pays = bet.pays[thrown_total]
        return Won(pays.value, pays.rule, _label(bet, thrown_total))
    return Lost(bet.loses.rule) if thrown_total in bet.loses.value else wager


def _label(bet: OneRollBet, thrown_total: int) -> str:
    """A name for this way of winning, for odds sheets: the totals paid alike, where others are paid differently."""
    alike = sorted(each for each, pays in bet.pays.items() if pays == bet.pays[thrown_total])
    return "win" if len(alike) == len(bet.pays) else f"on {', '.join(map(str, alike))}"


def _judge_parts(rules: CrapsRules, bet: PartsBet, wager: Wager, thrown_total: int) -> Wager | Resolution:
    if thrown_total in bet.wins.value:
        for kind, share in shares(bet, wager).items():
            part = rules.bets[kind]
            assert isinstance(part, OneRollBet)
            if thrown_total in part.wins.value:
                return Won(part.pays[thrown_total].value, bet.parts.rule, f"on {thrown_total}", share)
    return Lost(bet.loses.rule) if thrown_total in bet.loses.value else wager


def shares(bet: PartsBet, wager: Wager) -> Mapping[str, Fraction]:
    """The share of the stake on each bet it is paid as: units alike, the high one twice, or as the player said."""
    parts = list(bet.parts.value)
    if bet.divided.value and wager.seen and isinstance(wager.seen[0], int):
        first = Fraction(wager.seen[0], wager.stake_cents)
        return {parts[0]: first, parts[1]: 1 - first}
    number = named_number(wager.on)
    if not isinstance(bet.high, Absent) and number is not None:
        parts.append(bet.high.value[number])
    return {kind: Fraction(parts.count(kind), len(parts)) for kind in parts}
