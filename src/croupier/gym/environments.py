"""The environments: blackjack, Caribbean stud and craps for Gymnasium, played by the same rules.

Theory of operation.  An environment holds a round and lets everything happen in it that is not the player's: cards from
a mixed shoe, throws of the dice.  What the player may choose is asked of the rules, so that any edition and any of its
elections, one's own included, has its environment.  `info["action_mask"]` has a one for each action that is open.  An
action that is not open changes nothing, and `info["refused"]` names the rule against it.  Rewards are units won or
lost, told when wagers are decided; `optimum` is the exact yardstick: the most that can be won on average, and `best()`
the action of the play that wins it.

    import croupier.gym
    env = gymnasium.make("croupier/Blackjack-v0", edition="american.toml")

Chance comes from Gymnasium's own generator, so that a seed tells the whole game.  `vectors` has the same games many at
once, on the kernels' tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.equipment import CARDS
from croupier.errors import BadInput, Refused
from croupier.exact.blackjack.paper.sheet import full_solved
from croupier.exact.blackjack.policy import decide
from croupier.exact.blackjack.terms import symbols
from croupier.exact.sheet import sheet
from croupier.game import CardSeen, Choose, Chosen, Deal, DiceFell, Fact, Over, Refusal, Roll, Wager
from croupier.games.blackjack.layout import Box, Hand, count, has_blackjack, is_pair, points
from croupier.games.blackjack.play import initial_deal_over, turn
from croupier.games.blackjack.shoe import cards_in_stack
from croupier.games.caribbean_stud.play import face_up
from croupier.own import named
from croupier.round import AnyRound, happen, next_round, open_round, place, settle
from croupier.rulesets import known_game, ruleset
from croupier.simulation.blackjack.many import ACTIONS, DECIDES, NOTHING_ASKED, OFFERED, SEEN, early_rule
from croupier.simulation.blackjack.twin import variant_of
from croupier.simulation.craps.many import MOST_UNITS, TOO_MANY, UNIT, spot_of, spots_of

Seen: TypeAlias = NDArray[np.int64]
EVERY_CARD: Final = "a round took every card of the shoe: play fewer boxes, or elect more decks"


class RulesEnv(gymnasium.Env[Seen, int]):
    """A game under a rule set; what the games do not share is below."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}  # type: ignore[misc]
    game: ClassVar[str]
    words: tuple[str, ...]
    """The actions, by number."""

    def __init__(self, edition: str = "nz1996", *, render_mode: str | None = None, **elections: object) -> None:
        self.ruleset = ruleset(named(edition), game=self.game, elections=elections)
        self.render_mode = render_mode
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

    @property
    def brought(self) -> float:
        """What the round has brought so far, in units; a commission is paid with its wager."""
        rounding = known_game(self.game).rounding(self.ruleset.rules)
        book = ((settle(entry, rounding, 1), entry.wager) for entry in self.round.book)
        return sum(money.net_cents(wager.stake_cents + wager.fee_cents) for money, wager in book) / UNIT

    def _info(self, refused: str = "") -> dict[str, Any]:
        open_to = set(self.open)
        mask = np.array([word in open_to for word in self.words], dtype=np.int8)
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
        self.boxes = checked_boxes(boxes)
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(self.words))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        if seed is not None or self._to_mix():
            self._mix()
        self._begin()
        return self.observe(), self._info()

    def _begin(self) -> None:
        """A round with a unit on each box, up to its first choice."""
        wagers = tuple(Wager(self.stakes, UNIT, by=f"p{n}", box=n) for n in range(1, self.boxes + 1))
        placed = place(self._opened(), wagers)
        if isinstance(placed, Refusal):
            raise Refused(placed)
        self.round = placed
        self._on()

    def _to_mix(self) -> bool:
        """A pack is mixed for every round."""
        return True

    def _mix(self) -> None:
        decks = max(1, known_game(self.game).decks(self.ruleset.rules))
        cards = np.repeat(np.arange(CARDS), decks)
        self.shoe, self.at = self.np_random.permutation(cards).tolist(), 0

    def _card(self) -> int:
        self.at += 1
        return self.shoe[self.at - 1]

    @property
    def open(self) -> Sequence[str]:
        """A round that asks nothing is ended by any action."""
        return super().open or self.words

    def _on(self) -> None:
        """Let cards come until somebody must choose, or all is over."""
        while isinstance(self.round.due, Deal):
            refused = self._happens(CardSeen(self._card()))
            assert refused is None, refused

    def _choose(self, word: str) -> str:
        """Carry out an action: the rule against it, if there is one."""
        refused = self._happens(Chosen(word)) if isinstance(self.round.due, Choose) else None
        return refused.rule if refused else ""

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        refused = self._choose(self.words[int(action)])
        if refused:
            return self.observe(), 0.0, False, False, self._info(refused)
        self._on()
        over = isinstance(self.round.due, Over)
        return self.observe(), self.brought if over else 0.0, over, False, self._info()


