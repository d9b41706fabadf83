"""The terminals of the other games in a real Chromium, against a real house: choices, odds, splits, and no growth."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.browser import (
    DESK,
    PHONE,
    Wire,
    betting_opens,
    chromium,
    needs_chromium,
    overflow,
    page_at,
    small,
    tap,
    terminal,
    unnamed,
)
from tests.helpers.houses.served import served

pytestmark = needs_chromium

ROULETTE, TAI_SAI, CRAPS, BLACKJACK, STUD, WHEEL = "R-1", "T-1", "C-1", "J-1", "S-1", "W-1"
MANY, NODES_MORE, BYTES_MORE = 60, 400, 1_500_000
"""By how much a page may have grown after so many rounds: to keep ten nodes or the views of each would be more."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace="2.5,0.03,0.01") as (address, _):
        yield address


def placed(page: Page, on: str, amount: str) -> None:
    expect(page.locator(f'[data-bet="{on}"] .stake.confirmed')).to_have_text(amount)


def round_of(page: Page) -> int:
    return int(page.locator("#round").inner_text().split()[-1])


def test_a_person_decides_a_hand_of_blackjack(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, BLACKJACK, "Nora"), wire=wire) as page:
        expect(page.locator(".wedge")).to_have_count(7)
        expect(page.locator("#practice")).to_be_visible()
        hit = page.locator("#choices").get_by_role("button", name="Hit")
        own = int(page.locator(".own-seat").get_attribute("data-box") or 0) - 1
        # A hand that was dealt a blackjack has nothing to decide: then the next one will.
        for _ in range(4):
            betting_opens(page)
            tap(page, "main")
            placed(page, "main", "$25")
            expect(page.locator(f".cards-of >> nth={own} >> .card")).to_have_count(2)
            number = round_of(page)
            while round_of(page) == number and not hit.is_visible():
                page.wait_for_timeout(20)
            if hit.is_visible():
                break
        expect(page.locator("#cutoff-words")).to_have_text("to choose")
        # Nobody else decides this hand while its player is here.
        expect(page.locator(".wedge.yours.turn")).to_have_count(1)
        hit.click()
        expect(page.locator(f".cards-of >> nth={own} >> .card")).to_have_count(3)
        facts = [asked["command"]["fact"] for asked in wire.commands() if asked["command"]["type"] == "Tell"]
        assert [(fact["choose"], fact["by"], fact["hand"]) for fact in facts] == [("hit", "Nora", 1)]
        assert not re.search("advice|should|recommend|best", page.locator("body").inner_text(), re.IGNORECASE)


def test_a_person_bets_or_folds_at_stud(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, STUD, "Olga")) as page:
        betting_opens(page)
        tap(page, "ante")
        placed(page, "ante", "$25")
        page.locator('[data-on="jackpot"]').click()
        placed(page, "jackpot", "$1")
        choices = page.locator("#choices")
        expect(choices.get_by_role("button")).to_have_text(["Foldante is lost", "Bet$50"])
        expect(page.locator(".dealer-hand .face-down")).to_have_count(4)
        expect(page.locator(".own-hand .card:not(.empty):not(.face-down)")).to_have_count(5)
        assert (overflow(page), unnamed(page), small(page)) == (0, [], [])
        number = round_of(page)
        choices.get_by_role("button", name="Bet").click()
        expect(page.locator(".dealer-hand .face-down")).to_have_count(0)
        expect(page.locator("#result-more")).to_contain_text(f"round {number}")
        expect(page.locator("#result")).to_have_text(re.compile(r"\w"))
    record = httpx.get(f"{house}/api/tables/{STUD}/rounds/{number}", timeout=20).json()
    added = [entry for entry in record["entries"] if entry["words"].startswith("Olga adds")]
    assert [move["amount"] for entry in added for move in entry["transfers"]] == [5_000]


def test_odds_at_craps_wait_for_the_point(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, CRAPS, "Pia")) as page:
        lined = page.locator('[data-bet="pass"] .stake.confirmed')
        backed = page.locator('[data-bet^="pass_odds"] .stake.confirmed')
        open_to_me = '[aria-disabled="false"]:not(.shut)'
        for _ in range(600):
            odds = page.locator(f'[data-on^="pass_odds"]{open_to_me}')
            if odds.count():
                # Only the point can be backed, and the line itself not any more; a throw may come in between.
                assert odds.count() == 1
                assert page.locator(f'[data-on="pass"]{open_to_me}').count() == 0
                odds.click()
            elif page.locator(f'[data-on="pass"]{open_to_me}').count() and not lined.count():
                tap(page, "pass", chip="$5 chip")
            page.wait_for_timeout(200)
            if backed.count():
                return
        raise AssertionError(f"no odds were taken: {page.locator('#toast').inner_text()}")


