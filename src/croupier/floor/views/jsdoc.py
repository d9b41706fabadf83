"""The types of a view for the pages: `web/kit/view.js`, made from `shapes.py` and `staff_shapes.py`.

`python -m croupier.floor.views.jsdoc` writes the file again after a change; a test fails until that is done.  Each
record becomes a JSDoc typedef of the same name and with the same words.  Beside them stands the ladder of officials, so
that no page writes it down by itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import inspect as types

from croupier.floor.views.shapes import TableView
from croupier.law.officials import LADDER

WHERE = Path(str(files("croupier"))) / "web" / "kit" / "view.js"
HEAD = """\
/**
 * What a view is made of, and the ladder of officials.  Made from `floor/views/shapes.py` and `law/officials.py` by
 * `python -m croupier.floor.views.jsdoc`; a test holds them together.
 */
"""


def typed(kind: types.Type) -> str:
    """A type as JSDoc writes it."""
    match kind:
        case types.StructType(cls=cls):
            return str(cls.__name__)
        case types.StrType():
            return "string"
        case types.IntType() | types.FloatType():
            return "number"
        case types.BoolType():
            return "boolean"
        case types.NoneType():
            return "null"
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            inner = typed(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case types.TupleType(item_types=items):
            return f"[{', '.join(map(typed, items))}]"
        case types.DictType(key_type=key, value_type=value):
            return f"Record<{typed(key)}, {typed(value)}>"
        case types.UnionType(types=several):
            return " | ".join(dict.fromkeys(typed(each) for each in several))
        case types.AnyType():
            return "any"
        case _:
            raise TypeError(f"a view has no {kind}")


def typedef(kind: types.StructType) -> Iterator[str]:
    first, *more = inspect.cleandoc(kind.cls.__doc__ or "").splitlines() or [""]
    yield f"/** {first}".rstrip()
    yield from (f" * {line}".rstrip() for line in more)
    yield f" * @typedef {{object}} {kind.cls.__name__}"
    for each in kind.fields:
        name = each.name if each.required else f"[{each.name}]"
        yield f" * @property {{{typed(each.type)}}} {name}"
    yield " */"


def records(root: type[Any]) -> list[types.StructType]:
    """Every record within one, itself last."""
    found: dict[type, types.StructType] = {}

    def walk(kind: types.Type) -> None:
        if isinstance(kind, types.StructType) and kind.cls not in found:
            for each in kind.fields:
                walk(each.type)
            found[kind.cls] = kind
        for name in ("item_type", "key_type", "value_type"):
            if hasattr(kind, name):
                walk(getattr(kind, name))
        for each in (*getattr(kind, "types", ()), *getattr(kind, "item_types", ())):
            walk(each)

    walk(types.type_info(root))
    return list(found.values())


def written() -> str:
    """The whole file."""
    ladder = ", ".join(f'"{role}"' for role in LADDER)
    defined = (line for kind in records(TableView) for line in typedef(kind))
    officials = (
        "/** The ranks of the house, the lowest first: who may do what those below may do. */",
        f"export const LADDER = [{ladder}];",
        "",
        "/** Whether one official stands above another. */",
        "export const isAbove = (role, other) => LADDER.indexOf(role) > LADDER.indexOf(other);",
        "",
    )
    return "\n".join((HEAD, *defined, "", *officials))


if __name__ == "__main__":
    WHERE.write_text(written(), encoding="utf-8")
