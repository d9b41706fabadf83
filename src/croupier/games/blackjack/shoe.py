"""The measures of the shuffle: which shoe, where to cut, how deep the cutting card goes, and who cuts.

The cutting card shows who cuts next: the player on whose box it came out, or the one farthest to the dealer's right if
it came out on the dealer's hand.  New cards start from the dealer's left, a table from the first to arrive.  Where the
gazette names nobody, by reading the box due the next card is asked.  Whoever declines, the next clockwise is asked.
"""

from __future__ import annotations

from croupier.game import Perform, Refusal
from croupier.game.places import read_place
from croupier.games.blackjack.layout import Layout
from croupier.games.blackjack.moves import find
from croupier.games.blackjack.play import is_over, turn
from croupier.games.blackjack.rules import BlackjackRules
from croupier.law.model import Law
from croupier.law.officials import DEALER
from croupier.once import dataclass

DECK = 52


def cards_in_stack(rules: BlackjackRules) -> int:
    return rules.decks.value.elected * DECK


def why_no_shoe(rules: BlackjackRules, capacity: str) -> Refusal | None:
    """Why a shoe for so many decks may not be used."""
    holds, decks = rules.ceremony.shoe_holds, rules.decks.value.elected
    fits = capacity.isdecimal() and int(capacity) in holds.value and int(capacity) >= decks
    return None if fits else Refusal(f"a shoe for {capacity} decks does not do for {decks}", holds.rule)


def why_no_cut(rules: BlackjackRules, at: object) -> Refusal | None:
    """A cut must leave a deck at either end."""
    least, cards = rules.ceremony.cut_from_ends, cards_in_stack(rules)
    if isinstance(at, int) and least.value <= at <= cards - least.value:
        return None
    return Refusal(f"a cut at {at}: from {least.value} to {cards - least.value} cards", least.rule)


def why_no_depth(rules: BlackjackRules, from_back: object, *, directed: bool) -> Refusal | None:
    """The cutting card goes about so far from the back; a manager may direct another place, up to half way."""
    usual, about, deepest = rules.ceremony.cutting_card_from_back, rules.ceremony.about, rules.ceremony.deepest
    if isinstance(from_back, int) and abs(from_back - usual.value) <= about.value:
        return None
    if not directed:
        return Refusal(f"the cutting card goes about {usual.value} cards from the back, not {from_back}", usual.rule)
    most = cards_in_stack(rules) * deepest.value
    if isinstance(from_back, int) and 0 <= from_back <= most:
        return None
    return Refusal(f"the cutting card {from_back} from the back: at most {most}", deepest.rule)


def shuffle_due(rules: BlackjackRules, layout: Layout) -> Perform | None:
    """What must be done with the cards now: a shuffle because of a cutting card, or a duty put off to the end."""
    over = is_over(rules, layout)
    if layout.afterwards and over:
        return layout.afterwards[0]
    if not layout.cutting:
        return None
    law = rules.ceremony.shuffles["cutting card first" if layout.cutting == "first" else "cutting card"]
    now = law.value == "at once" or (law.value == "after the round" and over)
    return Perform("shuffle", DEALER, law.rule) if now else None


# ---------------------------------------------------------------- who cuts


@dataclass(frozen=True, slots=True)
class Offers:
    """The boxes whose seated players are offered the cut, in order, and the rule that names the first."""

    boxes: tuple[int, ...]
    rule: str


def offers(
    rules: BlackjackRules, layout: Layout, seats: tuple[int, ...], *, cause: str = "", first_box: int = 0
) -> Offers:
    """Who of the seated players is offered the cut, in turn.

    `layout` is the one on which a cutting card came out; `cause` is `start` (with the box of the first to arrive),
    `new cards`, or nothing.
    """
    law = _designation(rules, layout, cause)
    begins = _designated(rules, layout, seats, who=law.value, first_box=first_box)
    if not begins:
        return Offers((), law.rule)
    at = next((index for index, seat in enumerate(seats) if seat >= begins), 0)
    clockwise = seats[at:] + seats[:at]
    if rules.ceremony.declined.value == "clockwise":
        return Offers(clockwise, law.rule)
    return Offers(clockwise[:1] + clockwise[:0:-1], law.rule)


def _designation(rules: BlackjackRules, layout: Layout, cause: str) -> Law[str]:
    place = read_place(layout.cutting)
    where = cause or (place.kind if place else layout.cutting)
    return rules.ceremony.cutter.get(where, rules.ceremony.cutter_otherwise)


def _designated(rules: BlackjackRules, layout: Layout, seats: tuple[int, ...], *, who: str, first_box: int) -> int:
    """The box whose player is named first, or 0 for nobody; a player who has left is passed over clockwise."""
    first = seats[0] if seats else 0
    match who:
        case "first to arrive":
            return first_box
        case "farthest right":
            return seats[-1] if seats else 0
        case "farthest left":
            return first
        case "box of the cutting card":
            found = find(layout, layout.cutting)
            return found[0].number if found else 0
        case "box due the next card":
            now = turn(rules, layout)
            return now.box.number if now.box else first
        case _:
            return 0
