"""How files of tests are handed to workers: one has those with browsers, long ones go first, what is named is there."""

from __future__ import annotations

from tests.helpers.places import ROOT
from tests.helpers.running.lanes import SECONDS, next_file

FELTS, BOOKS = "tests/browser/test_felts.py", "tests/prove/test_books.py"
WAITING = {"tests/browser/test_new.py": 20, "tests/test_new.py": 900, FELTS: 10, "tests/test_newer.py": 950, BOOKS: 9}


def test_the_files_that_take_long_are_there() -> None:
    assert [name for name in SECONDS if not (ROOT / name).is_file()] == []


def test_browsers_are_one_workers_and_long_files_go_first() -> None:
    for beside, expected in {
        False: [FELTS, "tests/browser/test_new.py", BOOKS, "tests/test_newer.py", "tests/test_new.py"],
        True: [BOOKS, "tests/test_newer.py", "tests/test_new.py", FELTS, "tests/browser/test_new.py"],
    }.items():
        waiting, taken = dict(WAITING), list[str]()
        while waiting:
            taken.append(next_file(waiting, browser_beside=beside))
            del waiting[taken[-1]]
        assert taken == expected
