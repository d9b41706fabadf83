"""Journals that earlier releases wrote are still read, replayed and found true.

Each file in `golden/journals` is a table's journal as it was stored by an earlier release.  Before laws were named in
their second form: baccarat of three documents, with terminals and with a ruling that the table of that time did not
carry out; blackjack; craps.  After it: terminals with a batch shuffler whose second set nobody was asked to inspect; a
hand that was passed in a void hand, and two cuts over the heads of people who had taken or left their seats; blackjack
dealt on from the discards of a shoe that had run out; a hand that stayed with a player who was excluded; a stickperson
who threw on although a player could, and chips added to a wager that were paid by themselves; insurance on a card that
was shown, a card that counted as two, hands played on whose wagers were void, a cut that was offered to who had left.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.audit.verify import redecided, table_of
from croupier.floor.store.appends import Append, Appended
from croupier.floor.store.durable import Store, open_store
from croupier.journal.entries import BadJournal
from croupier.table.desk import replay
from croupier.table.events import decode
from croupier.table.explain import explain
from tests.helpers.places import TESTS

JOURNALS = {path.stem: path for path in sorted((TESTS / "golden" / "journals").glob("*.jsonl"))}
each_journal = pytest.mark.parametrize("name", JOURNALS)


def lines_of(name: str) -> list[bytes]:
    return JOURNALS[name].read_bytes().splitlines()


def other_law(name: str, **changes: Any) -> list[bytes]:
    """The journal with another law in its first line."""
    first, *rest = lines_of(name)
    line = json.loads(first)
    line["event"]["law"] |= changes
    return [json.dumps(line).encode(), *rest]


@each_journal
def test_it_is_decoded_and_replayed_to_its_last_line(name: str) -> None:
    lines = lines_of(name)
    fresh = table_of(name, decode(lines[0]))
    table = replay(fresh.game, fresh.ruleset, lines)
    assert table.entries == len(lines)
    assert sum(table.balances.values()) == 0
    assert len(explain(map(decode, lines), 1)) > 500


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "key") as opened:
        yield opened


@each_journal
def test_its_settlements_are_what_its_rules_make_of_its_rounds(name: str, store: Store) -> None:
    lines = lines_of(name)
    kept = store.append(Append(name, 0, "01" + 30 * "0", tuple(lines), (), b"")).result()
    assert isinstance(kept, Appended)
    events = [json.loads(line)["event"] for line in lines]
    settled = sum(event["type"] == "WagerSettled" and not event.get("apart") for event in events)
    assert redecided(store, name) == settled > 0


@each_journal
def test_under_other_names_it_is_no_journal_of_this_table(name: str) -> None:
    lines = lines_of(name)
    fresh = table_of(name, decode(lines[0]))
    elections = json.loads(lines[0])["event"]["law"]["elections"]
    changed = next(key for key, value in elections.items() if value == fresh.ruleset.elections[key])
    for changes in (
        {"game": "chess"},
        {"edition": "nz2099"},
        {"version": "grand"},
        {"elections": elections | {changed: 99}},
    ):
        with pytest.raises(BadJournal, match="opened under other rules"):
            replay(fresh.game, fresh.ruleset, other_law(name, **changes))


@each_journal
def test_a_law_of_the_second_form_that_was_never_known_is_refused(name: str) -> None:
    fresh = table_of(name, decode(lines_of(name)[0]))
    named = fresh.ruleset.named()
    assert replay(fresh.game, fresh.ruleset, other_law(name, **named)).entries
    for wrong in ({"hash": "0" * 64}, {"hash": "0" * 64, "text": "0" * 64}):
        with pytest.raises(BadJournal, match="opened under other rules"):
            replay(fresh.game, fresh.ruleset, other_law(name, **(named | wrong)))
