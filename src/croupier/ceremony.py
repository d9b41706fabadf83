"""Ceremonies: the acts of staff and players in the order the rules give them.

Theory of operation.  A `Script` is an ordered list of acts, each a law: what is done, by whom, under which rule, and
under which condition it is needed at all.  `due` is the first act that is not done yet.  `perform` lets an act be
done if it is the one due and the right person does it; otherwise it refuses and names what was due.  Beside the
script there are `Order`s: what an official may order, or a player ask for, at a time of their choosing.  What was
done is a tuple of facts, so a ceremony can be replayed.

The conditions are words that the game understands: `holds("two cutting cards")`.

An act is declared with its kind.  What was done is told by name alone, so `kind_of_act` finds the kind in the part of
the rules in which acts and orders of that name are declared, also where a declaration stands for several (`{box}`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache
from typing import Final, TypeAlias

from croupier.game import Perform, Performed, Refusal
from croupier.game.kinds import NO_KIND, ActKind
from croupier.law.conditions import IN_A_ROW, When, conditions, in_a_row
from croupier.law.model import Citer, Law
from croupier.law.officials import DEALER, GAME_SUPERVISOR
from croupier.once import dataclass, once, once_each, once_of_both

Holds: TypeAlias = Callable[[str], bool]
Done: TypeAlias = tuple[Performed, ...]


CUTTING_CARD: Final = Performed("cutting card", DEALER)
"""The cutting card came out of the shoe: it is told when it does, whatever is due."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is done, by whom, and the conditions under which it is needed (none: always).

    `apart`: an act that another person must have done, where the law wants two who do not rely on each other.
    """

    act: str
    by: str = "dealer"
    when: When = field(default="", metadata=IN_A_ROW)
    apart: str = ""
    kind: ActKind = field(default=NO_KIND, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Order:
    """What may be ordered or asked for, by whom, and when."""

    act: str
    by: tuple[str, ...]
    when: When = field(default="", metadata=IN_A_ROW)
    kind: ActKind = field(default=NO_KIND, compare=False, repr=False)


Script: TypeAlias = tuple[Law[Act], ...]
Orders: TypeAlias = tuple[Law[Order], ...]


@cache
def calling(words: str, when: When = "") -> Act:
    """The act of the dealer who calls out these words."""
    return Act(f"call {words}", when=when, kind=ActKind("call", words))


def inspected_twice(law: Citer, rule: str) -> Script:
    """Cards or dice that come to a table: the dealer and the game supervisor each inspect them, and are two people."""
    first = Act("inspect as dealer")
    return (law(first, rule), law(Act("inspect as game supervisor", GAME_SUPERVISOR, apart=first.act), rule))


def orders_given(orders: Orders) -> Iterator[Performed]:
    """Each order by the first of those who may give it, to be tried."""
    yield from (Performed(law.value.act, law.value.by[0]) for law in orders)


def ordered_under(orders: Orders, fact: Performed) -> str:
    """The rule of an order, if the act is one."""
    return next((law.rule for law in orders if law.value.act == fact.act), "")


@once
def acts(done: Done) -> frozenset[str]:
    """The names of what was done."""
    return frozenset([fact.act for fact in done])


def kind_of_act(name: str, *declared: object) -> ActKind:
    """What an act of this name is, by the parts of the rules that declare acts."""
    for part in declared:
        plain, several = _declarations(part)
        if name in plain:
            return plain[name]
        for pattern, kind in several:
            if found := pattern.fullmatch(name):
                return kind.written(**found.groupdict())
    return NO_KIND


def kinds_of_acts(*declared: object) -> Mapping[str, ActKind]:
    """What acts are, by each name that is declared as it stands: `kind_of_act` of it."""
    return {name: kind_of_act(name, *declared) for part in declared for name in _declarations(part)[0]}


@once_each
def _declarations(part: object) -> tuple[Mapping[str, ActKind], tuple[tuple[re.Pattern[str], ActKind], ...]]:
    """The kinds of a part by the names of their acts, and by patterns of those names that stand for several."""
    found = {each.act: each.kind for each in declared_in(part)}
    several = [name for name, kind in found.items() if "{" in name and kind is not NO_KIND]
    patterns = [re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\w+)", re.escape(name)) for name in several]
    return found, tuple((re.compile(each), found[name]) for each, name in zip(patterns, several, strict=True))


def declared_in(part: object) -> Iterator[Act | Order]:
    """The acts and orders that a part of the rules declares."""
    if isinstance(part, Act | Order):
        yield part
    elif isinstance(part, Law):
        yield from declared_in(part.value)
    elif isinstance(part, Mapping | tuple):
        for each in part.values() if isinstance(part, Mapping) else part:
            yield from declared_in(each)
    elif is_dataclass(part):
        for each in fields(part):
            yield from declared_in(getattr(part, each.name))


def due(script: Script, done: Done, holds: Holds) -> Perform | None:
    """The first act of the script that is needed and not done."""
    for law in _left(done, script):
        act = law.value
        if not act.when or all(map(holds, conditions(act.when))):
            return Perform(act.act, act.by, law.rule, act.apart)
    return None


@once_of_both
def _left(done: Done, script: Script) -> Script:
    """What of a script is not done, whether it is needed or not."""
    finished = acts(done)
    return tuple([law for law in script if law.value.act not in finished])


def perform(wanted: Perform | None, orders: Orders, fact: Performed, holds: Holds) -> Refusal | None:
    """None if the act may be done now: it is the one due, or an order that this person may give at this time."""
    for law in orders:
        if law.value.act == fact.act:
            return _ordered(law, fact, holds)
    if wanted is None:
        return Refusal("nothing of the kind is due", orders[0].rule if orders else "", on=fact.act)
    if fact.act != wanted.act:
        return Refusal(f"out of turn: due is {wanted.act} by {wanted.by}", wanted.rule, on=fact.act)
    if fact.by and fact.by != wanted.by:
        return Refusal(f"for the {wanted.by}, not for {fact.by}", wanted.rule, on=fact.act)
    return None


def _ordered(law: Law[Order], fact: Performed, holds: Holds) -> Refusal | None:
    order = law.value
    if fact.by and fact.by not in order.by:
        return Refusal(f"for {' or '.join(order.by)}, not for {fact.by}", law.rule, on=fact.act)
    if not all(map(holds, conditions(order.when))):
        return Refusal(f"possible only: {in_a_row(order.when)}", law.rule, on=fact.act)
    return None if fact.by else Refusal(f"say who orders it, {' or '.join(order.by)}", law.rule, on=fact.act)
