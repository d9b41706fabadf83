"""What may be backed now.

A wager is tried on the rules of the table, which are pure: what they would refuse from anybody is shut, and what they
would then take from one player, because of what that player has down already, is open to that player (odds on a line
wager that has its point, a side wager beside a main one).  If one wager of a kind is taken all of its kind are.  Some
wagers are paid in parts, so a wager that cannot be divided is tried again as a larger one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import is_
from typing import Final

from croupier.equipment import pocket_colour
from croupier.game import Refusal, Wager
from croupier.table.state import Table

DIVISIBLE: Final = 12
_KEPT: Final = 128


@dataclass(frozen=True, slots=True)
class Shut:
    """What is shut at a layout, and to whom what of it is open; and all that this depends on beside the player's own.

    Every page asks it after every wager, and wagers do not change the layout: so the last answers are kept.
    """

    depends: tuple[object, ...]
    open: bool
    refusals: dict[str, Refusal]
    opens: dict[str, tuple[tuple[Wager, ...], tuple[str, ...]]] = field(default_factory=dict)


_LAST: list[Shut] = []


def refusals(table: Table) -> dict[str, Refusal]:
    """The wagers that nobody may place now, each with its reason."""
    return _shut(table).refusals


def _shut(table: Table) -> Shut:
    depends = (table.round.state, table.sign, table.house, table.ruleset, table.game)
    for known in _LAST:
        if known.open == table.open and all(map(is_, known.depends, depends)):
            return known
    shut = Shut(depends, table.open, _refusals(table))
    _LAST[:] = [shut, *_LAST[: _KEPT - 1]]
    return shut


def _refusals(table: Table) -> dict[str, Refusal]:
    offers = table.game.wagers(table.ruleset.rules)
    if not table.open:
        return dict.fromkeys(offers, Refusal("the table is closed", table.general.limits.set.rule))
    taken: set[str] = set()
    found: dict[str, Refusal] = {}
    for on in offers:
        kind = on.partition(":")[0]
        refusal = None if kind in taken else _refusal(table, on, "nobody", ())
        if refusal is None:
            taken.add(kind)
        else:
            found[on] = refusal
    return found


def reds(table: Table) -> list[int]:
    """The numbers of a wheel that are red; none where no number can be backed."""
    straight = (on.partition(":") for on in table.game.wagers(table.ruleset.rules))
    return [int(place) for kind, _, place in straight if kind == "straight" and pocket_colour(int(place)) == "red"]


def opens(table: Table, name: str) -> tuple[str, ...]:
    """What is shut to others and open to this player."""
    mine = tuple(wager for wager in table.round.standing if wager.by == name)
    if not mine or not table.open:
        return ()
    shut = _shut(table)
    known = shut.opens.get(name)
    if known is None or known[0] != mine:
        known = mine, tuple(on for on in shut.refusals if _refusal(table, on, name, mine) is None)
        shut.opens[name] = known
    return known[1]


def _refusal(table: Table, on: str, name: str, standing: tuple[Wager, ...]) -> Refusal | None:
    rules, this = table.ruleset.rules, table.round
    least = table.house.kinds.get(on, (table.sign.minimum, 0))[0] or 1
    box = next((wager.box for wager in standing), 1)
    wager = Wager(on, least, by=name, box=box, number=this.numbered)
    shut = table.procedure.closed(rules, this.state, wager)
    if shut:
        return shut
    taken = this.game.accept(rules, table.sign, this.state, standing, (wager,))
    if isinstance(taken, Refusal):
        larger = Wager(on, least * DIVISIBLE, by=name, box=box, number=this.numbered)
        taken = this.game.accept(rules, table.sign, this.state, standing, (larger,))
    return taken if isinstance(taken, Refusal) else None
