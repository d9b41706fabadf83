"""A hand of a tournament, by the rules of baccarat at the table it was played at.

The dealer tells what everybody had where, in tournament chips, and the cards in their order.  What comes back follows
from the law of that table: the rules prevail, but for the changes that the approved conditions list, and those hold
wherever a hand of this tournament is played.  A chip stands in the place of a cent, and none is smaller.

A change in words alone is the director's to apply.  One with a `path` changes a value of the law, by the names that
`rules diff` shows (`bets.banker.pays` is "1 to 1", `permitted` is player and banker), and the law there must be the
very rule that the conditions say they change.

Wagers that go on, Runs, and a card that begins the next coup need the hands before: a table keeps those that matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from croupier.errors import BadInput, NotPermitted, Refused
from croupier.game import NORMAL, Refusal, told, worded
from croupier.games import GAMES
from croupier.hearing import CardsOut, RoundIn, WagerIn, hear_round
from croupier.house.tournament import messages as m
from croupier.house.tournament.conditions import Modification
from croupier.house.tournament.state import Tournament
from croupier.law.editions import EDITIONS
from croupier.law.inventory import edition_of
from croupier.law.model import Law, present
from croupier.own import amended
from croupier.round import AnyRound, next_round, open_round, settle
from croupier.rulesets import ruleset

BACCARAT: Final = "baccarat"
INSURANCE: Final = "insurance"
VOID: Final = "void"
"""What the outcome of a hand without a result is called."""

# ---------------------------------------------------------------- the law of a table


def law_of(this: Tournament, table: str, choice: m.TableLaw) -> Any | Refusal:
    """The rules at a table, with what the conditions change of them."""
    rules = this.rules
    if choice.game != BACCARAT:
        reason = f"{table} is a table of {worded(choice.game)}, and tournaments are of baccarat"
        return Refusal(reason, rules.equal_chance.rule)
    try:
        law = ruleset(
            choice.edition,
            game=choice.game,
            version=choice.version,
            elections=choice.elections,
            readings=choice.readings,
        ).rules
        for change in this.terms.modifications if this.terms else ():
            law = with_change(law, choice.edition, change, rules.modifications.rule)
    except (BadInput, NotPermitted) as error:
        return Refusal(f"{table}: {error}", rules.modifications.rule)
    return law


def wagers_at(this: Tournament, table: str) -> tuple[str, ...]:
    """The wagers that may be placed on a hand at a table, the main ones first."""
    law = law_of(this, table, this.laws.get(table, m.TableLaw()))
    return () if isinstance(law, Refusal) else tuple(GAMES[BACCARAT].wagers(law))


def with_change(law: Any, edition: str, change: Modification, rule: str) -> Any:
    """The rules with one change of a value; one in words alone leaves them as they are."""
    if not change.path:
        return law
    if edition_of(change.rule) != edition or not _cites(law, change):
        raise BadInput(f"{change.path} is no law under {change.rule} here")
    return amended(law, change.path, change.value, rule)


def _cites(law: Any, change: Modification) -> bool:
    """Whether the law at this place is of the rule that is changed, or of a part of it."""
    for step in change.path.split("."):
        law = law.get(step) if isinstance(law, Mapping) else getattr(law, step, None)
    return isinstance(law, Law) and any(f"{rule}.".startswith(f"{change.rule}.") for rule in law.rules)


def unknown_change(change: Modification, rule: str) -> str:
    """Why a change can be carried out in no version of the game; nothing if it can in one."""
    edition, why = edition_of(change.rule), ""
    for version in GAMES[BACCARAT].editions.get(edition, {}) if edition in EDITIONS else ():
        try:
            with_change(ruleset(edition, version=version).rules, edition, change, rule)
        except BadInput as error:
            why = str(error)
        else:
            return ""
    return why


# ---------------------------------------------------------------- a hand


def heard(law: Any, hands: Sequence[m.PlayedHand]) -> AnyRound | Refusal:
    """These hands one after the other, the last of them over."""
    this = open_round(GAMES[BACCARAT], law)
    try:
        for number, hand in enumerate(hands):
            this, _ = hear_round(next_round(this) if number else this, _given(law, hand), CardsOut())
    except Refused as refused:
        return Refusal(refused.reason, refused.rule)
    except BadInput as error:
        return Refusal(str(error), this.due.rule)
    if not this.game.at_rest(this.rules, this.state):
        return Refusal(f"the hand is not over: due is {told(this.due)}", this.due.rule)
    return this


def _given(law: Any, hand: m.PlayedHand) -> RoundIn:
    """The hand as it is heard; Insurance is placed when it is offered, all else before the cards."""
    offered = min(law.insures.window.value, len(hand.facts)) if present(law.insures) else 0
    wagers = tuple(
        WagerIn(on, chips, by=player, at=offered if on == INSURANCE else 0)
        for player, placed in sorted(hand.wagers.items())
        for on, chips in sorted(placed.items())
    )
    return RoundIn(hand.facts, wagers, dict(hand.nominate))


def results(law: Any, before: Sequence[m.PlayedHand], hand: m.PlayedHand) -> m.Results | Refusal:
    """What each player staked on this hand and got back in it, what is still open, and whether later hands need it."""
    earlier = heard(law, before) if before else open_round(GAMES[BACCARAT], law)
    if isinstance(earlier, Refusal):
        return earlier
    after = heard(law, (*before, hand))
    if isinstance(after, Refusal):
        return after
    had = _returned(earlier)
    now, wager = _returned(after), {player: sum(placed.values()) for player, placed in hand.wagers.items()}
    played = {
        player: m.HandResult(wager.get(player, 0), now.get(player, 0) - had.get(player, 0), player in hand.secret)
        for player in sorted({*wager, *now})
    }
    going: dict[str, int] = {}
    for each in after.standing:
        going[each.by] = going.get(each.by, 0) + each.stake_cents
    needed, open_to = bool(going) or after.following != NORMAL, earlier.following.hand == NORMAL.hand
    return m.Results(played, going, needed=needed, wagered=open_to, counted=_has_result(after))


def _has_result(this: AnyRound) -> bool:
    """Whether wagers could win by this hand: a Dummy Coup only keeps the cards in sequence, a void one is none."""
    outcome = this.game.outcome(this.rules, this.state)
    return outcome["hand"] == NORMAL.hand and outcome["winner"] != VOID


def _returned(this: AnyRound) -> dict[str, int]:
    back: dict[str, int] = {}
    for line in this.book:
        chips = settle(line, this.game.rounding(this.rules), 1).returned_cents
        back[line.wager.by] = back.get(line.wager.by, 0) + chips
    return back
