"""Tournaments as a journal: conditions, entries, rounds, places and prizes."""
