"""Baccarat from depleted shoes, all wagers but Runs: one at a time, many together, and the plain count, in one run.

    python -m benchmarks.compositions [SHOES]

Times are of the processor.  The plain count is a cold sheet, made with nothing remembered.  All must say the same.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import Any

import croupier
from croupier.equipment import full_shoe
from croupier.exact import compositions
from croupier.exact.sheet import Sheet
from croupier.law.ruleset import Ruleset

EDITIONS = (("nz1998", ""), ("nzd5", ""), ("vic2002", "crown"))


def depleted(number: int) -> list[tuple[int, ...]]:
    chance, found = Random(1), []
    cards = [card for card, held in enumerate(full_shoe(8)) for _ in range(held)]
    for _ in range(number):
        left = chance.sample(cards, chance.randrange(14, len(cards)))
        found.append(tuple(left.count(card) for card in range(52)))
    return found


def timed(rules: Ruleset[Any], shoe: tuple[int, ...]) -> tuple[float, Sheet]:
    began = time.process_time()
    sheet = croupier.odds(rules, shoe=shoe, quick=True)
    return time.process_time() - began, sheet


def main(number: int = 2_000) -> None:
    shoes = depleted(number)
    print(f"{'milliseconds a shoe':<22} {'plain':>8} {'warm':>8} {'of many':>8}")
    for edition, version in EDITIONS:
        rules = croupier.ruleset(edition, version=version)
        plain = []
        for shoe in shoes[:3]:
            compositions.forget()
            plain.append(timed(rules, shoe))
        list(croupier.odds_each(rules, shoes[:1], quick=True))
        warm = [timed(rules, shoe) for shoe in shoes[:50]]
        began = time.process_time()
        sheets = list(croupier.odds_each(rules, shoes, quick=True))
        many = time.process_time() - began
        if [each for _, each in plain] != sheets[:3] or [each for _, each in warm] != sheets[:50]:
            raise RuntimeError("the ways of counting do not agree")
        figures = (min(took for took, _ in plain), sorted(took for took, _ in warm)[25], many / number)
        print(f"{rules.label:<22} " + " ".join(f"{1000 * each:>8.2f}" for each in figures))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
