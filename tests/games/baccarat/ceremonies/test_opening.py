"""Opening a baccarat table: inspection, spread, mixing, prepared cards, the players' rights, replacing cards."""

from __future__ import annotations

import pytest

from croupier.game import CardSeen, Perform
from croupier.games.baccarat.procedure import last_act
from croupier.once import replace
from tests.games.baccarat.ceremonies.test_every import DRAWS, desk, opened
from tests.helpers.observe import carries

CUT = "choose seat 1: cut|decline"

# Where each document with sealed decks says: both inspect, spread, turn down, wash, stack, riffle, shuffle.
OPENINGS = [
    ("nz1996", "mini", "rows", "NZ1996-IV-", "6.1 6.2 6.3 6.3a 6.3b 6.3c 7.1a"),
    ("nz1996", "full", "columns", "NZ1996-V-", "6.1 6.2 6.3 6.3a 6.3b 6.3c 7.1a"),
    ("nz1996", "midi", "rows", "NZ1996-IX-", "6.1 6.2 6.3 6.3a 6.3b 6.3c 7.1a"),
    ("nz1998", "full", "columns", "NZ1998-", "6.1 6.2 6.3 6.3a 6.3b 6.3c 7.1a"),
    ("nzd5", "mini", "rows or columns", "NZD5-", "6.1 6.2 6.3 6.3a 6.3b 6.3c 7.1a"),
    ("nzd5", "midi", "rows or columns", "NZD5-", "6.1 6.2 6.3 6.3a 6.3b 6.3c 7.1a"),
    ("nzd5", "full", "rows or columns", "NZD5-", "6.1 6.2 6.3 6.3a 6.3b 6.3c 7.1a"),
]


@pytest.mark.parametrize(("edition", "version", "how", "prefix", "ids"), OPENINGS)
def test_sealed_decks_are_inspected_twice_spread_and_mixed_in_order(
    edition: str, version: str, how: str, prefix: str, ids: str
) -> None:
    table = desk(edition, version)
    both, spread, turned, wash, stack, riffle, shuffle = (prefix + each for each in ids.split())
    steps = [
        ("inspect as dealer", "dealer", both),
        ("inspect as game supervisor", "game supervisor", both),
        (f"spread in {how} for players", "dealer", spread),
        ("turn face down", "dealer", turned),
        ("wash", "dealer", wash),
        ("stack", "dealer", stack),
        ("riffle", "dealer", riffle),
        ("shuffle", "dealer", shuffle),
    ]
    for place, (act, by, rule) in enumerate(steps):
        table.expects(Perform(act, by, rule))
        for later, later_by, _ in steps[place + 1 :]:
            carries(table.refuses_act(later, later_by), rule)
        carries(table.refuses_act("cut", "casino employee", 104), rule)
        carries(table.refuses_act("load"), rule)
        carries(table.refuses(CardSeen(0)), rule)
        table.does(act, by)
    assert table.text.endswith("cut|decline")


@pytest.mark.parametrize(("edition", "version", "how", "prefix"), [opening[:4] for opening in OPENINGS])
def test_6_1_one_person_cannot_inspect_for_both(edition: str, version: str, how: str, prefix: str) -> None:
    table = desk(edition, version)
    carries(table.refuses_act("inspect as dealer", "game supervisor"), prefix + "6.1")
    table.does("inspect as dealer", "dealer")
    carries(table.refuses_act("inspect as game supervisor", "dealer"), prefix + "6.1")
    carries(table.refuses_act("inspect as dealer", "dealer"), prefix + "6.1")
    carries(table.refuses_act(f"spread in {how} for players", "dealer"), prefix + "6.1")
    table.does("inspect as game supervisor", "game supervisor")
    assert table.text == f"spread in {how} for players by dealer"


def test_nzeb_6_1_both_inspect_in_both_versions() -> None:
    for version in ("terminals", "hybrid"):
        table = desk("nzeb", version)
        carries(table.due, "NZEB-6.1")
        table.does("inspect as dealer", "dealer")
        carries(table.refuses_act("inspect as game supervisor", "dealer"), "NZEB-6.1")
        table.does("inspect as game supervisor", "game supervisor")


