"""The round: facts of the game told at the table, what they do to wagers, and the end of a round.

A fact is read in the light of what is due and let happen; if the game refuses it nothing changes and the refusal names
what was due.  What follows from a fact is told with it: stakes that a choice put down, a ruling, what the dealer says.
Wagers are settled when the round is complete and its payments are made; a wager that its bettor called down, at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from croupier.equipment import card_name
from croupier.game import (
    Called,
    CardSeen,
    Chosen,
    Demand,
    Fact,
    Irregular,
    Performed,
    Refusal,
    Remedy,
    Wager,
    say,
)
from croupier.notation import BadInput, read_fact, write_fact
from croupier.round import AnyRound, Entry, happen, ruling_on
from croupier.table.accounts import chips_of, moves, owed_by
from croupier.table.commands import CollectCommission, DeferCommission, Overrule, Request, TakeBack, Tell
from croupier.table.events import (
    Announced,
    CommissionCollected,
    CommissionDeferred,
    Events,
    FactTakenBack,
    Happened,
    RoundEnded,
    Ruled,
    RulingOverruled,
    StakeAdded,
    Transfer,
)
from croupier.table.general import INSPECTOR, LADDER, PLAYER, in_force
from croupier.table.linked import claimed, told_on, unreleased
from croupier.table.people import unknown
from croupier.table.settling import put_back, put_down, settled
from croupier.table.slips import held_up, unrecognised, without
from croupier.table.state import Table, standing_now
from croupier.table.wagers import called_down, within_differential


def tell(table: Table, request: Request, command: Tell) -> Events | Refusal:
    due = table.due
    try:
        fact = read_fact(command.fact, due)
    except BadInput as error:
        return Refusal(str(error), due.rule)
    if request.role == PLAYER:
        fact = _own(table, request.by, fact)
    refusal = _may_tell(table, request, fact) or _owing(table, fact) or held_up(table, fact) or _impossible(table, fact)
    refusal = refusal or unreleased(table, fact)
    return refusal or happened(table, fact, due)


NEW_SHOE = ("mix again", "remove cards")
END_OF_SHOE = "end of shoe"


def _owing(table: Table, fact: Fact) -> Refusal | None:
    """Deferred commission is collected before the next shoe begins."""
    law = table.general.money.deferral_ends
    if not in_force(law) or law.value != END_OF_SHOE or not isinstance(fact, Performed) or fact.act not in NEW_SHOE:
        return None
    owing = [name for name, there in table.players.items() if there.deferring and table.balances.get(owed_by(name), 0)]
    return Refusal(f"{', '.join(owing)} must pay the deferred commission first", law.rule) if owing else None


def happened(table: Table, fact: Fact, due: Demand) -> Events | Refusal:
    """Everything that follows from a fact, in the order in which it is written down."""
    before, after = happening(table, fact)
    if isinstance(after, Refusal):
        return after
    closes = _closes(table, before, after)
    back = unrecognised(table) if closes else ()
    if back:
        table = without(table, back)
        before, after = happening(table, fact)
        if isinstance(after, Refusal):
            return after
    trimmed = within_differential(table) if closes else ()
    added = _added(table, before, after)
    if isinstance(added, Refusal):
        return added
    told = Happened(fact=write_fact(fact), due=say(due), rule=_rule(before, fact, due))
    rest = called_down(before.book, after.book, fact, told.rule)
    return (
        *back, *trimmed, told, *_said(table, before, fact, after, told.rule), *_ruled(table, before, fact), *added,
        *rest, *claimed(table, after), *_settled(table, before, after, fact),
    )  # fmt: skip


Happening: TypeAlias = tuple[AnyRound, AnyRound | Refusal]
_LAST: list[tuple[Table, Fact, Happening]] = []


def happening(table: Table, fact: Fact) -> Happening:
    """The round before and after a fact.

    Deciding and evolving ask this in turn of the same table, so the last answer is kept; it depends on nothing else.
    """
    for asked, told, answer in _LAST[:1]:
        if asked is table and told == fact:
            return answer
    before, _ = standing_now(table)
    answer = (before, happen(before, fact))
    _LAST[:] = [(table, fact, answer)]
    return answer


def _rule(before: AnyRound, fact: Fact, due: Demand) -> str:
    ruling = ruling_on(before, fact)
    return ruling.rule if ruling else due.rule


def _closes(table: Table, before: AnyRound, after: AnyRound) -> bool:
    """Whether this fact is the one with which betting closes, at a table with a differential or with terminals."""
    if table.sign.differential is None and not table.terminals:
        return False
    rules, any_wager = table.ruleset.rules, Wager(table.game.wagers(table.ruleset.rules)[0], 1)
    closed = table.procedure.closed
    return closed(rules, before.state, any_wager) is None and closed(rules, after.state, any_wager) is not None


def _said(table: Table, before: AnyRound, fact: Fact, after: AnyRound, rule: str) -> Events:
    """What the dealer says: what the game has to tell, else the call that an act is; the call of a ruling."""
    told = table.procedure.says(table.ruleset.rules, before.state, fact, after.state)
    texts: list[tuple[str, str]] = []
    match fact:
        case Performed(act=act) if act.startswith("call ") and act[5:6].isupper() and not told:
            # A call for bets is named after what is done; the law has no words for it, and none are put in a mouth.
            texts.append((act.removeprefix("call "), rule))
        case Performed(act="announce", detail=detail):
            texts.append((str(detail), rule))
        case Irregular() if (ruling := ruling_on(before, fact)) and ruling.call:
            texts.append((ruling.call, ruling.rule))
        case _:
            pass
    return tuple(Announced(text=text, rule=cited) for text, cited in (*texts, *told))


def _ruled(table: Table, before: AnyRound, fact: Fact) -> Events:
    ruling = ruling_on(before, fact)
    if ruling is None or not isinstance(fact, Irregular):
        return ()
    return (
        Ruled(
            ruling=len(table.rulings),
            circumstance=fact.circumstance,
            remedy=ruling.remedy.value,
            official=ruling.by,
            call=ruling.call,
            next_hand=ruling.next.hand,
            rule=ruling.rule,
        ),
    )


def _added(table: Table, before: AnyRound, after: AnyRound) -> Events | Refusal:
    """The stakes that a fact put down, if their owners have the chips."""
    if after.numbered == before.numbered:
        return ()
    new = [entry.wager for entry in after.book if entry.wager.number >= before.numbered]
    spent: dict[str, int] = {}
    rule = table.general.money.wagers_in_chips.rule
    for wager in new:
        spent[wager.by] = spent.get(wager.by, 0) + wager.stake_cents + wager.voided_cents + wager.fee_cents
        if spent[wager.by] > table.chips(wager.by):
            return Refusal(f"{wager.by} has {table.chips(wager.by)} cents in chips, not {spent[wager.by]}", rule)
    return tuple(_stake(wager, rule) for wager in new)


def _stake(wager: Wager, rule: str) -> StakeAdded:
    stake = wager.stake_cents + wager.voided_cents
    return StakeAdded(
        number=wager.number, player=wager.by, on=wager.on, stake=stake, of=wager.of, rule=rule,
        transfers=put_down(wager, rule),
    )  # fmt: skip


def _settled(table: Table, before: AnyRound, after: AnyRound, fact: Fact) -> Events:
    complete, rules = table.procedure.complete, table.ruleset.rules
    if complete(rules, after.state) and not complete(rules, before.state):
        outcome = dict(before.game.outcome(rules, after.state))
        rule = before.due.rule if not isinstance(fact, Irregular) else after.due.rule
        return (
            *(settled(table, entry) for entry in after.book if entry.resolution is not None),
            RoundEnded(round=table.number, outcome=outcome, rule=rule),
        )
    if isinstance(fact, Called):
        was = {entry.wager.number for entry in before.book if entry.resolution is None}
        decided = (entry for entry in after.book if entry.resolution is not None)
        return tuple(settled(table, entry, apart=True) for entry in decided if entry.wager.number in was)
    return ()


# ---------------------------------------------------------------- who may say so


def _own(table: Table, player: str, fact: Fact) -> Fact:
    """A fact under the name by which the game knows the player who tells it."""
    there = table.players.get(player)
    by_seat = there is not None and there.seat and table.procedure.voice == "seat"
    name = f"seat {there.seat}" if there is not None and by_seat else player
    own = isinstance(fact, Chosen | Called | Performed) and fact.by in ("", player)
    return replace(fact, by=name) if own and isinstance(fact, Chosen | Called | Performed) else fact


def _may_tell(table: Table, request: Request, fact: Fact) -> Refusal | None:
    """A player speaks for himself; staff record what happened; an official's order needs that official or one above."""
    by = fact.by if isinstance(fact, Chosen | Called | Performed | Irregular) else ""
    if request.role == PLAYER:
        there = table.players.get(request.by)
        names = {request.by, f"seat {there.seat}" if there else ""}
        if isinstance(fact, Chosen | Called | Performed) and by in names:
            return unknown(table, request.by)
        return Refusal(f"{request.by} may decide for himself only", table.general.dealer.rule)
    if by in LADDER[1:] and request.role not in LADDER[LADDER.index(by) :]:
        return Refusal(
            f"an order of the {by} is given by the {by} or above, not by the {request.role}", _by_rule(table, by)
        )
    if by == INSPECTOR and request.role != INSPECTOR:
        return Refusal(f"an inspector speaks for himself, not the {request.role}", table.general.inspector.rule)
    if request.role == INSPECTOR and by != INSPECTOR:
        return Refusal("an inspector does not run the game", table.general.inspector.rule)
    return None


