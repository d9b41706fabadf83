"""The interface: what a game is, and the words in which play is told.

Theory of operation.  A round is what lies on the layout and what was said and still binds: a frozen value, without a
phase field.  Two pure functions move it.  `demand(rules, state)` says what is due next, from whom and under which
rule; `apply(rules, state, fact)` puts a fact on the layout, or refuses it and names what was due.  They know hands,
boxes and who decides, never amounts.

A bet is a watcher.  `judge(rules, wager, before, fact, after)` is called after each fact for each open wager and
answers with the wager (perhaps remembering what it saw) or with its resolution.  What needs the other wagers or
the sign on the table is not judging: `accept` splits wagers into their valid and void parts when they are placed,
and `raises` says which further stakes a choice puts down.

An irregularity is a fact that says so.  `rule_on` looks it up in the edition's table and answers with a ruling: the
remedy, the rule, who orders it, and the plain facts that carry it out.

Everything here is a value; a rule's "no" is a `Refusal`, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from croupier.equipment import Card, Space
from croupier.law.model import Law
from croupier.money import Cents, Odds

# ---------------------------------------------------------------- what is due


@dataclass(frozen=True, slots=True)
class Deal:
    """A card is due, to a hand."""

    to: str
    rule: str


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice are due, from whoever holds them."""

    by: str
    rule: str


@dataclass(frozen=True, slots=True)
class Spin:
    """A wheel is due."""

    by: str
    rule: str


@dataclass(frozen=True, slots=True)
class Choose:
    """A decision is due from one person; the options are all that the rules leave open."""

    by: str
    options: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Perform:
    """An act of staff is due: wash, cut, burn, call."""

    act: str
    by: str
    rule: str


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is due; the rule is the one that ended the round."""

    rule: str


Demand: TypeAlias = Deal | Roll | Spin | Choose | Perform | Over


def say(demand: Demand) -> str:
    """A demand in the short words of the notation."""
    match demand:
        case Deal(to=to):
            return f"deal {to}"
        case Roll(by=by):
            return f"roll {by}".rstrip()
        case Spin(by=by):
            return f"spin {by}".rstrip()
        case Choose(by=by, options=options):
            return f"choose {by}: {'|'.join(options)}"
        case Perform(act=act, by=by):
            return f"{act} by {by}"
        case Over():
            return "over"


# ---------------------------------------------------------------- what happened


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card came to the hand that was due it."""

    card: Card


@dataclass(frozen=True, slots=True)
class DiceFell:
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BallFell:
    number: int


@dataclass(frozen=True, slots=True)
class WheelStopped:
    symbol: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """A person decided: an option, where it matters for which box and hand, and for how much."""

    option: str
    by: str = ""
    box: int = 0
    hand: int = 0
    amount_cents: Cents = 0


@dataclass(frozen=True, slots=True)
class Performed:
    """Staff did an act; `detail` is its number or place (a cut depth, a seat, a count burned)."""

    act: str
    by: str = ""
    detail: int | str = ""


@dataclass(frozen=True, slots=True)
class Called:
    """Something was said that binds: a call, a nomination, a wager called on, off or down."""

    call: str
    by: str = ""
    on: str = ""
    amount_cents: Cents = 0


@dataclass(frozen=True, slots=True)
class Irregular:
    """Something went wrong, and the dealer says what.

    `card` is the card concerned, `to` where it went, `disclosed` whether it was seen, `found` the cards put right or
    found in place, `call` the official's decision where the law leaves one, `by` the official.
    """

    circumstance: str
    card: Card | None = None
    to: str = ""
    disclosed: bool = False
    found: tuple[Card, ...] = ()
    call: str = ""
    by: str = ""


Fact: TypeAlias = CardSeen | DiceFell | BallFell | WheelStopped | Chosen | Performed | Called | Irregular


# ---------------------------------------------------------------- wagers


class Wager(Struct, frozen=True, gc=False):
    """Money on a bet.  `seen` is all it remembers; `number` its place in the book; `of` the wager it follows.

    `voided_cents` is the part of the stake that does not count; `fee_cents` a commission paid when it was placed, of
    which `refunded_cents` came back when the wager was made smaller.
    """

    on: str
    stake_cents: Cents
    by: str = ""
    box: int = 1
    hand: int = 0
    number: int = 0
    of: int | None = None
    voided_cents: Cents = 0
    void_rule: str = ""
    fee_cents: Cents = 0
    refunded_cents: Cents = 0
    seen: tuple[Hashable, ...] = ()


