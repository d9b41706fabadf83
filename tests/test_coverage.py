"""Every rule is cited by a law that exists, and exercised by a test or owed by a room."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from croupier import coverage
from croupier.law import inventory
from croupier.law.model import Law
from tests.conftest import as_text, differences

# The list may only shrink: lower this number when it does.
MOST_UNFINISHED = 0

LISTED = tomllib.loads(coverage.UNFINISHED.read_text(encoding="utf-8"))
ROOT = Path(__file__).parent.parent


# ---------------------------------------------------------------- the law and the tests


def test_every_cited_rule_exists() -> None:
    unknown = [
        (each.place, rule) for each in coverage.citations() for rule in each.law.rules if not inventory.exists(rule)
    ]
    assert unknown == []


def test_every_observed_rule_and_test_exists() -> None:
    observed = coverage.observed()
    assert [rule for rule in observed if not inventory.exists(rule)] == []
    files = {test.partition("::")[0] for tests in observed.values() for test in tests}
    assert [file for file in sorted(files) if not (ROOT / file).exists()] == []


def test_every_rule_to_act_on_is_exercised_or_owed() -> None:
    forgotten = [rule.id for rule in coverage.missing(coverage.tested()) if rule.id not in coverage.unfinished()]
    assert forgotten == [], "write a test that carries the rule; python -m croupier.coverage --grow lists what is owed"


def test_nothing_that_is_exercised_is_still_owed() -> None:
    done = [rule for rule in coverage.unfinished() if rule in coverage.tested()]
    assert done == [], "make unfinished takes them out"


# ---------------------------------------------------------------- the list of what is owed


def test_owed_rules_exist_and_need_something_done() -> None:
    rows = {rule.id: rule for rule in inventory.all_rules()}
    assert [rule for rule in coverage.unfinished() if rule not in rows] == []
    assert [rule for rule in coverage.unfinished() if not inventory.actionable(rows[rule])] == []


def test_each_owed_rule_has_one_owner_and_stands_in_its_place() -> None:
    assert set(LISTED) <= set(coverage.OWNERS)
    entries = [
        (edition, group, rule)
        for documents in LISTED.values()
        for edition, groups in documents.items()
        for group, rules in groups.items()
        for rule in rules
    ]
    assert len(entries) == len({rule for *_, rule in entries}) == len(coverage.unfinished())
    rows = {rule.id: rule for rule in inventory.all_rules()}
    for edition, group, rule in entries:
        assert (edition, group) == (rows[rule].edition, coverage.group_of(rows[rule]))


def test_the_list_of_owed_rules_does_not_grow() -> None:
    assert len(coverage.unfinished()) <= MOST_UNFINISHED


def test_the_list_is_as_the_tool_writes_it() -> None:
    written = coverage.unfinished_text(coverage.unfinished())
    assert coverage.UNFINISHED.read_text(encoding="utf-8") == written


def test_the_tool_drops_what_is_exercised_and_keeps_owners() -> None:
    owed = {"NZ1998-5.3": "floor", "NZ1998-5.4": "house"}
    done = {"NZ1998-5.4": ("tests/test_x.py::test_y",)}
    assert coverage.still_unfinished(owed, done, grow=False) == {"NZ1998-5.3": "floor"}
    grown = coverage.still_unfinished(owed, done, grow=True)
    assert grown["NZ1998-5.3"] == "floor"
    assert "NZ1998-5.4" not in grown
    assert grown["NZ1996-I-5.0"] == "table"
    assert grown["NZ1996-I-17.1a"] == "house"
    assert grown["NZ1996-N-1"] == "games"
    assert grown["NZ1996-VIII-12.3"] == "house"
    assert grown["NZEB-12.2"] == "floor"


# ---------------------------------------------------------------- what exercising one rule says of others


LAW = Law(1, ("NZ1998-9.3", "NZ1998-9.3a", "NZ1998-9.1"))
OTHER = Law(2, ("NZ1998-9.1", "NZ1998-9.2"))


def test_the_rules_of_one_law_are_exercised_together() -> None:
    found = coverage.exercised({"NZ1998-9.3": ("t",)}, [LAW])
    assert found == {"NZ1998-9.1": ("t",), "NZ1998-9.3": ("t",), "NZ1998-9.3a": ("t",)}
    assert coverage.exercised({"NZ1998-9.1": ("t",)}, [LAW]) == found


def test_exercise_does_not_spread_from_law_to_law() -> None:
    found = coverage.exercised({"NZ1998-9.3": ("t",)}, [LAW, OTHER])
    assert "NZ1998-9.1" in found
    assert "NZ1998-9.2" not in found


def test_a_parent_without_a_row_stands_for_its_parts() -> None:
    assert coverage.rows("NZD5-5.11") == tuple(rule.id for rule in inventory.parts("NZD5-5.11"))
    assert len(coverage.rows("NZD5-5.11")) > 1
    assert coverage.rows("NZ1998-9.3") == ("NZ1998-9.3",)
    assert set(coverage.exercised({"NZD5-5.11": ("t",)}, [])) == set(coverage.rows("NZD5-5.11"))


def test_nothing_is_exercised_by_itself() -> None:
    assert coverage.exercised({}, [LAW, OTHER]) == {}


def test_a_law_is_watched_by_the_tests_of_all_its_rules() -> None:
    seen = {"NZ1998-9.1": ("a", "b"), "NZ1998-9.3": ("b", "c"), "NZ1998-5.2": ("d",)}
    assert coverage.watching(LAW, seen) == ("a", "b", "c")
    assert coverage.watching(Law(0, ("NZ1998-5.1",)), seen) == ()


def test_citations_name_their_place() -> None:
    places = {each.place for each in coverage.citations()}
    assert {"baccarat nz1998/full player_draws", "document nz1998 in_force", "venue auckland approved"} <= places


# ---------------------------------------------------------------- the note of what the tests observed


def test_a_changed_observation_is_told() -> None:
    noted = {"seen": {"A": ["t1", "t2"], "B": ["t1"]}, "marked": {}}
    now = {"seen": {"A": ["t1"], "C": ["t3"]}, "marked": {"B": ["t1"]}}
    assert differences(noted, now) == [
        "+ B marked by t1",
        "- A not seen by t2",
        "- B not seen by t1",
        "+ C seen by t3",
    ]
    assert differences(now, now) == []


def test_the_note_is_one_rule_a_line_and_reads_back() -> None:
    observed = {"seen": {"B": ["t2", "t1"], "A": ["t1"]}, "marked": {}}
    text = as_text(observed)
    assert json.loads(text) == {"marked": {}, "seen": {"A": ["t1"], "B": ["t1", "t2"]}}
    assert '  "A": ["t1"],\n' in text


class Project:
    """A project of one test file with this project's conftest, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n')
        (folder / "tests").mkdir()
        for name in ("__init__.py", "conftest.py", "observe.py"):
            (folder / "tests" / name).write_text((ROOT / "tests" / name).read_text())

    def observes(self, *rules: str) -> None:
        tests = [f"def test_{index}():\n    note({rule!r})\n" for index, rule in enumerate(rules)]
        (self.folder / "tests" / "test_law.py").write_text("\n".join(["from tests.observe import note", *tests]))

    def run(self, *options: str, write: bool = False) -> tuple[int, str]:
        environment = {**os.environ, "OBSERVED_IN": str(self.folder), "OBSERVED": "write" if write else ""}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", *options]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


