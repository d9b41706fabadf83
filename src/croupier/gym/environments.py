"""The environments: blackjack, Caribbean stud and craps for Gymnasium, played by the same rules.

Theory of operation.  An environment holds a round and lets everything happen in it that is not the player's: cards from
a mixed shoe, throws of the dice.  What the player may choose is asked of the rules, so that any edition and any of its
elections, one's own included, has its environment.  `info["action_mask"]` has a one for each action that is open.  An
action that is not open changes nothing, and `info["refused"]` names the rule against it.  Rewards are units won or
lost, told when wagers are decided; `optimum` is the exact yardstick: the most that can be won on average.

    import croupier.gym
    env = gymnasium.make("croupier/Blackjack-v0", edition="american.toml")

Chance comes from Gymnasium's own generator, so that a seed tells the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.equipment import CARDS, full_shoe
from croupier.errors import BadInput, Refused
from croupier.exact.sheet import sheet
from croupier.game import CardSeen, Choose, Chosen, Deal, DiceFell, Fact, Over, Refusal, Roll, Wager
from croupier.games.blackjack.layout import count, is_pair, points
from croupier.games.blackjack.play import turn
from croupier.games.caribbean_stud.play import face_up
from croupier.own import named
from croupier.round import AnyRound, happen, next_round, open_round, place, settle
from croupier.rulesets import known_game, ruleset

Seen: TypeAlias = NDArray[np.int64]
UNIT: Final = 1_000
DEALT_OF_SHOE: Final = Fraction(3, 4)
"""A shoe is mixed anew once so much of it is dealt."""


class RulesEnv(gymnasium.Env[Seen, int]):
    """A game under a rule set; what the games do not share is below."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}  # type: ignore[misc]
    game: ClassVar[str]
    words: ClassVar[tuple[str, ...]]
    """The actions, by number."""

    def __init__(self, edition: str = "nz1996", *, render_mode: str | None = None, **elections: object) -> None:
        self.ruleset = ruleset(named(edition), game=self.game, elections=elections)
        self.render_mode = render_mode
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(self.words))
        self.round: AnyRound = self._opened()
        self.shoe: list[int] = []
        self.at = 0

    def _opened(self) -> AnyRound:
        return open_round(known_game(self.game), self.ruleset.rules)

    def _happens(self, fact: Fact) -> Refusal | None:
        after = happen(self.round, fact)
        if isinstance(after, Refusal):
            return after
        self.round = after
        return None

    def _card(self) -> int:
        if self.at >= len(self.shoe):
            self._mix()
        self.at += 1
        return self.shoe[self.at - 1]

    def _mix(self) -> None:
        decks = max(1, known_game(self.game).decks(self.ruleset.rules))
        cards = np.repeat(np.arange(CARDS), decks)
        self.shoe, self.at = self.np_random.permutation(cards).tolist(), 0

    @property
    def brought(self) -> float:
        """What the round has brought so far, in units."""
        rounding = known_game(self.game).rounding(self.ruleset.rules)
        settled = ((settle(entry, rounding, 1), entry.wager.stake_cents) for entry in self.round.book)
        return float(sum(money.net_cents(stake) for money, stake in settled if money.result != "open")) / UNIT

    def _info(self, refused: str = "") -> dict[str, Any]:
        mask = np.array([word in self.open for word in self.words], dtype=np.int8)
        return {"action_mask": mask, "due": str(self.round.due.rule), **({"refused": refused} if refused else {})}

    @property
    def open(self) -> Sequence[str]:
        due = self.round.due
        return due.options if isinstance(due, Choose) else ()

    def observe(self) -> Seen:
        raise NotImplementedError

    def render(self) -> str:
        """The felt in a line."""
        laid = known_game(self.game).cards(self.ruleset.rules, self.round.state) if self.shoe else ()
        return "; ".join(f"{each.place}: {' '.join(map(str, each.cards))}" for each in laid) or str(self.round.due.rule)


class HandsEnv(RulesEnv):
    """A game of hands: an episode is a round from the deal to the payment."""

    stakes: ClassVar[str]

    def __init__(
        self, edition: str = "nz1996", *, boxes: int = 1, render_mode: str | None = None, **elections: object
    ) -> None:
        super().__init__(edition, render_mode=render_mode, **elections)
        if type(boxes) is not int or not 1 <= boxes <= 7:
            raise BadInput(f"boxes is a whole number from 1 to 7: {boxes!r:.20}")
        self.boxes = boxes

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        if seed is not None or self.at >= len(self.shoe) * DEALT_OF_SHOE or self.game == "caribbean_stud":
            self._mix()
        wagers = tuple(Wager(self.stakes, UNIT, by=f"p{n}", box=n) for n in range(1, self.boxes + 1))
        placed = place(self._opened(), wagers)
        if isinstance(placed, Refusal):
            raise Refused(placed)
        self.round = placed
        self._on()
        return self.observe(), self._info()

    @property
    def open(self) -> Sequence[str]:
        """A round that asks nothing is ended by any action."""
        return super().open or self.words

    def _on(self) -> None:
        """Let cards come until somebody must choose, or all is over."""
        while isinstance(self.round.due, Deal):
            refused = self._happens(CardSeen(self._card()))
            assert refused is None, refused

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        refused = self._happens(Chosen(self.words[int(action)])) if isinstance(self.round.due, Choose) else None
        if refused is not None:
            return self.observe(), 0.0, False, False, self._info(refused.rule)
        self._on()
        over = isinstance(self.round.due, Over)
        return self.observe(), self.brought if over else 0.0, over, False, self._info()


