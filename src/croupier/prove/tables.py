"""A table under random use: whatever people do, the books balance and the journal tells the whole truth.

`table_driver` makes the requests and checks what must hold after each; this module counts them, over every game and
edition, and shows that journals which were tampered with are caught.
"""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec import structs

from croupier.journal.entries import BadJournal
from croupier.law.ruleset import Ruleset
from croupier.prove import ProofScope, Tell, Verdict
from croupier.prove.table_driver import Broken, Driver, check_money, check_rule, check_settlements
from croupier.rulesets import every_ruleset, known_game
from croupier.table.events import AnyEvent, WagerSettled
from croupier.table.evolve import after
from croupier.table.state import new_table, snapshot

ALL_REQUESTS = 1_000_000
A_TABLE = 2_000
"""Requests at one table before the next is opened: some shoes of cards, or some hundred throws."""


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    """A million requests (or as many as asked for) over every game and edition; then the controls."""
    wanted = scope.sample or ALL_REQUESTS
    chosen = [each for each in every_ruleset() if scope.game in ("", each.game) and scope.edition in ("", each.edition)]
    if not chosen:
        raise ValueError(f"no rules of {scope.game or 'any game'} in {scope.edition or 'any edition'}")
    asked = refused = rounds = lines = tables = 0
    while asked < wanted:
        each = chosen[tables % len(chosen)]
        driver = Driver(known_game(each.game), each, Random(tables))
        tell(asked, wanted, f"{each.game} {each.edition} {each.version}")
        while driver.requests < min(A_TABLE, wanted - asked):
            driver.step()
        driver.check_journal()
        asked, refused = asked + driver.requests, refused + driver.refused
        rounds, lines, tables = rounds + driver.table.number - 1, lines + len(driver.journal), tables + 1
    caught = controls(chosen[0])
    answer = {
        "requests": asked, "refused": refused, "rounds": rounds, "lines": lines, "tables": tables, "controls": caught,
    }  # fmt: skip
    summary = (
        f"{asked:,} requests at {tables:,} tables: {refused:,} refused, {rounds:,} rounds, {lines:,} lines of journal",
        "every book balanced, every rule exists, every journal leads to the same table again",
        *(f"control: {name}: {'caught' if found else 'NOT CAUGHT'}" for name, found in caught.items()),
    )
    return Verdict(all(caught.values()), answer, summary)


def controls(ruleset: Ruleset[Any]) -> dict[str, bool]:
    """Journals that were tampered with: each must be caught by the checks that passed the true ones."""
    driver = Driver(known_game(ruleset.game), ruleset, Random(1))
    while not any(isinstance(line.event, WagerSettled) and line.event.transfers for line in driver.journal):
        driver.step()
    at = next(
        n for n, line in enumerate(driver.journal) if isinstance(line.event, WagerSettled) and line.event.transfers
    )
    settled = driver.journal[at]
    paid_twice = structs.replace(settled.event, transfers=settled.event.transfers * 2)
    no_rule = structs.replace(settled.event, rule="NZ1996-I-99.9")
    return {
        "a settlement left out": _caught(driver, at, None),
        "a wager paid twice": _caught(driver, at, paid_twice),
        "a rule that does not exist": _caught(driver, at, no_rule),
    }


def _caught(driver: Driver, at: int, event: AnyEvent | None) -> bool:
    """Whether the journal with one line changed, or left out, is found out."""
    old = driver.journal[at]
    changed = [] if event is None else [structs.replace(old, event=event)]
    lines = [*driver.journal[:at], *changed, *driver.journal[at + 1 :]]
    lines = [structs.replace(line, number=number) for number, line in enumerate(lines)]
    try:
        for line in lines:
            check_rule(line.event.rule, str(line.event))
        table = after(new_table("proof", driver.game, driver.ruleset), lines)
        check_money(table, "the last line")
        check_settlements(table, lines)
    except (Broken, BadJournal):
        return True
    return snapshot(table) != snapshot(driver.table)
