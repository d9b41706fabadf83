"""Upkeep: that the house lives, what it counts, its description, and the line between its processes."""
