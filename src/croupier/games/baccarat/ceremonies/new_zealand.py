"""The ceremonies of the New Zealand documents: opening, mixing, cut, burn, calls, styles, end of shoe.

Each function is one document; its laws stand in the order in which things happen at the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from croupier.ceremony import Act, Order
from croupier.games.baccarat.ceremonies.parts import (
    BURN_VALUES,
    CASINO_MANAGER,
    CASINO_SUPERVISOR,
    EMPLOYEE,
    GAME_SUPERVISOR,
    INSPECTOR,
    MIXED,
    OPERATOR,
    PLAYER,
    SHIFT_MANAGER,
    SUPERVISORS,
    Roles,
    inspection,
    kept_by_dealer,
    loading,
    mixing,
    opened_by_players,
    settling,
)
from croupier.games.baccarat.rules import Ceremony, CutOffer, Depth
from croupier.law.model import Citer, Law, absent, cites

# ---------------------------------------------------------------- New Zealand 1996


def mini_1996(law: Citer) -> Ceremony:
    """Division IV: cards all up or all down, no role for players."""
    return Ceremony(
        opening=inspection(law, "6.1", "6.2", "6.3"),
        mixing=mixing(law, "6.3a", "6.3b", "6.3c"),
        prepared={},
        cut_offer=law(CutOffer("lowest"), "7.2"),
        cut_by=law(EMPLOYEE, "7.2"),
        cut_depth=law(Depth(52), "7.3"),
        end_depth=law(Depth(20), "7.3"),
        end_fanned=absent,
        loading=loading(law, inserted="7.3", second="7.3", loaded=("7.4",), up="7.4a", down="7.4b", discarded="7.4c"),
        burn_values=law(BURN_VALUES, "7.5"),
        calls=(law(Act("call No more bets"), "8.2"),),
        styles={
            "up": kept_by_dealer(law, law("up", "8.5"), "9.6", shown=("8.5",), control=("3.3",)),
            "down": kept_by_dealer(law, law("down", "8.6"), "9.6", shown=("8.6",), control=("3.3",)),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        last_call=law("Last coup", "9.7"),
        rounds_after=law(1, "9.7", "7.1c"),
        rounds_if_first=law(0, "9.8", "7.1b"),
        after_shoe={"up": law("mix", "7.1", "7.1a"), "down": law("mix", "7.1", "7.1a")},
        style_fixed=law(True, "8.4"),
        free_rounds=absent,
        orders=(
            law(Order("replace cards", (SHIFT_MANAGER, CASINO_MANAGER), "between rounds"), "7.6"),
            law(Order("shuffle after vacancy", ("dealer",), "between rounds"), "7.1d"),
        ),
    )


def full_and_midi_1996(law: Citer, *, cut_from: Literal["lowest", "highest"]) -> Ceremony:
    """Divisions V and IX: styles A, B and C, sealed pre-shuffled cards; the cut starts at different ends."""
    roles: Roles = {
        "banker": law("before deal", "8.10"),
        "player": law("after deal", "8.14"),
    }
    return Ceremony(
        opening=inspection(law, "6.1", "6.2", "6.3"),
        mixing=mixing(law, "6.3a", "6.3b", "6.3c"),
        prepared={"pre-shuffled": (law(Act("open sealed container"), "6.4"),)},
        cut_offer=law(CutOffer(cut_from), "7.3"),
        cut_by=law(EMPLOYEE, "7.3"),
        cut_depth=law(Depth(52), "7.4"),
        end_depth=law(Depth(20), "7.4"),
        end_fanned=absent,
        loading=(
            *loading(law, inserted="7.4", second="7.4", loaded=("7.5",), up="7.5a", down="7.5b", discarded="7.5c"),
            law(Act("notify inspector of Style B", GAME_SUPERVISOR, "style B"), "8.8"),
        ),
        burn_values=law(BURN_VALUES, "7.6"),
        calls=(law(Act("call No more bets"), "8.2"),),
        styles={
            "A": kept_by_dealer(law, law("up", "8.5"), "9.9", shown=("8.6",), control=("8.7", "3.3")),
            "B": opened_by_players(
                law,
                face=("8.13",),
                third=("9.10",),
                puck=("8.11", "2.4d", "8.15"),
                passed=("8.16", "8.17"),
                revealed=("8.18",),
                returned=("8.19",),
                banker=("8.20", "8.21"),
                kept=("8.23",),
                roles=roles,
                order=("8.10", "8.14"),
                apart="8.22",
            ),
            "C": kept_by_dealer(law, law("down", "8.24"), "9.9", shown=("8.25",), control=("8.26",)),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        last_call=law("Last coup", "9.7"),
        rounds_after=law(1, "9.7"),
        rounds_if_first=law(0, "9.8"),
        after_shoe={
            "A": law("mix", "7.1b", "7.1", "7.1a"),
            "B": law("replace", "11.1", "11.2", "7.1-tail"),
            "handled": law("replace", "11.1"),
            "C": law("mix", "7.1b"),
        },
        style_fixed=law(True, "8.4"),
        free_rounds=absent,
        orders=(
            law(Order("replace cards", (SHIFT_MANAGER, CASINO_MANAGER), "between rounds"), "7.7"),
            law(Order("look at pre-shuffled decks", (PLAYER,), "pre-shuffled, before first round"), "7.2a", "7.2"),
            law(Order("require mixing", (PLAYER,), "pre-shuffled, before first round"), "7.2b"),
            law(Order("change style", (INSPECTOR,), "between rounds"), "8.4"),
            law(Order("keep cards with dealer", SUPERVISORS), "8.23"),
        ),
    )


# ---------------------------------------------------------------- New Zealand 1998, and Division 5


def nz1998() -> Ceremony:
    """Gazette No. 12 of 1998: full baccarat in styles A, B and C."""
    law = cites("NZ1998")
    roles: Roles = {
        "banker": law("before deal", "8.7"),
        "player": law("before deal", "8.7"),
    }
    return Ceremony(
        opening=inspection(law, "6.1", "6.2", "6.3"),
        mixing=mixing(law, "6.3a", "6.3b", "6.3c"),
        prepared={"pre-shuffled": (law(Act("take from secured area"), "6.4"), law(Act("riffle"), "6.4"))},
        cut_offer=law(CutOffer("lowest"), "7.3.s2", "7.3.s1", "5.5b"),
        cut_by=law(EMPLOYEE, "7.3.s3"),
        cut_depth=law(Depth(52), "7.4.s1"),
        end_depth=law(Depth(20), "7.4.s2"),
        end_fanned=absent,
        loading=loading(
            law, inserted="7.4.s2", second="7.4.s3", loaded=("7.5",), up="7.5a", down="7.5b", discarded="7.5c"
        ),
        burn_values=law(BURN_VALUES, "7.6"),
        calls=(law(Act("call No more bets"), "8.2"),),
        styles={
            "A": kept_by_dealer(law, law("up", "8.5"), "9.9", shown=("8.5",), control=("8.6", "4.3.s1")),
            "B": opened_by_players(
                law,
                face=("8.11",),
                third=("9.10",),
                puck=("8.10c", "8.10", "3.4f"),
                passed=("8.12", "8.10b"),
                revealed=("8.13",),
                returned=("8.13",),
                banker=("8.14",),
                kept=("8.16", "8.16a", "8.16b", "8.8d"),
                roles=roles,
                order=("8.8a", "8.8", "8.8b", "8.8c", "8.9", "1.0.banker", "1.0.player", "5.5c"),
                apart="8.15",
            ),
            "C": kept_by_dealer(law, law("down", "8.17"), "9.9", shown=("8.17",), control=("8.18",)),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        last_call=law("Last coup", "9.7"),
        rounds_after=law(1, "9.7"),
        rounds_if_first=law(0, "9.8"),
        after_shoe={
            "A": law("mix", "7.1b", "7.1", "7.1a"),
            "B": law("replace", "11.1", "11.2", "7.1.tail"),
            "C": law("mix", "7.1b"),
        },
        style_fixed=law(True, "8.4.s2"),
        free_rounds=absent,
        orders=(
            law(Order("replace cards", (OPERATOR,), "between rounds"), "7.7"),
            law(Order("look at pre-shuffled decks", (PLAYER,), "pre-shuffled, before first round"), "7.2a", "7.2"),
            law(Order("require mixing", (PLAYER,), "pre-shuffled, before first round"), "7.2b"),
            law(Order("keep cards with dealer", SUPERVISORS), "8.16c"),
        ),
    )


def nzd5() -> Ceremony:
    """Division 5, later edition: shufflers, pre-checked cards, free rounds, and Perfect Pairs settled early."""
    ceremony = _nzd5()
    pairs = cites("NZD5")(Act("settle Perfect Pairs", when="perfect pairs"), "11A.6")
    styles = {name: replace(style, shown=(*style.shown, pairs)) for name, style in ceremony.styles.items()}
    return replace(ceremony, styles=styles)


def _nzd5() -> Ceremony:
    law = cites("NZD5")
    roles: Roles = {
        "banker": law("before deal", "8.8"),
        "player": law("before deal", "8.8"),
    }
    return Ceremony(
        opening=inspection(law, "6.1", "6.2", "6.3"),
        mixing=(
            *(law(Act(act, when="no shuffler"), f"6.3{letter}") for act, letter in MIXED),
            *(law(Act(act, when="shuffler"), f"6.4{letter}", "6.4") for act, letter in MIXED),
        ),
        prepared={
            "pre-shuffled": (law(Act("take from secured area"), "6.5"), law(Act("wash or riffle"), "6.5")),
            "pre-checked": (
                law(Act("take from secured area"), "6.5"),
                *(law(Act(act), f"6.5{letter}") for act, letter in MIXED),
            ),
        },
        cut_offer=law(CutOffer("lowest"), "7.5.s2", "7.5.s1", "5.6b"),
        cut_by=law(EMPLOYEE, "7.5.s3"),
        cut_depth=law(Depth(52), "7.6.s1"),
        end_depth=law(Depth(20), "7.6.s2", "7.8"),
        end_fanned=absent,
        loading=loading(
            law, inserted="7.6.s2", second="7.6.s3", loaded=("7.7",), up="7.7a", down="7.7b", discarded="7.7c"
        ),
        burn_values=law(BURN_VALUES, "7.9"),
        calls=(law(Act("call No more bets"), "8.2"),),
        styles={
            "A": kept_by_dealer(law, law("up", "8.6"), "9.7", shown=("8.6",), control=("8.7", "4.3.s1")),
            "B": opened_by_players(
                law,
                face=("8.12",),
                third=("9.8",),
                puck=("8.11c", "8.11", "3.4e"),
                passed=("8.13", "8.11b"),
                revealed=("8.14",),
                returned=("8.14",),
                banker=("8.15",),
                kept=("8.18", "8.18a", "8.18b", "8.9d"),
                roles=roles,
                order=("8.9a", "8.9", "8.9b", "8.9c", "8.10", "1.0.banker", "1.0.player", "5.6c"),
                apart="8.16",
            ),
            "C": kept_by_dealer(law, law("down", "8.19"), "9.7", shown=("8.19",), control=("8.20",)),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        last_call=law("Last coup", "11.2", "11.1"),
        rounds_after=law(1, "11.2b", "11.2.tail"),
        rounds_if_first=law(0, "11.2a"),
        after_shoe={
            "A": law("mix", "7.3", "7.3a", "7.3b", "7.1", "7.1a"),
            "B": law("replace", "11.3.s1", "11.3.s2", "7.3.tail"),
            "C": law("mix", "7.3"),
        },
        style_fixed=law(True, "8.5.s2"),
        free_rounds=law(3, "8.3.s1", "8.3.s2"),
        orders=(
            law(Order("replace cards", (OPERATOR,), "between rounds"), "7.10"),
            law(Order("look at pre-shuffled decks", (PLAYER,), "pre-shuffled, before first round"), "7.4a", "7.4"),
            law(Order("require mixing", (PLAYER,), "pre-shuffled, before first round"), "7.4b"),
            law(Order("shuffle for a compromised mix", SUPERVISORS, "between rounds"), "7.1b", "7.1.tail"),
            law(Order("shuffle for an exposed card", ("dealer",), "before loading"), "7.1c"),
            law(Order("shuffle after vacancy", SUPERVISORS, "between rounds"), "7.1d"),
            law(Order("change style", (OPERATOR,), "continuous, between rounds"), "8.5.s3"),
            law(Order("keep cards with dealer", SUPERVISORS), "8.18c"),
            law(Order("show banker first", (CASINO_SUPERVISOR,)), "8.17"),
            law(Order("ask for free rounds", (PLAYER,), "between rounds"), "8.3.s1"),
        ),
    )


# ---------------------------------------------------------------- Electronic Baccarat


def nzeb(*, terminals: bool) -> Ceremony:
    """Division 5's ceremonies as Electronic Baccarat incorporates them; with terminals alone, players have no part."""
    law = cites("NZEB")
    division_5 = nzd5()
    if not terminals:
        return replace(
            division_5,
            opening=(
                law(Act("inspect as dealer"), "6.1"),
                law(Act("inspect as game supervisor", GAME_SUPERVISOR), "6.1"),
                *(Law(each.value, (*each.rules, "NZEB-6.2")) for each in division_5.opening[2:]),
            ),
            cut_offer=Law(division_5.cut_offer.value, (*division_5.cut_offer.rules, "NZEB-7.1")),
            styles={
                name: replace(style, face=Law(style.face.value, (*style.face.rules, "NZEB-8.2")))
                for name, style in division_5.styles.items()
            },
            last_call=Law(division_5.last_call.value, (*division_5.last_call.rules, "NZEB-11.1")),
            ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        )
    return replace(
        division_5,
        opening=(
            law(Act("inspect as dealer"), "6.1"),
            law(Act("inspect as game supervisor", GAME_SUPERVISOR), "6.1"),
            law(Act("turn face down"), "6.3"),
        ),
        mixing=tuple(law(Act(act), f"6.3{letter}") for act, letter in MIXED),
        prepared={
            "pre-shuffled": (law(Act("take from secured area"), "6.4"),),
            "pre-checked": (
                law(Act("take from secured area"), "6.4"),
                *(law(Act(act), f"6.4{letter}") for act, letter in MIXED),
            ),
        },
        cut_offer=law(CutOffer("nobody"), "7.2"),
        cut_by=law(EMPLOYEE, "7.2"),
        calls=(law(Act("close betting", "game system"), "8.1"),),
        styles={name: style for name, style in division_5.styles.items() if name != "B"},
        last_call=Law(division_5.last_call.value, (*division_5.last_call.rules, "NZEB-11.1")),
        ending=(
            law(Act("enter outcome"), "10.3a", "10.3"),
            law(Act("record outcome", "game system"), "10.3b.i"),
            law(Act("show outcome on terminals", "game system"), "10.3b.ii"),
            law(Act("show winnings and balances", "game system"), "10.3b.iii", "10.3b.iii.A", "10.3b.iii.B"),
        ),
        style_fixed=absent,
        free_rounds=absent,
        orders=tuple(each for each in division_5.orders if each.rule.startswith("NZD5-7.")),
    )
