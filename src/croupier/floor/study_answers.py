"""What the odds lab, the rule browser and the training room answer, as types; see `answers.py`.

Fractions are text in lowest terms, and so are whole numbers that a page could not hold exactly.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, UnsetType, field

from croupier.floor.answers import Figures, Says, Told

Large: TypeAlias = int | str

# ---------------------------------------------------------------- what there is to choose


class ReadingOption(Told):
    value: str
    says: str


class ReadingChoice(Told):
    name: str
    id: str
    question: str
    rule: str
    options: list[ReadingOption]


class ElectionChoice(Told):
    """What may be elected; `free` means that any word may be."""

    name: str
    values: list[str]
    rule: str
    elected: str
    free: bool


class VersionChoice(Told):
    version: str
    decks: int | None
    elections: list[ElectionChoice]


class EditionChoice(Told):
    edition: str
    title: str
    versions: list[VersionChoice]


class GameChoice(Told):
    game: str
    cards: bool
    jackpot: bool
    readings: list[ReadingChoice]
    editions: list[EditionChoice]


class LabChoices(Told):
    games: list[GameChoice]
    ranks: list[str]
    says: Says


# ---------------------------------------------------------------- sheets


class Paid(Told):
    result: str
    odds: str
    probability: str
    rule: str


class SheetRow(Told):
    """A wager; what it needs money for is null until that is given (`needs` says what)."""

    wager: str
    win: str
    lose: str
    standoff: str
    void: str
    edge: str | None
    edge_percent: float | None
    sd: float | None
    pays: list[Paid]
    offered: str
    policy: str | None
    method: str
    rules: list[str]
    throws: str
    per_throw_edge: str | None
    note: str | UnsetType = UNSET
    shares: str | UnsetType = UNSET
    needs: str | UnsetType = UNSET
    break_even: str | UnsetType | None = UNSET


class TakenOdds(Told):
    """A line wager with its odds bet taken."""

    wager: str
    odds: str
    times: int
    staked: str
    edge: str
    edge_percent: float
    edge_of_line: str
    rules: list[str]


class LeftOut(Told):
    wager: str
    reason: str


class OddsSheet(Told):
    """The sheet of the public command `croupier odds`, with what the cited rules say."""

    game: str
    edition: str
    version: str
    decks: int | None
    elections: dict[str, Any]
    readings: dict[str, Any]
    ruleset: str
    wagers: list[SheetRow]
    left_out: list[LeftOut]
    warnings: list[str]
    cards: int
    suits_in_turn: bool
    more: bool
    says: Says
    with_odds: list[TakenOdds] | UnsetType = UNSET


class Thrown(Told):
    layout: str
    throws: list[str]
    probability: str


class WorkedOutcome(Told):
    ends: str
    result: str
    odds: str
    net: str | None
    ways: Large | None
    probability: str
    adds_to_edge: str | None
    rule: str
    thrown: list[Thrown]


class WorkedRow(Told):
    wager: str
    stands_for: str
    policy: str | None
    method: str
    edge: str | None
    edge_percent: float | None
    offered: str
    throws: str
    total: Large | None
    unit: str
    outcomes: list[WorkedOutcome]
    note: str | UnsetType = UNSET
    needs: str | UnsetType = UNSET


class WorkedReading(Told):
    id: str
    name: str
    says: str


class WorkedRule(Told):
    id: str
    says: list[str]
    readings: list[WorkedReading]


class Working(Told):
    """How the edge of one wager comes about."""

    game: str
    edition: str
    version: str
    decks: int | None
    ruleset: str
    rows: list[WorkedRow]
    rules: list[WorkedRule]
    says: Says


class ComparedSide(Told):
    edition: str
    version: str
    decks: int | None
    elections: dict[str, Any]
    readings: dict[str, Any]
    ruleset: str


class ComparedPay(Told):
    result: str
    odds: str
    rule: str


class ComparedWorth(Told):
    edge: str | None
    edge_percent: float | None
    house_keeps_cents: float | None
    method: str
    pays: list[ComparedPay]


class ComparedCause(Told):
    result: str
    before: str | None
    after: str | None
    rules: list[str]


class ComparedRow(Told):
    wager: str
    policy: str | None
    before: ComparedWorth | None
    after: ComparedWorth | None
    change: str | None
    house_gains_cents: float | None
    because: list[ComparedCause]


class Comparison(Told):
    """Two rule sets, and what the difference is in money."""

    game: str
    before: ComparedSide
    after: ComparedSide
    per_cents: int
    wagers: list[ComparedRow]
    warnings: list[str]
    more: bool
    says: Says


# ---------------------------------------------------------------- the rule browser


class ShelfEdition(Told):
    value: str
    title: str
    rules: int


class ShelfCount(Told):
    value: str
    rules: int


class Shelf(Told):
    """What there is to choose from, each with how many rules it has."""

    rules: int
    editions: list[ShelfEdition]
    kind: list[ShelfCount]
    software: list[ShelfCount]
    owed_by: list[ShelfCount]


class ShortRule(Told):
    id: str
    edition: str
    topic: str
    summary: str


class FoundRules(Told):
    total: int
    rows: list[ShortRule]
    start: int = field(name="from")


class RuleRow(Told):
    id: str
    topic: str
    kind: str
    software: str
    summary: str
    parameters: str
    note: str
    owed_by: str | None


class NamedRule(Told):
    id: str
    topic: str


class RuleReading(Told):
    id: str
    name: str
    question: str
    says: str
    reason: str


class WholeRule(Told):
    """A rule with what rests on it, what it rests on, and how other editions say it."""

    id: str
    edition: str
    title: str
    rows: list[RuleRow]
    below: list[ShortRule]
    depends: list[NamedRule]
    others: list[ShortRule]
    readings: list[RuleReading]
    before: str | None
    after: str | None


class RulePlaces(Told):
    """Where a rule lives in the code and the tests."""

    id: str
    lines: list[str]
    names: list[str]
    tests: list[str]


class DiffValue(Told):
    value: str
    rules: list[str]


class DiffChange(Told):
    path: str
    before: DiffValue | None
    after: DiffValue | None


class DiffGame(Told):
    game: str
    versions: list[str]
    changes: list[DiffChange]
    renumbered: list[DiffChange]
    same: int


class DiffAlone(Told):
    edition: str
    game: str
    version: str


class RuleDifference(Told):
    """Two editions, game by game."""

    before: str
    after: str
    games: list[DiffGame]
    alone: list[DiffAlone]


# ---------------------------------------------------------------- training


class TrainingChoices(Told):
    """Games, their editions and versions; how long a lesson is, and the largest number of one."""

    games: dict[str, dict[str, list[str]]]
    length: int
    most_seed: int


class TrainingWager(Told):
    by: str
    on: str
    stake: int
    box: int


class TrainingQuestion(Told):
    number: int
    kind: str
    asks: str
    tells: str
    log: list[str]
    options: list[str]
    round: int
    layout: Figures
    wagers: list[TrainingWager]


class TrainingLesson(Told):
    game: str
    edition: str
    version: str
    seed: int
    questions: list[TrainingQuestion]


class TrainingJudged(Told):
    """Whether an answer was right, which one is, and why; `advisable`: the odds engine can say what is best."""

    is_right: bool
    right: int
    rule: str
    summary: str
    why: str
    advisable: bool


class TrainingCount(Told):
    right: int
    answered: int


class TrainingRule(Told):
    rule: str
    summary: str
    right: int
    answered: int


class TrainingScore(Told):
    """The score; the weakest rules come first."""

    right: int
    answered: int
    kinds: dict[str, TrainingCount]
    rules: list[TrainingRule]


class TrainingAdvice(Told):
    option: str
    says: str
