"""The round: facts of the game told at the table, what they do to wagers, and the end of a round.

A fact is read in the light of what is due and let happen; if the game refuses it nothing changes and the refusal names
what was due.  What follows from a fact is told with it: stakes that a choice put down, a ruling, what the dealer says.
When wagers are paid and taken is told in `paying.py`.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.equipment import card_name
from croupier.errors import BadInput
from croupier.game import (
    Announcement,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    Effect,
    Fact,
    Irregular,
    Perform,
    Performed,
    Refusal,
    Remedy,
    Ruling,
    Wager,
    say,
    told,
)
from croupier.game.kinds import AS_DETAILED
from croupier.journal.accounts import COMMISSION, chips_of, moves, owed_by
from croupier.journal.messages import Transfer
from croupier.law.general import in_force
from croupier.law.officials import INSPECTOR, LADDER, acting
from croupier.money import dollars, floor_to_chips
from croupier.notation import read_fact, write_fact
from croupier.once import replace
from croupier.round import AnyRound, BookLine, happen
from croupier.table.betting.offers import betting
from croupier.table.betting.wagers import not_in_chips
from croupier.table.betting.ways import known_already
from croupier.table.commands import (
    CollectCommission,
    ConfirmOrder,
    DeferCommission,
    Leave,
    Overrule,
    TableRequest,
    TakeBack,
    Tell,
    WithdrawWager,
)
from croupier.table.events import (
    Announced,
    CommissionCollected,
    CommissionDeferred,
    Events,
    FactTakenBack,
    Happened,
    Ruled,
    RulingOverruled,
    StakeAdded,
    WagerWithdrawn,
)
from croupier.table.linked import claimed, unreleased, why_final
from croupier.table.money.paying import payments, reopened
from croupier.table.money.reducing import REDUCE, at_closing, called_down, within_differential
from croupier.table.money.settling import overdue, put_back, put_down, settled
from croupier.table.orders import authored, awaited, confirming, not_apart, out_of_turn
from croupier.table.people import barred, unknown, unsaid
from croupier.table.state import RoundStep, Table, reveals
from croupier.table.terminals.slips import held_up, unrecognised, without
from croupier.table.terminals.touches import leave_or_free, withdraw_or_lift


def tell(table: Table, request: TableRequest, command: Tell) -> Events | Refusal:
    due = table.due
    try:
        fact = read_fact(command.fact, due)
    except BadInput as error:
        return Refusal(str(error), due.rule)
    order = authored(table, request, fact)
    if isinstance(order, Refusal):
        return order
    fact = order.fact
    refusal = (
        out_of_turn(table, fact)
        or table.procedure.waits(table.ruleset.rules, table.attended.state, fact)
        or _shut_out(table, fact, due)
        or _owing(table, fact)
        or (held_up(table, fact) if table.terminals else None)
        or (_impossible(table, fact) if type(fact) is CardSeen else None)
        or (unreleased(table, fact) if table.linkage.link else None)
        or (None if order.official else not_apart(table, request, fact))
    )
    if refusal:
        return refusal
    return awaited(table, request, order) if order.official else happened(table, fact, due)


def _shut_out(table: Table, fact: Fact, due: Demand) -> Refusal | None:
    """Whoever is excluded does nothing in the game, whoever tells it; what was asked of them may be declined.

    Their wagers, if nobody has made them void, are played out: choices that must be made are told as ever.
    """
    who = table.procedure.partakes(table.ruleset.rules, table.attended.state, fact)
    if not who and table.excluded and isinstance(fact, Performed | Chosen) and not _may_end(fact, due):
        there = {f"seat {seat}": name for seat, name in table.seats.items()}
        name = there.get(fact.by, fact.by)
        who = name if name in table.players else ""
    return barred(table, who) if who else None


def _may_end(fact: Performed | Chosen, due: Demand) -> bool:
    """Whether an answer is one that somebody must give, or the one that wants nothing."""
    declining = due.declining if isinstance(due, Choose) else ""
    return isinstance(fact, Chosen) and declining in ("", fact.option)


def confirm(table: Table, request: TableRequest, command: ConfirmOrder) -> Events | Refusal:
    """An order that waited is given by its official: the fact happens, in that official's name."""
    confirmed = confirming(table, request, command)
    if isinstance(confirmed, Refusal):
        return confirmed
    done = tell(table, request, confirmed.what)
    return done if isinstance(done, Refusal) else (confirmed.given, *done)


