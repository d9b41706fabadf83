"""Several proofs in one run: beside each other, told in the order of their list, and ended together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.prove import PROOFS, ProofScope, each_once
from croupier.prove.bytecode import compiled_once
from croupier.prove.together import together
from tests.helpers.running.processes import started_by, wait_until_gone
from tests.prove.test_proofs import silent

QUICK = ("settle", "tables", "liveness")


def test_several_proofs_are_run_beside_each_other_and_told_in_the_order_asked() -> None:
    told: list[str] = []
    with together(QUICK, ProofScope(game="roulette", sample=40, length="short")) as these:
        verdicts = [these.verdict(name, lambda _done, _of, what: told.append(what)) for name in these.names]
    assert [each.answer["proof"] for each in verdicts] == [*QUICK]
    assert all(each.proved and each.answer["proved"] for each in verdicts), [each.lines for each in verdicts]
    beside = len(os.sched_getaffinity(0)) > 1
    assert any(sum(name in what for name in QUICK) > 1 for what in told) == beside


def test_a_proof_that_comes_to_no_verdict_does_not_keep_the_others_from_theirs() -> None:
    with together(("http", "tables"), ProofScope(game="roulette", sample=40)) as these:
        lost, held = (these.verdict(name, silent) for name in these.names)
    assert not lost.proved
    assert lost.lines == ("FAULT: it came to no verdict: ValueError: the proof of the doors has no games and no "
                          "editions to choose from",)  # fmt: skip
    assert held.proved


def test_the_law_is_tried_once_under_its_two_names() -> None:
    assert "mutation" in PROOFS
    assert set(PROOFS) - set(each_once()) == {"mutation"}


def test_what_a_run_imports_is_compiled_once_where_no_bytecode_may_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    asked = (sys.executable, "-c", "import croupier.money as m; print(m.__cached__)")
    with compiled_once():
        kept = Path(subprocess.run(asked, capture_output=True, check=True, text=True).stdout.strip())
        assert kept.is_relative_to(os.environ["PYTHONPYCACHEPREFIX"])
        assert kept.exists()
    assert not kept.exists()
    assert sys.dont_write_bytecode
    assert os.environ["PYTHONDONTWRITEBYTECODE"] == "1"


@pytest.mark.skipif(not Path("/proc").exists(), reason="it is seen in /proc which processes there are")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_the_run_ends_all_of_them(ending: signal.Signals) -> None:
    command = (sys.executable, "-m", "croupier", "prove", "--long", "--seed", "3")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        started = set[int]()
        while len(started) < 3 and run.poll() is None:
            started |= started_by(run.pid)
            time.sleep(0.05)
        run.send_signal(ending)
        _, errors = run.communicate(timeout=120)
    assert run.returncode == 130, errors
    wait_until_gone(started)
