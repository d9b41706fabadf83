"""Irregularities of blackjack (part 15): circumstance, the remedy and its rule, and how it is carried out.

The table is the law: for each circumstance the cases in the order in which they are tried, the first that applies being
the ruling.  Most turn on one question: whether any player has decided anything yet.  If not, the hands are rebuilt:
what was decided is undone, the cards are taken back and laid again as `found`, in their right order.  If so, the error
is cut out instead.

Where the deal passed a place over and nobody noticed, the dealer says so afterwards at the place in question
(`call: unnoticed`), and again when it is found; between the two the play goes on as it did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.equipment import Card, card_name
from croupier.game import CardSeen, Choose, Chosen, Deal, Fact, Irregular, Performed, Refusal, Remedy, Ruling
from croupier.games.blackjack import moves, play
from croupier.games.blackjack.layout import Layout, count
from croupier.games.blackjack.rules import (
    CASINO_SUPERVISOR,
    DEALER,
    GAME_SUPERVISOR,
    BlackjackRules,
    Case,
    Irregularities,
)
from croupier.law.model import Citer, Law
from croupier.round import UNDO

CIRCUMSTANCES: Mapping[str, str] = {
    "face_up_card": "a card was found face up in the shoe",
    "unexposed_card": "a card was drawn in error and its face not shown",
    "card_to_empty_box": "a card went to a box without a wager (card, to; found: all cards in their right order)",
    "omitted_box": "a box with a wager was passed over (to: the box; call: unnoticed; found, to rebuild the hands)",
    "omitted_dealer_card": "the dealer's first card was passed over (call: unnoticed; found, to rebuild the hands)",
    "exposed_on_dealer": "a card was put on the dealer's hand in error, face up",
    "exposed_card": "after the initial deal a card was drawn in error and shown",
    "misplaced_card": "cards were drawn in error or put in a wrong place (to: the hand; found, or call: void)",
    "absent_player": "the player in turn is not there, and nobody else may decide",
    "insufficient_cards": "the cards ran out before the round was complete",
    "damaged_card": "a card was found damaged",
    "missed_reshuffle": "the cards were not shuffled although a cutting card had come out",
    "missing_cutting_card": "the cutting card was found not to have been put in",
    "cards_handled": "a player or spectator handled, altered or withdrew a card",
}

NEEDS_CARD = ("exposed_card",)


# ---------------------------------------------------------------- the table


def table(law: Citer) -> Irregularities:
    """Part 15 in its order, and the conduct about cards of part 3."""
    rebuilt = Remedy.RECONSTRUCT
    told = f"{GAME_SUPERVISOR} told"
    return {
        "face_up_card": (law(Case("", Remedy.DISCARD), "15.1"),),
        "unexposed_card": (law(Case("", Remedy.USE), "15.2"),),
        "card_to_empty_box": (
            law(Case("undecided", rebuilt, CASINO_SUPERVISOR), "15.3"),
            law(Case("", Remedy.DISCARD), "15.3"),
        ),
        "omitted_box": (
            law(Case("call unnoticed, box due", Remedy.PLAY_ON), "15.4"),
            law(Case("others undecided", rebuilt, CASINO_SUPERVISOR), "15.4"),
            law(Case("", Remedy.VOID_WAGER), "15.4"),
        ),
        "omitted_dealer_card": (
            law(Case("call unnoticed, dealer due", Remedy.PLAY_ON), "15.5"),
            law(Case("undecided", rebuilt, CASINO_SUPERVISOR), "15.5"),
            law(Case("unnoticed so far", Remedy.OPTION), "15.5"),
        ),
        "exposed_on_dealer": (law(Case("", Remedy.DISCARD), "15.6"),),
        "exposed_card": (
            law(Case("initial deal over, card due", Remedy.USE), "15.7"),
            law(Case("initial deal over, choice due", Remedy.OPTION), "15.7"),
        ),
        "misplaced_card": (
            law(Case("undecided, not call void", rebuilt, CASINO_SUPERVISOR, told), "15.8"),
            law(Case("to box", Remedy.VOID_HAND, CASINO_SUPERVISOR, told), "15.8"),
            law(Case("to dealer", Remedy.VOID_ROUND, CASINO_SUPERVISOR, told), "15.8"),
        ),
        "absent_player": (
            law(Case("choice due, low hard total", Remedy.PLAY_ON, CASINO_SUPERVISOR), "15.9"),
            law(Case("choice due", Remedy.STAND, CASINO_SUPERVISOR), "15.9"),
        ),
        "insufficient_cards": (law(Case("card due", Remedy.PLAY_ON, call="shuffle and cut the discards"), "15.10"),),
        "damaged_card": (law(Case("", Remedy.REPLACE, CASINO_SUPERVISOR), "15.11"),),
        "missed_reshuffle": (law(Case("", Remedy.PLAY_ON), "15.12"),),
        "missing_cutting_card": (law(Case("", Remedy.PLAY_ON), "15.13"),),
        "cards_handled": (law(Case("", Remedy.PLAY_ON, GAME_SUPERVISOR, told), "3.3"),),
    }


# ---------------------------------------------------------------- the ruling

Condition = Callable[[BlackjackRules, Layout, Irregular], bool]

CONDITIONS: Mapping[str, Condition] = {
    "undecided": lambda rules, layout, it: not any(box.decided for box in layout.boxes),
    "others undecided": lambda rules, layout, it: not _others_decided(layout, it),
    "card due": lambda rules, layout, it: isinstance(play.demand(rules, layout), Deal),
    "choice due": lambda rules, layout, it: _asked_of(rules, layout) is not None,
    "box due": lambda rules, layout, it: _is_due(rules, layout, it.to),
    "dealer due": lambda rules, layout, it: not layout.dealer and _is_due(rules, layout, DEALER),
    "unnoticed so far": lambda rules, layout, it: layout.missed == "unnoticed",
    "initial deal over": lambda rules, layout, it: play.initial_deal_over(rules, layout),
    "to box": lambda rules, layout, it: moves.find(layout, it.to) is not None,
    "to dealer": lambda rules, layout, it: it.to == DEALER,
    "low hard total": lambda rules, layout, it: _low_hard_total(rules, layout),
    "not call void": lambda rules, layout, it: it.call != "void",
}


def _others_decided(layout: Layout, it: Irregular) -> bool:
    found = moves.find(layout, it.to)
    return any(box.decided for box in layout.boxes if found is None or box != found[0])


def _is_due(rules: BlackjackRules, layout: Layout, to: str) -> bool:
    """Whether the card due is for this place."""
    now = play.turn(rules, layout)
    if not isinstance(now.due, Deal):
        return False
    found = moves.find(layout, to)
    return now.box == found[0] if found else to == now.due.to


def _asked_of(rules: BlackjackRules, layout: Layout) -> play.Turn | None:
    """The turn, if it is a seated player's decision on the cards."""
    now = play.turn(rules, layout)
    return now if isinstance(now.due, Choose) and "hit" in now.due.options else None


