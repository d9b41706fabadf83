"""The general rules of the house, as each law has them.

New Zealand's Division I of 1996 governs all its games; the later documents do not print their Division 1, so by
reading it stands in for them.  Victoria's counterparts are scattered over sections 6, 7, 10 and 13 of its baccarat
rules.  `absent` is written where a law has nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal, TypeGuard, TypeVar

from croupier.law.model import Absent, Law, absent, cites, present
from croupier.law.officials import (
    CASINO_MANAGER,
    CASINO_SUPERVISOR,
    DEALER,
    GAME_SUPERVISOR,
    INSPECTOR,
    SHIFT_MANAGER,
    STICKPERSON,
    Roles,
    at_least,
)
from croupier.law.terminals import TerminalRules, electronic_terminals
from croupier.once import dataclass

T = TypeVar("T")

DISRUPTIONS = frozenset({"civil commotion", "fire", "riot", "brawl", "robbery", "act of God"})


@dataclass(frozen=True, slots=True)
class LimitRules:
    """How limits are set, shown, changed, and what becomes of wagers outside them.

    `barred_beside`: who confirms that a wager is void which was found, and which what its owner has down bars (R-039).
    """

    shown: Law[bool]
    set: Law[bool]
    by: Law[Roles]
    increment_within_minimum: Law[bool] | Absent
    multiples: Law[bool] | Absent
    guarded: Law[frozenset[str]]
    eased: Law[bool]
    notice_minutes: Law[int]
    consent: Law[bool]
    first_opening: Law[bool] | Absent
    no_play: Law[bool] | Absent
    inspector_told: Law[bool] | Absent
    personal_by: Law[Roles]
    personal_above: Law[bool] | Absent
    outside_refused: Law[Literal["refused", "as read"]]
    under_minimum_once: Law[bool]
    under_minimum_advised: Law[bool] | Absent
    excess_void: Law[bool]
    barred_beside: Law[Roles] | Absent
    unpayable_refused: Law[bool]


@dataclass(frozen=True, slots=True)
class PeopleRules:
    """Who may be at a table, and who must leave."""

    minimum_age: Law[int] | Absent
    may_be_required_to_leave: Law[bool] | Absent
    idle_rounds: Law[int]
    bound_by_rules: Law[bool] | Absent
    tips: Law[bool] | Absent
    side_bets: Law[bool]
    advice: Law[bool]
    unasked: Law[bool] | Absent
    partnership: Law[bool] | Absent
    private: Law[bool] | Absent
    event: Law[bool] | Absent
    private_sign: Law[bool] | Absent
    standing: Law[Roles] | Absent
    nominee: Law[bool] | Absent


@dataclass(frozen=True, slots=True)
class TroubleRules:
    """Disputes, devices, invalidation, unclaimed and wrongly paid money."""

    device: Law[bool]
    disputes: Law[tuple[str, ...]]
    inspector_named: Law[bool]
    rules_on_request: Law[bool]
    device_by: Law[Roles]
    contravened: Law[bool] | Absent
    device_voids: Law[bool]
    device_excludes: Law[bool]
    device_seizes: Law[bool] | Absent
    device_taken: Law[bool] | Absent
    detained: Law[bool] | Absent
    invalidate_by: Law[Roles]
    grounds: Mapping[str, Law[frozenset[str]]]
    refunds: Law[bool]
    forfeits: Law[bool] | Absent
    overpaid: Law[bool] | Absent
    recalculated: Law[bool] | Absent
    unclaimed: Law[bool] | Absent


@dataclass(frozen=True, slots=True)
class MoneyRules:
    """Chips and cash."""

    wagers_in_chips: Law[bool]
    paid_in_chips: Law[bool] | Absent
    converted: Law[bool] | Absent
    exchanged: Law[bool] | Absent
    redeemed: Law[bool] | Absent
    promotional: Law[bool] | Absent
    own_colours: Law[frozenset[str]] | Absent
    colour_here_only: Law[bool] | Absent
    colour_redeemed_here: Law[bool] | Absent
    colour_unique: Law[bool] | Absent
    colour_declared: Law[bool] | Absent
    colour_required: Law[bool] | Absent
    deferral: Law[Literal["seated"]] | Absent
    deferral_below: Law[Fraction] | Absent
    deferral_ends: Law[str] | Absent
    deferral_on_request: Law[bool] | Absent
    deferral_on_leaving: Law[bool] | Absent
    deferral_by_management: Law[Roles] | Absent
    deferral_marked: Law[bool] | Absent


@dataclass(frozen=True, slots=True)
class GeneralRules:
    """The general rules under one law."""

    dealer: Law[Roles]
    supervisor: Law[Roles]
    senior: Law[Roles]
    inspector: Law[Roles]
    closing_by: Law[Roles]
    closing_minutes: Law[int]
    stand_off: Law[bool] | Absent
    void_wager: Law[bool] | Absent
    void_round: Law[bool] | Absent
    deck: Law[int] | Absent
    equipment: Mapping[str, Law[str]]
    limits: LimitRules
    people: PeopleRules
    trouble: TroubleRules
    money: MoneyRules
    terminals: TerminalRules | Absent


def new_zealand() -> GeneralRules:
    """Division I of 1996."""
    law = cites("NZ1996-I")
    managers = frozenset({SHIFT_MANAGER, CASINO_MANAGER})
    return GeneralRules(
        dealer=law(frozenset({DEALER, STICKPERSON}), "1.0-def-dealer"),
        supervisor=law(at_least(GAME_SUPERVISOR), "1.0-def-game-supervisor"),
        senior=law(at_least(CASINO_SUPERVISOR), "1.0-def-casino-supervisor"),
        inspector=law(frozenset({INSPECTOR}), "1.0-def-government-inspector"),
        closing_by=law(at_least(CASINO_SUPERVISOR), "6.0"),
        closing_minutes=law(20, "6.0"),
        stand_off=law(True, "1.0-def-stand-off"),
        void_wager=law(True, "1.0a"),
        void_round=law(True, "1.0b"),
        deck=law(52, "19.1"),
        equipment={
            "shoe": law("shoe", "19.4a", "19.4"),
            "shuffler": law("shuffler", "19.4b", "19.4-tail"),
        },
        limits=LimitRules(
            shown=law(True, "13.2"),
            set=law(True, "13.1"),
            by=law(at_least(GAME_SUPERVISOR), "13.1"),
            increment_within_minimum=law(True, "13.5"),
            multiples=law(False, "13.2-s2"),
            guarded=law(frozenset({"minimum raised", "maximum lowered"}), "13.3"),
            eased=law(True, "13.3"),
            notice_minutes=law(20, "13.3a"),
            consent=law(True, "13.3b"),
            first_opening=law(True, "13.3c"),
            no_play=law(True, "13.3d"),
            inspector_told=law(True, "13.3-tail"),
            personal_by=law(managers, "13.4"),
            personal_above=law(True, "13.4"),
            outside_refused=law("refused", "14.1b", "14.1"),
            under_minimum_once=law(True, "14.2a", "14.2"),
            under_minimum_advised=absent,
            excess_void=law(True, "14.2b"),
            barred_beside=law(at_least(GAME_SUPERVISOR), "14.1a"),
            unpayable_refused=law(True, "14.4"),
        ),
        people=PeopleRules(
            minimum_age=law(20, "9.0"),
            may_be_required_to_leave=law(True, "10.0"),
            idle_rounds=law(3, "5.0"),
            bound_by_rules=law(True, "2.2"),
            tips=law(False, "3.0"),
            side_bets=law(False, "7.0"),
            advice=law(False, "4.1"),
            unasked=law(True, "4.2"),
            partnership=law(False, "14.1c"),
            private=law(True, "20.1a", "20.1"),
            event=law(True, "20.1b"),
            private_sign=law(True, "20.2"),
            standing=absent,
            nominee=absent,
        ),
        trouble=TroubleRules(
            device=law(False, "11.1"),
            disputes=law((GAME_SUPERVISOR, CASINO_SUPERVISOR, INSPECTOR), "8.1"),
            inspector_named=law(True, "8.2"),
            rules_on_request=law(True, "8.3"),
            device_by=law(managers, "11.2"),
            contravened=absent,
            device_voids=law(True, "11.2a"),
            device_excludes=law(True, "11.2b"),
            device_seizes=absent,
            device_taken=absent,
            detained=absent,
            invalidate_by=law(managers, "12.1"),
            grounds={
                "disruption": law(DISRUPTIONS, "12.1a"),
                "fraud": law(frozenset({"fraud"}), "12.1b"),
            },
            refunds=law(True, "12.2"),
            forfeits=law(True, "12.2"),
            overpaid=law(True, "15.1"),
            recalculated=absent,
            unclaimed=law(True, "16.2"),
        ),
        money=MoneyRules(
            wagers_in_chips=law(True, "14.3", "1.0-def-chips"),
            paid_in_chips=law(True, "15.2"),
            converted=absent,
            exchanged=law(True, "17.1a", "17.1"),
            redeemed=law(True, "17.1b"),
            promotional=law(False, "17.2"),
            own_colours=law(frozenset({"roulette", "tai_sai", "money_wheel"}), "18.1", "18.2"),
            colour_here_only=law(True, "18.2b"),
            colour_redeemed_here=law(True, "18.2c"),
            colour_unique=law(True, "18.2d"),
            colour_declared=law(True, "18.2e"),
            colour_required=law(True, "18.3"),
            deferral=absent,
            deferral_below=absent,
            deferral_ends=absent,
            deferral_on_request=absent,
            deferral_on_leaving=absent,
            deferral_by_management=absent,
            deferral_marked=absent,
        ),
        terminals=absent,
    )


def victoria() -> GeneralRules:
    """The general parts of the 2002 baccarat rules."""
    law = cites("VIC2002")
    casino_supervisor = at_least(CASINO_SUPERVISOR)
    return GeneralRules(
        dealer=law(frozenset({DEALER}), "1.1.dealer"),
        supervisor=law(at_least(GAME_SUPERVISOR), "1.1.game-supervisor"),
        senior=law(casino_supervisor, "1.1.casino-supervisor"),
        inspector=law(frozenset({INSPECTOR}), "13.9"),
        closing_by=law(casino_supervisor, "13.7"),
        closing_minutes=law(20, "13.7"),
        stand_off=absent,
        void_wager=absent,
        void_round=absent,
        deck=absent,
        equipment={"shoe": law("shoe", "2.3")},
        limits=LimitRules(
            shown=law(True, "7.1"),
            set=law(True, "7.1.fn66-1d"),
            by=law(casino_supervisor, "7.7"),
            increment_within_minimum=absent,
            multiples=absent,
            guarded=law(frozenset({"minimum raised"}), "7.7", "7.1.fn66-2"),
            eased=law(True, "7.7"),
            notice_minutes=law(20, "7.7"),
            consent=law(True, "7.7.1"),
            first_opening=absent,
            no_play=absent,
            inspector_told=absent,
            personal_by=law(casino_supervisor, "7.6"),
            personal_above=absent,
            outside_refused=law("as read", "7.3"),
            under_minimum_once=law(True, "7.3.1"),
            under_minimum_advised=law(True, "7.3.1"),
            excess_void=law(True, "7.3.2"),
            barred_beside=absent,
            unpayable_refused=law(True, "6.6"),
        ),
        people=PeopleRules(
            minimum_age=absent,
            may_be_required_to_leave=absent,
            idle_rounds=law(3, "13.8"),
            bound_by_rules=absent,
            tips=absent,
            side_bets=law(False, "13.11"),
            advice=law(False, "13.5"),
            unasked=law(True, "13.6"),
            partnership=absent,
            private=absent,
            event=absent,
            private_sign=absent,
            standing=law(at_least(GAME_SUPERVISOR), "6.2.1"),
            nominee=law(True, "1.1.player"),
        ),
        trouble=TroubleRules(
            device=law(False, "13.1"),
            # The Director of Casino Surveillance reviews: the authority's own, as an inspector is.
            disputes=law((CASINO_SUPERVISOR, INSPECTOR), "13.10"),
            inspector_named=law(True, "13.9"),
            rules_on_request=law(True, "13.12"),
            device_by=law(casino_supervisor, "13.2"),
            contravened=law(True, "13.2"),
            device_voids=law(True, "13.2.1"),
            device_excludes=law(True, "13.2.2"),
            device_seizes=law(True, "13.2.3"),
            device_taken=law(True, "13.2.4"),
            detained=law(True, "13.2.5"),
            invalidate_by=law(casino_supervisor, "13.3"),
            grounds={
                "disruption": law(DISRUPTIONS, "13.3.1"),
                "fraud": law(frozenset({"fraud"}), "13.3.2"),
            },
            refunds=law(True, "13.4"),
            forfeits=absent,
            overpaid=absent,
            recalculated=absent,
            unclaimed=absent,
        ),
        money=MoneyRules(
            wagers_in_chips=law(True, "6.1"),
            paid_in_chips=absent,
            converted=law(True, "6.3"),
            exchanged=absent,
            redeemed=absent,
            promotional=absent,
            own_colours=absent,
            colour_here_only=absent,
            colour_redeemed_here=absent,
            colour_unique=absent,
            colour_declared=absent,
            colour_required=absent,
            deferral=law("seated", "10.2.1"),
            # By reading: what Crown Baccarat keeps of a win on six is half, and is paid net.
            deferral_below=law(Fraction(1, 2), "10.2.1"),
            deferral_ends=law("end of shoe", "10.2.1a"),
            deferral_on_request=law(True, "10.2.1a.i"),
            deferral_on_leaving=law(True, "10.2.1a.ii"),
            deferral_by_management=law(at_least(SHIFT_MANAGER), "10.2.1a.iii"),
            deferral_marked=law(True, "10.2.1b"),
        ),
        terminals=absent,
    )


def electronic() -> GeneralRules:
    """Division I with what the electronic division adds: terminals, nominees, wrong results recalculated."""
    general, law = new_zealand(), cites("NZEB")
    return replace(
        general,
        people=replace(general.people, nominee=law(True, "1.1.nominee")),
        trouble=replace(general.trouble, recalculated=law(True, "12.3")),
        terminals=electronic_terminals(general.dealer.value | general.supervisor.value),
    )


def in_force(law: Law[T] | Absent) -> TypeGuard[Law[T]]:
    """Whether the law is there, and says yes."""
    return isinstance(law, Law) and bool(law.value)


def barred_by(law: Law[bool] | Absent) -> TypeGuard[Law[bool]]:
    """Whether there is a law, and it says no."""
    return present(law) and not law.value