def leave(table: Table, request: TableRequest, command: Leave) -> Events | Refusal:
    """A player leaves; what he holds of the game he gives up with it."""
    left = leave_or_free(table, request, command)
    here, this = table.players.get(command.player), table.attended
    act = table.procedure.gives_up(this.rules, this.state, here.seat) if here and here.seat else None
    if isinstance(left, Refusal) or act is None:
        return left
    done = happened(table, act, table.due)
    return left if isinstance(done, Refusal) else (*done, *left)


NEW_SHOE = ("mix again", "renew")
END_OF_SHOE = "end of shoe"


def _owing(table: Table, fact: Fact) -> Refusal | None:
    """Deferred commission is collected before the next shoe begins."""
    law = table.general.money.deferral_ends
    if not in_force(law) or law.value != END_OF_SHOE or not isinstance(fact, Performed):
        return None
    return overdue(table) if table.game.kind(table.ruleset.rules, fact.act).verb in NEW_SHOE else None


def _trimmed(table: Table, fact: Fact, *, closes: bool) -> Events | Refusal:
    """What the differential does to wagers: at the close of betting, and when the dealer reduces them."""
    if not isinstance(fact, Performed) or fact.act != REDUCE:
        return at_closing(table) if closes else ()
    rule = table.procedure.cites(table.ruleset.rules, table.round.state, fact) or table.general.limits.set.rule
    return within_differential(table, table.sign) or Refusal("no wager is beyond it", rule, on=fact.act)


def happened(table: Table, fact: Fact, due: Demand) -> Events | Refusal:
    """Everything that follows from a fact, in the order in which it is written down."""
    now = table.happening(fact)
    if isinstance(now.after, Refusal):
        return now.after
    closes = _closes(table, fact, now.before, now.after)
    if type(due) is Choose and type(fact) is Performed and _shuts(table, now.before, now.after):
        # Somebody who bets is asked before the betting closes, and closing it is no answer.
        return Refusal(f"first is due: {told(due)}", due.rule, on=fact.act)
    back = unrecognised(table) if closes else _made_too_late(table, now.effect)
    if back:
        table = without(table, back)
        now = table.happening(fact)
    before, effect, after = now.before, now.effect, now.after
    if isinstance(effect, Refusal):
        return effect
    if isinstance(after, Refusal):
        return after
    ruling = effect if type(effect) is Ruling else None
    trimmed = _trimmed(table, fact, closes=closes) if closes or type(fact) is Performed else ()
    if isinstance(trimmed, Refusal):
        return trimmed
    cited = ruling.rule if ruling else table.procedure.cites(before.rules, before.state, fact) or due.rule
    added = _added(table, before, after, cited) if after.numbered != before.numbered else ()
    if isinstance(added, Refusal):
        return added
    to = due.to if type(due) is Deal and type(fact) is CardSeen else ""
    event = Happened(fact=write_fact(fact), due=say(due), to=to, rule=cited)
    rest = called_down(table, after.book, cited) if type(fact) is Called else ()
    if isinstance(rest, Refusal):
        return rest
    on_ruling = _ruled(table, ruling) if ruling else ()
    on_pool = claimed(table, after) if table.linkage.link or table.sign.jackpot is not None else ()
    return (
        *back, *trimmed, event, *_said(table, before, effect, after, cited), *on_ruling, *added,
        *rest, *on_pool, *payments(table, before, after, fact=fact, rule=cited),
    )  # fmt: skip


