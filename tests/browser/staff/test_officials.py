"""What officials order in a real Chromium: calls overruled, rounds undone, people sent away, tables closed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_dealer import due, faint, nameless, too_small
from tests.helpers.browser import DESK, ROOM, chromium, needs_chromium, overflow, page_at, quiet_house, tap
from tests.helpers.houses.devices import DeviceHouse

pytestmark = needs_chromium

SUPERVISOR = "game supervisor"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> DeviceHouse:
    return quiet_house(pytestconfig, tmp_path_factory)


def at(house: DeviceHouse, table: str) -> DeviceHouse:
    """The same house, asked about one of its tables."""
    return replace(house, table=table, tickets={})


def player(house: DeviceHouse, name: str) -> str:
    """Somebody comes to the table with chips."""
    return str(house.post("/api/enter", {"name": name, "role": "player", "table": house.table}).json()["ticket"])


def bets(house: DeviceHouse, name: str, on: str, cents: int, *, box: int = 1) -> None:
    answer = house.ask(player(house, name), "PlaceWager", player=name, on=on, amount=cents, box=box)
    assert answer["done"], answer


def seat(house: DeviceHouse, name: str) -> str:
    return f"{house.address}/terminal?table={house.table}&name={name}"


def room(house: DeviceHouse, more: str = "") -> str:
    return f"{house.address}/supervisor?table={house.table}{more}"


def console(house: DeviceHouse) -> str:
    return f"{house.address}/dealer?table={house.table}"


def dealt(house: DeviceHouse, *cards: str) -> None:
    """These cards, one after another."""
    for card in cards:
        answer = house.tell(card)
        assert answer["done"], (card, answer)


def coup(house: DeviceHouse, *cards: str, close: str = "call No more bets") -> None:
    """A round from the closing of bets to its payment."""
    house.until("deal")
    dealt(house, *cards)
    house.until(act=close)


def sure(page: Page, yes: str) -> None:
    """The question that comes before a dangerous act is answered."""
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("What will be recorded")
    dialog.get_by_role("button", name=yes, exact=True).click()
    expect(dialog).to_be_hidden()


def sound(page: Page) -> None:
    """Everything on a page of staff is named, large enough, readable, and beside nothing."""
    assert (nameless(page), too_small(page), faint(page)) == ([], [], [])
    assert overflow(page) <= 0


# ---------------------------------------------------------------- the supervisor's room


def test_a_call_is_overruled_from_above_and_the_round_worked_out_again(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "B-5")
    here.until(act="call No more bets")
    bets(here, "Ann", "banker", 10_000)
    here.until("deal")
    dealt(here, "2h", "3d", "Kc", "Qs")
    ruled = {"irregular": "out_of_sequence", "call": "reconstruct", "found": ["3d", "2h", "Kc", "Qs"], "by": SUPERVISOR}
    answer = here.tell(ruled, SUPERVISOR)
    assert answer["done"], answer
    with page_at(browser, room(here), size=ROOM) as page:
        page.get_by_role("button", name="Rulings 1").click()
        review = page.locator("#review")
        expect(review).to_contain_text("Ruled on by the game supervisor, called “reconstruct”.")
        review.get_by_label("Another call").select_option("void")
        review.get_by_role("button", name="Overrule").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("for the casino supervisor and those above")
        sound(page)
        sure(page, "Overrule it")
        expect(review.locator(".status-line.yes")).to_contain_text("overruled: void. Ordered by the casino supervisor")
        expect(page.locator("#where")).to_contain_text("Round 2")
        expect(page.locator("#people tr").filter(has_text="Ann")).to_contain_text("1,000.00")


def test_a_finished_round_is_invalidated_and_everybody_sees_that_it_does_not_count(
    browser: Browser, house: DeviceHouse
) -> None:
    here = at(house, "B-5")
    here.until(act="call No more bets")
    bets(here, "Ben", "player", 10_000)
    number = here.view(here.ticket("dealer"))["round"]
    coup(here, "9h", "Kd", "10c", "7s")
    with page_at(browser, seat(here, "Ben")) as ben, page_at(browser, room(here), size=ROOM) as page:
        expect(ben.locator("#credits")).to_have_text("$1,100.00")
        expect(ben.locator("#win")).to_have_text("$100.00")
        page.get_by_text("Invalidate the whole round instead").click()
        page.get_by_label("Ground (for the").select_option("fire")
        page.get_by_label("Whose wagers are forfeited").fill("Ben")
        page.get_by_role("button", name="Invalidate the round").click()
        refused = page.locator("#correct .status-line.no")
        expect(refused).to_contain_text("forfeited only for its owner's fraud")
        expect(refused.locator(".tag")).to_be_visible()
        page.get_by_label("Whose wagers are forfeited").fill("")
        page.get_by_role("button", name="Invalidate the round").click()
        sure(page, "Invalidate it")
        expect(page.locator("#correct .status-line.yes")).to_contain_text(f"Round {number} is invalid: fire.")
        expect(page.get_by_label("Round", exact=True)).to_contain_text("void")
        expect(page.get_by_text("Invalidate the whole round instead")).to_be_hidden()
        expect(ben.locator("#credits")).to_have_text("$1,000.00")
        expect(ben.locator("#win")).to_have_text("–")
        expect(ben.locator("#result")).to_contain_text("void")
        expect(ben.locator("#toast")).to_contain_text(f"Hand {number} was corrected: void. You have $1,000.00 now.")


def test_measures_against_the_holder_of_a_device_end_with_the_door(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "V-1")
    bets(here, "Cat", "player", 10_000)
    number = here.view(here.ticket("dealer"))["round"]
    coup(here, "9h", "Kd", "10c", "7s")
    bets(here, "Cat", "player", 10_000)
    with page_at(browser, room(here), size=ROOM) as page:
        row = page.locator("#people tr").filter(has_text="Cat")
        expect(row).to_contain_text("1,000.00")
        page.get_by_role("button", name="Choose Cat").click()
        acts = page.get_by_role("group", name="What to do about Cat")
        acts.get_by_role("button", name="Device").click()
        notice = page.locator("#people .status-line")
        # What it is and since when is told with the report; measures come after it.
        page.get_by_label("What it is").fill("a counter in the sleeve")
        page.get_by_label("With the player since round").fill(str(number))
        page.get_by_role("button", name="Report a device").click()
        expect(notice).to_contain_text("A device was reported for Cat.")
        expect(page.locator("#people .card-of")).to_contain_text(
            f"A counter in the sleeve, with the player since round {number}"
        )
        expect(page.locator("#people .card-of")).to_contain_text("$100.00 won with it is not seized yet.")
        for measure, field, value, yes in (
            ("void wagers", "", "", "Void wagers"),
            ("seize winnings", "Amount seized", "60", "Seize winnings"),
            ("confiscate device", "", "", "Confiscate device"),
            ("detain", "", "", "Detain"),
            ("hand over", "Authorised person who takes over", "Constable Reid", "Hand over"),
        ):
            page.get_by_label("Measure").select_option(measure)
            expect(page.get_by_label("Amount seized")).to_be_visible(visible=field == "Amount seized")
            if field:
                page.get_by_label(field).fill(value)
            page.get_by_role("button", name="Take the measure").click()
            sure(page, yes)
            expect(notice).to_contain_text(f"{yes}: done. Ordered by the casino supervisor.")
        expect(row).to_contain_text("1,040.00")
        # No more is seized than was won with it, and nothing is.
        page.get_by_label("Measure").select_option("seize winnings")
        page.get_by_label("Amount seized").fill("41")
        page.get_by_role("button", name="Take the measure").click()
        expect(page.locator("#people .status-line.no")).to_contain_text("Cat won $40 with the device")
        expect(page.locator("#people .status-line.no .tag")).to_have_text("VIC2002-13.2.3")
        # Here the door is one of the measures, and no act of its own.
        acts.get_by_role("button", name="Exclude").click()
        page.get_by_label("Reason", exact=True).fill("a counting device")
        page.get_by_role("button", name="Exclude Cat").click()
        expect(page.locator("#people .status-line.no")).to_contain_text("excludes a player only with a sanction")
        acts.get_by_role("button", name="Device").click()
        page.get_by_label("Measure").select_option("exclude")
        page.get_by_role("button", name="Take the measure").click()
        sure(page, "Exclude")
        expect(page.locator("#people .foot")).to_contain_text("Cat is excluded: prohibited device")
        sound(page)
    late = here.ask(here.ticket("dealer"), "PlaceWager", player="Cat", on="player", amount=1_000)
    assert (late["done"], "Cat" in late["reason"]) == (False, True)


def test_the_sign_its_differential_and_limits_for_one_player(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "B-6")
    here.until(act="call No more bets")
    player(here, "Dee")
    with page_at(browser, seat(here, "Dee")) as dee, page_at(browser, room(here), size=ROOM) as page:
        expect(dee.locator("#limits")).to_contain_text("$5 – $1,000")
        # Who agrees makes a change lawful at once; as long as one does not, it is none.
        page.get_by_label("New minimum").fill("10")
        page.get_by_label("New maximum").fill("500")
        page.get_by_role("button", name="Change now").click()
        expect(page.locator("#limits .status-line.no")).to_contain_text("needs a sign for 20 minutes")
        page.get_by_label("Dee agrees").check()
        page.get_by_role("button", name="Change now").click()
        sure(page, "Change the limits")
        expect(page.locator("#limits .sign .figure")).to_have_text("$10 – $500")
        expect(dee.locator("#limits")).to_contain_text("$10 – $500")

        page.get_by_label("Most", exact=True).fill("2,000")
        page.get_by_role("button", name="Set the differential").click()
        expect(page.locator("#limits .status-line.yes")).to_contain_text("The differential is now")
        expect(page.locator("#limits h3").filter(has_text="Differential")).to_contain_text("2,000")

        page.get_by_role("button", name="Choose Dee").click()
        page.get_by_label("Minimum", exact=True).fill("50")
        page.get_by_label("Maximum", exact=True).fill("800")
        page.get_by_role("button", name="Set limits for Dee").click()
        sure(page, "Set the limits")
        expect(page.locator("#people .status-line.yes")).to_contain_text("Ordered by the shift manager")
        expect(dee.locator("#limits")).to_contain_text("$50 – $800")
        tap(dee, "player", chip="$25 chip")
        expect(dee.locator("#toast")).to_contain_text("was not taken: $25 is below the minimum of $50.")
        tap(dee, "player", chip="$100 chip")
        expect(dee.locator("#wagered")).to_have_text("$100.00")
        sound(page)
        # Whoever takes the table over reads who did what, and until when.
        page.get_by_role("button", name="Shift", exact=True).click()
        expect(page.locator("#review")).to_contain_text("on the sign as game supervisor: Sue")
        expect(page.locator("#review tr").filter(has_text="Sue")).to_contain_text("Game supervisor")
        expect(page.locator("#review tr").filter(has_text="Shift manager")).to_have_count(1)
        sound(page)


def test_a_table_without_players_closes_between_rounds_and_says_so(browser: Browser, house: DeviceHouse) -> None:
    here = at(house, "E-3")
    with page_at(browser, room(here), size=ROOM) as page:
        expect(page.locator("#closing")).to_contain_text("Nobody is at the table: it may close at once")
        page.get_by_role("button", name="Close the table").click()
        sure(page, "Close the table")
        expect(page.locator("#closing .status-line.yes")).to_contain_text("Ordered by the casino supervisor")
        expect(page.locator("#closing-end")).to_have_text("closed")
        expect(page.locator("#attention")).to_contain_text("The table is closed.")
        expect(page.get_by_role("button", name="Close the table")).to_be_hidden()
        sound(page)
        with page_at(browser, console(here), size=DESK) as desk:
            due(desk, "This table is closed")
            expect(desk.locator("#main")).to_have_count(0)
            # It opens with the sign that it had, and the name of whoever has the table from now on.
            page.locator("#closing").get_by_label("Minimum").fill("20")
            page.get_by_label("Game supervisor on the sign").fill("Tom")
            page.get_by_role("button", name="Open the table").click()
            expect(page.locator("#closing-end")).to_have_text("open")
            expect(page.locator("#limits .sign .figure")).to_have_text("$20 – $1,000")
            page.get_by_role("button", name="Shift", exact=True).click()
            expect(page.locator("#review")).to_contain_text("on the sign as game supervisor: Tom")
            expect(desk.locator("#due .what")).not_to_have_text("This table is closed")
            expect(desk.locator("#main")).to_be_visible()
        sound(page)


# ---------------------------------------------------------------- the inspector


def test_a_dispute_is_decided_reported_and_its_ruling_found_by_its_address(
    browser: Browser, house: DeviceHouse
) -> None:
    here = at(house, "B-5")
    here.until(act="call No more bets")
    number = here.view(here.ticket("dealer"))["round"]
    bets(here, "Eva", "player", 10_000)
    here.until("deal")
    dealt(here, "6h", "Kd", "10c", "5s")
    here.until("deal")
    answer = here.tell({"irregular": "wrong_third_card", "card": "9d", "to": "player"})
    assert answer["done"], answer
    here.until(act="call No more bets")
    desk = f"{here.address}/inspector?table={here.table}"
    with page_at(browser, room(here), size=ROOM) as page, page_at(browser, desk, size=ROOM) as inspector:
        page.get_by_label("Complainant").fill("Eva")
        page.get_by_label("About", exact=True).fill(f"the third card of round {number}")
        page.get_by_role("button", name="Record a dispute").click()
        expect(page.locator("#attention .what")).to_have_text("Eva disputes something")
        # Left unresolved, the complainant is told of the inspector first; the next official has it then.
        page.get_by_label("Decision").fill("the card stays")
        page.get_by_role("button", name="Leave it unresolved").click()
        expect(page.locator("#review .status-line.no")).to_contain_text("is told of the inspector")
        page.get_by_label("The complainant was told of the inspector").check()
        page.get_by_role("button", name="Leave it unresolved").click()
        expect(page.locator("#review .status-line.yes")).to_contain_text("the inspector is notified")
        expect(page.locator("#review .pill").first).to_have_text("before the casino supervisor")
        # The casino supervisor decides, Eva asks for a review, and that is the inspector's.
        page.get_by_label("Decision").fill("the card stays, looked at twice")
        page.get_by_role("button", name="Decide", exact=True).click()
        expect(page.locator("#review .status-line.yes")).to_contain_text("Ordered by the casino supervisor")
        page.get_by_role("button", name="Eva asks the inspector for a review").click()
        expect(page.locator("#review .status-line.yes")).to_contain_text("It is before the inspector now.")
        expect(page.locator("#review")).to_contain_text("The inspector decides it.")

        entry = inspector.locator("#disputes li").first
        expect(entry).to_contain_text(f"the third card of round {number}")
        entry.get_by_role("textbox").fill("The ruling stands.")
        entry.get_by_role("button", name="Decide").click()
        expect(entry).to_contain_text("Decided: The ruling stands.")
        expect(page.locator("#review")).to_contain_text("Nobody reviews this decision.")
        inspector.get_by_role("button", name="Reports").click()
        reported = inspector.locator("#reports > li").filter(has_text="The ruling stands.")
        expect(reported).to_contain_text("dispute")
        expect(inspector.locator("#reports > li").filter(has_text="told to the inspector").first).to_be_visible()

        inspector.get_by_label("Round", exact=True).fill(str(number))
        inspector.get_by_role("button", name="Read it").click()
        ruled = inspector.locator(".steps .ruled")
        expect(ruled).to_contain_text("Wrong third card")
        address = ruled.get_by_role("link", name="A link to line").evaluate("each => each.href")
        sound(inspector)
    with page_at(browser, address, size=DESK) as fresh:
        meant = fresh.locator(".steps > .meant")
        expect(meant).to_contain_text("Wrong third card")
        expect(meant).to_be_in_viewport()
        expect(fresh.locator("#title")).to_have_text(f"Round {number}")
        fresh.get_by_role("button", name="Read round").first.click()
        assert f"line={meant.count()}" not in fresh.url
