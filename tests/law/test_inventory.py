"""The inventory of rules: every row is read, found and ordered."""

from __future__ import annotations

import dataclasses
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.law import inventory

ROWS = {"nz1996": 1340, "nz1998": 176, "nzd5": 250, "nzeb": 114, "vic2002": 301}
KINDS_OF_WORK = {*inventory.ACTIONABLE, "describe"}


def ids(rules: tuple[inventory.Rule, ...]) -> list[str]:
    return [rule.id for rule in rules]


# The rows


@pytest.mark.parametrize(("edition", "count"), ROWS.items())
def test_every_row_is_read_and_belongs_to_its_edition(edition: str, count: int) -> None:
    rules = inventory.rules(edition)
    assert len(rules) == len({rule.id for rule in rules}) == count
    for rule in rules:
        assert rule.edition == edition == inventory.edition_of(rule.id)
        assert rule.software in KINDS_OF_WORK, rule.id
        assert rule.summary, rule.id
        assert rule.topic, rule.id


def test_columns_of_the_files_are_the_fields_of_a_rule() -> None:
    names = [field.name for field in dataclasses.fields(inventory.Rule)]
    for edition in ROWS:
        path = files("croupier.law") / "inventory" / f"{edition}.csv"
        assert path.read_text(encoding="utf-8").splitlines()[0].split(",") == names[1:]


def test_all_rules_are_the_editions_one_after_another() -> None:
    assert len(inventory.all_rules()) == sum(ROWS.values())
    assert list(dict.fromkeys(rule.edition for rule in inventory.all_rules())) == list(ROWS)


def test_every_reference_of_a_row_leads_to_a_row() -> None:
    broken = [
        (rule.id, other) for rule in inventory.all_rules() for other in rule.depends if not inventory.exists(other)
    ]
    assert broken == []


def test_rules_are_cached_and_an_unknown_edition_is_named() -> None:
    assert inventory.rules("nz1998") is inventory.rules("nz1998")
    with pytest.raises(ValueError, match=r"'nz1999'.*nz1996, nz1998, nzd5, nzeb, vic2002"):
        inventory.rules("nz1999")


def test_actionable_is_all_but_describe() -> None:
    expected = {rule.id for rule in inventory.all_rules() if rule.software != "describe"}
    assert {rule.id for rule in inventory.all_rules() if inventory.actionable(rule)} == expected


# Looking up


SPELLINGS = """
NZ1996-V-9.4: NZ1996-V-9.4, nz1996-v-9.4, nz1996/V-9.4, nz1996/v-9.4, nz1996/NZ1996-V-9.4
NZD5-5.10b: NZD5-5.10b, nzd5-5.10B, nzd5/5.10b
NZ1998-App: nz1998/app
NZEB-5.3a: NZEB-5.3a, nzeb-5.3a, nzeb/5.3a
NZEB-5.3A: NZEB-5.3A, nzeb-5.3A, nzeb/5.3A
"""


@pytest.mark.parametrize("line", SPELLINGS.strip().splitlines())
def test_find_forgives_case_and_prefix(line: str) -> None:
    rule_id, _, spellings = line.partition(":")
    for spelling in spellings.split(","):
        edition, _, text = spelling.strip().rpartition("/")
        found = inventory.find(f" {text} ", edition or None)
        assert found is not None
        assert found.id == rule_id, spelling


@pytest.mark.parametrize(
    ("text", "edition"),
    [("5.2", None), ("NZ1998-99.9", None), ("", None), ("NZD5-5.2", "nz1998"), ("NZD5-5.11", None), ("9.4", "nz1996")],
)
def test_find_answers_none(text: str, edition: str | None) -> None:
    assert inventory.find(text, edition) is None


def test_find_names_an_unknown_edition() -> None:
    with pytest.raises(ValueError, match="'nz2001'"):
        inventory.find("5.2", "nz2001")


@given(st.sampled_from(inventory.all_rules()), st.booleans())
def test_find_finds_every_row_by_any_spelling(rule: inventory.Rule, lower: bool) -> None:  # noqa: FBT001
    assert inventory.find(rule.id) is rule
    found = inventory.find(rule.id.lower() if lower else rule.id.upper())
    assert found is not None
    assert found.id.casefold() == rule.id.casefold()


PARTS = """
NZD5-5.11: NZD5-5.11.s1 NZD5-5.11.s2
NZD5-5.11.s2: NZD5-5.11.s2
NZD5-11A.7: NZD5-11A.7 NZD5-11A.7.s1 NZD5-11A.7.s2
NZ1996-I-13.2: NZ1996-I-13.2 NZ1996-I-13.2-s2
VIC2002-7.5: VIC2002-7.5.s1 VIC2002-7.5.s2 VIC2002-7.5.s3
NZ1998-5.1: NZ1998-5.1
NZD5-5.11.s9:
NZD5-5:
nzd5-5.11:
"""


@pytest.mark.parametrize("line", PARTS.strip().splitlines())
def test_parts_and_exists(line: str) -> None:
    rule_id, _, covered = line.partition(":")
    assert ids(inventory.parts(rule_id)) == covered.split()
    assert inventory.exists(rule_id) is bool(covered)


