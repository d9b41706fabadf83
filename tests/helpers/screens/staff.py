"""The pages of staff at the moments that show what they are for: one story, told at a real house.

Theory of operation.  At a table that is dealt by hand a card goes to the wrong side and is ruled on, the wagers are
paid, a round is corrected; a terminal has a malfunction, a voucher comes to the cage, somebody learns, somebody is
hired.  Whoever tells the story is called at every moment with the page and the moment's name: to take pictures of it,
or to look whether everything lies where it should at every size.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from croupier.house.training.lesson import LENGTH
from tests.floor.rooms.test_cage_desk import Desk
from tests.floor.rooms.test_contests import Floor, lean
from tests.helpers.browser import DESK, PHONE, ROOM, Wire, page_at
from tests.helpers.houses import people
from tests.helpers.houses.devices import DeviceHouse
from tests.helpers.houses.served import served
from tests.helpers.screens.camera import Camera

PACE = "6,0.4,0.1"
TABLE, ELECTRONIC = "B-4", "EB-1"
BETS = {
    "Wei": (("player", 6_000),),
    "Mere": (("player", 40_000), ("tie", 1_000)),
    "Ana": (("banker", 20_000),),
    "Tane": (("banker", 6_000), ("tie", 500)),
}
"""Who sits at the table beside its guests, and bets what."""
LONG_MS = 120_000
PICTURES = {
    "dealer": {"dealer": ROOM, "dealer-phone": PHONE},
    "dealer-pay": {"dealer-pay": ROOM, "dealer-pay-phone": PHONE},
    "dealer-pay R-1": {},
    "dealer-pay J-1": {},
    "dealer-pay S-1": {},
    "supervisor": {"supervisor": ROOM, "supervisor-phone": PHONE},
    "supervisor-ask": {"supervisor-ask": DESK},
    "supervisor-cases": {"supervisor-cases": ROOM},
    "inspector": {"inspector": ROOM, "inspector-phone": PHONE},
    "inspector-corrected": {"inspector-corrected": ROOM},
    "significant": {"significant": DESK},
    "cage": {"cage": DESK, "cage-phone": PHONE},
    "voucher": {"voucher": DESK},
    "tournament": {"tournament": DESK},
    "lab": {"lab": ROOM, "lab-phone": PHONE},
    "lab-dark": {"lab-dark": DESK},
    "lab-blackjack": {"lab-blackjack": ROOM},
    "rulebook": {"rulebook": ROOM, "rulebook-phone": PHONE},
    "rulebook-changes": {"rulebook-changes": DESK},
    "training": {"training": DESK, "training-phone": PHONE},
    "training-score": {"training-score": ROOM},
    "sign-in": {"sign-in": DESK},
    "people": {"people": DESK},
    "pairing": {"pairing": DESK},
}
"""The moments, and the pictures that are taken of each: what they are called, and their size."""
Look = Callable[[Page, str], None]


def take_all(browser: Browser, camera: Camera) -> None:
    def look(page: Page, moment: str) -> None:
        for name, (width, height) in PICTURES[moment].items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(300)
            camera.take(page, name)

    tell_all(browser, look)


def tell_all(browser: Browser, look: Look) -> None:
    """The whole story, in houses of its own."""
    with house_by_hand() as house:
        tell_payments(browser, house.address, look)
        tell_table(browser, house, look)
        tell_rooms(browser, house, look)
        tell_studies(browser, house.address, look)
    with tempfile.TemporaryDirectory() as folder, lean(Path(folder)) as address:
        tell_tournament(browser, address, look)
    with tempfile.TemporaryDirectory() as folder, people.house_with_accounts(Path(folder)) as running:
        tell_accounts(browser, running, look)


@contextmanager
def house_by_hand() -> Iterator[DeviceHouse]:
    """A house with the table of the story, whose wagers are down and whose shoe is ready."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), pace=PACE) as (address, process):
        yield DeviceHouse(address, process, table=TABLE)


# ---------------------------------------------------------------- at the table


