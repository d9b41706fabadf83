"""Simulation: billions of rounds by the same rules, and what they came to beside the exact odds."""

from typing import Final

MOST_SEED: Final = (1 << 64) - 1
"""The greatest seed of a run."""
