"""What the law fixes about Caribbean stud: one typed object.

`StudRules` holds the cards, the deal, the wagers, the pay table and the jackpot.  The order of hands hangs below it in
`ranking` (see `hands`), the acts of staff in `ceremony` (see `procedure`), the remedies in `irregularities`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Literal, TypeAlias

from croupier.ceremony import Orders, Script
from croupier.game import Remedy, Rounding
from croupier.games.caribbean_stud.hands import Ranking
from croupier.law.conditions import IN_A_ROW, CaseWhen
from croupier.law.elections import Options
from croupier.law.model import Law
from croupier.money import Cents, Odds
from croupier.once import dataclass

ANTE, BET, JACKPOT = "ante", "bet", "jackpot"
FOLD = "fold"
FACE_DOWN = "face down"
BOXES, DEALER = "boxes", "dealer"

Verdict: TypeAlias = Literal["win", "lose", "stand off", "void"]


@dataclass(frozen=True, slots=True)
class DealStep:
    """A step of the deal: so many cards at a time to each box with an ante, or to the dealer."""

    to: Literal["boxes", "dealer"]
    cards: int


@dataclass(frozen=True, slots=True)
class JackpotPrize:
    """A jackpot payout: a sum in cents or, where it has a share, that part of the prize pool if it is greater."""

    sum_cents: Cents
    share: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Together:
    """The payouts where two or more hands of one round qualify: first the fixed sums, then each hand of the second
    class on what they leave of the pool, then the others on the rest, shared, but not less than a sum each.
    """

    first: Law[Literal["fixed sums"]]
    second: Law[str]
    last_sum_cents: Law[Cents]
    last_share: Law[Fraction]


@dataclass(frozen=True, slots=True)
class JackpotRules:
    """The progressive jackpot: what it needs, which hands win it, what becomes of the wager otherwise.

    needs_ante     no jackpot wager without an ante on the same hand
    one_amount     the wager is the amount on the limits sign
    areas          where the chip goes, by the mode in which the jackpot is run
    light          in electronic mode, a light for each wager accepted
    any_dealer     a hand wins whether or not the dealer qualifies
    shown          a hand wins only with its cards face up
    chip           whether the wager is collected from a hand that does not win it, by the way the round ended for it
    accepted       in electronic mode the wager went into the jackpot when it was accepted
    listed_only    no hand of another class than those with a prize wins it
    kept           whether the wager of a winning hand is kept as well
    no_ante        what becomes of a carried wager that finds no ante in the next round
    by_cheque      the lowest hand that may be paid by cash or cheque
    """

    needs_ante: Law[bool]
    one_amount: Law[bool]
    areas: Mapping[str, Law[str]]
    light: Law[str]
    any_dealer: Law[bool]
    shown: Law[bool]
    prizes: Mapping[str, Law[JackpotPrize]]
    together: Together
    chip: Mapping[str, Law[bool]]
    accepted: Law[bool]
    listed_only: Law[bool]
    kept: Law[bool]
    no_ante: Law[Verdict]
    by_cheque: Law[str]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How the ante and the bet of a hand that stayed in are decided."""

    higher: Law[Verdict]
    lower: Law[Verdict]
    equal: Law[Verdict]
    face_down: Law[Verdict]


@dataclass(frozen=True, slots=True)
class StudCase:
    """One line of the table of irregularities: when it applies, what is ordered and by whom."""

    when: CaseWhen = field(metadata=IN_A_ROW)
    remedy: Remedy
    by: str = DEALER


@dataclass(frozen=True, slots=True)
class StudCeremony:
    """The scripts of staff by name, what may be ordered, why cards are shuffled, and whether players may cut.

    In the acts `{box}` and `{deck}` stand for each of them.
    """

    scripts: Mapping[str, Script]
    orders: Orders
    shuffles: Mapping[str, Law[str]]
    players_cut: Law[bool]


Irregularities: TypeAlias = Mapping[str, tuple[Law[StudCase], ...]]


@dataclass(frozen=True, slots=True)
class StudRules:
    """The edition with the elections in force."""

    # the table and its cards
    seats: Law[Options[int]]
    device: Law[Options[str]]
    decks: Law[int]
    decks_at_table: Mapping[str, Law[int]]
    ranking: Ranking
    # the deal
    from_left: Law[bool]
    dealing: Mapping[str, tuple[Law[DealStep], ...]]
    last_card_up: Law[bool]
    bottom_card: Law[Options[str]]
    # the wagers
    permitted: Law[tuple[str, ...]]
    ante_first: Law[bool]
    closing: Law[str]
    antes_bind: Law[bool]
    decisions_bind: Law[bool]
    one_hand_each: Law[bool]
    one_wager_an_area: Law[bool]
    over_maximum: Law[Literal["excess void"]]
    choices: Law[tuple[str, ...]]
    bet_of_ante: Law[int]
    folded: Law[Verdict]
    # the showdown
    qualifies: Law[tuple[str, ...]]
    inscription: Law[str]
    verdicts: Verdicts
    no_hand: Law[str]
    no_hand_ante: Law[Odds]
    no_hand_bet: Law[Verdict]
    ante_pays: Law[Odds]
    bet_pays: Mapping[str, Law[Odds]]
    maximum_payout: Law[Options[str]]
    from_right: Law[bool]
    rounding: Law[Rounding]
    # the jackpot
    jackpot: Law[Options[bool]]
    jackpot_mode: Law[Options[str]]
    progressive: JackpotRules
    # what surrounds it
    misdealt: Law[str]
    stray_cards_or_stray_hand: Law[Options[str]]
    irregularities: Irregularities
    disputes: Law[tuple[str, ...]]
    ceremony: StudCeremony
