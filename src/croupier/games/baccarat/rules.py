"""What the law fixes about baccarat: one typed object per edition and version.

`BaccaratRules` holds the cards, the Table of Play, the bets and the roundings.  The ceremonies (opening, mixing, cut,
burn, calls, styles) and the remedies hang below it in `ceremony` and `irregularities`, with types of their own.

The Tables of Play themselves are in `tables.py`, in the typography of each gazette.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from croupier.ceremony import Orders, Script
from croupier.game import Refusal, Remedy, Rounding
from croupier.law.conditions import IN_A_ROW, CaseWhen
from croupier.law.elections import Options
from croupier.law.model import Absent, Law, absent, present
from croupier.money import Odds
from croupier.once import dataclass

PLAYER, BANKER, TIE = "player", "banker", "tie"


@dataclass(frozen=True, slots=True)
class OutcomeBet:
    """A bet on the winner: the outcomes on which it wins, loses and stands off, and what it pays."""

    wins: Law[frozenset[str]]
    loses: Law[frozenset[str]]
    ties: Law[frozenset[str]] | Absent
    pays: Law[Odds]


@dataclass(frozen=True, slots=True)
class HalfOnSix:
    """The Banker paid without commission, but less when it wins with six."""

    pays: Law[Odds]
    six: Law[int]
    pays_on_six: Law[Odds]


@dataclass(frozen=True, slots=True)
class PairScale:
    mixed: Law[Odds]
    coloured: Law[Odds]
    perfect: Law[Odds]


@dataclass(frozen=True, slots=True)
class PairBet:
    """Perfect Pairs: the first two cards of one hand; `one_scale`: all tables of a house pay by the same."""

    hand: Law[str]
    with_main: Law[bool]
    otherwise: Law[Literal["lose", "stand off"]]
    scales: Mapping[int, PairScale]
    one_scale: Law[bool]


@dataclass(frozen=True, slots=True)
class InsuranceBet:
    """Insurance/No 6: offered when the Banker has this count on two cards and the Player must draw."""

    count: Law[int]
    window: Law[int]
    capped_by: Law[frozenset[str]]
    loses: Law[frozenset[str]]
    pays: Law[Odds]


@dataclass(frozen=True, slots=True)
class RunBet:
    """A number of successive coups: the outcome that goes on (None: the hand nominated for each coup).

    `each_coup`: the hands on one of which a wager must be placed for each coup of the Run.
    """

    outcome: str | None
    pays: Mapping[int, Law[Odds]]
    tie_breaks: Law[bool]
    dummy_counts: Law[bool]
    each_coup: Law[frozenset[str]] | Absent = absent


@dataclass(frozen=True, slots=True)
class MarginBet:
    """A bet on winning by a margin, paid by a scale that names its own source; never gazetted."""

    source: str
    natural: Odds
    margins: Mapping[int, Odds]
    rule: str


@dataclass(frozen=True, slots=True)
class Step:
    """A row of a bet written as data: where the coup is so, the bet ends so; what `when` leaves out may be anything."""

    when: Mapping[str, frozenset[int | str]]
    ends: Odds | Literal["stand off", "lose"]
    result: str


OF_PAIRS: Final = ("player_pair", "banker_pair")


@dataclass(frozen=True, slots=True)
class OwnBet:
    """A bet of an edition of somebody's own: the first step that fits decides it, and without one it loses."""

    name: str
    steps: tuple[Step, ...]
    rule: str

    @property
    def of_pairs(self) -> bool:
        """Whether it asks of pairs, and so of each card rather than of counts."""
        return any(name in OF_PAIRS for step in self.steps for name in step.when)


@dataclass(frozen=True, slots=True)
class Limits:
    """What becomes of wagers outside the limits, of unpayable parts, and of a total beyond the differential.

    `payable`: a Banker wager that chips could not pay is not accepted; `unpayable` is of one that was, all the same.
    """

    over_maximum: Law[Literal["excess void", "next lower"]]
    payable: Law[bool] | Absent
    unpayable: Law[Literal["void part", "paid up"]]
    differential: Law[Literal["heavier hand"]]
    under_minimum: Law[Literal["no wager", "as it is"]] | Absent = absent


@dataclass(frozen=True, slots=True)
class BaccaratCase:
    """One line of the table of irregularities: when it applies, what is ordered and by whom, what is announced.

    `hand` is what the next round becomes; `now` says that the remedy befalls the round in hand; `deserted` is what that
    becomes if every main wager on it is taken back.
    """

    when: CaseWhen = field(metadata=IN_A_ROW)
    remedy: Remedy
    by: str = "dealer"
    hand: Literal["normal", "void", "dummy"] = "normal"
    call: str = ""
    now: bool = False
    deserted: Literal["normal", "dummy"] = "normal"


Irregularities: TypeAlias = Mapping[str, tuple[Law[BaccaratCase], ...]]


