"""The ceremonies of the New Zealand documents: opening, mixing, cut, burn, calls, styles, end of shoe.

Each function is one document; its laws stand in the order in which things happen at the table.
"""

from __future__ import annotations

from typing import Literal

from croupier.ceremony import Act, Order, Script, calling, inspected_twice
from croupier.game.kinds import BALANCES, LATER, MIX, NO_MORE_BETS, ActKind
from croupier.games.baccarat.ceremonies.parts import (
    BURN_VALUES,
    GAME_SYSTEM,
    HANDLER,
    MANAGERS,
    MIXED,
    RENEWED,
    SHUFFLED,
    SHUFFLER,
    SUPERVISORS,
    Passing,
    Roles,
    banker_first,
    inspection,
    kept_by_dealer,
    loading,
    mixing,
    opened_by_players,
    reducing,
    settling,
    to_shuffle,
    under,
)
from croupier.games.baccarat.rules import BaccaratCeremony, CutOffer, Depth
from croupier.law.model import Citer, absent, cites
from croupier.law.officials import (
    A_MANAGER,
    CASINO_SUPERVISOR,
    DEALER,
    DEALER_OR_SUPERVISOR,
    EMPLOYEE,
    GAME_SUPERVISOR,
    INSPECTOR,
    OPERATOR,
    PLAYER,
)
from croupier.once import replace

NEW_CARDS, NOTICE = "notify inspector of new cards", ActKind("notify")

# ---------------------------------------------------------------- New Zealand 1996


