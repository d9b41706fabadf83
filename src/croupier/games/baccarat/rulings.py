"""What went wrong at a live table, ruled on: the ruling of the game's own table, where it fits the ceremony so far.

Nothing can have gone wrong in a round before there was one, nor be asked for once it is too late.  What the table of
irregularities cannot know is added here: that a shoe has ended, in which style the round is dealt, which cards lie face
down.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.ceremony import acts
from croupier.game import NORMAL, Irregular, Refusal, Remedy, Ruling, told
from croupier.games.baccarat import irregular
from croupier.games.baccarat.ceremonies.parts import HANDS
from croupier.games.baccarat.ceremonies.sitting import (
    EMPTY,
    BaccaratSitting,
    betting_closed,
    chosen_face,
    handler,
    new_to_play,
    round_complete,
    style_name,
)
from croupier.games.baccarat.due import demand, layout, shoe_demand
from croupier.games.baccarat.rules import BaccaratRules
from croupier.games.baccarat.shown import covered
from croupier.law.conditions import conditions
from croupier.law.model import Law
from croupier.once import replace

# What may be declared although no round was begun with these cards.
BEFORE_A_ROUND = ("burn_forgotten", "dummy_coup_ordered", "error_found_later", "excess_card", "face_up_card")
# Of these, what needs a shoe that is ready; and what makes a card the first of the round to come.
FROM_A_SHOE = ("dummy_coup_ordered", "excess_card", "face_up_card")
FIRST_OF_A_ROUND = ("excess_card", "face_up_card")


def rule_on(rules: BaccaratRules, sitting: BaccaratSitting, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened; nothing can have gone wrong in a round before there was one."""
    coup = EMPTY if wanted_next(rules, sitting, it) else layout(rules, sitting)
    if _knows_the_end(rules, it) and sitting.left == 0 and not sitting.dummies:
        # After the last coup of a shoe there is no next one with these cards.
        it = changed(it, call=it.call or irregular.SHOE_ENDED)
    if it.circumstance == "wagers_change_wanted" and handler(rules, sitting, "shoe"):
        law = rules.irregularities[it.circumstance][0]
        return Refusal("a player holds the shoe", law.rule, on=it.circumstance)
    if it.circumstance == "wagers_change_wanted" and chosen_face(rules, sitting).value == "up":
        it = changed(it, disclosed=True)
    ruled = _out_of_place(rules, sitting, it) or irregular.rule_on(_as_dealt(rules, sitting), coup, it)
    ruled = _in_time(rules, sitting, ruled)
    rebuilt = isinstance(ruled, Ruling) and ruled.remedy is Remedy.RECONSTRUCT and ruled.next != NORMAL
    return _left_over(rules, sitting, ruled) if isinstance(ruled, Ruling) and rebuilt else ruled


def _left_over(rules: BaccaratRules, sitting: BaccaratSitting, ruled: Ruling) -> Ruling | Refusal:
    """Hands that are put right leave cards over: one that lies face down was not seen; a shoe ends with its last."""
    if sitting.left == 0 and not sitting.dummies:
        return changed(ruled, next=NORMAL)
    down, coup = covered(rules, sitting), sitting.coup
    hidden = [card for hand in HANDS for place, card in enumerate(getattr(coup, hand)) if place in down.get(hand, ())]
    over = {ruled.next.first_card, ruled.next.second_card} - {None}
    if ruled.on.disclosed or over <= set(hidden):
        return ruled
    return irregular.rule_on(_as_dealt(rules, sitting), coup, changed(ruled.on, disclosed=True))


def _in_time(rules: BaccaratRules, sitting: BaccaratSitting, found: Ruling | Refusal) -> Ruling | Refusal:
    """The same ruling; but a coup whose result was announced is completed, and nobody's wager comes back from it."""
    if isinstance(found, Refusal) or found.remedy is not Remedy.OPTION:
        return found
    late = rules.ceremony.ending[0].value.act in acts(sitting.said)
    return Refusal("the result was announced", found.rule, on=found.on.circumstance) if late else found


def _knows_the_end(rules: BaccaratRules, it: Irregular) -> bool:
    """Whether the edition says of this circumstance what becomes of a card when the shoe has ended."""
    cases = rules.irregularities.get(it.circumstance, ())
    return any(irregular.SHOE_ENDED in conditions(law.value.when) for law in cases)


def _as_dealt(rules: BaccaratRules, sitting: BaccaratSitting) -> BaccaratRules:
    """The rules with the style of the round in hand as the one elected."""
    style, dealt = rules.style, style_name(rules, sitting)
    if dealt == style.value.elected:
        return rules
    return replace(rules, style=Law(replace(style.value, elected=dealt), style.rules))


def wanted_next(rules: BaccaratRules, sitting: BaccaratSitting, it: Irregular) -> bool:
    """Whether a Dummy Coup is ordered for the round to come."""
    return it.circumstance == "dummy_coup_ordered" and round_complete(rules, sitting)


def _out_of_place(rules: BaccaratRules, sitting: BaccaratSitting, fact: Irregular) -> Refusal | None:
    """Nothing can have gone wrong in a round before there was one."""
    ready = fact.circumstance not in FROM_A_SHOE or shoe_demand(rules, sitting) is None
    begun = not new_to_play(rules, sitting) and not sitting.turned
    coup = layout(rules, sitting)
    if fact.circumstance == "excess_card" and betting_closed(rules, sitting) and (not coup.dealt or coup.opened):
        first = demand(rules, sitting)
        return Refusal(f"a card is still due ({told(first)}), so none is in excess", first.rule, on="excess_card")
    # A card too many may follow upon one that the round begins with already; one face up is then not its first.
    left_over = 1 if fact.circumstance == "excess_card" else 0
    begins = fact.circumstance not in FIRST_OF_A_ROUND or coup.dealt <= left_over
    if begun or (ready and begins and fact.circumstance in BEFORE_A_ROUND):
        return None
    wanted = demand(rules, sitting)
    return Refusal(f"no round was begun; due is {told(wanted)}", wanted.rule, on=fact.circumstance)
