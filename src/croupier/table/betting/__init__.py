"""Betting at a live table: what may be backed now, and how wagers are placed and taken back."""
