"""Two paired terminals, a dealer and the cage in a real Chromium: slips confirmed, wagers paid, a voucher cashed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_dealer import due, faint, nameless, too_small, typed
from tests.helpers.browser import (
    DESK,
    PHONE,
    ROOM,
    Wire,
    chromium,
    needs_chromium,
    overflow,
    page_at,
    quiet_house,
    small,
    tap,
    unnamed,
)
from tests.helpers.houses.devices import TABLE, DeviceHouse

pytestmark = needs_chromium

SUPERVISOR = "game supervisor"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> DeviceHouse:
    running = quiet_house(pytestconfig, tmp_path_factory)
    running.do(SUPERVISOR, "ApproveSystem", version="1.0", approval="TA-0")
    return running


def joins(house: DeviceHouse, number: int, **limits: int) -> str:
    """A terminal joins the table; its code is read out."""
    usual = {"minimum": 500, "maximum": 50_000, "increment": 500} | limits
    house.do(SUPERVISOR, "PairTerminal", number=number, approval="TA-1", **usual)
    return str(house.code(f"Terminal {number}").json()["code"])


def accepts(page: Page, house: DeviceHouse, name: str) -> None:
    """The note acceptor of a terminal is a device of its own; in practice this browser speaks for it."""
    kept = f"croupier device {TABLE} {name} note acceptor"
    page.evaluate("([key, secret]) => localStorage.setItem(key, secret)", [kept, house.pair(f"{name} note acceptor")])


def paired(page: Page, code: str) -> None:
    page.get_by_label("Pairing code").fill(code)
    page.get_by_role("button", name="Pair this terminal").click()
    expect(page.locator("#live")).to_have_text("Live")


def credits(page: Page) -> None:
    page.get_by_role("button", name="Credits").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def closed(page: Page) -> None:
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_hand_of_two_terminals_and_a_dealer_to_the_cage(browser: Browser, house: DeviceHouse) -> None:
    first, second = joins(house, 1), joins(house, 2, minimum=1000, maximum=20_000)
    blank, one_wire, two_wire = f"{house.address}/terminal?table={TABLE}&device=", Wire(), Wire()
    with (
        page_at(browser, blank, wire=one_wire) as one,
        page_at(browser, blank, size=PHONE, wire=two_wire) as two,
        page_at(browser, f"{house.address}/dealer?table={TABLE}", size=ROOM) as desk,
    ):
        accepts(one, house, "Terminal 1")
        paired(one, first)
        paired(two, second)
        _money_in(house, one, two)
        house.until(act="close betting")
        tap(one, "banker", chip="$100 chip")
        tap(one, "tie", chip="$5 chip")
        expect(one.locator("#wagered")).to_have_text("$105.00")

        # The last wager arrives as betting closes: the one that the table took first is in, the later one is not.
        two_wire.holding = True
        tap(two, "player")
        expect(two.locator('[data-bet="player"] .stack.pending')).to_have_count(1)
        while len(two_wire.held) < 2:
            two.wait_for_timeout(20)
        due(desk, "Close betting")
        typed(desk, "Enter")
        due(desk, "Card to the Player")
        _waits_for_the_second(one, two, desk)
        two_wire.release()
        expect(two.locator("#slip-state")).to_have_text("Confirmed")
        expect(desk.locator(".unconfirmed")).to_have_count(0)
        late = house.ask(house.enter(two_secret(two)).json()["ticket"], "PlaceWager", player="Terminal 2", on="tie",
                         amount=1000)  # fmt: skip
        assert (late["done"], late["rule"]) == (False, "NZEB-3.4c.i")

        typed(desk, *"Kd9h7c0s")
        due(desk, "Announce player")
        house.until(act="close betting")
        expect(one.locator("#credits")).to_have_text("$490.00")
        expect(one.locator("#win")).to_have_text("$95.00")
        expect(two.locator("#credits")).to_have_text("$175.00")
        _recalled(one)
        _cashed(browser, house, one)


def two_secret(page: Page) -> str:
    secret: str = page.evaluate(f"localStorage.getItem('croupier device {TABLE} Terminal 2')")
    return secret


def test_a_wrong_code_is_told_and_the_right_one_still_pairs(browser: Browser, house: DeviceHouse) -> None:
    """The browser itself writes a refusal down as an error, so this page is not held to have none."""
    code = joins(house, 9)
    page = browser.new_page()
    page.goto(f"{house.address}/terminal?table={TABLE}&device=")
    page.get_by_label("Pairing code").fill(code[:-1] + ("a" if code[-1] != "a" else "b"))
    page.get_by_role("button", name="Pair this terminal").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("wrong, was used, or is too old")
    paired(page, code)
    page.reload()
    expect(page.locator("#live")).to_have_text("Live")
    expect(page.locator("#who")).to_have_text("Terminal 9")
    # Taken from the table, the terminal says so and asks for a code again.
    house.do(SUPERVISOR, "UnpairTerminal", terminal="Terminal 9")
    expect(page.get_by_label("Pairing code")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("paired here no more")
    page.context.close()


def _money_in(house: DeviceHouse, one: Page, two: Page) -> None:
    """The first takes notes, the second is credited by the dealer; each shows limits of its own."""
    expect(one.locator("#device-band")).to_contain_text("Insert a note")
    credits(one)
    for note in (100, 100, 100, 100):
        one.get_by_role("button", name=f"Insert a note of ${note}", exact=True).click()
        expect(one.locator("#device-status")).to_have_text(f"${note} is credited.")
        one.locator("#device-status").evaluate("each => (each.textContent = '')")
    closed(one)
    expect(one.locator("#credits")).to_have_text("$400.00")
    expect(one.locator("#device-band")).to_be_hidden()
    house.do("dealer", "CreditTerminal", terminal="Terminal 2", amount=20_000, holder="Gus")
    expect(two.locator("#credits")).to_have_text("$200.00")
    expect(one.locator("#who")).to_have_text("Terminal 1")
    expect(one.locator("#limits")).to_contain_text("$5 – $500")
    expect(two.locator("#limits")).to_contain_text("$10 – $200")


def _waits_for_the_second(one: Page, two: Page, desk: Page) -> None:
    expect(one.locator("#slip-state")).to_have_text("Confirmed")
    expect(one.locator("#slip-lines li")).to_have_text(["Banker$100.00", "Tie$5.00"])
    band = desk.locator(".unconfirmed")
    expect(band).to_contain_text("Not confirmed: Terminal 2")
    # A card before that is refused, with the rule.
    typed(desk, "K", "d")
    refused = desk.locator("#refused")
    expect(refused).to_contain_text("not confirmed by Terminal 2")
    expect(refused.locator(".tag")).to_have_text("NZEB-5.5")
    band.get_by_role("button", name="Return wagers of Terminal 2").click()
    dialog = desk.get_by_role("dialog")
    expect(dialog.get_by_label("Reason")).to_have_value(re.compile("did not confirm"))
    dialog.get_by_role("button", name="Wait for it").click()
    expect(dialog).to_be_hidden()
    expect(two.locator("#slip")).to_be_hidden()


def _recalled(page: Page) -> None:
    credits(page)
    row = page.locator("#recall-rows tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Banker $100, Tie $5")
    expect(row).to_contain_text("$195.00")
    assert (overflow(page), unnamed(page), small(page)) == (0, [], [])


def _cashed(browser: Browser, house: DeviceHouse, page: Page) -> None:
    page.get_by_role("button", name="Cash out $490.00").click()
    expect(page.locator("#device-voucher")).to_be_visible()
    code = re.sub(r"\s", "", page.locator("#device-number").inner_text())
    paper = page.get_by_role("link", name="Print the voucher")
    assert paper.get_attribute("href") == f"/voucher?id={code}&lang=en"
    closed(page)
    expect(page.locator("#credits")).to_have_text("$0.00")
    expect(page.locator("#device-band")).to_contain_text("This terminal is free")
    with page_at(browser, f"{house.address}/voucher?id={code}") as printed:
        expect(printed.locator("body")).to_contain_text("490.00")
    with page_at(browser, f"{house.address}/cage?name=Lee") as cage:
        expect(cage.locator("#code")).to_be_focused()
        house.post("/api/cage/commands", {"id": "0" * 32, "command": {"type": "OpenShift", "cash": 100_000}},
                   house.ticket("cashier"))  # fmt: skip
        cage.keyboard.type(code)
        cage.keyboard.press("Enter")
        expect(cage.locator(".amt")).to_have_text("$490.00")
        cage.get_by_role("button", name="Pay $490.00").click()
        cage.get_by_role("dialog").get_by_role("button", name=re.compile("Pay|paid", re.IGNORECASE)).first.click()
        expect(cage.locator(".verdict.ok b")).to_have_text("Paid")


def test_a_terminal_that_does_not_answer_has_its_wagers_returned(browser: Browser, house: DeviceHouse) -> None:
    silent = house.device(5)
    house.do("dealer", "CreditTerminal", terminal=silent.name, amount=20_000)
    house.until(act="close betting")
    assert silent.touch("banker", 5000)["done"]
    house.until("deal")
    with page_at(browser, f"{house.address}/dealer?table={TABLE}", size=DESK) as desk:
        desk.get_by_role("button", name=f"Return wagers of {silent.name}").click()
        desk.get_by_role("dialog").get_by_role("button", name="Return the wagers").click()
        expect(desk.locator(".unconfirmed")).to_have_count(0)
        assert silent.view()["me"]["chips"] == 20_000
        # The code of a device is shown on this screen too.
        desk.get_by_text("Terminals and shoe").click()
        desk.get_by_label("Device").select_option("shoe")
        desk.get_by_role("button", name="Pairing code").click()
        expect(desk.locator(".devices .code")).to_have_text(re.compile(r"^\w{4}-\w{4}-\w{4}$"))
        assert (nameless(desk), too_small(desk), faint(desk)) == ([], [], [])
        assert overflow(desk) <= 0


def test_a_locked_terminal_says_so_and_takes_nothing(browser: Browser, house: DeviceHouse) -> None:
    device = house.device(6)
    house.do("dealer", "CreditTerminal", terminal=device.name, amount=20_000)
    house.do(SUPERVISOR, "ReportMalfunction", terminal=device.name, fault="the touch screen is dead")
    address = f"{house.address}/terminal?table={TABLE}&device="
    with page_at(browser, address, size=PHONE) as page:
        accepts(page, house, device.name)
        paired(page, house.code(device.name).json()["code"])
        expect(page.locator("#device-band")).to_contain_text("locked while a malfunction is looked into")
        credits(page)
        expect(page.locator("#cash-out")).to_be_disabled()
        expect(page.get_by_role("button", name="Insert a note of $20", exact=True)).to_be_disabled()
        assert (overflow(page), unnamed(page), small(page)) == (0, [], [])


def test_of_a_voucher_that_a_fault_credited_in_part_the_guest_gets_another_for_the_rest(
    browser: Browser, house: DeviceHouse
) -> None:
    one, other = house.device(27), house.device(28)
    one.notes(10_000)
    code = one.do("CashOut", terminal=one.name, voucher="")["voucher"]
    with page_at(browser, f"{house.address}/supervisor?table={TABLE}&name=Sue", size=(1280, 400)) as page:
        page.get_by_role("button", name="Terminals", exact=True).click()
        page.get_by_role("button", name=f"Choose {one.name}", exact=True).click()
        card = page.locator("#terminals-panel .card-of", has_text=one.name)
        card.get_by_role("button", name="Malfunction", exact=True).click()
        # Whatever else happens at the table, the page stays where its reader is.
        other.notes(500)
        expect(page.locator("#terminals-panel tr", has_text=other.name)).to_contain_text("5.00")
        expect(card.get_by_label("What went wrong")).to_be_in_viewport()
        card.get_by_label("What went wrong").fill("a note was read twice")
        card.get_by_label("Credited outside any round").fill("40")
        card.get_by_role("button", name=f"Lock {one.name}").click()
        page.get_by_role("button", name="Lock it and open a case").click()
        expect(page.locator("#terminals-panel tr", has_text=one.name)).to_contain_text("locked")
    senior = f"{house.address}/cage?role=casino%20supervisor&name=Cas"
    with page_at(browser, senior) as page:
        page.get_by_label("Scan, or type the 28 figures").fill(code)
        page.keyboard.press("Enter")
        expect(page.locator(".verdict b")).to_have_text("Held")
        page.get_by_label("Reason", exact=True).fill("credited by the fault")
        page.get_by_role("button", name="Refuse it for good").click()
        # Which voucher is gone, which is new, and what to do with the new one.
        expect(page.locator(".verdict.ok b")).to_have_text("Replaced")
        expect(page.locator(".verdict.ok")).to_contain_text(f"$100.00 on the voucher that ends in {code[-4:]}")
        expect(page.locator(".amt")).to_have_text("$60.00")
        expect(page.get_by_role("link", name="Print the voucher")).to_be_visible()
        page.get_by_label("Scan, or type the 28 figures").fill(code)
        page.keyboard.press("Enter")
        expect(page.locator(".verdict b")).to_have_text("Refused for good")
