"""The words of a lesson: what is due, what happened, what went wrong and what is done about it, for a trainee to read.

A name that has no words here is shown as it is, with spaces, so that a new act is plain but never missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from croupier.equipment import card_sign, parse_card
from croupier.game import Choose, Deal, Demand, Irregular, Over, Perform, Refusal, Remedy, Roll, Spin
from croupier.game.circumstances import Circumstances
from croupier.game.places import read_place
from croupier.table.events import Announced, Events, RoundEnded

HANDS: Final = {"player": "the Player’s Hand", "banker": "the Banker’s Hand", "dealer": "the dealer"}

REMEDIES: Final[Mapping[Remedy, str]] = {
    Remedy.REASSIGN: "The card goes to the hand it belongs to",
    Remedy.CARRY: "The card is kept and begins the next round",
    Remedy.VOID_HAND: "The hand is void",
    Remedy.DUMMY_COUP: "A Dummy Coup is dealt",
    Remedy.VOID_ROUND: "The round is void and stakes go back",
    Remedy.VOID_WAGER: "The wager concerned is void",
    Remedy.USE: "What was dealt or thrown counts and is used",
    Remedy.DISCARD: "The card is discarded and play goes on",
    Remedy.RECONSTRUCT: "The right sequence is put together again",
    Remedy.REDEAL: "All is dealt again and the wagers stand",
    Remedy.REPLACE: "What is lost or damaged is replaced",
    Remedy.RESTART: "The shoe is begun again",
    Remedy.PLAY_ON: "Play goes on as if nothing had happened",
    Remedy.STAND: "What was done or decided stands",
    Remedy.OPTION: "The players concerned may choose",
    Remedy.FOLD: "The hand is out of the round",
    Remedy.AGAIN: "It does not count and is done again",
}

DECISIONS: Final[Mapping[str, str]] = {
    "shoe ended": "It was the last round of the shoe.",
    "reconstruct": "The right order of the cards is known.",
    "void": "Nobody can tell how it should have been.",
    "complete": "The supervisor lets the hands be completed where they lie.",
    "retract": "The supervisor lets players take their wagers back.",
    "dummy": "The supervisor wants nothing to count in this coup.",
    "restart": "The supervisor wants the cards prepared again.",
    "burned": "A card was burned, none dealt.",
    "permit": "The supervisor permits it.",
    "unnoticed": "Nobody noticed at the time.",
    "dead": "The official finds against the hand.",
    "stands": "The official finds nothing wrong.",
    "again": "The wager is to be put down anew.",
    "return": "It does not come on at the second try either.",
    "no_roll": "“No roll” is called.",
    "No spin": "“No spin” is called.",
}
"""What an official's decision says to somebody who has to know the remedy himself."""

NUMBERED: Final = {
    "wrong_count": "The hand has {} cards.",
    "stray_cards": "There are {} of them.",
    "deck_count": "The deck has {} cards.",
}


def plain(name: str) -> str:
    """A name in words, the first of them large."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def place(to: str) -> str:
    return HANDS.get(to, to)


def somebody(name: str) -> str:
    """A role with its article; a person or a seat by name."""
    return name if name[:1].isupper() or read_place(name) else f"the {name}"


def due_words(demand: Demand) -> str:
    """What is due, as one of the answers."""
    match demand:
        case Deal(to=to):
            return f"A card to {place(to)}"
        case Roll(by=by):
            return f"The dice, by {somebody(by or 'shooter')}"
        case Spin():
            return "The result of the wheel"
        case Choose(by=by, options=options):
            return f"{plain(by)} decides: {' or '.join(each.replace('_', ' ') for each in options)}"
        case Perform(act=act, by=by):
            return f"{plain(act)}, by {somebody(by)}"
        case Over():
            return "Nothing before the next wager"
        case unreachable:
            assert_never(unreachable)


def step_words(due: Demand, fact: Any, events: Events | Refusal, *, called: bool) -> tuple[str, ...]:
    """What happened, in lines for the record of a lesson; where words were `called`, they say all."""
    if isinstance(events, Refusal):
        return ()
    said = [f"“{event.text}”" for event in events if isinstance(event, Announced)]
    over = ["The round is over."] if any(isinstance(event, RoundEnded) for event in events) else []
    if isinstance(due, Perform) and called and len(said) == 1:
        return (f"{plain(due.by)}: {said[0]}", *over)
    return (_fact_words(due, fact), *said, *over)


def _fact_words(due: Demand, fact: Any) -> str:
    match due:
        case Perform(act=act, by=by):
            return f"{plain(by)}: {act.replace('_', ' ')}"
        case Deal(to=to) if isinstance(fact, str):
            return f"Card to {place(to)}: {card_sign(parse_card(fact))}"
        case Choose(by=by):
            return f"{plain(by)}: {str(fact.get('choose', '')).replace('_', ' ')}"
        case _ if isinstance(fact, dict):
            return f"{plain(str(fact.get('perform', '')))} comes"
        case _:
            return f"The result: {fact}"


def mistake_words(circumstances: Circumstances, fact: Irregular) -> str:
    """What went wrong, as somebody at the table would tell it."""
    entry = circumstances[fact.circumstance]
    sentences = [f"{plain(entry.words)}."]
    if fact.card is not None:
        sentences.append(f"It is the {card_sign(fact.card)}.")
    if fact.to:
        sentences.append(f"{_place_said(fact)}.")
    if entry.disclosed:
        sentences.append("Its face was seen." if fact.disclosed else "Its face was not seen.")
    if fact.call:
        sentences.append(_decided(fact))
    return " ".join(sentences)


def _place_said(fact: Irregular) -> str:
    match fact.circumstance:
        case "tilted_die":
            return f"The dice: {fact.to}, where r is the side on which a die rests"
        case "dice_lost":
            return f"Dice not found: {fact.to}"
        case "straddling_chip":
            return f"The wager is on {fact.to.replace('_', ' ')}"
        case _:
            return f"It concerns {place(fact.to)}"


def _decided(fact: Irregular) -> str:
    if fact.circumstance in NUMBERED:
        return NUMBERED[fact.circumstance].format(fact.call)
    if fact.circumstance == "wrong_third_card" and fact.call == "void":
        return ""
    return DECISIONS.get(fact.call, f"The official decides: {fact.call}.")
