"""A sheet as a file for other programs: comma-separated values, or a workbook.

Both hold the rows of `Sheet.rows` and, beside them, every way in which a wager ends, with its net per unit placed: so
that an edge can be reckoned again from the file.  Fractions are written twice, exactly as text and as a number.  A
workbook is a zip of a few small texts; only what a table of words and numbers needs is written.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from croupier.exact.sheet import Sheet, ratio
from croupier.markup import el
from croupier.present import Rows

WHEN: Final = (2000, 1, 1, 0, 0, 0)
"""The date of every part of a workbook, so that the same sheet gives the same bytes."""
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def tables(this: Sheet) -> dict[str, Rows]:
    """The tables of a sheet: its wagers, how each can end, and under which rules that is so."""
    chosen = this.ruleset
    rules = {"rules": chosen.label, "ruleset": chosen.hash, "decks": this.decks, "cards": this.cards}
    own = {"source": chosen.own.source} if chosen.own else {}
    ends = [
        {
            "wager": line.wager,
            "policy": line.policy,
            "ends": pay.kind,
            "result": pay.result,
            "odds": pay.odds,
            "net": pay.net,
            "probability": pay.probability,
            "rule": pay.rule,
        }
        for line in this.lines
        for pay in line.pays
    ]
    facts = [{"name": name, "value": str(value)} for name, value in {**rules, **own, **chosen.elections}.items()]
    return {"wagers": [_both(row) for row in this.rows()], "ends": [_both(row) for row in ends], "rules": facts}


def _both(row: Mapping[str, object]) -> dict[str, object]:
    """A row with each fraction as text, and as a number beside it."""
    cells: dict[str, object] = {}
    for name, value in row.items():
        cells[name] = ratio(value) if isinstance(value, Fraction) else value
        if isinstance(value, Fraction):
            cells[f"{name}_number"] = float(value)
    return cells


def csv_text(this: Sheet) -> str:
    """All ends of all wagers, one a line, with the figures of their wager before them."""
    made = tables(this)
    by_wager = {(row["wager"], row["policy"]): row for row in made["wagers"]}
    lines = [{**by_wager[row["wager"], row["policy"]], **row} for row in made["ends"]]
    named = list(dict.fromkeys(name for line in lines for name in line))
    text = io.StringIO()
    writer = csv.DictWriter(text, named, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def xlsx(this: Sheet) -> bytes:
    """A workbook with a sheet for each table."""
    made = tables(this)
    files = {
        "[Content_Types].xml": _types(len(made)),
        "_rels/.rels": _relations({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": _workbook(list(made)),
        "xl/_rels/workbook.xml.rels": _relations(
            {f"rId{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(made) + 1)}
        ),
        **{f"xl/worksheets/sheet{n}.xml": _cells(rows) for n, rows in enumerate(made.values(), start=1)},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as parcel:
        for name, text in files.items():
            parcel.writestr(zipfile.ZipInfo(name, WHEN), _HEAD + text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _types(sheets: int) -> str:
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "/xl/workbook.xml": "sheet.main",
        **{f"/xl/worksheets/sheet{n + 1}.xml": "worksheet" for n in range(sheets)},
    }
    named = "".join(f'<Override PartName="{name}" ContentType="{main}.{kind}+xml"/>' for name, kind in parts.items())
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="{relations}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{named}</Types>'
    )


def _relations(targets: Mapping[str, tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for name, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


def _workbook(names: Sequence[str]) -> str:
    each = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, start=1))
    return f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{each}</sheets></workbook>'


def _cells(rows: Rows) -> str:
    head = list(dict.fromkeys(name for row in rows for name in row))
    lines: list[list[object]] = [list(head), *([row.get(name) for name in head] for row in rows)]
    body = "".join(f"<row>{''.join(map(_cell, line))}</row>" for line in lines)
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"<c><v>{value!r}</v></c>"
    return f'<c t="inlineStr"><is>{el("t", "" if value is None else str(value)).text}</is></c>'
