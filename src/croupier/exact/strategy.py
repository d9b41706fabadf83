"""How a game is best played, as plain data: what a page shows, and what the simulator follows.

`strategy(ruleset)` is the one way to it.  All of it can be written as JSON.  `policy` is the name of the play on the
odds sheet, and a name that the simulator knows.  For blackjack `chart` is besides a chart in the words in which users
write theirs, with a word for each of the dealer's first cards, so it can be changed and given to the simulator
instead.  The best play of Caribbean stud goes hand by
hand and fits no chart: `lines` tell it against each up card, and `rules_of_thumb` what simpler plays cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from croupier.equipment import full_shoe
from croupier.exact.sheet import ratio
from croupier.law.ruleset import Ruleset

PLAYED = ("blackjack", "caribbean_stud")
"""The games in which a player decides anything."""
LINES = {"hard": "hard", "soft": "soft", "pairs": "pair"}
MOST_DEPARTURES = 12


def strategy(ruleset: Ruleset[Any], shoe: Sequence[int] | None = None) -> dict[str, object]:
    """The best play of a rule set, from a full shoe or the one given; ValueError for a game without decisions."""
    solvers = dict(zip(PLAYED, (_blackjack, _stud), strict=True))
    if ruleset.game not in solvers:
        raise ValueError(f"{ruleset.game} asks for no decisions: strategies are for {' and '.join(solvers)}")
    return {
        "game": ruleset.game,
        "edition": ruleset.edition,
        "version": ruleset.version,
        "ruleset": ruleset.hash,
        **solvers[ruleset.game](ruleset.rules, shoe),
    }


# ---------------------------------------------------------------- blackjack


def _blackjack(rules: Any, shoe: Sequence[int] | None) -> dict[str, object]:
    from croupier.exact.blackjack import chart_tables, departures, solve
    from croupier.exact.blackjack.paper.sheet import brings
    from croupier.exact.blackjack.shares import Doubles

    solved = solve(rules, full_shoe(rules.decks.value.elected) if shoe is None else shoe)
    tables = chart_tables(solved)
    even = bool(solved.chart.even_money)
    lines = {f"{LINES[each.part]} {row}": " ".join(words) for each in tables for row, words in _rows(each)}
    return {
        "policy": solved.chart_play.name,
        "found": "by search: no change of one entry gains",
        "chart": {**lines, "insure": "no", "even money": "yes" if even else "no"},
        "tables": [
            {
                "part": each.part,
                "ups": list(each.ups),
                "rows": [
                    {"row": row, "words": list(words), "worths": list(worths)}
                    for (row, words), worths in zip(each.rows, each.worths, strict=True)
                ],
            }
            for each in tables
        ],
        "departures": [asdict(each) for each in departures(solved)[:MOST_DEPARTURES]],
        "edge": -float(brings(solved, solved.chart_play, Doubles(solved.board))),
    }


def _rows(table: Any) -> list[tuple[int, tuple[str, ...]]]:
    """The lines of a part in the words of a user's chart, in which a dash means to go by the total."""
    from croupier.exact.blackjack.paper.tables import AS_TOTAL

    return [(row, tuple("-" if word == AS_TOTAL else word for word in words)) for row, words in table.rows]


# ---------------------------------------------------------------- Caribbean stud


def _stud(rules: Any, shoe: Sequence[int] | None) -> dict[str, object]:
    from croupier.exact.caribbean_stud import STRATEGIES, play

    best = play(rules, deck=shoe)
    thumbs = {name: play(rules, each, deck=shoe) for name, each in STRATEGIES.items()}
    return {
        "policy": best.policy,
        "found": "exactly: every hand against every up card",
        "lines": [{**asdict(each), "says": str(each)} for each in best.description],
        "edge": ratio(best.edge),
        "bet_frequency": ratio(best.bet_frequency),
        "element_of_risk": ratio(best.element_of_risk),
        "rules_of_thumb": [
            {"policy": name, "source": each.source, "edge": ratio(each.edge)} for name, each in thumbs.items()
        ],
    }
