"""Craps at a live table: the set of dice, the shooter, the throw and what staff do after it.

A round is a throw.  New dice are inspected twice before the first; a new shooter chooses two of the set; after a throw
its total is called, the dice are gathered, wagers settled, and the dice passed.  Between a throw and its settlement no
wager is placed.

Dice that are off the table are looked for, and the rest is offered, however it was told that they are: dice declared
lost are counted as lost at once, and the search puts the count right.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from croupier.ceremony import Done, acts
from croupier.game import (
    NORMAL,
    Announcement,
    Attendance,
    Called,
    Choose,
    Chosen,
    Demand,
    DiceFell,
    Effect,
    Fact,
    Irregular,
    Over,
    Perform,
    Performed,
    Procedure,
    Refusal,
    Resolution,
    Ruling,
    Wager,
    every,
    told,
)
from croupier.game.kinds import wager_kind, wager_place
from croupier.games.craps import irregular, placing, play, procedure
from croupier.games.craps.bets import can_be_taken, names, taken_under
from croupier.games.craps.layout import NO_ROLL, CrapsLayout, give_up, is_come_out, out_of_turn, total
from croupier.games.craps.layout import demand as play_demand
from croupier.games.craps.rules import SETTLE, CrapsRules, LineBet, NumberBet, OddsBet, OneRollBet
from croupier.money import Odds
from croupier.once import in_a_line, once_of_both, replace

NEW_DICE, FIRST, NEXT, THROW, OFF = "new dice", "first shooter", "next shooter", "throw", "off the table"
SHOOTER, SEARCH, FOUND = "shooter", "search", "found"
AT_ANY_TIME = ("dice_lost", "wrong_call")
OF_A_THROW = ("call", "no_roll", "release", "rest", "replace_dice")
"""What is done and said of a throw in hand; there is none between one that was entered and its settlement."""
TO_SHOOTER = ("offer the rest", "choose dice again")
"""What is done for the shooter while dice are off the table; where nobody has the dice there is nobody to offer to."""


class CrapsSitting(Struct, frozen=True, gc=False):
    """`script` is the one in hand, `done` what was done of it; `shooters` counts those who took the dice.

    `out` are dice that were said to be lost, for which nobody has searched yet.
    """

    layout: CrapsLayout
    script: str = NEW_DICE
    done: Done = ()
    shooters: int = 0
    seats: tuple[str, ...] = ()
    standing: tuple[Wager, ...] = ()
    out: int = 0

    __repr__ = in_a_line


def _done(sitting: CrapsSitting) -> Done:
    """What of the script in hand is done, or needs no doing."""
    spared = sitting.script == OFF and not sitting.layout.shooter
    return (*sitting.done, *(Performed(act) for act in TO_SHOOTER)) if spared else sitting.done


@once_of_both
def _act(rules: CrapsRules, sitting: CrapsSitting) -> Perform | None:
    """The act of the script in hand that is due; the shooter is called by name."""
    act = procedure.due(rules, sitting.script, _done(sitting)) if sitting.script else None
    return replace(act, by=sitting.layout.shooter) if act and act.by == SHOOTER and sitting.layout.shooter else act


def demand(rules: CrapsRules, sitting: CrapsSitting) -> Demand:
    return _due(rules, sitting) or play_demand(rules, sitting.layout)


def _due(rules: CrapsRules, sitting: CrapsSitting) -> Demand | None:
    """What is due beside the play: an act of the script in hand, else the offer of the dice."""
    wanted = _act(rules, sitting) or procedure.demand(rules, sitting.seats, sitting.layout, sitting.standing)
    nobody = not sitting.seats and not sitting.standing and not sitting.layout.shooter
    return wanted or (Over(rules.shooter.first_offer.rule) if nobody else None)


def apply(rules: CrapsRules, sitting: CrapsSitting, fact: Effect) -> CrapsSitting | Refusal:
    """An act of the script in hand, or a fact of play once there is none."""
    wanted = _act(rules, sitting)
    if isinstance(fact, Performed) and wanted and fact.act in _acts(rules, sitting.script):
        done = procedure.perform(rules, sitting.script, _done(sitting), _as_shooter(rules, sitting, fact))
        found = done if isinstance(done, Refusal) else _searched(rules, replace(sitting, done=done), fact)
        return found if isinstance(found, Refusal) else _turned(rules, found)
    overruled = irregular.as_found(sitting.layout, fact) is not sitting.layout
    thrown = irregular.thrown(fact) is not None and not overruled
    first = _due(rules, sitting)
    if first and (thrown or _of_a_throw(fact)):
        return Refusal(f"first is due: {told(first)}", first.rule, on="a throw")
    if isinstance(first, Perform) and isinstance(fact, Chosen):
        return Refusal(f"first is due: {told(first)}", first.rule, on=fact.option)
    if isinstance(first, Choose) and isinstance(fact, Chosen) and fact.by not in ("", first.by):
        return Refusal(f"the dice are offered to {first.by}, not to {fact.by}", first.rule, on=fact.option)
    laid = irregular.apply(rules, sitting.layout, fact)
    if first and isinstance(fact, Performed) and laid == out_of_turn(rules, sitting.layout, fact.act):
        return Refusal(f"out of turn: due is {told(first)}", first.rule, on=fact.act)
    if isinstance(laid, Refusal):
        return laid
    lost = max(0, laid.dice.missing - sitting.layout.dice.missing)
    return _after(replace(sitting, layout=laid, out=sitting.out + lost), fact, thrown=thrown)


def _searched(rules: CrapsRules, sitting: CrapsSitting, fact: Performed) -> CrapsSitting | Refusal:
    """After a search: what it turned up is inspected; of what it did not, so many dice are lost."""
    if fact.act != SEARCH:
        return sitting
    dice, out = sitting.layout.dice, sitting.out
    found = replace(sitting.layout, dice=replace(dice, missing=dice.missing - out))
    lost = Performed("dice_lost", fact.by, fact.detail)
    laid = found if fact.detail == FOUND else play.apply(rules, found, lost)
    if isinstance(laid, Refusal):
        return laid
    partly = laid.dice.missing < dice.missing
    done = (*sitting.done[:-1], replace(fact, detail=FOUND)) if partly else sitting.done
    return replace(sitting, layout=laid, done=done, out=0)


def _of_a_throw(fact: Effect) -> bool:
    """Whether something is said of a throw in hand: of lost dice it can be said at any time."""
    return isinstance(fact, Ruling) and fact.on.circumstance not in AT_ANY_TIME


def rule_on(rules: CrapsRules, sitting: CrapsSitting, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened to a throw in hand; one that was entered is taken back first, or called otherwise."""
    if sitting.script == THROW and it.circumstance in irregular.CIRCUMSTANCES and it.circumstance not in AT_ANY_TIME:
        return _entered(rules, sitting, it.circumstance)
    return irregular.rule_on(rules, sitting.layout, it)


