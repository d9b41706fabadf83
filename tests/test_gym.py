"""Environments for learning machines: the official checker, the rules' no, and play that comes near the optimum."""

from __future__ import annotations

import doctest
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import croupier.gym
from croupier.errors import BadInput
from croupier.exact.caribbean_stud import play
from croupier.law.model import present
from croupier.simulation.blackjack.many import START
from croupier.simulation.stud.dealing import slots_of
from croupier.simulation.stud.many import cards_of
from croupier.simulation.stud.twin import bets_by

THROWS = list(product(range(1, 7), repeat=2))


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
    for word, rule in (("surrender", "NZ1996-II-7.4"), ("insure", "NZ1996-II-9.3"), ("even_money", "NZ1996-II-8.3")):
        after, reward, over, cut, details = env.step(env.words.index(word))
        assert (reward, over, cut, details["refused"]) == (0.0, False, False, rule)
        assert np.array_equal(seen, after)


def test_a_shoe_goes_on_to_the_cutting_card_and_a_round_goes_on_without_it() -> None:
    """Discards are mixed where the cards run out in a round: none is dealt twice."""
    env = croupier.gym.BlackjackEnv()
    env.reset(seed=8)
    before = env.at
    env.step(0)
    env.reset()
    assert env.at > before
    env.at = len(env.shoe) - 2
    env._begin()
    _, _, _, _, info = env.step(int(np.flatnonzero(env._info()["action_mask"])[0]))
    assert "refused" not in info
    assert len(env.shoe) == 52 * env.ruleset.rules.decks.value.elected
    assert sorted(env.shoe) == sorted([*range(52)] * env.ruleset.rules.decks.value.elected)
    env.reset()
    assert env.at < 10
    tight = croupier.gym.BlackjackEnv("american.toml", boxes=7, decks=1)
    tight.reset(seed=1)
    tight.start, tight.at = 0, len(tight.shoe)
    with pytest.raises(BadInput, match="took every card"):
        tight._card()


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
                    _, reward, over, _, _ = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
            won.append(reward)
            env.reset()
        return won

    assert tale(5) == tale(5)
    assert tale(5) != tale(6)


def test_the_best_play_comes_near_the_optimum() -> None:
    """Within four standard errors, a round deviating by 1.15 units; who always draws is far from it."""
    env = croupier.gym.BlackjackEnv("american.toml")

    def mean(*, best: bool, rounds: int) -> float:
        env.reset(seed=1)
        total = 0.0
        for _ in range(rounds):
            over, reward = False, 0.0
            while not over:
                draws = env.words.index("decline" if env.offered else "hit")
                _, reward, over, _, _ = env.step(env.best() if best else draws)
            total += reward
            env.reset()
        return total / rounds

    assert mean(best=True, rounds=250) == pytest.approx(env.optimum, abs=4 * 1.15 / 250**0.5)
    assert mean(best=False, rounds=100) < -0.4


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
    assert env.best() == env.words.index("nothing")
    with pytest.raises(BadInput, match="throws is a whole number"):
        croupier.gym.CrapsEnv(throws=0)


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


MANY: dict[str, dict[str, Any]] = {
    "Blackjack": {"edition": "american.toml", "boxes": 2},
    "CaribbeanStud": {},
    "Craps": {"throws": 7},
}


