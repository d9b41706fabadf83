"""Whole runs: every kind of position is reached, parts go on where they stopped, and what breaks is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.answers.declaring import lying
from croupier.equipment import CARDS
from croupier.game import Choose, Deal, Lost, Refusal, Won
from croupier.prove import ProofScope, run, tables
from croupier.prove.liveness import LivenessTally, WayToPlay, declare, declare_everywhere, elected
from croupier.prove.liveness_walks import WalkedTable
from croupier.prove.positions import kind, left_alike, onward, positions, with_each_card
from croupier.prove.progress import ProofProgress, read_part
from croupier.prove.table_driver import Broken, Driver
from croupier.prove.tables import TableTally, drive
from croupier.rulesets import every_ruleset, ruleset
from croupier.table.terminals.events import SlipConfirmed

STUD = ruleset("nz1996", game="caribbean_stud")


def silent(done: int, of: int, what: str) -> None:
    """Nobody watches."""


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("live", [False, True], ids=["adjudicated", "at-a-table"])
def test_every_hand_with_and_without_third_cards_is_reached(*, live: bool) -> None:
    found = list(positions(WayToPlay(ruleset("nz1998"), live).begin("a")))
    hands = {
        tuple(len(hand.cards) for hand in this.position.game.cards(this.position.rules, this.position.state))
        for this in found
    }
    assert {(2, 2), (3, 2), (2, 3), (3, 3)} <= hands


def test_the_search_has_an_end_and_nothing_new_lies_beyond_it() -> None:
    rules = next(each for each in every_ruleset() if each.game == "money_wheel")
    found = list(positions(WayToPlay(rules, live=True).begin("a")))
    known = {kind(this) for this in found}
    assert len(known) == len(found)
    assert {kind(other) for this in found for other in onward(this) if other.rounds <= 2} <= known


def test_nzeb_5_2_terminals_bet_and_confirm_their_slips_before_a_card() -> None:
    """A table of terminals alone was walked without a single wager, so that nothing of it was shown."""
    found = list(positions(WayToPlay(ruleset("nzeb", version="terminals"), live=True).begin("a")))
    dealt = [this for this in found if isinstance(this, WalkedTable) and isinstance(this.due, Deal)]
    assert any(this.walk.table.round.standing for this in dealt)
    this = WayToPlay(ruleset("nzeb", version="terminals"), live=True).begin("b")
    assert isinstance(this, WalkedTable)
    while not (isinstance(this.due, Deal) and this.walk.table.round.standing):
        this.step()
    this.step()
    assert any(isinstance(line.event, SlipConfirmed) for line in this.walk.journal)
    assert not isinstance(this.declare(this.declared()[0]), Refusal)
    this.finish()


def test_everything_is_declared_at_every_kind_of_position() -> None:
    rules = next(each for each in every_ruleset() if each.game == "tai_sai")
    tally = LivenessTally()
    declare_everywhere(WayToPlay(rules, live=False), "1", tally)
    assert tally.broken == []
    assert tally.positions == len(list(positions(WayToPlay(rules, live=False).begin("1"))))
    assert tally.declared > tally.ended > 0


@pytest.mark.parametrize("live", [False, True], ids=["adjudicated", "at-a-table"])
def test_a_round_of_stud_is_searched_to_its_end(*, live: bool) -> None:
    """Hands of three, four and five cards were one kind, so that the search ended before anybody chose."""
    found = list(positions(WayToPlay(STUD, live).begin("a", boxes=1)))
    assert any(isinstance(this.due, Choose) for this in found)
    results = {type(line.resolution) for this in found for line in this.position.book}
    assert {Won, Lost} <= results
    assert not live or max(this.rounds for this in found) == 2


@pytest.mark.parametrize("live", [False, True], ids=["adjudicated", "at-a-table"])
def test_what_is_offered_beside_what_is_due_is_searched(*, live: bool) -> None:
    """Insurance and even money: the dealer's ace was of one kind with other cards, and nobody was ever insured."""
    wanted = {"insured", "paid"}
    for this in positions(WayToPlay(ruleset("nz1996", game="blackjack"), live).begin("a", boxes=1)):
        felt = this.position.game.felt(this.position.rules, this.position.state)
        wanted -= {name for name in wanted for box in felt.boxes if getattr(box, name)}
        if not wanted:
            return
    raise AssertionError(f"nobody was {wanted}")


