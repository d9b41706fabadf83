"""Running: the same counts whoever plays, lost workers, interrupts, progress; bad input; the command and its page."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from ast import literal_eval
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.cli import app as cli
from croupier.exact.caribbean_stud import STRATEGIES, play
from croupier.law.ruleset import Ruleset
from croupier.rulesets import ruleset
from croupier.simulation import plan
from croupier.simulation.blackjack import plan_of
from croupier.simulation.plan import Chunk, Program, SimulationSettings, Tally
from croupier.simulation.results import Result
from croupier.simulation.run import PLUGINS, Progress, Watch, _Run, prepared, simulate, uncompiled

MIMIC = {"hard 4-16": "hit", "hard 17-21": "stand", "soft 12-16": "hit", "soft 17-21": "stand"}
STANDING = {"hard 4-11": "hit", "hard 12-21": "stand", "soft 12-21": "stand"}
THUMB = "three rules of thumb"
CASES = (
    ("baccarat", "nz1998", 300_001, SimulationSettings()),
    ("baccarat", "vic2002", 200_000, SimulationSettings()),
    ("roulette", "nz1996", 1_000_003, SimulationSettings()),
    ("craps", "nz1996", 500_009, SimulationSettings(strategy="pass_with_odds")),
    ("craps", "nz1996", 200_000, SimulationSettings(strategy="pass", session=70)),
    ("blackjack", "nz1996", 600_007, SimulationSettings(strategy=[MIMIC, STANDING], boxes=2)),
    ("blackjack", "nz1996", 300_000, SimulationSettings(strategy=MIMIC, session=90)),
    (
        "caribbean_stud",
        "nz1996",
        700_001,
        SimulationSettings(strategy=THUMB, boxes=2, pool_cents=50_000_00, stake_cents=250),
    ),
    ("caribbean_stud", "nz1996", 400_000, SimulationSettings(strategy=THUMB, session=80)),
)
FAR = (CASES[0], CASES[3], CASES[5], CASES[7])
"""One of each kind of kernel, for other processes and machines."""


def counts(result: Result) -> tuple[object, ...]:
    """All that a run counted."""
    return result.rounds, result.lines, result.outcomes, result.sessions


@cache
def ready(game: str, words: str) -> object:
    """A strategy that takes a second to make, made once."""
    rules = ruleset("nz1996", game=game).rules
    return play(rules, STRATEGIES[words]) if game == "caribbean_stud" else plan_of(rules, literal_eval(words))


def strategy_of(game: str, given: object) -> object:
    if isinstance(given, list):
        return [strategy_of(game, each) for each in given]
    return ready(game, str(given)) if game in ("caribbean_stud", "blackjack") else given


def run(game: str, edition: str, rounds: int, settings: SimulationSettings, **options: Any) -> Result:
    settings = replace(settings, strategy=strategy_of(game, settings.strategy))
    return simulate(ruleset(edition, game=game), rounds=rounds, seed=42, settings=settings, exact=False, **options)


@pytest.mark.parametrize(("game", "edition", "rounds", "settings"), CASES, ids=lambda each: str(each)[:20])
def test_the_same_seed_gives_the_same_counts_whoever_plays(
    game: str, edition: str, rounds: int, settings: SimulationSettings
) -> None:
    alone = run(game, edition, rounds, settings, workers=1)
    assert alone.rounds == rounds
    assert counts(run(game, edition, rounds, settings, workers=2)) == counts(alone)
    assert counts(run(game, edition, rounds, settings, workers=7)) == counts(alone)


def test_processes_count_as_threads_do() -> None:
    with ProcessPoolExecutor(2) as processes:
        for game, edition, rounds, settings in FAR:
            here = run(game, edition, rounds, settings, workers=2)
            assert counts(run(game, edition, rounds, settings, executor=processes)) == counts(here)


@contextmanager
def local_cluster() -> Iterator[str]:
    """A Dask scheduler with two worker processes, as other machines would be."""
    distributed = pytest.importorskip(
        "distributed", reason="the extra [cluster] is not installed: no cluster was tried"
    )
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_counts_as_threads_do_and_a_lost_worker_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    from croupier.simulation.cluster import cluster

    game, edition, rounds, settings = CASES[0]
    here = run(game, edition, rounds, settings, workers=2)
    with local_cluster() as address, cluster(address) as (executor, hands):
        assert hands == 2
        for case in FAR:
            assert counts(run(*case, executor=executor, workers=hands)) == counts(run(*case, workers=2))
        killed: list[int] = []

        def kill(progress: Progress) -> None:
            if not killed:
                killed.append(next(iter(executor._client.run(os.getpid).values())))  # type: ignore[attr-defined]
                os.kill(killed[0], signal.SIGKILL)

        more = 15_000_000
        found = run(game, edition, more, settings, executor=executor, workers=hands, watch=Watch(tell=kill))
        assert killed
        assert counts(found) == counts(run(game, edition, more, settings))
        words = [game, "--edition", edition, "--rounds", str(rounds), "--seed", "42", "--cluster", address, "--json"]
        assert cli.run(["simulate", *words]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["outcomes"] == dict(here.outcomes)


IN_A_PROCESS_OF_ITS_OWN = """
import sys
from croupier.simulation.cluster import cluster
with cluster(sys.argv[1]) as (executor, hands):
    print(executor.submit(sum, (hands, 40)).result())
