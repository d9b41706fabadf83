"""What is due at a baccarat table, around the coup: the first thing of an ordered list.

The opening of the shoe (check, mix, cut, load, burn), then for each round the call, the offer of roles, the cards of
`play.demand`, the showing of the hands, the result, and at last the end of the shoe.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.ceremony import acts, due
from croupier.game import (
    Called,
    Choose,
    Deal,
    Demand,
    Fact,
    Next,
    Perform,
    Performed,
)
from croupier.game.kinds import ActKind
from croupier.games.baccarat import play
from croupier.games.baccarat.ceremonies.following import followed_under, unfollowed
from croupier.games.baccarat.ceremonies.parts import CUT, HANDS, MIXED_AGAIN, REMOVED
from croupier.games.baccarat.ceremonies.sitting import (
    DECLINED,
    GONE,
    NO_BETS,
    BaccaratSitting,
    accepted,
    acts_for,
    betting_closed,
    chosen_style,
    condition,
    kind,
    last_call,
    named,
    order_for,
    preparation,
    role_offer,
    round_complete,
    style_of,
    unbacked,
)
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.model import Law, present
from croupier.law.officials import DEALER
from croupier.once import once_of_both


@once_of_both
def demand(rules: BaccaratRules, sitting: BaccaratSitting) -> Demand:
    """The first thing due: the shoe, then the round's calls and offers, then cards, then what follows them."""
    wanted = shoe_demand(rules, sitting) or _round_demand(rules, sitting)
    by = named(rules, sitting, wanted.by) if isinstance(wanted, Perform) else ""
    return changed(wanted, by=by) if isinstance(wanted, Perform) and by != wanted.by else wanted


@once_of_both
def shoe_demand(rules: BaccaratRules, sitting: BaccaratSitting) -> Demand | None:
    prepared = due(preparation(rules, sitting), sitting.shoe, condition(rules, sitting))
    loaded = rules.ceremony.loading
    return prepared or _cut_demand(rules, sitting) or due(loaded, sitting.shoe, condition(rules, sitting))


def _cut_demand(rules: BaccaratRules, sitting: BaccaratSitting) -> Demand | None:
    """The offer of the cut, seat by seat; then the cut itself by whoever accepted, or by staff.

    Who answered and gave up the seat cuts no more; who has taken that seat since is asked after the others.
    """
    ceremony, answers = rules.ceremony, dict(sitting.cutters)
    if CUT.act in acts(sitting.shoe):
        return None
    for person, answer in sitting.cutters:
        if answer == "cut":
            return Perform(CUT.act, person, ceremony.cut_depth.rule)
    for person in cut_order(rules, sitting):
        if answers.get(person) == "designated":
            order = order_for(rules, sitting, "designate cutter")
            return Choose(person, ("cut", DECLINED), order.rule if order else ceremony.cut_offer.rule)
        if person not in answers:
            return Choose(person, ("cut", DECLINED), ceremony.cut_offer.rule)
    late = next((person for person in cut_order(rules, sitting) if answers.get(person) == GONE), None)
    if late:
        return Choose(late, ("cut", DECLINED), ceremony.cut_offer.rule)
    return Perform(CUT.act, ceremony.cut_by.value, ceremony.cut_by.rule)


