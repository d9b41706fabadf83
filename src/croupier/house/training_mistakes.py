"""Mistakes for a lesson: what can go wrong at a table now, from the game's own list, with the ruling on it.

Theory of operation.  For each circumstance of a game `FIELDS` says what a declaration of it tells: the card, the place,
whether it was seen, the official's decision, the cards put right.  `plantable` makes every declaration that the
position allows and asks the game for its ruling, then the table whether it would take it.  What remains are mistakes
that could have happened here, each with the real remedy; nothing is known of remedies in this room.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from croupier.equipment import Card
from croupier.game import Deal, Irregular, Over, Refusal, Roll, Ruling, Spin
from croupier.house.training_walk import Walk
from croupier.notation import write_fact
from croupier.table.general import DEALER, LADDER

CARD, TO, SEEN, CALL, FOUND = "card", "to", "disclosed", "call", "found"

FIELDS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "baccarat": {
        "wrong_third_card": (CARD, TO, SEEN, CALL),
        "excess_card": (CARD, SEEN, CALL),
        "face_up_card": (CARD,),
        "out_of_sequence": (CALL, FOUND),
        "player_card_on_banker": (CARD,),
        "swapped_areas": (CALL, FOUND),
        "burn_forgotten": (CALL,),
        "no_wagers": (CALL,),
        "wagers_change_wanted": (CALL,),
    },
    "blackjack": {
        "face_up_card": (CARD,),
        "unexposed_card": (CARD,),
        "card_to_empty_box": (CARD, TO, FOUND),
        "omitted_box": (TO, CALL, FOUND),
        "omitted_dealer_card": (CALL, FOUND),
        "exposed_on_dealer": (CARD,),
        "exposed_card": (CARD,),
        "misplaced_card": (CARD, TO, CALL, FOUND),
    },
    "caribbean_stud": {
        "wrong_count": (TO, CALL),
        "exposed_card": (CARD, TO),
        "stray_cards": (TO, CALL),
        "deck_count": (CALL,),
        "dead_hand": (TO, CALL),
        "absent_player": (TO,),
        "light_off": (TO, CALL),
    },
    "craps": {
        "not_together": (CALL,),
        "end_not_struck": (CALL,),
        "improper_throw": (CALL,),
        "other_irregularity": (CALL,),
        "two_hands": (CALL,),
        "tilted_die": (TO,),
        "face_disputed": (CALL,),
        "wrong_call": (CALL,),
        "dice_lost": (TO,),
    },
    "roulette": {"same_direction": (CALL,), "short_spin_expected": (CALL,)},
    "tai_sai": {"straddling_chip": (TO,)},
    "money_wheel": {"straddling_chip": (TO,)},
}
"""What a declaration tells, where it tells anything beside the circumstance."""

CALLS: Final[Mapping[str, tuple[str, ...]]] = {
    "wrong_third_card": ("", "shoe ended"),
    "excess_card": ("", "shoe ended"),
    "wrong_count": ("4", "6"),
    "stray_cards": ("2", "5"),
    "deck_count": ("51", "53"),
    "face_disputed": ("void", "4-3", "6-2", "5-1"),
    "wrong_call": ("no_roll", "4-3", "6-2", "5-1"),
    "misplaced_card": ("", "void"),
}
"""Decisions and counts that the cases do not name as words."""

PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "baccarat": ("player", "banker"),
    "tilted_die": ("4-r2", "r5-6", "r3-1"),
    "dice_lost": ("1", "2"),
}


ANY_TIME: Final = frozenset(
    (
        *("dummy_coup_ordered", "light_off", "no_wagers", "disruption", "missed_reshuffle", "missing_cutting_card"),
        *("damaged_card", "error_found_later", "dice_lost", "display_wrong", "straddling_chip", "short_spin"),
        *("dice_exposed", "not_tumbled", "tumbler_fault", "lights_wrong", "wrong_numbers_entered", "wrong_call"),
    )
)
"""What can come to light while nothing is dealt, thrown or spun."""
LYING: Final = frozenset(("misplaced_card", "omitted_box", "omitted_dealer_card", "card_to_empty_box"))
"""What is said of the deal: there are cards, and no pair is split yet."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What went wrong, the ruling on it, and the official who declares it."""

    fact: Irregular
    ruling: Ruling
    role: str


def circumstances(walk: Walk) -> tuple[str, ...]:
    """What can go wrong in this game under these rules, as far as they provide for it."""
    known, rules = walk.table.game.circumstances, walk.ruleset.rules
    common = getattr(rules, "common", rules)
    provided = getattr(common, "irregularities", known)
    return tuple(each for each in known if each in provided or each == "wrong_call")


