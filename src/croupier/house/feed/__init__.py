"""Telling other systems of everything, once: the journal that numbers all lines, and the one of who took them."""
