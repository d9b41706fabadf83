"""Bets written as data: a side bet of an edition of somebody's own, with no code.

Theory of operation.  A bet is a list of steps.  A step names what it asks of a finished coup, in the closed vocabulary
below, and how the bet ends where all of it is so: at which odds it wins, or that it stands off or loses.  The first
step that fits decides; where none does, the bet is lost.  A main wager may be written in the same way, in the place of
the gazetted one.  The bet is then an ordinary watcher of `judge`, so that it is priced, played, settled and explained
as any other.

    winner                         player, banker or tie
    player_total  banker_total     the count of a hand, 0 to 9
    margin                         by how much the better hand wins, 1 to 9; 0 is a tie
    player_cards  banker_cards     2 or 3
    cards                          4, 5 or 6, of both hands together
    natural                        player, banker, both or none: who has eight or nine on two cards
    player_pair  banker_pair       mixed, coloured, perfect or none, by the first two cards; any: all three of them

A bet of pairs is decided by the first four cards and asks of nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Final

from msgspec.structs import replace as changed

from croupier.equipment import Card, colour, rank, suit
from croupier.game import Lost, Resolution, StandOff, Wager, Won
from croupier.games.baccarat.play import Coup, count, is_over, winner
from croupier.games.baccarat.rules import BANKER, OF_PAIRS, PLAYER, TIE, BaccaratRules, OwnBet, Step
from croupier.money import Odds

NONE: Final = "none"
PAIRS: Final = ("mixed", "coloured", "perfect")
COUNTS: Final = tuple(range(10))
WORDS: Final[Mapping[str, tuple[int | str, ...]]] = {
    "winner": (PLAYER, BANKER, TIE),
    "player_total": COUNTS,
    "banker_total": COUNTS,
    "margin": COUNTS,
    "player_cards": (2, 3),
    "banker_cards": (2, 3),
    "cards": (4, 5, 6),
    "natural": (PLAYER, BANKER, "both", NONE),
    **dict.fromkeys(OF_PAIRS, (NONE, *PAIRS)),
}
OF_ONE_HAND: Final[Mapping[str, str]] = {
    **dict.fromkeys(("player_total", "player_cards", "player_pair"), PLAYER),
    **dict.fromkeys(("banker_total", "banker_cards", "banker_pair"), BANKER),
}
ENDS: Final = ("stand off", "lose")
BUSY: Final = ("perfect_pairs", "insurance")
"""Gazetted bets that a step cannot tell, so that their names stay theirs."""


def pair_class(first: Card, second: Card) -> str | None:
    """Perfect, coloured or mixed; None if the ranks differ."""
    if rank(first) != rank(second):
        return None
    if suit(first) == suit(second):
        return "perfect"
    return "coloured" if colour(first) == colour(second) else "mixed"


def own_bet(rules: BaccaratRules, on: str) -> OwnBet | None:
    return next((bet for bet in rules.own if bet.name == on), None)


def pair_bets(rules: object) -> tuple[str, ...]:
    """The bets of an own edition for which each card counts."""
    return tuple(bet.name for bet in rules.own if bet.of_pairs) if isinstance(rules, BaccaratRules) else ()


def side_of(bet: OwnBet) -> str:
    """The hand that a bet is on, if it is on one alone; nothing, if neither hand or both can win it.

    A way of winning that asks who wins is on that hand, whatever it asks of the other; any other is on those it names.
    """
    ways = [_sides(step) for step in bet.steps if isinstance(step.ends, Odds)]
    (side, *others) = sorted(frozenset().union(*ways)) or [""]
    return "" if others or not all(ways) else side


def _sides(step: Step) -> frozenset[str]:
    """The hands that a way of winning is on."""
    asked = step.when.get("winner", frozenset())
    if asked:
        return frozenset(str(each) for each in asked) if asked <= {PLAYER, BANKER} else frozenset()
    natural = frozenset(str(each) for each in step.when.get("natural", ()) if each in (PLAYER, BANKER))
    return natural | {side for name, side in OF_ONE_HAND.items() if name in step.when}


# ---------------------------------------------------------------- deciding


def judge_own(rules: BaccaratRules, bet: OwnBet, wager: Wager, after: Coup) -> Wager | Resolution:
    """The bet once its cards lie there; one of pairs remembers the cards of the deal."""
    if bet.of_pairs:
        seen = tuple(card for pair in zip(after.player[:2], after.banker[:2], strict=False) for card in pair)
        seen += after.player[:2][len(after.banker) :]
        return decided(rules, bet, _pairs_of(after)) if len(seen) == 4 else changed(wager, seen=seen)
    return decided(rules, bet, _finished(rules, after)) if is_over(rules, after) else wager


def decided(rules: BaccaratRules, bet: OwnBet, features: Mapping[str, int | str]) -> Resolution:
    for step in bet.steps:
        if all(features[name] in wanted for name, wanted in step.when.items()):
            match step.ends:
                case Odds():
                    return Won(step.ends, bet.rule, step.result)
                case "stand off":
                    return StandOff(bet.rule, rules.tie_word, step.result)
                case "lose":
                    return Lost(bet.rule, step.result)
    return Lost(bet.rule)


def _finished(rules: BaccaratRules, coup: Coup) -> dict[str, int | str]:
    """The finished coup in the words of the vocabulary."""
    player, banker = count(rules, coup.player), count(rules, coup.banker)
    natural = [hand for hand in (PLAYER, BANKER) if count(rules, getattr(coup, hand)[:2]) in rules.natural.value]
    return {
        "winner": winner(rules, coup),
        "player_total": player,
        "banker_total": banker,
        "margin": abs(player - banker),
        "player_cards": len(coup.player),
        "banker_cards": len(coup.banker),
        "cards": coup.dealt,
        "natural": "both" if len(natural) == 2 else natural[0] if natural else NONE,
    }


def _pairs_of(coup: Coup) -> dict[str, int | str]:
    hands = {"player_pair": coup.player, "banker_pair": coup.banker}
    return {name: pair_class(*hand[:2]) or NONE for name, hand in hands.items()}


# ---------------------------------------------------------------- pairs, exactly


def pair_ways(rules: BaccaratRules, bet: OwnBet, shoe: Sequence[int]) -> Counter[Resolution]:
    """In how many orders of four cards a bet of pairs ends how, from a shoe with so many of each of the 52 cards.

    The Player's two cards are gone through one by one; the Banker's are counted by the kind of their pair, since all
    cards of a rank but those two are as many as before.  The slow path is the automaton that tells every card apart.
    """
    held, ways = list(shoe), Counter[tuple[str, str]]()
    kinds = [_pairs_in(held[place::13]) for place in range(13)]
    for first, second in product(range(52), repeat=2):
        mine = held[first] * (held[second] - (first == second))
        if mine <= 0:
            continue
        held[first] -= 1
        held[second] -= 1
        left = {place: _pairs_in(held[place::13]) for place in {rank(first), rank(second)}}
        cards = sum(held)
        found = Counter[str]()
        for place, usual in enumerate(kinds):
            found.update(left.get(place, usual))
        found[NONE] = cards * (cards - 1) - sum(found[kind] for kind in PAIRS)
        for kind, theirs in found.items():
            ways[pair_class(first, second) or NONE, kind] += mine * theirs
        held[first] += 1
        held[second] += 1
    ends = Counter[Resolution]()
    for (player, banker), number in ways.items():
        ends[decided(rules, bet, {"player_pair": player, "banker_pair": banker})] += number
    return ends


def _pairs_in(suits: Sequence[int]) -> dict[str, int]:
    """Ordered pairs of each kind among the cards of one rank, by suit: clubs, diamonds, hearts, spades."""
    cards = sum(suits)
    perfect = sum(number * (number - 1) for number in suits)
    clubs, diamonds, hearts, spades = suits
    coloured = 2 * (clubs * spades + diamonds * hearts)
    return {"perfect": perfect, "coloured": coloured, "mixed": cards * (cards - 1) - perfect - coloured}


# ---------------------------------------------------------------- reading


def read_bets(given: object, name_of: Callable[[str, str], str]) -> tuple[OwnBet, ...]:
    """The bets of a file; whatever is wrong raises ValueError, beginning with its place."""
    if not isinstance(given, list):
        raise ValueError("bets: written as [[bets]], each with name, rule and steps")
    bets = [_bet(each, f"bets[{index}]", name_of) for index, each in enumerate(given)]
    twice = [bet.name for bet in bets if sum(bet.name == other.name for other in bets) > 1]
    if twice:
        raise ValueError(f"bets: {twice[0]} is written twice")
    return tuple(bets)


def _bet(given: Any, place: str, name_of: Callable[[str, str], str]) -> OwnBet:
    _keys(given, place, needed=("name", "rule", "steps"), known=("says",))
    name = given["name"]
    place = f"{place} {name}" if isinstance(name, str) else place
    plain = isinstance(name, str) and name.isidentifier() and name == name.lower() and len(name) <= 32
    if not plain or name in BUSY or "_run_" in name:
        raise ValueError(
            f"{place}: a name of small letters, figures and _ that is not {' or '.join(BUSY)}: {name!r:.40}"
        )
    if not isinstance(given["steps"], list) or not given["steps"]:
        raise ValueError(f"{place}: steps are a list of at least one")
    steps = tuple(_step(each, f"{place}: steps[{index}]") for index, each in enumerate(given["steps"]))
    bet = OwnBet(name, steps, name_of(f"{place}: rule", given["rule"]))
    mixed = {word for step in steps for word in step.when if word not in OF_PAIRS}
    if bet.of_pairs and mixed:
        raise ValueError(
            f"{place}: a bet of pairs is decided by the deal, and asks nothing of {', '.join(sorted(mixed))}"
        )
    if not any(isinstance(step.ends, Odds) for step in steps):
        raise ValueError(f"{place}: no step pays, so that the bet could never be won")
    return bet


def _step(given: Any, place: str) -> Step:
    _keys(given, place, needed=(), known=("pays", "ends", "result", *WORDS))
    if ("pays" in given) == ("ends" in given):
        raise ValueError(f"{place}: a step has either pays, or ends = {' or '.join(map(repr, ENDS))}")
    ends = _odds(given["pays"], place) if "pays" in given else given["ends"]
    if not isinstance(ends, Odds) and ends not in ENDS:
        raise ValueError(f"{place}: ends is {' or '.join(map(repr, ENDS))}, not {ends!r:.40}")
    when = {name: _wanted(name, given[name], place) for name in WORDS if name in given}
    usual = "win" if isinstance(ends, Odds) else "tie" if ends == "stand off" else "lose"
    result = given.get("result", usual)
    if not isinstance(result, str) or not 0 < len(result) <= 60:
        raise ValueError(f"{place}: result is a short text: {result!r:.40}")
    return Step(when, ends, result)


def _odds(text: object, place: str) -> Odds:
    if not isinstance(text, str):
        raise ValueError(f"{place}: pays is written like '40 to 1': {text!r:.40}")
    try:
        return Odds.parse(text)
    except ValueError as error:
        raise ValueError(f"{place}: pays: {error}") from error


def _wanted(name: str, given: object, place: str) -> frozenset[int | str]:
    values = given if isinstance(given, list) else [given]
    if name in OF_PAIRS and values == ["any"]:
        values = list(PAIRS)
    for value in values:
        if isinstance(value, bool) or value not in WORDS[name]:
            raise ValueError(f"{place}: {name} is of {', '.join(map(str, WORDS[name]))}, not {value!r:.40}")
    if not values:
        raise ValueError(f"{place}: {name} names nothing")
    return frozenset(values)


def _keys(given: Any, place: str, *, needed: tuple[str, ...], known: tuple[str, ...]) -> None:
    if not isinstance(given, dict):
        raise ValueError(f"{place}: a table of {', '.join((*needed, *known))}")
    for name in given:
        if name not in (*needed, *known):
            raise ValueError(f"{place}: unknown {name!r:.40}; known are {', '.join((*needed, *known))}")
    for name in needed:
        if name not in given:
            raise ValueError(f"{place}: {name} is missing")