def _made_too_late(table: Table, effect: Effect | Refusal) -> Events:
    """Wagers that were made when the dice had come to rest, of a throw that was void and counts after all, go back."""
    if type(effect) is not Ruling:
        return ()
    facts = tuple(step.fact for step in table.steps)
    rested = table.procedure.rested(table.ruleset.rules, table.attended.state, effect, facts)
    if rested is None:
        return ()
    later = {wager.number for at, wager in table.placed if at >= rested[0]}
    return tuple(
        WagerWithdrawn(number=wager.number, rule=rested[1], transfers=put_back(wager, rested[1]))
        for wager in table.round.standing
        if wager.number in later
    )


def _closes(table: Table, fact: Fact, before: AnyRound, after: AnyRound) -> bool:
    """Whether this fact is the one with which betting closes, at a table with a differential or with terminals.

    It closes once more with the card that ends a leave to change wagers.
    """
    if table.sign.differential is not None and isinstance(fact, CardSeen) and _ends_leave(table, before, after):
        return True
    return bool(table.sign.differential is not None or table.terminals) and _shuts(table, before, after)


def _ends_leave(table: Table, before: AnyRound, after: AnyRound) -> bool:
    """Whether wagers could be placed although betting had been called closed, and cannot after this card."""
    rules, any_wager, procedure = table.ruleset.rules, _any_wager(table), table.procedure
    open_before = procedure.closed(rules, before.state, any_wager) or procedure.late(rules, before.state, any_wager)
    return open_before is None and procedure.late(rules, after.state, any_wager) is not None


def _any_wager(table: Table) -> Wager:
    return Wager(table.game.wagers(table.ruleset.rules)[0], 1)


def _shuts(table: Table, before: AnyRound, after: AnyRound) -> bool:
    """Whether wagers could be placed before this, and cannot after it."""
    rules, any_wager, closed = table.ruleset.rules, _any_wager(table), table.procedure.closed
    return closed(rules, before.state, any_wager) is None and closed(rules, after.state, any_wager) is not None


def _said(table: Table, before: AnyRound, fact: Effect, after: AnyRound, rule: str) -> Events:
    """What the dealer says: what the game has to tell, else the call that an act is; the call of a ruling."""
    calls = table.procedure.says(table.ruleset.rules, before.state, fact, after.state)
    if type(fact) is Performed:
        kind = table.game.kind(table.ruleset.rules, fact.act)
        if kind.verb == "call" and kind.of and not calls:
            # Where the law has no words for a call, none are put in a mouth.
            calls = (Announcement(kind.of, rule),)
        elif kind == AS_DETAILED:
            calls = (Announcement(str(fact.detail), rule), *calls)
    elif type(fact) is Ruling and fact.call:
        calls = (Announcement(fact.call, fact.rule), *calls)
    return tuple([Announced(text=each.text, rule=each.rule) for each in calls]) if calls else ()


def _ruled(table: Table, ruling: Ruling) -> Events:
    return (
        Ruled(
            ruling=len(table.rulings),
            circumstance=ruling.on.circumstance,
            remedy=ruling.remedy.value,
            official=ruling.on.by or ruling.by,
            call=ruling.call,
            next_hand=ruling.next.hand,
            rule=ruling.rule,
        ),
    )


def _added(table: Table, before: AnyRound, after: AnyRound, cited: str) -> Events | Refusal:
    """The stakes that a fact put down, if they can be made in chips, and their owners have those and may play."""
    new = [entry.wager for entry in after.book if entry.wager.number >= before.numbered]
    spent: dict[str, int] = {}
    rule = table.general.money.wagers_in_chips.rule
    for wager in new:
        refusal = not_in_chips(table, wager.stake_cents + wager.voided_cents) or barred(table, wager.by)
        if refusal:
            return refusal
        spent[wager.by] = spent.get(wager.by, 0) + wager.stake_cents + wager.voided_cents + wager.fee_cents
        if spent[wager.by] > table.chips(wager.by):
            have, wanted = dollars(table.chips(wager.by)), dollars(spent[wager.by])
            return Refusal(f"{wager.by} has {have} in chips, not {wanted}", rule)
    return tuple(_stake(wager, cited) for wager in new)


def _stake(wager: Wager, rule: str) -> StakeAdded:
    stake = wager.stake_cents + wager.voided_cents
    return StakeAdded(
        number=wager.number, player=wager.by, on=wager.on, stake=stake, of=wager.of, rule=rule,
        transfers=put_down(wager, rule),
    )  # fmt: skip


