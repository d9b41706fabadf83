"""What the tests of roulette, tai-sai and the money wheel share: cases, edges, playthroughs and random walks.

A case is one line, `rule | wagers | facts | results`.  Wagers are `name dollars`, then perhaps `@n` (placed before fact
n) and `by who`; facts are separated by spaces, objects being JSON without spaces (`No_more_bets`); results are one per
stake, `won|lost|void|open dollars rule`, or a single `refused rule`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from croupier.game import (
    AnyGame,
    BallFell,
    Called,
    CardSeen,
    Chosen,
    DiceFell,
    Fact,
    Irregular,
    Performed,
    Plain,
    Refusal,
    Sign,
    StandOff,
    Void,
    Wager,
    WheelStopped,
    Won,
    say,
)
from croupier.games.single_draw import DrawSitting, SingleDraw
from croupier.games.single_draw.play import rule_on
from croupier.games.single_draw.procedure import next_game
from croupier.money import format_amount, parse_amount
from croupier.notation import read_fact, write_fact
from croupier.round import AnyRound, happen, open_round, place, settle
from tests.helpers.places import TESTS
from tests.helpers.rulings import after_it, effect_of

HERE = TESTS
AnyDraw = SingleDraw[Any, Any]
AnySitting = DrawSitting[Any]


def rules_of(game: AnyGame) -> Any:
    """The rules in force; asked for anew by each test, so that nothing is kept from a changed law."""
    return game.editions["nz1996"][game.name]


def placed(this: AnyRound, *wagers: Wager) -> AnyRound:
    after = place(this, wagers)
    assert not isinstance(after, Refusal), after
    return after


def happened(this: AnyRound, *facts: Fact) -> AnyRound:
    for fact in facts:
        after = happen(this, fact)
        assert not isinstance(after, Refusal), after
        this = after
    return this


def refused(answer: object) -> Refusal:
    assert isinstance(answer, Refusal), f"not refused: {answer}"
    return answer


def result_line(this: AnyRound, index: int) -> str:
    money = settle(this.book[index], this.game.rounding(this.rules), this.sign.chip)
    return f"{money.result} {format_amount(money.pays_cents)} {money.rule.removeprefix('NZ1996-')}".rstrip()


# ---------------------------------------------------------------- cases


@dataclass(frozen=True, slots=True)
class Line:
    """One case, as written."""

    rule: str
    wagers: str
    facts: str
    results: str

    def __str__(self) -> str:
        return f"{self.rule} {self.wagers} {self.facts}"


def read_cases(name: str) -> list[Line]:
    text = (HERE / "cases" / f"{name}.cases").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Line(*(part.strip() for part in line.split("|"))) for line in lines]


def read_wager(text: str) -> tuple[int, Wager]:
    """A wager and the number of the fact before which it is placed."""
    name, amount, *rest = text.split()
    at = next((int(word[1:]) for word in rest if word.startswith("@")), 0)
    by = rest[rest.index("by") + 1] if "by" in rest else ""
    # A chip across two areas is written with a slash here, as the bar separates the columns.
    return at, Wager(name.replace("/", "|"), parse_amount(amount), by=by.replace("_", " "))


def run_case(game: AnyGame, line: Line) -> str:
    """The results of a case, as they should be written."""
    this = open_round(game, rules_of(game))
    wagers = [read_wager(text) for text in line.wagers.split(",")]
    for number, raw in enumerate([*line.facts.split(), None]):
        due = tuple(wager for at, wager in wagers if at == number)
        answer = place(this, due) if due else this
        if raw is not None and not isinstance(answer, Refusal):
            answer = happen(answer, read_fact(_plain(raw), answer.due))
        if isinstance(answer, Refusal):
            return f"refused {answer.rule.removeprefix('NZ1996-')}"
        this = answer
    return ", ".join(result_line(this, index) for index in range(len(this.book)))


def _plain(raw: str) -> object:
    """A fact as notation knows it; in the calls and people of a case an underscore stands for a space."""
    if not raw.startswith("{"):
        return raw
    words = json.loads(raw)
    return words | {key: words[key].replace("_", " ") for key in ("call", "by") if key in words}


def check_case(game: AnyGame, line: Line) -> None:
    assert run_case(game, line) == line.results


# ---------------------------------------------------------------- exact odds


def edge(game: AnyGame, draw: AnyDraw, on: str) -> Fraction:
    """The house edge of one wager: every chance walked through apply and judge."""
    rules = rules_of(game)
    space = draw.chances(rules)
    net = sum(
        (weight * net_of(game, on, fact) for fact, weight in zip(space.outcomes, space.weights, strict=True)),
        Fraction(0),
    )
    return -net / space.total


def net_of(game: AnyGame, on: str, fact: Plain) -> Fraction:
    rules = rules_of(game)
    before = open_round(game, rules).state
    after = game.apply(rules, before, fact)
    assert not isinstance(after, Refusal)
    match game.judge(rules, Wager(on, 100), before, fact, after):
        case Won(odds=odds):
            return odds.fraction
        case StandOff() | Void() | Wager():
            return Fraction(0)
        case _:
            return Fraction(-1)


# ---------------------------------------------------------------- the ceremony


def sitting_after(draw: AnyDraw, rules: Any, sitting: AnySitting, fact: Fact) -> AnySitting | Refusal:
    """The sitting after a fact, declared or plain; or the refusal it meets."""
    effect = rule_on(rules.common, sitting.draw, fact) if isinstance(fact, Irregular) else fact
    return effect if isinstance(effect, Refusal) else draw.sitting_apply(rules, sitting, effect)


def acted(draw: AnyDraw, rules: Any, sitting: AnySitting, *facts: Fact) -> AnySitting:
    for fact in facts:
        after = sitting_after(draw, rules, sitting, fact)
        assert not isinstance(after, Refusal), after
        sitting = after
    return sitting


def new_game(rules: Any, sitting: AnySitting) -> AnySitting:
    after = next_game(rules.ceremony, sitting)
    assert not isinstance(after, Refusal), after
    return after


def dues(draw: AnyDraw, rules: Any, sitting: AnySitting, facts: Sequence[Fact]) -> list[tuple[str, str]]:
    """What was due before each fact, and after the last, with the rule; each rule is noted as compared."""
    found = []
    for fact in (*facts, None):
        demand = draw.sitting_demand(rules, sitting)
        found.append((say(demand), demand.rule.removeprefix("NZ1996-")))
        if fact is not None:
            sitting = acted(draw, rules, sitting, fact)
    return found


def playthrough(
    game: AnyGame, draw: AnyDraw, wagers: Sequence[Wager], facts: Sequence[Fact], sitting: AnySitting, at: int
) -> str:
    """A whole game told line by line: what is due, under which rule, what happens; then the settlements.

    The wagers are placed before fact `at`.  Acts of staff are heard by the ceremony alone, all other facts by both.
    """
    rules = rules_of(game)
    this, lines = open_round(game, rules), [f"{game.name} nz1996"]
    for number, fact in enumerate(facts):
        if number == at:
            this = placed(this, *wagers)
            lines += ["", *(f"  {w.by}: {w.on} {format_amount(w.stake_cents)}" for w in wagers), ""]
        due = draw.sitting_demand(rules, sitting)
        lines.append(f"{say(due):43} {due.rule:17} {_fact_text(fact)}")
        sitting = acted(draw, rules, sitting, fact)
        if not isinstance(fact, Performed):
            this = happened(this, fact)
        elif fact.act == f"call {rules.common.closing.value}":
            this = happened(this, Called(rules.common.closing.value))
    last = draw.sitting_demand(rules, sitting)
    lines += [f"{say(last):43} {last.rule}", ""]
    for index, entry in enumerate(this.book):
        wager = entry.wager
        result, pays, rule = result_line(this, index).split()
        lines.append(f"  {wager.by}: {wager.on} {format_amount(wager.stake_cents)}: {result} {pays} NZ1996-{rule}")
    return "\n".join(lines) + "\n"


def check_playthrough(name: str, text: str) -> None:
    """The playthrough is the one on file; every rule it shows has then been compared."""
    assert text == (HERE / "playthroughs" / f"{name}.txt").read_text()


def _fact_text(fact: Fact) -> str:
    written = write_fact(fact)
    return written if isinstance(written, str) else json.dumps(written)


# ---------------------------------------------------------------- random walks


def facts_of(draw: AnyDraw, game: AnyGame) -> st.SearchStrategy[Fact]:
    """Facts of every kind, legal and not, in the words of the game and out of them; made when first drawn from."""
    return st.deferred(lambda: _facts_of(draw, rules_of(game), game))


def _facts_of(draw: AnyDraw, rules: Any, game: AnyGame) -> st.SearchStrategy[Fact]:
    acts = [law.value.act for script in rules.ceremony.scripts.values() for law in script]
    people = st.sampled_from(["", "dealer", "game supervisor", "seat 1", "stranger"])
    names = st.sampled_from([*draw.areas(rules), "", "17", "C", "nonsense"])
    details = st.one_of(st.integers(-1, 40), st.sampled_from(["", "clockwise", "rim", "1-3-6", *draw.areas(rules)]))
    closing = rules.common.closing.value
    return st.one_of(
        st.sampled_from(list(dict.fromkeys(draw.chances(rules).outcomes))),
        st.sampled_from([BallFell(37), BallFell(-1), DiceFell((1, 2)), DiceFell((0, 1, 7)), DiceFell((1,) * 4)]),
        st.sampled_from([WheelStopped("H"), WheelStopped("zero"), WheelStopped("peg"), CardSeen(0), Chosen("hit")]),
        st.builds(Called, st.sampled_from([closing, "take", "No spin"]), by=people, on=names),
        st.builds(
            Irregular,
            st.sampled_from([*game.circumstances, "nonsense"]),
            to=names,
            call=st.sampled_from(["", "No spin", "seat 1"]),
            by=people,
        ),
        st.builds(Performed, st.sampled_from([*acts, "void spin", "void round", "nonsense"]), people, details),
    )


def wagers_of(draw: AnyDraw, game: AnyGame) -> st.SearchStrategy[tuple[Wager, ...]]:
    return st.deferred(lambda: _wagers_of(draw.areas(rules_of(game))))


def _wagers_of(areas: tuple[str, ...]) -> st.SearchStrategy[tuple[Wager, ...]]:
    one = st.builds(
        Wager,
        st.sampled_from([*areas, "nonsense", "split:1-9", "total:3"]),
        st.integers(1, 100_000),
        by=st.sampled_from(["", "seat 1", "seat 2"]),
    )
    return st.lists(one, max_size=4).map(tuple)


def signs() -> st.SearchStrategy[Sign]:
    return st.builds(Sign, chip=st.sampled_from([1, 50, 100, 500]), maximum=st.sampled_from([None, 500, 20_000]))


def walk(game: AnyGame, sign: Sign, moves: Sequence[tuple[tuple[Wager, ...], Fact]]) -> list[AnyRound]:
    """Every round on the way; what is refused changes nothing."""
    this = open_round(game, rules_of(game), sign=sign)
    rounds = [this]
    for wagers, fact in moves:
        with_wagers = place(this, wagers)
        this = this if isinstance(with_wagers, Refusal) else with_wagers
        after = happen(this, fact)
        this = this if isinstance(after, Refusal) else after
        rounds.append(this)
    return rounds


def check_walk(game: AnyGame, draw: AnyDraw, sign: Sign, moves: Sequence[tuple[tuple[Wager, ...], Fact]]) -> None:
    """No exception; what is decided stays so unless a ruling undoes it; the money adds up; a replay ends the same."""
    rounds = walk(game, sign, moves)
    for (before, after), (_, fact) in zip(pairwise(rounds), moves, strict=True):
        undone = isinstance(fact, Irregular) and before.state.result is not None
        for old, new in zip(before.book, after.book, strict=False):
            assert undone or old.resolution is None or new == old
    last = rounds[-1]
    if not game.at_rest(last.rules, last.state):
        last = happened(last, draw.chances(last.rules).at(0))
    assert last.over
    for entry in last.book:
        money = settle(entry, game.rounding(last.rules), sign.chip)
        staked = entry.wager.stake_cents + entry.wager.voided_cents
        assert money.result != "open"
        assert 0 <= money.returned_cents <= staked + money.pays_cents
        assert money.result != "won" or money.returned_cents == staked + money.pays_cents
        assert money.pays_cents % sign.chip == 0
    assert walk(game, sign, moves) == rounds


def check_views(game: AnyGame, draw: AnyDraw, moves: Sequence[Fact]) -> None:
    """States with equal views behave alike: the same is due, and each fact and wager comes to the same."""
    rules = rules_of(game)
    probes: list[Fact] = [*list(dict.fromkeys(draw.chances(rules).outcomes))[:3], Called(rules.common.closing.value)]
    probes += [Irregular(name, call="No spin") for name in game.circumstances]
    state, seen = open_round(game, rules).state, dict[object, object]()
    for fact in moves:
        after = after_it(game.apply, game.rule_on, rules, state, fact)
        state = state if isinstance(after, Refusal) else after
        behaviour = (game.demand(rules, state), *(_reaction(game, rules, state, probe) for probe in probes))
        assert seen.setdefault(game.view(rules, state), behaviour) == behaviour


def _reaction(game: AnyGame, rules: Any, state: Any, fact: Fact) -> object:
    after = after_it(game.apply, game.rule_on, rules, state, fact)
    if isinstance(after, Refusal):
        return after
    effect = effect_of(game.rule_on, rules, state, fact)
    judged = [game.judge(rules, Wager(on, 100), state, effect, after) for on in game.wagers(rules)]
    return game.view(rules, after), tuple(judged)


def check_sitting(game: AnyGame, draw: AnyDraw, start: AnySitting, facts: Sequence[Fact]) -> None:
    """The ceremony takes any fact or refuses it with a rule; what it takes can be replayed."""
    rules = rules_of(game)
    sitting, taken = start, list[Fact]()
    for fact in facts:
        after = sitting_after(draw, rules, sitting, fact)
        if isinstance(after, Refusal):
            assert after.rule.startswith("NZ1996-")
            continue
        sitting = after
        taken.append(fact)
        assert draw.sitting_demand(rules, sitting).rule
    assert acted(draw, rules, start, *taken) == sitting
