"""The ceremony round a draw: a second `demand` over the same game.

A `DrawSitting` is the draw, what was said and done in this game, the scripts still owed before the next spin, and the
last results.  There is a script for the spin and one for the result, and one for whatever a remedy or an opening asks
for.  `demand` is the first act not done, else what play demands;  `apply` lets a fact happen or refuses it with the
rule.

What a game adds is in its `Hooks`: how play goes on, which conditions hold, and which details an act may have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Generic, TypeVar

from msgspec import Struct

from croupier.ceremony import Done, Orders, Script, acts, calling, due, ordered_under, perform
from croupier.game import (
    Called,
    Demand,
    Effect,
    Fact,
    Lost,
    Perform,
    Performed,
    Refusal,
    Resolution,
    Ruling,
    Void,
    Wager,
    told,
)
from croupier.game.kinds import wager_kind
from croupier.games.single_draw.play import OWE, Common, Draw, late
from croupier.law.model import Absent, Law, present
from croupier.law.officials import DEALER
from croupier.once import dataclass, in_a_line, replace

T = TypeVar("T")

SPIN, RESULT, OPENING = "spin", "result", "opening"
COLLECT, PAY, PAY_AREA = "collect losing wagers", "pay winning wagers", "pay area"
BETWEEN_SPINS, COLLECTED = "between spins", "losers collected"
DISPLAYED: Final = 20  # as many results as a number display of the common kind has places for


@dataclass(frozen=True, slots=True)
class DrawCeremony:
    """The scripts, the orders, and who may do what when.

    `shared`: acts that others than the usual one may do.  `opens`: the act before which nobody bets; `reopens`: the act
    before which there is no new game.  `spins`: the act with which a spin is in progress.  `own_paid`: kinds of wager
    whose owner may lift them once they are paid.
    """

    scripts: Mapping[str, Script]
    orders: Orders
    shared: Mapping[str, Law[tuple[str, ...]]]
    hands_off: Law[bool]
    opens: Law[str] | Absent
    reopens: Law[str]
    untouched: Law[bool]
    own_paid: Law[frozenset[str]] | Absent
    spins: str

    def rule_of(self, act: str) -> str:
        """The rule under which an act of the scripts or orders is done."""
        scripted = {law.value.act: law.rule for script in self.scripts.values() for law in script}
        return scripted.get(act) or {law.value.act: law.rule for law in self.orders}[act]


class DrawSitting(Struct, Generic[T], frozen=True, gc=False):
    """A table's ceremony: this game, what was done in it, what is owed before the next spin, and past results."""

    draw: Draw[T] = Draw()
    said: Done = ()
    owed: tuple[str, ...] = ()
    recent: tuple[T, ...] = ()

    __repr__ = in_a_line

    def detail(self, act: str) -> int | str | None:
        """What was recorded with the last such act of this game."""
        return next((fact.detail for fact in reversed(self.said) if fact.act == act), None)


@dataclass(frozen=True, slots=True)
class Hooks(Generic[T]):
    """What a game adds: its play, what play demands, the details of acts it checks, and its own conditions."""

    play: Callable[[Draw[T], Effect], Draw[T] | Refusal]
    demands: Demand
    check: Callable[[Performed], Refusal | None]
    holds: Mapping[str, bool]


def opened(ceremony: DrawCeremony) -> DrawSitting[T]:
    """A table just opened: what the law wants inspected before is owed before the first game."""
    return DrawSitting(owed=(OPENING,) if OPENING in ceremony.scripts else ())


def closing_act(common: Common) -> str:
    return calling(common.closing.value).act


def _script(ceremony: DrawCeremony, sitting: DrawSitting[T]) -> Script:
    if sitting.draw.void:
        return ()
    if sitting.draw.result is not None:
        return ceremony.scripts[RESULT]
    return ceremony.scripts[sitting.owed[0] if sitting.owed else SPIN]


def _holds(ceremony: DrawCeremony, sitting: DrawSitting[T], hooks: Hooks[T], word: str) -> bool:
    done = acts(sitting.said)
    spinning = any(law.value.act in done for law in ceremony.scripts[SPIN]) and sitting.draw.result is None
    return {BETWEEN_SPINS: not spinning, COLLECTED: COLLECT in done, **hooks.holds}[word]


def _due(ceremony: DrawCeremony, sitting: DrawSitting[T], hooks: Hooks[T]) -> Perform | None:
    return due(_script(ceremony, sitting), sitting.said, holds=lambda word: _holds(ceremony, sitting, hooks, word))