def test_a_full_run_that_observes_something_else_fails(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.observes("NZ1998-9.2", "NZ1998-9.3")
    assert project.run(write=True)[0] == 0
    assert project.run("-n2")[0] == 0
    project.observes("NZ1998-9.2", "NZ1998-9.5")
    for workers in ("-n0", "-n2"):
        code, told = project.run(workers)
        assert code == 1
        assert "- NZ1998-9.3 not seen by tests/test_law.py::test_1" in told
        assert "+ NZ1998-9.5 seen by tests/test_law.py::test_1" in told
        assert "make observed" in told


@pytest.mark.parametrize(
    "options", [("-k", "test_0"), ("tests/test_law.py",), ("--deselect=tests/test_law.py::test_1",)]
)
def test_a_run_of_chosen_tests_neither_compares_nor_writes(tmp_path: Path, options: tuple[str, ...]) -> None:
    project = Project(tmp_path)
    project.observes("NZ1998-9.2", "NZ1998-9.3")
    assert project.run(*options)[0] == 0
    assert project.run(*options, write=True)[0] == 0
    assert not (tmp_path / "observed.json").exists()


def test_a_run_that_fails_writes_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.observes("NZ1998-9.2")
    with (tmp_path / "tests" / "test_law.py").open("a") as file:
        file.write("def test_wrong():\n    assert False\n")
    code, told = project.run(write=True)
    assert code == 1
    assert "1 failed" in told
    assert not (tmp_path / "observed.json").exists()
