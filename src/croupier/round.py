"""A round in progress: what lies on the layout, and the book of wagers.

Theory of operation.  `place` puts wagers in the book once the game accepts them; `happen` lets a fact happen: the game
applies it, choices may put down further stakes, and each open wager is judged.  A fact that the rules refuse changes
nothing.  Both are pure, so a round can be replayed from its facts and gives the same end.

A line of the book that is decided stays so, unless a ruling orders to `UNDO`: then every line is again as the round
found it or as it was placed, and is judged by what lies on the layout once the remedy is carried out.  Where one round
has many throws, it is again as the last throw found it.

`settle` turns a resolution into money.  It is the only place where odds meet cents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace as changed

from croupier.game import (
    NO_SIGN,
    NORMAL,
    WHOLE,
    AnyGame,
    Called,
    Demand,
    Effect,
    Fact,
    Irregular,
    Lost,
    Next,
    Performed,
    Refusal,
    Remedy,
    Resolution,
    Rounding,
    Ruling,
    Sign,
    StandOff,
    Void,
    Wager,
    Won,
    never,
    no_law,
)
from croupier.game.following import after_both
from croupier.money import Cents, Odds, ceil_to_chips, floor_to_chips
from croupier.once import kept, replace
from croupier.present import short

S = TypeVar("S")

UP: Final = Rounding.UP
TAKE: Final = "take"
UNDO: Final = "undo"
"""The order, in a ruling, that what this round has decided is open again."""
VOID_SPIN: Final = "void spin"
"""The order, in a ruling, that the spin in hand has no result and is made again."""


class BookLine(Struct, frozen=True, gc=False):
    """A line of the book: a wager, and how it was decided once it was."""

    wager: Wager
    resolution: Resolution | None = None

    def __repr__(self) -> str:
        wager = self.wager
        return short("BookLine", on=wager.on, by=wager.by, stake_cents=wager.stake_cents, resolution=self.resolution)


class Round(Struct, Generic[S], frozen=True, dict=True):
    """A round of one game under one rule set; `rules` is the game's rules object with the elections in force.

    `start` is the book as this round found it and as wagers were placed in it, line by line; or as its last throw
    found it, where a fact `renews` what may be undone.  `numbered` counts the wagers ever placed, so that a book from
    which settled lines were taken never gives a number twice; `number` the rounds before this one.  `said`: what was
    called since the last throw, which is heard again if that falls otherwise.
    """

    game: AnyGame
    rules: Any
    sign: Sign
    state: S
    book: tuple[BookLine, ...] = ()
    start: tuple[BookLine, ...] = ()
    following: Next = NORMAL
    numbered: int = 0
    number: int = 0
    said: tuple[Called, ...] = ()

    def __repr__(self) -> str:
        return short("Round", game=self.game.name, before=self.number, wagers=len(self.book), open=len(self.standing))

    @kept
    def due(self) -> Demand:
        return self.game.demand(self.rules, self.state)

    @kept
    def standing(self) -> tuple[Wager, ...]:
        """The wagers not yet decided."""
        return tuple([entry.wager for entry in self.book if entry.resolution is None])

    @kept
    def staked(self) -> tuple[Wager, ...]:
        """The wagers of which any part is valid, decided or not."""
        return tuple([entry.wager for entry in self.book if entry.wager.stake_cents])

    @kept
    def backed(self) -> Mapping[str, tuple[Wager, ...]]:
        """The wagers not yet decided, by bettor."""
        found: dict[str, tuple[Wager, ...]] = {}
        for wager in self.standing:
            found[wager.by] = (*found.get(wager.by, ()), wager)
        return found

    @kept
    def bets(self) -> frozenset[str]:
        """What the wagers are on that are not yet decided."""
        return frozenset([wager.on for wager in self.standing])

    @kept
    def lines(self) -> Mapping[int, BookLine]:
        """The lines of the book by the numbers of their wagers."""
        return {entry.wager.number: entry for entry in self.book}

    def in_given_order(self, given: Sequence[tuple[int, Sequence[int]]]) -> Round[S]:
        """The round with its book as a case told it: of each round the wagers as given, then the stakes added.

        `given` has for each round the number of its first wager, and of each wager before which fact it was placed,
        which is the order in which the book has them.
        """
        places: dict[int, tuple[int, int, int]] = {}
        for turn, (first, moments) in enumerate(given):
            numbers = [line.wager.number for line in self.book if line.wager.number >= first]
            placed = [number for number in numbers if self.lines[number].wager.of is None]
            chosen = dict(zip(placed, sorted(range(len(moments)), key=moments.__getitem__), strict=False))
            places |= {
                number: (turn, 0, chosen[number]) if number in chosen else (turn, 1, number) for number in numbers
            }
        pairs = sorted(zip(self.book, self.start, strict=True), key=lambda pair: places[pair[0].wager.number])
        return changed(self, book=tuple(line for line, _ in pairs), start=tuple(first for _, first in pairs))

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
    number = last.number + 1
    fresh = open_round(last.game, last.rules, sign=last.sign, following=replace(last.following, number=number))
    return changed(fresh, book=last.book, start=last.book, numbered=last.numbered, number=number)


def place(this: AnyRound, wagers: tuple[Wager, ...]) -> AnyRound | Refusal:
    """The round with these wagers in the book, or the first refusal; then none of them is placed."""
    accepted = this.game.accept(this.rules, this.sign, this.state, this.standing, _numbered(this, wagers))
    if isinstance(accepted, Refusal):
        return accepted
    lines = tuple(_entry(wager) for wager in accepted)
    return _with_lines(changed(this, state=this.game.seat(this.rules, this.state, accepted)), lines)


def with_line(this: AnyRound, line: BookLine, *, state: Any) -> AnyRound:
    """The round with one more line in its book.

    What stood there, if anybody has asked for it, is not gone through again: `standing` and `backed` of the book as it
    is now say the same.
    """
    wager, more = line.wager, (line,)
    after = changed(this, state=state, book=this.book + more, start=this.start + more, numbered=wager.number + 1)
    if line.resolution is None and "backed" in this.__dict__:
        backed, kept = this.backed, after.__dict__
        kept["standing"], kept["staked"] = (*this.standing, wager), (*this.staked, wager)
        kept["backed"] = {**backed, wager.by: (*backed.get(wager.by, ()), wager)}
    return after


def without(this: AnyRound, numbers: set[int]) -> AnyRound:
    """The round without these lines of its book; what stands there is kept up as in `with_line`."""
    book = tuple([entry for entry in this.book if entry.wager.number not in numbers])
    start = tuple([entry for entry in this.start if entry.wager.number not in numbers])
    after = changed(this, book=book, start=start)
    if "backed" in this.__dict__:
        kept, backed = after.__dict__, dict(this.backed)
        for by in {wager.by for wager in this.standing if wager.number in numbers}:
            left = tuple([wager for wager in backed.pop(by) if wager.number not in numbers])
            backed |= {by: left} if left else {}
        kept["standing"] = tuple([wager for wager in this.standing if wager.number not in numbers])
        kept["backed"] = backed
    return after


def with_state(this: AnyRound, state: Any) -> AnyRound:
    """The round with another state and the same book, in which the same wagers stand."""
    if state is this.state:
        return this
    return _of_same_book(this, changed(this, state=state))


def _of_same_book(this: AnyRound, after: AnyRound) -> AnyRound:
    """A round with the book of another, told what that one knows of it already; what is due hangs on the state."""
    after.__dict__.update(this.__dict__)
    after.__dict__.pop("due", None)
    return after


def _with_lines(this: AnyRound, lines: tuple[BookLine, ...]) -> AnyRound:
    book, start = (*this.book, *lines), (*this.start, *lines)
    return changed(this, book=book, start=start, numbered=this.numbered + len(lines))


def _numbered(this: AnyRound, wagers: tuple[Wager, ...]) -> tuple[Wager, ...]:
    return tuple(changed(wager, number=this.numbered + index) for index, wager in enumerate(wagers))


def stack(wager: Wager) -> int:
    """The first of the chips among which a wager lies, by its number."""
    return wager.number if wager.upon is None else wager.upon


def _entry(wager: Wager) -> BookLine:
    """A wager of which nothing is valid is decided at once."""
    return BookLine(wager, Void(wager.void_rule) if wager.stake_cents == 0 else None)


def ruled(this: AnyRound, fact: Fact) -> Effect | Refusal:
    """The fact as it takes effect: an irregular one is ruled on, here and nowhere else."""
    return this.game.rule_on(this.rules, this.state, fact) if type(fact) is Irregular else fact


def happen(this: AnyRound, fact: Fact | Ruling) -> AnyRound | Refusal:
    """The round after a fact, with its further stakes and every open wager judged.

    Who has asked for the ruling on an irregular fact, to tell it, hands on the ruling.
    """
    effect = ruled(this, fact) if type(fact) is Irregular else fact
    if isinstance(effect, Refusal):
        return effect
    game, rules, before = this.game, this.rules, this.state
    further = game.stakes(rules, before, this.standing, effect)
    if isinstance(further, Refusal):
        return further
    opened = _reopened(this, effect) if type(effect) is Ruling else _given_back(this, effect)
    if isinstance(opened, Refusal):
        return opened
    after = game.apply(rules, before, effect)
    if isinstance(after, Refusal):
        return after
    lines = tuple(BookLine(wager) for wager in _numbered(this, further)) if further else ()
    judged = _judged(opened, opened.book + lines, effect, after)
    if type(effect) is Called:
        judged = tuple(map(partial(_fee_in_chips, this.sign.chip), opened.book, judged))
        start, said = _heard(opened, effect, judged)
    elif game.renews(effect):
        start, said = opened.book + lines, ()
    else:
        start, said = this.start + lines, this.said
    if this.said and type(effect) is Ruling and _undoes(effect):
        said = this.said
        for call in said:
            judged = _judged(opened, judged, call, after)
    now = changed(opened, state=after, book=judged, start=start, numbered=this.numbered + len(lines), said=said)
    return _of_same_book(this, now) if judged is this.book else now


def laid_otherwise(this: AnyRound, state: Any, order: Performed) -> AnyRound:
    """The round after an order that no fact of the game tells: what stands is judged by what lies there now."""
    return changed(this, state=state, book=_judged(this, this.book, order, state))


def _heard(
    this: AnyRound, call: Called, judged: tuple[BookLine, ...]
) -> tuple[tuple[BookLine, ...], tuple[Called, ...]]:
    """What is undone later goes back to the book with what was taken down taken down; the rest is heard again then."""
    if call.call == TAKE or this.game.renews is never:
        return tuple(map(_still_down, this.start, this.book, judged)), this.said
    return this.start, (*this.said, call)


def _still_down(start: BookLine, was: BookLine, now: BookLine) -> BookLine:
    """What a bettor called down of a wager stays down, whatever is undone later: all of it, or a part."""
    if was.resolution is not None or now == was:
        return start
    if now.resolution is not None or start.wager == was.wager:
        return now
    left = now.wager
    less = changed(start.wager, stake_cents=left.stake_cents, voided_cents=left.voided_cents, void_rule=left.void_rule)
    return BookLine(changed(less, fee_cents=left.fee_cents, refunded_cents=left.refunded_cents))


def _reopened(this: AnyRound, ruling: Ruling) -> AnyRound | Refusal:
    """The round with what the ruling says of the next one, and with its book open again if the ruling undoes it."""
    following = after_both(this.following, ruling.next, drawn_earlier=ruling.remedy is Remedy.RECONSTRUCT)
    if following is None:
        return Refusal("the next round has its first cards already", ruling.rule)
    undone = _undoes(ruling)
    opened = changed(this, following=following, book=this.start if undone else this.book)
    return opened if undone else _given_back(opened, ruling)


def _undoes(ruling: Ruling) -> bool:
    return any(isinstance(each, Performed) and each.act == UNDO for each in ruling.facts)


def _given_back(this: AnyRound, effect: Effect) -> AnyRound:
    """The round with those decided wagers open again that a choice, a ruling or an act lets be judged anew."""
    if this.game.reopens is no_law:
        return this
    opens = this.game.reopens(this.rules, this.game.felt(this.rules, this.state), effect)
    if opens is None:
        return this
    pairs = zip(this.start, this.book, strict=True)
    book = [_anew(first, line) if line.resolution and opens(line.wager) else line for first, line in pairs]
    return changed(this, book=tuple(book))


def _anew(first: BookLine, line: BookLine) -> BookLine:
    """A line as the round began with it, on the hand where it lies by now."""
    return BookLine(changed(first.wager, hand=line.wager.hand), first.resolution)


def _judged(this: AnyRound, book: tuple[BookLine, ...], fact: Effect, state: Any) -> tuple[BookLine, ...]:
    """Every open line judged by what the fact changed on the layout; an act that changes nothing is nothing to it.

    Where there are only wagers that the game says this fact leaves alone (`leaves`), they are not asked one by one.
    """
    game, rules = this.game, this.rules
    before, after = game.felt(rules, this.state), game.felt(rules, state)
    if type(fact) is Performed and (before is after or before == after):
        return book
    if book is this.book and game.leaves(rules, before, fact, after) >= this.bets:
        return book
    judge, lines, same = game.judge, [], True
    for entry in book:
        if entry.resolution is None:
            wager = entry.wager
            result = judge(rules, wager, before, fact, after)
            if result is not wager:
                entry, same = BookLine(result) if type(result) is Wager else BookLine(wager, result), False
        lines.append(entry)
    return book if same else tuple(lines)


def _fee_in_chips(chip: Cents, was: BookLine, now: BookLine) -> BookLine:
    """What goes back of a commission for a part called down, in chips: what they cannot divide is the bettor's."""
    less, back = now.wager.fee_cents, now.wager.refunded_cents
    odd = min(-(back - was.wager.refunded_cents) % chip, less)
    return BookLine(changed(now.wager, fee_cents=less - odd, refunded_cents=back + odd), now.resolution) if odd else now


