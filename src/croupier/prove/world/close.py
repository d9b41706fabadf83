"""What is settled is the last slip that the terminal confirmed, however close to the cut-off a wager came.

Theory of operation.  In a simulated house without other troubles, terminals send their wagers so that they arrive
within 50 ms of the moment at which the dealer closes the betting.  Wagers, answers, views, slips and their
acknowledgements are lost, doubled and late.  Each terminal knows only what it was shown; at the first card what it
confirmed is held against what lies there, and in the end its money against a model of its own.  The control closes the
betting by the server's word alone: no card waits for a slip.
"""

from __future__ import annotations

from typing import Final

from croupier.law.editions import EDITIONS
from croupier.law.model import present
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.world.bugs import server_only_close
from croupier.prove.world.days import AIMED, play
from croupier.prove.world.model import check

A_DAY: Final = 40
OF_CONTROL: Final = 10
CAUGHT_BY: Final = " is played"


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("the cut-off")
    past = {each.general.terminals.cut_off.rule for each in EDITIONS.values() if present(each.general.terminals)}
    found, wanted, number = Findings(), scope.count(short=40, long=5_000), 0
    while scope.time.goes_on("rounds", found.tried.get("rounds", 0), wanted):
        rounds = min(A_DAY, wanted - found.tried.get("rounds", 0))
        tell(found.tried.get("rounds", 0), wanted, f"day {number}")
        day = play(scope.seed * 100_000 + number, rounds, check, weather=AIMED)
        found.faults += [f"day {number} of {rounds} rounds: {each}" for each in day.faults]
        found.count("rounds", max(1, day.rounds))
        for what in ("wagers about the cut-off", "messages lost", "messages doubled", "views"):
            found.count(what, day.town.happened.get(what, 0))
        late = [each for each in day.town.history if each.answer and each.answer.rule in past]
        found.count("wagers that came too late", len(late))
        number += 1
    control = play(scope.seed * 100_000, OF_CONTROL, check, bug=server_only_close, weather=AIMED)
    found.controls["a close by the server alone"] = any(CAUGHT_BY in each for each in control.faults)
    if not found.faults:
        found.holds.append("every card was dealt upon the slips that the terminals confirmed, and paid by them")
    return found.verdict()
