"""Craps as New Zealand gazetted it in 1996 (Division X): the wagers in the order of its list, and what surrounds them.

It is the only document with craps.  Odds stand beside the wager that they pay, under the number of their line in the
table of part 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.ceremony import Act, Script, inspected_twice
from croupier.equipment import DICE_TWO, NOBODY_KNOWS
from croupier.game import Rounding
from croupier.game.kinds import ActKind
from croupier.games.craps.irregular import nz1996 as irregularities
from croupier.games.craps.rules import (
    NUMBER,
    SETTLE,
    SEVEN,
    Bet,
    Commission,
    CrapsRules,
    DiceRules,
    How,
    Limit,
    LineBet,
    NumberBet,
    OddsBet,
    OneRollBet,
    PartsBet,
    ShooterRules,
)
from croupier.law.elections import choice
from croupier.law.model import Law, absent, cites
from croupier.law.officials import (
    CASINO_MANAGER,
    CASINO_SUPERVISOR,
    DEALER,
    GAME_SUPERVISOR,
    SHIFT_MANAGER,
    STICKPERSON,
)
from croupier.money import Odds, percent, to

law = cites("NZ1996-X")

TOTALS: Final = frozenset(range(2, 13))
POINTS: Final = frozenset({4, 5, 6, 8, 9, 10})
HARD: Final[frozenset[How]] = frozenset({"hard"})
EASY_OR_SEVEN: Final[frozenset[How]] = frozenset({"easy", "seven"})


def totals(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


def kinds(*names: str) -> frozenset[str]:
    return frozenset(names)


# ---------------------------------------------------------------- 3.1(a) to (h): the line and its odds


def line_bets() -> dict[str, Bet]:
    return {
        "pass": LineBet(
            placed=law("come out", "3.1a"),
            points=law(POINTS, "3.1a-i-B"),
            wins_at_once=law(totals(7, 11), "3.1a-i-A"),
            loses_at_once=law(totals(2, 3, 12), "3.1a-ii-A"),
            void_at_once=absent,
            wins_on=law(NUMBER, "3.1a-i-B"),
            loses_on=law(SEVEN, "3.1a-ii-B"),
            pays=law(to(1), "6.1-pay-pass", "6.1"),
            taken=law("until its point", "3.5"),
        ),
        "dont_pass": LineBet(
            placed=law("come out", "3.1b"),
            points=law(POINTS, "3.1b-i-B"),
            wins_at_once=law(totals(2, 3), "3.1b-i-A"),
            loses_at_once=law(totals(7, 11), "3.1b-ii-A"),
            void_at_once=law(totals(12), "3.1b-iii"),
            wins_on=law(SEVEN, "3.1b-i-B"),
            loses_on=law(NUMBER, "3.1b-ii-B"),
            pays=law(to(1), "6.1-pay-dont-pass"),
            taken=law("any time", "3.6"),
        ),
        "come": LineBet(
            placed=law("point on", "3.1c"),
            points=law(POINTS, "3.1c-i-B", "1.0-def-come-point"),
            wins_at_once=law(totals(7, 11), "3.1c-i-A"),
            loses_at_once=law(totals(2, 3, 12), "3.1c-ii-A"),
            void_at_once=absent,
            wins_on=law(NUMBER, "3.1c-i-B"),
            loses_on=law(SEVEN, "3.1c-ii-B"),
            pays=law(to(1), "6.1-pay-come"),
            taken=law("until its point", "3.5"),
        ),
        "dont_come": LineBet(
            placed=law("point on", "3.1d"),
            points=law(POINTS, "3.1d-i-B", "1.0-def-come-point"),
            wins_at_once=law(totals(2, 3), "3.1d-i-A"),
            loses_at_once=law(totals(7, 11), "3.1d-ii-A"),
            void_at_once=law(totals(12), "3.1d-iii"),
            wins_on=law(SEVEN, "3.1d-i-B"),
            loses_on=law(NUMBER, "3.1d-ii-B"),
            pays=law(to(1), "6.1-pay-dont-come"),
            taken=law("any time", "3.7"),
        ),
    }


def by_pairs(outer: Odds, middle: Odds, inner: Odds, line: str) -> dict[int, Law[Odds]]:
    """Odds printed in three lines: for 4 and 10, for 5 and 9, for 6 and 8."""
    four_ten, five_nine = law(outer, f"{line}-4-10"), law(middle, f"{line}-5-9")
    six_eight = law(inner, f"{line}-6-8")
    return {4: four_ten, 5: five_nine, 6: six_eight, 8: six_eight, 9: five_nine, 10: four_ten}


def odds_bets() -> dict[str, Bet]:
    """Odds take the side of the number; wagers behind take the seven and are limited by what they can win."""
    return {
        "pass_odds": OddsBet(
            base=law("pass", "3.1e"),
            numbers=law(POINTS, "3.1e"),
            limit=law(Limit(1, "stake"), "3.1e-i"),
            wins_on=law(NUMBER, "3.1e-ii"),
            loses_on=law(SEVEN, "3.1e-iii"),
            returned=absent,
            pays=by_pairs(to(2), to(3, 2), to(6, 5), "6.1-pay-odds-pass"),
        ),
        "dont_pass_behind": OddsBet(
            base=law("dont_pass", "3.1f"),
            numbers=law(POINTS, "3.1f"),
            limit=law(Limit(1, "winnings"), "3.1f-i"),
            wins_on=law(SEVEN, "3.1f-ii"),
            loses_on=law(NUMBER, "3.1f-iii"),
            returned=law("base taken", "3.1f-iii", "3.6"),
            pays=by_pairs(to(1, 2), to(2, 3), to(5, 6), "6.1-pay-behind-dp"),
        ),
        "come_odds": OddsBet(
            base=law("come", "3.1g"),
            numbers=law(POINTS, "3.1g"),
            limit=law(Limit(1, "stake"), "3.1g-i"),
            wins_on=law(NUMBER, "3.1g-ii"),
            loses_on=law(SEVEN, "3.1g-iii"),
            returned=law("base decided while off", "3.8a", "3.1g-iii"),
            pays=by_pairs(to(2), to(3, 2), to(6, 5), "6.1-pay-odds-come"),
        ),
        "dont_come_behind": OddsBet(
            base=law("dont_come", "3.1h"),
            numbers=law(POINTS, "3.1h"),
            limit=law(Limit(1, "winnings"), "3.1h-i"),
            wins_on=law(SEVEN, "3.1h-ii"),
            loses_on=law(NUMBER, "3.1h-iii"),
            returned=law("base taken", "3.1h-iii", "3.7"),
            pays=by_pairs(to(1, 2), to(2, 3), to(5, 6), "6.1-pay-behind-dc"),
        ),
    }


# ---------------------------------------------------------------- 3.1(i) to (n): a number against the seven


def each_way(line: str, odds: Mapping[int, Odds]) -> dict[int, Law[Odds]]:
    return {number: law(pays, f"{line}-{number}") for number, pays in odds.items()}


def number_bets() -> dict[str, Bet]:
    true_odds = {4: to(2), 5: to(3, 2), 6: to(6, 5), 8: to(6, 5), 9: to(3, 2), 10: to(2)}
    laid_odds = {4: to(1, 2), 5: to(2, 3), 6: to(5, 6), 8: to(5, 6), 9: to(2, 3), 10: to(1, 2)}
    return {
        "place": NumberBet(
            placed=law("any time", "3.1i"),
            numbers=law(POINTS, "3.1i"),
            wins_on=law(NUMBER, "3.1i-i"),
            loses_on=law(SEVEN, "3.1i-ii"),
            pays=each_way(
                "6.1-pay-place", {4: to(9, 5), 5: to(7, 5), 6: to(7, 6), 8: to(7, 6), 9: to(7, 5), 10: to(9, 5)}
            ),
            commission=absent,
        ),
        "buy": NumberBet(
            placed=law("any time", "3.1j"),
            numbers=law(POINTS, "3.1j"),
            wins_on=law(NUMBER, "3.1j"),
            loses_on=law(SEVEN, "3.1j"),
            pays=each_way("6.1-pay-buy", true_odds),
            commission=law(Commission(percent(5), "stake"), "3.1j"),
        ),
        "lay": NumberBet(
            placed=law("any time", "3.1k"),
            numbers=law(POINTS, "3.1k"),
            wins_on=law(SEVEN, "3.1k-i"),
            loses_on=law(NUMBER, "3.1k-ii"),
            pays=each_way("6.1-pay-lay", laid_odds),
            commission=law(Commission(percent(5), "winnings"), "3.1k-tail"),
        ),
        "hardway": NumberBet(
            placed=law("any time", "3.1l"),
            numbers=law(totals(4, 6, 8, 10), "3.1l"),
            wins_on=law(HARD, "3.1l-i"),
            loses_on=law(EASY_OR_SEVEN, "3.1l-ii"),
            pays=each_way("6.1-pay-hard", {4: to(7), 6: to(9), 8: to(9), 10: to(7)}),
            commission=absent,
        ),
        "big_six": NumberBet(
            placed=law("any time", "3.1m"),
            numbers=law(totals(6), "3.1m-i"),
            wins_on=law(NUMBER, "3.1m-i"),
            loses_on=law(SEVEN, "3.1m-ii"),
            pays={6: law(to(1), "6.1-pay-big-six")},
            commission=absent,
        ),
        "big_eight": NumberBet(
            placed=law("any time", "3.1n"),
            numbers=law(totals(8), "3.1n-i"),
            wins_on=law(NUMBER, "3.1n-i"),
            loses_on=law(SEVEN, "3.1n-ii"),
            pays={8: law(to(1), "6.1-pay-big-eight")},
            commission=absent,
        ),
    }


# ---------------------------------------------------------------- 3.1(o) to (u): one roll


def one_roll(letter: str, pays: Mapping[int, Law[Odds]]) -> OneRollBet:
    """Wins on the totals that are paid, loses on all others."""
    wins = frozenset(pays)
    return OneRollBet(
        placed=law("any time", f"3.1{letter}"),
        wins=law(wins, f"3.1{letter}-i"),
        loses=law(TOTALS - wins, f"3.1{letter}-ii"),
        pays=pays,
    )


def one_roll_bets() -> dict[str, Bet]:
    single, double = law(to(1), "6.1-pay-field-1"), law(to(2), "6.1-pay-field-2")
    craps = law(to(7), "6.1-pay-any-craps")
    return {
        "field": one_roll("o", dict.fromkeys((3, 4, 9, 10, 11), single) | dict.fromkeys((2, 12), double)),
        "any_seven": one_roll("p", {7: law(to(4), "6.1-pay-any-seven")}),
        "any_craps": one_roll("q", dict.fromkeys((2, 3, 12), craps)),
        "craps_two": one_roll("r", {2: law(to(30), "6.1-pay-craps-two")}),
        "craps_three": one_roll("s", {3: law(to(15), "6.1-pay-craps-three")}),
        "craps_twelve": one_roll("t", {12: law(to(30), "6.1-pay-craps-twelve")}),
        "eleven": one_roll("u", {11: law(to(15), "6.1-pay-eleven")}),
    }


# ---------------------------------------------------------------- 3.1(v) to (y): several in one


def parts_bets() -> dict[str, Bet]:
    horn = ("craps_two", "craps_three", "craps_twelve", "eleven")
    high = {2: "craps_two", 3: "craps_three", 11: "eleven", 12: "craps_twelve"}
    wins, with_seven = totals(2, 3, 11, 12), totals(2, 3, 7, 11, 12)
    return {
        "horn": PartsBet(
            placed=law("any time", "3.1v"),
            units=law(4, "3.1v"),
            high=absent,
            divided=law(False, "6.2"),
            wins=law(wins, "3.1v-i"),
            loses=law(TOTALS - wins, "3.1v-ii"),
            parts=law(horn, "6.2"),
        ),
        "horn_high": PartsBet(
            placed=law("any time", "3.1w"),
            units=law(5, "3.1w-i"),
            high=law(high, "3.1w-i"),
            divided=law(False, "3.1w-i"),
            wins=law(wins, "3.1w-ii"),
            loses=law(TOTALS - wins, "3.1w-iii"),
            parts=law(horn, "6.2"),
        ),
        "world": PartsBet(
            placed=law("any time", "3.1x"),
            units=law(5, "3.1x-i"),
            high=absent,
            divided=law(False, "3.1x-i"),
            wins=law(with_seven, "3.1x-ii"),
            loses=law(TOTALS - with_seven, "3.1x-iii"),
            parts=law((*horn, "any_seven"), "6.3"),
        ),
        "c_and_e": PartsBet(
            placed=law("any time", "3.1y"),
            units=law(2, "3.1y-i"),
            high=absent,
            divided=law(True, "3.1y-i"),
            wins=law(wins, "3.1y-ii"),
            loses=law(TOTALS - wins, "3.1y-iii"),
            parts=law(("any_craps", "eleven"), "6.4"),
        ),
    }


# ---------------------------------------------------------------- the dice, the shooter, the ceremonies


def scripts() -> Mapping[str, Script]:
    """What staff do, in order: with new dice, at each change of shooter, at each throw, with dice off the table."""
    return {
        "new dice": (
            *inspected_twice(law, "4.2"),
            law(Act("put in bowl"), "4.2"),
        ),
        "first shooter": (
            law(Act("offer the set", STICKPERSON), "4.3"),
            law(Act("choose two dice", "shooter"), "4.4"),
            law(Act("bowl before the stickperson"), "4.4"),
        ),
        "next shooter": (
            law(Act("offer the set"), "5.9"),
            law(Act("choose two dice", "shooter"), "5.10"),
            law(Act("bowl before the stickperson"), "5.10"),
        ),
        "throw": (
            law(Act("call the total", STICKPERSON, kind=ActKind("call")), "5.5a"),
            law(Act("gather the dice", STICKPERSON), "5.6"),
            law(Act(SETTLE), "5.7"),
            law(Act("pass the dice", STICKPERSON), "5.7"),
        ),
        "off the table": (
            law(Act("search"), "4.5a"),
            law(Act("offer the rest"), "4.5b"),
            law(Act("choose dice again", "shooter"), "4.5b"),
            law(Act("inspect what was found", GAME_SUPERVISOR, "found"), "4.5c"),
            law(Act("return what was found", GAME_SUPERVISOR, "found"), "4.5c"),
        ),
    }


def shooter() -> ShooterRules:
    line = kinds("pass", "dont_pass")
    return ShooterRules(
        throws=law("shooter", "5.2"),
        to_begin=law(line, "5.1"),
        to_go_on=law(line, "5.3"),
        may_pass=law(True, "5.8"),
        must_pass=law(True, "5.8a"),
        ordered=law(kinds("delay", "invalid_rolls", "breach"), "5.8b"),
        offered=law(("accept_dice", "decline_dice"), "5.9"),
        first_offer=law(0, "4.3"),
        next_offer=law(1, "5.9a"),
        others=law(True, "5.9b"),
        nobody=law(STICKPERSON, "5.11"),
    )


def nz1996() -> CrapsRules:
    """Gazette No. 7 of 26 January 1996, Division X."""
    bets = line_bets() | odds_bets() | number_bets() | one_roll_bets() | parts_bets()
    supervisors = kinds(STICKPERSON, GAME_SUPERVISOR)
    managers_over = law(supervisors | {CASINO_SUPERVISOR}, "7.7")
    limits = ("3.1e-i", "3.1f-i", "3.1g-i", "3.1h-i")
    return CrapsRules(
        no_point=law(0, "1.0-def-come-out-roll"),
        points=law(POINTS, "1.0-def-come-out-point"),
        seven=law(7, "1.0-def-7-out"),
        puck=law(("Off", "On"), "2.4d"),
        permitted=law(frozenset(bets), "3.1"),
        bets=bets,
        double_odds=law(choice(False, True), *limits),
        doubled=law(2, *limits),
        confirmers=law(kinds(DEALER, GAME_SUPERVISOR), "3.2"),
        removal=law("held", "3.5"),
        switched=law(kinds("place", "buy", "come_odds", "hardway"), "3.8"),
        off_on_come_out=law(True, "3.8a"),
        covers_similar=law(kinds("on"), "3.8a"),
        calls=law(kinds("on", "off"), "3.8b"),
        marked_by=law(kinds(DEALER, GAME_SUPERVISOR), "3.8a"),
        markers=law(kinds("off", "on", "lay", "buy"), "2.4c"),
        commission_back=law(True, "3.10"),
        charged=law(kinds("buy", "lay"), "3.11"),
        over_maximum=law("excess void", "NZ1996-I-14.2b"),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        dice=DiceRules(
            count=law(5, "4.1", "2.3"),
            face_mm=law(15, "2.3"),
            opposite=law(7, "2.3"),
            unpredictable=law(NOBODY_KNOWS, "2.3c"),
            outcomes=law(DICE_TWO, "2.3", "2.3a", "2.3b"),
            kept=law(2, "4.4", "5.10"),
            thrown=law(2, "5.5b", "5.5", "1.0-def-total"),
            lost=law(2, "4.5d", "4.5"),
            told=law("notify_government_inspector", "4.5e"),
        ),
        shooter=shooter(),
        caller=law(STICKPERSON, "1.0-def-stickperson"),
        called=law("binds", "5.5a"),
        late_call=law("late", "7.4"),
        overrules={
            GAME_SUPERVISOR: law(kinds(STICKPERSON), "7.5"),
            CASINO_SUPERVISOR: law(supervisors, "7.6"),
            SHIFT_MANAGER: managers_over,
            CASINO_MANAGER: managers_over,
        },
        irregularities=irregularities(law),
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
        scripts=scripts(),
    )


EDITIONS: Mapping[str, Mapping[str, CrapsRules]] = {"nz1996": {"craps": nz1996()}}
