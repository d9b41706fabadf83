"""What numba keeps is only kept: damaged, lost or without a place, the same function is compiled again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SOURCE = """
from croupier.kept.compiling import compiled

@compiled
def twice(number):
    return 2 * number

print(twice(21), sum(twice.stats.cache_hits.values()))
"""


def _asked(folder: Path) -> tuple[str, int]:
    """What the function gives in a new process, and how often it was taken from what is kept."""
    if not (folder / "doubling.py").exists():
        (folder / "doubling.py").write_text(SOURCE)
    places = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(folder / "doubling.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | places)
    answer, hits = done.stdout.split()
    return answer, int(hits)


def _files(folder: Path, kind: str) -> list[Path]:
    return sorted((folder / "__pycache__").glob(f"*.{kind}"))


def test_a_file_that_is_not_whole_is_made_again(tmp_path: Path) -> None:
    assert [_asked(tmp_path), _asked(tmp_path)] == [("42", 0), ("42", 1)]
    for (file,) in (_files(tmp_path, "nbi"), _files(tmp_path, "nbc")):
        whole = file.read_bytes()
        for content in (b"", whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:]):
            file.write_bytes(content)
            assert _asked(tmp_path) == ("42", 0), "compiled anew"
    assert _asked(tmp_path) == ("42", 1), "and kept"


def test_where_there_is_no_place_it_is_compiled_each_time(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").write_text("a file where the folder would be")
    assert _asked(tmp_path) == ("42", 0)
