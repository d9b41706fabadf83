"""The procedure around the cards: a second `demand` over the same layout.

A `StudSitting` is a table's ceremony: what was done to open it, what was done in this round, the orders that stand, and
the layout.  `agenda` lists the scripts that the layout calls for, box by box, in the order of the law; `demand` is the
first act of them that is not done yet, else what play demands.  So cards wait for the shuffle, the cut and the call,
choices wait until the rest of the deck is put away, and the jackpot waits until every ante and bet is settled.  While
the dealer clears a folded hand the other players may choose.

The round ends with its agenda.  The next begins with the shuffle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from croupier.ceremony import Act, Done, Holds, Script, acts, calling, due, perform
from croupier.equipment import CARDS
from croupier.game import (
    Called,
    CardSeen,
    Chosen,
    Demand,
    Effect,
    Irregular,
    Perform,
    Performed,
    Refusal,
    Remedy,
    Ruling,
    told,
    worded,
)
from croupier.games.caribbean_stud import irregular, play
from croupier.games.caribbean_stud.hands import class_name
from croupier.games.caribbean_stud.jackpot import claims, winners
from croupier.games.caribbean_stud.play import (
    StudBox,
    StudLayout,
    dealer_qualifies,
    hand_size,
    is_dealt,
    is_played,
    verdict,
)
from croupier.games.caribbean_stud.rules import DEALER, JACKPOT, StudRules
from croupier.games.caribbean_stud.scripts import (
    APART,
    CHECK,
    COLLECTED,
    CUT,
    ENGLISH,
    LOAD,
    NOTIFY,
    REPLACE,
    SETTLES,
    SHUFFLE,
    SILENCE,
    TURN_UP,
    VACANT,
    VERIFY,
    kind,
)
from croupier.law.links import ELECTRONIC, SHOE, SHUFFLER
from croupier.law.model import Law
from croupier.law.officials import acting
from croupier.once import in_a_line, once, once_of_both, replace

EMPTY = StudLayout()


class StudSitting(Struct, frozen=True, gc=False):
    """`opened`: what was done to open the table; `said`: in this round; `standing`: orders that outlast it.

    `cause` is why the cards are shuffled next, or were last; `vacancies` how often the table had stood empty by then.
    `strays` counts the whole hands of this round that went to boxes without an ante.  `counting`: a check of the deck
    was ordered, and the dealer has not counted it yet.
    """

    opened: Done = ()
    said: Done = ()
    standing: Done = ()
    layout: StudLayout = EMPTY
    cause: str = "start"
    vacancies: int = 0
    strays: int = 0
    counting: bool = False

    __repr__ = in_a_line


# ---------------------------------------------------------------- what is due


def demand(rules: StudRules, sitting: StudSitting) -> Demand:
    """The first act of staff that is due, else what play demands, else the shuffle for the next round."""
    wanted = act_due(rules, sitting)
    if wanted:
        return wanted
    return _shuffle(rules, "round") if finished(rules, sitting) else play.demand(rules, sitting.layout)


@once_of_both
def act_due(rules: StudRules, sitting: StudSitting) -> Perform | None:
    """The first act of staff that the opening or this round still asks for; before all, the count of a checked deck."""
    if sitting.counting and not _dealing(rules, sitting.layout):
        return Perform(VERIFY, DEALER, rule_of(rules, CHECK))
    opening = due(_opening(rules), sitting.opened, _condition(rules, sitting))
    if opening:
        return opening
    first, *rest = agenda(rules, sitting.layout)
    strays = (("stray hand", number) for number in range(1, sitting.strays + 1))
    for name, number in (first, *strays, *rest):
        script = _script(rules, sitting.layout, name, number)
        found = due(script, sitting.said, _condition(rules, sitting, number))
        if found:
            return _shuffle(rules, sitting.cause) if found.act == SHUFFLE else found
    return None


def _script(rules: StudRules, layout: StudLayout, name: str, number: int) -> Script:
    """A script for a box; where its wagers are void and back, the acts are left out with which money moves."""
    box = layout.box(number)
    laws = rules.ceremony.scripts[name]
    if box is not None and box.void:
        laws = tuple(law for law in laws if law.value.act not in SETTLES)
    return tuple([Law(_of(law.value, box=number), law.rules) for law in laws])


def _dealing(rules: StudRules, layout: StudLayout) -> bool:
    """Whether the initial deal is under way: a deck is counted before it or after it, not with half a hand out."""
    return bool(layout.dealt) and not layout.misdeal and not is_dealt(rules, layout)


def agenda(rules: StudRules, layout: StudLayout) -> tuple[tuple[str, int], ...]:
    """The scripts that this layout calls for, each with its box (0: none), in order."""
    if layout.misdeal:
        return (("before the deal", 0), ("misdeal", 0))
    found = [("before the deal", 0)]
    if is_dealt(rules, layout):
        found.append(("after the deal", 0))
        found += [(_leaving(rules, box), box.number) for box in layout.boxes if box.out]
    if is_played(rules, layout) and layout.remaining:
        found += _showdown(rules, layout)
        found += [(JACKPOT, box.number) for box in winners(rules, layout)]
    return tuple(found)


def _leaving(rules: StudRules, box: StudBox) -> str:
    return "dead hand" if not box.void and box.out == rules.irregularities["dead_hand"][0].rule else "fold"


def _showdown(rules: StudRules, layout: StudLayout) -> list[tuple[str, int]]:
    """The dealer's hand, then every remaining hand from the dealer's right."""
    boxes = sorted(layout.remaining, key=lambda box: box.number, reverse=rules.from_right.value)
    if not dealer_qualifies(rules, layout):
        return [("reveal", 0), ("no hand", 0), *(("unqualified", box.number) for box in boxes)]
    pairs = [(("show", box.number), (verdict(rules, layout, box).value, box.number)) for box in boxes]
    return [("reveal", 0), *(item for pair in pairs for item in pair)]


@once
def _opening(rules: StudRules) -> Script:
    return tuple(_each_deck(rules, rules.ceremony.scripts["opening"]))


def _each_deck(rules: StudRules, script: Script) -> Iterator[Law[Act]]:
    """The script with an act on `{deck}` written out for every deck of the device."""
    for law in script:
        decks = range(1, decks_at_table(rules).value + 1) if "{deck}" in law.value.act else range(1)
        yield from (Law(_of(law.value, deck=deck), law.rules) for deck in decks)


@lru_cache(maxsize=1024)
def _of(act: Act, **names: int) -> Act:
    name, by, apart = (text.format(**names) for text in (act.act, act.by, act.apart))
    return Act(name, by, act.when, apart, act.kind.written(**names))


def decks_at_table(rules: StudRules) -> Law[int]:
    """How many decks the device takes; one of them is in play."""
    return rules.decks_at_table[rules.device.value.elected]


def _condition(rules: StudRules, sitting: StudSitting, number: int = 0) -> Holds:
    """Whether a condition of an act holds for the table and this box."""
    return lambda word: CONDITIONS[word](rules, sitting, sitting.layout.box(number))


CONDITIONS: Final[Mapping[str, Callable[[StudRules, StudSitting, StudBox | None], bool]]] = {
    "shoe": lambda rules, sitting, box: rules.device.value.elected == SHOE,
    "shuffler": lambda rules, sitting, box: rules.device.value.elected == SHUFFLER,
    "electronic": lambda rules, sitting, box: rules.jackpot_mode.value.elected == ELECTRONIC,
    "manual": lambda rules, sitting, box: rules.jackpot_mode.value.elected != ELECTRONIC,
    "jackpot": lambda rules, sitting, box: rules.jackpot.value.elected,
    "none up": lambda rules, sitting, box: sitting.layout.up is None,
    "antes": lambda rules, sitting, box: bool(sitting.layout.boxes),
    "stray": lambda rules, sitting, box: sitting.cause == "stray",
    "entered": lambda rules, sitting, box: box is not None and box.jackpot,
    "no claim": lambda rules, sitting, box: box is not None and not claims(rules, sitting.layout, box),
}


def _order_condition(rules: StudRules, sitting: StudSitting) -> Holds:
    """Whether a condition of an order holds."""
    known = {
        "between rounds": not sitting.layout.dealt or finished(rules, sitting),
        "inspector told": NOTIFY in acts(sitting.standing),
    }
    return lambda word: known[word]


def finished(rules: StudRules, sitting: StudSitting) -> bool:
    """Whether the round is over and everything that follows it is done."""
    ended = bool(sitting.layout.misdeal) or is_played(rules, sitting.layout)
    return ended and act_due(rules, sitting) is None


def _shuffle(rules: StudRules, cause: str) -> Perform:
    """The shuffle, under the rule of its cause."""
    by = next(law.value.by for law in rules.ceremony.scripts["before the deal"] if law.value.act == SHUFFLE)
    return Perform(SHUFFLE, by, rules.ceremony.shuffles[cause].rule)


# ---------------------------------------------------------------- what happens


def apply(rules: StudRules, sitting: StudSitting, fact: Effect) -> StudSitting | Refusal:
    """The sitting after a fact of play or of ceremony, or why it must wait."""
    if isinstance(fact, Performed):
        return _performed(rules, sitting, fact)
    refusal = _waits(rules, sitting, fact)
    if refusal:
        return refusal
    layout = irregular.apply(rules, sitting.layout, fact)
    if isinstance(layout, Refusal):
        return layout
    refusal = _drawn_early(rules, sitting, fact, layout)
    counting = sitting.counting and not (isinstance(fact, Ruling) and fact.on.circumstance == "deck_count")
    after = replace(sitting, layout=layout, said=_again(sitting, layout), counting=counting)
    return refusal or _strayed(after, fact)


def rule_on(rules: StudRules, sitting: StudSitting, it: Irregular) -> Ruling | Refusal:
    """The ruling on what happened; until the bottom card of a packet is turned up, none of the dealer's cards is."""
    return irregular.ruled(rules, sitting.layout, it, none_up=none_up(rules, sitting))


