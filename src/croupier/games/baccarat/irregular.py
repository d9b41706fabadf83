"""Irregularities of baccarat: circumstance by edition, the remedy and its rule, and how it is carried out.

The tables are the law: for each circumstance the cases in the order in which they are tried, the first that applies
being the ruling.  A card drawn too many before a coup has begun is the first of that coup, after it of the next.
New Zealand says one thing in several documents under several numberings, so its table is written once and given the
numbers; Victoria has Dummy Coups of its own.

`rule_on` finds the case.  The ruling carries plain facts (a card where it belongs, an order of staff) that the main
path already knows, and says what the next round starts with.  A remedy that changes what lies on the layout, or
whether it counts, begins with the order to undo: what the coup decided is open again and is judged anew.  Hands that
are put right may need fewer cards than were drawn, a natural say: the others are cards drawn in excess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace as changed

from croupier.equipment import card_name
from croupier.game import CardSeen, Deal, Effect, Irregular, Next, Performed, Plain, Refusal, Remedy, Ruling, told
from croupier.game.circumstances import OTHERWISE, Circumstance, Circumstances, applies, listed, one_of, unambiguous
from croupier.game.following import after_both
from croupier.games.baccarat import play
from croupier.games.baccarat.ceremonies.parts import SHOE
from croupier.games.baccarat.play import COMPLETE, OPEN_BETS, Coup
from croupier.games.baccarat.rules import BANKER, PLAYER, BaccaratCase, BaccaratRules, Irregularities
from croupier.law.conditions import OnCall, conditions, in_a_row
from croupier.law.model import Citer, Law
from croupier.law.officials import CASINO_SUPERVISOR, GAME_SUPERVISOR, RANKS
from croupier.once import dataclass
from croupier.round import UNDO

NO_BETS = "No bets this hand"
SHOE_ENDED = "shoe ended"
OFFERED = "Wagers may be taken back"

CIRCUMSTANCES: Circumstances = listed(
    Circumstance(
        "wrong_third_card",
        "a third card was dealt to a hand that is due none",
        "to: player or banker; call: shoe ended",
        card=True,
        disclosed=True,
        to=one_of("player", "banker"),
        call=one_of(SHOE_ENDED),
    ),
    Circumstance(
        "excess_card",
        "a card was drawn in excess of those the round needs",
        "call: shoe ended, if it has",
        card=True,
        disclosed=True,
        call=one_of(SHOE_ENDED, says="shoe ended, if it has"),
    ),
    Circumstance("face_up_card", "a card was found face up in the shoe, as the first of the round or later", card=True),
    Circumstance("insufficient_cards", "the cards ran out before the round was complete"),
    Circumstance(
        "out_of_sequence",
        "cards were dealt out of sequence",
        "call: reconstruct, with the cards found; or void",
        found=True,
        call=one_of("reconstruct", "void"),
    ),
    Circumstance(
        "player_card_on_banker", "a card that belonged to the Player's Hand was dealt to the Banker's", card=True
    ),
    Circumstance(
        "swapped_areas",
        "hands lie on each other's areas",
        "call: complete, retract, dummy, reconstruct or void",
        found=True,
        call=one_of("complete", "retract", "dummy", "reconstruct", "void"),
    ),
    Circumstance(
        "burn_forgotten",
        "the opening burn was missed",
        "call: restart, where the law offers it",
        call=one_of("restart"),
    ),
    Circumstance("dummy_coup_ordered", "a Dummy Coup is wanted before the initial deal"),
    Circumstance(
        "no_wagers",
        "betting was closed and a card burned or dealt with no wager on the table",
        "call: burned, or none",
        call=one_of("burned"),
    ),
    Circumstance(
        "wagers_change_wanted",
        "wagers are to be changed after the first card, still unexposed",
        "call: permit",
        call=one_of("permit"),
    ),
    Circumstance("error_found_later", "an error was found after a later round had begun"),
    Circumstance("disruption", "a disturbance may have compromised the game"),
)


# ---------------------------------------------------------------- the tables


@dataclass(frozen=True, slots=True)
class Numbers:
    """Where a New Zealand document prints each remedy; several numbers say it together."""

    becomes_bankers: tuple[str, ...]
    wrong_carried: tuple[str, ...]
    wrong_shown: tuple[str, ...]
    excess_carried: tuple[str, ...]
    excess_shown: tuple[str, ...]
    face_up_first: tuple[str, ...]
    face_up_later: tuple[str, ...]
    run_out: tuple[str, ...]
    rebuilt: tuple[str, ...]
    not_rebuilt: tuple[str, ...]
    burn_missed: tuple[str, ...]


def new_zealand(
    law: Citer, numbers: Numbers, *, rebuilt_by: str, void_only: tuple[str, ...] = ()
) -> dict[str, tuple[Law[BaccaratCase], ...]]:
    """New Zealand's table: a card that was seen starts a void hand, an unseen one the next round.

    `void_only` limits the declaration that a round cannot be rebuilt to the initial deal, where the edition does.
    """
    wrong = _seen_or_not(law, ("to player",), numbers.wrong_carried, numbers.wrong_shown)
    ended, *in_a_round = _seen_or_not(law, (), numbers.excess_carried, numbers.excess_shown)
    excess = (
        ended,
        law(BaccaratCase(("otherwise", "first card", "undisclosed"), Remedy.CARRY, now=True), *numbers.excess_carried),
        law(
            BaccaratCase(("otherwise", "first card", "disclosed"), Remedy.VOID_HAND, call=NO_BETS, now=True),
            *numbers.excess_shown,
        ),
        *in_a_round,
    )
    rebuilt = law(BaccaratCase(OnCall("reconstruct"), Remedy.RECONSTRUCT, by=rebuilt_by), *numbers.rebuilt)
    void = BaccaratCase((*void_only, OnCall("void")), Remedy.VOID_ROUND, by=rebuilt_by)
    not_rebuilt = law(void, *numbers.not_rebuilt)
    cases = {
        "wrong_third_card": (
            law(BaccaratCase(("to player", "banker must draw"), Remedy.REASSIGN), *numbers.becomes_bankers),
            *wrong,
            *_seen_or_not(law, ("to banker",), numbers.excess_carried, numbers.excess_shown),
        ),
        "excess_card": excess,
        "face_up_card": (
            law(BaccaratCase("first card", Remedy.VOID_HAND, call=NO_BETS, now=True), *numbers.face_up_first),
            law(BaccaratCase("later card", Remedy.USE), *numbers.face_up_later),
        ),
        "insufficient_cards": (law(BaccaratCase("card due", Remedy.VOID_ROUND), *numbers.run_out),),
        "out_of_sequence": (rebuilt, not_rebuilt),
        "swapped_areas": (rebuilt, not_rebuilt),
        "player_card_on_banker": (law(BaccaratCase("player due", Remedy.REASSIGN, by=rebuilt_by), *numbers.rebuilt),),
        "burn_forgotten": (law(BaccaratCase("", Remedy.PLAY_ON), *numbers.burn_missed),),
    }
    return unambiguous(cases, CONDITIONS, *APART)


def _seen_or_not(
    law: Citer, where: tuple[str, ...], carried: tuple[str, ...], shown: tuple[str, ...]
) -> tuple[Law[BaccaratCase], ...]:
    return (
        law(BaccaratCase((OTHERWISE, *where, SHOE_ENDED), Remedy.DISCARD), *carried),
        law(BaccaratCase((OTHERWISE, *where, "undisclosed"), Remedy.CARRY), *carried),
        law(BaccaratCase((OTHERWISE, *where, "disclosed"), Remedy.VOID_HAND, hand="void", call=NO_BETS), *shown),
    )


def _numbers_1996(part: int, last: int) -> Numbers:
    """Division IV numbers its irregularities in part 11, V in 12; IX begins in 12 and is printed 11.7 to 11.9."""

    def at(item: int) -> tuple[str, ...]:
        return (f"{part if item < 7 else last}.{item}",)

    return Numbers(
        becomes_bankers=at(2),
        wrong_carried=at(2),
        wrong_shown=at(2),
        excess_carried=at(3),
        excess_shown=at(3),
        face_up_first=at(4),
        face_up_later=at(5),
        run_out=at(6),
        rebuilt=at(7),
        not_rebuilt=at(8),
        burn_missed=at(9),
    )


NZ1996_NUMBERS: Mapping[str, Numbers] = {
    "IV": _numbers_1996(11, 11),
    "V": _numbers_1996(12, 12),
    "IX": _numbers_1996(12, 11),
}

NZ1998_NUMBERS = Numbers(
    becomes_bankers=("12.1a", "12.1"),
    wrong_carried=("12.1b.s1",),
    wrong_shown=("12.1b.s2",),
    excess_carried=("12.2a", "12.2"),
    excess_shown=("12.2b",),
    face_up_first=("12.3",),
    face_up_later=("12.4",),
    run_out=("12.5",),
    rebuilt=("12.6",),
    not_rebuilt=("12.7",),
    burn_missed=("12.8",),
)

NZD5_NUMBERS = Numbers(
    becomes_bankers=("12.1a", "12.1"),
    wrong_carried=("12.1b.s1",),
    wrong_shown=("12.1b.s2",),
    excess_carried=("12.2a", "12.2"),
    excess_shown=("12.2b",),
    face_up_first=("12.3",),
    face_up_later=("12.4",),
    run_out=("12.5",),
    rebuilt=("12.6.s1",),
    not_rebuilt=("12.6.s2",),
    burn_missed=("12.7",),
)


def victoria(law: Citer) -> Irregularities:
    """Victoria's section 11: a Dummy Coup keeps the sequence of the later cards, and only where a rule provides it."""
    dummy, supervisor = Remedy.DUMMY_COUP, GAME_SUPERVISOR
    indicated, retract = "Dummy Coup", OnCall("retract")
    permitted = ("first card out", "undisclosed", "dealer holds shoe", OnCall("permit"))
    cases: Irregularities = {
        "wrong_third_card": (
            law(BaccaratCase(("to player", "banker must draw"), Remedy.REASSIGN), "11.7.1a", "11.7", "11.7.1"),
            law(BaccaratCase("to player", dummy, hand="dummy", call=indicated), "11.7.1b", "11.9", "11.9.2", "11.9.3"),
            law(BaccaratCase("to banker", dummy, hand="dummy", call=indicated), "11.7.2"),
        ),
        "excess_card": (
            law(BaccaratCase(SHOE_ENDED, Remedy.DISCARD), "11.2.s1"),
            law(BaccaratCase(("otherwise", "first card", "undisclosed"), Remedy.CARRY, now=True), "11.2.s1", "11.2.s2"),
            law(
                BaccaratCase(("otherwise", "first card", "disclosed"), dummy, by=supervisor, call=indicated, now=True),
                "11.4",
            ),
            law(BaccaratCase(("otherwise", "undisclosed"), Remedy.CARRY), "11.2.s1", "11.2.s2"),
            law(BaccaratCase(("otherwise", "disclosed"), dummy, by=supervisor, hand="dummy", call=indicated), "11.4"),
        ),
        "face_up_card": (
            law(BaccaratCase("first card", dummy, call=indicated, now=True), "11.6.1", "11.6"),
            law(BaccaratCase("later card", Remedy.USE), "11.6.2"),
        ),
        "insufficient_cards": (law(BaccaratCase("card due", Remedy.VOID_ROUND), "11.11"),),
        "out_of_sequence": (
            law(BaccaratCase(("initial deal", OnCall("reconstruct")), Remedy.RECONSTRUCT, by=supervisor), "11.12"),
            law(BaccaratCase(("initial deal", OnCall("void")), Remedy.VOID_ROUND, by=supervisor), "11.12"),
        ),
        "player_card_on_banker": (law(BaccaratCase("player due", Remedy.REASSIGN), "11.3"),),
        "swapped_areas": (
            law(BaccaratCase(OnCall("complete"), Remedy.USE, by=supervisor), "11.8.1", "11.8"),
            law(BaccaratCase(retract, Remedy.OPTION, by=supervisor, deserted="dummy", call=OFFERED), "11.8.2"),
            law(BaccaratCase(OnCall("dummy"), dummy, by=supervisor, call=indicated, now=True), "11.8.3"),
        ),
        "burn_forgotten": (
            law(BaccaratCase(("first coup", OnCall("restart")), Remedy.RESTART, by=supervisor), "11.1.1"),
            law(BaccaratCase("", Remedy.PLAY_ON), "11.1"),
        ),
        "dummy_coup_ordered": (
            law(
                BaccaratCase("first card", dummy, by=supervisor, call=f"No more bets, {indicated}", now=True),
                *("11.4", "11.4.1", "11.9.3"),
            ),
        ),
        "no_wagers": (
            law(BaccaratCase("dealt", dummy, call=indicated, now=True), "11.5.2", "11.5", "11.5.4"),
            law(BaccaratCase(("otherwise", OnCall("burned")), dummy, call=indicated, now=True), "11.5.1", "11.5.3"),
        ),
        "wagers_change_wanted": (
            law(BaccaratCase(permitted, Remedy.OPTION, by=CASINO_SUPERVISOR), "11.10", "11.10.1", "11.10.2", "11.10.3"),
        ),
        "error_found_later": (law(BaccaratCase("", Remedy.STAND), "11.13"),),
    }
    return unambiguous(cases, CONDITIONS, *APART)


