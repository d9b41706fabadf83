"""Training: a lesson at a real table, with planted mistakes; the trainee says what is due, what is called and paid.

Theory of operation.  A lesson is (game, edition, version, seed) and nothing else: a table plays itself (`Walk`), and
before some of its steps a question is asked.  Four kinds: what is due next, what the dealer says, what a wager comes
to, and, after a planted mistake, what is to be done.  The right answer is never written down by hand: `truth` asks the
rules again, `demand`, `decide` or `rule_on`, whenever it is wanted.  The wrong ones are taken from what is due or said
at other moments of the same game, nearest first, and a wrong act must be one that the table refuses.  The lesson goes
on with what was right, whatever the trainee said, so an address alone brings it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from msgspec.structs import replace as changed

from croupier.equipment import card_sign, parse_card
from croupier.game import (
    Announcement,
    Deal,
    Demand,
    Irregular,
    Over,
    Perform,
    Refusal,
    Remedy,
    Roll,
    Ruling,
    Spin,
    granted,
)
from croupier.game.kinds import NO_KIND, ActKind
from croupier.house.training.mistakes import Mistake, circumstances, plantable
from croupier.house.training.words import REMEDIES, due_words, mistake_words, step_words
from croupier.law.officials import DEALER, doer
from croupier.law.ruleset import Ruleset
from croupier.money import Cents, dollars
from croupier.notation import read_fact, write_fact
from croupier.round import happen, ruled
from croupier.rulesets import ruleset
from croupier.table.commands import TableRequest, Tell
from croupier.table.decide import decide
from croupier.table.events import Announced, Events, WagerSettled
from croupier.table.state import Table
from croupier.table.walk import Chance, Walk

Kind: TypeAlias = Literal["due", "call", "pay", "mistake"]

LENGTH: Final = 20
OPTIONS: Final = 4
EVERY: Final = 3
"""A mistake is planted after about so many questions."""
OPENING: Final = (6, 12, 24)
PLAYING: Final = (2, 4, 10)
ALOUD: Final = (1, 2, 4)
"""How seldom something is asked, the first, the second and the further times: while the table is made ready, in play,
and of what is said or paid."""
PATIENCE: Final = 14
"""Steps for which a lesson waits for the moment of one mistake before it looks for another."""
MOST_STEPS: Final = 900
MOST_SEED: Final = 999_999_999
NEAR: Final = 3
FOLLOWS: Final = "wrong_call"
"""A mistake that can only be made right after a ruling: the ruling itself was called wrongly."""
STALLED: Final = 3
ASKS: Final[dict[Kind, str]] = {
    "due": "What is due now?",
    "call": "What does the dealer say?",
    "pay": "How much goes back to the player, stake included?",
    "mistake": "What is to be done?",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One question: the table as it lies, what happened since the last one, and the answers to choose from.

    `fact` is what was about to be told when the question was asked, `wager` the one it is about; `role` tells it.
    """

    number: int
    kind: Kind
    table: Table
    options: tuple[str, ...]
    rule: str
    tells: str = ""
    log: tuple[str, ...] = ()
    fact: Any = None
    role: str = DEALER
    wager: int = -1


@dataclass(frozen=True, slots=True)
class Lesson:
    ruleset: Ruleset[Any]
    seed: int
    questions: tuple[Question, ...]
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgment:
    """An answer judged: which option was right, under which rule, and why the one given was not."""

    is_right: bool
    right: int
    rule: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class LessonScore:
    """How many were right of those answered, in all and by rule and kind: `(right, answered)`."""

    right: int
    answered: int
    by_rule: dict[str, tuple[int, int]] = field(default_factory=dict)
    by_kind: dict[str, tuple[int, int]] = field(default_factory=dict)


# ---------------------------------------------------------------- judging


def truth(question: Question) -> str:
    """The right answer, asked of the rules themselves."""
    table = question.table
    match question.kind:
        case "due":
            return due_words(table.due)
        case "call":
            return _said(_decided(question))
        case "pay":
            return dollars(_settled(_decided(question), question.wager).returned)
        case "mistake":
            ruling = ruled(table.attended, question.fact)
            assert isinstance(ruling, Ruling)
            return REMEDIES[ruling.remedy]


def judge(question: Question, option: int) -> Judgment:
    """What the rules say to an answer."""
    if not 0 <= option < len(question.options):
        raise ValueError(f"question {question.number} has the answers 0 to {len(question.options) - 1}: {option}")
    right = question.options.index(truth(question))
    why = "" if option == right or question.kind != "due" else _refused(question, question.options[option])
    return Judgment(option == right, right, question.rule, why)


