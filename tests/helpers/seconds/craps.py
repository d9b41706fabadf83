"""A second opinion on craps: wagers placed, called, taken down and decided, written from the rows of division X alone.

Nothing of the program is used, so that the two can differ.  Wagers and facts are those of a case for adjudication; the
answer is one line for each wager, or `None` where the rules refuse something of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

Case = dict[str, Any]

NUMBERS = (4, 5, 6, 8, 9, 10)
TRUE = {n: Fraction(6, {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}[n]) for n in NUMBERS}
PLACED = {n: Fraction(*{4: (9, 5), 5: (7, 5), 6: (7, 6)}[min(n, 14 - n)]) for n in NUMBERS}
HARD = {4: 7, 6: 9, 8: 9, 10: 7}
ONE_ROLL = {
    "any_seven": ({7}, 4),
    "any_craps": ({2, 3, 12}, 7),
    "craps_two": ({2}, 30),
    "craps_three": ({3}, 15),
    "craps_twelve": ({12}, 30),
    "eleven": ({11}, 15),
}
HORN = ("craps_two", "craps_three", "craps_twelve", "eleven")
HIGH = {2: "craps_two", 3: "craps_three", 11: "eleven", 12: "craps_twelve"}
SWITCHED = ("place", "buy", "come_odds", "hardway")
LINES = ("pass", "come", "dont_pass", "dont_come")
BEHIND = {"pass_odds": "pass", "come_odds": "come", "dont_pass_behind": "dont_pass", "dont_come_behind": "dont_come"}
KINDS = (*LINES, *BEHIND, "place", "buy", "lay", "hardway", "big_six", "big_eight", "field", *ONE_ROLL)
PARTS = ("horn", "horn_high", "world", "c_and_e")


class Refused(Exception):
    """The rows refuse it."""


@dataclass
class Bet:
    """A wager with what has become of it; `stake` is what still lies there."""

    on: str
    by: str
    stake: int
    placed: int
    chip: int
    craps: int = 0
    result: str = "open"
    pays: int = 0
    returned: int = 0
    fee: int = 0
    void: int = 0
    refund: int = 0
    mark: str = ""
    number: int | None = None

    @property
    def kind(self) -> str:
        return self.on.partition(":")[0]

    def won(self, odds: Fraction | int, part: int | None = None) -> None:
        part = self.stake if part is None else part
        self.result, self.pays = "won", -(-part * odds // self.chip) * self.chip
        self.returned = int(self.pays) + part + self.void + self.refund

    def lost(self) -> None:
        self.result, self.returned = "lost", self.void + self.refund

    def stood_off(self) -> None:
        self.result, self.returned = "void", self.stake + self.void + self.refund

    def taken(self, amount: int = 0) -> None:
        left = self.stake - amount if amount else 0
        # What goes back of the commission goes back in chips, the half of one with it.
        fee = self.fee * left // self.stake // self.chip * self.chip
        self.refund, self.fee = self.refund + self.fee - fee, fee
        self.void, self.stake = self.void + self.stake - left, left
        if not left:
            self.result, self.returned = "void", self.void + self.refund


def settled(wagers: list[Case], facts: list[Any], *, chip: int, double: bool) -> list[Case] | None:
    """Each wager's line, or None if anything is refused."""
    try:
        return [_line(bet) for bet in _played(wagers, facts, chip=chip, double=double)]
    except Refused:
        return None


def _line(bet: Bet) -> Case:
    line = {"on": bet.on, "amount": bet.placed, "result": bet.result, "pays": bet.pays, "commission": bet.fee}
    return line | {"returned": bet.returned if bet.result != "open" else 0, "voided": bet.void}


def _played(wagers: list[Case], facts: list[Any], *, chip: int, double: bool) -> list[Bet]:
    bets: dict[int, Bet] = {}
    point: int | None = None
    for index in range(len(facts) + 1):
        for order, wager in enumerate(wagers):
            if wager.get("at", 0) == index:
                lying = [bet for bet in bets.values() if bet.result == "open"]
                bets[order] = _placed(wager, lying, point, chip=chip, double=double)
        if index < len(facts):
            lying = [bet for bet in bets.values() if bet.result == "open"]
            point = _happened(facts[index], lying, point)
    return [bets[order] for order in range(len(wagers))]


