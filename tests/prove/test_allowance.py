"""Runs that may take only so long: their work is cut, their controls are not, and both are told."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from time import monotonic

import pytest

from croupier.prove import ProofScope, run
from croupier.prove.allowance import Allowance, of_minutes
from tests.prove.test_proofs import silent

OVER = 1e-9
"""Minutes that are over before anything was done."""


def test_without_minutes_everything_is_done() -> None:
    time = of_minutes(0)
    assert list(time.each("abc", "letters")) == ["a", "b", "c"]
    assert list(time.share(3).each("abc", "letters")) == ["a", "b", "c"]
    assert time.cut == {}
    assert not time.goes_on("letters", 3, 3)


def test_when_the_time_is_over_the_first_unit_is_done_and_the_rest_is_told_as_cut() -> None:
    time = of_minutes(OVER)
    assert list(time.each("abc", "letters")) == ["a"]
    assert list(time.share(2).each("1234", "figures")) == ["1"]
    assert time.cut == {"letters": (1, 3), "figures": (1, 4)}
    assert list(time.lines(20)) == [
        "cut: 1 of 3 letters, the 20 minutes were over",
        "cut: 1 of 4 figures, the 20 minutes were over",
    ]


def test_a_share_of_the_time_ends_before_all_of_it() -> None:
    now = monotonic()
    assert now < Allowance(now + 100).share(4).ends < now + 75


def test_of_work_elsewhere_what_has_begun_is_waited_for_and_the_rest_is_taken_back() -> None:
    begun, waiting, last = (Future[int]() for _ in range(3))
    for number, one in enumerate((begun, last)):
        one.set_running_or_notify_cancel()
        one.set_result(number)
    time = of_minutes(OVER)
    assert list(time.results((begun, waiting, last))) == [0, 1]
    assert waiting.cancelled()
    assert not begun.cancelled()


@pytest.mark.parametrize(
    ("name", "scope", "units", "of"),
    [
        ("settle", ProofScope(edition="nz1998", sample=50), "starts of a coup, nz1998 full", 50),
        (
            "simulation",
            ProofScope("caribbean_stud", sample=30),
            "caribbean_stud nz1996/caribbean_stud, one box, shoe",
            30,
        ),
        ("tamper", ProofScope(sample=2), "bits flipped in the database", 400),
        ("tables", ProofScope("money_wheel", sample=4_000), "requests", 4_000),
        ("liveness", ProofScope("money_wheel"), "units of the whole", 2),
    ],
)
def test_a_proof_whose_time_is_over_still_has_its_controls_and_says_what_it_did(
    name: str, scope: ProofScope, units: str, of: int
) -> None:
    verdict = run(name, replace(scope, minutes=OVER), silent)
    assert verdict.proved, verdict.lines
    assert verdict.answer["minutes"] == OVER
    assert verdict.answer["cut"][units]["of"] == of
    assert 0 < verdict.answer["cut"][units]["done"] < of
    assert any(line.startswith("cut: ") and units in line for line in verdict.lines)
    assert any("control" in line and line.endswith(": caught") for line in verdict.lines)
    assert verdict.answer["again"].endswith(" --minutes 1e-09")


def test_who_does_many_units_in_another_process_looks_at_the_time_there() -> None:
    """A share of the images takes minutes: cut between shares, the proof of power did not keep to its time."""
    verdict = run("power", ProofScope(length="long", minutes=OVER), silent)
    assert verdict.proved, verdict.lines
    images, bits = verdict.answer["cut"]["images"], verdict.answer["cut"]["bits flipped"]
    assert 0 < images["done"] < 100 < images["of"]
    assert 0 < bits["done"] < 100 < bits["of"]
