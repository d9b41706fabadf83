"""The command `list`: what there is to choose from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from croupier.cli import show
from croupier.cli.telling import PLAIN, Json, tell

app = typer.Typer(**PLAIN)


@app.command("list")
def list_what(
    what: Annotated[str, typer.Argument(metavar="games|editions|versions|elections|wagers")],
    game: Annotated[str, typer.Option(metavar="G", help="Of this game.")] = "",
    edition: Annotated[str, typer.Option(metavar="E", help="In this edition.")] = "",
    version: Annotated[str, typer.Option(metavar="V", help="In this version.")] = "",
    as_json: Json = False,
) -> None:
    """What there is: games, editions, versions, elections, wagers."""
    from croupier.own import named

    tell({"what": what, "rows": _rows(what, game, named(edition), version)}, as_json, show.listed)


def _rows(what: str, game: str, edition: str, version: str) -> list[dict[str, Any]]:
    from croupier.errors import unknown
    from croupier.survey import catalogue

    match what:
        case "games":
            return [{"game": name, "editions": ", ".join(catalogue.editions(name))} for name in catalogue.games()]
        case "editions":
            return [{"edition": name, "title": title} for name, title in catalogue.editions(game).items()]
        case "versions":
            named = [game] if game else catalogue.games()
            return [
                {"game": each, "edition": law, "version": one}
                for each in named
                for law in ([edition] if edition else catalogue.editions(each))
                if not edition or game or law in catalogue.editions(each)
                for one in catalogue.versions(law, game=each)
            ]
        case "elections" | "wagers":
            played = game or "baccarat"
            chosen = catalogue.usual(edition or next(iter(catalogue.editions(played))), game=played, version=version)
            if what == "wagers":
                return [{"wager": name} for name in catalogue.wagers(chosen)]
            return [
                {"election": name, "in force": str(values[0]), "permitted": ", ".join(map(str, values)) or "any source"}
                for name, values in catalogue.elections(chosen).items()
            ]
        case _:
            raise unknown("list", what, ("games", "editions", "versions", "elections", "wagers"))
