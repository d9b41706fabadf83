"""A table's ceremony so far, what can be asked of it, and who holds what.

A `BaccaratSitting` is plain data: what was done with this shoe, what was said in this round, the coup, who sits where
and what they have staked.  The conditions of acts and orders are words (`"between rounds"`), and `holds`
knows them all.  Some of them depend on what the operator elected and on nothing else; an order under such a word does
not exist at a table where it fails.

Seats are numbers; a seated player is `seat 4`.  Numbers rise counter-clockwise, except in division IV, where they rise
clockwise; either way the order of an offer is the order of the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from croupier.ceremony import Act, Done, Holds, Order, Orders, Script, acts, calling, due, kind_of_act, kinds_of_acts
from croupier.game import NORMAL, Choose, Next, Wager
from croupier.game.kinds import ActKind
from croupier.game.places import read_place
from croupier.games.baccarat.ceremonies.parts import (
    CUT,
    HAND,
    HANDLERS,
    HANDS,
    MIXED_AGAIN,
    OPENERS,
    ORDERED,
    REMOVED,
    SHOE,
)
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BaccaratCeremony, BaccaratRules, Style
from croupier.law.conditions import When, conditions
from croupier.law.model import Law, present
from croupier.law.officials import DEALER
from croupier.once import in_a_line, once, once_of_both

USED = "used"
ACCEPTED, DECLINED = "accept", "decline"
ANSWERS = {f"{answer} {role}": (role, answer) for role in (*HANDS, SHOE) for answer in (ACCEPTED, DECLINED)}
"""What somebody answers to whom a role is offered."""
GONE = "gone"
NOT_THIS_HAND = calling("No bets this hand")
NO_BETS = NOT_THIS_HAND.act
KEEP, BOTH, ANOTHER, TAKEN_BACK = "keep cards with dealer", "open both hands", "let another open", "take the shoe back"
LETTING = (ANOTHER, "let another deal")
STYLED = "change style"
BETTORS = "deliver the hands to bettors"
EXCHANGED = "exchange sets"
EMPTY = Coup()
BESIDE_THE_LAW = (CUT, MIXED_AGAIN, REMOVED, NOT_THIS_HAND)
"""Acts that no script of an edition has: they follow from what it says of the cut, of a shoe's end, of a void hand."""


class BaccaratSitting(Struct, frozen=True, gc=False):
    """A table's ceremony.  `shoe` and `said` are what was done with this shoe and in this round.

    `cards`: new sealed decks (empty), pre-shuffled, pre-checked, or used ones that are mixed again.
    `cutters` and `handlers` are the answers to offers: (seat, cut, decline or gone), (role, seat, accept or decline); a
    cutter may also be `designated`.  `handled` says whether any player held cards of this shoe.
    `cutting`: the round and the place in it at which the cutting card came; `left`: rounds that may still be dealt;
    `dummies`: Dummy Coups directed after them.  `following` is how the next round begins.
    `passes`: the rule under which the round just settled took the shoe from who held it.
    `free`: rounds without wagers that may still be dealt; None when no series was asked for since the last wager.
    `names`: the seated players by name, where wagers bear names instead of seats.
    `turned`: the round is settled and written down, and wagers placed now are for the one to come.
    `checked`: the cards were checked since the last round.  `style`: the style of dealing, once it was changed.
    `vacancies`: how often the table stood empty; `vacant`: it did since the last round.
    `followed`: what bettors answered of the coup to come, by name: the hand that their Runs follow, or none.
    """

    seats: tuple[int, ...] = ()
    cards: str = ""
    shoe: Done = ()
    said: Done = ()
    coup: Coup = EMPTY
    wagers: tuple[Wager, ...] = ()
    handlers: tuple[tuple[str, str, str], ...] = ()
    cutters: tuple[tuple[str, str], ...] = ()
    rounds: int = 0
    free: int | None = None
    cutting: tuple[int, int] | None = None
    left: int | None = None
    dummies: int = 0
    handled: bool = False
    passes: str = ""
    following: Next = NORMAL
    names: tuple[tuple[str, int], ...] = ()
    turned: bool = False
    checked: bool = False
    style: str = ""
    vacancies: int = 0
    vacant: bool = False
    followed: tuple[tuple[str, str], ...] = ()

    __repr__ = in_a_line


