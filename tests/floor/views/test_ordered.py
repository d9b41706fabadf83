"""What a dealer may ask of a table can be ordered in the browser: by the dealer's page, or by another that is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.floor.doors.permissions import COMMANDS, may_ask
from croupier.law.officials import DEALER

WEB = Path(__file__).parents[3] / "src" / "croupier" / "web"
ELSEWHERE = {
    "CreditTerminal": ("supervisor", "credits of a terminal are beside the terminal, with its limits and its lock"),
    "CancelCredit": ("supervisor", "the same"),
    "CashOut": ("terminal", "the screen of the terminal asks for it"),
    "RedeemVoucher": ("cage", "vouchers are looked up and paid where their numbers are read"),
}
"""What a dealer may ask for and another page orders: which one, and why."""
WITH_OFFICIAL = {"ReportPaid", "HoldUnclaimed", "ReturnSlip"}
"""What an official orders at the dealer's page."""


def ordered(page: str) -> set[str]:
    """The commands that the scripts of a page write."""
    text = "".join(path.read_text("utf-8") for path in sorted((WEB / page).rglob("*.js")))
    return set(re.findall(r'\btype: "([A-Z]\w+)"', text)) & set(COMMANDS)


def dealers() -> list[str]:
    return [command for command in COMMANDS if may_ask(command, DEALER)]


@pytest.mark.parametrize("command", dealers())
def test_what_a_dealer_may_ask_is_on_a_page(command: str) -> None:
    page, _ = ELSEWHERE.get(command, ("dealer", ""))
    assert command in ordered(page), f"no script of {page} orders {command}"


def test_nothing_else_is_on_the_page_of_the_dealer() -> None:
    """What the dealer may not order stands there only where an official orders it; what is said of others is true."""
    assert ordered("dealer") - set(dealers()) == WITH_OFFICIAL
    assert set(ELSEWHERE) <= set(dealers()) - ordered("dealer")


def test_machines_order_what_no_dealer_says() -> None:
    assert not {"FixShoe", "ShowPool", "InsertNotes", "ConfirmSlip"} & set(dealers())
