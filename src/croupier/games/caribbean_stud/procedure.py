"""The procedure around the cards: a second `demand` over the same layout.

A `Sitting` is a table's ceremony: what was done to open it, what was done in this round, the orders that stand, and
the layout.  `agenda` lists the scripts that the layout calls for, box by box, in the order of the law; `demand` is the
first act of them that is not done yet, else what play demands.  So cards wait for the shuffle, the cut and the call,
choices wait until the rest of the deck is put away, and the jackpot waits until every ante and bet is settled.  While
the dealer clears a folded hand the other players may choose.

The round ends with its agenda.  The next begins with the shuffle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from croupier.ceremony import Act, Done, Holds, Script, acts, due, perform
from croupier.equipment import CARDS
from croupier.game import (
    Called,
    CardSeen,
    Chosen,
    Demand,
    Fact,
    Irregular,
    Perform,
    Performed,
    Refusal,
    Wager,
    say,
)
from croupier.games.caribbean_stud import irregular, play
from croupier.games.caribbean_stud.hands import class_name
from croupier.games.caribbean_stud.jackpot import claims, winners
from croupier.games.caribbean_stud.play import Box, Layout, dealer_qualifies, hand_size, is_dealt, is_played, verdict
from croupier.games.caribbean_stud.rules import ELECTRONIC, JACKPOT, SHOE, SHUFFLER, StudRules
from croupier.games.caribbean_stud.scripts import CHECK, CUT, LOAD, NOTIFY, REPLACE, SHUFFLE, VACANT
from croupier.law.model import Law

EMPTY = Layout()


@dataclass(frozen=True, slots=True)
class Sitting:
    """`opened`: what was done to open the table; `said`: in this round; `standing`: orders that outlast it."""

    opened: Done = ()
    said: Done = ()
    standing: Done = ()
    layout: Layout = EMPTY


# ---------------------------------------------------------------- what is due


def demand(rules: StudRules, sitting: Sitting) -> Demand:
    """The first act of staff that is due, else what play demands, else the shuffle for the next round."""
    wanted = act_due(rules, sitting)
    if wanted:
        return wanted
    return _shuffle(rules) if finished(rules, sitting) else play.demand(rules, sitting.layout)


def act_due(rules: StudRules, sitting: Sitting) -> Perform | None:
    """The first act of staff that the opening or this round still asks for."""
    opening = due(_opening(rules), sitting.opened, _condition(rules, sitting))
    if opening:
        return opening
    for name, number in agenda(rules, sitting.layout):
        script = tuple(Law(_of(law.value, box=number), law.rules) for law in rules.ceremony.scripts[name])
        found = due(script, sitting.said, _condition(rules, sitting, number))
        if found:
            return found
    return None


def agenda(rules: StudRules, layout: Layout) -> tuple[tuple[str, int], ...]:
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


def _leaving(rules: StudRules, box: Box) -> str:
    return "dead hand" if box.out == rules.irregularities["dead_hand"][0].rule else "fold"


def _showdown(rules: StudRules, layout: Layout) -> list[tuple[str, int]]:
    """The dealer's hand, then every remaining hand from the dealer's right."""
    boxes = sorted(layout.remaining, key=lambda box: box.number, reverse=rules.from_right.value)
    if not dealer_qualifies(rules, layout):
        return [("reveal", 0), ("no hand", 0), *(("unqualified", box.number) for box in boxes)]
    pairs = [(("show", box.number), (verdict(rules, layout, box).value, box.number)) for box in boxes]
    return [("reveal", 0), *(item for pair in pairs for item in pair)]


def _opening(rules: StudRules) -> Script:
    return tuple(_each_deck(rules, rules.ceremony.scripts["opening"]))


def _each_deck(rules: StudRules, script: Script) -> Iterator[Law[Act]]:
    """The script with an act on `{deck}` written out for every deck of the device."""
    for law in script:
        decks = range(1, decks_at_table(rules).value + 1) if "{deck}" in law.value.act else range(1)
        yield from (Law(_of(law.value, deck=deck), law.rules) for deck in decks)


def _of(act: Act, **names: int) -> Act:
    return Act(act.act.format(**names), act.by.format(**names), act.when)


def decks_at_table(rules: StudRules) -> Law[int]:
    """How many decks the device takes; one of them is in play."""
    return rules.decks_at_table[rules.device.value.elected]


def _condition(rules: StudRules, sitting: Sitting, number: int = 0) -> Holds:
    """Whether all conditions of an act, separated by commas, hold for the table and this box."""

    def holds(words: str) -> bool:
        known = _known(rules, sitting, sitting.layout.box(number))
        return all(known[word] for word in words.split(", "))

    return holds


def _known(rules: StudRules, sitting: Sitting, box: Box | None) -> dict[str, bool]:
    layout = sitting.layout
    return {
        "shoe": rules.device.value.elected == SHOE,
        "shuffler": rules.device.value.elected == SHUFFLER,
        "electronic": rules.jackpot_mode.value.elected == ELECTRONIC,
        "manual": rules.jackpot_mode.value.elected != ELECTRONIC,
        "jackpot": rules.jackpot.value.elected,
        "none up": layout.up is None,
        "antes": bool(layout.boxes),
        "entered": box is not None and box.jackpot,
        "no claim": box is not None and not claims(rules, layout, box),
    }


def _order_condition(rules: StudRules, sitting: Sitting) -> Holds:
    """Whether all conditions of an order hold."""
    known = {
        "between rounds": not sitting.layout.dealt or finished(rules, sitting),
        "inspector told": NOTIFY in acts(sitting.standing),
    }
    return lambda words: all(known[word] for word in words.split(", "))


def finished(rules: StudRules, sitting: Sitting) -> bool:
    """Whether the round is over and everything that follows it is done."""
    ended = bool(sitting.layout.misdeal) or is_played(rules, sitting.layout)
    return ended and act_due(rules, sitting) is None


def _shuffle(rules: StudRules) -> Perform:
    law = rules.ceremony.scripts["before the deal"][0]
    return Perform(law.value.act, law.value.by, law.rule)


# ---------------------------------------------------------------- what happens


def apply(rules: StudRules, sitting: Sitting, fact: Fact) -> Sitting | Refusal:
    """The sitting after a fact of play or of ceremony, or why it must wait."""
    if isinstance(fact, Performed):
        return _performed(rules, sitting, fact)
    refusal = _waits(rules, sitting, fact)
    if refusal:
        return refusal
    layout = irregular.apply(rules, sitting.layout, fact)
    if isinstance(layout, Refusal):
        return layout
    return _drawn_early(rules, sitting, fact, layout) or replace(sitting, layout=layout, said=_again(sitting, layout))


def _drawn_early(rules: StudRules, sitting: Sitting, fact: Fact, layout: Layout) -> Refusal | None:
    """No card is dealt, nor dealt wrongly, before the deal may begin: after the shuffle, the cut and the call."""
    wanted = demand(rules, sitting)
    early = isinstance(fact, Irregular) and isinstance(wanted, Perform) and not sitting.layout.dealt
    if not early or not (layout.dealt or layout.misdeal):
        return None
    return Refusal(f"no card is drawn yet, first is due: {say(wanted)}", wanted.rule)


def _again(sitting: Sitting, layout: Layout) -> Done:
    """Cards that were taken back are shuffled and cut again; the wagers stand, so that the call is not repeated."""
    if layout.dealt or not sitting.layout.dealt:
        return sitting.said
    return tuple(fact for fact in sitting.said if fact.act not in (SHUFFLE, CUT, LOAD))


def _waits(rules: StudRules, sitting: Sitting, fact: Fact) -> Refusal | None:
    """A card waits for every act that is due; a choice only for the deck to be put away."""
    wanted = demand(rules, sitting)
    if not isinstance(wanted, Perform) or isinstance(fact, Irregular):
        return None
    if isinstance(fact, Chosen | Called) and _put_away(rules, sitting):
        return None
    if isinstance(fact, CardSeen | Chosen | Called):
        return Refusal(f"{type(fact).__name__}: first is due: {say(wanted)}", wanted.rule)
    return None


def _put_away(rules: StudRules, sitting: Sitting) -> bool:
    return rules.ceremony.scripts["after the deal"][-1].value.act in acts(sitting.said)


def _performed(rules: StudRules, sitting: Sitting, fact: Performed) -> Sitting | Refusal:
    wanted = demand(rules, sitting)
    orders = rules.ceremony.orders
    ordered = fact.act in {law.value.act for law in orders}
    if not ordered and not isinstance(wanted, Perform):
        return Refusal(f"{fact.act}: due is {say(wanted)}", wanted.rule)
    asked = wanted if isinstance(wanted, Perform) else None
    refusal = _players_cut(rules, fact) or perform(asked, orders, fact, _order_condition(rules, sitting))
    refusal = refusal or _miscounted(rules, fact)
    if refusal:
        return refusal
    return _ordered(sitting, fact) if ordered else _done(rules, sitting, fact)


def _players_cut(rules: StudRules, fact: Performed) -> Refusal | None:
    if fact.act != CUT or not fact.by.startswith(("seat", "box", "player")) or rules.ceremony.players_cut.value:
        return None
    return Refusal(f"{fact.act}: never by a player ({fact.by})", rules.ceremony.players_cut.rule)


def _miscounted(rules: StudRules, fact: Performed) -> Refusal | None:
    """A count that is not right stops the act: it is a misdeal, to be declared."""
    if fact.detail == "" or not fact.act.startswith(("count", CHECK)):
        return None
    deck = "deck" in fact.act
    right = CARDS * rules.decks.value if deck else hand_size(rules)
    if fact.detail == right:
        return None
    what = "deck_count" if deck else "wrong_count"
    return Refusal(f"{fact.act}: {fact.detail}, not {right}; declare {what}", rules.irregularities[what][0].rule)


def _ordered(sitting: Sitting, fact: Performed) -> Sitting:
    """Orders are kept; new cards are opened like the first, and after a vacancy the cards are shuffled again."""
    kept = replace(sitting, standing=(*sitting.standing, fact))
    match fact.act:
        case act if act == REPLACE:
            told = tuple(each for each in kept.standing if each.act != NOTIFY)
            return replace(kept, opened=(), said=(), standing=told)
        case act if act == VACANT:
            return replace(kept, said=(), layout=EMPTY)
        case _:
            return kept


def _done(rules: StudRules, sitting: Sitting, fact: Performed) -> Sitting:
    if due(_opening(rules), sitting.opened, _condition(rules, sitting)):
        return replace(sitting, opened=(*sitting.opened, fact))
    if fact.act == SHUFFLE and finished(rules, sitting):
        return replace(sitting, said=(fact,), layout=EMPTY)
    return replace(sitting, said=(*sitting.said, fact))


# ---------------------------------------------------------------- what is shown and said


def wagers_closed(rules: StudRules, sitting: Sitting) -> Refusal | None:
    """Why no wager is taken any more: the call was made."""
    call = f"call {rules.closing.value}"
    if call not in acts(sitting.said):
        return None
    return Refusal(f"no wager after the call of {rules.closing.value!r}", rules.closing.rule)


def lights(rules: StudRules, standing: tuple[Wager, ...]) -> tuple[int, ...]:
    """The boxes whose light is on: in electronic mode, those with a jackpot wager accepted and not yet settled."""
    on = rules.jackpot_mode.value.elected == ELECTRONIC and rules.progressive.light.value == "while it stands"
    return tuple(wager.box for wager in standing if on and wager.on == JACKPOT)


def jackpot_area(rules: StudRules, where: str) -> Refusal | None:
    """Why a jackpot chip may not go there: the slot is for electronic mode, the area on the layout for manual."""
    law = rules.progressive.areas[rules.jackpot_mode.value.elected]
    if where == law.value:
        return None
    return Refusal(f"jackpot: the chip goes in the {law.value}, not in the {where}", law.rule)


def announcement(rules: StudRules, layout: Layout, box: Box) -> str:
    """What the dealer says of a hand at the showdown: "two pairs, win"."""
    return f"{class_name(rules.ranking, box.cards)}, {verdict(rules, layout, box).value}"


def misdeclared(rules: StudRules, box: Box, said: str) -> Refusal | None:
    """Why what a player says of the hand does not count: the cards make something else, and they settle."""
    made = class_name(rules.ranking, box.cards)
    if said == made:
        return None
    return Refusal(f"declared as {said}, but the cards make {made}", rules.ceremony.scripts["show"][0].rule)
