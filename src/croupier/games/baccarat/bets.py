"""The bets of baccarat: what may be placed, which part of it is valid, and how each is decided.

`accept` looks at all wagers together, in the order of precedence: the edition knows the bet; the time is right; the
bettor's combination is permitted; what the bet presupposes is there; then the amounts, which are not refused but
split into a valid and a void part (maximum, payable unit, differential).

`judge` watches one wager.  The main bets wait for the end of the coup.  Perfect Pairs remembers its first card;
Runs are in `runs.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import lru_cache

from msgspec.structs import replace as changed

from croupier.game import Called, CardSeen, Effect, Lost, Refusal, Resolution, Sign, StandOff, Void, Wager, Won
from croupier.games.baccarat.own import judge_own, own_bet, pair_class
from croupier.games.baccarat.play import Coup, count, has_natural, is_over, winner
from croupier.games.baccarat.rules import BANKER, PLAYER, BaccaratRules, MarginBet
from croupier.games.baccarat.runs import judge_run, run_bet
from croupier.games.baccarat.scales import margin_bet
from croupier.law.elections import Options
from croupier.law.model import Absent, Law, absent, present
from croupier.money import Cents, Odds, dollars, payable_part, payable_unit, reduce_pro_rata, terminal_wager
from croupier.once import once, once_of_both, replace

MAIN = (PLAYER, BANKER)
SIDE = ("perfect_pairs", "insurance")


def elected(option: Law[Options[bool]] | Absent) -> bool:
    """Whether the edition knows the option and the operator has it in force."""
    return present(option) and option.value.elected


@once
def wagers(rules: BaccaratRules) -> tuple[str, ...]:
    """The name of every bet that the edition and the elections permit, in the order of a sheet."""
    names = [name for name in rules.bets if name in rules.permitted.value]
    names += [name for name in SIDE if elected(getattr(rules, name))]
    if elected(rules.runs):
        names += [f"{kind}_{n}" for kind, bet in rules.run_bets.items() for n in bet.pays]
    if dragon(rules):
        names += ["dragon_player", "dragon_banker"]
    return tuple(dict.fromkeys((*names, *(bet.name for bet in rules.own))))


def dragon(rules: BaccaratRules) -> MarginBet | None:
    """The elected Dragon Bonus scale, if the edition names the bet and the operator named a source."""
    if not present(rules.dragon_bonus) or not rules.dragon_bonus.value.elected:
        return None
    return margin_bet(rules.dragon_bonus.value.elected, rules.dragon_bonus.rule)


# ---------------------------------------------------------------- placing


def accept(
    rules: BaccaratRules, sign: Sign, coup: Coup, standing: tuple[Wager, ...], placed: tuple[Wager, ...]
) -> tuple[Wager, ...] | Refusal:
    """The wagers as they stand once placed, each split into its valid and void part; or the first refusal."""
    valid = []
    for wager in placed:
        side = wager.on in SIDE
        refusal = (
            _unknown(rules, wager)
            or mistimed(rules, coup, wager)
            or (None if rules.backs_both.value else _barred(rules, wager, (*standing, *placed)))
            or (_unsupported(rules, wager, (*standing, *placed)) if side else None)
        )
        if refusal:
            return refusal
        fresh = changed(wager, seen=_at_first(rules, coup, wager)) if side or wager.seen else wager
        valid.append(_payable(rules, sign, _capped(rules, sign, fresh)))
    return tuple(valid) if sign.differential is None else _within_differential(rules, sign, standing, tuple(valid))


def _unknown(rules: BaccaratRules, wager: Wager) -> Refusal | None:
    known = wagers(rules)
    if wager.on in known:
        return None
    option = _option(rules, wager.on)
    if present(option):
        return Refusal("not offered at this table", option.rule, on=wager.on)
    return Refusal(f"{wager.on!r:.60} is not a wager here; known are {', '.join(known)}", rules.permitted.rule)


def _option(rules: BaccaratRules, on: str) -> Law[Options[bool]] | Law[Options[str]] | Absent:
    """The law that leaves a bet to the operator, where the edition knows the bet."""
    if run_bet(rules, on):
        return rules.runs
    options = {
        "perfect_pairs": rules.perfect_pairs,
        "insurance": rules.insurance,
        "dragon_player": rules.dragon_bonus,
        "dragon_banker": rules.dragon_bonus,
    }
    return options.get(on, absent)


def _at_first(rules: BaccaratRules, coup: Coup, wager: Wager) -> tuple[Hashable, ...]:
    """What a wager has seen when it is placed: nothing, or the first card of a hand that was begun for it."""
    if wager.on != "perfect_pairs" or not present(rules.pairs):
        return ()
    return tuple((coup.player if rules.pairs.hand.value == PLAYER else coup.banker)[:1])


def mistimed(rules: BaccaratRules, coup: Coup, wager: Wager) -> Refusal | None:
    """Why nobody may bet on this as the coup lies, whoever bets and whatever else they have."""
    if coup.void:
        return Refusal("this round is void", coup.void, on=wager.on)
    if coup.hand != "normal" and rules.no_wagers.value:
        return Refusal(f"no wagers count in this {coup.hand} hand", rules.no_wagers.rule, on=wager.on)
    if wager.on == "insurance":
        return None if insurance_offered(rules, coup) else _insurance_closed(rules, coup)
    if (coup.player or coup.banker) and not coup.opened:
        return Refusal(f"no wager after the call of {rules.closing.value!r}", rules.closing.rule, on=wager.on)
    return None


def insurance_offered(rules: BaccaratRules, coup: Coup) -> bool:
    """Whether the Banker has six on two cards and the Player's Hand must draw, with no third card dealt."""
    return present(rules.insures) and coup.dealt == rules.insures.window.value and _insurable(rules, coup)


