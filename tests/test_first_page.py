"""The first page: computed by the engine, safe to show, served to this machine only, and the same in the terminal."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from croupier.equipment import card_name, parse_card
from croupier.exact.engines import Asked
from croupier.exact.sheet import sheet
from croupier.floor import demo, page
from croupier.game import Refusal
from croupier.hearing import adjudicate, as_json, read_case
from croupier.law import inventory
from croupier.round import open_round
from croupier.rulesets import known_game, ruleset

ROOT = Path(__file__).parent.parent
HANDS = ("player", "banker")
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'"


@pytest.fixture(scope="module")
def shown() -> demo.Demonstration:
    return demo.compute()


@pytest.fixture(scope="module")
def source(shown: demo.Demonstration) -> str:
    return page.html(shown)


# ---------------------------------------------------------------- what is shown is what the engine says


def test_the_coup_is_the_one_that_adjudication_hears(shown: demo.Demonstration) -> None:
    """The twin: the same case, given as JSON, comes to the same ruling, counts and money."""
    edition, version = demo.LAW_OF_THE_COUP
    *good, (wrong, to) = demo.FELL
    case = {
        "edition": edition,
        "version": version,
        "wagers": [{"on": wager.on, "amount": wager.stake_cents, "by": wager.by} for wager in demo.WAGERS],
        "facts": [name for name, _ in good]
        + [{"irregular": demo.DECLARED, "card": wrong, "to": to, "disclosed": True}],
    }
    heard = as_json(adjudicate(read_case(json.dumps(case))))
    coup, steps, lines = shown.coup, heard["steps"], heard["settlements"]
    assert isinstance(steps, list)
    assert isinstance(lines, list)
    assert steps[-1]["ruling"] == {"remedy": coup.ruling.remedy, "rule": coup.ruling.rule, "by": coup.ruling.by}
    assert (steps[-1]["due"], steps[-1]["rule"]) == (f"deal {coup.before.due_to}", coup.before.rule)
    outcome, end = heard["outcome"], coup.after
    assert isinstance(outcome, dict)
    counts = {"winner": end.winner, "player": end.player.count, "banker": end.banker.count}
    assert counts.items() <= outcome.items()
    told = [(line.on, line.stake_cents, line.result, line.returned_cents, line.rule) for line in coup.lines]
    assert told == [tuple(line[key] for key in ("on", "amount", "result", "returned", "rule")) for line in lines]


def test_nzd5_12_1a_the_card_becomes_the_bankers(shown: demo.Demonstration) -> None:
    coup = shown.coup
    before, left, after = coup.before, coup.left, coup.after
    assert (before.player.count, before.banker.count, before.winner) == (6, 5, "")
    assert coup.refusal.rule == "NZD5-9.5"
    assert coup.refusal.reason == "the nine of diamonds went to the Player; due was: third card to the Banker"
    assert coup.ruling.rule == "NZD5-12.1a"
    assert coup.finding == "The nine of diamonds is the Banker’s third card."
    assert [card_name(card) for card in after.banker.cards] == ["Qh", "5s", "9d"]
    assert (after.player.count, after.banker.count, after.winner) == (6, 4, "player")
    assert [card_name(card) for card in left.player.cards] == ["2c", "4d", "9d"]
    assert (left.player.count, left.banker.count, left.winner) == (5, 5, "tie"), "had the card stayed"


def test_a_card_goes_only_to_the_hand_that_is_due_it() -> None:
    this = open_round(known_game("baccarat"), ruleset("nzd5", version="full").rules)
    for name, to, other in zip(("9c", "Qh", "Kd", "5s"), HANDS * 2, HANDS[::-1] * 2, strict=True):
        refused = demo.dealt(this, parse_card(name), to=other)
        assert isinstance(refused, Refusal)
        assert refused.rule == this.due.rule
        after = demo.dealt(this, parse_card(name), to=to)
        assert not isinstance(after, Refusal)
        this = after
    for to in HANDS:
        refused = demo.dealt(this, parse_card("2h"), to=to)
        assert isinstance(refused, Refusal)
        assert refused.reason.endswith("due was: nothing: the coup is over")


def test_the_sheet_is_the_engines_sheet(shown: demo.Demonstration) -> None:
    edition, version = demo.LAW_OF_THE_SHEET
    rules = ruleset(edition, version=version, elections={"decks": 8})
    priced = sheet(known_game("baccarat"), rules, asked=Asked(quick=True))
    assert shown.odds.law.decks == 8
    assert [(price.on, price.win, price.edge) for price in shown.odds.prices] == [
        (line.wager, line.win, line.edge) for line in priced.lines
    ]
    assert [line.wager for line in priced.lines if line.edge < 0] == ["insurance"]
    ((says, rule),) = shown.odds.warnings
    assert says == "Insurance / No 6 favours the player: paid as printed, it returns 4.36 % more than is staked."
    assert rule == "VIC2002-10.1.crown-insurance"


def test_no_wager_of_the_edition_is_passed_over(shown: demo.Demonstration) -> None:
    edition, version = demo.LAW_OF_THE_SHEET
    names = known_game("baccarat").wagers(ruleset(edition, version=version).rules)
    priced = {price.on for price in shown.odds.prices}
    left = " ".join(names for names, _ in shown.odds.left_out)
    for name in names:
        family, _, length = name.partition("_run_")
        assert name in priced or re.search(rf"{family.capitalize()} run of [0-9, ]*\b{length}\b", left), name


def test_every_rule_cited_says_what_the_inventory_says(shown: demo.Demonstration) -> None:
    assert {shown.coup.ruling.rule, shown.coup.refusal.rule} <= {each.rule for each in shown.cited}
    for each in shown.cited:
        rows = inventory.parts(each.rule)
        assert rows, each.rule
        assert each.says == " ".join(row.summary for row in rows)


@pytest.mark.parametrize(
    ("part", "digits", "told"),
    [
        (Fraction(1, 8), 4, "12.5000 %"),
        (Fraction(-1, 8), 2, "−12.50 %"),
        (Fraction(999_951, 100_000_000), 4, "1.0000 %"),
        (Fraction(999_949, 100_000_000), 4, "0.9999 %"),
        (Fraction(-1, 10**9), 4, "0.0000 %"),
    ],
)
def test_percentages_are_rounded_from_the_exact_figure(part: Fraction, digits: int, told: str) -> None:
    assert demo.percent(part, digits) == told


@pytest.mark.parametrize(
    ("cents", "told"),
    [(0, "0.00"), (5, "0.05"), (99, "0.99"), (100, "1.00"), (99_999, "999.99"), (100_000, "1,000.00"), (-50, "−0.50")],
)
def test_money_is_told_in_dollars_and_cents(cents: int, told: str) -> None:
    assert demo.money(cents) == told


# ---------------------------------------------------------------- the page


class Outline(HTMLParser):
    """The elements of a page in order, with a check that they nest."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in page.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_has_no_script_no_style_and_no_address(source: str) -> None:
    outline = Outline(source)
    assert not {"script", "style", "iframe", "form", "img"} & {tag for tag, _ in outline.found}
    for tag, attributes in outline.found:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], (tag, attributes)
        assert (attributes.get("href") or "#").startswith(("#", "/")), (tag, attributes)
    assert "://" not in source


