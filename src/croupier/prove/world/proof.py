"""A simulated house, day after day: whatever goes wrong, the books are right, nobody was told a lie, and play goes on.

Theory of operation.  Each day is played from its own seed (`days.py`) and looked at when it is over (`model.py`).  The
first is played twice and must leave the same bytes: whatever is found can be found again by its seed.  The controls are
bugs planted in the real code (`bugs.py`): each must be found within some days.
"""

from __future__ import annotations

from itertools import zip_longest
from random import Random
from typing import Final

from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.world.bugs import BUGS
from croupier.prove.world.days import Bug, Day, play
from croupier.prove.world.model import check

A_DAY: Final = 25
"""Rounds of a day."""
OF_CONTROL: Final = 4
DAYS_OF_CONTROL: Final = 24
"""At most: a bug that needs several things to come together shows on one day in three or four."""
ENOUGH, FEW = 30, 3
"""A run of fewer rounds tries some of the bugs, drawn by its seed."""


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("a simulated world")
    found, wanted = Findings(), scope.count(short=60, long=20_000)
    number = 0
    while scope.time.goes_on("rounds", found.tried.get("rounds", 0), wanted):
        seed, rounds = scope.seed * 100_000 + number, min(A_DAY, wanted - found.tried.get("rounds", 0))
        tell(found.tried.get("rounds", 0), wanted, f"day {number}")
        day = play(seed, rounds, check)
        found.faults += [f"day {number} of {rounds} rounds: {each}" for each in day.faults]
        found.count("days")
        found.count("rounds", max(1, day.rounds))
        found.count("commands", len(day.town.history))
        for what, times in sorted(day.town.happened.items()):
            found.count(what, times)
        if number == 0:
            found.faults += differences(day, play(seed, rounds, check))
        number += 1
    chosen = list(BUGS)
    if scope.sample and scope.sample < ENOUGH:
        chosen = Random(scope.seed).sample(chosen, FEW)
        found.not_run.append(f"{len(BUGS) - FEW} of {len(BUGS)} planted bugs: all are tried from {ENOUGH} rounds on")
    for at, name in enumerate(chosen):
        tell(at, len(chosen), f"control: {name}")
        found.controls[name] = _caught(BUGS[name], scope.seed)
    if not found.faults:
        found.holds.append("books, chain, ledger and every journal sound; nobody was told what is not so")
        found.holds.append("a model of the money from what people were told agrees with the ledger to the cent")
        found.holds.append("after the faults every round came to its end")
        found.holds.append("the first day, played again from its seed, left the same bytes")
    return found.verdict()


def differences(day: Day, again: Day) -> list[str]:
    """Where two days of one seed begin to differ, journal by journal."""
    differing = []
    for name in sorted(day.journals.keys() | again.journals.keys()):
        once, twice = day.journals.get(name, ()), again.journals.get(name, ())
        if once != twice:
            line = next(at for at, (a, b) in enumerate(zip_longest(once, twice), 1) if a != b)
            differing.append(f"seed {day.seed}, played again: {name} is another from line {line} on")
    return differing


def _caught(bug: Bug, seed: int) -> bool:
    return any(play(seed * 100_000 + day, OF_CONTROL, check, bug=bug).faults for day in range(DAYS_OF_CONTROL))
