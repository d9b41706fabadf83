"""A table to work with: the value, its journal, and short words for the usual commands.

`LiveTable` holds the only mutable thing of this room, a reference to the table of the moment.  Every method makes a
request, decides it, writes the journal and evolves the table; a rule's no is raised as `Refused` with the rule, so that
a person at a prompt cannot overlook it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from croupier.game import AnyGame, Perform, Refusal, say
from croupier.law.ruleset import Ruleset
from croupier.money import Cents
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, Request
from croupier.table.decide import decide
from croupier.table.events import Entry, Events, decode, encode
from croupier.table.evolve import after, entries
from croupier.table.explain import explain
from croupier.table.general import DEALER, GAME_SUPERVISOR, LADDER
from croupier.table.state import Table, new_table


class Refused(ValueError):
    """A rule said no."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason} [{refusal.rule}]")
        self.refusal = refusal


class LiveTable:
    """One table, its journal, and who is asking."""

    def __init__(self, game: AnyGame, ruleset: Ruleset[Any], name: str = "table 1") -> None:
        self.state: Table = new_table(name, game, ruleset)
        self.journal: list[Entry] = []
        self.now_ms = 0

    # ---------------------------------------------------------------- asking

    def ask(self, what: AnyCommand, *, by: str = "", role: str = DEALER) -> Events:
        """Decide a command and let it happen; raises `Refused` if a rule says no."""
        request = Request(what, by or role, role, self.now_ms)
        events = decide(self.state, request)
        if isinstance(events, Refusal):
            raise Refused(events)
        lines = entries(self.state, request, events)
        self.state = after(self.state, lines)
        self.journal += lines
        return events

    def open(self, *, minimum: Cents, maximum: Cents, **choices: Any) -> None:
        """Open with a sign; the supervisor of the same name does it."""
        choices.setdefault("supervisor", "the game supervisor")
        self.ask(c.OpenTable(minimum=minimum, maximum=maximum, **choices), role=GAME_SUPERVISOR)

    def sit(self, player: str, seat: int = 0, *, chips: Cents = 0) -> None:
        """Somebody sits down and buys chips."""
        self.ask(c.Sit(player, seat))
        if chips:
            self.ask(c.BuyChips(player, chips))

    def bet(self, player: str, on: str, amount: Cents, **more: Any) -> int:
        """A wager; answers with its number in the book."""
        self.ask(c.PlaceWager(player, on, amount, **more), by=player, role="player")
        return self.state.round.numbered - 1

    def tell(self, *facts: str | Mapping[str, Any], role: str = DEALER, by: str = "") -> Events:
        """Facts as they happen, in the notation."""
        told: list[Any] = []
        for fact in facts:
            told += self.ask(c.Tell(fact if isinstance(fact, str) else dict(fact)), role=role, by=by)
        return tuple(told)

    def ceremony(self, *, card: str = "5s") -> None:
        """Let staff do what is due, act by act, until cards, dice, a choice or wagers are due, or the round is over.

        `card` is the one that is burned face up, if one is.
        """
        number = self.state.number
        while isinstance(due := self.state.due, Perform) and self.state.number == number:
            if due.act.startswith("call No more bets") and not self.state.round.standing:
                return
            self.act(due, card=card)

    def act(self, due: Perform, *, card: str = "5s") -> None:
        """The act that is due, done as it usually is by whoever must."""
        this = self.state.round
        detail = self.state.procedure.usual(this.rules, this.state, due.act, card)
        fact = {"perform": due.act, "by": due.by} | ({} if detail == "" else {"detail": detail})
        self.tell(fact, role=due.by if due.by in LADDER else DEALER)

    def deal(self, *cards: str) -> None:
        """Cards in turn, with the acts of staff before each and after the last."""
        for card in cards:
            self.ceremony()
            self.tell(card)
        self.ceremony()

    # ---------------------------------------------------------------- looking

    @property
    def due(self) -> str:
        """What is due now, and the rule."""
        demand = self.state.due
        return f"{say(demand)} [{demand.rule}]"

    def chips(self, player: str) -> Cents:
        return self.state.chips(player)

    def explain(self, number: int = 0) -> str:
        """The story of a round; without a number, of the one in hand or the last one finished."""
        in_hand = self.state.number if self.state.steps or self.state.placed else self.state.number - 1
        return explain(self.journal, number or max(1, in_hand))

    def written(self) -> list[bytes]:
        """The journal as it is stored."""
        return [encode(entry) for entry in self.journal]


def replay(game: AnyGame, ruleset: Ruleset[Any], journal: Iterable[bytes], name: str = "table 1") -> Table:
    """The table that a stored journal leads to."""
    return after(new_table(name, game, ruleset), map(decode, journal))
