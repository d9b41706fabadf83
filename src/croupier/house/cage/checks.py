"""Small checks of the cage's decisions: texts, amounts, and whether the drawer holds enough."""

from __future__ import annotations

from typing import Any

from croupier.game import Refusal
from croupier.house.cage.law import RULES
from croupier.house.cage.state import Cage
from croupier.journal.messages import Transfer
from croupier.law.model import Law
from croupier.money import LARGEST_AMOUNT, Cents, dollars

LONGEST_TEXT = 200


def text_wrong(text: str, what: str) -> Refusal | None:
    if 0 < len(text.strip()) <= LONGEST_TEXT and text.isprintable():
        return None
    return Refusal(f"{what}: 1 to {LONGEST_TEXT} characters are needed", RULES.kept.rule)


def amount_wrong(amount: Cents, law: Law[Any]) -> Refusal | None:
    if 0 < amount <= LARGEST_AMOUNT:
        return None
    return Refusal(f"{dollars(amount)}: an amount above nothing, and up to {dollars(LARGEST_AMOUNT)}", law.rule)


def uncountable(law: Law[Any], *amounts: Cents) -> Refusal | None:
    bad = next((amount for amount in amounts if not 0 <= amount <= LARGEST_AMOUNT), None)
    if bad is None:
        return None
    if bad > LARGEST_AMOUNT:
        return Refusal(f"{dollars(bad)}: more than can be counted, {dollars(LARGEST_AMOUNT)}", law.rule)
    return Refusal(f"{dollars(bad)}: nothing can be counted below nothing", law.rule)


def cash_short(cage: Cage, amount: Cents, law: Law[Any]) -> Refusal | None:
    if amount <= cage.cash:
        return None
    return Refusal(f"the drawer holds {dollars(cage.cash)}: bring more from the vault first", law.rule)


def chips_short(cage: Cage, amount: Cents, law: Law[Any]) -> Refusal | None:
    if amount <= cage.chips:
        return None
    return Refusal(f"the drawer holds chips for {dollars(cage.chips)}: bring more from the vault first", law.rule)


def toward(account: str, other: str, amount: Cents, rule: str) -> Transfer:
    """Into a drawer (`account`) from the other side; below nothing, out of it."""
    return Transfer(account, other, amount, rule) if amount > 0 else Transfer(other, account, -amount, rule)
