"""Lessons at a real table with planted mistakes, from a seed."""
