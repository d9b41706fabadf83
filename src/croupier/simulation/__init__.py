"""Simulation: billions of rounds by the same rules, and what they came to beside the exact odds."""
