"""Choosing the rules: an edition by name or by date, its version, the elections and the readings.

This is where names become a `Ruleset`.  What the law does not permit raises `NotPermitted` with the rule; a word that
means nothing raises `BadInput` that lists what is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timezone
from typing import Any

from croupier.game import AnyGame
from croupier.games import GAMES
from croupier.law.editions import AEST, EDITIONS, NEW_ZEALAND, NZDT, VENUES, No, Venue, approved, in_force
from croupier.law.editions import venue as venue_named
from croupier.law.editions import versions as printed_versions
from croupier.law.elections import elect, electable
from croupier.law.model import NotPermitted
from croupier.law.readings import all_readings, choices
from croupier.law.ruleset import Ruleset
from croupier.notation import BadInput


def ruleset(
    edition: str = "",
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
    have a game that the venue was granted.
    """
    played = known_game(game)
    if on is not None and (not edition or _dated(edition)):
        edition, version = _by_date(played, on, venue, version=version, named=edition)
    editions = played.editions
    if edition not in editions:
        raise BadInput(f"unknown edition {edition!r:.60} of {game}; known are {', '.join(editions)}")
    versions = editions[edition]
    chosen = version or next(iter(versions))
    if chosen not in versions:
        raise BadInput(f"unknown version {version!r:.60} of {game} in {edition}; known are {', '.join(versions)}")
    if venue or on is not None:
        _check_venue(venue, played, chosen)
    picked = _read(game, readings or {})
    in_rules = {name: choice for name, choice in picked.items() if name in electable(versions[chosen])}
    rules = elect(versions[chosen], {**(elections or {}), **in_rules})
    refusal = played.together(rules)
    if refusal:
        raise NotPermitted(refusal.reason, refusal.rule)
    return Ruleset(game, edition, chosen, rules, picked)


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
    try:
        chosen = choices(given, game)
    except ValueError as error:
        raise BadInput(str(error)) from error
    return {each.name: chosen[each.name] for each in all_readings() if each.name in chosen and len(each.options) > 1}


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
