"""Baccarat: the case file, the golden playthroughs, and the small runner that the other baccarat tests use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from croupier.equipment import RANKS
from croupier.game import NO_SIGN, Irregular, Refusal, Ruling, Sign, Wager
from croupier.games.baccarat import BACCARAT
from croupier.games.baccarat.rules import BaccaratRules
from croupier.hearing import CaseIn, RoundIn, adjudicate, as_json, read_case
from croupier.law.inventory import PREFIXES, below, find, parts
from croupier.law.ruleset import Ruleset
from croupier.money import format_amount
from croupier.notation import read_fact
from croupier.round import AnyRound, Settlement, happen, open_round, place, settle
from croupier.rulesets import every_ruleset, ruleset
from tests.helpers.places import TESTS
from tests.helpers.rulings import ruling_on

HERE = TESTS
CASES = HERE / "cases" / "baccarat.cases"
RULESETS: tuple[Ruleset[BaccaratRules], ...] = tuple(every_ruleset((BACCARAT,)))
DOLLAR = Sign(chip=100)

Step = Wager | tuple[Wager, ...] | str | dict[str, Any]


# ---------------------------------------------------------------- the runner


def named(rules: Ruleset[BaccaratRules]) -> str:
    return f"{rules.edition}-{rules.version}"


def rules_of(edition: str, version: str = "", **elections: object) -> BaccaratRules:
    rules = ruleset(edition, version=version, elections=elections).rules
    assert isinstance(rules, BaccaratRules)
    return rules


def bet(on: str, amount: float, by: str = "") -> Wager:
    """A wager in dollars."""
    return Wager(on, round(amount * 100), by)


def step(this: AnyRound, what: Step | str | dict[str, Any]) -> AnyRound | Refusal:
    """One step: a wager is placed, anything else happens."""
    if isinstance(what, Wager):
        return place(this, (what,))
    if isinstance(what, tuple):
        return place(this, what)
    return happen(this, read_fact(what, this.due))


def single(steps: Iterable[Step]) -> list[Step]:
    """Cards may be written in one line: `2h 3d Kc`."""
    return [part for what in steps for part in (what.split() if isinstance(what, str) else [what])]


def go_on(this: AnyRound, *steps: Step) -> AnyRound:
    """The round after further steps, all of which the rules allow."""
    for what in single(steps):
        after = step(this, what)
        assert not isinstance(after, Refusal), f"{what}: {after}"
        this = after
    return this


def played(rules: BaccaratRules, *steps: Step, sign: Sign = NO_SIGN) -> AnyRound:
    return go_on(open_round(BACCARAT, rules, sign=sign), *steps)


def refusal(this: AnyRound, what: Step) -> Refusal:
    """The refusal of one more step, which leaves the round as it is."""
    answer = step(this, what)
    assert isinstance(answer, Refusal), f"{what} was allowed: {answer}"
    return answer


def refused(rules: BaccaratRules, *steps: Step, sign: Sign = NO_SIGN) -> Refusal:
    """The refusal of the last step; those before it are allowed."""
    *before, last = single(steps)
    return refusal(played(rules, *before, sign=sign), last)


def ruled(this: AnyRound, raw: dict[str, Any]) -> Ruling:
    fact = read_fact(raw, this.due)
    assert isinstance(fact, Irregular)
    ruling = ruling_on(this, fact)
    assert ruling is not None, f"{raw}: {BACCARAT.rule_on(this.rules, this.state, fact)}"
    return ruling


def money(this: AnyRound) -> list[Settlement]:
    return [settle(entry, BACCARAT.rounding(this.rules), this.sign.chip) for entry in this.book]


def results(this: AnyRound) -> list[tuple[str, str]]:
    """Each line as its result and the dollars that go back."""
    return [(line.result, format_amount(line.returned_cents)) for line in money(this)]


# ---------------------------------------------------------------- the case file


@dataclass(frozen=True)
class Case:
    """One line: what was dealt under which law, and what it came to."""

    text: str
    edition: str
    version: str
    elections: tuple[str, ...]
    rule: str
    cards: tuple[str, ...]
    counts: tuple[int, int]
    net: tuple[int, int, int]


def read_cases() -> list[Case]:
    lines = [line.partition("#")[0].split() for line in CASES.read_text(encoding="utf-8").splitlines()]
    header, *cases = [words for words in lines if words]
    assert header == ["edition", "rule", "cards", "counts", "player", "banker", "tie"]
    return [read_one(words) for words in cases]


def read_one(words: list[str]) -> Case:
    """`edition[/version] [election words] rule cards counts player banker tie`."""
    edition, _, version = words[0].partition("/")
    middle, (counts, *net) = words[1:-4], words[-4:]
    first_card = next(n for n, word in enumerate(middle) if word in RANKS)
    *elections, rule = middle[:first_card]
    assert re.fullmatch(r"\d-\d", counts), words
    player, banker = counts.split("-")
    full = rule if rule.startswith(tuple(PREFIXES.values())) else f"{PREFIXES[edition]}-{rule}"
    return Case(
        " ".join(words),
        edition,
        version,
        tuple(elections),
        full,
        tuple(middle[first_card:]),
        (int(player), int(banker)),
        (int(net[0]), int(net[1]), int(net[2])),
    )


def under(case: Case) -> list[Ruleset[BaccaratRules]]:
    """The rule sets a case speaks of: its version, or every version of its edition."""
    elections = {word.partition("=")[0]: word.partition("=")[2] or True for word in case.elections}
    versions = [case.version] if case.version else list(BACCARAT.editions[case.edition])
    return [ruleset(case.edition, version=version, elections=elections) for version in versions]


def covers(rule: str, carried: str) -> bool:
    """A rule may be named by its parent: 9.4 for one of the rows of its table."""
    return carried == rule or carried in {each.id for each in (*parts(rule), *below(rule))}


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.text)
def test_case(case: Case) -> None:
    for rules in under(case):
        this = open_round(BACCARAT, rules.rules, sign=DOLLAR)
        this = go_on(this, *(bet(on, 100, by=on) for on in ("player", "banker", "tie")))
        cited = []
        for card in case.cards:
            cited.append(this.due.rule)
            this = go_on(this, card)
        assert this.over, f"{this.due} after {case.cards}"
        cited += [this.due.rule, *(line.rule for line in money(this))]
        outcome = BACCARAT.outcome(this.rules, this.state)
        assert (outcome["player"], outcome["banker"]) == case.counts
        assert tuple(line.net_cents(10_000) for line in money(this)) == tuple(100 * net for net in case.net)
        assert any(covers(case.rule, rule) for rule in cited), f"{case.rule} is not among {cited}"


ROWS = {
    0: (8,),
    1: (9,),
    2: (8,),
    3: (7, 8, 9),
    4: (1, 2, 3, 6, 7, 8),
    5: (3, 4, 5, 6, 7, 8),
    6: (5, 6, 7, 8),
    7: (6, 7),
}


@pytest.mark.parametrize("rules", RULESETS, ids=named)
def test_the_case_file_has_every_row_of_both_tables_at_its_limits(rules: Ruleset[BaccaratRules]) -> None:
    """Each limit of Table 2 from both sides; the Banker alone at 4, 5 and 6; naturals, ties and a Banker six."""
    mine = [case for case in read_cases() if case.edition == rules.edition and case.version in ("", rules.version)]
    cells, alone, two_cards = set(), set(), set()
    for case in mine:
        value = [RANKS.index(card) + 1 if RANKS.index(card) < 9 else 0 for card in case.cards]
        player, banker = (value[0] + value[2]) % 10, (value[1] + value[3]) % 10
        two_cards.add(player)
        if player < 6 and banker < 8:
            cells.add((banker, value[4]))
        elif player < 8 and banker < 8:
            alone.add(banker)
    assert {(banker, third) for banker, thirds in ROWS.items() for third in thirds} <= cells
    assert {4, 5, 6, 7} <= alone
    assert {0, 5, 6, 7, 8, 9} <= two_cards
    assert {case.counts[0] - case.counts[1] for case in mine} >= {0, 1, -1}
    assert any(case.counts[1] == 6 and case.net[1] > 0 for case in mine)


# ---------------------------------------------------------------- the playthroughs

PLAYTHROUGHS = HERE / "playthroughs"
SIGN = {"chip": 100}
A_ROUND = {
    "wagers": [
        {"on": "player", "amount": 5000, "by": "seat 1"},
        {"on": "banker", "amount": 10000, "by": "seat 2"},
        {"on": "tie", "amount": 1000, "by": "seat 2"},
    ]
}
SEEN = {"irregular": "wrong_third_card", "card": "5h", "disclosed": True}
SCENES: dict[str, tuple[str, dict[str, Any]]] = {
    "third cards": ("Both hands draw.", {**A_ROUND, "facts": ["2h", "3d", "Kc", "Qs", "9h", "4d"]}),
    "tie": ("The hands are equal: Player and Banker wagers come back.", {**A_ROUND, "facts": ["6h", "Kd", "Kc", "6s"]}),
    "unpayable": (
        "What a Banker wager of 30 dollars wins cannot be paid exactly with chips of one dollar.",
        {"wagers": [{"on": "banker", "amount": 3000}], "facts": ["2h", "9d", "Kc", "Qs"]},
    ),
    "odd half": (
        "Half of a Banker wager of 15 dollars cannot be paid exactly with chips of one dollar.",
        {"wagers": [{"on": "banker", "amount": 1500}], "facts": ["2h", "6d", "Kc", "Qs", "8h"]},
    ),
    "seen card": (
        "The Player stands, a card is dealt to it all the same, and everybody sees it.",
        {
            "rounds": [
                {**A_ROUND, "facts": ["7h", "Kd", "Kc", "6s", SEEN]},
                {"facts": ["9s", "2d", "Qs"]},
            ]
        },
    ),
    "no cards": (
        "The shoe is empty in the middle of the round.",
        {**A_ROUND, "facts": ["2h", "3d", {"irregular": "insufficient_cards"}]},
    ),
    "pairs": (
        "A perfect pair is paid although the Player loses.",
        {
            "wagers": [
                {"on": "player", "amount": 5000, "by": "seat 1"},
                {"on": "perfect_pairs", "amount": 500, "by": "seat 1"},
            ],
            "facts": ["8h", "9d", "8h", "Kd"],
        },
    ),
    "half on six": (
        "Without commission the Banker is paid half when it wins with six.",
        {"elections": {"no_commission": True}, **A_ROUND, "facts": ["2h", "6d", "Kc", "Qs", "8h"]},
    ),
    "disruption": (
        "A disturbance: the dealer calls the hand void.",
        {**A_ROUND, "facts": ["2h", "3d", {"irregular": "disruption"}]},
    ),
    "excess": (
        "A wager above the minimum differential bears extra commission on the part above it.",
        {
            "sign": {"chip": 100, "differential": [1_000_000, 2_000_000]},
            "wagers": [{"on": "banker", "amount": 1_500_000}],
            "facts": ["2h", "9d", "Kc", "Qs"],
        },
    ),
    "insurance": (
        "The Banker has six, the Player must draw: one insures, and the Banker wins with nine.",
        {
            "wagers": [
                {"on": "banker", "amount": 10000, "by": "seat 2"},
                {"on": "insurance", "amount": 10000, "by": "seat 2", "at": 4},
            ],
            "facts": ["2h", "6d", "Kc", "Qs", "6h", "3d"],
        },
    ),
    "run": (
        "A Run of two on the hands nominated: a Dummy Coup between them does not count.",
        {
            "rounds": [
                {
                    "wagers": [
                        {"on": "combination_run_2", "amount": 1000, "by": "seat 1"},
                        {"on": "player", "amount": 5000, "by": "seat 1"},
                    ],
                    "facts": ["9h", "2d", "Kc", "Qs"],
                },
                {"facts": [{"irregular": "dummy_coup_ordered"}, "2h", "9d", "Kc", "Qs"]},
                {
                    "wagers": [{"on": "banker", "amount": 5000, "by": "seat 1"}],
                    "facts": ["2h", "9d", "Kc", "Qs"],
                },
            ]
        },
    ),
}
ALWAYS = ("third cards", "tie", "seen card", "no cards")
SPECIAL: dict[str, tuple[str, ...]] = {
    "nz1996-mini": ("unpayable",),
    "nz1996-full": ("unpayable",),
    "nz1996-midi": ("unpayable",),
    "nz1998-full": ("unpayable",),
    "nzd5-mini": ("unpayable", "pairs", "half on six"),
    "nzd5-midi": ("unpayable", "pairs", "half on six"),
    "nzd5-full": ("unpayable", "pairs", "half on six"),
    "nzeb-terminals": ("unpayable", "pairs", "half on six", "disruption"),
    "nzeb-hybrid": ("unpayable", "pairs", "half on six", "disruption"),
    "vic2002-traditional": ("unpayable", "excess", "run"),
    "vic2002-crown": ("odd half", "insurance", "run"),
}


def scenes(rules: Ruleset[BaccaratRules]) -> list[tuple[str, CaseIn]]:
    names = (*ALWAYS, *SPECIAL[named(rules)])
    head = {"edition": rules.edition, "version": rules.version, "sign": SIGN}
    return [(SCENES[name][0], read_case(msgspec.json.encode(head | SCENES[name][1]))) for name in names]


def playthrough(rules: Ruleset[BaccaratRules]) -> list[str]:
    """Every step of every scene: what was due, the rule, what came; then the money; then the rules explained."""
    lines = [f"baccarat {rules.edition} {rules.version}"]
    cited: list[str] = []
    for number, (title, case) in enumerate(scenes(rules), 1):
        lines += ["", f"{number}. {title}"]
        answer = as_json(adjudicate(case))
        lines += list(differences(answer, case, cited))
    lines += ["", "The rules cited"]
    for rule in dict.fromkeys(cited):
        found = find(rule)
        assert found is not None, f"{rule} is not in the inventory"
        lines.append(f"  {rule}: {found.summary}")
    return lines


def differences(answer: dict[str, Any], case: CaseIn, cited: list[str]) -> Iterable[str]:
    rounds = answer.get("rounds", [answer])
    plain = (RoundIn(case.facts, case.wagers),)
    for given, heard in zip(case.rounds or plain, rounds, strict=True):
        for wager in given.wagers:
            who = f" by {wager.by}" if wager.by else ""
            when = f" before card {wager.at + 1}" if wager.at else ""
            yield f"   wager          {wager.on} {format_amount(wager.amount)}{who}{when}"
        for each in heard["steps"]:
            yield f"   {each['due']:<14} {each['rule']:<28} {fact_text(each['fact'])}"
            cited.append(each["rule"])
            if "ruling" in each:
                ruling = each["ruling"]
                call = f', call "{ruling["call"]}"' if "call" in ruling else ""
                yield f"   {'ruling':<14} {ruling['rule']:<28} {ruling['remedy']} by the {ruling['by']}{call}"
                cited.append(ruling["rule"])
        counts = heard["outcome"]
        due = heard["due"] or "over"
        figures = f"Player {counts['player']}, Banker {counts['banker']}: {counts['winner']}"
        yield f"   {due:<14} {heard['due_rule']:<28} {figures}"
        cited.append(heard["due_rule"])
        if heard["next"]["hand"] != "normal" or heard["next"]["first_card"]:
            yield f"   next round     a {heard['next']['hand']} hand, begun with {heard['next']['first_card']}"
    for line in answer["settlements"]:
        yield f"   {line['result']:<14} {line['rule']:<28} {money_text(line)}"
        cited.append(line["rule"])


def fact_text(fact: object) -> str:
    if isinstance(fact, dict):
        return ", ".join(f"{key} {value}" for key, value in fact.items())
    return str(fact)


def money_text(line: dict[str, Any]) -> str:
    parts_of_it = {key: format_amount(line[key]) for key in ("pays", "commission", "voided", "returned") if line[key]}
    tail = ", ".join(f"{key} {amount}" for key, amount in parts_of_it.items()) or "nothing goes back"
    who = f" by {line['by']}" if "by" in line else ""
    return f"{line['on']} {format_amount(line['amount'])}{who}: {tail}"


@pytest.mark.parametrize("rules", RULESETS, ids=named)
def test_playthrough(rules: Ruleset[BaccaratRules]) -> None:
    """The golden file and a new hearing of the same scenes are the same, line by line."""
    golden = PLAYTHROUGHS / f"baccarat-{named(rules)}.txt"
    assert playthrough(rules) == golden.read_text(encoding="utf-8").splitlines()


def write_playthroughs() -> None:
    """Write the golden files again, after a change that was meant: `python -m tests.games.baccarat.test_cases`."""
    for rules in RULESETS:
        text = "\n".join(playthrough(rules)) + "\n"
        (PLAYTHROUGHS / f"baccarat-{named(rules)}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_playthroughs()
