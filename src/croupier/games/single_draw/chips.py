"""Chips for wagers: value chips with their denomination, and non-value chips by colour.

`worth` says what a stack on the layout counts for, or why it does not count.  The display rack shows what each of the
player's colours is worth; who may hold which colour, and which table issued it, is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, TypeVar

from croupier.game import Refusal
from croupier.games.single_draw.play import Draw
from croupier.law.model import Law
from croupier.money import Cents

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChipLaw:
    """The kinds of chips in use, how they are stacked, what the rack must show, and what goes with a spoken wager."""

    kinds: Law[frozenset[str]]
    smaller_on_top: Law[bool]
    on_rack: Law[bool]
    spoken: Law[bool]


@dataclass(frozen=True, slots=True)
class ColourChips:
    """Chips without denomination, of one colour."""

    colour: str
    count: int


Stack: TypeAlias = tuple[Cents, ...] | ColourChips  # value chips are listed from the bottom to the top
Rack: TypeAlias = Mapping[str, Cents]  # the player's colours, each with the value declared for it


def worth(law: ChipLaw, rack: Rack, stack: Stack) -> Cents | Refusal:
    """What a stack counts for."""
    kind = "non-value" if isinstance(stack, ColourChips) else "value"
    if kind not in law.kinds.value:
        return Refusal(f"{kind} chips are not used here", law.kinds.rule)
    if isinstance(stack, ColourChips):
        if law.on_rack.value and stack.colour not in rack:
            return Refusal(f"the rack shows no value for {stack.colour}", law.on_rack.rule)
        return stack.count * rack.get(stack.colour, 0)
    if law.smaller_on_top.value and any(upper > lower for lower, upper in pairwise(stack)):
        return Refusal("smaller denominations go on top", law.smaller_on_top.rule)
    return sum(stack)


def spoken_wager(law: ChipLaw, draw: Draw[T], stack: Stack | None) -> Refusal | None:
    """Why a spoken wager does not count, if so: it comes with chips and in time for the dealer to place it."""
    if law.spoken.value and (stack is None or draw.closed):
        return Refusal("a spoken wager needs chips, and to be placed before the call", law.spoken.rule)
    return None
