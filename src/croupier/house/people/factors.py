"""Second factors: what is decided of them.

Whether a code or a passkey was right is found out elsewhere and told here as a fact, as with passwords.  Here it is
decided that it counts once: a code whose time step is not after the last one that was used, or a passkey whose counter
did not go on, was seen before by somebody, and opens nothing.  Wrong ones lock the factors of that person for a time
that doubles, as wrong passwords do; only who has shown a password gets so far.
"""

from __future__ import annotations

from typing import assert_never

from croupier.game import Refusal
from croupier.house.people import messages as m
from croupier.house.people.state import Person, wait_ms
from croupier.journal.names import plain

MOST = 8
"""Factors of one person."""


def decide(person: Person, request: m.Asked, what: m.AddFactor | m.RemoveFactor | m.ShowFactor) -> m.Events | Refusal:
    if plain(request.by) != plain(person.name):
        return Refusal(f"{request.by} does not act for {person.name}", "")
    match what:
        case m.AddFactor(factor=factor):
            return _not_new(person, factor) or (m.FactorAdded(name=person.name, factor=factor),)
        case m.RemoveFactor(factor=known):
            return _unknown(person, known) or (m.FactorRemoved(name=person.name, factor=known),)
        case m.ShowFactor():
            return _unknown(person, what.factor) or _shown(person, request, what)
        case _:
            assert_never(what)


def _not_new(person: Person, factor: m.Factor) -> Refusal | None:
    if len(person.factors) >= MOST:
        return Refusal(f"{person.name} has {MOST} second factors already: remove one first", "")
    same = any(each.id == factor.id or (each.public and each.public == factor.public) for each in person.factors)
    return Refusal("this second factor is known already", "") if same else None


def _unknown(person: Person, known: str) -> Refusal | None:
    return None if person.factor(known) else Refusal(f"{person.name} has no such second factor", "")


def _shown(person: Person, request: m.Asked, what: m.ShowFactor) -> m.Events | Refusal:
    if person.disabled or request.at_ms < person.factor_locked_until_ms:
        return Refusal("the second factors of this account are locked for a time", "")
    factor = person.factor(what.factor)
    if factor is None or not what.right:
        failures = person.factor_failures + 1
        wait = wait_ms(failures)
        until_ms = request.at_ms + wait if wait else 0
        return (m.FactorFailed(name=person.name, failures=failures, until_ms=until_ms),)
    if _was_used(factor, what.count):
        return Refusal("this was used before: wait for the next code", "")
    return (m.FactorShown(name=person.name, factor=factor.id, count=what.count, purpose=what.purpose),)


def _was_used(factor: m.Factor, count: int) -> bool:
    """Many passkeys count nothing, and say so with a counter that stays at nothing."""
    return count <= factor.used and not (factor.kind == "passkey" and count == factor.used == 0)


def forgotten(person: Person) -> m.Events | Refusal:
    if not person.factors:
        return Refusal(f"{person.name} has no second factor", "")
    return (m.FactorsForgotten(name=person.name),)
