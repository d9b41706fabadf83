"""The odds sheet: every wager that a rule set permits, with its exact worth.

For cards a sheet is made of a few automata: one for the wagers that see cards only by their point values, one for
those that see every card, and the waiting ones (insurance) beside the first.  For dice and wheels each wager is a
chain.  Where the player has the advantage the sheet says so in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.equipment import Space, full_shoe
from croupier.exact.automaton import STAKE, build, symbols_of
from croupier.exact.chain import Walker
from croupier.exact.pricing import PLAIN, pricing
from croupier.exact.ways import Worth, count_ways, worth, worth_of_chain
from croupier.game import NO_SIGN, AnyGame, Fact, Wager
from croupier.law.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Sheet:
    """The worth of every wager from one shoe, and the wagers that are not priced from it, with the reason."""

    ruleset: Ruleset[Any]
    decks: int | None
    cards: int
    lines: tuple[Worth, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(_warning(line) for line in self.lines if line.edge < 0)


def _warning(line: Worth) -> str:
    gain = percent_text(-line.edge)
    return f"{line.wager} favours the player: as printed it returns {gain} more than is staked ({line.rules[0]})"


def percent_text(part: Fraction) -> str:
    """A fraction as a percentage with two decimals."""
    return f"{float(part * 100):.2f} %"


def sheet(game: AnyGame, ruleset: Ruleset[Any], shoe: Sequence[int] | None = None) -> Sheet:
    """The sheet of a rule set.  `shoe` counts 52 cards, or 13 ranks; without it the shoe is full."""
    if game.chances is not None:
        return _thrown(game, ruleset, game.chances(ruleset.rules))
    return _dealt(game, ruleset, shoe)


def _thrown(game: AnyGame, ruleset: Ruleset[Any], space: Space[Fact]) -> Sheet:
    """Every wager of a game of dice or wheels, each as a chain."""
    walker = Walker(game, ruleset.rules, space, NO_SIGN)
    lines = [_chained(walker, name, shown) for shown, name in _rows(game, ruleset).items()]
    return Sheet(ruleset, None, 0, tuple(lines), ())


def _rows(game: AnyGame, ruleset: Ruleset[Any]) -> dict[str, str]:
    """The name of each row with the wager that stands for it."""
    rows: dict[str, str] = {}
    for name in game.wagers(ruleset.rules):
        kind = name.partition(":")[0]
        rows[kind if pricing(game.name, name).one_row else name] = name
    return rows


def _chained(walker: Walker, name: str, shown: str) -> Worth:
    names = (*pricing(walker.game.name, name).beside, name)
    chain = walker.solve([Wager(on, STAKE, by="bettor") for on in names])
    return replace(worth_of_chain(chain), wager=shown)


def _dealt(game: AnyGame, ruleset: Ruleset[Any], shoe: Sequence[int] | None) -> Sheet:
    rules = ruleset.rules
    counts = tuple(shoe) if shoe is not None else full_shoe(game.decks(rules))
    names = game.wagers(rules)
    how = {name: pricing(game.name, name) for name in names}
    by_suit = [name for name in names if how[name].exact_cards]
    waiting = [name for name in names if how[name].beside]
    runs = [name for name in names if how[name].coups]
    plain = [name for name in names if how[name] == PLAIN]
    lines = _priced(game, rules, counts, plain, waiting) if plain else []
    left_out = [(name, "priced over several coups") for name in runs]
    left_out += [(name, "depends on how the hand is played") for name in names if how[name].choices]
    if by_suit and len(counts) == 52:
        lines += _priced(game, rules, counts, by_suit, [], exact_cards=True)
    elif by_suit:
        left_out += [(name, "needs the suits: give --cards") for name in by_suit]
    order = {name: index for index, name in enumerate(names)}
    lines.sort(key=lambda line: order[line.wager])
    return Sheet(ruleset, game.decks(rules), sum(counts), tuple(lines), tuple(left_out))


def _priced(
    game: AnyGame, rules: Any, counts: Sequence[int], names: list[str], waiting: list[str], *, exact_cards: bool = False
) -> list[Worth]:
    automaton = build(game, rules, at_start=names, later=waiting, exact_cards=exact_cards)
    ways = count_ways(automaton, by_symbol(game, rules, counts, exact_cards=exact_cards))
    return [worth(ways, name) for name in (*names, *waiting) if name in names or any(ways.of(name))]


def by_symbol(game: AnyGame, rules: Any, counts: Sequence[int], *, exact_cards: bool) -> tuple[int, ...]:
    """How many cards of each symbol a shoe holds; counts of 13 ranks are told apart by rank alone."""
    symbols = {symbol: index for index, symbol in enumerate(symbols_of(game, rules, exact_cards=exact_cards))}
    held = [0] * len(symbols)
    for card, count in enumerate(counts):
        held[symbols[card if exact_cards else game.symbol(rules, card)]] += count
    return tuple(held)


def as_json(this: Sheet) -> dict[str, object]:
    """The sheet in the public form: fractions as text in lowest terms."""
    ruleset = this.ruleset
    return {
        "game": ruleset.game,
        "edition": ruleset.edition,
        "version": ruleset.version,
        "decks": this.decks,
        "elections": ruleset.elections,
        "readings": dict(ruleset.readings),
        "ruleset": ruleset.hash,
        "wagers": [_line(line) for line in this.lines],
        "left_out": [{"wager": name, "reason": reason} for name, reason in this.left_out],
        "warnings": list(this.warnings),
    }


def _line(line: Worth) -> dict[str, object]:
    return {
        "wager": line.wager,
        "win": ratio(line.win),
        "lose": ratio(line.lose),
        "standoff": ratio(line.standoff),
        "void": ratio(line.void),
        "edge": ratio(line.edge),
        "edge_percent": float(line.edge * 100),
        "sd": sqrt(line.variance),
        "pays": [
            {"result": pay.result, "odds": pay.odds, "probability": ratio(pay.probability), "rule": pay.rule}
            for pay in line.pays
        ],
        "offered": ratio(line.offered),
        "policy": None,
        "method": "exact",
        "rules": list(line.rules),
    }


def ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
