"""Placing wagers at blackjack: what is accepted, and which part of it is valid.

`accept` looks at all wagers together, in the order of precedence: the bet is known and offered; the box exists; the
time is right; the box and the player have room; what the bet presupposes is there; then the amounts: those that the
sign fixes are refused if they differ, what is above the maximum is void, and a total above a box maximum is refused.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.game import Refusal, Sign, Wager
from croupier.games.blackjack import moves
from croupier.games.blackjack.layout import (
    Layout,
)
from croupier.games.blackjack.rules import DOUBLE, INSURANCE, MAIN, SPLIT, SUPER_SEVENS, BlackjackRules
from croupier.games.blackjack.stakes import on_hand, original, remembered, terms_of, why_no_insurance
from croupier.law.model import present
from croupier.money import dollars
from croupier.once import once

Placed = tuple[Wager, ...]


def together(rules: BlackjackRules) -> Refusal | None:
    """What an edition of somebody's own may not join, since neither play nor odds would carry it."""
    hole, sevens = rules.hole_card, rules.super_sevens
    if present(rules.surrender) and not present(hole):
        return Refusal("surrender is late: it needs a hole card that the dealer has looked at", rules.surrender.rule)
    if present(hole) and sevens.value.elected:
        reason = "a hole card may end a round before Super Sevens has its cards: set super_sevens to false"
        return Refusal(reason, hole.rule)
    return None


@once
def wagers(rules: BlackjackRules) -> tuple[str, ...]:
    """The name of every bet that may be placed under the elections in force, in the order of a sheet."""
    return tuple(name for name in rules.permitted.value if name != SUPER_SEVENS or not no_sevens(rules))


def no_sevens(rules: BlackjackRules) -> Refusal | None:
    """Why Super Sevens cannot be placed, if so: it is not elected, or not for so many packs."""
    if not rules.super_sevens.value.elected:
        return Refusal("Super Sevens is not offered", rules.super_sevens.rule)
    decks = rules.decks.value.elected
    if decks in rules.sevens.decks.value:
        return None
    return Refusal(f"Super Sevens is not offered with {decks} decks", rules.sevens.decks.rule)


def accept(rules: BlackjackRules, sign: Sign, layout: Layout, standing: Placed, placed: Placed) -> Placed | Refusal:
    """The wagers as they stand once placed, each split into its valid and void part; or the first refusal."""
    together = (*standing, *placed)
    for wager in placed:
        refusal = (
            _unknown(rules, wager)
            or _mistimed(rules, layout, wager)
            or _no_room(rules, wager, together)
            or _unsupported(rules, sign, wager, together)
            or _below_minimum(rules, sign, wager, together)
        )
        if refusal:
            return refusal
    valid = tuple(_valid(rules, sign, wager, together) for wager in placed)
    return _over_box_maximum(rules, sign, standing, placed) or valid


def _unknown(rules: BlackjackRules, wager: Wager) -> Refusal | None:
    known = wagers(rules)
    if wager.on in known:
        sits = wager.box in rules.boxes.value
        return None if sits else Refusal(f"there is no box {wager.box}", rules.boxes.rule)
    if wager.on == SUPER_SEVENS and (refusal := no_sevens(rules)):
        return refusal
    if wager.on in (DOUBLE, SPLIT):
        return Refusal(f"a {wager.on} is chosen in turn, not placed", rules.permitted.rule)
    return Refusal(f"{wager.on!r} is not a wager here; known are {', '.join(known)}", rules.permitted.rule)


def _mistimed(rules: BlackjackRules, layout: Layout, wager: Wager) -> Refusal | None:
    if layout.void:
        return Refusal("this round is void", layout.void, on=wager.on)
    if wager.on != INSURANCE:
        late = Refusal(f"no wager once {rules.closing.value}", rules.closing.rule, on=wager.on)
        return late if layout.cards else None
    box = layout.box(wager.box)
    if box is None or wager.by not in box.bettors:
        return Refusal(f"no wager of that player on box {wager.box}", rules.insurance.part.rule, on="insurance")
    return moves.why_no_early(rules, layout, "insure") or moves.why_not_this_player(rules, box, wager.by, "insure")


