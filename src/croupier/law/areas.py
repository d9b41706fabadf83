"""What each game's rules say about placing chips: stacks, spoken wagers, areas and who may use them, and touching them.

These parts of a game need people, seats and a sign, so that they are the table's to keep.  `absent` is written where a
game says nothing of the kind, and where its own play keeps the rule already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from croupier.law.model import Absent, Citer, Law, absent, cites
from croupier.law.officials import DEALER, STICKPERSON, Roles, at_least
from croupier.once import dataclass


@dataclass(frozen=True, slots=True)
class AreaRules:
    """The laws on one layout.

    `per_area` is how many may be on one area, counted in `counts`; `caps` what the operator may direct of an area's
    total, for all together or for each; `standing_on`: standing players bet on areas of their own; `minimum_each` and
    `maximum_total`: how the limits apply to one who backs an outcome on several areas.  `withdrawn`: whether a wager
    may be after the closing call, where the law says that apart; `untouched`: decided wagers lie until all winners are
    paid.  `confirmed`: who must confirm a spoken wager aloud.  `rack`: the colours in use are shown with their
    values.  `terminals_only`: no wager lies on this layout.  `differentials`: the figures of a table differential.
    `notices`: signs that an election needs, by its name.  `layouts`: the cloths among which the operator elects;
    `shared_layout`: the one to which `per_area` is confined.
    """

    stacked: Law[bool] | Absent
    spoken: Law[bool] | Absent
    confirmed: Law[Roles] | Absent
    placed: Law[bool] | Absent
    checked: Law[bool] | Absent
    rack: Law[bool] | Absent
    terminals_only: Law[bool] | Absent
    standing: Law[bool] | Absent
    standing_on: Law[bool] | Absent
    per_area: Law[range] | Absent
    counts: Literal["players", "wagers"]
    caps: Law[frozenset[str]] | Absent
    minimum_each: Law[bool] | Absent
    maximum_total: Law[bool] | Absent
    withdrawn: Law[bool] | Absent
    untouched: Law[bool] | Absent
    losing_untouched: Law[bool] | Absent
    after_tie: Law[frozenset[str]] | Absent
    differentials: Law[frozenset[str]] | Absent
    differential_shown: Law[bool] | Absent
    as_displayed: Mapping[str, Law[bool]]
    beside_main: Mapping[str, Law[bool]]
    notices: Mapping[str, Law[str]]
    runs_area: Law[bool] | Absent
    layouts: Mapping[str, Law[str]]
    shared_layout: str


NONE = AreaRules(
    stacked=absent,
    spoken=absent,
    confirmed=absent,
    placed=absent,
    checked=absent,
    rack=absent,
    terminals_only=absent,
    standing=absent,
    standing_on=absent,
    per_area=absent,
    counts="players",
    caps=absent,
    minimum_each=absent,
    maximum_total=absent,
    withdrawn=absent,
    untouched=absent,
    losing_untouched=absent,
    after_tie=absent,
    differentials=absent,
    differential_shown=absent,
    as_displayed={},
    beside_main={},
    notices={},
    runs_area=absent,
    layouts={},
    shared_layout="",
)

MAIN = frozenset({"player", "banker"})
ONE, THREE = range(1, 2), range(1, 4)
CAPS = frozenset({"all", "each"})
ONE_FIGURE, TWO_FIGURES = frozenset({"maximum"}), frozenset({"minimum", "maximum"})


def _mini_1996(law: Citer) -> AreaRules:
    """Mini and midi baccarat: up to three players share an area, if the operator lets them."""
    return replace(
        NONE,
        stacked=law(True, "4.2"),
        spoken=law(True, "4.3"),
        per_area=law(THREE, "4.4"),
        caps=law(CAPS, "4.5"),
        withdrawn=law(False, "4.6"),
        untouched=law(True, "4.7"),
        after_tie=law(MAIN, "5.6"),
        differentials=law(ONE_FIGURE, "4.9"),
        differential_shown=law(True, "4.9"),
    )


def _full_1996(law: Citer) -> AreaRules:
    return replace(
        NONE,
        stacked=law(True, "4.2"),
        spoken=law(True, "4.3"),
        standing_on=law(True, "4.4a"),
        per_area=law(ONE, "4.5"),
        withdrawn=law(False, "4.6"),
        untouched=law(True, "4.7"),
        after_tie=law(MAIN, "5.6"),
        differentials=law(ONE_FIGURE, "4.9"),
        differential_shown=law(True, "4.9"),
    )


def _nz1998() -> AreaRules:
    law = cites("NZ1998")
    return replace(
        NONE,
        stacked=law(True, "5.3"),
        spoken=law(True, "5.4"),
        standing=law(True, "5.5"),
        standing_on=law(True, "5.5a"),
        per_area=law(ONE, "5.6"),
        untouched=law(True, "5.10b", "5.10"),
        losing_untouched=law(True, "5.11"),
        after_tie=law(MAIN, "5.12"),
        differentials=law(ONE_FIGURE, "5.13.s1"),
        differential_shown=law(True, "5.13.s2", "5.13.s1"),
    )


def _nzd5() -> AreaRules:
    law = cites("NZD5")
    return replace(
        NONE,
        stacked=law(True, "5.3"),
        spoken=law(True, "5.4"),
        checked=law(True, "5.5.s2"),
        standing=law(True, "5.6"),
        minimum_each=law(True, "5.9a", "5.9"),
        maximum_total=law(True, "5.9b"),
        untouched=law(True, "5.14b", "5.14"),
        losing_untouched=law(True, "5.15"),
        after_tie=law(MAIN, "5.16"),
        differentials=law(ONE_FIGURE, "5.17.s1"),
        differential_shown=law(True, "5.17.s2", "5.17.s1"),
        as_displayed={"perfect_pairs": law(True, "11A.4")},
        beside_main={"perfect_pairs": law(True, "11A.2.s2")},
        notices={"no_commission": law("modified odds", "5.11.s2")},
    )


def _terminals() -> AreaRules:
    """Wagers are touched on screens; nobody has chips on the layout."""
    return replace(_nzd5(), terminals_only=cites("NZEB")(True, "5.2", "5.2a"))


def _nzd5_mini() -> AreaRules:
    law = cites("NZD5")
    return replace(_nzd5(), per_area=law(THREE, "5.8a", "5.8"), caps=law(CAPS, "5.8b"))


def _nzd5_full() -> AreaRules:
    law = cites("NZD5")
    return replace(_nzd5(), standing_on=law(True, "5.6a"), per_area=law(ONE, "5.7"))


def _victoria() -> AreaRules:
    law = cites("VIC2002")
    return replace(
        NONE,
        placed=law(True, "6.2"),
        spoken=law(True, "6.3"),
        per_area=law(THREE, "6.2.2"),
        counts="wagers",
        untouched=law(True, "6.4"),
        layouts={
            "A": law("Baccarat", "2.2.1", "2.2"),
            "B": law("Mini Baccarat", "2.2.2", "2.2"),
            "C": law("Midi Baccarat", "2.2.3", "2.2"),
        },
        shared_layout="B",
        differentials=law(TWO_FIGURES, "7.2"),
        runs_area=law(True, "2.4", "DiagD"),
    )


def _crown() -> AreaRules:
    return replace(_victoria(), notices={"": cites("VIC2002")("Crown Baccarat", "5.1")})


def _craps() -> AreaRules:
    law = cites("NZ1996-X")
    # By its definition a dealer is also the stickperson.
    staff = at_least(DEALER) | {STICKPERSON}
    return replace(
        NONE,
        stacked=law(True, "3.3"),
        spoken=law(True, "3.4"),
        confirmed=law(staff, "3.4"),
        checked=law(True, "3.9"),
    )


def _caribbean_stud() -> AreaRules:
    law = cites("NZ1996-VIII")
    return replace(
        NONE,
        stacked=law(True, "4.8"),
        spoken=law(True, "4.9"),
        as_displayed={"jackpot": law(True, "11.5")},
    )


def _blackjack() -> AreaRules:
    law = cites("NZ1996-II")
    return replace(
        NONE,
        stacked=law(True, "4.3"),
        spoken=law(True, "4.4"),
        placed=law(True, "4.3"),
        as_displayed={"super_sevens": law(True, "14.3")},
        notices={"box_maximum": law("box maximum", "13.2")},
    )


def _areas_of_numbers(law: Citer, *, stacked: str, spoken: str, checked: str, rack: str) -> AreaRules:
    """Roulette, tai-sai and the money wheel: every player answers for where the chips lie."""
    return replace(
        NONE, stacked=law(True, stacked), spoken=law(True, spoken), checked=law(True, checked), rack=law(True, rack)
    )


Layouts: TypeAlias = Mapping[tuple[str, str], AreaRules]
"""The laws on the layouts of an edition, by game and version; one that is not listed adds nothing to its own play."""


def nz1996_layouts() -> Layouts:
    return {
        ("baccarat", "mini"): _mini_1996(cites("NZ1996-IV")),
        ("baccarat", "full"): _full_1996(cites("NZ1996-V")),
        ("baccarat", "midi"): _mini_1996(cites("NZ1996-IX")),
        ("craps", "craps"): _craps(),
        ("caribbean_stud", "caribbean_stud"): _caribbean_stud(),
        ("blackjack", "blackjack"): _blackjack(),
        ("roulette", "roulette"): _areas_of_numbers(
            cites("NZ1996-III"), stacked="4.2", spoken="4.3", checked="4.6", rack="2.6a"
        ),
        ("tai_sai", "tai_sai"): _areas_of_numbers(
            cites("NZ1996-VI"), stacked="3.4", spoken="3.5", checked="3.7", rack="2.5a"
        ),
        ("money_wheel", "money_wheel"): _areas_of_numbers(
            cites("NZ1996-VII"), stacked="4.2", spoken="4.3", checked="4.5", rack="2.6b"
        ),
    }


def nz1998_layouts() -> Layouts:
    return {("baccarat", "full"): _nz1998()}


def nzd5_layouts() -> Layouts:
    return {
        ("baccarat", "mini"): _nzd5_mini(),
        ("baccarat", "midi"): _nzd5_mini(),
        ("baccarat", "full"): _nzd5_full(),
    }


def nzeb_layouts() -> Layouts:
    return {("baccarat", "terminals"): _terminals(), ("baccarat", "hybrid"): _nzd5_mini()}


def vic2002_layouts() -> Layouts:
    return {("baccarat", "traditional"): _victoria(), ("baccarat", "crown"): _crown()}


def on_cloth(areas: AreaRules, cloth: object) -> AreaRules:
    """The laws on the layout that was elected, where a rule is for one of them only."""
    shared = not areas.shared_layout or cloth == areas.shared_layout
    return areas if shared else replace(areas, per_area=absent)
