"""The polynomial beside the plain count: the same worth from any shoe, under any law."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import croupier
from croupier.equipment import full_shoe
from croupier.exact.automaton import build
from croupier.exact.compositions import WaysFrom, ways_from
from croupier.exact.engines import OddsAsked
from croupier.exact.sheet import by_symbol, sheets
from croupier.exact.ways import count_ways, worth
from croupier.games.baccarat import BACCARAT
from croupier.rulesets import every_ruleset


def _shoes(number: int) -> list[tuple[int, ...]]:
    """Shoes with any number of cards gone, down to a handful, and some that no croupier would believe."""
    chance, found = Random(20261117), []
    cards = [card for card, held in enumerate(full_shoe(8)) for _ in range(held)]
    for left in (416, 5, 6, 7, 12, 40, *(chance.randrange(6, 416) for _ in range(number))):
        drawn = chance.sample(cards, left)
        found.append(tuple(drawn.count(card) for card in range(52)))
    return [*found, (8,) * 13 + (0,) * 39, (0,) * 9 + (32,) * 4 + (0,) * 39, (40,) * 52]


@pytest.mark.parametrize("rules", list(every_ruleset((BACCARAT,))), ids=lambda each: each.label)
def test_both_count_the_same(rules: Any) -> None:
    wagers = BACCARAT.wagers(rules.rules)
    later = [name for name in ("insurance",) if name in wagers]
    automaton = build(BACCARAT, rules.rules, at_start=["player", "banker", "tie"], later=later)
    shoes = [by_symbol(BACCARAT, rules.rules, shoe, exact_cards=False) for shoe in _shoes(6)]
    for shoe, quick in zip(shoes, WaysFrom(automaton).many(shoes), strict=True):
        slow = count_ways(automaton, shoe)
        for name in automaton.wagers:
            if any(slow.of(name)):
                assert worth(quick, name) == worth(slow, name), (shoe, name)
            else:
                assert not any(quick.of(name))


def test_cards_that_make_no_difference_are_not_noted() -> None:
    rules = croupier.ruleset("nzd5").rules
    automaton = build(BACCARAT, rules, at_start=["perfect_pairs"], exact_cards=True)
    counting, shoes = WaysFrom(automaton), _shoes(2)
    for shoe, quick in zip(shoes, counting.many(shoes), strict=True):
        assert worth(quick, "perfect_pairs") == worth(count_ways(automaton, shoe), "perfect_pairs")
    assert [len(size.last) for size in counting.sizes] == [52, 52 * 53 // 2]


def test_a_shoe_with_too_many_ways_goes_the_slow_way() -> None:
    rules = croupier.ruleset("nz1998").rules
    counting = ways_from(BACCARAT, rules, at_start=["tie"])
    many = (200,) * 9 + (800,)
    assert counting.many([many])[0] == count_ways(counting.automaton, many)
    assert counting.many([(32,) * 9 + (128,)])[0].total == 4_998_398_275_503_360


def test_many_sheets_are_the_sheets_of_each() -> None:
    rules, shoes = croupier.ruleset("nzd5"), _shoes(3)
    ranks = (30,) * 13
    answers = list(sheets(BACCARAT, rules, [*shoes, ranks], asked=OddsAsked(quick=True)))
    assert answers == [croupier.odds(rules, shoe=shoe, quick=True) for shoe in (*shoes, ranks)]
    assert [each.edge for each in next(croupier.odds_each(rules, [full_shoe(8)])).lines] == [
        each.edge for each in croupier.odds(rules).lines
    ]


def test_nonsense_is_refused_before_anything_is_counted() -> None:
    with pytest.raises(ValueError, match="whole number, 0 or more"):
        list(croupier.odds_each(croupier.ruleset("nz1998"), [[-1] * 52]))
