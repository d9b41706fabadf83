"""Caribbean stud as the gazette of 1996 has it: Division VIII.

Where the text is open the value follows the reading in force: five rotating passes (7.3), seven places and at most nine
(2.1), the cap per bet (10.2), one base for all straight flushes (12.2b).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.equipment import RANKS
from croupier.game import Rounding
from croupier.games.caribbean_stud.hands import (
    ANY,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    ODD_CARDS,
    ONE_PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIRS,
    Combination,
    Ranking,
)
from croupier.games.caribbean_stud.irregular import table
from croupier.games.caribbean_stud.rules import (
    ANTE,
    BET,
    FOLD,
    JACKPOT,
    DealStep,
    JackpotPrize,
    JackpotRules,
    StudRules,
    Together,
    Verdict,
    Verdicts,
)
from croupier.games.caribbean_stud.scripts import ceremony
from croupier.law.elections import Options, choice
from croupier.law.links import ELECTRONIC, MANUAL, SHOE, SHUFFLER
from croupier.law.model import Citer, Law, cites
from croupier.law.officials import CASINO_SUPERVISOR, GAME_SUPERVISOR, INSPECTOR
from croupier.money import Odds, percent, to

WIN: Verdict = "win"
LOSE: Verdict = "lose"
STAND_OFF: Verdict = "stand off"
VOID: Verdict = "void"

SINGLES = (1, 1, 1, 1, 1)
FROM_THE_TOP = (0, 1, 2, 3, 4)


def ranking(law: Citer) -> Ranking:
    """Part 13: the classes from lowest to highest, what each asks for, and what decides between equals.

    The groups compared are those of the hand laid out with its largest group first: of 9-9-4-4-K the nines, the fours
    and the king.  One royal flush is as good as another.
    """
    return Ranking(
        high_to_low=law(("A", *reversed(RANKS[1:])), "3.2", "13.2"),
        line=law((*RANKS, "A"), "13.1e"),
        order=law(
            (
                *(ODD_CARDS, ONE_PAIR, TWO_PAIRS, THREE_OF_A_KIND, STRAIGHT),
                *(FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH),
            ),
            "13.1",
        ),
        combinations={
            ODD_CARDS: law(Combination(SINGLES), "13.1a"),
            ONE_PAIR: law(Combination((2, 1, 1, 1)), "13.1b"),
            TWO_PAIRS: law(Combination((2, 2, 1)), "13.1c"),
            THREE_OF_A_KIND: law(Combination((3, 1, 1)), "13.1d"),
            STRAIGHT: law(Combination(SINGLES, sequence=ANY), "13.1e"),
            FLUSH: law(Combination(SINGLES, suited=True), "13.1f"),
            FULL_HOUSE: law(Combination((3, 2)), "13.1g"),
            FOUR_OF_A_KIND: law(Combination((4, 1)), "13.1h"),
            STRAIGHT_FLUSH: law(Combination(SINGLES, sequence=ANY, suited=True), "13.1i"),
            ROYAL_FLUSH: law(Combination(SINGLES, sequence="A", suited=True), "13.1j"),
        },
        compares={
            ODD_CARDS: law(FROM_THE_TOP, "13.3d"),
            ONE_PAIR: law((0, 1, 2, 3), "13.3c"),
            TWO_PAIRS: law((0, 1, 2), "13.3b"),
            THREE_OF_A_KIND: law((0, 1, 2), "13.3"),
            STRAIGHT: law((0,), "13.3a"),
            FLUSH: law(FROM_THE_TOP, "13.1f"),
            FULL_HOUSE: law((0, 1), "13.1g"),
            FOUR_OF_A_KIND: law((0, 1), "13.3"),
            STRAIGHT_FLUSH: law((0,), "13.3a"),
            ROYAL_FLUSH: law((), "13.1j"),
        },
    )


def dealing(law: Citer) -> Mapping[str, tuple[Law[DealStep], ...]]:
    """From a shoe one card at a time in five passes, from a shuffler five at a time."""
    later = (law(DealStep("boxes", 1), "7.3c"), law(DealStep("dealer", 1), "7.3d"))
    return {
        SHOE: (
            law(DealStep("boxes", 1), "7.3a", "7.3"),
            law(DealStep("dealer", 1), "7.3b"),
            *later,
            *later,
            *later,
            *later,
        ),
        SHUFFLER: (law(DealStep("boxes", 5), "7.4a", "7.4"), law(DealStep("dealer", 5), "7.4b")),
    }


def bet_pays(law: Citer) -> Mapping[str, Law[Odds]]:
    """The table of 10.1 for the bet."""
    return {
        ODD_CARDS: law(to(1), "10.1-pay-pair-or-less", "10.1"),
        ONE_PAIR: law(to(1), "10.1-pay-pair-or-less", "10.1"),
        TWO_PAIRS: law(to(2), "10.1-pay-two-pairs"),
        THREE_OF_A_KIND: law(to(3), "10.1-pay-three-kind"),
        STRAIGHT: law(to(4), "10.1-pay-straight"),
        FLUSH: law(to(5), "10.1-pay-flush"),
        FULL_HOUSE: law(to(7), "10.1-pay-full-house"),
        FOUR_OF_A_KIND: law(to(20), "10.1-pay-four-kind"),
        STRAIGHT_FLUSH: law(to(50), "10.1-pay-straight-flush"),
        ROYAL_FLUSH: law(to(250), "10.1-pay-royal-flush"),
    }


def progressive(law: Citer) -> JackpotRules:
    """Parts 11 and 12, with what parts 2, 4, 8, 9 and 14 say of the jackpot wager."""
    return JackpotRules(
        needs_ante=law(True, "11.1", "4.1-tail"),
        one_amount=law(True, "11.5", "4.2"),
        areas={ELECTRONIC: law("slot", "2.3c-i"), MANUAL: law("area", "2.3c-ii")},
        light=law("while it stands", "2.4c", "4.3", "4.3a"),
        any_dealer=law(True, "11.2", "11.9"),
        shown=law(True, "9.3"),
        prizes={
            ROYAL_FLUSH: law(JackpotPrize(10_000_00, percent(100)), "12.1a", "12.1", "11.6e"),
            STRAIGHT_FLUSH: law(JackpotPrize(1_000_00, percent(10)), "12.1b", "11.6d"),
            FOUR_OF_A_KIND: law(JackpotPrize(500_00), "12.1c", "11.6c"),
            FULL_HOUSE: law(JackpotPrize(150_00), "12.1d", "11.6b"),
            FLUSH: law(JackpotPrize(100_00), "12.1e", "11.6a"),
        },
        together=Together(
            first=law("fixed sums", "12.2a", "12.2"),
            second=law(STRAIGHT_FLUSH, "12.2b"),
            last_sum_cents=law(10_000_00, "12.2c-i", "12.2c"),
            last_share=law(Fraction(1), "12.2c-ii"),
        ),
        chip={
            FOLD: law(True, "8.2a"),
            LOSE: law(True, "9.7a"),
            WIN: law(True, "9.8a"),
            STAND_OFF: law(True, "9.9"),
            "no hand": law(True, "9.2"),
        },
        accepted=law(True, "4.3b"),
        listed_only=law(True, "11.6"),
        kept=law(True, "11.7"),
        no_ante=law(VOID, "14.10", "4.1-tail"),
        by_cheque=law(STRAIGHT_FLUSH, "11.8"),
    )


def nz1996() -> StudRules:
    """Gazette No. 7 of 26 January 1996, Division VIII."""
    law = cites("NZ1996-VIII")
    return StudRules(
        seats=law(choice(7, 1, 2, 3, 4, 5, 6, 8, 9), "2.1"),
        device=law(choice(SHOE, SHUFFLER), "2.5a"),
        decks=law(1, "3.1"),
        decks_at_table={SHOE: law(1, "2.5a-i"), SHUFFLER: law(2, "2.5a-ii")},
        ranking=ranking(law),
        from_left=law(True, "7.1b"),
        dealing=dealing(law),
        last_card_up=law(True, "7.2"),
        bottom_card=law(choice("first", "last"), "7.4-tail"),
        permitted=law((ANTE, JACKPOT), "NZ1996-I-14.1a"),
        ante_first=law(True, "4.1", "4.1a"),
        closing=law("No more bets", "7.1a"),
        antes_bind=law(True, "4.7"),
        decisions_bind=law(True, "4.12"),
        one_hand_each=law(True, "4.10"),
        one_wager_an_area=law(True, "4.11"),
        over_maximum=law("excess void", "NZ1996-I-14.2b"),
        choices=law((FOLD, BET), "8.1", "4.4", "4.4a", "4.4b"),
        bet_of_ante=law(2, "4.6"),
        folded=law(LOSE, "8.2b", "4.5"),
        qualifies=law(("A", "K"), "9.1"),
        inscription=law("Dealer only plays with {} or higher", "2.2"),
        verdicts=Verdicts(
            higher=law(WIN, "9.5a", "9.5"),
            lower=law(LOSE, "9.5b"),
            equal=law(STAND_OFF, "9.5c"),
            face_down=law(LOSE, "9.6"),
        ),
        no_hand=law("dealer does not qualify", "9.2"),
        no_hand_ante=law(to(1), "9.2a"),
        no_hand_bet=law(VOID, "9.2-tail"),
        ante_pays=law(to(1), "10.1-pay-ante"),
        bet_pays=bet_pays(law),
        maximum_payout=law(Options((), ""), "10.2"),
        from_right=law(True, "9.4"),
        rounding=law(Rounding.UP, "NZ1996-I-15.3", "11.8"),
        jackpot=law(choice(True, False), "4.1b"),
        jackpot_mode=law(choice(ELECTRONIC, MANUAL), "2.3c"),
        progressive=progressive(law),
        misdealt=law(JACKPOT, "14.10"),
        stray_cards_or_stray_hand=law(choice("fewer_than_five_or_five", "before_or_after_the_deal"), "14.7", "14.8"),
        irregularities=table(law, GAME_SUPERVISOR),
        disputes=law((GAME_SUPERVISOR, CASINO_SUPERVISOR, INSPECTOR), "NZ1996-I-8.1"),
        ceremony=ceremony(law),
    )


EDITIONS: Mapping[str, Mapping[str, StudRules]] = {"nz1996": {"caribbean_stud": nz1996()}}
