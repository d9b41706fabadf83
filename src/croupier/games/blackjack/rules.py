"""What the law fixes about blackjack: one typed object for the edition, in groups that follow the gazette's parts.

`BlackjackRules` holds the cards, the deal, how a hand is decided, and the elections; below it hang the groups of the
side rights (`insurance`, `double`, `split`, `sharing`, `super_sevens`), the ceremonies of the dealer (`ceremony`) and
the remedies (`irregularities`).  A value of points is what a card counts: an ace is eleven here, and one only where a
hand would be too much with it.  Last come four laws that no gazette here has, and an edition of somebody's own may add:
a hole card that the dealer looks at, soft totals on which the dealer draws, no double after a split, surrender.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Literal, TypeAlias

from croupier.ceremony import Orders, Script
from croupier.game import Remedy, Rounding
from croupier.law.conditions import IN_A_ROW, CaseWhen
from croupier.law.elections import Options
from croupier.law.model import Absent, Law, absent
from croupier.law.officials import DEALER
from croupier.money import Odds
from croupier.once import dataclass

BOXES = "boxes"
KINDS = MAIN, INSURANCE, SUPER_SEVENS, DOUBLE, SPLIT = "main", "insurance", "super_sevens", "double", "split"
ON_A_HAND = (MAIN, DOUBLE, SPLIT)
"""The wagers that lie on a hand; the others lie on its box."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One paragraph of 4.1: when it applies, and what becomes of the wager."""

    when: str
    result: Literal["win", "lose", "stand off"]


@dataclass(frozen=True, slots=True)
class BlackjackPay:
    """A player's blackjack: against which first cards of the dealer it is paid at once, and against which it waits."""

    pays: Law[Odds]
    at_once: Law[frozenset[int]]
    waits: Law[frozenset[int]]
    even_money: Law[Odds]
    even_money_against: Law[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Insurance:
    against: Law[frozenset[int]]
    wins_on: Law[frozenset[int]]
    after_cards: Law[int]
    part: Law[Fraction]
    least_is_minimum: Law[bool]
    before_further_cards: Law[bool]
    payable: Law[bool]
    pays: Law[Odds]
    taken_at: Law[int]


@dataclass(frozen=True, slots=True)
class Double:
    first_cards: Law[int]
    totals: Law[frozenset[int]]
    with_ace: Law[bool]
    part: Law[Fraction]
    least_is_minimum: Law[bool]
    cards: Law[int]
    pays: Law[Odds]
    given_back: Law[bool]


@dataclass(frozen=True, slots=True)
class Split:
    alike: Law[Literal["value", "rank"]]
    part: Law[Fraction]
    in_turn: Law[bool]
    decides: Law[bool]
    hands: Law[int]
    ace_splits: Law[int]
    ace_cards: Law[int]
    blackjack: Law[bool]
    declined_bars: Law[bool]
    pays: Law[Odds]


@dataclass(frozen=True, slots=True)
class Sharing:
    """Several players on a box, and several boxes for a player."""

    seated_alone: Law[bool]
    nearest: Law[Literal["seated", "others"]]
    others_double: Law[bool]
    others_answer: Law[tuple[str, ...]]
    others_abide: Law[bool]
    each_insures: Law[bool]
    each_even_money: Law[bool]
    decides_elsewhere: Law[bool]
    minimum_each: Law[bool]


@dataclass(frozen=True, slots=True)
class SuperSevens:
    decks: Law[range]
    with_main: Law[bool]
    as_displayed: Law[bool]
    figure: Law[int]
    one: Law[Odds]
    two: Law[Odds]
    two_suited: Law[Odds]
    three: Law[Odds]
    three_suited: Law[Odds]
    otherwise: Law[Literal["lose", "stand off"]]
    on_split: Law[Literal["paid", "goes on"]]
    at_once: Law[bool]


@dataclass(frozen=True, slots=True)
class BlackjackCeremony:
    """What surrounds the play: the shoe, the shuffle, the cut, the calls, the collection of cards, late entries."""

    round_ends_with: Law[str]
    spoken_needs_chips: Law[bool]
    shoe_holds: Law[range]
    opening: Script
    shuffles: Mapping[str, Law[Literal["at once", "after the round"]]]
    offer: Law[tuple[str, str]]
    cutter: Mapping[str, Law[str]]
    cutter_otherwise: Law[str]
    declined: Law[Literal["clockwise", "counter-clockwise"]]
    all_declined: Law[str]
    cut_from_ends: Law[int]
    cutting_card_from_back: Law[int]
    about: Law[int]
    deepest: Law[Fraction]
    loading: Script
    calls: Script
    against_ace: Script
    paid_early: Script
    ending: Script
    orders: Orders
    announces: Mapping[str, Law[str]]
    collects: Law[Literal["from the right", "from the left"]]
    dealer_cards: Law[Literal["under", "over"]]
    entry_rounds: Law[int]
    entry_gap: Law[int]


@dataclass(frozen=True, slots=True)
class BlackjackCase:
    """One line of the table of irregularities: when it applies, what is ordered and by whom, what is announced."""

    when: CaseWhen = field(metadata=IN_A_ROW)
    remedy: Remedy
    by: str = DEALER
    call: str = ""


Irregularities: TypeAlias = Mapping[str, tuple[Law[BlackjackCase], ...]]


@dataclass(frozen=True, slots=True)
class BlackjackRules:
    """The edition, with the elections in force."""

    # the table and its cards
    boxes: Law[range]
    inscriptions: Mapping[str, Law[str]]
    decks: Law[Options[int]]
    cutting_cards: Law[Options[int]]
    points: Law[tuple[int, ...]]
    ace_low: Law[int]
    ace_limit: Law[int]
    blackjack: Law[frozenset[int]]
    # the deal and the decisions
    deal_from: Law[Literal["left", "right"]]
    passes: tuple[Law[str], ...]
    decide_from: Law[Literal["left", "right"]]
    draws_on: Law[str]
    draw_below: Law[int]
    must_reach: Law[int]
    second_card: Law[Literal["always", "if needed"]]
    dealer_stands: Law[range]
    dealer_spared: Law[bool]
    # the wagers
    permitted: Law[tuple[str, ...]]
    closing: Law[str]
    withdrawn: Law[bool]
    additions_withdrawn: Law[bool]
    limit: Law[int]
    decisions: tuple[Law[Decision], ...]
    bust_taken: Law[Literal["at once", "at the end"]]
    pays: Law[Odds]
    over_maximum: Law[Literal["excess void"]]
    rounding: Law[Rounding]
    # the elections, and how an open text is read
    burn_card: Law[Options[bool]]
    super_sevens: Law[Options[bool]]
    players_per_box: Law[Options[int]]
    boxes_per_player: Law[Options[int]]
    box_maximum: Law[Options[str]]
    late_entry_at_minimum: Law[Options[bool]]
    dealer_blackjack: Law[Options[str]]
    # the groups
    blackjacks: BlackjackPay
    insurance: Insurance
    double: Double
    split: Split
    sharing: Sharing
    sevens: SuperSevens
    ceremony: BlackjackCeremony
    # when something went wrong
    absent_up_to: Law[int]
    deemed_blackjack: Law[bool]
    void_on_request: Law[str]
    complete_on_request: Law[str]
    irregularities: Irregularities
    unprovided: Law[str]
    # what tables elsewhere have, and an edition of somebody's own may add
    hole_card: Law[Literal["looked at"]] | Absent = absent
    soft_hits: Law[frozenset[int]] | Absent = absent
    double_after_split: Law[bool] | Absent = absent
    surrender: Law[Literal["late"]] | Absent = absent
