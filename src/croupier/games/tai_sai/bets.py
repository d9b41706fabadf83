"""The fifty areas of tai-sai: their names, what the dice show, and what each area wins.

The uppermost faces decide, whatever the lights of the table say; the lights show what `wins` says.
"""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from croupier.game import DiceFell, Effect, Lost, Refusal, Resolution, Wager, Won
from croupier.game.kinds import wager_kind, wager_place
from croupier.games.single_draw.procedure import number_words
from croupier.games.tai_sai.rules import Bet, CountBet, DicePairBet, Faces, RangeBet, TaiSaiRules, TotalBet
from croupier.law.model import Law
from croupier.money import Odds

# ---------------------------------------------------------------- the layout


def areas(rules: TaiSaiRules) -> tuple[str, ...]:
    """Every area in the order in which the layout is marked."""
    return tuple(name for kind in rules.marked.value if kind in rules.permitted.value for name in _named(rules, kind))


def _named(rules: TaiSaiRules, kind: str) -> tuple[str, ...]:
    match rules.bets[kind]:
        case RangeBet() | CountBet(any_number=True):
            return (kind,)
        case CountBet(numbers=law):
            return tuple(f"{kind}:{number}" for number in law.value)
        case TotalBet(totals=law):
            return tuple(f"{kind}:{total}" for total in law.value)
        case DicePairBet(pairs=pairs):
            return tuple(f"{kind}:{low}-{high}" for low, high in pairs.value)
        case unreachable:
            assert_never(unreachable)


def pays(rules: TaiSaiRules, on: str) -> tuple[Odds, ...]:
    """The odds that are marked on an area."""
    bet, number = rules.bets[wager_kind(on)], wager_place(on)
    match bet:
        case TotalBet(pays=scale):
            return (scale[int(number)].value,)
        case CountBet(pays=scale):
            return tuple(dict.fromkeys(law.value for law in scale.values()))
        case RangeBet(pays=law) | DicePairBet(pays=law):
            return (law.value,)
        case unreachable:
            assert_never(unreachable)


def locate(rules: TaiSaiRules, on: str) -> str | Refusal:
    """The proper name of an area; a chip across two areas is in neither."""
    if rules.within.value in on:
        return Refusal("a wager lies wholly within one area", rules.within.rule, on=on[:60])
    kind, place = wager_kind(on), wager_place(on)
    if kind not in rules.permitted.value:
        known = ", ".join(rules.marked.value)
        return Refusal(f"{on!r:.60} is not a wager here; known are {known}", rules.permitted.rule)
    name = kind if on == kind else f"{kind}:{'-'.join(sorted(place.split('-')))}"
    if name in _named(rules, kind):
        return name
    return Refusal(f"{on!r:.60} is no area of the layout", _kind_rule(rules.bets[kind]))


def _kind_rule(bet: Bet) -> str:
    match bet:
        case CountBet(numbers=law):
            return law.rule
        case TotalBet(totals=law):
            return law.rule
        case RangeBet(totals=totals):
            return totals.rule
        case DicePairBet(pairs=pairs):
            return pairs.rule
        case unreachable:
            assert_never(unreachable)


# ---------------------------------------------------------------- what the dice decide


def shown(rules: TaiSaiRules, fact: Effect) -> Faces | Refusal | None:
    """The uppermost faces, one of each die."""
    if not isinstance(fact, DiceFell):
        return None
    due = rules.number_of_dice.value * rules.uppermost.value
    if len(fact.faces) > due:
        return Refusal(f"{len(fact.faces)} faces: only one of each die is uppermost", rules.uppermost.rule)
    if len(fact.faces) < due or not set(fact.faces) <= set(rules.die.value):
        faces = "-".join(map(str, fact.faces))
        return Refusal(f"{due} dice with faces 1 to 6 are due", rules.number_of_dice.rule, on=faces)
    return fact.faces


def wins(rules: TaiSaiRules, area: str, faces: Faces) -> Law[Odds] | None:
    """What the area pays on these faces; None if it loses."""
    place, count, total = wager_place(area), Counter(faces), sum(faces)
    match rules.bets[wager_kind(area)]:
        case RangeBet(totals=totals, not_by_triple=triples, pays=pays):
            spoilt = max(count.values()) == len(faces) and faces[0] in triples.value
            return pays if total in totals.value and not spoilt else None
        case CountBet(numbers=numbers, any_number=any_number, dice=dice, pays=scale):
            showing = max(count[number] for number in (numbers.value if any_number else (int(place),)))
            return scale[showing] if any(showing in law.value for law in dice) else None
        case TotalBet(pays=scale):
            return scale[total] if total == int(place) else None
        case DicePairBet(both=both, pays=pays):
            shown_of_pair = {int(number) for number in place.split("-")} & set(faces)
            return pays if len(shown_of_pair) >= both.value else None
        case unreachable:
            assert_never(unreachable)


def decide(rules: TaiSaiRules, wager: Wager, faces: Faces) -> Wager | Resolution:
    """Won at the odds of its area, or lost on whatever else the dice make."""
    pays = wins(rules, wager.on, faces)
    if pays:
        return Won(pays.value, pays.rule, _way(wager.on, faces))
    loses = rules.bets[wager_kind(wager.on)].loses
    return Lost(loses.rule) if sum(faces) in loses.value else wager


def _way(area: str, faces: Faces) -> str:
    """A name for this way of winning: single numbers pay by how many dice show them."""
    if wager_kind(area) != "face":
        return "win"
    dice = faces.count(int(wager_place(area)))
    return "one die" if dice == 1 else f"{number_words(dice)} dice"


def lit(rules: TaiSaiRules, faces: Faces) -> tuple[str, ...]:
    """The areas that the table lights for these numbers: all that win."""
    return tuple(area for area in areas(rules) if rules.lights.value and wins(rules, area, faces))
