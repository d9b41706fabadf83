"""Baccarat in all five documents, side by side: what is played, what may be backed, what it pays.

Each edition is a whole: none inherits from another, because each gazette replaced the last.  Electronic Baccarat is
the exception that the law itself makes: it incorporates Division 5, so its laws are Division 5's with the
incorporating rule added.  The later New Zealand documents do not print their Division 1; by reading
the 1996 general rules stand in.  The versions of one document share its text and differ where it says so; `absent` is
written out where a document has no such rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from croupier.game import Remedy, Rounding
from croupier.games.baccarat.ceremonies import new_zealand as ceremonies
from croupier.games.baccarat.ceremonies.parts import under
from croupier.games.baccarat.ceremonies.victoria import vic2002 as ceremonies_of_victoria
from croupier.games.baccarat.irregular import NZ1996_NUMBERS, NZ1998_NUMBERS, NZD5_NUMBERS, new_zealand, victoria
from croupier.games.baccarat.rules import (
    BANKER,
    PLAYER,
    TIE,
    BaccaratCase,
    BaccaratRules,
    HalfOnSix,
    InsuranceBet,
    Limits,
    OutcomeBet,
    PairBet,
    PairScale,
)
from croupier.games.baccarat.runs import vic2002_runs
from croupier.games.baccarat.tables import VIC2002_TABLE_2, grid_row, later_table_2, nz1996_table_2, points_by_rank
from croupier.law.elections import Options, choice
from croupier.law.model import absent, cites, present
from croupier.law.officials import CASINO_SUPERVISOR, GAME_SUPERVISOR
from croupier.money import percent, to
from croupier.once import WhenAsked, replace

ALTERNATELY = (PLAYER, BANKER, PLAYER, BANKER)
EXTRA = percent(2) + percent(1) / 2
HIGHER_IS_BETTER = tuple(range(9, -1, -1))


def only(*outcomes: str) -> frozenset[str]:
    return frozenset(outcomes)


# ---------------------------------------------------------------- New Zealand 1996: divisions IV, V and IX


def nz1996(division: Literal["IV", "V", "IX"]) -> BaccaratRules:
    """Mini (IV), full (V) and midi baccarat (IX): one text printed three times, with its own ceremonies."""
    law = cites(f"NZ1996-{division}")
    seats = {"IV": range(1, 8), "V": range(1, 15), "IX": range(1, 10)}[division]
    cut_from: Literal["lowest", "highest"] = "highest" if division == "IX" else "lowest"
    void_hand = {"IV": "11.1", "V": "12.1", "IX": "12.1"}[division]
    ceremony = ceremonies.mini_1996(law) if division == "IV" else ceremonies.full_and_midi_1996(law, cut_from=cut_from)
    return BaccaratRules(
        seats=law(seats, "2.1"),
        layout=absent,
        decks=law(choice(8), "3.1"),
        cutting_cards=law(choice(1, 2), "3.1"),
        shuffler=law(choice("none"), "2.4a"),
        style=law(choice("up", "down") if division == "IV" else choice("A", "B", "C"), "8.4"),
        apart=absent,
        points=law(points_by_rank(ace=1, tens=0), "3.2", "3.2a", "3.2b", "3.2c"),
        modulus=law(10, "3.4", "1.0-def-point-count"),
        initial_deal=law(ALTERNATELY, "8.3", "8.1"),
        natural=law(frozenset({8, 9}), "9.2", "1.0-def-natural"),
        player_draws=law(frozenset({0, 1, 2, 3, 4, 5}), "9.3", "9.3a", "9.3b", "9.1"),
        banker_after=nz1996_table_2(law),
        banker_alone=law(frozenset({0, 1, 2, 3, 4, 5}), "9.5"),
        one_more=law(1, "9.6"),
        merit=law(HIGHER_IS_BETTER, "1.0-def-tie", "4.1a-i", "4.1b-i"),
        void_hand=law(True, void_hand),
        no_wagers=law(True, void_hand),
        permitted=law(only(PLAYER, BANKER, TIE), "4.1", "4.1a", "4.1b", "4.1c"),
        backs_both=law(False, "4.8", "4.8a", "4.8b", "4.8c", "4.8d", "4.8e"),
        closing=law("No more bets", "4.6"),
        bets={
            PLAYER: OutcomeBet(
                wins=law(only(PLAYER), "4.1b-i"),
                loses=law(only(BANKER), "4.1b-ii"),
                ties=law(only(TIE), "4.1b-iii"),
                pays=law(to(1), "5.1"),
            ),
            BANKER: OutcomeBet(
                wins=law(only(BANKER), "4.1a-i"),
                loses=law(only(PLAYER), "4.1a-ii"),
                ties=law(only(TIE), "4.1a-iii"),
                pays=law(to(1).less(5), "5.2"),
            ),
            TIE: OutcomeBet(
                wins=law(only(TIE), "4.1c-i"),
                loses=law(only(PLAYER, BANKER), "4.1c-ii"),
                ties=absent,
                pays=law(to(8), "5.5"),
            ),
        },
        tie_word="void",
        no_commission=absent,
        half_on_six=absent,
        perfect_pairs=absent,
        pay_scale=absent,
        pairs=absent,
        insurance=absent,
        insures=absent,
        runs=absent,
        run_bets={},
        run_and_void_coups=absent,
        excess={},
        dragon_bonus=absent,
        limits=Limits(
            over_maximum=law("excess void", "NZ1996-I-14.2b"),
            payable=law(True, "5.3"),
            unpayable=law("void part", "5.4"),
            differential=law("heavier hand", "4.10", "4.9"),
        ),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        ceremony=ceremony,
        irregularities=new_zealand(
            law, NZ1996_NUMBERS[division], rebuilt_by=CASINO_SUPERVISOR, void_only=("initial deal",)
        ),
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
    )


# ---------------------------------------------------------------- New Zealand 1998


def nz1998() -> BaccaratRules:
    """Gazette No. 12 of 28 January 1998: full baccarat."""
    law = cites("NZ1998")
    return BaccaratRules(
        seats=law(range(1, 15), "3.1.s1"),
        layout=absent,
        decks=law(choice(8), "3.4a"),
        cutting_cards=law(choice(1, 2), "3.4b"),
        shuffler=law(choice("none"), "3.4c"),
        style=law(choice("A", "B", "C"), "8.4.s1"),
        apart=absent,
        points=law(points_by_rank(ace=1, tens=0), "4.1", "4.1a", "4.1b", "4.1c"),
        modulus=law(10, "4.2", "4.2a", "4.2b", "1.0.point-count"),
        initial_deal=law(ALTERNATELY, "8.3", "8.1", "1.0.initial-deal", "1.0.players-hand", "1.0.bankers-hand"),
        natural=law(frozenset({8, 9}), "9.2", "9.3.T1.natural", "9.4.T2.8-9", "1.0.natural"),
        player_draws=law(
            frozenset({0, 1, 2, 3, 4, 5}),
            "9.3",
            "9.3a",
            "9.3b",
            "9.3.T1.draw",
            "9.3.T1.stand",
            "9.1",
            "1.0.table-of-play",
        ),
        banker_after=later_table_2(law),
        banker_alone=law(frozenset({0, 1, 2, 3, 4, 5}), "9.5"),
        one_more=law(1, "9.6"),
        merit=law(HIGHER_IS_BETTER, "1.0.tie", "5.1a.i", "5.1b.i"),
        void_hand=law(True, "1.0.void-hand"),
        no_wagers=law(True, "1.0.void-hand"),
        permitted=law(only(PLAYER, BANKER, TIE), "5.1", "5.1a", "5.1b", "5.1c"),
        backs_both=law(False, "5.2.tail", "5.2", "5.2a", "5.2b", "5.2c", "5.2d", "5.2e"),
        closing=law("No more bets", "5.10a"),
        bets={
            PLAYER: OutcomeBet(
                wins=law(only(PLAYER), "5.1b.i"),
                loses=law(only(BANKER), "5.1b.ii"),
                ties=law(only(TIE), "5.1b.iii"),
                pays=law(to(1), "5.7a", "5.7"),
            ),
            BANKER: OutcomeBet(
                wins=law(only(BANKER), "5.1a.i"),
                loses=law(only(PLAYER), "5.1a.ii"),
                ties=law(only(TIE), "5.1a.iii"),
                pays=law(to(1).less(5), "5.7b", "1.0.commission"),
            ),
            TIE: OutcomeBet(
                wins=law(only(TIE), "5.1c.i"),
                loses=law(only(PLAYER, BANKER), "5.1c.ii"),
                ties=absent,
                pays=law(to(8), "5.7c"),
            ),
        },
        tie_word="standoff",
        no_commission=absent,
        half_on_six=absent,
        perfect_pairs=absent,
        pay_scale=absent,
        pairs=absent,
        insurance=absent,
        insures=absent,
        runs=absent,
        run_bets={},
        run_and_void_coups=absent,
        excess={},
        dragon_bonus=absent,
        limits=Limits(
            over_maximum=law("excess void", "NZ1996-I-14.2b"),
            payable=law(True, "5.8"),
            unpayable=law("void part", "5.9"),
            differential=law("heavier hand", "5.14", "1.0.table-differential"),
        ),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        ceremony=ceremonies.nz1998(),
        irregularities=new_zealand(law, NZ1998_NUMBERS, rebuilt_by=CASINO_SUPERVISOR, void_only=("initial deal",)),
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
    )


# ---------------------------------------------------------------- New Zealand Division 5, later edition


def nzd5(version: Literal["mini", "midi", "full"]) -> BaccaratRules:
    """Division 5 in its three versions, with shufflers, half pay on six and Perfect Pairs."""
    law = cites("NZD5")
    seats = {
        "mini": law(range(1, 8), "3.1a", "3.1", "2.2a", "2.2"),
        "midi": law(range(1, 10), "3.1b", "2.2b"),
        "full": law(range(1, 15), "3.1c", "2.2c"),
    }
    return BaccaratRules(
        seats=seats[version],
        layout=absent,
        decks=law(choice(8, 7, 6, 5, 4), "3.4a.i.A", "3.4a.ii.A", "3.4a.iii.A"),
        cutting_cards=law(choice(1, 2), "3.4b"),
        shuffler=law(choice("none", "batch", "continuous"), "3.4a", "3.4a.i", "3.4a.ii"),
        batch_holds=law(8, "3.4a.ii.B"),
        style=law(choice("A", "B", "C"), "8.5.s1"),
        apart=law(("continuous", "B"), "3.4a.iii"),
        points=law(points_by_rank(ace=1, tens=0), "4.1", "4.1a", "4.1b", "4.1c"),
        modulus=law(10, "4.2", "4.2a", "4.2b", "1.0.point-count"),
        initial_deal=law(ALTERNATELY, "8.4", "8.1", "1.0.initial-deal", "1.0.players-hand", "1.0.bankers-hand"),
        natural=law(frozenset({8, 9}), "9.2", "9.3.T1.natural", "9.4.T2.8-9", "1.0.natural"),
        player_draws=law(
            frozenset({0, 1, 2, 3, 4, 5}),
            "9.3",
            "9.3a",
            "9.3b",
            "9.3.T1.draw",
            "9.3.T1.stand",
            "9.1",
            "1.0.table-of-play",
        ),
        banker_after=later_table_2(law),
        banker_alone=law(frozenset({0, 1, 2, 3, 4, 5}), "9.5"),
        one_more=law(1, "9.6"),
        merit=law(HIGHER_IS_BETTER, "1.0.tie", "5.1a.i", "5.1b.i"),
        void_hand=law(True, "1.0.void-hand"),
        no_wagers=law(True, "1.0.void-hand"),
        permitted=law(only(PLAYER, BANKER, TIE), "5.1", "5.1a", "5.1b", "5.1c"),
        backs_both=law(True, "5.2", "5.2a", "5.2b", "5.2c", "5.2d", "5.2e", "5.2f", "5.2g"),
        closing=law("No more bets", "5.14a", "11A.3"),
        bets={
            PLAYER: OutcomeBet(
                wins=law(only(PLAYER), "5.1b.i"),
                loses=law(only(BANKER), "5.1b.ii"),
                ties=law(only(TIE), "5.1b.iii"),
                pays=law(to(1), "5.10a", "5.10"),
            ),
            BANKER: OutcomeBet(
                wins=law(only(BANKER), "5.1a.i"),
                loses=law(only(PLAYER), "5.1a.ii"),
                ties=law(only(TIE), "5.1a.iii"),
                pays=law(to(1).less(5), "5.10b", "1.0.commission"),
            ),
            TIE: OutcomeBet(
                wins=law(only(TIE), "5.1c.i"),
                loses=law(only(PLAYER, BANKER), "5.1c.ii"),
                ties=absent,
                pays=law(to(8), "5.10c"),
            ),
        },
        tie_word="standoff",
        no_commission=law(choice(False, True), "5.11.s1"),
        half_on_six=HalfOnSix(
            pays=law(to(1), "5.11.s1"),
            six=law(6, "5.11.s1"),
            pays_on_six=law(to(1, 2), "5.11.s1"),
        ),
        perfect_pairs=law(choice(True, False), "11A.1", "1.0.perfect-pairs-wager"),
        pay_scale=law(choice(1, 2), "11A.7"),
        pairs=PairBet(
            hand=law(PLAYER, "11A.5"),
            with_main=law(True, "11A.2.s1"),
            otherwise=law("lose", "11A.5"),
            one_scale=law(True, "11A.8"),
            scales={
                1: PairScale(
                    mixed=law(to(5), "11A.7.s1", "1.0.mixed-pair", "1.0.pair"),
                    coloured=law(to(10), "11A.7.s1", "1.0.coloured-pair"),
                    perfect=law(to(30), "11A.7.s1", "1.0.perfect-pair"),
                ),
                2: PairScale(
                    mixed=law(to(6), "11A.7.s2"),
                    coloured=law(to(12), "11A.7.s2"),
                    perfect=law(to(25), "11A.7.s2"),
                ),
            },
        ),
        insurance=absent,
        insures=absent,
        runs=absent,
        run_bets={},
        run_and_void_coups=absent,
        excess={},
        dragon_bonus=absent,
        limits=Limits(
            over_maximum=law("excess void", "NZ1996-I-14.2b"),
            payable=law(True, "5.12"),
            unpayable=law("void part", "5.13"),
            differential=law("heavier hand", "5.18", "1.0.table-differential"),
        ),
        rounding=law(Rounding.UP, "NZ1996-I-15.3"),
        ceremony=ceremonies.nzd5(),
        irregularities=new_zealand(law, NZD5_NUMBERS, rebuilt_by=GAME_SUPERVISOR)
        | {"error_found_later": (law(BaccaratCase("", Remedy.STAND), "12.8"),)},
        unprovided=law(GAME_SUPERVISOR, "NZ1996-I-8.1"),
    )


# ---------------------------------------------------------------- New Zealand Electronic Baccarat


def nzeb(version: Literal["terminals", "hybrid"]) -> BaccaratRules:
    """Electronic Baccarat: Division 5 as it incorporates it, played on terminals alone or beside the layout."""
    law, division_5 = cites("NZEB"), nzd5("midi")
    terminals = version == "terminals"
    play, wagers = ("9.2", "5.2a") if terminals else ("9.1", "5.1")
    layout = replace(division_5.limits, differential=under(division_5.limits.differential, "1.1.table-differential"))
    assert present(layout.payable)
    limits = replace(
        layout,
        payable=under(layout.payable, "5.1"),
        unpayable=under(layout.unpayable, "5.1"),
        over_maximum=under(layout.over_maximum, "5.1"),
    )
    if terminals:
        limits = Limits(
            over_maximum=law("next lower", "3.4c.iii.B", "3.4c.iii", "3.4c.iii.A"),
            payable=absent,
            unpayable=law("paid up", "10.4"),
            differential=layout.differential,
            under_minimum=law("no wager", "3.4c.ii"),
        )
    assert present(division_5.pay_scale)
    assert present(division_5.perfect_pairs)
    assert present(division_5.pairs)
    scales = {
        number: PairScale(
            mixed=under(scale.mixed, "1.1.mixed-pair", "1.1.pair"),
            coloured=under(scale.coloured, "1.1.coloured-pair"),
            perfect=under(scale.perfect, "1.1.perfect-pair"),
        )
        for number, scale in division_5.pairs.scales.items()
    }
    return replace(
        division_5,
        seats=law(range(1, 10), "3.1.s1"),
        decks=under(division_5.decks, "3.3"),
        style=law(choice("A", "C"), "8.3") if terminals else law(choice("A", "B", "C"), "8.2"),
        points=under(division_5.points, "4.1"),
        modulus=under(division_5.modulus, "4.1", "1.1.point-count"),
        initial_deal=under(division_5.initial_deal, *("1.1.initial-deal", "1.1.players-hand", "1.1.bankers-hand")),
        natural=under(division_5.natural, play, "1.1.natural"),
        player_draws=under(division_5.player_draws, play, "1.1.table-of-play"),
        merit=under(division_5.merit, "10.4", "1.1.tie"),
        permitted=under(division_5.permitted, wagers),
        backs_both=law(True, "5.2b", "5.2") if terminals else under(division_5.backs_both, "5.1"),
        closing=law("cut-off", "3.4c.i", "8.1") if terminals else under(division_5.closing, "5.1"),
        bets={
            name: replace(bet, pays=under(bet.pays, "10.4", "1.1.commission")) for name, bet in division_5.bets.items()
        },
        pairs=replace(division_5.pairs, scales=scales),
        perfect_pairs=under(division_5.perfect_pairs, "11A.1", "1.1.perfect-pairs-wager"),
        pay_scale=under(division_5.pay_scale, "11A.1", "10.4"),
        dragon_bonus=law(Options((), ""), "11B.1"),
        limits=limits,
        ceremony=ceremonies.nzeb(terminals=terminals),
        irregularities={
            name: tuple(under(case, "12.1") for case in cases) for name, cases in division_5.irregularities.items()
        }
        | {"disruption": (law(BaccaratCase("", Remedy.VOID_ROUND, call="void hand"), "12.2"),)},
    )


# ---------------------------------------------------------------- Victoria 2002


def vic2002(version: Literal["traditional", "crown"]) -> BaccaratRules:
    """Gazette S 137 of 7 August 2002: Traditional and Crown Baccarat, with Insurance/No 6 and Runs."""
    law = cites("VIC2002")
    crown = version == "crown"
    table = "crown" if crown else "trad"
    banker_pays = law(to(1), "10.1.crown-banker") if crown else law(to(1).less(5), "10.1.trad-banker", "10.1")
    return BaccaratRules(
        seats=law(range(5, 15), "2.1"),
        layout=law(choice("A", "B", "C"), "2.2"),
        decks=law(choice(8, 7, 6, 5, 4), "3.1"),
        cutting_cards=law(choice(1), "3.1"),
        shuffler=law(choice("none"), "2.3"),
        style=law(choice("1", "2", "3"), "8.1"),
        apart=absent,
        points=law(points_by_rank(ace=1, tens=0), "3.2", "3.2.1", "3.2.2", "3.2.3"),
        modulus=law(10, "3.3", "3.3.1", "3.3.2"),
        nothing=law("Baccarat", "1.1.baccarat"),
        initial_deal=law(ALTERNATELY, "8.2.3", "8.2.1", "1.1.coup"),
        natural=law(frozenset({8, 9}), "9.1", "9.T1.natural", "9.T2.8-9", "1.1.natural"),
        player_draws=law(
            frozenset({0, 1, 2, 3, 4, 5}), "9.2", "9.2.1", "9.2.2", "9.T1.draw", "9.T1.stand", "1.1.table-of-play"
        ),
        banker_after=tuple(law(grid_row(cells)[1], *ids) for cells, ids in VIC2002_TABLE_2),
        banker_alone=law(frozenset(n for n in range(10) if grid_row(VIC2002_TABLE_2[n][0])[0]), "9.3"),
        one_more=law(1, "8.3.1a"),
        merit=law(HIGHER_IS_BETTER, "8.3.3", "8.3.3a", "8.3.3b", "8.3.3c", "8.3.3d", "1.1.tie"),
        void_hand=law(True, "11.9.4a", "11.9.4", "11.9.4b", "1.1.dummy-coup", "1.1.void"),
        no_wagers=law(True, "11.9.5a", "11.9.5", "11.9.5b"),
        permitted=law(only(PLAYER, BANKER, TIE), "6.5", "6.5.1", "6.5.2", "6.5.3"),
        backs_both=law(True, "6.5"),
        closing=law("No more bets", "8.2.2a", "6.4", "1.1.run.s2"),
        bets={
            PLAYER: OutcomeBet(
                wins=law(only(PLAYER), f"10.1.{table}-player"),
                loses=law(only(BANKER), "6.7.1", "6.7"),
                ties=law(only(TIE), "10.1.fn-tie"),
                pays=law(
                    to(1), f"10.1.{table}-player", "1.1.crown-baccarat.s2" if crown else "1.1.traditional-baccarat"
                ),
            ),
            BANKER: OutcomeBet(
                wins=law(only(BANKER), f"10.1.{table}-banker"),
                loses=law(only(PLAYER), "6.7.1"),
                ties=law(only(TIE), "10.1.fn-tie"),
                pays=banker_pays,
            ),
            TIE: OutcomeBet(
                wins=law(only(TIE), f"10.1.{table}-tie"),
                loses=law(only(PLAYER, BANKER), "6.7.1"),
                ties=absent,
                pays=law(to(8), f"10.1.{table}-tie", "6.7.2"),
            ),
        },
        tie_word="void",
        no_commission=law(choice(True), "10.1.crown-banker") if crown else absent,
        half_on_six=HalfOnSix(
            pays=banker_pays,
            six=law(6, "1.1.crown-baccarat.s1"),
            pays_on_six=law(to(1).less(50), "10.1.crown-banker", "1.1.crown-baccarat.s1"),
        )
        if crown
        else absent,
        perfect_pairs=absent,
        pay_scale=absent,
        pairs=absent,
        insurance=law(choice(True, False), "1.1.crown-baccarat.s3", "6.5.4") if crown else absent,
        insures=InsuranceBet(
            count=law(6, "1.1.insurance.s1"),
            window=law(4, "1.1.insurance.s4"),
            capped_by=law(only(PLAYER, BANKER), "1.1.insurance.s3"),
            loses=law(only(BANKER), "1.1.insurance.s2"),
            pays=law(to(2), "10.1.crown-insurance"),
        )
        if crown
        else absent,
        runs=law(choice(True, False), "1.1.run", "1.1.run.s1", "1.1.run.s3"),
        run_bets=vic2002_runs(law),
        run_and_void_coups=law(choice("not_counted", "refunded"), "13.4"),
        excess={}
        if crown
        else {BANKER: law(EXTRA, "7.5.1", "7.5.s2", "7.5.s1"), PLAYER: law(EXTRA, "7.5.2", "7.5.s2")},
        dragon_bonus=absent,
        limits=Limits(
            over_maximum=law("excess void", "7.3.2", "7.3"),
            payable=absent,
            unpayable=law("paid up", "7.3.3"),
            differential=law("heavier hand", "7.4" if crown else "7.5.s3", "7.2"),
        ),
        rounding=law(Rounding.UP, "7.3.3"),
        ceremony=ceremonies_of_victoria(),
        irregularities=victoria(law),
        unprovided=law(CASINO_SUPERVISOR, "13.10"),
    )


EDITIONS: Mapping[str, Mapping[str, BaccaratRules]] = WhenAsked(
    nz1996=lambda: {"mini": nz1996("IV"), "full": nz1996("V"), "midi": nz1996("IX")},
    nz1998=lambda: {"full": nz1998()},
    nzd5=lambda: {"mini": nzd5("mini"), "midi": nzd5("midi"), "full": nzd5("full")},
    nzeb=lambda: {"terminals": nzeb("terminals"), "hybrid": nzeb("hybrid")},
    vic2002=lambda: {"traditional": vic2002("traditional"), "crown": vic2002("crown")},
)