def score(lesson: Lesson, answers: Sequence[int | None]) -> LessonScore:
    """The score of a lesson; an answer that is none was not given."""
    by_rule: dict[str, tuple[int, int]] = {}
    by_kind: dict[str, tuple[int, int]] = {}
    total = 0, 0
    for question, option in zip(lesson.questions, answers, strict=False):
        if option is None:
            continue
        right = int(judge(question, option).is_right)
        total = total[0] + right, total[1] + 1
        for table, key in ((by_rule, question.rule), (by_kind, question.kind)):
            was = table.get(key, (0, 0))
            table[key] = was[0] + right, was[1] + 1
    return LessonScore(*total, by_rule, by_kind)


def _decided(question: Question) -> Events:
    return granted(decide(question.table, TableRequest(Tell(question.fact), question.role, question.role, 0)))


def _said(events: Events) -> str:
    return next((event.text for event in events if isinstance(event, Announced)), "")


def _settled(events: Events, number: int) -> WagerSettled:
    return next(event for event in events if isinstance(event, WagerSettled) and event.number == number)


def _refused(question: Question, words: str) -> str:
    """What the table says to the act that was chosen, if it is one."""
    game = question.table.ruleset
    wrong = pool(game.game, game.edition, game.version).demands.get(words)
    if not isinstance(wrong, Perform):
        return ""
    fact = {"perform": wrong.act, "by": wrong.by}
    events = decide(question.table, TableRequest(Tell(fact), DEALER, _role(wrong), 0))
    return events.whole if isinstance(events, Refusal) else ""


def _role(due: Demand) -> str:
    return doer(due.by) if isinstance(due, Perform) else DEALER


# ---------------------------------------------------------------- the other answers


@dataclass(frozen=True, slots=True)
class Pool:
    """What is due and said at other moments of a game: demands by their words, what is near to each, and calls."""

    demands: dict[str, Demand]
    near: dict[str, dict[str, int]]
    calls: dict[str, tuple[str, ...]]


@lru_cache(maxsize=32)
def pool(game: str, edition: str, version: str) -> Pool:
    """The pool of a game, from tables of its own that play for a while."""
    path: list[Demand] = []
    calls: dict[str, dict[str, None]] = {}
    for seed in ("a", "b", "c"):
        walk = Walk(ruleset(edition, game=game, version=version), Chance(f"pool {seed}"))
        for _ in range(160):
            walk.prepare()
            due = walk.table.due
            path.append(due)
            _, events = walk.step()
            for text in () if isinstance(events, Refusal) else _texts(events):
                calls.setdefault(_call_key(walk.table, due), {})[text] = None
    words = [due_words(due) for due in path]
    near: dict[str, dict[str, int]] = {}
    for at, word in enumerate(words):
        for other in range(max(0, at - NEAR), min(len(words), at + NEAR + 1)):
            there = near.setdefault(word, {})
            there[words[other]] = min(abs(at - other), there.get(words[other], NEAR))
    return Pool(dict(zip(words, path, strict=True)), near, {key: tuple(found) for key, found in calls.items()})


def _texts(events: Events) -> tuple[str, ...]:
    return tuple(event.text for event in events if isinstance(event, Announced))


def _call_key(table: Table, due: Demand) -> str:
    """Calls of one form: those of one act, whichever box it is about."""
    if not isinstance(due, Perform):
        return "a card"
    kind = _kind(table, due)
    return f"{kind.verb} {kind.what}" if kind.of.isdigit() else due.act


def _kind(table: Table, due: Demand) -> ActKind:
    return table.game.kind(table.ruleset.rules, due.act) if isinstance(due, Perform) else NO_KIND


def _wrong_dues(walk: Walk, known: Pool) -> Iterator[str]:
    """What is not due, nearest first: cards to other hands, then acts around this one, then anything."""
    right = due_words(walk.table.due)
    near = known.near.get(right, {})
    order = sorted(walk.chance.mix(known.demands), key=lambda words: _distance(known.demands[words], near.get(words)))
    for words in order:
        if words != right and not _is_allowed(walk, known.demands[words]):
            yield words


def _distance(demand: Demand, near: int | None) -> tuple[int, int]:
    kind = 0 if isinstance(demand, Deal) else 2 if isinstance(demand, Over) else 1
    return (NEAR + 1 + kind, 0) if near is None else (kind if near <= NEAR else NEAR, near)


