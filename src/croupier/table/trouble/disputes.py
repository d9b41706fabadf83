"""Disputes with their reviews, wrong payments, unclaimed money, and what is told on request."""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.game import Refusal
from croupier.journal.accounts import BANK, HELD, chips_of, moves, owed_by
from croupier.journal.messages import Transfer
from croupier.journal.names import plain
from croupier.law.general import in_force
from croupier.law.officials import INSPECTOR, PLAYER, Roles, acting
from croupier.money import LARGEST_AMOUNT, dollars
from croupier.once import replace
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.people import unsaid
from croupier.table.state import Dispute, Record, Table
from croupier.table.trouble.posting import owing, paid_back

# ---------------------------------------------------------------- disputes


def raise_dispute(table: Table, request: c.TableRequest, command: c.RaiseDispute) -> e.Events | Refusal:
    rule = table.general.trouble.disputes.rule
    if request.role == PLAYER and command.complainant != request.by:
        return Refusal(f"{request.by} complains in his own name", rule)
    if not 0 <= command.round <= table.number:
        return Refusal(f"round {command.round} is not a round of this table yet", rule)
    return unsaid(command.about, rule) or (
        e.DisputeRaised(
            dispute=len(table.disputes),
            complainant=command.complainant,
            about=command.about,
            round=command.round,
            rule=rule,
        ),
    )


def decide_dispute(table: Table, request: c.TableRequest, command: c.DecideDispute) -> e.Events | Refusal:
    """From the game supervisor up to the inspector; one left unresolved is told of the inspector."""
    trouble = table.general.trouble
    levels = trouble.disputes.value
    if not 0 <= command.dispute < len(table.disputes):
        return Refusal(f"no dispute {command.dispute}", trouble.disputes.rule)
    dispute = table.disputes[command.dispute]
    if dispute.resolved:
        return Refusal(f"dispute {command.dispute} is resolved", trouble.disputes.rule)
    level = levels[min(dispute.level, len(levels) - 1)]
    if request.role not in deciders(table, dispute):
        return Refusal(f"dispute {command.dispute} is before the {level}", trouble.disputes.rule)
    if plain(request.by) in map(plain, dispute.heard):
        return Refusal(f"{request.by} decided it already: a review is another person's", trouble.disputes.rule)
    if (wordless := unsaid(command.decision, trouble.disputes.rule)) is not None:
        return wordless
    telling = trouble.inspector_named
    if telling.value and not command.resolved and not command.inspector_named and level != INSPECTOR:
        return Refusal(
            "the complainant is told of the inspector and of the right to consult one", trouble.inspector_named.rule
        )
    decided = e.DisputeDecided(
        dispute=command.dispute,
        decision=command.decision,
        level=request.role,
        resolved=command.resolved,
        person=request.by,
        rule=trouble.disputes.rule,
    )
    if command.resolved:
        return (decided,)
    return (decided, e.InspectorNotified(about=f"dispute {command.dispute}", rule=trouble.inspector_named.rule))


def deciders(table: Table, dispute: Dispute) -> Roles:
    """The roles that may decide a dispute now: those of its level that have no level of review of their own above."""
    levels = table.general.trouble.disputes.value
    level = levels[min(dispute.level, len(levels) - 1)]
    return frozenset(role for role in acting(level) or () if not _above(levels, level, role))


def _above(levels: tuple[str, ...], level: str, role: str) -> bool:
    """Whether this official has a level of review of his own, above the one at which the dispute is."""
    return role != level and any(role in (acting(higher) or ()) for higher in levels[levels.index(level) + 1 :])


