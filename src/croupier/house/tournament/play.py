"""Playing a tournament: the draw, the start of a round, and its hands.

The draw gives every player who is due one seat, and fills the tables evenly: that, and the same chips for all, is the
equal chance.  What happens at the tables is told hand by hand in tournament chips; a hand is refused where it is not a
hand that the conditions let these players play, and what it comes to is what the rules of its table say (`hands.py`).
"""

from __future__ import annotations

from typing import TypeAlias

from croupier.game import Refusal
from croupier.house.tournament import messages as m
from croupier.house.tournament.conditions import RoundTerms, Stated
from croupier.house.tournament.entry import item
from croupier.house.tournament.hands import law_of, results
from croupier.house.tournament.messages import Events
from croupier.house.tournament.state import (
    Entrant,
    InPlay,
    Tournament,
    buy_ins_of,
    conducting,
    due_to_play,
    entrant_account,
    without_last,
)
from croupier.journal.accounts import moves
from croupier.journal.messages import Transfer
from croupier.money import LARGEST_AMOUNT

Answer: TypeAlias = Events | Refusal
MINUTE_MS = 60_000

# ---------------------------------------------------------------- before a round


def designate(this: Tournament, command: m.DesignateTables) -> Answer:
    law = this.rules.tables
    if this.play is not None or not command.tables or not all(name.strip() for name in command.tables):
        return Refusal("tables are designated between rounds, by name", law.rule)
    laws = {table: command.laws.get(table, m.TableLaw()) for table in sorted(set(command.tables))}
    for table, choice in laws.items():
        played = law_of(this, table, choice)
        if isinstance(played, Refusal):
            return played
    return (m.TablesDesignated(tables=tuple(laws), laws=laws, rule=law.rule),)


def alter_start(this: Tournament, command: m.AlterStart, terms: Stated, *, at_ms: int) -> Answer:
    """The notice runs from now to the earlier of the two times; a round that has begun keeps its own."""
    law, next_to_start = this.rules.notice, this.round + 1 if this.playing else this.round
    if not law.value or this.finished or command.round < next_to_start:
        return Refusal(f"round {command.round} cannot start at another time", law.rule)
    if this.round_terms(command.round) is None:
        return Refusal(f"there is no round {command.round}", item(this, "structure"))
    untold = _may_play(this, command.round) - set(command.told)
    if untold:
        return Refusal(f"{min(untold)} has not been told", law.rule)
    ahead = min(command.starts_ms, this.starts_ms(command.round)) - at_ms
    if ahead < terms.structure.notice_minutes * MINUTE_MS or ahead <= 0:
        return Refusal(f"a new starting time takes {terms.structure.notice_minutes} minutes of notice", law.rule)
    return (m.StartAltered(round=command.round, starts_ms=command.starts_ms, noticed_ms=at_ms, rule=law.rule),)


def _may_play(this: Tournament, number: int) -> frozenset[str]:
    """Who may come to a round: those due, or for a later one all who play the round in hand or wait for another."""
    waiting = {each.name for each in this.entrants.values() if each.status == "in" and number > this.round}
    return due_to_play(this) | waiting


def draw(this: Tournament, command: m.DrawSeats) -> Answer:
    """The seats for the next round, drawn by hand or otherwise and told here."""
    terms, rule = this.round_terms(this.round), item(this, "structure")
    if terms is None or this.playing:
        return Refusal("no round is to be drawn", rule)
    return (
        _drawn_already(this, terms)
        or _unsigned(this, command)
        or _bad_tables(this, command, terms)
        or _unequal(this, command, terms)
        or (m.SeatsDrawn(round=this.round, seats=command.seats, rule=this.rules.equal_chance.rule),)
    )


def _drawn_already(this: Tournament, terms: RoundTerms) -> Refusal | None:
    """Whoever draws until the seats please has chosen them: a draw stands unless those who are due have changed."""
    law = this.rules.equal_chance
    if this.play is None or not law.value:
        return None
    stands = m.DrawSeats(dict(this.play.seats))
    if _unsigned(this, stands) or _unequal(this, stands, terms):
        return None
    return Refusal(f"the seats of round {this.round} are drawn, and the draw stands", law.rule)


