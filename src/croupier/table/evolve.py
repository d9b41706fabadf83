"""Evolving: the table after an event.

Money moves by the event's transfers alone, whatever the event is.  What else an event does is one function each.  The
facts of a round are let happen again, by the same code that decided them, so that a replayed journal ends in the same
table.  An event that the table cannot have had raises `BadJournal`: a journal is true or it is nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace as changed

from croupier.game import NORMAL, Called, Fact, Perform, Performed, Refusal, Sign, Void, Wager, say
from croupier.journal.accounts import moved
from croupier.journal.entries import BadJournal, missing
from croupier.journal.messages import Event
from croupier.law.officials import DEALER
from croupier.notation import read_fact
from croupier.once import like, replace
from croupier.round import BookLine, with_line, with_state, without
from croupier.table import events as e
from croupier.table.chance import shoe_fixed
from croupier.table.commands import TableRequest
from croupier.table.events import AnyEvent, Events
from croupier.table.limits import tightened
from croupier.table.linked import jackpot_claimed, pool_shown
from croupier.table.rounds import played_again
from croupier.table.state import (
    Awaited,
    Dispute,
    Exclusion,
    HouseChoices,
    Player,
    Record,
    RoundStep,
    RulingMade,
    SettledWager,
    Table,
    reveals,
    with_player,
)
from croupier.table.terminals.changes import TERMINAL_CHANGES
from croupier.table.trouble.anew import corrected, played_anew
from croupier.table.trouble.correcting import NoOutcome, goes_on_from, thrower
from croupier.table.trouble.devices import device_found, sanctioned
from croupier.table.trouble.disputes import dispute_decided, paid_otherwise, recovered, review_asked
from croupier.table.trouble.posting import refunded_under, remembered

Change: TypeAlias = Callable[[Table, Any], Table]


def evolve(table: Table, event: AnyEvent, *, by: str = "", role: str = DEALER) -> Table:
    """The table after an event that this person caused, in this role.

    `after` counts the lines; the most frequent events count themselves, where they make a new table anyway.
    """
    if type(event) is e.WagerPlaced:
        return _placed(table, event)
    if type(event) is e.WagerSettled:
        return _settled(table, [event])
    if event.transfers:
        table = changed(table, balances=moved(table.balances, event.transfers))
    if type(event) is e.Happened:
        return _happened(table, event, by)
    if type(event) is e.RulingOverruled:
        return _overruled(table, event, role)
    if type(event) is e.RoundCorrected:
        return corrected(table, event, role)
    change = CHANGES.get(type(event))
    return change(table, event) if change else table


def entries(table: Table, request: TableRequest, events: Events) -> tuple[e.TableEntry, ...]:
    """The lines of the journal that a decision makes."""
    at_ms, by, role, second = request.at_ms, request.by, request.role, request.second or UNSET
    if len(events) == 1:
        return (e.TableEntry(table.entries, at_ms, by, role, events[0], second=second),)
    return tuple(
        [
            e.TableEntry(number, at_ms, by, role, event, second=second)
            for number, event in enumerate(events, table.entries)
        ]
    )


def after(table: Table, lines: Iterable[e.TableEntry]) -> Table:
    """The table after these lines of its journal; none may be missing.

    Wagers that are settled one after another are settled together: as one by one, without the tables between.
    """
    number, settling = table.entries, []
    for line in lines:
        if line.number != number:
            raise missing(line, number)
        number += 1
        event = line.event
        if type(event) is e.WagerSettled:
            settling.append(event)
            continue
        if settling:
            table, settling = _settled(table, settling), []
        table = evolve(table, event, by=line.by, role=line.role)
    if settling:
        table = _settled(table, settling)
    return table if table.entries == number else changed(table, entries=number)


# ---------------------------------------------------------------- the table


def _opened(table: Table, event: e.TableOpened) -> Table:
    if not table.ruleset.is_named(event.law):
        raise BadJournal(f"{table.name} was opened under other rules than these: {event.law}")
    pool, wager = event.jackpot or (None, None)
    sign = like(Sign, event, jackpot=pool, jackpot_wager=wager)
    house = like(HouseChoices, event, private=frozenset(event.private))
    if event.begun_anew:
        # What a closed table left in the shoe is not dealt on: gaming begins with its opening, checks and shuffle.
        state = table.procedure.begin(table.ruleset.rules)
        table = changed(table, round=changed(table.round, state=state), following=NORMAL, steps=())
    if event.new_day:
        table = changed(table, tolerated=frozenset())
    return _signed(changed(table, open=True, house=house, closing=None, posted=None), sign)


def _signed(table: Table, sign: Sign) -> Table:
    return changed(table, sign=sign, round=changed(table.round, sign=sign))


def _sign_shown(table: Table, event: e.SignShown) -> Table:
    return changed(table, house=replace(table.house, signs=table.house.signs | {event.sign}))


def _limits_changed(table: Table, event: e.LimitsChanged) -> Table:
    sign = replace(table.sign, minimum=event.minimum, maximum=event.maximum, increment=event.increment)
    # A sign of limits to come stands on when what changes now needed none.
    posted = None if tightened(table, event.minimum, event.maximum) else table.posted
    return changed(_signed(table, sign), posted=posted)


def _seated(table: Table, event: e.Seated) -> Table:
    return with_player(table, event.player, seat=event.seat, idle=0, arrival=event.arrival)


def _left(table: Table, event: e.PlayerLeft) -> Table:
    others = {name: player for name, player in table.players.items() if name != event.player}
    return changed(table, players=others, vacancies=table.vacancies + (not others))


def _excluded(table: Table, event: e.PlayerExcluded) -> Table:
    return changed(table, excluded={**table.excluded, event.player: Exclusion(event.reason, event.rule, event.passes)})


def _colour_issued(table: Table, event: e.ColourIssued) -> Table:
    player = table.players[event.player]
    issued = {**player.issued, event.colour: player.issued.get(event.colour, 0) + event.chips}
    return with_player(table, event.player, colours={**player.colours, event.colour: event.value}, issued=issued)


def _colour_redeemed(table: Table, event: e.ColourRedeemed) -> Table:
    player = table.players[event.player]
    kept = {name: value for name, value in player.colours.items() if name != event.colour}
    issued = {name: chips for name, chips in player.issued.items() if name != event.colour}
    won = {name: chips for name, chips in player.won.items() if name != event.colour}
    return with_player(table, event.player, colours=kept, issued=issued, won=won)


def _counted(table: Table, lines: Iterable[SettledWager], *, undone: bool = False) -> Table:
    """Chips of a colour that are lost are the house's again; those that may have been won in it are its owner's."""
    colours = dict(table.coloured)
    for line in lines:
        wager = line.wager
        colour, player = colours.get(wager.number, ""), table.players.get(wager.by)
        value = player.colours.get(colour, 0) if player else 0
        if not player or not value:
            continue
        more = line.net // value if line.net > 0 else -(-line.net // value)
        more = -more if undone else more
        won = max(0, player.won.get(colour, 0) + (more if line.net > 0 else 0))
        issued = max(0, player.issued.get(colour, 0) + more)
        counts = {"issued": {**player.issued, colour: issued}, "won": {**player.won, colour: min(won, issued)}}
        table = with_player(table, wager.by, **counts)
    return table


# ---------------------------------------------------------------- wagers


def _frozen(value: Any) -> Any:
    """What a wager has seen, as it was before it travelled as JSON."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def _placed(table: Table, event: e.WagerPlaced) -> Table:
    wager = Wager(
        event.on,
        event.stake,
        by=event.player,
        box=event.box,
        hand=event.hand,
        number=event.number,
        voided_cents=event.voided,
        void_rule=event.void_rule,
        fee_cents=event.fee,
        seen=_frozen(event.seen) if event.seen else (),
        upon=event.upon,
    )
    this = table.round
    line = BookLine(wager, None if wager.stake_cents else Void(wager.void_rule))
    this = with_line(this, line, state=this.game.seat(this.rules, this.state, (wager,)))
    areas = {**table.areas, event.number: event.area} if event.area else table.areas
    coloured = (*table.coloured, (event.number, event.colour)) if event.colour else table.coloured
    placed = (*table.placed, (len(table.steps), wager))
    balances, entries = moved(table.balances, event.transfers), table.entries + 1
    table = changed(
        table, round=this, placed=placed, areas=areas, coloured=coloured, balances=balances, entries=entries
    )
    if event.tolerated:
        let_pass = {**table.let_pass, event.player: event.number}
        table = changed(table, tolerated=table.tolerated | {event.player}, let_pass=let_pass)
    elif event.made_up:
        table = changed(table, tolerated=table.tolerated - {event.player})
    return with_player(table, event.player, idle=0) if table.players[event.player].idle else table


