"""Runs over several coups of one shoe: counted, and as rows of a sheet."""

CARDS = 6
"""The most cards a coup looks at."""
