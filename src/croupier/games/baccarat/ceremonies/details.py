"""What an act says beside its name, and what the rules make of it: depths, numbers, kinds of cards, persons.

The detail of a cut is its place from the front, that of the cutting card its place from the back, that of a burn the
card shown or the number burned.  New cards say of what kind they are; an order that names a person, a face or a number
of coups says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from croupier.equipment import parse_card, rank
from croupier.game import Performed, Refusal
from croupier.games.baccarat import play
from croupier.games.baccarat.ceremonies.following import why_not_back
from croupier.games.baccarat.ceremonies.parts import HANDS, RENEWED
from croupier.games.baccarat.ceremonies.sitting import (
    ANOTHER,
    LETTING,
    STYLED,
    BaccaratSitting,
    kind,
    seat_number,
    style_of,
)
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.model import present
from croupier.law.officials import DEALER
from croupier.once import replace

IN_PARTS = (*LETTING, STYLED)


def in_parts(fact: Performed) -> Performed:
    """An act as it was told before a fact had places for it: `player seat 4` lets another open, `C order 7` a style."""
    if fact.act not in IN_PARTS or fact.to or fact.under:
        return fact
    first, _, rest = str(fact.detail).partition(" ")
    if fact.act == STYLED:
        return replace(fact, detail=first, under=rest)
    return replace(fact, detail=first, to=rest) if first in HANDS else replace(fact, detail="", to=str(fact.detail))


def wrong_detail(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    """Why an act cannot be done in this way; `rule` is the one under which it is done."""
    wrong = DETAILS.get(fact.act)
    if wrong:
        return wrong(rules, sitting, fact, rule)
    if kind(rules, fact.act) == RENEWED:
        known = fact.detail in ("", *rules.ceremony.prepared)
        return None if known else Refusal(f"{fact.detail} cards are not provided for", rule)
    return _nothing_staked(rules, sitting) if fact.act == rules.ceremony.calls[0].value.act else None


def _cut_depth(rules: BaccaratRules, depth: object) -> Refusal | None:
    law, cards = rules.ceremony.cut_depth, 52 * rules.decks.value.elected
    least = law.value.cards - law.value.about
    if isinstance(depth, int) and least <= depth <= cards - least:
        return None
    return Refusal(f"a cut at {depth}: from {least} to {cards - least} cards", law.rule)


def _end_depth(rules: BaccaratRules, depth: object) -> Refusal | None:
    law, cards = rules.ceremony.end_depth, 52 * rules.decks.value.elected
    least, fanned = law.value.cards - law.value.about, rules.ceremony.end_fanned
    if isinstance(depth, int) and least <= depth < cards:
        return None
    if present(fanned) and depth == fanned.value:
        return None
    return Refusal(f"the cutting card {depth} from the back: at least {least}", law.rule)


def is_card(detail: object) -> bool:
    try:
        parse_card(str(detail))
    except ValueError:
        return False
    return True


def burn_value(rules: BaccaratRules, sitting: BaccaratSitting) -> int:
    """How many cards are burned face down: the value of the card that was burned face up."""
    shown = next((str(fact.detail) for fact in sitting.shoe if fact.act == "burn face up"), "")
    return rules.ceremony.burn_values.value[rank(parse_card(shown))]


def _burned(rules: BaccaratRules, sitting: BaccaratSitting, number: object) -> Refusal | None:
    value = burn_value(rules, sitting)
    if number == value:
        return None
    return Refusal(f"burned {number}: the first card asks for {value}", rules.ceremony.burn_values.rule)


def _person(sitting: BaccaratSitting, fact: Performed, rule: str, *, dealer: bool) -> Refusal | None:
    """Whoever is to open or deal sits at the table; who holds the shoe may also let the dealer open."""
    if seat_number(fact.to) in sitting.seats or (dealer and fact.to == DEALER and fact.act == ANOTHER):
        return None
    return Refusal(f"{fact.to or 'nobody'} is not seated at the table", rule, on=fact.act)


def _new_style(rules: BaccaratRules, style: str) -> Refusal | None:
    """Only to a style that the edition permits, and not beside a shuffler with which it keeps that style apart."""
    permitted = rules.style.value.permitted
    if style not in permitted:
        return Refusal(f"change style: to {', '.join(permitted)}, not to {style or 'none'}", rules.style.rule)
    if present(rules.apart) and (rules.shuffler.value.elected, style) == rules.apart.value:
        return Refusal(f"Style {style} is not dealt from a {rules.apart.value[0]} shuffler", rules.apart.rule)
    return None


def _outcome(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    """The outcome that is entered is what the cards on the layout say."""
    shown = play.winner(rules, sitting.coup)
    if fact.detail == shown:
        return None
    return Refusal(f"enter outcome: {fact.detail or 'none'} is entered, where {shown} is due by the cards", rule)


def _nothing_staked(rules: BaccaratRules, sitting: BaccaratSitting) -> Refusal | None:
    """With no wager down a round is dealt only where the document lets players ask for it."""
    free = rules.ceremony.free_rounds
    if sitting.wagers or sitting.free or sitting.dummies or not present(free):
        return None
    return Refusal("no wager is down and no free round was asked for", free.rule)


def _no_card(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    return None if is_card(fact.detail) else Refusal(f"burn face up: {fact.detail!r} is no card", rule)


def _nobody(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    return None if fact.detail else Refusal("designate cutter: name the person", rule)


def _another(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    return _person(sitting, fact, rule, dealer="shoe" in style_of(rules, sitting).roles)


def _no_hand(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    known = fact.detail in ("", *HANDS)
    return None if known else Refusal(f"keep cards with dealer: {fact.detail} is no hand", rule)


def _no_face(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    return None if fact.detail in ("up", "down") else Refusal("choose face: up or down", rule)


def _no_number(rules: BaccaratRules, sitting: BaccaratSitting, fact: Performed, rule: str) -> Refusal | None:
    enough = isinstance(fact.detail, int) and fact.detail >= 1
    return None if enough else Refusal("direct dummy coups: one or more", rule)


DETAILS: Final[Mapping[str, Callable[[BaccaratRules, BaccaratSitting, Performed, str], Refusal | None]]] = {
    "cut": lambda rules, sitting, fact, rule: _cut_depth(rules, fact.detail),
    "insert cutting card": lambda rules, sitting, fact, rule: _end_depth(rules, fact.detail),
    "burn face up": _no_card,
    "burn face down": lambda rules, sitting, fact, rule: _burned(rules, sitting, fact.detail),
    "designate cutter": _nobody,
    **dict.fromkeys(LETTING, _another),
    "keep cards with dealer": _no_hand,
    "choose face": _no_face,
    "direct dummy coups": _no_number,
    STYLED: lambda rules, sitting, fact, rule: _new_style(rules, str(fact.detail)),
    play.GIVE_BACK: why_not_back,
    "enter outcome": _outcome,
}
"""The acts that say something beside their name, in whatever edition has them, and what may be wrong with it."""