def checked_boxes(boxes: object) -> int:
    if type(boxes) is not int or not 1 <= boxes <= 7:
        raise BadInput(f"boxes is a whole number from 1 to 7: {boxes!r:.20}")
    return boxes


class BlackjackEnv(HandsEnv):
    """Blackjack on one to seven boxes, with every choice of the law.

    Before anybody plays, insurance and even money are offered box by box where the dealer's first card offers them, to
    be taken (a half, as the law has it) or declined.  Seen are the numbers of `SEEN` (what is asked: 0 nothing, 1 an
    offer, 2 a decision; the box; the hand's place, how many the box has, its situation; total, whether it is soft,
    cards, whether they are a pair; the dealer's first card by its points, an ace being 11; the share of the shoe that
    is dealt, in hundredths), then the cards of the hand by what they count, then those that came out of the shoe since
    it was mixed, each from the ace up.  A round that asks nothing is one step, whatever is done.

    The shoe goes on from round to round until the cutting card comes out, where the law puts it; `fresh` mixes it for
    every round.  `optimum` is of one box and a full shoe.
    """

    game = "blackjack"
    words = ACTIONS
    stakes = "main"

    def __init__(
        self,
        edition: str = "nz1996",
        *,
        boxes: int = 1,
        fresh: bool = False,
        render_mode: str | None = None,
        **elections: object,
    ) -> None:
        super().__init__(edition, boxes=boxes, render_mode=render_mode, **elections)
        self.observation_space = seen_at_blackjack(self.ruleset.rules)
        self.cut = cut_at(self.ruleset.rules, fresh=fresh)
        self.start = 0
        self.asking: list[int] = []

    def _to_mix(self) -> bool:
        return self.at >= self.cut or self.start < 0 or not self.shoe

    def _mix(self) -> None:
        super()._mix()
        self.at = int(self.ruleset.rules.burn_card.value.elected)

    def _begin(self) -> None:
        self.start, self.asking = self.at, list(range(1, self.boxes + 1))
        super()._begin()

    def _card(self) -> int:
        if self.at == len(self.shoe):
            # The cards on the layout stay; the discards are mixed, and the round goes on.
            if self.start <= 0:
                raise BadInput(EVERY_CARD)
            on_layout = self.shoe[self.start :]
            discards = self.np_random.permutation(np.array(self.shoe[: self.start], dtype=np.int64)).tolist()
            self.shoe, self.at, self.start = [*on_layout, *discards], len(on_layout), -1
        return super()._card()

    def _on(self) -> None:
        while isinstance(self.round.due, Deal) and not self.offered:
            refused = self._happens(CardSeen(self._card()))
            assert refused is None, refused

    @property
    def offered(self) -> tuple[str, ...]:
        """What is offered to the box that is asked now; boxes to which nothing is are passed over."""
        rules, layout = self.ruleset.rules, self.round.state
        if not self.asking or not initial_deal_over(rules, layout):
            return ()
        while self.asking:
            words = ("insure", "even_money")
            box = self.asking[0]
            taken = tuple(word for word in words if not isinstance(happen(self.round, Chosen(word, box=box)), Refusal))
            if taken:
                return (*taken, "decline")
            self.asking.pop(0)
        return ()

    @property
    def open(self) -> Sequence[str]:
        return self.offered or super().open

    def _choose(self, word: str) -> str:
        if not self.offered:
            early = word in ("insure", "even_money", "decline") and isinstance(self.round.due, Choose)
            return early_rule(self.ruleset.rules, word) if early else super()._choose(word)
        if word not in self.offered:
            return early_rule(self.ruleset.rules, word)
        box = self.asking.pop(0)
        refused = None if word == "decline" else self._happens(Chosen(word, box=box))
        assert refused is None, refused
        return ""

    @property
    def _now(self) -> tuple[Box, Hand] | None:
        """The box and hand that are asked."""
        if self.offered:
            box = self.round.state.box(self.asking[0])
            return box, box.hands[0]
        now = turn(self.ruleset.rules, self.round.state)
        return (now.box, now.hand) if now.box is not None and now.hand is not None else None

    def observe(self) -> Seen:
        rules, layout = self.ruleset.rules, self.round.state
        order = symbols(rules)
        numbers = dict.fromkeys(SEEN, NOTHING_ASKED)
        held = [0] * len(order)
        numbers["up"] = points(rules, layout.dealer[0]) if layout.dealer else 0
        numbers["dealt"] = 100 * self.at // max(1, len(self.shoe))
        if self._now is not None:
            box, hand = self._now
            total, cards = count(rules, hand.cards), hand.cards
            numbers |= {
                "asked": OFFERED if self.offered else DECIDES,
                "box": box.number,
                "hand": 1 + box.hands.index(hand),
                "hands": len(box.hands),
                "situation": variant_of(rules, box, hand),
                "total": total.points,
                "soft": total.soft,
                "cards": min(len(cards), 3),
                "pair": len(cards) == 2 and is_pair(rules, *cards),
            }
            for card in cards:
                held[order.index(points(rules, card))] += 1
        return np.array([*numbers.values(), *held, *self._gone()], dtype=np.int64)

    def _gone(self) -> list[int]:
        """The cards that everybody saw since the shoe was mixed, by what they count."""
        rules = self.ruleset.rules
        order = symbols(rules)
        gone = [0] * len(order)
        first = 0 if self.start < 0 else int(rules.burn_card.value.elected)
        for card in self.shoe[first : self.at]:
            gone[order.index(points(rules, card))] += 1
        for laid in known_game(self.game).cards(rules, self.round.state):
            for hidden in laid.down:
                gone[order.index(points(rules, laid.cards[hidden]))] -= 1
        return gone

    def best(self) -> int:
        """The action of the best play for a full shoe; a hand that it never comes to is played as if it were alone."""
        if self._now is None:
            return 0
        rules, layout, (box, hand) = self.ruleset.rules, self.round.state, self._now
        solved = full_solved(rules)
        policy = solved.main
        up = policy.values.index(points(rules, layout.dealer[0]))
        if self.offered:
            paid = "even_money" in self.offered and up in policy.even_money
            return self.words.index("even_money" if paid and has_blackjack(rules, hand) else "decline")
        first = policy.values.index(points(rules, hand.cards[0]))
        known = len(box.hands) == 1 or (up, first) in policy.plans
        word = decide(policy, rules, layout, box if known else Box(1, hands=(hand,)), hand)
        return self.words.index(word if word in self.open else "hit")

    @cached_property
    def optimum(self) -> float:
        """What the best play wins on a box in a round, on average; it takes seconds."""
        return full_solved(self.ruleset.rules).main_worth


