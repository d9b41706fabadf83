"""The command `list`: what there is to choose from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from croupier.cli.telling import PLAIN, Json, editions_begun, games_begun, show, tell

app = typer.Typer(**PLAIN)

LISTS = ("games", "editions", "versions", "elections", "wagers")


def lists_begun(incomplete: str) -> list[str]:
    """The lists whose names begin so, for a shell that completes them."""
    return [name for name in LISTS if name.startswith(incomplete)]


@app.command("list")
def list_what(
    what: Annotated[
        str, typer.Argument(metavar="games|editions|versions|elections|wagers", autocompletion=lists_begun)
    ],
    of: Annotated[str, typer.Argument(metavar="GAME", help="Of this game.", autocompletion=games_begun)] = "",
    game: Annotated[str, typer.Option(metavar="G", help="The same.", autocompletion=games_begun)] = "",
    edition: Annotated[str, typer.Option(metavar="E", help="In this edition.", autocompletion=editions_begun)] = "",
    version: Annotated[str, typer.Option(metavar="V", help="In this version.")] = "",
    as_json: Json = False,
) -> None:
    """What there is: games, editions, versions, elections, wagers."""
    from croupier.own import named

    if of and game and of != game:
        raise ValueError(f"one game at a time, not {of!r:.40} and {game!r:.40}")
    tell({"what": what, "rows": _rows(what, of or game, named(edition), version)}, as_json, show.listed)


def _rows(what: str, game: str, edition: str, version: str) -> list[dict[str, Any]]:
    from croupier.errors import unknown
    from croupier.rulesets import ruleset
    from croupier.survey import catalogue

    match what:
        case "games":
            if game or edition or version:
                raise ValueError(f"list games is of nothing else: {game or edition or version!r:.40}")
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
            chosen = ruleset(edition or next(iter(catalogue.editions(played))), game=played, version=version)
            if what == "wagers":
                return [{"wager": name} for name in catalogue.wagers(chosen)]
            return [
                {"election": name, "in force": str(values[0]), "permitted": ", ".join(map(str, values)) or "any source"}
                for name, values in catalogue.elections(chosen).items()
            ]
        case _:
            raise unknown("list", what, LISTS)
