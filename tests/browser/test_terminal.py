"""The lobby and the terminal in a real Chromium, against a real house.

Table EB-1 is dealt by the virtual dealer; B-4 waits for a dealer who never comes, so betting stays open there and a
test may take its time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from tests.helpers.browser import (
    DESK,
    PHONE,
    ROOM,
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

FIRST_PAINT_BYTES = 100_000
DEALT, WAITING = "EB-1", "B-4"
# The reference case of the scoreboard: hands, and the colours of the three derived roads.
HANDS = "BPBBBPBBPPPPPPPPTBTBPTPBBBBPPTBBBPBBPBBTPBBPPB"
DERIVED = (
    "RBRBBBBRBRRRRRBRBRRRBRBRBRBBBBBBBBBBBRR",
    "BRBRRBBRRRRRRBRRRBRBRBRRRRBBRBRRRRRRBB",
    "RBBRRBRRRRBBBRRRRRBRRRBBBRRBBBBBBRR",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace="3,0.1,0.03") as (address, _):
        yield address


def test_a_guest_enters_bets_and_is_paid(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, house, wire=wire) as page:
        page.get_by_label("Your name").fill("Wendy")
        page.get_by_role("button", name=f"Practise at {DEALT}").click()
        expect(page.locator("#live")).to_have_text("Live")
        expect(page.locator("#practice")).to_be_visible()
        expect(page.locator("#credits")).to_have_text("$1,000.00")
        betting_opens(page)

        wire.holding = True
        tap(page, "banker", chip="$100 chip")
        banker = page.locator('[data-bet="banker"]')
        expect(banker.locator(".stack.pending")).to_have_count(1)
        expect(banker.locator(".stack.confirmed")).to_have_count(0)
        expect(page.locator("#sending")).to_have_text("+ $100.00 being sent")
        expect(page.locator("#wagered")).to_have_text("$0.00")

        wire.release()
        expect(banker.locator(".stack.confirmed")).to_have_count(1)
        expect(banker.locator(".stack.pending")).to_have_count(0)
        expect(page.locator("#wagered")).to_have_text("$100.00")
        expect(page.locator("#credits")).to_have_text("$900.00")

        expect(page.locator("#cutoff-words")).to_have_text("No more bets")
        expect(page.locator("#said")).to_contain_text("$100 on this hand")
        expect(page.locator("#right .card:not(.empty)").first).to_be_visible()
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        result = page.locator("#result .side").inner_text()
        # Banker pays even money less the commission of five per cent; a tie returns the stake.
        balance = {"B": "$1,095.00", "P": "$900.00", "T": "$1,000.00"}[result]
        expect(page.locator("#credits")).to_have_text(balance)
        expect(page.locator("#wagered")).to_have_text("$0.00")
        expect(page.locator("#win")).to_have_text("$95.00" if result == "B" else "–")


def test_a_lost_line_comes_back_and_asks_again_with_the_same_id(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, WAITING, "Xena"), wire=wire) as page:
        tap(page, "player")
        expect(page.locator("#wagered")).to_have_text("$25.00")

        wire.deaf = True
        tap(page, "banker", chip="$100 chip")
        expect(page.locator('[data-bet="banker"] .stack.pending')).to_have_count(1)
        wire.deaf = False
        wire.cut()
        expect(page.locator("#wagered")).to_have_text("$125.00")
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.locator("#live")).to_have_text("Live")
        expect(page.locator(".stack.pending")).to_have_count(0)
        expect(page.locator(".stack.confirmed")).to_have_count(2)

        banker = [message["id"] for message in wire.commands() if message["command"]["on"] == "banker"]
        assert len(banker) == 2
        assert len(set(banker)) == 1
        assert len({message["id"] for message in wire.commands()}) == 2


def test_an_offline_terminal_says_so_and_takes_no_bets(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, WAITING, "Yuri"), wire=wire) as page:
        tap(page, "tie")
        expect(page.locator("#wagered")).to_have_text("$25.00")
        wire.refusing = True
        wire.cut()
        expect(page.locator("#offline")).to_contain_text("$25 on the table is held")
        expect(page.locator("#live")).to_have_text("Offline")
        page.locator('[data-on="tie"]').click()
        expect(page.locator("#toast")).to_contain_text("was not sent")
        wire.refusing = False
        expect(page.locator("#live")).to_have_text("Live")
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.locator("#wagered")).to_have_text("$25.00")
        # What was in flight when the line was cut is sent again under its own id, and nothing else.
        assert len({message["id"] for message in wire.commands()}) == 1


def test_bets_are_taken_back_cleared_and_refused_with_a_reason(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, WAITING, "Zoe")) as page:
        wagered = page.locator("#wagered")
        for on in ("player", "tie", "tie"):
            tap(page, on)
        expect(wagered).to_have_text("$75.00")
        page.get_by_role("button", name="Undo").click()
        expect(wagered).to_have_text("$50.00")
        page.get_by_role("button", name="Take back").click()
        page.locator('[data-on="player"]').click()
        expect(wagered).to_have_text("$25.00")
        tap(page, "player")
        expect(wagered).to_have_text("$50.00")
        page.locator('[data-on="player"]').click(button="right")
        expect(wagered).to_have_text("$25.00")
        page.get_by_role("button", name="Clear").click()
        expect(wagered).to_have_text("$0.00")
        expect(page.locator("#credits")).to_have_text("$1,000.00")

        # What each of three odds is paid for is said where there is room for it.
        pairs = "mixed 5 · coloured 10 · perfect 30 to 1"
        expect(page.locator('[data-on="perfect_pairs"] .odds')).to_have_text(pairs)
        page.get_by_role("button", name="Rules").click()
        expect(page.locator("#rules-title")).to_be_in_viewport()
        expect(page.locator("#rules-pays")).to_contain_text(pairs)
        page.keyboard.press("Escape")
        tap(page, "perfect_pairs", chip="$500 chip")
        expect(page.locator("#toast")).to_contain_text("$500 on Perfect Pairs was not taken")
        expect(page.locator(".stack")).to_have_count(0)
        expect(wagered).to_have_text("$0.00")


def test_a_bet_that_chips_cannot_pay_is_refused_and_said(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, WAITING, "Wim")) as page:
        tap(page, "banker", chip="$5 chip")
        expect(page.locator("#toast")).not_to_be_empty()
        expect(page.locator(".stack.confirmed")).to_have_count(0)


def test_the_same_bets_are_repeated_and_the_board_counts(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, DEALT, "Vera")) as page:
        betting_opens(page)
        tap(page, "player")
        tap(page, "tie", chip="$5 chip")
        expect(page.locator("#wagered")).to_have_text("$30.00")
        betting_opens(page)
        expect(page.locator("#wagered")).to_have_text("$0.00")
        page.get_by_role("button", name="Repeat").click()
        expect(page.locator("#wagered")).to_have_text("$30.00")

        hands, *counts = map(int, page.locator(".shoe dd").all_inner_texts()[:4])
        assert hands == sum(counts) > 0
        expect(page.locator(".board .road")).to_have_count(5)
        expect(page.locator(".bead .road .disc")).to_have_count(hands)
        expect(page.get_by_role("img", name=f"Bead plate: {hands} hands")).to_have_count(1)


def test_the_own_results_follow_a_correction_and_another_house_begins_anew(browser: Browser, house: str) -> None:
    wire = Wire()
    with page_at(browser, terminal(house, WAITING, "Ria"), wire=wire) as page:
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        wire.frozen = True
        seen = wire.views()[-1]
        line = {"on": "player", "stake": 2_500, "box": 1, "at": 0, "rule": "NZD5-5.10a", "voided": 0, "number": 0}
        line |= {"result": "won", "returned": 5_000}
        outcomes = [
            {"round": number, "winner": "player", "player": 9, "banker": 7, "natural": True} for number in range(1, 31)
        ]

        def show(round_: int, last: dict[str, object] | None) -> None:
            me = {**seen["me"], "last": [last] if last else []}
            history = outcomes[: round_ - 1]
            wire.show({**seen, "round": round_, "history": history, "me": me})

        show(30, None)
        show(31, line)
        own = page.locator(".own tbody tr")
        expect(own).to_have_count(1)
        expect(own).to_contain_text("+ $25")
        # The round is corrected: its row says what is true now.
        outcomes[29] |= {"winner": "tie", "player": 9, "banker": 9, "was": dict(outcomes[29])}
        show(31, line | {"result": "standoff", "returned": 2_500})
        expect(page.locator("#toast")).to_contain_text("Hand 30 was corrected: Tie, 9 all")
        expect(own).to_contain_text("Tie, 9 all")
        expect(own).to_contain_text("$0")
        # A house that counts from the beginning is another one: nothing of the old one is said of it.
        expect(page.locator("#toast")).to_be_hidden()
        outcomes[0] |= {"winner": "banker", "player": 2, "banker": 8}
        show(2, None)
        expect(page.locator("#round")).to_have_text("Hand 2")
        expect(page.locator("#result-more")).to_have_text("over Player 2, hand 1")
        expect(own).to_have_text("Nothing settled yet.")
        expect(page.locator("#toast")).to_be_hidden()


def test_the_keyboard_is_enough(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, WAITING, "Uma")) as page:
        page.get_by_role("button", name="$5 chip", exact=True).press("Enter")
        page.get_by_role("button", name=re.compile(r"^Player, .*\$5 to \$1,000")).press("Enter")
        page.get_by_role("button", name=re.compile(r"^Player, .*\$5 to \$1,000")).press("Space")
        expect(page.get_by_role("button", name=re.compile(r"^Player, .*you have \$10"))).to_be_visible()
        page.get_by_role("button", name="Rules").press("Enter")
        expect(page.get_by_role("dialog", name="The rules of this table")).to_contain_text("New Zealand, Division 5")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_bet_of_another_game_is_placed_on_its_spot(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, "T-1", "Ted"), size=PHONE) as page:
        betting_opens(page)
        tap(page, "total:10")
        expect(page.locator('[data-bet="total:10"] .stake.confirmed')).to_have_text("$25")
        expect(
            page.get_by_role("button", name=re.compile(r"^Total 10, .*\$5 to \$1,000, you have \$25"))
        ).to_have_count(1)


def test_the_terminal_paints_from_less_than_100_kilobytes(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, WAITING, "Sam")) as page:
        expect(page.locator(".board .road")).to_have_count(5)
        fetched = page.evaluate(
            """() => {
                const [felt] = performance.getEntriesByName("felt");
                const all = ["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind));
                return all.filter(each => each.startTime < felt.startTime).map(each => [each.name, each.transferSize]);
            }"""
        )
        assert any("terminal/page.js" in name for name, _ in fetched)
        assert sum(size for _, size in fetched) < FIRST_PAINT_BYTES


def test_nothing_overflows_and_everything_has_a_name(browser: Browser, house: str) -> None:
    with page_at(browser, house, size=PHONE) as page:
        for size in (PHONE, DESK, ROOM):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            expect(page.locator(".tb")).to_have_count(tables(house))
            assert (overflow(page), unnamed(page), small(page)) == (0, [], [])
    with page_at(browser, terminal(house, WAITING, "Rob"), size=PHONE) as page:
        tap(page, "player")
        expect(page.locator("#wagered")).not_to_have_text("–")
        for size in (PHONE, DESK, ROOM):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            assert (overflow(page), unnamed(page), small(page)) == (0, [], [])
            # What rule 3.4 wants seen is seen at once, above the tray.
            foot = page.locator(".tray").bounding_box() if size == PHONE else None
            for item in page.locator("[data-rule]").all():
                box = item.bounding_box()
                assert box is not None
                assert box["y"] + box["height"] <= (foot["y"] + 1 if foot else size[1])
        page.get_by_role("button", name="Light theme").click()
        expect(page.locator("html")).to_have_attribute("data-theme", "desk")


def tables(house: str) -> int:
    with urlopen(f"{house}/api/tables", timeout=10) as answer:
        return len(json.load(answer)["tables"])


def test_the_roads_are_those_of_the_reference(browser: Browser, house: str) -> None:
    with page_at(browser, house) as page:
        drawn = page.evaluate(
            """async hands => {
                const roads = await import("/kit/scoreboard/roads.js");
                const letters = back => roads.derivedColours([...hands], back).map(c => c[0].toUpperCase()).join("");
                const big = roads.bigRoad([...hands]);
                return {derived: [1, 2, 3].map(letters), big, bead: roads.bead([...hands]).at(-1)};
            }""",
            HANDS,
        )
    assert tuple(drawn["derived"]) == DERIVED
    # The eight Players fall to the floor and turn right twice; a tie marks the last of them and each of the next two.
    tail = [(entry["column"], entry["row"], entry["ties"]) for entry in drawn["big"][8:16]]
    assert tail == [(5, row, 0) for row in range(6)] + [(6, 5, 0), (7, 5, 1)]
    assert (drawn["bead"]["column"], drawn["bead"]["row"]) == divmod(len(HANDS) - 1, 6)
