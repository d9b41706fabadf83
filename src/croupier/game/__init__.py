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
remedy, the rule, who orders it, and the plain facts that carry it out.  It is asked once for each declaration, and the
ruling is what takes effect: `apply`, `stakes` and `judge` are given it in the place of the declaration.

Everything here is a value; a rule's "no" is a `Refusal`, never an exception.  Facts, demands, wagers and resolutions
have no kinds below them (`final`), so `type(fact) is Called` asks what `isinstance` does.  It is written so on the way
of every command: a struct takes four times as long to say that something is no instance of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, final

from msgspec import Struct

from croupier.equipment import Card, Laid, Lies, Space
from croupier.game.circumstances import Circumstances
from croupier.game.demands import DECLINING as DECLINING
from croupier.game.demands import Choose as Choose
from croupier.game.demands import Deal as Deal
from croupier.game.demands import Demand as Demand
from croupier.game.demands import Over as Over
from croupier.game.demands import Perform as Perform
from croupier.game.demands import Roll as Roll
from croupier.game.demands import Spin as Spin
from croupier.game.demands import not_due as not_due
from croupier.game.demands import say as say
from croupier.game.demands import told as told
from croupier.game.facts import Announcement as Announcement
from croupier.game.facts import BallFell as BallFell
from croupier.game.facts import Called as Called
from croupier.game.facts import CardSeen as CardSeen
from croupier.game.facts import Chosen as Chosen
from croupier.game.facts import DiceFell as DiceFell
from croupier.game.facts import Fact as Fact
from croupier.game.facts import Irregular as Irregular
from croupier.game.facts import Performed as Performed
from croupier.game.facts import Plain as Plain
from croupier.game.facts import WheelStopped as WheelStopped
from croupier.game.following import NORMAL as NORMAL
from croupier.game.following import Next as Next
from croupier.game.kinds import NO_KIND, ActKind
from croupier.game.refusal import Refusal as Refusal
from croupier.game.refusal import granted as granted
from croupier.game.refusal import worded as worded
from croupier.game.sign import NO_SIGN as NO_SIGN
from croupier.game.sign import Rounding as Rounding
from croupier.game.sign import Sign as Sign
from croupier.law.model import Law
from croupier.money import Cents, Odds
from croupier.once import dataclass, in_a_line

# ---------------------------------------------------------------- wagers


