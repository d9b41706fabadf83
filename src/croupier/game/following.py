"""How the next round begins, when the one before left something over.

A card drawn too many is the first of the next round, and a second one its second: the sequence of the shoe stays as it
was.  Where one of them was seen no wagers count in that round.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from croupier.equipment import Card


class Next(Struct, frozen=True, gc=False):
    """How the next round begins: with a card already drawn, and whether wagers count in it.

    `number` is how many rounds came before it with the same cards; `second_card` was drawn after the first.
    """

    first_card: Card | None = None
    hand: Literal["normal", "void", "dummy"] = "normal"
    rule: str = ""
    number: int = 0
    second_card: Card | None = None


NORMAL: Final = Next()


def after_both(before: Next, more: Next, *, drawn_earlier: bool = False) -> Next | None:
    """How the next round begins when something more is said of it; None if both cannot be.

    Cards that hands have no use for once they are put right were `drawn_earlier` than any that came after those hands.
    """
    if drawn_earlier:
        return after_both(more, before)
    if NORMAL in (before, more):
        return before if more == NORMAL else more
    if None in (before.first_card, more.first_card) or (before.second_card, more.second_card) != (None, None):
        return None
    seen = before if before.hand != "normal" else more
    return Next(before.first_card, seen.hand, seen.rule, before.number, more.first_card)
