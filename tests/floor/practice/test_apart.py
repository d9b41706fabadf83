"""A real house has nothing of practice in its process; one with a practice table lets it in when it starts."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
import os, signal, sys, threading, time
from pathlib import Path
from urllib.request import urlopen
from croupier.floor.serve import serve
from croupier.floor.settings import read_settings

def look():
    # Until the house answers; then what it has in its process is told, and it is asked to stop.
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{settings.server.port}/health", timeout=5):
                break
        except OSError:
            time.sleep(0.05)
    print("HAS", *(name for name in sys.modules if name.startswith("croupier.floor.practice")), flush=True)
    os.kill(os.getpid(), signal.SIGINT)

settings = read_settings(Path(sys.argv[1]))
threading.Thread(target=look, daemon=True).start()
serve(settings, demo=False)
"""
SETTINGS = """
[server]
port = {port}
[store]
url = "sqlite:///{folder}/house.db"
[people]
argon2_memory_kib = 64
argon2_passes = 1
argon2_lanes = 1
[[tables]]
name = "EB-1"
edition = "nzeb"
game = "baccarat"
version = "terminals"
minimum = 500
maximum = 100000
practice = {practice}
"""


@pytest.mark.parametrize("practice", [False, True])
def test_a_real_house_never_imports_practice(tmp_path: Path, *, practice: bool) -> None:
    path = tmp_path / "house.toml"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path.write_text(SETTINGS.format(folder=tmp_path, practice=str(practice).lower(), port=port))
    done = subprocess.run([sys.executable, "-c", PROBE, str(path)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("HAS")]
    assert ("croupier.floor.practice" in line) is practice, line
