"""Proofs about the running house: vouchers, roles, the cut-off, nonsense at doors, a simulated world, long runs."""
