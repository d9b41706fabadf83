"""Doing a thing once, and not before somebody asks.

Frozen values are asked the same thing many times in a row: what is due at a table, by the rule that allows an act, by
the page that shows it, by each of thirty wagers.  `once` keeps the last few answers and gives them again when the very
same object is asked about; `once_of_both` does so for two.  A few, because a fact has a before and an after, and a
house several tables.  They are for functions of frozen values that look at nothing else; then nobody can tell the
difference, but for the time.  An answer is kept with what it is about, so that no other object can have its number, and
as one tuple, so that another thread finds it whole or not at all.  `once_each` keeps an answer for each object, and the
object with it: it is for parts of the law, which live as long as their edition.

`kept` is a property that a value works out when it is first asked for, and then has.  The standard one takes a lock for
it, up to Python 3.11, which costs more than most answers; here two threads may work out the same answer, once.

`WhenAsked` is a mapping whose values are made when they are first asked for: a command is mostly about one edition of
one game.

`dataclass` is the standard one, made quickly where it is frozen and slotted.  The standard one writes and compiles six
functions for every such class and takes half a millisecond for it; a command that answers in a tenth of a second needs
a hundred of them.  Here it finds the fields and makes the slots; comparing, hashing, showing and refusing to be changed
are the same for all classes, and what is shown is cut short to a line; `__init__` is written when the first instance is
made.  `replace` is the standard one too, written for the class when it is first asked for.  `tests/test_frozen.py`
holds both side by side.  What is not plainly frozen and slotted is left to the standard ones.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast, overload

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


LATELY: Final = 256
"""How many answers are kept, some for each table of a large house: all go when there are so many, since to know the
oldest would cost more than to ask."""


def once(function: Callable[[A], T]) -> Callable[[A], T]:
    """The function, asked only once about the same object of late."""
    known: dict[int, tuple[A, T]] = {}

    def asked(about: A) -> T:
        found = known.get(id(about))
        if found is None:
            found = (about, function(about))
            if len(known) >= LATELY:
                known.clear()
            known[id(about)] = found
        return found[1]

    return asked


def once_of_both(function: Callable[[A, B], T]) -> Callable[[A, B], T]:
    """The function, asked only once about the same two objects of late; the second is the one that changes."""
    known: dict[int, tuple[B, A, T]] = {}

    def asked(about: A, and_about: B) -> T:
        found = known.get(id(and_about))
        if found is None or found[1] is not about:
            found = (and_about, about, function(about, and_about))
            if len(known) >= LATELY:
                known.clear()
            known[id(and_about)] = found
        return found[2]

    return asked


class kept(Generic[A, T]):  # noqa: N801
    """A property of a frozen value with a dictionary of its own: worked out once, when it is first asked for."""

    def __init__(self, function: Callable[[A], T]) -> None:
        self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

    @overload
    def __get__(self, of: None, kind: type) -> kept[A, T]: ...

    @overload
    def __get__(self, of: A, kind: type) -> T: ...

    def __get__(self, of: A | None, kind: type) -> T | kept[A, T]:
        if of is None:
            return self
        answer = of.__dict__[self.name] = self.function(of)
        return answer


def once_each(function: Callable[[A], T]) -> Callable[[A], T]:
    """The function, asked only once about each object."""
    known: dict[int, tuple[A, T]] = {}

    def asked(about: A) -> T:
        found = known.get(id(about))
        if found is None:
            found = known[id(about)] = (about, function(about))
        return found[1]

    return asked


class WhenAsked(MutableMapping[str, T]):
    """The known names, each with its value once somebody asked for it; further ones may be put in."""

    def __init__(self, **makers: Callable[[], T]) -> None:
        self.makers = makers
        self.made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self.made:
            # Another thread may make it at the same time, and then all go on with the one that was first.
            return self.made.setdefault(name, self.makers[name]())
        return self.made[name]

    def __setitem__(self, name: str, value: T) -> None:
        self.makers[name], self.made[name] = (lambda: value), value

    def __delitem__(self, name: str) -> None:
        del self.makers[name]
        self.made.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self.makers

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)


# ---------------------------------------------------------------- values

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **how: bool) -> Any:
        """As `dataclasses.dataclass`."""
        if cls is not None or how != PLAIN:
            return dataclasses.dataclass(cls, **how)
        return lambda written: _quick(written) if _is_plain(written) else dataclasses.dataclass(written, **how)


PLAIN: Final = {"frozen": True, "slots": True}
WRITTEN: Final = frozenset(
    {"__delattr__", "__eq__", "__getstate__", "__hash__", "__init__", "__setattr__", "__setstate__"}
)
NOT_FIELDS: Final = ("ClassVar", "InitVar", "KW_ONLY")


def _is_plain(written: type) -> bool:
    """Whether every annotation is a field like any other, and the class writes none of the functions itself."""
    inside = vars(written)
    return not (
        WRITTEN & inside.keys()
        or any(dataclasses.is_dataclass(base) for base in written.__mro__[1:])
        or any(word in str(kind) for kind in inside.get("__annotations__", {}).values() for word in NOT_FIELDS)
        or any(isinstance(each, dataclasses.Field) and not _all_true(each) for each in inside.values())
    )


def _all_true(field: dataclasses.Field[Any]) -> bool:
    return field.init and field.repr and field.compare and field.hash is None and field.kw_only is dataclasses.MISSING


def _quick(written: type) -> type:
    kinds, says = inspect.get_annotations(written), written.__doc__
    # The standard one looks into every annotation that is a text, and writes a page about a class that says nothing.
    written.__annotations__ = dict.fromkeys(kinds, object)
    written.__doc__ = says or written.__name__
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(written)
    made.__annotations__ = kinds
    fields = dataclasses.fields(made)
    for each in fields:
        each.type = kinds[each.name]
    names = tuple(each.name for each in fields)
    for param in ("init", "repr", "eq", "frozen"):
        setattr(made.__dataclass_params__, param, True)
    made.__init__ = _written_when_called(made, fields)
    made.__setattr__, made.__delattr__ = _no_setting, _no_deleting
    made.__getstate__, made.__setstate__ = _state, _restored
    made.__eq__, made.__hash__ = _comparing(names)
    if "__repr__" not in vars(written):
        made.__repr__ = in_a_line
    return made  # type: ignore[no-any-return]


def _written_when_called(made: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    def first(self: Any, *given: Any, **named: Any) -> None:
        made.__init__ = _init(made, fields)
        made.__init__(self, *given, **named)

    return first


def _init(made: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """`__init__` as a person would write it; each slot is filled by its own descriptor, past the refusal to change."""
    known: dict[str, Any] = {"_absent": dataclasses.MISSING}
    taken, body = ["self"], []
    for field in fields:
        name, default = field.name, ""
        known[f"_set_{name}"] = made.__dict__[name].__set__
        value = name
        if field.default is not dataclasses.MISSING:
            known[f"_default_{name}"], default = field.default, f"=_default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"], default = field.default_factory, "=_absent"
            value = f"_make_{name}() if {name} is _absent else {name}"
        taken.append(name + default)
        body.append(f" _set_{name}(self, {value})")
    if hasattr(made, "__post_init__"):
        body.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(taken)}):\n" + ("\n".join(body) or " pass"), known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__, init.__module__ = f"{made.__qualname__}.__init__", made.__module__
    init.__annotations__ = {each.name: each.type for each in fields} | {"return": None}
    return init


_REPLACERS: dict[type, Callable[..., Any]] = {}


def replace(this: T, /, **changes: Any) -> T:
    """As `dataclasses.replace`."""
    write: Any = _REPLACERS.get(type(this))
    if write is None:
        write = _REPLACERS[type(this)] = _replacer(type(this))
    return write(this, **changes)  # type: ignore[no-any-return]


def like(kind: type[T], record: object, **more: Any) -> T:
    """A value that repeats of a record what it has fields for, and more: an event after its command, an answer."""
    fields = getattr(kind, "__struct_fields__", None) or [each.name for each in dataclasses.fields(cast(Any, kind))]
    same = {name: getattr(record, name) for name in fields if name not in more and hasattr(record, name)}
    return kind(**same, **more)


def _replacer(kind: type) -> Callable[..., Any]:
    if hasattr(kind, "__struct_fields__"):
        from msgspec.structs import replace as changed

        return changed
    fields = dataclasses.fields(kind)
    every: Mapping[str, Any] = kind.__dict__.get("__dataclass_fields__", {})
    if len(every) != len(fields) or not all(each.init and not each.kw_only for each in fields):
        # Inherited fields, or some that are not given to `__init__` in their order: the standard one knows them.
        return cast(Callable[..., Any], dataclasses.replace)
    names = [each.name for each in fields]
    known: dict[str, Any] = {"_kind": kind, "_same": object()}
    taken = "".join(f", {name}=_same" for name in names)
    given = ", ".join(f"self.{name} if {name} is _same else {name}" for name in names)
    exec(f"def replace(self, /{', *' if names else ''}{taken}):\n return _kind({given})", known)
    return cast(Callable[..., Any], known["replace"])


def _comparing(names: tuple[str, ...]) -> tuple[Callable[[Any, Any], Any], Callable[[Any], int]]:
    values: Callable[[Any], tuple[Any, ...]] = attrgetter(*names) if len(names) > 1 else _few(*names)

    def equal(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: Any) -> int:
        return hash(values(self))

    return equal, hashed


def _few(*names: str) -> Callable[[Any], tuple[Any, ...]]:
    """The values of one field or of none, which `attrgetter` does not give as a tuple."""
    if not names:
        return lambda _: ()
    get = attrgetter(names[0])
    return lambda this: (get(this),)


LONGEST_REPR: Final = 200
"""Characters of a `repr`: a line that a person reads."""


@recursive_repr()
def in_a_line(self: Any) -> str:
    """The `repr` of a value, a struct as well: cut short where it would not fit a line; the law of a game has pages."""
    text, between = f"{self.__class__.__qualname__}(", ""
    for name in getattr(self, "__struct_fields__", None) or [each.name for each in dataclasses.fields(self)]:
        if len(text) > LONGEST_REPR:
            break
        text, between = f"{text}{between}{name}={getattr(self, name)!r}", ", "
    return fitting(f"{text})")


def fitting(text: str) -> str:
    """The text of a `repr`, cut short before its last sign if it is too long."""
    return text if len(text) <= LONGEST_REPR else f"{text[: LONGEST_REPR - 2]}…{text[-1]}"


def _no_setting(self: object, name: str, value: object) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deleting(self: object, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _restored(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
