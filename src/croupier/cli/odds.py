"""The commands of figures: `odds` and `simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli import INTERRUPTED, arguments
from croupier.cli.telling import PLAIN, EditionName, GameName, Json, patience, show, tell

if TYPE_CHECKING:
    from croupier.exact.command import OddsRequest
    from croupier.exact.sheet import Sheet

app = typer.Typer(**PLAIN)


OFF_ROUNDS = "a round: the edge over all rounds for which a wager lies; a round on: without those for which it is off"


@app.command()
def odds(
    game: GameName,
    edition: EditionName = "",
    version: Annotated[str, typer.Option(metavar="V", help="The first of the edition, if none is named.")] = "",
    decks: Annotated[str | None, typer.Option(metavar="N", help="Packs in the shoe.")] = None,
    elect: Annotated[list[str] | None, typer.Option(metavar="NAME[=VALUE]", help="What the operator elects.")] = None,
    reading: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="How an open text is read.")] = None,
    ranks: Annotated[str | None, typer.Option(metavar="COUNTS", help="The shoe: 13 counts, A to K.")] = None,
    cards: Annotated[str | None, typer.Option(metavar="COUNTS", help="The shoe: 52 counts, A to K of c d h s.")] = None,
    pool: Annotated[str | None, typer.Option(metavar="CENTS", help="A jackpot's pool.")] = None,
    stake: Annotated[str | None, typer.Option(metavar="CENTS", help="A jackpot wager.")] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Blackjack in fractions; takes minutes.")] = False,
    explain: Annotated[str | None, typer.Option(metavar="WAGER", help="The ways to win and lose, with rules.")] = None,
    html: Annotated[str, typer.Option(metavar="FILE", help="Write a PAR sheet with plots.")] = "",
    csv: Annotated[str, typer.Option(metavar="FILE", help="Write the rows and every way to end as CSV.")] = "",
    xlsx: Annotated[str, typer.Option(metavar="FILE", help="Write them as a workbook.")] = "",
    compare: Annotated[
        tuple[str, str], typer.Option(metavar="E1 E2", help="Two rule sets: nzd5/full or nzd5,no_commission.")
    ] = ("", ""),
    hands: Annotated[str, typer.Option(metavar="N,N", help="Bands of the hold after so many hands.")] = "",
    speed: Annotated[str, typer.Option(metavar="N", help="Hands in an hour, for --hands.")] = "60",
    grid: Annotated[list[str] | None, typer.Option(metavar="NAME=V|V", help="Edges for values of the rules.")] = None,
    as_json: Json = False,
) -> None:
    """What every wager of a game is worth, exactly."""
    from croupier.exact import command
    from croupier.exact.engines import OddsAsked, money_of
    from croupier.own import named, named_apart
    from croupier.rulesets import known_game

    played, elections, edition = known_game(game), arguments.elections(elect or [], decks), named(edition)
    compare = named_apart(*compare)
    asked = OddsAsked(money_of(game, "--pool", pool), money_of(game, "--stake", stake), exact=exact)
    request = command.OddsRequest(
        played,
        version,
        elections,
        arguments.pairs("--reading", reading or []),
        lambda chosen: arguments.shoe(played, chosen, ranks, cards, decks_named="decks" in elections),
        asked,
    )
    files = {"html": html, "csv": csv, "xlsx": xlsx}
    if sum((explain is not None, any(files.values()), any(compare))) > 1:
        raise ValueError("--explain, --compare and files (--html, --csv, --xlsx) are asked for one at a time")
    if pool is not None and stake is None:
        raise ValueError("--pool alone says nothing of the odds: give --stake too")
    if any(compare) and (edition or version):
        raise ValueError("--compare names both editions, with their versions as in nzd5/full")
    draw = show.comparison if any(compare) else show.sheet if explain is None else show.working
    with patience(f"reckoning the odds of {game}"):
        if any(compare):
            answer = command.compared(request, compare, lambda words: arguments.elections(words, None))
        elif explain is not None:
            answer = command.explained(request, edition, explain)
        else:
            answer = _sheet(request, edition, {kind: name for kind, name in files.items() if name})
            answer |= _holds(request, edition, hands, speed, grid or [])
    tell(answer, as_json, draw if not {"holds", "grid"} & answer.keys() else _held)


def _holds(request: OddsRequest, edition: str, hands: str, speed: str, grid: list[str]) -> dict[str, Any]:
    """Bands of the hold, and a grid, where they are asked for."""
    if not hands and not grid:
        return {}
    from croupier.exact import command
    from croupier.exact.par import holds

    made, found = command.priced(request, edition), dict[str, Any]()
    if hands:
        numbers = [arguments.whole("--hands", word.strip(), range(1, 10**6)) for word in hands.split(",")]
        found["holds"] = holds.bands(made, numbers, arguments.whole("--speed", speed, range(1, 10**5)))
    if grid:
        axes = holds.read_axes(grid)
        choices = {"elections": request.elections, "readings": request.readings}
        found["grid"] = holds.grid(request.game, made.ruleset, axes, **choices)
    return found


def _held(console: Any, answer: Mapping[str, Any]) -> None:
    from croupier.exact.par import holds

    show.sheet(console, answer)
    if "holds" in answer:
        holds.show_bands(console, answer["holds"])
    if "grid" in answer:
        holds.show_grid(console, answer["grid"])


def _sheet(request: OddsRequest, edition: str, files: dict[str, str]) -> dict[str, Any]:
    """The sheet in the public form; where files are named, they are written first."""
    from croupier.exact import command, export, sheet

    arguments.writable(*files.values())
    made = command.priced(request, edition)
    for kind, name in files.items():
        if kind == "html":
            from croupier.exact.par.page import page

            written = page(request.game, made, request.asked).encode()
        else:
            written = export.csv_text(made).encode() if kind == "csv" else export.xlsx(made)
        arguments.write(name, written)
    return sheet.as_json(made) | files | _notes(request, made)


def _notes(request: OddsRequest, made: Sheet) -> dict[str, Any]:
    """How off rounds count, and what `--exact` did not change, is said, not passed over."""
    off = [OFF_ROUNDS] if any(line.throws_on is not None for line in made.lines) else []
    if not request.asked.exact:
        return {"notes": off} if off else {}
    left = ", ".join(line.policy or line.wager for line in made.lines if line.method != "exact")
    if not left:
        return {"notes": [*off, "--exact: every row is exact"]}
    return {"notes": [*off, f"--exact: not in fractions are {left}"]}


@app.command()
def simulate(
    game: GameName,
    edition: EditionName = "",
    version: Annotated[str, typer.Option(metavar="V", help="The first of the edition, if none is named.")] = "",
    decks: Annotated[str | None, typer.Option(metavar="N", help="Packs in the shoe.")] = None,
    elect: Annotated[list[str] | None, typer.Option(metavar="NAME[=VALUE]", help="What the operator elects.")] = None,
    reading: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="How an open text is read.")] = None,
    rounds: Annotated[str, typer.Option(metavar="N", help="How many rounds; 1e9 is a number.")] = "1000000",
    seed: Annotated[str, typer.Option(metavar="S", help="The same seed gives the same counts, anywhere.")] = "1",
    workers: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores, if not said.")] = None,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Dask scheduler: many machines.")] = "",
    strategy: Annotated[
        str, typer.Option(metavar="NAME|FILE.py", help="How choices are made, or how bets are placed.")
    ] = "",
    boxes: Annotated[str, typer.Option(metavar="N", help="Boxes that are played.")] = "1",
    stake: Annotated[
        list[str] | None, typer.Option(metavar="WAGER=UNITS", help="What a bettor stakes; in CENTS a jackpot wager.")
    ] = None,
    pool: Annotated[str | None, typer.Option(metavar="CENTS", help="A jackpot's pool.")] = None,
    session: Annotated[str, typer.Option(metavar="N", help="Rounds in a session: results, drawdown, ruin.")] = "0",
    behind: Annotated[str | None, typer.Option(metavar="N", help="Cards behind the cutting card.")] = None,
    html: Annotated[str, typer.Option(metavar="FILE", help="Write a page with plots.")] = "",
    as_json: Json = False,
) -> None:
    """Play a game very many times, and tell what every wager came to beside its exact odds."""
    from time import perf_counter

    from croupier.own import named
    from croupier.rulesets import known_game, ruleset
    from croupier.simulation import command
    from croupier.simulation.paper import report
    from croupier.simulation.paper.show import simulation

    if not edition:
        raise ValueError(f"name the edition with --edition; {game} has {', '.join(known_game(game).editions)}")
    readings, elections = arguments.pairs("--reading", reading or []), arguments.elections(elect or [], decks)
    chosen = ruleset(named(edition), game=game, version=version, elections=elections, readings=readings)
    words = command.Words(rounds, seed, workers, cluster, strategy, boxes, session, behind, stake or (), pool)
    arguments.writable(html)
    result = command.run(chosen, words, perf_counter)
    if html:
        arguments.write(html, report.html(result).encode())
    tell(report.as_json(result), as_json, simulation)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)
