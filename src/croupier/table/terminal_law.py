"""What the law asks of terminals, vouchers and the game system, where a law has them.

Only the electronic division has: what a terminal shows and does, how it is activated and paid out, that its wagers
are settled as it showed them at the cut-off, and what follows a malfunction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.law.model import Law, cites


@dataclass(frozen=True, slots=True)
class DisplayRules:
    """The six items of information on a terminal's screen."""

    limits: Law[bool]
    cut_off: Law[bool]
    available: Law[bool]
    wagered: Law[bool]
    result: Law[bool]
    won: Law[bool]


@dataclass(frozen=True, slots=True)
class CaseRules:
    """Malfunctions: what may be refused, and the three duties that follow before a case is closed."""

    refusal: Law[bool]
    by_malfunction: Law[bool]
    before_repair: Law[bool]
    duties: Law[tuple[str, ...]]
    inspector: Law[bool]
    locked: Law[bool]
    refund: Law[bool]


@dataclass(frozen=True, slots=True)
class TerminalRules:
    """The laws on terminals.

    `must`: the features each terminal needs, by the name of the feature; `pays_by`: the features by which credits are
    paid, of which it needs one.  `means` are the two ways to activate it.  `rounded_step` and `rounded_maximum`: an
    amount that is not permitted shows as the next lower wager.
    """

    most: Law[int]
    records: Law[bool]
    requirements: Law[bool]
    must: Mapping[str, Law[bool]]
    pays_by: Law[tuple[str, ...]]
    approved: Law[bool]
    own_limits: Law[bool]
    display: DisplayRules
    bet: Law[str]
    wager: Law[str]
    touched: Law[bool]
    cut_off: Law[bool]
    below_minimum: Law[bool]
    rounded_step: Law[bool]
    rounded_maximum: Law[bool]
    aggregate: Law[bool]
    settles: Law[str]
    activated: Law[bool]
    means: Mapping[str, Law[bool]]
    notes_credited: Law[bool]
    dealer_credits: Law[frozenset[str]]
    control: Law[bool]
    credited: Law[bool]
    as_shown: Law[bool]
    voucher: Law[bool]
    cancelled: Law[frozenset[str]]
    paid: Law[bool]
    redeemed: Law[int]
    recalculated: Law[bool]
    cases: CaseRules


def electronic_terminals(dealer: frozenset[str]) -> TerminalRules:
    """The electronic division; `dealer`: who runs the game there."""
    law = cites("NZEB")
    return TerminalRules(
        most=law(30, "3.3a", "3.3"),
        records=law(True, "3.3b"),
        requirements=law(True, "3.4"),
        must={"layout": law(True, "3.4a"), "display": law(True, "3.4b"), "programming": law(True, "3.4c")},
        pays_by=law(("voucher", "cancel credit"), "3.4d"),
        approved=law(True, "3.5"),
        own_limits=law(True, "5.6"),
        display=DisplayRules(
            limits=law(True, "3.4b.i"),
            cut_off=law(True, "3.4b.ii"),
            # By reading: what is wagered already is not available.
            available=law(True, "3.4b.iii"),
            wagered=law(True, "3.4b.iv"),
            result=law(True, "3.4b.v"),
            # By reading: the winnings without the stake that came back with them.
            won=law(True, "3.4b.vi"),
        ),
        bet=law("the outcome wagered on", "1.2a", "1.2"),
        wager=law("the money put on that bet", "1.2b"),
        touched=law(True, "5.2a"),
        cut_off=law(True, "3.4c.i", "8.1"),
        # By reading: an amount built up by touches is held until it reaches the minimum.
        below_minimum=law(True, "3.4c.ii"),
        rounded_step=law(True, "3.4c.iii.A", "3.4c.iii"),
        rounded_maximum=law(True, "3.4c.iii.B", "3.4c.iii"),
        # By reading: the least of all wagers of a hand together; the credits go back at the cut-off.
        aggregate=law(True, "3.4c.iv"),
        settles=law("credit", "3.4c.v"),
        activated=law(True, "5.3"),
        means={"note": law(True, "5.3a"), "dealer": law(True, "5.3b")},
        notes_credited=law(True, "5.3A"),
        dealer_credits=law(dealer, "5.3B"),
        control=law(True, "5.3B.a"),
        credited=law(True, "5.3B.b"),
        as_shown=law(True, "5.5"),
        voucher=law(True, "3.4d"),
        cancelled=law(dealer, "3.4e"),
        paid=law(True, "10.5"),
        redeemed=law(1, "10.6"),
        recalculated=law(True, "12.3"),
        cases=CaseRules(
            refusal=law(True, "12.4"),
            by_malfunction=law(True, "12.4a"),
            before_repair=law(True, "12.4b"),
            duties=law(("inspector", "investigation", "refund"), "12.5"),
            inspector=law(True, "12.5a"),
            locked=law(True, "12.5b"),
            refund=law(True, "12.5c"),
        ),
    )
