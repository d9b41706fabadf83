"""What the running house counts, in the text format that Prometheus reads, at `/metrics`.

Counters and histograms live in this process and begin at nothing when it starts; gauges are looked up when somebody
asks.  Nothing here names a person, a wager or an amount of money.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Response

from croupier.floor.doors import HEADERS

if TYPE_CHECKING:
    from croupier.floor.house import House

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
KIND: Final = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(slots=True)
class Durations:
    """How long something took: how often at most so long, and the sum."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str) -> Iterator[str]:
        so_far = 0
        for bound, count in zip((*map(str, SECONDS), "+Inf"), self.counts, strict=True):
            so_far += count
            yield f'{name}_bucket{{le="{bound}"}} {so_far}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {so_far}"


@dataclass(slots=True)
class Metrics:
    """What is counted: commands by what became of them, and how long each took until it was durable."""

    commands: dict[str, int] = field(default_factory=lambda: {"done": 0, "refused": 0, "stopped": 0})
    answered: Durations = field(default_factory=Durations)
    refused_requests: int = 0

    def told(self, result: str, seconds: float) -> None:
        self.commands[result] += 1
        self.answered.add(seconds)


def exposition(metrics: Metrics, house: House) -> str:
    """Everything, as text."""
    keepers = list(house.keepers())
    lines = [
        *_head("croupier_commands_total", "counter", "Commands of tables by what became of them."),
        *(f'croupier_commands_total{{result="{result}"}} {count}' for result, count in metrics.commands.items()),
        *_head("croupier_command_seconds", "histogram", "From a command to its durable answer."),
        *metrics.answered.lines("croupier_command_seconds"),
        *_head("croupier_requests_refused_total", "counter", "Requests that the permission table did not let in."),
        f"croupier_requests_refused_total {metrics.refused_requests}",
        *_head("croupier_tables", "gauge", "Tables of the house, by whether they are open."),
        *(
            f'croupier_tables{{open="{str(wanted).lower()}"}} '
            f"{sum(host.shown.open == wanted for host in house.hosts.values())}"
            for wanted in (True, False)
        ),
        *_head("croupier_journals_kept", "gauge", "Journals that this process keeps."),
        f"croupier_journals_kept {sum(keeper.owned for keeper in keepers)}",
        *_head("croupier_journal_lines", "gauge", "Durable lines of each journal."),
        *(f'croupier_journal_lines{{journal="{keeper.name}"}} {keeper.shown.entries}' for keeper in keepers),
        *_head("croupier_watchers", "gauge", "Pages that watch a table."),
        f"croupier_watchers {sum(len(host.watchers) for host in house.hosts.values())}",
    ]
    return "\n".join(lines) + "\n"


def _head(name: str, kind: str, says: str) -> tuple[str, str]:
    return f"# HELP {name} {says}", f"# TYPE {name} {kind}"


def routes(app: FastAPI, house: House) -> None:
    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(exposition(house.metrics, house), headers=dict(HEADERS), media_type=KIND)
