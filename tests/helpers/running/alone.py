"""`make test`: the whole suite, and what failed in it once more, alone.

Theory of operation.  The suite runs browsers, database servers and processes that are killed side by side on few
cores, and a page or a server that is starved can miss its moment.  So a few tests that failed are tried a second time,
one after the other, with nothing beside them.  What fails then is a failure.  What passes then is named as unsteady, at
the end where nobody overlooks it: it waits for a moment instead of for what it means, and that is to be mended.

More failures than a few are no accident of the moment, and are not tried again; nor is a run that did not come to its
end.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

from tests.helpers.places import ROOT

MOST: Final = 8
LONGEST_SECONDS: Final = 420  # a test that takes so long will not end, and says where it stands
FAILED: Final = 1  # what pytest answers when tests failed, and nothing else went wrong
FAILURES: Final = ROOT / ".cache/pytest/v/cache/lastfailed"


def main(arguments: list[str]) -> int:
    FAILURES.unlink(missing_ok=True)  # of an earlier run
    ended = _pytest(*arguments)
    if ended != FAILED:
        return ended
    failed = sorted(json.loads(FAILURES.read_text(encoding="utf-8")))
    if len(failed) > MOST:
        print(f"make test: {len(failed)} tests failed: too many to try them again", file=sys.stderr)
        return ended
    print(f"make test: {len(failed)} failed beside others, and are tried once more, alone", file=sys.stderr)
    ended = _pytest("--last-failed", "--last-failed-no-failures=none")
    if not ended:
        names = "".join(f"\n  {name}" for name in failed)
        print(f"make test: UNSTEADY, failed beside others and passed alone:{names}", file=sys.stderr)
    return ended


def _pytest(*arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", "--quiet", "--timeout", str(LONGEST_SECONDS), *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
