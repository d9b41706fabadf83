"""The acts of staff in Caribbean stud, in the order of the gazette: parts 5 to 9, 11 and 14.

Each script is for one moment of the round; those of a single hand are written once and used for each box.  Acts on a
jackpot chip are for manual mode, because in electronic mode the wager is in the jackpot already.  A hand that wins the
jackpot keeps its cards on the table until it is paid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.ceremony import Act, Order, Orders, Script, calling, kind_of_act
from croupier.game.kinds import MIX, NO_MORE_BETS, ActKind
from croupier.games.caribbean_stud.rules import ANTE, BET, JACKPOT, StudCeremony, StudRules
from croupier.law.model import Citer
from croupier.law.officials import CASINO_MANAGER, EMPLOYEE, GAME_SUPERVISOR, INSPECTOR, SHIFT_MANAGER

PLAYER = "player of box {box}"
INSPECT = "sort and inspect deck {deck}"
SHUFFLE = "shuffle the cards"
CUT = "cut the cards once"
LOAD = "set the cards on the cutting card and load the shoe"
REPLACE = "replace the cards"
NOTIFY = "notify the inspector of new cards"
CHECK = "check the deck"
VERIFY = "count the deck that is checked"
VACANT = "leave the table vacant"
COLLECTED = "count the deck that was collected"
TURN_UP = "turn up the bottom card"
ENGLISH, SILENCE, APART = "speak English only", "be silent while a hand is in progress", "keep suspected players apart"
MISDEALT = "return antes and bets, keep jackpot wagers, collect the cards"
SETTLES: Final[Mapping[str, tuple[str, ...]]] = {
    "collect the ante of box {box}": (ANTE,),
    "pay the ante of box {box}": (ANTE,),
    "pay the bet of box {box}": (BET,),
    "return the bet of box {box}": (BET,),
    "collect the ante and the bet of box {box}": (ANTE, BET),
    "collect the wagers and the cards of box {box}": (ANTE, BET, JACKPOT),
    "collect the jackpot wager of box {box}": (JACKPOT,),
    "pay the jackpot of box {box}": (JACKPOT,),
    MISDEALT: (ANTE, BET),
}
"""The acts with which money moves, and that of which wagers."""
COUNTED = ActKind("count", what="deck")
HAND_COUNTED = ActKind("count", "{box}", "hand")
BESIDE_THE_LAW = (Act(VERIFY, kind=COUNTED),)
"""What follows from an order, and so stands in no script."""
NOT_QUALIFIED = "announce that the dealer does not qualify"


def kind(rules: StudRules, act: str) -> ActKind:
    """What an act is."""
    return kind_of_act(act, rules.ceremony, BESIDE_THE_LAW)


def ceremony(law: Citer) -> StudCeremony:
    return StudCeremony(
        scripts={**_before(law), **_hands(law), **_showdown(law)},
        orders=_orders(law),
        shuffles={
            "start": law("before play", "6.1a", "6.1"),
            "round": law("after every round", "6.1b"),
            "vacant": law("after a vacancy", "6.1c"),
            "stray": law("once all cards are collected", "14.7"),
        },
        players_cut=law(False, "6.3"),
    )


def _before(law: Citer) -> Mapping[str, Script]:
    """Opening the table, and each round up to the players' choice."""
    return {
        "opening": (
            law(Act(INSPECT), "5.1"),
            law(Act(f"{INSPECT} again", GAME_SUPERVISOR, apart=INSPECT), "5.1"),
            law(Act("fan the cards face up by suit"), "5.2"),
            law(Act("turn down, stack and shuffle the cards", when="shoe", kind=MIX), "5.3"),
            law(Act("wash, stack and shuffle deck {deck}", when="shuffler", kind=MIX), "5.4a", "5.4"),
            law(Act("load deck {deck} for the machine to shuffle", when="shuffler"), "5.4b"),
            law(Act("link the meter and the lights", when="electronic"), "2.4"),
        ),
        "before the deal": (
            law(Act(COLLECTED, when="stray", kind=COUNTED), "14.7"),
            law(Act(SHUFFLE, kind=MIX), "6.1"),
            law(Act(CUT, EMPLOYEE, when="shoe"), "6.2"),
            law(Act(LOAD, EMPLOYEE, when="shoe"), "6.2"),
            law(Act("offer the jackpot", when="jackpot"), "4.1b"),
            law(calling(NO_MORE_BETS.of, when="antes"), "7.1a", "7.1"),
        ),
        "after the deal": (
            law(Act(TURN_UP, when=("shuffler", "none up")), "7.4-tail"),
            law(Act("put the rest of the deck in the discard rack"), "4.4"),
        ),
    }


