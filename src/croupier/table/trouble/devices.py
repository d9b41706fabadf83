"""Devices that help a player to cheat: reported, and what is ordered against whoever held one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace as changed

from croupier.game import Performed, Refusal
from croupier.journal.accounts import chips_of, seized_from
from croupier.journal.messages import Transfer
from croupier.law.general import TroubleRules, in_force
from croupier.law.model import Absent, Law
from croupier.money import Cents, dollars
from croupier.round import laid_otherwise
from croupier.table.commands import (
    ReportDevice,
    Sanction,
    TableRequest,
)
from croupier.table.events import (
    DeviceFound,
    Events,
    Flagged,
    PlayerExcluded,
    PlayerSanctioned,
    WagerSettled,
)
from croupier.table.money.settling import put_back
from croupier.table.people import forsaken, unknown
from croupier.table.state import FoundDevice, Table


def report_device(table: Table, request: TableRequest, command: ReportDevice) -> Events | Refusal:
    law = table.general.trouble.device
    if law.value:
        return Refusal("such devices are allowed here", law.rule)
    since = command.since or table.number
    if not 0 < since <= table.number:
        return Refusal(f"round {command.since} is not a round of this table yet", law.rule)
    return unknown(table, command.player) or (
        DeviceFound(player=command.player, what=command.what, since=since, rule=law.rule),
        Flagged(about="a device that records or analyses play", player=command.player, rule=law.rule),
    )


def measures(trouble: TroubleRules) -> Mapping[str, Law[Any] | Absent]:
    """What may be done with whoever was found with a device, and the law that permits it."""
    return {
        "void wagers": trouble.device_voids,
        "exclude": trouble.device_excludes,
        "seize winnings": trouble.device_seizes,
        "confiscate device": trouble.device_taken,
        "detain": trouble.detained,
        "hand over": trouble.detained,
    }


def sanction(table: Table, request: TableRequest, command: Sanction) -> Events | Refusal:
    """A measure against whoever was found with a device."""
    trouble = table.general.trouble
    law, device = measures(trouble)[command.measure], table.devices.get(command.player)
    if missing := unknown(table, command.player):
        return missing
    if not in_force(law):
        return Refusal(f"{command.measure}: no such measure under this law", trouble.device_by.rule)
    ground = _ground(table, command, device)
    if isinstance(ground, Refusal):
        return ground
    found = PlayerSanctioned(
        player=command.player, measure=command.measure, amount=command.amount, ground=ground, rule=law.rule
    )
    if command.measure == "void wagers":
        lifted = table.procedure.bereft is not None
        return (*_voided(table, command.player, law.rule), changed(found, lifted=lifted))
    if command.measure == "exclude":
        out = PlayerExcluded(player=command.player, reason=ground, passes=True, rule=law.rule)
        return (*forsaken(table, command.player), out, found)
    return _against_holder(table, command, device, found) if device else _no_device(table, command)


PROHIBITED = "prohibited device"


def _ground(table: Table, command: Sanction, device: FoundDevice | None) -> str | Refusal:
    """Why a measure is taken: the device that was found, or what else was contravened, where the law hears of it."""
    if device is not None and not command.ground:
        return PROHIBITED
    if command.ground and in_force(table.general.trouble.contravened):
        return command.ground
    return _no_device(table, command)


def _no_device(table: Table, command: Sanction) -> Refusal:
    reason = f"no device was found with {command.player}: report it first"
    return Refusal(reason, table.general.trouble.device_by.rule)


def _against_holder(table: Table, command: Sanction, device: FoundDevice, found: PlayerSanctioned) -> Events | Refusal:
    """What is done about the device itself, what was won with it, and who had it."""
    match command.measure:
        case "seize winnings":
            return _seized(table, command, device, found.rule)
        case "confiscate device" if not device.what:
            return Refusal("say what the device is when it is reported", found.rule)
        case "confiscate device":
            return (changed(found, device=device.what),)
        case "detain":
            return Refusal(f"{command.player} is detained", found.rule) if device.detained else (found,)
        case _:
            return _handed_over(command, device, found.rule)


def _handed_over(command: Sanction, device: FoundDevice, rule: str) -> Events | Refusal:
    """A person is detained until somebody who is authorised has come and taken over."""
    if not device.detained:
        return Refusal(f"{command.player} is not detained", rule)
    if not command.to.strip():
        return Refusal("name the authorised person who takes over", rule)
    return (PlayerSanctioned(player=command.player, measure=command.measure, to=command.to, rule=rule),)


def _voided(table: Table, player: str, rule: str) -> Events:
    lines = [e for e in table.round.book if e.wager.by == player and not table.is_settled(e.wager.number)]
    return tuple(
        WagerSettled(
            number=entry.wager.number,
            player=player,
            on=entry.wager.on,
            result="void",
            returned=entry.wager.stake_cents + entry.wager.voided_cents + entry.wager.fee_cents,
            apart=True,
            rule=rule,
            transfers=put_back(entry.wager, rule),
        )
        for entry in lines
    )


def won_with(table: Table, player: str, device: FoundDevice) -> Cents:
    """What a player won in the rounds in which he had a device, as far as the table remembers them."""
    rounds = [record for record in table.records if record.number >= device.since and not record.invalid]
    nets = [line.net for record in rounds for line in record.lines if line.wager.by == player]
    return sum(net for net in nets if net > 0)


def _seized(table: Table, command: Sanction, device: FoundDevice, rule: str) -> Events | Refusal:
    """Money is seized that was won with the device, and no other."""
    left = won_with(table, command.player, device) - device.seized
    if not 0 < command.amount <= left:
        wanted = dollars(command.amount)
        reason = f"{command.player} won {dollars(left)} with the device that is not seized yet, not {wanted}"
        return Refusal(reason, rule)
    if command.amount > table.chips(command.player):
        reason = f"{command.player} has {dollars(table.chips(command.player))}, not {dollars(command.amount)}"
        return Refusal(reason, rule)
    move = Transfer(chips_of(command.player), seized_from(command.player), command.amount, rule)
    return (
        PlayerSanctioned(
            player=command.player, measure=command.measure, amount=command.amount, rule=rule, transfers=(move,)
        ),
    )


# ---------------------------------------------------------------- what becomes of the table


def device_found(table: Table, event: DeviceFound) -> Table:
    return changed(table, devices={**table.devices, event.player: FoundDevice(event.what, event.since)})


def sanctioned(table: Table, event: PlayerSanctioned) -> Table:
    """What was seized counts against what may be seized for the same device; who is detained is handed over later."""
    table = _without_hands(table, event) if event.lifted else table
    device = table.devices.get(event.player)
    if device is None:
        return table
    seized = device.seized + (event.amount if event.transfers else 0)
    detained = event.measure == "detain" or (device.detained and event.measure != "hand over")
    return changed(table, devices={**table.devices, event.player: changed(device, seized=seized, detained=detained)})


def _without_hands(table: Table, event: PlayerSanctioned) -> Table:
    """A hand on which no wager is left is played by nobody: it stakes nothing, wins nothing and gets no card."""
    this, bereft = table.round, table.procedure.bereft
    assert bereft is not None
    left = tuple(entry.wager for entry in this.book)
    state = bereft(this.rules, this.state, event.player, left, event.rule)
    return changed(table, round=laid_otherwise(this, state, Performed(event.measure, rule=event.rule)))
