"""A room of the house says under which law it was opened."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec

from croupier.game import Refusal
from croupier.house.cage import messages as m
from croupier.house.cage.decide import decide, entries
from croupier.house.cage.law import RULES
from croupier.house.cage.state import Cage
from croupier.journal.entries import encode
from croupier.law.model import Law
from croupier.law.ruleset import part_hash


def test_the_first_line_of_a_cage_names_its_law_and_one_that_does_not_is_read() -> None:
    request = m.CageRequest(m.OpenCage(practice=False), "Lee", "casino supervisor", 0)
    events = decide(Cage(), request)
    assert not isinstance(events, Refusal)
    (first,) = entries(Cage(), request, events)
    assert isinstance(first.event, m.CageOpened)
    assert first.event.law == {"edition": "nz1996", "text": part_hash(RULES)}
    assert part_hash(replace(RULES, redeemed=Law(2, RULES.redeemed.rules))) != first.event.law["text"]
    older = json.loads(encode(first))
    del older["event"]["law"]
    read = m.decode(json.dumps(older).encode())
    assert read.event == msgspec.structs.replace(first.event, law={})