def _insurable(rules: BaccaratRules, coup: Coup) -> bool:
    """Whether the first two cards of each hand are such that insurance is offered."""
    assert present(rules.insures)
    player, banker = (count(rules, hand[:2]) for hand in (coup.player, coup.banker))
    if has_natural(rules, coup):
        return False
    return banker == rules.insures.count.value and player in rules.player_draws.value


def _insurance_closed(rules: BaccaratRules, coup: Coup) -> Refusal:
    assert present(rules.insures)
    if coup.dealt > rules.insures.window.value:
        return Refusal("the next card has been dealt", rules.insures.window.rule, on="insurance")
    return Refusal("not offered in this position", rules.insures.count.rule, on="insurance")


def _barred(rules: BaccaratRules, wager: Wager, together: tuple[Wager, ...]) -> Refusal | None:
    """Banker with Player by one bettor, where the edition bars it."""
    if wager.on not in MAIN:
        return None
    other = BANKER if wager.on == PLAYER else PLAYER
    if any(w.on == other and w.by == wager.by for w in together):
        who = f"{wager.by!r:.40}" if wager.by else "one player"
        return Refusal(f"{who} may not back both the Banker's and the Player's Hand", rules.backs_both.rule)
    return None


def _unsupported(rules: BaccaratRules, wager: Wager, together: tuple[Wager, ...]) -> Refusal | None:
    """Side bets that need a main wager of the same bettor beside them."""
    if wager.on == "perfect_pairs" and present(rules.pairs) and rules.pairs.with_main.value:
        mains = [w for w in together if w.by == wager.by and w.on in rules.bets]
        return None if mains else Refusal("Perfect Pairs goes with a main wager", rules.pairs.with_main.rule)
    if wager.on == "insurance" and present(rules.insures):
        return _over_insured(rules.insures.capped_by, wager, together)
    return None


def _over_insured(cap: Law[frozenset[str]], wager: Wager, together: tuple[Wager, ...]) -> Refusal | None:
    most = max(sum(w.stake_cents for w in together if w.by == wager.by and w.on == hand) for hand in cap.value)
    if most == 0:
        return Refusal("insurance goes with a Player or Banker wager", cap.rule)
    insured = [w.stake_cents for w in together if w.by == wager.by and w.on == "insurance"]
    if len(insured) > 1:
        return Refusal("one wager a player and coup", cap.rule, on="insurance")
    if insured[0] > most:
        return Refusal(f"insurance of {dollars(insured[0])} is above the main wager of {dollars(most)}", cap.rule)
    return None


