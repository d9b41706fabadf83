"""What the odds engines advise where a player's choice is due: for lessons only, never at a table (I-4.1).

Blackjack goes by the best chart of a full shoe; the line and the column are found here, the chart by the worker.
Caribbean stud is reckoned for the hand itself: what to bet and to fold are worth against this up card, exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec

from croupier.equipment import Card, card_sign, rank
from croupier.game import Choose
from croupier.games.blackjack import play as blackjack
from croupier.games.blackjack.layout import count
from croupier.games.caribbean_stud import play as stud_play
from croupier.house.training.lesson import Question
from croupier.rulesets import ruleset

ACE_UP: Final = 9
"""The column of the ace; 2 to 10 stand before it."""
TEN: Final = 10


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A place of the chart: its line or lines, the first that says something, and the column of the dealer's card."""

    lines: tuple[str, ...]
    column: int
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudHand:
    hand: tuple[Card, ...]
    up: Card


Wanted: TypeAlias = ChartLine | StudHand


def is_advisable(question: Question) -> bool:
    return wanted(question) is not None


def wanted(question: Question) -> Wanted | None:
    """What the engine is to be asked, if the question is about a player's choice on the cards."""
    due, name = question.table.due, question.table.ruleset
    if question.kind != "due" or not isinstance(due, Choose):
        return None
    table = question.table
    felt: Any = table.procedure.layout(name.rules, table.round.state)
    if name.game == "blackjack" and "hit" in due.options:
        return _line(name.rules, felt, due.options)
    if name.game == "caribbean_stud" and "fold" in due.options:
        return _hand(name.rules, felt, due.by)
    return None


def _line(rules: Any, felt: Any, options: tuple[str, ...]) -> ChartLine | None:
    hand = blackjack.turn(rules, felt).hand
    if hand is None or not felt.dealer:
        return None
    total = count(rules, hand.cards)
    lines: tuple[str, ...] = (f"{'soft' if total.soft else 'hard'} {total.points}",)
    if "split" in options:
        lines = (f"pair {_points(hand.cards[0])}", *lines)
    up = _points(felt.dealer[0])
    return ChartLine(lines, ACE_UP if up > TEN else up - 2, options)


def _points(card: Card) -> int:
    """The ace as 11, as the chart has it."""
    return TEN + 1 if rank(card) == 0 else min(rank(card) + 1, TEN)


def _hand(rules: Any, felt: Any, by: str) -> StudHand | None:
    box = next((box for box in felt.boxes if by in (box.name, box.by)), None)
    up = stud_play.face_up(rules, felt)
    return StudHand(box.cards, felt.dealer[up.value]) if box and up else None


def by_chart(place: ChartLine, chart: Mapping[str, str]) -> dict[str, str]:
    """What the chart says at a place; where that is not permitted now, the next best word."""
    words = [chart[line].split()[place.column] for line in place.lines if line in chart]
    said = [each for word in words for each in word.split("-")]
    word = next((each for each in said if each in place.options), "")
    line = next((name for name in place.lines if name in chart), "")
    if not word:
        word = "hit" if "double" in words or "hit" in words else "stand"
    return {"option": word, "says": f"The best chart of a full shoe, {line}: {word}."}


# ---------------------------------------------------------------- in the worker


def chart(edition: str, version: str) -> bytes:
    from croupier.exact.strategy import strategy

    return msgspec.json.encode(strategy(ruleset(edition, game="blackjack", version=version))["chart"])


def stud(edition: str, version: str, hand: tuple[Card, ...], up: Card) -> bytes:
    from croupier.exact.caribbean_stud.decision import outlook

    found = outlook(ruleset(edition, game="caribbean_stud", version=version).rules, hand, up)
    option = "bet" if found.bet > found.fold else "fold"
    says = (
        f"Against the {card_sign(up)} a bet comes to {float(found.bet):+.4f} antes, a fold to "
        f"{float(found.fold):+.4f}: {option}."
    )
    return msgspec.json.encode({"option": option, "says": says})
