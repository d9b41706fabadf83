"""What a remedy does beyond the coup: to what was said in the round, to the shoe, and to the round that follows.

Hands that are laid anew are announced, collected and paid anew; a coup that is begun again is shown again as well.  If
nothing counts in a coup any more, there is nothing left to collect or pay in it.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.ceremony import Done, acts
from croupier.game import Performed, Remedy, Ruling
from croupier.game.following import after_both
from croupier.games.baccarat.ceremonies.parts import HANDS
from croupier.games.baccarat.ceremonies.sitting import BaccaratSitting, acts_for, kind, style_of, wagers_count
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BaccaratRules

VOIDED = "void round"


def remedied(rules: BaccaratRules, sitting: BaccaratSitting, coup: Coup, ruling: Ruling) -> BaccaratSitting:
    """The sitting once a ruling has made this coup of it."""
    called = (Performed(f"call {ruling.call}", ruling.by),) if ruling.call and ruling.next.hand != "void" else ()
    earlier = ruling.remedy is Remedy.RECONSTRUCT
    following = after_both(sitting.following, ruling.next, drawn_earlier=earlier) or ruling.next
    voided = (Performed(VOIDED, ruling.by),) if coup.void else ()
    said = (*_still_said(rules, sitting, coup, ruling), *called, *voided)
    # A Dummy Coup that a card makes due is dealt after the last coup of a shoe too, beside any that were directed.
    dummies = max(sitting.dummies, 1) if ruling.next.hand == "dummy" and sitting.left == 0 else sitting.dummies
    after = changed(sitting, coup=coup, said=said, following=following, dummies=dummies)
    after = changed(after, said=(*said, *nothing_to_pay(rules, after)))
    match ruling.on.circumstance:
        case "insufficient_cards":
            return changed(after, left=0)
        case "burn_forgotten":
            return changed(after, shoe=_burn(rules, after, again=ruling.remedy is Remedy.RESTART))
        case _:
            return after


def nothing_to_pay(rules: BaccaratRules, sitting: BaccaratSitting) -> Done:
    """The acts of settling that are done with the announcement of the result, where no wager counts."""
    said, ending = acts(sitting.said), rules.ceremony.ending
    if wagers_count(rules, sitting) or ending[0].value.act not in said:
        return ()
    left = (law.value for law in ending if law.value.when == "wagers" and law.value.act not in said)
    return tuple(Performed(act.act, act.by, "none") for act in left)


def _still_said(rules: BaccaratRules, sitting: BaccaratSitting, coup: Coup, ruling: Ruling) -> Done:
    """What was said and done in this round and holds of the coup as it lies now."""
    lay = [getattr(sitting.coup, hand) for hand in HANDS]
    if all(getattr(coup, hand)[: len(cards)] == cards for hand, cards in zip(HANDS, lay, strict=True)):
        return sitting.said
    undone = {law.value.act for law in rules.ceremony.ending}
    if ruling.remedy is Remedy.RESTART:
        style = style_of(rules, sitting)
        undone |= {acts_for(law, hand).value.act for law in (*style.shown, *style.third) for hand in HANDS}
    return tuple(fact for fact in sitting.said if fact.act not in undone and kind(rules, fact.act).verb != "announce")


def _burn(rules: BaccaratRules, sitting: BaccaratSitting, *, again: bool) -> Done:
    """The shoe's acts when the burn was forgotten: it is left out for good, or due again."""
    burns = [law.value for law in rules.ceremony.loading if law.value.kind.verb in ("burn up", "burn down", "burn")]
    if again:
        return tuple(fact for fact in sitting.shoe if fact.act not in {act.act for act in burns})
    missed = [act for act in burns if act.act not in acts(sitting.shoe)]
    return (*sitting.shoe, *(Performed(act.act, act.by, "forgotten") for act in missed))
