"""Significant events: what happened that a person of the house must have looked at."""
