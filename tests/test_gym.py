"""Environments for learning machines: the official checker, the rules' no, and play that comes near the optimum."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import croupier.gym
from croupier.equipment import full_shoe
from croupier.exact.blackjack import solve
from croupier.exact.blackjack.policy import decide
from croupier.games.blackjack.play import turn


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Blackjack", {"edition": "american.toml"}),
        ("Blackjack", {"boxes": 3}),
        ("CaribbeanStud", {}),
        ("Craps", {"throws": 20}),
    ],
)
def test_the_official_checker_passes(name: str, made: dict[str, Any]) -> None:
    check_env(gymnasium.make(f"croupier/{name}-v0", **made).unwrapped)


def test_what_is_not_open_is_refused_by_its_rule() -> None:
    env = croupier.gym.BlackjackEnv()
    seen, info = env.reset(seed=3)
    assert info["action_mask"][1] == 1
    after, reward, over, cut, details = env.step(4)
    assert (reward, over, cut) == (0.0, False, False)
    assert details["refused"] == "NZ1996-II-7.4"
    assert np.array_equal(seen, after)


def test_a_seed_tells_the_whole_game() -> None:
    def tale(seed: int) -> list[float]:
        env = croupier.gym.BlackjackEnv("american.toml", boxes=2)
        env.reset(seed=seed)
        won = []
        for _ in range(30):
            over, reward = False, 0.0
            while not over:
                _, reward, over, _, info = env.step(0)
                if "refused" in info:
                    _, reward, over, _, _ = env.step(1)
            won.append(reward)
            env.reset()
        return won

    assert tale(5) == tale(5)
    assert tale(5) != tale(6)


def test_the_best_play_comes_near_the_optimum() -> None:
    """Within four standard errors, a round deviating by 1.15 units; who always draws is far from it."""
    env = croupier.gym.BlackjackEnv("american.toml")
    policy = solve(env.ruleset.rules, full_shoe(6)).main

    def mean(*, best: bool) -> float:
        env.reset(seed=1)
        total = 0.0
        for _ in range(1200):
            over, reward = False, 0.0
            while not over:
                now = turn(env.ruleset.rules, env.round.state)
                word = "hit"
                if best and now.box is not None and now.hand is not None:
                    word = decide(policy, env.ruleset.rules, env.round.state, now.box, now.hand)
                _, reward, over, _, _ = env.step(env.words.index(word))
            total += reward
            env.reset()
        return total / 1200

    assert mean(best=True) == pytest.approx(env.optimum, abs=4 * 1.15 / 1200**0.5)
    assert mean(best=False) < -0.4


def test_craps_keeps_its_books() -> None:
    env = croupier.gym.CrapsEnv(throws=30)
    env.reset(seed=2)
    total, cut = 0.0, False
    while not cut:
        open_to = env._info()["action_mask"]
        _, reward, _, cut, _ = env.step(int(np.flatnonzero(open_to)[-1]))
        total += reward
    assert total == pytest.approx(env.brought)
    assert env.yardstick["dont_pass"] == pytest.approx(-3 / 220)
