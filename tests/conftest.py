"""Collects what the tests observed of the law, from all workers, into one file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.observe import MARKED, SEEN

OBSERVED = Path(__file__).parent.parent / ".cache" / "observed.json"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Each worker hands its observations to the controller, which writes them down."""
    mine = {"seen": _plain(SEEN), "marked": _plain(MARKED)}
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["observed"] = json.dumps(mine)
        return
    _merge(session.config.stash.setdefault(GATHERED, _empty()), mine)
    OBSERVED.parent.mkdir(exist_ok=True)
    OBSERVED.write_text(json.dumps(session.config.stash[GATHERED], indent=1, sort_keys=True))


def pytest_testnodedown(node: object, error: object) -> None:
    """Called in the controller when a worker is done."""
    text = getattr(node, "workeroutput", {}).get("observed")
    if text:
        _merge(node.config.stash.setdefault(GATHERED, _empty()), json.loads(text))  # type: ignore[attr-defined]


Observed = dict[str, dict[str, list[str]]]
GATHERED = pytest.StashKey[Observed]()


def _empty() -> Observed:
    return {"seen": {}, "marked": {}}


def _plain(seen: dict[str, set[str]]) -> dict[str, list[str]]:
    return {rule: sorted(tests) for rule, tests in seen.items()}


def _merge(into: Observed, more: Observed) -> None:
    for kind, rules in more.items():
        for rule, tests in rules.items():
            into[kind][rule] = sorted({*into[kind].get(rule, []), *tests})
