"""Executes the notebooks of docs/notebooks and writes what their cells answer: `make notebooks`.

Theory of operation.  A notebook is JSON in the fourth format of Jupyter.  Its code cells are run in order in one space
of names, as a kernel would: what is printed is a stream, and the value of a last expression is a result, as text and,
where it knows how, as HTML.  So the outputs in the files come from the code beside them, and a test runs it again.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The same notebook with the outputs of its code."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            outputs = _outputs("".join(cell["source"]), names, number)
            cell = {**cell, "execution_count": number, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(code: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = _lines(value._repr_html_())
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    for path in notebooks():
        done = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(done, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
