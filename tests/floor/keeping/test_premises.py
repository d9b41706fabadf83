"""Who must leave the casino takes part at no table of the house, and who is shut out of one game plays another."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any

from croupier.floor.keeping.host import Host
from croupier.floor.keeping.house import open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.wire import Answer
from croupier.house.tournament import messages as m
from croupier.house.tournament.state import new_tournament
from croupier.table import commands as c
from croupier.table.terminals import commands as t

SIGN = {"minimum": 1_000, "maximum": 100_000, "chip": 100, "supervisor": "sue"}
NZ = "NZ1996-I-"
PLANNED = (
    Planned("R-1", "nz1996", "roulette", "", SIGN),
    Planned("R-2", "nz1996", "roulette", "", SIGN),
    Planned("EB-1", "nzeb", "baccarat", "hybrid", SIGN),
    Planned("B-1", "vic2002", "baccarat", "crown", SIGN),
)


async def ask(host: Host, what: Any, role: str = "dealer", by: str = "dan") -> Answer:
    return await host.ask(secrets.token_hex(16), what, by=by, role=role)


def test_i_10_0_who_must_leave_the_casino_takes_part_at_no_table_of_it(tmp_path: Path) -> None:
    async def walked() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=True)
        try:
            await house.start(PLANNED)
            first, second, terminals, victoria = (house.hosts[planned.name] for planned in PLANNED)
            for host in (first, second):
                for name in ("ann", "ben"):
                    assert (await ask(host, c.Sit(name), by=name, role="player")).done
                    assert (await ask(host, c.BuyChips(name, 10_000))).done
            assert (await ask(second, c.PlaceWager("ann", "red", 1_000), by="ann", role="player")).done
            out = c.Exclude("ann", "brawl")
            assert (await ask(first, out, role="casino supervisor", by="kim")).done
            for what in (t.ApproveSystem("1.0", "TA-0"), t.PairTerminal(7, 1_000, 50_000, approval="TA-1")):
                assert (await ask(terminals, what, role="game supervisor", by="sue")).done
            for host, coming in (
                (second, c.PlaceWager("ann", "red", 1_000)),
                (terminals, c.Sit(" ANN", 3)),
                (terminals, t.CreditTerminal("Terminal 7", 5_000, holder="Ann")),
                (victoria, c.Sit("ann", 3)),
            ):
                answer = await ask(host, coming)
                assert (answer.done, answer.rule) == (False, NZ + "10.0")
            # Nor in a tournament: an entrant is that person, or has named them to play.
            seats = (m.TakeSeat("ann", "ann"), m.TakeSeat("zoe", "ANN"), m.TakeSeat("ann", "zoe"))
            told = [house.contests.with_facts(new_tournament("cup"), seat, "dealer") for seat in seats]
            assert [seat.entitled for seat in told if isinstance(seat, m.TakeSeat)] == [False, False, True]
            # A terminal is called like those of other tables, and somebody who works here like somebody who plays.
            assert (await ask(terminals, c.Exclude("Dan", "loud"), role="casino supervisor", by="kim")).done
            assert (await ask(terminals, c.Exclude("Terminal 7", "loud"), role="casino supervisor", by="kim")).done
            assert (await ask(second, c.Sit("Terminal 7"))).done
            # Who may not ask is told so, and nothing of others.
            assert (await ask(victoria, c.Sit("ann", 3), role="player", by="ben")).rule != NZ + "10.0"
            # What lies on the layout is played for, chips are redeemed, and others play on.
            assert second.table.staked("ann") == 1_000
            assert (await ask(second, c.RedeemChips("ann", 9_000))).done
            assert (await ask(second, c.PlaceWager("ben", "red", 1_000), by="dan")).done
            # Who must leave a game for a device that was found there is shut out of that one.
            assert (await ask(first, c.ReportDevice("ben", "phone"))).done
            sanction = c.Sanction("ben", "exclude")
            assert (await ask(first, sanction, role="shift manager", by="kim")).done
            assert (await ask(second, c.PlaceWager("ben", "black", 1_000), by="ben", role="player")).done
            assert (await ask(first, c.PlaceWager("ben", "black", 1_000), by="ben", role="player")).rule == NZ + "11.2b"
        finally:
            await house.close()

    asyncio.run(walked())
