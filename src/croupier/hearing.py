"""Any round or position, from facts to settlements, every step with its rule: what a dispute needs.

Theory of operation.  A case names the rules, the sign, the wagers and the facts in the order they happened.  Facts are
let happen one by one in a `Round`; each step notes what was due, under which rule, and what came.  Wagers join before
the fact they name with `at`.  Runs go over several rounds: each brings its own wagers and facts, and the wagers still
open go on.

What cannot be read raises `BadInput`; what the rules refuse raises `Refused`.  In both cases nothing is settled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.present import Rows, drawn, html_table, short

if TYPE_CHECKING:
    from rich.table import Table

import json
from dataclasses import field
from typing import Any

import msgspec

from croupier.equipment import Card, card_name, impossible_card, rank
from croupier.errors import BadInput, NotPermitted, Refused
from croupier.game import (
    NO_SIGN,
    Called,
    CardSeen,
    Irregular,
    Over,
    Refusal,
    Ruling,
    Sign,
    Wager,
    say,
    told,
)
from croupier.games import GAMES
from croupier.games.baccarat.own import pair_bets
from croupier.law.ruleset import Ruleset
from croupier.minimum import Tolerance, once_below, tolerance_of
from croupier.money import LARGEST_AMOUNT, parse_amount
from croupier.notation import check_cents, read_fact, without_suit, write_fact
from croupier.once import dataclass
from croupier.own import KNOWN_HERE
from croupier.round import AnyRound, BookLine, Settlement, happen, next_round, open_round, place, ruled, settle
from croupier.rulesets import every_ruleset, known_game, read_day, ruleset

# ---------------------------------------------------------------- the case, as it is given


class WagerIn(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    on: str
    amount: int
    by: str = ""
    box: int = 1
    at: int = 0
    craps: int = 0


class RoundIn(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    facts: tuple[str | dict[str, Any], ...] = ()
    wagers: tuple[WagerIn, ...] = ()
    nominate: dict[str, str] = {}


class SignIn(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    chip: int = 1
    minimum: int = 0
    maximum: int | None = None
    increment: int = 0
    differential: tuple[int, int] | None = None
    super_sevens: int | None = None
    jackpot: int | None = None
    jackpot_wager: int | None = None


class CaseIn(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What `croupier adjudicate` reads.  With `on`, a day or moment, and `venue` the law of then and there is found."""

    edition: str = ""
    game: str = "baccarat"
    version: str = ""
    elections: dict[str, bool | int | str] = {}
    readings: dict[str, str] = {}
    sign: SignIn = SignIn()
    wagers: tuple[WagerIn, ...] = ()
    facts: tuple[str | dict[str, Any], ...] = ()
    rounds: tuple[RoundIn, ...] = ()
    on: str = ""
    venue: str = ""


def read_case(text: str | bytes) -> CaseIn:
    """A case from JSON; the message of a fault names its place."""
    try:
        words = text.decode() if isinstance(text, bytes) else text
        words = words.removeprefix("\ufeff")  # Some editors begin every file with this mark.
        case = msgspec.json.decode(words, type=CaseIn)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadInput(f"the case cannot be read: {error}" if text.strip() else "the case is empty") from error
    json.loads(words, object_pairs_hook=_keys_once, parse_int=str, parse_float=str)
    return case


def _keys_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys are told once each: of two amounts of one wager nobody can say which was meant."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in fields if names.count(name) > 1)
        raise BadInput(f"the case cannot be read: {twice!r:.60} is told twice in one object")
    return fields


def read_sign(given: SignIn) -> Sign:
    for name in given.__struct_fields__:
        value = getattr(given, name)
        for part in value if isinstance(value, tuple) else (value,):
            if part is not None and part < 0:
                raise BadInput(f"sign: {name} must not be negative: {value}")
            if part is not None and part > LARGEST_AMOUNT:
                raise BadInput(f"sign: {name} is at most {LARGEST_AMOUNT} cents: {part}")
    if given.chip < 1:
        raise BadInput(f"sign: a chip is at least one cent: {given.chip}")
    for name, (least, most) in {
        "minimum and maximum": (given.minimum, given.maximum),
        "differential": given.differential or (0, None),
    }.items():
        if most is not None and least > most:
            raise BadInput(f"sign: {name} of {least} and {most}: the first must not be above the second")
    return Sign(**{name: getattr(given, name) for name in given.__struct_fields__})


