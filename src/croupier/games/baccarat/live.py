"""Baccarat at a live table: the ceremonies as every table knows them.

A round begins with the call that closes the betting: what lies on the table stays until then, for whoever asks about
the last coup.  So `next_round` only turns the page for the wagers, which see the empty layout of the round to come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace as changed

from croupier.ceremony import CUTTING_CARD, acts, orders_given
from croupier.equipment import CARDS, Card
from croupier.game import (
    NORMAL,
    Announcement,
    Attendance,
    Choose,
    Effect,
    Fact,
    Irregular,
    Lost,
    Next,
    Perform,
    Performed,
    Procedure,
    Refusal,
    Resolution,
    Ruling,
    StandOff,
    Wager,
    told,
)
from croupier.game.kinds import NO_KIND, ActKind
from croupier.games.baccarat import bets, due, play, procedure, rulings, shown
from croupier.games.baccarat.ceremonies.parts import HANDS, THIRD
from croupier.games.baccarat.ceremonies.sitting import (
    EMPTY,
    GONE,
    LETTING,
    NO_BETS,
    BaccaratSitting,
    betting_closed,
    kind,
    offered_still,
    order_for,
    round_complete,
)
from croupier.games.baccarat.due import cut_all_the_same, handed_all_the_same
from croupier.games.baccarat.own import own_bet, side_of
from croupier.games.baccarat.play import Coup
from croupier.games.baccarat.rules import BANKER, TIE, BaccaratRules
from croupier.games.baccarat.runs import run_bet
from croupier.law.model import present
from croupier.money import Odds
from croupier.once import once


def attend(rules: BaccaratRules, sitting: BaccaratSitting, there: Attendance) -> BaccaratSitting:
    """The sitting told who is there; between one fact and the next that is mostly what it knows already."""
    names = (
        tuple(each for each in _names(there.seats) if each[1] not in there.out) if there.out else _names(there.seats)
    )
    left = there.vacancies != sitting.vacancies
    if names == sitting.names and there.wagers == sitting.wagers and not left:
        return sitting
    attended = changed(sitting, seats=tuple(seat for _, seat in names), wagers=there.wagers, names=names)
    if sitting.cutters and names != sitting.names:
        attended = changed(attended, cutters=_answers_of(sitting, names))
    if sitting.handlers and there.out:
        attended = _passed_on(rules, attended, frozenset(f"seat {seat}" for seat in there.out))
    # A vacancy concerns cards that were ready for play: new ones are mixed before it anyway.
    vacant = sitting.vacant or (left and "load" in acts(sitting.shoe))
    return changed(attended, vacancies=there.vacancies, vacant=vacant) if left else attended


def _answers_of(sitting: BaccaratSitting, names: tuple[tuple[str, int], ...]) -> tuple[tuple[str, str], ...]:
    """The answers to the offer of the cut; those of people who gave up their seats hold no more."""
    kept = {f"seat {seat}" for name, seat in names if (name, seat) in sitting.names}
    left = {f"seat {seat}" for _, seat in sitting.names} - kept
    return tuple((person, GONE if person in left else answer) for person, answer in sitting.cutters)


def _passed_on(rules: BaccaratRules, sitting: BaccaratSitting, out: frozenset[str]) -> BaccaratSitting:
    """Who is shut out has accepted nothing, nor acts for another; while the role may go on, nobody is marked for it."""
    held = {role for role, seat, answer in sitting.handlers if seat in out and answer == "accept"}
    handlers = tuple(
        (role, seat, GONE if seat in out and role in held else answer) for role, seat, answer in sitting.handlers
    )
    marks = {ActKind("mark", role) for role in held if offered_still(rules, sitting, role)}
    said = (fact for fact in sitting.said if fact.act not in LETTING or fact.to not in out)
    return changed(sitting, handlers=handlers, said=tuple(fact for fact in said if kind(rules, fact.act) not in marks))


@once
def _names(seats: Mapping[int, str]) -> tuple[tuple[str, int], ...]:
    """The seated players in the order of their seats."""
    return tuple((name, seat) for seat, name in sorted(seats.items()))


def closed(rules: BaccaratRules, sitting: BaccaratSitting, wager: Wager) -> Refusal | None:
    """From the call on no wager is placed; what may come later (insurance) looks at the cards, not at the call.

    Whether insurance is offered tells what the hands are, so nobody is told while they lie face down.
    """
    if wager.on == "insurance" and present(rules.insures) and _hidden(rules, sitting):
        return Refusal("not before both hands lie open", rules.insures.count.rule, on="insurance")
    if not betting_closed(rules, sitting) or (sitting.coup.dealt and not _begun_with_a_card(sitting.coup)):
        return None
    call = "No bets this hand" if NO_BETS in acts(sitting.said) else rules.closing.value
    return Refusal(f"no wager after the call of {call!r}", rules.closing.rule, on=wager.on)


def _begun_with_a_card(coup: Coup) -> bool:
    """Whether no card was dealt but one that the round before left over; the call closes the betting all the same.

    Who lets wagers change after a first card lets them be taken back too.
    """
    return bool(coup.opened) and not coup.retractable


def taken(rules: BaccaratRules, sitting: BaccaratSitting, wager: Wager) -> str:
    """The name of a wager that an official lets be taken back although no other may be placed for it; else nothing."""
    return wager.on if sitting.coup.retractable and not sitting.coup.opened else ""


def untouched(rules: BaccaratRules, sitting: BaccaratSitting, wager: Wager) -> Refusal | None:
    """Insurance may be made in the middle of a coup; that it may be taken back there as well, no rule says (R-092)."""
    if wager.on != "insurance" or not present(rules.insures) or sitting.coup.retractable:
        return None
    return Refusal("a card of the coup has been dealt", rules.insures.window.rule, on="insurance")


def _hidden(rules: BaccaratRules, sitting: BaccaratSitting) -> bool:
    """Whether cards of the initial deal lie face down."""
    return sitting.coup.dealt > 0 and any(down & {0, 1} for down in shown.covered(rules, sitting).values())


def waits(rules: BaccaratRules, sitting: BaccaratSitting, fact: Fact) -> Refusal | None:
    """Cards are not begun anew, as a player may require, before the inspector has the notice that is due of them.

    Nor are they cut over the head of somebody who is asked, or by one who accepted the cut and left; and no
    hand is passed on which there is no bet.  A Dummy Coup that is to begin with a card left over is ordered once the
    call has laid that card; one after the last coup of a shoe is directed, before its cards are mixed.
    """
    if type(fact) is Irregular and rulings.wanted_next(rules, sitting, fact):
        return _too_early(rules, sitting, fact)
    if type(fact) is not Performed:
        return None
    due = procedure.demand(rules, sitting)
    cut = cut_all_the_same(rules, sitting, fact) and ((fact.by, GONE) in sitting.cutters or isinstance(due, Choose))
    if cut or handed_all_the_same(rules, sitting, fact):
        return Refusal(f"out of turn: due is {told(due)}", due.rule, on=fact.act)
    if fact.act != "require mixing" or not isinstance(due, Perform):
        return None
    notice = kind(rules, due.act).verb == "notify"
    return Refusal(f"first is due: {told(due)}", due.rule, on=fact.act) if notice else None


def _too_early(rules: BaccaratRules, sitting: BaccaratSitting, fact: Irregular) -> Refusal | None:
    """Why a Dummy Coup is not ordered now for the coup to come."""
    directed = order_for(rules, sitting, DIRECTED)
    if directed is not None and sitting.left == 0 and not sitting.dummies:
        return Refusal(f"that was the last coup of the shoe: {DIRECTED!r} is the order now", directed.rule, on=DIRECTED)
    if sitting.following.first_card is None:
        return None
    due = procedure.demand(rules, sitting)
    return Refusal(f"a card was left over: first is due {told(due)}", sitting.following.rule, on=fact.circumstance)


def usual(rules: BaccaratRules, sitting: BaccaratSitting, act: str, card: str) -> int | str:
    match act:
        case "cut":
            return CARDS * rules.decks.value.elected // 2
        case "insert cutting card":
            return rules.ceremony.end_depth.value.cards
        case "burn face up":
            return card
        case "burn face down":
            return procedure.burn_value(rules, sitting)
        case "enter outcome":
            return play.winner(rules, sitting.coup)
        case _:
            return ""


def gives_up(rules: BaccaratRules, sitting: BaccaratSitting, seat: int) -> Performed | None:
    """Who holds the shoe and leaves relinquishes it: whoever sits there next has accepted nothing."""
    holder = procedure.handler(rules, sitting, "shoe")
    between = round_complete(rules, sitting) and not procedure.shoe_passes(rules, sitting)
    return Performed(procedure.GIVEN_UP[0], holder) if between and holder == f"seat {seat}" else None


DIRECTED = "direct dummy coups"


def says(
    rules: BaccaratRules, before: BaccaratSitting, fact: Effect, after: BaccaratSitting
) -> tuple[Announcement, ...]:
    """The count of a hand when it is announced, and the result: who won, or that the hands tie."""
    nothing_staked = rules.ceremony.nothing_staked
    if present(nothing_staked) and not isinstance(fact, Ruling) and after.said is not before.said:
        if procedure.INDICATED in acts(after.said) and procedure.INDICATED not in acts(before.said):
            return (Announcement(procedure.DUMMY, before.coup.retractable or nothing_staked.rule),)
    if type(fact) is Performed and (fact.act == DIRECTED or (after.dummies < before.dummies)):
        directed = next(law for law in rules.ceremony.orders if law.value.act == DIRECTED)
        call = () if fact.act == DIRECTED else (Announcement(rules.closing.value, rules.ceremony.calls[0].rule),)
        rule = before.following.rule if before.following.hand == "dummy" else directed.rule
        return (*call, Announcement(procedure.DUMMY, rule))
    announced = kind(rules, fact.act) if type(fact) is Performed else NO_KIND
    if announced.verb != "announce":
        return ()
    rule, coup = procedure.demand(rules, before).rule, before.coup
    if announced.of:
        cards = getattr(coup, announced.of)
        said = cards if announced.what == THIRD else cards[:2]
        hand, count = announced.of.capitalize(), play.count(rules, said)
        if _has_word(rules, count):
            return (Announcement(f"{hand} {_called(rules, said)}", rule),)
        return (Announcement(f"{hand} {{}}", rule, count),)
    winner = play.winner(rules, coup)
    result = "Tie hand" if winner == TIE else f"{winner.capitalize()} wins"
    player, banker = (_called(rules, getattr(coup, hand)) for hand in HANDS)
    return (Announcement(f"Player {player}, Banker {banker}: {result}", rule),)


def _called(rules: BaccaratRules, cards: tuple[Card, ...]) -> str:
    """The count of cards as it is announced; one law has a word for none."""
    count = play.count(rules, cards)
    return rules.nothing.value if present(rules.nothing) and _has_word(rules, count) else str(count)


def _has_word(rules: BaccaratRules, count: int) -> bool:
    return present(rules.nothing) and count == 0


def pays(rules: BaccaratRules, on: str) -> tuple[Odds, ...]:
    """What the felt says of a wager; the Banker pays twice where a win with six pays less."""
    run, own = run_bet(rules, on), own_bet(rules, on)
    if own:
        return tuple(dict.fromkeys(step.ends for step in own.steps if isinstance(step.ends, Odds)))
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


def inscribed(rules: BaccaratRules) -> tuple[tuple[str, str, str], ...]:
    """The pay scale in operation, where a bet is paid by one of several; and which bets no gazette has."""
    own = tuple((f"{bet.name.replace('_', ' ').title()}: not gazetted", bet.rule, bet.name) for bet in rules.own)
    if not bets.elected(rules.perfect_pairs) or not present(rules.pairs) or not present(rules.pay_scale):
        return own
    number = rules.pay_scale.value.elected
    odds = ", ".join(str(each) for each in pays(rules, "perfect_pairs"))
    return ((f"Perfect Pairs: Pay Scale {number} ({odds})", rules.pairs.one_scale.rule, "perfect_pairs"), *own)


def paid(rules: BaccaratRules, sitting: BaccaratSitting) -> Callable[[Wager, Resolution], bool] | None:
    """Perfect Pairs are settled after the initial deal, losing wagers when they are collected, the rest at the end.

    What becomes a void hand or a Dummy Coup has no wagers: they go back as soon as it is one.  If none is to come any
    more, since the cards were mixed before it, they go back as well.
    """
    said, to_come = acts(sitting.said), due.layout(rules, sitting).hand
    without = sitting.coup.hand != "normal" or (to_come == "normal" and not betting_closed(rules, sitting))
    pairs, collected = "settle Perfect Pairs" in said, "collect losing wagers" in said
    if not without and not pairs and not collected:
        return None

    def is_paid(wager: Wager, resolution: Resolution) -> bool:
        if without and type(resolution) is StandOff:
            return True
        return pairs if wager.on == "perfect_pairs" else collected and type(resolution) is Lost

    return is_paid


def follows(rules: BaccaratRules, sittings: Sequence[BaccaratSitting], left: Next) -> tuple[Next, int] | None:
    """How a coup began, where the ceremony before its call had it otherwise than the coup before left it.

    Cards that were mixed or replaced since leave nothing over, and a Dummy Coup that was directed takes no wagers.
    """
    before = tuple(takewhile(lambda sitting: not betting_closed(rules, sitting), sittings))
    if not before:
        return None
    renewed = max((at for at, (was, now) in enumerate(pairwise(before), 1) if _renewed(was, now)), default=0)
    began = NORMAL if renewed else left
    began = changed(began, hand="dummy") if before[-1].dummies else began
    return None if began == left else (began, renewed)


def _renewed(before: BaccaratSitting, after: BaccaratSitting) -> bool:
    """Whether what is done with the shoe began anew."""
    return after.shoe[: len(before.shoe)] != before.shoe


def breaks_off(rules: BaccaratRules, sitting: BaccaratSitting) -> BaccaratSitting:
    """The sitting once the coup in hand has no outcome: it was one of the shoe, and nothing is left to do for it.

    So the shoe ends when it would have ended, a card left over opens the next coup, and who holds the shoe keeps it.
    Before the call there is no coup yet.
    """
    if not betting_closed(rules, sitting):
        return sitting
    ended = tuple(Performed(law.value.act, law.value.by, "invalidated") for law in rules.ceremony.ending)
    return changed(sitting, said=(*sitting.said, *ended), turned=True)


def outlives(rules: BaccaratRules, wager: Wager) -> bool:
    """A Run is on more than the coup in hand; by reading it stays without that coup, or goes back with it (R-104)."""
    reading = rules.run_and_void_coups
    return run_bet(rules, wager.on) is not None and present(reading) and reading.value.elected == "not_counted"


def _too_small(rules: BaccaratRules, decks: str) -> Refusal | None:
    """Why a batch shuffler that can hold so many decks is not used; where there is none, none can be measured."""
    law = rules.batch_holds
    if not present(law) or rules.shuffler.value.elected != "batch":
        return Refusal("no batch shuffler is used at this table", rules.shuffler.rule)
    if decks.isdecimal() and int(decks) >= law.value:
        return None
    return Refusal(f"a batch shuffler that holds {decks!r:.20} decks: it must be able to hold {law.value}", law.rule)


LIVE: Procedure[BaccaratRules, Coup] = Procedure(
    begin=lambda rules: BaccaratSitting(),
    layout=due.layout,
    demand=procedure.demand,
    apply=procedure.apply,
    attend=attend,
    seat=lambda rules, sitting, wagers: sitting,
    lift=lambda rules, sitting: sitting,
    closed=closed,
    late=lambda rules, sitting, wager: bets.mistimed(rules, due.layout(rules, sitting), wager),
    complete=round_complete,
    next_round=lambda rules, sitting: changed(sitting, turned=True),
    abandon=lambda rules, sitting: changed(sitting, coup=EMPTY, said=(), handlers=(), following=NORMAL),
    seats=lambda rules: rules.seats,
    usual=usual,
    gives_up=gives_up,
    says=says,
    pays=pays,
    voice="seat",
    cites=procedure.cites,
    last_act=procedure.last_act,
    beyond=bets.beyond,
    unpayable=bets.unpayable,
    untouched=untouched,
    inscribed=inscribed,
    sides=lambda rules: {bet.name: side for bet in rules.own if (side := side_of(bet))},
    paid=paid,
    outlives=outlives,
    follows=follows,
    breaks_off=breaks_off,
    taken=taken,
    rule_on=rulings.rule_on,
    waits=waits,
    number=lambda rules, sitting: due.layout(rules, sitting).number,
    face=procedure.face,
    covered=shown.unseen,
    orders=shown.orders,
    heard_as=shown.heard_as,
    roles=shown.roles,
    closing=lambda rules: rules.closing,
    beside=lambda rules, sitting: (CUTTING_CARD, *orders_given(rules.ceremony.orders)),
    equipment={"shuffler decks": _too_small},
)
