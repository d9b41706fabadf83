"""Runs that follow a hand which their bettor backs anew in each coup, as Victoria has them.

Before the betting closes the bettor of such a Run is asked for what it lacks: a wager on one of the hands, or, where
both are backed, the word which of them the Run follows (R-101).  A wager answers by itself; `go without` lets the coup
come as it is.  Then nothing is nominated, and the Run loses with the coup, unless a casino supervisor gives it back
before the coup is over (R-102).

Where a casino supervisor lets wagers change after the first card, what is backed when the next one comes counts.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace as changed

from croupier.game import Called, Choose, Performed, Refusal, granted
from croupier.games.baccarat import play
from croupier.games.baccarat.ceremonies.sitting import BaccaratSitting, betting_closed
from croupier.games.baccarat.play import FOLLOWED, HANDS, Coup
from croupier.games.baccarat.rules import BaccaratRules
from croupier.games.baccarat.runs import run_bet
from croupier.law.model import Law, present

WITHOUT: Final = "go without"


def unfollowed(rules: BaccaratRules, sitting: BaccaratSitting) -> Choose | None:
    """Who is asked next for what a Run lacks in the coup to come, if somebody must be; it may be a coup without any."""
    if sitting.dummies or sitting.following.hand != "normal":
        return None
    answered = dict(sitting.followed)
    for by, law in _followers(rules, sitting).items():
        if _hand(sitting, by) or answered.get(by) == WITHOUT:
            continue
        named = tuple(word for word, hand in FOLLOWED.items() if hand in law.value) if _backed(sitting, by) else ()
        return Choose(by, (*named, WITHOUT), law.rule)
    return None


def answered(rules: BaccaratRules, sitting: BaccaratSitting, by: str, option: str) -> BaccaratSitting:
    """The sitting after a bettor was asked, and answered."""
    return _said(sitting, by, FOLLOWED.get(option, WITHOUT))


def nominated(rules: BaccaratRules, sitting: BaccaratSitting, call: Called) -> BaccaratSitting | Refusal:
    """The sitting after somebody named the hand, unasked: before the call, and one that he backs."""
    known = play.apply(rules, Coup(), call)
    if isinstance(known, Refusal):
        return known
    if betting_closed(rules, sitting) and not _may_change(sitting):
        return Refusal(f"nominate {call.on}: too late after the call of {rules.closing.value!r}", rules.closing.rule)
    by, law = call.by, _followers(rules, sitting).get(call.by)
    if law is None:
        return Refusal(f"nominate {call.on}: {by or 'nobody'} has no Run that follows a hand", rules.permitted.rule)
    if call.on not in law.value & _backed(sitting, by):
        return Refusal(f"nominate {call.on}: {by} has no wager on that hand", law.rule)
    return _said(sitting, by, call.on)


def closing(sitting: BaccaratSitting, coup: Coup) -> Coup:
    """The coup with the hands that Runs follow in it: of a bettor who backs both, the one that was named."""
    named = {by: hand for by, hand in sitting.followed if hand in _backed(sitting, by)}
    own = {by: hand or named.get(by, "") for by, hand in coup.nominated}
    return changed(coup, nominated=tuple(own.items()))


def backed_anew(rules: BaccaratRules, sitting: BaccaratSitting) -> Coup:
    """The coup when the next card ends the leave to change wagers: Runs follow the hands that are backed now.

    Who backs both follows the one he named in the leave, or else before it.
    """
    if not _may_change(sitting):
        return sitting.coup
    coup, before = sitting.coup, dict(sitting.coup.nominated)
    fresh = closing(sitting, play.seat(rules, changed(coup, wagered=(), nominated=()), sitting.wagers))
    kept = {by: before.get(by, "") for by, hand in fresh.nominated if not hand}
    own = {by: hand for by, hand in kept.items() if hand in _backed(sitting, by)}
    back = {by: hand for by, hand in before.items() if hand == play.GIVEN_BACK}
    return changed(fresh, nominated=tuple((dict(fresh.nominated) | own | back).items()))


def _may_change(sitting: BaccaratSitting) -> bool:
    """Whether an official lets wagers be placed and taken back although the first card is out."""
    return bool(sitting.coup.opened and sitting.coup.retractable)


def given_back(rules: BaccaratRules, sitting: BaccaratSitting, order: Performed) -> BaccaratSitting:
    coup = granted(play.apply(rules, sitting.coup, order))
    return changed(sitting, coup=coup, said=(*sitting.said, order))


def why_not_back(rules: BaccaratRules, sitting: BaccaratSitting, order: Performed, rule: str) -> Refusal | None:
    """Why a Run is not given back: it follows a hand, or there is none of this bettor, or the coup has decided it."""
    by = str(order.detail)
    if by not in _followers(rules, sitting):
        return Refusal(f"{by or 'nobody'} has no Run that follows a hand; name the player", rule, on=order.act)
    if play.is_over(rules, sitting.coup):
        return Refusal("the coup is over, and the Run is lost", rule, on=order.act)
    hand = dict(sitting.coup.nominated).get(by)
    return Refusal(f"the Run of {by} follows the {hand}", rule, on=order.act) if hand else None


def _followers(rules: BaccaratRules, sitting: BaccaratSitting) -> dict[str, Law[frozenset[str]]]:
    """Who has such a Run, and the law that asks for a wager in each coup of it."""
    found: dict[str, Law[frozenset[str]]] = {}
    for wager in sitting.wagers if rules.run_bets else ():
        run = run_bet(rules, wager.on)
        if run and present(run[0].each_coup):
            found[wager.by] = run[0].each_coup
    return found


def followed_under(rules: BaccaratRules, sitting: BaccaratSitting) -> str:
    """The rule under which a Run follows a hand, if there is such a Run."""
    return next((law.rule for law in _followers(rules, sitting).values()), "")


def _backed(sitting: BaccaratSitting, by: str) -> frozenset[str]:
    return frozenset(wager.on for wager in sitting.wagers if wager.by == by and wager.on in HANDS)


def _hand(sitting: BaccaratSitting, by: str) -> str:
    """The hand that the Runs of a bettor follow as the table stands; none where that is not said."""
    backed = _backed(sitting, by)
    named = dict(sitting.followed).get(by, "")
    return next(iter(backed)) if len(backed) == 1 else named if named in backed else ""


def _said(sitting: BaccaratSitting, by: str, what: str) -> BaccaratSitting:
    others = tuple(each for each in sitting.followed if each[0] != by)
    return changed(sitting, followed=(*others, (by, what)))