def _by_rule(table: Table, role: str) -> str:
    supervisors = {LADDER[1]: table.general.supervisor.rule}
    return supervisors.get(role, table.general.senior.rule)


def _impossible(table: Table, fact: Fact) -> Refusal | None:
    """More cards of one kind in a round than the packs hold."""
    law, decks = table.general.deck, table.game.decks(table.ruleset.rules)
    if not isinstance(fact, CardSeen) or not decks:
        return None
    seen = sum(step.fact == fact for step in table.steps)
    if seen < decks or sum(step.fact == fact for step in table.steps[_taken_back(table) :]) < decks:
        return None
    rule = law.rule if in_force(law) else table.due.rule
    return Refusal(f"{card_name(fact.card)} has come {seen} times already: there are {decks} packs", rule)


def _taken_back(table: Table) -> int:
    """The first step after the cards of this round were last taken back, to be mixed and dealt again."""
    for number in range(len(table.steps), 0, -1):
        ruling = ruling_on(table.steps[number - 1].before, table.steps[number - 1].fact)
        if ruling and ruling.remedy in (Remedy.REDEAL, Remedy.RESTART):
            return number
    return 0


# ---------------------------------------------------------------- taking back, overruling


def take_back(table: Table, request: Request, command: TakeBack) -> Events | Refusal:
    """The last fact of this round is undone, with the stakes it put down, unless wagers were placed on top of it."""
    rule = table.due.rule
    if not table.steps:
        return Refusal("no fact of this round can be taken back", rule)
    if (told := told_on(table)) is not None:
        return told
    last = table.steps[-1]
    if any(at >= len(table.steps) for at, _ in table.placed):
        return Refusal("a wager was placed since the last fact", rule)
    new = [entry.wager for entry in table.round.book if entry.wager.number >= last.before.numbered]
    if any(line.wager.number not in _numbers(table.round.book) for line in table.settled):
        return Refusal("the last fact settled a wager: correct the round instead", rule)
    if _numbers(last.before.book) - _numbers(table.round.book):
        return Refusal("a wager was taken back since the last fact", rule)
    if any(number < last.before.numbered for number in _numbers(table.round.book) - _numbers(last.before.book)):
        return Refusal("a correction brought a wager back since the last fact", rule)
    back = tuple(move for wager in new for move in put_back(wager, rule))
    return (
        FactTakenBack(fact=write_fact(last.fact), reason=command.reason, rule=last.before.due.rule, transfers=back),
    )