def waits(rules: CrapsRules, sitting: CrapsSitting, fact: Fact) -> Refusal | None:
    """What is done and said of the next throw waits until the last one is settled (R-189)."""
    match fact:
        case Performed(act=act) if sitting.script == THROW and act in OF_A_THROW:
            return _entered(rules, sitting, act)
        case Called(call="take", on=on):
            return _unsettled(rules, sitting, on)
        case _:
            return None


def _entered(rules: CrapsRules, sitting: CrapsSitting, what: str) -> Refusal:
    first = demand(rules, sitting)
    reason = f"first is due: {told(first)}; the last throw may be taken back, or its call overruled (wrong_call)"
    return Refusal(reason, first.rule, on=what)


def rested(rules: CrapsRules, sitting: CrapsSitting, ruling: Ruling, facts: tuple[Fact, ...]) -> tuple[int, str] | None:
    """When a throw that was called void, and counts by this ruling, had come to rest: nobody wagers on it after that.

    What was taken down meanwhile stays down (R-217).
    """
    call = sitting.layout.call
    restores = ruling.on.circumstance == "wrong_call" and not irregular.is_no_roll(ruling.on)
    if not restores or call is None or call.faces:
        return None
    void = [at for at, fact in enumerate(facts) if _ended_a_throw(fact)]
    return (void[-1] + 1, rules.confirmers.rule) if void else None


