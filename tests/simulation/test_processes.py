"""Simulations in processes of their own: Ctrl-C, the first use, the memory that they take, a cluster that is none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server

import pytest

CALL = "import sys; from croupier.cli import app; sys.exit(app.run(sys.argv[1:]))"


@contextmanager
def something_else() -> Iterator[int]:
    """A port where somebody answers whom nobody understands."""
    with create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            try:
                while True:
                    with server.accept()[0] as caller:
                        caller.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            except OSError:
                return

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]
        # A thread that waits for a caller is not woken by closing.
        server.shutdown(2)


def test_what_is_no_cluster_is_told_in_one_line_by_a_real_process() -> None:
    """Nothing is said after it either, as a client does that was half connected."""
    pytest.importorskip("distributed", reason="the extra [cluster] is not installed: no cluster was tried")
    with something_else() as port:
        words = ["simulate", "roulette", "--edition", "nz1996", "--cluster", f"tcp://127.0.0.1:{port}"]
        ended = subprocess.run([sys.executable, "-c", CALL, *words], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [f"croupier: no cluster answers at 'tcp://127.0.0.1:{port}'"]


def test_ctrl_c_shows_the_result_so_far_and_ends_with_130() -> None:
    """A run of years is watched on a terminal until its bar tells a rate; then somebody has seen enough."""
    watched, screen = os.openpty()
    words = ["simulate", "roulette", "--edition", "nz1996", "--rounds", "1e15", "--json"]
    process = subprocess.Popen([sys.executable, "-c", CALL, *words], stdout=subprocess.PIPE, stderr=screen, text=True)
    os.close(screen)
    seen = b""
    while b"million rounds a second" not in seen:
        seen += os.read(watched, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    os.close(watched)
    answer = json.loads(out)
    assert process.returncode == 130
    assert answer["interrupted"]
    assert answer["asked"] == 10**15
    assert 0 < answer["rounds"] == sum(answer["outcomes"].values()) < 10**15
    assert all(abs(row["z"]) < 6 for row in answer["wagers"])


def test_the_first_use_says_that_it_compiles_and_the_second_does_not(tmp_path: Path) -> None:
    words = ["simulate", "money_wheel", "--edition", "nz1996", "--rounds", "1000"]
    fresh = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    said = []
    for _ in range(2):
        ended = subprocess.run(
            [sys.executable, "-c", CALL, *words], env=fresh, capture_output=True, text=True, check=True
        )
        said.append(ended.stderr)
    assert said == ["croupier: compiling for this machine; that is done once and kept\n", ""]


def peak_kibibytes(rounds: str) -> int:
    """The most memory that a run of so many coups took."""
    words = ["simulate", "baccarat", "--edition", "nz1998", "--rounds", rounds, "--workers", "2", "--json"]
    process = subprocess.Popen([sys.executable, "-c", CALL, *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss


def test_twenty_times_the_rounds_take_no_more_memory() -> None:
    short, long = peak_kibibytes("2e6"), peak_kibibytes("4e7")
    assert long < 1.05 * short
