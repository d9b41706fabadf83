"""From the journal of a table to its jackpot link: which commands follow from each line.

A table knows its wagers, its cards and when they fell; the link must be told.  `hear` reads the lines of one table in
order and answers with the commands that the link is due: a jackpot wager recorded or gone back, the moment of a hand
as soon as it is known (the first card from a shoe, the fifth from a shuffler), the hands that won.  Wagers of a misdeal
wait for the next round, and those of a round that was invalidated go back.

A table of a link claims the pool when a payment is due and waits for the link, so its winning hands are known before
the round is over.  Whatever becomes of the round after that (a misdeal, a hand that is dead after all, a round that is
corrected or invalidated, at once or much later) the link hears as a correction: what each hand was paid in the end.

A table that belongs to no link pays on its own sign; then the hands are reported at the end, and whoever runs both
posts the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.game.places import TablePlace, read_place
from croupier.house.jackpot import messages as m
from croupier.house.jackpot.messages import AnyCommand
from croupier.law.links import SHOE
from croupier.money import Cents
from croupier.table import events as e
from croupier.table.explain import dealt_to
from croupier.table.state import RECORDS_KEPT

CARDS_IN_A_HAND = 5
JACKPOT = "jackpot"


@dataclass(frozen=True, slots=True)
class JackpotWager:
    """A jackpot wager of a round that is over."""

    round: int
    box: int
    player: str


@dataclass(frozen=True, slots=True)
class Feed:
    """What was heard of a table's round in hand.

    `boxes` of the jackpot wagers by their number, and whose they are; `carried` those that an earlier round left.
    `dealt` is where each fact fell, if it was a card; `last_ms` when a box got its last card; `timed` the hands
    whose moment the link knows; `won` the boxes that won and what the table pays them; `voided` the wagers that an
    official gave back.  `claimed` are the boxes that claimed the pool, `prizes` what the link says it paid them.
    `past` are the wagers of the rounds that can still be corrected, `link` is the link that the table belongs to.
    """

    table: str
    device: str
    round: int = 1
    boxes: Mapping[int, int] = field(default_factory=dict)
    players: Mapping[int, str] = field(default_factory=dict)
    carried: frozenset[int] = frozenset()
    dealt: tuple[TablePlace | None, ...] = ()
    last_ms: Mapping[int, int] = field(default_factory=dict)
    timed: frozenset[int] = frozenset()
    won: Mapping[int, Cents] = field(default_factory=dict)
    voided: frozenset[int] = frozenset()
    claimed: frozenset[int] = frozenset()
    prizes: Mapping[int, Cents] = field(default_factory=dict)
    past: Mapping[int, JackpotWager] = field(default_factory=dict)
    link: str = ""


Heard = tuple[Feed, tuple[AnyCommand, ...]]


def hear(feed: Feed, line: e.TableEntry) -> Heard:
    """The feed after a line, and what the link is to be asked."""
    match line.event:
        case e.WagerPlaced(on="jackpot") as event if event.stake:
            return _placed(feed, event)
        case e.WagerWithdrawn(number=number) if number in feed.boxes:
            return _gone_back(feed, number)
        case e.WagerSettled(on="jackpot") as event if event.number in feed.boxes:
            return _settled(feed, event)
        case e.Happened(fact={"irregular": "light_off", "call": "return", "to": str(to)}):
            number = next((each for each, box in feed.boxes.items() if TablePlace("box", box) == read_place(to)), -1)
            after = replace(feed, dealt=(*feed.dealt, None))
            return _gone_back(after, number) if number in feed.boxes else (after, ())
        case e.Happened(fact=fact) as event:
            place = read_place(dealt_to(event)) if isinstance(fact, str) else None
            return _dealt(replace(feed, dealt=(*feed.dealt, place)), place, line.at_ms)
        case e.FactTakenBack():
            return replace(feed, dealt=feed.dealt[:-1]), ()
        case e.PoolShown() as event:
            shown = replace(feed, link=event.link)
            prizes = {int(box): cents for box, cents in event.prizes.items()}
            return (replace(shown, prizes=prizes) if event.paid else shown), ()
        case e.JackpotClaimed() as event:
            return _claimed(feed, event, line.at_ms)
        case e.RoundEnded(outcome=outcome):
            return _ended(feed, outcome, line.at_ms)
        case e.RoundInvalidated() as event:
            return _invalid(feed) if event.round == feed.round else (feed, _invalid_then(feed, event))
        case e.RoundCorrected(settled=settled):
            return feed, _corrected(feed, settled)
        case _:
            return feed, ()


# ---------------------------------------------------------------- wagers


def _placed(feed: Feed, event: e.WagerPlaced) -> Heard:
    """A wager; one that a misdeal left on this box for somebody who has gone is on its way back, and goes first."""
    left = next((number for number, box in feed.boxes.items() if box == event.box), None)
    feed, back = _gone_back(feed, left) if left is not None else (feed, ())
    boxes, players = {**feed.boxes, event.number: event.box}, {**feed.players, event.number: event.player}
    wager = m.RecordWager(feed.table, feed.round, event.box, event.player, event.stake)
    return replace(feed, boxes=boxes, players=players), (*back, wager)


def _gone_back(feed: Feed, number: int) -> Heard:
    left = {other: box for other, box in feed.boxes.items() if other != number}
    back = m.ReturnWager(feed.table, feed.boxes[number])
    return replace(feed, boxes=left), (back,)


def _settled(feed: Feed, event: e.WagerSettled) -> Heard:
    box = feed.boxes[event.number]
    if event.result == "void" and TablePlace("box", box) not in feed.dealt:
        return _gone_back(feed, event.number)
    if event.result == "void" and event.apart:
        return replace(feed, voided=feed.voided | {event.number}), ()
    return (replace(feed, won={**feed.won, box: event.pays}) if event.result == "won" else feed), ()


def _dealt(feed: Feed, place: TablePlace | None, at_ms: int) -> Heard:
    if place is None:
        return feed, ()
    box, wanted = place.number, 1 if feed.device == SHOE else CARDS_IN_A_HAND
    feed = replace(feed, last_ms={**feed.last_ms, box: at_ms})
    if box not in feed.boxes.values() or box in feed.timed or feed.dealt.count(place) < wanted:
        return feed, ()
    return replace(feed, timed=feed.timed | {box}), (m.TimeHand(feed.table, box, at_ms, at_ms),)


def _late(feed: Feed, at_ms: int) -> tuple[m.TimeHand, ...]:
    """Hands that got a card in another way than by the deal, as an exposed one, count from the last that was dealt."""
    missing = sorted(set(feed.boxes.values()) - feed.timed)
    moments = ((box, feed.last_ms.get(box, at_ms)) for box in missing)
    return tuple(m.TimeHand(feed.table, box, moment, moment) for box, moment in moments)


# ---------------------------------------------------------------- the end of a round


def _claimed(feed: Feed, event: e.JackpotClaimed, at_ms: int) -> Heard:
    """Hands claim the pool; wagers of the round that do not count go back before it is paid."""
    commands: list[AnyCommand] = []
    for number in event.void:
        if number in feed.boxes:
            feed, back = _gone_back(feed, number)
            commands += back
    hands = {int(box): hand for box, hand in event.hands.items()}
    commands += (*_late(feed, at_ms), m.ReportHands(feed.table, hands))
    return replace(feed, timed=frozenset(feed.boxes.values()), claimed=frozenset(hands)), tuple(commands)


def _next(feed: Feed, *, carried: Iterable[int] = ()) -> Feed:
    """The feed of the round after this one; `carried` are the wagers that go on."""
    left = {number: feed.boxes[number] for number in carried}
    played = {
        number: JackpotWager(feed.round, box, feed.players.get(number, ""))
        for number, box in feed.boxes.items()
        if number not in left
    }
    past = {number: one for number, one in feed.past.items() if one.round > feed.round - RECORDS_KEPT}
    return Feed(
        feed.table,
        feed.device,
        feed.round + 1,
        boxes=left,
        players={number: feed.players.get(number, "") for number in left},
        carried=frozenset(left),
        past={**past, **played},
        link=feed.link,
    )


def _ended(feed: Feed, outcome: Mapping[str, Any], at_ms: int) -> Heard:
    if not feed.boxes:
        return _next(feed), ()
    if outcome["misdeal"]:
        return _next(feed, carried=feed.boxes), (_undone(feed),)
    if feed.claimed:
        return _next(feed), _otherwise(feed)
    hands = {one["box"]: one["hand"] for one in outcome["boxes"] if one["box"] in feed.won}
    return _next(feed), (*_late(feed, at_ms), m.ReportHands(feed.table, hands))


def _undone(feed: Feed) -> AnyCommand:
    """The round has no result: its wagers go on, and what was paid comes back."""
    if not feed.claimed:
        return m.CarryWagers(feed.table)
    return m.CorrectHands(feed.table, feed.round, dict.fromkeys(sorted(feed.claimed), 0), carry=True)


def _otherwise(feed: Feed) -> tuple[AnyCommand, ...]:
    """What the table paid in the end, if it is not what the link paid."""
    if feed.won == feed.prizes:
        return ()
    paid = {**dict.fromkeys(sorted(feed.prizes), 0), **feed.won}
    return (m.CorrectHands(feed.table, feed.round, paid),)


def _invalid(feed: Feed) -> Heard:
    """As if the hands had been misdealt, and the wagers that were given back called back before the next deal."""
    if not feed.boxes:
        return _next(feed), ()
    back = tuple(m.ReturnWager(feed.table, feed.boxes[number]) for number in sorted(feed.voided & set(feed.boxes)))
    stay = [number for number in feed.boxes if number not in feed.voided]
    after = _next(feed, carried=stay)
    past = {number: one for number, one in after.past.items() if number not in feed.voided}
    return replace(after, past=past), (_undone(feed), *back)


# ---------------------------------------------------------------- afterwards


def _invalid_then(feed: Feed, event: e.RoundInvalidated) -> tuple[AnyCommand, ...]:
    """A round that was over has no result: prizes come back, and the wagers go back but for those of a fraudster."""
    there = [one for one in feed.past.values() if one.round == event.round]
    if not there:
        return ()
    returned = tuple(sorted(one.box for one in there if one.player not in event.forfeited))
    paid = dict.fromkeys(sorted(one.box for one in there), 0)
    return (m.CorrectHands(feed.table, event.round, paid, returned),)


def _corrected(feed: Feed, settled: tuple[e.WagerSettled, ...]) -> tuple[AnyCommand, ...]:
    """What jackpot wagers of earlier rounds come to on the true facts, round by round."""
    found: dict[int, m.CorrectHands] = {}
    for line in settled:
        one = feed.past.get(line.number)
        if line.on != JACKPOT or one is None:
            continue
        correction = found.setdefault(one.round, m.CorrectHands(feed.table, one.round, {}))
        back = (*correction.returned, one.box) if line.result == "void" else correction.returned
        paid = {**correction.paid, one.box: line.returned if line.result == "won" else 0}
        found[one.round] = m.CorrectHands(feed.table, one.round, paid, back)
    return tuple(correction for _, correction in sorted(found.items()))
