"""Elections: what the law leaves to the operator.

A field of a rules object whose law holds `Options` is a choice: the law permits some values, one is in force.  The
edition lists the permitted values, the first being the default; electing another gives a new rules object.  The
name of the field is the name of the election, so that nothing has to be registered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

from croupier.errors import NotPermitted
from croupier.law.model import Absent, Law
from croupier.once import dataclass

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Options(Generic[T]):
    """What the law permits, and what is in force.  No permitted values at all: any text that names its source."""

    permitted: tuple[T, ...]
    elected: T


def choice(first: T, *others: T) -> Options[T]:
    """Permitted values, the default first."""
    return Options((first, *others), first)


def electable(rules: object) -> dict[str, Law[Options[Any]]]:
    """The elections of a rules object, by name."""
    found = {}
    for field in fields(rules):  # type: ignore[arg-type]
        value = getattr(rules, field.name)
        if isinstance(value, Law) and isinstance(value.value, Options):
            found[field.name] = value
    return found


def elect(rules: R, elections: Mapping[str, object]) -> R:
    """The rules with these elections in force.  Raises `NotPermitted` for what the edition does not permit."""
    changes: dict[str, object] = {}
    offered = electable(rules)
    for name, wanted in elections.items():
        law = offered.get(name)
        if law is None:
            raise _unknown(rules, name, tuple(offered))
        changes[name] = Law(Options(law.value.permitted, _permitted(name, law, wanted)), law.rules)
    return replace(rules, **changes)  # type: ignore[type-var]


def _unknown(rules: object, name: str, offered: tuple[str, ...]) -> NotPermitted:
    if isinstance(getattr(rules, name, None), Absent):
        return NotPermitted(f"election {name!r}: this edition has no such rule", "")
    return NotPermitted(f"election {name!r} is not known here; known are {', '.join(sorted(offered))}", "")


def _permitted(name: str, law: Law[Options[Any]], wanted: object) -> object:
    permitted = law.value.permitted
    if not permitted:
        if isinstance(wanted, str) and wanted.strip():
            return wanted
        raise NotPermitted(f"election {name}={wanted!r} must name its source", law.rule)
    for value in permitted:
        if value == wanted and isinstance(value, bool) == isinstance(wanted, bool):
            return value
        if isinstance(wanted, str) and not isinstance(value, str) and choice_text(value) == wanted.lower():
            return value
    listed = "|".join(choice_text(value) for value in permitted)
    given = " ".join(str(wanted).split())[:60]
    raise NotPermitted(f"election {name}={given} is not permitted; the edition permits {listed}", law.rule)


def choice_text(value: object) -> str:
    """What may be elected, as it is written."""
    return str(value).lower() if isinstance(value, bool) else str(value)
