"""The kernels play as the rules do: the same cards through compiled tables and through `round.happen`.

For every edition and version of baccarat so many whole shoes (100,000 unless asked otherwise) are dealt both ways, and
what every wager came to must be the same in each of them.  The control plays with one table of the kernel changed, and
must be found out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from croupier.games.baccarat import BACCARAT
from croupier.law.ruleset import Ruleset
from croupier.prove import Scope, Tell, Verdict
from croupier.rulesets import every_ruleset
from croupier.simulation.baccarat import simulated
from croupier.simulation.plan import Settings, Simulated
from croupier.simulation.twin import compare

SHOES = 100_000
RUNS_EVERY = 100
CONTROL_SHOES = 3


def prove(scope: Scope, tell: Tell) -> Verdict:
    if scope.game not in ("", BACCARAT.name):
        raise ValueError(f"whole shoes are compared for {BACCARAT.name}, not for {scope.game!r:.40}")
    shoes = scope.sample or SHOES
    chosen = [each for each in every_ruleset((BACCARAT,)) if scope.edition in ("", each.edition)]
    if not chosen:
        raise ValueError(f"no baccarat in the edition {scope.edition!r:.40}")
    found: dict[str, Any] = {}
    for rules in chosen:
        name = f"{rules.edition}/{rules.version}"
        same = compare(rules, shoes=shoes, runs_every=RUNS_EVERY, tell=_telling(tell, shoes, name))
        found[name] = {"shoes": same.shoes, "coups": same.coups, "differences": list(same.differences)}
    caught = control(chosen[0])
    proved = caught and not any(each["differences"] for each in found.values())
    lines = [
        f"{name}: {each['shoes']:,} shoes, {each['coups']:,} coups, {len(each['differences'])} differences"
        for name, each in found.items()
    ]
    lines.append(f"control: a changed table of the kernel: {'caught' if caught else 'NOT CAUGHT'}")
    return Verdict(proved, {"proved": proved, "editions": found, "control": caught}, tuple(lines))


def _telling(tell: Tell, shoes: int, name: str) -> Callable[[int], None]:
    return lambda done: tell(done, shoes, name)


def control(rules: Ruleset[Any]) -> bool:
    """Whether a kernel whose Table of Play was changed is found out."""
    game = simulated(rules, Settings())
    return bool(compare(rules, shoes=CONTROL_SHOES, game=_changed(game)).differences)


def _changed(game: Simulated) -> Simulated:
    """The kernel with the ends of all four-card positions but one kind taken for those of the first."""
    four = game.program.tables[1]
    wrong = np.array(four)
    met = np.flatnonzero(four != four[0])
    wrong[met] = np.where(four[met] == four[met[0]], four[0], four[met])
    tables = (game.program.tables[0], wrong, *game.program.tables[2:])
    return replace(game, program=replace(game.program, tables=tables))
