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

from starlette.responses import Response

from croupier.floor.doors.common import HEADERS
from croupier.floor.rooms.cage.barcode import svg
from croupier.floor.store.heads import Head
from croupier.floor.words import LANGUAGES, catalogue, say
from croupier.house.cage.codes import grouped, in_words
from croupier.house.cage.messages import Issued
from croupier.house.cage.state import NAME
from croupier.markup import Html, Part, el, mark
from croupier.money import balance

STYLE: Final = (files("croupier") / "web" / "kit" / "paper.css").read_text("utf-8")
SCRIPT: Final = 'document.querySelector("button").addEventListener("click",()=>print());'


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY: Final = f"default-src 'none'; img-src 'self'; style-src {_hash(STYLE)}; script-src {_hash(SCRIPT)}"


def when(at_ms: int) -> str:
    """A time as people here read it, with its zone."""
    return _here(at_ms).strftime("%d %b %Y, %H:%M:%S %Z").lstrip("0")


def clock(at_ms: int) -> str:
    """The time of the day, where the day is known."""
    return _here(at_ms).strftime("%H:%M:%S")


def _here(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms // 1000).astimezone()


def fingerprint(head: Head) -> str:
    """The head of a chain in a form that fits on paper: its number, its line, and the first half of its hash."""
    text = head.hash.hex()[:32]
    return f"head {head.ordinal}, line {head.number}: " + " ".join(text[at : at + 4] for at in range(0, 32, 4))


def voucher_html(code: str, issued: Issued, *, expires_ms: int, head: Head | None, language: str = "en") -> str:
    """The page, in the language of whoever prints it; the amount in words stays English, as the cage reads it."""
    words = catalogue(language)
    terminal = issued.terminal or say(words, "no-terminal")
    place = say(words, "the-cage") if issued.table == NAME else f"{issued.table}, {terminal}"
    rows = (
        ("issued-by", place),
        ("issued", when(issued.at_ms)),
        ("journal-line", f"{issued.line:,}"),
        ("payable-until", when(expires_ms) if expires_ms else say(words, "no-end")),
    )
    signed = fingerprint(head) if head else say(words, "not-signed")
    fine = say(words, "paid-once", rule="NZEB-10.6")
    return paper(
        say(words, "payment-voucher"),
        el("h1", balance(issued.amount)),
        el("p", in_words(issued.amount), lang="en"),
        el("dl", *(part for name, value in rows for part in (el("dt", say(words, name)), el("dd", value)))),
        Html(svg(code, height=64, name=say(words, "barcode-of", code=grouped(code)))),
        el("p", grouped(code), cls="no"),
        el("p", fine, " ", el("code", signed), cls="fine"),
        practice=issued.practice,
        language=language if language in LANGUAGES else LANGUAGES[0],
    )


def paper(title: str, *content: Part, practice: bool, wide: bool = False, language: str = "en") -> str:
    """A paper of the house with everything it needs in it; one that is not money says so first."""
    words = catalogue(language)
    heading = el("header", el("b", mark(), "croupier"), el("span", title))
    warning = el("p", say(words, "practice-not-money"), cls="practice") if practice else None
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", " · ".join((*((say(words, "practice-word"),) if practice else ()), title, "croupier"))),
        el("link", rel="icon", href="/kit/mark.svg"),
        Html(f"<style>{STYLE}</style>"),
    )
    main = el("main", heading, warning, *content, cls="wide" if wide else "")
    body = el("body", main, el("button", say(words, "print"), type="button"), Html(f"<script>{SCRIPT}</script>"))
    return f"<!doctype html>\n{el('html', head, body, lang=language).text}\n"


def page(html: str) -> Response:
    """A self-contained page under its own policy."""
    return Response(html, headers={**HEADERS, "Content-Security-Policy": POLICY}, media_type="text/html")
