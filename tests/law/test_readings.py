"""Which text governs, where and when; and how an open text is read: editions, venues and readings."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.law import editions, inventory
from croupier.law.editions import AEST, EDITIONS, GAMES, NEW_ZEALAND, NZDT, VENUES, VICTORIA, Governing, No
from croupier.law.inventory import Rule, all_rules, exists
from croupier.law.model import Law, laws_in, present
from croupier.law.readings import (
    ALL_GAMES,
    Reading,
    all_readings,
    choices,
    for_game,
    for_rule,
    reading,
)
from tests.helpers.readings import PAGE, TITLES, markdown

MINUTE = timedelta(minutes=1)
SNAKE = re.compile(r"[a-z]+(_[a-z0-9]+)*")

# How many open questions are known for each game; a reading may be added, none may be lost.
AT_LEAST = {
    ALL_GAMES: 18,
    "baccarat": 94,
    "blackjack": 21,
    "roulette": 8,
    "tai_sai": 6,
    "money_wheel": 5,
    "caribbean_stud": 20,
    "craps": 24,
}

# A note that says so announces a reading.  Those below state a fact and leave nothing open.
ANNOUNCES = re.compile(r"\breading\b|\bread\b(?! by)|not stated|undefined|not defined|misprint|silent", re.IGNORECASE)
NO_QUESTION = {"NZ1996-IV-10.2", "NZ1996-V-10.2", "NZ1996-IX-10.2", "NZD5-7.1", "NZEB-11A.1"}


def test_numbers_are_contiguous() -> None:
    assert [each.id for each in all_readings()] == [f"R-{n:03}" for n in range(1, len(all_readings()) + 1)]


def test_names_are_unique_and_snake_case() -> None:
    names = [each.name for each in all_readings()]
    assert len(names) == len(set(names))
    assert [name for name in names if not SNAKE.fullmatch(name)] == []


@pytest.mark.parametrize("each", all_readings(), ids=lambda each: each.name)
def test_reading_is_complete(each: Reading) -> None:
    assert each.rules
    assert len(set(each.rules)) == len(each.rules)
    assert [rule for rule in each.rules if not exists(rule)] == []
    assert each.rule == each.rules[0]
    assert each.games
    assert set(each.games) <= set(TITLES)
    assert each.options[0] == each.choice
    assert set(each.others) == set(each.options[1:])
    assert all(SNAKE.fullmatch(option) for option in each.options)
    for sentence in (each.question, each.says, each.reason, *each.others.values()):
        assert sentence.endswith("."), sentence


@pytest.mark.parametrize("each", all_readings(), ids=lambda each: each.name)
def test_rules_of_one_game_are_of_that_game(each: Reading) -> None:
    """A reading of blackjack does not rest on a rule of roulette."""
    divisions = {
        "baccarat": {"N", "I", "IV", "V", "IX", ""},
        "blackjack": {"I", "II"},
        "roulette": {"I", "III"},
        "tai_sai": {"I", "VI"},
        "money_wheel": {"I", "VII"},
        "caribbean_stud": {"I", "VIII"},
        "craps": {"I", "X"},
    }
    if ALL_GAMES not in each.games:
        allowed = set().union(*(divisions[game] for game in each.games))
        assert {inventory.division(rule) for rule in each.rules} <= allowed


def test_titles_are_the_games() -> None:
    assert set(TITLES) == {ALL_GAMES, *GAMES}


@pytest.mark.parametrize(("game", "count"), AT_LEAST.items())
def test_no_open_question_is_lost(game: str, count: int) -> None:
    assert sum(game in each.games for each in all_readings()) >= count


@pytest.mark.parametrize(
    "rule", [rule for rule in all_rules() if ANNOUNCES.search(rule.note)], ids=lambda rule: rule.id
)
def test_every_note_that_announces_a_reading_has_one(rule: Rule) -> None:
    assert bool(for_rule(rule.id)) is (rule.id not in NO_QUESTION)


def test_ii_11_7_offers_three_readings() -> None:
    each = reading("dealer_blackjack")
    assert each.options == ("first_hand", "busted_plus_one", "original_only")
    assert each.choice == "first_hand"
    assert each.rule == "NZ1996-II-11.7"


def test_reading_by_name_or_number() -> None:
    each = all_readings()[6]
    assert reading("R-007") is reading(each.name) is each
    with pytest.raises(ValueError, match=r"'R-000'.*dealer_blackjack"):
        reading("R-000")


def test_for_rule_answers_for_parents_and_parts() -> None:
    names = [{each.name for each in for_rule(rule)} for rule in ("NZD5-5.11", "NZD5-5.11.s1", "NZD5-5.11.s2")]
    assert names[0] >= {"half_pay_odd_amount", "half_pay_on_six"}
    assert names[1] == names[0]
    assert names[2] == {"half_pay_odd_amount"}
    assert for_rule("NZ1998-5.7a") == ()
    assert for_rule("NZ1998-99") == ()


@pytest.mark.parametrize("game", GAMES)
def test_choices_default(game: str) -> None:
    chosen = choices({}, game)
    assert chosen == {each.name: each.choice for each in for_game(game)}
    assert chosen["payment_rounding_scope"] == "per_wager"


@given(st.sampled_from([(each, option) for each in all_readings() for option in each.options]))
def test_every_option_can_be_chosen_and_changes_nothing_else(pair: tuple[Reading, str]) -> None:
    each, option = pair
    game = "baccarat" if ALL_GAMES in each.games else each.games[0]
    chosen = choices({each.name: option}, game)
    assert chosen[each.name] == option
    assert {name: key for name, key in chosen.items() if name != each.name}.items() <= choices({}, game).items()


def test_choices_refuse_what_is_not_offered() -> None:
    with pytest.raises(ValueError, match=r"'dealer_blackjack'.*'both'.*first_hand, busted_plus_one, original_only"):
        choices({"dealer_blackjack": "both"}, "blackjack")
    with pytest.raises(ValueError, match=r"'dealer_blackjack' is not one of craps: it belongs to blackjack"):
        choices({"dealer_blackjack": "first_hand"}, "craps")
    with pytest.raises(ValueError, match="'dealer_blackjak'"):
        choices({"dealer_blackjak": "first_hand"}, "blackjack")


def test_a_game_of_which_no_reading_speaks_has_the_general_ones() -> None:
    assert set(choices({}, "whist")) == {each.name for each in all_readings() if each.applies_to("whist")}


def test_choices_cannot_be_changed_afterwards() -> None:
    with pytest.raises(TypeError):
        choices({}, "craps")["come_bet_window"] = "always"  # type: ignore[index]


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "python -m tests.helpers.readings makes it again"


def test_page_shows_every_reading_under_its_games() -> None:
    section = ""
    shown: set[tuple[str, str]] = set()
    titles = {title: game for game, title in TITLES.items()}
    for line in markdown().splitlines():
        if line.startswith("## "):
            section = titles[line.removeprefix("## ")]
        elif line.startswith("| R-"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 7, line
            shown.add((section, line.split()[1]))
    assert shown == {(game, each.id) for each in all_readings() for game in each.games}


# Editions


def test_editions_are_in_order_and_agree_with_the_inventory() -> None:
    assert list(EDITIONS) == ["nz1996", "nz1998", "nzd5", "nzeb", "vic2002"]
    for key, edition in EDITIONS.items():
        assert (edition.key, edition.prefix) == (key, inventory.PREFIXES[key])
        assert set(edition.games) == {game for game, _ in edition.divisions}
        assert hash(edition) == hash(EDITIONS[key])


def test_every_law_of_editions_and_venues_names_rules_that_exist() -> None:
    laws = [law for thing in (*EDITIONS.values(), *VENUES.values()) for _, law in laws_in(thing)]
    assert len(laws) >= 5 * 2 + 3
    assert [rule for law in laws for rule in law.rules if not inventory.exists(rule)] == []


def test_every_division_of_1996_has_rules() -> None:
    for numeral in EDITIONS["nz1996"].divisions.values():
        assert inventory.below(f"NZ1996-{numeral}"), numeral


def test_incorporations_lead_to_editions_and_readings() -> None:
    incorporated = {key: [law.value for law in edition.incorporates] for key, edition in EDITIONS.items()}
    assert [(one.edition, one.division) for one in incorporated["nzeb"]] == [("nzd5", "5"), ("nz1996", "I")]
    assert incorporated["nz1996"] == incorporated["vic2002"] == []
    for one in (one for many in incorporated.values() for one in many):
        assert one.edition in EDITIONS
        assert one.reading == "" or one.reading in {each.name for each in all_readings()}


def test_replaced_scopes_are_games_of_their_edition() -> None:
    for edition in EDITIONS.values():
        for scope in edition.replaces.value if present(edition.replaces) else ():
            assert scope.version in EDITIONS[scope.edition].versions(scope.game)


def governing(on: datetime, game: str, jurisdiction: str = NEW_ZEALAND) -> list[tuple[str, tuple[str, ...], str]]:
    found = editions.in_force(on, jurisdiction=jurisdiction, game=game)
    assert not isinstance(found, No), found
    return [(each.edition.key, each.versions, each.rule) for each in found]


START_1996 = datetime(1996, 1, 30, 10, 0, tzinfo=NZDT)
START_1998 = datetime(1998, 2, 1, 0, 0, tzinfo=NZDT)
START_2002 = datetime(2002, 8, 8, 4, 0, tzinfo=AEST)


@pytest.mark.parametrize("game", EDITIONS["nz1996"].games)
def test_nz1996_n_0_commencement(game: str) -> None:
    before = editions.in_force(START_1996 - MINUTE, jurisdiction=NEW_ZEALAND, game=game)
    assert isinstance(before, No)
    assert before.rule == "NZ1996-N-0"
    for on in (START_1996, START_1996 + MINUTE):
        assert [(key, rule) for key, _, rule in governing(on, game)] == [("nz1996", "NZ1996-N-0")]


def test_nz1998_notice_commencement_replaces_full_baccarat_only() -> None:
    only_1996 = [("nz1996", ("mini", "full", "midi"), "NZ1996-N-0")]
    both = [("nz1998", ("full",), "NZ1998-0.notice"), ("nz1996", ("mini", "midi"), "NZ1996-N-0")]
    assert governing(START_1998 - MINUTE, "baccarat") == only_1996
    assert governing(START_1998, "baccarat") == both
    assert governing(START_1998 + MINUTE, "baccarat") == both
    assert governing(START_1998 + MINUTE, "craps") == [("nz1996", ("",), "NZ1996-N-0")]


def test_vic2002_notice_effect_commencement() -> None:
    before = editions.in_force(START_2002 - MINUTE, jurisdiction=VICTORIA, game="baccarat")
    assert isinstance(before, No)
    assert before.rule == "VIC2002-0.notice.effect"
    expected = [("vic2002", ("traditional", "crown"), "VIC2002-0.notice.effect")]
    assert governing(START_2002, "baccarat", VICTORIA) == expected
    assert governing(START_2002 + MINUTE, "baccarat", VICTORIA) == expected


def test_a_moment_is_the_same_in_any_zone() -> None:
    assert governing(START_1996.astimezone(UTC), "craps") == governing(START_1996, "craps")
    elsewhere = (START_1996 - MINUTE).astimezone(timezone(timedelta(hours=-5)))
    assert isinstance(editions.in_force(elsewhere, jurisdiction=NEW_ZEALAND, game="craps"), No)


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2030, 1, 1), timezones=st.just(UTC)))
def test_at_any_time_each_version_has_one_edition_and_none_without_a_date(on: datetime) -> None:
    for jurisdiction in editions.JURISDICTIONS:
        found = editions.in_force(on, jurisdiction=jurisdiction, game="baccarat")
        each = () if isinstance(found, No) else found
        versions = [version for one in each for version in one.versions]
        assert len(versions) == len(set(versions))
        assert all(isinstance(one, Governing) and one.edition.in_force.value is not None for one in each)


def test_a_game_without_rules_in_the_jurisdiction() -> None:
    answer = editions.in_force(START_2002, jurisdiction=VICTORIA, game="craps")
    assert answer == No("no document of victoria allows craps", "VIC2002-0.notice.b")


def test_questions_that_cannot_be_asked() -> None:
    with pytest.raises(ValueError, match="1996-01-30T10:00:00"):
        editions.in_force(START_1996.replace(tzinfo=None), jurisdiction=NEW_ZEALAND, game="craps")
    with pytest.raises(ValueError, match=r"'tasmania'.*new_zealand, victoria"):
        editions.in_force(START_1996, jurisdiction="tasmania", game="craps")
    with pytest.raises(ValueError, match=r"'whist'.*blackjack"):
        editions.in_force(START_1996, jurisdiction=NEW_ZEALAND, game="whist")
    with pytest.raises(ValueError, match=r"'nz1999'.*nz1996"):
        editions.edition("nz1999")


# Venues

BOTH = [(game, "") for game in ("blackjack", "roulette", "tai_sai", "money_wheel", "caribbean_stud")]
EVERYWHERE_IN_NEW_ZEALAND = [*BOTH, ("baccarat", "mini"), ("baccarat", "full")]
AUCKLAND_ONLY = [("baccarat", "midi"), ("craps", "")]


@pytest.mark.parametrize(("game", "version"), EVERYWHERE_IN_NEW_ZEALAND)
def test_n_1_and_n_2_games_of_both_casinos(game: str, version: str) -> None:
    assert editions.approved("christchurch", game, version=version) == Law((game, version), ("NZ1996-N-1",))
    assert editions.approved("auckland", game, version=version) == Law((game, version), ("NZ1996-N-2",))
    assert editions.approved("crown", game, version=version) == No(
        f"Crown, Melbourne may not offer {f'{version} {game}'.strip()}", "VIC2002-0.notice.b"
    )


@pytest.mark.parametrize(("game", "version"), AUCKLAND_ONLY)
def test_n_1_refuses_what_only_n_2_allows(game: str, version: str) -> None:
    refused = editions.approved("christchurch", game, version=version)
    assert isinstance(refused, No)
    assert refused.rule == "NZ1996-N-1"
    assert isinstance(editions.approved("auckland", game, version=version), Law)


def test_the_lists_hold_nothing_else() -> None:
    assert sorted(VENUES["christchurch"].approved.value) == sorted(EVERYWHERE_IN_NEW_ZEALAND)
    assert sorted(VENUES["auckland"].approved.value) == sorted(EVERYWHERE_IN_NEW_ZEALAND + AUCKLAND_ONLY)


@pytest.mark.parametrize("version", ["traditional", "crown"])
def test_crown_offers_both_versions_of_victoria(version: str) -> None:
    assert editions.approved("crown", "baccarat", version=version) == Law(
        ("baccarat", version), ("VIC2002-0.notice.b",)
    )
    assert isinstance(editions.approved("auckland", "baccarat", version=version), No)


def test_unknown_words_about_venues_are_named() -> None:
    with pytest.raises(ValueError, match=r"unknown venue 'sydney': one of christchurch, auckland, crown"):
        editions.approved("sydney", "craps")
    with pytest.raises(ValueError, match=r"unknown game 'whist'"):
        editions.approved("auckland", "whist")
    with pytest.raises(ValueError, match=r"unknown version '' of baccarat: one of 'mini', 'full', 'midi'"):
        editions.approved("auckland", "baccarat")
