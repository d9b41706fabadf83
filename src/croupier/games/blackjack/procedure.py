"""The procedure around a round: a second `demand` over the same layout.

A `BlackjackSitting` is the ceremony so far: what was done with this shoe, what was done in this round, why the cards
were shuffled, who answered the offer of the cut, and the layout.  `demand` is the first thing due of an ordered list:
the opening, the shuffle, the cut, the loading of the shoe; then for each round the call, the cards and decisions of
`play` with the calls they ask for, the payment and the collection; and at last the shuffle, if a cutting card came
out.  `apply` lets it happen or refuses it with the rule of what was due.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from croupier.ceremony import CUTTING_CARD, Done, acts, due, perform
from croupier.game import (
    CardSeen,
    Choose,
    Chosen,
    Demand,
    Effect,
    Next,
    Over,
    Perform,
    Performed,
    Refusal,
    Ruling,
    Wager,
    told,
)
from croupier.games.blackjack import irregular, play
from croupier.games.blackjack.ceremonies import CUT, PAY, REMOVE_EVEN_MONEY, SHUFFLE, TELL_OF_LIMIT
from croupier.games.blackjack.layout import Layout, begin, has_blackjack, points, seat
from croupier.games.blackjack.rules import MAIN, BlackjackRules
from croupier.games.blackjack.shoe import Offers, offers, shuffle_due, why_no_cut, why_no_depth
from croupier.law.officials import DEALER, PLAYER
from croupier.once import in_a_line, once_of_both, replace

EMPTY = Layout()
CALL = "call No more bets"
DISCARDS = "discards"


class BlackjackSitting(Struct, frozen=True, gc=False):
    """A table's ceremony.

    `seats` are the boxes where players sit, with a wager or without, `names` what they are called; `first_box` is that
    of the first to arrive.  `cause` is why the cards were last shuffled: `start`, `vacant`, `new cards`, `discards` if
    the shoe ran out in a round, or nothing where a cutting card says who cuts; `vacancies` is how often the table had
    stood empty by then.  `last` is the layout of the round before, on which that cutting card came out.  `answers` are
    those to the offer of the cut, box by box; `rounds` are the players who wagered in each round of this shoe.
    """

    layout: Layout = EMPTY
    seats: tuple[int, ...] = ()
    first_box: int = 0
    shoe: Done = ()
    said: Done = ()
    cause: str = "start"
    last: Layout = EMPTY
    answers: tuple[tuple[int, str], ...] = ()
    rounds: tuple[frozenset[str], ...] = ()
    vacancies: int = 0
    names: tuple[tuple[int, str], ...] = ()

    __repr__ = in_a_line


# ---------------------------------------------------------------- conditions


def holds(rules: BlackjackRules, sitting: BlackjackSitting, word: str) -> bool:
    """Whether a condition of the scripts holds at this table now."""
    return CONDITIONS[word](rules, sitting)


def _shows(rules: BlackjackRules, layout: Layout, values: frozenset[int]) -> bool:
    """Whether the initial deal is over and the dealer's first card is one of these."""
    first = layout.dealer[:1] if play.initial_deal_over(rules, layout) and not layout.missed else ()
    return bool(first) and points(rules, first[0]) in values


def under_way(rules: BlackjackRules, sitting: BlackjackSitting) -> bool:
    """A round lasts from its first card until all cards are in the discard rack."""
    return bool(sitting.layout.cards) and rules.ceremony.round_ends_with.value not in acts(sitting.said)


CONDITIONS: Final[Mapping[str, Callable[[BlackjackRules, BlackjackSitting], bool]]] = {
    "new cards": lambda rules, sitting: sitting.cause == "new cards",
    "whole stack": lambda rules, sitting: sitting.cause != DISCARDS,
    "two cutting cards": lambda rules, sitting: rules.cutting_cards.value.elected == 2 and sitting.cause != DISCARDS,
    "burn elected": lambda rules, sitting: rules.burn_card.value.elected and sitting.cause != DISCARDS,
    "late entry restricted": lambda rules, sitting: rules.late_entry_at_minimum.value.elected,
    "card burned": lambda rules, sitting: "burn face down" in acts(sitting.shoe),
    "before the first card": lambda rules, sitting: not sitting.layout.cards,
    "insurance offered": lambda rules, sitting: (
        _shows(rules, sitting.layout, rules.insurance.against.value) and sitting.layout.initial
    ),
    "blackjack paid at once": lambda rules, sitting: (
        _shows(rules, sitting.layout, rules.blackjacks.at_once.value)
        and any(has_blackjack(rules, hand) for hand in sitting.layout.hands())
    ),
    "even money paid to all of a box": lambda rules, sitting: any(box.all_paid for box in sitting.layout.boxes),
    "winners paid": lambda rules, sitting: PAY in acts(sitting.said),
    "inspector told": lambda rules, sitting: "tell inspector" in acts(sitting.shoe),
    "between rounds": lambda rules, sitting: not under_way(rules, sitting),
}


