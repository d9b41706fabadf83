"""Runs: wagers on several coups in a row, as Victoria has them.

A Run remembers the coups already won; the hand a combination wants is on the coup, where the bettor nominated it, or
that an official gives the Run back because there is none.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace as changed

from croupier.game import Lost, Resolution, Void, Wager, Won
from croupier.game.kinds import wager_run
from croupier.games.baccarat.play import GIVEN_BACK, Coup, is_over, winner
from croupier.games.baccarat.rules import BANKER, PLAYER, TIE, BaccaratRules, RunBet
from croupier.law.model import Citer, absent, present
from croupier.money import to


def vic2002_runs(law: Citer) -> Mapping[str, RunBet]:
    """Runs of two to six hands, and of two to four ties; a tie breaks all but its own."""
    hands = {2: to(3), 3: to(8), 4: to(20), 5: to(45), 6: to(100)}
    ties = {2: to(100), 3: to(1000), 4: to(10000)}
    broken, dummy = law(True, "10.1.fn-run"), law(False, "11.9.4.tail")
    of = {
        "player_run": (PLAYER, "run-player", hands, ("6.5.5", "1.1.run.a")),
        "banker_run": (BANKER, "run-banker", hands, ("6.5.6", "1.1.run.b")),
        "combination_run": (None, "run-pb", hands, ("6.5.7", "1.1.run.c")),
        "tie_run": (TIE, "run-tie", ties, ("6.5.8", "1.1.run.d")),
    }
    each_coup = law(frozenset({PLAYER, BANKER}), "6.5.7")
    return {
        name: RunBet(
            outcome,
            {n: law(odds, f"10.1.{key}-{n}", *also) for n, odds in scale.items()},
            broken,
            dummy,
            absent if outcome else each_coup,
        )
        for name, (outcome, key, scale, also) in of.items()
    }


def run_bet(rules: BaccaratRules, on: str) -> tuple[RunBet, int] | None:
    """A Run by its name, `banker_run_3`, with its length; None for any other bet."""
    kind, length = wager_run(on)
    bet = rules.run_bets.get(kind)
    return (bet, length) if bet and length in bet.pays else None


def judge_run(
    rules: BaccaratRules, bet: RunBet, length: int, wager: Wager, *, before: Coup, after: Coup
) -> Wager | Resolution:
    """A Run counts finished coups with wagers; void, dummy and unfinished ones leave it as it is."""
    followed = dict(after.nominated).get(wager.by, "")
    if present(bet.each_coup) and followed == GIVEN_BACK:
        return Void(bet.each_coup.rule, GIVEN_BACK)
    if after.hand != "normal" and not bet.dummy_counts.value:
        return wager
    counted = is_over(rules, before) and (before.player, before.banker) == (after.player, after.banker)
    if after.void or not is_over(rules, after) or counted:
        return wager
    coups = wager.seen[0] if wager.seen else 0
    assert isinstance(coups, int)
    result, wanted = winner(rules, after), bet.outcome or followed
    if result == TIE != wanted:
        return Lost(bet.tie_breaks.rule, "broken by a tie") if bet.tie_breaks.value else wager
    if result != wanted:
        return Lost(bet.pays[length].rule, "broken")
    if coups + 1 == length:
        return Won(bet.pays[length].value, bet.pays[length].rule, f"{length} in a row")
    return changed(wager, seen=(coups + 1,))
