"""The play of baccarat: three statements of the Tables, every deal there is, every demand with its rule, walks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import RANKS, SUITS, parse_card
from croupier.errors import NotPermitted
from croupier.game import NORMAL, CardSeen, Deal, Over, Refusal, Sign, Wager, Won
from croupier.games.baccarat import BACCARAT, play
from croupier.games.baccarat.play import Coup, banker_demand, demand
from croupier.games.baccarat.rules import BaccaratRules
from croupier.games.baccarat.tables import VIC2002_TABLE_2, grid_row, later_table_2, nz1996_table_2, row
from croupier.law.elections import elect
from croupier.law.model import Law, cites
from croupier.law.ruleset import Ruleset
from croupier.round import AnyRound, happen, next_round, open_round, place, settle
from tests.games.baccarat.test_cases import RULESETS, bet, go_on, named, played, refused, results
from tests.helpers.observe import carries
from tests.helpers.strategies import NextRound, Step, cards, reordered, rule_sets, signs, walks

every_edition = pytest.mark.parametrize("rules", RULESETS, ids=named)
Rules = Ruleset[BaccaratRules]

# A card for each point value.
CARD = {0: parse_card("Kh"), 1: parse_card("Ah")} | {n: parse_card(f"{n}h") for n in range(2, 10)}
VALUES = range(10)


# ---------------------------------------------------------------- the Tables

# The classical table, as players learn it: the Banker's two-card count, then the third cards on which it draws.
CLASSICAL: dict[int, set[int | None]] = {
    0: {None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {None, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {None, 0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {None, 2, 3, 4, 5, 6, 7},
    5: {None, 4, 5, 6, 7},
    6: {6, 7},
    7: set(),
    8: set(),
    9: set(),
}
THIRDS: tuple[int | None, ...] = (None, *VALUES)


def test_new_zealands_rows_victorias_grid_and_the_classical_table_are_one_table() -> None:
    """All 110 cells: ten counts of the Banker, each with no card and with ten values of the Player's third card."""
    for banker, third in product(VALUES, THIRDS):
        draws = third in CLASSICAL[banker]
        alone, after = grid_row(VIC2002_TABLE_2[banker][0])
        assert (alone if third is None else third in after) == draws
        for table in (nz1996_table_2(cites("NZ1996-V")), later_table_2(cites("NZ1998"))):
            assert third is None or (third in table[banker].value) == draws


@every_edition
def test_every_edition_has_the_classical_table(rules: Rules) -> None:
    law = rules.rules
    assert [row.value | {None} for row in law.banker_after] == [CLASSICAL[banker] | {None} for banker in VALUES]
    assert law.banker_alone.value == {banker for banker in VALUES if None in CLASSICAL[banker]}
    assert law.player_draws.value == {0, 1, 2, 3, 4, 5}
    assert law.natural.value == {8, 9}


@pytest.mark.parametrize("text", ["0-1-2|3-4-5", "0-1-2-3-4-5-6-7-8-9|9", "0-1-2-3-4-5-6-7-8|", "x|"])
def test_a_row_that_does_not_name_each_value_once_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"row|invalid"):
        row(text)


@pytest.mark.parametrize("text", ["D S", "D " * 12, "D D D D D D D D D D X"])
def test_a_row_of_the_grid_has_eleven_cells(text: str) -> None:
    with pytest.raises(ValueError, match="eleven cells"):
        grid_row(text)


def classical_hands(values: Sequence[int]) -> list[str]:
    """To whom the cards go, as the classical table has it; an independent statement of the whole coup."""
    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
    if player >= 8 or banker >= 8:
        return []
    if player >= 6:
        return ["banker"] if None in CLASSICAL[banker] else []
    return ["player", "banker"] if values[4] in CLASSICAL[banker] else ["player"]