def test_every_link_and_drawing_of_the_page_is_there(source: str) -> None:
    outline = Outline(source)
    ids = [attributes["id"] for _, attributes in outline.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    inside = {str(attributes["href"]) for _, attributes in outline.found if "href" in attributes}
    assert {link.removeprefix("#") for link in inside if link.startswith("#")} <= set(ids)
    rules = [text for text in outline.texts if re.fullmatch(r"(NZ|VIC)[A-Z0-9]+-[\w.-]+", text)]
    assert len(rules) >= 20
    assert set(rules) <= set(ids)


def test_every_class_of_the_page_has_a_style(source: str) -> None:
    styles = "".join((files("croupier") / "web" / name).read_text(encoding="utf-8") for name in page.STYLES)
    known = set(re.findall(r"\.([A-Za-z][\w-]*)", styles))
    used = {name for _, attributes in Outline(source).found for name in (attributes.get("class") or "").split()}
    assert used <= known


def test_styles_ask_for_nothing_from_elsewhere() -> None:
    for name in page.STYLES:
        text = (files("croupier") / "web" / name).read_text(encoding="utf-8")
        assert not re.search(r"url\(|@import|://", text), name


def test_all_that_is_shown_is_escaped(shown: demo.Demonstration) -> None:
    hostile = '<script>alert("x")</script>&\''
    steps = (replace(shown.coup.steps[0], title=hostile, says=hostile), *shown.coup.steps[1:])
    lines = (replace(shown.coup.lines[0], name=hostile, by=hostile, result=hostile), *shown.coup.lines[1:])
    prices = (replace(shown.odds.prices[0], name=hostile, pays=(hostile,)), *shown.odds.prices[1:])
    cited = (replace(shown.cited[0], rule='" onclick="', topic=hostile, says=hostile), *shown.cited[1:])
    commands = (replace(shown.commands[0], words=("due", hostile), says=hostile),)
    odds = replace(shown.odds, prices=prices, warnings=((hostile, hostile),), left_out=((hostile, hostile),))
    coup = replace(shown.coup, steps=steps, lines=lines, finding=hostile)
    outline = Outline(page.html(replace(shown, coup=coup, odds=odds, cited=cited, commands=commands)))
    assert not [tag for tag, _ in outline.found if tag == "script"]
    assert not [attributes for _, attributes in outline.found if "onclick" in attributes]
    assert outline.texts.count(hostile) >= 10


def test_elements_escape_texts_and_attributes() -> None:
    assert page.el("p", "<b>", page.el("i", 7), None, cls='a"b').text == '<p class="a&quot;b">&lt;b&gt;<i>7</i></p>'


def test_the_page_shows_cards_ruling_money_and_odds(shown: demo.Demonstration, source: str) -> None:
    outline = Outline(source)
    labels = [attributes.get("aria-label") for _, attributes in outline.found]
    assert labels.count("Nine of diamonds") == 2, "where it fell, and where it belongs"
    faint = [a for tag, a in outline.found if tag == "svg" and "misplaced" in (a.get("class") or "")]
    assert [attributes["aria-label"] for attributes in faint] == ["Nine of diamonds"]
    for wanted in ("not due", "due", "Third card to the Banker", shown.coup.finding, "400.00", "1.2351 %", "−4.3611 %"):
        assert wanted in outline.texts, wanted
    for price in shown.odds.prices:
        exact = f"{abs(price.edge.numerator)}/{price.edge.denominator}"
        assert any(text.lstrip("−") == exact for text in outline.texts)


def test_the_terminal_tells_the_same(shown: demo.Demonstration) -> None:
    told = page.text(shown)
    flowing = " ".join(told.split())
    for step in shown.coup.steps:
        assert step.says in flowing
        assert step.rule in told
    for line in shown.coup.lines:
        assert re.search(rf"{line.name} +{line.by} .*{re.escape(line.rule)}\n", told)
    for price in shown.odds.prices:
        assert f"{abs(price.edge.numerator)}/{price.edge.denominator}" in told
    assert f"Warning: {shown.odds.warnings[0][0]}" in flowing
    assert max(map(len, told.splitlines())) <= 100


# ---------------------------------------------------------------- the colours can be read


def _tokens(theme: str) -> dict[str, str]:
    text = (files("croupier") / "web" / "tokens.css").read_text(encoding="utf-8")
    block = re.search(rf'\[data-theme="{theme}"\] \{{(.*?)\n\}}', text, re.DOTALL)
    assert block is not None
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block.group(1)))


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["room", "desk"])
def test_texts_have_a_contrast_of_four_and_a_half(theme: str) -> None:
    colours = _tokens(theme)
    grounds = ("ground", "surface", "surface-2", "surface-3")
    texts = ("ink", "ink-2", "ink-3", "player", "banker", "tie", "ok", "wait", "stop", "practice")
    roles = [name for name in colours if name.startswith("role-")]
    assert len(roles) == 6
    pairs = [(text, ground) for text in texts for ground in grounds]
    pairs += [(role, ground) for role in roles for ground in grounds[:3]] + [("on-accent", role) for role in roles]
    pairs += [(name, f"{name}-wash") for name in ("ok", "wait", "stop", "practice")]
    pairs += [("felt-ink", "felt"), ("felt-ink-2", "felt")]
    low = {pair: _contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: value for pair, value in low.items() if value < 4.5} == {}


