"""Irregularities of blackjack (part 15): circumstance, the remedy and its rule, and how it is carried out.

The table is the law: for each circumstance the cases in the order in which they are tried, the first that applies being
the ruling.  Most turn on one question: whether any player has decided anything yet.  If not, the hands are rebuilt:
what was decided is undone, the cards are taken back and laid again as `found`, in their right order; one that is left
over then was drawn in error and shown, and is the next card like any other such.  If so, the error is cut out instead.

A hand that is void has no result: whatever was settled of its wagers before is opened again, and they go back.

Where the deal passed a place over and nobody noticed, the dealer says so afterwards at the place in question
(`call: unnoticed`), and again when it is found; between the two the play goes on as it did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.equipment import Card, card_name
from croupier.game import (
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Effect,
    Irregular,
    Performed,
    Plain,
    Refusal,
    Remedy,
    Ruling,
    Wager,
)
from croupier.game.circumstances import Circumstance, Circumstances, DeclaredField, applies, listed, one_of, unambiguous
from croupier.game.places import read_place
from croupier.games.blackjack import moves, play
from croupier.games.blackjack.layout import Layout, count
from croupier.games.blackjack.rules import ON_A_HAND, BlackjackCase, BlackjackRules, Irregularities
from croupier.law.conditions import OnCall, in_a_row
from croupier.law.model import Citer, Law
from croupier.law.officials import CASINO_SUPERVISOR, DEALER, GAME_SUPERVISOR, acting, may_order
from croupier.round import UNDO

CIRCUMSTANCES: Circumstances = listed(
    Circumstance("face_up_card", "a card was found face up in the shoe", card=True),
    Circumstance("unexposed_card", "a card was drawn in error and its face not shown", card=True, unseen=True),
    Circumstance(
        "card_to_empty_box",
        "a card went to a box without a wager",
        "card, to; found: all cards in their right order",
        card=True,
        found=True,
        to=DeclaredField("the box"),
    ),
    Circumstance(
        "omitted_box",
        "a box with a wager was passed over",
        "to: the box; call: unnoticed; found, to rebuild the hands",
        found=True,
        to=DeclaredField("the box"),
        call=one_of("unnoticed"),
    ),
    Circumstance(
        "omitted_dealer_card",
        "the dealer's first card was passed over",
        "call: unnoticed; found, to rebuild the hands",
        found=True,
        call=one_of("unnoticed"),
    ),
    Circumstance("exposed_on_dealer", "a card was put on the dealer's hand in error, face up", card=True),
    Circumstance("exposed_card", "after the initial deal a card was drawn in error and shown", card=True),
    Circumstance(
        "misplaced_card",
        "cards were drawn in error or put in a wrong place",
        "to: the hand; found, or call: void",
        card=True,
        found=True,
        to=DeclaredField("the hand"),
        call=one_of("void"),
    ),
    Circumstance("absent_player", "the player in turn is not there, and nobody else may decide"),
    Circumstance("insufficient_cards", "the cards ran out before the round was complete"),
    Circumstance("damaged_card", "a card was found damaged"),
    Circumstance("missed_reshuffle", "the cards were not shuffled although a cutting card had come out"),
    Circumstance("missing_cutting_card", "the cutting card was found not to have been put in"),
    Circumstance("cards_handled", "a player or spectator handled, altered or withdrew a card"),
)

NEEDS_CARD = ("exposed_card",)


# ---------------------------------------------------------------- the table


def table(law: Citer) -> Irregularities:
    """Part 15 in its order, and the conduct about cards of part 3."""
    rebuilt = Remedy.RECONSTRUCT
    call = f"{GAME_SUPERVISOR} told"
    cases: Irregularities = {
        "face_up_card": (law(BlackjackCase("", Remedy.DISCARD), "15.1"),),
        "unexposed_card": (law(BlackjackCase("", Remedy.USE), "15.2"),),
        "card_to_empty_box": (
            law(BlackjackCase("undecided", rebuilt, CASINO_SUPERVISOR), "15.3"),
            law(BlackjackCase("", Remedy.DISCARD), "15.3"),
        ),
        "omitted_box": (
            law(BlackjackCase((OnCall("unnoticed"), "box due"), Remedy.PLAY_ON), "15.4"),
            law(BlackjackCase(("otherwise", "others undecided"), rebuilt, CASINO_SUPERVISOR), "15.4"),
            law(BlackjackCase("", Remedy.VOID_WAGER), "15.4"),
        ),
        "omitted_dealer_card": (
            law(BlackjackCase((OnCall("unnoticed"), "dealer due"), Remedy.PLAY_ON), "15.5"),
            law(BlackjackCase(("otherwise", "undecided"), rebuilt, CASINO_SUPERVISOR), "15.5"),
            law(BlackjackCase(("otherwise", "unnoticed so far"), Remedy.OPTION), "15.5"),
        ),
        "exposed_on_dealer": (law(BlackjackCase("", Remedy.DISCARD), "15.6"),),
        "exposed_card": (
            law(BlackjackCase(("initial deal over", "card due"), Remedy.USE), "15.7"),
            law(BlackjackCase(("initial deal over", "choice due"), Remedy.OPTION), "15.7"),
        ),
        "misplaced_card": (
            law(BlackjackCase(("undecided", "not call void"), rebuilt, CASINO_SUPERVISOR, call), "15.8"),
            law(BlackjackCase(("otherwise", "to box"), Remedy.VOID_HAND, CASINO_SUPERVISOR, call), "15.8"),
            law(BlackjackCase(("otherwise", "to dealer"), Remedy.VOID_ROUND, CASINO_SUPERVISOR, call), "15.8"),
        ),
        "absent_player": (
            law(BlackjackCase(("choice due", "low hard total"), Remedy.PLAY_ON, CASINO_SUPERVISOR), "15.9"),
            law(BlackjackCase("choice due", Remedy.STAND, CASINO_SUPERVISOR), "15.9"),
        ),
        "insufficient_cards": (
            law(BlackjackCase("card due", Remedy.PLAY_ON, call="shuffle and cut the discards"), "15.10"),
        ),
        "damaged_card": (law(BlackjackCase("", Remedy.REPLACE, CASINO_SUPERVISOR), "15.11"),),
        "missed_reshuffle": (law(BlackjackCase("", Remedy.PLAY_ON), "15.12"),),
        "missing_cutting_card": (law(BlackjackCase("", Remedy.PLAY_ON), "15.13"),),
        "cards_handled": (law(BlackjackCase("", Remedy.PLAY_ON, GAME_SUPERVISOR, call), "3.3"),),
    }
    return unambiguous(cases, CONDITIONS, frozenset(("to box", "to dealer")), frozenset(("card due", "choice due")))


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


def rule_on(rules: BlackjackRules, layout: Layout, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened, or why there is none."""
    return no_such_box(rules, it) or ruled(rules, layout, it)