@pytest.mark.parametrize("name", MANY)
def test_many_at_once_keep_to_the_interface(name: str) -> None:
    """Gymnasium has no checker of vectors: spaces, shapes, seeds, and its own wrapper that counts episodes."""

    def made() -> Any:
        return gymnasium.make_vec(
            f"croupier/{name}-v0", num_envs=16, vectorization_mode="vector_entry_point", **MANY[name]
        )

    envs, again = RecordEpisodeStatistics(made()), made()
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert gymnasium.spec(f"croupier/{name}-v0").vector_entry_point
    seen, info = envs.reset(seed=9)
    other, _ = again.reset(seed=9)
    episodes = 0
    for _ in range(20):
        assert seen in envs.observation_space
        assert seen[0] in envs.single_observation_space
        assert seen.dtype == envs.single_observation_space.dtype
        assert np.array_equal(seen, other)
        mask = info["action_mask"]
        assert mask.shape == (16, len(again.words))
        assert mask.any(axis=1).all()
        actions = np.array([np.flatnonzero(row)[-1] for row in mask])
        assert actions in envs.action_space
        seen, rewards, over, cut, info = envs.step(actions)
        other, same, *_ = again.step(actions)
        assert rewards.shape == over.shape == cut.shape == (16,)
        assert [str(each.dtype) for each in (rewards, over, cut)] == ["float64", "bool", "bool"]
        assert np.array_equal(rewards, same)
        assert "refused" not in info
        ended = over | cut
        if ended.any():
            episodes += int(ended.sum())
            assert np.array_equal(info["_final_obs"], ended)
            assert info["final_obs"] in envs.observation_space
    assert envs.episode_count == episodes > 0
    different, _ = again.reset(seed=10)
    assert np.array_equal(different, again.reset(seed=[10] + [None] * 15)[0])
    for nonsense in (np.full(16, 99), np.zeros(3, dtype=np.int64), np.full(16, 0.5), np.full(16, -1)):
        with pytest.raises(BadInput, match="actions are 16 whole numbers from 0"):
            again.step(nonsense)
    envs.close()
    with pytest.raises(BadInput, match="num_envs is a whole number"):
        gymnasium.make_vec(f"croupier/{name}-v0", num_envs=0, vectorization_mode="vector_entry_point")


def _any_open(rng: np.random.Generator, mask: Any, often: Any) -> Any:
    """An action for each environment: an open one, some more often, and now and then one that is not."""
    weights = (mask + 0.01) * often
    return np.array([rng.choice(len(row), p=row / row.sum()) for row in weights])


@pytest.mark.parametrize(
    ("edition", "boxes", "elections"),
    [("nz1996", 3, {"burn_card": True}), ("american.toml", 2, {})],
)
def test_many_tables_of_blackjack_are_as_many_single_ones_on_the_same_cards(
    edition: str, boxes: int, elections: dict[str, Any]
) -> None:
    """The slow path: every step through the rules; what is seen, open, refused and won is the same."""
    many = 5
    envs = croupier.gym.BlackjackVectorEnv(many, edition, boxes=boxes, **elections)
    alone = [croupier.gym.BlackjackEnv(edition, boxes=boxes, **elections) for _ in range(many)]
    burned = int(envs.ruleset.rules.burn_card.value.elected)
    often = np.where(np.array(envs.words) == "split", 5, 1)
    rng = np.random.default_rng(5)
    seen, info = envs.reset(seed=5)

    def same_shoe(n: int) -> None:
        """A shoe that was mixed anew lies at the single table too."""
        if envs.play.table[n, START] == burned:
            alone[n].shoe, alone[n].at = envs.play.shoe[n].tolist(), burned

    for n, env in enumerate(alone):
        same_shoe(n)
        env._begin()
    done, refusals = set(), set()
    for _ in range(70):
        for n, env in enumerate(alone):
            assert np.array_equal(env.observe(), seen[n])
            assert np.array_equal(env._info()["action_mask"], info["action_mask"][n])
        if present(envs.ruleset.rules.surrender):
            asked = np.flatnonzero(seen[:, 0])
            assert [alone[n].best() for n in asked] == envs.best()[asked].tolist()
        actions = _any_open(rng, info["action_mask"], often)
        seen, rewards, over, _, info = envs.step(actions)
        refused = info.get("refused", [""] * many)
        for n, env in enumerate(alone):
            last, reward, ends, _, details = env.step(int(actions[n]))
            assert reward == pytest.approx(rewards[n])
            assert ends == over[n]
            assert details.get("refused", "") == refused[n]
            done.add(env.words[actions[n]])
            refusals.add(refused[n])
            if ends:
                assert np.array_equal(last, info["final_obs"][n])
                same_shoe(n)
                env._begin()
    assert done >= {"stand", "hit", "double", "split", "insure", "decline"}
    assert len(refusals) >= 4


def test_the_best_play_of_many_tables_of_blackjack_comes_to_the_optimum() -> None:
    """The exact optimum is the yardstick, from fresh shoes: within four standard errors; who always stands loses."""
    envs = croupier.gym.BlackjackVectorEnv(8192, "american.toml", fresh=True)

    def mean(*, best: bool, steps: int) -> tuple[float, float]:
        envs.reset(seed=3)
        won = []
        for _ in range(steps):
            stands = np.where(envs.play.mask[:, 0] > 0, 0, np.where(envs.play.mask[:, 1] > 0, 1, 7))
            _, rewards, over, _, info = envs.step(envs.best() if best else stands)
            assert "refused" not in info
            won.append(rewards[over])
        each = np.concatenate(won)
        return float(each.mean()), float(each.std() / len(each) ** 0.5)

    value, error = mean(best=True, steps=70)
    assert error < 0.0025
    assert value == pytest.approx(envs.optimum, abs=4 * error)
    assert mean(best=False, steps=10)[0] < envs.optimum - 0.04


