"""Visits to the study rooms: every door of them is asked for a good answer."""

from __future__ import annotations

from typing import Any, Protocol


class Asks(Protocol):
    """Whoever walks through the doors and looks at every answer."""

    async def ask(self, key: str, *, role: str = "", **parts: Any) -> Any: ...


async def visit_lab(walk: Asks) -> None:
    await walk.ask("GET /api/lab/choices")
    for key in ("sheet", "par"):
        await walk.ask(f"GET /api/lab/{key}", game="craps")
    await walk.ask("GET /api/lab/why", game="roulette", wager="red")
    await walk.ask("GET /api/lab/strategy", game="blackjack", ranks="3,0,0,0,0,4,0,4,0,12,0,0,0")
    await walk.ask("GET /api/lab/compare", game="baccarat", edition="nz1996", quick=1, **{"with": "nz1998"})
    assert '"type":"over"' in await walk.ask("GET /api/lab/simulation", game="roulette", rounds=100, seed=1)


async def visit_rulebook(walk: Asks) -> None:
    await walk.ask("GET /api/rulebook/shelf")
    await walk.ask("GET /api/rulebook/search", words="tie", edition="nzd5")
    for key in ("GET /api/rules/{rule}", "GET /api/rulebook/rule/{rule}", "GET /api/rulebook/places/{rule}"):
        await walk.ask(key, rule="NZD5-8.4")
    await walk.ask("GET /api/rulebook/diff", before="nz1996", after="nz1998")


async def visit_training(walk: Asks) -> None:
    await walk.ask("GET /api/training/choices")
    for seed in range(5, 60):
        lesson: dict[str, Any] = {"game": "caribbean_stud", "seed": seed}
        body = await walk.ask("GET /api/training/lesson", **lesson)
        await walk.ask("GET /api/training/score", answers="0,1,-", **lesson)
        for question in body["questions"]:
            judged = await walk.ask("GET /api/training/judge", question=question["number"], answer=0, **lesson)
            if judged["advisable"]:
                await walk.ask("GET /api/training/advice", question=question["number"], **lesson)
                return