def test_lines_of_roulette_are_pressed_read_and_released(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, ROULETTE, "Quin")) as page:
        betting_opens(page)
        tap(page, "split:17-20")
        placed(page, "split:17-20", "$25")
        expect(page.get_by_role("button", name=re.compile(r"^Split 17, 20, 17 to 1, .*you have \$25"))).to_be_visible()
        # Pressed, a place says itself and lights what it covers; slid to another it is that one; Escape lets go.
        corner, number = (page.locator(f'[data-on="{on}"]').bounding_box() for on in ("corner:1-2-4-5", "straight:8"))
        assert corner
        assert number
        page.mouse.move(corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2)
        page.mouse.down()
        expect(page.locator(".say")).to_contain_text("Corner 1, 2, 4, 5, 8 to 1")
        expect(page.locator(".no.covered")).to_have_count(4)
        page.mouse.move(number["x"] + number["width"] / 2, number["y"] + number["height"] / 2)
        expect(page.locator(".say")).to_contain_text("Straight up 8, 35 to 1")
        expect(page.locator(".no.covered")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(".no.covered")).to_have_count(0)
        page.mouse.up()
        expect(page.locator('[data-bet="straight:8"] .stake')).to_have_count(0)
        expect(page.locator('[data-bet="corner:1-2-4-5"] .stake')).to_have_count(0)


@pytest.mark.parametrize(
    ("table", "count"), [(ROULETTE, 157), (TAI_SAI, 50), (CRAPS, 66), (BLACKJACK, 3), (STUD, 2), (WHEEL, 7)]
)
def test_every_layout_fits_and_can_be_touched(browser: Browser, house: str, table: str, count: int) -> None:
    """Every wager that the table offers has a place; at blackjack insurance is a choice on a phone."""
    wire = Wire()
    with page_at(browser, terminal(house, table, "Rita"), size=PHONE, wire=wire) as page:
        expect(page.locator("#live")).to_have_text("Live")
        wire.holding = True
        while not (held := views(wire)):
            page.wait_for_timeout(50)
        wire.release()
        offers = set(held[0]["offers"]) - {"insurance"}
        assert len(held[0]["offers"]) == count
        for size in (PHONE, DESK):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            assert drawn(page) >= offers
            expect(page.locator("#practice")).to_be_visible()
            fits(page, size)
            for tab in page.locator(".segments.parts button:visible").all():
                tab.click()
                fits(page, size)


def drawn(page: Page) -> set[str]:
    """The wagers that have a place on the felt."""
    expect(page.locator("[data-bet]").first).to_be_attached()
    return set(page.locator("[data-bet]").evaluate_all("all => all.map(each => each.dataset.bet)"))


def fits(page: Page, size: tuple[int, int]) -> None:
    """Nothing overflows and everything is named and large enough; on the desk the layout does not even scroll."""
    assert (overflow(page), unnamed(page), small(page)) == (0, [], [])
    if size == DESK:
        assert page.locator("#layout > :last-child").evaluate("each => each.scrollHeight - each.clientHeight") <= 1


def test_a_wager_that_was_held_up_is_not_placed_in_the_next_round(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, WHEEL, "Sven"), wire=wire) as page:
        betting_opens(page)
        number = round_of(page)
        wire.deaf = True
        tap(page, "A")
        expect(page.locator('[data-bet="A"] .stake.pending')).to_have_text("$25 …")
        while round_of(page) == number:
            page.wait_for_timeout(50)
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        wire.deaf = False
        wire.cut()
        expect(page.locator("#toast")).to_contain_text(f"meant for round {number}; the table is at round")
        expect(page.locator("#wagered")).to_have_text("$0.00")
        expect(page.locator('[data-bet="A"] .stake')).to_have_count(0)
        sent = [asked for asked in wire.commands() if asked["command"]["type"] == "PlaceWager"]
        assert {(asked["id"], asked["round"]) for asked in sent} == {(sent[0]["id"], number)}
        assert len(sent) == 2


def test_the_order_of_a_shoe_can_be_checked_from_the_rules(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, STUD, "Tess")) as page:
        betting_opens(page)
        page.get_by_role("button", name="Rules").click()
        dialog = page.get_by_role("dialog", name="The rules of this table")
        expect(dialog).to_contain_text("SHA-256")
        hashes = dialog.locator("code").all_inner_texts()
        assert re.fullmatch("[0-9a-f]{64}", hashes[0])
        assert overflow(page) == 0


# ---------------------------------------------------------------- weight and growth


