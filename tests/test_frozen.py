"""The quick dataclass beside the standard one: nobody can tell the difference."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
from typing import Any, ClassVar

import pytest

from croupier.game import Lost, Won
from croupier.money import to
from croupier.once import dataclass, replace


@dataclass(frozen=True, slots=True)
class Quick:
    """A value."""

    a: int
    b: str = "b"
    c: list[int] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("below nothing")

    @property
    def twice(self) -> int:
        return 2 * self.a


@dataclasses.dataclass(frozen=True, slots=True)
class Slow:
    """A value."""

    a: int
    b: str = "b"
    c: list[int] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("below nothing")


@dataclass(frozen=True, slots=True)
class Alone:
    a: int


@dataclass(frozen=True, slots=True)
class Empty:
    pass


@pytest.mark.parametrize("given", [{"a": 1}, {"a": 1, "b": "x"}, {"a": 2, "b": "y", "c": [3]}])
def test_a_value_is_made_shown_changed_and_copied_alike(given: dict[str, Any]) -> None:
    quick, slow = Quick(**given), Slow(**given)
    assert repr(quick).replace("Quick", "Slow") == repr(slow)
    assert dataclasses.asdict(quick) == dataclasses.asdict(slow)
    assert quick == Quick(**given)
    assert quick != Quick(a=9)
    assert quick.__eq__(slow) is NotImplemented
    assert dataclasses.replace(quick, b="z") == Quick(**given | {"b": "z"})
    assert copy.deepcopy(quick) == quick == copy.copy(quick) == pickle.loads(pickle.dumps(quick))
    assert quick.twice == 2 * quick.a


def test_what_would_not_fit_a_line_is_cut_short() -> None:
    quick, slow = Quick(1, "x" * 150), Slow(1, "x" * 150)
    assert repr(quick).replace("Quick", "Slow") == repr(slow)
    long = repr(Quick(1, c=list(range(10**5))))
    assert len(long) == 200
    assert long.startswith("Quick(a=1, b='b', c=[0, 1, 2,")
    assert long.endswith("…)")


def test_default_values_are_made_anew() -> None:
    assert Quick(1).c is not Quick(1).c


@pytest.mark.parametrize("wrong", [{}, {"a": 1, "d": 2}, {"b": "b"}])
def test_a_wrong_call_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"Quick\.__init__"):
        Quick(**wrong)


def test_a_value_never_changes() -> None:
    quick = Quick(1)
    for name in ("a", "unknown"):
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(quick, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'a'"):
        del quick.a
    with pytest.raises(ValueError, match="below nothing"):
        Quick(-1)


def test_values_are_told_apart_and_found() -> None:
    assert hash(Alone(1)) == hash((1,)) == hash(Alone(1))
    assert {Alone(1): "one"}[Alone(1)] == "one"
    assert len({Alone(1), Alone(2), Empty(), Empty()}) == 3
    won: object = Won(to(1), "R")
    assert won != Lost("R")
    with pytest.raises(TypeError, match="unhashable"):
        hash(Quick(1))


def test_the_class_says_the_same() -> None:
    Quick(1)
    assert [(f.name, f.type, f.default) for f in dataclasses.fields(Quick)] == [
        (f.name, f.type, f.default) for f in dataclasses.fields(Slow)
    ]
    assert Quick.__match_args__ == Slow.__match_args__
    assert Quick.__slots__ == Slow.__slots__
    assert Quick.__annotations__ == Slow.__annotations__
    assert inspect.signature(Quick.__init__).parameters.keys() == inspect.signature(Slow.__init__).parameters.keys()
    assert repr(Quick.__dataclass_params__) == repr(Slow.__dataclass_params__)  # type: ignore[attr-defined]
    assert not hasattr(Quick(1), "__dict__")


def test_what_is_not_plain_is_left_to_the_standard_one() -> None:
    @dataclass(frozen=True, slots=True)
    class WithMore:
        shared: ClassVar[int] = 3
        a: int = dataclasses.field(compare=False, default=1)

    assert WithMore(1) == WithMore(2)
    assert WithMore.shared == 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        WithMore().a = 2  # type: ignore[misc]


@pytest.mark.parametrize("module", ["game", "equipment", "law.model", "exact.ways", "games.baccarat.rules", "money"])
def test_every_class_of_a_room_is_what_the_standard_one_makes(module: str) -> None:
    room = importlib.import_module(f"croupier.{module}")
    seen = 0
    for kind in vars(room).values():
        if not (inspect.isclass(kind) and dataclasses.is_dataclass(kind) and kind.__module__ == room.__name__):
            continue
        inside = {name: value for name, value in vars(kind).items() if name in kind.__annotations__}
        assert all(inspect.ismemberdescriptor(value) for value in inside.values()), kind
        assert kind.__dataclass_params__.frozen == kind.__dataclass_params__.eq is True  # type: ignore[attr-defined]
        seen += 1
    assert seen


@pytest.mark.parametrize("changes", [{}, {"a": 7}, {"b": "z", "c": [1]}])
def test_a_changed_copy_is_the_standard_one(changes: dict[str, Any]) -> None:
    assert replace(Quick(1, "x", [2]), **changes) == dataclasses.replace(Quick(1, "x", [2]), **changes)
    assert replace(Slow(1, "x", [2]), **changes) == dataclasses.replace(Slow(1, "x", [2]), **changes)
    assert replace(Empty()) == Empty()


def test_a_copy_with_a_field_that_is_not_there_is_refused() -> None:
    for each in (Quick(1), Slow(1)):
        with pytest.raises(TypeError, match="unexpected keyword argument 'd'"):
            replace(each, d=1)
    with pytest.raises(ValueError, match="below nothing"):
        replace(Quick(1), a=-1)
