"""Names that journals bear: people's, which are kept as they were written and compared in one form, and messages'.

A table's journal is called as the table is.  Those of the house begin with a mark that no table may begin with; of
links, tournaments and living processes there are several, each with a name of its own after that of its family.
"""

from __future__ import annotations

import unicodedata
from typing import Final, Literal, TypeAlias

OF_HOUSE: Final = "@"
Family: TypeAlias = Literal["@link:", "@tournament:", "@process:"]


def is_table(journal: str) -> bool:
    """Whether a journal is that of a table."""
    return not journal.startswith(OF_HOUSE)


def own_name(journal: str, family: Family) -> str:
    """The name of a link or a tournament by its journal; empty where the journal is of another family."""
    return journal.removeprefix(family) if journal.startswith(family) else ""


def plain(name: str) -> str:
    """The form in which two spellings of one name are the same."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


LOOK_ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC"})
"""Alphabets with letters that nobody can tell from those of another."""
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Signs that count as printable and show nothing; so do those that choose a variant of the one before."""
VARIANTS = "VARIATION SELECTOR"
MOST_MARKS = 3


def readable(name: str, longest: int) -> bool:
    """Whether somebody can be called so: a name is read aloud and written down, and looks like no other.

    So nothing in it is invisible, marks are not heaped on a letter, and its letters are of one alphabet, where letters
    of several look alike.
    """
    spelled = unicodedata.normalize("NFKC", name)
    if not name.strip() or len(name) > longest or not name.isprintable() or not INVISIBLE.isdisjoint(name + spelled):
        return False
    signs = [unicodedata.name(each, "") for each in spelled]
    alphabets = {sign.split(" ")[0] for sign in signs if sign} & LOOK_ALIKE
    marks = "".join("m" if unicodedata.combining(each) else " " for each in spelled)
    heaped = "m" * (MOST_MARKS + 1) in marks
    return len(alphabets) <= 1 and not heaped and not any(VARIANTS in sign for sign in signs)


def called(kind: type) -> str:
    """What a command or an event is called, in words: `ChipsBought` is "chips bought"."""
    return "".join(f" {each.lower()}" if each.isupper() else each for each in kind.__name__).strip()