def no_such_box(rules: BlackjackRules, it: Irregular) -> Refusal | None:
    """Why a card cannot have gone there: it is no box of the table."""
    if it.circumstance != "card_to_empty_box" or not it.to:
        return None
    read = read_place(it.to.strip()) or read_place(f"box {it.to.strip()}")
    if read and read.kind == "box" and read.number in rules.boxes.value:
        return None
    return Refusal(f"{it.to!r:.30} is no box from 1 to {rules.boxes.value[-1]}", rules.boxes.rule, on=it.circumstance)


def ruled(rules: BlackjackRules, layout: Layout, it: Irregular) -> Ruling | Refusal:
    """The ruling on what was recorded; earlier releases took a card on any box."""
    cases = rules.irregularities.get(it.circumstance)
    if cases is None:
        return Refusal("no such circumstance", rules.unprovided.rule, on=it.circumstance)
    refusal = _not_so(layout, it, cases[0].rule)
    if refusal:
        return refusal
    for law in cases:
        if applies(law.value.when, it.call, lambda word: CONDITIONS[word](rules, layout, it)):
            return _ruling(rules, layout, it, law)
    wanted = " or ".join(sorted({in_a_row(law.value.when) for law in cases}))
    return Refusal(f"not provided for in this position (it needs: {wanted})", cases[-1].rule, on=it.circumstance)


