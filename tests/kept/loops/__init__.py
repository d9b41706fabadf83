"""Loops for the tests of kept code."""