def none_up(rules: StudRules, sitting: StudSitting) -> bool:
    """Whether the dealer has a packet from a shuffler, and has not turned up its bottom card yet."""
    wanted = act_due(rules, sitting)
    return wanted is not None and wanted.act == TURN_UP


def _strayed(sitting: StudSitting, fact: Effect) -> StudSitting:
    """Cards on a box without an ante: a whole hand is counted and discarded, else all before the shuffle."""
    if not isinstance(fact, Ruling) or fact.on.circumstance != "stray_cards":
        return sitting
    return replace(sitting, **({"strays": sitting.strays + 1} if fact.remedy is Remedy.DISCARD else {"cause": "stray"}))


def _drawn_early(rules: StudRules, sitting: StudSitting, fact: Effect, layout: StudLayout) -> Refusal | None:
    """No card is dealt, nor dealt wrongly, before the deal may begin: after the shuffle, the cut and the call."""
    wanted = demand(rules, sitting)
    early = isinstance(fact, Ruling) and isinstance(wanted, Perform) and not sitting.layout.dealt
    if not early or not (layout.dealt or layout.misdeal):
        return None
    return Refusal(f"no card is drawn yet, first is due: {told(wanted)}", wanted.rule)


def _again(sitting: StudSitting, layout: StudLayout) -> Done:
    """Cards that were taken back are shuffled and cut again; the wagers stand, so that the call is not repeated."""
    if layout.dealt or not sitting.layout.dealt:
        return sitting.said
    return tuple(fact for fact in sitting.said if fact.act not in (COLLECTED, SHUFFLE, CUT, LOAD))


