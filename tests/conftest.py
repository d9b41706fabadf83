"""Gathers what the tests observed of the law, and holds it against the note of the last full run.

Each worker hands its observations to the controller.  After a full run that passed, they must equal
`src/croupier/law/observed.json`; otherwise the run fails and tells the difference.  With OBSERVED=write the note is
written instead.  A run of chosen tests neither compares nor writes.  (OBSERVED_IN is another folder for the note.)
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

import croupier.law
from tests.observe import MARKED, SEEN

OBSERVED = Path(os.environ.get("OBSERVED_IN") or Path(croupier.law.__file__).parent) / "observed.json"
Observed = dict[str, dict[str, list[str]]]
GATHERED = pytest.StashKey[Observed]()
FAULTS = pytest.StashKey[list[str]]()
WRITING = os.environ.get("OBSERVED") == "write"
CHOOSING = ("keyword", "markexpr", "lf", "deselect", "stepwise", "collectonly", "ignore_glob")

# The same examples in every run, so that what a run observes does not depend on chance.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker hands over what it observed; the controller compares or writes it."""
    mine = {"seen": _plain(SEEN), "marked": _plain(MARKED)}
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["observed"] = json.dumps(mine)
        return
    gathered = session.config.stash.setdefault(GATHERED, _empty())
    _merge(gathered, mine)
    if session.exitstatus != pytest.ExitCode.OK or not _is_full(session.config):
        return
    if WRITING:
        OBSERVED.write_text(as_text(gathered), encoding="utf-8")
        return
    faults = differences(_noted(), gathered)
    if faults:
        session.config.stash[FAULTS] = faults
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object) -> None:
    """Called in the controller when a worker is done, where there are workers."""
    text = getattr(node, "workeroutput", {}).get("observed")
    if text:
        _merge(node.config.stash.setdefault(GATHERED, _empty()), json.loads(text))  # type: ignore[attr-defined]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Tell how the observations differ from the note."""
    faults = config.stash.get(FAULTS, [])
    if faults:
        terminalreporter.section("the tests observe other rules than law/observed.json notes", red=True)
        for fault in faults:
            terminalreporter.write_line(fault)
        terminalreporter.write_line("If the change is meant: make observed", yellow=True)


def _is_full(config: pytest.Config) -> bool:
    """Whether all tests ran.  Writing leaves out those that judge the note itself."""
    chosen = any(config.getoption(name, None) for name in CHOOSING)
    ignoring = bool(config.getoption("ignore", None)) and not WRITING
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not chosen and not ignoring


def _noted() -> Observed:
    return json.loads(OBSERVED.read_text(encoding="utf-8")) if OBSERVED.exists() else _empty()


def as_text(observed: Observed) -> str:
    """The note, one rule a line, so that a change is easy to read."""
    kinds = ",\n".join(f' "{kind}": {{\n{_lines(rules)}\n }}' for kind, rules in sorted(observed.items()))
    return f"{{\n{kinds}\n}}\n"


def _lines(rules: Mapping[str, Iterable[str]]) -> str:
    return ",\n".join(f"  {json.dumps(rule)}: {json.dumps(sorted(tests))}" for rule, tests in sorted(rules.items()))


def differences(noted: Observed, now: Observed) -> list[str]:
    """Rules that the tests no longer observe, or newly do, with the tests."""
    faults = []
    for kind in sorted({*noted, *now}):
        before, after = noted.get(kind, {}), now.get(kind, {})
        for rule in sorted({*before, *after}):
            gone = sorted({*before.get(rule, ())} - {*after.get(rule, ())})
            new = sorted({*after.get(rule, ())} - {*before.get(rule, ())})
            faults += [f"- {rule} not {kind} by {test}" for test in gone]
            faults += [f"+ {rule} {kind} by {test}" for test in new]
    return faults


def _empty() -> Observed:
    return {"seen": {}, "marked": {}}


def _plain(seen: Mapping[str, set[str]]) -> dict[str, list[str]]:
    return {rule: sorted(tests) for rule, tests in seen.items()}


def _merge(into: Observed, more: Observed) -> None:
    for kind, rules in more.items():
        for rule, tests in rules.items():
            into[kind][rule] = sorted({*into[kind].get(rule, []), *tests})