# ---------------------------------------------------------------- money


class Settlement(Struct, frozen=True, gc=False):
    """What one stake came to, in cents.  `returned` is all that goes back to the bettor."""

    result: Literal["won", "lost", "standoff", "void", "open"]
    pays_cents: Cents
    commission_cents: Cents
    returned_cents: Cents
    voided_cents: Cents
    rule: str

    def net_cents(self, placed_cents: Cents) -> Cents:
        """What the bettor is better or worse off for having placed so much; nothing, as long as that is open."""
        return 0 if self.result == "open" else self.returned_cents - placed_cents


def settle(entry: BookLine, rounding: Rounding, chip: Cents, *, beneath: Cents = 0) -> Settlement:
    """The money of one line of the book; `beneath` is what of the same wager the chips of this line were added to."""
    wager, resolution = entry.wager, entry.resolution
    if type(resolution) is Won:
        return _won(wager, resolution, rounding, chip, beneath=beneath)
    stake, voided, fee = wager.stake_cents, wager.voided_cents, wager.fee_cents
    back = voided + wager.refunded_cents
    match resolution:
        case Lost():
            part = _whole_cents(stake * resolution.back) if resolution.back else 0
            return Settlement("lost", 0, fee, back + part, voided, resolution.rule)
        case None:
            return Settlement("open", 0, fee, 0, voided, "")
        case StandOff(rule=rule, word=word):
            return Settlement(word, 0, fee, stake + back, voided, rule)
        case Void(rule=rule):
            return Settlement("void", 0, 0, stake + back + fee, stake + voided, rule)
        case unreachable:
            assert_never(unreachable)


