"""What the odds lab can be asked: a choice of rules, and what is reckoned from it.

A `Choice` is the query of an address: every input by its name, in the words of the command line.  It is plain data, so
it can be sent to the worker, and equal choices are the same question.  The functions below it run in the worker; their
answers are in the public form of the commands, with what the cited rules say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import msgspec

from croupier.equipment import RANKS, check_counts, full_shoe
from croupier.exact import compare, explain
from croupier.exact.engines import JACKPOTS, OddsAsked, money_of
from croupier.exact.sheet import SEVERAL_COUPS, Sheet, as_json, sheet
from croupier.exact.strategy import PLAYED, strategy
from croupier.floor.doors.bounds import LONGEST
from croupier.games import GAMES
from croupier.law.editions import EDITIONS
from croupier.law.elections import choice_text, electable
from croupier.law.inventory import parts
from croupier.law.readings import Reading, for_game
from croupier.law.ruleset import Ruleset
from croupier.rulesets import known_game, ruleset

Pairs: TypeAlias = tuple[tuple[str, str], ...]
Query: TypeAlias = Iterable[tuple[str, str]]

"""Characters of one input."""

LARGEST_NUMBER: Final = 2**53
"""The largest whole number up to which a page can count."""

SINGLE: Final = ("game", "edition", "version", "decks", "ranks", "pool", "stake", "quick")
SEVERAL: Final = ("elect", "reading")


@dataclass(frozen=True, slots=True)
class Choice:
    """A game with all that is chosen beside it; what is empty is the edition's own."""

    game: str
    edition: str
    version: str = ""
    elections: Pairs = ()
    readings: Pairs = ()
    ranks: tuple[int, ...] = ()
    pool: str = ""
    stake: str = ""
    quick: bool = False


def read(query: Query, *further: str) -> tuple[Choice, dict[str, str]]:
    """A choice, and the further inputs that a door knows; whatever is wrong raises ValueError and is named."""
    single: dict[str, str] = {}
    several: dict[str, list[str]] = {name: [] for name in SEVERAL}
    for name, value in query:
        if len(value) > LONGEST:
            raise ValueError(f"{name}: more than {LONGEST} characters")
        if name in several:
            several[name].append(value)
        elif name in single:
            raise ValueError(f"{name} is given twice")
        elif name in SINGLE or name in further:
            single[name] = value.strip()
        else:
            raise ValueError(f"unknown input {name!r:.40}; known are {', '.join((*SINGLE, *SEVERAL, *further))}")
    elections = _pairs("elect", several["elect"], plain="true")
    if single.get("decks"):
        elections = _pairs("elect", [*several["elect"], f"decks={single['decks']}"], plain="true")
    game = known_game(single.get("game", ""))
    edition = single.get("edition") or next(iter(game.editions))
    choice = Choice(
        game.name,
        edition,
        single.get("version", ""),
        elections,
        _pairs("reading", several["reading"]),
        _ranks(single.get("ranks", "")),
        single.get("pool", ""),
        single.get("stake", ""),
        single.get("quick", "") not in ("", "0"),
    )
    _check(choice)
    return choice, {name: single.get(name, "") for name in further}


def _pairs(name: str, given: Iterable[str], plain: str = "") -> Pairs:
    found: dict[str, str] = {}
    for text in given:
        key, valued, value = (part.strip() for part in text.partition("="))
        if not key or not (value or (plain and not valued)):
            raise ValueError(f"{name} takes NAME=VALUE: {text!r:.60}")
        if key in found:
            raise ValueError(f"{name}: {key!r:.60} is given twice")
        found[key] = value or plain
    return tuple(sorted(found.items()))


def _ranks(text: str) -> tuple[int, ...]:
    words = re.split(r"[\s,]+", text) if text else []
    wrong = next((word for word in words if not re.fullmatch(r"[0-9]{1,4}", word)), None)
    if wrong is not None:
        raise ValueError(f"ranks: {wrong!r:.40} is not a count of cards")
    return tuple(int(word) for word in words)


def _check(choice: Choice) -> None:
    """What can be told without reckoning: the rules exist, and the shoe fits them."""
    chosen = rules_of(choice)
    _asked(choice)
    if not choice.ranks:
        return
    decks = known_game(choice.game).decks(chosen.rules)
    if not decks:
        raise ValueError(f"ranks: {choice.game} is played without cards")
    try:
        check_counts(choice.ranks, 13, decks=decks)
    except ValueError as error:
        raise ValueError(f"ranks: {error}") from error


def rules_of(choice: Choice) -> Ruleset[Any]:
    return ruleset(
        choice.edition,
        game=choice.game,
        version=choice.version,
        elections=dict(choice.elections),
        readings=dict(choice.readings),
    )


def _asked(choice: Choice) -> OddsAsked:
    pool, stake = (money_of(choice.game, name, text or None) for name, text in _money(choice))
    return OddsAsked(pool, stake, quick=choice.quick)


def _money(choice: Choice) -> Pairs:
    return ("pool", choice.pool), ("stake", choice.stake)


def other_side(choice: Choice, text: str) -> Choice:
    """The second rule set of a comparison, `vic2002/crown,decks=6`; readings, shoe and money hold for both."""
    named, *elected = text.split(",")
    edition, _, version = (part.strip() for part in named.partition("/"))
    if not edition:
        raise ValueError("with names the second edition, like vic2002/crown")
    side = replace(choice, edition=edition, version=version, elections=_pairs("with", elected, plain="true"))
    _check(side)
    return side


# ---------------------------------------------------------------- what there is to choose


