"""The procedure around the coup: a second `demand` over the same layout.

`demand` (in `due.py`) is the first thing due; `apply` lets it happen or refuses it with the rule.  Both work on a
`BaccaratSitting`, the ceremony so far.

Beside what is due there are orders: what an official may direct, or a player ask for, at a time of their choosing.
An order takes effect in the sitting, and what follows from it is due next.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.ceremony import CUTTING_CARD, Order, acts, perform
from croupier.game import (
    NORMAL,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    Effect,
    Next,
    Perform,
    Performed,
    Refusal,
    Ruling,
    granted,
    not_due,
    told,
)
from croupier.game.following import after_both
from croupier.games.baccarat import irregular, play
from croupier.games.baccarat.ceremonies import following
from croupier.games.baccarat.ceremonies.details import burn_value, in_parts, wrong_detail
from croupier.games.baccarat.ceremonies.parts import HANDS, MIXED_AGAIN, ORDERED, RENEWED, returned
from croupier.games.baccarat.ceremonies.remedies import VOIDED, nothing_to_pay, remedied
from croupier.games.baccarat.ceremonies.sitting import (
    ACCEPTED,
    ANSWERS,
    BOTH,
    EXCHANGED,
    KEEP,
    LETTING,
    NO_BETS,
    STYLED,
    TAKEN_BACK,
    USED,
    BaccaratSitting,
    backed,
    chosen_style,
    condition,
    face,
    handler,
    holds,
    kind,
    kinds,
    new_to_play,
    opener,
    order_for,
    round_complete,
    seat_number,
    style_of,
    wagers_count,
)
from croupier.games.baccarat.due import (
    cites,
    cut_all_the_same,
    cut_order,
    demand,
    end_of_shoe,
    handed_all_the_same,
    last_act,
    last_rule,
    layout,
    shoe_demand,
    to_come,
)
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BaccaratRules
from croupier.games.baccarat.rulings import wanted_next
from croupier.games.baccarat.shown import as_named
from croupier.law.model import Law, present
from croupier.law.officials import DEALER, OPERATOR

__all__ = [
    "BaccaratSitting",
    "apply",
    "burn_value",
    "cites",
    "cut_order",
    "demand",
    "face",
    "handler",
    "holds",
    "last_act",
    "opener",
    "shoe_passes",
]

DUMMY = "Dummy Coup"
INDICATED = f"call {DUMMY}"
GIVEN_UP = ("relinquish the shoe", TAKEN_BACK)
# What is said between two rounds and meant for the next one.
FOR_THE_ROUND = (KEEP, BOTH, *LETTING, "show banker first", "use markers")


# ---------------------------------------------------------------- what happens


def apply(rules: BaccaratRules, sitting: BaccaratSitting, fact: Effect) -> BaccaratSitting | Refusal:
    """The sitting after a fact of play or of ceremony, or a ruling."""
    match fact:
        case Performed():
            came = fact.act == CUTTING_CARD.act
            return _cutting_card(rules, sitting) if came else _performed(rules, sitting, fact)
        case CardSeen():
            return _played(rules, sitting, fact)
        case Chosen():
            return _chosen(rules, sitting, fact)
        case Called():
            named = fact.call == "nominate"
            return following.nominated(rules, sitting, fact) if named else _played(rules, sitting, fact)
        case Ruling():
            return _ruled(rules, sitting, fact)
        case _:
            wanted = demand(rules, sitting)
            return not_due(wanted)


def _played(rules: BaccaratRules, sitting: BaccaratSitting, fact: CardSeen | Called) -> BaccaratSitting | Refusal:
    wanted = demand(rules, sitting)
    # Who may take a wager back need not wait until the hands are turned: that is what the leave is for.
    if not isinstance(wanted, Deal) and not (type(fact) is Called and sitting.coup.retractable):
        return Refusal(f"no card is due: {told(wanted)}", wanted.rule)
    lies = _with_later_wagers(sitting) if type(fact) is Called else following.backed_anew(rules, sitting)
    coup = play.apply(rules, lies, fact)
    if isinstance(coup, Refusal):
        return coup
    after = changed(sitting, coup=coup)
    if isinstance(fact, CardSeen):
        return _without_wagers(rules, after)
    return _indicated(after) if coup.hand != lies.hand else after


def _with_later_wagers(sitting: BaccaratSitting) -> Coup:
    """The coup with the wagers that came after its first card, which may be taken back as the others."""
    placed = {(wager.by, wager.on): None for wager in sitting.wagers if wager.stake_cents}
    later = tuple(each for each in placed if each not in sitting.coup.wagered)
    return changed(sitting.coup, wagered=(*sitting.coup.wagered, *later)) if later else sitting.coup


def _without_wagers(rules: BaccaratRules, sitting: BaccaratSitting) -> BaccaratSitting:
    """A coup begun with nothing staked is played out as a Dummy Coup, where the edition says so."""
    becomes = rules.ceremony.nothing_staked
    if sitting.wagers or sitting.coup.hand != "normal" or not present(becomes):
        return sitting
    return _indicated(changed(sitting, coup=changed(sitting.coup, hand=becomes.value)))


def _indicated(sitting: BaccaratSitting) -> BaccaratSitting:
    """The coup has become another hand without an order to say so: the dealer indicates it at once."""
    return changed(sitting, said=(*sitting.said, Performed(INDICATED, DEALER)))


def _ruled(rules: BaccaratRules, sitting: BaccaratSitting, ruling: Ruling) -> BaccaratSitting | Refusal:
    """The remedy is carried out in this coup or the next."""
    if wanted_next(rules, sitting, ruling.on):
        return changed(sitting, following=Next(hand="dummy", rule=ruling.rule))
    coup = irregular.apply(rules, layout(rules, sitting), ruling)
    if isinstance(coup, Refusal):
        return coup
    if sitting.turned and ruling.facts:
        begins = Next(ruling.on.card, coup.hand, ruling.rule)
        return changed(sitting, following=after_both(sitting.following, begins) or begins)
    return remedied(rules, sitting, sitting.coup if sitting.turned else coup, ruling)


def _cutting_card(rules: BaccaratRules, sitting: BaccaratSitting) -> BaccaratSitting | Refusal:
    """The cutting card came: this round or one more is the last, by its place in the round."""
    ceremony, wanted = rules.ceremony, demand(rules, sitting)
    if rules.shuffler.value.elected == "continuous":
        return Refusal("no cutting card is in the cards", ceremony.last_call.rule)
    if sitting.cutting is not None:
        return Refusal("the cutting card has come already", last_rule(rules, sitting))
    if not isinstance(wanted, Deal):
        return Refusal(f"no card is being drawn: {told(wanted)}", wanted.rule)
    first = sitting.coup.dealt == 0
    extra = ceremony.rounds_if_first.value if first else ceremony.rounds_after.value
    return changed(sitting, cutting=(sitting.rounds, sitting.coup.dealt), left=extra)


def _chosen(rules: BaccaratRules, sitting: BaccaratSitting, fact: Chosen) -> BaccaratSitting | Refusal:
    wanted = demand(rules, sitting)
    if not isinstance(wanted, Choose) or fact.by != wanted.by or fact.option not in wanted.options:
        return Refusal(f"due is {told(wanted)}, not for {fact.by or 'nobody'}", wanted.rule, on=fact.option)
    if wanted == following.unfollowed(rules, sitting):
        return following.answered(rules, sitting, fact.by, fact.option)
    if fact.option not in ANSWERS:
        others = tuple(each for each in sitting.cutters if each[0] != fact.by)
        return changed(sitting, cutters=(*others, (fact.by, fact.option)))
    role, answer = ANSWERS[fact.option]
    handled = sitting.handled or answer == ACCEPTED
    return changed(sitting, handlers=(*sitting.handlers, (role, fact.by, answer)), handled=handled)


# ---------------------------------------------------------------- acts and orders


def _performed(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> BaccaratSitting | Refusal:
    fact, order = in_parts(fact), order_for(rules, sitting, fact.act)
    wanted = demand(rules, sitting)
    rule = order.rule if order else wanted.rule
    refusal = (
        _forbidden(rules, sitting, fact)
        or _allowed(rules, sitting, fact, order=order, wanted=wanted)
        or wrong_detail(rules, sitting, fact, rule)
    )
    return refusal or _done(rules, sitting, fact)


def _forbidden(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> Refusal | None:
    """Acts that the style rules out, and hands that may not be out together."""
    style = style_of(rules, sitting)
    if fact.act in style.forbids:
        law = style.forbids[fact.act]
        return Refusal(law.value, law.rule, on=fact.act)
    before = style.first.get(fact.act)
    if before and _out(rules, sitting) & {kind(rules, before.value)[1:3]}:
        return Refusal("the other hand is still out", before.rule, on=fact.act)
    return None


def _allowed(
    rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, *, order: Law[Order] | None, wanted: Demand
) -> Refusal | None:
    """Whether this person may do this now: it is an order of the edition, or it is what is due."""
    if fact.act == STYLED and present(rules.ceremony.style_fixed):
        return _style_change(rules, sitting, fact)
    if sitting.left == 0 and kind(rules, fact.act) == ORDERED and end_of_shoe(rules, sitting).value == "replace":
        return Refusal("these cards leave the table", end_of_shoe(rules, sitting).rule, on=fact.act)
    if order is not None:
        return perform(None, (order,), _as(rules, sitting, fact, order.value.by), condition(rules, sitting))
    asked = _ends_the_asking(rules, sitting, fact) or cut_all_the_same(rules, sitting, fact)
    if asked or handed_all_the_same(rules, sitting, fact):
        return None
    if not isinstance(wanted, Perform):
        return Refusal(f"out of turn: due is {told(wanted)}", wanted.rule, on=fact.act)
    return perform(wanted, (), _as(rules, sitting, fact, (wanted.by,)), condition(rules, sitting))


def _ends_the_asking(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> bool:
    """Whether the betting is closed over the head of somebody who was asked about a Run.

    No table lets that happen any more; but journals from before anybody was asked have it.
    """
    call = rules.ceremony.calls[0].value
    if fact.act != call.act or fact.by not in ("", call.by):
        return False
    asked = following.unfollowed(rules, sitting)
    return asked is not None and demand(rules, sitting) == asked


def _style_change(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> Refusal | None:
    """A shoe keeps the style it was begun in, unless an order of the edition says who may change it and how."""
    order, fixed = order_for(rules, sitting, fact.act), rules.ceremony.style_fixed
    wrong = wrong_detail(rules, sitting, fact, rules.style.rule)
    if wrong and (order or new_to_play(rules, sitting)):
        return wrong
    if new_to_play(rules, sitting):
        chooser = fact.by in ("", OPERATOR)
        return None if chooser else Refusal("the operator chooses the style", rules.style.rule)
    assert present(fixed)
    if not fixed.value:
        return None
    if order is None:
        return Refusal("a shoe keeps the style it was begun in", fixed.rule)
    if not fact.under:
        return Refusal("change style: name the style, and the direction or the approved procedure", order.rule)
    return perform(None, (order,), fact, condition(rules, sitting))


def _as(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, wanted: tuple[str, ...]) -> Performed:
    """The fact under the name by which this person may act."""
    return changed(fact, by=as_named(rules, sitting, fact.by, wanted))


def _done(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> BaccaratSitting:
    """Note an act where it belongs, with the few that turn a page: a new round, new cards, a new mix."""
    what = kind(rules, fact.act)
    match fact.act:
        case act if act in (rules.ceremony.calls[0].value.act, NO_BETS):
            return _closed(rules, sitting, fact)
        case _ if what == RENEWED:
            return _new_shoe(rules, sitting, fact, cards=str(fact.detail))
        case act if act == EXCHANGED:
            return _mix_again(rules, sitting, fact)
        case "require mixing":
            return _new_shoe(rules, sitting, fact, cards="")
        case act if what == ORDERED or (act == MIXED_AGAIN.act and round_complete(rules, sitting)):
            return _mix_again(rules, sitting, fact)
        case "ask for free rounds":
            law = rules.ceremony.free_rounds
            return changed(sitting, free=law.value if present(law) else 0)
        case act if act == STYLED:
            leaves = rules.ceremony.after_shoe[chosen_style(rules, sitting)].value == "replace"
            held = sitting.handled or (leaves and not new_to_play(rules, sitting))
            return changed(sitting, handled=held, style=str(fact.detail))
        case "designate cutter":
            return changed(_noted(rules, sitting, fact), cutters=((str(fact.detail), "designated"),))
        case "direct dummy coups":
            return changed(sitting, dummies=int(fact.detail))
        case play.GIVE_BACK:
            return following.given_back(rules, sitting, fact)
        case play.COMPLETE:
            return _noted(rules, changed(sitting, coup=granted(play.apply(rules, sitting.coup, fact))), fact)
        case "check cards after gaming":
            return changed(sitting, checked=True)
        case "burn a card":
            return _without_wagers(rules, _noted(rules, sitting, fact))
        case act if act == KEEP:
            back = _taken_back(rules, sitting, str(fact.detail))
            return _noted(rules, changed(sitting, said=(*sitting.said, *back)), fact)
        case _:
            return _noted(rules, sitting, fact)


def _out(rules: BaccaratRules, sitting: BaccaratSitting) -> set[tuple[str, str]]:
    """What is out with players: of which hand, and what of it."""
    done = kinds(rules, sitting.said)
    gone, back = ({each[1:3] for each in done if each.verb == verb} for verb in ("pass", "return"))
    return gone - back


def _taken_back(rules: BaccaratRules, sitting: BaccaratSitting, hand: str) -> list[Performed]:
    """Cards that are out with a player when a supervisor keeps them with the dealer come back at once."""
    out = sorted((of, what) for of, what in _out(rules, sitting) if hand in ("", of))
    return [Performed(returned(of, what).act, DEALER, "kept") for of, what in out]


def _noted(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> BaccaratSitting:
    """What was done, with the shoe or in the round.  Where no wager counts there is nothing to collect or pay."""
    for_round = fact.act in FOR_THE_ROUND
    if not for_round and (shoe_demand(rules, sitting) is not None or fact.act == "choose face"):
        return changed(sitting, shoe=(*sitting.shoe, fact))
    after = changed(sitting, said=(*sitting.said, fact))
    if unpaid := nothing_to_pay(rules, after):
        after = changed(after, said=(*after.said, *unpaid))
    settled = round_complete(rules, after) and not round_complete(rules, sitting)
    return changed(after, passes=_lost_shoe(rules, sitting)) if settled else after


def _closed(rules: BaccaratRules, sitting: BaccaratSitting, call: Performed) -> BaccaratSitting:
    """Betting is closed; after a finished round this begins the next one."""
    # A hand that takes no wagers is none of the rounds that somebody asked for.
    asked_for = int(sitting.following.hand == "normal")
    free = None if sitting.wagers or sitting.free is None else max(0, sitting.free - asked_for)
    handlers, said = sitting.handlers, sitting.said
    fresh = changed(sitting, free=free, following=NORMAL)
    if round_complete(rules, sitting):
        handlers, said = _holding(rules, sitting), _for_the_round(rules, sitting)
        left = sitting.left - 1 if sitting.left else sitting.left
        coup = play.begin(rules, to_come(sitting))
        fresh = changed(fresh, coup=coup, rounds=sitting.rounds + 1, left=left, passes="")
        fresh = changed(fresh, dummies=max(0, sitting.dummies - 1))
    coup = following.closing(sitting, play.seat(rules, fresh.coup, sitting.wagers))
    handled = sitting.handled or any(answer == "accept" for _, _, answer in handlers)
    fresh = changed(fresh, coup=coup, handlers=handlers, handled=handled, said=(*said, call))
    return changed(fresh, turned=False, checked=False, vacant=False, followed=())


def _for_the_round(rules: BaccaratRules, sitting: BaccaratSitting) -> tuple[Performed, ...]:
    """What was said after the last round was settled, and meant for the next one."""
    last = (rules.ceremony.ending[-1].value.act, VOIDED)
    places = [place for place, fact in enumerate(sitting.said) if fact.act in last]
    return tuple(fact for fact in sitting.said[places[-1] if places else 0 :] if fact.act in FOR_THE_ROUND)


def shoe_passes(rules: BaccaratRules, sitting: BaccaratSitting) -> str:
    """The rule under which the player who holds the shoe gives it up after this round; empty if he keeps it."""
    for act in GIVEN_UP:
        order = order_for(rules, sitting, act)
        if order is not None and act in acts(sitting.said):
            return order.rule
    return sitting.passes


def _lost_shoe(rules: BaccaratRules, sitting: BaccaratSitting) -> str:
    """The rule that takes the shoe from its holder, if the wager under which he holds it lost."""
    until, seat = style_of(rules, sitting).keeps_until, handler(rules, sitting, "shoe")
    if not present(until) or until.value != "a loss" or seat is None or not wagers_count(rules, sitting):
        return ""
    stakes = {hand: backed(sitting, hand).get(seat_number(seat), 0) for hand in HANDS}
    better, won = max(HANDS, key=lambda hand: stakes[hand]), play.winner(rules, sitting.coup)
    return until.rule if stakes[better] and won not in (better, "tie") else ""


def _holding(rules: BaccaratRules, sitting: BaccaratSitting) -> tuple[tuple[str, str, str], ...]:
    """Roles end with the round; only the shoe stays with a player who need not give it up."""
    if shoe_passes(rules, sitting):
        return ()
    return tuple(each for each in sitting.handlers if each[0] == "shoe" and each[2] == "accept")


def _new_shoe(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, *, cards: str) -> BaccaratSitting:
    holding = _holding(rules, sitting)
    kept = BaccaratSitting(seats=sitting.seats, wagers=sitting.wagers, handlers=holding, free=sitting.free)
    kept = changed(kept, style=sitting.style, vacancies=sitting.vacancies)
    return changed(kept, cards=cards, shoe=(fact,), names=sitting.names)


def _mix_again(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> BaccaratSitting:
    """The same cards, checked already: they are mixed, cut and burned again, unless players have handled them."""
    if sitting.handled and "handled" in rules.ceremony.after_shoe:
        return changed(sitting, left=0)
    return changed(_new_shoe(rules, sitting, fact, cards=USED), handled=sitting.handled)