# ---------------------------------------------------------------- the ruling

BEFORE_A_DEAL = ("excess_card", "dummy_coup_ordered")
"""What happens before the deal also where the round before left a card over; a card face up is then not the first."""

Condition = Callable[[BaccaratRules, Coup, Irregular], bool]

CONDITIONS: Mapping[str, Condition] = {
    "to player": lambda rules, coup, it: (it.to or PLAYER) == PLAYER,
    "to banker": lambda rules, coup, it: it.to == BANKER,
    "banker must draw": lambda rules, coup, it: _banker_must_draw(rules, coup),
    "disclosed": lambda rules, coup, it: it.disclosed,
    "undisclosed": lambda rules, coup, it: not it.disclosed,
    SHOE_ENDED: lambda rules, coup, it: it.call == SHOE_ENDED,
    "first card": lambda rules, coup, it: coup.dealt == 0 or (it.circumstance in BEFORE_A_DEAL and not _begun(coup)),
    "first card out": lambda rules, coup, it: coup.dealt == 1,
    "later card": lambda rules, coup, it: coup.dealt > 0 and _due(rules, coup) is not None,
    "first coup": lambda rules, coup, it: coup.number == 0 and _due(rules, coup) is not None,
    "dealt": lambda rules, coup, it: coup.dealt > 0,
    "initial deal": lambda rules, coup, it: coup.dealt <= len(rules.initial_deal.value),
    "card due": lambda rules, coup, it: _due(rules, coup) is not None,
    "player due": lambda rules, coup, it: _due(rules, coup) == PLAYER,
    "dealer holds shoe": lambda rules, coup, it: SHOE not in rules.ceremony.styles[rules.style.value.elected].roles,
}