def _hands(law: Citer) -> Mapping[str, Script]:
    """Hands that leave the round, and rounds that come to nothing."""
    return {
        "fold": (
            law(Act("collect the jackpot wager of box {box}", when=("manual", "entered")), "8.2a", "8.2"),
            law(Act("collect the ante of box {box}"), "8.2b"),
            law(Act("collect the cards of box {box}"), "8.2c"),
            law(Act("spread the cards of box {box} face down"), "8.2d"),
            law(Act("count the cards of box {box}", kind=HAND_COUNTED), "8.2e"),
            law(Act("discard the cards of box {box}"), "8.2f"),
        ),
        "stray hand": (law(Act("count and discard stray hand {box}", kind=HAND_COUNTED), "14.8"),),
        "dead hand": (law(Act("collect the wagers and the cards of box {box}"), "14.1"),),
        "misdeal": (law(Act(MISDEALT), "14.10"),),
    }


def _showdown(law: Citer) -> Mapping[str, Script]:
    collect = Act("collect the jackpot wager of box {box}", when=("manual", "entered", "no claim"))
    count = Act("count and discard the cards of box {box}", when="no claim", kind=HAND_COUNTED)
    return {
        "reveal": (law(Act("turn the dealer's cards and declare the hand"), "8.3"),),
        "no hand": (law(Act(NOT_QUALIFIED), "9.2"),),
        "unqualified": (
            law(collect, "9.2"),
            law(Act("pay the ante of box {box}"), "9.2a"),
            law(Act("return the bet of box {box}"), "9.2-tail"),
            law(count, "9.2b"),
        ),
        "show": (
            law(Act("declare the hand of box {box}", PLAYER, kind=ActKind("declare", "{box}")), "13.4"),
            law(Act("arrange the cards of box {box}"), "9.4a"),
            law(Act("compare box {box} with the dealer's hand"), "9.4b"),
            law(Act("announce the value and the result of box {box}", kind=ActKind("announce", "{box}")), "9.4c"),
        ),
        "lose": (
            law(collect, "9.7a", "9.7"),
            law(Act("collect the ante and the bet of box {box}"), "9.7b"),
            law(count, "9.7c"),
        ),
        "win": (
            law(collect, "9.8a", "9.8"),
            law(Act("pay the ante of box {box}"), "9.8b"),
            law(Act("pay the bet of box {box}"), "9.8c"),
            law(count, "9.8d"),
        ),
        "stand off": (law(collect, "9.9"), law(count, "9.9")),
        "jackpot": (
            law(Act("verify the hand of box {box} and notify the game supervisor"), "11.10", "9.10"),
            law(Act("count the deck for box {box}", kind=COUNTED), "11.11"),
            law(Act("pay the jackpot of box {box}", kind=ActKind("pay jackpot", "{box}")), "11.7"),
            law(Act("collect the paid jackpot wager of box {box}", when="manual"), "11.7"),
            law(Act("count and discard the cards of box {box}", kind=HAND_COUNTED), "9.3"),
        ),
    }


def _orders(law: Citer) -> Orders:
    managers = (CASINO_MANAGER, SHIFT_MANAGER)
    return (
        law(Order(CHECK, (*managers, INSPECTOR), kind=COUNTED), "6.4"),
        law(Order(NOTIFY, managers), "6.5"),
        law(Order(REPLACE, managers, when=("between rounds", "inspector told")), "6.5"),
        law(Order(ENGLISH, managers), "14.2a", "14.2"),
        law(Order(SILENCE, managers), "14.2b"),
        law(Order(APART, managers), "14.2c"),
        law(Order(VACANT, ("dealer",), when="between rounds"), "6.1c"),
    )
