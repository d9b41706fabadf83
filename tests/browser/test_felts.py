"""Every game played at its felt in a real Chromium: what lies there, what the meters say, and what the ledger has.

Three rounds a game, on the desk and on a phone.  In each round every kind of wager that is open is tapped once; the
felt, the meter and the journal must have the same money when bets close, and again when the round is settled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.browser import (
    DESK,
    PHONE,
    chromium,
    needs_chromium,
    overflow,
    page_at,
    place,
    quiet_house,
    small,
    terminal,
    unnamed,
)
from tests.helpers.houses.served import served

pytestmark = needs_chromium

GAMES = {
    "R-1": ("straight:17", "split:17-20", "street:1-2-3", "corner:1-2-4-5", "six_line:1-2-3-4-5-6", "dozen:2", "red"),
    "T-1": ("small", "any_triple", "triple:1", "double:2", "total:9", "combination:2-4", "face:4"),
    "W-1": ("A", "B", "C", "D", "E", "F", "G"),
    "C-1": ("pass", "field", "place:6", "any_seven", "hardway:8", "big_six"),
    "J-1": ("main",),
    "S-1": ("ante",),
    "EB-1": ("player", "tie", "perfect_pairs"),
}
"""A wager of every kind that can be placed at once."""
ROUNDS = 3


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("house"), pace="6,0.03,0.01,1.5") as (address, _):
        yield address


def cents(text: str) -> int:
    return round(float(re.sub(r"[^\d.]", "", text) or 0) * 100)


def on_felt(page: Page) -> int:
    """The money that lies on the felt, by the amounts beside the chips."""
    return sum(cents(text) for text in page.locator("[data-bet] .stake.confirmed text").all_text_contents())


def bet(page: Page, kinds: tuple[str, ...]) -> int:
    """Tap every wager with the smallest chip while bets are open; how much of it the table took."""
    page.get_by_role("button", name="$5 chip", exact=True).click()
    for on in kinds:
        half = page.locator(f'[data-on="{on}"]').first
        if page.locator(".segments.parts").is_visible() and not half.is_visible():
            page.locator(".segments.parts button").last.click()
        place(page, on).click(timeout=3_000)
    expect(page.locator(".stack.pending")).to_have_count(0)
    return cents(page.locator("#wagered").inner_text())


def played(house: str, table: str, number: int, name: str) -> int:
    """What the journal has for a player in a round: everything that came back less everything that went out."""
    record = httpx.get(f"{house}/api/tables/{table}/rounds/{number}", timeout=20).json()
    bets = [entry for entry in record["entries"] if not re.search("Bought|Credit", entry["type"])]
    moves = [move for entry in bets for move in entry["transfers"]]
    came: int = sum(move["amount"] for move in moves if move["credit"] == f"chips:{name}")
    went: int = sum(move["amount"] for move in moves if move["debit"] == f"chips:{name}")
    return came - went


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("table", GAMES)
def test_felt_meters_and_ledger_agree_through_three_rounds(
    browser: Browser, house: str, table: str, size: tuple[int, int]
) -> None:
    name = f"Ann{size[0]}"
    with page_at(browser, terminal(house, table, name), size=size) as page:
        opened = page.locator("#cutoff[data-open=true]")
        expect(opened).to_be_visible()
        for _ in range(ROUNDS):
            expect(page.locator("#seconds")).to_have_text(re.compile("[456]"))
            before = cents(page.locator("#credits").inner_text()) + cents(page.locator("#wagered").inner_text())
            round_now = int(page.locator("#round").inner_text().split()[-1])
            wagered = bet(page, GAMES[table])
            assert wagered == on_felt(page) > 0
            assert cents(page.locator("#credits").inner_text()) == before - wagered
            # Settled: the sums in the tray, the step of the credits and the journal are the same money.
            expect(page.locator("#cutoff[data-settled=true]")).to_be_visible()
            now = cents(page.locator("#credits").inner_text()) + cents(page.locator("#wagered").inner_text())
            seat = page.locator("#who").inner_text() if table == "EB-1" else name
            assert now - before == sum_of(page) == net(house, table, round_now, seat, now - before)
            assert overflow(page) == 0
            expect(opened).to_be_visible()


def sum_of(page: Page) -> int:
    """What the tray says that the round came to; nothing if no wager of it was settled."""
    if not page.locator("#sums").is_visible():
        return 0
    text = page.locator("#sums .net .num").inner_text()
    return -cents(text) if "\u2212" in text else cents(text)


def net(house: str, table: str, number: int, name: str, shown: int) -> int:
    """By the journal what is in the player's hands or on the table more than before; craps leaves wagers standing."""
    if table == "C-1":
        return shown
    return played(house, table, number, name)


