"""The procedure around the coup: a second `demand` over the same layout.

`demand` is the first thing due of an ordered list: the opening of the shoe (check, mix, cut, load, burn), then for each
round the call, the offer of roles, the cards of `play.demand`, the showing of the hands, the result, and at last the
end of the shoe.  `apply` lets it happen or refuses it with the rule.  Both work on a `Sitting`, the ceremony so far.

Beside what is due there are orders: what an official may direct, or a player ask for, at a time of their choosing.
An order takes effect in the sitting, and what follows from it is due next.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.ceremony import acts, due, perform
from croupier.game import (
    NORMAL,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    Fact,
    Irregular,
    Next,
    Perform,
    Performed,
    Refusal,
    say,
)
from croupier.games.baccarat import irregular, play
from croupier.games.baccarat.ceremonies.details import burn_value, wrong_detail
from croupier.games.baccarat.ceremonies.parts import DEALER, HANDLER, HANDS, OPERATOR, PLAYER, STANDS_FOR
from croupier.games.baccarat.ceremonies.remedies import VOIDED, nothing_to_pay, remedied
from croupier.games.baccarat.ceremonies.sitting import (
    ANOTHER,
    BOTH,
    DECLINED,
    EMPTY,
    KEEP,
    NO_BETS,
    TAKEN_BACK,
    USED,
    Sitting,
    acts_for,
    backed,
    condition,
    face,
    handler,
    holds,
    named,
    new_to_play,
    offers,
    opener,
    order_for,
    preparation,
    role_offer,
    round_complete,
    seat_number,
    style_of,
    wagers_count,
)
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.model import Law, present
from croupier.once import once_of_both

__all__ = [
    "LAST",
    "Sitting",
    "apply",
    "burn_value",
    "cut_order",
    "demand",
    "face",
    "handler",
    "holds",
    "offers",
    "opener",
    "shoe_passes",
]

LAST = "call Last coup"
# What may be declared although no round was begun with these cards.
BEFORE_A_ROUND = ("burn_forgotten", "dummy_coup_ordered", "error_found_later")
GIVEN_UP = ("relinquish the shoe", TAKEN_BACK)
# What is said between two rounds and meant for the next one.
FOR_THE_ROUND = (KEEP, BOTH, ANOTHER, "let another deal", "show banker first", "use markers")


# ---------------------------------------------------------------- what is due


@once_of_both
def demand(rules: BaccaratRules, sitting: Sitting) -> Demand:
    """The first thing due: the shoe, then the round's calls and offers, then cards, then what follows them."""
    wanted = _shoe_demand(rules, sitting) or _round_demand(rules, sitting)
    by = named(rules, sitting, wanted.by) if isinstance(wanted, Perform) else ""
    return replace(wanted, by=by) if isinstance(wanted, Perform) and by != wanted.by else wanted


@once_of_both
def _shoe_demand(rules: BaccaratRules, sitting: Sitting) -> Demand | None:
    prepared = due(preparation(rules, sitting), sitting.shoe, condition(rules, sitting))
    loaded = rules.ceremony.loading
    return prepared or _cut_demand(rules, sitting) or due(loaded, sitting.shoe, condition(rules, sitting))


def _cut_demand(rules: BaccaratRules, sitting: Sitting) -> Demand | None:
    """The offer of the cut, seat by seat; then the cut itself by whoever accepted, or by staff."""
    ceremony, answers = rules.ceremony, dict(sitting.cutters)
    if "cut" in acts(sitting.shoe):
        return None
    for person, answer in sitting.cutters:
        if answer == "cut":
            return Perform("cut", person, ceremony.cut_depth.rule)
    for person in cut_order(rules, sitting):
        if answers.get(person) == "designated":
            order = order_for(rules, sitting, "designate cutter")
            return Choose(person, ("cut", DECLINED), order.rule if order else ceremony.cut_offer.rule)
        if person not in answers:
            return Choose(person, ("cut", DECLINED), ceremony.cut_offer.rule)
    return Perform("cut", ceremony.cut_by.value, ceremony.cut_by.rule)


def cut_order(rules: BaccaratRules, sitting: Sitting) -> tuple[str, ...]:
    """Who is offered the cut, in turn: by seat, or from a designated person on around the table."""
    start = rules.ceremony.cut_offer.value.start
    if start == "nobody":
        return ()
    downwards = {"lowest": False, "highest": True}[start]
    seats = [f"seat {n}" for n in sorted(sitting.seats, reverse=downwards)]
    first = next((str(fact.detail) for fact in sitting.shoe if fact.act == "designate cutter"), "")
    if first in seats:
        return (*seats[seats.index(first) :], *seats[: seats.index(first)])
    return tuple(filter(None, (first, *seats)))


