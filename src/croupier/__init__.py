"""Casino table games, by the book: every step cites its rule, every wager has its exact odds.

This is the public door; the README's examples run through it.  Each function imports what it needs when it is called,
so that `import croupier` costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from croupier.errors import (
    AtTheDoor,
    BadInput,
    Error,
    MissingExtra,
    NotPermitted,
    Refused,
    expected,
    missing,
    text_of,
    whole_of,
)

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

    for name, value in (("edition", edition), ("game", game), ("version", version), ("venue", venue)):
        text_of(name, value)
    example = {"elections": "{'decks': 6}", "readings": "{'dealer_blackjack': 'original_only'}"}
    for name, given in (("elections", elections), ("readings", readings)):
        _check(name, given, Mapping, f"values by name, as in {example[name]}")
        for key in given or ():
            text_of(f"a name among the {name}", key)
    _check("on", on, date, "a date")
    with AtTheDoor():
        edition = named(edition)
        if edition in KNOWN_HERE:
            game = KNOWN_HERE[edition].game
        return choose(edition, game=game, version=version, elections=elections, readings=readings, on=on, venue=venue)


def _check(name: str, value: object, kind: type, wanted: str) -> None:
    """Refuse an argument of another kind; none is given where it is None."""
    if value is not None and not isinstance(value, kind):
        raise expected(name, value, wanted)


def _rules(rules: object) -> Ruleset[Any]:
    """Rules as `ruleset` gives them; a mere name says nothing of the game."""
    from croupier.law.ruleset import Ruleset

    if isinstance(rules, Ruleset):
        return rules
    how = f"croupier.ruleset({rules!r:.40})" if isinstance(rules, str) and rules else "croupier.ruleset('nz1998')"
    raise expected("rules", rules, f"what croupier.ruleset gives, as in {how}")


def _shoe(shoe: object) -> Sequence[int] | None:
    """Counts of 52 cards or 13 ranks; how many there may be the game says."""
    if shoe is None:
        return None
    if isinstance(shoe, str | bytes) or not isinstance(shoe, Sequence):
        raise expected("shoe", shoe, "a list of 52 counts of cards, or of 13 of ranks")
    for count in shoe:
        if type(count) is not int or count < 0:
            raise expected("a count of a shoe", count, "a whole number, 0 or more")
    return shoe


def _cents(name: str, value: object) -> int | None:
    from croupier.money import LARGEST_AMOUNT

    return whole_of(name, value, LARGEST_AMOUNT)


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
    from croupier.exact.engines import JACKPOTS, OddsAsked
    from croupier.exact.sheet import sheet
    from croupier.rulesets import known_game

    known, shoe = _rules(rules), _shoe(shoe)
    pool_cents, stake_cents = _cents("pool_cents", pool_cents), _cents("stake_cents", stake_cents)
    if (pool_cents, stake_cents) != (None, None) and rules.game not in JACKPOTS:
        raise BadInput(f"a pool and a stake in cents are a jackpot's, and {rules.game} has none")
    if pool_cents is not None and stake_cents is None:
        raise BadInput("pool_cents alone says nothing of the odds: give stake_cents too")
    asked = OddsAsked(pool_cents, stake_cents, exact=exact, quick=quick)
    with AtTheDoor():
        return sheet(known_game(known.game), known, shoe, asked=asked)


def odds_each(rules: Ruleset[Any], shoes: Iterable[Sequence[int]], *, quick: bool = False) -> Iterator[Sheet]:
    """A sheet for each of many shoes, in their order, counted together: under a millisecond each for baccarat.

    >>> full, rich_in_tens = [32] * 9 + [128], [20] * 9 + [128]
    >>> ranks = [[*shoe[:9], *[shoe[9] // 4] * 4] for shoe in (full, rich_in_tens)]
    >>> [f"{float(sheet.line('tie').edge):.3%}" for sheet in odds_each(ruleset("nz1998"), ranks)]
    ['14.360%', '16.894%']
    """
    from croupier.exact.engines import OddsAsked
    from croupier.exact.sheet import sheets
    from croupier.rulesets import known_game

    known = _rules(rules)
    if shoes is None:
        raise expected("shoes", shoes, "a list of shoes")
    _check("shoes", shoes, Iterable, "shoes one after the other, each of 52 counts of cards or 13 of ranks")
    return _each(sheets(known_game(known.game), known, map(_counted, shoes), asked=OddsAsked(quick=quick)))


def _each(sheets: Iterator[Sheet]) -> Iterator[Sheet]:
    with AtTheDoor():
        yield from sheets


def _counted(shoe: object) -> Sequence[int]:
    found = _shoe(shoe)
    if found is None:
        raise expected("a shoe", shoe, "a list of 52 counts of cards, or of 13 of ranks")
    return found


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

    return catalogue.editions(text_of("game", game))


def versions(edition: str, *, game: str = "baccarat") -> tuple[str, ...]:
    """The versions of a game in an edition, the usual one first.

    >>> versions("vic2002")
    ('traditional', 'crown')
    """
    from croupier.survey import catalogue

    return catalogue.versions(text_of("edition", edition), game=text_of("game", game))


def elections(rules: Ruleset[Any]) -> Mapping[str, tuple[object, ...]]:
    """What the operator may choose under these rules: what is in force, then what else is permitted."""
    from croupier.survey import catalogue

    return catalogue.elections(_rules(rules))


def wagers(rules: Ruleset[Any]) -> tuple[str, ...]:
    """Every wager that these rules permit.

    >>> wagers(ruleset("nz1998"))
    ('player', 'banker', 'tie')
    """
    from croupier.survey import catalogue

    return catalogue.wagers(_rules(rules))


def search(text: str, *, edition: str = "") -> tuple[Rule, ...]:
    """Rules in which all these words stand, those that have them in their heading first."""
    from croupier.survey import catalogue

    if not text_of("text", text).strip():
        raise BadInput("say which words to look for: the text is empty")
    return catalogue.search(text, edition=text_of("edition", edition), most=None)


def adjudicate(line: str | Mapping[str, object]) -> Adjudication:
    """A round in one line, `nz1998 banker 100: 2h 3d Kc Qs 8h`, a score, or a case as `croupier adjudicate` reads it.

    >>> adjudicate({"edition": "nz1998", "facts": ["9c", "2d", "Kh", "3s"]}).to_dict()["outcome"]["winner"]
    'player'
    >>> adjudicate('[Edition "nz1998"]\\n1. banker 100: 2h 3d Kc Qs 8h\\n2. player 50: 9c 2d Kh 3s').rows()[0]["pays"]
    9500
    """
    from croupier.hearing import adjudicate as hear
    from croupier.hearing import read_line
    from croupier.own import named
    from croupier.records.scores import is_score, read_object, read_score

    with AtTheDoor():
        if not isinstance(line, str):
            return hear(read_object(line))
        return hear(read_score(line).case if is_score(line) else read_line(named(line)))


def shoe(rules: Ruleset[Any], coups: str, *, wagers: str = "") -> RecordedShoe:
    """A recorded shoe of baccarat, settled: `coups` and `wagers` are CSV, as `croupier shoe` reads them.

    >>> shoe(ruleset("nz1998"), "player,banker\\n2h Kc 8h,3d Qs\\n9c Kd,8d 2c\\n")
    <Shoe: rules=baccarat nz1998/full, coups=2, won=player 1, banker 1, tie 0, irregular=0>
    """
    from croupier.records.shoes import hear_shoe, read_coups, read_wagers

    known, staked = _rules(rules), text_of("wagers", wagers)
    with AtTheDoor():
        return hear_shoe(known, read_coups(text_of("coups", coups)), read_wagers(staked) if staked else None)


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

    known = _rules(rules)
    if not text_of("name", name).strip():
        raise BadInput("a table has a name: it is empty")
    return LiveTable(known_game(known.game), known, name)


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

    known = _rules(rules)
    _check("wagers", wagers, Mapping, "stakes in units by wager, as in {'banker': 1}")
    for name, called in (("progress", progress), ("clock", clock), ("executor.submit", _submit(executor))):
        if called is not None and not callable(called):
            raise expected(name, called, "a function")
    pool_cents, stake_cents = _cents("pool_cents", pool_cents), _cents("stake_cents", stake_cents)
    behind = whole_of("behind", behind)
    settings = SimulationSettings(
        strategy, boxes, wagers or {}, session, behind, pool_cents=pool_cents, stake_cents=stake_cents
    )
    watch = Watch(tell=progress, clock=clock)
    with AtTheDoor():
        return play(
            known,
            rounds=rounds,
            seed=seed,
            settings=settings,
            executor=executor,
            workers=workers,
            watch=watch,
            exact=exact,
        )


def _submit(executor: object) -> object:
    """How an executor takes its work; what is none has none to call."""
    return None if executor is None else getattr(executor, "submit", executor)
