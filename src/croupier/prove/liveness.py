"""No irregularity leaves a table stuck: whatever is declared, wherever, the round ends and play goes on.

Theory of operation.  Every rule set is played as a round that is adjudicated and as a live table with its ceremony
(`liveness_walks`).  At every kind of position (`positions` says when two are of one kind) every declaration that the
rules rule on is made on a copy of the game, of the next card with one of each value, and what it makes possible is
declared there as well; then the copy is played to its end with legal facts, now and then with something else going
wrong.  It must come to an end within a bounded number of facts, with every wager decided once, the books balanced, a
void round's wagers given back, and the same end when it is replayed.  A refusal is no fault, an exception always is.
An end is reached once: where the same ruling on the same circumstance leads from another position to a position of the
same kind, the copy is not played on again (`left_alike` says it of rulings that leave all as it was).

Each single election that a rule set permits is played as well: everything is declared at every position of one walk
through two rounds of it, with three boxes.  The rule sets themselves are walked so too.

Asked for a sample, the proof makes about so many declarations, at positions that chance picks on such walks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Set
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypeAlias

from croupier.errors import NotPermitted
from croupier.game import AnyGame, Deal, Effect, Irregular, Over, Refusal, Resolution, Ruling, Void, Wager
from croupier.law.elections import electable
from croupier.law.ruleset import Ruleset
from croupier.prove import ProofScope, Tell, Verdict
from croupier.prove.liveness_walks import BOXES, Hearing, WalkedTable
from croupier.prove.positions import left_alike, positions, with_each_card
from croupier.prove.progress import Figures, ProofProgress
from croupier.prove.table_driver import Broken
from croupier.rulesets import every_ruleset, known_game, ruleset
from croupier.table.walk import PLAYERS, Chance, Walk

MOST_STEPS: Final = 160
"""Positions of one walk: an opening, and two or three rounds of the longest ceremony."""
ROUNDS: Final = 2
BOXED: Final = ("blackjack", "caribbean_stud")
"""Games in which every box has hands of its own."""
TROUBLE: Final = 4
"""How many times in a hundred facts something else goes wrong as well."""

Alike: TypeAlias = Callable[[Hearing | WalkedTable, Hearing | WalkedTable], Hashable]
"""By what positions are told apart that a ruling led to, given the position before it."""


@dataclass(slots=True)
class LivenessTally:
    """What was declared, what of it was refused, how many ends were reached, and what went wrong."""

    positions: int = 0
    declared: int = 0
    refused: int = 0
    ended: int = 0
    broken: list[str] = field(default_factory=list)
    known: set[Hashable] = field(default_factory=set)

    def add(self, figures: Figures) -> None:
        for name, figure in figures.items():
            setattr(self, name, getattr(self, name) + figure)


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

    def begin(self, seed: str, game: AnyGame | None = None, *, boxes: int = len(BOXES)) -> Hearing | WalkedTable:
        """A game that begins; where it has boxes, so many are played."""
        chance, plays = Chance(f"liveness {self.name} {seed}"), game or known_game(self.rules.game)
        boxed = boxes if plays.name in BOXED else len(BOXES)
        if self.live:
            table = WalkedTable(Walk(self.rules, chance, game=game), bettors=PLAYERS[:boxed])
            return table.with_terminals()
        return Hearing(self.rules, plays, chance, BOXES[:boxed])


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    """Every play of the scope, all of it or about so many declarations; then the controls."""
    plays = {play.name: play for play in chosen(scope)}
    tallies: dict[str, LivenessTally] = {}
    if scope.sample:
        for number, (name, play) in enumerate(scope.time.each(list(plays.items()), "ways to play")):
            tell(number, len(plays), name)
            tally = tallies.setdefault(play.rules.game, LivenessTally())
            declare(play, str(number), tally, max(1, scope.sample // len(plays)))
        whole = False
    else:
        done = dict(
            ProofProgress("liveness", scope).run(plays, lambda name: wholly(plays[name], str(scope.seed)), tell)
        )
        for name, figures in done.items():
            tallies.setdefault(plays[name].rules.game, LivenessTally()).add(figures)
        whole = len(done) == len(plays)
    caught = controls()
    broken = [line for tally in tallies.values() for line in tally.broken]
    answer = {"covered": "whole" if whole else "sample", "games": _figures(tallies), "controls": caught}
    lines = (WHOLE if whole else "a sample", *_lines(tallies, caught))
    return Verdict(not broken and all(caught.values()), answer, lines)


WHOLE: Final = "whole: every rule set in every kind of position, and with each other election along one walk"


def wholly(play: WayToPlay, seed: str) -> Figures:
    """All that is declared of one way to play."""
    tally = LivenessTally()
    declare(play, seed, tally)
    if not play.note:
        declare_everywhere(play, seed, tally)
    return _figure(tally)


def _figures(tallies: dict[str, LivenessTally]) -> dict[str, Figures]:
    return {game: _figure(each) for game, each in tallies.items()}


def _figure(tally: LivenessTally) -> Figures:
    return {each.name: getattr(tally, each.name) for each in fields(tally) if each.name != "known"}


def _lines(tallies: dict[str, LivenessTally], caught: dict[str, bool]) -> Iterator[str]:
    for game, each in tallies.items():
        yield (
            f"{game}: {each.declared:,} declarations at {each.positions:,} positions, {each.refused:,} refused, "
            f"{each.ended:,} different ends reached"
        )
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
        this.check_replay()
        tally.positions += bool(times)
        some = [picks.pick(possible) for _ in range(times)] if wanted and possible else possible
        known = {each.circumstance for each in possible}
        for it in some:
            tried(this, it, play.name, known, tally)
        if _walked(this):
            return


def declare_everywhere(play: WayToPlay, seed: str, tally: LivenessTally) -> None:
    """Declare everything at every kind of position; of the next card, with one of each value.

    What is not declared of that card is ruled on alike, whichever it is.
    """
    for this in positions(play.begin(seed, boxes=1)):
        tally.positions += 1
        this.check_replay()
        possible = this.declared()
        known = {each.circumstance for each in possible}
        for it in possible:
            tried(this, it, play.name, known, tally, left_alike)
        for other in with_each_card(this) if isinstance(this.due, Deal) else ():
            for it in other.declared(of_the_card=True):
                tried(other, it, play.name, known, tally, left_alike)


def _length(this: Hearing | WalkedTable) -> int:
    return next(position for position in range(1, MOST_STEPS + 1) if _walked(this) or position == MOST_STEPS)


def _walked(this: Hearing | WalkedTable) -> bool:
    """One step further on the way without any trouble; whether it led to the end."""
    if isinstance(this, Hearing) and (this.ended or isinstance(this.due, Over)):
        return True
    this.step()
    return isinstance(this, WalkedTable) and this.walk.table.number > ROUNDS


def tried(
    this: Hearing | WalkedTable,
    it: Irregular,
    where: str,
    known: Set[str],
    tally: LivenessTally,
    alike: Alike | None = None,
) -> None:
    """Declare one thing on a copy, and on further ones what it makes possible; each must come to its end.

    Unless it leads to what is alike to something that was played to its end: the very same position has one end,
    whatever led to it; among positions of a kind each ruling is followed.
    """
    tally.declared += 1
    other = this.fork()
    try:
        ruling = other.declare(it)
        if isinstance(ruling, Refusal):
            tally.refused += 1
        elif end := _new_end(this, other, ruling, where, tally, alike):
            _followed(other, known, where, tally, alike)
            end(TROUBLE)
    except Exception as error:  # an exception is what the proof is looking for, whichever it is
        story = "; ".join(other.trail) or it.circumstance
        tally.broken.append(f"{where}: {story}: {type(error).__name__}: {error}")


def _new_end(
    before: Hearing | WalkedTable,
    after: Hearing | WalkedTable,
    ruling: Ruling,
    where: str,
    tally: LivenessTally,
    alike: Alike | None,
) -> Callable[[int], None] | None:
    """How to come to the end of what a ruling led to; none where it was ruled so before, and led to what is alike."""
    left = where, alike(before, after) if alike else after.key()
    ruled = *left, ruling.on.circumstance, ruling.on.call, ruling.remedy, ruling.rule
    if ruled in tally.known:
        return None
    reached = alike is None and left in tally.known
    tally.known |= {left, ruled}
    if reached:
        return lambda _: after.check_replay()
    tally.ended += 1
    return after.finish


def _followed(
    this: Hearing | WalkedTable, known: Set[str], where: str, tally: LivenessTally, alike: Alike | None
) -> None:
    """What can be declared only now, such as that the ruling itself was called wrongly."""
    for circumstance in this.plays.circumstances:
        for it in this.declared(circumstance)[:1] if circumstance not in known else ():
            other = this.fork()
            ruling = other.declare(it)
            if not isinstance(ruling, Refusal) and (end := _new_end(this, other, ruling, where, tally, alike)):
                end(0)


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
