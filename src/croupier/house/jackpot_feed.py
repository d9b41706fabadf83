"""From the journal of a table to its jackpot link: which commands follow from each line.

A table knows its wagers, its cards and when they fell; the link must be told.  `hear` reads the lines of one table in
order and answers with the commands that the link is due: a jackpot wager recorded or gone back, the moment of a hand
as soon as it is known (the first card from a shoe, the fifth from a shuffler), the hands that won when the round is
over.  Wagers of a misdeal wait for the next round, and those of a round that was invalidated go back.

The table pays a prize on the pool that its sign showed; what the link says is due is in `JackpotPaid`.  Who runs both
posts the difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.games.caribbean_stud.rules import SHOE
from croupier.house import jackpot_messages as m
from croupier.house.jackpot_messages import AnyCommand
from croupier.table import events as e

CARDS_IN_A_HAND = 5
_DEALT = "deal box "


@dataclass(frozen=True, slots=True)
class Feed:
    """What was heard of a table's round in hand.

    `boxes` of the jackpot wagers by their number; `dealt` what each fact answered, if it was a card; `last_ms` when a
    box got its last card; `timed` the hands whose moment the link knows; `won` the boxes that won.
    """

    table: str
    device: str
    round: int = 1
    boxes: Mapping[int, int] = field(default_factory=dict)
    dealt: tuple[str, ...] = ()
    last_ms: Mapping[int, int] = field(default_factory=dict)
    timed: frozenset[int] = frozenset()
    won: frozenset[int] = frozenset()


Heard = tuple[Feed, tuple[AnyCommand, ...]]


def hear(feed: Feed, line: e.Entry) -> Heard:
    """The feed after a line, and what the link is to be asked."""
    match line.event:
        case e.WagerPlaced(on="jackpot") as event if event.stake:
            wager = m.RecordWager(feed.table, feed.round, event.box, event.player, event.stake)
            return replace(feed, boxes={**feed.boxes, event.number: event.box}), (wager,)
        case e.WagerWithdrawn(number=number) if number in feed.boxes:
            return _gone_back(feed, number)
        case e.WagerSettled(on="jackpot", number=number, result=result) if number in feed.boxes:
            if result == "void" and not _has_cards(feed, feed.boxes[number]):
                return _gone_back(feed, number)
            return (replace(feed, won=feed.won | {feed.boxes[number]}) if result == "won" else feed), ()
        case e.Happened(fact={"irregular": "light_off", "call": "return", "to": str(box)}):
            number = next((each for each, there in feed.boxes.items() if f"box {there}" == box), -1)
            after = replace(feed, dealt=(*feed.dealt, ""))
            return _gone_back(after, number) if number in feed.boxes else (after, ())
        case e.Happened(due=due, fact=fact):
            card = due if isinstance(fact, str) else ""
            return _dealt(replace(feed, dealt=(*feed.dealt, card)), card, line.at_ms)
        case e.FactTakenBack():
            return replace(feed, dealt=feed.dealt[:-1]), ()
        case e.RoundEnded(outcome=outcome):
            return _ended(feed, outcome, line.at_ms)
        case e.RoundInvalidated(round=number) if number == feed.round:
            return _invalid(feed)
        case _:
            return feed, ()


def _gone_back(feed: Feed, number: int) -> Heard:
    left = {other: box for other, box in feed.boxes.items() if other != number}
    back = m.ReturnWager(feed.table, feed.boxes[number])
    return replace(feed, boxes=left), (back,)


def _has_cards(feed: Feed, box: int) -> bool:
    return f"{_DEALT}{box}" in feed.dealt


def _dealt(feed: Feed, due: str, at_ms: int) -> Heard:
    if not due.startswith(_DEALT):
        return feed, ()
    box, wanted = int(due.removeprefix(_DEALT)), 1 if feed.device == SHOE else CARDS_IN_A_HAND
    feed = replace(feed, last_ms={**feed.last_ms, box: at_ms})
    if box not in feed.boxes.values() or box in feed.timed or feed.dealt.count(due) < wanted:
        return feed, ()
    return replace(feed, timed=feed.timed | {box}), (m.TimeHand(feed.table, box, at_ms, at_ms),)


def _ended(feed: Feed, outcome: Mapping[str, Any], at_ms: int) -> Heard:
    fresh = Feed(feed.table, feed.device, feed.round + 1)
    if not feed.boxes:
        return fresh, ()
    if outcome["misdeal"]:
        return replace(fresh, boxes=feed.boxes), (m.CarryWagers(feed.table),)
    hands = {one["box"]: one["hand"] for one in outcome["boxes"] if one["box"] in feed.won}
    return fresh, (*_late(feed, at_ms), m.ReportHands(feed.table, hands))


def _late(feed: Feed, at_ms: int) -> tuple[m.TimeHand, ...]:
    """Hands that got a card in another way than by the deal, as an exposed one, count from the last that was dealt."""
    missing = sorted(set(feed.boxes.values()) - feed.timed)
    moments = ((box, feed.last_ms.get(box, at_ms)) for box in missing)
    return tuple(m.TimeHand(feed.table, box, moment, moment) for box, moment in moments)


def _invalid(feed: Feed) -> Heard:
    """As if the hands had been misdealt, and the wagers called back before the next deal."""
    carried: tuple[AnyCommand, ...] = (m.CarryWagers(feed.table),) if feed.boxes else ()
    back = tuple(m.ReturnWager(feed.table, box) for box in sorted(feed.boxes.values()))
    return Feed(feed.table, feed.device, feed.round + 1), (*carried, *back)
