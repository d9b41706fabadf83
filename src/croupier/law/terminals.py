"""What the law asks of terminals, vouchers and the game system, where a law has them.

Only the electronic division has: what a terminal shows and does, how it is activated and paid out, that its wagers
are settled as it showed them at the cut-off, and what follows a malfunction.

Many of these rules have no value that could be another: they say what is done, and the code that cites them does it.
Such a law holds nothing (`Law[None]`).
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.law.model import Law, cites
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class DisplayRules:
    """The six items of information on a terminal's screen."""

    limits: Law[None]
    cut_off: Law[None]
    available: Law[None]
    wagered: Law[None]
    result: Law[None]
    won: Law[None]


@dataclass(frozen=True, slots=True)
class CaseRules:
    """Malfunctions: what may be refused, and the three duties that follow before a case is closed."""

    refusal: Law[None]
    by_malfunction: Law[None]
    before_repair: Law[None]
    duties: Law[frozenset[str]]
    inspector: Law[None]
    locked: Law[None]
    refund: Law[None]


@dataclass(frozen=True, slots=True)
class TerminalRules:
    """The laws on terminals.

    `must`: the features each terminal needs, by the name of the feature; `pays_by`: the features by which credits are
    paid, of which it needs one.  `means` are the two ways to activate it.  `rounded_step` and `rounded_maximum`: an
    amount that is not permitted shows as the next lower wager.
    """

    most: Law[int]
    records: Law[None]
    requirements: Law[None]
    must: Mapping[str, Law[bool]]
    pays_by: Law[frozenset[str]]
    approved: Law[None]
    own_limits: Law[None]
    display: DisplayRules
    bet: Law[None]
    wager: Law[None]
    touched: Law[None]
    cut_off: Law[None]
    below_minimum: Law[None]
    rounded_step: Law[None]
    rounded_maximum: Law[None]
    aggregate: Law[None]
    settles: Law[None]
    activated: Law[None]
    means: Mapping[str, Law[None]]
    notes_credited: Law[None]
    dealer_credits: Law[frozenset[str]]
    control: Law[None]
    credited: Law[None]
    as_shown: Law[None]
    voucher: Law[None]
    cancelled: Law[frozenset[str]]
    paid: Law[None]
    redeemed: Law[None]
    recalculated: Law[None]
    cases: CaseRules


def electronic_terminals(dealer: frozenset[str]) -> TerminalRules:
    """The electronic division; `dealer`: who runs the game there."""
    law = cites("NZEB")
    return TerminalRules(
        most=law(30, "3.3a", "3.3"),
        records=law(None, "3.3b"),
        requirements=law(None, "3.4"),
        must={"layout": law(True, "3.4a"), "display": law(True, "3.4b"), "programming": law(True, "3.4c")},
        pays_by=law(frozenset({"voucher", "cancel credit"}), "3.4d"),
        approved=law(None, "3.5"),
        own_limits=law(None, "5.6"),
        display=DisplayRules(
            limits=law(None, "3.4b.i"),
            cut_off=law(None, "3.4b.ii"),
            # By reading: what is wagered already is not available.
            available=law(None, "3.4b.iii"),
            wagered=law(None, "3.4b.iv"),
            result=law(None, "3.4b.v"),
            # By reading: the winnings without the stake that came back with them.
            won=law(None, "3.4b.vi"),
        ),
        bet=law(None, "1.2a", "1.2"),
        wager=law(None, "1.2b"),
        touched=law(None, "5.2a"),
        cut_off=law(None, "3.4c.i", "8.1"),
        # By reading: an amount built up by touches is held until it reaches the minimum.
        below_minimum=law(None, "3.4c.ii"),
        rounded_step=law(None, "3.4c.iii.A", "3.4c.iii"),
        rounded_maximum=law(None, "3.4c.iii.B", "3.4c.iii"),
        # By reading: the least of all wagers of a hand together; the credits go back at the cut-off.
        aggregate=law(None, "3.4c.iv"),
        settles=law(None, "3.4c.v"),
        activated=law(None, "5.3"),
        means={"note": law(None, "5.3a"), "dealer": law(None, "5.3b")},
        notes_credited=law(None, "5.3A"),
        dealer_credits=law(dealer, "5.3B"),
        control=law(None, "5.3B.a"),
        credited=law(None, "5.3B.b"),
        as_shown=law(None, "5.5"),
        voucher=law(None, "3.4d"),
        cancelled=law(dealer, "3.4e"),
        paid=law(None, "10.5"),
        redeemed=law(None, "10.6"),
        recalculated=law(None, "12.3"),
        cases=CaseRules(
            refusal=law(None, "12.4"),
            by_malfunction=law(None, "12.4a"),
            before_repair=law(None, "12.4b"),
            duties=law(frozenset({"inspector", "investigation", "refund"}), "12.5"),
            inspector=law(None, "12.5a"),
            locked=law(None, "12.5b"),
            refund=law(None, "12.5c"),
        ),
    )
