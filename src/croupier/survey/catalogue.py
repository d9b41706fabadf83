"""What there is: games, editions, versions, elections, wagers, and rules found by words.

The same lists serve `croupier list`, `croupier rules search` and the functions of the public package.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from croupier.errors import unknown
from croupier.games import GAMES
from croupier.law import inventory
from croupier.law.editions import EDITIONS
from croupier.law.elections import electable
from croupier.law.inventory import Rule
from croupier.law.ruleset import Ruleset
from croupier.rulesets import known_game

MOST_FOUND = 25


def games() -> tuple[str, ...]:
    """The games, by the names that every command takes."""
    return tuple(GAMES)


def editions(game: str = "") -> Mapping[str, str]:
    """The editions of the law with their titles; of one game, those that know it."""
    known = known_game(game).editions if game else EDITIONS
    return {name: EDITIONS[name].title if name in EDITIONS else name for name in known}


def versions(edition: str, *, game: str = "baccarat") -> tuple[str, ...]:
    """The versions of a game in an edition, the usual one first."""
    known = known_game(game).editions
    if edition not in known:
        raise unknown(f"edition of {game}", edition, known)
    return tuple(known[edition])


def elections(rules: Ruleset[Any]) -> Mapping[str, tuple[object, ...]]:
    """What the operator may choose under these rules: what is elected, then what else is permitted."""
    chosen = {name: law.value for name, law in electable(rules.rules).items() if name not in rules.readings}
    return {
        name: (choice.elected, *(value for value in choice.permitted if value != choice.elected))
        for name, choice in chosen.items()
    }


def wagers(rules: Ruleset[Any]) -> tuple[str, ...]:
    """Every wager that these rules permit."""
    return known_game(rules.game).wagers(rules.rules)


def search(text: str, *, edition: str = "", most: int = MOST_FOUND) -> tuple[Rule, ...]:
    """Rules in which all the words stand, those that have them in their heading first."""
    if edition and edition not in inventory.PREFIXES:
        raise unknown("edition", edition, inventory.PREFIXES)
    words, found = text.casefold().split(), inventory.search(text, edition or None) if text.strip() else ()
    return tuple(sorted(found, key=lambda row: -sum(word in row.topic.casefold() for word in words))[:most])


def candidates(number: str) -> tuple[str, ...]:
    """The rules of every document that have this number, as when somebody asks for `9.4` alone or for `V-9.4`."""
    wanted = number.strip().casefold()
    known = {rule for row in inventory.all_rules() for rule in (row.id, inventory.stem(row.id))}
    return inventory.in_order(
        rule for rule in known if wanted in {inventory.number(rule).casefold(), rule.casefold().partition("-")[2]}
    )


def rule_id(text: str) -> str:
    """The id as it is spelled: of a row, of a parent of sentence parts, or of the only rule that has this number."""
    row = inventory.find(text)
    if row is not None:
        return row.id
    head, dash, tail = text.strip().partition("-")
    parent = f"{head.upper()}{dash}{tail}"
    if inventory.exists(parent):
        return parent
    alike = candidates(text)
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise ValueError(f"there are several rules {text!r:.40}: {', '.join(alike)}")
    near = get_close_matches(parent, (rule.id for rule in inventory.all_rules()), n=3)
    raise ValueError(f"no rule {text!r:.60}" + (f"; near to it are {', '.join(near)}" if near else ""))
