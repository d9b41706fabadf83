"""The ceremonies of craps: the set of dice, who is offered them, and what staff do around a throw.

A second demand beside the play.  `demand` needs the seats, in clockwise order from the left of the game supervisor, and
the wagers that stand; `None` means that the play's own demand is next.  The scripts are ordered acts; an act out
of turn is refused, and names what was due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from croupier import ceremony
from croupier.ceremony import Done
from croupier.game import Choose, Demand, Perform, Performed, Refusal, Wager
from croupier.games.craps.layout import CrapsLayout, is_come_out, replacement_due
from croupier.games.craps.placing import not_eligible
from croupier.games.craps.rules import CrapsRules
from croupier.law.model import Law
from croupier.law.officials import DEALER

# ---------------------------------------------------------------- the set of dice


def _unfit(law: Law[int], text: str, *, exactly: bool) -> Refusal | None:
    """Why a set with this figure may not be used, if so: just that of the law is wanted, or at least that."""
    figure = int(text) if text.isdecimal() else -1
    fits = figure == law.value if exactly else figure >= law.value
    return None if fits else Refusal(f"{'' if exactly else 'at least '}{law.value}, not {text!r:.20}", law.rule)


EQUIPMENT: Mapping[str, Callable[[CrapsRules, str], Refusal | None]] = {
    "dice": lambda rules, count: _unfit(rules.dice.count, count, exactly=True),
    "face": lambda rules, millimetres: _unfit(rules.dice.face_mm, millimetres, exactly=False),
    "opposite": lambda rules, sum_of_two: _unfit(rules.dice.opposite, sum_of_two, exactly=True),
}
"""What is measured of the dice that come to a table: how many, how large, and what opposite faces add to."""


# ---------------------------------------------------------------- who is offered the dice


def offers(
    rules: CrapsRules, seats: tuple[str, ...], layout: CrapsLayout, standing: Iterable[Wager]
) -> Iterator[Choose]:
    """Everyone the dice are offered to, in turn.

    At the start that is each player from the game supervisor's left.  Later it is each other player from the last
    shooter's left, first those with a wager to throw on, then before a come out roll the rest, who must make one to
    accept.
    """
    shooter = rules.shooter
    if layout.former not in seats:
        start = shooter.first_offer
        yield from (_offer(rules, seat, start.rule) for seat in (*seats[start.value :], *seats[: start.value]))
        return
    first = seats.index(layout.former) + shooter.next_offer.value
    order = tuple(seats[(first + step) % len(seats)] for step in range(len(seats) - 1))
    backed = {wager.by for wager in standing if wager.on in shooter.to_begin.value}
    able = order if is_come_out(rules, layout) else tuple(seat for seat in order if seat in backed)
    ranked = sorted(able, key=lambda seat: seat not in backed)
    if not shooter.others.value:
        ranked = ranked[:1]
    rules_in_turn = (shooter.next_offer.rule, *[shooter.others.rule] * len(ranked))
    yield from (_offer(rules, seat, rule) for seat, rule in zip(ranked, rules_in_turn, strict=False))


def _offer(rules: CrapsRules, seat: str, rule: str) -> Choose:
    return Choose(seat, rules.shooter.offered.value, rule)


# ---------------------------------------------------------------- what is due beside the play


def demand(
    rules: CrapsRules, seats: tuple[str, ...], layout: CrapsLayout, standing: tuple[Wager, ...]
) -> Demand | None:
    """The reason of a "No roll", the offer of the dice, a throw for want of a shooter, or a shooter's lost right."""
    call = layout.call
    if call is not None and not call.faces and not call.reason:
        return Perform("reason", call.by, rules.irregularities["improper_throw"][0].rule)
    if replacement_due(rules, layout) or layout.shooter == rules.shooter.nobody.value:
        return None
    if not layout.shooter:
        return _offered(rules, seats, layout, standing)
    lost = not_eligible(rules, layout, standing, layout.shooter)
    return Choose(layout.shooter, ("pass_dice",), lost.rule) if lost else None


def _offered(
    rules: CrapsRules, seats: tuple[str, ...], layout: CrapsLayout, standing: tuple[Wager, ...]
) -> Demand | None:
    """The first offer that was not declined; after the last the dice are without a taker."""
    nobody = rules.shooter.nobody
    if layout.no_taker:
        return Perform("stickperson_throws", nobody.value, nobody.rule) if standing else None
    offered = next((each for each in offers(rules, seats, layout, standing) if each.by not in layout.declined), None)
    if offered is not None:
        return offered
    return Perform("no_taker", DEALER, nobody.rule) if seats or standing else None


# ---------------------------------------------------------------- scripts


def due(rules: CrapsRules, script: str, done: Done) -> Perform | None:
    """The act of a script that comes next, given what was done."""
    return ceremony.due(rules.scripts[script], done, lambda word: _holds(word, done))


def perform(rules: CrapsRules, script: str, done: Done, fact: Performed) -> Done | Refusal:
    """What was done with this act added; or the refusal of an act out of turn, or by the wrong person."""
    wanted = due(rules, script, done)
    if wanted is None:
        return Refusal(f"the script {script!r} is complete", rules.scripts[script][-1].rule, on=fact.act)
    refusal = ceremony.perform(wanted, (), fact, lambda word: _holds(word, done))
    return refusal or (*done, fact)


def _holds(word: str, done: Done) -> bool:
    """`found`: the search turned the dice up; `detail` says so."""
    if word != "found":
        raise KeyError(f"no condition {word!r} is known")
    return any(fact.act == "search" and fact.detail == word for fact in done)
