"""A practice table in memory: a real host and the real virtual dealer, with a keeper that writes nothing down."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from croupier.floor.keeping.host import TABLES, Host, Watcher
from croupier.floor.practice.dealer import Pace, VirtualDealer, VirtualShoe
from croupier.floor.practice.guests import Guest, TerminalGuest
from croupier.floor.practice.terminals import NAME, called, set_up
from croupier.floor.wire import Answer
from croupier.game import Refusal, say
from croupier.law.general import in_force
from croupier.law.officials import DEALER, GAME_SUPERVISOR, PLAYER
from croupier.law.ruleset import Ruleset
from croupier.rulesets import known_game
from croupier.table import commands as c
from croupier.table.commands import AnyCommand, TableRequest
from croupier.table.events import TableEntry
from croupier.table.state import Table, new_table

AT_ONCE = Pace(0, 0, 0, 0)
SIGN: Mapping[str, Any] = {
    "minimum": 500,
    "maximum": 100_000,
    "chip": 100,
    "supervisor": "Sue",
    "signs": ("Crown Baccarat",),
}


@dataclass(eq=False)
class Unkept:
    """What a host needs of a keeper, in memory; `refused` counts what the virtual dealer was refused."""

    state: Table
    owned: bool = True
    journal: list[TableEntry] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    changed: Any = None

    @property
    def shown(self) -> Table:
        return self.state

    async def ask(self, command_id: str, request: TableRequest) -> Answer:
        events = TABLES.decide(self.state, request)
        if isinstance(events, Refusal):
            if request.by == NAME:
                self.refused[f"{say(self.state.due)}: {request.what}: {events.reason}"] += 1
            return Answer(command_id, done=False, line=0, reason=events.reason, rule=events.rule)
        lines = TABLES.entries(self.state, request, events)
        self.state = TABLES.after(self.state, lines)
        self.journal += lines
        self.changed(lines)
        return Answer(command_id, done=True, line=self.state.entries)


@dataclass
class Practice:
    """One practice table, its dealer, and short words for what tests do."""

    host: Host
    kept: Unkept
    dealer: VirtualDealer
    closing: asyncio.Event

    @property
    def table(self) -> Table:
        return self.kept.state

    async def sit(self, name: str, seat: int = 0) -> None:
        """Somebody with money: on a seat, or at the terminal of that number where no wager lies on the layout."""
        if in_force(self.table.layout.terminals_only):
            await set_up(self.host, [name])
            assert called(seat) in self.table.terminals
            return
        for command in (c.Sit(name, seat), c.BuyChips(name, 200_000)):
            assert (await self.host.ask("", command, by=NAME, role=DEALER)).done

    async def as_player(self, name: str, command: AnyCommand, *, meant: int = 0) -> Answer:
        return await self.host.ask("", command, by=name, role=PLAYER, meant=meant)

    def watched_by(self, name: str) -> Watcher:
        """A page of this player is open."""
        watcher = Watcher(name, PLAYER, lambda: None, lambda _: None)
        self.host.watchers[watcher] = None
        return watcher

    def guest(self, name: str, stakes: Mapping[str, int]) -> Guest | TerminalGuest:
        for terminal in self.table.terminals.values():
            if terminal.holder == name:
                return TerminalGuest(self.host, terminal.name, name, stakes, self.closing, every=0)
        return Guest(self.host, name, stakes, self.closing, every=0)


async def practice(rules: Ruleset[Any], pace: Pace = AT_ONCE, **sign: Any) -> Practice:
    """A table just opened."""
    game = known_game(rules.game)
    kept = Unkept(new_table("P-1", game, rules))
    host = Host(cast(Any, kept), practice=True, now_ms=lambda: 0)
    kept.changed = host.heard
    opened = await host.ask("", c.OpenTable(**{**SIGN, **sign}), by="Sue", role=GAME_SUPERVISOR)
    assert opened.done, opened.reason
    closing = asyncio.Event()
    dealer = VirtualDealer(host, pace, closing, VirtualShoe(max(1, game.decks(rules.rules))))
    return Practice(host, kept, dealer, closing)