def test_nzeb_6_2_hybrid_opens_as_division_5_and_6_3_terminals_have_no_spread() -> None:
    hybrid, terminals = desk("nzeb", "hybrid"), desk("nzeb", "terminals")
    hybrid.acts_until("spread in rows or columns for players")
    carries(hybrid.due, "NZD5-6.2")
    terminals.acts_until("turn face down")
    carries(terminals.refuses_act("spread in rows or columns for players", "dealer"), "NZEB-6.3")
    terminals.does("turn face down")
    for act, rule in (("wash", "NZEB-6.3a"), ("stack", "NZEB-6.3b"), ("riffle", "NZEB-6.3c")):
        carries(terminals.refuses_act("load"), rule)
        carries(terminals.due, rule)
        terminals.does(act)
    carries(terminals.due, "NZD5-7.1a")
    terminals.does("shuffle")
    carries(terminals.due, "NZEB-7.2")


@pytest.mark.parametrize(
    ("edition", "version", "first"), [("nzd5", "mini", "NZD5-6.1"), ("nzeb", "hybrid", "NZEB-6.1")]
)
@pytest.mark.parametrize("shuffler", ["batch", "continuous"])
def test_nzd5_6_4_a_shuffler_is_loaded_without_the_players_look_but_not_without_the_staffs(
    edition: str, version: str, first: str, shuffler: str
) -> None:
    table = desk(edition, version, shuffler=shuffler)
    carries(table.due, first)
    table.does("inspect as dealer", "dealer")
    table.does("inspect as game supervisor", "game supervisor")
    if shuffler == "batch":
        table.does("inspect second set as dealer", "dealer")
        table.does("inspect second set as game supervisor", "game supervisor")
    for act, rule in (("wash", "NZD5-6.4a"), ("stack", "NZD5-6.4b"), ("riffle", "NZD5-6.4c")):
        carries(table.refuses_act("load batch shuffler"), rule)
        table.expects(Perform(act, "dealer", rule))
        table.does(act)
    if shuffler == "batch":
        table.expects(Perform("load batch shuffler", "dealer", "NZD5-6.4"))
        table.does("load batch shuffler")
        table.expects(Perform("shuffle", "automatic shuffler", "NZD5-7.1a"))
        carries(table.refuses_act("shuffle", "dealer"), "NZD5-7.1a")
        table.next()
        for act, rule in (("wash", "NZD5-6.4a"), ("stack", "NZD5-6.4b"), ("riffle", "NZD5-6.4c")):
            table.expects(Perform(f"{act} second set", "dealer", rule))
            carries(table.refuses_act("cut", "dealer", 100), rule)
            table.does(f"{act} second set")
    else:
        table.expects(Perform("shuffle", "dealer", "NZD5-7.1a"))
        table.next()
    assert table.text == CUT


@pytest.mark.parametrize(("edition", "version"), [("nzd5", "mini"), ("nzeb", "hybrid")])
def test_nzd5_6_4_the_spread_is_allowed_with_a_shuffler_until_the_wash(edition: str, version: str) -> None:
    table = desk(edition, version, shuffler="batch")
    table.acts_until("wash")
    table.does("spread in rows or columns for players", "dealer")
    table.does("wash")
    carries(table.refuses_act("spread in rows or columns for players", "dealer"), "NZD5-6.4")


def test_nzeb_6_3_a_batch_shuffler_at_a_terminals_table_is_loaded_after_the_riffle() -> None:
    table = desk("nzeb", "terminals", shuffler="batch")
    table.acts_until("load batch shuffler")
    table.expects(Perform("load batch shuffler", "dealer", "NZEB-6.3"))
    table.next()
    table.expects(Perform("shuffle", "automatic shuffler", "NZD5-7.1a"))


def test_vic2002_3_4_and_4_1_1a_cards_are_checked_and_shuffled_before_play() -> None:
    table = desk("vic2002")
    table.expects(Perform("check cards before gaming", "dealer", "VIC2002-3.4"))
    carries(table.refuses_act("shuffle", "dealer"), "VIC2002-3.4")
    table.next()
    table.expects(Perform("shuffle", "dealer", "VIC2002-4.1.1a"))
    carries(table.refuses_act("load"), "VIC2002-4.1.1a")
    carries(table.refuses(CardSeen(0)), "VIC2002-4.1.1a")


def test_vic2002_3_4_cards_are_checked_after_gaming_too() -> None:
    table = opened("vic2002")
    table.closes()
    carries(table.refuses_act("check cards after gaming", "dealer"), "VIC2002-3.4")
    table.deals("2h 3d 4c 4s")
    table.ends_round()
    assert last_act(table.rules, table.sitting) == Perform("check cards after gaming", "dealer", "VIC2002-3.4")
    table.does("check cards after gaming", "dealer")
    assert last_act(table.rules, table.sitting) is None
    table.closes()
    assert last_act(table.rules, table.sitting) is not None


