"""The dealer console and the inspector in a real Chromium, against a real house: rounds run by keyboard alone."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.browser import DESK, PHONE, ROOM, chromium, needs_chromium, overflow, page_at, quiet_house
from tests.helpers.houses.served import served

PACE = "2,0.1,0.03"
TABLE, FRESH = "B-4", "B-8"
CONTROLS = {"button", "textbox", "radio", "combobox", "link", "searchbox", "checkbox"}
pytestmark = needs_chromium

Act = dict[str, Any] | str


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace=PACE) as (address, _):
        yield address


def post(address: str, path: str, body: object) -> dict[str, Any]:
    asked = Request(address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(asked, timeout=10) as answer:
        content: dict[str, Any] = json.load(answer)
        return content


def two_bet(address: str) -> None:
    """Two players at the table that no virtual player knows, each with a wager."""
    for name in ("Gus", "Hal"):
        ticket = post(address, "/api/enter", {"name": name, "role": "player", "table": FRESH})["ticket"]
        command = {"type": "PlaceWager", "player": name, "on": "player", "amount": 2_500}
        asked = {"id": secrets.token_hex(16), "ticket": ticket, "command": command}
        assert post(address, f"/api/tables/{FRESH}/commands", asked)["done"]


def tell(address: str, *facts: Act, role: str = "dealer") -> None:
    """Facts told by somebody else than the page, a person for each role; each must be taken."""
    name = "Dot" if role == "dealer" else "Sue"
    ticket = post(address, "/api/enter", {"name": name, "role": role, "table": TABLE})["ticket"]
    for fact in facts:
        command = {"type": "Tell", "fact": fact}
        answer = post(
            address,
            f"/api/tables/{TABLE}/commands",
            {"id": secrets.token_hex(16), "ticket": ticket, "command": command},
        )
        assert answer["done"], (fact, answer)


def ask(address: str, role: str, command: dict[str, Any]) -> None:
    """A command of somebody else than the page; it must be done."""
    ticket = post(address, "/api/enter", {"name": f"The {role}", "role": role, "table": TABLE})["ticket"]
    asked = {"id": secrets.token_hex(16), "ticket": ticket, "command": command}
    answer = post(address, f"/api/tables/{TABLE}/commands", asked)
    assert answer["done"], answer


def due(page: Page, words: str) -> None:
    expect(page.locator("#due .what")).to_have_text(words)


def typed(page: Page, *strokes: str) -> None:
    for stroke in strokes:
        page.keyboard.press(stroke)


def nameless(page: Page) -> list[str]:
    """The controls that a screen reader could not name."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    return [
        str(node["role"]["value"])
        for node in tree["nodes"]
        if not node.get("ignored")
        and node["role"]["value"] in CONTROLS
        and not node.get("name", {}).get("value", "").strip()
    ]


# Found and measured in one turn of the page: a page that draws itself anew takes away what was found before.
SEEN = "each => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().height > 0"
LOW = f"""() => [...document.querySelectorAll("button:not(.tag), select, input:not([type=radio])")].filter({SEEN})
  .map(each => [each.getBoundingClientRect().height, each.outerHTML.slice(0, 80)])
  .filter(([height]) => height < 43.5).map(([height, text]) => `${{height}}: ${{text}}`)"""


def too_small(page: Page) -> list[str]:
    """The buttons and fields that a finger would miss: under 44 pixels high (tags carry their area around them)."""
    found: list[str] = page.evaluate(LOW)
    return found


# Every element with text of its own, on a plain ground: its words, its colour, the ground, its size and its weight.
TEXTS = (
    rf"() => [...document.querySelectorAll('body *')].filter({SEEN})"
    r""".flatMap(each => {
  if (![...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())) return [];
  for (let under = each; under; under = under.parentElement) {
    const how = getComputedStyle(under);
    if (how.backgroundImage !== "none" || how.opacity !== "1") return [];
    const see_through = /^rgba\(.*, 0\)$/.test(how.backgroundColor);
    if (!see_through && !how.backgroundColor.startsWith("rgb(")) return [];
    const own = getComputedStyle(each);
    if (!see_through) return [[each.textContent.trim().slice(0, 40), own.color, how.backgroundColor,
                               parseFloat(own.fontSize), Number(own.fontWeight)]];
  }
  return [];
})"""
)


