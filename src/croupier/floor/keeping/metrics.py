"""What the running house counts, in the text format that Prometheus reads, at `/metrics`.

Counters and histograms live in this process and begin at nothing when it starts; gauges are looked up when somebody
asks.  What is counted with every command is counted in plain numbers, and handed to the library when somebody asks too:
its own counters take a lock and some ten calls for each.

Money is told by table and by what kind of account it lies in, never by whose it is: nothing here names a person or a
wager.  Even so it is not for everybody on the network: who sits at a table with one other knows from its sums what the
other has, and what lies in the drawer is nobody's business.  It is told on the machine itself, or for a key.

The words are written by Prometheus's own library, which knows how to write a name with a quote in it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from time import time
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from croupier.floor.keeping.clock import clock_ms
from croupier.house.significant.kinds import KINDS
from croupier.journal.accounts import parted

if TYPE_CHECKING:
    from croupier.floor.keeping.house import House

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
KIND: Final = CONTENT_TYPE_PLAIN_0_0_4
RESULTS: Final = ("done", "refused", "stopped")


@dataclass(slots=True)
class Metrics:
    """What is counted: commands by what became of them and why, and how long each took until it was durable."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    turned_away: Counter = field(init=False)
    results: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESULTS, 0))
    refusals: Tally[str] = field(default_factory=Tally)
    answered: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    """How many commands took no longer than each of `SECONDS`, and longer than the one before; at last all others."""
    seconds: float = 0.0
    since: float = field(default_factory=time)
    gauges: _Gauges | None = None

    def __post_init__(self) -> None:
        self.registry.register(_Commands(self))
        words = "Requests that the permission table did not let in."
        self.turned_away = Counter("croupier_requests_refused", words, registry=self.registry)

    def counted(self, result: str, seconds: float, rule: str = "") -> None:
        self.results[result] += 1
        self.answered[bisect_left(SECONDS, seconds)] += 1
        self.seconds += seconds
        if result == "refused":
            self.refusals[rule or "none"] += 1


@dataclass(eq=False, slots=True)
class _Commands(Collector):
    """What was counted of commands, as the library writes it."""

    metrics: Metrics

    def collect(self) -> Iterator[Metric]:
        words = "Commands of tables by what became of them."
        commands = CounterMetricFamily("croupier_commands", words, labels=["result"])
        for result, count in self.metrics.results.items():
            commands.add_metric([result], count, self.metrics.since)
        words = "Refused commands of tables by the rule."
        refusals = CounterMetricFamily("croupier_refusals", words, labels=["rule"])
        for rule, count in self.metrics.refusals.items():
            refusals.add_metric([rule], count, self.metrics.since)
        answered = HistogramMetricFamily("croupier_command_seconds", "From a command to its durable answer.")
        most = [*map(floatToGoString, SECONDS), "+Inf"]
        answered.add_metric([], [*zip(most, accumulate(self.metrics.answered), strict=True)], self.metrics.seconds)
        answered.add_sample("croupier_command_seconds_created", {}, self.metrics.since)
        yield from (commands, refusals, answered)


def exposition(metrics: Metrics, house: House, *, money: bool) -> bytes:
    """Everything, as text; the balances, if whoever asks may know them."""
    if metrics.gauges is None:
        metrics.gauges = _Gauges(house)
        metrics.registry.register(metrics.gauges)
    metrics.gauges.money = money
    return generate_latest(metrics.registry)