def test_a_ruling_that_leaves_all_as_it_was_is_told_by_what_is_due() -> None:
    this = WayToPlay(ruleset("nz1996", game="blackjack"), live=False).begin("a", boxes=1)
    this.step()
    noted, laid = this.fork(), this.fork()
    assert not isinstance(noted.declare(this.declared("damaged_card")[0]), Refusal)
    assert left_alike(this, noted) == this.due
    laid.step()
    assert left_alike(this, laid) == kind(laid)


def test_ends_are_told_apart_by_all_that_lies_there() -> None:
    """What tables show of themselves is cut short to a line, and their openings alone are longer."""
    this = WayToPlay(STUD, live=True).begin("a")
    while not isinstance(this.due, Deal):
        this.step()
    one, other = list(with_each_card(this))[:2]
    one.step()
    other.step()
    assert one.key() != other.key()


def test_what_is_written_after_a_check_is_read_back_at_the_next() -> None:
    this = WayToPlay(STUD, live=True).begin("a")
    assert isinstance(this, WalkedTable)
    this.check_replay()
    this.step()
    other = this.fork()
    this.check_replay()
    other.walk.journal.pop()
    with pytest.raises(Broken, match="leads to another table"):
        other.check_replay()


# ---------------------------------------------------------------- the cards of a walk


def test_mixed_discards_lack_what_lies_on_the_layout() -> None:
    """Nine walks of stud came to nothing, since one deck was mixed again with the cards that were out."""
    this = WayToPlay(STUD, live=False).begin("a")
    for _ in range(7):
        this.step()
    this.stack.left.clear()
    this.step()
    out = lying(this.position)
    assert len(set(out)) == len(out) == 8
    assert sorted((*out, *this.stack.left)) == list(range(CARDS))


def test_nz1996_viii_14_wrong_counts_and_an_exposed_card_one_upon_another_leave_the_round_alive() -> None:
    (rules,) = [each for each, note in elected(STUD) if note == " seats=8"]
    tally = LivenessTally()
    declare(WayToPlay(rules, live=False, note=" seats=8"), "1", tally)
    assert tally.broken == []


# ---------------------------------------------------------------- parts


def test_parts_share_a_file_and_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file, units, did = str(tmp_path / "done"), ["a", "b", "c"], list[str]()

    def do(unit: str) -> dict[str, int]:
        did.append(unit)
        return {"tried": len(did)}

    first = ProofProgress("proof", ProofScope(part=(1, 2), progress=file))
    assert dict(first.run(units, do, silent)) == {"a": {"tried": 1}, "c": {"tried": 2}}
    second = ProofProgress("proof", ProofScope(progress=file))
    assert dict(second.run(units, do, silent)) == {"a": {"tried": 1}, "b": {"tried": 3}, "c": {"tried": 2}}
    assert did == ["a", "c", "b"]
    for other in (
        ProofProgress("proof", ProofScope(seed=2, progress=file)),
        ProofProgress("other", ProofScope(progress=file)),
    ):
        assert not other.done
    assert not ProofProgress("proof", ProofScope(progress=file), source="another commit").done


@pytest.mark.parametrize("text", ["", "2", "0/2", "3/2", "a/b", "1/0"])
def test_a_part_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="--part is written 1/2"):
        read_part(text)


# ---------------------------------------------------------------- tables


def test_what_breaks_at_a_table_is_told_with_its_seed_and_does_not_end_the_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(self: Driver) -> None:
        raise Broken("a fault put in on purpose")

    monkeypatch.setattr(Driver, "check_journal", breaks)
    tally = TableTally()
    drive(ruleset("nz1998"), "7", tally, 30)
    assert tally.tables == 1
    (line,) = tally.broken
    assert "table '7'" in line
    assert line.endswith("Broken: a fault put in on purpose")
    verdict = run("tables", ProofScope(game="money_wheel", sample=30), silent)
    assert not verdict.proved
    assert verdict.lines[2].endswith("table '1 0': Broken: a fault put in on purpose")


def test_a_part_of_the_whole_is_called_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "A_TABLE", 20)
    assert run("tables", ProofScope(game="roulette", part=(1, 2)), silent).answer["covered"] == "sample"
    whole = run("tables", ProofScope(game="roulette"), silent)
    assert (whole.answer["covered"], whole.answer["tables"]) == ("whole", 20 + 2 * 4)
