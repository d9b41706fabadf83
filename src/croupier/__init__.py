"""Casino table games, by the book: every step cites its rule, every wager has its exact odds.

This is the public door; the README's examples run through it.  Each function imports what it needs when it is called,
so that `import croupier` costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from croupier.errors import BadInput, Error, MissingExtra, NotPermitted, Refused, missing

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from croupier.exact.sheet import Sheet
    from croupier.hearing import Adjudication
    from croupier.law.inventory import Rule
    from croupier.law.ruleset import Ruleset
    from croupier.records.shoes import RecordedShoe
    from croupier.simulation.results import Result
    from croupier.simulation.run import Progress
    from croupier.table.desk import LiveTable

__version__ = "0.1.0"
__all__ = [
    "BadInput",
    "Error",
    "MissingExtra",
    "NotPermitted",
    "Refused",
    "Table",
    "adjudicate",
    "editions",
    "elections",
    "games",
    "odds",
    "odds_each",
    "ruleset",
    "search",
    "shoe",
    "simulate",
    "versions",
    "wagers",
]


def __dir__() -> list[str]:
    return sorted((*__all__, "__version__"))


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
    """The rules of a game: an edition by name or by its file, or the one in force on a date at a venue.

    A file (`own.toml`) holds an edition of one's own: a gazetted one with some of its values changed, and bets written
    as data.
    """
    from croupier.own import KNOWN_HERE, named
    from croupier.rulesets import ruleset as choose

    edition = named(edition)
    if edition in KNOWN_HERE:
        game = KNOWN_HERE[edition].game
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
    from croupier.exact.engines import OddsAsked
    from croupier.exact.sheet import sheet
    from croupier.rulesets import known_game

    asked = OddsAsked(pool_cents, stake_cents, exact=exact, quick=quick)
    try:
        return sheet(known_game(rules.game), rules, shoe, asked=asked)
    except ModuleNotFoundError as error:
        raise missing(error.name) from error


def odds_each(rules: Ruleset[Any], shoes: Iterable[Sequence[int]], *, quick: bool = False) -> Iterator[Sheet]:
    """A sheet for each of many shoes, in their order, counted together: under a millisecond each for baccarat.

    >>> full, rich_in_tens = [32] * 9 + [128], [20] * 9 + [128]
    >>> ranks = [[*shoe[:9], *[shoe[9] // 4] * 4] for shoe in (full, rich_in_tens)]
    >>> [f"{float(sheet.line('tie').edge):.3%}" for sheet in odds_each(ruleset("nz1998"), ranks)]
    ['14.360%', '13.082%']
    """
    from croupier.exact.engines import OddsAsked
    from croupier.exact.sheet import sheets
    from croupier.rulesets import known_game

    return sheets(known_game(rules.game), rules, shoes, asked=OddsAsked(quick=quick))


def games() -> tuple[str, ...]:
    """The games, by the names that everything takes.

    >>> games()[:3]
    ('baccarat', 'blackjack', 'roulette')
    """
    from croupier.survey import catalogue

    return catalogue.games()


def editions(game: str = "") -> Mapping[str, str]:
    """The editions of the law with their titles; of one game, those that know it.

    >>> list(editions("craps"))
    ['nz1996']
    """
    from croupier.survey import catalogue

    return catalogue.editions(game)


def versions(edition: str, *, game: str = "baccarat") -> tuple[str, ...]:
    """The versions of a game in an edition, the usual one first.

    >>> versions("vic2002")
    ('traditional', 'crown')
    """
    from croupier.survey import catalogue

    return catalogue.versions(edition, game=game)


def elections(rules: Ruleset[Any]) -> Mapping[str, tuple[object, ...]]:
    """What the operator may choose under these rules: what is in force, then what else is permitted."""
    from croupier.survey import catalogue

    return catalogue.elections(rules)


def wagers(rules: Ruleset[Any]) -> tuple[str, ...]:
    """Every wager that these rules permit.

    >>> wagers(ruleset("nz1998"))
    ('player', 'banker', 'tie')
    """
    from croupier.survey import catalogue

    return catalogue.wagers(rules)


def search(text: str, *, edition: str = "") -> tuple[Rule, ...]:
    """Rules in which all these words stand."""
    from croupier.survey import catalogue

    return catalogue.search(text, edition=edition)


def adjudicate(line: str | Mapping[str, object]) -> Adjudication:
    """A round in one line, `nz1998 banker 100: 2h 3d Kc Qs 8h`, a score, or a case as `croupier adjudicate` reads it.

    >>> adjudicate({"edition": "nz1998", "game": "baccarat", "facts": ["9c", "2d", "Kh", "3s"]}).outcome["winner"]
    'player'
    >>> adjudicate('[Edition "nz1998"]\\n1. banker 100: 2h 3d Kc Qs 8h\\n2. player 50: 9c 2d Kh 3s').settlements[0].pays
    9500
    """
    from croupier.hearing import adjudicate as hear
    from croupier.hearing import read_line
    from croupier.own import named
    from croupier.records.scores import is_score, read_object, read_score

    if not isinstance(line, str):
        return hear(read_object(line))
    return hear(read_score(line).case if is_score(line) else read_line(named(line)))


def shoe(rules: Ruleset[Any], coups: str, *, wagers: str = "") -> RecordedShoe:
    """A recorded shoe of baccarat, settled: `coups` and `wagers` are CSV, as `croupier shoe` reads them.

    >>> shoe(ruleset("nz1998"), "player,banker\\n2h Kc 8h,3d Qs\\n9c Kd,8d 2c\\n")
    <Shoe: rules=baccarat nz1998/full, coups=2, won=player 1, banker 1, tie 0, irregular=0>
    """
    from croupier.records.shoes import hear_shoe, read_coups, read_wagers

    return hear_shoe(rules, read_coups(coups), read_wagers(wagers) if wagers else None)


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
    try:
        from croupier.simulation.plan import SimulationSettings
        from croupier.simulation.run import Watch
        from croupier.simulation.run import simulate as play
    except ModuleNotFoundError as error:
        raise missing(error.name) from error

    return play(
        rules,
        rounds=rounds,
        seed=seed,
        settings=SimulationSettings(
            strategy, boxes, wagers or {}, session, behind, pool_cents=pool_cents, stake_cents=stake_cents
        ),
        executor=executor,
        workers=workers,
        watch=Watch(tell=progress, clock=clock),
        exact=exact,
    )
