"""The doors of the house's rooms: cage, links, tournament, people, devices, each asked through its `decide`.

begins drawn                                   a room as far as the helpers of its tests bring it (see `BEGINS`)
lee the cashier: redeem voucher voucher=… amount=400 issued.table=EB-1 …
director: publish conditions wager.minimum=20  the usual conditions with this changed
20 minutes pass
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import msgspec

from croupier.game import Refusal
from croupier.house.cage import decide as cage
from croupier.house.cage import messages as cage_messages
from croupier.house.cage.state import Cage
from croupier.house.cage.state import after as cage_after
from croupier.house.devices import decide as devices
from croupier.house.jackpot import decide as jackpot
from croupier.house.jackpot import messages as jackpot_messages
from croupier.house.jackpot.state import after as jackpot_after
from croupier.house.jackpot.state import new_link
from croupier.house.people import decide as people
from croupier.house.people import messages as people_messages
from croupier.house.tournament import conditions as terms
from croupier.house.tournament import decide as tournament
from croupier.house.tournament import messages as tournament_messages
from croupier.house.tournament.due import due
from croupier.house.tournament.state import after as tournament_after
from croupier.house.tournament.state import new_tournament
from croupier.journal.entries import entries
from croupier.journal.messages import Request
from croupier.law.officials import GAME_SUPERVISOR
from tests.helpers.desks import jackpot as jackpot_desk
from tests.helpers.desks import tournament as tournament_desk
from tests.law.matrix.answers import Answer, dollars, is_money, of_event
from tests.law.matrix.facts import _value, command_of, vocabulary
from tests.law.matrix.language import Law, Seen, Step
from tests.law.matrix.table_door import MINUTE_MS, asker

Asked = Callable[[Any, Request[Any]], Any]


@dataclass(slots=True)
class Room:
    """A room: what it is now, what can be asked of it, and how it follows from its lines."""

    state: Any
    commands: Mapping[tuple[str, ...], type[msgspec.Struct]]
    decide: Asked
    after: Callable[[Any, Any], Any]
    begins: Mapping[str, Callable[[], tuple[Any, int]]] = field(default_factory=dict)
    now_ms: int = 0

    def do(self, step: Step) -> list[Answer]:
        match step.words:
            case ("begins", name) if name in self.begins:
                self.state, self.now_ms = self.begins[name]()
                return []
            case (minutes, "minutes", "pass"):
                self.now_ms += int(minutes) * MINUTE_MS
                return []
            case _ if not step.who:
                raise ValueError(f"{step.text!r} means nothing here; it begins {', '.join(self.begins) or 'at once'}")
        by, role = officer(step.who)
        request = Request(self._command(step), by, role, self.now_ms)
        events = self.decide(self.state, request)
        if isinstance(events, Refusal):
            return [Answer("refused", {"reason": events.reason}, events.rule)]
        lines = entries(self.state.entries, request, events)
        self.state = self.after(self.state, lines)
        return [answer for line in lines for answer in of_event(line.event, by=line.by, role=line.role)]

    def _command(self, step: Step) -> Any:
        if step.words[:2] in (("record", "hand"), ("correct", "hand")):
            return _hand(step)
        if step.words == ("publish", "conditions"):
            return tournament_messages.PublishConditions(_changed(tournament_desk.conditions(), dict(step.named)))
        return command_of(self.commands, step.words, step.named)

    def look(self, _: Seen) -> list[Answer]:
        balances = getattr(self.state, "balances", {})
        answers = [Answer("holds", {"who": name, "amount": dollars(held)}) for name, held in balances.items()]
        for name, entrant in getattr(self.state, "entrants", {}).items():
            answers.append(Answer("has", {"who": name, "amount": str(entrant.chips)}))
        if hasattr(self.state, "entrants"):
            asks = due(self.state, at_ms=self.now_ms)
            answers += [
                Answer("due", {"what": each.what, "by": each.by, "about": each.about}, each.rule) for each in asks
            ]
        return answers


def _hand(step: Step) -> tournament_messages.RecordHand | tournament_messages.CorrectHand:
    """`record hand B1 2h 9d Kc Ks ann=banker:100,tie:10 secret=ann`: the cards, and who had what where.

    `correct hand … reason=misread`: the same, in the place of the last one.
    """
    named = dict(step.named)
    reason = named.pop("reason", "")
    secret = tuple(filter(None, named.pop("secret", "").split(",")))
    wagers = {
        name: {on: int(chips) for on, _, chips in (each.partition(":") for each in text.split(",") if each)}
        for name, text in named.items()
    }
    what, _, table, *cards = step.words
    hand = tournament_messages.PlayedHand(wagers, tuple(cards), secret=secret)
    if what == "correct":
        return tournament_messages.CorrectHand(table, hand, reason)
    return tournament_messages.RecordHand(table, hand)


def officer(who: str) -> tuple[str, str]:
    """Who asks; in a tournament its director and deputy are people in a role of the house."""
    if who in ("director", "deputy"):
        name = tournament_desk.DIRECTOR if who == "director" else tournament_desk.DEPUTY
        return name, tournament_desk.MANAGER if who == "director" else GAME_SUPERVISOR
    return asker(who)


def _changed(thing: Any, named: Mapping[str, str]) -> Any:
    """Terms with some of their figures changed, each by its path; `none` leaves a part of them blank."""
    for path, text in named.items():
        head, point, tail = path.partition(".")
        if head not in thing.__struct_fields__:
            raise ValueError(f"the conditions have no {path}")
        inside = getattr(thing, head)
        hint = msgspec.structs.fields(thing)[thing.__struct_fields__.index(head)].type
        money = is_money(type(thing), head)
        blank = text == "none" and type(None) in get_args(hint)
        value = _changed(inside, {tail: text}) if point else None if blank else _value(hint, text, money=money)
        thing = msgspec.structs.replace(thing, **{head: value})
    return thing


def _tournament(make: Callable[[], tournament_desk.Desk]) -> Callable[[], tuple[Any, int]]:
    def begun() -> tuple[Any, int]:
        desk = make()
        return desk.state, desk.now

    return begun


def _link(pool: int) -> Callable[[], tuple[Any, int]]:
    return lambda: (jackpot_desk.a_link(pool).link, 0)


def _cage_open() -> tuple[Any, int]:
    room = ROOMS["cage"](Law("nz1996"))
    for who, what in (
        ("casino supervisor", cage_messages.OpenCage(practice=False)),
        ("cashier", cage_messages.OpenShift(5_000_000, 5_000_000)),
    ):
        request: Request[Any] = Request(what, "lee", who, 0)
        answer = cage.decide(room.state, request)
        assert not isinstance(answer, Refusal), answer
        room.state = cage_after(room.state, entries(room.state.entries, request, answer))
    return room.state, 0


def _for_cash() -> tournament_desk.Desk:
    """A round in which chips become cash, and at B1 only ann has any left."""
    desk = tournament_desk.started(chips=terms.ChipTerms(start=1_000, buy_in=500, disposition="cash", chip_cents=10))
    for _ in range(2):
        desk.hand("B1", ann=500, cat=-500, eve=-500)
    return desk


def _changed_rules() -> tournament_desk.Desk:
    """A round under conditions that pay the Banker without commission and take no Tie."""
    banker, rule = ("bets.banker.pays", "1 to 1"), tournament_desk.V
    return tournament_desk.started(
        modifications=(
            terms.Modification(f"{rule}10.1.trad-banker", "Banker pays even money", *banker),
            terms.Modification(f"{rule}6.5", "no Tie wagers", "permitted", ["player", "banker"]),
        )
    )


CONTESTS: Final = {
    "approved": _tournament(tournament_desk.approved), "entered": _tournament(tournament_desk.entered),
    "drawn": _tournament(tournament_desk.drawn), "started": _tournament(tournament_desk.started),
    "directed": _tournament(tournament_desk.with_director), "played": _tournament(tournament_desk.first_round),
    "cash": _tournament(_for_cash), "changed": _tournament(_changed_rules),
}  # fmt: skip
LINKS: Final = {"open": _link(0), "filled": _link(10_000_000)}

ROOMS: Final[Mapping[str, Callable[[Law], Room]]] = {
    "cage": lambda _: Room(
        Cage(), vocabulary(cage_messages.AnyCommand), cage.decide, cage_after, {"open": _cage_open}, 2000
    ),
    "links": lambda _: Room(
        new_link("grand"), vocabulary(jackpot_messages.AnyCommand), jackpot.decide, jackpot_after, LINKS
    ),
    "tournament": lambda _: Room(
        new_tournament("cup"), vocabulary(tournament_messages.AnyCommand), tournament.decide,
        tournament_after, CONTESTS,
    ),
    "people": lambda _: Room(
        people.People(), vocabulary(people_messages.AnyCommand), people.decide, people.after
    ),
    "devices": lambda _: Room(devices.Devices(), vocabulary(devices.AnyCommand), devices.decide, devices.after),
}  # fmt: skip