# ---------------------------------------------------------------- prepared cards

PREPARED = [
    ("nz1996", "full", "pre-shuffled", [("open sealed container", "NZ1996-V-6.4")]),
    ("nz1996", "midi", "pre-shuffled", [("open sealed container", "NZ1996-IX-6.4")]),
    ("nz1998", "full", "pre-shuffled", [("take from secured area", "NZ1998-6.4"), ("riffle", "NZ1998-6.4")]),
    ("nzd5", "mini", "pre-shuffled", [("take from secured area", "NZD5-6.5"), ("wash or riffle", "NZD5-6.5")]),
    (
        "nzd5",
        "midi",
        "pre-checked",
        [
            ("take from secured area", "NZD5-6.5"),
            ("wash", "NZD5-6.5a"),
            ("stack", "NZD5-6.5b"),
            ("riffle", "NZD5-6.5c"),
            ("shuffle", "NZD5-7.1a"),
        ],
    ),
    ("nzeb", "hybrid", "pre-shuffled", [("take from secured area", "NZD5-6.5"), ("wash or riffle", "NZD5-6.5")]),
    (
        "nzeb",
        "hybrid",
        "pre-checked",
        [
            ("take from secured area", "NZD5-6.5"),
            ("wash", "NZD5-6.5a"),
            ("stack", "NZD5-6.5b"),
            ("riffle", "NZD5-6.5c"),
            ("shuffle", "NZD5-7.1a"),
        ],
    ),
    ("nzeb", "terminals", "pre-shuffled", [("take from secured area", "NZEB-6.4")]),
    (
        "nzeb",
        "terminals",
        "pre-checked",
        [
            ("take from secured area", "NZEB-6.4"),
            ("wash", "NZEB-6.4a"),
            ("stack", "NZEB-6.4b"),
            ("riffle", "NZEB-6.4c"),
            ("shuffle", "NZD5-7.1a"),
        ],
    ),
    (
        "vic2002",
        "crown",
        "pre-shuffled",
        [("check cards before gaming", "VIC2002-3.4"), ("take from secured area", "VIC2002-4.1.2")],
    ),
]


@pytest.mark.parametrize(("edition", "version", "kind", "steps"), PREPARED)
def test_prepared_cards_go_to_the_cut_by_their_own_steps(
    edition: str, version: str, kind: str, steps: list[tuple[str, str]]
) -> None:
    table = desk(edition, version, cards=kind)
    for act, rule in steps:
        table.expects(Perform(act, "dealer", rule))
        carries(table.refuses_act("cut", "casino employee", 104), rule)
        table.does(act)
    assert "cut" in table.text


@pytest.mark.parametrize(
    ("edition", "version", "loaded"),
    [("nzd5", "full", "NZD5-6.4"), ("nzeb", "hybrid", "NZD5-6.4"), ("nzeb", "terminals", "NZEB-6.4")],
)
def test_pre_checked_cards_go_through_a_batch_shuffler_where_there_is_one(
    edition: str, version: str, loaded: str
) -> None:
    table = desk(edition, version, cards="pre-checked", shuffler="batch")
    for act in ("take from secured area", "wash", "stack", "riffle"):
        assert table.text == f"{act} by dealer"
        table.next()
    table.expects(Perform("load batch shuffler", "dealer", loaded))
    table.next()
    table.expects(Perform("shuffle", "automatic shuffler", "NZD5-7.1a"))
    carries(table.refuses_act("shuffle", "dealer"), "NZD5-7.1a")
    table.next()
    assert "cut" in table.text


@pytest.mark.parametrize(
    ("edition", "version", "by", "kind", "rule"),
    [
        ("nz1996", "mini", "shift manager", "pre-shuffled", "NZ1996-IV-7.6"),
        ("nz1996", "full", "shift manager", "pre-checked", "NZ1996-V-7.7"),
        ("nz1996", "midi", "casino manager", "pre-checked", "NZ1996-IX-7.7"),
        ("nz1998", "full", "operator", "pre-checked", "NZ1998-7.7"),
        ("nzd5", "full", "operator", "borrowed", "NZD5-7.10"),
        ("vic2002", "crown", "casino supervisor", "pre-checked", "VIC2002-4.4.2"),
    ],
)
def test_cards_of_a_kind_that_the_document_does_not_know_are_refused(
    edition: str, version: str, by: str, kind: str, rule: str
) -> None:
    carries(opened(edition, version).refuses_act("replace cards", by, kind), rule)


