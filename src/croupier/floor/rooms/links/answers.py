"""What the doors of the jackpot links answer, as types; see `answers.py`."""

from __future__ import annotations

from croupier.floor.doors.answers import Answered
from croupier.floor.keeping.links import NotTaken


class LinkTerms(Answered):
    """What of a wager goes to the pool and what is kept, in hundredths of a percent; the seed of an emptied pool."""

    pool_rate: int
    retained_rate: int
    seed: int
    approval: str


class LinkMeter(Answered):
    """A meter; one that was seen to be wrong takes no wagers until it is right."""

    name: str
    right: bool


class LinkStake(Answered):
    """A jackpot wager in play; `received_ms`: when its hand was received, 0 if it is not dealt yet."""

    box: int
    player: str
    amount: int
    received_ms: int
    hand: str


class LinkedTable(Answered):
    """A table of a link; `waits`: its hands claim the pool and are not paid yet; `behind`: lines not heard yet."""

    name: str
    device: str
    mode: str
    wager: int
    wagered: int
    round: int
    waits: bool
    behind: int
    meters: list[LinkMeter]
    stakes: list[LinkStake]


class LinkPayout(Answered):
    """A hand that was paid, or what a correction made of it (`corrected`)."""

    table: str
    round: int
    box: int
    player: str
    hand: str
    paid: int
    from_pool: int
    corrected: bool
    at_ms: int
    line: int
    rule: str


class LinkState(Answered):
    """A link: its pool and its books, its tables, the last payouts, and whose hand comes first."""

    name: str
    open: bool
    pool: int
    terms: LinkTerms | None
    balances: dict[str, int]
    first: str
    tables: list[LinkedTable]
    payouts: list[LinkPayout]
    refused: list[NotTaken]
    lines: int


class LinkStates(Answered):
    links: list[LinkState]