def _no_room(rules: BlackjackRules, wager: Wager, together: Placed) -> Refusal | None:
    """More players on a box, or more boxes for a player, than the operator permits."""
    if wager.on != MAIN:
        return None
    players = {each.by for each in together if each.box == wager.box and each.on == MAIN}
    most = rules.players_per_box
    if len(players) > most.value.elected:
        return Refusal(f"box {wager.box} is open to {most.value.elected} players", most.rule)
    boxes = {each.box for each in together if each.by == wager.by and each.on == MAIN}
    most = rules.boxes_per_player
    if len(boxes) > most.value.elected:
        return Refusal(f"{wager.by or 'one player'} may wager on {most.value.elected} boxes", most.rule)
    return None


def _unsupported(rules: BlackjackRules, sign: Sign, wager: Wager, together: Placed) -> Refusal | None:
    """What a side bet presupposes: the main wager beside it, and its amount."""
    if wager.on == MAIN:
        return None
    base = on_hand(together, wager.box, wager.by, 1)
    if wager.on == INSURANCE:
        assert base
        return why_no_insurance(rules, original(base), wager.stake_cents, terms_of(base[0]))
    sevens = rules.sevens
    if sevens.with_main.value and not base:
        return Refusal("Super Sevens goes with a main wager on the box", sevens.with_main.rule)
    mine = [w for w in together if (w.on, w.box, w.by) == (SUPER_SEVENS, wager.box, wager.by)]
    displayed = sign.super_sevens
    if sevens.as_displayed.value and displayed is not None and original(tuple(mine)) != displayed:
        return Refusal(f"a Super Sevens wager is the displayed {dollars(displayed)}", sevens.as_displayed.rule)
    return None


def _below_minimum(rules: BlackjackRules, sign: Sign, wager: Wager, together: Placed) -> Refusal | None:
    """A player on several boxes owes the minimum on each."""
    law = rules.sharing.minimum_each
    if wager.on != MAIN or not law.value:
        return None
    boxes = {each.box for each in together if each.by == wager.by and each.on == MAIN}
    here = original(on_hand(together, wager.box, wager.by, 1)) if len(boxes) > 1 else sign.minimum
    if here >= sign.minimum:
        return None
    return Refusal(f"{dollars(here)} on box {wager.box} is below the minimum of {dollars(sign.minimum)}", law.rule)


def _valid(rules: BlackjackRules, sign: Sign, wager: Wager, together: Placed) -> Wager:
    """The wager with its void part; the maximum tests the main wager only, not what is added to it."""
    if wager.on == INSURANCE:
        base = on_hand(together, wager.box, wager.by, 1)
        return changed(wager, hand=1, of=base[0].number, seen=base[0].seen)
    if wager.on != MAIN:
        return wager
    before = original(tuple(w for w in on_hand(together, wager.box, wager.by, 1) if w.number < wager.number))
    wager = changed(wager, seen=remembered(sign))
    over = rules.over_maximum
    if sign.maximum is None or over.value != "excess void":
        return wager
    # What a player adds to a wager is part of it, and the maximum may be what was left to add.
    valid = max(0, sign.maximum + sign.staked - before)
    if wager.stake_cents <= valid:
        return wager
    return changed(wager, stake_cents=valid, voided_cents=wager.stake_cents - valid, void_rule=over.rule)


def _over_box_maximum(rules: BlackjackRules, sign: Sign, standing: Placed, placed: Placed) -> Refusal | None:
    """The operator may cap a box, or each player on it, at the maximum; without a sign no cap is in force.

    What is above the maximum by itself is void, and takes no room on the box.
    """
    cap = rules.box_maximum
    if sign.maximum is None or cap.value.elected == "none":
        return None
    per_player, most = cap.value.elected == "player", sign.maximum + sign.staked
    for wager in placed:
        stakes = (*((w, w.stake_cents) for w in standing), *((w, min(w.stake_cents, sign.maximum)) for w in placed))
        there = ((w, cents) for w, cents in stakes if w.on == MAIN and w.box == wager.box)
        total = sum(cents for w, cents in there if w.by == wager.by or not per_player)
        if wager.on == MAIN and total > most:
            whose = f"{wager.by or 'one player'} on " if per_player else ""
            return Refusal(f"{whose}box {wager.box}: {dollars(total)} is above {dollars(most)}", cap.rule)
    return None