def _round_demand(rules: BaccaratRules, sitting: Sitting) -> Demand:
    style, met = style_of(rules), condition(rules, sitting)
    if round_complete(rules, sitting):
        return _between(rules, sitting)
    calls = () if NO_BETS in acts(sitting.said) else rules.ceremony.calls
    before = due(calls, sitting.said, met) or _role_demand(rules, sitting, "before deal")
    if before:
        return before
    if sitting.cutting == (sitting.rounds, 0) and sitting.left == 0 and LAST not in acts(sitting.said):
        return Perform(LAST, DEALER, rules.ceremony.rounds_if_first.rule)
    if sitting.coup.dealt < len(rules.initial_deal.value):
        return play.demand(rules, sitting.coup)
    shown = _role_demand(rules, sitting, "after deal") or due(style.shown, sitting.said, met)
    return shown or _third_demand(rules, sitting) or _last_part(rules, sitting)


def _role_demand(rules: BaccaratRules, sitting: Sitting, moment: str) -> Demand | None:
    """The offers of roles that belong here; who accepts one is marked at once, where the document has a mark."""
    style = style_of(rules)
    for role, when in style.roles.items():
        if when.value == moment:
            marks = tuple(law for law in style.shown if law.value.act.startswith(f"place {role} "))
            asked = role_offer(rules, sitting, role) or due(marks, sitting.said, condition(rules, sitting))
            if asked:
                return asked
    return None


def _third_demand(rules: BaccaratRules, sitting: Sitting) -> Demand | None:
    """What is done with a third card before the next one: it is passed and shown, hand by hand."""
    for hand in HANDS:
        if len(getattr(sitting.coup, hand)) > 2:
            script = tuple(acts_for(law, hand) for law in style_of(rules).third)
            shown = due(script, sitting.said, condition(rules, sitting))
            if shown:
                return shown
    return None


def _last_part(rules: BaccaratRules, sitting: Sitting) -> Demand:
    card = play.demand(rules, sitting.coup)
    if isinstance(card, Deal):
        return card
    return due(rules.ceremony.ending, sitting.said, condition(rules, sitting)) or card


def _between(rules: BaccaratRules, sitting: Sitting) -> Demand:
    """Between rounds: the last coup is called, the shoe ends, or the next round's betting is closed."""
    if sitting.left and LAST not in acts(sitting.said):
        return Perform(LAST, DEALER, _last_rule(rules, sitting))
    if sitting.left == 0 and not sitting.dummies:
        end = _end_of_shoe(rules, sitting)
        return Perform({"mix": "mix again", "replace": "remove cards"}[end.value], DEALER, end.rule)
    if sitting.following.hand == "void":
        return Perform(NO_BETS, DEALER, sitting.following.rule)
    call = rules.ceremony.calls[0]
    return Perform(call.value.act, call.value.by, call.rule)


def _last_rule(rules: BaccaratRules, sitting: Sitting) -> str:
    """The rule that makes this or the next round the last, by the place at which the cutting card came."""
    first = sitting.cutting is not None and sitting.cutting[1] == 0
    return rules.ceremony.rounds_if_first.rule if first else rules.ceremony.rounds_after.rule


def _end_of_shoe(rules: BaccaratRules, sitting: Sitting) -> Law[str]:
    """Cards that players handled leave the table; others are mixed again."""
    ends = rules.ceremony.after_shoe
    if sitting.handled and "handled" in ends:
        return ends["handled"]
    if sitting.cutting is not None and sitting.cutting[1] == 0 and "came first" in ends:
        return ends["came first"]
    end = ends[rules.style.value.elected]
    ran_out = sitting.cutting is None and bool(sitting.coup.void)
    return Law(end.value, (sitting.coup.void, *end.rules)) if ran_out else end


# ---------------------------------------------------------------- what happens


