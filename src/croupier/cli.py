"""The commands.

Theory of operation.  A command reads its words, asks the rooms below for an answer in the public form (plain data),
and tells it: as JSON, or as tables for people.  The heavy rooms are imported inside the commands, so that help is
quick.  What goes wrong is told in one place, `main`: one line on stderr that names the input and the rule, exit code
2, and no traceback; with `--json` the same as an object on stdout.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.main import get_command

from croupier import arguments, show, upkeep
from croupier.show import Answer

if TYPE_CHECKING:
    from croupier.exact.command import Request
    from croupier.hearing import CaseIn
    from croupier.prove import Tell, Verdict

BAD_INPUT: Final = 2
FAULT: Final = 1
INTERRUPTED: Final = 130

# Plain help: drawing it with rich would take longer than all the rest.
_PLAIN: Final[dict[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}
app = typer.Typer(help="Casino table games by the book: every step with its rule, every wager with its odds.", **_PLAIN)
rules_app = typer.Typer(help="The rules: one of them, their changes, what can go wrong, what is covered.", **_PLAIN)
app.add_typer(rules_app, name="rules")
people_app = typer.Typer(help="The people of a house: their accounts, from the machine itself.", **_PLAIN)
app.add_typer(people_app, name="people")
app.add_typer(upkeep.app)

Json = Annotated[bool, typer.Option("--json", help="The answer as JSON.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="baccarat, blackjack, roulette, craps, …")]
Words = Annotated[list[str], typer.Argument(metavar="TEXT")]


# ---------------------------------------------------------------- commands


@app.command()
def odds(
    game: GameName,
    edition: Annotated[str, typer.Option(metavar="E", help="nz1996, nz1998, nzd5, nzeb or vic2002.")] = "",
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
    compare: Annotated[
        tuple[str, str], typer.Option(metavar="E1 E2", help="Two rule sets: nzd5/full or nzd5,no_commission.")
    ] = ("", ""),
    as_json: Json = False,
) -> None:
    """What every wager of a game is worth, exactly."""
    from croupier.exact import command
    from croupier.exact.engines import Asked, money_of
    from croupier.rulesets import known_game

    played, elections = known_game(game), arguments.elections(elect or [], decks)
    asked = Asked(money_of(game, "--pool", pool), money_of(game, "--stake", stake), exact=exact)
    request = command.Request(
        played,
        version,
        elections,
        arguments.pairs("--reading", reading or []),
        lambda chosen: arguments.shoe(played, chosen, ranks, cards, decks_named="decks" in elections),
        asked,
    )
    if sum((explain is not None, bool(html), any(compare))) > 1:
        raise ValueError("--explain, --html and --compare are asked for one at a time")
    if any(compare) and (edition or version):
        raise ValueError("--compare names both editions, with their versions as in nzd5/full")
    if any(compare):
        _tell(
            command.compared(request, compare, lambda words: arguments.elections(words, None)), as_json, show.comparison
        )
    elif explain is not None:
        _tell(command.explained(request, edition, explain), as_json, show.working)
    else:
        _tell(_sheet(request, edition, html), as_json, show.sheet)


def _sheet(request: Request, edition: str, html: str) -> dict[str, Any]:
    """The sheet in the public form; where a file is named, its page is written there first."""
    from croupier.exact import command, sheet

    made = command.priced(request, edition)
    if not html:
        return sheet.as_json(made)
    from croupier.exact.par import page

    # A place that cannot be written to is told before the page is reckoned.
    open(html, "a", encoding="utf-8").close()
    drawn = page(request.game, made, request.asked)
    with open(html, "w", encoding="utf-8") as file:
        file.write(drawn)
    return sheet.as_json(made) | {"html": html}


@app.command()
def adjudicate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The case as JSON; - reads it from stdin.")],
    all_editions: Annotated[bool, typer.Option("--all-editions", help="The same under every law.")] = False,
    as_json: Json = False,
) -> None:
    """What a round came to, step by step, each with its rule."""
    from croupier.hearing import across_editions, read_case
    from croupier.notation import BadInput

    try:
        case = read_case(arguments.read(file))
    except BadInput as error:
        raise BadInput(f"{arguments.named(file)}: {error}") from error
    except RecursionError as error:
        raise BadInput(f"{arguments.named(file)}: the case is nested too deeply") from error
    if all_editions:
        _tell({"game": case.game, "editions": across_editions(case)}, as_json, show.editions)
    else:
        _tell(_heard(case), as_json, show.case)


@app.command()
def settle(text: Words, as_json: Json = False) -> None:
    """A round in one line: croupier settle "nz1998 banker 100: 2h 3d Kc Qs 8h"."""
    from croupier.hearing import read_line

    _tell(_heard(read_line(" ".join(text))), as_json, show.case)


@app.command()
def due(text: Words, as_json: Json = False) -> None:
    """What is due in a position, and why: croupier due "nz1998 2h 3d Kc"."""
    from croupier.hearing import read_position
    from croupier.law.inventory import parts

    heard = _heard(read_position(" ".join(text)))
    answer = {key: heard[key] for key in ("game", "edition", "version", "over", "due")}
    rule = str(heard["due_rule"])
    answer |= {"rule": rule, "says": [row.summary for row in parts(rule)], "outcome": heard["outcome"]}
    _tell(answer, as_json, show.due)


def _heard(case: CaseIn) -> dict[str, Any]:
    from croupier.hearing import adjudicate, as_json

    return as_json(adjudicate(case))


@rules_app.command("show")
def show_rule(
    rule: Annotated[str, typer.Argument(metavar="ID", help="NZ1998-9.4, nzd5-5.11.")], as_json: Json = False
) -> None:
    """One rule: what it says, what rests on it, where it is cited and tested."""
    from croupier import coverage
    from croupier.law import inventory, readings

    found = arguments.rule_id(rule)
    rows = inventory.parts(found)
    answer = {
        "id": found,
        "edition": inventory.edition_of(found),
        "rows": [
            {"id": row.id, "topic": row.topic, "kind": row.kind, "software": row.software, "summary": row.summary}
            | {"parameters": row.parameters, "depends": list(row.depends), "note": row.note}
            for row in rows
        ],
        "below": [row.id for row in inventory.children(found) if row not in rows],
        "other_editions": list(inventory.other_editions(found)),
        "readings": [{"id": each.id, "name": each.name, "says": each.says} for each in readings.for_rule(found)],
        "cited": sorted({place for row in rows for place in coverage.cited().get(row.id, ())}),
        "tested": sorted({test for row in rows for test in coverage.tested().get(row.id, ())}),
    }
    _tell(answer, as_json, show.rule)


@rules_app.command("diff")
def diff_rules(
    before: Annotated[str, typer.Argument(metavar="E1", help="An edition, or one version of it: nzd5/full.")],
    after: Annotated[str, typer.Argument(metavar="E2")],
    game: Annotated[str, typer.Option(metavar="G", help="Only this game.")] = "",
    as_json: Json = False,
) -> None:
    """What changed from one edition to another."""
    from croupier import diff

    _tell(diff.as_json(diff.difference(before, after, game)), as_json, show.difference)


@rules_app.command("irregularities")
def irregularities(game: GameName, as_json: Json = False) -> None:
    """What can go wrong in a game, and the rules that remedy it."""
    from croupier.law.model import laws_in
    from croupier.rulesets import every_ruleset, known_game

    played = known_game(game)
    told = []
    for name, words in played.circumstances.items():
        rules = {
            f"{each.edition}/{each.version}": list(
                dict.fromkeys(law.rule for path, law in laws_in(each.rules) if f"irregularities.{name}." in f"{path}.")
            )
            for each in every_ruleset((played,))
        }
        told.append({"name": name, "words": words, "rules": {where: ids for where, ids in rules.items() if ids}})
    _tell({"game": game, "circumstances": told}, as_json, show.irregularities)


@rules_app.command("coverage")
def cover(as_json: Json = False) -> None:
    """Which rules the code cites and the tests exercise."""
    from croupier import coverage

    _tell(coverage.as_json(), as_json, show.coverage)


@app.command()
def prove(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A proof; without a name they are listed.")] = "",
    game: Annotated[str, typer.Option(metavar="G", help="Only this game.")] = "",
    edition: Annotated[str, typer.Option(metavar="E", help="Only this edition.")] = "",
    sample: Annotated[str, typer.Option(metavar="N", help="Only so many, evenly chosen (0: all).")] = "0",
    as_json: Json = False,
) -> None:
    """Run a proof that the rules, the tests or the system hold."""
    from croupier import prove as proofs

    if not name:
        listed = [{"name": each.name, "says": each.says} for each in proofs.PROOFS.values()]
        _tell({"proofs": listed}, as_json, show.proofs)
        return
    scope = proofs.Scope(game, edition, arguments.whole("--sample", sample, range(10**6)))
    verdict = _with_progress(lambda tell: proofs.run(name, scope, tell))
    _tell(verdict.answer, as_json, lambda console, _: console.print("\n".join(verdict.lines), soft_wrap=True))
    if not verdict.proved:
        raise typer.Exit(FAULT)


@app.command()
def simulate(
    game: GameName,
    edition: Annotated[str, typer.Option(metavar="E", help="nz1996, nz1998, nzd5, nzeb or vic2002.")] = "",
    version: Annotated[str, typer.Option(metavar="V", help="The first of the edition, if none is named.")] = "",
    decks: Annotated[str | None, typer.Option(metavar="N", help="Packs in the shoe.")] = None,
    elect: Annotated[list[str] | None, typer.Option(metavar="NAME[=VALUE]", help="What the operator elects.")] = None,
    reading: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="How an open text is read.")] = None,
    rounds: Annotated[str, typer.Option(metavar="N", help="How many rounds; 1e9 is a number.")] = "1000000",
    seed: Annotated[str, typer.Option(metavar="S", help="The same seed gives the same counts, anywhere.")] = "1",
    workers: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores, if not said.")] = None,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Dask scheduler: many machines.")] = "",
    strategy: Annotated[str, typer.Option(metavar="NAME", help="How choices are made, or a plan of wagers.")] = "",
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

    from croupier.rulesets import known_game, ruleset
    from croupier.simulation import command, report
    from croupier.simulation.show import simulation

    if not edition:
        raise ValueError(f"name the edition with --edition; {game} has {', '.join(known_game(game).editions)}")
    readings, elections = arguments.pairs("--reading", reading or []), arguments.elections(elect or [], decks)
    chosen = ruleset(edition, game=game, version=version, elections=elections, readings=readings)
    words = command.Words(rounds, seed, workers, cluster, strategy, boxes, session, behind, stake or (), pool)
    if html:
        # A page that cannot be written is refused before a long run, not after it.
        open(html, "a", encoding="utf-8").close()
    result = command.run(chosen, words, perf_counter)
    if html:
        with open(html, "w", encoding="utf-8") as file:
            file.write(report.html(result))
    _tell(report.as_json(result), as_json, simulation)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


@app.command()
def serve(
    db: Annotated[str, typer.Option(metavar="URL", help="The journal's database.")] = "",
    key: Annotated[str, typer.Option(metavar="FILE", help="The key that signs the journal, kept elsewhere.")] = "",
    port: Annotated[str, typer.Option(metavar="N")] = "",
    demo: Annotated[bool, typer.Option("--demo", help="With a demonstration house.")] = False,
    pace: Annotated[str, typer.Option(metavar="B,C,A", help="Seconds of betting, per card, per act.")] = "",
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "",
    origin: Annotated[list[str] | None, typer.Option(metavar="ORIGIN", help="A site whose pages may ask.")] = None,
    config: Annotated[str, typer.Option(metavar="FILE", help="Settings; `croupier settings` explains them.")] = "",
) -> None:
    """Run the game system and its pages; what is named here counts more than the settings."""
    from croupier.floor.serve import serve as run
    from croupier.floor.settings import with_words

    number = arguments.whole("--port", port, range(65536)) if port else None
    settings = with_words(config, db=db, key=key, port=number, host=host, origins=tuple(origin or ()))
    run(settings, demo=demo, pace=pace)


Db = Annotated[str, typer.Option(metavar="URL", help="The journal's database.")]
Key = Annotated[str, typer.Option(metavar="FILE", help="The key that signs it, if it is not in its usual place.")]
Name = Annotated[str, typer.Argument(metavar="NAME")]


def _people() -> ModuleType:
    from croupier.floor import people_command

    return people_command


@people_app.command("add")
def add_person(
    name: Name,
    db: Db,
    role: Annotated[list[str], typer.Option(metavar="ROLE", help="dealer, cashier, inspector, …; more than once.")],
    key: Key = "",
    pin: Annotated[bool, typer.Option("--pin", help="With a PIN, for dealers and players.")] = False,
    as_json: Json = False,
) -> None:
    """A new account, with a password for one use."""
    _tell(_people().add(db, key, name, tuple(role), pin=pin), as_json, show.person)


@people_app.command("list")
def list_people(db: Db, as_json: Json = False) -> None:
    """Everybody who has an account."""
    _tell(_people().listed(db), as_json, show.people)


@people_app.command("disable")
def disable_person(name: Name, db: Db, key: Key = "", as_json: Json = False) -> None:
    """Close an account; its sessions end."""
    _tell(_people().disable(db, key, name), as_json, show.person)


@people_app.command("unlock")
def unlock_person(name: Name, db: Db, key: Key = "", as_json: Json = False) -> None:
    """Let somebody try again who was locked out."""
    _tell(_people().unlock(db, key, name), as_json, show.person)


@people_app.command("reset")
def reset_person(name: Name, db: Db, key: Key = "", as_json: Json = False) -> None:
    """A new password for one use."""
    _tell(_people().reset(db, key, name), as_json, show.person)


@app.command()
def verify(
    db: Annotated[str, typer.Option(metavar="URL", help="The journal's database.")] = "",
    key: Annotated[str, typer.Option(metavar="FILE", help="The key that signed it; of an export, or its digits.")] = "",
    export: Annotated[str, typer.Option(metavar="FILE", help="A signed export, instead of a database.")] = "",
    as_json: Json = False,
) -> None:
    """Check a journal: its chain and signatures, its money, and every settlement by the rules."""
    from croupier.floor.exporting import verify_either

    found = verify_either(db, key, export)
    _tell(found, as_json, show.verified)
    if found["fault"]:
        raise typer.Exit(FAULT)


@app.command("explain")
def explain_round(
    table: Annotated[str, typer.Argument(metavar="TABLE")],
    number: Annotated[str, typer.Argument(metavar="ROUND")],
    db: Annotated[str, typer.Option(metavar="URL", help="The journal's database.")],
    as_json: Json = False,
) -> None:
    """The story of a round: who did what, what was due under which rule, where each cent went."""
    from croupier.floor.store import open_reader
    from croupier.table.events import decode
    from croupier.table.explain import explain, lines_of

    wanted = arguments.whole("ROUND", number, range(1, 10**9))
    with open_reader(db) as store:
        if table not in store.tables():
            raise ValueError(f"unknown table {table!r:.40}; this journal has {', '.join(store.tables()) or 'none'}")
        journal = [decode(line.body) for line in store.each_line(table)]
    if not lines_of(journal, wanted):
        raise ValueError(f"no round {wanted} at {table}")
    story = explain(journal, wanted)
    answer = {"table": table, "round": wanted, "story": story.splitlines()}
    _tell(answer, as_json, lambda console, _: console.print(story, soft_wrap=True, markup=False, highlight=False))


# ---------------------------------------------------------------- telling


def _tell(answer: Answer, as_json: bool, draw: show.Draw) -> None:
    print(json.dumps(answer, indent=1) if as_json else show.text(draw, answer))


def _with_progress(work: Callable[[Tell], Verdict]) -> Verdict:
    """Run work that tells how far it is, with a bar where somebody watches."""
    if not sys.stderr.isatty():
        return work(_unheard)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    # A proof may fork, so the bar must not have a thread of its own.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as progress:
        task = progress.add_task("", total=None)
        return work(
            lambda done, total, what: progress.update(task, completed=done, total=total, description=what, refresh=True)
        )


def _unheard(*_: object) -> None:
    """How far the work is, told to nobody."""


# ---------------------------------------------------------------- what goes wrong


def main() -> None:
    """The one place where what goes wrong is told."""
    arguments = sys.argv[1:] or ["--help"]
    sys.exit(run(arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command and answer with its exit code; nothing that a user can do raises."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    command = get_command(app)
    try:
        with command.make_context("croupier", list(arguments)) as context:
            command.invoke(context)
        sys.stdout.flush()
        return 0
    except typer.Exit as done:
        return int(done.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted", code=INTERRUPTED)
    except BrokenPipeError:
        # Python flushes stdout once more at the end, and there is nobody left to read it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain("the output was closed before all was written")
    except Exception as error:
        reason, rule, code = _explained(error)
        if "--json" in arguments:
            print(json.dumps({"error": {"reason": reason, "rule": rule or None}}))
        return _complain(f"{reason} ({rule})" if rule else reason, code=code)


def _explained(error: Exception) -> tuple[str, str, int]:
    """The reason, the rule if one refused, and the exit code."""
    # A refusal is known by what it carries; importing the rooms that raise it could fail in its turn.
    refusal = getattr(error, "refusal", error)
    if hasattr(refusal, "rule"):
        return str(getattr(refusal, "reason", error)), str(refusal.rule), BAD_INPUT
    if isinstance(error, OSError):
        return f"{error.filename or 'input'}: {error.strerror or error}", "", BAD_INPUT
    if isinstance(error, ValueError):
        return str(error), "", BAD_INPUT
    if isinstance(error, ModuleNotFoundError):
        return f"{error.name} is not installed here", "", FAULT
    if hasattr(error, "format_message"):
        return f"{error.format_message().rstrip('.')}; try --help", "", BAD_INPUT
    return f"a fault of croupier itself: {type(error).__name__}: {error}", "", FAULT


def _complain(message: str, *, code: int = BAD_INPUT) -> int:
    line = "".join(c if c.isprintable() else " " for c in message)
    print(f"croupier: {' '.join(line.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