def _low_hard_total(rules: BlackjackRules, layout: Layout) -> bool:
    """Whether the hand in turn has a hard total on which a card may be directed; a soft hand has no hard total."""
    now = _asked_of(rules, layout)
    if now is None or now.hand is None:
        return False
    total = count(rules, now.hand.cards)
    return not total.soft and total.points <= rules.absent_up_to.value


def applies(rules: BlackjackRules, layout: Layout, it: Irregular, when: str) -> bool:
    """Whether all the conditions of a case hold; `call x` asks for that word of the official."""
    return all(
        it.call == atom.removeprefix("call ") if atom.startswith("call ") else CONDITIONS[atom](rules, layout, it)
        for atom in when.split(", ")
        if atom
    )


def rule_on(rules: BlackjackRules, layout: Layout, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened, or why there is none."""
    cases = rules.irregularities.get(it.circumstance)
    if cases is None:
        return Refusal(f"{it.circumstance}: no such circumstance", rules.unprovided.rule)
    refusal = _not_so(layout, it, cases[0].rule)
    if refusal:
        return refusal
    for law in cases:
        if applies(rules, layout, it, law.value.when):
            return _ruling(rules, layout, it, law)
    wanted = " or ".join(sorted({law.value.when for law in cases}))
    return Refusal(f"{it.circumstance}: not provided for in this position (it needs: {wanted})", cases[-1].rule)


def _not_so(layout: Layout, it: Irregular, rule: str) -> Refusal | None:
    """What was declared cannot be what happened, or it is not said which card or box."""
    if it.circumstance in NEEDS_CARD and it.card is None:
        return Refusal(f"{it.circumstance}: say which card", rule)
    if it.circumstance in NEEDS_CARD and layout.exposed is not None:
        return Refusal(f"{it.circumstance}: the {card_name(layout.exposed)} is exposed already", rule)
    if it.circumstance == "omitted_box" and moves.find(layout, it.to) is None:
        return Refusal("omitted_box: say which open box (to)", rule)
    if it.circumstance == "omitted_box" and _has_played(layout, it.to):
        return Refusal(f"omitted_box: {it.to} was not passed over, it has played", rule)
    if it.circumstance == "misplaced_card" and not layout.boxes:
        return Refusal("misplaced_card: no round is in hand", rule)
    if it.circumstance == "card_to_empty_box" and moves.find(layout, it.to) is not None:
        return Refusal(f"card_to_empty_box: {it.to} has a wager", rule)
    return None


def _has_played(layout: Layout, to: str) -> bool:
    place = moves.find(layout, to)
    return place is not None and place[0].decided


def _ruling(rules: BlackjackRules, layout: Layout, it: Irregular, law: Law[Case]) -> Ruling | Refusal:
    case = law.value
    if case.remedy is Remedy.RECONSTRUCT:
        refusal = _not_rebuilt(rules, layout, it, law.rule)
        if refusal:
            return refusal
    return Ruling(case.remedy, law.rule, case.by, _facts(rules, layout, it, law), call=case.call)


def _not_rebuilt(rules: BlackjackRules, layout: Layout, it: Irregular, rule: str) -> Refusal | None:
    """A rebuilding needs all the cards in their right order, unless the next card simply goes where it is due."""
    if not it.found:
        dealing = not play.initial_deal_over(rules, layout) and it.circumstance != "misplaced_card"
        missing = Refusal(f"{it.circumstance}: give all the cards in their right order as found", rule)
        return None if dealing else missing
    there = (*layout.cards, *cards_in(it))
    same = sorted(it.found) == sorted(there)
    return None if same else Refusal(f"{it.circumstance}: found must hold the same {len(there)} cards", rule)


def _facts(rules: BlackjackRules, layout: Layout, it: Irregular, law: Law[Case]) -> tuple[Fact, ...]:
    """The facts of the main path that carry the remedy out."""
    case = law.value
    card = (CardSeen(it.card),) if it.card is not None and CONDITIONS["card due"](rules, layout, it) else ()
    match case.remedy:
        case Remedy.RECONSTRUCT if it.found:
            return (*_ordered(law, UNDO, "take back"), *(CardSeen(each) for each in it.found))
        case Remedy.RECONSTRUCT | Remedy.USE:
            return card
        case Remedy.VOID_WAGER | Remedy.VOID_HAND:
            return (Performed("void hand", case.by, f"{it.to} under {law.rule}"),)
        case Remedy.VOID_ROUND:
            return _ordered(law, UNDO, "void round")
        case Remedy.REPLACE:
            return (Performed("afterwards", case.by, f"replace damaged cards under {law.rule}"),)
        case Remedy.STAND:
            return (Chosen("stand"),)
        case Remedy.OPTION | Remedy.PLAY_ON:
            return _play_on(it, law)
        case _:
            return ()


def _ordered(law: Law[Case], *acts: str) -> tuple[Fact, ...]:
    return tuple(Performed(act, law.value.by, law.rule) for act in acts)


def _play_on(it: Irregular, law: Law[Case]) -> tuple[Fact, ...]:
    """What the play goes on with."""
    match it.circumstance:
        case "exposed_card" if it.card is not None:
            return (Performed("expose", DEALER, it.card),)
        case "omitted_dealer_card" if law.value.remedy is Remedy.OPTION:
            return _ordered(law, "found missing")
        case "omitted_dealer_card":
            return (Performed("pass over", DEALER, DEALER),)
        case "omitted_box":
            return (Performed("pass over", DEALER, it.to),)
        case "absent_player":
            return (Chosen("hit"),)
        case "missed_reshuffle" | "missing_cutting_card":
            return (Performed("afterwards", DEALER, f"shuffle under {law.rule}"),)
        case _:
            return ()


def apply(rules: BlackjackRules, layout: Layout, fact: Fact) -> Layout | Refusal:
    """The layout after any fact: an irregularity is ruled on and its remedy carried out, the rest is plain play."""
    if not isinstance(fact, Irregular):
        return moves.apply(rules, layout, fact)
    ruling = rule_on(rules, layout, fact)
    if isinstance(ruling, Refusal):
        return ruling
    for plain in ruling.facts:
        after = moves.apply(rules, layout, plain)
        if isinstance(after, Refusal):
            return after
        layout = after
    return layout


def cards_in(fact: Irregular) -> tuple[Card, ...]:
    """The card an irregularity brings onto the table, if it does."""
    return () if fact.card is None else (fact.card,)
