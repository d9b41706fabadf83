"""Proofs: what can be shown about the rules, the tests and the running system, each with a known-bad control.

A proof is a module of this room with a function `prove(scope, tell)`.  It is imported when it is run, so that listing
the proofs costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, TypeAlias

Tell: TypeAlias = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and what is being done."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a proof is run on: one game or all, one edition or all, so many cases evenly chosen or all."""

    game: str = ""
    edition: str = ""
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it holds, the answer in the public form, and the same in lines for people."""

    proved: bool
    answer: Mapping[str, Any]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    name: str
    says: str


PROOFS: Final[Mapping[str, Proof]] = {
    proof.name: proof
    for proof in (
        Proof("http", "no request to any door, by anybody, is answered with a 5xx or with anything undocumented"),
        Proof("liveness", "whatever goes wrong, a round comes to its end, its wagers are settled and play goes on"),
        Proof("mutation", "a change of any value of the law makes a test fail that observed its rule"),
        Proof("simulation", "the kernels play as the rules do, card for card"),
        Proof("tables", "whatever is asked of a table, its books balance and its journal tells the whole truth"),
    )
}


def run(name: str, scope: Scope, tell: Tell) -> Verdict:
    """Run a proof by its name."""
    if name not in PROOFS:
        raise ValueError(f"unknown proof {name!r}; known are {', '.join(PROOFS)}")
    verdict: Verdict = import_module(f"croupier.prove.{name}").prove(scope, tell)
    return verdict
