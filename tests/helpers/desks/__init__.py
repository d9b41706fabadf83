"""Rooms as values to test with: opened, asked in any role, played."""
