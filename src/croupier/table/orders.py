"""Who tells a fact, and who must order it.

Theory of operation.  The person who asks is known, and that alone decides.  A player speaks for himself.  Staff record
what players and devices do, each by name; what staff do or order themselves they do in their own role, whatever word
stands in the fact.  The game is asked whether it takes the fact from that role; under the ladder a role may act for
every one below.

Where the game does not, and an official above would be heard, the fact is an order that waits: the table names the
official, and meanwhile nothing is dealt, thrown or spun, nobody decides, and the ceremony does not go on.  The official
confirms it with a credential of their own, or it is taken back.  What else happens at the table ends what waited: it
was about a position that is no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from msgspec import Struct

from croupier.game import (
    BallFell,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    DiceFell,
    Fact,
    Irregular,
    Over,
    Perform,
    Performed,
    Refusal,
    Roll,
    Ruling,
    Spin,
    WheelStopped,
    told,
)
from croupier.game.places import read_place
from croupier.journal.names import plain
from croupier.law.general import in_force
from croupier.law.officials import IN_TURN, INSPECTOR, PLAYER, STRANGER, acting, words
from croupier.notation import write_fact
from croupier.once import replace
from croupier.round import ruled
from croupier.table.commands import ConfirmOrder, DeclineOrder, TableRequest, Tell
from croupier.table.events import Events, OrderAwaited, OrderConfirmed, OrderDeclined
from croupier.table.people import acts_for, barred, unknown
from croupier.table.state import Awaited, Table

ANSWERS: Mapping[type, tuple[type, ...]] = {
    CardSeen: (Deal,),
    DiceFell: (Roll,),
    BallFell: (Spin,),
    WheelStopped: (Spin,),
}
"""What must be due for chance to be taken."""


class Authored(Struct, frozen=True, gc=False):
    """A fact as it truly comes from whoever tells it; `official` must order it, if the asker may not."""

    fact: Fact
    official: str = ""
    rule: str = ""


def authored(table: Table, request: TableRequest, fact: Fact) -> Authored | Refusal:
    """The fact under the name of who tells it, or why this person may not."""
    if request.role == PLAYER:
        return _of_player(table, request, fact)
    if request.role == INSPECTOR and not isinstance(fact, Performed | Irregular):
        return Refusal("an inspector does not run the game", table.general.inspector.rule)
    if type(fact) is Performed:
        own = request.role == INSPECTOR or not _is_somebody(table, fact.by)
        return _ordered(table, request, fact) if own else Authored(replace(fact, by=voice_of(table, fact.by)))
    if type(fact) is Irregular:
        return _ordered(table, request, fact)
    if type(fact) is Chosen:
        return _recorded_choice(table, fact, fact.by)
    if type(fact) is not Called or not fact.by:
        return Authored(fact)
    return Authored(replace(fact, by=_bettor(table, fact.by) if _is_somebody(table, fact.by) else request.role))


# ---------------------------------------------------------------- players


def _of_player(table: Table, request: TableRequest, fact: Fact) -> Authored | Refusal:
    """A player answers, calls and acts under his own name only; what he leaves out is his own.

    Whoever is shut out takes no further part, and may still call his wagers down.
    """
    if not isinstance(fact, Chosen | Called | Performed):
        return Refusal(f"{request.by} may decide for himself only", table.general.dealer.rule)
    shut_out = None if isinstance(fact, Called) else barred(table, request.by)
    if shut_out:
        return shut_out
    if fact.by not in ("", *_names(table, request.by)):
        return _of_nominee(table, request, fact)
    if isinstance(fact, Performed) and _anybodys(table, fact):
        return Refusal(f"for staff to record, not for {request.by}", table.general.dealer.rule, on=fact.act)
    voice = request.by if isinstance(fact, Called) else voice_of(table, request.by)
    own = replace(fact, by=voice)
    confirmed = _confirmed(table, own) if isinstance(own, Called) else None
    return unknown(table, request.by) or confirmed or Authored(own)


def _confirmed(table: Table, call: Called) -> Authored | Refusal | None:
    """A player's call that counts once somebody of the staff has confirmed it, where the law has such a call."""
    law = table.procedure.confirms(table.ruleset.rules, call)
    if law is None:
        return None
    after = table.happening(call).after
    if isinstance(after, Refusal):
        return after
    return Authored(call, official=next(word for word in IN_TURN if word in law.value), rule=law.rule)