def ask_review(table: Table, request: c.TableRequest, command: c.AskReview) -> e.Events | Refusal:
    """What was decided is reviewed by the next official, if the complainant asks."""
    law = table.general.trouble.disputes
    if not 0 <= command.dispute < len(table.disputes):
        return Refusal(f"no dispute {command.dispute}", law.rule)
    dispute = table.disputes[command.dispute]
    if not dispute.resolved:
        return Refusal(f"dispute {command.dispute} is not decided yet", law.rule)
    if request.role == PLAYER and request.by != dispute.complainant:
        return Refusal(f"a review is for {dispute.complainant} to ask, not for {request.by}", law.rule)
    if dispute.level + 1 >= len(law.value):
        return Refusal("nobody reviews this decision", law.rule)
    return (e.ReviewAsked(dispute=command.dispute, level=law.value[dispute.level + 1], rule=law.rule),)


# ---------------------------------------------------------------- payments and the rest


def report_paid(table: Table, request: c.TableRequest, command: c.ReportPaid) -> e.Events | Refusal:
    law = table.general.trouble.overpaid
    if not in_force(law):
        return Refusal("this law does not speak of wrong payments", table.general.trouble.disputes.rule)
    record = table.record(command.round)
    line = next((each for each in record.lines if each.wager.number == command.number), None) if record else None
    if line is None:
        return Refusal(f"no settled wager {command.number} in round {command.round}", law.rule)
    chips = table.general.money.paid_in_chips
    if not command.in_chips and in_force(chips):
        return Refusal("winnings are paid in chips", chips.rule)
    player, was = line.wager.by, dict(record.beyond).get(command.number, 0) if record else 0
    now = command.paid - line.returned
    if now == was or not 0 <= command.paid <= LARGEST_AMOUNT or was - now > table.chips(player):
        return Refusal(f"{dollars(command.paid)} is not a wrong payment that {player} can have had", law.rule)
    # A second report of a payment replaces the first: what was handed over was handed over once.
    too_much, missing = max(now, 0) - max(was, 0), min(was, 0) - min(now, 0)
    moved = moves(
        Transfer(chips_of(player), BANK, -too_much, law.rule) if too_much < 0 else
        Transfer(BANK, chips_of(player), too_much, law.rule),
        Transfer(HELD, chips_of(player), -missing, law.rule) if missing < 0 else
        Transfer(chips_of(player), HELD, missing, law.rule),
    )  # fmt: skip
    return (
        e.PaidOtherwise(
            round=command.round, number=command.number, player=player, due=line.returned, paid=command.paid,
            reported=was, rule=law.rule, transfers=moved,
        ),
    )  # fmt: skip


def recover(table: Table, request: c.TableRequest, command: c.RecoverPaid) -> e.Events | Refusal:
    """What was paid too much comes back, as far as there are chips; what was held is handed over.

    What there were no chips for then stays owing, and is taken from those that the player has later.
    """
    law = table.general.trouble.overpaid
    rule = law.rule if in_force(law) else table.general.trouble.disputes.rule
    amount = table.overpaid.get(command.player, 0)
    if not amount:
        return _still_owing(table, command.player, rule)
    if amount < 0:
        back = moves(Transfer(HELD, chips_of(command.player), -amount, rule))
    else:
        have = min(amount, table.chips(command.player))
        back = moves(
            Transfer(chips_of(command.player), BANK, have, rule),
            Transfer(owed_by(command.player), BANK, amount - have, rule),
        )
    return (e.OverpaymentRecovered(player=command.player, amount=amount, rule=rule, transfers=back),)


def _still_owing(table: Table, player: str, rule: str) -> e.Events | Refusal:
    amount = owing(table, player)
    if not amount:
        return Refusal(f"{player} was paid what was due", rule)
    paid = min(amount, table.chips(player))
    if not paid:
        return Refusal(f"{player} owes {dollars(amount)}, and has no chips", rule)
    back = (Transfer(chips_of(player), owed_by(player), paid, rule),)
    return (e.OverpaymentRecovered(player=player, amount=paid, rule=rule, transfers=back),)


