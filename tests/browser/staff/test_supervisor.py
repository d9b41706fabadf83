"""The supervisor's room in a real Chromium, against a real house: notices, seats, cases, a wrong result put right."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from websockets.sync.client import connect

from tests.browser.test_dealer import TABLE, faint, nameless, open_by_others, post, tell, too_small
from tests.helpers.browser import DESK, PHONE, ROOM, Wire, chromium, needs_chromium, overflow, page_at
from tests.helpers.houses import people
from tests.helpers.houses.served import served

PACE = "2,0.1,0.03"
SEATS = 9
ELECTRONIC = "EB-1"
pytestmark = needs_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house whose table B-4 is open and has a shoe."""
    with served(tmp_path_factory.mktemp("house"), pace=PACE) as (address, _):
        open_by_others(address)
        yield address


def enter(address: str, name: str, role: str, table: str = TABLE) -> str:
    return str(post(address, "/api/enter", {"name": name, "role": role, "table": table})["ticket"])


def do(address: str, ticket: str, table: str = TABLE, **command: Any) -> dict[str, Any]:
    body = {"id": secrets.token_hex(16), "ticket": ticket, "command": command}
    return post(address, f"/api/tables/{table}/commands", body)


def wager(address: str, ticket: str, player: str, on: str) -> None:
    answer = do(address, ticket, type="PlaceWager", player=player, on=on, amount=10_000)
    assert answer["done"], answer


AFTER = ("announce player", "announce banker", "announce result", "collect losing wagers", "pay winning wagers")


def coup(address: str, *cards: str) -> None:
    """A round of four cards, from the call to the payment."""
    tell(address, {"perform": "call No more bets", "by": "dealer"}, *cards)
    tell(address, *({"perform": act, "by": "dealer"} for act in AFTER))


def room(address: str, table: str = TABLE, more: str = "") -> str:
    return f"{address}/supervisor?table={table}{more}"


# ---------------------------------------------------------------- the sign


def test_a_notice_starts_the_clock_and_a_change_before_it_is_refused_with_its_rule(
    browser: Browser, house: str
) -> None:
    with page_at(browser, room(house), size=ROOM) as page:
        expect(page.locator("#limits .sign .figure")).to_have_text("$5 – $1,000")
        expect(page.locator("#limits .notice")).to_contain_text("20 minutes")
        page.get_by_label("New minimum").fill("10")
        page.get_by_label("New maximum").fill("500")
        page.get_by_role("button", name="Post the notice").click()
        clock = page.get_by_role("timer", name="New limits may be put up")
        expect(clock.locator("text")).to_have_text(re.compile(r"^20:\d\d$"))
        first = clock.locator("text").text_content()
        expect(clock.locator("text")).not_to_have_text(str(first))
        expect(page.locator("#limits .notice")).to_contain_text("$10 – $500")

        page.get_by_role("button", name="Put up $10 – $500 now").click()
        refused = page.locator("#limits .status-line.no")
        expect(refused).to_contain_text("needs a sign for 20 minutes")
        tag = refused.get_by_role("button", name="Rule NZ1996-I-13.3")
        tag.click()
        expect(page.locator("#sheet")).to_contain_text("minimum")
        expect(page.locator("#limits .sign .figure")).to_have_text("$5 – $1,000")

        # What binds players less needs no notice; it is asked once more, and the safe answer changes nothing.
        page.get_by_label("New minimum").fill("5")
        page.get_by_label("New maximum").fill("2,000")
        page.get_by_role("button", name="Change now").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("What will be recorded")
        expect(dialog.get_by_role("button", name="Leave the sign")).to_be_focused()
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        expect(page.locator("#limits .sign .figure")).to_have_text("$5 – $1,000")
        page.get_by_role("button", name="Change now").click()
        dialog.get_by_role("button", name="Change the limits").click()
        expect(page.locator("#limits .sign .figure")).to_have_text("$5 – $2,000")

        # A closing is for the casino supervisor, who orders it at this screen.
        page.get_by_role("button", name="Post the closing").click()
        expect(page.locator("#closing .status-line.yes")).to_contain_text("Ordered by the casino supervisor")
        expect(page.get_by_role("timer", name="The table may close")).to_be_visible()
        page.get_by_role("button", name="Close the table").click()
        expect(page.locator("#closing .status-line.no .tag")).to_have_text("NZ1996-I-6.0")


