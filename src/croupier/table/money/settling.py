"""Wagers into money: what moves when a stake goes down, comes back, wins or loses.

A stake is pending on the player's stake account.  Settling it posts to the bank what was lost, gives back the rest, and
pays winnings in full from the bank; commission on them is a transfer of its own, from the winner's chips or, where it
is deferred, from what the player owes.  A winner who owes the commission is paid whole: what chips cannot pay of the
rest after commission is then no question, and nothing is rounded for it.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace as changed

from croupier.game import Refusal, StandOff, Void, Wager, Won
from croupier.journal.accounts import BANK, COMMISSION, chips_of, moves, owed_by, stakes_of
from croupier.journal.messages import Transfer
from croupier.law.general import in_force
from croupier.money import Cents
from croupier.once import replace
from croupier.round import BookLine, Settlement, settle
from croupier.table.events import WagerSettled
from croupier.table.state import SettledWager, Table


def put_down(wager: Wager, rule: str) -> tuple[Transfer, ...]:
    """The transfers of a wager placed: its stake is pending, a commission at placement is paid."""
    chips, stake = chips_of(wager.by), wager.stake_cents + wager.voided_cents
    down = (Transfer(chips, stakes_of(wager.by), stake, rule),) if stake else ()
    return (*down, Transfer(chips, COMMISSION, wager.fee_cents, rule)) if wager.fee_cents else down


def put_back(wager: Wager, rule: str) -> tuple[Transfer, ...]:
    """The transfers of a wager taken back whole."""
    chips = chips_of(wager.by)
    stake = wager.stake_cents + wager.voided_cents
    return moves(Transfer(stakes_of(wager.by), chips, stake, rule), Transfer(COMMISSION, chips, wager.fee_cents, rule))


def settlement_of(table: Table, entry: BookLine) -> Settlement:
    return _reckoned(table, entry, owing=deferred(table, entry))


def _reckoned(table: Table, entry: BookLine, *, owing: bool) -> Settlement:
    # A terminal pays into an account, to the cent; what lies on the layout is paid in chips.
    touched = entry.wager.by in table.terminals or entry.wager.by in table.retired
    chip = 1 if touched else table.sign.chip
    rounding = table.game.rounding(table.ruleset.rules)
    money, won = settle(entry, rounding, chip), entry.resolution
    if not owing or not isinstance(won, Won):
        return money
    whole = BookLine(entry.wager, replace(won, odds=replace(won.odds, commission=Fraction(0))))
    return changed(settle(whole, rounding, chip), commission_cents=money.commission_cents)


def settled(table: Table, entry: BookLine, *, apart: bool = False) -> WagerSettled:
    """A decided line of the book as an event, with all that it moves."""
    wager, owing = entry.wager, deferred(table, entry)
    money = _reckoned(table, entry, owing=owing)
    taken = _taken(wager, money)
    return WagerSettled(
        number=wager.number,
        player=wager.by,
        on=wager.on,
        result=money.result,
        pays=money.pays_cents,
        commission=money.commission_cents,
        returned=money.returned_cents,
        deferred=taken if owing else 0,
        apart=apart,
        rule=money.rule,
        transfers=_moved(table, entry, money, taken=taken, owing=owing),
    )


def _moved(table: Table, entry: BookLine, money: Settlement, *, taken: Cents, owing: bool) -> tuple[Transfer, ...]:
    """The transfers of a settled line, of which so much commission is taken from the winnings, or owed."""
    wager, by, rule, moved = entry.wager, entry.wager.by, money.rule, []
    chips, stakes, pays = chips_of(by), stakes_of(by), money.pays_cents
    fee_back = wager.fee_cents if money.result == "void" else wager.refunded_cents
    back = money.returned_cents - pays - fee_back
    if back:
        moved.append(Transfer(stakes, chips, back, _back_rule(table, entry, money)))
    if lost := wager.stake_cents + wager.voided_cents - back:
        moved.append(Transfer(stakes, BANK, lost, rule))
    if paid := pays + (0 if owing else taken):
        moved.append(Transfer(BANK, chips, paid, rule))
    if taken:
        moved.append(Transfer(owed_by(by) if owing else chips, COMMISSION, taken, rule))
    if fee_back:
        moved.append(Transfer(COMMISSION, chips, fee_back, rule))
    return tuple(moved)


def _back_rule(table: Table, entry: BookLine, money: Settlement) -> str:
    """Why the stake is the player's again: a stand off or void wager by definition, a tie by the rule on ties.

    A round in which no wager counts is no tie: its own rule gives the stake back.
    """
    general, tie = table.general, table.layout.after_tie
    stands_off = type(entry.resolution) is StandOff and not entry.resolution.uncounted
    if stands_off and in_force(tie) and entry.wager.on in tie.value:
        return tie.rule
    if stands_off and in_force(general.stand_off):
        return general.stand_off.rule
    if type(entry.resolution) is Void and in_force(general.void_wager):
        return general.void_wager.rule
    return money.rule


def _taken(wager: Wager, money: Settlement) -> Cents:
    """The commission on winnings; what was paid when the wager was placed is not taken again."""
    return money.commission_cents - wager.fee_cents if money.result == "won" else 0


def deferred(table: Table, entry: BookLine) -> bool:
    """Whether the commission on a win is owed instead of taken: seated players may defer all but a half (R-110)."""
    there = table.players.get(entry.wager.by)
    if there is None or not there.deferring or not there.seat:
        return False
    won, below = entry.resolution, table.general.money.deferral_below
    return in_force(below) and isinstance(won, Won) and 0 < won.odds.commission < below.value


def overdue(table: Table) -> Refusal | None:
    """Why no shoe begins and the table does not close: commission is owed that management does not let stand."""
    law = table.general.money.deferral_ends
    if not in_force(law):
        return None
    owing = [name for name, there in table.players.items() if -table.balances.get(owed_by(name), 0) > there.let_stand]
    return Refusal(f"{', '.join(owing)} must pay the deferred commission first", law.rule) if owing else None


def line_of(table: Table, entry: BookLine) -> SettledWager:
    owing = deferred(table, entry)
    money = _reckoned(table, entry, owing=owing)
    taken = _taken(entry.wager, money)
    owed = taken if owing else 0
    return SettledWager(entry.wager, money.result, money.returned_cents, money.rule, commission=taken - owed, owed=owed)


def difference(player: str, amount: Cents, *, have: Cents, rule: str) -> tuple[Transfer, ...]:
    """What a correction gives to a player or takes away; what the chips cannot cover becomes a debt."""
    if amount >= 0:
        return moves(Transfer(BANK, chips_of(player), amount, rule))
    from_chips = min(have, -amount)
    return moves(
        Transfer(chips_of(player), BANK, from_chips, rule), Transfer(owed_by(player), BANK, -amount - from_chips, rule)
    )
