"""The story of a round at its door: a player is told what was seen, and one round is read and not the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from croupier.floor.app import create_app
from croupier.floor.keeping.accounts import Hashing
from croupier.floor.keeping.credentials.tickets import Ticket
from croupier.floor.keeping.house import open_house
from croupier.floor.keeping.planned import Planned
from croupier.floor.rooms.inspector.paper import NoSuchRound, round_paper
from croupier.floor.store.appends import Append
from croupier.floor.store.chain import StoredLine
from croupier.floor.store.durable import Store, open_store
from croupier.floor.views import rounds
from croupier.floor.views.own import own_lines
from croupier.floor.views.rounds import RoundsKept
from croupier.game import Deal
from croupier.house.people.decide import CONSOLE
from croupier.house.people.messages import MakeAccount
from croupier.journal.entries import encode
from croupier.prove.house.desks import HERE
from croupier.table.commands import AskReview, DecideDispute, RaiseDispute
from croupier.table.desk import LiveTable
from croupier.table.events import DisputeDecided, ReviewAsked, TableEntry, decode
from croupier.table.explain import lines_of
from tests.helpers.desks.table import ROUND, a_desk, asked, until_chance, with_players

CARDS = ["2h", "3d", "4c", "5s"]


def kept(folder: Path, desk: LiveTable) -> str:
    """The journal of a desk in a store; answers with the name of its table."""
    name = desk.state.name
    with open_store(f"sqlite:///{folder}/house.db", key_path=folder / "key") as store:
        lines = tuple(map(encode, desk.journal))
        store.append(Append(name, 0, "0" * 32, lines, (), b"{}", sign=True)).result()
    return name


def dealt(desk: LiveTable, cards: list[str] | tuple[str, ...]) -> None:
    for card in cards:
        until_chance(desk)
        assert isinstance(desk.state.due, Deal)
        desk.tell(card)


def test_cards_that_lie_face_down_are_told_to_no_player_before_they_are_turned(tmp_path: Path) -> None:
    desk = with_players(a_desk("vic2002", version="traditional"), "the player", "bob")
    desk.bet("bob", "player", 2_000)
    dealt(desk, CARDS)
    down = desk.state.procedure.covered(desk.state.ruleset.rules, desk.state.attended.state)
    assert down is not None
    assert any(down.values())
    name = kept(tmp_path, desk)

    async def read_stories() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=False, hashing=Hashing(1, 64, 1))
        app = create_app(house, (Planned(name, "vic2002", "baccarat", "traditional"),))
        async with app.router.lifespan_context(app):
            assert house.accounts is not None
            for role in ("player", "dealer"):
                what = MakeAccount(f"the {role}", (role,), "no verifier", must_change=False)
                assert (await house.accounts.ask(what, by=CONSOLE, role=CONSOLE)).done
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE) as client:
                for role, sees in (("player", False), ("dealer", True)):
                    ticket = house.give(Ticket(f"the {role}", role, name))
                    story = await client.get(
                        f"/api/tables/{name}/rounds/1", headers={"Authorization": f"Ticket {ticket}"}
                    )
                    assert story.status_code == 200, story.text
                    assert story.json()["entries"]
                    assert [f'"{card}"' in story.text for card in CARDS] == [sees] * len(CARDS), story.text

    asyncio.run(read_stories())


def test_what_became_of_anothers_dispute_is_not_told() -> None:
    desk = with_players(a_desk("nz1998"), "ann", "bob")
    asked(desk, RaiseDispute("bob", "my chips were there"), by="bob", role="player")
    number = len(desk.state.disputes) - 1
    asked(desk, DecideDispute(number, "they were not"), role="game supervisor")
    asked(desk, AskReview(number), by="bob", role="player")

    def own(player: str) -> list[type]:
        return [type(line.event) for line in own_lines(desk.journal, player, desk.state)]

    assert not {DisputeDecided, ReviewAsked} & {*own("ann")}
    assert {DisputeDecided, ReviewAsked} <= {*own("bob")}


def test_one_round_is_read_and_not_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index is the fast path; the whole journal is the slow one that it must agree with."""
    desk = with_players(a_desk("nz1998"), "ann", "bob")
    for number in range(30):
        desk.bet("ann", "player", 2_000)
        dealt(desk, ROUND["player" if number % 2 else "tie"])
        until_chance(desk)
        if number == 20:
            asked(desk, RaiseDispute("bob", "the round before", round=desk.state.number - 1), by="bob", role="player")
    name = kept(tmp_path, desk)
    with open_store(f"sqlite:///{tmp_path}/house.db", key_path=tmp_path / "key") as store:
        index, last = RoundsKept(), desk.state.number
        for number in range(-1, last + 3):
            assert index.lines(store, name, number) == lines_of(desk.journal, number)
        assert index.raised_by(name, "bob") == frozenset(range(len(desk.state.disputes)))
        assert index.raised_by(name, "ann") == frozenset()
        read: list[TableEntry] = []

        def counted(body: bytes) -> TableEntry:
            read.append(decode(body))
            return read[-1]

        monkeypatch.setattr(rounds, "decode", counted)
        assert index.lines(store, name, 7) == lines_of(desk.journal, 7)
        assert 0 < len(read) < len(desk.journal) / 10


def test_the_paper_of_a_round_reads_that_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = with_players(a_desk("nz1998"), "ann")
    for _ in range(20):
        desk.bet("ann", "player", 2_000)
        dealt(desk, ROUND["player"])
        until_chance(desk)
    name = kept(tmp_path, desk)

    async def read_papers() -> None:
        house = open_house(f"sqlite:///{tmp_path}/house.db", tmp_path / "key", demo=False, hashing=Hashing(1, 64, 1))
        app = create_app(house, (Planned(name, "nz1998", "baccarat"),))
        async with app.router.lifespan_context(app):
            first = round_paper(house, name, 7, by="Ivy", at_ms=0)
            read: list[int] = []
            lines = Store.lines

            def counted(store: Store, table: str, first: int = 1, most: int = 1_000) -> tuple[StoredLine, ...]:
                page = lines(store, table, first, most)
                read.append(len(page))
                return page

            monkeypatch.setattr(Store, "lines", counted)
            assert round_paper(house, name, 7, by="Ivy", at_ms=0) == first
            assert 0 < sum(read) < len(desk.journal) / 5
            with pytest.raises(NoSuchRound):
                round_paper(house, name, 99, by="Ivy", at_ms=0)

    asyncio.run(read_papers())
