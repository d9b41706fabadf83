"""The first page: what `demo` computed, as HTML for a browser and as text for the terminal.

Theory of operation.  Elements are made by `el`, which escapes every text it is given; only its own results pass
unescaped, so no page can be broken by what it shows.  There is no script and no style in the page, and the policy
header says so to the browser.

The house serves it under `/first`, beside its rooms.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final

from croupier import __version__
from croupier.equipment import RANKS, SUITS, Card, card_name, card_words, colour, rank, suit
from croupier.floor.demo import Coup, Demonstration, Hand, Line, Odds, Position, Price, Step, money, percent

COMMAND: Final = ".venv/bin/croupier"
STYLES: Final = ("tokens.css", "kit.css", "first.css")


# ---------------------------------------------------------------- elements


@dataclass(frozen=True, slots=True)
class Html:
    """Text that is HTML already."""

    text: str


Part = Html | str | int | None
VOID: Final = frozenset({"link", "meta"})


def el(name: str, /, *content: Part, **attributes: str | int) -> Html:
    """An element.  `cls` is its class, `_` in a name is `-`, and a plain text is escaped."""
    named = {("class" if key == "cls" else key.replace("_", "-")): value for key, value in attributes.items()}
    told = "".join(f' {key}="{escape(str(value))}"' for key, value in named.items() if value != "")
    return Html(f"<{name}{told}>" + ("" if name in VOID else f"{join(content).text}</{name}>"))


def join(content: Iterable[Part]) -> Html:
    """Parts one after another, plain texts escaped."""
    kept = (part for part in content if part is not None)
    return Html("".join(part.text if isinstance(part, Html) else escape(str(part)) for part in kept))


# Our own drawings: the suits, the crown of the court cards, three signs and the mark.
CLUB: Final = '<circle cx="12" cy="6.3" r="5"/><circle cx="6.3" cy="13.7" r="5"/><circle cx="17.7" cy="13.7" r="5"/>'
HEART: Final = "M12 21.8C5 16.3 1.8 12.5 1.8 8.2A5.4 5.4 0 0 1 12 6"
DIAMOND: Final = "M12 1.2C14 5.6 17 9.2 20.8 12 17 14.8 14 18.4 12 22.8"
SPADE: Final = "M12 1.2C9.2 5.8 1.8 9.4 1.8 14.4a4.7 4.7 0 0 0 9 2c-.2 2.5-1.2 4.6-2.8 6.2"
MARK: Final = (
    '<path d="M24.8 23.4A11.5 11.5 0 1 1 24.8 8.6" fill="none" stroke="{0}" stroke-width="5.5"/>'
    '<circle cx="16" cy="16" r="4" fill="{0}"/>'
)
SYMBOLS: Final[Mapping[str, str]] = {
    "s-h": f'<path d="{HEART}a5.4 5.4 0 0 1 10.2 2.2C22.2 12.5 19 16.3 12 21.8Z"/>',
    "s-d": f'<path d="{DIAMOND} 10 18.4 7 14.8 3.2 12 7 9.2 10 5.6 12 1.2Z"/>',
    "s-s": f'<path d="{SPADE}h8c-1.6-1.6-2.6-3.7-2.8-6.2a4.7 4.7 0 0 0 9-2C22.2 9.4 14.8 5.8 12 1.2Z"/>',
    "s-c": f'{CLUB}<path d="M11 11h2c0 5 1 9 3 11.6H8c2-2.6 3-6.6 3-11.6Z"/>',
    "crown": '<path d="M3 18L2 7l6 5 4-8 4 8 6-5-1 11Z"/>',
    "i-alert": '<path d="M12 4L21 19.5H3Z"/><path d="M12 10v4.5M12 17v.2"/>',
    "i-won": '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
    "i-lost": '<path d="M6 6l12 12M18 6L6 18"/>',
}
# The name of the format is written like an address, but nothing ever asks for it.
SVG: Final = "http" + "://www.w3.org/2000/svg"
ICON: Final = f'<svg xmlns="{SVG}" viewBox="0 0 32 32">{MARK.format("#55640a")}</svg>'


def symbols() -> Html:
    """The drawings, to be used by name."""
    drawn = [el("symbol", Html(drawing), id=name, viewBox="0 0 24 24") for name, drawing in SYMBOLS.items()]
    mark = el("symbol", Html(MARK.format("currentColor")), id="mark", viewBox="0 0 32 32")
    return el("svg", el("defs", *drawn, mark), cls="sr", aria_hidden="true", width=0, height=0)


def icon(name: str) -> Html:
    return el("svg", el("use", href=f"#i-{name}"), cls="icon", viewBox="0 0 24 24", aria_hidden="true")


def tag(rule: str) -> Html | None:
    """A citation, which leads to what the rule says."""
    return el("a", rule, cls="tag", href=f"#{rule}") if rule else None


def side(on: str) -> Html:
    """The letter of an outcome; other wagers have an empty ring."""
    letter = {"player": "P", "banker": "B", "tie": "T"}.get(on, "")
    return el("span", letter, cls=f"side {letter or 'none'}", aria_hidden="true")


# ---------------------------------------------------------------- cards


def card_front(card: Card, *, lying: bool = False, misplaced: bool = False) -> Html:
    """A card; a third card lies on its side, and one in the wrong place is faint."""
    ink, pip = colour(card), f"#s-{SUITS[suit(card)]}"
    crown = el("use", cls=ink, href="#crown", x=64, y=12, width=25, height=25, opacity=".8")
    drawn = (
        el("rect", cls="face", x=1, y=1, width=98, height=138, rx=9),
        el("text", RANKS[rank(card)], cls=ink, x=9, y=42),
        el("use", cls=ink, href=pip, x=11, y=50, width=23, height=23),
        el("use", cls=ink, href=pip, x=36, y=75, width=54, height=54),
        crown if RANKS[rank(card)] in "JQK" else None,
    )
    kind = " ".join(("card", *(["lying"] if lying else []), *(["misplaced"] if misplaced else [])))
    box = "0 0 140 100" if lying else "0 0 100 140"
    turned = el("g", *drawn, transform="translate(140 0) rotate(90)" if lying else "")
    return el("svg", turned, cls=kind, viewBox=box, role="img", aria_label=card_words(card).capitalize())


def place_due() -> Html:
    """The place of a card that is due."""
    outline = el("rect", cls="place", x=3, y=3, width=134, height=94, rx=9)
    drawn = el("svg", outline, cls="card lying", viewBox="0 0 140 100", aria_hidden="true")
    return el("div", drawn, el("span", "due", cls="pill"), cls="odd want")


def not_due(card: Card) -> Html:
    """A card that lies where it was not due."""
    pill = el("span", icon("alert"), "not due", cls="pill stop")
    return el("div", card_front(card, lying=True, misplaced=True), pill, cls="odd")


def hand_box(hand: Hand, *extra: Html) -> Html:
    cards = (card_front(card, lying=index == 2) for index, card in enumerate(hand.cards))
    heading = el("h3", el("span", hand.name.upper()), el("b", hand.count))
    return el("div", heading, el("div", *cards, *extra, cls="hand"), cls="box")


# ---------------------------------------------------------------- the coup


def panel_head(heading: str, this: Coup | Odds) -> Html:
    """A heading with the rules in use: by name, by title and by hash."""
    used = el("span", f"ruleset {this.law.hash[:8]}", cls="pill code")
    words, name = el("span", this.law.words), el("span", this.law.title, cls="quiet")
    return el("header", el("h2", heading), words, name, el("span", used, cls="end"))


def due_banner(before: Position, says: Mapping[str, str]) -> Html:
    what, why = el("p", before.due, cls="what"), el("p", says[before.rule], cls="why")
    words = el("div", el("p", "Due now", cls="caps"), what, why)
    return el("section", words, el("div", tag(before.rule), cls="end"), cls="due", aria_label="What is due")


def table_before(coup: Coup) -> Html:
    """The hands with the card where it fell, and the place where one was due."""
    before = coup.before
    wrong, due = not_due(coup.card), place_due()
    extra = {"player": wrong, "banker": due} if before.due_to == "banker" else {"player": due, "banker": wrong}
    boxes = (hand_box(hand, extra[hand.on]) for hand in (before.player, before.banker))
    return el("div", *boxes, cls="felt hands")


def story(coup: Coup) -> Html:
    steps = (_step(number, step) for number, step in enumerate(coup.steps, 1))
    heading = panel_head("A card that was not due", coup)
    return el("section", heading, table_before(coup), el("ol", *steps, cls="steps"), cls="panel round")


def _step(number: int, step: Step) -> Html:
    words = el("div", el("b", step.title), el("p", step.says))
    kind = "irr" if step.wrong else "open" if step.decided else ""
    return el("li", el("i", number), words, tag(step.rule), cls=kind)


def ruling_panel(coup: Coup, says: Mapping[str, str]) -> Html:
    rule = coup.ruling.rule
    cite = (el("a", rule, cls="tag open", href=f"#{rule}"), el("span", str(coup.ruling.remedy)))
    say = (el("p", "Ruling", cls="caps"), el("p", coup.finding, cls="say"), el("p", *cite, cls="cite"))
    box = el("div", *say, el("p", says[rule], cls="quiet"), _before_and_after(coup), cls="ruling")
    others = el("ul", *(el("li", tag(other)) for other in coup.others))
    same = el("div", el("p", "The same matter in other editions", cls="caps"), others, cls="others")
    return el("section", el("header", el("h2", "What the rules order")), box, same, cls="panel")


def positions(coup: Coup) -> tuple[tuple[str, Position], ...]:
    """The hands before the ruling, as they would be without it, and after it."""
    return ("On the felt", coup.before), ("If it had stayed", coup.left), ("After the ruling", coup.after)


def _before_and_after(coup: Coup) -> Html:
    head = el("tr", el("td"), *(el("th", name, scope="col") for name in ("Player", "Banker", "Result")))
    body = (
        el("tr", el("th", name, scope="row"), el("td", at.player.count), el("td", at.banker.count), el("td", _won(at)))
        for name, at in positions(coup)
    )
    return el("table", el("thead", head), el("tbody", *body), cls="ba")


def _won(at: Position) -> Html:
    return el("span", at.result or "not decided", cls=f"is-{at.winner} strong" if at.winner else "quiet")


def settlement(coup: Coup) -> Html:
    end = coup.after
    counts = el("span", f"{end.player.count} to {end.banker.count}")
    verdict = el("div", side(end.winner), el("b", end.result), counts, cls="verdict")
    felt = el("div", hand_box(end.player), verdict, hand_box(end.banker), cls="felt after")
    heads = (("Wager", ""), ("Stake $", "num"), ("Result", ""), ("Returned $", "num"), ("Rule", "rule"))
    staked, back = (el("td", total, cls="num") for total in _totals(coup))
    foot = el("tfoot", el("tr", el("td", "All wagers"), staked, el("td"), back, el("td", cls="rule")))
    body = el("tbody", *(_settled(line) for line in coup.lines))
    table = el("table", _columns(heads), body, foot, cls="list")
    return el("section", el("header", el("h2", "Settlement")), felt, table, cls="panel settled")


def _columns(heads: Iterable[tuple[str, str]]) -> Html:
    return el("thead", el("tr", *(el("th", name, cls=kind, scope="col") for name, kind in heads)))


def _totals(coup: Coup) -> tuple[str, str]:
    staked = sum(line.stake_cents for line in coup.lines)
    return money(staked), money(sum(line.returned_cents for line in coup.lines))


def _settled(line: Line) -> Html:
    sign = icon(line.result) if f"i-{line.result}" in SYMBOLS else None
    odds = el("small", line.odds) if line.odds else None
    name = el("span", side(line.on), el("span", line.name, el("small", line.by)), cls="wg")
    return el(
        "tr",
        el("th", name, scope="row"),
        el("td", money(line.stake_cents), cls="num"),
        el("td", el("span", sign, line.result, cls=f"state {line.result}"), odds),
        el("td", money(line.returned_cents), cls="num"),
        el("td", tag(line.rule), cls="rule"),
    )


# ---------------------------------------------------------------- the sheet, the commands, the rules


def sheet_panel(odds: Odds) -> Html:
    heading = panel_head("Every wager, exactly", odds)
    heads = (("Wager", ""), ("Pays", "pays"), ("Win %", "num"), ("Lose %", "num lose"), ("Stand off %", "num off"))
    more = (("Edge", "num"), ("as a fraction", "ex"), ("Rule", "rule"))
    table = el("table", _columns((*heads, *more)), el("tbody", *(_priced(price) for price in odds.prices)), cls="list")
    warnings = (el("p", icon("alert"), el("span", says), tag(rule), cls="warn") for says, rule in odds.warnings)
    edge = el("p", "The edge is the house’s, per unit placed, stand-offs counted.", cls="note")
    left = (el("p", f"Not on this sheet ({reason}): {names}.", cls="note") for names, reason in odds.left_out)
    return el("section", heading, table, *warnings, edge, *left, cls="panel sheet")


def _priced(price: Price) -> Html:
    when = el("small", f"when offered, {percent(price.offered, 2)}") if price.offered != 1 else None
    name = el("span", side(price.on), el("span", price.name, when), cls="wg")
    return el(
        "tr",
        el("th", name, scope="row"),
        el("td", *(el("div", pay) for pay in price.pays), cls="pays"),
        el("td", _part(price.win), cls="num"),
        el("td", _part(price.lose), cls="num lose"),
        el("td", _part(price.standoff), cls="num off"),
        el("td", percent(price.edge, 4), cls="num edge"),
        el("td", _fraction(price.edge), cls="code ex"),
        el("td", tag(price.rule), cls="rule"),
        cls="for-player" if price.edge < 0 else "",
    )


def _part(part: Fraction) -> str:
    return percent(part, 3).removesuffix(" %") if part else "–"


def _fraction(value: Fraction) -> str:
    return f"{'−' if value < 0 else ''}{abs(value.numerator)}/{value.denominator}"


def next_panel(this: Demonstration) -> Html:
    tries = (el("li", el("code", f"{COMMAND} {shlex.join(each.words)}"), el("p", each.says)) for each in this.commands)
    return el("section", el("header", el("h2", "Try next")), el("ol", *tries, cls="tries"), cls="panel")


def rules_panel(this: Demonstration) -> Html:
    rows = (
        el("li", el("span", each.rule, cls="tag"), el("p", el("b", each.topic), el("span", each.says)), id=each.rule)
        for each in this.cited
    )
    note = el("span", "in our own words; the gazette decides", cls="quiet")
    heading = el("header", el("h2", "The rules cited here"), note)
    return el("section", heading, el("ul", *rows, cls="cited"), cls="panel")


def html(this: Demonstration) -> str:
    """The page."""
    says = {each.rule: each.says for each in this.cited}
    brand = (el("svg", el("use", href="#mark"), cls="mark", aria_hidden="true"), "croupier")
    end = el("span", f"version {__version__}", cls="end")
    bar = el("header", el("a", *brand, cls="brand", href="/"), el("span", "Study", cls="role"), end, cls="bar")
    heading = el("h1", "A mistake at the table, and what every wager is worth")
    lead = el("p", "Worked out by the engine when this page was started. Each § leads to what the rule says.")
    left = el("div", due_banner(this.coup.before, says), story(this.coup), cls="column")
    right = el("div", ruling_panel(this.coup, says), settlement(this.coup), cls="column")
    below = (sheet_panel(this.odds), next_panel(this), rules_panel(this))
    main = el("main", el("div", heading, lead, cls="intro"), left, right, *below, cls="first")
    page = el("html", _head(), el("body", symbols(), bar, main), lang="en", data_theme="desk", data_role="study")
    return f"<!doctype html>\n{page.text}\n"


def _head() -> Html:
    view = el("meta", name="viewport", content="width=device-width, initial-scale=1")
    linked = (el("link", rel="stylesheet", href=f"/{name}") for name in STYLES)
    shown = (el("title", "First page · croupier"), el("link", rel="icon", href="/icon.svg"), *linked)
    return el("head", el("meta", charset="utf-8"), view, *shown)


# ---------------------------------------------------------------- the same for a terminal


def text(this: Demonstration) -> str:
    """The page as plain text."""
    says = {each.rule: each.says for each in this.cited}
    return "\n".join((*_coup_text(this.coup, says), "", *_sheet_text(this.odds), "", *_next_text(this)))


def _coup_text(coup: Coup, says: Mapping[str, str]) -> Iterator[str]:
    yield f"A card that was not due  ({coup.law.words})"
    yield ""
    for number, step in enumerate(coup.steps, 1):
        yield f"  {number}  {step.title:<24}{step.rule}".rstrip()
        yield from _wrapped(step.says, 5)
        if step.decided:
            yield from _wrapped(f"{step.rule}: {says[step.rule]}", 5)
    yield ""
    for name, at in positions(coup):
        yield f"  {name:<18}{_hand_text(at.player)}{_hand_text(at.banker)}{at.result}".rstrip()
    yield ""
    yield f"  {'wager':<16}{'by':<10}{'stake $':>10}  {'result':<8}{'returned $':>10}  rule"
    for line in coup.lines:
        paid = f"{line.name:<16}{line.by:<10}{money(line.stake_cents):>10}  {line.result:<8}"
        yield f"  {paid}{money(line.returned_cents):>10}  {line.rule}"


def _hand_text(hand: Hand) -> str:
    cards = " ".join(card_name(card) for card in hand.cards)
    return f"{hand.name} {hand.count} ({cards})".ljust(20)


def _sheet_text(odds: Odds) -> Iterator[str]:
    yield f"Every wager, exactly  ({odds.law.words}; house edge per unit placed)"
    yield ""
    yield f"  {'wager':<20}{'win':>9}{'edge':>11} {'as a fraction':<28}rule"
    for price in odds.prices:
        exact = _fraction(price.edge)
        figures = f"{percent(price.win, 3):>9}{percent(price.edge, 4):>11} {exact if len(exact) < 28 else '':<28}"
        yield f"  {price.name:<20}{figures}{price.rule}"
        yield from _wrapped(exact, 22) if len(exact) >= 28 else ()
    yield ""
    for words, rule in odds.warnings:
        yield from _wrapped(f"Warning: {words} ({rule})", 2)
    for names, reason in odds.left_out:
        yield from _wrapped(f"Not on this sheet ({reason}): {names}.", 2)


def _wrapped(words: str, indent: int) -> list[str]:
    return textwrap.wrap(words, 98, initial_indent=" " * indent, subsequent_indent=" " * indent)


def _next_text(this: Demonstration) -> Iterator[str]:
    yield "Try next"
    for each in this.commands:
        yield f"  {COMMAND} {shlex.join(each.words)}"
        yield f"      {each.says}"
