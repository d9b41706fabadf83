"""The report of a shift on paper: reconciliation, drop, liability and meters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.floor.rooms.cage.paper import paper, when
from croupier.markup import Html, Part, el
from croupier.money import balance


def _figure(cents: int) -> Html:
    """An amount in a column whose head has said the unit."""
    return el("td", balance(cents).replace("$", ""), cls="num")


def _table(words: Iterable[str], figures: Iterable[str], rows: Iterable[Html], foot: Part = None) -> Html:
    """A table: the heads over its words, then those over its figures."""
    heads = (*(el("th", name) for name in words), *(el("th", name, cls="num") for name in figures))
    head = el("thead", el("tr", *heads))
    return el("table", head, el("tbody", *rows), el("tfoot", foot) if foot else None)


def report_html(report: dict[str, Any]) -> str:
    """The paper."""
    shift = report["shift"]
    state = f"closed {when(shift['closed_ms'])} by {shift['closed_by']}" if shift["closed_ms"] else "still open"
    return paper(
        "Cage report",
        el("h1", f"Shift {shift['number']}"),
        el("p", f"Opened {when(shift['opened_ms'])} by {shift['opened_by']}, {state}. Made {when(report['at_ms'])}."),
        *_drawer(shift),
        *_drop(report, shift),
        *_owed(report),
        *_meters(report),
        practice=report["practice"],
        wide=True,
    )


def _drawer(shift: dict[str, Any]) -> tuple[Html, ...]:
    flows = [
        el(
            "tr",
            el("td", f"{each['kind'].capitalize()} ({each['count']})"),
            _figure(each["cash"]),
            _figure(each["chips"]),
        )
        for each in shift["flows"]
    ]
    rows = [("Should be there", shift["expected"]), ("Counted", shift["counted"])]
    if shift["counted"]:
        rows.append(
            ("Difference", {kind: shift["counted"][kind] - shift["expected"][kind] for kind in ("cash", "chips")})
        )
    foot = [el("tr", el("td", name), _figure(sums["cash"]), _figure(sums["chips"])) for name, sums in rows if sums]
    reason = el("p", f"Reason for the difference: {shift['reason']}") if shift["reason"] else None
    table = _table(("Drawer",), ("Cash $", "Chips $"), [*flows, *foot])
    return el("h2", "Reconciliation"), table, *((reason,) if reason else ())


def _counted(drop: dict[str, Any]) -> Html:
    sums = (drop["expected"], drop["counted"], drop["counted"] - drop["expected"])
    return el("tr", el("td", f"{drop['table']} {drop['box']}".strip()), *map(_figure, sums))


def _drop(report: dict[str, Any], shift: dict[str, Any]) -> tuple[Html, ...]:
    counted = [_counted(each) for each in shift["drops"]]
    waiting = [
        el("tr", el("td", f"{each['table']} {each['box']}".strip()), _figure(each["expected"]))
        for each in report["drop"]
    ]
    return (
        el("h2", "Drop counted"),
        _table(("Box",), ("Ledger $", "Counted $", "Difference $"), counted),
        el("h2", "Not collected yet"),
        _table(("Table",), ("Ledger $",), waiting),
    )


def _owed(report: dict[str, Any]) -> tuple[Html, ...]:
    owed = report["owed"]
    lines = [*owed["ages"], *owed["tables"]]
    rows = [el("tr", el("td", each["name"].capitalize()), el("td", each["count"], cls="num"), _figure(each["cents"]))
            for each in lines]  # fmt: skip
    foot = el("tr", el("td", "All open vouchers"), el("td", owed["count"], cls="num"), _figure(owed["cents"]))
    rest = f"Held as unclaimed {balance(owed['unclaimed'])}; payment refused {balance(owed['refused'])}."
    credits = f"Credits on tables {balance(report['credits']['cents'])}, {report['credits']['count']} holders."
    return el("h2", "Owed on vouchers"), _table(("",), ("Open", "Owed $"), rows, foot), el("p", f"{rest} {credits}")


def _meters(report: dict[str, Any]) -> tuple[Html, ...]:
    names = ("cash_in", "wagered", "won", "lost", "vouchers", "cash_out")
    figures = (f"{name.replace('_', ' ').capitalize()} $" for name in names)
    rows = [
        el("tr", el("td", each["table"]), el("td", each["holder"]), *(_figure(each.get(name, 0)) for name in names))
        for each in report["meters"]
    ]
    return el("h2", "Meters since the first line"), _table(("Table", "Account"), figures, rows)
