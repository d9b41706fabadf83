"""The play of a coup: which hand is due a card, and when the coup is over.

`Coup` is what lies on the layout.  `demand` reads it in the gazette's order: the initial deal, naturals, the Player's
Hand by Table 1, the Banker's Hand by Table 2 or, if the Player stood, by its own rule.  Each branch is one rule and
returns that rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace as changed

from croupier.equipment import CARDS, Card, Laid, card_name, rank
from croupier.game import (
    Called,
    CardSeen,
    Chosen,
    Deal,
    Demand,
    Next,
    Over,
    Perform,
    Performed,
    Plain,
    Refusal,
    Wager,
    not_due,
)
from croupier.games.baccarat.rules import BANKER, PLAYER, TIE, BaccaratRules
from croupier.law.officials import DEALER
from croupier.once import in_a_line, once, once_of_both

HANDS: Final = (PLAYER, BANKER)
FOLLOW: Final = "follow"
GIVE_BACK: Final = "give the Run back"
GIVEN_BACK: Final = "given back"
"""How a bettor answers which hand his Run follows, the order that gives one back, and what then stands for a hand."""
OPEN_BETS: Final = "let wagers be placed"
"""The order under which the betting goes on although the first card of a coup is out."""
COMPLETE: Final = "complete the coup"
"""What ends the leave to take wagers back where no card is left to come that would."""


class Coup(Struct, frozen=True, gc=False):
    """One round: the cards of both hands, whether wagers count in it, the rule that made it void if one did.

    `opened` and `retractable` are the rules under which wagers may be placed, or taken back, although a card is out;
    the next card closes them again, or the dealer who completes a coup that is due none; `deserted` is what the coup
    becomes if nobody leaves a main wager.
    `wagered` are the wagers placed in this coup: bettor and bet.
    `nominated`: the hand each bettor stands behind in this coup, by a main wager or by word; combination Runs read it.
    `number`: how many coups of this shoe came before it.
    """

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    hand: Literal["normal", "void", "dummy"] = "normal"
    void: str = ""
    opened: str = ""
    retractable: str = ""
    deserted: Literal["normal", "dummy"] = "normal"
    wagered: tuple[tuple[str, str], ...] = ()
    nominated: tuple[tuple[str, str], ...] = ()
    number: int = 0

    __repr__ = in_a_line

    @property
    def dealt(self) -> int:
        return len(self.player) + len(self.banker)


FOLLOWED: Final = {f"{FOLLOW} {hand}": hand for hand in HANDS}


def begin(rules: BaccaratRules, following: Next) -> Coup:
    """A new coup; it may start with cards that the last one left over, which nobody has bet on yet."""
    coup = Coup(hand=following.hand, number=following.number)
    drawn = [card for card in (following.first_card, following.second_card) if card is not None]
    for to, card in zip(rules.initial_deal.value, drawn, strict=False):
        coup = _give(coup, to, card)
    return changed(coup, opened=following.rule) if drawn else coup


def seat(rules: BaccaratRules, coup: Coup, wagers: tuple[Wager, ...]) -> Coup:
    """Note who bets on what, and the hand that each bettor backs; one who backs both has to nominate in words."""
    placed = tuple((wager.by, wager.on) for wager in wagers if wager.stake_cents)
    backed = dict(coup.nominated)
    for by, on in placed:
        if on in (PLAYER, BANKER):
            backed[by] = on if backed.get(by, on) == on else ""
    return changed(coup, wagered=(*coup.wagered, *placed), nominated=tuple(backed.items()))


def points(rules: BaccaratRules, card: Card) -> int:
    return rules.points.value[rank(card)]


def count(rules: BaccaratRules, hand: tuple[Card, ...]) -> int:
    worth = _worth(rules)
    return sum([worth[card] for card in hand]) % rules.modulus.value


@once
def _worth(rules: BaccaratRules) -> tuple[int, ...]:
    """What each card counts: hands are counted at every card, by everybody who looks at the coup."""
    return tuple([points(rules, card) for card in range(CARDS)])


def demand(rules: BaccaratRules, coup: Coup) -> Demand:
    wanted = card_demand(rules, coup)
    if coup.retractable and isinstance(wanted, Over) and not coup.void:
        return Perform(COMPLETE, DEALER, coup.retractable)
    return wanted


def card_demand(rules: BaccaratRules, coup: Coup) -> Deal | Over:
    """The hand that is due a card, or that none is."""
    if coup.void:
        return Over(coup.void)
    if coup.dealt < len(rules.initial_deal.value):
        return Deal(rules.initial_deal.value[coup.dealt], rules.initial_deal.rule)
    if has_natural(rules, coup):
        return Over(rules.natural.rule)
    if len(coup.player) < most_cards(rules) and count(rules, coup.player[:2]) in rules.player_draws.value:
        return Deal(PLAYER, rules.player_draws.rule)
    return banker_demand(rules, coup)


def most_cards(rules: BaccaratRules) -> int:
    """How many cards a hand may have: its part of the initial deal, and what may come to it."""
    return len(rules.initial_deal.value) // 2 + rules.one_more.value


def banker_demand(rules: BaccaratRules, coup: Coup) -> Deal | Over:
    """What the Banker's Hand must do once the Player's Hand is complete."""
    if len(coup.banker) >= most_cards(rules):
        return Over(rules.one_more.rule)
    banker = count(rules, coup.banker[:2])
    if len(coup.player) > 2:
        table = rules.banker_after[banker]
        draws = points(rules, coup.player[2]) in table.value
        return Deal(BANKER, table.rule) if draws else Over(table.rule)
    draws = banker in rules.banker_alone.value
    return Deal(BANKER, rules.banker_alone.rule) if draws else Over(rules.banker_alone.rule)


def has_natural(rules: BaccaratRules, coup: Coup) -> bool:
    """Whether either hand counts eight or nine on its first two cards."""
    natural = rules.natural.value
    return count(rules, coup.player[:2]) in natural or count(rules, coup.banker[:2]) in natural


def apply(rules: BaccaratRules, coup: Coup, fact: Plain) -> Coup | Refusal:
    """The coup after a card went where it was due, or after something was said or ordered; the rest is refused."""
    due = demand(rules, coup)
    if type(fact) is CardSeen and type(due) is Deal:
        return _give(coup, due.to, fact.card)
    match fact, due:
        case Performed(), _:
            return ordered(rules, coup, fact)
        case Called(call="nominate", by=by, on=hand), _:
            return _nominate(rules, coup, by, hand)
        case Chosen(option=option, by=by), _ if option in FOLLOWED and (by, FOLLOWED[option]) in coup.wagered:
            return _nominate(rules, coup, by, FOLLOWED[option])
        case Called(call="take", by=by, on=on), _:
            return _take(rules, coup, by, on)
        case CardSeen(card=card), Over(rule=rule):
            return Refusal("the coup is over, no card is due", rule, on=card_name(card))
        case _:
            return not_due(due, _named(fact))


def ordered(rules: BaccaratRules, coup: Coup, order: Performed) -> Coup | Refusal:
    """The orders that carry out rulings.

    The coup is void, becomes a hand without wagers, its cards are taken back to be laid again in the right sequence,
    or its wagers may be changed.  What was decided on it is undone first, in the book.
    """
    match order:
        case Performed(act="undo"):
            return coup
        case Performed(act="void round", detail=rule):
            return changed(coup, void=str(rule))
        case Performed(act="void hand"):
            return changed(coup, hand="void")
        case Performed(act="dummy coup"):
            return changed(coup, hand="dummy")
        case Performed(act="take back"):
            return Coup(hand=coup.hand, wagered=coup.wagered, nominated=coup.nominated, number=coup.number)
        case Performed(act="let wagers change", detail=rule):
            return changed(coup, opened=str(rule), retractable=str(rule))
        case Performed(act=act, detail=rule) if act == OPEN_BETS:
            return changed(coup, opened=str(rule))
        case Performed(act="let wagers be retracted", detail=rule):
            return changed(coup, retractable=str(rule))
        case Performed(act=act) if act == COMPLETE and coup.retractable and not isinstance(demand(rules, coup), Deal):
            return changed(coup, retractable="", deserted="normal")
        case Performed(act="dummy coup if deserted"):
            return changed(coup, deserted="dummy")
        case Performed(act=act, detail=by) if act == GIVE_BACK and rules.run_bets:
            return changed(coup, nominated=tuple((dict(coup.nominated) | {str(by): GIVEN_BACK}).items()))
        case _:
            due = demand(rules, coup)
            return not_due(due, order.act)


def _nominate(rules: BaccaratRules, coup: Coup, by: str, hand: str) -> Coup | Refusal:
    """The hand that a combination Run follows in this coup, named before the wagers close."""
    if not rules.run_bets:
        return Refusal("there are no Runs to nominate for", rules.permitted.rule, on=f"nominate {hand:.40}")
    if hand not in (PLAYER, BANKER):
        return Refusal(f"name {PLAYER} or {BANKER}", rules.permitted.rule, on=f"nominate {hand:.40}")
    if coup.dealt and not coup.opened:
        late = f"too late after the call of {rules.closing.value!r}"
        return Refusal(late, rules.closing.rule, on=f"nominate {hand:.40}")
    return changed(coup, nominated=tuple((dict(coup.nominated) | {by: hand}).items()))


def _take(rules: BaccaratRules, coup: Coup, by: str, on: str) -> Coup | Refusal:
    """A wager taken back, where an official lets it be."""
    if not coup.retractable:
        return Refusal("no wager is taken back without leave", rules.closing.rule, on=f"take {on:.40}")
    if (by, on) not in coup.wagered:
        return Refusal(f"{by!r:.40} has no such wager in this coup", coup.retractable, on=f"take {on:.40}")
    left = tuple(each for each in coup.wagered if each != (by, on))
    backs = [hand for who, hand in left if who == by and hand in (PLAYER, BANKER)]
    others = {name: hand for name, hand in coup.nominated if name != by}
    nominated = others | ({by: backs[0]} if len(set(backs)) == 1 else {})
    # Where nobody chose to go on, the coup is not completed as it lies.
    deserted = coup.deserted != "normal" and not any(each in rules.bets for _, each in left)
    hand = coup.deserted if deserted else coup.hand
    return changed(coup, hand=hand, wagered=left, nominated=tuple(nominated.items()))


def beside(rules: BaccaratRules, coup: Coup, standing: tuple[Wager, ...]) -> Iterator[Plain]:
    """What bettors may say: the hand that they nominate for their Runs, and that a wager comes back."""
    yield from (Called("nominate", by, hand) for by in {wager.by: None for wager in standing} for hand in HANDS)
    yield from (Called("take", by, on) for by, on in coup.wagered)


def cards(rules: BaccaratRules, coup: Coup) -> tuple[Laid, ...]:
    return Laid(PLAYER, coup.player), Laid(BANKER, coup.banker)


def _named(fact: Plain) -> str:
    """What somebody said or did, in its own word, for a refusal that names it."""
    match fact:
        case Chosen(option=word) | Called(call=word):
            return word[:60]
        case _:
            return ""


@once_of_both
def is_over(rules: BaccaratRules, coup: Coup) -> bool:
    return type(demand(rules, coup)) is Over


@once_of_both
def winner(rules: BaccaratRules, coup: Coup) -> str:
    """Player, Banker or tie, by the merit of the final counts."""
    rank_of = rules.merit.value.index
    player, banker = rank_of(count(rules, coup.player)), rank_of(count(rules, coup.banker))
    if player == banker:
        return TIE
    return PLAYER if player < banker else BANKER


def outcome(rules: BaccaratRules, coup: Coup) -> dict[str, object]:
    """The coup in figures: both counts, and the winner once nothing more is due."""
    over = is_over(rules, coup)
    result = "void" if coup.void else winner(rules, coup) if over else None
    return {
        "winner": result,
        "player": count(rules, coup.player),
        "banker": count(rules, coup.banker),
        "natural": coup.dealt >= 4 and has_natural(rules, coup),
        "hand": coup.hand,
        "player_pair": _is_pair(coup.player),
        "banker_pair": _is_pair(coup.banker),
    }


def _is_pair(hand: tuple[Card, ...]) -> bool:
    """Whether the first two cards of a hand are of one rank."""
    return len(hand) > 1 and rank(hand[0]) == rank(hand[1])


def view(rules: BaccaratRules, coup: Coup) -> tuple[object, ...]:
    """All of a coup that its future can depend on: counts, third cards by value, and what was said."""
    hands = tuple(
        (count(rules, hand[:2]), len(hand), points(rules, hand[2]) if len(hand) > 2 else -1)
        for hand in (coup.player, coup.banker)
    )
    return (*hands, coup.hand, coup.void, coup.opened, coup.retractable, coup.deserted, coup.wagered, coup.nominated)


def _give(coup: Coup, to: str, card: Card) -> Coup:
    """The card on its hand; wagers are closed from now on."""
    if to == PLAYER:
        return changed(coup, player=(*coup.player, card), opened="", retractable="", deserted="normal")
    return changed(coup, banker=(*coup.banker, card), opened="", retractable="", deserted="normal")