def _withdrawn(table: Table, event: e.WagerWithdrawn) -> Table:
    this, number = without(table.round, {event.number}), event.number
    left = tuple([entry.wager for entry in this.book])
    state = this.game.seat(this.rules, table.procedure.lift(this.rules, this.state), left)
    placed = tuple([each for each in table.placed if each[1].number != number])
    return changed(table, round=with_state(this, state), placed=placed)


def _reduced(table: Table, event: e.WagerReduced) -> Table:
    def smaller(entry: BookLine) -> BookLine:
        wager = entry.wager
        if wager.number != event.number:
            return entry
        voided = wager.voided_cents + wager.stake_cents - event.stake - event.returned
        made = changed(
            wager, stake_cents=event.stake, voided_cents=voided, fee_cents=event.fee, refunded_cents=0,
            seen=_frozen(event.seen),
        )  # fmt: skip
        return BookLine(made, entry.resolution if event.stake else Void(event.rule))

    this = table.round
    book, start = tuple(map(smaller, this.book)), tuple(map(smaller, this.start))
    placed = tuple((at, smaller(BookLine(wager)).wager) for at, wager in table.placed)
    return changed(table, round=changed(this, book=book, start=start), placed=placed)


def _settled(table: Table, events: Sequence[e.WagerSettled]) -> Table:
    this, lines = table.round, []
    for event in events:
        entry = this.lines.get(event.number)
        if entry is None:
            raise BadJournal(f"wager {event.number} was settled, but is not in the book")
        taken = event.commission - entry.wager.fee_cents - event.deferred if event.result == "won" else 0
        lines.append(
            SettledWager(entry.wager, event.result, event.returned, event.rule, event.apart, taken, event.deferred)
        )
        # The lines settled at the end of a round leave the book together, with the round.
        this = without(this, {event.number}) if event.apart else this
    balances = moved(table.balances, [transfer for event in events for transfer in event.transfers])
    entries = table.entries + len(lines)
    table = _counted(table, lines) if table.coloured else table
    return changed(table, round=this, settled=(*table.settled, *lines), balances=balances, entries=entries)