# ---------------------------------------------------------------- where the table stands


def chosen_style(rules: BaccaratRules, sitting: BaccaratSitting) -> str:
    """The style that the table is dealt in: the one elected, until it is changed."""
    return sitting.style or rules.style.value.elected


def style_name(rules: BaccaratRules, sitting: BaccaratSitting) -> str:
    """The style of the round in hand: where nobody takes the shoe, another one stands in."""
    chosen = chosen_style(rules, sitting)
    declined = rules.ceremony.styles[chosen].declined
    if not present(declined) or not shoe_declined(rules, sitting):
        return chosen
    to_bettors, otherwise = declined.value
    return to_bettors if BETTORS in acts(sitting.said) else otherwise


def last_call(rules: BaccaratRules) -> Act:
    """The call before the last round of a shoe."""
    return calling(rules.ceremony.last_call.value)


def kind(rules: BaccaratRules, act: str) -> ActKind:
    """What an act is."""
    return _kinds(rules).get(act) or kind_of_act(act, rules.ceremony, BESIDE_THE_LAW)


@once
def _kinds(rules: BaccaratRules) -> Mapping[str, ActKind]:
    """What acts are that the edition has by name, the call of the last round among them."""
    last = last_call(rules)
    return {**kinds_of_acts(rules.ceremony, BESIDE_THE_LAW), last.act: last.kind}


@once_of_both
def kinds(rules: BaccaratRules, done: Done) -> frozenset[ActKind]:
    """What was done, whatever it is called."""
    return frozenset([kind(rules, act) for act in acts(done)])


def style_of(rules: BaccaratRules, sitting: BaccaratSitting) -> Style:
    return rules.ceremony.styles[style_name(rules, sitting)]


