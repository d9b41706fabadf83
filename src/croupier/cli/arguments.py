"""The words of a command line: options, counts, files and rule ids, each read once and refused by name.

What cannot be read raises `ValueError` with one line that names the option and the word.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from croupier.game import AnyGame
    from croupier.law.ruleset import Ruleset

LARGEST_CASE: Final = 16 * 2**20
"""Bytes: a case of this size would be a year of play, so more is not a case."""


def elections(given: Sequence[str], decks: str | None) -> dict[str, object]:
    elections: dict[str, object] = {}
    for text in given:
        name, valued, value = text.partition("=")
        if not name.strip() or (valued and not value.strip()):
            raise ValueError(f"--elect takes NAME or NAME=VALUE: {text!r}")
        _once("--elect", name.strip(), elections)
        elections[name.strip()] = value.strip() if valued else True
    if decks is not None:
        _once("--decks and --elect", "decks", elections)
        elections["decks"] = decks
    return elections


def pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise ValueError(f"{option} takes NAME=VALUE: {text!r}")
        _once(option, name, pairs)
        pairs[name] = value
    return pairs


def _once(option: str, name: str, known: Mapping[str, object]) -> None:
    if name in known:
        raise ValueError(f"{option}: {name} is given twice")


def shoe(
    game: AnyGame, chosen: Ruleset[Any], ranks: str | None, cards: str | None, *, decks_named: bool
) -> tuple[int, ...] | None:
    """The counts of a user's shoe; no more cards than the decks named hold, or the most decks permitted."""
    if ranks is None and cards is None:
        return None
    if ranks is not None and cards is not None:
        raise ValueError("give the shoe as --ranks or as --cards, not both")
    from croupier.equipment import check_counts
    from croupier.law.elections import electable

    option = "--ranks" if ranks is not None else "--cards"
    if not game.decks(chosen.rules):
        raise ValueError(f"{option}: {game.name} is played without cards")
    law = electable(chosen.rules).get("decks")
    decks = game.decks(chosen.rules) if decks_named or law is None else max(law.value.permitted)
    counts = [_count(option, word) for word in re.split(r"[\s,]+", (ranks or cards or "").strip(" ,"))]
    try:
        return check_counts(counts, 13 if option == "--ranks" else 52, decks=decks)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from error


def whole(option: str, word: str, among: range) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", word) or int(word) not in among:
        raise ValueError(f"{option} is a whole number from {among[0]} to {among[-1]}: {word!r:.40}")
    return int(word)


def _count(option: str, word: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,6}", word):
        raise ValueError(f"{option}: {word!r:.40} is not a count of cards")
    return int(word)


def named(file: str) -> str:
    return "stdin" if file == "-" else file


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Around reading a file: what is wrong with its content is told with its name."""
    from croupier.errors import BadInput

    try:
        yield
    except BadInput as error:
        raise BadInput(f"{named(file)}: {error}") from error
    except RecursionError as error:
        raise BadInput(f"{named(file)}: it is nested too deeply") from error


def read(file: str) -> bytes:
    if file == "-":
        text = sys.stdin.buffer.read(LARGEST_CASE + 1)
    else:
        with open(file, "rb") as opened:
            text = opened.read(LARGEST_CASE + 1)
    if len(text) > LARGEST_CASE:
        raise ValueError(f"{named(file)}: more than {LARGEST_CASE} bytes are not read")
    return text


def writable(*files: str) -> None:
    """Refuse a file that cannot be written before the work that would fill it; nothing is left where none was."""
    for file in filter(None, files):
        new = not os.path.exists(file)
        open(file, "ab").close()
        if new and not os.path.getsize(file):
            os.unlink(file)