def mini_1996(law: Citer) -> BaccaratCeremony:
    """Division IV: cards all up or all down, no role for players."""
    return BaccaratCeremony(
        opening=(
            law(Act(NEW_CARDS, A_MANAGER, "replaced", kind=NOTICE), "7.6"),
            *inspection(law, both="6.1", spread="6.2", turned="6.3", how="rows"),
        ),
        mixing=mixing(law, mixed="6.3", start=("7.1a",)),
        prepared={},
        cut_offer=law(CutOffer("lowest"), "7.2"),
        cut_by=law(EMPLOYEE, "7.2"),
        cut_depth=law(Depth(52), "7.3"),
        end_depth=law(Depth(20), "7.3"),
        end_fanned=absent,
        loading=loading(law, inserted="7.3", second="7.3", loaded=("7.4",), up="7.4a", down="7.4b", discarded="7.4c"),
        burn_values=law(BURN_VALUES, "7.5"),
        calls=(law(calling(NO_MORE_BETS.of), "8.2"),),
        styles={
            "up": kept_by_dealer(law, law("up", "8.5"), "9.6", shown=("8.5",), control=("3.3",), deals="3.3"),
            "down": kept_by_dealer(law, law("down", "8.6"), "9.6", shown=("8.6",), control=("3.3",), deals="3.3"),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        closing=(),
        exchange=(),
        last_call=law("Last coup", "9.7"),
        rounds_after=law(1, "9.7"),
        rounds_if_first=law(0, "9.8"),
        after_shoe={
            "came first": law("mix", "7.1b"),
            "up": law("mix", "7.1c", "7.1"),
            "down": law("mix", "7.1c", "7.1"),
        },
        style_fixed=law(True, "8.4"),
        vacancy=law("shuffle after vacancy", "7.1d"),
        free_rounds=absent,
        nothing_staked=absent,
        orders=(
            law(Order("replace cards", MANAGERS, "between rounds", RENEWED), "7.6"),
            law(to_shuffle("after vacancy", (DEALER,), ("vacant", "mixed", "between rounds")), "7.1d"),
            reducing(law, "4.10"),
        ),
    )


def full_and_midi_1996(law: Citer, *, cut_from: Literal["lowest", "highest"]) -> BaccaratCeremony:
    """Divisions V and IX: styles A, B and C, sealed pre-shuffled cards; the cut starts at different ends."""
    notice = law(Act(NEW_CARDS, A_MANAGER, "replaced", kind=NOTICE), "7.7")
    full = cut_from == "lowest"
    how = "columns" if full else "rows"
    # Only the full table has a rule on players who stand: they neither cut nor hold a hand.
    no_cut, no_role = (("4.4b", "4.4"), ("4.4c",)) if full else ((), ())
    roles: Roles = {
        "banker": law("before deal", "8.10"),
        "player": law("after deal", "8.14"),
    }
    return BaccaratCeremony(
        opening=(notice, *inspection(law, both="6.1", spread="6.2", turned="6.3", how=how)),
        mixing=mixing(law, mixed="6.3", start=("7.1a", "7.1")),
        prepared={
            "pre-shuffled": (
                notice,
                law(Act("open sealed container"), "6.4"),
                law(Act("show pre-shuffled decks", when="look asked"), "7.2a"),
            )
        },
        cut_offer=law(CutOffer(cut_from), "7.3", *no_cut),
        cut_by=law(EMPLOYEE, "7.3"),
        cut_depth=law(Depth(52), "7.4"),
        end_depth=law(Depth(20), "7.4"),
        end_fanned=absent,
        loading=(
            *loading(law, inserted="7.4", second="7.4", loaded=("7.5",), up="7.5a", down="7.5b", discarded="7.5c"),
            law(Act("notify inspector of Style B", GAME_SUPERVISOR, "style B", kind=NOTICE), "8.8"),
        ),
        burn_values=law(BURN_VALUES, "7.6"),
        calls=(law(calling(NO_MORE_BETS.of), "8.2"),),
        styles={
            "A": kept_by_dealer(law, law("up", "8.5"), "9.9", shown=("8.6",), control=("8.7", "3.3"), deals="3.3"),
            "B": opened_by_players(
                law,
                face=("8.13",),
                third=("9.10",),
                player=Passing(puck=("8.15", "2.4d"), passed=("8.16", "8.17"), revealed=("8.18",), returned=("8.19",)),
                banker=Passing(puck=("8.11", "2.4d"), passed=("8.20", "8.17"), revealed=("8.21",), returned=("8.21",)),
                kept=("8.23",),
                roles=roles,
                order=("8.10", "8.14", *no_role),
                apart="8.22",
                deals="3.3",
            ),
            "C": kept_by_dealer(law, law("down", "8.24"), "9.9", shown=("8.25",), control=("8.26", "3.3"), deals="3.3"),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        closing=(),
        exchange=(),
        last_call=law("Last coup", "9.7"),
        rounds_after=law(1, "9.7"),
        rounds_if_first=law(0, "9.8"),
        after_shoe={
            "A": law("mix", "7.1b"),
            "B": law("replace", "11.1", "11.2", "7.1-tail"),
            "handled": law("replace", "11.1"),
            "C": law("mix", "7.1b"),
        },
        style_fixed=law(True, "8.4"),
        vacancy=absent,
        free_rounds=absent,
        nothing_staked=absent,
        orders=(
            law(Order("replace cards", MANAGERS, "between rounds", RENEWED), "7.7"),
            law(Order("look at pre-shuffled decks", (PLAYER,), ("pre-shuffled", "before first round")), "7.2a", "7.2"),
            law(Order("require mixing", (PLAYER,), ("pre-shuffled", "before first round")), "7.2b"),
            law(Order("change style", (INSPECTOR,), "between rounds"), "8.4"),
            reducing(law, "4.10"),
            law(Order("keep cards with dealer", SUPERVISORS, "style B"), "8.23"),
        ),
    )


# ---------------------------------------------------------------- New Zealand 1998, and Division 5


def nz1998() -> BaccaratCeremony:
    """Gazette No. 12 of 1998: full baccarat in styles A, B and C."""
    law = cites("NZ1998")
    roles: Roles = {
        "banker": law("before deal", "8.8", "8.8a", "8.8b", "8.8c", "8.7", "1.0.banker"),
        "player": law("before deal", "8.9", "8.7", "1.0.player"),
    }
    return BaccaratCeremony(
        opening=inspection(law, both="6.1", spread="6.2", turned="6.3", how="columns"),
        mixing=mixing(law, mixed="6.3", start=("7.1a", "7.1")),
        prepared={
            "pre-shuffled": (
                law(Act("take from secured area"), "6.4"),
                law(Act("show pre-shuffled decks", when="look asked"), "7.2a"),
                law(Act("riffle", kind=MIX), "6.4"),
            )
        },
        cut_offer=law(CutOffer("lowest"), "7.3.s2", "7.3.s1", "5.5b"),
        cut_by=law(EMPLOYEE, "7.3.s3"),
        cut_depth=law(Depth(52), "7.4.s1"),
        end_depth=law(Depth(20), "7.4.s2"),
        end_fanned=absent,
        loading=loading(
            law, inserted="7.4.s2", second="7.4.s3", loaded=("7.5",), up="7.5a", down="7.5b", discarded="7.5c"
        ),
        burn_values=law(BURN_VALUES, "7.6"),
        calls=(law(calling(NO_MORE_BETS.of), "8.2"),),
        styles={
            "A": kept_by_dealer(
                law, law("up", "8.5"), "9.9", shown=("8.5",), control=("8.6", "4.3.s1"), deals="4.3.s2"
            ),
            "B": opened_by_players(
                law,
                face=("8.11",),
                third=("9.10",),
                player=Passing(
                    puck=("8.10c", "8.10", "3.4f"), passed=("8.12", "8.10b"), revealed=("8.13",), returned=("8.13",)
                ),
                banker=Passing(puck=("8.10c",), passed=("8.14",), revealed=("8.14",), returned=("8.14",)),
                kept=("8.16", "8.16a", "8.16b", "8.8d"),
                roles=roles,
                order=("8.8b", "8.8c", "5.5c"),
                apart="8.15",
                deals="4.3.s2",
            ),
            "C": kept_by_dealer(
                law, law("down", "8.17"), "9.9", shown=("8.17",), control=("8.18", "4.3.s1"), deals="4.3.s2"
            ),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        closing=(),
        exchange=(),
        last_call=law("Last coup", "9.7"),
        rounds_after=law(1, "9.7"),
        rounds_if_first=law(0, "9.8"),
        after_shoe={
            "A": law("mix", "7.1b"),
            "B": law("replace", "11.1", "11.2", "7.1.tail"),
            "C": law("mix", "7.1b"),
        },
        style_fixed=law(True, "8.4.s2"),
        vacancy=absent,
        free_rounds=absent,
        nothing_staked=absent,
        orders=(
            law(Order("replace cards", (OPERATOR,), "between rounds", RENEWED), "7.7"),
            law(Order("look at pre-shuffled decks", (PLAYER,), ("pre-shuffled", "before first round")), "7.2a", "7.2"),
            law(Order("require mixing", (PLAYER,), ("pre-shuffled", "before first round")), "7.2b"),
            law(Order("keep cards with dealer", SUPERVISORS, "style B"), "8.16c"),
            reducing(law, "5.14"),
        ),
    )


def nzd5() -> BaccaratCeremony:
    """Division 5, later edition: shufflers, pre-checked cards, free rounds, the Banker's Hand first by authority.

    Perfect Pairs are settled once both hands are shown, before any third card.
    """
    ceremony = _nzd5()
    pairs = cites("NZD5")(Act("settle Perfect Pairs", when="perfect pairs"), "11A.6")
    styles = {
        name: replace(style, shown=(*banker_first(style.shown, "NZD5-8.17"), pairs))
        for name, style in ceremony.styles.items()
    }
    return replace(ceremony, styles=styles)


def _before_play(law: Citer, loaded: str, *also: str) -> Script:
    """A batch shuffler is loaded and shuffles; without one the dealer does."""
    return (
        law(Act("load batch shuffler", when="batch"), loaded),
        law(replace(SHUFFLED, by=SHUFFLER, when="batch"), "NZD5-7.1a", "NZD5-7.1", *also),
        law(replace(SHUFFLED, when="not batch"), "NZD5-7.1a", "NZD5-7.1", *also),
    )


def _second_set_inspected(law: Citer, both: str, sets: str) -> Script:
    """Beside a batch shuffler there are two sets, and the one that waits is looked at like the first."""
    first = Act("inspect second set as dealer", when="batch", kind=LATER)
    second = Act("inspect second set as game supervisor", GAME_SUPERVISOR, "batch", first.act, LATER)
    return law(first, both, sets), law(second, both)


def _second_set_mixed(law: Citer, rule: str) -> Script:
    return tuple(law(_of_second_set(act), f"{rule}{letter}", rule) for act, letter in MIXED)


def _of_second_set(act: Act) -> Act:
    return replace(act, act=f"{act.act} second set", when="batch", kind=act.kind._replace(later=True))


def _nzd5() -> BaccaratCeremony:
    law = cites("NZD5")
    how = "rows or columns"
    roles: Roles = {
        "banker": law("before deal", "8.9", "8.9a", "8.9b", "8.9c", "8.8", "1.0.banker"),
        "player": law("before deal", "8.10", "8.8", "1.0.player"),
    }
    start = _before_play(law, "6.4")
    look = law(Act("show pre-shuffled decks", when="look asked"), "7.4a")
    return BaccaratCeremony(
        opening=(
            *inspection(law, both="6.1", spread="6.2", turned="6.3", how=how),
            *_second_set_inspected(law, "6.1", "3.4a.ii.A"),
        ),
        mixing=(
            *(law(replace(act, when="no shuffler"), f"6.3{letter}") for act, letter in MIXED),
            *(law(replace(act, when="shuffler"), f"6.4{letter}", "6.4") for act, letter in MIXED),
            *start,
            *_second_set_mixed(law, "6.4"),
        ),
        prepared={
            "pre-shuffled": (
                law(Act("take from secured area"), "6.5"),
                look,
                law(Act("wash or riffle", kind=MIX), "6.5"),
            ),
            "pre-checked": (
                law(Act("take from secured area"), "6.5"),
                *(law(act, f"6.5{letter}") for act, letter in MIXED),
                *start,
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
        calls=(law(calling(NO_MORE_BETS.of), "8.2"),),
        styles={
            "A": kept_by_dealer(
                law, law("up", "8.6"), "9.7", shown=("8.6",), control=("8.7", "4.3.s1"), deals="4.3.s2"
            ),
            "B": opened_by_players(
                law,
                face=("8.12",),
                third=("9.8",),
                player=Passing(
                    puck=("8.11c", "8.11", "3.4e"), passed=("8.13", "8.11b"), revealed=("8.14",), returned=("8.14",)
                ),
                banker=Passing(puck=("8.11c",), passed=("8.15",), revealed=("8.15",), returned=("8.15",)),
                kept=("8.18", "8.18a", "8.18b", "8.9d"),
                roles=roles,
                order=("8.9b", "8.9c", "5.6c"),
                apart="8.16",
                deals="4.3.s2",
            ),
            "C": kept_by_dealer(
                law, law("down", "8.19"), "9.7", shown=("8.19",), control=("8.20", "4.3.s1"), deals="4.3.s2"
            ),
        },
        ending=settling(law, "10.1", ("10.2",), ("10.2",)),
        closing=(),
        exchange=(
            law(Act("exchange sets", when="batch"), "3.4a.ii.A", "3.4a.ii.C", "7.3"),
            law(Act("load batch shuffler", when="batch"), "7.3"),
            law(replace(SHUFFLED, by=SHUFFLER, when="batch"), "7.3"),
        ),
        last_call=law("Last coup", "11.1", "11.2"),
        rounds_after=law(1, "11.2b", "11.2.tail"),
        rounds_if_first=law(0, "11.2a", "11.2.tail"),
        after_shoe={
            "A": law("mix", "7.3", "7.3a", "7.3b"),
            "B": law("replace", "11.3.s1", "11.3.s2", "7.3.tail"),
            "C": law("mix", "7.3", "7.3a", "7.3b"),
        },
        style_fixed=law(True, "8.5.s2"),
        vacancy=absent,
        free_rounds=law(3, "8.3.s1", "8.3.s2"),
        nothing_staked=absent,
        orders=(
            law(Order("replace cards", (OPERATOR,), "between rounds", RENEWED), "7.10"),
            law(Order("look at pre-shuffled decks", (PLAYER,), ("pre-shuffled", "before first round")), "7.4a", "7.4"),
            law(Order("require mixing", (PLAYER,), ("pre-shuffled", "before first round")), "7.4b"),
            law(to_shuffle("for a compromised mix", SUPERVISORS), "7.1b", "7.1.tail"),
            law(to_shuffle("for an exposed card", (DEALER,), ("mixed", "before loading")), "7.1c", "7.1.tail"),
            law(to_shuffle("after vacancy", SUPERVISORS, ("vacant", "mixed", "between rounds")), "7.1d"),
            law(Order(f"spread in {how} for players", (DEALER,), ("shuffler", "before mixing")), "6.4"),
            law(Order("change style", (OPERATOR,), ("continuous", "between rounds")), "8.5.s3"),
            law(Order("keep cards with dealer", SUPERVISORS, "style B"), "8.18c"),
            reducing(law, "5.18"),
            law(Order("show banker first", (CASINO_SUPERVISOR,), "before showing"), "8.17"),
            law(Order("ask for free rounds", (PLAYER,), ("between rounds", "no wagers", "no series before")), "8.3.s1"),
        ),
    )


# ---------------------------------------------------------------- Electronic Baccarat


def nzeb(*, terminals: bool) -> BaccaratCeremony:
    """Division 5's ceremonies as Electronic Baccarat incorporates them; with terminals alone, players have no part."""
    return _terminals_only() if terminals else _hybrid()


def _hybrid() -> BaccaratCeremony:
    """Beside the layout: all of Division 5, and what the terminals need."""
    law, division_5 = cites("NZEB"), nzd5()
    announced, *settled = settling(law, "10.1", ("10.2",), ("10.2",))
    return replace(
        division_5,
        opening=(
            *inspected_twice(law, "6.1"),
            *(under(each, "6.2") for each in division_5.opening[2:4]),
            *_second_set_inspected(law, "6.1", "NZD5-3.4a.ii.A"),
        ),
        mixing=tuple(under(each, "6.2") for each in division_5.mixing),
        prepared={kind: tuple(under(each, "6.2") for each in script) for kind, script in division_5.prepared.items()},
        cut_offer=under(division_5.cut_offer, "7.1"),
        calls=(under(division_5.calls[0], "8.2"), law(Act("close betting on terminals", GAME_SYSTEM), "8.1")),
        styles={name: replace(style, face=under(style.face, "8.2")) for name, style in division_5.styles.items()},
        last_call=under(division_5.last_call, "11.1"),
        ending=(announced, *_entered(law), *settled),
        orders=(
            *division_5.orders,
            law(Order("let another open", (HANDLER,), "style B"), "1.1.nominee", "1.1.banker", "1.1.player"),
        ),
    )


def _terminals_only() -> BaccaratCeremony:
    """No player at the layout: nobody looks at new cards, an employee cuts, the game system closes and settles."""
    law, division_5 = cites("NZEB"), nzd5()
    pairs = law(Act("settle Perfect Pairs", GAME_SYSTEM, "perfect pairs"), "NZD5-11A.6", "11A.1")
    taken, look = law(Act("take from secured area"), "6.4"), division_5.prepared["pre-shuffled"][1]
    return replace(
        division_5,
        opening=(
            *inspected_twice(law, "6.1"),
            *_second_set_inspected(law, "6.1", "NZD5-3.4a.ii.A"),
            law(Act("turn face down"), "6.3"),
        ),
        mixing=(
            *(law(act, f"6.3{letter}") for act, letter in MIXED),
            *_before_play(law, "6.3", "7.2"),
            *_second_set_mixed(law, "6.3"),
        ),
        prepared={
            "pre-shuffled": (taken, under(look, "7.2")),
            "pre-checked": (
                taken,
                *(law(act, f"6.4{letter}") for act, letter in MIXED),
                *_before_play(law, "6.4", "7.2"),
            ),
        },
        cut_offer=law(CutOffer("nobody"), "7.2"),
        cut_by=law(EMPLOYEE, "7.2"),
        calls=(law(Act("close betting", GAME_SYSTEM), "8.1"),),
        styles={
            name: replace(style, face=under(style.face, "8.3"), shown=(*style.shown, pairs))
            for name, style in _nzd5().styles.items()
            if name != "B"
        },
        last_call=under(division_5.last_call, "11.1"),
        ending=_entered(law),
        style_fixed=absent,
        free_rounds=absent,
        nothing_staked=absent,
        orders=(
            *(under(each, "7.2") for each in division_5.orders if each.rule.startswith("NZD5-7.")),
            reducing(law, "1.1.table-differential"),
            law(Order("wash or riffle", (DEALER,), ("pre-shuffled", "before cut"), MIX), "6.4"),
            law(Order("change style", (OPERATOR,), "between rounds"), "8.3"),
        ),
    )


def _entered(law: Citer) -> Script:
    """The outcome goes into the game system, which records it, shows it and settles every terminal."""
    return (
        law(Act("enter outcome", DEALER_OR_SUPERVISOR), "10.3a", "10.3"),
        law(Act("record outcome", GAME_SYSTEM), "10.3b.i", "10.3b"),
        law(Act("show outcome on terminals", GAME_SYSTEM), "10.3b.ii"),
        law(Act("show winnings and balances", GAME_SYSTEM, kind=BALANCES), "10.3b.iii", "10.3b.iii.A", "10.3b.iii.B"),
    )