def _of_nominee(table: Table, request: TableRequest, fact: Chosen | Called | Performed) -> Authored | Refusal:
    """Who was named to act for a player answers and handles cards as that player, and must be seated for it."""
    law, player = table.general.people.nominee, _bettor(table, fact.by)
    if not in_force(law) or not acts_for(table, request.by, player) or isinstance(fact, Called):
        return Refusal(f"{request.by} may decide for himself only", table.general.dealer.rule)
    if not table.players[request.by].seat:
        return Refusal(f"{request.by} is not seated, and handles no cards for {player}", law.rule)
    if isinstance(fact, Performed) and _anybodys(table, fact):
        return Refusal(f"for staff to record, not for {request.by}", table.general.dealer.rule, on=fact.act)
    return Authored(replace(fact, by=voice_of(table, player)))


def _anybodys(table: Table, fact: Performed | Irregular) -> bool:
    """Whether the game does not ask who does this: then it is recorded by those who run the game."""
    return not isinstance(table.happening(replace(fact, by=STRANGER)).after, Refusal)


def _recorded_choice(table: Table, fact: Chosen, by: str) -> Authored | Refusal:
    """A player's answer, recorded by staff, who say whose it is."""
    if by:
        return Authored(replace(fact, by=voice_of(table, by)))
    due = table.due
    return Refusal(f"say whose choice it is; due is {told(due)}", due.rule, on=fact.option)


def _names(table: Table, player: str) -> tuple[str, ...]:
    """The names under which a player may be known to the game: his own, where he sits, and the boxes of his hands."""
    there = table.players.get(player)
    if there is None:
        return (player,)
    held = table.procedure.holds(table.ruleset.rules, table.attended.state, player)
    seat = (there.seat,) if there.seat else ()
    boxes = (name for box in (seat if held is None else held) for name in (f"box {box}", f"player of box {box}"))
    return (player, *(f"seat {number}" for number in seat), *boxes)


def _is_somebody(table: Table, by: str) -> bool:
    """Whether a word names a player, or a device that is due to do something: no official of the house."""
    if not by or acting(by) is not None:
        return False
    return by in table.players or by == asked_of(table.due) or read_place(by) is not None


def voice_of(table: Table, by: str) -> str:
    """A player as the game calls him: as what is due names him, else by seat or by name."""
    known, asked = _names(table, by), asked_of(table.due)
    if asked in known:
        return asked
    return known[1] if len(known) > 1 and table.procedure.voice == "seat" else by


def _bettor(table: Table, by: str) -> str:
    """Who calls about wagers, by the name that the wagers bear."""
    place = read_place(by)
    seated = table.seats.get(place.number) if place and place.kind in ("seat", "box") else None
    return by if by in table.players or seated is None else seated


def asked_of(due: Demand) -> str:
    """From whom something is due, if it is due from somebody."""
    return "" if type(due) is Deal or type(due) is Over else due.by


# ---------------------------------------------------------------- officials


def _ordered(table: Table, request: TableRequest, fact: Performed | Irregular) -> Authored | Refusal:
    """What staff do or order in their own role; else who above would be heard."""
    own, refusal = _in_turn(words(request.role), asked_of(table.due)), None
    for word in own:
        order = replace(fact, by=word)
        answer = _heard(table, order)
        if answer is None:
            return _of_another(table, request, fact) or Authored(order)
        refusal = refusal or answer
    assert refusal is not None
    for word in IN_TURN:
        order = replace(fact, by=word)
        if word not in own and _heard(table, order) is None:
            ruling = table.happening(order).ruling
            return Authored(order, official=word, rule=ruling.rule if ruling else refusal.rule)
    # Nobody would be heard: then it is not for want of an official.
    plain = table.happening(replace(fact, by=_first_to_order(table, fact))).after
    return plain if isinstance(plain, Refusal) else refusal


def _first_to_order(table: Table, fact: Performed | Irregular) -> str:
    """The first of those whose order an act is; nobody where it is none."""
    if not isinstance(fact, Performed):
        return ""
    orders = table.procedure.beside(table.ruleset.rules, table.attended.state)
    return next((each.by for each in orders if isinstance(each, Performed) and each.act == fact.act), "")


def _of_another(table: Table, request: TableRequest, fact: Performed | Irregular) -> Authored | None:
    """An act that is due from an official whose powers the asker has not, where the game takes it from anybody."""
    due = table.due
    if not isinstance(due, Perform) or not isinstance(fact, Performed) or fact.act != due.act:
        return None
    wanted = acting(due.by)
    if wanted is None or request.role in wanted:
        return None
    return Authored(replace(fact, by=due.by), official=due.by, rule=due.rule)


@lru_cache(maxsize=1024)
def _in_turn(own: tuple[str, ...], asked: str) -> tuple[str, ...]:
    """The words of a role: its own rank first, then the one that is due, then the rest."""
    return tuple(sorted(own, key=lambda word: (word != own[0], word != asked)))