def _numbers(book: tuple[Entry, ...]) -> set[int]:
    return {entry.wager.number for entry in book}


def overrule(table: Table, request: Request, command: Overrule) -> Events | Refusal:
    """A call on a ruling is replaced by an official above the one whose call is in force; the rest is played again."""
    if not 0 <= command.ruling < len(table.rulings):
        return Refusal(f"no ruling {command.ruling} in this round", table.general.trouble.disputes.rule)
    ruling = table.rulings[command.ruling]
    if request.role != INSPECTOR and LADDER.index(request.role) <= _height(ruling.level):
        return Refusal(f"a call of the {ruling.level} is overruled from above", ruling.rule)
    again = played_again(table, ruling.step, command.call, request.role)
    if isinstance(again, Refusal):
        return again
    if _staked(again) != _staked(table.round):
        return Refusal("wagers have changed since the ruling: correct the round instead", ruling.rule)
    told = RulingOverruled(ruling=command.ruling, call=command.call, rule=ruling.rule)
    return (told, *claimed(table, again), *_settled(table, table.round, again, table.steps[ruling.step].fact))


def _staked(this: AnyRound) -> dict[int, int]:
    """What is pending on each line of the book."""
    return {entry.wager.number: entry.wager.stake_cents + entry.wager.voided_cents for entry in this.book}


