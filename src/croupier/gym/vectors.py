"""Many environments in one, on the compiled tables of the kernels: blackjack, Caribbean stud, craps.

Theory of operation.  A step of all environments is one or two compiled calls (`simulation.blackjack.many`,
`simulation.stud.many`, `simulation.craps.many`), whose tables the games themselves filled.  An environment that is over
begins its next episode in the same step, which Gymnasium calls `SAME_STEP`; `info["final_obs"]` has what was seen at
its end.  Observations, masks, refusals and rewards are those of the single environments on the same cards and throws,
which tests hold.

    envs = gymnasium.make_vec("croupier/Blackjack-v0", num_envs=4096, vectorization_mode="vector_entry_point")

What the kernels do not carry is refused by its rule when the environments are made; Gymnasium's own `sync` and `async`
step one environment after the other, and take any rules.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.errors import BadInput
from croupier.exact.blackjack.paper.sheet import full_solved
from croupier.gym.environments import (
    EVERY_CARD,
    BlackjackEnv,
    CrapsEnv,
    Seen,
    StudEnv,
    checked_boxes,
    checked_throws,
    cut_at,
    seen_at_blackjack,
    seen_at_craps,
    yardstick_of,
)
from croupier.own import named
from croupier.rulesets import ruleset
from croupier.simulation.blackjack.many import BestPlay, TablesInPlay, many_tables
from croupier.simulation.craps.many import many_throws
from croupier.simulation.streams import MOST_UNITS
from croupier.simulation.stud.many import DEALT, HAND, cards_of, many_rounds

MOST_ENVS: Final = 1 << 20
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Seed = int | list[int | None] | None
Stepped = tuple[Seen, Floats, Bools, Bools, dict[str, Any]]


class ManyEnv(VectorEnv[Seen, Any, Any]):
    """So many environments under one rule set; what the games do not share is below."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    game: ClassVar[str]
    words: tuple[str, ...]

    def __init__(self, num_envs: int, edition: str, render_mode: str | None, elections: dict[str, object]) -> None:
        if type(num_envs) is not int or not 1 <= num_envs <= MOST_ENVS:
            raise BadInput(f"num_envs is a whole number from 1 to {MOST_ENVS}: {num_envs!r:.20}")
        self.ruleset = ruleset(named(edition), game=self.game, elections=elections)
        self.num_envs, self.render_mode = num_envs, render_mode

    def _spaces(self, seen: spaces.Space[Any]) -> None:
        self.single_observation_space = seen
        self.single_action_space = spaces.Discrete(len(self.words))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _begin(self, seed: Seed, options: dict[str, Any] | None) -> None:
        """Let a seed tell all that follows; of a list the first counts."""
        super().reset(seed=seed[0] if isinstance(seed, list) else seed, options=options)

    def _acts(self, actions: Any) -> Seen:
        """The actions as numbers, one for each environment."""
        chosen = np.asarray(actions)
        fits = chosen.shape == (self.num_envs,) and np.issubdtype(chosen.dtype, np.integer)
        if not fits or not ((chosen >= 0) & (chosen < len(self.words))).all():
            last = len(self.words) - 1
            meant = f"0 ({self.words[0]}) to {last} ({self.words[last]})"
            raise BadInput(f"actions are {self.num_envs} whole numbers from {meant}")
        return chosen.astype(np.int64)


