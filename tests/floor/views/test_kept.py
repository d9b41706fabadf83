"""A view that was kept is the one that would be written anew: in every game, after every line, for everybody.

`KeptViews` is the fast way and `shared` and `own` the slow one; here both see tables that play themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.floor.views.board import PUBLIC, board_view
from croupier.floor.views.kept import EVERYBODY, KeptViews
from croupier.floor.views.recent import Recent
from croupier.floor.views.viewer import Clocks, own, shared
from croupier.game import Refusal
from croupier.law.officials import DEALER, PLAYER
from croupier.law.ruleset import Ruleset
from croupier.prove.table_driver import NAMES, Driver
from croupier.prove.terminal_requests import TERMINALS
from croupier.rulesets import known_game, ruleset
from croupier.table.betting.offers import betting, refused_to
from croupier.table.commands import AnyCommand, WithdrawWager
from croupier.table.events import Events, TableEntry
from croupier.table.state import Table
from croupier.table.walk import PLAYERS, Chance, Walk

RULES = (
    ("nz1996", "baccarat", "full"),
    ("nzd5", "baccarat", "midi"),
    ("vic2002", "baccarat", "crown"),
    ("nz1996", "blackjack", ""),
    ("nz1996", "roulette", ""),
    ("nz1996", "tai_sai", ""),
    ("nz1996", "money_wheel", ""),
    ("nz1996", "caribbean_stud", ""),
    ("nz1996", "craps", ""),
)
ELECTRONIC = (("nzeb", "baccarat", "terminals"), ("nzeb", "baccarat", "hybrid"))
STEPS, REQUESTS = 50, 120
WATCHERS = (*((name, PLAYER) for name in PLAYERS), ("Nobody", PLAYER), ("Dot", DEALER), ("", PUBLIC))


def anew(table: Table, recent: Recent, name: str, role: str) -> dict[str, Any]:
    """The view as it is written without anything kept."""
    if role == PUBLIC:
        return dict(msgspec.to_builtins(board_view(table, recent, practice=True, clocks=Clocks())))
    both = shared(table, recent, staff=role != PLAYER, practice=True), own(table, name, role)
    return {key: value for part in both for key, value in msgspec.to_builtins(part, str_keys=True).items()}


class Watching:
    """Somebody who is sent a view only when what it follows from is another."""

    def __init__(self, name: str, role: str) -> None:
        self.name, self.role = name, role
        self.follows: object = None
        self.seen: dict[str, Any] = {}
        self.sent = 0

    def look(self, kept: KeptViews, table: Table, recent: Recent) -> None:
        follows = kept.follows(table, self.name, self.role)
        if follows != self.follows:
            self.follows, self.sent = follows, self.sent + 1
            clocks = Clocks(offers=kept.offers)
            self.seen = msgspec.json.decode(kept.view(table, recent, lambda: clocks, self.name, self.role) + b"}")


def same(table: Table, recent: Recent, watching: Watching) -> None:
    true = msgspec.json.decode(msgspec.json.encode(anew(table, recent, watching.name, watching.role)))
    wrong = {part for part in true.keys() | watching.seen.keys() if true.get(part) != watching.seen.get(part)}
    assert not wrong, f"{watching.name or watching.role} at line {table.entries}: {wrong}"


def open_to(table: Table, name: str) -> tuple[str, ...]:
    """What is shut to others and open to this player, each tried as a small and as a large wager."""
    mine = tuple(wager for wager in table.round.standing if wager.by == name)
    shut = betting(table).shut if mine and table.open else ()
    return tuple(on for on in shut if refused_to(table, on, name, mine) is None)


class Gallery:
    """Everybody who watches a table; they look after everything that was asked of it."""

    def __init__(self, *people: tuple[str, str]) -> None:
        self.kept, self.recent, self.heard, self.looks = KeptViews(practice=True), Recent(), 0, 0
        self.asleep = self.stayed = 0
        self.watchers = [Watching(*each) for each in people]

    def look(self, table: Table, journal: list[TableEntry]) -> None:
        self.recent.hear(journal[self.heard :])
        self.heard, self.looks = len(journal), self.looks + 1
        turn, mine = self.kept.turn, dict(self.kept.mine)
        self.kept.look(table, self.recent, Clocks(offers=self.kept.offers))
        touched, self.kept.touched = self.kept.touched, set()
        for watching in self.watchers:
            woken = watching.role != PLAYER or touched & {EVERYBODY, watching.name}
            assert woken or watching.follows == self.kept.follows(table, watching.name, PLAYER), watching.name
            self.asleep += not woken
            watching.look(self.kept, table, self.recent)
            same(table, self.recent, watching)
            if watching.role == PLAYER:
                assert self.kept.offers.opens(table, watching.name) == open_to(table, watching.name)
        if self.kept.turn != turn:
            self.stayed += sum(self.kept.mine.get(name) is written for name, written in mine.items())


@dataclass(slots=True)
class WatchedWalk(Walk):
    """A table that plays itself."""

    gallery: Gallery = field(default_factory=lambda: Gallery(*WATCHERS))

    def ask(self, what: AnyCommand, *, by: str = "", role: str = DEALER) -> Events | Refusal:
        events = Walk.ask(self, what, by=by, role=role)
        self.gallery.look(self.table, self.journal)
        return events


class WatchedDriver(Driver):
    """A table at which anything is asked, sensible or not; its terminals watch too."""

    def __init__(self, rules: Ruleset[Any], chance: Random) -> None:
        names = ((name, PLAYER) for name in (*NAMES, *TERMINALS))
        self.gallery = Gallery(*names, ("Dot", DEALER), ("", PUBLIC))
        super().__init__(known_game(rules.game), rules, chance)

    def ask(self, what: AnyCommand, role: str = DEALER, by: str = "") -> Refusal | None:
        refusal = super().ask(what, role, by)
        self.gallery.look(self.table, self.journal)
        return refusal


@pytest.mark.parametrize(("edition", "game", "version"), [*RULES, *ELECTRONIC])
def test_what_is_kept_holds_whatever_is_asked(edition: str, game: str, version: str) -> None:
    driver = WatchedDriver(ruleset(edition, game=game, version=version), Random(3))
    for _ in range(REQUESTS):
        driver.step()
    assert driver.refused < driver.requests
    # A terminal is not sent what others touch.
    first = driver.gallery.watchers[len(NAMES)]
    assert not driver.table.terminals or first.sent < driver.gallery.looks * 0.9


@pytest.mark.parametrize(("edition", "game", "version"), RULES)
def test_what_is_kept_is_what_would_be_written(edition: str, game: str, version: str) -> None:
    walk = WatchedWalk(ruleset(edition, game=game, version=version), Chance("kept"))
    for step in range(STEPS):
        walk.prepare()
        if step % 5 == 4 and walk.table.round.standing:
            wager = walk.table.round.standing[-1]
            walk.ask(WithdrawWager(wager.by, wager.number), by=wager.by, role=PLAYER)
        walk.step()
    stranger, board = walk.gallery.watchers[3], walk.gallery.watchers[-1]
    # If these two were sent every wager, nothing would be kept.
    assert max(stranger.sent, board.sent) < walk.gallery.looks * 0.9
    # And a player who is not touched is not even asked.
    assert walk.gallery.asleep
    # What is told to all leaves what is a player's own as it was written, unless the game can bring it there.
    assert walk.gallery.stayed or game in ("blackjack", "caribbean_stud", "craps")
