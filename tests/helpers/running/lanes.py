"""Which file of tests a worker of `make test` takes next.

Theory of operation.  A test with a browser mostly waits: for betting times, settled moments, pages.  Two browsers at
once on two cores disturb each other; one beside tests that compute does not, as long as it is the only one.  So of the
workers one takes the files with browsers, one after the other, and the others take the rest; whoever has nothing left
of his own helps with what there is.  That keeps more workers than cores busy.

Long files go first, so that no worker is left alone with one at the end.  How long they take is written down here, in
rough seconds of a quiet machine; a file that is not named counts by its tests.  Files stay whole: their tests share a
house and a browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

BROWSER: Final = "tests/browser/"
TESTS_A_SECOND: Final = 50
SECONDS: Final = {
    "tests/browser/test_felts.py": 350,
    "tests/browser/test_games.py": 120,
    "tests/browser/felts/test_pages.py": 100,
    "tests/browser/staff/test_officials.py": 60,
    "tests/browser/test_dealer.py": 60,
    "tests/browser/staff/test_supervisor.py": 60,
    "tests/browser/staff/test_tables.py": 60,
    "tests/prove/test_books.py": 120,
    "tests/prove/test_house.py": 90,
    "tests/law/test_matrix.py": 80,
    "tests/prove/test_mutation.py": 60,
    "tests/floor/doors/test_openapi.py": 60,
    "tests/floor/practice/test_virtual.py": 40,
    "tests/floor/parcel/test_first_day.py": 40,
    "tests/floor/test_beside.py": 35,
    "tests/floor/keeping/test_thirty_terminals.py": 30,
    "tests/prove/test_liveness.py": 30,
}


class Lanes(LoadFileScheduling):  # type: ignore[misc]
    """Whole files, one worker for those with browsers, long ones first."""

    def _assign_work_unit(self, node: Any) -> None:
        beside = any(self._browses(other) for other in self.nodes if other is not node)
        waiting = {file: len(tests) for file, tests in self.workqueue.items()}
        self.workqueue.move_to_end(next_file(waiting, browser_beside=beside), last=False)
        super()._assign_work_unit(node)

    def _browses(self, node: Any) -> bool:
        """Whether a worker still has tests with a browser."""
        files = self.assigned_work[node].items()
        return any(file.startswith(BROWSER) and not all(tests.values()) for file, tests in files)


def next_file(waiting: Mapping[str, int], *, browser_beside: bool) -> str:
    """Which of the files that wait, with so many tests each, a worker takes, if another has a browser or none has."""

    def order(file: str) -> tuple[bool, float]:
        return file.startswith(BROWSER) == browser_beside, -SECONDS.get(file, waiting[file] / TESTS_A_SECOND)

    return min(waiting, key=order)
