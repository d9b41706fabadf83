"""What happened at a table: chance, choices, acts, calls, and what went wrong."""

from __future__ import annotations

from typing import TypeAlias, final

from msgspec import Struct

from croupier.equipment import Card
from croupier.money import Cents
from croupier.once import in_a_line


@final
class CardSeen(Struct, frozen=True, gc=False):
    """A card came to the hand that was due it."""

    card: Card


@final
class DiceFell(Struct, frozen=True, gc=False):
    faces: tuple[int, ...]


@final
class BallFell(Struct, frozen=True, gc=False):
    number: int


@final
class WheelStopped(Struct, frozen=True, gc=False):
    symbol: str


@final
class Chosen(Struct, frozen=True, gc=False):
    """A person decided: an option, where it matters for which box and hand, and for how much."""

    option: str
    by: str = ""
    box: int = 0
    hand: int = 0
    amount_cents: Cents = 0

    __repr__ = in_a_line


@final
class Performed(Struct, frozen=True, gc=False):
    """Staff did an act; `detail` is its number or place (a cut depth, a seat, a count burned).

    `rule` is that of the ruling which orders it.  Nobody tells it: a ruling is made, not said.  `to` is for whom it was
    done, where not for all (one player on an area that is paid), `under` the direction or procedure that it goes by.
    """

    act: str
    by: str = ""
    detail: int | str = ""
    rule: str = ""
    to: str = ""
    under: str = ""

    __repr__ = in_a_line


@final
class Called(Struct, frozen=True, gc=False):
    """Something was said that binds: a call, a nomination, a wager called on, off or down."""

    call: str
    by: str = ""
    on: str = ""
    amount_cents: Cents = 0

    __repr__ = in_a_line


@final
class Irregular(Struct, frozen=True, gc=False):
    """Something went wrong, and the dealer says what.

    `card` is the card concerned, `to` where it went, `disclosed` whether it was seen, `found` the cards put right or
    found in place, `call` the official's decision where the law leaves one, `by` the official.
    """

    circumstance: str
    card: Card | None = None
    to: str = ""
    disclosed: bool = False
    found: tuple[Card, ...] = ()
    call: str = ""
    by: str = ""

    __repr__ = in_a_line


Plain: TypeAlias = CardSeen | DiceFell | BallFell | WheelStopped | Chosen | Performed | Called
Fact: TypeAlias = Plain | Irregular


# ---------------------------------------------------------------- what is said of it


@final
class Announcement(Struct, frozen=True, gc=False):
    """What the dealer calls out, under which rule; where that is a count, `words` have `{}` in the place of its number.

    `mistaken` are words for which they are easily mistaken, as those of a soft total for those of a hard one.
    """

    words: str
    rule: str
    count: int | None = None
    mistaken: str = ""

    @property
    def text(self) -> str:
        return self.words if self.count is None else self.words.format(self.count)
