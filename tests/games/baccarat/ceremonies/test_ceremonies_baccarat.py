"""How the hands of baccarat are shown, act by act: which act, by whom, under which rule, in which order.

`cases/ceremonies.cases` has one scene for each style and for each thing that changes its order: who holds a hand or
the shoe, who opens it, whether the Banker's Hand comes first, whether markers are used.  A scene begins when betting
was closed.  Seat 2 has 100 on the Player's Hand, seat 5 has 300 on the Banker's.  Lines of a scene:

    + show banker first by dealer            somebody does what nobody asked for, and it is allowed
    seat 2: accept player     VIC2002-8.1.1  an offer to seat 2 is due under this rule, and is answered so
    deal player 2h            VIC2002-8.2.3  a card is due
    announce player by dealer VIC2002-8.3.1  an act is due from this person, and is done
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from croupier.equipment import parse_card
from croupier.game import CardSeen, Choose, Deal, Perform, say
from tests.games.baccarat.ceremonies.test_every import Desk, opened, stake
from tests.helpers.places import CASES

CEREMONIES = CASES / "ceremonies.cases"
WAGERS = (stake("player", 100, 2), stake("banker", 300, 5))


@dataclass(frozen=True, slots=True)
class Scene:
    edition: str
    version: str
    style: str
    about: str
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.edition}-{self.version}-{self.style}: {self.about}"


def scenes() -> list[Scene]:
    """The scenes of the file, once for each version; a heading is `[edition versions style] what it shows`."""
    found: list[tuple[str, list[str]]] = []
    for line in CEREMONIES.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found.append((line, []))
        elif line.strip() and not line.startswith("#"):
            found[-1][1].append(line.strip())
    return [scene for heading, lines in found for scene in _of(heading, tuple(lines))]


def _of(heading: str, lines: tuple[str, ...]) -> list[Scene]:
    where, about = heading.removeprefix("[").split("] ")
    edition, versions, style = where.split()
    return [Scene(edition, version, style, about, lines) for version in versions.split(",")]


def betting_closed(scene: Scene) -> Desk:
    table = opened(scene.edition, scene.version, scene.style)
    table.bets(*WAGERS)
    call = table.rules.ceremony.calls[0].value
    table.does(call.act, call.by)
    return table


def follow(table: Desk, line: str) -> None:
    """One line of a scene: it is what is due, and it happens."""
    if line.startswith("+ "):
        act, _, who = line.removeprefix("+ ").partition(" by ")
        by, _, detail = who.partition(": ")
        table.does(act, by, detail)
        return
    what, rule = line.rsplit(maxsplit=1)
    due = table.due
    assert (say(due), due.rule) == (_wanted(what.strip()), rule), line
    match due:
        case Deal():
            table.happens(CardSeen(parse_card(what.split()[-1])))
        case Choose(by=by):
            table.chooses(what.strip().removeprefix(f"{by}: "), by)
        case Perform(act=act, by=by):
            table.does(act, by)
        case _:
            raise AssertionError(f"{line}: due is {say(due)}")


def _wanted(what: str) -> str:
    """The line in the words of a demand: both options of an offer, a card without its face."""
    if what.startswith("deal "):
        return what.rsplit(maxsplit=1)[0]
    by, offered, option = what.partition(": ")
    role = option.partition(" ")[2]
    return f"choose {by}: accept {role}|decline {role}" if offered else what


@pytest.mark.parametrize("scene", [pytest.param(scene, id=scene.name) for scene in scenes()])
def test_scene(scene: Scene) -> None:
    table = betting_closed(scene)
    for line in scene.lines:
        follow(table, line)
    assert say(table.due).startswith(("announce result", "enter outcome", "deal "))