def _height(role: str) -> int:
    return LADDER.index(role) if role in LADDER else 0


def played_again(table: Table, step: int, call: str, by: str) -> AnyRound | Refusal:
    """The round with another call at one step, and every later fact after it."""
    this = table.steps[step].before
    for index, taken in enumerate(table.steps[step:], step):
        fact = (
            replace(taken.fact, call=call, by=by) if index == step and isinstance(taken.fact, Irregular) else taken.fact
        )
        after = happen(this, fact)
        if isinstance(after, Refusal):
            return after
        this = after
    return this


# ---------------------------------------------------------------- deferred commission


def defer(table: Table, request: Request, command: DeferCommission) -> Events | Refusal:
    money = table.general.money
    if not in_force(money.deferral):
        return Refusal("commission is taken from the winnings here", money.wagers_in_chips.rule)
    missing = unknown(table, command.player)
    if missing:
        return missing
    if money.deferral.value == "seated" and not table.players[command.player].seat:
        return Refusal(f"{command.player} is not seated: commission is paid with each win", money.deferral.rule)
    marked = money.deferral_marked
    rule = marked.rule if in_force(marked) else money.deferral.rule
    return (CommissionDeferred(player=command.player, deferred=command.deferred, rule=rule),)


def collect(table: Table, request: Request, command: CollectCommission) -> Events | Refusal:
    money, owed = table.general.money, -table.balances.get(owed_by(command.player), 0)
    grounds = {
        END_OF_SHOE: money.deferral_ends,
        "on request": money.deferral_on_request,
        "on leaving": money.deferral_on_leaving,
        "by management": money.deferral_by_management,
    }
    law = grounds[command.ground]
    if not in_force(law) or not in_force(money.deferral):
        return Refusal("nothing is deferred under this law", money.wagers_in_chips.rule)
    by = money.deferral_by_management
    if command.ground == "by management" and in_force(by) and request.role not in by.value:
        return Refusal("by order of management only", law.rule)
    if command.ground == END_OF_SHOE and law.value != END_OF_SHOE:
        return Refusal(f"commission is settled at the {law.value}", law.rule)
    if owed <= 0:
        return Refusal(f"{command.player} owes nothing", law.rule)
    if owed > table.chips(command.player):
        return Refusal(f"{command.player} has {table.chips(command.player)} cents, owes {owed}", law.rule)
    move = moves(Transfer(chips_of(command.player), owed_by(command.player), owed, law.rule))
    return (CommissionCollected(player=command.player, amount=owed, rule=law.rule, transfers=move),)
