"""Editions of somebody's own, read from a file: a gazetted edition with some of its values changed.

Theory of operation.  The file is TOML.  It names itself, its source, the game, and the edition and version it is based
on.  Under `values` stand the laws it changes, by the paths that `rules diff` shows (`bets.banker.pays`), each with its
own rule number; each is read as what the type of that law says, so that what no law of the kind can hold is refused.
Under `bets` stand bets written as data, where the game has a vocabulary for them.  What comes out is an ordinary rules
object: whatever reads the law reads this one, and cites `name-rule`.

No gazette printed it, so that a rule set made from it carries the file (`OwnFile`) and says so wherever it is shown.  A
name is known once its file has been read here; doors that answer strangers read no files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from croupier.errors import BadInput, unknown
from croupier.games import GAMES
from croupier.games.baccarat.own import read_bets
from croupier.games.baccarat.rules import BANKER, BaccaratRules, OwnBet
from croupier.law.editions import EDITIONS, Edition
from croupier.law.elections import Options
from croupier.law.model import Absent, Law, absent
from croupier.law.ruleset import OwnFile, Ruleset
from croupier.money import Odds
from croupier.once import dataclass

EXAMPLES: Final = Path(__file__).parent / "law" / "examples"
LARGEST: Final = 2**18
NEEDED: Final = ("name", "title", "source", "base")
KNOWN: Final = (*NEEDED, "game", "values", "bets")
BOUNDS: Final[Mapping[str, range]] = {
    "decks": range(1, 17),
    "modulus": range(10, 11),
    "one_more": range(1, 2),
    "natural": range(10),
    "player_draws": range(10),
    "banker_alone": range(10),
    "limit": range(21, 32),
    "draw_below": range(17, 32),
    "must_reach": range(22),
    "soft_hits": range(12, 22),
    "double.totals": range(3, 22),
    "split.hands": range(1, 9),
    "split.ace_splits": range(8),
    "split.ace_cards": range(1, 9),
    "double.cards": range(1, 9),
}
"""What play, odds and simulation carry of values that any whole number could be."""


@dataclass(frozen=True, slots=True)
class OwnEdition:
    """An edition of one's own: its one version of one game, the rest of its law, and the file it was made from."""

    key: str
    game: str
    version: str
    rules: Any
    law: Edition
    own: OwnFile


KNOWN_HERE: Final[dict[str, OwnEdition]] = {}
"""The own editions whose files were read in this process, by name."""


def named(words: str) -> str:
    """A text that begins with an edition, `own.toml banker 100: …`, with the edition's name in the place of a file.

    The file is read, and its name is known from then on.  A bare name that is no file here may be one of the examples
    that come with the package.
    """
    found = re.match(r"\s*(\S+?\.toml)(?=$|[\s/,])", words)
    if found is None:
        return words
    try:
        shipped = EXAMPLES / Path(found[1]).name
        with open(shipped if found[1] == shipped.name and not Path(found[1]).exists() else found[1], "rb") as file:
            text = file.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"{found[1]}: {error.strerror or error}") from error
    except ValueError as error:
        raise BadInput(f"no file can have the name {found[1]!r:.60}: {error}") from error
    if len(text) > LARGEST:
        raise BadInput(f"{found[1]}: more than {LARGEST} bytes are not an edition")
    own = read(text.decode(errors="replace"), Path(found[1]).name)
    KNOWN_HERE[own.key] = own
    return own.key + words[found.end() :]


def named_apart(one: str, other: str) -> tuple[str, str]:
    """Two editions that are to be compared; of two files with one name only the second would be known."""
    first = named(one)
    key = re.split(r"[\s/,]", first.strip(), maxsplit=1)[0]
    was, second = KNOWN_HERE.get(key), named(other)
    if was is not None and KNOWN_HERE[key].own != was.own:
        raise BadInput(f"{one} and {other} are two editions with one name, {key!r}: give one of them another")
    return first, second


def read(text: str, place: str) -> OwnEdition:
    """An edition from the text of its file; a mistake raises `BadInput` with the place and the reason in one line."""
    import tomllib

    try:
        return _made(tomllib.loads(text.removeprefix("\ufeff")), text)
    except (ValueError, TypeError, msgspec.ValidationError) as error:
        raise BadInput(f"{place}: {' '.join(str(error).split())}") from error