@dataclass(eq=False, slots=True)
class _Gauges(Collector):
    """What is looked up when somebody asks."""

    house: House
    money: bool = False

    def collect(self) -> Iterator[Metric]:
        yield from self._tables()
        yield from self._journals()
        yield from self._store()
        yield from self._feed()
        yield from self._significant()

    def _tables(self) -> Iterator[Metric]:
        hosts = self.house.hosts
        opened = GaugeMetricFamily("croupier_tables", "Tables of the house, by whether they are open.", labels=["open"])
        for wanted in (True, False):
            opened.add_metric([str(wanted).lower()], sum(host.shown.open == wanted for host in hosts.values()))
        yield opened
        watchers = sum(len(host.watchers) for host in hosts.values())
        yield GaugeMetricFamily("croupier_watchers", "Pages that watch a table.", watchers)
        rounds = CounterMetricFamily("croupier_rounds", "Rounds that were begun at each table.", labels=["table"])
        money = GaugeMetricFamily(
            "croupier_money_cents", "Balances of each table by kind of account.", labels=["table", "account"]
        )
        terminals = GaugeMetricFamily(
            "croupier_terminals", "Terminals of each table, by whether they may be operated.", labels=["table", "state"]
        )
        for name, host in hosts.items():
            table = host.shown
            rounds.add_metric([name], table.number)
            kinds = Tally[str]()
            for account, cents in table.balances.items():
                kinds[parted(account).kind] += cents
            for kind, cents in kinds.items():
                money.add_metric([name, kind], cents)
            locked = len(table.terminals) if "" in table.locks else len(table.locks & {*table.terminals})
            terminals.add_metric([name, "working"], len(table.terminals) - locked)
            terminals.add_metric([name, "locked"], locked)
        yield from (rounds, terminals)
        if not self.money:
            return
        yield money
        words = "Balances of the cage by kind of account."
        cage, kinds = GaugeMetricFamily("croupier_cage_cents", words, labels=["account"]), Tally[str]()
        for account, cents in (self.house.cage.shown.balances if self.house.cage else {}).items():
            kinds[parted(account).kind] += cents
        for kind, cents in kinds.items():
            cage.add_metric([kind], cents)
        yield cage

    def _journals(self) -> Iterator[Metric]:
        keepers = list(self.house.keepers())
        kept = sum(keeper.owned for keeper in keepers)
        yield GaugeMetricFamily("croupier_journals_kept", "Journals that this process keeps.", kept)
        lines = GaugeMetricFamily("croupier_journal_lines", "Durable lines of each journal.", labels=["journal"])
        lag = GaugeMetricFamily(
            "croupier_journal_lag_lines", "Lines decided here that are not durable yet.", labels=["journal"]
        )
        for keeper in keepers:
            # What nobody here asks for is not read, but heard of.
            lines.add_metric([keeper.name], max(keeper.shown.entries, keeper.end))
            lag.add_metric([keeper.name], keeper.state.entries - keeper.shown.entries)
        yield from (lines, lag)

    def _feed(self) -> Iterator[Metric]:
        feed, hooks = self.house.feed, self.house.webhooks
        yield CounterMetricFamily("croupier_events", "Events of the feed.", feed.last)
        yield GaugeMetricFamily("croupier_feed_behind_lines", "Durable lines that are no event yet.", feed.behind)
        behind = GaugeMetricFamily(
            "croupier_webhook_behind", "Events that a webhook has not taken.", labels=["webhook"]
        )
        words = "How often a webhook failed since it last took events."
        failures = GaugeMetricFamily("croupier_webhook_failures", words, labels=["webhook"])
        for hook in hooks.hooks:
            behind.add_metric([hook.name], feed.last - hooks.keeper.shown.took.get(hook.name, 0))
            failures.add_metric([hook.name], hooks.tries.get(hook.name, 0))
        yield from (behind, failures)

    def _significant(self) -> Iterator[Metric]:
        opened = self.house.significant.shown.open.values()
        words = "Significant events that nobody has acknowledged, by kind."
        many = GaugeMetricFamily("croupier_significant_open", words, labels=["kind"])
        for kind in KINDS:
            many.add_metric([kind], sum(each.kind == kind for each in opened))
        yield many
        oldest = min((each.at_ms for each in opened), default=0)
        waits = max(0.0, (clock_ms() - oldest) / 1000) if oldest else 0.0
        yield GaugeMetricFamily("croupier_significant_oldest_seconds", "How long the oldest of them waits.", waits)

    def _store(self) -> Iterator[Metric]:
        writer = self.house.store.writer
        if writer is None:
            return
        tails, now = dict(writer.tails), writer.steady()
        oldest = max((now - since for since in tails.values()), default=0.0)
        yield GaugeMetricFamily("croupier_heads_unwitnessed", "Journals with lines after their last head.", len(tails))
        yield GaugeMetricFamily("croupier_heads_unwitnessed_seconds", "How long the oldest of them waits.", oldest)
        waiting = writer.tickets.qsize()
        yield GaugeMetricFamily("croupier_store_waiting", "Pieces of work that wait for the writer.", waiting)
        elsewhere = sum(each.unsent for each in writer.witnesses)
        yield GaugeMetricFamily("croupier_witness_unsent", "Groups of heads that a witness has not taken.", elsewhere)