@every_edition
def test_every_deal_of_two_card_values_with_every_third_card_is_drawn_alike(rules: Rules) -> None:
    """Ten thousand initial deals, and for each that draws, ten third cards: who draws is the same under every law."""
    law = rules.rules
    for four in product(VALUES, repeat=4):
        player, banker = (CARD[four[0]], CARD[four[2]]), (CARD[four[1]], CARD[four[3]])
        due = demand(law, Coup(player, banker))
        first = [due.to] if isinstance(due, Deal) else []
        if first != ["player"]:
            assert first == classical_hands((*four, 0)), four
            continue
        for third in VALUES:
            then = demand(law, Coup((*player, CARD[third]), banker))
            drawn = ["player", "banker"] if isinstance(then, Deal) else ["player"]
            assert drawn == classical_hands((*four, third)), (four, third)


@every_edition
def test_a_coup_ends_after_at_most_six_cards_whatever_they_are(rules: Rules) -> None:
    law = rules.rules
    for banker, third, last in product(VALUES, repeat=3):
        coup = Coup((CARD[0], CARD[0], CARD[third]), (CARD[0], CARD[banker], CARD[last]))
        carries(banker_demand(law, coup), law.one_more.rule)


# ---------------------------------------------------------------- demands and their rules


@every_edition
def test_the_initial_deal_goes_to_the_player_first_and_alternates(rules: Rules) -> None:
    this = open_round(BACCARAT, rules.rules)
    for hand in ("player", "banker", "player", "banker"):
        assert isinstance(this.due, Deal)
        assert this.due.to == hand
        carries(this.due, rules.rules.initial_deal.rule)
        this = played_on(this, "K")


def played_on(this: AnyRound, card: str) -> AnyRound:
    after = happen(this, CardSeen(parse_card(f"{card}h")))
    assert not isinstance(after, Refusal)
    return after


@every_edition
@pytest.mark.parametrize("deal", ["8 2 K 3", "9 7 K K", "K 8 7 K", "3 9 K K", "9 8 K K", "A K 7 9"])
def test_a_natural_on_either_hand_ends_the_coup(rules: Rules, deal: str) -> None:
    due = played(rules.rules, deal).due
    assert isinstance(due, Over)
    carries(due, rules.rules.natural.rule)


@every_edition
@pytest.mark.parametrize(
    ("deal", "draws"), [("K K K 7", True), ("5 K K 7", True), ("6 K K 7", False), ("7 K K 7", False)]
)
def test_the_player_draws_on_five_and_stands_on_six(rules: Rules, deal: str, draws: bool) -> None:  # noqa: FBT001
    due = played(rules.rules, deal).due
    if draws:
        assert due == Deal("player", rules.rules.player_draws.rule)
    carries(due, rules.rules.player_draws.rule if draws else rules.rules.banker_alone.rule)


@every_edition
def test_the_banker_draws_and_stands_by_its_row(rules: Rules) -> None:
    """A Banker's eight or nine ends the coup before; the row that says so all the same is read by itself."""
    for banker, third in product(VALUES, VALUES):
        coup = Coup((CARD[0], CARD[0], CARD[third]), (CARD[0], CARD[banker]))
        due = demand(rules.rules, coup) if banker < 8 else banker_demand(rules.rules, coup)
        assert isinstance(due, Deal) == (third in CLASSICAL[banker])
        carries(due, rules.rules.banker_after[banker].rule)


@every_edition
def test_the_banker_alone_draws_on_five_and_stands_on_six(rules: Rules) -> None:
    for player, banker in product((6, 7), range(8)):
        due = demand(rules.rules, Coup((CARD[0], CARD[player]), (CARD[0], CARD[banker])))
        assert isinstance(due, Deal) == (banker <= 5)
        carries(due, rules.rules.banker_alone.rule)


@every_edition
def test_cards_count_by_their_figure_and_hands_by_the_last_digit(rules: Rules) -> None:
    expected = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))
    for name, suit in product(RANKS, SUITS):
        assert play.points(rules.rules, parse_card(name + suit)) == expected[name]
    for hand in product(VALUES, repeat=3):
        assert play.count(rules.rules, tuple(CARD[n] for n in hand)) == sum(hand) % 10


@every_edition
def test_the_higher_count_wins_and_equal_counts_tie(rules: Rules) -> None:
    for player, banker in product(VALUES, repeat=2):
        won = play.winner(rules.rules, Coup((CARD[player],), (CARD[banker],)))
        assert won == ("tie" if player == banker else "player" if player > banker else "banker")


