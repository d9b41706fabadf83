"""Tai-sai in the New Zealand Gazette No. 7 of 26 January 1996: Division VI."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from croupier.ceremony import Act, Order, calling
from croupier.equipment import DICE_THREE, NOBODY_KNOWS
from croupier.game import Remedy, Rounding
from croupier.game.kinds import AS_DETAILED, NO_MORE_BETS
from croupier.games.single_draw.play import ACROSS, NO_SPIN, Common, DrawCase
from croupier.games.single_draw.procedure import COLLECT, COLLECTED, PAY, PAY_AREA, DrawCeremony
from croupier.games.tai_sai.rules import (
    AMEND,
    ENTRY,
    ENTRY_WRONG,
    KEYS,
    TUMBLE,
    UNCOVER,
    Bet,
    CountBet,
    DicePairBet,
    RangeBet,
    TaiSaiRules,
    TotalBet,
)
from croupier.law.model import Citer, Law, absent, cites
from croupier.law.officials import CASINO_SUPERVISOR, DEALER, GAME_SUPERVISOR, LADDER, OPERATOR
from croupier.money import Odds, to

SIX: Final = range(1, 7)
TOTALS: Final = range(3, 19)


def nz1996() -> TaiSaiRules:
    """Division VI: the values in the order of the rules object."""
    law = cites("NZ1996-VI")
    bets = _bets(law)
    return TaiSaiRules(
        dice=law(DICE_THREE, "2.6", "2.6a", "2.6b"),
        die=law(SIX, "2.5e"),
        opposite_faces=law(7, "2.5e"),
        number_of_dice=law(3, "2.5e"),
        uppermost=law(1, "3.3"),
        keys=law(SIX, "2.5f-i", "2.5f"),
        led=law(3, "2.5f-iii"),
        lights=law(True, "2.4"),
        marked=law(("small", "double", "triple", "any_triple", "big", "total", "combination", "face"), "2.3"),
        permitted=law(frozenset(bets), "3.1", "NZ1996-I-14.1a"),
        bets=bets,
        within=law(ACROSS, "3.6"),
        common=_common(law),
        spins=law(3, "6.1"),
        multiples=law({1: "", 2: "double", 3: "triple"}, "6.4"),
        sealed=law("seal untouched", "5.0d"),
        rectified=law(("rectified", "safe procedures introduced"), "7.7"),
        ceremony=_ceremony(law),
    )


def _bets(law: Citer) -> dict[str, Bet]:
    """The eight kinds, (a) to (h)."""

    def ranged(item: str, first: int, last: int, triples: range, pay: str) -> RangeBet:
        return RangeBet(
            totals=law(range(first, last + 1), f"3.1{item}", f"3.1{item}-i"),
            not_by_triple=law(triples, f"3.1{item}-ii"),
            loses=law(TOTALS, f"3.1{item}-ii"),
            pays=law(to(1), f"4.0-pay-{pay}", "4.0"),
        )

    def counted(
        item: str, *dice: range, lost: str, pays: Mapping[int, Law[Odds]], any_number: bool = False
    ) -> CountBet:
        romans = ("i", "ii")[: len(dice)]
        return CountBet(
            numbers=law(SIX, f"3.1{item}"),
            any_number=any_number,
            dice=tuple(law(n, f"3.1{item}-{r}") for n, r in zip(dice, romans, strict=True)),
            loses=law(TOTALS, f"3.1{item}-{lost}"),
            pays=pays,
        )

    double = law(to(11), "4.0-pay-double", "4.0")
    ladder = ((4, 62), (5, 31), (6, 18), (7, 12), (8, 8), (9, 7), (10, 6))
    by_total = {low: law(to(odds), f"4.0-pay-total-{low}-{21 - low}", "4.0") for low, odds in ladder}
    return {
        "small": ranged("a", 4, 10, range(2, 4), "small"),
        "big": ranged("b", 11, 17, range(4, 6), "big"),
        "triple": counted("c", range(3, 4), lost="ii", pays={3: law(to(180), "4.0-pay-triple", "4.0")}),
        "double": counted("d", range(2, 3), range(3, 4), lost="iii", pays={2: double, 3: double}),
        "any_triple": counted(
            "e", range(3, 4), lost="ii", pays={3: law(to(31), "4.0-pay-any-triple", "4.0")}, any_number=True
        ),
        "total": TotalBet(
            totals=law(range(4, 18), "3.1f", "3.1f-i", "1.0-def-total"),
            loses=law(TOTALS, "3.1f-ii"),
            pays={total: by_total[min(total, 21 - total)] for total in range(4, 18)},
        ),
        "combination": DicePairBet(
            pairs=law(tuple(combinations(SIX, 2)), "3.1g"),
            both=law(2, "3.1g-i"),
            loses=law(TOTALS, "3.1g-ii"),
            pays=law(to(6), "4.0-pay-combination", "4.0"),
        ),
        "face": counted(
            *("h", range(1, 4)),
            lost="ii",
            pays={dice: law(to(odds), f"4.0-pay-single-{dice}", "4.0") for dice, odds in ((1, 1), (2, 2), (3, 12))},
        ),
    }


def _common(law: Citer) -> Common:
    void = DrawCase("any time", Remedy.VOID_ROUND, call=NO_SPIN, voids="round")
    early = DrawCase("betting open", Remedy.VOID_ROUND, call=NO_SPIN, voids="round")
    broken = DrawCase("any time", Remedy.VOID_ROUND, call=NO_SPIN, voids="round", then="malfunction")
    return Common(
        unpredictable=law(NOBODY_KNOWS, "2.6c"),
        closing=law("No more bets", "3.9"),
        settled=law(True, "3.8", "3.2"),
        over_maximum=law("excess void", "NZ1996-I-14.2b"),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        irregularities={
            "die_not_flat": (law(void, "7.1"),),
            "tumbler_fault": (law(broken, "7.2"),),
            "dice_exposed": (law(early, "7.3"),),
            "not_tumbled": (law(void, "7.4"),),
            "lights_wrong": (law(DrawCase("result known", Remedy.STAND, then="malfunction"), "7.6"),),
            "wrong_numbers_entered": (law(DrawCase("result known", Remedy.AGAIN, (GAME_SUPERVISOR,)), "6.7"),),
            "straddling_chip": (
                law(DrawCase("betting open", Remedy.AGAIN), "3.6"),
                law(DrawCase("betting closed", Remedy.VOID_WAGER, voids="wager"), "3.6"),
            ),
        },
        unannounced=law(frozenset({"die_not_flat", "tumbler_fault", "dice_exposed", "not_tumbled"}), "7.5"),
        at_rest=absent,
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
    )


def _ceremony(law: Citer) -> DrawCeremony:
    supervisor = CASINO_SUPERVISOR
    anybody = (OPERATOR, *LADDER)
    return DrawCeremony(
        scripts={
            "opening": (
                law(Act("switch on electronics", supervisor), "5.0a", "5.0"),
                law(Act("test lights", supervisor), "5.0b"),
                law(Act("test tumbler", supervisor), "5.0c"),
                law(Act("check seal", supervisor), "5.0d"),
            ),
            "malfunction": (
                law(Act("notify inspector", OPERATOR), "7.7"),
                law(Act("restore", OPERATOR), "7.7"),
            ),
            "spin": (
                law(Act(TUMBLE), "6.1"),
                law(calling("Place your bets"), "6.1"),
                law(calling(NO_MORE_BETS.of), "6.2"),
                law(Act("ring bell"), "6.2"),
                law(Act(UNCOVER), "6.3"),
            ),
            "result": (
                law(Act("announce", kind=AS_DETAILED), "6.3", "6.4"),
                law(Act(KEYS), "6.5a", "6.5"),
                law(Act(ENTRY), "6.5b", "2.5f-ii"),
                law(Act(AMEND, GAME_SUPERVISOR, ENTRY_WRONG), "6.7"),
                law(Act(COLLECT), "6.6a", "6.6"),
                law(Act(PAY), "6.6b"),
            ),
        },
        orders=(law(Order(PAY_AREA, (DEALER,), COLLECTED), "6.6b"),),
        shared={"notify inspector": law(anybody, "7.7"), "restore": law(anybody, "7.7")},
        hands_off=law(True, "6.8"),
        opens=law(calling("Place your bets").act, "6.1"),
        reopens=law(PAY, "6.9"),
        untouched=law(True, "3.10"),
        own_paid=absent,
        spins=TUMBLE,
    )


EDITIONS: Mapping[str, Mapping[str, TaiSaiRules]] = {"nz1996": {"tai_sai": nz1996()}}
