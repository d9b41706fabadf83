"""What the cases leave: `law/carried`, a line a case, and `docs/concordance`, the page a regulator reads.

`python -m tests.law.matrix.concordance` runs every case and writes both; `make concordance` is the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from croupier.law import inventory
from croupier.law.editions import EDITIONS
from croupier.law.inventory import Rule, actionable
from croupier.survey import coverage
from croupier.survey.coverage import CarriedStep
from croupier.survey.coverage import Case as Carried
from tests.helpers.places import ROOT
from tests.law.matrix.language import Case, names, read_folder
from tests.law.matrix.run import run
from tests.law.matrix.where import watched

CASES: Final = ROOT / "tests" / "law" / "cases"
PAGES: Final = ROOT / "docs" / "concordance"
TELL: Final = "run `make concordance`"


def carried(name: str, case: Case, *, where: bool = True) -> Carried:
    """A case, run under all its laws; told is how it went under the first.

    `where`: also find the functions that answered, unless the case went as it did last time and they are known.
    """

    def all_laws() -> list[tuple[CarriedStep, ...]]:
        return [tuple(CarriedStep(step.done, step.answers) for step in run(case, law)) for law in case.laws]

    made = Carried(name, case.rules, case.door, tuple(map(str, case.laws)), case.title, all_laws()[0], {})
    known = kept().get(name)
    if known is not None and replace(known, where={}) == made and all(map(stands, known.places)):
        return known
    return replace(made, where=watched(case.rules, all_laws)[1]) if where else made


@cache
def kept() -> dict[str, Carried]:
    """What the last run left, by name."""
    return {case.name: case for case in coverage.cases()}


def stands(place: str) -> bool:
    """Whether the function that a place names is in the code."""
    file, _, function = place.partition(" ")
    return function.rpartition(".")[2] in _functions(file)


@cache
def _functions(file: str) -> frozenset[str]:
    path = ROOT / "src" / "croupier" / file
    tree = ast.parse(path.read_text(encoding="utf-8") if path.exists() else "")
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions)


def in_documents(these: Iterable[Carried]) -> dict[str, tuple[Carried, ...]]:
    """Cases by the document of their first rule, in the order of the rules."""
    order = {rule.id: number for number, rule in enumerate(inventory.all_rules())}
    listed = sorted(these, key=lambda case: (order[case.rules[0]], case.name))
    return {
        edition: tuple(case for case in listed if inventory.edition_of(case.rules[0]) == edition)
        for edition in EDITIONS
    }


def page(edition: str, cases: Iterable[Carried]) -> str:
    """The concordance of one document."""
    by_rule: dict[str, list[Carried]] = {}
    for case in cases:
        for each in case.rules:
            by_rule.setdefault(each, []).append(case)
    work = [rule for rule in inventory.rules(edition) if actionable(rule)]
    done = sum(rule.id in by_rule for rule in work)
    cannot = sum(rule.id in coverage.beyond() and rule.id not in by_rule for rule in work)
    lines = [
        f"# Concordance: {EDITIONS[edition].title}",
        "",
        "Each rule that software must act on, in our own words, with what was done at a door of the product and what",
        "the product answered. Made from `tests/law/cases` by `make concordance`; a test holds it to be true.",
        "",
        f"{len(work)} rules to act on: {done} carried out by a case of their own, {cannot} beyond software,"
        f" {len(work) - done - cannot} without a case yet.",
    ]
    for rule in work:
        lines += ["", f"## {rule.id}", "", f"{rule.topic}. {rule.summary}", *_of_rule(rule, by_rule.get(rule.id, []))]
    return "\n".join(lines) + "\n"


def _of_rule(rule: Rule, cases: list[Carried]) -> list[str]:
    if not cases:
        why = coverage.beyond().get(rule.id)
        return ["", f"*Beyond software:* {why}" if why else "*No case yet.*"]
    return [line for case in cases for line in _of_case(rule.id, case)]


def _of_case(rule: str, case: Carried) -> list[str]:
    head = f"**At the door `{case.door}`**, {', '.join(case.laws)}" + (f": {case.title}" if case.title else "")
    steps = [f"    {line}" for step in case.steps for line in _step(step)]
    where = [f"*In code:* {', '.join(f'`{place}`' for place in case.where[rule])}"] if case.where.get(rule) else []
    return ["", head, "", *steps, *(["", *where] if where else [])]


def _step(step: CarriedStep) -> list[str]:
    return [step.done, *(f"    → {answer}" for answer in step.answers)]


def everything() -> dict[str, tuple[Carried, ...]]:
    """Every case, run and told, by document."""
    return in_documents(carried(name, case) for name, case in names(read_folder(CASES)).items())


def pages(found: dict[str, tuple[Carried, ...]]) -> dict[Path, str]:
    """The files as they should be; a case of rules of two documents is told in both."""
    every = [case for cases in found.values() for case in cases]
    files = {coverage.CARRIED / f"{edition}.jsonl": coverage.write(cases) for edition, cases in found.items()}
    return files | {PAGES / f"{edition}.md": page(edition, every) for edition in found}


def main() -> None:
    written = pages(everything())
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(written)} files of the concordance were written")


if __name__ == "__main__":
    main()
