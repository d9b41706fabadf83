"""A tournament in words: every item of its conditions with its rule, and every line of its journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from croupier.floor.rooms.tournament import answers as a
from croupier.house.tournament import messages as m
from croupier.house.tournament.conditions import ALL_OF_IT, ChipTerms, RoundTerms, Stated
from croupier.law.tournament import TournamentRules
from croupier.money import balance

# ---------------------------------------------------------------- the conditions in words


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def items(rules: TournamentRules, terms: Stated) -> Iterator[a.SaidItem]:
    """Every item in the order of the law, then what the law lets conditions say besides."""
    law, words = rules.items, _words(terms)
    for name, item in law.items():
        if name == "structure":
            yield from _rounds_said(terms, item.rule)
            continue
        at_ms = terms.entry.withdraw_until_ms if name == "entry" else 0
        yield a.SaidItem(name.replace("_", " ").capitalize(), words[name], item.rule, at_ms)
    substitutes = "Allowed, with the director's approval" if terms.substitutes else "Nobody plays for another"
    yield a.SaidItem("Substitutes", substitutes, rules.substitutes.rule)
    for change in terms.modifications:
        yield a.SaidItem(f"Changes {change.rule}", change.says, rules.modifications.rule)


def _words(terms: Stated) -> Mapping[str, str]:
    return {
        "entry_fee": balance(terms.entry_fee) if terms.entry_fee else "None",
        "chips": _chips(terms.chips),
        "wager": _wager(terms),
        "secret_wagers": _secret(terms),
        "buy_back": _buy_back(terms),
        "eligibility": _eligibility(terms),
        "entry": f"{terms.entry.least_players} to {terms.entry.most_players} players; application: {terms.entry.form};"
        " withdrawal without penalty until",
        "leaving": _leaving(terms),
        "lateness": f"{_count(terms.lateness.grace_minutes, 'minute')} of grace; who comes later"
        f" {'plays on' if terms.lateness.late == 'plays on' else 'is eliminated'}, who does not come"
        f" {'keeps the place' if terms.lateness.absent == 'keeps place' else 'is eliminated'}",
        "prizes": ", ".join(map(balance, terms.prizes)),
        "precedence": terms.precedence,
    }


def _chips(chips: ChipTerms) -> str:
    ends = {
        "collected": "taken back at its end",
        "carried": "carried into the next round",
        "cash": f"turned into cash at its end, {balance(chips.chip_cents)} a chip",
    }
    paid = f"for {balance(chips.buy_in)}" if chips.buy_in else "without a buy-in"
    return f"{_count(chips.start, 'chip')} each round, {paid}; {ends.get(chips.disposition, '')}"


def _wager(terms: Stated) -> str:
    wager = terms.wager
    amount = f"{wager.minimum:,} to {wager.maximum:,} chips" if wager.maximum else f"at least {wager.minimum:,} chips"
    return f"{'Compulsory on every hand' if wager.compulsory else 'Not compulsory'}, {amount}"


def _rounds_said(terms: Stated, rule: str) -> Iterator[a.SaidItem]:
    last = len(terms.structure.rounds)
    for number, each in enumerate(terms.structure.rounds, 1):
        title = f"Round {number}" + (", repechage" if each.repechage else ", the last" if number == last else "")
        yield a.SaidItem(title, _round_said(each), rule, each.starts_ms)
    ties = "a draw decides" if terms.structure.ties == "drawn" else "all go on"
    notice = _count(terms.structure.notice_minutes, "minute")
    yield a.SaidItem("Ties and notice", f"Tied for the last place: {ties}; a new starting time takes {notice}", rule)


def _round_said(each: RoundTerms) -> str:
    limits = [_count(each.hands, "hand")] * bool(each.hands) + [_count(each.minutes, "minute")] * bool(each.minutes)
    on = [f"{each.progress} of each table"] * bool(each.progress)
    on += [f"{each.best_others} best of the others"] * bool(each.best_others)
    further = f"; go on: {', '.join(on)}" if on else ""
    where = f"{_count(each.tables, 'table')} of {_count(each.seats, 'seat')}"
    return f"{' or '.join(limits)} at {where}{further}; from"


def _secret(terms: Stated) -> str:
    secret = terms.secret_wagers
    return f"{secret.each_round} a round, {secret.how}" if secret.each_round else "None"


def _buy_back(terms: Stated) -> str:
    back = terms.buy_back
    if not back.times:
        return "None"
    after = " and ".join(map(str, back.after_rounds))
    return f"{_count(back.times, 'time')}, after round {after}, for {balance(back.fee)}, {back.how}"


def _eligibility(terms: Stated) -> str:
    wanted = terms.eligibility
    said = [wanted.entitled_only, wanted.may_refuse if wanted.right_to_refuse else ""]
    said += [f"criteria: {', '.join(wanted.criteria)}"] if wanted.criteria_apply else []
    return "; ".join(filter(None, said))


def _leaving(terms: Stated) -> str:
    leaving, percent = terms.leaving, ALL_OF_IT // 100
    back = f"{leaving.fee_refund // percent} % of the fee and {leaving.buy_in_refund // percent} % of the buy-ins"
    retiring = "one may retire" if leaving.retirement else "nobody may retire"
    return f"Grounds for disqualification: {', '.join(leaving.grounds)}; {retiring}; {back} come back"


# ---------------------------------------------------------------- the journal in words

WORDS: Final[Mapping[type[m.AnyEvent], str]] = {
    m.DirectorAppointed: "{person} is the director",
    m.DeputyNamed: "{person} is a deputy",
    m.ConditionsPublished: "the conditions are stated",
    m.ConditionsApproved: "the {approver} approved the conditions: {reference}",
    m.PlayerEntered: "{player} entered",
    m.EntryRefused: "{player} was refused",
    m.PlayerLeft: "{player} is {how}",
    m.BoughtBack: "{player} bought back",
    m.Present: "{person}",
    m.SessionPaused: "play is paused",
    m.SessionResumed: "play goes on",
    m.PlayersBriefed: "{players} briefed",
    m.SignaturesRequired: "every player must sign the conditions",
    m.ConditionsSigned: "{player} signed the conditions",
    m.TablesDesignated: "tables designated: {tables}",
    m.StartAltered: "round {round} starts at another time",
    m.SeatsDrawn: "the seats of round {round} were drawn",
    m.RoundStarted: "round {round} began",
    m.ChipsAllocated: "{chips} chips for {player}",
    m.SubstituteNominated: "{player} nominated {substitute}",
    m.SubstituteApproved: "{substitute} may play for {player}",
    m.SeatTaken: "{person} sat down for {player}",
    m.ShutOut: "{player} came too late",
    m.HandPlayed: "hand {hand} was played at {table}",
    m.HandCorrected: "hand {hand} at {table} is told anew, {reason}",
    m.Flagged: "{player}: {about}",
    m.ModificationApplied: "instead of {changed}: {says}",
    m.OrdinaryPlayAllowed: "ordinary play at {table}",
    m.TableEnded: "the round is over at {table}",
    m.PlayerProgressed: "{player} stays in after round {from_round}",
    m.PlayerEliminated: "{player} is out in round {round} with {chips} chips",
    m.ChipsDisposed: "{chips} chips of {player}: {how}",
    m.RoundEnded: "round {round} is over",
    m.PrizeAwarded: "{player} is number {place} and gets {amount}",
    m.TournamentEnded: "the tournament is over",
}


def said(event: m.AnyEvent) -> str:
    """An event in words."""
    parts = {name: _part(name, value) for name, value in msgspec.structs.asdict(event).items()}
    further = ""
    match event:
        case m.Present(present=there):
            further = " is there" if there else " went away"
        case m.PlayerLeft(ground=ground) if ground:
            further = f": {ground}"
        case m.SeatTaken(player=player, person=person) if player == person:
            return f"{player} sat down" + (", late" if event.late_ms else "")
        case m.TableEnded(early=True):
            further = ", early"
        case m.RoundEnded(drawn=drawn) if drawn:
            further = f"; a tie was drawn: {', '.join(drawn)}"
        case m.SeatsDrawn(seats=seats):
            further = ": " + ", ".join(f"{name} {table} seat {seat}" for name, (table, seat) in sorted(seats.items()))
        case m.HandPlayed(played=played) | m.HandCorrected(played=played):
            results = (f"{name} {each.returned - each.stake:+,}" for name, each in sorted(played.items()))
            further = f": {', '.join(results)}"
        case _:
            pass
    return WORDS[type(event)].format(**parts) + further


def _part(name: str, value: object) -> object:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return balance(value) if name == "amount" and isinstance(value, int) else value
