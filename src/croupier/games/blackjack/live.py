"""Blackjack at a live table: the ceremonies as every table knows them.  A seat is a box."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.ceremony import CUTTING_CARD, acts, ordered_under, orders_given
from croupier.game import (
    NORMAL,
    Announcement,
    Attendance,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Effect,
    Fact,
    Irregular,
    Over,
    Performed,
    Procedure,
    Refusal,
    Resolution,
    Sign,
    Void,
    Wager,
    Won,
    every,
)
from croupier.games.blackjack import irregular, moves, procedure
from croupier.games.blackjack.calls import announce, announce_turn, late_entry, picked_up, why_not_amount
from croupier.games.blackjack.ceremonies import COLLECT, PAY, REMOVE_BLACKJACKS, TELL_OF_LIMIT
from croupier.games.blackjack.layout import Layout, begin, has_blackjack, is_bust, laid_down, presided, seat
from croupier.games.blackjack.procedure import BlackjackSitting, uncalled
from croupier.games.blackjack.rules import INSURANCE, MAIN, SUPER_SEVENS, BlackjackRules
from croupier.games.blackjack.shoe import cards_in_stack, why_no_shoe
from croupier.law.model import Law, present
from croupier.money import Odds
from croupier.once import replace


def attend(rules: BlackjackRules, sitting: BlackjackSitting, there: Attendance) -> BlackjackSitting:
    """Who sits there, the first to come among them, and the cards out of the shoe if the table stood empty.

    Who stands behind a box alone has it like a seat, until that player leaves: a bust may be the end of a stay.
    """
    here = {*there.seats.values(), *there.afoot.values()}
    boxes = {box.number for box in sitting.layout.boxes if box.seated in here or not box.seated}
    seats = tuple(sorted({*there.seats, *boxes} - there.out))
    known = sitting.first_box if sitting.first_box in seats else next(iter((*there.seats, *seats)), 0)
    first = there.first or known
    attended = replace(sitting, seats=seats, first_box=first, names=tuple(sorted(there.seats.items())))
    if sitting.layout.cards:
        return attended
    full = 0 < there.places <= len(there.seats)
    layout = presided(sitting.layout, there.seats, full=full)
    empty = there.vacancies != sitting.vacancies
    return replace(procedure.vacated(attended) if empty else attended, layout=layout, vacancies=there.vacancies)


def held(rules: BlackjackRules, sitting: BlackjackSitting, sign: Sign, wager: Wager) -> Refusal | None:
    """Why a player who came late to this shoe, or left out a round of it, may wager nothing but the minimum."""
    announced = TELL_OF_LIMIT in acts(sitting.shoe)
    late = late_entry(rules, sitting.rounds, wager.by) if announced and wager.on == MAIN else None
    return why_not_amount(rules, wager.stake_cents + wager.voided_cents, minimum=sign.minimum) if late else None


def partakes(rules: BlackjackRules, sitting: BlackjackSitting, fact: Fact) -> str:
    """Who draws: one who is shut out is not there to, and what his hand gets is the casino supervisor's to direct."""
    return fact.by if type(fact) is Chosen and fact.option == "hit" else ""


def closed(rules: BlackjackRules, sitting: BlackjackSitting, wager: Wager) -> Refusal | None:
    return procedure.why_no_wager(rules, sitting)


def complete(rules: BlackjackRules, sitting: BlackjackSitting) -> bool:
    """Whether there was a round and its cards are in the rack; one may be void before any card lies on the layout."""
    return bool(sitting.layout.boxes) and type(procedure.demand(rules, sitting)) is Over


def paid(rules: BlackjackRules, sitting: BlackjackSitting) -> Callable[[Wager, Resolution], bool]:
    """Whether a decided wager is paid or taken by now.

    A bust is taken at once, even money paid at once, a losing insurance taken with the dealer's second card, Super
    Sevens settled with its result.  A blackjack that need not wait is paid as its cards are removed; the rest waits for
    the end.
    """
    done, box_of = acts(sitting.said), sitting.layout.box
    if PAY in done:
        return every

    def is_paid(wager: Wager, resolution: Resolution) -> bool:
        box = box_of(wager.box)
        if box is None or wager.on in (INSURANCE, SUPER_SEVENS) or type(resolution) is Void:
            return True
        hand = box.hand(wager.hand)
        if is_bust(rules, hand) or wager.by in box.paid:
            return True
        return isinstance(resolution, Won) and has_blackjack(rules, hand) and REMOVE_BLACKJACKS in done

    return is_paid


def bereft(
    rules: BlackjackRules, sitting: BlackjackSitting, name: str, left: tuple[Wager, ...], rule: str
) -> BlackjackSitting:
    """The sitting once the wagers of a player are void: nobody plays a hand on which none lies, and it gets no card."""
    layout = sitting.layout
    if not layout.cards:
        layout = seat(rules, replace(layout, boxes=()), left)
        return replace(sitting, layout=layout, said=sitting.said if layout.boxes else uncalled(sitting.said))
    sits = {number for number, seated in sitting.names if seated == name}
    return replace(sitting, layout=laid_down(layout, name, left, rule, sits=sits))


def waits(rules: BlackjackRules, sitting: BlackjackSitting, fact: Fact) -> Refusal | None:
    """What is declared now names a box of the table, and nobody insures on a card that is known.

    What an earlier release recorded is read as it is.
    """
    if type(fact) is Irregular:
        return irregular.no_such_box(rules, fact)
    return moves.why_not_known(rules, sitting.layout, fact)


