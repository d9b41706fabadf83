"""The interface of a game: what would be accepted, what lies where and who may see it, and whether betting is open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from croupier.answers.facts import answering, answers, chances, choices, handles
from croupier.equipment import Laid, parse_card, seen_by
from croupier.game import (
    CardSeen,
    Choose,
    Chosen,
    Deal,
    DiceFell,
    Irregular,
    Over,
    Perform,
    Performed,
    Refusal,
    Roll,
    Spin,
    Wager,
)
from croupier.law.ruleset import Ruleset
from croupier.round import AnyRound, happen, open_round, place
from croupier.rulesets import every_ruleset, known_game, ruleset
from croupier.table.betting.offers import betting
from croupier.table.state import Table
from croupier.table.walk import Chance, Walk

NAMES = [f"{rules.game} {rules.edition} {rules.version}" for rules in every_ruleset()]
STEPS = 70
WORDS = (
    *("stand", "hit", "double", "split", "ride", "insure", "even_money"),
    *("bet", "fold", "cut", "decline", "accept_dice", "decline_dice", "pass_dice"),
)


def tables(rules: Ruleset[Any]) -> Iterator[Table]:
    """A table at each position of its opening and its first rounds."""
    walk = Walk(rules, Chance("answers"))
    for _ in range(STEPS):
        walk.prepare()
        yield walk.table
        walk.step()


@pytest.mark.parametrize("rules", every_ruleset(), ids=NAMES)
def test_whatever_is_told_as_an_answer_is_accepted_and_no_other_choice_is(rules: Ruleset[Any]) -> None:
    kinds = set()
    for table in tables(rules):
        this = table.attended
        offered = answers(this)
        kinds.add(type(this.due))
        assert [fact for fact in offered if isinstance(happen(this, fact), Refusal)] == []
        assert bool(answering(this)) == (not isinstance(this.due, Over))
        open_to = {(fact.option, fact.by) for fact in offered if isinstance(fact, Chosen)}
        others = {(word, name) for word in WORDS for name in table.players} - open_to
        assert [each for each in others if not isinstance(happen(this, Chosen(*each)), Refusal)] == []
    assert Perform in kinds
    assert kinds & {Deal, Roll, Spin}


@pytest.mark.parametrize("rules", every_ruleset(), ids=NAMES)
def test_betting_is_open_closing_or_closed_with_its_rule(rules: Ruleset[Any]) -> None:
    seen = set()
    for table in tables(rules):
        now = betting(table)
        seen.add(now.state)
        assert (now.why is not None) == (now.state == "closed")
        if now.why:
            assert now.why.rule
    assert seen & {"open", "closing"}
    assert "closed" in seen


def staked(game: str, *wagers: Wager) -> AnyRound:
    rules = ruleset("nz1996", game=game)
    placed = place(open_round(known_game(game), rules.rules), wagers)
    assert not isinstance(placed, Refusal)
    return placed


def after(this: AnyRound, *facts: Any) -> AnyRound:
    for fact in facts:
        result = happen(this, CardSeen(parse_card(fact)) if isinstance(fact, str) else fact)
        assert not isinstance(result, Refusal), result
        this = result
    return this


def test_nz1996_ii_12_1_a_card_that_was_exposed_is_the_only_one_that_can_come() -> None:
    this = after(staked("blackjack", Wager("main", 1_000, by="a")), "5h", "9c", "6s")
    exposed = after(this, Irregular("exposed_card", parse_card("4d")))
    assert choices(exposed)
    hit = after(exposed, Chosen("hit", "a", 1, 1))
    assert chances(hit) == (CardSeen(parse_card("4d")),)


def test_nz1996_viii_one_deck_has_no_card_twice() -> None:
    this = after(staked("caribbean_stud", Wager("ante", 1_000, by="a")), "2h")
    assert len(chances(this)) == 51
    assert CardSeen(parse_card("2h")) not in chances(this)


def test_dice_show_what_was_called_of_them_until_that_is_overruled() -> None:
    this = after(staked("craps", Wager("pass", 1_000, by="a")), Performed("call", "stickperson", "4-3"))
    assert chances(this) == (DiceFell((4, 3)),)


def test_a_choice_names_its_box_and_hand() -> None:
    this = after(staked("blackjack", Wager("main", 1_000, by="a", box=3)), "8h", "6c", "8s")
    due = this.due
    assert isinstance(due, Choose)
    assert (due.box, due.hand) == (3, 1)
    parted = after(this, Chosen("split", "a", 3, 1), "Td").due
    assert isinstance(parted, Choose)
    assert (parted.box, parted.hand) == (3, 1)


def test_cards_face_down_are_for_their_owner() -> None:
    stud = known_game("caribbean_stud")
    this = staked("caribbean_stud", Wager("ante", 1_000, by="a", box=1), Wager("ante", 1_000, by="b", box=2))
    dealt = after(this, "2h", "3h", "4h", "5h", "7h", "8h", "9h", "Th", "Jh", "Qh", "Kh", "Ah", "2c", "3c", "4c")
    hands = {hand.place: hand for hand in stud.cards(dealt.rules, dealt.state)}
    assert seen_by(hands["box 1"], "a") == hands["box 1"].cards
    assert set(seen_by(hands["box 1"], "b")) == set(seen_by(hands["box 1"], "")) == {None}
    assert sum(card is not None for card in seen_by(hands["dealer"], "a")) == 1
    shown = after(dealt, Chosen("bet", "a"), Chosen("bet", "b"))
    (dealer,) = (hand for hand in stud.cards(shown.rules, shown.state) if hand.place == "dealer")
    assert None not in seen_by(dealer, "")


def test_whoever_has_no_name_owns_no_hand() -> None:
    assert seen_by(Laid("box 1", (1, 2), down=frozenset({0, 1}), owners=("",)), "") == (None, None)


def test_what_acts_do_to_the_cards() -> None:
    acts = ("shuffle", "burn face up", "burn face down", "insert cutting card", "cut", "shuffle as I like")
    this = next(tables(ruleset("nzd5", version="full"))).attended
    assert [handles(this, act) for act in acts] == ["mixed", "shown", "burned", "marked", "", ""]
