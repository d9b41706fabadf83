"""The end of a shoe: the cutting card, the last coup, mixing again or new cards, shuffles by order, the style."""

from __future__ import annotations

import pytest

from croupier.equipment import parse_card
from croupier.game import Irregular, Perform
from croupier.games.baccarat.editions import EDITIONS
from croupier.once import replace
from tests.games.baccarat.ceremonies.test_every import NATURAL, STANDS, Desk, opened
from tests.helpers.observe import carries

LAST = "call Last coup"

# One more round after the round of the cutting card; none if it came first; what ends each of the two shoes.
LAST_COUP = [
    ("nz1996", "mini", "up", "NZ1996-IV-9.7", "NZ1996-IV-9.8", "NZ1996-IV-7.1c", "NZ1996-IV-7.1b"),
    ("nz1996", "mini", "down", "NZ1996-IV-9.7", "NZ1996-IV-9.8", "NZ1996-IV-7.1c", "NZ1996-IV-7.1b"),
    ("nz1996", "full", "A", "NZ1996-V-9.7", "NZ1996-V-9.8", "NZ1996-V-7.1b", "NZ1996-V-7.1b"),
    ("nz1996", "full", "B", "NZ1996-V-9.7", "NZ1996-V-9.8", "NZ1996-V-11.1", "NZ1996-V-11.1"),
    ("nz1996", "midi", "C", "NZ1996-IX-9.7", "NZ1996-IX-9.8", "NZ1996-IX-7.1b", "NZ1996-IX-7.1b"),
    ("nz1996", "midi", "B", "NZ1996-IX-9.7", "NZ1996-IX-9.8", "NZ1996-IX-11.1", "NZ1996-IX-11.1"),
    ("nz1998", "full", "A", "NZ1998-9.7", "NZ1998-9.8", "NZ1998-7.1b", "NZ1998-7.1b"),
    ("nz1998", "full", "B", "NZ1998-9.7", "NZ1998-9.8", "NZ1998-11.1", "NZ1998-11.1"),
    ("nz1998", "full", "C", "NZ1998-9.7", "NZ1998-9.8", "NZ1998-7.1b", "NZ1998-7.1b"),
    ("nzd5", "mini", "A", "NZD5-11.2b", "NZD5-11.2a", "NZD5-7.3", "NZD5-7.3"),
    ("nzd5", "midi", "B", "NZD5-11.2b", "NZD5-11.2a", "NZD5-11.3.s1", "NZD5-11.3.s1"),
    ("nzd5", "full", "C", "NZD5-11.2b", "NZD5-11.2a", "NZD5-7.3", "NZD5-7.3"),
    ("nzeb", "terminals", "A", "NZD5-11.2b", "NZD5-11.2a", "NZD5-7.3", "NZD5-7.3"),
    ("nzeb", "hybrid", "B", "NZD5-11.2b", "NZD5-11.2a", "NZD5-11.3.s1", "NZD5-11.3.s1"),
]


def end_of(style: str) -> str:
    return "remove cards" if style == "B" else "mix again"


@pytest.mark.parametrize(("edition", "version", "style", "one_more", "end"), [(*c[:4], c[5]) for c in LAST_COUP])
@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_cutting_card_in_the_middle_of_a_round_leaves_one_round_more(
    edition: str, version: str, style: str, one_more: str, end: str, place: int
) -> None:
    table = opened(edition, version, style)
    call = table.rules.ceremony.calls[0].value
    table.closes()
    table.deals(" ".join(NATURAL.split()[:place]))
    table.does("cutting card")
    carries(table.refuses_act("cutting card"), one_more)
    table.deals(" ".join(NATURAL.split()[place:]))
    table.ends_round()
    table.expects(Perform(LAST, "dealer", one_more))
    carries(table.refuses_act(call.act, call.by), one_more)
    table.next()
    table.refuses_act(end_of(style), "dealer")
    table.plays(STANDS)
    table.expects(Perform(end_of(style), "dealer", end))
    carries(table.refuses_act(call.act, call.by), end)
    carries(table.refuses_card(), end)