@dataclass(frozen=True, slots=True)
class Won:
    """Won at these odds; `part` is the share of the stake that won, the rest being lost.

    `stake_back` is false where the stake is kept although the wager won, as a jackpot does.
    """

    odds: Odds
    rule: str
    result: str = "win"
    part: Fraction = Fraction(1)
    stake_back: bool = True


@dataclass(frozen=True, slots=True)
class Lost:
    rule: str
    result: str = "lose"


@dataclass(frozen=True, slots=True)
class StandOff:
    """Neither won nor lost; `word` is what the edition calls it."""

    rule: str
    word: Literal["standoff", "void"] = "standoff"
    result: str = "tie"


@dataclass(frozen=True, slots=True)
class Void:
    """The wager does not count: the round could not be completed, or the wager was taken down."""

    rule: str
    result: str = "void"


Resolution: TypeAlias = Won | Lost | StandOff | Void


# ---------------------------------------------------------------- the rules' no, and remedies


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rules said no."""

    reason: str
    rule: str


class Remedy(StrEnum):
    """What can be ordered when something went wrong."""

    REASSIGN = "reassign"
    CARRY = "carry to next round"
    VOID_HAND = "void hand"
    DUMMY_COUP = "dummy coup"
    VOID_ROUND = "void round"
    VOID_WAGER = "void wager"
    USE = "use as dealt"
    DISCARD = "discard"
    RECONSTRUCT = "reconstruct"
    REDEAL = "redeal"
    REPLACE = "replace"
    RESTART = "restart"
    PLAY_ON = "play on"
    STAND = "stand"
    OPTION = "players may choose"
    FOLD = "fold"
    AGAIN = "repeat the act"


@dataclass(frozen=True, slots=True)
class Next:
    """How the next round begins: with a card already drawn, and whether wagers count in it."""

    first_card: Card | None = None
    hand: Literal["normal", "void", "dummy"] = "normal"
    rule: str = ""


NORMAL: Final = Next()


@dataclass(frozen=True, slots=True)
class Ruling:
    """A remedy, its rule, who orders it, and the plain facts that carry it out in this round."""

    remedy: Remedy
    rule: str
    by: str
    facts: tuple[Fact, ...] = ()
    next: Next = NORMAL
    call: str = ""


# ---------------------------------------------------------------- the table's sign, and the game


@dataclass(frozen=True, slots=True)
class Sign:
    """What the sign on the table says, in cents.  Without a sign: chips of one cent and no limits."""

    chip: Cents = 1
    minimum: Cents = 0
    maximum: Cents | None = None
    increment: Cents = 0
    differential: tuple[Cents, Cents] | None = None
    super_sevens: Cents | None = None
    jackpot: Cents | None = None
    jackpot_wager: Cents | None = None


NO_SIGN: Final = Sign()


class Rounding(StrEnum):
    """What becomes of winnings that chips cannot pay."""

    EXACT = "exact"
    UP = "up to the next chip"


R = TypeVar("R")
S = TypeVar("S")


def all_together(rules: object) -> Refusal | None:
    """`together` for a game whose elections may stand beside each other as they like."""
    return None


def whole_state(rules: object, state: S) -> S:
    """`felt` for a game whose state is the layout."""
    return state


def silent(rules: object, before: object, fact: Fact, after: object) -> tuple[tuple[str, str], ...]:
    """`says` for a game in which all that is said is an act of its own."""
    return ()


def no_simple_odds(rules: object, on: str) -> tuple[Odds, ...]:
    """`pays` for a game whose wagers are paid by a table, not at odds."""
    return ()


def unspoken(rules: object) -> None:
    """`spoken` for a game whose play has no law on spoken wagers."""
    return None


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who sits where, the wagers of the round in hand, and those of them that are not decided yet."""

    seats: Mapping[int, str]
    wagers: tuple[Wager, ...]
    standing: tuple[Wager, ...]