# ---------------------------------------------------------------- what cannot be


def _impossible(table: Table, fact: CardSeen) -> Refusal | None:
    """More cards of one kind in a round than the packs hold."""
    law, decks = table.general.deck, table.game.decks(table.ruleset.rules)
    if not decks:
        return None
    facts = [step.fact for step in table.steps]
    seen = facts.count(fact)
    if seen < decks or facts[_taken_back(table) :].count(fact) < decks:
        return None
    rule = law.rule if in_force(law) else table.due.rule
    return Refusal(f"{card_name(fact.card)} has come {seen} times already: there are {decks} packs", rule)


def _taken_back(table: Table) -> int:
    """The first step after the cards of this round were last taken back, to be mixed and dealt again."""
    for number in range(len(table.steps), 0, -1):
        ruling = table.steps[number - 1].ruling
        if ruling and ruling.remedy in (Remedy.REDEAL, Remedy.RESTART):
            return number
    return 0


# ---------------------------------------------------------------- taking down, taking back, overruling


def take_down(table: Table, request: TableRequest, command: WithdrawWager) -> Events | Refusal:
    """A wager taken back before it is in play; where the game, or an official, lets it come down later, called down."""
    entry, taken, this = table.line(command.number), table.procedure.taken, table.attended
    own = taken is not None and entry is not None and entry.wager.by == command.player
    named = taken(this.rules, this.state, entry.wager) if own and taken and entry else ""
    if not named:
        return withdraw_or_lift(table, request, command)
    call = Called("take", by=command.player, on=named)
    return (
        known_already(table) or table.procedure.waits(this.rules, this.state, call) or happened(table, call, table.due)
    )


def take_back(table: Table, request: TableRequest, command: TakeBack) -> Events | Refusal:
    """The last fact of this round is undone, with the stakes it put down, unless wagers were placed on top of it."""
    rule = table.due.rule
    if not table.steps:
        return Refusal("no fact of this round can be taken back", rule)
    if (refusal := unsaid(command.reason, rule) or why_final(table)) is not None:
        return refusal
    last = table.steps[-1]
    by = last.fact.by if isinstance(last.fact, Performed | Irregular) else ""
    if request.role not in (acting(by) or (request.role,)):
        return Refusal(f"an order of the {by} is taken back by the {by} or above, not by the {request.role}", rule)
    if any(at >= len(table.steps) for at, _ in table.placed):
        return Refusal("a wager was placed since the last fact", rule)
    if table.uncovered and not reveals(last.fact) and (refusal := _reopens(table)):
        return refusal
    new = [entry.wager for entry in table.round.book if entry.wager.number >= last.before.numbered]
    if any(line.apart for line in table.settled):
        return Refusal("a wager of this round was settled apart from it: correct the round instead", rule)
    was, now = _staked(last.before), _staked(table.round)
    if any(now.get(number) != stake for number, stake in was.items()):
        return Refusal("a wager was taken back since the last fact, or part of it", rule)
    if any(number < last.before.numbered for number in _numbers(table.round.book) - _numbers(last.before.book)):
        return Refusal("a correction brought a wager back since the last fact", rule)
    back = tuple(move for wager in new for move in put_back(wager, rule))
    undo = FactTakenBack(fact=write_fact(last.fact), reason=command.reason, rule=last.before.due.rule, transfers=back)
    undone = tuple(line for line in table.settled if line not in last.settled)
    again = {line.wager.number for line in last.settled if line not in table.settled}
    settled_again = (settled(table, entry) for entry in last.before.book if entry.wager.number in again)
    return (*reopened(table, undone, rule), undo, *settled_again)


def _reopens(table: Table) -> Refusal | None:
    """Why betting is not open again by this: somebody may have seen what chance gave."""
    # Until that is told again betting is closed to all; asked is what the ceremony alone would close and open.
    lies, last = changed(table, uncovered=False), table.steps[-1]
    why = betting(lies).why
    if why is None or betting(changed(lies, round=last.before, steps=table.steps[:-1])).why is not None:
        return None
    return Refusal("what came was told before it was taken back: betting stays closed in this round", why.rule)