@pytest.mark.parametrize(("edition", "version", "style", "first", "end"), [(*c[:3], c[4], c[6]) for c in LAST_COUP])
def test_a_cutting_card_that_comes_first_makes_its_round_the_last(
    edition: str, version: str, style: str, first: str, end: str
) -> None:
    table = opened(edition, version, style)
    table.plays(STANDS)
    table.closes()
    table.does("cutting card")
    table.expects(Perform(LAST, "dealer", first))
    carries(table.refuses_card(), first)
    table.next()
    carries(table.refuses_act("cutting card"), first)
    table.deals(STANDS)
    table.ends_round()
    table.expects(Perform(end_of(style), "dealer", end))


def test_a_cutting_card_before_a_third_card_is_in_the_middle_of_the_round() -> None:
    table = opened("nz1998", "full", "A")
    table.closes()
    table.deals("2h Kd 3c 4s")
    table.acts_until("deal player")
    table.does("cutting card")
    table.deals("2d 9h")
    table.ends_round()
    carries(table.due, "NZ1998-9.7")


def test_the_cutting_card_comes_only_while_cards_are_drawn() -> None:
    table = opened("nz1998", "full", "C")
    table.closes()
    table.deals(STANDS)
    carries(table.refuses_act("cutting card"), "NZ1998-8.17")
    table.ends_round()
    carries(table.refuses_act("cutting card"), "NZ1998-8.2")


@pytest.mark.parametrize("version", ["traditional", "crown"])
@pytest.mark.parametrize("place", [0, 1, 3])
def test_vic2002_8_3_4c_one_more_coup_follows_wherever_the_cutting_card_came(version: str, place: int) -> None:
    table = opened("vic2002", version, "2")
    table.closes()
    table.deals(" ".join(NATURAL.split()[:place]))
    table.does("cutting card")
    assert table.text.startswith("deal")
    carries(table.refuses_act("cutting card"), "VIC2002-8.3.4c")
    table.deals(" ".join(NATURAL.split()[place:]))
    table.ends_round()
    table.expects(Perform(LAST, "dealer", "VIC2002-8.3.4c"))
    table.next()
    table.plays(STANDS)
    table.expects(Perform("mix again", "dealer", "VIC2002-8.3.4e"))
    carries(table.refuses_act("call No more bets", "dealer"), "VIC2002-8.3.4e")


def test_the_calls_of_the_last_coup_are_law() -> None:
    for edition, version, rule in (
        ("nz1996", "mini", "NZ1996-IV-9.7"),
        ("nz1996", "full", "NZ1996-V-9.7"),
        ("nz1996", "midi", "NZ1996-IX-9.7"),
        ("nz1998", "full", "NZ1998-9.7"),
        ("nzd5", "full", "NZD5-11.1"),
        ("nzeb", "terminals", "NZD5-11.1"),
        ("nzeb", "hybrid", "NZD5-11.1"),
        ("vic2002", "crown", "VIC2002-8.3.4"),
    ):
        call = EDITIONS[edition][version].ceremony.last_call
        assert call.value == "Last coup"
        carries(call, rule)


# ---------------------------------------------------------------- after the shoe


def ended(edition: str, version: str, style: str) -> Desk:
    """A table whose shoe is dealt out."""
    table = opened(edition, version, style)
    table.closes()
    table.deals("4h")
    table.does("cutting card")
    table.deals("2d 5c 3s")
    table.ends_round()
    if table.text.startswith(LAST):
        table.next()
        table.plays(STANDS)
    return table


@pytest.mark.parametrize(
    ("edition", "version", "style"), [("nz1996", "mini", "up"), ("nz1998", "full", "C"), ("vic2002", "crown", "2")]
)
def test_used_cards_are_mixed_cut_and_burned_again_but_not_inspected(edition: str, version: str, style: str) -> None:
    table = ended(edition, version, style)
    table.does("mix again", "dealer")
    assert "cut" in table.text
    table.opens()
    assert not [fact.act for fact in table.sitting.shoe if fact.act.startswith(("inspect", "spread", "wash", "check"))]
    assert (table.sitting.left, table.sitting.cutting, table.sitting.rounds) == (None, None, 0)
    table.plays(STANDS)


