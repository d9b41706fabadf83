"""Wagers into money: what moves when a stake goes down, comes back, wins or loses.

A stake is pending on the player's stake account.  Settling it posts to the bank what was lost, gives back the rest, and
pays winnings in full from the bank; commission on them is a transfer of its own, from the winner's chips or, where it
may be deferred, from what the player owes.
"""

from __future__ import annotations

from croupier.game import StandOff, Void, Wager, Won
from croupier.money import Cents
from croupier.round import Entry, Settlement, settle
from croupier.table.accounts import BANK, COMMISSION, chips_of, moves, owed_by, stakes_of
from croupier.table.events import Transfer, WagerSettled
from croupier.table.general import in_force
from croupier.table.state import Line, Table


def put_down(wager: Wager, rule: str) -> tuple[Transfer, ...]:
    """The transfers of a wager placed: its stake is pending, a commission at placement is paid."""
    chips = chips_of(wager.by)
    stake = wager.stake_cents + wager.voided_cents
    return moves(Transfer(chips, stakes_of(wager.by), stake, rule), Transfer(chips, COMMISSION, wager.fee_cents, rule))


def put_back(wager: Wager, rule: str) -> tuple[Transfer, ...]:
    """The transfers of a wager taken back whole."""
    chips = chips_of(wager.by)
    stake = wager.stake_cents + wager.voided_cents
    return moves(Transfer(stakes_of(wager.by), chips, stake, rule), Transfer(COMMISSION, chips, wager.fee_cents, rule))


def settlement_of(table: Table, entry: Entry) -> Settlement:
    # A terminal pays into an account, to the cent; what lies on the layout is paid in chips.
    touched = entry.wager.by in table.terminals or entry.wager.by in table.retired
    chip = 1 if touched else table.sign.chip
    return settle(entry, table.game.rounding(table.ruleset.rules), chip)


def settled(table: Table, entry: Entry, *, apart: bool = False) -> WagerSettled:
    """A decided line of the book as an event, with all that it moves."""
    wager, money = entry.wager, settlement_of(table, entry)
    return WagerSettled(
        number=wager.number,
        player=wager.by,
        on=wager.on,
        result=money.result,
        pays=money.pays_cents,
        commission=money.commission_cents,
        returned=money.returned_cents,
        apart=apart,
        rule=money.rule,
        transfers=_moved(table, entry, money),
    )


def _moved(table: Table, entry: Entry, money: Settlement) -> tuple[Transfer, ...]:
    wager, chips, stakes = entry.wager, chips_of(entry.wager.by), stakes_of(entry.wager.by)
    fee_back = wager.fee_cents if money.result == "void" else wager.refunded_cents
    back = money.returned_cents - money.pays_cents - fee_back
    lost = wager.stake_cents + wager.voided_cents - back
    taken = money.commission_cents - wager.fee_cents if money.result == "won" else 0
    return moves(
        Transfer(stakes, chips, back, _back_rule(table, entry, money)),
        Transfer(stakes, BANK, lost, money.rule),
        Transfer(BANK, chips, money.pays_cents + taken, money.rule),
        Transfer(_commission_from(table, entry), COMMISSION, taken, money.rule),
        Transfer(COMMISSION, chips, fee_back, money.rule),
    )


def _back_rule(table: Table, entry: Entry, money: Settlement) -> str:
    """Why the stake is the player's again: a stand off or void wager by definition, a tie by the rule on ties."""
    general, tie = table.general, table.layout.after_tie
    if isinstance(entry.resolution, StandOff) and in_force(tie) and entry.wager.on in tie.value:
        return tie.rule
    if isinstance(entry.resolution, StandOff) and in_force(general.stand_off):
        return general.stand_off.rule
    if isinstance(entry.resolution, Void) and in_force(general.void_wager):
        return general.void_wager.rule
    return money.rule


def _commission_from(table: Table, entry: Entry) -> str:
    """Who pays a commission now: the winner's chips, or the debt of one for whom it is deferred."""
    there, player = table.players.get(entry.wager.by), entry.wager.by
    below, won = table.general.money.deferral_below, entry.resolution
    deferrable = in_force(below) and isinstance(won, Won) and won.odds.commission < below.value
    deferring = there is not None and there.deferring and there.seat and deferrable
    return owed_by(player) if deferring else chips_of(player)


def line_of(table: Table, entry: Entry) -> Line:
    money = settlement_of(table, entry)
    taken = money.commission_cents - entry.wager.fee_cents if money.result == "won" else 0
    return Line(entry.wager, money.result, money.returned_cents, money.rule, commission=taken)


def difference(player: str, amount: Cents, *, have: Cents, rule: str) -> tuple[Transfer, ...]:
    """What a correction gives to a player or takes away; what the chips cannot cover becomes a debt."""
    if amount >= 0:
        return moves(Transfer(BANK, chips_of(player), amount, rule))
    from_chips = min(have, -amount)
    return moves(
        Transfer(chips_of(player), BANK, from_chips, rule), Transfer(owed_by(player), BANK, -amount - from_chips, rule)
    )
