"""What each card is worth: how the edge of a wager moves when one card of a rank is gone from the shoe."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from croupier.equipment import RANKS
from croupier.exact.compositions import ways_from
from croupier.exact.pricing import PLAIN, pricing
from croupier.exact.sheet import Sheet, by_symbol
from croupier.exact.ways import worth
from croupier.game import AnyGame
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class Removal:
    """For one wager the change of the edge by the rank removed; a rank that the shoe lacks is None."""

    wager: str
    changes: tuple[Fraction | None, ...]


def removals(game: AnyGame, this: Sheet) -> tuple[Removal, ...]:
    """The wagers whose edge depends on ranks, with the effect of each; none for dice and wheels."""
    if not this.counts or not this.lines:
        return ()
    shoes = [_without(this.counts, rank) for rank in range(len(RANKS))]
    match game.name:
        case "caribbean_stud":
            return _of_stud(this, shoes)
        case "blackjack":
            return _of_blackjack(game, this, shoes)
        case _:
            return _of_automaton(game, this, shoes)


def _without(counts: Sequence[int], rank: int) -> tuple[int, ...] | None:
    """The shoe with one card of a rank gone, of the suit that has most of it; None if it has none."""
    places = range(rank, len(counts), len(RANKS))
    place = max(places, key=lambda at: counts[at])
    if not counts[place] or sum(counts) == 1:
        return None
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])


def _of_automaton(game: AnyGame, this: Sheet, shoes: Sequence[tuple[int, ...] | None]) -> tuple[Removal, ...]:
    rules = this.ruleset.rules
    shown = {line.wager for line in this.lines}
    names = [name for name in game.wagers(rules) if pricing(game.name, name) == PLAIN]
    later = [name for name in game.wagers(rules) if pricing(game.name, name).beside and name in shown]
    counting = ways_from(game, rules, at_start=names, later=later)
    known: dict[tuple[int, ...], dict[str, Fraction]] = {}

    def edges(shoe: tuple[int, ...]) -> dict[str, Fraction]:
        held = by_symbol(game, rules, shoe, exact_cards=False)
        if held not in known:
            ways = counting.one(held)
            known[held] = {name: worth(ways, name).edge for name in (*names, *later) if any(ways.of(name))}
        return known[held]

    return _changes(edges(this.counts), [edges(shoe) if shoe else {} for shoe in shoes])


def _of_stud(this: Sheet, shoes: Sequence[tuple[int, ...] | None]) -> tuple[Removal, ...]:
    from croupier.exact.caribbean_stud.policy import LEAST
    from croupier.exact.caribbean_stud.without import edges_without

    name, held = this.lines[0].wager, this.counts
    found = edges_without(this.ruleset.rules, held) if sum(held) > LEAST else {}

    def edges(shoe: Sequence[int] | None) -> dict[str, Fraction]:
        gone = next((card for card in range(len(held)) if shoe and shoe[card] < held[card]), None)
        return {name: found[gone]} if gone in found else {}

    return _changes({name: this.lines[0].edge}, [edges(shoe) for shoe in shoes])


def _of_blackjack(game: AnyGame, this: Sheet, shoes: Sequence[tuple[int, ...] | None]) -> tuple[Removal, ...]:
    from croupier.exact.blackjack import best_worth, may_run_out

    rules, name = this.ruleset.rules, this.lines[0].wager
    if not this.lines[0].policy or may_run_out(rules, this.counts):
        return ()
    known: dict[tuple[Any, ...], Fraction] = {}

    def edges(shoe: Sequence[int] | None) -> dict[str, Fraction]:
        if not shoe or may_run_out(rules, shoe):
            return {}
        held = by_symbol(game, rules, shoe, exact_cards=False)
        if held not in known:
            known[held] = Fraction(-best_worth(rules, shoe))
        return {name: known[held]}

    return _changes(edges(this.counts), [edges(shoe) for shoe in shoes])


def _changes(full: dict[str, Fraction], without: Sequence[dict[str, Fraction]]) -> tuple[Removal, ...]:
    return tuple(
        Removal(name, tuple(each[name] - edge if name in each else None for each in without))
        for name, edge in full.items()
    )
