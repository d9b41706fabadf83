"""The door `adjudicate`: each step is a whole hearing, told as JSON to what `croupier adjudicate` runs.

sign chip=2.50 maximum=500
held on=1996-01-30T10:00 venue=auckland               the day and the place of what follows
banker 100, tie 10 by=ann : 2h 3d Kc Qs 8h            wagers in dollars, a colon, facts
banker 100 : 2h (declares excess_card card=5h)        a fact of more than a word stands in brackets
banker_run_2 10, banker 10 : Kh 9d Kc Ks / : 9h 9d    further rounds after a stroke
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from croupier.errors import BadInput, NotPermitted, Refused
from croupier.hearing import adjudicate, as_json, read_case
from tests.law.matrix.answers import Answer, cents, dollars, plain
from tests.law.matrix.facts import fact_of
from tests.law.matrix.language import Law, Seen, Step, words_in

MONEY = ("amount", "pays", "commission", "returned", "voided")


class Hearing:
    """Hearings under one law; the sign stands until another is told."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self.sign: dict[str, Any] = {}
        self.held: dict[str, str] = {}

    def do(self, step: Step) -> list[Answer]:
        if step.words[:1] == ("sign",):
            self.sign = {name: _figure(value) for name, value in step.named}
            return []
        if step.words[:1] == ("held",):
            self.held = dict(step.named)
            return []
        if ":" not in step.text:
            raise ValueError("a hearing is wagers, a colon and facts")
        return heard(self.told(step))

    def look(self, _: Seen) -> list[Answer]:
        return []

    def told(self, step: Step) -> dict[str, Any]:
        """The case as `croupier adjudicate` reads it."""
        law = self.law
        case: dict[str, Any] = {"edition": law.edition, "game": law.game, "version": law.version, "sign": self.sign}
        case |= self.held
        case |= {"elections": {name: chosen(value) for name, value in law.elections}, "readings": dict(law.readings)}
        rounds = [_round(part.strip(), step.place) for part in step.text.split(" / ")]
        return case | (rounds[0] if len(rounds) == 1 else {"rounds": rounds})


def chosen(value: str) -> bool | str:
    """What was elected, as the command line tells it."""
    return {"yes": True, "no": False}.get(value, value)


def _figure(value: str) -> Any:
    return [cents(each) for each in value.split(",")] if "," in value else cents(value)


def _round(text: str, place: str) -> dict[str, Any]:
    staked, colon, happened = text.partition(":")
    if not colon:
        raise ValueError(f"a round is wagers, a colon and facts: {text!r}")
    # A wager such as `split:0-2` has a colon of its own; the one between wagers and facts has a space before it.
    found = re.split(r"(?:^|\s):(?:\s|$)", text, maxsplit=1)
    staked, happened = found if len(found) == 2 else (staked, happened)
    wagers = [_wager(part, place) for part in staked.split(",") if part.strip()]
    return {"wagers": wagers, "facts": [_fact(part, place) for part in re.findall(r"\(.*?\)|\S+", happened)]}


def _wager(text: str, place: str) -> dict[str, Any]:
    words, named = words_in(text.strip(), place)
    if len(words) != 2:
        raise ValueError(f"a wager is a name and an amount in dollars: {text.strip()!r}")
    numbers = {name: int(value) for name, value in named if name in ("box", "at")}
    money = {name: cents(value) for name, value in named if name == "craps"}
    others = {name: value for name, value in named if name == "by"}
    unknown = [name for name, _ in named if name not in (*numbers, *money, *others)]
    if unknown:
        raise ValueError(f"a wager has no {unknown[0]}")
    return {"on": words[0], "amount": cents(words[1])} | numbers | money | others


def _fact(text: str, place: str) -> str | dict[str, Any]:
    if not text.startswith("("):
        return text
    words, named = words_in(text[1:-1], place)
    fact = fact_of(words, named)
    if fact is None:
        raise ValueError(f"{text} tells no fact")
    return fact


# ---------------------------------------------------------------- the answer


def heard(case: Mapping[str, Any]) -> list[Answer]:
    """What the hearing says."""
    try:
        body: Any = as_json(adjudicate(read_case(json.dumps(case))))
    except Refused as error:
        return [Answer("refused", {"reason": error.reason}, error.refusal.rule)]
    except NotPermitted as error:
        return [Answer("refused", {"reason": error.reason}, error.rule)]
    except BadInput as error:
        return [Answer("unreadable", {"reason": str(error)})]
    settled = [_settlement(line) for line in body["settlements"]]
    steps = [answer for number, step in enumerate(body["steps"]) for answer in _step(number, step)]
    outcome = {name: plain(value) for name, value in body["outcome"].items()}
    last = [
        Answer("due", {"what": body["due"] or "over"}, body["due_rule"]),
        Answer("outcome", outcome, body["due_rule"]),
        Answer("next", {name: plain(value) for name, value in body["next"].items()}),
    ]
    return [*settled, *steps, *last]


def _settlement(line: Mapping[str, Any]) -> Answer:
    fields = {name: dollars(value) if name in MONEY else plain(value) for name, value in line.items()}
    return Answer(str(line["result"]), fields, str(line.get("rule") or ""))


def _step(number: int, step: Mapping[str, Any]) -> list[Answer]:
    asked = Answer("asks", {"what": step["due"], "step": str(number)}, step["rule"])
    ruling = step.get("ruling")
    if ruling is None:
        return [asked]
    return [
        asked,
        Answer("ruled", {key: plain(value) for key, value in ruling.items() if key != "rule"}, ruling["rule"]),
    ]