@dataclass(slots=True)
class Later(Wire):
    """A line on which every view comes from the future, so that a page thinks that the notice stood long enough."""

    def _tells(self, page_side: WebSocketRoute, text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "View":
            message["view"]["at_ms"] += 22 * 60_000
        page_side.send(json.dumps(message))


def test_when_the_clock_is_over_the_page_says_what_may_be_done_and_the_server_still_decides(
    browser: Browser, house: str
) -> None:
    from_ms = int(time.time() * 1000) + 20 * 60_000 + 2_000
    sue = enter(house, "Sue", "game supervisor")
    assert do(house, sue, type="PostLimits", minimum=1_000, maximum=50_000, from_ms=from_ms)["done"]
    with page_at(browser, room(house), size=DESK, wire=Later()) as page:
        expect(page.locator("#attention .what")).to_have_text("$10 – $500 may be put up now")
        expect(page.get_by_role("timer", name="New limits may be put up").locator("text")).to_have_text("now")
        expect(page.locator("#limits .grounds .met")).to_contain_text("The notice stood")
        page.get_by_role("button", name="Change to $10 – $500").click()
        expect(page.locator("#limits .status-line.no")).to_contain_text("needs a sign for 20 minutes")
        assert overflow(page) <= 0


# ---------------------------------------------------------------- a wrong result


def test_a_wrong_result_is_corrected_with_its_preview_and_seen_on_both_terminals(browser: Browser, house: str) -> None:
    tickets = {name: enter(house, name, "player") for name in ("Kim", "Lou")}
    wager(house, tickets["Kim"], "Kim", "player")
    wager(house, tickets["Lou"], "Lou", "banker")
    coup(house, "9h", "Kd", "10c", "7s")
    seats = f"{house}/terminal?table={TABLE}&name="
    with (
        page_at(browser, f"{seats}Kim") as kim,
        page_at(browser, f"{seats}Lou", size=PHONE) as lou,
        page_at(browser, room(house), size=ROOM) as page,
    ):
        expect(kim.locator("#credits")).to_have_text("$1,100.00")
        expect(lou.locator("#credits")).to_have_text("$900.00")
        expect(kim.locator("#result")).to_contain_text("Player 9")

        expect(page.get_by_label("Round", exact=True)).to_contain_text("Player wins, 9 over 7")
        # Facts that make no round are refused with the rule that wants another card.
        page.get_by_role("button", name="Player 1: 9 of hearts. Change it").click()
        page.get_by_role("button", name="3 of clubs", exact=True).click()
        expect(page.locator("#correct .status-line.no")).to_contain_text("not over with these facts")
        expect(page.locator("#correct .status-line.no .tag")).to_have_text(re.compile("NZD5-"))
        expect(page.get_by_role("button", name="Correct the round")).to_be_hidden()
        page.get_by_role("button", name="As recorded").click()
        expect(page.locator("#correct .status-line.no")).to_have_count(0)

        page.get_by_role("button", name="Banker 2: 7 of spades. Change it").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("9")
        page.keyboard.press("c")
        change = page.locator("#correct .change")
        expect(change.locator(".verdict")).to_contain_text("Tie, 9 all")
        kims = change.get_by_role("row").filter(has_text="Kim")
        expect(kims).to_contain_text("Won 200.00")
        expect(kims.locator("td").last).to_have_text("−100.00")
        expect(change.get_by_role("row").filter(has_text="Lou").locator("td").last).to_have_text("+100.00")
        # Nothing has happened yet.
        expect(lou.locator("#credits")).to_have_text("$900.00")

        page.get_by_label("Reason, for the record").fill("the last card was a nine")
        page.get_by_role("button", name="Correct the round").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("the last card was a nine")
        dialog.get_by_role("button", name="Correct the round").click()
        expect(page.locator("#correct .status-line.yes")).to_contain_text("is corrected")
        expect(page.get_by_label("Round", exact=True)).to_contain_text("Tie, 9 all")
        for terminal in (kim, lou):
            expect(terminal.locator("#credits")).to_have_text("$1,000.00")
            expect(terminal.locator("#result")).to_contain_text("Tie")

        # Ordered while another round is played, a correction waits for its end, and says so.
        wager(house, tickets["Lou"], "Lou", "player")
        tell(house, {"perform": "call No more bets", "by": "dealer"})
        expect(page.locator("#felt-end")).to_contain_text("Card to the Player")
        page.get_by_role("button", name="Banker 2: 9 of clubs. Change it").click()
        page.get_by_role("button", name="7 of spades", exact=True).click()
        page.get_by_label("Reason, for the record").fill("it was a seven after all")
        page.get_by_role("button", name="Correct the round").click()
        dialog.get_by_role("button", name="Correct the round").click()
        expect(page.locator("#correct .status-line.yes")).to_contain_text("is in play: this waits for its end")
        tell(house, "9h", "Kd", "10c", "7s", *({"perform": act, "by": "dealer"} for act in AFTER))
        expect(page.locator("#correct .status-line.yes")).to_contain_text("is corrected")
        expect(kim.locator("#credits")).to_have_text("$1,100.00")


# ---------------------------------------------------------------- people


def test_a_player_who_keeps_a_seat_without_wagering_is_asked_to_leave(browser: Browser, house: str) -> None:
    dealer = enter(house, "Dot", "dealer")
    seated = 0
    for number in range(SEATS):
        answer = do(house, dealer, type="Sit", player=f"Guest {number}", seat=number + 1)
        seated += answer["done"]
    assert seated
    for _ in range(3):
        do(house, dealer, type="BuyChips", player="Gus", amount=10_000)
        do(house, dealer, type="PlaceWager", player="Gus", on="tie", amount=1_000)
        coup(house, "9h", "Kd", "10c", "7s")
    with page_at(browser, room(house), size=ROOM) as page:
        banner = page.locator("#attention")
        expect(banner.locator(".what")).to_have_text(re.compile(r"^(\w+( \d)?) has not wagered for \d rounds$"))
        expect(banner.locator(".tag")).to_have_text("NZ1996-I-5.0")
        banner.get_by_role("button", name=re.compile("^Ask .* to leave$")).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("All seats are taken")
        dialog.get_by_role("button", name=re.compile("^Ask .* to leave$")).click()
        expect(page.locator("#people .status-line.yes")).to_contain_text("was asked to give up the seat")

        # Limits for one player are the shift manager's, by the law of this table.
        page.get_by_role("button", name="Choose Gus").click()
        page.get_by_role("group", name="What to do about Gus").get_by_role("button", name="Limits").click()
        page.get_by_label("Maximum", exact=True).fill("5000")
        page.get_by_role("button", name="Set limits for Gus").click()
        expect(dialog).to_contain_text("for the shift manager")
        dialog.get_by_role("button", name="Set the limits").click()
        expect(page.locator("#people tr").filter(has_text="Gus")).to_contain_text("$5 – $5,000")
        # Such a maximum is above the table's, or none.
        page.get_by_label("Maximum", exact=True).fill("100")
        page.get_by_role("button", name="Set limits for Gus").click()
        expect(page.locator("#people .status-line.no")).to_contain_text("above that of the table")
        expect(page.locator("#people .status-line.no .tag")).to_have_text("NZ1996-I-13.4")
        check(page)


def test_a_players_number_is_set_and_taken_away_at_the_seat_and_seen_by_no_other_player(
    browser: Browser, house: str
) -> None:
    dealer = enter(house, "Dot", "dealer")
    for name in ("Pia", "Eve"):
        assert do(house, dealer, type="Sit", player=name, seat=0)["done"]
    pia, eve = (f"{house}/terminal?table={TABLE}&name={name}" for name in ("Pia", "Eve"))
    with (
        page_at(browser, room(house), size=ROOM) as page,
        page_at(browser, pia, size=DESK) as own,
        page_at(browser, eve, size=DESK, wire=(wire := Wire())) as other,
    ):
        page.get_by_role("button", name="Choose Pia").click()
        page.get_by_role("group", name="What to do about Pia").get_by_role("button", name="Seat").click()
        number = page.get_by_label("Number of the player's card")
        row = page.locator("#people tr").filter(has_text="Pia")
        record = page.get_by_role("button", name="Record the number")
        number.fill("12 34")
        record.click()
        expect(page.locator("#people .status-line.no")).to_contain_text("up to 20 letters and digits")
        number.fill("KIWI-5432")
        record.click()
        expect(page.locator("#people .status-line.yes")).to_contain_text("Pia plays under the number KIWI-5432")
        expect(row).to_contain_text("card KIWI-5432")
        # Her own page shows how it begins; nobody else is sent any of it.
        expect(own.locator("#own-card")).to_have_text("Card KIWI…")
        assert overflow(own) <= 0
        assert do(house, dealer, type="BuyChips", player="Eve", amount=12_300)["done"]
        expect(other.locator("#credits")).to_contain_text("123.00")
        expect(other.locator("#own-card")).to_be_hidden()
        assert "KIWI" not in " ".join(map(str, wire.heard))

        page.get_by_role("button", name="Take the number away").click()
        expect(page.locator("#people .status-line.yes")).to_contain_text("Pia plays under no number")
        expect(row).not_to_contain_text("card")
        expect(own.locator("#own-card")).to_be_hidden()


def check(page: Page) -> None:
    """Names, sizes and contrast, in both rooms; nothing beside the window at any size."""
    assert nameless(page) == []
    assert too_small(page) == []
    assert faint(page) == []
    page.get_by_role("button", name="Light theme").click()
    assert faint(page) == []
    for width, height in (ROOM, DESK, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        assert overflow(page) <= 0, width
    assert too_small(page) == []


@pytest.mark.parametrize("role", ["player", "dealer", "cashier", "inspector"])
def test_the_room_is_refused_to_other_roles(browser: Browser, house: str, role: str) -> None:
    with page_at(browser, room(house, more=f"&role={role}&name=Pat")) as page:
        expect(page.locator("#attention .what")).to_have_text(
            f"This room is for the game supervisor and those above, not for the {role}"
        )
        expect(page.get_by_role("button", name="Post the notice")).to_be_hidden()
        expect(page.get_by_role("link", name="Enter again through the lobby")).to_be_visible()


# ---------------------------------------------------------------- cases


def test_a_case_is_closed_when_its_three_duties_are_done(browser: Browser, house: str) -> None:
    sue = enter(house, "Sue", "game supervisor", ELECTRONIC)
    pairing = {"number": 27, "minimum": 500, "maximum": 50_000, "increment": 100, "approval": "TT-27"}
    for command in (
        {"type": "ApproveSystem", "version": "3.2", "approval": "TA-9"},
        {"type": "PairTerminal", **pairing},
        {"type": "ReportMalfunction", "terminal": "Terminal 27", "fault": "the screen froze"},
    ):
        answer = do(house, sue, ELECTRONIC, **command)
        assert answer["done"], answer
    with page_at(browser, room(house, ELECTRONIC), size=ROOM) as page:
        expect(page.locator("#attention .what")).to_have_text("Terminal 27 is locked")
        page.get_by_role("button", name="Open the case").click()
        case = page.locator(".case")
        case.get_by_role("button", name="Close the case: 3 of 3 to do").click()
        refused = page.locator("#terminals .status-line.no")
        expect(refused).to_contain_text("Missing: the report to the inspector")
        expect(refused.locator(".tag")).to_have_text("NZEB-12.5a")
        case.get_by_label("Reference of the report").fill("INS-118")
        case.get_by_role("button", name="Record the report").click()
        expect(case.locator(".duties .met")).to_have_count(1)
        case.get_by_label("What was found and done").fill("restarted, tested")
        case.get_by_role("button", name="Record the finding").click()
        expect(case.locator(".duties .met")).to_have_count(2)
        case.get_by_role("button", name="Refund the wagers").click()
        expect(case.locator(".duties .met")).to_have_count(3)
        case.get_by_role("button", name="Close the case", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Close the case").click()
        expect(case).to_have_count(0)
        expect(page.get_by_role("row").filter(has_text="Terminal 27")).to_contain_text("free")
        check(page)


def test_the_number_of_whoever_plays_at_a_terminal_goes_with_them(browser: Browser, house: str) -> None:
    sue, name = enter(house, "Sue", "game supervisor", ELECTRONIC), "Terminal 28"
    pairing = {"number": 28, "minimum": 500, "maximum": 50_000, "increment": 100, "approval": "TT-28"}
    do(house, sue, ELECTRONIC, type="ApproveSystem", version="3.2", approval="TA-9")  # perhaps it was before
    assert do(house, sue, ELECTRONIC, type="PairTerminal", **pairing)["done"]
    with page_at(browser, room(house, ELECTRONIC), size=ROOM) as page:
        row = page.locator("#terminals tr").filter(has_text=name)
        page.locator("#terminals").get_by_role("button", name=f"Choose {name}").click()
        page.get_by_role("group", name=f"What to do with {name}").get_by_role("button", name="Card").click()
        expect(page.locator("#terminals .card-of")).to_contain_text(f"Nobody plays on {name}")
        pause = page.get_by_role("button", name="Pause it and deal").element_handle()
        assert do(house, sue, ELECTRONIC, type="CreditTerminal", terminal=name, amount=5_000)["done"]
        page.get_by_label("Number of the player's card").fill("C-28")
        page.get_by_role("button", name="Record the number").click()
        expect(row).to_contain_text("card C-28")
        # What can be pressed is not drawn anew under the finger, whatever happens at the table.
        assert pause.evaluate("each => each.isConnected")
        check(page)
        assert do(house, sue, ELECTRONIC, type="CancelCredit", terminal=name)["done"]
        expect(row).not_to_contain_text("card")
        expect(page.locator("#terminals .card-of")).to_contain_text(f"Nobody plays on {name}")


# ---------------------------------------------------------------- in a house with accounts


def one_round(address: str, tickets: dict[str, str]) -> None:
    """A whole round without wagers: whatever is due is done as it usually is, by whoever must do it."""
    cards = iter(("9h", "Kd", "10c", "7s"))
    for _ in range(80):
        view = seen(address, tickets["game supervisor"])
        if view["round"] > 1:
            return
        due = view["due"]
        by = due.get("by", "dealer")
        match due["kind"]:
            case "deal":
                fact: Any = next(cards)
            case "choose":
                fact = {"choose": due["options"][-1], "by": by}
            case _:
                usual = "5s" if due["act"] == "burn face up" else due.get("usual", "")
                fact = {"perform": due["act"], "by": by} | ({} if usual == "" else {"detail": usual})
        answer = people.do(address, tickets[due.get("official") or "dealer"], {"type": "Tell", "fact": fact})
        assert answer["done"], (due, answer)
    raise AssertionError("the round does not end")


def seen(address: str, ticket: str) -> dict[str, Any]:
    with connect(f"{address.replace('http', 'ws', 1)}/api/tables/{people.TABLE}/live") as line:
        line.send(json.dumps({"type": "Hello", "ticket": ticket}))
        view: dict[str, Any] = json.loads(line.recv(30))["view"]
        return view


def lent(page: Page, name: str, role: str) -> None:
    dialog = page.get_by_role("dialog").filter(has_text=f"The {role} does this")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Password or PIN").fill(people.GOOD)
    dialog.get_by_role("button", name=f"Confirm as {role}").click()


def test_with_accounts_the_official_and_the_second_person_show_themselves(browser: Browser, tmp_path: Path) -> None:
    with people.house_with_accounts(tmp_path) as house:
        manager = people.manager_of(house)
        staff = {"Sue": "game supervisor", "Dan": "dealer", "Max": "casino supervisor"}
        secret = {name: people.person(manager, name, role) for name, role in staff.items()} | {"Ina": house.inspector}
        tickets = {}
        for name, role in (staff | {"Ina": "inspector"}).items():
            own = people.settled(house.address, name, secret[name])
            tickets[role] = own.ticket(role, people.TABLE)
        one_round(house.address, tickets)
        with page_at(browser, house.address, size=ROOM) as page:
            page.get_by_label("Name", exact=True).fill("Sue")
            page.get_by_label("Password or PIN").fill(people.GOOD)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("button", name="Game supervisor").click()
            page.get_by_role("button", name="Post the closing").click()
            lent(page, "Max", "casino supervisor")
            expect(page.locator("#closing .status-line.yes")).to_contain_text("Ordered by the casino supervisor")

            page.get_by_role("button", name="Banker 2: 7 of spades. Change it").click()
            page.get_by_role("button", name="9 of clubs", exact=True).click()
            page.get_by_label("Reason, for the record").fill("it was a nine")
            page.get_by_role("button", name="Correct the round").click()
            dialog = page.get_by_role("dialog")
            dialog.get_by_label("Done by two people").select_option("inspector")
            dialog.get_by_role("button", name="Correct the round").click()
            lent(page, "Ina", "inspector")
            expect(page.locator("#correct .status-line.yes")).to_contain_text("is corrected")
            expect(page.get_by_label("Round", exact=True)).to_contain_text("Tie, 9 all")
