"""Jackpot links as a journal: one pool that several tables feed and win."""
