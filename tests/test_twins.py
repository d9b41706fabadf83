"""No two places of the source do more than a dozen lines of the same, or of the same shape under other names.

Looked at are statements of functions, one after another, with their names and values left out.  What is declared (the
values of an edition, messages, signatures, imports) is written out on purpose: each is read by itself.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from tests.helpers.places import ROOT

MOST_LINES = 12
NAMED = {"id", "attr", "arg", "name", "value"}
LEFT_OUT = {"ctx", "type_comment", "kind", "annotation", "returns"}

Place = tuple[str, int, int]


def shape(part: object) -> str:
    """A piece of code without its names and values."""
    if isinstance(part, list):
        return f"[{','.join(map(shape, part))}]"
    if not isinstance(part, ast.AST):
        return "_"
    inside = ("_" if name in NAMED and not isinstance(value, ast.AST | list) else shape(value)
              for name, value in ast.iter_fields(part) if name not in LEFT_OUT)  # fmt: skip
    return f"{type(part).__name__}({','.join(inside)})"


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Statements that stand one after another within functions."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                for name in ("body", "orelse", "finalbody"):
                    found = getattr(node, name, None)
                    if isinstance(found, list) and not isinstance(node, ast.ClassDef):
                        yield found


def twins(sources: Mapping[str, str]) -> list[list[Place]]:
    """Places with the shortest runs above a dozen lines that are alike, each run with all of its places."""
    known: dict[tuple[str, ...], set[Place]] = defaultdict(set)
    for path, text in sources.items():
        for block in blocks(ast.parse(text)):
            shapes = [shape(statement) for statement in block]
            for first, begin in enumerate(block):
                for last in range(first, len(block)):
                    end = block[last].end_lineno or 0
                    if end - begin.lineno + 1 > MOST_LINES:
                        known[tuple(shapes[first : last + 1])].add((path, begin.lineno, end))
                        break
    return [sorted(places) for places in known.values() if len(places) > 1]


def test_no_two_places_of_the_source_are_twins() -> None:
    sources = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py")}
    assert len(sources) > 500
    assert twins(sources) == []


TWIN = """
def {name}({one}):
    {two} = {one} + {number}
    if {two} > {number}:
        {two} = [
            {number},
            {number},
            {number},
            {number},
            {number},
            {number},
            {number},
        ]
    {three} = {two}
    return {three}
"""


def test_a_twin_is_found_under_other_names() -> None:
    first = TWIN.format(name="f", one="a", two="b", three="c", number=1)
    second = TWIN.format(name="g", one="x", two="y", three="z", number=2)
    assert twins({"first": first, "second": second}) == [[("first", 3, 15), ("second", 3, 15)]]
    assert twins({"first": first, "second": second.replace("return", "return -")}) == []