def _check_wager(given: WagerIn, *, game: str, facts: int) -> None:
    """What can be said against a wager before it is placed."""
    if not 0 <= given.at <= facts:
        raise BadInput(f"wager on {given.on!r:.60}: at {given.at} in a round of {facts} facts")
    if not 1 <= given.box <= 99:
        raise BadInput(f"wager on {given.on!r:.60}: box must be from 1 to 99: {given.box}")
    if given.craps and game != "craps":
        raise BadInput(f"wager on {given.on!r:.60}: craps is a part of a wager of the game of that name: {given.craps}")
    check_cents(given.amount)


def _wager(given: WagerIn) -> Wager:
    seen = (check_cents(given.craps),) if given.craps else ()
    return Wager(given.on, check_cents(given.amount), given.by, box=given.box, seen=seen)


# ---------------------------------------------------------------- adjudication


@dataclass(frozen=True, slots=True, repr=False)
class Adjudication:
    """A finished hearing: the rounds played, each with its steps, and the last of them with the whole book."""

    ruleset: Ruleset[Any]
    last: AnyRound
    placed: tuple[int, ...]
    rounds: tuple[dict[str, object], ...]

    @property
    def lines(self) -> tuple[tuple[BookLine, Settlement], ...]:
        """Each stake with its money."""
        rounding = self.last.game.rounding(self.last.rules)
        return tuple((entry, settle(entry, rounding, self.last.sign.chip)) for entry in self.last.book)

    def rows(self) -> Rows:
        """One flat dictionary a stake, for a data frame; money in cents."""
        return [
            {
                "wager": entry.wager.on,
                "by": entry.wager.by,
                "amount": placed,
                "result": money.result,
                "pays": money.pays_cents,
                "commission": money.commission_cents,
                "returned": money.returned_cents,
                "voided": money.voided_cents,
                "rule": money.rule,
            }
            for (entry, money), placed in zip(self.lines, self.placed, strict=True)
        ]

    def to_dict(self) -> dict[str, object]:
        """The hearing in the public form, as `croupier adjudicate --json` prints it."""
        return as_json(self)

    @property
    def _title(self) -> str:
        outcome = ", ".join(
            f"{name} {value}" for name, value in self.last.game.outcome(self.last.rules, self.last.state).items()
        )
        return f"{self.ruleset.label}: {outcome}" if outcome else self.ruleset.label

    def __repr__(self) -> str:
        results = ", ".join(f"{entry.wager.on} {money.result}" for entry, money in self.lines)
        return short("Adjudication", rules=self.ruleset.label, over=self.last.over, wagers=results)

    def __rich__(self) -> Table:
        return drawn(self.rows(), self._title)

    def _repr_html_(self) -> str:
        return html_table(self.rows(), self._title)


def adjudicate(case: CaseIn) -> Adjudication:
    """Hear a case: place the wagers, let the facts happen, settle."""
    chosen = ruleset(
        case.edition,
        game=case.game,
        version=case.version,
        elections=case.elections,
        readings=case.readings,
        on=read_day(case.on),
        venue=case.venue,
    )
    if case.rounds and (case.wagers or case.facts):
        raise BadInput("give either rounds, or wagers and facts; not both")
    sign = read_sign(case.sign) if case.sign != SignIn() else NO_SIGN
    this = open_round(known_game(case.game), chosen.rules, sign=sign)
    this.game.wagers(this.rules)  # A pay scale of the operator's own is read here, and refused if it cannot be.
    heard, order = list[dict[str, object]](), list[tuple[int, list[int]]]()
    out, tolerance = CardsOut(), tolerance_of(chosen, this.sign)
    for number, given in enumerate(case.rounds or (RoundIn(case.facts, case.wagers),)):
        this = this if number == 0 else _next(this, number)
        out = CardsOut() if chosen.elections.get("shuffler") == "continuous" else out
        order.append((this.numbered, [wager.at for wager in given.wagers]))
        this, steps = hear_round(this, given, out, tolerance)
        heard.append(_answer(this, steps))
    this = this.in_given_order(order)
    return Adjudication(chosen, this, tuple(_placed(entry) for entry in this.book), tuple(heard))


def _next(this: AnyRound, number: int) -> AnyRound:
    """The round after this one, which must have come to its end."""
    if not this.game.at_rest(this.rules, this.state):
        raise Refused(Refusal(f"round {number} is not over: due is {told(this.due)}", this.due.rule))
    return next_round(this)


def hear_round(
    this: AnyRound, given: RoundIn, out: CardsOut, tolerance: Tolerance | None = None
) -> tuple[AnyRound, list[dict[str, object]]]:
    """One round with its wagers and facts; the cards that come are counted among those that are out."""
    steps: list[dict[str, object]] = []
    for wager in given.wagers:
        _check_wager(wager, game=this.game.name, facts=len(given.facts))
    for index, raw in enumerate((*given.facts, None)):
        this = _placed_at(this, given, index, tolerance)
        if index == 0:
            this = _nominated(this, given)
        if raw is not None:
            this = _step(this, raw, out, steps)
    return this, steps