def hold(table: Table, request: c.TableRequest, command: c.HoldUnclaimed) -> e.Events | Refusal:
    law = table.general.trouble.unclaimed
    if not in_force(law):
        return Refusal("this law does not speak of unclaimed winnings", table.general.trouble.disputes.rule)
    if not 0 < command.amount <= table.chips(command.player):
        reason = f"{command.player} left {dollars(table.chips(command.player))}, not {dollars(command.amount)}"
        return Refusal(reason, law.rule)
    move = Transfer(chips_of(command.player), HELD, command.amount, law.rule)
    return (e.UnclaimedHeld(player=command.player, amount=command.amount, rule=law.rule, transfers=(move,)),)


def show_rules(table: Table, request: c.TableRequest, command: c.ShowRules) -> e.Events | Refusal:
    law = table.general.trouble.rules_on_request
    if not law.value:
        return Refusal("the rules are not shown here", law.rule)
    return (e.RulesShown(player=command.player, edition=table.ruleset.edition, rule=law.rule),)


def advise(table: Table, request: c.TableRequest, command: c.Advise) -> e.Events | Refusal:
    """Staff never advise; they report advice that a player or a spectator gave unasked, and that one is warned."""
    people = table.general.people
    unasked = people.unasked
    if request.role == PLAYER and in_force(unasked):
        return Refusal("players do not advise each other unless they are asked: staff report it", unasked.rule)
    if not command.by or request.role == PLAYER:
        said = e.Announced(text=command.text, rule=people.advice.rule)
        return (said,) if people.advice.value else Refusal("staff do not advise how to play", people.advice.rule)
    if not in_force(unasked):
        return Refusal("this law says nothing of what players advise each other", people.advice.rule)
    if command.asked:
        return Refusal(f"{command.player} asked for it: there is nothing to report", unasked.rule)
    warning = f"{command.by}: players are not advised unless they ask"
    return (
        e.Flagged(about=f"unasked advice to {command.player}", player=command.by, rule=unasked.rule),
        e.Announced(text=warning, rule=unasked.rule),
    )


# ---------------------------------------------------------------- evolving


def dispute_decided(table: Table, event: e.DisputeDecided) -> Table:
    def next_level(dispute: Dispute) -> Dispute:
        level = dispute.level if event.resolved else dispute.level + 1
        heard = (*dispute.heard, event.person)
        return changed(dispute, decision=event.decision, resolved=event.resolved, level=level, heard=heard)

    disputes = tuple(next_level(d) if i == event.dispute else d for i, d in enumerate(table.disputes))
    return changed(table, disputes=disputes)


def review_asked(table: Table, event: e.ReviewAsked) -> Table:
    """A decided dispute is open again, before the next official."""
    disputes = tuple(
        changed(each, resolved=False, level=each.level + 1) if number == event.dispute else each
        for number, each in enumerate(table.disputes)
    )
    return changed(table, disputes=disputes)


def paid_otherwise(table: Table, event: e.PaidOtherwise) -> Table:
    beyond = event.paid - event.due
    more = table.overpaid.get(event.player, 0) + beyond - event.reported

    def told(record: Record) -> Record:
        here = record.number == event.round
        return replace(record, beyond=tuple({**dict(record.beyond), event.number: beyond}.items())) if here else record

    return changed(table, overpaid={**table.overpaid, event.player: more}, records=tuple(map(told, table.records)))


def recovered(table: Table, event: e.OverpaymentRecovered) -> Table:
    """What was reported is settled; or what was owing since, as far as it was paid."""
    if any(each.credit == owed_by(event.player) for each in event.transfers):
        return paid_back(table, event.player, event.amount)

    def settled(record: Record) -> Record:
        own = {line.wager.number for line in record.lines if line.wager.by == event.player}
        left = tuple((number, beyond) for number, beyond in record.beyond if number not in own)
        return replace(record, beyond=left) if record.beyond else record

    others = {name: more for name, more in table.overpaid.items() if name != event.player}
    return changed(table, overpaid=others, records=tuple(map(settled, table.records)))