class BlackjackEnv(HandsEnv):
    """Blackjack on one to seven boxes.

    Seen are: box, hand, hands on the box, total, whether it is soft, cards (3: more than two), whether they are a pair
    that counts alike, the dealer's first card by its points (an ace is 11), and the share of the shoe that is dealt, in
    hundredths.  A round that asks nothing is one step, whatever is done.  `optimum` is of one box and a full shoe.
    """

    game = "blackjack"
    words = ("stand", "hit", "double", "split", "surrender")
    stakes = "main"
    observation_space = spaces.Box(0, 100, (9,), np.int64)

    def __init__(
        self, edition: str = "nz1996", *, boxes: int = 1, render_mode: str | None = None, **elections: object
    ) -> None:
        super().__init__(edition, boxes=boxes, render_mode=render_mode, **elections)

    def observe(self) -> Seen:
        rules, layout = self.ruleset.rules, self.round.state
        dealt = 100 * self.at // max(1, len(self.shoe))
        up = points(rules, layout.dealer[0]) if layout.dealer else 0
        now = turn(rules, layout)
        if now.box is None or now.hand is None:
            return np.array([0, 0, 0, 0, 0, 0, 0, up, dealt], dtype=np.int64)
        cards, total = now.hand.cards, count(rules, now.hand.cards)
        pair = len(cards) == 2 and is_pair(rules, *cards)
        held = (now.box.number, now.hand.number, len(now.box.hands), total.points, total.soft, min(len(cards), 3), pair)
        return np.array([*held, up, dealt], dtype=np.int64)

    @cached_property
    def optimum(self) -> float:
        """What the best play wins on a box in a round, on average; it takes seconds."""
        from croupier.exact.blackjack import solve

        rules = self.ruleset.rules
        return solve(rules, full_shoe(rules.decks.value.elected)).main_worth


class StudEnv(HandsEnv):
    """Caribbean stud: five cards of 0 to 51 in rising order, and the dealer's card that lies open."""

    game = "caribbean_stud"
    words = ("fold", "bet")
    stakes = "ante"
    observation_space = spaces.Box(-1, CARDS - 1, (6,), np.int64)

    def observe(self) -> Seen:
        layout = self.round.state
        due = self.round.due
        box = next((each for each in layout.boxes if isinstance(due, Choose) and due.by in (each.name, each.by)), None)
        up = face_up(self.ruleset.rules, layout)
        held = sorted(box.cards) if box else [-1] * 5
        return np.array([*held, layout.dealer[up.value] if up else -1], dtype=np.int64)

    @cached_property
    def optimum(self) -> float:
        """What the best play wins for an ante, on average; it takes seconds."""
        from croupier.exact.caribbean_stud import play

        return -float(play(self.ruleset.rules).edge)


class CrapsEnv(RulesEnv):
    """Craps: before each throw one wager of a unit may be placed, or none; an episode has so many throws.

    Seen are the point (0: none) and the units that stand on each wager of `wagers`.  Nothing can be won on average:
    `optimum` is nought, and `yardstick` what a unit on each wager loses.
    """

    game = "craps"
    wagers: ClassVar[tuple[str, ...]] = (
        *("pass", "dont_pass", "come", "dont_come", "field", "place:6", "place:8"),
        *("big_six", "big_eight", "any_seven", "any_craps", "hardway:6", "hardway:8"),
    )
    words = ("nothing", *wagers)
    optimum: ClassVar[float] = 0.0
    observation_space = spaces.Box(0, 100, (1 + len(wagers),), np.int64)

    def __init__(
        self, edition: str = "nz1996", *, throws: int = 100, render_mode: str | None = None, **elections: object
    ) -> None:
        super().__init__(edition, render_mode=render_mode, **elections)
        self.throws, self.thrown, self.rewarded = throws, 0, 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.round, self.thrown, self.rewarded = self._opened(), 0, 0.0
        return self.observe(), self._info()

    @property
    def open(self) -> Sequence[str]:
        return ("nothing", *(name for name in self.wagers if not isinstance(self._placed(name), Refusal)))

    def _placed(self, name: str) -> AnyRound | Refusal:
        standing = [entry.wager for entry in self.round.book if entry.resolution is None]
        if sum(each.stake_cents for each in standing if each.on == name) >= 100 * UNIT:
            return Refusal("no more than 100 units on a wager", "")
        return place(self.round, (Wager(name, UNIT, by="p1"),))

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        word = self.words[int(action)]
        placed = self.round if word == "nothing" else self._placed(word)
        if isinstance(placed, Refusal):
            return self.observe(), 0.0, False, False, self._info(placed.rule or placed.reason)
        self.round, self.thrown = placed, self.thrown + 1
        if isinstance(self.round.due, Over):
            self.round = next_round(self.round)
        if isinstance(self.round.due, Roll):
            faces = self.np_random.integers(1, 7, 2).tolist()
            refused = self._happens(DiceFell(tuple(faces)))
            assert refused is None, refused
        reward, self.rewarded = self.brought - self.rewarded, self.brought
        return self.observe(), reward, False, self.thrown >= self.throws, self._info()

    def observe(self) -> Seen:
        standing = [entry.wager for entry in self.round.book if entry.resolution is None]
        units = [sum(each.stake_cents for each in standing if each.on == name) // UNIT for name in self.wagers]
        return np.array([self.round.state.point or 0, *units], dtype=np.int64)

    @cached_property
    def yardstick(self) -> dict[str, float]:
        """What a unit on each wager brings, on average."""
        made = sheet(known_game(self.game), self.ruleset)
        return {line.wager: -float(line.edge) for line in made.lines if line.wager in self.wagers}
