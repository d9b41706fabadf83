"""Blackjack as New Zealand gazetted it in 1996: Division II, part by part.

One edition with one version.  The general rules of Division I stand beside it where it is silent: what is above the
maximum is void, and winnings that chips cannot pay go up to the next amount that they can.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.game import Rounding
from croupier.games.blackjack.ceremonies import ceremony
from croupier.games.blackjack.irregular import table
from croupier.games.blackjack.rules import (
    BOXES,
    INSURANCE,
    MAIN,
    SUPER_SEVENS,
    BlackjackPay,
    BlackjackRules,
    Decision,
    Double,
    Insurance,
    Sharing,
    Split,
    SuperSevens,
)
from croupier.law.elections import choice
from croupier.law.model import Citer, Law, cites
from croupier.law.officials import DEALER, GAME_SUPERVISOR
from croupier.money import to

ACE, TEN = 11, 10
POINTS = (ACE, 2, 3, 4, 5, 6, 7, 8, 9, TEN, TEN, TEN, TEN)
WHOLE, HALF = Fraction(1), Fraction(1, 2)


def nz1996() -> BlackjackRules:
    """Division II of the gazette of 26 January 1996."""
    law = cites("NZ1996-II")
    return BlackjackRules(
        boxes=law(range(1, 8), "2.1"),
        inscriptions={
            "blackjack": law("Blackjack pays {}", "2.3a", "2.3"),
            "dealer": law("Dealer must stand on {} and must draw to {}", "2.3b"),
            "insurance": law("Insurance pays {}", "2.3c"),
        },
        decks=law(choice(8, 7, 6, 5, 4), "3.1"),
        cutting_cards=law(choice(1, 2), "3.1"),
        points=law(POINTS, "3.2", "3.2a", "3.2b"),
        ace_low=law(1, "3.2c", "1.0-def-hard-total", "1.0-def-soft-total"),
        ace_limit=law(21, "3.2c"),
        blackjack=law(frozenset({ACE, TEN}), "1.0-def-blackjack"),
        deal_from=law("left", "7.3"),
        passes=(
            law(BOXES, "7.3a"),
            law(DEALER, "7.3b"),
            law(BOXES, "7.3c", "1.0-def-initial-deal"),
        ),
        decide_from=law("left", "7.4"),
        draws_on=law("hit", "7.5"),
        draw_below=law(21, "12.1a", "12.1"),
        must_reach=law(12, "12.1d"),
        second_card=law("always", "7.6"),
        dealer_stands=law(range(17, 22), "12.3"),
        dealer_spared=law(True, "12.4"),
        permitted=law((MAIN, INSURANCE, SUPER_SEVENS), "4.1"),
        closing=law("the first card is out", "4.2"),
        withdrawn=law(False, "4.6"),
        additions_withdrawn=law(False, "4.7"),
        limit=law(21, "4.1f"),
        decisions=decisions(law),
        bust_taken=law("at once", "12.2"),
        pays=law(to(1), "4.5"),
        over_maximum=law("excess void", "NZ1996-I-14.2b"),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        burn_card=law(choice(False, True), "7.1"),
        super_sevens=law(choice(True, False), "14.1"),
        players_per_box=law(choice(3, 2, 1), "13.1"),
        boxes_per_player=law(choice(7, 6, 5, 4, 3, 2, 1), "13.4"),
        box_maximum=law(choice("none", "box", "player"), "13.2"),
        late_entry_at_minimum=law(choice(False, True), "4.9"),
        dealer_blackjack=law(choice("first_hand", "busted_plus_one", "original_only"), "11.7"),
        blackjacks=BlackjackPay(
            pays=law(to(3, 2), "4.5"),
            at_once=law(frozenset(range(2, 10)), "8.1"),
            waits=law(frozenset({TEN, ACE}), "8.2"),
            even_money=law(to(1), "8.3"),
            even_money_against=law(frozenset({ACE}), "8.3"),
        ),
        insurance=Insurance(
            against=law(frozenset({ACE}), "9.1"),
            wins_on=law(frozenset({TEN}), "9.1"),
            after_cards=law(2, "9.2"),
            part=law(HALF, "9.3"),
            least_is_minimum=law(True, "9.3"),
            before_further_cards=law(True, "9.3"),
            payable=law(True, "9.4"),
            pays=law(to(2), "9.5"),
            taken_at=law(2, "9.6"),
        ),
        double=Double(
            first_cards=law(2, "10.1"),
            totals=law(frozenset({9, 10, 11}), "10.1a"),
            with_ace=law(False, "10.1b"),
            part=law(WHOLE, "10.2"),
            least_is_minimum=law(True, "10.2"),
            cards=law(1, "10.3", "12.1b"),
            pays=law(to(1), "10.4"),
            given_back=law(True, "10.5"),
        ),
        split=Split(
            alike=law("value", "11.1"),
            part=law(WHOLE, "11.2"),
            in_turn=law(True, "11.3"),
            decides=law(True, "11.4"),
            hands=law(3, "11.4a"),
            ace_splits=law(1, "11.4b"),
            ace_cards=law(1, "11.4b", "12.1c"),
            blackjack=law(False, "11.4c"),
            declined_bars=law(True, "11.5"),
            pays=law(to(1), "11.6"),
        ),
        sharing=Sharing(
            seated_alone=law(True, "13.3a", "13.3"),
            nearest=law("seated", "13.3b"),
            others_double=law(True, "13.3c"),
            others_answer=law(("split", "ride"), "13.3d"),
            others_abide=law(True, "13.3e"),
            each_insures=law(True, "13.3f"),
            each_even_money=law(True, "13.3g"),
            decides_elsewhere=law(False, "13.5"),
            minimum_each=law(True, "13.6"),
        ),
        sevens=SuperSevens(
            decks=law(range(6, 9), "3.1"),
            with_main=law(True, "14.2"),
            as_displayed=law(True, "14.3"),
            figure=law(7, "14.4"),
            one=law(to(3), "14.4a"),
            two=law(to(50), "14.4b"),
            two_suited=law(to(100), "14.4c"),
            three=law(to(500), "14.4d"),
            three_suited=law(to(5000), "14.4e"),
            otherwise=law("lose", "14.4f"),
            on_split=law("paid", "14.5"),
            at_once=law(True, "14.6"),
        ),
        ceremony=ceremony(law),
        absent_up_to=law(11, "15.9"),
        deemed_blackjack=law(False, "15.5-tail"),
        void_on_request=law("void", "15.5a"),
        complete_on_request=law("complete", "15.5b"),
        irregularities=table(law),
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
    )


def decisions(law: Citer) -> tuple[Law[Decision], ...]:
    """Rule 4.1 in the order in which its paragraphs are tried: a bust first, then what is special to blackjack."""
    return (
        law(Decision("player over", "lose"), "4.1f"),
        law(Decision("dealer over", "win"), "4.1a"),
        law(Decision("player above", "win"), "4.1b"),
        law(Decision("blackjack against other", "win"), "4.1c"),
        law(Decision("other against blackjack", "lose"), "4.1d"),
        law(Decision("equal", "stand off"), "4.1e"),
        law(Decision("dealer above", "lose"), "4.1g"),
    )


EDITIONS: Mapping[str, Mapping[str, BlackjackRules]] = {"nz1996": {"blackjack": nz1996()}}
