"""Lessons: the right answer is the engine's, every mistake of every list can be planted, an address is a lesson."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from croupier.floor.rooms.training import advice, doors
from croupier.game import Perform, Refusal, Remedy
from croupier.house.training import lesson as training
from croupier.house.training.lesson import Lesson, Question, judge, lesson, score, truth
from croupier.house.training.mistakes import Mistake, circumstances, plantable
from croupier.house.training.words import REMEDIES, due_words
from croupier.law.inventory import parts
from croupier.law.ruleset import Ruleset
from croupier.money import dollars
from croupier.notation import write_fact
from croupier.rulesets import every_ruleset, ruleset
from croupier.table.commands import TableRequest, Tell
from croupier.table.decide import decide
from croupier.table.events import Announced, WagerSettled
from croupier.table.walk import Chance, Walk
from tests.helpers.houses.rooms import room

RULESETS = {f"{each.game}-{each.edition}-{each.version}": each for each in every_ruleset()}
ONE_EACH = {f"{each.game}-{each.edition}": each for each in reversed(RULESETS.values())}
"""One version of each game and edition: the versions of an edition share their lists."""
MOST_STEPS = 700


def asked_of(question: Question) -> dict[str, Any]:
    """All that a page shows of a question."""
    return {"log": question.log, "tells": question.tells, "options": question.options, "rule": question.rule}


def engine(question: Question) -> str:
    """The right answer, asked of the table without the lesson."""
    table = question.table
    if question.kind == "due":
        return due_words(table.due)
    if question.kind == "mistake":
        felt = table.procedure.layout(table.ruleset.rules, table.round.state)
        ruling = table.game.rule_on(table.ruleset.rules, felt, question.fact)
        assert not isinstance(ruling, Refusal)
        assert ruling.rule == question.rule
        return REMEDIES[ruling.remedy]
    events = decide(table, TableRequest(Tell(question.fact), question.role, question.role, 0))
    assert not isinstance(events, Refusal)
    if question.kind == "call":
        return next(event.text for event in events if isinstance(event, Announced))
    settled = (event for event in events if isinstance(event, WagerSettled) and event.number == question.wager)
    return dollars(next(settled).returned)


@pytest.mark.parametrize("name", RULESETS)
def test_the_right_answer_is_the_engines_and_there_is_one(name: str) -> None:
    given = lesson(RULESETS[name], 3)
    assert len(given.questions) == training.LENGTH
    for question in given.questions:
        right = engine(question)
        assert len(set(question.options)) == len(question.options) >= 3
        assert question.options.count(right) == 1
        assert truth(question) == right
        for option, words in enumerate(question.options):
            judged = judge(question, option)
            assert judged.is_right == (words == right)
            assert question.options[judged.right] == right
        assert parts(question.rule), question.rule
    assert {question.kind for question in given.questions} >= {"due", "mistake"}


@pytest.mark.parametrize("name", ["baccarat-nzd5-midi", "tai_sai-nz1996-tai_sai", "blackjack-nz1996-blackjack"])
def test_an_act_that_is_offered_as_wrong_is_refused_by_the_table(name: str) -> None:
    rules = RULESETS[name]
    known = training.pool(rules.game, rules.edition, rules.version).demands
    tried = 0
    for question in lesson(rules, 5).questions:
        for words in question.options if question.kind == "due" else ():
            act = known.get(words)
            if words == truth(question) or not isinstance(act, Perform):
                continue
            tried += 1
            fact = {"perform": act.act, "by": act.by}
            assert isinstance(decide(question.table, TableRequest(Tell(fact), act.by, "dealer", 0)), Refusal)
            assert judge(question, question.options.index(words)).why
    assert tried >= 3


def test_a_lesson_comes_back_by_its_address() -> None:
    rules = RULESETS["craps-nz1996-craps"]
    first = [asked_of(question) for question in lesson(rules, 11).questions]
    training.pool.cache_clear()
    assert [asked_of(question) for question in lesson(rules, 11).questions] == first
    assert [asked_of(question) for question in lesson(rules, 12).questions] != first


def test_a_table_of_a_lesson_is_never_refused_what_is_due() -> None:
    for rules in ONE_EACH.values():
        walk = Walk(rules, Chance("test"))
        for _ in range(60):
            walk.prepare()
            due = walk.table.due
            fact, events = walk.step()
            assert not isinstance(events, Refusal), (rules.game, due, fact, events)


# ---------------------------------------------------------------- mistakes


def planted(walk: Walk) -> Iterator[Mistake]:
    """Every mistake that is plantable on the way; each is also carried out at a copy of the moment."""
    missing = set(circumstances(walk))
    for step in range(MOST_STEPS):
        walk.prepare()
        for circumstance in sorted(missing):
            mistake = plantable(walk, circumstance)
            if mistake is not None:
                missing.discard(circumstance)
                yield mistake
        if not missing:
            return
        # A call can be overruled only after a ruling was called, so now and then one is.
        void = plantable(walk, "end_not_struck") if "wrong_call" in missing and step % 7 == 6 else None
        if void is not None:
            walk.ask(Tell(write_fact(void.fact)), role=void.role)
            continue
        walk.step()
    raise AssertionError(f"never planted: {sorted(missing)}")


@pytest.mark.parametrize("name", ONE_EACH)
def test_every_mistake_of_the_list_can_occur_and_is_judged_by_its_rule(name: str) -> None:
    rules = ONE_EACH[name]
    walk = Walk(rules, Chance("mistakes"))
    for mistake in planted(walk):
        right = REMEDIES[mistake.ruling.remedy]
        wrong = next(words for words in REMEDIES.values() if words != right)
        question = Question(
            0, "mistake", walk.table, (wrong, right), mistake.ruling.rule, fact=mistake.fact, role=mistake.role
        )
        assert judge(question, 1).is_right
        assert not judge(question, 0).is_right
        assert judge(question, 0).rule == mistake.ruling.rule
        assert parts(mistake.ruling.rule)
        assert not isinstance(walk.would(write_fact(mistake.fact), role=mistake.role), Refusal)


def test_nzd5_12_1a_the_players_wrong_third_card_is_the_bankers() -> None:
    """A card dealt to a Player's Hand that stands becomes the Banker's where that must draw, seen or not."""
    found = _mistakes(_midi(), 25)
    cited = {question.rule: truth(question) for question in found if question.fact.circumstance == "wrong_third_card"}
    known = {
        "NZD5-12.1a": REMEDIES[Remedy.REASSIGN],
        "NZD5-12.1b.s2": REMEDIES[Remedy.VOID_HAND],
        "NZD5-12.2b": REMEDIES[Remedy.VOID_HAND],
    }
    assert cited
    assert all(known[rule] == words for rule, words in cited.items() if rule in known)


def _midi() -> Ruleset[Any]:
    return ruleset("nzd5", version="midi")


def _mistakes(rules: Ruleset[Any], lessons: int) -> Iterator[Question]:
    for seed in range(lessons):
        yield from (question for question in lesson(rules, seed).questions if question.kind == "mistake")


def test_every_remedy_has_words_of_its_own() -> None:
    assert set(REMEDIES) == set(Remedy)
    assert len(set(REMEDIES.values())) == len(REMEDIES)


# ---------------------------------------------------------------- score and limits


def small_lesson() -> Lesson:
    return lesson(RULESETS["money_wheel-nz1996-money_wheel"], 1)


def test_the_score_counts_by_rule_and_kind_and_leaves_out_what_was_not_answered() -> None:
    given = small_lesson()
    right = [question.options.index(truth(question)) for question in given.questions]
    wrong = [(option + 1) % len(question.options) for option, question in zip(right, given.questions, strict=True)]
    full = score(given, right)
    assert (full.right, full.answered) == (training.LENGTH, training.LENGTH)
    assert sum(asked for _, asked in full.by_rule.values()) == training.LENGTH
    mixed = score(given, [right[0], wrong[1], None])
    assert (mixed.right, mixed.answered) == (1, 2)
    assert score(given, wrong).right == 0
    assert sum(asked for _, asked in mixed.by_kind.values()) == 2


@pytest.mark.parametrize("seed", [-1, training.MOST_SEED + 1])
def test_a_lesson_beyond_the_numbers_is_none(seed: int) -> None:
    with pytest.raises(ValueError, match=str(seed)):
        lesson(RULESETS["money_wheel-nz1996-money_wheel"], seed)


def test_the_first_and_the_last_number_are_lessons() -> None:
    for seed in (0, training.MOST_SEED):
        assert len(lesson(RULESETS["money_wheel-nz1996-money_wheel"], seed).questions) == training.LENGTH


def test_an_answer_beyond_the_options_is_none() -> None:
    question = small_lesson().questions[0]
    for option in (-1, len(question.options)):
        with pytest.raises(ValueError, match=f"{option}"):
            judge(question, option)
    judge(question, len(question.options) - 1)


# ---------------------------------------------------------------- the doors


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with room(doors.DOORS) as (client, _):
        yield client


def test_a_lesson_by_its_doors(client: httpx.Client) -> None:
    named = {"game": "baccarat", "edition": "vic2002", "version": "crown", "seed": "4"}
    page = client.get("/api/training/lesson", params=named).json()
    assert {key: str(page[key]) for key in named} == named
    given = lesson(ruleset("vic2002", version="crown"), 4)
    assert [each["options"] for each in page["questions"]] == [list(each.options) for each in given.questions]
    assert not {"rule", "right", "fact"} & set(page["questions"][0]), "a page is not told what is right"
    assert "winner" not in page["questions"][-1]["layout"]
    right = [question.options.index(truth(question)) for question in given.questions]
    judged = client.get("/api/training/judge", params={**named, "question": 2, "answer": right[2]}).json()
    assert judged["is_right"]
    assert judged["rule"] == given.questions[2].rule
    assert judged["summary"]
    answers = ",".join(["-", *map(str, right[1:])])
    scored = client.get("/api/training/score", params={**named, "answers": answers}).json()
    assert (scored["right"], scored["answered"]) == (training.LENGTH - 1, training.LENGTH - 1)
    assert {row["rule"] for row in scored["rules"]} == {question.rule for question in given.questions[1:]}


@pytest.mark.parametrize(
    ("door", "asked", "says"),
    [
        ("lesson", {"game": "bridge"}, "bridge"),
        ("lesson", {"game": "craps", "edition": "vic2002"}, "vic2002"),
        ("lesson", {"seed": "one"}, "one"),
        ("lesson", {"seed": str(training.MOST_SEED + 1)}, str(training.MOST_SEED)),
        ("judge", {"question": str(training.LENGTH), "answer": "0"}, "question"),
        ("judge", {"question": "0", "answer": "4"}, "answer"),
        ("score", {"answers": ",".join(["0"] * (training.LENGTH + 1))}, "answers"),
        ("score", {"answers": "x"}, "x"),
    ],
)
def test_bad_input_is_one_line(client: httpx.Client, door: str, asked: dict[str, str], says: str) -> None:
    answer = client.get(f"/api/training/{door}", params=asked)
    assert answer.status_code == 422
    assert says in answer.json()["reason"]


# ---------------------------------------------------------------- advice


def _asked_of_a_player(rules: Ruleset[Any]) -> Question:
    for seed in range(40):
        for question in lesson(rules, seed).questions:
            if advice.is_advisable(question):
                return question
    raise AssertionError("no player is ever asked")


def test_the_chart_is_read_at_the_hand_and_the_dealers_card() -> None:
    chart = {"hard 16": " ".join(f"w{column}" for column in range(9)) + " hit", "pair 8": " ".join(["split"] * 10)}
    pair = advice.ChartLine(("pair 8", "hard 16"), 9, ("stand", "hit", "split"))
    assert advice.by_chart(pair, chart)["option"] == "split"
    no_split = advice.ChartLine(("pair 8", "hard 16"), 9, ("stand", "hit"))
    assert advice.by_chart(no_split, chart)["option"] == "hit"
    doubles = advice.ChartLine(("hard 11",), 0, ("stand", "hit"))
    assert advice.by_chart(doubles, {"hard 11": " ".join(["double"] * 10)})["option"] == "hit"


def test_stud_advice_is_the_engines() -> None:
    question = _asked_of_a_player(RULESETS["caribbean_stud-nz1996-caribbean_stud"])
    wanted = advice.wanted(question)
    assert isinstance(wanted, advice.StudHand)
    assert wanted.up not in wanted.hand
    assert advice.stud("nz1996", "", wanted.hand, wanted.up).startswith(b'{"option":"')


def test_nobody_is_advised_where_nobody_chooses() -> None:
    baccarat = lesson(_midi(), 1)
    assert not any(advice.is_advisable(question) for question in baccarat.questions)