def _waits(rules: StudRules, sitting: StudSitting, fact: Effect) -> Refusal | None:
    """A card waits for every act that is due; a choice only for the deck to be put away, and counted if it must be."""
    wanted = demand(rules, sitting)
    if not isinstance(wanted, Perform) or isinstance(fact, Ruling):
        return None
    if isinstance(fact, Chosen | Called) and _put_away(rules, sitting) and not sitting.counting:
        return None
    if isinstance(fact, CardSeen | Chosen | Called):
        return Refusal(f"first is due: {told(wanted)}", wanted.rule)
    return None


def _put_away(rules: StudRules, sitting: StudSitting) -> bool:
    return rules.ceremony.scripts["after the deal"][-1].value.act in acts(sitting.said)


def _performed(rules: StudRules, sitting: StudSitting, fact: Performed) -> StudSitting | Refusal:
    wanted = demand(rules, sitting)
    orders = rules.ceremony.orders
    ordered = fact.act in {law.value.act for law in orders}
    if not ordered and not isinstance(wanted, Perform):
        return Refusal(f"due is {told(wanted)}", wanted.rule, on=fact.act)
    asked = wanted if isinstance(wanted, Perform) else None
    refusal = _players_cut(rules, fact) or perform(asked, orders, fact, _order_condition(rules, sitting))
    refusal = refusal or _miscounted(rules, sitting, fact) or _hidden(rules, sitting, fact)
    if refusal:
        return refusal
    return _ordered(sitting, fact) if ordered else _done(rules, sitting, fact)


