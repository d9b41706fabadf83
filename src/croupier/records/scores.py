"""The score: a written notation for rounds, shoes and sessions of every game, as PGN is for chess.

Theory of operation.  A score begins with tags, one a line: `[Game "blackjack"]`, `[Edition "nz1996"]`.  Those below
choose the rules; any other is kept as it is (`[Table "BJ-1"]`, `[Date "1996-02-01"]`).  Then come the rounds, each with
its number, its wagers, a colon and its facts:

    1. main 100 by ann box 2, main 50: Th 9s 6d hit 5c stand 7h
    2. main 100: Th As 9d (choose insure by=ann amount=50)

Amounts are dollars as in `croupier settle`.  A wager may say `by`, `box`, `at` (before which fact it was placed) and
`craps`; `nominate NAME HAND` stands among them.  A fact is a word of `notation`, or in brackets what needs more than a
word: the first two words are its kind and what it is about, the rest are `key=value`.  What has blanks stands in
quotes, cards of a list are joined by `/`, and a semicolon begins a comment.  A round may go on over several lines.

What is read is a case of `hearing`, so that everything that hears a case hears a score; `score_of` writes one from a
case, and `score_of_journal` from the journal of a live table, without the acts of its ceremony.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from croupier.errors import BadInput
from croupier.hearing import CaseIn, RoundIn, SignIn, WagerIn
from croupier.money import format_amount, parse_amount
from croupier.own import KNOWN_HERE, named
from croupier.table import events as e
from croupier.table.events import TableEntry

BEGINS: Final = re.compile(r"\[\s*[A-Za-z]|1\.\s")
TAG: Final = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
NUMBER: Final = re.compile(r"(\d{1,7})\.\s")
TOKEN: Final = re.compile(r'\(|\)|(?:[^\s()"]|"(?:[^"\\]|\\.)*")+')
RULES: Final = ("Game", "Edition", "Version", "Elect", "Reading", "Sign", "On", "Venue")
KINDS: Final = ("irregular", "choose", "call", "take", "nominate", "perform")
WHOLE: Final = ("box", "hand")
LARGEST: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Score:
    """A case with its numbered rounds, and the tags that say nothing of the rules."""

    case: CaseIn
    tags: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return score_of(self.case, self.tags)


def read_object(given: object) -> CaseIn:
    """A case from a mapping, as a program has it; an edition of one's own is named by its file."""
    try:
        case = msgspec.convert(given, CaseIn)
    except msgspec.ValidationError as error:
        raise BadInput(f"the case cannot be read: {error}") from error
    return msgspec.structs.replace(case, edition=named(case.edition))


def is_score(text: str) -> bool:
    """Whether a text begins as a score does: with a tag, a comment before one, or the number of a round.

    A tag that is not written right is one all the same, so that it is told as the mistake that it is.
    """
    lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
    first = next((line for line in lines if line and not line.startswith(";")), "")
    return BEGINS.match(first) is not None


# ---------------------------------------------------------------- reading


def read_score(text: str) -> Score:
    """A score from its text; a mistake raises `BadInput` with the line."""
    if len(text) > LARGEST:
        raise BadInput(f"more than {LARGEST} characters are not a score")
    tags, rounds = dict[str, list[str]](), list[tuple[int, str]]()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = _plain(line)
        tag = TAG.fullmatch(words)
        if tag and not rounds:
            tags.setdefault(tag[1], []).append(_unquoted(f'"{tag[2]}"'))
        elif begun := NUMBER.match(f"{words} "):
            if int(begun[1]) != len(rounds) + 1:
                raise BadInput(f"line {number}: round {begun[1]} where {len(rounds) + 1} is next")
            rounds.append((number, words[begun.end() - 1 :]))
        elif words and rounds:
            rounds[-1] = rounds[-1][0], f"{rounds[-1][1]} {words}"
        elif words:
            raise BadInput(f'line {number}: neither a tag like [Game "craps"] nor a round like 1. … : {words!r:.60}')
    for name, values in tags.items():
        if name not in ("Elect", "Reading") and len(values) > 1:
            raise BadInput(f"the tag {name} is told twice")
    case = _case(tags)
    if not rounds:
        raise BadInput("a score without a round")
    heard = tuple(_round_at(place, words) for place, words in rounds)
    kept = {name: values[0] for name, values in tags.items() if name not in RULES}
    return Score(msgspec.structs.replace(case, rounds=heard), kept)


def _round_at(place: int, words: str) -> RoundIn:
    try:
        return _round(words)
    except ValueError as error:
        raise BadInput(f"line {place}: {error}") from error


def _plain(line: str) -> str:
    """A line without its comment; a semicolon within quotes is none."""
    parts = re.match(r'(?:[^;"]|"(?:[^"\\]|\\.)*")*', line)
    return (parts[0] if parts else "").strip()