def plantable(walk: Walk, circumstance: str) -> Mistake | None:
    """A mistake of this kind that could happen now; which of several, chance decides."""
    if not _is_timely(walk, circumstance):
        return None
    by_ruling: dict[tuple[str, str], list[Mistake]] = {}
    for fact in _declared(walk, circumstance):
        ruling = walk.table.game.rule_on(walk.ruleset.rules, walk.felt, fact)
        if not isinstance(ruling, Refusal):
            by_ruling.setdefault((ruling.remedy, ruling.rule), []).append(Mistake(fact, ruling, _official(ruling)))
    for _, mistakes in walk.chance.mix(by_ruling.items()):
        mistake: Mistake = walk.chance.pick(mistakes)
        if _is_taken(walk, mistake):
            return mistake
    return None


def _is_timely(walk: Walk, circumstance: str) -> bool:
    """Whether somebody would believe it at this moment; what the law says of the moment, the ruling says."""
    due = walk.table.due
    if circumstance == "burn_forgotten":
        return walk.table.number == 1 and isinstance(due, Deal)
    if isinstance(due, Over):
        return False
    if circumstance in ANY_TIME:
        return True
    if circumstance in LYING and (not _out(walk) or _is_split(walk)):
        return False
    if walk.table.game.decks(walk.ruleset.rules):
        return isinstance(due, Deal) or bool(_out(walk))
    return isinstance(due, Roll | Spin)


def _is_split(walk: Walk) -> bool:
    return any(len(getattr(box, "hands", ())) > 1 for box in getattr(walk.felt, "boxes", ()))


def _official(ruling: Ruling) -> str:
    return ruling.by if ruling.by in LADDER else DEALER


def _is_taken(walk: Walk, mistake: Mistake) -> bool:
    """Whether the table takes it, and something is due or over afterwards as at any other time."""
    return not isinstance(walk.would(write_fact(mistake.fact), role=mistake.role), Refusal)


def _declared(walk: Walk, circumstance: str) -> Iterator[Irregular]:
    """Every declaration of a circumstance that the position allows."""
    fields = FIELDS.get(walk.ruleset.game, {}).get(circumstance, ())
    cards = _cards(walk) if CARD in fields else (None,)
    places = _places(walk, circumstance) if TO in fields else ("",)
    seen = (False, True) if SEEN in fields else (False,)
    calls = _calls(walk, circumstance) if CALL in fields else ("",)
    for card, to, disclosed, call in product(cards, places, seen, calls):
        for found in _found(walk, card) if FOUND in fields else ((),):
            yield Irregular(circumstance, card, to, disclosed, found, call)


def _cards(walk: Walk) -> tuple[Card | None, ...]:
    """The next card of the shoe; for a card shown where it lies, one of those too."""
    upcoming = walk.shoe[-1:] or [0]
    lying = _out(walk) if walk.ruleset.game == "caribbean_stud" else ()
    return (*upcoming, *walk.chance.mix(lying)[:2])


def _places(walk: Walk, circumstance: str) -> tuple[str, ...]:
    """The places of the game: its hands and boxes, one box that nobody has, or the areas with a wager."""
    game = walk.ruleset.game
    if circumstance == "straddling_chip":
        return tuple(wager.on for wager in walk.table.round.standing)
    if circumstance in PLACES or game in PLACES:
        return PLACES.get(circumstance) or PLACES[game]
    due = walk.table.due
    boxes = [f"box {box.number}" for box in getattr(walk.felt, "boxes", ())]
    empty = [f"box {number}" for number in range(1, 8) if f"box {number}" not in boxes][:1]
    return tuple(dict.fromkeys((*boxes, "dealer", *empty, *((due.to,) if isinstance(due, Deal) else ()))))


def _calls(walk: Walk, circumstance: str) -> tuple[str, ...]:
    """The decisions that the cases of the edition ask for, and none."""
    if circumstance in CALLS:
        return CALLS[circumstance]
    rules = walk.ruleset.rules
    cases = getattr(getattr(rules, "common", rules), "irregularities", {}).get(circumstance, ())
    atoms = [atom for law in cases for atom in law.value.when.split(", ")]
    named = [atom.removeprefix("call ") for atom in atoms if atom.startswith("call ")]
    said = [law.value.call for law in cases if getattr(law.value, "voids", "")]
    return tuple(dict.fromkeys(("", *named, *said)))


def _out(walk: Walk) -> tuple[Card, ...]:
    """The cards on the layout."""
    felt: Any = walk.felt
    if hasattr(felt, "cards"):
        return tuple(felt.cards)
    return (*getattr(felt, "player", ()), *getattr(felt, "banker", ()))


def _found(walk: Walk, card: Card | None) -> tuple[tuple[Card, ...], ...]:
    """The cards that are out in another order, with the one concerned; and none, where they cannot be told."""
    out = (*_out(walk), *(() if card is None else (card,)))
    turned = (*out[2:], *out[:2]) if len(out) > 2 else out[::-1]
    return tuple(dict.fromkeys(((), turned, out)))


__all__ = ["Mistake", "circumstances", "plantable"]
