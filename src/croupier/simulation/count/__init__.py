"""Counting cards: systems and ramps, and baccarat staked by them; blackjack by the count is `blackjack.counted`."""