@dataclass(frozen=True, slots=True)
class CutOffer:
    """Who is offered the cut: from the seat with the lowest or highest number, upwards or downwards; or no player."""

    start: Literal["lowest", "highest", "nobody"]


@dataclass(frozen=True, slots=True)
class Depth:
    """How many cards from an end; an edition that says "about" allows a few less."""

    cards: int
    about: int = 0


@dataclass(frozen=True, slots=True)
class Style:
    """A way of dealing: how cards lie, who may hold them, and what is done once they are out.

    `shown` follows the initial deal, `third` a third card (with `{hand}` for its hand).  `roles` says before which
    part of the deal the handler of each hand is chosen; `order` by what, first things first; `keeps_until` when one who
    holds the shoe gives it up; `declined` the styles that stand in where nobody takes it, the second if nothing is
    said.  `forbids` are acts that this way of dealing rules out; `first` names an act that must have been done before
    another.
    """

    face: Law[Literal["up", "down", "either"]]
    third_face: Law[Literal["up", "down", "either"]]
    shown: Script
    third: Script
    roles: Mapping[str, Law[Literal["before deal", "after deal"]]]
    order: Law[tuple[str, ...]] | Absent
    keeps_until: Law[Literal["a loss"]] | Absent
    declined: Law[tuple[str, str]] | Absent
    forbids: Mapping[str, Law[str]]
    first: Mapping[str, Law[str]]


@dataclass(frozen=True, slots=True)
class BaccaratCeremony:
    """Everything around the coup: the opening of a shoe, the calls, the end of the shoe.

    `exchange`: with two sets, the other one comes to the shoe while the set that was in it is shuffled.
    """

    opening: Script
    mixing: Script
    prepared: Mapping[str, Script]
    cut_offer: Law[CutOffer]
    cut_by: Law[str]
    cut_depth: Law[Depth]
    end_depth: Law[Depth]
    end_fanned: Law[int] | Absent
    loading: Script
    burn_values: Law[tuple[int, ...]]
    calls: Script
    styles: Mapping[str, Style]
    ending: Script
    closing: Script
    exchange: Script
    last_call: Law[str]
    rounds_after: Law[int]
    rounds_if_first: Law[int]
    after_shoe: Mapping[str, Law[Literal["mix", "replace"]]]
    style_fixed: Law[bool] | Absent
    vacancy: Law[str] | Absent
    free_rounds: Law[int] | Absent
    nothing_staked: Law[Literal["dummy"]] | Absent
    orders: Orders


@dataclass(frozen=True, slots=True)
class BaccaratRules:
    """Edition and version, with the elections in force; `nothing` is what a count of zero is called."""

    # the table and its cards
    seats: Law[range]
    layout: Law[Options[str]] | Absent
    decks: Law[Options[int]]
    cutting_cards: Law[Options[int]]
    shuffler: Law[Options[str]]
    style: Law[Options[str]]
    apart: Law[tuple[str, str]] | Absent
    points: Law[tuple[int, ...]]
    modulus: Law[int]
    # the Table of Play
    initial_deal: Law[tuple[str, ...]]
    natural: Law[frozenset[int]]
    player_draws: Law[frozenset[int]]
    banker_after: tuple[Law[frozenset[int]], ...]
    banker_alone: Law[frozenset[int]]
    one_more: Law[int]
    merit: Law[tuple[int, ...]]
    void_hand: Law[bool]
    no_wagers: Law[bool]
    # the wagers
    permitted: Law[frozenset[str]]
    backs_both: Law[bool]
    closing: Law[str]
    bets: Mapping[str, OutcomeBet]
    tie_word: Literal["standoff", "void"]
    no_commission: Law[Options[bool]] | Absent
    half_on_six: HalfOnSix | Absent
    perfect_pairs: Law[Options[bool]] | Absent
    pay_scale: Law[Options[int]] | Absent
    pairs: PairBet | Absent
    insurance: Law[Options[bool]] | Absent
    insures: InsuranceBet | Absent
    runs: Law[Options[bool]] | Absent
    run_bets: Mapping[str, RunBet]
    run_and_void_coups: Law[Options[str]] | Absent
    excess: Mapping[str, Law[Fraction]]
    dragon_bonus: Law[Options[str]] | Absent
    limits: Limits
    rounding: Law[Rounding]
    # what surrounds it
    ceremony: BaccaratCeremony
    irregularities: Irregularities
    unprovided: Law[str]
    # bets of an edition of somebody's own
    own: tuple[OwnBet, ...] = ()
    nothing: Law[str] | Absent = absent
    # how many decks a batch shuffler must be able to hold
    batch_holds: Law[int] | Absent = absent


def together(rules: BaccaratRules) -> Refusal | None:
    """A shuffler and a style that the law keeps apart."""
    if not present(rules.apart):
        return None
    if (rules.shuffler.value.elected, rules.style.value.elected) != rules.apart.value:
        return None
    shuffler, style = rules.apart.value
    return Refusal(f"a {shuffler} shuffler is not used with Style {style}", rules.apart.rule)
