"""Craps: the case file, the golden playthrough, and the small runner that other craps tests use."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from croupier.game import NO_SIGN, Fact, Refusal, Sign, Wager, say
from croupier.games.craps import CRAPS
from croupier.games.craps.rules import CrapsRules
from croupier.law.elections import elect
from croupier.money import format_amount, parse_amount
from croupier.notation import read_fact, write_fact
from croupier.round import AnyRound, Settlement, happen, open_round, place, settle
from tests.helpers.places import TESTS
from tests.helpers.rulings import ruling_on

HERE = TESTS
RULES: CrapsRules = CRAPS.editions["nz1996"]["craps"]
PREFIX = "NZ1996-"

Step = Wager | Fact | str | dict[str, Any]


# ---------------------------------------------------------------- the runner


@cache
def double_odds() -> CrapsRules:
    """The rules where the operator has elected double odds."""
    return elect(RULES, {"double_odds": True})


def bet(on: str, amount: int, by: str = "", craps: int = 0) -> Wager:
    """A wager in dollars."""
    return Wager(on, amount * 100, by, seen=(craps * 100,) if craps else ())


def step(this: AnyRound, what: Step) -> AnyRound | Refusal:
    """One step: a wager is placed, anything else happens."""
    if isinstance(what, Wager):
        return place(this, (what,))
    return happen(this, read_fact(what, this.due) if isinstance(what, str | dict) else what)


def played(*steps: Step, rules: CrapsRules = RULES, sign: Sign = NO_SIGN) -> AnyRound:
    """A table after these steps, all of which the rules allow."""
    this = open_round(CRAPS, rules, sign=sign)
    for what in steps:
        after = step(this, what)
        assert not isinstance(after, Refusal), f"{what}: {after}"
        this = after
    return this


def refused(*steps: Step, rules: CrapsRules = RULES, sign: Sign = NO_SIGN) -> Refusal:
    """The refusal of the last step; those before it are allowed."""
    before = played(*steps[:-1], rules=rules, sign=sign)
    answer = step(before, steps[-1])
    assert isinstance(answer, Refusal), f"{steps[-1]} was allowed: {answer}"
    return answer


def money(this: AnyRound) -> list[Settlement]:
    return [settle(entry, CRAPS.rounding(this.rules), this.sign.chip) for entry in this.book]


# ---------------------------------------------------------------- the case file


def case_lines() -> list[str]:
    lines = (HERE / "cases" / "craps.cases").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


_WAGER = re.compile(r"(\S+) ([0-9.]+)(?: @(\d+))?(?: by (\S+))?(?: craps ([0-9.]+))?")


def read_wager(text: str) -> tuple[int, Wager]:
    found = _WAGER.fullmatch(text.strip())
    assert found, f"not a wager: {text!r}"
    on, amount, at, by, craps = found.groups()
    seen = (parse_amount(craps),) if craps else ()
    return int(at or 0), Wager(on, parse_amount(amount), by or "", seen=seen)


def read_table(text: str) -> tuple[Sign, CrapsRules]:
    sign, rules = NO_SIGN, RULES
    for word in text.split():
        name, _, value = word.partition("=")
        if name == "double_odds":
            rules = double_odds()
        elif name == "chip":
            sign = Sign(chip=parse_amount(value), maximum=sign.maximum)
        else:
            assert name == "maximum", word
            sign = Sign(chip=sign.chip, maximum=parse_amount(value))
    return sign, rules


@pytest.mark.parametrize("line", case_lines())
def test_case(line: str) -> None:
    _, wagers, facts, results, *table = (part.strip() for part in line.split("|"))
    sign, rules = read_table(table[0] if table else "")
    this = open_round(CRAPS, rules, sign=sign)
    placed = [read_wager(text) for text in wagers.split(",")]
    for index, text in enumerate((*facts.split(), "")):
        for at, wager in placed:
            if at == index:
                after = place(this, (wager,))
                assert not isinstance(after, Refusal), after
                this = after
        if text:
            raw = json.loads(text) if text.startswith("{") else text
            after = happen(this, read_fact(raw, this.due))
            assert not isinstance(after, Refusal), after
            this = after
    found = [
        f"{each.result} {format_amount(each.pays_cents)} {each.rule.removeprefix(PREFIX) or '-'}"
        for each in money(this)
    ]
    assert found == [text.strip() for text in results.split(",")]


def test_every_wager_of_the_list_is_decided_in_a_case() -> None:
    """3.1(a) to (y): the file has a decision for each of the 25 wagers."""
    named = {
        read_wager(text)[1].on.partition(":")[0] for line in case_lines() for text in line.split("|")[1].split(",")
    }
    assert named == set(RULES.bets)
    assert len(RULES.bets) == 25


# ---------------------------------------------------------------- the golden playthrough

PLAYTHROUGH: tuple[Step, ...] = (
    bet("pass", 10, "seat 1"),
    bet("dont_pass", 10, "seat 2"),
    bet("place:6", 12, "seat 2"),
    {"choose": "accept_dice", "by": "seat 1"},
    {"perform": "release"},
    {"irregular": "off_table"},
    "2-2",
    bet("pass_odds:4", 10, "seat 1"),
    bet("come", 10, "seat 1"),
    bet("horn_high:12", 5, "seat 2"),
    "5-4",
    bet("come_odds:9", 10, "seat 1"),
    bet("buy:10", 20, "seat 2"),
    {"perform": "call", "by": "stickperson", "detail": "1-2"},
    {"irregular": "wrong_call", "call": "1-3", "by": "game supervisor"},
    "1-3",
    bet("pass", 10, "seat 1"),
    bet("lay:4", 40, "seat 2"),
    "3-4",
    bet("pass", 10, "seat 1"),
    {"take": "buy:10", "by": "seat 2"},
    {"call": "off", "on": "place:6", "by": "seat 2"},
    "5-5",
    "4-3",
    {"choose": "accept_dice", "by": "seat 2"},
    bet("dont_pass", 10, "seat 2"),
    {"choose": "accept_dice", "by": "seat 2"},
    {"take": "place:6", "by": "seat 2"},
    "1-1",
)


def tell_playthrough() -> str:
    """The round told step by step: what was due, under which rule, what came; then each stake."""
    this = open_round(CRAPS, RULES)
    lines = ["craps nz1996 craps: a shooter from the first dice to the seven out", ""]
    for what in PLAYTHROUGH:
        due = this.due
        if isinstance(what, Wager):
            text = f"{what.by} bets {format_amount(what.stake_cents)} on {what.on}"
        else:
            assert isinstance(what, str | dict)
            fact = read_fact(what, due)
            written = write_fact(fact)
            text = written if isinstance(written, str) else json.dumps(written)
            ruling = ruling_on(this, fact)
            text += f"  -> {ruling.remedy} by {ruling.by} ({ruling.rule})" if ruling else ""
        after = step(this, what)
        lines.append(f"due: {say(due)} ({due.rule}) | {text}")
        if isinstance(after, Refusal):
            lines.append(f"    refused: {after.reason} ({after.rule})")
            continue
        this = after
        lines.append(f"    {' '.join(f'{key}={value}' for key, value in CRAPS.outcome(RULES, this.state).items())}")
    lines.append("")
    for entry, each in zip(this.book, money(this), strict=True):
        wager = entry.wager
        amounts = f"pays {format_amount(each.pays_cents)}, returned {format_amount(each.returned_cents)}"
        fee = f", commission {format_amount(each.commission_cents)}" if each.commission_cents else ""
        placed = format_amount(wager.stake_cents + wager.voided_cents)
        lines.append(f"{wager.by} {wager.on} {placed}: {each.result}, {amounts}{fee} ({each.rule or 'open'})")
    return "\n".join(lines) + "\n"


def test_playthrough_is_as_written() -> None:
    assert tell_playthrough() == (HERE / "playthroughs" / "craps.txt").read_text(encoding="utf-8")
