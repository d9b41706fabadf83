"""Names that journals bear: people's, which are kept as they were written and compared in one form, and messages'."""

from __future__ import annotations

import unicodedata


def plain(name: str) -> str:
    """The form in which two spellings of one name are the same."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def called(kind: type) -> str:
    """What a command or an event is called, in words: `ChipsBought` is "chips bought"."""
    return "".join(f" {each.lower()}" if each.isupper() else each for each in kind.__name__).strip()