def _reopened(table: Table, event: e.WagerReopened) -> Table:
    open_again = [line for line in table.settled if line.wager.number == event.number]
    table = _counted(table, open_again, undone=True) if table.coloured else table
    return changed(table, settled=tuple(line for line in table.settled if line.wager.number != event.number))


# ---------------------------------------------------------------- the round


def _happened(table: Table, event: e.Happened, person: str) -> Table:
    fact = read_fact(event.fact, table.due)
    now = table.happening(fact)
    if isinstance(now.after, Refusal):
        fact = _in_full(table, fact)
        now = table.happening(fact)
    if isinstance(now.after, Refusal) and isinstance(due := table.due, Perform) and _is_later(table, due):
        unasked = e.Happened(fact={"perform": due.act, "by": due.by}, due=say(due), rule=due.rule)
        return _happened(_happened(table, unasked, ""), event, person)
    if isinstance(now.after, Refusal) and table.procedure.turn is not None and event.due != say(table.due):
        # An earlier release did not offer the dice to whoever may throw now: they lie as if nobody were there.
        now = changed(table, players={}).happening(fact)
    this = now.before if _took_nothing(table, fact) else now.after
    if isinstance(this, Refusal):
        raise BadJournal(f"{event.fact} cannot have happened: {this.whole}")
    step = RoundStep(now.before, fact, now.ruling, table.settled, person, now.said(fact))
    steps, uncovered = (*table.steps, step), table.uncovered and not reveals(fact)
    return changed(table, round=this, steps=steps, uncovered=uncovered, awaited=(), entries=table.entries + 1)


def _is_later(table: Table, due: Perform) -> bool:
    return table.game.kind(table.ruleset.rules, due.act).later


def _took_nothing(table: Table, fact: Fact) -> bool:
    """Whether somebody took back a wager that did not stand, which earlier releases let pass: nothing came of it."""
    if type(fact) is not Called or fact.call != "take" or not isinstance(table.happening(fact).after, Refusal):
        return False
    return all((wager.by, wager.on) != (fact.by, fact.on) for wager in table.round.standing)


