"""What can be due at a layout: a card, dice, a wheel, a decision, an act of staff, or nothing any more.

Each names the rule under which it is due, and from whom, where it is due from somebody.
"""

from __future__ import annotations

from typing import Final, TypeAlias, final

from msgspec import Struct
from msgspec.structs import replace

from croupier.game.refusal import Refusal, worded
from croupier.once import in_a_line


@final
class Deal(Struct, frozen=True, gc=False):
    """A card is due, to a hand."""

    to: str
    rule: str

    __repr__ = in_a_line


@final
class Roll(Struct, frozen=True, gc=False):
    """The dice are due, from whoever holds them."""

    by: str
    rule: str

    __repr__ = in_a_line


@final
class Spin(Struct, frozen=True, gc=False):
    """A wheel is due."""

    by: str
    rule: str

    __repr__ = in_a_line


DECLINING: Final = frozenset(
    ("decline", "decline_dice", "decline player", "decline banker", "decline shoe"),
)
"""The answers that decline what is offered, in whatever game."""


@final
class Choose(Struct, frozen=True, gc=False):
    """A decision is due from one person; the options are all that the rules leave open.

    `box` and `hand` say what is decided on, where that is a hand on the layout.
    """

    by: str
    options: tuple[str, ...]
    rule: str
    box: int = 0
    hand: int = 0

    __repr__ = in_a_line

    @property
    def declining(self) -> str:
        """The option that declines what is offered; empty where nothing is."""
        return next((option for option in self.options if option in DECLINING), "")


@final
class Perform(Struct, frozen=True, eq=False, gc=False):
    """An act of staff is due: wash, cut, burn, call; `apart`: the act after which it is for another person.

    That is no part of what is due: with it or without, it is the same demand.
    """

    act: str
    by: str
    rule: str
    apart: str = ""

    __repr__ = in_a_line

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Perform) and (self.act, self.by, self.rule) == (other.act, other.by, other.rule)

    def __ne__(self, other: object) -> bool:
        """Written out, because that of a struct is not made from `__eq__`: two could be equal and different."""
        return not self == other

    def __hash__(self) -> int:
        return hash((self.act, self.by, self.rule))


@final
class Over(Struct, frozen=True, gc=False):
    """Nothing is due; the rule is the one that ended the round."""

    rule: str

    __repr__ = in_a_line


Demand: TypeAlias = Deal | Roll | Spin | Choose | Perform | Over


def say(demand: Demand) -> str:
    """A demand in the short words of the notation."""
    match demand:
        case Perform():
            return f"{demand.act} by {demand.by}"
        case Deal(to=to):
            return f"deal {to}"
        case Roll(by=by):
            return f"roll {by}".rstrip()
        case Spin(by=by):
            return f"spin {by}".rstrip()
        case Choose(by=by, options=options):
            return f"choose {by}: {'|'.join(options)}"
        case Over():
            return "over"


def told(demand: Demand) -> str:
    """A demand as a reason tells it: its keys as people say them."""
    match demand:
        case Perform(act=act):
            return say(replace(demand, act=worded(act)))
        case Choose(options=options):
            return say(replace(demand, options=tuple(map(worded, options))))
        case _:
            return say(demand)


def not_due(due: Demand, on: str = "") -> Refusal:
    """The rules' no to what was said or done while something else is due."""
    return Refusal(f"that does not answer what is due: {told(due)}", due.rule, on)
