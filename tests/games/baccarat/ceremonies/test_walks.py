"""The ceremonies of baccarat from fresh cards through two shoes, in each edition, version and style.

A walk answers whatever is due and writes down what was due, from whom, under which rules, and the answer.  The files
`playthroughs/ceremony-*.txt` hold the walks, and each line of them was read against the inventory.

The first shoe is cut by the second player asked.  In its first round the first two offers of the Banker's Hand meet a
refusal and an acceptance and the Player's Hand is accepted; in the second all offers are declined and the cutting
card comes after two cards; the third has no wager on the Player's Hand.  Nobody cuts the second shoe, and the cutting
card is the first to come out of it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from croupier.equipment import parse_card
from croupier.game import CardSeen, Choose, Deal, Perform, say
from croupier.games.baccarat import procedure
from croupier.once import replace
from tests.games.baccarat.ceremonies.test_every import DRAWS, NATURAL, STANDS, Desk, desk, stake
from tests.helpers.places import PLAYTHROUGHS

TIE = "3h Kd 3c 2s 4d"
ROUND_1 = (
    stake("banker", 100, 2),
    stake("banker", 300, 5),
    stake("banker", 300, 7),
    stake("banker", 900, "standing 1"),
    stake("player", 50, 1),
)
ROUND_3 = (stake("banker", 100, 5),)
ON_TERMINALS = (stake("banker", 300, "terminal 1"), stake("perfect_pairs", 10, "terminal 1"))

# Each walk: the edition, its versions that share the ceremony, the style, and the shuffler if there is one.
WALKS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("nz1996", ("mini",), "up", ""),
    ("nz1996", ("mini",), "down", ""),
    *(("nz1996", (version,), style, "") for version in ("full", "midi") for style in "ABC"),
    *(("nz1998", ("full",), style, "") for style in "ABC"),
    *(("nzd5", ("mini", "midi", "full"), style, "") for style in "ABC"),
    ("nzd5", ("mini", "midi", "full"), "A", "batch"),
    ("nzd5", ("mini", "midi", "full"), "B", "batch"),
    ("nzd5", ("mini", "midi", "full"), "C", "continuous"),
    *(("nzeb", ("terminals",), style, "") for style in "AC"),
    *(("nzeb", ("hybrid",), style, "") for style in "ABC"),
    *(("vic2002", ("traditional", "crown"), method, "") for method in "123"),
)


def file_of(edition: str, versions: tuple[str, ...], style: str, shuffler: str) -> Path:
    version = versions[0] if len(versions) == 1 else ""
    return PLAYTHROUGHS / f"ceremony-{'-'.join(filter(None, (edition, version, style, shuffler)))}.txt"


class Walk:
    """A table that answers by a plan and writes down each line."""

    def __init__(self, table: Desk) -> None:
        self.table = table
        self.lines: list[str] = []
        self.rules: list[tuple[str, ...]] = []

    def says(self, heading: str) -> None:
        self.lines.append(f"# {heading or 'a round on terminals'}")
        self.rules.append(())

    def step(self, *, accepts: tuple[str, ...] = (), card: str = "") -> None:
        """Answer what is due: with the card, with a yes if the offer is among those accepted, or by doing it."""
        table, wanted = self.table, self.table.due
        rules: tuple[str, ...] = (wanted.rule,)
        match wanted:
            case Deal(to=to):
                lies = procedure.face(table.rules, table.sitting)
                what, rules, answer = f"deal {to} face {lies.value}", (wanted.rule, lies.rule), card
                table.happens(CardSeen(parse_card(card)))
            case Choose(by=by, options=(yes, no)):
                what, answer = say(wanted), yes if f"{by} {yes}" in accepts else no
                table.chooses(answer, by)
            case Perform(act=act, by=by):
                detail = self.detail(act)
                what, answer = say(wanted), str(detail)
                table.does(act, by, detail)
            case _:
                raise AssertionError(say(wanted))
        self.lines.append(f"{what:<50} {' '.join(rules):<34} {answer}".rstrip())
        self.rules.append(rules)

    def detail(self, act: str) -> int | str:
        prepared = self.table.rules.ceremony.prepared
        return next(iter(prepared), "") if act == "remove cards" else self.table.detail_of(act)

    def until(self, act: str, *, accepts: tuple[str, ...] = ()) -> None:
        while not say(self.table.due).startswith(act):
            self.step(accepts=accepts)

    def round(self, cards: str, *, accepts: tuple[str, ...] = (), cutting_card_at: int | None = None) -> None:
        """From the call to the settlement; the cutting card comes before the card at this place."""
        self.step()
        for place, card in enumerate(cards.split()):
            self.until("deal ", accepts=accepts)
            if place == cutting_card_at:
                self.lines.append("cutting card")
                self.rules.append(())
                self.table.does("cutting card")
                self.until("deal ")
            self.step(card=card)
        while procedure.holds(self.table.rules, self.table.sitting, "betting closed"):
            self.step(accepts=accepts)


def walked(table: Desk) -> Walk:
    walk = Walk(table)
    continuous = table.rules.shuffler.value.elected == "continuous"
    call = table.rules.ceremony.calls[0].value.act
    seated = bool(table.sitting.seats)
    pairs = (stake("perfect_pairs", 10, 1),) if table.rules.perfect_pairs else ()
    table.bets(*((*ROUND_1, *pairs) if seated else ON_TERMINALS))
    walk.says("the first shoe")
    cutter = procedure.cut_order(table.rules, table.sitting)[1:2]
    walk.until(call, accepts=tuple(f"{seat} cut" for seat in cutter))
    walk.says("round 1: seats 5 and 7 have equal wagers on the Banker's Hand, one who stands has more" * seated)
    walk.round(DRAWS, accepts=("seat 7 accept banker", "seat 7 accept shoe", "seat 1 accept player"))
    walk.says("round 2: everybody declines" * seated)
    walk.round(NATURAL, cutting_card_at=None if continuous else 2)
    if continuous:
        table.sitting = replace(table.sitting, vacant=True)
        table.does("shuffle after vacancy", "game supervisor")
    else:
        walk.until(call)
        walk.says("round 3, the last: no wager on the Player's Hand" * seated)
        table.bets(*(ROUND_3 if seated else ON_TERMINALS))
        walk.round(TIE, accepts=("seat 5 accept banker", "seat 5 accept shoe"))
    walk.says("the second shoe: nobody cuts")
    table.burn = "Kd"
    walk.until(call)
    walk.says("round 1" if continuous else "round 1: the cutting card comes first")
    walk.round(STANDS, cutting_card_at=None if continuous else 0)
    if table.sitting.left:
        walk.until(call)
        walk.says("round 2")
        walk.round(STANDS)
    walk.lines.append(f"{say(table.due):<50} {table.due.rule}")
    walk.rules.append((table.due.rule,))
    return walk


CASES = [
    pytest.param(
        edition,
        version,
        style,
        shuffler,
        file_of(edition, versions, style, shuffler),
        id=f"{edition}-{version}-{style}{shuffler}",
    )
    for edition, versions, style, shuffler in WALKS
    for version in versions
]


@pytest.mark.parametrize(("edition", "version", "style", "shuffler", "file"), CASES)
def test_walk_equals_the_file_that_was_read(edition: str, version: str, style: str, shuffler: str, file: Path) -> None:
    seats = () if version == "terminals" else (1, 2, 5, 7)
    walk = walked(desk(edition, version, style, seats=seats, shuffler=shuffler))
    if os.environ.get("PLAYTHROUGHS") == "write":
        file.write_text("\n".join(walk.lines) + "\n", encoding="utf-8")
    assert walk.lines == file.read_text(encoding="utf-8").splitlines()


def test_each_playthrough_of_a_ceremony_is_walked() -> None:
    assert set(PLAYTHROUGHS.glob("ceremony-*.txt")) == {file_of(*walk) for walk in WALKS}