# ---------------------------------------------------------------- what to try next


def run(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "croupier.cli", *words]
    return subprocess.run(line, check=False, capture_output=True, text=True, encoding="utf-8")


def test_what_to_try_next_works(shown: demo.Demonstration) -> None:
    assert len(shown.commands) == 3
    told = [run(*command.words) for command in shown.commands]
    assert [(done.returncode, done.stderr) for done in told] == [(0, "")] * 3
    due = shown.coup.before
    assert told[0].stdout.startswith(f"deal {due.due_to}  ({due.rule})")


# ---------------------------------------------------------------- the README


def test_the_readme_shows_true_outputs(shown: demo.Demonstration) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = re.search(r"```text\n(.*?)```", readme, re.DOTALL)
    assert first is not None
    assert first.group(1) in page.text(shown)
    parts = [part for block in re.findall(r"```console\n(.*?)```", readme, re.DOTALL) for part in block.split("$ ")[1:]]
    assert len(parts) >= 7
    for line, *lines in (part.splitlines() for part in parts):
        told = run(*shlex.split(line)[1:])
        assert told.returncode == 0, line
        assert set(map(words, lines)) <= set(map(words, told.stdout.splitlines())), line


def test_the_readme_shows_true_source() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```python\n( {8}decks=.*?)```", readme, re.DOTALL)
    assert shown is not None
    source = (ROOT / "src/croupier/games/baccarat/editions.py").read_text(encoding="utf-8")
    body = source.partition("def nz1998(")[2].partition("\ndef ")[0].splitlines()
    assert set(shown.group(1).splitlines()) <= set(body)
    for path in re.findall(r"\]\(([^)]+)\)", readme):
        assert (ROOT / path).is_file(), path


def words(line: str) -> str:
    return " ".join(line.split())
