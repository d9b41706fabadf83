"""What the odds lab, the rule browser and the training room answer, as types; see `answers.py`.

Fractions are text in lowest terms, and so are whole numbers that a page could not hold exactly.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, UnsetType, field

from croupier.floor.doors.answers import Answered, Says
from croupier.floor.views.parts import Figures

Large: TypeAlias = int | str

# ---------------------------------------------------------------- what there is to choose


class ReadingOption(Answered):
    value: str
    says: str


class ReadingChoice(Answered):
    name: str
    id: str
    question: str
    rule: str
    options: list[ReadingOption]


class ElectionChoice(Answered):
    """What may be elected; `free` means that any word may be."""

    name: str
    values: list[str]
    rule: str
    elected: str
    free: bool


class VersionChoice(Answered):
    version: str
    decks: int | None
    elections: list[ElectionChoice]
    readings: list[ReadingChoice]


class EditionChoice(Answered):
    edition: str
    title: str
    versions: list[VersionChoice]


class GameChoice(Answered):
    game: str
    cards: bool
    jackpot: bool
    played: bool
    readings: list[ReadingChoice]
    editions: list[EditionChoice]


class LabChoices(Answered):
    games: list[GameChoice]
    ranks: list[str]
    says: Says


# ---------------------------------------------------------------- sheets


class ComparedPay(Answered):
    result: str
    odds: str
    rule: str


class Paid(ComparedPay):
    net: str | None
    probability: str


class PricedRow(Answered, kw_only=True):
    """A wager; what it needs money for is null until that is given (`needs` says what)."""

    wager: str
    policy: str | None
    method: str
    edge: str | None
    edge_percent: float | None
    offered: str
    throws: str
    throws_on: str
    note: str | UnsetType = UNSET
    needs: str | UnsetType = UNSET


class SheetRow(PricedRow, kw_only=True):
    win: str
    lose: str
    standoff: str
    void: str
    sd: float | None
    pays: list[Paid]
    rules: list[str]
    per_throw_edge: str | None
    per_throw_edge_on: str | None
    shares: str | UnsetType = UNSET
    break_even: str | UnsetType | None = UNSET
    break_even_stake: int | UnsetType = UNSET
    places: list[str] | UnsetType = UNSET


class TakenOdds(Answered):
    """A line wager with its odds bet taken."""

    wager: str
    odds: str
    times: int
    staked: str
    edge: str
    edge_percent: float
    edge_of_line: str
    rules: list[str]


class LeftOut(Answered):
    """A wager without a row; `suits`: it would have one if more than the ranks were known."""

    wager: str
    reason: str
    suits: bool


class Warned(Answered):
    """A wager that favours the player; of two rule sets with the one that it is of."""

    says: str
    rule: str
    edition: str | UnsetType = UNSET
    version: str | UnsetType = UNSET


class ComparedSide(Answered, kw_only=True):
    edition: str
    version: str
    decks: int | None
    elections: dict[str, Any]
    readings: dict[str, Any]
    ruleset: str
    shoe: dict[str, list[int]] | UnsetType = UNSET


class OddsSheet(ComparedSide, kw_only=True):
    """The sheet of the public command `croupier odds`, with what the cited rules say."""

    game: str
    wagers: list[SheetRow]
    left_out: list[LeftOut]
    warnings: list[str]
    warned: list[Warned]
    cards: int
    suits_in_turn: bool
    more: bool
    says: Says
    with_odds: list[TakenOdds] | UnsetType = UNSET


class ThrownShown(Answered):
    layout: str
    throws: list[str]
    probability: str


class WorkedOutcome(Answered):
    ends: str
    result: str
    odds: str
    net: str | None
    ways: Large | None
    probability: str
    adds_to_edge: str | None
    rule: str
    thrown: list[ThrownShown]


class WorkedRow(PricedRow, kw_only=True):
    stands_for: str
    total: Large | None
    unit: str
    outcomes: list[WorkedOutcome]


class WorkedReading(Answered):
    id: str
    name: str
    says: str


class WorkedRule(Answered):
    id: str
    says: list[str]
    readings: list[WorkedReading]


class Working(Answered):
    """How the edge of one wager comes about."""

    game: str
    edition: str
    version: str
    decks: int | None
    ruleset: str
    rows: list[WorkedRow]
    rules: list[WorkedRule]
    says: Says
    shoe: dict[str, list[int]] | UnsetType = UNSET


class ComparedWorth(Answered):
    edge: str | None
    edge_percent: float | None
    house_keeps_cents: float | None
    method: str
    pays: list[ComparedPay]


class ComparedCause(Answered):
    result: str
    before: str | None
    after: str | None
    rules: list[str]


class ComparedRow(Answered):
    wager: str
    policy: str | None
    before: ComparedWorth | None
    after: ComparedWorth | None
    change: str | None
    house_gains_cents: float | None
    because: list[ComparedCause]


class ComparedEdge(Answered):
    edge: str
    edge_percent: float
    house_keeps_cents: float


class ComparedOdds(Answered):
    """A line wager with its odds bet taken, under both rule sets."""

    wager: str
    odds: str
    times: int
    before: ComparedEdge | None
    after: ComparedEdge | None
    change: str | None
    house_gains_cents: float | None


class ComparisonShown(Answered):
    """Two rule sets, and what the difference is in money."""

    game: str
    before: ComparedSide
    after: ComparedSide
    per_cents: int
    wagers: list[ComparedRow]
    warnings: list[str]
    warned: list[Warned]
    more: bool
    says: Says
    with_odds: list[ComparedOdds] | UnsetType = UNSET


# ---------------------------------------------------------------- the rule browser


class ShelfCount(Answered):
    value: str
    rules: int


class ShelfEdition(ShelfCount):
    title: str


class ShelfShown(Answered):
    """What there is to choose from, each with how many rules it has."""

    rules: int
    editions: list[ShelfEdition]
    game: list[ShelfCount]
    kind: list[ShelfCount]
    software: list[ShelfCount]
    standing: list[ShelfCount]


class ShortRule(Answered):
    id: str
    edition: str
    topic: str
    summary: str


class FoundRules(Answered):
    total: int
    rows: list[ShortRule]
    start: int = field(name="from")


class CaseStep(Answered):
    done: str
    answers: list[str]


class RuleCase(Answered):
    """What was done at a door under a rule, what was answered, and the functions that answered."""

    door: str
    laws: list[str]
    title: str
    steps: list[CaseStep]
    where: list[str]


class RuleRow(Answered):
    id: str
    topic: str
    kind: str
    software: str
    summary: str
    parameters: str
    note: str
    standing: str
    why_not: str
    cases: list[RuleCase]


class NamedRule(Answered):
    id: str
    topic: str


class RuleReading(Answered):
    id: str
    name: str
    question: str
    says: str
    reason: str


class WholeRule(Answered):
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


class RulePlaces(Answered):
    """Where a rule lives in the code and the tests."""

    id: str
    lines: list[str]
    names: list[str]
    tests: list[str]


class DiffValue(Answered):
    value: str
    rules: list[str]


class DiffChange(Answered):
    path: str
    before: DiffValue | None
    after: DiffValue | None


class DiffGame(Answered):
    game: str
    versions: list[str]
    changes: list[DiffChange]
    renumbered: list[DiffChange]
    same: int


class DiffAlone(Answered):
    edition: str
    game: str
    version: str


class RuleDifference(Answered):
    """Two editions, game by game."""

    before: str
    after: str
    games: list[DiffGame]
    alone: list[DiffAlone]


# ---------------------------------------------------------------- training


class TrainingChoices(Answered):
    """Games, their editions and versions; how long a lesson is, and the largest number of one."""

    games: dict[str, dict[str, list[str]]]
    length: int
    most_seed: int


class TrainingWager(Answered):
    by: str
    on: str
    stake: int
    box: int


class TrainingQuestion(Answered):
    number: int
    kind: str
    asks: str
    tells: str
    log: list[str]
    options: list[str]
    round: int
    layout: Figures
    wagers: list[TrainingWager]


class TrainingLesson(Answered):
    game: str
    edition: str
    version: str
    seed: int
    questions: list[TrainingQuestion]


class TrainingJudged(Answered):
    """Whether an answer was right, which one is, and why; `advisable`: the odds engine can say what is best."""

    is_right: bool
    right: int
    rule: str
    summary: str
    why: str
    advisable: bool


class TrainingCount(Answered):
    right: int
    answered: int


class TrainingRule(Answered):
    rule: str
    summary: str
    right: int
    answered: int


class TrainingScore(Answered):
    """The score; the weakest rules come first."""

    right: int
    answered: int
    kinds: dict[str, TrainingCount]
    rules: list[TrainingRule]


class TrainingAdvice(Answered):
    option: str
    says: str