def places(rules: BlackjackRules, sitting: BlackjackSitting, act: str) -> Law[tuple[str, ...]] | None:
    """In which order the cards are collected; a box that was paid before the end has none any more."""
    if act != COLLECT:
        return None
    removed = REMOVE_BLACKJACKS in acts(sitting.said)
    gone = {
        box.number
        for box in sitting.layout.boxes
        if box.all_paid or (removed and any(has_blackjack(rules, hand) for hand in box.hands))
    }
    return picked_up(rules, sitting.layout, gone)


def cites(rules: BlackjackRules, sitting: BlackjackSitting, fact: Fact) -> str:
    match fact:
        case Performed():
            return ordered_under(rules.ceremony.orders, fact)
        case Chosen():
            return _chosen_under(rules, sitting, fact.option)
        case Called(call="take"):
            return rules.closing.rule
        case _:
            return ""


def _chosen_under(rules: BlackjackRules, sitting: BlackjackSitting, option: str) -> str:
    """The rule of a choice that puts money down, or takes even money."""
    match option:
        case "insure":
            return rules.insurance.part.rule
        case "even_money":
            return rules.blackjacks.even_money.rule
        case "double":
            return rules.double.part.rule
        case "split" if "ride" not in _options(rules, sitting):
            return rules.split.part.rule
        case _:
            return ""


def _options(rules: BlackjackRules, sitting: BlackjackSitting) -> tuple[str, ...]:
    """What somebody is asked to choose from now, if somebody is."""
    wanted = procedure.demand(rules, sitting)
    return wanted.options if type(wanted) is Choose else ()


def usual(rules: BlackjackRules, sitting: BlackjackSitting, act: str, card: str) -> int | str:
    match act:
        case "cut":
            return cards_in_stack(rules) // 2
        case "insert cutting card":
            return rules.ceremony.cutting_card_from_back.value
        case _:
            return ""


def says(
    rules: BlackjackRules, before: BlackjackSitting, fact: Effect, after: BlackjackSitting
) -> tuple[Announcement, ...]:
    """A total after each card, and the total when it becomes a player's turn to decide."""
    if type(fact) not in (CardSeen, Chosen, Performed):
        return ()
    card = announce(rules, before.layout, after.layout)
    turn = announce_turn(rules, after.layout) if _options(rules, after) else None
    known = (card, announce_turn(rules, before.layout) if _options(rules, before) else None)
    fresh = turn if turn and turn.text not in [each.text for each in known if each] else None
    return tuple(each for each in (card, fresh) if each)


def pays(rules: BlackjackRules, on: str) -> tuple[Odds, ...]:
    """What the felt says of a wager."""
    sevens = rules.sevens
    scale = (sevens.one, sevens.two, sevens.two_suited, sevens.three, sevens.three_suited)
    known = {MAIN: (rules.pays, rules.blackjacks.pays), INSURANCE: (rules.insurance.pays,), SUPER_SEVENS: scale}
    return tuple(law.value for law in known.get(on, ()))


def _drawn_to(rules: BlackjackRules) -> str:
    """The totals that a dealer draws to, soft ones named."""
    soft = sorted(rules.soft_hits.value) if present(rules.soft_hits) else []
    return " and ".join([str(rules.dealer_stands.value.start - 1), *(f"soft {total}" for total in soft)])


def inscribed(rules: BlackjackRules) -> tuple[tuple[str, str, str], ...]:
    """The words on the cloth, made from the values that play and settle."""
    values: Mapping[str, tuple[object, ...]] = {
        "blackjack": (rules.blackjacks.pays.value,),
        "dealer": (rules.dealer_stands.value.start, _drawn_to(rules)),
        "insurance": (rules.insurance.pays.value,),
    }
    about = {"insurance": INSURANCE}
    words = rules.inscriptions.items()
    return tuple((law.value.format(*values[name]), law.rule, about.get(name, MAIN)) for name, law in words)


def totals(rules: BlackjackRules) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The totals of a hand on which it may be doubled, and the one from which on a player may stand."""
    return ("double", tuple(sorted(rules.double.totals.value))), ("stand", (rules.must_reach.value,))


LIVE: Procedure[BlackjackRules, Layout] = Procedure(
    begin=lambda rules: BlackjackSitting(layout=begin(rules, NORMAL)),
    layout=lambda rules, sitting: sitting.layout,
    demand=procedure.demand,
    apply=procedure.apply,
    attend=attend,
    seat=procedure.seated,
    lift=lambda rules, sitting: replace(sitting, layout=replace(sitting.layout, boxes=())),
    closed=closed,
    complete=complete,
    next_round=procedure.next_round,
    abandon=lambda rules, sitting: replace(sitting, layout=begin(rules, NORMAL), said=()),
    seats=lambda rules: rules.boxes,
    usual=usual,
    says=says,
    paid=paid,
    cites=cites,
    held=held,
    partakes=partakes,
    bereft=bereft,
    places=places,
    inscribed=inscribed,
    totals=totals,
    pays=pays,
    spoken=lambda rules: rules.ceremony.spoken_needs_chips,
    equipment={"shoe": why_no_shoe},
    waits=waits,
    rule_on=lambda rules, sitting, fact: irregular.ruled(rules, sitting.layout, fact),
    sign_stays=procedure.why_no_change,
    closing=lambda rules: rules.closing,
    beside=lambda rules, sitting: (CUTTING_CARD, *orders_given(rules.ceremony.orders)),
)
