"""The procedure around the coup: a second `demand` over the same layout.

A `Sitting` is the ceremony so far: what was done with this shoe, what was done in this round, the coup, who sits
where and what they have staked.  `demand` is the first thing due of an ordered list: the opening of the shoe (check,
mix, cut, load, burn), then for each round the call, the offer of roles, the cards of `play.demand`, the showing of
the hands, the result, and at last the end of the shoe.  `apply` lets it happen or refuses it with the rule.

Seats are numbers; a seated player is `seat 4`.  Numbers rise counter-clockwise, except in division IV, where they rise
clockwise; either way the order of an offer is the order of the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from croupier.ceremony import Act, Done, Holds, acts, due, perform
from croupier.equipment import parse_card, rank
from croupier.game import (
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    Fact,
    Irregular,
    Perform,
    Performed,
    Refusal,
    Wager,
    say,
)
from croupier.games.baccarat import irregular, play
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BaccaratRules, Style
from croupier.law.model import Law, present

DECLINED = "decline"
LAST = "call Last coup"
EMPTY = Coup()


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table's ceremony.  `shoe` and `said` are what was done with this shoe and in this round.

    `cutting`: the round and the place in it at which the cutting card came; `left`: rounds that may still be dealt.
    `handlers` are the answers to offers in this round: (role, seat, accept or decline); `handled` whether any player
    held cards of this shoe.
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
    free: int = 0
    cutting: tuple[int, int] | None = None
    left: int | None = None
    handled: bool = False


# ---------------------------------------------------------------- conditions


def holds(rules: BaccaratRules, sitting: Sitting, words: str) -> bool:
    """Whether every condition, separated by commas, holds at this table now."""
    return all(_holds(rules, sitting, word) for word in words.split(", "))


def _condition(rules: BaccaratRules, sitting: Sitting) -> Holds:
    return lambda words: holds(rules, sitting, words)


def _holds(rules: BaccaratRules, sitting: Sitting, word: str) -> bool:
    said, shoe = acts(sitting.said), acts(sitting.shoe)
    role, _, state = word.rpartition(" ")
    if state in ("handled", "kept") and role in ("player", "banker", "shoe"):
        return (handler(rules, sitting, role) is not None) == (state == "handled")
    simple = {
        "no shuffler": rules.shuffler.value.elected == "none",
        "shuffler": rules.shuffler.value.elected != "none",
        "continuous": rules.shuffler.value.elected == "continuous",
        "not continuous": rules.shuffler.value.elected != "continuous",
        "perfect pairs": present(rules.perfect_pairs) and rules.perfect_pairs.value.elected,
        "two cutting cards": rules.cutting_cards.value.elected == 2,
        "style B": rules.style.value.elected == "B",
        "pre-shuffled": sitting.cards == "pre-shuffled",
        "before first round": sitting.rounds == 0 and rules.ceremony.calls[0].value.act not in said,
        "before first card": sitting.coup.dealt == 0,
        "before loading": "load" not in shoe,
        "before cut": not sitting.cutters and "cut" not in shoe,
        "before burn": not {"burn face up", "burn one face down"} & shoe,
        "value burn": "ask for a value burn" in shoe,
        "no value burn": "ask for a value burn" not in shoe,
        "banker first": "show banker first" in said,
        "markers": "use markers" in said,
        "another opens": "let another open" in said,
        "between rounds": sitting.coup.dealt == 0 or _round_complete(rules, sitting),
        "after shoe": sitting.left == 0 and _round_complete(rules, sitting),
    }
    return simple[word]


def _style(rules: BaccaratRules) -> Style:
    return rules.ceremony.styles[rules.style.value.elected]


def face(rules: BaccaratRules, sitting: Sitting) -> Law[str]:
    """How the next card lies: up or down, by the style, and by its place in the coup."""
    style = _style(rules)
    return style.face if sitting.coup.dealt < len(rules.initial_deal.value) else style.third_face


# ---------------------------------------------------------------- roles


def offers(rules: BaccaratRules, sitting: Sitting, role: str) -> tuple[str, ...]:
    """The seated players to whom a hand (or the shoe) is offered: highest wager first, equals by lowest seat."""
    hands = ("player", "banker") if role == "shoe" else (role,)
    order = _style(rules).order
    best: dict[int, int] = {}
    for wager in sitting.wagers:
        number = seat_number(wager.by)
        if wager.on in hands and number in sitting.seats:
            best[number] = max(best.get(number, 0), wager.stake_cents)
    if not present(order):
        return ()
    return tuple(f"seat {n}" for n in sorted(best, key=lambda n: _place_in_line(order.value, best[n], n)))


def _place_in_line(order: tuple[str, ...], stake_cents: int, seat: int) -> tuple[int, ...]:
    keys = {"highest wager": -stake_cents, "lowest wager": stake_cents, "lowest seat": seat, "highest seat": -seat}
    return tuple(keys[word] for word in order)


def seat_number(by: str) -> int:
    """The number of `seat 4`; 0 for anybody who has no seat."""
    word, _, number = by.partition(" ")
    return int(number) if word == "seat" and number.isdigit() else 0


def handler(rules: BaccaratRules, sitting: Sitting, role: str) -> str | None:
    """The seat that accepted the role in this round, unless a supervisor keeps the cards with the dealer."""
    if "keep cards with dealer" in acts(sitting.said):
        return None
    accepted = [seat for each, seat, answer in sitting.handlers if each == role and answer == "accept"]
    return accepted[0] if accepted else None


def _role_demand(rules: BaccaratRules, sitting: Sitting, moment: str) -> Demand | None:
    style = _style(rules)
    if "keep cards with dealer" in acts(sitting.said) or not present(style.order):
        return None
    for role, when in style.roles.items():
        answered = {seat for each, seat, _ in sitting.handlers if each == role}
        if when.value != moment or handler(rules, sitting, role):
            continue
        for seat in offers(rules, sitting, role):
            if seat not in answered:
                rule = style.order.rule if answered else when.rule
                return Choose(seat, (f"accept {role}", f"{DECLINED} {role}"), rule)
    return None


# ---------------------------------------------------------------- what is due


def demand(rules: BaccaratRules, sitting: Sitting) -> Demand:
    """The first thing due: the shoe, then the round's calls and offers, then cards, then what follows them."""
    wanted = _shoe_demand(rules, sitting) or _round_demand(rules, sitting)
    return _by_seat(rules, sitting, wanted) if isinstance(wanted, Perform) else wanted


