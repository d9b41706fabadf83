"""Thirty terminals and a dealer at electronic baccarat, and the plug is pulled now and then.

The server is a real process and is killed in the phases of its rounds; the terminals and the dealer are real lines that
come back and ask again what was not answered, with the same ids.  The proof of kills does the same for longer, and in
two processes.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from croupier.prove.books.rounds import Played, played


def test_thirty_terminals_play_on_whatever_is_pulled_out_of_the_wall(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/house.db"
    done = Played()
    asyncio.run(played(done, tmp_path, url, kills=range(3), terminals=30, processes=1, seed=30))
    assert done.faults == []
    assert sorted((+done.kills).values()) == [1, 1, 1]  # each in another phase
    assert done.compared == 90
    assert done.acknowledged > 30