def _capped(rules: BaccaratRules, sign: Sign, wager: Wager) -> Wager:
    over = rules.limits.over_maximum
    if over.value == "next lower":
        least = rules.limits.under_minimum
        if present(least) and least.value == "no wager" and wager.stake_cents < sign.minimum:
            return _void_part(wager, 0, least.rule)
        valid = terminal_wager(wager.stake_cents, sign.minimum, sign.increment or 1, sign.maximum)
        return _void_part(wager, valid, over.rule)
    if sign.maximum is None or wager.stake_cents <= sign.maximum or over.value != "excess void":
        return wager
    return _void_part(wager, sign.maximum, over.rule)


_payable_unit = lru_cache(maxsize=256)(payable_unit)
"""The same few odds come again and again."""


def _payable(rules: BaccaratRules, sign: Sign, wager: Wager) -> Wager:
    """New Zealand voids the part of a Banker wager that chips cannot pay; Victoria pays it up instead."""
    unpayable = rules.limits.unpayable
    if wager.on != BANKER or unpayable.value != "void part" or wager.stake_cents % _banker_unit(rules, sign) == 0:
        return wager
    valid = payable_part(wager.stake_cents, banker_pays(rules, 0).value, sign.chip)
    return _void_part(wager, valid, unpayable.rule)


@once_of_both
def _banker_unit(rules: BaccaratRules, sign: Sign) -> Cents:
    """The steps in which chips can pay a Banker wager exactly, where a commission is taken; else every cent is one."""
    pays = banker_pays(rules, 0).value
    return _payable_unit(pays, sign.chip) if pays.commission else 1


def beyond(rules: BaccaratRules, sign: Sign, on: str, total_cents: int) -> Refusal | None:
    """Where a commission buys a wager above the minimum differential, no wager is above the maximum (R-095)."""
    most = sign.differential[1] if sign.differential else 0
    if not most or on not in rules.excess or total_cents <= most:
        return None
    reason = f"{dollars(total_cents)} is above the maximum differential of {dollars(most)}"
    return Refusal(reason, rules.limits.differential.rule)


def unpayable(rules: BaccaratRules, sign: Sign, wager: Wager) -> Refusal | None:
    """Why a wager is not accepted when it is offered: a Banker win could not be paid exactly in chips."""
    law = rules.limits.payable
    if wager.on != BANKER or not present(law) or not law.value:
        return None
    unit, placed = _banker_unit(rules, sign), wager.stake_cents + wager.voided_cents
    if placed % unit == 0:
        return None
    pays, chip, step = banker_pays(rules, 0).value, dollars(sign.chip), dollars(unit)
    reason = f"{dollars(placed)} could not be paid at {pays} in chips of {chip}: in steps of {step}"
    return Refusal(reason, law.rule)


def _void_part(wager: Wager, valid_cents: int, rule: str) -> Wager:
    if valid_cents == wager.stake_cents:
        return wager
    void = wager.voided_cents + wager.stake_cents - valid_cents
    return changed(wager, stake_cents=valid_cents, voided_cents=void, void_rule=rule)


def _within_differential(
    rules: BaccaratRules, sign: Sign, standing: tuple[Wager, ...], placed: tuple[Wager, ...]
) -> tuple[Wager, ...]:
    """The heavier hand trimmed so that the difference of the two totals keeps within the sign's differential."""
    if sign.differential is None or rules.limits.differential.value != "heavier hand":
        return placed
    free, most = sign.differential
    limit = most if rules.excess else free
    placed = _with_excess(rules, free, standing, placed)
    if not sign.reduces:
        return placed
    totals = {hand: sum(w.stake_cents for w in (*standing, *placed) if w.on == hand) for hand in MAIN}
    heavy = max(MAIN, key=lambda hand: totals[hand])
    allowed = min(totals.values()) + limit
    if totals[heavy] <= allowed:
        return placed
    before = sum(w.stake_cents for w in standing if w.on == heavy)
    backing = [w for w in placed if w.on == heavy]
    unit = payable_unit(banker_pays(rules, 0).value, sign.chip) if heavy == BANKER else sign.chip
    stakes = iter(reduce_pro_rata([w.stake_cents for w in backing], max(0, allowed - before), unit=unit))
    rule = rules.limits.differential.rule
    trimmed = tuple(_void_part(w, next(stakes), rule) if w.on == heavy else w for w in placed)
    return _with_excess(rules, free, standing, trimmed)


