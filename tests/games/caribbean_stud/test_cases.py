"""The case file, the golden playthrough, and random play of Caribbean stud."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from croupier.equipment import CARDS, card_name
from croupier.game import (
    NO_SIGN,
    Called,
    CardSeen,
    Choose,
    Chosen,
    Deal,
    DiceFell,
    Fact,
    Irregular,
    Perform,
    Performed,
    Refusal,
    Sign,
    Wager,
    say,
)
from croupier.games.caribbean_stud import CARIBBEAN_STUD, procedure
from croupier.games.caribbean_stud.irregular import CIRCUMSTANCES
from croupier.games.caribbean_stud.play import StudLayout
from croupier.games.caribbean_stud.procedure import StudSitting
from croupier.games.caribbean_stud.rules import StudRules
from croupier.money import format_amount, parse_amount
from croupier.notation import read_fact, write_fact
from croupier.once import replace
from croupier.round import AnyRound, happen, next_round, open_round, place, settle
from tests.games.caribbean_stud.test_play import ante, granted, jackpot, money, packets, start, stud
from tests.helpers.places import TESTS
from tests.helpers.rulings import effect_of, ruling_on

HERE = TESTS
PREFIX = "NZ1996-"

# ---------------------------------------------------------------- the case file

_WAGER = re.compile(r"(\S+) ([0-9.]+)(?: @(\d+))?(?: by (\S+))?(?: box (\d+))?")
_SIGN = ("chip", "maximum", "jackpot", "jackpot_wager")


def case_lines() -> list[str]:
    lines = (HERE / "cases" / "caribbean_stud.cases").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def read_wager(text: str) -> tuple[int, Wager]:
    found = _WAGER.fullmatch(text.strip())
    assert found, f"not a wager: {text!r}"
    on, amount, at, by, box = found.groups()
    return int(at or 0), Wager(on, parse_amount(amount), by or "", int(box or 1))


def read_with(text: str) -> tuple[Sign, StudRules]:
    """The sign and the elections; a comma stands for the space after the sum of a maximum payout."""
    said = dict(word.split("=", 1) for word in text.split())
    sign = Sign(**{name: parse_amount(value) for name, value in said.items() if name in _SIGN})  # type: ignore[arg-type]
    elections = {name: value.replace(",", " ") for name, value in said.items() if name not in _SIGN}
    return sign, stud(**{"device": "shuffler"} | elections)


def hear(line: str) -> tuple[AnyRound | Refusal, set[str]]:
    """The round of a case, or the refusal that ended it; and every rule that came up."""
    _, wagers, facts, _, *more = (part.strip() for part in line.split("|"))
    sign, rules = read_with(more[0] if more else "")
    this = open_round(CARIBBEAN_STUD, rules, sign=sign)
    placed = [read_wager(text) for text in wagers.split(",")]
    seen: set[str] = set()
    for index, text in enumerate((*facts.split(), "")):
        now = tuple(wager for at, wager in placed if at == index)
        after = place(this, now) if now else this
        if isinstance(after, Refusal):
            return after, seen | {after.rule}
        this = after
        seen.add(this.due.rule)
        if text:
            fact = read_fact(json.loads(text) if text.startswith("{") else text, this.due)
            ruling = ruling_on(this, fact)
            seen |= {ruling.rule} if ruling else set()
            after = happen(this, fact)
            if isinstance(after, Refusal):
                return after, seen | {after.rule}
            this = after
    return this, seen | {line.rule for line in money(this)} | {entry.wager.void_rule for entry in this.book}


@pytest.mark.parametrize("line", case_lines())
def test_case(line: str) -> None:
    _, _, _, results, *_ = (part.strip() for part in line.split("|"))
    this, _ = hear(line)
    if isinstance(this, Refusal):
        found = [f"refused {this.rule.removeprefix(PREFIX)}"]
    else:
        found = [
            f"{each.result} {format_amount(each.pays_cents)} {each.rule.removeprefix(PREFIX) or '-'}"
            for each in money(this)
        ]
    assert found == [text.strip() for text in results.split(",")]


# ---------------------------------------------------------------- the golden playthrough

WAGERS = (
    ante(10, box=1, by="ann"),
    jackpot(2, box=1, by="ann"),
    ante(25, box=3, by="ben"),
    ante(10, box=5, by="cat"),
    jackpot(2, box=5, by="cat"),
)
PLAYTHROUGH = (
    *("2h", "9s", "Jc"),
    {"irregular": "exposed_card", "card": "As"},
    *("4h", "9c", "Jd", "Ks", "6h", "6d", "5d", "Qd", "8h", "4s", "4d", "3s", "10h", "2c", "2d", "Qc"),
    {"choose": "fold", "by": "cat"},
    {"choose": "bet", "by": "ann", "amount": 2500},
    {"choose": "bet", "by": "ann", "amount": 2000},
    {"choose": "bet", "by": "ben"},
)


def tell_playthrough() -> str:
    """A round told step by step: what was due, under which rule, what came; then each stake."""
    rules = stud(jackpot_mode="manual")
    sign = Sign(chip=100, jackpot=20_000_00, jackpot_wager=2_00)
    this, sitting = open_round(CARIBBEAN_STUD, rules, sign=sign), StudSitting()
    lines = ["caribbean_stud nz1996 caribbean_stud: a table opened, and a round of three players", ""]
    for wager in WAGERS:
        this = granted(place(this, (wager,)))
        lines.append(f"{wager.by} puts {format_amount(wager.stake_cents)} on {wager.on}, box {wager.box}")
    sitting = _acts(rules, replace(sitting, layout=this.state), lines)
    for raw in PLAYTHROUGH:
        due = procedure.demand(rules, sitting)
        fact = read_fact(raw, due)
        written = write_fact(fact)
        text = written if isinstance(written, str) else json.dumps(written)
        ruling = ruling_on(this, fact)
        text += f"  -> {ruling.remedy} by {ruling.by} ({ruling.rule})" if ruling else ""
        lines.append(f"due: {say(due)} ({due.rule}) | {text}")
        after = happen(this, fact)
        moved = (
            after
            if isinstance(after, Refusal)
            else procedure.apply(rules, sitting, effect_of(this.game.rule_on, rules, this.state, fact))
        )
        if isinstance(after, Refusal) or isinstance(moved, Refusal):
            assert isinstance(after, Refusal)
            lines.append(f"    refused: {after.reason} ({after.rule})")
            continue
        this, sitting = after, _acts(rules, moved, lines)
        assert this.state == sitting.layout
    due = procedure.demand(rules, sitting)
    lines += [f"due: {say(due)} ({due.rule})", "", json.dumps(CARIBBEAN_STUD.outcome(rules, this.state)), ""]
    for entry, each in zip(this.book, money(this), strict=True):
        wager = entry.wager
        amounts = f"pays {format_amount(each.pays_cents)}, returned {format_amount(each.returned_cents)}"
        lines.append(
            f"{wager.by} {wager.on} {format_amount(wager.stake_cents)}: {each.result}, {amounts} ({each.rule})"
        )
    return "\n".join(lines) + "\n"


def _acts(rules: StudRules, sitting: StudSitting, lines: list[str]) -> StudSitting:
    """Does and tells every act of staff that is due now; the shuffle for the next round is left."""
    while isinstance(asked := procedure.demand(rules, sitting), Perform):
        if asked.act.startswith("shuffle") and sitting.layout.dealt:
            break
        lines.append(f"due: {say(asked)} ({asked.rule}) | done")
        after = procedure.apply(rules, sitting, Performed(asked.act, asked.by))
        assert not isinstance(after, Refusal), after
        sitting = after
    return sitting


def test_the_playthrough_is_as_it_was() -> None:
    golden = HERE / "playthroughs" / "caribbean_stud.txt"
    assert tell_playthrough() == golden.read_text(encoding="utf-8")


# ---------------------------------------------------------------- random play

BOXES = st.integers(0, 4)
NAMES = st.sampled_from(["", "ann", "ben", "box 1", "box 3", "dealer", "nobody"])
AMOUNTS = st.sampled_from([0, 1, 1000, 2000, 2001])
ANY_CARD = st.integers(0, CARDS - 1)
FACTS: st.SearchStrategy[Fact] = st.one_of(
    st.builds(CardSeen, ANY_CARD),
    st.builds(Chosen, st.sampled_from(["bet", "fold", "stand", "face_down"]), NAMES, BOXES, st.just(0), AMOUNTS),
    st.builds(Called, st.sampled_from(["take", "nominate"]), NAMES, NAMES),
    st.builds(
        Irregular,
        st.sampled_from([*CIRCUMSTANCES, "earthquake"]),
        card=st.none() | ANY_CARD,
        to=NAMES,
        call=st.sampled_from(["", "1", "4", "5", "6", "51", "52", "dead", "stands", "again", "return"]),
        by=st.sampled_from(["", "dealer", "game supervisor"]),
    ),
    st.builds(Performed, st.sampled_from(["misdeal", "take back", "dance", "turn over", "dead hand"]), NAMES, NAMES),
    st.builds(DiceFell, st.just((1, 2))),
)
PLACED = st.builds(
    Wager,
    st.sampled_from(["ante", "ante", "jackpot", "bet", "pair"]),
    st.sampled_from([1, 200, 1000, 70_000]),
    st.sampled_from(["", "ann", "ben"]),
    st.integers(0, 4),
)
RULES = st.builds(
    stud,
    device=st.sampled_from(["shoe", "shuffler"]),
    jackpot_mode=st.sampled_from(["electronic", "manual"]),
    jackpot=st.booleans(),
)
SIGNS = st.sampled_from([NO_SIGN, Sign(chip=100, maximum=500_00, jackpot=34_567_89), Sign(chip=250, jackpot=100)])


def check_money(this: AnyRound) -> None:
    """Nothing is returned that was not staked or won, and a settled stake has a rule."""
    for entry in this.book:
        line = settle(entry, CARIBBEAN_STUD.rounding(this.rules), this.sign.chip)
        placed = entry.wager.stake_cents + entry.wager.voided_cents
        assert 0 <= line.returned_cents <= placed + line.pays_cents
        assert (line.pays_cents > 0) == (line.result == "won")
        assert bool(line.rule) == (line.result != "open")
        if line.result in ("standoff", "void"):
            assert line.returned_cents == placed


def finish(this: AnyRound, cards: list[int]) -> AnyRound:
    """The round played to its end with these cards, everybody betting."""
    left = [card for card in cards if card not in this.state.cards]
    while True:
        match this.due:
            case Deal():
                this = granted(happen(this, CardSeen(left.pop())))
            case Choose():
                this = granted(happen(this, Chosen("bet")))
            case _:
                return this


@settings(max_examples=300, deadline=None)
@given(
    RULES, SIGNS, st.lists(PLACED, max_size=6), st.lists(FACTS, max_size=20), st.permutations(range(CARDS)), st.data()
)
def test_any_facts_are_taken_or_refused_and_every_wager_is_decided_once(
    rules: StudRules, sign: Sign, wagers: list[Wager], facts: list[Fact], deck: list[int], data: st.DataObject
) -> None:
    this = open_round(CARIBBEAN_STUD, rules, sign=sign)
    done: list[Wager | Fact] = []
    for wager in (Wager("ante", 1000, "ann"), *wagers):
        after = place(this, (wager,))
        if not isinstance(after, Refusal):
            this = after
            done.append(wager)
    for fact in facts:
        good = data.draw(st.integers(0, 3)) if isinstance(this.due, Deal) else 0
        left = [CardSeen(card) for card in deck if card not in this.state.cards][:good]
        for each in (*left, fact):
            resolved = [entry.resolution for entry in this.book]
            after = happen(this, each)
            if isinstance(after, Refusal):
                assert after.rule.startswith(PREFIX)
                assert after.reason
                continue
            this = after
            done.append(each)
            for before, entry in zip(resolved, this.book, strict=False):
                assert before is None or entry.resolution == before or this.state.misdeal
            check_money(this)
    this = finish(this, deck)
    check_money(this)
    open_wagers = [entry.wager.on for entry in this.book if entry.resolution is None]
    assert this.over or (this.state.misdeal and set(open_wagers) == {"jackpot"})
    check_replay(this, rules, sign, done, deck)


def check_replay(this: AnyRound, rules: StudRules, sign: Sign, done: list[Wager | Fact], deck: list[int]) -> None:
    """The same steps give the same end."""
    again = open_round(CARIBBEAN_STUD, rules, sign=sign)
    for step in done:
        again = granted(place(again, (step,)) if isinstance(step, Wager) else happen(again, step))
    assert finish(again, deck) == this


@settings(max_examples=100, deadline=None)
@given(deck=st.permutations(range(CARDS)), stays=st.booleans())
def test_carried_jackpot_wagers_are_decided_in_the_next_round(deck: list[int], *, stays: bool) -> None:
    this = start(packets(), ante(), jackpot(), sign=Sign(jackpot=20_000_00))
    this = granted(happen(this, Irregular("wrong_count", to="dealer", call="6")))
    following = granted(place(next_round(this), (ante(box=1 if stays else 2),)))
    end = finish(following, deck)
    assert end.over
    check_money(end)


# ---------------------------------------------------------------- views


def shuffled_hands(layout: StudLayout, order: list[int]) -> StudLayout:
    """The same hands with their cards in another order; the dealer's first card, which is shown, stays."""
    boxes = tuple(replace(box, cards=tuple(box.cards[place] for place in order)) for box in layout.boxes)
    rest = [place for place in order if place != 0]
    return replace(layout, boxes=boxes, dealer=(layout.dealer[0], *(layout.dealer[place] for place in rest)))


