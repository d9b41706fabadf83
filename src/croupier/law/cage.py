"""Which rules the cage works under, each in one place.

The documents speak of redeeming chips and vouchers, of drop boxes, of note acceptors and of what malfunctioned; how a
cage counts its drawer they leave to the operator.  What the operator does so that it can redeem during opening hours
(a float, shifts, fills) stands under the rule that obliges it to redeem.
"""

from __future__ import annotations

from croupier.law.model import Law, cites
from croupier.law.officials import CASHIER, CASINO_SUPERVISOR, at_least
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class CageRules:
    """The laws of the cage; `cashier` and `supervisor` say who may ask for what."""

    cashier: Law[frozenset[str]]
    supervisor: Law[frozenset[str]]
    kept: Law[bool]
    counted: Law[bool]
    chips: Law[bool]
    dropped: Law[bool]
    exchanged: Law[bool]
    cashed: Law[bool]
    promotional: Law[bool]
    foreign: Law[bool]
    redeemed: Law[int]
    refused: Law[bool]
    unclaimed: Law[bool]


def new_zealand() -> CageRules:
    """Division I of 1996, and what the electronic division says of vouchers and note acceptors."""
    law, electronic = cites("NZ1996-I"), cites("NZEB")
    return CageRules(
        cashier=law(at_least(CASINO_SUPERVISOR) | {CASHIER}, "17.1"),
        supervisor=law(at_least(CASINO_SUPERVISOR), "1.0-def-casino-supervisor"),
        kept=law(True, "17.1"),
        counted=law(True, "1.0-def-casino-premises"),
        chips=law(True, "14.3"),
        dropped=electronic(True, "3.1.s2"),
        # By reading: a voucher that is bought is worth the amount on its face.
        exchanged=law(True, "17.1a"),
        cashed=law(True, "17.1b"),
        promotional=law(False, "17.2"),
        foreign=law(True, "18.2c"),
        # Once; the rule names no end of this right: an expiry is the operator's setting; a supervisor may still pay.
        redeemed=electronic(1, "10.6"),
        refused=electronic(True, "12.4"),
        unclaimed=law(True, "16.2"),
    )