def _unsigned(this: Tournament, command: m.DrawSeats) -> Refusal | None:
    unsigned = [name for name in sorted(command.seats) if name in this.entrants and not this.entrants[name].signed]
    if this.signatures and unsigned:
        return Refusal(f"{unsigned[0]} has not signed the conditions and is not seated", this.rules.signature.rule)
    return None


def _bad_tables(this: Tournament, command: m.DrawSeats, terms: RoundTerms) -> Refusal | None:
    used, law = {table for table, _ in command.seats.values()}, this.rules.tables
    if law.value and not this.tables:
        return Refusal("no tables are designated for the tournament", law.rule)
    if law.value and not used <= this.tables:
        return Refusal(f"{min(used - this.tables)} is not designated for the tournament", law.rule)
    if not 1 <= len(used) <= terms.tables:
        return Refusal(
            f"round {this.round} is played at {terms.tables} tables, not {len(used)}", item(this, "structure")
        )
    return None


def _unequal(this: Tournament, command: m.DrawSeats, terms: RoundTerms) -> Refusal | None:
    law, places = this.rules.equal_chance, list(command.seats.values())
    due = {name for name in due_to_play(this) if this.entrants[name].signed or not this.signatures}
    if not law.value:
        return None
    if set(command.seats) != due:
        return Refusal(f"the draw is for others than those due: {min(set(command.seats) ^ due)}", law.rule)
    if len(set(places)) != len(places) or not all(1 <= seat <= terms.seats for _, seat in places):
        return Refusal(f"each player gets a seat from 1 to {terms.seats}, and only one does", law.rule)
    sizes = [sum(table == name for table, _ in places) for name in {table for table, _ in places}]
    if max(sizes) - min(sizes) > 1:
        return Refusal("the tables are not filled evenly", law.rule)
    return None


def start(this: Tournament, terms: Stated, *, at_ms: int) -> Answer:
    rule = item(this, "structure")
    if this.play is None or this.playing:
        return Refusal("no round is drawn and waiting", rule)
    refusal = _unprepared(this, this.play, terms)
    if refusal:
        return refusal
    if at_ms < this.starts_ms(this.round):
        return Refusal(f"round {this.round} does not start before its time", rule)
    begun = m.RoundStarted(round=this.round, started_ms=at_ms, rule=rule)
    return (begun, *(_allocated(this, player, terms) for player in sorted(this.play.seats)))


def _unprepared(this: Tournament, play: InPlay, terms: Stated) -> Refusal | None:
    rules = this.rules
    if this.round == 1 and len(play.seats) < terms.entry.least_players:
        return Refusal(f"there are not {terms.entry.least_players} players", item(this, "entry"))
    silent = [name for name in sorted(play.seats) if not this.entrants[name].briefed]
    if rules.briefing.value and silent:
        return Refusal(f"{silent[0]} was not briefed", rules.briefing.rule)
    unsigned = [name for name in sorted(play.seats) if this.signatures and not this.entrants[name].signed]
    if unsigned:
        return Refusal(f"{unsigned[0]} has not signed the conditions", rules.signature.rule)
    return absent_director(this)


def absent_director(this: Tournament) -> Refusal | None:
    """Why nothing can be played now: nobody is there to conduct it."""
    law = this.rules.presence
    if law.value and not conducting(this):
        return Refusal("the director is not there, nor a deputy", law.rule)
    return None


def _allocated(this: Tournament, player: str, terms: Stated) -> m.ChipsAllocated:
    rule, chips = item(this, "chips"), terms.chips
    paid = Transfer(entrant_account(player), buy_ins_of(this.name), chips.buy_in, rule)
    return m.ChipsAllocated(player=player, chips=chips.start, buy_in=chips.buy_in, rule=rule, transfers=moves(paid))