def test_files_are_sent_compressed_to_those_who_take_it(house: str) -> None:
    plain = httpx.get(f"{house}/terminal/page.js", headers={"Accept-Encoding": "identity"})
    zipped = httpx.get(f"{house}/terminal/page.js", headers={"Accept-Encoding": "br, gzip;q=0.5"})
    refused = httpx.get(f"{house}/terminal/page.js", headers={"Accept-Encoding": "gzip;q=0, *"})
    assert (plain.content, refused.content) == (zipped.content, zipped.content)
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in refused.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert int(zipped.headers["content-length"]) < len(plain.content) / 2
    assert {each.headers["vary"] for each in (plain, zipped, refused)} == {"Accept-Encoding"}


def grown(page: Page) -> tuple[float, float]:
    """Nodes and bytes of the page's memory, once what nobody holds is gone."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    for _ in range(3):
        devtools.send("HeapProfiler.collectGarbage")
    metrics = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    devtools.detach()
    return metrics["Nodes"], metrics["JSHeapUsedSize"]


def test_a_page_does_not_grow_through_many_rounds(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, BLACKJACK, "Uta"), wire=wire) as page:
        betting_opens(page)
        tap(page, "main")
        placed(page, "main", "$25")
        number = round_of(page)
        # What the table tells in one round is kept, and then told again as many rounds.
        wire.holding = True
        while not (held := views(wire)) or held[-1]["round"] == number:
            page.wait_for_timeout(100)
        # A dozen views from its beginning to its end are enough: what a page keeps, it keeps of every one.
        held = [*held[:: len(held) // 12 + 1], held[-1]]
        again(page, wire, held, range(1_000, 1_020))
        nodes, used = grown(page)
        again(page, wire, held, range(1_020, 1_020 + MANY))
        nodes_now, used_now = grown(page)
    assert nodes_now - nodes < NODES_MORE
    assert used_now - used < BYTES_MORE


def views(wire: Wire) -> list[dict[str, Any]]:
    messages = (json.loads(text) for _, text in list(wire.held))
    return [message["view"] for message in messages if message["type"] == "View"]


def again(page: Page, wire: Wire, views: list[dict[str, Any]], rounds: range) -> None:
    """The same round once more under each of these numbers, with a full board of results."""
    assert wire.line is not None
    for number in rounds:
        history = [{"round": number - back, "dealer": 12 + back % 14} for back in range(90, 0, -1)]
        for view in views:
            text = json.dumps({"type": "View", "line": number, "view": {**view, "round": number, "history": history}})
            wire.line.send(text)
        page.wait_for_timeout(1)
    expect(page.locator("#round")).to_have_text(f"Round {rounds[-1]}")


def test_what_may_be_chosen_beside_what_is_due_is_told_with_its_box(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, BLACKJACK, "Vic"), wire=wire) as page:
        expect(page.locator("#live")).to_have_text("Live")
        wire.holding = True
        while not (held := views(wire)):
            page.wait_for_timeout(50)
        box = held[0]["me"]["seat"]
        offers = [{"choose": option, "by": "Vic", "box": box} for option in ("insure", "even_money")]
        due = {"kind": "choose", "says": "", "by": "Ida", "options": ["stand", "hit"], "rule": "", "summary": ""}
        dealing = {**held[0], "betting": {"open": False, "reason": "", "rule": "", "shut": []}, "due": due}
        assert wire.line is not None
        view = {**dealing, "me": {**held[0]["me"], "may": offers, "asked": False}}
        wire.line.send(json.dumps({"type": "View", "line": 1, "view": view}))
        expect(page.locator("#choices button")).to_have_text(["Insure", "Even money", "No"])
        page.locator(f'[data-on="insurance"][data-box="{box}"]').click()
        page.locator("#choices").get_by_role("button", name="Even money").click()
        expect(page.locator("#choices button").first).to_be_disabled()
        facts = [asked["command"]["fact"] for asked in wire.commands() if asked["command"]["type"] == "Tell"]
        assert facts == offers

        # Whoever shares a box that was split says on which of the two hands the wager rides.
        boxes = [{"number": box, "hands": [["8h"], ["8s"]], "asked": [1, 2]}]
        ride = {**due, "by": "Vic", "options": ["split", "ride"], "box": box, "hand": 1}
        view = {
            **dealing,
            "due": ride,
            "layout": {**held[0]["layout"], "boxes": boxes},
            "me": {**held[0]["me"], "asked": True, "may": []},
        }
        wire.line.send(json.dumps({"type": "View", "line": 2, "view": view}))
        expect(page.locator("#choices button")).to_have_text(["Split", "Ride on hand 1", "Ride on hand 2"])
        page.locator("#choices").get_by_role("button", name="Ride on hand 2").click()
        page.wait_for_timeout(50)
        assert wire.commands()[-1]["command"]["fact"] == {"choose": "ride", "by": "Vic", "box": box, "hand": 2}
