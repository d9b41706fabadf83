"""Tournaments: their conditions, draws, hands, places and prizes."""