def _with_excess(
    rules: BaccaratRules, free_cents: int, standing: tuple[Wager, ...], placed: tuple[Wager, ...]
) -> tuple[Wager, ...]:
    """Note on each main wager the part above the minimum differential, which bears a commission of its own.

    What a bettor has on a hand is one wager, in however many parts it was put down (R-206): the last are above it.
    """
    lies: dict[tuple[str, str], int] = {}
    for wager in standing:
        lies[wager.by, wager.on] = lies.get((wager.by, wager.on), 0) + wager.stake_cents
    noted = []
    for wager in placed:
        before = lies.get((wager.by, wager.on), 0)
        lies[wager.by, wager.on] = before + wager.stake_cents
        above = min(wager.stake_cents, max(0, before + wager.stake_cents - free_cents))
        noted.append(changed(wager, seen=(above,)) if wager.on in rules.excess else wager)
    return tuple(noted)


# ---------------------------------------------------------------- deciding


def judge(rules: BaccaratRules, wager: Wager, before: Coup, fact: Effect, after: Coup) -> Wager | Resolution:
    """The wager after this fact: itself, what it now remembers, or how it was decided."""
    decided = None if type(fact) is Called else _decided(rules, after).get(wager.on)
    if decided is not None:
        return decided
    if isinstance(fact, Called) and (fact.call, fact.by, fact.on) == ("take", wager.by, wager.on):
        return Void(before.retractable, "taken back")
    if wager.on == "insurance" and _insures_nothing(rules, wager, fact, after):
        return Void(before.retractable, "taken back with what it insured")
    run = run_bet(rules, wager.on) if rules.run_bets else None
    if run:
        return judge_run(rules, *run, wager, before=before, after=after)
    if after.hand != "normal" and rules.void_hand.value:
        return StandOff(rules.void_hand.rule, rules.tie_word, f"{after.hand} hand", uncounted=True)
    if wager.on == "perfect_pairs":
        return _judge_pairs(rules, wager, before, fact, after)
    if after.void:
        return Void(after.void)
    own = own_bet(rules, wager.on) if rules.own else None
    if own:
        return judge_own(rules, own, wager, after)
    if not is_over(rules, after):
        return wager
    match wager.on:
        case "insurance":
            return _judge_insurance(rules, after)
        case "dragon_player" | "dragon_banker":
            return _judge_dragon(rules, wager, after)
        case _:
            return _judge_outcome(rules, wager, after)


def leaves(rules: BaccaratRules, before: Coup, fact: Effect, after: Coup) -> frozenset[str]:
    """The bets to which this fact does nothing, as `judge` would find: those on the outcome, as long as there is none.

    What one bettor takes back concerns that bettor alone, and is left to `judge`.
    """
    left_open = after.hand == "normal" and not after.void and type(fact) is not Called and not is_over(rules, after)
    return _on_outcome(rules) if left_open else frozenset()


@once
def _on_outcome(rules: BaccaratRules) -> frozenset[str]:
    """The bets that wait for the end of the coup and look at nothing before it."""
    wait = (*rules.bets, "dragon_player", "dragon_banker")
    return frozenset(name for name in wait if not run_bet(rules, name) and not own_bet(rules, name))


def _insures_nothing(rules: BaccaratRules, wager: Wager, fact: Effect, after: Coup) -> bool:
    """Whether the bettor has taken back the last wager that bounds the insurance."""
    if not isinstance(fact, Called) or fact.call != "take" or fact.by != wager.by or not present(rules.insures):
        return False
    return not any((wager.by, on) in after.wagered for on in rules.insures.capped_by.value)


@once_of_both
def _decided(rules: BaccaratRules, coup: Coup) -> Mapping[str, Resolution]:
    """How the bets on the outcome are decided for all who made them alike, as `judge` would for each, if there is one.

    Bets of which a part may bear a commission of its own are not among them.
    """
    if coup.hand != "normal" or coup.void or not is_over(rules, coup):
        return {}
    alike = [on for on in rules.bets if on in _on_outcome(rules) and on not in rules.excess]
    return {on: _judge_outcome(rules, Wager(on, 0), coup) for on in alike}


