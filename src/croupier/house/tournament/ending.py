"""The end of a table, of a round and of a tournament: who goes on, what becomes of the chips, and the prizes.

A round ends at a table when its hands or its time are used up; before that only when it is decided who goes on from
there, and where chips become cash only if all at the table agree.  It is decided when no more players have chips than
can go on, since nobody without chips can win any; chips on a Run that goes on are still a player's.

The most chips go on, and only players who have some.  A tie for the last place is settled as the conditions say: all go
on, or the director draws.  Equals in the final order share the prizes of the places they take together; cents that do
not divide go to those who entered first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from croupier.game import Refusal
from croupier.house.tournament import messages as m
from croupier.house.tournament.conditions import RoundTerms, Stated
from croupier.house.tournament.entry import item
from croupier.house.tournament.messages import Events
from croupier.house.tournament.play import MINUTE_MS, used_up
from croupier.house.tournament.state import InPlay, Tournament, due_to_play, entrant_account, standings
from croupier.journal.accounts import HOUSE, moves
from croupier.journal.messages import Transfer
from croupier.money import Cents

Answer: TypeAlias = Events | Refusal

# ---------------------------------------------------------------- the end of a round


def counts(this: Tournament, play: InPlay, terms: Stated, player: str) -> bool:
    """Whether a player can still go on: has chips, some of them perhaps on a Run, and came or may stay away."""
    on_runs = play.going.get(play.seats[player][0], {}).get(player, 0)
    return not _away(play, terms, player) and this.entrants[player].chips + on_runs > 0


def _away(play: InPlay, terms: Stated, player: str) -> bool:
    """Whether the conditions put a player out for not having come, or not in time."""
    return player in play.shut_out or (player not in play.seated and terms.lateness.absent == "eliminated")


def end_table(this: Tournament, command: m.EndTable, terms: Stated, *, at_ms: int) -> Answer:
    play, rule = this.play, item(this, "structure")
    if play is None or play.started_ms is None or command.table not in play.tables - play.ended:
        return Refusal(f"no round is played at {command.table}", rule)
    if used_up(this, play, command.table, at_ms=at_ms):
        return (m.TableEnded(table=command.table, returned=dict(play.going.get(command.table, {})), rule=rule),)
    early = m.TableEnded(
        table=command.table,
        early=True,
        returned=dict(play.going.get(command.table, {})),
        rule=this.rules.early_end.rule,
    )
    return _too_early(this, play, command, terms, at_ms=at_ms) or (early,)


def _too_early(this: Tournament, play: InPlay, command: m.EndTable, terms: Stated, *, at_ms: int) -> Refusal | None:
    """Why it is too early; who may still come in time has chips to play with."""
    rules, players = this.rules, play.at(command.table)
    progress = this.round_terms(this.round)
    awaited = at_ms <= (play.started_ms or 0) + terms.lateness.grace_minutes * MINUTE_MS
    alive = [
        player
        for player in players
        if counts(this, play, terms, player) or (awaited and player not in {*play.seated, *play.shut_out})
    ]
    if not rules.early_end.value:
        return Refusal("a round is played to its end", rules.early_end.rule)
    if rules.decided.value and progress and len(alive) > max(progress.progress, 1):
        return Refusal(f"it is not decided who goes on from {command.table}", rules.decided.rule)
    dissent = set(players) - set(command.agreed)
    if rules.agreed.value and terms.chips.disposition == "cash" and dissent:
        return Refusal(f"chips become cash, and {min(dissent)} does not agree", rules.agreed.rule)
    return None


def end_round(this: Tournament, command: m.EndRound, terms: Stated) -> Answer:
    play, progress, rule = this.play, this.round_terms(this.round), item(this, "structure")
    if play is None and progress and progress.repechage and not due_to_play(this):
        return (m.RoundEnded(round=this.round, rule=rule),)
    if play is None or play.started_ms is None or progress is None:
        return Refusal("no round is played", rule)
    if play.tables - play.ended:
        return Refusal(f"the round goes on at {min(play.tables - play.ended)}", rule)
    on = going_on(this, play, terms, progress, drawn=command.drawn)
    if isinstance(on, Refusal):
        return on
    last = this.round == len(terms.structure.rounds)
    ends = tuple(_end_of(this, play, terms, player, on=on, last=last) for player in sorted(due_to_play(this)))
    disposed = tuple(_disposed(this, terms, player) for player in sorted(play.seats))
    # The draw is told only where it settled anything: without it, the round could not have ended.
    tied = isinstance(going_on(this, play, terms, progress), Refusal)
    return (*ends, *disposed, m.RoundEnded(round=this.round, drawn=command.drawn if tied else (), rule=rule))


def going_on(
    this: Tournament, play: InPlay, terms: Stated, progress: RoundTerms, *, drawn: Sequence[str] = ()
) -> frozenset[str] | Refusal:
    """Who goes on: the best of each table, then the best of the others."""
    on: set[str] = set()
    groups = [(play.at(table), progress.progress) for table in sorted(play.tables)]
    for players, most in groups:
        best = _best(this, play, terms, players, most=most, drawn=drawn)
        if isinstance(best, Refusal):
            return best
        on |= best
    others = [player for player in sorted(play.seats) if player not in on]
    best = _best(this, play, terms, others, most=progress.best_others, drawn=drawn)
    return best if isinstance(best, Refusal) else frozenset(on | best)


def _best(
    this: Tournament, play: InPlay, terms: Stated, players: Sequence[str], *, most: int, drawn: Sequence[str]
) -> set[str] | Refusal:
    """The players with the most chips, not more than `most` of them unless all who tie go on."""
    alive = [player for player in players if counts(this, play, terms, player)]
    if not most or len(alive) <= most:
        return set(alive) if most else set()
    line = sorted((this.entrants[player].chips for player in alive), reverse=True)[most - 1]
    above = {player for player in alive if this.entrants[player].chips > line}
    tied = [player for player in alive if this.entrants[player].chips == line]
    if len(above) + len(tied) <= most or terms.structure.ties == "all go on":
        return above | set(tied)
    if not set(tied) <= set(drawn):
        return Refusal(f"{' and '.join(sorted(tied))} tie, and a draw decides", item(this, "structure"))
    return above | set(sorted(tied, key=list(drawn).index)[: most - len(above)])


def _end_of(
    this: Tournament, play: InPlay, terms: Stated, player: str, *, on: frozenset[str], last: bool
) -> m.PlayerProgressed | m.PlayerEliminated:
    """What the round was for a player; those who were due and did not come in time take no chips into the ranking."""
    if (player in on or (last and player in play.seats)) and not _away(play, terms, player):
        return m.PlayerProgressed(player=player, from_round=this.round, rule=item(this, "structure"))
    if player not in play.seated:
        return m.PlayerEliminated(player=player, round=this.round, chips=0, rule=item(this, "lateness"))
    chips = this.entrants[player].chips
    return m.PlayerEliminated(player=player, round=this.round, chips=chips, rule=item(this, "structure"))


def _disposed(this: Tournament, terms: Stated, player: str) -> m.ChipsDisposed:
    how, rule, chips = terms.chips.disposition, item(this, "chips"), this.entrants[player].chips
    cash = chips * terms.chips.chip_cents if how == "cash" else 0
    paid = moves(Transfer(HOUSE, entrant_account(player), cash, rule))
    kept = chips if how == "carried" else 0
    return m.ChipsDisposed(player=player, chips=chips, how=how, kept=kept, rule=rule, transfers=paid)


# ---------------------------------------------------------------- prizes


def award(this: Tournament, terms: Stated) -> Answer:
    rule = item(this, "prizes")
    if not this.finished and (this.play is not None or not this.rounds_ended or due_to_play(this)):
        return Refusal("not all rounds have been played", rule)
    return (
        *(
            m.PrizeAwarded(
                player=player, place=place, amount=amount, rule=rule,
                transfers=(Transfer(HOUSE, entrant_account(player), amount, rule),),
            )
            for place, player, amount in shares(this, terms.prizes)
        ),
        m.TournamentEnded(rule=rule),
    )  # fmt: skip


def shares(this: Tournament, prizes: Sequence[Cents]) -> tuple[tuple[int, str, Cents], ...]:
    """Place, player and prize; equals share what their places get, odd cents going to who entered first."""
    table, found = standings(this), []
    for first in dict.fromkeys(each.place for each in table):
        equals = [each.player for each in table if each.place == first]
        pot = sum(prizes[first - 1 : first - 1 + len(equals)])
        each, odd = divmod(pot, len(equals))
        found += [(first, player, each + (index < odd)) for index, player in enumerate(equals)]
    return tuple((place, player, amount) for place, player, amount in found if amount)
