"""The rule browser's doors: every rule is found, told with all that hangs on it, and placed in code and tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import croupier
from croupier.floor.rooms.rulebook import doors as rulebook
from croupier.law import inventory
from croupier.survey import coverage
from tests.helpers.houses.rooms import room


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with room(rulebook.DOORS) as (here, _):
        yield here


def found(client: httpx.Client, **asked: str) -> dict[str, Any]:
    answer = client.get("/api/rulebook/search", params=asked)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


def test_all_rules_are_listed_page_by_page_without_a_gap(client: httpx.Client) -> None:
    ids: list[str] = []
    while len(ids) < (page := found(client, **{"from": str(len(ids))}))["total"]:
        assert 0 < len(page["rows"]) <= rulebook.PAGE
        ids += [row["id"] for row in page["rows"]]
    assert ids == [rule.id for rule in inventory.all_rules()]


def test_words_ids_and_filters_find_rules(client: httpx.Client) -> None:
    assert found(client, words="nzd5-5.10B")["rows"][0]["id"] == "NZD5-5.10b"
    rows = found(client, words="commission banker", edition="nzd5")["rows"]
    assert rows
    assert {row["edition"] for row in rows} == {"nzd5"}
    payouts = found(client, kind="payout", software="compute", edition="vic2002")
    wanted = [r for r in inventory.rules("vic2002") if r.kind == "payout" and r.software == "compute"]
    assert payouts["total"] == len(wanted)
    described = [rule for rule in inventory.all_rules() if not inventory.actionable(rule)]
    assert found(client, standing="only described")["total"] == len(described)
    # A case may also try a rule of which no more is asked than that it is told; that one stays told.
    wanted = [rule for rule in inventory.all_rules() if inventory.actionable(rule) and rule.id in coverage.tested()]
    assert found(client, standing="carried out")["total"] == len(wanted)
    assert found(client, words="no such words at all")["total"] == 0


@pytest.mark.parametrize(
    ("path", "status", "names"),
    [
        ("search?kind=poem", 422, "unknown kind 'poem'"),
        ("search?edition=nz2000", 422, "unknown edition 'nz2000'"),
        ("search?from=-1", 422, "from is the number of a row"),
        ("search?colour=red", 422, "unknown input 'colour'"),
        (f"search?words={'x' * 201}", 422, "words: more than 200"),
        ("rule/NZD5-5.10z", 404, "near to it are"),
        ("places/NZD5", 404, "no rule 'NZD5'"),
        ("diff?before=nz1998&after=nz2000", 422, "unknown edition 'nz2000'"),
        ("diff?before=nz1998&after=nzd5&game=poker", 422, "unknown game 'poker'"),
        ("diff?to=nzd5", 422, "unknown input 'to'"),
    ],
)
def test_bad_input_is_one_line_that_names_it(client: httpx.Client, path: str, status: int, names: str) -> None:
    answer = client.get(f"/api/rulebook/{path}")
    assert answer.status_code == status
    assert names in answer.json()["reason"]


def test_a_rule_is_told_with_its_readings_and_the_other_editions(client: httpx.Client) -> None:
    rule = client.get("/api/rulebook/rule/nzd5-5.10b").json()
    assert rule["id"] == "NZD5-5.10b"
    assert rule["rows"][0]["software"] == "compute"
    assert "NZ1998-5.7b" in [row["id"] for row in rule["others"]]
    assert inventory.find(rule["before"]) is not None
    split = client.get("/api/rulebook/rule/NZ1996-II-11.7").json()
    assert "dealer_blackjack" in [each["name"] for each in split["readings"]]
    parent = client.get("/api/rulebook/rule/NZD5-5.11").json()
    assert [row["id"] for row in parent["rows"]] == [row.id for row in inventory.parts("NZD5-5.11")]


def test_every_rule_can_be_told() -> None:
    for rule in inventory.all_rules():
        assert rulebook.rule_page(rule.id)["rows"]


def test_a_rule_is_told_with_its_cases() -> None:
    (row,) = [row for row in rulebook.rule_page("NZD5-12.1a")["rows"] if row.id == "NZD5-12.1a"]  # type: ignore[attr-defined]
    case = next(case for case in row.cases if case.door == "table")
    assert row.standing == "carried out"
    assert any("ruled reassign" in answer for step in case.steps for answer in step.answers)
    assert "games/baccarat/irregular.py _ruling" in case.where


def test_a_rule_lives_in_lines_that_cite_it_and_in_its_cases(client: httpx.Client) -> None:
    places = client.get("/api/rulebook/places/NZD5-12.1a").json()
    assert "nzd5/incidents.case:NZD5-12.1a" in places["tests"]
    places = client.get("/api/rulebook/places/NZD5-5.10b").json()
    assert "baccarat nzd5/full bets.banker.pays" in places["names"]
    shown = [line_of(place) for place in places["lines"]]
    assert any('"5.10b"' in text for text in shown), shown
    for rule in ("NZ1996-X-3.1e-i", "VIC2002-10.1.crown-insurance", "NZ1996-I-8.1"):
        assert all(map(line_of, client.get(f"/api/rulebook/places/{rule}").json()["lines"]))


def line_of(place: str) -> str:
    path, _, number = place.rpartition(":")
    return (Path(croupier.__file__).parent / path).read_text(encoding="utf-8").splitlines()[int(number) - 1]


def test_two_editions_are_compared_law_by_law(client: httpx.Client) -> None:
    comparison = client.get("/api/rulebook/diff?before=nz1998&after=nzd5&game=baccarat").json()
    (game,) = comparison["games"]
    assert game["versions"] == ["full", "full"]
    changed = {change["path"] for change in game["changes"]}
    assert any("perfect_pairs" in path for path in changed)
