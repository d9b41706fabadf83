"""Irregularities of Caribbean stud: the circumstance, the remedy with its rule, and how it is carried out.

The table is the law: for each circumstance the cases in the order in which they are tried, the first that applies being
the ruling.  A misdeal voids the round: antes and bets go back, those of folded hands too, and jackpot wagers wait for
the next.  Stray cards are no misdeal: all is dealt again and every wager stands.  A hand that is dead, or whose player
is away, is out of the round.

Hands and deck are still counted when the round is over, and a wrong count then undoes what was settled.  Anything else
that comes to light later is put where it happened, and the facts are played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.equipment import CARDS, Card, card_name
from croupier.game import CardSeen, Deal, Effect, Irregular, Over, Performed, Plain, Refusal, Remedy, Ruling
from croupier.game.circumstances import Circumstance, Circumstances, DeclaredField, applies, listed, one_of, unambiguous
from croupier.game.places import read_place
from croupier.games.caribbean_stud import play
from croupier.games.caribbean_stud.play import StudLayout, card_due, hand_size, is_dealt, named
from croupier.games.caribbean_stud.rules import DEALER, Irregularities, StudCase, StudRules
from croupier.law.conditions import OnCall, in_a_row
from croupier.law.links import ELECTRONIC
from croupier.law.model import Citer, Law
from croupier.once import replace
from croupier.round import UNDO

MISDEAL = "misdeal"

CIRCUMSTANCES: Circumstances = listed(
    Circumstance(
        "wrong_count",
        "a hand got another number of cards than the deal gives",
        "to: box n or dealer; call: how many",
        to=DeclaredField("box n or dealer"),
        call=DeclaredField("how many", examples=("4", "5", "6")),
    ),
    Circumstance(
        "exposed_card",
        "a card was shown in error, while dealt or where it lies",
        "card; to: box n or dealer",
        card=True,
        to=DeclaredField("box n or dealer"),
    ),
    Circumstance(
        "stray_cards",
        "cards were dealt to a box without an ante",
        "to: box n; call: how many",
        to=DeclaredField("box n"),
        call=DeclaredField("how many", examples=("2", "5")),
    ),
    Circumstance(
        "deck_count",
        "the deck was counted after the deal",
        "call: how many cards it has",
        call=DeclaredField("how many cards it has", examples=("51", "52", "53")),
    ),
    Circumstance(
        "dead_hand",
        "players exchanged cards or told of their hands",
        "to: box n; call: dead, or stands",
        to=DeclaredField("box n"),
        call=one_of("dead", "stands"),
    ),
    Circumstance(
        "absent_player", "the player of a complete hand is not there to decide", "to: box n", to=DeclaredField("box n")
    ),
    Circumstance(
        "light_off",
        "the light of a jackpot wager is not on",
        "to: box n; call: again, or return",
        to=DeclaredField("box n"),
        call=one_of("again", "return"),
    ),
)


def table(law: Citer, first_referee: str) -> Irregularities:
    """The cases of part 14, and the light of 11.4.  The law does not say who declares a hand dead."""
    dead = law(StudCase(OnCall("dead"), Remedy.FOLD, by=first_referee), "14.1")
    cases: Irregularities = {
        "wrong_count": (law(StudCase("wrong number", Remedy.VOID_ROUND), "14.3"),),
        "exposed_card": (
            law(StudCase("one before", Remedy.VOID_ROUND), "14.5"),
            law(StudCase(("otherwise", "to dealer", "none up"), Remedy.USE), "14.6"),
            law(StudCase("", Remedy.PLAY_ON), "14.4"),
        ),
        "stray_cards": (
            law(StudCase("whole hand", Remedy.DISCARD), "14.8"),
            law(StudCase(("part of a hand", "dealing"), Remedy.REDEAL), "14.7"),
        ),
        "deck_count": (law(StudCase(("dealt", "not a deck"), Remedy.VOID_ROUND), "14.9"),),
        "dead_hand": (dead, law(StudCase(OnCall("stands"), Remedy.PLAY_ON, by=first_referee), "14.1")),
        "absent_player": (law(StudCase(("dealt", "undecided"), Remedy.FOLD), "14.11"),),
        "light_off": (
            law(StudCase(("no card out", OnCall("return")), Remedy.VOID_WAGER), "11.4"),
            law(StudCase(("no card out", OnCall("again")), Remedy.AGAIN), "11.4"),
        ),
    }
    return unambiguous(cases, CONDITIONS, frozenset(("whole hand", "part of a hand")))


# ---------------------------------------------------------------- when a case applies

Condition = Callable[[StudRules, StudLayout, Irregular], bool]


def _stray_hand(rules: StudRules, layout: StudLayout, it: Irregular) -> bool:
    """Whether what lies on an empty box is a hand to be discarded, and not cards for which all is dealt again (R-152).

    Five cards are a hand; by the other reading only once the deal is complete.
    """
    by_number = rules.stray_cards_or_stray_hand.value.elected == "fewer_than_five_or_five"
    return int(it.call) == hand_size(rules) and (by_number or is_dealt(rules, layout))


CONDITIONS: Mapping[str, Condition] = {
    "wrong number": lambda rules, layout, it: int(it.call) != hand_size(rules),
    "one before": lambda rules, layout, it: layout.exposed > 0,
    "to dealer": lambda rules, layout, it: it.to == DEALER,
    "dealing": lambda rules, layout, it: not is_dealt(rules, layout),
    "none up": lambda rules, layout, it: not is_dealt(rules, layout),
    "dealt": lambda rules, layout, it: is_dealt(rules, layout),
    "no card out": lambda rules, layout, it: layout.dealt == 0,
    "whole hand": _stray_hand,
    "part of a hand": lambda rules, layout, it: (
        0 < int(it.call) <= CARDS * rules.decks.value and not _stray_hand(rules, layout, it)
    ),
    "not a deck": lambda rules, layout, it: int(it.call) != CARDS * rules.decks.value,
    "undecided": lambda rules, layout, it: _undecided(layout, it.to),
}


def _undecided(layout: StudLayout, to: str) -> bool:
    box = named(layout, to)
    return box is not None and not box.decided


# ---------------------------------------------------------------- the ruling


def rule_on(rules: StudRules, layout: StudLayout, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened, or why there is none."""
    return no_such_box(rules, it) or shown_before(rules, layout, it) or ruled(rules, layout, it)


