"""Values near a value of the law, for every type in which laws are written.

A change is as small as can be: one more, one less, another member, the other way round, one condition less.  Small
changes are the ones that a careless test does not notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from croupier.game.circumstances import OTHERWISE
from croupier.law.conditions import conditions
from croupier.law.elections import Options
from croupier.law.model import Absent, Law
from croupier.money import Odds


def changed(value: object) -> Iterator[tuple[str, object]]:
    """Values near this one, each with what was changed; none if nobody knows how to change such a value."""
    match value:
        case bool():
            yield f"{not value}", not value
        case Enum():
            members = list(type(value))
            other = members[(members.index(value) + 1) % len(members)]
            yield f"{other}", other
        case int():
            yield f"{value + 1}", value + 1
            yield f"{value - 1}", value - 1
        case str():
            yield f"{value}'", f"{value}'"
        case Fraction():
            yield "twice as much", value * 2
        case datetime():
            yield "an hour later", value + timedelta(hours=1)
        case range():
            yield "one up", range(value.start + 1, value.stop + 1)
            yield "one down", range(value.start - 1, value.stop - 1)
        case Odds():
            yield from _changed_odds(value)
        case Options():
            yield from _changed_options(value)
        case frozenset():
            yield from _changed_set(value)
        case tuple():
            yield from _changed_tuple(value)
        case Mapping():
            yield from _changed_mapping(value)
        case Law() | Absent():
            return
        case _ if is_dataclass(value) and not isinstance(value, type):
            yield from _changed_record(value)


def _changed_odds(odds: Odds) -> Iterator[tuple[str, Odds]]:
    more = replace(odds, win=odds.win + 1)
    yield str(more), more
    if odds.commission:
        plain = replace(odds, commission=Fraction(0))
        yield str(plain), plain


def _changed_options(options: Options[Any]) -> Iterator[tuple[str, object]]:
    """Another default, and one value less to choose from."""
    others = [each for each in options.permitted if each != options.elected]
    for other in others[:1] or [other for _, other in changed(options.elected)][:1]:
        yield f"{other} by default", Options(options.permitted, other)
    if others:
        yield (
            f"{others[-1]} not permitted",
            replace(options, permitted=tuple(each for each in options.permitted if each != others[-1])),
        )


def _changed_set(members: frozenset[Any]) -> Iterator[tuple[str, object]]:
    """The last member taken out; numbers also with their neighbours, since a word made up would never be met."""
    ordered = sorted(members, key=lambda each: (str(type(each)), each if isinstance(each, int) else 0, str(each)))
    if ordered:
        yield f"without {ordered[-1]}", members - {ordered[-1]}
    if all(type(each) is int for each in members):
        yield "with its neighbours", members | {near for each in members or {0} for near in (each - 1, each, each + 1)}


TURNED: Final = "turned round"
SHORTER: Final = "without the last"


def _changed_tuple(items: tuple[Any, ...]) -> Iterator[tuple[str, object]]:
    """Turned round where that makes a difference, one item changed, and the last one left out."""
    if items[::-1] != items:
        yield TURNED, items[::-1]
    for what, other in _one_changed(items):
        yield what, other
        break
    yield (SHORTER, items[:-1]) if items else ("with 0", (0,))


def _one_changed(items: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """One item changed, and the others as they are."""
    for index, item in enumerate(items):
        for what, other in changed(item):
            yield f"{what} at {index}", (*items[:index], other, *items[index + 1 :])


def _changed_mapping(items: Mapping[Any, Any]) -> Iterator[tuple[str, object]]:
    """One entry changed, and one left out."""
    for key, item in items.items():
        for what, other in changed(item):
            yield f"{key}: {what}", {**items, key: other}
            break
        else:
            continue
        break
    if items:
        last = list(items)[-1]
        yield f"without {last}", {key: item for key, item in items.items() if key != last}


def _changed_record(record: Any) -> Iterator[tuple[str, object]]:
    """One change for each field that says something; of the conditions `when` a thing is so, each left out as well.

    Who may do a thing (`by`) has no order: there one is left out.  A field at its default is one that the law does not
    speak of; but who does a thing is always said.  One that is left out of comparisons (the kind of an act) is no law,
    and in no hash of it.
    """
    for field in fields(record):
        value = getattr(record, field.name)
        if not field.compare or (value == field.default and field.name != "by"):
            continue
        if field.name == "by" and isinstance(value, tuple) and len(value) > 1:
            found: Iterator[tuple[str, object]] = iter([(SHORTER, value[:-1])])
        elif field.name == "when":
            found = _changed_conditions(value)
        else:
            found = islice(changed(value), 1)
        for what, other in found:
            yield f"{field.name}: {what}", replace(record, **{field.name: other})


def _changed_conditions(when: Any) -> Iterator[tuple[str, object]]:
    """One condition changed, and each left out in turn; they hold together or not, in whatever order.

    `otherwise` stays: it tells of the order of the cases, and whoever tries them in that order never asks for it.
    """
    yield from islice(_one_changed(when) if isinstance(when, tuple) else changed(when), 1)
    asked = conditions(when)
    for index, condition in enumerate(asked):
        if condition != OTHERWISE:
            yield f"without {condition}", (*asked[:index], *asked[index + 1 :])
