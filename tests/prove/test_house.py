"""The proofs about the running house, in short: each holds, and each catches what is planted."""

from __future__ import annotations

import pytest

from croupier.prove import ProofScope, run
from tests.prove.test_proofs import silent

SAMPLES = [("close", 6), ("fuzz", 3_000), ("roles", 3), ("soak", 24), ("voucher", 6), ("world", 5)]


@pytest.mark.parametrize(("name", "sample"), SAMPLES)
def test_a_proof_of_the_house_holds_and_its_controls_are_caught(name: str, sample: int) -> None:
    verdict = run(name, ProofScope(sample=sample, length="short", seed=3), silent)
    assert verdict.proved, verdict.lines
    assert all(verdict.answer["controls"].values())
