"""Whole rounds at live tables: what is due, what the dealer says, where the money goes, mistakes and corrections."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier import Table, ruleset
from croupier.errors import Refused
from croupier.game import Choose, Deal, Perform
from croupier.table import commands as c
from croupier.table.betting.offers import KeptOffers
from croupier.table.desk import LiveTable, replay
from croupier.table.events import (
    Announced,
    FactTakenBack,
    Flagged,
    OrderAwaited,
    RoundCorrected,
    Ruled,
    WagerReduced,
    WagerSettled,
)
from croupier.table.state import snapshot
from tests.helpers.desks.table import until_chance
from tests.helpers.observe import carries

SUPERVISOR, MANAGER = "game supervisor", "casino manager"


def table(edition: str = "nz1998", game: str = "baccarat", **choices: object) -> LiveTable:
    """A table with ann on 4 and bob on 7, each with 500 dollars."""
    version = str(choices.pop("version", ""))
    elections = choices.pop("elections", None)
    this = Table(ruleset(edition, game=game, version=version, elections=elections))  # type: ignore[arg-type]
    this.open(**{"minimum": 500, "maximum": 100_000, "chip": 100, **choices})  # type: ignore[arg-type]
    this.sit("ann", 4, chips=50_000)
    this.sit("bob", 7, chips=50_000)
    return this


def play(this: LiveTable, cards: str, answers: Iterator[str] | None = None) -> None:
    """Deal these cards; staff do what is due between them, offers are declined, other choices taken from `answers`.

    It stops when the round is over, or at a card, throw or choice for which nothing is left.
    """
    left = iter(cards.split())
    number = this.state.number
    while this.state.number == number:
        match this.state.due:
            case Perform(act=act) if "No more bets" in act and not this.state.round.standing:
                return
            case Perform() as due:
                this.act(due)
            case Choose(by=by, options=options):
                declined = next((word for word in options if word.startswith("decline")), "")
                if not declined and answers is None:
                    return
                word = declined or next(answers or iter(()))
                this.tell({"choose": word, "by": by})
            case Deal():
                card = next(left, "")
                if not card:
                    return
                this.tell(card)
            case _:
                fact = next(left, "")
                if not fact:
                    return
                this.tell(fact)


def said(this: LiveTable) -> list[str]:
    return [line.event.text for line in this.journal if isinstance(line.event, Announced)]


# ---------------------------------------------------------------- one round of each game


def test_a_coup_of_baccarat_moves_every_cent_and_commission_apart() -> None:
    this = table()
    this.bet("ann", "banker", 10_000)
    this.bet("bob", "player", 5_000)
    play(this, "2h 3d Kc Qs 8h")
    assert (this.chips("ann"), this.chips("bob")) == (59_500, 45_000)
    assert this.state.balances["commission"] == 500
    assert this.state.balances["bank"] == -5_000
    assert said(this) == ["No more bets", "Player 2", "Banker 3", "Player 0, Banker 3: Banker wins"]
    assert this.due == "call No more bets by dealer [NZ1998-8.2]"


def test_a_tie_is_said_and_gives_the_stakes_back() -> None:
    this = table("nzd5")
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d 6c 5s")
    assert said(this)[-1] == "Player 8, Banker 8: Tie hand"
    assert this.chips("ann") == 50_000
    back = next(line.event for line in this.journal if isinstance(line.event, WagerSettled))
    assert back.result == "standoff"


def test_a_round_of_blackjack_with_a_double() -> None:
    this = table(game="blackjack", edition="nz1996")
    this.bet("ann", "main", 10_000, box=4)
    play(this, "6h 9d 5c 10s 10h 8d", iter(["double"]))
    # 6 and 5 doubled draw a ten: 21 against 9 and 8.
    assert this.chips("ann") == 70_000
    assert any("hard 11" in text for text in said(this))


def test_a_double_needs_the_chips() -> None:
    this = table(game="blackjack", edition="nz1996")
    this.bet("ann", "main", 30_000, box=4)
    with pytest.raises(Refused, match=r"\$200 in chips, not \$300"):
        play(this, "6h 9d 5c", iter(["double"]))
    assert this.state.staked("ann") == 30_000


def test_a_spin_of_roulette_is_called_and_paid() -> None:
    this = table(game="roulette", edition="nz1996")
    this.bet("ann", "straight:17", 1_000)
    this.bet("bob", "red", 1_000)
    play(this, "17")
    assert (this.chips("ann"), this.chips("bob")) == (85_000, 49_000)
    assert said(this) == ["No more bets", "seventeen, black, odd"] or said(this)[-1].startswith("seventeen")


def test_tai_sai_calls_the_dice_in_the_form_of_the_gazette() -> None:
    this = table(game="tai_sai", edition="nz1996")
    this.ceremony()
    this.bet("ann", "total:10", 1_000)
    play(this, "3-4-3")
    assert "double three, four; total ten" in said(this)
    assert this.chips("ann") > 50_000


def test_the_money_wheel_turns() -> None:
    this = table(game="money_wheel", edition="nz1996")
    this.bet("ann", "A", 1_000)
    play(this, "A")
    assert this.chips("ann") == 51_000


def test_craps_needs_inspected_dice_a_shooter_and_a_settled_throw() -> None:
    this = table(game="craps", edition="nz1996")
    this.bet("ann", "pass", 1_000)
    this.ceremony()
    assert this.due.startswith("choose ann: accept_dice|decline_dice")
    this.tell({"choose": "accept_dice", "by": "ann"})
    this.ceremony()
    this.tell("3-4")
    with pytest.raises(Refused, match="the last throw is not settled yet"):
        this.bet("bob", "field", 1_000)
    this.ceremony()
    assert this.chips("ann") == 51_000
    assert this.state.number == 2


def test_caribbean_stud_bets_and_settles() -> None:
    this = table(game="caribbean_stud", edition="nz1996")
    this.bet("ann", "ante", 1_000, box=4)
    cards = "2h 3h 2d 4h 9c 6c 9d 7c Kc Jd"
    play(this, cards, iter(["bet"]))
    assert this.state.staked("ann") == 0
    assert this.chips("ann") == 51_000  # the dealer does not qualify: even money on the ante, the bet stands off


# ---------------------------------------------------------------- mistakes


def test_a_plain_fact_out_of_turn_is_refused_and_names_what_is_due() -> None:
    this = table()
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d Kc Qs")
    with pytest.raises(Refused, match="announce result: out of turn: due is deal player"):
        this.tell({"perform": "announce result"})


def test_12_1_a_wrong_third_card_is_declared_ruled_on_and_carried_out() -> None:
    this = table()
    this.bet("ann", "banker", 10_000)
    play(this, "6h 3d Kc Qs")
    events = this.tell({"irregular": "wrong_third_card", "card": "8h", "to": "player"})
    ruling = next(event for event in events if isinstance(event, Ruled))
    assert (ruling.remedy, ruling.rule) == ("reassign", "NZ1998-12.1a")
    play(this, "")
    # The Banker must draw on 3 when the Player stands on 6: the eight is the Banker's card, and 6 beats 1.
    assert said(this)[-1] == "Player 6, Banker 1: Player wins"
    assert this.chips("ann") == 40_000


def test_a_fact_entered_by_mistake_is_taken_back_on_the_record() -> None:
    this = table()
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d Kc")
    before = this.due
    this.tell("Qs")
    this.ask(c.TakeBack("it was the queen of hearts"))
    assert this.due == before
    assert isinstance(this.journal[-1].event, FactTakenBack)
    play(this, "Qh 8h")
    assert this.chips("ann") == 59_500


def test_betting_is_closed_to_all_while_what_came_is_taken_back() -> None:
    this = table(game="craps", edition="nz1996")
    this.bet("ann", "pass", 1_000)
    until_chance(this)
    offers = KeptOffers()
    assert offers.betting(this.state).state == "open"
    this.tell("3-1")
    this.ask(c.TakeBack("misread"))
    known = offers.betting(this.state)
    assert (known.state, known.taken_back) == ("closed", True)
    with pytest.raises(Refused, match=known.why.reason if known.why else "open"):
        this.bet("bob", "field", 1_000)
    this.tell("3-1")
    until_chance(this)
    assert (offers.betting(this.state).state, offers.betting(this.state).taken_back) == ("open", False)


def test_taking_back_a_double_returns_its_stake() -> None:
    this = table(game="blackjack", edition="nz1996")
    this.bet("ann", "main", 10_000, box=4)
    play(this, "6h 9d 5c")
    this.tell({"choose": "double", "by": "ann"})
    assert this.chips("ann") == 30_000
    this.ask(c.TakeBack("the player meant to hit"))
    assert this.chips("ann") == 40_000


def test_a_wager_placed_since_bars_taking_back() -> None:
    this = table()
    this.ceremony()
    this.tell({"choose": "decline", "by": "seat 4"})
    this.bet("ann", "banker", 2_000)
    with pytest.raises(Refused, match="a wager was placed since"):
        this.ask(c.TakeBack("too late"))


# ---------------------------------------------------------------- corrections


def test_nzeb_12_3_a_wrong_result_is_recalculated_on_the_true_outcome() -> None:
    this = table("nzeb", version="hybrid")
    this.bet("ann", "banker", 10_000)
    this.bet("bob", "player", 10_000)
    play(this, "2h 3d Kc Qs 8h")
    assert (this.chips("ann"), this.chips("bob")) == (59_500, 40_000)
    events = this.ask(c.Correct(1, ("2h", "3d", "7c", "Qs"), "the king was a seven"), role=SUPERVISOR)
    correction = events[0]
    assert isinstance(correction, RoundCorrected)
    carries(correction, "NZEB-12.3")
    assert correction.differences == {"ann": -19_500, "bob": 20_000}
    assert (this.chips("ann"), this.chips("bob")) == (40_000, 60_000)
    assert "was a seven" in this.explain(1)


def test_a_correction_may_itself_be_corrected() -> None:
    this = table("nzeb", version="hybrid")
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d Kc Qs 8h")
    this.ask(c.Correct(1, ("2h", "3d", "7c", "Qs"), "one way"), role=SUPERVISOR)
    this.ask(c.Correct(1, ("2h", "3d", "Kc", "Qs", "8h"), "and back"), role=SUPERVISOR)
    assert this.chips("ann") == 59_500


def test_a_correction_after_cashing_out_leaves_a_debt_and_a_report_never_a_negative_balance() -> None:
    this = table("nzeb", version="hybrid")
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d Kc Qs 8h")
    this.ask(c.RedeemChips("ann", 59_500))
    events = this.ask(c.Correct(1, ("2h", "3d", "7c", "Qs"), "misread"), role=SUPERVISOR)
    assert this.chips("ann") == 0
    assert this.state.balances["owed:ann"] == -19_500
    assert isinstance(events[0], RoundCorrected)
    assert events[0].report
    assert isinstance(events[-1], Flagged)


def test_a_correction_follows_a_run_through_the_coups_after_it() -> None:
    this = table("vic2002", version="traditional")
    this.bet("ann", "banker_run_3", 1_000)
    for cards in ("2h 3d Kc Qs 8h", "6h 3d Kc Qs Js", "2h 3d Kc Qs 8h"):
        this.bet("bob", "player", 1_000)
        play(this, cards)
    # The second coup went to the Player, so the Run was lost there; truly the Banker had won it.
    assert this.state.staked("ann") == 0
    lost = this.chips("ann")
    this.ask(c.Correct(2, ("2h", "3d", "Kc", "Qs", "8h"), "cards of another coup"), role=SUPERVISOR)
    assert this.chips("ann") > lost + 1_000, "the Run came through in the third coup"
    assert sum(this.state.balances.values()) == 0


@pytest.mark.parametrize(
    ("number", "facts", "reason"),
    [
        (9, ("2h",), "round 9 is no finished round"),
        (1, ("2h", "3d"), "not over with these facts: due is deal player"),
        (1, ("2h", "nonsense!"), "nonsense"),
        (1, ("2h", "3d", "7c", "Qs", "9s"), "no card is due"),
    ],
)
def test_a_correction_that_makes_no_round_is_refused(number: int, facts: tuple[str, ...], reason: str) -> None:
    this = table("nzeb", version="hybrid")
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d Kc Qs 8h")
    with pytest.raises(Refused, match=reason):
        this.ask(c.Correct(number, facts, "wrong"), role=SUPERVISOR)


# ---------------------------------------------------------------- officials


def test_rulings_are_overruled_from_above_only() -> None:
    this = table()
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d Kc Qs")
    found = ["3d", "2h", "Kc", "Qs"]
    fact = {"irregular": "out_of_sequence", "call": "reconstruct", "found": found, "by": "casino supervisor"}
    this.tell(fact, role="casino supervisor")
    assert "deal" in this.due
    with pytest.raises(Refused, match="a call of the casino supervisor is overruled from above"):
        this.ask(c.Overrule(0, "void"), role="casino supervisor")
    with pytest.raises(Refused, match="no ruling 5"):
        this.ask(c.Overrule(5, "void"), role=MANAGER)
    this.ask(c.Overrule(0, "void"), role=MANAGER)
    assert (this.state.number, this.chips("ann")) == (2, 50_000), "the round is void and over"


def test_a_dealer_may_not_give_an_official_s_order_nor_a_player_the_dealer_s_facts() -> None:
    this = table()
    this.tell({"perform": "inspect as dealer"})
    (order,) = this.tell({"perform": "inspect as game supervisor", "by": SUPERVISOR})
    assert isinstance(order, OrderAwaited)
    assert "inspect as game supervisor" in this.due
    with pytest.raises(Refused, match="may decide for himself only"):
        this.tell("2h", role="player", by="ann")
    with pytest.raises(Refused, match="an inspector does not run the game"):
        this.tell("2h", role="inspector")


def test_5_14_the_dealer_reduces_the_heavier_hand_to_the_differential() -> None:
    this = table(differential=(20_000, 20_000))
    this.bet("ann", "banker", 40_000)
    this.bet("bob", "player", 10_000)
    until_chance(this)
    this.tell({"perform": "reduce wagers to the differential"})
    play(this, "2h 3d Kc Qs")
    trimmed = [line.event for line in this.journal if isinstance(line.event, WagerReduced)]
    assert [(event.number, event.stake, event.returned) for event in trimmed] == [(0, 30_000, 10_000)]
    assert this.state.staked("ann") == 30_000
    assert this.chips("ann") == 20_000


# ---------------------------------------------------------------- the journal


def test_the_journal_leads_to_the_same_table_byte_for_byte() -> None:
    this = table("vic2002", version="crown", signs=("Crown Baccarat",))
    this.bet("ann", "banker", 10_000)
    this.bet("bob", "player_run_2", 1_000)
    play(this, "2h 3d Kc Qs 8h")
    again = replay(this.state.game, this.state.ruleset, this.written())
    assert snapshot(again) == snapshot(this.state)
    assert again.balances == this.state.balances


def test_the_story_of_a_round_names_every_wager_card_cent_and_rule() -> None:
    this = table()
    this.bet("ann", "banker", 10_000)
    play(this, "2h 3d Kc Qs 8h")
    story = this.explain()
    for part in (
        "ann puts $100 on banker",
        "8h (due: deal player)  [NZ1998-9.3]",
        "wager 0 of ann on banker: won, pays $95",
        "$5 from chips:ann to commission  [NZ1998-5.7b]",
        "NZ1998-9.3: With Banker's two-card count",
    ):
        assert part in story
    assert this.explain(7) == "No round 7 in this journal."


@pytest.mark.parametrize("edition", ["nz1998", "nzd5", "vic2002"])
def test_wagers_for_the_next_coup_are_not_judged_by_the_last(edition: str) -> None:
    this = table(edition)
    this.bet("ann", "banker", 2_000)
    play(this, "2h 3d Kc Qs 8h")
    number = this.bet("ann", "banker", 2_000)
    declared = 0
    for circumstance in this.state.game.circumstances:
        for role in ("dealer", SUPERVISOR, "casino supervisor"):
            try:
                this.tell({"irregular": circumstance, "card": "5h", "by": role}, role=role)
            except Refused:
                continue
            declared += 1
    results = [line.event.result for line in this.journal if isinstance(line.event, WagerSettled)]
    assert results[:1] == ["won"]
    assert set(results[1:]) <= {"void"}
    assert declared or this.state.line(number)


# ---------------------------------------------------------------- the parts of an act


@pytest.mark.parametrize("told", [{"detail": "red", "to": "ann"}, {"detail": "red by ann"}])
def test_an_area_is_paid_to_one_player_however_it_is_told(told: dict[str, str]) -> None:
    """The player is a value of the fact; the one text that it was before is still read."""
    this = table("nz1996", "roulette")
    for player in ("ann", "bob"):
        this.bet(player, "red", 1000)
    until_chance(this)
    this.tell("3")
    while isinstance(due := this.state.due, Perform) and due.act != "pay winning wagers":
        this.act(due)
    this.tell({"perform": "pay area", "by": "dealer", **told})
    settled = [line.event.player for line in this.journal if isinstance(line.event, WagerSettled)]
    assert settled == ["ann"]
    assert snapshot(replay(this.state.game, this.state.ruleset, this.written())) == snapshot(this.state)


@pytest.mark.parametrize("told", [{"detail": "C", "under": "order 7"}, {"detail": "C order 7"}])
def test_a_style_is_changed_under_a_direction_however_it_is_told(told: dict[str, str]) -> None:
    this = table("nz1996", version="full", elections={"style": "A"})
    this.bet("ann", "player", 1000)
    play(this, "9h Kd Kc 7s")
    change = {"perform": "change style", "by": "inspector"}
    with pytest.raises(Refused, match="name the style, and the direction"):
        this.tell(change | {"detail": "C"}, role="inspector")
    this.tell(change | told, role="inspector")
    assert this.state.round.state.style == "C"