"""


@pytest.mark.filterwarnings("ignore")
def test_a_process_that_knew_nothing_of_clusters_has_its_work_done_there() -> None:
    """What a cluster refuses is played here, with the same counts: only its answer shows that it was asked."""
    with local_cluster() as address:
        command = (sys.executable, "-c", IN_A_PROCESS_OF_ITS_OWN, address)
        assert subprocess.run(command, capture_output=True, check=True, text=True).stdout == "42\n"


def test_an_unreachable_cluster_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["simulate", "roulette", "--edition", "nz1996", "--cluster", "tcp://127.0.0.1:9"]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    reason = "no cluster answers at" if find_spec("distributed") else "needs the extra [cluster]"
    assert reason in line


def test_a_larger_seed_is_another_run() -> None:
    rules = ruleset("nz1996", game="roulette")
    runs = [simulate(rules, rounds=1000, seed=seed, exact=False).outcomes for seed in (0, 1, 2**64 - 1)]
    assert len(set(runs)) == 3


def test_n_rounds_are_the_first_of_more() -> None:
    """A run goes on where a shorter one ended: no count ever falls."""
    rules = ruleset("nz1998")
    before: dict[str, int] = {}
    for rounds in (1, 79, 80, 5_000, 5_001, 40_000):
        result = simulate(rules, rounds=rounds, seed=9, exact=False)
        assert all(dict(result.outcomes)[name] >= times for name, times in before.items())
        before = dict(result.outcomes)
        assert sum(before.values()) == rounds


# ---------------------------------------------------------------- trouble


class Losing(Executor):
    """An executor that loses every third chunk with its worker, and at last breaks down."""

    def __init__(self) -> None:
        self.given = 0
        self.threads = ThreadPoolExecutor(2)

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        self.given += 1
        if self.given > 12:
            raise RuntimeError("cannot take any more work")
        if self.given % 3 == 0:
            lost: Future[Any] = Future()
            lost.set_exception(ConnectionError("the worker is gone"))
            return lost
        return self.threads.submit(work, *given, **named)


def test_lost_chunks_are_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.simulation.run.REMOTE", 1)
    game, edition, settings = "baccarat", "nz1998", SimulationSettings()
    executor = Losing()
    found = run(game, edition, 20_000_000, settings, executor=executor, workers=2)
    assert executor.given > 12
    assert counts(found) == counts(run(game, edition, 20_000_000, settings))


def die(program: Program, chunk: Chunk) -> Tally:
    """A worker process that ends in the middle of its work, once."""
    os._exit(1)


class Dying(ProcessPoolExecutor):
    """A pool of processes of which one is killed by its second chunk."""

    given = 0

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        self.given += 1
        return super().submit(die if self.given == 2 else work, *given, **named)


def test_a_killed_process_costs_time_and_nothing_else() -> None:
    game, edition, rounds, settings = CASES[3]
    with Dying(2) as processes:
        found = run(game, edition, rounds, settings, executor=processes, workers=2)
    assert processes.given >= 2
    assert counts(found) == counts(run(game, edition, rounds, settings))


def test_a_fault_of_the_kernel_itself_is_not_hidden() -> None:
    def broken(tables: object, chunk: Chunk, counts: object) -> int:
        raise ZeroDivisionError("a fault")

    program = Program(broken, (), 1, 1, 1.0)
    with ThreadPoolExecutor(1) as threads, pytest.raises(ZeroDivisionError):
        _Run(program, 10, 1, Watch()).through(threads, 1, 1)


def test_an_interrupt_gives_the_result_so_far() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.rounds > 3_000_000:
            raise KeyboardInterrupt

    rules = ruleset("nz1998")
    result = simulate(rules, rounds=10**12, seed=42, watch=Watch(tell=interrupt), exact=False)
    assert result.interrupted
    assert 3_000_000 < result.rounds < 10**12
    assert result.asked == 10**12
    again = simulate(rules, rounds=result.rounds, seed=42, exact=False)
    assert (again.outcomes, again.interrupted) == (result.outcomes, False)


def test_progress_tells_rate_and_time_left() -> None:
    ticks = iter(range(10**6))
    met: list[Progress] = []
    watch = Watch(tell=met.append, clock=lambda: float(next(ticks)))
    result = simulate(ruleset("nz1998"), rounds=9_000_000, workers=1, watch=watch, exact=False)
    assert [each.rounds for each in met] == sorted({each.rounds for each in met})
    assert met[-1].rounds == met[-1].asked == 9_000_000
    assert met[-1].seconds_left == 0
    assert all(each.rounds_per_second > 0 for each in met)
    assert met[0].seconds_left == pytest.approx((met[0].asked - met[0].rounds) / met[0].rounds_per_second)
    assert result.rounds_per_second is not None


def test_memory_does_not_grow_with_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the run, only some chunks are out at a time."""
    out: list[int] = []

    class Counted(ThreadPoolExecutor):
        def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
            out.append(self._work_queue.qsize())
            return super().submit(work, *given, **named)

    monkeypatch.setattr("croupier.simulation.run.REMOTE", 1)
    with Counted(2) as threads:
        simulate(ruleset("nz1996", game="roulette"), rounds=2 * 10**9, executor=threads, workers=2, exact=False)
    assert len(out) > 50
    assert max(out) <= 4