@every_edition
def test_the_outcome_tells_the_counts_and_the_winner_once_there_is_one(rules: Rules) -> None:
    before = BACCARAT.outcome(rules.rules, played(rules.rules, "9 2").state)
    pairs = {"player_pair": False, "banker_pair": False}
    assert before == {"winner": None, "player": 9, "banker": 2, "natural": False, "hand": "normal"} | pairs
    after = BACCARAT.outcome(rules.rules, played(rules.rules, "9 2 K K").state)
    assert after == {"winner": "player", "player": 9, "banker": 2, "natural": True, "hand": "normal"} | pairs
    both = BACCARAT.outcome(rules.rules, played(rules.rules, "3 K 3 K 5").state)
    assert (both["player_pair"], both["banker_pair"]) == (True, True)
    # Ten and king count alike and are no pair.
    assert not BACCARAT.outcome(rules.rules, played(rules.rules, "10 3 K 5").state)["player_pair"]


# ---------------------------------------------------------------- what does not answer a demand


@every_edition
def test_no_card_goes_to_a_coup_that_is_over(rules: Rules) -> None:
    for deal, rule in (
        ("9 2 K K", rules.rules.natural.rule),
        ("6 7 K K", rules.rules.banker_alone.rule),
        ("2 3 K K 8", rules.rules.banker_after[3].rule),
        ("2 3 K K 9 4", rules.rules.one_more.rule),
    ):
        no = refused(rules.rules, deal, "5h")
        carries(no, rule)
        assert (no.on, no.reason) == ("5h", "the coup is over, no card is due")


@every_edition
@pytest.mark.parametrize("word", ["stand", "hit"])
def test_nobody_chooses_in_baccarat(rules: Rules, word: str) -> None:
    no = refused(rules.rules, "2 3 K", word)
    carries(no, rules.rules.initial_deal.rule)
    assert no.on == word
    assert "deal banker" in no.reason


@every_edition
@pytest.mark.parametrize("act", ["undo", "void round", "void hand", "dummy coup", "take back", "let wagers change"])
def test_an_order_that_nobody_ruled_on_is_refused(rules: Rules, act: str) -> None:
    no = refused(rules.rules, bet("banker", 100), "2 3 K", {"perform": act, "detail": "NZ1998-12.7"})
    carries(no, rules.rules.initial_deal.rule)
    assert no.on == act


# ---------------------------------------------------------------- what the law leaves to the operator


@every_edition
def test_elections_outside_the_law_are_refused_by_its_rule(rules: Rules) -> None:
    """Decks and cutting cards one below, at and one above what the edition permits; styles and shufflers by name."""
    law = rules.rules
    single = law.decks.value.permitted == (8,)
    permitted = {"decks": range(8, 9) if single else range(4, 9)}
    permitted["cutting_cards"] = range(1, 2) if rules.edition == "vic2002" else range(1, 3)
    for name, numbers in permitted.items():
        option: Law[object] = getattr(law, name)
        for number in (numbers[0] - 1, numbers[0], numbers[-1], numbers[-1] + 1):
            if number in numbers:
                elect(law, {name: number})
            else:
                carries(not_permitted(law, name, number), option.rule)
    for name in ("style", "shuffler"):
        carries(not_permitted(law, name, "D"), getattr(law, name).rule)


def not_permitted(law: BaccaratRules, name: str, value: object) -> NotPermitted:
    with pytest.raises(NotPermitted, match=f"{name}={value}") as refusal:
        elect(law, {name: value})
    return refusal.value


