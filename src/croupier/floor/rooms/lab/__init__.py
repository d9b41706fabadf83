"""The odds lab: sheets, their working, comparisons, simulations to watch."""
