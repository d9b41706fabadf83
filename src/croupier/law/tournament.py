"""The law on tournaments: who runs one, what its conditions must say, and what the director must and may do.

Only Victoria has such a law; New Zealand lets a table be reserved for an event and says no more of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.law.model import Law, cites
from croupier.law.officials import GAME_SUPERVISOR, Roles, at_least
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class TournamentRules:
    """What the law fixes.  `items` are the parts that conditions must have, by their names in `Conditions`."""

    equal_chance: Law[bool]
    appointed: Law[bool]
    director: Law[Roles]
    deputies: Law[Roles]
    approver: Law[str]
    complete: Law[None]
    items: Mapping[str, Law[bool]]
    entitled: Law[bool]
    refusing: Law[bool]
    criteria: Law[bool]
    modifications: Law[bool]
    briefing: Law[bool]
    signature: Law[bool]
    presence: Law[bool]
    tables: Law[bool]
    exclusive: Law[bool]
    substitutes: Law[bool]
    notice: Law[bool]
    early_end: Law[bool]
    decided: Law[bool]
    agreed: Law[bool]


def vic2002() -> TournamentRules:
    """Section 12 of the 2002 rules."""
    law = cites("VIC2002")
    return TournamentRules(
        equal_chance=law(True, "12.1.1"),
        appointed=law(True, "12.1.2"),
        director=law(at_least(GAME_SUPERVISOR), "12.1.2a"),
        deputies=law(at_least(GAME_SUPERVISOR), "12.1.2b"),
        approver=law("Director of Casino Surveillance", "12.1.3"),
        complete=law(None, "12.2.1"),
        items={
            "entry_fee": law(True, "12.2.1a"),
            "chips": law(True, "12.2.1b"),
            "wager": law(True, "12.2.1c"),
            "structure": law(True, "12.2.1d"),
            "secret_wagers": law(True, "12.2.1e"),
            "buy_back": law(True, "12.2.1f"),
            "eligibility": law(True, "12.2.1g"),
            "entry": law(True, "12.2.1h"),
            "leaving": law(True, "12.2.1i"),
            "lateness": law(True, "12.2.1j"),
            "prizes": law(True, "12.2.1k"),
            "precedence": law(True, "12.2.1l"),
        },
        entitled=law(True, "12.2.1g.i"),
        refusing=law(True, "12.2.1g.ii"),
        criteria=law(True, "12.2.1g.iii"),
        modifications=law(True, "12.2.2"),
        briefing=law(True, "12.2.3"),
        signature=law(True, "12.2.4"),
        presence=law(True, "12.2.5"),
        tables=law(True, "12.3.1"),
        exclusive=law(True, "12.3.2"),
        substitutes=law(True, "12.3.3"),
        notice=law(True, "12.3.4"),
        early_end=law(True, "12.3.5"),
        decided=law(True, "12.3.5a"),
        agreed=law(True, "12.3.5b"),
    )