B_ENDS = [
    ("nz1996", "full", "NZ1996-V-11.1", "NZ1996-V-6.4", "NZ1996-V-6.1"),
    ("nz1996", "midi", "NZ1996-IX-11.1", "NZ1996-IX-6.4", "NZ1996-IX-6.1"),
    ("nz1998", "full", "NZ1998-11.1", "NZ1998-6.4", "NZ1998-6.1"),
    ("nzd5", "full", "NZD5-11.3.s1", "NZD5-6.5", "NZD5-6.1"),
    ("nzeb", "hybrid", "NZD5-11.3.s1", "NZD5-6.5", "NZEB-6.1"),
]


@pytest.mark.parametrize(("edition", "version", "end", "prepared", "sealed"), B_ENDS)
def test_cards_of_style_b_leave_the_table_and_new_ones_come_sealed_or_prepared(
    edition: str, version: str, end: str, prepared: str, sealed: str
) -> None:
    for kind, rule in (("pre-shuffled", prepared), ("", sealed)):
        table = ended(edition, version, "B")
        carries(table.refuses_act("mix again", "dealer"), end)
        carries(table.refuses_act("remove cards", "seat 1"), end)
        carries(table.refuses_act("remove cards", "dealer", "yesterday's"), end)
        table.does("remove cards", "dealer", kind)
        carries(table.due, rule)


def test_nzd5_no_order_to_shuffle_keeps_style_b_cards_at_the_table() -> None:
    table = ended("nzd5", "full", "B")
    for order in ("shuffle after vacancy", "shuffle for a compromised mix"):
        carries(table.refuses_act(order, "game supervisor"), "NZD5-11.3.s1")


@pytest.mark.parametrize(
    ("edition", "version", "rule"), [("nz1998", "full", "NZ1998-7.7"), ("nzd5", "mini", "NZD5-7.10")]
)
def test_the_operator_may_bring_new_cards_instead_of_mixing_again(edition: str, version: str, rule: str) -> None:
    table = ended(edition, version, "A")
    carries(table.refuses_act("replace cards", "dealer"), rule)
    table.does("replace cards", "operator", "pre-shuffled")
    assert table.text == "take from secured area by dealer"


@pytest.mark.parametrize(
    ("edition", "version", "style", "rule", "end"),
    [
        ("nz1996", "mini", "up", "NZ1996-IV-11.6", "mix again"),
        ("nz1996", "full", "B", "NZ1996-V-12.6", "remove cards"),
        ("nz1996", "midi", "A", "NZ1996-IX-12.6", "mix again"),
        ("nz1998", "full", "B", "NZ1998-12.5", "remove cards"),
        ("nzd5", "full", "C", "NZD5-12.5", "mix again"),
        ("vic2002", "crown", "2", "VIC2002-11.11", "mix again"),
    ],
)
def test_when_the_cards_run_out_the_shoe_is_over(edition: str, version: str, style: str, rule: str, end: str) -> None:
    table = opened(edition, version, style)
    table.closes()
    table.deals("2h 3d")
    table.happens(Irregular("insufficient_cards"))
    table.expects(Perform(end, "dealer", rule))
    carries(table.refuses_act("call No more bets", "dealer"), rule)


def test_a_card_carried_over_is_dropped_when_the_cards_are_mixed() -> None:
    table = opened("nz1998")
    table.closes()
    table.deals("4h")
    table.does("cutting card")
    table.deals("2d 5c 3s")
    table.ends_round()
    table.next()
    table.closes()
    table.deals(NATURAL)
    table.happens(Irregular("excess_card", parse_card("8h")))
    table.ends_round()
    table.does("mix again", "dealer")
    table.opens()
    table.closes()
    assert table.text == "deal player"


# ---------------------------------------------------------------- shuffles by order

