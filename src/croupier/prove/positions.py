"""Every kind of position that a game can be in without trouble, each once.

Theory of operation.  From the beginning of a game every way to go on is taken on a copy: every card by what it counts
(`symbol`), every throw and spin, every option of whoever must choose, and what others may choose meanwhile (to insure,
to take even money), every act of staff as it is usually done, the cutting card where it may come, and at a live table
every kind of wager and none.  A position of a kind that was seen before is not followed any further; so the search
comes to an end, and has then seen every kind that can be reached so.

Two positions are of one kind if

- the same is due in both, from the same, with the same options, under the same rule, and the same is open beside it;
- the play, apart from all ceremony, wants the same next, and after each card that could come it would again (so hands
  that count differently are of one kind only as long as that makes no difference to what comes next; of a game with
  boxes what may be wanted next counts, not after which card);
- as many cards lie on each hand, where three count as more than two, unless a hand is read as a whole at the end; of a
  box with several hands it counts how many they are and which numbers of cards there are among them;
- in a game with boxes, as long as first cards lie there only: the same of them are aces and tens, which decides what is
  offered and paid at once;
- wagers of the same kinds are open and decided, and there are the same results among them; a run is one kind of wager,
  on whom and however long, since it is open until it breaks or ends;
- the next round begins alike.

What is left out is who bets how much, and which card of a value it is: no rule on an irregularity reads that, except
to say whose wager or which card goes where.  Left out is also that a bettor takes a wager down or calls it on or off
(at random, `prove tables` takes them down).  In a game with boxes one box is played: what goes wrong goes wrong in one
of them, and how boxes stand beside each other is seen on walks with three, where everything is declared as well.  Two
rounds are played: the second begins with what the first left, later ones as the second does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Final, TypeAlias

from croupier.answers.facts import chances, choices, is_open
from croupier.equipment import CARDS, Laid, rank
from croupier.game import CardSeen, Choose, Chosen, Deal, Over, Perform, Plain, Refusal, Roll, Spin, Wager
from croupier.prove.liveness_walks import Hearing, WalkedTable

Play: TypeAlias = Hearing | WalkedTable

ROUNDS: Final = 2
MOST_CARDS: Final = 3
TEN: Final = 9
"""The rank of a ten; with the court cards it counts ten."""
RUN: Final = "_run_"
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
    most = CARDS if _reads_whole_hands(this) else MOST_CARDS
    hands = frozenset([(hand.box or hand.place, min(len(hand.cards), most)) for hand in cards]), len(cards)
    book = frozenset([(_of_a_kind(line.wager), line.resolution is None) for line in position.book])
    results = frozenset(type(line.resolution) for line in position.book)
    seen = _offered(this), _first_cards(this, cards), hands
    return this.due, _played(this), seen, book, results, following.hand, following.first_card is None


def left_alike(before: Play, after: Play) -> Hashable:
    """By what two positions after the same ruling are told apart, given the one before it.

    A ruling that leaves every card and every wager where it was, and the same due, has left a note at most: cards to be
    replaced after the round, a mixing that was missed.  That is carried out when its time comes, whatever the hands
    are; so it is played to its end once for each thing that can be due, not for each kind of position.  Dice and wheels
    leave no cards by which to see that nothing was moved: there every kind counts.
    """
    one, other = before.position, after.position
    lying = one.game.cards(one.rules, one.state)
    moved = not one.game.decks(one.rules) or lying != other.game.cards(other.rules, other.state)
    if not moved and one.book == other.book and one.following == other.following and before.due == after.due:
        return before.due
    return kind(after)


def _first_cards(this: Play, hands: tuple[Laid, ...]) -> Hashable:
    """In a game with boxes: the aces and tens among the first cards, as long as no others lie there."""
    boxed = any(hand.box for hand in hands) and not _reads_whole_hands(this)
    if not boxed or any(hand.hand > 1 or len(hand.cards) > (2 if hand.box else 1) for hand in hands):
        return ()
    return tuple([tuple(sorted([(rank(card) == 0, rank(card) >= TEN) for card in hand.cards])) for hand in hands])


def _offered(this: Play) -> frozenset[Chosen]:
    """What somebody may choose although another thing is due: to insure, to take even money."""
    at = this.position
    named = at.game.beside(at.rules, at.state, at.standing)
    return frozenset([fact for fact in named if isinstance(fact, Chosen) and is_open(at, fact)])


def _of_a_kind(wager: Wager) -> str:
    """What kind of wager it is: a run is one, on whom and however long."""
    return RUN if RUN in wager.on else wager.on.partition(":")[0]


def _played(this: Play) -> Hashable:
    """What the play wants, and what it would want after each card that may come."""
    game, rules = this.position.game, this.position.rules
    layout = game.felt(rules, this.position.state)
    wanted = this.plays.demand(rules, layout)
    if not isinstance(wanted, Deal):
        return wanted
    if _reads_whole_hands(this):
        return wanted
    left, found = this.stack.left, symbols(this)
    after, boxes = set[Hashable](), any(hand.box for hand in game.cards(rules, this.position.state))
    for symbol, at in found.items():
        state = this.plays.apply(rules, layout, CardSeen(left[at]))
        due = None if isinstance(state, Refusal) else this.plays.demand(rules, state)
        after.add(due if boxes else (symbol, due))
    return wanted, frozenset(after)


def _reads_whole_hands(this: Play) -> bool:
    game, rules = this.position.game, this.position.rules
    return bool(game.decks(rules)) and len({game.symbol(rules, card) for card in range(CARDS)}) > MOST_SYMBOLS


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
        yield from _told(this, _offered(this))


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