CHILDREN = """
NZ1998-5.1: NZ1998-5.1a NZ1998-5.1b NZ1998-5.1c
NZEB-5.3: NZEB-5.3a NZEB-5.3b
NZEB-5.3B: NZEB-5.3B.a NZEB-5.3B.b
NZEB-3.4c.iii: NZEB-3.4c.iii.A NZEB-3.4c.iii.B
NZ1996-X-3.1k: NZ1996-X-3.1k-i NZ1996-X-3.1k-ii NZ1996-X-3.1k-tail
NZ1996-V-8.1:
NZD5-5.11: NZD5-5.11.s1 NZD5-5.11.s2
nonsense:
"""


@pytest.mark.parametrize("line", CHILDREN.strip().splitlines())
def test_children(line: str) -> None:
    rule_id, _, direct = line.partition(":")
    assert ids(inventory.children(rule_id)) == direct.split()


def test_below_reaches_all_levels_and_stops_at_the_next_number() -> None:
    under = ids(inventory.below("NZ1998-5.1"))
    assert "NZ1998-5.1a.iii" in under
    assert "NZ1998-5.10" not in under
    assert len(inventory.below("NZ1996")) == ROWS["nz1996"]
    assert {inventory.division(rule_id) for rule_id in ids(inventory.below("NZ1996-V"))} == {"V"}


# Ids


PLACES = """
NZ1996-V-9.4 V 9
NZ1996-N-1 N 1
NZ1996-IX-diag-11 IX diag
NZ1996-X-3.1k-tail X 3
NZD5-11A.5 - 11A
NZEB-5.3B.a - 5
VIC2002-10.2.1a.iii - 10
NZ1998-App - App
"""


@pytest.mark.parametrize("line", PLACES.strip().splitlines())
def test_division_and_section(line: str) -> None:
    rule_id, division, section = line.split()
    assert (inventory.division(rule_id) or "-", inventory.section(rule_id)) == (division, section)


def test_natural_order() -> None:
    in_order = [
        *(f"NZ1996-{tail}" for tail in ("N-0", "I-14.2", "II-1.0-def-box", "V-9.4", "V-9.4a", "V-9.4-row-3", "V-9.10")),
        *(f"NZ1996-{tail}" for tail in ("IX-2.1", "X-2.1")),
        *(f"NZ1998-{tail}" for tail in ("5.2", "5.2a", "5.2.tail", "5.10", "5.10a", "5.11")),
        *(f"NZD5-{tail}" for tail in ("11.3.s2", "11A.1", "11B.missing", "12.1")),
        *(f"NZEB-{tail}" for tail in ("5.3", "5.3a", "5.3b", "5.3A", "5.3B", "5.3B.a", "5.4")),
        "VIC2002-0.notice.a",
    ]
    assert list(inventory.in_order(reversed(in_order))) == in_order


def test_natural_order_tells_all_rows_apart() -> None:
    assert len({inventory.sort_key(rule.id) for rule in inventory.all_rules()}) == sum(ROWS.values())


# Between editions


@pytest.mark.parametrize(
    ("rule_id", "others"),
    [
        ("NZ1998-5.14", {"NZD5-5.18", "NZ1996-V-4.10"}),
        ("NZ1996-V-4.8", {"NZ1998-5.2.tail"}),  # Named from the other side only.
        ("NZEB-6.4a", {"NZD5-6.5a"}),  # Known by the heading only.
        ("NZD5-5.11", {"NZEB-10.4"}),
    ],
)
def test_other_editions_include(rule_id: str, others: set[str]) -> None:
    assert others <= set(inventory.other_editions(rule_id))


def test_other_editions_are_other_mutual_and_real() -> None:
    for rule in inventory.all_rules():
        for other in inventory.other_editions(rule.id):
            assert inventory.edition_of(other) != rule.edition
            assert set(ids(inventory.parts(rule.id))) & set(inventory.other_editions(other))


def test_other_editions_do_not_trust_a_heading_of_victoria() -> None:
    # Both define "player": one a role in the dealing, the other a person with a wager.
    assert "VIC2002-1.1.player" not in inventory.other_editions("NZEB-1.1.player")


def test_search_wants_every_word() -> None:
    found = ids(inventory.search("INSURANCE ace", "nz1996"))
    assert "NZ1996-II-9.1" in found
    assert set(found) == set(ids(inventory.search("insurance", "nz1996"))) & set(ids(inventory.search("ace", "nz1996")))
    assert inventory.search("") == ()
    assert ids(inventory.search("nz1998-5.14"))[0] == "NZ1998-5.14"


def test_search_knows_other_forms_of_a_word() -> None:
    assert "NZ1996-VIII-14.6" in ids(inventory.search("dealer exposes cards", "nz1996"))
    assert ids(inventory.search("exposing", "nz1996")) == ids(inventory.search("exposes", "nz1996"))
    assert inventory.search("zebras", "nz1996") == ()