def shown_before(rules: StudRules, layout: StudLayout, it: Irregular, *, none_up: bool = False) -> Refusal | None:
    """Why a card is no further one that was shown in error: it was declared before, or the deal turned it up.

    Earlier releases counted such a card again, and their journals are read as they are.
    """
    if it.circumstance != "exposed_card" or it.card is None:
        return None
    up = play.face_up(rules, layout)
    if up and layout.up is None and not none_up and layout.dealer[up.value] == it.card:
        return _faces_up(it.card, up.rule)
    left_up = () if layout.up is None else layout.dealer[layout.up : layout.up + 1]
    if it.card not in (*layout.shown, *left_up):
        return None
    rule = rules.irregularities[it.circumstance][0].rule
    return Refusal(f"the {card_name(it.card)} was shown before, and is one card", rule, on=it.circumstance)


def no_such_box(rules: StudRules, it: Irregular) -> Refusal | None:
    """Why cards cannot have gone there: it is no box of the table."""
    if it.circumstance != "stray_cards" or not it.to:
        return None
    read, seats = read_place(it.to.strip()) or read_place(f"box {it.to.strip()}"), rules.seats.value.elected
    if read and read.kind == "box" and 1 <= read.number <= seats:
        return None
    return Refusal(f"{it.to!r:.30} is no box from 1 to {seats}", rules.seats.rule, on=it.circumstance)


