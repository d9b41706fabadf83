"""A tournament to test with: approved, entered, drawn, started, and its first round played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from croupier.game import Refusal
from croupier.house.tournament import conditions as t
from croupier.house.tournament import messages as m
from croupier.house.tournament.decide import TournamentRequest, decide
from croupier.house.tournament.state import Tournament, after, new_tournament
from croupier.journal.entries import entries
from croupier.journal.messages import Entry, Request

V = "VIC2002-"
MANAGER, DIRECTOR, DEPUTY = "casino manager", "dora", "dan"
OFFICE = "Director of Casino Surveillance"
MINUTE = 60_000
SIX = ("ann", "ben", "cat", "dee", "eve", "fay")
E = TypeVar("E", bound=m.AnyEvent)


def asked(this: Tournament, request: TournamentRequest) -> tuple[Tournament, tuple[Entry[m.AnyEvent], ...]] | Refusal:
    """The tournament after a request, and the lines it adds to the journal."""
    events = decide(this, request)
    if isinstance(events, Refusal):
        return events
    lines = entries(this.entries, request, events)
    return after(this, lines), lines


def replay(name: str, journal: Iterable[bytes]) -> Tournament:
    """The tournament that a stored journal leads to."""
    return after(new_tournament(name), map(m.decode, journal))


def snapshot(this: Tournament) -> bytes:
    """The tournament as bytes, the same for equal ones; the law is left out."""
    fields = [name for name in this.__struct_fields__ if name not in ("rules", "general")]
    values = {name: getattr(this, name) for name in fields}
    return msgspec.json.encode(msgspec.to_builtins(values, str_keys=True, order="sorted"), order="sorted")


def conditions(**parts: Any) -> t.Conditions:
    """Six players at two tables; the best of each table and one more play the final."""
    usual: dict[str, Any] = {
        "entry_fee": 10_000,
        "chips": t.ChipTerms(start=1_000, buy_in=500, disposition="collected"),
        "wager": t.WagerTerms(compulsory=True, minimum=10, maximum=500),
        "structure": t.Structure(
            rounds=(
                t.RoundTerms(MINUTE, hands=3, minutes=30, tables=2, seats=3, progress=1, best_others=1),
                t.RoundTerms(100 * MINUTE, hands=2, minutes=0, tables=1, seats=6),
            ),
            notice_minutes=15,
        ),
        "secret_wagers": t.SecretTerms(1, "on a card, face down"),
        "buy_back": t.BuyBackTerms(1, (1,), 20_000, "at the desk"),
        "eligibility": t.Eligibility("only those who may gamble", right_to_refuse=True, may_refuse="we may refuse"),
        "entry": t.EntryTerms(withdraw_until_ms=1_000, form="form 12", least_players=2, most_players=6),
        "leaving": t.LeavingTerms(("insulting others",), retirement=True, fee_refund=5_000, buy_in_refund=10_000),
        "lateness": t.LateTerms(grace_minutes=5, late="plays on", absent="eliminated"),
        "prizes": (100_000, 50_001, 20_000),
        "precedence": "the rules prevail",
        "modifications": (t.Modification(V + "6.5", "no Tie wagers"),),
    }
    return t.Conditions(**{**usual, **parts})


PLAYER_WINS = ("9h", "2d", "Kc", "Ks")


def hand(table: str, **played: tuple[int, int]) -> m.RecordHand:
    """A hand that the Player wins: what each staked in all, and what came back of it.

    Half of what came back was on the Player, the rest on the Banker.
    """
    wagers = {
        name: {on: chips for on, chips in (("player", back // 2), ("banker", stake - back // 2)) if chips}
        for name, (stake, back) in played.items()
    }
    return m.RecordHand(table, m.PlayedHand(wagers, PLAYER_WINS))


def in_secret(command: m.RecordHand, *names: str) -> m.RecordHand:
    """The same hand, in which these made their wagers in secret."""
    return m.RecordHand(command.table, msgspec.structs.replace(command.hand, secret=names))


class Desk:
    """A tournament with its journal."""

    def __init__(self) -> None:
        self.state = new_tournament("cup")
        self.journal: list[Entry[m.AnyEvent]] = []
        self.now = 0

    def request(self, what: m.AnyCommand, by: str = DIRECTOR, role: str = MANAGER) -> Request[m.AnyCommand]:
        return Request(what, by, role, self.now)

    def ask(self, what: m.AnyCommand, by: str = DIRECTOR, role: str = MANAGER) -> m.Events:
        answer = asked(self.state, self.request(what, by, role))
        assert not isinstance(answer, Refusal), answer
        self.state, lines = answer
        self.journal += lines
        return tuple(line.event for line in lines)

    def refused(self, what: m.AnyCommand, by: str = DIRECTOR, role: str = MANAGER) -> Refusal:
        answer = decide(self.state, self.request(what, by, role))
        assert isinstance(answer, Refusal), answer
        return answer

    def of(self, account: str) -> int:
        return self.state.balances.get(account, 0)

    def hand(self, table: str, **net: int) -> m.Events:
        """A hand that the Player wins, in which everybody ends so much up or down, as far as the chips go."""
        played = {name: (won, 2 * won) if won > 0 else (min(-won, self.chips(name)), 0) for name, won in net.items()}
        return self.ask(hand(table, **played), role="dealer")

    def chips(self, name: str) -> int:
        return self.state.entrants[name].chips


def the(kind: type[E], events: m.Events) -> E:
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def all_of(kind: type[E], events: m.Events) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def with_director() -> Desk:
    desk = Desk()
    desk.ask(m.AppointDirector(DIRECTOR, "game supervisor"))
    return desk


def approved(**parts: Any) -> Desk:
    desk = with_director()
    desk.ask(m.NameDeputy(DEPUTY, "game supervisor"))
    desk.ask(m.PublishConditions(conditions(**parts)))
    desk.ask(m.RecordApproval(OFFICE, "DCS 02/7"))
    return desk


def entered(*names: str, **parts: Any) -> Desk:
    desk = approved(**parts)
    for name in names or SIX:
        desk.ask(m.Enter(name), name, "player")
    return desk


def seats(*names: str, tables: tuple[str, ...] = ("B1", "B2")) -> dict[str, tuple[str, int]]:
    return {name: (tables[index % len(tables)], 1 + index // len(tables)) for index, name in enumerate(names)}


def drawn(*names: str, **parts: Any) -> Desk:
    """Briefed, at designated tables, drawn: B1 has ann, cat and eve, B2 has ben, dee and fay."""
    desk = entered(*names, **parts)
    desk.ask(m.CheckIn(DIRECTOR))
    desk.ask(m.Brief(names or SIX))
    desk.ask(m.DesignateTables(("B1", "B2")))
    desk.ask(m.DrawSeats(seats(*(names or SIX))))
    return desk


def started(*names: str, **parts: Any) -> Desk:
    desk = drawn(*names, **parts)
    for name in names or SIX:
        desk.ask(m.TakeSeat(name, name), role="dealer")
    desk.now = MINUTE
    desk.ask(m.StartRound())
    return desk


def first_round(**parts: Any) -> Desk:
    """Three hands at both tables: ann and ben win theirs, cat is best of the others; fay is broke."""
    desk = started(**parts)
    for _ in range(3):
        desk.hand("B1", ann=200, cat=150, eve=-100)
        desk.hand("B2", ben=300, dee=-50, fay=-100)
    for table in ("B1", "B2"):
        desk.ask(m.EndTable(table))
    return desk
