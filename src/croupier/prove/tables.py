"""A table under random use: whatever people do, the books balance and the journal tells the whole truth.

`table_driver` makes the requests and checks what must hold after each; this module counts them, over every game and
edition, and shows that journals which were tampered with are caught.

A whole run drives twenty tables of every rule set, and four of each with every single election that it permits; with a
sample there are as many requests as asked for, table by table through the rule sets.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from random import Random
from typing import Any, Final

from msgspec import structs

from croupier.journal.entries import BadJournal
from croupier.law.ruleset import Ruleset
from croupier.prove import ProofScope, Tell, Verdict
from croupier.prove.liveness import chosen_sets, elected
from croupier.prove.progress import Figures, ProofProgress
from croupier.prove.table_driver import Broken, Driver, check_money, check_rule, check_settlements
from croupier.rulesets import known_game
from croupier.table.events import AnyEvent, WagerSettled
from croupier.table.evolve import after
from croupier.table.state import new_table, snapshot

A_TABLE: Final = 2_000
"""Requests at one table before the next is opened: some shoes of cards, or some hundred throws."""
TABLES: Final = 20
VARIED_TABLES: Final = 4
"""Tables of each rule set in a whole run, and of each one with a single other election."""


@dataclass(slots=True)
class TableTally:
    """What was asked, what of it was refused, what came of it, and what did not hold."""

    requests: int = 0
    refused: int = 0
    rounds: int = 0
    lines: int = 0
    tables: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + other[each.name])


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    """All rule sets with all their elections, or about as many requests as asked for; then the controls."""
    sets = chosen_sets(scope)
    asked, whole = TableTally(), False
    if scope.sample:
        while scope.time.goes_on("requests", asked.requests, scope.sample):
            each = sets[asked.tables % len(sets)]
            tell(asked.requests, scope.sample, f"{each.game} {each.edition} {each.version}")
            drive(each, f"{scope.seed} {asked.tables}", asked, min(A_TABLE, scope.sample - asked.requests))
    else:
        varied = [(each, "", TABLES) for each in sets]
        varied += [(other, note, VARIED_TABLES) for each in sets for other, note in elected(each)]
        units = {f"{each.game} {each.edition} {each.version}{note}": (each, tables) for each, note, tables in varied}

        def done(unit: str) -> Figures:
            rules, tables = units[unit]
            tally = TableTally()
            for number in range(tables):
                drive(rules, f"{scope.seed} {unit} {number}", tally, A_TABLE)
            return asdict(tally)

        figures = dict(ProofProgress("tables", scope).run(units, done, tell))
        whole = len(figures) == len(units)
        for each_done in figures.values():
            asked.add(each_done)
    caught = controls(sets[0])
    covered = "whole: every rule set, and each with every other election" if whole else "a sample"
    answer = {"covered": "whole" if whole else "sample", **asdict(asked), "controls": caught}
    sound = "every book balanced, every rule exists, every journal leads to the same table again"
    lines = (
        covered,
        f"{asked.requests:,} requests at {asked.tables:,} tables: {asked.refused:,} refused, {asked.rounds:,} rounds, "
        f"{asked.lines:,} lines of journal",
        *(asked.broken or (sound,)),
        *(f"control: {name}: {'caught' if found else 'NOT CAUGHT'}" for name, found in caught.items()),
    )
    return Verdict(not asked.broken and all(caught.values()), answer, lines)


def drive(rules: Ruleset[Any], seed: str, tally: TableTally, wanted: int) -> None:
    """So many requests at one table; whatever does not hold, an exception too, is told and ends this table."""
    try:
        driver = Driver(known_game(rules.game), rules, Random(seed))
        try:
            while driver.requests < wanted:
                driver.step()
            driver.check_journal()
        finally:
            tally.requests, tally.refused = tally.requests + driver.requests, tally.refused + driver.refused
            tally.rounds, tally.lines = tally.rounds + driver.table.number - 1, tally.lines + len(driver.journal)
    except Exception as error:  # an exception is what the proof is looking for, whichever it is
        where = f"{rules.game} {rules.edition} {rules.version} {dict(rules.elections)}, table {seed!r}"
        tally.broken.append(f"{where}: {type(error).__name__}: {error}")
    tally.tables += 1


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