def apply(rules: BaccaratRules, sitting: Sitting, fact: Fact) -> Sitting | Refusal:
    """The sitting after a fact of play or of ceremony."""
    match fact:
        case Performed(act="cutting card"):
            return _cutting_card(rules, sitting)
        case Performed():
            return _performed(rules, sitting, fact)
        case Chosen():
            return _chosen(rules, sitting, fact)
        case CardSeen() | Called():
            return _played(rules, sitting, fact)
        case Irregular():
            return _ruled(rules, sitting, fact)
        case _:
            wanted = demand(rules, sitting)
            return Refusal(f"{type(fact).__name__} does not answer what is due: {say(wanted)}", wanted.rule)


def _played(rules: BaccaratRules, sitting: Sitting, fact: CardSeen | Called) -> Sitting | Refusal:
    wanted = demand(rules, sitting)
    if not isinstance(wanted, Deal):
        return Refusal(f"no card is due: {say(wanted)}", wanted.rule)
    coup = play.apply(rules, sitting.coup, fact)
    return coup if isinstance(coup, Refusal) else replace(sitting, coup=coup)


def _ruled(rules: BaccaratRules, sitting: Sitting, fact: Irregular) -> Sitting | Refusal:
    """An irregularity: it is ruled on, and the remedy carried out in this coup or the next."""
    if fact.circumstance == "burn_forgotten" and sitting.rounds > 0:
        # Only the first coup of a shoe can be begun again; the coup itself does not know which it is.
        fact = replace(fact, call="")
    between = round_complete(rules, sitting) and fact.circumstance == "dummy_coup_ordered"
    coup = EMPTY if between else sitting.coup
    ruling = _out_of_place(rules, sitting, fact) or irregular.rule_on(rules, coup, fact)
    if isinstance(ruling, Refusal):
        return ruling
    if between:
        return replace(sitting, following=Next(hand="dummy", rule=ruling.rule))
    after_it = irregular.apply(rules, coup, fact)
    if isinstance(after_it, Refusal):
        return after_it
    return remedied(rules, sitting, after_it, fact, ruling)


def _out_of_place(rules: BaccaratRules, sitting: Sitting, fact: Irregular) -> Refusal | None:
    """Nothing can have gone wrong in a round before there was one."""
    ready = fact.circumstance != "dummy_coup_ordered" or _shoe_demand(rules, sitting) is None
    begun = not new_to_play(rules, sitting) and not sitting.turned
    if begun or (ready and fact.circumstance in BEFORE_A_ROUND):
        return None
    wanted = demand(rules, sitting)
    return Refusal(f"{fact.circumstance}: no round was begun; due is {say(wanted)}", wanted.rule)


def _cutting_card(rules: BaccaratRules, sitting: Sitting) -> Sitting | Refusal:
    """The cutting card came: this round or one more is the last, by its place in the round."""
    ceremony, wanted = rules.ceremony, demand(rules, sitting)
    if rules.shuffler.value.elected == "continuous":
        return Refusal("no cutting card is in the cards", ceremony.last_call.rule)
    if sitting.cutting is not None:
        return Refusal("the cutting card has come already", _last_rule(rules, sitting))
    if not isinstance(wanted, Deal):
        return Refusal(f"no card is being drawn: {say(wanted)}", wanted.rule)
    first = sitting.coup.dealt == 0
    extra = ceremony.rounds_if_first.value if first else ceremony.rounds_after.value
    return replace(sitting, cutting=(sitting.rounds, sitting.coup.dealt), left=extra)


def _chosen(rules: BaccaratRules, sitting: Sitting, fact: Chosen) -> Sitting | Refusal:
    wanted = demand(rules, sitting)
    if not isinstance(wanted, Choose) or fact.by != wanted.by or fact.option not in wanted.options:
        return Refusal(f"{fact.option} by {fact.by or 'nobody'}: due is {say(wanted)}", wanted.rule)
    answer, _, role = fact.option.partition(" ")
    if not role:
        others = tuple(each for each in sitting.cutters if each[0] != fact.by)
        return replace(sitting, cutters=(*others, (fact.by, answer)))
    handled = sitting.handled or answer == "accept"
    return replace(sitting, handlers=(*sitting.handlers, (role, fact.by, answer)), handled=handled)


# ---------------------------------------------------------------- acts and orders