def _ended_a_throw(fact: Fact) -> bool:
    if isinstance(fact, Irregular):
        return fact.circumstance != "dice_lost"
    return isinstance(fact, Performed) and fact.act == NO_ROLL


def partakes(rules: CrapsRules, sitting: CrapsSitting, fact: Fact) -> str:
    """Who takes the dice or lets them go by this."""
    if type(fact) is Chosen:
        return fact.by if fact.option == "accept_dice" else ""
    thrown = type(fact) is DiceFell or (type(fact) is Performed and fact.act == "release")
    return sitting.layout.shooter if thrown and sitting.layout.dice.where == "held" else ""


def _acts(rules: CrapsRules, script: str) -> set[str]:
    return {law.value.act for law in rules.scripts[script]}


def _as_shooter(rules: CrapsRules, sitting: CrapsSitting, fact: Performed) -> Performed:
    """The shooter acts under his own name; the script calls him `shooter`."""
    act = procedure.due(rules, sitting.script, _done(sitting))
    own = act is not None and act.by == SHOOTER and fact.by == sitting.layout.shooter
    return replace(fact, by=SHOOTER) if own else fact


def _turned(rules: CrapsRules, sitting: CrapsSitting) -> CrapsSitting:
    """A finished script is put away; that of a throw stays until the round is over."""
    finished = procedure.due(rules, sitting.script, _done(sitting)) is None and sitting.script != THROW
    return _put_away(sitting) if finished else sitting


def _put_away(sitting: CrapsSitting) -> CrapsSitting:
    """No script is in hand, unless dice are still to be looked for."""
    return replace(sitting, script=OFF if sitting.out else "", done=())


def _rested(rules: CrapsRules, sitting: CrapsSitting) -> CrapsSitting:
    """A throw that is over is not called otherwise any more: its round is corrected.

    Who left a game to the stickperson is asked again when that is decided.
    """
    layout = sitting.layout
    anew = layout.shooter == rules.shooter.nobody.value and is_come_out(rules, layout)
    rested = replace(layout, found=None, declined=() if anew else layout.declined)
    return sitting if rested == layout else replace(sitting, layout=rested)


def _after(sitting: CrapsSitting, fact: Effect, *, thrown: bool) -> CrapsSitting:
    match fact:
        case _ if thrown:
            return replace(sitting, script=THROW, done=())
        case Ruling(on=Irregular(circumstance="wrong_call")) if sitting.script == THROW:
            return sitting if sitting.layout.found else _put_away(sitting)
        case Ruling(on=Irregular(circumstance="off_table")):
            return replace(sitting, script=OFF, done=())
        case Performed(act="replace_dice"):
            return replace(sitting, script=NEW_DICE, done=(), out=0)
        case Chosen(option="accept_dice"):
            script = NEXT if sitting.shooters else FIRST
            return replace(sitting, script=script, done=(), shooters=sitting.shooters + 1)
        case _:
            return sitting if sitting.script else _put_away(sitting)


def attend(rules: CrapsRules, sitting: CrapsSitting, there: Attendance) -> CrapsSitting:
    places = {**there.seats, **there.afoot}  # Who has no place of known number comes after those who have.
    seats, out = tuple(places[place] for place in sorted(places)), frozenset(places[place] for place in there.out)
    layout, moves = sitting.layout, sitting.script != THROW
    if moves and layout.shooter == rules.shooter.nobody.value and _go_round(rules, layout, there, {*seats} - out):
        sitting = replace(sitting, layout=replace(layout, shooter="", no_taker=False))
    if out and moves and layout.dice.where == "held":
        sitting = _without(rules, sitting, out)
    return replace(sitting, seats=seats, standing=there.standing)


def _go_round(rules: CrapsRules, layout: CrapsLayout, there: Attendance, players: set[str]) -> bool:
    """Whether the dice go round again: all is determined, or a new game begins and somebody else may throw them."""
    if not there.standing:
        return True
    begins = is_come_out(rules, layout) and layout.dice.where == "held"
    needed = rules.shooter.to_begin.value
    return begins and any(w.on in needed and w.by in players - {*layout.declined} for w in there.standing)


