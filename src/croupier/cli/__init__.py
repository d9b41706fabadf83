"""The commands: one module a group of them, and what they share."""

from typing import Final

FAULT: Final = 1
BAD_INPUT: Final = 2
REFUSED_BY_LAW: Final = 3
INTERRUPTED: Final = 130
