"""How a game is best played, as types of what the odds lab answers."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from croupier.floor.doors.answers import Answered, Says
from croupier.floor.rooms.lab.answers import Large


class ChartRow(Answered):
    """A total, or a card of a pair, with a word against each first card, and what the hands bring when played so."""

    row: int
    words: list[str]
    worths: list[float | None]


class ChartPart(Answered):
    part: str
    ups: list[int]
    rows: list[ChartRow]


class ChartDeparture(Answered):
    """A first hand on which the best play departs from the chart."""

    up: int
    hand: list[int]
    chart: str
    best: str
    gain: float


class StudLine(Answered):
    """From which hand on to bet against an up card, whether a card of its rank is held or not."""

    up: str
    held: bool
    never_below: str
    always_from: str
    between_bet: Large
    between: Large
    says: str


class Thumb(Answered):
    policy: str
    source: str
    edge: str


class StrategyShown(Answered):
    """How a game is best played: `chart`, `tables` and `departures` of blackjack, the others of Caribbean stud."""

    game: str
    edition: str
    version: str
    ruleset: str
    policy: str
    found: str
    edge: str | float
    says: Says
    chart: dict[str, str] | UnsetType = UNSET
    tables: list[ChartPart] | UnsetType = UNSET
    departures: list[ChartDeparture] | UnsetType = UNSET
    lines: list[StudLine] | UnsetType = UNSET
    bet_frequency: str | UnsetType = UNSET
    element_of_risk: str | UnsetType = UNSET
    rules_of_thumb: list[Thumb] | UnsetType = UNSET
