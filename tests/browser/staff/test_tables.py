"""Tables dealt by hand in a real Chromium: terminals with money due, two bettors on a box, stud on real cards."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.staff.test_officials import SUPERVISOR, at, bets, console, player, room, seat, sound, sure
from tests.browser.test_dealer import due, typed
from tests.browser.test_device import closed, credits, paired
from tests.helpers.browser import (
    PHONE,
    ROOM,
    chromium,
    needs_chromium,
    overflow,
    page_at,
    quiet_house,
    small,
    tap,
    unnamed,
)
from tests.helpers.houses.devices import DeviceHouse

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> DeviceHouse:
    return quiet_house(pytestconfig, tmp_path_factory)


# ---------------------------------------------------------------- terminals, and money that is due


def pairs(page: Page, number: int) -> str:
    """The supervisor lets a terminal join the table, and reads its code."""
    form = page.get_by_role("form", name="Pair a terminal")
    form.get_by_label("Number").fill(str(number))
    form.get_by_label("Type approval").fill(f"TT-{number}")
    form.get_by_role("button", name="Pair the terminal").click()
    notice = page.locator("#terminals > .status-line")
    expect(notice).to_contain_text(f"Terminal {number} has joined the table.")
    page.get_by_role("button", name=f"Choose Terminal {number}").click()
    page.get_by_role("group", name=f"What to do with Terminal {number}").get_by_role("button", name="Code").click()
    page.get_by_role("button", name=f"Pairing code for Terminal {number}").click()
    code = notice.locator(".code")
    expect(code).to_have_text(re.compile(r"^\w{4}-\w{4}-\w{4}$"))
    return code.inner_text()


def credited(page: Page, number: int, dollars: int) -> None:
    page.get_by_role("group", name=f"What to do with Terminal {number}").get_by_role("button", name="Credit").click()
    page.get_by_label("Amount tendered").fill(str(dollars))
    page.get_by_role("button", name="Credit and activate").click()
    credited = f"Terminal {number} is credited with ${dollars}.00."
    expect(page.locator("#terminals > .status-line")).to_contain_text(credited)
    page.get_by_role("button", name=f"Close Terminal {number}").click()


def test_terminals_from_approval_to_a_corrected_hand_and_the_voucher_that_is_due(
    browser: Browser, house: DeviceHouse
) -> None:
    here = at(house, "E-5")
    blank = f"{here.address}/terminal?table={here.table}&device="
    with (
        page_at(browser, room(here), size=ROOM) as page,
        page_at(browser, blank) as one,
        page_at(browser, blank, size=PHONE) as two,
        page_at(browser, console(here), size=ROOM) as desk,
    ):
        page.get_by_role("button", name="Terminals", exact=True).click()
        page.get_by_role("button", name="Game system", exact=True).click()
        form = page.get_by_role("form", name="Game system")
        form.get_by_label("Version").fill("4.1")
        form.get_by_label("Type approval").fill("TA-41")
        form.get_by_role("button", name="Record the approval").click()
        expect(page.locator("#terminals-end")).to_have_text("system 4.1")
        page.get_by_role("button", name="Pair a terminal").click()
        for number, screen in ((1, one), (2, two)):
            paired(screen, pairs(page, number))
            credited(page, number, 500)
            expect(screen.locator("#credits")).to_have_text("$500.00")
        sound(page)

        here.until(act="close betting")
        tap(one, "player", chip="$100 chip")
        tap(two, "player", chip="$100 chip")
        for screen in (one, two):
            expect(screen.locator("#wagered")).to_have_text("$100.00")
        due(desk, "Close betting")
        typed(desk, "Enter")
        for screen in (one, two):
            expect(screen.locator("#slip-state")).to_have_text("Confirmed")
        due(desk, "Card to the Player")
        # The 9 of hearts was seen as a 6: nobody notices before the hand is paid, and one of the two has left by then.
        typed(desk, *"6hKd0c7s")
        due(desk, "Announce player")
        here.until(act="close betting")
        for screen in (one, two):
            expect(screen.locator("#credits")).to_have_text("$400.00")
            expect(screen.locator("#win")).to_have_text("–")
            expect(screen.locator("#win-more")).to_have_text("Nothing on hand 1")
        credits(two)
        two.get_by_role("button", name="Cash out $400.00").click()
        expect(two.locator("#device-voucher")).to_be_visible()
        closed(two)

        _corrected(page)
        _as_it_is_now(one)
        expect(two.locator("#credits")).to_have_text("$0.00")
        expect(two.locator("#device-band")).to_contain_text("$200.00 from a corrected result is due")
        expect(page.locator("#terminals tr").filter(has_text="Terminal 2")).to_contain_text("$200.00 due")
        _paid_by_the_dealer(browser, here, desk)
        expect(two.locator("#device-band")).to_contain_text("This terminal is free")


def _corrected(page: Page) -> None:
    page.get_by_role("button", name="Player 1: 6 of hearts. Change it").click()
    page.get_by_role("button", name="9 of hearts", exact=True).click()
    change = page.locator("#correct .change")
    expect(change.get_by_role("row").filter(has_text="Terminal 2").locator("td").last).to_have_text("+200.00")
    page.get_by_label("Reason, for the record").fill("a nine was taken for a six")
    page.get_by_role("button", name="Correct the round").click()
    sure(page, "Correct the round")
    expect(page.locator("#correct .status-line.yes")).to_contain_text("is corrected")


def _as_it_is_now(screen: Page) -> None:
    """The items of the terminal are those of the corrected hand; the last hands show it before and after."""
    expect(screen.locator("#toast")).to_contain_text(
        "Hand 1 was corrected: Player wins, 9 over 7. You have $600.00 now."
    )
    expect(screen.locator("#credits")).to_have_text("$600.00")
    expect(screen.locator("#win")).to_have_text("$100.00")
    expect(screen.locator("#win-more")).to_have_text("Hand 1, credited")
    expect(screen.locator("#result")).to_contain_text("Player 9")
    credits(screen)
    row = screen.locator("#recall-rows tr")
    expect(row).to_contain_text("Player wins, 9 over 7")
    expect(row).to_contain_text("corrected; it was Banker wins, 7 over 6")
    expect(row.locator("td").nth(3)).to_have_text("$100.00")
    expect(row.locator("td").nth(4)).to_have_text("$200.00was $0.00")
    assert (overflow(screen), unnamed(screen), small(screen)) == (0, [], [])
    closed(screen)


def _paid_by_the_dealer(browser: Browser, house: DeviceHouse, desk: Page) -> None:
    band = desk.locator(".waiting")
    expect(band).to_contain_text("$200.00 from a corrected result is due to whoever played round 1 at Terminal 2")
    sound(desk)
    band.get_by_role("button", name="Voucher of $200.00").click()
    dialog = desk.get_by_role("dialog")
    expect(dialog).to_contain_text("A voucher of $200.00 for the player of Terminal 2")
    paper = dialog.get_by_role("link", name="Print the voucher").get_attribute("href")
    with page_at(browser, f"{house.address}{paper}") as printed:
        expect(printed.locator("body")).to_contain_text("200.00")
    sound(desk)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(band).to_have_count(0)


def test_the_wagers_of_a_terminal_that_does_not_confirm_go_back_by_order_of_the_supervisor(
    browser: Browser, house: DeviceHouse
) -> None:
    here = at(house, "E-4")
    here.do(SUPERVISOR, "ApproveSystem", version="4.1", approval="TA-41")
    silent = here.device(7)
    here.do("dealer", "CreditTerminal", terminal=silent.name, amount=20_000)
    here.until(act="close betting")
    assert silent.touch("banker", 5_000)["done"]
    here.until("deal")
    with page_at(browser, room(here), size=ROOM) as page:
        expect(page.locator("#attention .what")).to_have_text("Terminal 7 has not confirmed")
        page.get_by_role("button", name="Return its wagers").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Wait for it")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#attention .what")).to_have_text("Terminal 7 has not confirmed")
        page.get_by_role("button", name="Return the wagers of Terminal 7").click()
        sure(page, "Return the wagers")
        expect(page.locator("#attention .what")).to_have_text("Nothing needs you")
        expect(page.get_by_role("row").filter(has_text="Terminal 7")).to_contain_text("200.00")
        sound(page)


# ---------------------------------------------------------------- blackjack and stud with a real dealer


def acts(page: Page, *words: str) -> None:
    """Acts of the dealer that are due one after another, done as they usually are."""
    for each in words:
        due(page, each)
        typed(page, "Enter")


def has(page: Page, *choices: str) -> None:
    expect(page.locator("#choices .choice[data-shut=false] .word")).to_have_text(list(choices))


def says(page: Page, choice: str) -> None:
    page.locator("#choices .word").get_by_text(choice, exact=True).click()


def test_two_bettors_on_a_box_insure_split_and_ride_and_join_a_double(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "J-2")
    here.until("over")
    bets(here, "Ann", "main", 5_000)
    bets(here, "Bob", "main", 2_000)
    with (
        page_at(browser, seat(here, "Ann")) as ann,
        page_at(browser, seat(here, "Bob"), size=PHONE) as bob,
        page_at(browser, console(here), size=ROOM) as desk,
    ):
        acts(desk, "Put smaller chips on top", "Call No more bets")
        due(desk, "Card to box 1")
        typed(desk, *"8hAs8d")
        acts(desk, "Call Insurance", "Sweep insurance line")
        has(ann, "Stand", "Hit", "Split", "Insure")
        has(bob, "Insure", "No")
        # Ann says it at her own screen, Bob to the dealer.
        says(ann, "Insure")
        has(ann, "Stand", "Hit", "Split")
        sound(desk)
        desk.get_by_role("button", name="Bob: insurance").click()
        expect(bob.locator("#choices")).to_be_hidden()
        expect(bob.locator("#credits")).to_have_text("$970.00")
        says(ann, "Split")
        # Whoever shares the box covers both hands, or names one.
        has(bob, "Split", "Ride on hand 1", "Ride on hand 2")
        due(desk, "Bob decides on box 1")
        sound(desk)
        desk.get_by_role("button", name="Ride on hand 2").click()
        due(desk, "Card to box 1 hand 1")
        typed(desk, "3", "c")
        has(ann, "Hit", "Double")
        says(ann, "Double")
        # Bob has nothing on the first hand, and may join a double only on the second.
        due(desk, "Card to box 1 hand 1")
        expect(bob.locator("#choices")).to_be_hidden()
        typed(desk, *"9s")
        due(desk, "Card to box 1 hand 2")
        typed(desk, "3", "s")
        has(ann, "Hit", "Double")
        says(ann, "Double")
        expect(desk.get_by_role("button", name="Bob: joins the double")).to_be_visible()
        says(bob, "Double")
        expect(desk.get_by_role("button", name="Bob: joins the double")).to_have_count(0)
        typed(desk, "0", "s")
        due(desk, "Card to the Dealer")
        typed(desk, "9", "d")
        acts(desk, "Pay Bob $20.00 on Main wager", "Collect cards", "Put cards in discard rack")
        # The first hand stands off at 20 and the second wins with 21; the insurance is lost.
        expect(ann.locator("#credits")).to_have_text("$1,075.00")
        expect(bob.locator("#credits")).to_have_text("$1,030.00")


def test_even_money_is_taken_by_one_and_left_by_the_other(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "J-2")
    here.until("over")
    before = [here.view(player(here, name))["me"]["chips"] for name in ("Ann", "Bob")]
    bets(here, "Ann", "main", 5_000)
    bets(here, "Bob", "main", 2_000)
    with page_at(browser, seat(here, "Ann")) as ann, page_at(browser, console(here), size=ROOM) as desk:
        here.until("deal")
        due(desk, "Card to box 1")
        typed(desk, *"AhAsKd")
        acts(desk, "Call Insurance", "Sweep insurance line")
        has(ann, "Insure", "Even money", "No")
        expect(desk.get_by_role("button", name="Ann: even money")).to_be_visible()
        says(ann, "Even money")
        expect(ann.locator("#choices")).to_be_hidden()
        expect(desk.locator("#due .do button")).to_have_text(["Bob: insurance", "Bob: even money"])
        sound(desk)
        due(desk, "Card to the Dealer")
        typed(desk, *"Ks")
        due(desk, "Pay and take")
        here.until("over")
        expect(ann.locator("#result")).to_contain_text("Blackjack")
    after = [here.view(player(here, name))["me"]["chips"] for name in ("Ann", "Bob")]
    assert [now - then for then, now in zip(before, after, strict=True)] == [5_000, 0]


def test_stud_is_bet_and_folded_on_cards_that_the_dealer_enters(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "S-2")
    here.until("over", act="call No more bets")
    with (
        page_at(browser, seat(here, "Kim")) as kim,
        page_at(browser, seat(here, "Lou"), size=PHONE) as lou,
        page_at(browser, console(here), size=ROOM) as desk,
    ):
        for screen in (kim, lou):
            tap(screen, "ante")
            expect(screen.locator("#wagered")).to_have_text("$25.00")
        acts(desk, "Call No more bets")
        due(desk, "Card to box 1")
        # Pass by pass: a pair of nines, nothing, and the dealer's ace and king.
        typed(desk, *"9h2hAd9d5dKc4c7c6s3s8s5h7hJh3d")
        acts(desk, "Put the rest of the deck in the discard rack")
        due(desk, "Box 1 decides")
        has(kim, "Fold", "Bet")
        expect(lou.locator("#choices")).to_be_hidden()
        for screen in (kim, lou):
            expect(screen.locator(".dealer-hand .face-down")).to_have_count(4)
            expect(screen.locator(".own-hand .card:not(.empty):not(.face-down)")).to_have_count(5)
        says(kim, "Bet")
        expect(kim.locator("#wagered")).to_have_text("$75.00")
        # Lou says it to the dealer, who presses the key.
        due(desk, "Box 2 decides")
        has(lou, "Fold", "Bet")
        typed(desk, "1")
        due(desk, "Collect the ante of box 2")
        sound(desk)
        here.until("over", act="call No more bets")
        expect(kim.locator("#result")).to_have_text("Odd cards")
        # The pair beats ace and king: the ante and the bet are paid even money.
        expect(kim.locator("#credits")).to_have_text("$1,075.00")
        expect(kim.locator("#win")).to_have_text("$75.00")
        expect(lou.locator("#credits")).to_have_text("$975.00")
        expect(lou.locator("#win")).to_have_text("–")