@final
class Wager(Struct, frozen=True, gc=False):
    """Money on a bet.  `seen` is all it remembers; `number` its place in the book; `of` the wager it follows.

    `voided_cents` is the part of the stake that does not count; `fee_cents` a commission paid when it was placed, of
    which `refunded_cents` came back when the wager was made smaller.  `upon`: the wager to whose chips it was added.
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
    upon: int | None = None


WHOLE: Final = Fraction(1)


@final
class Won(Struct, frozen=True, gc=False):
    """Won at these odds; `part` is the share of the stake that won, the rest being lost.

    `stake_back` is false where the stake is kept although the wager won, as a jackpot does.
    """

    odds: Odds
    rule: str
    result: str = "win"
    part: Fraction = WHOLE
    stake_back: bool = True

    __repr__ = in_a_line


@final
class Lost(Struct, frozen=True, gc=False):
    """Lost; `back` is the share of the stake that goes back all the same."""

    rule: str
    result: str = "lose"
    back: Fraction = Fraction(0)

    __repr__ = in_a_line


@final
class StandOff(Struct, frozen=True, gc=False):
    """Neither won nor lost; `word` is what the edition calls it; `uncounted`: no wager counts in this round."""

    rule: str
    word: Literal["standoff", "void"] = "standoff"
    result: str = "tie"
    uncounted: bool = False

    __repr__ = in_a_line


@final
class Void(Struct, frozen=True, gc=False):
    """The wager does not count: the round could not be completed, or the wager was taken down."""

    rule: str
    result: str = "void"

    __repr__ = in_a_line


Resolution: TypeAlias = Won | Lost | StandOff | Void


# ---------------------------------------------------------------- the rules' no, and remedies


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


@final
class Ruling(Struct, frozen=True, gc=False):
    """What is ordered on a declaration: a remedy, its rule, by whom, and the plain facts that carry it out."""

    on: Irregular
    remedy: Remedy
    rule: str
    by: str
    facts: tuple[Plain, ...] = ()
    next: Next = NORMAL
    call: str = ""

    __repr__ = in_a_line


Effect: TypeAlias = Plain | Ruling
"""What takes effect on a layout: a plain fact, or the ruling on an irregular one."""


# ---------------------------------------------------------------- the table's sign, and the game


R = TypeVar("R")
S = TypeVar("S")


def same_state(rules: object, state: S, *more: object) -> S:
    """`felt` for a game whose state is the layout, `seat` for one whose layout does not depend on who bets."""
    return state


def nothing(*asked: object) -> tuple[()]:
    """`says`, `pays`, `scale`, `totals` or `inscribed` for a game that has none of the kind."""
    return ()


def every(*asked: object) -> bool:
    """`paid` once all wagers are."""
    return True


def never(*asked: object) -> bool:
    """`renews` for a game in which a ruling that undoes anything undoes the whole round."""
    return False


def none_of_them(*asked: object) -> frozenset[str]:
    """`leaves` for a game in which each fact of play may decide any wager."""
    return frozenset()


def no_figures(*asked: object) -> Mapping[str, Any]:
    """`display` for a game whose equipment shows nothing beside the layout."""
    return {}


def no_law(*asked: object) -> None:
    """`held`, `spoken`, `reopens` and their like for a game that has no law of the kind."""
    return None


def unsaid(*asked: object) -> str:
    """`usual` or `cites` for a game that records nothing with an act, or in which every fact answers what is due."""
    return ""


def no_kind(rules: object, act: str) -> ActKind:
    """`kind` for a game of whose acts the names say all."""
    return NO_KIND


class Attendance(Struct, frozen=True):
    """Who sits where, of how many places, and where the `first` to come, if that is known; the wagers of the round, and
    those open; and how often the table stood empty since it was opened.  `out` are the seats of those who are shut out:
    they hold no role, and are offered none.  `afoot` are those without a seat, as they came, numbered beyond all seats.
    """

    seats: Mapping[int, str]
    wagers: tuple[Wager, ...]
    standing: tuple[Wager, ...]
    vacancies: int = 0
    places: int = 0
    first: int = 0
    out: frozenset[int] = frozenset()
    afoot: Mapping[int, str] = {}

    __repr__ = in_a_line


@dataclass(frozen=True, slots=True)
class Procedure(Generic[R, S]):
    """The ceremony of a game at a live table: a second `demand` and `apply`, over a sitting that holds the layout.

    `begin` is a table just opened; `layout` what wagers see of a sitting. `attend` tells it who is there and what they
    staked; `seat` opens the boxes of wagers just placed; `lift` takes all away. `closed` says why none is placed now,
    `late` why the game would then accept none on the same, whosever it is and whatever else they have; `complete`
    whether a round is done and paid, `next_round` begins another, `abandon` leaves one that cannot be finished. `seats`
    is how many sit there. `usual` is what an act is recorded with. `says` is what the dealer says upon a fact. `paid`
    tells decided wagers whose money has moved from others; nothing, where none has. `cites` is the rule of a fact that
    is open beside what is due. `held` says why a player may not wager what others may. `taken` is the name by which a
    wager is called down, if it may be; `parts` are the wagers that a call to take down names and that may come down.
    `inscribed` are words that the law wants on the cloth, with their rule and the wager that they are about; `sides`
    are the hands that wagers of somebody's own edition are on, where that is one alone; `display` is what lights or a
    screen show, with its rule. `spoken` is the law on wagers in words. `pays` are the odds of a wager, as the felt has
    them; `scale` what it pays on each hand, the highest first. `totals` are those that open a choice. `voice` is how
    a seated player is called in facts: by seat, or by name. `last_act` is to be done before the table closes.
    `unpayable` says why a wager is not accepted, `beyond` why all that a player would have on one thing is not.
    `outlives`: whether a wager stays when a round has no outcome;
    `resume` puts what an earlier round truly left (a point) on a layout, and `turn` gives the turn to throw to whom the
    last throw truly left it, with the rule if that is another.
    `beside` are orders to be tried, `closing` is the law that ends the betting, `unpredictable` that on the sources of
    results. `rule_on` rules on a declaration where the sitting knows more of it than the layout does; `number` counts
    the rounds of these cards. `face` is how the next card lies, `covered` which lie down; `places` are those of an act,
    in their order; `orders` what somebody may order beside what is due, `heard_as` the name under which a player
    orders, one for all who may order the same, `roles` who took what, with their rules. `equipment` says of each kind
    why one may not be used. `sign_stays` says why the limits stay, `untouched` why a wager is not touched, `waits` why
    something waits, `put` why a chip goes into no place, `joins` why somebody may not play beside those named,
    `confirms` who confirms a call. `forsaken` is the rule by which a wager that lies there between rounds goes back to
    a player who leaves; `bereft` takes the hands on which nothing is `left` of that player's wagers out of the round,
    under the rule that made them void; `gives_up` what somebody does by leaving a seat: he gives up what he holds
    there. `partakes` is who takes part in the game by a fact, as one who is shut out may not; `overrules` the law under
    which each official overrules the calls of others. `holds` are the boxes with a player's hands, where a seat is not
    its box; `rested` after how many facts a throw had come to rest that counts after all, by this ruling, and the rule
    by which what was placed later goes back. `follows` is how a round began where its ceremony had it otherwise than
    the one before left it, and after how many facts that was so; nothing, where it began as it was left. `breaks_off`
    leaves a round that is invalidated, where `abandon` is what earlier releases did.
    """

    begin: Callable[[R], Any]
    layout: Callable[[R, Any], S]
    demand: Callable[[R, Any], Demand]
    apply: Callable[[R, Any, Effect], Any]
    attend: Callable[[R, Any, Attendance], Any]
    seat: Callable[[R, Any, tuple[Wager, ...]], Any]
    lift: Callable[[R, Any], Any]
    closed: Callable[[R, Any, Wager], Refusal | None]
    complete: Callable[[R, Any], bool]
    next_round: Callable[[R, Any], Any]
    abandon: Callable[[R, Any], Any]
    seats: Callable[[R], Law[range] | None]
    usual: Callable[[R, Any, str, str], int | str]
    late: Callable[[R, Any, Wager], Refusal | None] = no_law
    says: Callable[[R, Any, Effect, Any], tuple[Announcement, ...]] = nothing
    paid: Callable[[R, Any], Callable[[Wager, Resolution], bool] | None] = no_law
    cites: Callable[[R, Any, Fact], str] = unsaid
    held: Callable[[R, Any, Sign, Wager], Refusal | None] = no_law
    taken: Callable[[R, Any, Wager], str] | None = None
    parts: Callable[[R, Any, Called], tuple[Wager, ...]] = nothing
    inscribed: Callable[[R], tuple[tuple[str, str, str], ...]] = nothing
    sides: Callable[[R], Mapping[str, str]] = no_figures
    display: Callable[[R, Any], Mapping[str, Any]] = no_figures
    spoken: Callable[[R], Law[bool] | None] = no_law
    pays: Callable[[R, str], tuple[Odds, ...]] = nothing
    scale: Callable[[R], tuple[tuple[str, str, Law[Any]], ...]] = nothing
    totals: Callable[[R], tuple[tuple[str, tuple[int, ...]], ...]] = nothing
    voice: Literal["seat", "name"] = "name"
    last_act: Callable[[R, Any], Perform | None] = no_law
    gives_up: Callable[[R, Any, int], Performed | None] = no_law
    unpayable: Callable[[R, Sign, Wager], Refusal | None] = no_law
    beyond: Callable[[R, Sign, str, Cents], Refusal | None] = no_law
    outlives: Callable[[R, Wager], bool] | None = None
    resume: Callable[[R, Any, S], Any] | None = None
    turn: Callable[[R, Any, S, tuple[str, str]], tuple[Any, str]] | None = None
    beside: Callable[[R, Any], Iterable[Plain]] = nothing
    closing: Callable[[R], Law[Any] | None] = no_law
    unpredictable: Callable[[R], Law[frozenset[str]] | None] = no_law
    rule_on: Callable[[R, Any, Irregular], Ruling | Refusal] | None = None
    number: Callable[[R, Any], int] | None = None
    equipment: Mapping[str, Callable[[R, str], Refusal | None]] = field(default_factory=dict)
    sign_stays: Callable[[R, Any], Refusal | None] = no_law
    untouched: Callable[[R, Any, Wager], Refusal | None] = no_law
    waits: Callable[[R, Any, Fact], Refusal | None] = no_law
    put: Callable[[R, str, str], Refusal | None] = no_law
    joins: Callable[[R, Any, str, tuple[str, ...]], Refusal | None] = no_law
    forsaken: Callable[[R, Any, Wager], str] = unsaid
    bereft: Callable[[R, Any, str, tuple[Wager, ...], str], Any] | None = None
    confirms: Callable[[R, Called], Law[frozenset[str]] | None] = no_law
    partakes: Callable[[R, Any, Fact], str] = unsaid
    overrules: Callable[[R], Mapping[str, Law[frozenset[str]]]] = no_figures
    rested: Callable[[R, Any, Ruling, tuple[Fact, ...]], tuple[int, str] | None] = no_law
    face: Callable[[R, Any], Law[str] | None] = no_law
    covered: Callable[[R, Any], Mapping[str, frozenset[int]] | None] = no_law
    places: Callable[[R, Any, str], Law[tuple[str, ...]] | None] = no_law
    orders: Callable[[R, Any, str], tuple[tuple[str, str], ...]] = nothing
    heard_as: Callable[[R, Any, str], str] = unsaid
    holds: Callable[[R, Any, str], tuple[int, ...] | None] = no_law
    roles: Callable[[R, Any], tuple[tuple[str, str, tuple[str, ...]], ...]] = nothing
    follows: Callable[[R, Sequence[Any], Next], tuple[Next, int] | None] = no_law
    breaks_off: Callable[[R, Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Game(Generic[R, S]):
    """A game: its editions, and the pure functions that play, judge and remedy it.

    play      `begin` lays the layout, perhaps with what the last round left; `seat` opens the boxes that have wagers;
              `demand` and `apply` move the round; `at_rest` says whether it could be left as it is.
    wagers    `wagers` names the bets permitted, `initial` those in whose areas side bets lie;
              `accept` validates what is placed, given what stands already;
              `stakes` says what a fact does to the stakes (a double, a split, a wager taken down) or refuses it;
              `judge` watches one wager, `leaves` names bets to which a fact does nothing, so that they need not be
              judged; `rounding` says what becomes of winnings that chips cannot pay.
    trouble   `circumstances` is the closed list of what can go wrong, `irregularities` what the edition says of each;
              `rule_on` finds the remedy; `reopens` tells which wagers a choice, a ruling or an act opens again;
              `renews`: what is undone later is undone back to this fact, and not to the beginning of the round.
    choices   `together` refuses elections that the law does not permit beside each other.
    numbers   `decks` is how many packs are in the shoe (0: no cards); `symbol` maps a card to all of it that counts;
              `view` maps a state to all that its future can depend on; `outcome` is the round in figures;
              `chances` is what dice or a wheel can show, for a game without cards.
    answers   `beside` are choices and calls that may be open beside what is due, to be tried, `offered` those choices
              that are put to a player then; `bound` is the one thing that chance can still bring, where it is known (a
              card shown in error, dice that were called); `usual` is what is commonly recorded with an act,
              `kind` what one of that name is.
              `answers/facts.py` makes of these every fact that would be accepted.
    to see    `cards` is what lies where, and who may look at it; `shown` the figures of a round as everybody saw them;
              `face_down`: hands lie face down, and a card is told to whose it is.
    live      `procedure` is the ceremony at a live table; `felt` is what wagers see of a state that holds more; `lies`
              says where a wager has gone on the layout, and under which marker buttons.
    """

    name: str
    editions: Mapping[str, Mapping[str, R]]
    begin: Callable[[R, Next], S]
    seat: Callable[[R, S, tuple[Wager, ...]], S]
    demand: Callable[[R, S], Demand]
    apply: Callable[[R, S, Effect], S | Refusal]
    at_rest: Callable[[R, S], bool]
    wagers: Callable[[R], tuple[str, ...]]
    accept: Callable[[R, Sign, S, tuple[Wager, ...], tuple[Wager, ...]], tuple[Wager, ...] | Refusal]
    stakes: Callable[[R, S, tuple[Wager, ...], Effect], tuple[Wager, ...] | Refusal]
    judge: Callable[[R, Wager, S, Effect, S], Wager | Resolution]
    rounding: Callable[[R], Rounding]
    circumstances: Circumstances
    irregularities: Callable[[R], Mapping[str, tuple[Law[Any], ...]]]
    rule_on: Callable[[R, S, Irregular], Ruling | Refusal]
    decks: Callable[[R], int]
    symbol: Callable[[R, Card], Hashable]
    view: Callable[[R, S], Hashable]
    outcome: Callable[[R, S], Mapping[str, object]]
    together: Callable[[R], Refusal | None] = no_law
    leaves: Callable[[R, S, Effect, S], frozenset[str]] = none_of_them
    chances: Callable[[R], Space[Plain]] | None = None
    procedure: Procedure[R, S] | None = None
    felt: Callable[[R, S], Any] = same_state
    beside: Callable[[R, S, tuple[Wager, ...]], Iterable[Plain]] = nothing
    offered: tuple[str, ...] = ()
    initial: Callable[[R], Iterable[str]] = nothing
    bound: Callable[[R, S], Plain | None] = no_law
    usual: Callable[[R, S, str, str], int | str] = unsaid
    kind: Callable[[R, str], ActKind] = no_kind
    cards: Callable[[R, S], tuple[Laid, ...]] = nothing
    shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    face_down: bool = False
    lies: Callable[[R, S, Wager], Lies] = lambda *_: Lies()
    reopens: Callable[[R, S, Effect], Callable[[Wager], bool] | None] = no_law
    renews: Callable[[Effect], bool] = never


AnyGame: TypeAlias = Game[Any, Any]
