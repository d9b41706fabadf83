"""The drawing of who imports whom, made from the source: rooms in layers, an arrow for each import between two rooms.

An import that goes a longer way round already (a to b to c, beside a to c) gets no arrow of its own, so that the
drawing shows the architecture and not the traffic.  `python -m tests.helpers.drawing` writes it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

from tests.helpers.places import DOCS, ROOT

Imports = Mapping[str, frozenset[str]]
WIDE, HIGH, GAP_X, GAP_Y, MARGIN = 112, 30, 18, 46, 16
SVG = "http" + "://www.w3.org/2000/svg"


def imports_between_rooms(package: Path) -> Imports:
    """For each room (a folder or a module right below the package) the other rooms that it imports."""
    found: dict[str, set[str]] = {}
    for path in sorted(package.rglob("*.py")):
        room = _room(path.relative_to(package).parts[0])
        if room.startswith("__"):
            continue
        here = found.setdefault(room, set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "croupier":
                whole = node.module.split(".")
                named = [whole[1]] if len(whole) > 1 else [alias.name for alias in node.names]
                here.update(name for name in named if name != room)
    return {room: frozenset(others & found.keys()) for room, others in found.items()}


def _room(part: str) -> str:
    return part.removesuffix(".py")


def _reduced(imports: Imports) -> Imports:
    """Without what is reached a longer way round."""
    reach: dict[str, frozenset[str]] = {}

    def reached(room: str) -> frozenset[str]:
        if room not in reach:
            reach[room] = frozenset(imports[room]).union(*(reached(other) for other in imports[room]))
        return reach[room]

    return {
        room: frozenset(each for each in others if not any(each in reached(other) for other in others - {each}))
        for room, others in imports.items()
    }


def _depths(imports: Imports) -> dict[str, int]:
    depth: dict[str, int] = {}

    def of(room: str) -> int:
        if room not in depth:
            depth[room] = 1 + max((of(other) for other in imports[room]), default=-1)
        return depth[room]

    for room in imports:
        of(room)
    return depth


def diagram(imports: Imports) -> str:
    """The drawing as SVG, the same for the same imports."""
    depth = _depths(imports)
    rows: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for room in sorted(imports):
        rows[depth[room]].append(room)
    rows.reverse()
    across = max(len(row) for row in rows)
    width, height = MARGIN * 2 + across * (WIDE + GAP_X) - GAP_X, MARGIN * 2 + len(rows) * (HIGH + GAP_Y) - GAP_Y
    place = {}
    for at, row in enumerate(rows):
        left = (width - (len(row) * (WIDE + GAP_X) - GAP_X)) / 2
        for number, room in enumerate(row):
            place[room] = (left + number * (WIDE + GAP_X), MARGIN + at * (HIGH + GAP_Y))
    arrows = [
        _arrow(place[room], place[other])
        for room, others in sorted(_reduced(imports).items())
        for other in sorted(others)
    ]
    boxes = [_box(room, *place[room]) for room in sorted(place)]
    head = (
        f'<svg xmlns="{SVG}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13">\n<title>Who imports whom</title>\n'
        '<rect width="100%" height="100%" fill="#fbfaf6"/>\n'
    )
    return head + "\n".join([*arrows, *boxes]) + "\n</svg>\n"


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    x1, y1, x2, y2 = start[0] + WIDE / 2, start[1] + HIGH, end[0] + WIDE / 2, end[1]
    bend = (y2 - y1) / 2
    curve = f"M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}"
    return f'<path d="{curve}" fill="none" stroke="#55640a" stroke-opacity="0.55"/>'


def _box(room: str, x: float, y: float) -> str:
    middle = f'<text x="{x + WIDE / 2:g}" y="{y + HIGH / 2 + 4.5:g}" text-anchor="middle" fill="#1d1d17">{room}</text>'
    return f'<rect x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="6" fill="#fff" stroke="#55640a"/>{middle}'


if __name__ == "__main__":
    (DOCS / "screens" / "imports.svg").write_text(
        diagram(imports_between_rooms(ROOT / "src/croupier")), encoding="utf-8"
    )
