"""A tournament as everybody may see it: its conditions in words, what is due, who plays where, places and prizes.

One view for all: conditions, draw and places of a tournament are posted for its players, so there is nothing in it that
one of them may see and another may not.  What single players have paid, and their secret wagers, are left out.
Everything is told from the durable state and the last lines of the journal; every rule comes with what it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from croupier.floor.keeping.host import Host
from croupier.floor.rooms.tournament import answers as a
from croupier.floor.rooms.tournament.words import items, said
from croupier.floor.views.story import said as rules_said
from croupier.house.tournament import messages as m
from croupier.house.tournament.due import due
from croupier.house.tournament.ending import shares
from croupier.house.tournament.hands import wagers_at
from croupier.house.tournament.play import used_up
from croupier.house.tournament.state import Entrant, Tournament, conducting, due_to_play, new_tournament, standings
from croupier.journal.messages import Entry
from croupier.law.officials import LADDER
from croupier.once import like

LAW: Final = new_tournament("").rules
LINES: Final = 60
"""Lines of the journal that are told."""

# ---------------------------------------------------------------- the list


def listed(contests: Iterable[Tournament], hosts: Mapping[str, Host], *, at_ms: int, demo: bool) -> a.ListedContests:
    """All tournaments, with what one needs to know to begin another."""
    these, law = list(contests), LAW
    steps = (law.director, law.complete, law.approver, law.briefing, law.tables, law.equal_chance, law.presence)
    cited = [each.rule for each in (*steps, law.modifications, law.exclusive, law.deputies, law.signature, law.notice)]
    return a.ListedContests(
        at_ms=at_ms,
        demo=demo,
        tournaments=[_listed(this) for this in these],
        tables=_house_tables(these, hosts),
        offices=[role for role in LADDER if role in law.director.value],
        approver=law.approver.value,
        asked={name: item.rule for name, item in law.items.items()},
        rules=rules_said(cited + [item.rule for item in law.items.values()]),
    )


def _listed(this: Tournament) -> a.ListedContest:
    inside = sum(entrant.status in ("in", "out") for entrant in this.entrants.values())
    tables = sorted(this.tables)
    return a.ListedContest(this.name, state_of(this), _round(this), _rounds(this), inside, this.director, tables)


def _house_tables(contests: Iterable[Tournament], hosts: Mapping[str, Host]) -> list[a.HouseTable]:
    held = {table: this.name for this in contests if this.playing for table in this.tables}
    return [
        a.HouseTable(name, host.shown.ruleset.game, host.shown.ruleset.edition, held.get(name, ""))
        for name, host in hosts.items()
    ]


def _rounds(this: Tournament) -> int:
    return len(this.terms.structure.rounds) if this.terms else 0


def _round(this: Tournament) -> int:
    """The round in hand or the next, and the last one once all are played."""
    return min(this.round, _rounds(this))


def state_of(this: Tournament) -> str:
    """Where a tournament is, in words."""
    if this.over:
        return "over"
    if this.terms is None:
        return "no conditions yet"
    if not this.approval:
        return "not approved yet"
    if this.play is None:
        return "prizes due" if this.finished else "between rounds" if this.rounds_ended else "entries open"
    if not this.playing:
        return "drawn"
    return "playing" if conducting(this) else "paused"


# ---------------------------------------------------------------- one tournament


def contest_view(
    this: Tournament, others: Iterable[Tournament], hosts: Mapping[str, Host], *, at_ms: int, demo: bool
) -> a.ContestView:
    """A tournament without the lines of its journal; `rules` are said by `with_lines`."""
    terms = this.terms
    return a.ContestView(
        name=this.name,
        edition=this.edition,
        at_ms=at_ms,
        demo=demo,
        line=this.entries,
        state=state_of(this),
        over=this.over,
        round=_round(this),
        rounds=_rounds(this),
        director=this.director,
        deputies=list(this.deputies),
        present=sorted(conducting(this)),
        approval=this.approval,
        signatures=this.signatures,
        refused=sorted(this.refused),
        conditions=terms,
        items=list(items(this.rules, terms)) if terms else [],
        due=list(due(this, at_ms=at_ms)),
        entrants=[_entrant(this, entrant) for entrant in this.entrants.values()],
        tables=[_table(this, name, at_ms=at_ms) for name in sorted(this.tables)],
        house_tables=_house_tables(others, hosts),
        standings=_places(this),
        prizes=[a.ListedPrize(place, cents) for place, cents in enumerate(terms.prizes if terms else (), 1)],
        lines=[],
        rules={},
    )


def with_lines(view: a.ContestView, lines: Iterable[Entry[m.AnyEvent]]) -> a.ContestView:
    """The view with the last lines of the journal, newest first, and with what all its rules say."""
    view.lines = [
        a.SaidLine(line.number + 1, line.at_ms, line.by, said(line.event), line.event.rule) for line in lines
    ][::-1]
    cited = {item.rule for item in view.items} | {each.rule for each in view.due} | {line.rule for line in view.lines}
    view.rules = rules_said(cited | {law.rule for law in LAW.items.values()})
    return view


def _entrant(this: Tournament, entrant: Entrant) -> a.ListedEntrant:
    play = this.play
    table, seat = play.seats.get(entrant.name, ("", 0)) if play else ("", 0)
    person = play.seated.get(entrant.name, "") if play else ""
    due_now = entrant.name in due_to_play(this)
    return like(a.ListedEntrant, entrant, table=table, seat=seat, person=person, due=due_now)


def _table(this: Tournament, name: str, *, at_ms: int) -> a.ContestTable:
    play, terms = this.play, this.round_terms(this.round)
    return a.ContestTable(
        name=name,
        players=list(play.at(name)) if play else [],
        hands=play.hands.get(name, 0) if play else 0,
        of=terms.hands if terms else 0,
        ended=play is not None and name in play.ended,
        used_up=play is not None and used_up(this, play, name, at_ms=at_ms),
        exclusive=this.playing and this.rules.exclusive.value,
        wagers=list(wagers_at(this, name)),
    )


def _places(this: Tournament) -> list[a.ListedPlace]:
    """Places with what was won; before the end, what everybody has now counts for nothing yet."""
    prizes = {player: cents for _, player, cents in shares(this, this.terms.prizes)} if this.terms and this.over else {}
    return [
        a.ListedPlace(
            each.place,
            each.player,
            this.entrants[each.player].status,
            each.reached[0],
            each.reached[1],
            prizes.get(each.player, 0),
        )
        for each in standings(this)
    ]
