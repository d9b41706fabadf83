"""Irregularities of baccarat: every case of every table carried out, and what becomes of the wagers.

`python -m tests.games.baccarat.test_irregular` prints the whole matrix: what happened, and the ruling under each law.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from croupier.equipment import card_name
from croupier.game import Refusal, Remedy, Ruling, told
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.irregular import CIRCUMSTANCES
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.conditions import conditions
from croupier.law.ruleset import Ruleset
from croupier.notation import read_fact
from croupier.round import next_round
from croupier.rulesets import ruleset
from tests.games.baccarat.test_cases import RULESETS, bet, go_on, money, named, played, refusal, refused, results, ruled
from tests.helpers.observe import carries

Rules = Ruleset[BaccaratRules]
LAW = {named(rules): rules.rules for rules in RULESETS}
every_edition = pytest.mark.parametrize("rules", RULESETS, ids=named)
with_pairs = pytest.mark.parametrize("law", [n for n in LAW if n.startswith(("nzd5", "nzeb"))])
victoria = pytest.mark.parametrize("law", [n for n in LAW if n.startswith("vic")])
OFFICIAL = {name: "game supervisor" if name[:3] in ("nzd", "nze") else "casino supervisor" for name in LAW}


# ---------------------------------------------------------------- the matrix


class Situation(NamedTuple):
    """What lay on the layout and what was declared."""

    dealt: str
    circumstance: str
    card: str = ""
    to: str = ""
    disclosed: bool = False
    call: str = ""
    found: str = ""

    @property
    def fact(self) -> dict[str, Any]:
        said = {"card": self.card, "to": self.to, "disclosed": self.disclosed, "call": self.call}
        found = {"found": self.found.split()} if self.found else {}
        return {"irregular": self.circumstance} | {key: value for key, value in said.items() if value} | found


STANDS, NATURAL, DRAWN = "7h Kd Kc 6s", "3h 9d Kc Ks", "2h 3d Kc Qs 8h"
SITUATIONS: dict[str, Situation] = {
    "third card to Player, Banker must draw": Situation("6h 5d Kc Ks", "wrong_third_card", "4h", "player"),
    "third card to Player, Banker stands, unseen": Situation(STANDS, "wrong_third_card", "4h"),
    "third card to Player, Banker stands, seen": Situation(STANDS, "wrong_third_card", "4h", disclosed=True),
    "third card to Player, Banker stands, shoe ended": Situation(STANDS, "wrong_third_card", "4h", call="shoe ended"),
    "third card to Player against a natural": Situation(NATURAL, "wrong_third_card", "4h", "player"),
    "third card to Banker, unseen": Situation(DRAWN, "wrong_third_card", "4h", "banker"),
    "third card to Banker, seen": Situation(DRAWN, "wrong_third_card", "4h", "banker", disclosed=True),
    "third card to Banker, shoe ended": Situation(DRAWN, "wrong_third_card", "4h", "banker", call="shoe ended"),
    "excess card, unseen": Situation(NATURAL, "excess_card", "4h"),
    "excess card, seen": Situation(NATURAL, "excess_card", "4h", disclosed=True),
    "excess card, shoe ended": Situation(NATURAL, "excess_card", "4h", call="shoe ended"),
    "card drawn before the coup, unseen": Situation("", "excess_card", "4h"),
    "card drawn before the coup, seen": Situation("", "excess_card", "4h", disclosed=True),
    "first card face up": Situation("", "face_up_card", "4h"),
    "second card face up": Situation("2h", "face_up_card", "4h"),
    "third card face up": Situation("2h 7d Kc Ks", "face_up_card", "4h"),
    "no cards for the initial deal": Situation("2h 3d", "insufficient_cards"),
    "no cards for a third card": Situation("2h 3d Kc Ks", "insufficient_cards"),
    "out of sequence, rebuilt": Situation("2h 3d Kc Ks", "out_of_sequence", call="reconstruct", found="2h Kc 3d Ks"),
    "out of sequence in the initial deal, not rebuilt": Situation("2h 3d Kc Ks", "out_of_sequence", call="void"),
    "out of sequence later, not rebuilt": Situation(DRAWN, "out_of_sequence", call="void"),
    "areas swapped, rebuilt": Situation("2h 3d Kc Ks", "swapped_areas", call="reconstruct", found="3d 2h Ks Kc"),
    "areas swapped, not rebuilt": Situation("2h 3d", "swapped_areas", call="void"),
    "areas swapped, all wagers stay": Situation("2h 3d", "swapped_areas", call="complete"),
    "areas swapped, wagers may be retracted": Situation("2h 3d", "swapped_areas", call="retract"),
    "areas swapped, dummy": Situation("2h 3d", "swapped_areas", call="dummy"),
    "a card of the Player's on the Banker's Hand": Situation("4h 7d Kc Ks", "player_card_on_banker", "9h"),
    "burn forgotten": Situation("2h", "burn_forgotten"),
    "burn forgotten, restart": Situation("2h", "burn_forgotten", call="restart"),
    "dummy ordered": Situation("", "dummy_coup_ordered"),
    "no wagers, card burned": Situation("", "no_wagers", call="burned"),
    "no wagers, card dealt": Situation("2h", "no_wagers"),
    "change of wagers wanted": Situation("2h", "wagers_change_wanted", call="permit"),
    "error found in a later round": Situation("2h", "error_found_later"),
    "disturbance": Situation("2h 3d", "disruption"),
}

# What New Zealand rules, by a key into the numbers of each document; `hand` is what the next round becomes.
NO_BETS = "No bets this hand"
NZ: dict[str, tuple[Remedy, str, str]] = {
    "third card to Player, Banker must draw": (Remedy.REASSIGN, "becomes", ""),
    "third card to Player, Banker stands, unseen": (Remedy.CARRY, "wrong", ""),
    "third card to Player, Banker stands, seen": (Remedy.VOID_HAND, "seen", NO_BETS),
    "third card to Player, Banker stands, shoe ended": (Remedy.DISCARD, "wrong", ""),
    "third card to Player against a natural": (Remedy.CARRY, "wrong", ""),
    "third card to Banker, unseen": (Remedy.CARRY, "excess", ""),
    "third card to Banker, seen": (Remedy.VOID_HAND, "shown", NO_BETS),
    "third card to Banker, shoe ended": (Remedy.DISCARD, "excess", ""),
    "excess card, unseen": (Remedy.CARRY, "excess", ""),
    "excess card, seen": (Remedy.VOID_HAND, "shown", NO_BETS),
    "excess card, shoe ended": (Remedy.DISCARD, "excess", ""),
    "card drawn before the coup, unseen": (Remedy.CARRY, "excess", ""),
    "card drawn before the coup, seen": (Remedy.VOID_HAND, "shown", NO_BETS),
    "first card face up": (Remedy.VOID_HAND, "first", NO_BETS),
    "second card face up": (Remedy.USE, "later", ""),
    "third card face up": (Remedy.USE, "later", ""),
    "no cards for the initial deal": (Remedy.VOID_ROUND, "empty", ""),
    "no cards for a third card": (Remedy.VOID_ROUND, "empty", ""),
    "out of sequence, rebuilt": (Remedy.RECONSTRUCT, "rebuilt", ""),
    "out of sequence in the initial deal, not rebuilt": (Remedy.VOID_ROUND, "void", ""),
    "areas swapped, rebuilt": (Remedy.RECONSTRUCT, "rebuilt", ""),
    "areas swapped, not rebuilt": (Remedy.VOID_ROUND, "void", ""),
    "a card of the Player's on the Banker's Hand": (Remedy.REASSIGN, "rebuilt", ""),
    "burn forgotten": (Remedy.PLAY_ON, "burn", ""),
}
KEYS = ("becomes", "wrong", "seen", "excess", "shown", "first", "later", "empty", "rebuilt", "void", "burn")
OLD = (2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9)
LATER = ("12.1a", "12.1b.s1", "12.1b.s2", "12.2a", "12.2b", "12.3", "12.4", "12.5")
D5 = tuple(f"NZD5-{n}" for n in (*LATER, "12.6.s1", "12.6.s2", "12.7"))
NUMBERS = {
    "nz1996-mini": tuple(f"NZ1996-IV-11.{n}" for n in OLD),
    "nz1996-full": tuple(f"NZ1996-V-12.{n}" for n in OLD),
    "nz1996-midi": tuple(f"NZ1996-IX-{12 if n < 7 else 11}.{n}" for n in OLD),
    "nz1998-full": tuple(f"NZ1998-{n}" for n in (*LATER, "12.6", "12.7", "12.8")),
    **dict.fromkeys(("nzd5-mini", "nzd5-midi", "nzd5-full", "nzeb-terminals", "nzeb-hybrid"), D5),
}

# What Victoria rules: remedy, number, who orders it, what is called.
DUMMY, GAME = "Dummy Coup", "game supervisor"
VIC: dict[str, tuple[Remedy, str, str, str]] = {
    "third card to Player, Banker must draw": (Remedy.REASSIGN, "11.7.1a", "dealer", ""),
    "third card to Player, Banker stands, unseen": (Remedy.DUMMY_COUP, "11.7.1b", "dealer", DUMMY),
    "third card to Player, Banker stands, seen": (Remedy.DUMMY_COUP, "11.7.1b", "dealer", DUMMY),
    "third card to Player against a natural": (Remedy.DUMMY_COUP, "11.7.1b", "dealer", DUMMY),
    "third card to Banker, unseen": (Remedy.DUMMY_COUP, "11.7.2", "dealer", DUMMY),
    "third card to Banker, seen": (Remedy.DUMMY_COUP, "11.7.2", "dealer", DUMMY),
    "excess card, unseen": (Remedy.CARRY, "11.2.s1", "dealer", ""),
    "excess card, seen": (Remedy.DUMMY_COUP, "11.4", GAME, DUMMY),
    "excess card, shoe ended": (Remedy.DISCARD, "11.2.s1", "dealer", ""),
    "card drawn before the coup, unseen": (Remedy.CARRY, "11.2.s1", "dealer", ""),
    "card drawn before the coup, seen": (Remedy.DUMMY_COUP, "11.4", GAME, DUMMY),
    "first card face up": (Remedy.DUMMY_COUP, "11.6.1", "dealer", DUMMY),
    "second card face up": (Remedy.USE, "11.6.2", "dealer", ""),
    "third card face up": (Remedy.USE, "11.6.2", "dealer", ""),
    "no cards for the initial deal": (Remedy.VOID_ROUND, "11.11", "dealer", ""),
    "no cards for a third card": (Remedy.VOID_ROUND, "11.11", "dealer", ""),
    "out of sequence, rebuilt": (Remedy.RECONSTRUCT, "11.12", GAME, ""),
    "out of sequence in the initial deal, not rebuilt": (Remedy.VOID_ROUND, "11.12", GAME, ""),
    "areas swapped, all wagers stay": (Remedy.USE, "11.8.1", GAME, ""),
    "areas swapped, wagers may be retracted": (Remedy.OPTION, "11.8.2", GAME, "Wagers may be taken back"),
    "areas swapped, dummy": (Remedy.DUMMY_COUP, "11.8.3", GAME, DUMMY),
    "a card of the Player's on the Banker's Hand": (Remedy.REASSIGN, "11.3", "dealer", ""),
    "burn forgotten": (Remedy.PLAY_ON, "11.1", "dealer", ""),
    "burn forgotten, restart": (Remedy.RESTART, "11.1.1", GAME, ""),
    "dummy ordered": (Remedy.DUMMY_COUP, "11.4", GAME, "No more bets, Dummy Coup"),
    "no wagers, card burned": (Remedy.DUMMY_COUP, "11.5.1", "dealer", DUMMY),
    "no wagers, card dealt": (Remedy.DUMMY_COUP, "11.5.2", "dealer", DUMMY),
    "change of wagers wanted": (Remedy.OPTION, "11.10", "casino supervisor", ""),
    "error found in a later round": (Remedy.STAND, "11.13", "dealer", ""),
}


LATER_ONLY = {
    "error found in a later round": (("nzd5", "nzeb"), (Remedy.STAND, "NZD5-12.8", "dealer", "")),
    "out of sequence later, not rebuilt": (("nzd5", "nzeb"), (Remedy.VOID_ROUND, "NZD5-12.6.s2", GAME, "")),
    "disturbance": (("nzeb",), (Remedy.VOID_ROUND, "NZEB-12.2", "dealer", "void hand")),
}


def expected(law: str, name: str) -> tuple[Remedy, str, str, str] | None:
    """Remedy, rule, by whom and call, as this test states them; None where the law has no such rule."""
    if law.startswith("vic"):
        found = VIC.get(name)
        return found and (found[0], f"VIC2002-{found[1]}", *found[2:])
    if name in LATER_ONLY:
        editions, row = LATER_ONLY[name]
        return row if law[:4] in editions else None
    if name not in NZ:
        return None
    remedy, key, call = NZ[name]
    return remedy, NUMBERS[law][KEYS.index(key)], OFFICIAL[law] if key in ("rebuilt", "void") else "dealer", call


def answer(law: str, name: str) -> Ruling | Refusal:
    situation = SITUATIONS[name]
    this = played(LAW[law], situation.dealt)
    fact = read_fact(situation.fact, this.due)
    return BACCARAT.rule_on(this.rules, this.state, fact)  # type: ignore[arg-type]


@pytest.mark.parametrize("law", LAW)
@pytest.mark.parametrize("name", SITUATIONS)
def test_ruling(law: str, name: str) -> None:
    """Every situation under every law: remedy, rule, who orders it, what is called, how the next round begins."""
    situation, wanted, got = SITUATIONS[name], expected(law, name), answer(law, name)
    if wanted is None:
        assert isinstance(got, Refusal), got
        cases = LAW[law].irregularities.get(situation.circumstance, (LAW[law].unprovided,))
        carries(got, next(case.rule for case in cases if case.rule == got.rule))
        return
    assert isinstance(got, Ruling), got
    carries(got, wanted[1])
    assert (got.remedy, got.by, got.call) == (wanted[0], wanted[2], wanted[3])
    hand = {Remedy.VOID_HAND: "void", Remedy.DUMMY_COUP: "dummy"}.get(got.remedy, "normal")
    carried = got.remedy is Remedy.CARRY or hand != "normal"
    waits = carried and situation.circumstance in ("wrong_third_card", "excess_card") and bool(situation.dealt)
    assert (got.next.first_card is not None, got.next.hand) == ((True, hand) if waits else (False, "normal"))
    if waits:
        assert got.next.first_card is not None
        assert card_name(got.next.first_card) == "4h"
        carries(got.next, wanted[1])
    after = go_on(played(LAW[law], situation.dealt), situation.fact)
    assert after.following == got.next
    assert after.state.hand == (hand if not waits else "normal")


@pytest.mark.parametrize("law", LAW)
def test_no_case_of_the_table_is_left_out(law: str) -> None:
    table = {(what, case.rule, case.value.remedy) for what, cases in LAW[law].irregularities.items() for case in cases}
    answers = {(situation.circumstance, answer(law, name)) for name, situation in SITUATIONS.items()}
    assert {(what, got.rule, got.remedy) for what, got in answers if isinstance(got, Ruling)} == table
    for case in (case for cases in LAW[law].irregularities.values() for case in cases):
        without_wagers = case.value.remedy in (Remedy.VOID_HAND, Remedy.DUMMY_COUP)
        first = case.value.remedy is Remedy.CARRY and "first card" in conditions(case.value.when)
        assert case.value.now == (first or (without_wagers and case.value.hand == "normal"))
    assert {situation.circumstance for situation in SITUATIONS.values()} == set(CIRCUMSTANCES)


def matrix() -> list[str]:
    """The rulings as a table: a row for each situation, a column for each law."""
    lines = ["| what happened | " + " | ".join(LAW) + " |", "|---" * (len(LAW) + 1) + "|"]
    for name in SITUATIONS:
        cells = [answer(law, name) for law in LAW]
        rulings = [f"{cell.remedy} ({cell.rule})" if isinstance(cell, Ruling) else f"– ({cell.rule})" for cell in cells]
        lines.append(f"| {name} | " + " | ".join(rulings) + " |")
    return lines


def test_the_matrix_has_a_row_for_every_situation() -> None:
    assert [line.count("|") for line in matrix()] == [len(LAW) + 2] * (len(SITUATIONS) + 2)


# ---------------------------------------------------------------- what cannot be so

CANNOT: dict[str, Situation] = {
    "say which card": Situation(STANDS, "wrong_third_card"),
    "the initial deal is not complete": Situation("2h 3d Kc", "wrong_third_card", "4h"),
    "4h was due to the player": Situation("2h 7d Kc Ks", "wrong_third_card", "4h"),
    "4h was due to the banker": Situation("6h 5d Kc Ks", "wrong_third_card", "4h", "banker"),
    "declare a Player's card on the Banker": Situation("2h 7d Kc Ks", "wrong_third_card", "4h", "banker"),
    "the player has a third card already": Situation("2h 3d Kc Ks 7c", "wrong_third_card", "4h"),
    "a card is still due (deal player)": Situation("2h 3d Kc Ks", "excess_card", "4h"),
    "to player or banker, not to 'dealer'": Situation(STANDS, "wrong_third_card", "4h", "dealer"),
    "the call of 'pray'": Situation("2h", "burn_forgotten", call="pray"),
    "no card is out": Situation("", "out_of_sequence", call="void"),
    "give the same cards": Situation("2h 3d", "out_of_sequence", call="reconstruct", found="2h 4d"),
    "in that order already": Situation("2h 3d", "out_of_sequence", call="reconstruct", found="2h 3d"),
    "call void": Situation("2h 3d", "out_of_sequence"),
    "it needs: first card or later card": Situation(NATURAL, "face_up_card", "4h"),
    "it needs: card due": Situation(NATURAL, "insufficient_cards"),
    "it needs: player due": Situation("2h", "player_card_on_banker", "9h"),
}


@every_edition
@pytest.mark.parametrize("words", CANNOT)
def test_what_cannot_have_happened_is_refused(rules: Rules, words: str) -> None:
    no = refused(rules.rules, CANNOT[words].dealt, CANNOT[words].fact)
    carries(no, no.rule)
    assert words in no.reason


@every_edition
def test_an_unknown_circumstance_goes_to_the_supervisor(rules: Rules) -> None:
    who, known = ("casino", "disruption") if rules.edition == "vic2002" else ("game", "dummy_coup_ordered")
    for fact, words in (
        ("earthquake", "no such circumstance"),
        (known, f"no rule for it; the {who} supervisor decides"),
    ):
        carries(refused(rules.rules, {"irregular": fact}), rules.rules.unprovided.rule)
        assert refused(rules.rules, {"irregular": fact}).reason.endswith(words)
    assert "'a guest'" in refused(rules.rules, {"irregular": "burn_forgotten", "by": "a guest"}).reason


@every_edition
@pytest.mark.parametrize(("by", "may"), [("dealer", 0), ("game supervisor", 1), ("casino supervisor", 2), ("", 2)])
def test_only_the_official_or_one_above_orders_a_rebuilding(rules: Rules, by: str, may: int) -> None:
    rank = 2 if rules.edition in ("nz1996", "nz1998") else 1
    fact = SITUATIONS["out of sequence, rebuilt"].fact | {"by": by}
    this = played(rules.rules, "2h 3d Kc Ks")
    if may < rank:
        carries(refusal(this, fact), rules.rules.irregularities["out_of_sequence"][0].rule)
    else:
        assert ruled(this, fact).by == (by or (GAME if rank == 1 else "casino supervisor"))


@victoria
def test_a_dealer_may_not_order_a_dummy_coup(law: str) -> None:
    for dealt, by in (("", "dealer"), ("2h", GAME)):
        carries(refused(LAW[law], dealt, {"irregular": "dummy_coup_ordered", "by": by}), "VIC2002-11.4")


# ---------------------------------------------------------------- what becomes of wagers and Runs

MAINS = (bet("player", 100, "a"), bet("banker", 100, "b"), bet("tie", 100, "c"))


@every_edition
def test_a_wrong_card_that_becomes_the_bankers_decides_the_round(rules: Rules) -> None:
    fact = SITUATIONS["third card to Player, Banker must draw"].fact
    for seen in (False, True):
        this = played(rules.rules, MAINS, "6h 5d Kc Ks", fact | {"disclosed": seen})
        assert (this.over, this.state.banker[2:]) == (True, (29,))
        assert [result for result, _ in results(this)] == ["lost", "won", "lost"]


@every_edition
def test_a_card_carried_to_the_next_round_lies_there_before_the_wagers_and_counts(rules: Rules) -> None:
    fact = SITUATIONS["excess card, unseen"].fact
    this = played(rules.rules, MAINS, NATURAL, fact)
    assert [result for result, _ in results(this)] == ["lost", "won", "lost"]
    carried = next_round(this)
    assert (carried.state.player, carried.state.hand) == ((29,), "normal")
    again = go_on(carried, MAINS, "9d")
    carries(refusal(again, bet("tie", 10)), rules.rules.closing.rule)
    assert [result for result, _ in results(go_on(again, "2s", "Kd"))[3:]] == ["lost", "won", "lost"]


@every_edition
def test_two_cards_wait_in_their_order_and_are_not_forgotten(rules: Rules) -> None:
    """A third card left over has no place, and what happens later does not lose the others."""
    fact = SITUATIONS["excess card, unseen"].fact
    this = played(rules.rules, NATURAL, fact, fact | {"card": "5h"})
    assert "already" in refusal(this, fact | {"card": "6h"}).reason
    assert go_on(this, {"irregular": "burn_forgotten"}).following == this.following
    begun = next_round(this).state
    assert [card_name(card) for card in (*begun.player, *begun.banker)] == ["4h", "5h"]
    assert begun.hand == "normal"


@every_edition
def test_no_wagers_count_after_two_cards_of_which_one_was_seen(rules: Rules) -> None:
    unseen, seen = (SITUATIONS[f"excess card, {how}"].fact for how in ("unseen", "seen"))
    for first, then in ((unseen, seen), (seen, unseen)):
        begun = next_round(played(rules.rules, NATURAL, first, then | {"card": "5h"})).state
        assert [card_name(card) for card in (*begun.player, *begun.banker)] == ["4h", "5h"]
        assert begun.hand == ("dummy" if rules.edition == "vic2002" else "void")


@every_edition
def test_a_hand_without_wagers_follows_a_seen_card_and_then_play_is_normal(rules: Rules) -> None:
    dealt = next_round(played(rules.rules, NATURAL, SITUATIONS["excess card, seen"].fact))
    carries(refusal(dealt, bet("banker", 100)), rules.rules.no_wagers.rule)
    end = go_on(dealt, "9d", "3s", "Kd")
    assert end.over
    assert len(go_on(next_round(end), MAINS).book) == 3


@every_edition
def test_wagers_on_a_first_card_found_face_up_come_back(rules: Rules) -> None:
    this = played(rules.rules, MAINS, SITUATIONS["first card face up"].fact)
    word = "void" if rules.edition in ("nz1996", "vic2002") else "standoff"
    assert (results(this), this.state.player) == ([(word, "100")] * 3, (29,))
    for line in money(this):
        carries(line, rules.rules.void_hand.rule)


@every_edition
def test_a_later_card_found_face_up_is_used_and_the_wagers_stay(rules: Rules) -> None:
    this = played(rules.rules, MAINS, "2h", SITUATIONS["second card face up"].fact, "Kc", "5s")
    assert results(this) == [("lost", "0"), ("won", "200" if named(rules) == "vic2002-crown" else "195"), ("lost", "0")]


@every_edition
def test_a_void_round_returns_every_wager(rules: Rules) -> None:
    error = "out of sequence in the initial deal, not rebuilt"
    for name in ("no cards for the initial deal", "no cards for a third card", error):
        this = played(rules.rules, MAINS, SITUATIONS[name].dealt, SITUATIONS[name].fact)
        assert (this.over, results(this)) == (True, [("void", "100")] * 3)
        for line in money(this):
            carries(line, expected(named(rules), name)[1])  # type: ignore[index]
        assert "void" in refusal(this, bet("tie", 10)).reason
        assert "over" in refusal(this, "4h").reason


@pytest.mark.parametrize("law", [n for n in LAW if n.startswith(("nzd5", "nzeb"))])
def test_a_round_declared_void_after_its_end_is_void_all_the_same(law: str) -> None:
    this = played(LAW[law], MAINS, DRAWN)
    assert [result for result, _ in results(this)] == ["lost", "won", "lost"]
    void = go_on(this, SITUATIONS["out of sequence later, not rebuilt"].fact)
    assert results(void) == [("void", "100")] * 3
    assert "void already" in refusal(void, SITUATIONS["out of sequence later, not rebuilt"].fact).reason


@with_pairs
def test_perfect_pairs_follow_the_cards_put_right_and_fall_with_a_void_round(law: str) -> None:
    wagers = (bet("tie", 10), bet("perfect_pairs", 10))
    wrong = played(LAW[law], wagers, "8h 8d 2c 2s")
    assert results(wrong)[1] == ("lost", "0")
    rebuilt = {"irregular": "out_of_sequence", "call": "reconstruct", "found": ["8h", "2c", "8d", "2s"]}
    assert results(go_on(wrong, rebuilt))[1] == ("won", "110")
    assert results(go_on(wrong, {"irregular": "out_of_sequence", "call": "void"}))[1] == ("void", "10")
    later = played(LAW[law], wagers, "2h 3d 2c Qs 8h", {"irregular": "out_of_sequence", "call": "void"})
    assert results(later) == [("void", "10"), ("void", "10")]
    face_up = played(LAW[law], wagers, "8h 2d", {"irregular": "face_up_card", "card": "8h"})
    assert results(face_up)[1] == ("won", "310")
    carried = next_round(played(LAW[law], NATURAL, SITUATIONS["excess card, unseen"].fact))
    assert results(go_on(carried, wagers, "Kd", "4h"))[1] == ("won", "310")


# ---------------------------------------------------------------- Victoria's own


@victoria
def test_wagers_may_change_with_leave_while_the_first_card_is_unseen(law: str) -> None:
    fact = SITUATIONS["change of wagers wanted"].fact
    this = played(LAW[law], MAINS[:1], "2h")
    carries(refusal(this, {"take": "player", "by": "a"}), LAW[law].closing.rule)
    open_again = go_on(this, fact)
    moved = go_on(open_again, {"take": "player", "by": "a"}, bet("banker", 80, "a"))
    assert results(moved) == [("void", "100"), ("open", "0")]
    carries(money(moved)[0], "VIC2002-11.10")
    assert moved.state.nominated == (("a", "banker"),)
    carries(refusal(open_again, {"take": "tie", "by": "a"}), "VIC2002-11.10")
    for closed in (go_on(moved, "9d"), played(LAW[law], "2h 9d")):
        carries(refusal(closed, bet("tie", 10)), LAW[law].closing.rule)
    for dealt, more in (("", {}), ("2h 9d", {}), ("2h", {"disclosed": True})):
        carries(refused(LAW[law], dealt, fact | more), "VIC2002-11.10")
    third = played(ruleset("vic2002", version=law[8:], elections={"style": "3"}).rules, "2h")
    carries(refusal(third, fact), "VIC2002-11.10")


@victoria
def test_swapped_areas_leave_the_wagers_void_them_or_let_them_be_retracted(law: str) -> None:
    this = played(LAW[law], MAINS, "2h 3d")
    stay, dummy = (go_on(this, SITUATIONS[f"areas swapped, {way}"].fact) for way in ("all wagers stay", "dummy"))
    assert [result for result, _ in results(stay)] == ["open"] * 3
    assert results(dummy) == [("void", "100")] * 3
    retract = go_on(this, SITUATIONS["areas swapped, wagers may be retracted"].fact, {"take": "player", "by": "a"})
    assert results(retract) == [("void", "100"), ("open", "0"), ("open", "0")]
    carries(money(retract)[0], "VIC2002-11.8.2")
    everybody = [{"take": on, "by": by} for on, by in (("player", "a"), ("banker", "b"), ("tie", "c"))]
    one_left, none_left = go_on(retract, everybody[1]), go_on(retract, *everybody[1:])
    assert (one_left.state.hand, none_left.state.hand) == ("normal", "dummy")
    carries(refusal(retract, bet("player", 100)), LAW[law].closing.rule)


@victoria
def test_on_a_natural_wagers_may_be_retracted_until_the_coup_is_completed(law: str) -> None:
    offered = played(LAW[law], MAINS, NATURAL, SITUATIONS["areas swapped, wagers may be retracted"].fact)
    assert [result for result, _ in results(offered)] == ["open"] * 3
    assert told(offered.due) == "complete the coup by dealer"
    carries(offered.due, "VIC2002-11.8.2")
    over = {"perform": "complete the coup", "by": "dealer"}
    ended = go_on(offered, {"take": "player", "by": "a"}, over)
    assert [result for result, _ in results(ended)] == ["void", "won", "lost"]
    carries(refusal(ended, {"take": "banker", "by": "b"}), LAW[law].closing.rule)
    assert refusal(ended, over).rule == ended.due.rule
    carries(refusal(played(LAW[law], MAINS, "2h 3d"), over), LAW[law].initial_deal.rule)


@victoria
def test_a_first_coup_without_burn_may_be_begun_again_and_a_coup_without_wagers_is_a_dummy(law: str) -> None:
    again = played(LAW[law], MAINS, "2h 3d", SITUATIONS["burn forgotten, restart"].fact)
    assert (again.state.dealt, [result for result, _ in results(again)]) == (0, ["open"] * 3)
    assert results(go_on(again, "9h 2d Kc Qs"))[0] == ("won", "200")
    carries(ruled(played(LAW[law], NATURAL), {"irregular": "burn_forgotten", "call": "restart"}), "VIC2002-11.1")
    assert "was wagered" in refused(LAW[law], bet("tie", 10), "2h", {"irregular": "no_wagers"}).reason
    dummy = played(LAW[law], "2h", {"irregular": "no_wagers"})
    assert (dummy.state.player, dummy.state.hand) == ((27,), "dummy")
    carries(refusal(dummy, bet("tie", 10)), "VIC2002-11.9.5a")


if __name__ == "__main__":
    print("\n".join(matrix()))
