"""The tournament's page in a real browser: from nothing to the prizes, refusals with their rule, and who only reads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_dealer import faint
from tests.floor.rooms.test_contests import FOUR, Floor, lean
from tests.helpers.browser import DESK, PHONE, ROOM, chromium, needs_chromium, overflow, page_at, small, unnamed

pytestmark = needs_chromium
AT_DESK = "/tournament?role=casino%20supervisor&name=Dora"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with lean(tmp_path_factory.mktemp("tournament")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def press(page: Page, words: str) -> None:
    page.get_by_role("button", name=words, exact=True).click()


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def confirm(page: Page, words: str) -> None:
    """Answer the question that is open, which goes away when the house has said yes."""
    dialog(page).get_by_role("button", name=words, exact=True).click()
    expect(dialog(page)).to_be_hidden()


def is_due(page: Page, words: str) -> None:
    expect(page.locator(".due .what")).to_have_text(words)


def checked(page: Page) -> None:
    """Nothing beside the window, everything named, large enough to touch and dark enough to read."""
    assert overflow(page) <= 0
    for question in page.locator("dialog[open]").all():
        assert question.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
    assert unnamed(page) == []
    assert faint(page) == []
    # The tag of a rule is drawn small and has a larger place to touch around it.
    assert [each for each in small(page) if 'aria-label="Rule VIC' not in each] == []


def hand(page: Page, table: str, *, player: str, banker: str) -> None:
    """A hand that the Player wins; what the rules refuse is told in the form."""
    press(page, f"Record a hand at {table}")
    dialog(page).get_by_label(f"{player} on Player", exact=True).fill("100")
    dialog(page).get_by_label(f"{banker} on Banker", exact=True).fill("100")
    cards = dialog(page).get_by_label("Cards in the order they came")
    cards.fill("2h 2d Kc")
    dialog(page).get_by_role("button", name="Record the hand").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("hand is not over")
    cards.fill("9h 2d Kc Ks")
    confirm(page, "Record the hand")


def told_anew(page: Page, table: str, *, player: str, banker: str) -> None:
    """The hand before was told with the two of them exchanged."""
    press(page, f"Correct the last hand at {table}")
    dialog(page).get_by_label(f"{player} on Player", exact=True).fill("100")
    dialog(page).get_by_label(f"{banker} on Banker", exact=True).fill("100")
    dialog(page).get_by_label("Cards in the order they came").fill("9h 2d Kc Ks")
    dialog(page).get_by_label("Why it is told anew").fill("the two were exchanged")
    checked(page)
    confirm(page, "Correct the hand")


def seat_all(page: Page, *names: str) -> None:
    for name in names:
        press(page, f"Seat {name}")
        expect(page.get_by_role("button", name=f"Seat {name}", exact=True)).to_be_hidden()


def test_a_small_tournament_from_nothing_to_the_prizes(house: str, browser: Browser) -> None:
    with page_at(browser, f"{house}{AT_DESK}") as page:
        is_due(page, "No tournament yet")
        checked(page)
        press(page, "Begin a tournament")
        dialog(page).get_by_label("Name of the tournament").fill("Spring Cup")
        confirm(page, "Begin")
        state_conditions(page)
        is_due(page, "Record the written approval of the conditions")
        press(page, "Record the approval")
        dialog(page).get_by_label("Reference of the letter").fill("DCS 02/7")
        confirm(page, "Record the approval")
        is_due(page, "Enter players: 4 more at least")
        for name in FOUR:
            page.locator("#players-acts").get_by_role("button", name="Enter a player").click()
            dialog(page).get_by_label("Player", exact=True).fill(name)
            confirm(page, "Enter")
            expect(page.locator("#players")).to_contain_text(name)
        is_due(page, "Brief 4 players")
        press(page, "The players are briefed")
        confirm(page, "They are briefed")
        designate_and_draw(page)
        play_to_the_end(page)
    view = Floor(house).view()
    assert view["over"]
    assert [each["prize"] for each in view["standings"]] == [100_000, 50_000, 12_500, 12_500]


def state_conditions(page: Page) -> None:
    """What is blank is refused in the form itself, under the rule of the item."""
    is_due(page, "State the conditions")
    press(page, "State the conditions")
    fee = dialog(page).get_by_label("Fee, $ (0: none)")
    fee.fill("")
    dialog(page).get_by_role("button", name="State the conditions").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("do not state: entry fee")
    dialog(page).get_by_role("alert").get_by_label("Rule VIC2002-12.2.1a").click()
    expect(dialog(page).locator("#sheet")).to_contain_text("entry fee")
    dialog(page).get_by_role("button", name="Close the rule").click()
    fee.fill("100")
    for number in (0, 1):
        dialog(page).locator(f"[name=hands-{number}]").fill("1")
    checked(page)
    confirm(page, "State the conditions")


def designate_and_draw(page: Page) -> None:
    is_due(page, "Designate the tables")
    page.locator("#tables-acts").get_by_role("button", name="Designate tables").click()
    for table in ("B-1", "B-2"):
        dialog(page).get_by_label(f"{table}, Baccarat").check()
    confirm(page, "Designate")
    is_due(page, "Draw the seats of round 1")
    press(page, "Draw the seats")
    confirm(page, "Draw the seats")
    is_due(page, "The director or a deputy comes")
    page.locator(".due").get_by_role("button", name="The director is here").click()
    is_due(page, "Start round 1")


def play_to_the_end(page: Page) -> None:
    press(page, "Start the round")
    seat_all(page, *FOUR)
    expect(page.locator("#tables").get_by_text("Tournament only")).to_have_count(2)
    for table in ("B-1", "B-2"):
        seats = page.locator(".card-of", has=page.get_by_role("heading", name=table)).locator(".seats")
        winner, loser = seats.inner_text().split(" · ")
        hand(page, table, player=winner, banker=loser)
        press(page, f"End the round at {table}")
        expect(page.get_by_role("button", name=f"End the round at {table}", exact=True)).to_be_hidden()
    is_due(page, "End round 1")
    press(page, "End the round")
    is_due(page, "Draw the seats of round 2")
    expect(page.locator("#side tbody tr")).to_have_count(4)
    press(page, "Draw the seats")
    confirm(page, "Draw the seats")
    is_due(page, "Start round 2")
    press(page, "Start the round")
    table = page.locator(".card-of", has=page.get_by_role("button")).get_by_role("heading").inner_text()
    finalists = page.locator(".card-of", has=page.get_by_role("button")).locator(".seats").inner_text().split(" · ")
    seat_all(page, *finalists)
    hand(page, table, player=finalists[1], banker=finalists[0])
    told_anew(page, table, player=finalists[0], banker=finalists[1])
    press(page, f"End the round at {table}")
    is_due(page, "End round 2")
    press(page, "End the round")
    is_due(page, "Award the prizes")
    press(page, "Award the prizes")
    confirm(page, "Award the prizes")
    is_due(page, "The tournament is over")
    expect(page.locator(".podium li").first).to_contain_text(f"{finalists[0]}$1,000.00")
    checked(page)


@pytest.fixture(scope="module")
def playing(house: str) -> str:
    """A second tournament, in the middle of its first round."""
    floor = Floor(house, contest="Night Cup")
    floor.prepare()
    floor.start()
    return house


@pytest.mark.parametrize("size", [DESK, ROOM, PHONE], ids=["desk", "room", "phone"])
def test_everything_fits_is_named_and_can_be_touched(playing: str, browser: Browser, size: tuple[int, int]) -> None:
    with page_at(browser, f"{playing}{AT_DESK}&tournament=Night%20Cup", size=size) as page:
        expect(page.locator("#players tbody tr")).to_have_count(4)
        for tab in ("Places", "Conditions", "Journal", "Desk"):
            page.locator("#tabs").get_by_role("button", name=tab).click()
            expect(page.locator("#side-title")).to_have_text(tab)
            checked(page)
        page.get_by_role("button", name="theme").click()
        checked(page)
        press(page, "Record a hand at B-1")
        checked(page)
        dialog(page).get_by_role("button", name="Back").click()
        press(page, "Rule on Ann")
        checked(page)


def test_a_refusal_names_its_rule_and_the_rule_opens(playing: str, browser: Browser) -> None:
    with page_at(browser, f"{playing}{AT_DESK}&tournament=Night%20Cup") as page:
        page.locator("#tabs").get_by_role("button", name="Desk").click()
        page.locator(".desk", has_text="A deputy").get_by_label("Name").fill("Dora")
        page.locator(".desk", has_text="A deputy").get_by_role("button", name="Name").click()
        expect(page.locator("#refused")).to_contain_text("Dora cannot be a deputy")
        page.locator("#refused .tag").click()
        expect(page.locator("#sheet")).to_contain_text("deputies")
        # The round is paused when the director goes, and goes on.
        page.get_by_role("button", name="Goes away").click()
        is_due(page, "Play is paused until the director or a deputy is there")
        page.locator(".due").get_by_role("button", name="The director is here").click()
        expect(page.locator("#pills")).to_contain_text("playing")


def test_everybody_reads_and_nobody_acts_without_a_role(playing: str, browser: Browser) -> None:
    with page_at(browser, f"{playing}/tournament?tournament=Night%20Cup", size=PHONE) as page:
        expect(page.locator("#players tbody tr")).to_have_count(4)
        assert page.locator("main button:visible:not(.tag)").all_inner_texts() == ["Places", "Conditions", "Journal"]
        page.locator("#tabs").get_by_role("button", name="Conditions").click()
        expect(page.locator("#side")).to_contain_text("Compulsory on every hand, 10 to 500 chips")
        checked(page)
        page.get_by_label("Here as").select_option("game supervisor")
        expect(page.get_by_role("button", name="Record a hand at B-1")).to_be_visible()


def test_the_lobby_leads_here(house: str, browser: Browser) -> None:
    with page_at(browser, house) as page:
        page.get_by_role("link", name="Tournaments").click()
        expect(page.get_by_label("Here as")).to_be_visible()
