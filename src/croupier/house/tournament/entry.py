"""Setting a tournament up, getting into it and leaving it.

Nothing can be entered before the conditions were approved in writing; what an entrant pays and gets back is what the
conditions say, moved between the entrant and the accounts of the tournament.  A refund that is no whole cent goes up.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from croupier.game import Refusal
from croupier.house.tournament import messages as m
from croupier.house.tournament.conditions import ALL_OF_IT, Stated, flaw
from croupier.house.tournament.hands import unknown_change
from croupier.house.tournament.messages import Events
from croupier.house.tournament.state import (
    Entrant,
    Tournament,
    buy_ins_of,
    conducting,
    conductors,
    entrant_account,
    fees_of,
)
from croupier.journal.accounts import moves
from croupier.journal.messages import Transfer
from croupier.journal.names import plain, readable
from croupier.law.model import Law
from croupier.law.officials import Roles
from croupier.law.ruleset import named_law
from croupier.money import Cents, ceil_to_chips

Answer: TypeAlias = Events | Refusal
LONGEST_NAME: Final = 100


def is_name(text: str) -> bool:
    """Whether somebody can be called so: a name that can be read, and that an account can have."""
    return readable(text, LONGEST_NAME)


def called_so(name: str, names: Iterable[str]) -> bool:
    """Whether one of these is called so, in whatever spelling: names are read aloud, and one name is one person."""
    return plain(name) in map(plain, names)


def item(this: Tournament, name: str) -> str:
    """The rule of an item of the conditions."""
    return this.rules.items[name].rule


# ---------------------------------------------------------------- who runs it, and how


def _unqualified(person: str, qualified_as: str, law: Law[Roles]) -> Refusal | None:
    if not is_name(person):
        return Refusal(f"{person!r:.40} is nobody's name", law.rule)
    if qualified_as in law.value:
        return None
    return Refusal(f"{person}: {qualified_as or 'no office'} is not qualified as game supervisor", law.rule)


def appoint(this: Tournament, command: m.AppointDirector) -> Answer:
    """A director; where the one before conducted a round alone, it waits until the new one is there."""
    rules = this.rules
    refusal = _unqualified(command.person, command.qualified_as, rules.director)
    if refusal:
        return refusal
    law = named_law(this.edition, text=rules, general=this.general)
    appointed = m.DirectorAppointed(person=command.person, law=law, rule=rules.director.rule)
    alone = conducting(this) == {this.director} and command.person not in this.present
    paused = rules.presence.value and this.playing and alone
    return (appointed, m.SessionPaused(rule=rules.presence.rule)) if paused else (appointed,)


def name_deputy(this: Tournament, command: m.NameDeputy) -> Answer:
    law = this.rules.deputies
    if not this.director or called_so(command.person, conductors(this)):
        return Refusal(f"{command.person} cannot be a deputy", law.rule)
    refusal = _unqualified(command.person, command.qualified_as, law)
    return refusal or (m.DeputyNamed(person=command.person, rule=law.rule),)


def publish(this: Tournament, command: m.PublishConditions) -> Answer:
    rules = this.rules
    if rules.appointed.value and not this.director:
        return Refusal("nobody is appointed to be responsible", rules.appointed.rule)
    if this.entrants:
        return Refusal("players have entered under the conditions as they are", rules.approver.rule)
    refusal = flaw(rules, command.conditions) or _no_such_change(this, command)
    return refusal or (m.ConditionsPublished(conditions=command.conditions, rule=rules.complete.rule),)


def _no_such_change(this: Tournament, command: m.PublishConditions) -> Refusal | None:
    """Why what the conditions change of the law cannot be changed so, in any version of the game."""
    rule = this.rules.modifications.rule
    for change in command.conditions.modifications:
        why = unknown_change(change, rule)
        if why:
            return Refusal(f"{change.rule}: {why}", rule)
    return None


def approve(this: Tournament, command: m.RecordApproval) -> Answer:
    law = this.rules.approver
    if this.terms is None:
        return Refusal("there are no conditions to approve", law.rule)
    if command.approver != law.value or not command.reference.strip():
        return Refusal(f"the conditions need the approval of the {law.value} in writing", law.rule)
    approved = m.ConditionsApproved(approver=command.approver, reference=command.reference, rule=law.rule)
    return (approved,)


def check_in(this: Tournament, command: m.CheckIn) -> Answer:
    law = this.rules.presence
    if command.person not in conductors(this) or command.person in this.present:
        return Refusal(f"{command.person} cannot come to conduct the tournament", law.rule)
    came = m.Present(person=command.person, present=True, rule=law.rule)
    resumed = this.playing and not conducting(this)
    return (came, m.SessionResumed(person=command.person, rule=law.rule)) if resumed else (came,)


def check_out(this: Tournament, command: m.CheckOut) -> Answer:
    law = this.rules.presence
    if command.person not in this.present:
        return Refusal(f"{command.person} is not there", law.rule)
    went = m.Present(person=command.person, present=False, rule=law.rule)
    paused = law.value and this.playing and conducting(this) == {command.person}
    return (went, m.SessionPaused(rule=law.rule)) if paused else (went,)


# ---------------------------------------------------------------- getting in


def enter(this: Tournament, command: m.Enter, terms: Stated) -> Answer:
    player, rule = command.player, item(this, "entry")
    if this.rounds_ended or this.play is not None:
        return Refusal("entries are closed: the draw was made", rule)
    if not is_name(player) or _has_entered(this, player):
        return Refusal(f"{player!r:.40} cannot enter", rule)
    refusal = _ineligible(this, command, terms)
    if refusal:
        return refusal
    inside = sum(entrant.status == "in" for entrant in this.entrants.values())
    if inside >= terms.entry.most_players:
        return Refusal(f"there are {terms.entry.most_players} players already", rule)
    fee = Transfer(entrant_account(player), fees_of(this.name), terms.entry_fee, item(this, "entry_fee"))
    return (m.PlayerEntered(player=player, fee=terms.entry_fee, rule=rule, transfers=moves(fee)),)


def _has_entered(this: Tournament, player: str) -> bool:
    """Whether an entry stands or stood; one that was withdrawn is as if it had not been made."""
    return called_so(player, (each.name for each in this.entrants.values() if each.status != "withdrawn"))


def _ineligible(this: Tournament, command: m.Enter, terms: Stated) -> Refusal | None:
    rules, wanted = this.rules, terms.eligibility
    if rules.entitled.value and not command.entitled:
        return Refusal(f"{command.player} is not entitled to enter the casino and gamble", rules.entitled.rule)
    if called_so(command.player, this.refused):
        return Refusal(f"{command.player} was refused", rules.refusing.rule)
    missed = [text for text in wanted.criteria if wanted.criteria_apply and text not in command.meets]
    if rules.criteria.value and missed:
        return Refusal(f"{command.player} does not meet: {missed[0]}", rules.criteria.rule)
    if not command.form_filed:
        return Refusal(f"no application form of {command.player}", item(this, "entry"))
    return None


def refuse_entry(this: Tournament, command: m.RefuseEntry, terms: Stated) -> Answer:
    law = this.rules.refusing
    if not terms.eligibility.right_to_refuse:
        return Refusal("the right to refuse was not reserved", law.rule)
    if _has_entered(this, command.player):
        return Refusal(f"{command.player} has entered already", law.rule)
    return (m.EntryRefused(player=command.player, rule=law.rule),)


def brief(this: Tournament, command: m.Brief) -> Answer:
    law = this.rules.briefing
    if law.value and not command.satisfied:
        return Refusal("the director is not satisfied that the players understand", law.rule)
    unknown = [player for player in command.players if player not in this.entrants]
    if unknown or not command.players:
        return Refusal(f"{unknown[0] if unknown else 'nobody'} is no player to brief", law.rule)
    return (m.PlayersBriefed(players=command.players, rule=law.rule),)


def require_signatures(this: Tournament) -> Answer:
    law = this.rules.signature
    if not law.value or this.signatures:
        return Refusal("signatures are not to be required", law.rule)
    return (m.SignaturesRequired(rule=law.rule),)


def sign(this: Tournament, entrant: Entrant) -> Answer:
    law = this.rules.signature
    if entrant.signed:
        return Refusal(f"{entrant.name} has signed", law.rule)
    return (m.ConditionsSigned(player=entrant.name, rule=law.rule),)


# ---------------------------------------------------------------- getting out, and in again


def withdraw(this: Tournament, entrant: Entrant, terms: Stated, *, at_ms: int) -> Answer:
    """Within the period that the conditions give, all of the fee comes back."""
    rule = item(this, "entry")
    if entrant.status != "in" or this.rounds_ended or this.play is not None:
        return Refusal(f"{entrant.name} cannot withdraw any more", rule)
    if at_ms > terms.entry.withdraw_until_ms:
        return _left(this, entrant, how="withdrawn", terms=terms)
    back = Transfer(fees_of(this.name), entrant_account(entrant.name), entrant.fee_cents, rule)
    left = m.PlayerLeft(
        player=entrant.name, how="withdrawn", refund=entrant.fee_cents, rule=rule, transfers=moves(back)
    )
    return (left,)


def retire(this: Tournament, entrant: Entrant, terms: Stated) -> Answer:
    if entrant.status != "in" or not terms.leaving.retirement or this.finished:
        return Refusal(f"{entrant.name} cannot retire", item(this, "leaving"))
    return _left(this, entrant, how="retired", terms=terms)


def disqualify(this: Tournament, command: m.Disqualify, entrant: Entrant, terms: Stated) -> Answer:
    rule = item(this, "leaving")
    if command.ground not in terms.leaving.grounds:
        return Refusal(f"{command.ground!r} is no ground in the conditions", rule)
    if entrant.status not in ("in", "out") or this.over:
        return Refusal(f"{entrant.name} has left", rule)
    return _left(this, entrant, how="disqualified", terms=terms, ground=command.ground)


def _left(this: Tournament, entrant: Entrant, *, how: str, terms: Stated, ground: str = "") -> Events:
    rule, account = item(this, "leaving"), entrant_account(entrant.name)
    fee = _part(entrant.fee_cents, terms.leaving.fee_refund)
    buy_ins = _part(entrant.buy_ins_cents, terms.leaving.buy_in_refund)
    back = moves(
        Transfer(fees_of(this.name), account, fee, rule), Transfer(buy_ins_of(this.name), account, buy_ins, rule)
    )
    left = m.PlayerLeft(player=entrant.name, how=how, refund=fee + buy_ins, ground=ground, rule=rule, transfers=back)
    return (left,)


def _part(cents: Cents, hundredths: int) -> Cents:
    return ceil_to_chips(Fraction(cents * hundredths, ALL_OF_IT), 1)


def buy_back(this: Tournament, entrant: Entrant, terms: Stated) -> Answer:
    rule, offered = item(this, "buy_back"), terms.buy_back
    if entrant.status != "out":
        return Refusal(f"{entrant.name} is not eliminated", rule)
    after_round = entrant.reached[0]
    if this.play is not None or this.finished or after_round != this.rounds_ended:
        return Refusal(f"the time for {entrant.name} to buy back is over", rule)
    if after_round not in offered.after_rounds or entrant.buy_backs >= offered.times:
        return Refusal(f"{entrant.name} may not buy back after round {after_round}", rule)
    paid = Transfer(entrant_account(entrant.name), buy_ins_of(this.name), offered.fee, rule)
    return (m.BoughtBack(player=entrant.name, fee=offered.fee, rule=rule, transfers=moves(paid)),)


def nominate(this: Tournament, command: m.NominateSubstitute, entrant: Entrant, terms: Stated) -> Answer:
    law = this.rules.substitutes
    if not law.value or not terms.substitutes:
        return Refusal("the conditions do not let anybody play for another", law.rule)
    if not is_name(command.substitute) or called_so(command.substitute, this.entrants):
        return Refusal(f"{command.substitute!r:.40} cannot play for {entrant.name}", law.rule)
    refusal = _has_a_position(this, command.substitute, entrant)
    return refusal or (m.SubstituteNominated(player=entrant.name, substitute=command.substitute, rule=law.rule),)


def approve_substitute(this: Tournament, entrant: Entrant) -> Answer:
    law = this.rules.substitutes
    if not entrant.nominated or entrant.substitute:
        return Refusal(f"{entrant.name} has nobody to approve", law.rule)
    refusal = _has_a_position(this, entrant.nominated, entrant)
    return refusal or (m.SubstituteApproved(player=entrant.name, substitute=entrant.nominated, rule=law.rule),)


def _has_a_position(this: Tournament, person: str, entrant: Entrant) -> Refusal | None:
    """A substitute takes one allotted position: who has that of another who is still in cannot take this one too."""
    others = [each for each in this.entrants.values() if each.name != entrant.name and each.status == "in"]
    taken = next((each.name for each in others if plain(each.substitute) == plain(person)), "")
    reason = f"{person:.40} takes the position of {taken} already"
    return Refusal(reason, this.rules.substitutes.rule) if taken else None
