"""What an act is stands where it is declared, is found by its name alone, and is no part of the law's hash."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from croupier.ceremony import Act, kind_of_act
from croupier.game import DECLINING, Choose
from croupier.game.kinds import MIX, NO_KIND, NO_MORE_BETS, ActKind, wager_kind, wager_place
from croupier.games import GAMES
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.model import Law
from croupier.law.ruleset import Ruleset, _stable
from croupier.rulesets import every_ruleset, known_game, ruleset
from croupier.table.walk import Chance, Walk

NAMES = [f"{rules.game} {rules.edition} {rules.version}" for rules in every_ruleset()]
STUD = ("nz1996", "caribbean_stud")
KNOWN: list[tuple[tuple[str, str], str, ActKind]] = [
    (("nzd5", "baccarat"), "call No more bets", NO_MORE_BETS),
    (("nzd5", "baccarat"), "call Last coup", ActKind("call", "Last coup")),
    (("nzd5", "baccarat"), "call No bets this hand", ActKind("call", "No bets this hand")),
    (("nzd5", "baccarat"), "pass banker third card", ActKind("pass", "banker", "third card")),
    (("nzd5", "baccarat"), "announce player again", ActKind("announce", "player", "third card")),
    (("nzd5", "baccarat"), "shuffle for an exposed card", ActKind("order mixing")),
    (("nzd5", "baccarat"), "shuffle for fun", NO_KIND),
    (("vic2002", "baccarat"), "call for bets", ActKind("call")),
    (("vic2002", "baccarat"), "place shoe marker", ActKind("mark", "shoe")),
    (("nz1996", "blackjack"), "call Insurance", ActKind("call", "Insurance")),
    (("nz1996", "blackjack"), "shuffle", MIX),
    (("nz1996", "craps"), "call the total", ActKind("call")),
    (("nz1996", "tai_sai"), "call Place your bets", ActKind("call", "Place your bets")),
    (STUD, "pay the jackpot of box 3", ActKind("pay jackpot", "3")),
    (STUD, "pay the jackpot of box 3 and more", NO_KIND),
    (STUD, "count the deck for box 7", ActKind("count", what="deck")),
    (STUD, "count and discard the cards of box 7", ActKind("count", "7", "hand")),
    (STUD, "wash, stack and shuffle deck 2", MIX),
]


@pytest.mark.parametrize(("named", "act", "kind"), KNOWN, ids=[f"{game} {act}" for (_, game), act, _ in KNOWN])
def test_an_act_is_known_by_its_declaration_and_by_nothing_like_it(
    named: tuple[str, str], act: str, kind: ActKind
) -> None:
    edition, game = named
    rules = ruleset(edition, game=game)
    assert known_game(game).kind(rules.rules, act) == kind


@pytest.mark.parametrize("rules", every_ruleset(), ids=NAMES)
def test_whatever_is_called_in_play_is_a_call_with_its_words(rules: Ruleset[Any]) -> None:
    walk, kind, called = Walk(rules, Chance("kinds")), known_game(rules.game).kind, set()
    for _ in range(60):
        walk.prepare()
        act = getattr(walk.table.due, "act", "")
        verb, words, *_ = kind(rules.rules, act)
        assert (verb == "call") == (act.split(" ")[0] == "call")
        assert not words or verb != "call" or act == f"call {words}"
        called.add(words if verb == "call" else "")
        walk.step()
    # A terminal closes by itself, and the stickperson calls what fell.
    assert "No more bets" in called or rules.version == "terminals" or rules.game == "craps"


def test_the_kind_of_an_act_is_no_part_of_the_law() -> None:
    plain, kind = Act("burn face up"), replace(Act("burn face up"), kind=ActKind("burn up"))
    assert plain == kind
    assert _stable(Law(plain, ("X",))) == _stable(Law(kind, ("X",)))
    assert kind_of_act("burn face up", (Law(kind, ("X",)),)) == ActKind("burn up")


def test_a_wager_s_key_is_its_kind_and_its_place() -> None:
    taken = [(wager_kind(on), wager_place(on)) for on in ("place:4", "split:0-2", "red", "odd:")]
    assert taken == [("place", "4"), ("split", "0-2"), ("red", ""), ("odd", "")]


def test_whatever_is_offered_can_be_declined_by_a_word_that_says_so() -> None:
    offers = {(f"accept {role}", f"decline {role}") for role in ("player", "banker", "shoe")}
    offers |= {("cut", "decline"), ruleset("nz1996", game="craps").rules.shooter.offered.value}
    offers |= {ruleset("nz1996", game="blackjack").rules.ceremony.offer.value}
    assert {Choose("Ann", offer, "x").declining for offer in offers} == DECLINING
    assert Choose("Ann", ("hit", "stand"), "x").declining == ""
    roles = {role for rules in every_ruleset((GAMES["baccarat"],)) for role in roles_of(rules.rules)}
    assert {f"decline {role}" for role in roles} <= DECLINING


def roles_of(rules: BaccaratRules) -> set[str]:
    return {role for style in rules.ceremony.styles.values() for role in style.roles}
