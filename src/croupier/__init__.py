"""Casino table games, by the book: every step cites its rule, every wager has its exact odds.

This is the public door; the README's examples run through it.  Each function imports what it needs when it is called,
so that `import croupier` costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from croupier.exact.sheet import Sheet
    from croupier.hearing import Adjudication
    from croupier.law.ruleset import Ruleset
    from croupier.simulation.results import Result
    from croupier.simulation.run import Progress
    from croupier.table.desk import LiveTable

__version__ = "0.1.0"
__all__ = ["Table", "adjudicate", "odds", "ruleset", "simulate"]


def ruleset(
    edition: str = "",
    *,
    game: str = "baccarat",
    version: str = "",
    elections: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    on: date | None = None,
    venue: str = "",
) -> Ruleset[Any]:
    """The rules of a game: an edition by name, or the one in force on a date at a venue."""
    from croupier.rulesets import ruleset as choose

    return choose(edition, game=game, version=version, elections=elections, readings=readings, on=on, venue=venue)


def odds(
    rules: Ruleset[Any],
    *,
    shoe: Sequence[int] | None = None,
    pool_cents: int | None = None,
    stake_cents: int | None = None,
    exact: bool = False,
    quick: bool = False,
) -> Sheet:
    """The exact worth of every wager; `shoe` counts 52 cards (or 13 ranks) if it is not full.

    A jackpot's row needs `pool_cents` and `stake_cents`; `exact` weighs blackjack in fractions, for minutes; `quick`
    leaves out the wagers that take seconds.

    >>> sheet = odds(ruleset("nz1996", game="roulette"))
    >>> {str(line.edge) for line in sheet.lines}
    {'1/37'}
    >>> dont_pass = odds(ruleset("nz1996", game="craps")).of("dont_pass")[0]
    >>> str(dont_pass.edge), str(dont_pass.standoff), str(dont_pass.throws)
    ('3/220', '1/36', '557/165')
    """
    from croupier.exact.engines import Asked
    from croupier.exact.sheet import sheet
    from croupier.rulesets import known_game

    asked = Asked(pool_cents, stake_cents, exact=exact, quick=quick)
    return sheet(known_game(rules.game), rules, shoe, asked=asked)


def adjudicate(line: str) -> Adjudication:
    """A round in one line, `nz1998 banker 100: 2h 3d Kc Qs 8h`, from facts to settlements."""
    from croupier.hearing import adjudicate as hear
    from croupier.hearing import read_line

    return hear(read_line(line))


def Table(rules: Ruleset[Any], *, name: str = "table 1") -> LiveTable:  # noqa: N802 - it makes one, and reads like one
    """A live table of a game under these rules: people, wagers, facts, and the journal that tells it all.

    >>> table = Table(ruleset("nz1998"))
    >>> table.open(minimum=1_000, maximum=100_000, chip=250)
    >>> table.sit("ann", 4, chips=50_000)
    >>> number = table.bet("ann", "banker", 10_000)
    >>> table.due
    'inspect as dealer by dealer [NZ1998-6.1]'
    """
    from croupier.rulesets import known_game
    from croupier.table.desk import LiveTable

    return LiveTable(known_game(rules.game), rules, name)


def simulate(
    rules: Ruleset[Any],
    *,
    rounds: int,
    seed: int = 1,
    strategy: object = "",
    executor: Executor | None = None,
    workers: int | None = None,
    boxes: int = 1,
    wagers: Mapping[str, int] | None = None,
    session: int = 0,
    behind: int | None = None,
    pool_cents: int | None = None,
    stake_cents: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    clock: Callable[[], float] | None = None,
    exact: bool = True,
) -> Result:
    """Play so many rounds; the same seed gives the same counts whatever the executor or the number of workers.

    `strategy` is a name, a table or a function, as the game has it; `wagers` what a bettor stakes, in units.  With
    `session` the rounds are played in sessions of so many, whose results, drawdowns and ruins are told.  `progress` is
    called after each part; with a `clock` (such as `time.perf_counter`) it is told the rate and the time left.  A
    jackpot's row needs `pool_cents` and `stake_cents`.

    >>> result = simulate(ruleset("nz1996", game="roulette"), rounds=1000, seed=7)
    >>> result.rounds, sum(times for _, times in result.outcomes)
    (1000, 1000)
    """
    from croupier.simulation.plan import Settings
    from croupier.simulation.run import Watch
    from croupier.simulation.run import simulate as play

    return play(
        rules,
        rounds=rounds,
        seed=seed,
        settings=Settings(
            strategy, boxes, wagers or {}, session, behind, pool_cents=pool_cents, stake_cents=stake_cents
        ),
        executor=executor,
        workers=workers,
        watch=Watch(tell=progress, clock=clock),
        exact=exact,
    )
