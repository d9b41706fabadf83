"""The commands of a house: run it, verify it, tell a round of it, keep it going."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli import FAULT, arguments
from croupier.cli.cases import heard
from croupier.cli.telling import DB_FROM, PLAIN, Db, Json, show, tell
from croupier.cli.telling.plain import text

app = typer.Typer(**PLAIN)


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
    witness: Annotated[str, typer.Option(metavar="WHERE", help="A file or address that signed heads go to too.")] = "",
    second: Annotated[str, typer.Option(metavar="PATH", help="A second journal, on another disk.")] = "",
) -> None:
    """Run the game system and its pages; what is named here counts more than the settings."""
    from croupier.floor.serve import serve as run
    from croupier.floor.settings import with_words
    from croupier.prove import PROOFS

    number = arguments.whole("--port", port, range(65536)) if port else None
    settings = with_words(
        config, db=db, key=key, port=number, host=host, origins=tuple(origin or ()), witness=witness, second=second
    )
    proofs = {name: proof.says for name, proof in PROOFS.items()}
    run(settings, demo=demo, pace=pace, greeting=_first_story() if demo else "", proofs=proofs)


def _first_story() -> str:
    """What a demonstration tells first: a case with a mistake in it, as `adjudicate` tells it."""
    from croupier.floor.practice.demonstration import first_case
    from croupier.hearing import read_case

    return f"A card that was not due\n\n{text(show.case, heard(read_case(first_case())))}\n"


@app.command()
def verify(
    db: Annotated[str, typer.Option(metavar="URL", envvar=DB_FROM, help="The journal's database.")] = "",
    key: Annotated[str, typer.Option(metavar="FILE", help="The key that signed it; of an export, or its digits.")] = "",
    export: Annotated[str, typer.Option(metavar="FILE", help="A signed export, instead of a database.")] = "",
    witness: Annotated[str, typer.Option(metavar="WHERE", help="Where its heads went besides the key's file.")] = "",
    second: Annotated[str, typer.Option(metavar="PATH", help="Its second journal, to be compared row by row.")] = "",
    as_json: Json = False,
) -> None:
    """Check a journal: its chain and signatures, its money, and every settlement by the rules."""
    from croupier.floor.audit.export import verify_either

    found = verify_either(db, key, export, witness, second)
    tell(found, as_json, show.verified)
    if found["fault"]:
        raise typer.Exit(FAULT)


@app.command("explain")
def explain_round(
    table: Annotated[str, typer.Argument(metavar="TABLE")],
    number: Annotated[str, typer.Argument(metavar="ROUND")],
    db: Db,
    as_json: Json = False,
) -> None:
    """The story of a round: who did what, what was due under which rule, where each cent went."""
    from croupier.floor.store.durable import open_reader
    from croupier.floor.store.engines import told_plainly
    from croupier.table.events import decode
    from croupier.table.explain import explain, lines_of

    wanted = arguments.whole("ROUND", number, range(1, 10**9))
    with open_reader(db) as store, told_plainly(store.opened.name):
        if table not in store.tables():
            raise ValueError(f"unknown table {table!r:.40}; this journal has {', '.join(store.tables()) or 'none'}")
        journal = [decode(line.body) for line in store.each_sound_line(table)]
    if not lines_of(journal, wanted):
        raise ValueError(f"no round {wanted} at {table}")
    story = explain(journal, wanted)
    answer = {"table": table, "round": wanted, "story": story.splitlines()}
    tell(answer, as_json, lambda console, _: console.print(story, soft_wrap=True, markup=False, highlight=False))
