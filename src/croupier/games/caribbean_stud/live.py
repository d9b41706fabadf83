"""Caribbean stud at a live table: the ceremonies as every table knows them.  A seat is a box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.ceremony import acts, calling, ordered_under, orders_given
from croupier.equipment import CARDS
from croupier.game import (
    Announcement,
    Attendance,
    Chosen,
    Effect,
    Fact,
    Irregular,
    Performed,
    Procedure,
    Refusal,
    Resolution,
    Sign,
    Void,
    Wager,
)
from croupier.games.caribbean_stud import irregular, play, procedure
from croupier.games.caribbean_stud.play import StudLayout
from croupier.games.caribbean_stud.procedure import EMPTY, StudSitting, finished, wagers_closed
from croupier.games.caribbean_stud.rules import ANTE, BET, DEALER, FACE_DOWN, JACKPOT, StudRules
from croupier.games.caribbean_stud.scripts import SETTLES, SHUFFLE, VERIFY, kind
from croupier.law.links import SHOE, SHUFFLER
from croupier.law.model import Law
from croupier.money import Odds
from croupier.once import replace

NAMES: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}


def closed(rules: StudRules, sitting: StudSitting, wager: Wager) -> Refusal | None:
    return wagers_closed(rules, sitting)


def seat(rules: StudRules, sitting: StudSitting, wagers: tuple[Wager, ...]) -> StudSitting:
    return replace(sitting, layout=play.seat(rules, sitting.layout, wagers))


def waits(rules: StudRules, sitting: StudSitting, fact: Fact) -> Refusal | None:
    """What is declared now names a box of the table and a card not known; what an earlier release recorded stands."""
    if not isinstance(fact, Irregular):
        return None
    unseen = procedure.none_up(rules, sitting)
    return irregular.no_such_box(rules, fact) or irregular.shown_before(rules, sitting.layout, fact, none_up=unseen)


def forsaken(rules: StudRules, sitting: StudSitting, wager: Wager) -> str:
    """A jackpot wager that a misdeal left for the next round goes back to who has no ante in it."""
    box, law = sitting.layout.box(wager.box), rules.progressive.no_ante
    lonely = wager.on == JACKPOT and not sitting.layout.dealt and (box is None or box.by != wager.by)
    return law.rule if lonely and law.value == "void" else ""


def bereft(rules: StudRules, sitting: StudSitting, name: str, left: tuple[Wager, ...], rule: str) -> StudSitting:
    """The sitting once the wagers of a player are void: a hand without an ante is out, a jackpot wager is gone."""
    layout = sitting.layout
    if not layout.dealt:
        layout, call = play.seat(rules, replace(layout, boxes=()), left), calling(rules.closing.value).act
        said = tuple(fact for fact in sitting.said if layout.boxes or fact.act != call)
        return replace(sitting, layout=layout, said=said)
    lies = {(wager.on, wager.box) for wager in left if wager.by == name}
    boxes = (play.laid_down(box, rule, lies) if box.by == name else box for box in layout.boxes)
    return replace(sitting, layout=replace(layout, boxes=tuple(boxes)))


def complete(rules: StudRules, sitting: StudSitting) -> bool:
    """Whether there was a round, or a misdeal, and everything after it is done."""
    return bool(sitting.layout.dealt or sitting.layout.misdeal) and finished(rules, sitting)


def paid(rules: StudRules, sitting: StudSitting) -> Callable[[Wager, Resolution], bool]:
    """Whether the act that pays, returns or takes a decided wager is done."""
    done = acts(sitting.said)

    def is_paid(wager: Wager, resolution: Resolution) -> bool:
        if isinstance(resolution, Void) and wager.on == JACKPOT:
            return True
        return any(act.format(box=wager.box) in done for act, settles in SETTLES.items() if wager.on in settles)

    return is_paid


def cites(rules: StudRules, sitting: StudSitting, fact: Fact) -> str:
    if isinstance(fact, Chosen) and fact.option == BET:
        return rules.bet_of_ante.rule
    if play.left_down(rules, sitting.layout, fact):
        return rules.verdicts.face_down.rule
    return ordered_under(rules.ceremony.orders, fact) if isinstance(fact, Performed) else ""


def seats(rules: StudRules) -> Law[range]:
    return Law(range(1, rules.seats.value.elected + 1), rules.seats.rules)


def usual(rules: StudRules, sitting: StudSitting, act: str) -> int | str:
    """What is commonly recorded with an act: why the cards are shuffled, how many a deck has."""
    if act == SHUFFLE:
        return rules.ceremony.shuffles["round" if finished(rules, sitting) else sitting.cause].value
    return CARDS * rules.decks.value if act == VERIFY else ""


def says(rules: StudRules, before: StudSitting, fact: Effect, after: StudSitting) -> tuple[Announcement, ...]:
    """The value and the result of a hand at the showdown; a hand declared as what it is not."""
    if not isinstance(fact, Performed):
        return ()
    done = kind(rules, fact.act)
    box = before.layout.box(done.of) if done.verb in ("announce", "declare") else None
    if box is None:
        return ()
    if done.verb == "declare":
        said = "" if fact.detail == FACE_DOWN else str(fact.detail)
        wrong = procedure.misdeclared(rules, box, said) if said else None
        return (Announcement(wrong.reason, wrong.rule),) if wrong else ()
    return (Announcement(procedure.announcement(rules, before.layout, box), procedure.demand(rules, before).rule),)


def attend(rules: StudRules, sitting: StudSitting, there: Attendance) -> StudSitting:
    """After the table stood empty the cards are shuffled again, unless they never were yet."""
    if there.vacancies == sitting.vacancies or sitting.layout.dealt:
        return sitting
    played = sitting.cause != "start" or SHUFFLE in acts(sitting.said)
    attended = replace(sitting, vacancies=there.vacancies)
    return replace(attended, said=(), cause="vacant") if played else attended


def covered(rules: StudRules, sitting: StudSitting) -> Mapping[str, frozenset[int]]:
    """The dealer's cards lie face down until they are turned, also once all players have decided."""
    turned = rules.ceremony.scripts["reveal"][0].value.act in acts(sitting.said)
    return {} if turned else {DEALER: play.dealers_down(rules, sitting.layout)}


