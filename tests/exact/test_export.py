"""Sheets as files, and all that a sheet says of itself."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

import croupier
from croupier.cli.app import run
from croupier.exact.export import csv_text, xlsx
from croupier.law.ruleset import Ruleset
from croupier.rulesets import every_ruleset

LIGHT = [rules for rules in every_ruleset() if rules.game not in ("blackjack", "caribbean_stud")]


@pytest.mark.parametrize("rules", LIGHT, ids=lambda rules: rules.label)
def test_the_edge_can_be_rebuilt_from_the_json(rules: Ruleset[object]) -> None:
    for row in croupier.odds(rules, quick=True).to_dict()["wagers"]:  # type: ignore[attr-defined]
        mean = sum(Fraction(pay["net"]) * Fraction(pay["probability"]) for pay in row["pays"])
        assert -mean == Fraction(row["edge"]), row["wager"]


def test_a_csv_holds_every_way_to_end_with_its_net() -> None:
    sheet = croupier.odds(croupier.ruleset("nz1998"))
    rows = list(csv.DictReader(io.StringIO(csv_text(sheet))))
    banker = [row for row in rows if row["wager"] == "banker"]
    assert -sum(Fraction(row["net"]) * Fraction(row["probability"]) for row in banker) == sheet.line("banker").edge
    assert float(banker[0]["edge_number"]) == float(sheet.line("banker").edge)


def test_a_workbook_is_one_that_others_can_read() -> None:
    made = xlsx(croupier.odds(croupier.ruleset("nz1996", game="money_wheel")))
    assert made == xlsx(croupier.odds(croupier.ruleset("nz1996", game="money_wheel")))
    with zipfile.ZipFile(io.BytesIO(made)) as parcel:
        assert parcel.testzip() is None
        parts = {name: ElementTree.fromstring(parcel.read(name)) for name in parcel.namelist()}
    space = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    names = [each.get("name") for each in parts["xl/workbook.xml"].findall("m:sheets/m:sheet", space)]
    assert names == ["wagers", "ends", "rules"]
    cells = parts["xl/worksheets/sheet1.xml"].findall("m:sheetData/m:row", space)
    assert len(cells) == 1 + 7
    head = [each.findtext("m:is/m:t", None, space) for each in cells[0]]
    edge = cells[1][head.index("edge_percent")].findtext("m:v", None, space)
    assert edge is not None
    assert 7 < float(edge) < 25


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> Mapping[str, object]:
    assert run([*words, "--json"]) == 0
    answer: Mapping[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_files_are_written_beside_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {kind: str(tmp_path / f"sheet.{kind}") for kind in ("csv", "xlsx")}
    words = ("odds", "roulette", "--edition", "nz1996", "--csv", names["csv"], "--xlsx", names["xlsx"])
    answer = answered(capsys, *words)
    assert {kind: answer[kind] for kind in names} == names
    assert Path(names["csv"]).read_text().startswith("wager,")
    assert zipfile.is_zipfile(names["xlsx"])
    assert run(["odds", "roulette", "--edition", "nz1996", "--csv", str(tmp_path / "no" / "where.csv")]) == 2


def test_a_sheet_says_which_shoe_and_which_places(capsys: pytest.CaptureFixture[str]) -> None:
    full = answered(capsys, "odds", "baccarat", "--edition", "nz1998")
    assert "shoe" not in full
    ranks = ",".join(["31", *["32"] * 12])
    short = answered(capsys, "odds", "baccarat", "--edition", "nz1998", "--ranks", ranks)
    assert short["shoe"] == {"ranks": [31, *[32] * 12]}
    rows = {row["wager"]: row for row in answered(capsys, "odds", "roulette", "--edition", "nz1996")["wagers"]}  # type: ignore[attr-defined]
    assert len(rows["straight"]["places"]) == 37
    assert "places" not in rows["red"]


def test_exact_is_never_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "odds", "roulette", "--edition", "nz1996", "--exact")["notes"] == [
        "--exact: every row is exact"
    ]
    assert run(["odds", "caribbean_stud", "--edition", "nz1996", "--pool", "100000"]) == 2
    assert "give --stake too" in capsys.readouterr().err
