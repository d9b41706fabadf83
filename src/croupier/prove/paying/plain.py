"""A second opinion on what is paid, by other code than the games': conditions and arithmetic, no law and no automaton.

It is written from the rows of the inventory alone.  The drawing rules of baccarat are plain conditions; what wheels and
dice pay is read out of the column of values of those rows, which no game reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Final

from croupier.law.inventory import rules

BANKER_AGAINST: Final[Mapping[int, Sequence[int]]] = {
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: range(2, 8), 5: range(4, 8), 6: (6, 7),
}  # fmt: skip
"""The third cards of the Player against which the Banker draws on a count."""


def counts(points: Sequence[int]) -> tuple[int, int] | None:
    """The final counts of Player and Banker; None if another card is due."""
    if len(points) < 4:
        return None
    player, banker, used = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10, 4
    if max(player, banker) > 7:
        return player, banker
    draws = banker <= 5
    if player <= 5:
        if len(points) == used:
            return None
        third = points[used]
        player, used = (player + third) % 10, used + 1
        draws = banker <= 2 or third in BANKER_AGAINST.get(banker, ())
    if draws:
        if len(points) == used:
            return None
        banker = (banker + points[used]) % 10
    return player, banker


def baccarat(on: str, points: Sequence[int], *, half_on_six: bool, tie: int = 8) -> Fraction:
    """The net of one unit on Player, Banker or Tie when the coup is over."""
    found = counts(points)
    assert found is not None
    player, banker = found
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    if on == winner:
        if on == "tie":
            return Fraction(tie)
        if on == "player":
            return Fraction(1)
        if half_on_six:
            return Fraction(1, 2) if banker == 6 else Fraction(1)
        return Fraction(19, 20)
    return Fraction(0) if winner == "tie" else Fraction(-1)


@cache
def _printed(division: str) -> Mapping[str, int]:
    """What a division's table of payments prints, by the last words of its rows."""
    rows = ((rule.id.partition("-pay-")[2], rule.parameters) for rule in rules("nz1996") if f"-{division}-" in rule.id)
    return {name: int(value.partition(":")[0]) for name, value in rows if name and value.endswith(":1")}


def wheel(on: str, symbol: str) -> int:
    """The net of one unit at the money wheel."""
    return _printed("VII")[on] if on == symbol else -1


RED: Final = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))


def roulette(on: str, number: int) -> int:
    """The net of one unit at roulette."""
    kind, _, place = on.partition(":")
    some = number > 0
    wins = {
        "column": lambda: some and (number - 1) % 3 == int(place) - 1,
        "dozen": lambda: some and (number - 1) // 12 == int(place) - 1,
        "low": lambda: 1 <= number <= 18,
        "high": lambda: number >= 19,
        "even": lambda: some and number % 2 == 0,
        "odd": lambda: number % 2 == 1,
        "red": lambda: number in RED,
        "black": lambda: some and number not in RED,
    }.get(kind, lambda: number in map(int, place.split("-")))()
    name = {"straight": "straight-up", "six_line": "six-line"}.get(kind, kind)
    return _printed("III")[name] if wins else -1


def tai_sai(on: str, faces: Sequence[int]) -> int:
    """The net of one unit at tai-sai."""
    kind, _, place = on.partition(":")
    pays, total = _printed("VI"), sum(faces)
    triple = len(set(faces)) == 1
    match kind:
        case "small":
            return pays["small"] if 4 <= total <= 10 and not triple else -1
        case "big":
            return pays["big"] if 11 <= total <= 17 and not triple else -1
        case "triple":
            return pays["triple"] if triple and faces[0] == int(place) else -1
        case "any_triple":
            return pays["any-triple"] if triple else -1
        case "double":
            return pays["double"] if faces.count(int(place)) >= 2 else -1
        case "total":
            low = min(int(place), 21 - int(place))
            return pays[f"total-{low}-{21 - low}"] if total == int(place) else -1
        case "combination":
            return pays["combination"] if {*map(int, place.split("-"))} <= {*faces} else -1
        case _:
            shown = faces.count(int(place))
            return pays[f"single-{shown}"] if shown else -1
