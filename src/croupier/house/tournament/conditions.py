"""The conditions that an operator must state before a tournament can be held.

The gazette fixes what the conditions must speak of; what they say is the operator's.  So the
conditions are plain data, every part of which may be blank, and `flaw` finds the first item that is missing or makes no
sense, with the rule that asks for it.  Blank is not the same as none: an entry fee of nothing is stated, no entry fee
is not.  Tournament chips are counted in units of their own and are not money, unless the conditions turn them into
cash.  By reading, the conditions change only those rules of the game that they list, and none on tournaments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final, Literal

import msgspec

from croupier.game import Refusal
from croupier.law.editions import EDITIONS
from croupier.law.inventory import edition_of, exists, section
from croupier.law.model import present
from croupier.law.tournament import TournamentRules
from croupier.money import LARGEST_AMOUNT, Cents, dollars

ALL_OF_IT: Final = 10_000
"""Refunds are in hundredths of a percent."""

# ---------------------------------------------------------------- the conditions


class ConditionsPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of the parts of conditions."""


class ChipTerms(ConditionsPart, frozen=True):
    """Chips for each entrant at the start of a round, the buy-in for them, and what becomes of them at its end.

    `cash` pays `chip_cents` for each chip; `carried` adds them to the next allocation; `collected` takes them back.
    """

    start: int
    buy_in: Cents
    disposition: Literal["", "collected", "carried", "cash"]
    chip_cents: Cents = 0


class WagerTerms(ConditionsPart, frozen=True):
    """Whether every hand must be wagered on, and the least and the most chips on a hand (0: no most)."""

    compulsory: bool
    minimum: int = 1
    maximum: int = 0


class RoundTerms(ConditionsPart, frozen=True):
    """A round: its start, how long it is in hands or minutes (0: not limited so), its tables, who goes on from it.

    `progress` go on from each table and `best_others` of the rest; nobody goes on from the last round.  A repechage is
    played by those whom the round before eliminated.
    """

    starts_ms: int
    hands: int
    minutes: int
    tables: int
    seats: int
    progress: int = 0
    best_others: int = 0
    repechage: bool = False


class Structure(ConditionsPart, frozen=True):
    """The rounds; `ties` for the last place that goes on, and the notice that a new starting time takes."""

    rounds: tuple[RoundTerms, ...]
    ties: Literal["all go on", "drawn"] = "drawn"
    notice_minutes: int = 0


class SecretTerms(ConditionsPart, frozen=True):
    each_round: int
    how: str = ""


class BuyBackTerms(ConditionsPart, frozen=True):
    """How often an eliminated player may buy back, after which rounds, for what, and how."""

    times: int
    after_rounds: tuple[int, ...] = ()
    fee: Cents = 0
    how: str = ""


class Eligibility(ConditionsPart, frozen=True):
    """The statement that only those may enter who may be in a casino and gamble, and the other two if they apply."""

    entitled_only: str
    right_to_refuse: bool = False
    may_refuse: str = ""
    criteria_apply: bool = False
    criteria: tuple[str, ...] = ()


class EntryTerms(ConditionsPart, frozen=True):
    withdraw_until_ms: int
    form: str
    least_players: int
    most_players: int


class LeavingTerms(ConditionsPart, frozen=True):
    """The grounds for disqualification, whether one may retire, and what then comes back of fee and buy-ins."""

    grounds: tuple[str, ...]
    retirement: bool
    fee_refund: int = 0
    buy_in_refund: int = 0


class LateTerms(ConditionsPart, frozen=True):
    """How late is still in time, and what follows for those who come later, or not at all."""

    grace_minutes: int
    late: Literal["plays on", "eliminated"]
    absent: Literal["keeps place", "eliminated"]


class Modification(ConditionsPart, frozen=True):
    """A rule of the game that these conditions exclude or change, and how.

    With a `path`, the law of that name has this `value` at the tables of the tournament; see `hands.py`.
    """

    rule: str
    says: str
    path: str = ""
    value: str | int | bool | list[str] | None = None