def light(colour: str) -> float:
    """The relative luminance of `rgb(…)`, by the formula of WCAG."""
    parts = (float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def faint(page: Page) -> list[str]:
    """Texts that are too faint to read: less than 4.5 to 1, large ones less than 3 to 1."""
    seen = page.evaluate(TEXTS)
    assert len(seen) > 20
    found = []
    for words, ink, ground, size, weight in seen:
        low, high = sorted((light(ink), light(ground)))
        large = size >= 24 or (size >= 18.6 and weight >= 700)
        if (high + 0.05) / (low + 0.05) < (3 if large else 4.5):
            found.append(f"{words}: {ink} on {ground}")
    return found


OPENING = (
    "Spread in rows or columns for players",
    "Turn face down",
    "Wash",
    "Stack",
    "Riffle",
    "Shuffle",
)


def open_by_keyboard(page: Page) -> None:
    """The whole opening, step by step, with nothing but the keyboard."""
    due(page, "Inspect as dealer")
    typed(page, "Enter")
    due(page, "Inspect as game supervisor")
    typed(page, "Enter")
    for step in OPENING:
        due(page, step)
        typed(page, "Enter")
    due(page, "Seat 1 decides")
    typed(page, "1")
    due(page, "Cut")
    page.keyboard.type("150")
    typed(page, "Enter")
    due(page, "Insert cutting card")
    typed(page, "Enter")
    due(page, "Load")
    typed(page, "Enter")
    due(page, "Burn face up")
    typed(page, "5", "h")
    due(page, "Burn face down")
    typed(page, "Enter")
    due(page, "Discard burned cards")
    typed(page, "Enter")
    due(page, "Call No more bets")


def open_by_others(address: str) -> None:
    """The same opening, told without a page."""
    acts: list[Act] = [{"perform": step[0].lower() + step[1:], "by": "dealer"} for step in OPENING]
    tell(address, {"perform": "inspect as dealer", "by": "dealer"})
    tell(address, {"perform": "inspect as game supervisor", "by": "game supervisor"}, role="game supervisor")
    tell(address, *acts, {"choose": "cut", "by": "seat 1"}, {"perform": "cut", "by": "seat 1", "detail": 150})
    tell(address, {"perform": "insert cutting card", "by": "dealer", "detail": 20}, {"perform": "load", "by": "dealer"})
    tell(address, {"perform": "burn face up", "by": "dealer", "detail": "2c"})
    tell(address, {"perform": "burn face down", "by": "dealer", "detail": 2})
    tell(address, {"perform": "discard burned cards", "by": "dealer"})


def deal_by_keyboard(page: Page, *cards: str) -> None:
    """All wagers are down, betting is closed, and cards are typed as fast as they come."""
    expect(page.locator(".t.ok")).to_have_count(2)
    due(page, "Call No more bets")
    typed(page, "Enter")
    due(page, "Card to the Player")
    typed(page, *(stroke for card in cards for stroke in card))
    expect(page.locator("#felt .hand > .card:not(.empty)")).to_have_count(len(cards))


def test_a_keyboard_only_coup_from_the_opening_to_the_settlement(
    browser: Browser, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> None:
    fresh = quiet_house(pytestconfig, tmp_path_factory).address
    two_bet(fresh)
    with page_at(browser, f"{fresh}/dealer?table={FRESH}", size=ROOM) as page:
        open_by_keyboard(page)
        deal_by_keyboard(page, "9h", "Kd", "0c", "7s")
        due(page, "Announce player")
        expect(page.locator(".box.player h3 b")).to_have_text("9")

        # A card that is not due is refused with its rule, and its key keeps its ring.
        typed(page, "2", "c")
        refused = page.get_by_role("alert").filter(has_text="refused")
        expect(refused).to_contain_text("refused: ")
        expect(refused.locator(".tag")).to_have_text("NZD5-8.6")
        expect(page.locator(".key.on")).to_have_attribute("aria-label", "2 of clubs")

        typed(page, "Enter")
        due(page, "Announce banker")
        expect(page.locator(".key.on")).to_have_count(0)
        typed(page, "Enter")
        due(page, "Announce result")
        typed(page, "Enter")
        due(page, "Collect losing wagers")

        # The last entry is taken back, on the record, and done again.
        typed(page, "Backspace")
        expect(page.get_by_role("dialog")).to_be_visible()
        expect(page.locator("#back-what")).to_have_text("Announce result")
        typed(page, "Enter")
        due(page, "Announce result")
        expect(page.locator("#log")).to_contain_text("Taken back: Announce result")
        typed(page, "Enter")
        due(page, "Collect losing wagers")
        typed(page, "Enter")
        # Whom, how much, in which chips; a seat's number ticks it off, and the act is told once for all.
        due(page, "Pay Gus $25.00 on Player")
        rows = page.locator("#pay .give > ul > li")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text("1 to 1")
        expect(rows.first.locator(".chips")).to_have_text(["1 × $25"])
        typed(page, rows.first.locator(".seat").inner_text())
        due(page, "Pay Hal $25.00 on Player")
        expect(page.locator("#due .why")).to_have_text("1 of 2 paid; $25.00 is left to pay.")
        expect(page.get_by_role("button", name="Paid: Gus, $25.00")).to_have_attribute("aria-pressed", "true")
        typed(page, "Enter")
        due(page, "Call No more bets")
        expect(page.locator("#pay")).to_be_hidden()
        expect(page.locator("#results li").first).to_contain_text("Player wins, 9 over 7")

        # The cutting card is never due: it is told when it comes.
        two_bet(fresh)
        expect(page.locator(".t.ok")).to_have_count(2)
        typed(page, "Enter")
        due(page, "Card to the Player")
        typed(page, "x")
        expect(page.locator("#log")).to_contain_text("Cutting card")
        assert nameless(page) == []
        assert too_small(page) == []
        assert faint(page) == []
        page.get_by_role("button", name="Light theme").click()
        assert faint(page) == []


def test_an_irregularity_is_ruled_on_from_the_console_and_the_inspector_reads_it(browser: Browser, house: str) -> None:
    open_by_others(house)
    with page_at(browser, f"{house}/dealer?table={TABLE}", size=ROOM) as page:
        deal_by_keyboard(page, "6h", "Kd", "0c", "5s")
        due(page, "Announce player")
        typed(page, "Enter")
        due(page, "Announce banker")
        typed(page, "Enter")
        due(page, "Third card to the Banker")

        typed(page, "i")
        panel = page.get_by_role("complementary", name="Irregularity")
        expect(panel.get_by_role("radio")).to_have_count(13)
        # Each says its printed numbers, or that these rules have none for it.
        expect(panel.locator(".choice", has_text="a hand that is due none")).to_contain_text("12.1, 12.2")
        expect(panel.locator(".choice", has_text="A disturbance")).to_contain_text("no rule of its own")
        assert nameless(page) == []
        typed(page, "Space", "Tab")
        page.keyboard.type("9d")
        typed(page, "Enter")
        expect(panel.locator(".say")).to_have_text("The 9 of diamonds is the Banker’s card.")
        expect(panel.locator(".cite .tag")).to_have_text("NZD5-12.1a")
        expect(panel).to_contain_text("becomes its third card")
        typed(page, "Enter")
        expect(panel).to_be_hidden()

        due(page, "Announce result")
        expect(page.locator(".box.banker h3 b")).to_have_text("4")
        tell(house, *({"perform": act, "by": "dealer"} for act in ("announce result", "collect losing wagers")))
        expect(page.locator("#due .what")).to_have_text(re.compile(r"^Pay \w+ \$[\d,.]+ on \w+$"))
        typed(page, "Enter")
        due(page, "Call No more bets")

    with page_at(browser, f"{house}/inspector?table={TABLE}&round=1", size=ROOM) as page:
        expect(page.locator(".verdict")).to_contain_text("Player wins, 6 over 4")
        expect(page.locator(".verdict")).to_contain_text("Irregular")
        expect(page.locator("#felt").get_by_role("img", name="9 of diamonds")).to_be_visible()
        ruled = page.locator(".steps .ruled")
        expect(ruled).to_contain_text("Wrong third card: reassign")
        ruled.get_by_role("button", name="Rule NZD5-12.1a").click()
        expect(ruled.locator(".rulesheet")).to_contain_text("becomes its third card")
        # Ordinary lines are folded, with their count; unfolded, every one has its rule.
        expect(page.locator(".steps > .fold").first).to_contain_text("lines: ")
        expect(page.locator(".steps .meant")).to_have_count(0)
        page.get_by_role("button", name="All lines").click()
        expect(page.locator(".steps > .fold")).to_have_count(0)
        steps = page.locator(".steps > li")
        assert steps.count() == page.locator(".steps > li > .tags > .tag").count()
        expect(page.locator("#ledger")).to_contain_text("Balanced")
        assert nameless(page) == []
        assert too_small(page) == []
        assert faint(page) == []


def test_what_the_table_cannot_rule_on_is_said_with_its_rule(browser: Browser, house: str) -> None:
    tell(house, {"perform": "call No more bets", "by": "dealer"}, "6h")
    with page_at(browser, f"{house}/dealer?table={TABLE}", size=PHONE) as page:
        due(page, "Card to the Banker")
        page.get_by_role("button", name="Something went wrong").click()
        page.get_by_role("radio", name="A disturbance may have compromised the game").check()
        page.get_by_role("button", name="Rule on it").click()
        no = page.locator(".ruling.no")
        expect(no).to_contain_text("the game supervisor decides")
        expect(no.locator(".tag")).to_have_text("NZ1996-I-8.1")
        # What an official must call is named where no call was chosen.
        page.get_by_role("radio", name="Cards were dealt out of sequence").check()
        page.get_by_role("button", name="Rule on it").click()
        expect(no).to_contain_text("No call was chosen. There is: reconstruct, void.")
        assert overflow(page) <= 0


def test_a_dispute_is_raised_here_and_decided_in_its_turn(browser: Browser, house: str) -> None:
    with page_at(browser, f"{house}/inspector?table={TABLE}&round=1", size=ROOM) as page:
        expect(page.locator("#title")).to_have_text("Round 1")
        expect(page.locator(".steps > li").first).to_be_visible()
        page.get_by_label("Complainant").fill("Gus")
        page.get_by_label("About").fill("the third card of round 1")
        page.get_by_role("button", name="Open a dispute").click()
        # In the first instance it is before the game supervisor, and not the inspector's to decide.
        entry = page.locator("#disputes li").first
        expect(entry).to_contain_text("the third card of round 1. It is before the game supervisor.")
        expect(entry.locator(".tag")).to_have_text("NZ1996-I-8.1")
        expect(entry.get_by_role("button", name="Decide")).to_have_count(0)
        # The round has its badge, and the filter finds it by that.
        row = page.locator("#rounds tr")
        page.get_by_role("button", name="Disputed 1").click()
        expect(row).to_have_count(1)
        expect(row).to_contain_text("Disputed")
        for official in ("game supervisor", "casino supervisor"):
            ask(house, official, {"type": "DecideDispute", "dispute": 0, "decision": "the ruling stands"})
            name = "inspector" if official == "casino supervisor" else "casino supervisor"
            page.get_by_role("button", name=f"Gus asks the {name} for a review").click()
        entry.get_by_role("textbox").fill("The ruling stands.")
        entry.get_by_role("button", name="Decide").click()
        expect(entry.locator(".pill")).to_have_text("decided")
        page.get_by_label("Round", exact=True).fill("999")
        page.get_by_role("button", name="Read it").click()
        expect(page.locator("#notice")).to_contain_text("has no round 999")


@pytest.mark.parametrize(
    ("table", "title", "keys"), [("R-1", "Ball fell", 37), ("T-1", "Dice fell", 6), ("C-1", "Dice fell", 6)]
)
def test_the_console_has_the_keys_of_games_without_cards(
    browser: Browser, house: str, table: str, title: str, keys: int
) -> None:
    with page_at(browser, f"{house}/dealer?table={table}", size=DESK) as page:
        expect(page.locator("#entry-title")).to_have_text(title)
        expect(page.locator(".keys .key")).to_have_count(keys)
        what = page.locator("#due .what")
        expect(what).not_to_be_empty()
        assert overflow(page) <= 0
        # The table plays on by itself; what can be pressed meanwhile is not drawn anew under the finger.
        pause = page.get_by_role("button", name="Pause it and deal").element_handle()
        expect(what).not_to_have_text(what.inner_text())
        assert pause.evaluate("each => each.isConnected")
        assert "[object" not in page.locator("#felt").inner_text()


def test_a_spin_is_told_in_five_strokes(
    browser: Browser, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Space does what is due and what follows as usual, up to what somebody must see, say or pay."""
    here = replace(quiet_house(pytestconfig, tmp_path_factory), table="R-2", tickets={})
    ann = here.post("/api/enter", {"name": "Ann", "role": "player", "table": "R-2"}).json()["ticket"]
    with page_at(browser, f"{here.address}/dealer?table=R-2", size=ROOM) as page:
        due(page, "Turn wheel")
        typed(page, "Space")
        due(page, "Call No more bets")
        for on, number in (("straight:17", "17"), ("straight:5", "5")):
            assert here.ask(ann, "PlaceWager", player="Ann", on=on, amount=1_000)["done"]
            expect(page.locator(".t.ok")).to_have_count(1)
            typed(page, "Space")
            due(page, "Enter the number")
            typed(page, *number)
            due(page, "Announce")
            typed(page, "Space")
            due(page, f"Pay Ann $350.00 on Straight up {number}")
            # Chips lie as they are paid: a pile a kind, with as many as it takes.
            expect(page.locator("#pay .chips")).to_have_text(["3 × $100", "2 × $25"])
            piles = page.locator("#pay .pile")
            for pile, (kind, many) in zip(piles.all(), (("c-100", 3), ("c-25", 2)), strict=True):
                expect(pile.locator(f".chip.{kind}")).to_have_count(many)
            typed(page, "Space")
            due(page, "Call No more bets")
        assert here.view(ann)["me"]["chips"] == 100_000 + 2 * 35_000