def choices() -> bytes:
    """Every game with its editions, versions, elections and readings, as the law has them; as JSON."""
    return _with_rules(
        {
            "games": [
                {
                    "game": game.name,
                    "cards": game.chances is None,
                    "jackpot": game.name in JACKPOTS,
                    "played": game.name in PLAYED,
                    "readings": [_reading(each, each.rule) for each in _several(game.name)],
                    "editions": [
                        {"edition": key, "title": EDITIONS[key].title, "versions": _versions(game.name, key)}
                        for key in game.editions
                    ],
                }
                for game in GAMES.values()
            ],
            "ranks": list(RANKS),
        }
    )


def _several(game: str) -> list[Reading]:
    """The readings of a game that leave a choice."""
    return [each for each in for_game(game) if len(each.options) > 1]


def _readings_of(chosen: Ruleset[Any]) -> Iterator[tuple[Reading, str]]:
    """Those of a rule set: they rest on a rule that is in force there, and it is the one to cite."""
    for each in _several(chosen.game):
        has = chosen.law.has
        rule = next((rule for rule in each.rules if has(rule, game=chosen.game, version=chosen.version)), "")
        if rule:
            yield each, rule


def _reading(this: Reading, rule: str) -> dict[str, object]:
    options = [{"value": key, "says": this.others.get(key, this.says)} for key in this.options]
    return {"name": this.name, "id": this.id, "question": this.question, "rule": rule, "options": options}


def _versions(game: str, edition: str) -> list[dict[str, object]]:
    versions = []
    for version in known_game(game).editions[edition]:
        chosen = ruleset(edition, game=game, version=version)
        laws = {name: law for name, law in electable(chosen.rules).items() if name not in chosen.readings}
        elections = [
            {"name": name, "values": [choice_text(value) for value in law.value.permitted], "rule": law.rule}
            | {"elected": choice_text(law.value.elected), "free": not law.value.permitted}
            for name, law in laws.items()
        ]
        readings = [_reading(each, rule) for each, rule in _readings_of(chosen)]
        decks = known_game(game).decks(chosen.rules)
        versions.append({"version": version, "decks": decks, "elections": elections, "readings": readings})
    return versions


# ---------------------------------------------------------------- in the worker


def priced(choice: Choice) -> Sheet:
    """The sheet of a choice.  A game that needs the suits gets its shoe with suits taken out in turn."""
    game, chosen, asked = known_game(choice.game), rules_of(choice), _asked(choice)
    made = sheet(game, chosen, choice.ranks or None, asked=asked)
    if made.lines or not choice.ranks:
        return made
    return sheet(game, chosen, suits_in_turn(choice.ranks, game.decks(chosen.rules) or 1), asked=asked)


def suits_in_turn(ranks: tuple[int, ...], decks: int) -> tuple[int, ...]:
    """52 counts for 13: what is gone of a rank went from clubs, diamonds, hearts, spades, clubs and so on."""
    gone = [full_shoe(decks)[0] * 4 - count for count in ranks]
    return tuple(decks - (gone[rank] + 3 - suit) // 4 for suit in range(4) for rank in range(len(RANKS)))


def sheet_of(choice: Choice) -> bytes:
    """The sheet, as JSON."""
    made = priced(choice)
    with_suits = bool(choice.ranks) and len(made.counts) > len(RANKS)
    return _with_rules(as_json(made) | {"cards": made.cards, "suits_in_turn": with_suits, "more": _has_more(made)})


def _has_more(made: Sheet) -> bool:
    """Whether a quick sheet left out what takes seconds."""
    return any(reason == SEVERAL_COUPS for _, reason in made.left_out)


def why_of(choice: Choice, wager: str) -> bytes:
    """The working of one wager, as JSON."""
    made = priced(choice)
    return _with_rules(explain.as_json(made, explain.explain(known_game(choice.game), made, wager)))


def compared(choice: Choice, other: Choice) -> bytes:
    """Two rule sets and the difference in money, as JSON."""
    sides = priced(choice), priced(other)
    return _with_rules(compare.as_json(*sides) | {"more": any(map(_has_more, sides))})


def strategy_of(choice: Choice) -> bytes:
    """The best play, as JSON; from the cards that are left where some were taken out."""
    game, chosen = known_game(choice.game), rules_of(choice)
    suited = bool(choice.ranks) and game.name == "caribbean_stud"
    shoe = suits_in_turn(choice.ranks, game.decks(chosen.rules) or 1) if suited else choice.ranks or None
    return _with_rules(strategy(chosen, shoe))


def par_of(choice: Choice) -> bytes:
    """The sheet as a page that stands by itself."""
    from croupier.exact.par.page import page

    return page(known_game(choice.game), priced(choice), _asked(choice)).encode()


def _with_rules(answer: Mapping[str, object]) -> bytes:
    """The answer with what its rules say, in our own words."""
    cited = dict.fromkeys(_rules_in(answer))
    says = {rule: " ".join(row.summary for row in parts(rule)) for rule in cited if rule}
    return msgspec.json.encode({**_plain(answer), "says": says})


def _plain(part: Any) -> Any:
    """Whole numbers that a page could not hold exactly are written as text."""
    if isinstance(part, Mapping):
        return {name: _plain(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_plain(value) for value in part]
    return str(part) if type(part) is int and abs(part) > LARGEST_NUMBER else part


def _rules_in(part: object, key: str = "") -> Iterable[str]:
    """Every rule that an answer names, wherever it stands."""
    if isinstance(part, Mapping):
        for name, value in part.items():
            yield from _rules_in(value, str(name))
    elif isinstance(part, list):
        for value in part:
            yield from _rules_in(value, key)
    elif key in ("rule", "rules") and isinstance(part, str):
        yield part