def why_no_change(rules: BlackjackRules, sitting: BlackjackSitting) -> Refusal | None:
    """Why limits may not be changed now."""
    rule = rules.ceremony.round_ends_with.rule
    return Refusal("the round is not over: its cards are not collected", rule) if under_way(rules, sitting) else None


def why_no_wager(rules: BlackjackRules, sitting: BlackjackSitting) -> Refusal | None:
    """By reading the betting closes at the call; with the first card it is closed for good."""
    call = rules.ceremony.calls[-1]
    if sitting.layout.cards:
        return Refusal(f"no wager once {rules.closing.value}", rules.closing.rule)
    return Refusal(f"no wager after {call.value.act!r}", call.rule) if call.value.act in acts(sitting.said) else None


# ---------------------------------------------------------------- what is due


@once_of_both
def demand(rules: BlackjackRules, sitting: BlackjackSitting) -> Demand:
    """The first thing due: the shoe, then the round, then what follows it."""
    return _shoe_demand(rules, sitting) or _round_demand(rules, sitting)


def _script(rules: BlackjackRules, sitting: BlackjackSitting, name: str) -> Perform | None:
    done = sitting.shoe if name in ("opening", "loading") else sitting.said
    return due(getattr(rules.ceremony, name), done, lambda word: holds(rules, sitting, word))


def _shoe_demand(rules: BlackjackRules, sitting: BlackjackSitting) -> Demand | None:
    opened = sitting.cause not in ("start", "new cards")
    opening = None if opened else _script(rules, sitting, "opening")
    if opening:
        return opening
    shuffles = rules.ceremony.shuffles
    due_now = shuffles.get(sitting.cause, shuffles["start"])
    if due_now.value == "at once" and SHUFFLE.act not in acts(sitting.shoe):
        return Perform(SHUFFLE.act, DEALER, due_now.rule)
    return _cut_demand(rules, sitting) or _script(rules, sitting, "loading")


def _cut_demand(rules: BlackjackRules, sitting: BlackjackSitting) -> Demand | None:
    """The offer of the cut, player by player; then the cut itself by whoever accepted, or by an employee."""
    ceremony = rules.ceremony
    if "cut" in acts(sitting.shoe):
        return None
    offered, answers = _offered(rules, sitting), dict(sitting.answers)
    taken = next((number for number in offered.boxes if answers.get(number) == ceremony.offer.value[0]), 0)
    if taken:
        return Perform(CUT.act, _name(sitting, taken), ceremony.cut_from_ends.rule)
    if asked := _asked(rules, sitting):
        rule = ceremony.declined.rule if sitting.answers else offered.rule
        return Choose(_name(sitting, asked), ceremony.offer.value, rule)
    return Perform(CUT.act, ceremony.all_declined.value, ceremony.all_declined.rule)


def _asked(rules: BlackjackRules, sitting: BlackjackSitting) -> int:
    """The box whose player is asked now; players may have come and gone since the first was."""
    answered = dict(sitting.answers)
    return next((number for number in _offered(rules, sitting).boxes if number not in answered), 0)


def _offered(rules: BlackjackRules, sitting: BlackjackSitting) -> Offers:
    layout = sitting.last if sitting.last.cutting and sitting.cause != DISCARDS else sitting.layout
    cause = "" if sitting.cause == DISCARDS else sitting.cause
    return offers(rules, layout, sitting.seats, cause=cause, first_box=sitting.first_box)


def _name(sitting: BlackjackSitting, number: int) -> str:
    box = sitting.layout.box(number) or sitting.last.box(number)
    return dict(sitting.names).get(number) or (box.seated if box and box.seated else f"box {number}")


def _round_demand(rules: BlackjackRules, sitting: BlackjackSitting) -> Demand:
    layout = sitting.layout
    if not layout.cards:
        first = play.demand(rules, layout)
        open_round = shuffle_due(rules, layout) or _script(rules, sitting, "calls") or first
        return first if type(first) is Over else open_round
    between = _script(rules, sitting, "against_ace") or _script(rules, sitting, "paid_early")
    wanted = between or play.demand(rules, layout)
    if type(wanted) is not Over:
        return wanted
    return _script(rules, sitting, "ending") or shuffle_due(rules, layout) or _ran_out(rules, sitting) or wanted