class BlackjackVectorEnv(ManyEnv):
    """So many tables of blackjack, each with a shoe and one to seven boxes: see `BlackjackEnv`."""

    game = BlackjackEnv.game
    words = BlackjackEnv.words

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "nz1996",
        *,
        boxes: int = 1,
        fresh: bool = False,
        render_mode: str | None = None,
        **elections: object,
    ) -> None:
        super().__init__(num_envs, edition, render_mode, elections)
        rules = self.ruleset.rules
        self._spaces(seen_at_blackjack(rules))
        try:
            self._many = many_tables(rules, checked_boxes(boxes), cut=cut_at(rules, fresh=fresh))
        except BadInput:
            raise
        except ValueError as error:
            raise BadInput(str(error)) from error
        self.play = TablesInPlay(self._many, num_envs, 0)
        self._against: dict[int, str] = {}

    def reset(self, *, seed: Seed = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """New shoes everywhere; a seed tells all that follows, and of a list the first counts."""
        self._begin(seed, options)
        self.play = TablesInPlay(self._many, self.num_envs, int(self.np_random.integers(1 << 32)))
        return self.play.observed.copy(), {"action_mask": self.play.mask.copy()}

    def step(self, actions: Any) -> Stepped:
        """Carry out the action of each table, up to its next choice."""
        chosen, play = self._acts(actions), self.play
        try:
            play.step(chosen)
        except ValueError as error:
            raise BadInput(EVERY_CARD) from error
        info: dict[str, Any] = {"action_mask": play.mask.copy()}
        if play.over.any():
            info |= {"final_obs": play.final.copy(), "_final_obs": play.over.copy()}
        if play.closed.any():
            info |= {"refused": self._refused(chosen), "_refused": play.closed.copy()}
        none = np.zeros(self.num_envs, dtype=np.bool_)
        return play.observed.copy(), play.rewards.copy(), play.over.copy(), none, info

    def _refused(self, chosen: Seen) -> NDArray[np.object_]:
        """The rule against each action that was not open; what is asked alike is looked up once."""
        play, found = self.play, np.full(self.num_envs, "", dtype=object)
        closed = np.flatnonzero(play.closed)
        keys, first, which = np.unique(play.asked_alike(closed, chosen), return_index=True, return_inverse=True)
        for key, n in zip(keys.tolist(), closed[first].tolist(), strict=True):
            if key not in self._against:
                self._against[key] = self._many.refused(play.table[n], play.box[n], int(chosen[n]))
        found[closed] = np.array([self._against[key] for key in keys.tolist()], dtype=object)[which]
        return found

    def best(self) -> Seen:
        """What the best play for a full shoe does now at each table."""
        return self._best.actions(self.play)

    @cached_property
    def _best(self) -> BestPlay:
        return BestPlay(full_solved(self.ruleset.rules).main, self._many.held, self._many.hands)

    @cached_property
    def optimum(self) -> float:
        """What the best play wins on a box in a round, on average; it takes seconds."""
        return full_solved(self.ruleset.rules).main_worth


class StudVectorEnv(ManyEnv):
    """So many tables of Caribbean stud with one box each, a fresh pack every round."""

    game = StudEnv.game
    words = StudEnv.words

    def __init__(
        self, num_envs: int = 1, edition: str = "nz1996", *, render_mode: str | None = None, **elections: object
    ) -> None:
        super().__init__(num_envs, edition, render_mode, elections)
        self._spaces(StudEnv.observation_space)
        self._rounds = many_rounds(self.ruleset.rules)
        self._seed, self._next = 0, 0
        self.dealt = self._deal()

    def reset(self, *, seed: Seed = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal anew; a seed tells all that follows, and of a list the first counts."""
        self._begin(seed, options)
        self._seed, self._next = int(self.np_random.integers(1 << 32)), 0
        self.dealt = self._deal()
        return self._observed(), {"action_mask": self._mask}

    def step(self, actions: Any) -> Stepped:
        """Settle the round of each environment, and deal its next."""
        rewards = self._rounds.settled(self.dealt, self._acts(actions) == self.words.index("bet"))
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


class CrapsVectorEnv(ManyEnv):
    """So many tables of craps, each with one bettor: see `CrapsEnv`."""

    game = CrapsEnv.game
    optimum: ClassVar[float] = CrapsEnv.optimum

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "nz1996",
        *,
        throws: int = 100,
        render_mode: str | None = None,
        **elections: object,
    ) -> None:
        super().__init__(num_envs, edition, render_mode, elections)
        self._many = many_throws(self.ruleset.rules)
        self.throws, self.wagers, self.spots = checked_throws(throws), self._many.wagers, self._many.spots
        self.words = ("nothing", *self.wagers)
        self._spaces(seen_at_craps(self.ruleset.rules))
        self._points = np.array([point or 0 for point in self._many.points], dtype=np.int64)
        self.fell = np.zeros(num_envs, dtype=np.int64)
        """The last throws, as numbers of the kernel's `throws`."""
        self._open_tables()

    def _open_tables(self) -> None:
        self.point = np.zeros(self.num_envs, dtype=np.int64)
        self.units = np.zeros((self.num_envs, len(self.spots)), dtype=np.int64)
        self.thrown = np.zeros(self.num_envs, dtype=np.int64)
        self.mask = self._many.open_to(self.point, self.units)

    def reset(self, *, seed: Seed = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Empty tables before a come out roll; a seed tells all that follows, and of a list the first counts."""
        self._begin(seed, options)
        self._open_tables()
        return self._observed(), {"action_mask": self.mask.copy()}

    def step(self, actions: Any) -> Stepped:
        """Place, throw and settle at each table; what is not open is refused, and its table does not throw."""
        chosen = self._acts(actions)
        closed = self.mask[np.arange(self.num_envs), chosen] == 0
        self.fell = np.where(closed, -1, self.np_random.integers(len(self._many.throws), size=self.num_envs))
        rewards = self._many.after(self.point, self.units, chosen, self.fell)
        self.thrown += ~closed
        info: dict[str, Any] = {}
        if closed.any():
            info |= {"refused": self._refused(chosen, closed), "_refused": closed}
        over = self.thrown >= self.throws
        if over.any():
            info |= {"final_obs": self._observed(), "_final_obs": over}
            self.point[over], self.units[over], self.thrown[over] = 0, 0, 0
        self.mask = self._many.open_to(self.point, self.units)
        info["action_mask"] = self.mask.copy()
        return self._observed(), rewards, np.zeros(self.num_envs, dtype=np.bool_), over.copy(), info

    def _refused(self, chosen: Seen, closed: Bools) -> NDArray[np.object_]:
        """The rule against each wager that was not taken."""
        found = np.full(self.num_envs, "", dtype=object)
        for n in np.flatnonzero(closed).tolist():
            found[n] = self._many.refused(int(self.point[n]), self.units[n], int(chosen[n]) - 1)
        return found

    def _observed(self) -> Seen:
        return np.concatenate([self._points[self.point][:, None], self.units], axis=1)

    def best(self) -> Seen:
        """To place nothing: every wager costs, or is worth nought."""
        return np.zeros(self.num_envs, dtype=np.int64)

    @cached_property
    def yardstick(self) -> dict[str, float]:
        """What a unit on each wager brings, on average."""
        return yardstick_of(self.ruleset)
