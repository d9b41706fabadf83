"""Play that plays itself: what is due is answered, from a stack of cards and a source of chance.

Theory of operation.  A `Walker` looks at a round, adjudicated or at a live table, and tells facts that answer what is
due, each of which the round would take; the first is the one to try, and a later one if more than the rules
is against it, like a player's chips.  When a fact was taken, `took` lets the stack follow: a card has left it, it was
mixed, or the cutting card was put in.  Lessons, proofs and the dealer of a practice table all walk so; they differ in
where chance comes from, and in what players prefer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from croupier.answers.declaring import lying
from croupier.answers.facts import Handling, choices, handles, performed
from croupier.ceremony import CUTTING_CARD
from croupier.equipment import CARDS, Below, Card, card_name, shuffled
from croupier.game import DECLINING, CardSeen, Choose, Chosen, Deal, Over, Perform, Performed, Plain, Roll, Spin
from croupier.law.officials import DEALER, doer
from croupier.round import AnyRound

Prefers: TypeAlias = Callable[[Sequence[Chosen]], Sequence[Chosen]]

MODEST: Final = (DECLINING, {"stand"}, {"fold"}, {"ride"}, {"hit"}, {"refuse"}, {"pass_dice"})
"""What somebody chooses who wants nothing: no option that puts money down."""


def modest_first(options: Sequence[Chosen]) -> list[Chosen]:
    """The choices of somebody who wants nothing first: decline, stand, fold; the rest from the last."""

    def rank(choice: Chosen) -> int:
        return next((at for at, some in enumerate(MODEST) if choice.option in some), len(MODEST))

    wanted = [choice for choice in options if rank(choice) < len(MODEST)]
    return [*sorted(wanted, key=rank), *(choice for choice in reversed(options) if choice not in wanted)]


@dataclass(slots=True)
class Stack:
    """The cards in the shoe, the next one last; `behind` is how many lie behind the cutting card until that came."""

    decks: int
    left: list[Card] = field(default_factory=list)
    behind: int | None = None

    def mix(self, below: Below, out: Sequence[Card] = ()) -> None:
        """All cards come together and are shuffled, but for those that lie out."""
        together = list(range(CARDS)) * self.decks
        for card in out:
            together.remove(card)
        self.left = list(shuffled(tuple(together), below))
        self.behind = None

    @property
    def upcoming(self) -> Card | None:
        return self.left[-1] if self.left else None

    def lose(self, card: Card | None) -> None:
        """A card that somebody told of, which came from the shoe if it is the next one there."""
        if card is not None and card == self.upcoming:
            self.left.pop()


@dataclass(slots=True)
class Walker:
    """Somebody who answers what is due."""

    stack: Stack
    below: Below
    prefers: Prefers = modest_first

    def fork(self) -> Walker:
        return replace(self, stack=replace(self.stack, left=list(self.stack.left)))

    def facts(self, this: AnyRound) -> Iterator[Plain]:
        """Facts that answer what is due, in the order in which to try them; none where nothing is."""
        due = this.due
        match due:
            case Deal():
                yield self._card(this)
            case Roll() | Spin():
                assert this.game.chances is not None
                bound = this.game.bound(this.rules, this.state)
                yield bound or this.game.chances(this.rules).draw(self.below)
            case Choose(by=by):
                yield from self.prefers([choice for choice in choices(this) if choice.by == by])
            case Perform():
                yield performed(this, due, card_name(self._upcoming(this)) if handles(this, due.act) == "shown" else "")
            case Over():
                return

    def _card(self, this: AnyRound) -> Plain:
        if self.stack.behind is not None and len(self.stack.left) <= self.stack.behind:
            return CUTTING_CARD
        return this.game.bound(this.rules, this.state) or CardSeen(self._upcoming(this))

    def _upcoming(self, this: AnyRound) -> Card:
        """The next card; where none is left, the discards are mixed, which those on the layout are not among."""
        if not self.stack.left:
            self.stack.mix(self.below, lying(this))
        return self.stack.left[-1]

    def took(self, this: AnyRound, fact: Plain) -> None:
        """The stack after a fact that this round took."""
        match fact:
            case CardSeen(card=card) if this.game.bound(this.rules, this.state) is None:
                self.stack.lose(card)
            case Performed(act=CUTTING_CARD.act):
                self.stack.behind = None
            case Performed(act=act, detail=detail):
                self._handled(handles(this, act), detail)
            case _:
                pass

    def _handled(self, what: Handling, detail: int | str) -> None:
        match what:
            case "mixed":
                self.stack.mix(self.below)
            case "shown":
                del self.stack.left[-1:]
            case "burned":
                del self.stack.left[-(detail if isinstance(detail, int) else 1) :]
            case "marked" if isinstance(detail, int):
                self.stack.behind = detail
            case _:
                pass


def teller(fact: Plain) -> str:
    """The role of whoever tells a fact at a table: an official what is the official's, a dealer all the rest."""
    return doer(fact.by) if isinstance(fact, Performed) else DEALER
