"""Rounds, sessions and shoes that somebody wrote down: read, heard, and written again."""
