"""When money moves: each wager at the moment that its rule names, and back again where a ruling undoes it.

The game says of a decided wager whether it is paid or taken by now (`Procedure.paid`): a bust at once, losing chips
when they are collected, a winner when it is paid.  Terminals beside a layout are settled when the game system shows
their balances.  What is left is settled with the end of the round.  A settled line
stays in the book, decided, until the round is over.  If a ruling opens it again, or decides it otherwise, what moved
goes back as new entries (`WagerReopened`), and the wager is settled anew when it is time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from croupier.game import Called, Fact, Irregular, Performed, Resolution, Wager, every
from croupier.game.kinds import BALANCES
from croupier.journal.accounts import BANK, COMMISSION, moves, owed_by, stakes_of
from croupier.journal.messages import Transfer
from croupier.law.general import in_force
from croupier.round import AnyRound, BookLine
from croupier.table.events import Events, Flagged, RoundEnded, WagerReopened, WagerSettled
from croupier.table.linked import own_pool
from croupier.table.money.settling import difference, line_of, settled
from croupier.table.state import SettledWager, Table

Paid: TypeAlias = Callable[[Wager, Resolution], bool]


def payments(table: Table, before: AnyRound, after: AnyRound, *, fact: Fact, rule: str) -> Events:
    """What a fact makes payable, what it opens again under this rule, and the end of the round if it is one."""
    complete, rules = table.procedure.complete, table.ruleset.rules
    ended = complete(rules, after.state) and not complete(rules, before.state)
    undone = _undone(table, after) if table.settled else ()
    down = _called_down(table, before, after) if type(fact) is Called and not ended else ()
    paid = every if ended else _by_now(table, after, fact)
    fresh = _fresh(table, after.book, paid, undone, {event.number for event in down}) if paid else ()
    moved = (*(reopened(table, undone, rule) if undone else ()), *fresh, *down)
    if not ended:
        return moved
    last = after.due.rule if isinstance(fact, Irregular) else before.due.rule
    over = RoundEnded(round=table.number, outcome=dict(after.game.outcome(rules, after.state)), rule=last)
    return (*moved, over, *own_pool(table, after.book))


def _by_now(table: Table, after: AnyRound, fact: Fact) -> Paid | None:
    """What is paid or taken by now: what the game says, and what is on terminals once they show their balances."""
    paid = table.procedure.paid(table.ruleset.rules, after.state)
    if not table.terminals or not shows_balances(table, fact):
        return paid
    return lambda wager, decided: wager.by in table.terminals or (paid is not None and paid(wager, decided))


def shows_balances(table: Table, fact: Fact) -> bool:
    """Whether with this act the game system shows each terminal what it won, and its balance."""
    return isinstance(fact, Performed) and table.game.kind(table.ruleset.rules, fact.act) == BALANCES


def _fresh(
    table: Table, book: tuple[BookLine, ...], paid: Paid, undone: tuple[SettledWager, ...], gone: set[int]
) -> tuple[WagerSettled, ...]:
    """What is paid or taken by now and was not settled yet, or was and is undone."""
    moved = {line.wager.number for line in table.settled} - {line.wager.number for line in undone} | gone
    return tuple(
        [
            settled(table, entry)
            for entry in book
            if (decided := entry.resolution) is not None
            and entry.wager.number not in moved
            and paid(entry.wager, decided)
        ]
    )


def _undone(table: Table, after: AnyRound) -> tuple[SettledWager, ...]:
    """The lines settled in this round that are open again, or decided otherwise."""
    lines, left_alone = after.lines, after.book is table.round.book and _on_the_same_terms(table)
    return tuple(
        [line for line in table.settled if _is_undone(table, line, lines.get(line.wager.number), left_alone=left_alone)]
    )


def _on_the_same_terms(table: Table) -> bool:
    """Whether nothing but a wager and its resolution says what it pays, all through this round.

    So it is where nobody defers a commission, no terminal is paid to the cent, and the sign is that of the first fact.
    """
    terms = table.terminals or table.retired or in_force(table.general.money.deferral_below) or not table.steps
    return not terms and table.steps[0].before.sign is table.round.sign


def _is_undone(table: Table, line: SettledWager, entry: BookLine | None, *, left_alone: bool) -> bool:
    """Whether a settled line is none any more; if it was left alone, to reckon it again would bring the same."""
    if entry is None:
        return False  # it was settled apart, and has left the book
    if entry.resolution is None:
        return True
    if left_alone and entry.wager is line.wager:
        return False
    now = line_of(table, entry)
    return (now.result, now.returned, now.commission) != (line.result, line.returned, line.commission)


def _called_down(table: Table, before: AnyRound, after: AnyRound) -> tuple[WagerSettled, ...]:
    """A wager that its bettor called down goes back at once, and leaves the book."""
    was = {entry.wager.number for entry in before.book if entry.resolution is None}
    decided = (entry for entry in after.book if entry.resolution is not None)
    return tuple(settled(table, entry, apart=True) for entry in decided if entry.wager.number in was)


# ---------------------------------------------------------------- undoing


def reopened(table: Table, lines: Iterable[SettledWager], rule: str) -> Events:
    """These settlements undone: each stake is pending again; what a player has not got any more becomes a debt."""
    events: list[WagerReopened | Flagged] = []
    have: dict[str, int] = {}
    for line in lines:
        wager = line.wager
        chips = have.get(wager.by, table.chips(wager.by))
        moved = unsettled(line, have=chips, rule=rule)
        events.append(
            WagerReopened(
                number=wager.number, player=wager.by, on=wager.on, returned=line.returned, rule=rule, transfers=moved
            )
        )
        if line.returned > chips:
            about = f"round {table.number}: what came back was not covered"
            events.append(Flagged(about=about, player=wager.by, rule=rule))
        have[wager.by] = max(0, chips - line.returned)
    return tuple(events)


def unsettled(line: SettledWager, *, have: int, rule: str) -> tuple[Transfer, ...]:
    """The transfers that make a settled stake pending again."""
    wager = line.wager
    fee_back = wager.fee_cents if line.result == "void" else wager.refunded_cents
    return (
        *difference(wager.by, -line.returned, have=have, rule=rule),
        *moves(
            Transfer(BANK, stakes_of(wager.by), wager.stake_cents + wager.voided_cents, rule),
            Transfer(COMMISSION, BANK, line.commission, rule),
            Transfer(BANK, COMMISSION, fee_back, rule),
            Transfer(COMMISSION, owed_by(wager.by), line.owed, rule),
        ),
    )


def early(table: Table) -> tuple[SettledWager, ...]:
    """The lines of the round in hand that are settled before its end."""
    return tuple(line for line in table.settled if not line.apart)