def _ran_out(rules: BlackjackRules, sitting: BlackjackSitting) -> Perform | None:
    """A shoe that ran out was dealt past its cutting card, seen or not: its discards last for that round (R-214)."""
    law = rules.ceremony.shuffles["cutting card"]
    return Perform(SHUFFLE.act, DEALER, law.rule) if sitting.cause == DISCARDS else None


# ---------------------------------------------------------------- what happens


def apply(rules: BlackjackRules, sitting: BlackjackSitting, fact: Effect) -> BlackjackSitting | Refusal:
    """The sitting after a fact of ceremony or of play."""
    wanted = demand(rules, sitting)
    match fact:
        case Performed() if fact.act != CUTTING_CARD.act:
            return _performed(rules, sitting, wanted, fact)
        case Chosen() if fact.option in rules.ceremony.offer.value:
            return _answered(rules, sitting, wanted, fact)
        case CardSeen() | Chosen() if type(wanted) is Perform or _is_offer(rules, wanted):
            return Refusal(f"{told(wanted)} comes first", wanted.rule)
        case Ruling():
            return _ruled(rules, sitting, wanted, fact)
        case _:
            return _played(rules, sitting, fact)


def _played(rules: BlackjackRules, sitting: BlackjackSitting, fact: Effect) -> BlackjackSitting | Refusal:
    layout = irregular.apply(rules, sitting.layout, fact)
    if isinstance(layout, Refusal):
        return layout
    before = [box.number for box in sitting.layout.boxes if box.all_paid]
    more = any(box.all_paid and box.number not in before for box in layout.boxes)
    said = tuple(each for each in sitting.said if each.act != REMOVE_EVEN_MONEY) if more else sitting.said
    if layout.cutting == "first":
        said = ()  # The cutting card is none of the round's: while the cards are shuffled wagers may be altered again.
    after = replace(sitting, layout=replace(layout, ran_out=""), said=said)
    return replace(after, shoe=(), answers=(), cause=DISCARDS) if layout.ran_out else after


def _is_offer(rules: BlackjackRules, wanted: Demand) -> bool:
    return type(wanted) is Choose and wanted.options == rules.ceremony.offer.value


def _ruled(
    rules: BlackjackRules, sitting: BlackjackSitting, wanted: Demand, ruling: Ruling
) -> BlackjackSitting | Refusal:
    """An irregularity; before the cards may be drawn, none can have been laid wrongly, and none is laid by a remedy."""
    after = _played(rules, sitting, ruling)
    if isinstance(after, Refusal) or not isinstance(wanted, Perform) or sitting.layout.cards:
        return after
    if replace(after.layout, afterwards=()) == replace(sitting.layout, afterwards=()):
        return after
    return Refusal(f"no card is drawn yet, {told(wanted)} comes first", wanted.rule, on=ruling.on.circumstance)


def _answered(
    rules: BlackjackRules, sitting: BlackjackSitting, wanted: Demand, fact: Chosen
) -> BlackjackSitting | Refusal:
    """An answer to the offer of the cut, by the player who was asked.

    Earlier releases asked those who had left, too; what was said for them is nothing.
    """
    boxes = (*sitting.layout.boxes, *sitting.last.boxes)
    if fact.by in {box.seated for box in boxes if box.number not in sitting.seats} and _declines(rules, fact):
        return sitting
    if not isinstance(wanted, Choose) or not _is_offer(rules, wanted) or fact.by not in ("", wanted.by):
        return Refusal(f"due is {told(wanted)}, not for {fact.by or 'nobody'}", wanted.rule, on=fact.option)
    return replace(sitting, answers=(*sitting.answers, (_asked(rules, sitting), fact.option)))


def _declines(rules: BlackjackRules, fact: Chosen) -> bool:
    return fact.option == rules.ceremony.offer.value[-1]


def _performed(
    rules: BlackjackRules, sitting: BlackjackSitting, wanted: Demand, fact: Performed
) -> BlackjackSitting | Refusal:
    act = wanted if isinstance(wanted, Perform) else None
    asked = replace(fact, by=PLAYER) if fact.by in _players(sitting) and not _is_due(act, fact) else fact
    refusal = perform(act, rules.ceremony.orders, asked, lambda word: holds(rules, sitting, word))
    ordered = any(law.value.act == fact.act for law in rules.ceremony.orders)
    if refusal and act is None and not ordered:
        refusal = Refusal(f"out of turn: due is {told(wanted)}", wanted.rule, on=fact.act)
    return refusal or _wrong_detail(rules, sitting, fact) or _done(rules, sitting, fact)


