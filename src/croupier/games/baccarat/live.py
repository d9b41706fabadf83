"""Baccarat at a live table: the ceremonies as every table knows them.

A round begins with the call that closes the betting: what lies on the table stays until then, for whoever asks about
the last coup.  So `next_round` only turns the page for the wagers, which see the empty layout of the round to come.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.ceremony import acts
from croupier.equipment import CARDS
from croupier.game import NORMAL, Attendance, Fact, Performed, Procedure, Refusal, Wager
from croupier.games.baccarat import bets, play, procedure
from croupier.games.baccarat.ceremonies.parts import HANDS
from croupier.games.baccarat.ceremonies.sitting import EMPTY, NO_BETS, Sitting, betting_closed, round_complete
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BANKER, TIE, BaccaratRules
from croupier.law.model import present
from croupier.money import Odds


def layout(rules: BaccaratRules, sitting: Sitting) -> Coup:
    return play.begin(rules, sitting.following) if sitting.turned else sitting.coup


def attend(rules: BaccaratRules, sitting: Sitting, there: Attendance) -> Sitting:
    """The sitting told who is there; between one fact and the next that is mostly what it knows already."""
    names = tuple((name, seat) for seat, name in sorted(there.seats.items()))
    if names == sitting.names and there.wagers == sitting.wagers:
        return sitting
    return replace(sitting, seats=tuple(seat for _, seat in names), wagers=there.wagers, names=names)


def closed(rules: BaccaratRules, sitting: Sitting, wager: Wager) -> Refusal | None:
    """From the call on no wager is placed; what may come later (insurance) looks at the cards, not at the call."""
    if not betting_closed(rules, sitting) or sitting.coup.dealt:
        return None
    call = "No bets this hand" if NO_BETS in acts(sitting.said) else rules.closing.value
    return Refusal(f"{wager.on}: no wager after the call of {call!r}", rules.closing.rule)


def complete(rules: BaccaratRules, sitting: Sitting) -> bool:
    return round_complete(rules, sitting)


def usual(rules: BaccaratRules, sitting: Sitting, act: str, card: str) -> int | str:
    match act:
        case "cut":
            return CARDS * rules.decks.value.elected // 2
        case "insert cutting card":
            return rules.ceremony.end_depth.value.cards
        case "burn face up":
            return card
        case "burn face down":
            return procedure.burn_value(rules, sitting)
        case _:
            return ""


def says(rules: BaccaratRules, before: Sitting, fact: Fact, after: Sitting) -> tuple[tuple[str, str], ...]:
    """The count of a hand when it is announced, and the result: who won, or that the hands tie."""
    if not isinstance(fact, Performed) or not fact.act.startswith("announce "):
        return ()
    rule, coup = procedure.demand(rules, before).rule, before.coup
    counts = {hand: play.count(rules, getattr(coup, hand)) for hand in HANDS}
    _, _, what = fact.act.partition(" ")
    if what != "result":
        hand = what.split(" ")[0]
        return ((f"{hand.capitalize()} {counts[hand]}", rule),)
    winner = play.winner(rules, coup)
    told = "Tie hand" if winner == TIE else f"{winner.capitalize()} wins"
    return ((f"Player {counts['player']}, Banker {counts['banker']}: {told}", rule),)


def pays(rules: BaccaratRules, on: str) -> tuple[Odds, ...]:
    """What the felt says of a wager; the Banker pays twice where a win with six pays less."""
    run = bets.run_bet(rules, on)
    if run:
        return (run[0].pays[run[1]].value,)
    if on == "insurance" and present(rules.insures):
        return (rules.insures.pays.value,)
    if on == "perfect_pairs" and present(rules.pairs) and present(rules.pay_scale):
        scale = rules.pairs.scales[rules.pay_scale.value.elected]
        return (scale.mixed.value, scale.coloured.value, scale.perfect.value)
    if on == BANKER and present(rules.half_on_six):
        return tuple(dict.fromkeys(bets.banker_pays(rules, count).value for count in range(rules.modulus.value)))
    return (rules.bets[on].pays.value,) if on in rules.bets else ()


LIVE: Procedure[BaccaratRules, Coup] = Procedure(
    begin=lambda rules: Sitting(),
    layout=layout,
    demand=procedure.demand,
    apply=procedure.apply,
    attend=attend,
    seat=lambda rules, sitting, wagers: sitting,
    lift=lambda rules, sitting: sitting,
    closed=closed,
    complete=complete,
    next_round=lambda rules, sitting: replace(sitting, turned=True),
    abandon=lambda rules, sitting: replace(sitting, coup=EMPTY, said=(), handlers=(), following=NORMAL),
    seats=lambda rules: rules.seats,
    usual=usual,
    says=says,
    pays=pays,
    voice="seat",
)
