"""What a round pays is the same three ways: played, out of the exact odds' own tables, and by a second opinion.

Theory of operation.  Every sequence of points that a coup of baccarat can have is dealt to Player, Banker and Tie, card
by card, by `round.happen`; the same cards walk the automaton from which the odds are computed; and `plain` settles the
finished coup by conditions.  Wheels and dice are settled for every outcome and every place on their layouts.  The
control is a payment changed by one unit, which must be found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, Final

from croupier.exact.automaton import Automaton, build
from croupier.game import (
    AnyGame,
    BallFell,
    CardSeen,
    DiceFell,
    Fact,
    Lost,
    Refusal,
    Resolution,
    StandOff,
    Void,
    Wager,
    WheelStopped,
    Won,
)
from croupier.law.ruleset import Ruleset
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.prove.paying import plain
from croupier.round import AnyRound, happen, open_round, place, settle
from croupier.rulesets import every_ruleset, known_game

MAIN: Final = ("player", "banker", "tie")
STAKED: Final = 20_000
"""Cents that every odds and percentage of these bets divide."""
POINTS: Final = (9, 0, 1, 2, 3, 4, 5, 6, 7, 8)
"""A card for each of the points 0 to 9, as the place of its rank in a suit: a ten, an ace, a two, …"""
Others = Callable[[str, Any], int]


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    found = Findings()
    chosen = [each for each in every_ruleset() if scope.game in ("", each.game) and scope.edition in ("", each.edition)]
    firsts = scope.count(short=20, long=10_000)
    for number, each in enumerate(chosen):
        tell(number, len(chosen), f"{each.game} {each.edition} {each.version}")
        if each.game == "baccarat":
            _coups(found, each, firsts, scope.seed, scope.time.share(len(chosen) - number))
        elif each.game in OUTCOMES:
            _draws(found, each, *OUTCOMES[each.game])
    if not found.tried:
        raise ValueError(
            f"no game of this proof in {scope.edition or 'any edition'}; its games: baccarat, {', '.join(OUTCOMES)}"
        )
    if not found.faults:
        found.holds.append("played, by the tables of the odds and by the second opinion: the same to the cent")
    control = Findings()
    roulette = next(each for each in every_ruleset() if each.game == "roulette")
    fell, outcomes, net = OUTCOMES["roulette"]
    _draws(
        control,
        roulette,
        fell,
        outcomes,
        lambda on, number: net(on, number) + (on == "straight:17" == f"straight:{number}"),
    )
    found.controls["one payment changed by one unit"] = len(control.faults) == 1
    return found.verdict()


# ---------------------------------------------------------------- baccarat


def _coups(found: Findings, ruleset: Ruleset[Any], firsts: int, seed: int, time: Allowance) -> None:
    """Coups from so many of the ten thousand starts of four cards, each with all that can follow."""
    game, name = known_game(ruleset.game), f"{ruleset.edition} {ruleset.version}"
    table = build(game, ruleset.rules, at_start=MAIN)
    fresh = open_round(game, ruleset.rules)
    start = place(fresh, tuple(Wager(on, STAKED, by=on) for on in MAIN))
    assert not isinstance(start, Refusal), start
    half = _half_on_six(ruleset)
    starts = list(product(range(10), repeat=4))
    chosen = Random(f"{seed} {name}").sample(starts, min(firsts, len(starts)))
    for points in time.each(chosen, f"starts of a coup, {name}"):
        for coup, live, position in _ends(start, table, points):
            found.count("coups")
            for on, resolution in zip(MAIN, table.decided[position], strict=True):
                nets = (_net(live, on), _priced(resolution), plain.baccarat(on, coup, half_on_six=half))
                if len(set(nets)) > 1:
                    found.faults.append(f"{name} {coup} {on}: {', '.join(map(str, nets))}")


def _half_on_six(ruleset: Ruleset[Any]) -> bool:
    """Whether these rules pay half on a Banker of six: Crown's, and where the house elected to take no commission."""
    return ruleset.version == "crown" or bool(ruleset.elections.get("no_commission"))


def _ends(
    start: AnyRound, table: Automaton, points: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], AnyRound, int]]:
    """The coups that begin with these cards, played and walked side by side."""
    live, position = start, 0
    for each in points:
        live, position = _dealt(live, table, position, each)
    waiting = [(points, live, position)]
    while waiting:
        coup, live, position = waiting.pop()
        if plain.counts(coup) is not None:
            yield coup, live, position
        else:
            waiting += [(*((*coup, each),), *_dealt(live, table, position, each)) for each in range(10)]


def _dealt(live: AnyRound, table: Automaton, position: int, point: int) -> tuple[AnyRound, int]:
    card = POINTS[point]
    after = happen(live, CardSeen(card))
    assert not isinstance(after, Refusal), after
    return after, table.step[position][table.symbols.index(live.game.symbol(live.rules, card))]


def _net(live: AnyRound, on: str) -> Fraction:
    entry = next(entry for entry in live.book if entry.wager.on == on)
    money = settle(entry, live.game.rounding(live.rules), 1).net_cents(STAKED)
    return Fraction(money, STAKED)


def _priced(resolution: Resolution | None) -> Fraction | None:
    """What the tables of the odds say that one unit nets."""
    match resolution:
        case Won():
            return Fraction(resolution.odds.fraction)
        case Lost():
            return Fraction(-1)
        case StandOff() | Void():
            return Fraction(0)
        case None:
            return None


# ---------------------------------------------------------------- wheels and dice


def _draws(
    found: Findings, ruleset: Ruleset[Any], fell: Callable[[Any], Fact], outcomes: tuple[Any, ...], net: Others
) -> None:
    """Every outcome on every place of the layout."""
    game: AnyGame = known_game(ruleset.game)
    fresh = open_round(game, ruleset.rules)
    for outcome in outcomes:
        for on in game.wagers(ruleset.rules):
            start = place(fresh, (Wager(on, STAKED),))
            assert not isinstance(start, Refusal), (on, start)
            live = happen(start, fell(outcome))
            assert not isinstance(live, Refusal), (outcome, live)
            found.count("results of wheels and dice")
            if _net(live, on) != net(on, outcome):
                found.faults.append(
                    f"{ruleset.game} {on} at {outcome}: {_net(live, on)}, by the second opinion {net(on, outcome)}"
                )


OUTCOMES: Final[dict[str, tuple[Callable[[Any], Fact], tuple[Any, ...], Others]]] = {
    "roulette": (BallFell, tuple(range(37)), plain.roulette),
    "tai_sai": (DiceFell, tuple(product(range(1, 7), repeat=3)), plain.tai_sai),
    "money_wheel": (WheelStopped, tuple("ABCDEFG"), plain.wheel),
}
