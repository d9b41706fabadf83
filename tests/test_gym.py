"""Environments for learning machines: the official checker, the rules' no, and play that comes near the optimum."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import croupier.gym
from croupier.equipment import full_shoe
from croupier.errors import BadInput
from croupier.exact.blackjack import solve
from croupier.exact.blackjack.policy import decide
from croupier.exact.caribbean_stud import play
from croupier.game import Refusal, Wager
from croupier.games.blackjack.play import turn
from croupier.round import place
from croupier.simulation.stud.dealing import slots_of
from croupier.simulation.stud.many import cards_of
from croupier.simulation.stud.twin import bets_by


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


# ---------------------------------------------------------------- many at once


def test_make_vec_makes_every_environment() -> None:
    games: dict[str, dict[str, Any]] = {"Blackjack": {"boxes": 2}, "CaribbeanStud": {}, "Craps": {"throws": 5}}
    for name, made in games.items():
        envs = gymnasium.make_vec(f"croupier/{name}-v0", num_envs=3, vectorization_mode="sync", **made)
        seen, _ = envs.reset(seed=4)
        assert seen in envs.observation_space
        for _ in range(6):
            seen, rewards, *_ = envs.step(np.zeros(3, dtype=np.int64))
            assert seen in envs.observation_space
            assert rewards.shape == (3,)


def _stud(many: int) -> croupier.gym.StudVectorEnv:
    envs = gymnasium.make_vec("croupier/CaribbeanStud-v0", num_envs=many, vectorization_mode="vector_entry_point")
    assert isinstance(envs, croupier.gym.StudVectorEnv)
    return envs


def test_many_tables_of_stud_are_as_many_single_ones_on_the_same_cards() -> None:
    """The slow path: every round dealt card by card through the rules."""
    envs, alone = _stud(40), croupier.gym.StudEnv()
    seen, _ = envs.reset(seed=11)
    slots, _ = slots_of(alone.ruleset.rules, 1)
    ended = set()
    for turn_number in range(4):
        dealt = cards_of(envs.dealt)
        chosen = (np.arange(40) + turn_number) % 2
        after, rewards, over, cut, info = envs.step(chosen)
        assert seen in envs.observation_space
        for n in range(40):
            deck = dict(zip(slots.ravel().tolist(), dealt[n, :10].tolist(), strict=True))
            alone.reset(seed=1)
            alone.shoe, alone.at = [deck[at] for at in range(10)], 0
            placed = place(alone._opened(), (Wager("ante", 1_000, by="p1", box=1),))
            assert not isinstance(placed, Refusal)
            alone.round = placed
            alone._on()
            assert np.array_equal(alone.observe(), seen[n])
            last, reward, ends, _, _ = alone.step(int(chosen[n]))
            assert ends
            assert reward == pytest.approx(rewards[n])
            assert np.array_equal(last, info["final_obs"][n])
            ended.add(reward)
        assert over.all()
        assert not cut.any()
        seen = after
    assert len(ended) >= 4


def test_the_best_play_of_many_tables_comes_to_the_optimum() -> None:
    """The exact optimum is the yardstick: within four standard errors, a round deviating by 2.24 antes."""
    envs = _stud(8192)
    bets = bets_by(play(envs.ruleset.rules))
    seen, _ = envs.reset(seed=3)
    total, steps = 0.0, 6
    for _ in range(steps):
        chosen = np.array([bets(tuple(row[:5]), row[5]) for row in seen.tolist()], dtype=np.int64)
        seen, rewards, *_ = envs.step(chosen)
        total += float(rewards.sum())
    rounds = steps * envs.num_envs
    assert total / rounds == pytest.approx(envs.optimum, abs=4 * 2.24 / rounds**0.5)
    seen, rewards, *_ = envs.step(np.zeros(envs.num_envs, dtype=np.int64))
    assert set(rewards.tolist()) == {-1.0}


def test_a_seed_tells_all_tables_and_nonsense_is_refused() -> None:
    def tale(seed: int) -> list[float]:
        envs = _stud(16)
        envs.reset(seed=seed)
        return [each for _ in range(3) for each in envs.step(np.ones(16, dtype=np.int64))[1].tolist()]

    assert tale(5) == tale(5)
    assert tale(5) != tale(6)
    with pytest.raises(BadInput, match="0 to fold or 1 to bet"):
        _stud(4).step(np.full(4, 2))
    with pytest.raises(BadInput, match="num_envs is a whole number"):
        croupier.gym.StudVectorEnv(0)
