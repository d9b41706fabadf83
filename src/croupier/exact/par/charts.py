"""How the hand is played, for the PAR sheet: blackjack's charts as pictures and tables, Caribbean stud's best play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.equipment import CARDS, full_shoe
from croupier.exact.par.plots import LETTERS, chart_grid
from croupier.exact.sheet import Sheet
from croupier.game import AnyGame
from croupier.markup import Html, el

TITLES = {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs"}
ACE = 11
CHART = "the best chart, found by search"
FULL_CHART = "the best chart of a full shoe, found by search: from the shoe of this sheet rounds may run out"


def charts(game: AnyGame, this: Sheet) -> Html | None:
    """The panel of a game whose worth depends on play; None for the others, and where nothing can be dealt."""
    if not this.lines or not this.lines[0].policy:
        return None
    match game.name:
        case "blackjack":
            return _blackjack(this)
        case "caribbean_stud" if len(this.counts) == CARDS and this.lines[0].void == 0:
            return _stud(this)
        case _:
            return None


# ---------------------------------------------------------------- blackjack


def _blackjack(this: Sheet) -> Html:
    from croupier.exact.blackjack import chart_tables, dealer_totals, departures, may_run_out, solved_of

    rules = this.ruleset.rules
    short = may_run_out(rules, this.counts)
    counts = full_shoe(rules.decks.value.elected) if short else this.counts
    solved = solved_of(rules, counts)
    found = chart_tables(solved)
    drawn = [_picture(each) for each in found]
    legend = el("p", *(el("span", el("b", letter), f" {word}") for word, letter in LETTERS.items()), cls="legend note")
    tables = [_in_words(each) for each in found]
    left = departures(solved)[:12]
    lines = [
        f"{_card(each.hand[0])}-{_card(each.hand[1])} against {_card(each.up)}: {each.best}, not {each.chart} "
        f"(gains {each.gain:.4f})"
        for each in left
    ]
    best = _listed("Where the best play departs from the chart", lines)
    return el(
        "section",
        el("header", el("h2", "How to play"), el("span", FULL_CHART if short else CHART, cls="quiet")),
        el("div", *drawn, cls="charts"),
        legend,
        el("div", *tables, cls="charts broad"),
        best,
        _dealer(dealer_totals(rules, counts)),
        cls="panel",
    )


def _card(points: int) -> str:
    return "A" if points == ACE else str(points)


def _row_name(part: str, total: int) -> str:
    """A row as players name it: a pair by its cards, a soft hand by what lies beside the ace."""
    if part == "pairs":
        return f"{_card(total)}-{_card(total)}"
    return f"A-{_card(total - ACE if total > ACE + 1 else ACE)}" if part == "soft" else str(total)


def _picture(table: Any) -> Html:
    rows = [(_row_name(table.part, total), cells) for total, cells in table.rows]
    title = TITLES[table.part]
    return el("div", el("h3", title), chart_grid(title, [_card(up) for up in table.ups], rows))


def _in_words(table: Any) -> Html:
    heads = el("tr", el("td"), *(el("th", _card(up), scope="col") for up in table.ups))
    rows = (
        el("tr", el("th", _row_name(table.part, total), scope="row"), *(el("td", word) for word in cells))
        for total, cells in table.rows
    )
    body = el("table", el("thead", heads), el("tbody", *rows), cls="list words")
    return el("div", el("h3", f"{TITLES[table.part]}, in words"), el("div", body, cls="scroll"))


def _listed(title: str, lines: Sequence[str]) -> Html | None:
    if not lines:
        return None
    return el("div", el("p", el("b", title)), *(el("p", line) for line in lines), cls="note")


def _dealer(totals: Any) -> Html:
    """The dealer's ends by the first card, in percent."""
    names = list(next(iter(totals.values())))
    heads = el("tr", el("th", "Dealer’s first card"), *(el("th", name, cls="num", scope="col") for name in names))
    rows = (
        el(
            "tr",
            el("th", _card(up), scope="row"),
            *(el("td", f"{float(ends[name]) * 100:.3f}" if ends[name] else "–", cls="num") for name in names),
        )
        for up, ends in sorted(totals.items())
    )
    table = el("table", el("thead", heads), el("tbody", *rows), cls="list")
    return el("div", table, cls="scroll")


# ---------------------------------------------------------------- Caribbean stud


def _stud(this: Sheet) -> Html:
    from croupier.exact.caribbean_stud import best as best_of

    best = best_of(this.ruleset.rules, this.counts)
    rows = (
        el(
            "tr",
            el("th", each.up, scope="row"),
            el("td", "yes" if each.held else "no"),
            el("td", each.never_below or "never bets"),
            el("td", each.always_from or "–"),
            el("td", f"{each.between_bet:,} of {each.between:,}" if each.between else "–", cls="num"),
        )
        for each in best.description
    )
    heads = ("Up card", "in the hand too", "never bets below", "always bets from", "bets between, of decisions")
    head = el("tr", *(el("th", name, scope="col", cls="num" if name == heads[-1] else "") for name in heads))
    table = el("div", el("table", el("thead", head), el("tbody", *rows), cls="list"), cls="scroll")
    quiet = f"the optimum over all deals; bets on {float(best.bet_frequency) * 100:.4f} % of hands"
    return el("section", el("header", el("h2", "How to play"), el("span", quiet, cls="quiet")), table, cls="panel")
