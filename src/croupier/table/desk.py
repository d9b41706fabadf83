"""A table to work with: the value, its journal, and short words for the usual commands.

`LiveTable` holds the only mutable thing of this room, a reference to the table of the moment.  Every method makes a
request, decides it, writes the journal and evolves the table; a rule's no is raised as `Refused` with the rule, so that
a person at a prompt cannot overlook it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.present import Rows, drawn, html_table, short

if TYPE_CHECKING:
    from rich.table import Table as RichTable

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from croupier.errors import BadInput, Refused, expected, text_of, unknown, whole_of
from croupier.game import AnyGame, Choose, Perform, Refusal, say
from croupier.game.kinds import NO_MORE_BETS
from croupier.journal.entries import encode
from croupier.law.officials import DEALER, GAME_SUPERVISOR, PLAYER, doer
from croupier.law.ruleset import Ruleset
from croupier.money import Cents
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.decide import DECISIONS, decide
from croupier.table.events import Events, TableEntry, decode
from croupier.table.evolve import after, entries
from croupier.table.explain import explain
from croupier.table.state import Table, new_table


def _check_kinds(what: AnyCommand) -> None:
    """A command is as it would come over a wire, every field of its kind."""
    if type(what) not in DECISIONS:
        raise expected("what is asked", what, "a command of croupier.table.commands")
    try:
        msgspec.convert(msgspec.to_builtins(what, builtin_types=(bytes,)), type=type(what))
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        raise BadInput(f"{type(what).__name__}: {error}") from error


class LiveTable:
    """One table, its journal, and who is asking."""

    def __init__(self, game: AnyGame, ruleset: Ruleset[Any], name: str = "table 1") -> None:
        self.state: Table = new_table(name, game, ruleset)
        self.journal: list[TableEntry] = []
        self.now_ms = 0

    # ---------------------------------------------------------------- asking

    def ask(self, what: AnyCommand, *, by: str = "", role: str = DEALER) -> Events:
        """Decide a command and let it happen; raises `Refused` if a rule says no, `BadInput` for a wrong kind."""
        _check_kinds(what)
        text_of("by", by)
        text_of("role", role)
        request = TableRequest(what, by or role, role, self.now_ms)
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
        """A wager; answers with its number in the book.  One that was `found` on the layout the dealer reports."""
        who = {} if more.get("found") else {"by": player, "role": PLAYER}
        self.ask(c.PlaceWager(player, on, amount, **more), **who)
        return self.state.round.numbered - 1

    def tell(self, *facts: str | Mapping[str, Any], role: str = DEALER, by: str = "") -> Events:
        """Facts as they happen, in the notation; a bare choice is that of whoever is asked."""
        events: list[Any] = []
        for fact in facts:
            events += self.ask(c.Tell(self._named(fact)), role=role, by=by)
        return tuple(events)

    def _named(self, fact: str | Mapping[str, Any]) -> str | dict[str, Any]:
        due = self.state.due
        if isinstance(fact, Mapping):
            return dict(fact)
        if not isinstance(fact, str):
            raise expected("a fact", fact, "a text, or values by name")
        return {"choose": fact, "by": due.by} if isinstance(due, Choose) and fact in due.options else fact

    def ceremony(self, *, card: str = "5s") -> None:
        """Let staff do what is due, act by act, until cards, dice, a choice or wagers are due, or the round is over.

        `card` is the one that is burned face up, if one is.
        """
        number = self.state.number
        while isinstance(due := self.state.due, Perform) and self.state.number == number:
            called = self.state.game.kind(self.state.ruleset.rules, due.act)
            if called == NO_MORE_BETS and not self.state.round.standing:
                return
            self.act(due, card=card)

    def act(self, due: Perform, *, card: str = "5s") -> None:
        """The act that is due, done as it usually is by whoever must."""
        this = self.state.round
        detail = self.state.procedure.usual(this.rules, this.state, due.act, card)
        fact = {"perform": due.act, "by": due.by} | ({} if detail == "" else {"detail": detail})
        self.tell(fact, role=doer(due.by))

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
        """What a player has in chips; of somebody who never was here it is told that nobody knows them."""
        held = self.state.chips(text_of("player", player))
        known = {*self.state.players, *self.state.terminals, *self.state.retired}
        if not held and player not in known and not self._ever_named(player):
            raise unknown("player", player, sorted(known))
        return held

    def _ever_named(self, player: str) -> bool:
        """Whether a line of the journal is about somebody who is here no more."""
        names = (getattr(entry.event, field, "") for entry in self.journal for field in ("player", "terminal"))
        return player in names

    def rows(self) -> Rows:
        """One flat dictionary a person at the table, for a data frame; money in cents."""
        table = self.state
        return [
            {"player": name, "seat": player.seat, "chips": table.chips(name), "staked": table.staked(name)}
            for name, player in table.players.items()
        ]

    def to_dict(self) -> dict[str, object]:
        """The table as plain data: its rules, what is due, who is there, what lies on the layout."""
        table = self.state
        wagers = [
            {"number": line.wager.number, "player": line.wager.by, "on": line.wager.on, "stake": line.wager.stake_cents}
            for line in table.round.book
            if line.resolution is None
        ]
        rules = {"game": table.ruleset.game, "edition": table.ruleset.edition, "version": table.ruleset.version}
        return {
            "table": table.name,
            **rules,
            "open": table.open,
            "round": table.number,
            "due": say(table.due),
            "rule": table.due.rule,
            "players": self.rows(),
            "wagers": wagers,
        }

    def __repr__(self) -> str:
        table = self.state
        return short(
            "Table",
            name=table.name,
            rules=table.ruleset.label,
            round=table.number,
            players=len(table.players),
            due=self.due,
        )

    def __rich__(self) -> RichTable:
        return drawn(self.rows(), repr(self))

    def _repr_html_(self) -> str:
        return html_table(self.rows(), f"{self.state.name}: {self.state.ruleset.label}", f"due: {self.due}")

    def explain(self, number: int = 0) -> str:
        """The story of a round; without a number, of the one in hand or the last one finished."""
        whole_of("the number of a round", number)
        in_hand = self.state.number if self.state.steps or self.state.placed else self.state.number - 1
        return explain(self.journal, number or max(1, in_hand))

    def written(self) -> list[bytes]:
        """The journal as it is stored."""
        return [encode(entry) for entry in self.journal]


def replay(game: AnyGame, ruleset: Ruleset[Any], journal: Iterable[bytes], name: str = "table 1") -> Table:
    """The table that a stored journal leads to."""
    return after(new_table(name, game, ruleset), map(decode, journal))
