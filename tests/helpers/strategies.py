"""Strategies for baccarat: rule sets, signs, wagers and facts, both such as the rules allow and such as they refuse.

A walk is a list of steps; each is tried on the round as it then is.  Cards are drawn often, so that most walks come to
the end of a coup, and everything else seldom but everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis import strategies as st

from croupier.game import (
    BallFell,
    Called,
    CardSeen,
    Chosen,
    DiceFell,
    Fact,
    Irregular,
    Performed,
    Sign,
    Wager,
    WheelStopped,
)
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.irregular import CIRCUMSTANCES
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.elections import elect, electable
from croupier.law.officials import RANKS
from croupier.rulesets import every_ruleset


@dataclass(frozen=True, slots=True)
class NextRound:
    """The round is left and the next one begun, if it can be."""


Step: TypeAlias = Fact | tuple[Wager, ...] | NextRound

cards = st.integers(min_value=0, max_value=51)
bettors = st.sampled_from(["", "seat 1", "seat 2", "seat 3"])
stakes = st.one_of(
    st.sampled_from([1, 99, 100, 101, 1900, 1999, 2000, 2001, 3900, 4000, 4100, 10_000, 999_900, 1_000_100]),
    st.integers(min_value=1, max_value=5_000_000),
)
RUNS = {"player_run": 6, "banker_run": 6, "combination_run": 6, "tie_run": 4}
EVERY_WAGER = ["player", "banker", "tie", "perfect_pairs", "insurance", "dragon_player", "dragon_banker"]
EVERY_WAGER += [f"{kind}_{length}" for kind, most in RUNS.items() for length in range(2, most + 1)]
WORDS = ["", "void", "reconstruct", "complete", "retract", "dummy", "restart", "permit", "burned", "shoe ended", "?"]


@st.composite
def rule_sets(draw: st.DrawFn) -> BaccaratRules:
    """Any edition and version, with any elections that it permits."""
    rules: BaccaratRules = draw(st.sampled_from([each.rules for each in every_ruleset((BACCARAT,))]))
    chosen: dict[str, object] = {}
    for name, law in electable(rules).items():
        permitted = law.value.permitted or ("nevada",)
        if draw(st.booleans()):
            chosen[name] = draw(st.sampled_from(permitted))
    return elect(rules, chosen)


@st.composite
def signs(draw: st.DrawFn) -> Sign:
    """A sign with or without limits."""
    low = draw(st.integers(min_value=0, max_value=2_000_000))
    return Sign(
        chip=draw(st.sampled_from([1, 50, 100, 250, 500])),
        maximum=draw(st.none() | st.integers(min_value=1, max_value=2_000_000)),
        differential=draw(st.none() | st.just((low, low + draw(st.integers(min_value=0, max_value=2_000_000))))),
    )


known_wagers = st.builds(Wager, on=st.sampled_from(EVERY_WAGER), stake_cents=stakes, by=bettors)
main_wagers = st.builds(Wager, on=st.sampled_from(["player", "banker", "tie"]), stake_cents=stakes, by=bettors)
side_wagers = st.builds(Wager, on=st.sampled_from(["perfect_pairs", "insurance"]), stake_cents=stakes, by=bettors)
odd_wagers = st.builds(
    Wager, on=st.sampled_from(["", "pair", "player_run_1", "tie_run_5", "straight:17"]), stake_cents=stakes
)
placed = st.one_of(
    st.lists(main_wagers, min_size=1, max_size=4).map(tuple),
    st.lists(st.one_of(main_wagers, side_wagers, known_wagers), min_size=1, max_size=5).map(tuple),
    odd_wagers.map(lambda wager: (wager,)),
)

irregular_facts = st.builds(
    Irregular,
    circumstance=st.sampled_from([*CIRCUMSTANCES, "earthquake"]),
    card=st.none() | cards,
    to=st.sampled_from(["", "", "player", "banker", "dealer"]),
    disclosed=st.booleans(),
    found=st.lists(cards, max_size=6).map(tuple),
    call=st.sampled_from(WORDS),
    by=st.sampled_from(["", "", "", *RANKS, "a guest"]),
)
plain_cards = cards.map(CardSeen)
other_facts: st.SearchStrategy[Fact] = st.one_of(
    st.builds(Chosen, option=st.sampled_from(["stand", "hit", "split"])),
    st.builds(
        Called, call=st.sampled_from(["nominate", "take", "on"]), by=bettors, on=st.sampled_from([*EVERY_WAGER, "x"])
    ),
    st.builds(
        Performed,
        act=st.sampled_from(["undo", "void round", "void hand", "take back", "let wagers change", "burn"]),
        detail=st.just("NZ1998-12.7"),
    ),
    st.just(DiceFell((3, 4))),
    st.just(BallFell(17)),
    st.just(WheelStopped("A")),
)
steps: st.SearchStrategy[Step] = st.one_of(
    plain_cards,
    plain_cards,
    plain_cards,
    plain_cards,
    placed,
    irregular_facts,
    other_facts,
    st.just(NextRound()),
)
walks = st.builds(lambda first, rest: [first, *rest], placed, st.lists(steps, min_size=4, max_size=40))


@st.composite
def reordered(draw: st.DrawFn, drawn: tuple[int, ...]) -> Irregular:
    """A reconstruction with the cards that are out, in some order."""
    return Irregular("out_of_sequence", found=tuple(draw(st.permutations(drawn))), call="reconstruct")


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