def _placed_at(this: AnyRound, given: RoundIn, index: int, tolerance: Tolerance | None) -> AnyRound:
    wagers = tuple(_wager(w) for w in given.wagers if w.at == index)
    if not wagers:
        return this
    placed = _granted(place(this, wagers))
    return once_below(placed, tolerance, this.numbered) if tolerance else placed


def _nominated(this: AnyRound, given: RoundIn) -> AnyRound:
    for by, hand in given.nominate.items():
        this = _granted(happen(this, Called("nominate", by, hand)))
    return this


def _step(this: AnyRound, raw: object, out: CardsOut, steps: list[dict[str, object]]) -> AnyRound:
    due = this.due
    fact = read_fact(raw, due)
    if isinstance(fact, Irregular) and fact.circumstance not in this.game.circumstances:
        known = ", ".join(this.game.circumstances)
        raise BadInput(f"unknown circumstance {fact.circumstance!r:.60} of {this.game.name}; known are {known}")
    if isinstance(fact, Irregular) and not this.game.decks(this.rules) and (fact.found or fact.card is not None):
        raise BadInput(f"irregular {fact.circumstance}: {this.game.name} is played without cards: {raw!r:.120}")
    if isinstance(fact, CardSeen | Irregular) and fact.card is not None:
        _check_card(this, fact.card, raw["card"] if isinstance(raw, dict) else raw, out)
    step: dict[str, object] = {"due": say(due), "rule": due.rule, "fact": write_fact(fact)}
    effect = ruled(this, fact)
    if isinstance(effect, Ruling):
        call = {"call": effect.call} if effect.call else {}
        step["ruling"] = {"remedy": str(effect.remedy), "rule": effect.rule, "by": effect.by, **call}
    after = effect if isinstance(effect, Refusal) else happen(this, effect)
    if isinstance(after, Refusal):
        raise Refused(_naming(after, raw))
    steps.append(step)
    return after


def _naming(refusal: Refusal, raw: object) -> Refusal:
    """A refusal that names the fact as it was written, where the game did not name it."""
    if refusal.on or not isinstance(raw, str):
        return refusal
    return Refusal(refusal.reason, refusal.rule, on=f"{raw!r:.60}")


@dataclass(frozen=True, slots=True)
class CardsOut:
    """The cards that have left the shoe, and among them those told by rank alone."""

    cards: list[Card] = field(default_factory=list)
    ranks: list[Card] = field(default_factory=list)


def _check_card(this: AnyRound, card: Card, raw: object, out: CardsOut) -> None:
    """A card that the packs in use cannot hold any more is a false fact, whatever the rules say of it."""
    decks, bare = this.game.decks(this.rules), without_suit(raw)
    suited = [wager.on for wager in this.standing if wager.on in (*SEES_SUITS, *pair_bets(this.rules))]
    if bare and suited:
        raise BadInput(f"{raw!r}: {suited[0]} depends on the suit, so write it like {card_name(card)}")
    if decks <= 1:
        # One deck is shuffled for every deal, and its game refuses what lies on the layout already; without cards any
        # is out of turn, and the game says under which rule.
        return
    (out.ranks if bare else out.cards).append(card)
    if impossible_card(out.cards, decks) is not None:
        raise BadInput(f"{card_name(card)} appears {decks + 1} times; {decks} deck(s) hold it {decks} times")
    alike = sum(rank(each) == rank(card) for each in (*out.cards, *out.ranks))
    if alike > 4 * decks:
        raise BadInput(f"{raw!r}: {alike} cards of one rank; {decks} deck(s) hold {4 * decks}")


SEES_SUITS = frozenset({"perfect_pairs", "super_sevens", "ante", "jackpot"})
"""Wagers for which a card told by rank alone says too little."""


def _granted(result: AnyRound | Refusal) -> AnyRound:
    if isinstance(result, Refusal):
        raise Refused(result)
    return result


def _placed(entry: BookLine) -> int:
    return entry.wager.stake_cents + entry.wager.voided_cents


# ---------------------------------------------------------------- the answer


def _answer(this: AnyRound, steps: list[dict[str, object]]) -> dict[str, object]:
    following, due = this.following, this.due
    left_over = following.first_card, following.second_card
    first, second = (None if card is None else card_name(card) for card in left_over)
    return {
        "over": this.over,
        "due": say(due) if not isinstance(due, Over) else None if this.over else "next round",
        "due_rule": due.rule,
        "steps": steps,
        "outcome": dict(this.game.outcome(this.rules, this.state)),
        "next": {"first_card": first, "hand": following.hand} | ({"second_card": second} if second else {}),
    }


