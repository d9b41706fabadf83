"""Runs over several coups of one shoe: counted, and as rows of a sheet."""

CARDS = 6
"""The most cards a coup looks at."""

MOST_ERROR = 1e-9
"""A row whose chances are not proven to be nearer than this to the exact ones is not reckoned within the shoe."""