def seen_at_blackjack(rules: Any) -> spaces.Space[Any]:
    """The space of what is seen of a table."""
    return spaces.Box(0, cards_in_stack(rules), (len(SEEN) + 2 * len(symbols(rules)),), np.int64)


def cut_at(rules: Any, *, fresh: bool) -> int:
    """Once so many cards are dealt, the round is the last of the shoe."""
    return 0 if fresh else cards_in_stack(rules) - int(rules.ceremony.cutting_card_from_back.value)


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

    Actions are to place nothing, or a unit on one of `wagers`, all that the law has; what lies stays until it is
    decided.  Seen are the point (0: none) and the units on each of `spots`: the wagers as they are placed, then the
    line bets gone to a number.  Nothing can be won on average: `optimum` is nought, and `yardstick` what a unit on each
    wager brings.
    """

    game = "craps"
    optimum: ClassVar[float] = 0.0

    def __init__(
        self, edition: str = "nz1996", *, throws: int = 100, render_mode: str | None = None, **elections: object
    ) -> None:
        super().__init__(edition, render_mode=render_mode, **elections)
        self.throws, self.thrown, self.rewarded = checked_throws(throws), 0, 0.0
        self.wagers = known_game(self.game).wagers(self.ruleset.rules)
        self.spots = spots_of(self.ruleset.rules)
        self.words = ("nothing", *self.wagers)
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(self.words))
        self.observation_space = seen_at_craps(self.ruleset.rules)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.round, self.thrown, self.rewarded = self._opened(), 0, 0.0
        return self.observe(), self._info()

    @property
    def open(self) -> Sequence[str]:
        return ("nothing", *(name for name in self.wagers if not isinstance(self._placed(name), Refusal)))

    def _placed(self, name: str) -> AnyRound | Refusal:
        placed = place(self.round, (Wager(name, UNIT, by="p1"),))
        on = sum(each.stake_cents for each in self.round.standing if each.on == name)
        full = on >= MOST_UNITS * UNIT and not isinstance(placed, Refusal)
        return Refusal(TOO_MANY, "") if full else placed

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        word = self.words[int(action)]
        placed = self.round if word == "nothing" else self._placed(word)
        if isinstance(placed, Refusal):
            return self.observe(), 0.0, False, False, self._info(placed.rule or placed.reason)
        self.round, self.thrown = placed, self.thrown + 1
        if isinstance(self.round.due, Over):
            self.round = next_round(self.round)
        if isinstance(self.round.due, Roll):
            refused = self._happens(DiceFell(self._throw()))
            assert refused is None, refused
        reward, self.rewarded = self.brought - self.rewarded, self.brought
        return self.observe(), reward, False, self.thrown >= self.throws, self._info()

    def _throw(self) -> tuple[int, ...]:
        return tuple(self.np_random.integers(1, 7, 2).tolist())

    def observe(self) -> Seen:
        units = dict.fromkeys(self.spots, 0)
        for wager in self.round.standing:
            units[spot_of(wager)] += wager.stake_cents // UNIT
        return np.array([self.round.state.point or 0, *units.values()], dtype=np.int64)

    def best(self) -> int:
        """To place nothing: every wager costs, or is worth nought."""
        return 0

    @cached_property
    def yardstick(self) -> dict[str, float]:
        """What a unit on each wager brings, on average."""
        return yardstick_of(self.ruleset)


def checked_throws(throws: object) -> int:
    if type(throws) is not int or throws < 1:
        raise BadInput(f"throws is a whole number, 1 or more: {throws!r:.20}")
    return throws


def seen_at_craps(rules: Any) -> spaces.Space[Any]:
    """The space of what is seen of a table."""
    return spaces.Box(0, MOST_UNITS, (1 + len(spots_of(rules)),), np.int64)


def yardstick_of(ruled: Any) -> dict[str, float]:
    """What a unit on each wager of craps brings, on average."""
    return {line.wager: -float(line.edge) for line in sheet(known_game("craps"), ruled).lines}
