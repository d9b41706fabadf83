"""Days of the simulated house on which something was found, played again from their seeds."""

from __future__ import annotations

from croupier.prove.world.days import play
from croupier.prove.world.model import check


def test_who_takes_a_journal_back_goes_on_from_what_is_durable() -> None:
    """What was decided again while another process kept the journal was gone on from, upon lines that never were."""
    assert play(2_200_005, 25, check).faults == []


def test_the_model_takes_the_ledgers_word_for_what_is_owed_too() -> None:
    """A round with an irregularity was invalidated after its winner had cashed out; what was owed was forgotten."""
    assert play(1_100_000, 25, check).faults == []