def cut_all_the_same(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> bool:
    """Whether the cards are cut although somebody was to be asked, since one who had answered gave up the seat.

    No table lets that happen any more; but journals from before it was noticed have it.
    """
    if fact.act != CUT.act or all(answer != GONE for _, answer in sitting.cutters):
        return False
    return shoe_demand(rules, sitting) == _cut_demand(rules, sitting) is not None


def handed_all_the_same(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed) -> bool:
    """Whether a hand that the dealer keeps in a void hand goes to whoever accepted it, as in journals from before."""
    if sitting.coup.hand != "void":
        return False
    act = kind(rules, fact.act)
    return act.verb in ("pass", "mark") and unbacked(rules, sitting, act.of) and accepted(sitting, act.of) is not None


def cut_order(rules: BaccaratRules, sitting: BaccaratSitting) -> tuple[str, ...]:
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


def _round_demand(rules: BaccaratRules, sitting: BaccaratSitting) -> Demand:
    style, met = style_of(rules, sitting), condition(rules, sitting)
    vacancy = rules.ceremony.vacancy
    if sitting.vacant and present(vacancy) and not betting_closed(rules, sitting):
        return Perform(vacancy.value, DEALER, vacancy.rule)
    if round_complete(rules, sitting):
        return _between(rules, sitting)
    calls = () if NO_BETS in acts(sitting.said) else rules.ceremony.calls
    asked = None if betting_closed(rules, sitting) else unfollowed(rules, sitting)
    before = asked or due(calls, sitting.said, met) or _role_demand(rules, sitting, "before deal")
    if before:
        return before
    if sitting.cutting == (sitting.rounds, 0) and sitting.left == 0 and not _last_called(rules, sitting):
        return Perform(last_call(rules).act, DEALER, rules.ceremony.rounds_if_first.rule)
    if sitting.coup.dealt < len(rules.initial_deal.value):
        return play.demand(rules, sitting.coup)
    shown = _role_demand(rules, sitting, "after deal") or due(style.shown, sitting.said, met)
    return shown or _third_demand(rules, sitting) or _last_part(rules, sitting)


def _role_demand(rules: BaccaratRules, sitting: BaccaratSitting, moment: str) -> Demand | None:
    """The offers of roles that belong here; who accepts one is marked at once, where the document has a mark."""
    style = style_of(rules, sitting)
    for role, when in style.roles.items():
        if when.value == moment:
            marks = tuple(law for law in style.shown if law.value.kind == ActKind("mark", role))
            asked = role_offer(rules, sitting, role) or due(marks, sitting.said, condition(rules, sitting))
            if asked:
                return asked
    return None


def _third_demand(rules: BaccaratRules, sitting: BaccaratSitting) -> Demand | None:
    """What is done with a third card before the next one: it is passed and shown, hand by hand."""
    for hand in HANDS:
        if len(getattr(sitting.coup, hand)) > 2:
            script = tuple(acts_for(law, hand) for law in style_of(rules, sitting).third)
            shown = due(script, sitting.said, condition(rules, sitting))
            if shown:
                return shown
    return None


def _last_part(rules: BaccaratRules, sitting: BaccaratSitting) -> Demand:
    card = play.demand(rules, sitting.coup)
    if isinstance(card, Deal | Perform):
        return card
    return due(rules.ceremony.ending, sitting.said, condition(rules, sitting)) or card


def _last_called(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    return last_call(rules).act in acts(sitting.said)


def _between(rules: BaccaratRules, sitting: BaccaratSitting) -> Demand:
    """Between rounds: the last coup is called, the shoe ends, or the next round's betting is closed."""
    if sitting.left and not _last_called(rules, sitting):
        return Perform(last_call(rules).act, DEALER, last_rule(rules, sitting))
    if sitting.left == 0 and not sitting.dummies:
        end = end_of_shoe(rules, sitting)
        other = due(rules.ceremony.exchange[:1], (), condition(rules, sitting)) if end.value == "mix" else None
        if other:
            return other
        return Perform({"mix": MIXED_AGAIN, "replace": REMOVED}[end.value].act, DEALER, end.rule)
    if sitting.following.hand == "void":
        return Perform(NO_BETS, DEALER, sitting.following.rule)
    call = rules.ceremony.calls[0]
    return unfollowed(rules, sitting) or Perform(call.value.act, call.value.by, call.rule)


def last_rule(rules: BaccaratRules, sitting: BaccaratSitting) -> str:
    """The rule that makes this or the next round the last, by the place at which the cutting card came."""
    first = sitting.cutting is not None and sitting.cutting[1] == 0
    return rules.ceremony.rounds_if_first.rule if first else rules.ceremony.rounds_after.rule


def end_of_shoe(rules: BaccaratRules, sitting: BaccaratSitting) -> Law[str]:
    """Cards that players handled leave the table; others are mixed again."""
    ends = rules.ceremony.after_shoe
    if sitting.handled and "handled" in ends:
        return ends["handled"]
    if sitting.cutting is not None and sitting.cutting[1] == 0 and "came first" in ends:
        return ends["came first"]
    end = ends[chosen_style(rules, sitting)]
    ran_out = sitting.cutting is None and bool(sitting.coup.void)
    return Law(end.value, (sitting.coup.void, *end.rules)) if ran_out else end


def cites(rules: BaccaratRules, sitting: BaccaratSitting, fact: Fact) -> str:
    """The rule of an order that the edition has, if that is what this act is; or of what somebody says of a Run."""
    if type(fact) is Called and fact.call == "nominate":
        return followed_under(rules, sitting)
    order = order_for(rules, sitting, fact.act) if type(fact) is Performed else None
    return order.rule if order else ""


def last_act(rules: BaccaratRules, sitting: BaccaratSitting) -> Perform | None:
    """What is still to be done with the cards before the table closes, if any were brought."""
    brought = sitting.shoe or sitting.cards or sitting.rounds
    left = due(rules.ceremony.closing, (), condition(rules, sitting))
    return left if brought and not sitting.checked else None


# ---------------------------------------------------------------- what lies there


def layout(rules: BaccaratRules, sitting: BaccaratSitting) -> Coup:
    """What wagers and officials look at: the coup that lies there, or the one to come once the page is turned."""
    return _begun(rules, sitting) if sitting.turned else sitting.coup


@once_of_both
def _begun(rules: BaccaratRules, sitting: BaccaratSitting) -> Coup:
    return play.begin(rules, to_come(sitting))


def to_come(sitting: BaccaratSitting) -> Next:
    """How the next coup begins; one after the last of a shoe is a Dummy Coup, with a card that is left over first."""
    following = changed(sitting.following, hand="dummy") if sitting.dummies else sitting.following
    return changed(following, number=sitting.rounds + 1)