ORDERED = [
    ("nz1996", "mini", "shuffle after vacancy", ("dealer",), "game supervisor", "NZ1996-IV-7.1d"),
    ("nzd5", "mini", "shuffle for a compromised mix", ("game supervisor", "casino supervisor"), "dealer", "NZD5-7.1b"),
    ("nzd5", "full", "shuffle after vacancy", ("game supervisor", "casino supervisor"), "operator", "NZD5-7.1d"),
    *(
        ("nzeb", version, f"shuffle {why}", ("game supervisor", "casino supervisor"), "dealer", rule)
        for version in ("terminals", "hybrid")
        for why, rule in (("for a compromised mix", "NZD5-7.1b"), ("after vacancy", "NZD5-7.1d"))
    ),
    (
        "vic2002",
        "crown",
        "shuffle for an abnormal sequence",
        ("casino supervisor",),
        "game supervisor",
        "VIC2002-4.1.1c",
    ),
    ("vic2002", "crown", "shuffle for reasonable cause", ("casino supervisor",), "dealer", "VIC2002-4.1.1d"),
]


@pytest.mark.parametrize(("edition", "version", "order", "by", "not_by", "rule"), ORDERED)
def test_a_shuffle_is_ordered_by_those_named_and_between_rounds(
    edition: str, version: str, order: str, by: tuple[str, ...], not_by: str, rule: str
) -> None:
    for person in by:
        table = opened(edition, version, "2" if edition == "vic2002" else "")
        table.plays(STANDS)
        carries(table.refuses_act(order, not_by), rule)
        if order == "shuffle after vacancy":
            carries(table.refuses_act(order, person), rule)
            table.sitting = replace(table.sitting, vacant=True)
        table.does(order, person)
        table.expects(Perform("mix again", "dealer", rule))
        carries(table.refuses_act("load", "dealer"), rule)
        table.next()
        assert "cut" in table.text
        table.opens()
        table.closes()
        carries(table.refuses_act(order, person), rule)


@pytest.mark.parametrize(("edition", "version", "order", "by", "rule"), [(*o[:4], o[5]) for o in ORDERED])
def test_an_order_to_shuffle_does_not_spare_new_cards_their_opening(
    edition: str, version: str, order: str, by: tuple[str, ...], rule: str
) -> None:
    table = opened(edition, version)
    table.sitting = type(table.sitting)(seats=table.sitting.seats)
    carries(table.refuses_act(order, by[0]), rule)


DIVISION_5 = [("nzd5", "mini"), ("nzeb", "hybrid")]


@pytest.mark.parametrize(("edition", "version"), [*DIVISION_5, ("nzeb", "terminals")])
def test_nzd5_7_1c_an_exposed_card_before_loading_means_mixing_again(edition: str, version: str) -> None:
    table = opened(edition, version)
    carries(table.refuses_act("shuffle for an exposed card", "dealer"), "NZD5-7.1c")
    table.does("replace cards", "operator")
    table.acts_until("wash")
    carries(table.refuses_act("shuffle for an exposed card", "dealer"), "NZD5-7.1c")
    table.acts_until("load by")
    table.does("shuffle for an exposed card", "dealer")
    table.expects(Perform("mix again", "dealer", "NZD5-7.1c"))
    table.next()
    assert table.text == ("cut by casino employee" if version == "terminals" else "choose seat 1: cut|decline")
    table.acts_until("burn face up")
    carries(table.refuses_act("shuffle for an exposed card", "dealer"), "NZD5-7.1c")


def test_nz1996_full_and_midi_baccarat_have_no_shuffle_after_vacancy() -> None:
    for version, rule in (("full", "NZ1996-V-8.2"), ("midi", "NZ1996-IX-8.2")):
        carries(opened("nz1996", version).refuses_act("shuffle after vacancy", "dealer"), rule)


# ---------------------------------------------------------------- the style of a shoe

FIXED = [
    ("nz1996", "mini", "up", "", "NZ1996-IV-8.4"),
    ("nz1998", "full", "A", "", "NZ1998-8.4.s2"),
    ("nzd5", "mini", "A", "", "NZD5-8.5.s2"),
    ("nzd5", "full", "C", "batch", "NZD5-8.5.s2"),
    ("nzeb", "hybrid", "B", "", "NZD5-8.5.s2"),
]