def _awaited(table: Table, event: e.OrderAwaited) -> Table:
    order = Awaited(event.order, event.fact, event.official, event.person, event.role, event.rule)
    return changed(table, awaited=(*table.awaited, order))


def _waits_no_more(table: Table, event: e.OrderConfirmed | e.OrderDeclined) -> Table:
    return changed(table, awaited=tuple(each for each in table.awaited if each.order != event.order))


def _in_full(table: Table, fact: Fact) -> Fact:
    """An act that an earlier release recorded without its detail, with the one it usually has."""
    if not isinstance(fact, Performed) or fact.detail != "":
        return fact
    return replace(fact, detail=table.procedure.usual(table.ruleset.rules, table.round.state, fact.act, ""))


def _ruled(table: Table, event: e.Ruled) -> Table:
    made = RulingMade(len(table.steps) - 1, event.rule, event.official)
    return changed(table, rulings=(*table.rulings, made))


def _overruled(table: Table, event: e.RulingOverruled, role: str) -> Table:
    ruling = table.rulings[event.ruling]
    again = played_again(table, ruling.step, event.call, role)
    if isinstance(again, Refusal):
        raise BadJournal(f"ruling {event.ruling} cannot have been overruled: {again.whole}")
    made = replace(ruling, level=role)
    rulings = tuple(made if index == event.ruling else each for index, each in enumerate(table.rulings))
    return changed(table, round=again, rulings=rulings, awaited=())


def _taken_back(table: Table, event: e.FactTakenBack) -> Table:
    left, last = table.steps[:-1], table.steps[-1]
    rulings = tuple(ruling for ruling in table.rulings if ruling.step < len(left))
    settled = tuple(line for line in table.settled if line in last.settled)
    table = changed(table, uncovered=table.uncovered or reveals(last.fact))
    return changed(table, round=last.before, steps=left, rulings=rulings, settled=settled, awaited=())


def _ended(table: Table, event: e.RoundEnded) -> Table:
    record = replace(_recorded(table), outcome=event.outcome)
    return _turned(table, record, table.procedure.next_round(table.ruleset.rules, table.round.state))


def _recorded(table: Table, invalid: str = "") -> Record:
    facts = tuple(step.fact for step in table.steps)
    parts = (table.number, table.following, table.carried, table.placed, facts, table.settled)
    said = tuple(step.said or step.fact for step in table.steps)
    under = {law.rule for law in table.procedure.overrules(table.ruleset.rules).values()}
    level = next((ruling.level for ruling in reversed(table.rulings) if ruling.rule in under), "")
    names = {line.wager.by for line in table.settled} if table.terminals else ()
    since = {name: table.terminals[name].since for name in sorted(names) if name in table.terminals}
    return Record(
        *parts, invalid=invalid, began=table.begun, by=table.thrower, said=said, level=level, since=since,
        follows=table.follows,
    )  # fmt: skip


def _turned(table: Table, record: Record, state: Any) -> Table:
    """A new page: the record of the round is kept, wagers still open go on."""
    if isinstance(state, Refusal):
        raise BadJournal(f"round {table.number} cannot have ended: {state.whole}")
    last = without(table.round, {line.wager.number for line in table.settled})
    this = changed(last, state=state, start=last.book, following=NORMAL)
    left = {entry.wager.number for entry in this.book}
    fresh = changed(
        table,
        round=this,
        number=table.number + 1,
        following=replace(last.following, number=_rounds_before(table, state)),
        steps=(),
        carried=this.standing,
        placed=(),
        settled=(),
        rulings=(),
        uncovered=False,
        awaited=(),
        areas={number: area for number, area in table.areas.items() if number in left},
        coloured=tuple(each for each in table.coloured if each[0] in left),
        players=_idled(table, record),
    )
    return remembered(fresh, record)


def _rounds_before(table: Table, sitting: Any) -> int:
    """How many rounds were played with the cards of the one to come, where something depends on it."""
    number = table.procedure.number
    return number(table.ruleset.rules, sitting) if number else 0


def _idled(table: Table, record: Record) -> Mapping[str, Player]:
    """Seated players without a wager have been idle one round more, if every seat is in use.

    In a round that was to take no wagers nobody abstained from placing one.
    """
    full = len(table.seats) >= table.house.seats
    one = int(full and record.as_begun.following.hand == "normal")
    wagered = {wager.by for _, wager in table.placed} | {wager.by for wager in table.carried}

    new = {}
    for name, player in table.players.items():
        idle = player.idle + one if full and player.seat and player.name not in wagered else 0
        if idle != player.idle:
            new[name] = changed(player, idle=idle)
    return {**table.players, **new} if new else table.players