# Seats, the styles or methods of dealing, and the shufflers: of each what is permitted, the default first.
AS_BEFORE = ("none",)
TABLES: dict[str, tuple[tuple[int, int], tuple[str, ...], tuple[str, ...]]] = {
    "nz1996-mini": ((1, 7), ("up", "down"), AS_BEFORE),
    "nz1996-full": ((1, 14), ("A", "B", "C"), AS_BEFORE),
    "nz1996-midi": ((1, 9), ("A", "B", "C"), AS_BEFORE),
    "nz1998-full": ((1, 14), ("A", "B", "C"), AS_BEFORE),
    "nzd5-mini": ((1, 7), ("A", "B", "C"), ("none", "batch", "continuous")),
    "nzd5-midi": ((1, 9), ("A", "B", "C"), ("none", "batch", "continuous")),
    "nzd5-full": ((1, 14), ("A", "B", "C"), ("none", "batch", "continuous")),
    "nzeb-terminals": ((1, 9), ("A", "C"), ("none", "batch", "continuous")),
    "nzeb-hybrid": ((1, 9), ("A", "B", "C"), ("none", "batch", "continuous")),
    "vic2002-traditional": ((5, 14), ("1", "2", "3"), AS_BEFORE),
    "vic2002-crown": ((5, 14), ("1", "2", "3"), AS_BEFORE),
}


@every_edition
def test_the_table_its_cards_and_what_the_operator_finds_elected(rules: Rules) -> None:
    law = rules.rules
    seats, styles, shufflers = TABLES[named(rules)]
    assert (law.seats.value[0], law.seats.value[-1]) == seats
    assert (law.style.value.permitted, law.style.value.elected) == (styles, styles[0])
    assert (law.shuffler.value.permitted, law.shuffler.value.elected) == (shufflers, "none")
    assert (law.decks.value.elected, law.cutting_cards.value.elected) == (8, 1)


@every_edition
def test_a_continuous_shuffler_is_never_used_with_style_b(rules: Rules) -> None:
    """Everything else that the edition permits may stand together."""
    law = rules.rules
    for style, shuffler in product(law.style.value.permitted, law.shuffler.value.permitted):
        chosen = elect(law, {"style": style, "shuffler": shuffler})
        no = BACCARAT.together(chosen)
        assert (no is not None) == ((style, shuffler) == ("B", "continuous"))
        if no is not None:
            carries(no, "NZD5-3.4a.iii")


# ---------------------------------------------------------------- views


@settings(max_examples=5, deadline=None)
@given(rules=rule_sets(), deck=st.lists(cards, min_size=7, max_size=7))
def test_states_with_equal_views_behave_alike_for_every_continuation(rules: BaccaratRules, deck: list[int]) -> None:
    """Every order of a small deck: equal views have one demand, and each card leads them to equal views again.

    By induction they cannot be told apart by anything that follows; what wagers come to is compared as well.
    """
    wagers = tuple(Wager(on, 100) for on in BACCARAT.wagers(rules) if on not in ("perfect_pairs", "insurance"))
    futures: dict[Hashable, object] = {}
    layer: set[tuple[tuple[int, ...], Coup]] = {((), BACCARAT.begin(rules, NORMAL))}
    while layer:
        following = set()
        for gone, coup in layer:
            due = BACCARAT.demand(rules, coup)
            steps: dict[Hashable, object] = {}
            for place_in_deck, card in enumerate(deck):
                if place_in_deck not in gone and isinstance(due, Deal):
                    after = BACCARAT.apply(rules, coup, CardSeen(card))
                    assert isinstance(after, Coup)
                    symbol = BACCARAT.symbol(rules, card)
                    judged = tuple(BACCARAT.judge(rules, each, coup, CardSeen(card), after) for each in wagers)
                    steps[symbol] = (BACCARAT.view(rules, after), judged)
                    following.add((tuple(sorted((*gone, place_in_deck))), after))
            view = (BACCARAT.view(rules, coup), frozenset(steps))
            assert futures.setdefault(view, (due, steps)) == (due, steps)
        layer = following


# ---------------------------------------------------------------- random walks


def tried(this: AnyRound, what: Step) -> AnyRound | Refusal:
    """Any step on any round: the answer is a round or a refusal, never anything else."""
    if isinstance(what, NextRound):
        return next_round(this) if this.game.at_rest(this.rules, this.state) else Refusal("not over", this.due.rule)
    return place(this, what) if isinstance(what, tuple) else happen(this, what)


