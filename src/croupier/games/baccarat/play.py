"""The play of a coup: which hand is due a card, and when the coup is over.

`Coup` is what lies on the layout.  `demand` reads it in the gazette's order: the initial deal, naturals, the Player's
Hand by Table 1, the Banker's Hand by Table 2 or, if the Player stood, by its own rule.  Each branch is one rule and
returns that rule.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from croupier.equipment import Card, rank
from croupier.game import Called, CardSeen, Deal, Demand, Fact, Next, Over, Performed, Refusal, Wager, say
from croupier.games.baccarat.rules import BANKER, PLAYER, TIE, BaccaratRules


@dataclass(frozen=True, slots=True)
class Coup:
    """One round: the cards of both hands, whether wagers count in it, the rule that made it void if one did.

    `reopened`: a supervisor let wagers be changed although cards are out; the next card closes them again.
    `nominated`: the hand each bettor stands behind in this coup, by a main wager or by word; combination Runs read it.
    """

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    hand: Literal["normal", "void", "dummy"] = "normal"
    void: str = ""
    reopened: bool = False
    nominated: tuple[tuple[str, str], ...] = ()

    @property
    def dealt(self) -> int:
        return len(self.player) + len(self.banker)


def begin(rules: BaccaratRules, following: Next) -> Coup:
    """A new coup; it may start with a card that the last one left over."""
    coup = Coup(hand=following.hand)
    if following.first_card is None:
        return coup
    return _give(coup, rules.initial_deal.value[0], following.first_card)


def seat(rules: BaccaratRules, coup: Coup, wagers: tuple[Wager, ...]) -> Coup:
    """Note the hand that each bettor backs; one who backs both has to nominate in words."""
    backed = dict(coup.nominated)
    for wager in wagers:
        if wager.on in (PLAYER, BANKER):
            backed[wager.by] = wager.on if backed.get(wager.by, wager.on) == wager.on else ""
    return replace(coup, nominated=tuple(backed.items()))


def points(rules: BaccaratRules, card: Card) -> int:
    return rules.points.value[rank(card)]


def count(rules: BaccaratRules, hand: tuple[Card, ...]) -> int:
    return sum(points(rules, card) for card in hand) % rules.modulus.value


def demand(rules: BaccaratRules, coup: Coup) -> Demand:
    if coup.void:
        return Over(coup.void)
    if coup.dealt < len(rules.initial_deal.value):
        return Deal(rules.initial_deal.value[coup.dealt], rules.initial_deal.rule)
    if has_natural(rules, coup):
        return Over(rules.natural.rule)
    if len(coup.player) == 2 and count(rules, coup.player) in rules.player_draws.value:
        return Deal(PLAYER, rules.player_draws.rule)
    return banker_demand(rules, coup)


def banker_demand(rules: BaccaratRules, coup: Coup) -> Demand:
    """What the Banker's Hand must do once the Player's Hand is complete."""
    if len(coup.banker) > 2:
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
    return any(count(rules, hand[:2]) in rules.natural.value for hand in (coup.player, coup.banker))


def apply(rules: BaccaratRules, coup: Coup, fact: Fact) -> Coup | Refusal:
    """The coup after a card went where it was due, or after an order of staff; anything else is refused.

    The orders carry out rulings: the coup is void, becomes a hand without wagers, or its cards are taken back to be
    laid again in the right sequence.
    """
    due = demand(rules, coup)
    match fact, due:
        case Performed(act="void round", detail=rule), _:
            return replace(coup, void=str(rule))
        case Performed(act="void hand"), _:
            return replace(coup, hand="void")
        case Performed(act="dummy coup"), _:
            return replace(coup, hand="dummy")
        case Performed(act="take back"), _:
            return Coup(hand=coup.hand, nominated=coup.nominated)
        case Performed(act="reopen wagers"), _:
            return replace(coup, reopened=True)
        case Called(call="nominate", by=by, on="player" | "banker" as hand), _ if coup.dealt == 0:
            return replace(coup, nominated=tuple((dict(coup.nominated) | {by: hand}).items()))
        case CardSeen(card=card), Deal(to=to):
            return _give(coup, to, card)
        case CardSeen(), Over(rule=rule):
            return Refusal("the coup is over: no card is due", rule)
        case _:
            return Refusal(f"{type(fact).__name__} does not answer what is due: {say(due)}", due.rule)


def is_over(rules: BaccaratRules, coup: Coup) -> bool:
    return isinstance(demand(rules, coup), Over)


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
    }


def view(rules: BaccaratRules, coup: Coup) -> tuple[object, ...]:
    """All of a coup that its future can depend on: counts, third cards by value, and what was said."""
    hands = tuple(
        (count(rules, hand[:2]), len(hand), points(rules, hand[2]) if len(hand) > 2 else -1)
        for hand in (coup.player, coup.banker)
    )
    return (*hands, coup.hand, coup.void, coup.nominated)


def _give(coup: Coup, to: str, card: Card) -> Coup:
    if to == PLAYER:
        return replace(coup, player=(*coup.player, card), reopened=False)
    return replace(coup, banker=(*coup.banker, card), reopened=False)