def _is_allowed(walk: Walk, demand: Demand) -> bool:
    """Whether the table would take it although it is not what is due: then it is no wrong answer."""
    if not isinstance(demand, Perform):
        return False
    act = {"perform": demand.act, "by": demand.by}
    tried = (walk.would(fact, role=_role(demand)) for fact in (act, act | {"detail": 1}))
    return any(not isinstance(events, Refusal) for events in tried)


def _wrong_calls(walk: Walk, known: Pool, fact: Any) -> Iterator[str]:
    """Other calls of the same form: the same words with another number first, then those of other rounds."""
    this, procedure = walk.table.attended, walk.table.procedure
    told = read_fact(fact, this.due)
    if not isinstance(told, Irregular):
        then = granted(happen(this, told))
        for said in procedure.says(this.rules, this.state, told, then.state)[:1]:
            yield from _other_counts(said)
    yield from walk.chance.mix(known.calls.get(_call_key(walk.table, walk.table.due), ()))


def _other_counts(said: Announcement) -> Iterator[str]:
    """A count that is miscounted: one more, one less, soft for hard."""
    if said.count is None:
        return
    for count in (said.count + 1, said.count - 1):
        if count >= 0:
            yield changed(said, count=count).text
    if said.mistaken:
        yield changed(said, words=said.mistaken).text


def _wrong_amounts(event: WagerSettled, stake: Cents) -> Iterator[str]:
    """Amounts that come of common errors: the stake forgotten, the odds or the commission wrong, lost for won."""
    pays = event.pays
    for amount in (stake + pays, pays, stake, 0, 2 * stake, stake + 2 * pays, stake + pays // 2, 3 * stake, 100):
        yield dollars(amount)


def _wrong_remedies(walk: Walk, right: Remedy) -> Iterator[str]:
    """The remedies of the game itself first, then any."""
    tables = walk.table.game.irregularities(walk.ruleset.rules)
    own = dict.fromkeys(law.value.remedy for cases in tables.values() for law in cases)
    for remedy in (*walk.chance.mix(own), *walk.chance.mix(Remedy)):
        if remedy != right:
            yield REMEDIES[remedy]


def _options(walk: Walk, right: str, wrong: Iterator[str]) -> tuple[str, ...]:
    """The right answer among wrong ones, all different."""
    chosen = {right: None}
    for words in wrong:
        if len(chosen) == OPTIONS:
            break
        chosen[words] = None
    return walk.chance.mix(chosen)


# ---------------------------------------------------------------- the lesson


@dataclass(slots=True)
class _Making:
    """A lesson while it is made: what was asked how often, what happened since, which mistakes are still to come."""

    walk: Walk
    known: Pool
    length: int
    questions: list[Question] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)
    coming: list[str] = field(default_factory=list)
    waited: int = 0
    since: int = 0
    playing: bool = False
    stalled: int = 0
    tables: int = 1

    def ask(self, kind: Kind, right: str, wrong: Iterator[str], **more: Any) -> None:
        """A question, if it has wrong answers enough."""
        options = _options(self.walk, right, wrong)
        if len(options) < 3 or self.full:
            return
        number = len(self.questions)
        rule = more.pop("rule", self.walk.table.due.rule)
        self.questions.append(
            Question(number, kind, self.walk.table, options, rule, log=tuple(self.log), **more),
        )
        self.log.clear()
        self.since += 1

    @property
    def full(self) -> bool:
        return len(self.questions) >= self.length

    def is_new(self, key: str, *, odds: tuple[int, int, int]) -> bool:
        """Whether to ask of this now: one time in so many at first, more seldom at the second time and after it."""
        times = self.asked.get(key, 0)
        if self.walk.chance.below(odds[min(times, 2)]):
            return False
        self.asked[key] = times + 1
        return True


def lesson(rules: Ruleset[Any], seed: int, length: int = LENGTH) -> Lesson:
    """The lesson of a rule set and a seed."""
    if not 0 <= seed <= MOST_SEED:
        raise ValueError(f"the number of a lesson is from 0 to {MOST_SEED}: {seed}")
    name = (rules.game, rules.edition, rules.version)
    walk = Walk(rules, Chance(f"{' '.join(name)} {seed}"))
    making = _Making(walk, pool(*name), length)
    for _ in range(MOST_STEPS):
        making.walk.prepare()
        _mistake(making)
        making.walk.prepare()
        _step(making)
        if making.full:
            break
        if making.stalled > STALLED:
            _another_table(making)
    return Lesson(rules, seed, tuple(making.questions), tuple(making.log))


