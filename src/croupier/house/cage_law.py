"""Which rules the cage works under, each in one place.

The documents speak of redeeming chips and vouchers, of drop boxes, of note acceptors and of what malfunctioned; how a
cage counts its drawer they leave to the operator.  What the operator does so that it can redeem during opening hours
(a float, shifts, fills) stands under the rule that obliges it to redeem.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.law.model import Law, cites
from croupier.table.general import CASHIER, CASINO_SUPERVISOR, at_least

_GENERAL = cites("NZ1996-I")
_ELECTRONIC = cites("NZEB")


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


CAGE_RULES = CageRules(
    cashier=_GENERAL(at_least(CASINO_SUPERVISOR) | {CASHIER}, "17.1"),
    supervisor=_GENERAL(at_least(CASINO_SUPERVISOR), "1.0-def-casino-supervisor"),
    kept=_GENERAL(True, "17.1"),
    counted=_GENERAL(True, "1.0-def-casino-premises"),
    chips=_GENERAL(True, "14.3"),
    dropped=_ELECTRONIC(True, "3.1.s2"),
    # By reading: a voucher that is bought is worth the amount on its face.
    exchanged=_GENERAL(True, "17.1a"),
    cashed=_GENERAL(True, "17.1b"),
    promotional=_GENERAL(False, "17.2"),
    foreign=_GENERAL(True, "18.2c"),
    # Once; the rule names no end of this right, so an expiry is the operator's setting and a supervisor may still pay.
    redeemed=_ELECTRONIC(1, "10.6"),
    refused=_ELECTRONIC(True, "12.4"),
    unclaimed=_GENERAL(True, "16.2"),
)