class Conditions(ConditionsPart, frozen=True):
    """All that the law asks for; None or empty is blank.  `prizes` are in cents, from the first place on."""

    entry_fee: Cents | None = None
    chips: ChipTerms | None = None
    wager: WagerTerms | None = None
    structure: Structure | None = None
    secret_wagers: SecretTerms | None = None
    buy_back: BuyBackTerms | None = None
    eligibility: Eligibility | None = None
    entry: EntryTerms | None = None
    leaving: LeavingTerms | None = None
    lateness: LateTerms | None = None
    prizes: tuple[Cents, ...] = ()
    precedence: str = ""
    substitutes: bool = True
    modifications: tuple[Modification, ...] = ()


class Stated(msgspec.Struct, frozen=True):
    """Conditions of which every part is stated."""

    entry_fee: Cents
    chips: ChipTerms
    wager: WagerTerms
    structure: Structure
    secret_wagers: SecretTerms
    buy_back: BuyBackTerms
    eligibility: Eligibility
    entry: EntryTerms
    leaving: LeavingTerms
    lateness: LateTerms
    prizes: tuple[Cents, ...]
    precedence: str
    substitutes: bool
    modifications: tuple[Modification, ...]


def stated(conditions: Conditions) -> Stated:
    """The conditions, known to be without blanks."""
    return msgspec.convert(msgspec.to_builtins(conditions), Stated)


# ---------------------------------------------------------------- what is wrong with them


def flaw(rules: TournamentRules, conditions: Conditions) -> Refusal | None:
    """The first item that is blank or makes no sense, in the order of the law."""
    for name, law in rules.items.items():
        part = getattr(conditions, name)
        if not law.value:
            continue
        if part is None or part in ("", ()):
            return Refusal(f"the conditions do not state: {name.replace('_', ' ')}", law.rule)
        wrong = WRONG[name](part) if name in WRONG else ""
        if wrong:
            return Refusal(f"{name.replace('_', ' ')}: {wrong}", law.rule)
    return (
        _flaw_of_eligibility(rules, conditions.eligibility)
        or _flaw_of_room(rules, conditions)
        or _flaw_of_changes(rules, conditions)
    )


def _flaw_of_eligibility(rules: TournamentRules, terms: Eligibility | None) -> Refusal | None:
    if terms is None:
        return None
    if rules.entitled.value and not terms.entitled_only.strip():
        return Refusal("no statement that only persons entitled to gamble may enter", rules.entitled.rule)
    if rules.refusing.value and terms.right_to_refuse and not terms.may_refuse.strip():
        return Refusal("the right to refuse is reserved but not stated", rules.refusing.rule)
    if rules.criteria.value and terms.criteria_apply and not any(text.strip() for text in terms.criteria):
        return Refusal("criteria apply but are not stated", rules.criteria.rule)
    return None


def _flaw_of_room(rules: TournamentRules, conditions: Conditions) -> Refusal | None:
    """A round must have seats for all who may come to it, be it the most entrants or those who go on.

    Where all who tie go on, that may be everybody.
    """
    if conditions.structure is None or conditions.entry is None:
        return None
    most, rounds, back = conditions.entry.most_players, conditions.structure.rounds, conditions.buy_back
    due, out = most, 0
    for number, terms in enumerate(rounds, 1):
        players, room = out if terms.repechage else due, terms.tables * terms.seats
        bought = back is not None and back.times > 0 and number - 1 in back.after_rounds
        if players > room:
            law = rules.items["buy_back" if bought and not terms.repechage else "structure"]
            return Refusal(f"round {number} has {room} seats for {players} players", law.rule)
        all_who_tie = conditions.structure.ties == "all go on" and number < len(rounds)
        on = players if all_who_tie else min(players, terms.tables * terms.progress + terms.best_others)
        due, out = (min(due + on, most), out - on) if terms.repechage else (on, due - on)
        if back is not None and back.times and number in back.after_rounds:
            due = min(due + out, most)
    return None


def _has_tournaments(edition: str) -> bool:
    return edition in EDITIONS and present(EDITIONS[edition].tournament)