def ordinary(this: Tournament, command: m.OrdinaryPlay) -> Answer:
    law = this.rules.exclusive
    if law.value and this.playing and command.table in this.tables:
        return Refusal(f"{command.table} is for the tournament only while a round is played", law.rule)
    return (m.OrdinaryPlayAllowed(table=command.table, rule=law.rule),)


def apply_change(this: Tournament, command: m.ApplyModification, terms: Stated) -> Answer:
    """By reading, only what the approved conditions list is changed; in all else the rules prevail."""
    law = this.rules.modifications
    found = next((change for change in terms.modifications if change.rule == command.rule), None)
    if found is None:
        return Refusal(f"the conditions do not change {command.rule}, so it prevails", law.rule)
    return (m.ModificationApplied(changed=found.rule, says=found.says, rule=law.rule),)


# ---------------------------------------------------------------- a round


def take_seat(this: Tournament, command: m.TakeSeat, entrant: Entrant, terms: Stated, *, at_ms: int) -> Answer:
    play, law, late = this.play, this.rules.substitutes, item(this, "lateness")
    if play is None or entrant.name not in play.seats or entrant.name in {*play.seated, *play.shut_out}:
        return Refusal(f"no seat waits for {entrant.name}", late)
    if play.seats[entrant.name][0] in play.ended:
        return Refusal(f"the round is over at {play.seats[entrant.name][0]}", late)
    entitled = this.rules.entitled
    if entitled.value and not command.entitled:
        return Refusal(f"{command.person} is not entitled to enter the casino and gamble", entitled.rule)
    if law.value and command.person not in (entrant.name, entrant.substitute or entrant.name):
        return Refusal(f"{command.person} is not approved to play for {entrant.name}", law.rule)
    grace = (play.started_ms or 0) + terms.lateness.grace_minutes * MINUTE_MS
    over = max(0, at_ms - grace) if this.playing else 0
    if over and terms.lateness.late == "eliminated":
        return (m.ShutOut(player=entrant.name, late_ms=over, rule=late),)
    rule = late if over else law.rule if command.person != entrant.name else item(this, "structure")
    return (m.SeatTaken(player=entrant.name, person=command.person, late_ms=over, rule=rule),)


def hand(this: Tournament, command: m.RecordHand, terms: Stated, *, at_ms: int) -> Answer:
    """A hand that was played; one without a result, a Dummy Coup for instance, is none of those that the round has."""
    table, rule, play = command.table, item(this, "structure"), _goes_on_at(this, command.table)
    if isinstance(play, Refusal):
        return play
    if used_up(this, play, table, at_ms=at_ms):
        return Refusal(f"the round at {table} has had its hands and time", rule)
    came = _came_to(this, play, table, command.hand, terms)
    if isinstance(came, Refusal):
        return came
    dealt = m.HandPlayed(
        table=table,
        hand=play.hands.get(table, 0) + came.counted,
        played=came.played,
        told=command.hand,
        going=came.going,
        needed=came.needed,
        rule=rule,
    )
    return (dealt, *_flags(this, play, dealt, came, terms))


def correct_hand(this: Tournament, command: m.CorrectHand, terms: Stated) -> Answer:
    """The last hand at a table as it truly was, until the next one is told or the round is over there."""
    table, law, play = command.table, item(this, "precedence"), _goes_on_at(this, command.table)
    if isinstance(play, Refusal):
        return play
    if table not in play.last:
        return Refusal(f"no hand was told at {table}", law)
    if not command.reason.strip():
        return Refusal("not said why the hand is told anew", law)
    left = sorted(set(play.last[table].played) - set(play.at(table)))
    if left:
        return Refusal(f"{left[0]} played the hand and has left", law)
    before = without_last(this, table)
    earlier = before.play or play
    came = _came_to(before, earlier, table, command.hand, terms)
    if isinstance(came, Refusal):
        return came
    corrected = m.HandCorrected(
        table=table,
        hand=earlier.hands.get(table, 0) + came.counted,
        played=came.played,
        told=command.hand,
        reason=command.reason,
        going=came.going,
        needed=came.needed,
        rule=law,
    )
    return (corrected, *_flags(before, earlier, corrected, came, terms))


