"""A real server process for tests: the demonstration house on a free port, with its journal in a given folder."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

SCHEME = "http://"
QUICK = "1.5,0.05,0.02"


@contextmanager
def served(
    folder: Path, *, pace: str = QUICK, db: str = "", config: str = ""
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a running house and its process, which is stopped afterwards if it still runs."""
    command = [sys.executable, "-m", "croupier", "serve", "--demo", "--port", "0", "--pace", pace]
    command += ["--db", db or f"sqlite:///{folder}/house.db", "--key", f"{folder}/house.key"]
    command += ["--config", config] if config else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield _address(process), process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: subprocess.Popen[str]) -> str:
    """The address that the server prints, once it answers there."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if SCHEME in line:
            address = SCHEME + line.split(SCHEME, 1)[1].split()[0]
            return _answering(address)
    raise AssertionError(f"the server ended: {''.join(lines)}")


def _answering(address: str) -> str:
    for _ in range(200):
        try:
            with urlopen(f"{address}/health", timeout=5) as answer:
                if answer.status == 200:
                    return address
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"{address} does not answer")
