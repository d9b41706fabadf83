"""Every kind of position that a game can be in without trouble, each once.

Theory of operation.  From the beginning of a game every way to go on is taken on a copy: every card by what it counts
(`symbol`), every throw and spin, every option of whoever must choose, every act of staff as it is usually done, the
cutting card where it may come, and at a live table every kind of wager and none.  A position of a kind that was seen
before is not followed any further; so the search comes to an end, and has then seen every kind that can be reached.

Two positions are of one kind if

- the same is due in both, from the same, with the same options, under the same rule;
- the play, apart from all ceremony, wants the same next, and after each card that could come it would again (so hands
  that count differently are of one kind only as long as that makes no difference to what comes next; of a game with
  boxes what may be wanted next counts, not after which card);
- as many cards lie on each hand; three count as more than two;
- wagers of the same kinds are open and decided, and there are the same results among them;
- the next round begins alike.

What is left out is who bets how much, and which card of a value it is: no rule on an irregularity reads that, except
to say whose wager or which card goes where.  In a game with boxes one box is played: what goes wrong goes wrong in one
of them, and how boxes stand beside each other is seen on walks with three, where everything is declared as well.  Two
rounds are played: the second begins with what the first left, later ones as the second does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Final, TypeAlias

from croupier.answers.facts import chances, choices
from croupier.game import CardSeen, Choose, Deal, Over, Perform, Plain, Refusal, Roll, Spin
from croupier.prove.liveness_walks import Hearing, WalkedTable

Play: TypeAlias = Hearing | WalkedTable

ROUNDS: Final = 2
MOST_CARDS: Final = 3
MOST_SYMBOLS: Final = 13
"""A game in which more symbols count than this reads whole hands at the end, and a card changes nothing before."""


def positions(start: Play) -> Iterator[Play]:
    """One position of each kind, the nearest to the beginning."""
    known, waiting = {kind(start)}, deque([start])
    while waiting:
        this = waiting.popleft()
        yield this
        for other in onward(this):
            if other.rounds <= ROUNDS and (found := kind(other)) not in known:
                known.add(found)
                waiting.append(other)


def kind(this: Play) -> Hashable:
    """All of a position by which it is told from others, as the theory of operation says."""
    position = this.position
    following = position.following
    cards = position.game.cards(position.rules, position.state)
    hands = tuple((hand.place, min(len(hand.cards), MOST_CARDS)) for hand in cards)
    book = frozenset((line.wager.on.partition(":")[0], line.resolution is None) for line in position.book)
    results = frozenset(type(line.resolution) for line in position.book)
    return this.due, _played(this), hands, book, results, following.hand, following.first_card is None


def _played(this: Play) -> Hashable:
    """What the play wants, and what it would want after each card that may come."""
    game, rules = this.position.game, this.position.rules
    layout = game.felt(rules, this.position.state)
    wanted = this.plays.demand(rules, layout)
    if not isinstance(wanted, Deal):
        return wanted
    left, found = this.stack.left, symbols(this)
    if len(found) > MOST_SYMBOLS:
        return wanted
    after, boxes = set[Hashable](), any(hand.box for hand in game.cards(rules, this.position.state))
    for symbol, at in found.items():
        state = this.plays.apply(rules, layout, CardSeen(left[at]))
        due = None if isinstance(state, Refusal) else this.plays.demand(rules, state)
        after.add(due if boxes else (symbol, due))
    return wanted, frozenset(after)


def symbols(this: Play) -> dict[Hashable, int]:
    """Where in the stack a card of each kind lies, the nearest to the top."""
    position, left = this.position, this.stack.left
    if not left:
        return {}
    found: dict[Hashable, int] = {}
    for at in range(len(left) - 1, -1, -1):
        found.setdefault(position.game.symbol(position.rules, left[at]), at)
    return found


def with_each_card(this: Play) -> Iterator[Play]:
    """Copies with a card of each symbol as the next one."""
    found = list(symbols(this).values())[:MOST_SYMBOLS]
    for at in found:
        other = this.fork()
        left = other.stack.left
        left[at], left[-1] = left[-1], left[at]
        yield other
    if not found:
        yield this.fork()


# ---------------------------------------------------------------- going on


def onward(this: Play) -> Iterator[Play]:
    """Every way to go on by one fact, after every way of betting where it is time for that, each on a copy."""
    if isinstance(this, WalkedTable) and this.may_bet:
        for other in this.bets():
            yield other
            yield from _answered(other)
    elif not this.ended:
        yield from _answered(this)


def _answered(this: Play) -> Iterator[Play]:
    """Every answer to what is due."""
    match this.due:
        case Over():
            if isinstance(this, Hearing):
                yield _gone_on(this.fork())
        case Deal():
            yield from map(_gone_on, with_each_card(this))
            if this.stack.behind is not None and len(this.stack.left) > this.stack.behind:
                other = this.fork()
                other.stack.behind = len(other.stack.left)
                yield _gone_on(other)
        case Roll() | Spin():
            yield from _told(this, dict.fromkeys(chances(this.position)))
        case Choose(by=by):
            yield from _told(this, [each for each in choices(this.position) if each.by == by])
        case Perform():
            yield _gone_on(this.fork())


def _gone_on(this: Play) -> Play:
    this.go_on()
    return this


def _told(this: Play, facts: Iterable[Plain]) -> Iterator[Play]:
    for fact in facts:
        other = this.fork()
        if other.tell(fact) is None:
            yield other
