"""No irregularity leaves a table stuck: whatever is declared, wherever, the round ends and play goes on.

Theory of operation.  Every rule set, with every single election that it permits, is played as a round that is
adjudicated and as a live table with its ceremony (`liveness_walks`).  At every position every declaration that the
rules rule on is made on a copy of the game, and what it makes possible is declared there as well; then the copy is
played to its end with legal facts, now and then with something else going wrong.  It must come to an end within a
bounded number of facts, with every wager decided once, the books balanced, a void round's wagers given back, and the
same end when it is replayed.  A refusal is no fault, an exception always is.

Asked for a sample, the proof makes about so many declarations, at positions that chance picks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Any, Final

from croupier.errors import NotPermitted
from croupier.game import AnyGame, Effect, Irregular, Over, Refusal, Resolution, Ruling, Void, Wager
from croupier.law.elections import electable
from croupier.law.ruleset import Ruleset
from croupier.prove import ProofScope, Tell, Verdict
from croupier.prove.liveness_walks import Hearing, WalkedTable
from croupier.prove.table_driver import Broken
from croupier.rulesets import every_ruleset, known_game, ruleset
from croupier.table.walk import Chance, Walk

MOST_STEPS: Final = 160
"""Positions of one walk: an opening, and two or three rounds of the longest ceremony."""
ROUNDS: Final = 2
TROUBLE: Final = 4
"""How many times in a hundred facts something else goes wrong as well."""


@dataclass(slots=True)
class LivenessTally:
    """What was declared, what of it was refused, how many ends were reached, and what went wrong."""

    declared: int = 0
    refused: int = 0
    ended: int = 0
    broken: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class WayToPlay:
    """One way to play one rule set."""

    rules: Ruleset[Any]
    live: bool
    note: str = ""

    @property
    def name(self) -> str:
        how = "at a table" if self.live else "adjudicated"
        return f"{self.rules.game} {self.rules.edition} {self.rules.version}{self.note} {how}"

    def begin(self, seed: str, game: AnyGame | None = None) -> Hearing | WalkedTable:
        chance = Chance(f"liveness {self.name} {seed}")
        if self.live:
            return WalkedTable(Walk(self.rules, chance, game=game))
        return Hearing(self.rules, game or known_game(self.rules.game), chance)


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    """Every play of the scope, all of it or about so many declarations; then the controls."""
    plays = chosen(scope)
    tallies: dict[str, LivenessTally] = {}
    for number, play in enumerate(plays):
        tell(number, len(plays), play.name)
        tally = tallies.setdefault(play.rules.game, LivenessTally())
        wanted = max(1, scope.sample // len(plays)) if scope.sample else 0
        declare(play, str(number), tally, wanted)
    caught = controls()
    broken = [line for tally in tallies.values() for line in tally.broken]
    return Verdict(not broken and all(caught.values()), _answer(tallies, caught), tuple(_lines(tallies, caught)))


def _answer(tallies: dict[str, LivenessTally], caught: dict[str, bool]) -> dict[str, Any]:
    games = {
        game: {"declared": each.declared, "refused": each.refused, "ended": each.ended, "broken": each.broken}
        for game, each in tallies.items()
    }
    return {"games": games, "controls": caught}


def _lines(tallies: dict[str, LivenessTally], caught: dict[str, bool]) -> Iterator[str]:
    for game, each in tallies.items():
        yield f"{game}: {each.declared:,} declarations, {each.refused:,} refused, {each.ended:,} different ends reached"
        yield from each.broken
    yield from (f"control: {name}: {'caught' if found else 'NOT CAUGHT'}" for name, found in caught.items())


def chosen(scope: ProofScope) -> list[WayToPlay]:
    """Both ways to play each rule set of the scope; without a sample, also with each of its elections."""
    sets = chosen_sets(scope)
    plays = [(each, "") for each in sets]
    if not scope.sample:
        plays += [varied for each in sets for varied in elected(each)]
    return [WayToPlay(each, live, note) for each, note in plays for live in (False, True)]


def chosen_sets(scope: ProofScope) -> list[Ruleset[Any]]:
    """The rule sets of the scope."""
    sets = [each for each in every_ruleset() if scope.game in ("", each.game) and scope.edition in ("", each.edition)]
    if not sets:
        raise ValueError(f"no rules of {scope.game or 'any game'} in {scope.edition or 'any edition'}")
    return sets


def elected(rules: Ruleset[Any]) -> Iterator[tuple[Ruleset[Any], str]]:
    """The rule set with each single election that differs from its own and that the law permits by itself."""
    for name, law in electable(rules.rules).items():
        for option in law.value.permitted:
            if option == law.value.elected:
                continue
            try:
                other = ruleset(rules.edition, game=rules.game, version=rules.version, elections={name: option})
            except (NotPermitted, ValueError):
                continue
            yield other, f" {name}={option}"


# ---------------------------------------------------------------- declaring


def declare(play: WayToPlay, seed: str, tally: LivenessTally, wanted: int = 0) -> None:
    """Declare everything at every position of one walk, or so many things at positions that chance picks."""
    this, picks = play.begin(seed), Chance(f"picks {play.name} {seed}")
    length = _length(play.begin(seed)) if wanted else 0
    at = [picks.below(length) for _ in range(wanted)]
    for position in range(MOST_STEPS):
        times = at.count(position) if wanted else 1
        possible = this.declared() if times else []
        some = [picks.pick(possible) for _ in range(times)] if wanted and possible else possible
        known = {each.circumstance for each in possible}
        for it in some:
            tried(this, it, play.name, known, tally)
        if _walked(this):
            return


def _length(this: Hearing | WalkedTable) -> int:
    return next(position for position in range(1, MOST_STEPS + 1) if _walked(this) or position == MOST_STEPS)


def _walked(this: Hearing | WalkedTable) -> bool:
    """One step further on the way without any trouble; whether it led to the end."""
    if isinstance(this, Hearing) and (this.ended or isinstance(this.due, Over)):
        return True
    this.step()
    return isinstance(this, WalkedTable) and this.walk.table.number > ROUNDS


def tried(this: Hearing | WalkedTable, it: Irregular, where: str, known: Set[str], tally: LivenessTally) -> None:
    """Declare one thing on a copy, and on further ones what it makes possible; each must come to its end."""
    tally.declared += 1
    other = this.fork()
    try:
        if isinstance(other.declare(it), Refusal):
            tally.refused += 1
        elif other.key() not in tally.known:
            tally.known.add(other.key())
            _followed(other, known)
            other.finish(TROUBLE)
            tally.ended += 1
    except Exception as error:  # an exception is what the proof is looking for, whichever it is
        story = "; ".join(other.trail) or it.circumstance
        tally.broken.append(f"{where}: {story}: {type(error).__name__}: {error}")


def _followed(this: Hearing | WalkedTable, known: Set[str]) -> None:
    """What can be declared only now, such as that the ruling itself was called wrongly."""
    game = this.game if isinstance(this, Hearing) else this.walk.table.game
    for circumstance in game.circumstances:
        for it in this.declared(circumstance)[:1] if circumstance not in known else ():
            other = this.fork()
            other.declare(it)
            other.finish()


# ---------------------------------------------------------------- controls


def controls() -> dict[str, bool]:
    """Games with a fault put into them: each must be caught by what finds none in the true ones."""
    return {
        "a void round that leaves wagers open": _caught("baccarat", "insufficient_cards", _wagers_left_open),
        "a void round that a table does not end": _caught("blackjack", "misplaced_card", _never_void, live=True),
        "a ruling that cannot be carried out": _caught("tai_sai", "die_not_flat", _raises),
    }


def _caught(name: str, circumstance: str, fault: Callable[[AnyGame], AnyGame], *, live: bool = False) -> bool:
    """Whether a walk of the faulty game finds it, and the same walk of the true one nothing."""
    rules = next(each for each in every_ruleset() if each.game == name)
    true, faulty, known = LivenessTally(), LivenessTally(), frozenset(known_game(name).circumstances)
    for game, tally in ((None, true), (fault(known_game(name)), faulty)):
        this = WayToPlay(rules, live).begin("control", game)
        while not tally.ended and not tally.broken:
            for it in this.declared(circumstance):
                if it.call in ("", "void"):
                    tried(this, it, name, known, tally)
            if _walked(this):
                break
    return bool(faulty.broken) and not true.broken


def _wagers_left_open(game: AnyGame) -> AnyGame:
    def judge(rules: Any, wager: Wager, before: Any, fact: Effect, after: Any) -> Wager | Resolution:
        result = game.judge(rules, wager, before, fact, after)
        return wager if isinstance(result, Void) else result

    return replace(game, judge=judge)


def _never_void(game: AnyGame) -> AnyGame:
    ceremony = game.procedure
    assert ceremony is not None

    def complete(rules: Any, sitting: Any) -> bool:
        return not sitting.layout.void and ceremony.complete(rules, sitting)

    return replace(game, procedure=replace(ceremony, complete=complete))


def _raises(game: AnyGame) -> AnyGame:
    def apply(rules: Any, state: Any, fact: Effect) -> Any:
        if isinstance(fact, Ruling):
            raise Broken("a fault put in on purpose")
        return game.apply(rules, state, fact)

    return replace(game, apply=apply)