def _shoe_demand(rules: BaccaratRules, sitting: Sitting) -> Demand | None:
    condition = _condition(rules, sitting)
    ceremony = rules.ceremony
    opening = ceremony.prepared[sitting.cards] if sitting.cards else (*ceremony.opening, *ceremony.mixing)
    prepared = due(opening, sitting.shoe, condition)
    return prepared or _cut_demand(rules, sitting) or due(ceremony.loading, sitting.shoe, condition)


def _cut_demand(rules: BaccaratRules, sitting: Sitting) -> Demand | None:
    """The offer of the cut, seat by seat; then the cut itself by whoever accepted, or by staff."""
    ceremony = rules.ceremony
    if "cut" in acts(sitting.shoe):
        return None
    for seat, answer in sitting.cutters:
        if answer == "cut":
            return Perform("cut", seat, ceremony.cut_depth.rule)
    for seat in cut_order(rules, sitting):
        if seat not in dict(sitting.cutters):
            return Choose(seat, ("cut", DECLINED), ceremony.cut_offer.rule)
    return Perform("cut", ceremony.cut_by.value, ceremony.cut_by.rule)


def cut_order(rules: BaccaratRules, sitting: Sitting) -> tuple[str, ...]:
    """The seats in the order in which the cut is offered to them."""
    start = rules.ceremony.cut_offer.value.start
    if start == "nobody":
        return ()
    return tuple(f"seat {n}" for n in sorted(sitting.seats, reverse=start == "highest"))


