"""Blackjack from shoes so short that they may run out within a round."""