def _players_cut(rules: StudRules, fact: Performed) -> Refusal | None:
    if fact.act != CUT or not fact.by or acting(fact.by) is not None or rules.ceremony.players_cut.value:
        return None
    return Refusal(f"never by a player ({fact.by})", rules.ceremony.players_cut.rule, on=fact.act)


def _miscounted(rules: StudRules, sitting: StudSitting, fact: Performed) -> Refusal | None:
    """A count that is not right stops the act: it is a misdeal, to be declared; before the deal the cards are replaced.

    What was ordered to be counted is told as a number.
    """
    if fact.act == VERIFY and fact.detail == "":
        return Refusal("say how many cards it has", rule_of(rules, CHECK), on=fact.act)
    counted = kind(rules, fact.act)
    if fact.detail == "" or counted.verb != "count":
        return None
    deck = counted.what == "deck"
    right = CARDS * rules.decks.value if deck else hand_size(rules)
    if fact.detail == right:
        return None
    if deck and not sitting.layout.dealt:
        return Refusal(f"{fact.detail}, not {right}; replace the cards", rule_of(rules, REPLACE), on=fact.act)
    what = "deck_count" if deck else "wrong_count"
    reason = f"{fact.detail}, not {right}; declare a {worded(what)}"
    return Refusal(reason, rules.irregularities[what][0].rule, on=fact.act)


def _hidden(rules: StudRules, sitting: StudSitting, fact: Performed) -> Refusal | None:
    """A hand that wins the jackpot is left face up until it is paid."""
    box, shown = play.left_down(rules, sitting.layout, fact), rules.progressive.shown
    if box is None or not shown.value or not claims(rules, sitting.layout, box):
        return None
    return Refusal(f"{box.name} wins the jackpot: its cards are left face up", shown.rule)


def _ordered(sitting: StudSitting, fact: Performed) -> StudSitting:
    """Orders are kept; new cards are opened like the first, and after a vacancy the cards are shuffled again."""
    kept = replace(sitting, standing=(*sitting.standing, fact))
    match fact.act:
        case act if act == REPLACE:
            standing = tuple(each for each in kept.standing if each.act != NOTIFY)
            return replace(kept, opened=(), said=(), standing=standing, cause="start", counting=False)
        case act if act == CHECK and fact.detail == "":
            return replace(kept, counting=True)
        case act if act == VACANT:
            return replace(kept, said=(), layout=EMPTY, cause="vacant")
        case _:
            return kept