def test_credits_are_bought_and_cashed_out_in_practice(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, "W-1", "Cash")) as page:
        page.get_by_role("button", name="Credits").click()
        page.get_by_role("button", name="Buy in for $50", exact=True).click()
        expect(page.locator("#credits")).to_have_text("$1,050.00")
        page.get_by_role("button", name="Cash out $1,050.00").click()
        expect(page.locator("#credits")).to_have_text("$0.00")
        expect(page.locator("#credit-step")).to_have_text("Out of credit: Credits brings more")
        expect(page.get_by_role("button", name="Nothing to cash out")).to_be_disabled()
        page.get_by_role("button", name="Close").click()
        expect(page.locator("#cutoff[data-open=true]")).to_be_visible()
        page.locator('[data-on="A"]').click()
        expect(page.locator("#toast")).to_contain_text("Credits brings more")


def test_the_same_link_is_the_same_terminal_and_a_reload_keeps_the_bets(browser: Browser, house: str) -> None:
    with page_at(browser, f"{house}/terminal?table=R-1") as page:
        expect(page.locator("#seconds")).to_have_text(re.compile("[456]"))
        page.keyboard.press("1")
        page.locator('[data-on="red"]').click()
        expect(page.locator('[data-bet="red"] .stake.confirmed')).to_have_text("$5")
        page.reload()
        expect(page.locator('[data-bet="red"] .stake.confirmed')).to_have_text("$5")
        again = page.context.new_page()
        again.goto(f"{house}/terminal?table=R-1")
        expect(again.locator('[data-bet="red"] .stake.confirmed')).to_have_text("$5")
        again.keyboard.press("u")
        expect(page.locator('[data-bet="red"] .stake')).to_have_count(0)
        # "Your credits stay": the lobby knows whoever came by the link, and leads back to the same chair.
        name = page.evaluate("localStorage.getItem('croupier guest')")
        again.locator("#leave").click()
        expect(again.get_by_label("Your name")).to_have_value(name)
        again.get_by_role("button", name="Sit down at R-1").click()
        again.wait_for_url(f"**name={name.replace(' ', '+')}**")
        expect(again.locator("#live")).to_have_text("Live")
        again.close()


def test_the_rules_of_stud_say_what_each_hand_pays_and_sound_is_off_at_first(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, "S-1", "Pay")) as page:
        expect(page.locator("#board .tab").first).to_contain_text("Royal flush")
        page.get_by_role("button", name="Rules").click()
        rules = page.get_by_role("dialog")
        for words in ("Ante", "Full house", "7 to 1", "100%, at least $10,000", "$150"):
            expect(rules).to_contain_text(words)
        sound = rules.get_by_role("switch", name="Sound")
        expect(sound).to_have_attribute("aria-checked", "false")
        sound.click()
        expect(sound).to_have_attribute("aria-checked", "true")
        expect(rules.get_by_role("switch", name="Squeeze the cards")).to_have_count(0)


def test_a_card_to_squeeze_turns_when_it_is_pushed_far_enough(browser: Browser, house: str) -> None:
    with page_at(browser, terminal(house, "EB-1", "Squeeze")) as page:
        expect(page.locator("#board")).to_be_visible()
        seen = page.evaluate(
            """async () => {
                const { squeezedCard } = await import("/terminal/felts/squeeze.js");
                let turned = 0;
                const card = squeezedCard("9h", { lying: false, turned: () => (turned += 1) });
                card.setPointerCapture = () => {};
                document.querySelector(".hand").append(card);
                const tall = card.getBoundingClientRect().height;
                const at = (kind, y) => card.dispatchEvent(new PointerEvent(kind, { clientY: y, pointerId: 1 }));
                const push = (part) => [at("pointerdown", 500), at("pointermove", 500 - tall * part), at("pointerup")];
                const seen = [card.getAttribute("aria-label"), turned];
                push(0.3);
                seen.push(turned);
                push(0.7);
                seen.push(turned);
                card.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
                return [...seen, turned];
            }"""
        )
        assert seen == ["Card face down: push it up, or tap it", 0, 0, 1, 2]


def test_insurance_and_runs_of_victoria_have_their_places(
    browser: Browser, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> None:
    quiet = quiet_house(pytestconfig, tmp_path_factory).address
    for size in (DESK, PHONE):
        with page_at(browser, terminal(quiet, "V-1", f"Vi{size[0]}"), size=size) as page:
            expect(page.locator('[data-on="tie_run_4"]')).to_be_visible()
            runs = page.locator(".area.run").evaluate_all("all => all.map(each => each.dataset.on)")
            assert len(set(runs)) == 18
            assert (overflow(page), unnamed(page), small(page)) == (0, [], [])
