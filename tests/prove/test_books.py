"""The proofs about books, payments and chance, in short: each holds, and each catches what is planted."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.floor.store.engines import BadStore
from croupier.floor.store.opening import check_opening
from croupier.prove import ProofScope, run
from croupier.prove.books.instruments import made
from tests.prove.test_proofs import silent


@pytest.mark.parametrize(
    ("name", "sample"),
    [
        ("io", 30),
        ("kill", 6),
        ("power", 400),
        ("recover", 600),
        ("replay", 3),
        ("settle", 2),
        ("shuffle", 500),
        ("tamper", 2),
    ],
)
def test_a_proof_holds_and_its_controls_are_caught(name: str, sample: int) -> None:
    verdict = run(name, ProofScope(sample=sample, length="short", seed=3), silent)
    assert verdict.proved, verdict.lines
    assert all(verdict.answer["controls"].values())
    assert verdict.answer["again"] == f"croupier prove {name} --short --sample {sample} --seed 3"


def test_books_of_which_a_head_was_taken_out_do_not_open(tmp_path: Path) -> None:
    books = made.Books(tmp_path)
    made.write(books, rounds=1, seed=1)
    with books.writer() as store:
        check_opening(store)
        with store.opened.write_engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM head WHERE ordinal = 1")
        with pytest.raises(BadStore, match="T0: a signed head is missing"):
            check_opening(store)