def test_nzeb_6_4_washing_pre_shuffled_cards_is_left_to_the_dealer_with_terminals_only() -> None:
    table = desk("nzeb", "terminals", cards="pre-shuffled")
    table.does("take from secured area")
    carries(table.due, "NZEB-7.2")
    table.does("wash or riffle", "dealer")
    table.does("cut", "casino employee", 104)
    carries(table.refuses_act("wash or riffle", "dealer"), "NZEB-6.4")


# ---------------------------------------------------------------- the players' rights over pre-shuffled cards

RIGHTS = [
    ("nz1996", "full", "NZ1996-V-7.2a", "NZ1996-V-7.2b", "NZ1996-V-6.1"),
    ("nz1996", "midi", "NZ1996-IX-7.2a", "NZ1996-IX-7.2b", "NZ1996-IX-6.1"),
    ("nz1998", "full", "NZ1998-7.2a", "NZ1998-7.2b", "NZ1998-6.1"),
    ("nzd5", "mini", "NZD5-7.4a", "NZD5-7.4b", "NZD5-6.1"),
    ("nzeb", "hybrid", "NZD5-7.4a", "NZD5-7.4b", "NZEB-6.1"),
    ("nzeb", "terminals", "NZD5-7.4a", "NZD5-7.4b", "NZEB-6.1"),
]


@pytest.mark.parametrize(("edition", "version", "look"), [right[:3] for right in RIGHTS])
def test_any_player_may_look_at_pre_shuffled_decks_before_the_first_round(
    edition: str, version: str, look: str
) -> None:
    """The first round waits until the decks were shown."""
    for by in ("seat 5", "standing 2"):
        table = desk(edition, version, cards="pre-shuffled")
        table.opens()
        carries(table.refuses_act("look at pre-shuffled decks", "dealer"), look)
        table.does("look at pre-shuffled decks", by)
        table.expects(Perform("show pre-shuffled decks", "dealer", look))
        carries(table.refuses_act(table.rules.ceremony.calls[0].value.act), look)
        table.does("show pre-shuffled decks", "dealer")
        table.plays()
        carries(table.refuses_act("look at pre-shuffled decks", by), look)


@pytest.mark.parametrize(("edition", "version", "require", "inspected"), [(*r[:2], *r[3:]) for r in RIGHTS])
def test_any_player_may_require_mixing_before_the_first_round_and_only_once(
    edition: str, version: str, require: str, inspected: str
) -> None:
    table = desk(edition, version, cards="pre-shuffled")
    table.opens()
    carries(table.refuses_act("require mixing", "game supervisor"), require)
    table.does("require mixing", "seat 2")
    assert table.sitting.cards == ""
    carries(table.due, inspected)
    table.opens()
    assert {"inspect as dealer", "wash", "stack", "riffle", "shuffle", "cut"} <= {f.act for f in table.sitting.shoe}
    carries(table.refuses_act("require mixing", "seat 2"), require)


@pytest.mark.parametrize(("edition", "version", "look", "require"), [right[:4] for right in RIGHTS])
def test_the_call_of_the_first_round_ends_the_players_rights(
    edition: str, version: str, look: str, require: str
) -> None:
    table = desk(edition, version, cards="pre-shuffled")
    table.opens()
    table.closes()
    carries(table.refuses_act("look at pre-shuffled decks", "seat 1"), look)
    carries(table.refuses_act("require mixing", "seat 1"), require)


@pytest.mark.parametrize(
    ("edition", "version", "due"),
    [("nz1996", "mini", "NZ1996-IV-8.2"), ("vic2002", "crown", "VIC2002-8.2.2a")],
)
def test_where_no_right_is_given_none_is_taken(edition: str, version: str, due: str) -> None:
    table = opened(edition, version)
    carries(table.refuses_act("require mixing", "seat 1"), due)
    carries(table.refuses_act("look at pre-shuffled decks", "seat 1"), due)


def test_a_table_put_down_in_its_fourth_round_gives_no_rights_of_the_first() -> None:
    table = desk("nz1998", cards="pre-shuffled")
    table.opens()
    table.sitting = replace(table.sitting, rounds=3)
    carries(table.refuses_act("require mixing", "seat 1"), "NZ1998-7.2b")