def _not_so(layout: Layout, it: Irregular, rule: str) -> Refusal | None:
    """What was declared cannot be what happened, or it is not said which card or box."""
    if it.circumstance in NEEDS_CARD and it.card is None:
        return Refusal("say which card", rule, on=it.circumstance)
    if it.circumstance in NEEDS_CARD and it.card is not None and it.card in layout.shown:
        return Refusal(f"the {card_name(it.card)} is exposed already", rule, on=it.circumstance)
    if it.circumstance == "omitted_box" and moves.find(layout, it.to) is None:
        return Refusal("say which open box (to)", rule, on="omitted_box")
    if it.circumstance == "omitted_box" and _has_played(layout, it.to):
        return Refusal(f"{it.to} was not passed over, it has played", rule, on="omitted_box")
    if it.circumstance == "misplaced_card" and not layout.boxes:
        return Refusal("no round is in hand", rule, on="misplaced_card")
    if it.circumstance == "card_to_empty_box" and moves.find(layout, it.to) is not None:
        return Refusal(f"{it.to} has a wager", rule, on="card_to_empty_box")
    return None


def _has_played(layout: Layout, to: str) -> bool:
    """Whether the hand was played: to insure is a decision, but whoever lacks a card may have made it."""
    place = moves.find(layout, to)
    return place is not None and place[0].played


def _ruling(rules: BlackjackRules, layout: Layout, it: Irregular, law: Law[BlackjackCase]) -> Ruling | Refusal:
    case = law.value
    if case.remedy is Remedy.RECONSTRUCT:
        refusal = _not_rebuilt(rules, layout, it, law.rule)
        if refusal:
            return refusal
    # What is put off to the end of the round is done then by whom the law names; anybody may say that it is needed.
    now = case.remedy is not Remedy.REPLACE
    if now and acting(it.by) and not may_order(it.by, case.by):
        return Refusal(f"for the {case.by}, not for the {it.by}", law.rule, on=it.circumstance)
    return Ruling(it, case.remedy, law.rule, it.by or case.by, _facts(rules, layout, it, law), call=case.call)


def _not_rebuilt(rules: BlackjackRules, layout: Layout, it: Irregular, rule: str) -> Refusal | None:
    """A rebuilding needs all the cards in their right order, unless the next card simply goes where it is due."""
    if not it.found:
        dealing = not play.initial_deal_over(rules, layout) and it.circumstance != "misplaced_card"
        missing = Refusal("give all the cards in their right order as found", rule, on=it.circumstance)
        return None if dealing else missing
    there, shown = (*layout.cards, *cards_in(it)), layout.shown
    same = sorted(it.found) in (sorted(there), sorted((*there, *shown)))
    there = (*there, *shown)
    return None if same else Refusal(f"found must hold the same {len(there)} cards", rule, on=it.circumstance)