def test_what_the_kernels_do_not_carry_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'name = "four"\ntitle = "Four hands"\nsource = "own"\ngame = "blackjack"\nbase = "nz1996/blackjack"\n[values]\n'
        'split.hands = { value = 4, rule = "1", says = "Four hands." }\n'
    )
    edition = str(tmp_path / "own.toml")
    assert croupier.gym.BlackjackEnv(edition).reset(seed=1)
    with pytest.raises(BadInput, match=r"more than three hands \(four-1\)"):
        croupier.gym.BlackjackVectorEnv(4, edition)


def test_many_tables_of_craps_are_as_many_single_ones_on_the_same_throws() -> None:
    """The slow path: every wager and throw through the rules."""
    many = 5
    envs, alone = croupier.gym.CrapsVectorEnv(many, throws=40), [croupier.gym.CrapsEnv(throws=40) for _ in range(many)]
    seen, info = envs.reset(seed=4)
    often = np.array([8 if "odds" in word or "behind" in word else 1 for word in envs.words])
    often[1:5] = 6
    for env in alone:
        env.reset(seed=1)
    rng = np.random.default_rng(2)
    placed, refusals = set(), set()
    for _ in range(60):
        for n, env in enumerate(alone):
            assert np.array_equal(env.observe(), seen[n])
            assert np.array_equal(env._info()["action_mask"], info["action_mask"][n])
        actions = _any_open(rng, info["action_mask"], often)
        seen, rewards, _, cut, info = envs.step(actions)
        refused = info.get("refused", [""] * many)
        for n, env in enumerate(alone):
            env._throw = partial(THROWS.__getitem__, int(envs.fell[n]))  # type: ignore[method-assign]
            last, reward, _, ends, details = env.step(int(actions[n]))
            assert reward == pytest.approx(rewards[n])
            assert ends == cut[n]
            assert details.get("refused", "") == refused[n]
            placed.add(env.words[actions[n]])
            refusals.add(refused[n])
            if ends:
                assert np.array_equal(last, info["final_obs"][n])
                env.reset()
    assert len(placed) > 40
    assert len(refusals) >= 3


def test_every_wager_of_the_craps_tables_is_worth_its_exact_edge() -> None:
    """The chain of each spot solved: to the last digit what the odds sheet says, wherever it may be placed."""
    envs = croupier.gym.CrapsVectorEnv(1)
    many = envs._many
    spots, points, throws = many.moves.shape
    left, right = np.eye(spots * points), many.brings.mean(axis=2).ravel()
    for spot, point, throw in np.argwhere(many.moves >= 0).tolist():
        to = many.moves[spot, point, throw] * points + many.step[point, throw]
        left[spot * points + point, to] -= 1 / throws
    worth = np.linalg.solve(left, right).reshape(spots, points)
    assert set(envs.yardstick) == set(many.wagers)
    for wager, name in enumerate(many.wagers):
        assert worth[wager][many.placed[wager]] == pytest.approx(envs.yardstick[name], abs=1e-9), name


def test_pass_at_many_tables_of_craps_comes_to_its_edge() -> None:
    """A Pass on every come out roll: within four standard errors of seven in 495 for each that is decided."""
    envs = croupier.gym.CrapsVectorEnv(8192, throws=10_000)
    _, info = envs.reset(seed=6)
    brought, decided = 0.0, 0
    for _ in range(60):
        _, rewards, *_, info = envs.step(info["action_mask"][:, envs.words.index("pass")].astype(np.int64))
        brought, decided = brought + float(rewards.sum()), decided + int((rewards != 0).sum())
    assert brought / decided == pytest.approx(envs.yardstick["pass"], abs=4 / decided**0.5)
    assert not envs.best().any()
    assert envs.optimum == 0


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
            alone._begin()
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


def test_the_example_of_the_document_runs() -> None:
    failed, tried = doctest.testfile(str(Path("docs/learning-machines.md").resolve()), module_relative=False)
    assert (failed, tried) == (0, 9)
