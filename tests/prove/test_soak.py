"""What `soak` says of answers that take longer in the end than in the beginning."""

import pytest

from croupier.prove import Findings
from croupier.prove.house.soak import ENOUGH, Slowest, Waited, Window, compare, slowest


def windows(*, seconds: float, processor: float, beside: float) -> list[Window]:
    return [Window(1, 1, 1, 1, [Waited(seconds, processor)] * ENOUGH, beside) for _ in range(3)]


@pytest.mark.parametrize(
    ("seconds", "processor", "beside", "holds", "told"),
    [
        (0.004, 0.004, 0.0, True, ""),
        (0.0047, 0.0047, 0.0, True, ""),
        (0.008, 0.004, 0.0, False, ""),
        (0.008, 0.004, 0.05, False, ""),
        (0.008, 0.004, 1.5, True, "others took 0.0 processors first and 1.5 later"),
        (0.008, 0.008, 1.5, False, ""),
        (0.004, 0.008, 0.0, False, ""),
    ],
)
def test_answers_that_become_slower_are_a_fault_unless_others_took_the_processors(
    *, seconds: float, processor: float, beside: float, holds: bool, told: str
) -> None:
    found = Findings()
    before = slowest(windows(seconds=0.004, processor=0.004, beside=0.0))
    assert before == Slowest(0.004, 0.004, 0.0)
    compare(found, before, slowest(windows(seconds=seconds, processor=processor, beside=beside)))
    assert bool(found.holds) == holds
    assert bool(found.faults) != holds
    assert [told in each for each in found.not_run] == ([True] if told else [])


def test_one_answer_in_a_hundred_does_not_count_and_two_do() -> None:
    quick = [Waited(0.001, 0.001)] * 98
    slow = Waited(1.0, 1.0)
    assert slowest([Window(1, 1, 1, 1, [*quick, quick[0], slow])]).seconds == 0.001
    assert slowest([Window(1, 1, 1, 1, [*quick, slow, slow])]).seconds == 1.0