def _without(rules: CrapsRules, sitting: CrapsSitting, out: frozenset[str]) -> CrapsSitting:
    """Who is shut out is not offered the dice; who has them gives them up, as if they were ordered on (R-215)."""
    if sitting.layout.shooter in out:
        sitting = _without_shooter(sitting, give_up(sitting.layout, rules.shooter.ordered.rule))
    layout = sitting.layout
    if layout.shooter:
        return sitting
    return replace(sitting, layout=replace(layout, declined=tuple(sorted({*layout.declined, *out}))))


def seat(rules: CrapsRules, sitting: CrapsSitting, wagers: tuple[Wager, ...]) -> CrapsSitting:
    """The sitting with these wagers placed; most leave it as it is, and then what may be backed stays as it is too."""
    layout = play.seat(rules, sitting.layout, wagers)
    return sitting if layout is sitting.layout else replace(sitting, layout=layout)


def closed(rules: CrapsRules, sitting: CrapsSitting, wager: Wager) -> Refusal | None:
    return _unsettled(rules, sitting, wager.on)


def _unsettled(rules: CrapsRules, sitting: CrapsSitting, what: str) -> Refusal | None:
    if sitting.script != THROW:
        return None
    settled = rules.scripts[THROW][-1]
    return Refusal("the last throw is not settled yet", settled.rule, on=what)


def complete(rules: CrapsRules, sitting: CrapsSitting) -> bool:
    return sitting.script == THROW and _act(rules, sitting) is None


def paid(rules: CrapsRules, sitting: CrapsSitting) -> Callable[[Wager, Resolution], bool] | None:
    """A throw is settled by the act that settles it, before the dice are passed."""
    return every if sitting.script == THROW and SETTLE in acts(sitting.done) else None


def cites(rules: CrapsRules, sitting: CrapsSitting, fact: Fact) -> str:
    match fact:
        case Performed():
            overrules = fact.act == "overrule" and fact.by in rules.overrules
            return rules.overrules[fact.by].rule if overrules else _ordered_under(rules, fact.act)
        case Called(call="take"):
            named = [wager for wager in sitting.standing if names(fact, rules, wager)]
            return taken_under(rules, named[0]) if named else rules.removal.rule
        case Called():
            return rules.calls.rule
        case Chosen(option="pass_dice"):
            return "" if isinstance(_due(rules, sitting), Choose) else rules.shooter.may_pass.rule
        case _:
            return ""


def _ordered_under(rules: CrapsRules, act: str) -> str:
    """The rule of what staff do or call of their own accord, beside the scripts."""
    match act:
        case "confirm_wager":
            return rules.confirmers.rule
        case "order_pass":
            return rules.shooter.ordered.rule
        case "no_roll":
            return rules.irregularities["improper_throw"][0].rule
        case "call":
            return rules.called.rule
        case _:
            return ""


def says(rules: CrapsRules, before: CrapsSitting, fact: Effect, after: CrapsSitting) -> tuple[Announcement, ...]:
    """The total itself, where the script only has the act of calling it."""
    call = rules.scripts[THROW][0]
    if type(fact) is Ruling and irregular.as_found(before.layout, fact) is not before.layout:
        return (Announcement(str(total(after.layout.last)) if after.layout.found else irregular.SAID, fact.rule),)
    if type(fact) is not Performed or fact.act != call.value.act or not before.layout.last:
        return ()
    return (Announcement(str(total(before.layout.last)), call.rule),)


def pays(rules: CrapsRules, on: str) -> tuple[Odds, ...]:
    """What the felt says of a wager; bets made of parts are paid as their parts."""
    bet, number = rules.bets.get(wager_kind(on)), wager_place(on)
    match bet:
        case LineBet(pays=law):
            return (law.value,)
        case OddsBet(pays=scale) | NumberBet(pays=scale) if number.isdigit() and int(number) in scale:
            return (scale[int(number)].value,)
        case NumberBet(pays=scale) | OneRollBet(pays=scale):
            return tuple(dict.fromkeys(law.value for law in scale.values()))
        case _:
            return ()


