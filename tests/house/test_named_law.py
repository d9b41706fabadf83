"""A room of the house says under which law it was opened: the cage, a jackpot link, a tournament."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from croupier.game import Refusal
from croupier.house.cage import decide as cage
from croupier.house.cage import messages as cage_messages
from croupier.house.cage.law import RULES
from croupier.house.cage.state import Cage
from croupier.house.jackpot import messages as link_messages
from croupier.house.tournament import messages as tournament_messages
from croupier.journal.entries import encode
from croupier.journal.messages import Entry
from croupier.law.model import Law
from croupier.law.ruleset import named_law
from tests.helpers.desks import jackpot, tournament


def opened_cage() -> Entry[Any]:
    request = cage_messages.CageRequest(cage_messages.OpenCage(practice=False), "Lee", "casino supervisor", 0)
    events = cage.decide(Cage(), request)
    assert not isinstance(events, Refusal)
    return cage.entries(Cage(), request, events)[0]


def opened_link() -> Entry[Any]:
    desk = jackpot.Desk()
    desk.ask(link_messages.OpenLink(7_500, 2_500, 1_000, "CCA 96/1"))
    return desk.journal[0]


def opened_tournament() -> Entry[Any]:
    desk = tournament.Desk()
    desk.ask(tournament_messages.AppointDirector("dora", "game supervisor"))
    return desk.journal[0]


@pytest.mark.parametrize(
    ("opened", "decode", "edition", "parts"),
    [
        (opened_cage, cage_messages.decode, "nz1996", {"text"}),
        (opened_link, link_messages.decode, "nz1996", {"links", "stud", "general"}),
        (opened_tournament, tournament_messages.decode, "vic2002", {"text", "general"}),
    ],
)
def test_the_first_line_of_a_room_names_its_law_and_one_that_does_not_is_read(
    opened: Callable[[], Entry[Any]], decode: Callable[[bytes], Entry[Any]], edition: str, parts: set[str]
) -> None:
    first = opened()
    assert first.event.law["edition"] == edition
    assert first.event.law.keys() - {"edition"} == parts
    assert decode(encode(first)) == first
    older = json.loads(encode(first))
    del older["event"]["law"]
    assert decode(json.dumps(older).encode()).event == msgspec.structs.replace(first.event, law={})


def test_any_change_of_the_law_is_another_name() -> None:
    changed = replace(RULES, redeemed=Law(2, RULES.redeemed.rules))
    assert named_law("nz1996", text=changed) != named_law("nz1996", text=RULES) == opened_cage().event.law

    link = jackpot.Desk().link
    desk = jackpot.Desk()
    desk.link = msgspec.structs.replace(link, rules=replace(link.rules, whole=Law(10_001, link.rules.whole.rules)))
    desk.ask(link_messages.OpenLink(7_500, 2_501, 1_000, "CCA 96/1"))
    other, law = desk.journal[0].event, opened_link().event.law
    assert isinstance(other, link_messages.TermsSet)
    assert {part for part in law if law[part] != other.law[part]} == {"links"}

    held = tournament.Desk()
    rules = held.state.rules
    held.state = msgspec.structs.replace(held.state, rules=replace(rules, briefing=Law(False, rules.briefing.rules)))
    held.ask(tournament_messages.AppointDirector("dora", "game supervisor"))
    named, law = held.journal[0].event, opened_tournament().event.law
    assert isinstance(named, tournament_messages.DirectorAppointed)
    assert {part for part in law if law[part] != named.law[part]} == {"text"}