def tell_table(browser: Browser, house: DeviceHouse, look: Look) -> None:
    """A card that was not due is ruled on, the winners are paid, and the next round is corrected."""
    _bet(house)
    with page_at(browser, f"{house.address}/dealer?table={TABLE}", size=ROOM) as page:
        house.until(act="call No more bets")
        page.locator("#main").click()
        for card in ("6h", "Kd", "10c", "5s"):
            assert house.tell(card)["done"]
        house.until("deal")
        page.keyboard.press("i")
        panel = page.get_by_role("complementary", name="Irregularity")
        panel.get_by_role("radio").first.check()
        for stroke in ("Tab", "9", "d", "Enter"):
            page.keyboard.press(stroke)
        expect(panel.locator(".say")).to_contain_text("9 of diamonds")
        look(page, "dealer")
        panel.get_by_role("button", name="Carry it out").click()
        expect(panel).to_be_hidden()
        house.until(act="pay winning wagers")
        expect(page.locator("#due .what")).to_contain_text("Pay ")
        page.locator("#pay .now button[aria-pressed]").click()
        look(page, "dealer-pay")
    house.until(act="call No more bets")
    with page_at(browser, f"{house.address}/inspector?table={TABLE}&round=1", size=ROOM) as page:
        expect(page.locator(".steps .ruled")).to_be_visible()
        look(page, "inspector")
    _correct(browser, house, look)
    with page_at(browser, f"{house.address}/inspector?table={TABLE}&round=2", size=ROOM) as page:
        expect(page.locator(".whyline")).to_be_visible()
        look(page, "inspector-corrected")


def tell_payments(browser: Browser, address: str, look: Look) -> None:
    """What is paid at tables whose virtual dealers deal: a view of it is kept while it is looked at."""
    with ExitStack() as opened:
        paying = [moment.split()[1] for moment in PICTURES if moment.startswith("dealer-pay ")]
        wires = {table: Wire(after=lambda view: bool(view["due"].get("settles"))) for table in paying}
        pages = {
            table: opened.enter_context(page_at(browser, f"{address}/dealer?table={table}", size=ROOM, wire=wire))
            for table, wire in wires.items()
        }
        for table, page in pages.items():
            expect(page.locator("#pay")).to_be_visible(timeout=LONG_MS)
            look(page, f"dealer-pay {table}")


def _bet(house: DeviceHouse) -> None:
    for name, bets in BETS.items():
        ticket = house.post("/api/enter", {"name": name, "role": "player", "table": TABLE}).json()["ticket"]
        for on, amount in bets:
            answer = house.ask(ticket, "PlaceWager", player=name, on=on, amount=amount)
            assert answer["done"], answer


def _correct(browser: Browser, house: DeviceHouse, look: Look) -> None:
    """A round whose last card was read wrongly, put right in the supervisor's room."""
    _bet(house)
    house.do("dealer", "Tell", fact={"perform": "call No more bets", "by": "dealer"})
    for card in ("9h", "Kd", "10c", "7s"):
        assert house.tell(card)["done"]
    house.until(act="call No more bets")
    with page_at(browser, f"{house.address}/supervisor?table={TABLE}", size=ROOM) as page:
        page.get_by_label("New minimum").fill("10")
        page.get_by_label("New maximum").fill("500")
        page.get_by_role("button", name="Post the notice").click()
        expect(page.get_by_role("timer", name="New limits may be put up")).to_be_visible()
        page.get_by_role("button", name="Banker 2: 7 of spades. Change it").click()
        page.get_by_role("button", name="9 of clubs", exact=True).click()
        expect(page.locator("#correct .change .verdict")).to_contain_text("Tie, 9 all")
        page.get_by_label("Reason, for the record").fill("the last card was a nine")
        look(page, "supervisor")
        page.get_by_role("button", name="Correct the round").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("the last card was a nine")
        look(page, "supervisor-ask")
        dialog.get_by_role("button", name="Correct the round").click()
        expect(page.locator("#correct .status-line.yes")).to_contain_text("is corrected")


# ---------------------------------------------------------------- in the rooms of the house


