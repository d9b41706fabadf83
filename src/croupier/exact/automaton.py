"""The rules as integer tables.

Theory of operation.  Starting from an empty layout with some wagers down, `build` walks `demand`, `apply` and `judge`
over every symbol that can come (a symbol stands for all cards that behave alike) and numbers the positions it
meets.  A position is the game's `view` of the state together with what each wager remembers or how it was decided.
Positions with equal keys have equal futures, so a coup of baccarat needs some thousand positions although there are
millions of card sequences.

A wager that cannot be placed at the start (an insurance) is placed in the first position that accepts it: what
follows then is told given that it was offered.

The slow path this must agree with is `round.happen`; a twin test compares them card by card.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from croupier.equipment import Card
from croupier.game import (
    NO_SIGN,
    NORMAL,
    AnyGame,
    CardSeen,
    Deal,
    Irregular,
    Over,
    Refusal,
    Resolution,
    Ruling,
    Wager,
    granted,
)
from croupier.once import dataclass

Decided: TypeAlias = tuple[Resolution | None, ...]
Watchers: TypeAlias = tuple[Wager | Resolution, ...]

STAKE = 252_000_000
"""A stake that any odds and any percentage divide, so that no wager priced here meets a rounding."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """`step[position][symbol]` is the next position; `over` marks the final ones; `decided` tells them per wager.

    `empty[position]` is how each wager is decided if no card is left when one is due there.  A wager that was never
    offered on the way is None.
    """

    wagers: tuple[str, ...]
    symbols: tuple[Hashable, ...]
    step: tuple[tuple[int, ...], ...]
    over: tuple[bool, ...]
    decided: tuple[Decided, ...]
    empty: tuple[Decided, ...]


def symbols_of(game: AnyGame, rules: Any, *, exact_cards: bool) -> dict[Hashable, Card]:
    """The symbols of a game with a card for each; every card is its own symbol where suits and ranks matter."""
    found: dict[Hashable, Card] = {}
    for card in range(52):
        found.setdefault(card if exact_cards else game.symbol(rules, card), card)
    return found


def build(
    game: AnyGame, rules: Any, *, at_start: Sequence[str], later: Sequence[str] = (), exact_cards: bool = False
) -> Automaton:
    """Walk the game from an empty layout with one wager of each kind; `later` ones join where they are accepted."""
    return _Walk(game, rules, tuple(at_start), tuple(later), symbols_of(game, rules, exact_cards=exact_cards)).run()


class _Walk:
    """The breadth-first walk; an object only because its tables grow together."""

    def __init__(
        self,
        game: AnyGame,
        rules: Any,
        at_start: tuple[str, ...],
        later: tuple[str, ...],
        symbols: dict[Hashable, Card],
    ) -> None:
        self.game, self.rules, self.symbols = game, rules, symbols
        self.at_start, self.later = at_start, later
        self.numbers: dict[Hashable, int] = {}
        self.positions: list[tuple[Any, Watchers]] = []
        self.step: list[tuple[int, ...]] = []
        self.over: list[bool] = []
        self.decided: list[Decided] = []
        self.empty: list[Decided] = []

    def run(self) -> Automaton:
        self._number(*self._start())
        for position, (state, watchers) in enumerate(self.positions):
            due = self.game.demand(self.rules, state)
            final = not isinstance(due, Deal) or self._all_decided(watchers)
            self.over.append(final)
            self.decided.append(tuple(None if isinstance(w, Wager) else w for w in watchers))
            self.empty.append(() if final else self._without_cards(state, watchers))
            self.step.append((position,) * len(self.symbols) if final else self._steps(state, watchers))
        names = (*self.at_start, *self.later)
        return Automaton(
            names, tuple(self.symbols), tuple(self.step), tuple(self.over), tuple(self.decided), tuple(self.empty)
        )

    def _start(self) -> tuple[Any, Watchers]:
        state = self.game.begin(self.rules, NORMAL)
        wagers = tuple(Wager(on, STAKE, by=on, number=n) for n, on in enumerate(self.at_start))
        return state, (*wagers, *(Wager(on, 0, number=-1) for on in self.later))

    def _all_decided(self, watchers: Watchers) -> bool:
        return not any(isinstance(w, Wager) for w in watchers)

    def _number(self, state: Any, watchers: Watchers) -> int:
        key = watchers if self._all_decided(watchers) else (self.game.view(self.rules, state), watchers)
        known = self.numbers.get(key)
        if known is None:
            known = self.numbers[key] = len(self.positions)
            self.positions.append((state, watchers))
        return known

    def _steps(self, state: Any, watchers: Watchers) -> tuple[int, ...]:
        return tuple(self._after(state, watchers, CardSeen(card)) for card in self.symbols.values())

    def _after(self, state: Any, watchers: Watchers, fact: CardSeen | Ruling) -> int:
        after = granted(self.game.apply(self.rules, state, fact))
        return self._number(after, self._judged(state, watchers, fact, after))

    def _judged(self, before: Any, watchers: Watchers, fact: CardSeen | Ruling, after: Any) -> Watchers:
        return tuple(self._judge(w, before, fact, after) for w in watchers)

    def _judge(
        self, watcher: Wager | Resolution, before: Any, fact: CardSeen | Ruling, after: Any
    ) -> Wager | Resolution:
        if not isinstance(watcher, Wager):
            return watcher
        if watcher.number < 0:
            return self._offered(watcher, after)
        return self.game.judge(self.rules, watcher, before, fact, after)

    def _offered(self, waiting: Wager, state: Any) -> Wager:
        """A waiting wager is placed, beside a main wager of the same bettor, as soon as it is accepted."""
        if isinstance(self.game.demand(self.rules, state), Over):
            return waiting
        main = Wager(self.at_start[0], STAKE, by=waiting.on)
        placed = Wager(waiting.on, STAKE, by=waiting.on, number=1)
        accepted = self.game.accept(self.rules, NO_SIGN, state, (main,), (placed,))
        return waiting if isinstance(accepted, Refusal) else accepted[0]

    def _without_cards(self, state: Any, watchers: Watchers) -> Decided:
        """How the wagers are decided if the cards run out here."""
        ruling = granted(self.game.rule_on(self.rules, state, Irregular("insufficient_cards")))
        after = granted(self.game.apply(self.rules, state, ruling))
        judged = self._judged(state, watchers, ruling, after)
        return tuple(None if isinstance(w, Wager) else w for w in judged)
