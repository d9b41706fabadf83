"""Names of people as journals bear them: how somebody is called is kept as it was written, and compared in one form."""

from __future__ import annotations

import unicodedata


def plain(name: str) -> str:
    """The form in which two spellings of one name are the same."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()