def test_the_first_use_says_that_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    program = prepared(ruleset("nz1996", game="roulette"), SimulationSettings()).program
    simulate(
        ruleset("nz1996", game="roulette"), rounds=10, watch=Watch(compiling=lambda: calls.append("")), exact=False
    )
    assert not uncompiled(program)
    calls.clear()
    monkeypatch.setattr("croupier.simulation.run._is_compiled", lambda _: False)
    assert uncompiled(program)
    simulate(
        ruleset("nz1996", game="roulette"), rounds=10, watch=Watch(compiling=lambda: calls.append("")), exact=False
    )
    assert calls == [""]


def test_a_fresh_cache_is_known_to_be_empty(tmp_path: Path) -> None:
    code = (
        "from croupier.simulation.run import prepared, uncompiled;"
        "from croupier.simulation.plan import SimulationSettings;"
        "from croupier.rulesets import ruleset;"
        "print(uncompiled(prepared(ruleset('nz1996', game='roulette'), SimulationSettings()).program))"
    )
    fresh = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    result = subprocess.run([sys.executable, "-c", code], env=fresh, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "True"


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rounds": 0}, "rounds is a whole number from 1"),
        ({"rounds": -1}, "rounds is a whole number from 1"),
        ({"rounds": 10**15 + 1}, "rounds is a whole number from 1"),
        ({"rounds": 1.5}, "rounds is a whole number from 1"),
        ({"rounds": True}, "rounds is a whole number from 1"),
        ({"rounds": 1, "seed": -1}, "the seed is a whole number"),
        ({"rounds": 1, "workers": 0}, "workers is a whole number"),
        ({"rounds": 1, "session": -1}, "a session has from 1"),
        ({"rounds": 1, "session": 10**6 + 1}, "a session has from 1"),
    ],
)
def test_bad_input_is_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        croupier.simulate(ruleset("nz1998"), **options)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["baccarat", "--edition", "nz1998", "--rounds", "0"], "--rounds is a whole number from 1"),
        (["baccarat", "--edition", "nz1998", "--rounds", "-5"], "--rounds is a whole number from 1"),
        (["baccarat", "--edition", "nz1998", "--rounds", "many"], "--rounds is a whole number from 1"),
        (["baccarat", "--edition", "nz1998", "--rounds", "1e99"], "--rounds is a whole number from 1"),
        (["baccarat", "--edition", "nz1998", "--seed", "x"], "--seed is a whole number from 0"),
        (["baccarat", "--edition", "nz1998", "--workers", "0"], "--workers is a whole number from 1"),
        (["baccarat", "--edition", "nz1998", "--strategy", "wild"], "unknown strategy 'wild'"),
        (["craps", "--edition", "nz1996", "--strategy", "wild"], "unknown strategy 'wild'; known are"),
        (["craps", "--edition", "nz1996", "--stake", "pass=x"], "--stake pass is a whole number"),
        (["craps", "--edition", "nz1996", "--stake", "=3"], "--stake takes each WAGER=UNITS once"),
        (["baccarat", "--rounds", "10"], "name the edition with --edition"),
        (["chess", "--edition", "nz1998"], "unknown game 'chess'"),
    ],
    ids=" ".join,
)
def test_the_command_tells_bad_input_in_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["simulate", *words]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert reason in lines[0]


