"""Paper: the voucher as one self-contained page, ready for a printer or a PDF, and what other papers share with it.

Whoever knows the number of a voucher can be paid, so the page asks for nothing but the number.  Its style and its one
line of script stand in the page, so that a saved copy looks the same; the content policy of this answer names both by
their hashes and lets nothing else in.

The foot carries the signed head of the journal that issued the voucher: table, line and hash.  Whoever rewrites that
journal later cannot make it agree with the papers that are out.
"""

from __future__ import annotations

from base64 import b64encode
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from typing import Final

from fastapi import Response

from croupier.floor.barcode import svg
from croupier.floor.doors import HEADERS
from croupier.floor.heads import Head
from croupier.floor.page import MARK, Html, Part, el
from croupier.house.cage_messages import Issued
from croupier.house.cage_state import NAME
from croupier.house.voucher_code import grouped, in_words

STYLE: Final = (files("croupier") / "web" / "paper.css").read_text("utf-8")
SCRIPT: Final = 'document.querySelector("button").addEventListener("click",()=>print());'


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY: Final = f"default-src 'none'; img-src 'self'; style-src {_hash(STYLE)}; script-src {_hash(SCRIPT)}"


def when(at_ms: int) -> str:
    """A time as people here read it, with its zone."""
    return datetime.fromtimestamp(at_ms // 1000).astimezone().strftime("%d %b %Y, %H:%M:%S %Z").lstrip("0")


def money(cents: int) -> str:
    """An amount with its cents, and a true minus sign."""
    return f"{'−' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def fingerprint(head: Head) -> str:
    """The head of a chain in a form that fits on paper: its number, its line, and the first half of its hash."""
    told = head.hash.hex()[:32]
    return f"head {head.ordinal}, line {head.number}: " + " ".join(told[at : at + 4] for at in range(0, 32, 4))


def voucher_html(code: str, issued: Issued, *, expires_ms: int, head: Head | None) -> str:
    """The page."""
    place = "the cage" if issued.table == NAME else f"{issued.table}, {issued.terminal or 'no terminal'}"
    rows = (
        ("Issued by", place),
        ("Issued", when(issued.at_ms)),
        ("Journal line", f"{issued.line:,}"),
        ("Payable until", when(expires_ms) if expires_ms else "no end"),
    )
    signed = fingerprint(head) if head else "not signed yet"
    return paper(
        "Payment voucher",
        el("h1", money(issued.amount)),
        el("p", in_words(issued.amount)),
        el("dl", *(part for name, value in rows for part in (el("dt", name), el("dd", value)))),
        Html(svg(code, height=64, name=f"Barcode of {grouped(code)}")),
        el("p", grouped(code), cls="no"),
        el("p", "Paid once, at the cage, to whoever hands it in: NZEB-10.6. Signed ", el("code", signed), cls="fine"),
        practice=issued.practice,
    )


def paper(title: str, *content: Part, practice: bool, wide: bool = False) -> str:
    """A paper of the house with everything it needs in it; one that is not money says so first."""
    mark = el("svg", Html(MARK.format("currentColor")), viewBox="0 0 32 32", aria_hidden="true")
    heading = el("header", el("b", mark, "croupier"), el("span", title))
    warning = el("p", "PRACTICE · NOT MONEY", cls="practice") if practice else None
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", f"{'Practice · ' if practice else ''}{title} · croupier"),
        el("link", rel="icon", href="/mark.svg"),
        Html(f"<style>{STYLE}</style>"),
    )
    main = el("main", heading, warning, *content, cls="wide" if wide else "")
    body = el("body", main, el("button", "Print", type="button"), Html(f"<script>{SCRIPT}</script>"))
    return f"<!doctype html>\n{el('html', head, body, lang='en').text}\n"


def page(html: str) -> Response:
    """A self-contained page under its own policy."""
    return Response(html, headers={**HEADERS, "Content-Security-Policy": POLICY}, media_type="text/html")