def ruled(rules: StudRules, layout: StudLayout, it: Irregular, *, none_up: bool = False) -> Ruling | Refusal:
    """The ruling on what was recorded; earlier releases took cards on any box.

    `none_up`: the hands are dealt, and the dealer has not turned up a card yet, as after a packet from a shuffler.
    """
    cases = rules.irregularities.get(it.circumstance)
    if cases is None:
        known = ", ".join(rules.irregularities)
        return Refusal(f"no such circumstance; known are {known}", rules.disputes.rule, on=it.circumstance)
    it = _located(rules, layout, it)
    refusal = _settled(rules, layout, it) or _not_so(rules, layout, it, cases[-1].rule)
    if refusal:
        return refusal
    yet = ("none up",) if none_up else ()
    for law in cases:
        if applies(law.value.when, it.call, lambda word: word in yet or CONDITIONS[word](rules, layout, it)):
            return Ruling(it, law.value.remedy, law.rule, it.by or law.value.by, _facts(rules, layout, it, law))
    wanted = " or ".join(in_a_row(law.value.when) for law in cases)
    return Refusal(f"not provided for in this position (it needs: {wanted})", cases[-1].rule, on=it.circumstance)


def _located(rules: StudRules, layout: StudLayout, it: Irregular) -> Irregular:
    """The event with the place of its card, where only the card was named."""
    if it.to or it.card is None:
        return it
    hands = {DEALER: layout.dealer} | {box.name: box.cards for box in layout.boxes}
    due = card_due(rules, layout)
    lies = [name for name, cards in hands.items() if it.card in cards]
    return replace(it, to=lies[0] if lies else due.to if due else "")


COUNTS = ("wrong_count", "deck_count")


def _settled(rules: StudRules, layout: StudLayout, it: Irregular) -> Refusal | None:
    """Nothing can be declared of a round that is not there or is over, but that a count was wrong or a hand dead."""
    due = play.demand(rules, layout)
    if not isinstance(due, Over):
        return None
    if not layout.boxes:
        return Refusal("no hand is in play", due.rule)
    if it.circumstance in (*COUNTS, "dead_hand") and not layout.misdeal:
        return None
    return Refusal("the round is over: put the event where it happened and play the facts again", due.rule)


def _not_so(rules: StudRules, layout: StudLayout, it: Irregular, rule: str) -> Refusal | None:
    """What was declared is incomplete, or cannot be what happened."""
    match it.circumstance:
        case "wrong_count" | "stray_cards" | "deck_count" if not it.call.isdecimal() or len(it.call) > 3:
            return Refusal("say how many cards (call)", rule, on=it.circumstance)
        case "wrong_count":
            return None if it.to == DEALER or named(layout, it.to) else _nobody(it, rule)
        case "stray_cards":
            stray = named(layout, it.to)
            return Refusal(f"{stray.name} has an ante: its cards are no stray cards", rule) if stray and it.to else None
        case "exposed_card":
            return _not_exposed(rules, layout, it, rule)
        case "dead_hand" if it.by and it.by not in rules.disputes.value:
            who = rules.disputes.value[0]
            return Refusal(f"the {who} declares it, not the {it.by}", rules.disputes.rule, on="dead_hand")
        case "dead_hand" | "absent_player":
            return _no_hand(layout, it, rule)
        case "light_off":
            return _no_light(rules, layout, it, rule)
        case _:
            return None


def _no_hand(layout: StudLayout, it: Irregular, rule: str) -> Refusal | None:
    box = named(layout, it.to)
    return _nobody(it, rule) if box is None or box.out else None


def _nobody(it: Irregular, rule: str) -> Refusal:
    return Refusal(f"no hand in play on {it.to or 'a box that is not named'}", rule, on=it.circumstance)


def _not_exposed(rules: StudRules, layout: StudLayout, it: Irregular, rule: str) -> Refusal | None:
    if it.card is None:
        return Refusal("say which card", rule, on="exposed_card")
    due = card_due(rules, layout)
    if it.card not in layout.cards:
        if due is None or it.to not in ("", due.to):
            return Refusal(f"{card_name(it.card)} does not lie on {it.to or 'the layout'}", rule, on="exposed_card")
        return _rightly_up(rules, layout, it.card, due)
    if it.to and it.card not in _cards_on(layout, it.to):
        return Refusal(f"{card_name(it.card)} does not lie on {it.to}", rule, on="exposed_card")
    return None