def walk(rules: BaccaratRules, sign: Sign, steps: Sequence[Step]) -> tuple[AnyRound, list[Step]]:
    """The round after all steps that the rules allow, and these steps."""
    this, allowed = open_round(BACCARAT, rules, sign=sign), []
    for what in steps:
        after = tried(this, what)
        if isinstance(after, Refusal):
            assert after.reason
            assert "\n" not in after.reason
            assert after.rule.startswith(("NZ", "VIC"))
        else:
            check(after)
            this = after
            allowed.append(what)
    return this, allowed


def check(this: AnyRound) -> None:
    """Money is conserved on every line, and a coup that is over leaves only Runs open."""
    for entry in this.book:
        wager, line = entry.wager, settle(entry, BACCARAT.rounding(this.rules), this.sign.chip)
        placed = wager.stake_cents + wager.voided_cents
        won = entry.resolution.odds.fraction if isinstance(entry.resolution, Won) else 0
        assert 0 <= line.voided_cents <= placed
        assert 0 <= line.returned_cents <= placed + line.pays_cents
        assert 0 <= line.pays_cents < wager.stake_cents * won + max(this.sign.chip, 1)
        assert line.pays_cents >= wager.stake_cents * won
        assert (line.result == "open") == (entry.resolution is None)
        assert entry.resolution is None or entry.resolution.rule.startswith(("NZ", "VIC"))
    if this.game.at_rest(this.rules, this.state):
        assert all("_run_" in wager.on for wager in this.standing)


@settings(max_examples=300, deadline=None)
@given(rules=rule_sets(), sign=signs(), steps=walks)
def test_whatever_is_tried_the_book_stays_sound_and_replays_to_the_same_end(
    rules: BaccaratRules, sign: Sign, steps: list[Step]
) -> None:
    end, allowed = walk(rules, sign, steps)
    again, same = walk(rules, sign, allowed)
    assert same == allowed
    assert again == end


@settings(max_examples=100, deadline=None)
@given(rules=rule_sets(), drawn=st.lists(cards, min_size=1, max_size=6), data=st.data())
def test_a_reconstruction_is_the_replay_of_the_right_sequence(
    rules: BaccaratRules, drawn: list[int], data: st.DataObject
) -> None:
    """Wagers end as if the cards had been laid in the right order at once, even if they had been decided already."""
    wagers = tuple(Wager(on, 10_000, by=on) for on in BACCARAT.wagers(rules) if on != "insurance")
    wagers += (Wager("tie", 500, "perfect_pairs"),)
    start = place(open_round(BACCARAT, rules), wagers)
    assert not isinstance(start, Refusal)
    wrong = walked_on(start, drawn)
    out = (*wrong.state.player, *wrong.state.banker)
    fact = data.draw(reordered(out))
    right, rebuilt = walked_on(start, fact.found), happen(wrong, fact)
    if isinstance(rebuilt, Refusal):
        assert right.state in (wrong.state, walked_on(start, fact.found[: right.state.dealt]).state)
    else:
        ends = [[line.resolution or line.wager for line in this.book] for this in (rebuilt, right)]
        assert ends[0] == ends[1]
        assert rebuilt.state == right.state


def walked_on(this: AnyRound, drawn: Sequence[int]) -> AnyRound:
    """The round after as many of these cards as it takes."""
    for card in drawn:
        after = happen(this, CardSeen(card))
        this = this if isinstance(after, Refusal) else after
    return this


@every_edition
def test_a_rebuilt_round_is_settled_anew_even_if_it_was_over(rules: Rules) -> None:
    """Nine to the Player by mistake: put right, the Banker has the natural."""
    this = played(rules.rules, (bet("player", 100, "a"), bet("banker", 100, "b"), bet("tie", 100, "c")), "9h 2d Kc Ks")
    assert [result for result, _ in results(this)] == ["won", "lost", "lost"]
    fact = {"irregular": "out_of_sequence", "call": "reconstruct", "found": ["2d", "9h", "Kc", "Ks"]}
    assert [result for result, _ in results(go_on(this, fact))] == ["lost", "won", "lost"]
