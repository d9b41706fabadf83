"""The first hand of a new house: what people and devices do on the first day, done once by a program.

    python deploy/first_hand.py https://127.0.0.1:8700 /srv/croupier/certificate.pem /srv/croupier/first-day.json

The last file is what `croupier init --json` told.  Everybody signs in and sets a password of their own (it is printed,
and should be changed again by its owner); the supervisor pairs two terminals, a note acceptor in each, and the shoe;
notes go in, both bet, the dealer and the shoe deal a coup, a terminal cashes out, the cage pays its voucher, and the
inspector has the journals verified.  Each step says on which page a person does the same.
"""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from typing import Any

from croupier.client import (
    Client,
    HouseCall,
    cage_command,
    card,
    command,
    device_code,
    device_enter,
    enter,
    notes,
    pair,
    set_password,
    sign_in,
)
from croupier.table.terminals.slips import digest

TABLE = "EB-1"
CARDS = ["9c", "Kh", "10d", "7s"]
"""Player 9, Banker 7: the Player's Hand wins with a natural."""


def main(address: str, certificate: str, told: str) -> None:
    one_time = json.loads(Path(told).read_text(encoding="utf-8"))["one_time"]
    people = {
        role: Person(address, certificate, name, one_time[name], role)
        for name, role in (("Sue", "game supervisor"), ("Dan", "dealer"), ("Lee", "cashier"), ("Ina", "inspector"))
    }
    sue, dan, lee, ina = people.values()
    dan.supervisor = sue
    step("The supervisor approves the system and pairs the devices (dealer's page, Terminals and shoe)")
    sue.do("ApproveSystem", version="1.0", approval="TA-0")
    terminals = [Terminal(sue, number) for number in (1, 2)]
    shoe = sue.client.ask(device_enter(sue.paired("shoe"))).ticket
    step("Notes go into both terminals")
    for terminal in terminals:
        terminal.insert(10_000)
    step("The dealer does what is due until betting is open (dealer's page), and both terminals bet (terminal's page)")
    dan.until("close betting")
    terminals[0].touch("player", 5_000)
    terminals[1].touch("banker", 2_000)
    step("No more bets; both confirm what they show, and the shoe tells its cards")
    dan.until("deal")
    for terminal in terminals:
        terminal.confirm()
    for drawn in CARDS:
        dan.until("deal")
        dan.client.ask(card(TABLE, shoe, drawn))
    dan.until("close betting")
    credits = [terminal.credits() for terminal in terminals]
    assert credits == [15_000, 8_000], credits
    step(f"The coup is settled: {credits}")
    step("Terminal 1 cashes out, and the cage pays its voucher (cage page)")
    voucher = terminals[0].do("CashOut", terminal="Terminal 1", voucher="").voucher
    lee.at_cage("OpenShift", cash=100_000)
    lee.at_cage("RedeemVoucher", voucher=voucher, amount=15_000)
    step("The inspector has the journals verified (inspector's page)")
    asked = HouseCall("POST", "/api/inspect/verify", str, {}, headers={"Authorization": f"Ticket {ina.ticket}"})
    found = json.loads(ina.client.ask(asked).splitlines()[-1])
    assert not found.get("fault"), found
    step(f"Verified: {found}")
    step("Done. The passwords that were set:")
    for each in people.values():
        print(f"  {each.name:<10}{each.password}")


def step(words: str) -> None:
    print(words, flush=True)


class Person:
    """Somebody who signs in for the first time, and enters in one role."""

    def __init__(self, address: str, certificate: str, name: str, one_time: str, role: str) -> None:
        self.name, self.password = name, secrets.token_urlsafe(12)
        self.supervisor: Person | None = None
        self.client = Client(address, trust=certificate)
        self.client.ask(sign_in(name, one_time))
        self.client.ask(set_password(one_time, self.password))
        self.ticket = self.client.ask(enter(role, "" if role in ("cashier", "inspector") else TABLE)).ticket

    def do(self, kind: str, **parts: Any) -> Any:
        return self.client.ask(command(TABLE, self.ticket, {"type": kind, **parts}))

    def at_cage(self, kind: str, **parts: Any) -> Any:
        return self.client.ask(cage_command(self.ticket, {"type": kind, **parts}))

    def paired(self, device: str) -> str:
        """The secret of a device that was just paired."""
        code = self.client.ask(device_code(TABLE, device, self.ticket)).code
        return self.client.ask(pair(code)).secret

    def until(self, wanted: str) -> None:
        """Do what is due of staff, as the dealer's page offers it, until this is due."""
        for _ in range(60):
            due = self.client.view(TABLE, self.ticket)["due"]
            if wanted in (due["kind"], due.get("act")):
                return
            official = self.supervisor if "supervisor" in (due.get("official") or "") and self.supervisor else self
            official.do("Tell", fact=_answer(due))
        raise AssertionError(f"{wanted} was never due")


def _answer(due: dict[str, Any]) -> dict[str, Any]:
    if due["kind"] == "choose":
        return {"choose": next(each for each in due["options"] if "decline" in each), "by": due["by"]}
    seen = {"burn face up": "2c", "burn face down": 2, "cut": 100}
    detail = seen.get(due["act"], due.get("usual", ""))
    return {"perform": due["act"], "by": due["by"], **({} if detail == "" else {"detail": detail})}


class Terminal:
    """A terminal and its note acceptor, each paired with a code of its own."""

    def __init__(self, supervisor: Person, number: int) -> None:
        self.client, self.name = supervisor.client, f"Terminal {number}"
        limits = {"minimum": 500, "maximum": 50_000, "increment": 500, "approval": "TA-1"}
        supervisor.do("PairTerminal", number=number, **limits)
        self.secret = supervisor.paired(self.name)
        self.acceptor = supervisor.paired(f"{self.name} note acceptor")

    def do(self, kind: str, **parts: Any) -> Any:
        ticket = self.client.ask(device_enter(self.secret)).ticket
        return self.client.ask(command(TABLE, ticket, {"type": kind, **parts}))

    def view(self) -> dict[str, Any]:
        return self.client.view(TABLE, self.client.ask(device_enter(self.secret)).ticket)

    def insert(self, cents: int) -> None:
        self.client.ask(notes(self.acceptor, (cents,)))

    def touch(self, on: str, cents: int) -> None:
        self.do("PlaceWager", player=self.name, on=on, amount=cents)

    def confirm(self) -> None:
        """Tell the digest of what is on the screen, as the terminal's page does."""
        seen = self.view()
        bets = {each["on"]: each["stake"] for each in sorted(seen["wagers"], key=lambda each: each["on"])}
        self.do("ConfirmSlip", terminal=self.name, slip=digest(self.name, seen["round"], bets))

    def credits(self) -> int:
        return int(self.view()["me"]["chips"])


if __name__ == "__main__":
    main(*sys.argv[1:4])