def tell_rooms(browser: Browser, house: DeviceHouse, look: Look) -> None:
    """A terminal that froze, what waits to be acknowledged, and a voucher."""
    electronic = DeviceHouse(house.address, house.process, table=ELECTRONIC)
    pairing = {"number": 27, "minimum": 500, "maximum": 50_000, "increment": 100, "approval": "TT-27"}
    electronic.do("game supervisor", "PairTerminal", **pairing)
    electronic.do("game supervisor", "ReportMalfunction", terminal="Terminal 27", fault="the screen froze")
    with page_at(browser, f"{house.address}/supervisor?table={ELECTRONIC}", size=ROOM) as page:
        page.get_by_role("button", name="Open the case").click()
        expect(page.locator(".case")).to_be_visible()
        look(page, "supervisor-cases")
    with page_at(browser, f"{house.address}/significant?table={ELECTRONIC}&role=game%20supervisor&name=Sue") as page:
        expect(page.locator("main")).to_contain_text("froze")
        look(page, "significant")
    desk = Desk(house.address)
    for amount in (125_000, 8_500):
        assert desk.do("RedeemVoucher", voucher=desk.voucher(amount), amount=amount)["done"]
    code = desk.voucher(40_000)
    with page_at(browser, f"{house.address}/cage?name=Lee") as page:
        expect(page.locator("#code")).to_be_focused()
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        expect(page.locator(".amt")).to_have_text("$400.00")
        look(page, "cage")
    with page_at(browser, f"{house.address}/voucher?id={code}") as page:
        expect(page.locator("body")).to_contain_text("400.00")
        look(page, "voucher")
    with page_at(browser, f"{house.address}/terminal?table={ELECTRONIC}&device=") as page:
        expect(page.get_by_role("dialog")).to_be_visible()
        look(page, "pairing")


def tell_tournament(browser: Browser, address: str, look: Look) -> None:
    floor = Floor(address, contest="Night Cup")
    floor.prepare()
    floor.start()
    desk = "/tournament?role=casino%20supervisor&name=Dora&tournament=Night%20Cup"
    with page_at(browser, f"{address}{desk}") as page:
        expect(page.locator("#players tbody tr")).to_have_count(4)
        look(page, "tournament")


def tell_studies(browser: Browser, address: str, look: Look) -> None:
    """The odds of a game, how it is best played, what a rule says, and a lesson."""
    with page_at(browser, f"{address}/lab?game=baccarat&edition=nzd5&version=full", size=ROOM) as page:
        expect(page.locator("#sheet tbody tr").first).to_be_visible(timeout=LONG_MS)
        look(page, "lab")
        page.get_by_role("button", name="Dark theme").click()
        look(page, "lab-dark")
    with page_at(browser, f"{address}/lab?game=blackjack", size=ROOM) as page:
        expect(page.locator("table.chart2")).to_have_count(3, timeout=LONG_MS)
        look(page, "lab-blackjack")
    with page_at(browser, f"{address}/rulebook?rule=NZD5-12.1a", size=ROOM) as page:
        expect(page.locator("main")).to_contain_text("becomes its third card")
        expect(page.locator("main")).not_to_contain_text("Looking through the code", timeout=LONG_MS)
        look(page, "rulebook")
    with page_at(browser, f"{address}/rulebook?before=nz1998&after=nzd5&game=baccarat") as page:
        expect(page.locator("main .tag").first).to_be_visible()
        look(page, "rulebook-changes")
    with page_at(browser, f"{address}/training?game=baccarat&edition=nzd5&version=midi&seed=7") as page:
        page.locator(".option").first.click()
        expect(page.locator("#verdict")).not_to_be_empty()
        look(page, "training")
    answers = ",".join(["0"] * (LENGTH - 1))
    with page_at(browser, f"{address}/training?game=craps&seed=2&answers={answers}", size=ROOM) as page:
        page.locator(".option").nth(1).click()
        page.get_by_role("button", name="See the score").click()
        expect(page.locator("#ended h2")).to_contain_text("right")
        look(page, "training-score")


# ---------------------------------------------------------------- in a house with accounts


def tell_accounts(browser: Browser, running: people.Running, look: Look) -> None:
    """The first sign-in, and the people of the house."""
    with page_at(browser, running.address) as page:
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        look(page, "sign-in")
    manager = people.manager_of(running)
    for name, role in (("Sue", "game supervisor"), ("Dan", "dealer"), ("Lee", "cashier")):
        people.person(manager, name, role)
    with page_at(browser, running.address) as page:
        page.get_by_label("Name", exact=True).fill("manager")
        page.get_by_label("Password or PIN").fill(people.GOOD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("#people tbody tr")).to_have_count(5)
        page.locator("#people").evaluate("each => each.scrollIntoView()")
        look(page, "people")