@pytest.mark.parametrize(("edition", "version", "style", "shuffler", "rule"), FIXED)
def test_a_shoe_keeps_its_style_whoever_asks(edition: str, version: str, style: str, shuffler: str, rule: str) -> None:
    table = opened(edition, version, style, shuffler=shuffler)
    table.does("change style", "operator", style)
    table.closes()
    for person in ("operator", "inspector", "casino manager"):
        carries(table.refuses_act("change style", person, "C by direction"), rule)
    table.deals(STANDS)
    table.ends_round()
    for person in ("operator", "inspector", "casino manager"):
        carries(table.refuses_act("change style", person, "C by direction"), rule)


@pytest.mark.parametrize(("version", "rule"), [("full", "NZ1996-V-8.4"), ("midi", "NZ1996-IX-8.4")])
def test_nz1996_8_4_a_government_inspector_may_change_the_style_between_rounds(version: str, rule: str) -> None:
    table = opened("nz1996", version, "B")
    table.closes()
    carries(table.refuses_act("change style", "inspector", "A letter 7"), rule)
    table.deals(STANDS)
    table.ends_round()
    for person in ("operator", "casino manager", "dealer"):
        carries(table.refuses_act("change style", person, "A letter 7"), rule)
    carries(table.refuses_act("change style", "inspector", "A"), rule)
    table.does("change style", "inspector", "A letter 7")


@pytest.mark.parametrize(("version", "end"), [("full", "NZ1996-V-11.1"), ("midi", "NZ1996-IX-11.1")])
def test_nz1996_11_1_a_shoe_once_dealt_in_style_b_leaves_the_table_whatever_its_style_at_the_end(
    version: str, end: str
) -> None:
    table = opened("nz1996", version, "B")
    table.plays(STANDS)
    table.does("change style", "inspector", "A letter 7")
    table.closes()
    table.does("cutting card")
    table.next()
    table.deals(STANDS)
    table.ends_round()
    table.expects(Perform("remove cards", "dealer", end))


def test_nz1996_8_8_a_change_to_style_b_waits_for_the_notice() -> None:
    table = opened("nz1996", "full", "A")
    table.plays(STANDS)
    table.does("change style", "inspector", "B letter 8")
    table.expects(Perform("notify inspector of Style B", "game supervisor", "NZ1996-V-8.8"))


@pytest.mark.parametrize(("edition", "version"), DIVISION_5)
def test_nzd5_8_5_s3_with_a_continuous_shuffler_the_operator_follows_an_approved_procedure(
    edition: str, version: str
) -> None:
    table = opened(edition, version, "A", shuffler="continuous")
    table.closes()
    carries(table.refuses_act("change style", "operator", "C procedure 12"), "NZD5-8.5.s3")
    table.deals(STANDS)
    table.ends_round()
    carries(table.refuses_act("change style", "dealer", "C procedure 12"), "NZD5-8.5.s3")
    carries(table.refuses_act("change style", "operator", "C"), "NZD5-8.5.s3")
    carries(table.refuses_act("change style", "operator", "B procedure 12"), "NZD5-3.4a.iii")
    table.does("change style", "operator", "C procedure 12")


@pytest.mark.parametrize(
    ("edition", "version", "chooses"),
    [("nz1996", "full", "NZ1996-V-8.4"), ("nz1998", "full", "NZ1998-8.4.s1"), ("nzd5", "full", "NZD5-8.5.s1")],
)
def test_the_operator_chooses_the_style_of_a_new_shoe(edition: str, version: str, chooses: str) -> None:
    table = ended(edition, version, "A")
    table.does("mix again", "dealer")
    carries(table.refuses_act("change style", "dealer", "C"), chooses)
    carries(table.refuses_act("change style", "operator", "D"), chooses)
    table.does("change style", "operator", "C")


def test_nzeb_8_3_and_vic2002_8_1_fix_no_style_for_the_shoe() -> None:
    for table, by, rule in (
        (opened("nzeb", "terminals"), "operator", "NZEB-8.3"),
        (opened("vic2002"), "dealer", "VIC2002-8.1"),
    ):
        style = table.rules.style.value.permitted[1]
        table.plays(STANDS)
        carries(table.refuses_act("change style", "seat 1", style), rule)
        table.does("change style", by, style)
        table.closes()
        carries(table.refuses_act("change style", by, style), rule)
