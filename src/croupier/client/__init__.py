"""Asking a house from a program of one's own: typed calls, the feed of events, and bridges for devices.

with Client("https://casino.example:8700", trust="certificate.pem") as house:
    house.ask(sign_in("Sue", password))
    ticket = house.ask(enter("game supervisor", "EB-1")).ticket
    house.ask(command("EB-1", ticket, {"type": "ShowRules"}))
    for event in house.follow(after=last, key=key):
        ...
"""

try:
    from croupier.client.asking import AsyncClient, Client
except ModuleNotFoundError as error:
    from croupier.errors import missing

    raise missing(error.name) from error
from croupier.client.calls import (
    Done,
    FeedEvent,
    FeedPage,
    HouseCall,
    HouseRefused,
    cage_command,
    card,
    command,
    device_code,
    device_enter,
    enter,
    events,
    new_id,
    notes,
    pair,
    set_password,
    sign_in,
)

__all__ = [
    "AsyncClient",
    "Client",
    "Done",
    "FeedEvent",
    "FeedPage",
    "HouseCall",
    "HouseRefused",
    "cage_command",
    "card",
    "command",
    "device_code",
    "device_enter",
    "enter",
    "events",
    "new_id",
    "notes",
    "pair",
    "set_password",
    "sign_in",
]