def _rightly_up(rules: StudRules, layout: StudLayout, card: Card, due: Deal) -> Refusal | None:
    """The card that the deal turns up anyway is not shown in error."""
    after = play.apply(rules, layout, CardSeen(card))
    if isinstance(after, Refusal):
        return after
    up = play.face_up(rules, after)
    if layout.up is None and due.to == DEALER and up and after.dealer[up.value] == card:
        return _faces_up(card, up.rule)
    return None


def _faces_up(card: Card, rule: str) -> Refusal:
    return Refusal(f"{card_name(card)} is the dealer's face-up card, not one shown in error", rule)


def _cards_on(layout: StudLayout, to: str) -> tuple[Card, ...]:
    if to == DEALER:
        return layout.dealer
    box = named(layout, to)
    return box.cards if box else ()


def _no_light(rules: StudRules, layout: StudLayout, it: Irregular, rule: str) -> Refusal | None:
    box = named(layout, it.to)
    if rules.jackpot_mode.value.elected != ELECTRONIC:
        return Refusal("there are lights in electronic mode only", rules.progressive.light.rule, on="light_off")
    if box is None or not box.jackpot:
        return Refusal(f"no jackpot wager on {it.to or 'a box that is not named'}", rule, on="light_off")
    return None


def _facts(rules: StudRules, layout: StudLayout, it: Irregular, law: Law[StudCase]) -> tuple[Plain, ...]:
    """The plain facts that carry the remedy out."""
    by, box = it.by or law.value.by, named(layout, it.to)
    where = box.name if box else it.to
    match law.value.remedy:
        case Remedy.VOID_ROUND:
            return (Performed(UNDO, by), Performed(MISDEAL, by, law.rule))
        case Remedy.REDEAL:
            return (Performed("take back", by),)
        case Remedy.USE | Remedy.PLAY_ON if it.circumstance == "exposed_card":
            return _shown(layout, it, by, kept=law.value.remedy is Remedy.USE)
        case Remedy.FOLD:
            # A hand found dead when all is shown takes back what its showdown decided.
            shown = (Performed(UNDO, by),) if isinstance(play.demand(rules, layout), Over) else ()
            return (*shown, Performed(it.circumstance.replace("_", " "), by, where))
        case Remedy.VOID_WAGER:
            return (Performed("return jackpot wager", by, where),)
        case _:
            return ()


def _shown(layout: StudLayout, it: Irregular, by: str, *, kept: bool) -> tuple[Plain, ...]:
    assert it.card is not None
    lies = it.card in layout.cards
    card = () if lies else (CardSeen(it.card),)
    place = layout.dealer.index(it.card) if it.card in layout.dealer else len(layout.dealer)
    return (Performed("leave face up", by, place) if kept else Performed("turn over", by, it.card), *card)


def apply(rules: StudRules, layout: StudLayout, fact: Effect) -> StudLayout | Refusal:
    """The layout after anything that takes effect: a ruling is carried out, the rest is plain play."""
    if not isinstance(fact, Ruling):
        return play.apply(rules, layout, fact)
    for plain in fact.facts:
        after = _carry_out(rules, layout, plain)
        if isinstance(after, Refusal):
            return after
        layout = after
    return layout


def _carry_out(rules: StudRules, layout: StudLayout, plain: Plain) -> StudLayout | Refusal:
    """A misdeal or a dead hand comes by a ruling only, also to a round that is over; the book is undone elsewhere."""
    match plain:
        case Performed(act=act) if act == UNDO:
            return layout
        case Performed(act=act, detail=str(rule)) if act == MISDEAL:
            return replace(layout, misdeal=rule)
        case Performed(act="dead hand", detail=str(where)):
            out = rules.irregularities["dead_hand"][0].rule
            return replace(layout, boxes=tuple(replace(b, out=out) if b.name == where else b for b in layout.boxes))
        case _:
            return play.apply(rules, layout, plain)