def shoe_declined(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    """Whether the shoe was to be offered in this round and no player has it."""
    style = rules.ceremony.styles[chosen_style(rules, sitting)]
    if "shoe" not in style.roles or not betting_closed(rules, sitting) or accepted(sitting, "shoe"):
        return False
    return _unanswered(style, sitting, "shoe") is None


def face(rules: BaccaratRules, sitting: BaccaratSitting) -> Law[str]:
    """How the next card lies: up or down, by the style and by its place in the coup; or as a supervisor chose."""
    if sitting.coup.dealt >= len(rules.initial_deal.value):
        return style_of(rules, sitting).third_face
    return chosen_face(rules, sitting)


def chosen_face(rules: BaccaratRules, sitting: BaccaratSitting) -> Law[str]:
    """How the four cards of the initial deal lie."""
    style = style_of(rules, sitting)
    chosen = [str(fact.detail) for fact in (*sitting.shoe, *sitting.said) if fact.act == "choose face"]
    return Law(chosen[-1], style.face.rules) if chosen and style.face.value == "either" else style.face


def preparation(rules: BaccaratRules, sitting: BaccaratSitting) -> Script:
    """What comes before the cut: new cards are opened and mixed, prepared ones brought, used ones mixed again."""
    ceremony = rules.ceremony
    if sitting.cards == USED:
        if EXCHANGED in acts(sitting.shoe):
            return ceremony.exchange
        done = acts(sitting.shoe)
        ordered = (law for law in ceremony.orders if law.value.kind == ORDERED and law.value.act in done)
        return tuple(Law(MIXED_AGAIN, law.rules) for law in ordered)
    return ceremony.prepared[sitting.cards] if sitting.cards else _opening(ceremony)


@once
def _opening(ceremony: BaccaratCeremony) -> Script:
    return (*ceremony.opening, *ceremony.mixing)


@once_of_both
def betting_closed(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    """Whether a round is in hand: its call was made, and it is not settled yet."""
    said = acts(sitting.said)
    called = rules.ceremony.calls[0].value.act in said or NO_BETS in said
    return called and not round_complete(rules, sitting)


@once_of_both
def round_complete(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    """Whether the coup is over, shown and settled."""
    return bool(sitting.coup.void) or _ending(rules.ceremony) <= acts(sitting.said)


@once
def _ending(ceremony: BaccaratCeremony) -> frozenset[str]:
    return frozenset(law.value.act for law in ceremony.ending)


def new_to_play(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    """Whether no round was begun with these cards."""
    return sitting.rounds == 0 and not betting_closed(rules, sitting) and not round_complete(rules, sitting)


# ---------------------------------------------------------------- roles


def seat_number(by: str) -> int:
    """The number of `seat 4`; 0 for anybody who has no seat."""
    place = read_place(by)
    return place.number if place and place.kind == "seat" else 0


def seat_of(sitting: BaccaratSitting, wager: Wager) -> int:
    """The number of the seat whose wager this is; 0 for anybody who has no seat."""
    return dict(sitting.names).get(wager.by) or seat_number(wager.by)


def _offers(style: Style, sitting: BaccaratSitting, role: str) -> tuple[str, ...]:
    """The seated players to whom a hand (or the shoe) is offered: highest wager first, equals by lowest seat.

    What a player has on a hand counts together, wherever it lies; the shoe goes by the better backed of two hands.
    """
    order = style.order
    if not present(order) or sitting.coup.hand != "normal":
        return ()
    best: dict[int, int] = {}
    for hand in HANDS if role == "shoe" else (role,):
        for number, stake_cents in backed(sitting, hand).items():
            best[number] = max(best.get(number, 0), stake_cents)
    return tuple(f"seat {n}" for n in sorted(best, key=lambda n: _place_in_line(order.value, best[n], n)))


def backed(sitting: BaccaratSitting, hand: str) -> dict[int, int]:
    """What each seated player has on a hand."""
    backed: dict[int, int] = {}
    for wager in sitting.wagers:
        number = seat_of(sitting, wager)
        if wager.on == hand and number in sitting.seats:
            backed[number] = backed.get(number, 0) + wager.stake_cents
    return backed


def _place_in_line(order: tuple[str, ...], stake_cents: int, seat: int) -> tuple[int, ...]:
    keys = {"highest wager": -stake_cents, "lowest wager": stake_cents, "lowest seat": seat, "highest seat": -seat}
    return tuple(keys[word] for word in order)


def role_offer(rules: BaccaratRules, sitting: BaccaratSitting, role: str) -> Choose | None:
    """The next player who must be asked whether to take a role, if anybody still must."""
    style = style_of(rules, sitting)
    law = style.roles.get(role)
    if law is None or accepted(sitting, role) or kept(sitting, role):
        return None
    gone = any((each, answer) == (role, GONE) for each, _, answer in sitting.handlers)
    if gone and not offered_still(rules, sitting, role):
        return None
    seat = _unanswered(style, sitting, role)
    options = tuple(option for option, (of, _) in ANSWERS.items() if of == role)
    return Choose(seat, options, law.rule) if seat else None


def offered_still(rules: BaccaratRules, sitting: BaccaratSitting, role: str) -> bool:
    """Whether the role of one who is shut out goes to another: not once its cards are dealt, or passed (R-215)."""
    law = style_of(rules, sitting).roles.get(role)
    if law is None or law.value == "before deal":
        return not sitting.coup.dealt
    return ActKind("pass", role, HAND) not in kinds(rules, sitting.said)


def _unanswered(style: Style, sitting: BaccaratSitting, role: str) -> str | None:
    """The next to whom a role is offered."""
    answered = {seat for each, seat, _ in sitting.handlers if each == role}
    return next((seat for seat in _offers(style, sitting, role) if seat not in answered), None)


def accepted(sitting: BaccaratSitting, role: str) -> str | None:
    return next((seat for each, seat, answer in sitting.handlers if each == role and answer == ACCEPTED), None)


def kept(sitting: BaccaratSitting, role: str) -> bool:
    """Whether a supervisor keeps this hand (or both) with the dealer, or took the shoe back."""
    if role == "shoe":
        return TAKEN_BACK in acts(sitting.said)
    return any(fact.act == KEEP and fact.detail in ("", role) for fact in sitting.said)


def unbacked(rules: BaccaratRules, sitting: BaccaratSitting, role: str) -> bool:
    """Whether the dealer keeps a hand that somebody accepted, since the round has become a void hand without bets.

    In journals from before this was noticed the hand was passed all the same.
    """
    if role not in HANDS or sitting.coup.hand != "void":
        return False
    return ActKind("pass", role, HAND) not in kinds(rules, sitting.said)


def handler(rules: BaccaratRules, sitting: BaccaratSitting, role: str) -> str | None:
    """The seat that handles a hand or the shoe; one who may open both hands also has the other."""
    if kept(sitting, role) or unbacked(rules, sitting, role):
        return None
    own = accepted(sitting, role)
    if own is None and role in HANDS and BOTH in acts(sitting.said):
        return accepted(sitting, HANDS[1 - HANDS.index(role)])
    return own


def opener(rules: BaccaratRules, sitting: BaccaratSitting, hand: str) -> str | None:
    """Who turns a hand up: its handler or the holder of the shoe, or whom that player has named."""
    holder = handler(rules, sitting, hand) or handler(rules, sitting, "shoe")
    return named_by(sitting, holder, hand) or holder


def named_by(sitting: BaccaratSitting, holder: str | None, hand: str) -> str | None:
    """Whom a handler lets open a hand, or either."""
    said = (fact for fact in reversed(sitting.said) if fact.act == ANOTHER and fact.by == holder)
    return next((fact.to for fact in said if fact.detail in ("", hand)), None)


# ---------------------------------------------------------------- conditions

Condition: TypeAlias = Callable[[BaccaratRules, BaccaratSitting], bool]


def _done(*names: str) -> Condition:
    return lambda rules, sitting: bool({*names} & (acts(sitting.shoe) | acts(sitting.said)))


def _not(condition: Condition) -> Condition:
    return lambda rules, sitting: not condition(rules, sitting)


def _shuffler(*kinds: str) -> Condition:
    return lambda rules, sitting: rules.shuffler.value.elected in kinds


def _perfect_pairs(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    offered = present(rules.perfect_pairs) and rules.perfect_pairs.value.elected
    return offered and wagers_count(rules, sitting) and "perfect_pairs" in _backed_bets(sitting.wagers)


@once
def _backed_bets(wagers: tuple[Wager, ...]) -> frozenset[str]:
    return frozenset([wager.on for wager in wagers])


def wagers_count(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    """Whether any wager counts in this round."""
    return bool(sitting.wagers) and sitting.coup.hand == "normal"


def _not_shown(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    shown = ("pass", "turn", "reveal", "announce")
    return round_complete(rules, sitting) or not any(each.verb in shown for each in kinds(rules, sitting.said))


def _one_hand_kept(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    """Whether all offers were answered and just one hand found a player."""
    asked = any(role_offer(rules, sitting, hand) for hand in HANDS)
    return not asked and sum(accepted(sitting, hand) is not None for hand in HANDS) == 1


def _handled(role: str) -> Condition:
    return lambda rules, sitting: handler(rules, sitting, role) is not None


def _by_another(hand: str) -> Condition:
    return lambda rules, sitting: named_by(sitting, handler(rules, sitting, SHOE), hand) is not None


def _in_style(style: str) -> Condition:
    return lambda rules, sitting: style_name(rules, sitting) == style


ELECTED: Mapping[str, Condition] = {
    "no shuffler": _shuffler("none"),
    "shuffler": _shuffler("batch", "continuous"),
    "batch": _shuffler("batch"),
    "not batch": _shuffler("none", "continuous"),
    "continuous": _shuffler("continuous"),
    "not continuous": _shuffler("none", "batch"),
    "two cutting cards": lambda rules, sitting: rules.cutting_cards.value.elected == 2,
}

STYLES: Mapping[str, Condition] = {f"style {style}": _in_style(style) for style in ("A", "B", "C", "1", "2", "3")}

CONDITIONS: Mapping[str, Condition] = {
    **ELECTED,
    **STYLES,
    # the shoe
    "replaced": _done("replace cards"),
    "pre-shuffled": lambda rules, sitting: sitting.cards == "pre-shuffled",
    "look asked": _done("look at pre-shuffled decks"),
    "before mixing": _not(_done("wash")),
    "mixed": lambda rules, sitting: due(preparation(rules, sitting), sitting.shoe, condition(rules, sitting)) is None,
    "before cut": lambda rules, sitting: not sitting.cutters and "cut" not in acts(sitting.shoe),
    "before loading": _not(_done("load")),
    "before burn": _not(_done("burn face up", "burn one face down")),
    "burned unseen": _done("burn one face down"),
    "value burn": _done("ask for a value burn"),
    "no value burn": _not(_done("ask for a value burn")),
    # the round
    "before first round": new_to_play,
    "between rounds": _not(betting_closed),
    "betting closed": betting_closed,
    "before first card": lambda rules, sitting: sitting.coup.dealt == 0 or round_complete(rules, sitting),
    "none burned": _not(_done("burn a card")),
    "before showing": _not_shown,
    "banker first": _done("show banker first"),
    "after shoe": lambda rules, sitting: sitting.left == 0 and round_complete(rules, sitting),
    # wagers
    "wagers": wagers_count,
    "no wagers": lambda rules, sitting: not sitting.wagers,
    "no series before": lambda rules, sitting: sitting.free is None,
    "perfect pairs": _perfect_pairs,
    "vacant": lambda rules, sitting: sitting.vacant,
    # who holds what
    "shoe declined": shoe_declined,
    "markers": _done("use markers"),
    **{f"{role} handled": _handled(role) for role in (*HANDS, SHOE)},
    **{f"{role} kept": _not(_handled(role)) for role in (*HANDS, SHOE)},
    **{f"{hand} opened by another": _by_another(hand) for hand in HANDS},
    "one hand kept": _one_hand_kept,
}


def condition(rules: BaccaratRules, sitting: BaccaratSitting) -> Holds:
    return lambda word: CONDITIONS[word](rules, sitting)


def holds(rules: BaccaratRules, sitting: BaccaratSitting, when: When) -> bool:
    """Whether every condition holds at this table now."""
    return all(CONDITIONS[word](rules, sitting) for word in conditions(when))


def order_for(rules: BaccaratRules, sitting: BaccaratSitting, act: str) -> Law[Order] | None:
    """The order of this name at a table with these elections, if there is one."""
    for law in _orders_by_act(rules.ceremony).get(act, ()):
        if holds(rules, sitting, _elected(law.value.when)):
            return law
    return None


@once
def _orders_by_act(ceremony: BaccaratCeremony) -> Mapping[str, Orders]:
    """The orders of the edition by what they order."""
    found: dict[str, Orders] = {}
    for law in ceremony.orders:
        found[law.value.act] = (*found.get(law.value.act, ()), law)
    return found


@cache
def _elected(when: When) -> tuple[str, ...]:
    """Of the conditions of an order, those that the elections of a table decide, and its style."""
    return tuple(word for word in conditions(when) if word in ELECTED or word in STYLES)


def acts_for(law: Law[Act], hand: str) -> Law[Act]:
    """An act that is written for either hand, for this one."""
    act = law.value
    name, by, *when = (text.format(hand=hand) for text in (act.act, act.by, *conditions(act.when)))
    return Law(Act(name, by, tuple(when), kind=act.kind.written(hand=hand)), law.rules)


def named(rules: BaccaratRules, sitting: BaccaratSitting, by: str) -> str:
    """The person meant by `player opener` or `shoe handler`, as the table stands."""
    if by in OPENERS:
        return opener(rules, sitting, OPENERS[by]) or DEALER
    if by in HANDLERS:
        return handler(rules, sitting, HANDLERS[by]) or DEALER
    return by