def _another_table(making: _Making) -> None:
    """Go on at a new table where one cannot go on, as after a round that was called off with nobody left to bet."""
    making.tables += 1
    making.walk = Walk(making.walk.ruleset, Chance(f"{making.walk.chance.seed} table {making.tables}"))
    making.playing, making.stalled = False, 0
    making.log = ["A new table is opened."]


def _step(making: _Making) -> None:
    """What is due is perhaps asked for, and happens; what was said or paid with it is perhaps asked for too."""
    walk, due = making.walk, making.walk.table.due
    odds = PLAYING if making.playing else OPENING
    if not isinstance(due, Over) and making.is_new(f"{due_words(due)} {due.rule}", odds=odds):
        making.ask("due", due_words(due), _wrong_dues(walk, making.known))
    before, log = walk.table, list(making.log)
    fact, events = walk.step()
    if isinstance(events, Refusal):
        making.stalled += 1
        return
    making.stalled = 0
    making.playing = making.playing or isinstance(due, Deal | Roll | Spin)
    making.log += step_words(due, fact, events, called=_kind(before, due).verb == "call")
    _aloud(making, due, fact, before=before, log=log, events=events)


def _aloud(making: _Making, due: Demand, fact: Any, *, before: Table, log: list[str], events: Events) -> None:
    """Ask what is said with an act, or what a wager comes to, as the table lay before it."""
    walk, now = making.walk, making.walk.table
    paid = [event for event in events if isinstance(event, WagerSettled)]
    walk.table = before
    ask: Callable[[], None] | None = None
    context = {"fact": fact, "role": _role(due)}
    if paid and making.is_new(f"pay {paid[0].result}", odds=ALOUD):
        event: WagerSettled = walk.chance.pick(paid)
        stake = event.returned - event.pays if event.returned > event.pays else _stake(before, event.number)
        ask = lambda: making.ask(  # noqa: E731
            "pay", dollars(event.returned), _wrong_amounts(event, stake), wager=event.number, rule=event.rule,
            tells=f"{event.player} has {dollars(_stake(before, event.number))} on {event.on.replace('_', ' ')}.",
            **context,
        )  # fmt: skip
    elif (text := _said(events)) and len(making.known.calls.get(key := _call_key(now, due), ())) >= OPTIONS:
        if making.is_new(f"call {key}", odds=ALOUD):
            card = card_sign(parse_card(fact)) if isinstance(due, Deal) and isinstance(fact, str) else ""
            tells = f"The {card} comes: {due_words(due).lower()}." if card else ""
            rule = next(event.rule for event in events if isinstance(event, Announced))
            ask = lambda: making.ask(  # noqa: E731
                "call", text, _wrong_calls(walk, making.known, fact), rule=rule, tells=tells, **context
            )
    if ask is not None:
        after, making.log = making.log[len(log) :], log
        ask()
        making.log += after
    walk.table = now


def _stake(table: Table, number: int) -> Cents:
    return next((each.stake_cents + each.voided_cents for each in _wagers(table) if each.number == number), 0)


def _wagers(table: Table) -> tuple[Any, ...]:
    return tuple(entry.wager for entry in table.round.book)


# ---------------------------------------------------------------- mistakes


def _mistake(making: _Making) -> None:
    """Plant a mistake, if it is time and the position has one."""
    walk = making.walk
    if making.since < EVERY or making.full:
        return
    if not making.coming:
        making.coming = list(walk.chance.mix(circumstances(walk)))
    mistake = plantable(walk, making.coming[-1])
    making.waited += 1
    if mistake is None and making.waited < PATIENCE:
        return
    making.coming.pop()
    making.waited = 0
    if mistake is not None:
        _planted(making, mistake)


def _planted(making: _Making, mistake: Mistake) -> None:
    walk, fact, ruling = making.walk, mistake.fact, mistake.ruling
    tells = mistake_words(walk.table.game.circumstances, fact)
    making.ask(
        "mistake", REMEDIES[ruling.remedy], _wrong_remedies(walk, ruling.remedy), rule=ruling.rule, tells=tells,
        fact=fact, role=mistake.role,
    )  # fmt: skip
    making.since = 0
    walk.walker.stack.lose(fact.card)
    walk.ask(Tell(write_fact(fact)), role=mistake.role)
    making.log += (tells, f"Ruled: {REMEDIES[ruling.remedy]}")
    follows = plantable(walk, FOLLOWS) if FOLLOWS in walk.table.game.circumstances and walk.chance.one_in(3) else None
    if follows and fact.circumstance != FOLLOWS and not making.full:
        _planted(making, follows)
