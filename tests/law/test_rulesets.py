"""Choosing the rules: by name, by date and venue, with elections and readings; what the law does not permit."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any

import pytest

from croupier.errors import BadInput, NotPermitted
from croupier.games import GAMES
from croupier.law.editions import AEST, EDITIONS, NZDT, No, approved, first_with, in_force
from croupier.law.model import Law, absent
from croupier.rulesets import every_ruleset, ruleset
from tests.helpers.observe import carries


def test_every_edition_and_version_can_be_chosen_by_name() -> None:
    chosen = every_ruleset()
    assert len({rules.hash for rules in chosen}) == len(chosen), "no two rule sets are the same"
    for rules in chosen:
        assert ruleset(rules.edition, game=rules.game, version=rules.version).hash == rules.hash


def test_the_hash_is_the_same_in_another_process_and_with_other_hash_seeds() -> None:
    code = "from croupier.rulesets import ruleset; print(ruleset('vic2002', version='crown').hash)"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {ruleset("vic2002", version="crown").hash + "\n"}


def _changed(thing: Any, path: str, value: object) -> Any:
    """The law with another value at a path."""
    name, _, rest = path.partition(".")
    inside = getattr(thing, name)
    law = Law(value, inside.rules) if isinstance(inside, Law) else value
    return replace(thing, **{name: _changed(inside, rest, value) if rest else law})


@pytest.mark.parametrize(
    ("edition", "game", "part", "path", "value"),
    [
        ("nzd5", "baccarat", "general", "closing_minutes", 1),
        ("nzd5", "baccarat", "general", "people.private", absent),
        ("nzeb", "baccarat", "general", "terminals.most", 31),
        ("nz1996", "caribbean_stud", "links", "whole", 9_999),
        ("nz1996", "caribbean_stud", "links", "at_table.meter", True),
        ("nz1998", "baccarat", "cage", "redeemed", 2),
        ("vic2002", "baccarat", "tournament", "briefing", False),
    ],
)
def test_the_hash_covers_all_the_law_of_the_edition(
    edition: str, game: str, part: str, path: str, value: object
) -> None:
    rules = ruleset(edition, game=game)
    other = replace(rules, law=_changed(rules.law, f"{part}.{path}", value))
    assert other.hash != rules.hash
    assert other.text != rules.text


def test_the_hash_covers_the_layout_of_the_game_and_no_other() -> None:
    rules = ruleset("nz1996", version="mini")
    layouts = dict(rules.law.layouts)
    for key, layout in layouts.items():
        counts = replace(rules.law, layouts=layouts | {key: replace(layout, counts="wagers")})
        assert (replace(rules, law=counts).hash != rules.hash) == (key == ("baccarat", "mini"))


def test_the_hash_of_the_law_alone_is_the_same_whatever_is_elected() -> None:
    assert ruleset("nzd5").text == ruleset("nzd5", elections={"decks": 6}).text
    assert len({rules.text for rules in every_ruleset()}) == len(every_ruleset())


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("roulette", "4569a135c1c55011986666fa89c7815b312cb83f04bbb6262237856f816311d3"),
        ("tai_sai", "9f9b7ffa7137611db507fcc4d707b14868097cf7927dea71f0b395e1a95b4c5a"),
        ("money_wheel", "150e6df8db34dfd0c875c8857c092d06c0db63aa10eae67ecfe4ee2f346c7796"),
        ("craps", "d7d93dcd86ba03d15cdba27836943653a2f46e82bc70b106bf81550629794a94"),
    ],
)
def test_the_hash_covers_where_results_come_from_and_journals_from_before_that_are_read(game: str, text: str) -> None:
    rules = ruleset("nz1996", game=game)
    assert rules.text != text
    assert rules.is_named(rules.named() | {"text": text, "hash": "of then"})
    assert not rules.is_named(rules.named() | {"text": text[::-1], "hash": "of then"})


def test_every_edition_of_every_game_has_its_record() -> None:
    for game in GAMES.values():
        for edition, versions in game.editions.items():
            divisions = EDITIONS[edition].versions(game.name)
            assert set(versions) == {version or game.name for version in divisions}


def test_an_election_changes_the_hash() -> None:
    assert ruleset("nzd5").hash != ruleset("nzd5", elections={"decks": 6}).hash
    assert ruleset("nzd5").hash == ruleset("nzd5", elections={"decks": 8}).hash


@pytest.mark.parametrize(
    ("elections", "says"),
    [
        ({"decks": 3}, "decks=3 is not permitted"),
        ({"decks": 9}, "decks=9 is not permitted"),
        ({"style": "D"}, "style=D is not permitted"),
        ({"insurance": True}, "this edition has no such rule"),
        ({"colour": "blue"}, "is not known here"),
        ({"shuffler": "continuous", "style": "B"}, "NZD5-3.4a.iii"),
    ],
)
def test_what_the_edition_does_not_permit_is_refused(elections: dict[str, object], says: str) -> None:
    with pytest.raises(NotPermitted) as refused:
        ruleset("nzd5", elections=elections)
    assert says in str(refused.value)


def test_a_reading_that_is_told_as_an_election_is_heard() -> None:
    def elected(**choices: Any) -> str:
        chosen = ruleset("nz1996", game="blackjack", **choices)
        assert chosen.readings["dealer_blackjack"] == chosen.rules.dealer_blackjack.value.elected
        return str(chosen.rules.dealer_blackjack.value.elected)

    one = {"dealer_blackjack": "original_only"}
    assert elected() == "first_hand"
    assert elected(elections=one) == elected(readings=one) == elected(elections=one, readings=one) == "original_only"
    with pytest.raises(BadInput, match="tell it once"):
        elected(elections=one, readings={"dealer_blackjack": "first_hand"})


def test_a_continuous_shuffler_is_kept_apart_from_style_b_only() -> None:
    with pytest.raises(NotPermitted) as refused:
        ruleset("nzd5", elections={"shuffler": "continuous", "style": "B"})
    assert refused.value.rule == "NZD5-3.4a.iii"
    assert ruleset("nzd5", elections={"shuffler": "continuous", "style": "C"}).elections["style"] == "C"
    assert ruleset("nzd5", elections={"shuffler": "batch", "style": "B"}).elections["style"] == "B"


@pytest.mark.parametrize(
    ("on", "version", "edition"),
    [
        (datetime(1996, 1, 30, 10, 0, tzinfo=NZDT), "full", "nz1996"),
        (date(1996, 1, 30), "full", "nz1996"),
        (date(1998, 1, 31), "full", "nz1996"),
        (date(1998, 2, 1), "full", "nz1998"),
        (date(1998, 2, 1), "mini", "nz1996"),
        (datetime(1998, 2, 1, 0, 0, tzinfo=NZDT), "", "nz1998"),
        (datetime(1998, 2, 1, 0, 0, tzinfo=NZDT) - timedelta(seconds=1), "full", "nz1996"),
    ],
)
def test_the_edition_in_force_in_new_zealand(on: date, version: str, edition: str) -> None:
    assert ruleset(on=on, venue="auckland", version=version).edition == edition


def test_the_1998_notice_governs_from_its_first_day() -> None:
    governing = in_force(datetime(1998, 2, 1, tzinfo=NZDT), jurisdiction="new_zealand", game="baccarat")
    assert not isinstance(governing, No)
    assert governing[0].edition.key == "nz1998"
    carries(governing[0], "NZ1998-0.notice")


def test_aucklands_notice_approves_nine_games() -> None:
    for game, version in (("baccarat", "midi"), ("craps", "")):
        approval = approved("auckland", game, version=version)
        assert not isinstance(approval, No)
        carries(approval, "NZ1996-N-2")


def test_the_commencement_rules_are_carried() -> None:
    with pytest.raises(NotPermitted) as early:
        ruleset(on=datetime(1996, 1, 30, 9, 59, tzinfo=NZDT), venue="auckland", version="full")
    assert early.value.rule == "NZ1996-N-0"
    with pytest.raises(NotPermitted) as too_early:
        ruleset(on=datetime(2002, 8, 8, 3, 59, tzinfo=AEST), venue="crown")
    assert too_early.value.rule == "VIC2002-0.notice.effect"
    assert ruleset(on=datetime(2002, 8, 8, 4, 0, tzinfo=AEST), venue="crown").edition == "vic2002"


@pytest.mark.parametrize(
    ("game", "version", "rule"),
    [("craps", "", "NZ1996-N-1"), ("baccarat", "midi", "NZ1996-N-1")],
)
def test_a_game_that_the_venue_was_not_granted_is_refused(game: str, version: str, rule: str) -> None:
    on = date(1996, 6, 1)
    with pytest.raises(NotPermitted) as refused:
        ruleset(game=game, version=version, on=on, venue="christchurch")
    assert refused.value.rule == rule
    assert ruleset(game=game, version=version, on=on, venue="auckland").game == game


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"edition": "nz2050"}, "unknown edition 'nz2050'"),
        ({"edition": "nz1998", "version": "tiny"}, "unknown version 'tiny'"),
        ({"edition": "nz1998", "game": "whist"}, "unknown game 'whist'"),
        ({"on": date(1999, 1, 1)}, "name the venue"),
        ({"on": date(1999, 1, 1), "venue": "atlantis"}, "unknown venue 'atlantis'"),
        ({"edition": "nz1996", "readings": {"no_such": "x"}}, "no_such"),
    ],
)
def test_words_that_mean_nothing_are_named(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(BadInput) as bad:
        ruleset(**arguments)  # type: ignore[arg-type]
    assert says in str(bad.value)
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize("part", ["cage", "links", "tournament"])
def test_what_serves_a_whole_house_is_one_law_in_all_documents_that_have_it(part: str) -> None:
    """Cage, links and tournaments work by the first document with their law: one that differs would not be heard."""
    _, first = first_with(attrgetter(part))
    assert all(getattr(each, part) in (first, absent) for each in EDITIONS.values())
