"""The wagers of Caribbean stud: what may be placed, what a choice adds, how each is decided.

`accept` refuses in this order: the wager is not known here; the time is wrong; there is no such box; the area or the
player has one already; a jackpot wager lacks its ante or is not the amount on the sign; a maximum payout is not
approved or not payable.  Then the part of an ante above the maximum is void.  A player who is not named is the one at
the box.

`judge` watches one wager.  The jackpot wager carries the pool it was placed on, because a judge does not see the sign;
an ante carries the mark of a jackpot wager that a misdeal left to its hand.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from msgspec.structs import replace as changed

from croupier.equipment import Lies
from croupier.game import Chosen, Effect, Lost, Refusal, Resolution, Sign, StandOff, Void, Wager, Won
from croupier.games.caribbean_stud.hands import class_name
from croupier.games.caribbean_stud.jackpot import claims, payouts, winners
from croupier.games.caribbean_stud.play import StudBox, StudLayout, chooser, dealer_qualifies, is_played, verdict
from croupier.games.caribbean_stud.rules import ANTE, BET, FOLD, JACKPOT, StudRules, Verdict
from croupier.law.links import ELECTRONIC
from croupier.law.model import Law
from croupier.money import Cents, Odds, dollars, parse_amount, payable


def wagers(rules: StudRules) -> tuple[str, ...]:
    """The wagers that may be placed: the ante and, where the operator runs it, the jackpot."""
    return tuple(name for name in rules.permitted.value if name != JACKPOT or rules.jackpot.value.elected)


# ---------------------------------------------------------------- placing


def accept(
    rules: StudRules, sign: Sign, layout: StudLayout, standing: tuple[Wager, ...], placed: tuple[Wager, ...]
) -> tuple[Wager, ...] | Refusal:
    """The wagers as they stand once placed, or the first refusal."""
    for wager in placed:
        refusal = (
            _unknown(rules, wager)
            or _mistimed(rules, layout, wager)
            or _no_such_box(rules, wager)
            or _one_too_many(rules, wager, (*standing, *placed))
            or _no_jackpot(rules, sign, wager, (*standing, *placed))
            or _no_cap(rules, sign)
        )
        if refusal:
            return refusal
    return tuple(_noted(sign, standing, _capped(rules, sign, wager)) for wager in placed)


def _unknown(rules: StudRules, wager: Wager) -> Refusal | None:
    if wager.on in wagers(rules):
        return None
    if wager.on == BET:
        return Refusal("a bet is put down by choosing it, once the cards are dealt", rules.bet_of_ante.rule)
    known = ", ".join(wagers(rules))
    return Refusal(f"{wager.on!r} is not a wager here; known are {known}", rules.permitted.rule)


def _mistimed(rules: StudRules, layout: StudLayout, wager: Wager) -> Refusal | None:
    if layout.misdeal:
        return Refusal("a misdeal is dealt again in the next round", rules.misdealt.rule, on=wager.on)
    if not layout.dealt:
        return None
    if wager.on == ANTE and rules.antes_bind.value:
        return Refusal("none may be placed or altered after the first card", rules.antes_bind.rule, on="ante")
    return Refusal(f"no wager after the call of {rules.closing.value!r}", rules.closing.rule, on=wager.on)


def _no_such_box(rules: StudRules, wager: Wager) -> Refusal | None:
    seats = rules.seats.value.elected
    if 1 <= wager.box <= seats:
        return None
    return Refusal(f"there is no box {wager.box} at a table of {seats}", rules.seats.rule)


def _player(wager: Wager) -> str:
    return wager.by or f"the player of box {wager.box}"


def _one_too_many(rules: StudRules, wager: Wager, together: tuple[Wager, ...]) -> Refusal | None:
    others = [other for other in together if other.on == wager.on and other.number != wager.number]
    if wager.on == JACKPOT:  # one carried for a player who has left is on its way back and takes no area
        others = [other for other in others if other.by == wager.by]
    if rules.one_wager_an_area.value and any(other.box == wager.box for other in others):
        return Refusal(f"box {wager.box} has its {wager.on} already", rules.one_wager_an_area.rule)
    if rules.one_hand_each.value and any(_player(other) == _player(wager) for other in others):
        return Refusal(f"{_player(wager)} may play one hand only", rules.one_hand_each.rule)
    return None


def _no_jackpot(rules: StudRules, sign: Sign, wager: Wager, together: tuple[Wager, ...]) -> Refusal | None:
    if wager.on != JACKPOT:
        return None
    needs, one = rules.progressive.needs_ante, rules.progressive.one_amount
    antes = [other for other in together if other.on == ANTE and (other.box, other.by) == (wager.box, wager.by)]
    if needs.value and not antes:
        return Refusal(f"{_player(wager)} has no ante on box {wager.box}", needs.rule, on="jackpot")
    if one.value and sign.jackpot_wager is not None and wager.stake_cents != sign.jackpot_wager:
        wanted, given = dollars(sign.jackpot_wager), dollars(wager.stake_cents)
        return Refusal(f"the wager on the sign is {wanted}, not {given}", one.rule, on="jackpot")
    return None


def _no_cap(rules: StudRules, sign: Sign) -> Refusal | None:
    """A maximum payout must be good, and payable in chips: rounded up it would not be the maximum."""
    cap = maximum_payout(rules)
    if isinstance(cap, int) and not payable(cap, sign.chip):
        return Refusal(f"maximum payout {dollars(cap)}: chips cannot pay it", rules.maximum_payout.rule)
    return cap if isinstance(cap, Refusal) else None


def maximum_payout(rules: StudRules) -> Cents | Refusal | None:
    """The most that a bet pays, if the operator set it: dollars, then the approval and notice that show it."""
    text = rules.maximum_payout.value.elected
    if not text:
        return None
    amount, _, source = text.partition(" ")
    try:
        cents = parse_amount(amount)
    except ValueError as error:
        return Refusal(f"maximum payout {text!r:.60}: {error}", rules.maximum_payout.rule)
    if not source.strip():
        return Refusal(f"maximum payout {text!r}: name the approval and the notice", rules.maximum_payout.rule)
    return cents


def _capped(rules: StudRules, sign: Sign, wager: Wager) -> Wager:
    """An ante above the maximum: the excess is void."""
    over = rules.over_maximum
    if wager.on != ANTE or sign.maximum is None or wager.stake_cents <= sign.maximum or over.value != "excess void":
        return wager
    void = wager.stake_cents - sign.maximum
    return changed(wager, stake_cents=sign.maximum, voided_cents=void, void_rule=over.rule)


def _noted(sign: Sign, standing: tuple[Wager, ...], wager: Wager) -> Wager:
    if wager.on == JACKPOT:
        return changed(wager, seen=(sign.jackpot or 0,))
    carried = any(other.on == JACKPOT and (other.box, other.by) == (wager.box, wager.by) for other in standing)
    return changed(wager, seen=(JACKPOT,)) if carried else wager


def stakes(
    rules: StudRules, layout: StudLayout, standing: tuple[Wager, ...], fact: Effect
) -> tuple[Wager, ...] | Refusal:
    """The bet that a choice puts down beside its ante, of exactly so many times the ante."""
    if not isinstance(fact, Chosen) or fact.option != BET:
        return ()
    box = chooser(layout, fact)
    ante = next((wager for wager in standing if box and wager.on == ANTE and wager.box == box.number), None)
    if ante is None or box is None or box.decided:
        return ()
    stake = rules.bet_of_ante.value * ante.stake_cents
    if fact.amount_cents not in (0, stake):
        given = dollars(fact.amount_cents)
        return Refusal(f"a bet on this ante is {dollars(stake)}, not {given}", rules.bet_of_ante.rule)
    return (Wager(BET, stake, by=ante.by, box=ante.box, of=ante.number),)


def lies(rules: StudRules, layout: StudLayout, wager: Wager) -> Lies:
    """A jackpot wager that the slot has accepted, under its light."""
    box, light = layout.box(wager.box), rules.progressive.light.value == "while it stands"
    slot = rules.jackpot_mode.value.elected == ELECTRONIC and wager.on == JACKPOT
    on = slot and light and box is not None and box.jackpot and box.by == wager.by
    return Lies(markers=("light",)) if on else Lies()


# ---------------------------------------------------------------- deciding


def judge(rules: StudRules, wager: Wager, before: StudLayout, fact: Effect, after: StudLayout) -> Wager | Resolution:
    """The wager after this fact: itself, or how it was decided."""
    box = after.box(wager.box)
    if wager.on == JACKPOT and not (box and box.jackpot and box.by == wager.by):
        return _judge_absent(rules, wager, after, box)
    if after.misdeal:
        return wager if wager.on == rules.misdealt.value else Void(rules.misdealt.rule, "misdeal")
    if box is None:
        return wager
    if wager.on == JACKPOT:
        return _judge_jackpot(rules, wager, after, box)
    if box.out:
        return _judge_out(rules, box)
    if not is_played(rules, after):
        return wager
    if dealer_qualifies(rules, after):
        return _judge_hand(rules, wager, box, verdict(rules, after, box))
    return _judge_no_hand(rules, wager)


def _judge_out(rules: StudRules, box: StudBox) -> Resolution:
    """The hand left the round: folded, or by a ruling, which forfeits what it staked."""
    if box.out == rules.folded.rule:
        return _decided(rules.folded, Won(rules.ante_pays.value, rules.folded.rule))
    return Lost(box.out, "out of the round")


def _judge_no_hand(rules: StudRules, wager: Wager) -> Resolution:
    """The dealer does not qualify: antes are paid, bets are void."""
    if wager.on == ANTE:
        return Won(rules.no_hand_ante.value, rules.no_hand_ante.rule, "dealer does not qualify")
    return _decided(rules.no_hand_bet, Won(rules.bet_pays["one pair"].value, rules.no_hand_bet.rule))


def _judge_hand(rules: StudRules, wager: Wager, box: StudBox, law: Law[Verdict]) -> Resolution:
    hand = class_name(rules.ranking, box.cards)
    if wager.on == ANTE:
        return _decided(law, Won(rules.ante_pays.value, rules.ante_pays.rule))
    return _decided(law, _bet_won(rules, wager, hand))


def _decided(law: Law[Verdict], won: Won) -> Resolution:
    match law.value:
        case "win":
            return won
        case "lose":
            return Lost(law.rule)
        case "stand off":
            return StandOff(law.rule)
        case "void":
            return StandOff(law.rule, "void", "void")
        case unreachable:
            assert_never(unreachable)


def _bet_won(rules: StudRules, wager: Wager, hand: str) -> Won:
    """The pay table, up to the maximum payout where the operator has one."""
    pays = rules.bet_pays[hand]
    cap = maximum_payout(rules)
    if isinstance(cap, int) and pays.value.net(wager.stake_cents) > cap:
        return Won(sum_on(Fraction(cap), wager.stake_cents), rules.maximum_payout.rule, hand)
    return Won(pays.value, pays.rule, hand)


def sum_on(amount: Fraction, stake_cents: Cents) -> Odds:
    """A fixed sum as odds on the stake: 100 dollars on 2 are 50 to 1."""
    ratio = amount / stake_cents
    return Odds(ratio.numerator, ratio.denominator)


def _judge_absent(rules: StudRules, wager: Wager, after: StudLayout, box: StudBox | None) -> Wager | Resolution:
    """A jackpot wager not on the layout: its light was off, or it was carried and its player has no ante."""
    if box and box.by == wager.by:
        return Void(rules.irregularities["light_off"][0].rule, "light off")
    law = rules.progressive.no_ante
    if not after.dealt:
        return wager
    return Void(law.rule, "no ante") if law.value == "void" else Lost(law.rule, "no ante")


def _judge_jackpot(rules: StudRules, wager: Wager, after: StudLayout, box: StudBox) -> Wager | Resolution:
    if box.out and box.out == rules.irregularities["dead_hand"][0].rule:
        return Lost(box.out, "dead hand")
    if box.out:
        return _chip(rules, FOLD)
    if not is_played(rules, after):
        return wager
    return _jackpot_won(rules, wager, after, box) if claims(rules, after, box) else _jackpot_lost(rules, after, box)


def _jackpot_won(rules: StudRules, wager: Wager, after: StudLayout, box: StudBox) -> Won:
    boxes = winners(rules, after)
    pool = wager.seen[0]
    assert isinstance(pool, int)
    hands = [class_name(rules.ranking, each.cards) for each in boxes]
    paid = payouts(rules.progressive, pool, hands)[boxes.index(box)]
    back = not rules.progressive.kept.value
    return Won(sum_on(paid.cents, wager.stake_cents), paid.rule, class_name(rules.ranking, box.cards), stake_back=back)


def _jackpot_lost(rules: StudRules, after: StudLayout, box: StudBox) -> Resolution:
    """The hand does not qualify, or lies face down; the rule is that of the way the round ended for it."""
    if box.face_down:
        return Lost(rules.progressive.shown.rule, "face down")
    if not dealer_qualifies(rules, after):
        return _chip(rules, "no hand")
    return _chip(rules, verdict(rules, after, box).value)


def _chip(rules: StudRules, ending: str) -> Resolution:
    """The wager of a hand that does not win: in electronic mode it is in the jackpot, otherwise it is collected."""
    electronic, jackpot = rules.jackpot_mode.value.elected == ELECTRONIC, rules.progressive
    kept = jackpot.accepted if ending == FOLD else jackpot.listed_only
    law = kept if electronic else jackpot.chip[ending]
    return Lost(law.rule, "no jackpot") if law.value else Void(law.rule, "no jackpot")
