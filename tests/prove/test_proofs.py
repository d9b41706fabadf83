"""The proofs that take long, in short: what they count, what they refuse, and that their controls are caught."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.prove import PROOFS, ProofScope, run, simulation


def silent(done: int, of: int, what: str) -> None:
    """Nobody watches."""


@pytest.mark.parametrize(
    ("game", "edition", "sample", "compared", "counts"),
    [
        ("baccarat", "nz1998", 20, 1, {"shoes": 20}),
        ("blackjack", "nz1996", 60, 4, {"rounds": 60}),
        ("caribbean_stud", "nz1996", 60, 3, {"rounds": 60, "hands": 60}),
        ("craps", "nz1996", 50, 8, {"throws": 50}),
        ("roulette", "nz1996", 300, 1, {"draws": 300, "decisions": 300 * 157}),
        ("tai_sai", "nz1996", 300, 1, {"draws": 300, "decisions": 300 * 50}),
        ("money_wheel", "nz1996", 300, 1, {"draws": 300, "decisions": 300 * 7}),
    ],
)
def test_kernels_play_as_the_rules_do_and_a_changed_table_is_caught(
    game: str, edition: str, sample: int, compared: int, counts: dict[str, int]
) -> None:
    verdict = run("simulation", ProofScope(game, edition, sample), silent)
    assert verdict.proved
    assert verdict.answer["control"]
    found = verdict.answer["games"][game]
    assert found["control"]
    assert len(found["compared"]) == compared
    first = next(iter(found["compared"].values()))
    assert first | counts | {"differences": []} == first
    assert verdict.lines[-1] == f"{game} control: a changed table of the kernel: caught"


def test_a_difference_or_a_control_that_is_missed_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof itself has a control: it fails when a kernel is wrong, and when its own control finds nothing."""

    def wrong(_rules: object, _units: int, _tell: object) -> Iterator[simulation.Same]:
        yield simulation.Same("one", {"draws": 1}, ("red win: 1 times, by the rules 0",))

    known, missed = simulation.TWINS["roulette"], "roulette control: a changed table of the kernel: NOT CAUGHT"
    for twin, line in (
        (simulation.Twin(wrong, known.control), "roulette one: 1 draws, 1 differences"),
        (simulation.Twin(known.compare, lambda _: False), missed),
    ):
        monkeypatch.setattr(simulation, "TWINS", {"roulette": twin})
        verdict = run("simulation", ProofScope("roulette", sample=10), silent)
        assert not verdict.proved
        assert not verdict.answer["proved"]
        assert line in verdict.lines


@pytest.mark.parametrize(
    ("name", "scope", "why"),
    [
        ("simulation", ProofScope(game="chess"), "unknown game 'chess'; known are baccarat"),
        ("simulation", ProofScope(game="roulette", edition="nz1998"), "no roulette in the edition 'nz1998'"),
        ("simulation", ProofScope(edition="nz2050"), "no game in the edition 'nz2050'"),
        ("nothing", ProofScope(), "unknown proof 'nothing'; known are .*http, "),
    ],
)
def test_what_cannot_be_proved_is_told_in_one_line(name: str, scope: ProofScope, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        run(name, scope, silent)


def test_every_proof_says_what_it_shows() -> None:
    assert all(proof.says for proof in PROOFS.values())
