"""Proofs about chance: what draws the cards of practice shoes, the dice and the wheels, and the statistics of it."""
