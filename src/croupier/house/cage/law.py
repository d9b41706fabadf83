"""The law under which the cage works: one cage serves every table of a house, whatever edition it plays."""

from __future__ import annotations

from typing import Final

from croupier.law.editions import first_with

RULES: Final = first_with(lambda document: document.cage)[1]
