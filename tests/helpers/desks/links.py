"""Stud tables and their link, run together without a server: what the host does, done by hand.

`Floor` feeds the link from the journals of its tables, pays claims in their turn, and tells the tables what is due, by
the same functions as `floor/keeping/links.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.floor.keeping.links import due, joined
from croupier.game import Choose, Deal, Perform, Refusal
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.decide import decide
from croupier.house.jackpot.feed import Feed, hear
from croupier.house.jackpot.state import Link
from croupier.journal.messages import Request
from croupier.law.officials import JACKPOT_EQUIPMENT
from croupier.rulesets import known_game, ruleset
from croupier.table.desk import LiveTable
from croupier.table.linked import waits
from tests.helpers.desks.jackpot import MANAGER, SUPERVISOR, Desk, terms
from tests.helpers.desks.table import opened

ROYAL = ("As", "Ks", "Qs", "Js", "10s")
ROYAL_OF_HEARTS = ("Ah", "Kh", "Qh", "Jh", "10h")
FLUSH = ("2d", "4d", "6d", "8d", "10d")
NOTHING = ("2h", "3h", "4c", "9c", "7c")
DEALER = ("2c", "5c", "8s", "9s", "Jc")
WAGER, SEED = 200, 3_000_000


def stud(name: str = "T1", device: str = "shoe", *players: str) -> LiveTable:
    """An open stud table with its jackpot wager on the sign, and players with chips on the first boxes."""
    rules = ruleset("nz1996", game="caribbean_stud", version="", elections={"device": device})
    table = LiveTable(known_game("caribbean_stud"), rules, name)
    opened(table, jackpot=(0, WAGER), kinds={"jackpot": (WAGER, WAGER)}, supplies=device)
    for seat, player in enumerate(players or ("ann", "ben"), 1):
        table.sit(player, seat, chips=1_000_000)
    return table


@dataclass
class Floor:
    """A link with its tables by name; `refused` is what the link did not take."""

    tables: dict[str, LiveTable]
    desk: Desk = field(default_factory=Desk)
    feeds: dict[str, Feed] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)

    @property
    def link(self) -> Link:
        return self.desk.link

    def tend(self) -> None:
        """Everything that is due between the tables and the link, until nothing is."""
        moving = True
        while moving:
            moving = sum(self._fed(name) + self._paid(name) + self._closed_for(name) for name in self.tables) > 0

    def _fed(self, name: str) -> bool:
        table, start = self.tables[name], self.heard.get(name, 0)
        feed = self.feeds.get(name) or Feed(name, str(table.state.ruleset.elections["device"]))
        for line in table.journal[start:]:
            feed, requests = hear(feed, line)
            for what in requests if feed.link == self.link.name else ():
                self._ask(what)
        self.feeds[name], self.heard[name] = feed, len(table.journal)
        return len(table.journal) > start

    def _ask(self, what: m.AnyCommand) -> None:
        no = decide(self.link, Request(what, "someone", SUPERVISOR))
        if isinstance(no, Refusal):
            self.refused.append(no)
        else:
            self.desk.ask(what, SUPERVISOR)

    def _paid(self, name: str) -> bool:
        here = self.link.tables.get(name)
        asked: Request[m.AnyCommand] = Request(m.PayHands(name), "someone", SUPERVISOR)
        if here is None or not here.claims or isinstance(decide(self.link, asked), Refusal):
            return False
        self.desk.ask(m.PayHands(name), SUPERVISOR)
        return True

    def _closed_for(self, name: str) -> bool:
        what = due(self.link, name, self.tables[name].state)
        if what is not None:
            self.tables[name].ask(what, role=JACKPOT_EQUIPMENT)
        return what is not None

    # ---------------------------------------------------------------- playing

    def bet(self, name: str, *boxes: int) -> None:
        """An ante and a jackpot wager on each of these boxes, by who sits there."""
        table = self.tables[name]
        table.ceremony()
        for box in boxes:
            player = table.state.seats[box]
            table.bet(player, "ante", 1_000, box=box)
            table.bet(player, "jackpot", WAGER, box=box)
        self.tend()

    def play(self, name: str, hands: dict[int, tuple[str, ...]], *, until: str = "") -> None:
        """The round with these hands, a second a fact, to its end or to an act that begins so, or until it waits."""
        table = self.tables[name]
        number, cards = table.state.number, {f"box {box}": list(hand) for box, hand in hands.items()}
        cards["dealer"] = list(DEALER)
        while table.state.number == number and not waits(table.state):
            act = table.state.due
            table.now_ms += 1_000
            match act:
                case Perform() if until and act.act.startswith(until):
                    return
                case Perform():
                    table.act(act)
                case Deal(to=to):
                    table.tell(cards[to].pop(0))
                case Choose(by=by):
                    table.tell({"choose": "bet", "by": by})
                case _:
                    raise AssertionError(act)
            self.tend()


def floor(*tables: LiveTable, seed: int = SEED, pool_rate: int = 7_500) -> Floor:
    """A link that these tables have joined, and that has told them so."""
    made = Floor({table.state.name: table for table in tables})
    made.desk.ask(terms(pool_rate, 10_000 - pool_rate, seed=seed), MANAGER)
    for table in tables:
        joining = joined(table.state)
        assert joining is not None
        made.desk.ask(joining, MANAGER)
    made.tend()
    return made