def _goes_on_at(this: Tournament, table: str) -> InPlay | Refusal:
    """The round, if it goes on at a table and somebody is there to conduct it."""
    play = this.play
    if play is None or play.started_ms is None or table not in play.tables - play.ended:
        return Refusal(f"no round is played at {table}", item(this, "structure"))
    return absent_director(this) or play


def _seated_at(play: InPlay, table: str) -> list[str]:
    return [player for player in play.at(table) if player in play.seated]


def _came_to(this: Tournament, play: InPlay, table: str, recorded: m.PlayedHand, terms: Stated) -> m.Results | Refusal:
    """What a hand came to by the law of its table, if it is one that the conditions let these players play."""
    if not {*recorded.wagers, *recorded.nominate, *recorded.secret} <= set(_seated_at(play, table)):
        return Refusal(f"others than those seated at {table} played the hand", item(this, "structure"))
    nothing = sorted(set(recorded.secret) - set(recorded.wagers))
    if nothing:
        return Refusal(f"{nothing[0]} made no wager, in secret or not", item(this, "secret_wagers"))
    for player in sorted(recorded.wagers):
        refusal = _bad_wager(this, this.entrants[player], recorded, terms)
        if refusal:
            return refusal
    law = law_of(this, table, this.laws.get(table, m.TableLaw()))
    if isinstance(law, Refusal):
        return law
    came = results(law, play.needed.get(table, ()), recorded)
    if isinstance(came, Refusal):
        return came
    for player, one in came.played.items():
        if (this.entrants[player].chips + one.returned - one.stake) * max(1, terms.chips.chip_cents) > LARGEST_AMOUNT:
            return Refusal(f"{player} cannot win {one.returned} chips", item(this, "chips"))
    return came


def _bad_wager(this: Tournament, entrant: Entrant, recorded: m.PlayedHand, terms: Stated) -> Refusal | None:
    wager, play, placed = terms.wager, this.play, recorded.wagers[entrant.name]
    stake = sum(placed.values())
    if any(chips < 1 for chips in placed.values()) or stake > entrant.chips:
        return Refusal(f"{entrant.name} has {entrant.chips} chips, not {stake} to stake", item(this, "chips"))
    if stake and not min(wager.minimum, entrant.chips) <= stake <= (wager.maximum or stake):
        return Refusal(f"{entrant.name} staked {stake} chips", item(this, "wager"))
    used = play.secret.get(entrant.name, 0) if play else 0
    if entrant.name in recorded.secret and (used >= terms.secret_wagers.each_round or not stake):
        return Refusal(f"{entrant.name} has no secret wager left", item(this, "secret_wagers"))
    return None


def _flags(
    this: Tournament, play: InPlay, told: m.HandPlayed | m.HandCorrected, came: m.Results, terms: Stated
) -> Events:
    """Players who have chips and did not wager, where they must."""
    if not terms.wager.compulsory or not came.wagered:
        return ()
    staked = {player for player, one in came.played.items() if one.stake}
    idle = [name for name in _seated_at(play, told.table) if name not in staked and this.entrants[name].chips]
    rule = item(this, "wager")
    return tuple(m.Flagged(player=name, about="no wager on a hand that needs one", rule=rule) for name in idle)


def used_up(this: Tournament, play: InPlay, table: str, *, at_ms: int) -> bool:
    terms = this.round_terms(this.round)
    if terms is None or play.started_ms is None:
        return False
    hands_over = bool(terms.hands) and play.hands.get(table, 0) >= terms.hands
    time_over = bool(terms.minutes) and at_ms - play.started_ms >= terms.minutes * MINUTE_MS
    return hands_over or time_over