def test_nzd5_7_4_the_rights_are_about_pre_shuffled_cards_only() -> None:
    for cards in ("", "pre-checked"):
        table = desk("nzd5", "mini", cards=cards)
        table.opens()
        carries(table.refuses_act("require mixing", "seat 1"), "NZD5-7.4b")


# ---------------------------------------------------------------- replacing cards

REPLACED = [
    ("nz1996", "mini", ("casino manager", "shift manager"), "operator", "NZ1996-IV-7.6"),
    ("nz1996", "full", ("casino manager", "shift manager"), "game supervisor", "NZ1996-V-7.7"),
    ("nz1996", "midi", ("casino manager", "shift manager"), "casino supervisor", "NZ1996-IX-7.7"),
    ("nz1998", "full", ("operator",), "dealer", "NZ1998-7.7"),
    ("nzd5", "mini", ("operator",), "casino supervisor", "NZD5-7.10"),
    ("nzeb", "terminals", ("operator",), "dealer", "NZD5-7.10"),
    ("nzeb", "hybrid", ("operator",), "dealer", "NZD5-7.10"),
    ("vic2002", "traditional", ("casino supervisor",), "game supervisor", "VIC2002-4.4.2"),
]


@pytest.mark.parametrize(("edition", "version", "by", "not_by", "rule"), REPLACED)
def test_cards_are_replaced_only_between_rounds_and_only_by_those_named(
    edition: str, version: str, by: tuple[str, ...], not_by: str, rule: str
) -> None:
    for person in by:
        table = opened(edition, version)
        table.closes()
        carries(table.refuses_act("replace cards", person), rule)
        table.deals("2h 3d")
        carries(table.refuses_act("replace cards", person), rule)
        table.deals("4c 4s")
        carries(table.refuses_act("replace cards", person), rule)
        table.ends_round()
        carries(table.refuses_act("replace cards", not_by), rule)
        table.does("replace cards", person)
        assert (table.sitting.cards, table.sitting.rounds, table.sitting.said) == ("", 0, ())
        assert [fact.act for fact in table.sitting.shoe] == ["replace cards"]


@pytest.mark.parametrize(
    ("version", "rule", "first"),
    [
        ("mini", "NZ1996-IV-7.6", "NZ1996-IV-6.1"),
        ("full", "NZ1996-V-7.7", "NZ1996-V-6.1"),
        ("midi", "NZ1996-IX-7.7", "NZ1996-IX-6.1"),
    ],
)
def test_nz1996_an_inspector_is_told_of_a_replacement_before_the_new_cards_are_opened(
    version: str, rule: str, first: str
) -> None:
    table = opened("nz1996", version)
    table.plays(DRAWS)
    table.does("replace cards", "shift manager")
    table.expects(Perform("notify inspector of new cards", "shift manager or casino manager", rule))
    carries(table.refuses_act("inspect as dealer", "dealer"), rule)
    carries(table.refuses_act("notify inspector of new cards", "dealer"), rule)
    table.does("notify inspector of new cards", "casino manager")
    carries(table.due, first)


@pytest.mark.parametrize(("version", "rule"), [("full", "NZ1996-V-7.7"), ("midi", "NZ1996-IX-7.7")])
def test_nz1996_the_inspector_is_told_of_pre_shuffled_replacements_too(version: str, rule: str) -> None:
    table = opened("nz1996", version)
    table.does("replace cards", "casino manager", "pre-shuffled")
    carries(table.due, rule)
    table.does("notify inspector of new cards", "shift manager")
    assert table.text == "open sealed container by dealer"


def test_vic2002_4_4_2_some_cards_are_replaced_without_a_new_shuffle_all_of_them_with() -> None:
    table = opened("vic2002")
    table.plays()
    carries(table.refuses_act("replace some cards", "game supervisor"), "VIC2002-4.4.2")
    table.does("replace some cards", "casino supervisor")
    assert table.text == "call No more bets by dealer"
    table.does("replace cards", "casino supervisor")
    assert [table.text, table.due.rule] == ["check cards before gaming by dealer", "VIC2002-3.4"]


def test_new_cards_keep_the_seats_and_the_wagers_on_the_layout() -> None:
    table = opened("nz1998")
    table.plays()
    seats, wagers = table.sitting.seats, table.sitting.wagers
    table.does("replace cards", "operator")
    assert (table.sitting.seats, table.sitting.wagers) == (seats, wagers)
