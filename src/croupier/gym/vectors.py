"""Many environments in one, on the compiled tables: Caribbean stud.

Theory of operation.  A round of Caribbean stud is one decision, so a step of all environments is: settle what was
chosen, deal the next rounds, tell what is seen.  Both are compiled calls of `simulation.stud.many`.  An environment
that is over begins its next round in the same step, which Gymnasium calls `SAME_STEP`; `info["final_obs"]` has what was
seen at its end.  Rewards and observations are those of `StudEnv` on the same cards, which a test holds.

    envs = gymnasium.make_vec("croupier/CaribbeanStud-v0", num_envs=4096, vectorization_mode="vector_entry_point")

The other games are vectorised by Gymnasium's own `sync` and `async`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.errors import BadInput
from croupier.gym.environments import Seen, StudEnv
from croupier.own import named
from croupier.rulesets import ruleset
from croupier.simulation.streams import MOST_UNITS
from croupier.simulation.stud.many import DEALT, HAND, cards_of, many_rounds

MOST_ENVS = 1 << 20
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class StudVectorEnv(VectorEnv[Seen, Any, Any]):
    """So many tables of Caribbean stud with one box each, a fresh pack every round."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    words = StudEnv.words

    def __init__(
        self, num_envs: int = 1, edition: str = "nz1996", *, render_mode: str | None = None, **elections: object
    ) -> None:
        if type(num_envs) is not int or not 1 <= num_envs <= MOST_ENVS:
            raise BadInput(f"num_envs is a whole number from 1 to {MOST_ENVS}: {num_envs!r:.20}")
        self.ruleset = ruleset(named(edition), game=StudEnv.game, elections=elections)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = StudEnv.observation_space
        self.single_action_space = spaces.Discrete(len(self.words))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rounds = many_rounds(self.ruleset.rules)
        self._seed, self._next = 0, 0
        self.dealt = self._deal()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal anew; a seed tells all that follows, and of a list the first counts."""
        super().reset(seed=seed[0] if isinstance(seed, list) else seed, options=options)
        self._seed, self._next = int(self.np_random.integers(1 << 32)), 0
        self.dealt = self._deal()
        return self._observed(), {"action_mask": self._mask}

    def step(self, actions: Any) -> tuple[Seen, Floats, Bools, Bools, dict[str, Any]]:
        """Settle the round of each environment, and deal its next."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or not np.isin(chosen, (0, 1)).all():
            raise BadInput(f"actions are {self.num_envs} numbers, 0 to fold or 1 to bet")
        rewards = self._rounds.settled(self.dealt, chosen == self.words.index("bet"))
        final = np.full((self.num_envs, HAND + 1), -1, dtype=np.int64)
        final[:, HAND] = cards_of(self.dealt[:, DEALT])
        self.dealt = self._deal()
        over = np.ones(self.num_envs, dtype=np.bool_)
        info = {"action_mask": self._mask, "final_obs": final, "_final_obs": over.copy()}
        return self._observed(), rewards, over, np.zeros(self.num_envs, dtype=np.bool_), info

    @property
    def _mask(self) -> NDArray[np.int8]:
        return np.ones((self.num_envs, len(self.words)), dtype=np.int8)

    def _deal(self) -> Seen:
        """Rounds that were never dealt before under this seed."""
        units = np.arange(self._next, self._next + self.num_envs, dtype=np.int64) % MOST_UNITS
        self._next += self.num_envs
        return self._rounds.dealt(self._seed, units)

    def _observed(self) -> Seen:
        held = np.sort(cards_of(self.dealt[:, :HAND]), axis=1)
        return np.concatenate([held, cards_of(self.dealt[:, DEALT:])], axis=1)

    @cached_property
    def optimum(self) -> float:
        """What the best play wins for an ante, on average; it takes seconds."""
        from croupier.exact.caribbean_stud import play

        return -float(play(self.ruleset.rules).edge)
