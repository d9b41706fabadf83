"""The PAR sheet: everything about a rule set's wagers on one page that needs nothing else.

Theory of operation.  The page is made from the sheet and from what `shift` and `removal` reckon for its plots; `charts`
adds how the hand is played in games where that matters.  Styles are put into the page, drawings are SVG, there is no
script and no address, so it can be filed, mailed and printed.  Rule numbers lead to what the rules say, at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from importlib.resources import files
from math import floor, log10, sqrt
from typing import Any, Final

from croupier.equipment import RANKS
from croupier.exact.engines import PLAINLY, OddsAsked
from croupier.exact.par.charts import charts
from croupier.exact.par.holds import bands
from croupier.exact.par.plots import edge_bars, removal_plot, shift_plot, signed
from croupier.exact.par.removal import Removal, removals
from croupier.exact.par.shift import ROUNDS, shift
from croupier.exact.sheet import Sheet, ratio
from croupier.exact.ways import Pay, Worth
from croupier.game import AnyGame
from croupier.game.kinds import wager_kind, wager_place, wager_run
from croupier.law.inventory import parts
from croupier.law.readings import Reading, for_game
from croupier.law.ruleset import Ruleset
from croupier.markup import Html, Part, el, join, mark

STYLES: Final = ("web/kit/tokens.css", "web/kit/kit.css", "exact/par/par.css")
ALERT: Final = (
    '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4L21 19.5H3Z"/>'
    '<path d="M12 10v4.5M12 17v.2"/></svg>'
)
LONGEST_FRACTION: Final = 44
"""A fraction of more characters is told in decimals; the JSON has it in full."""


def page(game: AnyGame, this: Sheet, asked: OddsAsked = PLAINLY) -> str:
    """The PAR sheet of a rule set, as one HTML text."""
    known = [line for line in this.lines if not line.needs]
    panels: list[Part] = [
        _heading(this),
        *(el("p", Html(ALERT), el("span", _sentence(warning)), cls="warn", role="note") for warning in this.warnings),
        _facts(this),
        _wagers(this),
        _payments(this),
        _edges(known),
        _shifts(known),
        _holds(this),
        _removals(removals(game, this)),
        charts(game, this),
        _readings(this),
        _rules(this),
        _footer(asked),
    ]
    title = f"PAR sheet: {words(this.ruleset.label)}"
    end = el("span", f"ruleset {this.ruleset.hash[:16]}", cls="end")
    brand = el("span", mark("mark"), "croupier", cls="brand")
    bar = el("header", brand, el("span", "PAR sheet", cls="role"), end, cls="bar")
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title),
        el("style", Html(_style())),
    )
    body = el("body", bar, el("main", *panels))
    whole = el("html", head, body, lang="en", data_theme="desk", data_role="study")
    return f"<!doctype html>\n{whole.text}\n"


def _style() -> str:
    room = files("croupier")
    return "\n".join((room / name).read_text(encoding="utf-8") for name in STYLES)


# ---------------------------------------------------------------- words and figures


def words(name: str) -> str:
    """A name of a game or a wager as people write it."""
    run, length = wager_run(name)
    rest = wager_place(name)
    title = (run or wager_kind(name)).replace("_", " ").capitalize() + (f" of {length}" if run else "")
    return f"{title} {rest}" if rest else title


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def percent(part: Fraction, digits: int = 3) -> str:
    return f"{float(part * 100):.{digits}f}".replace("-", "−") if part else "–"


def _name(line: Worth) -> str:
    return f"{words(line.wager)}, {line.policy.rpartition(':')[2]}" if ":" in line.policy else words(line.wager)


def tag(rule: str) -> Html | None:
    return el("a", rule, cls="tag", href=f"#{rule}") if rule else None


def panel(title: str, *content: Part, quiet: str = "", pill: str = "") -> Html:
    head = el(
        "header",
        el("h2", title),
        el("span", quiet, cls="quiet") if quiet else None,
        el("span", el("span", pill, cls="pill"), cls="end") if pill else None,
    )
    return el("section", head, *content, cls="panel")


def columns(heads: Iterable[tuple[str, str]]) -> Html:
    return el("thead", el("tr", *(el("th", name, cls=kind, scope="col") for name, kind in heads)))


# ---------------------------------------------------------------- the top


def _heading(this: Sheet) -> Html:
    chosen = this.ruleset
    version = "" if chosen.version == chosen.game else f", {chosen.version.replace('_', ' ')}"
    return el(
        "div",
        el("h1", f"{words(chosen.game)}{version}: what every wager is worth"),
        el("p", chosen.law.title),
        cls="head",
    )


def _facts(this: Sheet) -> Html:
    chosen = this.ruleset
    shoe = {"Cards": f"{this.cards} of {52 * (this.decks or 1)}"} if this.cards else {}
    elections = {words(name): _text(value) for name, value in chosen.elections.items()}
    facts = {"Edition": chosen.edition, "Version": chosen.version.replace("_", " "), **shoe, **elections}
    pairs = (el("div", el("dt", name), el("dd", value)) for name, value in facts.items())
    return panel("Rule set", el("dl", *pairs, cls="facts"), quiet="the edition, and what the operator elected")


def _text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value) or "–"


# ---------------------------------------------------------------- tables


def _wagers(this: Sheet) -> Html:
    void = any(line.void for line in this.lines)
    lives = any(line.throws != 1 for line in this.lines)
    heads = [("Wager", ""), ("Hit %", "num"), ("Lose %", "num"), ("Stand off %", "num")]
    heads += [("Void %", "num")] if void else []
    heads += [("Edge %", "num"), ("as a fraction", ""), ("Volatility", "num")]
    heads += [("Rounds", "num"), ("Edge a round %", "num")] if lives else []
    off = any(line.throws_on is not None for line in this.lines)
    heads += [("Rounds on", "num"), ("Edge a round on %", "num")] if off else []
    body = el("tbody", *(_wager(line, void=void, lives=lives, off=off) for line in this.lines))
    table = el("div", el("table", columns(heads), body, cls="list"), cls="scroll")
    return panel("Every wager", table, _notes(this), quiet="the house’s edge per unit placed, stand-offs counted")


def _wager(line: Worth, *, void: bool, lives: bool, off: bool) -> Html:
    known = not line.needs
    cells = [el("td", percent(part), cls="num") for part in (line.win, line.lose, line.standoff)]
    cells += [el("td", percent(line.void), cls="num")] if void else []
    cells += [
        el("td", percent(line.edge, 4) if known else "–", cls="num edge"),
        el("td", _fraction(line) if known else f"needs {line.needs}", cls="fraction"),
        el("td", f"{sqrt(line.variance):,.3f}" if known else "–", cls="num"),
    ]
    if lives:
        cells.append(el("td", f"{float(line.throws):.3f}", cls="num"))
        cells.append(el("td", percent(line.per_throw_edge, 4) if known else "–", cls="num"))
    if off:
        cells.append(el("td", f"{float(line.throws if line.throws_on is None else line.throws_on):.3f}", cls="num"))
        cells.append(el("td", percent(line.per_throw_edge_on, 4) if known else "–", cls="num"))
    name = el("th", words(line.wager), *(el("small", each) for each in _under(line)), scope="row")
    return el("tr", name, *cells, cls="for-player" if known and line.edge < 0 else "")


def _under(line: Worth) -> list[str]:
    """What is to be said of a row under its name."""
    notes = [line.policy] if line.policy else []
    notes += [f"when offered, {percent(line.offered)} %"] if line.offered != 1 else []
    notes += [line.method] if line.method != "exact" else []
    if line.break_even_cents is not None:
        notes.append(f"breaks even at a pool of ${float(line.break_even_cents) / 100:,.2f}")
    return notes


def _fraction(line: Worth) -> str:
    text = ratio(line.edge).replace("-", "−")
    return text if line.method != "float" and len(text) <= LONGEST_FRACTION else f"{float(line.edge):.15f}"


def _notes(this: Sheet) -> Html:
    notes = [
        "Hit is the chance to win, volatility the standard deviation of one wager of one unit. An edge with a minus "
        "sign favours the player."
    ]
    if any(line.method == "bounded" for line in this.lines):
        notes.append("Bounded: within this shoe, each chance proven to be nearer than 1e-9 to the exact one.")
    if any(line.method == "independent" for line in this.lines):
        notes.append(
            "Independent: each coup is taken as dealt from this same shoe; shorter runs are exact within one shoe."
        )
    if any(line.method == "float" for line in this.lines):
        notes.append("Float: reckoned in doubles, with errors below 1e-12.")
    notes += [f"{line.policy}: {line.note}." for line in this.lines if line.note]
    notes += [f"{words(name)}: not on this sheet ({reason})." for name, reason in this.left_out]
    for each in this.with_odds:
        notes.append(
            f"{words(each.wager)} with {each.times} × {words(each.odds).lower()} taken: {percent(each.edge, 4)} % of "
            f"all that is staked, {float(each.staked):.4f} units on average."
        )
    return el("div", *(el("p", each) for each in notes), cls="note")


def _payments(this: Sheet) -> Html:
    heads = (("Wager", ""), ("Ends", ""), ("Pays", ""), ("Net", "num"), ("Probability %", "num"), ("One in", "num"))
    more = (("Adds to edge %", "num"), ("Rule", ""))
    groups = (_group(line) for line in this.lines)
    table = el("table", columns((*heads, *more)), *groups, cls="list")
    return panel("Every payment", el("div", table, cls="scroll"), quiet="each way to end, with the rule that says so")


def _group(line: Worth) -> Html:
    name = el("th", _name(line), scope="row", rowspan=len(line.pays))
    rows = (el("tr", name if n == 0 else None, *_pay(line, pay)) for n, pay in enumerate(line.pays))
    return el("tbody", *rows, cls="group")


def _pay(line: Worth, pay: Pay) -> tuple[Html, ...]:
    known = not line.needs
    chance = float(pay.probability)
    return (
        el("td", pay.kind if pay.result in (pay.kind, "") else f"{pay.kind}: {pay.result}"),
        el("td", pay.odds if known else "", cls="tight"),
        el("td", signed(float(pay.net), 2) if known else "", cls="num"),
        el("td", _small(chance * 100), cls="num"),
        el("td", f"{1 / chance:,.2f}" if chance else "–", cls="num"),
        el("td", signed(float(-pay.net * pay.probability) * 100, 4) if known else "", cls="num"),
        el("td", tag(pay.rule)),
    )


def _small(value: float) -> str:
    """Six decimals, or as many as three figures need."""
    return f"{value:.{max(6, 2 - floor(log10(value)))}f}" if value else "–"


# ---------------------------------------------------------------- plots


def _edges(lines: Sequence[Worth]) -> Html | None:
    if not lines:
        return None
    drawn = edge_bars([(_name(line), line.edge) for line in lines])
    return panel("House edge", el("div", drawn, cls="wide"), quiet="percent of what is placed")


def _shifts(lines: Sequence[Worth]) -> Html | None:
    """One plot for all wagers that are distributed alike."""
    alike: dict[tuple[tuple[Fraction, Fraction], ...], list[Worth]] = {}
    for line in lines:
        alike.setdefault(tuple((pay.net, pay.probability) for pay in line.pays), []).append(line)
    if not alike:
        return None
    figures = [_shift(group) for group in alike.values()]
    note = el("p", f"{ROUNDS} wagers of one unit: eight hours of sixty rounds. Grey bars: the house lost.", cls="note")
    return panel("A shift’s result", el("div", *figures, cls="many"), note, quiet="the house’s win in units")


def _shift(group: Sequence[Worth]) -> Html:
    this = shift(group[0])
    names = ", ".join(_name(line) for line in group)
    figures = f"mean {signed(this.mean, 1)}, standard deviation {this.sd:,.1f}"
    loses = f"the house loses {this.behind * 100:.2f}\N{NO-BREAK SPACE}% of shifts"
    caption = el("figcaption", el("b", names), f"{figures}; {loses}; by {this.method}")
    return el("figure", caption, shift_plot(names, this))


def _holds(this: Sheet) -> Html | None:
    """Within which bounds the hold lies after a shift, ten and a hundred of them."""
    rows = bands(this, (ROUNDS, 10 * ROUNDS, 100 * ROUNDS))
    if not rows:
        return None
    shares = [(share, "num") for share in rows[0]["bands"]]
    heads = (("Wager", ""), ("Hands", "num"), ("Hours", "num"), ("Hold %", "num"), *shares)
    body = (
        el(
            "tr",
            el("th", words(row["wager"]), scope="row"),
            *(el("td", figure, cls="num") for figure in (f"{row['hands']:,}", f"{row['hours']:,.0f}")),
            el("td", signed(row["hold_percent"], 3), cls="num"),
            *(el("td", f"{signed(low, 2)} … {signed(high, 2)}", cls="num") for low, high in row["bands"].values()),
        )
        for row in rows
    )
    table = el("div", el("table", columns(heads), el("tbody", *body), cls="list"), cls="scroll")
    return panel(
        "The hold, with its bands", table, quiet="percent of what is placed, sixty hands an hour; normal bands"
    )


def _removals(found: Sequence[Removal]) -> Html | None:
    if not found:
        return None
    figures = (
        el("figure", el("figcaption", el("b", words(each.wager))), removal_plot(words(each.wager), RANKS, each.changes))
        for each in found
    )
    note = el("p", "Filled bars: the house gains when the card is gone. Hollow bars: the player gains.", cls="note")
    quiet = "change of the edge, in hundredths of a percent, when one card of a rank is gone"
    return panel("What each card is worth", el("div", *figures, cls="many"), note, quiet=quiet)


# ---------------------------------------------------------------- readings and rules


def _readings(this: Sheet) -> Html | None:
    """The readings that rest on rules cited here, and those of this edition that were chosen among several."""
    cited, rules = set(_cited(this)), this.ruleset
    found = [
        each
        for each in for_game(rules.game)
        if _is_chosen(each, rules) or cited & {row.id for rule in each.rules for row in parts(rule)}
    ]
    if not found:
        return None
    rows = (_reading(each, this.ruleset.readings.get(each.name, each.choice)) for each in found)
    return panel("Readings applied", el("ul", *rows, cls="two"), quiet="how open texts are read")


def _is_chosen(this: Reading, rules: Ruleset[Any]) -> bool:
    """Whether the rule set has chosen it among several, and it is not a reading of other editions only."""
    if this.name not in rules.readings or rules.own:
        return this.name in rules.readings
    return any(rules.law.has(rule, game=rules.game, version=rules.version) for rule in this.rules)


def _reading(this: Reading, choice: str) -> Html:
    says = this.says if choice == this.choice else this.others.get(choice, "")
    chosen = f" = {choice}" if len(this.options) > 1 else ""
    return el("li", el("b", f"{this.id} {this.name}{chosen}"), el("p", f"{this.question} {says}"))


def _cited(this: Sheet) -> tuple[str, ...]:
    pays = (pay.rule for line in this.lines for pay in line.pays)
    return tuple(rule for rule in dict.fromkeys((*pays, *(r for line in this.lines for r in line.rules))) if rule)


def _rules(this: Sheet) -> Html:
    rows = (_rule(rule) for rule in _cited(this))
    quiet = "in our own words; the gazette decides"
    return panel("The rules cited here", el("ul", *rows, cls="two"), quiet=quiet)


def _rule(rule: str) -> Html:
    says = " ".join(row.summary for row in parts(rule))
    return el("li", el("span", rule, cls="tag", id=rule), el("p", says))


def _footer(asked: OddsAsked) -> Html:
    money = ""
    if asked.pool_cents is not None and asked.stake_cents is not None:
        money = f"Jackpot: a pool of ${asked.pool_cents / 100:,.2f}, a wager of ${asked.stake_cents / 100:,.2f}. "
    method = "Probabilities are exact fractions unless a row says otherwise; decimals here are rounded for print."
    return el("footer", join((money, method)), cls="end")