def _numbers(book: tuple[BookLine, ...]) -> set[int]:
    return {entry.wager.number for entry in book}


def overrule(table: Table, request: TableRequest, command: Overrule) -> Events | Refusal:
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
    fact = table.steps[ruling.step].fact
    overruled = RulingOverruled(ruling=command.ruling, call=command.call, rule=ruling.rule)
    return (overruled, *claimed(table, again), *payments(table, table.round, again, fact=fact, rule=ruling.rule))


def _staked(this: AnyRound) -> dict[int, int]:
    """What is pending on each line of the book."""
    return {entry.wager.number: entry.wager.stake_cents + entry.wager.voided_cents for entry in this.book}


def _height(role: str) -> int:
    return LADDER.index(role) if role in LADDER else 0


def played_again(table: Table, step: int, call: str, by: str) -> AnyRound | Refusal:
    """The round with another call at one step, and every later fact after it; what the old call made due is undone."""
    this, old = table.steps[step].before, table.steps[step].ruling
    for index, taken in enumerate(table.steps[step:], step):
        fact = (
            replace(taken.fact, call=call, by=by) if index == step and isinstance(taken.fact, Irregular) else taken.fact
        )
        after = happen(this, fact)
        if isinstance(after, Refusal) and index > step and old and _was_due_under(taken, old.rule):
            continue
        if isinstance(after, Refusal):
            return after
        this = after
    return this


def _was_due_under(taken: RoundStep, rule: str) -> bool:
    """Whether an act was done because a ruling under this rule had made it due."""
    fact, due = taken.fact, taken.before.due
    done = isinstance(fact, Performed) and isinstance(due, Perform) and due.act == fact.act
    return done and due.rule == rule


# ---------------------------------------------------------------- deferred commission


def defer(table: Table, request: TableRequest, command: DeferCommission) -> Events | Refusal:
    money = table.general.money
    if not in_force(money.deferral):
        return Refusal("commission is taken from the winnings here", money.wagers_in_chips.rule)
    missing = unknown(table, command.player)
    if missing:
        return missing
    if money.deferral.value == "seated" and not table.players[command.player].seat:
        return Refusal(f"{command.player} is not seated: commission is paid with each win", money.deferral.rule)
    if command.beyond_shoe:
        return _let_stand(table, request, command)
    marked = money.deferral_marked
    rule = marked.rule if in_force(marked) else money.deferral.rule
    return (CommissionDeferred(player=command.player, deferred=command.deferred, rule=rule),)


def _let_stand(table: Table, request: TableRequest, command: DeferCommission) -> Events | Refusal:
    """Management lets what is owed now stay owed when the shoe ends (R-111)."""
    law, owed = table.general.money.deferral_by_management, -table.balances.get(owed_by(command.player), 0)
    if not in_force(law):
        return Refusal("commission is settled with the shoe", table.general.money.wagers_in_chips.rule)
    if request.role not in law.value:
        return Refusal("by order of management only", law.rule)
    if owed <= 0:
        return Refusal(f"{command.player} owes nothing", law.rule)
    deferring = table.players[command.player].deferring
    return (CommissionDeferred(player=command.player, deferred=deferring, let_stand=owed, rule=law.rule),)


def collect(table: Table, request: TableRequest, command: CollectCommission) -> Events | Refusal:
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
    # It is paid in chips: the part of a chip that several wins left owing goes the player's way, as in a payment.
    paid, debt = floor_to_chips(owed, table.sign.chip), owed_by(command.player)
    if paid > table.chips(command.player):
        return Refusal(f"{command.player} has {dollars(table.chips(command.player))}, owes {dollars(owed)}", law.rule)
    move = moves(
        Transfer(chips_of(command.player), debt, paid, law.rule), Transfer(COMMISSION, debt, owed - paid, law.rule)
    )
    return (CommissionCollected(player=command.player, amount=paid, rule=law.rule, transfers=move),)