# ---------------------------------------------------------------- when something goes wrong


def _invalidated(table: Table, event: e.RoundInvalidated) -> Table:
    if event.round == table.number:
        carried = {wager.number for wager in table.carried}
        forfeited = {entry.wager.number for entry in table.round.book if entry.wager.by in event.forfeited}
        # What was refunded has left the book; what goes on is again as this round found it, or as it was placed.
        this = without(table.round, forfeited - carried)
        this = changed(this, book=this.start)
        left_off = (table.procedure.breaks_off if event.begun else None) or table.procedure.abandon
        state = left_off(this.rules, this.state)
        lost = (entry.wager for entry in table.round.book if entry.wager.number in forfeited - carried)
        taken = tuple(SettledWager(wager, "lost", 0, event.rule) for wager in lost)
        table = _counted(table, taken)
        record = _recorded(changed(table, settled=(*table.settled, *taken)), invalid=event.ground)
        turned = _turned(changed(table, round=this), record, state)
        threw = (record.by, thrower(table.records)) if event.turn else None
        return goes_on_from(turned, record.began if event.resumed else None, threw=threw)
    if event.recalculated:
        none = NoOutcome(event.ground, refunded_under(table, event.ground, event.rule), event.forfeited)
        return played_anew(table, event, none)
    records = tuple(
        replace(record, invalid=event.ground) if record.number == event.round else record for record in table.records
    )
    return changed(table, records=records)


CHANGES: Mapping[type[Event], Change] = {
    e.TableOpened: _opened,
    e.SignShown: _sign_shown,
    e.ClosingPosted: lambda table, event: changed(table, closing=(event.closes_ms, event.posted_ms)),
    e.TableClosed: lambda table, _: changed(table, open=False, closing=None),
    e.Seated: _seated,
    e.PlayerLeft: _left,
    e.PlayerExcluded: _excluded,
    e.DeviceFound: device_found,
    e.PlayerSanctioned: sanctioned,
    e.StandingAllowed: lambda table, event: changed(table, standing_allowed=table.standing_allowed | {event.player}),
    e.NomineeNamed: lambda table, event: with_player(table, event.player, nominee=event.nominee),
    e.PlayerNumbered: lambda table, event: with_player(table, event.player, number=event.number),
    e.LimitsPosted: lambda table, event: changed(
        table, posted=(event.minimum, event.maximum, event.from_ms, event.posted_ms)
    ),
    e.LimitsChanged: _limits_changed,
    e.DifferentialSet: lambda table, event: _signed(table, replace(table.sign, differential=(event.least, event.most))),
    e.PersonalLimitSet: lambda table, event: with_player(table, event.player, personal=(event.minimum, event.maximum)),
    e.ColourIssued: _colour_issued,
    e.ColourRedeemed: _colour_redeemed,
    e.ColourRequired: lambda table, event: with_player(table, event.player, colours_only=event.required),
    e.ShoeFixed: shoe_fixed,
    e.PoolShown: pool_shown,
    e.JackpotClaimed: jackpot_claimed,
    e.WagerWithdrawn: _withdrawn,
    e.WagerReduced: _reduced,
    e.WagerReopened: _reopened,
    e.Ruled: _ruled,
    e.OrderAwaited: _awaited,
    e.OrderConfirmed: _waits_no_more,
    e.OrderDeclined: _waits_no_more,
    e.FactTakenBack: _taken_back,
    e.RoundEnded: _ended,
    e.CommissionDeferred: lambda table, event: with_player(
        table, event.player, deferring=event.deferred, **({"let_stand": event.let_stand} if event.let_stand else {})
    ),
    e.CommissionCollected: lambda table, event: with_player(table, event.player, let_stand=0),
    e.RoundInvalidated: _invalidated,
    e.DisputeRaised: lambda table, event: changed(
        table, disputes=(*table.disputes, Dispute(event.complainant, event.about, round=event.round))
    ),
    e.DisputeDecided: dispute_decided,
    e.ReviewAsked: review_asked,
    e.PaidOtherwise: paid_otherwise,
    e.OverpaymentRecovered: recovered,
    **TERMINAL_CHANGES,
}
