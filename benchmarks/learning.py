"""Environments for learning machines: many at once on the kernels beside Gymnasium's `sync`, in one run.

    python -m benchmarks.learning [SECONDS]

Both take random actions that are open; times are the processor's.  Ends with 1 if a vector of blackjack or craps is
slower than 100,000 steps a second, or not a hundred times as fast as `sync`.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import gymnasium
import numpy as np

import croupier.gym

GOAL, RATIO = 1e5, 100
GAMES = ("Blackjack", "CaribbeanStud", "Craps")
assert croupier.gym.__all__


def steps_a_second(name: str, mode: str, many: int, seconds: float) -> float:
    """How many steps of an environment are taken in a second, an open action each."""
    envs: Any = gymnasium.make_vec(f"croupier/{name}-v0", num_envs=many, vectorization_mode=mode)
    chance = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    _, *_, info = envs.step(_open(info, chance))
    steps, spent = 0, 0.0
    while spent < seconds:
        actions = _open(info, chance)
        start = time.process_time()
        *_, info = envs.step(actions)
        spent += time.process_time() - start
        steps += many
    return steps / spent


def _open(info: dict[str, Any], chance: np.random.Generator) -> Any:
    """An open action for each environment."""
    mask = np.asarray(info["action_mask"])
    return np.argmax(mask * chance.random(mask.shape), axis=1)


def main(seconds: float = 2.0) -> int:
    good = True
    for name in GAMES:
        fast = steps_a_second(name, "vector_entry_point", 4096, seconds)
        slow = steps_a_second(name, "sync", 8, seconds)
        print(f"{name:<14} {fast:>12,.0f} steps/s many at once {slow:>8,.0f} sync   ratio {fast / slow:>8,.0f}")
        good &= fast >= GOAL and fast / slow >= RATIO
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
