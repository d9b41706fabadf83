"""Choosing the rules: an edition by name or by date, its version, the elections and the readings.

This is where names become a `Ruleset`.  What the law does not permit raises `NotPermitted` with the rule; a word that
means nothing raises `BadInput` that lists what is known.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timezone
from pickle import PicklingError
from typing import Any

from croupier.equipment import CARDS
from croupier.errors import BadInput, NotPermitted
from croupier.game import AnyGame
from croupier.games import GAMES
from croupier.law.editions import AEST, EDITIONS, NEW_ZEALAND, NZDT, VENUES, No, Venue, approved, in_force
from croupier.law.editions import venue as venue_named
from croupier.law.editions import versions as printed_versions
from croupier.law.elections import elect, electable
from croupier.law.model import present
from croupier.law.readings import choices, open_choices
from croupier.law.ruleset import Ruleset
from croupier.own import KNOWN_HERE, OwnEdition
from croupier.own import read as read_own


def ruleset(
    edition: str | OwnEdition = "",
    *,
    game: str = "baccarat",
    version: str = "",
    elections: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    on: date | None = None,
    venue: str = "",
) -> Ruleset[Any]:
    """The rules of a game.  Name the edition, or a date (`on`) and a `venue` and the law in force is found.

    An edition named with a date must be in force then, unless it prints no date; one named with a venue alone must
    have a game that the venue was granted.  An edition of somebody's own is known by name once its file was read.
    """
    own = KNOWN_HERE.get(edition) if isinstance(edition, str) else edition
    if own is not None:
        return _of_own(own, game, version, elections or {}, readings or {}, dated=bool(venue) or on is not None)
    assert isinstance(edition, str)
    played = known_game(game)
    if on is not None and (not edition or _dated(edition)):
        edition, version = _by_date(played, on, venue, version=version, named=edition)
    editions = played.editions
    if edition not in editions or edition not in EDITIONS:
        raise _no_edition(edition, game, tuple(key for key in editions if key in EDITIONS), venue)
    versions = editions[edition]
    chosen = version or next(iter(versions))
    if chosen not in versions:
        raise BadInput(f"unknown version {version!r:.60} of {game} in {edition}; known are {', '.join(versions)}")
    if venue or on is not None:
        _check_venue(venue, played, chosen)
    rules, picked = _elected(played, versions[chosen], elections or {}, readings or {})
    deck = EDITIONS[edition].general.deck
    if present(deck) and deck.value != CARDS:
        raise NotPermitted(f"a deck of {deck.value} cards is none that is known here: {CARDS}", deck.rule)
    return Ruleset(game, edition, chosen, rules, picked, EDITIONS[edition])


def _no_edition(edition: str, game: str, known: Sequence[str], venue: str) -> BadInput:
    """None was named, or one that has no such game; a version after a stroke is named apart here."""
    if not edition:
        alone = f"venue {venue!r:.40} alone does not choose the law: name a date or " if venue else "name "
        return BadInput(f"{alone}the edition; {game} has {', '.join(known)}")
    hint = "; the version is named apart" if edition.partition("/")[0] in known else ""
    return BadInput(f"unknown edition {edition!r:.60} of {game}; known are {', '.join(known)}{hint}")


def _elected(
    game: AnyGame, rules: Any, elections: Mapping[str, object], readings: Mapping[str, str]
) -> tuple[Any, dict[str, str]]:
    picked = _read(game.name, _readings_given(rules, elections, readings))
    for name, law in electable(rules).items():
        if name in picked and name not in {**elections, **readings} and picked[name] not in law.value.permitted:
            picked[name] = law.value.permitted[0]
    in_rules = {name: choice for name, choice in picked.items() if name in electable(rules)}
    chosen = elect(rules, {**elections, **in_rules})
    refusal = game.together(chosen)
    if refusal:
        raise NotPermitted(refusal.reason, refusal.rule)
    return chosen, picked


def _readings_given(rules: Any, elections: Mapping[str, object], readings: Mapping[str, str]) -> dict[str, str]:
    """The readings given, also those that were told among the elections; told twice, they must agree."""
    offered = open_choices()
    names = {each.name for each in offered} & set(electable(rules))
    elected = {name: str(value) for name, value in elections.items() if name in names}
    for name, choice in readings.items():
        known = next((each.name for each in offered if name in (each.name, each.id)), name)
        if elected.pop(known, choice) != choice:
            raise BadInput(f"{known} is a reading, told as {choice!r:.40} and as an election otherwise: tell it once")
    return {**elected, **readings}


def _of_own(
    own: OwnEdition,
    game: str,
    version: str,
    elections: Mapping[str, object],
    readings: Mapping[str, str],
    *,
    dated: bool,
) -> Ruleset[Any]:
    """A rule set of somebody's own; no date and no venue can be held against what was never gazetted."""
    if game != own.game:
        raise BadInput(f"{own.key} is an edition of {own.game}, not of {game!r:.60}")
    if version not in ("", own.version):
        raise BadInput(f"unknown version {version!r:.60} of {game} in {own.key}; known are {own.version}")
    if dated:
        raise NotPermitted(f"{own.key} is not gazetted, so that no venue has it in force", "")
    rules, picked = _elected(known_game(game), own.rules, elections, readings)
    return Ruleset(game, own.key, own.version, rules, picked, own.law, own.own)