def demand(ceremony: DrawCeremony, sitting: DrawSitting[T], hooks: Hooks[T]) -> Demand:
    """The first act of staff that is due, else what play demands."""
    return _due(ceremony, sitting, hooks) or hooks.demands


# ---------------------------------------------------------------- what happens


def apply(
    common: Common, ceremony: DrawCeremony, sitting: DrawSitting[T], fact: Effect, *, hooks: Hooks[T]
) -> DrawSitting[T] | Refusal:
    """The sitting after a fact of play or of ceremony; a call heard by play is an act of ceremony as well."""
    match fact:
        case Performed():
            return _performed(common, ceremony, sitting, fact, hooks)
        case Called(call=call, by=by) if call == common.closing.value:
            return _performed(common, ceremony, sitting, Performed(closing_act(common), by), hooks)
        case Ruling():
            return _interrupted(ceremony, sitting, fact, hooks)
        case Called():
            return _played(sitting, fact, hooks)
        case _:
            wanted = _due(ceremony, sitting, hooks)
            if wanted:
                return Refusal(f"first is due: {told(wanted)}", wanted.rule)
            return _played(sitting, fact, hooks)


def _played(sitting: DrawSitting[T], fact: Effect, hooks: Hooks[T]) -> DrawSitting[T] | Refusal:
    draw = hooks.play(sitting.draw, fact)
    return draw if isinstance(draw, Refusal) else replace(sitting, draw=draw)


def _performed(
    common: Common, ceremony: DrawCeremony, sitting: DrawSitting[T], fact: Performed, hooks: Hooks[T]
) -> DrawSitting[T] | Refusal:
    fact, wanted = _in_parts(fact), _due(ceremony, sitting, hooks)
    refusal = _stranger(ceremony, wanted, fact) or _out_of_turn(ceremony, sitting, wanted, fact, hooks)
    if refusal or (refusal := hooks.check(fact)):
        return refusal
    after = replace(sitting, said=(*sitting.said, fact))
    if fact.act == closing_act(common):
        return _played(after, Called(common.closing.value), hooks)
    if after.owed and after.draw.result is None and _due(ceremony, after, hooks) is None:
        return replace(after, owed=after.owed[1:])
    return after


def _in_parts(fact: Performed) -> Performed:
    """An area that is paid to one player, as it was told before a fact had a place for that: `red by seat 1`."""
    area, one, by = str(fact.detail).partition(" by ") if fact.act == PAY_AREA and not fact.to else ("", "", "")
    return replace(fact, detail=area, to=by) if one else fact


def _stranger(ceremony: DrawCeremony, wanted: Perform | None, fact: Performed) -> Refusal | None:
    """Nobody lays hands on the equipment but those for whom the act is provided."""
    if wanted is None or fact.act != wanted.act or not ceremony.hands_off.value:
        return None
    allowed = may_do(ceremony, wanted)
    if fact.by in ("", *allowed):
        return None
    return Refusal(f"for the {' or '.join(allowed)}, not for {fact.by}", ceremony.hands_off.rule, on=fact.act)


def may_do(ceremony: DrawCeremony, wanted: Perform) -> tuple[str, ...]:
    """Everybody who may do the act that is due, the usual one first."""
    law = ceremony.shared.get(wanted.act)
    return law.value if law else (wanted.by,)


def _out_of_turn(
    ceremony: DrawCeremony, sitting: DrawSitting[T], wanted: Perform | None, fact: Performed, hooks: Hooks[T]
) -> Refusal | None:
    ordered = any(law.value.act == fact.act for law in ceremony.orders)
    if wanted is None and not ordered:
        return Refusal(f"out of turn: due is {told(hooks.demands)}", hooks.demands.rule, on=fact.act)
    # Who may do the act that is due was checked before; an order names its own people.
    asked = replace(fact, by=(fact.by or DEALER) if ordered else "")
    return perform(wanted, ceremony.orders, asked, holds=lambda word: _holds(ceremony, sitting, hooks, word))


def _interrupted(
    ceremony: DrawCeremony, sitting: DrawSitting[T], ruling: Ruling, hooks: Hooks[T]
) -> DrawSitting[T] | Refusal:
    """A void spin is begun again from its first act; what the remedy asks for is owed before the next spin."""
    after = _played(sitting, ruling, hooks)
    if isinstance(after, Refusal):
        return after
    orders = [fact for fact in ruling.facts if isinstance(fact, Performed)]
    spun = ceremony.spins in acts(sitting.said) or sitting.draw.result is not None
    if any(order.act == "void spin" for order in orders) and not spun:
        return Refusal("no spin is in progress", ruling.rule, on=ruling.on.circumstance)
    said = () if any(order.act == "void spin" for order in orders) else sitting.said
    more = tuple(str(order.detail) for order in orders if order.act == OWE and order.detail not in sitting.owed)
    return replace(after, said=said, owed=(*sitting.owed, *more))


