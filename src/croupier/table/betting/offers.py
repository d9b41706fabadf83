"""What may be backed at a table now, and whether betting is open.

A wager is tried on the rules of the table, which are pure: what they would refuse from anybody is shut, and what they
would then take from one player, because of what that player has down already, is open to that player (odds on a line
wager that has its point, a side wager beside a main one).  If one wager of a kind is taken all of its kind are.  Some
wagers are paid in parts, so a wager that cannot be divided is tried again as a larger one.

BettingNow is `closing` while it is open and the act that is due, done as usual, would shut what is open.  It is closed
to everybody while what came was told and taken back: nobody bets on what somebody may have seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import is_
from typing import Any, Final, Literal

from croupier.answers.facts import performed
from croupier.game import Demand, Perform, Performed, Refusal, Wager
from croupier.game.kinds import wager_kind
from croupier.law.model import Law
from croupier.law.officials import PLAYER
from croupier.table.betting.ways import known_already
from croupier.table.state import Table

DIVISIBLE: Final = 12


@dataclass(frozen=True, slots=True)
class BettingNow:
    """Whether anything can be backed; why not, under which rule; what is shut to everybody, each with its reason.

    `taken_back`: what came was told and taken back, and wagers stay as they are until it is told again.
    """

    state: Literal["open", "closing", "closed"]
    shut: Mapping[str, Refusal]
    why: Refusal | None = None
    taken_back: bool = False


def betting(table: Table) -> BettingNow:
    """The betting of a table as it lies."""
    return KeptOffers().betting(table)


@dataclass(slots=True)
class KeptOffers:
    """What is shut at one table, and to whom what of it is open.

    Every page asks it after every wager, and most wagers leave the layout as it is.  So whoever keeps a table keeps one
    of these: the answers stay until something that they depend on is another.
    """

    depends: tuple[object, ...] = ()
    shut: dict[str, Refusal] = field(default_factory=dict)
    opened: dict[str, tuple[tuple[Wager, ...], tuple[str, ...]]] = field(default_factory=dict)
    orders: tuple[tuple[Law[Any], tuple[Performed, ...]], ...] | None = None
    tried: tuple[str, ...] | None = None
    closes: tuple[Demand, bool] | None = None
    """Whether what was last due would shut what is open."""

    def betting(self, table: Table) -> BettingNow:
        self._look(table)
        offers = table.game.wagers(table.ruleset.rules)
        if len(self.shut) == len(offers):
            return BettingNow("closed", self.shut, self.shut[offers[0]], taken_back=table.uncovered)
        if self.closes is None or self.closes[0] != table.due:
            self.closes = table.due, _closes(table, self.shut)
        return BettingNow("closing" if self.closes[1] else "open", self.shut)

    def opens(self, table: Table, name: str) -> tuple[str, ...]:
        """What is shut to others and open to this player."""
        mine = table.round.backed.get(name, ())
        if not mine or not table.open or table.uncovered:
            return ()
        self._look(table)
        known = self.opened.get(name)
        if known is None or known[0] != mine:
            tried = ((on, refused_to(table, on, name, mine, self.shut[on])) for on in self._to_be_tried(table))
            known = self.opened[name] = mine, tuple([on for on, refusal in tried if refusal is None])
        return known[1]

    def ordered(self, table: Table) -> tuple[tuple[Law[Any], tuple[Performed, ...]], ...]:
        """The orders of officials that the ceremony takes as the layout lies, in the names of those who may give them.

        Whether the table takes one hangs on the wagers too, and is asked of it each time.
        """
        self._look(table)
        if self.orders is None:
            self.orders = tuple((law, acts) for law, acts in _orders(table) if acts)
        return self.orders

    def _to_be_tried(self, table: Table) -> tuple[str, ...]:
        """What is shut to others and could be open to somebody; the rest would be refused whatever they have."""
        if self.tried is None:
            rules, state, procedure = table.ruleset.rules, table.round.state, table.procedure
            alone = ((on, Wager(on, 1)) for on in self.shut)
            refused = ((on, procedure.closed(rules, state, w) or procedure.late(rules, state, w)) for on, w in alone)
            self.tried = tuple([on for on, refusal in refused if refusal is None])
        return self.tried

    def _look(self, table: Table) -> None:
        this, standing = table.round.state, (table.open, table.uncovered)
        depends = (this, table.sign, table.house, table.ruleset, table.game, *standing)
        if not self.depends or not all(map(is_, self.depends, depends)):
            self.depends, self.shut, self.opened = depends, _shut(table), {}
            self.orders = self.closes = self.tried = None


def _orders(table: Table) -> Iterator[tuple[Law[Any], tuple[Performed, ...]]]:
    rules, state, apply = table.ruleset.rules, table.round.state, table.procedure.apply
    for law in getattr(getattr(rules, "ceremony", None), "orders", ()):
        acts = (Performed(law.value.act, word) for word in law.value.by if word != PLAYER)
        yield law, tuple(act for act in acts if not isinstance(apply(rules, state, act), Refusal))


def _closes(table: Table, shut: Mapping[str, Refusal]) -> bool:
    """Whether the act that is due shuts what is open now."""
    this, due, closed = table.round, table.due, table.procedure.closed
    if not isinstance(due, Perform):
        return False
    after = table.procedure.apply(this.rules, this.state, performed(this, due))
    if isinstance(after, Refusal):
        return False
    offers = table.game.wagers(this.rules)
    return any(on not in shut and closed(this.rules, after, Wager(on, 1)) is not None for on in offers)


def _shut(table: Table) -> dict[str, Refusal]:
    """The wagers that nobody may place now, each with its reason."""
    offers = table.game.wagers(table.ruleset.rules)
    if not table.open:
        return dict.fromkeys(offers, Refusal("the table is closed", table.general.limits.set.rule))
    if (known := known_already(table)) is not None:
        return dict.fromkeys(offers, known)
    taken: set[str] = set()
    found: dict[str, Refusal] = {}
    for on in offers:
        kind = wager_kind(on)
        refusal = None if kind in taken else refused_to(table, on, "nobody", ())
        if refusal is None:
            taken.add(kind)
        else:
            found[on] = refusal
    return found


def refused_to(
    table: Table, on: str, name: str, standing: tuple[Wager, ...], others: Refusal | None = None
) -> Refusal | None:
    """Why a player cannot place a wager now; `others` is why nobody without wagers can, be it small or large."""
    rules, this = table.ruleset.rules, table.round
    least = (table.house.own_limits(on) or (table.sign.minimum, 0))[0] or 1
    box = next((wager.box for wager in standing), 1)
    wager = Wager(on, least, by=name, box=box, number=this.numbered)
    shut = table.procedure.closed(rules, this.state, wager)
    if shut:
        return shut
    taken = this.game.accept(rules, table.sign, this.state, standing, (wager,))
    # What keeps a small wager out for the reason for which a large one was refused is not its size.
    if isinstance(taken, Refusal) and taken != others:
        larger = Wager(on, least * DIVISIBLE, by=name, box=box, number=this.numbered)
        taken = this.game.accept(rules, table.sign, this.state, standing, (larger,))
    return taken if isinstance(taken, Refusal) else None