def ruleset_of_journal(law: Mapping[str, Any]) -> Ruleset[Any]:
    """The rule set that a journal names, an edition of somebody's own from the file that it keeps."""
    edition = read_own(law["own"], law["edition"]) if "own" in law else law["edition"]
    chosen = {name: law[name] for name in ("game", "version", "elections", "readings")}
    return ruleset(edition, **chosen)


def _as_names(this: Ruleset[Any]) -> tuple[Callable[[Mapping[str, Any]], Ruleset[Any]], tuple[dict[str, Any]]]:
    """How another process is told of a rule set: by the names that choose it, and the file of an own edition."""
    law: dict[str, Any] = {name: getattr(this, name) for name in ("game", "edition", "version")}
    law["elections"] = {name: value for name, value in this.elections.items() if value != ""}  # no source was named
    law |= {"readings": dict(this.readings)} | ({"own": this.own.text} if this.own else {})
    if ruleset_of_journal(law) != this:
        raise PicklingError(f"{this.label} has rules that its names do not choose, so that no other process finds them")
    return ruleset_of_journal, (law,)


copyreg.pickle(Ruleset, _as_names)


def read_day(text: str) -> date | None:
    """A day in words, or a moment; without an offset, by the clock of the venue."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"on: {text!r:.40} is no day like 2026-01-31, nor a moment like 2026-01-31T10:00") from None


def known_game(name: str) -> AnyGame:
    game = GAMES.get(name)
    if game is None:
        raise BadInput(f"unknown game {name!r:.60}; known are {', '.join(GAMES)}")
    return game


def every_ruleset(games: Iterable[AnyGame] = GAMES.values()) -> list[Ruleset[Any]]:
    """Each game under each edition and version that knows it, as the edition's defaults have it."""
    return [
        ruleset(edition, game=game.name, version=version)
        for game in games
        for edition, versions in game.editions.items()
        for version in versions
    ]


def _read(game: str, given: Mapping[str, str]) -> dict[str, str]:
    """The choices where a reading offers several; a reading with one answer is no choice."""
    if not given:
        return {each.name: each.choice for each in open_choices() if each.applies_to(game)}
    try:
        chosen = choices(given, game)
    except ValueError as error:
        raise BadInput(str(error)) from error
    return {each.name: chosen[each.name] for each in open_choices() if each.name in chosen}


def _dated(edition: str) -> bool:
    """Whether the edition prints a date; against one that does not, no date can be held (R-025)."""
    return edition in EDITIONS and EDITIONS[edition].in_force.value is not None


def _by_date(game: AnyGame, on: date, place: str, *, version: str, named: str) -> tuple[str, str]:
    """The edition in force at a venue.  A plain date means its last moment, when all that began that day has begun."""
    where = _venue(place)
    zone = NZDT if where.jurisdiction == NEW_ZEALAND else AEST
    governing = in_force(_moment(on, zone), jurisdiction=where.jurisdiction, game=game.name)
    if isinstance(governing, No):
        raise NotPermitted(governing.reason, governing.rule)
    for each in governing:
        wanted = version or next(iter(each.versions), "")
        knows = wanted in each.versions or "" in each.versions or not each.versions
        if knows and named in ("", each.edition.key):
            return each.edition.key, wanted
    if named:
        reason = f"{named} does not govern {version} {game.name}".replace("  ", " ")
        raise NotPermitted(f"{reason} at {where.name} on {on}", EDITIONS[named].in_force.rule)
    raise BadInput(f"no edition in force on {on} knows {game.name} {version!r:.60}")


def _moment(on: date, zone: timezone) -> datetime:
    if isinstance(on, datetime):
        return on if on.tzinfo else on.replace(tzinfo=zone)
    if not isinstance(on, date):
        raise BadInput(f"on is a date: {on!r:.60}")
    return datetime.combine(on, time.max, zone)


def _venue(place: str) -> Venue:
    if not place:
        raise BadInput("a date alone does not choose the law: name the venue too")
    for each in VENUES.values():
        if place.strip().casefold() in (each.key, each.name.casefold(), *each.name.casefold().split(", ")):
            return each
    try:
        return venue_named(place)
    except ValueError as error:
        raise BadInput(str(error)) from error


def _check_venue(place: str, game: AnyGame, version: str) -> None:
    """Refuse what the venue's notice does not approve; a game of one version has no word for it in the notice."""
    printed = version if version in printed_versions(game.name) else ""
    answer = approved(_venue(place).key, game.name, version=printed)
    if isinstance(answer, No):
        raise NotPermitted(answer.reason, answer.rule)
