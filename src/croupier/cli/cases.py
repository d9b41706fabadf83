"""The commands of rounds: `adjudicate`, `settle` and `due`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli import arguments
from croupier.cli.telling import PLAIN, EditionName, Json, show, tell

if TYPE_CHECKING:
    from croupier.hearing import CaseIn
    from croupier.records.scores import Score

app = typer.Typer(**PLAIN)

Words = Annotated[list[str], typer.Argument(metavar="TEXT", help="A round in one line; - reads lines from stdin.")]


@app.command()
def adjudicate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The case as JSON, or a score; - reads it from stdin.")],
    all_editions: Annotated[bool, typer.Option("--all-editions", help="The same under every law.")] = False,
    as_json: Json = False,
) -> None:
    """What a round came to, step by step, each with its rule."""
    from msgspec.structs import replace

    from croupier.hearing import across_editions
    from croupier.own import named

    with arguments.naming(file):
        case = _read(arguments.read(file)).case
        case = replace(case, edition=named(case.edition))
    if all_editions:
        tell({"game": case.game, "editions": across_editions(case)}, as_json, show.editions)
    else:
        tell(heard(case), as_json, show.case)


@app.command()
def score(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A case, a score, or an inspector's export; - is stdin.")],
    as_json: Json = False,
) -> None:
    """The notation of rounds and sessions: any case or export written as a score; with --json, as a case."""
    import msgspec

    text = arguments.read(file)
    with arguments.naming(file):
        made = _exported(text, arguments.named(file)) if text.startswith(b'{"format":') else _read(text)
    if as_json:
        tell({**msgspec.to_builtins(made.case), "tags": dict(made.tags)}, as_json, show.case)
    else:
        print(made, end="")


def _exported(text: bytes, place: str) -> Score:
    """The score of a signed export; whether it is genuine `croupier verify --export` tells."""
    from croupier.floor.audit.export import export_of
    from croupier.records.scores import score_of_journal
    from croupier.table.events import decode

    found = export_of(text, place)
    return score_of_journal((decode(line.body) for line in found.lines), found.header.table)


def _read(text: bytes) -> Score:
    """A case from JSON, or a score."""
    from croupier.hearing import read_case
    from croupier.records.scores import Score, is_score, read_score

    words = text.decode(errors="replace")
    return read_score(words) if is_score(words) else Score(read_case(text))


@app.command()
def settle(text: Words, as_json: Json = False) -> None:
    """A round in one line: croupier settle "nz1998 banker 100: 2h 3d Kc Qs 8h"."""
    from croupier.hearing import read_line
    from croupier.own import named

    lines = [" ".join(text)] if text != ["-"] else arguments.read("-").decode(errors="replace").splitlines()
    rounds = [line for line in lines if line.strip() and not line.startswith("#")]
    if not rounds:
        raise ValueError("there is no round to settle, as in: nz1998 banker 100: 2h 3d Kc Qs 8h")
    for line in rounds:
        tell(heard(read_line(named(line))), as_json, show.case)


@app.command()
def due(text: Words, as_json: Json = False) -> None:
    """What is due in a position, and why: croupier due "nz1998 2h 3d Kc"."""
    from croupier.hearing import adjudicate, read_position
    from croupier.own import named

    found = adjudicate(read_position(named(" ".join(text))))
    law, last = found.ruleset, found.rounds[-1]
    answer = {
        "game": law.game,
        "edition": law.edition,
        "version": law.version,
        "over": last["over"],
        "due": last["due"],
    }
    rule = str(last["due_rule"])
    answer |= {"over": last["over"], "due": last["due"], "rule": rule, "says": list(law.says(rule))}
    answer |= {"outcome": last["outcome"], **law.marked}
    tell(answer, as_json, show.due)


@app.command()
def shoe(
    file: Annotated[str, typer.Argument(metavar="FILE.csv", help="A coup a line: cards, or player and banker.")],
    edition: EditionName,
    version: Annotated[str, typer.Option(metavar="V", help="The first of the edition, if none is named.")] = "",
    decks: Annotated[str | None, typer.Option(metavar="N", help="Packs in the shoe.")] = None,
    elect: Annotated[list[str] | None, typer.Option(metavar="NAME[=VALUE]", help="What the operator elects.")] = None,
    wagers: Annotated[str, typer.Option(metavar="FILE", help="CSV of wagers: coup, on, amount, by.")] = "",
    as_json: Json = False,
) -> None:
    """A recorded shoe of baccarat: every coup settled, irregular ones named, roads and totals."""
    from croupier.own import named
    from croupier.records.shoes import hear_shoe, read_coups, read_wagers
    from croupier.rulesets import ruleset

    chosen = ruleset(named(edition), version=version, elections=arguments.elections(elect or [], decks))
    with arguments.naming(file):
        coups = read_coups(arguments.read(file).decode(errors="replace"))
    with arguments.naming(wagers):
        staked = read_wagers(arguments.read(wagers).decode(errors="replace")) if wagers else {}
    tell(hear_shoe(chosen, coups, staked).to_dict(), as_json, show.shoe)


def heard(case: CaseIn) -> dict[str, Any]:
    from croupier.hearing import adjudicate, as_json

    return as_json(adjudicate(case))