@dataclass(frozen=True, slots=True)
class Procedure(Generic[R, S]):
    """The ceremony of a game at a live table: a second `demand` and `apply`, over a sitting that holds the layout.

    `begin` is a table just opened; `layout` what wagers see of a sitting.
    `attend` tells the sitting who is there and what they staked; `seat` opens the boxes of wagers just placed; `lift`
    takes all boxes away again, before the first card.  `closed` says why no such wager is placed now; `complete`
    whether all of a round is done and paid, `next_round` begins another, `abandon` leaves
    one that cannot be finished.  `seats` is the law on how many sit there.
    `usual` is what is commonly recorded with an act (a depth, a direction, the card burned), for demonstration and
    training.  `says` is what the dealer says when a fact turned one sitting into the next, each text with its rule,
    beside the calls that are acts themselves.  `spoken` is the law on wagers made in words, where play has it.
    `pays` are the odds at which a wager can win, as the felt shows them; none where they are no simple odds.
    `voice` is how a seated player is called in facts: by seat, or by name.
    """

    begin: Callable[[R], Any]
    layout: Callable[[R, Any], S]
    demand: Callable[[R, Any], Demand]
    apply: Callable[[R, Any, Fact], Any]
    attend: Callable[[R, Any, Attendance], Any]
    seat: Callable[[R, Any, tuple[Wager, ...]], Any]
    lift: Callable[[R, Any], Any]
    closed: Callable[[R, Any, Wager], Refusal | None]
    complete: Callable[[R, Any], bool]
    next_round: Callable[[R, Any], Any]
    abandon: Callable[[R, Any], Any]
    seats: Callable[[R], Law[range] | None]
    usual: Callable[[R, Any, str, str], int | str]
    says: Callable[[R, Any, Fact, Any], tuple[tuple[str, str], ...]] = silent
    spoken: Callable[[R], Law[bool] | None] = unspoken
    pays: Callable[[R, str], tuple[Odds, ...]] = no_simple_odds
    voice: Literal["seat", "name"] = "name"


@dataclass(frozen=True, slots=True)
class Game(Generic[R, S]):
    """A game: its editions, and the pure functions that play, judge and remedy it.

    play      `begin` lays the layout, perhaps with what the last round left; `seat` opens the boxes that have wagers;
              `demand` and `apply` move the round; `at_rest` says whether it could be left as it is.
    wagers    `wagers` names the bets permitted; `accept` validates what is placed, given what stands already;
              `stakes` says what a fact does to the stakes (a double, a split, a wager taken down) or refuses it;
              `judge` watches one wager; `rounding` says what becomes of winnings that chips cannot pay.
    trouble   `circumstances` is the closed list of what can go wrong; `rule_on` finds the remedy.
    choices   `together` refuses elections that the law does not permit beside each other.
    numbers   `decks` is how many packs are in the shoe (0: no cards); `symbol` maps a card to all of it that counts;
              `view` maps a state to all that its future can depend on; `outcome` is the round in figures;
              `chances` is what dice or a wheel can show, for a game without cards.
    live      `procedure` is the ceremony at a live table; `felt` is what wagers see of a state that holds more.
    """

    name: str
    editions: Mapping[str, Mapping[str, R]]
    begin: Callable[[R, Next], S]
    seat: Callable[[R, S, tuple[Wager, ...]], S]
    demand: Callable[[R, S], Demand]
    apply: Callable[[R, S, Fact], S | Refusal]
    at_rest: Callable[[R, S], bool]
    wagers: Callable[[R], tuple[str, ...]]
    accept: Callable[[R, Sign, S, tuple[Wager, ...], tuple[Wager, ...]], tuple[Wager, ...] | Refusal]
    stakes: Callable[[R, S, tuple[Wager, ...], Fact], tuple[Wager, ...] | Refusal]
    judge: Callable[[R, Wager, S, Fact, S], Wager | Resolution]
    rounding: Callable[[R], Rounding]
    circumstances: Mapping[str, str]
    rule_on: Callable[[R, S, Irregular], Ruling | Refusal]
    decks: Callable[[R], int]
    symbol: Callable[[R, Card], Hashable]
    view: Callable[[R, S], Hashable]
    outcome: Callable[[R, S], Mapping[str, object]]
    together: Callable[[R], Refusal | None] = all_together
    chances: Callable[[R], Space[Fact]] | None = None
    procedure: Procedure[R, S] | None = None
    felt: Callable[[R, S], Any] = whole_state


AnyGame: TypeAlias = Game[Any, Any]


def same_state(rules: object, state: S, wagers: tuple[Wager, ...]) -> S:
    """`seat` for a game whose layout does not depend on who bets."""
    return state


def no_stakes(rules: object, state: object, standing: tuple[Wager, ...], fact: Fact) -> tuple[Wager, ...]:
    """`stakes` for a game in which no fact puts money down."""
    return ()