def _made(given: dict[str, Any], text: str) -> OwnEdition:
    for name in (*NEEDED, *(given.keys() & {"game"})):
        if not isinstance(given.get(name), str) or not given[name].strip():
            raise ValueError(f"{name}: a text is needed")
    for name in given.keys() - set(KNOWN):
        raise unknown("key", name, KNOWN)
    key, title, source = (str(given[name]).strip() for name in ("name", "title", "source"))
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,31}", key) or key in EDITIONS:
        raise ValueError(f"name: small letters, figures and _, 2 to 32 of them, and no gazetted edition: {key!r:.40}")
    game = str(given.get("game", "baccarat"))
    if game not in GAMES:
        raise unknown("game", game, GAMES)
    base, version, rules = _base(game, str(given["base"]))
    says: dict[str, str] = {}
    rule = partial(_rule, key)
    for path, law in _values(given.get("values", {})):
        cited = rule(f"values.{path}: rule", law.get("rule"))
        says[cited] = str(law.get("says") or f"{path} is {law['value']}; {source}")
        rules = _put(rules, type(rules), path.split("."), law["value"], cited, f"values.{path}")
    if "bets" in given:
        rules, bets = _with_bets(rules, read_bets(given["bets"], rule)), given["bets"]
        says |= {f"{key}-{bet['rule']}": str(bet.get("says") or f"{bet['name']}; {source}") for bet in bets}
    rest = replace(EDITIONS[base], key=key, title=f"{title} (not gazetted; after {base})")
    return OwnEdition(key, game, version, rules, rest, OwnFile(text, source, MappingProxyType(says)))


def _base(game: str, text: str) -> tuple[str, str, Any]:
    base, _, version = text.partition("/")
    versions = GAMES[game].editions.get(base)
    if versions is None:
        raise unknown(f"base of {game}", base, GAMES[game].editions)
    chosen = version or next(iter(versions))
    if chosen not in versions:
        raise unknown(f"version of {base}", chosen, versions)
    return base, chosen, versions[chosen]


def _rule(key: str, place: str, number: object) -> str:
    if not isinstance(number, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]{0,23}", number):
        raise ValueError(f"{place}: the number of the rule in your source, as a text like '3.2': {number!r:.40}")
    return f"{key}-{number}"


