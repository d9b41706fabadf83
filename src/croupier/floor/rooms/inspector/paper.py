"""One round on paper, for a dispute: its story, its money, and below them the lines of the journal that prove both.

The page stands by itself and can be printed; what it proves with is text in it (`PROOF`), the signed export of the
lines of this round alone, which `croupier verify --export` reads out of the page.  A line whose predecessor is no part
of the round carries the hash of it, so that the chain is followed over the gaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

from croupier.floor.audit.export import FORMAT, PROOF, Header, law_of, page_hash, written
from croupier.floor.keeping.house import House
from croupier.floor.rooms.cage.paper import clock, paper, when
from croupier.floor.store.chain import genesis
from croupier.floor.store.durable import Store
from croupier.floor.views.rounds import RoundsKept
from croupier.floor.views.story import story
from croupier.markup import Html, el
from croupier.money import balance

COMMAND: Final = "croupier verify --export FILE"


class NoSuchRound(LookupError):
    """The table has played no round of this number."""


def round_paper(house: House, table: str, number: int, *, by: str, at_ms: int) -> str:
    """The page of one round; of the journal its lines are read, and the first, which names the law."""
    store, host = house.store, house.hosts[table]
    assert store.key is not None
    found = house.keep(RoundsKept, RoundsKept).stored(store, table, number)
    lines, entries = tuple(line for line, _ in found), [entry for _, entry in found]
    if not lines:
        raise NoSuchRound(f"table {table!r:.40} has no round {number}")
    named = {line.number for line in lines}
    history = story(host.shown, entries, number, felt=True)
    law = law_of(store.sound_lines(table, 1, 1))
    page = paper(
        f"Round {number} of table {table}",
        el("h1", f"Table {table}, round {number}"),
        el("p", f"{_law(law)}. Made {when(at_ms)} for {by}."),
        *_wagers(history["wagers"]),
        el("h2", "What happened"),
        el("table", el("tbody", *(_line(each) for each in history["entries"]))),
        el("h2", "Proof"),
        el("p", "Whoever saved this page can check it without the house: ", el("code", COMMAND), cls="fine"),
        Html("".join(PROOF)),
        practice=host.practice,
        wide=True,
    )
    head, _, tail = page.partition("".join(PROOF))
    heads = store.heads(table, named)
    header = Header(
        format=FORMAT,
        table=table,
        practice=host.practice,
        lines=len(lines),
        heads=len(heads),
        at_ms=at_ms,
        by=by,
        keys=tuple(sorted(key.hex() for key in store.trusted)),
        law=law,
        round=number,
        page=page_hash(head.encode(), tail.encode()),
    )
    proof = b"".join(written(header, lines, heads, store.key, before=dict(_gaps(store, table, named)))).decode()
    return escape(proof, quote=False).join((head + PROOF[0], PROOF[1] + tail))


def _gaps(store: Store, table: str, named: set[int]) -> Iterator[tuple[int, bytes]]:
    """The hash before each line that does not follow on another one of the round."""
    for number in sorted(named):
        if number - 1 not in named:
            before = store.hash_at(table, number - 1) if number > 1 else genesis(table)
            assert before is not None, "each line was read with the one before"
            yield number, before


def _law(law: dict[str, Any]) -> str:
    return ", ".join(str(law[name]) for name in ("game", "edition", "version") if law.get(name)) or "Law not told"


def _line(entry: dict[str, Any]) -> Html:
    moved = [el("div", f"{move['debit']} → {move['credit']} {balance(move['amount'])}") for move in entry["transfers"]]
    who = f"{entry['by']}, {entry['role']}" if entry["role"] else entry["by"]
    told = el("td", entry["words"] or entry["name"], *moved)
    return el("tr", el("td", clock(entry["at_ms"])), told, el("td", who), el("td", entry["rule"]))


def _wagers(wagers: Sequence[dict[str, Any]]) -> tuple[Html, ...]:
    if not wagers:
        return (el("p", "No wager was settled in it."),)
    rows = [
        el(
            "tr",
            el("td", each["by"]),
            el("td", each["on"].replace("_", " ")),
            el("td", "" if each["stake"] is None else balance(each["stake"]), cls="num"),
            el("td", balance(each["was"]["returned"]) if each["was"] else "", cls="num"),
            el("td", balance(each["returned"]), cls="num"),
            el("td", each["rule"]),
        )
        for each in wagers
    ]
    heads = (("Player", ""), ("On", ""), ("Staked", "num"), ("Before a correction", "num"), ("Returned", "num"))
    head = el("thead", el("tr", *(el("th", name, cls=kind) for name, kind in heads), el("th", "Rule")))
    return el("h2", "Wagers"), el("table", head, el("tbody", *rows))
