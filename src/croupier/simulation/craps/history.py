"""Craps staked by what happened before: a bet is made, decided, and then the next one is asked for.

Theory of operation.  At craps a wager may stand for many throws, so a bet is not a throw.  A strategy is asked when
nothing of its bettor stands; it knows the last totals, the point, and what its last bet came to.  What it names is
placed as the rules take it: a wager that they refuse now is tried again before each throw while the rest of the bet
stands (odds behind a Pass come after the come out roll), and if they take nothing, the same bet waits.  The bet is over
when all of its wagers are decided; what they came to together is its result.

`ByHistory` is that bettor for the walk.  The slow path is `bet_slowly` of the tests, which asks the function itself
between throws that go through `round.happen`; a twin test compares both by the same dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Any, TypeAlias

import numpy as np

from croupier.exact.automaton import STAKE
from croupier.game.kinds import wager_kind
from croupier.games.craps import CRAPS
from croupier.simulation.betting import Betting, BettingStrategy, Knowledge, asked, following
from croupier.simulation.craps.walk import CrapsThrow, Decisions, Sight, Take, Walked, spelled
from croupier.simulation.plan import Exact, Ints

Bet: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Mind:
    """What was known when the bet was made, the bet as far as it is placed, what of it waits, and what it brought."""

    seen: Knowledge
    bet: Bet = ()
    waiting: Bet = ()
    net: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class ByHistory:
    """Who stakes by what happened before."""

    strategy: BettingStrategy
    rules: Any = field(repr=False)
    first: Mind = field(default_factory=lambda: Mind(Knowledge()))

    @property
    def known(self) -> tuple[str, ...]:
        """The wagers by name, and by kind where a kind has numbers."""
        names = CRAPS.wagers(self.rules)
        return (*names, *dict.fromkeys(wager_kind(name) for name in names if ":" in name))

    def place(self, mind: Mind, sight: Sight, take: Take) -> Mind:
        if mind.bet:
            taken, waiting = _tried(mind.waiting, take)
            return replace(mind, bet=(*mind.bet, *taken), waiting=waiting)
        stakes, note = asked(self.strategy, replace(mind.seen, point=sight.point), self.known)
        if not stakes:
            return replace(mind, seen=replace(mind.seen, note=note))
        taken, waiting = _tried(spelled(CRAPS, self.rules, {name: n for name, n in stakes.items() if n}), take)
        if not taken:
            return mind
        # What the bet before came to is told no more once the next one lies: it would only make states apart.
        return Mind(replace(mind.seen, note=note, staked=(), result=""), taken, waiting)

    def seen(self, mind: Mind, thrown: CrapsThrow) -> Mind:
        net = mind.net + thrown.net
        over = bool(mind.bet) and not thrown.standing
        staked = dict(mind.bet) if over else {}
        seen = following(self.strategy, mind.seen, staked, mind.seen.note, str(thrown.total), net)
        return Mind(seen) if over else replace(mind, seen=seen, net=net)


def _tried(wanted: Sequence[tuple[str, int]], take: Take) -> tuple[Bet, Bet]:
    """What the rules take now, and what waits."""
    taken = [take(name, units) for name, units in wanted]
    pairs = list(zip(wanted, taken, strict=True))
    return tuple(each for each, yes in pairs if yes), tuple(each for each, yes in pairs if not yes)


def stakes(decisions: Decisions) -> float:
    """What was staked on the wagers that a throw decided, in units."""
    return sum(wager.stake_cents for wager, _ in decisions) / STAKE


# ---------------------------------------------------------------- what it came to


@dataclass(frozen=True, slots=True)
class ThrowBins:
    """Reads a bettor's bets from the visits of position × throw."""

    strategy: str
    walked: Walked = field(compare=False)

    def results(self, counts: Ints, exact: Mapping[tuple[str, str], Exact]) -> Betting:
        walked, tickets = self.walked, len(self.walked.step) // len(self.walked.closing)
        visits = counts[: len(walked.step)]
        at = visits.reshape(-1, tickets).sum(axis=1).tolist()
        placed: dict[str, int] = {}
        net, square = Fraction(0), 0.0
        for place in np.flatnonzero(visits).tolist():
            times, decisions = int(visits[place]), walked.decided[place]
            for wager, _ in decisions:
                placed[wager.on] = placed.get(wager.on, 0) + wager.stake_cents // STAKE * times
            won = walked.nets[place]
            net, square = net + won * times, square + float(won) ** 2 * times
        # Positions that close are thrown out, or belong to a bettor who has gone home: no coups of a bettor.
        coups = sum(times for n, times in enumerate(at) if walked.closing[n] != n)
        staked, brought = sum(placed.values()), float(net)
        begun = [isinstance(after, Mind) and after.bet and not _bet(before) for before, after, _ in walked.minds]
        expected = None
        if staked and all((name, "") in exact for name in placed):
            expected = -sum(float(exact[name, ""].mean) * units for name, units in placed.items()) / staked
        error = sqrt(square) / staked if staked else 0.0
        edge = 0.0 - brought / staked if staked else 0.0
        return Betting(
            strategy=self.strategy,
            coups=coups,
            bets=sum(times for times, new in zip(at, begun, strict=True) if new),
            staked=staked,
            net=brought,
            edge=edge,
            error=error,
            expected=expected,
            z=(edge - expected) / error if expected is not None and error else None,
            deviation=sqrt(max(0.0, square / coups - (brought / coups) ** 2)) if coups else 0.0,
            largest=max((units for times, (_, _, units) in zip(at, walked.minds, strict=True) if times), default=0),
            wagers=tuple(placed.items()),
            states=len(walked.closing),
        )


def _bet(mind: object) -> Bet:
    return mind.bet if isinstance(mind, Mind) else ()