def _flaw_of_changes(rules: TournamentRules, conditions: Conditions) -> Refusal | None:
    law = rules.modifications
    for change in conditions.modifications:
        if not law.value or not exists(change.rule) or not _has_tournaments(edition_of(change.rule)):
            return Refusal(f"{change.rule} is no rule of the game that could be changed", law.rule)
        if section(change.rule) == section(law.rule):
            return Refusal(f"{change.rule} is on tournaments, and conditions comply with it", rules.approver.rule)
        if not change.says.strip() or bool(change.path) != (change.value is not None):
            return Refusal(f"{change.rule}: not said how it is changed", law.rule)
    return None


def _amount(cents: Cents) -> bool:
    return 0 <= cents <= LARGEST_AMOUNT


def _fee_wrong(fee: Cents) -> str:
    return "" if _amount(fee) else dollars(fee)


def _chips_wrong(terms: ChipTerms) -> str:
    if not 0 < terms.start <= LARGEST_AMOUNT or not _amount(terms.buy_in):
        return f"{terms.start} chips for a buy-in of {dollars(terms.buy_in)}"
    if not terms.disposition:
        return "what becomes of the chips is not stated"
    if terms.disposition == "cash" and not 0 < terms.chip_cents <= LARGEST_AMOUNT:
        return "chips become cash, but not what they are worth"
    return ""


def _wager_wrong(terms: WagerTerms) -> str:
    if terms.minimum < 1 or (terms.maximum and terms.maximum < terms.minimum):
        return f"{terms.minimum} to {terms.maximum} chips"
    return ""


def _structure_wrong(structure: Structure) -> str:
    if not structure.rounds:
        return "no rounds"
    if structure.notice_minutes < 0:
        return f"a notice of {structure.notice_minutes} minutes"
    for number, terms in enumerate(structure.rounds, 1):
        last = number == len(structure.rounds)
        if min(terms.hands, terms.minutes, terms.progress, terms.best_others) < 0 or not (terms.hands or terms.minutes):
            return f"round {number} has no end"
        if terms.tables < 1 or terms.seats < 1:
            return f"round {number} has no seats"
        if last == bool(terms.progress or terms.best_others):
            return f"round {number} is {'the last, and some go on' if last else 'not the last, and nobody goes on'}"
        if terms.repechage and (number == 1 or last):
            return f"round {number} cannot be a repechage"
    return ""


def _secret_wrong(terms: SecretTerms) -> str:
    if terms.each_round < 0:
        return f"{terms.each_round} a round"
    return "how they are made is not stated" if terms.each_round and not terms.how.strip() else ""


def _buy_back_wrong(terms: BuyBackTerms) -> str:
    if terms.times < 0 or not _amount(terms.fee):
        return f"{terms.times} times for {dollars(terms.fee)}"
    if terms.times and not (terms.after_rounds and terms.how.strip()):
        return "when and how is not stated"
    return ""


def _entry_wrong(terms: EntryTerms) -> str:
    if not terms.form.strip():
        return "no application form"
    if not 1 <= terms.least_players <= terms.most_players:
        return f"{terms.least_players} to {terms.most_players} players"
    return ""


def _leaving_wrong(terms: LeavingTerms) -> str:
    if not any(ground.strip() for ground in terms.grounds):
        return "no ground for disqualification"
    if not (0 <= terms.fee_refund <= ALL_OF_IT and 0 <= terms.buy_in_refund <= ALL_OF_IT):
        return "a refund is from nothing to all of it"
    return ""


def _late_wrong(terms: LateTerms) -> str:
    return f"a grace of {terms.grace_minutes} minutes" if terms.grace_minutes < 0 else ""


def _prizes_wrong(prizes: tuple[Cents, ...]) -> str:
    fall = all(here >= below for here, below in pairwise(prizes))
    return "" if fall and all(0 < cents <= LARGEST_AMOUNT for cents in prizes) else "a prize below a lower place's"


def _precedence_wrong(text: str) -> str:
    return "" if text.strip() else "the statement that the rules prevail is blank"


WRONG: Mapping[str, Callable[..., str]] = {
    "entry_fee": _fee_wrong,
    "chips": _chips_wrong,
    "wager": _wager_wrong,
    "structure": _structure_wrong,
    "secret_wagers": _secret_wrong,
    "buy_back": _buy_back_wrong,
    "entry": _entry_wrong,
    "leaving": _leaving_wrong,
    "lateness": _late_wrong,
    "prizes": _prizes_wrong,
    "precedence": _precedence_wrong,
}
