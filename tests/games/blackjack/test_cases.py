"""Blackjack: the case file, the golden playthrough, and the small runner that the other blackjack tests use."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from croupier.game import NO_SIGN, Fact, Refusal, Sign, Wager, say
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.rules import BlackjackRules
from croupier.law.elections import elect
from croupier.money import format_amount, parse_amount
from croupier.notation import read_fact, write_fact
from croupier.once import replace
from croupier.round import AnyRound, Settlement, happen, open_round, place, settle
from tests.helpers.places import TESTS
from tests.helpers.rulings import ruling_on

HERE = TESTS
PREFIX = "NZ1996-"
SIGN_WORDS = ("chip", "minimum", "maximum", "super_sevens")

Step = Wager | Fact | str | dict[str, Any]


# ---------------------------------------------------------------- the runner


def rules(**elections: object) -> BlackjackRules:
    """The rules in force; asked for anew by each test, so that nothing is kept from a changed law."""
    return elect(BLACKJACK.editions["nz1996"]["blackjack"], elections)


def bet(text: str) -> Wager:
    """`main 10`, `super_sevens 2 by ann box 3`: a wager in dollars."""
    found = re.fullmatch(r"(\S+) ([0-9.]+)(?: @\d+)?(?: by (\S+))?(?: box (\d+))?", text.strip())
    assert found, f"not a wager: {text!r}"
    on, amount, by, box = found.groups()
    return Wager(on, parse_amount(amount), by or "", int(box or 1))


def bets(text: str) -> tuple[Wager, ...]:
    return tuple(bet(part) for part in text.split(","))


def table(wagers: str = "main 10", *, sign: Sign = NO_SIGN, **elections: object) -> AnyRound:
    """A round with these wagers in the book."""
    this = place(open_round(BLACKJACK, rules(**elections), sign=sign), bets(wagers))
    assert not isinstance(this, Refusal), this
    return this


def refused_wager(wagers: str, *, sign: Sign = NO_SIGN, **elections: object) -> Refusal:
    answer = place(open_round(BLACKJACK, rules(**elections), sign=sign), bets(wagers))
    assert isinstance(answer, Refusal), f"{wagers} was accepted"
    return answer


def fact_of(this: AnyRound, what: Step) -> Fact:
    assert not isinstance(what, Wager)
    if isinstance(what, str | dict):
        return read_fact(json.loads(what) if str(what).startswith("{") and isinstance(what, str) else what, this.due)
    return what


def step(this: AnyRound, what: Step) -> AnyRound | Refusal:
    """One step: a wager is placed, anything else happens."""
    return place(this, (what,)) if isinstance(what, Wager) else happen(this, fact_of(this, what))


def tell(this: AnyRound, *steps: Step) -> AnyRound:
    """The round after these steps, all of which the rules allow; a text may hold several facts."""
    for what in _words(steps):
        after = step(this, what)
        assert not isinstance(after, Refusal), f"{what}: {after}"
        this = after
    return this


def refused(this: AnyRound, *steps: Step) -> Refusal:
    """The refusal of the last step; those before it are allowed."""
    *before, last = _words(steps)
    answer = step(tell(this, *before), last)
    assert isinstance(answer, Refusal), f"{last} was allowed"
    return answer


def _words(steps: tuple[Step, ...]) -> list[Step]:
    return [word for each in steps for word in (each.split() if isinstance(each, str) else [each])]


def money(this: AnyRound) -> list[Settlement]:
    return [settle(entry, BLACKJACK.rounding(this.rules), this.sign.chip) for entry in this.book]


def lines(this: AnyRound) -> list[str]:
    """The book in the words of the case file."""
    return [f"{each.result} {format_amount(each.pays_cents)} {short(each.rule)}" for each in money(this)]


def short(rule: str) -> str:
    return rule.removeprefix(PREFIX) or "-"


# ---------------------------------------------------------------- the case file


def case_lines() -> list[str]:
    text = (HERE / "cases" / "blackjack.cases").read_text(encoding="utf-8").splitlines()
    return [line for line in text if line.strip() and not line.startswith("#")]


def read_with(text: str) -> tuple[Sign, dict[str, object]]:
    """The last column: amounts of the sign in dollars, and elections."""
    words = dict(word.split("=") for word in text.split())
    signed = [name for name in SIGN_WORDS if words.get(name, "no")[0].isdigit()]
    sign = NO_SIGN
    for name in signed:
        sign = replace(sign, **{name: parse_amount(words.pop(name))})
    return sign, dict(words)


def read_places(text: str) -> dict[int, list[Wager]]:
    """Wagers by the number of the fact before which they are placed."""
    found: dict[int, list[Wager]] = {}
    for part in text.split(","):
        at = re.search(r"@(\d+)", part)
        found.setdefault(int(at.group(1)) if at else 0, []).append(bet(part))
    return found


def run_case(wagers: str, facts: str, with_: str) -> tuple[list[str], set[str]]:
    """The results of a case, and every rule that came up in it."""
    sign, elections = read_with(with_)
    this: AnyRound = open_round(BLACKJACK, rules(**elections), sign=sign)
    placed, met = read_places(wagers), set[str]()
    for index, text in enumerate((*facts.split(), "")):
        met.add(this.due.rule)
        after = place(this, tuple(placed[index])) if index in placed else this
        if text and not isinstance(after, Refusal):
            ruling = ruling_on(after, fact_of(after, text))
            met |= {after.due.rule} | ({ruling.rule} if ruling else set())
            after = step(after, text)
        if isinstance(after, Refusal):
            return [f"refused {short(after.rule)}"], met | {after.rule}
        this = after
    voided = {entry.wager.void_rule for entry in this.book}
    return lines(this), met | voided | {this.due.rule} | {each.rule for each in money(this)}


@pytest.mark.parametrize("line", case_lines())
def test_case(line: str) -> None:
    _, wagers, facts, results, *with_ = (part.strip() for part in line.split("|"))
    found, _ = run_case(wagers, facts, with_[0] if with_ else "")
    assert found == [text.strip() for text in results.split(",")]


# ---------------------------------------------------------------- the golden playthrough

WAGERS = "main 20 by ann, super_sevens 5 by ann, main 10 by bob, main 30 by cat box 2, main 5 by dan box 4"
PLAYTHROUGH: tuple[Step, ...] = (
    *("7h", "10d", "Ac", "Ad", "7c", "5s", "Kc"),
    {"choose": "insure", "by": "cat", "amount": 1000},
    {"choose": "even_money", "by": "dan"},
    "split",
    {"choose": "ride", "by": "bob", "hand": 2},
    *("4h", "double", "9c", "7d", "split", {"choose": "split", "by": "bob"}),
    *("10s", "stand", "5c", "hit", "Kh"),
    {"irregular": "face_up_card", "card": "2d"},
    *("hit", "4d", "stand", "3h", "2s", "Qd", "4c"),
)


def playthrough() -> str:
    """A round in words: what was due and under which rule, what happened, and what each stake came to."""
    this = table(WAGERS)
    story = [f"wager {format_amount(w.stake_cents)} on {w.on} by {w.by}, box {w.box}" for w in bets(WAGERS)]
    for what in PLAYTHROUGH:
        fact = fact_of(this, what)
        wrote = write_fact(fact)
        words = wrote if isinstance(wrote, str) else json.dumps(wrote)
        story.append(f"{say(this.due):<42}{short(this.due.rule):<10}{words}")
        ruling = ruling_on(this, fact)
        if ruling:
            story.append(f"    ruling: {ruling.remedy} by the {ruling.by} ({short(ruling.rule)})")
        this = tell(this, fact)
    story += [f"{say(this.due):<42}{short(this.due.rule)}", ""]
    for entry, each in zip(this.book, money(this), strict=True):
        wager = entry.wager
        what = f"{wager.on} {format_amount(wager.stake_cents)} by {wager.by}, box {wager.box}"
        story.append(
            f"{what + (f' hand {wager.hand}' if wager.hand else ''):<42}{short(each.rule):<10}"
            f"{each.result}, pays {format_amount(each.pays_cents)}, returns {format_amount(each.returned_cents)}"
        )
    return "\n".join(story) + "\n"


def test_the_golden_playthrough_is_told_the_same() -> None:
    golden = (HERE / "playthroughs" / "blackjack.txt").read_text(encoding="utf-8")
    assert playthrough() == golden
