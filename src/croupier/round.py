"""A round in progress: what lies on the layout, and the book of wagers.

Theory of operation.  `place` puts wagers in the book once the game accepts them; `happen` lets a fact happen: the game
applies it, choices may put down further stakes, and each open wager is judged.  A fact that the rules refuse changes
nothing.  Both are pure, so a round can be replayed from its facts and gives the same end.

`settle` turns a resolution into money.  It is the only place where odds meet cents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Literal, TypeAlias, TypeVar, assert_never

from croupier.game import (
    NO_SIGN,
    NORMAL,
    AnyGame,
    Demand,
    Fact,
    Irregular,
    Lost,
    Next,
    Refusal,
    Resolution,
    Rounding,
    Ruling,
    Sign,
    StandOff,
    Void,
    Wager,
    Won,
)
from croupier.money import Cents, ceil_to_chips

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the book: a wager, and how it was decided once it was."""

    wager: Wager
    resolution: Resolution | None = None


@dataclass(frozen=True, slots=True)
class Round(Generic[S]):
    """A round of one game under one rule set; `rules` is the game's rules object with the elections in force."""

    game: AnyGame
    rules: Any
    sign: Sign
    state: S
    book: tuple[Entry, ...] = ()
    following: Next = NORMAL

    @property
    def due(self) -> Demand:
        return self.game.demand(self.rules, self.state)

    @property
    def standing(self) -> tuple[Wager, ...]:
        """The wagers not yet decided."""
        return tuple(entry.wager for entry in self.book if entry.resolution is None)

    @property
    def over(self) -> bool:
        """Whether the layout can rest and no wager is open."""
        return self.game.at_rest(self.rules, self.state) and not self.standing


AnyRound: TypeAlias = Round[Any]


def open_round(game: AnyGame, rules: Any, *, sign: Sign = NO_SIGN, following: Next = NORMAL) -> AnyRound:
    """A new round, which may start with what the last one left over."""
    return Round(game, rules, sign, game.begin(rules, following))


def next_round(last: AnyRound) -> AnyRound:
    """The round after this one: wagers that are still open go on, numbered as before."""
    fresh = open_round(last.game, last.rules, sign=last.sign, following=last.following)
    return replace(fresh, book=last.book)


def place(this: AnyRound, wagers: tuple[Wager, ...]) -> AnyRound | Refusal:
    """The round with these wagers in the book, or the first refusal; then none of them is placed."""
    accepted = this.game.accept(this.rules, this.sign, this.state, this.standing, _numbered(this, wagers))
    if isinstance(accepted, Refusal):
        return accepted
    book = (*this.book, *(_entry(wager) for wager in accepted))
    return replace(this, book=book, state=this.game.seat(this.rules, this.state, accepted))


def _numbered(this: AnyRound, wagers: tuple[Wager, ...]) -> tuple[Wager, ...]:
    return tuple(replace(wager, number=len(this.book) + index) for index, wager in enumerate(wagers))


def _entry(wager: Wager) -> Entry:
    """A wager of which nothing is valid is decided at once."""
    return Entry(wager, Void(wager.void_rule) if wager.stake_cents == 0 else None)


def happen(this: AnyRound, fact: Fact) -> AnyRound | Refusal:
    """The round after a fact, with its further stakes and every open wager judged."""
    game, rules, before = this.game, this.rules, this.state
    further = game.stakes(rules, before, this.standing, fact)
    if isinstance(further, Refusal):
        return further
    following = this.following
    if isinstance(fact, Irregular):
        ruling = game.rule_on(rules, before, fact)
        if isinstance(ruling, Refusal):
            return ruling
        following = ruling.next
    after = game.apply(rules, before, fact)
    if isinstance(after, Refusal):
        return after
    book = (*this.book, *(Entry(wager) for wager in _numbered(this, further)))
    judged = tuple(_judged(game, rules, entry, before, fact, after) for entry in book)
    return replace(this, state=after, book=judged, following=following)


def ruling_on(this: AnyRound, fact: Fact) -> Ruling | None:
    """The ruling that an irregularity gets in this position, if it gets one."""
    if not isinstance(fact, Irregular):
        return None
    ruling = this.game.rule_on(this.rules, this.state, fact)
    return None if isinstance(ruling, Refusal) else ruling


def _judged(game: AnyGame, rules: Any, entry: Entry, before: Any, fact: Fact, after: Any) -> Entry:
    if entry.resolution is not None:
        return entry
    result = game.judge(rules, entry.wager, before, fact, after)
    if isinstance(result, Wager):
        return Entry(result)
    return Entry(entry.wager, result)


# ---------------------------------------------------------------- money


@dataclass(frozen=True, slots=True)
class Settlement:
    """What one stake came to, in cents.  `returned` is all that goes back to the bettor."""

    result: Literal["won", "lost", "standoff", "void", "open"]
    pays_cents: Cents
    commission_cents: Cents
    returned_cents: Cents
    voided_cents: Cents
    rule: str

    def net_cents(self, placed_cents: Cents) -> Cents:
        """What the bettor is better or worse off for having placed so much."""
        return self.returned_cents - placed_cents


def settle(entry: Entry, rounding: Rounding, chip: Cents) -> Settlement:
    """The money of one line of the book."""
    wager = entry.wager
    stake, voided, fee = wager.stake_cents, wager.voided_cents, wager.fee_cents
    match entry.resolution:
        case None:
            return Settlement("open", 0, fee, 0, voided, "")
        case Won() as won:
            return _won(wager, won, rounding, chip)
        case Lost(rule=rule):
            return Settlement("lost", 0, fee, voided, voided, rule)
        case StandOff(rule=rule, word=word):
            return Settlement(word, 0, fee, stake + voided, voided, rule)
        case Void(rule=rule):
            return Settlement("void", 0, 0, stake + voided + fee, stake + voided, rule)
        case unreachable:
            assert_never(unreachable)


def _won(wager: Wager, won: Won, rounding: Rounding, chip: Cents) -> Settlement:
    winning = wager.stake_cents * won.part
    exact = winning * won.odds.fraction
    pays = ceil_to_chips(exact, chip) if rounding is Rounding.UP else _whole_cents(exact)
    taken = _whole_cents(winning * Fraction(won.odds.win, won.odds.stake) * won.odds.commission)
    back = pays + _whole_cents(winning) + wager.voided_cents
    return Settlement("won", pays, taken + wager.fee_cents, back, wager.voided_cents, won.rule)


def _whole_cents(amount: Fraction | int) -> Cents:
    """Cents, any part of a cent being the house's to give: the core never rounds against the bettor."""
    return ceil_to_chips(amount, 1)
