"""What changed between two editions, law by law.

Theory of operation.  The rules of a game are one type in every edition, so two editions are compared path by path
(`bets.banker.pays`).  A value that is not the same is a change; a path that only one of them has was added or
removed; the same value under other numbers was renumbered.  Versions of the same name are compared with each other;
where two editions share no name, each version of the second is compared with the first version of the first.  A
version can be named: `nzd5/full`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from croupier.errors import BadInput
from croupier.game import AnyGame
from croupier.games import GAMES
from croupier.games.baccarat.rules import OwnBet
from croupier.law.editions import EDITIONS
from croupier.law.elections import Options
from croupier.law.model import Absent, Law
from croupier.money import Odds
from croupier.own import KNOWN_HERE
from croupier.rulesets import known_game


@dataclass(frozen=True, slots=True)
class Side:
    """What one edition says: the value, and its rules (none: the value is not of the law, but of our words)."""

    value: object
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One path on both sides; None where an edition has nothing there."""

    path: str
    before: Side | None
    after: Side | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A version of a game in both editions."""

    game: str
    before: str
    after: str
    changes: tuple[Change, ...]
    renumbered: tuple[Change, ...]
    same: int


@dataclass(frozen=True, slots=True)
class Difference:
    """All versions that can be compared, and those that stand alone, as (edition, game, version)."""

    before: str
    after: str
    comparisons: tuple[Comparison, ...]
    alone: tuple[tuple[str, str, str], ...]


def difference(before: str, after: str, game: str = "") -> Difference:
    """What changed from one edition to another, in one game or in all."""
    sides = (_edition(before), _edition(after))
    games = (known_game(game),) if game else tuple(GAMES.values())
    comparisons: list[Comparison] = []
    alone: list[tuple[str, str, str]] = []
    for each in games:
        first, second = (_versions(each, key, version) for key, version in sides)
        pairs = _pairs(first, second)
        comparisons += [_compare(each.name, one, other, (first[one], second[other])) for one, other in pairs]
        alone += [(sides[0][0], each.name, v) for v in first if v not in {one for one, _ in pairs}]
        alone += [(sides[1][0], each.name, v) for v in second if v not in {other for _, other in pairs}]
    _refuse_emptiness(comparisons, alone, f"{before} and {after}", game)
    return Difference(before, after, tuple(comparisons), tuple(alone))


def _edition(text: str) -> tuple[str, str]:
    key, _, version = text.partition("/")
    if key not in EDITIONS and key not in KNOWN_HERE:
        raise BadInput(f"unknown edition {key!r}; known are {', '.join(EDITIONS)}")
    return key, version


def _versions(game: AnyGame, edition: str, version: str) -> Mapping[str, Any]:
    """The versions of a game in an edition; none where the edition does not know the game."""
    own = KNOWN_HERE.get(edition)
    found = ({own.version: own.rules} if own.game == game.name else {}) if own else game.editions.get(edition, {})
    if not version or not found:
        return found
    if version not in found:
        raise BadInput(f"unknown version {version!r} of {game.name} in {edition}; known are {', '.join(found)}")
    return {version: found[version]}


def _pairs(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str]]:
    shared = [(name, name) for name in first if name in second]
    if shared or not first:
        return shared
    start = next(iter(first))
    return [(start, name) for name in second]


def _refuse_emptiness(comparisons: list[Comparison], alone: list[tuple[str, str, str]], what: str, game: str) -> None:
    if not comparisons and not alone:
        raise BadInput(f"neither of {what} knows {game or 'any game'}")


def _compare(game: str, before: str, after: str, rules: tuple[object, object]) -> Comparison:
    first, second = (dict(values_in(each)) for each in rules)
    both = [Change(path, first.get(path), second.get(path)) for path in {**first, **second}]
    equal = [each for each in both if each.before and each.after and each.before.value == each.after.value]
    return Comparison(
        game,
        before,
        after,
        changes=tuple(each for each in both if each not in equal),
        renumbered=tuple(each for each in equal if _numbers(each.before) != _numbers(each.after)),
        same=len(equal),
    )


def _numbers(side: Side | None) -> tuple[str, ...]:
    """The printed numbers without the document they stand in."""
    return tuple(rule.partition("-")[2] for rule in side.rules) if side else ()


def values_in(thing: object, path: str = "") -> Iterator[tuple[str, Side]]:
    """Every value of a rules object with its path: laws, and the plain words beside them."""
    if isinstance(thing, Absent):
        return
    if isinstance(thing, Law):
        yield path, Side(thing.value, thing.rules)
    elif isinstance(thing, OwnBet):
        yield path, Side(thing.steps, (thing.rule,))
    elif is_dataclass(thing) and not isinstance(thing, Odds):
        for field in fields(thing):
            yield from values_in(getattr(thing, field.name), f"{path}.{field.name}" if path else field.name)
    elif isinstance(thing, Mapping):
        for key, item in thing.items():
            yield from values_in(item, f"{path}.{key}")
    elif isinstance(thing, tuple):
        for name, item in zip(_places(thing), thing, strict=True):
            yield from values_in(item, f"{path}.{name}")
    else:
        yield path, Side(thing)


def _places(items: tuple[object, ...]) -> list[str]:
    """Names for the items of a list: an act of a ceremony keeps its name when others are put in before it."""
    named = [item.name if isinstance(item, OwnBet) else getattr(item, "value", None) for item in items]
    names = [str(getattr(name, "act", name if isinstance(name, str) else index)) for index, name in enumerate(named)]
    earlier = [names[:index].count(name) for index, name in enumerate(names)]
    return [f"{name} ({count + 1})" if count else name for name, count in zip(names, earlier, strict=True)]


# ---------------------------------------------------------------- words


def words(value: object) -> str:
    """A value of the law as a reader would write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Enum():
            return str(value.value)
        case Options(permitted=permitted, elected=elected):
            others = [words(each) for each in permitted if each != elected]
            return words(elected) + (f" (or {', '.join(others)})" if others else "")
        case range() if len(value) == 1:
            return words(value[0])
        case range():
            return f"{value[0]} to {value[-1]}" if value else "none"
        case frozenset() | set():
            return ", ".join(sorted(map(words, value), key=lambda text: (len(text), text))) or "none"
        case Mapping():
            return ", ".join(f"{key}: {words(item)}" for key, item in value.items()) or "none"
        case tuple() | list():
            return ", ".join(map(words, value)) or "none"
        case Law():
            return words(value.value)
        case Odds():
            return str(value)
        case _ if is_dataclass(value):
            parts = ((field.name, getattr(value, field.name)) for field in fields(value) if field.compare)
            return ", ".join(f"{name}: {words(item)}" for name, item in parts if item not in ("", (), False, None))
        case _:
            return str(value)


def as_json(this: Difference) -> dict[str, object]:
    """The difference in the public form: values as words."""
    return {
        "before": this.before,
        "after": this.after,
        "games": [
            {
                "game": each.game,
                "versions": [each.before, each.after],
                "changes": [_row(change) for change in each.changes],
                "renumbered": [_row(change) for change in each.renumbered],
                "same": each.same,
            }
            for each in this.comparisons
        ],
        "alone": [{"edition": edition, "game": game, "version": version} for edition, game, version in this.alone],
    }


def _row(change: Change) -> dict[str, object]:
    def side(this: Side | None) -> dict[str, object] | None:
        return None if this is None else {"value": words(this.value), "rules": list(this.rules)}

    return {"path": change.path, "before": side(change.before), "after": side(change.after)}