def _case(tags: Mapping[str, list[str]]) -> CaseIn:
    fields: dict[str, Any] = {
        name.lower(): tags[name][0] for name in ("Game", "Edition", "Version", "On", "Venue") if name in tags
    }
    if "edition" in fields:
        fields["edition"] = named(fields["edition"])
        if fields["edition"] in KNOWN_HERE:
            fields.setdefault("game", KNOWN_HERE[fields["edition"]].game)
    sign = dict(_pair("Sign", part) for part in tags.get("Sign", [""])[0].split())
    try:
        return CaseIn(
            **fields,
            elections=dict(_elected(part) for each in tags.get("Elect", ()) for part in each.split()),
            readings=dict(_pair("Reading", part) for each in tags.get("Reading", ()) for part in each.split()),
            sign=msgspec.convert({name: _whole(name, value) for name, value in sign.items()}, SignIn),
        )
    except msgspec.ValidationError as error:
        raise BadInput(f"the tag Sign: {error}") from error


def _pair(tag: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or (equals and not value):
        raise BadInput(f"the tag {tag} is written as NAME=VALUE: {text!r:.60}")
    return name, value if equals else "true"


def _elected(text: str) -> tuple[str, bool | int | str]:
    name, value = _pair("Elect", text)
    return name, value == "true" if value in ("true", "false") else int(value) if value.isdecimal() else value


def _whole(name: str, value: str) -> int | tuple[int, ...]:
    if not re.fullmatch(r"\d{1,12}(,\d{1,12})?", value):
        raise BadInput(f"the tag Sign: {name} is in cents: {value!r:.40}")
    numbers = tuple(map(int, value.split(",")))
    return numbers if len(numbers) > 1 else numbers[0]


def _round(words: str) -> RoundIn:
    tokens = TOKEN.findall(words)
    if ":" in tokens:
        at = tokens.index(":")
    else:
        joined = next((n for n, token in enumerate(tokens) if token.endswith(":")), None)
        if joined is None:
            raise ValueError("a colon must stand between wagers and facts")
        tokens[joined : joined + 1] = [tokens[joined][:-1], ":"]
        at = joined + 1
    wagers, nominate = _wagers(tokens[:at])
    return RoundIn(tuple(_facts(iter(tokens[at + 1 :]))), wagers, nominate)


def _wagers(tokens: list[str]) -> tuple[tuple[WagerIn, ...], dict[str, str]]:
    wagers, nominate, part = list[WagerIn](), dict[str, str](), list[str]()
    for token in (*tokens, ","):
        word = token.removesuffix(",")
        part += [word] if word else []
        if not token.endswith(","):
            continue
        if part[:1] == ["nominate"] and len(part) == 3:
            nominate[_unquoted(part[1])] = part[2]
        elif part:
            wagers.append(_wager(part))
        part = []
    return tuple(wagers), nominate


def _wager(part: list[str]) -> WagerIn:
    on, amount, more = part[0], part[1:2], part[2:]
    if not amount or len(more) % 2:
        raise ValueError(f"a wager is a name, an amount in dollars, and by, box, at or craps: {' '.join(part)!r:.60}")
    fields: dict[str, Any] = {"on": on, "amount": parse_amount(amount[0])}
    for key, value in zip(more[::2], more[1::2], strict=True):
        if key not in ("by", "box", "at", "craps") or key in fields:
            raise ValueError(f"a wager says by, box, at and craps once each: {key!r:.40}")
        fields[key] = (
            parse_amount(value) if key == "craps" else _unquoted(value) if key == "by" else _number(key, value)
        )
    return WagerIn(**fields)


def _facts(tokens: Iterator[str]) -> Iterator[str | dict[str, Any]]:
    for token in tokens:
        if token != "(":
            if token == ")":
                raise ValueError("a bracket is closed that was not opened")
            yield token
            continue
        inside = []
        for word in tokens:
            if word == ")":
                break
            inside.append(word)
        else:
            raise ValueError("a bracket is not closed")
        yield _object(inside)


def _object(words: list[str]) -> dict[str, Any]:
    if len(words) < 2:
        raise ValueError(f"in brackets stand a kind and what it is about: {' '.join(words)!r:.60}")
    fields: dict[str, Any] = {words[0]: _unquoted(words[1])}
    for word in words[2:]:
        key, equals, value = word.partition("=")
        if not equals or key in fields:
            raise ValueError(f"in brackets the rest is key=value, each once: {word!r:.60}")
        fields[key] = _value(key, value)
    return fields


def _value(key: str, text: str) -> object:
    if key == "amount":
        return parse_amount(text)
    if key in WHOLE or (key == "detail" and re.fullmatch(r"\d{1,9}", text)):
        return _number(key, text)
    if key == "disclosed" and text in ("true", "false"):
        return text == "true"
    return text.split("/") if key == "found" else _unquoted(text)


def _number(key: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,12}", text):
        raise ValueError(f"{key} is a whole number: {text!r:.40}")
    return int(text)


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if len(text) > 1 and text[0] == text[-1] == '"' else text


# ---------------------------------------------------------------- writing


def score_of(case: CaseIn, tags: Mapping[str, str] | None = None) -> str:
    """A case as a score."""
    own = KNOWN_HERE.get(case.edition)
    head = [("Game", case.game), ("Edition", case.edition), ("Version", case.version or (own.version if own else ""))]
    head += [("On", case.on), ("Venue", case.venue)]
    head += [("Elect", f"{name}={_text(value)}") for name, value in case.elections.items()]
    head += [("Reading", f"{name}={value}") for name, value in case.readings.items()]
    sign = {name: getattr(case.sign, name) for name in case.sign.__struct_fields__}
    usual = {name: getattr(SignIn(), name) for name in sign}
    unusual = [f"{name}={_text(value)}" for name, value in sign.items() if value != usual[name] and value is not None]
    head += [("Sign", " ".join(unusual)), *(tags or {}).items()]
    lines = [f"[{name} {_quoted(value)}]" for name, value in head if value]
    rounds = case.rounds or (RoundIn(case.facts, case.wagers),)
    lines += ["", *(f"{number}. {_written(each)}" for number, each in enumerate(rounds, 1))]
    return "\n".join(lines) + "\n"


def _written(this: RoundIn) -> str:
    wagers = [_staked(each) for each in this.wagers]
    wagers += [f"nominate {_word(by)} {hand}" for by, hand in this.nominate.items()]
    facts = " ".join(fact if isinstance(fact, str) else _bracketed(fact) for fact in this.facts)
    return f"{', '.join(wagers)}: {facts}".strip()


def _staked(wager: WagerIn) -> str:
    usual = WagerIn(wager.on, wager.amount)
    details = {key: getattr(wager, key) for key in ("by", "box", "at")}
    more = [f"{key} {_word(value)}" for key, value in details.items() if value != getattr(usual, key)]
    more += [f"craps {format_amount(wager.craps)}"] if wager.craps else []
    return " ".join([wager.on, format_amount(wager.amount), *more])


def _bracketed(fact: Mapping[str, Any]) -> str:
    kind = next(key for key in (*KINDS, *fact) if key in fact)
    rest = [(key, value) for key, value in fact.items() if key != kind]
    more = [f"{key}={format_amount(value) if key == 'amount' else _text(value)}" for key, value in rest]
    return f"({' '.join([kind, _word(fact[kind]), *more])})"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ("," if value and isinstance(value[0], int) else "/").join(map(str, value))
    return _word(value)


def _word(value: object) -> str:
    text = str(value)
    return text if re.fullmatch(r'[^\s()",;:=]+', text) else _quoted(text)


def _quoted(text: object) -> str:
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# ---------------------------------------------------------------- from a journal


def score_of_journal(journal: Iterable[TableEntry], table: str) -> Score:
    """The rounds that a table played to their end; a table that none was played at is refused.

    What players chose and staff declared is there, the cut and the burn among it; the acts of the ceremony are not.
    An outcome that is lost later takes nothing from the round in hand.
    """
    case, rounds, now = None, list[RoundIn](), 1
    wagers, facts = dict[int, WagerIn](), list[Any]()
    for entry in journal:
        match entry.event:
            case e.TableOpened() as opened:
                law = opened.law
                case = CaseIn(
                    edition=law["edition"],
                    game=law["game"],
                    version=law["version"],
                    elections=law["elections"],
                    readings=law["readings"],
                    sign=SignIn(chip=opened.chip, minimum=opened.minimum, maximum=opened.maximum),
                )
            case e.WagerPlaced(number=number, on=on, stake=stake, voided=voided) as placed:
                wagers[number] = WagerIn(on, stake + voided, placed.player, placed.box, len(facts))
            case e.WagerWithdrawn(number=number):
                wagers.pop(number, None)
            case e.Happened(fact=fact) if not (isinstance(fact, Mapping) and "perform" in fact):
                facts.append(fact)
            case e.FactTakenBack() if facts:
                facts.pop()
            case e.RoundEnded(round=number):
                rounds.append(RoundIn(tuple(facts), tuple(wagers.values())))
                wagers, facts, now = {}, [], number + 1
            case e.RoundInvalidated(round=number) if number >= now:
                wagers, facts, now = {}, [], number + 1
            case _:
                pass
    if case is None or not rounds:
        raise BadInput(f"no round was played to its end at {table!r:.60}")
    return Score(msgspec.structs.replace(case, rounds=tuple(rounds)), {"Table": table})
