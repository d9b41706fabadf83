"""A second opinion on baccarat, written from the gazettes' rules alone, and what an audit of the public surfaces found.

The first half settles random coups and counts small shoes by other code than croupier's: no table, no automaton, the
drawing rules as plain conditions and the money as one page of arithmetic.  Whatever the two disagree on is a fault of
one of them.  The second half keeps the faults that were found mended.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from fractions import Fraction
from itertools import permutations
from math import ceil
from random import Random
from typing import Any

import pytest

import croupier
from croupier.equipment import parse_card
from croupier.errors import BadInput, NotPermitted
from croupier.hearing import adjudicate, as_json, read_case
from croupier.law.editions import NZDT

VERSIONS = [
    ("nz1996", "mini"),
    ("nz1996", "full"),
    ("nz1996", "midi"),
    ("nz1998", "full"),
    ("nzd5", "mini"),
    ("nzd5", "midi"),
    ("nzd5", "full"),
    ("nzeb", "terminals"),
    ("nzeb", "hybrid"),
    ("vic2002", "traditional"),
    ("vic2002", "crown"),
]
NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SHOE = [name + suit for name in NAMES for suit in "cdhs" for _ in range(8)]
PAIRS = {1: (30, 10, 5), 2: (25, 12, 6)}


# ---------------------------------------------------------------- the second opinion


def value(card: str) -> int:
    return min(NAMES.index(card[:-1]) + 1, 10) % 10


def counts(cards: Sequence[str]) -> tuple[int, int, int] | None:
    """The final counts of Player and Banker and the number of cards used; None if the cards do not suffice."""
    points = [value(card) for card in cards]
    if len(points) < 4:
        return None
    player, banker, used = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10, 4
    if max(player, banker) > 7:
        return player, banker, used
    draws = banker <= 5
    if player <= 5:
        if len(points) == used:
            return None
        third = points[used]
        player, used = (player + third) % 10, used + 1
        draws = banker <= 2 or third in {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}.get(
            banker, ()
        )
    if draws:
        if len(points) == used:
            return None
        banker, used = (banker + points[used]) % 10, used + 1
    return player, banker, used


def pair_odds(first: str, second: str, scale: int) -> int | None:
    if first[:-1] != second[:-1]:
        return None
    perfect, coloured, mixed = PAIRS[scale]
    if first == second:
        return perfect
    return coloured if (first[-1] in "dh") == (second[-1] in "dh") else mixed


def stakes(case: dict[str, Any], *, half: bool) -> list[int]:
    """The valid part of each wager: within the maximum, payable after commission, within the differential."""
    sign, wagers = case["sign"], case["wagers"]
    chip, (free, most) = sign["chip"], sign.get("differential", (10**9, 10**9))
    voids = case["edition"] != "vic2002" and case["version"] != "terminals" and not half
    valid = [min(wager["amount"], sign.get("maximum", 10**12)) for wager in wagers]
    if voids:
        valid = [v - v % (20 * chip) if w["on"] == "banker" else v for v, w in zip(valid, wagers, strict=True)]
    total = {
        hand: sum(v for v, w in zip(valid, wagers, strict=True) if w["on"] == hand) for hand in ("player", "banker")
    }
    heavy = max(total, key=lambda hand: total[hand])
    allowed = min(total.values()) + (most if case["version"] == "traditional" else free)
    if total[heavy] <= allowed:
        return valid
    unit = 20 * chip if heavy == "banker" and not half else chip
    cut = [v * allowed // total[heavy] // unit * unit for v in valid]
    return [c if w["on"] == heavy else v for c, v, w in zip(cut, valid, wagers, strict=True)]


def settled(case: dict[str, Any]) -> list[tuple[str, int, int, int, int]]:
    """Result, winnings, commission, returned and voided of each wager of a case, by hand."""
    half = case["version"] == "crown" or bool(case["elections"].get("no_commission"))
    found = counts(case["facts"])
    assert found is not None
    valid = stakes(case, half=half)
    return [line(case, wager, stake, found, half=half) for wager, stake in zip(case["wagers"], valid, strict=True)]


def line(
    case: dict[str, Any], wager: dict[str, Any], stake: int, found: tuple[int, int, int], *, half: bool
) -> tuple[str, int, int, int, int]:
    player, banker, _ = found
    chip, void, on = case["sign"]["chip"], wager["amount"] - stake, wager["on"]
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    if stake == 0:
        return "void", 0, 0, void, void
    if on == "perfect_pairs":
        odds = pair_odds(case["facts"][0], case["facts"][2], case["elections"]["pay_scale"])
        pays = 0 if odds is None else ceil(Fraction(stake * odds, chip)) * chip
        return ("won", pays, 0, stake + pays + void, void) if pays else ("lost", 0, 0, void, void)
    if winner == "tie" != on:
        word = "void" if case["edition"] in ("nz1996", "vic2002") else "standoff"
        return word, 0, 0, wager["amount"], void
    if winner != on:
        return "lost", 0, 0, void, void
    taken = Fraction(0)
    if on == "banker":
        taken = Fraction(stake, 20) if not half else Fraction(stake, 2) if banker == 6 else taken
    if case["version"] == "traditional" and on != "tie" and "differential" in case["sign"]:
        taken += Fraction(max(0, stake - case["sign"]["differential"][0]), 40)
    pays = ceil(((8 if on == "tie" else 1) * stake - taken) / chip) * chip
    # New Zealand's half pay on six is odds of 1 to 2, Victoria's a commission.
    shown = 0 if half and case["version"] != "crown" else int(taken)
    return "won", pays, shown, stake + pays + void, void


def random_case(edition: str, version: str, random: Random) -> dict[str, Any]:
    cards = random.sample(SHOE, 6)
    if random.random() < 0.3:
        cards[2] = cards[0][:-1] + random.choice("cdhs")
    found = counts(cards)
    assert found is not None
    pairs = edition in ("nzd5", "nzeb")
    elections = {"no_commission": random.random() < 0.5, "pay_scale": random.choice((1, 2))} if pairs else {}
    sign: dict[str, object] = {"chip": random.choice((1, 5, 100, 250, 500))}
    if random.random() < 0.4:
        sign["maximum"] = random.choice((50_000, 100_000, 123_456))
    if random.random() < 0.4:
        free = random.choice((5_000, 10_000, 33_333))
        sign["differential"] = [free, free + random.choice((0, 10_000, 55_555))]
    names = ["player", "banker", "banker", "tie"]
    wagers = [
        {
            "on": random.choice(names),
            "amount": random.choice((1, 100, 2_500)) * random.randint(1, 80),
            "by": f"seat {n}",
        }
        for n in range(random.randint(1, 4))
    ]
    if pairs:
        wagers.append({"on": "perfect_pairs", "amount": random.randint(1, 9_999), "by": "seat 0"})
    head = {"edition": edition, "version": version, "elections": elections, "sign": sign}
    return head | {"wagers": wagers, "facts": cards[: found[2]]}


def heard(case: dict[str, Any]) -> dict[str, Any]:
    return as_json(adjudicate(read_case(json.dumps(case))))


@pytest.mark.parametrize(("edition", "version"), VERSIONS)
def test_random_coups_are_settled_as_by_hand(edition: str, version: str) -> None:
    random = Random(f"{edition} {version}")
    for _ in range(80):
        case = random_case(edition, version, random)
        settlements = [
            (each["result"], each["pays"], each["commission"], each["returned"], each["voided"])
            for each in heard(case)["settlements"]
        ]
        assert settlements == settled(case), case


@pytest.mark.parametrize(
    "cards",
    [
        ["3h", "9d", "Kc"],
        ["6h", "5d", "Kc", "Qs"],
        ["2h", "6d", "Kc", "Qs", "8h"],
        ["2h", "6d", "Kc", "Qs", "8h", "8h"],
        ["Ah", "Ah", "6d", "6s", "5c", "4d"],
    ],
)
def test_shoes_of_six_cards_and_fewer_are_counted_as_by_hand(cards: list[str]) -> None:
    """Every order of the cards, one by one: win, lose, tie and void of each main wager, and Crown's insurance."""
    results: Counter[str] = Counter()
    insured: Counter[str] = Counter()
    for order in permutations(cards):
        found = counts(order)
        result = "void" if found is None else "player" if found[0] > found[1] else "banker"
        result = "tie" if found and found[0] == found[1] else result
        results[result] += 1
        points = [value(card) for card in order]
        if len(points) > 3 and (points[1] + points[3]) % 10 == 6 and (points[0] + points[2]) % 10 <= 5:
            six = found is not None and found[1] == 6 and result == "banker"
            insured["void" if found is None else "lose" if six else "win"] += 1
    shoe = [0] * 52
    for card in cards:
        shoe[parse_card(card)] += 1
    rules = croupier.ruleset("vic2002", version="crown", elections={"runs": False})
    sheet = croupier.odds(rules, shoe=shoe)
    ways = sum(results.values())
    for wager, other in (("player", "banker"), ("banker", "player")):
        row = sheet.of(wager)[0]
        assert (row.win, row.lose, row.standoff, row.void) == tuple(
            Fraction(results[name], ways) for name in (wager, other, "tie", "void")
        )
    rows = sheet.found("insurance")
    assert len(rows) == bool(insured)
    for row in rows:
        offered = sum(insured.values())
        assert row.offered == Fraction(offered, ways)
        assert (row.win, row.lose, row.void) == tuple(Fraction(insured[x], offered) for x in ("win", "lose", "void"))