def beneath(wager: Wager, book: tuple[BookLine, ...]) -> Cents:
    """What lies of a wager beneath chips that were added to it (R-206); not what was taken down since."""
    if wager.upon is None:
        return 0
    below = (line.wager for line in book if line.wager.number < wager.number and type(line.resolution) is not Void)
    return sum(each.stake_cents for each in below if stack(each) == wager.upon)


def _won(wager: Wager, won: Won, rounding: Rounding, chip: Cents, *, beneath: Cents) -> Settlement:
    winning = wager.stake_cents if won.part is WHOLE or won.part == 1 else wager.stake_cents * won.part
    pays, taken = _winnings(winning, won.odds, chip if rounding is UP else 0)
    if beneath and rounding is UP and pays != winning * won.odds.fraction:
        # One wager is rounded once: the chips added to it are paid what they make it pay more.
        below = beneath * won.part
        pays = _winnings(below + winning, won.odds, chip)[0] - _winnings(below, won.odds, chip)[0]
    back = pays + (_whole_cents(winning) if won.stake_back else 0)
    back += wager.voided_cents + wager.refunded_cents
    return Settlement("won", pays, taken + wager.fee_cents, back, wager.voided_cents, won.rule)


@lru_cache(maxsize=4096)
def _winnings(winning: Fraction | int, odds: Odds, up_to: Cents) -> tuple[Cents, Cents]:
    """What a winning stake is paid, up to the next chip or in cents, and the commission that was taken.

    The same few stakes come again and again.
    """
    exact = winning * odds.fraction
    pays = ceil_to_chips(exact, up_to) if up_to else _whole_cents(exact)
    return pays, floor_to_chips(odds.taken(winning), 1)


def _whole_cents(amount: Fraction | int) -> Cents:
    """Cents, any part of a cent being the house's to give: the core never rounds against the bettor."""
    return amount if isinstance(amount, int) else ceil_to_chips(amount, 1)