def held(rules: StudRules, sitting: StudSitting, sign: Sign, wager: Wager) -> Refusal | None:
    """Why a player may not wager beside those who have: they are to be kept apart."""
    others = tuple(box.by for box in sitting.layout.boxes if box.by != wager.by)
    return procedure.kept_apart(rules, sitting, wager.by, others)


def holds(rules: StudRules, sitting: StudSitting, player: str) -> tuple[int, ...]:
    """A hand is whose ante lies with it, wherever that player sits: nobody else folds, bets or declares it."""
    return tuple(box.number for box in sitting.layout.boxes if box.by == player)


def device_of(device: str) -> Callable[[StudRules, str], Refusal | None]:
    return lambda rules, decks: procedure.why_no_device(rules, device, decks)


def inscribed(rules: StudRules) -> tuple[tuple[str, str, str], ...]:
    """The words on the cloth, made from the hand with which the dealer qualifies."""
    ranks = " and ".join(NAMES[rank] for rank in rules.qualifies.value)
    return ((rules.inscription.value.format(ranks), rules.inscription.rule, ANTE),)


def pays(rules: StudRules, on: str) -> tuple[Odds, ...]:
    """What the ante pays; the bet and the jackpot go by the hand."""
    return (rules.ante_pays.value,) if on == ANTE else ()


def scale(rules: StudRules) -> tuple[tuple[str, str, Law[Any]], ...]:
    """What the bet pays on each hand, and what the jackpot does where the operator runs it."""
    prizes = rules.progressive.prizes if rules.jackpot.value.elected else {}
    bets = [(BET, hand, law) for hand, law in rules.bet_pays.items()]
    return (*reversed(bets), *((JACKPOT, hand, law) for hand, law in prizes.items()))


LIVE: Procedure[StudRules, StudLayout] = Procedure(
    begin=lambda rules: StudSitting(),
    layout=lambda rules, sitting: sitting.layout,
    demand=procedure.demand,
    apply=procedure.apply,
    attend=attend,
    seat=seat,
    lift=lambda rules, sitting: replace(sitting, layout=replace(sitting.layout, boxes=())),
    closed=closed,
    untouched=lambda rules, sitting, wager: play.bound(rules, sitting.layout, wager.on),
    forsaken=forsaken,
    bereft=bereft,
    complete=complete,
    next_round=lambda rules, sitting: replace(sitting, said=(), layout=EMPTY, cause="round", strays=0),
    abandon=lambda rules, sitting: replace(sitting, said=(), layout=EMPTY, cause="round", strays=0),
    seats=seats,
    paid=paid,
    cites=cites,
    inscribed=inscribed,
    pays=pays,
    scale=scale,
    usual=lambda rules, sitting, act, card: usual(rules, sitting, act),
    says=says,
    held=held,
    equipment={device: device_of(device) for device in (SHOE, SHUFFLER)},
    covered=covered,
    rule_on=procedure.rule_on,
    waits=waits,
    put=procedure.jackpot_area,
    joins=procedure.kept_apart,
    holds=holds,
    display=procedure.displayed,
    closing=lambda rules: rules.closing,
    beside=lambda rules, sitting: orders_given(rules.ceremony.orders),
)
