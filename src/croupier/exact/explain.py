"""Why a wager is worth what the sheet says: every way in which it ends, how often, and the rule that says so.

Theory of operation.  A row of the sheet already holds each way to end with its chance, its net and its rule.  Here the
chance is told as a number of equally likely ways where they can be counted (orders of cards, deals, faces of dice), and
for dice and wheels also what was thrown, and from which layout, when the wager was decided.  The edge is minus the sum
of chance × net, so each line also shows what it adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb, perm
from typing import Any

from croupier.exact.automaton import STAKE
from croupier.exact.chain import ChainWalker, LastThrow
from croupier.exact.pricing import pricing
from croupier.exact.runs import CARDS as COUP
from croupier.exact.sheet import Sheet, ratio, rows, shoe_json
from croupier.exact.ways import Pay, Worth, worth_of_chain
from croupier.game import NO_SIGN, AnyGame, Wager
from croupier.game.kinds import wager_kind
from croupier.law.readings import for_rule
from croupier.notation import write_fact
from croupier.once import dataclass

POINT = "point"


@dataclass(frozen=True, slots=True)
class Thrown:
    """What decides the wager from one layout: the throws, and how likely it is that one of them does."""

    layout: str
    throws: tuple[str, ...]
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way to end; `ways` of the explanation's `total` lead to it, where they can be counted."""

    pay: Pay
    ways: int | None
    thrown: tuple[Thrown, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A row with its working; `asked` is the wager that stands for a row of a whole kind."""

    line: Worth
    asked: str
    total: int | None
    unit: str
    outcomes: tuple[Outcome, ...]


def explain(game: AnyGame, this: Sheet, wager: str) -> tuple[Explanation, ...]:
    """The working of every row of a wager; `wager` may also be the name of a policy, or one of a kind."""
    standing = rows(game, this.ruleset)
    names = game.wagers(this.ruleset.rules)
    kind = wager_kind(wager)
    found = this.found(wager) or (this.found(kind) if wager in names else ())
    if not found:
        raise this.no_row(wager)
    asked = wager if wager in names else standing.get(found[0].wager, found[0].wager)
    return tuple(_explained(game, this, line, asked) for line in found)


def _explained(game: AnyGame, this: Sheet, line: Worth, asked: str) -> Explanation:
    thrown: Mapping[tuple[str, str], tuple[Thrown, ...]] = {}
    if game.chances is not None:
        line, thrown = _by_throws(game, this, line, asked)
    total, unit = _counted(game, this, line)
    outcomes = tuple(
        Outcome(pay, _ways(pay.probability * line.offered, total), thrown.get((pay.result, pay.rule), ()))
        for pay in line.pays
    )
    if any(each.ways is None for each in outcomes):
        total, unit = None, ""
    return Explanation(line, asked, total, unit, outcomes)


def _ways(chance: Fraction, total: int | None) -> int | None:
    ways = chance * total if total else None
    return ways.numerator if ways is not None and ways.denominator == 1 else None


def _counted(game: AnyGame, this: Sheet, line: Worth) -> tuple[int | None, str]:
    """How many equally likely ways there are, and what one of them is."""
    cards = this.cards
    if line.method != "exact" or line.shares != "exact":
        return None, ""
    if game.chances is not None:
        total = game.chances(this.ruleset.rules).total
        return (total, "equal throws") if line.throws == 1 else (None, "")
    if game.name == "caribbean_stud" and line.void:
        return None, ""
    if game.name == "caribbean_stud":
        return comb(cards, 5) * (cards - 5) * comb(cards - 6, 4), "deals of five cards, an up card and four more"
    coups = pricing(game.name, line.wager).coups or 1
    drawn = cards if line.policy and line.void else min(COUP * coups, cards)
    return perm(cards, drawn), f"orders of {drawn} cards"


# ---------------------------------------------------------------- dice and wheels


def _by_throws(
    game: AnyGame, this: Sheet, line: Worth, asked: str
) -> tuple[Worth, Mapping[tuple[str, str], tuple[Thrown, ...]]]:
    """The row of the very wager asked for, and for each of its ends the throws that bring it."""
    assert game.chances is not None
    rules = this.ruleset.rules
    walker = ChainWalker(game, rules, game.chances(rules), NO_SIGN)
    wagers = [Wager(on, STAKE, by="bettor") for on in (*pricing(game.name, asked).beside, asked)]
    row = replace(worth_of_chain(walker.solve(wagers)), wager=line.wager)
    grouped: dict[tuple[str, str], dict[str, list[LastThrow]]] = {}
    for last in walker.last_throws(wagers):
        layout = _layout(game, rules, last)
        grouped.setdefault((last.how.result, last.how.rule), {}).setdefault(layout, []).append(last)
    return row, {end: tuple(_thrown(at, throws) for at, throws in by.items()) for end, by in grouped.items()}


def _layout(game: AnyGame, rules: Any, last: LastThrow) -> str:
    """What lay before the throw, in a game that has a point; there is nothing to tell of a single throw."""
    outcome = game.outcome(rules, last.state)
    if POINT not in outcome:
        return ""
    return f"{POINT} {outcome[POINT]}" if outcome[POINT] else f"no {POINT}"


def _thrown(layout: str, throws: list[LastThrow]) -> Thrown:
    written = dict.fromkeys(str(write_fact(each.fact)) for each in throws)
    return Thrown(layout, tuple(written), sum((each.chance for each in throws), Fraction(0)))


# ---------------------------------------------------------------- the public form


def as_json(this: Sheet, found: tuple[Explanation, ...]) -> dict[str, object]:
    """The working in the public form, with what each rule says in our own words."""
    ids = dict.fromkeys(rule for each in found for rule in (*each.line.rules, *(o.pay.rule for o in each.outcomes)))
    return {
        "game": this.ruleset.game,
        "edition": this.ruleset.edition,
        "version": this.ruleset.version,
        "decks": this.decks,
        "ruleset": this.ruleset.hash,
        **this.ruleset.marked,
        **shoe_json(this),
        "rows": [_row(each) for each in found],
        "rules": [_rule(this, rule) for rule in ids if rule],
    }


def _row(this: Explanation) -> dict[str, object]:
    line, known = this.line, not this.line.needs
    return {
        "wager": line.wager,
        "stands_for": this.asked,
        "policy": line.policy or None,
        "method": line.stated_method,
        "edge": ratio(line.edge) if known else None,
        "edge_percent": float(line.edge * 100) if known else None,
        "offered": ratio(line.offered),
        "throws": ratio(line.throws),
        "throws_on": ratio(line.throws if line.throws_on is None else line.throws_on),
        "total": this.total,
        "unit": this.unit,
        "outcomes": [_outcome(each, known=known) for each in this.outcomes],
        **({"note": line.note} if line.note else {}),
        **({"needs": line.needs} if line.needs else {}),
    }


def _outcome(this: Outcome, *, known: bool) -> dict[str, object]:
    pay = this.pay
    return {
        "ends": pay.kind,
        "result": pay.result,
        "odds": pay.odds if known else "",
        "net": ratio(pay.net) if known else None,
        "ways": this.ways,
        "probability": ratio(pay.probability),
        "adds_to_edge": ratio(-pay.net * pay.probability) if known else None,
        "rule": pay.rule,
        "thrown": [
            {"layout": each.layout, "throws": list(each.throws), "probability": ratio(each.chance)}
            for each in this.thrown
        ],
    }


def _rule(this: Sheet, rule: str) -> dict[str, object]:
    readings = [{"id": each.id, "name": each.name, "says": each.says} for each in for_rule(rule)]
    return {"id": rule, "says": list(this.ruleset.says(rule)), "readings": readings}
