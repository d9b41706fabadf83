"""Super Sevens: exactly, by what is done with two sevens.

The wager looks at the first three cards of a box, by suit.  Whether a third card comes is the play's choice, which a
chart makes by the dealer's first card.  The cards are dealt to the game itself, and its judge is asked; cards that the
wager and the chart cannot tell apart are dealt once for all.  Where the next card is due and none is left, the wager is
void.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from croupier.equipment import RANKS, Card, rank
from croupier.exact.blackjack.policy import Policy, pair_of
from croupier.exact.blackjack.terms import WORDS
from croupier.game import CardSeen, Chosen, Plain, Resolution, Void, Wager, granted
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import Box, Layout, points
from croupier.games.blackjack.rules import SUPER_SEVENS, BlackjackRules

DRAW, SPLIT, CHART = "draw", "split", "chart"
PLAYS = (DRAW, SPLIT, CHART)
STAKE = 1_000_000


def sevens_ends(
    rules: BlackjackRules, counts: Sequence[int], play: str, chart: Policy | None
) -> dict[Resolution, Fraction]:
    """The chance of each end of the wager when two sevens are drawn to, split, or played by a chart."""
    return _Dealing(rules, counts, play, chart).ends()


class _Dealing:
    def __init__(self, rules: BlackjackRules, counts: Sequence[int], play: str, chart: Policy | None) -> None:
        self.rules, self.play, self.chart = rules, play, chart
        self.seven = rules.sevens.figure.value - 1
        self.left: defaultdict[Card, int] = defaultdict(int)
        for card, count in enumerate(counts):
            self.left[self._alike(card)] += count
        self.known: dict[tuple[object, ...], Resolution] = {}
        self.found: defaultdict[Resolution, Fraction] = defaultdict(Fraction)

    def _alike(self, card: Card) -> Card:
        """The card that stands for all that the wager and the chart cannot tell from this one."""
        if rank(card) == self.seven:
            return card
        ranks = self.rules.points.value
        return next(r for r in range(len(RANKS)) if ranks[r] == points(self.rules, card) and r != self.seven)

    def _drawn(self) -> list[tuple[Card, Fraction]]:
        total = sum(self.left.values())
        return [(card, Fraction(held, total)) for card, held in self.left.items() if held]

    def ends(self) -> dict[Resolution, Fraction]:
        for first, chance in self._drawn():
            if self._short(first, chance):
                continue
            self.left[first] -= 1
            for second, share in self._drawn():
                self.left[second] -= 1
                self._two(first, second, chance * share)
                self.left[second] += 1
            self.left[first] += 1
        return dict(self.found)

    def _short(self, first: Card, chance: Fraction) -> bool:
        """Whether the second card of the box does not come: the dealer's lies before it."""
        if sum(self.left.values()) >= len(self.rules.passes):
            return False
        early = self._watched([CardSeen(first)])
        self.found[early if early is not None else self._void()] += chance
        return True

    def _void(self) -> Resolution:
        return Void(self.rules.irregularities["insufficient_cards"][0].rule)

    def _two(self, first: Card, second: Card, chance: Fraction) -> None:
        if rank(first) != self.seven or rank(second) != self.seven:
            self.found[self._judged(first, second)] += chance
            return
        for up, share in self._drawn():
            self.left[up] -= 1
            choice = self._choice(up)
            if choice == "hit" and not sum(self.left.values()):
                self.found[self._void()] += chance * share
            elif choice == "hit":
                for third, part in self._drawn():
                    self.found[self._judged(first, second, choice, third)] += chance * share * part
            else:
                self.found[self._judged(first, second, choice)] += chance * share
            self.left[up] += 1

    def _choice(self, up: Card) -> str:
        """What is done with two sevens."""
        if self.play != CHART:
            return "hit" if self.play == DRAW else "split"
        assert self.chart is not None, "a play by the chart has a chart"
        values = self.chart.values
        against, seven = values.index(points(self.rules, up)), values.index(points(self.rules, self.seven))
        if (against, seven) in self.chart.plans:
            return "split"
        return WORDS[int(self.chart.alone[against][pair_of(self.chart.hands, seven)])]

    def _judged(self, first: Card, second: Card, choice: str = "", third: Card = -1) -> Resolution:
        """How the game decides the wager; the dealer's card does not matter to it."""
        key = (first, second, choice, third if rank(third) == self.seven else -1)
        if key not in self.known:
            facts: list[Plain] = [CardSeen(first), CardSeen(0), CardSeen(second)]
            facts += [Chosen(choice)] if choice else []
            facts += [CardSeen(third)] if third >= 0 else []
            found = self._watched(facts)
            assert found is not None, "the wager is decided"
            self.known[key] = found
        return self.known[key]

    def _watched(self, facts: list[Plain]) -> Resolution | None:
        """How the wager is decided by these facts, if it is."""
        layout = Layout((Box(1),))
        wager: Wager | Resolution = Wager(SUPER_SEVENS, STAKE)
        for fact in facts:
            after = granted(BLACKJACK.apply(self.rules, layout, fact))
            if isinstance(wager, Wager):
                wager = BLACKJACK.judge(self.rules, wager, layout, fact, after)
            layout = after
        return None if isinstance(wager, Wager) else wager