def _ambiguous(rules: CrapsRules, sitting: CrapsSitting, wager: Wager) -> bool:
    """Whether the name of a wager is that of another of the same player too."""
    call = Called("take", by=wager.by, on=wager.on)
    return sum(names(call, rules, each) for each in sitting.standing) != 1


def parts(rules: CrapsRules, sitting: CrapsSitting, call: Called) -> tuple[Wager, ...]:
    """The wagers that a call to take some down names, as far as they may come down."""
    return tuple(each for each in sitting.standing if names(call, rules, each) and can_be_taken(rules, each))


def resume(rules: CrapsRules, where: CrapsSitting | CrapsLayout, left: CrapsLayout) -> CrapsSitting | CrapsLayout:
    """The table with the point that the last valid throw truly left; who holds the dice is for `turn` to say."""
    if isinstance(where, CrapsSitting):
        return replace(where, layout=resume(rules, where.layout, left))
    return replace(where, point=left.point, last=left.last, seven_out=left.seven_out, lifted=left.lifted)


def turn(
    rules: CrapsRules, sitting: CrapsSitting, left: CrapsLayout, threw: tuple[str, str]
) -> tuple[CrapsSitting, str]:
    """The dice with whom the last valid throw truly left them, and the rule if they change hands by that (R-208).

    A seven out passes them on, if who threw it still holds them; one that was none gives them back, unless they were
    given up for another reason or are on their way again.  `threw`: whose throw counted as the last, and whose does.
    """
    (was, now), layout, law = threw, sitting.layout, rules.shooter
    if layout.dice.where != "held" or not law.must_pass.value:
        return sitting, ""
    if left.seven_out and layout.shooter and layout.shooter == now:
        return _without_shooter(sitting, give_up(layout, law.must_pass.rule)), law.must_pass.rule
    undone = layout.seven_out and not left.seven_out and layout.given_up in ("", law.must_pass.rule)
    if not undone or was == layout.shooter or was not in (*sitting.seats, law.nobody.value):
        return sitting, ""
    dice = replace(layout.dice, serving=bool(layout.dice.missing))
    back = replace(layout, shooter=was, former="", given_up="", declined=(), no_taker=False, dice=dice)
    return _without_shooter(sitting, back), law.may_pass.rule


def _without_shooter(sitting: CrapsSitting, layout: CrapsLayout) -> CrapsSitting:
    """The sitting without what was begun for a new shooter."""
    there = replace(sitting, layout=layout)
    return _put_away(there) if sitting.script in (FIRST, NEXT) else there


LIVE: Procedure[CrapsRules, CrapsLayout] = Procedure(
    begin=lambda rules: CrapsSitting(play.begin(rules, NORMAL)),
    layout=lambda rules, sitting: sitting.layout,
    demand=demand,
    apply=apply,
    attend=attend,
    seat=seat,
    lift=lambda rules, sitting: sitting,
    closed=closed,
    complete=complete,
    next_round=lambda rules, sitting: _put_away(_rested(rules, sitting)),
    abandon=lambda rules, sitting: _put_away(_rested(rules, sitting)),
    resume=resume,
    turn=turn,
    seats=lambda rules: None,
    equipment=procedure.EQUIPMENT,
    unpredictable=lambda rules: rules.dice.unpredictable,
    pays=pays,
    says=says,
    rule_on=rule_on,
    waits=waits,
    partakes=partakes,
    overrules=lambda rules: rules.overrules,
    rested=rested,
    paid=paid,
    cites=cites,
    unpayable=placing.not_in_units,
    confirms=lambda rules, call: rules.marked_by if call.call == "on" else None,
    taken=lambda rules, sitting, wager: f"#{wager.number}" if _ambiguous(rules, sitting, wager) else wager.on,
    parts=parts,
    usual=lambda rules, sitting, act, card: (str(sitting.out) if sitting.out else FOUND) if act == SEARCH else "",
)
