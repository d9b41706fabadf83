"""The ceremonies of Division II, parts 4 to 7: their acts in order, and the measures of shuffle and cut."""

from __future__ import annotations

from fractions import Fraction

from croupier.ceremony import Act, Order, Script, calling, inspected_twice, kind_of_act
from croupier.game.kinds import MIX, NO_MORE_BETS, ActKind
from croupier.games.blackjack.rules import BlackjackCeremony, BlackjackRules
from croupier.law.model import Citer
from croupier.law.officials import (
    CASINO_MANAGER,
    CASINO_SUPERVISOR,
    DEALER,
    EMPLOYEE,
    GAME_SUPERVISOR,
    PLAYER,
    SHIFT_MANAGER,
)

MANAGERS = (CASINO_MANAGER, SHIFT_MANAGER)
TELL_OF_LIMIT = "tell inspector of late players held to the minimum"
PAY, COLLECT = "pay and take", "collect cards"
REMOVE_BLACKJACKS, REMOVE_EVEN_MONEY = "remove paid blackjacks", "remove even money hands"

SHUFFLE = Act("shuffle", kind=MIX)
CUT = Act("cut", kind=ActKind("cut"))
BESIDE_THE_LAW = (SHUFFLE, CUT)
"""What is due for one of several reasons, and so stands in no script."""


def kind(rules: BlackjackRules, act: str) -> ActKind:
    """What an act is."""
    return kind_of_act(act, rules.ceremony, BESIDE_THE_LAW)


def ceremony(law: Citer) -> BlackjackCeremony:
    """Everything around the play."""
    return BlackjackCeremony(
        round_ends_with=law("put cards in discard rack", "1.0-def-round"),
        spoken_needs_chips=law(True, "4.4"),
        shoe_holds=law(range(4, 9), "2.4a"),
        opening=opening(law),
        shuffles={
            "start": law("at once", "6.1a", "6.1"),
            "cutting card first": law("at once", "6.1b", "7.9"),
            "cutting card": law("after the round", "6.1c", "7.8"),
            "vacant": law("at once", "6.1d"),
            "discards": law("at once", "15.10"),
        },
        offer=law(("cut", "decline"), "6.2"),
        cutter={
            "start": law("first to arrive", "6.7a"),
            "box": law("box of the cutting card", "6.7b"),
            DEALER: law("farthest right", "6.7c"),
            "new cards": law("farthest left", "6.7d"),
        },
        cutter_otherwise=law("box due the next card", "6.7"),
        declined=law("clockwise", "6.8"),
        all_declined=law(EMPLOYEE, "6.8"),
        cut_from_ends=law(52, "6.3"),
        cutting_card_from_back=law(78, "6.4"),
        about=law(13, "6.4"),
        deepest=law(Fraction(1, 2), "6.5"),
        loading=loading(law),
        calls=(
            law(Act("put smaller chips on top"), "4.3"),
            law(calling(NO_MORE_BETS.of), "7.2"),
        ),
        against_ace=(
            law(calling("Insurance", when="insurance offered"), "9.2a"),
            law(Act("sweep insurance line", when="insurance offered"), "9.2b"),
        ),
        paid_early=(
            law(Act(REMOVE_BLACKJACKS, when="blackjack paid at once"), "8.1"),
            law(Act(REMOVE_EVEN_MONEY, when="even money paid to all of a box"), "8.3"),
        ),
        ending=(
            law(Act(PAY), "4.8"),
            law(Act(COLLECT), "7.7a", "7.7"),
            law(Act("put cards in discard rack"), "7.7b"),
        ),
        orders=(
            law(Order("reopen wagers", (GAME_SUPERVISOR, CASINO_SUPERVISOR), "before the first card"), "4.2"),
            law(Order("take up winnings", (PLAYER,), "winners paid"), "4.8"),
            law(Order("direct cutting card", MANAGERS, "inspector told"), "6.5"),
            law(Order("tell inspector", (*MANAGERS, CASINO_SUPERVISOR)), "6.5"),
            law(Order(TELL_OF_LIMIT, (*MANAGERS, CASINO_SUPERVISOR), "late entry restricted"), "4.9-tail"),
            law(Order("replace cards", MANAGERS, "between rounds", ActKind("renew")), "6.9"),
            law(Order("see burned card", (PLAYER,), "card burned"), "7.1"),
        ),
        announces={
            "turn": law("{}: {}", "7.4"),
            "card": law("{}: {}", "7.5"),
            DEALER: law("dealer: {}", "7.6"),
        },
        collects=law("from the right", "7.7a", "7.7"),
        dealer_cards=law("under", "7.7b"),
        entry_rounds=law(1, "4.9a"),
        entry_gap=law(1, "4.9b"),
    )


def opening(law: Citer) -> Script:
    """Cards brought to the table: checked twice, shown to the first players, washed, stacked and riffled."""
    return (
        law(Act("advise inspector", when="new cards"), "6.9"),
        *inspected_twice(law, "5.1"),
        law(Act("spread for players"), "5.2"),
        law(Act("turn face down"), "5.3"),
        law(Act("wash", kind=MIX), "5.3a"),
        law(Act("stack"), "5.3b"),
        law(Act("riffle", kind=MIX), "5.3c"),
    )


def loading(law: Citer) -> Script:
    """After the cut: the cutting card, the shoe, and the burn where the operator elected it."""
    return (
        law(Act("insert cutting card", when="whole stack", kind=ActKind("insert")), "6.4"),
        law(Act("second cutting card at the back", when="two cutting cards"), "6.4"),
        law(Act("load"), "6.6"),
        law(Act("burn face down", when="burn elected", kind=ActKind("burn down")), "7.1"),
    )