def _players(sitting: BlackjackSitting) -> frozenset[str]:
    """Everybody who sits at a box or has a wager on one, by name: what any player may ask for is open to them."""
    return frozenset((*dict(sitting.names).values(), *(name for box in sitting.layout.boxes for name in box.bettors)))


def _is_due(wanted: Perform | None, fact: Performed) -> bool:
    return wanted is not None and wanted.act == fact.act


def _wrong_detail(rules: BlackjackRules, sitting: BlackjackSitting, fact: Performed) -> Refusal | None:
    match fact:
        case Performed(act="cut", detail=at) if sitting.cause != DISCARDS:
            return why_no_cut(rules, at)
        case Performed(act="insert cutting card", detail=depth):
            return why_no_depth(rules, depth, directed="direct cutting card" in acts(sitting.shoe))
        case _:
            return None


def _done(rules: BlackjackRules, sitting: BlackjackSitting, fact: Performed) -> BlackjackSitting:
    match fact.act:
        case SHUFFLE.act if _begins_shoe(sitting):
            return _new_shoe(sitting, fact, "")
        case "replace cards":
            return replace(_new_shoe(sitting, fact, "new cards"), shoe=())
        case "reopen wagers":
            return replace(sitting, said=uncalled(sitting.said))
        case act if any(act == duty.act for duty in sitting.layout.afterwards):
            left = tuple(duty for duty in sitting.layout.afterwards if duty.act != fact.act)
            return replace(sitting, layout=replace(sitting.layout, afterwards=left))
        case act if _shoe_demand(rules, sitting) is None and act not in ("tell inspector", TELL_OF_LIMIT):
            return replace(sitting, said=(*sitting.said, fact))
        case _:
            return replace(sitting, shoe=(*sitting.shoe, fact))


def uncalled(said: Done) -> Done:
    """What was done in a round, but for the call that closed the betting: it is open again."""
    return tuple(each for each in said if each.act != CALL)


def _begins_shoe(sitting: BlackjackSitting) -> bool:
    """Whether a shuffle takes out the cards of an old shoe; the first one only finishes the opening."""
    return "load" in acts(sitting.shoe)


def _new_shoe(sitting: BlackjackSitting, fact: Performed, cause: str) -> BlackjackSitting:
    """A shuffle: the shoe's history ends, and the cutting card of the last round says who cuts."""
    left = tuple(duty for duty in sitting.layout.afterwards if duty.act != SHUFFLE.act)
    layout = replace(sitting.layout, cutting="", afterwards=left)
    kept = sitting.said if sitting.layout.cards else ()
    fresh = BlackjackSitting(layout, sitting.seats, sitting.first_box, (fact,), kept, cause, last=sitting.layout)
    return replace(fresh, vacancies=sitting.vacancies, names=sitting.names)


def vacated(sitting: BlackjackSitting) -> BlackjackSitting:
    """The cards come out of the shoe: nobody was there to watch them."""
    if not _begins_shoe(sitting):
        return sitting
    return replace(sitting, shoe=(), said=(), cause="vacant", last=sitting.layout, answers=(), rounds=())


def next_round(rules: BlackjackRules, sitting: BlackjackSitting) -> BlackjackSitting | Refusal:
    """An empty layout for the next round, once the cards are collected and no shuffle is due.

    In journals from before this was noticed a shoe of discards went on into the next round.
    """
    wanted = demand(rules, sitting)
    if not isinstance(wanted, Over) and wanted != _ran_out(rules, sitting):
        return Refusal(f"no new round: due is {told(wanted)}", wanted.rule)
    played = frozenset(name for box in sitting.layout.boxes for name in box.bettors)
    return replace(sitting, layout=begin(rules, Next()), said=(), rounds=(*sitting.rounds, played))


def seated(rules: BlackjackRules, sitting: BlackjackSitting, wagers: tuple[Wager, ...]) -> BlackjackSitting:
    """The sitting with the boxes of these wagers open, and their players among those seated."""
    boxes = [wager.box for wager in wagers if wager.on == MAIN]
    first = sitting.first_box or next(iter((*sitting.seats, *boxes)), 0)
    seats = tuple(sorted({*sitting.seats, *boxes}))
    return replace(sitting, layout=seat(rules, sitting.layout, wagers), seats=seats, first_box=first)