def as_json(this: Adjudication) -> dict[str, object]:
    """The answer in the public form."""
    answer: dict[str, object] = {
        "game": this.ruleset.game,
        "edition": this.ruleset.edition,
        "version": this.ruleset.version,
        "ruleset": this.ruleset.hash,
        **this.ruleset.marked,
        **this.rounds[-1],
        "settlements": [_line(entry, money) for entry, money in this.lines],
    }
    if len(this.rounds) > 1:
        answer["rounds"] = list(this.rounds)
        answer["steps"] = [step for each in this.rounds for step in each["steps"]]  # type: ignore[attr-defined]
    return answer


def _line(entry: BookLine, money: Settlement) -> dict[str, object]:
    wager = entry.wager
    line: dict[str, object] = {"on": wager.on, "amount": _placed(entry)}
    if wager.by:
        line["by"] = wager.by
    if wager.of is not None:
        line |= {"of": wager.of, "hand": wager.hand}
    return line | {
        "result": money.result,
        "pays": money.pays_cents,
        "commission": money.commission_cents,
        "returned": money.returned_cents,
        "voided": money.voided_cents,
        "rule": money.rule,
    }


def across_editions(case: CaseIn) -> list[dict[str, object]]:
    """The same wagers and facts under every law that knows the game, with the difference in money from the first."""
    answers: list[dict[str, object]] = []
    base: int | None = None
    own = [ruleset(case.edition, game=case.game)] if case.edition in KNOWN_HERE else []
    for each in (*every_ruleset((known_game(case.game),)), *own):
        row: dict[str, object] = {"edition": each.edition, "version": each.version}
        elections = {name: value for name, value in case.elections.items() if name in each.elections}
        try:
            hearing = adjudicate(
                msgspec.structs.replace(case, edition=each.edition, version=each.version, elections=elections)
            )
        except (Refused, NotPermitted) as refused:
            answers.append(row | {"refused": str(refused)})
            continue
        net = sum(money.net_cents(_placed(entry)) for entry, money in hearing.lines)
        base = net if base is None else base
        answer = as_json(hearing)
        findings = {key: answer[key] for key in ("over", "due", "outcome", "settlements")}
        answers.append(row | findings | {"net": net, "difference": net - base})
    return answers


# ---------------------------------------------------------------- one line


def read_line(text: str) -> CaseIn:
    """`nz1998 banker 100: 2h 3d Kc Qs 8h`: edition, election words, wagers in dollars, a colon, the facts."""
    head, colon, tail = text.partition(": ")
    if not colon:
        raise BadInput(f"a colon and a space must stand between wagers and facts: {text!r:.80}")
    case, words = _read_head(head.split())
    return msgspec.structs.replace(case, wagers=_read_wagers(" ".join(words)), facts=tuple(tail.split()))


def read_position(text: str) -> CaseIn:
    """`nz1998 2h 3d Kc`: any position.  Where nothing is due until somebody bets, one wager is down."""
    case, words = _read_head(text.split())
    rules = ruleset(case.edition, game=case.game, version=case.version, elections=case.elections).rules
    game = known_game(case.game)
    nobody = isinstance(open_round(game, rules).due, Over)
    wagers = (WagerIn(game.wagers(rules)[0], 10_000),) if nobody else ()
    return msgspec.structs.replace(case, wagers=wagers, facts=tuple(words))


def _read_head(words: list[str]) -> tuple[CaseIn, list[str]]:
    """The edition (`nzd5/full`), a game's name if it is not the usual, then elections (`no_commission`, `decks=6`)."""
    if not words:
        raise BadInput("name the edition first")
    edition, _, version = words[0].partition("/")
    game, rest = KNOWN_HERE[edition].game if edition in KNOWN_HERE else "baccarat", words[1:]
    if rest and rest[0] in GAMES:
        game, rest = rest[0], rest[1:]
    rules = ruleset(edition, game=game, version=version)
    elections: dict[str, bool | int | str] = {}
    while rest and rest[0].partition("=")[0] in rules.elections:
        name, given, value = rest.pop(0).partition("=")
        elections[name] = value if given else True
    return CaseIn(edition, game=game, version=version, elections=elections), rest


def _read_wagers(text: str) -> tuple[WagerIn, ...]:
    wagers = []
    for part in text.split(","):
        words = part.split()
        if len(words) != 2:
            raise BadInput(f"a wager is a name and an amount in dollars: {part.strip()!r}")
        try:
            wagers.append(WagerIn(words[0], parse_amount(words[1])))
        except ValueError as error:
            raise BadInput(str(error)) from error
    return tuple(wagers)
