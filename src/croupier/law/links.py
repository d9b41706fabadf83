"""The law on jackpot links: what several tables that play for one pool must have, and what each of them must do.

Only Caribbean stud has a progressive jackpot, in Division VIII of 1996.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.law.model import Law, cites
from croupier.once import dataclass

SHOE, SHUFFLER = "shoe", "shuffler"
ELECTRONIC, MANUAL = "electronic", "manual"
EARLIEST: Final = "earliest hand"
FIRST_CARD, ALL_CARDS = "first card", "all cards"


@dataclass(frozen=True, slots=True)
class PoolRules:
    """What the law says of a table that plays for the pool of a link.

    meter     the pool is shown at the table
    notified  a hand that wins is told on
    ordered   hands are paid in the order of the link
    fed       wagers become part of the pool
    drawn     payouts come out of it
    """

    meter: Law[None]
    notified: Law[None]
    ordered: Law[None]
    fed: Law[None]
    drawn: Law[None]


@dataclass(frozen=True, slots=True)
class LinkRules:
    """What the law says of tables that play for one pool; `at_table` is what it says of each of them.

    equipped    the mode that needs equipment: a record of the wagers and the pool, and meters
    recorded    the equipment records what was wagered at the table and the pool
    meters      the fewest meters that show the pool
    approved    the rates need the Authority's approval
    whole       a wager is the pool's but for the portion kept: together they are all of it, in these parts
    priority    who is paid first where hands of several tables qualify at about the same time
    hand_time   by dealing device, the moment that counts for a hand
    """

    equipped: Law[str]
    recorded: Law[bool]
    meters: Law[int]
    approved: Law[bool]
    whole: Law[int]
    priority: Law[str]
    hand_time: Mapping[str, Law[str]]
    at_table: PoolRules


def nz1996() -> LinkRules:
    """Division VIII, parts 2, 11 and 12."""
    law = cites("NZ1996-VIII")
    return LinkRules(
        equipped=law(ELECTRONIC, "2.4"),
        recorded=law(True, "2.4a"),
        meters=law(1, "2.4b"),
        approved=law(True, "11.3"),
        whole=law(10_000, "11.3"),
        priority=law(EARLIEST, "12.3"),
        hand_time={SHOE: law(FIRST_CARD, "12.3a"), SHUFFLER: law(ALL_CARDS, "12.3b")},
        at_table=PoolRules(
            meter=law(None, "2.4b"),
            notified=law(None, "11.10"),
            ordered=law(None, "12.3"),
            fed=law(None, "11.3"),
            drawn=law(None, "12.1"),
        ),
    )
