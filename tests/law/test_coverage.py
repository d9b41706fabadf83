"""Every rule is cited by a law that exists, and carried out by a case of its own, beyond software, or still open."""

from __future__ import annotations

import pytest

from croupier.law import inventory
from croupier.law.model import Law
from croupier.survey import coverage
from tests.law.matrix import concordance
from tests.law.matrix.language import names, read_folder

# The rules without a case may only become fewer: lower this number when they do.
MOST_MISSING = 4

ROWS = {rule.id: rule for rule in inventory.all_rules()}


# ---------------------------------------------------------------- the law and the cases


def test_every_cited_rule_exists() -> None:
    unknown = [
        (each.place, rule) for each in coverage.citations() for rule in each.law.rules if not inventory.exists(rule)
    ]
    assert unknown == []


def test_citations_name_their_place() -> None:
    places = {each.place for each in coverage.citations()}
    assert {"baccarat nz1998/full player_draws", "document nz1998 in_force", "venue auckland approved"} <= places


def test_the_rules_without_a_case_do_not_become_more() -> None:
    assert len(coverage.missing()) <= MOST_MISSING


def test_what_is_beyond_software_is_a_rule_to_act_on_with_a_reason_and_without_a_case() -> None:
    for rule, reason in coverage.beyond().items():
        assert inventory.actionable(ROWS[rule]), rule
        assert len(reason.split()) > 3, rule
        assert rule not in coverage.tested(), f"{rule} is carried out by a case, so software can"
    assert list(coverage.beyond()) == list(inventory.in_order(coverage.beyond())), "in the order of the rules"


def test_a_rule_stands_where_its_case_puts_it() -> None:
    parts = coverage.summary()
    assert sum(part.actionable for part in parts) == 1973
    for part in parts:
        assert part.tested + part.beyond + len(part.missing) == part.actionable
    done = coverage.tested()
    assert all(rule in ROWS for rule in done)
    assert {case.name for cases in done.values() for case in cases} == {case.name for case in coverage.cases()}


def test_a_law_is_watched_by_the_cases_of_all_its_rules() -> None:
    law = Law(1, ("NZ1998-9.3", "NZ1998-9.1"))
    seen = {"NZ1998-9.1": ("a", "b"), "NZ1998-9.3": ("b", "c"), "NZ1998-5.2": ("d",)}
    assert coverage.watching(law, seen) == ("a", "b", "c")
    assert coverage.watching(Law(0, ("NZ1998-5.1",)), seen) == ()


def test_a_parent_without_a_row_stands_for_its_parts() -> None:
    assert coverage.rows("NZD5-5.11") == tuple(rule.id for rule in inventory.parts("NZD5-5.11"))
    assert len(coverage.rows("NZD5-5.11")) > 1
    assert coverage.rows("NZ1998-9.3") == ("NZ1998-9.3",)


# ---------------------------------------------------------------- what the cases leave


def test_the_concordance_is_made_from_what_is_kept() -> None:
    for path, text in concordance.pages(concordance.in_documents(coverage.cases())).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: {concordance.TELL}"


def test_the_functions_told_are_in_the_code() -> None:
    places = {place for case in coverage.cases() for place in case.places}
    assert [place for place in sorted(places) if not concordance.stands(place)] == [], concordance.TELL


@pytest.mark.parametrize("case", coverage.cases()[:1])
def test_a_case_is_written_and_read_back(case: coverage.Case) -> None:
    assert tuple(coverage.read(coverage.write([case, case]))) == (case, case)


def test_each_case_lies_with_the_edition_of_its_rules() -> None:
    for name, case in names(read_folder(concordance.CASES)).items():
        assert name.partition("/")[0] in {inventory.edition_of(rule) for rule in case.rules}, name


@pytest.mark.parametrize("edition", inventory.PREFIXES)
def test_what_one_document_is_asked_is_what_all_would_answer(edition: str) -> None:
    """`rules show` reads the games and rooms that name its document, and leaves nothing out by that."""
    prefix = inventory.PREFIXES[edition]
    whole = {rule: places for rule, places in coverage.cited().items() if rule.startswith(f"{prefix}-")}
    assert {rule: set(places) for rule, places in coverage.cited(prefix).items()} == {
        rule: set(places) for rule, places in whole.items()
    }
    some = next(iter(coverage.tested()))
    assert {case.name for case in coverage.cases(some)} >= {case.name for case in coverage.tested()[some]}