APART = (
    *(frozenset(each) for each in (("to player", "to banker"), ("disclosed", "undisclosed"))),
    *(frozenset(("first card", each)) for each in ("later card", "dealt", "first card out")),
)
"""Conditions of which one holds at most."""


def _begun(coup: Coup) -> bool:
    """Whether the deal has begun; a card that was left over by the round before begins none."""
    left_over = coup.dealt == 1 and coup.hand == "normal" and bool(coup.opened) and not coup.retractable
    return coup.dealt > 0 and not left_over


def _due(rules: BaccaratRules, coup: Coup) -> str | None:
    due = play.demand(rules, coup)
    return due.to if isinstance(due, Deal) else None


def _banker_must_draw(rules: BaccaratRules, coup: Coup) -> bool:
    """Whether the Banker's Hand must draw, the Player's Hand being entitled to no card."""
    return _due(rules, coup) == BANKER


def rule_on(rules: BaccaratRules, coup: Coup, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened, or why there is none."""
    cases = rules.irregularities.get(it.circumstance)
    if cases is None:
        known = it.circumstance in CIRCUMSTANCES
        who = rules.unprovided.value
        what = f"the edition has no rule for it; the {who} decides" if known else "no such circumstance"
        return Refusal(what, rules.unprovided.rule, on=it.circumstance)
    refusal = _unheard_of(cases, it) or _not_so(rules, coup, it, cases[0].rule)
    if refusal:
        return refusal
    for law in cases:
        if applies(law.value.when, it.call, lambda word: CONDITIONS[word](rules, coup, it)):
            ruling = _ruling(law, it)
            return _out_of_place(coup, law, it, ruling) or _rebuilt(rules, coup, ruling)
    wanted = " or ".join(sorted({in_a_row(law.value.when) for law in cases}))
    return Refusal(f"not provided for in this position (it needs: {wanted})", cases[-1].rule, on=it.circumstance)


def _unheard_of(cases: tuple[Law[BaccaratCase], ...], it: Irregular) -> Refusal | None:
    """Words that the table does not know: where the card went, what was called, who ordered it."""
    asked = {each for law in cases for each in conditions(law.value.when)}
    known = {SHOE_ENDED} & asked | {each.call for each in asked if isinstance(each, OnCall)}
    if it.to not in ("", PLAYER, BANKER):
        return Refusal(f"to {PLAYER} or {BANKER}, not to {it.to!r:.40}", cases[0].rule, on=it.circumstance)
    if it.call not in ("", *known):
        return Refusal(f"nothing is provided for the call of {it.call!r:.40}", cases[0].rule, on=it.circumstance)
    if it.by not in ("", *RANKS):
        return Refusal(f"{it.by!r:.40} is no official; known are {', '.join(RANKS)}", cases[0].rule, on=it.circumstance)
    return None


def _not_so(rules: BaccaratRules, coup: Coup, it: Irregular, rule: str) -> Refusal | None:
    """What was declared cannot be what happened: the card was due, nothing was out, or something is not said."""
    due = play.demand(rules, coup)
    match it.circumstance:
        case "wrong_third_card" | "excess_card" | "face_up_card" | "player_card_on_banker" if it.card is None:
            return Refusal("say which card", rule, on=it.circumstance)
        case "wrong_third_card":
            return _was_due(rules, coup, it)
        case "excess_card" if isinstance(due, Deal) and _begun(coup):
            return Refusal(f"a card is still due ({told(due)}), so none is in excess", due.rule, on="excess_card")
        case "out_of_sequence" | "swapped_areas" if coup.dealt == 0:
            return Refusal("no card is out", rule, on=it.circumstance)
        case "out_of_sequence" | "swapped_areas" if it.call == "reconstruct":
            return _not_these(rules, coup, it, rule)
        case "no_wagers" if coup.wagered:
            return Refusal(f"{coup.wagered[0][1]} was wagered", rule, on="no_wagers")
        case _:
            return None


def _not_these(rules: BaccaratRules, coup: Coup, it: Irregular, rule: str) -> Refusal | None:
    """Hands are put right with the cards that are out, all of them, in an order in which they do not lie already."""
    if sorted(it.found) != sorted((*coup.player, *coup.banker)):
        return Refusal("give the same cards in their right order as found", rule, on=it.circumstance)
    right = _carried_out(rules, coup, (Performed("take back"), *(CardSeen(card) for card in it.found)))
    if isinstance(right, Coup) and (right.player, right.banker) == (coup.player, coup.banker):
        return Refusal("the cards lie in that order already", rule, on=it.circumstance)
    return None


def _was_due(rules: BaccaratRules, coup: Coup, it: Irregular) -> Refusal | None:
    """A third card is wrong once the initial deal lies complete, and if its hand was neither due it nor has one."""
    if coup.dealt < len(rules.initial_deal.value):
        return Refusal("the initial deal is not complete", rules.initial_deal.rule, on="wrong_third_card")
    due = play.demand(rules, coup)
    to = it.to or PLAYER
    if isinstance(due, Deal) and due.to == to:
        assert it.card is not None
        return Refusal(f"the {card_name(it.card)} was due to the {due.to}: it is no wrong card", due.rule)
    if isinstance(due, Deal) and due.to == PLAYER:
        return Refusal("the Player's Hand is due a card: declare a Player's card on the Banker", due.rule)
    if len(coup.player if to == PLAYER else coup.banker) > 2:
        return Refusal(f"the {to} has a third card already", rules.one_more.rule, on="wrong_third_card")
    return None


def _out_of_place(coup: Coup, law: Law[BaccaratCase], it: Irregular, ruling: Ruling) -> Refusal | None:
    """The case applies, but this official may not order it, or the round is void already."""
    if RANKS.index(ruling.by) < RANKS.index(law.value.by):
        return Refusal(f"for the {law.value.by}, not for the {it.by}", law.rule, on=it.circumstance)
    if coup.void and ruling.facts:
        return Refusal("this round is void already", coup.void, on=it.circumstance)
    return None


def _ruling(law: Law[BaccaratCase], it: Irregular) -> Ruling:
    case, by = law.value, it.by or law.value.by
    following = Next()
    if (case.remedy is Remedy.CARRY and not case.now) or case.hand != "normal":
        following = Next(it.card, case.hand, law.rule)
    orders = tuple(Performed(act, by, law.rule) for act in _orders(case, it))
    bets = (Performed(OPEN_BETS, by, law.rule),) if case.remedy is Remedy.CARRY and case.now else ()
    return Ruling(it, case.remedy, law.rule, by, (*orders, *_cards(case, it), *bets), following, case.call)


def _rebuilt(rules: BaccaratRules, coup: Coup, ruling: Ruling) -> Ruling | Refusal:
    """The ruling as it is; but cards for which hands that are put right have no use were drawn in excess."""
    if ruling.remedy is not Remedy.RECONSTRUCT:
        return ruling
    facts: tuple[Plain, ...] = tuple(fact for fact in ruling.facts if isinstance(fact, Performed))
    right, over = _carried_out(rules, coup, facts), list(ruling.on.found)
    while over and isinstance(right, Coup) and isinstance(play.demand(rules, right), Deal):
        facts = (*facts, CardSeen(over.pop(0)))
        right = _carried_out(rules, right, facts[-1:])
    if isinstance(right, Refusal) or not over:
        return ruling
    third = rules.ceremony.styles[rules.style.value.elected].third_face.value
    following = ruling.next
    for card in over:
        seen = ruling.on.disclosed or third == "up"
        excess = rule_on(rules, right, Irregular("excess_card", card, disclosed=seen, by=ruling.on.by))
        if isinstance(excess, Refusal):
            return excess
        following = after_both(following, excess.next) or following
    return changed(ruling, facts=facts, next=following)


def _orders(case: BaccaratCase, it: Irregular) -> tuple[str, ...]:
    """The orders of staff that carry the remedy out in this round."""
    laid_wrong = it.circumstance in ("out_of_sequence", "swapped_areas")
    match case.remedy:
        case Remedy.VOID_HAND if case.now:
            return (UNDO, "void hand")
        case Remedy.DUMMY_COUP if case.now:
            return (UNDO, "dummy coup")
        case Remedy.VOID_ROUND:
            return (UNDO, "void round")
        case Remedy.RECONSTRUCT | Remedy.RESTART:
            return (UNDO, "take back")
        case Remedy.OPTION if case.deserted == "dummy":
            return (UNDO, "let wagers be retracted", "dummy coup if deserted")
        case Remedy.OPTION:
            return ("let wagers be retracted",) if laid_wrong else ("let wagers change",)
        case _:
            return ()


def _cards(case: BaccaratCase, it: Irregular) -> tuple[CardSeen, ...]:
    """The cards that the remedy lays in this round: those found, or the one concerned if it belongs here."""
    here = case.now or case.remedy is Remedy.REASSIGN or it.circumstance == "face_up_card"
    found = it.found if case.remedy is Remedy.RECONSTRUCT else (it.card,) if here else ()
    return tuple(CardSeen(card) for card in found if card is not None)


def apply(rules: BaccaratRules, coup: Coup, fact: Effect) -> Coup | Refusal:
    """The coup after anything that takes effect: a ruling is carried out, the rest is plain play.

    Orders come from rulings only: one that nobody ruled on is refused.
    """
    if isinstance(fact, Performed) and fact.act != COMPLETE:
        due = play.demand(rules, coup)
        return Refusal(f"not what is due ({told(due)}): declare what happened", due.rule, on=fact.act[:60])
    return _carried_out(rules, coup, fact.facts if isinstance(fact, Ruling) else (fact,))


def _carried_out(rules: BaccaratRules, coup: Coup, facts: tuple[Plain, ...]) -> Coup | Refusal:
    for plain in facts:
        after = play.apply(rules, coup, plain)
        if isinstance(after, Refusal):
            return after
        coup = after
    return coup
