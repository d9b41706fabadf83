"""Mistakes for a lesson: what can go wrong at a table now, from the game's own list, with the ruling on it.

Theory of operation.  `declarations` are all that the game rules on in a position.  `plantable` takes those that a
learner would believe, and asks the table whether it would take one.  What remains are mistakes that could have happened
here, each with the real remedy; nothing is known of remedies in this room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from croupier.answers.declaring import declarations, lying, provided
from croupier.game import Deal, Irregular, Over, Refusal, Roll, Ruling, Spin
from croupier.law.officials import doer
from croupier.notation import write_fact
from croupier.table.walk import Walk

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
    return tuple(provided(walk.table.game, walk.ruleset.rules))


def plantable(walk: Walk, circumstance: str) -> Mistake | None:
    """A mistake of this kind that could happen now; which of several, chance decides."""
    if not _is_timely(walk, circumstance):
        return None
    by_ruling: dict[tuple[str, str], list[Mistake]] = {}
    for fact, ruling in declarations(walk.table.attended, walk.upcoming, circumstance):
        if _is_told_in_full(walk, fact):
            made = Mistake(fact, ruling, doer(ruling.by))
            by_ruling.setdefault((ruling.remedy, ruling.rule), []).append(made)
    for _, mistakes in walk.chance.mix(by_ruling.items()):
        mistake: Mistake = walk.chance.pick(mistakes)
        # Whether the table takes it, and something is due or over afterwards as at any other time.
        if not isinstance(walk.would(write_fact(mistake.fact), role=mistake.role), Refusal):
            return mistake
    return None


def _is_timely(walk: Walk, circumstance: str) -> bool:
    """Whether somebody would believe it at this moment; what the law says of the moment, the ruling says."""
    due, out = walk.table.due, lying(walk.table.attended)
    if circumstance == "burn_forgotten":
        return walk.table.number == 1 and isinstance(due, Deal)
    if isinstance(due, Over):
        return False
    if circumstance in ANY_TIME:
        return True
    if circumstance in LYING and (not out or _is_split(walk)):
        return False
    if walk.table.game.decks(walk.ruleset.rules):
        return isinstance(due, Deal) or bool(out)
    return isinstance(due, Roll | Spin)


def _is_split(walk: Walk) -> bool:
    this = walk.table.attended
    return any(hand.hand > 1 for hand in this.game.cards(this.rules, this.state))


def _is_told_in_full(walk: Walk, fact: Irregular) -> bool:
    """Whether a learner is told what happened: the card, the place, and the count or the faces that were called."""
    entry = walk.table.game.circumstances[fact.circumstance]
    called = fact.call or not (entry.call and entry.call.examples)
    placed = fact.to or not entry.to
    return bool(called and placed and not fact.by) and (fact.card is not None or not entry.card)


__all__ = ["Mistake", "circumstances", "plantable"]