# ---------------------------------------------------------------- the command


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert cli.run(["simulate", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_answers_in_the_public_form(capsys: pytest.CaptureFixture[str]) -> None:
    body = answer(capsys, "roulette", "--edition", "nz1996", "--rounds", "1e5", "--seed", "3", "--workers", "2")
    assert (body["game"], body["rounds"], body["seed"], body["interrupted"]) == ("roulette", 100_000, 3, False)
    assert sum(body["outcomes"].values()) == 100_000
    assert body["rounds_per_second"] > 0
    red = next(row for row in body["wagers"] if row["wager"] == "red")
    assert red["exact_edge"] == "1/37"
    low, high = red["interval"]
    assert low < red["edge"] < high
    assert high - low == pytest.approx(2 * 1.959964 * red["standard_error"], rel=1e-6)
    assert sum(count["times"] for count in red["counts"]) == red["decided"] == 100_000
    assert {count["net"] for count in red["counts"]} == {"1/1", "-1/1"}
    assert abs(red["z"]) < 5
    again = answer(capsys, "roulette", "--edition", "nz1996", "--rounds", "100_000", "--seed", "3", "--workers", "1")
    assert again["wagers"] == body["wagers"]


def test_the_command_tells_people_and_writes_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ["craps", "--edition", "nz1996", "--strategy", "pass_with_odds", "--session", "100", "--rounds", "1e5"]
    assert cli.run(["simulate", *words, "--html", str(page)]) == 0
    printed = capsys.readouterr().out
    assert "100,000 rounds, seed 1" in printed
    assert "1,000 sessions of 100 rounds" in printed
    assert re.search(r"pass\s+[0-9,]+\s+-?[0-9.]+ %", printed)
    drawn = page.read_text()
    assert drawn.count("<svg") == 5
    assert "://" not in drawn


def test_every_game_has_a_module_and_an_unknown_one_is_named() -> None:
    from croupier.games import GAMES

    assert set(PLUGINS) == set(GAMES)
    rules: Ruleset[Any] = ruleset("nz1998")
    other = type(rules)("chess", rules.edition, rules.version, rules.rules, {}, rules.law)
    with pytest.raises(ValueError, match="'chess' cannot be simulated"):
        simulate(other, rounds=1)


def test_a_line_is_found_by_its_wager() -> None:
    result = croupier.simulate(croupier.ruleset("nz1998"), rounds=1000, seed=1)
    assert result.line("banker").decided == 1000
    with pytest.raises(ValueError, match="unknown wager 'dragon'"):
        result.line("dragon")


def test_tallies_add_in_any_order() -> None:
    program = prepared(ruleset("nz1998"), SimulationSettings()).program
    parts = [plan.run_chunk(program, Chunk(3, first, count)) for first, count in ((0, 5), (5, 1), (6, 14))]
    whole = plan.run_chunk(program, Chunk(3, 0, 20))
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        total = plan.nothing(program)
        for index in order:
            total += parts[index]
        assert (list(total.counts), total.rounds) == (list(whole.counts), whole.rounds)