def _heard(table: Table, order: Performed | Irregular) -> Refusal | None:
    """Why the game does not take this from the official who would order it, if it does not."""
    after = table.happening(order).after
    if isinstance(after, Refusal):
        return after
    if order.by == INSPECTOR and _anybodys(table, order):
        return Refusal("an inspector does not run the game", table.general.inspector.rule)
    return None


# ---------------------------------------------------------------- what waits


def awaited(table: Table, request: TableRequest, order: Authored) -> Events | Refusal:
    """An order that somebody else must give, asked for."""
    fact = write_fact(order.fact)
    if any(each.fact == fact for each in table.awaited):
        return Refusal(f"the {order.official} is awaited for this already", order.rule)
    return (
        OrderAwaited(
            order=table.entries,
            fact=fact,
            official=order.official,
            person=request.by,
            role=request.role,
            rule=order.rule,
        ),
    )


def not_apart(table: Table, request: TableRequest, fact: Fact) -> Refusal | None:
    """Why this person does not do what is for another than the one who did its counterpart."""
    due = table.due
    if type(due) is not Perform or not due.apart or type(fact) is not Performed or fact.act != due.act:
        return None
    done = (step for step in reversed(table.steps) if isinstance(step.fact, Performed) and step.fact.act == due.apart)
    before = next(done, None)
    if before is None or plain(before.person) != plain(request.by):
        return None
    return Refusal(f"{request.by} did {due.apart!r} already: {due.act!r} is for another person", due.rule)


def out_of_turn(table: Table, fact: Fact) -> Refusal | None:
    """No card, throw or spin while an act or a choice is due, or while an order waits for its official."""
    due, before = table.due, table.attended
    if type(fact) is Irregular:
        early = isinstance(due, Choose) and not any(type(step.fact) in ANSWERS for step in table.steps)
        ruling = ruled(before, fact) if early else None
        brings = isinstance(ruling, Ruling) and any(type(each) in ANSWERS for each in ruling.facts)
        return _first(due, fact.circumstance) if brings else None
    answered = ANSWERS.get(type(fact))
    if answered and not isinstance(due, answered):
        return _first(due, _named(fact))
    waits = next(iter(table.awaited), None)
    if waits is None or not (answered or isinstance(fact, Chosen) or _goes_on(table, due, fact)):
        return None
    return Refusal(f"the {waits.official} is awaited first", waits.rule, on=_named(fact))


def _goes_on(table: Table, due: Demand, fact: Fact) -> bool:
    """Whether an act is the next of the ceremony, and not the one for which an official is awaited."""
    if not isinstance(fact, Performed) or not isinstance(due, Perform) or fact.act != due.act:
        return False
    return not any(isinstance(each.fact, dict) and each.fact.get("perform") == fact.act for each in table.awaited)


def _named(fact: Fact) -> str:
    """A fact in a word."""
    match fact:
        case Chosen(option=word) | Performed(act=word) | Irregular(circumstance=word):
            return word
        case _:
            return str(write_fact(fact))


def _first(due: Demand, what: str) -> Refusal:
    return Refusal(f"first is due: {told(due)}", due.rule, on=what)


def _order(table: Table, number: int) -> Awaited | Refusal:
    found = next((each for each in table.awaited if each.order == number), None)
    return found or Refusal(f"no order {number} is waiting", table.general.supervisor.rule)


@dataclass(frozen=True, slots=True)
class Confirming:
    """What an official confirms, and the record that it was."""

    what: Tell
    given: OrderConfirmed


def confirming(table: Table, request: TableRequest, command: ConfirmOrder) -> Confirming | Refusal:
    """What is confirmed, if it is for this person to confirm."""
    order = _order(table, command.order)
    if isinstance(order, Refusal):
        return order
    if request.role not in (acting(order.official) or ()):
        return Refusal(f"order {order.order} is for the {order.official}, not for the {request.role}", order.rule)
    if request.by == order.person:
        return Refusal(f"{request.by} asked for it: the {order.official} is another person", order.rule)
    given = OrderConfirmed(order=order.order, person=order.person, role=order.role, rule=order.rule)
    return Confirming(Tell(order.fact), given)


def decline(table: Table, request: TableRequest, command: DeclineOrder) -> Events | Refusal:
    """An order that is not given, or not wanted any more."""
    order = _order(table, command.order)
    if isinstance(order, Refusal):
        return order
    own = request.by == order.person
    if not own and request.role not in (acting(order.official) or ()):
        return Refusal(f"order {order.order} waits for the {order.official}", order.rule)
    return (OrderDeclined(order=command.order, reason=command.reason, rule=order.rule),)