def _round_demand(rules: BaccaratRules, sitting: Sitting) -> Demand:
    condition = _condition(rules, sitting)
    ceremony, style = rules.ceremony, _style(rules)
    dealt, initial = sitting.coup.dealt, len(rules.initial_deal.value)
    if _round_complete(rules, sitting):
        return _between(rules, sitting)
    before = due(ceremony.calls, sitting.said, condition) or _role_demand(rules, sitting, "before deal")
    if before:
        return before
    if sitting.cutting == (sitting.rounds, 0) and sitting.left == 0 and LAST not in acts(sitting.said):
        return Perform(LAST, "dealer", ceremony.rounds_if_first.rule)
    if sitting.coup.void:
        return play.demand(rules, sitting.coup)
    if dealt < initial:
        return play.demand(rules, sitting.coup)
    shown = _role_demand(rules, sitting, "after deal") or due(style.shown, sitting.said, condition)
    if shown:
        return shown
    return _third_demand(rules, sitting) or _last_part(rules, sitting)


def _third_demand(rules: BaccaratRules, sitting: Sitting) -> Demand | None:
    """What is done with a third card before the next one: it is passed and shown, hand by hand."""
    for hand in ("player", "banker"):
        if len(getattr(sitting.coup, hand)) > 2:
            script = tuple(Law(_for_hand(law.value, hand), law.rules) for law in _style(rules).third)
            shown = due(script, sitting.said, _condition(rules, sitting))
            if shown:
                return shown
    return None


def _for_hand(act: Act, hand: str) -> Act:
    return Act(act.act.format(hand=hand), act.by.format(hand=hand), act.when.format(hand=hand))


def _last_part(rules: BaccaratRules, sitting: Sitting) -> Demand:
    card = play.demand(rules, sitting.coup)
    if isinstance(card, Deal):
        return card
    ending = due(rules.ceremony.ending, sitting.said, _condition(rules, sitting))
    return ending or card


def _round_complete(rules: BaccaratRules, sitting: Sitting) -> bool:
    """Whether the coup is over, shown and settled."""
    if sitting.coup.void:
        return True
    needed = {law.value.act for law in rules.ceremony.ending}
    return play.is_over(rules, sitting.coup) and needed <= acts(sitting.said)


def _between(rules: BaccaratRules, sitting: Sitting) -> Demand:
    """Between rounds: the last coup is called, the shoe ends, or the next round's betting is closed."""
    ceremony = rules.ceremony
    if sitting.left and LAST not in acts(sitting.said):
        return Perform(LAST, "dealer", ceremony.rounds_after.rule)
    if sitting.left == 0:
        end = _end_of_shoe(rules, sitting)
        return Perform("mix again" if end.value == "mix" else "remove cards", "dealer", end.rule)
    call = ceremony.calls[0]
    return Perform(call.value.act, call.value.by, call.rule)


def _end_of_shoe(rules: BaccaratRules, sitting: Sitting) -> Law[str]:
    """Cards that players handled leave the table; others are mixed again."""
    ends = rules.ceremony.after_shoe
    if sitting.handled and "handled" in ends:
        return ends["handled"]
    return ends[rules.style.value.elected]


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
        case CardSeen() | Irregular():
            return _card(rules, sitting, fact)
        case _:
            wanted = demand(rules, sitting)
            return Refusal(f"{type(fact).__name__} does not answer what is due: {say(wanted)}", wanted.rule)


def _card(rules: BaccaratRules, sitting: Sitting, fact: CardSeen | Irregular) -> Sitting | Refusal:
    wanted = demand(rules, sitting)
    if isinstance(fact, CardSeen) and not isinstance(wanted, Deal):
        return Refusal(f"no card is due: {say(wanted)}", wanted.rule)
    coup = irregular.apply(rules, sitting.coup, fact)
    return coup if isinstance(coup, Refusal) else replace(sitting, coup=coup)


def _cutting_card(rules: BaccaratRules, sitting: Sitting) -> Sitting | Refusal:
    """The cutting card came: this round or one more is the last, by its place in the round."""
    ceremony = rules.ceremony
    if rules.shuffler.value.elected == "continuous" or sitting.cutting is not None:
        return Refusal("no cutting card is in the cards", ceremony.last_call.rule)
    first = sitting.coup.dealt == 0
    extra = ceremony.rounds_if_first.value if first else ceremony.rounds_after.value
    return replace(sitting, cutting=(sitting.rounds, sitting.coup.dealt), left=extra)


