"""A value of the law, and the rule that says it.

Theory of operation.  Whatever a gazette fixes (a number, a table, an order of acts) is a Python value wrapped in a
`Law` that names its rule.  Code never contains the number: it reads `law.value`, and when the value decides
something it hands on `law.rule`.  So each demand, resolution and refusal can be traced to the text, and a change of
the text is a change of one value.

A law may rest on several rules that say one thing together (a table, the words that explain it, the definition of
its terms).  The first is the one to cite; the others are covered by the same value.

`absent` is written where an edition has no such rule.  It is a value of its own, so that a reader can see that
the silence was noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Final, Generic, Protocol, TypeGuard, TypeVar, final

from croupier.once import dataclass

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@final
@dataclass(frozen=True, slots=True)
class Law(Generic[T_co]):
    """A value and the rules that fix it; `rule` is the one to cite."""

    value: T_co
    rules: tuple[str, ...]

    @property
    def rule(self) -> str:
        return self.rules[0]


@final
@dataclass(frozen=True, slots=True)
class Absent:
    """The edition says nothing of the kind."""

    def __repr__(self) -> str:
        return "absent"

    def __bool__(self) -> bool:
        return False


absent: Final = Absent()


class Citer(Protocol):
    """Makes laws of one document: `law(8, "3.4a")`."""

    def __call__(self, value: T, *ids: str) -> Law[T]: ...


def cites(prefix: str) -> Citer:
    """The `law` function of one document or division: `cites("NZ1998")`, `cites("NZ1996-IV")`."""

    def law(value: T, *ids: str) -> Law[T]:
        if not ids:
            raise ValueError(f"a law of {prefix} without a rule: {value!r}")
        return Law(value, tuple(i if i.startswith(("NZ", "VIC")) else f"{prefix}-{i}" for i in ids))

    return law


def present(value: T | Absent) -> TypeGuard[T]:
    """Whether the edition has the rule."""
    return not isinstance(value, Absent)


def laws_in(thing: object, path: str = "") -> Iterator[tuple[str, Law[object]]]:
    """Every law inside a rules object, with its path (`banker_after.3`), depth first."""
    if isinstance(thing, Law):
        yield path, thing
        yield from laws_in(thing.value, path)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from laws_in(getattr(thing, field.name), f"{path}.{field.name}" if path else field.name)
    elif isinstance(thing, Mapping):
        for key, item in thing.items():
            yield from laws_in(item, f"{path}.{key}")
    elif isinstance(thing, tuple | list):
        for index, item in enumerate(thing):
            yield from laws_in(item, f"{path}.{index}")
