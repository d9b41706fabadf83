"""No irregularity leaves a table stuck or wrong: the proof in short, and each fault that it found, by its rule."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.floor.views.own import COVERED, own_lines
from croupier.floor.views.recent import Recent
from croupier.floor.views.viewer import results
from croupier.game import Choose, Deal, Demand, Irregular, Over, Perform, Performed, Refusal, Remedy, Roll, Ruling, say
from croupier.games.caribbean_stud import CARIBBEAN_STUD
from croupier.house.cage import messages as cage_messages
from croupier.house.cage.decide import decide as decide_at_cage
from croupier.house.cage.decide import entries as entries_at_cage
from croupier.house.cage.messages import CageRequest
from croupier.house.cage.state import Cage
from croupier.house.cage.state import after as after_at_cage
from croupier.house.training import lesson as training
from croupier.law.officials import PLAYER
from croupier.money import LARGEST_AMOUNT
from croupier.notation import write_fact
from croupier.prove import ProofScope, run
from croupier.prove.liveness import LivenessTally, WayToPlay, chosen, controls, declare, elected, tried
from croupier.prove.liveness_walks import WalkedTable
from croupier.rulesets import every_ruleset, ruleset
from croupier.table.commands import PlaceWager, Sit, Tell
from croupier.table.events import Announced, Happened, RoundEnded, WagerSettled
from croupier.table.people import LONGEST_NAME
from croupier.table.walk import Chance, Walk

RULESETS = {f"{each.game}-{each.edition}-{each.version}": each for each in every_ruleset()}
ONE_EACH = {f"{each.game}-{each.edition}": each for each in reversed(RULESETS.values())}


def silent(done: int, of: int, what: str) -> None:
    """Nobody watches."""


# ---------------------------------------------------------------- the proof in short


@pytest.mark.parametrize("live", [False, True], ids=["adjudicated", "at-a-table"])
@pytest.mark.parametrize("name", RULESETS)
def test_whatever_goes_wrong_the_round_ends_and_play_goes_on(name: str, *, live: bool) -> None:
    tally = LivenessTally()
    declare(WayToPlay(RULESETS[name], live), "test", tally, 3)
    assert tally.broken == []
    assert 1 <= tally.declared <= 3


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(list(ONE_EACH)), live=st.booleans(), seed=st.integers(0, 10**6), steps=st.integers(0, 60))
def test_any_way_to_a_position_and_any_declaration_there(*, name: str, live: bool, seed: int, steps: int) -> None:
    this, tally = WayToPlay(ONE_EACH[name], live).begin(str(seed)), LivenessTally()
    for _ in range(steps):
        if not live and isinstance(this.due, Over):
            break
        this.step()
    possible = this.declared()
    if possible:
        it = possible[seed % len(possible)]
        tried(this, it, name, frozenset(each.circumstance for each in possible), tally)
    assert tally.broken == []


def test_the_proof_counts_what_it_did_and_its_controls_are_caught() -> None:
    verdict = run("liveness", ProofScope(game="money_wheel", sample=4), silent)
    assert verdict.proved
    assert verdict.answer["games"]["money_wheel"]["declared"] == 4
    assert all(verdict.answer["controls"].values())
    assert verdict.lines[-1].endswith(": caught")
    with pytest.raises(ValueError, match="no rules of craps in nzd5"):
        run("liveness", ProofScope(game="craps", edition="nzd5"), silent)


def test_a_control_that_is_missed_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.prove.liveness._raises", lambda game: game)
    assert controls()["a ruling that cannot be carried out"] is False


def test_without_a_sample_every_election_is_played_both_ways() -> None:
    assert len(chosen(ProofScope(game="roulette", sample=1))) == 2
    varied = list(elected(RULESETS["roulette-nz1996-roulette"]))
    assert {note for _, note in varied} == {" layout=3B", " display=False"}
    assert len(chosen(ProofScope(game="roulette"))) == 2 + 2 * len(varied)


# ---------------------------------------------------------------- tables to try things at


def at(rules: Any, wanted: Callable[[Demand], bool], seed: str = "a", rounds: int = 1) -> WalkedTable:
    """A table that has played up to the first such demand of this round."""
    this = WalkedTable(Walk(rules, Chance(seed)))
    for _ in range(300):
        this.walk.prepare()
        if this.walk.table.number >= rounds and wanted(this.due):
            return this
        this.step()
    raise AssertionError("never due")


def act(name: str) -> Callable[[Demand], bool]:
    return lambda due: isinstance(due, Perform) and due.act == name


def felt_of(this: WalkedTable) -> Any:
    """What lies on the layout."""
    return this.walk.table.procedure.layout(this.walk.ruleset.rules, this.walk.table.round.state)


def is_deal(due: Demand) -> bool:
    return isinstance(due, Deal)


def is_roll(due: Demand) -> bool:
    return isinstance(due, Roll)


def ruled(this: WalkedTable, it: Irregular) -> Ruling:
    ruling = this.declare(it)
    assert isinstance(ruling, Ruling), ruling
    return ruling


def refused(this: WalkedTable, it: Irregular, rule: str) -> None:
    before = this.key()
    answer = this.declare(it)
    assert isinstance(answer, Refusal), answer
    assert answer.rule == rule
    assert this.key() == before


def settled(this: WalkedTable) -> list[WagerSettled]:
    return [line.event for line in this.walk.journal if isinstance(line.event, WagerSettled)]


# ---------------------------------------------------------------- blackjack

BLACKJACK = RULESETS["blackjack-nz1996-blackjack"]


@pytest.mark.parametrize("card", [None, 5])
def test_nz1996_ii_15_8_a_round_called_void_before_any_card_lies_there_is_over(card: int | None) -> None:
    this = at(BLACKJACK, is_deal)
    staked = [wager.number for wager in this.walk.table.round.standing]
    assert ruled(this, Irregular("misplaced_card", card, "dealer", call="void")).rule == "NZ1996-II-15.8"
    assert this.walk.table.number == 2
    assert {event.number: event.result for event in settled(this)} == dict.fromkeys(staked, "void")
    this.finish()


def test_nz1996_ii_15_8_a_round_called_void_in_the_shuffle_takes_no_more_wagers() -> None:
    """They would lie there when the next begins, which waits for a wager that nobody has room for."""
    this = at(BLACKJACK, lambda due: isinstance(due, Choose) and due.by == "Ann")
    assert this.walk.table.round.standing
    ruled(this, Irregular("misplaced_card", None, "dealer", call="void"))
    while this.walk.table.number == 1:
        answer = this.walk.ask(PlaceWager("Ann", "main", 2_000, box=1), by="Ann", role=PLAYER)
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.rule) == ("this round is void", "NZ1996-II-15.8")
        this.walk.step()
    assert not this.walk.table.round.standing
    this.finish()


def test_nz1996_ii_15_8_there_is_no_round_to_make_void_before_anybody_bets() -> None:
    this = WalkedTable(Walk(BLACKJACK, Chance("b")))
    while isinstance(this.due, Perform) or not isinstance(this.due, Over):
        this.walk.step()
    refused(this, Irregular("misplaced_card", 5, "dealer", call="void"), "NZ1996-II-15.8")


@pytest.mark.parametrize("circumstance", ["unexposed_card", "misplaced_card"])
def test_nz1996_ii_7_2_no_card_is_drawn_before_the_call(circumstance: str) -> None:
    this = at(BLACKJACK, act("call No more bets"))
    assert this.walk.table.round.standing
    refused(this, Irregular(circumstance, 5, "dealer", call="void"), "NZ1996-II-7.2")


def test_nz1996_ii_15_13_a_missing_cutting_card_is_found_at_any_time() -> None:
    this = at(BLACKJACK, act("call No more bets"))
    assert ruled(this, Irregular("missing_cutting_card")).remedy is Remedy.PLAY_ON
    this.finish()


# ---------------------------------------------------------------- baccarat

TRADITIONAL = RULESETS["baccarat-vic2002-traditional"]


@pytest.mark.parametrize("due", ["collect losing wagers", "pay winning wagers"])
def test_vic2002_11_8_3_a_dummy_coup_has_nothing_to_collect_or_pay(due: str) -> None:
    this = at(TRADITIONAL, act(due))
    assert ruled(this, Irregular("swapped_areas", call="dummy")).rule == "VIC2002-11.8.3"
    ended = [line.event for line in this.walk.journal if isinstance(line.event, RoundEnded)]
    assert [event.outcome["hand"] for event in ended] == ["dummy"]
    this.finish()


@pytest.mark.parametrize(("version", "due"), [("terminals", "close betting"), ("hybrid", "call No more bets")])
def test_nzeb_12_2_there_is_no_hand_to_make_void_between_two(version: str, due: str) -> None:
    this = at(ruleset("nzeb", version=version), act(due), rounds=2)
    refused(this, Irregular("disruption"), this.due.rule)


def test_nzeb_12_2_a_disruption_gives_every_wager_of_the_hand_back() -> None:
    this = at(ruleset("nzeb", version="hybrid"), is_deal, rounds=2)
    ruled(this, Irregular("disruption"))
    this.finish()
    assert {event.result for event in settled(this) if event.number in this.held} == {"void"}


def test_vic2002_11_12_hands_that_are_laid_anew_are_announced_anew() -> None:
    this = at(TRADITIONAL, act("collect losing wagers"), seed="g")
    felt = felt_of(this)
    assert felt.dealt == 4
    found = (*felt.banker[:1], *felt.player[:1], *felt.player[1:], *felt.banker[1:])
    ruled(this, Irregular("out_of_sequence", found=found, call="reconstruct"))
    while not act("collect losing wagers")(this.due):
        this.step()
    assert [acts_of(this).count(f"announce {what}") for what in ("player", "banker", "result")] == [2, 2, 2]
    this.finish()


def test_vic2002_11_12_speaks_of_the_initial_deal_only() -> None:
    this = at(TRADITIONAL, act("collect losing wagers"), seed="c")
    felt = felt_of(this)
    assert felt.dealt == 5
    found = (*felt.banker[:1], *felt.player[:1], *felt.player[1:], *felt.banker[1:])
    for call in ("reconstruct", "void"):
        refused(this, Irregular("out_of_sequence", found=found, call=call), "VIC2002-11.12")


def test_vic2002_11_1_1_a_coup_that_is_begun_again_is_shown_again() -> None:
    """The cards of the first coup go back, the burn is made up for, and the hands are turned as at first."""
    this = at(TRADITIONAL, is_deal, seed="d")
    while not (is_deal(this.due) and felt_of(this).dealt == 4):
        this.step()
    shown = acts_of(this)
    assert any(each.startswith("announce ") for each in shown)
    ruled(this, Irregular("burn_forgotten", call="restart"))
    assert this.due == Perform("burn one face down", "dealer", "VIC2002-4.3.1a")
    while not act("announce result")(this.due):
        this.step()
    again = Counter(acts_of(this))
    assert all(again[each] == 2 for each in shown if each.startswith(("announce ", "turn ", "reveal ", "pass ")))


def acts_of(this: WalkedTable) -> list[str]:
    return [step.fact.act for step in this.walk.table.steps if isinstance(step.fact, Performed)]


def test_vic2002_4_3_1c_no_words_are_put_in_the_dealers_mouth() -> None:
    this = at(TRADITIONAL, act("call for bets"))
    this.step()
    said = [line.event.text for line in this.walk.journal if isinstance(line.event, Announced)]
    assert said == []
    while not act("call No more bets")(this.due):
        this.step()
    this.step()
    assert [line.event.text for line in this.walk.journal if isinstance(line.event, Announced)] == ["No more bets"]


# ---------------------------------------------------------------- Caribbean stud

STUD = RULESETS["caribbean_stud-nz1996-caribbean_stud"]


def test_nz1996_viii_14_7_cards_that_were_taken_back_may_come_again() -> None:
    this = at(STUD, is_deal)
    this.step()
    first = this.walk.table.steps[-1].fact
    assert ruled(this, Irregular("stray_cards", to="box 5", call="2")).remedy is Remedy.REDEAL
    while not is_deal(this.due):
        this.step()
    card = str(write_fact(first))
    assert not isinstance(this.walk.would(card), Refusal)
    this.walk.ask(Tell(card))
    assert isinstance(this.walk.would(card), Refusal), "one deck has no other"


def test_nz1996_viii_7_1_the_call_waits_for_an_ante() -> None:
    this = WalkedTable(Walk(STUD, Chance("b")))
    while isinstance(this.due, Perform):
        this.walk.step()
    assert (say(this.due), this.due.rule) == ("over", "NZ1996-VIII-4.1")
    assert isinstance(this.walk.would({"perform": "call No more bets", "by": "dealer"}), Refusal)
    this.walk.prepare()
    assert act("call No more bets")(this.due)
    assert this.due.rule == "NZ1996-VIII-7.1a"


@pytest.mark.parametrize(
    ("it", "rule"),
    [
        (Irregular("wrong_count", to="box 1", call="4"), "NZ1996-VIII-7.1a"),
        (Irregular("exposed_card", 7), "NZ1996-VIII-7.1a"),
        (Irregular("exposed_card"), "NZ1996-VIII-14.4"),
    ],
)
def test_nz1996_viii_14_nothing_is_dealt_wrongly_before_the_deal(it: Irregular, rule: str) -> None:
    refused(at(STUD, act("call No more bets")), it, rule)


@pytest.mark.parametrize("it", [Irregular("deck_count", call="51"), Irregular("wrong_count", to="box 1", call="4")])
def test_nz1996_viii_14_10_after_a_misdeal_those_with_a_jackpot_wager_play_on(it: Irregular) -> None:
    this = at(STUD, act("put the rest of the deck in the discard rack"))
    ruled(this, it)
    this.finish()


def box(number: int, hand: str, result: str) -> dict[str, Any]:
    return {"box": number, "hand": hand, "result": result}


def test_nz1996_viii_8_2d_players_are_not_told_what_folded_hands_made() -> None:
    boxes = [box(1, "flush", "out"), box(2, "one pair", "win")]
    played = {"dealer": "odd cards", "qualifies": True, "up_card": "2c", "misdeal": None, "boxes": boxes}
    recent = Recent(ended=deque([RoundEnded(round=1, outcome=played, rule="NZ1996-VIII-8.3")]))
    (result,) = results(CARIBBEAN_STUD, recent, ())
    assert [each["hand"] for each in result["boxes"]] == [None, "one pair"]
    (whole,) = results(CARIBBEAN_STUD, recent, (), staff=True)
    assert whole["boxes"] == boxes


def test_nz1996_viii_9_2b_without_a_showdown_no_hand_was_seen() -> None:
    played = {"dealer": "odd cards", "qualifies": False, "up_card": "2c", "boxes": [box(1, "flush", "no hand")]}
    recent = Recent(ended=deque([RoundEnded(round=1, outcome=played, rule="NZ1996-VIII-9.2")]))
    (result,) = results(CARIBBEAN_STUD, recent, ())
    assert result["boxes"][0]["hand"] is None


def test_nz1996_viii_8_2d_a_players_story_of_a_round_covers_what_he_did_not_see() -> None:
    this = at(STUD, act("turn the dealer's cards and declare the hand"), seed="b")
    ann = next(player for player in this.walk.table.players.values() if player.name == "Ann")

    def story() -> dict[str, set[str]]:
        cards: dict[str, set[str]] = {}
        for line in own_lines(this.walk.journal, "Ann", this.walk.table):
            if isinstance(line.event, Happened) and line.event.due.startswith("deal "):
                cards.setdefault(line.event.due, set()).add(str(line.event.fact))
        return cards

    mine, others = f"deal box {ann.seat}", {"deal box 2", "deal box 3"}
    assert len(story()[mine]) == 5
    up = this.walk.table.round.game.outcome(this.walk.table.round.rules, this.walk.table.round.state)["up_card"]
    assert story()["deal dealer"] == {COVERED, up}
    assert all(story()[place] == {COVERED} for place in others & story().keys())
    this.finish()
    assert COVERED not in story()["deal dealer"]
    assert all(story()[place] == {COVERED} for place in others & story().keys())


# ---------------------------------------------------------------- craps

CRAPS = RULESETS["craps-nz1996-craps"]


@pytest.mark.parametrize(
    ("it", "rule"),
    [
        (Irregular("tilted_die", to="4-r2"), "NZ1996-X-5.5c"),
        (Irregular("face_disputed", call="4-3"), "NZ1996-X-5.5d"),
    ],
)
def test_nz1996_x_5_5_a_throw_that_is_read_is_called_and_settled_as_any(it: Irregular, rule: str) -> None:
    this = at(CRAPS, is_roll)
    assert ruled(this, it).rule == rule
    assert act("call the total")(this.due)
    refused(this, it, this.due.rule)
    while act("call the total")(this.due) or not is_roll(this.due):
        this.step()
    assert this.walk.table.number == 2
    this.finish()


def test_nz1996_x_7_5_a_throw_is_as_it_was_called_when_the_call_is_overruled() -> None:
    this = at(CRAPS, is_roll)
    ruled(this, Irregular("end_not_struck", call="no_roll"))
    ruled(this, Irregular("wrong_call", call="5-5", by="game supervisor"))
    while not act("call the total")(this.due):
        this.step()
    assert felt_of(this).last == (5, 5)


# ---------------------------------------------------------------- lessons, names, sums


@pytest.mark.parametrize(
    ("name", "seed"),
    [("caribbean_stud-nz1996-caribbean_stud", 2), ("baccarat-nzeb-hybrid", 8), ("craps-nz1996-craps", 1)],
)
def test_a_lesson_stays_at_its_table(name: str, seed: int) -> None:
    given = training.lesson(RULESETS[name], seed)
    log = [line for question in given.questions for line in question.log]
    assert "A new table is opened." not in log


@pytest.mark.parametrize("name", ["", " ", "An\x00n", "A\nnn", "\x1b[2J", "A\u202enn", "x" * (LONGEST_NAME + 1)])
def test_nobody_is_called_what_cannot_be_read(name: str) -> None:
    walk = Walk(CRAPS, Chance("a"))
    answer = walk.ask(Sit(name, 4))
    assert isinstance(answer, Refusal)
    assert "name" in answer.reason
    assert answer.reason.isprintable()


@pytest.mark.parametrize("name", ["Zoë Ngāti-Porou", "李", "x" * LONGEST_NAME])
def test_a_name_may_be_in_any_script(name: str) -> None:
    assert not isinstance(Walk(CRAPS, Chance("a")).ask(Sit(name, 4)), Refusal)


@pytest.mark.parametrize(
    ("cents", "says"), [(-1, "below nothing"), (LARGEST_AMOUNT + 1, "more than can be counted"), (10**30, "more than")]
)
def test_the_cage_says_what_is_wrong_with_a_sum(cents: int, says: str) -> None:
    opening = CageRequest(cage_messages.OpenCage(practice=False), "Kim", "casino supervisor", 0)
    opened = decide_at_cage(Cage(), opening)
    assert not isinstance(opened, Refusal)
    cage = after_at_cage(Cage(), entries_at_cage(Cage(), opening, opened))
    answer = decide_at_cage(cage, CageRequest(cage_messages.OpenShift(cash=cents, chips=0), "Lee", "cashier", 0))
    assert isinstance(answer, Refusal)
    assert says in answer.reason
