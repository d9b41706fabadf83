"""Jackpot links: how each stands, and what is ordered of it."""