# ---------------------------------------------------------------- what the audit found


CASE = '{"edition":"nz1998","wagers":[{"on":"banker","amount":100}],"facts":["2h"]}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CASE.replace('"amount":100', '"amount":100,"amount":99900'), "'amount' is told twice"),
        (CASE.replace('"edition":"nz1998"', '"edition":"nz1998","edition":"nzd5"'), "'edition' is told twice"),
        (CASE.replace('["2h"]', '[{"irregular":"disruption","card":"2h","card":"3h"}]'), "'card' is told twice"),
        ("", "the case is empty"),
        (" \n", "the case is empty"),
        (CASE.encode().replace(b"nz1998", b"nz\xff1998"), "the case cannot be read: 'utf-8' codec"),
    ],
)
def test_a_case_of_which_nobody_can_say_what_it_means_is_not_heard(text: str | bytes, says: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_case(text)
    assert says in str(bad.value)
    assert "\n" not in str(bad.value)


def test_the_mark_with_which_some_editors_begin_a_file_is_no_fault() -> None:
    assert read_case(b"\xef\xbb\xbf" + CASE.encode()) == read_case(CASE)


@pytest.mark.parametrize("name", ["chip", "minimum", "maximum", "increment", "differential"])
def test_an_absurd_amount_on_the_sign_is_named(name: str) -> None:
    most = 10**12
    for amount, fine in ((most, True), (most + 1, False)):
        sign = {name: [0, amount] if name == "differential" else amount}
        if name == "minimum":
            sign["maximum"] = most
        case = json.loads(CASE) | {"sign": sign}
        if fine:
            assert heard(case)["settlements"][0]["amount"] == 100
        else:
            with pytest.raises(BadInput, match=name):
                heard(case)


@pytest.mark.parametrize(
    ("placed", "valid", "rule"),
    [
        (999, 0, "NZEB-3.4c.ii"),
        (1_000, 1_000, ""),
        (1_499, 1_000, "NZEB-3.4c.iii.B"),
        (2_300, 2_000, "NZEB-3.4c.iii.B"),
        (50_000, 50_000, ""),
        (50_001, 50_000, "NZEB-3.4c.iii.B"),
        (70_000, 50_000, "NZEB-3.4c.iii.B"),
    ],
)
def test_nzeb_3_4c_a_terminals_wager_goes_down_to_the_next_permitted(placed: int, valid: int, rule: str) -> None:
    case = {
        "game": "baccarat",
        "edition": "nzeb",
        "version": "terminals",
        "sign": {"minimum": 1_000, "increment": 500, "maximum": 50_000},
        "wagers": [{"on": "player", "amount": placed}],
        "facts": ["9h", "2d", "Kc", "Ks"],
    }
    line = heard(case)["settlements"][0]
    assert (line["voided"], line["returned"]) == (placed - valid, placed + valid)
    if not valid:
        assert (line["result"], line["rule"]) == ("void", rule)


@pytest.mark.parametrize("venue", ["christchurch", "Christchurch", " CHRISTCHURCH "])
def test_a_venue_is_known_however_its_name_is_written(venue: str) -> None:
    assert croupier.ruleset(on=date(1998, 2, 1), venue=venue).edition == "nz1998"
    with pytest.raises(NotPermitted) as refused:
        croupier.ruleset(game="craps", on=date(1998, 2, 1), venue=venue)
    assert refused.value.rule == "NZ1996-N-1"


@pytest.mark.parametrize("venue", ["crown", "Crown", "Melbourne", "Crown, Melbourne"])
def test_melbournes_casino_is_known_by_both_its_names(venue: str) -> None:
    assert croupier.ruleset(on=date(2002, 8, 8), venue=venue).edition == "vic2002"


def test_an_edition_named_with_a_venue_needs_the_venues_notice() -> None:
    assert croupier.ruleset("nz1998", venue="christchurch").version == "full"
    assert croupier.ruleset("nz1996", game="craps", venue="auckland").game == "craps"
    for game, version in (("craps", ""), ("baccarat", "midi")):
        with pytest.raises(NotPermitted) as refused:
            croupier.ruleset("nz1996", game=game, version=version, venue="christchurch")
        assert refused.value.rule == "NZ1996-N-1"


def test_an_edition_named_with_a_date_must_be_in_force() -> None:
    midnight = datetime(1998, 2, 1, tzinfo=NZDT)
    assert croupier.ruleset("nz1998", on=midnight, venue="auckland").edition == "nz1998"
    with pytest.raises(NotPermitted) as early:
        croupier.ruleset("nz1998", on=date(1998, 1, 31), venue="auckland")
    assert early.value.rule == "NZ1998-0.notice"
    with pytest.raises(NotPermitted, match="nz1996 does not govern full baccarat"):
        croupier.ruleset("nz1996", version="full", on=midnight, venue="auckland")
    assert croupier.ruleset("nz1996", version="mini", on=midnight, venue="auckland").edition == "nz1996"
    assert croupier.ruleset("nzd5", on=date(1997, 1, 1), venue="auckland").edition == "nzd5"


def test_a_date_is_a_date() -> None:
    with pytest.raises(BadInput, match="on is a date, not '1998-02-01'"):
        croupier.ruleset(on="1998-02-01", venue="auckland")  # type: ignore[arg-type]
