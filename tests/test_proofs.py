"""The proofs that take long, in short: what they count, what they refuse, and that their controls are caught."""

from __future__ import annotations

import pytest

from croupier.prove import PROOFS, Scope, run


def silent(done: int, of: int, what: str) -> None:
    """Nobody watches."""


def test_kernels_and_rules_agree_on_whole_shoes_and_a_changed_table_is_caught() -> None:
    verdict = run("simulation", Scope(edition="nz1998", sample=20), silent)
    assert verdict.proved
    assert verdict.answer["control"]
    assert verdict.answer["editions"]["nz1998/full"]["shoes"] == 20
    assert verdict.lines[-1].endswith("caught")


@pytest.mark.parametrize(
    ("name", "scope", "why"),
    [
        ("simulation", Scope(game="roulette"), "compared for baccarat, not for 'roulette'"),
        ("simulation", Scope(edition="nz2050"), "no baccarat in the edition 'nz2050'"),
        ("nothing", Scope(), "unknown proof 'nothing'; known are mutation, simulation, tables"),
    ],
)
def test_what_cannot_be_proved_is_told_in_one_line(name: str, scope: Scope, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        run(name, scope, silent)


def test_every_proof_says_what_it_shows() -> None:
    assert all(proof.says for proof in PROOFS.values())
