"""What can have happened when something went wrong: devices, disputes and what was paid otherwise."""

from __future__ import annotations

from croupier.journal.messages import Event
from croupier.money import Cents


class DeviceFound(Event, frozen=True):
    """A prohibited device was found with a player, who has had it since a round."""

    player: str
    what: str
    since: int


class PlayerSanctioned(Event, frozen=True):
    """A measure was taken on a ground; `device` is what was confiscated, `to` who took over.

    `lifted`: hands on which no wager is left are out of the round, as they were not in earlier releases.
    """

    player: str
    measure: str
    amount: Cents = 0
    device: str = ""
    to: str = ""
    ground: str = ""
    lifted: bool = False


class DisputeRaised(Event, frozen=True):
    """Somebody disputes something; of which round, where it is about one that is over."""

    dispute: int
    complainant: str
    about: str
    round: int = 0


class DisputeDecided(Event, frozen=True):
    """`person`: who decided, and reviews it no more."""

    dispute: int
    decision: str
    level: str
    resolved: bool
    person: str = ""


class ReviewAsked(Event, frozen=True):
    """The complainant asked the next official to review a decision."""

    dispute: int
    level: str


class PaidOtherwise(Event, frozen=True):
    """Handed over was not what is due, so that some is recoverable or still due; `reported` before this was so much."""

    round: int
    number: int
    player: str
    due: Cents
    paid: Cents
    reported: Cents = 0


class OverpaymentRecovered(Event, frozen=True):
    player: str
    amount: Cents


class UnclaimedHeld(Event, frozen=True):
    player: str
    amount: Cents


class RulesShown(Event, frozen=True):
    player: str
    edition: str = ""


class Flagged(Event, frozen=True):
    """Something a person should look at."""

    about: str
    player: str = ""