@settings(max_examples=200, deadline=None)
@given(
    deck=st.permutations(range(CARDS)),
    order=st.permutations(range(5)),
    facts=st.lists(FACTS, max_size=6),
    entered=st.booleans(),
)
def test_layouts_with_equal_views_behave_alike(
    deck: list[int], order: list[int], facts: list[Fact], *, entered: bool
) -> None:
    wagers = (ante(box=1), ante(box=3), *((jackpot(box=1),) if entered else ()))
    one = start(packets(), *wagers, sign=Sign(jackpot=20_000_00))
    for card in deck[:15]:
        one = granted(happen(one, CardSeen(card)))
    other = changed(one, state=shuffled_hands(one.state, order))
    for fact in (*facts, Chosen("bet"), Chosen("bet")):
        view, twin = (CARIBBEAN_STUD.view(each.rules, each.state) for each in (one, other))
        assert view == twin
        assert one.due == other.due
        assert CARIBBEAN_STUD.outcome(one.rules, one.state) == CARIBBEAN_STUD.outcome(other.rules, other.state)
        after, alike = happen(one, fact), happen(other, fact)
        if isinstance(after, Refusal) or isinstance(alike, Refusal):
            assert after == alike
            continue
        one, other = after, alike
        assert one.book == other.book


def test_every_card_is_its_own_symbol() -> None:
    assert [card_name(CARIBBEAN_STUD.symbol(stud(), card)) for card in (0, 51)] == ["Ac", "Ks"]  # type: ignore[arg-type]