def _judge_outcome(rules: BaccaratRules, wager: Wager, coup: Coup) -> Resolution:
    bet, result = rules.bets[wager.on], winner(rules, coup)
    if result in bet.wins.value:
        pays = banker_pays(rules, count(rules, coup.banker)) if wager.on == BANKER else bet.pays
        pays = _with_surcharge(rules, wager, pays)
        return Won(pays.value, pays.rule, _label(rules, wager.on, coup))
    if result in bet.loses.value:
        return Lost(bet.loses.rule)
    assert present(bet.ties)
    assert result in bet.ties.value
    return StandOff(bet.ties.rule, rules.tie_word)


def banker_pays(rules: BaccaratRules, banker_count: int) -> Law[Odds]:
    """What a winning Banker wager pays with this count: less commission, or half on six where that is in force."""
    if not elected(rules.no_commission) or not present(rules.half_on_six):
        return rules.bets[BANKER].pays
    half = rules.half_on_six
    return half.pays_on_six if banker_count == half.six.value else half.pays


def _label(rules: BaccaratRules, on: str, coup: Coup) -> str:
    """A name for this way of winning, for odds sheets: Banker wins with six are their own line where they pay less."""
    if on != BANKER or not elected(rules.no_commission) or not present(rules.half_on_six):
        return "win"
    return "win with six" if count(rules, coup.banker) == rules.half_on_six.six.value else "win"


def _with_surcharge(rules: BaccaratRules, wager: Wager, pays: Law[Odds]) -> Law[Odds]:
    """What a win pays where a part of the wager bears a further commission, and the rule that says so."""
    excess, law = wager.seen[0] if wager.seen else 0, rules.excess.get(wager.on)
    if law is None or not isinstance(excess, int) or not excess:
        return pays
    extra = law.value * Fraction(excess, wager.stake_cents)
    return Law(replace(pays.value, commission=pays.value.commission + extra), (*law.rules, *pays.rules))


def _judge_pairs(rules: BaccaratRules, wager: Wager, before: Coup, fact: Effect, after: Coup) -> Wager | Resolution:
    """Decided by the first two cards of the hand, as long as the round counts: a void round returns it (R-057)."""
    assert present(rules.pairs)
    if after.void:
        return Void(after.void)
    lies, lay = (coup.player if rules.pairs.hand.value == PLAYER else coup.banker for coup in (after, before))
    if isinstance(fact, CardSeen):
        cards = (*wager.seen, fact.card) if len(lies) > len(lay) else wager.seen
    else:
        cards = lies[:2]
    return _judge_pair(rules, cards[0], cards[1]) if len(cards) == 2 else changed(wager, seen=cards)


def _judge_pair(rules: BaccaratRules, first: Hashable, second: Hashable) -> Resolution:
    assert present(rules.pairs)
    assert present(rules.pay_scale)
    assert isinstance(first, int)
    assert isinstance(second, int)
    pair = pair_class(first, second)
    if pair is None:
        other = rules.pairs.otherwise
        return Lost(other.rule) if other.value == "lose" else StandOff(other.rule)
    pays: Law[Odds] = getattr(rules.pairs.scales[rules.pay_scale.value.elected], pair)
    return Won(pays.value, pays.rule, f"{pair} pair")


def _judge_insurance(rules: BaccaratRules, coup: Coup) -> Resolution:
    assert present(rules.insures)
    bet = rules.insures
    if not _insurable(rules, coup):
        return Void(bet.count.rule, "not offered in the hands put right")
    if winner(rules, coup) in bet.loses.value and count(rules, coup.banker) == bet.count.value:
        return Lost(bet.loses.rule, "Banker wins with six")
    return Won(bet.pays.value, bet.pays.rule, "any other outcome")


def _judge_dragon(rules: BaccaratRules, wager: Wager, coup: Coup) -> Resolution:
    bet = dragon(rules)
    assert bet is not None
    hand = PLAYER if wager.on == "dragon_player" else BANKER
    mine, other = count(rules, getattr(coup, hand)), count(rules, coup.banker if hand == PLAYER else coup.player)
    natural = has_natural(rules, coup)
    if natural and mine == other:
        return StandOff(bet.rule, "standoff", "natural tie")
    if natural and mine > other:
        return Won(bet.natural, bet.rule, "natural win")
    odds = bet.margins.get(mine - other)
    return Won(odds, bet.rule, f"win by {mine - other}") if odds and not natural else Lost(bet.rule)
