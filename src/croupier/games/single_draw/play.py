"""The draw, its wagers, and what can go wrong with it.

A game is a `Draw`: what came up, whether "No more bets" was called, and the rule that made it void if one did.  The
wheel or the dice are due until there is a result; then every wager is decided at once by the area it lies on.  Each
game says which areas there are (`locate`), what a fact shows (`shown`) and what an area wins (`decide`); the rest is
here.  A wager may be taken down until the call (`{"take": …}`).

A void spin of roulette or the money wheel has no result: betting opens again and the wagers stay.  A void round of
tai-sai is over and its stakes go back.  Either may be found when the result is on record and the wagers are decided:
then the ruling orders to undo that first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Generic, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace as changed

from croupier.game import (
    Called,
    Demand,
    Effect,
    Fact,
    Irregular,
    Over,
    Performed,
    Refusal,
    Remedy,
    Resolution,
    Rounding,
    Ruling,
    Sign,
    Void,
    Wager,
    not_due,
)
from croupier.game.circumstances import unambiguous
from croupier.law.model import Absent, Law, present
from croupier.law.officials import DEALER
from croupier.once import dataclass, in_a_line, replace
from croupier.round import UNDO, VOID_SPIN

T = TypeVar("T")

NO_SPIN: Final = "No spin"
ACROSS: Final = "|"  # a chip that lies across two areas is written with both: total:4|total:5

When: TypeAlias = Literal["any time", "betting open", "betting closed", "result known"]


@dataclass(frozen=True, slots=True)
class DrawCase:
    """One line of the table of irregularities: when it applies, what is ordered, and who may order it.

    `call` is what is announced, `voids` what has no result because of it, `then` the script of acts that follows.
    """

    when: When
    remedy: Remedy
    by: tuple[str, ...] = (DEALER,)
    call: str = ""
    voids: Literal["", "spin", "round", "wager"] = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Common:
    """What the law fixes alike for the three games: results, closing and settling, limits, and trouble.

    `unpredictable` are the sources that results may come from, since nobody may be able to predict them.
    `unannounced` are the circumstances that are void although nobody called; `at_rest` those that are void although
    ball or indicator came to rest somewhere, which the fact may tell (`to`).
    """

    unpredictable: Law[frozenset[str]]
    closing: Law[str]
    settled: Law[bool]
    over_maximum: Law[Literal["excess void"]]
    rounding: Law[Rounding]
    irregularities: Mapping[str, tuple[Law[DrawCase], ...]]
    unannounced: Law[frozenset[str]]
    at_rest: Law[frozenset[str]] | Absent
    unprovided: Law[str]

    def __post_init__(self) -> None:
        unambiguous(self.irregularities, get_args(When), frozenset(("betting open", "betting closed")))


# ---------------------------------------------------------------- the draw


class Draw(Struct, Generic[T], frozen=True, gc=False):
    """One game: its result, whether betting is closed, and the rule that made the round void if one did."""

    result: T | None = None
    closed: bool = False
    void: str = ""

    __repr__ = in_a_line


def demand(common: Common, draw: Draw[T], due: Demand) -> Demand:
    """`due`, the wheel or the dice, until there is a result or none can come."""
    if draw.void:
        return Over(draw.void)
    if draw.result is not None and common.settled.value:
        return Over(common.settled.rule)
    return due


def apply(common: Common, draw: Draw[T], fact: Effect, *, due: Demand, shown: T | Refusal | None) -> Draw[T] | Refusal:
    """The draw after a fact; `shown` is what the fact shows of wheel or dice, None if it shows nothing of them."""
    if isinstance(fact, Ruling):
        return _remedied(draw, fact)
    match demand(common, draw, due), fact:
        case Over(rule=rule), _:
            return Refusal("the game is over: nothing is due", rule)
        case _, Called(call="take", on=on):
            return late(common, draw, on) or draw
        case _, Called(call=call) if call == common.closing.value:
            return late(common, draw, call) or replace(draw, closed=True)
        case _, Performed(act="void spin" | "void round"):
            return _voided(draw, fact)
        case _ if shown is None:
            return not_due(due)
    assert shown is not None
    return shown if isinstance(shown, Refusal) else replace(draw, result=shown, closed=True)


def _remedied(draw: Draw[T], ruling: Ruling) -> Draw[T]:
    for fact in ruling.facts:
        draw = _voided(draw, fact)
    return draw


def _voided(draw: Draw[T], fact: Fact) -> Draw[T]:
    """A void spin leaves the layout as before the call; a void round is over.  Neither has a result."""
    match fact:
        case Performed(act="void spin"):
            return Draw()
        case Performed(act="void round", detail=rule):
            return Draw(None, draw.closed, str(rule))
        case _:
            return draw


# ---------------------------------------------------------------- wagers


def late(common: Common, draw: Draw[T], what: str) -> Refusal | None:
    """Why a wager can no longer be placed, changed or withdrawn, if so."""
    if not draw.closed and not draw.void:
        return None
    return Refusal(f"no wager is placed or withdrawn after {common.closing.value!r}", common.closing.rule, on=what)


def accept(
    common: Common, sign: Sign, draw: Draw[T], placed: tuple[Wager, ...], *, locate: Callable[[str], str | Refusal]
) -> tuple[Wager, ...] | Refusal:
    """The wagers as they stand, or the first refusal: the area must exist, then the time be right.

    `locate` gives the area its proper name.  What is above the maximum is void, the rest stands.
    """
    accepted = []
    for wager in placed:
        area = locate(wager.on)
        if isinstance(area, Refusal):
            return area
        too_late = late(common, draw, area)
        if too_late:
            return too_late
        accepted.append(_capped(common, sign, changed(wager, on=area)))
    return tuple(accepted)


def _capped(common: Common, sign: Sign, wager: Wager) -> Wager:
    over = common.over_maximum
    if sign.maximum is None or wager.stake_cents <= sign.maximum or over.value != "excess void":
        return wager
    void = wager.voided_cents + wager.stake_cents - sign.maximum
    return changed(wager, stake_cents=sign.maximum, voided_cents=void, void_rule=over.rule)


def beside(common: Common, standing: tuple[Wager, ...]) -> Iterator[Called]:
    """What may be said until the call: that a wager comes down, and the call itself."""
    yield from (Called("take", by=wager.by, on=wager.on) for wager in standing)
    yield Called(common.closing.value)


def stakes(common: Common, standing: tuple[Wager, ...], fact: Effect) -> tuple[Wager, ...] | Refusal:
    """No fact puts money down; taking down what does not stand, or a part of it, is refused."""
    if type(fact) is not Called or fact.call != "take":
        return ()
    if not any(_taken(wager, fact) for wager in standing):
        return Refusal("no such wager stands", common.closing.rule, on=f"take {fact.on}")
    if fact.amount_cents:
        return Refusal("take the whole and place what is to remain", common.closing.rule, on=f"take {fact.on}")
    return ()


def _taken(wager: Wager, fact: Called) -> bool:
    return wager.on == fact.on and wager.by == fact.by


def _concerns(wager: Wager, it: Irregular) -> bool:
    return wager.on == it.to and it.call in ("", wager.by)


def judge(
    common: Common,
    wager: Wager,
    before: Draw[T],
    fact: Effect,
    after: Draw[T],
    *,
    decide: Callable[[Wager, T], Wager | Resolution],
) -> Wager | Resolution:
    """The wager after this fact; `decide` says what its area wins once there is a result."""
    if type(fact) is Called and fact.call == "take" and _taken(wager, fact):
        return Void(common.closing.rule, "taken down")
    if type(fact) is Ruling and fact.remedy is Remedy.VOID_WAGER and _concerns(wager, fact.on):
        return Void(fact.rule)
    if after.void:
        return Void(after.void)
    if after.result is None or not common.settled.value:
        return wager
    return decide(wager, after.result)


# ---------------------------------------------------------------- irregularities


OWE: Final = "owe"
"""The order, in a ruling, that a script of acts is done before the next spin."""
# A void wager needs no order: `judge` lets the wager concerned go.
_ORDERS: Final[Mapping[str, tuple[str, ...]]] = {"": (), "spin": (VOID_SPIN,), "round": ("void round",), "wager": ()}


def find_case(common: Common, draw: Draw[T], it: Irregular) -> Law[DrawCase] | Refusal:
    """The line of the table that applies, or why there is none."""
    cases = common.irregularities.get(it.circumstance)
    if cases is None:
        known, who = ", ".join(common.irregularities), common.unprovided.value
        return Refusal(f"not among {known}; the {who} decides", common.unprovided.rule, on=it.circumstance)
    law = next((each for each in cases if _applies(draw, each.value.when)), None)
    if law is None:
        when = " or ".join(each.value.when for each in cases)
        return Refusal(f"only with {when}", cases[0].rule, on=it.circumstance)
    return _out_of_place(common, draw, law, it) or law


def _applies(draw: Draw[T], when: When) -> bool:
    match when:
        case "any time":
            return not draw.void
        case "betting open":
            return not draw.closed and not draw.void
        case "betting closed":
            return draw.closed and not draw.void
        case "result known":
            return draw.result is not None and not draw.void


def _out_of_place(common: Common, draw: Draw[T], law: Law[DrawCase], it: Irregular) -> Refusal | None:
    case, rests = law.value, common.at_rest
    if it.by and it.by not in case.by:
        return Refusal(f"not for the {it.by} but for the {' or '.join(case.by)}", law.rule, on=it.circumstance)
    rested = draw.result is not None or bool(it.to)
    if rested and case.call and present(rests) and it.circumstance not in rests.value:
        return Refusal("then nothing can have come to rest in a section", law.rule, on=it.circumstance)
    return None


def rule_on(common: Common, draw: Draw[T], it: Irregular) -> Ruling | Refusal:
    """The ruling.  What must be called has no effect uncalled, unless the law voids it anyway."""
    law = find_case(common, draw, it)
    if isinstance(law, Refusal):
        return law
    case, by = law.value, it.by or law.value.by[0]
    called = it.call in (case.call, case.call.lower().replace(" ", "_"))
    if case.call and not called and it.call not in ("", "none"):
        return Refusal(f"the call is {case.call!r}, not {it.call!r:.40}", law.rule, on=it.circumstance)
    if case.call and not called and it.circumstance not in common.unannounced.value:
        return Ruling(it, Remedy.PLAY_ON, common.unannounced.rule, by)
    undone = (UNDO,) if case.voids and draw.result is not None else ()
    orders = tuple(Performed(order, by, law.rule) for order in (*undone, *_ORDERS[case.voids]))
    owed = (Performed(OWE, by, case.then),) if case.then else ()
    return Ruling(it, case.remedy, law.rule, by, (*orders, *owed), call=case.call)
