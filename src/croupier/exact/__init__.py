"""Exact odds: the rules as integer tables, and what every wager is worth."""
