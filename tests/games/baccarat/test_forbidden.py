"""What a way of dealing rules out: cards that leave the dealer, and two hands out at once, in every edition."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.game import Performed, Refusal
from croupier.games.baccarat import procedure
from croupier.games.baccarat.ceremonies.sitting import BaccaratSitting
from croupier.law.elections import elect
from croupier.rulesets import every_ruleset, known_game
from tests.helpers.observe import carries

HANDS = ("pass player hand", "pass player third card", "pass banker hand", "pass banker third card")
KEPT, DEALT, BOTH = "the dealer keeps the cards", "the dealer deals the cards", "the dealer acts for both hands"
NEW_ZEALAND = dict.fromkeys(HANDS, KEPT) | {"pass shoe": DEALT}
VICTORIA = dict.fromkeys(("pass player hand", "pass banker hand", "pass shoe"), BOTH)

FORBIDDEN = {
    ("up", "NZ1996-IV"): ("3.3", "3.3", NEW_ZEALAND),
    ("down", "NZ1996-IV"): ("3.3", "3.3", NEW_ZEALAND),
    ("A", "NZ1996-V"): ("8.7", "3.3", NEW_ZEALAND),
    ("C", "NZ1996-V"): ("8.26", "3.3", NEW_ZEALAND),
    ("A", "NZ1996-IX"): ("8.7", "3.3", NEW_ZEALAND),
    ("C", "NZ1996-IX"): ("8.26", "3.3", NEW_ZEALAND),
    ("A", "NZ1998"): ("8.6", "4.3.s2", NEW_ZEALAND),
    ("C", "NZ1998"): ("8.18", "4.3.s2", NEW_ZEALAND),
    ("A", "NZD5"): ("8.7", "4.3.s2", NEW_ZEALAND),
    ("C", "NZD5"): ("8.20", "4.3.s2", NEW_ZEALAND),
    ("2", "VIC2002"): ("8.1.2", "8.1.2", VICTORIA),
}
APART = {"NZ1996-V": "8.22", "NZ1996-IX": "8.22", "NZ1998": "8.15", "NZD5": "8.16", "VIC2002": "8.1.1e"}
DIVISIONS = {"mini": "NZ1996-IV", "full": "NZ1996-V", "midi": "NZ1996-IX"}
PREFIXES = {"nz1998": "NZ1998", "nzd5": "NZD5", "nzeb": "NZD5", "vic2002": "VIC2002"}


def document(edition: str, version: str) -> str:
    """Where the rule is printed; Electronic Baccarat takes it from Division 5."""
    return DIVISIONS[version] if edition == "nz1996" else PREFIXES[edition]


def dealt_in(edition: str, version: str, style: str) -> Any:
    return elect(known_game("baccarat").editions[edition][version], {"style": style})


TABLES = [
    (each.edition, each.version, style)
    for each in every_ruleset((known_game("baccarat"),))
    for style in each.rules.style.value.permitted
]


@pytest.mark.parametrize(("edition", "version", "style"), TABLES)
def test_what_the_style_forbids(edition: str, version: str, style: str) -> None:
    prefix = document(edition, version)
    rules = dealt_in(edition, version, style)
    hands, shoe, forbidden = FORBIDDEN.get((style, prefix), ("", "4.3.s2", {}))
    for act, reason in forbidden.items():
        refused = procedure.apply(rules, BaccaratSitting(), Performed(act, "dealer"))
        assert isinstance(refused, Refusal)
        assert (refused.on, refused.reason) == (act, reason)
        carries(refused, f"{prefix}-{shoe if act == 'pass shoe' else hands}")


@pytest.mark.parametrize(("edition", "version", "style"), [table for table in TABLES if table[2] == "B"])
def test_in_style_b_the_shoe_stays_with_the_dealer(edition: str, version: str, style: str) -> None:
    refused = procedure.apply(dealt_in(edition, version, style), BaccaratSitting(), Performed("pass shoe", "dealer"))
    assert isinstance(refused, Refusal)
    assert (refused.on, refused.reason) == ("pass shoe", DEALT)
    prefix = document(edition, version)
    carries(refused, f"{prefix}-{'3.3' if prefix.startswith('NZ1996') else '4.3.s2'}")


@pytest.mark.parametrize(("edition", "version", "style"), [table for table in TABLES if table[2] in ("B", "1")])
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_the_hands_are_never_out_together(edition: str, version: str, style: str, hand: str) -> None:
    """A position put on the felt: one hand is out, the other is asked for; then the first is back."""
    other = "banker" if hand == "player" else "player"
    rules, prefix = dealt_in(edition, version, style), document(edition, version)
    out = BaccaratSitting(said=(Performed(f"pass {other} hand", "dealer"),))
    refused = procedure.apply(rules, out, Performed(f"pass {hand} hand", "dealer"))
    assert isinstance(refused, Refusal)
    assert "still out" in refused.reason
    carries(refused, f"{prefix}-{APART[prefix]}")
    back = BaccaratSitting(said=(*out.said, Performed(f"return {other} hand", "dealer")))
    later = procedure.apply(rules, back, Performed(f"pass {hand} hand", "dealer"))
    assert isinstance(later, Refusal)
    assert "still out" not in later.reason