def _values(given: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Each changed law with its path; keys may be dotted or nested."""
    if not isinstance(given, dict):
        raise ValueError(f"values{path and '.'}{path}: written as {{ value = …, rule = '…' }}")
    if "value" in given:
        for name in given.keys() - {"value", "rule", "says"}:
            raise ValueError(f"values.{path}: unknown {name!r:.40}; known are value, rule, says")
        yield path, given
        return
    for name, inside in given.items():
        yield from _values(inside, f"{path}.{name}" if path else name)


def _with_bets(rules: Any, bets: tuple[OwnBet, ...]) -> BaccaratRules:
    """The rules with these bets; a Banker wager written anew pays its best odds wherever only one can be told."""
    if not isinstance(rules, BaccaratRules):
        raise ValueError("bets: written as data they are known in baccarat only")
    best = [step.ends for bet in bets if bet.name == BANKER for step in bet.steps if isinstance(step.ends, Odds)]
    if not best:
        return replace(rules, own=bets)
    bet = next(bet for bet in bets if bet.name == BANKER)
    most = Law(max(best, key=lambda odds: odds.fraction), (bet.rule,))
    return replace(rules, own=bets, bets={**rules.bets, BANKER: replace(rules.bets[BANKER], pays=most)})


def changed_law(base: Ruleset[Any], path: str, value: object) -> Ruleset[Any]:
    """A rule set with one law changed by its path, as a file would; no gazette printed it, and it says so."""
    cited = f"{base.edition}-changed"
    rules = _put(base.rules, type(base.rules), path.split("."), value, cited, path)
    own = OwnFile("", f"{base.edition} with {path} = {value}", MappingProxyType({cited: f"{path} is {value}"}))
    return replace(base, rules=rules, own=base.own or own)


# ---------------------------------------------------------------- values


def amended(rules: Any, path: str, value: object, rule: str) -> Any:
    """Rules with the law at one path changed, which then cites `rule`; `BadInput` says why that cannot be."""
    try:
        return _put(rules, type(rules), path.split("."), value, rule, f"values.{path}")
    except (ValueError, TypeError, msgspec.ValidationError) as error:
        raise BadInput(" ".join(str(error).split())) from error


def _put(thing: Any, hint: Any, path: list[str], value: object, rule: str, place: str, *, addable: bool = False) -> Any:
    """The rules with one law changed; `hint` is the type that stands in this place.

    `addable`: a law that no gazette has, and that a file may add, for its field has a default of none.
    """
    if isinstance(thing, Absent) and path:
        raise ValueError(f"{place}: there is no law of this name")
    if isinstance(thing, Absent):
        if not addable:
            raise ValueError(f"{place}: the base has no such rule; take one that has")
        return Law(_added(value, _law_type(hint), place), (rule,))
    if isinstance(thing, Law) and not path:
        return Law(_typed(value, _law_type(hint), thing.value, place), (rule,))
    step, *rest = path or [""]
    if is_dataclass(thing) and not isinstance(thing, Law | Odds):
        hints = get_type_hints(type(thing))
        names = [field.name for field in fields(thing) if field.name in hints]
        if step not in names:
            raise ValueError(f"{place}: {unknown('law', step, names)}")
        adds = next(field.default is absent for field in fields(thing) if field.name == step)
        inside = _put(getattr(thing, step), hints[step], rest, value, rule, place, addable=adds)
        return replace(thing, **{step: inside})  # type: ignore[type-var]
    if isinstance(thing, Mapping):
        keys = {str(key): key for key in thing}
        if step not in keys:
            raise ValueError(f"{place}: {unknown('law', step, keys)}")
        inside = _put(thing[keys[step]], _inside(hint), rest, value, rule, place)
        return {**thing, keys[step]: inside}
    if isinstance(thing, tuple) and step in map(str, range(len(thing))):
        at = int(step)
        return (*thing[:at], _put(thing[at], _inside(hint), rest, value, rule, place), *thing[at + 1 :])
    raise ValueError(f"{place}: there is no law of this name")


def _inside(hint: Any) -> Any:
    """The type of what a mapping or a list holds."""
    found = [each for each in get_args(hint) if each is not Ellipsis]
    return found[-1] if found else Any


def _law_type(hint: Any) -> Any:
    """What the law at this place may hold, of `Law[…]` or `Law[…] | Absent`."""
    for each in (hint, *get_args(hint)):
        if get_origin(each) is Law:
            return get_args(each)[0]
    return Any


def _typed(value: object, wanted: Any, now: object, place: str) -> Any:
    """The value as the law of this place has it: odds, options, ranges, sets, or plain words and numbers."""
    bounds = BOUNDS.get(place.removeprefix("values."))
    try:
        match now:
            case Options():
                values = value if isinstance(value, list) else [value]
                kind = get_args(wanted)[0] if get_args(wanted) else Any
                permitted = tuple(_plain(each, kind) for each in values)
                if not permitted or (bounds and any(each not in bounds for each in permitted)):
                    raise ValueError(f"one or more of {bounds[0]} to {bounds[-1]}" if bounds else "names nothing")
                return Options(permitted, permitted[0])
            case Odds():
                return Odds.parse(_plain(value, str))
            case range():
                first, last = _plain(value, tuple[int, int])
                if not 0 < first <= last <= 99:
                    raise ValueError(f"from {first} to {last} is no range of small numbers")
                return range(first, last + 1)
            case Fraction():
                return Fraction(_plain(value, str))
        made = _plain(value, wanted)
    except (ValueError, ZeroDivisionError, msgspec.ValidationError) as error:
        raise ValueError(f"{place}: {error}") from error
    if isinstance(now, tuple) and len(made) != len(now):
        raise ValueError(f"{place}: {len(made)} values where the law has {len(now)}")
    _bounded(made, place)
    if wanted is Any or type(made) is not type(now):
        raise ValueError(f"{place}: a law of this kind is not changed by a file")
    return made


def _added(value: object, wanted: Any, place: str) -> Any:
    try:
        made = _plain(value, wanted)
    except msgspec.ValidationError as error:
        words = f"; known are {', '.join(map(str, get_args(wanted)))}" if get_origin(wanted) is Literal else ""
        raise ValueError(f"{place}: {error}{words}") from error
    _bounded(made, place)
    return made


def _bounded(made: object, place: str) -> None:
    """Refuse a number, or one of several, with which nothing could be played."""
    bounds = BOUNDS.get(place.removeprefix("values."))
    each = made if isinstance(made, frozenset | tuple) else (made,)
    wrong = [number for number in each if bounds and number not in bounds]
    if bounds and wrong:
        raise ValueError(f"{place}: {bounds[0]} to {bounds[-1]} is what can be played, not {wrong[0]}")


def _plain(value: object, kind: Any) -> Any:
    return msgspec.convert(value, kind, strict=True)
