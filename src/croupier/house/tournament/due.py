"""What is due next in a tournament: by whom, under which rule, and the command that tells it.

Theory of operation.  A tournament has no phase: what is due follows from what was settled, entered, drawn and played so
far, as it does at a table.  `due` gives all that can be done now to bring the tournament on, the most urgent first; a
round at two tables has something due at each.  Nothing here decides anything: whoever follows it asks `decide`, which
may still refuse.

`command` is the name of the command, `about` the table or the player it is for.  What only waits for a time has no
command, and `from_ms` says until when.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from croupier.house.tournament.conditions import Stated
from croupier.house.tournament.play import used_up
from croupier.house.tournament.state import InPlay, Tournament, conducting, due_to_play
from croupier.law.model import Law

OPERATOR, DIRECTOR, DEALER, PLAYER = "operator", "director", "dealer", "player"


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that is due; `what` is a sentence, `command` tells it, `about` is the table or player concerned."""

    what: str
    by: str
    rule: str
    command: str = ""
    about: str = ""
    from_ms: int = 0


def due(this: Tournament, *, at_ms: int) -> tuple[Due, ...]:
    """All that brings the tournament on now; nothing once it is over."""
    if this.over:
        return ()
    if this.terms is None or not this.approval:
        return (_unsettled(this),)
    if this.play is None:
        return tuple(_between(this, this.terms))
    return tuple(_in_round(this, this.play, at_ms=at_ms) if this.playing else _drawn(this, at_ms=at_ms))


def _is(law: Law[Any], what: str, by: str, command: str = "", *, about: str = "", from_ms: int = 0) -> Due:
    return Due(what, by, law.rule, command, about, from_ms)


def _unsettled(this: Tournament) -> Due:
    rules = this.rules
    if not this.director:
        return _is(rules.director, "Appoint the director", OPERATOR, "AppointDirector")
    if this.terms is None:
        return _is(rules.complete, "State the conditions", OPERATOR, "PublishConditions")
    return _is(rules.approver, "Record the written approval of the conditions", OPERATOR, "RecordApproval")


# ---------------------------------------------------------------- before a round


def _between(this: Tournament, terms: Stated) -> Iterator[Due]:
    rules, items = this.rules, this.rules.items
    playing = sorted(due_to_play(this))
    if this.finished or (this.rounds_ended and not playing and not _may_be_empty(this)):
        yield _is(items["prizes"], "Award the prizes", OPERATOR, "AwardPrizes")
        return
    if not playing and this.rounds_ended:
        yield _is(items["structure"], f"Pass over round {this.round}: nobody plays it", DIRECTOR, "EndRound")
        return
    missing = terms.entry.least_players - len(playing) if not this.rounds_ended else 0
    if missing > 0:
        yield _is(items["entry"], f"Enter players: {missing} more at least", PLAYER, "Enter")
        return
    yield from _unready(this, playing)
    if not this.tables:
        yield _is(rules.tables, "Designate the tables", DIRECTOR, "DesignateTables")
    else:
        yield _is(rules.equal_chance, f"Draw the seats of round {this.round}", DIRECTOR, "DrawSeats")
    if not this.rounds_ended and len(playing) < terms.entry.most_players:
        room = terms.entry.most_players - len(playing)
        yield _is(items["entry"], f"Players may still enter: {room} more at most", PLAYER, "Enter")


def _may_be_empty(this: Tournament) -> bool:
    """A repechage that nobody plays is passed over."""
    terms = this.round_terms(this.round)
    return terms is not None and terms.repechage


def _unready(this: Tournament, playing: list[str]) -> Iterator[Due]:
    """What the players still need before they are seated."""
    rules = this.rules
    silent = [name for name in playing if not this.entrants[name].briefed]
    if rules.briefing.value and silent:
        yield _is(rules.briefing, f"Brief {_some(silent)}", DIRECTOR, "Brief")
    unsigned = [name for name in playing if this.signatures and not this.entrants[name].signed]
    if unsigned:
        yield _is(rules.signature, f"{_some(unsigned)} to sign", PLAYER, "SignConditions", about=unsigned[0])


def _drawn(this: Tournament, *, at_ms: int) -> Iterator[Due]:
    """The seats are drawn, and the round has not begun."""
    yield from _unready(this, sorted(this.play.seats) if this.play else [])
    if this.rules.presence.value and not conducting(this):
        yield _is(this.rules.presence, "The director or a deputy comes", DIRECTOR, "CheckIn", about=this.director)
    starts_ms, law = this.starts_ms(this.round), this.rules.items["structure"]
    if at_ms < starts_ms:
        yield _is(law, f"Round {this.round} begins at its time", DIRECTOR, from_ms=starts_ms)
    else:
        yield _is(law, f"Start round {this.round}", DIRECTOR, "StartRound")


# ---------------------------------------------------------------- in a round


def _in_round(this: Tournament, play: InPlay, *, at_ms: int) -> Iterator[Due]:
    rules, law = this.rules, this.rules.items["structure"]
    open_tables = sorted(play.tables - play.ended)
    if not open_tables:
        yield _is(law, f"End round {this.round}", DIRECTOR, "EndRound")
        return
    if rules.presence.value and not conducting(this):
        what = "Play is paused until the director or a deputy is there"
        yield _is(rules.presence, what, DIRECTOR, "CheckIn", about=this.director)
    for player in sorted(play.seats):
        waits = player not in {*play.seated, *play.shut_out} and play.seats[player][0] in open_tables
        if waits:
            yield _is(rules.items["lateness"], f"Seat {player}", DEALER, "TakeSeat", about=player)
    for table in open_tables:
        if used_up(this, play, table, at_ms=at_ms):
            yield _is(law, f"End the round at {table}", DIRECTOR, "EndTable", about=table)
        else:
            yield _is(law, f"Play hand {_hand(this, play, table)} at {table}", DEALER, "RecordHand", about=table)


def _hand(this: Tournament, play: InPlay, table: str) -> str:
    """The number of the next hand, and of how many, where that is limited."""
    terms, number = this.round_terms(this.round), play.hands.get(table, 0) + 1
    return f"{number} of {terms.hands}" if terms and terms.hands else str(number)


def _some(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} players"