def _done(rules: StudRules, sitting: StudSitting, fact: Performed) -> StudSitting:
    if fact.act == VERIFY:
        return replace(sitting, standing=(*sitting.standing, fact), counting=False)
    if due(_opening(rules), sitting.opened, _condition(rules, sitting)):
        return replace(sitting, opened=(*sitting.opened, fact))
    if fact.act == SHUFFLE and finished(rules, sitting):
        return replace(sitting, said=(fact,), layout=EMPTY, cause="round", strays=0)
    down = play.left_down(rules, sitting.layout, fact)
    layout = play.turned_down(sitting.layout, down) if down else sitting.layout
    return replace(sitting, said=(*sitting.said, fact), layout=layout)


# ---------------------------------------------------------------- what is shown and said


def wagers_closed(rules: StudRules, sitting: StudSitting) -> Refusal | None:
    """Why no wager is taken any more: the call was made."""
    call = calling(rules.closing.value).act
    if call not in acts(sitting.said):
        return None
    return Refusal(f"no wager after the call of {rules.closing.value!r}", rules.closing.rule)


def jackpot_area(rules: StudRules, on: str, where: str) -> Refusal | None:
    """Why a jackpot chip may not go there: the slot is for electronic mode, the area on the layout for manual."""
    law = rules.progressive.areas[rules.jackpot_mode.value.elected]
    if on != JACKPOT or where == law.value:
        return None
    return Refusal(f"the chip goes in the {law.value}, not in the {where}", law.rule, on="jackpot")


def why_no_device(rules: StudRules, device: str, decks: str) -> Refusal | None:
    """Why a shoe or a shuffler for so many decks may not be used."""
    law = rules.decks_at_table[device]
    fits = decks == str(law.value)
    return None if fits else Refusal(f"a {device} for {decks!r:.20} decks: it takes {law.value}", law.rule)


# ---------------------------------------------------------------- what players are directed to do


def displayed(rules: StudRules, sitting: StudSitting) -> dict[str, object]:
    """What everybody reads at the table beside the layout: the orders to players that hold now, with their rules."""
    silent = bool(sitting.layout.dealt) and not finished(rules, sitting)
    held = [fact.act for fact in sitting.standing if fact.act == ENGLISH or (fact.act == SILENCE and silent)]
    return {"directions": [{"text": act, "rule": rule_of(rules, act)} for act in dict.fromkeys(held)]} if held else {}


def rule_of(rules: StudRules, act: str) -> str:
    """The rule under which something is ordered."""
    return next(law.rule for law in rules.ceremony.orders if law.value.act == act)


def kept_apart(rules: StudRules, sitting: StudSitting, name: str, others: tuple[str, ...]) -> Refusal | None:
    """Why somebody may not play beside these: they are suspected of acting together, and ordered apart."""
    for fact in sitting.standing:
        group = [each.strip() for each in str(fact.detail).split(",")] if fact.act == APART else []
        beside = [other for other in others if other in group]
        if name in group and beside:
            return Refusal(f"{name} is not to play at one table with {', '.join(beside)}", rule_of(rules, APART))
    return None


def announcement(rules: StudRules, layout: StudLayout, box: StudBox) -> str:
    """What the dealer says of a hand at the showdown: "two pairs, win"."""
    return f"{class_name(rules.ranking, box.cards)}, {verdict(rules, layout, box).value}"


def misdeclared(rules: StudRules, box: StudBox, said: str) -> Refusal | None:
    """Why what a player says of the hand does not count: the cards make something else, and they settle."""
    made = class_name(rules.ranking, box.cards)
    if said == made:
        return None
    return Refusal(f"declared as {said}, but the cards make {made}", rules.ceremony.scripts["show"][0].rule)