def _placed(wager: Case, lying: list[Bet], point: int | None, *, chip: int, double: bool) -> Bet:
    kind, _, number = wager["on"].partition(":")
    bet = Bet(wager["on"], wager.get("by", ""), wager["amount"], wager["amount"], chip, wager.get("craps", 0))
    bet.number = int(number) if number else None
    own = [each for each in lying if each.by == bet.by]
    if (kind in ("pass", "dont_pass") and point) or (kind in ("come", "dont_come") and not point):
        raise Refused
    if kind in BEHIND:
        base = sum(each.stake for each in own if each.kind == BEHIND[kind] and each.number == bet.number)
        there = sum(each.stake for each in own if each.on == bet.on)
        if not base or there + bet.stake > _most(kind, base, TRUE[bet.number or 0], chip=chip, double=double):
            raise Refused
    if kind in ("buy", "lay"):
        # Chips that are added make one wager with those that lie there, and the commission is on that.
        with_it = [each for each in own if each.on == bet.on]
        stake = Fraction(bet.stake + sum(each.stake for each in with_it))
        due = stake if kind == "buy" else stake / TRUE[bet.number or 0]
        bet.fee = max(0, int(due / 20 // chip) * chip - sum(each.fee for each in with_it))
    if kind in SWITCHED and any(each.kind == kind and each.mark == "on" for each in own):
        bet.mark = "on"
    units = {"horn": 4, "horn_high": 5, "world": 5, "c_and_e": 1 if bet.craps else 2}.get(kind, 0)
    if units and (bet.stake % (units * chip) or bet.craps % chip or bet.craps >= bet.stake):
        raise Refused
    if kind == "c_and_e" and not bet.craps:
        bet.craps = bet.stake // 2
    return bet


def _most(kind: str, base: int, true: Fraction, *, chip: int, double: bool) -> int:
    """The most that may lie on or behind a base: enough to win or to stake as much, up to a payable amount."""
    wins, stakes = true.numerator * chip, true.denominator * chip
    if kind.endswith("behind"):
        return max(-(-base // stakes) * wins, int(2 * base * true) if double else 0)
    return max(-(-base // stakes) * stakes, 2 * base if double else 0)


def _happened(fact: Any, lying: list[Bet], point: int | None) -> int | None:
    if isinstance(fact, str):
        first, second = (int(face) for face in fact.split("-"))
        for bet in lying:
            _decided(bet, first, second, come_out=point is None)
        total = first + second
        if point is None:
            return total if total in NUMBERS else None
        return None if total in (7, point) else point
    for bet in [each for each in lying if each.by == fact.get("by", "")]:
        if "take" in fact and bet.on == fact["take"]:
            _take(bet, fact.get("amount", 0), lying)
        elif "call" in fact and bet.kind in SWITCHED and bet.kind == fact["on"].partition(":")[0]:
            if fact["call"] == "on" or bet.on == fact["on"]:
                bet.mark = fact["call"]
    return point


def _take(bet: Bet, amount: int, lying: list[Bet]) -> None:
    if bet.kind in ("pass", "come") and bet.number:
        raise Refused
    bet.taken(amount)
    for other in lying:
        if not bet.stake and BEHIND.get(other.kind) == bet.kind and (other.by, other.number) == (bet.by, bet.number):
            other.taken()


def _decided(bet: Bet, first: int, second: int, *, come_out: bool) -> None:
    kind, number, total = bet.kind, bet.number, first + second
    off = kind in SWITCHED and (bet.mark == "off" or (come_out and bet.mark != "on"))
    if kind in LINES:
        _line_decided(bet, total, right=kind in ("pass", "come"))
    elif kind in ("pass_odds", "come_odds", "place", "buy"):
        if off and kind == "come_odds" and total in (7, number):
            bet.taken()
        elif not off:
            _wins_or_loses(bet, (PLACED if kind == "place" else TRUE)[number or 0], total == number, total == 7)
    elif kind in ("dont_pass_behind", "dont_come_behind", "lay"):
        _wins_or_loses(bet, 1 / TRUE[number or 0], total == 7, total == number)
    elif kind == "hardway":
        if not off:
            _wins_or_loses(bet, HARD[number or 0], total == number and first == second, total in (7, number))
    elif kind in ("big_six", "big_eight"):
        _wins_or_loses(bet, 1, total == (6 if kind == "big_six" else 8), total == 7)
    elif kind == "field":
        _wins_or_loses(bet, 2 if total in (2, 12) else 1, total in (2, 3, 4, 9, 10, 11, 12), True)
    else:
        _parts_decided(bet, total)


def _line_decided(bet: Bet, total: int, *, right: bool) -> None:
    if bet.number is not None:
        _wins_or_loses(bet, 1, total == (bet.number if right else 7), total in (7, bet.number))
    elif total in NUMBERS:
        bet.number = total
    elif total == 12 and not right:
        bet.stood_off()
    else:
        _wins_or_loses(bet, 1, (total in (7, 11)) == right, True)


def _wins_or_loses(bet: Bet, odds: Fraction | int, wins: object, loses: object) -> None:
    if wins:
        bet.won(odds)
    elif loses:
        bet.lost()


def _parts_decided(bet: Bet, total: int) -> None:
    """A wager of one roll: its parts, of which those that the total pays come back."""
    unit = bet.stake // {"horn": 4, "horn_high": 5, "world": 5}.get(bet.kind, 1)
    parts = [(bet.kind, bet.stake)]
    if bet.kind == "c_and_e":
        parts = [("any_craps", bet.craps), ("eleven", bet.stake - bet.craps)]
    elif bet.kind in PARTS:
        more = {"world": ("any_seven",), "horn_high": (HIGH.get(bet.number or 0, ""),)}.get(bet.kind, ())
        parts = [(name, unit) for name in (*HORN, *more)]
    paid = [(name, stake) for name, stake in parts if total in ONE_ROLL[name][0]]
    if paid:
        bet.won(ONE_ROLL[paid[0][0]][1], sum(stake for _, stake in paid))
    else:
        bet.lost()


# ---------------------------------------------------------------- cases at random


def case(random: Random) -> tuple[list[Case], list[Any], int, bool]:
    """Wagers and facts as at a table, a few of them against the rules; the chip; whether odds are double."""
    chip, double = random.choice([1, 1, 25, 100, 500]), random.random() < 0.3
    names = random.choice([[""], ["a", "b"]])
    wagers: list[Case] = []
    facts: list[Any] = []
    for index in range(random.randint(2, 11)):
        for _ in range(random.choice([0, 1, 1, 2, 3]) if index else random.randint(1, 6)):
            wager = _some_wager(random, chip) | {"at": index} | ({"by": by} if (by := random.choice(names)) else {})
            if settled([*wagers, wager], facts, chip=chip, double=double) is not None or random.random() < 0.02:
                wagers.append(wager)
        lines = settled(wagers, facts, chip=chip, double=double)
        if lines is None:
            return wagers, facts, chip, double
        said = _something_said(random, wagers, lines, chip) if random.random() < 0.3 else None
        facts.append(said or f"{random.randint(1, 6)}-{random.randint(1, 6)}")
    return wagers, facts, chip, double


def _some_wager(random: Random, chip: int) -> Case:
    kind = random.choice((*KINDS, *PARTS))
    amount = chip * random.choice([1, 2, 3, 4, 5, 7, 10, 12, 20, 24, 30, 60, 100])
    numbers = {"hardway": (4, 6, 8, 10), "horn_high": (2, 3, 11, 12)}.get(kind, NUMBERS)
    named = kind in ("place", "buy", "lay", "hardway", "horn_high") or kind in BEHIND
    units = {"horn": 4, "horn_high": 5, "world": 5, "c_and_e": 2}.get(kind, 1)
    split = {"craps": chip * random.randint(1, 3)} if kind == "c_and_e" and random.random() < 0.5 else {}
    return {"on": f"{kind}:{random.choice(numbers)}" if named else kind, "amount": amount * units} | split


def _something_said(random: Random, wagers: list[Case], lines: list[Case], chip: int) -> Case | None:
    """A wager of which there is one taken down or cut, or called on or off."""
    lying = [(wager, line) for wager, line in zip(wagers, lines, strict=True) if line["result"] == "open"]
    if not lying:
        return None
    wager, line = random.choice(lying)
    kind, by = wager["on"].partition(":")[0], {"by": wager["by"]} if wager.get("by") else {}
    if kind in SWITCHED and random.random() < 0.5:
        return {"call": random.choice(["on", "off"]), "on": wager["on"]} | by
    if sum(each["on"] == wager["on"] and each.get("by") == wager.get("by") for each, _ in lying) > 1:
        return None
    left = (line["amount"] - line["voided"]) // chip
    cut = left > 1 and kind not in (*PARTS, "dont_pass", "dont_come") and random.random() < 0.5
    return {"take": wager["on"]} | by | ({"amount": chip * random.randint(1, left - 1)} if cut else {})