def _chosen(rules: BaccaratRules, sitting: Sitting, fact: Chosen) -> Sitting | Refusal:
    wanted = demand(rules, sitting)
    if not isinstance(wanted, Choose) or fact.by != wanted.by or fact.option not in wanted.options:
        return Refusal(f"{fact.option} by {fact.by or 'nobody'}: due is {say(wanted)}", wanted.rule)
    answer, _, role = fact.option.partition(" ")
    if not role:
        return replace(sitting, cutters=(*sitting.cutters, (fact.by, answer)))
    handled = sitting.handled or answer == "accept"
    return replace(sitting, handlers=(*sitting.handlers, (role, fact.by, answer)), handled=handled)


def _performed(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Sitting | Refusal:
    refusal = _forbidden(rules, sitting, fact) or _allowed(rules, sitting, fact) or _wrong_detail(rules, sitting, fact)
    if refusal:
        return refusal
    return _done(rules, sitting, fact)


def _forbidden(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Refusal | None:
    """Acts that the style rules out, and hands that may not be out together."""
    style = _style(rules)
    if fact.act in style.forbids:
        law = style.forbids[fact.act]
        return Refusal(f"{fact.act}: {law.value}", law.rule)
    before = style.first.get(fact.act)
    other = "player" if "banker" in fact.act else "banker"
    out = f"pass {other} hand" in acts(sitting.said)
    if before and out and before.value not in acts(sitting.said):
        return Refusal(f"{fact.act}: the {other} hand is still out", before.rule)
    return None


def _allowed(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Refusal | None:
    wanted = demand(rules, sitting)
    ordered = any(law.value.act == fact.act for law in rules.ceremony.orders)
    fixed = rules.ceremony.style_fixed
    if fact.act == "change style" and not ordered and present(fixed) and fixed.value and sitting.shoe:
        return Refusal("a shoe keeps the style it was begun in", fixed.rule)
    act = wanted if isinstance(wanted, Perform) else None
    refusal = perform(act, rules.ceremony.orders, fact, _condition(rules, sitting))
    if refusal and act is None and not ordered:
        return Refusal(f"{fact.act} is out of turn: due is {say(wanted)}", wanted.rule)
    return refusal


def _by_seat(rules: BaccaratRules, sitting: Sitting, act: Perform) -> Perform:
    """An act for `player handler` is for the seat that holds that hand."""
    if not act.by.endswith(" handler"):
        return act
    return replace(act, by=handler(rules, sitting, act.by.removesuffix(" handler")) or "dealer")


def _wrong_detail(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Refusal | None:
    """Depths and numbers that the rules limit."""
    ceremony, cards = rules.ceremony, 52 * rules.decks.value.elected
    match fact:
        case Performed(act="cut", detail=depth):
            least = ceremony.cut_depth.value.cards - ceremony.cut_depth.value.about
            if not isinstance(depth, int) or not least <= depth <= cards - least:
                return Refusal(f"a cut at {depth}: from {least} to {cards - least} cards", ceremony.cut_depth.rule)
        case Performed(act="insert cutting card", detail=depth):
            return _end_depth(rules, depth)
        case Performed(act="burn face down", detail=number):
            value = burn_value(rules, sitting)
            if number != value:
                return Refusal(f"burned {number}: the first card asks for {value}", ceremony.burn_values.rule)
        case Performed(act=act) if act == ceremony.calls[0].value.act and not sitting.wagers and sitting.free == 0:
            free = ceremony.free_rounds
            if present(free):
                return Refusal("no wager is down and no free round was asked for", free.rule)
        case _:
            pass
    return None


def _end_depth(rules: BaccaratRules, depth: object) -> Refusal | None:
    ceremony = rules.ceremony
    least = ceremony.end_depth.value.cards - ceremony.end_depth.value.about
    if isinstance(depth, int) and depth >= least:
        return None
    if present(ceremony.end_fanned) and depth == ceremony.end_fanned.value:
        return None
    return Refusal(f"the cutting card {depth} from the back: at least {least}", ceremony.end_depth.rule)


def burn_value(rules: BaccaratRules, sitting: Sitting) -> int:
    """How many cards are burned face down: the value of the card that was burned face up."""
    shown = next((str(fact.detail) for fact in sitting.shoe if fact.act == "burn face up"), "")
    return rules.ceremony.burn_values.value[rank(parse_card(shown))]


def _done(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Sitting:
    """Note an act where it belongs, with the few that turn a page: a new round, new cards, a new mix."""
    match fact.act:
        case act if act == rules.ceremony.calls[0].value.act:
            return _closed(rules, sitting, fact)
        case "replace cards" | "remove cards" | "replace cards after the shoe":
            return _new_shoe(sitting, cards=str(fact.detail))
        case "require mixing":
            return _new_shoe(sitting, cards="")
        case "mix again" | "shuffle after vacancy" | "shuffle for a compromised mix" | "shuffle for an exposed card":
            return _mix_again(rules, sitting)
        case "shuffle for an abnormal sequence" | "shuffle for reasonable cause":
            return _mix_again(rules, sitting)
        case "ask for free rounds":
            law = rules.ceremony.free_rounds
            return replace(sitting, free=law.value if present(law) else 0)
        case "change style":
            return replace(sitting, handled=sitting.handled or rules.style.value.elected == "B")
        case "designate cutter":
            return replace(sitting, cutters=((str(fact.detail), "cut"),))
        case _:
            return _noted(rules, sitting, fact)


def _closed(rules: BaccaratRules, sitting: Sitting, call: Performed) -> Sitting:
    """Betting is closed; after a finished round this begins the next one."""
    free = max(0, sitting.free - 1) if not sitting.wagers else 0
    if not _round_complete(rules, sitting):
        return replace(sitting, said=(*sitting.said, call), free=free)
    left = None if sitting.left is None else sitting.left - 1
    holding = () if shoe_passes(rules, sitting) else tuple(each for each in sitting.handlers if _holds_shoe(each))
    fresh = replace(sitting, coup=Coup(), handlers=holding, rounds=sitting.rounds + 1, left=left, free=free)
    return replace(fresh, said=(call,))


def _holds_shoe(answer: tuple[str, str, str]) -> bool:
    return answer[0] == "shoe" and answer[2] == "accept"


def shoe_passes(rules: BaccaratRules, sitting: Sitting) -> str:
    """The rule under which the player who holds the shoe gives it up after this round; empty if he keeps it."""
    for law in rules.ceremony.orders:
        if law.value.act in ("relinquish the shoe", "take the shoe back") and law.value.act in acts(sitting.said):
            return law.rule
    until, seat = _style(rules).keeps_until, handler(rules, sitting, "shoe")
    if not present(until) or seat is None or until.value != "a loss" or not play.is_over(rules, sitting.coup):
        return ""
    backed = {wager.on for wager in sitting.wagers if wager.by == seat and wager.on in ("player", "banker")}
    won = play.winner(rules, sitting.coup)
    return until.rule if backed and won != "tie" and won not in backed else ""


def _noted(rules: BaccaratRules, sitting: Sitting, fact: Performed) -> Sitting:
    if _shoe_demand(rules, sitting) is not None or fact.act == "ask for a value burn":
        return replace(sitting, shoe=(*sitting.shoe, fact))
    return replace(sitting, said=(*sitting.said, fact))


def _new_shoe(sitting: Sitting, *, cards: str) -> Sitting:
    return Sitting(seats=sitting.seats, wagers=sitting.wagers, cards=cards)


def _mix_again(rules: BaccaratRules, sitting: Sitting) -> Sitting:
    """The same cards, checked already: only the mixing and what follows is due again."""
    checked = tuple(Performed(law.value.act, law.value.by) for law in rules.ceremony.opening)
    return replace(_new_shoe(sitting, cards=""), shoe=checked)
