"""The commands of the law: its rules shown, searched, compared and covered; and what there is to choose from."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from croupier.cli.telling import PLAIN, GameName, Json, patience, show, tell
from croupier.kept.files import PACKAGE, kept

if TYPE_CHECKING:
    from msgspec import Raw

app = typer.Typer(help="The rules: one of them, their changes, what can go wrong, what is covered.", **PLAIN)


INVENTORY: Final = PACKAGE / "law" / "inventory"
LAW: Final = ("law", "games", "table", "house", "survey")
"""The rooms whose code may cite a rule, and what reads them."""


@app.command("show")
def show_rule(
    rule: Annotated[str, typer.Argument(metavar="ID", help="NZ1998-9.4, nzd5-5.11.")], as_json: Json = False
) -> None:
    """One rule: what it says, what rests on it, where it is cited and tested."""
    tell(page(rule), as_json, show.rule)


def page(typed: str) -> dict[str, Any]:
    """The page of a rule; those of its edition are kept together."""
    from msgspec import json

    head, dash, number = typed.strip().partition("-")
    found = f"{head.upper()}{dash}{number}"
    body = _pages(head).get(found)
    if body is None:
        from croupier.survey.catalogue import rule_id

        found = rule_id(typed)
        body = _pages(found.partition("-")[0])[found]
    return dict(json.decode(body))


def _pages(prefix: str) -> dict[str, Raw]:
    """The pages of the document whose ids begin so, if it is one."""
    from msgspec import Raw, json

    known = prefix.lower()
    if f"{known}.csv" not in os.listdir(INVENTORY):
        return {}
    return json.decode(kept(f"rules-{known}", made_of=LAW, make=partial(_bound, known)), type=dict[str, Raw])


def _bound(edition: str) -> bytes:
    from msgspec import json

    from croupier.survey.pages import pages

    return json.encode(pages(edition))


@app.command("search")
def search_rules(
    words: Annotated[list[str], typer.Argument(metavar="WORDS")],
    edition: Annotated[str, typer.Option(metavar="E", help="Only this edition.")] = "",
    as_json: Json = False,
) -> None:
    """Rules in which all these words stand, those that have them in their heading first."""
    from croupier.survey import catalogue

    if not " ".join(words).strip():
        raise ValueError("say which words to look for: the text is empty")
    rows = catalogue.search(" ".join(words), edition=edition, most=None)
    shown = rows if as_json else rows[: catalogue.MOST_FOUND]
    listed = [{"id": row.id, "topic": row.topic, "kind": row.kind, "summary": row.summary} for row in shown]
    tell({"words": " ".join(words), "rules": listed, "more": len(rows) - len(shown)}, as_json, show.found)


@app.command("diff")
def diff_rules(
    before: Annotated[
        str, typer.Argument(metavar="E1", help="An edition, one version of it (nzd5/full), or FILE.toml.")
    ],
    after: Annotated[str, typer.Argument(metavar="E2")],
    game: Annotated[str, typer.Option(metavar="G", help="Only this game.")] = "",
    as_json: Json = False,
) -> None:
    """What changed from one edition to another."""
    from croupier.own import named_apart
    from croupier.survey import diff

    tell(diff.as_json(diff.difference(*named_apart(before, after), game)), as_json, show.difference)


@app.command("irregularities")
def irregularities(game: GameName, as_json: Json = False) -> None:
    """What can go wrong in a game, and the rules that remedy it."""
    from croupier.answers.declaring import provided
    from croupier.rulesets import every_ruleset, known_game

    played = known_game(game)
    laws = {f"{each.edition}/{each.version}": provided(played, each.rules) for each in every_ruleset((played,))}
    circumstances = [
        {
            "name": name,
            "words": entry.text,
            "rules": {law: list(rules[name]) for law, rules in laws.items() if name in rules},
        }
        for name, entry in played.circumstances.items()
    ]
    tell({"game": game, "circumstances": circumstances}, as_json, show.irregularities)


@app.command("coverage")
def cover(as_json: Json = False) -> None:
    """Which rules the code cites, which a case carries out at a door, and which software cannot."""
    from croupier.survey import coverage

    with patience("looking through the code and the cases"):
        answer = coverage.as_json()
    tell(answer, as_json, show.coverage)