def is_complete(ceremony: DrawCeremony, sitting: DrawSitting[T]) -> bool:
    """Whether the game is void, or has a result and every winner is paid."""
    return bool(sitting.draw.void) or (sitting.draw.result is not None and ceremony.reopens.value in acts(sitting.said))


def cited(common: Common, ceremony: DrawCeremony, fact: Fact) -> str:
    """The rule of an order, or of a wager taken up again before the call."""
    match fact:
        case Performed():
            return ordered_under(ceremony.orders, fact)
        case Called(call="take"):
            return common.closing.rule
        case _:
            return ""


def paid(sitting: DrawSitting[T]) -> Callable[[Wager, Resolution], bool]:
    """Whether a decided wager is taken or paid by now: losers first, then winners, area by area or all together."""
    done = acts(sitting.said)
    collected, all_paid = COLLECT in done, PAY in done
    areas = _paid(sitting)

    def is_paid(wager: Wager, resolution: Resolution) -> bool:
        if type(resolution) is Lost:
            return collected
        if all_paid or type(resolution) is Void:
            return True
        return bool(areas) and ((wager.on, "") in areas or (wager.on, wager.by) in areas)

    return is_paid


def next_game(ceremony: DrawCeremony, sitting: DrawSitting[T]) -> DrawSitting[T] | Refusal:
    """A new game, once the last one is void or every winner is paid."""
    if not is_complete(ceremony, sitting):
        return Refusal(f"no new game before: {ceremony.reopens.value}", ceremony.reopens.rule)
    result = sitting.draw.result
    recent = sitting.recent if sitting.draw.void or result is None else (*sitting.recent, result)[-DISPLAYED:]
    return DrawSitting(owed=sitting.owed, recent=recent)


# ---------------------------------------------------------------- what players may do


def may_bet(common: Common, ceremony: DrawCeremony, sitting: DrawSitting[T]) -> Refusal | None:
    """Why no wager may be placed now, if so; `accept` then looks at the wager itself."""
    if sitting.draw.result is not None or sitting.draw.void:
        return Refusal(f"no wagers before a new game and: {ceremony.reopens.value}", ceremony.reopens.rule)
    if present(ceremony.opens) and ceremony.opens.value not in acts(sitting.said):
        return Refusal(f"no wagers before: {ceremony.opens.value}", ceremony.opens.rule)
    return late(common, sitting.draw, "wagers")


def _paid(sitting: DrawSitting[T]) -> set[tuple[str, str]]:
    """The areas that were paid, each with the player to whom alone it was."""
    return {(str(fact.detail), fact.to) for fact in sitting.said if fact.act == PAY_AREA}


def may_touch(
    common: Common, ceremony: DrawCeremony, sitting: DrawSitting[T], *, area: str, by: str = ""
) -> Refusal | None:
    """Why a wager on this area may not be touched now, if so: not from the call until the area is paid.

    An area is paid by `pay area`, for all who wager on it or for one of them.
    """
    if sitting.draw.result is None:
        return late(common, sitting.draw, area)
    paid = _paid(sitting)
    if PAY in acts(sitting.said) or (area, "") in paid or not ceremony.untouched.value:
        return None
    own = ceremony.own_paid
    if present(own) and wager_kind(area) in own.value and (area, by) in paid:
        return None
    return Refusal("not touched until all its winners are paid", ceremony.untouched.rule, on=area)


# ---------------------------------------------------------------- words

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("", "", "twenty", "thirty")


def number_words(number: int) -> str:
    """A number below forty as it is called."""
    if number < len(_SMALL):
        return _SMALL[number]
    tens, unit = divmod(number, 10)
    return f"{_TENS[tens]}-{_SMALL[unit]}" if unit else _TENS[tens]


def unlike(what: str, detail: object, wanted: tuple[object, ...], rule: str) -> Refusal | None:
    """Refuses a detail that is none of those wanted."""
    if detail in wanted:
        return None
    return Refusal(f"{detail!r:.40} where {' or '.join(map(str, wanted))} is due", rule, on=what)


def too_few(what: str, detail: object, least: Law[int]) -> Refusal | None:
    """Refuses a count that is not at least so many."""
    if type(detail) is int and detail >= least.value:
        return None
    return Refusal(f"{detail!r:.20} where at least {least.value} are needed", least.rule, on=what)