def _performed(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Sitting | Refusal:
    order = order_for(rules, sitting, fact.act)
    rule = order.rule if order else demand(rules, sitting).rule
    refusal = (
        _forbidden(rules, sitting, fact) or _allowed(rules, sitting, fact) or wrong_detail(rules, sitting, fact, rule)
    )
    return refusal or _done(rules, sitting, fact)


def _forbidden(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Refusal | None:
    """Acts that the style rules out, and hands that may not be out together."""
    style, said = style_of(rules), acts(sitting.said)
    if fact.act in style.forbids:
        law = style.forbids[fact.act]
        return Refusal(f"{fact.act}: {law.value}", law.rule)
    before = style.first.get(fact.act)
    if before and before.value not in said and before.value.replace("return", "pass") in said:
        return Refusal(f"{fact.act}: the other hand is still out", before.rule)
    return None


def _allowed(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Refusal | None:
    """Whether this person may do this now: it is an order of the edition, or it is what is due."""
    wanted, order = demand(rules, sitting), order_for(rules, sitting, fact.act)
    if fact.act == "change style" and present(rules.ceremony.style_fixed):
        return _style_change(rules, sitting, fact)
    if fact.act.startswith("shuffle ") and sitting.left == 0 and _end_of_shoe(rules, sitting).value == "replace":
        return Refusal(f"{fact.act}: these cards leave the table", _end_of_shoe(rules, sitting).rule)
    if order is not None:
        return perform(None, (order,), _as(rules, sitting, fact, order.value.by), condition(rules, sitting))
    if not isinstance(wanted, Perform):
        return Refusal(f"{fact.act} is out of turn: due is {say(wanted)}", wanted.rule)
    return perform(wanted, (), _as(rules, sitting, fact, (wanted.by,)), condition(rules, sitting))


def _style_change(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Refusal | None:
    """A shoe keeps the style it was begun in, unless an order of the edition says who may change it and how."""
    order, fixed = order_for(rules, sitting, fact.act), rules.ceremony.style_fixed
    if new_to_play(rules, sitting):
        chooser = fact.by in ("", OPERATOR)
        return None if chooser else Refusal("the operator chooses the style", rules.style.rule)
    assert present(fixed)
    if not fixed.value:
        return None
    if order is None:
        return Refusal("a shoe keeps the style it was begun in", fixed.rule)
    if not fact.detail:
        return Refusal("change style: name the direction or the approved procedure", order.rule)
    return perform(None, (order,), fact, condition(rules, sitting))


def _as(rules: BaccaratRules, sitting: Sitting, fact: Performed, wanted: tuple[str, ...]) -> Performed:
    """The fact under the name by which this person may act: a seat is a player, a supervisor is an employee."""
    for name in wanted:
        holding = {answer[1] for answer in sitting.handlers if answer[2] == "accept"}
        acts_as = (
            fact.by in STANDS_FOR.get(name, ())
            or (name == PLAYER and fact.by.startswith(("seat ", "standing ", "terminal ")))
            or (name == HANDLER and fact.by in holding)
            or (name.endswith(f" {HANDLER}") and fact.by == handler(rules, sitting, name.removesuffix(f" {HANDLER}")))
        )
        if acts_as:
            return replace(fact, by=name)
    return fact


def _done(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Sitting:
    """Note an act where it belongs, with the few that turn a page: a new round, new cards, a new mix."""
    match fact.act:
        case act if act in (rules.ceremony.calls[0].value.act, NO_BETS):
            return _closed(rules, sitting, fact)
        case "replace cards" | "remove cards" | "replace cards after the shoe":
            return _new_shoe(rules, sitting, fact, cards=str(fact.detail))
        case "require mixing":
            return _new_shoe(rules, sitting, fact, cards="")
        case act if act.startswith("shuffle ") or (act == "mix again" and round_complete(rules, sitting)):
            return _mix_again(rules, sitting, fact)
        case "ask for free rounds":
            law = rules.ceremony.free_rounds
            return replace(sitting, free=law.value if present(law) else 0)
        case "change style":
            return replace(sitting, handled=sitting.handled or rules.style.value.elected == "B")
        case "designate cutter":
            return replace(_noted(rules, sitting, fact), cutters=((str(fact.detail), "designated"),))
        case "direct dummy coups":
            return replace(sitting, dummies=int(fact.detail))
        case act if act == KEEP:
            back = _taken_back(sitting, str(fact.detail))
            return _noted(rules, replace(sitting, said=(*sitting.said, *back)), fact)
        case _:
            return _noted(rules, sitting, fact)


def _taken_back(sitting: Sitting, hand: str) -> list[Performed]:
    """Cards that are out with a player when a supervisor keeps them with the dealer come back at once."""
    out = [act for act in acts(sitting.said) if act.startswith(f"pass {hand}")]
    back = {act: act.replace("pass ", "return ", 1) for act in out}
    return [Performed(back[act], DEALER, "kept") for act in sorted(out) if back[act] not in acts(sitting.said)]


def _noted(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Sitting:
    """What was done, with the shoe or in the round.  Where no wager counts there is nothing to collect or pay."""
    for_round = fact.act in FOR_THE_ROUND
    if not for_round and (_shoe_demand(rules, sitting) is not None or fact.act == "choose face"):
        return replace(sitting, shoe=(*sitting.shoe, fact))
    after = replace(sitting, said=(*sitting.said, fact))
    after = replace(after, said=(*after.said, *nothing_to_pay(rules, after)))
    settled = round_complete(rules, after) and not round_complete(rules, sitting)
    return replace(after, passes=_lost_shoe(rules, sitting)) if settled else after


def _closed(rules: BaccaratRules, sitting: Sitting, call: Performed) -> Sitting:
    """Betting is closed; after a finished round this begins the next one."""
    free = None if sitting.wagers or sitting.free is None else max(0, sitting.free - 1)
    handlers, said = sitting.handlers, sitting.said
    fresh = replace(sitting, free=free, following=NORMAL)
    if round_complete(rules, sitting):
        handlers, said = _holding(rules, sitting), _for_the_round(rules, sitting)
        left = sitting.left - 1 if sitting.left else sitting.left
        following = Next(hand="dummy") if sitting.left == 0 else sitting.following
        fresh = replace(fresh, coup=play.begin(rules, following), rounds=sitting.rounds + 1, left=left, passes="")
        fresh = replace(fresh, dummies=max(0, sitting.dummies - 1))
    coup = play.seat(rules, fresh.coup, sitting.wagers)
    handled = sitting.handled or any(answer == "accept" for _, _, answer in handlers)
    return replace(fresh, coup=coup, handlers=handlers, handled=handled, said=(*said, call), turned=False)


def _for_the_round(rules: BaccaratRules, sitting: Sitting) -> tuple[Performed, ...]:
    """What was said after the last round was settled, and meant for the next one."""
    last = (rules.ceremony.ending[-1].value.act, VOIDED)
    places = [place for place, fact in enumerate(sitting.said) if fact.act in last]
    return tuple(fact for fact in sitting.said[places[-1] if places else 0 :] if fact.act in FOR_THE_ROUND)


def shoe_passes(rules: BaccaratRules, sitting: Sitting) -> str:
    """The rule under which the player who holds the shoe gives it up after this round; empty if he keeps it."""
    for act in GIVEN_UP:
        order = order_for(rules, sitting, act)
        if order is not None and act in acts(sitting.said):
            return order.rule
    return sitting.passes


def _lost_shoe(rules: BaccaratRules, sitting: Sitting) -> str:
    """The rule that takes the shoe from its holder, if the wager under which he holds it lost."""
    until, seat = style_of(rules).keeps_until, handler(rules, sitting, "shoe")
    if not present(until) or seat is None or not wagers_count(rules, sitting):
        return ""
    stakes = {hand: backed(sitting, hand).get(seat_number(seat), 0) for hand in HANDS}
    better, won = max(HANDS, key=lambda hand: stakes[hand]), play.winner(rules, sitting.coup)
    return until.rule if stakes[better] and won not in (better, "tie") else ""


def _holding(rules: BaccaratRules, sitting: Sitting) -> tuple[tuple[str, str, str], ...]:
    """Roles end with the round; only the shoe stays with a player who need not give it up."""
    if shoe_passes(rules, sitting):
        return ()
    return tuple(each for each in sitting.handlers if each[0] == "shoe" and each[2] == "accept")


def _new_shoe(rules: BaccaratRules, sitting: Sitting, fact: Performed, *, cards: str) -> Sitting:
    holding = _holding(rules, sitting)
    kept = Sitting(seats=sitting.seats, wagers=sitting.wagers, handlers=holding, free=sitting.free)
    return replace(kept, cards=cards, shoe=(fact,), names=sitting.names)


def _mix_again(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Sitting:
    """The same cards, checked already: they are mixed, cut and burned again, unless players have handled them."""
    if sitting.handled and "handled" in rules.ceremony.after_shoe:
        return replace(sitting, left=0)
    return replace(_new_shoe(rules, sitting, fact, cards=USED), handled=sitting.handled)