def _facts(rules: BlackjackRules, layout: Layout, it: Irregular, law: Law[BlackjackCase]) -> tuple[Plain, ...]:
    """The facts of the main path that carry the remedy out."""
    case = law.value
    card = (CardSeen(it.card),) if it.card is not None and CONDITIONS["card due"](rules, layout, it) else ()
    match case.remedy:
        case Remedy.RECONSTRUCT if it.found:
            return _rebuilt(rules, layout, it, _ordered(law, UNDO, "take back"))
        case Remedy.USE if layout.exposed is not None and it.card is not None and it.circumstance in NEEDS_CARD:
            # A further card that was shown comes after the one that lies there already.
            return (Performed("expose", DEALER, it.card),)
        case Remedy.RECONSTRUCT | Remedy.USE:
            return card
        case Remedy.VOID_WAGER | Remedy.VOID_HAND:
            return (Performed("void hand", case.by, it.to, law.rule),)
        case Remedy.VOID_ROUND:
            return _ordered(law, UNDO, "void round")
        case Remedy.REPLACE:
            return (Performed("afterwards", case.by, "replace damaged cards", law.rule),)
        case Remedy.STAND:
            return (Chosen("stand"),)
        case Remedy.OPTION | Remedy.PLAY_ON:
            return _play_on(it, law)
        case _:
            return ()


def _rebuilt(rules: BlackjackRules, layout: Layout, it: Irregular, anew: tuple[Plain, ...]) -> tuple[Plain, ...]:
    """The cards laid again in their order, where they are due; those for which there is no place lie exposed."""
    facts: list[Plain] = list(anew)
    after: Layout | Refusal = apply_all(rules, layout, anew)
    for card in it.found:
        if isinstance(after, Refusal):
            break
        due = isinstance(play.demand(rules, after), Deal)
        facts.append(CardSeen(card) if due else Performed("expose", DEALER, card))
        after = moves.apply(rules, after, facts[-1])
    return tuple(facts)


def _ordered(law: Law[BlackjackCase], *acts: str) -> tuple[Plain, ...]:
    return tuple(Performed(act, law.value.by, law.rule) for act in acts)


def _play_on(it: Irregular, law: Law[BlackjackCase]) -> tuple[Plain, ...]:
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
        case "insufficient_cards":
            return _ordered(law, "run out")
        case "missed_reshuffle" | "missing_cutting_card":
            return (Performed("afterwards", DEALER, "shuffle", law.rule),)
        case _:
            return ()


def reopens(rules: BlackjackRules, layout: Layout, fact: Effect) -> Callable[[Wager], bool] | None:
    """The wagers that go back however they were decided: their hand is void, or their box left out of the round."""
    if type(fact) is Chosen and fact.option == "void":
        now = play.turn(rules, layout)
        return _on(now.box.number, 0) if now.box and isinstance(now.due, Choose) else None
    if type(fact) is not Ruling or fact.remedy not in (Remedy.VOID_WAGER, Remedy.VOID_HAND):
        return None
    found = moves.find(layout, fact.on.to)
    if found is None:
        return None
    box, hand = found
    return _on(box.number, hand if len(box.hands) > 1 else 0)


def _on(box: int, hand: int) -> Callable[[Wager], bool]:
    """Which wagers lie on a box, or on one hand of it: the side wagers are on the box."""
    return lambda wager: wager.box == box and (not hand or (wager.on in ON_A_HAND and (wager.hand or 1) == hand))


def heard(rules: BlackjackRules, layout: Layout, fact: Effect) -> Layout | Refusal:
    """The same in a hearing, where nothing of earlier releases is read: nobody wagers on a card that is known."""
    return moves.why_not_known(rules, layout, fact) or apply(rules, layout, fact)


def apply(rules: BlackjackRules, layout: Layout, fact: Effect) -> Layout | Refusal:
    """The layout after anything that takes effect: a ruling is carried out, the rest is plain play."""
    return apply_all(rules, layout, fact.facts if type(fact) is Ruling else (fact,))


def apply_all(rules: BlackjackRules, layout: Layout, facts: tuple[Plain, ...]) -> Layout | Refusal:
    """The layout after plain facts, one after another."""
    for plain in facts:
        after = moves.apply(rules, layout, plain)
        if isinstance(after, Refusal):
            return after
        layout = after
    return layout


def cards_in(fact: Irregular) -> tuple[Card, ...]:
    """The card an irregularity brings onto the table, if it does."""
    return () if fact.card is None else (fact.card,)
