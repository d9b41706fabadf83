"""The bets of baccarat: what may be placed and when, which part is valid, what each result pays under which rule.

Runs go over several rounds, and are tested in test_adjudicate.py.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from croupier.equipment import parse_card
from croupier.errors import NotPermitted
from croupier.game import Lost, Refusal, Sign, StandOff, Void, Wager, Won
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.bets import accept, dragon, insurance_offered
from croupier.games.baccarat.own import pair_class
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.elections import choice, elect
from croupier.law.model import present
from croupier.law.ruleset import Ruleset
from croupier.money import to
from croupier.round import AnyRound
from tests.games.baccarat.test_cases import (
    DOLLAR,
    RULESETS,
    bet,
    go_on,
    money,
    named,
    played,
    refusal,
    refused,
    results,
)
from tests.helpers.observe import carries

Rules = Ruleset[BaccaratRules]
every_edition = pytest.mark.parametrize("rules", RULESETS, ids=named)
MAIN = ("player", "banker", "tie")
PLAYER_WINS, BANKER_WINS, TIE = "9h 2d Kc 5s", "2h 9d Kc Qs", "6h Kd Kc 6s"
LAW = {named(rules): rules.rules for rules in RULESETS}
TRADITIONAL, CROWN = LAW["vic2002-traditional"], LAW["vic2002-crown"]


def decided(this: AnyRound, line: int = 0) -> Won | Lost | StandOff | Void:
    resolution = this.book[line].resolution
    assert resolution is not None
    return resolution


def edition_ids(*keys: str) -> list[Rules]:
    return [rules for rules in RULESETS if rules.edition in keys]


# ---------------------------------------------------------------- the main bets


@every_edition
def test_every_main_bet_wins_loses_and_ties_by_its_rule(rules: Rules) -> None:
    law = rules.rules
    for deal, outcome in ((PLAYER_WINS, "player"), (BANKER_WINS, "banker"), (TIE, "tie")):
        for on in MAIN:
            got = decided(played(law, bet(on, 100), deal))
            mine = law.bets[on]
            if on == outcome:
                assert isinstance(got, Won)
                carries(got, mine.pays.rule)
            elif outcome == "tie":
                assert present(mine.ties)
                assert isinstance(got, StandOff)
                assert got.word == ("void" if rules.edition in ("nz1996", "vic2002") else "standoff")
                carries(got, mine.ties.rule)
            else:
                assert isinstance(got, Lost)
                carries(got, mine.loses.rule)


SIX, SEVEN = "2h 6d Kc Qs 8h", "2h 7d Kc Qs 8h"


@pytest.mark.parametrize("deal", [SIX, "Kh 4d Qc Ks 2h 2d"], ids=["two cards", "three cards"])
def test_half_pay_on_a_winning_six_where_it_is_in_force(deal: str) -> None:
    half = [elect(rules.rules, {"no_commission": True}) for rules in edition_ids("nzd5", "nzeb")] + [CROWN]
    for law in half:
        assert present(law.half_on_six)
        assert present(law.no_commission)
        on_six, on_seven = (decided(played(law, bet("banker", 100), d)) for d in (deal, SEVEN))
        carries(on_six, law.half_on_six.pays_on_six.rule)
        carries(on_seven, law.half_on_six.pays.rule)
        assert results(played(law, bet("banker", 100), deal)) == [("won", "150")]
        assert results(played(law, bet("banker", 100), SEVEN)) == [("won", "200")]
    assert present(CROWN.half_on_six)
    assert CROWN.bets["banker"].pays == CROWN.half_on_six.pays
    for law in (LAW["nz1998-full"], LAW["nzd5-mini"], TRADITIONAL):
        assert results(played(law, bet("banker", 100), deal)) == [("won", "195")]


# ---------------------------------------------------------------- what may be placed


@every_edition
def test_combinations_of_one_bettor(rules: Rules) -> None:
    """1996 and 1998 bar Banker with Player, over all areas; Division 5 lists all seven; Victoria bars none."""
    law = rules.rules
    barred = rules.edition in ("nz1996", "nz1998")
    for size in (1, 2, 3):
        for on in combinations(MAIN, size):
            wagers = tuple(Wager(name, 10_000, "seat 1", box=box) for box, name in enumerate(on, 1))
            answer = accept(law, DOLLAR, Coup(), (), wagers)
            if barred and {"player", "banker"} <= set(on):
                assert isinstance(answer, Refusal)
                assert "seat 1" in answer.reason
                carries(answer, law.backs_both.rule)
            else:
                assert answer == wagers


@every_edition
def test_the_bar_is_for_one_bettor_and_holds_against_wagers_that_stand(rules: Rules) -> None:
    law = rules.rules
    one = played(law, bet("banker", 100, "seat 1"))
    assert len(go_on(one, bet("player", 100, "seat 2")).book) == 2
    if law.backs_both.value:
        assert len(go_on(one, bet("player", 100, "seat 1")).book) == 2
    else:
        carries(refusal(one, bet("player", 100, "seat 1")), law.backs_both.rule)


@every_edition
@pytest.mark.parametrize(
    "on", ["pair", "", "BANKER", "player_run_7", "player_run_1", "tie_run_5", "player_run_²", "tie_run_" + "9" * 5000]
)
def test_a_wager_that_the_edition_does_not_know_is_refused(rules: Rules, on: str) -> None:
    no = refused(rules.rules, bet(on, 100))
    carries(no, rules.rules.permitted.rule)
    assert repr(on)[:60] in no.reason


@every_edition
def test_side_bets_that_an_edition_does_not_know_are_refused(rules: Rules) -> None:
    known = set(BACCARAT.wagers(rules.rules))
    for on in {"perfect_pairs", "insurance", "player_run_2", "tie_run_2", "dragon_player"} - known:
        named_there = rules.rules.dragon_bonus if on == "dragon_player" else rules.rules.permitted
        law = named_there if present(named_there) else rules.rules.permitted
        carries(refused(rules.rules, bet("tie", 100), bet(on, 100)), law.rule)


def test_side_bets_that_the_operator_does_not_offer_are_refused_by_the_law_that_leaves_them_to_him() -> None:
    for law, option, on in (
        *((rules.rules, "perfect_pairs", "perfect_pairs") for rules in edition_ids("nzd5", "nzeb")),
        *((rules.rules, "runs", "banker_run_3") for rules in edition_ids("vic2002")),
        (CROWN, "insurance", "insurance"),
    ):
        no = refused(elect(law, {option: False}), bet("banker", 100), bet(on, 100))
        carries(no, getattr(law, option).rule)
        assert "not offered" in no.reason
        assert getattr(law, option).value == choice(True, False)


@every_edition
@pytest.mark.parametrize("dealt", ["2h", "2h 3d Kc Qs", "2h 3d Kc Qs 8h"])
def test_no_wager_after_the_first_card(rules: Rules, dealt: str) -> None:
    for on in MAIN:
        no = refused(rules.rules, dealt, bet(on, 100))
        carries(no, rules.rules.closing.rule)
        call = "cut-off" if named(rules) == "nzeb-terminals" else "No more bets"
        assert (no.on, no.reason) == (on, f"no wager after the call of '{call}'")


@every_edition
def test_one_refusal_and_none_of_the_wagers_is_placed(rules: Rules) -> None:
    carries(refused(rules.rules, (bet("banker", 100), bet("pair", 100))), rules.rules.permitted.rule)


# ---------------------------------------------------------------- amounts


PAID_UP = ("nzeb-terminals", "vic2002-traditional", "vic2002-crown")


@pytest.mark.parametrize("rules", [rules for rules in RULESETS if named(rules) not in PAID_UP], ids=named)
@pytest.mark.parametrize(
    ("amount", "valid"), [(19.99, 0), (20, 20), (20.01, 20), (30, 20), (39, 20), (39.99, 20), (40, 40), (41, 40)]
)
def test_the_part_of_a_banker_wager_that_chips_cannot_pay_is_void_on_a_win_and_on_a_loss(
    rules: Rules, amount: float, valid: int
) -> None:
    """The unit is twenty of the lowest chip; if no part is payable the whole wager is void."""
    assert rules.rules.limits.unpayable.value == "void part"
    for deal, back in ((BANKER_WINS, amount + valid * 0.95), (PLAYER_WINS, amount - valid), (TIE, amount)):
        this = played(rules.rules, bet("banker", amount), deal, sign=DOLLAR)
        (line,) = money(this)
        wager = this.book[0].wager
        assert (wager.stake_cents, wager.voided_cents) == (valid * 100, round(amount * 100) - valid * 100)
        assert (line.returned_cents, line.voided_cents) == (round(back * 100), wager.voided_cents)
        if wager.voided_cents:
            assert wager.void_rule == rules.rules.limits.unpayable.rule
        if not valid:
            carries(decided(this), rules.rules.limits.unpayable.rule)
            assert line.result == "void"


@pytest.mark.parametrize("law", PAID_UP)
@pytest.mark.parametrize(("amount", "pays"), [(20, 19), (21, 20), (30, 29), (39, 38), (40, 38)])
def test_elsewhere_banker_winnings_go_up_to_the_next_chip_and_a_loss_is_collected_whole(
    law: str, amount: int, pays: int
) -> None:
    won, lost = (played(LAW[law], bet("banker", amount), d, sign=DOLLAR) for d in (BANKER_WINS, PLAYER_WINS))
    back = amount + (amount if law == "vic2002-crown" else pays)
    assert results(won) + results(lost) == [("won", str(back)), ("lost", "0")]
    assert LAW[law].limits.unpayable.value == "paid up"


@every_edition
def test_other_winnings_go_up_to_the_next_chip_wager_by_wager(rules: Rules) -> None:
    this = played(rules.rules, (bet("player", 10.5), bet("player", 10.5)), PLAYER_WINS, sign=DOLLAR)
    assert results(this) == [("won", "21.50"), ("won", "21.50")]


@pytest.mark.parametrize(("amount", "pays"), [(24, 12), (25, 13), (26, 13)])
def test_half_pay_on_an_odd_amount_goes_up_to_the_next_chip(amount: int, pays: int) -> None:
    """The bar on unpayable Banker wagers does not hold while no commission is taken (NZ1996-I-15.3)."""
    for law in (*(elect(r.rules, {"no_commission": True}) for r in edition_ids("nzd5", "nzeb")), CROWN):
        assert results(played(law, bet("banker", amount), SIX, sign=DOLLAR)) == [("won", str(amount + pays))]


@every_edition
@pytest.mark.parametrize(("amount", "valid"), [(499, 499), (500, 500), (501, 500), (650, 500)])
def test_what_is_above_the_maximum_is_void(rules: Rules, amount: int, valid: int) -> None:
    sign = Sign(chip=100, maximum=50_000)
    won, lost = (played(rules.rules, bet("player", amount), deal, sign=sign) for deal in (PLAYER_WINS, BANKER_WINS))
    assert results(won) + results(lost) == [("won", str(amount + valid)), ("lost", str(amount - valid))]
    if amount > valid:
        assert won.book[0].wager.void_rule == rules.rules.limits.over_maximum.rule


# ---------------------------------------------------------------- the differential


def stakes_of(law: BaccaratRules, sign: Sign, *wagers: Wager) -> list[int]:
    return [entry.wager.stake_cents // 100 for entry in played(law, wagers, sign=sign).book]


@every_edition
def test_the_heavier_hand_is_reduced_pro_rata_to_the_differential(rules: Rules) -> None:
    """Player 200, Banker 600 and 400, differential 500: the Banker may have 700, so 420 and 280; a Tie is outside."""
    sign = Sign(chip=100, differential=(50_000, 50_000))
    placed = (bet("player", 200, "a"), bet("banker", 600, "b"), bet("banker", 400, "c"), bet("tie", 900, "a"))
    this = played(rules.rules, placed, sign=sign)
    assert [entry.wager.stake_cents // 100 for entry in this.book] == [200, 420, 280, 900]
    assert [entry.wager.voided_cents // 100 for entry in this.book] == [0, 180, 120, 0]
    for entry in this.book[1:3]:
        assert entry.wager.void_rule == rules.rules.limits.differential.rule
    lost = go_on(this, PLAYER_WINS)
    assert [line.returned_cents // 100 for line in money(lost)] == [400, 180, 120, 0]


@every_edition
@pytest.mark.parametrize(("amount", "stands"), [(699, 699), (700, 700), (701, 700)])
def test_a_difference_at_the_limit_is_not_touched(rules: Rules, amount: int, stands: int) -> None:
    sign = Sign(chip=100, differential=(50_000, 50_000))
    heavy, light = bet("player", amount, "a"), bet("banker", 200, "b")
    assert stakes_of(rules.rules, sign, heavy, light) == [stands, 200]


@every_edition
def test_a_reduced_banker_wager_comes_down_to_its_payable_unit(rules: Rules) -> None:
    """320 and 300 may have 550 together: 283.87 and 266.13, down to units of 20 where commission is taken."""
    sign = Sign(chip=100, differential=(55_000, 55_000))
    whole = not rules.rules.bets["banker"].pays.value.commission
    reduced = stakes_of(rules.rules, sign, bet("banker", 320, "a"), bet("banker", 300, "b"))
    assert reduced == ([283, 266] if whole else [280, 260])


@every_edition
def test_wagers_that_stand_are_counted_when_more_is_placed(rules: Rules) -> None:
    """The later wager has only the room that is left."""
    this = played(rules.rules, bet("player", 400, "a"), sign=Sign(chip=100, differential=(50_000, 50_000)))
    later = go_on(this, bet("player", 300, "b"), bet("player", 100, "c"))
    assert [entry.wager.stake_cents // 100 for entry in later.book] == [400, 100, 0]
    assert [line.result for line in money(later)] == ["open", "open", "void"]


@pytest.mark.parametrize(("on", "deal", "pays"), [("banker", BANKER_WINS, 14_125), ("player", PLAYER_WINS, 14_875)])
def test_victoria_7_5_worked_example(on: str, deal: str, pays: int) -> None:
    """15,000 with a minimum differential of 10,000: 2.5 per cent of 5,000 besides the usual commission."""
    sign = Sign(chip=100, differential=(1_000_000, 2_000_000))
    (line,) = money(played(TRADITIONAL, bet(on, 15_000), deal, sign=sign))
    assert (line.result, line.pays_cents) == ("won", pays * 100)
    assert line.commission_cents == (15_000 - pays) * 100
    assert line.rule == f"VIC2002-7.5.{'1' if on == 'banker' else '2'}"


@pytest.mark.parametrize(("amount", "pays"), [(9_999, 9_999), (10_000, 10_000), (10_001, 10_001), (10_040, 10_039)])
def test_the_extra_commission_begins_above_the_minimum_differential(amount: int, pays: int) -> None:
    """On a Player wager: a dollar of excess costs 2.5 cents, which chips of a dollar pay back up."""
    sign = Sign(chip=100, differential=(1_000_000, 2_000_000))
    assert money(played(TRADITIONAL, bet("player", amount), PLAYER_WINS, sign=sign))[0].pays_cents == pays * 100


def test_the_extra_commission_is_counted_wager_by_wager_and_not_in_crown() -> None:
    sign = Sign(chip=100, differential=(1_000_000, 2_000_000))
    both = (bet("player", 15_000, "a"), bet("banker", 15_000, "b"))
    for law, pays in ((TRADITIONAL, 1_487_500), (CROWN, 1_500_000)):
        assert [line.pays_cents for line in money(played(law, both, PLAYER_WINS, sign=sign))] == [pays, 0]


def test_traditional_reduces_above_the_maximum_differential_and_crown_above_the_minimum() -> None:
    sign = Sign(chip=100, differential=(1_000_000, 2_000_000))
    for amount, traditional, crown in ((10_001, 10_001, 10_000), (20_000, 20_000, 10_000), (20_001, 20_000, 10_000)):
        assert stakes_of(TRADITIONAL, sign, bet("player", amount)) == [traditional]
        assert stakes_of(CROWN, sign, bet("player", amount)) == [crown]


# ---------------------------------------------------------------- Perfect Pairs

PAIRS = {"8h 8h": "perfect", "8h 8d": "coloured", "8c 8s": "coloured", "8h 8c": "mixed", "8d 8s": "mixed"}
NO_PAIRS = ("8h 9h", "Kh Qh", "10h Jh", "Ah 2h")
SCALES = {1: {"mixed": 5, "coloured": 10, "perfect": 30}, 2: {"mixed": 6, "coloured": 12, "perfect": 25}}


@pytest.mark.parametrize("rules", edition_ids("nzd5", "nzeb"), ids=named)
@pytest.mark.parametrize("scale", SCALES)
def test_perfect_pairs_pay_the_highest_class_of_the_players_first_two_cards(rules: Rules, scale: int) -> None:
    law = elect(rules.rules, {"pay_scale": scale})
    assert present(law.pairs)
    for pair, kind in PAIRS.items():
        first, second = pair.split()
        assert pair_class(parse_card(first), parse_card(second)) == kind
        this = played(law, (bet("tie", 10), bet("perfect_pairs", 10)), first, "Kd", second)
        pays = getattr(law.pairs.scales[scale], kind)
        assert decided(this, 1) == Won(to(SCALES[scale][kind]), pays.rule, f"{kind} pair")
        carries(decided(this, 1), pays.rule)
    for two in NO_PAIRS:
        first, second = two.split()
        this = played(law, (bet("player", 10), bet("perfect_pairs", 10)), first, "8d", second, "8d")
        assert isinstance(decided(this, 1), Lost)
        carries(decided(this, 1), law.pairs.otherwise.rule)


@pytest.mark.parametrize("rules", edition_ids("nzd5", "nzeb"), ids=named)
def test_perfect_pairs_go_with_a_main_wager_of_the_same_bettor(rules: Rules) -> None:
    law = rules.rules
    assert present(law.pairs)
    assert present(law.pay_scale)
    for on in MAIN:
        assert len(played(law, (bet(on, 10, "a"), bet("perfect_pairs", 10, "a"))).book) == 2
    for wagers in ((bet("perfect_pairs", 10, "a"),), (bet("player", 10, "b"), bet("perfect_pairs", 10, "a"))):
        carries(refused(law, wagers), law.pairs.with_main.rule)
    carries(refused(law, bet("player", 10), "2h", bet("perfect_pairs", 10)), law.closing.rule)
    with pytest.raises(NotPermitted, match="pay_scale=3") as no:
        elect(law, {"pay_scale": 3})
    carries(no.value, law.pay_scale.rule)
    assert law.pay_scale.value == choice(1, 2)


@pytest.mark.parametrize("rules", edition_ids("nzd5", "nzeb"), ids=named)
def test_12_5_a_void_round_returns_perfect_pairs_whatever_they_came_to(rules: Rules) -> None:
    wagers, empty = (bet("player", 10), bet("perfect_pairs", 10)), {"irregular": "insufficient_cards"}
    for dealt in ("8h 2d", "8h 2d 8h", "8h 2d 8h 3s", "8h 2d 7h 3s"):
        assert results(played(rules.rules, wagers, dealt, empty)) == [("void", "10"), ("void", "10")]


# ---------------------------------------------------------------- Insurance/No 6

OF_POINTS = (9, *range(9))  # a club for each point value


def test_insurance_is_offered_on_a_banker_six_while_the_player_must_draw() -> None:
    """Each pair of two-card counts; the Banker at 5, 6 and 7, the Player at 5, 6 and 7 are the limits."""
    for player in range(10):
        for banker in range(10):
            coup = Coup((12, OF_POINTS[player]), (12, OF_POINTS[banker]))
            assert insurance_offered(CROWN, coup) == (banker == 6 and player <= 5)
    offers = Coup((12, 1), (12, 5))
    assert not any(insurance_offered(rules.rules, offers) for rules in RULESETS if rules.rules is not CROWN)


OFFERED = "2h 6d Kc Qs"


def test_insurance_has_its_window_its_cap_and_its_bettors() -> None:
    law = CROWN.insures
    assert present(law)
    main = bet("banker", 100, "a")
    for dealt in ("", "2h 6d Kc", "2h 5d Kc Qs", "2h 7d Kc Qs", "6h 6d Kc Qs"):
        carries(refused(CROWN, main, dealt, bet("insurance", 50, "a")), law.count.rule)
    carries(refused(CROWN, main, OFFERED, "3h", bet("insurance", 50, "a")), law.window.rule)
    offered = played(CROWN, main, bet("tie", 500, "b"), bet("player", 30, "c"), OFFERED)
    for amount, by in ((99.99, "a"), (100, "a"), (30, "c")):
        assert len(go_on(offered, bet("insurance", amount, by)).book) == 4
    carries(refusal(offered, bet("insurance", 100.01, "a")), law.capped_by.rule)
    carries(refusal(offered, bet("insurance", 1, "b")), law.capped_by.rule)
    carries(refusal(offered, bet("insurance", 31, "c")), law.capped_by.rule)
    carries(refusal(go_on(offered, bet("insurance", 50, "a")), bet("insurance", 50, "a")), law.capped_by.rule)


@pytest.mark.parametrize(
    ("thirds", "wins"),
    [("8h", False), ("3h", False), ("4h", True), ("5h", True), ("6h 3d", True), ("6h Kd", True), ("7h 7d", True)],
    ids=["0-6", "5-6", "tie 6-6", "7-6", "8-9", "8-6", "9-3"],
)
def test_insurance_loses_only_if_the_banker_wins_with_six(thirds: str, wins: bool) -> None:  # noqa: FBT001
    assert present(CROWN.insures)
    this = played(CROWN, bet("banker", 100), OFFERED, bet("insurance", 50), thirds)
    assert results(this)[1] == (("won", "150") if wins else ("lost", "0"))
    carries(decided(this, 1), CROWN.insures.pays.rule if wins else CROWN.insures.loses.rule)


# ---------------------------------------------------------------- Dragon Bonus

OWN = 'source = "House sheet 7"\nnatural = 2\n[margins]\n9 = 25\n1 = 1\n'


@pytest.mark.parametrize("rules", edition_ids("nzeb"), ids=named)
def test_dragon_bonus_is_refused_unless_a_source_is_elected(rules: Rules) -> None:
    law = rules.rules
    assert present(law.dragon_bonus)
    for on in ("dragon_player", "dragon_banker"):
        carries(refused(law, bet(on, 10)), law.dragon_bonus.rule)
    for empty in ("", "  ", True):
        with pytest.raises(NotPermitted, match="must name its source") as no:
            elect(law, {"dragon_bonus": empty})
        carries(no.value, law.dragon_bonus.rule)
    house = dragon(elect(law, {"dragon_bonus": OWN}))
    assert house is not None
    assert (house.source, house.natural, house.margins) == ("House sheet 7", to(2), {9: to(25), 1: to(1)})


@pytest.mark.parametrize(
    ("deal", "player", "banker"),
    [
        ("9h 2d Kc Qs", 20, 0),  # a natural win pays 1 to 1
        ("9h 8d Kc Qs", 20, 0),
        ("8h Kd Kc 8s", 10, 10),  # a natural tie comes back
        ("6h 6d Kc Qs", 0, 0),  # any other tie loses
        ("6h Kd Kc Kh 9s", 0, 0),  # by 3: nothing
        ("2h 3d Kc Qs 5s Kd", 20, 0),  # by 4, which pays 1 to 1
        ("Kh 3d Kc Ks 9h Kd", 50, 0),  # by 6
        ("Kh Kd Kc Ks 9h Kd", 310, 0),  # by 9
        ("2h 7d Kc Qs 8h", 0, 70),  # by 7
    ],
)
def test_the_published_scale_pays_natural_wins_and_margins(deal: str, player: int, banker: int) -> None:
    law = elect(LAW["nzeb-terminals"], {"dragon_bonus": "nevada"})
    this = played(law, (bet("dragon_player", 10), bet("dragon_banker", 10)), deal)
    assert [line.returned_cents // 100 for line in money(this)] == [player, banker]
    assert {resolution.rule for resolution in (decided(this), decided(this, 1))} == {"NZEB-11B.1"}
